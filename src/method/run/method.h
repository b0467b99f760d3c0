/* method.h: what a method is, and what the driver does for it
 *
 * A method is one file: a parameter struct with its table, one solve function, one perp_method.
 * Its loop reads
 *
 *   while (perp_run_next(run, x, y))
 *     ... one iteration that improves x ...
 *   return PERP_OK;
 *
 * and the driver behind perp_run_next owns time, stop tests, the observer, the best iterate and
 * the verdict. A method allocates only from the run's arena, and never says "solved": it may
 * claim it with perp_run_claim, and the driver checks. */
#pragma once

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/parameter.h"
#include "operator/operator.h"
#include <perp/solver.h>

#include <math.h>

typedef struct perp_run perp_run;
struct perp_job;       /* device/job.h */
struct perp_world_job; /* method/splitting/world/world.h */
struct perp_scaled;    /* scaling.h */
struct perp_memory;    /* factor_cache.h */
struct perp_small;     /* small_solve.h */

/* What a method does on devices. */
typedef struct perp_method_device {
  /* As perp_method.solve, on run->options->device. */
  perp_error (*solve)(perp_run *run, const perp_problem *p, const void *parameters, double *x);
  bool placed; /* `solve` takes problems whose vectors lie on the device (perp_run_placed) */
  /* Problems first .. first + count - 1 of a job whose arrays the device reads: dense problems, and
   * contact worlds. NULL: the method takes none. */
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
  bool reference; /* `auto` never takes it: it is there to compare with */
  unsigned takes; /* forms, by PERP_TAKES */
  unsigned needs; /* perp_ability */
  int max_iterations;
  int most_unknowns;                /* 0: any number */
  const char *iteration;            /* one line: what it does again and again */
  const char *works;                /* one line: matrices for which it converges */
  const perp_parameter *parameters; /* ends with {0} */
  size_t parameter_bytes;
  const void *preset; /* such a struct, for the parameters that the table leaves out; NULL: all 0 */
  /* x holds the start on entry, the last iterate on return. An error means that the call could
   * not be carried out (perp_run_fail); every other ending is PERP_OK with an outcome. */
  perp_error (*solve)(perp_run *run, const perp_problem *p, const void *parameters, double *x);
  const perp_method_device *device; /* NULL: the method does not run on devices */
  /* NULL, or what `solve` would do with the default parameters for a few rows from x = 0, without a
   * driver (small_solve.h): x becomes what is to be judged, its work and iterations are counted, and `auto`
   * enters its choice in the result. Of the run only problem, options, count, scale, target, arena and
   * memory are there. False: the driver is to begin anew, whatever x is now. */
  bool (*solve_small)(perp_run *run, const struct perp_small *small, perp_result *result,
                      double *x);
} perp_method;

/* The last lines of a perp_method: its table `parameters`, with a struct of that type, or none, and
 * the function `solve`. */
#define PERP_SOLVES_WITH(type)                                                                     \
  .parameters = parameters, .parameter_bytes = sizeof(type), .solve = solve
#define PERP_SOLVES_WITHOUT_PARAMETERS .parameters = (const perp_parameter[]){{0}}, .solve = solve

/* Forms that methods take together. */
enum {
  PERP_TAKES_BOXES =
      PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_MIXED) | PERP_TAKES(PERP_FORM_BOXED),
  PERP_TAKES_ROWS = PERP_TAKES_BOXES | PERP_TAKES(PERP_FORM_FINDEX),
  PERP_TAKES_ALL = PERP_TAKES_ROWS | PERP_TAKES(PERP_FORM_CONE),
};

/* What stands above a method and is of use to it; registry.c fills it. */
typedef struct perp_services {
  const perp_method *const *methods; /* all of them; ends with NULL */
  const struct perp_linear_hook *multigrid;
} perp_services;

/* A run of one process among several, each of which has some of the rows and runs the same method:
 * sums and maxima over all rows come from here, and so all take the same decisions. src/backend/petsc
 * fills it; apgd, spg and bjacobi can run so. */
typedef struct perp_ranks {
  void *context;
  void (*sum)(void *context, int count, double *numbers);
  void (*most)(void *context, int count, double *numbers);
  /* perp_run_next, without a driver */
  bool (*next)(void *context, perp_run *run, const double *x, const double *y);
  const double *direction; /* n numbers that begin power iterations, whatever the processes are */
} perp_ranks;

/* What methods ask of bounds that the processor cannot read. */
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
  double target;              /* tol * scale: what the natural residual must reach */
  bool cold;                  /* the start is 0 */
  perp_arena *arena;          /* reset at the start of every solve */
  struct perp_memory *memory; /* kept from solve to solve; NULL: nothing is */
  const perp_services *services;
  perp_work work; /* for products; scratch is sized for the problem's operator */
  struct perp_driver *driver;
  const perp_ranks *ranks;    /* NULL: this run has all rows */
  struct perp_placed *placed; /* the vectors of this run lie on its device; NULL: they do not */
};

/* NULL: the vectors of this run are the processor's. */
const perp_placed_facts *perp_run_placed(const perp_run *run);
/* If they are not: whether an upper bound is at most this. */
bool perp_placed_hi_is_near(perp_run *run, double bound);
/* And the operator as kernels read it (operator/stencil/stencil_kernel.h). */
const struct perp_stencil_cells *perp_placed_operator(const perp_run *run);

/* Over all processes, in place. */
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

/* What a method knows of its iterate; made by one of the functions below. */
typedef struct perp_iterate {
  const double *x;
  const double
      *y; /* A x + b; NULL: it is not at hand. Trusted for steering, never for the verdict */
  perp_relaxer *relaxer; /* which has x; NULL: x is at hand */
  double residual; /* the natural one as the method knows it, if not to the last digit; or NaN */
  bool guess;      /* neither judged nor kept if the residual is far above the best so far */
  bool shown;      /* for the observer alone: neither judged nor kept */
} perp_iterate;

static inline perp_iterate perp_iterate_measured(const double *x, double residual)
{
  return (perp_iterate){.x = x, .residual = residual};
}

/* Of a method that sweeps: x is brought up to date only when a check is due. If the residual is known, a
 * check is due when it meets the target, when an observer listens, and rarely otherwise. The relaxer may
 * be NULL once the run has ended. */
static inline perp_iterate perp_iterate_swept(perp_relaxer *relaxer, double residual)
{
  return (perp_iterate){relaxer ? relaxer->x : NULL, NULL, relaxer, residual, false, false};
}

/* After a step that promises nothing, of a method that knows its way back: an x with more than 1000 times
 * the best residual does not count as divergence. */
static inline perp_iterate perp_iterate_guess(const double *x, const double *y, double residual)
{
  return (perp_iterate){x, y, NULL, residual, true, false};
}

/* By a method that shows nothing if nobody listens, so that a run with check_every = -1 ends in the same
 * way. residual: natural, or NaN. */
static inline perp_iterate perp_iterate_shown(const double *x, double residual)
{
  return (perp_iterate){x, NULL, NULL, residual, false, true};
}

/* At the top of each iteration, the first included. Returns true if the method is to go on; after false
 * it returns. */
bool perp_run_next_iterate(perp_run *run, perp_iterate iterate);
/* The same if x is all that is known, and y = A x + b, or NULL. */
static inline bool perp_run_next(perp_run *run, const double *x, const double *y)
{
  return perp_run_next_iterate(run, (perp_iterate){.x = x, .y = y, .residual = (double)NAN});
}
/* Whether the time limit has passed, or the caller wants x back: for long inner loops, and between the
 * pieces of setting up. What goes on afterwards ends at the next perp_run_next. */
bool perp_run_expired(perp_run *run);
/* The same at every 128th step of a loop whose steps are short: rows of a matrix, say. */
static inline bool perp_run_expired_at(perp_run *run, int64_t step)
{
  return step % 128 == 127 && perp_run_expired(run);
}
perp_alarm perp_run_alarm(perp_run *run); /* the same for the layers below */
/* Iterations that the limit still allows. */
int64_t perp_run_left(const perp_run *run);
/* Whether work of about so many flops, done in one piece without a look at the clock, would end before
 * the deadline on a machine of no great speed. */
bool perp_run_affords(const perp_run *run, double flops);
double perp_run_flops(const perp_run *run); /* the most that it affords */
/* For a method that cannot do without it: the run ends with that said. `what`: "a factor". */
void perp_run_too_long(perp_run *run, const char *what, int rows);
/* The method's own merit at the iterate that the next perp_run_next will show. */
void perp_run_merit(perp_run *run, double merit);
/* How the method thinks it ended: PERP_SOLVED is a claim, PERP_RAY and others are taken. */
void perp_run_claim(perp_run *run, perp_outcome outcome);
/* With a claim of PERP_RAY or PERP_INFEASIBLE: n numbers in the run's arena. */
void perp_run_ray(perp_run *run, const double *ray);
/* Fills the result's message; returns `error`. */
PERP_CHECK_FORMAT(3, 4)
perp_error perp_run_fail(perp_run *run, perp_error error, const char *format, ...);
/* For outcomes: a sentence for the result's message. */
PERP_CHECK_FORMAT(2, 3) void perp_run_say(perp_run *run, const char *format, ...);

/* The same for a text that is at hand: a dozen rows are solved before one is printed. */
void perp_run_say_plainly(perp_run *run, const char *text);

/* A line for the caller's log; does nothing if there is none. Only on the thread of the run. */
PERP_CHECK_FORMAT(3, 4)
void perp_run_log(const perp_run *run, perp_log_level level, const char *format, ...);
/* The same as a warning that `component` is not there, once in a run: "factors are slower". */
void perp_run_misses(perp_run *run, const char *component, const char *effect);

/* Uninitialised memory of the run's arena; NULL when the heap is exhausted, and then the method
 * returns perp_run_fail(run, PERP_ERROR_MEMORY, ...) or perp_run_no_memory(run). */
double *perp_run_reals(perp_run *run, size_t count);
int *perp_run_integers(perp_run *run, size_t count);
perp_error perp_run_no_memory(perp_run *run);

/* y <- A x and y <- A x + b, counted. */
void perp_run_apply(perp_run *run, const double *x, double *y);
void perp_run_gradient(perp_run *run, const double *x, double *y);

/* y <- A x + b as the verdict takes it: in twice the precision where A has its rows. */
void perp_run_gradient_exact(perp_run *run, const double *x, double *y);

const char *perp_run_method(const perp_run *run); /* the name of the method that runs */

/* A relaxation of the run's problem at x. `orders` is a set of bits 1 << PERP_FORWARD, ... */
perp_error perp_run_relaxer(perp_run *run, double *x, unsigned orders, perp_relaxer **relaxer);

/* For `auto` alone: runs another method with its default parameters from x inside this run, for at
 * most `limit` iterations (0: its own limit), under the same clock, observer and best iterate; on the
 * scaled problem where one is given, and judged on the run's own. On
 * return x is the best iterate so far, *attempt is entered in the result and says how it ended; `why`
 * holds its reason where it refused the problem (PERP_ERROR_UNSUPPORTED), or found it unsolvable. When perp_run_over is true
 * afterwards there is nothing left to try: solved, out of time or stopped. */
perp_error perp_run_attempt(perp_run *run, const perp_method *method, int64_t limit,
                            const struct perp_scaled *scaled, double *x, perp_attempt *attempt,
                            perp_message *why);
const double *perp_run_start(const perp_run *run); /* as the caller gave it */
/* Whatever the attempts ended with: `ray` proves that there is no solution, which the verdict checks. */
void perp_run_overrule(perp_run *run, const double *ray);
/* Whether the start is a solution by a check that is not counted as an iteration; the verdict comes
 * later. */
bool perp_run_start_solves(perp_run *run);
/* The plan, in the result; and that it is made. */
perp_plan *perp_run_plan(perp_run *run);
void perp_run_planned(perp_run *run);
bool perp_run_over(const perp_run *run);

/* For methods that solve problems within a problem. */
typedef struct perp_subrun {
  const perp_method *method;
  const void *parameters; /* its; NULL: the defaults */
  double target;          /* for the natural residual, not scaled */
  int64_t max_iterations; /* 0: the method's own limit */
  perp_observer observer; /* NULL: nobody sees it */
  void *observer_context;
} perp_subrun;

/* Runs another method, or the same, from x on a subproblem until its natural residual is at most the
 * target. Memory comes from the run's arena and is given back; the deadline is the run's, and so are
 * the counts but for iterations. The subproblem is valid by construction: it is not checked.
 * PERP_ERROR_UNSUPPORTED, with the reason in the result's message, where the method does not take
 * it. */
perp_error perp_run_subsolve(perp_run *run, const perp_subrun *sub, const perp_problem *problem,
                             double *x, perp_outcome *outcome);

/* The caller's struct of `size` bytes; all zero for NULL. */
void perp_method_describe(const perp_method *method, perp_method_info *info, size_t size);

/* The observer behind `verbose`: a line every so many iterations, then the caller's own observer. */
typedef struct perp_verbose {
  perp_logger logger;
  void *logger_context;
  perp_observer observer; /* NULL: none */
  void *observer_context;
  int64_t every;
  bool begun;
} perp_verbose;

bool perp_verbose_observe(void *verbose, const perp_progress *progress);
/* The logger of a caller who asks for lines and has none. */
void perp_log_to_stderr(void *context, perp_log_level level, const char *line);

/* A call of the public interface that solves. The caller's options and result may be of another
 * version's size: the call works on the caller's own if they are of this library's, otherwise on copies.
 * perp_call_begin makes the result empty; false if the caller's was never made. `options` is NULL
 * afterwards, and the message says why, if they ask for something unknown. perp_call_end logs how
 * it ended, a warning unless it is solved, unless `name` is NULL; it hands the result over, and
 * returns the error. */
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

/* Tolerances, limits and the number of threads. */
perp_error perp_options_check(const perp_options *options, perp_message *why);
/* All but the iterations. */
void perp_counts_add(perp_counts *to, const perp_counts *of);

/* `parameters` has parameter_bytes zeros on entry. */
void perp_method_defaults(const perp_method *method, void *parameters);
perp_error perp_solver_make(const perp_method *method, const perp_services *services,
                            perp_solver **solver, perp_message *why);
/* For a solver of a single solve: it keeps nothing. */
void perp_solver_keep_nothing(perp_solver *solver);
/* *solver for the method of the model, made if it is NULL, with the parameters that the model has now. */
perp_error perp_solver_like(const perp_solver *model, perp_solver **solver, perp_message *why);
/* What its method does on devices, with its parameters; PERP_ERROR_UNSUPPORTED if it takes no such jobs,
 * also if the job is NULL, which does nothing else. */
perp_error perp_solver_batch_device(const perp_solver *solver, perp_device *device,
                                    struct perp_job *job, int first, int count, int threads,
                                    perp_message *why);
perp_error perp_solver_worlds_device(const perp_solver *solver, perp_device *device,
                                     struct perp_world_job *job, int first, int count, int threads,
                                     perp_message *why);
/* An object that lives as long as the solver, such as the memory of batches; NULL if it has none. */
void *perp_solver_companion(const perp_solver *solver);
void perp_solver_set_companion(perp_solver *solver, void *object, void (*destroy)(void *object));
/* The same with the registry's services; for methods that are not in it, as tests have them. */
perp_error perp_solver_create_with(const perp_method *method, perp_solver **solver,
                                   perp_message *why);

/* Whether it takes the form, an operator of these abilities and the size; a solver says which of them it
 * does not. */
static inline bool perp_method_fits(const perp_method *method, perp_form form, unsigned abilities,
                                    int n)
{
  return (method->takes & PERP_TAKES(form)) && !(method->needs & ~abilities) &&
         (method->most_unknowns == 0 || n <= method->most_unknowns);
}
