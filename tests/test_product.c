/* test_product.c: cones mixed with boxes and friction rows in any order, and planar contacts
 *
 * judge.h judges in quad with K written out separately. Moving the cones to the front by hand gives
 * the same bits. */
#include "base/random.h"
#include "judge.h"
#include "set/set.h"

enum { MOST = 30 };

typedef struct product {
  int n, cones;
  double lo[MOST], hi[MOST], mu[MOST], b[MOST], a[MOST * MOST];
  int findex[MOST], cone[MOST];
  perp_operator *A;
  perp_problem p;
} product;

/* Parts in random order: cones, rays, boxes, free rows, planar contacts. */
static void draw_parts(perp_random *random, int parts, product *s)
{
  for (int part = 0; part < parts; part++) {
    const int i = s->n, kind = perp_random_below(random, 5);
    for (int k = i; k < i + 3; k++) {
      s->lo[k] = 0;
      s->hi[k] = 1e300;
      s->findex[k] = -1;
    }
    if (kind == 0) {
      s->mu[s->cones] = perp_random_between(random, 0, 0.9);
      s->cone[s->cones++] = i;
      s->n += 3;
    } else if (kind == 1) {
      perp_set_planar(i, i + 1, perp_random_between(random, 0, 0.9), s->lo, s->hi, s->findex);
      s->n += 2;
    } else {
      if (kind == 2) {
        s->lo[i] = perp_random_between(random, -1, 0);
        s->hi[i] = perp_random_between(random, 0, 1);
      } else if (kind == 3) {
        s->lo[i] = -INFINITY;
      }
      s->n++;
    }
  }
}

/* A = G G^T + I: positive definite, moderately conditioned. */
static void draw_matrix(perp_random *random, product *s)
{
  double G[MOST * MOST];
  for (int k = 0; k < s->n * s->n; k++)
    G[k] = perp_random_between(random, -1, 1) / s->n;
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j;
      for (int k = 0; k < s->n; k++)
        sum += G[i * s->n + k] * G[j * s->n + k];
      s->a[i * s->n + j] = s->a[j * s->n + i] = sum;
    }
  for (int i = 0; i < s->n; i++)
    s->b[i] = perp_random_between(random, -1, 0.5);
}

static perp_problem problem_of(const product *s, const perp_operator *A)
{
  perp_set K = perp_set_default(s->n);
  K.lo = s->lo;
  K.hi = s->hi;
  K.findex = s->findex;
  K.mu = s->mu;
  K.cones = s->cones;
  K.cone = s->cone;
  return perp_problem_product(A, s->b, &K);
}

static void open_product(uint64_t seed, product *s)
{
  perp_random random = perp_random_from(seed);
  *s = (product){0};
  draw_parts(&random, 2 + perp_random_below(&random, 6), s);
  if (s->cones == 0) { /* one at the end */
    s->mu[s->cones] = 0.5;
    s->cone[s->cones++] = s->n;
    for (int k = s->n; k < s->n + 3; k++)
      s->findex[k] = -1;
    s->n += 3;
  }
  draw_matrix(&random, s);
  CHECK(perp_operator_dense(s->n, s->a, s->n, PERP_BORROW, &s->A, NULL) == PERP_OK);
  s->p = problem_of(s, s->A);
}

static void check_solved(const char *method, uint64_t seed, const perp_problem *p, const double *x,
                         const perp_result *r)
{
  judge j;
  CHECK(judge_open(&j, p));
  long double rounding;
  const long double residual = judge_residual(&j, x, &rounding);
  CHECK_SAY(r->outcome == PERP_SOLVED && residual <= 1.001e-8L * j.scale + rounding,
            "%s, seed %llu: %s, residual %Lg", method, (unsigned long long)seed, r->message.text,
            residual);
  for (int i = 0; i < p->K.n; i++) {
    long double size;
    const long double y = row_value(&j, i, x, &size);
    CHECK_SAY(fabsl(y - r->y[i]) <= 1e-14L * size, "%s: y[%d] = %g, not %Lg", method, i, r->y[i],
              y);
  }
  double residual_again, scale;
  CHECK(perp_problem_judge(p, x, &residual_again, &scale, NULL) == PERP_OK);
  CHECK_CLOSE(residual_again, r->residual, 1e-14 * scale);
  perp_operator_destroy(j.A);
}

/* Every method that takes cones, on 200 problems: x is in the caller's order. */
static void products_in_any_order_are_solved(void)
{
  int solved = 0, disordered = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    product s;
    open_product(seed, &s);
    for (int c = 0; c < s.cones; c++)
      disordered += s.cone[c] != 3 * c;
    for (int m = 0; m < perp_method_count(); m++) {
      const perp_method_info method = perp_method_at(m);
      if (!(method.takes & PERP_TAKES(PERP_FORM_CONE)) || (method.needs & PERP_CAN_VELOCITIES))
        continue;
      double x[MOST] = {0};
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      CHECK(perp_solver_create(method.name, &solver, NULL) == PERP_OK);
      CHECK_SAY(perp_solver_solve(solver, &s.p, NULL, x, &r) == PERP_OK, "%s: %s", method.name,
                r.message.text);
      check_solved(method.name, seed, &s.p, x, &r);
      perp_solver_destroy(solver);
      solved++;
    }
    perp_operator_destroy(s.A);
  }
  CHECK_SAY(solved >= 200 * 7 && disordered > 100, "%d solves, %d cones", solved, disordered);
}

static int callback_apply(void *context, const double *x, double *y)
{
  const product *s = context;
  for (int i = 0; i < s->n; i++) {
    y[i] = 0;
    for (int j = 0; j < s->n; j++)
      y[i] += s->a[i * s->n + j] * x[j];
  }
  return 0;
}

static int callback_fail(void *context, const double *x, double *y)
{
  (void)context, (void)x, (void)y;
  return 77;
}

typedef struct watch {
  const perp_problem *p;
  double seen[MOST];
} watch;

static bool remember(void *context, const perp_progress *progress)
{
  watch *w = context;
  if (progress->x)
    memcpy(w->seen, progress->x, (size_t)progress->n * sizeof *w->seen);
  return true;
}

/* Compressed rows, products only, and a contact operator with C = A: the same solution. The last x
 * that an observer sees is the result. */
static void kinds_of_operators_are_reordered(void)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    product s;
    open_product(seed, &s);
    perp_operator *A[4] = {s.A};
    const int64_t *start, nothing[MOST + 1] = {0};
    const int *column;
    const double *value;
    CHECK(perp_operator_to_csr(s.A, 0, &A[1], NULL) == PERP_OK);
    CHECK(perp_operator_csr_arrays(A[1], &start, &column, &value) == PERP_OK);
    perp_shell shell = perp_shell_default();
    shell.context = &s;
    shell.apply = callback_apply;
    shell.hints = PERP_HINT_SYMMETRIC | PERP_HINT_DEFINITE;
    CHECK(perp_operator_shell(s.n, &shell, &A[2], NULL) == PERP_OK);
    perp_contact_data contact = perp_contact_data_default();
    contact.rows = s.n;
    contact.J_start = nothing;
    contact.C_start = start;
    contact.C_column = column;
    contact.C_value = value;
    CHECK(perp_operator_contact(&contact, PERP_COPY, &A[3], NULL) == PERP_OK);
    for (int k = 0; k < 4; k++) {
      const perp_problem p = problem_of(&s, A[k]);
      watch w = {&p, {0}};
      perp_options o = perp_options_default();
      o.observer = remember;
      o.observer_context = &w;
      double x[MOST] = {0};
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      const char *method = k == 2 ? "spg" : "bgs";
      CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
      CHECK_SAY(perp_solver_solve(solver, &p, &o, x, &r) == PERP_OK, "%s", r.message.text);
      check_solved(perp_operator_kind(A[k]), seed, &p, x, &r);
      CHECK(memcmp(w.seen, x, (size_t)s.n * sizeof *x) == 0);
      perp_solver_destroy(solver);
    }
    shell.apply = callback_fail;
    perp_operator *broken = NULL;
    CHECK(perp_operator_shell(s.n, &shell, &broken, NULL) == PERP_OK);
    const perp_problem p = problem_of(&s, broken);
    double x[MOST] = {0};
    x[0] = 0.25;
    perp_result r = perp_result_empty();
    CHECK(perp_solve("spg", &p, NULL, x, &r) == PERP_ERROR_CALLBACK);
    CHECK_SAY(strstr(r.message.text, "77") && x[0] == 0.25 && !r.y, "%s", r.message.text);
    perp_operator_destroy(broken);
    for (int k = 0; k < 4; k++)
      perp_operator_destroy(A[k]);
  }
}

/* Moving the cones to the front by hand gives the same bits. */
static void the_order_changes_no_bit(void)
{
  for (uint64_t seed = 1; seed <= 50; seed++) {
    product s, t;
    open_product(seed, &s);
    t = s;
    int row[MOST], place[MOST], count = 0;
    bool taken[MOST] = {false};
    for (int c = 0; c < s.cones; c++)
      for (int k = 0; k < 3; k++)
        taken[row[count++] = s.cone[c] + k] = true;
    for (int i = 0; i < s.n; i++)
      if (!taken[i])
        row[count++] = i;
    for (int k = 0; k < s.n; k++)
      place[row[k]] = k;
    for (int k = 0; k < s.n; k++) {
      t.lo[k] = s.lo[row[k]];
      t.hi[k] = s.hi[row[k]];
      t.b[k] = s.b[row[k]];
      t.findex[k] = s.findex[row[k]] < 0 ? -1 : place[s.findex[row[k]]];
      for (int j = 0; j < s.n; j++)
        t.a[k * s.n + j] = s.a[row[k] * s.n + row[j]];
    }
    perp_operator *dense = NULL, *csr = NULL, *csr_front = NULL;
    CHECK(perp_operator_dense(s.n, t.a, s.n, PERP_BORROW, &dense, NULL) == PERP_OK);
    CHECK(perp_operator_to_csr(dense, 0, &csr_front, NULL) == PERP_OK);
    CHECK(perp_operator_to_csr(s.A, 0, &csr, NULL) == PERP_OK);
    const perp_problem p = problem_of(&s, csr);
    perp_problem q = problem_of(&t, csr_front);
    q.K.cone = NULL;
    double x[MOST] = {0}, z[MOST] = {0};
    perp_result r = perp_result_empty();
    CHECK(perp_solve("bgs", &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    CHECK(perp_solve("bgs", &q, NULL, z, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    for (int k = 0; k < s.n; k++)
      CHECK(x[row[k]] == z[k]);
    perp_operator_destroy(csr);
    perp_operator_destroy(csr_front);
    perp_operator_destroy(dense);
    perp_operator_destroy(s.A);
  }
}

/* The projection onto K and the merit are those of the parts in any order. */
static void projections_know_the_order(void)
{
  perp_random random = perp_random_from(5);
  for (uint64_t seed = 1; seed <= 50; seed++) {
    product s;
    open_product(seed, &s);
    double x[MOST], y[MOST], z[MOST], value;
    for (int i = 0; i < s.n; i++) {
      x[i] = z[i] = perp_random_between(&random, -1, 1);
      y[i] = perp_random_between(&random, -1, 1);
    }
    perp_set_project(&s.p.K, x, z);
    double sum = 0;
    for (int i = 0, c = 0; i < s.n; i++) {
      if (c < s.cones && s.cone[c] == i) {
        double part[3] = {x[i], x[i + 1], x[i + 2]};
        perp_set_project_cone(s.mu[c], part);
        CHECK(part[0] == z[i] && part[1] == z[i + 1] && part[2] == z[i + 2]);
        double u[3] = {x[i] - y[i] - s.mu[c] * hypot(y[i + 1], y[i + 2]), x[i + 1] - y[i + 1],
                       x[i + 2] - y[i + 2]};
        perp_set_project_cone(s.mu[c++], u);
        for (int k = 0; k < 3; k++)
          sum += (x[i + k] - u[k]) * (x[i + k] - u[k]);
        i += 2;
        continue;
      }
      const double normal = s.findex[i] >= 0 ? fabs(x[s.findex[i]]) : 1;
      const double lo = s.lo[i] * normal, hi = s.hi[i] >= 1e300 ? INFINITY : s.hi[i] * normal;
      CHECK(z[i] == (x[i] < lo ? lo : x[i] > hi ? hi : x[i]));
      const double r = x[i] - fmin(fmax(x[i] - y[i], lo), hi);
      sum += r * r;
    }
    CHECK(perp_problem_merit(&s.p, PERP_MERIT_MINMAP, 0, x, y, &value) == PERP_OK);
    CHECK_CLOSE(value, sum / 2, 1e-12 * sum);
    perp_facts facts;
    CHECK(perp_problem_facts(&s.p, &facts, NULL) == PERP_OK);
    int friction = 0;
    for (int i = 0; i < s.n; i++)
      friction += s.findex[i] >= 0;
    CHECK(facts.cones == s.cones && facts.friction_rows == friction);
    perp_operator_destroy(s.A);
  }
}

/* De Saxce's natural residual of a planar contact, |x_t| <= mu x_n, by the projection onto the plane
 * cone in quad. */
static long double planar_residual(double mu, const double *x, const long double *y)
{
  const quad u[2] = {y[0] + mu * fabsl(y[1]), y[1]};
  const quad z[2] = {x[0] - u[0], x[1] - u[1]}, t = z[1] < 0 ? -z[1] : z[1];
  quad q[2] = {z[0], z[1]};
  if (t > mu * z[0]) {
    if (mu * t <= -z[0]) {
      q[0] = q[1] = 0;
    } else {
      q[0] = (z[0] + mu * t) / (1 + (quad)mu * mu);
      q[1] = z[1] < 0 ? -mu * q[0] : mu * q[0];
    }
  }
  const long double a = fabsl((long double)(x[0] - q[0])), b = fabsl((long double)(x[1] - q[1]));
  return a > b ? a : b;
}

/* The friction index of perp_set_planar solves the planar cone: in 200 contact problems in the
 * plane both kinds of residual vanish together. */
static void planar_cones_are_friction_rows(void)
{
  static const char *const methods[] = {"auto", "bgs", "dantzig", "lemke", "nncg"};
  int sliding = 0, sticking = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    perp_random random = perp_random_from(seed);
    product s = {.n = 2 * (1 + perp_random_below(&random, 6))};
    double mu[MOST];
    for (int i = 0; i < s.n; i += 2) {
      mu[i] = perp_random_below(&random, 8) ? perp_random_between(&random, 0, 0.8) : 0;
      perp_set_planar(i, i + 1, mu[i], s.lo, s.hi, s.findex);
    }
    draw_matrix(&random, &s);
    CHECK(perp_operator_dense(s.n, s.a, s.n, PERP_BORROW, &s.A, NULL) == PERP_OK);
    s.p = problem_of(&s, s.A);
    s.p.K.cones = 0;
    CHECK(perp_set_form(&s.p.K) == PERP_FORM_FINDEX);
    judge j;
    CHECK(judge_open(&j, &s.p));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      double x[MOST] = {0};
      perp_options o = perp_options_default();
      o.tol = 1e-11;
      perp_result r = perp_result_empty();
      CHECK(perp_solve(methods[m], &s.p, &o, x, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", methods[m], r.message.text);
      for (int i = 0; i < s.n; i += 2) {
        long double y[2], size;
        y[0] = row_value(&j, i, x, &size);
        y[1] = row_value(&j, i + 1, x, &size);
        CHECK_SAY(planar_residual(mu[i], x + i, y) <= 4e-11L * j.scale, "%s, seed %llu: %Lg",
                  methods[m], (unsigned long long)seed, planar_residual(mu[i], x + i, y));
        sliding += fabs(x[i + 1]) > 0 && fabsl(y[1]) > 1e-6L;
        sticking += x[i] > 0 && fabsl(y[1]) < 1e-9L;
      }
    }
    perp_operator_destroy(j.A);
    perp_operator_destroy(s.A);
  }
  CHECK_SAY(sliding > 100 && sticking > 100, "%d slide, %d stick", sliding, sticking);
}

/* Two unconnected problems are two islands, each with the bits of the single problem. */
static void islands_keep_their_cones(void)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    product s, t;
    open_product(seed, &s);
    open_product(seed + 1000, &t);
    const int n = s.n + t.n;
    double a[4 * MOST * MOST] = {0}, b[2 * MOST], lo[2 * MOST], hi[2 * MOST], mu[2 * MOST];
    int findex[2 * MOST], cone[2 * MOST], island[2 * MOST], count = 0;
    const product *half[2] = {&s, &t};
    perp_set K = perp_set_default(n);
    for (int h = 0, at = 0; h < 2; at += half[h++]->n) {
      const product *q = half[h];
      for (int i = 0; i < q->n; i++) {
        b[at + i] = q->b[i];
        lo[at + i] = q->lo[i];
        hi[at + i] = q->hi[i];
        findex[at + i] = q->findex[i] < 0 ? -1 : at + q->findex[i];
        memcpy(a + (at + i) * n + at, q->a + i * q->n, (size_t)q->n * sizeof *a);
      }
      for (int c = 0; c < q->cones; c++) {
        mu[K.cones] = q->mu[c];
        cone[K.cones++] = at + q->cone[c];
      }
    }
    K.lo = lo;
    K.hi = hi;
    K.findex = findex;
    K.mu = mu;
    K.cone = cone;
    perp_operator *dense = NULL, *A = NULL;
    CHECK(perp_operator_dense(n, a, n, PERP_BORROW, &dense, NULL) == PERP_OK);
    CHECK(perp_operator_to_csr(dense, 0, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_product(A, b, &K);
    CHECK(perp_islands_find(&p, island, &count, NULL) == PERP_OK);
    CHECK(count == 2 && island[0] == 0 && island[n - 1] == 1);
    perp_islands *islands = NULL;
    perp_result r = perp_result_empty();
    double x[2 * MOST] = {0}, z[2 * MOST] = {0};
    CHECK(perp_islands_create("bgs", &islands, NULL) == PERP_OK);
    CHECK_SAY(perp_islands_solve(islands, &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
    for (int h = 0, at = 0; h < 2; at += half[h++]->n) {
      perp_operator *alone = NULL;
      CHECK(perp_operator_to_csr(half[h]->A, 0, &alone, NULL) == PERP_OK);
      const perp_problem q = problem_of(half[h], alone);
      CHECK(perp_solve("bgs", &q, NULL, z + at, &r) == PERP_OK);
      perp_operator_destroy(alone);
    }
    CHECK(memcmp(x, z, (size_t)n * sizeof *x) == 0);
    perp_islands_destroy(islands);
    perp_operator_destroy(A);
    perp_operator_destroy(dense);
    perp_operator_destroy(s.A);
    perp_operator_destroy(t.A);
  }
}

/* Written as a folder and as a MATLAB file, and read again: the same K. */
static void files_keep_the_order(void)
{
  for (uint64_t seed = 1; seed <= 10; seed++)
    for (int matlab = 0; matlab < 2; matlab++) {
      product s;
      open_product(seed, &s);
      perp_instance instance, back;
      perp_message why = {""};
      CHECK_SAY(perp_problem_write("product", &s.p, NULL, &why) == PERP_OK, "%s", why.text);
      CHECK_SAY(perp_folder_read("product", &instance, &why) == PERP_OK, "%s", why.text);
      if (matlab) {
        const perp_error error = perp_mat_write("product.mat", &instance, &why);
        CHECK_SAY(error == PERP_OK || error == PERP_ERROR_BACKEND, "%s", why.text);
        if (error == PERP_OK) {
          CHECK_SAY(perp_mat_read("product.mat", &back, &why) == PERP_OK, "%s", why.text);
          perp_instance_destroy(&instance);
          instance = back;
        }
      }
      const perp_problem p = perp_instance_problem(&instance);
      CHECK(p.K.cones == s.cones && memcmp(p.K.cone, s.cone, (size_t)s.cones * sizeof(int)) == 0);
      CHECK(memcmp(p.K.mu, s.mu, (size_t)s.cones * sizeof(double)) == 0);
      CHECK(perp_problem_validate(&p, NULL) == PERP_OK);
      perp_instance_destroy(&instance);
      perp_operator_destroy(s.A);
    }
}

static void refused(const perp_problem *p, const char *expected)
{
  perp_message why = {""};
  CHECK(perp_problem_validate(p, &why) == PERP_ERROR_PROBLEM);
  CHECK_SAY(strstr(why.text, expected) != NULL, "%s", why.text);
  double x[7] = {0};
  perp_result r = perp_result_empty();
  CHECK(perp_solve("bgs", p, NULL, x, &r) == PERP_ERROR_PROBLEM);
  CHECK_EQUAL_TEXT(r.message.text, why.text);
}

static void wrong_cones_are_refused(void)
{
  double a[49] = {0}, b[7] = {0}, mu[3] = {0.5, 0.5, 0.5};
  for (int i = 0; i < 7; i++)
    a[8 * i] = 1;
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(7, a, 7, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_problem p = perp_problem_cone(A, b, mu);
  refused(&p, "3 cones take 3 rows each, but A has 7 rows");
  static const int overlap[2] = {0, 2}, beyond[2] = {1, 5}, backward[2] = {4, 0},
                   below[2] = {-1, 3};
  perp_set K = perp_set_default(7);
  K.mu = mu;
  K.cones = 2;
  static const int *const wrong[] = {overlap, beyond, backward, below};
  static const char *const text[] = {"cone[1] = 2", "cone[1] = 5", "cone[1] = 0", "cone[0] = -1"};
  for (int k = 0; k < 4; k++) {
    K.cone = wrong[k];
    p = perp_problem_product(A, b, &K);
    refused(&p, text[k]);
  }
  static const int right[2] = {0, 4};
  int findex[7] = {-1, -1, -1, -1, -1, 3, -1};
  K.cone = right;
  K.findex = findex;
  p = perp_problem_product(A, b, &K);
  refused(&p, "row 5 belongs to a cone");
  findex[5] = -1;
  CHECK(perp_problem_validate(&p, NULL) == PERP_OK);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(products_in_any_order_are_solved),
    TEST(kinds_of_operators_are_reordered),
    TEST(the_order_changes_no_bit),
    TEST(projections_know_the_order),
    TEST(planar_cones_are_friction_rows),
    TEST(islands_keep_their_cones),
    TEST(files_keep_the_order),
    TEST(wrong_cones_are_refused),
};

TEST_MAIN(tests)
