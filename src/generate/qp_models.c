/* qp_models.c: quadratic programs of applications
 *
 *   mpc        x_(k+1) = A x_k + B u_k over a horizon: states and inputs of each step are unknowns, the
 *              dynamics are equations. min sum 1/2 (x_k - r)' Q (x_k - r) + 1/2 u' R u with bounds on
 *              both. max row sum of |A| is at most 1, so u = 0 keeps all states within their bounds:
 *              feasible for each start. Unknowns are (u_0, x_1, u_1, x_2, ...)
 *   lasso      min 1/2 |y|^2 + lambda 1't,  y = A x - b,  -t <= x <= t: least squares with few x != 0
 *   svm        min 1/2 |x|^2 + C 1't,  t >= 1 - b_i a_i'x,  t >= 0: a separating plane
 *   portfolio  min 1/2 x'D x + 1/2 |y|^2 - mu'x / gamma,  y = F'x,  1'x = 1,  x >= 0
 *   discs      min 1/2 (v - v*)'M (v - v*), n'(v_i - v_j) >= 0: velocities of a packing of discs that
 *              falls on a floor, without friction. More contacts than a disc can use: degenerate
 *
 * (Stellato et al. 2020 have the first four.) All have a solution. */
#include "generate/qp.h"

#include "base/elementary.h"

#include <math.h>

typedef struct {
  int states, inputs, horizon, features, samples, assets, factors, columns, rows;
  double density, lambda, gamma;
} model_parameters;

/* ---- mpc ---- */

static perp_error make_mpc(perp_making *making)
{
  perp_qp_making *m = making->program;
  const model_parameters *par = m->parameters;
  const int nx = par->states, nu = par->inputs, N = par->horizon, block = nx + nu;
  perp_random *random = &m->random;
  double *A, *B, *x0, *reference, *weight;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)(nx * nx), &A) ||
      !PERP_TAKE_REALS(&m->arena, (size_t)(nx * nu), &B) ||
      !PERP_TAKE_REALS(&m->arena, (size_t)nx, &x0, &reference, &weight) ||
      !perp_qp_making_begin(m, N * block)) {
    m->no_memory = true;
    return PERP_OK;
  }
  for (int i = 0; i < nx; i++) {
    double sum = 0;
    for (int j = 0; j < nx; j++) {
      A[i * nx + j] = i == j ? 1 : 0.3 * perp_qp_making_sparse(m, 0.4);
      sum += fabs(A[i * nx + j]);
    }
    for (int j = 0; j < nx; j++)
      A[i * nx + j] /= sum;
    for (int j = 0; j < nu; j++)
      B[i * nu + j] = perp_random_normal(random);
    x0[i] = perp_random_between(random, -1, 1);
    reference[i] = perp_random_between(random, -1, 1);
    weight[i] = perp_random_uniform(random) < 0.7 ? perp_random_between(random, 0, 10) : 0;
  }
  perp_qp_instance *t = m->instance;
  const double most = 0.05 + 0.15 * perp_random_uniform(random);
  for (int k = 0; k < N; k++) {
    for (int j = 0; j < nu; j++) {
      perp_qp_making_P(m, k * block + j, 0.1);
      perp_qp_making_P_end(m);
      t->lb[k * block + j] = -most;
      t->ub[k * block + j] = most;
    }
    for (int i = 0; i < nx; i++) {
      const int at = k * block + nu + i;
      perp_qp_making_P(m, at, weight[i]);
      perp_qp_making_P_end(m);
      t->q[at] = -weight[i] * reference[i];
      t->lb[at] = -1.2;
      t->ub[at] = 1.2;
    }
  }
  /* x_(k+1) - B u_k - A x_k = 0, of the first step = A x_0 */
  for (int k = 0; k < N; k++)
    for (int i = 0; i < nx; i++) {
      double right = 0;
      for (int j = 0; j < nu; j++)
        perp_qp_making_G(m, k * block + j, -B[i * nu + j]);
      perp_qp_making_G(m, k * block + nu + i, 1);
      for (int j = 0; j < nx; j++)
        if (k > 0)
          perp_qp_making_G(m, (k - 1) * block + nu + j, -A[i * nx + j]);
        else
          right += A[i * nx + j] * x0[j];
      perp_qp_making_G_end(m, right, right);
    }
  return PERP_OK;
}

/* ---- lasso ---- */

static perp_error make_lasso(perp_making *making)
{
  perp_qp_making *m = making->program;
  const model_parameters *par = m->parameters;
  const int n = par->features, rows = par->samples;
  perp_random *random = &m->random;
  double *A, *b, *x, *g;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)n * (size_t)rows, &A) ||
      !PERP_TAKE_REALS(&m->arena, (size_t)rows, &b) ||
      !PERP_TAKE_ZERO_REALS(&m->arena, (size_t)n, &x, &g) ||
      !perp_qp_making_begin(m, 2 * n + rows)) {
    m->no_memory = true;
    return PERP_OK;
  }
  const double root = sqrt((double)n);
  for (int j = 0; j < n; j++)
    x[j] = perp_random_uniform(random) < 0.5 ? 0 : perp_random_normal(random) / root;
  for (int i = 0; i < rows; i++) {
    b[i] = perp_random_normal(random);
    for (int j = 0; j < n; j++) {
      A[i * n + j] = perp_qp_making_sparse(m, par->density);
      b[i] += A[i * n + j] * x[j];
    }
    for (int j = 0; j < n; j++)
      g[j] += A[i * n + j] * b[i];
  }
  double most = 0;
  for (int j = 0; j < n; j++)
    most = perp_max(most, fabs(g[j]));
  /* unknowns: x, t, y */
  for (int j = 0; j < 2 * n; j++)
    perp_qp_making_P_end(m);
  for (int i = 0; i < rows; i++) {
    perp_qp_making_P(m, 2 * n + i, 1);
    perp_qp_making_P_end(m);
    for (int j = 0; j < n; j++)
      perp_qp_making_G(m, j, A[i * n + j]);
    perp_qp_making_G(m, 2 * n + i, -1);
    perp_qp_making_G_end(m, b[i], b[i]);
  }
  for (int j = 0; j < n; j++) {
    m->instance->q[n + j] = par->lambda * most;
    perp_qp_making_G(m, j, 1);
    perp_qp_making_G(m, n + j, -1);
    perp_qp_making_G_end(m, -INFINITY, 0);
    perp_qp_making_G(m, j, 1);
    perp_qp_making_G(m, n + j, 1);
    perp_qp_making_G_end(m, 0, INFINITY);
  }
  return PERP_OK;
}

/* ---- svm ---- */

static perp_error make_svm(perp_making *making)
{
  perp_qp_making *m = making->program;
  const model_parameters *par = m->parameters;
  const int n = par->features, rows = par->samples;
  if (!perp_qp_making_begin(m, n + rows))
    return PERP_OK;
  const double root = sqrt((double)n);
  for (int j = 0; j < n; j++) {
    perp_qp_making_P(m, j, 1);
    perp_qp_making_P_end(m);
  }
  for (int i = 0; i < rows; i++) {
    const double label = i < rows / 2 ? 1 : -1;
    for (int j = 0; j < n; j++) {
      const double value = perp_qp_making_sparse(m, par->density);
      if (value != 0)
        perp_qp_making_G(m, j, label * (label / n + value / root));
    }
    perp_qp_making_G(m, n + i, 1);
    perp_qp_making_G_end(m, 1, INFINITY);
    m->instance->q[n + i] = par->lambda;
    m->instance->lb[n + i] = 0;
  }
  return PERP_OK;
}

/* ---- portfolio ---- */

static perp_error make_portfolio(perp_making *making)
{
  perp_qp_making *m = making->program;
  const model_parameters *par = m->parameters;
  const int n = par->assets, factors = par->factors;
  perp_random *random = &m->random;
  double *F;
  if (!PERP_TAKE_REALS(&m->arena, (size_t)n * (size_t)factors, &F) ||
      !perp_qp_making_begin(m, n + factors)) {
    m->no_memory = true;
    return PERP_OK;
  }
  for (int i = 0; i < n; i++) {
    perp_qp_making_P(m, i, perp_random_uniform(random) * sqrt((double)factors));
    perp_qp_making_P_end(m);
    m->instance->q[i] = -perp_random_normal(random) / par->gamma;
    m->instance->lb[i] = 0;
    for (int f = 0; f < factors; f++)
      F[i * factors + f] = perp_qp_making_sparse(m, par->density);
  }
  for (int f = 0; f < factors; f++) {
    perp_qp_making_P(m, n + f, 1);
    perp_qp_making_P_end(m);
    for (int i = 0; i < n; i++)
      perp_qp_making_G(m, i, F[i * factors + f]);
    perp_qp_making_G(m, n + f, -1);
    perp_qp_making_G_end(m, 0, 0);
  }
  for (int i = 0; i < n; i++)
    perp_qp_making_G(m, i, 1);
  perp_qp_making_G_end(m, 1, 1);
  return PERP_OK;
}

/* ---- discs ---- */

/* Row r of the packing has `columns` discs, shifted by half a disc in every other row; a disc touches
 * its neighbour in the row, and two of the row below. */
static perp_error make_discs(perp_making *making)
{
  perp_qp_making *m = making->program;
  const model_parameters *par = m->parameters;
  const int columns = par->columns, rows = par->rows, bodies = columns * rows;
  const double half = 0.5, high = sqrt(3.0) / 2;
  perp_random *random = &m->random;
  if (!perp_qp_making_begin(m, 2 * bodies))
    return PERP_OK;
  for (int b = 0; b < bodies; b++) {
    const double mass = perp_random_between(random, 0.5, 2);
    const double v[2] = {perp_random_between(random, -1, 1), perp_random_between(random, -2, 0)};
    for (int k = 0; k < 2; k++) {
      perp_qp_making_P(m, 2 * b + k, mass);
      perp_qp_making_P_end(m);
      m->instance->q[2 * b + k] = -mass * v[k];
    }
  }
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      const int b = r * columns + c;
      if (r == 0) { /* the floor */
        perp_qp_making_G(m, 2 * b + 1, 1);
        perp_qp_making_G_end(m, 0, INFINITY);
      }
      if (c + 1 < columns) {
        perp_qp_making_G(m, 2 * (b + 1), 1);
        perp_qp_making_G(m, 2 * b, -1);
        perp_qp_making_G_end(m, 0, INFINITY);
      }
      for (int side = 0; side < 2 && r > 0; side++) {
        const int below = c + side - (r % 2 == 0);
        if (below < 0 || below >= columns)
          continue;
        const int other = b - columns - c + below;
        const double nx = side ? -half : half;
        perp_qp_making_G(m, 2 * b, nx);
        perp_qp_making_G(m, 2 * b + 1, high);
        perp_qp_making_G(m, 2 * other, -nx);
        perp_qp_making_G(m, 2 * other + 1, -high);
        perp_qp_making_G_end(m, 0, INFINITY);
      }
    }
  return PERP_OK;
}

#define INT(field, value, most, text) PERP_INTEGER(model_parameters, field, value, 1, most, text)
#define REAL(field, value, least, most, text)                                                      \
  PERP_REAL(model_parameters, field, value, least, most, text)

static const perp_parameter mpc[] = {
    INT(states, 8, 200, "of the system"),
    INT(inputs, 4, 200, "of the system"),
    INT(horizon, 30, 10000, "steps; unknowns: horizon (states + inputs)"),
    {0}};
static const perp_parameter lasso[] = {
    INT(features, 50, 10000, "x"),
    INT(samples, 250, 100000, "rows of A"),
    REAL(density, 0.5, 0, 1, "share of A that is not 0"),
    REAL(lambda, 0.2, 0, 10, "weight of |x|_1, in units of max |A'b|"),
    {0}};
static const perp_parameter svm[] = {
    INT(features, 20, 10000, "x"),
    INT(samples, 200, 100000, "points"),
    REAL(density, 0.5, 0, 1, "share of their coordinates that is not 0"),
    REAL(lambda, 0.5, 0, 1e6, "cost of a point on the wrong side"),
    {0}};
static const perp_parameter portfolio[] = {
    INT(assets, 200, 100000, "x"),
    INT(factors, 10, 10000, "of risk"),
    REAL(density, 0.5, 0, 1, "share of the loadings that is not 0"),
    REAL(gamma, 1, 1e-6, 1e6, "aversion to risk"),
    {0}};
static const perp_parameter discs[] = {
    INT(columns, 10, 10000, "discs in a row"), INT(rows, 6, 10000, "rows"), {0}};

#define KIND(word, about, where)                                                                   \
  {                                                                                                \
#word, about, "model", where, word, sizeof(model_parameters), make_##word                      \
  }
const perp_generator perp_qp_generators_models[] = {
    KIND(mpc, "model predictive control", "stellato-2020"),
    KIND(lasso, "least squares with few coefficients", "tibshirani-1996"),
    KIND(svm, "support vector machine", "cortes-vapnik-1995"),
    KIND(portfolio, "portfolio with factors of risk", "markowitz-1952"),
    KIND(discs, "velocities of discs in contact", ""),
    {0}};
