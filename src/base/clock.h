/* clock.h: seconds on a clock that never goes back */
#ifndef PERP_BASE_CLOCK_H
#define PERP_BASE_CLOCK_H

double perp_clock_seconds(void);

#endif
