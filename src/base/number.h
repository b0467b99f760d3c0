/* number.h: real numbers as text, whatever the locale */
#pragma once

enum {
  PERP_NUMBER_ROOM = 32
}; /* bytes that perp_number_print may write, its closing NUL included */

/* The number that starts at `at`, correctly rounded: decimal digits with an optional point and
 * exponent (e, E, or d, D as Fortran writes it), inf, infinity or nan in any case. Returns the
 * first byte behind it, or NULL if no number starts there. Bytes from `end` on are not read. */
const char *perp_number_parse(const char *at, const char *end, double *value);

/* The shortest of 15, 16 and 17 digits that reads back as exactly `value`, whole numbers without
 * a point. Returns the length. */
int perp_number_print(double value, char text[PERP_NUMBER_ROOM]);
