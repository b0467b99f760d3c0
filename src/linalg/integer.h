/* integer.h: integers of any length, for exact arithmetic
 *
 * Every double is an integer times a power of two, its unit. Sums and products of doubles in common
 * units are therefore integers, without rounding, overflow or underflow. The caller knows the
 * largest number of bits of a result and provides room for them. */
#pragma once

#include "base/memory.h"
#include "verdict/twice.h"

#include <stdint.h>

/* sum limb[k] 2^(32 k), k < |size|, with the sign of `size`; the last limb is not 0. */
typedef struct perp_integer {
  int32_t size;
  uint32_t limb[];
} perp_integer;

/* An array of integers, with room for the same number of bits in each. */
typedef struct perp_integers {
  uint32_t *at; /* NULL: out of memory */
  size_t stride;
} perp_integers;

/* Creates `count` integers of value 0. */
perp_integers perp_integers_create(perp_arena *arena, size_t count, int64_t bits);

static inline perp_integer *perp_integer_at(perp_integers a, size_t k)
{
  return (perp_integer *)(void *)(a.at + k * a.stride);
}

static inline int perp_integer_sign(const perp_integer *a)
{
  return (a->size > 0) - (a->size < 0);
}

/* The largest e such that v is an integer times 2^e, and the smallest e with |v| < 2^e; v is finite
 * and not 0. */
int perp_unit(double v);
int perp_top(double v);

/* The units of many numbers: they are integers of at most `top - unit` bits times 2^unit. */
typedef struct perp_range {
  int unit, top;
} perp_range;
static const perp_range PERP_NO_RANGE = {INT32_MAX, INT32_MIN};
void perp_range_add(perp_range *range, double v);
/* Returns the bits of an integer in this range; 0 if all numbers were 0. */
int64_t perp_range_bits(perp_range range);

void perp_integer_set(perp_integer *r, double v, int unit); /* r <- v / 2^unit, an integer */
void perp_integer_copy(perp_integer *r, const perp_integer *a);
void perp_integer_shift(perp_integer *r, const perp_integer *a, int64_t bits); /* r <- a 2^bits */
/* r <- a + sign b; r may be a or b. */
void perp_integer_add(perp_integer *r, const perp_integer *a, int sign, const perp_integer *b);
/* r <- a b; r is neither. */
void perp_integer_multiply(perp_integer *r, const perp_integer *a, const perp_integer *b);
/* r <- a / b, which has no remainder; r is neither, and a is lost. */
void perp_integer_divide(perp_integer *r, perp_integer *a, const perp_integer *b);
int perp_integer_compare(const perp_integer *a, const perp_integer *b); /* the sign of a - b */
int64_t perp_integer_bits(const perp_integer *a);                       /* of |a| */
/* Powers of two that divide a; 0 for a = 0. */
int64_t perp_integer_twos(const perp_integer *a);
/* Returns the first 106 bits of a as a number in [1/2, 1) or 0, with its sign, each half cut off and not rounded; a is
 * about this times 2^perp_integer_bits(a), and exactly that if it has no more bits. */
perp_twice perp_integer_fraction(const perp_integer *a);
