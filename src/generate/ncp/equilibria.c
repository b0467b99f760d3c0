/* equilibria.c: economies, growth, and drivers on a ring of roads */
#include "generate/ncp/ncp.h"

/* ---- Economies ----
 *
 * An economy of activities (Scarf, Hansen 1973) has prices p, activities y and incomes i:
 *
 *   p    a y + e >= demand(p, i)       markets clear
 *   y    -a^T p >= 0                   no activity makes a profit
 *   i    i_h >= p^T e_h                the income of consumer h
 *
 * with demand i_h alpha_ch p_c^-s / sum_k alpha_kh p_k^(1 - s), s the elasticity of consumer h. Prices
 * of goods that are wanted are at least 1e-5. One number is fixed, since only ratios of prices count. */

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

static void balance(const void *data, const perp_dual *x, perp_dual *F)
{
  const economy *e = data;
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

/* at prices of 1: the income of the first consumer, which is fixed */
static const double scarf_income = 9.1;

static void scarf_bounds(double *lo, double *hi)
{
  lo[14] = hi[14] = scarf_income;
}

static void scarf_starts(int k, double *x)
{
  (void)k;
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

static void hansen_bounds(double *lo, double *hi)
{
  lo[0] = hi[0] = 1; /* the first good counts prices */
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

typedef struct market {
  bool monopoly; /* the seller knows how the price falls */
  double factor; /* 1: transport is paid at average cost, 3: at marginal cost */
} market;

static void compete(const void *data, const perp_dual *x, perp_dual *F)
{
  const market *m = data;
  static const double alpha[3] = {1, 2, 1.5}, beta[3] = {0.5, 0.4, 0.3};
  static const double rho[3] = {19, 27, 30}, eta[3] = {0.2, 0.01, 0.3};
  for (int n = 0; n < 6; n++)
    F[C_ + n] = n < 3 ? x[Y_ + n] - x[X_ + n] : 0;
  for (int l = 0; l < 3; l++) {
    F[D_ + l] = eta[l] * x[D_ + l] - rho[l] + x[P_ + l];
    F[P_ + l] = x[X_ + l] - x[D_ + l];
    F[X_ + l] = x[C_ + l] - x[P_ + l] + (m->monopoly ? eta[l] : 0) * x[X_ + l];
    F[Y_ + l] = alpha[l] + 2 * beta[l] * x[Y_ + l] - x[C_ + l];
  }
  for (int k = 0; k < LINKS; k++) {
    const perp_dual t = x[T_ + k];
    F[T_ + k] =
        x[C_ + link[k].from] + link[k].kappa + m->factor * link[k].nu * t * t - x[C_ + link[k].to];
    F[C_ + link[k].from] -= t;
    F[C_ + link[k].to] += t;
  }
}

static void spatial_starts(int k, double *x)
{
  for (int i = 0; i < SPATIAL; i++)
    x[i] = k == 1 ? 10 : i >= Y_ ? 25 : i < T_ ? 1 : 0;
}

const perp_ncp_kind perp_ncp_economies[] = {
    {"scarf", "six goods, eight activities, five consumers", "scarf-hansen-1973", 19, 2,
     .family = balance, .data = &scarf_economy, .bounds = scarf_bounds,
     .lo = (const double[19]){1e-5, 1e-5, 1e-5, 0, 1e-5, 1e-5}, .levels = (const double[]){1, 0.5},
     .start = scarf_starts},
    {"hansen", "fourteen goods, with imports and exports", "scarf-hansen-1973", 44, 2,
     .family = balance, .data = &hansen_economy, .bounds = hansen_bounds,
     .lo = (const double[44]){1, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5},
     .levels = (const double[]){1, 0.5}},
    {"harker-competitive", "spatial prices, transport at average cost", "harker-1986", SPATIAL, 2,
     .family = compete, .data = &(const market){false, 1}, .start = spatial_starts},
    {"harker-monopoly", "one seller, transport at marginal cost", "harker-1986", SPATIAL, 2,
     .family = compete, .data = &(const market){true, 3}, .start = spatial_starts},
    {"harker-monopoly-average", "one seller, transport at average cost", "harker-1986", SPATIAL, 2,
     .family = compete, .data = &(const market){true, 1}, .start = spatial_starts},
    {0}};

/* ---- Growth ----
 *
 * We did not have the data of the two papers; the numbers are our own.
 *
 * Hansen, Koopmans 1972. Activities x use capital goods A x, leave B x of them to the next period
 * and take C x <= w of the resources; v(x) is the utility of a period, and later periods count
 * alpha as much as the one before. A stock that an optimal path leaves unchanged has prices y and
 * rents u with
 *
 *   x >= 0  ⊥  -v'(x) + (A - alpha B)^T y + C^T u,   y >= 0  ⊥  (B - A) x,   u >= 0  ⊥  w - C x
 *
 * v = product of (a_k^T x)^0.2 over three goods, each made by two activities; it has no slope at 0.
 *
 * Tobin 1988. Places i with prices p_i, supply and demand that depend on the prices of several
 * places, and links a from i to j with flows f_a, whose cost depends on the flow the other way,
 * too:
 *
 *   f >= 0  ⊥  c_a(f) + p_i - p_j,   p  ⊥  supply_i(p) - demand_i(p) + inflow - outflow */

/* ---- Hansen, Koopmans ---- */

enum { ACTIVITIES = 10, STOCKS = 2, RESOURCES = 2, GOODS = 3, GROWTH = 14 };

static const double use[STOCKS][ACTIVITIES] = {{1, 2, 0.5, 1, 0.3, 0.8, 0.6, 1.2, 0.4, 0.2},
                                               {0.5, 0.2, 1, 0.4, 0.9, 0.3, 0.3, 0.1, 0.8, 1.5}};
static const double resource[RESOURCES][ACTIVITIES] = {{1, 0.5, 1, 0.6, 1.2, 0.8, 1, 0.6, 1, 0.7},
                                                       {0.2, 0.4, 0.3, 0.5, 0.1, 0.2, 0, 0, 0, 0}};
static const double endowment[RESOURCES] = {10, 4};

/* B: a seventh of the capital wears out; activities 6 and 7 make a unit of the first good, 8 and 9
 * of the second */
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

/* ---- Tobin ---- */

enum { PLACES = 5, ROADS = 14, PRICES = PLACES + ROADS };

/* a road and the one back follow each other */
static const struct {
  int from, to;
  double fixed, slope, cube;
} road[ROADS] = {{0, 1, 1, 0.5, 0.02}, {1, 0, 1, 0.4, 0.01}, {0, 2, 3, 0.2, 0.01},
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
  for (int a = 0; a < ROADS; a++) {
    const perp_dual other = f[a ^ 1];
    F[PLACES + a] = road[a].fixed + road[a].slope * (f[a] + 0.2 * other) +
                    road[a].cube * f[a] * f[a] * f[a] + p[road[a].from] - p[road[a].to];
    F[road[a].from] -= f[a];
    F[road[a].to] += f[a];
  }
}

static void prices_starts(int k, double *x)
{
  for (int i = 0; i < PRICES; i++)
    x[i] = i < PLACES ? (double[]){1, 10, 100}[k] : (double[]){0, 1, 10}[k];
}

const perp_ncp_kind perp_ncp_growth[] = {
    {"hansen-koopmans", "a capital stock that stays as it is; numbers of our own",
     "hansen-koopmans-1972", GROWTH, 3, growth, .levels = (const double[]){1, 10, 0.1}},
    {"tobin", "prices of five places on a network; numbers of our own", "tobin-1988", PRICES, 3,
     prices, .lo = (const double[PRICES]){1e-3, 1e-3, 1e-3, 1e-3, 1e-3}, .start = prices_starts},
    {0}};

/* ---- Traffic ----
 *
 * Five towns are on a ring. demand_i drivers go from town i to town i + 3: x_i of them by the outer
 * road, over three highways, z_i by the inner one the other way round, over two. At a town a driver
 * passes by a bypass, enters by an on-ramp and leaves by an off-ramp. With g(f) = 1 + f + f^2 a
 * link that carries the flow f takes
 *
 *   on-ramp   g(f) + gamma g(flow on the bypass that it joins)
 *   highway   10 g(f) + 2 gamma g(flow that leaves at its end)
 *   bypass, off-ramp   g(f)
 *
 * so that the Jacobian is not symmetric. No driver can improve by switching (Wardrop 1952):
 *
 *   x_i >= 0  ⊥  time of the outer way - y_i >= 0,     z_i the same inside,     x_i + z_i = demand_i
 *
 * with y_i, free, the time from i to i + 3. Demands and gamma are from Dirkse and Ferris 1995. */

enum { TOWNS = 5, OUTER_ = 0, INNER_ = TOWNS, TIME_ = 2 * TOWNS, UNKNOWNS = 3 * TOWNS };

static int town(int k)
{
  return (k % TOWNS + TOWNS) % TOWNS;
}

static perp_dual g(perp_dual flow)
{
  return 1 + flow + flow * flow;
}

/* Returns the flow of drivers who have passed first..highways - 1 highways when they reach town
 * k. */
static perp_dual flow_at(const perp_dual *f, int k, int step, int first, int highways)
{
  perp_dual sum = 0;
  for (int j = first; j < highways; j++)
    sum += f[town(k - j * step)];
  return sum;
}

/* Adds time_i of the way from town i over `highways` highways; step = 1 or -1. */
static void add_times(const perp_dual *f, int step, int highways, double gamma, perp_dual *time)
{
  for (int i = 0; i < TOWNS; i++) {
    time[i] += g(f[i]) + gamma * g(flow_at(f, i, step, 1, highways)); /* on-ramp */
    for (int j = 0; j < highways; j++) {
      const int k = town(i + j * step);
      time[i] += 10 * g(flow_at(f, k, step, 0, highways)) +
                 2 * gamma * g(f[town(k - (highways - 1) * step)]);
      if (j > 0)
        time[i] += g(flow_at(f, k, step, 1, highways)); /* bypass */
    }
    time[i] += g(f[i]); /* off-ramp */
  }
}

typedef struct drivers {
  double demand[TOWNS], gamma;
} drivers;

static void drive(const void *data, const perp_dual *x, perp_dual *F)
{
  const drivers *d = data;
  for (int i = 0; i < TOWNS; i++) {
    F[OUTER_ + i] = F[INNER_ + i] = -x[TIME_ + i];
    F[TIME_ + i] = x[OUTER_ + i] + x[INNER_ + i] - d->demand[i];
  }
  add_times(x + OUTER_, 1, 3, d->gamma, F + OUTER_);
  add_times(x + INNER_, -1, 2, d->gamma, F + INNER_);
}

static const double towns_lo[UNKNOWNS] = {
    [TIME_] = -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};

static void traffic_starts(int k, double *x)
{
  static const double flows[] = {0, 0.5, 100, 0, 0}, times[] = {0, 0.5, 100, 100, 1};
  for (int i = 0; i < UNKNOWNS; i++)
    x[i] = (i < TIME_ ? flows : times)[k];
}

const perp_ncp_kind perp_ncp_traffic[] = {
    {"bertsekas-gafni", "drivers on a ring of roads", "bertsekas-gafni-1982", UNKNOWNS, 5,
     .family = drive, .data = &(const drivers){{0.1, 0.2, 0.3, 0.4, 0.5}, 0.5}, .lo = towns_lo,
     .start = traffic_starts},
    {"bertsekas-gafni-heavy", "the same with more drivers, who are more in the way",
     "bertsekas-gafni-1982", UNKNOWNS, 5, .family = drive,
     .data = &(const drivers){{1, 8, 1, 8, 1}, 4}, .lo = towns_lo, .start = traffic_starts},
    {0}};
