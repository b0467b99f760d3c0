/* operator.c: the public functions of operators, and defaults for kinds that have row access
 *
 * If a kind has rows but no diagonal or principal, these are collected from its rows, as
 * block_diagonal always is: one row read for each row requested. */
#include "operator/operator.h"
#include "base/random.h"
#include "device/device.h"
#include "linalg/vector.h"
#include "operator/relax.h"

#include <assert.h>
#include <math.h>

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
  perp_placement_destroy(&A->placement);
  if (A->table->destroy)
    A->table->destroy(A);
  for (size_t k = 0; k < sizeof A->owned / sizeof *A->owned; k++)
    perp_free(A->owned[k]);
  perp_free(A);
}

/* The only global state of the library: a counter that identifies operators. */
void perp_operator_renew(perp_operator *A)
{
  static _Atomic uint64_t last;
  A->values = ++last;
}

perp_error perp_operator_refresh(perp_operator *A, perp_message *why)
{
  if (!A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A is NULL");
  const perp_error error = A->table->refresh ? A->table->refresh(A, why) : PERP_OK;
  A->refused = error != PERP_OK;
  if (A->values)
    perp_operator_renew(A);
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
  return !A ? "none" : A->block ? "bsr" : A->table->kind;
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
  can |= row ? PERP_CAN_PRINCIPAL | PERP_CAN_BLOCK_DIAGONAL : 0u;
  can |= t->has_velocities ? PERP_CAN_VELOCITIES : 0u;
  return can;
}

unsigned perp_operator_hints(const perp_operator *A)
{
  return A ? A->hints : 0;
}

/* ---- Errors ---- */

perp_error perp_operator_failed(const perp_operator *A, int before, perp_message *why)
{
  if (perp_operator_failures(A) == before)
    return PERP_OK;
  const perp_failures *f = A->failures;
  const char *callback = atomic_load(&f->callback);
  const int code = atomic_load(&f->code), index = atomic_load(&f->index);
  if (index < 0)
    return perp_fail(why, PERP_ERROR_CALLBACK, "the callback %s of A returned %d", callback, code);
  return perp_fail(why, PERP_ERROR_CALLBACK, "the callback %s of A, called for %d, returned %d",
                   callback, index, code);
}

static perp_error lacks(const perp_operator *A, const char *ability, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_UNSUPPORTED, "this %s operator lacks the ability '%s'",
                   A->table->kind, ability);
}

static perp_error no_memory(const perp_operator *A, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", A->n);
}

/* ---- Products ---- */

static perp_error product(const perp_operator *A, bool transposed, const double *x, double *y,
                          const perp_work *work, perp_message *why)
{
  if (!A || (A->n > 0 && (!x || !y)) || (A->scratch > 0 && !work->scratch))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "product: A, x, y or scratch is NULL");
  void (*apply)(const perp_operator *, const double *, double *, const perp_work *) =
      transposed ? A->table->apply_t : A->table->apply;
  if (!apply)
    return lacks(A, transposed ? "apply_t" : "apply", why);
  const int failures = perp_operator_failures(A);
  apply(A, x, y, work);
  return perp_operator_failed(A, failures, why);
}

perp_error perp_operator_apply(const perp_operator *A, const double *x, double *y, double *scratch,
                               perp_message *why)
{
  return product(A, false, x, y, &(perp_work){.threads = 1, .scratch = scratch}, why);
}

perp_error perp_operator_apply_t(const perp_operator *A, const double *x, double *y,
                                 double *scratch, perp_message *why)
{
  return product(A, true, x, y, &(perp_work){.threads = 1, .scratch = scratch}, why);
}

perp_error perp_operator_try_symmetry(const perp_operator *A, const perp_work *work, double *u,
                                      double *v, double *t, bool *symmetric, perp_message *why)
{
  perp_random random = perp_random_from(1);
  for (int i = 0; i < A->n; i++) {
    u[i] = perp_random_between(&random, -1, 1);
    v[i] = perp_random_between(&random, -1, 1);
  }
  *symmetric = false;
  perp_error error = product(A, false, v, t, work, why);
  if (error)
    return error;
  const double uAv = perp_dot(A->n, u, t), size = perp_norm2(A->n, u) * perp_norm2(A->n, t);
  error = product(A, false, u, t, work, why);
  *symmetric = !error && fabs(uAv - perp_dot(A->n, v, t)) <= 1e-12 * size;
  return error;
}

/* ---- Entries ---- */

static perp_error line(const perp_operator *A, bool column, int i, int *index, double *value,
                       int *count, perp_message *why)
{
  const char *name = column ? "column" : "row";
  if (!A || !index || !value || !count)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: A, index, value or count is NULL", name);
  if (i < 0 || i >= A->n)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%s %d is not in 0 .. %d", name, i, A->n - 1);
  int (*get)(const perp_operator *, int, int *, double *) =
      column ? A->table->column : A->table->row;
  if (!get)
    return lacks(A, name, why);
  const int failures = perp_operator_failures(A);
  *count = get(A, i, index, value);
  return perp_operator_failed(A, failures, why);
}

perp_error perp_operator_row(const perp_operator *A, int i, int *column, double *value, int *count,
                             perp_message *why)
{
  return line(A, false, i, column, value, count, why);
}

perp_error perp_operator_column(const perp_operator *A, int j, int *row, double *value, int *count,
                                perp_message *why)
{
  return line(A, true, j, row, value, count, why);
}

bool perp_row_take(const perp_operator *A, perp_arena *arena, int **column, double **value)
{
  return PERP_TAKE(arena, PERP_ARRAY(*column, A->row_capacity),
                   PERP_ARRAY(*value, A->row_capacity));
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

static perp_error diagonal_by_rows(const perp_operator *A, double *d, perp_message *why)
{
  if (!A->table->row)
    return lacks(A, "diagonal", why);
  perp_arena arena = {0};
  int *column;
  double *value;
  const bool there = perp_row_take(A, &arena, &column, &value);
  if (there)
    perp_diagonal_by_rows(A, column, value, d);
  perp_arena_free(&arena);
  return there ? PERP_OK : no_memory(A, why);
}

perp_error perp_operator_diagonal(const perp_operator *A, double *d, perp_message *why)
{
  if (!A || (A->n > 0 && !d))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "diagonal: A or d is NULL");
  const int failures = perp_operator_failures(A);
  perp_error error = PERP_OK;
  if (A->table->diagonal)
    A->table->diagonal(A, d);
  else
    error = diagonal_by_rows(A, d, why);
  return error ? error : perp_operator_failed(A, failures, why);
}

/* ---- Submatrices ---- */

/* Returns false if an index is out of range or repeated; then position[i] = -1 for all i. */
static bool are_distinct(int n, int m, const int *S, int *position)
{
  perp_fill_integers(n, -1, position);
  for (int k = 0; k < m; k++) {
    if (S[k] < 0 || S[k] >= n || position[S[k]] >= 0)
      return false;
    position[S[k]] = k;
  }
  for (int k = 0; k < m; k++)
    position[S[k]] = -1;
  return true;
}

void perp_principal_by_rows(const perp_operator *A, int m, const int *S, int *column, double *value,
                            int *position, double *A_SS)
{
  for (int r = 0; r < m; r++)
    position[S[r]] = r;
  for (int r = 0; r < m; r++) {
    double *row = A_SS + (size_t)r * (size_t)m;
    const int count = A->table->row(A, S[r], column, value);
    perp_fill(m, 0, row);
    for (int k = 0; k < count; k++)
      if (position[column[k]] >= 0)
        row[position[column[k]]] = value[k];
  }
  for (int r = 0; r < m; r++)
    position[S[r]] = -1;
}

perp_error perp_operator_principal(const perp_operator *A, int m, const int *S, double *A_SS,
                                   perp_message *why)
{
  if (!A || (m > 0 && (!S || !A_SS)))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A_SS: A, S or A_SS is NULL");
  if (m < 0 || m > A->n)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A_SS: m = %d must be from 0 to n = %d", m, A->n);
  if (!A->table->row)
    return lacks(A, "principal", why);
  perp_arena arena = {0};
  int *position, *column;
  double *value;
  perp_error error = PERP_OK;
  const int failures = perp_operator_failures(A);
  if (!perp_row_take(A, &arena, &column, &value) || !PERP_TAKE(&arena, PERP_ARRAY(position, A->n)))
    error = no_memory(A, why);
  else if (!are_distinct(A->n, m, S, position))
    error = perp_fail(why, PERP_ERROR_ARGUMENT, "S has an index twice, or one not in 0 .. %d",
                      A->n - 1);
  else
    perp_principal_by_rows(A, m, S, column, value, position, A_SS);
  perp_arena_free(&arena);
  return error ? error : perp_operator_failed(A, failures, why);
}

perp_error perp_operator_block_diagonal(const perp_operator *A, int blocks, const int *start,
                                        double *values, perp_message *why)
{
  if (!A || blocks < 0 || (blocks > 0 && (!start || !values)))
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "block diagonal: A, start or values is NULL, or the number of blocks is negative");
  for (int k = 0; k < blocks; k++)
    if (start[k] < 0 || start[k + 1] < start[k] || start[k + 1] > A->n)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "block %d: rows %d .. %d, but n = %d", k, start[k],
                       start[k + 1] - 1, A->n);
  if (!A->table->row)
    return lacks(A, "block_diagonal", why);
  const int failures = perp_operator_failures(A);
  perp_arena arena = {0};
  int *column;
  double *value;
  const bool there = perp_row_take(A, &arena, &column, &value);
  for (int b = 0; b < blocks && there; b++) {
    const int first = start[b], size = start[b + 1] - first;
    for (int i = first; i < start[b + 1]; i++, values += size) {
      const int count = A->table->row(A, i, column, value);
      for (int k = 0; k < size; k++)
        values[k] = 0;
      for (int k = 0; k < count; k++)
        if (column[k] >= first && column[k] < first + size)
          values[column[k] - first] = value[k];
    }
  }
  perp_arena_free(&arena);
  return there ? perp_operator_failed(A, failures, why) : no_memory(A, why);
}
