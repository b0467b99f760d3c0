/* equations.c: systems of equations, problems without bounds (More, Garbow, Hillstrom 1981, who give
 * their sources); some also with x >= 0. Starts: as published, then ten times that. */
#include "generate/ncp/ncp.h"

enum { CHANDRA = 20, GRID = 20, BROWN = 10, CHEBY = 5, TRIG = 10 };

static void no_bounds(int n, double *lo)
{
  for (int i = 0; i < n; i++)
    lo[i] = -INFINITY;
}

static void free2(double *lo, double *hi)
{
  (void)hi;
  no_bounds(2, lo);
}

static void free4(double *lo, double *hi)
{
  (void)hi;
  no_bounds(4, lo);
}

static void free5(double *lo, double *hi)
{
  (void)hi;
  no_bounds(CHEBY, lo);
}

static void free10(double *lo, double *hi)
{
  (void)hi;
  no_bounds(10, lo);
}

static void free20(double *lo, double *hi)
{
  (void)hi;
  no_bounds(20, lo);
}

static double times(int k)
{
  return (double[]){1, 10, 100}[k];
}

/* Freudenstein, Roth 1963 */
static void freudenstein(const perp_dual *x, perp_dual *F)
{
  F[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
  F[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

static void freudenstein_starts(int k, double *x)
{
  static const double starts[3][2] = {{0.5, -2}, {6, 5}, {15, 2}};
  x[0] = starts[k][0];
  x[1] = starts[k][1];
}

static void freudenstein_solution(double *x)
{
  x[0] = 5;
  x[1] = 4;
}

/* Rosenbrock 1960 */
static void rosenbrock(const perp_dual *x, perp_dual *F)
{
  F[0] = 10 * (x[1] - x[0] * x[0]);
  F[1] = 1 - x[0];
}

static void rosenbrock_starts(int k, double *x)
{
  x[0] = -1.2 * times(k);
  x[1] = times(k);
}

static void ones2(double *x)
{
  x[0] = x[1] = 1;
}

/* Powell 1962: singular at its solution */
static void powell(const perp_dual *x, perp_dual *F)
{
  F[0] = x[0] + 10 * x[1];
  F[1] = sqrt(5) * (x[2] - x[3]);
  F[2] = perp_dual_square(x[1] - 2 * x[2]);
  F[3] = sqrt(10) * perp_dual_square(x[0] - x[3]);
}

static void powell_starts(int k, double *x)
{
  static const double start[4] = {3, -1, 0, 1};
  for (int i = 0; i < 4; i++)
    x[i] = times(k) * start[i];
}

static void zeros(double *x)
{
  (void)x;
}

/* Powell 1970: badly scaled */
static void powell_scaled(const perp_dual *x, perp_dual *F)
{
  F[0] = 1e4 * x[0] * x[1] - 1;
  F[1] = perp_dual_exp(-x[0]) + perp_dual_exp(-x[1]) - 1.0001;
}

static void powell_scaled_starts(int k, double *x)
{
  x[0] = 0;
  x[1] = times(k);
}

static void powell_scaled_solution(double *x)
{
  x[0] = 1.098159e-5;
  x[1] = 9.106146;
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

static void brown_starts(int k, double *x)
{
  for (int i = 0; i < BROWN; i++)
    x[i] = 0.5 * times(k);
}

static void brown_solution(double *x)
{
  for (int i = 0; i < BROWN; i++)
    x[i] = 1;
}

/* Broyden 1965: tridiagonal */
static void broyden(const perp_dual *x, perp_dual *F)
{
  for (int i = 0; i < GRID; i++)
    F[i] = (3 - 2 * x[i]) * x[i] - (i > 0 ? x[i - 1] : 0) - 2 * (i < GRID - 1 ? x[i + 1] : 0) + 1;
}

static void minus_ones(int k, double *x)
{
  for (int i = 0; i < GRID; i++)
    x[i] = -times(k);
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
    x[i] = times(k) * t * (t - 1);
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

static void trigonometric_starts(int k, double *x)
{
  for (int i = 0; i < TRIG; i++)
    x[i] = times(k) / TRIG;
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

static void chebyquad_starts(int k, double *x)
{
  for (int i = 0; i < CHEBY; i++)
    x[i] = times(k) * (i + 1.0) / (CHEBY + 1);
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

static void chandrasekhar_starts(int k, double *x)
{
  for (int i = 0; i < CHANDRA; i++)
    x[i] = k;
}

const perp_ncp_kind perp_ncp_equations[] = {
    {"freudenstein-roth", "two equations, a local minimum", "freudenstein-roth-1963", 2, 3, free2,
     freudenstein_starts, freudenstein, freudenstein_solution},
    {"freudenstein-roth-bounded", "the same with x >= 0", "freudenstein-roth-1963", 2, 3, NULL,
     freudenstein_starts, freudenstein, freudenstein_solution},
    {"rosenbrock", "a curved valley", "rosenbrock-1960", 2, 3, free2, rosenbrock_starts, rosenbrock,
     ones2},
    {"powell", "singular at its solution", "powell-1962", 4, 3, free4, powell_starts, powell,
     zeros},
    {"powell-scaled", "badly scaled", "powell-1970", 2, 2, free2, powell_scaled_starts,
     powell_scaled, powell_scaled_solution},
    {"brown", "almost linear", "brown-1969", BROWN, 2, free10, brown_starts, brown, brown_solution},
    {"broyden-tridiagonal", "three unknowns in each equation", "broyden-1965", GRID, 3, free20,
     minus_ones, broyden, NULL},
    {"broyden-banded", "seven unknowns in each equation", "broyden-1971", GRID, 3, free20,
     minus_ones, banded, NULL},
    {"discrete-boundary", "a boundary value problem", "more-cosnard-1979", GRID, 3, free20,
     boundary_starts, boundary, NULL},
    {"discrete-integral", "the same as an integral equation", "more-cosnard-1979", GRID, 3, free20,
     boundary_starts, integral, NULL},
    {"trigonometric", "sines and cosines", "spedicato-1975", TRIG, 2, free10, trigonometric_starts,
     trigonometric, zeros},
    {"chebyquad", "points of a quadrature", "fletcher-1965", CHEBY, 1, free5, chebyquad_starts,
     chebyquad, NULL},
    {"chandrasekhar", "radiation through an atmosphere", "chandrasekhar-1950", CHANDRA, 2, free20,
     chandrasekhar_starts, chandrasekhar, NULL},
    {0},
};
