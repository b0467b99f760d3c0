/* test_qp_solver.c: quadratic programs in sequences, of several forms, larger, and with bad input */
#include "base/memory.h"
#include "linalg/vector.h"
#include "qp_samples.h"

/* ---- Rows that are taken out ---- */

/* Adds rows to p: a separate row fixes x_1, x_0 + 2 x_2 at least its greatest or at most its
 * least value, a row that bounds the rest of a sum, and one that never matters. Such programs have
 * no interior points, and multipliers that may be as large as one likes. */
static void add_rows(small_qp *p, uint64_t seed)
{
  const int n = p->n;
  perp_random random = perp_random_from(seed);
  const double x1 = p->L[1] + perp_random_uniform(&random) * (p->U[1] - p->L[1]);
  const bool least = perp_random_uniform(&random) < 0.5;
  double *row = p->G + p->m * n, *L = p->L + n + p->m, *U = p->U + n + p->m;
  memset(row, 0, 4 * (size_t)n * sizeof *row);
  row[1] = -3;
  L[0] = U[0] = -3 * x1;
  row[n] = 1;
  row[n + 2] = 2;
  L[1] = least ? -INFINITY : p->U[0] + 2 * p->U[2];
  U[1] = least ? p->L[0] + 2 * p->L[2] : INFINITY;
  row[2 * n + 1] = row[2 * n + 2] = 1; /* x_1 and x_2 are fixed by now */
  row[2 * n + 3] = perp_random_between(&random, 0.5, 2);
  L[2] = -INFINITY;
  U[2] = x1 + (least ? p->L[2] : p->U[2]) + row[2 * n + 3] * 0.5 * (p->L[3] + p->U[3]);
  for (int j = 0; j < n; j++) {
    row[3 * n + j] = perp_random_between(&random, -1, 1);
    U[3] += 2 * fmax(fabs(p->L[j]), fabs(p->U[j]));
  }
  L[3] = -INFINITY;
  p->m += 4;
}

static void rows_are_taken_out_and_put_back(void)
{
  int solved = 0, near = 0;
  for (int k = 0; k < 300; k++) {
    const sample_kind kind = {.whole = k % 2, .rank = k % 3 - 1, .boxed = true};
    small_qp p = make_sample(&kind, 4, k % 2, (uint64_t)(21000 + k));
    add_rows(&p, (uint64_t)(22000 + k));
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    double x[QP_MOST], z[QP_MOST], w[QP_MOST];
    long double right[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.z = z, options.w = w, options.ray = (double[2 * QP_MOST]){0};
    CHECK(perp_qp_solve("ipm", &qp, &options, x, &result) == PERP_OK);
    const bool solvable = oracle_qp(&p, right);
    CHECK_SAY(result.outcome == (solvable ? PERP_SOLVED : PERP_INFEASIBLE), "%d: %s", k,
              perp_outcome_name(result.outcome));
    if (solvable) {
      double data = 1;
      for (int i = 0; i < p.n; i++)
        data = fmax(data, fabs(p.q[i]));
      solved++;
      near += result.dual_scale < 100 * data; /* the multipliers are not far out */
      CHECK(verdict(&p, x, z, w) <= 1.0001e-8);
      const double f = (double)oracle_objective(&p, right);
      CHECK_CLOSE(result.objective, f, 1e-7 * (1 + fabs(f)));
    } else if (result.ray) {
      bool holds;
      CHECK(perp_qp_certificate_judge(&qp, PERP_INFEASIBLE, result.ray, &holds, NULL) == PERP_OK);
      CHECK(holds);
    }
    perp_operator_destroy(P);
  }
  CHECK_SAY(solved > 150 && near == solved, "%d of %d", near, solved);
}

/* Adds multiples of a row, some with other bounds: in some of the programs no point satisfies all. */
static void add_multiples(small_qp *p, uint64_t seed)
{
  static const double factors[] = {-3, 0.1, 1, 7};
  const int n = p->n;
  perp_random random = perp_random_from(seed);
  for (int copy = 0; copy < 4; copy++, p->m++) {
    const double c = factors[copy], move = perp_random_uniform(&random) < 0.5 ? 0 : 1;
    const double L = c * p->L[n] + move * perp_random_between(&random, -1, 1);
    const double U = c * p->U[n] + move * perp_random_between(&random, -1, 1);
    for (int j = 0; j < n; j++)
      p->G[p->m * n + j] = c * p->G[j];
    p->L[n + p->m] = fmin(L, U);
    p->U[n + p->m] = p->L[n] == p->U[n] && move == 0 ? fmin(L, U) : fmax(L, U);
  }
}

static void rows_may_repeat_others(void)
{
  int solved = 0, held = 0;
  for (int k = 0; k < 300; k++) {
    const sample_kind kind = {.rank = k % 3 - 1, .boxed = true, .equal = 0.3};
    small_qp p = make_sample(&kind, 4, 1 + k % 2, (uint64_t)(23000 + k));
    add_multiples(&p, (uint64_t)(24000 + k));
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    double x[QP_MOST], z[QP_MOST], w[QP_MOST];
    long double right[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.z = z, options.w = w, options.ray = (double[2 * QP_MOST]){0};
    CHECK(perp_qp_solve("ipm", &qp, &options, x, &result) == PERP_OK);
    const bool solvable = oracle_qp(&p, right);
    CHECK_SAY(result.outcome == (solvable ? PERP_SOLVED : PERP_INFEASIBLE), "%d: %s", k,
              perp_outcome_name(result.outcome));
    if (solvable) {
      solved++;
      CHECK(verdict(&p, x, z, w) <= 1.0001e-8);
      const double f = (double)oracle_objective(&p, right);
      CHECK_CLOSE(result.objective, f, 1e-7 * (1 + fabs(f)));
      for (int i = 1; i < p.m; i++)
        held += z[i] != 0; /* multipliers went to rows that were taken out */
    }
    perp_operator_destroy(P);
  }
  CHECK_SAY(solved > 100 && solved < 300 && held > 30, "%d solved, %d multipliers", solved, held);
}

/* minimise |x - s|^2 / 2 with sum x = 42 and G x <= 1: rounding of a plain sum over 3,000 large x is
 * more than the tolerance. */
static void long_rows_keep_their_digits(void)
{
  enum { N = 3000 };
  int64_t start[N + 2] = {0};
  static int column[4 * N];
  static double value[4 * N], s[N], l[N + 1], u[N + 1], x[N];
  int64_t at = 0;
  for (int i = 0; i < N; i++) {
    s[i] = -i;
    for (int j = i > 0 ? i - 1 : 0; j < N && j <= i + 1; j++)
      if (j < i ? j % 5 == 0 : j > i ? i % 3 == 0 : i % 2 == 0) {
        column[at] = j;
        value[at++] = 1;
      }
    start[i + 1] = at;
    l[i] = -INFINITY;
    u[i] = 1;
  }
  for (int j = 0; j < N; j++) {
    column[at] = j;
    value[at++] = 1;
  }
  start[N + 1] = at;
  l[N] = u[N] = 42;
  perp_operator *P;
  int64_t diagonal[N + 1];
  static int columns[N];
  static double ones[N];
  for (int i = 0; i < N; i++) {
    diagonal[i + 1] = i + 1;
    columns[i] = i;
    ones[i] = 1;
  }
  diagonal[0] = 0;
  CHECK(perp_operator_csr(N, diagonal, columns, ones, PERP_BORROW, &P, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = N, qp.m = N + 1, qp.P = P, qp.q = s, qp.l = l, qp.u = u;
  qp.G_start = start, qp.G_column = column, qp.G_value = value;
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.tol = 1e-11;
  CHECK(perp_qp_solve("ipm", &qp, &options, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", perp_outcome_name(result.outcome),
            result.message.text);
  CHECK_CLOSE(perp_dot_exact(N, ones, x, 0), 42, 42e-11);
  perp_operator_destroy(P);
}

/* ---- Sequences ---- */

/* One solver through many q, l, u, lb, ub: as accurate as a fresh one, and as the oracle. */
/* ---- Long multipliers ---- */

/* A linear program in integers with the solution x: every other row is given twice, with opposite
 * signs, so that no point is strictly inside; entries are up to 10^6; many x and prices are 0. */
typedef struct degenerate_program {
  int n, m;
  double *G, *u, *q, *lb, *x; /* G x <= u, x >= lb = 0 */
} degenerate_program;

static degenerate_program make_degenerate(uint64_t seed, perp_arena *arena)
{
  perp_random random = perp_random_from(seed);
  const int n = 20 + (int)perp_random_between(&random, 0, 60);
  const int rows = 5 + (int)perp_random_between(&random, 0, 20);
  degenerate_program p = {.n = n};
  const size_t most = 2 * (size_t)rows;
  CHECK(PERP_TAKE_ZERO(arena, PERP_ARRAY(p.G, most * (size_t)n), PERP_ARRAY(p.u, most),
                       PERP_ARRAY(p.q, n), PERP_ARRAY(p.lb, n), PERP_ARRAY(p.x, n)));
  for (int j = 0; j < n; j++) {
    p.x[j] = perp_random_uniform(&random) < 0.8 ? 0 : ceil(perp_random_between(&random, 0, 3));
    if (p.x[j] == 0 && perp_random_uniform(&random) < 0.3)
      p.q[j] = floor(perp_random_between(&random, 0, 3));
  }
  for (int k = 0; k < rows; k++)
    for (int copy = 0; copy <= k % 2; copy++, p.m++) {
      double *row = p.G + p.m * n;
      const double factor = copy ? -ceil(perp_random_between(&random, 0, 5)) : 1;
      for (int j = 0; j < n; j++) {
        const double size = pow(10, perp_random_between(&random, 0, 5));
        if (copy)
          row[j] = factor * row[j - n];
        else if (perp_random_uniform(&random) < 0.4)
          row[j] = floor(perp_random_between(&random, -10, 10) * size);
        p.u[p.m] += row[j] * p.x[j];
      }
      const bool priced = perp_random_uniform(&random) < 0.4;
      const double z = priced ? floor(perp_random_between(&random, 0, 4)) : 0;
      for (int j = 0; j < n; j++)
        p.q[j] -= z * row[j];
    }
  return p;
}

/* 4 are left; without the program that shortens multipliers, 27, and with only the larger rho, 7. */
static void multipliers_do_not_grow_without_end(void)
{
  enum { COUNT = 240 };
  int left = 0;
  for (int k = 0; k < COUNT; k++) {
    perp_arena arena = {0};
    const degenerate_program p = make_degenerate((uint64_t)(31000 + k), &arena);
    perp_qp qp = perp_qp_default();
    double f = 0, x[80];
    perp_qp_result result = perp_qp_result_empty();
    qp.n = p.n, qp.m = p.m, qp.q = p.q, qp.G_value = p.G, qp.u = p.u, qp.lb = p.lb;
    for (int j = 0; j < p.n; j++)
      f += p.q[j] * p.x[j];
    CHECK(perp_qp_solve("ipm", &qp, NULL, x, &result) == PERP_OK);
    left += result.outcome != PERP_SOLVED;
    CHECK_SAY(result.outcome != PERP_SOLVED || fabs(result.objective - f) <= 1e-8 * (1 + fabs(f)),
              "%d: %.17g, not %.17g", k, result.objective, f);
    perp_arena_free(&arena);
  }
  CHECK_SAY(left <= 6, "%d of %d are not solved", left, COUNT);
}

/* Entries of 1e2 to 1e15 in two rows: some product of slack and multiplier falls far below mu, and
 * every further step ends near 0. 231 are solved; if the products are not brought back to mu, 92. */
static void steps_that_end_near_0_are_no_end(void)
{
  enum { COUNT = 300 };
  const double u[2] = {0, 0}, lb[4] = {0}, ub[4] = {8724, INFINITY, INFINITY, INFINITY};
  int solved = 0;
  for (int k = 0; k < COUNT; k++) {
    double G[8] = {-377, 81, 1.8e15, -177, 1e10, -33296, 0, 4e7}, x[4];
    perp_random random = perp_random_from((uint64_t)k);
    perp_qp qp = perp_qp_default();
    perp_qp_result result = perp_qp_result_empty();
    for (int e = 0; e < 8; e++)
      G[e] = floor(G[e] * perp_random_between(&random, 0.5, 2) + 0.5);
    qp.n = 4, qp.m = 2, qp.G_value = G, qp.u = u, qp.lb = lb, qp.ub = ub;
    CHECK(perp_qp_solve("ipm", &qp, NULL, x, &result) == PERP_OK);
    solved += result.outcome == PERP_SOLVED;
  }
  CHECK_SAY(solved > 180, "%d of %d are solved", solved, COUNT);
}

static void warm_equals_cold(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .equal = 0.2};
  int warm = 0, steps = 0;
  for (int k = 0; k < 40; k++) {
    const int n = 2 + k % 3, m = 1 + k % 3;
    small_qp p = make_sample(&kind, n, m, (uint64_t)(11000 + k));
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    perp_qp_solver *solver;
    CHECK(perp_qp_solver_create(NULL, &qp, &solver, NULL) == PERP_OK);
    for (int step = 0; step < 12; step++) {
      /* other numbers for the same P and G: mostly small changes, sometimes large ones */
      const small_qp other = make_sample(&kind, n, m, (uint64_t)(12000 + 12 * k + step / 4));
      perp_random random = perp_random_from((uint64_t)(13000 + 12 * k + step));
      double x0[QP_MOST];
      for (int i = 0; i < n; i++) {
        p.q[i] = other.q[i] + 0.05 * perp_random_between(&random, -1, 1);
        p.L[i] = other.L[i];
        p.U[i] = other.U[i];
        x0[i] = isinf(p.L[i]) ? (isinf(p.U[i]) ? 0 : p.U[i]) : p.L[i];
      }
      for (int r = 0; r < m; r++) {
        double t = 0;
        for (int j = 0; j < n; j++)
          t += p.G[r * n + j] * x0[j];
        p.L[n + r] = t - 0.5;
        p.U[n + r] = t + (r == 0 ? -0.5 : 0.3 * perp_random_uniform(&random));
      }
      double x[QP_MOST];
      long double right[QP_MOST];
      perp_qp_result result = perp_qp_result_empty();
      perp_message why = {""};
      CHECK_SAY(perp_qp_solver_set(solver, p.q, p.L + n, p.U + n, p.L, p.U, &why) == PERP_OK, "%s",
                why.text);
      CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
      const bool solvable = oracle_qp(&p, right);
      CHECK_SAY(result.outcome == (solvable ? PERP_SOLVED : PERP_INFEASIBLE), "%d %d: %s", k, step,
                perp_outcome_name(result.outcome));
      warm += !strcmp(result.method, "active");
      if (!solvable)
        continue;
      steps++;
      CHECK(verdict(&p, x, result.z, result.w) <= 1.0001e-8);
      for (int i = 0; i < n; i++)
        CHECK_CLOSE(x[i], (double)right[i], 1e-5 * (1 + fabs((double)right[i])));
    }
    perp_qp_solver_destroy(solver);
    perp_operator_destroy(P);
  }
  CHECK_SAY(steps > 200 && warm > steps / 2, "%d of %d", warm, steps);
}

static void a_start_from_the_solution_takes_one_round(void)
{
  perp_qp_instance instance;
  CHECK(perp_qp_generate("mpc:horizon=10,seed=41", &instance, NULL) == PERP_OK);
  const perp_qp qp = perp_qp_instance_program(&instance);
  double *x = calloc((size_t)qp.n, sizeof *x), *z = calloc((size_t)qp.m, sizeof *z),
         *w = calloc((size_t)qp.n, sizeof *w);
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.z = z, options.w = w;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  perp_qp_solver *solver;
  CHECK(perp_qp_solver_create(NULL, &qp, &solver, NULL) == PERP_OK);
  CHECK(perp_qp_solver_start(solver, x, z, w, NULL) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  CHECK_EQUAL_TEXT(result.method, "active");
  CHECK_EQUAL_INT(result.counts.iterations, 1);
  /* the solver owns the multipliers of the result, and a start reads them */
  perp_qp_options cold = perp_qp_options_default();
  cold.cold = 1;
  CHECK(perp_qp_solver_solve(solver, &cold, x, &result) == PERP_OK);
  CHECK(perp_qp_solver_start(solver, x, result.z, result.w, NULL) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(result.method, "active");
  CHECK_EQUAL_INT(result.counts.iterations, 1);
  x[3] = NAN;
  perp_message why = {""};
  CHECK(perp_qp_solver_start(solver, x, z, w, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "x[3]"));
  perp_qp_solver_destroy(solver);
  perp_qp_instance_destroy(&instance);
  free(x);
  free(z);
  free(w);
}

/* ---- Larger programs ---- */

/* Every generated kind, judged by the library's own check of the caller's numbers; the tests above
 * have an independent one. */
static void generated_programs_are_solved(void)
{
  static const char *const texts[] = {"mpc:horizon=5",
                                      "mpc:states=3,inputs=2",
                                      "lasso:features=20,samples=40",
                                      "lasso:density=0.1",
                                      "svm:features=8,samples=60",
                                      "portfolio:assets=60,factors=6",
                                      "portfolio:gamma=0.01",
                                      "discs:columns=6,rows=4",
                                      "random",
                                      "random:degenerate=1",
                                      "random:rank=0",
                                      "random:n=80,m=20,rank=80",
                                      "random:equal=0.6,m=30",
                                      "random:n=20,m=120",
                                      "random:n=1,m=0,rank=1,density=1"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
    for (int seed = 1; seed <= 6; seed++) {
      char text[128];
      perp_qp_instance instance;
      perp_message why = {""};
      snprintf(text, sizeof text, "%s%cseed=%d", texts[t], strchr(texts[t], ':') ? ',' : ':', seed);
      CHECK_SAY(perp_qp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
      const perp_qp qp = perp_qp_instance_program(&instance);
      double *x = calloc((size_t)qp.n + 1, sizeof *x), *z = calloc((size_t)qp.m + 1, sizeof *z),
             *w = calloc((size_t)qp.n + 1, sizeof *w);
      perp_qp_options options = perp_qp_options_default();
      perp_qp_result result = perp_qp_result_empty();
      options.z = z, options.w = w;
      CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s %g %g %g %g", text,
                perp_outcome_name(result.outcome), result.primal, result.dual, result.gap,
                result.complementarity);
      perp_qp_result judged = perp_qp_result_empty();
      CHECK(perp_qp_judge(&qp, x, z, w, 1e-8, &judged) == PERP_OK);
      CHECK(judged.outcome == PERP_SOLVED);
      CHECK(judged.gap == result.gap && judged.objective == result.objective);
      x[0] += 1;
      CHECK(perp_qp_judge(&qp, x, z, w, 1e-8, &judged) == PERP_OK);
      CHECK_SAY(judged.outcome != PERP_SOLVED, "%s: x_0 + 1 is no solution", text);
      perp_qp_instance_destroy(&instance);
      free(x);
      free(z);
      free(w);
    }
}

static void defects_are_found(void)
{
  for (int k = 0; k < 24; k++) {
    char text[128];
    perp_qp_instance instance;
    snprintf(text, sizeof text, "random:n=%d,m=%d,rank=%d,defect=%s,seed=%d", 8 + 4 * (k % 5), 10,
             6, k % 2 ? "infeasible" : "unbounded", 50 + k);
    CHECK(perp_qp_generate(text, &instance, NULL) == PERP_OK);
    const perp_qp qp = perp_qp_instance_program(&instance);
    double x[64], ray[64];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.ray = ray;
    CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
    const perp_outcome expected = k % 2 ? PERP_INFEASIBLE : PERP_UNBOUNDED;
    CHECK_SAY(result.outcome == expected, "%s: %s", text, perp_outcome_name(result.outcome));
    if (result.ray) {
      bool holds;
      CHECK(perp_qp_certificate_judge(&qp, expected, ray, &holds, NULL) == PERP_OK && holds);
    }
    perp_qp_instance_destroy(&instance);
  }
}

/* ---- Forms of a program ---- */

static int apply_tridiagonal(void *context, const double *x, double *y)
{
  const int n = *(const int *)context;
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
  return 0;
}

/* P only by its product: admm, and the same objective as with its entries. */
static void p_may_be_applied_only(void)
{
  enum { N = 30 };
  int n = N;
  double a[N * N] = {0}, q[N], lb[N], x[N], y[N], G[N], one[1] = {4};
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 2;
    if (i + 1 < N)
      a[i * N + i + 1] = a[(i + 1) * N + i] = -1;
    q[i] = sin(i);
    lb[i] = -0.3;
    G[i] = 1;
  }
  perp_shell shell = perp_shell_default();
  shell.context = &n;
  shell.apply = apply_tridiagonal;
  perp_operator *entries, *product;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &entries, NULL) == PERP_OK);
  CHECK(perp_operator_shell(N, &shell, &product, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  perp_qp_result with = perp_qp_result_empty(), without = perp_qp_result_empty();
  qp.n = N, qp.m = 1, qp.q = q, qp.lb = lb, qp.G_value = G, qp.l = qp.u = one, qp.P = entries;
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &with) == PERP_OK && with.outcome == PERP_SOLVED);
  qp.P = product;
  CHECK(perp_qp_solve(NULL, &qp, NULL, y, &without) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_outcome_name(without.outcome), "solved");
  CHECK_EQUAL_TEXT(without.method, "admm");
  CHECK_CLOSE(with.objective, without.objective, 1e-6 * fabs(with.objective));
  perp_qp_options options = perp_qp_options_default();
  CHECK(perp_qp_solve("ipm", &qp, &options, y, &without) == PERP_ERROR_UNSUPPORTED);
  CHECK(strstr(without.message.text, "only products"));
  perp_operator_destroy(entries);
  perp_operator_destroy(product);
}

/* A bound of 1e8 and a slope of 1e-6: the optimum is far from the start, and its multiplier small. */
static void a_far_bound_with_a_small_slope_is_reached(void)
{
  const double q = -1e-6, lb = 0, ub = 1e8, G = 1;
  for (int row = 0; row < 2; row++) {
    double x;
    perp_qp qp = perp_qp_default();
    perp_qp_result r = perp_qp_result_empty();
    qp.n = 1, qp.q = &q, qp.lb = &lb;
    if (row)
      qp.m = 1, qp.G_value = &G, qp.u = &ub;
    else
      qp.ub = &ub;
    CHECK(perp_qp_solve(NULL, &qp, NULL, &x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s", perp_outcome_name(r.outcome));
    CHECK_CLOSE(r.objective, -100, 1e-6);
  }
}

/* ---- Verdicts on NaN ---- */

static perp_outcome judge_one(double p, double q, double g, double x, double z)
{
  const double u = 0, w = 0;
  perp_operator *P;
  CHECK(perp_operator_dense(1, &p, 1, PERP_BORROW, &P, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  perp_qp_result result = perp_qp_result_empty();
  qp.n = 1, qp.m = 1, qp.P = P, qp.q = &q, qp.G_value = &g, qp.u = &u;
  CHECK(perp_qp_judge(&qp, &x, &z, &w, 1e-8, &result) == PERP_OK);
  perp_operator_destroy(P);
  return result.outcome;
}

static void overflow_is_no_solution(void)
{
  CHECK(judge_one(2, 2, 1, -1, 0) == PERP_SOLVED);
  CHECK(judge_one(1e200, 1, 1, -1e200, 0) == PERP_NOT_RUN);    /* P x */
  CHECK(judge_one(1, 1, 1e200, 1e200, 0) == PERP_NOT_RUN);     /* G x */
  CHECK(judge_one(1, 1, 1e200, 0, 1e200) == PERP_NOT_RUN);     /* G^T z */
  CHECK(judge_one(1, 1.5e308, 1, 0, 1.5e308) == PERP_NOT_RUN); /* their sum */
}

typedef struct {
  int calls, wrong; /* number of calls so far; the call whose result is NaN */
} failing_product;

static int apply_failing(void *context, const double *x, double *y)
{
  failing_product *f = context;
  y[0] = 2 * x[0];
  y[1] = ++f->calls == f->wrong ? NAN : 3 * x[1];
  return 0;
}

/* One product returns NaN, at each of its calls in turn: a result called solved is solved. */
static void a_product_may_be_no_number(void)
{
  const double q[2] = {-1, -3}, G[2] = {1, 1}, u[1] = {1};
  failing_product f = {0};
  perp_shell shell = perp_shell_default();
  shell.context = &f;
  shell.apply = apply_failing;
  perp_operator *P;
  CHECK(perp_operator_shell(2, &shell, &P, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = 2, qp.m = 1, qp.P = P, qp.q = q, qp.G_value = G, qp.u = u;
  double x[2];
  perp_qp_result result = perp_qp_result_empty();
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_SOLVED);
  const int all = f.calls;
  const double objective = result.objective;
  for (int k = 1; k <= all; k++) {
    f = (failing_product){.wrong = k};
    CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK);
    if (result.outcome == PERP_SOLVED)
      CHECK_CLOSE(result.objective, objective, 1e-6);
    else
      CHECK(result.outcome == PERP_STAGNATED || result.outcome == PERP_ITERATION_LIMIT);
  }
  perp_operator_destroy(P);
}

static void sparse_and_dense_rows_are_the_same(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .boxed = true, .equal = 0.2};
  for (int k = 0; k < 30; k++) {
    const small_qp p = make_sample(&kind, 4, 3, (uint64_t)(15000 + k));
    perp_operator *P, *csr;
    perp_qp qp = to_library(&p, &P);
    int64_t start[QP_MOST + 1] = {0};
    int column[QP_MOST * QP_MOST];
    double value[QP_MOST * QP_MOST], x[QP_MOST], y[QP_MOST];
    int64_t at = 0;
    for (int r = 0; r < p.m; r++) {
      for (int j = 0; j < p.n; j++)
        if (p.G[r * p.n + j] != 0) {
          column[at] = j;
          value[at++] = p.G[r * p.n + j];
        }
      start[r + 1] = at;
    }
    perp_qp_result result = perp_qp_result_empty();
    CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK);
    CHECK(perp_operator_to_csr(P, 0, &csr, NULL) == PERP_OK);
    qp.P = csr, qp.G_start = start, qp.G_column = column, qp.G_value = value;
    CHECK(perp_qp_solve(NULL, &qp, NULL, y, &result) == PERP_OK);
    CHECK(memcmp(x, y, (size_t)p.n * sizeof *x) == 0);
    perp_operator_destroy(P);
    perp_operator_destroy(csr);
  }
}

static void empty_programs(void)
{
  double x[3] = {7, 7, 7};
  perp_qp qp = perp_qp_default();
  perp_qp_result result = perp_qp_result_empty();
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_SOLVED);
  /* no P: a linear program over a box; no q either: any point */
  const double q[3] = {1, -1, 0}, lb[3] = {-1, -2, -3}, ub[3] = {1, 2, 3};
  qp.n = 3, qp.q = q, qp.lb = lb, qp.ub = ub;
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_SOLVED);
  CHECK(x[0] == -1 && x[1] == 2);
  qp.q = NULL;
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_SOLVED);
  /* all x fixed, and a row that this violates */
  const double fixed[3] = {1, 2, 3}, G[3] = {1, 1, 1}, l[1] = {7};
  qp.lb = qp.ub = fixed, qp.m = 1, qp.G_value = G, qp.l = l;
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_outcome_name(result.outcome), "infeasible");
  qp.l = NULL;
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_SOLVED);
  CHECK(x[0] == 1 && x[1] == 2 && x[2] == 3);
}

/* ---- Limits and bad input ---- */

static bool stop_now(void *context)
{
  ++*(int *)context;
  return true;
}

static void limits_end_a_solve(void)
{
  perp_qp_instance instance;
  CHECK(perp_qp_generate("random:n=60,m=60,rank=60", &instance, NULL) == PERP_OK);
  const perp_qp qp = perp_qp_instance_program(&instance);
  double x[64];
  int calls = 0;
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.max_iterations = 1;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_outcome_name(result.outcome), "iteration-limit");
  CHECK(result.dual < INFINITY);
  options = perp_qp_options_default();
  options.time_limit = 1e-9;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_outcome_name(result.outcome), "time-limit");
  options = perp_qp_options_default();
  options.interrupted = stop_now;
  options.interrupted_context = &calls;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_outcome_name(result.outcome), "stopped");
  CHECK(calls > 0);
  perp_qp_instance_destroy(&instance);
}

static void refuse(const perp_qp *qp, perp_error expected, const char *words)
{
  perp_message why = {""};
  double x[4] = {1, 2, 3, 4};
  perp_qp_result result = perp_qp_result_empty();
  CHECK_SAY(perp_qp_validate(qp, &why) == expected, "%s: %s", words, why.text);
  CHECK_SAY(strstr(why.text, words) != NULL, "\"%s\" in \"%s\"", words, why.text);
  CHECK(perp_qp_solve(NULL, qp, NULL, x, &result) == expected);
  CHECK_EQUAL_TEXT(result.message.text, why.text);
  CHECK(x[0] == 1 && x[1] == 2); /* nothing was lost */
}

static void bad_input_is_named(void)
{
  double P[4] = {2, 1, 1, 2}, q[2] = {1, 1}, G[4] = {1, 2, 3, 4}, l[2] = {0, 0}, u[2] = {1, 1};
  double lb[2] = {0, 0}, ub[2] = {1, 1};
  const int64_t start[3] = {0, 1, 2}, falling[3] = {0, 5, 2};
  int column[2] = {0, 1};
  perp_operator *A;
  CHECK(perp_operator_dense(2, P, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = 2, qp.m = 2, qp.P = A, qp.q = q, qp.G_value = G, qp.l = l, qp.u = u, qp.lb = lb,
  qp.ub = ub;
  const perp_qp good = qp;
  CHECK(perp_qp_validate(&qp, NULL) == PERP_OK);
  P[1] = 1.5;
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
  refuse(&qp, PERP_ERROR_PROBLEM, "P is not symmetric: P[0, 1] = 1.5, but P[1, 0] = 1");
  P[1] = 1;
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
  q[1] = NAN;
  refuse(&qp, PERP_ERROR_PROBLEM, "q[1] = nan is not finite");
  q[1] = 1;
  l[1] = 2;
  refuse(&qp, PERP_ERROR_PROBLEM, "l[1] = 2 is above u[1] = 1");
  l[1] = INFINITY;
  u[1] = INFINITY;
  refuse(&qp, PERP_ERROR_PROBLEM, "l[1] = inf");
  l[1] = 0, u[1] = NAN;
  refuse(&qp, PERP_ERROR_PROBLEM, "u[1] is NaN");
  u[1] = 1, ub[0] = -1;
  refuse(&qp, PERP_ERROR_PROBLEM, "lb[0] = 0 is above ub[0] = -1");
  ub[0] = 1, G[2] = INFINITY;
  refuse(&qp, PERP_ERROR_PROBLEM, "G[1, 0] = inf is not finite");
  G[2] = 3;
  qp.n = 3;
  refuse(&qp, PERP_ERROR_PROBLEM, "P has 2 rows, but n = 3");
  qp = good, qp.n = -1;
  refuse(&qp, PERP_ERROR_ARGUMENT, "n = -1");
  qp = good, qp.G_value = NULL;
  refuse(&qp, PERP_ERROR_ARGUMENT, "there is no G");
  qp = good, qp.G_stride = 1;
  refuse(&qp, PERP_ERROR_ARGUMENT, "G_stride = 1 is below n = 2");
  qp = good, qp.G_start = start, qp.G_column = column;
  CHECK(perp_qp_validate(&qp, NULL) == PERP_OK);
  qp.G_start = falling;
  refuse(&qp, PERP_ERROR_PROBLEM, "G: row 0 has 5 entries, but there are 2 columns");
  qp.G_start = start;
  column[1] = 2;
  refuse(&qp, PERP_ERROR_PROBLEM, "G: row 1 has column 2 outside 0 .. 1");
  qp = good, qp.size = 3;
  refuse(&qp, PERP_ERROR_ARGUMENT, "perp_qp_default()");
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  double x[2];
  CHECK(perp_qp_solve("simplex", &good, &options, x, &result) == PERP_ERROR_PARAMETER);
  CHECK(strstr(result.message.text, "\"simplex\""));
  CHECK(perp_qp_solve("kkt:nobody", &good, &options, x, &result) == PERP_ERROR_PARAMETER);
  options = perp_qp_options_default();
  static const double no_tolerance[] = {NAN, -1, INFINITY};
  for (int k = 0; k < 3; k++) {
    options.tol = no_tolerance[k];
    CHECK(perp_qp_solve(NULL, &good, &options, x, &result) == PERP_ERROR_ARGUMENT);
    CHECK(strstr(result.message.text, "tol"));
  }
  /* a solver keeps its data if the new numbers are wrong */
  perp_qp_solver *solver;
  perp_message why = {""};
  CHECK(perp_qp_solver_create(NULL, &good, &solver, &why) == PERP_OK);
  const double wrong[2] = {5, 5};
  CHECK(perp_qp_solver_set(solver, NULL, wrong, NULL, NULL, NULL, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "l[0] = 5 is above u[0] = 1"));
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  perp_qp_solver_destroy(solver);
  perp_operator_destroy(A);
}

static void repeats_have_the_same_bits(void)
{
  perp_qp_instance instance;
  CHECK(perp_qp_generate("svm:features=10,samples=80", &instance, NULL) == PERP_OK);
  const perp_qp qp = perp_qp_instance_program(&instance);
  double x[100], y[100];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.cold = 1;
  perp_qp_solver *solver;
  CHECK(perp_qp_solver_create(NULL, &qp, &solver, NULL) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, &options, x, &result) == PERP_OK);
  for (int k = 0; k < 3; k++) {
    CHECK(perp_qp_solver_solve(solver, &options, y, &result) == PERP_OK);
    CHECK(memcmp(x, y, (size_t)qp.n * sizeof *x) == 0);
  }
  perp_qp_solver_destroy(solver);
  perp_qp_instance_destroy(&instance);
}

static const test_case tests[] = {
    TEST(rows_are_taken_out_and_put_back),
    TEST(rows_may_repeat_others),
    TEST(long_rows_keep_their_digits),
    TEST(multipliers_do_not_grow_without_end),
    TEST(steps_that_end_near_0_are_no_end),
    TEST(warm_equals_cold),
    TEST(a_start_from_the_solution_takes_one_round),
    TEST(generated_programs_are_solved),
    TEST(defects_are_found),
    TEST(p_may_be_applied_only),
    TEST(a_far_bound_with_a_small_slope_is_reached),
    TEST(overflow_is_no_solution),
    TEST(a_product_may_be_no_number),
    TEST(sparse_and_dense_rows_are_the_same),
    TEST(empty_programs),
    TEST(limits_end_a_solve),
    TEST(bad_input_is_named),
    TEST(repeats_have_the_same_bits),
};

TEST_MAIN(tests)
