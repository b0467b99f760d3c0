/* dense.c: a full matrix, row major with a stride
 *
 * Products and sweeps process four rows at a time (linalg/dot.h).
 *
 * A sweep is still exact Gauss-Seidel: for the rows i1..i4 of a group, without the group's own
 * columns (in forward order they are four adjacent ones) or with its own x set to zero,
 *
 *   s_k = sum_{j not in the group} A_kj x_j                  the four products at once
 *   t = -(b_k + s_k + sum_{j in the group, j != k} A_kj x_j) / A_kk      one row after another,
 *                                                       the rows behind k first, then those before
 *   x_k <- P_k( (1 - omega) x_k + omega t )
 *
 * Sweeps run in one thread: a row is too little work to share, and the next row waits for it.
 * Workspace of a relaxation: the inverse diagonal, and the order of the rows by colour. */
#include "base/kernel.h"
#include "base/threads.h"
#include "linalg/dot.h"
#include "linalg/vector.h"
#include "operator/relax.h"

#include <assert.h>

enum { GROUP = 4, APPLY_GRAIN = 16 * GROUP, COLUMN_GRAIN = 512 };

typedef struct dense_operator {
  perp_operator base;
  const double *a;
  int64_t stride;
} dense_operator;

static const dense_operator *dense_of(const perp_operator *A)
{
  return (const dense_operator *)A;
}

static const double *dense_row(const perp_operator *A, int64_t i)
{
  return dense_of(A)->a + i * dense_of(A)->stride;
}

/* ---- Products ---- */

typedef struct apply_context {
  const perp_operator *A;
  const double *x;
  double *y;
} apply_context;

/* Groups start at multiples of GROUP, however the range is divided. */
static void apply_rows(void *context, int64_t begin, int64_t end)
{
  const apply_context *c = context;
  const perp_operator *A = c->A;
  int64_t i = begin;
  for (; i + GROUP <= end; i += GROUP)
    perp_dot_four(A->n, dense_row(A, i), dense_row(A, i + 1), dense_row(A, i + 2),
                  dense_row(A, i + 3), c->x, c->y + i);
  for (; i < end; i++)
    c->y[i] = perp_dot_row(A->n, dense_row(A, i), c->x);
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  apply_context context = {A, x, y};
  perp_parallel_for(work->threads, A->n, APPLY_GRAIN, apply_rows, &context);
}

/* y_j = sum_i A_ij x_i for a range of columns, by ascending i. */
static void apply_columns(void *context, int64_t begin, int64_t end)
{
  const apply_context *c = context;
  double *restrict y = c->y;
  for (int64_t j = begin; j < end; j++)
    y[j] = 0;
  for (int i = 0; i < c->A->n; i++) {
    const double *restrict a = dense_row(c->A, i);
    const double x_i = c->x[i];
    for (int64_t j = begin; j < end; j++)
      y[j] += a[j] * x_i;
  }
}

static void apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  apply_context context = {A, x, y};
  perp_parallel_for(work->threads, A->n, COLUMN_GRAIN, apply_columns, &context);
}

/* ---- Entries ---- */

static void diagonal(const perp_operator *A, double *d)
{
  for (int i = 0; i < A->n; i++)
    d[i] = dense_row(A, i)[i];
}

/* Zeros are left out, so that callers see which rows are coupled. */
static int row(const perp_operator *A, int i, int *columns, double *value)
{
  const double *a = dense_row(A, i);
  int count = 0;
  for (int j = 0; j < A->n; j++)
    if (a[j] != 0) {
      columns[count] = j;
      value[count++] = a[j];
    }
  return count;
}

static double row_product(const perp_operator *A, int i, const double *x)
{
  return perp_dot_row(A->n, dense_row(A, i), x);
}

static int column(const perp_operator *A, int j, int *rows, double *value)
{
  int count = 0;
  for (int i = 0; i < A->n; i++)
    if (dense_row(A, i)[j] != 0) {
      rows[count] = i;
      value[count++] = dense_row(A, i)[j];
    }
  return count;
}

/* ---- Relaxation ---- */

typedef struct dense_relaxer {
  perp_relaxer base;
  perp_bounds bounds;
  const double *inverse; /* 1 / A_ii */
  const int *order;      /* the rows by colour; NULL if no coloured sweep will be used */
} dense_relaxer;

/* A group of rows in a sweep: x of the group, new for the rows already relaxed, and the largest
 * A_ii |step of x_i| of the sweep so far. */
typedef struct group {
  double v[GROUP], moved;
} group;

/* Relaxes row i, the k-th of the group: s = sum of A_ij x_j over the columns outside the group,
 * `own` has its entries in the group's columns. Returns the new x_i. */
KERNEL double relax_row(const dense_relaxer *r, double omega, int i, int k, int rows, double s,
                        const double *own, group *g, perp_part part)
{
  double sum = r->base.b[i] + s;
  for (int l = k + 1; l < rows; l++)
    sum += own[l] * g->v[l];
  for (int l = 0; l < k; l++) /* last, since they have just been computed */
    sum += own[l] * g->v[l];
  const double old = g->v[k], t = (1 - omega) * old - omega * sum * r->inverse[i];
  g->v[k] = perp_bounds_project(part, &r->bounds, r->base.x, i, t);
  const double moved = own[k] * fabs(g->v[k] - old);
  g->moved = moved > g->moved ? moved : g->moved;
  return g->v[k];
}

/* Relaxes the four rows from `first` on, a multiple of four, in a forward sweep. */
KERNEL double relax_four(const dense_relaxer *r, double omega, int first, double moved,
                         perp_part part)
{
  const perp_operator *A = r->base.A;
  const double *a0 = dense_row(A, first), *a1 = dense_row(A, first + 1),
               *a2 = dense_row(A, first + 2), *a3 = dense_row(A, first + 3);
  double *x = r->base.x + first, s[GROUP];
  group g = {{x[0], x[1], x[2], x[3]}, moved};
  perp_dot_four_except(A->n, first, a0, a1, a2, a3, r->base.x, s);
  x[0] = relax_row(r, omega, first, 0, GROUP, s[0], a0 + first, &g, part);
  x[1] = relax_row(r, omega, first + 1, 1, GROUP, s[1], a1 + first, &g, part);
  x[2] = relax_row(r, omega, first + 2, 2, GROUP, s[2], a2 + first, &g, part);
  x[3] = relax_row(r, omega, first + 3, 3, GROUP, s[3], a3 + first, &g, part);
  /* stored again in pairs, so that later loads of pairs can be forwarded from the stores */
  *(perp_two *)x = (perp_two){g.v[0], g.v[1]};
  *(perp_two *)(x + 2) = (perp_two){g.v[2], g.v[3]};
  return g.moved;
}

/* Relaxes all rows in groups of four, up to a rest. */
KERNEL double sweep_forward(const dense_relaxer *r, double omega, perp_part part)
{
  double moved = 0;
  for (int first = 0; first + GROUP <= r->base.A->n; first += GROUP)
    moved = relax_four(r, omega, first, moved, part);
  return moved;
}

/* omega = 1 is compiled as a constant: each row waits for the one before, and this saves a
 * multiplication in the chain. */
KERNEL double sweep_forward_any(const dense_relaxer *r, double omega)
{
  const perp_part part = r->bounds.part;
  return part == PERP_PART_PLAIN ? sweep_forward(r, omega, PERP_PART_PLAIN)
         : part == PERP_PART_BOX ? sweep_forward(r, omega, PERP_PART_BOX)
                                 : sweep_forward(r, omega, PERP_PART_FINDEX);
}

/* Relaxes the rows i[0], i[1], ... of a group, in any order. */
static void relax_group(const dense_relaxer *r, double omega, int rows, const int i[GROUP],
                        group *g)
{
  const perp_operator *A = r->base.A;
  double *x = r->base.x, s[GROUP], own[GROUP];
  for (int k = 0; k < rows; k++) {
    g->v[k] = x[i[k]];
    x[i[k]] = 0;
  }
  if (rows == GROUP)
    perp_dot_four(A->n, dense_row(A, i[0]), dense_row(A, i[1]), dense_row(A, i[2]),
                  dense_row(A, i[3]), x, s);
  else
    for (int k = 0; k < rows; k++)
      s[k] = perp_dot_row(A->n, dense_row(A, i[k]), x);
  for (int k = 0; k < rows; k++)
    x[i[k]] = g->v[k];
  for (int k = 0; k < rows; k++) {
    for (int l = 0; l < rows; l++)
      own[l] = dense_row(A, i[k])[i[l]];
    x[i[k]] = relax_row(r, omega, i[k], k, rows, s[k], own, g, r->bounds.part);
  }
}

static void sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  dense_relaxer *r = (dense_relaxer *)relaxer;
  const int n = relaxer->A->n;
  group g = {{0}, 0};
  int first = 0;
  if (order == PERP_FORWARD) {
    g.moved = omega == 1 ? sweep_forward_any(r, 1) : sweep_forward_any(r, omega);
    first = n - n % GROUP;
  }
  for (; first < n; first += GROUP) {
    const int rows = n - first < GROUP ? n - first : GROUP;
    int i[GROUP] = {0};
    for (int k = 0; k < rows; k++)
      i[k] = order == PERP_FORWARD    ? first + k
             : order == PERP_BACKWARD ? n - 1 - first - k
                                      : r->order[first + k];
    relax_group(r, omega, rows, i, &g);
  }
  relaxer->moved = g.moved;
}

static perp_error relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                 unsigned orders, perp_arena *arena, perp_relaxer **relaxer)
{
  (void)b;
  dense_relaxer *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || perp_bounds_create(K, arena, &r->bounds))
    return PERP_ERROR_MEMORY;
  r->inverse = perp_inverse_diagonal(A, arena);
  if (!r->inverse)
    return PERP_ERROR_MEMORY;
  if (orders & 1u << PERP_COLOURED) {
    perp_colouring colouring;
    if (perp_operator_colour(A, K, arena, &colouring))
      return PERP_ERROR_MEMORY;
    r->order = colouring.order;
  }
  r->base.sweep = sweep;
  *relaxer = &r->base;
  return PERP_OK;
}

/* ---- Construction ---- */

static perp_error check_values(int n, const double *a, int64_t stride, perp_message *why)
{
  if (stride == n && perp_all_finite((int64_t)n * n, a))
    return PERP_OK;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (!isfinite(a[i * stride + j]))
        return perp_fail(why, PERP_ERROR_PROBLEM, "A(%d,%d) = %g is not finite", i, j,
                         a[i * stride + j]);
  return PERP_OK;
}

/* Works in tiles, so that reads across the rows use whole cache lines. */
static bool is_symmetric(int n, const double *a, int64_t stride)
{
  enum { TILE = 8 };
  for (int i0 = 0; i0 < n; i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE) {
      bool same = true;
      for (int i = i0; i < n && i < i0 + TILE; i++)
        for (int j = j0; j < i && j < j0 + TILE; j++)
          same &= a[i * stride + j] == a[j * stride + i];
      if (!same)
        return false;
    }
  return true;
}

static perp_error refresh(perp_operator *A, perp_message *why)
{
  const dense_operator *dense = dense_of(A);
  A->symmetric = is_symmetric(A->n, dense->a, dense->stride);
  return check_values(A->n, dense->a, dense->stride, why);
}

static const perp_operator_table table = {
    .kind = "dense",
    .has_rows = true,
    .exact_rows = true,
    .relaxes_empty_rows = true,
    .refresh = refresh,
    .apply = apply,
    .apply_t = apply_t,
    .diagonal = diagonal,
    .row = row,
    .row_product = row_product,
    .column = column,
    .relaxer = relaxer_create,
};

/* Copies the rows without gaps, whatever the stride of the source. */
static double *copy_rows(int n, const double *a, int64_t stride)
{
  double *copy = n == 0 || (size_t)n <= SIZE_MAX / (size_t)n
                     ? perp_alloc((size_t)n * (size_t)n, sizeof *copy)
                     : NULL;
  for (int64_t i = 0; copy && i < n; i++)
    for (int64_t j = 0; j < n; j++)
      copy[i * n + j] = a[i * stride + j];
  return copy;
}

perp_error perp_operator_dense(int n, const double *a, int64_t stride, perp_storage storage,
                               perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  *A = NULL;
  if (n < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: n = %d is negative", n);
  if (n > 0 && !a)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: the array is NULL, n = %d", n);
  if (stride < n)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A: stride = %lld is less than n = %d",
                     (long long)stride, n);
  const perp_error error = check_values(n, a, stride, why);
  if (error)
    return error;

  dense_operator *dense = perp_alloc_zero(1, sizeof *dense);
  double *copy = storage == PERP_COPY ? copy_rows(n, a, stride) : NULL;
  if (!dense || (storage == PERP_COPY && !copy)) {
    perp_free(dense);
    perp_free(copy);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A, n = %d", n);
  }
  dense->base =
      (perp_operator){.table = &table, .n = n, .nonzeros = (int64_t)n * n, .row_capacity = n};
  dense->base.symmetric = is_symmetric(n, a, stride);
  dense->a = copy ? copy : a;
  dense->stride = copy ? n : stride;
  perp_operator_adopt(&dense->base, copy);
  perp_operator_renew(&dense->base);
  *A = &dense->base;
  return PERP_OK;
}

perp_error perp_operator_dense_replace(perp_operator *A, int n, const double *a, int64_t stride,
                                       perp_message *why)
{
  assert(A->table == &table && !A->owned[0] && stride >= n);
  dense_operator *dense = (dense_operator *)A;
  dense->a = a;
  dense->stride = stride;
  A->n = A->row_capacity = n;
  A->nonzeros = (int64_t)n * n;
  return perp_operator_refresh(A, why);
}

perp_error perp_operator_dense_array(const perp_operator *A, const double **a, int64_t *stride)
{
  if (!A || A->table != &table)
    return PERP_ERROR_ARGUMENT;
  *a = dense_of(A)->a;
  *stride = dense_of(A)->stride;
  return PERP_OK;
}
