/* relaxation.h: adaptive relaxation of sweeps, for the CPU and for worlds on devices
 *
 * Tuning, for rows: psor.c derives omega from rho of the sweeps. Damping, for cones: bgs.c. */
#pragma once

#include "device/values.h"

#include <math.h>

enum { PERP_TUNING_SHORTEST = 8, PERP_TUNING_LONGEST = 50 }; /* sweeps of a period */
enum { PERP_DAMPING_PERIOD = 50, PERP_DAMPING_FIRST = 10 };  /* sweeps; the first one is shorter */

typedef struct perp_tuning {
  double omega;
  double most;        /* upper bound of omega, lowered when a step grew */
  double first;       /* length of the first step of this period */
  int period, sweeps; /* its length, and the sweeps done */
} perp_tuning;

TEAM perp_tuning perp_tuning_begin(double omega)
{
  const perp_tuning t = {omega, 1.98, 0, PERP_TUNING_SHORTEST, 0};
  return t;
}

/* Returns true if the length of the next step is needed. The first sweep of a period still carries
 * the old omega: steps are measured from the second on. */
TEAM bool perp_tuning_measures(const perp_tuning *t)
{
  return t->sweeps == 1 || t->sweeps == t->period - 1;
}

/* Sets omega for the next period, from the steps of the last. */
TEAM void perp_tuning_adapt(perp_tuning *t, double last)
{
  const double ratio = last / t->first;
  if (!(ratio < 1)) {
    t->most = 1 + 0.8 * (t->omega - 1);
    t->omega = 1 + (t->omega - 1) / 2;
    return;
  }
  const double rho = perp_team_pow(ratio, 1.0 / (t->period - 2));
  if (!(rho > t->omega - 1) || rho == 0)
    return; /* at or beyond its optimum */
  /* mu^2 = (rho + omega - 1)^2 / (rho omega^2) */
  const double sum = rho + t->omega - 1, mu2 = sum * sum / (rho * t->omega * t->omega);
  const double best = 2 / (1 + sqrt(1 - (mu2 < 1 - 1e-9 ? mu2 : 1 - 1e-9)));
  const double raised = best > t->omega ? best : t->omega;
  t->omega = raised < t->most ? raised : t->most;
}

/* Call after a sweep; step: its length if needed. */
TEAM void perp_tuning_sweep(perp_tuning *t, double step)
{
  const bool first = t->sweeps == 1, last = t->sweeps == t->period - 1;
  t->sweeps++;
  if (first)
    t->first = step;
  if (!last)
    return;
  perp_tuning_adapt(t, step);
  t->sweeps = 0;
  t->period = t->period * 3 / 2 < PERP_TUNING_LONGEST ? t->period * 3 / 2 : PERP_TUNING_LONGEST;
}

typedef struct perp_damping {
  double omega;
  double first; /* length of the first step of this period */
  double path;  /* length of all steps so far */
  double most;  /* upper bound of omega */
  bool relaxed; /* the first period is over */
  int sweeps;
} perp_damping;

TEAM perp_damping perp_damping_begin(double omega)
{
  const perp_damping d = {omega, 0, 0, 1.4, false, PERP_DAMPING_PERIOD - PERP_DAMPING_FIRST};
  return d;
}

/* Call after a step of that length. Returns true if the period is over. */
TEAM bool perp_damping_step(perp_damping *d, double step)
{
  if (d->path == 0)
    d->first = step;
  d->path += step;
  return ++d->sweeps >= PERP_DAMPING_PERIOD;
}

/* Adapts omega after a period whose last step is `step` and in which x moved by `distance`. */
TEAM void perp_damping_adapt(perp_damping *d, double distance, double step)
{
  if (distance < 0.5 * d->path && step > 0.5 * d->first) {
    d->most = 0.85 * d->omega;
    d->omega = perp_value_greater(0.7 * d->omega, 0.05);
  } else if (distance > 0.7 * d->path) {
    d->most = 1.02 * d->most < 1.4 ? 1.02 * d->most : 1.4;
    d->omega = 1.1 * d->omega < d->most ? 1.1 * d->omega : d->most;
  }
  if (!d->relaxed)
    d->omega = 1.3;
  d->relaxed = true;
  d->path = 0;
  d->sweeps = 0;
}
