/* making.c: helpers of generators: sparse matrices, operators, planted solutions */
#include "base/elementary.h"
#include "generate/generate.h"
#include "linalg/vector.h"
#include "operator/operator.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- Sparse matrices ---- */

void perp_making_entry(perp_making *m, perp_triplets *t, int row, int column, double value)
{
  m->failed = m->failed || !perp_triplets_push(t, row, column, value);
}

perp_error perp_making_rows(perp_making *m, int rows, int columns, perp_triplets *t,
                            perp_mtx *matrix)
{
  *matrix = (perp_mtx){.path = m->owner};
  const bool fine = !m->failed && perp_mtx_compress(t, rows, columns, matrix);
  if (fine)
    perp_mtx_merge(matrix);
  perp_triplets_free(t);
  return fine ? PERP_OK : perp_making_no_memory(m);
}

perp_error perp_making_sparse(perp_making *m, int n, perp_triplets *t)
{
  perp_mtx A;
  perp_error error = perp_making_rows(m, n, n, t, &A);
  if (!error)
    error = perp_structure_plain(&A, &m->instance->A, m->why);
  perp_mtx_free(&A);
  return error;
}

/* ---- Planting ---- */

const char *const perp_plant_forms[] = {"lcp", "mixed", "boxed", "findex", NULL};

perp_error perp_making_no_memory(const perp_making *m)
{
  return perp_fail(m->why, PERP_ERROR_MEMORY, "%s: out of memory", m->owner);
}

perp_error perp_making_refuse(const perp_making *m, const char *format, ...)
{
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return perp_fail(m->why, PERP_ERROR_PARAMETER, "%s: %s", m->owner, text);
}

bool perp_making_give(size_t count, double **const *pointers)
{
  bool all = true;
  for (; *pointers; pointers++)
    all = (**pointers = perp_alloc(count, sizeof(double))) && all;
  return all;
}

perp_error perp_making_dense(perp_making *m, int n, const double *a)
{
  return perp_operator_dense(n, a, n, PERP_COPY, &m->instance->A, m->why);
}

perp_error perp_making_csr(perp_making *m, perp_operator *A)
{
  const perp_error error = perp_operator_to_csr(A, 0, &m->instance->A, m->why);
  perp_operator_destroy(A);
  return error;
}

static int64_t power(int64_t side, int dimension)
{
  return dimension == 2 ? side * side : side * side * side;
}

int perp_exact_root(int n, int dimension)
{
  int64_t side = 1;
  while (power(side, dimension) < n)
    side++;
  return power(side, dimension) == n ? (int)side : 0;
}

perp_error perp_generate_apply(perp_making *m, const double *x, double *y)
{
  const perp_operator *A = m->instance->A;
  const size_t capacity = (size_t)perp_operator_row_capacity(A);
  int *column;
  double *value;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(column, capacity), PERP_ARRAY(value, capacity)))
    return perp_making_no_memory(m);
  perp_error error = PERP_OK;
  for (int i = 0; i < perp_operator_size(A) && !error; i++) {
    int count = 0;
    error = perp_operator_row(A, i, column, value, &count, m->why);
    y[i] = perp_add_row(0, 0, count, value, column, x);
  }
  return error;
}

perp_error perp_plant_rhs(perp_making *m, const double *y)
{
  perp_instance *instance = m->instance;
  const int n = perp_operator_size(instance->A);
  if (!PERP_GIVE((size_t)n, &instance->b))
    return perp_making_no_memory(m);
  const perp_error error = perp_generate_apply(m, instance->x, instance->b);
  for (int i = 0; i < n && !error; i++)
    instance->b[i] = y[i] - instance->b[i];
  return error;
}

typedef enum { INSIDE, AT_BOUND_TIGHT, AT_BOUND } row_state;

perp_error perp_plant_check(const perp_making *m, double active, double degenerate)
{
  return active + degenerate <= 1
             ? PERP_OK
             : perp_making_refuse(m, "active + degenerate = %g, but shares add up to at most 1",
                                  active + degenerate);
}

/* The number of rows inside their bounds, and of rows at a bound with y = 0. */
typedef struct shares {
  int inside, tight;
} shares;

static shares share(double active, double degenerate, int n)
{
  const int inside = (int)(active * n + 0.5), tight = (int)(degenerate * n + 0.5);
  return (shares){inside, tight > n - inside ? n - inside : tight};
}

/* Returns the state of the k-th row in the random order. */
static row_state state_of(shares s, int k)
{
  return k < s.inside ? INSIDE : k < s.inside + s.tight ? AT_BOUND_TIGHT : AT_BOUND;
}

/* Plants x and y of a row with x >= 0. */
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

/* x and the bounds of row i, and y. */
static void plant_row(perp_making *m, const perp_planting *plant, int i, row_state state, double *y)
{
  perp_instance *instance = m->instance;
  if (plant->form == PERP_PLANT_BOXED) {
    plant_boxed(&m->random, state, &instance->lo[i], &instance->hi[i], &instance->x[i], y);
    return;
  }
  plant_plain(&m->random, state, &instance->x[i], y);
  if (instance->lo) {
    instance->lo[i] = 0;
    instance->hi[i] = INFINITY;
  }
}

/* A contact of three rows: state INSIDE means that it bears a load, AT_BOUND_TIGHT that it touches
 * without one, AT_BOUND that it opens. A tangent of a loaded contact sticks, |x_t| < mu x_n and
 * y_t = 0, or slides, x_t = +-mu x_n and y_t against it; a tangent of an open contact may have any
 * y. */
static void plant_contact(perp_making *m, int first, row_state state, double *y)
{
  perp_instance *instance = m->instance;
  perp_random *random = &m->random;
  const double mu = perp_random_between(random, 0.2, 0.9);
  plant_plain(random, state, &instance->x[first], &y[first]);
  instance->lo[first] = 0;
  instance->hi[first] = INFINITY;
  instance->findex[first] = -1;
  for (int i = first + 1; i < first + 3; i++) {
    const double most = mu * instance->x[first], place = perp_random_between(random, -0.9, 0.9);
    const double magnitude = perp_random_between(random, 0.1, 1);
    const bool slides = perp_random_below(random, 2) == 1, upper = place > 0;
    instance->lo[i] = -mu;
    instance->hi[i] = mu;
    instance->findex[i] = first;
    instance->x[i] = slides ? (upper ? most : -most) : place * most;
    y[i] = state == AT_BOUND_TIGHT || (state == INSIDE && !slides) ? 0
           : upper                                                 ? -magnitude
                                                                   : magnitude;
  }
}

/* Plants contacts instead of rows, and x >= 0 in the rest of n. */
static perp_error plant_contacts(perp_making *m, const perp_planting *plant, int *order, double *y)
{
  perp_instance *instance = m->instance;
  const int n = perp_operator_size(instance->A), contacts = n / 3;
  const shares dealt = share(plant->active, plant->degenerate, contacts);
  instance->findex = perp_alloc((size_t)n, sizeof *instance->findex);
  if (!instance->findex)
    return perp_making_no_memory(m);
  perp_random_permutation(&m->random, contacts, order);
  for (int k = 0; k < contacts; k++)
    plant_contact(m, 3 * order[k], state_of(dealt, k), y);
  for (int i = 3 * contacts; i < n; i++) {
    plant_row(m, plant, i, INSIDE, &y[i]);
    instance->findex[i] = -1;
  }
  instance->kind = PERP_KIND_MULTIPLE;
  return perp_plant_rhs(m, y);
}

perp_error perp_plant(perp_making *m, const perp_planting *plant)
{
  const perp_error error = perp_plant_check(m, plant->active, plant->degenerate);
  if (error)
    return error;
  perp_instance *instance = m->instance;
  const int n = perp_operator_size(instance->A);
  int *order;
  double *y;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(order, n), PERP_ARRAY(y, n)) ||
      !PERP_GIVE((size_t)n, &instance->x) ||
      (plant->form != PERP_PLANT_LCP && !PERP_GIVE((size_t)n, &instance->lo, &instance->hi)))
    return perp_making_no_memory(m);
  if (plant->form == PERP_PLANT_FINDEX)
    return plant_contacts(m, plant, order, y);
  const int free_rows = plant->form == PERP_PLANT_MIXED ? (int)(plant->free * n) : 0;
  const shares dealt = share(plant->active, plant->degenerate, n - free_rows);
  perp_random_permutation(&m->random, n, order);
  for (int k = 0; k < n; k++) {
    const int i = order[k], place = k - free_rows;
    if (place < 0) {
      instance->lo[i] = -INFINITY;
      instance->hi[i] = INFINITY;
      instance->x[i] = perp_random_between(&m->random, -1, 1);
      y[i] = 0;
    } else {
      plant_row(m, plant, i, state_of(dealt, place), &y[i]);
    }
  }
  return perp_plant_rhs(m, y);
}

/* ---- Grids ---- */

const char *const perp_grid_operators[] = {"stencil", "csr", NULL};

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
  return perp_making_refuse(
      m, "n = %d is not a %s; the nearest are %lld = %lld^%d and %lld = %lld^%d", n,
      dimension == 2 ? "square" : "cube", (long long)power(below, dimension), (long long)below,
      dimension, (long long)power(above, dimension), (long long)above, dimension);
}

perp_error perp_grid_operator(perp_making *m, const perp_stencil_data *data, int kind)
{
  perp_operator *stencil = NULL;
  const void *const blocks[] = {data->cells, data->wx, data->wy, data->wz, data->diagonal};
  const perp_error error = perp_operator_stencil(data, PERP_BORROW, &stencil, m->why);
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    if (stencil)
      perp_operator_adopt(stencil, (void *)blocks[k]);
    else
      perp_free((void *)blocks[k]);
  }
  if (error)
    return error == PERP_ERROR_MEMORY ? perp_making_no_memory(m) : error;
  if (kind == PERP_GRID_CSR)
    return perp_making_csr(m, stencil);
  m->instance->A = stencil;
  return PERP_OK;
}

/* ---- Planting between given bounds ---- */

/* Plants one row, given its place in the random order. Every row draws the same number of times. */
static void grid_plant_row(perp_random *random, int place, shares dealt, double lo, double hi,
                           double *x, double *y)
{
  const double share = perp_random_between(random, 0.1, 0.9);
  const double magnitude = perp_random_between(random, 0.1, 1);
  const bool coin = perp_random_below(random, 2) == 1;
  const bool below = isfinite(lo), above = isfinite(hi);
  const double room = perp_min(hi - lo, 1);
  const bool upper = above && (!below || coin);
  const row_state state = state_of(dealt, place);
  *y = 0;
  if (!below && !above) {
    *x = 2 * share - 1;
    return;
  }
  *x = upper ? hi : lo;
  if (state == INSIDE)
    *x += upper ? -share * room : share * room;
  if (state == AT_BOUND)
    *y = upper ? -magnitude : magnitude;
}

perp_error perp_grid_plant(perp_making *m, const perp_grid_options *options)
{
  const perp_error error = perp_plant_check(m, options->active, options->degenerate);
  if (error)
    return error;
  perp_instance *instance = m->instance;
  const int n = perp_operator_size(instance->A);
  int *place;
  double *y;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(place, n), PERP_ARRAY(y, n)) ||
      !PERP_GIVE((size_t)n, &instance->x))
    return perp_making_no_memory(m);
  const shares dealt = share(options->active, options->degenerate, n);
  perp_random_permutation(&m->random, n, place);
  for (int i = 0; i < n; i++)
    grid_plant_row(&m->random, place[i], dealt, instance->lo ? instance->lo[i] : 0,
                   instance->hi ? instance->hi[i] : INFINITY, &instance->x[i], &y[i]);
  perp_free(instance->b);
  instance->b = NULL;
  return perp_plant_rhs(m, y);
}
