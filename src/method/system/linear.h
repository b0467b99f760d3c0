/* linear.h: the linear systems of Newton, active set, subspace and interior point methods
 *
 *   (A_FF + diag(d_F)) z_F = r_F,   z = 0 outside F.
 *
 * F and d change from one system to the next, A does not. How a system is solved is found once, from
 * the operator and the caller's plan; orders of elimination are kept. The back ends:
 *
 *   dense        of dense operators, and of small ones with rows that are not symmetric: L L^T
 *                if A is symmetric and the factor exists, L D L^T of complete pivoting if it does
 *                not, L U if A is not symmetric (submatrix.h)
 *   sparse       of symmetric operators with rows: a sparse factor in an order found once
 *                (CHOLMOD if built in), the dense L D L^T if that fails and few rows are in F; of
 *                those that are not symmetric, if the plan asks for it, UMFPACK's L U (submatrix.h)
 *   krylov       if all this cannot be had or is not wished for: CG if A is symmetric, and
 *                MINRES from there on if negative curvature shows; else GMRES; preconditioned
 *
 * Factors that would not be done before the run's deadline are not begun: Krylov then, which
 * looks at the clock. Products within F go through the operator: z is spread with zeros outside F.
 */
#pragma once

#include "method/run/method.h"

/* With their names, for parameter tables. */
typedef enum perp_linear_solver {
  PERP_LINEAR_AUTO, /* direct if the matrix is dense, or sparse with rows, and small enough */
  PERP_LINEAR_DIRECT,
  PERP_LINEAR_CG,
  PERP_LINEAR_MINRES,
  PERP_LINEAR_BICGSTAB,
  PERP_LINEAR_GMRES,
} perp_linear_solver;
extern const char *const perp_linear_solvers[];

typedef enum perp_linear_preconditioner {
  PERP_PRECONDITION_AUTO, /* ic or ilu with rows (ic on a stencil, not assembled), else jacobi */
  PERP_PRECONDITION_NONE,
  PERP_PRECONDITION_JACOBI,
  PERP_PRECONDITION_BLOCK, /* the diagonal blocks: of findex, cones, bsr */
  PERP_PRECONDITION_SSOR,
  PERP_PRECONDITION_IC,
  PERP_PRECONDITION_ILU,
  PERP_PRECONDITION_MG, /* stencil operators, by multigrid (the hook below) */
} perp_linear_preconditioner;
extern const char *const perp_linear_preconditioners[];

typedef struct perp_linear_plan {
  perp_linear_solver solver;
  perp_linear_preconditioner preconditioner;
  bool factor_grids; /* auto is direct on grids too, up to 100,000 rows */
  bool sparse_lu;    /* UMFPACK, if built in, for a sparse A that is not symmetric */
} perp_linear_plan;

typedef struct perp_linear_system perp_linear_system;

/* Memory is the run's arena, of which nothing that is to be kept may be taken afterwards: open this
 * last. Closed whatever comes back (NULL is fine). UNSUPPORTED, said in the run's message, if the operator cannot do what is
 * wished for. */
perp_error perp_linear_open(perp_run *run, const perp_linear_plan *plan,
                            perp_linear_system **system);
void perp_linear_close(perp_linear_system *system);

/* ---- The matrix ---- */

/* F ascending, d: n numbers (NULL: zero); both are the caller's and stay unchanged until the
 * next set. Factors, or sets the preconditioner up. False if the matrix is singular up to rounding
 * (direct): then a solve gives a z that solves as much as can be solved, or the caller raises d. */
bool perp_linear_set(perp_linear_system *system, int m, const int *F, const double *d);
/* The same for a matrix that should be positive definite: false, and nothing to solve with, if a
 * symmetric one has no Cholesky factor. */
bool perp_linear_set_definite(perp_linear_system *system, int m, const int *F, const double *d);
/* The same with d + 1e-12 unit, d + 1e-10 unit, ... in its place as long as there is none, and at
 * last without asking for one. */
bool perp_linear_set_raised(perp_linear_system *system, int m, const int *F, const double *d,
                            double unit);
/* ---- Solutions ---- */

/* z <- the solution, n numbers, zero outside F; r: n numbers, read in F. Krylov methods end at
 * |residual| <= tol |r_F|, Euclidean; direct ones refine once if it is not reached, and if tol is
 * infinite they do not look (0 comes back). Returns the relative residual reached, infinity if it
 * failed. z does not overlap r. Once the run has ended neither sets nor solves do any work: z is 0,
 * and 1 comes back. */
double perp_linear_solve(perp_linear_system *system, const double *r, double tol, double *z);
/* z <- the solution, refined up to so many times against the matrix that was asked for, raised or
 * not, as long as the residual is above tol |r| and halved each time. False if it failed, or if z
 * is not finite. */
bool perp_linear_refine(perp_linear_system *system, const double *r, double tol, int most,
                        double *z);

/* Whether the last set made a factor (else Krylov), before the first one whether it will if it can;
 * and whether A is symmetric. */
bool perp_linear_is_direct(const perp_linear_system *system);
bool perp_linear_is_symmetric(const perp_linear_system *system);

/* Flops that a factor of all of A takes, about; 0: there is none, or it is not known. */
double perp_linear_flops(const perp_linear_system *system);

/* The hook for multigrid: z <- M^-1 r with M ~ A_FF + diag(d_F), n numbers each, zero outside F.
 * It stands above and is reached by run->services: a table of three functions. */
typedef struct perp_linear_hook {
  perp_error (*open)(perp_run *run, void **state); /* UNSUPPORTED if A is not of its kind */
  void (*set)(void *state, int m, const int *F, const double *d);
  void (*apply)(void *state, const double *r, double *z);
} perp_linear_hook;
