/* fischer_map.c: F, the diagonals of its Jacobian, and products with it
 *
 * Cost: n square roots for F, 2 n with two bounds; a linearisation adds a product with A if the
 * strategy is analytic and there are corners. Workspace: 7 n. */
#include "method/newton/fischer_map.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "set/set.h"

static bool is_positive(double a)
{
  return a > 0 && a < INFINITY;
}

/* s_i^2 = A_ii, or the geometric mean */
static void set_weights(const perp_operator *A, bool weighted, int n, double *s)
{
  const bool has = weighted && perp_operator_diagonal(A, s, NULL) == PERP_OK;
  double sum = 0;
  int positive = 0;
  for (int i = 0; i < n && has; i++)
    if (is_positive(s[i])) {
      sum += perp_log(s[i]);
      positive++;
    }
  const double mean = positive ? perp_exp(sum / positive) : 1;
  for (int i = 0; i < n; i++)
    s[i] = sqrt(has && is_positive(s[i]) ? s[i] : mean);
}

/* 1/c = max |b_i / s_i| */
static double unit(const perp_problem *p, const double *s)
{
  double most = 0;
  for (int i = 0; i < p->K.n; i++)
    most = perp_max(most, fabs(p->b[i]) / s[i]);
  return is_positive(1 / most) ? 1 / most : 1;
}

perp_error perp_map_create(perp_run *run, perp_phi phi, perp_strategy strategy, bool weighted,
                           perp_map *map)
{
  const perp_problem *p = run->problem;
  const int n = p->K.n;
  *map = (perp_map){.run = run,
                    .n = n,
                    .phi = phi,
                    .strategy = strategy,
                    .random = perp_random_from(run->options->seed)};
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &map->lo, &map->hi, &map->s, &map->p, &map->q,
                       &map->v, &map->Av))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&p->K, map->lo, map->hi);
  set_weights(p->A, weighted, n, map->s);
  map->c = unit(p, map->s);
  return PERP_OK;
}

static perp_slopes slopes(const perp_map *map, int i, double x, double y, double dx, double dy)
{
  const double to_x = map->c * map->s[i], to_y = map->c / map->s[i];
  return perp_phi_box(&map->phi, to_x * x, to_y * y, to_x * map->lo[i], to_x * map->hi[i],
                      to_x * dx, to_y * dy);
}

double perp_map_value(const perp_map *map, const double *x, const double *y, double *F)
{
  for (int i = 0; i < map->n; i++)
    F[i] = slopes(map, i, x[i], y[i], 0, 0).value;
  const double theta = perp_dot(map->n, F, F) / 2;
  return isfinite(theta) ? theta : INFINITY;
}

/* A row with lo = hi is not a corner: x_i - lo and hi - x_i vanish together, whatever y_i is. */
static bool is_corner(const perp_map *map, int i, double x, double y)
{
  return map->phi.mu == 0 && y == 0 && (x == map->lo[i] || x == map->hi[i]);
}

/* (v, Av) <- the direction that leaves the corners, 0 in the other rows. */
static void leave_corners(perp_map *map, const double *x, const double *y)
{
  bool any = false;
  perp_fill(map->n, 0, map->v);
  perp_fill(map->n, 0, map->Av);
  for (int i = 0; i < map->n; i++) {
    if (!is_corner(map, i, x[i], y[i]))
      continue;
    any = true;
    if (map->strategy == PERP_STRATEGY_RANDOM) {
      map->v[i] = perp_random_normal(&map->random) / map->s[i];
      map->Av[i] = perp_random_normal(&map->random) * map->s[i];
    } else if (map->strategy != PERP_STRATEGY_ZERO) {
      map->v[i] = x[i] == map->lo[i] ? 1 : -1;
    }
  }
  if (any && map->strategy == PERP_STRATEGY_ANALYTIC)
    perp_run_apply(map->run, map->v, map->Av);
}

void perp_map_linearise(perp_map *map, const double *x, const double *y)
{
  leave_corners(map, x, y);
  for (int i = 0; i < map->n; i++) {
    const perp_slopes f = slopes(map, i, x[i], y[i], map->v[i], map->Av[i]);
    map->p[i] = f.a * (map->c * map->s[i]);
    map->q[i] = f.b * (map->c / map->s[i]);
  }
}

void perp_map_product(const perp_map *map, const double *v, const double *Av, double *Jv)
{
  for (int i = 0; i < map->n; i++)
    Jv[i] = map->p[i] * v[i] + map->q[i] * Av[i];
}

bool perp_map_transposed(perp_map *map, const double *u, double *g)
{
  perp_run *run = map->run;
  for (int i = 0; i < map->n; i++)
    map->v[i] = map->q[i] * u[i];
  if (map->symmetric)
    perp_run_apply(run, map->v, g);
  else if (perp_operator_apply_t(run->problem->A, map->v, g, run->work.scratch, NULL) == PERP_OK)
    run->count.applies++;
  else
    return false;
  for (int i = 0; i < map->n; i++)
    g[i] += map->p[i] * u[i];
  return true;
}

void perp_map_project(const perp_map *map, double *x)
{
  for (int i = 0; i < map->n; i++)
    x[i] = perp_min(perp_max(x[i], map->lo[i]), map->hi[i]);
}
