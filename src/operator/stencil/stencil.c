/* stencil.c: 5-point and 7-point grid operators, never assembled
 *
 *   (A x)_c = diagonal_c x_c - sum over the neighbours d of c that are unknowns of w_cd x_d
 *
 * on nx x ny x nz cells, some or all of which are unknowns. A is symmetric: a face has one weight
 * for both sides. If every cell is an unknown, a product runs over grid rows in contiguous memory;
 * neighbours beyond the border are read from a row of zeros. If cells are masked, a map from cells
 * to unknowns finds the neighbours.
 *
 * Creation examines weights and diagonals: if all used ones are equal, the kernels read none.
 * Product: one pass over x, y and the varying coefficients. Memory besides the arrays or their
 * copies: 4 bytes per cell if cells are masked. */
#include "operator/stencil/stencil.h"
#include "base/kernel.h"
#include "base/sized.h"

#include "base/threads.h"
#include "linalg/wide.h"
#include "verdict/twice.h"

#include <limits.h>
#include <math.h>

enum { ROW_GRAIN_CELLS = 1 << 14 };
enum { CELLS = 256 }; /* cells whose gradients are summed together */

/* ---- Products ---- */

/* One grid row of a product: the adjacent rows, and the weights of its faces. */
typedef struct product_row {
  int nx;
  double weight, diagonal;                           /* if they are common */
  const double *x, *up, *down, *front, *back;        /* x in this row and at j-1, j+1, k-1, k+1 */
  const double *d, *wx, *wy, *wy_up, *wz, *wz_front; /* if they vary */
} product_row;

/* Returns y_i; `sides` is the contribution of the left and right neighbours. */
static inline double product_cell(const product_row *r, int i, double sides, perp_stencil_mode mode,
                                  bool solid)
{
  double sum;
  if (mode == PERP_STENCIL_WEIGHTED) {
    sum = sides + (r->wy_up[i] * r->up[i] + r->wy[i] * r->down[i]);
    if (solid)
      sum += r->wz_front[i] * r->front[i] + r->wz[i] * r->back[i];
  } else {
    sum = sides + (r->up[i] + r->down[i]);
    if (solid)
      sum += r->front[i] + r->back[i];
    sum *= r->weight;
  }
  return (mode == PERP_STENCIL_UNIFORM ? r->diagonal : r->d[i]) * r->x[i] - sum;
}

static inline double product_sides(const product_row *r, int i, bool left, bool right,
                                   perp_stencil_mode mode)
{
  const bool weighted = mode == PERP_STENCIL_WEIGHTED;
  return (left ? (weighted ? r->wx[i - 1] * r->x[i - 1] : r->x[i - 1]) : 0.0) +
         (right ? (weighted ? r->wx[i] * r->x[i + 1] : r->x[i + 1]) : 0.0);
}

KERNEL void product_row_apply(product_row r, double *restrict y, perp_stencil_mode mode, bool solid)
{
  const int last = r.nx - 1;
  y[0] = product_cell(&r, 0, product_sides(&r, 0, false, last > 0, mode), mode, solid);
  for (int i = 1; i < last; i++)
    y[i] = product_cell(&r, i, product_sides(&r, i, true, true, mode), mode, solid);
  if (last > 0)
    y[last] = product_cell(&r, last, product_sides(&r, last, true, false, mode), mode, solid);
}

static void product_row_switch(const product_row *r, double *y, perp_stencil_mode mode, bool solid)
{
  if (mode == PERP_STENCIL_UNIFORM && !solid)
    product_row_apply(*r, y, PERP_STENCIL_UNIFORM, false);
  else if (mode == PERP_STENCIL_UNIFORM)
    product_row_apply(*r, y, PERP_STENCIL_UNIFORM, true);
  else if (mode == PERP_STENCIL_DIAGONAL)
    product_row_apply(*r, y, PERP_STENCIL_DIAGONAL, solid);
  else
    product_row_apply(*r, y, PERP_STENCIL_WEIGHTED, solid);
}

typedef struct product {
  const perp_stencil *s;
  const double *x;
  double *y;
} product;

/* Processes rows begin .. end-1 of a grid without masked cells. Border faces have weight zero
 * whatever the arrays hold there. */
static void product_rows(void *context, int64_t begin, int64_t end)
{
  const product *p = context;
  const perp_stencil *s = p->s;
  const int64_t nx = s->data.nx, ny = s->data.ny, nz = s->data.nz, plane = nx * ny;
  const bool weighted = s->mode == PERP_STENCIL_WEIGHTED, varied = s->mode != PERP_STENCIL_UNIFORM;
  for (int64_t row = begin; row < end; row++) {
    const int64_t c = row * nx, j = row % ny, k = row / ny;
    const bool up = j > 0, down = j<ny - 1, front = k> 0, back = k < nz - 1;
    const product_row r = {
        .nx = s->data.nx,
        .weight = s->weight,
        .diagonal = s->diagonal,
        .x = p->x + c,
        .up = up ? p->x + c - nx : s->zeros,
        .down = down ? p->x + c + nx : s->zeros,
        .front = front ? p->x + c - plane : s->zeros,
        .back = back ? p->x + c + plane : s->zeros,
        .d = varied ? s->data.diagonal + c : NULL,
        .wx = weighted ? s->wx + c : NULL,
        .wy = weighted && down ? s->wy + c : s->zeros,
        .wy_up = weighted && up ? s->wy + c - nx : s->zeros,
        .wz = weighted && back ? s->wz + c : s->zeros,
        .wz_front = weighted && front ? s->wz + c - plane : s->zeros,
    };
    product_row_switch(&r, p->y + c, s->mode, s->solid);
  }
}

/* Processes unknowns begin .. end-1 of a masked grid. */
static void product_unknowns(void *context, int64_t begin, int64_t end)
{
  const product *p = context;
  const perp_stencil *s = p->s;
  const int nx = s->data.nx, ny = s->data.ny, size[3] = {nx, ny, s->data.nz};
  const int step[3] = {1, nx, nx * ny};
  const double *const w[3] = {s->wx, s->wy, s->wz};
  int at[3] = {0, 0, 0}, before = INT_MIN;
  for (int64_t u = begin; u < end; u++) {
    const int c = s->data.cells[u];
    /* unknowns are mostly consecutive along a row, which saves the division */
    if (c - 1 == before && at[0] + 1 < nx) {
      at[0]++;
    } else {
      at[0] = c % nx;
      at[1] = c / nx % ny;
      at[2] = c / step[2];
    }
    before = c;
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
      const int lower = at[axis] > 0 ? s->unknown[c - step[axis]] : -1;
      const int upper = at[axis] < size[axis] - 1 ? s->unknown[c + step[axis]] : -1;
      if (lower >= 0)
        sum += perp_stencil_weight(s, w[axis], c - step[axis]) * p->x[lower];
      if (upper >= 0)
        sum += perp_stencil_weight(s, w[axis], c) * p->x[upper];
    }
    p->y[u] = perp_stencil_diagonal(s, c) * p->x[u] - sum;
  }
}

static void apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  const perp_stencil *s = (const perp_stencil *)A;
  product p = {s, x, y};
  if (s->full)
    perp_parallel_for(work->threads, (int64_t)s->data.ny * s->data.nz,
                      1 + ROW_GRAIN_CELLS / s->data.nx, product_rows, &p);
  else
    perp_parallel_for(work->threads, A->n, ROW_GRAIN_CELLS, product_unknowns, &p);
}

/* ---- Entries ---- */

static void diagonal(const perp_operator *A, double *d)
{
  const perp_stencil *s = (const perp_stencil *)A;
  for (int u = 0; u < A->n; u++)
    d[u] = perp_stencil_diagonal(s, perp_stencil_cell(s, u));
}

/* Inserts an entry into a row and keeps the columns ascending. */
static int row_insert(int count, int u, double entry, int *column, double *value)
{
  int at = count;
  for (; at > 0 && column[at - 1] > u; at--) {
    column[at] = column[at - 1];
    value[at] = value[at - 1];
  }
  column[at] = u;
  value[at] = entry;
  return count + 1;
}

static int row(const perp_operator *A, int u, int *column, double *value)
{
  const perp_stencil *s = (const perp_stencil *)A;
  const int c = perp_stencil_cell(s, u), nx = s->data.nx, ny = s->data.ny;
  const int at[3] = {c % nx, c / nx % ny, c / nx / ny}, size[3] = {nx, ny, s->data.nz};
  const int step[3] = {1, nx, nx * ny};
  const double *const w[3] = {s->wx, s->wy, s->wz};
  int count = row_insert(0, u, perp_stencil_diagonal(s, c), column, value);
  for (int axis = 0; axis < 3; axis++) {
    const int before = at[axis] > 0 ? perp_stencil_unknown(s, c - step[axis]) : -1;
    const int after = at[axis] < size[axis] - 1 ? perp_stencil_unknown(s, c + step[axis]) : -1;
    if (before >= 0)
      count = row_insert(count, before, -perp_stencil_weight(s, w[axis], c - step[axis]), column,
                         value);
    if (after >= 0)
      count = row_insert(count, after, -perp_stencil_weight(s, w[axis], c), column, value);
  }
  return count;
}

/* ---- Checking the values and finding common ones ---- */

typedef struct survey {
  int64_t faces;
  bool one_weight, one_diagonal;
  double weight, diagonal; /* the first values seen */
} survey;

static perp_error bad_value(const perp_stencil *s, const char *name, int c, double value,
                            perp_message *why)
{
  const int nx = s->data.nx, ny = s->data.ny;
  return perp_fail(why, PERP_ERROR_PROBLEM, "%s[%d] = %g at cell (%d, %d, %d) is not finite", name,
                   c, value, c % nx, c / nx % ny, c / nx / ny);
}

/* Checks the face between an unknown cell and its neighbour at +step, if that is an unknown too. */
static perp_error survey_face(const perp_stencil *s, survey *v, const char *name, const double *w,
                              int c, int step, perp_message *why)
{
  if (perp_stencil_unknown(s, c + step) < 0)
    return PERP_OK;
  const double weight = w ? w[c] : s->data.weight;
  if (!isfinite(weight))
    return bad_value(s, name, c, weight, why);
  if (v->faces++ == 0)
    v->weight = weight;
  v->one_weight = v->one_weight && weight == v->weight;
  return PERP_OK;
}

static perp_error survey_cell(const perp_stencil *s, survey *v, int i, int j, int k, bool first,
                              perp_message *why)
{
  const perp_stencil_data *data = &s->data;
  const int plane = data->nx * data->ny, c = k * plane + j * data->nx + i;
  if (data->diagonal) {
    const double d = data->diagonal[c];
    if (!isfinite(d))
      return bad_value(s, "diagonal", c, d, why);
    if (first)
      v->diagonal = d;
    v->one_diagonal = v->one_diagonal && d == v->diagonal;
  }
  perp_error error = PERP_OK;
  if (i < data->nx - 1)
    error = survey_face(s, v, "wx", s->wx, c, 1, why);
  if (!error && j < data->ny - 1)
    error = survey_face(s, v, "wy", s->wy, c, data->nx, why);
  if (!error && k < data->nz - 1)
    error = survey_face(s, v, "wz", s->wz, c, plane, why);
  return error;
}

static perp_error refresh(perp_operator *A, perp_message *why)
{
  perp_stencil *s = (perp_stencil *)A;
  const perp_stencil_data *data = &s->data;
  survey v = {.one_weight = true, .one_diagonal = true};
  v.diagonal = (s->solid ? 6 : 4) * data->weight;
  bool first = true;
  for (int k = 0, c = 0; k < data->nz; k++) {
    for (int j = 0; j < data->ny; j++) {
      for (int i = 0; i < data->nx; i++, c++) {
        if (perp_stencil_unknown(s, c) < 0)
          continue;
        const perp_error error = survey_cell(s, &v, i, j, k, first, why);
        if (error)
          return error;
        first = false;
      }
    }
  }
  s->weight = v.weight;
  s->diagonal = v.diagonal;
  s->mode = !v.one_weight     ? PERP_STENCIL_WEIGHTED
            : !v.one_diagonal ? PERP_STENCIL_DIAGONAL
                              : PERP_STENCIL_UNIFORM;
  A->nonzeros = A->n + 2 * v.faces;
  return PERP_OK;
}

/* ---- The gradient in double-double precision ---- */

typedef struct gradient_of {
  const perp_stencil *s;
  const double *x, *b;
  double *y;
} gradient_of;

/* high + low -= w x, with one weight if w is NULL */
KERNEL void take_terms(int count, const double *w, double weight, const double *x, double *high,
                       double *low)
{
  for (int i = 0; i < count; i++)
    perp_twice_add(w ? -w[i] : -weight, x[i], high + i, low + i);
}

/* Processes `count` cells of a row of a grid without masked cells, from cell c = (i, j, k) on. */
KERNEL void cells_gradient(const gradient_of *g, int64_t c, int i, int64_t j, int64_t k, int count)
{
  const perp_stencil *s = g->s;
  const int64_t nx = s->data.nx, ny = s->data.ny, nz = s->data.nz, plane = nx * ny;
  const bool weighted = s->mode == PERP_STENCIL_WEIGHTED;
  const int left = i == 0, right = i + count == nx;
  const double *x = g->x + c, *wx = weighted ? s->wx + c : NULL;
  const double *wy = weighted ? s->wy + c : NULL, *wz = weighted && s->solid ? s->wz + c : NULL;
  double *y = g->y + c, low[CELLS] = {0};
  for (int m = 0; m < count; m++) {
    y[m] = g->b[c + m];
    perp_twice_add(perp_stencil_diagonal(s, (int)c + m), x[m], y + m, low + m);
  }
  take_terms(count - left, wx ? wx + left - 1 : NULL, s->weight, x + left - 1, y + left,
             low + left);
  take_terms(count - right, wx, s->weight, x + 1, y, low);
  if (j > 0)
    take_terms(count, wy ? wy - nx : NULL, s->weight, x - nx, y, low);
  if (j < ny - 1)
    take_terms(count, wy, s->weight, x + nx, y, low);
  if (k > 0)
    take_terms(count, wz ? wz - plane : NULL, s->weight, x - plane, y, low);
  if (k < nz - 1)
    take_terms(count, wz, s->weight, x + plane, y, low);
  for (int m = 0; m < count; m++)
    y[m] += low[m];
}

KERNEL void rows_kernel(const gradient_of *g, int64_t begin, int64_t end)
{
  const int nx = g->s->data.nx, ny = g->s->data.ny;
  for (int64_t row = begin; row < end; row++)
    for (int i = 0; i < nx; i += CELLS)
      cells_gradient(g, row * nx + i, i, row % ny, row / ny, nx - i < CELLS ? nx - i : CELLS);
}

/* Processes unknowns begin .. end-1 of a masked grid. */
KERNEL void unknowns_kernel(const gradient_of *g, int64_t begin, int64_t end)
{
  enum { MOST = 7 };
  for (int64_t u = begin; u < end; u++) {
    int column[MOST];
    double value[MOST], high = g->b[u], low = 0;
    const int count = row(&g->s->base, (int)u, column, value);
    for (int t = 0; t < count; t++)
      perp_twice_add(value[t], g->x[column[t]], &high, &low);
    g->y[u] = high + low;
  }
}

FUSED_BODY(gradient_rows, rows_kernel)
FUSED_BODY(gradient_unknowns, unknowns_kernel)

static void gradient(const perp_operator *A, const double *x, const double *b, double *y,
                     const perp_work *work, double *room)
{
  const perp_stencil *s = (const perp_stencil *)A;
  gradient_of g = {s, x, b, y};
  (void)room;
  if (s->full)
    perp_parallel_for(work->threads, (int64_t)s->data.ny * s->data.nz,
                      1 + ROW_GRAIN_CELLS / s->data.nx, FUSED(gradient_rows), &g);
  else
    perp_parallel_for(work->threads, A->n, ROW_GRAIN_CELLS, FUSED(gradient_unknowns), &g);
}

static const perp_operator_table stencil_table = {
    .kind = "stencil",
    .refresh = refresh,
    .apply = apply,
    .apply_t = apply,
    .gradient = gradient,
    .exact_rows = true,
    .diagonal = diagonal,
    .row = row,
    .column = row,
    .relaxer = perp_stencil_relaxer,
};

/* ---- Construction ---- */

static perp_error check_data(const perp_stencil_data *d, perp_message *why)
{
  if (d->nx < 1 || d->ny < 1 || d->nz < 1)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a grid of %d x %d x %d cells: every side must be at least 1 (nz = 1 in the "
                     "plane)",
                     d->nx, d->ny, d->nz);
  if ((int64_t)d->nx * d->ny > INT_MAX || (int64_t)d->nx * d->ny * d->nz > INT_MAX)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a grid of %d x %d x %d cells has more than %d of them", d->nx, d->ny, d->nz,
                     INT_MAX);
  if (d->cells && d->unknowns < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "unknowns = %d is negative", d->unknowns);
  const bool all = d->wx && d->wy && (d->nz == 1 || d->wz);
  if (!all && (d->wx || d->wy || (d->nz > 1 && d->wz)))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "face weights are not given for all directions");
  if (all && !d->diagonal)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "face weights are given without a diagonal");
  if (!all && !isfinite(d->weight))
    return perp_fail(why, PERP_ERROR_PROBLEM, "weight = %g is not finite", d->weight);
  return PERP_OK;
}

/* Copies an array; the operator owns the copy. NULL stays NULL. */
static perp_error take_copy(perp_operator *A, const void *source, size_t count, size_t size,
                            const void **copy)
{
  *copy = NULL;
  if (!source)
    return PERP_OK;
  void *block = perp_alloc_copy(source, count, size);
  perp_operator_adopt(A, block);
  *copy = block;
  return block ? PERP_OK : PERP_ERROR_MEMORY;
}

static perp_error copy_arrays(perp_stencil *s)
{
  const size_t cells = (size_t)s->cells;
  perp_stencil_data *d = &s->data;
  const double **const arrays[] = {&d->wx, &d->wy, &d->wz, &d->diagonal};
  const void *copy;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    if (take_copy(&s->base, *arrays[k], cells, sizeof(double), &copy))
      return PERP_ERROR_MEMORY;
    *arrays[k] = copy;
  }
  if (take_copy(&s->base, d->cells, (size_t)s->base.n, sizeof(int), &copy))
    return PERP_ERROR_MEMORY;
  d->cells = copy;
  return PERP_OK;
}

/* Builds the map from cells to unknowns, and drops it if it is the identity. */
static perp_error map_cells(perp_stencil *s, perp_message *why)
{
  const int n = s->base.n, *cells = s->data.cells;
  s->full = s->ascending = true;
  if (!cells)
    return PERP_OK;
  int *unknown = perp_alloc((size_t)s->cells, sizeof *unknown);
  if (!unknown)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a map of %d cells", s->cells);
  for (int c = 0; c < s->cells; c++)
    unknown[c] = -1;
  perp_error error = PERP_OK;
  for (int u = 0; u < n && !error; u++) {
    const int c = cells[u];
    if (c < 0 || c >= s->cells) {
      error = perp_fail(why, PERP_ERROR_PROBLEM, "cells[%d] = %d is not in 0 .. %d", u, c,
                        s->cells - 1);
    } else if (unknown[c] >= 0) {
      error =
          perp_fail(why, PERP_ERROR_PROBLEM, "cells[%d] = %d is also cells[%d]", u, c, unknown[c]);
    } else {
      unknown[c] = u;
      s->ascending = s->ascending && (u == 0 || cells[u - 1] < c);
    }
  }
  s->full = n == s->cells && s->ascending;
  if (error || s->full) {
    perp_free(unknown);
  } else {
    s->unknown = unknown;
    perp_operator_adopt(&s->base, unknown);
  }
  return error;
}

static perp_error build(perp_stencil *s, perp_storage storage, perp_message *why)
{
  perp_error error = map_cells(s, why);
  if (error)
    return error;
  s->zeros = perp_alloc_zero((size_t)s->data.nx, sizeof *s->zeros);
  perp_operator_adopt(&s->base, s->zeros);
  if (!s->zeros || (storage == PERP_COPY && copy_arrays(s)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a grid of %d cells", s->cells);
  s->wx = s->data.wx;
  s->wy = s->data.wy;
  s->wz = s->solid ? s->data.wz : NULL;
  return refresh(&s->base, why);
}

void perp_stencil_data_init(perp_stencil_data *data, size_t size)
{
  const perp_stencil_data own = {.nz = 1, .weight = 1};
  perp_sized_write(&own, sizeof own, data, size);
}

perp_error perp_operator_stencil(const perp_stencil_data *given, perp_storage storage,
                                 perp_operator **A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_operator_stencil: A is NULL");
  *A = NULL;
  if (!given)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_operator_stencil: data is NULL");
  perp_stencil_data known = perp_stencil_data_default();
  const perp_stencil_data *data = &known;
  perp_error error = perp_sized_read("perp_stencil_data", given, &known, sizeof known, why);
  if (!error)
    error = check_data(data, why);
  if (error)
    return error;
  perp_stencil *s = perp_alloc_zero(1, sizeof *s);
  if (!s)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a stencil operator");
  s->data = *data;
  s->cells = data->nx * data->ny * data->nz;
  s->solid = data->nz > 1;
  s->base.table = &stencil_table;
  s->base.n = data->cells ? data->unknowns : s->cells;
  s->base.row_capacity = s->solid ? 7 : 5;
  s->data.unknowns = s->base.n;
  error = build(s, storage, why);
  if (error)
    perp_operator_destroy(&s->base);
  else
    *A = &s->base;
  if (!error)
    perp_operator_renew(&s->base);
  return error;
}

perp_error perp_stencil_borrow(const perp_stencil_data *data, double *zeros, perp_stencil *s,
                               perp_message *why)
{
  const bool solid = data->nz > 1;
  *s = (perp_stencil){.base = {.table = &stencil_table, .row_capacity = solid ? 7 : 5},
                      .data = *data,
                      .cells = data->nx * data->ny * data->nz,
                      .solid = solid,
                      .full = true,
                      .ascending = true,
                      .wx = data->wx,
                      .wy = data->wy,
                      .wz = solid ? data->wz : NULL,
                      .zeros = zeros};
  s->base.n = s->data.unknowns = s->cells;
  return refresh(&s->base, why);
}

bool perp_operator_is_stencil(const perp_operator *A)
{
  return A->table == &stencil_table;
}

perp_error perp_operator_stencil_data_sized(const perp_operator *A, perp_stencil_data *data,
                                            size_t size)
{
  if (!A || !data || A->table != &stencil_table || !perp_sized_is_sane(size))
    return PERP_ERROR_ARGUMENT;
  perp_sized_write(&((const perp_stencil *)A)->data, sizeof *data, data, size);
  return PERP_OK;
}

/* ---- On devices ---- */

enum { ROOM_UNKNOWN, ROOM_DIAGONAL, ROOM_WX, ROOM_WY, ROOM_WZ, ARRAYS };
static const perp_rooms rooms = {.count = ARRAYS};

void perp_stencil_view(const perp_stencil *s, perp_stencil_cells *view)
{
  const bool weighted = s->mode == PERP_STENCIL_WEIGHTED;
  *view =
      (perp_stencil_cells){.n = {s->data.nx, s->data.ny, s->data.nz},
                           .axes = s->solid ? 3 : 2,
                           .unknown = s->full ? NULL : s->unknown,
                           .diagonal = s->mode == PERP_STENCIL_UNIFORM ? NULL : s->data.diagonal,
                           .weight = s->weight,
                           .common = s->diagonal};
  view->w[0] = weighted ? s->wx : NULL;
  view->w[1] = weighted ? s->wy : NULL;
  view->w[2] = weighted && s->solid ? s->wz : NULL;
}

/* Lists the arrays of a view, whose device copies go to `there`. */
static void list_arrays(const perp_stencil *s, perp_stencil_cells *there, perp_placing list[ARRAYS])
{
  const size_t cells = (size_t)s->cells;
  perp_stencil_view(s, there);
  list[ROOM_UNKNOWN] = (perp_placing){ROOM_UNKNOWN, there->unknown, cells * sizeof(int),
                                      (const void **)&there->unknown};
  list[ROOM_DIAGONAL] = (perp_placing){ROOM_DIAGONAL, there->diagonal, cells * sizeof(double),
                                       (const void **)&there->diagonal};
  for (int axis = 0; axis < 3; axis++)
    list[ROOM_WX + axis] = (perp_placing){ROOM_WX + axis, there->w[axis], cells * sizeof(double),
                                          (const void **)&there->w[axis]};
}

perp_error perp_stencil_place(const perp_stencil *s, perp_device *device, perp_stencil_cells *there,
                              perp_message *why)
{
  const perp_placement *kept = s->base.placement;
  perp_placing list[ARRAYS];
  list_arrays(s, there, list);
  if (!kept || kept->device != device || kept->values != s->base.values)
    return perp_device_place(device, &rooms, ARRAYS, list, why);
  for (int k = 0; k < ARRAYS; k++)
    *list[k].there = kept->block[k];
  return PERP_OK;
}

perp_error perp_operator_place(perp_operator *A, perp_device *device, perp_message *why)
{
  perp_stencil_cells there;
  perp_placing list[ARRAYS];
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  perp_placement_destroy(&A->placement);
  if (!device)
    return PERP_OK;
  if (!perp_operator_is_stencil(A))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s operators are not supported on devices",
                     perp_operator_kind(A));
  list_arrays((const perp_stencil *)A, &there, list);
  return perp_placement_create(device, ARRAYS, list, A->values, &A->placement, why);
}
