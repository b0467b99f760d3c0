/* kernel.h: inner loops written once and compiled for several forms
 *
 * A kernel is one function for all forms, selected by its last arguments. Its callers pass
 * constants for them, so that the compiler makes a separate loop for each form. */
#pragma once

#include <stdint.h>

#define KERNEL __attribute__((always_inline)) static inline

/* The kernel for one form as the body of a parallel loop (threads.h). */
#define KERNEL_BODY(name, kernel, ...)                                                             \
  static void name(void *context, int64_t begin, int64_t end)                                      \
  {                                                                                                \
    kernel(context, begin, end, __VA_ARGS__);                                                      \
  }
