/* growth.c: a capital stock that stays as it is, and prices on a network
 *
 * Two models whose papers give numbers that were not to be had: the numbers are our own.
 *
 * Hansen, Koopmans 1972. Activities x use capital goods A x, leave B x of them to the next period and
 * take C x <= w of the resources; v(x) is the utility of a period, and later periods count alpha as
 * much as the one before. A stock that an optimal path leaves unchanged has prices y and rents u with
 *
 *   x >= 0  ⊥  -v'(x) + (A - alpha B)^T y + C^T u,   y >= 0  ⊥  (B - A) x,   u >= 0  ⊥  w - C x
 *
 * v = product of (a_k^T x)^0.2 over three goods, each made by two activities; it has no slope at 0.
 *
 * Tobin 1988. Places i with prices p_i, supply and demand that depend on the prices of several places, and
 * links a from i to j with flows f_a, whose cost depends on the flow the other way, too:
 *
 *   f >= 0  ⊥  c_a(f) + p_i - p_j,   p  ⊥  supply_i(p) - demand_i(p) + inflow - outflow */
#include "generate/ncp/ncp.h"

/* ---- Hansen, Koopmans ---- */

enum { ACTIVITIES = 10, STOCKS = 2, RESOURCES = 2, GOODS = 3, GROWTH = 14 };

static const double use[STOCKS][ACTIVITIES] = {{1, 2, 0.5, 1, 0.3, 0.8, 0.6, 1.2, 0.4, 0.2},
                                               {0.5, 0.2, 1, 0.4, 0.9, 0.3, 0.3, 0.1, 0.8, 1.5}};
static const double resource[RESOURCES][ACTIVITIES] = {{1, 0.5, 1, 0.6, 1.2, 0.8, 1, 0.6, 1, 0.7},
                                                       {0.2, 0.4, 0.3, 0.5, 0.1, 0.2, 0, 0, 0, 0}};
static const double endowment[RESOURCES] = {10, 4};

/* B: what wears out is a seventh; activities 6 and 7 make a unit of the first good, 8 and 9 of the other */
static double left(int stock, int activity)
{
  return use[stock][activity] * 6 / 7 + (activity >= 6 && (activity - 6) / 2 == stock ? 1 : 0);
}

static void growth(const perp_dual *x, perp_dual *F)
{
  static const double makes[6] = {1, 1.5, 1, 1.2, 1, 1.1};
  const double alpha = 0.9;
  const perp_dual *y = x + ACTIVITIES, *u = y + STOCKS;
  perp_dual good[GOODS], v = 1;
  for (int k = 0; k < GOODS; k++) {
    good[k] = makes[2 * k] * x[2 * k] + makes[2 * k + 1] * x[2 * k + 1];
    v *= perp_dual_pow(good[k], 0.2);
  }
  for (int s = 0; s < STOCKS; s++)
    F[ACTIVITIES + s] = 0;
  for (int r = 0; r < RESOURCES; r++)
    F[ACTIVITIES + STOCKS + r] = endowment[r];
  for (int j = 0; j < ACTIVITIES; j++) {
    F[j] = j < 6 ? -0.2 * v * makes[j] / good[j / 2] : 0;
    for (int s = 0; s < STOCKS; s++) {
      F[j] += (use[s][j] - alpha * left(s, j)) * y[s];
      F[ACTIVITIES + s] += (left(s, j) - use[s][j]) * x[j];
    }
    for (int r = 0; r < RESOURCES; r++) {
      F[j] += resource[r][j] * u[r];
      F[ACTIVITIES + STOCKS + r] -= resource[r][j] * x[j];
    }
  }
}

static void growth_starts(int k, double *x)
{
  for (int i = 0; i < GROWTH; i++)
    x[i] = (double[]){1, 10, 0.1}[k];
}

/* ---- Tobin ---- */

enum { PLACES = 5, LINKS = 14, PRICES = PLACES + LINKS };

/* a link and the one back follow each other */
static const struct {
  int from, to;
  double fixed, slope, cube;
} link[LINKS] = {{0, 1, 1, 0.5, 0.02}, {1, 0, 1, 0.4, 0.01}, {0, 2, 3, 0.2, 0.01},
                 {2, 0, 2, 0.3, 0.01}, {1, 2, 1, 0.6, 0.03}, {2, 1, 2, 0.2, 0.02},
                 {1, 3, 4, 0.1, 0.01}, {3, 1, 3, 0.3, 0.01}, {2, 3, 1, 0.5, 0.02},
                 {3, 2, 1, 0.4, 0.02}, {2, 4, 2, 0.2, 0.05}, {4, 2, 2, 0.2, 0.01},
                 {3, 4, 1, 0.3, 0.01}, {4, 3, 1, 0.5, 0.02}};

static void prices(const perp_dual *x, perp_dual *F)
{
  static const double supply[PLACES] = {9, 2, 1, 0.5, 4};
  static const double demand[PLACES] = {20, 60, 90, 120, 40};
  const perp_dual *p = x, *f = x + PLACES;
  for (int i = 0; i < PLACES; i++) {
    const perp_dual near = p[(i + 1) % PLACES];
    F[i] = supply[i] * perp_dual_pow(p[i], 0.8) - 0.1 * near -
           demand[i] * perp_dual_pow(p[i], -0.6) * perp_dual_pow(near, 0.1);
  }
  for (int a = 0; a < LINKS; a++) {
    const perp_dual other = f[a ^ 1];
    F[PLACES + a] = link[a].fixed + link[a].slope * (f[a] + 0.2 * other) +
                    link[a].cube * f[a] * f[a] * f[a] + p[link[a].from] - p[link[a].to];
    F[link[a].from] -= f[a];
    F[link[a].to] += f[a];
  }
}

static void prices_bounds(double *lo, double *hi)
{
  (void)hi;
  for (int i = 0; i < PLACES; i++)
    lo[i] = 1e-3;
}

static void prices_starts(int k, double *x)
{
  for (int i = 0; i < PRICES; i++)
    x[i] = i < PLACES ? (double[]){1, 10, 100}[k] : (double[]){0, 1, 10}[k];
}

const perp_ncp_kind perp_ncp_growth[] = {
    {"hansen-koopmans", "a capital stock that stays as it is; numbers of our own",
     "hansen-koopmans-1972", GROWTH, 3, NULL, growth_starts, growth, NULL},
    {"tobin", "prices of five places on a network; numbers of our own", "tobin-1988", PRICES, 3,
     prices_bounds, prices_starts, prices, NULL},
    {0},
};
