/* assemble.c: converts any operator to a dense or a CSR one
 *
 * The matrix is read line by line: by rows if A has row access, else by columns, else column j is A
 * e_j, one product each (a CSR result then omits entries that are exactly 0). Lines are collected
 * in growing arrays; if they were columns, the result is transposed. The memory limit applies to
 * the result, not to temporary arrays. */
#include "operator/operator.h"

#include <string.h>

typedef struct line_reader {
  const perp_operator *A;
  bool columns;
  int *index;
  double *value;
  double *unit, *scratch; /* for products; NULL if A gives its entries */
} line_reader;

/* Returns false when out of memory. */
static bool reader_open(const perp_operator *A, perp_arena *arena, line_reader *reader)
{
  const bool apply = !A->table->row && !A->table->column;
  const size_t room = (size_t)(apply ? A->n : A->row_capacity);
  *reader = (line_reader){.A = A, .columns = !A->table->row};
  return PERP_TAKE(arena, PERP_ARRAY(reader->index, room), PERP_ARRAY(reader->value, room)) &&
         (!apply || (PERP_TAKE_ZERO(arena, PERP_ARRAY(reader->unit, A->n)) &&
                     PERP_TAKE(arena, PERP_ARRAY(reader->scratch, A->scratch))));
}

/* Reads line k into index and value; returns the number of its entries. */
static int reader_get(line_reader *reader, int k)
{
  const perp_operator *A = reader->A;
  if (!reader->unit)
    return (reader->columns ? A->table->column : A->table->row)(A, k, reader->index, reader->value);
  const perp_work work = {.threads = 1, .scratch = reader->scratch};
  int count = 0;
  reader->unit[k] = 1;
  A->table->apply(A, reader->unit, reader->value, &work);
  reader->unit[k] = 0;
  for (int i = 0; i < A->n; i++)
    if (reader->value[i] != 0) {
      reader->value[count] = reader->value[i];
      reader->index[count++] = i;
    }
  return count;
}

/* ---- Dense ---- */

/* The clock is read before every product, which may take long, else at every 128th line. */
static bool is_over(const line_reader *reader, const perp_alarm *alarm, int k)
{
  return reader->unit ? alarm->rings && alarm->rings(alarm->context)
                      : perp_alarm_rings_at(alarm, k);
}

bool perp_operator_fill_dense(const perp_operator *A, perp_arena *arena, perp_alarm alarm,
                              double *a, int64_t ld)
{
  const perp_arena_mark mark = perp_arena_hold(arena);
  line_reader reader;
  const bool open = reader_open(A, arena, &reader);
  for (int k = 0; open && k < A->n && !is_over(&reader, &alarm, k); k++) {
    const int count = reader_get(&reader, k);
    double *line = reader.columns ? a + k : a + k * ld;
    for (int e = 0; e < count; e++)
      line[reader.index[e] * (reader.columns ? ld : 1)] = reader.value[e];
  }
  perp_arena_release(arena, mark);
  return open;
}

perp_error perp_operator_to_dense(const perp_operator *A, size_t memory_limit,
                                  perp_operator **dense, perp_message *why)
{
  if (!A || !dense)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A or dense is NULL");
  *dense = NULL;
  const size_t n = (size_t)A->n;
  const double bytes = (double)n * (double)n * sizeof(double);
  if (memory_limit > 0 && bytes > (double)memory_limit)
    return perp_fail(why, PERP_ERROR_MEMORY,
                     "A as a dense matrix, n = %d, needs %.0f bytes, more than memory_limit = %zu",
                     A->n, bytes, memory_limit);
  const int failures = perp_operator_failures(A);
  perp_arena scratch = {0};
  double *a = n == 0 || n <= SIZE_MAX / n ? perp_alloc_zero(n * n, sizeof *a) : NULL;
  const bool done = a && perp_operator_fill_dense(A, &scratch, (perp_alarm){0}, a, A->n);
  perp_arena_free(&scratch);
  perp_error error = perp_operator_failed(A, failures, why);
  if (!done)
    error =
        perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A as a dense matrix, n = %d", A->n);
  if (!error)
    error = perp_operator_dense(A->n, a, A->n, PERP_BORROW, dense, why);
  if (error)
    perp_free(a);
  else
    perp_operator_adopt(*dense, a);
  return error;
}

/* ---- Compressed rows ---- */

/* The lines of A, in arrays that grow; those of them that exist are to be freed. */
typedef struct sparse_lines {
  int64_t *start; /* n + 1 */
  int *index;
  double *value;
} sparse_lines;

static perp_error gather(line_reader *reader, size_t memory_limit, sparse_lines *lines,
                         perp_message *why)
{
  const int n = reader->A->n;
  size_t used = 0, room = (size_t)n;
  lines->start = perp_alloc_zero((size_t)n + 1, sizeof *lines->start);
  lines->index = perp_alloc(room, sizeof *lines->index);
  lines->value = perp_alloc(room, sizeof *lines->value);
  bool memory = lines->start && lines->index && lines->value;
  for (int k = 0; k < n && memory; k++) {
    const size_t count = (size_t)reader_get(reader, k);
    const double bytes = (n + 1.0) * sizeof *lines->start +
                         (double)(used + count) * (sizeof *lines->index + sizeof *lines->value);
    if (memory_limit > 0 && bytes > (double)memory_limit)
      return perp_fail(
          why, PERP_ERROR_MEMORY,
          "A as a csr matrix, n = %d, needs more than memory_limit = %zu: %.0f bytes up "
          "to %s %d",
          n, memory_limit, bytes, reader->columns ? "column" : "row", k);
    if (used + count > room) {
      room = 2 * used + count;
      memory = perp_alloc_longer(&lines->index, used, room, sizeof *lines->index) &&
               perp_alloc_longer(&lines->value, used, room, sizeof *lines->value);
    }
    if (memory) {
      memcpy(lines->index + used, reader->index, count * sizeof *lines->index);
      memcpy(lines->value + used, reader->value, count * sizeof *lines->value);
    }
    used += count;
    lines->start[k + 1] = (int64_t)used;
  }
  return memory
             ? PERP_OK
             : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A as a csr matrix, n = %d", n);
}

perp_error perp_operator_to_csr(const perp_operator *A, size_t memory_limit, perp_operator **csr,
                                perp_message *why)
{
  if (!A || !csr)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A or csr is NULL");
  *csr = NULL;
  line_reader reader;
  sparse_lines lines = {0};
  perp_arena scratch = {0};
  const int failures = perp_operator_failures(A);
  perp_error error =
      reader_open(A, &scratch, &reader)
          ? gather(&reader, memory_limit, &lines, why)
          : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A as a csr matrix, n = %d", A->n);
  perp_arena_free(&scratch);
  if (!error)
    error = perp_operator_failed(A, failures, why);
  if (!error && !reader.columns)
    return perp_operator_csr_owning(A->n, lines.start, lines.index, lines.value, csr, why);
  if (!error)
    error = perp_operator_csc(A->n, lines.start, lines.index, lines.value, PERP_COPY, csr, why);
  perp_free(lines.start);
  perp_free(lines.index);
  perp_free(lines.value);
  return error;
}
