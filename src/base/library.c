/* library.c: functions of a shared library, loaded on first use */
#ifdef PERP_HAVE_DLFCN
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "base/library.h"

#include <stddef.h>
#include <string.h>

#ifdef PERP_HAVE_DLFCN

#include <dlfcn.h>
#include <link.h>

/* Weak: most static programs are linked without them. */
#pragma weak dlopen
#pragma weak dlsym

/* Notes if the program, which comes first, names a dynamic linker. */
static int find_linker(struct dl_phdr_info *program, size_t size, void *found)
{
  (void)size;
  for (int k = 0; k < program->dlpi_phnum; k++)
    if (program->dlpi_phdr[k].p_type == PT_INTERP)
      *(bool *)found = true;
  return 1; /* stops the iteration */
}

/* A static program must not load a library, even if it could: that would bring in a second C
 * library. */
static bool can_load(void)
{
  bool found = false;
  if (dlopen && dlsym)
    dl_iterate_phdr(find_linker, &found);
  return found;
}

static bool load(perp_library *library)
{
  void *handle = can_load() ? dlopen(library->file, RTLD_NOW | RTLD_LOCAL) : NULL;
  for (size_t k = 0; handle && library->names[k]; k++) {
    void *const address = dlsym(handle, library->names[k]);
    if (!address)
      return false; /* the library stays loaded: others may be using it */
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
  while (state == LOADING) /* another thread is loading it, which takes milliseconds */
    state = atomic_load_explicit(&library->state, memory_order_acquire);
  return state == PRESENT;
}
