/* qp_random.c: random quadratic programs, with a planted solution, or with none
 *
 *   random      P = F F' with `rank` sparse columns. x*, and for each row the side that it is on and its
 *               multiplier, are drawn; a share `degenerate` of the rows at a bound has the multiplier
 *               0. Then q = -(P x* + G'z + w), so that x* is a solution
 *   infeasible  the same with two rows whose sum contradicts a third
 *   unbounded   the same with a direction d = e_j - e_k without curvature and constraints, q'd < 0 */
#include "generate/qp.h"

#include <math.h>

typedef struct {
  int n, m, rank;
  double density, active, degenerate, equal;
  int defect;
} random_parameters;

enum { NONE, INFEASIBLE, UNBOUNDED };
static const char *const defects[] = {"none", "infeasible", "unbounded", NULL};

/* Bounds around t, and the multiplier of the side that was drawn. */
static double draw_bounds(perp_qp_making *m, const random_parameters *par, double t, double *l,
                          double *u)
{
  perp_random *random = &m->random;
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
  perp_qp_making *m = making->program;
  const random_parameters *par = m->parameters;
  const int n = par->n, rank = par->rank < n ? par->rank : n,
            spare = par->defect == UNBOUNDED ? 2 : 0;
  double *F, *x, *g, *row;
  if (n <= spare)
    return perp_fail(m->why, PERP_ERROR_PARAMETER, "%s: n = %d is too small for this defect",
                     m->owner, n);
  if (!PERP_TAKE_REALS(&m->arena, (size_t)n * (size_t)rank, &F) ||
      !PERP_TAKE_ZERO_REALS(&m->arena, (size_t)n, &x, &g, &row) || !perp_qp_making_begin(m, n)) {
    m->no_memory = true;
    return PERP_OK;
  }
  perp_qp_instance *t = m->instance;
  for (int i = 0; i < n; i++) {
    x[i] = perp_random_between(&m->random, -1, 1);
    for (int r = 0; r < rank; r++) {
      F[i * rank + r] = perp_qp_making_sparse(m, par->density);
      if (i < spare)
        F[i * rank + r] = 0;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int r = 0; r < rank; r++)
        sum += F[i * rank + r] * F[j * rank + r];
      perp_qp_making_P(m, j, sum);
      g[i] += sum * x[j];
    }
    perp_qp_making_P_end(m);
  }
  for (int k = 0; k < par->m; k++) {
    double sum = 0, l, u;
    for (int j = 0; j < n; j++) {
      row[j] = perp_qp_making_sparse(m, par->density);
      if (j < spare)
        row[j] = 0;
      sum += row[j] * x[j];
      perp_qp_making_G(m, j, row[j]);
    }
    const double z = draw_bounds(m, par, sum, &l, &u);
    for (int j = 0; j < n; j++)
      g[j] += row[j] * z;
    perp_qp_making_G_end(m, l, u);
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
      perp_qp_making_G(m, j, j % 2 == 0);
    perp_qp_making_G_end(m, 1, INFINITY);
    for (int j = 0; j < n; j++)
      perp_qp_making_G(m, j, j % 2 + (j % 3 == 0));
    perp_qp_making_G_end(m, 1, INFINITY);
    for (int j = 0; j < n; j++)
      perp_qp_making_G(m, j, 1 + (j % 3 == 0));
    perp_qp_making_G_end(m, -INFINITY, 1.5);
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

const perp_generator perp_qp_generators_random[] = {
    {"random", "random, degenerate, with a planted solution or none", "random", "", parameters,
     sizeof(random_parameters), make_random},
    {0}};
