/* threads.h: parallel loops; no other file starts threads for them
 *
 * A range is divided into pieces that depend only on the count and the grain, not on the number of
 * threads, so a body whose pieces are independent gives the same bits for every number of threads.
 */
#pragma once

#include <stdint.h>

#include "base/shared.h"

typedef void (*perp_range_body)(void *context, int64_t begin, int64_t end);

/* Calls body over the pieces [0, grain), [grain, 2 grain), ... of [0, count). With one thread, or
 * if there is only one piece, the body runs in the caller. */
PERP_SHARED void perp_parallel_for(int threads, int64_t count, int64_t grain, perp_range_body body,
                                   void *context);
