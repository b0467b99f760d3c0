/* blas_threads.c: keeps OpenBLAS to one thread during a piece of work */
#include "linalg/blas_threads.h"

#include "base/library.h"

#include <stddef.h>

int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);
#pragma weak openblas_get_num_threads
#pragma weak openblas_set_num_threads

static struct {
  int (*get)(void);
  void (*set)(int threads);
} blas;
static const char *const names[] = {"openblas_get_num_threads", "openblas_set_num_threads", NULL};
static perp_library library = {"libblas.so.3", names, (perp_function *)&blas, 0};

perp_blas_limit perp_blas_one_thread(bool loaded)
{
  perp_blas_limit before = {0};
  if (openblas_get_num_threads && openblas_set_num_threads)
    before.linked = openblas_get_num_threads();
  if (loaded && perp_library_load(&library))
    before.loaded = blas.get();
  if (before.linked > 1)
    openblas_set_num_threads(1);
  if (before.loaded > 1)
    blas.set(1);
  return before;
}

void perp_blas_restore_threads(perp_blas_limit before)
{
  if (before.linked > 1)
    openblas_set_num_threads(before.linked);
  if (before.loaded > 1)
    blas.set(before.loaded);
}
