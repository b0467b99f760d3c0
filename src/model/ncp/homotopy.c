/* homotopy.c: from F(x) + tau (x - x0) with a large tau to F
 *
 * The solution for tau = infinity is P(x0). tau falls, and the semismooth Newton method follows, for
 *
 *   phi(x_i - lo_i, s_i (F_i + tau (x_i - x0_i))) = 0,   s_i = 1 / (tau + max_j |J_ij|).
 *
 * The scale s changes no solution, and it brings both arguments of phi to one size: without it, and
 * with a J of 1000, Newton steps are cut to ever shorter ones, since phi then has a corner near every
 * x. F + tau (x - x0) is strongly monotone with the modulus tau if F is monotone, so that
 *
 *   |phi| <= tau / (tau + max |J|) / 100
 *
 * bounds the distance to x(tau), whatever tau is: x is then a point of the path. If that takes a few
 * steps, tau falls faster. If many do not suffice, x goes back to the last point, and tau falls by
 * less. The last tau is 0. For monotone F every solution of the path exists, is unique, and leads to
 * the solution nearest to x0, and phi has no other stationary points on the way (Tikhonov;
 * Facchinei, Kanzow 1999); for others the path may end at a fold: then
 * tau is 0 at once. */
#include "linalg/vector.h"
#include "model/ncp/run.h"

enum { MOST_STEPS = 12, QUICK = 3, SLOW = 8, MOST_RETURNS = 4 };

typedef struct path {
  double *scale, *point; /* point: the last one on the path */
  double slope;          /* the largest of J */
} path;

/* scale_i = 1 / (tau + the largest of row i of J): x and scale F are of one size */
static void weigh(perp_ncp_run *run, path *p, double tau)
{
  p->slope = 0;
  for (int i = 0; i < run->n; i++) {
    const int64_t first = run->p.start ? run->p.start[i] : (int64_t)i * run->n;
    const int64_t end = run->p.start ? run->p.start[i + 1] : first + run->n;
    double most = 0;
    for (int64_t e = first; e < end; e++)
      most = fabs(run->J[e]) > most ? fabs(run->J[e]) : most;
    p->scale[i] = tau + most > 0 ? 1 / (tau + most) : 1;
    p->slope = most > p->slope ? most : p->slope;
  }
}

/* Steps to the point tau of the path; MOST_STEPS + 1 if it was not reached, -1 at the end. */
static int follow(perp_ncp_run *run, path *p, double tau)
{
  const perp_ncp_map map = {.tau = tau, .x0 = run->start, .phi = {1, 0}, .scale = p->scale};
  if (!perp_ncp_differentiate(run))
    return -1;
  weigh(run, p, tau);
  run->merits_known = 0;
  const double near = 0.01 * tau / (tau + p->slope);
  for (int steps = 0; steps <= MOST_STEPS; steps++) {
    if (perp_ncp_merit(run, &map, run->x, run->F) <= near * near)
      return steps;
    if (!perp_ncp_next(run))
      return -1;
    if (!perp_ncp_step(run, &map))
      break;
  }
  return MOST_STEPS + 1;
}

void perp_ncp_homotopy(perp_ncp_run *run)
{
  path p;
  if (!perp_ncp_next(run) || !perp_ncp_differentiate(run))
    return;
  if (!PERP_TAKE_REALS(&run->memory, (size_t)run->n, &p.scale, &p.point)) {
    run->error = perp_fail(&run->result->message, PERP_ERROR_MEMORY,
                           "out of memory for a point of the path, n = %d", run->n);
    return;
  }
  weigh(run, &p, 0);
  double tau = p.slope > 1e-8 ? p.slope : 1, last = 0, factor = 0.2;
  const double end = 1e-9 * tau;
  int returns = 0;
  while (tau > end) {
    const int steps = follow(run, &p, tau);
    if (steps < 0)
      return;
    if (steps <= MOST_STEPS) {
      factor = steps <= QUICK ? factor * 0.5 : steps >= SLOW ? sqrt(factor) : factor;
      factor = factor < 1e-3 ? 1e-3 : factor > 0.7 ? 0.7 : factor;
      last = tau;
      perp_copy(run->n, run->x, p.point);
    } else if (last == 0 || returns++ == MOST_RETURNS) {
      break;
    } else {
      factor = sqrt(factor);
      if (!perp_ncp_move(run, p.point)) { /* F was defined there, and is not any more */
        perp_ncp_end(run, PERP_STAGNATED);
        return;
      }
    }
    tau = last * factor;
  }
  if (perp_ncp_differentiate(run)) {
    weigh(run, &p, 0);
    perp_ncp_semismooth(run, &(perp_ncp_map){.phi = {1, 0}, .scale = p.scale});
  }
}
