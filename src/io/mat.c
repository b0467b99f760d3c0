/* mat.c: problems as MATLAB files, through libmatio
 *
 * Variables A (full or sparse), b, lo, hi, findex (from 1; 0 for none), mu, cone (from 1), dim, law, x, u.
 * MATLAB stores full matrices by columns and sparse ones as compressed columns; both are
 * transposed. Written files have version 5, are compressed and carry no date, so equal problems
 * give equal bytes. This is the only file that uses libmatio. */
#include "base/memory.h"
#include "base/message.h"
#include <perp/matlab.h>

#ifdef PERP_HAVE_MATIO

#include "io/structure.h"
#include "linalg/vector.h"
#include "set/set.h"
#include <limits.h>
#include <math.h>
#include <matio.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Declared sizes, checked before libmatio allocates ----
 *
 * A file of version 5 has a header of 128 bytes and then one element per variable: a tag (type,
 * number of bytes), and the matrix, or a zlib stream that holds such an element. A matrix begins
 * with
 *
 *   6, 8, flags and class, entries of a sparse one;   5, 4 rank, the dimensions,
 *
 * all of them 32-bit numbers. libmatio allocates by these numbers before it reads, so a few bytes
 * can request gigabytes. zlib expands one byte to at most 1,032; a cell or a struct takes at least
 * 8. Nested elements are not examined. Cost: reads a few kilobytes of each variable. */

enum {
  HEADER = 128,
  TAG = 8,
  MATRIX = 14,
  COMPRESSED = 15,
  MOST_RANK = 32,
  HEAD = TAG + 24 + 4 * MOST_RANK, /* of a matrix, including its own tag */
  READ = 4096,                     /* enough for a compressed HEAD */
  LAST_CONTAINER = 3,              /* classes 1 to 3: cell, struct, object */
};
static const double MOST_GROWTH = 1032, LEAST_PART = 8;

typedef struct element {
  uint32_t type, bytes;
  char head[HEAD]; /* of the matrix */
  size_t known;    /* valid bytes of it */
} element;

static uint32_t number(const char *at, bool swapped)
{
  uint32_t v;
  memcpy(&v, at, sizeof v);
  return swapped ? v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24 : v;
}

/* Returns true if a matrix of `bytes` bytes can begin like this. One that ends early is left to
 * libmatio. */
static bool is_sound(const element *e, bool swapped)
{
  uint32_t word[HEAD / 4];
  const size_t words = e->known / 4;
  for (size_t k = 0; k < words; k++)
    word[k] = number(e->head + 4 * k, swapped);
  if (words < 8)
    return true;
  const uint32_t class = word[4] & 0xff, rank = word[7] / 4;
  if (word[2] != 6 || word[3] != 8 || word[6] != 5 || word[7] % 4 != 0 || rank > MOST_RANK)
    return false;
  double parts = 1;
  for (uint32_t k = 0; k < rank && 8 + k < words; k++)
    parts *= word[8 + k];
  const double bytes = e->type == COMPRESSED ? MOST_GROWTH * e->bytes : e->bytes;
  return class == 0 || class > LAST_CONTAINER || parts * LEAST_PART <= bytes;
}

/* Reads the next element; returns false at the end of the file. */
static bool read_element(FILE *file, bool swapped, element *e)
{
  char tag[TAG], bytes[READ];
  if (fread(tag, 1, TAG, file) != TAG)
    return false;
  e->type = number(tag, swapped);
  e->bytes = number(tag + 4, swapped);
  e->known = 0;
  const long at = ftell(file);
  const size_t count = fread(bytes, 1, e->bytes < READ ? e->bytes : READ, file);
  if (e->type == COMPRESSED) {
    e->known = perp_inflate_head(bytes, count, e->head, HEAD);
  } else if (e->type == MATRIX) {
    memcpy(e->head, tag, TAG);
    e->known = TAG + (count < HEAD - TAG ? count : HEAD - TAG);
    memcpy(e->head + TAG, bytes, e->known - TAG);
  }
  return at >= 0 && fseek(file, at + (long)e->bytes, SEEK_SET) == 0;
}

/* Refuses a file of version 5 with an invalid variable header, or one that declares more than its
 * bytes can hold. Other versions pass. */
static perp_error check_heads(const char *path, perp_message *why)
{
  static const uint16_t mark = 'M' << 8 | 'I';
  FILE *file = fopen(path, "rb");
  char header[HEADER];
  if (!file)
    return PERP_OK; /* libmatio reports this too */
  const bool five =
      fread(header, 1, HEADER, file) == HEADER &&
      (memcmp(header + HEADER - 2, "IM", 2) == 0 || memcmp(header + HEADER - 2, "MI", 2) == 0);
  const bool swapped = memcmp(header + HEADER - 2, &mark, 2) != 0;
  element e;
  bool sound = true;
  int variable = 0;
  while (five && sound && read_element(file, swapped, &e)) {
    sound = is_sound(&e, swapped);
    variable++;
  }
  fclose(file);
  return sound ? PERP_OK
               : perp_fail(why, PERP_ERROR_FILE,
                           "%s: variable %d declares more data than the file holds",
                           perp_path_shown(path), variable);
}

/* ---- Reading ---- */

typedef struct {
  const char *path;
  mat_t *file;
  int64_t bytes; /* of the file */
  perp_message *why;
} source;

PERP_CHECK_FORMAT(4, 5)
static perp_error refuse(const source *s, perp_error error, const char *name, const char *format,
                         ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return perp_fail(s->why, error, "%s: %s: %s", perp_path_shown(s->path), name, text);
}

/* Returns element k of an array of the type that MATLAB stored. */
static bool number_at(const void *data, enum matio_types type, size_t k, double *value)
{
#define TYPE(name, type)                                                                           \
  case name:                                                                                       \
    *value = (double)((const type *)data)[k];                                                      \
    return true;
  switch (type) {
    TYPE(MAT_T_DOUBLE, double)
    TYPE(MAT_T_SINGLE, float)
    TYPE(MAT_T_INT8, int8_t)
    TYPE(MAT_T_UINT8, uint8_t)
    TYPE(MAT_T_INT16, int16_t)
    TYPE(MAT_T_UINT16, uint16_t)
    TYPE(MAT_T_INT32, int32_t)
    TYPE(MAT_T_UINT32, uint32_t)
    TYPE(MAT_T_INT64, int64_t)
    TYPE(MAT_T_UINT64, uint64_t)
  default:
    return false;
  }
#undef TYPE
}

static perp_error check_value(const source *s, const perp_mtx_rule *rule, int i, int j, double v)
{
  if (isnan(v) || (rule->finite && isinf(v)))
    return refuse(s, PERP_ERROR_PROBLEM, rule->name, "entry (%d, %d) = %g is not finite", i, j, v);
  if (rule->whole && v != floor(v))
    return refuse(s, PERP_ERROR_PROBLEM, rule->name, "entry (%d, %d) = %g is not a whole number", i,
                  j, v);
  if (rule->least < rule->most && !(v >= rule->least && v <= rule->most))
    return refuse(s, PERP_ERROR_PROBLEM, rule->name, "entry (%d, %d) = %g is outside %g..%g", i, j,
                  v, rule->least, rule->most);
  return PERP_OK;
}

static perp_error check_shape(const source *s, const perp_mtx_rule *rule, const matvar_t *v)
{
  /* sparse, double, single and the integers are consecutive in libmatio's list */
  if (v->rank != 2 || v->class_type < MAT_C_SPARSE || v->class_type > MAT_C_UINT64)
    return refuse(s, PERP_ERROR_FILE, rule->name, "is not a numeric matrix");
  if (v->isComplex)
    return refuse(s, PERP_ERROR_FILE, rule->name, "is complex");
  const size_t m = v->dims[0], n = v->dims[1];
  if (m > INT_MAX || n > INT_MAX)
    return refuse(s, PERP_ERROR_FILE, rule->name, "%zu x %zu is too large", m, n);
  if (rule->square && m != n)
    return refuse(s, PERP_ERROR_PROBLEM, rule->name, "%zu x %zu, but %s must be square", m, n,
                  rule->name);
  if (rule->vector && m != 1 && n != 1 && m + n > 0)
    return refuse(s, PERP_ERROR_PROBLEM, rule->name, "%zu x %zu, but %s must be a vector", m, n,
                  rule->name);
  if (rule->vector && rule->rows >= 0 && (n == 1 ? m : n) != (size_t)rule->rows)
    return refuse(s, PERP_ERROR_PROBLEM, rule->name, "%zu x %zu, but %s must have length %d", m, n,
                  rule->name, rule->rows);
  /* libmatio allocates the declared size. zlib expands one byte to at most 1,032, and an entry takes
   * at least one byte: anything that declares more is refused before an allocation. */
  if (v->class_type != MAT_C_SPARSE && (double)m * (double)n > MOST_GROWTH * (double)s->bytes)
    return refuse(s, PERP_ERROR_FILE, rule->name, "%zu x %zu cannot be in a file of %lld bytes", m,
                  n, (long long)s->bytes);
  return PERP_OK;
}

static perp_error take_full(const source *s, const perp_mtx_rule *rule, const matvar_t *v,
                            perp_mtx *matrix)
{
  const int m = matrix->rows, n = matrix->columns;
  matrix->entries = (int64_t)m * n;
  if (matrix->entries > 0 && !v->data)
    return refuse(s, PERP_ERROR_FILE, rule->name, "has no data");
  matrix->value = perp_alloc((size_t)matrix->entries, sizeof *matrix->value);
  if (!matrix->value)
    return refuse(s, PERP_ERROR_MEMORY, rule->name, "out of memory for %d x %d", m, n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double value;
      if (!number_at(v->data, v->data_type, (size_t)j * (size_t)m + (size_t)i, &value))
        return refuse(s, PERP_ERROR_FILE, rule->name,
                      "is stored in a type that perp does not read");
      const perp_error error = check_value(s, rule, i, j, value);
      if (error)
        return error;
      matrix->value[(int64_t)i * n + j] = value;
    }
  return PERP_OK;
}

/* Checks that column indices are in range and that row indices ascend in each column. */
static perp_error check_columns(const source *s, const perp_mtx_rule *rule, const perp_mtx *matrix,
                                const mat_sparse_t *c)
{
  const int n = matrix->columns;
  bool sound = (int64_t)c->njc == (int64_t)n + 1 && c->jc[0] == 0 && c->jc[n] <= c->nir &&
               c->jc[n] <= c->ndata;
  for (int j = 0; j < n && sound; j++) {
    sound = c->jc[j] <= c->jc[j + 1] && c->jc[j + 1] <= c->nir;
    for (mat_uint32_t k = c->jc[j]; sound && k < c->jc[j + 1]; k++)
      sound = c->ir[k] < (mat_uint32_t)matrix->rows && (k == c->jc[j] || c->ir[k - 1] < c->ir[k]);
  }
  return sound ? PERP_OK
               : refuse(s, PERP_ERROR_FILE, rule->name, "its sparse structure is invalid");
}

static perp_error take_sparse(const source *s, const perp_mtx_rule *rule, const matvar_t *v,
                              perp_mtx *matrix)
{
  const mat_sparse_t *c = v->data;
  const int m = matrix->rows, n = matrix->columns;
  const bool empty = !c || !c->jc; /* an empty one may have no arrays */
  if (empty && n > 0)
    return refuse(s, PERP_ERROR_FILE, rule->name, "has no data");
  perp_error error = empty ? PERP_OK : check_columns(s, rule, matrix, c);
  if (error)
    return error;
  const size_t entries = empty ? 0 : c->jc[n];
  perp_triplets t;
  const bool taken = perp_triplets_alloc(&t, entries);
  for (int j = 0; j < n && taken && !error; j++)
    for (mat_uint32_t k = c->jc[j]; k < c->jc[j + 1] && !error; k++) {
      double value = 0;
      if (number_at(c->data, v->data_type, k, &value))
        error = check_value(s, rule, (int)c->ir[k], j, value);
      else
        error =
            refuse(s, PERP_ERROR_FILE, rule->name, "is stored in a type that perp does not read");
      perp_triplets_add(&t, (int)c->ir[k], j, value);
    }
  if (!error && (!taken || !perp_mtx_compress(&t, m, n, matrix)))
    error = refuse(s, PERP_ERROR_MEMORY, rule->name, "out of memory for %zu entries", entries);
  perp_triplets_free(&t);
  return error;
}

/* If the file has no such variable, sets *found to false and returns PERP_OK. */
static perp_error read_variable(const source *s, const perp_mtx_rule *rule, perp_mtx *matrix,
                                bool *found)
{
  *matrix = (perp_mtx){.path = s->path};
  matvar_t *v = Mat_VarReadInfo(s->file, rule->name);
  *found = v != NULL;
  if (!v)
    return PERP_OK;
  perp_error error = check_shape(s, rule, v);
  if (!error && Mat_VarReadDataAll(s->file, v) != 0)
    error = refuse(s, PERP_ERROR_FILE, rule->name, "has no data");
  if (!error) {
    matrix->rows = (int)v->dims[0];
    matrix->columns = (int)v->dims[1];
    error = v->class_type == MAT_C_SPARSE ? take_sparse(s, rule, v, matrix)
                                          : take_full(s, rule, v, matrix);
  }
  Mat_VarFree(v);
  if (error)
    perp_mtx_free(matrix);
  return error;
}

static perp_error read_vector(void *context, const perp_mtx_rule *rule, double **values,
                              int *length)
{
  const source *s = context;
  perp_mtx vector;
  bool found;
  const perp_error error = read_variable(s, rule, &vector, &found);
  if (error || !found)
    return error;
  return perp_mtx_take(&vector, values, length, s->why);
}

static perp_error read_parts(source *s, perp_instance *instance)
{
  const perp_mtx_rule rule = {
      .name = "A", .square = true, .finite = true, .rows = -1, .columns = -1};
  perp_mtx matrix;
  bool found;
  perp_error error = read_variable(s, &rule, &matrix, &found);
  if (error)
    return error;
  if (!found)
    return perp_fail(s->why, PERP_ERROR_FILE, "%s: has no variable A", perp_path_shown(s->path));
  error = perp_structure_plain(&matrix, &instance->A, s->why);
  perp_mtx_free(&matrix);
  const perp_vectors vectors = {s->path, "%s: %s", s, read_vector, 1, s->why};
  return error ? error : perp_structure_vectors(&vectors, instance);
}

perp_error perp_mat_read(const char *path, perp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_mat_read: a pointer is NULL");
  *instance = (perp_instance){0};
  if (!perp_file_exists(path))
    return perp_fail(why, PERP_ERROR_FILE, "%s: there is no such file", perp_path_shown(path));
  const perp_error unsound = check_heads(path, why);
  if (unsound)
    return unsound;
  const int64_t bytes = perp_file_bytes(path);
  source s = {path, bytes < 0 ? NULL : Mat_Open(path, MAT_ACC_RDONLY), bytes, why};
  if (!s.file)
    return perp_fail(why, PERP_ERROR_FILE, "%s: is not a MATLAB file", perp_path_shown(path));
  const perp_error error = read_parts(&s, instance);
  Mat_Close(s.file);
  if (error)
    perp_instance_destroy(instance);
  return error;
}

/* ---- Writing ---- */

/* A file being written. After an error nothing more is written. */
typedef struct {
  mat_t *file;
  perp_error error;
} output;

/* Writes nothing without data. */
static void write_variable(output *out, const char *name, enum matio_classes kind, size_t rows,
                           size_t columns, void *data)
{
  size_t dims[2] = {rows, columns};
  if (out->error || !data)
    return;
  matvar_t *v = Mat_VarCreate(name, kind, MAT_T_DOUBLE, 2, dims, data, MAT_F_DONT_COPY_DATA);
  if (!v || Mat_VarWrite(out->file, v, MAT_COMPRESSION_ZLIB) != 0)
    out->error = PERP_ERROR_FILE;
  Mat_VarFree(v);
}

static void write_vector(output *out, const char *name, size_t length, double *values)
{
  write_variable(out, name, MAT_C_DOUBLE, length, 1, values);
}

/* Writes an array by columns. */
static void write_full(output *out, const char *name, size_t rows, size_t columns, const double *a,
                       int64_t stride)
{
  double *copy = perp_alloc(rows * columns, sizeof *copy);
  if (!copy)
    out->error = PERP_ERROR_MEMORY;
  for (size_t j = 0; copy && j < columns; j++)
    for (size_t i = 0; i < rows; i++)
      copy[j * rows + i] = a[(int64_t)i * stride + (int64_t)j];
  write_variable(out, name, MAT_C_DOUBLE, rows, columns, copy);
  perp_free(copy);
}

static void write_sparse(output *out, int n, const int64_t *start, const int *column,
                         const double *value)
{
  const int64_t entries = start[n];
  if (entries > INT_MAX) { /* libmatio counts in 32 bits */
    out->error = PERP_ERROR_UNSUPPORTED;
    return;
  }
  perp_arena arena = {0};
  int64_t *next;
  mat_uint32_t *jc;
  int *rows;
  double *data;
  if (PERP_TAKE(&arena, PERP_ARRAY(next, n + 1), PERP_ARRAY(jc, n + 1), PERP_ARRAY(rows, entries),
                PERP_ARRAY(data, entries))) {
    perp_transpose(n, n, start, column, value, next, rows, data, NULL);
    for (int j = 0; j <= n; j++)
      jc[j] = (mat_uint32_t)next[j];
    mat_sparse_t sparse = {.nzmax = (mat_uint32_t)entries,
                           .ir = (mat_uint32_t *)rows,
                           .nir = (mat_uint32_t)entries,
                           .jc = jc,
                           .njc = (mat_uint32_t)n + 1,
                           .ndata = (mat_uint32_t)entries,
                           .data = data};
    write_variable(out, "A", MAT_C_SPARSE, (size_t)n, (size_t)n, &sparse);
  } else {
    out->error = PERP_ERROR_MEMORY;
  }
  perp_arena_free(&arena);
}

static void write_operator(output *out, const perp_operator *op)
{
  const double *a, *value;
  int64_t stride;
  const int64_t *start;
  const int *column;
  const int n = perp_operator_size(op);
  if (perp_operator_dense_array(op, &a, &stride) == PERP_OK) {
    write_full(out, "A", (size_t)n, (size_t)n, a, stride);
    return;
  }
  perp_operator *csr = NULL;
  if (perp_operator_csr_arrays(op, &start, &column, &value) != PERP_OK) {
    out->error = perp_operator_to_csr(op, 0, &csr, NULL);
    if (!out->error)
      out->error = perp_operator_csr_arrays(csr, &start, &column, &value);
  }
  if (!out->error)
    write_sparse(out, n, start, column, value);
  perp_operator_destroy(csr);
}

static void write_integers(output *out, const char *name, size_t length, const int *rows, int first)
{
  double *values = rows ? perp_alloc(length, sizeof *values) : NULL;
  if (rows && !values)
    out->error = PERP_ERROR_MEMORY;
  for (size_t i = 0; values && i < length; i++)
    values[i] = rows[i] + first;
  write_vector(out, name, length, values);
  perp_free(values);
}

static void write_parts(output *out, const perp_instance *t)
{
  const size_t n = (size_t)perp_operator_size(t->A), cones = (size_t)t->cones;
  write_operator(out, t->A);
  write_vector(out, "b", n, t->b);
  write_vector(out, "lo", n, t->lo);
  write_vector(out, "hi", n, t->hi);
  write_integers(out, "findex", n, t->findex, 1); /* MATLAB counts from 1 */
  write_vector(out, "mu", cones, t->dim ? NULL : t->mu);
  write_vector(out, "x", n, t->x);
  write_vector(out, "u", n, t->u);
  if (t->dim && !out->error)
    write_full(out, "mu", cones, PERP_FRICTION_MU, t->mu, PERP_FRICTION_MU);
  write_integers(out, "dim", cones, t->dim, 0);
  write_integers(out, "law", cones, t->dim ? t->law : NULL, 0);
  write_integers(out, "cone", cones, t->cone, 1);
}

perp_error perp_mat_write(const char *path, const perp_instance *instance, perp_message *why)
{
  perp_writer writer;
  if (!path || !instance || !instance->A || !instance->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_mat_write: path, A or b is NULL");
  const perp_error error = perp_writer_open(&writer, path, why);
  if (error)
    return error;
  output out = {.file = Mat_CreateVer(writer.temporary ? writer.temporary : path,
                                      "MATLAB 5.0 MAT-file, written by perp", MAT_FT_MAT5)};
  if (out.file)
    write_parts(&out, instance);
  if (!out.file || (Mat_Close(out.file) != 0 && !out.error))
    out.error = PERP_ERROR_FILE;
  if (!out.error)
    return perp_writer_commit(&writer, why);
  perp_writer_abandon(&writer);
  return perp_fail(why, out.error, "%s: cannot be written as a MATLAB file", perp_path_shown(path));
}

#else

static perp_error missing(const char *path, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_BACKEND,
                   "%.200s: perp was built without libmatio, which MATLAB files need", path);
}

perp_error perp_mat_read(const char *path, perp_instance *instance, perp_message *why)
{
  if (instance)
    *instance = (perp_instance){0};
  return missing(path ? path : "?", why);
}

perp_error perp_mat_write(const char *path, const perp_instance *instance, perp_message *why)
{
  (void)instance;
  return missing(path ? path : "?", why);
}

#endif
