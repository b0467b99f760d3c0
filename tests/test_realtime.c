/* test_realtime.c: every method of the splitting, gradient, prox and staggered families: its
 * options work, and unsuitable matrices, bounds and limits end with a true outcome, a finite x and
 * a residual no worse than at the start, on every kind of operator.
 *
 * The judge is an independent natural residual, in long double from the full matrix. */
#include "problems.h"

#include <perp/generate.h>

static const char *const families[] = {"splitting", "gradient", "prox", "staggered"};

static bool is_real_time(const perp_method_info *m)
{
  for (int k = 0; k < 4; k++)
    if (strcmp(m->family, families[k]) == 0)
      return true;
  return false;
}

static const perp_parameter *parameter_of(const perp_method_info *m, const char *name)
{
  for (const perp_parameter *p = m->parameters; p->name; p++)
    if (strcmp(p->name, name) == 0)
      return p;
  return NULL;
}

/* ---- Options ---- */

typedef struct setting {
  const char *name, *value;
} setting;

static perp_result run(const char *method, const setting *settings, int count,
                       const perp_problem *p, const perp_options *o, double *x)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  for (int k = 0; k < count; k++)
    CHECK(perp_solver_set_text(solver, settings[k].name, settings[k].value, NULL) == PERP_OK);
  const perp_error error = perp_solver_solve(solver, p, o, x, &r);
  CHECK_SAY(error == PERP_OK, "%s: %s", method, r.message.text);
  perp_solver_destroy(solver);
  return r;
}

/* Friction if the method takes it, with stacked contacts. */
static perp_instance scene(const perp_method_info *m, bool contact)
{
  char text[96];
  snprintf(text, sizeof text, "stack:n=5,form=%s%s",
           m->takes & PERP_TAKES(PERP_FORM_FINDEX) ? "findex" : "lcp",
           contact ? ",operator=contact" : "");
  perp_instance instance;
  perp_message why = {{0}};
  CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
  return instance;
}

/* prox has an order in Gauss-Seidel style. */
static int base_settings(const char *method, setting *s)
{
  if (strcmp(method, "prox") != 0)
    return 0;
  s[0] = (setting){"style", "gauss-seidel"};
  return 1;
}

/* Every order reaches the solution by different iterates; a seed gives one order. */
static void orders_are_orders(void)
{
  int tried = 0;
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    const perp_parameter *order = parameter_of(&m, "order");
    if (!is_real_time(&m) || !order)
      continue;
    perp_instance instance = scene(&m, k % 2);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x[8];
    int choices = 0;
    for (; order->choices[choices]; choices++) {
      setting s[2];
      int count = base_settings(m.name, s);
      s[count++] = (setting){"order", order->choices[choices]};
      perp_options o = perp_options_default();
      x[choices] = calloc(2 * n, sizeof *x[0]);
      o.tol = 1e-6;
      o.max_iterations = 50000;
      const perp_result r = run(m.name, s, count, &p, &o, x[choices]);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s %s: %s", m.name, s[count - 1].value, r.message.text);
      memset(x[choices], 0, n * sizeof *x[0]);
      o.tol = 0;
      o.max_iterations = 6;
      o.check_every = 6; /* only the last iterate is checked */
      run(m.name, s, count, &p, &o, x[choices]);
      run(m.name, s, count, &p, &o, x[choices] + n);
      CHECK_SAY(memcmp(x[choices], x[choices] + n, n * sizeof *x[0]) == 0, "%s %s twice", m.name,
                s[count - 1].value);
      for (int other = 0; other < choices; other++)
        CHECK_SAY(memcmp(x[choices], x[other], n * sizeof *x[0]) != 0, "%s: %s is %s", m.name,
                  order->choices[choices], order->choices[other]);
    }
    for (int c = 0; c < choices; c++)
      free(x[c]);
    perp_instance_destroy(&instance);
    tried++;
  }
  CHECK_SAY(tried >= 7, "%d methods have an order", tried);
}

/* omega changes the iterates and still reaches the solution; values out of range are refused. */
static void relaxations_are_relaxations(void)
{
  int tried = 0;
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    if (!is_real_time(&m) || !parameter_of(&m, "omega"))
      continue;
    perp_instance instance = scene(&m, k % 2);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    static const char *const values[] = {"0.7", "1", "1.2"};
    double *x[3];
    for (int v = 0; v < 3; v++) {
      const setting s = {"omega", values[v]};
      perp_options o = perp_options_default();
      x[v] = calloc(n, sizeof *x[0]);
      o.tol = 1e-6;
      o.max_iterations = 100000;
      const bool damped = strstr(m.name, "jacobi"); /* all rows at once: 1 already overshoots */
      const perp_result r = run(m.name, &s, 1, &p, &o, x[v]);
      CHECK_SAY(damped || r.outcome == PERP_SOLVED, "%s %s: %s", m.name, values[v], r.message.text);
      memset(x[v], 0, n * sizeof *x[0]);
      o.tol = 0;
      o.max_iterations = 12;
      o.check_every = 12;
      run(m.name, &s, 1, &p, &o, x[v]);
      for (int other = 0; other < v; other++)
        CHECK_SAY(damped || memcmp(x[v], x[other], n * sizeof *x[0]) != 0, "%s: omega %s is %s",
                  m.name, values[v], values[other]);
    }
    for (int v = 0; v < 3; v++)
      free(x[v]);
    perp_instance_destroy(&instance);
    tried++;
  }
  CHECK_SAY(tried >= 8, "%d methods have an omega", tried);
}

/* A start at the solution ends at once, one near it sooner than 0; checks come when they are
 * due. */
static void starts_and_checks_count(void)
{
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    if (!is_real_time(&m))
      continue;
    perp_instance instance = scene(&m, k % 2);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x = calloc(n, sizeof *x), *z = calloc(n, sizeof *z);
    perp_options o = perp_options_default();
    o.max_iterations = 200000;
    o.tol = 1e-5;
    o.check_every = 7;
    const perp_result cold = run(m.name, NULL, 0, &p, &o, x);
    CHECK_SAY(cold.outcome == PERP_SOLVED, "%s: %s", m.name, cold.message.text);
    CHECK_SAY(cold.counts.iterations % 7 == 0, "%s ended at %lld", m.name,
              (long long)cold.counts.iterations);
    /* the checks of its parts count too */
    const bool nested = strcmp(m.name, "staggered") == 0;
    CHECK_SAY(nested || cold.counts.checks <= cold.counts.iterations / 7 + 3, "%s: %lld checks",
              m.name, (long long)cold.counts.checks);
    memcpy(z, x, n * sizeof *x);
    o.tol = 1.01e-5;
    const perp_result there = run(m.name, NULL, 0, &p, &o, z);
    CHECK_SAY(there.outcome == PERP_SOLVED && there.counts.iterations == 0, "%s: %lld iterations",
              m.name, (long long)there.counts.iterations);
    CHECK(memcmp(z, x, n * sizeof *x) == 0);
    free(x);
    free(z);
    perp_instance_destroy(&instance);
  }
}

/* ---- A judge ---- */

enum { MOST = 6 };

/* max |x - P(x - y)| with the cone in De Saxce's form */
static double judge(const double *a, const perp_problem *p, const double *x)
{
  const int n = p->K.n;
  const perp_set *K = &p->K;
  long double worst = 0, z[MOST];
  for (int i = 0; i < n; i++) {
    long double y = p->b[i];
    for (int j = 0; j < n; j++)
      y += (long double)a[i * n + j] * x[j];
    z[i] = y;
  }
  for (int i = 0; i < n; i++) {
    if (i < 3 * K->cones && i % 3 == 0) {
      const long double mu = K->mu[i / 3];
      long double u[3] = {x[i] - z[i] - mu * hypotl(z[i + 1], z[i + 2]), x[i + 1] - z[i + 1],
                          x[i + 2] - z[i + 2]};
      const long double t = hypotl(u[1], u[2]);
      if (t > mu * u[0]) {
        const long double normal = (u[0] + mu * t) / (1 + mu * mu);
        const long double length = normal > 0 && t > 0 ? mu * normal / t : 0;
        u[0] = normal > 0 ? normal : 0;
        u[1] *= length;
        u[2] *= length;
      }
      for (int k = 0; k < 3; k++)
        worst = fmaxl(worst, fabsl(x[i + k] - u[k]));
    }
    if (i < 3 * K->cones)
      continue;
    long double lo = K->lo ? K->lo[i] : 0, hi = K->hi ? K->hi[i] : INFINITY;
    if (K->findex && K->findex[i] >= 0) {
      lo = lo <= -1e300L ? lo : lo * fabsl(x[K->findex[i]]);
      hi = hi >= 1e300L ? hi : hi * fabsl(x[K->findex[i]]);
    }
    long double t = x[i] - z[i];
    t = t < lo ? lo : t > hi ? hi : t;
    worst = fmaxl(worst, fabsl(x[i] - t));
  }
  return (double)worst;
}

/* ---- Bad input ---- */

typedef enum kind { DENSE, CSR, BSR, CONTACT, ROWS, APPLY, KINDS } kind;

typedef struct full {
  int n;
  double a[MOST * MOST];
} full;

static int full_apply(void *context, const double *x, double *y)
{
  const full *f = context;
  for (int i = 0; i < f->n; i++) {
    y[i] = 0;
    for (int j = 0; j < f->n; j++)
      y[i] += f->a[i * f->n + j] * x[j];
  }
  return 0;
}

static int full_row(void *context, int i, int *column, double *value)
{
  const full *f = context;
  for (int j = 0; j < f->n; j++) {
    column[j] = j;
    value[j] = f->a[i * f->n + j];
  }
  return f->n;
}

/* NULL if the kind has no such matrix. */
static perp_operator *operator_of(kind k, full *f)
{
  const int n = f->n;
  perp_operator *A = NULL, *dense = NULL;
  int64_t start[MOST + 1] = {0}, none[MOST + 1] = {0};
  int column[MOST * MOST];
  for (int e = 0; e < n * n; e++)
    column[e] = e % n;
  for (int i = 0; i <= n; i++)
    start[i] = (int64_t)i * n;
  perp_error error = PERP_OK;
  if (k == DENSE) {
    error = perp_operator_dense(n, f->a, n, PERP_COPY, &A, NULL);
  } else if (k == CSR) {
    error = perp_operator_csr(n, start, column, f->a, PERP_COPY, &A, NULL);
  } else if (k == BSR) {
    if (n % 3)
      return NULL;
    double value[MOST * MOST];
    const int blocks = n / 3;
    for (int I = 0; I < blocks; I++) {
      start[I] = (int64_t)I * blocks;
      for (int e = 0; e < 9 * blocks; e++) {
        const int J = e / 9, r = e % 9 / 3, c = e % 3;
        value[9 * I * blocks + e] = f->a[(3 * I + r) * n + 3 * J + c];
      }
    }
    for (int e = 0; e < blocks * blocks; e++)
      column[e] = e % blocks;
    start[blocks] = (int64_t)blocks * blocks;
    error = perp_operator_bsr(blocks, 3, start, column, value, PERP_COPY, &A, NULL);
  } else if (k == CONTACT) {
    const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                    .rows = n,
                                    .J_start = none,
                                    .Minv = f->a,
                                    .C_start = start,
                                    .C_column = column,
                                    .C_value = f->a};
    error = perp_operator_contact(&data, PERP_COPY, &A, NULL);
  } else {
    const perp_shell shell = {.size = sizeof(perp_shell),
                              .context = f,
                              .apply = full_apply,
                              .row = k == ROWS ? full_row : NULL};
    error = perp_operator_shell(n, &shell, &A, NULL);
  }
  perp_operator_destroy(dense);
  return error ? NULL : A;
}

/* Matrices by number, of any size. */
enum { MATRICES = 14 };

static const char *fill_matrix(int number, full *f, perp_random *random)
{
  static const char *const names[MATRICES] = {
      "any",         "skew",       "zero diagonal", "negative diagonal", "zero",
      "minus one",   "huge",       "tiny",          "rank one",          "huge beside tiny",
      "wide spread", "zero block", "upper",         "definite"};
  const int n = f->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double u = perp_random_between(random, -1, 1);
      double *e = &f->a[i * n + j];
      switch (number) {
      case 1:
        *e = i == j ? 0 : i < j ? 1 + i : -(1.0 + j);
        break;
      case 2:
        *e = i == j ? 0 : u;
        break;
      case 3:
        *e = i == j ? -1 : u;
        break;
      case 4:
        *e = 0;
        break;
      case 5:
        *e = i == j ? -1 : 0;
        break;
      case 6:
        *e = i == j ? 1e308 : 1e307 * u;
        break;
      case 7:
        *e = i == j ? 1e-308 : 1e-309 * u;
        break;
      case 8:
        *e = 1;
        break;
      case 9:
        *e = i == j ? (i % 2 ? 1e300 : 1e-300) : 0;
        break;
      case 10:
        *e = i == j ? pow(10, 4 * i - 8) : 1e-3 * u;
        break;
      case 11:
        *e = i < 3 || j < 3 ? 0 : i == j ? 2 : 0.5 * u;
        break;
      case 12:
        *e = i == j ? 1 : i < j ? 10 : 0;
        break;
      case 13:
        *e = i == j ? 4 : 0.5 * u;
        break;
      default:
        *e = 3 * u;
        break;
      }
    }
  return names[number];
}

static void fill_rhs(int number, int n, double *b, perp_random *random)
{
  for (int i = 0; i < n; i++)
    b[i] = number == 0   ? perp_random_between(random, -1, 1)
           : number == 1 ? -1
           : number == 2 ? (i % 2 ? 1e308 : -1e308)
                         : (i % 2 ? 1e-308 : -1e-308);
}

typedef struct form_arrays {
  double lo[MOST], hi[MOST], mu[2];
  int findex[MOST];
} form_arrays;

enum { FORMS = 7 };

static perp_problem form_of(int form, const perp_operator *A, const double *b, int n,
                            form_arrays *s)
{
  for (int i = 0; i < n; i++) {
    const bool friction = i % 3 != 0;
    s->lo[i] = form == 1 ? (i % 2 ? -INFINITY : 0) : form == 2 ? -1 : friction ? -0.5 : 0;
    s->hi[i] = form == 2 ? (i % 3 == 2 ? -1 : 1) : form == 3 && friction ? 0.5 : INFINITY;
    s->findex[i] = friction ? i - i % 3 : -1;
    if (form == 4 && friction) { /* mu = 0 and 1e6 */
      s->hi[i] = i % 3 == 1 ? 0 : 1e6;
      s->lo[i] = -s->hi[i];
    }
  }
  s->mu[0] = form == 6 ? 1e6 : 0.5;
  s->mu[1] = form == 6 ? 0 : 0.8;
  perp_problem p = perp_problem_lcp(A, b);
  if (form >= 1 && form <= 4)
    p = perp_problem_boxed(A, b, s->lo, s->hi);
  if (form == 3 || form == 4)
    p.K.findex = s->findex;
  if (form >= 5) {
    p.K.cones = n / 3;
    p.K.mu = s->mu;
  }
  return p;
}

static bool stop_at_two(void *context, const perp_progress *progress)
{
  (void)context;
  return progress->iteration < 2;
}

static int carried_out, solved;

static void try_method(const perp_method_info *m, const perp_problem *p, const double *a,
                       int limits, const char *what)
{
  double x[MOST] = {0};
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.max_iterations = limits == 1 ? 1 : 300;
  o.time_limit = limits == 2 ? 1e-9 : 0.5;
  o.observer = limits == 3 ? stop_at_two : NULL;
  o.check_every = limits == 0 ? 0 : 5;
  const double start = judge(a, p, x);
  const perp_error error = perp_solve(m->name, p, &o, x, &r);
  const int n = p->K.n;
  if (error) {
    CHECK_SAY((error == PERP_ERROR_UNSUPPORTED || error == PERP_ERROR_PROBLEM) && r.message.text[0],
              "%s on %s: error %d, %s", m->name, what, error, r.message.text);
    return;
  }
  carried_out++;
  double scale = 0, largest = 0;
  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(x[i]));
    CHECK_SAY(isfinite(x[i]), "%s on %s: x(%d) = %g, %s", m->name, what, i, x[i], r.message.text);
    scale = fmax(scale, fabs(p->b[i]));
  }
  scale = scale > 0 ? scale : 1;
  const double residual = judge(a, p, x);
  /* a cone cannot be distinguished from its neighbourhood by less than the rounding of x */
  const double rounding = p->K.cones > 0 ? 4e-16 * largest : 0;
  /* nor can y if its terms are so large that it is all rounding */
  double terms = 0;
  for (int e = 0; e < n * n; e++)
    terms = fmax(terms, fabs(a[e]) * largest);
  const bool decidable = 1e-14 * terms <= start;
  if (r.outcome == PERP_SOLVED) {
    solved++;
    CHECK_SAY(residual <= 1.01 * o.tol * scale + rounding, "%s on %s: solved with %g of %g",
              m->name, what, residual, scale);
  }
  CHECK_SAY(!decidable || !(residual > 1.0001 * start + rounding) || residual <= o.tol * scale,
            "%s on %s: residual %g, at the start %g (%s)", m->name, what, residual, start,
            r.message.text);
  CHECK_SAY(!isnan(r.residual) && r.message.text[0], "%s on %s: residual %g, '%s'", m->name, what,
            r.residual, r.message.text);
}

static void nothing_breaks_them(void)
{
  static const int sizes[] = {6, 3, 1};
  static const char *const kinds[] = {"dense", "csr", "bsr", "contact", "rows", "apply"};
  perp_random random = perp_random_from(1);
  carried_out = solved = 0;
  for (int number = 0; number < MATRICES; number++)
    for (int form = 0; form < FORMS; form++)
      for (int size = 0; size < 3; size++)
        for (int rhs = 0; rhs < 4; rhs++) {
          full f = {.n = sizes[size]};
          const char *matrix = fill_matrix(number, &f, &random);
          double b[MOST];
          fill_rhs(rhs, f.n, b, &random);
          if (form >= 5 && f.n % 3)
            continue;
          const kind k = (kind)perp_random_below(&random, KINDS);
          perp_operator *A = operator_of(k, &f);
          if (!A)
            continue;
          form_arrays arrays;
          const perp_problem p = form_of(form, A, b, f.n, &arrays);
          char what[96];
          snprintf(what, sizeof what, "%s %s, form %d, n %d, b %d", kinds[k], matrix, form, f.n,
                   rhs);
          for (int m = 0; m < perp_method_count(); m++) {
            const perp_method_info info = perp_method_at(m);
            if (is_real_time(&info))
              try_method(&info, &p, f.a, perp_random_below(&random, 4), what);
          }
          perp_operator_destroy(A);
        }
  CHECK_SAY(carried_out > 2000 && solved > 300, "%d carried out, %d solved", carried_out, solved);
}

static const test_case tests[] = {
    TEST(orders_are_orders),
    TEST(relaxations_are_relaxations),
    TEST(starts_and_checks_count),
    TEST(nothing_breaks_them),
};
TEST_MAIN(tests)
