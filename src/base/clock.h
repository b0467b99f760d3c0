/* clock.h: seconds on a clock that never goes back, and whether to stop */
#pragma once

#include "base/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PERP_SHARED double perp_clock_seconds(void);

/* For long loops of layers that know no run: all zero if nothing ever ends them. */
typedef struct perp_alarm {
  bool (*rings)(void *context);
  void *context;
} perp_alarm;

/* Called at every 128th step of a loop with short steps. */
static inline bool perp_alarm_rings_at(const perp_alarm *alarm, int64_t step)
{
  return step % 128 == 127 && alarm->rings && alarm->rings(alarm->context);
}
