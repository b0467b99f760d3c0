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

typedef perp_error (*fill_function)(const dense_parameters *par, perp_random *random, double *a,
                                    perp_message *why);

/* a <- G G^T / columns with G n x columns, entries uniform in (-1, 1) */
static perp_error fill_gram(const char *owner, int n, int columns, perp_random *random, double *a,
                            perp_message *why)
{
  double *G = perp_alloc((size_t)n * (size_t)columns, sizeof *G);
  if (!G)
    return perp_generate_no_memory(owner, why);
  for (int64_t k = 0; k < (int64_t)n * columns; k++)
    G[k] = perp_random_between(random, -1, 1);
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
  perp_free(G);
  return PERP_OK;
}

static perp_error fill_pd(const dense_parameters *par, perp_random *random, double *a,
                          perp_message *why)
{
  perp_error error = fill_gram("pd", par->n, par->n, random, a, why);
  for (int64_t i = 0; i < par->n && !error; i++)
    a[i * par->n + i] += par->shift;
  return error;
}

static perp_error fill_psd(const dense_parameters *par, perp_random *random, double *a,
                           perp_message *why)
{
  const int rank = par->n - (int)(par->ratio * par->n + 0.5);
  return fill_gram("psd", par->n, rank, random, a, why);
}

static perp_error fill_nonsym(const dense_parameters *par, perp_random *random, double *a,
                              perp_message *why)
{
  perp_error error = fill_pd(par, random, a, why);
  const int64_t n = par->n;
  for (int64_t i = 0; i < n && !error; i++)
    for (int64_t j = 0; j < i; j++) {
      const double s = par->skew * perp_random_between(random, -1, 1);
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

static perp_error fill_pmatrix(const dense_parameters *par, perp_random *random, double *a,
                               perp_message *why)
{
  const int64_t n = par->n;
  double *column = perp_alloc((size_t)n, sizeof *column);
  if (!column)
    return perp_generate_no_memory("pmatrix", why);
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
  perp_free(column);
  return PERP_OK;
}

static perp_error make(const char *owner, fill_function fill, perp_kind kind,
                       const dense_parameters *par, uint64_t seed, perp_instance *instance,
                       perp_message *why)
{
  perp_random random = perp_random_from(seed);
  double *a = perp_alloc((size_t)par->n * (size_t)par->n, sizeof *a);
  perp_error error = a ? PERP_OK : perp_generate_no_memory(owner, why);
  if (!error)
    error = fill(par, &random, a, why);
  if (!error)
    error = perp_operator_dense(par->n, a, par->n, PERP_COPY, &instance->A, why);
  if (!error)
    error = perp_plant(owner, &par->plant, &random, instance, why);
  instance->kind = kind;
  perp_free(a);
  return error;
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

static perp_error make_pd(const void *par, uint64_t seed, perp_instance *out, perp_message *why)
{
  return make("pd", fill_pd, PERP_KIND_SOLVABLE, par, seed, out, why);
}

static perp_error make_psd(const void *par, uint64_t seed, perp_instance *out, perp_message *why)
{
  return make("psd", fill_psd, PERP_KIND_MULTIPLE, par, seed, out, why);
}

static perp_error make_nonsym(const void *par, uint64_t seed, perp_instance *out, perp_message *why)
{
  return make("nonsym", fill_nonsym, PERP_KIND_SOLVABLE, par, seed, out, why);
}

static perp_error make_pmatrix(const void *par, uint64_t seed, perp_instance *out,
                               perp_message *why)
{
  return make("pmatrix", fill_pmatrix, PERP_KIND_SOLVABLE, par, seed, out, why);
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
