/* clock.h: seconds on a monotonic clock, and a condition for stopping */
#pragma once

#include "base/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PERP_SHARED double perp_clock_seconds(void);

/* Stop condition for long loops in layers below the driver; all zero: never stops. */
typedef struct perp_alarm {
  bool (*rings)(void *context);
  void *context;
} perp_alarm;

/* Checks at every 128th step of a loop with short steps. */
static inline bool perp_alarm_rings_at(const perp_alarm *alarm, int64_t step)
{
  return step % 128 == 127 && alarm->rings && alarm->rings(alarm->context);
}
