/* operator.c: the public face of operators, and what row access gives a kind that lacks more
 *
 * If a kind has rows but no diagonal, principal or block_diagonal of its own, they are picked
 * out of its rows: one row fetched for each row wanted. */
#include "operator/operator.h"
#include "operator/relax.h"

#include <assert.h>

void perp_operator_adopt(perp_operator *A, void *block)
{
  const size_t slots = sizeof A->owned / sizeof *A->owned;
  size_t k = 0;
  if (!block)
    return;
  while (k < slots && A->owned[k])
    k++;
  assert(k < slots);
  A->owned[k] = block;
}

void perp_operator_destroy(perp_operator *A)
{
  if (!A)
    return;
  if (A->table->destroy)
    A->table->destroy(A);
  for (size_t k = 0; k < sizeof A->owned / sizeof *A->owned; k++)
    perp_free(A->owned[k]);
  perp_free(A);
}

perp_error perp_operator_refresh(perp_operator *A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  const perp_error error = A->table->refresh ? A->table->refresh(A, why) : PERP_OK;
  A->refused = error != PERP_OK;
  return error;
}

int perp_operator_size(const perp_operator *A)
{
  return A ? A->n : 0;
}

int perp_operator_block(const perp_operator *A)
{
  return A ? A->block : 0;
}

const char *perp_operator_kind(const perp_operator *A)
{
  return A ? A->table->kind : "none";
}

int64_t perp_operator_nonzeros(const perp_operator *A)
{
  return A ? A->nonzeros : 0;
}

size_t perp_operator_scratch(const perp_operator *A)
{
  return A ? A->scratch : 0;
}

int perp_operator_row_capacity(const perp_operator *A)
{
  return A ? A->row_capacity : 0;
}

unsigned perp_operator_abilities(const perp_operator *A)
{
  if (!A)
    return 0;
  const perp_operator_table *t = A->table;
  const bool row = t->row != NULL;
  unsigned can = 0;
  can |= t->apply ? PERP_CAN_APPLY : 0u;
  can |= t->apply_t ? PERP_CAN_APPLY_T : 0u;
  can |= t->diagonal || row ? PERP_CAN_DIAGONAL : 0u;
  can |= row ? PERP_CAN_ROW : 0u;
  can |= t->column ? PERP_CAN_COLUMN : 0u;
  can |= t->relaxer || row ? PERP_CAN_RELAX : 0u;
  can |= t->principal || row ? PERP_CAN_PRINCIPAL : 0u;
  can |= t->block_diagonal || row ? PERP_CAN_BLOCK_DIAGONAL : 0u;
  can |= t->has_velocities ? PERP_CAN_VELOCITIES : 0u;
  return can;
}

/* ---- Products ---- */

static perp_error product(const perp_operator *A, bool transposed, const double *x, double *y,
                          double *scratch)
{
  if (!A || (A->n > 0 && (!x || !y)) || (A->scratch > 0 && !scratch))
    return PERP_ERROR_ARGUMENT;
  const perp_work work = {.threads = 1, .scratch = scratch};
  void (*apply)(const perp_operator *, const double *, double *, const perp_work *) =
      transposed ? A->table->apply_t : A->table->apply;
  if (!apply)
    return PERP_ERROR_UNSUPPORTED;
  apply(A, x, y, &work);
  return PERP_OK;
}

perp_error perp_operator_apply(const perp_operator *A, const double *x, double *y, double *scratch)
{
  return product(A, false, x, y, scratch);
}

perp_error perp_operator_apply_t(const perp_operator *A, const double *x, double *y,
                                 double *scratch)
{
  return product(A, true, x, y, scratch);
}

/* ---- Entries ---- */

static perp_error line(const perp_operator *A,
                       int (*get)(const perp_operator *, int, int *, double *), int i, int *index,
                       double *value, int *count)
{
  if (i < 0 || i >= A->n || !index || !value || !count)
    return PERP_ERROR_ARGUMENT;
  if (!get)
    return PERP_ERROR_UNSUPPORTED;
  *count = get(A, i, index, value);
  return PERP_OK;
}

perp_error perp_operator_row(const perp_operator *A, int i, int *column, double *value, int *count)
{
  return A ? line(A, A->table->row, i, column, value, count) : PERP_ERROR_ARGUMENT;
}

perp_error perp_operator_column(const perp_operator *A, int j, int *row, double *value, int *count)
{
  return A ? line(A, A->table->column, j, row, value, count) : PERP_ERROR_ARGUMENT;
}

/* Room for one row; both NULL if the heap is exhausted. */
typedef struct row_room {
  int *column;
  double *value;
} row_room;

static row_room row_room_take(const perp_operator *A)
{
  row_room room = {
      .column = perp_alloc((size_t)A->row_capacity, sizeof *room.column),
      .value = perp_alloc((size_t)A->row_capacity, sizeof *room.value),
  };
  if (!room.column || !room.value) {
    perp_free(room.column);
    perp_free(room.value);
    room = (row_room){NULL, NULL};
  }
  return room;
}

static void row_room_free(row_room *room)
{
  perp_free(room->column);
  perp_free(room->value);
}

void perp_diagonal_by_rows(const perp_operator *A, int *column, double *value, double *d)
{
  for (int i = 0; i < A->n; i++) {
    const int count = A->table->row(A, i, column, value);
    d[i] = 0;
    for (int k = 0; k < count; k++)
      if (column[k] == i)
        d[i] = value[k];
  }
}

perp_error perp_operator_diagonal(const perp_operator *A, double *d)
{
  if (!A || (A->n > 0 && !d))
    return PERP_ERROR_ARGUMENT;
  if (A->table->diagonal) {
    A->table->diagonal(A, d);
    return PERP_OK;
  }
  if (!A->table->row)
    return PERP_ERROR_UNSUPPORTED;
  row_room room = row_room_take(A);
  if (!room.column)
    return PERP_ERROR_MEMORY;
  perp_diagonal_by_rows(A, room.column, room.value, d);
  row_room_free(&room);
  return PERP_OK;
}

/* ---- Submatrices ---- */

/* position[S[k]] = k, and -1 for all others; false if an index is out of range or twice. */
static bool number_indices(int n, int m, const int *S, int *position)
{
  for (int i = 0; i < n; i++)
    position[i] = -1;
  for (int k = 0; k < m; k++) {
    if (S[k] < 0 || S[k] >= n || position[S[k]] >= 0)
      return false;
    position[S[k]] = k;
  }
  return true;
}

static perp_error principal_by_rows(const perp_operator *A, int m, const int *S,
                                    const int *position, double *A_SS)
{
  row_room room = row_room_take(A);
  if (!room.column)
    return PERP_ERROR_MEMORY;
  for (int r = 0; r < m; r++) {
    double *row = A_SS + (size_t)r * (size_t)m;
    const int count = A->table->row(A, S[r], room.column, room.value);
    for (int k = 0; k < m; k++)
      row[k] = 0;
    for (int k = 0; k < count; k++)
      if (position[room.column[k]] >= 0)
        row[position[room.column[k]]] = room.value[k];
  }
  row_room_free(&room);
  return PERP_OK;
}

perp_error perp_operator_principal(const perp_operator *A, int m, const int *S, double *A_SS)
{
  if (!A || m < 0 || m > A->n || (m > 0 && (!S || !A_SS)))
    return PERP_ERROR_ARGUMENT;
  if (!A->table->principal && !A->table->row)
    return PERP_ERROR_UNSUPPORTED;
  int *position = perp_alloc((size_t)A->n, sizeof *position);
  if (!position)
    return PERP_ERROR_MEMORY;
  perp_error error = PERP_OK;
  if (!number_indices(A->n, m, S, position)) {
    error = PERP_ERROR_ARGUMENT;
  } else if (A->table->principal) {
    for (int k = 0; k < m; k++)
      position[S[k]] = -1;
    A->table->principal(A, m, S, position, A_SS);
  } else {
    error = principal_by_rows(A, m, S, position, A_SS);
  }
  perp_free(position);
  return error;
}

static perp_error block_diagonal_by_rows(const perp_operator *A, int blocks, const int *start,
                                         double *values)
{
  row_room room = row_room_take(A);
  if (!room.column)
    return PERP_ERROR_MEMORY;
  for (int b = 0; b < blocks; b++) {
    const int first = start[b], size = start[b + 1] - first;
    for (int i = first; i < start[b + 1]; i++, values += size) {
      const int count = A->table->row(A, i, room.column, room.value);
      for (int k = 0; k < size; k++)
        values[k] = 0;
      for (int k = 0; k < count; k++)
        if (room.column[k] >= first && room.column[k] < first + size)
          values[room.column[k] - first] = room.value[k];
    }
  }
  row_room_free(&room);
  return PERP_OK;
}

perp_error perp_operator_block_diagonal(const perp_operator *A, int blocks, const int *start,
                                        double *values)
{
  if (!A || blocks < 0 || (blocks > 0 && (!start || !values)))
    return PERP_ERROR_ARGUMENT;
  for (int k = 0; k < blocks; k++)
    if (start[k] < 0 || start[k + 1] < start[k] || start[k + 1] > A->n)
      return PERP_ERROR_ARGUMENT;
  if (A->table->block_diagonal) {
    A->table->block_diagonal(A, blocks, start, values);
    return PERP_OK;
  }
  return A->table->row ? block_diagonal_by_rows(A, blocks, start, values) : PERP_ERROR_UNSUPPORTED;
}
