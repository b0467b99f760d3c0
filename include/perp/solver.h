/* perp/solver.h: methods, their parameters, and solving
 *
 *   perp_solver *solver;
 *   perp_solver_create("pgs", &solver, NULL);
 *   perp_options options = perp_options_default();
 *   perp_result result = perp_result_empty();
 *   perp_solver_solve(solver, &problem, &options, x, &result);
 *   if (result.outcome == PERP_SOLVED) ...
 *   perp_solver_destroy(solver);
 */
#ifndef PERP_SOLVER_H
#define PERP_SOLVER_H

#include <perp/device.h>
#include <perp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Methods and their parameters ---- */

/* A set of forms: PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_BOXED) | ... */
#define PERP_TAKES(form) (1u << (form))

typedef struct perp_method_info {
  size_t size; /* set by the calls below */
  const char *name;
  const char *title;
  const char *family;
  const char *source;               /* the literature: "cottle-pang-stone-1992" */
  unsigned takes;                   /* forms, by PERP_TAKES */
  unsigned needs;                   /* bits of perp_ability */
  int max_iterations;               /* the limit if the options do not give one */
  int most_unknowns;                /* largest n that it takes; 0: any */
  const char *iteration;            /* one line: what one iteration does */
  const char *works;                /* one line: matrices for which it converges */
  const perp_parameter *parameters; /* ends with an entry whose name is NULL */
  bool reference;                   /* for comparison only: `auto` never uses it */
} perp_method_info;

PERP_API int perp_method_count(void);
PERP_API void perp_method_at_sized(int index, perp_method_info *info, size_t size);

/* Returns the method of this index; its name is NULL if there is none. */
static inline perp_method_info perp_method_at(int index)
{
  perp_method_info info;
  perp_method_at_sized(index, &info, sizeof info);
  return info;
}

/* Returns the index of the method of this name, or -1. */
PERP_API int perp_method_find(const char *name);

/* ---- Outcomes and progress ---- */

typedef enum perp_outcome {
  PERP_NOT_RUN = 0, /* the call returned an error; no iteration was made */
  PERP_SOLVED,      /* natural residual at most tol * scale, recomputed by the driver */
  PERP_ITERATION_LIMIT,
  PERP_TIME_LIMIT,
  PERP_STAGNATED,     /* no progress over many checks, or the method says so */
  PERP_DIVERGED,      /* the residual only grows */
  PERP_LOCAL_MINIMUM, /* of the method's merit, not a solution */
  PERP_NON_DESCENT,   /* the method found no descent direction */
  PERP_RAY,           /* a pivoting method ended on a ray */
  PERP_INFEASIBLE,    /* no solution exists: the ray is a certificate that holds exactly, see
                         perp_certificate_judge */
  PERP_NON_FINITE,    /* NaN or infinity appeared */
  PERP_STOPPED,       /* by the observer */
  PERP_MERIT_REACHED, /* the merit test stopped it, but the residual is above tol * scale */
  PERP_REFUTED,       /* the method claimed success, but the residual is above the tolerance */
  PERP_UNSOLVABLE,    /* no solution exists, proven exactly but without a ray */
  PERP_PRECISION,     /* no progress at the rounding floor (`floor` in perp_result), which is above
                         the tolerance: the last digits of x change y by more than the tolerance
                         allows. Not a proof that no double x is within the tolerance.
                         perp_options.x_low gives more digits */
  /* only for quadratic programs, as is PERP_INFEASIBLE */
  PERP_UNBOUNDED,      /* the objective is unbounded below along the ray from any feasible point,
                          proven exactly; and there is a point that is feasible within tol */
  PERP_INFEASIBLE_RAY, /* the multipliers grow along a ray that satisfies the conditions of
                          infeasibility only up to rounding: not a proof */
  PERP_UNBOUNDED_RAY,  /* x grows along a ray of unboundedness, up to rounding: not a proof; or the
                          ray is exact (`ray` is not NULL), but no feasible point was found */
  PERP_NOT_CONVEX,     /* d^T P d < 0 for the ray d: P is not positive semi-definite */
} perp_outcome;

PERP_API const char *perp_outcome_name(perp_outcome outcome); /* "solved", "iteration-limit", ... */

/* Counters of the work done. */
typedef struct perp_counts {
  int64_t iterations;
  int64_t sweeps;  /* relaxation sweeps over all rows */
  int64_t applies; /* products with A, including the driver's checks */
  int64_t checks;  /* natural residuals computed by the driver */
  int64_t pivots;
  int64_t factorisations;
  int64_t solves; /* with a factor, or inner Krylov iterations */
  int64_t cycles;
  int64_t restarts;
  int64_t reserved[7];
} perp_counts;

/* The state that the observer sees after each iteration; pointers are valid during the call only. */
typedef struct perp_progress {
  size_t size;
  int64_t iteration;
  double seconds;  /* since the solve began */
  double residual; /* natural, at the latest check, not scaled */
  double scale;    /* solved means: residual at most tol * scale */
  double merit;    /* of the method; NaN if it has none */
  bool checked;    /* `residual` is that of this iterate, not of an earlier one */
  int n;
  const double *x; /* the iterate; NULL if it is not available in this iteration */
  const perp_counts *counts;
  double relative_residual; /* residual / scale, as in perp_result */
} perp_progress;

/* Returns false to stop. */
typedef bool (*perp_observer)(void *context, const perp_progress *progress);

/* Returns true to end the solve now, for example after a signal. Called often. */
typedef bool (*perp_interrupt)(void *context);

/* The logger gets one line at a time: the plan of `auto`, how each of its steps ended, why a method was
 * skipped, and the outcome. Warnings report what costs time or accuracy, such as a missing component. */
typedef enum perp_log_level { PERP_LOG_INFO, PERP_LOG_WARNING } perp_log_level;
typedef void (*perp_logger)(void *context, perp_log_level level, const char *line);

/* A solution of the method `enumerate`. */
typedef struct perp_solution {
  size_t size;
  const double *x; /* n, rounded to doubles, infinite beyond their range; valid during the call */
  int n;
  bool isolated; /* no other solution is near; if not, it is a point of a continuum */
} perp_solution;

/* Returns false to end the search. */
typedef bool (*perp_found)(void *context, const perp_solution *solution);

/* ---- Options and result ---- */

/* Only from perp_options_default().
 *
 * Threads. Only the thread that called the solve calls the observer and the logger. `interrupted` may
 * also be called by threads that the solve has started, by several at the same time
 * (perp_islands_solve and perp_batch_solve with threads > 1). A callback must not use the solver that
 * calls it.
 *
 * The time limit. The solve reads the clock between sweeps, products, pivots and line search steps, and
 * every few rows while it reads, assembles or factors a matrix. It does not start a factorisation by an
 * external library that would take longer than the time left. So a solve exceeds its limit by at most
 * one sweep and the verdict. The verdict is a product with A, in twice the precision if the rows of A
 * are stored, and takes about as long as three sweeps; there are two verdicts if the last iterate may
 * not be the best. Before the clock is first read, the problem is checked, with one product if the
 * start is not 0. At the end one product for y may follow, if the x returned is not the last that was
 * judged. The x returned is never worse than the start. */
typedef struct perp_options {
  size_t size;            /* sizeof(perp_options), set by the constructor */
  double tol;             /* solved at natural residual <= tol * scale; default 1e-8 */
  int64_t max_iterations; /* 0: the method's own */
  double time_limit;      /* seconds, see above; 0: no limit */
  double merit_tol;       /* stop when the method's merit is at most this; 0: off */
  double merit_rel_tol;   /* ... or at most this times its first value; 0: off */
  int check_every;        /* iterations between checks; 0: every iteration if the residual is
                             available or there is an observer, otherwise in growing steps; -1: in
                             growing steps unless the residual is available */
  int stagnation;         /* stop if the best residual has not fallen by 0.01 % over `stagnation`
                             iterations and over half of all iterations; default 0: never.
                             A sweep that does not change x always stops the solve. */
  int threads;            /* the most threads to use; default 1. Results do not depend on it. */
  uint64_t seed;          /* for methods that draw random numbers */
  size_t memory_limit;    /* bytes a solve may take for matrices it assembles; 0: no limit */
  double *y;              /* n numbers of the caller, to which y = A x + b is written, or NULL */
  double *ray;            /* n numbers of the caller for result.ray, or NULL; the only way to get
                             the ray from perp_solve */
  perp_observer observer;
  void *observer_context;
  perp_logger logger; /* NULL: silent, but see verbose */
  void *logger_context;
  perp_interrupt interrupted; /* called whenever the clock is read, also within iterations; true
                                 stops the run like the observer, but not within a factorisation of
                                 an external library; NULL: never */
  void *interrupted_context;
  perp_found
      found; /* called by the method `enumerate` for every solution, at its end; NULL: never */
  void *found_context;
  /* n numbers of the caller, or NULL. If given, the solution is x + x_low, two doubles for each number.
   * It is refined until it meets the tolerance: each correction d solves a problem of the same kind in
   * the box [lo - x, hi - x], which has more digits. x_low is written, not read, and the residual of
   * the result is computed for x + x_low in twice the precision. Only for the forms lcp, mixed and
   * boxed, and an A whose entries are stored (not contact, not shell); otherwise
   * PERP_ERROR_UNSUPPORTED. */
  double *x_low;
  perp_device *device; /* to run on, see <perp/device.h>; NULL: the CPU */
  /* If not 0, the logger gets a line every `verbose` iterations, with the residual, the merit and the
   * seconds. Without a logger all its lines go to stderr; the library prints nothing else. The residual
   * is computed in every iteration, as for an observer. */
  int64_t verbose;
} perp_options;

PERP_API void perp_options_init(perp_options *options, size_t size);

static inline perp_options perp_options_default(void)
{
  perp_options options;
  perp_options_init(&options, sizeof options);
  return options;
}

PERP_API void perp_options_copy_sized(const perp_options *from, perp_options *to, size_t size);

/* Returns a copy of options that the library owns (perp_simulation_options, perp_record); their size may
 * differ from the client's. */
static inline perp_options perp_options_copy(const perp_options *from)
{
  perp_options options;
  perp_options_copy_sized(from, &options, sizeof options);
  return options;
}

/* The class that `auto` assigned to a problem, and the methods it will try, in this order. */
enum { PERP_ATTEMPTS = 8 };
typedef struct perp_plan {
  /* "findex packed symmetric 1000": form, structure, symmetry, upper limit of n. Before n stands "fair"
   * if in every row of A the sum of |A_ij| off the diagonal is at most 0.96 A_ii, "strong" if it is at
   * most a tenth, "holes" if some A_ii <= 0. "warm" at the end: the start is not 0. "findex unseen": the
   * time limit left no time to read A. */
  char class_name[64];
  int steps;
  const char *method[PERP_ATTEMPTS];
  int64_t limit[PERP_ATTEMPTS]; /* iterations that each may take; 0: its own limit */
  int scaled;                   /* number of methods, from the first, that run on D A D, scaled to a
                                   diagonal near 1 */
  int64_t reserved[4];
} perp_plan;

PERP_API perp_error perp_problem_plan(const perp_problem *problem, perp_plan *plan,
                                      perp_message *why);

/* The result of one step of the plan. */
typedef struct perp_attempt {
  const char *method;
  perp_outcome outcome;
  double residual; /* natural, the best so far after it */
  int64_t iterations;
  double seconds;
  int64_t reserved[3];
} perp_attempt;

/* Only from perp_result_empty(). */
typedef struct perp_result {
  size_t size; /* sizeof(perp_result), set by the constructor */
  perp_outcome outcome;
  /* the method that found x; with `auto` the one it chose, or "auto" if the start was a solution */
  const char *method;
  double residual;          /* natural, of the x returned, recomputed; infinity if none */
  double relative_residual; /* residual / scale: solved means that it is at most tol */
  double scale;             /* perp_problem_scale: max |b_i|, or 1 */
  double seconds; /* 0: not measured. Some methods solve a few rows in less time than reading
                               the clock takes; they read it only if there is a time limit */
  double merit;   /* the method's own at its last iterate, NaN if it has none */
  perp_counts counts;
  perp_plan plan;      /* of `auto`; no steps if another method was called */
  double plan_seconds; /* spent on the plan */
  int attempts;        /* steps of the plan that were taken */
  perp_attempt attempt[PERP_ATTEMPTS];
  /* n numbers each, owned by the solver until its next solve; after perp_solve the arrays of the
   * options, or NULL */
  const double *y;      /* A x + b at the x returned, as the verdict computed it */
  const double *ray;    /* with PERP_INFEASIBLE the certificate, see perp_certificate_judge, with
                           PERP_RAY the direction in which the method ended; else NULL */
  perp_message message; /* one line; says why if the call failed */
  /* The rounding floor of the natural residual: 2^-52 |A| |x|. Rounding x to doubles changes y by up to
   * 2^-53 |A| |x|, and computing y in doubles by as much again; a residual below that is due to chance.
   * Not scaled: compare tol with floor / scale. It is estimated only if a run makes no progress and the
   * entries of A are stored; otherwise it is 0. */
  double floor;
} perp_result;

PERP_API void perp_result_init(perp_result *result, size_t size);

static inline perp_result perp_result_empty(void)
{
  perp_result result;
  perp_result_init(&result, sizeof result);
  return result;
}

/* ---- Solving ---- */

/* A method, its parameters and its memory. A second solve of the same shape allocates nothing, unless
 * `auto` makes a scaled matrix. A solver also keeps what it has derived from an operator. For another b
 * with the same operator it reuses elimination orders, factors of the same rows, coarse grids and
 * auto's plan; for another operator of the same structure, or after perp_operator_refresh, it reuses
 * only what depends on the structure. The bits of x are the same as from a new solver. If you change
 * numbers in place, call perp_operator_refresh: without it some parts of a solve use the new numbers
 * and others the old ones. Use a solver from one thread at a time; different solvers are independent. */
typedef struct perp_solver perp_solver;

/* In every call of this library a method is given by its name, and NULL is the default: `auto` for linear
 * problems and quadratic programs. */
PERP_API perp_error perp_solver_create(const char *method, perp_solver **solver, perp_message *why);
PERP_API void perp_solver_destroy(perp_solver *solver);
PERP_API void perp_solver_method_sized(const perp_solver *solver, perp_method_info *info,
                                       size_t size);

/* Returns the method of a solver; its name is NULL if solver is NULL. */
static inline perp_method_info perp_solver_method(const perp_solver *solver)
{
  perp_method_info info;
  perp_solver_method_sized(solver, &info, sizeof info);
  return info;
}

/* Set and get parameters by name. A value is a number or a text ("1.4", "backward", "yes"). */
PERP_API perp_error perp_solver_set(perp_solver *solver, const char *name, double value,
                                    perp_message *why);
PERP_API perp_error perp_solver_set_text(perp_solver *solver, const char *name, const char *text,
                                         perp_message *why);
PERP_API perp_error perp_solver_get(const perp_solver *solver, const char *name, double *value,
                                    perp_message *why);

/* x holds the start on entry (zeros for a cold one) and the best iterate on return, also if the
 * outcome is not PERP_SOLVED. options may be NULL for the defaults; result may not. If an error is
 * returned, x is unchanged and result->message says why. */
PERP_API perp_error perp_solver_solve(perp_solver *solver, const perp_problem *problem,
                                      const perp_options *options, double *x, perp_result *result);

/* Creates a solver, solves and destroys it, in one call. y and the ray go to the options' arrays. */
PERP_API perp_error perp_solve(const char *method, const perp_problem *problem,
                               const perp_options *options, double *x, perp_result *result);

/* Solves a problem given by plain arrays with `auto`, without creating objects. K: bounds, friction and
 * cones; K->n is not read; NULL: x >= 0. A is dense, row major, or in compressed rows as in
 * perp_operator_csr. */
PERP_API perp_error perp_solve_dense(int n, const double *a, const double *b, const perp_set *K,
                                     const perp_options *options, double *x, perp_result *result);
PERP_API perp_error perp_solve_csr(int n, const int64_t *start, const int *column,
                                   const double *value, const double *b, const perp_set *K,
                                   const perp_options *options, double *x, perp_result *result);
/* Solves one frame of contacts: finds the impulses x for A = J Minv J^T + C and b = J v + c (c NULL: 0),
 * where v are the velocities of the bodies without contacts, and adds Minv J^T x to v, also if the
 * outcome is not PERP_SOLVED. If an error is returned, x and v are unchanged. */
PERP_API perp_error perp_solve_contacts(const perp_contact_bodies *bodies, const double *c,
                                        const perp_set *K, const perp_options *options, double *v,
                                        double *x, perp_result *result);

/* Judges any x: computes the residual and the scale as in a result. */
PERP_API perp_error perp_problem_judge(const perp_problem *problem, const double *x,
                                       double *residual, double *scale, perp_message *why);

/* Judges x + x_low in twice the precision; for the problems it takes see x_low in perp_options. */
PERP_API perp_error perp_problem_judge_low(const perp_problem *problem, const double *x,
                                           const double *x_low, double *residual, double *scale,
                                           perp_message *why);

/* Sets *holds to true if the n numbers u prove, in exact arithmetic on the doubles of the problem, that
 * no solution exists: u_i >= 0 if only hi_i is infinite, u_i <= 0 if only lo_i is, 0 if neither, any
 * number in free rows, in a cone (n, t, o) u_n >= 0 and u_t = u_o = 0; and with g = A^T u
 *
 *   b^T u + sup { g^T x : x in K } < 0,
 *
 * which for the plain LCP is g <= 0 and b^T u < 0. If *holds is false, `why` says what is wrong. It is
 * false also if the entries of A are computed (contact, shell) and so not exact. */
PERP_API perp_error perp_certificate_judge(const perp_problem *problem, const double *u,
                                           bool *holds, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
