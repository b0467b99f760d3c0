/* library.h: functions of a shared library that is loaded when it is first needed
 *
 * A program that never needs it starts without it, and runs on a machine that does not have it.
 * A program that is linked statically has no loader, so it finds no library. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

typedef void (*perp_function)(void);

typedef struct perp_library {
  const char *file;         /* "libcholmod.so.3" */
  const char *const *names; /* of its functions; ends with NULL */
  perp_function *functions; /* their addresses, in the same order */
  atomic_int state;         /* 0 at first */
} perp_library;

/* Whether the library and all its functions are there. The first call loads it; it stays. Threads
 * may call at the same time. */
bool perp_library_load(perp_library *library);
