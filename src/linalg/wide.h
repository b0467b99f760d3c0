/* wide.h: functions compiled for CPUs with more than the baseline of x86-64
 *
 * Most have vectors of four numbers and fused multiply-add, tested at run time. A function marked
 * PERP_WIDE may be called only if perp_is_wide(); it fuses nothing and gives the bits of the
 * unmarked function. PERP_FUSED needs perp_is_fused(), and PERP_EIGHT, with vectors of eight
 * numbers, perp_is_eight(); these two give the same bits, and a portable build has neither. On
 * other machines only PERP_FUSED is defined, without effect. Such a function calls only kernels. */
#pragma once

#include "base/kernel.h"

#include <stdbool.h>

/* Compilers for Windows do not align the stack for such vectors. */
#if defined __x86_64__ && defined __GNUC__ && !defined __AVX2__ && !defined _WIN32
#define PERP_WIDE __attribute__((target("avx2")))

static inline bool perp_is_wide(void)
{
  return __builtin_cpu_supports("avx2");
}
#endif

#if defined __x86_64__ && defined __GNUC__ && !defined FP_FAST_FMA && !defined PERP_PORTABLE
#define PERP_FUSED __attribute__((target("avx,fma")))

static inline bool perp_is_fused(void)
{
  return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx");
}

#ifndef _WIN32
#define PERP_EIGHT __attribute__((target("avx512f,fma")))

static inline bool perp_is_eight(void)
{
  return __builtin_cpu_supports("avx512f");
}
#endif
#else
#define PERP_FUSED

/* True if every function may fuse; a portable build never does. */
static inline bool perp_is_fused(void)
{
#if defined FP_FAST_FMA && !defined PERP_PORTABLE
  return true;
#else
  return false;
#endif
}
#endif

/* The kernel as the body of a parallel loop, and FUSED(name) the version for this CPU. */
#define FUSED_BODY(name, kernel)                                                                   \
  static void name(void *context, int64_t begin, int64_t end)                                      \
  {                                                                                                \
    kernel(context, begin, end);                                                                   \
  }                                                                                                \
  PERP_FUSED static void name##_fused(void *context, int64_t begin, int64_t end)                   \
  {                                                                                                \
    kernel(context, begin, end);                                                                   \
  }
#define FUSED(name) (perp_is_fused() ? name##_fused : name)
