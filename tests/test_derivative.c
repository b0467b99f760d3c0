/* test_derivative.c: derivatives of solutions
 *
 * Planted problems of every form on every kind of operator, without degenerate rows. jvp is held
 * against central differences of solves of the problem with changed data, one array at a time; vjp
 * against jvp by the inner product w^T dx = sum of bar(v) dv over all arrays. */
#include "derivative_samples.h"

/* ---- Against differences, and forwards against backwards ---- */

/* To rounding, by whichever method gets there. */
static void solve_to_rounding(const sample *s, double *x)
{
  static const char *const methods[] = {"ssn", "prox", "bgs", "auto"};
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-13;
  options.max_iterations = 20000;
  for (int k = 0; k < 4 && result.outcome != PERP_SOLVED; k++)
    perp_solve(methods[k], &s->p, &options, x, &result);
  CHECK_SAY(result.relative_residual <= 1e-12, "%s: %s", s->name, result.message.text);
}

static void change_array(sample *s, int array, double h)
{
  for (int64_t i = 0; i < s->array[array].count; i++)
    s->array[array].value[i] += h * s->array[array].change[i];
}

/* x of the data changed by h times the direction, from a start near it. */
static void solve_changed(sample *s, int array, double h, double *x)
{
  memcpy(x, s->x, sizeof s->x);
  change_array(s, array, h);
  sample_refresh(s);
  solve_to_rounding(s, x);
  change_array(s, array, -h);
  sample_refresh(s);
}

/* Returns the greatest difference, relative to the greatest dx_i or 1. */
static double compare_with_differences(sample *s, int array, const double *dx)
{
  const double h = 1e-5;
  double after[SAMPLE_ROWS], before[SAMPLE_ROWS], worst = 0, size = 1;
  solve_changed(s, array, h, after);
  solve_changed(s, array, -h, before);
  for (int i = 0; i < s->p.K.n; i++) {
    const double difference = (after[i] - before[i]) / (2 * h);
    worst = fmax(worst, fabs(difference - dx[i]));
    size = fmax(size, fabs(dx[i]));
  }
  return worst / size;
}

/* Sets the field of the struct that belongs to the array: both structs have the same layout. */
static void set_field(void *all, const sample_array *a, const double *to)
{
  memcpy((char *)all + a->field, &to, sizeof to);
}

static double worst_difference, worst_product;

static void check_sample(sample *s, const perp_derivative_options *options)
{
  perp_derivative *d = NULL;
  perp_message why = {""};
  const int n = s->p.K.n;
  double w[SAMPLE_ROWS], dx[SAMPLE_ROWS], sum = 0, forwards = 0, size = 0;
  CHECK_SAY(perp_derivative_create(&s->p, s->x, options, &d, &why) == PERP_OK, "%s: %s", s->name,
            why.text);
  const perp_derivative_facts facts = perp_derivative_get(d);
  CHECK_SAY(facts.degenerate == 0, "%s: %d degenerate rows", s->name, (int)facts.degenerate);
  CHECK(facts.deficiency == 0 || facts.way == PERP_DERIVATIVE_KRYLOV);
  for (int i = 0; i < n; i++)
    w[i] = s->w[i];
  perp_gradient g = perp_gradient_default();
  perp_change all = perp_change_default();
  for (int k = 0; k < s->arrays; k++) {
    perp_change c = perp_change_default();
    set_field(&c, &s->array[k], s->array[k].change);
    set_field(&all, &s->array[k], s->array[k].change);
    set_field(&g, &s->array[k], s->array[k].bar);
    CHECK_SAY(perp_derivative_jvp(d, &c, dx, &why) == PERP_OK, "%s: %s", s->name, why.text);
    memcpy(s->array[k].dx, dx, sizeof dx);
  }
  CHECK(perp_derivative_jvp(d, &all, dx, &why) == PERP_OK);
  CHECK_SAY(perp_derivative_vjp(d, w, &g, &why) == PERP_OK, "%s: %s", s->name, why.text);
  perp_derivative_destroy(d);
  for (int i = 0; i < n; i++) {
    forwards += w[i] * dx[i];
    size += fabs(w[i] * dx[i]);
  }
  for (int k = 0; k < s->arrays; k++)
    for (int64_t i = 0; i < s->array[k].count; i++) {
      sum += s->array[k].bar[i] * s->array[k].change[i];
      size += fabs(s->array[k].bar[i] * s->array[k].change[i]);
    }
  worst_product = fmax(worst_product, fabs(sum - forwards) / size);
  CHECK_SAY(fabs(sum - forwards) <= 1e-12 * size, "%s: %.17g backwards, %.17g forwards", s->name,
            sum, forwards);
  for (int k = 0; k < s->arrays; k++) {
    const double error = compare_with_differences(s, k, s->array[k].dx);
    worst_difference = fmax(worst_difference, error);
    CHECK_SAY(error <= 1e-6, "%s, %s: off by %g", s->name, s->array[k].name, error);
  }
}

static void check_kind(sample_kind kind)
{
  const int step = test_share("samples of each form", 10);
  worst_difference = worst_product = 0;
  for (int form = 0; form < SAMPLE_FORMS; form++)
    for (int seed = 0; seed < 200; seed += step) {
      sample *s = sample_make(kind, (sample_form)form, 1000 + (uint64_t)seed);
      perp_derivative_options options = perp_derivative_options_default();
      options.way = (perp_derivative_way)(seed % 4);
      check_sample(s, &options);
      sample_free(s);
    }
  printf("  differences to %.1e, inner products to %.1e\n", worst_difference, worst_product);
}

static void dense(void)
{
  check_kind(SAMPLE_DENSE);
}

static void compressed_rows(void)
{
  check_kind(SAMPLE_CSR);
}

static void blocks(void)
{
  check_kind(SAMPLE_BSR);
}

static void contacts(void)
{
  check_kind(SAMPLE_CONTACT);
}

static void grids_with_face_weights(void)
{
  check_kind(SAMPLE_STENCIL);
}

static void grids_of_one_weight(void)
{
  check_kind(SAMPLE_UNIFORM);
}

static void shells(void)
{
  check_kind(SAMPLE_SHELL);
}

/* ---- Scenes: an arch of stones and a house of cards, with a little compliance ---- */

static void solve_scene(const char *name, const perp_problem *p, double *x)
{
  static const char *const methods[] = {"dantzig", "ssn", "auto"};
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-13;
  for (int k = 0; k < 3 && !(result.relative_residual <= 1e-12); k++)
    perp_solve(methods[k], p, &options, x, &result);
  CHECK_SAY(result.relative_residual <= 1e-12, "%s: %s", name, result.message.text);
}

static void scenes_move_as_differences_say(void)
{
  static const char *const scenes[] = {
      "arch:form=findex,cfm=1e-2",
      "arch:form=cone,cfm=1e-2",
      "cards:form=findex,cfm=1e-2",
      "cards:form=cone,cfm=1e-2,operator=contact",
  };
  for (int k = 0; k < 4; k++) {
    perp_instance instance;
    perp_message why = {""};
    CHECK_SAY(perp_generate(scenes[k], &instance, &why) == PERP_OK, "%s", why.text);
    const perp_problem p = perp_instance_problem(&instance);
    const int n = p.K.n;
    const double h = 1e-6, scale = perp_problem_scale(&p);
    double *room = calloc(5 * (size_t)n, sizeof *room);
    double *x = room, *db = x + n, *dx = db + n, *up = dx + n, *down = up + n;
    perp_random random = perp_random_from(1);
    for (int i = 0; i < n; i++)
      db[i] = perp_random_between(&random, -scale, scale);
    solve_scene(scenes[k], &p, x);
    perp_derivative *d = NULL;
    CHECK_SAY(perp_derivative_create(&p, x, NULL, &d, &why) == PERP_OK, "%s", why.text);
    const perp_derivative_facts facts = perp_derivative_get(d);
    CHECK(facts.degenerate == 0 && facts.deficiency == 0);
    CHECK(k % 2 == 0 ? facts.bound > 0 : facts.stick > 0 && facts.slide > 0 && facts.separate > 0);
    perp_change c = perp_change_default();
    c.b = db;
    CHECK(perp_derivative_jvp(d, &c, dx, NULL) == PERP_OK);
    for (int i = 0; i < n; i++) {
      up[i] = down[i] = x[i];
      instance.b[i] += h * db[i];
    }
    solve_scene(scenes[k], &p, up);
    for (int i = 0; i < n; i++)
      instance.b[i] -= 2 * h * db[i];
    solve_scene(scenes[k], &p, down);
    double worst = 0, size = 0;
    for (int i = 0; i < n; i++) {
      worst = fmax(worst, fabs((up[i] - down[i]) / (2 * h) - dx[i]));
      size = fmax(size, fabs(dx[i]));
    }
    CHECK_SAY(worst <= 1e-6 * size, "%s: off by %g of %g", scenes[k], worst, size);
    perp_derivative_destroy(d);
    perp_instance_destroy(&instance);
    free(room);
  }
}

/* ---- A mass matrix that is not block diagonal ---- */

/* y = (J M^-1 J^T + C) x + b is x perp y with the first half of the rows free of their bound. The
 * gradient of w^T x with respect to every number of J, and of M by the formula that the refusal of Minv
 * gives, against central differences. */
static void mass_matrices(void)
{
  enum { N = 6, V = 5, J_COUNT = N * V, M_COUNT = 3 * V - 2 };
  const double h = 1e-5;
  perp_random random = perp_random_from(5);
  int64_t J_start[N + 1], M_start[V + 1] = {0};
  int J_column[J_COUNT], M_column[M_COUNT];
  double J[J_COUNT], M[M_COUNT], C[N], b[N], w[N], planted[N], x[N], Ax[N], gJ[J_COUNT], gb[N];
  for (int i = 0; i <= N; i++)
    J_start[i] = i * V;
  for (int k = 0; k < J_COUNT; k++) {
    J_column[k] = k % V;
    J[k] = perp_random_between(&random, -1, 1);
  }
  for (int i = 0, k = 0; i < V; i++, M_start[i] = k)
    for (int j = i > 0 ? i - 1 : 0; j < V && j <= i + 1; j++, k++) {
      M_column[k] = j;
      M[k] = i == j ? 3 + i : -1;
    }
  for (int i = 0; i < N; i++) {
    C[i] = 0.5;
    w[i] = perp_random_between(&random, -1, 1);
    planted[i] = x[i] = i < N / 2 ? perp_random_between(&random, 0.5, 1) : 0;
  }
  perp_contact_data data = perp_contact_data_default();
  data.rows = N, data.velocities = V, data.J_start = J_start, data.J_column = J_column;
  data.J_value = J, data.M_start = M_start, data.M_column = M_column, data.M_value = M;
  data.C_diagonal = C;
  perp_operator *A = NULL;
  perp_message why = {""};
  CHECK_SAY(perp_operator_contact(&data, PERP_BORROW, &A, &why) == PERP_OK, "%s", why.text);
  double *scratch = calloc(perp_operator_scratch(A) + 1, sizeof *scratch);
  CHECK(perp_operator_apply(A, x, Ax, scratch, &why) == PERP_OK);
  free(scratch);
  for (int i = 0; i < N; i++)
    b[i] = (i < N / 2 ? 0 : perp_random_between(&random, 0.5, 1)) - Ax[i];
  const perp_problem p = perp_problem_lcp(A, b);
  perp_derivative *d = NULL;
  CHECK_SAY(perp_derivative_create(&p, x, NULL, &d, &why) == PERP_OK, "%s", why.text);
  perp_gradient g = perp_gradient_default();
  g.J = gJ, g.b = gb;
  CHECK_SAY(perp_derivative_vjp(d, w, &g, &why) == PERP_OK, "%s", why.text);
  g.Minv = gJ;
  CHECK(perp_derivative_vjp(d, w, &g, &why) == PERP_ERROR_ARGUMENT);
  CHECK_SAY(strstr(why.text, "Minv: this contact operator has M"), "%s", why.text);
  double Mu[V] = {0}, Mv[V] = {0};
  CHECK(perp_contact_velocities(A, NULL, planted, Mu, NULL) == PERP_OK); /* M^-1 J^T x */
  CHECK(perp_contact_velocities(A, NULL, gb, Mv, NULL) == PERP_OK);
  perp_options options = perp_options_default();
  options.tol = 1e-14;
  for (int k = 0; k < J_COUNT + M_COUNT; k++) {
    double *at = k < J_COUNT ? J + k : M + k - J_COUNT, *mirror = NULL, sum = 0, expected = 0;
    if (k < J_COUNT) {
      expected = gJ[k];
    } else { /* M stays symmetric: both entries change */
      int i = 0;
      while (M_start[i + 1] <= k - J_COUNT)
        i++;
      const int j = M_column[k - J_COUNT];
      expected = -Mv[i] * Mu[j];
      for (int64_t e = M_start[j]; e < M_start[j + 1] && i != j; e++)
        if (M_column[e] == i)
          mirror = M + e;
      expected -= mirror ? Mv[j] * Mu[i] : 0;
    }
    for (int side = 1; side >= -1; side -= 2) {
      const double before = *at;
      *at += side * h;
      if (mirror)
        *mirror += side * h;
      CHECK(perp_operator_refresh(A, &why) == PERP_OK);
      memcpy(x, planted, sizeof x);
      perp_result result = perp_result_empty();
      CHECK(perp_solve("ssn", &p, &options, x, &result) == PERP_OK);
      CHECK(result.relative_residual <= 1e-12);
      for (int i = 0; i < N; i++)
        sum += side * w[i] * x[i] / (2 * h);
      *at = before;
      if (mirror)
        *mirror = before;
    }
    CHECK_SAY(fabs(sum - expected) <= 1e-8, "%s, number %d: %.12g, differences %.12g",
              k < J_COUNT ? "J" : "M", k < J_COUNT ? k : k - J_COUNT, expected, sum);
  }
  perp_derivative_destroy(d);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(dense),    TEST(compressed_rows),         TEST(blocks),
    TEST(contacts), TEST(grids_with_face_weights), TEST(grids_of_one_weight),
    TEST(shells),   TEST(mass_matrices),           TEST(scenes_move_as_differences_say),
};

TEST_MAIN(tests)
