/* fischer.c: Newton's method on the equations of Fischer and Burmeister, for LCP and boxed problems
 *
 *   F_i(x) = x_i + y_i - sqrt(x_i^2 + y_i^2) = 0   <=>   0 <= x_i _|_ y_i >= 0,     y = A x + b
 *
 * with boxes by Billups's nesting (fischer_map.h). F is strongly semismooth and theta = 1/2 |F|^2
 * is continuously differentiable. With J = D_p + D_q A from the generalised Jacobian and steps that
 * lower theta (descent.c), convergence is quadratic if all such J are regular at the solution: if
 * A_aa is regular for the rows a with x > 0, and its Schur complement in the rows with x = y = 0 is
 * a P-matrix (De Luca, Facchinei, Kanzow 1996). Positive semi-definite A may be singular: a
 * regularisation that vanishes with F keeps the steps short.
 *
 * `strategy` chooses J if x_i = y_i = 0; with "approximation" J is never formed, and A is used only
 * in products. Cost and workspace: descent.c.
 *
 * pfischer solves penalised equations (Chen, Chen, Kanzow 2000),
 *
 *   F_i(x) = lambda (x_i + y_i - sqrt(x_i^2 + y_i^2)) + (1 - lambda) x_i+ y_i+ = 0,
 *
 * which for lambda = 1 are the equations of fischer. If x_i and y_i are both large and positive the
 * Fischer-Burmeister function grows like the smaller of them; the added product grows with both, so
 * that the level sets of theta are bounded for every monotone problem with a strictly feasible
 * point. The price is a function that is no longer homogeneous: lambda weighs the two in the unit
 * of fischer_map.h, in which max |b_i| / sqrt(A_ii) is one. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/newton/descent.h"

static const perp_parameter fischer[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_DESCENT_PARAMETERS,
    {0},
};
static const perp_parameter pfischer[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_REAL(perp_descent_parameters, lambda, 0.95, 0.01, 1,
              "weight of the Fischer-Burmeister part; 1: no penalty"),
    PERP_DESCENT_PARAMETERS,
    {0},
};

/* ---- Restarts ---- */

/* Steps in which theta must fall by a tenth. Otherwise x returns to the best point and continues
 * with monotone steps: a watchdog (Chamberlain, Powell, Lemarechal, Pedersen 1982). If that fails
 * too, x is stuck. */
enum { PATIENCE = 25 };

typedef struct ending {
  double *best_x, best; /* least theta, and where */
  double mark;          /* the best some steps ago */
  int64_t since;        /* steps since then */
} ending;

/* Keeps the best x. Returns true while theta still falls. */
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

/* x <- the best x plus a random move in each row, larger with every restart. */
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

/* Returns true if grad theta is zero relative to |J| |F|. */
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
    perp_run_say(s->run, "found a local minimum of the merit function that is not a solution");
  } else if (moves && !s->descends) {
    perp_run_claim(s->run, PERP_NON_DESCENT);
    perp_run_say(s->run, "found no descent direction");
  } else {
    perp_run_claim(s->run, PERP_STAGNATED);
    perp_run_say(s->run, "the merit function no longer decreases");
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

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const perp_descent_parameters *par = params;
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

#define FISCHER                                                                                    \
  .family = "newton", .takes = PERP_TAKES_BOXES, .needs = PERP_CAN_APPLY, .max_iterations = 500,   \
  .works = "P0 matrices, positive semi-definite ones among them, and friction pyramids",           \
  .parameter_bytes = sizeof(perp_descent_parameters), .solve = solve

const perp_method perp_method_fischer = {
    FISCHER,
    .name = "fischer",
    .title = "Fischer-Newton",
    .source = "deluca-facchinei-kanzow-1996",
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi of Fischer and Burmeister",
    .parameters = fischer,
    .preset = &(const perp_descent_parameters){.lambda = 1},
};

const perp_method perp_method_pfischer = {
    FISCHER,
    .name = "pfischer",
    .title = "penalised Fischer-Newton",
    .reference = true,
    .source = "chen-chen-kanzow-2000",
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi with a penalty for x y > 0",
    .parameters = pfischer,
};
