/* descent.c: steps of a globalised Newton method
 *
 *   (D_p + D_q (A + epsilon diag A)) dx = -F(x)
 *   x <- x + t dx,   t = 1, beta, beta^2, ...:   theta(x + t dx) <= reference + alpha t F^T J dx
 *
 * reference is the greatest theta of the last iterates (Grippo, Lampariello, Lucidi 1986). It is a
 * direction of descent if |F + J dx| < |F|. y is affine in x, so a search costs no product with
 * A; a projected one costs a product for each t.
 *
 * epsilon = damping min(1, |F| / |F(0)|): it vanishes with F, so that convergence stays quadratic
 * if J is regular at the solution and superlinear if it is not but |F| bounds the distance to
 * the solutions. Along a direction that rests on too small an epsilon theta rises soon, t is short,
 * and damping grows tenfold; if epsilon holds dx back, so that |F + J dx| is above 0.1 |F| for a
 * full step, it falls.
 *
 * If this fails, the direction is that of Levenberg and Marquardt, by conjugate gradients on the
 * normal equations, then -grad theta: for both A^T is needed. Convergence: every limit point is
 * stationary for theta (De Luca, Facchinei, Kanzow 1996), and stationary points are solutions for
 * P0 matrices, among them the positive semi-definite. One step: mostly one factorisation.
 * Workspace: 20 n and the factor. */
#include "method/newton/descent.h"

#include "base/elementary.h"
#include "linalg/vector.h"

const char *const perp_strategy_words[] = {"random",        "zero",     "perturbation",
                                           "approximation", "analytic", NULL};

enum { TRIES = 4 };

static const double SHORT = 1e-2; /* below: another epsilon is tried before a shorter t */
static const double LEAST = 1e-8, MOST = 1e3; /* damping */

perp_error perp_descent_open(perp_run *run, const perp_descent_parameters *par, perp_phi phi,
                             double *x, perp_descent *s)
{
  *s = (perp_descent){
      .run = run, .par = par, .n = run->problem->K.n, .x = x, .damping = par->regularise};
  if (!PERP_TAKE_REALS(run->arena, (size_t)s->n, &s->y, &s->F, &s->new_x, &s->new_y, &s->new_F))
    return perp_run_no_memory(run);
  perp_error error =
      perp_map_create(run, phi, (perp_strategy)par->strategy, par->weighted, &s->map);
  if (!error)
    error = perp_direction_open(&s->map, &par->newton, &s->direction);
  s->direction.x = s->x;
  s->direction.F = s->F;
  if (!error && !perp_run_expired(run))
    perp_descent_start(s);
  return error;
}

void perp_descent_close(perp_descent *s)
{
  perp_linear_close(s->direction.system);
}

static void arrive(perp_descent *s)
{
  perp_run_gradient(s->run, s->x, s->y);
  s->theta = perp_map_value(&s->map, s->x, s->y, s->F);
}

void perp_descent_start(perp_descent *s)
{
  s->count = 0;
  s->before = s->eta = 0;
  arrive(s);
}

/* ---- Searching ---- */

static void try_step(perp_descent *s, double t, bool projected)
{
  const perp_direction *d = &s->direction;
  for (int i = 0; i < s->n; i++) {
    s->new_x[i] = s->x[i] + t * d->dx[i];
    s->new_y[i] = s->y[i] + t * d->Adx[i];
  }
  if (projected) {
    perp_map_project(&s->map, s->new_x);
    perp_run_gradient(s->run, s->new_x, s->new_y);
  }
  s->new_theta = perp_map_value(&s->map, s->new_x, s->new_y, s->new_F);
}

/* The first t that brings enough, 0 if none above `shortest` does. */
static double search_along(perp_descent *s, double shortest, bool projected)
{
  const perp_newton_parameters *par = &s->par->newton;
  double reference = s->theta;
  for (int k = 0; k < s->count; k++)
    reference = perp_max(reference, s->recent[k]);
  for (double t = 1; t >= perp_max(shortest, par->delta); t *= par->beta) {
    try_step(s, t, projected);
    if (s->new_theta <= reference + par->alpha * t * s->direction.slope)
      return t;
    if (perp_run_expired(s->run))
      break;
  }
  return 0;
}

static double search(perp_descent *s, double shortest)
{
  s->descends = true;
  const double t = s->par->projected ? search_along(s, shortest, true) : 0;
  return t > 0 ? t : search_along(s, shortest, false);
}

/* ---- A step ---- */

/* The size of F beside which it is small: F(0) is of order one in each row. */
static double whole(const perp_descent *s)
{
  return sqrt((double)s->n);
}

static void adapt(perp_descent *s, double t, double left)
{
  const double first = perp_max(s->par->regularise, LEAST);
  if (t < 0.1)
    s->damping = perp_min(MOST, 10 * perp_max(s->damping, LEAST));
  else if (t == 1 && left > 0.1)
    s->damping = perp_max(LEAST, s->damping / 10);
  else if (left < 1e-3 && s->damping < first)
    s->damping = perp_min(first, 10 * s->damping);
}

static double newton_step(perp_descent *s, double norm)
{
  double t = 0;
  const int tries = s->direction.system ? TRIES : 1;
  for (int k = 0; k < tries && t == 0 && !perp_run_expired(s->run); k++) {
    const double epsilon = s->damping * perp_min(1, norm / whole(s));
    const double left = perp_direction_newton(&s->direction, epsilon, s->eta);
    if (left < 1 && s->direction.slope < 0)
      t = search(s, s->direction.system ? SHORT : 0);
    adapt(s, t, left);
  }
  return t;
}

static void take(perp_descent *s)
{
  const int room = s->monotone ? 0 : s->par->window - 1;
  if (room > 0) {
    s->count = s->count < room ? s->count + 1 : room;
    for (int k = s->count - 1; k > 0; k--)
      s->recent[k] = s->recent[k - 1];
    s->recent[0] = s->theta;
  }
  perp_copy(s->n, s->new_x, s->x);
  arrive(s);
}

double perp_descent_step(perp_descent *s)
{
  const double norm = sqrt(2 * s->theta);
  /* |F| where the natural residual may be the target, in the unit of F */
  const double goal = 0.1 * s->run->target * s->map.c;
  s->eta = perp_newton_forcing(perp_min(s->par->newton.gamma, 0.1), norm, s->before, s->eta, goal);
  s->before = norm;
  s->descends = false;
  perp_map_linearise(&s->map, s->x, s->y);
  double t = newton_step(s, norm);
  if (t == 0 && !perp_run_expired(s->run) &&
      perp_direction_damped(&s->direction, 1e-2 * perp_min(1, norm / whole(s))))
    t = search(s, 0);
  if (t == 0 && !perp_run_expired(s->run) && perp_direction_gradient(&s->direction))
    t = search(s, 0);
  if (t > 0)
    take(s);
  return t;
}

/* ---- To the end ---- */

/* Steps in which theta has to fall by a tenth. If it does not x goes back to the best point, and on
 * from there with steps that lower theta every time: a watchdog (Chamberlain, Powell, Lemarechal,
 * Pedersen 1982). If that does not help either, x is stuck. */
enum { PATIENCE = 25 };

typedef struct ending {
  double *best_x, best; /* least theta, and where */
  double mark;          /* the best some steps ago */
  int64_t since;        /* steps since then */
} ending;

/* Keeps the best; whether it is still getting better. */
static bool still_moves(const perp_descent *s, ending *e)
{
  if (s->theta < e->best) {
    e->best = s->theta;
    perp_copy(s->n, s->x, e->best_x);
  }
  if (e->best < 0.9 * e->mark) {
    e->mark = e->best;
    e->since = 0;
  }
  return e->since++ < PATIENCE;
}

static void go_back(perp_descent *s, ending *e)
{
  perp_copy(s->n, e->best_x, s->x);
  perp_descent_start(s);
  s->monotone = true;
  e->since = 0;
}

/* x <- the best so far, moved by a random amount in each row that grows from restart to restart. */
static void perturb(perp_descent *s, ending *e, int restart)
{
  perp_map *map = &s->map;
  double most = 1 / map->c;
  for (int i = 0; i < s->n; i++)
    most = perp_max(most, map->s[i] * fabs(e->best_x[i]));
  for (int i = 0; i < s->n; i++) {
    const double amount = 0.1 * restart * most / map->s[i];
    s->x[i] = e->best_x[i] + perp_random_between(&map->random, -amount, amount);
  }
  perp_map_project(map, s->x);
  perp_descent_start(s);
  s->damping = s->par->regularise;
  s->monotone = false;
  *e = (ending){.best_x = e->best_x, .best = INFINITY, .mark = INFINITY};
  s->run->count.restarts++;
}

/* grad theta is zero beside what |J| |F| would allow. */
static bool is_stationary(perp_descent *s)
{
  const perp_map *map = &s->map;
  double most = 0;
  if (!perp_map_transposed(&s->map, s->F, s->new_F))
    return false;
  for (int i = 0; i < s->n; i++)
    most = perp_max(most, map->p[i] + map->q[i] * s->direction.size[i]);
  return perp_norm2(s->n, s->new_F) <= 1e-5 * most * sqrt(2 * s->theta);
}

static void give_up(perp_descent *s, bool moves)
{
  perp_map_linearise(&s->map, s->x, s->y);
  if (is_stationary(s)) {
    perp_run_claim(s->run, PERP_LOCAL_MINIMUM);
    perp_run_say(s->run, "a local minimum of the merit function, which is no solution");
  } else if (moves && !s->descends) {
    perp_run_claim(s->run, PERP_NON_DESCENT);
    perp_run_say(s->run, "no direction of descent was found");
  } else {
    perp_run_claim(s->run, PERP_STAGNATED);
    perp_run_say(s->run, "the merit function no longer falls");
  }
}

static perp_error iterate(perp_descent *s, ending *e)
{
  perp_run *run = s->run;
  const double lambda = s->par->lambda;
  const perp_merit_kind kind = lambda < 1 ? PERP_MERIT_PENALISED : PERP_MERIT_FISCHER;
  int restarts = 0;
  for (int64_t k = 0;; k++) {
    double merit;
    perp_problem_merit(run->problem, kind, lambda, s->x, s->y, &merit);
    perp_run_merit(run, merit);
    if (!perp_run_next(run, s->x, s->y))
      return PERP_OK;
    if (k == 0 && s->par->newton.warm > 0) {
      const perp_error error = perp_newton_warm(run, s->par->newton.warm, s->x);
      if (error)
        return error;
      perp_descent_start(s);
    }
    const bool moves = still_moves(s, e);
    if (moves && perp_descent_step(s) > 0)
      continue;
    if (perp_run_expired(run))
      return PERP_OK;
    if (!moves && !s->monotone && s->par->window > 1) {
      go_back(s, e);
      continue;
    }
    if (restarts == s->par->restarts) {
      give_up(s, moves);
      return PERP_OK;
    }
    perturb(s, e, ++restarts);
  }
}

perp_error perp_descent_solve(perp_run *run, const perp_descent_parameters *par, double *x)
{
  ending e = {
      .best_x = perp_run_reals(run, (size_t)run->problem->K.n), .best = INFINITY, .mark = INFINITY};
  if (!e.best_x)
    return perp_run_no_memory(run);
  perp_copy(run->problem->K.n, x, e.best_x); /* theta may overflow at every point */
  perp_descent s;
  perp_error error = perp_descent_open(run, par, (perp_phi){par->lambda, 0}, x, &s);
  if (!error && !perp_run_expired(run))
    error = iterate(&s, &e);
  perp_descent_close(&s);
  return error;
}
