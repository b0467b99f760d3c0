/* ncp.h: a nonlinear problem of the collection
 *
 * F is written once, for numbers a + i b with b so small that its square vanishes: F(x + i h e_j)
 * has dF/dx_j as its imaginary part over h, without a difference error (Squire and Trapp 1998). The
 * operators + - * and / are complex; the functions below are the first two terms of their series.
 */
#pragma once

#include "base/elementary.h"
#include "base/memory.h"
#include <perp/ncp_sample.h>

#include <complex.h>

typedef double _Complex perp_dual;

typedef struct perp_ncp_kind {
  const char *name, *title, *source;
  int n, starts;
  void (*F)(const perp_dual *x, perp_dual *F);
  void (*family)(const void *data, const perp_dual *x, perp_dual *F); /* in place of F */
  const void *data;
  /* bounds and a known solution, n numbers each; NULL: 0, infinity, none */
  bool free; /* lo is -infinity */
  const double *lo, *hi, *known;
  /* start k: levels[k] in all unknowns, or row k of a table; NULL: 0 */
  const double *levels, *table;
  /* NULL, or write over the bounds and the start above */
  void (*bounds)(double *lo, double *hi);
  void (*start)(int k, double *x);
} perp_ncp_kind;

/* Lists, each ends with an entry whose name is NULL. */
extern const perp_ncp_kind perp_ncp_classics[], perp_ncp_economies[], perp_ncp_equations[],
    perp_ncp_growth[], perp_ncp_programs[], perp_ncp_traffic[];

static inline perp_dual perp_dual_exp(perp_dual z)
{
  const double e = perp_exp(creal(z));
  return e + e * cimag(z) * I;
}

static inline perp_dual perp_dual_sin(perp_dual z)
{
  return perp_sin(creal(z)) + perp_cos(creal(z)) * cimag(z) * I;
}

static inline perp_dual perp_dual_cos(perp_dual z)
{
  return perp_cos(creal(z)) - perp_sin(creal(z)) * cimag(z) * I;
}

/* z^y for z > 0; NaN elsewhere, where F is not defined. */
static inline perp_dual perp_dual_pow(perp_dual z, double y)
{
  const double x = creal(z);
  if (!(x > 0))
    return NAN;
  const double p = perp_pow(x, y);
  return p + y * p / x * cimag(z) * I;
}

static inline perp_dual perp_dual_square(perp_dual z)
{
  return z * z;
}
