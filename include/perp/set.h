/* perp/set.h: the set K of a complementarity problem
 *
 * K is a product of parts; y is A x + b:
 *
 *   neither lo nor hi         x_i >= 0                                   (LCP)
 *   lo_i = -inf, hi_i = inf   x_i free, y_i = 0                          (mixed)
 *   lo, hi                    lo_i <= x_i <= hi_i                        (boxed)
 *   findex_i = j >= 0         lo_i |x_j| <= x_i <= hi_i |x_j|            (friction index)
 *   mu                        |(x_t, x_o)| <= mu x_n  for rows (n, t, o) (Coulomb cone)
 *
 * Any bound of magnitude >= 1e300 is infinite. An infinite bound in a friction row stays
 * infinite whatever x_j is. */
#ifndef PERP_SET_H
#define PERP_SET_H

#include <perp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All arrays are the caller's and must outlive the set. */
typedef struct perp_set {
  int n;
  const double *lo;  /* n, NULL: 0 */
  const double *hi;  /* n, NULL: +inf */
  const int *findex; /* n, -1: none; NULL: none at all */
  const double *mu;  /* one friction coefficient per cone */
  int cones; /* the first 3 * cones rows are cones (n, t, o); lo, hi, findex rule the rest */
} perp_set;

typedef enum perp_form {
  PERP_FORM_LCP,
  PERP_FORM_MIXED,
  PERP_FORM_BOXED,
  PERP_FORM_FINDEX,
  PERP_FORM_CONE,
} perp_form;

/* The simplest form that describes K, by the values of its arrays. */
PERP_API perp_form perp_set_form(const perp_set *K);
PERP_API const char *perp_form_name(perp_form form); /* "lcp", "mixed", "boxed", "findex", "cone" */

/* The bounds of row i at x: lo_i, hi_i, times |x_j| in a friction row. */
PERP_API void perp_set_bounds(const perp_set *K, const double *x, int i, double *lo, double *hi);
/* z <- P_K(z), friction bounds taken at x (which may be z itself: bounds then come from the
 * projected normals, whatever the order of the rows). */
PERP_API void perp_set_project(const perp_set *K, const double *x, double *z);
/* Nearest point of |(z_t, z_o)| <= mu z_n. */
PERP_API void perp_cone_project(double mu, double z[3]);

#ifdef __cplusplus
}
#endif
#endif
