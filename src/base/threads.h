/* threads.h: the one place that knows how loops run in parallel
 *
 * Ranges are cut into pieces that depend on the count and the grain alone, never on the number
 * of threads, so a body whose pieces are independent gives the same bits for every number. */
#ifndef PERP_BASE_THREADS_H
#define PERP_BASE_THREADS_H

#include <stdint.h>

typedef void (*perp_range_body)(void *context, int64_t begin, int64_t end);

/* Calls body over the pieces [0, grain), [grain, 2 grain), ... of [0, count). With one thread,
 * or where there is one piece, the body runs in the caller. */
void perp_parallel_for(int threads, int64_t count, int64_t grain, perp_range_body body,
                       void *context);

#endif
