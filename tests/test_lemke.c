/* test_lemke.c: Lemke's method and the enumeration of bases
 *
 * The oracle of both is a brute force over all index sets that shares no code with them: Gaussian
 * elimination of each principal block, written here. Larger problems have a certificate, or are
 * judged by a residual with an independent product. */
#include "lemke.h"

#include "linalg/vector.h"
#include "quad.h"

/* ---- The oracle ---- */

/* Solves a (m x m) x = r by Gauss-Jordan with complete row search; returns false if singular. */
static bool gauss(int m, double a[8][9])
{
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    if (fabs(a[best][k]) < 1e-9)
      return false;
    for (int j = 0; j <= m; j++) {
      const double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    for (int i = 0; i < m; i++)
      if (i != k) {
        const double f = a[i][k] / a[k][k];
        for (int j = k; j <= m; j++)
          a[i][j] -= f * a[k][j];
      }
  }
  return true;
}

typedef struct points {
  int count, singular;
  double x[256][8];
} points;

/* Solutions with x_a > 0 on regular blocks; a is their support. */
static void brute_force(int n, const double *a, const double *b, points *found)
{
  found->count = found->singular = 0;
  for (unsigned set = 0; set < 1u << n; set++) {
    int index[8], m = 0;
    double t[8][9], x[8] = {0};
    for (int i = 0; i < n; i++)
      if (set >> i & 1)
        index[m++] = i;
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < m; j++)
        t[i][j] = a[index[i] * n + index[j]];
      t[i][m] = -b[index[i]];
    }
    if (!gauss(m, t)) {
      found->singular++;
      continue;
    }
    bool good = true;
    for (int i = 0; i < m; i++) {
      x[index[i]] = t[i][m] / t[i][i];
      good = good && x[index[i]] > 1e-8;
    }
    for (int i = 0; i < n; i++) {
      double y = b[i];
      for (int j = 0; j < n; j++)
        y += a[i * n + j] * x[j];
      good = good && (set >> i & 1 || y > -1e-8);
    }
    if (good)
      memcpy(found->x[found->count++], x, sizeof x);
  }
}

static bool holds(const points *p, int n, const double *x)
{
  for (int k = 0; k < p->count; k++)
    if (perp_distance_inf(n, p->x[k], x) < 1e-6)
      return true;
  return false;
}

typedef struct collected {
  int n, isolated, other;
  points all;
} collected;

static bool collect(void *context, const perp_solution *solution)
{
  collected *c = context;
  *(solution->isolated ? &c->isolated : &c->other) += 1;
  if (c->all.count < 256)
    memcpy(c->all.x[c->all.count++], solution->x, (size_t)c->n * sizeof(double));
  return true;
}

static collected enumerate(const perp_problem *p)
{
  static collected c;
  memset(&c, 0, sizeof c);
  c.n = p->K.n;
  perp_options o = perp_options_default();
  o.found = collect;
  o.found_context = &c;
  double x[24] = {0};
  perp_error error;
  run_with(&perp_method_enumerate, p, &o, NULL, NULL, x, &error);
  CHECK(!error);
  return c;
}

/* ---- Enumeration ---- */

/* Random real matrices: every basis regular, every solution isolated, as the brute force finds. */
static void enumeration_agrees_with_brute_force(void)
{
  perp_random random = perp_random_from(1);
  static points oracle;
  int several = 0, none = 0;
  for (int k = 0; k < 600; k++) {
    const int n = 1 + perp_random_below(&random, 7);
    double a[49], b[7];
    for (int i = 0; i < n * n; i++)
      a[i] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++)
      b[i] = perp_random_between(&random, -1, k % 3 ? 1 : 0.2);
    brute_force(n, a, b, &oracle);
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    const collected c = enumerate(&p);
    CHECK_EQUAL_INT(c.isolated, oracle.count);
    CHECK_EQUAL_INT(c.other, 0);
    for (int l = 0; l < c.all.count; l++)
      CHECK(holds(&oracle, n, c.all.x[l]));
    several += oracle.count > 1;
    none += oracle.count == 0;
    perp_instance_destroy(&in);
  }
  CHECK(several > 20 && none > 20);
}

/* Small integers give many singular blocks and faces. Every solution that the brute force finds on
 * regular blocks is found here too, and every reported one solves the problem. */
static void enumeration_of_singular_matrices(void)
{
  perp_random random = perp_random_from(2);
  static points oracle;
  int faces = 0, isolated = 0;
  for (int k = 0; k < 600; k++) {
    const int n = 1 + perp_random_below(&random, 6);
    double a[36], b[6];
    for (int i = 0; i < n * n; i++)
      a[i] = perp_random_below(&random, 3) - 1;
    for (int i = 0; i < n; i++)
      b[i] = perp_random_below(&random, 4) - 2;
    brute_force(n, a, b, &oracle);
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    const collected c = enumerate(&p);
    for (int l = 0; l < oracle.count; l++)
      CHECK(holds(&c.all, n, oracle.x[l]));
    for (int l = 0; l < c.all.count; l++) {
      double residual, scale;
      CHECK(perp_problem_judge(&p, c.all.x[l], &residual, &scale, NULL) == PERP_OK);
      CHECK_SAY(residual < 1e-7, "residual %g", residual);
    }
    faces += c.other > 0;
    isolated += c.isolated > 0;
    perp_instance_destroy(&in);
  }
  CHECK(faces > 50 && isolated > 50);
}

static void isolated_or_not_by_hand(void)
{
  static const struct {
    int n;
    double a[9], b[3];
    int isolated, other;
  } cases[] = {
      {1, {-1}, {1}, 2, 0},                                 /* x = 0 and x = 1 */
      {1, {0}, {0}, 0, 2},                                  /* the half-line, its end and inside */
      {2, {1, 1, 1, 1}, {-1, -1}, 0, 3},                    /* a segment and its ends */
      {2, {0, 0, 0, 1}, {0, -1}, 0, 2},                     /* (t, 1) */
      {2, {0, 1, 1, 0}, {-1, -1}, 1, 0},                    /* regular, zero diagonal */
      {2, {0, 0, 0, 0}, {0, 0}, 0, 4},                      /* the quadrant: all its faces */
      {2, {0, 1, 0, 1}, {0, 0}, 0, 2},                      /* (t, 0) */
      {3, {1, 1, 0, 1, 1, 0, 0, 0, -1}, {-1, -1, 1}, 0, 6}, /* the segment x {0, 1} */
      {2, {1, -1, -1, 1}, {-1, -1}, 0, 0},                  /* none */
      {3, {-1, 0, 0, 0, -1, 0, 0, 0, -1}, {1, 1, 1}, 8, 0}, /* the corners of a cube */
      {2, {-1, 0, 0, 0}, {1, 0}, 0, 4},                     /* {0, 1} x the half-line */
      {3, {0, 0, 1, 0, 0, 1, 1, 1, 0}, {-1, -1, -1}, 0, 3}, /* x_0 + x_1 = 1, x_2 = 1 */
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_instance in = instance_of(cases[k].n, cases[k].a, cases[k].b);
    const perp_problem p = perp_instance_problem(&in);
    const collected c = enumerate(&p);
    CHECK_SAY(c.isolated == cases[k].isolated && c.other == cases[k].other,
              "case %d: %d isolated, %d others", (int)k, c.isolated, c.other);
    perp_instance_destroy(&in);
  }
}

static int sign(quad v)
{
  return (v > 0) - (v < 0);
}

/* Returns the number of solutions of a regular problem of two rows, by Cramer's rule: quads hold the
 * products, and the sign of a difference is exact. 0 entries or minors: returns -1. */
static int count_of_two(const double *a, const double *b)
{
  const quad minor[3] = {(quad)a[0] * a[3] - (quad)a[1] * a[2],
                         (quad)a[1] * b[1] - (quad)a[3] * b[0],
                         (quad)a[2] * b[0] - (quad)a[0] * b[1]};
  const int s[3] = {sign(minor[0]), sign(minor[1]), sign(minor[2])};
  if (!s[0] || !s[1] || !s[2] || a[0] == 0 || a[3] == 0 || b[0] == 0 || b[1] == 0)
    return -1;
  return (b[0] > 0 && b[1] > 0) + (sign(a[0]) != sign(b[0]) && s[2] != sign(a[0])) +
         (sign(a[3]) != sign(b[1]) && s[1] != sign(a[3])) + (s[1] == s[0] && s[2] == s[0]);
}

/* Entries from the smallest double to 1: every solution is found, and x is the nearest double. */
static void subnormal_entries_are_enumerated(void)
{
  static const double sizes[] = {5e-322, 1e-310, 1e-300, 1};
  perp_random random = perp_random_from(5);
  int infinite = 0, two = 0;
  for (int k = 0; k < 2000; k++) {
    const int n = 1 + k % 2;
    double v[6];
    for (int i = 0; i < 6; i++)
      v[i] = perp_random_between(&random, -1, 1) * sizes[perp_random_below(&random, 4)];
    double *a = v, *b = v + n * n;
    const int count = n == 1 ? (b[0] > 0) + (sign(a[0]) * sign(b[0]) < 0) : count_of_two(a, b);
    if (count < 0 || a[0] == 0 || b[0] == 0)
      continue;
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    const collected c = enumerate(&p);
    CHECK_SAY(c.isolated == count && c.other == 0, "%d: %d of %d", k, c.isolated, count);
    const double x = -b[0] / a[0], found = count > 0 ? c.all.x[count - 1][0] : 0;
    if (n == 1 && x > 0 && (x >= DBL_MIN || isinf(x)))
      CHECK_SAY(found == x, "%d: %a, nearest %a", k, found, x);
    infinite += n == 1 && isinf(x);
    two += count > 1;
    double start[2] = {0};
    perp_error error;
    const perp_result r = run_with(&perp_method_enumerate, &p, NULL, NULL, NULL, start, &error);
    CHECK(!error && r.outcome != PERP_REFUTED);
    CHECK_SAY(r.outcome == PERP_SOLVED || !strstr(r.message.text, "solution") || count == 0 ||
                  r.outcome == PERP_PRECISION || strstr(r.message.text, "rounded to doubles"),
              "%s", r.message.text);
    perp_instance_destroy(&in);
  }
  CHECK(infinite > 10 && two > 100);
}

static void enumeration_as_a_method(void)
{
  const double a = -1, b = 1, x_start = 0;
  perp_instance in = instance_of(1, &a, &b);
  perp_problem p = perp_instance_problem(&in);
  double x[24] = {x_start};
  perp_error error;
  perp_result r = run_with(&perp_method_enumerate, &p, NULL, NULL, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_SOLVED && x[0] == 0);
  CHECK_EQUAL_TEXT(r.message.text, "2 solutions, 2 isolated, of 2 cases");
  perp_instance_destroy(&in);

  CHECK(perp_generate("pd:n=21", &in, NULL) == PERP_OK);
  p = perp_instance_problem(&in);
  r = run_with(&perp_method_enumerate, &p, NULL, NULL, NULL, x, &error);
  CHECK(error == PERP_ERROR_UNSUPPORTED && strstr(r.message.text, "n = 21"));
  perp_instance_destroy(&in);

  CHECK(perp_generate("none", &in, NULL) == PERP_OK);
  p = perp_instance_problem(&in);
  memset(x, 0, sizeof x);
  r = run_with(&perp_method_enumerate, &p, NULL, NULL, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_UNSOLVABLE && strstr(r.message.text, "none of the"));
  perp_instance_destroy(&in);

  for (int n = 2; n <= 14; n += 3) {
    char text[64];
    snprintf(text, sizeof text, "several:n=%d", n);
    CHECK(perp_generate(text, &in, NULL) == PERP_OK);
    p = perp_instance_problem(&in);
    memset(x, 0, sizeof x);
    r = run_with(&perp_method_enumerate, &p, NULL, NULL, NULL, x, &error);
    snprintf(text, sizeof text, "%d solutions, %d isolated, of %d cases", 1 << n, 1 << n, 1 << n);
    CHECK_EQUAL_TEXT(r.message.text, text);
    perp_instance_destroy(&in);
  }
}

/* ---- Lemke on small problems ---- */

static void every_sign_of_one_unknown(void)
{
  const double values[] = {-2, -1e-9, 0, 1e-9, 1, 3};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double a = values[i], b = values[j];
      perp_instance in = instance_of(1, &a, &b);
      const perp_problem p = perp_instance_problem(&in);
      double x = 0;
      const perp_result r = lemke(&p, &x);
      if (b >= 0) {
        CHECK(r.outcome == PERP_SOLVED && x == 0 && r.counts.pivots == 0);
      } else if (a > 0) {
        CHECK(r.outcome == PERP_SOLVED && r.counts.pivots == 1);
        CHECK_CLOSE(x, -b / a, 1e-12 * -b / a);
      } else {
        CHECK_SAY(r.outcome == PERP_INFEASIBLE, "a = %g, b = %g: %s", a, b, r.message.text);
      }
      perp_instance_destroy(&in);
    }
}

static void the_zero_matrix(void)
{
  const double a[25] = {0};
  double b[5] = {1, 0, 2, 3, 4}, x[5] = {0};
  perp_instance in = instance_of(5, a, b);
  perp_problem p = perp_instance_problem(&in);
  CHECK(lemke(&p, x).outcome == PERP_SOLVED);
  in.b[3] = -1;
  const perp_result r = lemke(&p, x);
  CHECK_SAY(r.outcome == PERP_INFEASIBLE, "%s", r.message.text);
  perp_instance_destroy(&in);
}

/* Random and small integer matrices: Lemke's result is compared with all solutions. */
static void verdicts_agree_with_enumeration(void)
{
  perp_random random = perp_random_from(3);
  int solved = 0, infeasible = 0, rays = 0;
  for (int k = 0; k < 1500; k++) {
    const int n = 1 + perp_random_below(&random, 6);
    double a[36], b[6], x[6] = {0};
    for (int i = 0; i < n * n; i++)
      a[i] = k % 2 ? perp_random_between(&random, -1, 1) : perp_random_below(&random, 5) - 2;
    for (int i = 0; i < n; i++)
      b[i] = k % 2 ? perp_random_between(&random, -1, 0.5) : perp_random_below(&random, 5) - 3;
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    const collected c = enumerate(&p);
    const perp_result r = lemke(&p, x);
    const int known = c.isolated + c.other;
    if (r.outcome == PERP_SOLVED) {
      CHECK(known > 0);
      CHECK(c.other > 0 || holds(&c.all, n, x));
      solved++;
    } else if (r.outcome == PERP_INFEASIBLE) {
      CHECK_EQUAL_INT(known, 0);
      infeasible++;
    } else {
      CHECK_SAY(r.outcome == PERP_RAY, "case %d: %s", k, r.message.text);
      rays++;
    }
    perp_instance_destroy(&in);
  }
  CHECK_SAY(solved > 300 && infeasible > 20 && rays > 0, "%d solved, %d infeasible, %d rays",
            solved, infeasible, rays);
}

/* P-matrices (dominant diagonals of both kinds of symmetry): always the one solution. */
static void p_matrices_are_solved(void)
{
  perp_random random = perp_random_from(4);
  for (int k = 0; k < 400; k++) {
    const int n = 1 + perp_random_below(&random, 7);
    double a[49], b[7], x[7] = {0};
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++)
        sum += fabs(a[i * n + j] = perp_random_between(&random, -1, 1));
      a[i * n + i] = sum + 0.1;
      b[i] = perp_random_between(&random, -1, 1);
    }
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    const collected c = enumerate(&p);
    const perp_result r = lemke(&p, x);
    CHECK(c.isolated == 1 && c.other == 0);
    CHECK_SAY(r.outcome == PERP_SOLVED && holds(&c.all, n, x), "%s", r.message.text);
    perp_instance_destroy(&in);
  }
}

/* ---- Infeasible semi-definite problems ---- */

/* A = G G^T + K with u >= 0, G^T u = 0, K skew with K u = 0, b^T u < 0, all in integers: the ray
 * must prove it. */
static void semidefinite_infeasibility_is_proven(void)
{
  perp_random random = perp_random_from(5);
  for (int k = 0; k < 100; k++) {
    const int n = 3 + perp_random_below(&random, 30), rank = n - 1;
    double *g = calloc((size_t)(n * rank), sizeof *g), *a = calloc((size_t)(n * n), sizeof *a);
    double u[33], b[33], x[33] = {0}, product = 0, length = 0;
    for (int i = 0; i < n; i++) {
      u[i] = perp_random_below(&random, 2) + (i == 0);
      b[i] = perp_random_below(&random, 4) - 1;
      length += u[i] * u[i];
    }
    for (int l = 0; l < rank; l++) {
      double along = 0;
      for (int i = 0; i < n; i++)
        along += u[i] * (g[i * rank + l] = perp_random_below(&random, 9) - 4);
      for (int i = 0; i < n; i++)
        g[i * rank + l] = length * g[i * rank + l] - along * u[i];
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < rank; l++) /* the skew part: g_l g_(l+1)^T - g_(l+1) g_l^T */
          a[i * n + j] += g[i * rank + l] * g[j * rank + l] +
                          (k % 2 && l + 1 < rank ? g[i * rank + l] * g[j * rank + l + 1] -
                                                       g[i * rank + l + 1] * g[j * rank + l]
                                                 : 0);
    for (int i = 0; i < n; i++)
      product += b[i] * u[i];
    for (int i = 0; i < n; i++)
      b[i] = length * b[i] - (product + 1) * u[i];
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    perp_solver *solver = NULL;
    perp_result r = perp_result_empty();
    CHECK(perp_solver_create_with(&perp_method_lemke, &solver, NULL) == PERP_OK);
    CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_INFEASIBLE, "case %d, n = %d: %s", k, n, r.message.text);
    double least = 0, ray_product = 0;
    for (int j = 0; j < n; j++) {
      double column = 0;
      for (int i = 0; i < n; i++)
        column += a[i * n + j] * r.ray[i];
      CHECK(r.ray[j] >= 0 && column <= 0);
      least = fmin(least, column);
      ray_product += b[j] * r.ray[j];
    }
    CHECK(ray_product < -1e-6);
    perp_solver_destroy(solver);
    perp_instance_destroy(&in);
    free(g);
    free(a);
  }
}

/* ---- Forms, operators, parameters ---- */

static void mixed_problems_are_solved(void)
{
  for (int n = 2; n <= 50; n += 4)
    for (uint64_t seed = 1; seed <= 8; seed++) {
      perp_instance in = problem_random(n, PERP_FORM_MIXED, 0.5, seed);
      const perp_problem p = perp_instance_problem(&in);
      double x[64] = {0};
      const perp_result r = lemke(&p, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
      CHECK(perp_distance_inf(n, x, in.x) < 1e-8);
      perp_instance_destroy(&in);
    }
}

/* Equality-constrained quadratic programs, (H -E^T; E 0) with free multipliers: the block of the
 * free rows is zero, and in every second program one equation is repeated. */
static void singular_free_blocks_are_solved(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 60; k++) {
    const int m = 6 + perp_random_below(&random, 20), e = 1 + perp_random_below(&random, 4);
    const int twice = k % 2, n = m + e + twice;
    double *h = problem_dominant(m, 0.5, &random), *a = calloc((size_t)(n * n), sizeof *a);
    double x[64] = {0}, y[64] = {0}, start[64] = {0};
    perp_instance in = {0};
    in.lo = perp_alloc_zero((size_t)n, sizeof *in.lo);
    in.hi = perp_alloc_zero((size_t)n, sizeof *in.hi);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        a[i * n + j] = h[i * m + j];
    for (int l = 0; l < e + twice; l++)
      for (int j = 0; j < m; j++) {
        const double c = l == e ? a[m * n + j] : perp_random_between(&random, -1, 1);
        a[(m + l) * n + j] = c;
        a[j * n + m + l] = -c;
      }
    for (int i = 0; i < n; i++) {
      in.hi[i] = INFINITY;
      in.lo[i] = i < m ? 0 : -INFINITY;
      const bool inside = i >= m || perp_random_below(&random, 3) > 0;
      *(inside ? &x[i] : &y[i]) = perp_random_between(&random, i < m ? 0.1 : -1, 1);
    }
    problem_plant(&in, n, a, x, y);
    in.A = problem_dense(n, a);
    const perp_problem p = perp_instance_problem(&in);
    const perp_result r = lemke(&p, start);
    CHECK_SAY(r.outcome == PERP_SOLVED, "case %d, n = %d: %s", k, n, r.message.text);
    CHECK(perp_distance_inf(m, start, x) < 1e-7);
    perp_free(h);
    free(a);
    perp_instance_destroy(&in);
  }
}

static int shell_apply(void *context, const double *x, double *y)
{
  CHECK(perp_operator_apply(context, x, y, NULL, NULL) == PERP_OK);
  return 0;
}

/* One banded matrix as CSR (products by the operator), as dense (columns kept) and as a shell that
 * can only multiply. */
static void operators_agree(void)
{
  for (int seed = 1; seed <= 5; seed++) {
    char text[64];
    perp_instance in;
    snprintf(text, sizeof text, "banded:n=180,seed=%d", seed);
    CHECK(perp_generate(text, &in, NULL) == PERP_OK);
    perp_operator *A[3] = {NULL};
    CHECK(perp_operator_to_csr(in.A, 0, &A[0], NULL) == PERP_OK);
    CHECK(perp_operator_to_dense(in.A, 0, &A[1], NULL) == PERP_OK);
    const perp_shell shell = {.size = sizeof(perp_shell), .context = A[1], .apply = shell_apply};
    CHECK(perp_operator_shell(180, &shell, &A[2], NULL) == PERP_OK);
    double x[3][180] = {{0}};
    int64_t pivots[3];
    for (int k = 0; k < 3; k++) {
      const perp_problem p = perp_problem_lcp(A[k], in.b);
      const perp_result r = lemke(&p, x[k]);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", perp_operator_kind(A[k]), r.message.text);
      pivots[k] = r.counts.pivots;
      CHECK(perp_distance_inf(180, x[k], x[0]) < 1e-9 * perp_norm_inf(180, x[0]));
    }
    CHECK(pivots[0] == pivots[1]);
    for (int k = 0; k < 3; k++)
      perp_operator_destroy(A[k]);
    perp_instance_destroy(&in);
  }
}

static void parameters_change_the_way_not_the_answer(void)
{
  static const char *const settings[][2] = {
      {"cover", "ones"},   {"cover", "random"}, {"scaling", "none"},
      {"scaling", "both"}, {"retries", "0"},    {"warm", "no"},
  };
  perp_instance in;
  CHECK(perp_generate("nonsym:n=70,seed=4", &in, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&in);
  double x[70] = {0}, other[70];
  const perp_result r = lemke(&p, x);
  CHECK(r.outcome == PERP_SOLVED && r.counts.factorisations <= 3);
  for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
    memset(other, 0, sizeof other);
    perp_error error;
    const perp_result s =
        run_with(&perp_method_lemke, &p, NULL, settings[k][0], settings[k][1], other, &error);
    CHECK_SAY(!error && s.outcome == PERP_SOLVED, "%s=%s: %s", settings[k][0], settings[k][1],
              s.message.text);
    CHECK(perp_distance_inf(70, x, other) < 1e-9 * perp_norm_inf(70, x));
  }
  perp_instance_destroy(&in);
}

/* From the basis of a nearby problem's solution few pivots remain. */
static void warm_starts_save_pivots(void)
{
  perp_instance in;
  CHECK(perp_generate("pd:n=100,seed=5", &in, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&in);
  double x[100] = {0}, warm[100], cold[100] = {0};
  const int64_t first = lemke(&p, x).counts.pivots;
  perp_random random = perp_random_from(8);
  const double size = perp_norm_inf(100, in.b);
  for (int i = 0; i < 100; i++)
    in.b[i] += 0.05 * size * perp_random_between(&random, -1, 1);
  memcpy(warm, x, sizeof x);
  const perp_result r = lemke(&p, warm), s = lemke(&p, cold);
  CHECK(r.outcome == PERP_SOLVED && s.outcome == PERP_SOLVED);
  CHECK(perp_distance_inf(100, warm, cold) < 1e-9 * perp_norm_inf(100, cold));
  CHECK_SAY(r.counts.pivots < first / 2 && r.counts.pivots > 0, "%lld against %lld",
            (long long)r.counts.pivots, (long long)first);
  perp_instance_destroy(&in);
}

static void limits_and_observers(void)
{
  perp_instance in;
  CHECK(perp_generate("pd:n=60,seed=2", &in, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&in);
  double x[60] = {0};
  perp_options o = perp_options_default();
  perp_error error;
  o.max_iterations = 7;
  perp_result r = run_with(&perp_method_lemke, &p, &o, NULL, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_ITERATION_LIMIT);
  CHECK(r.counts.pivots == 7 && r.counts.iterations == 7);

  o = perp_options_default();
  witness w = {.stop_at = 1000};
  o.observer = watch;
  o.observer_context = &w;
  memset(x, 0, sizeof x);
  r = run_with(&perp_method_lemke, &p, &o, NULL, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_SOLVED);
  CHECK(w.calls >= r.counts.pivots && w.last == r.counts.pivots);
  w = (witness){.stop_at = 5};
  memset(x, 0, sizeof x);
  r = run_with(&perp_method_lemke, &p, &o, NULL, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_STOPPED && r.counts.pivots == 5);

  o = perp_options_default();
  o.memory_limit = 1000;
  memset(x, 0, sizeof x);
  r = run_with(&perp_method_lemke, &p, &o, NULL, NULL, x, &error);
  CHECK(error == PERP_ERROR_MEMORY && strstr(r.message.text, "memory_limit = 1000"));
  perp_instance_destroy(&in);
}

static const test_case tests[] = {
    TEST(enumeration_agrees_with_brute_force),
    TEST(enumeration_of_singular_matrices),
    TEST(isolated_or_not_by_hand),
    TEST(subnormal_entries_are_enumerated),
    TEST(enumeration_as_a_method),
    TEST(every_sign_of_one_unknown),
    TEST(the_zero_matrix),
    TEST(verdicts_agree_with_enumeration),
    TEST(p_matrices_are_solved),
    TEST(semidefinite_infeasibility_is_proven),
    TEST(mixed_problems_are_solved),
    TEST(singular_free_blocks_are_solved),
    TEST(operators_agree),
    TEST(parameters_change_the_way_not_the_answer),
    TEST(warm_starts_save_pivots),
    TEST(limits_and_observers),
};

TEST_MAIN(tests)
