/* classics.c: equilibria and small test problems from the literature since 1976 */
#include "generate/ncp/ncp.h"

/* ---- Kojima, Shindo 1986; Josephy 1979: they differ in three numbers. Starts: the eight of MCPLIB (Dirkse,
 * Ferris 1995) ---- */

typedef struct four_numbers {
  double a, b, c;
} four_numbers;

static void four(const void *numbers, const perp_dual *x, perp_dual *F)
{
  const four_numbers *n = numbers;
  const perp_dual s = x[0] * x[0], t = x[1] * x[1];
  F[0] = 3 * s + 2 * x[0] * x[1] + 2 * t + x[2] + 3 * x[3] - 6;
  F[1] = 2 * s + x[0] + t + n->a * x[2] + 2 * x[3] - 2;
  F[2] = 3 * s + x[0] * x[1] + 2 * t + 2 * x[2] + n->b * x[3] - n->c;
  F[3] = s + 3 * t + 2 * x[2] + 3 * x[3] - 3;
}

static const double four_starts[] = {
    0, 0, 0, 0, /**/ 1, 1, 1, 1, /**/ 100, 100, 100, 100, /**/ 1,    0, 1, 0, /**/
    1, 0, 0, 0, /**/ 0, 1, 1, 0, /**/ 0,   1,   0,   1,   /**/ 1.25, 0, 0, 0.5};

static const double four_known[] = {1.2247448713915890 /* sqrt 1.5 */, 0, 0, 0.5};

/* ---- Mathiesen 1987: an activity y and prices p of three goods. Endowment (0, 5, 3), shares of the
 * budget (0.9, 0.1, 0); the activity makes good 1 of 2 and 3 ---- */

static void walras(const perp_dual *x, double more, perp_dual *F)
{
  F[0] = -x[1] + x[2] + x[3];
  F[1] = x[0] - (4.5 * x[2] + 2.7 * x[3]) / (x[1] + more);
  F[2] = 5 - x[0] - (0.5 * x[2] + 0.3 * x[3]) / (x[2] + more);
  F[3] = 3 - x[0];
}

static void mathiesen(const perp_dual *x, perp_dual *F)
{
  if (!(creal(x[1]) > 0) || !(creal(x[2]) > 0))
    F[0] = F[1] = F[2] = F[3] = NAN; /* a price of 0 */
  else
    walras(x, 0, F);
}

static void mathiesen_modified(const perp_dual *x, perp_dual *F)
{
  walras(x, 1, F);
}

static const double walras_starts[] = {1, 1, 1, 1, /**/ 10, 10, 10, 10, /**/ 2, 8, 1, 9};

/* ---- Nash-Cournot: firm i sells q_i at the price p(Q) = 5000^(1/gamma) Q^(-1/gamma), and its
 * marginal cost is c_i + (L q_i)^(1/beta_i). Five firms: L = 1/5 (Murphy, Sherali, Soyster 1982,
 * who write q_i / 5). Ten firms: c, beta, gamma and L = 10 from Harker 1988, as in nash.gms of
 * MCPLIB (Dirkse, Ferris 1995), with its starts; the solution is the published one ---- */

typedef struct firms {
  int n;
  double L, gamma, c[10], beta[10];
} firms;

static void cournot(const void *data, const perp_dual *q, perp_dual *F)
{
  const firms *f = data;
  perp_dual Q = 0;
  for (int i = 0; i < f->n; i++)
    Q += q[i];
  const perp_dual p = perp_pow(5000, 1 / f->gamma) * perp_dual_pow(Q, -1 / f->gamma);
  for (int i = 0; i < f->n; i++) {
    const perp_dual cost = creal(q[i]) > 0 ? perp_dual_pow(q[i] * f->L, 1 / f->beta[i]) : q[i] * 0;
    F[i] = f->c[i] + cost - p + q[i] * p / (f->gamma * Q);
  }
}

static const firms five = {5, 0.2, 1.1, {10, 8, 6, 4, 2}, {1.2, 1.1, 1, 0.9, 0.8}};
static const firms ten = {
    10, 10, 1.2, {5, 3, 8, 5, 1, 3, 7, 4, 6, 3}, {1.2, 1, 0.9, 0.6, 1.5, 1, 0.7, 1.1, 0.95, 0.75}};
static const double ten_starts[5 * 10] = {10,  10,  10,  10,  10,  10,  10,  10,  10,  10,  /**/
                                          1,   1,   1,   1,   1,   1,   1,   1,   1,   1,   /**/
                                          100, 100, 100, 100, 100, 100, 100, 100, 100, 100, /**/
                                          1,   1.2, 1.4, 1.6, 1.8, 2.1, 2.3, 2.5, 2.7, 2.9, /**/
                                          7,   4,   3,   1,   18,  4,   1,   6,   3,   2};

/* ---- Billups 1995: merit functions have local minima on the way ---- */

static void billups(const perp_dual *x, perp_dual *F)
{
  F[0] = perp_dual_square(x[0] - 1) - 1.01;
}

/* ---- Watson 1979: the gradient of exp(sum (x_i - i + 2)^2), i = 1 .. 5 ---- */

static void watson(const perp_dual *x, perp_dual *F)
{
  perp_dual sum = 0;
  for (int i = 0; i < 5; i++)
    sum += perp_dual_square(x[i] - i + 1);
  const perp_dual e = perp_dual_exp(sum);
  for (int i = 0; i < 5; i++)
    F[i] = 2 * (x[i] - i + 1) * e;
}

/* ---- PIES, Hogan 1975 and Josephy 1979: coal, light and heavy oil from regions to users. A linear
 * program of production and transport, whose demand depends on its prices:
 *   min c^T x, A x >= q(p), B x = 0, resources;   c - A^T p - B^T v - R^T r complementary to x, ... ---- */

/* Unknowns: coal c[2][3], oil o[2][2], coal transport ct[2][2], crude ot[2][2], light lt[2][2], heavy
 * ht[2][2], prices p[3][2]; multipliers of balances of coal, oil, light, heavy [2] each; resources [2] */
enum { C_ = 0, O_ = 6, CT_ = 10, OT_ = 14, LT_ = 18, HT_ = 22, P_ = 26, CM_ = 32, OM_ = 34 };
enum { LM_ = 36, HM_ = 38, R_ = 40, PIES = 42 };

static const double coal_most[6] = {300, 300, 400, 200, 300, 600};
static const double oil_most[4] = {1100, 1200, 1300, 1100};

static void pies_bounds(double *lo, double *hi)
{
  for (int i = 0; i < 6; i++)
    hi[C_ + i] = coal_most[i];
  for (int i = 0; i < 4; i++)
    hi[O_ + i] = oil_most[i];
  for (int i = P_; i < CM_; i++)
    lo[i] = 0.1;
  for (int i = CM_; i < R_; i++)
    lo[i] = -INFINITY;
}

static perp_dual demand(const perp_dual *p, int good, int user)
{
  static const double q0[3] = {1000, 1200, 1000}, p0[3] = {12, 16, 12};
  static const double elastic[3][3] = {{-0.75, 0.1, 0.2}, {0.1, -0.5, 0.2}, {0.2, 0.1, -0.5}};
  perp_dual q = q0[good];
  for (int k = 0; k < 3; k++)
    q *= perp_dual_pow(p[2 * k + user] / p0[k], elastic[good][k]);
  return q;
}

/* costs less prices of the shipped goods: complementary to the amounts */
static void pies_trade(const perp_dual *x, perp_dual *F)
{
  static const double coal[2][2] = {{1, 2.5}, {0.75, 2.75}}, crude[2][2] = {{2, 3}, {4, 2}};
  static const double oil[2][2] = {{1, 1.2}, {1, 1.5}}, refine[2] = {6.5, 5};
  static const double light[2] = {0.6, 0.5}, heavy[2] = {0.4, 0.5};
  const perp_dual *p = x + P_;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      F[CT_ + 2 * a + b] = coal[a][b] - p[b] + x[CM_ + a];
      F[OT_ + 2 * a + b] =
          crude[a][b] + refine[b] + x[OM_ + a] - light[b] * x[LM_ + b] - heavy[b] * x[HM_ + b];
      F[LT_ + 2 * a + b] = oil[a][b] - p[2 + b] + x[LM_ + a];
      F[HT_ + 2 * a + b] = oil[a][b] - p[4 + b] + x[HM_ + a];
    }
}

static void pies_balance(const perp_dual *x, perp_dual *F)
{
  static const double light[2] = {0.6, 0.5}, heavy[2] = {0.4, 0.5};
  for (int a = 0; a < 2; a++) {
    F[CM_ + a] =
        x[C_ + 3 * a] + x[C_ + 3 * a + 1] + x[C_ + 3 * a + 2] - x[CT_ + 2 * a] - x[CT_ + 2 * a + 1];
    F[OM_ + a] = x[O_ + 2 * a] + x[O_ + 2 * a + 1] - x[OT_ + 2 * a] - x[OT_ + 2 * a + 1];
    const perp_dual crude = x[OT_ + a] + x[OT_ + 2 + a];
    F[LM_ + a] = light[a] * crude - x[LT_ + 2 * a] - x[LT_ + 2 * a + 1];
    F[HM_ + a] = heavy[a] * crude - x[HT_ + 2 * a] - x[HT_ + 2 * a + 1];
  }
  for (int user = 0; user < 2; user++) {
    F[P_ + user] = x[CT_ + user] + x[CT_ + 2 + user] - demand(x + P_, 0, user);
    F[P_ + 2 + user] = x[LT_ + user] + x[LT_ + 2 + user] - demand(x + P_, 1, user);
    F[P_ + 4 + user] = x[HT_ + user] + x[HT_ + 2 + user] - demand(x + P_, 2, user);
  }
}

static void pies(const perp_dual *x, perp_dual *F)
{
  static const double most[2] = {35000, 12000};
  static const double coal_use[2][6] = {{1, 5, 10, 1, 5, 6}, {1, 2, 3, 1, 4, 5}};
  static const double oil_use[2][4] = {{0, 10, 0, 15}, {0, 4, 0, 2}};
  static const double coal_cost[6] = {5, 6, 8, 4, 5, 7}, oil_cost[4] = {1, 1.5, 1.25, 1.5};
  for (int i = 0; i < 6; i++)
    F[C_ + i] = coal_cost[i] - x[CM_ + i / 3] + x[R_] * coal_use[0][i] + x[R_ + 1] * coal_use[1][i];
  for (int i = 0; i < 4; i++)
    F[O_ + i] = oil_cost[i] - x[OM_ + i / 2] + x[R_] * oil_use[0][i] + x[R_ + 1] * oil_use[1][i];
  pies_trade(x, F);
  pies_balance(x, F);
  for (int r = 0; r < 2; r++) {
    F[R_ + r] = most[r];
    for (int i = 0; i < 6; i++)
      F[R_ + r] -= coal_use[r][i] * x[C_ + i];
    for (int i = 0; i < 4; i++)
      F[R_ + r] -= oil_use[r][i] * x[O_ + i];
  }
}

static void pies_starts(int k, double *x)
{
  static const double given[PIES] = {300, 300,  400, 200,  300,  600,  1100, 1000, 1300, 1000, 0,
                                     828, 1016, 84,  2075, 0,    0,    2358, 22,   1223, 1179, 0,
                                     0,   830,  998, 180,  11.7, 13.7, 15.8, 16,   11.9, 12.4, 1,
                                     1,   1,    1,   1,    1,    1,    1,    1,    1};
  for (int i = 0; i < PIES; i++)
    x[i] = k == 0 ? given[i] : k == 1 ? 1 : i >= P_ && i < CM_ ? 10 : 0;
}

/* ---- Takayama, Judge 1964: two goods in three regions, linear demand and supply by prices P[region][
 * good], shipments from a to b at a cost; P_b <= P_a + cost ---- */

static void spatial(const perp_dual *x, perp_dual *F)
{
  static const double a[3][2] = {{200, 300}, {100, 200}, {160, 250}}, s[2] = {-50, -60};
  static const double demand_own[3][2] = {{-10, -10}, {-5, -20}, {-8, -10}};
  static const double supply_own[3][2] = {{10, 15}, {20, 25}, {10, 15}};
  static const double cost[3][3][2] = {
      {{0, 0}, {2, 3}, {2, 3}}, {{2, 3}, {0, 0}, {1, 2}}, {{2, 3}, {1, 2}, {0, 0}}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 2; c++) {
      const perp_dual own = x[2 * r + c], other = x[2 * r + 1 - c];
      F[2 * r + c] =
          s[c] + supply_own[r][c] * own + 0.5 * other - (a[r][c] + demand_own[r][c] * own + other);
    }
  for (int from = 0, k = 6; from < 3; from++)
    for (int to = 0; to < 3; to++)
      for (int c = 0; c < 2 && from != to; c++, k++) {
        F[k] = x[2 * from + c] + cost[from][to][c] - x[2 * to + c];
        F[2 * from + c] -= x[k];
        F[2 * to + c] += x[k];
      }
}

/* ---- Braess 1968: six cars, three roads; cost of a road 10 f, 50 + f, 10 + f ---- */

static void braess(const perp_dual *x, perp_dual *F)
{
  const perp_dual in = 10 * (x[0] + x[2]), out = 10 * (x[1] + x[2]);
  F[0] = in + 50 + x[0] - x[3];
  F[1] = 50 + x[1] + out - x[3];
  F[2] = in + 10 + x[2] + out - x[3];
  F[3] = x[0] + x[1] + x[2] - 6;
}

/* ---- Harker 1991: two players with a constraint in common, x_1 + x_2 <= 15, 0 <= x_i <= 10 ---- */

static void harker(const perp_dual *x, perp_dual *F)
{
  F[0] = 2 * x[0] + 8.0 / 3 * x[1] - 34 + x[2];
  F[1] = 2 * x[1] + 1.25 * x[0] - 24.25 + x[2];
  F[2] = 15 - x[0] - x[1];
}

/* ---- Bimatrix games by costs A and B > 0 (Lemke, Howson 1964): F = (A y - 1, B^T x - 1) ---- */

typedef struct game {
  int m;
  const double *A, *B;
} game;

static void bimatrix(const void *data, const perp_dual *x, perp_dual *F)
{
  const game *g = data;
  for (int i = 0; i < g->m; i++) {
    F[i] = F[g->m + i] = -1;
    for (int j = 0; j < g->m; j++) {
      F[i] += g->A[g->m * i + j] * x[g->m + j];
      F[g->m + i] += g->B[g->m * j + i] * x[j];
    }
  }
}

/* Luce, Raiffa 1957: payoffs (2, 1), (1, 2) for the same choice, -1 each for different ones; the
 * costs are 3 - payoff */
static const game battle = {2, (const double[]){1, 4, 4, 2}, (const double[]){2, 4, 4, 1}};
/* Zero-sum: payoffs 1 and -1, and 0 in rock, paper, scissors, subtracted from 2. */
static const game pennies = {2, (const double[]){1, 3, 3, 1}, (const double[]){3, 1, 1, 3}};
static const game paper = {3, (const double[]){2, 3, 1, 1, 2, 3, 3, 1, 2},
                           (const double[]){2, 1, 3, 3, 2, 1, 1, 3, 2}};
static const double game_starts[] = {0, 0, 0, 0, /**/ 1, 1.1, 1.2, 1.3};

/* ---- Murty 1978: a triangle of 2s, on which Lemke's method takes 2^n steps ---- */

enum { MURTY = 16, CHAIN = 64 };

static void murty(const perp_dual *x, perp_dual *F)
{
  perp_dual sum = 0;
  for (int i = MURTY - 1; i >= 0; i--) {
    F[i] = x[i] + 2 * sum - 1;
    sum += x[i];
  }
}

/* ---- Geiger, Kanzow 1996: (-1, 4, -1) and -1 ---- */

static void chain(const perp_dual *x, perp_dual *F)
{
  for (int i = 0; i < CHAIN; i++)
    F[i] = 4 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < CHAIN - 1 ? x[i + 1] : 0) - 1;
}

/* ---- Our own: a block on a belt of velocity 1, pulled by a spring, with the friction of Stribeck:
 * mu(v) = 0.3 + 0.2 exp(-v^2 / 0.01), by an implicit step of 0.1 s. Unknowns: the velocities v+ and v- of
 * slip, one of which is 0, and the friction r of the belt.
 *   r in [-mu N, mu N]: v+ with N mu - r >= 0, v- with N mu + r >= 0; balance: v+ - v- = slip(r) ---- */

static void stribeck(const perp_dual *x, perp_dual *F)
{
  const double N = 9.81, h = 0.1, spring = 100, stretch = 0.02, v = 0.4, belt = 1;
  const perp_dual slip = x[0] - x[1]; /* of the belt against the block */
  const perp_dual mu = 0.3 + 0.2 * perp_dual_exp(-slip * slip / 0.01);
  F[0] = N * mu - x[2];
  F[1] = N * mu + x[2];
  /* block: v' = v + h (r - k (stretch + h v')), slip = belt - v' */
  F[2] = belt - (v + h * (x[2] - spring * stretch)) / (1 + h * h * spring) - slip;
}

const perp_ncp_kind perp_ncp_classics[] = {
    {"kojshin", "two solutions, one of them degenerate", "kojima-shindo-1986", 4, 8, .family = four,
     .data = &(const four_numbers){10, 9, 9}, .table = four_starts, .known = four_known},
    {"josephy", "four unknowns", "josephy-1979", 4, 8, .family = four,
     .data = &(const four_numbers){3, 3, 1}, .table = four_starts, .known = four_known},
    {"mathiesen", "Walras: an activity and three goods", "mathiesen-1987", 4, 3, mathiesen,
     .table = walras_starts, .known = (const double[]){3, 6, 1, 5}},
    {"mathiesen-modified", "a continuum of solutions", "mathiesen-1987", 4, 3, mathiesen_modified,
     .table = walras_starts, .known = (const double[]){1, 0, 0, 0}}, /* x_0 may be any of 0 .. 3 */
    {"nash5", "five firms of Cournot", "murphy-sherali-soyster-1982", 5, 3, .family = cournot,
     .data = &five, .levels = (const double[]){10, 1, 100},
     .known = (const double[]){36.937, 41.817, 43.706, 42.659, 39.179}},
    {"nash10", "ten firms of Cournot", "harker-1988", 10, 5, .family = cournot, .data = &ten,
     .table = ten_starts,
     .known = (const double[]){7.4415, 4.0978, 2.5906, 0.9354, 17.949, 4.0978, 1.3047, 5.5901,
                               3.2222, 1.6771}},
    {"billups", "merits with a minimum on the way", "billups-1995", 1, 3, billups,
     .levels = (const double[]){0, 0.5, 10},
     .known = (const double[]){2.0049875621120890} /* 1 + sqrt 1.01 */},
    {"watson", "the gradient of an exponential", "watson-1979", 5, 3, watson,
     .levels = (const double[]){0, 1, 2}, .known = (const double[]){0, 0, 1, 2, 3}},
    {"pies", "prices of coal and oil", "hogan-1975", PIES, 3, pies, .bounds = pies_bounds,
     .start = pies_starts},
    {"takayama-judge", "spatial prices: two goods in three regions", "takayama-judge-1964", 18, 2,
     spatial, .levels = (const double[]){0, 10}},
    {"braess", "a road more, and all are slower", "braess-1968", 4, 3, braess,
     .levels = (const double[]){0, 1, 50}, .known = (const double[]){2, 2, 2, 92}},
    {"harker", "a game with a constraint in common", "harker-1991", 3, 2, harker,
     .hi = (const double[]){10, 10, INFINITY}, .levels = (const double[]){0, 10},
     .known = (const double[]){5, 9, 0}},
    {"battle", "a bimatrix game with three equilibria", "luce-raiffa-1957", 4, 2,
     .family = bimatrix, .data = &battle, .table = game_starts,
     .known = (const double[]){0.5, 0, 1, 0}}, /* both choose the first: x_0 B_00 = y_0 A_00 = 1 */
    {"pennies", "a bimatrix game without a pure equilibrium", "lemke-howson-1964", 4, 2,
     .family = bimatrix, .data = &pennies, .table = game_starts,
     .known = (const double[]){0.25, 0.25, 0.25, 0.25}},
    {"paper", "rock, paper, scissors", "lemke-howson-1964", 6, 2, .family = bimatrix,
     .data = &paper, .levels = (const double[]){0, 1},
     .known = (const double[]){1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6}},
    {"murty", "a triangle of twos", "murty-1978", MURTY, 2, murty, .levels = (const double[]){0, 1},
     .known = (const double[]){[MURTY - 1] = 1}},
    {"geiger-kanzow", "a tridiagonal matrix", "geiger-kanzow-1996", CHAIN, 2, chain,
     .levels = (const double[]){0, 1}},
    {"stribeck", "a block on a belt, friction that falls with slip", "", 3, 2, stribeck,
     .lo = (const double[]){0, 0, -INFINITY}, .table = (const double[]){0, 0, 0, /**/ 1, 0, 0}},
    {0}};
