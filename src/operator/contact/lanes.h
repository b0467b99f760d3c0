/* lanes.h: vectors of two numbers for the contact kernels */
#pragma once

#include "linalg/wide.h"
#include "operator/contact/packets.h"

typedef double pair __attribute__((vector_size(16), may_alias));
typedef long long bits __attribute__((vector_size(16)));
/* A vector in space, or the velocities of a planar body, for both lanes. */
typedef struct vec {
  pair x, y, z;
} vec;

/* Number k of a packet, for both lanes. */
KERNEL pair number(const double *packet, int k)
{
  return *(const pair *)(packet + 2 * k);
}

KERNEL pair low(pair u, pair v)
{
  return (pair){u[0], v[0]};
}

KERNEL pair high(pair u, pair v)
{
  return (pair){u[1], v[1]};
}

KERNEL pair select(bits mask, pair yes, pair no)
{
  return (pair)((mask & (bits)yes) | (~mask & (bits)no));
}

KERNEL pair absolute(pair t)
{
  return (pair)((bits)t & (bits){INT64_MAX, INT64_MAX});
}

/* The comparisons of row_update.h without branches: which rows of a pile are at a bound is
 * unpredictable, and a mispredicted branch costs more than the rest of the row. */
KERNEL pair not_below(pair t, pair lower)
{
  return select(t < lower, lower, t);
}

KERNEL pair not_above(pair t, pair upper)
{
  return select(t > upper, upper, t);
}

/* Loads the velocities of two blocks of `width`. */
KERNEL void load_blocks(int width, const double *a, const double *b, pair *u)
{
  for (int k = 0; k < width / 2; k++) {
    u[k] = ((const pair *)a)[k];
    u[width / 2 + k] = ((const pair *)b)[k];
  }
}

/* Stores the first block last: the second may be the same block, with nothing added. */
KERNEL void store_blocks(int width, const pair *u, double *a, double *b)
{
  for (int k = 0; k < width / 2; k++)
    ((pair *)b)[k] = u[width / 2 + k];
  for (int k = 0; k < width / 2; k++)
    ((pair *)a)[k] = u[k];
}

/* Stores y of packet p, row by row, as numbers of A's rows. */
static inline void store_values(const perp_packed_pass *s, int64_t p, const pair *y)
{
  for (int l = 0; l < PERP_PACKET_LANES; l++) {
    const perp_contact_group *g = perp_packed_group(s->r, p * PERP_PACKET_LANES + l);
    for (int t = 0; g && t < g->count; t++)
      s->y[g->row + t] = y[t][l];
  }
}

/* Compiles the kernel for one form as the body of a parallel loop, and again for CPUs with
 * three-operand instructions (wide.h): the same bits with a fifth fewer instructions, which were
 * moves. */
#ifdef PERP_WIDE
#define SWEEP_BODY(name, kernel, ...)                                                              \
  KERNEL_BODY(name, kernel, __VA_ARGS__)                                                           \
  PERP_WIDE KERNEL_BODY(name##_wide, kernel, __VA_ARGS__)
#define BOTH(name)                                                                                 \
  {                                                                                                \
    name, name##_wide                                                                              \
  }
#else
#define SWEEP_BODY(name, kernel, ...) KERNEL_BODY(name, kernel, __VA_ARGS__)
#define BOTH(name)                                                                                 \
  {                                                                                                \
    name, name                                                                                     \
  }
#endif

/* Returns true if the wide version of BOTH is used. */
static inline bool takes_wide(void)
{
#ifdef PERP_WIDE
  return perp_is_wide();
#else
  return false;
#endif
}
