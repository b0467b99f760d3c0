/* integer.c: integers of any length, by schoolbook arithmetic
 *
 * Division is exact and proceeds from the last limb to the first (Jebelean 1993): the last limb of
 * the quotient follows from the last limbs of the two numbers, by the inverse of an odd limb modulo
 * 2^32. */
#include "linalg/integer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

perp_integers perp_integers_create(perp_arena *arena, size_t count, int64_t bits)
{
  perp_integers a = {NULL, (size_t)(bits > 0 ? bits : 0) / 32 + 3};
  a.at = perp_arena_alloc_zero(arena, count, a.stride * sizeof *a.at);
  return a;
}

/* |v| = m 2^e, m below 2^53 */
static uint64_t decompose(double v, int *e)
{
  const double fraction = frexp(fabs(v), e);
  *e -= 53;
  return (uint64_t)ldexp(fraction, 53);
}

int perp_unit(double v)
{
  int e;
  uint64_t m = decompose(v, &e);
  for (; m % 2 == 0; m /= 2)
    e++;
  return e;
}

int perp_top(double v)
{
  int e;
  frexp(v, &e);
  return e;
}

void perp_range_add(perp_range *range, double v)
{
  if (v == 0)
    return;
  const int unit = perp_unit(v), top = perp_top(v);
  range->unit = unit < range->unit ? unit : range->unit;
  range->top = top > range->top ? top : range->top;
}

int64_t perp_range_bits(perp_range range)
{
  return range.top < range.unit ? 0 : (int64_t)range.top - range.unit;
}

static int length(const perp_integer *a)
{
  return abs(a->size);
}

/* Removes leading zeros; `sign` is the sign of the number. */
static void finish(perp_integer *r, int size, int sign)
{
  while (size > 0 && r->limb[size - 1] == 0)
    size--;
  r->size = sign < 0 ? -size : size;
}

void perp_integer_copy(perp_integer *r, const perp_integer *a)
{
  memmove(r, a, sizeof *a + (size_t)length(a) * sizeof *a->limb);
}

void perp_integer_shift(perp_integer *r, const perp_integer *a, int64_t bits)
{
  const int n = length(a), limbs = (int)(bits / 32), rest = (int)(bits % 32), sign = a->size;
  if (n == 0) {
    r->size = 0;
    return;
  }
  r->limb[n + limbs] = 0;
  for (int k = n - 1; k >= 0; k--) {
    const uint64_t moved = (uint64_t)a->limb[k] << rest;
    r->limb[k + limbs + 1] |= (uint32_t)(moved >> 32);
    r->limb[k + limbs] = (uint32_t)moved;
  }
  memset(r->limb, 0, (size_t)limbs * sizeof *r->limb);
  finish(r, n + limbs + 1, sign);
}

void perp_integer_set(perp_integer *r, double v, int unit)
{
  if (v == 0) {
    r->size = 0;
    return;
  }
  int e;
  uint64_t m = decompose(v, &e);
  for (; e < unit; e++) {
    assert(m % 2 == 0);
    m /= 2;
  }
  r->limb[0] = (uint32_t)m;
  r->limb[1] = (uint32_t)(m >> 32);
  finish(r, 2, v < 0 ? -1 : 1);
  if (e > unit)
    perp_integer_shift(r, r, e - unit);
}

static int compare_sizes(const perp_integer *a, const perp_integer *b)
{
  if (length(a) != length(b))
    return length(a) > length(b) ? 1 : -1;
  for (int k = length(a) - 1; k >= 0; k--)
    if (a->limb[k] != b->limb[k])
      return a->limb[k] > b->limb[k] ? 1 : -1;
  return 0;
}

int perp_integer_compare(const perp_integer *a, const perp_integer *b)
{
  const int s = perp_integer_sign(a), t = perp_integer_sign(b);
  return s != t ? (s > t ? 1 : -1) : s * compare_sizes(a, b);
}

/* r <- |a| + |b|, |a| the longer */
static void add_sizes(perp_integer *r, const perp_integer *a, const perp_integer *b, int sign)
{
  const int n = length(a), m = length(b);
  uint64_t carry = 0;
  for (int k = 0; k < n; k++) {
    carry += (uint64_t)a->limb[k] + (k < m ? b->limb[k] : 0);
    r->limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry)
    r->limb[n] = (uint32_t)carry;
  finish(r, n + (carry != 0), sign);
}

/* r <- |a| - |b|, |a| the larger */
static void subtract_sizes(perp_integer *r, const perp_integer *a, const perp_integer *b, int sign)
{
  const int n = length(a), m = length(b);
  int64_t borrow = 0;
  for (int k = 0; k < n; k++) {
    borrow += (int64_t)a->limb[k] - (k < m ? b->limb[k] : 0);
    r->limb[k] = (uint32_t)borrow;
    borrow = borrow < 0 ? -1 : 0;
  }
  finish(r, n, sign);
}

void perp_integer_add(perp_integer *r, const perp_integer *a, int sign, const perp_integer *b)
{
  const int s = perp_integer_sign(a), t = sign < 0 ? -perp_integer_sign(b) : perp_integer_sign(b);
  if (t == 0) {
    if (r != a)
      perp_integer_copy(r, a);
    return;
  }
  const int order = compare_sizes(a, b);
  if (s == 0 || s == t) {
    if (length(a) >= length(b))
      add_sizes(r, a, b, t);
    else
      add_sizes(r, b, a, t);
  } else if (order >= 0) {
    subtract_sizes(r, a, b, s);
  } else {
    subtract_sizes(r, b, a, t);
  }
}

void perp_integer_multiply(perp_integer *r, const perp_integer *a, const perp_integer *b)
{
  const int n = length(a), m = length(b);
  if (n == 0 || m == 0) {
    r->size = 0;
    return;
  }
  memset(r->limb, 0, (size_t)(n + m) * sizeof *r->limb);
  for (int i = 0; i < n; i++) {
    uint64_t carry = 0;
    for (int k = 0; k < m; k++) {
      carry += (uint64_t)a->limb[i] * b->limb[k] + r->limb[i + k];
      r->limb[i + k] = (uint32_t)carry;
      carry >>= 32;
    }
    r->limb[i + m] = (uint32_t)carry;
  }
  finish(r, n + m, (a->size < 0) == (b->size < 0) ? 1 : -1);
}

/* a <- |a| / 2^bits, which has no remainder */
static void shift_down(perp_integer *a, int bits)
{
  const int n = length(a), sign = a->size;
  for (int k = 0; k < n && bits > 0; k++) {
    const uint64_t both = a->limb[k] | (uint64_t)(k + 1 < n ? a->limb[k + 1] : 0) << 32;
    a->limb[k] = (uint32_t)(both >> bits);
  }
  finish(a, n, sign);
}

int64_t perp_integer_twos(const perp_integer *a)
{
  int64_t twos = 0;
  if (a->size == 0)
    return 0;
  while (a->limb[twos / 32] == 0)
    twos += 32;
  while (!(a->limb[twos / 32] >> twos % 32 & 1))
    twos++;
  return twos;
}

/* Returns limb k of b / 2^bits. */
static uint32_t limb_below(const perp_integer *b, int k, int bits)
{
  const int m = length(b);
  const uint64_t both = b->limb[k] | (uint64_t)(k + 1 < m ? b->limb[k + 1] : 0) << 32;
  return (uint32_t)(both >> bits);
}

void perp_integer_divide(perp_integer *r, perp_integer *a, const perp_integer *b)
{
  assert(b->size != 0);
  const int zeros = (int)perp_integer_twos(b), limbs = zeros / 32, bits = zeros % 32;
  const int sign = (a->size < 0) == (b->size < 0) ? 1 : -1;
  const int n = length(a) - limbs, m = length(b) - limbs;
  if (n <= 0) { /* a is 0 */
    r->size = 0;
    return;
  }
  memmove(a->limb, a->limb + limbs, (size_t)n * sizeof *a->limb);
  a->size = n;
  shift_down(a, bits);
  for (int k = length(a); k < n; k++)
    a->limb[k] = 0;
  const uint32_t odd = limb_below(b, limbs, bits);
  uint32_t inverse = odd; /* inverse of odd to 3 bits; each Newton step doubles them */
  for (int k = 0; k < 4; k++)
    inverse *= 2 - odd * inverse;
  const int quotient = n - m + 1 > 0 ? n - m + 1 : 0;
  for (int i = 0; i < quotient; i++) {
    const uint32_t q = a->limb[i] * inverse;
    uint64_t carry = 0;
    r->limb[i] = q;
    for (int k = 0; k < m && i + k < quotient; k++) { /* later limbs are not needed */
      carry += (uint64_t)q * limb_below(b, limbs + k, bits);
      const uint32_t low = (uint32_t)carry, was = a->limb[i + k];
      carry = (carry >> 32) + (was < low);
      a->limb[i + k] = was - low;
    }
    for (int k = i + m; carry && k < quotient; k++) {
      const uint32_t low = (uint32_t)carry, was = a->limb[k];
      carry = (carry >> 32) + (was < low);
      a->limb[k] = was - low;
    }
  }
  finish(r, quotient, sign);
}

int64_t perp_integer_bits(const perp_integer *a)
{
  const int n = length(a);
  int64_t bits = 32 * (int64_t)n;
  for (uint32_t mask = 1u << 31; n > 0 && !(a->limb[n - 1] & mask); mask /= 2)
    bits--;
  return bits;
}

perp_twice perp_integer_fraction(const perp_integer *a)
{
  uint64_t half[2] = {0};
  const int64_t bits = perp_integer_bits(a);
  for (int k = 0; k < 106; k++) {
    const int64_t at = bits - 1 - k;
    half[k / 53] = half[k / 53] << 1 | (at >= 0 ? a->limb[at / 32] >> at % 32 & 1 : 0);
  }
  const double sign = a->size < 0 ? -1 : 1;
  return (perp_twice){sign * ldexp((double)half[0], -53), sign * ldexp((double)half[1], -106)};
}
