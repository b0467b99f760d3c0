/* set/set.h: one bound and one row of K, inline for the loops of residuals, kernels and methods
 *
 * The arrays of a perp_set are the caller's, who may write an infinite bound as any number from
 * 1e300 on. perp_bound returns a finite number or INFINITY: all other code compares only with
 * INFINITY. The clamps let NaN pass through, so that the driver sees it. */
#ifndef PERP_SET_SET_H
#define PERP_SET_SET_H

#include "verdict/friction.h"

#include <math.h>
#include <perp/set.h>
#include <stddef.h>

static const double PERP_INFINITE = 1e300; /* bounds from here on are infinite */

static inline bool perp_bound_is_infinite(double bound)
{
  return fabs(bound) >= PERP_INFINITE;
}

static inline double perp_bound(double bound)
{
  return perp_bound_is_infinite(bound) ? copysign(INFINITY, bound) : bound;
}

/* Returns a friction bound, as perp_bound gives it, times a normal force; an infinite bound stays
 * infinite if the force is 0. */
static inline double perp_bound_times(double bound, double normal)
{
  return fabs(bound) < INFINITY ? bound * normal : bound;
}

/* lo <= hi. In two steps, for each of which CPUs have an instruction. */
static inline double perp_clamp(double t, double lo, double hi)
{
  const double raised = t < lo ? lo : t;
  return raised > hi ? hi : raised;
}

static inline double perp_clamp_nonnegative(double t)
{
  return t < 0 ? 0 : t;
}

/* Returns true if every row of K is x_i >= 0, without cones and friction rows. */
bool perp_set_is_plain(const perp_set *K);

/* ---- Rows of K ---- */

/* Returns the number of rows of cone c. */
static inline int perp_set_cone_rows(const perp_set *K, int c)
{
  return K->dim ? K->dim[c] : 3;
}

/* The cones with their rows, ascending:
 *   for (perp_cone k = perp_set_cones(K); k.c < K->cones; perp_cone_next(K, &k)) ... */
typedef struct perp_cone {
  int c, row, rows; /* the cone, its first row, their number */
} perp_cone;

static inline perp_cone perp_cone_at(const perp_set *K, int c, int row)
{
  const bool in = c < K->cones;
  const perp_cone k = {c, in && K->cone ? K->cone[c] : row, in ? perp_set_cone_rows(K, c) : 0};
  return k;
}

static inline perp_cone perp_set_cones(const perp_set *K)
{
  return perp_cone_at(K, 0, 0);
}

static inline void perp_cone_next(const perp_set *K, perp_cone *k)
{
  *k = perp_cone_at(K, k->c + 1, k->row + k->rows);
}

/* Returns the first row of cone c; with dim and without cone, by a walk over the cones before it. */
static inline int perp_set_cone_row(const perp_set *K, int c)
{
  if (!K->dim || K->cone)
    return K->cone ? K->cone[c] : 3 * c;
  perp_cone k = perp_set_cones(K);
  while (k.c < c)
    perp_cone_next(K, &k);
  return k.row;
}

/* Returns the friction of contact c of a set with dim. */
static inline perp_friction perp_set_friction(const perp_set *K, int c)
{
  const perp_friction_law law = K->law ? (perp_friction_law)K->law[c] : PERP_FRICTION_ELLIPTIC;
  return perp_friction_make(K->dim[c], law, K->mu + (ptrdiff_t)PERP_FRICTION_MU * c);
}

/* Returns true if the cones are the first rows and have three each, as methods require. */
static inline bool perp_set_is_ordered(const perp_set *K)
{
  for (int c = 0; K->cone && c < K->cones; c++)
    if (K->cone[c] != 3 * c)
      return false;
  return !K->dim || K->cones == 0;
}

/* Returns the cone that row i belongs to; -1: none. */
static inline int perp_set_cone_of(const perp_set *K, int i)
{
  if (!K->cone && !K->dim)
    return i < 3 * K->cones ? i / 3 : -1;
  if (!K->cone) {
    perp_cone k = perp_set_cones(K);
    while (k.c < K->cones && k.row + k.rows <= i)
      perp_cone_next(K, &k);
    return k.c < K->cones ? k.c : -1;
  }
  int low = 0, high = K->cones; /* the last cone that begins at or before row i */
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (K->cone[middle] <= i)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && i < K->cone[low - 1] + perp_set_cone_rows(K, low - 1) ? low - 1 : -1;
}

static inline bool perp_set_in_cone(const perp_set *K, int i)
{
  return perp_set_cone_of(K, i) >= 0;
}

/* The rows that belong to no cone, ascending:
 *   for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r)) ... r.i ... */
typedef struct perp_rows {
  const perp_set *K;
  int i;
  perp_cone cone; /* the first cone after row i */
} perp_rows;

static inline void perp_rows_skip(perp_rows *r)
{
  for (; r->cone.c < r->K->cones && r->cone.row == r->i; perp_cone_next(r->K, &r->cone))
    r->i += r->cone.rows;
}

static inline perp_rows perp_rows_outside_cones(const perp_set *K)
{
  perp_rows r = {K, 0, perp_set_cones(K)};
  perp_rows_skip(&r);
  return r;
}

static inline void perp_rows_next(perp_rows *r)
{
  r->i++;
  perp_rows_skip(r);
}

static inline double perp_set_lo(const perp_set *K, int i)
{
  return K->lo ? perp_bound(K->lo[i]) : 0;
}

static inline double perp_set_hi(const perp_set *K, int i)
{
  return K->hi ? perp_bound(K->hi[i]) : INFINITY;
}

static inline bool perp_set_is_friction(const perp_set *K, int i)
{
  return K->findex && K->findex[i] >= 0;
}

/* lo and hi of all rows; of friction rows for a normal of 1. */
static inline void perp_set_all_bounds(const perp_set *K, double *lo, double *hi)
{
  for (int i = 0; i < K->n; i++) {
    lo[i] = perp_set_lo(K, i);
    hi[i] = perp_set_hi(K, i);
  }
}

/* lo_i and hi_i, in a friction row times |x_j|. */
static inline void perp_row_bounds(const perp_set *K, const double *x, int i, double *lo,
                                   double *hi)
{
  *lo = perp_set_lo(K, i);
  *hi = perp_set_hi(K, i);
  if (perp_set_is_friction(K, i)) {
    const double normal = fabs(x[K->findex[i]]);
    *lo = perp_bound_times(*lo, normal);
    *hi = perp_bound_times(*hi, normal);
  }
}

/* ---- Discs, in the sets that methods see (method/run/cones_first.c) ----
 *
 * A disc is some friction rows of one normal j, one after another, that are bounded together:
 * |x_D| <= hi |x_j|, with the same hi = -lo in each. */

/* The target of K.reserved[0] in such a set. The natural residual and the scale are computed for the
 * contacts as given: x_row[k] = d_k x'_k and y_row[k] = y'_k / d_k, so that a solution of this
 * problem is one of the given problem, to the same tolerance. */
typedef struct perp_reduction {
  const int *disc;       /* n: as perp_set_disc; NULL: no discs */
  const perp_set *given; /* with dim; NULL: the residual is this set's own */
  const int *place;      /* of each row of `given`: the row here */
  const double *d;       /* n: by row here; NULL: 1 */
  const bool *inside;    /* n: the row here belongs to a contact of `given` */
} perp_reduction;

static inline const perp_reduction *perp_set_reduction(const perp_set *K)
{
  return K->reserved[0];
}

/* Returns the rows of the disc that begins with row i; -1 in its other rows, 0 outside discs. */
static inline int perp_set_disc(const perp_set *K, int i)
{
  const perp_reduction *r = perp_set_reduction(K);
  return r && r->disc ? r->disc[i] : 0;
}

static inline bool perp_set_has_discs(const perp_set *K)
{
  const perp_reduction *r = perp_set_reduction(K);
  return r && r->disc;
}

/* Returns K with a residual of its own, which costs less than that of the contacts as given. `room` is
 * used if K has a reduction, and must outlive the result. */
static inline perp_set perp_set_own(const perp_set *K, perp_reduction *room)
{
  perp_set own = *K;
  if (perp_set_reduction(K)) {
    *room = (perp_reduction){.disc = perp_set_reduction(K)->disc};
    own.reserved[0] = room;
  }
  return own;
}

/* Returns true if K has rows that depend on each other in pairs or more: cones or discs. */
static inline bool perp_set_has_cones(const perp_set *K)
{
  return K->cones > 0 || perp_set_has_discs(K);
}

/* v_i <- the same in all rows of a disc: of two numbers what `choose` returns. */
void perp_set_share(const perp_set *K, double *v, double (*choose)(double, double));
/* Euclidean norm of a few numbers; of two as perp_hypot. */
double perp_set_norm(int count, const double *z);
/* Projects z onto |p| <= radius in the norm of w: the least sum_k w_k (p_k - z_k)^2; NULL: 1. */
void perp_set_project_disc(int count, double radius, const double *w, double *z);
/* perp_set_project in the norm of w, which is the same number in the rows of a cone. */
void perp_set_project_in(const perp_set *K, const double *w, const double *x, double *z);
/* x - P(x - y) of a disc of that radius. */
void perp_set_disc_map(int count, double radius, const double *x, const double *y, double *r);

/* De Saxce's term of a cone, and r = x - P(x - u) with it; by rounding perp_natural_cone is better. */
double perp_set_cone_shift(const perp_set *K, const perp_cone *k, const double *y);
void perp_set_cone_map(const perp_set *K, const perp_cone *k, const double *x, const double *y,
                       double *r);

/* Projects z onto |(z_t, z_o)| <= mu z_n. */
void perp_set_project_cone(double mu, double z[3]);

#endif
