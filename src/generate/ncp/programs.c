/* programs.c: the conditions of Karush, Kuhn and Tucker of nonlinear programs (Hock, Schittkowski 1981)
 *
 *   min f(x), c(x) >= 0, bounds:   f' - c'^T u complementary to x,  c to u >= 0 (u free: an equation)
 *
 * The start of x is the published one, that of the multipliers 0, or 1 with start=1. */
#include "generate/ncp/ncp.h"

static void start_from(int k, int n, const double *given, int m, double *x)
{
  for (int i = 0; i < n + m; i++)
    x[i] = i < n ? given[i] : k;
}

static void set(int n, const double *values, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] = values[i];
}

/* 21: 0.01 x1^2 + x2^2 - 100;  10 x1 - x2 >= 10 */
static void hs21(const perp_dual *x, perp_dual *F)
{
  F[0] = 0.02 * x[0] - 10 * x[2];
  F[1] = 2 * x[1] + x[2];
  F[2] = 10 * x[0] - x[1] - 10;
}

static void hs21_bounds(double *lo, double *hi)
{
  set(2, (double[]){2, -50}, lo);
  set(2, (double[]){50, 50}, hi);
}

static void hs21_starts(int k, double *x)
{
  start_from(k, 2, (double[]){-1, -1}, 1, x);
}

static void hs21_solution(double *x)
{
  x[0] = 2;
}

/* 34: -x1;  x2 >= exp x1, x3 >= exp x2 */
static void hs34(const perp_dual *x, perp_dual *F)
{
  const perp_dual e = perp_dual_exp(x[0]), g = perp_dual_exp(x[1]);
  F[0] = -1 + e * x[3];
  F[1] = -x[3] + g * x[4];
  F[2] = -x[4];
  F[3] = x[1] - e;
  F[4] = x[2] - g;
}

static void hs34_bounds(double *lo, double *hi)
{
  (void)lo;
  set(3, (double[]){100, 100, 10}, hi);
}

static void hs34_starts(int k, double *x)
{
  start_from(k, 3, (double[]){0, 1.05, 2.9}, 2, x);
}

static void hs34_solution(double *x)
{
  const double l = 2.302585092994046, m = 0.8340324452479558; /* log 10 and its logarithm */
  set(5, (double[]){m, l, 10, 1 / l, 0.1 / l}, x);
}

/* 35 (Beale 1955) */
static void hs35(const perp_dual *x, perp_dual *F)
{
  F[0] = -8 + 4 * x[0] + 2 * x[1] + 2 * x[2] + x[3];
  F[1] = -6 + 4 * x[1] + 2 * x[0] + x[3];
  F[2] = -4 + 2 * x[2] + 2 * x[0] + 2 * x[3];
  F[3] = 3 - x[0] - x[1] - 2 * x[2];
}

static void hs35_starts(int k, double *x)
{
  start_from(k, 3, (double[]){0.5, 0.5, 0.5}, 1, x);
}

static void hs35_solution(double *x)
{
  set(4, (double[]){4.0 / 3, 7.0 / 9, 4.0 / 9, 2.0 / 9}, x);
}

/* 43 (Rosen, Suzuki 1965) */
static void hs43(const perp_dual *x, perp_dual *F)
{
  const perp_dual a = x[0], b = x[1], c = x[2], d = x[3], *u = x + 4;
  F[0] = 2 * a - 5 + u[0] * (2 * a + 1) + u[1] * (2 * a - 1) + u[2] * (4 * a + 2);
  F[1] = 2 * b - 5 + u[0] * (2 * b - 1) + u[1] * 4 * b + u[2] * (2 * b - 1);
  F[2] = 4 * c - 21 + u[0] * (2 * c + 1) + u[1] * 2 * c + u[2] * 2 * c;
  F[3] = 2 * d + 7 + u[0] * (2 * d - 1) + u[1] * (4 * d - 1) - u[2];
  F[4] = 8 - a * a - b * b - c * c - d * d - a + b - c + d;
  F[5] = 10 - a * a - 2 * b * b - c * c - 2 * d * d + a + d;
  F[6] = 5 - 2 * a * a - b * b - c * c - 2 * a + b + d;
}

static void free_first4(double *lo, double *hi)
{
  (void)hi;
  for (int i = 0; i < 4; i++)
    lo[i] = -INFINITY;
}

static void hs43_starts(int k, double *x)
{
  start_from(k, 4, (double[]){0, 0, 0, 0}, 3, x);
}

static void hs43_solution(double *x)
{
  set(7, (double[]){0, 1, 2, -1, 1, 0, 2}, x);
}

/* 65: (x1 - x2)^2 + (x1 + x2 - 10)^2 / 9 + (x3 - 5)^2;  |x|^2 <= 48 */
static void hs65(const perp_dual *x, perp_dual *F)
{
  const perp_dual s = 2 * (x[0] - x[1]), t = 2 * (x[0] + x[1] - 10) / 9, u = 2 * x[3];
  F[0] = s + t + u * x[0];
  F[1] = -s + t + u * x[1];
  F[2] = 2 * (x[2] - 5) + u * x[2];
  F[3] = 48 - x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
}

static void hs65_bounds(double *lo, double *hi)
{
  set(3, (double[]){-4.5, -4.5, -5}, lo);
  set(3, (double[]){4.5, 4.5, 5}, hi);
}

static void hs65_starts(int k, double *x)
{
  start_from(k, 3, (double[]){-5, 5, 0}, 1, x);
}

static void hs65_solution(double *x)
{
  set(3, (double[]){3.650461821, 3.650461821, 4.6204170507}, x);
  x[3] = (5 - x[2]) / x[2];
}

/* 66: 0.2 x3 - 0.8 x1 with the constraints of 34 */
static void hs66(const perp_dual *x, perp_dual *F)
{
  const perp_dual e = perp_dual_exp(x[0]), g = perp_dual_exp(x[1]);
  F[0] = -0.8 + e * x[3];
  F[1] = -x[3] + g * x[4];
  F[2] = 0.2 - x[4];
  F[3] = x[1] - e;
  F[4] = x[2] - g;
}

static void hs66_solution(double *x)
{
  set(3, (double[]){0.1841264879, 1.202167873, 3.327322322}, x);
  x[3] = 0.8 / x[1];
  x[4] = 0.2;
}

/* 71: x1 x4 (x1 + x2 + x3) + x3;  x1 x2 x3 x4 >= 25, |x|^2 = 40 */
static void hs71(const perp_dual *x, perp_dual *F)
{
  const perp_dual u = x[4], v = x[5], sum = x[0] + x[1] + x[2];
  F[0] = x[3] * (sum + x[0]) - u * x[1] * x[2] * x[3] - 2 * v * x[0];
  F[1] = x[0] * x[3] - u * x[0] * x[2] * x[3] - 2 * v * x[1];
  F[2] = x[0] * x[3] + 1 - u * x[0] * x[1] * x[3] - 2 * v * x[2];
  F[3] = x[0] * sum - u * x[0] * x[1] * x[2] - 2 * v * x[3];
  F[4] = x[0] * x[1] * x[2] * x[3] - 25;
  F[5] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 40;
}

static void hs71_bounds(double *lo, double *hi)
{
  set(6, (double[]){1, 1, 1, 1, 0, -INFINITY}, lo);
  set(4, (double[]){5, 5, 5, 5}, hi);
}

static void hs71_starts(int k, double *x)
{
  start_from(k, 4, (double[]){1, 5, 5, 1}, 2, x);
}

static void hs71_solution(double *x)
{
  set(6, (double[]){1, 4.74299963, 3.82114998, 1.37940829, 0.55229366, -0.16146857}, x);
}

/* 76 (Murtagh, Sargent 1969) */
static void hs76(const perp_dual *x, perp_dual *F)
{
  const perp_dual *u = x + 4;
  F[0] = 2 * x[0] - x[2] - 1 + u[0] + 3 * u[1];
  F[1] = x[1] - 3 + 2 * u[0] + u[1] - u[2];
  F[2] = 2 * x[2] - x[0] + x[3] + 1 + u[0] + 2 * u[1] - 4 * u[2];
  F[3] = x[3] + x[2] - 1 + u[0] - u[1];
  F[4] = 5 - x[0] - 2 * x[1] - x[2] - x[3];
  F[5] = 4 - 3 * x[0] - x[1] - 2 * x[2] + x[3];
  F[6] = x[1] + 4 * x[2] - 1.5;
}

static void hs76_starts(int k, double *x)
{
  start_from(k, 4, (double[]){0.5, 0.5, 0.5, 0.5}, 3, x);
}

static void hs76_solution(double *x)
{
  set(5, (double[]){3.0 / 11, 23.0 / 11, 0, 6.0 / 11, 5.0 / 11}, x);
}

const perp_ncp_kind perp_ncp_programs[] = {
    {"hs21", "a quadratic program", "hock-schittkowski-1981", 3, 2, hs21_bounds, hs21_starts, hs21,
     hs21_solution},
    {"hs34", "exponential constraints", "hock-schittkowski-1981", 5, 2, hs34_bounds, hs34_starts,
     hs34, hs34_solution},
    {"hs35", "a quadratic program of Beale", "hock-schittkowski-1981", 4, 2, NULL, hs35_starts,
     hs35, hs35_solution},
    {"hs43", "three quadratic constraints, of Rosen and Suzuki", "hock-schittkowski-1981", 7, 2,
     free_first4, hs43_starts, hs43, hs43_solution},
    {"hs65", "a ball and a box", "hock-schittkowski-1981", 4, 2, hs65_bounds, hs65_starts, hs65,
     hs65_solution},
    {"hs66", "exponential constraints", "hock-schittkowski-1981", 5, 2, hs34_bounds, hs34_starts,
     hs66, hs66_solution},
    {"hs71", "a product and a sphere", "hock-schittkowski-1981", 6, 2, hs71_bounds, hs71_starts,
     hs71, hs71_solution},
    {"hs76", "a quadratic program of Murtagh and Sargent", "hock-schittkowski-1981", 7, 2, NULL,
     hs76_starts, hs76, hs76_solution},
    {0},
};
