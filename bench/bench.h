/* bench.h: timing in rounds. Each round runs all candidates in turn; the report shows medians over the
 * rounds, of times and of ratios within one round. */
#pragma once

#include <perp/lab.h>
#include <perp/perp.h>

enum { BENCH_ROUNDS = 9 };

/* Seconds on a monotonic clock. */
double bench_now(void);
/* Returns the CPU time of this process, which excludes other load on the machine. */
double bench_processor(void);
/* Prints the message and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void bench_die(const char *format, ...);

/* Returns the bytes per second that one thread reads from memory: a sum over an array far larger than
 * any cache, with enough independent accumulators for the compiler to vectorise. */
double bench_read_bandwidth(void);

/* Seconds per sweep of `method` with `order` on the problem, from the end of the first sweep to
 * the end of the last, without set-up and checks; CPU time if there is one thread. */
double bench_sweep_seconds(const char *method, const char *order, const perp_problem *problem,
                           int threads, int sweeps);

/* Solves once by one of our methods, from x = 0 to `tol`, within `limit` seconds of CPU time. Returns
 * the CPU seconds. */
double bench_solve(perp_solver *solver, const perp_problem *p, double tol, double limit, double *x,
                   perp_error *error, perp_result *result);
/* Solves from the given x. Returns the seconds. */
double bench_solve_from(perp_solver *solver, const perp_problem *p, double tol, double limit,
                        double *x, perp_error *error, perp_result *result);
/* Repeats a solve that succeeded within the limit, without an observer and with two readings of the
 * clock, as a peer does in its own process. Returns the mean of the batch. */
double bench_solve_batch(perp_solver *solver, const perp_problem *p, double tol, int batch,
                         double *x, perp_error *error, perp_result *result);
