/* library.c: see library.h */
#include "base/library.h"

#include <stddef.h>
#include <string.h>

#ifdef PERP_HAVE_DLFCN

#include <dlfcn.h>

/* Weak: a static program is linked without them. */
#pragma weak dlopen
#pragma weak dlsym

static bool load(perp_library *library)
{
  void *handle = dlopen && dlsym ? dlopen(library->file, RTLD_NOW | RTLD_LOCAL) : NULL;
  for (size_t k = 0; handle && library->names[k]; k++) {
    void *const address = dlsym(handle, library->names[k]);
    if (!address)
      return false; /* the library stays loaded: it may be in use by others */
    memcpy(&library->functions[k], &address, sizeof address);
  }
  return handle;
}

#else

static bool load(perp_library *library)
{
  (void)library;
  return false;
}

#endif

enum { UNKNOWN, LOADING, PRESENT, ABSENT };

bool perp_library_load(perp_library *library)
{
  int state = atomic_load_explicit(&library->state, memory_order_acquire);
  if (state == UNKNOWN && atomic_compare_exchange_strong(&library->state, &state, LOADING)) {
    state = load(library) ? PRESENT : ABSENT;
    atomic_store_explicit(&library->state, state, memory_order_release);
  }
  while (state == LOADING) /* another thread is loading it, for some milliseconds */
    state = atomic_load_explicit(&library->state, memory_order_acquire);
  return state == PRESENT;
}
