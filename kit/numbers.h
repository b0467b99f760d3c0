/* numbers.h: medians, means and fits of what was measured */
#pragma once

double kit_median(int count, double *values);               /* sorts them; NaN if there are none */
double kit_geometric_mean(int count, const double *values); /* NaN if there are none */
/* p of y = c x^p through the points, by least squares of the logarithms; NaN with fewer than three
 * points, which any curve passes near, or with the same x in all. */
double kit_exponent(int count, const double *x, const double *y);
/* To sort numbers in ascending order by qsort. */
int kit_ascending(const void *a, const void *b);
