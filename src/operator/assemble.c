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

/* Consecutive lines of indices and values, in arrays that grow. */
typedef struct sparse_lines {
  int n;
  int64_t capacity;
  int64_t *start; /* n + 1 */
  int *index;
  double *value;
} sparse_lines;

static void lines_free(sparse_lines *lines)
{
  perp_free(lines->start);
  perp_free(lines->index);
  perp_free(lines->value);
}

static bool lines_take(sparse_lines *lines, int n, int64_t capacity)
{
  *lines = (sparse_lines){
      .n = n,
      .capacity = capacity,
      .start = perp_alloc_zero((size_t)n + 1, sizeof *lines->start),
      .index = perp_alloc((size_t)capacity, sizeof *lines->index),
      .value = perp_alloc((size_t)capacity, sizeof *lines->value),
  };
  if (lines->start && lines->index && lines->value)
    return true;
  lines_free(lines);
  return false;
}

/* Makes room for `more` entries after the first `used`. */
static bool lines_reserve(sparse_lines *lines, int64_t used, int64_t more)
{
  if (used + more <= lines->capacity)
    return true;
  const int64_t capacity = 2 * used + more;
  if (!perp_alloc_longer(&lines->index, (size_t)used, (size_t)capacity, sizeof *lines->index) ||
      !perp_alloc_longer(&lines->value, (size_t)used, (size_t)capacity, sizeof *lines->value))
    return false;
  lines->capacity = capacity;
  return true;
}

/* Appends line k; `index` and `value` have `count` entries. */
static bool lines_append(sparse_lines *lines, int k, int count, const int *index,
                         const double *value)
{
  const int64_t used = lines->start[k];
  if (!lines_reserve(lines, used, count))
    return false;
  memcpy(lines->index + used, index, (size_t)count * sizeof *index);
  memcpy(lines->value + used, value, (size_t)count * sizeof *value);
  lines->start[k + 1] = used + count;
  return true;
}

static double csr_bytes(double n, double entries)
{
  return (n + 1) * sizeof(int64_t) + entries * (sizeof(int) + sizeof(double));
}

static perp_error gather(line_reader *reader, size_t memory_limit, sparse_lines *lines,
                         perp_message *why)
{
  const int n = reader->A->n;
  for (int k = 0; k < n; k++) {
    const int count = reader_get(reader, k);
    const double bytes = csr_bytes(n, (double)lines->start[k] + count);
    if (memory_limit > 0 && bytes > (double)memory_limit)
      return perp_fail(
          why, PERP_ERROR_MEMORY,
          "A as a csr matrix, n = %d, needs more than memory_limit = %zu: %.0f bytes up "
          "to %s %d",
          n, memory_limit, bytes, reader->columns ? "column" : "row", k);
    if (!lines_append(lines, k, count, reader->index, reader->value))
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A as a csr matrix, n = %d", n);
  }
  return PERP_OK;
}

perp_error perp_operator_to_csr(const perp_operator *A, size_t memory_limit, perp_operator **csr,
                                perp_message *why)
{
  if (!A || !csr)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A or csr is NULL");
  *csr = NULL;
  line_reader reader;
  sparse_lines lines;
  perp_arena scratch = {0};
  if (!reader_open(A, &scratch, &reader) || !lines_take(&lines, A->n, A->n)) {
    perp_arena_free(&scratch);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for A as a csr matrix, n = %d", A->n);
  }
  const int failures = perp_operator_failures(A);
  perp_error error = gather(&reader, memory_limit, &lines, why);
  perp_arena_free(&scratch);
  if (!error)
    error = perp_operator_failed(A, failures, why);
  if (!error && !reader.columns)
    return perp_operator_csr_owning(A->n, lines.start, lines.index, lines.value, csr, why);
  if (!error)
    error = perp_operator_csc(A->n, lines.start, lines.index, lines.value, PERP_COPY, csr, why);
  lines_free(&lines);
  return error;
}
