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

perp_error perp_grid_side(const perp_making *m, int n, int dimension, int given, int *side)
{
  *side = n == 0 ? given : perp_exact_root(n, dimension);
  if (*side > 0)
    return power(*side, dimension) <= INT_MAX
               ? PERP_OK
               : perp_making_refuse(m, "a side of %d makes %lld unknowns, at most %d are possible",
                                    *side, (long long)power(*side, dimension), INT_MAX);
  int64_t below = 1;
  while (power(below + 1, dimension) < n)
    below++;
  const int64_t above = below + 1;
  return perp_making_refuse(m, "n = %d is no %s; the nearest are %lld = %lld^%d and %lld = %lld^%d",
                            n, dimension == 2 ? "square" : "cube",
                            (long long)power(below, dimension), (long long)below, dimension,
                            (long long)power(above, dimension), (long long)above, dimension);
}

perp_error perp_grid_operator(perp_making *m, const perp_stencil_data *data, int kind)
{
  perp_operator *stencil = NULL;
  const void *const blocks[] = {data->cells, data->wx, data->wy, data->wz, data->diagonal};
  perp_error error = perp_operator_stencil(data, PERP_BORROW, &stencil, m->why);
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    if (stencil)
      perp_operator_adopt(stencil, (void *)blocks[k]);
    else
      perp_free((void *)blocks[k]);
  }
  if (error)
    return error == PERP_ERROR_MEMORY ? perp_making_no_memory(m) : error;
  if (kind == PERP_GRID_STENCIL) {
    m->instance->A = stencil;
    return PERP_OK;
  }
  error = perp_operator_to_csr(stencil, 0, &m->instance->A, m->why);
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

perp_error perp_grid_plant(perp_making *m, const perp_grid_options *options)
{
  if (options->active + options->degenerate > 1)
    return perp_making_refuse(m, "active + degenerate = %g, but shares add up to at most 1",
                              options->active + options->degenerate);
  perp_instance *instance = m->instance;
  const int n = perp_operator_size(instance->A);
  int *place;
  double *y;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(place, n), PERP_ARRAY(y, n)) ||
      !PERP_GIVE((size_t)n, &instance->x))
    return perp_making_no_memory(m);
  const share_counts counts = share(options, n);
  perp_random_permutation(&m->random, n, place);
  for (int i = 0; i < n; i++)
    plant_row(&m->random, place[i], counts, instance->lo ? instance->lo[i] : 0,
              instance->hi ? instance->hi[i] : INFINITY, &instance->x[i], &y[i]);
  perp_free(instance->b);
  instance->b = NULL;
  return perp_plant_rhs(m, y);
}
