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

static perp_error fill_mmatrix(perp_making *m, const sparse_parameters *par, perp_rows *rows)
{
  const int n = par->n;
  perp_random *random = &m->random;
  double *d;
  perp_entry *entries;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(d, n), PERP_ARRAY(entries, par->row + 1)))
    return perp_making_no_memory(m);
  const perp_error error = perp_rows_make(m, rows, n, (int64_t)n * (par->row + 1));
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
  return error;
}

/* The upper triangle is drawn first: A(i, i + 1 + k) = upper[i * band + k]. */
static perp_error fill_banded(perp_making *m, const sparse_parameters *par, perp_rows *rows)
{
  const int n = par->n, band = par->band;
  perp_random *random = &m->random;
  double *upper;
  bool *hole;
  perp_entry *entries;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(upper, (int64_t)n * band),
                 PERP_ARRAY(entries, 2 * band + 1)) ||
      !PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(hole, n)))
    return perp_making_no_memory(m);
  const perp_error error = perp_rows_make(m, rows, n, (int64_t)n * (2 * band + 1));
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
  return error;
}

static perp_error plant(perp_making *m, const sparse_parameters *par)
{
  m->instance->kind = par->holes > 0 ? PERP_KIND_MULTIPLE : PERP_KIND_SOLVABLE;
  return perp_plant(m, &par->plant);
}

static perp_error make(perp_making *m,
                       perp_error (*fill)(perp_making *, const sparse_parameters *, perp_rows *))
{
  const sparse_parameters *par = m->parameters;
  perp_rows rows;
  perp_error error = fill(m, par, &rows);
  if (!error)
    error = perp_rows_operator(m, par->n, &rows);
  return error ? error : plant(m, par);
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

static perp_error make_blocked(perp_making *m)
{
  const sparse_parameters *par = m->parameters;
  const int s = par->size, blocks = par->n / s;
  if (par->n % s)
    return perp_making_refuse(m, "n = %d is no multiple of size = %d", par->n, s);
  const int stride = (int)sqrt((double)blocks);
  int64_t *start;
  int *column;
  double *value;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(start, blocks + 1),
                 PERP_ARRAY(column, 5 * (int64_t)blocks)) ||
      !PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(value, 5 * (int64_t)blocks * (s * s))))
    return perp_making_no_memory(m);
  fill_blocks(par, blocks, stride, &m->random, start, column, value);
  const perp_error error =
      perp_operator_bsr(blocks, s, start, column, value, PERP_COPY, &m->instance->A, m->why);
  return error ? error : plant(m, par);
}

static perp_error make_mmatrix(perp_making *m)
{
  return make(m, fill_mmatrix);
}

static perp_error make_banded(perp_making *m)
{
  return make(m, fill_banded);
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
