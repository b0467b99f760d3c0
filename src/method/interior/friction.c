/* interior/friction.c: the interior point method on problems with a friction index
 *
 * With slacks s = x - lo r and t = hi r - x, where r_i = 1 in a row with bounds of its own and
 * r_i = x_j in a row that follows the normal j, and multipliers w, v > 0,
 *
 *   A x + b - w + v = 0,    s_i w_i = mu,    t_i v_i = mu,          mu -> 0
 *
 * which for mu = 0 is Coulomb's law by index itself, bounds at the true normals: y = A x + b is no
 * gradient of anything, and a normal does not feel what follows it. Newton's method for the step,
 * with ds = dx - lo dr and dt = hi dr - dx, and dw and dv eliminated as in ipm.c:
 *
 *   (A + diag(d)) dx + e o dx_j = -y + (sigma mu - e_s)/s - (sigma mu - e_t)/t,
 *   d = w/s + v/t,    e = -(lo w/s + hi v/t)
 *
 * (linear.h). Redundant contacts do no harm: rows inside their bounds have a small d, not none.
 *
 * The map is not monotone, and the path of solutions over mu may turn back: below some mu there is
 * none near it. There Newton's steps grow beyond all bounds in the contacts that must change from
 * sticking to sliding or let go, and nowhere else. Those contacts alone are given a shift,
 *
 *   d_i <- d_i + shift_i,
 *
 * with the right side as it is, that is an implicit Euler step of x' = -(A x + b - w + v) in their
 * rows (pseudo-transient continuation, Kelley and Keyes 1998): they move on to another branch of
 * solutions while the rest follows at equilibrium. A shift rises if a contact's slacks or
 * multipliers would more than vanish in the step, and falls if they change little, to nothing in
 * the end: Newton's method again. While there are shifts mu falls slowly, and not at all while
 * A x + b - w + v is large for it.
 *
 * Mostly 30 to 100 iterations if mu <= 0.5 and some hundreds of bodies; nothing is promised.
 * Cost: a factor and two solves in an iteration. Workspace: 20 n and the systems'. */
#include "method/interior/friction.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/gather.h"
#include "method/system/linear.h"
#include "set/set.h"

typedef struct state {
  perp_run *run;
  int n;
  double *x, *y;   /* y = A x + b */
  double *lo, *hi; /* in a row that follows: factors of its normal */
  int *normal;     /* n, -1: none */
  bool *in;        /* n: rows that are not fixed */
  double *s, *t;   /* slacks */
  double *w, *v;   /* their multipliers; 0 if there is no bound */
  double *dx, *ds, *dt, *dw, *dv;
  double *es, *et; /* second-order terms */
  double *d, *e, *right;
  double *scratch; /* 2 n, for the start */
  double *unit;    /* n: A_ii of the contact's normal */
  double *shift;   /* n, in these units: the same in all rows of a contact */
  double
      *change; /* n: by normal, the greatest fall in the step of a slack or multiplier, over it */
  int shifted; /* contacts with a shift */
  int pairs;   /* of slacks and multipliers */
  double x_size, y_size;
  double least; /* shift of all rows, in their units */
  perp_linear_system *system;
} state;

static bool bounded_below(const state *s, int i)
{
  return s->in[i] && s->lo[i] > -INFINITY;
}

static bool bounded_above(const state *s, int i)
{
  return s->in[i] && s->hi[i] < INFINITY;
}

/* ---- The start ---- */

static perp_error check(perp_run *run)
{
  const perp_set *K = &run->problem->K;
  for (int i = 0; i < K->n; i++) {
    if (!perp_set_is_friction(K, i))
      continue;
    const int j = K->findex[i];
    const double lo = perp_set_lo(K, i);
    if (!(perp_set_lo(K, j) >= 0))
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "ipm needs normals that stay above 0, but row %d follows row %d with "
                           "lo[%d] = %g",
                           i, j, j, perp_set_lo(K, j));
    if (lo == perp_set_hi(K, i) && lo != 0)
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "ipm needs friction bounds that differ, but row %d has lo = hi = %g", i,
                           lo);
  }
  return PERP_OK;
}

static perp_error create(state *s, perp_run *run, double *x)
{
  const perp_set *K = &run->problem->K;
  const size_t n = (size_t)K->n;
  *s = (state){.run = run, .n = K->n, .x = x};
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->normal, n), PERP_ARRAY(s->in, n),
                 PERP_ARRAY(s->scratch, 2 * n)) ||
      !PERP_TAKE_ZERO_REALS(run->arena, n, &s->y, &s->lo, &s->hi, &s->s, &s->t, &s->w, &s->v,
                            &s->dx, &s->ds, &s->dt, &s->dw, &s->dv, &s->es, &s->et, &s->d, &s->e,
                            &s->right, &s->unit, &s->shift, &s->change))
    return perp_run_no_memory(run);
  perp_set_all_bounds(K, s->lo, s->hi);
  for (int i = 0; i < s->n; i++) {
    s->normal[i] = perp_set_is_friction(K, i) ? K->findex[i] : -1;
    /* bounds that follow a normal fixed at 0 are 0 */
    const int j = s->normal[i];
    const bool still = j >= 0 && perp_set_lo(K, j) == 0 && perp_set_hi(K, j) == 0 &&
                       isfinite(s->lo[i]) && isfinite(s->hi[i]);
    s->in[i] = s->lo[i] < s->hi[i] && !still;
  }
  return PERP_OK;
}

/* x_i inside lo r .. hi r, at least `room` from both or in the middle */
static double inner(double x, double lo, double hi, double room)
{
  const double half = 0.5 * (hi - lo);
  return isfinite(half) && half <= room ? lo + half : perp_min(perp_max(x, lo + room), hi - room);
}

static void find_units(state *s)
{
  const double add_up = 10; /* impulses do, towards the ground */
  double largest = 0;
  if (perp_operator_diagonal(s->run->problem->A, s->right, NULL) == PERP_OK)
    largest = perp_norm_inf(s->n, s->right);
  else
    perp_fill(s->n, 0, s->right);
  if (!(largest > 0))
    largest = 1;
  s->y_size = s->run->scale;
  s->x_size = add_up * s->run->scale / largest;
  for (int i = 0; i < s->n; i++) {
    const double own = s->right[s->normal[i] >= 0 ? s->normal[i] : i];
    s->unit[i] = own > 0 ? own : largest;
  }
}

/* Slacks and multipliers at least as large as the start is wrong: all of their size from x = 0,
 * little from a good x. */
static void start(state *s)
{
  find_units(s);
  const double residual = perp_start_choose(s->run, s->x, s->y, s->scratch);
  const double share = sqrt(perp_min(residual / s->run->scale, 1)); /* of the product of two */
  const double x_room = share * s->x_size, y_room = share * s->y_size;
  for (int i = 0; i < s->n; i++)
    if (s->in[i] && s->normal[i] < 0)
      s->x[i] = inner(s->x[i], s->lo[i], s->hi[i], x_room);
  for (int i = 0; i < s->n; i++) {
    const double r = s->normal[i] >= 0 ? s->x[s->normal[i]] : 1;
    if (s->in[i] && s->normal[i] >= 0) {
      const bool both = bounded_below(s, i) && bounded_above(s, i);
      const double half = 0.5 * (s->hi[i] - s->lo[i]) * r;
      s->x[i] = inner(s->x[i], s->lo[i] * r, s->hi[i] * r, both ? share * half : x_room);
    }
    s->s[i] = bounded_below(s, i) ? s->x[i] - s->lo[i] * r : INFINITY;
    s->t[i] = bounded_above(s, i) ? s->hi[i] * r - s->x[i] : INFINITY;
  }
  perp_run_gradient(s->run, s->x, s->y);
  for (int i = 0; i < s->n; i++) {
    /* y = w - v, both at least y_room */
    s->w[i] = bounded_below(s, i) ? perp_max(s->y[i], 0) + y_room : 0;
    s->v[i] = bounded_above(s, i) ? perp_max(-s->y[i], 0) + y_room : 0;
    s->pairs += bounded_below(s, i) + bounded_above(s, i);
  }
}

/* ---- The step ---- */

/* The mean of s w and t v after a step of that length. */
static double duality_gap_after(const state *s, double step)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    if (bounded_below(s, i))
      sum += (s->s[i] + step * s->ds[i]) * (s->w[i] + step * s->dw[i]);
    if (bounded_above(s, i))
      sum += (s->t[i] + step * s->dt[i]) * (s->v[i] + step * s->dv[i]);
  }
  return s->pairs ? sum / s->pairs : 0;
}

/* max |A x + b - w + v| */
static double imbalance(const state *s)
{
  double most = 0;
  for (int i = 0; i < s->n; i++)
    if (s->in[i])
      most = perp_max(most, fabs(s->y[i] - s->w[i] + s->v[i]));
  return most;
}

static bool factor(state *s)
{
  const double most_least = 1e-3;
  for (s->least = 1e-10; s->least <= most_least; s->least *= 100) {
    for (int i = 0; i < s->n; i++) {
      const double below = bounded_below(s, i) ? s->w[i] / s->s[i] : 0;
      const double above = bounded_above(s, i) ? s->v[i] / s->t[i] : 0;
      const double more = s->unit[i] * (s->least + s->shift[i]);
      s->d[i] = s->in[i] ? below + above + more : INFINITY;
      s->e[i] = 0;
      if (s->normal[i] >= 0) {
        s->e[i] -= bounded_below(s, i) ? s->lo[i] * below : 0;
        s->e[i] -= bounded_above(s, i) ? s->hi[i] * above : 0;
      }
    }
    if (perp_linear_set_tied(s->system, s->d, s->e))
      return true;
    if (perp_linear_too_long(s->system))
      return false;
  }
  return false;
}

/* The step to s w = t v = target, with so much of the second-order terms; false if there is none.
 * The predictor, without them, is taken as the factor gives it. */
static bool find_step(state *s, double target, double share)
{
  for (int i = 0; i < s->n; i++) {
    double r = s->in[i] ? -s->y[i] : 0;
    if (bounded_below(s, i))
      r += (target - share * s->es[i]) / s->s[i];
    if (bounded_above(s, i))
      r -= (target - share * s->et[i]) / s->t[i];
    s->right[i] = r;
  }
  if (!perp_linear_refine(s->system, s->right, 1e-10, share > 0 ? 3 : 0, s->dx))
    return false;
  for (int i = 0; i < s->n; i++) {
    const double dr = s->normal[i] >= 0 ? s->dx[s->normal[i]] : 0;
    if (bounded_below(s, i)) {
      s->ds[i] = s->dx[i] - s->lo[i] * dr;
      s->dw[i] = (target - share * s->es[i] - s->w[i] * s->ds[i]) / s->s[i] - s->w[i];
    }
    if (bounded_above(s, i)) {
      s->dt[i] = s->hi[i] * dr - s->dx[i];
      s->dv[i] = (target - share * s->et[i] - s->v[i] * s->dt[i]) / s->t[i] - s->v[i];
    }
  }
  return perp_all_finite(s->n, s->dw) && perp_all_finite(s->n, s->dv);
}

/* Fills `change`; returns the greatest of them. */
static double measure_change(state *s)
{
  double most = 0;
  perp_fill(s->n, 0, s->change);
  for (int i = 0; i < s->n; i++) {
    double own = 0;
    if (bounded_below(s, i))
      own = perp_max(-s->ds[i] / s->s[i], -s->dw[i] / s->w[i]);
    if (bounded_above(s, i))
      own = perp_max(own, perp_max(-s->dt[i] / s->t[i], -s->dv[i] / s->v[i]));
    double *contact = &s->change[s->normal[i] >= 0 ? s->normal[i] : i];
    *contact = perp_max(*contact, own);
    most = perp_max(most, own);
  }
  return most;
}

static double reach(double change, double tau)
{
  return change > tau ? tau / change : 1;
}

static void move(state *s, double step)
{
  for (int i = 0; i < s->n; i++) {
    s->x[i] += step * s->dx[i];
    if (bounded_below(s, i)) {
      s->s[i] += step * s->ds[i];
      s->w[i] += step * s->dw[i];
    }
    if (bounded_above(s, i)) {
      s->t[i] += step * s->dt[i];
      s->v[i] += step * s->dv[i];
    }
  }
  perp_run_gradient(s->run, s->x, s->y);
}

/* If a step was short, the contacts that made it so are shifted; shifts fall if they may. */
static void adapt_shifts(state *s, double step)
{
  const double is_short = 0.2, large = 2, small = 0.5;
  const double first = 1e-3, rise = 4, most = 10, last = 1e-4;
  s->shifted = 0;
  for (int i = 0; i < s->n; i++) {
    if (s->normal[i] >= 0)
      continue;
    double *shift = &s->shift[i];
    if (s->change[i] > large && (step < is_short || *shift > 0))
      *shift = perp_min(perp_max(rise * *shift, first), most);
    else if (s->change[i] < small)
      *shift = *shift / rise >= last ? *shift / rise : 0;
    s->shifted += *shift > 0;
  }
  for (int i = 0; i < s->n; i++)
    if (s->normal[i] >= 0)
      s->shift[i] = s->shift[s->normal[i]];
}

/* ---- The iteration ---- */

/* Predictor and corrector, the step taken and the shifts of the next; false if there is none. */
static bool advance(state *s, double mu)
{
  const double tau = 0.9, slowly = 0.7, least_sigma = 1e-3, balanced = 0.1;
  if (!find_step(s, 0, 0))
    return false;
  const double full = reach(measure_change(s), tau);
  const double ratio = mu > 0 ? perp_max(duality_gap_after(s, full), 0) / mu : 0;
  double sigma = perp_min(perp_max(ratio * ratio * ratio, least_sigma), 1);
  if (s->shifted > 0) {
    const bool calm = imbalance(s) <= balanced * sqrt(mu * s->y_size / s->x_size);
    sigma = calm ? perp_max(sigma, slowly) : 1;
  }
  for (int i = 0; i < s->n; i++) {
    s->es[i] = s->ds[i] * s->dw[i];
    s->et[i] = s->dt[i] * s->dv[i];
  }
  /* a predictor that does not reach far says little of the second order */
  if (!find_step(s, sigma * mu, full * full))
    return false;
  const double near = perp_max(tau, 1 - mu / (s->x_size * s->y_size));
  const double step = reach(measure_change(s), full > tau - 1e-9 ? near : tau);
  move(s, step);
  adapt_shifts(s, step);
  return true;
}

static void iterate(state *s)
{
  perp_run *run = s->run;
  for (;;) {
    const double mu = duality_gap_after(s, 0);
    perp_run_merit(run, mu);
    if (!perp_run_next(run, s->x, s->y))
      return;
    if (factor(s) && advance(s, mu))
      continue;
    if (!perp_linear_too_long(s->system)) {
      perp_run_claim(run, PERP_STAGNATED);
      perp_run_say(run, "ipm: the linear system has no solution to working accuracy");
    }
    return;
  }
}

perp_error perp_interior_friction(perp_run *run, double *x)
{
  state s;
  perp_error error = check(run);
  if (error || (error = create(&s, run, x)))
    return error;
  perp_run_gradient(run, x, s.y);
  if (!perp_run_next(run, x, s.y))
    return PERP_OK;
  start(&s);
  error = perp_linear_open(run, &(perp_linear_plan){.normal = s.normal}, &s.system);
  if (!error && !perp_run_expired(run))
    iterate(&s);
  perp_linear_close(s.system);
  return error;
}
