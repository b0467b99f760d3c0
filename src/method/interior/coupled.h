/* interior/coupled.h: the linear systems of the interior point method with friction
 *
 *   (A + diag(d)) z + e o z_normal = r,   (z_normal)_i = z_(normal_i), no such term where normal_i < 0
 *
 * not symmetric: a friction row follows its normal, which does not follow it. Rows with an infinite d
 * are left out, z_i = 0, with e_i = 0. Of a contact operator with a diagonal C it is solved in velocities
 * (velocities.h), else in z itself: by sparse LU where UMFPACK is built in, dense for few unknowns or
 * without it. */
#ifndef PERP_METHOD_INTERIOR_COUPLED_H
#define PERP_METHOD_INTERIOR_COUPLED_H

#include "method/system/velocities.h"

typedef struct perp_coupled {
  perp_run *run;
  int n;
  const int *normal; /* n, -1: none; the caller's */
  bool in_velocities;
  perp_velocities velocities;
  const double *d, *e; /* n each, the caller's */
  double *q;           /* n */

  /* in z */
  perp_sparse M;              /* what is factored */
  double *value;              /* its numbers */
  int *all, m;                /* its rows that take part */
  double *entries;            /* the numbers of A */
  int64_t *diagonal, *beside; /* n each: places of (i, i) and (i, normal_i) */
  double *v;                  /* n */
  perp_sparse_lu *lu;         /* to be freed; NULL: dense */
  perp_lu dense;
  double *LU; /* m x m */
  int *swap;
  bool too_long; /* the last set began no factor, for want of time: the run is told so */
} perp_coupled;

/* Takes the rest of the run's arena: open it last. Closed whatever comes back, and not to be used where
 * the run has expired meanwhile. UNSUPPORTED, said in
 * the run's message, where A has no rows and is no contact operator with a diagonal C. */
perp_error perp_coupled_open(perp_coupled *s, perp_run *run, const int *normal);
void perp_coupled_close(perp_coupled *s);

/* d and e are the caller's and stay until the next set. False where there is no factor, or where one
 * would take longer than what is left. */
bool perp_coupled_set(perp_coupled *s, const double *d, const double *e);
/* refined: against the matrix itself. False where the numbers are not finite. */
bool perp_coupled_solve(perp_coupled *s, const double *r, bool refined, double *z);

#endif
