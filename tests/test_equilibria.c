/* test_equilibria.c: models of the collection against independent oracles
 *
 * Traffic: times over an explicit list of roads. Cournot: the published sales, from every start. A
 * stationary economy and prices on a network: sums and inequalities that equilibrium implies. Boxed
 * monotone problems of any scale, by homotopy. */
#include "test.h"

#include "base/random.h"
#include <perp/lab.h>
#include <perp/perp.h>

static void solve_sample(const char *name, int64_t start, const char *method, double *x)
{
  char text[96];
  perp_ncp_sample *s = NULL;
  perp_message why = {""};
  perp_ncp_result result = perp_ncp_result_empty();
  perp_ncp_options options = perp_ncp_options_default();
  options.tol = 1e-10;
  snprintf(text, sizeof text, "%s,start=%lld", name, (long long)start);
  CHECK_SAY(perp_ncp_sample_create(text, &s, &why) == PERP_OK, "%s", why.text);
  const perp_ncp *p = perp_ncp_sample_problem(s);
  memcpy(x, perp_ncp_sample_start(s), (size_t)p->n * sizeof *x);
  CHECK(perp_ncp_solve(method, p, &options, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", text, result.message.text);
  perp_ncp_sample_destroy(s);
}

/* ---- Traffic on a ring: roads by number, drivers on each, and the time that each takes ---- */

enum { TOWNS = 5, RING = 4 * TOWNS, ROADS = 2 * RING };
enum { ON, HIGHWAY, BYPASS, OFF };

static int road(bool inner, int kind, int town)
{
  return (inner ? RING : 0) + kind * TOWNS + (town + 2 * TOWNS) % TOWNS;
}

/* The roads of the way from i to i + 3. */
static int way(bool inner, int i, int roads[7])
{
  const int step = inner ? -1 : 1, highways = inner ? 2 : 3;
  int count = 0;
  roads[count++] = road(inner, ON, i);
  for (int j = 0; j < highways; j++) {
    if (j > 0)
      roads[count++] = road(inner, BYPASS, i + j * step);
    roads[count++] = road(inner, HIGHWAY, i + j * step);
  }
  roads[count++] = road(inner, OFF, i + highways * step);
  return count;
}

static double delay(double drivers)
{
  return 1 + drivers + drivers * drivers;
}

static double time_of(const double *drivers, double gamma, int k)
{
  const bool inner = k >= RING;
  const int kind = k % RING / TOWNS, town = k % TOWNS;
  double t = (kind == HIGHWAY ? 10 : 1) * delay(drivers[k]);
  if (kind == ON)
    t += gamma * delay(drivers[road(inner, BYPASS, town)]);
  if (kind == HIGHWAY)
    t += 2 * gamma * delay(drivers[road(inner, OFF, town + (inner ? -1 : 1))]);
  return t;
}

static void check_drivers(const double *x, const double *demand, double gamma)
{
  double drivers[ROADS] = {0}, times[2];
  int roads[7];
  for (int inner = 0; inner < 2; inner++)
    for (int i = 0; i < TOWNS; i++)
      for (int k = way(inner, i, roads) - 1; k >= 0; k--)
        drivers[roads[k]] += x[TOWNS * inner + i];
  for (int i = 0; i < TOWNS; i++) {
    CHECK_CLOSE(x[i] + x[TOWNS + i], demand[i], 1e-8);
    for (int inner = 0; inner < 2; inner++) {
      times[inner] = 0;
      for (int k = way(inner, i, roads) - 1; k >= 0; k--)
        times[inner] += time_of(drivers, gamma, roads[k]);
    }
    /* a used way is at least as fast as the other */
    for (int inner = 0; inner < 2; inner++)
      if (x[TOWNS * inner + i] > 1e-9)
        CHECK_SAY(times[inner] <= times[1 - inner] + 1e-6, "town %d: %.9g and %.9g", i, times[0],
                  times[1]);
    CHECK_CLOSE(x[2 * TOWNS + i], fmin(times[0], times[1]), 1e-6);
  }
}

static void drivers_cannot_do_better_alone(void)
{
  static const double few[TOWNS] = {0.1, 0.2, 0.3, 0.4, 0.5}, many[TOWNS] = {1, 8, 1, 8, 1};
  double first[15] = {0}, x[15];
  for (int heavy = 0; heavy < 2; heavy++)
    for (int start = 0; start < 5; start++) {
      solve_sample(heavy ? "bertsekas-gafni-heavy" : "bertsekas-gafni", start, NULL, x);
      check_drivers(x, heavy ? many : few, heavy ? 4 : 0.5);
      if (start == 0)
        memcpy(first, x, sizeof x);
      for (int i = 0; i < 15; i++)
        CHECK_CLOSE(x[i], first[i], 1e-7 * fmax(1, fabs(first[i])));
    }
}

/* ---- Cournot: Harker 1988 ---- */

static void ten_firms_sell_what_was_published(void)
{
  static const double published[10] = {7.4415, 4.0978, 2.5906, 0.9354, 17.949,
                                       4.0978, 1.3047, 5.5901, 3.2222, 1.6771};
  static const double c[10] = {5, 3, 8, 5, 1, 3, 7, 4, 6, 3};
  static const double beta[10] = {1.2, 1, 0.9, 0.6, 1.5, 1, 0.7, 1.1, 0.95, 0.75};
  for (int start = 0; start < 5; start++) {
    double q[10], Q = 0;
    solve_sample("nash10", start, NULL, q);
    for (int i = 0; i < 10; i++) {
      CHECK_CLOSE(q[i], published[i], 1e-3);
      Q += q[i];
    }
    /* marginal revenue by a difference of revenues is marginal cost */
    for (int i = 0; i < 10; i++) {
      const double h = 1e-5, up = Q + h, down = Q - h;
      const double revenue =
          ((q[i] + h) * pow(5000 / up, 1 / 1.2) - (q[i] - h) * pow(5000 / down, 1 / 1.2)) / (2 * h);
      CHECK_CLOSE(revenue, c[i] + pow(10 * q[i], 1 / beta[i]), 1e-6);
    }
  }
}

/* ---- Hansen, Koopmans 1972: sums that hold whatever the method; Tobin 1988: nobody can trade with a
 * gain. Both have one solution, found from every start and by every method ---- */

static void one_solution(const char *name, int n, int starts, double *x)
{
  static const char *const methods[] = {"josephy", "fischer", "homotopy"};
  double other[20];
  solve_sample(name, 0, NULL, x);
  for (int start = 0; start < starts; start++)
    for (int m = 0; m < 3; m++) {
      solve_sample(name, start, methods[m], other);
      for (int i = 0; i < n; i++)
        CHECK_SAY(fabs(other[i] - x[i]) <= 1e-6 * fmax(1, fabs(x[i])),
                  "%s, start %d, %s: x[%d] = %.9g, not %.9g", name, start, methods[m], i, other[i],
                  x[i]);
    }
}

static void capital_stays_as_it_is(void)
{
  static const double use[2][10] = {{1, 2, 0.5, 1, 0.3, 0.8, 0.6, 1.2, 0.4, 0.2},
                                    {0.5, 0.2, 1, 0.4, 0.9, 0.3, 0.3, 0.1, 0.8, 1.5}};
  double x[14], worn[2] = {0}, stock[2] = {0};
  one_solution("hansen-koopmans", 14, 3, x);
  for (int s = 0; s < 2; s++)
    for (int j = 0; j < 10; j++) {
      stock[s] += use[s][j] * x[j];
      worn[s] += use[s][j] * x[j] / 7;
    }
  /* worn-out capital is replaced, since both goods have a price */
  CHECK(x[10] > 0 && x[11] > 0);
  CHECK_CLOSE(worn[0], x[6] + x[7], 1e-8);
  CHECK_CLOSE(worn[1], x[8] + x[9], 1e-8);
  /* utility is homogeneous of degree 0.6: 0.6 v = interest on the next stock + rents */
  const double v =
      pow(x[0] + 1.5 * x[1], 0.2) * pow(x[2] + 1.2 * x[3], 0.2) * pow(x[4] + 1.1 * x[5], 0.2);
  const double interest = 0.1 * (x[10] * stock[0] + x[11] * stock[1]);
  CHECK_CLOSE(0.6 * v, interest + 10 * x[12] + 4 * x[13], 1e-8);
}

static void nobody_trades_with_a_gain(void)
{
  static const int from[14] = {0, 1, 0, 2, 1, 2, 1, 3, 2, 3, 2, 4, 3, 4};
  static const int to[14] = {1, 0, 2, 0, 2, 1, 3, 1, 3, 2, 4, 2, 4, 3};
  static const double fixed[14] = {1, 1, 3, 2, 1, 2, 4, 3, 1, 1, 2, 2, 1, 1};
  double x[19];
  int used = 0;
  one_solution("tobin", 19, 3, x);
  for (int a = 0; a < 14; a++) {
    const double gain = x[to[a]] - x[from[a]];
    /* the first unit costs at least `fixed`; a road without flow would not pay */
    CHECK(x[5 + a] == 0 ? gain <= fixed[a] + 0.2 * 0.6 * x[5 + (a ^ 1)] + 1e-8 : gain > fixed[a]);
    CHECK(x[5 + a] == 0 || x[5 + (a ^ 1)] == 0); /* nothing goes there and back */
    used += x[5 + a] > 0;
  }
  CHECK(used >= 4 && used < 14);
}

/* ---- Boxed monotone problems: F = s (S x + B B^T x + c x^3 + q), S skew ---- */

enum { BOXED = 16 };

typedef struct boxed {
  double M[BOXED * BOXED], q[BOXED], cube;
} boxed;

static int boxed_F(void *context, const double *x, double *F)
{
  const boxed *p = context;
  for (int i = 0; i < BOXED; i++) {
    F[i] = p->q[i] + p->cube * x[i] * x[i] * x[i];
    for (int j = 0; j < BOXED; j++)
      F[i] += p->M[i * BOXED + j] * x[j];
  }
  return 0;
}

static int boxed_J(void *context, const double *x, double *J)
{
  const boxed *p = context;
  memcpy(J, p->M, sizeof p->M);
  for (int i = 0; i < BOXED; i++)
    J[i * BOXED + i] += 3 * p->cube * x[i] * x[i];
  return 0;
}

static void make_boxed(boxed *p, double scale, bool symmetric_part, perp_random *random)
{
  double B[BOXED * 3];
  for (int k = 0; k < BOXED * 3; k++)
    B[k] = symmetric_part ? perp_random_between(random, -1, 1) : 0;
  for (int i = 0; i < BOXED; i++) {
    p->q[i] = 3 * scale * perp_random_between(random, -1, 1);
    p->M[i * BOXED + i] = 0;
    for (int j = 0; j < i; j++) {
      p->M[i * BOXED + j] = scale * perp_random_between(random, -1, 1);
      p->M[j * BOXED + i] = -p->M[i * BOXED + j];
    }
  }
  for (int i = 0; i < BOXED; i++)
    for (int j = 0; j < BOXED; j++)
      for (int k = 0; k < 3; k++)
        p->M[i * BOXED + j] += scale * B[3 * i + k] * B[3 * j + k];
}

static void homotopy_solves_boxed_monotone_problems_of_any_scale(void)
{
  for (int seed = 0; seed < 90; seed++) {
    perp_random random = perp_random_from((uint64_t)seed + 1);
    const double scale = (double[]){1e-3, 1, 1e3}[seed % 3];
    boxed p;
    double lo[BOXED], hi[BOXED], x[BOXED];
    make_boxed(&p, scale, seed % 2, &random);
    p.cube = seed % 5 ? 0 : scale;
    for (int i = 0; i < BOXED; i++) {
      lo[i] = -perp_random_between(&random, 0, 1);
      hi[i] = perp_random_between(&random, 0, 1);
      x[i] = seed % 4 < 2 ? 0 : perp_random_between(&random, -5, 5);
    }
    perp_ncp ncp = perp_ncp_default();
    ncp.n = BOXED;
    ncp.lo = lo;
    ncp.hi = hi;
    ncp.F = boxed_F;
    ncp.jacobian = boxed_J;
    ncp.context = &p;
    perp_ncp_options options = perp_ncp_options_default();
    perp_ncp_result result = perp_ncp_result_empty();
    options.restarts = 0;
    CHECK(perp_ncp_solve("homotopy", &ncp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED, "%d: %s", seed, result.message.text);
  }
}

static const test_case tests[] = {
    TEST(drivers_cannot_do_better_alone),
    TEST(ten_firms_sell_what_was_published),
    TEST(capital_stays_as_it_is),
    TEST(nobody_trades_with_a_gain),
    TEST(homotopy_solves_boxed_monotone_problems_of_any_scale),
};

TEST_MAIN(tests)
