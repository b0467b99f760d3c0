/* structure.c: builds stencil and contact operators from matrices with known structure
 *
 * Stencil: unknown u is in cell c(u). Its row must be
 *   A_uu = diagonal_c,   A_uv = -w if c(v) shares a face with c(u),   0 elsewhere,
 * and A_uv = A_vu since a face has one weight.
 *
 * Contact: rows i and j of Minv are coupled if Minv_ij is stored. A block ends before row k exactly
 * if no stored entry of rows 0 .. k-1 reaches k or beyond, in rows or in columns; this gives the
 * finest diagonal blocks of consecutive rows in one pass. */
#include "io/structure.h"

#include "base/memory.h"
#include "base/message.h"
#include "operator/operator.h"
#include "set/set.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>

/* Reads whole numbers from least to most, less `first`; NULL if all are `none`. length: -1 on entry
 * if any is allowed. */
static perp_error read_integers(const perp_vectors *v, const char *name, int least, int most,
                                int none, int first, int *length, int **rows)
{
  const perp_mtx_rule rule = {.name = name,
                              .vector = true,
                              .whole = true,
                              .rows = *length,
                              .columns = -1,
                              .least = least,
                              .most = most};
  double *values = NULL;
  perp_error error = v->read(v->context, &rule, &values, length);
  bool any = false;
  for (int i = 0; values && i < *length; i++)
    any = any || values[i] > none;
  if (any) {
    *rows = perp_alloc((size_t)*length, sizeof **rows);
    if (!*rows)
      error = perp_path_no_memory(v->path, v->why);
    for (int i = 0; i < *length && *rows; i++)
      (*rows)[i] = (int)values[i] - first;
  }
  perp_free(values);
  return error;
}

/* Row indices of a problem of n rows, -1: none. */
static perp_error read_rows(const perp_vectors *v, const char *name, int length, int n, int **rows)
{
  return read_integers(v, name, v->first - 1, v->first + (n > 0 ? n - 1 : 0), v->first - 1,
                       v->first, &length, rows);
}

static perp_error read_friction(const perp_vectors *v, int n, perp_instance *instance)
{
  int contacts = -1;
  perp_error error =
      read_integers(v, "dim", 1, PERP_FRICTION_ROWS, 0, 0, &contacts, &instance->dim);
  if (!error && instance->dim)
    error = read_integers(v, "law", 0, PERP_FRICTION_DISCS, 0, 0, &contacts, &instance->law);
  if (error)
    return error;
  const bool wide = instance->dim;
  const perp_mtx_rule mu = {.name = "mu",
                            .vector = !wide,
                            .rows = wide ? contacts : -1,
                            .columns = wide ? PERP_FRICTION_MU : -1,
                            .finite = true,
                            .most = HUGE_VAL};
  char label[400];
  error = v->read(v->context, &mu, &instance->mu, &instance->cones);
  snprintf(label, sizeof label, v->label, perp_path_shown(v->path), wide ? "dim" : "mu");
  if (!error && wide && !instance->mu)
    error = perp_fail(v->why, PERP_ERROR_PROBLEM, "%s: %d contacts, but there is no mu", label,
                      contacts);
  if (!error && !wide && instance->cones > n / 3)
    error = perp_fail(v->why, PERP_ERROR_PROBLEM, "%s: %d contacts of 3 rows, but A has %d rows",
                      label, instance->cones, n);
  instance->cones = wide ? contacts : instance->cones;
  return error ? error : read_rows(v, "cone", instance->cones, n, &instance->cone);
}

perp_error perp_structure_vectors(const perp_vectors *v, perp_instance *instance)
{
  const int n = perp_operator_size(instance->A);
  const struct {
    const char *name;
    double **values;
    bool finite;
  } parts[] = {{"b", &instance->b, true},
               {"x", &instance->x, true},
               {"u", &instance->u, true},
               {"lo", &instance->lo, false},
               {"hi", &instance->hi, false}};
  perp_error error = PERP_OK;
  for (size_t k = 0; k < sizeof parts / sizeof *parts && !error; k++) {
    perp_mtx_rule rule = perp_mtx_rule_any(parts[k].name);
    rule.vector = true;
    rule.rows = n;
    rule.finite = parts[k].finite;
    error = v->read(v->context, &rule, parts[k].values, NULL);
  }
  if (!error && !instance->b)
    error = perp_fail(v->why, PERP_ERROR_FILE, "%s: has no variable b", perp_path_shown(v->path));
  if (!error && !(error = read_rows(v, "findex", n, n, &instance->findex)))
    error = read_friction(v, n, instance);
  for (int i = 0; i < n && !error; i++) {
    if (instance->lo)
      instance->lo[i] = perp_bound(instance->lo[i]);
    if (instance->hi)
      instance->hi[i] = perp_bound(instance->hi[i]);
  }
  if (error)
    return error;
  perp_message inner;
  const perp_problem problem = perp_instance_problem(instance);
  error = perp_problem_validate(&problem, &inner);
  if (error)
    perp_fail(v->why, error, "%s: %.300s", perp_path_shown(v->path), inner.text);
  return error;
}

perp_error perp_structure_plain(perp_mtx *A, perp_operator **op, perp_message *why)
{
  perp_message inner;
  const perp_error error =
      A->sparse ? perp_operator_csr(A->rows, A->start, A->column, A->value, PERP_BORROW, op, &inner)
                : perp_operator_dense(A->rows, A->value, A->columns, PERP_BORROW, op, &inner);
  if (error)
    return perp_fail(why, error, "%s: %.300s", perp_path_shown(A->path), inner.text);
  perp_operator_adopt(*op, A->start);
  perp_operator_adopt(*op, A->column);
  perp_operator_adopt(*op, A->value);
  *A = (perp_mtx){0};
  return PERP_OK;
}

/* ---- Stencil ---- */

/* The grid under construction. */
typedef struct {
  perp_arena arena; /* of its arrays */
  int n, dimensions;
  int size[3];  /* nx, ny, nz */
  int *cells;   /* n: the cell of each unknown */
  double *w[3]; /* by cell */
  double *diagonal;
} grid;

static int step(const grid *g, int d)
{
  return d == 0 ? 1 : d == 1 ? g->size[0] : g->size[0] * g->size[1];
}

/* Finds the bounding box of the cells, and each unknown's index in it. */
static perp_error grid_place(grid *g, const perp_mtx *cells, perp_message *why)
{
  double least[3] = {0};
  int64_t count = 1;
  for (int d = 0; d < 3; d++)
    g->size[d] = 1;
  for (int d = 0; d < g->dimensions && g->n > 0; d++) {
    double most = least[d] = cells->value[d];
    for (int u = 1; u < g->n; u++) {
      const double c = cells->value[(int64_t)u * g->dimensions + d];
      least[d] = c < least[d] ? c : least[d];
      most = c > most ? c : most;
    }
    /* both are int values; an almost empty grid is refused */
    const int64_t extent = (int64_t)most - (int64_t)least[d] + 1;
    const int64_t limit = (1 << 20) + 256 * (int64_t)g->n;
    if (extent > limit || count * extent > limit || count * extent > INT_MAX)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s: the box around the %d cells has more than %lld cells",
                       perp_path_shown(cells->path), g->n, (long long)limit);
    g->size[d] = (int)extent;
    count *= extent;
  }
  if (!PERP_TAKE(&g->arena, PERP_ARRAY(g->cells, g->n)) ||
      !PERP_TAKE_ZERO_REALS(&g->arena, (size_t)count, &g->diagonal, &g->w[0], &g->w[1], &g->w[2]))
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory for a grid of %lld cells",
                     perp_path_shown(cells->path), (long long)count);
  for (int u = 0; u < g->n; u++) {
    int cell = 0;
    for (int d = g->dimensions - 1; d >= 0; d--)
      cell = cell * g->size[d] + (int)(cells->value[(int64_t)u * g->dimensions + d] - least[d]);
    g->cells[u] = cell;
  }
  return PERP_OK;
}

/* Returns the direction in which b is the next cell after a, or -1. */
static int direction(const grid *g, int a, int b)
{
  for (int d = 0; d < 3; d++)
    if (b - a == step(g, d) && a / step(g, d) % g->size[d] + 1 < g->size[d])
      return d;
  return -1;
}

static perp_error grid_weigh(grid *g, const perp_mtx *A, perp_message *why)
{
  for (int u = 0; u < g->n; u++)
    for (int64_t k = A->start[u]; k < A->start[u + 1]; k++) {
      const int v = A->column[k], cell = g->cells[u], other = g->cells[v];
      if (u == v) {
        g->diagonal[cell] = A->value[k];
        continue;
      }
      const int d = direction(g, cell, other);
      if (d < 0 && direction(g, other, cell) < 0) {
        if (A->value[k] == 0)
          continue;
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "%s: entry (%d, %d) = %g couples cells that share no face in cells.mtx",
                         perp_path_shown(A->path), u, v, A->value[k]);
      }
      const double mirror = perp_mtx_entry(A, v, u);
      if (A->value[k] != mirror)
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "%s: entries (%d, %d) = %g and (%d, %d) = %g differ, but with cells.mtx "
                         "A must be symmetric",
                         perp_path_shown(A->path), u, v, A->value[k], v, u, mirror);
      if (d >= 0)
        g->w[d][cell] = -A->value[k];
    }
  return PERP_OK;
}

perp_error perp_structure_stencil(perp_mtx *A, perp_mtx *cells, perp_operator **op,
                                  perp_message *why)
{
  grid g = {.n = A->rows, .dimensions = cells->columns};
  perp_message inner;
  if (cells->columns != 2 && cells->columns != 3)
    return perp_fail(why, PERP_ERROR_PROBLEM, "%s: %d columns, but a cell has 2 or 3 coordinates",
                     perp_path_shown(cells->path), cells->columns);
  perp_error error = perp_mtx_to_csr(A, why);
  if (error || (error = perp_mtx_to_dense(cells, why)) || (error = grid_place(&g, cells, why)) ||
      (error = grid_weigh(&g, A, why)))
    goto done;

  bool in_order = (int64_t)g.size[0] * g.size[1] * g.size[2] == g.n;
  for (int u = 0; u < g.n && in_order; u++)
    in_order = g.cells[u] == u;
  const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                  .nx = g.size[0],
                                  .ny = g.size[1],
                                  .nz = g.size[2],
                                  .unknowns = g.n,
                                  .cells = in_order ? NULL : g.cells,
                                  .wx = g.w[0],
                                  .wy = g.w[1],
                                  .wz = g.w[2],
                                  .diagonal = g.diagonal};
  error = perp_operator_stencil(&data, PERP_COPY, op, &inner);
  if (error)
    perp_fail(why, error, "%s: %.300s", perp_path_shown(cells->path), inner.text);

done:
  perp_arena_free(&g.arena);
  return error;
}

perp_error perp_structure_cells(const perp_stencil_data *data, int n, int *columns, int **values,
                                perp_message *why)
{
  *columns = data->nz == 1 ? 2 : 3;
  int *c = perp_alloc((size_t)n * (size_t)*columns, sizeof *c);
  if (!c)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the cells of %d unknowns", n);
  for (int u = 0; u < n; u++) {
    const int cell = data->cells ? data->cells[u] : u;
    c[u] = cell % data->nx;
    c[(int64_t)n + u] = cell / data->nx % data->ny;
    if (*columns == 3)
      c[2 * (int64_t)n + u] = cell / data->nx / data->ny;
  }
  *values = c;
  return PERP_OK;
}

/* ---- Contact ---- */

/* Fills start (at most m + 1 entries) and returns the number of blocks. `reach` (m) is workspace:
 * the last row or column coupled with row k from above or from the left. */
static int find_blocks(const perp_mtx *M, int *reach, int *start)
{
  const int m = M->rows;
  for (int i = 0; i < m; i++)
    reach[i] = i;
  for (int i = 0; i < m; i++)
    for (int64_t k = M->start[i]; k < M->start[i + 1]; k++) {
      const int low = i < M->column[k] ? i : M->column[k];
      const int high = i + M->column[k] - low;
      reach[low] = high > reach[low] ? high : reach[low];
    }
  int blocks = 0, last = -1;
  for (int i = 0; i < m; i++) {
    if (i > last)
      start[blocks++] = i;
    last = reach[i] > last ? reach[i] : last;
  }
  start[blocks] = m;
  return blocks;
}

/* *values <- the dense blocks in sequence. */
static perp_error gather_blocks(const perp_mtx *M, int blocks, const int *start, double **values,
                                perp_message *why)
{
  int64_t total = 0;
  for (int b = 0; b < blocks; b++) {
    const int64_t size = start[b + 1] - start[b];
    total += size * size;
    if (total > 64 * M->entries + (1 << 20))
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s: rows %d to %d are coupled, but Minv must be block-diagonal",
                       perp_path_shown(M->path), start[b], start[b + 1] - 1);
  }
  double *block = *values = perp_alloc_zero((size_t)total, sizeof *block);
  if (!block)
    return perp_path_no_memory(M->path, why);
  for (int b = 0; b < blocks; b++) {
    const int first = start[b], size = start[b + 1] - first;
    for (int i = first; i < start[b + 1]; i++)
      for (int64_t k = M->start[i]; k < M->start[i + 1]; k++)
        block[(int64_t)(i - first) * size + M->column[k] - first] = M->value[k];
    block += (int64_t)size * size;
  }
  return PERP_OK;
}

perp_error perp_structure_contact(const char *folder, perp_mtx *J, perp_mtx *mass, bool inverse,
                                  perp_mtx *C, perp_operator **op, perp_message *why)
{
  perp_message inner;
  perp_arena arena = {0};
  int *start, *reach;
  double *blocks = NULL;
  perp_error error = perp_mtx_to_csr(J, why);
  if (!error)
    error = perp_mtx_to_csr(mass, why);
  if (!error && C)
    error = perp_mtx_to_csr(C, why);
  if (error)
    return error;
  perp_contact_data data = {.size = sizeof(perp_contact_data),
                            .rows = J->rows,
                            .velocities = J->columns,
                            .J_start = J->start,
                            .J_column = J->column,
                            .J_value = J->value,
                            .C_start = C ? C->start : NULL,
                            .C_column = C ? C->column : NULL,
                            .C_value = C ? C->value : NULL,
                            .M_start = inverse ? NULL : mass->start,
                            .M_column = inverse ? NULL : mass->column,
                            .M_value = inverse ? NULL : mass->value};
  if (inverse) {
    if (PERP_TAKE(&arena, PERP_ARRAY(start, mass->rows + 1), PERP_ARRAY(reach, mass->rows))) {
      data.blocks = find_blocks(mass, reach, start);
      data.block_start = start;
      error = gather_blocks(mass, data.blocks, start, &blocks, why);
      data.Minv = blocks;
    } else {
      error = perp_path_no_memory(mass->path, why);
    }
  }
  if (!error && (error = perp_operator_contact(&data, PERP_COPY, op, &inner)))
    perp_fail(why, error, "%s: %.300s", perp_path_shown(folder), inner.text);
  perp_arena_free(&arena);
  perp_free(blocks);
  return error;
}

static int block_begin(const perp_contact_data *data, int b)
{
  return data->block_start ? data->block_start[b] : b * (data->velocities / data->blocks);
}

perp_error perp_structure_minv(const perp_contact_data *data, perp_mtx *Minv, perp_message *why)
{
  const int m = data->velocities;
  const double *value = data->Minv;
  perp_triplets t = {0};
  bool enough = true;
  *Minv = (perp_mtx){0};
  for (int b = 0; b < data->blocks; b++)
    for (int i = block_begin(data, b); i < block_begin(data, b + 1); i++)
      for (int j = block_begin(data, b); j < block_begin(data, b + 1) && enough; j++)
        enough = perp_triplets_push(&t, i, j, *value++);
  enough = enough && perp_mtx_compress(&t, m, m, Minv);
  perp_triplets_free(&t);
  if (!enough)
    perp_mtx_free(Minv);
  return enough ? PERP_OK
                : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for Minv of %d velocities", m);
}
