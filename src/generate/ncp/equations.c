/* equations.c: systems of equations, problems without bounds (More, Garbow, Hillstrom 1981, who give
 * their sources); some also with x >= 0. Starts: as published, then ten times that. */
#include "generate/ncp/ncp.h"

static const double zeros[20]; /* a solution */

enum { CHANDRA = 20, GRID = 20, BROWN = 10, CHEBY = 5, TRIG = 10 };

/* Freudenstein, Roth 1963 */
static void freudenstein(const perp_dual *x, perp_dual *F)
{
  F[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
  F[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

/* Rosenbrock 1960 */
static void rosenbrock(const perp_dual *x, perp_dual *F)
{
  F[0] = 10 * (x[1] - x[0] * x[0]);
  F[1] = 1 - x[0];
}

/* Powell 1962: singular at its solution */
static void powell(const perp_dual *x, perp_dual *F)
{
  F[0] = x[0] + 10 * x[1];
  F[1] = sqrt(5) * (x[2] - x[3]);
  F[2] = perp_dual_square(x[1] - 2 * x[2]);
  F[3] = sqrt(10) * perp_dual_square(x[0] - x[3]);
}

/* Powell 1970: badly scaled */
static void powell_scaled(const perp_dual *x, perp_dual *F)
{
  F[0] = 1e4 * x[0] * x[1] - 1;
  F[1] = perp_dual_exp(-x[0]) + perp_dual_exp(-x[1]) - 1.0001;
}

/* Brown 1969: almost linear */
static void brown(const perp_dual *x, perp_dual *F)
{
  perp_dual sum = -(BROWN + 1), product = 1;
  for (int i = 0; i < BROWN; i++) {
    sum += x[i];
    product *= x[i];
  }
  for (int i = 0; i < BROWN; i++)
    F[i] = i == BROWN - 1 ? product - 1 : x[i] + sum;
}

/* Broyden 1965: tridiagonal */
static void broyden(const perp_dual *x, perp_dual *F)
{
  for (int i = 0; i < GRID; i++)
    F[i] = (3 - 2 * x[i]) * x[i] - (i > 0 ? x[i - 1] : 0) - 2 * (i < GRID - 1 ? x[i + 1] : 0) + 1;
}

/* Broyden 1971: banded */
static void banded(const perp_dual *x, perp_dual *F)
{
  for (int i = 0; i < GRID; i++) {
    F[i] = x[i] * (2 + 5 * x[i] * x[i]) + 1;
    for (int j = i > 5 ? i - 5 : 0; j <= i + 1 && j < GRID; j++)
      if (j != i)
        F[i] -= x[j] * (1 + x[j]);
  }
}

/* More, Cosnard 1979: u'' = (u + t + 1)^3 / 2 by differences, and as an integral equation */
static void boundary(const perp_dual *x, perp_dual *F)
{
  const double h = 1.0 / (GRID + 1);
  for (int i = 0; i < GRID; i++) {
    const perp_dual s = x[i] + h * (i + 1) + 1;
    F[i] =
        2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < GRID - 1 ? x[i + 1] : 0) + h * h * s * s * s / 2;
  }
}

static void integral(const perp_dual *x, perp_dual *F)
{
  const double h = 1.0 / (GRID + 1);
  for (int i = 0; i < GRID; i++) {
    const double t = h * (i + 1);
    F[i] = x[i];
    for (int j = 0; j < GRID; j++) {
      const double s = h * (j + 1);
      const perp_dual c = x[j] + s + 1;
      F[i] += h / 2 * (j <= i ? (1 - t) * s : t * (1 - s)) * c * c * c;
    }
  }
}

static void boundary_starts(int k, double *x)
{
  for (int i = 0; i < GRID; i++) {
    const double t = (i + 1.0) / (GRID + 1);
    x[i] = (double[]){1, 10, 100}[k] * t * (t - 1);
  }
}

/* Spedicato 1975: trigonometric */
static void trigonometric(const perp_dual *x, perp_dual *F)
{
  perp_dual sum = TRIG;
  for (int i = 0; i < TRIG; i++)
    sum -= perp_dual_cos(x[i]);
  for (int i = 0; i < TRIG; i++)
    F[i] = sum + (i + 1) * (1 - perp_dual_cos(x[i])) - perp_dual_sin(x[i]);
}

/* Fletcher 1965: Chebyshev quadrature, shifted polynomials T_i on [0, 1] */
static void chebyquad(const perp_dual *x, perp_dual *F)
{
  for (int i = 0; i < CHEBY; i++)
    F[i] = i % 2 ? 1.0 / ((i + 1) * (i + 1) - 1) : 0;
  for (int j = 0; j < CHEBY; j++) {
    perp_dual last = 1, t = 2 * x[j] - 1;
    const perp_dual twice = 2 * t;
    for (int i = 0; i < CHEBY; i++) {
      F[i] += t / CHEBY;
      const perp_dual next = twice * t - last;
      last = t;
      t = next;
    }
  }
}

/* Chandrasekhar 1950, c = 0.9, by the midpoint rule */
static void chandrasekhar(const perp_dual *x, perp_dual *F)
{
  for (int i = 0; i < CHANDRA; i++) {
    const double mu = (i + 0.5) / CHANDRA;
    perp_dual sum = 0;
    for (int j = 0; j < CHANDRA; j++)
      sum += mu * x[j] / (mu + (j + 0.5) / CHANDRA);
    F[i] = x[i] * (1 - 0.9 / (2 * CHANDRA) * sum) - 1;
  }
}

const perp_ncp_kind perp_ncp_equations[] = {
    {"freudenstein-roth", "two equations, a local minimum", "freudenstein-roth-1963", 2, 3,
     freudenstein, .free = true, .table = (const double[]){0.5, -2, /**/ 6, 5, /**/ 15, 2},
     .known = (const double[]){5, 4}},
    {"freudenstein-roth-bounded", "the same with x >= 0", "freudenstein-roth-1963", 2, 3,
     freudenstein, .table = (const double[]){0.5, -2, /**/ 6, 5, /**/ 15, 2},
     .known = (const double[]){5, 4}},
    {"rosenbrock", "a curved valley", "rosenbrock-1960", 2, 3, rosenbrock, .free = true,
     .table = (const double[]){-1.2, 1, /**/ -1.2 * 10, 10, /**/ -1.2 * 100, 100},
     .known = (const double[]){1, 1}},
    {"powell", "singular at its solution", "powell-1962", 4, 3, powell, .free = true,
     .table = (const double[]){3, -1, 0, 1, /**/ 30, -10, 0, 10, /**/ 300, -100, 0, 100},
     .known = zeros},
    {"powell-scaled", "badly scaled", "powell-1970", 2, 2, powell_scaled, .free = true,
     .table = (const double[]){0, 1, /**/ 0, 10}, .known = (const double[]){1.098159e-5, 9.106146}},
    {"brown", "almost linear", "brown-1969", BROWN, 2, brown, .free = true,
     .levels = (const double[]){0.5, 5}, .known = (const double[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"broyden-tridiagonal", "three unknowns in each equation", "broyden-1965", GRID, 3, broyden,
     .free = true, .levels = (const double[]){-1, -10, -100}},
    {"broyden-banded", "seven unknowns in each equation", "broyden-1971", GRID, 3, banded,
     .free = true, .levels = (const double[]){-1, -10, -100}},
    {"discrete-boundary", "a boundary value problem", "more-cosnard-1979", GRID, 3, boundary,
     .free = true, .start = boundary_starts},
    {"discrete-integral", "the same as an integral equation", "more-cosnard-1979", GRID, 3,
     integral, .free = true, .start = boundary_starts},
    {"trigonometric", "sines and cosines", "spedicato-1975", TRIG, 2, trigonometric, .free = true,
     .levels = (const double[]){1.0 / TRIG, 10.0 / TRIG}, .known = zeros},
    {"chebyquad", "points of a quadrature", "fletcher-1965", CHEBY, 1, chebyquad, .free = true,
     .table = (const double[]){1.0 / 6, 2.0 / 6, 3.0 / 6, 4.0 / 6, 5.0 / 6}},
    {"chandrasekhar", "radiation through an atmosphere", "chandrasekhar-1950", CHANDRA, 2,
     chandrasekhar, .free = true, .levels = (const double[]){0, 1}},
    {0}};
