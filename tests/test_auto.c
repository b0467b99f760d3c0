/* test_auto.c: the classes that auto recognises, and badly scaled problems
 *
 * A generated problem is rescaled row by row, x = D z with D over many decades. auto's result is
 * judged here, in long double. */
#include "base/random.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

enum { MOST = 400, CONES = 30, ENTRIES = 9 * CONES * CONES };

static double random_unit(perp_random *random, double decades)
{
  return pow(10, perp_random_between(random, -decades, decades));
}

typedef struct rescaled {
  perp_operator *A;
  perp_problem problem;
  double d[MOST], b[MOST], lo[MOST], hi[MOST], mu[MOST];
} rescaled;

/* The problem in units of d; tangents of a cone share one. */
static void rescale(const perp_problem *p, double decades, uint64_t seed, rescaled *r)
{
  const int n = p->K.n, cones = p->K.cones;
  CHECK(n <= MOST);
  perp_random random = perp_random_from(seed);
  for (int i = 0; i < n; i++)
    r->d[i] = random_unit(&random, decades);
  for (int c = 0; c < cones; c++) {
    r->d[3 * c + 1] = r->d[3 * c] * random_unit(&random, 1);
    r->d[3 * c + 2] = r->d[3 * c + 1];
    r->mu[c] = p->K.mu[c] * r->d[3 * c] / r->d[3 * c + 1];
  }
  for (int i = 0; i < n; i++) {
    const int j = p->K.findex ? p->K.findex[i] : -1;
    const double unit = j >= 0 ? r->d[i] / r->d[j] : r->d[i];
    r->b[i] = r->d[i] * p->b[i];
    r->lo[i] = p->K.lo ? p->K.lo[i] / unit : 0;
    r->hi[i] = p->K.hi ? p->K.hi[i] / unit : INFINITY;
  }
  perp_operator *full;
  CHECK(perp_operator_to_csr(p->A, 0, &full, NULL) == PERP_OK);
  const int64_t *start;
  const int *column;
  const double *value;
  CHECK(perp_operator_csr_arrays(full, &start, &column, &value) == PERP_OK);
  double *scaled = malloc((size_t)start[n] * sizeof *scaled);
  for (int i = 0; i < n; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      scaled[k] = r->d[i] * value[k] * r->d[column[k]];
  CHECK(perp_operator_csr(n, start, column, scaled, PERP_COPY, &r->A, NULL) == PERP_OK);
  free(scaled);
  perp_operator_destroy(full);
  r->problem = (perp_problem){.A = r->A, .b = r->b, .K = p->K};
  r->problem.K.lo = p->K.lo ? r->lo : NULL;
  r->problem.K.hi = p->K.hi ? r->hi : NULL;
  r->problem.K.mu = p->K.mu ? r->mu : NULL;
}

/* max_i |x_i - mid(lo_i, x_i - y_i, hi_i)| over max |b_i|; no cones. */
static double own_residual(const perp_problem *p, const double *x)
{
  const int64_t *start;
  const int *column;
  const double *value;
  CHECK(perp_operator_csr_arrays(p->A, &start, &column, &value) == PERP_OK);
  long double worst = 0, scale = 0;
  for (int i = 0; i < p->K.n; i++) {
    long double y = p->b[i];
    scale = fmaxl(scale, fabsl(y));
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      y += (long double)value[k] * x[column[k]];
    const int j = p->K.findex ? p->K.findex[i] : -1;
    const long double unit = j >= 0 ? fabsl((long double)x[j]) : 1;
    const long double lo = p->K.lo ? p->K.lo[i] * unit : 0;
    const long double hi = p->K.hi ? p->K.hi[i] * unit : INFINITY;
    worst = fmaxl(worst, fabsl(x[i] - fmaxl(lo, fminl(hi, x[i] - y))));
  }
  return (double)(worst / scale);
}

static void units_do_not_matter(void)
{
  static const char *const specs[] = {
      "pd:n=30,form=lcp",
      "pd:n=30,form=mixed",
      "pd:n=40,form=boxed",
      "nonsym:n=30,form=lcp",
      "nonsym:n=30,form=boxed",
      "nonsym:n=120,form=boxed",
      "spd-sparse:n=120",
      "mmatrix:n=120",
      "pile:n=5,form=findex,operator=csr,cfm=1e-3",
      "pile:n=5,form=cone,operator=csr,cfm=1e-3",
      "obstacle:n=100,operator=csr",
      "pd:n=1",
  };
  int scaled = 0;
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
    for (int seed = 1; seed <= 12; seed++) {
      char spec[128];
      snprintf(spec, sizeof spec, "%s,seed=%d", specs[s], seed);
      perp_instance made;
      perp_message why;
      CHECK_SAY(perp_generate(spec, &made, &why) == PERP_OK, "%s", why.text);
      const perp_problem p = perp_instance_problem(&made);
      static rescaled r;
      rescale(&p, 1 + seed % 6, (uint64_t)seed, &r);
      double z[MOST] = {0};
      perp_result result = perp_result_empty();
      CHECK(perp_solve("auto", &r.problem, NULL, z, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", spec, result.message.text);
      if (p.K.cones == 0)
        CHECK_SAY(own_residual(&r.problem, z) <= 1e-8, "%s: %g", spec, own_residual(&r.problem, z));
      scaled += result.plan.scaled > 0;
      perp_operator_destroy(r.A);
      perp_instance_destroy(&made);
    }
  CHECK_SAY(scaled >= 20, "%d of them were scaled", scaled);
}

/* Rows 0 and 2 require x_0 - 1e8 x_2 >= 1 and its opposite, the other rows nothing: whichever
 * method finds out, the certificate belongs to the original problem. */
static void a_certificate_is_in_the_problems_units(void)
{
  enum { N = 1200 };
  static int64_t start[N + 1];
  static int column[2 * N];
  static double value[2 * N], b[N], x[N];
  for (int i = 0; i < N; i++) { /* rows i and i + 2 are coupled */
    start[i + 1] = start[i] + 2;
    for (int k = 0; k < 2; k++) {
      const int first = i - i % 4 + i % 2, j = first + 2 * k;
      column[2 * i + k] = j;
      value[2 * i + k] = first == 0 ? (i == j ? (i ? 1e16 : 1) : -1e8) : i == j ? 2 : 0.5;
    }
    b[i] = i % 3 - 1;
  }
  b[0] = -1;
  b[2] = -1e7;
  perp_operator *A = NULL;
  CHECK(perp_operator_csr(N, start, column, value, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
  CHECK(r.plan.scaled > 0);
  CHECK_SAY(r.outcome == PERP_INFEASIBLE && r.ray, "%s: %s", perp_outcome_name(r.outcome),
            r.message.text);
  if (r.ray) { /* u >= 0, A^T u <= 0, b^T u < 0, up to rounding in the units of each row */
    CHECK(r.ray[0] > 0 && r.ray[2] >= 0);
    CHECK(fabs(r.ray[0] - 1e8 * r.ray[2]) <= 1e-8 * r.ray[0]);
    double sum = 0;
    for (int i = 0; i < N; i++) {
      sum += b[i] * r.ray[i];
      CHECK(r.ray[i] >= 0 && (i == 2 || i == 0 || r.ray[i] <= 1e-8 * r.ray[0]));
    }
    CHECK(sum < 0);
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

typedef struct counter {
  int calls, most;
} counter;

static bool count_calls(void *context, const perp_progress *progress)
{
  counter *c = context;
  (void)progress;
  return ++c->calls < c->most;
}

/* An observer sees a scaled run too, and stops it. */
static void a_scaled_run_can_be_stopped(void)
{
  perp_instance made;
  CHECK(perp_generate("mmatrix:n=300", &made, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&made);
  static rescaled r;
  rescale(&p, 5, 3, &r);
  for (int most = 1; most <= 3; most++) {
    counter c = {.most = most};
    perp_options o = perp_options_default();
    o.observer = count_calls;
    o.observer_context = &c;
    double z[MOST] = {0};
    perp_result result = perp_result_empty();
    CHECK(perp_solve("auto", &r.problem, &o, z, &result) == PERP_OK);
    CHECK(result.plan.scaled > 0);
    CHECK_SAY(result.outcome == PERP_STOPPED, "%s", perp_outcome_name(result.outcome));
    CHECK_EQUAL_INT(c.calls, most);
  }
  perp_operator_destroy(r.A);
  perp_instance_destroy(&made);
}

typedef struct listener {
  const perp_problem *problem;
  int64_t last;
  int heard;
} listener;

/* Checks that residual and iterate belong to the original problem, and that iterations only
 * increase. */
static bool compare_residual(void *context, const perp_progress *progress)
{
  listener *l = context;
  CHECK(progress->iteration >= l->last);
  l->last = progress->iteration;
  if (progress->checked && progress->x) {
    const double own = own_residual(l->problem, progress->x);
    CHECK_SAY(fabs(progress->relative_residual - own) <= 1e-6 * own + 1e-12,
              "iteration %lld: %g instead of %g", (long long)progress->iteration,
              progress->relative_residual, own);
    l->heard++;
  }
  return true;
}

static void observers_hear_the_problems_own_residual(void)
{
  perp_instance made;
  CHECK(perp_generate("nonsym:n=120,form=boxed", &made, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&made);
  static rescaled r;
  for (int seed = 1; seed <= 5; seed++) {
    rescale(&p, 5, (uint64_t)seed, &r);
    listener l = {.problem = &r.problem};
    perp_options o = perp_options_default();
    o.observer = compare_residual;
    o.observer_context = &l;
    double z[MOST] = {0};
    perp_result result = perp_result_empty();
    CHECK(perp_solve("auto", &r.problem, &o, z, &result) == PERP_OK);
    CHECK(result.plan.scaled > 0 && l.heard > 1);
    perp_operator_destroy(r.A);
  }
  perp_instance_destroy(&made);
}

/* Also in scaled runs, which may be resumed, and in lemke runs on a problem with slips. */
static void iteration_limits_are_kept(void)
{
  static const char *const specs[] = {
      "pd:n=30,form=lcp",
      "nonsym:n=30,form=boxed",
      "spd-sparse:n=120",
      "pile:n=5,form=findex,operator=csr",
      "pile:n=3,form=findex,operator=csr",
      "pile:n=5,form=cone,operator=csr",
  };
  static const char *const methods[] = {"auto", "lemke", "dantzig"};
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
    for (int seed = 1; seed <= 6; seed++)
      for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int most = 1; most <= 12; most++) {
          char spec[128];
          snprintf(spec, sizeof spec, "%s,seed=%d", specs[s], seed);
          perp_instance made;
          CHECK(perp_generate(spec, &made, NULL) == PERP_OK);
          const perp_problem p = perp_instance_problem(&made);
          static rescaled r;
          rescale(&p, seed, (uint64_t)seed, &r);
          perp_options o = perp_options_default();
          o.max_iterations = most;
          double z[MOST] = {0};
          perp_result result = perp_result_empty();
          const perp_error error = perp_solve(methods[m], &r.problem, &o, z, &result);
          CHECK(!error || error == PERP_ERROR_UNSUPPORTED);
          CHECK_SAY(result.counts.iterations <= most, "%s on %s: %lld iterations, not %d",
                    methods[m], spec, (long long)result.counts.iterations, most);
          perp_operator_destroy(r.A);
          perp_instance_destroy(&made);
        }
}

/* In units of this diagonal an entry would be 1e350: the problem is solved as it is. */
static void what_cannot_be_scaled_is_solved_as_it_is(void)
{
  enum { N = 120 }; /* few enough to be dense, too many for pivots to come first */
  static double a[N * N], b[N], lo[N], hi[N], x[N];
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 1;
    b[i] = -1;
    hi[i] = 1000;
  }
  a[0] = 1e-300;
  a[1] = 1e200;
  a[N] = -1e200;
  b[1] = -1e-200;
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_boxed(A, b, lo, hi);
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve("auto", &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  CHECK(r.plan.scaled > 0);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  CHECK_CLOSE(x[0], 0, 1e-8);
  CHECK_CLOSE(1e200 * x[1], 1, 1e-8);
  perp_operator_destroy(A);
}

/* Cones with A = J J^T + epsilon I of low rank. */
static void make_low_rank(int cones, int rank, double epsilon, uint64_t seed, double *a, double *b,
                          double *mu)
{
  const int n = 3 * cones;
  static double J[ENTRIES];
  CHECK(n * rank <= ENTRIES);
  perp_random random = perp_random_from(seed);
  for (int k = 0; k < n * rank; k++)
    J[k] = perp_random_between(&random, -1, 1);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? epsilon : 0;
      for (int k = 0; k < rank; k++)
        a[i * n + j] += J[i * rank + k] * J[j * rank + k];
    }
    b[i] = perp_random_between(&random, -1, 1);
  }
  for (int c = 0; c < cones; c++)
    mu[c] = perp_random_between(&random, 0, 1);
}

static bool is_solved_by(const char *method, const perp_problem *p)
{
  double x[MOST] = {0};
  perp_result result = perp_result_empty();
  CHECK(perp_solve(method, p, NULL, x, &result) == PERP_OK);
  return result.outcome == PERP_SOLVED;
}

/* The limits of the ladder are too low for these: ssn, which comes nearest, must continue. */
static void goes_on_with_what_came_nearest(void)
{
  static const char *const specs[] = {
      "stack:n=2,form=cone,cfm=1e-6,operator=csr,seed=1",
      "stack:n=2,form=cone,cfm=1e-6,operator=csr,seed=2",
      "stack:n=3,form=cone,cfm=1e-6,operator=csr,seed=1",
      "stack:n=3,form=cone,cfm=1e-6,operator=csr,seed=2",
      "stack:n=2,form=cone,cfm=1e-6,operator=contact,seed=1",
      "stack:n=3,form=cone,cfm=1e-6,operator=contact,seed=1",
  };
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    perp_instance made;
    CHECK(perp_generate(specs[s], &made, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&made);
    CHECK_SAY(is_solved_by("auto", &p), "%s", specs[s]);
    perp_instance_destroy(&made);
  }
  static double a[MOST], b[MOST], mu[MOST];
  int solved = 0;
  for (int cones = 2; cones <= 6; cones++)
    for (int seed = 1; seed <= 24; seed++) {
      make_low_rank(cones, 3 * cones / 4, seed % 2 ? 1e-6 : 1e-8, (uint64_t)seed, a, b, mu);
      perp_operator *A = NULL;
      CHECK(perp_operator_dense(3 * cones, a, 3 * cones, PERP_BORROW, &A, NULL) == PERP_OK);
      perp_problem p = perp_problem_cone(A, b, mu);
      if (is_solved_by("ssn", &p)) {
        CHECK_SAY(is_solved_by("auto", &p), "%d cones, seed %d", cones, seed);
        solved++;
      }
      perp_operator_destroy(A);
    }
  CHECK_SAY(solved >= 100, "ssn solves %d", solved);
}

static int last_of(const perp_plan *plan, const char *method)
{
  for (int k = plan->steps - 1; k >= 0; k--)
    if (strcmp(plan->method[k], method) == 0)
      return k;
  return -1;
}

/* Returns auto's plan for the problem. */
static perp_plan plan_for(const char *spec)
{
  perp_instance made;
  CHECK(perp_generate(spec, &made, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&made);
  perp_plan plan;
  CHECK(perp_problem_plan(&p, &plan, NULL) == PERP_OK);
  perp_instance_destroy(&made);
  return plan;
}

/* For a problem with friction that is not small, the plan ends with ipm without a limit before the
 * robust methods; ipm also comes before any step of the ladder is continued. */
static void ipm_comes_before_long_sweeps(void)
{
  static const struct {
    const char *spec;
    bool stands;
  } all[] = {{"pile:n=40,form=findex,operator=contact", true},
             {"pile:n=100,form=cone,operator=csr", true},
             {"wall:rows=8,columns=8,form=findex,operator=csr", true},
             {"pile:n=8,form=findex,operator=contact", false},
             {"pile:n=100,form=lcp,operator=contact", false}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const perp_plan plan = plan_for(all[k].spec);
    const int ipm = last_of(&plan, "ipm");
    CHECK_SAY((ipm >= 0 && plan.limit[ipm] == 0) == all[k].stands, "%s", all[k].spec);
    CHECK_SAY(!all[k].stands || ipm < last_of(&plan, "ssn") || last_of(&plan, "ssn") < 0 ||
                  plan.limit[last_of(&plan, "ssn")] > 0,
              "%s", all[k].spec);
  }
}

/* Friction rows of walls are long and begin with ipm; friction rows of balls begin with sweeps or
 * pivots. */
static void long_rows_begin_with_ipm(void)
{
  static const struct {
    const char *spec;
    bool first;
  } all[] = {{"wall:rows=10,columns=8,form=cone,operator=csr", true},
             {"wall:rows=6,columns=6,form=findex,operator=csr", true},
             {"pile:n=200,form=cone,operator=csr", false},
             {"pile:n=200,form=findex,operator=csr", false},
             {"wall:rows=10,columns=8,form=lcp,operator=csr", false}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const perp_plan plan = plan_for(all[k].spec);
    CHECK_SAY((strcmp(plan.method[0], "ipm") == 0) == all[k].first, "%s", all[k].spec);
  }
}

/* A few cones of joints are swept first, cones of boxes are not; ipm follows slow sweeps. */
static void a_few_cones_of_joints_are_swept_first(void)
{
  static const struct {
    const char *spec;
    bool sweeps; /* planned */
    const char *solves;
  } all[] = {{"robot:model=hand", true, "bgs"},
             {"robot:model=hand,contacts=4,seed=64", true, "bgs"},
             {"robot:model=humanoid,contacts=12,seed=21", true, "ipm"},
             {"wall:rows=3,columns=3,form=cone,operator=contact", false, "ipm"}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const perp_plan plan = plan_for(all[k].spec);
    CHECK_SAY((strcmp(plan.method[0], "bgs") == 0) == all[k].sweeps, "%s", all[k].spec);
    perp_instance made;
    CHECK(perp_generate(all[k].spec, &made, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&made);
    double *x = calloc((size_t)p.K.n, sizeof *x);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("auto", &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED && strcmp(r.method, all[k].solves) == 0, "%s: %s",
              all[k].spec, r.message.text);
    free(x);
    perp_instance_destroy(&made);
  }
}

/* Cones of balls are swept first, cones of walls are not; sweeps that are slow at first but would
 * finish within their limit are not cut off. */
static void balls_with_cones_are_swept_first(void)
{
  static const struct {
    const char *spec;
    bool sweeps;
  } all[] = {{"pile:n=400,form=cone,operator=contact", true},
             {"pile:n=1500,layout=random,form=cone,operator=contact", true},
             {"wall:rows=25,columns=20,form=cone,operator=contact", false}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const perp_plan plan = plan_for(all[k].spec);
    CHECK_SAY((strcmp(plan.method[0], "nncg") == 0) == all[k].sweeps, "%s", all[k].spec);
  }
  perp_instance made;
  const char *const slow = "pile:n=1500,layout=random,form=cone,operator=csr,seed=301";
  CHECK(perp_generate(slow, &made, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&made);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_result r = perp_result_empty();
  CHECK(perp_solve("auto", &p, NULL, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED && strcmp(r.method, "nncg") == 0, "%s", r.message.text);
  free(x);
  perp_instance_destroy(&made);
}

/* Balls from the solution of nearly the same problem, as in a frame loop: sweeps that are slow at
 * first are not stopped, and longer ones come before ipm. */
static void balls_are_swept_for_long_if_warm(void)
{
  const char *const spec = "pile:n=500,layout=random,form=findex,operator=contact";
  perp_instance made;
  CHECK(perp_generate(spec, &made, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&made);
  const int n = p.K.n;
  double *x = calloc((size_t)n, sizeof *x), *near = calloc((size_t)n, sizeof *near);
  CHECK(x && near);
  perp_random random = perp_random_from(1);
  for (int i = 0; i < n; i++)
    near[i] = p.b[i] * perp_random_between(&random, 0.99, 1.01);
  perp_problem other = p;
  other.b = near;
  perp_result r = perp_result_empty();
  CHECK(perp_solve("auto", &other, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  CHECK(perp_solve("auto", &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  CHECK_SAY(r.attempt[0].iterations > 1000, "%s: %d", r.attempt[0].method,
            (int)r.attempt[0].iterations);
  const int nncg = last_of(&r.plan, "nncg"), ipm = last_of(&r.plan, "ipm");
  CHECK(nncg > 0 && r.plan.limit[nncg] > 0 && ipm == nncg + 1);
  free(x);
  free(near);
  perp_instance_destroy(&made);
}

/* Newton's method is tried from where ipm ends; if its limit is too low for that, gradient steps come
 * before it continues. */
static void gradients_come_before_long_newton(void)
{
  static const struct {
    const char *spec;
    bool stands;
  } all[] = {{"pile:n=100,form=cone,operator=csr", true},
             {"wall:rows=6,columns=6,form=cone,operator=contact", true},
             {"pile:n=100,form=findex,operator=csr", false},
             {"pile:n=8,form=cone,operator=contact", false}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const perp_plan plan = plan_for(all[k].spec);
    const int ssn = last_of(&plan, "ssn"), apgd = last_of(&plan, "apgd");
    CHECK_SAY((apgd >= 0) == all[k].stands, "%s: apgd is step %d", all[k].spec, apgd);
    CHECK_SAY(!all[k].stands || (last_of(&plan, "ipm") < ssn && ssn < apgd && plan.limit[ssn] > 0 &&
                                 plan.limit[apgd] == 0),
              "%s: ssn is step %d, apgd step %d", all[k].spec, ssn, apgd);
  }
}

/* x is near 1e8 in some of these: plain sums for y lack the digits that the tolerance needs. */
static void solves_cones_of_low_rank(void)
{
  enum { TRIES = 80, LEAST = 79 };
  static double a[ENTRIES], b[3 * CONES], mu[CONES];
  perp_random random = perp_random_from(7001);
  int solved = 0;
  for (int k = 0; k < TRIES; k++) {
    const int cones = 2 + (int)perp_random_between(&random, 0, CONES - 1);
    const int rank = 1 + (int)perp_random_between(&random, 0, 3 * cones - 1);
    const double epsilon = pow(10, perp_random_between(&random, -8, -4));
    make_low_rank(cones, rank, epsilon, (uint64_t)(7100 + k), a, b, mu);
    perp_operator *A = NULL;
    CHECK(perp_operator_dense(3 * cones, a, 3 * cones, PERP_BORROW, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_cone(A, b, mu);
    solved += is_solved_by("auto", &p);
    perp_operator_destroy(A);
  }
  CHECK_SAY(solved >= LEAST, "%d of %d", solved, TRIES);
}

/* Of 5,000 cones with a planted solution (30 to 53 contacts, A of a quarter of full rank) the sweeps and
 * Newton's method leave 11; ipm solves seven of those. */
static void small_cones_try_ipm(void)
{
  static double a[ENTRIES], b[3 * CONES], mu[CONES];
  make_low_rank(CONES, CONES / 2, 0, 7301, a, b, mu);
  perp_operator *A;
  perp_plan plan;
  CHECK(perp_operator_dense(3 * CONES, a, 3 * CONES, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_cone(A, b, mu);
  CHECK(perp_problem_plan(&p, &plan, NULL) == PERP_OK);
  int ipm = 0, bgs = 0;
  for (int k = 0; k < plan.steps; k++) {
    ipm = strcmp(plan.method[k], "ipm") == 0 ? k : ipm;
    bgs = strcmp(plan.method[k], "bgs") == 0 ? k : bgs;
  }
  CHECK_SAY(ipm > 0 && ipm < bgs, "ipm is step %d, bgs step %d of %d", ipm, bgs, plan.steps);
  perp_operator_destroy(A);
}

/* Optimality conditions (I -G^T; G 0) of a program with short rows begin with ipm. */
static void programs_begin_with_ipm(void)
{
  enum { N = 300, M = 100, ALL = N + M };
  static int64_t start[ALL + 1];
  static int column[5 * ALL];
  static double value[5 * ALL], b[ALL];
  int64_t at = 0;
  for (int j = 0; j < N; j++) { /* x_j is in row j / 3 of G */
    start[j] = at;
    column[at] = j, value[at++] = 1;
    column[at] = N + j / 3, value[at++] = -1 - j % 3;
    b[j] = -1;
  }
  for (int i = 0; i < M; i++) {
    start[N + i] = at;
    for (int k = 0; k < 3; k++)
      column[at] = 3 * i + k, value[at++] = 1 + k;
    b[N + i] = 5;
  }
  start[ALL] = at;
  perp_operator *A;
  perp_plan plan;
  CHECK(perp_operator_csr(ALL, start, column, value, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  CHECK(perp_problem_plan(&p, &plan, NULL) == PERP_OK);
  CHECK_SAY(strcmp(plan.method[0], "ipm") == 0, "%s: %s", plan.class_name, plan.method[0]);
  perp_operator_destroy(A);
}

static void large_grids_begin_with_multigrid(void)
{
  static const char *const grids[] = {"obstacle:n=2500", "obstacle:n=2500,operator=csr",
                                      "obstacle:n=10000,operator=csr"};
  for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
    const perp_plan plan = plan_for(grids[k]);
    CHECK_SAY(strcmp(plan.method[0], "mg") == 0, "%s: %s", grids[k], plan.method[0]);
  }
}

static void sees_what_is_there(void)
{
  static const struct {
    const char *spec, *class_name;
  } all[] = {
      {"pd:n=50", "lcp dense symmetric 100"},
      {"nonsym:n=50,form=boxed", "boxed dense unsymmetric 100"},
      {"pd:n=50,shift=100", "lcp dense symmetric strong 100"},
      {"pd:n=50,shift=10", "lcp dense symmetric fair 100"},
      {"banded:n=50,margin=15", "lcp sparse symmetric strong 100"},
      {"banded:n=50,margin=3", "lcp sparse symmetric fair 100"},
      {"banded:n=50,margin=15,holes=0.2", "lcp sparse symmetric holes 100"},
      {"put:n=200", "lcp tridiagonal unsymmetric 320"},
      {"bimatrix:n=20", "lcp dense unsymmetric holes 32"},
      {"spd-sparse:n=200", "lcp sparse symmetric 320"},
      {"obstacle:n=100", "boxed stencil symmetric 100"},
      {"obstacle:n=100,operator=csr", "boxed mmatrix symmetric 100"},
      {"obstacle:n=2500,operator=csr", "boxed stencil symmetric 10000"},
      {"fluid-notes:n=1000", "lcp mmatrix symmetric fair 1000"},
      {"pile:n=5,form=lcp,operator=contact", "lcp contact symmetric 32"},
      {"chain:n=3,form=findex,operator=contact", "findex loose symmetric 10"},
      {"pile:n=5,form=findex,operator=contact", "findex packed symmetric 100"},
      {"pile:n=50,form=findex,operator=contact", "findex jammed symmetric 1000"},
      {"wall:rows=4,columns=4,form=findex,operator=contact", "findex faced symmetric 1000"},
      {"wall:rows=4,columns=4,form=lcp,operator=contact", "lcp faced symmetric 320"},
      {"pile:n=30,form=cone,operator=contact", "cone packed symmetric 1000"},
      {"pile:n=5,form=cone,operator=csr", "cone sparse symmetric 100"},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    perp_instance made;
    perp_plan plan;
    CHECK(perp_generate(all[k].spec, &made, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&made);
    CHECK(perp_problem_plan(&p, &plan, NULL) == PERP_OK);
    CHECK_SAY(strcmp(plan.class_name, all[k].class_name) == 0, "%s: %s", all[k].spec,
              plan.class_name);
    CHECK(plan.scaled == 0);
    perp_instance_destroy(&made);
  }
}

/* The Laplacian on a line plus one on its diagonal, only by products. */
static int apply_line(void *context, const double *x, double *y)
{
  const int n = *(const int *)context;
  for (int i = 0; i < n; i++)
    y[i] = 3 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < n - 1 ? x[i + 1] : 0);
  return 0;
}

/* apply_line with drift: not symmetric, but an M-matrix. */
static int apply_drift(void *context, const double *x, double *y)
{
  const int n = *(const int *)context;
  for (int i = 0; i < n; i++)
    y[i] = 3 * x[i] - 1.5 * (i > 0 ? x[i - 1] : 0) - 0.5 * (i < n - 1 ? x[i + 1] : 0);
  return 0;
}

static void products_alone_need_no_columns(void)
{
  enum { N = 3000 };
  int n = N;
  perp_random random = perp_random_from(8);
  double *b = malloc(N * sizeof *b), *x = malloc(N * sizeof *x);
  for (int i = 0; i < N; i++)
    b[i] = perp_random_between(&random, -1, 1);
  for (int k = 0; k < 3; k++) {
    perp_shell shell = perp_shell_default();
    shell.context = &n;
    shell.apply = k < 2 ? apply_line : apply_drift;
    shell.hints = k == 1 ? PERP_HINT_SYMMETRIC : 0;
    perp_operator *A = NULL;
    perp_message why;
    CHECK_SAY(perp_operator_shell(N, &shell, &A, &why) == PERP_OK, "%s", why.text);
    const perp_problem p = perp_problem_lcp(A, b);
    memset(x, 0, N * sizeof *x);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("auto", &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
    CHECK_SAY(r.counts.applies < 300, "%s took %lld products", r.method,
              (long long)r.counts.applies);
    perp_operator_destroy(A);
  }
  free(b);
  free(x);
}

static const test_case tests[] = {
    TEST(units_do_not_matter),
    TEST(a_certificate_is_in_the_problems_units),
    TEST(a_scaled_run_can_be_stopped),
    TEST(observers_hear_the_problems_own_residual),
    TEST(iteration_limits_are_kept),
    TEST(what_cannot_be_scaled_is_solved_as_it_is),
    TEST(goes_on_with_what_came_nearest),
    TEST(ipm_comes_before_long_sweeps),
    TEST(long_rows_begin_with_ipm),
    TEST(a_few_cones_of_joints_are_swept_first),
    TEST(balls_with_cones_are_swept_first),
    TEST(balls_are_swept_for_long_if_warm),
    TEST(gradients_come_before_long_newton),
    TEST(solves_cones_of_low_rank),
    TEST(small_cones_try_ipm),
    TEST(programs_begin_with_ipm),
    TEST(large_grids_begin_with_multigrid),
    TEST(sees_what_is_there),
    TEST(products_alone_need_no_columns),
};

TEST_MAIN(tests)
