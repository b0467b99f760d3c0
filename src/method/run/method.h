/* method.h: the interface of a method, and the services of the driver
 *
 * A method is one file: a parameter struct with its table, one solve function, one perp_method. Its
 * loop reads
 *
 *   while (perp_run_next(run, x, y))
 *     ... one iteration that improves x ...
 *   return PERP_OK;
 *
 * and the driver behind perp_run_next owns time, stop tests, the observer, the best iterate and the
 * verdict. A method allocates only from the run's arena. It never reports "solved": it may claim it
 * with perp_run_claim, and the driver checks. */
#pragma once

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/parameter.h"
#include "operator/operator.h"
#include <perp/solver.h>

#include <math.h>

typedef struct perp_run perp_run;
struct perp_iterate;
struct perp_job;       /* device/job.h */
struct perp_world_job; /* method/splitting/world/world.h */
struct perp_scaled;    /* scaling.h */
struct perp_memory;    /* factor_cache.h */
struct perp_small;     /* small_solve.h */

/* The functions of a method on devices. */
typedef struct perp_method_device {
  /* As perp_method.solve, on run->options->device. */
  perp_error (*solve)(perp_run *run, const perp_problem *p, const void *parameters, double *x);
  bool placed; /* `solve` accepts problems whose vectors are on the device (perp_run_placed) */
  /* Solves problems first .. first + count - 1 of a job whose arrays the device reads: dense
   * problems, and contact worlds. NULL: not supported. */
  perp_error (*batch)(perp_device *device, struct perp_job *job, int first, int count, int threads,
                      const void *parameters, perp_message *why);
  perp_error (*worlds)(perp_device *device, struct perp_world_job *job, int first, int count,
                       int threads, const void *parameters, perp_message *why);
} perp_method_device;

typedef struct perp_method {
  const char *name;
  const char *title;
  const char *family; /* the folder it lives in */
  const char *source;
  bool reference; /* `auto` never uses it: it is for comparison */
  unsigned takes; /* forms, by PERP_TAKES */
  unsigned needs; /* perp_ability */
  int max_iterations;
  int most_unknowns;                /* 0: any number */
  const char *iteration;            /* one line: the iteration */
  const char *works;                /* one line: matrices for which it converges */
  const perp_parameter *parameters; /* ends with {0} */
  size_t parameter_bytes;
  const void *preset; /* such a struct for the parameters outside the table; NULL: all 0 */
  /* x holds the start on entry, the last iterate on return. An error means that the call failed
   * (perp_run_fail); every other ending is PERP_OK with an outcome. */
  perp_error (*solve)(perp_run *run, const perp_problem *p, const void *parameters, double *x);
  const perp_method_device *device; /* NULL: the method does not run on devices */
  /* NULL, or `solve` with the default parameters for a few rows from x = 0, without a driver
   * (small_solve.h): sets x for the judge, counts work and iterations, and `auto` enters its choice
   * in the result. Of the run only problem, options, count, scale, target, arena and memory are
   * set, with a driver that never ends it. Returns false if the driver is to start again, whatever x is now. */
  bool (*solve_small)(perp_run *run, const struct perp_small *small, perp_result *result,
                      double *x);
} perp_method;

/* The last lines of a perp_method: its table `parameters`, with a struct of that type, or none, and
 * the function `solve`. */
#define PERP_SOLVES_WITH(type)                                                                     \
  .parameters = parameters, .parameter_bytes = sizeof(type), .solve = solve
#define PERP_SOLVES_WITHOUT_PARAMETERS .parameters = (const perp_parameter[]){{0}}, .solve = solve

/* Sets of forms that methods accept. */
enum {
  PERP_TAKES_BOXES =
      PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_MIXED) | PERP_TAKES(PERP_FORM_BOXED),
  PERP_TAKES_ROWS = PERP_TAKES_BOXES | PERP_TAKES(PERP_FORM_FINDEX),
  PERP_TAKES_ALL = PERP_TAKES_ROWS | PERP_TAKES(PERP_FORM_CONE),
  PERP_TAKES_CONTACTS = PERP_TAKES_ALL | PERP_TAKES(PERP_FORM_CONTACT),
};

/* Functions of higher layers that methods use; registry.c fills it. */
typedef struct perp_services {
  const perp_method *const *methods; /* all of them; ends with NULL */
  const struct perp_linear_hook *multigrid;
} perp_services;

/* A run of one process among several, each of which has some of the rows and runs the same method.
 * Sums and maxima over all rows come from here, so all processes take the same decisions.
 * src/backend/petsc fills it; apgd, spg, bjacobi and the loop of mg support it. */
typedef struct perp_ranks {
  void *context;
  void (*sum)(void *context, int count, double *numbers);
  void (*most)(void *context, int count, double *numbers);
  /* perp_run_next_iterate without a driver */
  bool (*next)(void *context, perp_run *run, const struct perp_iterate *iterate);
  const double *direction; /* n numbers that start power iterations, independent of the number of
                            * processes */
} perp_ranks;

/* Facts about bounds that the CPU cannot read. */
typedef struct perp_placed_facts {
  bool plain;     /* all rows are x >= 0 */
  bool unbounded; /* no row has a bound */
  double lo_size; /* max |lo| */
  double lo_most; /* max lo, or 0 */
} perp_placed_facts;

/* The part of a run that methods read and write. */
struct perp_run {
  const perp_problem *problem;
  const perp_options *options;
  perp_counts count;          /* a method adds its sweeps, pivots, factorisations, ... here */
  double scale;               /* max |b_i|, or 1 */
  double target;              /* tol * scale: the target of the natural residual */
  bool cold;                  /* the start is 0 */
  perp_arena *arena;          /* reset at the start of every solve */
  struct perp_memory *memory; /* the solver's cache; NULL: nothing is kept */
  const perp_services *services;
  perp_work work; /* for products; scratch is sized for the problem's operator */
  struct perp_driver *driver;
  const perp_ranks *ranks;    /* NULL: this run has all rows */
  struct perp_placed *placed; /* the vectors of this run are on its device; NULL: on the CPU */
};

/* Returns NULL if the vectors of this run are on the CPU. */
const perp_placed_facts *perp_run_placed(const perp_run *run);
/* For vectors on the device: returns true if an upper bound is at most this. */
bool perp_placed_hi_is_near(perp_run *run, double bound);
/* For vectors on the device: the operator as kernels read it
 * (operator/stencil/stencil_kernel.h). */
const struct perp_stencil_cells *perp_placed_operator(const perp_run *run);

/* Sums over all processes, in place. */
static inline void perp_run_sum(const perp_run *run, int count, double *numbers)
{
  if (run->ranks)
    run->ranks->sum(run->ranks->context, count, numbers);
}

static inline void perp_run_most(const perp_run *run, int count, double *numbers)
{
  if (run->ranks)
    run->ranks->most(run->ranks->context, count, numbers);
}

/* The iterate and the data that the method has for it; made by one of the functions below. */
typedef struct perp_iterate {
  const double *x;
  const double *y;       /* A x + b; NULL: unknown. Used for steering, never for the verdict */
  perp_relaxer *relaxer; /* holds x; NULL: x is given */
  double residual; /* the natural residual as the method knows it, perhaps not to the last digit; or
                    * NaN */
  bool guess;      /* ignored if the residual is far above the best so far */
  bool shown;      /* for the observer only; never changes the result */
} perp_iterate;

static inline perp_iterate perp_iterate_measured(const double *x, double residual)
{
  return (perp_iterate){.x = x, .residual = residual};
}

/* For a method that sweeps: x is updated only when a check is due. If the residual is known, a
 * check is due when it meets the target, when there is an observer, and rarely otherwise. The
 * relaxer may be NULL once the run has ended. */
static inline perp_iterate perp_iterate_swept(perp_relaxer *relaxer, double residual)
{
  return (perp_iterate){relaxer ? relaxer->x : NULL, NULL, relaxer, residual, false, false};
}

/* After a step without guarantee, by a method that can return: an x with more than 1000 times the
 * best residual does not count as divergence. */
static inline perp_iterate perp_iterate_guess(const double *x, const double *y, double residual)
{
  return (perp_iterate){x, y, NULL, residual, true, false};
}

/* For the observer only, so that a run with check_every = -1 ends in the same way. residual:
 * natural, or NaN. */
static inline perp_iterate perp_iterate_shown(const double *x, double residual)
{
  return (perp_iterate){x, NULL, NULL, residual, false, true};
}

/* Call at the top of each iteration, the first included. Returns true if the method is to continue;
 * after false it must return. */
bool perp_run_next_iterate(perp_run *run, perp_iterate iterate);
/* perp_run_next_iterate for x and y = A x + b, or NULL. */
static inline bool perp_run_next(perp_run *run, const double *x, const double *y)
{
  return perp_run_next_iterate(run, (perp_iterate){.x = x, .y = y, .residual = (double)NAN});
}
/* Returns true if the time limit has passed or the caller wants to stop: for long inner loops and
 * the steps of a set-up. The run then ends at the next perp_run_next. */
bool perp_run_expired(perp_run *run);
/* perp_run_expired at every 128th step of a loop with short steps, such as rows of a matrix. */
static inline bool perp_run_expired_at(perp_run *run, int64_t step)
{
  return step % 128 == 127 && perp_run_expired(run);
}
perp_alarm perp_run_alarm(perp_run *run); /* perp_run_expired for lower layers */
/* Returns the iterations that the limit still allows. */
int64_t perp_run_left(const perp_run *run);
/* Returns true if about that many flops, without reading the clock, would end before the deadline
 * on a slow machine. */
bool perp_run_affords(const perp_run *run, double flops);
double perp_run_flops(const perp_run *run);   /* the largest number that it affords */
double perp_run_seconds(const perp_run *run); /* before the deadline; infinite: there is none */
/* Ends the run with a message, for a method that needs it. `what`: "a factor". */
void perp_run_too_long(perp_run *run, const char *what, int rows);
/* Sets the method's merit at the iterate that the next perp_run_next shows. */
void perp_run_merit(perp_run *run, double merit);
/* Sets how the run ends; the first call wins. PERP_SOLVED is a claim that the driver checks; PERP_RAY
 * and others are accepted. */
void perp_run_claim(perp_run *run, perp_outcome outcome);
/* Sets the ray for a claim of PERP_RAY or PERP_INFEASIBLE: n numbers in the run's arena. */
void perp_run_ray(perp_run *run, const double *ray);
/* Sets the result's message. Returns `error`. */
PERP_CHECK_FORMAT(3, 4)
perp_error perp_run_fail(perp_run *run, perp_error error, const char *format, ...);
/* Sets the result's message for an outcome: one sentence. */
PERP_CHECK_FORMAT(2, 3) void perp_run_say(perp_run *run, const char *format, ...);

/* perp_run_say for a constant text: printing takes longer than solving a dozen rows. */
void perp_run_say_plainly(perp_run *run, const char *text);

/* Writes a line to the caller's log, if there is one. Call only on the thread of the run. */
PERP_CHECK_FORMAT(3, 4)
void perp_run_log(const perp_run *run, perp_log_level level, const char *format, ...);
/* Warns once in a run that `component` is missing: "factors are slower". */
void perp_run_misses(perp_run *run, const char *component, const char *effect);

/* Returns uninitialised memory of the run's arena; NULL when memory is exhausted, and the method
 * then returns perp_run_fail(run, PERP_ERROR_MEMORY, ...) or perp_run_no_memory(run). */
double *perp_run_reals(perp_run *run, size_t count);
int *perp_run_integers(perp_run *run, size_t count);
perp_error perp_run_no_memory(perp_run *run);

/* y <- A x and y <- A x + b, counted. */
void perp_run_apply(perp_run *run, const double *x, double *y);
void perp_run_gradient(perp_run *run, const double *x, double *y);

/* y <- A x + b as in the verdict: in twice the precision if A has rows. */
void perp_run_gradient_exact(perp_run *run, const double *x, double *y);

const char *perp_run_method(const perp_run *run); /* the name of the current method */

/* Creates a relaxation of the run's problem at x. `orders` is a set of bits 1 << PERP_FORWARD,
 * ... */
perp_error perp_run_relaxer(perp_run *run, double *x, unsigned orders, perp_relaxer **relaxer);

/* For `auto` only: runs another method with its default parameters from x inside this run, for at
 * most `limit` iterations (0: its own limit), under the same clock, observer and best iterate; on
 * the scaled problem if one is given, judged on the run's own. On return x is the best iterate so
 * far, and *attempt is in the result with its ending; `why` holds the reason if the method refused
 * the problem (PERP_ERROR_UNSUPPORTED) or found it unsolvable. If perp_run_over is true afterwards
 * no attempt may follow: solved, out of time or stopped. */
perp_error perp_run_attempt(perp_run *run, const perp_method *method, int64_t limit,
                            const struct perp_scaled *scaled, double *x, perp_attempt *attempt,
                            perp_message *why);
/* For `auto` only: attempts until perp_run_end_share have this share of the time that is left. Returns the
 * run's own deadline. */
double perp_run_begin_share(perp_run *run, double share);
void perp_run_end_share(perp_run *run, double deadline);
const double *perp_run_start(const perp_run *run); /* as the caller gave it */
/* Returns true if the start is a solution, by a check that is not counted as an iteration; the
 * verdict comes later. */
bool perp_run_start_solves(perp_run *run);
/* The plan in the result; perp_run_planned records its seconds. */
perp_plan *perp_run_plan(perp_run *run);
void perp_run_planned(perp_run *run);
bool perp_run_over(const perp_run *run);

/* A solve of a subproblem. */
typedef struct perp_subrun {
  const perp_method *method;
  const void *parameters; /* the method's; NULL: the defaults */
  double target;          /* for the natural residual, not scaled */
  int64_t max_iterations; /* 0: the method's own limit */
  perp_observer observer; /* NULL: none */
  void *observer_context;
} perp_subrun;

/* Runs another method, or the same one, from x on a subproblem until its natural residual is at
 * most the target. Takes memory from the run's arena and gives it back; shares the run's deadline
 * and counts, except iterations. The subproblem is valid by construction and is not checked.
 * Returns PERP_ERROR_UNSUPPORTED, with the reason in the result's message, if the method does not
 * accept it. */
perp_error perp_run_subsolve(perp_run *run, const perp_subrun *sub, const perp_problem *problem,
                             double *x, perp_outcome *outcome);

/* Fills the caller's struct of `size` bytes; all zero for NULL. */
void perp_method_describe(const perp_method *method, perp_method_info *info, size_t size);

/* The observer of `verbose`: writes a line every few iterations, then calls the caller's
 * observer. */
typedef struct perp_verbose {
  perp_logger logger;
  void *logger_context;
  perp_observer observer; /* NULL: none */
  void *observer_context;
  int64_t every;
  bool begun;
} perp_verbose;

bool perp_verbose_observe(void *verbose, const perp_progress *progress);
/* The default logger for callers who request lines without a logger. */
void perp_log_to_stderr(void *context, perp_log_level level, const char *line);

/* A call of the public interface that solves. The caller's options and result may have the size of
 * another version: the call works on them if they have this library's size, otherwise on copies.
 * perp_call_begin empties the result; it returns false if the caller's result was never
 * initialised. `options` is then NULL, with the reason in the message, if they contain something
 * unknown. perp_call_end logs the ending, as a warning unless solved, if `name` is not NULL; it
 * copies the result to the caller and returns the error. */
typedef struct perp_call {
  const perp_options *options; /* the defaults if the caller has none */
  perp_result *result;
  perp_result *callers;
  perp_options own_options;
  perp_result own_result;
  perp_verbose verbose;
} perp_call;

bool perp_call_begin(perp_call *call, const perp_options *options, perp_result *result);
perp_error perp_call_end(perp_call *call, const char *name, perp_error error);

/* Checks tolerances, limits and the number of threads. */
perp_error perp_options_check(const perp_options *options, perp_message *why);
/* Adds all counts except the iterations. */
void perp_counts_add(perp_counts *to, const perp_counts *of);

/* `parameters` has parameter_bytes zeros on entry. */
void perp_method_defaults(const perp_method *method, void *parameters);
perp_error perp_solver_make(const perp_method *method, const perp_services *services,
                            perp_solver **solver, perp_message *why);
/* For a solver of a single solve: disables its cache. */
void perp_solver_keep_nothing(perp_solver *solver);
/* Gives *solver, created if NULL, the method and the current parameters of the model. */
perp_error perp_solver_like(const perp_solver *model, perp_solver **solver, perp_message *why);
/* Runs a job on a device with the solver's parameters. Returns PERP_ERROR_UNSUPPORTED if the method
 * accepts no such jobs; with a NULL job it only tests this. */
perp_error perp_solver_batch_device(const perp_solver *solver, perp_device *device,
                                    struct perp_job *job, int first, int count, int threads,
                                    perp_message *why);
perp_error perp_solver_worlds_device(const perp_solver *solver, perp_device *device,
                                     struct perp_world_job *job, int first, int count, int threads,
                                     perp_message *why);
/* An object that lives as long as the solver, such as the memory of batches; NULL if it has
 * none. */
void *perp_solver_companion(const perp_solver *solver);
void perp_solver_set_companion(perp_solver *solver, void *object, void (*destroy)(void *object));
/* perp_solver_create for methods outside the registry, as in tests, with the registry's
 * services. */
perp_error perp_solver_create_with(const perp_method *method, perp_solver **solver,
                                   perp_message *why);

/* Returns true if the method accepts the form, an operator of these abilities and the size; a
 * solver reports which of them it does not. */
static inline bool perp_method_fits(const perp_method *method, perp_form form, unsigned abilities,
                                    int n)
{
  return (method->takes & PERP_TAKES(form)) && !(method->needs & ~abilities) &&
         (method->most_unknowns == 0 || n <= method->most_unknowns);
}
