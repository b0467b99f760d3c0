/* clock.c: see clock.h */
#include "base/clock.h"

#include "base/system.h"

double perp_clock_seconds(void)
{
  return perp_system_seconds();
}
