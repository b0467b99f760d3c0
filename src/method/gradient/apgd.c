/* apgd.c: accelerated projected gradient descent
 *
 *   v  = x + beta (x - x_before),            beta = (t - 1) / t+,   t+ = (1 + sqrt(1 + 4 t^2)) / 2
 *   x+ = P( v - D^-1 (A v + b + s) / L )
 *
 * Nesterov's method (1983) in the metric D, for the convex problem of convex.h; cones and friction
 * bounds are treated by its outer fixed point. L is adapted: a step is repeated with a greater L
 * while
 *
 *   (x+ - v)^T A (x+ - v)  >  L |x+ - v|_D^2,
 *
 * and L shrinks a little after every step, so that it follows the local curvature (Beck, Teboulle
 * 2009; Mazhar, Heyn, Negrut, Tasora 2015). A is linear: A v comes from A x and A x_before, so one
 * iteration costs one product with A, and one more for every greater L. Momentum is dropped if it
 * points uphill, (v - x+)^T D (x+ - x) > 0 (O'Donoghue, Candes 2015): a heuristic that in practice
 * gives linear convergence without knowing the strong convexity.
 *
 * Contacts of rigid bodies run on devices (apgd_kernel.h), with the same convex problem.
 *
 * Energy error O(1/k^2) for symmetric positive semi-definite A. Workspace: 10 n. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/coloured_device.h"
#include "method/gradient/apgd_kernel.h"
#include "method/gradient/convex.h"

static const double LEAST = 1e-6;  /* relative to the first estimate: if A is flat, L stays above
                                   * 0 */
static const double SHRINK = 0.98; /* factor on L in a step */
static const double PATIENCE = 2;  /* of convex.h */

typedef struct {
  perp_convex convex;
  double *x, *y;             /* the iterate and A x + b */
  double *before, *y_before; /* the one before it */
  double *v, *y_v;           /* extrapolated */
  double L, t;
} state;

/* w, y_w <- the projected step from v; L grows until it bounds the curvature along the step. */
static void step(perp_run *run, state *a, double *w, double *y_w)
{
  const int n = a->convex.n;
  const double *D = a->convex.D, *s = a->convex.s;
  for (;;) {
    for (int i = 0; i < n; i++)
      w[i] = a->v[i] - (a->y_v[i] + s[i]) / (a->L * D[i]);
    perp_convex_project(&a->convex, w);
    perp_run_gradient(run, w, y_w);
    double sums[2] = {0, 0}; /* d^T A d and |d|_D^2, d = w - v */
    for (int i = 0; i < n; i++) {
      const double d = w[i] - a->v[i];
      sums[0] += d * (y_w[i] - a->y_v[i]);
      sums[1] += D[i] * d * d;
    }
    perp_run_sum(run, 2, sums);
    const double bend = sums[0], length = sums[1];
    if (!(bend > a->L * length) || !isfinite(bend) || perp_run_expired(run))
      return;
    a->L = perp_max(bend / length, 1.1 * a->L);
  }
}

/* Returns true if the step from x to w goes against the gradient map at v. */
static bool is_uphill(const perp_run *run, const state *a, const double *w)
{
  double product = 0;
  for (int i = 0; i < a->convex.n; i++)
    product += a->convex.D[i] * (a->v[i] - w[i]) * (w[i] - a->x[i]);
  perp_run_sum(run, 1, &product);
  return product > 0;
}

/* beta; t <- the next one */
static double momentum(double *t)
{
  const double next = 0.5 * (1 + sqrt(1 + 4 * *t * *t)), beta = (*t - 1) / next;
  *t = next;
  return beta;
}

static void extrapolate(state *a)
{
  const double beta = momentum(&a->t);
  for (int i = 0; i < a->convex.n; i++) {
    a->v[i] = a->x[i] + beta * (a->x[i] - a->before[i]);
    a->y_v[i] = a->y[i] + beta * (a->y[i] - a->y_before[i]);
  }
}

/* ---- On a device ---- */

enum { VECTORS = 6 };
static const perp_rooms rooms = {.count = 1}; /* the vectors and the numbers that the frame holds */

static void run_descent(int op, const void *task)
{
  const perp_descent *d = task;
  const perp_rigids *s = &d->rigids;
  double value[PERP_DESCENT_VALUES] = {0};
  for (int c = 0; c < s->contacts; c++)
    if (op == PERP_DESCENT_WEIGH)
      perp_descent_weigh(d, c, s->part_of_K, s->compliant, value);
    else
      perp_descent_step(d, c, s->part_of_K, op == PERP_DESCENT_AHEAD);
  for (int k = 0; op == PERP_DESCENT_WEIGH && k < PERP_DESCENT_VALUES * PERP_RIGIDS_PARTS; k++)
    s->part[k] = k % PERP_RIGIDS_PARTS == 0 ? value[k / PERP_RIGIDS_PARTS] : 0;
}

const perp_kernel perp_kernel_descent = {.title = "a step of apgd", .run = run_descent};

typedef struct device_state {
  perp_relaxer *relaxer;
  perp_rigids *rigids; /* of the relaxer */
  perp_descent descent;
  perp_convex convex; /* without its arrays, which are on the device */
  double value[PERP_DESCENT_VALUES];
  double t, L_first;
} device_state;

/* Estimates L on the CPU. */
static perp_error estimate(perp_run *run, device_state *a)
{
  double *D, *w, *z;
  if (!PERP_TAKE_REALS(run->arena, (size_t)run->problem->K.n, &D, &w, &z))
    return perp_run_no_memory(run);
  perp_metric(run->problem, D);
  a->L_first = a->descent.L = perp_largest_eigenvalue(run, D, 2, w, z);
  return PERP_OK;
}

/* Takes memory for the vectors, which all start as x. */
static perp_error take_vectors(perp_run *run, device_state *a)
{
  perp_error error = perp_coloured_rigids(a->relaxer, PERP_DESCENT_VALUES, &a->rigids);
  if (error)
    return error;
  perp_rigids *r = a->rigids;
  perp_descent *d = &a->descent;
  const size_t pitch = (size_t)r->pitch, vector = 3 * pitch;
  double *memory = perp_device_room(run->options->device, &rooms, 0,
                                    (VECTORS * vector + pitch) * sizeof *memory);
  if (!memory)
    return perp_run_no_memory(run);
  double **const to[VECTORS] = {&r->x, &r->before,   &r->direction,
                                &d->y, &d->y_before, &d->y_direction};
  for (int k = 0; k < VECTORS; k++)
    *to[k] = memory + (size_t)k * vector;
  d->held = memory + VECTORS * vector;
  for (int k = 0; k < 3 && !error; k++)
    error = perp_coloured_upload(a->relaxer, vector, *to[k]);
  return error ? error : perp_coloured_upload(a->relaxer, pitch, d->held);
}

static perp_error launch(device_state *a, perp_descent_op op)
{
  a->descent.rigids = *a->rigids;
  if (op != PERP_DESCENT_WEIGH)
    return perp_coloured_launch(a->relaxer, &perp_kernel_descent, (int)op, &a->descent, 0, 0, NULL);
  perp_rigids step = *a->rigids; /* the velocities of `before` */
  step.x = step.before;
  const perp_error error =
      perp_coloured_launch(a->relaxer, &perp_kernel_rigids, PERP_RIGIDS_RENEW, &step, 0, 0, NULL);
  return error ? error
               : perp_coloured_launch(a->relaxer, &perp_kernel_descent, (int)op, &a->descent,
                                      PERP_DESCENT_SUMS, PERP_DESCENT_VALUES - PERP_DESCENT_SUMS,
                                      a->value);
}

/* Returns the fraction by which the fixed part moves before the next step, as in
 * perp_convex_follow. */
static double share_to_move(device_state *a, bool first)
{
  if (!a->convex.moving)
    return 0;
  perp_convex_damp(&a->convex, a->value[PERP_DESCENT_RESIDUAL]);
  const bool time =
      a->value[PERP_DESCENT_WITHIN] <= a->convex.patience * a->value[PERP_DESCENT_LAG];
  return first || time ? a->convex.step : 0;
}

/* Takes the projected step of step() on the device. */
static perp_error step_there(perp_run *run, device_state *a)
{
  perp_descent *d = &a->descent;
  for (perp_descent_op op = PERP_DESCENT_AHEAD;; op = PERP_DESCENT_AGAIN) {
    perp_error error = launch(a, op);
    if (!error)
      error = launch(a, PERP_DESCENT_WEIGH);
    run->count.applies++;
    const double bend = a->value[PERP_DESCENT_BEND], length = a->value[PERP_DESCENT_LENGTH];
    if (error || !(bend > d->L * length) || !isfinite(bend) || perp_run_expired(run))
      return error;
    d->L = perp_max(bend / length, 1.1 * d->L);
  }
}

static perp_error iterate_there(perp_run *run, device_state *a, bool first)
{
  perp_descent *d = &a->descent;
  d->move = share_to_move(a, first);
  d->beta = momentum(&a->t);
  const perp_error error = step_there(run, a);
  if (a->value[PERP_DESCENT_UPHILL] > 0) {
    a->t = 1;
    run->count.restarts++;
  }
  perp_exchange_vectors(&a->rigids->x, &a->rigids->before);
  perp_exchange_vectors(&d->y, &d->y_before);
  d->L = perp_max(SHRINK * d->L, LEAST * a->L_first);
  return error;
}

/* Solves on a device, for contacts of rigid bodies: all vectors stay there, and each step returns
 * six numbers. */
static perp_error solve_device(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  device_state a = {.t = 1};
  a.convex = (perp_convex){.patience = PATIENCE, .step = 1, .best = INFINITY, .recent = INFINITY};
  if (p->K.cones > 0 && (3 * p->K.cones != p->K.n || p->K.cone))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "apgd on device %s takes only cones",
                         perp_device_facts(run->options->device).name);
  perp_error error = perp_coloured_create(run, x, &a.relaxer);
  if (!error)
    error = take_vectors(run, &a);
  if (error)
    return error;
  a.convex.moving = p->K.cones > 0 || a.rigids->part_of_K == PERP_RIGIDS_FRICTION;
  /* y of the start and of the previous iterate: all vectors are x */
  for (int k = 0; k < 2 && !error; k++) {
    error = launch(&a, PERP_DESCENT_WEIGH);
    perp_exchange_vectors(&a.descent.y, &a.descent.y_before);
  }
  for (bool first = true; !error; first = false) {
    if (!perp_run_next_iterate(run, perp_iterate_swept(a.relaxer, a.value[PERP_DESCENT_RESIDUAL])))
      break;
    if (first)
      error = estimate(run, &a);
    if (!error)
      error = iterate_there(run, &a, first);
  }
  return error ? error : perp_coloured_failure(a.relaxer);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const size_t n = (size_t)p->K.n;
  state a = {.t = 1};
  if (!PERP_TAKE_REALS(run->arena, n, &a.x, &a.y, &a.before, &a.y_before, &a.v, &a.y_v))
    return perp_run_no_memory(run);
  perp_copy(p->K.n, x, a.x);
  perp_run_gradient(run, a.x, a.y);
  perp_error error = perp_convex_create(run, a.x, a.y, PATIENCE, &a.convex);
  if (error)
    return error;
  double L_first = 1;
  for (bool first = true;; first = false) {
    perp_run_merit(run, perp_energy(p, a.x, a.y));
    if (!perp_run_next(run, a.x, a.y))
      break;
    if (first) {
      a.L = L_first = perp_largest_eigenvalue(run, a.convex.D, 2, a.before, a.v);
      perp_copy(p->K.n, a.x, a.before);
      perp_copy(p->K.n, a.y, a.y_before);
    }
    perp_convex_follow(&a.convex, a.x, a.y);
    extrapolate(&a);
    step(run, &a, a.before, a.y_before);
    if (is_uphill(run, &a, a.before)) {
      a.t = 1;
      run->count.restarts++;
    }
    perp_exchange_vectors(&a.x, &a.before);
    perp_exchange_vectors(&a.y, &a.y_before);
    a.L = perp_max(SHRINK * a.L, LEAST * L_first);
  }
  perp_copy(p->K.n, a.x, x);
  return PERP_OK;
}

const perp_method perp_method_apgd = {
    .name = "apgd",
    .title = "accelerated projected gradient with adaptive restart",
    .family = "gradient",
    .source = "mazhar-heyn-negrut-tasora-2015",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .iteration =
        "x <- P_K(z - t (A z + b)); z <- x + beta_k (x - x_old), restarted if the energy grows",
    .works = "symmetric positive (semi-)definite A",
    .max_iterations = 20000,
    PERP_SOLVES_WITHOUT_PARAMETERS,
    .device = &(const perp_method_device){.solve = solve_device},
};
