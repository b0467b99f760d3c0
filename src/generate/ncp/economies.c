/* economies.c: general equilibrium and spatial competition
 *
 * An economy of activities (Scarf, Hansen 1973) has prices p, activities y and incomes i:
 *
 *   p    a y + e >= demand(p, i)       markets clear
 *   y    -a^T p >= 0                   no activity makes a profit
 *   i    i_h >= p^T e_h                the income of consumer h
 *
 * with demand i_h alpha_ch p_c^-s / sum_k alpha_kh p_k^(1 - s), s the elasticity of consumer h. Prices
 * of goods that are wanted are at least 1e-5. One number is fixed, since only ratios of prices count. */
#include "generate/ncp/ncp.h"

typedef struct economy {
  int goods, activities, consumers;
  const double *a; /* goods x activities */
  const double *have,
      *want; /* goods x consumers: endowment e, and demands whose shares are alpha */
  const double *elasticity;
} economy;

static double share(const economy *e, int good, int consumer)
{
  double sum = 0;
  for (int k = 0; k < e->goods; k++)
    sum += e->want[k * e->consumers + consumer];
  return e->want[good * e->consumers + consumer] / sum;
}

static bool is_wanted(const economy *e, int good)
{
  bool wanted = false;
  for (int h = 0; h < e->consumers; h++)
    wanted = wanted || e->want[good * e->consumers + h] > 0;
  return wanted;
}

/* of all consumers, less what they own; into F */
static void add_demand(const economy *e, const perp_dual *p, const perp_dual *income, perp_dual *F)
{
  for (int h = 0; h < e->consumers; h++) {
    const double s = e->elasticity[h];
    perp_dual index = 0;
    for (int k = 0; k < e->goods; k++) {
      const double alpha = share(e, k, h);
      if (alpha > 0)
        index += alpha * (s == 1 ? 1 : perp_dual_pow(p[k], 1 - s));
    }
    for (int k = 0; k < e->goods; k++) {
      const double alpha = share(e, k, h);
      F[k] += e->have[k * e->consumers + h];
      if (alpha > 0)
        F[k] -= income[h] * alpha * (s == 1 ? 1 / p[k] : perp_dual_pow(p[k], -s)) / index;
    }
  }
}

static void balance(const economy *e, const perp_dual *x, perp_dual *F)
{
  const perp_dual *p = x, *y = x + e->goods, *income = y + e->activities;
  perp_dual *market = F, *profit = F + e->goods, *budget = profit + e->activities;
  for (int k = 0; k < e->goods; k++)
    market[k] = 0;
  add_demand(e, p, income, market);
  for (int s = 0; s < e->activities; s++) {
    profit[s] = 0;
    for (int k = 0; k < e->goods; k++) {
      const double a = e->a[k * e->activities + s];
      market[k] += a * y[s];
      profit[s] -= a * p[k];
    }
  }
  for (int h = 0; h < e->consumers; h++) {
    budget[h] = income[h];
    for (int k = 0; k < e->goods; k++)
      budget[h] -= e->have[k * e->consumers + h] * p[k];
  }
}

static void least_prices(const economy *e, double *lo)
{
  for (int k = 0; k < e->goods; k++)
    lo[k] = is_wanted(e, k) ? 1e-5 : 0;
}

/* ---- Scarf: capital at the end, nondurables, durables, capital, skilled and unskilled labour ---- */

static const double scarf_a[6 * 8] = {
    4,    4,   1.6, 1.6, 1.6, 0.9, 7,  8,  /**/
    0,    0,   6,   8,   7,   0,   0,  0,  /**/
    4,    3.5, 0,   0,   0,   0,   0,  0,  /**/
    -5.3, -5,  -2,  -2,  -2,  -1,  -4, -5, /**/
    -2,   -1,  -2,  -4,  -1,  0,   -3, -2, /**/
    -1,   -6,  -3,  -1,  -8,  0,   -1, -8,
};
static const double scarf_have[6 * 5] = {
    0,   0,   0,   0,   0,   /**/
    0,   0,   0,   0,   0,   /**/
    1,   2,   1.5, 1,   2,   /**/
    3,   0.1, 2,   1,   6,   /**/
    5,   0.1, 6,   0.1, 0.1, /**/
    0.1, 7,   0.1, 8,   0.5,
};
static const double scarf_want[6 * 5] = {
    4,   0.4, 2,   5,   3, /**/
    2,   4,   2,   5,   4, /**/
    3.2, 1,   1.5, 4.5, 2, /**/
    0,   0,   0,   0,   0, /**/
    0.2, 0,   0.5, 0,   0, /**/
    0,   0.6, 0,   0.2, 0.2,
};
static const double scarf_elasticity[5] = {1.2, 1.6, 0.8, 0.5, 0.6};
static const economy scarf_economy = {6, 8, 5, scarf_a, scarf_have, scarf_want, scarf_elasticity};

static void scarf(const perp_dual *x, perp_dual *F)
{
  balance(&scarf_economy, x, F);
}

/* at prices of 1: the income of the first consumer, which is fixed */
static const double scarf_income = 9.1;

static void scarf_bounds(double *lo, double *hi)
{
  least_prices(&scarf_economy, lo);
  lo[14] = hi[14] = scarf_income;
}

static void scarf_starts(int k, double *x)
{
  for (int i = 0; i < 19; i++)
    x[i] = (double[]){1, 0.5}[k];
  for (int h = 0; h < 5; h++) {
    x[14 + h] = 0;
    for (int c = 0; c < 6; c++)
      x[14 + h] += scarf_have[5 * c + h];
  }
}

/* ---- Hansen: 14 goods, 12 activities at home, 7 imports, 7 exports; shares are constant ---- */

static const double hansen_a[14 * 26] = {
    5,     -3.5,  -0.1,  0,     -0.7,  0,     0,     0,     0,     0,     0,     0,     1,
    0,     0,     0,     0,     0,     0,     -1,    0,     0,     0,     0,     0,     0,
    -0.9,  5,     -0.1,  0,     -0.8,  0,     0,     0,     0,     0,     0,     0,     0,
    1,     0,     0,     0,     0,     0,     0,     -1,    0,     0,     0,     0,     0,
    -0.2,  -0.5,  2,     -0.1,  -0.1,  -0.8,  -0.4,  -0.1,  -0.1,  -0.1,  0,     0,     0,
    0,     1,     0,     0,     0,     0,     0,     0,     -1,    0,     0,     0,     0,
    -1,    -2,    -2,    2,     -2,    -0.4,  -1.8,  -1.6,  -0.8,  -0.2,  0,     0,     -0.4,
    -0.2,  -0.2,  -0.4,  -0.4,  -0.4,  -0.4,  -0.2,  -0.2,  -0.2,  -0.4,  -0.4,  -0.4,  -0.4,
    0,     0,     0,     0,     4,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0,     0,     0,     0.32,  0,     0.8,   0,     0,     0,     0,     0,     0.36,  0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    0.4,   1.3,   1.2,   0,     0,     1.1,   6,     1.8,   1.2,   0.4,   0.9,   0,     0,
    0,     0,     1,     0,     0,     0,     0,     0,     0,     -1,    0,     0,     0,
    -0.2,  -0.4,  -0.2,  -0.1,  0,     -1,    -2,    2,     -0.5,  -0.2,  0,     0,     0,
    0,     0,     0,     1,     0,     0,     0,     0,     0,     0,     -1,    0,     0,
    -1,    -0.1,  -0.1,  -1,    0,     0,     -0.2,  -1,    2,     -0.2,  0,     0,     0,
    0,     0,     0,     0,     1,     0,     0,     0,     0,     0,     0,     -1,    0,
    -0.5,  -0.4,  -0.3,  -0.3,  0,     -3,    -0.2,  -0.2,  -0.5,  1,     0,     0,     0,
    0,     0,     0,     0,     0,     1,     0,     0,     0,     0,     0,     0,     -1,
    0,     0,     0,     -0.4,  0,     0,     0,     0,     0,     0,     0,     -0.4,  0,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,
    -0.5,  -1.5,  -1.5,  -0.1,  -0.1,  -1.5,  -2.5,  -2.5,  -1.5,  -0.5,  -1,    0,     -0.2,
    -0.1,  -0.1,  -0.2,  -0.2,  -0.2,  -0.2,  -0.2,  -0.1,  -0.1,  -0.2,  -0.2,  -0.2,  -0.2,
    -0.4,  -0.2,  -0.2,  -0.02, -0.4,  -0.3,  -0.1,  -0.1,  -0.4,  -0.4,  0,     0,     -0.04,
    -0.02, -0.02, -0.04, -0.04, -0.04, -0.04, -0.04, -0.02, -0.02, -0.04, -0.04, -0.04, -0.04,
    0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     0,     -0.5,
    -0.4,  -0.8,  -1.2,  -0.6,  -0.7,  -0.4,  0.5,   0.4,   0.8,   1.2,   0.6,   0.7,   0.4};
static const double hansen_have[14 * 4] = {
    [40] = 2,   [41] = 0.4, [43] = 0.8, [44] = 3, [45] = 2,
    [47] = 7.5, [48] = 0.6, [49] = 0.8, [50] = 1, [51] = 0.6,
};
static const double hansen_want[14 * 4] = {
    0.1, 0.2, 0.3, 0.1, /**/
    0.2, 0.2, 0.2, 0.2, /**/
    0.1, 0.1, 0.3, 0.1, /**/
    0.1, 0.1, 0.1, 0.1, /**/
    0.1, 0.1, 0.1, 0.1, /**/
    0.3, 0.1, 0,   0.1, /**/
    0.1, 0.2, 0,   0.3,
};
static const double hansen_elasticity[4] = {1, 1, 1, 1};
static const economy hansen_economy = {
    14, 26, 4, hansen_a, hansen_have, hansen_want, hansen_elasticity};

static void hansen(const perp_dual *x, perp_dual *F)
{
  balance(&hansen_economy, x, F);
}

static void hansen_bounds(double *lo, double *hi)
{
  least_prices(&hansen_economy, lo);
  lo[0] = hi[0] = 1; /* the first good counts prices */
}

static void hansen_starts(int k, double *x)
{
  for (int i = 0; i < 44; i++)
    x[i] = (double[]){1, 0.5}[k];
  x[0] = 1;
}

/* ---- Harker 1986: three regions and three crossings; demand (rho - p) / eta, marginal cost
 * alpha + 2 beta y, a link of t costs kappa t + nu t^3. Unknowns: demand d[3], marginal costs c[6],
 * prices p[3], sales x[3], shipments t[14], production y[3] ---- */

enum { D_ = 0, C_ = 3, P_ = 9, X_ = 12, T_ = 15, Y_ = 29, SPATIAL = 32, LINKS = 14 };

static const struct {
  int from, to;
  double kappa, nu;
} link[LINKS] = {{0, 3, 1, 0.5},  {0, 4, 2, 0.2}, {1, 5, 3, 0.3}, {2, 5, 1, 0.4}, {3, 0, 2, 0.3},
                 {3, 4, 1, 0.1},  {3, 5, 1, 0.1}, {4, 0, 3, 0.5}, {4, 3, 2, 0.2}, {4, 5, 1, 1},
                 {5, 1, 2, 0.25}, {5, 2, 2, 0.2}, {5, 3, 1, 0.9}, {5, 4, 3, 0.8}};

/* monopoly: the seller knows how the price falls; factor: 1, transport is paid at average cost, or 3,
 * at marginal cost */
static void compete(const perp_dual *x, bool monopoly, double factor, perp_dual *F)
{
  static const double alpha[3] = {1, 2, 1.5}, beta[3] = {0.5, 0.4, 0.3};
  static const double rho[3] = {19, 27, 30}, eta[3] = {0.2, 0.01, 0.3};
  for (int n = 0; n < 6; n++)
    F[C_ + n] = n < 3 ? x[Y_ + n] - x[X_ + n] : 0;
  for (int l = 0; l < 3; l++) {
    F[D_ + l] = eta[l] * x[D_ + l] - rho[l] + x[P_ + l];
    F[P_ + l] = x[X_ + l] - x[D_ + l];
    F[X_ + l] = x[C_ + l] - x[P_ + l] + (monopoly ? eta[l] : 0) * x[X_ + l];
    F[Y_ + l] = alpha[l] + 2 * beta[l] * x[Y_ + l] - x[C_ + l];
  }
  for (int k = 0; k < LINKS; k++) {
    const perp_dual t = x[T_ + k];
    F[T_ + k] =
        x[C_ + link[k].from] + link[k].kappa + factor * link[k].nu * t * t - x[C_ + link[k].to];
    F[C_ + link[k].from] -= t;
    F[C_ + link[k].to] += t;
  }
}

static void competitive(const perp_dual *x, perp_dual *F)
{
  compete(x, false, 1, F);
}

static void monopoly(const perp_dual *x, perp_dual *F)
{
  compete(x, true, 3, F);
}

static void monopoly_average(const perp_dual *x, perp_dual *F)
{
  compete(x, true, 1, F);
}

static void spatial_starts(int k, double *x)
{
  for (int i = 0; i < SPATIAL; i++)
    x[i] = k == 1 ? 10 : i >= Y_ ? 25 : i < T_ ? 1 : 0;
}

const perp_ncp_kind perp_ncp_economies[] = {
    {"scarf", "six goods, eight activities, five consumers", "scarf-hansen-1973", 19, 2,
     scarf_bounds, scarf_starts, scarf, NULL},
    {"hansen", "fourteen goods, with imports and exports", "scarf-hansen-1973", 44, 2,
     hansen_bounds, hansen_starts, hansen, NULL},
    {"harker-competitive", "spatial prices, transport at average cost", "harker-1986", SPATIAL, 2,
     NULL, spatial_starts, competitive, NULL},
    {"harker-monopoly", "one seller, transport at marginal cost", "harker-1986", SPATIAL, 2, NULL,
     spatial_starts, monopoly, NULL},
    {"harker-monopoly-average", "one seller, transport at average cost", "harker-1986", SPATIAL, 2,
     NULL, spatial_starts, monopoly_average, NULL},
    {0},
};
