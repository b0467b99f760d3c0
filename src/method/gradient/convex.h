/* convex.h: the convex problem that replaces the given one while a gradient method runs, its
 * metric, and the face of the box at x
 *
 *   minimise 1/2 x^T A x + (b + s)^T x   over  K' = boxes [lo, hi] x cones,   in the norm of D
 *
 * LCP, mixed and boxed problems have this form already: s = 0, K' = K. Two parts of K are not
 * convex, and both become convex when something is held fixed:
 *
 *   friction rows   [lo_i, hi_i] = [lo_i |x_j|, hi_i |x_j|] at a fixed x_j; discs: their radius;
 *   Coulomb cones   s_n = mu |(y_t, y_o)| at a fixed y (De Saxce and Feng 1998).
 *
 * An outer fixed point iteration updates the two (Acary, Cadoux, Lemarechal, Malick 2011). It is
 * inexact: the fixed quantities move to x and y once the residual of the convex problem is small
 * relative to the lag, their distance from x and y. So no inner problem is solved more exactly than
 * the outer one needs. The fixed point iteration need not contract: if it cycles, its steps become
 * shorter.
 *
 * D = diag(A), in a cone the largest of its entries, so that its projection is the Euclidean one;
 * D = I if the diagonal is not available or not positive. The axes of a disc keep their entries: in
 * the units in which it is round, torsion and rolling have entries (mu_k / mu)^2 as large as slide,
 * and one number for all axes would make the condition number (mu / mu_k)^2 times larger. */
#pragma once

#include "method/run/method.h"
#include "method/system/gather.h"
#include "method/system/preconditioner.h"
#include "set/set.h"

typedef struct perp_convex {
  const perp_run *run;
  const perp_problem *p;
  perp_reduction reduction; /* for the residual of the reduced problem */
  int n;
  double *D;
  double *s;           /* n: De Saxce's shift in the normal rows of cones, 0 elsewhere */
  double *lo, *hi;     /* n: the boxes of K'; unused in cones */
  int moving;          /* cones and friction rows; 0: nothing is fixed */
  double patience;     /* follow at residual <= patience * lag */
  double step;         /* of the fixed point: 1, less if it cycles */
  double best, recent; /* lowest residual of the problem before this window, and within it */
  int64_t calls;
} perp_convex;

/* Sets up the convex problem at x and y = A x + b. */
perp_error perp_convex_create(perp_run *run, const double *x, const double *y, double patience,
                              perp_convex *convex);
/* z <- P_K'(z) */
void perp_convex_project(const perp_convex *convex, double *z);
/* Moves the fixed quantities to x and y if the residual is small enough. Returns true if it did. */
bool perp_convex_follow(perp_convex *convex, const double *x, const double *y);

/* D_i = A_ii; 1 everywhere if the diagonal is not available or not positive. */
void perp_metric(const perp_problem *p, double *D);
/* 1/2 x^T A x + b^T x, given y = A x + b. */
double perp_energy(const perp_problem *p, const double *x, const double *y);

/* ---- Faces of the box ----
 *
 *   F = { i : lo_i < x_i < hi_i }
 *
 * A preconditioner acts on the rows of F only: D_FF^-1 with D = diag(A); an incomplete Cholesky
 * factor of A_FF; or a multigrid cycle for A_FF. The last two are computed again when a search on
 * another face begins. */

typedef enum perp_face_kind {
  PERP_FACE_AUTO, /* incomplete if A has rows and they are short, else Jacobi */
  PERP_FACE_NONE,
  PERP_FACE_JACOBI,
  PERP_FACE_INCOMPLETE,
  PERP_FACE_MULTIGRID,
} perp_face_kind;

extern const char *const perp_face_words[]; /* for a PERP_CHOICE, its last word is number 4 */

typedef struct perp_face {
  int n;
  double *lo, *hi; /* n each */
  double *D;       /* n: the metric of gradient steps, and Jacobi's preconditioner */
  bool *free;      /* n: the current face */
  int *F;          /* n: the free rows */
  bool set;        /* M belongs to `free` */
  bool multigrid;  /* M is a cycle */
  perp_preconditioner M;
} perp_face;

/* Returns UNSUPPORTED for PERP_FACE_INCOMPLETE without row access and for PERP_FACE_MULTIGRID
 * without grid and rows. */
perp_error perp_face_create(perp_run *run, perp_face_kind kind, perp_face *face);
/* Projects x onto the box. */
void perp_face_project(const perp_face *face, double *x);
/* free <- the face of x. Returns true if it differs from the previous one. */
bool perp_face_take(perp_face *face, const double *x);
/* z <- M^-1 r in the free rows, 0 elsewhere. r is arbitrary in the others. */
void perp_face_precondition(perp_face *face, const double *r, double *z);
/* Returns the largest step with lo <= x + step d <= hi; infinity if no bound limits it. */
double perp_face_reach(const perp_face *face, const double *x, const double *d);

/* Returns the part of -y_i that points into the box: 0 if x_i is at a bound and y_i holds it
 * there. */
static inline double perp_face_gradient(const perp_face *f, const double *x, const double *y, int i)
{
  if (x[i] <= f->lo[i] && y[i] > 0)
    return 0;
  return x[i] >= f->hi[i] && y[i] < 0 ? 0 : y[i];
}
