/* message.h: writing the one line that says what was wrong */
#ifndef PERP_BASE_MESSAGE_H
#define PERP_BASE_MESSAGE_H

#include "base/shared.h"

#include <perp/base.h>

/* Formats into `why` (NULL is fine) and returns `error`, so that a failing check reads
 *   return perp_fail(why, PERP_ERROR_PROBLEM, "b[%d] = %g is not finite", i, b[i]); */
PERP_SHARED __attribute__((format(printf, 3, 4))) perp_error
perp_fail(perp_message *why, perp_error error, const char *format, ...);

#endif
