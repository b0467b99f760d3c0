/* pgssm.h: the systems of a face and the cycles with friction, for pgssm and kz */
#pragma once

#include "method/run/method.h"
#include "method/system/active_factor.h"
#include "method/system/linear.h"

/* ---- face_systems.c: A_FF p_F = -y_F ----
 *
 * Dense operators of up to PERP_SUBSPACE_DENSE unknowns keep one Cholesky factor that follows F
 * from one set to the next (linalg/active.h) and allocates nothing. Other operators use linear.h: a
 * sparse factor that exchanges rows if few of them changed, or conjugate gradients.
 *
 * If A_FF is singular, as with redundant contacts, the diagonal is raised,
 *
 *   (A_FF + delta diag(A_FF)) p_F = -y_F,     delta = 1e-10, then 1e-7, 1e-4,
 *
 * a step of the proximal point method: if -y_F is in the range of A_FF it is the shortest step up
 * to O(delta); otherwise it descends far along the null space until bounds stop it. */

enum { PERP_SUBSPACE_DENSE = 3000 };

typedef struct perp_subspace {
  perp_run *run;
  int n;
  bool dense; /* `active` is in use */
  perp_active active;
  perp_active_factor *kept;
  double *scratch; /* n */
  perp_linear_plan plan;
  perp_linear_system *reduced; /* NULL with `dense` until needed; the caller closes it */
  double *diagonal;            /* n: of A */
  double *shift;               /* n: delta times that */
  double *right;               /* n: -y */
  int level;                   /* of delta */
  double damping;              /* the caller's delta; the larger of the two is used */
  double first_damping;        /* damping when a singular set is first met; 0: unchanged */
  bool symmetric;
} perp_subspace;

/* Takes the rest of the run's arena, so open it last. Close it whatever is returned. */
perp_error perp_subspace_open(perp_subspace *s, perp_run *run, const perp_linear_plan *plan);
void perp_subspace_close(perp_subspace *s);
/* Raises or lowers the damping of the next steps. */
void perp_subspace_damp(perp_subspace *s, bool more);
/* Returns about the flops of a factor of all of A; 0: unknown. */
double perp_subspace_flops(const perp_subspace *s);

/* p <- the step in F (ascending), n numbers, zero outside; Krylov methods end at the relative
 * residual tol. *found is false if there is none. */
perp_error perp_subspace_step(perp_subspace *s, int m, const int *F, const double *y, double tol,
                              double *p, bool *found);

/* After a step with a raised diagonal: u <- (A_FF + delta D)^-1 D u, which keeps the null space
 * component of u and multiplies the rest by delta. Returns false on failure. */
bool perp_subspace_purify(perp_subspace *s, double *u);

/* ---- friction_cycles.c: problems with friction, by index and by cones ---- */

/* sweeps: in a cycle; factors: per cycle, unless they reduce the residual; accelerate: conjugate
 * directions over the sweeps. */
perp_error perp_subspace_friction(perp_run *run, int sweeps, int factors, bool accelerate,
                                  double *x);
