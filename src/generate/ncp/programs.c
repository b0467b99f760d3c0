/* programs.c: the conditions of Karush, Kuhn and Tucker of nonlinear programs (Hock, Schittkowski 1981)
 *
 *   min f(x), c(x) >= 0, bounds:   f' - c'^T u complementary to x,  c to u >= 0 (u free: an equation)
 *
 * The start of x is the published one, that of the multipliers 0, or 1 with start=1. */
#include "generate/ncp/ncp.h"

/* 21: 0.01 x1^2 + x2^2 - 100;  10 x1 - x2 >= 10 */
static void hs21(const perp_dual *x, perp_dual *F)
{
  F[0] = 0.02 * x[0] - 10 * x[2];
  F[1] = 2 * x[1] + x[2];
  F[2] = 10 * x[0] - x[1] - 10;
}

/* 34: -x1, and 66: 0.2 x3 - 0.8 x1, with x2 >= exp x1, x3 >= exp x2; data: the costs of x1 and x3 */
static void exponentials(const void *data, const perp_dual *x, perp_dual *F)
{
  const double *cost = data;
  const perp_dual e = perp_dual_exp(x[0]), g = perp_dual_exp(x[1]);
  F[0] = cost[0] + e * x[3];
  F[1] = -x[3] + g * x[4];
  F[2] = cost[1] - x[4];
  F[3] = x[1] - e;
  F[4] = x[2] - g;
}

/* 35 (Beale 1955) */
static void hs35(const perp_dual *x, perp_dual *F)
{
  F[0] = -8 + 4 * x[0] + 2 * x[1] + 2 * x[2] + x[3];
  F[1] = -6 + 4 * x[1] + 2 * x[0] + x[3];
  F[2] = -4 + 2 * x[2] + 2 * x[0] + 2 * x[3];
  F[3] = 3 - x[0] - x[1] - 2 * x[2];
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

/* 65: (x1 - x2)^2 + (x1 + x2 - 10)^2 / 9 + (x3 - 5)^2;  |x|^2 <= 48 */
static void hs65(const perp_dual *x, perp_dual *F)
{
  const perp_dual s = 2 * (x[0] - x[1]), t = 2 * (x[0] + x[1] - 10) / 9, u = 2 * x[3];
  F[0] = s + t + u * x[0];
  F[1] = -s + t + u * x[1];
  F[2] = 2 * (x[2] - 5) + u * x[2];
  F[3] = 48 - x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
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

const perp_ncp_kind perp_ncp_programs[] = {
    {"hs21", "a quadratic program", "hock-schittkowski-1981", 3, 2, hs21,
     .lo = (const double[]){2, -50, 0}, .hi = (const double[]){50, 50, INFINITY},
     .table = (const double[]){-1, -1, 0, /**/ -1, -1, 1}, .known = (const double[]){2, 0, 0}},
    {"hs34", "exponential constraints", "hock-schittkowski-1981", 5, 2, .family = exponentials,
     .data = (const double[]){-1, 0}, .hi = (const double[]){100, 100, 10, INFINITY, INFINITY},
     .table = (const double[]){0, 1.05, 2.9, 0, 0, /**/ 0, 1.05, 2.9, 1, 1},
     /* log 10 and its logarithm */ .known =
         (const double[]){0.8340324452479558, 2.302585092994046, 10, 1 / 2.302585092994046,
                          0.1 / 2.302585092994046}},
    {"hs35", "a quadratic program of Beale", "hock-schittkowski-1981", 4, 2, hs35,
     .table = (const double[]){0.5, 0.5, 0.5, 0, /**/ 0.5, 0.5, 0.5, 1},
     .known = (const double[]){4.0 / 3, 7.0 / 9, 4.0 / 9, 2.0 / 9}},
    {"hs43", "three quadratic constraints, of Rosen and Suzuki", "hock-schittkowski-1981", 7, 2,
     hs43, .lo = (const double[]){-INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 0, 0},
     .table = (const double[]){0, 0, 0, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 1, 1, 1},
     .known = (const double[]){0, 1, 2, -1, 1, 0, 2}},
    {"hs65", "a ball and a box", "hock-schittkowski-1981", 4, 2, hs65,
     .lo = (const double[]){-4.5, -4.5, -5, 0}, .hi = (const double[]){4.5, 4.5, 5, INFINITY},
     .table = (const double[]){-5, 5, 0, 0, /**/ -5, 5, 0, 1},
     .known = (const double[]){3.650461821, 3.650461821, 4.6204170507,
                               (5 - 4.6204170507) / 4.6204170507}},
    {"hs66", "exponential constraints", "hock-schittkowski-1981", 5, 2, .family = exponentials,
     .data = (const double[]){-0.8, 0.2}, .hi = (const double[]){100, 100, 10, INFINITY, INFINITY},
     .table = (const double[]){0, 1.05, 2.9, 0, 0, /**/ 0, 1.05, 2.9, 1, 1},
     .known = (const double[]){0.1841264879, 1.202167873, 3.327322322, 0.8 / 1.202167873, 0.2}},
    {"hs71", "a product and a sphere", "hock-schittkowski-1981", 6, 2, hs71,
     .lo = (const double[]){1, 1, 1, 1, 0, -INFINITY},
     .hi = (const double[]){5, 5, 5, 5, INFINITY, INFINITY},
     .table = (const double[]){1, 5, 5, 1, 0, 0, /**/ 1, 5, 5, 1, 1, 1},
     .known = (const double[]){1, 4.74299963, 3.82114998, 1.37940829, 0.55229366, -0.16146857}},
    {"hs76", "a quadratic program of Murtagh and Sargent", "hock-schittkowski-1981", 7, 2, hs76,
     .table = (const double[]){0.5, 0.5, 0.5, 0.5, 0, 0, 0, /**/ 0.5, 0.5, 0.5, 0.5, 1, 1, 1},
     .known = (const double[]){3.0 / 11, 23.0 / 11, 0, 6.0 / 11, 5.0 / 11, 0, 0}},
    {0}};
