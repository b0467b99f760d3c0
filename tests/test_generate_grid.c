/* test_generate_grid.c: the generators of grids: fluid, membranes, finance
 *
 * Oracles: published optima, formulas of the problem itself (energies, triangles, faces sampled
 * point by point), hydrostatics, binomial trees, and a plain PSOR on the assembled matrix. */
#include "test.h"

#include "base/random.h"
#include "generate/elementary.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include <perp/perp.h>

/* ---- Help ---- */

/* Compressed rows of a generated problem. */
typedef struct sparse {
  int n;
  perp_operator *csr;
  const int64_t *start;
  const int *column;
  const double *value;
} sparse;

static perp_instance generate(const char *text)
{
  perp_instance instance;
  perp_message why = {{0}};
  const perp_error error = perp_generate(text, &instance, &why);
  CHECK_SAY(error == PERP_OK, "%.80s: %.300s", text, why.text);
  return instance;
}

static sparse assemble(const perp_operator *A)
{
  sparse s = {.n = perp_operator_size(A)};
  CHECK(perp_operator_to_csr(A, 0, &s.csr, NULL) == PERP_OK);
  CHECK(perp_operator_csr_arrays(s.csr, &s.start, &s.column, &s.value) == PERP_OK);
  return s;
}

static double entry(const sparse *s, int i, int j)
{
  for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
    if (s->column[k] == j)
      return s->value[k];
  return 0;
}

static double *reals(int n)
{
  double *a = calloc((size_t)n + 1, sizeof *a);
  CHECK(a != NULL);
  return a;
}

/* x <- a solution to 1e-13 of the greatest change in a sweep, from the x given. */
static void psor(const perp_instance *p, double omega, double *x)
{
  const sparse s = assemble(p->A);
  double change = 1, size = 1;
  for (int sweep = 0; sweep < 40000 && change > 1e-13 * size; sweep++) {
    change = 0;
    for (int i = 0; i < s.n; i++) {
      double y = p->b[i], d = 0;
      for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) {
        y += s.value[k] * x[s.column[k]];
        if (s.column[k] == i)
          d = s.value[k];
      }
      const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
      const double z = fmin(fmax(x[i] - omega * y / d, lo), hi);
      change = fmax(change, fabs(z - x[i]));
      size = fmax(size, fabs(z));
      x[i] = z;
    }
  }
  CHECK_SAY(change <= 1e-12 * size, "PSOR stopped at a change of %g", change);
  perp_operator_destroy(s.csr);
}

/* natural residual over scale */
static double residual(const perp_instance *p, const double *x)
{
  const perp_problem problem = perp_instance_problem(p);
  double *y = reals(perp_operator_size(p->A));
  CHECK(perp_operator_apply(p->A, x, y, NULL) == PERP_OK);
  for (int i = 0; i < perp_operator_size(p->A); i++)
    y[i] += p->b[i];
  const double r = perp_residual(&problem, x, y) / perp_scale(&problem);
  free(y);
  return r;
}

static double *dense(const perp_operator *A)
{
  perp_operator *full;
  const double *a;
  int64_t stride;
  const size_t n = (size_t)perp_operator_size(A);
  double *copy = reals((int)(n * n));
  CHECK(perp_operator_to_dense(A, 0, &full, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(full, &a, &stride) == PERP_OK);
  for (size_t i = 0; i < n; i++)
    memcpy(copy + i * n, a + (int64_t)i * stride, n * sizeof *copy);
  perp_operator_destroy(full);
  return copy;
}

/* Least and greatest eigenvalue of the symmetric part. */
static void spectrum(const perp_operator *A, double *least, double *most)
{
  const int n = perp_operator_size(A);
  double *a = dense(A), *w = reals(4 * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
  CHECK(perp_eigen_symmetric(n, a, n, w, NULL, w + n));
  *least = w[0];
  *most = w[n - 1];
  free(a);
  free(w);
}

/* Signs of a Z-matrix, dominance of rows; symmetry where asked for. */
static void check_m_matrix(const char *text, const perp_operator *A, bool symmetric, double margin)
{
  const sparse s = assemble(A);
  for (int i = 0; i < s.n; i++) {
    double sum = 0, size = 0;
    for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) {
      const int j = s.column[k];
      CHECK_SAY(i == j ? s.value[k] > 0 : s.value[k] <= 0, "%s: A(%d, %d) = %g", text, i, j,
                s.value[k]);
      if (symmetric)
        CHECK_SAY(s.value[k] == entry(&s, j, i), "%s: A(%d, %d)", text, i, j);
      sum += s.value[k];
      size = fmax(size, fabs(s.value[k]));
    }
    CHECK_SAY(sum >= margin - 1e-12 * size, "%s: row %d sums to %g", text, i, sum);
  }
  perp_operator_destroy(s.csr);
}

/* ---- Elementary functions ---- */

static double ulps(double value, long double exact)
{
  const double near = fabs((double)exact);
  return (double)(fabsl((long double)value - exact) / (nextafter(near, INFINITY) - near));
}

static void elementary_functions(void)
{
  perp_random random = perp_random_from(5);
  for (int k = 0; k < 200000; k++) {
    const double wide = perp_random_between(&random, -1000, 1000);
    const double x = k % 2 ? wide : perp_random_between(&random, -7, 7);
    const double power = perp_random_between(&random, -700, 700);
    const double near = k % 2 ? perp_random_between(&random, 0.3, 3) : perp_exp(power);
    CHECK_SAY(ulps(perp_sin(x), sinl(x)) <= 2, "sin %.17g", x);
    CHECK_SAY(ulps(perp_cos(x), cosl(x)) <= 2, "cos %.17g", x);
    CHECK_SAY(ulps(perp_exp(power), expl(power)) <= 2, "exp %.17g", power);
    CHECK_SAY(ulps(perp_exp(x / 7), expl(x / 7)) <= 2, "exp %.17g", x / 7);
    CHECK_SAY(ulps(perp_log(near), logl(near)) <= 2, "log %.17g", near);
  }
  CHECK(perp_sin(0) == 0 && perp_cos(0) == 1 && perp_exp(0) == 1 && perp_log(1) == 0);
  CHECK(perp_exp(-800) == 0 && isinf(perp_exp(720)));
}

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
    perp_instance p = generate(text);
    const int n = (cases[k].points - 2) * (cases[k].points - 2);
    CHECK_EQUAL_INT(perp_operator_size(p.A), n);
    CHECK(p.kind == PERP_KIND_SOLVABLE);
    double *x = reals(n), *y = reals(n);
    psor(&p, 1.6, x);
    CHECK_CLOSE(published_energy(cases[k].points, cases[k].load, x), cases[k].optimum,
                cases[k].tolerance);
    /* A and b are its gradient: 1/2 x^T A x + b^T x is the same number */
    CHECK(perp_operator_apply(p.A, x, y, NULL) == PERP_OK);
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
    perp_instance p = generate(texts[k]);
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
    perp_instance boxed = generate(cases[k].boxed), lcp = generate(cases[k].lcp);
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
  perp_instance p = generate("journal:nx=7,ny=5,eccentricity=0.6,length=3");
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

/* Optima of JNLBRNG1 in the CUTE collection, as many digits as it gives. */
static void journal_optima(void)
{
  static const struct {
    int points;
    double optimum;
  } cases[] = {{4, -0.22474}, {10, -0.17896}, {23, -0.18005}, {32, -0.18030}, {75, -0.18055}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char text[64];
    snprintf(text, sizeof text, "journal:grid=%d", cases[k].points - 2);
    perp_instance p = generate(text);
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

/* ---- Fluid ---- */

static void fluid_by_hand(void)
{
  const double h = 1.0 / 16, speed = 0.5, fall = 10 * 0.01, w = 0.01 / (2 * h * h);
  /* the column is 8 x 12 cells at the left wall */
  perp_instance p =
      generate("fluid:scene=dam,grid=16,width=0.5,level=0.75,density=2,speed=0.5,spray=1.5");
  CHECK_EQUAL_INT(perp_operator_size(p.A), 96);
  CHECK(p.kind == PERP_KIND_SOLVABLE);
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 8; i++) {
      CHECK_CLOSE(p.b[8 * j + i],
                  (i == 0 ? speed / h : 0) - (j == 0 ? fall / h : 0) + 1.5 * fall / 0.75, 1e-12);
      double d[96];
      CHECK(perp_operator_diagonal(p.A, d) == PERP_OK);
      CHECK_CLOSE(d[8 * j + i], w * (4 - (i == 0) - (j == 0)), 1e-12);
    }
  perp_instance_destroy(&p);
  p = generate("fluid:scene=tank,dimension=3,nx=4,ny=6,nz=5,drain=0,spray=0");
  CHECK_EQUAL_INT(perp_operator_size(p.A), 120);
  CHECK(p.kind == PERP_KIND_MULTIPLE);
  for (int c = 0; c < 120; c++) {
    const int j = c / 4 % 6;
    CHECK_CLOSE(p.b[c], 6 * ((j == 5) - (j == 0)) * fall, 1e-12);
  }
  perp_instance_destroy(&p);
}

/* A pool at rest: p grows by density * gravity * h per cell from 0 in the first dry one. */
static void hydrostatic(const char *text, int nx, int ny, int top, double gravity, double density)
{
  perp_instance p = generate(text);
  perp_stencil_data data;
  CHECK(perp_operator_stencil_data(p.A, &data) == PERP_OK);
  const int n = perp_operator_size(p.A);
  double *expected = reals(n), *x = reals(n), most = 0;
  for (int u = 0; u < n; u++) {
    const int c = data.cells ? data.cells[u] : u;
    expected[u] = density * gravity / ny * (top - c / nx % ny);
    most = fmax(most, expected[u]);
  }
  CHECK_SAY(residual(&p, expected) < 1e-10, "%s: %g", text, residual(&p, expected));
  psor(&p, 1.7, x);
  for (int u = 0; u < n; u++)
    CHECK_CLOSE(x[u], expected[u], 1e-9 * most);
  free(expected);
  free(x);
  perp_instance_destroy(&p);
}

static void pools_at_rest(void)
{
  hydrostatic("fluid:scene=dam,width=1,level=0.5,grid=16,speed=0,spray=0", 16, 16, 8, 10, 1);
  hydrostatic("fluid:scene=dam,width=1,level=0.5,grid=8,speed=0,spray=0,dimension=3,density=3", 8,
              8, 4, 10, 3);
  hydrostatic("fluid:scene=drop,radius=0,level=0.25,grid=20,gravity=7", 20, 20, 5, 7, 1);
  /* cut cells: the walls' shares drop out of a state at rest */
  hydrostatic("fluid:scene=tilted,grid=20,level=0.6,speed=0,spray=0", 20, 20, 12, 10, 1);
  hydrostatic("fluid:scene=tilted,grid=20,level=0.8,speed=0,spray=0,slope=-0.7,form=mixed", 20, 20,
              16, 10, 1);
  hydrostatic("fluid:scene=tilted,grid=10,level=0.6,speed=0,spray=0,dimension=3", 10, 10, 6, 10, 1);
}

/* Share of a face above y = 1/4 + slope (x - 1/2), by sampling. The face lies between cell `at` and
 * the next one in direction axis. */
static double sampled_share(double slope, double h, int axis, const int at[3])
{
  enum { SAMPLES = 200 };
  int open = 0;
  for (int s = 0; s < SAMPLES; s++)
    for (int t = 0; t < SAMPLES; t++) {
      const double a = (s + 0.5) / SAMPLES, b = (t + 0.5) / SAMPLES;
      const double x = (at[0] + (axis == 0 ? 1 : a)) * h, y = (at[1] + (axis == 1 ? 1 : b)) * h;
      open += y > 0.25 + slope * (x - 0.5);
    }
  return (double)open / (SAMPLES * SAMPLES);
}

static void cut_faces(void)
{
  const double slope = 0.63, h = 1.0 / 15, w = 0.01 / (h * h);
  perp_instance p = generate("fluid:scene=tilted,grid=15,dimension=3,nz=3,slope=0.63,level=0.8");
  perp_stencil_data data;
  CHECK(perp_operator_stencil_data(p.A, &data) == PERP_OK);
  const sparse s = assemble(p.A);
  int cut = 0;
  for (int u = 0; u < s.n; u++)
    for (int v = 0; v < s.n; v++) {
      const int d = data.cells[v] - data.cells[u];
      const int at[3] = {data.cells[u] % 15, data.cells[u] / 15 % 15, data.cells[u] / 225};
      const int axis = d == 1 && at[0] < 14 ? 0 : d == 15 && at[1] < 14 ? 1 : d == 225 ? 2 : -1;
      if (axis < 0)
        continue;
      const double share = sampled_share(slope, h, axis, at);
      CHECK_CLOSE(-entry(&s, u, v) / w, share, 6e-3);
      cut += share < 0.99;
    }
  CHECK_SAY(cut >= 20, "%d faces are cut", cut);
  perp_operator_destroy(s.csr);
  perp_instance_destroy(&p);
}

static const char *const scene_texts[] = {
    "fluid:grid=24",
    "fluid:grid=24,scene=drop",
    "fluid:grid=24,scene=tilted",
    "fluid:grid=24,scene=tank",
    "fluid:grid=12,dimension=3",
    "fluid:grid=12,dimension=3,scene=drop",
    "fluid:grid=12,dimension=3,scene=tilted",
    "fluid:grid=12,dimension=3,scene=tank",
    "fluid:grid=24,scene=drop,turbulence=0.3,seed=9",
    "fluid:grid=24,form=mixed",
    "fluid:grid=24,form=mixed,scene=tilted",
};

/* No linear system in disguise: pressure and voids, both. */
static void scenes_have_both(void)
{
  for (size_t k = 0; k < sizeof scene_texts / sizeof *scene_texts; k++) {
    perp_instance p = generate(scene_texts[k]);
    CHECK(p.kind == PERP_KIND_SOLVABLE && !p.x);
    const int n = perp_operator_size(p.A);
    check_m_matrix(scene_texts[k], p.A, true, 0);
    double *x = reals(n), *y = reals(n);
    psor(&p, 1.7, x);
    CHECK_SAY(residual(&p, x) < 1e-9, "%s: %g", scene_texts[k], residual(&p, x));
    CHECK(perp_operator_apply(p.A, x, y, NULL) == PERP_OK);
    int ruled = 0, pressed = 0, empty = 0;
    for (int i = 0; i < n; i++) {
      const bool free_row = p.lo && isinf(p.lo[i]);
      ruled += !free_row;
      pressed += !free_row && x[i] > 0;
      empty += !free_row && x[i] == 0 && y[i] + p.b[i] > 1e-9;
    }
    CHECK_SAY(pressed > ruled / 20 && empty > ruled / 20, "%s: %d of %d pressed, %d empty",
              scene_texts[k], pressed, ruled, empty);
    free(x);
    free(y);
    perp_instance_destroy(&p);
  }
}

static void scenes_are_definite(void)
{
  static const char *const texts[] = {"fluid:grid=12", "fluid:grid=12,scene=drop",
                                      "fluid:grid=12,scene=tilted,slope=-0.9",
                                      "fluid:grid=6,dimension=3,scene=drop"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance p = generate(texts[k]);
    const int n = perp_operator_size(p.A);
    double *a = dense(p.A);
    CHECK_SAY(perp_cholesky(n, a, n, 1e-6) == n, "%s", texts[k]);
    free(a);
    perp_instance_destroy(&p);
  }
}

/* Without air A 1 = 0; the outlet decides. */
static void closed_tanks(void)
{
  static const char *const forms[] = {"lcp", "mixed"};
  for (int k = 0; k < 6; k++) {
    const double drain = (double)(k % 3) - 1;
    char text[128];
    snprintf(text, sizeof text, "fluid:scene=tank,nx=8,ny=6,drain=%g,turbulence=0.2,form=%s", drain,
             forms[k / 3]);
    perp_instance p = generate(text);
    const int n = perp_operator_size(p.A);
    double *one = reals(n), *y = reals(n), sum = 0, least, most;
    for (int i = 0; i < n; i++) {
      one[i] = 1;
      sum += p.b[i];
    }
    CHECK(perp_operator_apply(p.A, one, y, NULL) == PERP_OK);
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(y[i], 0, 1e-13);
    spectrum(p.A, &least, &most);
    CHECK(fabs(least) < 1e-12 * most);
    CHECK_SAY(drain == 0 ? fabs(sum) < 1e-11 : drain * sum > 1, "%s: b sums to %g", text, sum);
    CHECK(p.kind == (drain > 0    ? PERP_KIND_SOLVABLE
                     : drain == 0 ? PERP_KIND_MULTIPLE
                                  : PERP_KIND_INFEASIBLE));
    CHECK((p.u != NULL) == (drain < 0));
    for (int i = 0; i < n && p.u; i++)
      CHECK(p.u[i] == 1);
    if (drain > 0) { /* one solution, wherever the search starts */
      double *high = reals(n);
      for (int i = 0; i < n; i++) {
        one[i] = 0;
        high[i] = 1000;
      }
      psor(&p, 1.5, one);
      psor(&p, 1.5, high);
      for (int i = 0; i < n; i++)
        CHECK_CLOSE(one[i], high[i], 1e-8);
      free(high);
    }
    free(one);
    free(y);
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
    perp_instance p = generate(text);
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

/* Any parameters, long steps among them, where the put may be exercised in more than one stretch. */
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
    perp_instance p = generate(text);
    CHECK_SAY(p.x && residual(&p, p.x) < 1e-10, "%s", text);
    perp_instance_destroy(&p);
  }
}

/* Every step's problem, made apart: PSOR finds the x that is stored, and the problem of a step
 * follows from the solution of the one before, A x + b with V = payoff + x. */
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
      perp_instance p = generate(text);
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
      /* theta scheme by its definition, where held and the drift is central: i >= rate / vol^2 */
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
    perp_instance p = generate(text);
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
    perp_instance p = generate(texts[k]);
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

/* ---- All of them ---- */

static void planted_solutions(void)
{
  static const char *const kinds[] = {
      "fluid:grid=20,",
      "fluid:grid=20,form=mixed,scene=drop,",
      "fluid:grid=9,dimension=3,scene=tilted,",
      "fluid:grid=20,scene=tank,",
      "obstacle:points=20,",
      "obstacle:points=20,variant=waves,",
      "obstacle:points=20,variant=plain,form=lcp,",
      "torsion:points=20,",
      "torsion:points=20,form=lcp,",
      "journal:grid=20,",
      "put:n=200,",
      "put2:grid=20,",
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int seed = 1; seed <= 10; seed++) {
      char text[160];
      const double active = 0.1 * (seed % 8), degenerate = 0.05 * (seed % 4);
      snprintf(text, sizeof text, "%splant=yes,active=%g,degenerate=%g,seed=%d", kinds[k], active,
               degenerate, seed);
      perp_instance p = generate(text);
      CHECK(p.x && p.b && !p.u);
      CHECK_SAY(residual(&p, p.x) < 1e-10, "%s: %g", text, residual(&p, p.x));
      const int n = perp_operator_size(p.A);
      double *y = reals(n);
      CHECK(perp_operator_apply(p.A, p.x, y, NULL) == PERP_OK);
      int inside = 0, tight = 0, free_rows = 0;
      for (int i = 0; i < n; i++) {
        const double lo = p.lo ? p.lo[i] : 0, hi = p.hi ? p.hi[i] : INFINITY;
        free_rows += isinf(lo) && isinf(hi);
        inside += p.x[i] > lo && p.x[i] < hi && !isinf(lo);
        tight += (p.x[i] == lo || p.x[i] == hi) && fabs(y[i] + p.b[i]) < 0.05;
      }
      if (free_rows == 0) {
        CHECK_CLOSE(inside, active * n, 1);
        CHECK_CLOSE(tight, degenerate * n, 1);
      }
      free(y);
      perp_instance_destroy(&p);
    }
}

static const char *const all_texts[] = {
    "fluid:grid=24,turbulence=0.1",
    "fluid:grid=24,scene=tilted,form=mixed",
    "fluid:grid=10,dimension=3,scene=drop,plant=yes,seed=4",
    "fluid:n=512,dimension=3,scene=tank",
    "obstacle:n=900",
    "obstacle:points=20,variant=waves,plant=yes",
    "torsion:n=400,form=lcp",
    "journal:n=400",
    "put:n=100,theta=0.5",
    "put2:grid=20,step=3",
    "put2:n=400,plant=yes,cross=nine",
};

static bool same(const double *a, const double *b, int n)
{
  return (!a && !b) || (a && b && memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

static void two_runs_are_equal(void)
{
  for (size_t k = 0; k < sizeof all_texts / sizeof *all_texts; k++) {
    perp_instance p = generate(all_texts[k]), q = generate(all_texts[k]);
    const sparse s = assemble(p.A), t = assemble(q.A);
    CHECK(s.n == t.n && s.start[s.n] == t.start[t.n]);
    CHECK(memcmp(s.column, t.column, (size_t)s.start[s.n] * sizeof(int)) == 0);
    CHECK(same(s.value, t.value, (int)s.start[s.n]));
    CHECK(same(p.b, q.b, s.n) && same(p.lo, q.lo, s.n) && same(p.hi, q.hi, s.n));
    CHECK(same(p.x, q.x, s.n) && same(p.u, q.u, s.n) && p.kind == q.kind);
    perp_operator_destroy(s.csr);
    perp_operator_destroy(t.csr);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

/* The stencil applied is the matrix in compressed rows applied. */
static void stencil_is_csr(void)
{
  perp_random random = perp_random_from(3);
  for (size_t k = 0; k < 8; k++) {
    char text[160];
    snprintf(text, sizeof text, "%s,operator=csr", all_texts[k]);
    perp_instance p = generate(all_texts[k]), q = generate(text);
    const int n = perp_operator_size(p.A);
    CHECK_EQUAL_INT(n, perp_operator_size(q.A));
    CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "stencil");
    CHECK_EQUAL_TEXT(perp_operator_kind(q.A), "csr");
    CHECK(perp_operator_nonzeros(p.A) == perp_operator_nonzeros(q.A));
    double *x = reals(n), *y = reals(n), *z = reals(n), most = 0;
    for (int i = 0; i < n; i++)
      x[i] = perp_random_between(&random, -1, 1);
    CHECK(perp_operator_apply(p.A, x, y, NULL) == PERP_OK);
    CHECK(perp_operator_apply(q.A, x, z, NULL) == PERP_OK);
    for (int i = 0; i < n; i++)
      most = fmax(most, fabs(y[i]));
    for (int i = 0; i < n; i++) {
      CHECK_CLOSE(y[i], z[i], 1e-13 * most);
      CHECK_CLOSE(p.b[i], q.b[i], 1e-13 * most);
    }
    free(x);
    free(y);
    free(z);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

static void large_sizes(void)
{
  static const struct {
    const char *text;
    int n;
  } cases[] = {
      {"obstacle:n=1046529", 1046529},
      {"torsion:points=1026", 1048576},
      {"journal:n=1048576", 1048576},
      {"fluid:scene=tank,n=1048576", 1048576},
      {"fluid:scene=tank,dimension=3,grid=128", 2097152},
      {"put:n=1000000,steps=3", 1000000},
      {"put2:grid=512", 262144},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance p = generate(cases[k].text);
    CHECK_EQUAL_INT(perp_operator_size(p.A), cases[k].n);
    const perp_problem problem = perp_instance_problem(&p);
    CHECK(perp_problem_check(&problem, NULL) == PERP_OK);
    perp_instance_destroy(&p);
  }
}

static void bad_parameters(void)
{
  static const struct {
    const char *text, *part; /* of the message */
  } cases[] = {
      {"obstacle:n=1000", "961 = 31^2 and 1024 = 32^2"},
      {"torsion:n=2", "1 = 1^2 and 4 = 2^2"},
      {"fluid:n=100,dimension=3", "64 = 4^3 and 125 = 5^3"},
      {"put2:n=2147483647", "square"},
      {"obstacle:points=2", "points"},
      {"obstacle:form=lcp", "variant = plain"},
      {"torsion:form=lcp,load=-1", "load"},
      {"fluid:nz=4", "nz = 4"},
      {"fluid:nx=1", "at least 2"},
      {"fluid:dimension=4", "dimension"},
      {"fluid:scene=lake", "scene"},
      {"fluid:width=0", "wet"},
      {"fluid:nx=1000000,ny=1000000", "cells"},
      {"fluid:grid=4000,dimension=3", "side of 4000"},
      {"fluid:plant=yes,active=0.8,degenerate=0.5", "at most 1"},
      {"journal:nx=1000000,ny=1000000", "points"},
      {"journal:eccentricity=1", "eccentricity"},
      {"put:step=51", "step = 51 of steps = 50"},
      {"put2:step=21", "step = 21 of steps = 20"},
      {"put:theta=0.4", "theta"},
      {"put2:correlation=1.5", "correlation"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance p;
    perp_message why = {{0}};
    CHECK_SAY(perp_generate(cases[k].text, &p, &why) == PERP_ERROR_PARAMETER, "%s", cases[k].text);
    CHECK_SAY(strstr(why.text, cases[k].part), "%s: %.300s", cases[k].text, why.text);
    CHECK(!strchr(why.text, '\n') && !p.A && !p.b);
  }
}

static const test_case tests[] = {
    TEST(elementary_functions), TEST(published_optima),     TEST(membranes_are_m_matrices),
    TEST(shifted_forms),        TEST(journal_by_triangles), TEST(journal_optima),
    TEST(fluid_by_hand),        TEST(pools_at_rest),        TEST(cut_faces),
    TEST(scenes_have_both),     TEST(scenes_are_definite),  TEST(closed_tanks),
    TEST(put_prices),           TEST(put_is_exact),         TEST(put_steps),
    TEST(put2_geometric),       TEST(put2_classes),         TEST(planted_solutions),
    TEST(two_runs_are_equal),   TEST(stencil_is_csr),       TEST(large_sizes),
    TEST(bad_parameters),
};

TEST_MAIN(tests)
