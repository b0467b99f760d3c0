/* nncg.c: nonsmooth nonlinear conjugate gradients
 *
 * Rows.
 *
 *   z = one sweep of projected Gauss-Seidel from x,    g = z - x  (a scaled descent direction)
 *   beta = |g|^2 / |g before|^2                        (Fletcher and Reeves)
 *   beta > 1:  p = 0, x = z                            (restart)
 *   else       x = P(z + beta p),  p = beta p + g
 *
 * after Silcowitz-Hansen, Niebe and Erleben (2010): the step of a sweep replaces the negative
 * gradient. On the face of the solution a sweep is a linear map x -> M x + c, and the recurrence
 * improves it as conjugate directions improve steepest descent.
 *
 * Cones. Sweeps go by contact, with the exact local solves of bgs, and P projects on the cones:
 *
 *   z = one sweep by blocks from x,   g = z - x,   p = z - z before,   beta = |g|^2 / |g before|^2
 *   beta > 1 + slack:  x = z                           (restart: the next p is its g)
 *   else               x = P(z + min(beta, 1) p)
 *
 * p is the direction above, beta p before + g, including the newest step. docs/theory/splitting.md
 * derives that beta so becomes the best momentum for the slowest mode by itself: with lambda =
 * 1 - epsilon its eigenvalue under a sweep, the sweeps per digit grow like 1 / sqrt(epsilon), for
 * bgs like 1 / epsilon. Modes with a smaller lambda' have complex roots with |r|^2 = lambda' beta, or
 * shorter real ones. So if beta is too large, it falls from sweep to sweep; in the recurrence for
 * rows the complex roots have |r|^2 = beta, and beta does not fall.
 *
 * With complex roots the step length oscillates, and a slightly longer step is not a reason to
 * restart. The allowed excess, slack, is 0.05 at first and at most. If the lowest |g|^2 of 100
 * sweeps is not below 0.8 times that of the 100 before them, slack is halved, else it grows by
 * half: without it some problems would take twice the sweeps, with a constant one others would
 * cycle.
 *
 * Convergence with friction is not proven, and with omega = 1 some sweeps cycle (fc3d_OneObject of
 * the Siconos collection). So the length of the path of x over these 100 sweeps is compared with
 * the distance it covers: if the path is twice as long, steps do not shrink, and slack is below
 * 0.02, omega becomes 0.7 omega, to return later to at most 0.85 of its old value, as in bgs.
 *
 * Safeguards: x is projected after beta p is added, so that iterates stay in K; p is reset if the
 * step grows. The driver keeps the best iterate. All vectors have the layout of the sweeps. One
 * iteration: one sweep (symmetric: two), and an update of the data that the sweeps derive from x.
 * Workspace: 2 n; with cones 2 n and the diagonal blocks. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/coloured_device.h"
#include "method/splitting/sweep.h"
#include "set/set.h"

typedef struct {
  double omega;
  int order;
} nncg_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(nncg_parameters, omega, 1.0, 0.01, 1.99,
              "relaxation of the sweeps; with cones its upper limit"),
    PERP_CHOICE(
        nncg_parameters, order, PERP_SWEEP_FORWARD, 4, perp_sweep_orders,
        "order of the rows in a sweep, or of the contacts: not coloured if there are cones"),
    {0},
};

/* ---- Rows ---- */

/* g <- z - g. Returns |g|^2. */
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

typedef struct history {
  double last; /* |g before|^2 */
  int age;     /* iterations since the last restart; 0: no direction */
} history;

/* Computes beta = |g|^2 / |g before|^2 with |g|^2 = now. Returns true if the direction is to
 * restart. */
static bool forgets(perp_run *run, double now, history *h, double *beta)
{
  *beta = h->last > 0 ? now / h->last : 0;
  h->last = now;
  if (*beta <= 1)
    return false;
  h->age = 0;
  run->count.restarts++;
  return true;
}

static perp_error solve_rows(perp_run *run, const perp_problem *problem, const nncg_parameters *par,
                             double *x)
{
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

  history h = {0};
  while (perp_run_next_iterate(run, perp_iterate_swept(relaxer, NAN))) {
    perp_copy(n, x, before); /* stored or loaded last */
    perp_sweeper_sweep(&sweeper, par->omega);
    if (!own)
      perp_relaxer_store(relaxer);
    double beta;
    if (forgets(run, take_step(n, x, before), &h, &beta))
      continue;
    if (h.age++ == 0)
      perp_copy(n, before, direction);
    else
      extrapolate(relaxer, beta, before, direction, x, n);
  }
  return PERP_OK;
}

/* ---- Cones ---- */

/* Watches a period of sweeps: how much |g|^2 may grow from one sweep to the next before a restart,
 * and the relaxation. */
typedef struct watch {
  double slack;
  double omega, most;   /* upper bound of omega */
  double least, before; /* |g|^2 of this period so far, and of the one before it */
  double first, path;   /* |g|^2 of its first sweep, and the sum of |g| */
  int sweeps;           /* in it */
} watch;

static const double MOST_SLACK = 0.05;

static watch watch_begin(double omega)
{
  return (watch){
      .slack = MOST_SLACK, .omega = omega, .most = omega, .least = INFINITY, .before = INFINITY};
}

/* Call after a step with |g|^2 = step. Returns true if the period is over. */
static bool watch_step(watch *w, double step)
{
  enum { PERIOD = 100 };
  if (w->sweeps == 0)
    w->first = step;
  w->least = perp_min(w->least, step);
  w->path += sqrt(step);
  return ++w->sweeps >= PERIOD;
}

/* Adapts to a period whose last |g|^2 is `step` and in which x moved by `distance`; omega is the
 * parameter. */
static void watch_adapt(watch *w, double distance, double step, double omega)
{
  if (w->least < 0.8 * w->before) {
    w->slack = perp_min(1.5 * w->slack, MOST_SLACK);
    w->most = perp_min(1.02 * w->most, omega);
    w->omega = perp_min(1.1 * w->omega, w->most);
  } else if (w->slack < 0.02 && distance < 0.5 * w->path && step > 0.25 * w->first) {
    w->slack = MOST_SLACK;
    w->most = 0.85 * w->omega;
    w->omega = perp_max(0.7 * w->omega, 0.05);
  } else {
    w->slack /= 2;
  }
  w->before = w->least;
  w->least = INFINITY;
  w->path = 0;
  w->sweeps = 0;
}

/* Returns the order of block sweeps; -1: none. */
static int block_order(int order)
{
  return order == PERP_SWEEP_FORWARD     ? PERP_BLOCKS_FORWARD
         : order == PERP_SWEEP_BACKWARD  ? PERP_BLOCKS_BACKWARD
         : order == PERP_SWEEP_SYMMETRIC ? PERP_BLOCKS_SYMMETRIC
                                         : -1;
}

static perp_error solve_cones(perp_run *run, const perp_problem *problem,
                              const nncg_parameters *par, double *x)
{
  const int n = problem->K.n;
  const int order = block_order(par->order);
  if (order < 0)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "nncg does not take order = %s for cones",
                         perp_sweep_orders[par->order]);
  perp_blocks *blocks;
  const perp_error error = perp_blocks_open(run, x, 0, false, (perp_block_order)order, &blocks);
  if (error || perp_run_expired(run))
    return error;
  watch w = watch_begin(par->omega);
  double *z, *start; /* z before; x at the start of a period */
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &z, &start))
    return perp_run_no_memory(run);

  double last = INFINITY; /* |g before|^2 */
  perp_copy(n, x, z);
  perp_copy(n, x, start);
  while (perp_run_next_iterate(run, perp_iterate_swept(blocks->sweeps.relaxer->relaxer, NAN))) {
    blocks->moved = 0;
    blocks->omega = w.omega;
    perp_blocks_sweep(run, blocks);
    const double growth = blocks->moved / last;
    last = blocks->moved;
    if (watch_step(&w, last)) {
      perp_subtract(n, x, start, start);
      watch_adapt(&w, perp_norm2(n, start), last, par->omega);
      perp_copy(n, x, start);
    }
    if (growth <= 1 + w.slack) {
      perp_blocks_extrapolate(blocks->sweeps.relaxer->relaxer, perp_min(growth, 1), z, n);
      continue;
    }
    perp_copy(n, x, z);
    run->count.restarts++;
  }
  perp_blocks_close(run, blocks);
  return PERP_OK;
}

/* ---- Contacts of rigid bodies on a device ----
 *
 * All vectors stay there. Sweeps go by colours, which replace the forward order. */

/* Makes a sweep. *square <- |g|^2. */
static perp_error sweep_there(perp_run *run, perp_relaxer *relaxer, double omega, double *square)
{
  const perp_error error = perp_coloured_vectors(relaxer, PERP_RIGIDS_COPY, 0, NULL);
  if (error)
    return error;
  relaxer->sweep(relaxer, omega, PERP_COLOURED);
  run->count.sweeps++;
  return perp_coloured_vectors(relaxer, PERP_RIGIDS_STEP, 0, square);
}

static perp_error solve_rows_there(perp_run *run, double omega, perp_relaxer *relaxer)
{
  perp_error error = PERP_OK;
  history h = {0};
  while (!error && perp_run_next_iterate(run, perp_iterate_swept(relaxer, NAN))) {
    double now = 0, beta;
    error = sweep_there(run, relaxer, omega, &now);
    if (error || forgets(run, now, &h, &beta))
      continue;
    error = h.age++ == 0 ? perp_coloured_vectors(relaxer, PERP_RIGIDS_BEGIN, 0, NULL)
                         : perp_coloured_vectors(relaxer, PERP_RIGIDS_EXTRAPOLATE, beta, NULL);
  }
  return error;
}

static perp_error solve_cones_there(perp_run *run, double omega, perp_relaxer *relaxer)
{
  watch w = watch_begin(omega);
  double last = INFINITY; /* |g before|^2 */
  perp_error error = perp_coloured_vectors(relaxer, PERP_RIGIDS_RESTART, 0, NULL);
  if (!error)
    error = perp_coloured_vectors(relaxer, PERP_RIGIDS_MARK, 0, NULL);
  while (!error && perp_run_next_iterate(run, perp_iterate_swept(relaxer, NAN))) {
    double now = 0, distance = 0;
    error = sweep_there(run, relaxer, w.omega, &now);
    const double growth = now / last;
    last = now;
    if (!error && watch_step(&w, now)) {
      error = perp_coloured_vectors(relaxer, PERP_RIGIDS_DISTANCE, 0, &distance);
      watch_adapt(&w, sqrt(distance), now, omega);
      if (!error)
        error = perp_coloured_vectors(relaxer, PERP_RIGIDS_MARK, 0, NULL);
    }
    const bool restart = growth > 1 + w.slack;
    run->count.restarts += restart;
    if (!error)
      error = perp_coloured_vectors(relaxer, restart ? PERP_RIGIDS_RESTART : PERP_RIGIDS_AHEAD,
                                    perp_min(growth, 1), NULL);
  }
  return error;
}

static perp_error solve_device(perp_run *run, const perp_problem *problem, const void *params,
                               double *x)
{
  const nncg_parameters *par = params;
  const perp_set *K = &problem->K;
  const bool rows = K->cones == 0;
  if (par->order != PERP_SWEEP_FORWARD && !(rows && par->order == PERP_SWEEP_COLOURED))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "nncg on device %s does not take order = %s; use order = forward (swept "
                         "by colours)",
                         perp_device_facts(run->options->device).name,
                         perp_sweep_orders[par->order]);
  perp_relaxer *relaxer = NULL;
  perp_error error = perp_coloured_create(run, x, &relaxer);
  if (!error)
    error = rows ? solve_rows_there(run, par->omega, relaxer)
                 : solve_cones_there(run, par->omega, relaxer);
  return error ? error : perp_coloured_failure(relaxer);
}

static perp_error solve(perp_run *run, const perp_problem *problem, const void *params, double *x)
{
  return perp_set_has_cones(&problem->K) ? solve_cones(run, problem, params, x)
                                         : solve_rows(run, problem, params, x);
}

const perp_method perp_method_nncg = {
    .name = "nncg",
    .title = "nonsmooth nonlinear conjugate gradients over Gauss-Seidel sweeps",
    .family = "splitting",
    .source = "silcowitz-hansen-niebe-erleben-2010",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_RELAX,
    .iteration =
        "a sweep by rows (cones: by contact) gives the step s; x <- P(x + s + beta p) with "
        "Fletcher-Reeves beta, restarted",
    .works = "symmetric positive (semi-)definite A with a positive diagonal; friction mostly",
    .max_iterations = 10000,
    PERP_SOLVES_WITH(nncg_parameters),
    .device = &(const perp_method_device){.solve = solve_device},
};
