/* test_attack.c: problems whose truth is known exactly, and the outcomes of methods
 *
 * Small integer problems are decided by the oracle below: a polyhedron is not empty if and only if
 * some of its inequalities, taken as equations, have a solution that meets the others, and a
 * problem has a solution if one of its cases is not empty. Chains are positive definite and nearly
 * singular, with solutions known in whole numbers; contacts are planted with triangles of whole
 * numbers. No verdict may be false: solved, infeasible, unsolvable. PERP_ATTACK is the number of
 * problems, 500 if it is not set; `make attack` takes 20,000. */
#include "judge.h"
#include "test.h"

#include "base/random.h"
#include "problems.h"

enum { MOST = 5, ROWS = 4 * MOST };

static int attack_size(void)
{
  static int share;
  const char *text = getenv("PERP_ATTACK");
  if (!text && !share)
    share = test_share("problems", 4);
  return text ? atoi(text) : 500 / share;
}

/* ---- The oracle: integers below 2^127, rows kept coprime ---- */

__extension__ typedef __int128 whole;

typedef struct row {
  whole a[MOST + 1]; /* a x + a[n] = 0, or >= 0 */
} row;

typedef struct system {
  int n, equations, inequalities;
  row equation[MOST], inequality[ROWS];
} system_of;

static whole greatest_divisor(whole a, whole b)
{
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    const whole rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* r <- r p - q f, without common divisors; the sign of p is kept out, so >= 0 stays >= 0 */
static void eliminate(int n, row *r, const row *by, int column)
{
  whole p = by->a[column], f = r->a[column], divisor = 0;
  if (f == 0)
    return;
  if (p < 0) {
    p = -p;
    f = -f;
  }
  for (int j = 0; j <= n; j++) {
    r->a[j] = r->a[j] * p - by->a[j] * f;
    divisor = greatest_divisor(divisor, r->a[j]);
  }
  for (int j = 0; j <= n && divisor > 1; j++)
    r->a[j] /= divisor;
}

/* Reduces the equations until each has a separate pivot column; returns false if they contradict.
 * Columns without a pivot may be 0. */
static bool is_met_at(const system_of *s, const int *column, const row *equation, int count)
{
  for (int i = 0; i < s->inequalities; i++) {
    row r = s->inequality[i];
    for (int k = 0; k < count; k++)
      eliminate(s->n, &r, &equation[k], column[k]);
    if (r.a[s->n] < 0)
      return false;
  }
  return true;
}

/* Adds an equation; false if it contradicts the others, *fresh false if it follows from them. */
static bool add_equation(const system_of *s, const row *new, row *equation, int *column, int *count,
                         bool *fresh)
{
  row r = *new;
  *fresh = false;
  for (int k = 0; k < *count; k++)
    eliminate(s->n, &r, &equation[k], column[k]);
  int j = 0;
  while (j < s->n && r.a[j] == 0)
    j++;
  if (j == s->n)
    return r.a[s->n] == 0;
  for (int k = 0; k < *count; k++)
    eliminate(s->n, &equation[k], &r, j);
  column[*count] = j;
  equation[(*count)++] = r;
  *fresh = true;
  return true;
}

/* Some of the inequalities from `from` on as equations too. */
static bool search(const system_of *s, int from, const row *equation, const int *column, int count)
{
  if (is_met_at(s, column, equation, count))
    return true;
  if (count == s->n)
    return false;
  for (int i = from; i < s->inequalities; i++) {
    row more[MOST];
    int columns[MOST], n = count;
    bool fresh;
    memcpy(more, equation, sizeof more);
    memcpy(columns, column, sizeof columns);
    if (add_equation(s, &s->inequality[i], more, columns, &n, &fresh) && fresh &&
        search(s, i + 1, more, columns, n))
      return true;
  }
  return false;
}

static bool is_feasible(const system_of *s)
{
  row equation[MOST] = {{{0}}};
  int column[MOST] = {0}, count = 0;
  for (int i = 0; i < s->equations; i++) {
    bool fresh;
    if (!add_equation(s, &s->equation[i], equation, column, &count, &fresh))
      return false;
  }
  return search(s, 0, equation, column, count);
}

/* ---- Small integer problems ---- */

typedef enum { PLAIN, BOXED, FRICTION } problem_kind;

typedef struct sample {
  int n;
  double a[MOST * MOST], b[MOST], lo[MOST], hi[MOST];
  int findex[MOST];
} sample;

/* sign (x_i - bound), in a friction row sign (x_i - bound x_j), or sign y_i if `bound` is NULL */
static row row_of(const sample *p, int i, int sign, const double *bound)
{
  row r = {{0}};
  for (int j = 0; j < p->n && !bound; j++)
    r.a[j] = sign * (int)p->a[i * p->n + j];
  if (bound)
    r.a[i] = sign;
  const int constant = p->findex[i] >= 0 && bound ? p->findex[i] : p->n;
  r.a[constant] += sign * (bound ? -(int)*bound : (int)p->b[i]);
  return r;
}

static void add_bounds(const sample *p, int i, system_of *s)
{
  if (!isinf(p->lo[i]))
    s->inequality[s->inequalities++] = row_of(p, i, 1, &p->lo[i]);
  if (!isinf(p->hi[i]))
    s->inequality[s->inequalities++] = row_of(p, i, -1, &p->hi[i]);
}

/* Returns true if some x and y have the right signs. */
static bool signs_are_possible(const sample *p)
{
  system_of s = {.n = p->n};
  for (int i = 0; i < p->n; i++) {
    add_bounds(p, i, &s);
    if (isinf(p->lo[i]) && isinf(p->hi[i]))
      s.equation[s.equations++] = row_of(p, i, 1, NULL);
    else if (isinf(p->hi[i]) || isinf(p->lo[i]))
      s.inequality[s.inequalities++] = row_of(p, i, isinf(p->hi[i]) ? 1 : -1, NULL);
  }
  return is_feasible(&s);
}

static bool has_solution(const sample *p)
{
  int cases = 1;
  for (int i = 0; i < p->n; i++)
    cases *= 3;
  for (int c = 0; c < cases; c++) {
    system_of s = {.n = p->n};
    bool possible = true;
    for (int i = 0, rest = c; i < p->n; i++, rest /= 3) {
      const double *bound = rest % 3 == 0 ? &p->lo[i] : &p->hi[i];
      if (rest % 3 == 1) {
        add_bounds(p, i, &s);
        s.equation[s.equations++] = row_of(p, i, 1, NULL);
      } else {
        possible = possible && !isinf(*bound);
        s.inequality[s.inequalities++] = row_of(p, i, rest % 3 == 0 ? 1 : -1, NULL);
        s.equation[s.equations++] = row_of(p, i, 1, possible ? bound : &p->b[0]);
      }
    }
    if (possible && is_feasible(&s))
      return true;
  }
  return false;
}

/* A contact or two: normals, and rows that slide or stick. */
static void draw_contacts(perp_random *random, sample *p)
{
  int normal = -1;
  for (int i = 0; i < p->n; i++) {
    const int mu = perp_random_below(random, 4), other = perp_random_below(random, 4);
    if (normal < 0 || perp_random_below(random, 3) == 0) {
      normal = i;
      p->lo[i] = other == 0 ? 1 : 0;
      p->hi[i] = other == 1 ? 3 : INFINITY;
      continue;
    }
    p->findex[i] = normal;
    p->lo[i] = mu == 3 ? -INFINITY : (double)-mu;
    p->hi[i] = other == 3 ? INFINITY : (double)(other == 2 && mu < 3 ? mu : other);
  }
}

static void draw(perp_random *random, problem_kind kind, sample *p)
{
  const int size = 1 + perp_random_below(random, 4), zeros = perp_random_below(random, 3);
  p->n = 1 + perp_random_below(random, MOST);
  const bool symmetric = perp_random_below(random, 3) == 0;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      p->a[i * p->n + j] = perp_random_below(random, 2 * size + 1) - size;
      if (perp_random_below(random, 4) < zeros)
        p->a[i * p->n + j] = 0;
      if (symmetric && j < i)
        p->a[i * p->n + j] = p->a[j * p->n + i];
    }
    p->b[i] = perp_random_below(random, 2 * size + 2) - size - 1;
    p->lo[i] = 0;
    p->hi[i] = INFINITY;
    p->findex[i] = -1;
    if (kind != BOXED)
      continue;
    const int bounds = perp_random_below(random, 5), width = perp_random_below(random, 4);
    p->lo[i] = perp_random_below(random, 5) - 2;
    p->hi[i] = p->lo[i] + width;
    if (bounds == 0 || bounds == 1)
      p->lo[i] = -INFINITY;
    if (bounds == 1 || bounds == 2 || bounds == 3)
      p->hi[i] = INFINITY;
  }
  if (kind == FRICTION)
    draw_contacts(random, p);
}

typedef struct tally {
  int solvable, solved, infeasible, recognised, unsolvable, exhausted, other;
} tally;

/* Runs one method on one problem and compares every claim with the truth. */
static perp_outcome say(const char *method, const perp_problem *p, bool solvable, bool possible)
{
  double x[MOST] = {0};
  perp_options o = perp_options_default();
  o.time_limit = 10;
  perp_result r = perp_result_empty();
  if (perp_solve(method, p, &o, x, &r) != PERP_OK)
    return PERP_NOT_RUN;
  judge j;
  long double rounding;
  CHECK(judge_open(&j, p));
  const long double residual = judge_residual(&j, x, &rounding);
  perp_operator_destroy(j.A);
  CHECK_SAY(r.outcome != PERP_SOLVED || residual <= 1.0000001L * o.tol * j.scale,
            "%s: solved with %Lg of %g", method, residual, o.tol * j.scale);
  CHECK_SAY(r.outcome != PERP_INFEASIBLE || !possible, "%s: infeasible", method);
  CHECK_SAY(r.outcome != PERP_UNSOLVABLE || !solvable, "%s: unsolvable", method);
  return r.outcome;
}

/* Every solution that enumerate finds is one, and it finds none twice. */
typedef struct collection {
  const perp_problem *p;
  int count;
  double x[243][MOST];
} collection;

static bool collect(void *context, const perp_solution *solution)
{
  collection *c = context;
  const int n = solution->n;
  judge j;
  long double rounding;
  CHECK(judge_open(&j, c->p));
  const long double residual = judge_residual(&j, solution->x, &rounding);
  perp_operator_destroy(j.A);
  CHECK_SAY(residual <= 1e-9L * j.scale, "a solution with %Lg", residual);
  for (int k = 0; k < c->count && solution->isolated; k++)
    CHECK(memcmp(c->x[k], solution->x, (size_t)n * sizeof(double)) != 0);
  CHECK(c->count < 243);
  for (int i = 0; i < n; i++)
    c->x[c->count][i] = solution->x[i] + 0.0; /* no -0 */
  c->count += solution->isolated;
  return true;
}

static void check_solutions(const perp_problem *p, bool solvable)
{
  static collection c;
  double x[MOST] = {0};
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  c.p = p;
  c.count = 0;
  o.found = collect;
  o.found_context = &c;
  CHECK(perp_solve("enumerate", p, &o, x, &r) == PERP_OK);
  CHECK(solvable == (r.outcome == PERP_SOLVED) && (solvable || c.count == 0));
}

static void attack_integers(int count, problem_kind kind, uint64_t seed, tally *t)
{
  static const char *const methods[] = {"auto",    "enumerate", "lemke",  "keller",
                                        "dantzig", "ipm",       "direct", "murty"};
  perp_random random = perp_random_from(seed);
  for (int k = 0; k < count; k++) {
    sample s;
    draw(&random, kind, &s);
    const bool possible = signs_are_possible(&s), solvable = possible && has_solution(&s);
    perp_operator *A = problem_dense(s.n, s.a);
    const perp_problem p = kind == FRICTION ? perp_problem_friction(A, s.b, s.lo, s.hi, s.findex)
                           : kind == BOXED  ? perp_problem_boxed(A, s.b, s.lo, s.hi)
                                            : perp_problem_lcp(A, s.b);
    for (int m = 0; m < 8; m++) {
      const perp_outcome outcome = say(methods[m], &p, solvable, possible);
      if (m == 1)
        CHECK_SAY(outcome == (solvable   ? PERP_SOLVED
                              : possible ? PERP_UNSOLVABLE
                                         : PERP_INFEASIBLE),
                  "problem %d: enumerate says %s", k, perp_outcome_name(outcome));
      if (m == 1)
        check_solutions(&p, solvable);
      if (m > 0)
        continue;
      t->solvable += solvable;
      t->solved += solvable && outcome == PERP_SOLVED;
      t->infeasible += !possible;
      t->recognised += outcome == PERP_INFEASIBLE;
      t->unsolvable += possible && !solvable;
      t->exhausted += outcome == PERP_UNSOLVABLE;
    }
    perp_operator_destroy(A);
  }
  printf("  %s: %d of %d solved, %d of %d infeasible, %d of %d unsolvable\n",
         kind == FRICTION ? "friction index"
         : kind == BOXED  ? "boxed and mixed"
                          : "lcp",
         t->solved, t->solvable, t->recognised, t->infeasible, t->exhausted, t->unsolvable);
}

/* auto solves every solvable problem, reports every problem without a solution as such, and gives a
 * certificate for almost all infeasible ones. */
static void check_tally(const tally *t)
{
  CHECK(t->solvable > 0 && t->infeasible > 0 && t->unsolvable > 0);
  CHECK_EQUAL_INT(t->solved, t->solvable);
  CHECK_EQUAL_INT(t->exhausted, t->unsolvable);
  CHECK_SAY(t->recognised >= 0.98 * t->infeasible, "%d of %d", t->recognised, t->infeasible);
}

static void small_lcps(void)
{
  tally t = {0};
  attack_integers(attack_size() * 2 / 5, PLAIN, 101, &t);
  check_tally(&t);
}

static void small_boxed_and_mixed_problems(void)
{
  tally t = {0};
  attack_integers(attack_size() * 2 / 5, BOXED, 102, &t);
  check_tally(&t);
}

static void small_problems_with_friction(void)
{
  tally t = {0};
  attack_integers(attack_size() * 2 / 5, FRICTION, 105, &t);
  check_tally(&t);
}

/* ---- Chains ---- */

/* 2 on the diagonal, c^2 + 2^-k at its ends; the signs of x are turned by D = diag(+1, -1) of random
 * signs only where rows are free. x_i = 2^k + n - 1 - i solves it. */
static void chains(void)
{
  static const char *const methods[] = {"auto", "lemke", "dantzig", "baraff", "keller", "ipm"};
  perp_random random = perp_random_from(103);
  for (int trial = 0; trial < attack_size() / 10; trial++) {
    const int n = 2 + perp_random_below(&random, 60), k = 25 + perp_random_below(&random, 28);
    double *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)n, sizeof *b);
    double *lo = calloc((size_t)n, sizeof *lo), *hi = calloc((size_t)n, sizeof *hi);
    double *x = calloc((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++) {
      const bool is_free = perp_random_below(&random, 3) == 0;
      a[i * n + i] = i == 0 ? 1 : i == n - 1 ? 1 + ldexp(1, -k) : 2;
      if (i > 0)
        a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
      lo[i] = trial % 2 && is_free ? -INFINITY : 0;
      hi[i] = INFINITY;
    }
    b[0] = -1;
    perp_operator *A = problem_dense(n, a);
    const perp_problem p = perp_problem_boxed(A, b, lo, hi);
    for (int m = 0; m < 6; m++) {
      perp_options o = perp_options_default();
      o.time_limit = 2;
      perp_result r = perp_result_empty();
      memset(x, 0, (size_t)n * sizeof *x);
      if (perp_solve(methods[m], &p, &o, x, &r) == PERP_OK)
        CHECK_SAY(r.outcome != PERP_INFEASIBLE && r.outcome != PERP_UNSOLVABLE,
                  "%s, n = %d, k = %d: %s", methods[m], n, k, perp_outcome_name(r.outcome));
    }
    perp_operator_destroy(A);
    free(a), free(b), free(lo), free(hi), free(x);
  }
}

/* ---- Contacts ---- */

/* Cones with planted whole numbers, sticking, sliding along (3, 4) or open, and mu up to 2^50: a
 * solution exists, and every result called solved is judged in quad. */
static void cones(void)
{
  static const char *const methods[] = {"auto", "ipm", "ssn", "bgs", "alm"};
  enum { CONES = 3, N = 3 * CONES };
  perp_random random = perp_random_from(104);
  int solved = 0, trials = attack_size() / 10;
  for (int trial = 0; trial < trials; trial++) {
    double g[N * N], a[N * N] = {0}, b[N], mu[CONES], x[N], y[N];
    const int cones = 1 + perp_random_below(&random, CONES), n = 3 * cones;
    for (int c = 0; c < cones; c++) {
      const int state = perp_random_below(&random, 3), exponent = perp_random_below(&random, 3);
      const double size = exponent ? 1 : ldexp(1, 20 + perp_random_below(&random, 30));
      mu[c] = 5 * size;
      double *f = x + 3 * c, *v = y + 3 * c;
      f[0] = state < 2;
      f[1] = state == 0 ? 1 : state == 1 ? 3 * size : 0;
      f[2] = state == 0 ? 2 : state == 1 ? 4 * size : 0;
      v[0] = state == 2;
      v[1] = state == 0 ? 0 : -3;
      v[2] = state == 0 ? 0 : -4;
    }
    for (int i = 0; i < n * n; i++)
      g[i] = perp_random_below(&random, 5) - 2;
    for (int i = 0; i < n; i++) {
      b[i] = y[i];
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++)
          a[i * n + j] += g[k * n + i] * g[k * n + j];
        a[i * n + j] += i == j;
        b[i] -= a[i * n + j] * x[j];
      }
    }
    perp_operator *A = problem_dense(n, a);
    const perp_problem p = perp_problem_cone(A, b, mu);
    judge j;
    CHECK(judge_open(&j, &p));
    for (int m = 0; m < 5; m++) {
      double z[N] = {0};
      long double rounding;
      perp_options o = perp_options_default();
      o.time_limit = 2;
      o.max_iterations = 2000;
      perp_result r = perp_result_empty();
      if (perp_solve(methods[m], &p, &o, z, &r) != PERP_OK)
        continue;
      const long double residual = judge_residual(&j, z, &rounding);
      CHECK_SAY(r.outcome != PERP_SOLVED || residual <= 1.0000001L * o.tol * j.scale,
                "%s: solved with %Lg of %g", methods[m], residual, o.tol * j.scale);
      CHECK_SAY(r.outcome != PERP_INFEASIBLE && r.outcome != PERP_UNSOLVABLE, "%s: %s", methods[m],
                perp_outcome_name(r.outcome));
      solved += m == 0 && r.outcome == PERP_SOLVED;
    }
    perp_operator_destroy(j.A);
    perp_operator_destroy(A);
  }
  printf("  cones: auto solves %d of %d\n", solved, trials);
}

static const test_case tests[] = {
    TEST(small_lcps),
    TEST(small_boxed_and_mixed_problems),
    TEST(small_problems_with_friction),
    TEST(chains),
    TEST(cones),
};

TEST_MAIN(tests)
