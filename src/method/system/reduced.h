/* reduced.h: linear systems in some of the unknowns, one after another
 *
 *   (A_FF + diag(d_F)) z_F = r_F,   z = 0 outside F
 *
 * what Newton, active set, subspace and interior point methods come to in every iteration. F and d
 * change, A does not. How it is solved is found once, from the operator and the caller's wish:
 *
 *   direct   dense operators, and small ones with rows that are not symmetric: Cholesky where A is
 *            symmetric and the factor exists, LDL^T of complete pivoting where it does not, LU where
 *            A is not symmetric; symmetric operators with rows: a sparse factor in an order found
 *            once (CHOLMOD where built in), LDL^T where that fails and few rows are in F; and Krylov
 *            where all this cannot be had
 *   krylov   CG where A is symmetric, and MINRES from there on where negative curvature shows; else
 *            GMRES; preconditioned
 *
 * Factors that would not be done before the run's deadline are not begun: Krylov then, which looks at
 * the clock. Products within F go through the operator: z is spread with zeros outside F. */
#ifndef PERP_METHOD_REDUCED_H
#define PERP_METHOD_REDUCED_H

#include "method/run/method.h"

/* In the order of the names in PERP_REDUCED_SOLVERS, PERP_REDUCED_PRECONDITIONERS, for parameter
 * tables. */
typedef enum perp_reduced_solver {
  PERP_REDUCED_AUTO, /* direct where the matrix is dense, or sparse with rows, and small enough */
  PERP_REDUCED_DIRECT,
  PERP_REDUCED_CG,
  PERP_REDUCED_MINRES,
  PERP_REDUCED_BICGSTAB,
  PERP_REDUCED_GMRES,
} perp_reduced_solver;
#define PERP_REDUCED_SOLVERS "auto", "direct", "cg", "minres", "bicgstab", "gmres"

typedef enum perp_reduced_preconditioner {
  PERP_PRECONDITION_AUTO, /* ic or ilu with rows (ic on a stencil without assembling), else jacobi */
  PERP_PRECONDITION_NONE,
  PERP_PRECONDITION_JACOBI,
  PERP_PRECONDITION_BLOCK, /* the diagonal blocks: of findex, cones, bsr */
  PERP_PRECONDITION_SSOR,
  PERP_PRECONDITION_IC,
  PERP_PRECONDITION_ILU,
  PERP_PRECONDITION_MG, /* stencil operators, once there is a multigrid (the hook below) */
} perp_reduced_preconditioner;
#define PERP_REDUCED_PRECONDITIONERS "auto", "none", "jacobi", "block", "ssor", "ic", "ilu", "mg"

typedef struct perp_reduced perp_reduced;

/* Memory is the run's arena, of which nothing that is to be kept may be taken afterwards: open this
 * last. Closed whatever comes back (NULL is fine). UNSUPPORTED, said in the run's message, where
 * the operator cannot do what is wished for. */
perp_error perp_reduced_open(perp_run *run, perp_reduced_solver solver,
                             perp_reduced_preconditioner preconditioner, perp_reduced **reduced);
void perp_reduced_close(perp_reduced *reduced);

/* F ascending, d: n numbers (NULL: zero); both are the caller's and stay unchanged until the next
 * set. Factors, or sets the preconditioner up. False where the matrix is singular up to rounding
 * (direct): then a solve gives a z that solves as much as can be solved, or the caller raises d. */
bool perp_reduced_set(perp_reduced *reduced, int m, const int *F, const double *d);
/* The same for a matrix that should be positive definite: false, and nothing to solve with, where a
 * symmetric one has no Cholesky factor. */
bool perp_reduced_set_definite(perp_reduced *reduced, int m, const int *F, const double *d);

/* z <- the solution, n numbers, zero outside F; r: n numbers, read in F. Krylov methods end at
 * |residual| <= tol |r_F|, Euclidean; direct ones refine once where it is not reached, and where tol
 * is infinite they do not look (0 comes back). Returns the relative residual reached, infinity where
 * it failed. z does not overlap r. Once the run has ended neither sets nor solves do any work: z is 0,
 * and 1 comes back. */
double perp_reduced_solve(perp_reduced *reduced, const double *r, double tol, double *z);

/* Whether the last set made a factor (else Krylov), before the first one whether it will if it can;
 * and whether A is symmetric. */
bool perp_reduced_is_direct(const perp_reduced *reduced);
bool perp_reduced_is_symmetric(const perp_reduced *reduced);

/* Flops that a factor of all of A takes, about; 0: there is none, or it is not known. */
double perp_reduced_flops(const perp_reduced *reduced);

/* The hook for multigrid: z <- M^-1 r with M ~ A_FF + diag(d_F), n numbers each, zero outside F.
 * It stands above and is reached by run->services: a table of three functions. */
typedef struct perp_reduced_hook {
  perp_error (*open)(perp_run *run, void **state); /* UNSUPPORTED where A is not of its kind */
  void (*set)(void *state, int m, const int *F, const double *d);
  void (*apply)(void *state, const double *r, double *z);
} perp_reduced_hook;

#endif
