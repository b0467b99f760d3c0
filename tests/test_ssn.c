/* test_ssn.c: semismooth Newton on the natural map
 *
 * Oracles: the map written out here and its differences, planted solutions, enumeration, the exact
 * solver of one contact, and perp_problem_judge for the rest. */
#include "generated.h"
#include "linalg/vector.h"
#include "method/newton/ssn/ssn.h"
#include "problems.h"
#include "set/cone.h"
#include "set/set.h"

typedef struct setting {
  const char *name, *value;
} setting;

/* Solves from zero; x may be NULL. The verdict is compared with perp_problem_judge. */
static perp_result solve(const setting *settings, const perp_problem *p, double tol, double *x,
                         perp_observer observer, void *context)
{
  const int n = p->K.n;
  double *z = calloc((size_t)n + 1, sizeof *z);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("ssn", &solver, NULL) == PERP_OK);
  for (; settings && settings->name; settings++)
    CHECK(perp_solver_set_text(solver, settings->name, settings->value, NULL) == PERP_OK);
  perp_options o = perp_options_default();
  o.tol = tol;
  o.time_limit = 20;
  o.observer = observer;
  o.observer_context = context;
  perp_result r = perp_result_empty();
  const perp_error error = perp_solver_solve(solver, p, &o, z, &r);
  CHECK_SAY(!error, "%s", r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(p, z, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= tol * scale), "%s at %g",
            perp_outcome_name(r.outcome), residual);
  CHECK(isfinite(residual));
  if (x)
    memcpy(x, z, (size_t)n * sizeof *x);
  free(z);
  perp_solver_destroy(solver);
  return r;
}

/* Generated from the text, solved to 1e-8. */
static perp_result solve_text(const setting *settings, const char *format, ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  perp_instance instance = generated(text);
  const perp_problem p = perp_instance_problem(&instance);
  const perp_result r = solve(settings, &p, 1e-8, NULL, NULL, NULL);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", text, r.message.text);
  perp_instance_destroy(&instance);
  return r;
}

/* ---- Derivatives ---- */

/* Phi as in the papers, regardless of rounding. */
static void phi_cone(double mu, double rho, const double *x, const double *g, double *phi)
{
  const double radius = mu * fmax(x[0] - rho * g[0], 0);
  const double t = x[1] - rho * g[1], o = x[2] - rho * g[2], s = sqrt(t * t + o * o);
  const double shrink = s > radius ? radius / s : 1;
  phi[0] = x[0] - radius / mu;
  phi[1] = x[1] - shrink * t;
  phi[2] = x[2] - shrink * o;
}

static void phi_of(const perp_ssn_model *m, const double *x, const double *g, double *phi)
{
  const perp_set *K = &m->p->K;
  for (int c = 0; c < K->cones; c++)
    phi_cone(K->mu[c], m->rho[3 * c], x + 3 * c, g + 3 * c, phi + 3 * c);
  for (int i = 3 * K->cones; i < K->n; i++) {
    double lo = K->lo ? K->lo[i] : 0, hi = K->hi ? K->hi[i] : INFINITY;
    const int j = K->findex ? K->findex[i] : -1;
    if (j >= 0) {
      const double normal = fmin(fmax(x[j] - m->rho[j] * g[j], K->lo[j]), K->hi[j]);
      lo *= fabs(normal);
      hi *= fabs(normal);
    }
    phi[i] = x[i] - fmin(fmax(x[i] - m->rho[i] * g[i], lo), hi);
  }
}

/* A test method: at random points it computes the Newton step d of the model and checks that the
 * derivative of Phi along d is -Phi. */
static perp_linear_solver tested_solver;

static perp_error compare_steps(perp_run *run, const perp_problem *p, const void *unused, double *x)
{
  (void)unused;
  const int n = p->K.n;
  const double epsilon = 0.01, h = 1e-7;
  perp_random random = perp_random_from((uint64_t)n);
  perp_ssn_model m;
  perp_ssn_step step;
  CHECK(perp_ssn_model_create(run, 1, &m) == PERP_OK);
  CHECK(perp_ssn_step_open(run, &m, tested_solver, PERP_PRECONDITION_AUTO, &step) == PERP_OK);
  double *v = perp_run_reals(run, (size_t)(7 * n));
  double *g = v, *d = v + n, *g_d = v + 2 * n, *ahead = v + 3 * n, *behind = v + 4 * n,
         *at = v + 5 * n, *c = v + 6 * n;
  for (int trial = 0; trial < 40; trial++) {
    for (int i = 0; i < n; i++) {
      x[i] = perp_random_between(&random, -1, 2);
      c[i] = perp_random_between(&random, -1, 2);
    }
    perp_run_gradient(run, x, g);
    for (int i = 0; i < n; i++)
      g[i] += epsilon / m.rho[i] * (x[i] - c[i]);
    perp_ssn_linearise(&m, x, g);
    phi_of(&m, x, g, at);
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(m.phi[i], at[i], 1e-13 * (1 + fabs(at[i])));
    CHECK(perp_ssn_step_solve(&step, epsilon, 1e-13, d));
    perp_run_apply(run, d, g_d);
    for (int side = 1; side >= -1; side -= 2) {
      double *phi = side > 0 ? ahead : behind;
      for (int i = 0; i < n; i++) {
        x[i] += side * h * d[i];
        g[i] += side * h * (g_d[i] + epsilon / m.rho[i] * d[i]);
      }
      phi_of(&m, x, g, phi);
      for (int i = 0; i < n; i++) {
        x[i] -= side * h * d[i];
        g[i] -= side * h * (g_d[i] + epsilon / m.rho[i] * d[i]);
      }
    }
    const double size = 1 + perp_norm_inf(n, d);
    for (int i = 0; i < n; i++)
      CHECK_SAY(fabs((ahead[i] - behind[i]) / (2 * h) + at[i]) < 1e-5 * size * size,
                "row %d of %d: %g against %g", i, n, (ahead[i] - behind[i]) / (2 * h), -at[i]);
  }
  perp_fill(n, 0, x);
  perp_ssn_step_close(&step);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static int apply_dense(void *context, const double *x, double *y)
{
  const perp_operator *A = context;
  perp_operator_apply(A, x, y, NULL, NULL);
  return 0;
}

static void run_comparison(perp_instance *p)
{
  static const perp_parameter none[] = {{0}};
  const perp_method method = {.name = "compare",
                              .title = "",
                              .family = "newton",
                              .source = "",
                              .takes = 31,
                              .needs = PERP_CAN_APPLY,
                              .max_iterations = 1,
                              .works = "",
                              .parameters = none,
                              .parameter_bytes = 1,
                              .solve = compare_steps};
  perp_problem problem = perp_instance_problem(p);
  perp_operator *dense = NULL, *shell = NULL;
  CHECK(perp_operator_to_dense(p->A, 0, &dense, NULL) == PERP_OK);
  const perp_shell bare = {.size = sizeof(perp_shell), .context = dense, .apply = apply_dense};
  CHECK(perp_operator_shell(problem.K.n, &bare, &shell, NULL) == PERP_OK);
  for (int k = 0; k < 3; k++) {
    tested_solver = k < 1 ? PERP_LINEAR_DIRECT : PERP_LINEAR_GMRES;
    problem.A = k < 2 ? p->A : shell; /* only by products */
    perp_solver *solver = NULL;
    CHECK(perp_solver_create_with(&method, &solver, NULL) == PERP_OK);
    double *x = calloc((size_t)problem.K.n, sizeof *x);
    perp_result r = perp_result_empty();
    CHECK(perp_solver_solve(solver, &problem, NULL, x, &r) == PERP_OK);
    free(x);
    perp_solver_destroy(solver);
  }
  perp_operator_destroy(shell);
  perp_operator_destroy(dense);
  perp_instance_destroy(p);
}

static void steps_match_differences(void)
{
  for (uint64_t seed = 1; seed <= 6; seed++) {
    for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++) {
      perp_instance p = problem_random(9 + 3 * (int)seed, (perp_form)form, 1, seed);
      run_comparison(&p);
    }
    char text[64];
    snprintf(text, sizeof text, "pile:n=6,form=cone,mu=0.6,cfm=0.1,seed=%d", (int)seed);
    perp_instance cone = generated(text);
    run_comparison(&cone);
  }
}

/* ---- Small problems ---- */

static void planted_problems_are_found(void)
{
  for (uint64_t seed = 1; seed <= 60; seed++)
    for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++) {
      const int n = 3 + (int)(seed % 7) * 3;
      perp_instance p = problem_random(n, (perp_form)form, 0.5, seed);
      const perp_problem problem = perp_instance_problem(&p);
      double x[24];
      const perp_result r = solve(NULL, &problem, 1e-10, x, NULL, NULL);
      CHECK_SAY(r.outcome == PERP_SOLVED, "form %d, seed %d: %s", form, (int)seed, r.message.text);
      for (int i = 0; form != PERP_FORM_FINDEX && i < n; i++) /* else there may be others */
        CHECK_CLOSE(x[i], p.x[i], 1e-8);
      perp_instance_destroy(&p);
    }
}

/* P-matrices that are not definite have one solution, which enumeration finds too. */
static void enumeration_agrees(void)
{
  for (int seed = 1; seed <= 40; seed++) {
    char text[64];
    snprintf(text, sizeof text, "pmatrix:n=8,degenerate=0.2,seed=%d", seed);
    perp_instance p = generated(text);
    const perp_problem problem = perp_instance_problem(&p);
    double x[8], z[8] = {0};
    const perp_result r = solve(NULL, &problem, 1e-11, x, NULL, NULL);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", text, r.message.text);
    perp_result exact = perp_result_empty();
    CHECK(perp_solve("enumerate", &problem, NULL, z, &exact) == PERP_OK);
    CHECK(exact.outcome == PERP_SOLVED);
    for (int i = 0; i < 8; i++)
      CHECK_CLOSE(x[i], z[i], 1e-6 * (1 + fabs(z[i])));
    perp_instance_destroy(&p);
  }
}

/* One contact with a symmetric positive definite W and little friction has one solution. */
static void one_contact_is_that_of_the_exact_solver(void)
{
  perp_random random = perp_random_from(5);
  for (int trial = 0; trial < 300; trial++) {
    double G[9], W[9] = {0}, q[3], z[3] = {0}, x[3], slip = 0;
    for (int k = 0; k < 9; k++)
      G[k] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < 3; i++) {
      q[i] = perp_random_between(&random, i == 0 ? -2 : -1, 1);
      for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
          W[3 * i + j] += G[3 * i + k] * G[3 * j + k] + (i == j && k == 0 ? 0.1 : 0);
    }
    const double mu = perp_random_between(&random, 0, trial % 2 ? 0.2 : 1.5);
    perp_operator *A = problem_dense(3, W);
    const perp_problem p = {.A = A, .b = q, .K = {.n = 3, .mu = &mu, .cones = 1}};
    const setting s[] = {{"warm", "0"}, {0}};
    const perp_result r = solve(s, &p, 1e-11, x, NULL, NULL);
    CHECK_SAY(r.outcome == PERP_SOLVED, "trial %d: %s", trial, r.message.text);
    const perp_cone_matrix matrix = perp_cone_make(W);
    CHECK(perp_cone_solve(&matrix, 1, q, mu, &slip, z));
    for (int k = 0; trial % 2 && k < 3; k++)
      CHECK_SAY(fabs(x[k] - z[k]) < 1e-7 * (1 + fabs(z[k])), "trial %d: %g against %g", trial, x[k],
                z[k]);
    perp_operator_destroy(A);
  }
}

/* ---- Hard problems ---- */

static void contact_matrices_of_the_notes(void)
{
  for (int seed = 1; seed <= 100; seed++) {
    const perp_result r = solve_text(NULL, "contact-notes:n=%d,seed=%d", seed % 5 ? 60 : 180, seed);
    CHECK_SAY(r.counts.iterations <= 12, "seed %d: %d", seed, (int)r.counts.iterations);
  }
}

static void singular_matrices(void)
{
  const char *forms[] = {"lcp", "mixed", "boxed"};
  for (int ratio = 1; ratio <= 8; ratio++)
    for (int seed = 1; seed <= 9; seed++)
      solve_text(NULL, "psd:n=50,ratio=0.%d,form=%s,degenerate=0.%d,seed=%d", ratio,
                 forms[seed % 3], seed % 2, seed);
}

/* The first sweeps grow without bound on these: they must not count. There is no theorem for the
 * rest, but it solves most. */
static void sweeps_that_diverge_are_taken_back(void)
{
  int solved = 0;
  for (int seed = 1; seed <= 20; seed++) {
    char text[64];
    snprintf(text, sizeof text, "nonsym:n=60,skew=10,seed=%d", seed);
    perp_instance instance = generated(text);
    const perp_problem p = perp_instance_problem(&instance);
    const perp_result r = solve(NULL, &p, 1e-8, NULL, NULL, NULL);
    CHECK_SAY(r.counts.factorisations > 0, "%s: %s", text, r.message.text);
    solved += r.outcome == PERP_SOLVED;
    perp_instance_destroy(&instance);
  }
  CHECK_SAY(solved >= 15, "%d of 20", solved);
}

static void scenes(void)
{
  const char *forms[] = {"polyhedral", "findex", "cone"};
  const double mu[] = {0.2, 0.5, 0.9};
  for (int form = 0; form < 3; form++)
    for (int seed = 1; seed <= 6; seed++) {
      const double m = mu[seed % 3];
      solve_text(NULL, "stack:n=%d,form=%s,mu=%g,ratio=%g,jitter=0.1,seed=%d", 1 + seed,
                 forms[form], m, seed % 2 ? 10.0 : 0.1, seed);
      solve_text(NULL, "stack:n=5,form=%s,mu=%g,seed=%d", forms[form], m, seed);
      solve_text(NULL, "wall:rows=3,columns=2,form=%s,mu=%g,seed=%d", forms[form], m, seed);
      solve_text(NULL, "arch:n=%d,form=%s,mu=%g,seed=%d", 2 + seed, forms[form], m, seed);
      if (form > 0)
        solve_text(NULL, "pile:n=%d,layout=random,form=%s,mu=%g,seed=%d", 5 * seed, forms[form], m,
                   seed);
    }
}

/* ---- Ways to solve the systems ---- */

/* gmres, operators kept as J Minv J^T, and only products. */
static void every_solver_gets_there(void)
{
  const char *forms[] = {"findex", "cone"};
  const setting ways[][3] = {{{"solver", "gmres"}, {0}},
                             {{"solver", "direct"}, {0}},
                             {{"solver", "gmres"}, {"warm", "0"}, {0}},
                             {{"window", "1"}, {0}}};
  for (int form = 0; form < 2; form++)
    for (int way = 0; way < 4; way++) {
      solve_text(ways[way], "pile:n=40,form=%s,seed=3", forms[form]);
      solve_text(ways[way], "stack:n=12,form=%s,jitter=0.1,operator=contact", forms[form]);
    }
  perp_instance p = generated("pile:n=8,form=cone,cfm=0.01");
  perp_problem problem = perp_instance_problem(&p);
  perp_operator *dense = NULL, *shell = NULL;
  CHECK(perp_operator_to_dense(p.A, 0, &dense, NULL) == PERP_OK);
  const perp_shell bare = {.size = sizeof(perp_shell), .context = dense, .apply = apply_dense};
  CHECK(perp_operator_shell(problem.K.n, &bare, &shell, NULL) == PERP_OK);
  problem.A = shell;
  CHECK(solve(NULL, &problem, 1e-8, NULL, NULL, NULL).outcome == PERP_SOLVED);
  perp_operator_destroy(shell);
  perp_operator_destroy(dense);
  perp_instance_destroy(&p);
}

/* ---- Speed of convergence ---- */

typedef struct record {
  int count;
  double residual[512];
} record;

static bool watch(void *context, const perp_progress *progress)
{
  record *r = context;
  if (r->count < 512)
    r->residual[r->count++] = progress->residual / progress->scale;
  return true;
}

/* From 1e-4 on, a few steps reach 1e-11: a wrong Jacobian, or linear systems always solved to the
 * same accuracy, would need a step for every digit. */
/* Steps in the velocities of bodies are the steps of the dense factor, which shares no code with
 * them: cones, friction rows, compliance, rows that follow no contact. */
static void bodies_give_the_steps_of_the_dense_factor(void)
{
  static const char *const scenes[] = {
      "wall:rows=5,columns=4,form=cone,operator=contact", "pile:n=60,form=cone,operator=contact",
      "wall:rows=5,columns=4,form=cone,operator=contact,cfm=0.01",
      "wall:rows=5,columns=5,form=findex,operator=contact,cfm=0.001",
      "pile:n=60,form=findex,operator=contact,cfm=0.001"};
  for (int k = 0; k < 50; k++) {
    char text[128];
    snprintf(text, sizeof text, "%s,seed=%d", scenes[k % 5], k + 1);
    perp_instance instance = generated(text);
    const perp_problem p = perp_instance_problem(&instance);
    const int n = p.K.n;
    CHECK_SAY(n > 150, "%s: %d rows are solved densely", text, n);
    double *x[2];
    for (int way = 0; way < 2; way++) {
      perp_solver *solver = NULL;
      CHECK(perp_solver_create("ssn", &solver, NULL) == PERP_OK);
      CHECK(perp_solver_set_text(solver, "solver", way ? "direct" : "auto", NULL) == PERP_OK);
      CHECK(perp_solver_set_text(solver, "epsilon", "1e-3", NULL) == PERP_OK);
      perp_options o = perp_options_default();
      o.tol = 1e-12;
      o.max_iterations = 2 + k % 3;
      perp_result r = perp_result_empty();
      x[way] = calloc((size_t)n, sizeof *x[way]);
      CHECK(perp_solver_solve(solver, &p, &o, x[way], &r) == PERP_OK);
      perp_solver_destroy(solver);
    }
    const double apart = perp_distance_inf(n, x[0], x[1]), size = perp_norm_inf(n, x[1]);
    CHECK_SAY(size > 0 && apart <= 1e-7 * size, "%s: %g of %g", text, apart, size);
    free(x[0]);
    free(x[1]);
    perp_instance_destroy(&instance);
  }
}

static void the_end_is_superlinear(void)
{
  for (int seed = 1; seed <= 12; seed++)
    for (int way = 0; way < 2; way++) {
      char text[96];
      snprintf(text, sizeof text, "pile:n=15,form=cone,layout=random,jitter=0.5,mu=0.4,seed=%d",
               seed);
      perp_instance p = generated(text);
      const perp_problem problem = perp_instance_problem(&p);
      const setting s[] = {{"solver", way < 1 ? "direct" : "gmres"}, {0}};
      record r = {0};
      const perp_result result = solve(s, &problem, 1e-11, NULL, watch, &r);
      CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", text, result.message.text);
      int last = r.count;
      while (last > 0 && r.residual[last - 1] < 1e-4)
        last--;
      CHECK_SAY(r.count - last <= 5, "%s: %d steps below 1e-4", text, r.count - last);
      perp_instance_destroy(&p);
    }
}

/* Axes of very different strength in one disc, redundant contacts: a proximal term by the strongest axis
 * left 3e-4 after 128 steps here. */
static void weak_axes_move(void)
{
  perp_instance instance;
  perp_message why = {""};
  CHECK_SAY(perp_generate("pile:n=20,form=elliptic,operator=contact,plant=yes,seed=901", &instance,
                          &why) == PERP_OK,
            "%s", why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options options = perp_options_default();
  options.max_iterations = 100;
  perp_result result = perp_result_empty();
  CHECK(perp_solve("ssn", &p, &options, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s", result.message.text);
  free(x);
  perp_instance_destroy(&instance);
}

static const test_case TESTS[] = {
    TEST(steps_match_differences),
    TEST(planted_problems_are_found),
    TEST(enumeration_agrees),
    TEST(one_contact_is_that_of_the_exact_solver),
    TEST(contact_matrices_of_the_notes),
    TEST(singular_matrices),
    TEST(sweeps_that_diverge_are_taken_back),
    TEST(scenes),
    TEST(every_solver_gets_there),
    TEST(bodies_give_the_steps_of_the_dense_factor),
    TEST(the_end_is_superlinear),
    TEST(weak_axes_move),
};

TEST_MAIN(TESTS)
