/* test_generate_boundary.c: the generators of free boundaries: membranes and options
 *
 * Oracles: published optima, formulas of the problem itself (energies, triangles), binomial trees,
 * and a plain PSOR on the assembled matrix. */
#include "generate_grid.h"

#include "base/random.h"

/* ---- Membranes ---- */

/* The energy as published, on points x points, u zero around. */
static double published_energy(int points, double load, const double *inner)
{
  const int side = points - 2;
  const double h = 1.0 / (points - 1);
  double energy = 0;
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) {
      const double u = inner[j * side + i];
      const double around[4] = {
          i > 0 ? inner[j * side + i - 1] : 0, i < side - 1 ? inner[j * side + i + 1] : 0,
          j > 0 ? inner[(j - 1) * side + i] : 0, j < side - 1 ? inner[(j + 1) * side + i] : 0};
      for (int k = 0; k < 4; k++)
        energy += 0.25 * (u - around[k]) * (u - around[k]);
      energy -= h * h * load * u;
    }
  return energy;
}

static void published_optima(void)
{
  /* Optima as the CUTE collection lists them: OBSTCLAL, OBSTCLBL, TORSION1 */
  static const struct {
    const char *kind;
    int points;
    double load, optimum, tolerance;
  } cases[] = {
      {"obstacle", 4, 1, 0.753659753, 2e-9},
      {"obstacle", 10, 1, 1.397897560, 2e-9},
      {"obstacle", 23, 1, 1.678027027, 2e-9},
      {"obstacle", 32, 1, 1.748270031, 2e-9},
      {"obstacle:variant=waves", 4, 1, -0.0081108, 5e-8},
      {"obstacle:variant=waves", 10, 1, 2.87503823, 5e-9},
      {"obstacle:variant=waves", 23, 1, 6.51932527, 5e-9},
      {"torsion:boundary=half", 4, 5, -0.51851852, 5e-9},
      {"torsion:boundary=half", 10, 5, -0.49234185, 5e-9},
      {"torsion:boundary=half", 22, 5, -0.45608771, 5e-9},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[128];
    snprintf(text, sizeof text, "%s%cpoints=%d", cases[k].kind,
             strchr(cases[k].kind, ':') ? ',' : ':', cases[k].points);
    perp_instance p = generated(text);
    const int n = (cases[k].points - 2) * (cases[k].points - 2);
    CHECK_EQUAL_INT(perp_operator_size(p.A), n);
    CHECK(p.kind == PERP_KIND_SOLVABLE);
    double *x = reals(n), *y = reals(n);
    psor(&p, 1.6, x);
    CHECK_CLOSE(published_energy(cases[k].points, cases[k].load, x), cases[k].optimum,
                cases[k].tolerance);
    /* A and b are its gradient: 1/2 x^T A x + b^T x is the same number */
    CHECK(perp_operator_apply(p.A, x, y, NULL, NULL) == PERP_OK);
    double quadratic = 0;
    for (int i = 0; i < n; i++)
      quadratic += x[i] * (0.5 * y[i] + p.b[i]);
    CHECK_CLOSE(quadratic, published_energy(cases[k].points, cases[k].load, x), 1e-12);
    free(x);
    free(y);
    perp_instance_destroy(&p);
  }
}

static void membranes_are_m_matrices(void)
{
  static const char *const texts[] = {
      "obstacle:points=13",
      "obstacle:points=13,variant=waves",
      "obstacle:points=13,variant=plain,boundary=whole",
      "torsion:points=13",
      "torsion:n=121,boundary=half",
      "journal:grid=11",
      "journal:nx=9,ny=14,eccentricity=0.9,length=2",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance p = generated(texts[k]);
    CHECK(p.kind == PERP_KIND_SOLVABLE);
    check_m_matrix(texts[k], p.A, true, 0);
    double least, most;
    spectrum(p.A, &least, &most);
    CHECK_SAY(least > 1e-4 * most, "%s: eigenvalues %g to %g", texts[k], least, most);
    perp_instance_destroy(&p);
  }
}

/* Both forms describe one membrane. */
static void shifted_forms(void)
{
  static const struct {
    const char *boxed, *lcp;
    bool upper;
  } cases[] = {
      {"obstacle:points=22,variant=plain", "obstacle:points=22,variant=plain,form=lcp", false},
      {"obstacle:points=22,variant=plain,load=-3",
       "obstacle:points=22,variant=plain,load=-3,form=lcp", false},
      {"torsion:points=22", "torsion:points=22,form=lcp", true},
      {"torsion:points=22,load=20,boundary=half",
       "torsion:points=22,load=20,boundary=half,form=lcp", true},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance boxed = generated(cases[k].boxed), lcp = generated(cases[k].lcp);
    const perp_problem problem = perp_instance_problem(&lcp);
    CHECK(perp_set_form(&problem.K) == PERP_FORM_LCP);
    const int n = perp_operator_size(lcp.A);
    double *u = reals(n), *x = reals(n);
    psor(&boxed, 1.6, u);
    psor(&lcp, 1.6, x);
    int touching = 0;
    for (int i = 0; i < n; i++) {
      CHECK_CLOSE(cases[k].upper ? boxed.hi[i] - u[i] : u[i] - boxed.lo[i], x[i], 1e-11);
      touching += x[i] == 0;
    }
    CHECK_SAY(touching > n / 50 && touching < n - n / 50, "%s: %d of %d touch", cases[k].lcp,
              touching, n);
    free(u);
    free(x);
    perp_instance_destroy(&boxed);
    perp_instance_destroy(&lcp);
  }
}

/* The film thickness cubed, by the C library. */
static double gap(double eccentricity, double s)
{
  return pow(1 + eccentricity * cos(s), 3);
}

/* Every triangle of the mesh adds its own stiffness. Vertex 0 has the right angle. */
static void add_triangle(int nx, int ny, const int i[3], const int j[3], double hs, double ht,
                         double eccentricity, double *a)
{
  const int n = nx * ny;
  double q = 0;
  int row[3];
  for (int v = 0; v < 3; v++) {
    q += gap(eccentricity, i[v] * hs) / 3;
    const bool inner = i[v] > 0 && i[v] <= nx && j[v] > 0 && j[v] <= ny;
    row[v] = inner ? (j[v] - 1) * nx + i[v] - 1 : -1;
  }
  /* gradients of the three hat functions, with vertex 1 along s and vertex 2 along t */
  const double ds = 1 / ((i[1] - i[0]) * hs), dt = 1 / ((j[2] - j[0]) * ht);
  const double gradient[3][2] = {{-ds, -dt}, {ds, 0}, {0, dt}};
  for (int v = 0; v < 3; v++)
    for (int w = 0; w < 3; w++)
      if (row[v] >= 0 && row[w] >= 0)
        a[row[v] * n + row[w]] +=
            0.5 * hs * ht * q * (gradient[v][0] * gradient[w][0] + gradient[v][1] * gradient[w][1]);
}

static void journal_by_triangles(void)
{
  const int nx = 7, ny = 5, n = nx * ny;
  const double eps = 0.6, pi = acos(-1), hs = 2 * pi / (nx + 1), ht = 2 * 3.0 / (ny + 1);
  perp_instance p = generated("journal:nx=7,ny=5,eccentricity=0.6,length=3");
  double *a = reals(n * n), *A = dense(p.A);
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) {
      add_triangle(nx, ny, (int[]){i, i + 1, i}, (int[]){j, j, j + 1}, hs, ht, eps, a);
      add_triangle(nx, ny, (int[]){i + 1, i, i + 1}, (int[]){j + 1, j + 1, j}, hs, ht, eps, a);
    }
  for (int k = 0; k < n * n; k++)
    CHECK_CLOSE(A[k], a[k], 1e-13);
  for (int k = 0; k < n; k++)
    CHECK_CLOSE(p.b[k], -hs * ht * eps * sin((k % nx + 1) * hs), 1e-14);
  free(a);
  free(A);
  perp_instance_destroy(&p);
}

/* Optima of JNLBRNG1 in the CUTE collection, to all digits given there. */
static void journal_optima(void)
{
  static const struct {
    int points;
    double optimum;
  } cases[] = {{4, -0.22474}, {10, -0.17896}, {23, -0.18005}, {32, -0.18030}, {75, -0.18055}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[64];
    snprintf(text, sizeof text, "journal:grid=%d", cases[k].points - 2);
    perp_instance p = generated(text);
    const int n = perp_operator_size(p.A);
    double *x = reals(n), energy = 0;
    psor(&p, 2 - 6.0 / cases[k].points, x);
    int dry = 0;
    for (int i = 0; i < n; i++) {
      energy += 0.5 * x[i] * p.b[i]; /* x^T A x = -b^T x at the solution */
      dry += x[i] == 0;
    }
    CHECK_CLOSE(energy, cases[k].optimum, 5.1e-6);
    CHECK_SAY(n < 100 || (dry > n / 10 && dry < n / 2), "%d of %d are zero", dry, n);
    free(x);
    perp_instance_destroy(&p);
  }
}

/* ---- Finance ---- */

/* American put by the tree of Cox, Ross and Rubinstein (1979), dividend yield q. */
static double tree_price(int steps, double S, double K, double volatility, double rate, double q,
                         double T)
{
  double *value = reals(steps + 1);
  const double dt = T / steps, up = exp(volatility * sqrt(dt)), discount = exp(-rate * dt);
  const double p = (exp((rate - q) * dt) - 1 / up) / (up - 1 / up);
  for (int i = 0; i <= steps; i++)
    value[i] = fmax(K - S * pow(up, 2 * i - steps), 0);
  for (int m = steps - 1; m >= 0; m--) {
    double price = S * pow(up, -m);
    for (int i = 0; i <= m; i++, price *= up * up)
      value[i] = fmax(discount * (p * value[i + 1] + (1 - p) * value[i]), K - price);
  }
  const double today = value[0];
  free(value);
  return today;
}

/* The error of a tree changes sign with the parity of its steps. */
static double binomial(double S, double K, double volatility, double rate, double q, double T)
{
  return 0.5 * (tree_price(2000, S, K, volatility, rate, q, T) +
                tree_price(2001, S, K, volatility, rate, q, T));
}

static void put_prices(void)
{
  static const struct {
    double volatility, rate, maturity, theta;
    int steps;
    double tolerance;
  } cases[] = {
      {0.3, 0.05, 1, 1, 400, 1e-2},    {0.3, 0.05, 1, 0.5, 200, 3e-3},
      {0.2, 0.1, 0.5, 0.5, 200, 3e-3}, {0.5, 0.02, 2, 0.5, 200, 3e-3},
      {0.15, 0.08, 1, 1, 400, 1e-2},   {0.1, 0.2, 1, 0.5, 300, 3e-3},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "put:n=1199,most=6,volatility=%g,rate=%g,maturity=%g,theta=%g,steps=%d",
             cases[k].volatility, cases[k].rate, cases[k].maturity, cases[k].theta, cases[k].steps);
    perp_instance p = generated(text);
    CHECK(residual(&p, p.x) < 1e-12);
    check_m_matrix(text, p.A, false, 1);
    /* S = h (i + 1), h = 1/2 */
    for (double S = 90; S <= 120; S += 10) {
      const double value = p.x[(int)(2 * S) - 1] + fmax(100 - S, 0);
      const double tree =
          binomial(S, 100, cases[k].volatility, cases[k].rate, 0, cases[k].maturity);
      CHECK_SAY(fabs(value - tree) < cases[k].tolerance, "%s: %.6f at S = %g, tree %.6f", text,
                value, S, tree);
    }
    perp_instance_destroy(&p);
  }
}

/* Any parameters, including long steps, for which the put may be exercised in more than one
 * interval. */
static void put_is_exact(void)
{
  perp_random random = perp_random_from(8);
  for (int k = 0; k < 300; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "put:n=%d,most=%g,volatility=%g,rate=%g,maturity=%g,theta=%g,steps=%d",
             1 + perp_random_below(&random, 300), perp_random_between(&random, 1.5, 8),
             perp_random_between(&random, 0.02, 1), perp_random_between(&random, 0, 0.5),
             perp_random_between(&random, 0.1, 20),
             k % 2 ? 0.5 : perp_random_between(&random, 0.5, 1), 1 + perp_random_below(&random, 6));
    perp_instance p = generated(text);
    CHECK_SAY(p.x && residual(&p, p.x) < 1e-10, "%s", text);
    perp_instance_destroy(&p);
  }
}

/* The problem of every step, generated separately: PSOR finds the stored x, and the problem of a
 * step follows from the solution of the one before, A x + b with V = payoff + x. */
static void put_steps(void)
{
  enum { N = 60, STEPS = 8 };
  const double K = 100, h = 4 * K / (N + 1), volatility = 0.25, rate = 0.06, dt = 0.7 / STEPS;
  for (int mode = 0; mode < 2; mode++) {
    const double theta = mode ? 0.5 : 1;
    double before[N + 2], g[N + 2];
    for (int i = 0; i <= N + 1; i++)
      before[i] = g[i] = fmax(K - i * h, 0);
    for (int step = 1; step <= STEPS; step++) {
      char text[128];
      snprintf(text, sizeof text,
               "put:n=%d,volatility=%g,rate=%g,maturity=0.7,steps=%d,"
               "theta=%g,step=%d",
               N, volatility, rate, STEPS, theta, step);
      perp_instance p = generated(text);
      double x[N] = {0}, value[N + 2];
      psor(&p, 1.2, x);
      memcpy(value, g, sizeof value);
      int held = 0;
      for (int i = 0; i < N; i++) {
        CHECK_CLOSE(x[i], p.x[i], 1e-9);
        value[i + 1] += p.x[i];
        held += p.x[i] > 0;
      }
      CHECK(held > 0 && held < N);
      /* theta scheme by its definition, in held points with central drift: i >= rate / vol^2 */
      for (int i = 2; i <= N; i++) {
        double L[2];
        const double *const fields[2] = {value, before};
        for (int m = 0; m < 2; m++) {
          const double *v = fields[m], S = i * h;
          L[m] =
              0.5 * volatility * volatility * S * S * (v[i + 1] - 2 * v[i] + v[i - 1]) / (h * h) +
              rate * S * (v[i + 1] - v[i - 1]) / (2 * h) - rate * v[i];
        }
        const double y = value[i] - before[i] - dt * (theta * L[0] + (1 - theta) * L[1]);
        CHECK_SAY(p.x[i - 1] > 0 ? fabs(y) < 1e-10 : y > -1e-10, "step %d, row %d: %g", step, i, y);
      }
      memcpy(before, value, sizeof before);
      perp_instance_destroy(&p);
    }
  }
}

/* The geometric mean of two assets is one asset: volatility^2 = (v1^2 + v2^2 + 2 rho v1 v2) / 4,
 * dividend yield (v1^2 + v2^2) / 4 - volatility^2 / 2. */
static void put2_geometric(void)
{
  static const struct {
    double v1, v2, rho, theta;
    int steps;
    const char *cross;
    double tolerance;
  } cases[] = {{0.3, 0.2, 0.3, 0.5, 25, "seven", 1e-2},
               {0.4, 0.4, -0.5, 0.5, 25, "seven", 1e-2},
               {0.3, 0.2, 0.3, 0.5, 25, "nine", 1e-2},
               {0.25, 0.35, 0, 1, 100, "seven", 2.5e-2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[256];
    const int side = 79, middle = side / 2;
    snprintf(text, sizeof text,
             "put2:grid=%d,payoff=geometric,volatility1=%g,volatility2=%g,correlation=%g,"
             "theta=%g,cross=%s,steps=%d,step=0,reach=4",
             side, cases[k].v1, cases[k].v2, cases[k].rho, cases[k].theta, cases[k].cross,
             cases[k].steps);
    perp_instance p = generated(text);
    const double square = (cases[k].v1 * cases[k].v1 + cases[k].v2 * cases[k].v2 +
                           2 * cases[k].rho * cases[k].v1 * cases[k].v2) /
                          4;
    const double q = (cases[k].v1 * cases[k].v1 + cases[k].v2 * cases[k].v2) / 4 - square / 2;
    double *x = reals(side * side);
    psor(&p, 1.1, x);
    const double value = x[middle * side + middle],
                 tree = binomial(100, 100, sqrt(square), 0.05, q, 1);
    CHECK_SAY(fabs(value - tree) < cases[k].tolerance, "%s: %.6f, tree %.6f", text, value, tree);
    free(x);
    perp_instance_destroy(&p);
  }
}

static void put2_classes(void)
{
  static const char *const texts[] = {
      "put2:grid=12",
      "put2:grid=12,correlation=-0.8,payoff=basket",
      "put2:grid=12,correlation=1,payoff=geometric,theta=0.5",
      "put2:grid=12,correlation=0,rate=2,steps=2",
      "put2:grid=12,correlation=0.9,cross=nine",
      "put2:grid=12,correlation=-1,cross=nine,rate=3,steps=1",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance p = generated(texts[k]);
    const int n = perp_operator_size(p.A);
    CHECK_EQUAL_INT(n, 144);
    double least, most;
    spectrum(p.A, &least, &most);
    CHECK_SAY(least >= 1, "%s: %g to %g", texts[k], least, most);
    if (k < 4)
      check_m_matrix(texts[k], p.A, false, 1);
    double *x = reals(n);
    psor(&p, 1, x);
    int held = 0;
    for (int i = 0; i < n; i++)
      held += x[i] > 0;
    CHECK_SAY(held > n / 20 && held < n - n / 20, "%s: %d of %d held", texts[k], held, n);
    free(x);
    perp_instance_destroy(&p);
  }
}

static const test_case tests[] = {
    TEST(published_optima), TEST(membranes_are_m_matrices),
    TEST(shifted_forms),    TEST(journal_by_triangles),
    TEST(journal_optima),   TEST(put_prices),
    TEST(put_is_exact),     TEST(put_steps),
    TEST(put2_geometric),   TEST(put2_classes),
};

TEST_MAIN(tests)
