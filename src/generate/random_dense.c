/* random_dense.c: dense random matrices of a known class, with a planted solution
 *
 *   pd       A = G G^T / n + shift I, G uniform in (-1, 1): symmetric positive definite
 *   psd      A = G G^T / r, G with r = n - round(ratio n) columns: rank r
 *   nonsym   A = pd + skew (R - R^T)/2: x^T A x = x^T pd x > 0, and not symmetric
 *   pmatrix  A = D E F with E strictly diagonally dominant by rows, D and F positive diagonals and
 *            one random sign per row of D and the same per column of F: principal minors are those
 *            of E times positive numbers, so all are positive, while the symmetric part is in
 *            general indefinite
 *
 * For pd, nonsym and pmatrix the solution is unique (Cottle, Pang and Stone 1992, ch. 3); for psd
 * it exists by planting and A (x - x') = 0 for any two. Cost: O(n^2 r). */
#include "generate/generate.h"

#include <math.h>

typedef struct {
  int n;
  double shift, ratio, skew, spread;
  perp_planting plant;
} dense_parameters;

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

static perp_error fill_pd(perp_making *m, const dense_parameters *par, double *a)
{
  const perp_error error = fill_gram(m, par->n, par->n, a);
  for (int64_t i = 0; i < par->n && !error; i++)
    a[i * par->n + i] += par->shift;
  return error;
}

static perp_error fill_psd(perp_making *m, const dense_parameters *par, double *a)
{
  const int rank = par->n - (int)(par->ratio * par->n + 0.5);
  return fill_gram(m, par->n, rank, a);
}

static perp_error fill_nonsym(perp_making *m, const dense_parameters *par, double *a)
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

static perp_error fill_pmatrix(perp_making *m, const dense_parameters *par, double *a)
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

static perp_error make(perp_making *m, perp_kind kind,
                       perp_error (*fill)(perp_making *, const dense_parameters *, double *))
{
  const dense_parameters *par = m->parameters;
  double *a;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)par->n * (size_t)par->n, &a))
    return perp_making_no_memory(m);
  perp_error error = fill(m, par, a);
  if (!error)
    error = perp_making_dense(m, par->n, a);
  m->instance->kind = kind;
  return error ? error : perp_plant(m, &par->plant);
}

#define SIZE_ROW PERP_INTEGER(dense_parameters, n, 100, 1, 20000, "unknowns")

static const perp_parameter pd_parameters[] = {
    SIZE_ROW,
    PERP_REAL(dense_parameters, shift, 0.01, 1e-12, 1e6, "added to the diagonal"),
    PERP_PLANTING_ROWS(dense_parameters),
    {0},
};

static const perp_parameter psd_parameters[] = {
    SIZE_ROW,
    PERP_REAL(dense_parameters, ratio, 0.3, 0, 1, "share of eigenvalues that are zero"),
    PERP_PLANTING_ROWS(dense_parameters),
    {0},
};

static const perp_parameter nonsym_parameters[] = {
    SIZE_ROW,
    PERP_REAL(dense_parameters, shift, 0.01, 1e-12, 1e6, "added to the diagonal"),
    PERP_REAL(dense_parameters, skew, 0.5, 0, 1e6, "largest entry of the skew part"),
    PERP_PLANTING_ROWS(dense_parameters),
    {0},
};

static const perp_parameter pmatrix_parameters[] = {
    SIZE_ROW,
    PERP_REAL(dense_parameters, spread, 1, 0, 8, "rows and columns are scaled by 10^+-spread"),
    PERP_PLANTING_ROWS(dense_parameters),
    {0},
};

static perp_error make_pd(perp_making *m)
{
  return make(m, PERP_KIND_SOLVABLE, fill_pd);
}

static perp_error make_psd(perp_making *m)
{
  return make(m, PERP_KIND_MULTIPLE, fill_psd);
}

static perp_error make_nonsym(perp_making *m)
{
  return make(m, PERP_KIND_SOLVABLE, fill_nonsym);
}

static perp_error make_pmatrix(perp_making *m)
{
  return make(m, PERP_KIND_SOLVABLE, fill_pmatrix);
}

const perp_generator perp_generators_random_dense[] = {
    {"pd", "dense symmetric positive definite", "random", "", pd_parameters,
     sizeof(dense_parameters), make_pd},
    {"psd", "dense positive semi-definite, feasible", "random", "", psd_parameters,
     sizeof(dense_parameters), make_psd},
    {"nonsym", "dense positive definite plus skew", "random", "", nonsym_parameters,
     sizeof(dense_parameters), make_nonsym},
    {"pmatrix", "dense P-matrix, badly scaled and not definite", "random", "cottle-pang-stone-1992",
     pmatrix_parameters, sizeof(dense_parameters), make_pmatrix},
    {0},
};
