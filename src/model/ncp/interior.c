/* interior.c: an interior point method for monotone problems of any size
 *
 *   F(x) - z + w = 0,   (x - lo) z = mu,   (hi - x) w = mu,   z, w > 0,   lo < x < hi
 *
 * and mu falls to 0. Newton's step eliminates z and w:
 *
 *   (J + D) dx = -F + mu / (x - lo) - mu / (hi - x) - c,   D = z / (x - lo) + w / (hi - x)
 *
 * First with mu = 0; what this step would reach decides mu = (mu_reached / mu_now)^3 mu_now and the
 * second order terms c, and a second solve with the same factor gives the step (Mehrotra 1992;
 * Wright, Ralph 1996 for monotone F). Steps end at 0.995 of the way to a bound. For monotone F, 20 to 50
 * steps for any size; for others it may fail. The last steps are steps of `fischer`, which may start
 * at a bound.
 *
 * x - lo and hi - x are iterates of their own. Near a bound of 100 the difference of x and the bound
 * has one digit left when it is 1e-13, and z, which is mu divided by it, then has none. D has no limit:
 * dz comes from D dx, so a smaller D in the matrix would move z by z / (x - lo) dx, not by what the
 * first equation needs. A fixed variable has a D that holds it. */
#include "linalg/vector.h"
#include "model/ncp/run.h"
#include "set/set.h"

enum { MOST = 120 };

typedef struct interior {
  perp_ncp_run *run;
  double *x, *z, *w, *dx, *dz, *dw, *D;
  double *below, *above; /* x - lo and hi - x: their digits would be lost in x */
  double *tz, *tw;       /* the products that a step aims at */
  double mu;
} interior;

static bool is_fixed(const interior *p, int i)
{
  return p->run->lo[i] == p->run->hi[i];
}

static bool has_lo(const interior *p, int i)
{
  return p->run->lo[i] > -INFINITY && !is_fixed(p, i);
}

static bool has_hi(const interior *p, int i)
{
  return p->run->hi[i] < INFINITY && !is_fixed(p, i);
}

/* Returns the mean of the products after a step of length t. */
static double products(const interior *p, double t)
{
  const perp_ncp_run *run = p->run;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < run->n; i++) {
    if (has_lo(p, i))
      sum += (p->below[i] + t * p->dx[i]) * (p->z[i] + t * p->dz[i]);
    if (has_hi(p, i))
      sum += (p->above[i] - t * p->dx[i]) * (p->w[i] + t * p->dw[i]);
    count += has_lo(p, i) + has_hi(p, i);
  }
  return count ? sum / count : 0;
}

/* Moves the start into the interior, away from bounds by 1 or by a quarter of the interval. */
static void begin(interior *p)
{
  perp_ncp_run *run = p->run;
  for (int i = 0; i < run->n; i++) {
    const double lo = run->lo[i], hi = run->hi[i];
    const double size = fabs(run->x[i]) > 1 ? fabs(run->x[i]) : 1;
    const double away = 0.25 * (hi - lo) < 0.1 * size ? 0.25 * (hi - lo) : 0.1 * size;
    p->x[i] = perp_clamp(run->x[i], lo + away, hi - away);
    p->below[i] = p->x[i] - lo;
    p->above[i] = hi - p->x[i];
    p->dx[i] = p->dz[i] = p->dw[i] = p->z[i] = p->w[i] = 0;
  }
}

static void begin_multipliers(interior *p)
{
  const perp_ncp_run *run = p->run;
  for (int i = 0; i < run->n; i++) {
    const double f = run->F[i];
    if (has_lo(p, i))
      p->z[i] = f > 1 ? f : 1;
    if (has_hi(p, i))
      p->w[i] = f < -1 ? -f : 1;
  }
  p->mu = products(p, 0);
}

/* Solves for the step after which, to first order, the products are tz and tw. */
static bool find_step(interior *p)
{
  perp_ncp_run *run = p->run;
  for (int i = 0; i < run->n; i++) {
    run->d[i] = -run->F[i];
    if (has_lo(p, i))
      run->d[i] += p->tz[i] / p->below[i];
    if (has_hi(p, i))
      run->d[i] -= p->tw[i] / p->above[i];
  }
  if (!perp_ncp_solve_shifted(run, run->d) || !perp_all_finite(run->n, run->d))
    return false;
  for (int i = 0; i < run->n; i++) {
    const double d = run->d[i];
    p->dz[i] = has_lo(p, i) ? (p->tz[i] - p->z[i] * d) / p->below[i] - p->z[i] : 0;
    p->dw[i] = has_hi(p, i) ? (p->tw[i] + p->w[i] * d) / p->above[i] - p->w[i] : 0;
    p->dx[i] = d;
  }
  return true;
}

/* Returns the longest step, at most 1, that stays within `part` of the way to the bounds. */
static double longest(const interior *p, double part)
{
  const perp_ncp_run *run = p->run;
  double t = 1;
  for (int i = 0; i < run->n; i++) {
    const double room[4] = {p->below[i], p->above[i], p->z[i], p->w[i]};
    const double move[4] = {-p->dx[i], p->dx[i], -p->dz[i], -p->dw[i]};
    for (int k = is_fixed(p, i) ? 4 : 0; k < 4; k++)
      if (move[k] * t > part * room[k])
        t = part * room[k] / move[k];
  }
  return t;
}

/* Takes the step, shortened until F is defined. */
static bool take_step(interior *p, double t)
{
  perp_ncp_run *run = p->run;
  for (int tries = 0; tries < 30; tries++, t /= 2) {
    for (int i = 0; i < run->n; i++) {
      const double below = p->below[i] + t * p->dx[i], above = p->above[i] - t * p->dx[i];
      run->gradient[i] = !has_lo(p, i) && !has_hi(p, i) ? p->x[i] + t * p->dx[i]
                         : below < above                ? run->lo[i] + below
                                                        : run->hi[i] - above;
    }
    if (perp_ncp_move(run, run->gradient)) {
      perp_axpy(run->n, t, p->dx, p->below);
      perp_axpy(run->n, -t, p->dx, p->above);
      perp_copy(run->n, run->gradient, p->x);
      perp_axpy(run->n, t, p->dz, p->z);
      perp_axpy(run->n, t, p->dw, p->w);
      return true;
    }
    if (run->error)
      return false;
  }
  return false;
}

static bool step(interior *p)
{
  perp_ncp_run *run = p->run;
  if (!perp_ncp_differentiate(run))
    return false;
  for (int i = 0; i < run->n; i++)
    p->D[i] = is_fixed(p, i) ? 1e20
                             : (has_lo(p, i) ? p->z[i] / p->below[i] : 0) +
                                   (has_hi(p, i) ? p->w[i] / p->above[i] : 0);
  double delta = 0;
  while (!perp_ncp_factor_shifted(run, p->D)) { /* singular: a proximal term */
    const double more = delta > 0 ? 99 * delta : 1e-8;
    if (run->error || more > 1)
      return false;
    for (int i = 0; i < run->n; i++)
      p->D[i] += more;
    delta += more;
  }
  perp_fill(run->n, 0, p->tz);
  perp_fill(run->n, 0, p->tw);
  if (!find_step(p))
    return false;
  const double reached = products(p, longest(p, 1)) / p->mu;
  const double sigma = reached > 0 ? reached * reached * reached : 0;
  const double target = (sigma < 1 ? sigma : 1) * p->mu;
  for (int i = 0; i < run->n; i++) {
    p->tz[i] = target - p->dx[i] * p->dz[i];
    p->tw[i] = target + p->dx[i] * p->dw[i];
  }
  if (p->mu > 0 && !find_step(p))
    return false;
  if (!take_step(p, longest(p, 0.995)))
    return false;
  p->mu = products(p, 0);
  return true;
}

void perp_ncp_interior(perp_ncp_run *run)
{
  interior p = {.run = run};
  if (!perp_ncp_has_newton(run))
    return;
  if (!PERP_TAKE_REALS(&run->memory, (size_t)run->n, &p.x, &p.z, &p.w, &p.dx, &p.dz, &p.dw, &p.D,
                       &p.below, &p.above, &p.tz, &p.tw)) {
    run->error = perp_fail(&run->result->message, PERP_ERROR_MEMORY,
                           "out of memory for an interior point, n = %d", run->n);
    return;
  }
  begin(&p);
  bool going = perp_ncp_move(run, p.x);
  if (going)
    begin_multipliers(&p);
  double last = INFINITY;
  for (int k = 0, slow = 0; going && k < MOST && slow < 15 && perp_ncp_next(run); k++) {
    going = step(&p);
    slow = run->residual < 0.9 * last ? 0 : slow + 1;
    last = run->residual < last ? run->residual : last;
  }
  if (run->error || run->outcome != PERP_NOT_RUN)
    return;
  if (run->best_residual < INFINITY)
    perp_copy(run->n, run->best, p.x);
  if (perp_ncp_move(run, p.x))
    perp_ncp_semismooth(run, &perp_ncp_fischer);
}
