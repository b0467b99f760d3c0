/* islands_find.c: finds the independent parts of a problem and cuts their matrices
 *
 * Rows are joined by union-find along the entries of A, friction indices and cones. Rows of a
 * contact operator are joined along the blocks of Minv that they touch, without forming A. Rows
 * keep their order, so cones that come first still do. One pass over the entries joins, two passes
 * cut. */
#include "base/forest.h"
#include "base/message.h"
#include "frame/islands.h"
#include "operator/contact/contact.h"
#include "set/set.h"
#include <perp/frame.h>

#include <string.h>

static perp_error no_memory(int rows, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for islands of %d rows", rows);
}

/* ---- Finding them ---- */

/* Joins rows of J that touch the same block of Minv, and rows coupled by C. */
static void unite_contact(const perp_contact *c, int *parent)
{
  const perp_contact_data *d = &c->data;
  for (int k = 0; k < d->blocks; k++)
    for (int64_t q = c->block_list[k] + 1; q < c->block_list[k + 1]; q++)
      perp_forest_join(parent, c->pair_row[c->block_pair[q - 1]], c->pair_row[c->block_pair[q]]);
  for (int i = 0; i < d->rows; i++)
    for (int64_t e = d->C_start ? d->C_start[i] : 0; d->C_start && e < d->C_start[i + 1]; e++)
      if (d->C_value[e] != 0)
        perp_forest_join(parent, i, d->C_column[e]);
}

static perp_error unite_rows(const perp_operator *A, perp_arena *arena, int *parent,
                             perp_message *why)
{
  if (!A->table->row)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "islands need the rows of A, which this %s operator does not give",
                     A->table->kind);
  int *column;
  double *value;
  if (!PERP_TAKE(arena, PERP_ARRAY(column, A->row_capacity), PERP_ARRAY(value, A->row_capacity)))
    return no_memory(A->n, why);
  const int failures = perp_operator_failures(A);
  for (int i = 0; i < A->n; i++) {
    const int count = A->table->row(A, i, column, value);
    for (int k = 0; k < count; k++)
      if (value[k] != 0)
        perp_forest_join(parent, i, column[k]);
  }
  return perp_operator_failed(A, failures, why);
}

perp_error perp_islands_number(const perp_problem *problem, perp_arena *arena, int *island,
                               int *count, perp_message *why)
{
  const perp_set *K = &problem->K;
  for (int i = 0; i < K->n; i++)
    island[i] = i;
  perp_error error = PERP_OK;
  if (perp_operator_is_contact(problem->A))
    unite_contact(perp_contact_of(problem->A), island);
  else
    error = unite_rows(problem->A, arena, island, why);
  if (error)
    return error;
  for (perp_cone c = perp_set_cones(K); c.c < K->cones; perp_cone_next(K, &c))
    for (int k = 1; k < c.rows; k++)
      perp_forest_join(island, c.row, c.row + k);
  for (int i = 0; K->findex && i < K->n; i++)
    if (K->findex[i] >= 0)
      perp_forest_join(island, i, K->findex[i]);

  /* The smaller root stays, so a root is the first row of its island and gets its number before the
   * other rows need it. */
  for (int i = 0; i < K->n; i++)
    island[i] = perp_forest_root(island, i);
  int islands = 0;
  for (int i = 0; i < K->n; i++)
    island[i] = island[i] == i ? islands++ : island[island[i]];
  *count = islands;
  return PERP_OK;
}

perp_error perp_islands_find(const perp_problem *problem, int *island, int *count,
                             perp_message *why)
{
  perp_error error = perp_problem_validate(problem, why);
  if (error)
    return error;
  if ((problem->K.n > 0 && !island) || !count)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "island or count is NULL");
  perp_arena arena = {0};
  error = perp_islands_number(problem, &arena, island, count, why);
  perp_arena_free(&arena);
  return error;
}

/* ---- Cutting A ---- */

/* Returns an array of the matrix for the caller to fill, or NULL if there is no memory. */
static void *array_take(perp_island_matrix *m, int which, size_t count, size_t size,
                        perp_arena *arena)
{
  void *array = perp_arena_alloc(arena, count, size);
  m->array[which].at = array;
  m->array[which].bytes = count * size;
  return array;
}

static bool cut_dense(const double *a, int64_t stride, int m, const int *S, perp_arena *arena,
                      perp_island_matrix *matrix)
{
  double *part = array_take(matrix, PERP_ISLAND_VALUE, (size_t)m * (size_t)m, sizeof *part, arena);
  for (int i = 0; part && i < m; i++)
    for (int j = 0; j < m; j++)
      part[(int64_t)i * m + j] = a[S[i] * stride + S[j]];
  return part != NULL;
}

/* Rows as read from A, without zeros. */
typedef struct line {
  const perp_operator *A;
  int *column;
  double *value;
} line;

static int line_get(const line *l, int i)
{
  const int count = l->A->table->row(l->A, i, l->column, l->value);
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (l->value[k] != 0) {
      l->column[kept] = l->column[k];
      l->value[kept++] = l->value[k];
    }
  return kept;
}

static bool cut_rows(const line *l, const int *place, int m, const int *S, perp_arena *arena,
                     perp_island_matrix *matrix)
{
  int64_t *start = array_take(matrix, PERP_ISLAND_START, (size_t)m + 1, sizeof *start, arena);
  if (!start)
    return false;
  start[0] = 0;
  for (int i = 0; i < m; i++)
    start[i + 1] = start[i] + line_get(l, S[i]);
  const size_t entries = (size_t)start[m];
  int *column = array_take(matrix, PERP_ISLAND_COLUMN, entries, sizeof *column, arena);
  double *value = array_take(matrix, PERP_ISLAND_VALUE, entries, sizeof *value, arena);
  if (!column || !value)
    return false;
  for (int i = 0; i < m; i++) {
    const int count = line_get(l, S[i]);
    /* a failing callback may return fewer entries than before, but never more than fit */
    for (int k = 0; k < count && start[i] + k < start[i + 1]; k++) {
      column[start[i] + k] = place[l->column[k]];
      value[start[i] + k] = l->value[k];
    }
  }
  return true;
}

/* Extracts the rows S of a compressed matrix (start, column, value) and renumbers columns by
 * `renumber`. */
static bool cut_compressed(int m, const int *S, const int64_t *start, const int *column,
                           const double *value, const int *renumber, const int which[3],
                           perp_arena *arena, perp_island_matrix *matrix)
{
  int64_t *s = array_take(matrix, which[0], (size_t)m + 1, sizeof *s, arena);
  if (!s)
    return false;
  s[0] = 0;
  for (int i = 0; i < m; i++)
    s[i + 1] = s[i] + start[S[i] + 1] - start[S[i]];
  int *c = array_take(matrix, which[1], (size_t)s[m], sizeof *c, arena);
  double *v = array_take(matrix, which[2], (size_t)s[m], sizeof *v, arena);
  if (!c || !v)
    return false;
  for (int i = 0; i < m; i++)
    for (int64_t e = start[S[i]], to = s[i]; e < start[S[i] + 1]; e++, to++) {
      c[to] = renumber[column[e]];
      v[to] = value[e];
    }
  return true;
}

/* The blocks of Minv by island, and the renumbered velocities. */
typedef struct block_list {
  int *start;    /* islands + 1 */
  int *block;    /* by island, ascending in each */
  int *velocity; /* velocities */
} block_list;

static bool list_blocks(const perp_contact *c, const perp_island_rows *rows, const int *island,
                        perp_arena *arena, block_list *list)
{
  const perp_contact_data *d = &c->data;
  const size_t blocks = (size_t)d->blocks, count = (size_t)rows->count;
  int *of, *width; /* of: island of each block; -1: none */
  if (!PERP_TAKE(arena, PERP_ARRAY(of, blocks), PERP_ARRAY(list->block, blocks),
                 PERP_ARRAY(list->velocity, d->velocities)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(width, count), PERP_ARRAY(list->start, count + 2)))
    return false;
  for (int k = 0; k < d->blocks; k++) {
    const int64_t first = c->block_list[k];
    of[k] = first < c->block_list[k + 1] ? island[c->pair_row[c->block_pair[first]]] : -1;
    if (of[k] < 0)
      continue;
    list->start[of[k] + 2]++;
    for (int j = d->block_start[k]; j < d->block_start[k + 1]; j++)
      list->velocity[j] = width[of[k]]++;
  }
  for (size_t k = 1; k <= count + 1; k++)
    list->start[k] += list->start[k - 1];
  for (int k = 0; k < d->blocks; k++)
    if (of[k] >= 0)
      list->block[list->start[of[k] + 1]++] = k;
  return true;
}

/* Extracts the blocks of Minv that island k touches, in order, and its rows of J and C. */
static bool cut_contact(const perp_contact *c, const block_list *list, const perp_island_rows *rows,
                        int k, perp_arena *arena, perp_island_matrix *matrix)
{
  const perp_contact_data *d = &c->data;
  const int *block = list->block + list->start[k], blocks = list->start[k + 1] - list->start[k];
  const int *S = rows->row + rows->start[k], m = matrix->rows;
  int *start =
      array_take(matrix, PERP_ISLAND_BLOCK_START, (size_t)blocks + 1, sizeof *start, arena);
  if (!start)
    return false;
  size_t numbers = 0;
  start[0] = 0;
  for (int b = 0; b < blocks; b++) {
    const int size = perp_contact_block_size(c, block[b]);
    start[b + 1] = start[b] + size;
    numbers += (size_t)(size * size);
  }
  double *Minv = array_take(matrix, PERP_ISLAND_MINV, numbers, sizeof *Minv, arena);
  if (!Minv)
    return false;
  for (int b = 0; b < blocks; b++) {
    const int size = start[b + 1] - start[b];
    memcpy(Minv, c->M[block[b]], (size_t)(size * size) * sizeof *Minv);
    Minv += size * size;
  }
  matrix->blocks = blocks;
  matrix->velocities = start[blocks];
  static const int J[3] = {PERP_ISLAND_START, PERP_ISLAND_COLUMN, PERP_ISLAND_VALUE},
                   C[3] = {PERP_ISLAND_C_START, PERP_ISLAND_C_COLUMN, PERP_ISLAND_C_VALUE};
  return cut_compressed(m, S, d->J_start, d->J_column, d->J_value, list->velocity, J, arena,
                        matrix) &&
         (!d->C_start ||
          cut_compressed(m, S, d->C_start, d->C_column, d->C_value, rows->place, C, arena, matrix));
}

perp_error perp_islands_cut(const perp_operator *A, const perp_island_rows *rows, const int *island,
                            perp_arena *arena, perp_island_matrix *matrix, perp_message *why)
{
  const double *a = NULL;
  int64_t stride = 0;
  const bool dense = perp_operator_dense_array(A, &a, &stride) == PERP_OK;
  const bool bodies = perp_operator_is_contact(A);
  line l = {.A = A};
  block_list list = {0};
  bool enough = true;
  if (bodies) {
    enough = list_blocks(perp_contact_of(A), rows, island, arena, &list);
  } else if (!dense) {
    enough = PERP_TAKE(arena, PERP_ARRAY(l.column, A->row_capacity),
                       PERP_ARRAY(l.value, A->row_capacity));
  }
  const int failures = perp_operator_failures(A);
  for (int k = 0; enough && k < rows->count; k++) {
    const int *S = rows->row + rows->start[k], m = rows->start[k + 1] - rows->start[k];
    matrix[k] = (perp_island_matrix){.kind = dense    ? PERP_ISLAND_DENSE
                                             : bodies ? PERP_ISLAND_CONTACT
                                                      : PERP_ISLAND_CSR,
                                     .rows = m};
    enough = dense    ? cut_dense(a, stride, m, S, arena, &matrix[k])
             : bodies ? cut_contact(perp_contact_of(A), &list, rows, k, arena, &matrix[k])
                      : cut_rows(&l, rows->place, m, S, arena, &matrix[k]);
  }
  return enough ? perp_operator_failed(A, failures, why) : no_memory(A->n, why);
}
