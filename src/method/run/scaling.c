/* scaling.c: D A D, D b and the bounds, with d_i the power of two nearest to 1 / sqrt(A_ii)
 *
 * Powers of two lose no digit of the entries. Cost: one pass over the entries; workspace: a copy of
 * the values and four vectors. */
#include "method/run/scaling.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "set/set.h"

#include <math.h>

bool perp_scaling_fits(const perp_problem *p)
{
  const double *value;
  const int64_t *start;
  const int *column;
  int64_t stride;
  return perp_operator_csr_arrays(p->A, &start, &column, &value) == PERP_OK ||
         perp_operator_dense_array(p->A, &value, &stride) == PERP_OK;
}

static double root_power(double a)
{
  return ldexp(1, -ilogb(a) / 2);
}

static void choose_units(const perp_problem *p, double *d)
{
  perp_operator_diagonal(p->A, d, NULL);
  for (int i = 0; i < p->K.n; i++)
    d[i] = root_power(d[i]);
  for (int c = 0; c < p->K.cones; c++) /* a cone is round: its tangents share one d */
    d[3 * c + 1] = d[3 * c + 2] = perp_min(d[3 * c + 1], d[3 * c + 2]);
  perp_set_share(&p->K, d, perp_min);
}

/* Scales lo or hi; NULL stays NULL. Returns false if a bound leaves the finite range. */
static bool scale_bounds(const perp_set *K, const double *d, const double *bound, double *to)
{
  for (int i = 3 * K->cones; bound && i < K->n; i++) {
    const double unit = perp_set_is_friction(K, i) ? d[i] / d[K->findex[i]] : d[i];
    const bool finite = !perp_bound_is_infinite(bound[i]);
    to[i] = finite ? bound[i] / unit : bound[i];
    if (finite && !isfinite(perp_bound(to[i])))
      return false;
  }
  for (int i = 0; bound && i < 3 * K->cones; i++)
    to[i] = 0; /* not read */
  return true;
}

static perp_error too_large(perp_message *why)
{
  return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                   "scaling by the diagonal overflows; solve without scaling");
}

static perp_error scale_csr(const perp_operator *A, const double *d, perp_arena *arena,
                            perp_operator **to, perp_message *why)
{
  const int64_t *start;
  const int *column;
  const double *value;
  perp_operator_csr_arrays(A, &start, &column, &value);
  double *scaled = perp_arena_alloc(arena, (size_t)start[A->n], sizeof *scaled);
  if (!scaled)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", A->n);
  for (int i = 0; i < A->n; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      scaled[k] = value[k] * (d[i] * d[column[k]]);
  if (!perp_all_finite(start[A->n], scaled))
    return too_large(why);
  return perp_operator_csr(A->n, start, column, scaled, PERP_BORROW, to, why);
}

static perp_error scale_dense(const perp_operator *A, const double *d, perp_arena *arena,
                              perp_operator **to, perp_message *why)
{
  const int n = A->n;
  const double *a;
  int64_t stride;
  perp_operator_dense_array(A, &a, &stride);
  double *scaled = perp_arena_alloc(arena, (size_t)n * (size_t)n, sizeof *scaled);
  if (!scaled)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      scaled[(int64_t)i * n + j] = a[i * stride + j] * (d[i] * d[j]);
  if (!perp_all_finite((int64_t)n * n, scaled))
    return too_large(why);
  return perp_operator_dense(n, scaled, n, PERP_BORROW, to, why);
}

perp_error perp_scaled_open(const perp_problem *p, perp_arena *arena, perp_scaled *scaled,
                            perp_message *why)
{
  const perp_set *K = &p->K;
  const size_t n = (size_t)K->n;
  *scaled = (perp_scaled){0};
  double *d, *b, *lo, *hi, *mu;
  if (!PERP_TAKE_REALS(arena, n, &d, &b, &lo, &hi, &mu))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", K->n);
  choose_units(p, d);
  for (int i = 0; i < K->n; i++)
    b[i] = d[i] * p->b[i];
  for (int c = 0; c < K->cones; c++)
    mu[c] = K->mu[c] * (d[3 * c] / d[3 * c + 1]);
  if (!scale_bounds(K, d, K->lo, lo) || !scale_bounds(K, d, K->hi, hi) ||
      !perp_all_finite(K->n, b) || !perp_all_finite(K->cones, mu))
    return too_large(why);

  const double *a;
  int64_t stride;
  perp_operator *A;
  const bool dense = perp_operator_dense_array(p->A, &a, &stride) == PERP_OK;
  const perp_error error =
      dense ? scale_dense(p->A, d, arena, &A, why) : scale_csr(p->A, d, arena, &A, why);
  if (error)
    return error;
  /* in these units the residual is this problem's own */
  perp_reduction *reduction = NULL;
  if (perp_set_has_discs(K) && (reduction = perp_arena_alloc(arena, 1, sizeof *reduction)))
    *reduction = (perp_reduction){.disc = perp_set_reduction(K)->disc};
  *scaled = (perp_scaled){
      .problem = {.A = A,
                  .b = b,
                  .K = {.n = K->n,
                        .lo = K->lo ? lo : NULL,
                        .hi = K->hi ? hi : NULL,
                        .findex = K->findex,
                        .mu = K->mu ? mu : NULL,
                        .cones = K->cones,
                        .reserved = {reduction}}},
      .A = A,
      .d = d,
  };
  return PERP_OK;
}

void perp_scaled_close(perp_scaled *scaled)
{
  perp_operator_destroy(scaled->A);
  *scaled = (perp_scaled){0};
}
