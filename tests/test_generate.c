/* test_generate.c: the promises of every kind of generated problem, by walking the registry, and
 * the classes that the random, course-note and hard kinds claim */
#include "test.h"

#include "base/random.h"
#include "generated.h"
#include "linalg/dense.h"
#include "linalg/eigen.h"
#include <perp/lab.h>
#include <perp/perp.h>

/* A as a dense array of the caller's. */
static double *dense_of(const perp_instance *p)
{
  perp_operator *D = NULL;
  const double *a;
  int64_t stride;
  const size_t n = (size_t)perp_operator_size(p->A);
  CHECK(perp_operator_to_dense(p->A, 0, &D, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(D, &a, &stride) == PERP_OK);
  double *copy = malloc((n * n + 1) * sizeof *copy);
  for (size_t i = 0; i < n; i++)
    memcpy(copy + i * n, a + (int64_t)i * stride, n * sizeof *copy);
  perp_operator_destroy(D);
  return copy;
}

/* The planted x: natural residual with y recomputed in long double, row by row. */
static double planted_residual(const perp_instance *p)
{
  const perp_problem problem = perp_instance_problem(p);
  const int n = problem.K.n, capacity = perp_operator_row_capacity(p->A);
  int *column = malloc((size_t)(capacity + 1) * sizeof *column);
  double *value = malloc((size_t)(capacity + 1) * sizeof *value);
  double *y = malloc((size_t)(n + 1) * sizeof *y);
  for (int i = 0; i < n; i++) {
    int count;
    CHECK(perp_operator_row(p->A, i, column, value, &count, NULL) == PERP_OK);
    long double sum = p->b[i];
    for (int k = 0; k < count; k++)
      sum += (long double)value[k] * p->x[column[k]];
    y[i] = (double)sum;
  }
  const double residual = perp_problem_residual(&problem, p->x, y) / perp_problem_scale(&problem);
  free(column);
  free(value);
  free(y);
  return residual;
}

static void check_certificate(const char *name, const perp_instance *p)
{
  const int n = perp_operator_size(p->A);
  double *z = malloc((size_t)n * sizeof *z);
  double *scratch = malloc((perp_operator_scratch(p->A) + 1) * sizeof *scratch);
  CHECK(perp_operator_apply_t(p->A, p->u, z, scratch, NULL) == PERP_OK);
  double product = 0;
  for (int i = 0; i < n; i++) {
    CHECK_SAY(p->u[i] >= 0 && z[i] <= 0, "%s: u = %g, (A^T u)_i = %g", name, p->u[i], z[i]);
    product += p->b[i] * p->u[i];
  }
  CHECK_SAY(product < 0, "%s: b^T u = %g", name, product);
  free(z);
  free(scratch);
}

static bool same(const double *a, const double *b, int n)
{
  return (!a && !b) || (a && b && memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

static void every_kind_keeps_its_promises(void)
{
  CHECK(perp_generator_count() >= 20);
  for (int k = 0; k < perp_generator_count(); k++) {
    const perp_generator_info g = perp_generator_at(k);
    CHECK(g.name[0] && g.title[0] && g.family[0] && g.source);
    CHECK_EQUAL_INT(perp_generator_find(g.name), k);
    for (const perp_parameter *t = g.parameters; t->name; t++)
      CHECK_SAY(t->text && t->text[0] && t->value >= t->least && t->value <= t->most, "%s.%s",
                g.name, t->name);
    perp_instance p = generated(g.name), q = generated(g.name);
    const int n = perp_operator_size(p.A);
    const perp_problem problem = perp_instance_problem(&p);
    perp_message why = {""};
    CHECK_SAY(perp_problem_validate(&problem, &why) == PERP_OK, "%s: %s", g.name, why.text);
    if (p.x)
      CHECK_SAY(planted_residual(&p) <= 1e-12, "%s: %g", g.name, planted_residual(&p));
    if (p.u) {
      CHECK_EQUAL_INT(p.kind, PERP_KIND_INFEASIBLE);
      check_certificate(g.name, &p);
    }
    CHECK_SAY(same(p.b, q.b, n) && same(p.x, q.x, n) && same(p.lo, q.lo, n) &&
                  same(p.hi, q.hi, n) && same(p.mu, q.mu, p.cones),
              "%s differs on repetition", g.name);
    double *a = n <= 2000 ? dense_of(&p) : NULL, *c = n <= 2000 ? dense_of(&q) : NULL;
    CHECK_SAY(!a || memcmp(a, c, (size_t)n * (size_t)n * sizeof *a) == 0, "%s: A differs", g.name);
    free(a);
    free(c);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

static void another_seed_is_another_problem(void)
{
  static const char *const kinds[] = {"pd",     "psd",     "nonsym",     "pmatrix",  "mmatrix",
                                      "banded", "blocked", "spd-sparse", "bimatrix", "infeasible"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    char text[64];
    snprintf(text, sizeof text, "%s:seed=2", kinds[k]);
    perp_instance p = generated(kinds[k]), q = generated(text);
    double *a = dense_of(&p), *c = dense_of(&q);
    const size_t n = (size_t)perp_operator_size(p.A);
    CHECK_SAY(memcmp(a, c, n * n * sizeof *a) != 0, "%s", kinds[k]);
    free(a);
    free(c);
    perp_instance_destroy(&p);
    perp_instance_destroy(&q);
  }
}

/* The shares of active and degenerate rows are as requested, in every form. */
static void planting_keeps_its_shares(void)
{
  static const char *const forms[] = {"lcp", "mixed", "boxed"};
  for (int form = 0; form < 3; form++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      char text[128];
      snprintf(text, sizeof text, "pd:n=100,form=%s,active=0.4,degenerate=0.25,free=0.2,seed=%d",
               forms[form], (int)seed);
      perp_instance p = generated(text);
      const perp_problem problem = perp_instance_problem(&p);
      CHECK_EQUAL_TEXT(perp_form_name(perp_set_form(&problem.K)), forms[form]);
      CHECK(planted_residual(&p) <= 1e-13);
      double y[100];
      CHECK(perp_operator_apply(p.A, p.x, y, NULL, NULL) == PERP_OK);
      int free_rows = 0, inside = 0, tight = 0;
      for (int i = 0; i < 100; i++) {
        const double lo = p.lo ? p.lo[i] : 0, hi = p.hi ? p.hi[i] : INFINITY;
        const bool zero = fabs(y[i] + p.b[i]) < 1e-12;
        if (lo == -INFINITY)
          free_rows++;
        else if (p.x[i] > lo && p.x[i] < hi)
          inside++;
        else
          tight += zero;
      }
      const int ruled = form == 1 ? 80 : 100;
      CHECK_EQUAL_INT(free_rows, 100 - ruled);
      CHECK_EQUAL_INT(inside, (int)(0.4 * ruled + 0.5));
      CHECK_EQUAL_INT(tight, (int)(0.25 * ruled + 0.5));
      perp_instance_destroy(&p);
    }
}

/* With friction the shares count contacts: a loaded normal; neither load nor velocity; only a
 * velocity. Both tangents of loaded contacts stick somewhere, and slide somewhere. */
static void planting_keeps_its_shares_of_contacts(void)
{
  int sticking = 0, sliding = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    char text[128];
    snprintf(text, sizeof text, "pd:n=101,form=findex,active=0.4,degenerate=0.25,seed=%d",
             (int)seed);
    perp_instance p = generated(text);
    const perp_problem problem = perp_instance_problem(&p);
    CHECK_EQUAL_TEXT(perp_form_name(perp_set_form(&problem.K)), "findex");
    CHECK(planted_residual(&p) <= 1e-13 && p.kind == PERP_KIND_MULTIPLE);
    double y[101];
    CHECK(perp_operator_apply(p.A, p.x, y, NULL, NULL) == PERP_OK);
    int loaded = 0, touching = 0;
    for (int i = 0; i < 99; i += 3) {
      loaded += p.x[i] > 0;
      touching += p.x[i] == 0 && fabs(y[i] + p.b[i]) < 1e-12;
      for (int t = i + 1; t < i + 3; t++) {
        CHECK(p.findex[t] == i && p.lo[t] == -p.hi[t]);
        sticking += p.x[i] > 0 && fabs(p.x[t]) < p.hi[t] * p.x[i];
        sliding += p.x[i] > 0 && fabs(p.x[t]) == p.hi[t] * p.x[i];
      }
    }
    CHECK(p.findex[99] == -1 && p.findex[100] == -1);
    CHECK_EQUAL_INT(loaded, (int)(0.4 * 33 + 0.5));
    CHECK_EQUAL_INT(touching, (int)(0.25 * 33 + 0.5));
    perp_instance_destroy(&p);
  }
  CHECK(sticking > 200 && sliding > 200);
}

static bool is_symmetric(const double *a, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (a[i * n + j] != a[j * n + i])
        return false;
  return true;
}

/* Cholesky of the symmetric part; a is overwritten. */
static bool has_definite_part(double *a, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
  return perp_cholesky(n, a, n, 0) == n;
}

static void definite_kinds_are_definite(void)
{
  static const char *const kinds[] = {"pd:n=40",         "nonsym:n=40",       "banded:n=60",
                                      "blocked:n=60",    "spd-sparse:n=60",   "fathi:n=12",
                                      "degenerate:n=40", "fluid-notes:grid=4"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int seed = 1; seed <= 20; seed++) {
      char text[64];
      snprintf(text, sizeof text, "%s,seed=%d", kinds[k], seed);
      perp_instance p = generated(text);
      const int n = perp_operator_size(p.A);
      double *a = dense_of(&p);
      const bool symmetric = is_symmetric(a, n);
      CHECK_SAY(symmetric == (strncmp(kinds[k], "nonsym", 6) != 0), "%s", text);
      CHECK_SAY(has_definite_part(a, n), "%s", text);
      CHECK_EQUAL_INT(p.kind, PERP_KIND_SOLVABLE);
      free(a);
      perp_instance_destroy(&p);
    }
}

static void spectra_are_those_asked_for(void)
{
  for (int seed = 1; seed <= 20; seed++) {
    char text[96];
    double w[60], work[180];
    snprintf(text, sizeof text, "spd-sparse:n=60,cond=1e6,rounds=3,seed=%d", seed);
    perp_instance p = generated(text);
    double *a = dense_of(&p);
    CHECK(perp_eigen_symmetric(60, a, 60, w, NULL, work));
    CHECK_CLOSE(w[0] * 1e6, 1, 1e-8);
    CHECK_CLOSE(w[59], 1, 1e-12);
    free(a);
    perp_instance_destroy(&p);

    snprintf(text, sizeof text, "psd:n=60,ratio=0.4,seed=%d", seed);
    p = generated(text);
    a = dense_of(&p);
    CHECK(is_symmetric(a, 60) && perp_eigen_symmetric(60, a, 60, w, NULL, work));
    CHECK_SAY(fabs(w[0]) < 1e-13 && fabs(w[23]) < 1e-13 && w[24] > 1e-6, "%g %g %g", w[0], w[23],
              w[24]);
    free(a);
    perp_instance_destroy(&p);

    snprintf(text, sizeof text, "fluid-notes:grid=3,seed=%d", seed);
    p = generated(text);
    a = dense_of(&p);
    CHECK(perp_eigen_symmetric(27, a, 27, w, NULL, work));
    CHECK_SAY(w[0] > 0.5 - 1e-12, "%g", w[0]); /* shifted to 0.5, or above it if it was positive */
    free(a);
    perp_instance_destroy(&p);
  }
}

/* det A_SS for the rows of the bit set, by elimination without regard for speed */
static double principal_minor(const double *a, int n, unsigned set)
{
  double m[8][8], det = 1;
  int index[8], k = 0;
  for (int i = 0; i < n; i++)
    if (set & (1u << i))
      index[k++] = i;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      m[i][j] = a[index[i] * n + index[j]];
  for (int c = 0; c < k; c++) {
    int best = c;
    for (int i = c + 1; i < k; i++)
      if (fabs(m[i][c]) > fabs(m[best][c]))
        best = i;
    if (best != c) {
      det = -det;
      for (int j = 0; j < k; j++) {
        const double swap = m[c][j];
        m[c][j] = m[best][j];
        m[best][j] = swap;
      }
    }
    det *= m[c][c];
    for (int i = c + 1; i < k; i++)
      for (int j = k - 1; j >= c; j--)
        m[i][j] -= m[i][c] / m[c][c] * m[c][j];
  }
  return det;
}

static void p_matrices_have_positive_minors(void)
{
  static const char *const kinds[] = {"pmatrix:n=8", "mmatrix:n=8,row=3", "murty:n=8", "kostreva"};
  int indefinite = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int seed = 1; seed <= 20; seed++) {
      char text[64];
      snprintf(text, sizeof text, "%s%cseed=%d", kinds[k], strchr(kinds[k], ':') ? ',' : ':', seed);
      perp_instance p = generated(text);
      const int n = perp_operator_size(p.A);
      double *a = dense_of(&p);
      for (unsigned set = 1; set < 1u << n; set++)
        CHECK_SAY(principal_minor(a, n, set) > 0, "%s, rows %x", text, set);
      if (k == 1)
        for (int i = 0; i < n * n; i++)
          CHECK(i / n == i % n ? a[i] > 0 : a[i] <= 0);
      indefinite += k == 0 && !has_definite_part(a, n);
      free(a);
      perp_instance_destroy(&p);
    }
  CHECK_SAY(indefinite >= 15, "%d of 20 pmatrix are not definite", indefinite);
}

/* The recipe of the notes: zero diagonal in the kept blocks, their last row and column. */
static void contact_notes_follow_the_recipe(void)
{
  static const double last_row[6] = {0.5, -1, -1, -1, -1, 0}, last_column[6] = {0, 1, 1, 1, 1, 0};
  int kept = 0, zeroed = 0;
  for (int seed = 1; seed <= 10; seed++) {
    char text[64];
    snprintf(text, sizeof text, "contact-notes:contacts=10,rhs=notes,seed=%d", seed);
    perp_instance p = generated(text);
    CHECK(!p.x && p.kind == PERP_KIND_UNKNOWN);
    double *a = dense_of(&p);
    for (int q = 0; q < 10; q++)
      for (int r = 0; r < 10; r++) {
        const double *block = a + 6 * q * 60 + 6 * r;
        if (block[1] == 0) {
          zeroed++;
          for (int i = 0; i < 36; i++)
            CHECK(block[i / 6 * 60 + i % 6] == 0 || (q == r && i / 6 == i % 6));
        } else {
          kept++;
          for (int i = 0; i < 6; i++)
            CHECK(block[5 * 60 + i] == last_row[i] && block[i * 60 + 5] == last_column[i]);
        }
      }
    free(a);
    perp_instance_destroy(&p);
  }
  CHECK_SAY(kept > 300 && zeroed > 300, "%d kept, %d zeroed", kept, zeroed);
}

/* Every sign of a and b: the claim agrees with solving y = a x + b by hand. */
static void single_knows_every_sign(void)
{
  for (int a = -1; a <= 1; a++)
    for (int b = -1; b <= 1; b++) {
      char text[64];
      snprintf(text, sizeof text, "single:a=%d,b=%d", a, b);
      perp_instance p = generated(text);
      int solutions = 0;
      for (int x = 0; x <= 2; x++)
        solutions += a * x + b >= 0 && x * (a * x + b) == 0;
      CHECK_EQUAL_INT(p.kind, solutions == 0   ? PERP_KIND_INFEASIBLE
                              : solutions == 1 ? PERP_KIND_SOLVABLE
                                               : PERP_KIND_MULTIPLE);
      CHECK((p.x != NULL) == (solutions > 0) && (p.u != NULL) == (solutions == 0));
      if (p.x)
        CHECK(a * p.x[0] + b >= 0 && p.x[0] >= 0 && p.x[0] * (a * p.x[0] + b) == 0);
      perp_instance_destroy(&p);
    }
}

static void certificates_hold_exactly(void)
{
  for (int psd = 0; psd < 2; psd++)
    for (int seed = 1; seed <= 50; seed++) {
      char text[64];
      snprintf(text, sizeof text, "infeasible:n=%d,class=%s,seed=%d", 1 + seed % 30,
               psd ? "psd" : "general", seed);
      perp_instance p = generated(text);
      check_certificate(text, &p);
      if (psd) {
        const int n = perp_operator_size(p.A);
        double *a = dense_of(&p), *w = malloc(4 * (size_t)n * sizeof *w);
        CHECK(is_symmetric(a, n) && perp_eigen_symmetric(n, a, n, w, NULL, w + n));
        CHECK(w[0] > -1e-11 * (1 + w[n - 1]));
        free(a);
        free(w);
      }
      perp_instance_destroy(&p);
    }
}

static void bad_parameters_are_one_line(void)
{
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"nonsense", "there is no kind of problem 'nonsense'"},
      {"pd:n=0", "pd: n = 0 is not in 1 .. 20000"},
      {"pd:n=ten", "pd: n = 'ten' is not a number"},
      {"pd:n", "pd: 'n' is not key=value"},
      {"pd:seed=-1", "pd: seed = '-1' is not a whole number"},
      {"pd:seed=", "pd: seed = '' is not a whole number"},
      {"pd:active=0.8,degenerate=0.4",
       "pd: active + degenerate = 1.2, but shares add up to at most 1"},
      {"pd:form=cubic", "pd: form = 'cubic' is not one of lcp, mixed, boxed, findex"},
      {"blocked:n=10", "blocked: n = 10 is not a multiple of size = 3"},
      {"fluid-notes:n=100", "fluid-notes: n = 100 is not a cube"},
      {"contact-notes:n=100", "contact-notes: n = 100 is not a multiple of 6"},
      {"kostreva:n=3", "kostreva has no parameter 'n' (it has none)"},
      {"single:a=nan", "single: a = nan is not in -1e+300 .. 1e+300"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance p;
    perp_message why = {""};
    CHECK_SAY(perp_generate(cases[k].text, &p, &why) != PERP_OK, "%s", cases[k].text);
    CHECK_EQUAL_TEXT(why.text, cases[k].expected);
    CHECK(!p.A && !p.b && !p.x);
  }
}

/* Large sizes in seconds, memory linear: these would not fit as dense matrices. */
static void large_sparse_problems_are_made(void)
{
  static const char *const kinds[] = {"banded:n=200000", "mmatrix:n=100000", "blocked:n=99999",
                                      "spd-sparse:n=100000"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance p = generated(kinds[k]);
    CHECK(planted_residual(&p) <= 1e-12);
    perp_instance_destroy(&p);
  }
}

static const test_case tests[] = {
    TEST(every_kind_keeps_its_promises),   TEST(another_seed_is_another_problem),
    TEST(planting_keeps_its_shares),       TEST(planting_keeps_its_shares_of_contacts),
    TEST(definite_kinds_are_definite),     TEST(spectra_are_those_asked_for),
    TEST(p_matrices_have_positive_minors), TEST(contact_notes_follow_the_recipe),
    TEST(single_knows_every_sign),         TEST(certificates_hold_exactly),
    TEST(bad_parameters_are_one_line),     TEST(large_sparse_problems_are_made),
};

TEST_MAIN(tests)
