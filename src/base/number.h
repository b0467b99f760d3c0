/* number.h: real numbers as text, independent of the locale */
#pragma once

enum { PERP_NUMBER_ROOM = 32 }; /* most bytes that perp_number_print writes, including the NUL */

/* Parses the number at `at`, correctly rounded: decimal digits with an optional point and exponent
 * (e, E, or d, D as in Fortran), inf, infinity or nan in any case. Returns the first byte after it,
 * or NULL if no number starts there. Does not read bytes from `end` on. */
const char *perp_number_parse(const char *at, const char *end, double *value);

/* Prints the shortest of 15, 16 and 17 digits that reads back as exactly `value`, whole numbers
 * without a point. Returns the length. */
int perp_number_print(double value, char text[PERP_NUMBER_ROOM]);
