/* face.h: bounds, the face of the box that x lies on, and preconditioning within it
 *
 *   F = { i : lo_i < x_i < hi_i }
 *
 * A preconditioner acts on the rows of F only: D_FF^-1 with D = diag(A); an incomplete Cholesky
 * factor of A_FF; or a multigrid cycle for A_FF. The last two are computed again when a search on
 * another face begins. */
#pragma once

#include "method/system/preconditioner.h"

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
  bool *free;      /* n: the face last taken */
  int *F;          /* n: the free rows */
  bool set;        /* M is that of `free` */
  bool multigrid;  /* M is a cycle */
  perp_preconditioner M;
} perp_face;

/* UNSUPPORTED: PERP_FACE_INCOMPLETE without row access, PERP_FACE_MULTIGRID without grid and
 * rows. */
perp_error perp_face_create(perp_run *run, perp_face_kind kind, perp_face *face);
/* x <- its projection onto the box. */
void perp_face_project(const perp_face *face, double *x);
/* free <- the face of x; whether it differs from the one before. */
bool perp_face_take(perp_face *face, const double *x);
/* z <- M^-1 r in the free rows, 0 elsewhere. r may hold anything in the others. */
void perp_face_precondition(perp_face *face, const double *r, double *z);
/* The greatest step with lo <= x + step d <= hi; infinity if no bound limits it. */
double perp_face_reach(const perp_face *face, const double *x, const double *d);

/* The part of -y_i that points into the box: 0 if x_i is at a bound and y_i holds it there. */
static inline double perp_face_gradient(const perp_face *f, const double *x, const double *y, int i)
{
  if (x[i] <= f->lo[i] && y[i] > 0)
    return 0;
  return x[i] >= f->hi[i] && y[i] < 0 ? 0 : y[i];
}
