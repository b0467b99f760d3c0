/* test_nl.c: models in .nl files
 *
 * The files are written by nl_writer.h in the dialects of AMPL, Pyomo and JuMP, in text and binary;
 * values, derivatives and the judge are those of that header, or of AMPL's own library if it is
 * installed. */
#define _POSIX_C_SOURCE 200809L
#include "nl_writer.h"

#include "base/random.h"
#include <perp/perp.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef PERP_HAVE_ASL
#include <asl.h>
#undef exit
#endif

static char folder[] = "/tmp/perp-nl-XXXXXX";
static char stub[64], path[80];

static void open_folder(void)
{
  if (stub[0])
    return;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(stub, sizeof stub, "%s/model", folder);
  snprintf(path, sizeof path, "%s.nl", stub);
}

static double uniform(perp_random *r, double lo, double hi)
{
  return perp_random_between(r, lo, hi);
}

static int below(perp_random *r, int n)
{
  const int k = (int)uniform(r, 0, n);
  return k < n ? k : n - 1;
}

/* A random expression that is defined everywhere. */
static int expression(w_model *m, perp_random *r, int depth)
{
  static const int one[] = {16, 37, 41, 46, 49, 50, 15}, two[] = {0, 1, 2, 11, 12};
  if (depth == 0 || below(r, 8) == 0)
    return below(r, 4) ? w_variable(m, below(r, m->n)) : w_number(m, uniform(r, -3, 3));
  switch (below(r, 8)) {
  case 0:
  case 1:
    return w_apply(m, one[below(r, 7)], 1, expression(m, r, depth - 1), 0, 0);
  case 2: /* exp, sinh, cosh of something bounded */
    return w_apply(m, below(r, 2) ? 44 : 40 + 5 * below(r, 2), 1,
                   w_apply(m, 41, 1, expression(m, r, depth - 1), 0, 0), 0, 0);
  case 3: { /* log, sqrt, log10 of something positive; a quotient */
    const int positive =
        w_apply(m, 0, 2, w_number(m, 1.5),
                w_apply(m, 5, 2, expression(m, r, depth - 1), w_number(m, 2), 0), 0);
    const int kind = below(r, 4);
    return kind == 3 ? w_apply(m, 3, 2, expression(m, r, depth - 1), positive, 0)
                     : w_apply(m,
                               kind == 0   ? 43
                               : kind == 1 ? 39
                                           : 42,
                               1, positive, 0, 0);
  }
  case 4:
    return w_apply(m, 54, 3, expression(m, r, depth - 1), expression(m, r, depth - 1),
                   expression(m, r, depth - 1));
  case 5:
    return w_apply(m, 35, 3, w_apply(m, 22, 2, w_variable(m, below(r, m->n)), w_number(m, 0), 0),
                   expression(m, r, depth - 1), expression(m, r, depth - 1));
  default:
    return w_apply(m, two[below(r, 5)], 2, expression(m, r, depth - 1), expression(m, r, depth - 1),
                   0);
  }
}

static void expressions_of(w_model *m, perp_random *r)
{
  memset(m, 0, sizeof *m);
  m->n = 2 + below(r, 6);
  m->m = 1 + below(r, 6);
  for (int j = 0; j < m->n; j++) {
    m->lo[j] = -INFINITY;
    m->hi[j] = INFINITY;
    m->start[j] = uniform(r, -2, 2);
  }
  const int shared = below(r, 2) ? expression(m, r, 3) : -1;
  if (shared >= 0 && m->node[shared].op >= 0)
    m->defined_node[m->defined++] = shared;
  for (int i = 0; i < m->m; i++) {
    w_row *row = m->row + i;
    row->body = expression(m, r, 4);
    if (m->node[row->body].op < 0) /* AMPL's library knows no derivative of a single variable */
      row->body = w_apply(m, 0, 2, row->body, w_number(m, 0), 0);
    if (shared >= 0)
      row->body = w_apply(m, 2 * below(r, 2), 2, row->body, shared, 0);
    row->kind = 4;
    row->terms = below(r, 3);
    for (int k = 0; k < row->terms; k++) {
      row->column[k] = (k * 3 + i) % m->n;
      row->coefficient[k] = uniform(r, -1, 1);
    }
  }
}

static perp_nl *read_model(void)
{
  perp_nl *model = NULL;
  perp_message why = {""};
  CHECK_SAY(perp_nl_read(path, &model, &why) == PERP_OK, "%s", why.text);
  return model;
}

static void values_and_gradients(void)
{
  static w_model m;
  open_folder();
  const int share = test_share("expressions", 10);
  for (uint64_t seed = 0; seed < 400; seed += (uint64_t)share) {
    perp_random r = perp_random_from(seed);
    expressions_of(&m, &r);
    m.binary = seed % 3 == 1;
    m.comments = seed % 2;
    w_write(&m, stub);
    perp_nl *model = read_model();
    double c[W_MOST], g[W_MOST], weight[W_MOST], dx[W_MOST] = {0};
    CHECK(perp_nl_evaluate(model, m.start, c, NULL) == PERP_OK);
    for (int i = 0; i < m.m; i++) {
      const double mine = w_body(&m, m.row + i, m.start, dx).v;
      CHECK_SAY(fabs(c[i] - mine) <= 1e-11 * (1 + fabs(mine)), "seed %d row %d: %.17g %.17g",
                (int)seed, i, c[i], mine);
      weight[i] = uniform(&r, -1, 1);
    }
    CHECK(perp_nl_gradient(model, m.start, weight, g, NULL) == PERP_OK);
    for (int j = 0; j < m.n; j++) {
      double mine = 0;
      dx[j] = 1;
      for (int i = 0; i < m.m; i++)
        mine += weight[i] * w_body(&m, m.row + i, m.start, dx).d;
      dx[j] = 0;
      CHECK_SAY(fabs(g[j] - mine) <= 1e-9 * (1 + fabs(mine)), "seed %d, variable %d: %.17g %.17g",
                (int)seed, j, g[j], mine);
    }
    perp_nl_destroy(model);
  }
}

/* ---- Complementarity in all dialects ---- */

enum { AMPL, AMPL_TURNED, PYOMO, JUMP, DIALECTS };

/* A strongly monotone F with random bounds: x_j with bounds of kind k = 1, 2, 3 or 0 (free). */
static void equilibrium_of(w_model *m, perp_random *r, int dialect, bool curved)
{
  memset(m, 0, sizeof *m);
  const int n = 2 + below(r, 6);
  const bool pairs = dialect == PYOMO || dialect == AMPL_TURNED;
  m->n = pairs ? 2 * n : n;
  m->objective = dialect == JUMP;
  w_row F[8];
  int kind[8];
  for (int j = 0; j < n; j++) {
    kind[j] = dialect == AMPL_TURNED ? 1 + below(r, 2)
              : dialect == PYOMO     ? 1 + below(r, 3)
                                     : below(r, 4);
    m->lo[j] = kind[j] & 1 ? uniform(r, -2, 0) : -INFINITY;
    m->hi[j] = kind[j] & 2 ? uniform(r, 0.5, 2) : INFINITY;
    m->start[j] = uniform(r, -3, 3);
    F[j] = (w_row){.body = -1, .terms = n, .kind = 5, .k = kind[j], .partner = j};
    for (int k = 0; k < n; k++) {
      F[j].column[k] = k;
      F[j].coefficient[k] = k == j ? 3 + n : uniform(r, -1, 1);
    }
    F[j].body = w_number(m, uniform(r, -8, 8));
    if (curved) /* + x_j^3 + exp(x_j) */
      F[j].body =
          w_apply(m, 54, 3, F[j].body, w_apply(m, 5, 2, w_variable(m, j), w_number(m, 3), 0),
                  w_apply(m, 44, 1, w_variable(m, j), 0, 0));
  }
  for (int j = 0; j < n; j++) {
    if (!pairs) {
      m->row[m->m++] = F[j];
      continue;
    }
    const int v = n + j; /* v = F_j(x) */
    m->lo[v] = -INFINITY;
    m->hi[v] = INFINITY;
    w_row definition = F[j], pair = {.body = -1, .terms = 1, .kind = 5};
    definition.kind = 4;
    definition.column[n] = v;
    definition.coefficient[n] = -1;
    definition.terms = n + 1;
    pair.coefficient[0] = 1;
    if (dialect == PYOMO) { /* the row v with x_j */
      pair.column[0] = v;
      pair.k = kind[j];
      pair.partner = j;
    } else { /* x_j - bound with v >= 0 or v <= 0 */
      pair.column[0] = j;
      pair.body = w_number(m, kind[j] == 1 ? -m->lo[j] : -m->hi[j]);
      pair.k = kind[j];
      pair.partner = v;
      m->lo[v] = kind[j] == 1 ? 0 : -INFINITY;
      m->hi[v] = kind[j] == 1 ? INFINITY : 0;
    }
    m->row[m->m++] = definition;
    m->row[m->m++] = pair;
  }
}

static void every_dialect_is_solved(void)
{
  static w_model m;
  open_folder();
  const int share = test_share("models", 10);
  for (uint64_t seed = 0; seed < 400; seed += (uint64_t)share) {
    perp_random r = perp_random_from(1000 + seed);
    const int dialect = (int)(seed % DIALECTS);
    const bool curved = seed / DIALECTS % 2;
    equilibrium_of(&m, &r, dialect, curved);
    m.binary = seed % 3 == 0;
    m.names = seed % 5 == 0;
    m.comments = dialect == PYOMO;
    w_write(&m, stub);
    perp_nl *model = read_model();
    double x[W_MOST], y[W_MOST], residual;
    perp_nl_result result = perp_nl_result_empty();
    perp_nl_start(model, x);
    CHECK_SAY(perp_nl_solve(model, NULL, x, y, &result) == PERP_OK, "seed %d: %s", (int)seed,
              result.message.text);
    CHECK_SAY(result.outcome == PERP_SOLVED && result.code == 0, "seed %d: %s", (int)seed,
              result.message.text);
    CHECK_EQUAL_TEXT(result.kind, curved ? "ncp" : "lcp");
    CHECK_SAY(w_judge(&m, x) <= 1e-6, "seed %d: %g", (int)seed, w_judge(&m, x));
    CHECK(perp_nl_judge(model, x, &residual, NULL, NULL) == PERP_OK);
    CHECK_CLOSE(residual, w_judge(&m, x), 1e-12);
    /* presolve leaves the problem in x only, if every row is a pair and an equation */
    if (dialect == PYOMO || dialect == AMPL_TURNED)
      CHECK_EQUAL_INT(result.n, m.n / 2);
    perp_nl_destroy(model);
  }
}

/* The judge against its own definition at points that solve nothing. */
static void judge_at_random_points(void)
{
  static w_model m;
  open_folder();
  for (uint64_t seed = 0; seed < 100; seed++) {
    perp_random r = perp_random_from(5000 + seed);
    equilibrium_of(&m, &r, (int)(seed % DIALECTS), seed % 2);
    w_write(&m, stub);
    perp_nl *model = read_model();
    double x[W_MOST], residual;
    perp_message where;
    for (int j = 0; j < m.n; j++)
      x[j] = below(&r, 3) ? uniform(&r, -3, 3) : isfinite(m.lo[j]) ? m.lo[j] : 0;
    CHECK(perp_nl_judge(model, x, &residual, &where, NULL) == PERP_OK);
    CHECK_CLOSE(residual, w_judge(&m, x), 1e-9 * residual);
    perp_nl_destroy(model);
  }
}

/* ---- Square or not ---- */

/* x_0 ... x_{n-1} free, no rows. */
static void begin(w_model *m, int n)
{
  memset(m, 0, sizeof *m);
  m->n = n;
  m->names = true;
  for (int j = 0; j < n; j++) {
    m->lo[j] = -INFINITY;
    m->hi[j] = INFINITY;
  }
}

static w_row *add_row(w_model *m, int kind, double lo, double hi, int terms, const int *column,
                      const double *coefficient)
{
  w_row *r = m->row + m->m++;
  *r = (w_row){.body = -1, .terms = terms, .kind = kind, .lo = lo, .hi = hi};
  memcpy(r->column, column, (size_t)terms * sizeof *column);
  memcpy(r->coefficient, coefficient, (size_t)terms * sizeof *coefficient);
  return r;
}

static perp_error solve(const w_model *m, double *x, perp_nl_result *result)
{
  open_folder();
  w_write(m, stub);
  perp_nl *model = read_model();
  *result = perp_nl_result_empty();
  perp_nl_start(model, x);
  const perp_error error = perp_nl_solve(model, NULL, x, NULL, result);
  perp_nl_destroy(model);
  return error;
}

static bool says(const perp_nl_result *r, const char *text)
{
  return strstr(r->message.text, text) != NULL;
}

static void what_is_left_over_is_named(void)
{
  static w_model m;
  double x[W_MOST];
  perp_nl_result r;
  begin(&m, 3);
  add_row(&m, 4, 1, 1, 2, (int[]){0, 1}, (double[]){1, 1});
  add_row(&m, 4, 2, 2, 2, (int[]){0, 1}, (double[]){1, -1});
  add_row(&m, 4, 3, 3, 2, (int[]){0, 1}, (double[]){2, 1});
  CHECK(solve(&m, x, &r) == PERP_ERROR_PROBLEM);
  CHECK_SAY(says(&r, "not square: 1 rows without a variable (con2)"), "%s", r.message.text);
  m.m = 1; /* x_0 + x_1 = 1: two variables, one row; x_2 is in no row and keeps its start */
  CHECK(solve(&m, x, &r) == PERP_ERROR_PROBLEM);
  CHECK_SAY(says(&r, "1 variables without a row (var1)"), "%s", r.message.text);
  begin(&m, 2); /* one variable, two complementarity rows that are not pairs */
  m.lo[0] = 0;
  for (int i = 0; i < 2; i++) {
    w_row *row = add_row(&m, 5, 0, 0, 2, (int[]){0, 1}, (double[]){1, 1 + i});
    row->k = 1;
  }
  CHECK(solve(&m, x, &r) == PERP_ERROR_PROBLEM);
  CHECK_SAY(says(&r, "var0 is complementary to the rows con0 and con1"), "%s", r.message.text);
  begin(&m, 2);
  add_row(&m, 2, 1, INFINITY, 2, (int[]){0, 1}, (double[]){1, 1});
  CHECK(solve(&m, x, &r) == PERP_ERROR_PROBLEM);
  CHECK_SAY(says(&r, "inequality con0"), "%s", r.message.text);
  begin(&m, 1);
  add_row(&m, 5, 0, 0, 1, (int[]){0}, (double[]){1})->k = 1;
  CHECK(solve(&m, x, &r) == PERP_ERROR_PROBLEM);
  CHECK_SAY(says(&r, "no lower bound"), "%s", r.message.text);
}

/* A matching that the first choice does not find: rows {0, 1}, {0}, with x_1 bounded. */
static void equations_are_matched(void)
{
  static w_model m;
  double x[W_MOST];
  perp_nl_result r;
  begin(&m, 4);
  m.lo[1] = 0;
  add_row(&m, 4, 3, 3, 3, (int[]){0, 1, 2}, (double[]){1, 1, 1});
  add_row(&m, 4, 4, 4, 2, (int[]){0, 2}, (double[]){2, 1});
  add_row(&m, 4, 1, 1, 2, (int[]){0, 2}, (double[]){1, -1});
  add_row(&m, 4, 5, 5, 1, (int[]){3}, (double[]){2});
  m.start[3] = 7;
  CHECK_SAY(solve(&m, x, &r) == PERP_OK, "%s", r.message.text);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  CHECK_CLOSE(x[0], 5.0 / 3, 1e-9);
  CHECK_CLOSE(x[1], 2.0 / 3, 1e-9);
  CHECK_CLOSE(x[3], 2.5, 0);
}

/* An equation next to a bound that no row complements must hold: no false "solved". */
static void bounds_do_not_replace_equations(void)
{
  static w_model m;
  double x[W_MOST];
  perp_nl_result r;
  begin(&m, 2); /* x_0 + x_1 = -1, x_0 - x_1 = 0, x >= 0 */
  m.lo[0] = m.lo[1] = 0;
  add_row(&m, 4, -1, -1, 2, (int[]){0, 1}, (double[]){1, 1});
  add_row(&m, 4, 0, 0, 2, (int[]){0, 1}, (double[]){1, -1});
  CHECK(solve(&m, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome != PERP_SOLVED && r.code >= 200, "%s", r.message.text);
  begin(&m, 1); /* x <= 1 and x >= 0 with k = 1: F = x - 2 has no solution, x = 1 is none */
  m.lo[0] = 0;
  m.hi[0] = 1;
  w_row *row = add_row(&m, 5, 0, 0, 1, (int[]){0}, (double[]){1});
  row->k = 1;
  row->body = w_number(&m, -2);
  CHECK(solve(&m, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome != PERP_SOLVED && r.code >= 200, "%s", r.message.text);
  row->k = 3; /* with k = 3 it is one */
  CHECK(solve(&m, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED && x[0] == 1, "%s", r.message.text);
}

static void infeasible_models_name_their_rows(void)
{
  static w_model m;
  double x[W_MOST];
  perp_nl_result r;
  begin(&m, 2); /* 0 <= x with -x_0 - x_1 - 1 >= 0 */
  m.lo[0] = m.lo[1] = 0;
  for (int i = 0; i < 2; i++) {
    w_row *row = add_row(&m, 5, 0, 0, 2, (int[]){0, 1}, (double[]){-1, -1});
    row->k = 1;
    row->partner = i;
    row->body = w_number(&m, -1);
  }
  CHECK(solve(&m, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_INFEASIBLE && r.code == 200 && says(&r, "con"), "%s", r.message.text);
  begin(&m, 1); /* 2 x = 4, x <= 1 */
  m.hi[0] = 1;
  add_row(&m, 4, 4, 4, 1, (int[]){0}, (double[]){2});
  CHECK(solve(&m, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_INFEASIBLE && r.code == 200 && says(&r, "con0"), "%s",
            r.message.text);
}

/* ---- Objectives ---- */

static void programs(void)
{
  static w_model m;
  double x[W_MOST];
  perp_nl_result r;
  begin(&m, 2); /* (x_0 - 3)^2 + 2 x_1^2 + x_0 x_1 - x_1, x_0 + x_1 <= 2 */
  m.goal = (w_row){.kind = 1, .terms = 1, .column = {1}, .coefficient = {-1}};
  m.goal.body = w_apply(&m, 54, 3,
                        w_apply(&m, 5, 2, w_apply(&m, 1, 2, w_variable(&m, 0), w_number(&m, 3), 0),
                                w_number(&m, 2), 0),
                        w_apply(&m, 2, 2, w_number(&m, 2),
                                w_apply(&m, 5, 2, w_variable(&m, 1), w_number(&m, 2), 0), 0),
                        w_apply(&m, 2, 2, w_variable(&m, 0), w_variable(&m, 1), 0));
  add_row(&m, 1, -INFINITY, 2, 2, (int[]){0, 1}, (double[]){1, 1});
  for (int binary = 0; binary < 2; binary++) {
    m.binary = binary;
    CHECK_SAY(solve(&m, x, &r) == PERP_OK, "%s", r.message.text);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
    /* on x_0 + x_1 = 2: f(x_1) = (x_1 + 1)^2 + 2 x_1^2 + (2 - x_1) x_1 - x_1, f' = 4 x_1 + 3 */
    CHECK_CLOSE(x[0], 2.75, 1e-6);
    CHECK_CLOSE(x[1], -0.75, 1e-6);
    CHECK_EQUAL_TEXT(r.kind, "qp");
  }
  m.goal.k = 1; /* maximise: not concave */
  CHECK(solve(&m, x, &r) == PERP_ERROR_UNSUPPORTED && says(&r, "not convex"));
  m.goal.k = 0;
  m.goal.body = w_apply(&m, 44, 1, w_variable(&m, 0), 0, 0);
  CHECK(solve(&m, x, &r) == PERP_ERROR_UNSUPPORTED && says(&r, "not quadratic"));
  m.row[0].kind = 5;
  m.row[0].k = 3;
  CHECK(solve(&m, x, &r) == PERP_ERROR_UNSUPPORTED && says(&r, "MPEC"));
}

/* ---- Bad files ---- */

static char *read_bytes(const char *from, long *length)
{
  FILE *f = fopen(from, "rb");
  CHECK(f != NULL);
  char *bytes = malloc(1 << 20);
  *length = (long)fread(bytes, 1, 1 << 20, f);
  fclose(f);
  return bytes;
}

static void write_bytes(const char *bytes, long length)
{
  FILE *f = fopen(path, "wb");
  CHECK(f && (long)fwrite(bytes, 1, (size_t)length, f) == length);
  fclose(f);
}

/* The file is refused with its line or byte, or read; nothing else. */
static bool is_read(perp_message *why)
{
  perp_nl *model = NULL;
  const perp_error error = perp_nl_read(path, &model, why);
  CHECK((error == PERP_OK) == (model != NULL));
  if (error) {
    const char *place = strstr(why->text, "model.nl:");
    CHECK_SAY(place && (atoi(place + 9) > 0 || strncmp(place + 9, " byte ", 6) == 0), "%s",
              why->text);
  }
  perp_nl_destroy(model);
  return !error;
}

static void broken_files_are_refused(void)
{
  static w_model m;
  open_folder();
  for (int binary = 0; binary < 2; binary++) {
    perp_random r = perp_random_from(77);
    perp_message why;
    equilibrium_of(&m, &r, AMPL, true);
    m.binary = binary;
    w_write(&m, stub);
    long length;
    char *bytes = read_bytes(path, &length), *copy = malloc((size_t)length);
    for (long cut = 0; cut < length - 1; cut++) { /* the last byte of a text may be a newline */
      write_bytes(bytes, cut);
      const bool fine = is_read(&why);
      /* a last number may be shorter and still a number */
      CHECK_SAY(!fine || (!binary && cut > length - 24), "%ld of %ld bytes", cut, length);
    }
    const int share = test_share("mutations", 10);
    for (int k = 0; k < 1000; k += share) {
      memcpy(copy, bytes, (size_t)length);
      for (int e = 1 + below(&r, 3); e > 0; e--)
        copy[below(&r, (int)length)] =
            below(&r, 2) ? "0123456789-+.einfvbCJ \n"[below(&r, 23)] : (char)below(&r, 256);
      write_bytes(copy, length);
      perp_nl *model = NULL;
      if (perp_nl_read(path, &model, &why) == PERP_OK) {
        double x[W_MOST], y[W_MOST];
        perp_nl_start(model, x);
        CHECK(perp_nl_variables(model) <= W_MOST && perp_nl_rows(model) <= W_MOST);
        CHECK(perp_nl_evaluate(model, x, y, &why) == PERP_OK);
        if (k % 20 == 0) {
          perp_nl_options options = perp_nl_options_default();
          perp_nl_result result = perp_nl_result_empty();
          options.restarts = 0;
          options.max_iterations = 20;
          (void)perp_nl_solve(model, &options, x, y, &result);
          double residual;
          if (result.outcome == PERP_SOLVED)
            CHECK(perp_nl_judge(model, x, &residual, NULL, NULL) == PERP_OK && residual <= 1e-6);
        }
      }
      perp_nl_destroy(model);
    }
    free(bytes);
    free(copy);
  }
}

static void refuse_text(const char *from, const char *to, const char *expected)
{
  long length;
  char *bytes = read_bytes(path, &length);
  bytes[length] = 0;
  char *at = strstr(bytes, from);
  CHECK_SAY(at != NULL, "%s", from);
  char *changed = malloc((size_t)length + 200);
  const int made = sprintf(changed, "%.*s%s%s", (int)(at - bytes), bytes, to, at + strlen(from));
  write_bytes(changed, made);
  perp_message why;
  CHECK_SAY(!is_read(&why) && strstr(why.text, expected), "%s: %s", to, why.text);
  write_bytes(bytes, length);
  free(bytes);
  free(changed);
}

static void bad_numbers_are_named(void)
{
  static w_model m;
  open_folder();
  begin(&m, 2);
  m.lo[0] = 0;
  m.hi[0] = 5;
  add_row(&m, 4, 1, 1, 2, (int[]){0, 1}, (double[]){1, 1});
  w_row *row = add_row(&m, 5, 0, 0, 2, (int[]){0, 1}, (double[]){1, 2});
  row->k = 3;
  row->body = w_apply(&m, 44, 1, w_variable(&m, 0), 0, 0);
  w_write(&m, stub);
  refuse_text("0 0 5\n", "0 5 0\n", "between its bounds 5 and 0");
  refuse_text("0 0 5\n", "0 nan 5\n", "between its bounds");
  refuse_text("0 0 5\n", "6 0 5\n", "'6' is not a kind of bound");
  refuse_text("0 0 5\n", "0 zero 5\n", "the lower bound \"zero\" is not a number");
  refuse_text("0 0 5\n", "0 0\n", "the upper bound is missing");
  refuse_text("5 3 1\n", "5 three 1\n", "\"three\" is not a whole number");
  refuse_text("5 3 1\n", "5 3 9\n", "complementary variable 9");
  refuse_text("5 3 1\n", "5 4 1\n", "k of complementarity 4");
  refuse_text(" 2 2 0 0 1", " 2 2000000000 0 0 1",
              "nl:2: number of variables or rows 2000000000 does not fit");
  refuse_text(" 2 2 0 0 1", " 99999999999 2 0 0 1", "rows 99999999999 is not in 0 .. ");
  refuse_text("o44\n", "o99\n", "operator 99");
  refuse_text("o44\n", "o59\n", "count");
  refuse_text("o44\nv0\n", "o44\nv7\n", "variable 7");
  refuse_text("o44\nv0\n", "f0 1\nv0\n", "imported function");
  refuse_text("C0", "F0 1 -1 myfunc\nC0", "imported function myfunc");
  refuse_text("C0", "L0\nC0", "logical");
  refuse_text(" 0 0 0 0 0\n", " 1 0 0 0 0\n", "integer variables");
  refuse_text("J0 2\n", "J0 1\n", "does not begin a segment");
  refuse_text("k1\n", "J0 2\n 0 1\n 1 1\nk1\n", "J comes before segment k");
  refuse_text("J1 2\n", "J0 2\n", "twice");
  refuse_text("g3", "x3", "model.nl:1: ");
  CHECK(remove(path) == 0);
  perp_nl *model = NULL;
  perp_message why;
  CHECK(perp_nl_read(path, &model, &why) == PERP_ERROR_FILE && strstr(why.text, "model.nl"));
}

/* ---- .sol ---- */

static void results_are_written(void)
{
  static w_model m;
  char sol[96];
  open_folder();
  snprintf(sol, sizeof sol, "%s.sol", stub);
  for (int binary = 0; binary < 2; binary++) {
    perp_random r = perp_random_from(7);
    equilibrium_of(&m, &r, AMPL, true);
    m.binary = binary;
    w_write(&m, stub);
    perp_nl *model = read_model();
    double x[W_MOST], y[W_MOST];
    perp_nl_result result = perp_nl_result_empty();
    perp_message why;
    perp_nl_start(model, x);
    CHECK(perp_nl_solve(model, NULL, x, y, &result) == PERP_OK);
    CHECK(perp_nl_sol_write(model, NULL, "two words", 200, x, y, &why) == PERP_OK);
    long length;
    char *bytes = read_bytes(sol, &length);
    if (binary) {
      /* 6 binary 6 | 9 two words 9 | 0 0 | Options ... | y | x | 0 200 */
      const long tail = 4 + 8 + 4, after = 8 + 8L * m.n + tail;
      int32_t end[4];
      memcpy(end, bytes + length - tail, sizeof end);
      CHECK(end[0] == 8 && end[1] == 0 && end[2] == 200 && end[3] == 8);
      CHECK(memcmp(bytes + 4, "binary", 6) == 0 && memcmp(bytes + 18, "two words", 9) == 0);
      CHECK(memcmp(bytes + length - after + 4, x, 8 * (size_t)m.n) == 0);
    } else {
      bytes[length] = 0;
      char *at = strstr(bytes, "Options\n3\n1\n1\n0\n");
      CHECK(strncmp(bytes, "two words\n\n", 11) == 0 && at);
      at += 16;
      for (int k = 0; k < 4; k++)
        CHECK_EQUAL_INT(strtol(at, &at, 10), k < 2 ? m.m : m.n);
      for (int i = 0; i < m.m; i++)
        CHECK(strtod(at, &at) == y[i]);
      for (int j = 0; j < m.n; j++)
        CHECK(strtod(at, &at) == x[j]);
      CHECK_EQUAL_TEXT(at, "\nobjno 0 200\n");
    }
    free(bytes);
    if (geteuid() != 0) { /* no permission: nothing is left behind */
      CHECK(chmod(folder, 0500) == 0);
      CHECK(perp_nl_sol_write(model, NULL, "no", 0, x, y, &why) == PERP_ERROR_FILE);
      CHECK(chmod(folder, 0700) == 0);
    }
    CHECK(perp_nl_sol_write(model, "/nowhere/at/all.sol", "no", 0, x, y, &why) == PERP_ERROR_FILE &&
          strstr(why.text, "/nowhere/at/all.sol"));
    perp_nl_destroy(model);
  }
}

/* ---- AMPL's own library ---- */

static void ampl_agrees(void)
{
#ifndef PERP_HAVE_ASL
  test_skip("AMPL's solver library is not installed");
#else
  static w_model m;
  open_folder();
  for (uint64_t seed = 0; seed < 200; seed++) {
    perp_random r = perp_random_from(9000 + seed);
    expressions_of(&m, &r);
    m.binary = seed % 2;
    w_write(&m, stub);
    perp_nl *model = read_model();
    ASL *asl = ASL_alloc(ASL_read_fg);
    FILE *nl = jac0dim(stub, 0);
    CHECK(nl != NULL);
    want_xpi0 = 1;
    CHECK(fg_read(nl, ASL_return_read_err) == 0);
    double mine[W_MOST], theirs[W_MOST], x[W_MOST], y[W_MOST] = {0};
    fint error = 0;
    conval(X0, theirs, &error);
    CHECK(error == 0 && perp_nl_evaluate(model, X0, mine, NULL) == PERP_OK);
    for (int i = 0; i < m.m; i++)
      CHECK_SAY(fabs(mine[i] - theirs[i]) <= 1e-12 * (1 + fabs(theirs[i])), "seed %d: %.17g %.17g",
                (int)seed, mine[i], theirs[i]);
    for (int i = 0; i < m.m; i++) {
      double weight[W_MOST] = {0};
      weight[i] = 1;
      CHECK(perp_nl_gradient(model, X0, weight, mine, NULL) == PERP_OK);
      congrd(i, X0, theirs, &error);
      CHECK(error == 0);
      for (int j = 0; j < m.n; j++)
        CHECK_SAY(fabs(mine[j] - theirs[j]) <= 1e-10 * (1 + fabs(theirs[j])),
                  "seed %d row %d var %d: %g %g", (int)seed, i, j, mine[j], theirs[j]);
    }
    for (int j = 0; j < m.n; j++)
      x[j] = uniform(&r, -1, 1);
    char sol[96];
    snprintf(sol, sizeof sol, "%s.sol", stub);
    remove(sol); /* else it is flushed to the disk before it is replaced */
    CHECK(perp_nl_sol_write(model, NULL, "hello", 400, x, y, NULL) == PERP_OK);
    real *x_read = NULL, *y_read = NULL;
    char *text = read_soln(&x_read, &y_read);
    CHECK(text && strstr(text, "hello") && x_read);
    CHECK(memcmp(x_read, x, (size_t)m.n * sizeof *x) == 0);
    free(x_read);
    free(y_read);
    ASL_free(&asl);
    perp_nl_destroy(model);
  }
#endif
}

static const test_case tests[] = {
    TEST(values_and_gradients),
    TEST(ampl_agrees),
    TEST(every_dialect_is_solved),
    TEST(judge_at_random_points),
    TEST(what_is_left_over_is_named),
    TEST(equations_are_matched),
    TEST(bounds_do_not_replace_equations),
    TEST(infeasible_models_name_their_rows),
    TEST(programs),
    TEST(broken_files_are_refused),
    TEST(bad_numbers_are_named),
    TEST(results_are_written),
};

TEST_MAIN(tests)
