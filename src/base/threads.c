/* threads.c: parallel loops with OpenMP, or sequential ones */
#include "base/threads.h"

void perp_parallel_for(int threads, int64_t count, int64_t grain, perp_range_body body,
                       void *context)
{
  if (threads <= 1 || count <= grain) {
    if (count > 0)
      body(context, 0, count);
    return;
  }
  const int64_t pieces = (count + grain - 1) / grain;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
  for (int64_t piece = 0; piece < pieces; piece++) {
    const int64_t begin = piece * grain;
    const int64_t end = begin + grain < count ? begin + grain : count;
    body(context, begin, end);
  }
}
