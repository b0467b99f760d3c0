/* vector.c: the longer kernels of vector.h */
#include "linalg/vector.h"

#include <float.h>

/* Comparisons drop NaN, so a sum of x_i - x_i runs along with the maximum: zero while all is
 * finite, then NaN. */
static inline double greatest(int64_t n, const double *x, const double *y)
{
  double most[PERP_LANES] = {0}, zero[PERP_LANES] = {0};
  for (int64_t i = 0; i < n; i += PERP_LANES) {
    const int lanes = n - i < PERP_LANES ? (int)(n - i) : PERP_LANES;
    for (int k = 0; k < lanes; k++) {
      const double v = fabs(y ? x[i + k] - y[i + k] : x[i + k]);
      most[k] = v > most[k] ? v : most[k];
      zero[k] += v - v;
    }
  }
  if (!(perp_lanes_sum(zero) == 0))
    return INFINITY;
  double all = 0;
  for (int k = 0; k < PERP_LANES; k++)
    all = most[k] > all ? most[k] : all;
  return all;
}

double perp_norm_inf(int64_t n, const double *x)
{
  return greatest(n, x, NULL);
}

double perp_distance_inf(int64_t n, const double *x, const double *y)
{
  return greatest(n, x, y);
}

double perp_norm2(int64_t n, const double *x)
{
  const double square = perp_dot(n, x, x);
  /* well inside the range: no term overflowed, and terms lost to underflow are negligible */
  if (square > DBL_MIN / DBL_EPSILON / DBL_EPSILON && square < DBL_MAX)
    return sqrt(square);

  const double most = perp_norm_inf(n, x);
  if (most == 0 || !(most < INFINITY))
    return most;
  int exponent;
  frexp(most, &exponent);
  double s = 0;
  for (int64_t i = 0; i < n; i++) {
    const double v = ldexp(x[i], -exponent);
    s += v * v;
  }
  return ldexp(sqrt(s), exponent);
}

bool perp_all_zero(int64_t n, const double *x)
{
  int64_t i = 0;
  while (i < n && x[i] == 0)
    i++;
  return i == n;
}

/* x_i - x_i is 0 for every finite number, NaN for all others. */
bool perp_all_finite(int64_t n, const double *x)
{
  double zero[PERP_LANES] = {0};
  int64_t i = 0;
  for (; i + PERP_LANES <= n; i += PERP_LANES)
    for (int k = 0; k < PERP_LANES; k++)
      zero[k] += x[i + k] - x[i + k];
  for (int k = 0; k < PERP_LANES && i + k < n; k++)
    zero[k] += x[i + k] - x[i + k];
  return perp_lanes_sum(zero) == 0;
}

int64_t perp_first_not_finite(int64_t n, const double *x)
{
  if (perp_all_finite(n, x))
    return -1;
  int64_t i = 0;
  while (isfinite(x[i]))
    i++;
  return i;
}

void perp_transpose(int rows, int columns, const int64_t *start, const int *column,
                    const double *value, int64_t *t_start, int *t_column, double *t_value,
                    int64_t *place)
{
  for (int j = 0; j <= columns; j++)
    t_start[j] = 0;
  for (int64_t e = 0; e < start[rows]; e++)
    t_start[column[e] + 1]++;
  for (int j = 0; j < columns; j++)
    t_start[j + 1] += t_start[j];
  for (int i = 0; i < rows; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e++) {
      const int64_t to = t_start[column[e]]++;
      t_column[to] = i;
      if (t_value)
        t_value[to] = value[e];
      if (place)
        place[to] = e;
    }
  /* every start is now at the end of its row, the beginning of the next */
  for (int j = columns; j > 0; j--)
    t_start[j] = t_start[j - 1];
  t_start[0] = 0;
}
