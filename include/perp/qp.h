/* perp/qp.h: quadratic programs
 *
 *   minimise 1/2 x^T P x + q^T x   subject to   l <= G x <= u,   lb <= x <= ub
 *
 * P is symmetric and positive semi-definite, or the upper triangle of such a matrix. l_i = u_i is an
 * equation; bounds may be infinite.
 *
 *   perp_qp qp = perp_qp_default();
 *   qp.n = n, qp.P = P, qp.q = q, qp.ub = ub;
 *   perp_qp_solver *solver;
 *   perp_qp_solver_create("auto", &qp, &solver, &why);
 *   perp_qp_result result = perp_qp_result_empty();
 *   perp_qp_solver_solve(solver, NULL, x, &result);
 *   if (result.outcome == PERP_SOLVED) ...
 *   perp_qp_solver_set(solver, q, NULL, NULL, NULL, ub, &why);    // another q and ub: no new factor
 *   perp_qp_solver_solve(solver, NULL, x, &result);               // from the last solution
 *   perp_qp_solver_destroy(solver);
 *
 * docs/qp.md has a whole program. */
#ifndef PERP_QP_H
#define PERP_QP_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only from perp_qp_default(). Arrays are the caller's. */
typedef struct perp_qp {
  size_t size;            /* sizeof(perp_qp), set by the constructor */
  int n, m;               /* unknowns, rows of G */
  const perp_operator *P; /* n x n, of any kind; NULL: 0. A shell without rows is only applied, and
                             must outlive the solver; any other kind is copied. */
  const double *q;        /* n; NULL: 0 */
  const int64_t *G_start; /* G, m x n, compressed rows, columns ascending; NULL: G is dense */
  const int *G_column;    /* */
  const double *G_value;  /* its entries; or, if dense, row major: G_ij = G_value[i * stride + j] */
  int64_t G_stride;       /* of a dense G; 0: n */
  const double *l, *u;    /* m; NULL: infinite. Magnitudes from 1e300 on are infinite. */
  const double *lb, *ub;  /* n; NULL: infinite */
} perp_qp;

PERP_API void perp_qp_init(perp_qp *qp, size_t size);

/* Returns a program with no unknowns and no rows. */
static inline perp_qp perp_qp_default(void)
{
  perp_qp qp;
  perp_qp_init(&qp, sizeof qp);
  return qp;
}

/* Only from perp_qp_options_default(). */
typedef struct perp_qp_options {
  size_t size;            /* sizeof(perp_qp_options), set by the constructor */
  double tol;             /* default 1e-8 */
  int64_t max_iterations; /* 0: the method's own */
  double time_limit;      /* seconds; 0: none. The clock is read in every iteration and every 128
                             rows of a factor, but not while a solver is created. */
  int64_t cold;           /* not 0: do not start from the last solution */
  double *z, *w, *ray;    /* arrays of the caller, or NULL; see perp_qp_result */
  perp_interrupt interrupted;
  void *interrupted_context;
  perp_logger logger; /* NULL: silent, but see verbose */
  void *logger_context;
  int64_t verbose; /* iterations between log lines, as in perp_options; 0: none */
} perp_qp_options;

PERP_API void perp_qp_options_init(perp_qp_options *options, size_t size);

static inline perp_qp_options perp_qp_options_default(void)
{
  perp_qp_options options;
  perp_qp_options_init(&options, sizeof options);
  return options;
}

/* Only from perp_qp_result_empty(). The multipliers z and w satisfy
 *
 *   P x + q + G^T z + w = 0,
 *   z_i > 0 only if (G x)_i = u_i,   z_i < 0 only if (G x)_i = l_i,   and likewise w with ub and lb.
 *
 * "solved" means that the following four numbers, computed after the method has ended, are at most tol.
 * Let E = (I; G), t = E x, v = (w, z) and r = P x + q + E^T v, and let p_k >= 0 be the amount by which
 * t_k violates its bounds. A v_k whose bound is infinite counts as 0. X and Y are the scales below.
 *
 *   primal           the greatest p_k over max(|the bound|, min(1, X))
 *   dual             the greatest |r_j| over max(|(P x)_j|, |q_j|, |(G^T z)_j|, |w_j|, min(1, Y))
 *   gap              Delta over min(1, X Y) + max(0, |objective| - Delta). Delta bounds the error of
 *                    the objective f from both sides: it is the greater of
 *                      sum |v_k| (distance of t_k from the bound of v_k, if it is inside)
 *                        + sum |r_j| min(R_j, distance of x_j from its bound against r_j)
 *                      sum p_k (|v_k| + V_k)
 *                    with R_j = max(|x_j|, min(1, max |x|), |r_j| / P_jj) and
 *                    V_k = max(|v_k|, min(1, max |v|)). If max |x| = 0, the unit below replaces it;
 *                    if max |v| = 0, the lower limit of Y does. So
 *
 *                      |f - f*| <= tol (1 + |f*|)
 *
 *                    if there is an optimum x*, v* with |x_j - x*_j| <= R_j and |v_k - v*_k| <= V_k
 *                    in the rows whose r_j or p_k is not 0: x and v have the right magnitude. The error
 *                    of f is larger only if x or v is far away although its residuals are small. For
 *                    a column j without entries of P, gap is at least min(1, the same quotient for
 *                    |q_j| times the step of x_j to the first bound or row that stops it), so that it
 *                    sees a far bound of such an x_j
 *   complementarity  of each z_i and w_j: the lesser of its magnitude over Y and of the distance from
 *                    its bound over X; the greatest of these. So each row is at its bound, or its
 *                    multiplier is 0; gap measures only the product of the two
 *
 *   primal_scale X   the greatest of |x_j| if x_j has a bound, |(G x)_i|, the bounds that are violated
 *                    or have a multiplier, and a unit: the least of the other finite bounds that are
 *                    not 0 and of max |q| / max |P|; 1 if there is none
 *   dual_scale Y     max(|P x|, |q|, |G^T z|, |w|); at least max |q|, or if q = 0 max |P| times this
 *                    unit, or 1 if P = 0 */
typedef struct perp_qp_result {
  size_t size; /* sizeof(perp_qp_result), set by the constructor */
  perp_outcome outcome;
  const char *method; /* the method that found x; with "auto" the one it chose */
  double objective;   /* 1/2 x^T P x + q^T x */
  double primal, dual, gap, complementarity;
  double primal_scale, dual_scale;
  double seconds;
  perp_counts counts; /* iterations, factorisations and solves */
  int64_t active;     /* bounds with a multiplier that is not 0 */
  /* owned by the solver until its next call, and written to the options' arrays, if any */
  const double *z; /* m */
  const double *w; /* n */
  /* INFEASIBLE: m numbers z, with z^T G x > the greatest that l <= G x <= u allows, for all x within lb
   * and ub. UNBOUNDED, and UNBOUNDED_RAY if the ray is exact: n numbers d, with P d = 0, q^T d < 0 and
   * all x + t d, t > 0, within the bounds if x is. NOT_CONVEX: n numbers d, with d^T P d < 0. Otherwise
   * NULL, and also if the outcome was decided exactly but no ray in doubles proves it. The options'
   * array has room for max(n, m) numbers. */
  const double *ray;
  perp_message message; /* one line: why the call failed, or why x is not a solution */
} perp_qp_result;

PERP_API void perp_qp_result_init(perp_qp_result *result, size_t size);

static inline perp_qp_result perp_qp_result_empty(void)
{
  perp_qp_result result;
  perp_qp_result_init(&result, sizeof result);
  return result;
}

/* Checks sizes, NaN, l > u, the order of columns, and the symmetry of P up to 1e-12 of its greatest
 * entry, unless P is an upper triangle. Returns PERP_ERROR_PROBLEM with the row and the value in
 * `why`. */
PERP_API perp_error perp_qp_validate(const perp_qp *qp, perp_message *why);

/* A program with its scaling, elimination order, factors and last solution. Use it from one thread at a
 * time. A second solve allocates nothing (except with "kkt:"). */
typedef struct perp_qp_solver perp_qp_solver;

/* Methods, by name; NULL is "auto":
 *
 *   auto       ipm; with a warm start, active first; admm if P is only applied
 *   ipm        interior point method
 *   active     active set method, warm started from the last solution
 *   admm       P and G are only applied
 *   kkt:NAME   a complementarity method on the optimality conditions, a mixed complementarity problem */
PERP_API perp_error perp_qp_solver_create(const char *method, const perp_qp *qp,
                                          perp_qp_solver **solver, perp_message *why);
/* Changes the method for the same program; after an error the old method stays. */
PERP_API perp_error perp_qp_solver_set_method(perp_qp_solver *solver, const char *method,
                                              perp_message *why);
PERP_API void perp_qp_solver_destroy(perp_qp_solver *solver);
/* Replaces these vectors; NULL: unchanged. They are checked first: after an error nothing has changed. */
PERP_API perp_error perp_qp_solver_set(perp_qp_solver *solver, const double *q, const double *l,
                                       const double *u, const double *lb, const double *ub,
                                       perp_message *why);
/* Sets the start of the next solve; its active set is guessed from x, z and w. z or w may be NULL. */
PERP_API perp_error perp_qp_solver_start(perp_qp_solver *solver, const double *x, const double *z,
                                         const double *w, perp_message *why);
/* Solves the program. x, n numbers, receives the solution or the best iterate; it is not read. options
 * may be NULL. If an error is returned, x is unchanged and result->message says why. */
PERP_API perp_error perp_qp_solver_solve(perp_qp_solver *solver, const perp_qp_options *options,
                                         double *x, perp_qp_result *result);

/* Creates a solver, solves and destroys it: z, w and the ray go to the options' arrays. */
PERP_API perp_error perp_qp_solve(const char *method, const perp_qp *qp,
                                  const perp_qp_options *options, double *x,
                                  perp_qp_result *result);

/* Solves `count` programs on `threads` threads (0: one), each as perp_qp_solve does with its options.
 * options may be NULL, and so may each of its entries: the defaults. The bits do not depend on the
 * number of threads. Returns the first error; each result has its own message. */
PERP_API perp_error perp_qp_batch_solve(const char *method, int count, const perp_qp *const *qp,
                                        const perp_qp_options *const *options, int threads,
                                        double *const *x, perp_qp_result *const *result);

/* Differentiates the last solution, whose outcome must be solved. g is the gradient of a loss with
 * respect to x. The call writes the gradients of the loss with respect to q (n numbers), l, u (m), lb
 * and ub (n); each array may be NULL. An inactive bound has the gradient 0; for an equation l_i = u_i
 * it is in u. The gradients with respect to the matrices follow from them:
 *
 *   P_ij: (q_i x_j + x_i q_j) / 2        G_ij: z_i q_j - (l_i + u_i) x_j
 *
 * If a row is at its bound with a multiplier of 0, x has only one-sided derivatives, and this is one of
 * them. Returns an error if x is not unique and the loss differs between solutions. Costs one solve
 * with the factor of the active set. */
PERP_API perp_error perp_qp_solver_vjp(perp_qp_solver *solver, const double *g, double *q,
                                       double *l, double *u, double *lb, double *ub,
                                       perp_message *why);

/* Judges any x, z and w: computes the objective, the four numbers and their scales. z NULL: 0; w NULL:
 * the best w for x and z. The outcome is SOLVED if all four are at most tol, else NOT_RUN. */
PERP_API perp_error perp_qp_judge(const perp_qp *qp, const double *x, const double *z,
                                  const double *w, double tol, perp_qp_result *result);

/* Sets *holds to true if the ray proves the outcome, INFEASIBLE or UNBOUNDED, in exact arithmetic on the
 * doubles of the program; if not, `why` says what is wrong. A ray of UNBOUNDED proves nothing about a
 * program without feasible points, which is not tested here. */
PERP_API perp_error perp_qp_certificate_judge(const perp_qp *qp, perp_outcome outcome,
                                              const double *ray, bool *holds, perp_message *why);

/* ---- Programs with their memory ---- */

/* A program with its memory, as readers and generators return it. The instance owns every pointer; each
 * may be NULL as in perp_qp. */
typedef struct perp_qp_instance {
  int n, m;
  perp_operator *P;
  double *q;
  int64_t *G_start;
  int *G_column;
  double *G_value, *l, *u, *lb, *ub;
  double *x;     /* a known solution */
  char name[64]; /* its origin */
  /* A file may maximise and may have a constant: its objective is (f + constant) times -1 if
   * `maximised` is not 0. */
  double constant;
  int64_t maximised;
  void *reserved[2];
} perp_qp_instance;

PERP_API void perp_qp_instance_program_sized(const perp_qp_instance *instance, perp_qp *qp,
                                             size_t size);

/* Returns the program as solvers see it, valid as long as the instance. */
static inline perp_qp perp_qp_instance_program(const perp_qp_instance *instance)
{
  perp_qp qp;
  perp_qp_instance_program_sized(instance, &qp, sizeof qp);
  return qp;
}

PERP_API void perp_qp_instance_destroy(perp_qp_instance *instance);

/* Reads a folder of Matrix Market files: P.mtx, q.mtx, G.mtx, l.mtx, u.mtx, lb.mtx, ub.mtx. A missing
 * file means 0, or infinite bounds. P or q must exist, and l or u only with G. */
PERP_API perp_error perp_qp_folder_read(const char *path, perp_qp_instance *instance,
                                        perp_message *why);
/* Creates the folder if necessary, and replaces these files in it one by one. */
PERP_API perp_error perp_qp_folder_write(const char *path, const perp_qp_instance *instance,
                                         perp_message *why);

/* Reads an MPS or QPS file, fixed or free format, compressed by gzip or not: ROWS, COLUMNS, RHS, RANGES,
 * BOUNDS, QUADOBJ, QSECTION, QMATRIX and OBJSENSE. Entries that are given twice are added. Integer
 * variables are refused. */
PERP_API perp_error perp_qp_mps_read(const char *path, perp_qp_instance *instance,
                                     perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
