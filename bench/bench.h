/* bench.h: timing side by side. A benchmark runs all its candidates in turn, round after round;
 * what is reported is the median over the rounds, of times and of ratios within one round. */
#pragma once

#include <perp/lab.h>
#include <perp/perp.h>

enum { BENCH_ROUNDS = 9 };

/* Seconds on a monotonic clock. */
double bench_now(void);
/* Seconds of the processor that this process has spent: what else runs here does not count. */
double bench_processor(void);
/* Prints the message and ends the program: a benchmark that cannot run has nothing to report. */
__attribute__((noreturn, format(printf, 1, 2))) void bench_die(const char *format, ...);

/* Bytes per second that one thread reads from memory: a sum over an array far larger than any
 * cache, with as many independent accumulators as the compiler vectorises. */
double bench_read_bandwidth(void);

/* Seconds per sweep of `method` with `order` on the problem, from the end of the first sweep to
 * the end of the last, without set-up and checks; of the processor if there is one thread. */
double bench_sweep_seconds(const char *method, const char *order, const perp_problem *problem,
                           int threads, int sweeps);

/* One solve by one of our methods, from x = 0 to `tol`, ended when the processor has spent `limit`
 * seconds on it. Returns those that it took. */
double bench_solve(perp_solver *solver, const perp_problem *p, double tol, double limit, double *x,
                   perp_error *error, perp_result *result);
/* The same from the x given. */
double bench_solve_from(perp_solver *solver, const perp_problem *p, double tol, double limit,
                        double *x, perp_error *error, perp_result *result);
/* Solves again what has been solved within the limit: unwatched, and between two looks at the
 * clock, as a peer does in its own process. The mean of the batch. */
double bench_solve_batch(perp_solver *solver, const perp_problem *p, double tol, int batch,
                         double *x, perp_error *error, perp_result *result);
