/* test_tiny.c: entries down to the smallest double: every method ends within its limits
 *
 * Random problems of up to 6 rows in four forms; A, b and bounds have entries around 5e-324, 1e-320, 1e-310, 1e-308,
 * 1e-300, 1e-160, 1 and 1e10, mixed or not, so that sums underflow and 0.99 times a number may be the number itself.
 * There is no time limit, but an iteration limit. Loops within an iteration count too: sweeps, products, pivots and
 * solves have a limit. A solved x is judged in 113 bits. */
#include "base/random.h"
#include "quad.h"
#include "test.h"
#include <perp/perp.h>

enum { MOST = 6, LIMIT = 200, WORK = 1000 * LIMIT };

typedef struct sample {
  int n, form; /* 0: lcp, 1: boxed, 2: friction index, 3: cones */
  double a[MOST * MOST], b[MOST], lo[MOST], hi[MOST], mu[MOST / 3];
  int findex[MOST];
} sample;

static double size(perp_random *random)
{
  static const double sizes[] = {5e-324, 1e-320, 1e-310, 1e-308, 1e-300, 1e-160, 1, 1e10};
  return sizes[perp_random_below(random, 8)];
}

static void fill_matrix(sample *s, perp_random *random)
{
  const int n = s->n, kind = perp_random_below(random, 4), mix = perp_random_below(random, 3);
  const double all = size(random);
  double g[MOST * MOST];
  for (int k = 0; k < n * n; k++)
    g[k] = perp_random_below(random, 3) ? perp_random_between(random, -1, 1)
                                        : perp_random_below(random, 5) - 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += g[i * n + k] * g[j * n + k];
      s->a[i * n + j] = (kind == 0 ? g[i * n + j] : sum) * (mix == 0   ? all
                                                            : mix == 1 ? size(random)
                                                                       : 1);
    }
  for (int i = 0; i < n && mix == 1 && kind > 1; i++) /* symmetric */
    for (int j = 0; j < i; j++)
      s->a[i * n + j] = s->a[j * n + i];
}

static void draw(sample *s, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  s->form = perp_random_below(&random, 4);
  s->n = s->form == 3 ? 3 + 3 * perp_random_below(&random, 2) : 1 + perp_random_below(&random, 5);
  fill_matrix(s, &random);
  const double load = size(&random);
  for (int i = 0; i < s->n; i++) {
    s->b[i] = perp_random_between(&random, -1, 1) *
              (perp_random_below(&random, 2) ? load : size(&random));
    const bool friction = s->form == 2 && i % 3 > 0;
    const double mu = perp_random_uniform(&random);
    s->findex[i] = friction ? i - i % 3 : -1;
    s->lo[i] = friction ? -mu : s->form == 2 || perp_random_below(&random, 4) ? 0 : -INFINITY;
    s->hi[i] = friction                                        ? mu
               : s->form == 2 || perp_random_below(&random, 2) ? INFINITY
                                                               : mu * size(&random);
  }
  for (int c = 0; c < MOST / 3; c++)
    s->mu[c] = perp_random_below(&random, 3) ? perp_random_uniform(&random) : 1e-300;
}

static perp_problem problem_of(const sample *s, const perp_operator *A)
{
  perp_problem p = perp_problem_lcp(A, s->b);
  if (s->form == 1)
    p = perp_problem_boxed(A, s->b, s->lo, s->hi);
  if (s->form == 2)
    p = perp_problem_friction(A, s->b, s->lo, s->hi, s->findex);
  if (s->form == 3) {
    p.K.mu = s->mu;
    p.K.cones = s->n / 3;
  }
  return p;
}

static quad magnitude(quad v)
{
  return v < 0 ? -v : v;
}

/* The natural residual, in 113 bits, not for cones; *scale <- max |b|. */
static quad truth(const sample *s, const double *x, quad *scale)
{
  quad worst = 0;
  *scale = 0;
  for (int i = 0; i < s->n; i++) {
    quad r = s->b[i], lo = s->form == 0 ? 0 : s->lo[i], hi = s->form == 0 ? INFINITY : s->hi[i];
    for (int j = 0; j < s->n; j++)
      r += (quad)s->a[i * s->n + j] * x[j];
    if (s->form == 2 && s->findex[i] >= 0) {
      lo *= magnitude(x[s->findex[i]]);
      hi *= magnitude(x[s->findex[i]]);
    }
    r = r > x[i] - lo ? x[i] - lo : r;
    r = r < x[i] - hi ? x[i] - hi : r;
    worst = magnitude(r) > worst ? magnitude(r) : worst;
    *scale = magnitude(s->b[i]) > *scale ? magnitude(s->b[i]) : *scale;
  }
  return worst;
}

static void every_method_ends_on_tiny_entries(void)
{
  const int samples = 400 / test_share("problems", 10);
  for (int m = 0; m < perp_method_count(); m++) {
    const char *name = perp_method_at(m).name;
    int64_t most = 0;
    int runs = 0, solved = 0, at = -1;
    for (int k = 0; k < samples; k++) {
      sample s;
      perp_operator *A = NULL;
      double x[MOST] = {0};
      perp_result r = perp_result_empty();
      perp_options options = perp_options_default();
      options.max_iterations = LIMIT;
      draw(&s, 1000 * (uint64_t)(m + 1) + 700 + (uint64_t)k);
      CHECK(perp_operator_dense(s.n, s.a, s.n, PERP_BORROW, &A, NULL) == PERP_OK);
      const perp_problem p = problem_of(&s, A);
      const perp_error error = perp_solve(name, &p, &options, x, &r);
      perp_operator_destroy(A);
      if (error)
        continue;
      runs++;
      solved += r.outcome == PERP_SOLVED;
      CHECK(r.outcome != PERP_NOT_RUN && r.outcome != PERP_TIME_LIMIT);
      CHECK(r.counts.iterations <= LIMIT);
      quad scale = 0;
      const quad residual = s.form < 3 ? truth(&s, x, &scale) : 0;
      /* a product that underflows is off by half the smallest double */
      CHECK_SAY(s.form == 3 || r.outcome != PERP_SOLVED ||
                    residual <= (1 + 1e-12) * options.tol * scale + 4 * 5e-324,
                "%s, problem %d: solved with %Lg of %Lg", name, k, (long double)residual,
                (long double)scale);
      const perp_counts *c = &r.counts;
      const int64_t work =
          c->sweeps + c->applies + c->pivots + c->factorisations + c->solves + c->cycles;
      if (work > most) {
        most = work;
        at = k;
      }
    }
    printf("  %-10s %3d runs, %3d solved, at most %lld inner steps (problem %d)\n", name, runs,
           solved, (long long)most, at);
    CHECK_SAY(most <= WORK, "%s: %lld inner steps on problem %d", name, (long long)most, at);
  }
}

static const test_case tests[] = {
    TEST(every_method_ends_on_tiny_entries),
};

TEST_MAIN(tests)
