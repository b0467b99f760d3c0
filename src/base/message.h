/* message.h: formats the one-line error message */
#pragma once

#include "base/shared.h"

#include <perp/base.h>

/* Makes the compiler check the arguments of a format: `text` and `first` are the positions of the
 * format and of its first argument. On Windows this also selects the printf of C17 instead of the
 * older library's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define PERP_CHECK_FORMAT(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define PERP_CHECK_FORMAT(text, first) __attribute__((format(printf, text, first)))
#endif

/* Formats into `why` (NULL is fine) and returns `error`, so that a failing check reads
 *   return perp_fail(why, PERP_ERROR_PROBLEM, "b[%d] = %g is not finite", i, b[i]); */
PERP_SHARED PERP_CHECK_FORMAT(3, 4) perp_error
    perp_fail(perp_message *why, perp_error error, const char *format, ...);
