/* nncg.c: nonsmooth nonlinear conjugate gradients
 *
 *   z = one sweep of projected Gauss-Seidel from x,    g = z - x  (a scaled descent direction)
 *   beta = |g|^2 / |g before|^2                        (Fletcher and Reeves)
 *   beta > 1:  p = 0, x = z                            (restart)
 *   else       x = P(z + beta p),  p = beta p + g
 *
 * after Silcowitz-Hansen, Niebe and Erleben (2010): the step of a sweep takes the place of the
 * negative gradient. On the face of the solution a sweep is a linear map x -> M x + c, and the
 * recurrence adds to it what conjugate directions add to steepest descent.
 *
 * Safeguards: what beta p adds is projected, so that iterates stay in K; p is forgotten if
 * beta > 1, and every so often anyhow, since Gauss-Seidel is not symmetric and directions do not
 * stay conjugate. The driver keeps the best iterate.
 * All is done where the sweeps have x, in their own layout if there is one.
 * One iteration: one sweep (symmetric: two), and bringing what the sweeps keep beside x up to date.
 * Workspace: 2 n. */
#include "linalg/vector.h"
#include "method/splitting/sweep.h"

typedef struct {
  double omega;
  int order, restart;
} nncg_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(nncg_parameters, omega, 1.0, 0.01, 1.99, "relaxation of the sweeps"),
    PERP_CHOICE(nncg_parameters, order, PERP_SWEEP_FORWARD, 4, perp_sweep_orders,
                "order of the rows in a sweep"),
    PERP_INTEGER(nncg_parameters, restart, 0, 0, 1000000,
                 "iterations after which the direction is forgotten; 0: never"),
    {0},
};

/* g <- z - g; returns |g|^2 */
static double take_step(int64_t n, const double *restrict z, double *restrict g)
{
  double s[PERP_LANES] = {0};
  int64_t i = 0;
  for (; i + PERP_LANES <= n; i += PERP_LANES)
    for (int k = 0; k < PERP_LANES; k++) {
      g[i + k] = z[i + k] - g[i + k];
      s[k] += g[i + k] * g[i + k];
    }
  for (int k = 0; k < PERP_LANES && i + k < n; k++) {
    g[i + k] = z[i + k] - g[i + k];
    s[k] += g[i + k] * g[i + k];
  }
  return perp_lanes_sum(s);
}

/* x <- P(x + beta p), p <- beta p + g */
static void extrapolate(perp_relaxer *relaxer, double beta, const double *restrict g,
                        double *restrict p, double *restrict x, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    const double ahead = beta * p[i];
    x[i] += ahead;
    p[i] = ahead + g[i];
  }
  if (relaxer->renew) {
    relaxer->renew(relaxer);
    return;
  }
  perp_set_project(relaxer->K, x, x);
  perp_relaxer_load(relaxer);
}

static perp_error solve(perp_run *run, const perp_problem *problem, const void *params, double *x)
{
  const nncg_parameters *par = params;
  perp_sweeper sweeper;
  perp_error error = perp_sweeper_create(run, x, (perp_sweep_order)par->order, &sweeper);
  if (error)
    return error;
  perp_relaxer *relaxer = sweeper.relaxer;
  const bool own = relaxer && relaxer->renew;
  const int64_t n = own ? relaxer->own_count : problem->K.n;
  if (own)
    x = relaxer->own_x;
  double *before, *direction;
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &before, &direction))
    return perp_run_no_memory(run);

  double last = 0; /* |g before|^2 */
  int age = 0;     /* iterations since the direction was forgotten; 0: there is none */
  while (perp_run_next_relaxed(run, relaxer)) {
    perp_copy(n, x, before); /* stored or loaded last */
    perp_sweeper_sweep(&sweeper, par->omega);
    if (!own)
      perp_relaxer_store(relaxer);
    const double now = take_step(n, x, before);
    const double beta = last > 0 ? now / last : 0;
    last = now;
    if (!(beta <= 1) || (par->restart && age >= par->restart)) {
      age = 0;
      run->count.restarts++;
      continue;
    }
    if (age++ == 0)
      perp_copy(n, before, direction);
    else
      extrapolate(relaxer, beta, before, direction, x, n);
  }
  return PERP_OK;
}

const perp_method perp_method_nncg = {
    .name = "nncg",
    .title = "nonsmooth nonlinear conjugate gradients over Gauss-Seidel sweeps",
    .family = "splitting",
    .source = "silcowitz-hansen-niebe-erleben-2010",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_RELAX,
    .iteration =
        "a pgs sweep gives the step s; x <- x + s + beta p with Fletcher-Reeves beta, restarted",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    PERP_SOLVES_WITH(nncg_parameters),
};
