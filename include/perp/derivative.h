/* perp/derivative.h: derivatives of a solution with respect to the data
 *
 *   perp_derivative *d = NULL;
 *   perp_derivative_create(&problem, x, NULL, &d, NULL);   // x solves the problem
 *   perp_gradient g = perp_gradient_default();
 *   g.b = b_bar;                                           // n numbers of the caller's
 *   perp_derivative_vjp(d, w, &g, NULL);                   // b_bar <- (dx/db)^T w
 *   perp_derivative_destroy(d);
 *
 * If w is the gradient of a loss with respect to x, vjp gives the gradient of the loss with respect to
 * each number of the problem: b, lo, hi, mu, and the stored numbers of A. jvp gives the change of x for
 * a change of these numbers. Both cost one solve with a matrix that was factored when the object was
 * created.
 *
 * In each part of K one of a few linear laws holds near the solution:
 *
 *   between its bounds       y_i stays 0
 *   on a bound               x_i moves with the bound, in a friction row with lo_i |x_j| or hi_i |x_j|
 *   cone, separate           x stays 0
 *   cone, stick              y stays 0
 *   cone, slide              y_n stays 0, and x_t = -mu x_n y_t / |y_t| turns with y_t
 *
 * In a contact of 1 to 6 rows (dim) each cone or disc sticks or slides as a cone does, in the variables
 * x_k / mu_k and mu_k y_k; an axis with mu_k = 0 stays without friction.
 *
 * A row is degenerate if two laws meet: x_i on its bound and y_i = 0; a cone that touches without
 * force, or that is about to slide; a friction row at the kink of |x_j|. x then has only one-sided
 * derivatives, and the object holds one of them: the options choose the side, and the facts count the
 * rows. */
#ifndef PERP_DERIVATIVE_H
#define PERP_DERIVATIVE_H

#include <perp/batch.h>
#include <perp/device.h>
#include <perp/problem.h>
#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The side to use in degenerate rows. |x_j| at x_j = 0 counts as x_j on either side. */
typedef enum perp_degenerate {
  PERP_DEGENERATE_HOLD,    /* the bound stays active: a row stays on it, a cone at x = 0 stays
                              there, one that is about to slide slides */
  PERP_DEGENERATE_RELEASE, /* the bound is released: y_i stays 0, a cone that touches gets a force,
                              one that is about to slide sticks */
} perp_degenerate;

/* The solver of the linear system of the free rows. */
typedef enum perp_derivative_way {
  PERP_DERIVATIVE_AUTO, /* dense up to 500 rows and if A is dense, else sparse; by products if A has
                             no rows, whatever is chosen */
  PERP_DERIVATIVE_DENSE,  /* LU, and LSQR if that is singular */
  PERP_DERIVATIVE_SPARSE, /* Cholesky or LU; dense or by products if that is not available */
  PERP_DERIVATIVE_KRYLOV, /* GMRES and, if it does not converge, LSQR, by products with A and A^T */
} perp_derivative_way;

/* Only from perp_derivative_options_default(). */
typedef struct perp_derivative_options {
  size_t size; /* set by the constructor */
  double tol;  /* x is refused if its natural residual is above tol * scale; default
                                 1e-6 */
  double near; /* degenerate: |y_i| <= near * scale and x_i within near * max |x_j| of
                                 its bound, or both within ten times the residual; default 1e-9 */
  perp_degenerate degenerate; /* default: hold */
  perp_derivative_way way;    /* default: auto */
  double krylov_tol;          /* relative residual of a solve by products; default 1e-13 */
  int64_t krylov_limit;       /* most products in one solve; 0: 10 n + 100 */
} perp_derivative_options;

PERP_API void perp_derivative_options_init(perp_derivative_options *options, size_t size);

static inline perp_derivative_options perp_derivative_options_default(void)
{
  perp_derivative_options options;
  perp_derivative_options_init(&options, sizeof options);
  return options;
}

/* The output arrays of vjp, owned by the caller; NULL if not wanted. The arrays of A have the layout of
 * the operator; arrays that its kind does not have must be NULL:
 *
 *   dense     A, by row with the operator's stride
 *   csr, bsr  A, one number for each that is stored
 *   contact   J, Minv and C as perp_operator_contact_data has them: bodies and a diagonal C as
 *             compressed rows; both halves of a symmetric block of Minv count as separate numbers
 *   stencil   wx, wy, wz and diagonal by cell, if the operator has them; weight, a single number, if
 *             it has one for all faces (and the diagonal follows from it if that is not given)
 *   shell     none: take g.b; the derivative with respect to A_ij is g.b[i] * x[j]
 *
 * A friction coefficient of a friction row is its hi = mu and lo = -mu: mu_bar = hi_bar - lo_bar. */
typedef struct perp_gradient {
  size_t size; /* set by the constructor */
  double *b;   /* n */
  double *lo;  /* n, even if the problem has no array lo; 0 in rows that are not at lo */
  double *hi;  /* n */
  double *mu;  /* one per cone; with dim five per contact */
  double *A;
  double *J, *Minv, *C;
  double *wx, *wy, *wz, *diagonal, *weight;
} perp_gradient;

PERP_API void perp_gradient_init(perp_gradient *gradient, size_t size);

/* Returns a gradient whose arrays are all NULL. */
static inline perp_gradient perp_gradient_default(void)
{
  perp_gradient gradient;
  perp_gradient_init(&gradient, sizeof gradient);
  return gradient;
}

/* A change of the data, for jvp, in the same layout; NULL: no change. */
typedef struct perp_change {
  size_t size; /* set by the constructor */
  const double *b, *lo, *hi, *mu;
  const double *A;
  const double *J, *Minv, *C;
  const double *wx, *wy, *wz, *diagonal, *weight;
} perp_change;

PERP_API void perp_change_init(perp_change *change, size_t size);

/* Returns an empty change. */
static inline perp_change perp_change_default(void)
{
  perp_change change;
  perp_change_init(&change, sizeof change);
  return change;
}

/* Facts about a derivative. */
typedef struct perp_derivative_facts {
  size_t size; /* set by perp_derivative_get */
  int n;
  int free; /* unknowns of the linear system: free rows, the normals of contacts that touch, the
                    axes that stick, and one less than the axes of a cone or disc that slides */
  int64_t bound;                  /* rows on a bound */
  int64_t stick, slide, separate; /* cones; one with a disc that slides counts as sliding */
  int64_t degenerate;             /* rows and cones at which two laws meet */
  int64_t deficiency; /* unknowns minus the rank: 0 if the derivative is unique; -1 if unknown (by
                         products). If it is not 0, vjp uses the least-norm solution of its linear
                         system, and jvp the least-norm change in the free rows */
  perp_derivative_way way;
  double residual; /* natural, of x */
  double error;    /* relative residual of the linear system of the last vjp or jvp: large if the
                      system is singular and its right-hand side is not in its range */
  int64_t A_count, J_count, Minv_count, C_count; /* lengths of these arrays */
  int64_t cells;                                 /* length of each array of a stencil */
  int64_t lent; /* 1 if the factor is the solver's, see perp_derivative_from_solver */
} perp_derivative_facts;

typedef struct perp_derivative perp_derivative;

/* Creates the derivative at x, which solves the problem. x and K are copied; A must outlive the object
 * and keep its numbers. Returns PERP_ERROR_PROBLEM, with the residual in the message, if x is not a
 * solution. options may be NULL. */
PERP_API perp_error perp_derivative_create(const perp_problem *problem, const double *x,
                                           const perp_derivative_options *options,
                                           perp_derivative **derivative, perp_message *why);
/* Creates the derivative right after `solver` has solved the problem, and borrows the solver's factor
 * of the free rows. blockpivot, dantzig, baraff, pgssm and some Newton methods have such a factor, also
 * if auto calls them. The object computes its own factor if the solver has none, if options->way is not
 * auto, and once the solver is used for something else or destroyed; the result is the same up to
 * rounding. A call on such an object counts as a use of the solver: do not use both in two threads. */
PERP_API perp_error perp_derivative_from_solver(perp_solver *solver, const perp_problem *problem,
                                                const double *x,
                                                const perp_derivative_options *options,
                                                perp_derivative **derivative, perp_message *why);
PERP_API void perp_derivative_destroy(perp_derivative *derivative);
PERP_API void perp_derivative_get_sized(const perp_derivative *derivative,
                                        perp_derivative_facts *facts, size_t size);

static inline perp_derivative_facts perp_derivative_get(const perp_derivative *derivative)
{
  perp_derivative_facts facts;
  perp_derivative_get_sized(derivative, &facts, sizeof facts);
  return facts;
}

/* Sets the arrays of the gradient to (dx/d..)^T w, for n numbers w. Use an object from one thread at a
 * time. Returns PERP_ERROR_UNSUPPORTED if A has neither rows nor apply_t. After an error the contents
 * of the arrays are undefined. */
PERP_API perp_error perp_derivative_vjp(perp_derivative *derivative, const double *w,
                                        const perp_gradient *gradient, perp_message *why);
/* Writes dx, n numbers: the change of x for this change of the data. */
PERP_API perp_error perp_derivative_jvp(perp_derivative *derivative, const perp_change *change,
                                        double *dx, perp_message *why);

/* ---- Batches on a device ---- */

/* The output arrays of perp_batch_vjp, in device memory, the problems one after another; NULL if not
 * wanted. Only from perp_batch_gradient_default(). */
typedef struct perp_batch_gradient {
  size_t size;          /* set by the constructor */
  double *b, *lo, *hi;  /* n for each problem, even if all share one K or have no bounds */
  double *mu;           /* one per cone */
  double *A;            /* dense batches: n * n for each problem, even if all share one A */
  double *J, *Minv, *C; /* worlds: as perp_contact_bodies has them; C is its diagonal */
  double *error;        /* one per problem, required: relative residual of the linear system, as
                             in perp_derivative_facts; NaN for a problem that is not solved */
  int *degenerate;      /* one per problem: rows and cones at which two laws meet */
  double near;          /* as in perp_derivative_options; default 1e-9 */
  perp_degenerate degenerate_side; /* default: hold */
  int zero_unsolved; /* gradient of a problem that is not solved: NaN if this is 0, else 0 */
  int64_t threads;   /* threads of the device "host"; 0 means 1 */
  void *workspace;   /* device memory of perp_batch_vjp_bytes() bytes, for this call alone until the
                        stream has executed it; NULL if that is 0 */
} perp_batch_gradient;

PERP_API void perp_batch_gradient_init(perp_batch_gradient *gradient, size_t size);

static inline perp_batch_gradient perp_batch_gradient_default(void)
{
  perp_batch_gradient gradient;
  perp_batch_gradient_init(&gradient, sizeof gradient);
  return gradient;
}

/* Queues the gradients of a batch on the device's stream, as perp_batch_queue does: (dx/d..)^T w of
 * every problem, for w of n numbers each. x, options.y and the verdicts come from a queued solve of
 * the same batch, whose tolerance should be 1e-9 or less. All arrays are in device memory. If the
 * linear system of a problem is singular, its solution in the range of the transposed matrix is used:
 * the one of least norm if nothing slides. Calls may be in flight on several streams if they write to
 * different arrays. */
PERP_API perp_error perp_batch_vjp(perp_device *device, const perp_batch *batch, const double *x,
                                   const double *y, const perp_batch_verdict *verdicts,
                                   const double *w, const perp_batch_gradient *gradient,
                                   perp_message *why);
/* Returns the bytes of workspace that perp_batch_vjp needs for this batch: 0 except for worlds of more
 * than about 160 rows on a GPU. */
PERP_API size_t perp_batch_vjp_bytes(const perp_device *device, const perp_batch *batch);

#ifdef __cplusplus
}
#endif
#endif
