/* random_sparse.c: sparse random matrices of a known class, with a planted solution
 *
 *   mmatrix  A = D^-1 (S - B) D, B >= 0 with `row` random entries per row, S_i = margin times the
 *            row sum of B (margin > 1): a nonsingular M-matrix, not symmetric
 *   banded   symmetric, half-bandwidth `band`, entries uniform, diagonally dominant: SPD; a share
 *            `holes` of its rows and columns, drawn at random, is empty, diagonal and all
 *   blocked  symmetric, size x size blocks coupled with their neighbours and with the blocks a
 *            stride of about sqrt(blocks) away, diagonally dominant: SPD, a bsr operator
 *
 * Without holes all are P-matrices, so the planted solution is the only one. Cost: O(nonzeros log row). */
#include "generate/rows.h"

#include <math.h>

typedef struct {
  int n, row, band, size;
  double margin, spread, holes;
  perp_planting plant;
} sparse_parameters;

typedef perp_error (*fill_function)(const sparse_parameters *par, perp_random *random,
                                    perp_rows *rows, perp_message *why);

static perp_error fill_mmatrix(const sparse_parameters *par, perp_random *random, perp_rows *rows,
                               perp_message *why)
{
  const int n = par->n;
  double *d = perp_alloc((size_t)n, sizeof *d);
  perp_entry *entries = perp_alloc((size_t)par->row + 1, sizeof *entries);
  perp_error error = d && entries
                         ? perp_rows_make("mmatrix", rows, n, (int64_t)n * (par->row + 1), why)
                         : perp_generate_no_memory("mmatrix", why);
  for (int i = 0; i < n && !error; i++) /* a factor in [1, 1 + spread] */
    d[i] = 1 + par->spread * perp_random_uniform(random);
  for (int i = 0; i < n && !error; i++) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < par->row; k++) {
      const int j = perp_random_below(random, n);
      const double b = perp_random_between(random, 0.1, 1);
      if (j == i)
        continue;
      sum += b;
      entries[count++] = (perp_entry){j, -b * d[j] / d[i]};
    }
    entries[count++] = (perp_entry){i, par->margin * sum + 0.1};
    perp_rows_append(rows, i, entries, count);
  }
  perp_free(d);
  perp_free(entries);
  return error;
}

/* The upper triangle is drawn first: A(i, i + 1 + k) = upper[i * band + k]. */
static perp_error fill_banded(const sparse_parameters *par, perp_random *random, perp_rows *rows,
                              perp_message *why)
{
  const int n = par->n, band = par->band;
  double *upper = perp_alloc((size_t)n * (size_t)band, sizeof *upper);
  bool *hole = perp_alloc_zero((size_t)n, sizeof *hole);
  perp_entry *entries = perp_alloc(2 * (size_t)band + 1, sizeof *entries);
  perp_error error = upper && hole && entries
                         ? perp_rows_make("banded", rows, n, (int64_t)n * (2 * band + 1), why)
                         : perp_generate_no_memory("banded", why);
  for (int64_t k = 0; k < (int64_t)n * band && !error; k++)
    upper[k] = perp_random_between(random, -1, 1);
  for (int i = 0; i < n && par->holes > 0 && !error; i++)
    hole[i] = perp_random_uniform(random) < par->holes;
  for (int i = 0; i < n && !error; i++) {
    double sum = 0;
    int count = 0;
    for (int j = i < band ? 0 : i - band; j <= i + band && j < n && !hole[i]; j++) {
      if (j == i || hole[j])
        continue;
      const int low = i < j ? i : j, gap = i < j ? j - i : i - j;
      entries[count] = (perp_entry){j, upper[(int64_t)low * band + gap - 1]};
      sum += fabs(entries[count++].value);
    }
    if (!hole[i])
      entries[count++] = (perp_entry){i, par->margin * sum + 0.1};
    perp_rows_append(rows, i, entries, count);
  }
  perp_free(upper);
  perp_free(hole);
  perp_free(entries);
  return error;
}

static perp_error plant(const char *owner, const sparse_parameters *par, perp_random *random,
                        perp_instance *instance, perp_message *why)
{
  instance->kind = par->holes > 0 ? PERP_KIND_MULTIPLE : PERP_KIND_SOLVABLE;
  return perp_plant(owner, &par->plant, random, instance, why);
}

static perp_error make(const char *owner, fill_function fill, const sparse_parameters *par,
                       uint64_t seed, perp_instance *instance, perp_message *why)
{
  perp_random random = perp_random_from(seed);
  perp_rows rows = {0};
  perp_error error = fill(par, &random, &rows, why);
  if (!error)
    error = perp_operator_csr(par->n, rows.start, rows.column, rows.value, PERP_COPY, &instance->A,
                              why);
  if (!error)
    error = plant(owner, par, &random, instance, why);
  perp_rows_free(&rows);
  return error;
}

/* The block columns of block row k, ascending: k - stride, k - 1, k, k + 1, k + stride. */
static int block_columns(int k, int blocks, int stride, int columns[5])
{
  const int candidates[5] = {k - stride, k - 1, k, k + 1, k + stride};
  int count = 0;
  for (int c = 0; c < 5; c++)
    if (candidates[c] >= 0 && candidates[c] < blocks && (stride > 1 || c % 4 != 0))
      columns[count++] = candidates[c];
  return count;
}

/* value <- the blocks of every row: coupling block (k, l), k < l, and its transpose at (l, k). */
static void fill_blocks(const sparse_parameters *par, int blocks, int stride, perp_random *random,
                        int64_t *start, int *column, double *value)
{
  const int s = par->size;
  const size_t area = (size_t)s * (size_t)s;
  start[0] = 0;
  for (int k = 0; k < blocks; k++)
    start[k + 1] = start[k] + block_columns(k, blocks, stride, column + start[k]);
  for (int k = 0; k < blocks; k++)
    for (int64_t e = start[k]; e < start[k + 1]; e++) {
      const int l = column[e];
      if (l <= k)
        continue;
      int64_t f = start[l];
      while (column[f] != k)
        f++;
      for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
          value[(size_t)e * area + (size_t)(i * s + j)] =
              value[(size_t)f * area + (size_t)(j * s + i)] = perp_random_between(random, -1, 1);
    }
  for (int k = 0; k < blocks; k++)
    for (int i = 0; i < s; i++) {
      double sum = 0;
      double *diagonal = value; /* of the block (k, k), which every row has */
      for (int64_t e = start[k]; e < start[k + 1]; e++) {
        double *row = value + (size_t)e * area + (size_t)(i * s);
        if (column[e] == k)
          diagonal = row + i;
        for (int j = 0; j < s; j++)
          sum += fabs(row[j]);
      }
      *diagonal = par->margin * sum + 0.1;
    }
}

static perp_error make_blocked(const void *parameters, uint64_t seed, perp_instance *instance,
                               perp_message *why)
{
  const sparse_parameters *par = parameters;
  const int s = par->size, blocks = par->n / s;
  if (par->n % s)
    return perp_fail(why, PERP_ERROR_PARAMETER, "blocked: n = %d is no multiple of size = %d",
                     par->n, s);
  perp_random random = perp_random_from(seed);
  const int stride = (int)sqrt((double)blocks);
  int64_t *start = perp_alloc((size_t)blocks + 1, sizeof *start);
  int *column = perp_alloc(5 * (size_t)blocks, sizeof *column);
  double *value = perp_alloc_zero(5 * (size_t)blocks * (size_t)(s * s), sizeof *value);
  perp_error error = PERP_OK;
  if (!start || !column || !value) {
    error = perp_generate_no_memory("blocked", why);
  } else {
    fill_blocks(par, blocks, stride, &random, start, column, value);
    error = perp_operator_bsr(blocks, s, start, column, value, PERP_COPY, &instance->A, why);
  }
  if (!error)
    error = plant("blocked", par, &random, instance, why);
  perp_free(start);
  perp_free(column);
  perp_free(value);
  return error;
}

static perp_error make_mmatrix(const void *par, uint64_t seed, perp_instance *out,
                               perp_message *why)
{
  return make("mmatrix", fill_mmatrix, par, seed, out, why);
}

static perp_error make_banded(const void *par, uint64_t seed, perp_instance *out, perp_message *why)
{
  return make("banded", fill_banded, par, seed, out, why);
}

static const perp_parameter mmatrix_parameters[] = {
    PERP_INTEGER(sparse_parameters, n, 1000, 1, 100000000, "unknowns"),
    PERP_INTEGER(sparse_parameters, row, 6, 1, 1000, "off-diagonal entries drawn per row"),
    PERP_REAL(sparse_parameters, margin, 1.05, 1.000001, 1000, "diagonal over the sum beside it"),
    PERP_REAL(sparse_parameters, spread, 3, 0, 1e6, "rows are scaled by 1 to 1 + spread"),
    PERP_PLANTING_ROWS(sparse_parameters),
    {0},
};

static const perp_parameter banded_parameters[] = {
    PERP_INTEGER(sparse_parameters, n, 1000, 1, 100000000, "unknowns"),
    PERP_INTEGER(sparse_parameters, band, 3, 1, 1000, "half-bandwidth"),
    PERP_REAL(sparse_parameters, margin, 1.05, 1, 1000, "diagonal over the sum beside it"),
    PERP_REAL(sparse_parameters, holes, 0, 0, 1, "share of rows and columns that are empty"),
    PERP_PLANTING_ROWS(sparse_parameters),
    {0},
};

static const perp_parameter blocked_parameters[] = {
    PERP_INTEGER(sparse_parameters, n, 600, 1, 100000000, "unknowns, a multiple of size"),
    PERP_INTEGER(sparse_parameters, size, 3, 1, 64, "rows of a block"),
    PERP_REAL(sparse_parameters, margin, 1.05, 1, 1000, "diagonal over the sum beside it"),
    PERP_PLANTING_ROWS(sparse_parameters),
    {0},
};

const perp_generator perp_generators_random_sparse[] = {
    {"mmatrix", "sparse M-matrix, not symmetric", "random", "cottle-pang-stone-1992",
     mmatrix_parameters, sizeof(sparse_parameters), make_mmatrix},
    {"banded", "banded symmetric positive definite", "random", "", banded_parameters,
     sizeof(sparse_parameters), make_banded},
    {"blocked", "symmetric positive definite in small blocks", "random", "", blocked_parameters,
     sizeof(sparse_parameters), make_blocked},
    {0},
};
