/* number.c: converts decimal text to double and back
 *
 * A decimal is w 10^e with an integer w. Three ways, each correctly rounded:
 *
 *   w < 2^53, |e| <= 22      w and 10^|e| are doubles, so one product or quotient rounds once
 *                            (Clinger 1990);
 *   w < 2^64, |e| <= 27      5^27 < 2^63: w 5^e is an exact 128-bit product, w / 5^-e a 128-bit
 *                            quotient of more than 64 bits with the remainder as sticky bit;
 *   all others               strtod on the digits without their point, so that the decimal point
 *                            of the locale has no effect. */
#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
  DIGITS_KEPT = 19,     /* 10^19 < 2^64 */
  DIGITS_DECIDING = 800 /* a double and the midpoint above it have at most 768 digits */
};

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Returns true if the text at `at` starts with `word` (lower case), in any case. */
static bool starts_with(const char *at, const char *end, const char *word)
{
  for (; *word; word++, at++)
    if (at == end || (*at | 0x20) != *word)
      return false;
  return true;
}

static const char *parse_word(const char *at, const char *end, double *value)
{
  static const char *const words[] = {"infinity", "inf", "nan"};
  for (int k = 0; k < 3; k++)
    if (starts_with(at, end, words[k])) {
      *value = k < 2 ? INFINITY : NAN;
      return at + strlen(words[k]);
    }
  return NULL;
}

/* w 10^e for |e| <= 27 and w > 0. */
static double scale_exactly(uint64_t w, int e)
{
  uint64_t five = 1; /* 5^|e| */
  for (int k = e < 0 ? -e : e; k > 0; k--)
    five *= 5;
  if (e >= 0)
    return ldexp((double)((wide)w * five), e);

  int shift = 0;
  for (; !(w >> 63); shift++)
    w <<= 1;
  const wide dividend = (wide)w << 64;
  wide quotient = dividend / five;
  quotient |= quotient * five != dividend;
  return ldexp((double)quotient, e - shift - 64);
}

/* Returns the digits in [at, end), perhaps with a point, times 10^exponent. */
static double scale_by_strtod(const char *at, const char *end, int64_t exponent)
{
  char text[DIGITS_DECIDING + 32];
  int length = 0;
  bool point = false, more = false;
  for (; at < end; at++) {
    if (*at == '.') {
      point = true;
      continue;
    }
    exponent -= point;
    if (length == 0 && *at == '0')
      continue;
    if (length < DIGITS_DECIDING) {
      text[length++] = *at;
    } else {
      more |= *at != '0';
      exponent++;
    }
  }
  /* the digits cut off only decide a tie, and any nonzero digit does that */
  if (more) {
    text[length++] = '1';
    exponent--;
  }
  if (exponent > 99999)
    exponent = 99999;
  if (exponent < -99999)
    exponent = -99999;
  snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)exponent);
  return strtod(text, NULL);
}

/* Parses [+-] digits after e, d, E or D; returns NULL if they are missing. */
static const char *parse_exponent(const char *at, const char *end, int64_t *exponent)
{
  bool negative = false;
  if (at < end && (*at == '+' || *at == '-'))
    negative = *at++ == '-';
  if (at == end || !is_digit(*at))
    return NULL;
  int64_t e = 0;
  for (; at < end && is_digit(*at); at++)
    if (e < INT64_MAX / 100)
      e = 10 * e + (*at - '0');
  *exponent = negative ? -e : e;
  return at;
}

const char *perp_number_parse(const char *at, const char *end, double *value)
{
  static const double ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  bool negative = false;
  if (at < end && (*at == '+' || *at == '-'))
    negative = *at++ == '-';

  const char *first = at;
  uint64_t w = 0;
  int64_t e = 0; /* the number is w 10^e if no digit was cut off */
  int kept = 0, digits = 0;
  bool point = false, cut = false;
  for (; at < end; at++) {
    if (is_digit(*at)) {
      digits = 1;
      if (kept < DIGITS_KEPT) {
        w = 10 * w + (uint64_t)(*at - '0');
        kept += w != 0;
        e -= point;
      } else {
        cut |= *at != '0';
        e += !point;
      }
    } else if (*at == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  const char *last = at;
  if (!digits) {
    if (!point)
      at = parse_word(first, end, value);
    if (point || !at)
      return NULL;
    *value = negative ? -*value : *value;
    return at;
  }

  int64_t exponent = 0;
  if (at < end && ((*at | 0x20) == 'e' || (*at | 0x20) == 'd')) {
    at = parse_exponent(at + 1, end, &exponent);
    if (!at)
      return NULL;
  }
  e += exponent;

  double magnitude;
  if (w == 0 && !cut)
    magnitude = 0;
  else if (!cut && w <= (uint64_t)1 << 53 && e >= -22 && e <= 22)
    magnitude = e < 0 ? (double)w / ten[-e] : (double)w * ten[e];
  else if (!cut && e >= -27 && e <= 27)
    magnitude = scale_exactly(w, (int)e);
  else
    magnitude = scale_by_strtod(first, last, exponent);
  *value = negative ? -magnitude : magnitude;
  return at;
}

/* Writes 0.d1 d2 ... dp * 10^point, without trailing zeros. */
static int lay_out(bool negative, const char *digits, int p, int point, char *text)
{
  char *out = text;
  while (p > 1 && digits[p - 1] == '0')
    p--;
  if (negative)
    *out++ = '-';
  if (point > 0 && point <= 17) { /* 123.45, 1234500 */
    for (int i = 0; i < p || i < point; i++) {
      if (i == point)
        *out++ = '.';
      *out++ = i < p ? digits[i] : '0';
    }
  } else if (point > -4 && point <= 0) { /* 0.00012345 */
    *out++ = '0';
    *out++ = '.';
    for (int i = point; i < 0; i++)
      *out++ = '0';
    memcpy(out, digits, (size_t)p);
    out += p;
  } else { /* 1.2345e-07 */
    *out++ = digits[0];
    if (p > 1)
      *out++ = '.';
    memcpy(out, digits + 1, (size_t)(p - 1));
    out += p - 1;
    out += snprintf(out, 8, "e%+03d", point - 1);
  }
  *out = 0;
  return (int)(out - text);
}

/* Copies the first p digits, plus one in the last place if `up`; returns 1 if that carried into a
 * new leading digit. */
static int cut_digits(const char *digits, int p, bool up, char *fewer)
{
  memcpy(fewer, digits, (size_t)p);
  if (!up)
    return 0;
  for (int i = p - 1; i >= 0; i--) {
    if (fewer[i] != '9') {
      fewer[i]++;
      return 0;
    }
    fewer[i] = '0';
  }
  fewer[0] = '1'; /* 99..9 became 100..0 */
  return 1;
}

int perp_number_print(double value, char text[PERP_NUMBER_ROOM])
{
  const bool negative = signbit(value);
  const double magnitude = fabs(value);
  if (isnan(value))
    return snprintf(text, PERP_NUMBER_ROOM, "nan");
  if (isinf(value))
    return snprintf(text, PERP_NUMBER_ROOM, negative ? "-inf" : "inf");
  if (magnitude < 1e15 && magnitude == floor(magnitude))
    return snprintf(text, PERP_NUMBER_ROOM, "%s%lld", negative ? "-" : "", (long long)magnitude);

  /* seventeen digits always suffice; the locale's decimal point after the first may be any bytes */
  char printed[64], digits[17], fewer[17];
  snprintf(printed, sizeof printed, "%.16e", magnitude);
  const char *at = printed;
  for (int i = 0; i < 17; at++)
    if (is_digit(*at))
      digits[i++] = *at;
  const int point = 1 + (int)strtol(at + 1, NULL, 10);

  /* the 5 that is cut off may itself have been rounded up, so both neighbours are tried */
  for (int p = 15; p < 17; p++)
    for (int up = digits[p] >= '5'; up >= (digits[p] > '5'); up--) {
      const int carry = cut_digits(digits, p, up, fewer);
      const int length = lay_out(negative, fewer, p, point + carry, text);
      double back;
      if (perp_number_parse(text, text + length, &back) && back == value)
        return length;
    }
  return lay_out(negative, digits, 17, point, text);
}
