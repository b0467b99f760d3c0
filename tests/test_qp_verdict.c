/* test_qp_verdict.c: no quadratic program is called solved with a wrong objective
 *
 * Optima are planted. x, z and w are small whole numbers, P = F^T F, and q is what makes them
 * stationary; then columns, rows and the objective change their units by powers of two. All of it is
 * exact in double, so f* is known without rounding and without code of the library. */
#include "qp_samples.h"

typedef struct planted {
  small_qp p;
  double x[QP_MOST], z[QP_MOST], w[QP_MOST];
  long double best; /* f* */
} planted;

typedef struct planted_kind {
  const char *name;
  double density;      /* of F and G */
  int rank;            /* of P; -1: n */
  double degenerate;   /* share of rows at a bound without a multiplier */
  int column, row;     /* units: powers of two up to these, up and down */
  int value;           /* of the objective: 2^value */
  double big_x, big_v; /* one variable and one multiplier of this size; 0: none */
} planted_kind;

static const planted_kind planted_kinds[] = {
    {"dense", 1, -1, 0.1, 0, 0, 0, 0, 0},
    {"sparse", 0.3, -1, 0.1, 0, 0, 0, 0, 0},
    {"degenerate", 0.7, 2, 0.6, 0, 0, 0, 0, 0},
    {"linear", 0.7, 0, 0.2, 0, 0, 0, 0, 0},
    {"badly scaled", 0.7, -1, 0.2, 10, 10, 0, 0, 0},
    {"badly scaled, singular", 0.7, 2, 0.4, 13, 13, 0, 0, 0},
    {"multiplier of 1e8", 0.7, -1, 0.2, 0, 0, 0, 0, 1e8},
    {"variable of 1e8", 0.7, 2, 0.2, 0, 0, 0, 1e8, 0},
    {"both of 1e8", 0.7, 2, 0.2, 0, 0, 0, 1e8, 1e8},
    {"small units", 0.7, -1, 0.2, 3, 3, -27, 0, 0},
    {"large units", 0.7, -1, 0.2, 3, 3, 27, 0, 0},
};
enum { KINDS = sizeof planted_kinds / sizeof *planted_kinds };

static double whole(perp_random *random, int most)
{
  return floor(perp_random_between(random, -most, most + 1));
}

static double power(perp_random *random, int most)
{
  return ldexp(1, (int)whole(random, most));
}

/* A bound on each side of t, so that v is a multiplier: its row is at U if v > 0 and at L if v < 0. */
static void place_bounds(perp_random *random, double t, double v, double *L, double *U)
{
  const double side = perp_random_uniform(random);
  *L = side < 0.3 ? -INFINITY : t - 1 - fabs(whole(random, 4));
  *U = side > 0.7 ? INFINITY : t + 1 + fabs(whole(random, 4));
  if (v > 0)
    *U = t;
  if (v < 0)
    *L = t;
}

static planted plant(const planted_kind *kind, int n, int m, uint64_t seed)
{
  planted s = {.p = {.n = n, .m = m}};
  small_qp *p = &s.p;
  perp_random random = perp_random_from(seed);
  double F[QP_MOST * QP_MOST] = {0}, v[2 * QP_MOST], gradient[QP_MOST], unit[2 * QP_MOST];
  const int rank = kind->rank < 0 ? n : kind->rank < n ? kind->rank : n;
  for (int k = 0; k < rank * n; k++)
    F[k] = perp_random_uniform(&random) < kind->density ? whole(&random, 3) : 0;
  for (int j = 0; j < n; j++)
    s.x[j] = whole(&random, 5);
  if (kind->big_x > 0)
    s.x[seed % (uint64_t)n] = kind->big_x;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int r = 0; r < rank; r++)
        p->P[i * n + j] += F[r * n + i] * F[r * n + j];
  for (int i = 0; i < n && kind->rank < 0; i++)
    p->P[i * n + i] += 1;
  for (int k = 0; k < m * n; k++)
    p->G[k] = perp_random_uniform(&random) < kind->density ? whole(&random, 3) : 0;
  for (int k = 0; k < n + m; k++) {
    double t = 0;
    for (int j = 0; j < n; j++)
      t += (double)oracle_entry(p, k, j) * s.x[j];
    v[k] = perp_random_uniform(&random) < 0.5 ? whole(&random, 4) : 0;
    if (kind->big_v > 0 && k == (int)(seed / 3 % (uint64_t)(n + m)))
      v[k] = kind->big_v;
    place_bounds(&random, t, v[k], &p->L[k], &p->U[k]);
    if (v[k] == 0 && perp_random_uniform(&random) < kind->degenerate)
      p->U[k] = t;
    if (k >= n && perp_random_uniform(&random) < 0.15)
      p->L[k] = p->U[k] = t;
  }
  for (int i = 0; i < n; i++) {
    gradient[i] = 0;
    for (int j = 0; j < n; j++)
      gradient[i] += p->P[i * n + j] * s.x[j];
    p->q[i] = -gradient[i] - v[i];
    for (int r = 0; r < m; r++)
      p->q[i] -= p->G[r * n + i] * v[n + r];
    s.best += s.x[i] * (0.5L * gradient[i] + p->q[i]);
  }
  /* other units */
  const double value = ldexp(1, kind->value);
  for (int k = 0; k < n + m; k++)
    unit[k] = power(&random, k < n ? kind->column : kind->row);
  s.best *= value;
  for (int i = 0; i < n; i++) {
    s.x[i] *= unit[i];
    s.w[i] = v[i] * value / unit[i];
    p->q[i] *= value / unit[i];
    for (int j = 0; j < n; j++)
      p->P[i * n + j] *= value / unit[i] / unit[j];
    for (int r = 0; r < m; r++)
      p->G[r * n + i] *= unit[n + r] / unit[i];
  }
  for (int r = 0; r < m; r++)
    s.z[r] = v[n + r] * value / unit[n + r];
  for (int k = 0; k < n + m; k++) {
    p->L[k] *= unit[k];
    p->U[k] *= unit[k];
  }
  return s;
}

/* ---- Solves ---- */

typedef struct tally {
  int solved, all;
} tally;

static void solve_planted(const planted *s, const char *what, const char *method, double tol,
                          int seed, tally *count)
{
  perp_operator *P;
  const perp_qp qp = to_library(&s->p, &P);
  double x[QP_MOST];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.tol = tol;
  options.max_iterations = strcmp(method, "admm") == 0 ? 2000 : 0;
  CHECK(perp_qp_solve(method, &qp, &options, x, &result) == PERP_OK);
  perp_operator_destroy(P);
  count->all++;
  if (result.outcome != PERP_SOLVED)
    return;
  count->solved++;
  const long double error = fabsl(result.objective - s->best);
  CHECK_SAY(error <= tol * (1 + fabsl(s->best)), "%s %s %d, tol %g: %.17g, f* %.17Lg", what, method,
            seed, tol, result.objective, s->best);
}

/* 1,100 programs, each to several tolerances; other methods on a share of them. */
static void what_is_solved_has_the_right_objective(void)
{
  static const double tols[] = {1e-3, 1e-6, 1e-8, 1e-10};
  static const char *const others[] = {"admm", "active", "kkt:auto", "kkt:minmap"};
  const int share = test_share("planted optima", 5);
  tally count[KINDS] = {{0}}, other = {0};
  for (int k = 0; k < 100 * KINDS; k += share) {
    const planted_kind *kind = &planted_kinds[k % KINDS];
    const int n = 1 + k / KINDS % 8, m = k / KINDS / 8 % 9;
    const planted s = plant(kind, n, m, (uint64_t)(20000 + k));
    for (int t = 0; t < 4; t++)
      solve_planted(&s, kind->name, "auto", tols[t], k, &count[k % KINDS]);
    if (k / KINDS % 4 == 0 && kind->rank < 0)
      for (int t = 0; t < 4; t++)
        solve_planted(&s, kind->name, others[t], 1e-8, k, &other);
  }
  for (int k = 0; k < KINDS; k++)
    printf("     %-24s %4d of %4d solved\n", planted_kinds[k].name, count[k].solved, count[k].all);
  printf("     %-24s %4d of %4d solved\n", "by other methods", other.solved, other.all);
}

/* ---- Only the verdict ---- */

/* Planted optima, each number changed by up to half its size or half a unit and down to a 2^50th of
 * it. Every result called solved has the right objective. */
static void what_is_judged_solved_has_the_right_objective(void)
{
  static const double tols[] = {1e-2, 1e-4, 1e-6, 1e-8};
  int solved = 0;
  for (int k = 0; k < 400 * KINDS; k++) {
    const planted_kind *kind = &planted_kinds[k % KINDS];
    const planted s = plant(kind, 1 + k / KINDS % 8, k / KINDS / 8 % 9, (uint64_t)(20000 + k));
    perp_random random = perp_random_from((uint64_t)k);
    perp_operator *P;
    const perp_qp qp = to_library(&s.p, &P);
    for (int trial = 0; trial < 12; trial++) {
      double x[QP_MOST], z[QP_MOST], w[QP_MOST], x_max = 0;
      const double change[3] = {ldexp(1, -(int)perp_random_between(&random, 1, 50)),
                                ldexp(1, -(int)perp_random_between(&random, 1, 50)),
                                ldexp(1, -(int)perp_random_between(&random, 1, 50))};
      const bool some = trial % 2;
      double v_max = 0;
      for (int j = 0; j < s.p.n; j++) {
        x_max = fmax(x_max, fabs(s.x[j]));
        v_max = fmax(v_max, fabs(s.w[j]));
      }
      for (int r = 0; r < s.p.m; r++)
        v_max = fmax(v_max, fabs(s.z[r]));
      for (int j = 0; j < s.p.n; j++) {
        const bool in = !some || perp_random_uniform(&random) < 0.3;
        const double unit = fmin(1, x_max), unit_v = fmin(1, v_max);
        x[j] = s.x[j] +
               in * change[0] * perp_random_between(&random, -1, 1) * fmax(fabs(s.x[j]), unit);
        w[j] = s.w[j] +
               in * change[1] * perp_random_between(&random, -1, 1) * fmax(fabs(s.w[j]), unit_v);
      }
      for (int r = 0; r < s.p.m; r++)
        z[r] = s.z[r] +
               change[2] * perp_random_between(&random, -1, 1) * fmax(fabs(s.z[r]), fmin(1, v_max));
      const double *const fit = trial % 3 ? w : NULL;
      for (int t = 0; t < 4; t++) {
        perp_qp_result result = perp_qp_result_empty();
        CHECK(perp_qp_judge(&qp, x, z, fit, tols[t], &result) == PERP_OK);
        if (result.outcome != PERP_SOLVED)
          break;
        solved++;
        CHECK_SAY(fabsl(result.objective - s.best) <= tols[t] * (1 + fabsl(s.best)),
                  "%s %d, tol %g: %.17g, f* %.17Lg", kind->name, k, tols[t], result.objective,
                  s.best);
      }
    }
    perp_operator_destroy(P);
  }
  CHECK(solved > 10000);
}

/* The planted optima themselves are solved, to 1e-14. */
static void optima_are_judged_solved(void)
{
  for (int k = 0; k < 40 * KINDS; k++) {
    const planted s =
        plant(&planted_kinds[k % KINDS], 1 + k / KINDS % 8, k / KINDS / 8, (uint64_t)(20000 + k));
    perp_operator *P;
    const perp_qp qp = to_library(&s.p, &P);
    perp_qp_result result = perp_qp_result_empty();
    CHECK(perp_qp_judge(&qp, s.x, s.z, s.w, 1e-14, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED && result.objective == (double)s.best, "%s %d: %g",
              planted_kinds[k % KINDS].name, k, result.gap);
    perp_operator_destroy(P);
  }
}

/* ---- Programs that once were wrongly called solved ---- */

typedef struct case_of {
  const char *name;
  small_qp p;
  double x[QP_MOST], z[QP_MOST], w[QP_MOST], tol;
} case_of;

static void a_large_number_hides_no_error(void)
{
  static const double INF = INFINITY;
  const case_of cases[] = {
      /* BOYD1: x_0 is 30,000 from its bound, and another row is 3.75e12; f = 30,000, f* = 0 */
      {"a row of 3.75e12",
       {.n = 2,
        .m = 1,
        .P = {0},
        .q = {1, 0},
        .G = {0, 3.75e12},
        .L = {0, 0, 0},
        .U = {INF, 1, 3.75e12}},
       {3e4, 1},
       {0},
       {-1, 0},
       1e-8},
      /* the same by violation: x_0 = -30,000, f = -30,000 */
      {"violated beside a row of 3.75e12",
       {.n = 2,
        .m = 2,
        .P = {0},
        .q = {1, 0},
        .G = {1, 0, 0, 3.75e12},
        .L = {-INF, 0, 0, 0},
        .U = {INF, 1, INF, 3.75e12}},
       {-3e4, 1},
       {-1, 0},
       {0},
       1e-8},
      /* x_0 should be 1, not 0.5; the multiplier of x_1 is 1e8: f* is 0.125 lower */
      {"a multiplier of 1e8",
       {.n = 2, .m = 0, .P = {1, 0, 0, 1}, .q = {-1, 1e8}, .L = {-INF, 0}, .U = {INF, INF}},
       {0.5, 0},
       {0},
       {0, -1e8},
       1e-8},
      /* x_0 is 0.9 from its bound 0; x_1 is 1e8 and costs nothing */
      {"a variable of 1e8",
       {.n = 2, .m = 0, .P = {0}, .q = {1, 0}, .L = {0, -1e9}, .U = {INF, 1e9}},
       {0.9, 1e8},
       {0},
       {-1, 0},
       1e-8},
      /* z = 1e8 on a row that is violated by 1e-8 of 1: f is 1 below f* */
      {"a violation times 1e8",
       {.n = 1, .m = 1, .P = {0}, .q = {1e8}, .G = {1}, .L = {-INF, 1}, .U = {INF, INF}},
       {1 - 1e-8},
       {-1e8},
       {0},
       2e-8},
      /* r = 1e-6 at x_0 = 1e6: f = -1, and f* = -2 at 2e6 */
      {"a residual times 1e6",
       {.n = 2,
        .m = 1,
        .P = {0},
        .q = {-1e-6, 1},
        .G = {1, 0},
        .L = {-INF, 0, 0},
        .U = {INF, INF, 2e6}},
       {1e6, 0},
       {0},
       {0, -1},
       2e-6},
      /* UBH1: many small products, each within the tolerance */
      {"many small products",
       {.n = 12,
        .m = 0,
        .P = {0},
        .q = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        .U = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}},
       {9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7, 9e-7},
       {0},
       {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
       1e-6},
      /* q = 0, P = 1000: r = 0.002 with multipliers that balance 0.002 */
      {"q = 0 and small multipliers",
       {.n = 2,
        .m = 1,
        .P = {1000, 0, 0, 1000},
        .G = {1e6, 1e6},
        .L = {-INF, -INF, 2},
        .U = {INF, INF, INF}},
       {2e-6, 0},
       {-2e-9},
       {0},
       1e-3},
      /* a bound of 1e299 with a multiplier of 1e-300, together with a violation of 1 */
      {"a bound of 1e299",
       {.n = 2, .m = 0, .P = {1, 0, 0, 0}, .q = {0, 0}, .L = {1, -1e299}, .U = {INF, 1e299}},
       {0, 0},
       {0},
       {0, 1e-300},
       1e-8},
      /* a slope of 1e-9 for 1e9 until a bound or a row: f = -1, f* = -2 */
      {"a far bound",
       {.n = 2, .m = 0, .q = {-1e-9, -1}, .L = {0, 0}, .U = {1e9, 1}},
       {0, 1},
       {0},
       {0, 1},
       1e-8},
      {"a far row",
       {.n = 2, .m = 1, .q = {-1e-9, -1}, .G = {1, 0}, .L = {0, 0, -INF}, .U = {INF, 1, 1e9}},
       {0, 1},
       {0},
       {0, 1},
       1e-8},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const case_of *c = &cases[k];
    perp_operator *P;
    const perp_qp qp = to_library(&c->p, &P);
    perp_qp_result result = perp_qp_result_empty();
    CHECK(perp_qp_judge(&qp, c->x, c->z, c->w, c->tol, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_NOT_RUN, "%s is called solved: %g %g %g", c->name,
              result.primal, result.dual, result.gap);
    CHECK_SAY(fmax(result.primal, fmax(result.dual, result.gap)) > c->tol, "%s", c->name);
    /* and it can be solved */
    double x[QP_MOST];
    CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s, %g %g %g %g", c->name,
              perp_outcome_name(result.outcome), result.primal, result.dual, result.gap,
              result.complementarity);
    perp_operator_destroy(P);
  }
}

/* The contributions of r and p, by hand: x = 1 - 2^-30 in a row that must be 1, whose multiplier is
 * -1. */
static void the_numbers_are_those_of_the_header(void)
{
  const double one = 1, q = 1, d = ldexp(1, -30), x = 1 - d, z = -1, w = 0;
  perp_qp qp = perp_qp_default();
  perp_qp_result result = perp_qp_result_empty();
  qp.n = 1, qp.m = 1, qp.q = &q, qp.G_value = &one, qp.l = &one;
  CHECK(perp_qp_judge(&qp, &x, &z, &w, 1e-6, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && result.objective == x);
  CHECK(result.primal == d && result.dual == 0);
  CHECK_CLOSE(result.gap, 2 * d / (1 + x - 2 * d), 1e-24);
  const double more = 1 + d; /* within: a product, no violation */
  CHECK(perp_qp_judge(&qp, &more, &z, &w, 1e-6, &result) == PERP_OK);
  CHECK(result.primal == 0 && result.dual == 0);
  CHECK_CLOSE(result.gap, d / 2, 1e-24);
  const double half = -0.5; /* r = 1/2, which could move x without limit */
  CHECK(perp_qp_judge(&qp, &one, &half, &w, 1, &result) == PERP_OK);
  CHECK(result.dual == 0.5 && result.gap == 0.5 / 1.5);
}

/* Returns the number of quantities above tol. The message must name these with value and limit, and
 * no other. */
static int check_explained(const perp_qp_result *r, double tol)
{
  const struct {
    const char *name;
    double value;
  } parts[] = {{"primal", r->primal},
               {"dual", r->dual},
               {"gap", r->gap},
               {"complementarity", r->complementarity}};
  const char *text = r->message.text;
  char part[64];
  int above = 0;
  for (int k = 0; k < 4; k++) {
    snprintf(part, sizeof part, "%s %.6g", parts[k].name, parts[k].value);
    above += parts[k].value > tol;
    CHECK_SAY((strstr(text, parts[k].name) != NULL) == (parts[k].value > tol), "\"%s\"", text);
    CHECK_SAY(parts[k].value <= tol || strstr(text, part), "\"%s\" without \"%s\"", text, part);
  }
  snprintf(part, sizeof part, "above tol = %g:", tol);
  CHECK_SAY(above == 0 ? !text[0] : strncmp(text, part, strlen(part)) == 0, "\"%s\"", text);
  return above;
}

static void what_is_not_solved_names_its_numbers(void)
{
  int unsolved = 0, counts[5] = {0};
  for (int k = 0; k < 20 * KINDS; k++) {
    const planted s = plant(&planted_kinds[k % KINDS], 6, 5, (uint64_t)(20000 + k));
    perp_operator *P;
    const perp_qp qp = to_library(&s.p, &P);
    double x[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    for (options.max_iterations = 1; options.max_iterations < 12; options.max_iterations += 5) {
      perp_qp_result result = perp_qp_result_empty();
      CHECK(perp_qp_solve("ipm", &qp, &options, x, &result) == PERP_OK);
      if (result.outcome == PERP_ITERATION_LIMIT || result.outcome == PERP_SOLVED)
        unsolved += check_explained(&result, options.tol) > 0;
    }
    for (double change = 1e-10; change < 1; change *= 100) {
      perp_qp_result result = perp_qp_result_empty();
      for (int j = 0; j < s.p.n; j++)
        x[j] = s.x[j] + change * (j % 2 ? 1 : -1);
      CHECK(perp_qp_judge(&qp, x, s.z, s.w, 1e-8, &result) == PERP_OK);
      counts[check_explained(&result, 1e-8)]++;
    }
    perp_operator_destroy(P);
  }
  CHECK(unsolved > 100 && counts[0] > 20 && counts[1] > 20 && counts[2] > 20 && counts[4] > 20);
  const double x = NAN;
  perp_qp qp = perp_qp_default();
  perp_qp_result result = perp_qp_result_empty();
  qp.n = 1;
  CHECK(perp_qp_judge(&qp, &x, NULL, NULL, 1e-8, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(result.message.text, "no x and multipliers with finite residuals");
}

static const test_case tests[] = {
    TEST(what_is_not_solved_names_its_numbers),
    TEST(a_large_number_hides_no_error),
    TEST(the_numbers_are_those_of_the_header),
    TEST(optima_are_judged_solved),
    TEST(what_is_judged_solved_has_the_right_objective),
    TEST(what_is_solved_has_the_right_objective),
};

TEST_MAIN(tests)
