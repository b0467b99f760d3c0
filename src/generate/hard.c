/* hard.c: problems that break pivoting rules and optimistic solvers; docs/problems.md says what is known
 * of each
 *
 * Entries of infeasible are small multiples of 1/16, so that its certificate holds exactly. */
#include "generate/generate.h"

#include <math.h>

typedef struct {
  int n, rows, columns, family;
  double active, spread, a, b;
} hard_parameters;

enum { CLASS_GENERAL, CLASS_PSD };

static const char *const class_words[] = {"general", "psd", NULL};

/* n x n zeros; NULL when out of memory. */
static double *square(perp_making *m, int n)
{
  return perp_arena_alloc_zero(&m->arena, (size_t)n * (size_t)n, sizeof(double));
}

/* A = a, which may be NULL; b = value in every row; x = e_k if k >= 0. */
static perp_error set(perp_making *m, perp_kind kind, int n, const double *a, double value, int k)
{
  perp_instance *instance = m->instance;
  if (!a || !PERP_GIVE((size_t)n, &instance->b) || (k >= 0 && !PERP_GIVE((size_t)n, &instance->x)))
    return perp_making_no_memory(m);
  for (int i = 0; i < n; i++) {
    instance->b[i] = value;
    if (k >= 0)
      instance->x[i] = i == k;
  }
  instance->kind = kind;
  return perp_making_dense(m, n, a);
}

/* y_i = x_i + 2 sum_{j > i} x_j - 1: x = e_n gives y_n = 0 and y_i = 1 elsewhere. */
static perp_error make_murty(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  const int64_t n = par->n;
  double *a = square(m, par->n);
  for (int64_t i = 0; i < n && a; i++)
    for (int64_t j = i; j < n; j++)
      a[i * n + j] = i == j ? 1 : 2;
  return set(m, PERP_KIND_SOLVABLE, par->n, a, -1, par->n - 1);
}

/* With M lower triangular (1, 2 below): (M M^T)_ij = 4 min(i, j) + (i == j ? 1 : 2), counting from
 * 0. The line b + z0 1 must pass through all 2^n complementary cones as z0 decreases from a large
 * value. With b = -1 all rows would leave together at z0 = 1, and the number of pivots would depend
 * on the rule for ties. The powers of 4 separate them. The first column is (1, 2, ..., 2), so
 * x = e_1 gives y_i = 4^-i but y_0 = 0: when z0 reaches 0 the line has passed all cones. */
static perp_error make_fathi(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  const int64_t n = par->n;
  double *a = square(m, par->n);
  for (int64_t i = 0; i < n && a; i++)
    for (int64_t j = 0; j < n; j++)
      a[i * n + j] = 4.0 * (double)(i < j ? i : j) + (i == j ? 1 : 2);
  const perp_error error = set(m, PERP_KIND_SOLVABLE, par->n, a, -2, 0);
  for (int i = 0; i < par->n && !error; i++)
    m->instance->b[i] += ldexp(1, -2 * i);
  return error;
}

/* A quarter of the circulant (1, 2, 0): row sums are 3/4, so x = 4/3 gives y = 0. The pivots by the
 * most negative entry run through {0} {0,1} {1} {1,2} {2} {0,2} and round again; unscaled they end. */
static perp_error make_kostreva(perp_making *m)
{
  double *a = square(m, 3);
  for (int i = 0; i < 3 && a; i++) {
    a[3 * i + i] = 0.25;
    a[3 * i + (i + 1) % 3] = 0.5;
  }
  const perp_error error = set(m, PERP_KIND_SOLVABLE, 3, a, -1, 0);
  for (int i = 0; i < 3 && !error; i++)
    m->instance->x[i] = 4.0 / 3;
  return error;
}

/* Symmetric, strictly diagonally dominant with small integers: ties abound. */
static double *dominant_integers(perp_making *m, int64_t n)
{
  double *a = square(m, (int)n);
  for (int64_t i = 0; i < n && a; i++)
    for (int64_t j = 0; j < i; j++)
      a[i * n + j] = a[j * n + i] = perp_random_below(&m->random, 3) - 1;
  for (int64_t i = 0; i < n && a; i++) {
    double sum = 1;
    for (int64_t j = 0; j < n; j++)
      sum += fabs(a[i * n + j]);
    a[i * n + i] = sum;
  }
  return a;
}

static perp_error make_degenerate(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  const double *a = dominant_integers(m, par->n);
  const perp_planting plant = {.active = par->active, .degenerate = 1 - par->active};
  m->instance->kind = PERP_KIND_SOLVABLE;
  const perp_error error = a ? perp_making_dense(m, par->n, a) : perp_making_no_memory(m);
  return error ? error : perp_plant(m, &plant);
}

static perp_error make_bimatrix(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  const int rows = par->n ? par->n / 2 : par->rows;
  const int n = par->n ? par->n : par->rows + par->columns;
  if (par->n == 1)
    return perp_making_refuse(m, "n = 1 leaves one player without a move; use n >= 2");
  double *a = square(m, n);
  for (int64_t i = 0; i < rows && a; i++)
    for (int64_t j = rows; j < n; j++) {
      a[i * n + j] = perp_random_between(&m->random, 1, 10); /* E */
      a[j * n + i] = perp_random_between(&m->random, 1, 10); /* F^T */
    }
  return set(m, PERP_KIND_MULTIPLE, n, a, -1, -1);
}

/* 10^(k/4) for k = 0..3, by rounding of the exact numbers */
static double power_of_ten(int quarters)
{
  static const double roots[4] = {1, 1.7782794100389228, 3.1622776601683795, 5.6234132519034912};
  const int part = ((quarters % 4) + 4) % 4;
  double power = roots[part];
  for (int k = quarters - part; k != 0; k += k > 0 ? -4 : 4)
    power = k > 0 ? power * 10 : power / 10;
  return power;
}

/* (D A D) (D^-1 x) + D b: x and y of the unscaled problem are scaled by D^-1 and D. */
static perp_error make_scaled(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  const int64_t n = par->n;
  const int reach = (int)(4 * par->spread);
  double *a = dominant_integers(m, n), *d, *y, *x;
  if (!a || !PERP_TAKE_REALS(&m->arena, (size_t)n, &d, &y) ||
      !PERP_GIVE((size_t)n, &m->instance->x))
    return perp_making_no_memory(m);
  x = m->instance->x;
  for (int64_t i = 0; i < n; i++) {
    d[i] = power_of_ten(perp_random_below(&m->random, 2 * reach + 1) - reach);
    const double size = perp_random_between(&m->random, 0.1, 1);
    const bool active = perp_random_uniform(&m->random) < par->active;
    x[i] = active ? size / d[i] : 0;
    y[i] = active ? 0 : size * d[i];
  }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      a[i * n + j] *= d[i] * d[j];
  m->instance->kind = PERP_KIND_SOLVABLE;
  const perp_error error = perp_making_dense(m, par->n, a);
  return error ? error : perp_plant_rhs(m, y);
}

static perp_error make_several(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  double *a = square(m, par->n);
  for (int64_t i = 0; i < par->n && a; i++)
    a[i * par->n + i] = -1;
  return set(m, PERP_KIND_MULTIPLE, par->n, a, 1, 0);
}

static perp_error make_none(perp_making *m)
{
  static const double a[4] = {0, 1, 0, 0};
  const perp_error error = set(m, PERP_KIND_INFEASIBLE, 2, a, 1, -1);
  if (!error)
    m->instance->b[0] = -1;
  return error;
}

static double sixteenths(perp_random *random)
{
  return (perp_random_below(random, 33) - 16) / 16.0;
}

/* General: column j gets A(r, j) lowered until u^T A_j <= 0, r the first row of the support. */
static void fill_general(int n, perp_random *random, const double *u, int r, double *a)
{
  const int64_t m = n;
  for (int64_t k = 0; k < m * m; k++)
    a[k] = sixteenths(random);
  for (int64_t j = 0; j < m; j++) {
    double product = 0;
    for (int64_t i = 0; i < m; i++)
      product += u[i] * a[i * m + j];
    if (product > 0)
      a[r * m + j] -= product;
  }
}

/* Semi-definite: every row g of G has g^T u = 0 by its entry r; A = G^T G has A u = 0. */
static void fill_psd(int n, perp_random *random, const double *u, int r, double *g, double *a)
{
  const int64_t m = n;
  for (int k = 0; k < n; k++) {
    double product = 0;
    for (int i = 0; i < n; i++) {
      g[i] = perp_random_below(random, 5) - 2;
      product += i == r ? 0 : g[i] * u[i];
    }
    g[r] = -product;
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < m; j++)
        a[i * m + j] += g[i] * g[j];
  }
}

static perp_error make_infeasible(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  const int n = par->n;
  perp_random *random = &m->random;
  double *a = square(m, n), *g;
  if (!a || !PERP_TAKE_REALS(&m->arena, (size_t)n, &g) ||
      !PERP_GIVE((size_t)n, &m->instance->u, &m->instance->b))
    return perp_making_no_memory(m);
  double *u = m->instance->u, *b = m->instance->b, product = 0;
  const int r = perp_random_below(random, n);
  for (int i = 0; i < n; i++) {
    u[i] = perp_random_below(random, 3) == 0 || i == r;
    b[i] = sixteenths(random);
    product += u[i] * b[i];
  }
  if (product >= 0)
    b[r] -= product + 1; /* b^T u = -1 */
  if (par->family == CLASS_PSD)
    fill_psd(n, random, u, r, g, a);
  else
    fill_general(n, random, u, r, a);
  m->instance->kind = PERP_KIND_INFEASIBLE;
  return perp_making_dense(m, n, a);
}

/* a > 0: one solution. a = 0: b > 0 one, b = 0 every x >= 0, b < 0 none. a < 0: b > 0 two (0 and
 * -b/a), b = 0 one, b < 0 none. */
static perp_error make_single(perp_making *m)
{
  const hard_parameters *par = m->parameters;
  perp_instance *instance = m->instance;
  const bool none = par->b < 0 && par->a <= 0;
  const bool several = (par->a == 0 && par->b == 0) || (par->a < 0 && par->b > 0);
  const perp_error error = set(m,
                               none      ? PERP_KIND_INFEASIBLE
                               : several ? PERP_KIND_MULTIPLE
                                         : PERP_KIND_SOLVABLE,
                               1, &par->a, par->b, -1);
  if (error)
    return error;
  if (!PERP_GIVE(1, none ? &instance->u : &instance->x))
    return perp_making_no_memory(m);
  if (none) {
    instance->u[0] = 1;
    return PERP_OK;
  }
  instance->x[0] = par->b < 0 ? -par->b / par->a : 0;
  if (isinf(instance->x[0]))
    return perp_making_refuse(m, "the solution -b/a overflows");
  return PERP_OK;
}

static const perp_parameter size_parameters[] = {
    PERP_INTEGER(hard_parameters, n, 10, 1, 5000, "unknowns"), {0}};

static const perp_parameter degenerate_parameters[] = {
    PERP_INTEGER(hard_parameters, n, 50, 1, 5000, "unknowns"),
    PERP_REAL(hard_parameters, active, 0.2, 0, 1, "share of rows with x > 0"),
    {0}};

static const perp_parameter bimatrix_parameters[] = {
    PERP_INTEGER(hard_parameters, n, 0, 0, 5000, "unknowns, shared evenly; 0: rows + columns"),
    PERP_INTEGER(hard_parameters, rows, 10, 1, 2500, "strategies of the first player"),
    PERP_INTEGER(hard_parameters, columns, 10, 1, 2500, "strategies of the second player"),
    {0}};

static const perp_parameter scaled_parameters[] = {
    PERP_INTEGER(hard_parameters, n, 50, 1, 5000, "unknowns"),
    PERP_REAL(hard_parameters, active, 0.5, 0, 1, "share of rows with x > 0"),
    PERP_REAL(hard_parameters, spread, 4, 0, 8, "D from 10^-spread to 10^spread, A = D A0 D"),
    {0}};

static const perp_parameter infeasible_parameters[] = {
    PERP_INTEGER(hard_parameters, n, 20, 1, 5000, "unknowns"),
    {"class", PERP_TYPE_CHOICE, offsetof(hard_parameters, family), 0, 0, 1, class_words,
     "of the matrix"},
    {0}};

static const perp_parameter single_parameters[] = {
    PERP_REAL(hard_parameters, a, 1, -1e300, 1e300, "y = a x + b"),
    PERP_REAL(hard_parameters, b, -1, -1e300, 1e300, "y = a x + b"),
    {0}};

static const perp_parameter no_parameters[] = {{0}};

#define HARD(kind, words, source, table)                                                           \
  {                                                                                                \
#kind, words, "hard", source, table, sizeof(hard_parameters), make_##kind, NULL                \
  }

const perp_generator perp_generators_hard[] = {
    HARD(murty, "exponentially many pivots, P-matrix", "murty-1978", size_parameters),
    HARD(fathi, "exponentially many pivots, positive definite", "fathi-1979", size_parameters),
    HARD(kostreva, "pivoting by the most negative entry cycles", "kostreva-1979", no_parameters),
    HARD(degenerate, "positive definite, x = y = 0 in most rows", "", degenerate_parameters),
    HARD(bimatrix, "two-person game, zero diagonal", "lemke-howson-1964", bimatrix_parameters),
    HARD(scaled, "positive definite, entries over many decades", "", scaled_parameters),
    HARD(several, "2^n solutions", "", size_parameters),
    HARD(none, "feasible, but without a solution", "", no_parameters),
    HARD(infeasible, "infeasible, with a certificate", "", infeasible_parameters),
    HARD(single, "n = 1", "", single_parameters),
    {0}};
