/* plant.c: right-hand sides with a known solution */
#include "generate/generate.h"

#include <math.h>

const char *const perp_plant_forms[] = {"lcp", "mixed", "boxed", NULL};

perp_error perp_generate_no_memory(const char *owner, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", owner);
}

int perp_exact_root(int n, int dimension)
{
  for (int64_t side = 1;; side++) {
    const int64_t power = dimension == 2 ? side * side : side * side * side;
    if (power >= n)
      return power == n ? (int)side : 0;
  }
}

perp_error perp_generate_apply(const perp_operator *A, const double *x, double *y,
                               perp_message *why)
{
  const size_t capacity = (size_t)perp_operator_row_capacity(A);
  int *column = perp_alloc(capacity, sizeof *column);
  double *value = perp_alloc(capacity, sizeof *value);
  perp_error error = column && value ? PERP_OK : perp_generate_no_memory("generate", why);
  for (int i = 0; i < perp_operator_size(A) && !error; i++) {
    int count = 0;
    error = perp_operator_row(A, i, column, value, &count, why);
    double product = 0;
    for (int k = 0; k < count; k++)
      product += value[k] * x[column[k]];
    y[i] = product;
  }
  perp_free(column);
  perp_free(value);
  return error;
}

perp_error perp_plant_rhs(perp_instance *instance, const double *y, perp_message *why)
{
  const int n = perp_operator_size(instance->A);
  instance->b = perp_alloc((size_t)n, sizeof *instance->b);
  if (!instance->b)
    return perp_generate_no_memory("plant", why);
  perp_error error = perp_generate_apply(instance->A, instance->x, instance->b, why);
  for (int i = 0; i < n && !error; i++)
    instance->b[i] = y[i] - instance->b[i];
  return error;
}

typedef enum { INSIDE, AT_BOUND_TIGHT, AT_BOUND } row_state;

/* One LCP row: x >= 0. */
static void plant_plain(perp_random *random, row_state state, double *x, double *y)
{
  const double magnitude = perp_random_between(random, 0.1, 1);
  *x = state == INSIDE ? magnitude : 0;
  *y = state == AT_BOUND ? magnitude : 0;
}

/* One boxed row: lo in [-1, 0), hi in (0, 1]; at lo y >= 0, at hi y <= 0. */
static void plant_boxed(perp_random *random, row_state state, double *lo, double *hi, double *x,
                        double *y)
{
  *lo = perp_random_between(random, -1, -0.1);
  *hi = perp_random_between(random, 0.1, 1);
  const double place = perp_random_between(random, 0.1, 0.9);
  const double magnitude = perp_random_between(random, 0.1, 1);
  const bool upper = perp_random_below(random, 2) == 1;
  *x = state == INSIDE ? *lo + place * (*hi - *lo) : upper ? *hi : *lo;
  *y = state == AT_BOUND ? (upper ? -magnitude : magnitude) : 0;
}

perp_error perp_plant(const char *owner, const perp_planting *plant, perp_random *random,
                      perp_instance *instance, perp_message *why)
{
  if (plant->active + plant->degenerate > 1)
    return perp_fail(why, PERP_ERROR_PARAMETER,
                     "%s: active + degenerate = %g, but shares add up to at most 1", owner,
                     plant->active + plant->degenerate);
  const int n = perp_operator_size(instance->A);
  const bool bounds = plant->form != PERP_PLANT_LCP;
  int *order = perp_alloc((size_t)n, sizeof *order);
  double *y = perp_alloc((size_t)n, sizeof *y);
  instance->x = perp_alloc((size_t)n, sizeof *instance->x);
  if (bounds) {
    instance->lo = perp_alloc((size_t)n, sizeof *instance->lo);
    instance->hi = perp_alloc((size_t)n, sizeof *instance->hi);
  }
  perp_error error = PERP_OK;
  if (!order || !y || !instance->x || (bounds && (!instance->lo || !instance->hi))) {
    error = perp_generate_no_memory(owner, why);
  } else {
    const int free_rows = plant->form == PERP_PLANT_MIXED ? (int)(plant->free * n) : 0;
    const int ruled = n - free_rows;
    const int inside = (int)(plant->active * ruled + 0.5);
    int tight = (int)(plant->degenerate * ruled + 0.5);
    tight = inside + tight > ruled ? ruled - inside : tight;
    perp_random_permutation(random, n, order);
    for (int k = 0; k < n; k++) {
      const int i = order[k];
      const int place = k - free_rows;
      const row_state state = place < inside           ? INSIDE
                              : place < inside + tight ? AT_BOUND_TIGHT
                                                       : AT_BOUND;
      if (k < free_rows) {
        instance->lo[i] = -INFINITY;
        instance->hi[i] = INFINITY;
        instance->x[i] = perp_random_between(random, -1, 1);
        y[i] = 0;
      } else if (plant->form == PERP_PLANT_BOXED) {
        plant_boxed(random, state, &instance->lo[i], &instance->hi[i], &instance->x[i], &y[i]);
      } else {
        plant_plain(random, state, &instance->x[i], &y[i]);
        if (bounds) {
          instance->lo[i] = 0;
          instance->hi[i] = INFINITY;
        }
      }
    }
    error = perp_plant_rhs(instance, y, why);
  }
  perp_free(order);
  perp_free(y);
  return error;
}
