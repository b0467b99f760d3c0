/* laws.h: the linear laws of rows near a solution
 *
 * With dy = A dx + g, g = dA x + db, every part of K gives one equation per row:
 *
 *   free          dy_i = 0
 *   on a bound    dx_i = dlo_i or dhi_i;  friction row i of normal j, c its lo_i or hi_i:
 *                 dx_i = c s_j dx_j + |x_j| dc,  s_j = sign x_j
 *   contact       separate: dx = 0;  else dy_n = 0, and each group of axes (verdict/friction.h) has
 *                 one of the next two laws; an axis without friction has dx_k = 0
 *   stick         dy_k = 0
 *   slide         x_k = -mu_k x_n tau_k,  tau = v / |v|,  v_k = u_k y_k,  u_k = mu_k / mu,
 *                 mu the largest mu_k of the group; differentiated, with an orthonormal basis
 *                 sigma_j of the vectors perpendicular to tau,
 *
 *     dx_k = -mu_k tau_k dx_n + u_k sum_j sigma_jk q_j - x_n tau_k (2 dmu_k - u_k sum_l tau_l^2 dmu_l / u_l),
 *     sum_k sigma_jk u_k dy_k + |v| / (mu x_n) q_j = 0.
 *
 * The last is the derivative of De Saxce's natural map, x = P(x - u), at a sliding point, solved
 * for dx. All laws together are
 *
 *   dx = Z q + p,   W^T dy + D q = 0
 *
 * with m unknowns q: one for each free row, one for the normal of a contact that touches, and one
 * less than it has axes for a group that slides, for which D = |v| / (mu x_n). p is linear in dlo,
 * dhi and dmu. A friction row on its bound repeats the row of Z of its normal. So
 *
 *   (W^T A Z + D) q = -W^T (A p + g). */
#pragma once

#include "base/memory.h"
#include "set/law.h"
#include "verdict/friction.h"
#include <perp/derivative.h>

/* A group of axes that slides. */
typedef struct perp_slide {
  int normal, axes;                  /* the row of the normal; number of axes */
  int row[PERP_FRICTION_MU];         /* of each axis */
  int64_t place[PERP_FRICTION_MU];   /* of its mu in the array of the set */
  double unit[PERP_FRICTION_MU], mu; /* u and mu */
  double slip[PERP_FRICTION_MU];     /* tau; 0 without a direction */
  double force, D;                   /* x_n; |v| / (mu x_n) */
} perp_slide;

typedef struct perp_laws {
  int n, m;
  unsigned char *law; /* n: perp_law */
  int *parent;        /* n: j of a friction row on a bound, else -1 */
  double *factor;     /* n: c s_j of such a row */
  double *normal;     /* n: |x_j| of such a row */
  int width;          /* entries of a row of Z, at most */
  int *Z_column;      /* width n, -1: none */
  double *Z_value;    /* width n */
  int64_t *W_start;   /* m + 1: the columns of W */
  int *W_row;
  double *W_value;
  double *D; /* m */
  int slides;
  perp_slide *slide;
  bool skew; /* W differs from Z: the matrix is not symmetric even if A is */
  int64_t bound, stick, sliding, separate, degenerate;
} perp_laws;

/* Finds the laws at x with y = A x + b: entries of x up to near_x, and of y up to near_y, count as
 * 0. Arrays from the arena. Returns false if it is exhausted. */
bool perp_laws_find(const perp_set *K, const double *x, const double *y, double near_x,
                    double near_y, perp_degenerate side, perp_arena *arena, perp_laws *laws);

/* x <- Z q, q <- Z^T x, x <- W q, q <- W^T x */
void perp_laws_Z(const perp_laws *laws, const double *q, double *x);
void perp_laws_Z_t(const perp_laws *laws, const double *x, double *q);
void perp_laws_W(const perp_laws *laws, const double *q, double *x);
void perp_laws_W_t(const perp_laws *laws, const double *x, double *q);

/* Computes p of a change; an array may be NULL: 0. */
void perp_laws_shift(const perp_laws *laws, const double *dlo, const double *dhi, const double *dmu,
                     double *p);
/* The transposed map: overwrites p; an array may be NULL: not wanted. mu has `mus` numbers. */
void perp_laws_shift_t(const perp_laws *laws, double *p, double *lo, double *hi, int64_t mus,
                       double *mu);
