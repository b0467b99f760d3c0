/* profile.c: performance profiles
 *
 *   r_ps = t_ps / min_s t_ps,     rho_s(tau) = |{ p : r_ps <= tau }| / |{ p }|
 *
 * (Dolan and More 2002). Problems that nobody solves count for all: rho_s(infinity) is the share
 * that solver s solved, rho_s(1) the share on which it was first. */
#include "profile.h"

#include "kit/numbers.h"

#include <math.h>
#include <stdlib.h>

double profile_best(int solvers, const double *times, int p)
{
  double best = INFINITY;
  for (int s = 0; s < solvers; s++)
    best = fmin(best, times[p * solvers + s]);
  return best;
}

double profile_at(int problems, int solvers, const double *times, int s, double tau)
{
  int within = 0;
  for (int p = 0; p < problems; p++) {
    const double time = times[p * solvers + s];
    within += isfinite(time) && time <= tau * profile_best(solvers, times, p);
  }
  return problems ? (double)within / problems : 0;
}

int profile_ratios(int problems, int solvers, const double *times, int s, double *ratios)
{
  int count = 0;
  for (int p = 0; p < problems; p++)
    if (isfinite(times[p * solvers + s]))
      ratios[count++] = times[p * solvers + s] / profile_best(solvers, times, p);
  qsort(ratios, (size_t)count, sizeof *ratios, kit_ascending);
  return count;
}
