/* mtx_write.c: writes Matrix Market files, converts matrices, and reads and writes vectors */
#include "base/memory.h"
#include "base/message.h"
#include "io/mtx.h"
#include "linalg/vector.h"
#include <perp/io.h>

#include <string.h>

/* ---- Forms ---- */

perp_error perp_mtx_to_csr(perp_mtx *matrix, perp_message *why)
{
  if (matrix->sparse)
    return PERP_OK;
  perp_triplets t = {0};
  perp_mtx csr = {.path = matrix->path};
  bool enough = true;
  for (int64_t k = 0; k < matrix->entries && enough; k++)
    if (matrix->value[k] != 0)
      enough = perp_triplets_push(&t, (int)(k / matrix->columns), (int)(k % matrix->columns),
                                  matrix->value[k]);
  enough = enough && perp_mtx_compress(&t, matrix->rows, matrix->columns, &csr);
  perp_triplets_free(&t);
  if (!enough) {
    perp_mtx_free(&csr);
    return perp_mtx_no_memory(matrix->path, matrix->rows, matrix->columns, why);
  }
  perp_mtx_free(matrix);
  *matrix = csr;
  return PERP_OK;
}

perp_error perp_mtx_to_dense(perp_mtx *matrix, perp_message *why)
{
  if (!matrix->sparse)
    return PERP_OK;
  perp_mtx dense = {.path = matrix->path, .rows = matrix->rows, .columns = matrix->columns};
  dense.entries = (int64_t)dense.rows * dense.columns;
  dense.value = perp_alloc_zero((size_t)dense.entries, sizeof *dense.value);
  if (!dense.value)
    return perp_mtx_no_memory(matrix->path, matrix->rows, matrix->columns, why);
  for (int i = 0; i < dense.rows; i++)
    for (int64_t k = matrix->start[i]; k < matrix->start[i + 1]; k++)
      dense.value[(int64_t)i * dense.columns + matrix->column[k]] = matrix->value[k];
  perp_mtx_free(matrix);
  *matrix = dense;
  return PERP_OK;
}

perp_error perp_mtx_take(perp_mtx *vector, double **values, int *length, perp_message *why)
{
  const perp_error error = perp_mtx_to_dense(vector, why);
  if (!error) {
    *values = vector->value;
    vector->value = NULL;
    if (length)
      *length = (int)vector->entries;
  }
  perp_mtx_free(vector);
  return error;
}

double perp_mtx_entry(const perp_mtx *matrix, int i, int j)
{
  if (!matrix->sparse)
    return matrix->value[(int64_t)i * matrix->columns + j];
  const int64_t at = perp_row_find(matrix->start, matrix->column, i, j);
  return at < 0 ? 0 : matrix->value[at];
}

/* ---- Writing ---- */

static void write_header(perp_writer *writer, const char *format, const char *field, bool symmetric)
{
  perp_writer_text(writer, "%%MatrixMarket matrix ");
  perp_writer_text(writer, format);
  perp_writer_text(writer, " ");
  perp_writer_text(writer, field);
  perp_writer_text(writer, symmetric ? " symmetric\n" : " general\n");
}

static void write_comment(perp_writer *writer, const char *comment)
{
  while (*comment) {
    const size_t length = strcspn(comment, "\n");
    perp_writer_text(writer, "% ");
    perp_writer_bytes(writer, comment, length);
    perp_writer_text(writer, "\n");
    comment += length + (comment[length] == '\n');
  }
}

static void write_sizes(perp_writer *writer, int rows, int columns)
{
  perp_writer_integer(writer, rows);
  perp_writer_text(writer, " ");
  perp_writer_integer(writer, columns);
}

/* Writes an array by columns, without the upper triangle if it is symmetric. */
static void write_full(perp_writer *writer, int rows, int columns, const double *a, int64_t stride,
                       bool symmetric, const char *comment)
{
  write_header(writer, "array", "real", symmetric);
  if (comment)
    write_comment(writer, comment);
  write_sizes(writer, rows, columns);
  perp_writer_text(writer, "\n");
  for (int j = 0; j < columns; j++)
    for (int i = symmetric ? j : 0; i < rows; i++) {
      perp_writer_number(writer, a[i * stride + j]);
      perp_writer_text(writer, "\n");
    }
}

void perp_mtx_write_array(perp_writer *writer, int rows, int columns, const double *values,
                          const char *comment)
{
  write_full(writer, rows, columns, values, columns, false, comment);
}

void perp_mtx_write_integers(perp_writer *writer, int rows, int columns, const int *values)
{
  write_header(writer, "array", "integer", false);
  write_sizes(writer, rows, columns);
  perp_writer_text(writer, "\n");
  for (int64_t k = 0; k < (int64_t)rows * columns; k++) {
    perp_writer_integer(writer, values[k]);
    perp_writer_text(writer, "\n");
  }
}

/* 0 and -0 differ: a file read back must have the same bits. */
static bool same_bits(double a, double b)
{
  uint64_t bits_a, bits_b;
  memcpy(&bits_a, &a, sizeof a);
  memcpy(&bits_b, &b, sizeof b);
  return bits_a == bits_b;
}

static bool dense_is_symmetric(int n, const double *a, int64_t stride)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (!same_bits(a[i * stride + j], a[j * stride + i]))
        return false;
  return true;
}

void perp_mtx_write_dense(perp_writer *writer, int n, const double *a, int64_t stride)
{
  write_full(writer, n, n, a, stride, dense_is_symmetric(n, a, stride), NULL);
}

/* Rows are visited in order, so entry (i, j) must match the first unmatched entry of row j:
 * next[j]. n integers of workspace. */
static bool csr_is_symmetric(int n, const int64_t *start, const int *column, const double *value,
                             int64_t *next)
{
  memcpy(next, start, (size_t)n * sizeof *next);
  for (int i = 0; i < n; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
      const int j = column[k];
      const int64_t mirror = next[j]++;
      if (mirror >= start[j + 1] || column[mirror] != i || !same_bits(value[mirror], value[k]))
        return false;
    }
  return true;
}

perp_error perp_mtx_write_csr(perp_writer *writer, int rows, int columns, const int64_t *start,
                              const int *column, const double *value, perp_message *why)
{
  bool symmetric = false;
  if (rows == columns) {
    int64_t *next = perp_alloc((size_t)rows, sizeof *next);
    if (!next)
      return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory to write %d rows",
                       perp_path_shown(writer->path), rows);
    symmetric = csr_is_symmetric(rows, start, column, value, next);
    perp_free(next);
  }
  int64_t entries = 0;
  for (int i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      entries += !symmetric || column[k] <= i;

  write_header(writer, "coordinate", "real", symmetric);
  write_sizes(writer, rows, columns);
  perp_writer_text(writer, " ");
  perp_writer_integer(writer, entries);
  perp_writer_text(writer, "\n");
  for (int i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
      if (symmetric && column[k] > i)
        continue;
      perp_writer_integer(writer, i + 1);
      perp_writer_text(writer, " ");
      perp_writer_integer(writer, column[k] + 1);
      perp_writer_text(writer, " ");
      perp_writer_number(writer, value[k]);
      perp_writer_text(writer, "\n");
    }
  return PERP_OK;
}

/* ---- Vectors ---- */

perp_error perp_vector_read(const char *path, int n, double **values, int *length,
                            perp_message *why)
{
  perp_mtx vector;
  perp_mtx_rule rule = perp_mtx_rule_any("the vector");
  if (!path || !values)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_vector_read: a pointer is NULL");
  *values = NULL;
  rule.vector = true;
  rule.rows = n < 0 ? -1 : n;
  rule.nan = true; /* `perp check` judges a vector even if it has NaN */
  const perp_error error = perp_mtx_read(path, &rule, &vector, why);
  return error ? error : perp_mtx_take(&vector, values, length, why);
}

perp_error perp_vector_write(const char *path, int n, const double *values, const char *comment,
                             perp_message *why)
{
  perp_writer writer;
  if (!path || n < 0 || (n > 0 && !values))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "perp_vector_write: path or values is NULL, or n = %d is negative", n);
  const perp_error error = perp_writer_open(&writer, path, why);
  if (error)
    return error;
  perp_mtx_write_array(&writer, n, 1, values, comment);
  return perp_writer_commit(&writer, why);
}
