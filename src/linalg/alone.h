/* alone.h: OpenBLAS on one thread, for a while
 *
 * It would take all the cores there are, also for a solve that was given one, and its sums would
 * depend on their number. Other BLAS libraries do not have the two functions. */
#ifndef PERP_LINALG_ALONE_H
#define PERP_LINALG_ALONE_H

__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) void openblas_set_num_threads(int threads);

/* What perp_alone_end is to be told. */
static inline int perp_alone_begin(void)
{
  const int before = openblas_get_num_threads ? openblas_get_num_threads() : 1;
  if (before > 1 && openblas_set_num_threads)
    openblas_set_num_threads(1);
  return before;
}

static inline void perp_alone_end(int before)
{
  if (before > 1 && openblas_set_num_threads)
    openblas_set_num_threads(before);
}

#endif
