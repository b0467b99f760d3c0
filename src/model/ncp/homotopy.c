/* homotopy.c: from F(x) + tau (x - x0) with a large tau to F
 *
 * The solution for tau = infinity is P(x0). tau falls, and the semismooth Newton method for
 * phi(x - lo, F + tau (x - x0)) = 0 follows. If a few steps suffice, tau falls faster, else it falls by
 * less; the last tau is 0. For monotone F every solution of the path exists, is unique, and leads to the
 * solution nearest to x0, and phi has no other stationary points on the way (Tikhonov; Facchinei, Kanzow
 * 1999); for others the path may end at a fold. */
#include "linalg/vector.h"
#include "model/ncp/run.h"

void perp_ncp_homotopy(perp_ncp_run *run)
{
  double tau = 0, factor = 0.2;
  if (!perp_ncp_next(run) || !perp_ncp_differentiate(run))
    return;
  for (int i = 0; i < run->n; i++)
    tau = fabs(run->F[i]) > tau ? fabs(run->F[i]) : tau;
  tau = tau < 1 ? 1 : tau > 1e4 ? 1e4 : tau;
  while (tau > 1e-9) {
    const perp_ncp_map map = {.tau = tau, .x0 = run->start, .phi = {1, 0}};
    int steps = 0;
    while (steps < 12 && perp_ncp_merit(run, &map, run->x, run->F) > 1e-4 * tau * tau) {
      if (!perp_ncp_next(run))
        return;
      if (!perp_ncp_step(run, &map))
        break;
      steps++;
    }
    run->merits_known = 0;
    factor = steps <= 3 ? factor * 0.5 : steps >= 8 ? sqrt(factor) : factor;
    factor = factor < 1e-3 ? 1e-3 : factor > 0.7 ? 0.7 : factor;
    tau *= factor;
  }
  perp_ncp_semismooth(run, &perp_ncp_fischer);
}
