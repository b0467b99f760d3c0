/* library.h: functions of a shared library that is loaded on first use
 *
 * A program that never needs the library starts without it, and runs on machines that do not have
 * it. A statically linked program has no loader and so finds no library. */
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

/* Returns true if the library and all its functions are available. The first call loads it; it
 * stays loaded. Thread-safe. */
bool perp_library_load(perp_library *library);
