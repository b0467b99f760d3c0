/* profile.c: performance profiles
 *
 *   r_ps = t_ps / min_s t_ps,     rho_s(tau) = |{ p : r_ps <= tau }| / |{ p }|
 *
 * (Dolan and More 2002). Problems that nobody solves count for all: rho_s(infinity) is the share
 * that solver s solved, rho_s(1) the share on which it was first. */
#include "profile.h"

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

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int profile_ratios(int problems, int solvers, const double *times, int s, double *ratios)
{
  int count = 0;
  for (int p = 0; p < problems; p++)
    if (isfinite(times[p * solvers + s]))
      ratios[count++] = times[p * solvers + s] / profile_best(solvers, times, p);
  qsort(ratios, (size_t)count, sizeof *ratios, ascending);
  return count;
}

double profile_exponent(int count, const double *x, const double *y)
{
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (int k = 0; k < count; k++) {
    mean_x += log(x[k]) / count;
    mean_y += log(y[k]) / count;
  }
  for (int k = 0; k < count; k++) {
    xx += (log(x[k]) - mean_x) * (log(x[k]) - mean_x);
    xy += (log(x[k]) - mean_x) * (log(y[k]) - mean_y);
  }
  return xx > 1e-12 ? xy / xx : NAN;
}

double profile_geometric_mean(int count, const double *values)
{
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += log(values[k]);
  return count ? exp(sum / count) : NAN;
}
