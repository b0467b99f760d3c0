/* qp.c: quadratic programs from applications, and random ones */
#include "base/elementary.h"
#include "generate/generate.h"
#include "scene/contact.h"

#include <math.h>
#include <stdio.h>

/* ---- Rows under construction ----
 *
 * A generator gives n and then the rows of P and of G one after another, entries in any order. */

typedef struct lines {
  perp_triplets entries;
  int count, room;
} lines;

typedef struct limits {
  double l, u;
} limits;

typedef struct qp_making {
  perp_making making; /* its instance is NULL */
  perp_qp_instance *instance;
  lines P, G;
  limits *limits; /* of the rows of G */
  bool no_memory; /* recorded, so that the calls below need no test */
} qp_making;

/* To be called first: n unknowns, q = 0, no bounds. Returns false when out of memory. */
static bool begin(qp_making *m, int n)
{
  perp_qp_instance *t = m->instance;
  t->n = n;
  t->q = perp_alloc_zero((size_t)n, sizeof *t->q);
  t->lb = perp_alloc((size_t)n, sizeof *t->lb);
  t->ub = perp_alloc((size_t)n, sizeof *t->ub);
  if (!t->q || !t->lb || !t->ub)
    return false;
  for (int i = 0; i < n; i++) {
    t->lb[i] = -INFINITY;
    t->ub[i] = INFINITY;
  }
  return true;
}

/* Adds an entry to the current row; zeros are left out, and no column comes twice. */
static void add(qp_making *m, lines *a, int column, double value)
{
  if (value != 0 && !m->no_memory)
    m->no_memory = !perp_triplets_push(&a->entries, a->count, column, value);
}

/* Ends a row of G, which has these bounds. */
static void end_G(qp_making *m, double l, double u)
{
  limits *row = perp_list_next(&m->limits, &m->G.count, &m->G.room, sizeof *row);
  m->no_memory = m->no_memory || !row;
  if (row)
    *row = (limits){l, u};
}

static void end_P(qp_making *m)
{
  m->P.count++;
}

/* Returns a normal number with the given probability, else 0. */
static double draw_sparse(qp_making *m, double density)
{
  const double value = perp_random_normal(&m->making.random);
  return perp_random_uniform(&m->making.random) < density ? value : 0;
}

/* To be called last: moves the rows into the instance. */
static perp_error finish(qp_making *m)
{
  perp_qp_instance *t = m->instance;
  perp_mtx G = {0}, P = {.path = m->making.owner};
  perp_error error = PERP_OK;
  t->m = m->G.count;
  if (m->no_memory || !PERP_GIVE((size_t)t->m, &t->l, &t->u) ||
      !perp_mtx_compress(&m->G.entries, t->m, t->n, &G) ||
      !perp_mtx_compress(&m->P.entries, t->n, t->n, &P)) {
    error = perp_making_no_memory(&m->making);
  } else {
    for (int i = 0; i < t->m; i++) {
      t->l[i] = m->limits[i].l;
      t->u[i] = m->limits[i].u;
    }
    t->G_start = G.start, t->G_column = G.column, t->G_value = G.value;
    G = (perp_mtx){0};
    if (t->n > 0)
      error = perp_structure_plain(&P, &t->P, m->making.why);
  }
  perp_mtx_free(&G);
  perp_mtx_free(&P);
  return error;
}

/* ---- Applications ----
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

typedef struct {
  int states, inputs, horizon, features, samples, assets, factors, columns, rows;
  double density, lambda, gamma;
} model_parameters;

/* ---- mpc ---- */

static perp_error make_mpc(perp_making *making)
{
  qp_making *m = making->program;
  const model_parameters *par = m->making.parameters;
  const int nx = par->states, nu = par->inputs, N = par->horizon, block = nx + nu;
  perp_random *random = &m->making.random;
  double *A, *B, *x0, *reference, *weight;
  if (!PERP_TAKE_REALS(&m->making.arena, (size_t)(nx * nx), &A) ||
      !PERP_TAKE_REALS(&m->making.arena, (size_t)(nx * nu), &B) ||
      !PERP_TAKE_REALS(&m->making.arena, (size_t)nx, &x0, &reference, &weight) ||
      !begin(m, N * block))
    return perp_making_no_memory(making);
  for (int i = 0; i < nx; i++) {
    double sum = 0;
    for (int j = 0; j < nx; j++) {
      A[i * nx + j] = i == j ? 1 : 0.3 * draw_sparse(m, 0.4);
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
      add(m, &m->P, k * block + j, 0.1);
      end_P(m);
      t->lb[k * block + j] = -most;
      t->ub[k * block + j] = most;
    }
    for (int i = 0; i < nx; i++) {
      const int at = k * block + nu + i;
      add(m, &m->P, at, weight[i]);
      end_P(m);
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
        add(m, &m->G, k * block + j, -B[i * nu + j]);
      add(m, &m->G, k * block + nu + i, 1);
      for (int j = 0; j < nx; j++)
        if (k > 0)
          add(m, &m->G, (k - 1) * block + nu + j, -A[i * nx + j]);
        else
          right += A[i * nx + j] * x0[j];
      end_G(m, right, right);
    }
  return PERP_OK;
}

/* ---- lasso ---- */

static perp_error make_lasso(perp_making *making)
{
  qp_making *m = making->program;
  const model_parameters *par = m->making.parameters;
  const int n = par->features, rows = par->samples;
  perp_random *random = &m->making.random;
  double *A, *b, *x, *g;
  if (!PERP_TAKE_REALS(&m->making.arena, (size_t)n * (size_t)rows, &A) ||
      !PERP_TAKE_REALS(&m->making.arena, (size_t)rows, &b) ||
      !PERP_TAKE_ZERO_REALS(&m->making.arena, (size_t)n, &x, &g) || !begin(m, 2 * n + rows))
    return perp_making_no_memory(making);
  const double root = sqrt((double)n);
  for (int j = 0; j < n; j++)
    x[j] = perp_random_uniform(random) < 0.5 ? 0 : perp_random_normal(random) / root;
  for (int i = 0; i < rows; i++) {
    b[i] = perp_random_normal(random);
    for (int j = 0; j < n; j++) {
      A[i * n + j] = draw_sparse(m, par->density);
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
    end_P(m);
  for (int i = 0; i < rows; i++) {
    add(m, &m->P, 2 * n + i, 1);
    end_P(m);
    for (int j = 0; j < n; j++)
      add(m, &m->G, j, A[i * n + j]);
    add(m, &m->G, 2 * n + i, -1);
    end_G(m, b[i], b[i]);
  }
  for (int j = 0; j < n; j++) {
    m->instance->q[n + j] = par->lambda * most;
    add(m, &m->G, j, 1);
    add(m, &m->G, n + j, -1);
    end_G(m, -INFINITY, 0);
    add(m, &m->G, j, 1);
    add(m, &m->G, n + j, 1);
    end_G(m, 0, INFINITY);
  }
  return PERP_OK;
}

/* ---- svm ---- */

static perp_error make_svm(perp_making *making)
{
  qp_making *m = making->program;
  const model_parameters *par = m->making.parameters;
  const int n = par->features, rows = par->samples;
  if (!begin(m, n + rows))
    return perp_making_no_memory(making);
  const double root = sqrt((double)n);
  for (int j = 0; j < n; j++) {
    add(m, &m->P, j, 1);
    end_P(m);
  }
  for (int i = 0; i < rows; i++) {
    const double label = i < rows / 2 ? 1 : -1;
    for (int j = 0; j < n; j++) {
      const double value = draw_sparse(m, par->density);
      if (value != 0)
        add(m, &m->G, j, label * (label / n + value / root));
    }
    add(m, &m->G, n + i, 1);
    end_G(m, 1, INFINITY);
    m->instance->q[n + i] = par->lambda;
    m->instance->lb[n + i] = 0;
  }
  return PERP_OK;
}

/* ---- portfolio ---- */

static perp_error make_portfolio(perp_making *making)
{
  qp_making *m = making->program;
  const model_parameters *par = m->making.parameters;
  const int n = par->assets, factors = par->factors;
  perp_random *random = &m->making.random;
  double *F;
  if (!PERP_TAKE_REALS(&m->making.arena, (size_t)n * (size_t)factors, &F) || !begin(m, n + factors))
    return perp_making_no_memory(making);
  for (int i = 0; i < n; i++) {
    add(m, &m->P, i, perp_random_uniform(random) * sqrt((double)factors));
    end_P(m);
    m->instance->q[i] = -perp_random_normal(random) / par->gamma;
    m->instance->lb[i] = 0;
    for (int f = 0; f < factors; f++)
      F[i * factors + f] = draw_sparse(m, par->density);
  }
  for (int f = 0; f < factors; f++) {
    add(m, &m->P, n + f, 1);
    end_P(m);
    for (int i = 0; i < n; i++)
      add(m, &m->G, i, F[i * factors + f]);
    add(m, &m->G, n + f, -1);
    end_G(m, 0, 0);
  }
  for (int i = 0; i < n; i++)
    add(m, &m->G, i, 1);
  end_G(m, 1, 1);
  return PERP_OK;
}

/* ---- discs ---- */

/* Row r of the packing has `columns` discs, shifted by half a disc in every other row; a disc touches
 * its neighbour in the row, and two of the row below. */
static perp_error make_discs(perp_making *making)
{
  qp_making *m = making->program;
  const model_parameters *par = m->making.parameters;
  const int columns = par->columns, rows = par->rows, bodies = columns * rows;
  const double half = 0.5, high = sqrt(3.0) / 2;
  perp_random *random = &m->making.random;
  if (!begin(m, 2 * bodies))
    return perp_making_no_memory(making);
  for (int b = 0; b < bodies; b++) {
    const double mass = perp_random_between(random, 0.5, 2);
    const double v[2] = {perp_random_between(random, -1, 1), perp_random_between(random, -2, 0)};
    for (int k = 0; k < 2; k++) {
      add(m, &m->P, 2 * b + k, mass);
      end_P(m);
      m->instance->q[2 * b + k] = -mass * v[k];
    }
  }
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      const int b = r * columns + c;
      if (r == 0) { /* the floor */
        add(m, &m->G, 2 * b + 1, 1);
        end_G(m, 0, INFINITY);
      }
      if (c + 1 < columns) {
        add(m, &m->G, 2 * (b + 1), 1);
        add(m, &m->G, 2 * b, -1);
        end_G(m, 0, INFINITY);
      }
      for (int side = 0; side < 2 && r > 0; side++) {
        const int below = c + side - (r % 2 == 0);
        if (below < 0 || below >= columns)
          continue;
        const int other = b - columns - c + below;
        const double nx = side ? -half : half;
        add(m, &m->G, 2 * b, nx);
        add(m, &m->G, 2 * b + 1, high);
        add(m, &m->G, 2 * other, -nx);
        add(m, &m->G, 2 * other + 1, -high);
        end_G(m, 0, INFINITY);
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
#word, about, "model", where, word, sizeof(model_parameters), make_##word, NULL                \
  }
/* ---- At random ----
 *
 *   random      P = F F' with `rank` sparse columns. x*, and for each row the side that it is on and its
 *               multiplier, are drawn; a share `degenerate` of the rows at a bound has the multiplier
 *               0. Then q = -(P x* + G'z + w), so that x* is a solution
 *   infeasible  the same with two rows whose sum contradicts a third
 *   unbounded   the same with a direction d = e_j - e_k without curvature and constraints, q'd < 0 */

typedef struct {
  int n, m, rank;
  double density, active, degenerate, equal;
  int defect;
} random_parameters;

enum { NONE, INFEASIBLE, UNBOUNDED };
static const char *const defects[] = {"none", "infeasible", "unbounded", NULL};

/* Bounds around t, and the multiplier of the side that was drawn. */
static double draw_bounds(qp_making *m, const random_parameters *par, double t, double *l,
                          double *u)
{
  perp_random *random = &m->making.random;
  const double below = perp_random_between(random, 0.1, 1),
               above = perp_random_between(random, 0.1, 1);
  const double v = perp_random_between(random, 0.1, 1), side = perp_random_uniform(random);
  const bool none = perp_random_uniform(random) < par->degenerate;
  *l = perp_random_uniform(random) < 0.3 ? -INFINITY : t - below;
  *u = perp_random_uniform(random) < 0.3 ? INFINITY : t + above;
  if (perp_random_uniform(random) < par->equal) {
    *l = *u = t;
    return side < 0.5 ? v : -v;
  }
  if (side < par->active / 2) {
    *u = t;
    return none ? 0 : v;
  }
  if (side < par->active) {
    *l = t;
    return none ? 0 : -v;
  }
  return 0;
}

static perp_error make_random(perp_making *making)
{
  qp_making *m = making->program;
  const random_parameters *par = m->making.parameters;
  const int n = par->n, rank = par->rank < n ? par->rank : n,
            spare = par->defect == UNBOUNDED ? 2 : 0;
  double *F, *x, *g, *row;
  if (n <= spare)
    return perp_making_refuse(making, "n = %d is too small; defect = unbounded needs n >= 3", n);
  if (!PERP_TAKE_REALS(&m->making.arena, (size_t)n * (size_t)rank, &F) ||
      !PERP_TAKE_ZERO_REALS(&m->making.arena, (size_t)n, &x, &g, &row) || !begin(m, n))
    return perp_making_no_memory(making);
  perp_qp_instance *t = m->instance;
  for (int i = 0; i < n; i++) {
    x[i] = perp_random_between(&m->making.random, -1, 1);
    for (int r = 0; r < rank; r++) {
      F[i * rank + r] = draw_sparse(m, par->density);
      if (i < spare)
        F[i * rank + r] = 0;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int r = 0; r < rank; r++)
        sum += F[i * rank + r] * F[j * rank + r];
      add(m, &m->P, j, sum);
      g[i] += sum * x[j];
    }
    end_P(m);
  }
  for (int k = 0; k < par->m; k++) {
    double sum = 0, l, u;
    for (int j = 0; j < n; j++) {
      row[j] = draw_sparse(m, par->density);
      if (j < spare)
        row[j] = 0;
      sum += row[j] * x[j];
      add(m, &m->G, j, row[j]);
    }
    const double z = draw_bounds(m, par, sum, &l, &u);
    for (int j = 0; j < n; j++)
      g[j] += row[j] * z;
    end_G(m, l, u);
  }
  for (int i = 0; i < n; i++) {
    if (i < spare)
      continue;
    const double w = draw_bounds(m, par, x[i], &t->lb[i], &t->ub[i]);
    t->q[i] = -(g[i] + w);
  }
  if (par->defect == UNBOUNDED) {
    t->q[0] = -1;
    t->lb[0] = 0;
  }
  if (par->defect == INFEASIBLE) { /* r'x >= 1, s'x >= 1, (r + s)'x <= 1.5 */
    for (int j = 0; j < n; j++)
      add(m, &m->G, j, j % 2 == 0);
    end_G(m, 1, INFINITY);
    for (int j = 0; j < n; j++)
      add(m, &m->G, j, j % 2 + (j % 3 == 0));
    end_G(m, 1, INFINITY);
    for (int j = 0; j < n; j++)
      add(m, &m->G, j, 1 + (j % 3 == 0));
    end_G(m, -INFINITY, 1.5);
  }
  return PERP_OK;
}

static const perp_parameter parameters[] = {
    PERP_INTEGER(random_parameters, n, 50, 1, 20000, "unknowns"),
    PERP_INTEGER(random_parameters, m, 50, 0, 1000000, "rows of G"),
    PERP_INTEGER(random_parameters, rank, 30, 0, 20000, "of P"),
    PERP_REAL(random_parameters, density, 0.2, 0, 1, "share of G and of the factor of P"),
    PERP_REAL(random_parameters, active, 0.4, 0, 1, "share of rows at a bound"),
    PERP_REAL(random_parameters, degenerate, 0.3, 0, 1, "share of these with the multiplier 0"),
    PERP_REAL(random_parameters, equal, 0.1, 0, 1, "share of equations"),
    PERP_CHOICE(random_parameters, defect, NONE, UNBOUNDED, defects, "why it has no solution"),
    {0}};

static const perp_generator generators[] = {
    KIND(mpc, "model predictive control", "stellato-2020"),
    KIND(lasso, "least squares with few coefficients", "tibshirani-1996"),
    KIND(svm, "support vector machine", "cortes-vapnik-1995"),
    KIND(portfolio, "portfolio with factors of risk", "markowitz-1952"),
    KIND(discs, "velocities of discs in contact", ""),
    {"random", "random, degenerate, with a planted solution or none", "random", "", parameters,
     sizeof(random_parameters), make_random, NULL},
    {0}};

/* ---- By name ---- */

static const void *const families[] = {generators};
static const perp_kinds kinds = {{families, 1, sizeof(perp_generator)}, "quadratic program"};

int perp_qp_generator_count(void)
{
  return perp_lists_count(&kinds.generators);
}

void perp_qp_generator_at_sized(int index, perp_generator_info *info, size_t size)
{
  perp_kinds_tell(&kinds, index, info, size);
}

perp_error perp_qp_generate(const char *text, perp_qp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "text or instance is NULL");
  *instance = (perp_qp_instance){0};
  qp_making m = {.instance = instance, .making = {.why = why, .program = &m}};
  perp_error error = perp_kinds_make(&kinds, text, &m.making);
  if (error || (error = finish(&m)))
    perp_qp_instance_destroy(instance);
  else
    snprintf(instance->name, sizeof instance->name, "%.63s", text);
  perp_triplets_free(&m.P.entries);
  perp_triplets_free(&m.G.entries);
  perp_free(m.limits);
  perp_arena_free(&m.making.arena);
  return error;
}
