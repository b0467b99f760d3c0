/* blas_threads.h: keeps OpenBLAS to one thread during a piece of work
 *
 * It would use all cores, even in a solve that was given one thread, and its sums would depend on
 * the number of cores. Other BLAS libraries do not have the functions and are left as they are. A
 * process may hold two copies: the one that perp is linked with, and the libblas of the system,
 * which comes with a library that perp loads. */
#pragma once

#include <stdbool.h>

typedef struct perp_alone {
  int linked, loaded; /* threads before, of each copy; 0: there is none */
} perp_alone;

/* `loaded`: the work calls the BLAS of a loaded library. */
perp_alone perp_alone_begin(bool loaded);
void perp_alone_end(perp_alone before);
