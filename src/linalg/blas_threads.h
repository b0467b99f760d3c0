/* blas_threads.h: keeps OpenBLAS to one thread during a piece of work
 *
 * OpenBLAS would use all cores, even in a solve with one thread, and its sums would depend on the
 * number of cores. Other BLAS libraries do not have the functions and are not changed. A process
 * may hold two copies: the one that perp is linked with, and the system's libblas, which comes with
 * a library that perp loads. */
#pragma once

#include <stdbool.h>

typedef struct perp_blas_limit {
  int linked, loaded; /* previous threads of each copy; 0: no copy */
} perp_blas_limit;

/* `loaded`: the work calls the BLAS of a loaded library. */
perp_blas_limit perp_blas_one_thread(bool loaded);
void perp_blas_restore_threads(perp_blas_limit before);
