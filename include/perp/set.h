/* perp/set.h: the set K of a complementarity problem
 *
 * K is a product of parts; y is A x + b:
 *
 *   neither lo nor hi         x_i >= 0                                   (LCP)
 *   lo_i = -inf, hi_i = inf   x_i free, y_i = 0                          (mixed)
 *   lo, hi                    lo_i <= x_i <= hi_i                        (boxed)
 *   findex_i = j >= 0         lo_i |x_j| <= x_i <= hi_i |x_j|            (friction index)
 *   mu                        |(x_t, x_o)| <= mu x_n  for rows (n, t, o) (Coulomb cone)
 *   mu, dim, law              contacts of 1 to 6 rows, with slide, torsion and roll
 *
 * A Coulomb cone in the plane, |x_t| <= mu x_n for rows (n, t), is equivalent to a friction index;
 * perp_set_planar writes it as one.
 *
 * With `dim` a contact has dim[c] rows: its normal n, then the axes in this list. The numbers in
 * brackets are the columns of mu:
 *
 *   1  none      2  slide (0)      3  two slides (0, 1)      4  slides, torsion (2)
 *   5  slides, two rolls (3, 4)    6  slides, torsion, rolls
 *
 *   PERP_FRICTION_ELLIPTIC   sum_k (x_k / mu_k)^2 <= x_n^2,   one cone over all axes
 *   PERP_FRICTION_DISCS      one such bound each for the slides, the torsion and the rolls
 *
 * Under both laws x_n is complementary to y_n, and each cone or disc dissipates the most energy. The
 * residual uses De Saxce's form, which adds sum_g (sum_k (mu_k y_k)^2)^(1/2) to y_n; g runs over the
 * cones or discs. If mu_k = 0 (or below 1e-100), the axis has no friction: x_k = 0 and y_k is free.
 *
 * A bound of magnitude >= 1e300 is infinite. An infinite bound in a friction row stays infinite for
 * every x_j. */
#ifndef PERP_SET_H
#define PERP_SET_H

#include <perp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum perp_friction_law {
  PERP_FRICTION_ELLIPTIC,
  PERP_FRICTION_DISCS,
} perp_friction_law;

/* Made by perp_set_default(), or all zero. The caller owns all arrays; they must outlive the set. */
typedef struct perp_set {
  int n;
  const double *lo;  /* n, NULL: 0 */
  const double *hi;  /* n, NULL: +inf */
  const int *findex; /* n: the normal row of a friction row, else -1; NULL: no friction rows */
  const double *mu;  /* one friction coefficient per cone; with dim: five per contact */
  int cones;         /* number of cones; lo, hi and findex apply to the other rows */
  const int *cone;   /* cones: the first row of each, ascending: cone c has the rows (n, t, o) =
                        (cone[c], cone[c] + 1, cone[c] + 2); NULL: the first 3 * cones rows are
                        cones. Methods need the cones first: if they are not, a solve makes a copy of
                        the problem in that order. */
  const int *dim;    /* cones: the rows of each contact, 1 to 6; NULL: cones of three rows */
  const int *law;    /* cones: a perp_friction_law each, read if dim is set; NULL: elliptic */
  const void *reserved[1];
} perp_set;

/* Returns K = {x >= 0} with n rows; the caller may set the other fields. */
static inline perp_set perp_set_default(int n)
{
  perp_set K = {0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, {NULL}};
  K.n = n;
  return K;
}

/* Writes the planar contact of rows n and t to the caller's arrays. In the plane Coulomb's law with
 * De Saxce's term,
 *
 *   |x_t| <= mu x_n,  y_n >= 0,  x_n (y_n + mu |y_t|) + x_t y_t = 0,
 *
 * is a sum of two nonnegative terms, x_n y_n and mu x_n |y_t| + x_t y_t, so both are 0: x_n is
 * complementary to y_n, and -mu x_n <= x_t <= mu x_n, with x_t = -mu x_n y_t / |y_t| unless y_t = 0.
 * This is a row x_n >= 0 and a friction row: lo_t = -mu, hi_t = mu, findex_t = n. */
static inline void perp_set_planar(int n, int t, double mu, double *lo, double *hi, int *findex)
{
  lo[n] = 0;
  hi[n] = 1e300;
  findex[n] = -1;
  lo[t] = -mu;
  hi[t] = mu;
  findex[t] = n;
}

typedef enum perp_form {
  PERP_FORM_LCP,
  PERP_FORM_MIXED,
  PERP_FORM_BOXED,
  PERP_FORM_FINDEX,
  PERP_FORM_CONE,
  PERP_FORM_CONTACT, /* a contact with more than one disc, or with a cone of more than three rows */
} perp_form;

/* Returns the simplest form that describes K, from the values of its arrays. */
PERP_API perp_form perp_set_form(const perp_set *K);
PERP_API const char *perp_form_name(perp_form form); /* "lcp", "mixed", "boxed", "findex", "cone",
                                                        "contact" */

/* Writes the bounds of row i at x: lo_i, hi_i, times |x_j| in a friction row. */
PERP_API void perp_set_bounds(const perp_set *K, const double *x, int i, double *lo, double *hi);
/* z <- P_K(z), with the friction bounds at x. x may be z itself: the bounds then come from the
 * projected normals, for any order of the rows. */
PERP_API void perp_set_project(const perp_set *K, const double *x, double *z);
/* r <- x - P_K(x - y), with De Saxce's term added to y_n of cones. perp_problem_residual is the largest
 * |r_i|, up to rounding. */
PERP_API void perp_set_map(const perp_set *K, const double *x, const double *y, double *r);
/* Returns the cone that row i belongs to, or -1. *first becomes its first row; first may be NULL. */
PERP_API int perp_set_cone(const perp_set *K, int i, int *first);

#ifdef __cplusplus
}
#endif
#endif
