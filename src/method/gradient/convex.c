/* convex.c: the outer fixed point of gradient methods, and preconditioning on a face
 *
 * perp_convex_follow makes one pass over the rows. Workspace: 4 n; of a face 4 n and the
 * preconditioner. */
#include "method/gradient/convex.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "verdict/natural.h"

static const double SHORTEST = 0.02;

void perp_metric(const perp_problem *p, double *D)
{
  const int n = p->K.n;
  if (!perp_has_positive_diagonal(p->A, D))
    perp_fill(n, 1, D);
  for (int c = 0; c < p->K.cones; c++) {
    double *d = D + 3 * c;
    d[0] = d[1] = d[2] = perp_max(d[0], perp_max(d[1], d[2]));
  }
}

double perp_energy(const perp_problem *p, const double *x, const double *y)
{
  return 0.5 * (perp_dot(p->K.n, x, y) + perp_dot(p->K.n, x, p->b));
}

/* a + step (b - a), exactly b if step = 1 */
static double towards(double a, double b, double step)
{
  return step < 1 && isfinite(b) ? a + step * (b - a) : b;
}

/* Moves the fixed quantities towards x and y by `step` of the way. */
static void move_fixed(perp_convex *f, double step, const double *x, const double *y)
{
  const perp_set *K = &f->p->K;
  for (int c = 0; c < K->cones; c++) {
    const double shift = K->mu[c] * perp_hypot(y[3 * c + 1], y[3 * c + 2]);
    f->s[3 * c] = towards(f->s[3 * c], shift, step);
  }
  for (int i = 3 * K->cones; i < f->n; i++)
    if (perp_set_is_friction(K, i)) {
      double lo, hi;
      perp_row_bounds(K, x, i, &lo, &hi);
      f->lo[i] = towards(f->lo[i], lo, step);
      f->hi[i] = towards(f->hi[i], hi, step);
    }
}

perp_error perp_convex_create(perp_run *run, const double *x, const double *y, double patience,
                              perp_convex *f)
{
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  *f = (perp_convex){.run = run,
                     .p = p,
                     .n = p->K.n,
                     .moving = p->K.cones,
                     .patience = patience,
                     .step = 1,
                     .best = INFINITY,
                     .recent = INFINITY};
  if (!PERP_TAKE_ZERO_REALS(run->arena, n, &f->D, &f->s, &f->lo, &f->hi))
    return perp_run_no_memory(run);
  perp_metric(p, f->D);
  perp_set_all_bounds(&p->K, f->lo, f->hi);
  for (int i = 3 * p->K.cones; i < f->n; i++)
    f->moving += perp_set_is_friction(&p->K, i);
  double moving = f->moving;
  perp_run_most(run, 1, &moving);
  f->moving = (int)moving;
  if (f->moving)
    move_fixed(f, 1, x, y);
  return PERP_OK;
}

void perp_convex_project(const perp_convex *f, double *z)
{
  const perp_set *K = &f->p->K;
  for (int c = 0; c < K->cones; c++)
    perp_set_project_cone(K->mu[c], z + 3 * c);
  for (int i = 3 * K->cones; i < f->n; i++)
    if (perp_set_disc(K, i) > 0)
      perp_set_project_disc(perp_set_disc(K, i), f->hi[i], f->D + i, z + i);
    else if (perp_set_disc(K, i) == 0)
      z[i] = perp_clamp(z[i], f->lo[i], f->hi[i]);
}

/* Returns the natural residual of a cone at the fixed shift; raises *lag to the distance of that
 * shift from its target. */
static double cone_residual(const perp_convex *f, int c, const double *x, const double *y,
                            double *lag)
{
  const double mu = f->p->K.mu[c], *u = x + 3 * c, *v = y + 3 * c, s = f->s[3 * c];
  *lag = perp_max(*lag, fabs(mu * perp_hypot(v[1], v[2]) - s));
  double z[3] = {u[0] - v[0] - s, u[1] - v[1], u[2] - v[2]};
  perp_set_project_cone(mu, z);
  return perp_max(fabs(u[0] - z[0]), perp_max(fabs(u[1] - z[1]), fabs(u[2] - z[2])));
}

/* Shortens the steps of the fixed point if it cycles: if the residual of the problem, given at
 * every iteration, has not fallen over a whole window. */
static void damp(perp_convex *f, double residual)
{
  enum { WINDOW = 200 };
  f->recent = perp_min(f->recent, residual);
  if (++f->calls % WINDOW != 0)
    return;
  if (f->recent > 0.9 * f->best)
    f->step = perp_max(0.5 * f->step, SHORTEST);
  f->best = perp_min(f->best, f->recent);
  f->recent = INFINITY;
}

bool perp_convex_follow(perp_convex *f, const double *x, const double *y)
{
  if (!f->moving)
    return false;
  const perp_set *K = &f->p->K;
  const perp_problem own = {f->p->A, f->p->b, perp_set_own(K, &f->reduction)};
  double sizes[2] = {perp_problem_residual(&own, x, y)}, residual = 0, lag = 0;
  perp_run_most(f->run, 1, sizes);
  damp(f, sizes[0]);
  for (int c = 0; c < K->cones; c++)
    residual = perp_max(residual, cone_residual(f, c, x, y, &lag));
  for (int i = 3 * K->cones; i < f->n; i++) {
    const int disc = perp_set_disc(K, i);
    double map[PERP_FRICTION_MU];
    if (disc > 0) {
      perp_set_disc_map(disc, f->hi[i], x + i, y + i, map);
      residual = perp_max(residual, perp_norm_inf(disc, map));
    } else if (disc == 0) {
      residual = perp_max(residual, perp_natural_mid(y[i], x[i] - f->lo[i], x[i] - f->hi[i]));
    }
    if (!perp_set_is_friction(K, i))
      continue;
    double lo, hi;
    perp_row_bounds(K, x, i, &lo, &hi);
    lag = isinf(lo) ? lag : perp_max(lag, fabs(lo - f->lo[i]));
    lag = isinf(hi) ? lag : perp_max(lag, fabs(hi - f->hi[i]));
  }
  sizes[0] = residual;
  sizes[1] = lag;
  perp_run_most(f->run, 2, sizes);
  if (!(sizes[0] <= f->patience * sizes[1]))
    return false;
  move_fixed(f, f->step, x, y);
  return true;
}

/* ---- Faces ---- */

const char *const perp_face_words[] = {"auto", "none", "jacobi", "incomplete", "mg", NULL};

/* In the order of perp_face_kind. */
static const perp_linear_preconditioner kinds[] = {
    PERP_PRECONDITION_AUTO, PERP_PRECONDITION_NONE, PERP_PRECONDITION_JACOBI,
    PERP_PRECONDITION_IC,   PERP_PRECONDITION_MG,
};

perp_error perp_face_create(perp_run *run, perp_face_kind kind, perp_face *f)
{
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  *f = (perp_face){.n = p->K.n};
  if (!PERP_TAKE_REALS(run->arena, n, &f->lo, &f->hi, &f->D) ||
      !PERP_TAKE_INTEGERS(run->arena, n, &f->F) || !PERP_TAKE(run->arena, PERP_ARRAY(f->free, n)))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&p->K, f->lo, f->hi);
  for (int i = 0; i < f->n; i++)
    f->free[i] = true;
  perp_metric(p, f->D);
  if (kind == PERP_FACE_NONE)
    perp_fill(f->n, 1, f->D);
  f->multigrid = kind == PERP_FACE_MULTIGRID;
  const perp_error error =
      perp_preconditioner_open(run, kinds[kind], true, true, f->free, NULL, &f->M);
  if (!error) /* 1 in all rows if one entry of the diagonal is not positive */
    perp_copy(f->n, f->D, f->M.diagonal);
  return error;
}

void perp_face_project(const perp_face *f, double *x)
{
  for (int i = 0; i < f->n; i++)
    x[i] = perp_clamp(x[i], f->lo[i], f->hi[i]);
}

bool perp_face_take(perp_face *f, const double *x)
{
  bool changed = false;
  for (int i = 0; i < f->n; i++) {
    const bool inside = x[i] > f->lo[i] && x[i] < f->hi[i];
    changed = changed || inside != f->free[i];
    f->free[i] = inside;
  }
  f->set = f->set && !changed;
  return changed;
}

void perp_face_precondition(perp_face *f, const double *r, double *z)
{
  if (!f->set) {
    int m = 0;
    for (int i = 0; i < f->n; i++)
      if (f->free[i])
        f->F[m++] = i;
    perp_preconditioner_set(&f->M, m, f->F, NULL);
    f->set = true;
  }
  perp_preconditioner_apply(&f->M, r, z);
  for (int i = 0; i < f->n; i++)
    z[i] = f->free[i] ? z[i] : 0;
}

double perp_face_reach(const perp_face *f, const double *x, const double *d)
{
  double reach = INFINITY;
  for (int i = 0; i < f->n; i++) {
    if (d[i] > 0)
      reach = perp_min(reach, (f->hi[i] - x[i]) / d[i]);
    else if (d[i] < 0)
      reach = perp_min(reach, (f->lo[i] - x[i]) / d[i]);
  }
  return reach;
}
