/* test_generate_grid.c: the generators of grids: fluid, and what all of them promise
 *
 * Oracles: faces sampled point by point, hydrostatics, and a plain PSOR on the assembled matrix. */
#include "generate_grid.h"

#include "base/random.h"
#include "linalg/dense.h"

/* ---- Fluid ---- */

static void fluid_by_hand(void)
{
  const double h = 1.0 / 16, speed = 0.5, fall = 10 * 0.01, w = 0.01 / (2 * h * h);
  /* the column is 8 x 12 cells at the left wall */
  perp_instance p =
      generated("fluid:scene=dam,grid=16,width=0.5,level=0.75,density=2,speed=0.5,spray=1.5");
  CHECK_EQUAL_INT(perp_operator_size(p.A), 96);
  CHECK(p.kind == PERP_KIND_SOLVABLE);
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 8; i++) {
      CHECK_CLOSE(p.b[8 * j + i],
                  (i == 0 ? speed / h : 0) - (j == 0 ? fall / h : 0) + 1.5 * fall / 0.75, 1e-12);
      double d[96];
      CHECK(perp_operator_diagonal(p.A, d, NULL) == PERP_OK);
      CHECK_CLOSE(d[8 * j + i], w * (4 - (i == 0) - (j == 0)), 1e-12);
    }
  perp_instance_destroy(&p);
  p = generated("fluid:scene=tank,dimension=3,nx=4,ny=6,nz=5,drain=0,spray=0");
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
  perp_instance p = generated(text);
  perp_stencil_data data = perp_stencil_data_default();
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

/* Fraction of a face above y = 1/4 + slope (x - 1/2), by sampling. The face is between cell `at`
 * and the next one in direction axis. */
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
  perp_instance p = generated("fluid:scene=tilted,grid=15,dimension=3,nz=3,slope=0.63,level=0.8");
  perp_stencil_data data = perp_stencil_data_default();
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

/* Not just a linear system: both pressure and voids occur. */
static void scenes_have_both(void)
{
  for (size_t k = 0; k < sizeof scene_texts / sizeof *scene_texts; k++) {
    perp_instance p = generated(scene_texts[k]);
    CHECK(p.kind == PERP_KIND_SOLVABLE && !p.x);
    const int n = perp_operator_size(p.A);
    check_m_matrix(scene_texts[k], p.A, true, 0);
    double *x = reals(n), *y = reals(n);
    psor(&p, 1.7, x);
    CHECK_SAY(residual(&p, x) < 1e-9, "%s: %g", scene_texts[k], residual(&p, x));
    CHECK(perp_operator_apply(p.A, x, y, NULL, NULL) == PERP_OK);
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
    perp_instance p = generated(texts[k]);
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
    perp_instance p = generated(text);
    const int n = perp_operator_size(p.A);
    double *one = reals(n), *y = reals(n), sum = 0, least, most;
    for (int i = 0; i < n; i++) {
      one[i] = 1;
      sum += p.b[i];
    }
    CHECK(perp_operator_apply(p.A, one, y, NULL, NULL) == PERP_OK);
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
      perp_instance p = generated(text);
      CHECK(p.x && p.b && !p.u);
      CHECK_SAY(residual(&p, p.x) < 1e-10, "%s: %g", text, residual(&p, p.x));
      const int n = perp_operator_size(p.A);
      double *y = reals(n);
      CHECK(perp_operator_apply(p.A, p.x, y, NULL, NULL) == PERP_OK);
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
    perp_instance p = generated(all_texts[k]), q = generated(all_texts[k]);
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

/* The stencil and its matrix in compressed rows give the same product. */
static void stencil_is_csr(void)
{
  perp_random random = perp_random_from(3);
  for (size_t k = 0; k < 8; k++) {
    char text[160];
    snprintf(text, sizeof text, "%s,operator=csr", all_texts[k]);
    perp_instance p = generated(all_texts[k]), q = generated(text);
    const int n = perp_operator_size(p.A);
    CHECK_EQUAL_INT(n, perp_operator_size(q.A));
    CHECK_EQUAL_TEXT(perp_operator_kind(p.A), "stencil");
    CHECK_EQUAL_TEXT(perp_operator_kind(q.A), "csr");
    CHECK(perp_operator_nonzeros(p.A) == perp_operator_nonzeros(q.A));
    double *x = reals(n), *y = reals(n), *z = reals(n), most = 0;
    for (int i = 0; i < n; i++)
      x[i] = perp_random_between(&random, -1, 1);
    CHECK(perp_operator_apply(p.A, x, y, NULL, NULL) == PERP_OK);
    CHECK(perp_operator_apply(q.A, x, z, NULL, NULL) == PERP_OK);
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
    perp_instance p = generated(cases[k].text);
    CHECK_EQUAL_INT(perp_operator_size(p.A), cases[k].n);
    const perp_problem problem = perp_instance_problem(&p);
    CHECK(perp_problem_validate(&problem, NULL) == PERP_OK);
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
      {"put:step=51", "step = 51 is more than steps = 50"},
      {"put2:step=21", "step = 21 is more than steps = 20"},
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
    TEST(fluid_by_hand),     TEST(pools_at_rest),       TEST(cut_faces),
    TEST(scenes_have_both),  TEST(scenes_are_definite), TEST(closed_tanks),
    TEST(planted_solutions), TEST(two_runs_are_equal),  TEST(stencil_is_csr),
    TEST(large_sizes),       TEST(bad_parameters),
};

TEST_MAIN(tests)
