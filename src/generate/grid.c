/* grid.c: sizes, operators and planted solutions of the problems on grids */
#include "generate/grid.h"

#include "base/elementary.h"
#include "operator/operator.h"

#include <limits.h>
#include <math.h>

const char *const perp_grid_operators[] = {"stencil", "csr", NULL};

static int64_t power(int64_t side, int dimension)
{
  return dimension == 2 ? side * side : side * side * side;
}

perp_error perp_grid_side(const char *owner, int n, int dimension, int given, int *side,
                          perp_message *why)
{
  *side = n == 0 ? given : perp_exact_root(n, dimension);
  if (*side > 0)
    return power(*side, dimension) <= INT_MAX
               ? PERP_OK
               : perp_fail(why, PERP_ERROR_PARAMETER,
                           "%s: a side of %d makes %lld unknowns, at most %d are possible", owner,
                           *side, (long long)power(*side, dimension), INT_MAX);
  int64_t below = 1;
  while (power(below + 1, dimension) < n)
    below++;
  const int64_t above = below + 1;
  return perp_fail(why, PERP_ERROR_PARAMETER,
                   "%s: n = %d is no %s; the nearest are %lld = %lld^%d and %lld = %lld^%d", owner,
                   n, dimension == 2 ? "square" : "cube", (long long)power(below, dimension),
                   (long long)below, dimension, (long long)power(above, dimension),
                   (long long)above, dimension);
}

perp_error perp_grid_operator(const char *owner, const perp_stencil_data *data, int kind,
                              perp_operator **A, perp_message *why)
{
  perp_operator *stencil = NULL;
  const void *const blocks[] = {data->cells, data->wx, data->wy, data->wz, data->diagonal};
  perp_error error = perp_operator_stencil(data, PERP_BORROW, &stencil, why);
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    if (stencil)
      perp_operator_adopt(stencil, (void *)blocks[k]);
    else
      perp_free((void *)blocks[k]);
  }
  if (error)
    return error == PERP_ERROR_MEMORY ? perp_generate_no_memory(owner, why) : error;
  if (kind == PERP_GRID_STENCIL) {
    *A = stencil;
    return PERP_OK;
  }
  error = perp_operator_to_csr(stencil, 0, A, why);
  perp_operator_destroy(stencil);
  return error;
}

/* ---- Planting ---- */

typedef struct share_counts {
  int inside, tight; /* rows; the others sit at a bound with y != 0 */
} share_counts;

static share_counts share(const perp_grid_options *options, int n)
{
  const int inside = (int)(options->active * n + 0.5);
  const int tight = (int)(options->degenerate * n + 0.5);
  return (share_counts){inside, tight > n - inside ? n - inside : tight};
}

/* One row, by its place in the order of dealing. Every row draws the same number of times. */
static void plant_row(perp_random *random, int place, share_counts counts, double lo, double hi,
                      double *x, double *y)
{
  const double share = perp_random_between(random, 0.1, 0.9);
  const double magnitude = perp_random_between(random, 0.1, 1);
  const bool coin = perp_random_below(random, 2) == 1;
  const bool below = isfinite(lo), above = isfinite(hi);
  const double room = perp_min(hi - lo, 1);
  const bool upper = above && (!below || coin);
  const bool inside = place < counts.inside, tight = inside || place < counts.inside + counts.tight;
  *y = 0;
  if (!below && !above) {
    *x = 2 * share - 1;
    return;
  }
  *x = upper ? hi : lo;
  if (inside)
    *x += upper ? -share * room : share * room;
  if (!tight)
    *y = upper ? -magnitude : magnitude;
}

perp_error perp_grid_plant(const char *owner, const perp_grid_options *options, uint64_t seed,
                           perp_instance *instance, perp_message *why)
{
  if (options->active + options->degenerate > 1)
    return perp_fail(why, PERP_ERROR_PARAMETER,
                     "%s: active + degenerate = %g, but shares add up to at most 1", owner,
                     options->active + options->degenerate);
  const int n = perp_operator_size(instance->A);
  perp_random random = perp_random_from(seed);
  int *place = perp_alloc((size_t)n, sizeof *place);
  double *y = perp_alloc((size_t)n, sizeof *y);
  instance->x = perp_alloc((size_t)n, sizeof *instance->x);
  perp_error error = PERP_OK;
  if (!place || !y || !instance->x) {
    error = perp_generate_no_memory(owner, why);
  } else {
    const share_counts counts = share(options, n);
    perp_random_permutation(&random, n, place);
    for (int i = 0; i < n; i++)
      plant_row(&random, place[i], counts, instance->lo ? instance->lo[i] : 0,
                instance->hi ? instance->hi[i] : INFINITY, &instance->x[i], &y[i]);
    error = perp_plant_rhs(instance, y, why);
  }
  perp_free(place);
  perp_free(y);
  return error;
}
