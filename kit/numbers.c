/* numbers.c: medians, means and fits */
#include "kit/numbers.h"

#include <math.h>
#include <stdlib.h>

int kit_ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double kit_median(int count, double *values)
{
  if (count == 0)
    return NAN;
  qsort(values, (size_t)count, sizeof *values, kit_ascending);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double kit_geometric_mean(int count, const double *values)
{
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += log(values[k]);
  return count ? exp(sum / count) : NAN;
}

double kit_exponent(int count, const double *x, const double *y)
{
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (int k = 0; k < count; k++) {
    mean_x += log(x[k]) / count;
    mean_y += log(y[k]) / count;
  }
  for (int k = 0; k < count; k++) {
    xx += (log(x[k]) - mean_x) * (log(x[k]) - mean_x);
    xy += (log(x[k]) - mean_x) * (log(y[k]) - mean_y);
  }
  return count > 2 && xx > 1e-12 ? xy / xx : NAN;
}
