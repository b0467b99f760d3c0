/* homotopy.c: Newton's method along a path of smoothed equations
 *
 *   F_mu(x)_i = x_i + y_i - sqrt(x_i^2 + y_i^2 + 2 mu) = 0   <=>   x_i, y_i > 0,  x_i y_i = mu
 *
 * (Kanzow 1996; boxes as in fischer_map.h). F_mu is smooth and J is regular for every P0-matrix.
 * The zeros x(mu) are the central path of interior point methods, but iterates need not be
 * positive: the method starts from any x. mu falls from point to point of the path (Burke, Xu
 * 1998):
 *
 *   x is near the path:   theta_mu(x) = 1/2 |F_mu|^2 <= width n mu      then   mu <- factor mu.
 *
 * If that took at most two steps, factor is squared; if it took many, factor becomes its square
 * root. If the path is lost, x returns to its last point on the path and mu falls by less. If that
 * fails, the method restarts with a narrower path, at most twice. At the end, or if the path still
 * turns back (A is then not a P0-matrix), mu = 0 and the method takes the steps of fischer.
 *
 * The method is slower than fischer and solves problems on which fischer fails: monotone problems
 * whose skew part is a hundred or a thousand times the symmetric part, as in linear programs, where
 * descent of theta allows only ever shorter steps. Cost of a step and workspace: descent.c. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/newton/descent.h"

typedef struct {
  perp_descent_parameters descent;
  double mu, factor, width;
} homotopy_parameters;

static const perp_parameter parameters[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_FLAG(perp_descent_parameters, weighted, 1, "bring x and y to the same size by diag(A)"),
    PERP_REAL(homotopy_parameters, mu, 1, 1e-12, 1e12, "first mu, in units of max |b_i| squared"),
    PERP_REAL(homotopy_parameters, factor, 0.1, 1e-4, 0.9, "initial factor by which mu falls"),
    PERP_REAL(homotopy_parameters, width, 0.01, 1e-6, 1, "initial width of the path"),
    {0},
};

enum {
  QUICK = 2,  /* steps from one point of the path to the next */
  SLOW = 4,   /* more steps: factor grows */
  LOST = 8,   /* more steps: the path is lost */
  FIRST = 50, /* steps to the first point */
};

static const double LEAST = 1e-4, MOST = 0.99; /* factor */
static const double REGULARISE = 1e-6;

enum { ATTEMPTS = 3 };
static const double NARROWER = 0.1;

typedef struct path {
  const homotopy_parameters *par;
  double *start; /* n: the first x */
  double *x;     /* n: the last point on the path */
  double mu;     /* its mu; 0: no point yet */
  double factor, width;
  int steps; /* since that point */
  int attempt;
  bool turned; /* the path cannot be followed any further */
} path;

/* Sets F_mu for Newton's method from the current x. */
static void aim(perp_descent *s, path *at, double mu)
{
  /* 0 if x y = mu is below the resolution of the residual */
  s->map.phi.mu = sqrt(mu) < 0.01 * s->run->target * s->map.c ? 0 : mu;
  s->damping = REGULARISE;
  at->steps = 0;
  perp_descent_start(s);
}

static void begin(perp_descent *s, path *at)
{
  at->mu = 0;
  at->factor = at->par->factor;
  perp_copy(s->n, at->start, s->x);
  aim(s, at, at->par->mu);
}

static void arrive(perp_descent *s, path *at)
{
  perp_copy(s->n, s->x, at->x);
  at->mu = s->map.phi.mu;
  if (at->steps <= QUICK)
    at->factor = perp_max(at->factor * at->factor, LEAST);
  else if (at->steps > SLOW)
    at->factor = sqrt(at->factor);
  aim(s, at, at->factor * at->mu);
}

/* Moves x back to the last point of the path with a smaller fall of mu, or to the start, or leaves
 * the path. */
static void go_back(perp_descent *s, path *at)
{
  at->factor = sqrt(at->factor);
  if (at->mu > 0 && at->factor <= MOST) {
    perp_copy(s->n, at->x, s->x);
    aim(s, at, at->factor * at->mu);
  } else if (++at->attempt < ATTEMPTS) {
    at->width *= NARROWER;
    s->run->count.restarts++;
    begin(s, at);
  } else {
    at->turned = true;
    if (at->mu > 0)
      perp_copy(s->n, at->x, s->x);
    aim(s, at, 0);
  }
}

/* Takes one step. Returns false if x no longer moves. */
static bool follow(perp_descent *s, path *at)
{
  const double mu = s->map.phi.mu;
  const bool moved = perp_descent_step(s) > 0;
  at->steps++;
  if (at->turned || perp_run_expired(s->run))
    return moved;
  if (moved && mu > 0 && s->theta <= at->width * s->n * mu)
    arrive(s, at);
  else if (!moved || at->steps >= (at->mu == 0 ? FIRST : LOST))
    go_back(s, at);
  return true;
}

static perp_error iterate(perp_descent *s, path *at)
{
  perp_run *run = s->run;
  bool follows = true;
  for (int64_t k = 0;; k++) {
    double merit;
    perp_problem_merit(run->problem, PERP_MERIT_FISCHER, 1, s->x, s->y, &merit);
    perp_run_merit(run, merit);
    if (!perp_run_next(run, s->x, s->y))
      return PERP_OK;
    if (k == 0 && s->par->newton.warm > 0) {
      const perp_error error = perp_newton_warm(run, s->par->newton.warm, at->start);
      if (error)
        return error;
      begin(s, at);
    }
    if (!follows && !perp_run_expired(run)) {
      perp_run_claim(run, PERP_STAGNATED);
      perp_run_say(run, "the merit function no longer decreases; the path ended at mu = %g",
                   at->mu);
      return PERP_OK;
    }
    follows = follow(s, at);
  }
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const homotopy_parameters *par = params;
  perp_descent_parameters descent = par->descent;
  descent.strategy = PERP_STRATEGY_ANALYTIC;
  descent.projected = 0;
  descent.window = 1;
  descent.regularise = REGULARISE;
  path at = {.par = par, .factor = par->factor, .width = par->width};
  if (!PERP_TAKE_REALS(run->arena, (size_t)p->K.n, &at.start, &at.x))
    return perp_run_no_memory(run);
  perp_copy(p->K.n, x, at.start);
  perp_descent s;
  perp_error error = perp_descent_open(run, &descent, (perp_phi){1, par->mu}, x, &s);
  if (!error && !perp_run_expired(run))
    error = iterate(&s, &at);
  perp_descent_close(&s);
  return error;
}

const perp_method perp_method_homotopy = {
    .name = "homotopy",
    .title = "Newton along a path of smoothed equations",
    .reference = true,
    .family = "newton",
    .source = "kanzow-1996",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .iteration = "Newton steps on x + y - sqrt(x^2 + y^2 + 2 mu) = 0, then a smaller mu",
    .works = "P0 matrices, positive semi-definite ones among them, nearly skew ones too",
    .max_iterations = 1000,
    PERP_SOLVES_WITH(homotopy_parameters),
};
