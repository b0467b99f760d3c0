/* elementary.cuh: functions whose last bits are those of the GPU: batches and sweeps promise the same
 * bits on the same machine alone */
#pragma once

#include <cmath>

TEAM double perp_team_hypot(double a, double b)
{
  return hypot(a, b);
}

TEAM double perp_team_pow(double a, double b)
{
  return pow(a, b);
}
