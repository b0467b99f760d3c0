/* test_prove.c: exact integers, certificates without rounding, and matrices that only look singular */
#include "test.h"

#include "base/random.h"
#include "linalg/integer.h"
#include "problem/judge.h"
#include "problems.h"

#include <float.h>
#include <limits.h>

/* ---- Integers ---- */

static void random_integer(perp_random *random, int most, perp_integer *r)
{
  const int limbs = perp_random_below(random, most + 1);
  for (int k = 0; k < limbs; k++) {
    const int kind = perp_random_below(random, 4); /* long runs of 0 and of 1 carry far */
    r->limb[k] = kind == 0   ? 0
                 : kind == 1 ? UINT32_MAX
                             : (uint32_t)perp_random_below(random, 1 << 30) * 4 + 1;
  }
  int size = limbs;
  while (size > 0 && r->limb[size - 1] == 0)
    size--;
  r->size = perp_random_below(random, 2) ? size : -size;
}

/* (a + b)(a - b) = a a - b b, and division undoes multiplication. */
static void integers_obey_the_rules(void)
{
  enum { MOST = 12 };
  perp_arena arena = {0};
  const perp_integers room = perp_integers_create(&arena, 8, 4 * 32 * MOST);
  perp_integer *v[8];
  for (size_t k = 0; k < 8; k++)
    v[k] = perp_integer_at(room, k);
  perp_random random = perp_random_from(1);
  for (int trial = 0; trial < 20000; trial++) {
    random_integer(&random, MOST, v[0]);
    random_integer(&random, MOST, v[1]);
    perp_integer_add(v[2], v[0], 1, v[1]);
    perp_integer_add(v[3], v[0], -1, v[1]);
    perp_integer_multiply(v[4], v[2], v[3]);
    perp_integer_multiply(v[5], v[0], v[0]);
    perp_integer_multiply(v[6], v[1], v[1]);
    perp_integer_add(v[5], v[5], -1, v[6]);
    CHECK(perp_integer_compare(v[4], v[5]) == 0);
    CHECK(perp_integer_compare(v[0], v[1]) == perp_integer_sign(v[3]));
    perp_integer_add(v[3], v[3], 1, v[1]);
    CHECK(perp_integer_compare(v[3], v[0]) == 0);
    if (v[1]->size == 0)
      continue;
    perp_integer_multiply(v[4], v[0], v[1]);
    perp_integer_divide(v[7], v[4], v[1]);
    CHECK(perp_integer_compare(v[7], v[0]) == 0);
    const int64_t twos = perp_random_below(&random, 100);
    perp_integer_shift(v[2], v[1], twos);
    CHECK(perp_integer_bits(v[2]) == perp_integer_bits(v[1]) + twos);
    CHECK(perp_integer_twos(v[2]) == perp_integer_twos(v[1]) + twos);
  }
  perp_arena_free(&arena);
}

static void doubles_come_back(void)
{
  static const double values[] = {1, -3, 0.1, 5e-324, DBL_MAX, -DBL_MIN, 0x1.fffffffffffffp-1030};
  perp_arena arena = {0};
  perp_integer *r = perp_integer_at(perp_integers_create(&arena, 1, 2200), 0);
  for (int k = 0; k < 7; k++) {
    perp_integer_set(r, values[k], -1074);
    const double f = perp_integer_fraction(r).high;
    CHECK(ldexp(f, (int)perp_integer_bits(r) - 1074) == values[k]);
    CHECK_EQUAL_INT(perp_integer_twos(r) - 1074, perp_unit(values[k]));
    CHECK_EQUAL_INT(perp_integer_bits(r) - 1074, perp_top(values[k]));
  }
  perp_arena_free(&arena);
}

/* ---- Certificates of small integer problems, against the definition in whole numbers ---- */

enum { MOST = 7, KINDS = 5 };

/* The largest g x over [lo, hi], which are at most 9 or infinite; sets *unbounded if there is
 * none. */
static long most_of(long g, double lo, double hi, bool *unbounded)
{
  const double end = g > 0 ? hi : lo;
  if (g == 0)
    return 0;
  *unbounded |= fabs(end) >= 1e300;
  return *unbounded ? 0 : g * (long)end;
}

typedef struct sample {
  int n, findex[MOST], cones, rows, law; /* rows: of the cone */
  double a[MOST * MOST], b[MOST], lo[MOST], hi[MOST], mu[5], u[MOST];
  bool friction, wide; /* wide: a cone with dim */
} sample;

/* Returns true if n + sqrt(a) + sqrt(b) <= 0. Sums of two roots of integers below 1e6 are whole, or
 * further from an integer than 1e-12. */
static bool roots_are_below(long n, long a, long b)
{
  const long double sum = sqrtl((long double)a) + sqrtl((long double)b);
  return (long double)n + sum <= 1e-12L;
}

/* Returns true if g^T x <= 0 for all x of the cone with dim: at x_n = 1 each disc adds its length. */
static bool is_in_polar(const sample *s, const long *g, long normal)
{
  /* the column of mu and the disc of each row */
  static const int column[7][6] = {
      {0}, {0}, {0, 0}, {0, 0, 1}, {0, 0, 1, 2}, {0, 0, 1, 3, 4}, {0, 0, 1, 2, 3, 4}};
  static const int disc[5] = {0, 0, 1, 2, 2};
  long square[3] = {0};
  for (int k = 1; k < s->rows; k++) {
    const int c = column[s->rows][k];
    square[s->law ? disc[c] : 0] += g[k] * (long)s->mu[c] * g[k] * (long)s->mu[c];
  }
  return roots_are_below(normal + lround(sqrt((double)square[1])), square[0], square[2]);
}

/* By the definition: signs, and b^T u + sup g^T x < 0. Friction rows have lo = -hi. */
static bool oracle(const sample *s)
{
  long g[MOST] = {0}, sum = 0, slope[MOST] = {0};
  bool unbounded = false;
  for (int i = 0; i < s->n; i++) {
    const bool in_cone = i < s->rows;
    if (in_cone ? s->u[i] < 0 || (i > 0 && s->u[i] != 0)
                : (s->u[i] < 0 && s->lo[i] > -1e300) || (s->u[i] > 0 && s->hi[i] < 1e300))
      return false;
    sum += (long)s->b[i] * (long)s->u[i];
    for (int j = 0; j < s->n; j++)
      g[j] += (long)s->a[i * s->n + j] * (long)s->u[i];
  }
  for (int i = s->rows; i < s->n; i++)
    if (s->friction && s->findex[i] >= 0)
      slope[s->findex[i]] += labs(g[i]) * (long)s->hi[i];
  if (s->wide && !is_in_polar(s, g, g[0] + slope[0]))
    return false;
  if (s->cones && !s->wide) {
    const long n = g[0] + slope[0], m = (long)s->mu[0];
    if (n > 0 || m * m * (g[1] * g[1] + g[2] * g[2]) > n * n)
      return false;
  }
  for (int j = s->rows; j < s->n; j++) {
    if (s->friction && s->findex[j] >= 0)
      continue;
    const double lo = s->lo[j], hi = s->hi[j];
    bool no_end = false;
    const long right = hi < 0 ? LONG_MIN : most_of(g[j] + slope[j], fmax(lo, 0), hi, &no_end);
    const long left = lo >= 0 ? LONG_MIN : most_of(g[j] - slope[j], lo, fmin(hi, 0), &no_end);
    if (no_end)
      return false;
    sum += right > left ? right : left;
  }
  return !unbounded && sum < 0;
}

static void draw(perp_random *random, int kind, sample *s)
{
  s->cones = kind >= 2;
  s->friction = kind == 1;
  s->wide = kind > 2;
  s->law = kind == 4;
  s->rows = !s->cones ? 0 : s->wide ? 2 + perp_random_below(random, 5) : 3;
  s->n = s->cones ? s->rows + perp_random_below(random, 2) : 1 + perp_random_below(random, 4);
  for (int k = 0; k < 5; k++) /* torsion from 4 rows on, but not in 5; rolls from 5 on */
    s->mu[k] = (k == 1 && s->rows < 3) || (k == 2 && (s->rows < 4 || s->rows == 5)) ||
                       (k > 2 && s->rows < 5)
                   ? 0
                   : perp_random_below(random, 3);
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++)
      s->a[i * s->n + j] = perp_random_below(random, 5) - 3;
    if (i == 0 && s->wide) /* or hardly any cone with many rows would have a certificate */
      s->a[0] -= perp_random_below(random, 8);
    s->b[i] = perp_random_below(random, 7) - 4;
    s->lo[i] = perp_random_below(random, 3) - 1;
    s->hi[i] = perp_random_below(random, 3) + 1;
    if (perp_random_below(random, 3) == 0)
      s->lo[i] = -INFINITY;
    if (perp_random_below(random, 3))
      s->hi[i] = INFINITY;
    s->findex[i] = -1;
    const int sign = perp_random_below(random, 3) - 1;
    s->u[i] = i > 0 && i < s->rows ? 0 : perp_random_below(random, 3) * sign;
    if (perp_random_below(random, 4)) /* most of the signs are right */
      s->u[i] =
          (s->u[i] > 0 && !isinf(s->hi[i])) || (s->u[i] < 0 && !isinf(s->lo[i])) ? 0 : s->u[i];
  }
  if (kind == 1 && s->n > 1) {
    s->findex[s->n - 1] = 0;
    s->lo[s->n - 1] = -(s->hi[s->n - 1] = perp_random_below(random, 3));
    s->u[s->n - 1] = 0;
  }
}

static void certificates_agree_with_the_definition(void)
{
  perp_random random = perp_random_from(7);
  int accepted[KINDS] = {0}, refused[KINDS] = {0};
  for (int trial = 0; trial < 20000 * KINDS; trial++) {
    sample s = {0};
    const int kind = trial % KINDS;
    draw(&random, kind, &s);
    perp_operator *A = problem_dense(s.n, s.a);
    perp_set K = {.n = s.n, .lo = s.lo, .hi = s.hi};
    K.findex = s.friction ? s.findex : NULL;
    K.mu = s.mu;
    K.cones = s.cones;
    K.dim = s.wide ? &s.rows : NULL;
    K.law = s.wide ? &s.law : NULL;
    const perp_problem p = perp_problem_product(A, s.b, &K);
    bool holds = false;
    perp_message why = {""};
    CHECK_SAY(perp_certificate_judge(&p, s.u, &holds, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(holds == oracle(&s), "kind %d, trial %d: %s", kind, trial, why.text);
    CHECK(holds || why.text[0]);
    accepted[kind] += holds;
    refused[kind] += !holds;
    perp_operator_destroy(A);
  }
  for (int kind = 0; kind < KINDS; kind++)
    CHECK_SAY(accepted[kind] > 300 && refused[kind] > 300, "kind %d: %d accepted, %d refused", kind,
              accepted[kind], refused[kind]);
}

/* Numbers at both ends of the range of doubles: no overflow, no loss. */
static void certificates_at_the_ends_of_the_range(void)
{
  const double a[4] = {-5e-324, 1e308, 0, -5e-324}, b[2] = {-5e-324, 1e300};
  perp_operator *A = problem_dense(2, a);
  const perp_problem p = perp_problem_lcp(A, b);
  const double u[2] = {1e-300, 0}, v[2] = {1e300, 1e-300}, w[2] = {5e-324, 0};
  bool holds;
  CHECK(perp_certificate_judge(&p, u, &holds, NULL) == PERP_OK && !holds); /* 1e308 u > 0 */
  CHECK(perp_certificate_judge(&p, v, &holds, NULL) == PERP_OK && !holds);
  const double lower[4] = {-5e-324, 0, 1e308, 5e-324};
  perp_operator *B = problem_dense(2, lower);
  const perp_problem q = perp_problem_lcp(B, b);
  CHECK(perp_certificate_judge(&q, u, &holds, NULL) == PERP_OK && holds);
  CHECK(perp_certificate_judge(&q, w, &holds, NULL) == PERP_OK && holds);
  perp_operator_destroy(A);
  perp_operator_destroy(B);
}

/* ---- Positive definite, and nearly singular ---- */

/* 2 on the diagonal, 1 in the first row, 1 + 2^-k in the last, -1 next to the diagonal; b = (-1, 0,
 * ..., 0): x_i = 2^k + n - 1 - i. */
static perp_operator *chain(int n, int k, double *b, double *x)
{
  double *a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n; i++) {
    a[i * n + i] = i == 0 ? 1 : i == n - 1 ? 1 + ldexp(1, -k) : 2;
    if (i > 0)
      a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
    b[i] = i == 0 ? -1 : 0;
    x[i] = ldexp(1, k) + n - 1 - i;
  }
  perp_operator *A = problem_dense(n, a);
  free(a);
  return A;
}

static void nothing_calls_it_infeasible(const perp_problem *p, const char *what)
{
  double x[100];
  for (int m = 0; m < perp_method_count(); m++) {
    perp_options o = perp_options_default();
    o.time_limit = 0.5;
    o.max_iterations = 300;
    memset(x, 0, sizeof x);
    perp_result r = perp_result_empty();
    if (perp_solve(perp_method_at(m).name, p, &o, x, &r) == PERP_OK)
      CHECK_SAY(r.outcome != PERP_INFEASIBLE, "%s calls %s infeasible", perp_method_at(m).name,
                what);
  }
}

static void chains_are_not_infeasible(void)
{
  static const int cases[][2] = {{100, 39}, {100, 45}, {20, 41}, {20, 50}, {5, 47}, {2, 52}};
  double b[100], x[100];
  for (int c = 0; c < 6; c++) {
    const int n = cases[c][0], k = cases[c][1];
    char what[40];
    snprintf(what, sizeof what, "the chain n = %d, k = %d", n, k);
    perp_operator *A = chain(n, k, b, x);
    const perp_problem p = perp_problem_lcp(A, b);
    double residual, scale;
    CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK && residual == 0);
    nothing_calls_it_infeasible(&p, what);
    perp_operator_destroy(A);
  }
}

/* x is whole, and with the units of D A D still exact: auto solves them up to a condition number of 1e18, with rows
 * stored in either way. */
static void chains_are_solved(void)
{
  enum { N = 100 };
  double b[N], x[N], z[N];
  for (int k = 1; k <= 51; k++)
    for (int kind = 0; kind < 3; kind++) {
      perp_operator *A = chain(N, k, b, x), *B = NULL;
      int64_t start[N + 1] = {0}, count = 0;
      int column[3 * N];
      double value[3 * N];
      for (int i = 0; i < N; i++) {
        const int unit = kind == 2 ? i * 7 % 5 - 2 : 0;
        for (int j = i > 0 ? i - 1 : 0; j < N && j <= i + 1; j++) {
          const double a = i != j ? -1 : i == 0 ? 1 : i == N - 1 ? 1 + ldexp(1, -k) : 2;
          column[count] = j;
          value[count++] = ldexp(a, unit + (kind == 2 ? j * 7 % 5 - 2 : 0));
        }
        start[i + 1] = count;
        b[i] = ldexp(b[i], unit);
        x[i] = ldexp(x[i], -unit);
      }
      CHECK(perp_operator_csr(N, start, column, value, PERP_BORROW, &B, NULL) == PERP_OK);
      const perp_problem p = perp_problem_lcp(kind == 0 ? A : B, b);
      double residual, scale;
      perp_result r = perp_result_empty();
      CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK && residual == 0);
      memset(z, 0, sizeof z);
      CHECK(perp_solve("auto", &p, NULL, z, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "k = %d, kind %d: %s", k, kind, r.message.text);
      perp_operator_destroy(A);
      perp_operator_destroy(B);
    }
}

static void tiny_diagonals_are_not_infeasible(void)
{
  const double a[4] = {5e-324, 0, 0, 5e-324}, b[2] = {-1, -2};
  perp_operator *A = problem_dense(2, a);
  const perp_problem p = perp_problem_lcp(A, b);
  nothing_calls_it_infeasible(&p, "5e-324 I");
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(integers_obey_the_rules),
    TEST(doubles_come_back),
    TEST(certificates_agree_with_the_definition),
    TEST(certificates_at_the_ends_of_the_range),
    TEST(chains_are_not_infeasible),
    TEST(chains_are_solved),
    TEST(tiny_diagonals_are_not_infeasible),
};

TEST_MAIN(tests)
