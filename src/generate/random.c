/* random.c: random matrices of a known class, dense and sparse, with a planted solution */
#include "generate/generate.h"

#include <math.h>
#include <stdlib.h>

/* Parameters of generators: each table has some of them, with its own defaults. */
typedef struct settings {
  int n, row, band, size, rounds;
  double shift, ratio, skew, spread, margin, holes, cond;
  perp_planting plant;
} settings;

/* ---- Dense ----
 *
 *   pd       A = G G^T / n + shift I, G uniform in (-1, 1)
 *   psd      A = G G^T / r, G with r = n - round(ratio n) columns
 *   nonsym   A = pd + skew (R - R^T)/2
 *   pmatrix  A = D E F, E strictly diagonally dominant by rows, D and F diagonals with one random sign
 *            per row of D and the same per column of F
 *
 * docs/problems.md says why these are of their classes. Cost: O(n^2 r). */

/* a <- G G^T / columns with G n x columns, entries uniform in (-1, 1) */
static perp_error fill_gram(perp_making *m, int n, int columns, double *a)
{
  double *G;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)n * (size_t)columns, &G))
    return perp_making_no_memory(m);
  for (int64_t k = 0; k < (int64_t)n * columns; k++)
    G[k] = perp_random_between(&m->random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const double *g = G + (int64_t)i * columns, *h = G + (int64_t)j * columns;
      double sum[4] = {0};
      int k = 0;
      for (; k + 4 <= columns; k += 4)
        for (int lane = 0; lane < 4; lane++)
          sum[lane] += g[k + lane] * h[k + lane];
      for (; k < columns; k++)
        sum[0] += g[k] * h[k];
      const double product = ((sum[0] + sum[1]) + (sum[2] + sum[3])) / (columns > 0 ? columns : 1);
      a[(int64_t)i * n + j] = a[(int64_t)j * n + i] = product;
    }
  return PERP_OK;
}

static perp_error fill_pd(perp_making *m, const settings *par, double *a)
{
  const perp_error error = fill_gram(m, par->n, par->n, a);
  for (int64_t i = 0; i < par->n && !error; i++)
    a[i * par->n + i] += par->shift;
  return error;
}

static perp_error fill_psd(perp_making *m, const settings *par, double *a)
{
  const int rank = par->n - (int)(par->ratio * par->n + 0.5);
  return fill_gram(m, par->n, rank, a);
}

static perp_error fill_nonsym(perp_making *m, const settings *par, double *a)
{
  const perp_error error = fill_pd(m, par, a);
  const int64_t n = par->n;
  for (int64_t i = 0; i < n && !error; i++)
    for (int64_t j = 0; j < i; j++) {
      const double s = par->skew * perp_random_between(&m->random, -1, 1);
      a[i * n + j] += s;
      a[j * n + i] -= s;
    }
  return error;
}

/* A positive factor between 10^-spread and 10^spread, by products of 10^(1/8) = 1.333521... */
static double draw_factor(perp_random *random, double spread)
{
  const int steps = perp_random_below(random, (int)(8 * spread) + 1);
  const double base = perp_random_below(random, 2) ? 1.3335214321633240 : 1 / 1.3335214321633240;
  double factor = 1;
  for (int k = 0; k < steps; k++)
    factor *= base;
  return factor;
}

static perp_error fill_pmatrix(perp_making *m, const settings *par, double *a)
{
  const int64_t n = par->n;
  perp_random *random = &m->random;
  double *column;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)n, &column))
    return perp_making_no_memory(m);
  for (int64_t j = 0; j < n; j++)
    column[j] = draw_factor(random, par->spread) * (perp_random_below(random, 2) ? 1 : -1);
  for (int64_t i = 0; i < n; i++) {
    double sum = 0;
    for (int64_t j = 0; j < n; j++) {
      a[i * n + j] = i == j ? 0 : perp_random_between(random, -1, 1);
      sum += fabs(a[i * n + j]);
    }
    a[i * n + i] = sum * perp_random_between(random, 1.01, 1.2) + 0.01;
    const double row = draw_factor(random, par->spread) * (column[i] < 0 ? -1 : 1);
    for (int64_t j = 0; j < n; j++)
      a[i * n + j] *= row * column[j];
  }
  return PERP_OK;
}

typedef struct dense_class {
  perp_kind kind;
  perp_error (*fill)(perp_making *m, const settings *par, double *a);
} dense_class;

static perp_error make_dense(perp_making *m)
{
  const settings *par = m->parameters;
  const dense_class *class = m->variant;
  double *a;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)par->n * (size_t)par->n, &a))
    return perp_making_no_memory(m);
  perp_error error = class->fill(m, par, a);
  if (!error)
    error = perp_making_dense(m, par->n, a);
  m->instance->kind = class->kind;
  return error ? error : perp_plant(m, &par->plant);
}

#define SIZE_ROW PERP_INTEGER(settings, n, 100, 1, 20000, "unknowns")

static const perp_parameter pd_table[] = {
    SIZE_ROW,
    PERP_REAL(settings, shift, 0.01, 1e-12, 1e6, "added to the diagonal"),
    PERP_PLANTING_ROWS(settings),
    {0}};

static const perp_parameter psd_table[] = {
    SIZE_ROW,
    PERP_REAL(settings, ratio, 0.3, 0, 1, "share of eigenvalues that are zero"),
    PERP_PLANTING_ROWS(settings),
    {0}};

static const perp_parameter nonsym_table[] = {
    SIZE_ROW,
    PERP_REAL(settings, shift, 0.01, 1e-12, 1e6, "added to the diagonal"),
    PERP_REAL(settings, skew, 0.5, 0, 1e6, "largest entry of the skew part"),
    PERP_PLANTING_ROWS(settings),
    {0}};

static const perp_parameter pmatrix_table[] = {
    SIZE_ROW,
    PERP_REAL(settings, spread, 1, 0, 8, "rows and columns are scaled by 10^+-spread"),
    PERP_PLANTING_ROWS(settings),
    {0}};

/* ---- Sparse ----
 *
 *   mmatrix  A = D^-1 (S - B) D, B >= 0 with `row` random entries per row, S_i = margin times the
 *            row sum of B (margin > 1)
 *   banded   symmetric, half-bandwidth `band`, diagonally dominant; a share `holes` of its rows and
 *            columns is empty, diagonal and all
 *   blocked  symmetric, size x size blocks coupled with their neighbours and with the blocks a
 *            stride of about sqrt(blocks) away, diagonally dominant: a bsr operator
 *
 * Without holes all are P-matrices, so the planted solution is the only one. Cost: O(nonzeros log row). */

static perp_error fill_mmatrix(perp_making *m, const settings *par, perp_triplets *t)
{
  const int n = par->n;
  perp_random *random = &m->random;
  double *d;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(d, n)))
    return perp_making_no_memory(m);
  for (int i = 0; i < n; i++) /* a factor in [1, 1 + spread] */
    d[i] = 1 + par->spread * perp_random_uniform(random);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < par->row; k++) {
      const int j = perp_random_below(random, n);
      const double b = perp_random_between(random, 0.1, 1);
      if (j == i)
        continue;
      sum += b;
      perp_making_entry(m, t, i, j, -b * d[j] / d[i]);
    }
    perp_making_entry(m, t, i, i, par->margin * sum + 0.1);
  }
  return PERP_OK;
}

/* The upper triangle is drawn first: A(i, i + 1 + k) = upper[i * band + k]. */
static perp_error fill_banded(perp_making *m, const settings *par, perp_triplets *t)
{
  const int n = par->n, band = par->band;
  perp_random *random = &m->random;
  double *upper;
  bool *hole;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(upper, (int64_t)n * band)) ||
      !PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(hole, n)))
    return perp_making_no_memory(m);
  for (int64_t k = 0; k < (int64_t)n * band; k++)
    upper[k] = perp_random_between(random, -1, 1);
  for (int i = 0; i < n && par->holes > 0; i++)
    hole[i] = perp_random_uniform(random) < par->holes;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = i < band ? 0 : i - band; j <= i + band && j < n && !hole[i]; j++) {
      if (j == i || hole[j])
        continue;
      const int low = i < j ? i : j, gap = i < j ? j - i : i - j;
      const double value = upper[(int64_t)low * band + gap - 1];
      perp_making_entry(m, t, i, j, value);
      sum += fabs(value);
    }
    if (!hole[i])
      perp_making_entry(m, t, i, i, par->margin * sum + 0.1);
  }
  return PERP_OK;
}

static perp_error plant(perp_making *m, const settings *par)
{
  m->instance->kind = par->holes > 0 ? PERP_KIND_MULTIPLE : PERP_KIND_SOLVABLE;
  return perp_plant(m, &par->plant);
}

typedef struct sparse_class {
  perp_error (*fill)(perp_making *m, const settings *par, perp_triplets *t);
} sparse_class;

static perp_error make_sparse(perp_making *m)
{
  const settings *par = m->parameters;
  perp_triplets t = {0};
  perp_error error = ((const sparse_class *)m->variant)->fill(m, par, &t);
  if (error)
    perp_triplets_free(&t);
  else
    error = perp_making_sparse(m, par->n, &t);
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
static void fill_blocks(const settings *par, int blocks, int stride, perp_random *random,
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
  const settings *par = m->parameters;
  const int s = par->size, blocks = par->n / s;
  if (par->n % s)
    return perp_making_refuse(m, "n = %d is not a multiple of size = %d", par->n, s);
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

#define MARGIN_ROW(least)                                                                          \
  PERP_REAL(settings, margin, 1.05, least, 1000,                                                   \
            "diagonal over the sum of the other entries of its row")

static const perp_parameter mmatrix_table[] = {
    PERP_INTEGER(settings, n, 1000, 1, 100000000, "unknowns"),
    PERP_INTEGER(settings, row, 6, 1, 1000, "off-diagonal entries drawn per row"),
    MARGIN_ROW(1.000001),
    PERP_REAL(settings, spread, 3, 0, 1e6, "rows are scaled by 1 to 1 + spread"),
    PERP_PLANTING_ROWS(settings),
    {0}};

static const perp_parameter banded_table[] = {
    PERP_INTEGER(settings, n, 1000, 1, 100000000, "unknowns"),
    PERP_INTEGER(settings, band, 3, 1, 1000, "half-bandwidth"),
    MARGIN_ROW(1),
    PERP_REAL(settings, holes, 0, 0, 1, "share of rows and columns that are empty"),
    PERP_PLANTING_ROWS(settings),
    {0}};

static const perp_parameter blocked_table[] = {
    PERP_INTEGER(settings, n, 600, 1, 100000000, "unknowns, a multiple of size"),
    PERP_INTEGER(settings, size, 3, 1, 64, "rows of a block"),
    MARGIN_ROW(1),
    PERP_PLANTING_ROWS(settings),
    {0}};

/* ---- Sparse, with a given condition number ----
 *
 *   A = Q^T diag(lambda) Q
 *
 * with eigenvalues from 1/cond to 1, including both, and Q a product of `rounds` rounds of plane
 * rotations, each over a random pairing of the indices. Q e_i has at most 2^rounds entries, A some
 * 3^rounds per row. Row i of A is Q^T diag(lambda) Q e_i; since A_ij and A_ji would be rounded
 * differently, the lower triangle is computed and mirrored. Cost: O(nonzeros log row). */

typedef struct entry {
  int column;
  double value;
} entry;

static entry entry_at(int column, double value)
{
  return (entry){column, value};
}

static int compare_columns(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return x->column < y->column ? -1 : x->column > y->column;
}

/* One round: every index with its partner (itself where n is odd and none is left) and the cosine
 * and sine of the pair's angle. */
typedef struct {
  int *partner;
  double *c, *s;
} rotation;

enum { MOST_ROUNDS = 5, WIDEST = 1024 /* 4^MOST_ROUNDS entries of one row at the most */ };

static void draw_rotation(int n, perp_random *random, int *order, rotation *R)
{
  perp_random_permutation(random, n, order);
  for (int i = 0; i < n; i++)
    R->partner[i] = i;
  for (int k = 0; k + 1 < n; k += 2) {
    const int i = order[k], j = order[k + 1];
    /* tan of half the angle is drawn, so that no trigonometry is needed */
    const double t = perp_random_between(random, 0.2, 1);
    R->partner[i] = j;
    R->partner[j] = i;
    R->c[i] = R->c[j] = (1 - t * t) / (1 + t * t);
    R->s[i] = R->s[j] = 2 * t / (1 + t * t);
  }
}

/* x <- R x, or R^T x with sign -1, for a sparse x sorted by column; returns its new length. */
static int rotate(const rotation *R, double sign, entry *x, int count)
{
  int grown = count;
  for (int k = 0; k < count; k++) {
    const entry key = entry_at(R->partner[x[k].column], 0);
    if (!bsearch(&key, x, (size_t)count, sizeof *x, compare_columns))
      x[grown++] = key;
  }
  qsort(x, (size_t)grown, sizeof *x, compare_columns);
  for (int k = 0; k < grown; k++) {
    const int i = x[k].column;
    const entry key = entry_at(R->partner[i], 0);
    if (key.column <= i)
      continue;
    entry *other = bsearch(&key, x, (size_t)grown, sizeof *x, compare_columns);
    const double c = R->c[i], s = sign * R->s[i], u = x[k].value, v = other->value;
    x[k].value = c * u + s * v;
    other->value = c * v - s * u;
  }
  return grown;
}

/* The entries of row i on and below the diagonal, sorted. */
static int lower_row(const rotation *R, int rounds, const double *lambda, int i, entry *x)
{
  int count = 1, kept = 0;
  x[0] = entry_at(i, 1);
  for (int k = 0; k < rounds; k++)
    count = rotate(&R[k], 1, x, count);
  for (int k = 0; k < count; k++)
    x[k].value *= lambda[x[k].column];
  for (int k = rounds - 1; k >= 0; k--)
    count = rotate(&R[k], -1, x, count);
  for (int k = 0; k < count; k++)
    if (x[k].column <= i)
      x[kept++] = x[k];
  return kept;
}

static perp_error fill_spd(perp_making *m, const settings *par, perp_triplets *t)
{
  const int n = par->n, rounds = par->rounds;
  rotation R[MOST_ROUNDS] = {{0}};
  double *lambda;
  int *order;
  entry *x;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(lambda, n), PERP_ARRAY(order, n), PERP_ARRAY(x, 2 * WIDEST)))
    return perp_making_no_memory(m);
  /* eigenvalues: 1/cond and 1, and between them cubes of uniforms, so more small ones than large */
  for (int i = 0; i < n; i++) {
    const double u = i == 0 ? 0 : i == 1 ? 1 : perp_random_uniform(&m->random);
    lambda[i] = 1 / par->cond + (1 - 1 / par->cond) * u * u * u;
  }
  for (int k = 0; k < rounds; k++) {
    if (!PERP_TAKE(&m->arena, PERP_ARRAY(R[k].partner, n), PERP_ARRAY(R[k].c, n),
                   PERP_ARRAY(R[k].s, n)))
      return perp_making_no_memory(m);
    draw_rotation(n, &m->random, order, &R[k]);
  }
  for (int i = 0; i < n; i++) {
    const int count = lower_row(R, rounds, lambda, i, x);
    for (int k = 0; k < count; k++) {
      perp_making_entry(m, t, i, x[k].column, x[k].value);
      if (x[k].column < i)
        perp_making_entry(m, t, x[k].column, i, x[k].value);
    }
  }
  return PERP_OK;
}

static const perp_parameter parameters[] = {
    PERP_INTEGER(settings, n, 1000, 1, 10000000, "unknowns"),
    PERP_REAL(settings, cond, 1e4, 1, 1e14, "condition number"),
    PERP_INTEGER(settings, rounds, 2, 0, MOST_ROUNDS, "rounds of rotations: fill"),
    PERP_PLANTING_ROWS(settings),
    {0}};

const perp_generator perp_generators_random[] = {
    {"pd", "dense symmetric positive definite", "random", "", pd_table, sizeof(settings),
     make_dense, &(const dense_class){PERP_KIND_SOLVABLE, fill_pd}},
    {"psd", "dense positive semi-definite, feasible", "random", "", psd_table, sizeof(settings),
     make_dense, &(const dense_class){PERP_KIND_MULTIPLE, fill_psd}},
    {"nonsym", "dense positive definite plus skew", "random", "", nonsym_table, sizeof(settings),
     make_dense, &(const dense_class){PERP_KIND_SOLVABLE, fill_nonsym}},
    {"pmatrix", "dense P-matrix, badly scaled and not definite", "random", "cottle-pang-stone-1992",
     pmatrix_table, sizeof(settings), make_dense,
     &(const dense_class){PERP_KIND_SOLVABLE, fill_pmatrix}},
    {"mmatrix", "sparse M-matrix, not symmetric", "random", "cottle-pang-stone-1992", mmatrix_table,
     sizeof(settings), make_sparse, &(const sparse_class){fill_mmatrix}},
    {"banded", "banded symmetric positive definite", "random", "", banded_table, sizeof(settings),
     make_sparse, &(const sparse_class){fill_banded}},
    {"blocked", "symmetric positive definite in small blocks", "random", "", blocked_table,
     sizeof(settings), make_blocked, NULL},
    {"spd-sparse", "sparse symmetric positive definite of given condition", "random", "",
     parameters, sizeof(settings), make_sparse, &(const sparse_class){fill_spd}},
    {0}};
