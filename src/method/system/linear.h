/* linear.h: the linear systems of Newton, active set, subspace and interior point methods
 *
 *   (A_FF + diag(d_F)) z_F = r_F,   z = 0 outside F.
 *
 * F and d change from one system to the next, A does not. The solver is chosen once, from the
 * operator and the caller's plan; orders of elimination are kept. The back ends:
 *
 *   dense        for dense operators, and small unsymmetric ones with rows: L L^T if A is symmetric
 *                and the factor exists, else L U, with complete pivoting if A is symmetric
 *                (submatrix.h)
 *   sparse       for symmetric operators with rows: a sparse factor in an order found once (CHOLMOD
 *                if built in), the dense L U if that fails and F has few rows; for unsymmetric
 *                ones, if the plan says so, UMFPACK's L U (submatrix.h)
 *   krylov       if these are not available or not wanted: CG if A is symmetric; GMRES if
 *                negative curvature shows, or A is not; preconditioned
 *
 * A factor that would not finish before the run's deadline is not begun: Krylov solvers, which read
 * the clock, replace it. Products within F use the operator: z is extended by zeros outside F. */
#pragma once

#include "method/run/method.h"

/* Solvers, with their names for parameter tables. */
typedef enum perp_linear_solver {
  PERP_LINEAR_AUTO, /* direct if the matrix is dense, or sparse with rows, and small enough */
  PERP_LINEAR_DIRECT,
  PERP_LINEAR_CG,
  PERP_LINEAR_GMRES,
} perp_linear_solver;
extern const char *const perp_linear_solvers[];

typedef enum perp_linear_preconditioner {
  PERP_PRECONDITION_AUTO, /* ic or ilu with rows (ic on a stencil, not assembled), else jacobi */
  PERP_PRECONDITION_NONE,
  PERP_PRECONDITION_JACOBI,
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

/* Memory is the run's arena: open this last, and take no lasting memory from it afterwards. Close
 * it whatever is returned (NULL is fine). Returns UNSUPPORTED, with the reason in the run's
 * message, if the operator lacks an ability that the plan needs. */
perp_error perp_linear_open(perp_run *run, const perp_linear_plan *plan,
                            perp_linear_system **system);
void perp_linear_close(perp_linear_system *system);

/* ---- The matrix ---- */

/* Factors, or sets up the preconditioner. F ascending, d: n numbers (NULL: zero); both are the
 * caller's and must not change until the next set. Returns false if the matrix is singular up to
 * rounding (direct): a solve then solves only the regular part, or the caller raises d. */
bool perp_linear_set(perp_linear_system *system, int m, const int *F, const double *d);
/* perp_linear_set for a matrix that should be positive definite: returns false, without a factor,
 * if a symmetric matrix has no Cholesky factor. */
bool perp_linear_set_definite(perp_linear_system *system, int m, const int *F, const double *d);
/* perp_linear_set_definite with d, d + 1e-12 unit, d + 1e-10 unit, ... until there is a Cholesky
 * factor, and finally any factor. */
bool perp_linear_set_raised(perp_linear_system *system, int m, const int *F, const double *d,
                            double unit);
/* ---- Solutions ---- */

/* z <- the solution, n numbers, zero outside F; r: n numbers, read in F. Krylov methods end at
 * |residual| <= tol |r_F|, Euclidean. Direct solvers refine once if that is not reached; with an
 * infinite tol they do not test (and return 0). Returns the relative residual, infinity on failure.
 * z does not overlap r. After the end of the run sets and solves do no work: z is 0, and 1 is
 * returned. */
double perp_linear_solve(perp_linear_system *system, const double *r, double tol, double *z);
/* z <- the solution, refined up to that many times against the requested matrix, not the raised
 * one, while the residual is above tol |r| and halves each time. Returns false on failure, or if z
 * is not finite. */
bool perp_linear_refine(perp_linear_system *system, const double *r, double tol, int most,
                        double *z);

/* Return true if the last set made a factor (else Krylov), or before the first set if it will try
 * to; and true if A is symmetric. */
bool perp_linear_is_direct(const perp_linear_system *system);
bool perp_linear_is_symmetric(const perp_linear_system *system);

/* Returns about the flops of a factor of all of A; 0: none, or unknown. */
double perp_linear_flops(const perp_linear_system *system);

/* The hook for multigrid: z <- M^-1 r with M ~ A_FF + diag(d_F), n numbers each, zero outside F. It
 * is in a higher layer, reached by run->services: a table of three functions. */
typedef struct perp_linear_hook {
  perp_error (*open)(perp_run *run, void **state); /* UNSUPPORTED if A is not of its kind */
  void (*set)(void *state, int m, const int *F, const double *d);
  void (*apply)(void *state, const double *r, double *z);
} perp_linear_hook;
