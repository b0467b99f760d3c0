/* test_kept_random.c: random sequences of solves by one solver, each compared with a new solver
 *
 * A sequence has two matrices of at most 12 rows, which are often singular, degenerate or badly scaled, and one solver.
 * Between solves b, the values of a matrix, the matrix itself, the start and the options change; some solves fail or
 * are cut short. The error, x, the outcome and the residual must have the bits of a new solver. Memory is filled with
 * other numbers each time, so that a read of uninitialised memory shows.
 *
 * test_kept_random [SEQUENCES [FIRST SEED]] */
#include "base/random.h"
#include "test.h"
#include <perp/perp.h>

enum { MOST = 12, STEPS = 6 };

static int sequences = 300;
static uint64_t first_seed = 1000;

/* Blocks begin with zeros, with NaN, or with small numbers. */
static void *take_block(void *context, size_t bytes)
{
  enum { FILLED = 1 << 13 };
  unsigned *taken = context;
  double *block = malloc(bytes);
  const unsigned kind = block ? (*taken)++ % 3 : 0;
  for (size_t k = 0; block && k < bytes / sizeof *block && k < FILLED; k++)
    block[k] = kind == 0 ? 0 : kind == 1 ? NAN : (double)(1 + (7 * k + *taken) % 13);
  return block;
}

static void drop_block(void *context, void *block)
{
  (void)context;
  free(block);
}

/* ---- Problems ---- */

typedef struct matrix {
  int n;
  double a[MOST * MOST], value[MOST * MOST];
  int64_t start[MOST + 1];
  int column[MOST * MOST];
  bool sparse;
  perp_operator *A;
  double lo[MOST], hi[MOST];
  int findex[MOST];
} matrix;

static double number(perp_random *random, int style)
{
  const double u = perp_random_between(random, -1, 1);
  switch (style) {
  case 0:
    return (double)(perp_random_below(random, 7) - 3); /* ties */
  case 1:
    return u * ldexp(1, 40 * (perp_random_below(random, 3) - 1));
  default:
    return u;
  }
}

/* Fills m->a: definite, semi-definite, skew plus definite, or anything; sometimes with zeros. */
static void draw_values(matrix *m, perp_random *random)
{
  const int n = m->n, kind = perp_random_below(random, 5), style = perp_random_below(random, 4);
  const int rank = kind == 1 ? 1 + n / 2 : n;
  double g[MOST * MOST];
  for (int k = 0; k < n * n; k++)
    g[k] = perp_random_below(random, 4) ? number(random, style) : 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < rank; k++)
        s += g[i * n + k] * g[j * n + k];
      if (kind == 2)
        s += i < j ? g[i * n + j] : i > j ? -g[j * n + i] : 0;
      m->a[i * n + j] = kind == 3 ? g[i * n + j] : s + (i == j && kind != 1 ? 0.1 : 0);
    }
}

/* Copies the values into the arrays of the operator, which has the pattern of the first draw. */
static void store_values(matrix *m)
{
  for (int i = 0; m->sparse && i < m->n; i++)
    for (int64_t k = m->start[i]; k < m->start[i + 1]; k++)
      m->value[k] = m->a[i * m->n + m->column[k]];
}

static void open_matrix(matrix *m, perp_random *random)
{
  m->n = 1 + perp_random_below(random, MOST);
  m->sparse = perp_random_below(random, 2);
  draw_values(m, random);
  int64_t count = 0;
  m->start[0] = 0;
  for (int i = 0; i < m->n; i++) {
    for (int j = 0; j < m->n; j++)
      if (i == j || m->a[i * m->n + j] != 0)
        m->column[count++] = j;
    m->start[i + 1] = count;
  }
  store_values(m);
  CHECK((m->sparse
             ? perp_operator_csr(m->n, m->start, m->column, m->value, PERP_BORROW, &m->A, NULL)
             : perp_operator_dense(m->n, m->a, m->n, PERP_BORROW, &m->A, NULL)) == PERP_OK);
  for (int i = 0; i < m->n; i++) {
    const int kind = perp_random_below(random, 4);
    m->lo[i] = kind == 3 ? -INFINITY : kind == 2 ? -1 : 0;
    m->hi[i] = kind == 1 || kind == 2 ? 1 : INFINITY;
    m->findex[i] = -1;
  }
}

/* ---- Steps ---- */

typedef struct stop {
  int64_t at;
} stop;

static bool observe(void *context, const perp_progress *progress)
{
  return progress->iteration < ((const stop *)context)->at;
}

typedef struct pair {
  const char *method;
  perp_solver *kept;
  int sequence, step;
} pair;

static void both(const pair *w, const perp_problem *p, const perp_options *options, double *x)
{
  const size_t bytes = (size_t)p->K.n * sizeof *x;
  double v[MOST] = {0}, low[2][MOST] = {{0}};
  perp_solver *fresh = NULL;
  perp_options o = *options;
  perp_result r = perp_result_empty(), s = perp_result_empty();
  memcpy(v, x, bytes);
  CHECK(perp_solver_create(w->method, &fresh, NULL) == PERP_OK);
  o.x_low = options->x_low ? low[0] : NULL;
  const perp_error error = perp_solver_solve(w->kept, p, &o, x, &r);
  o.x_low = options->x_low ? low[1] : NULL;
  const perp_error expected = perp_solver_solve(fresh, p, &o, v, &s);
  CHECK_SAY(error == expected && r.outcome == s.outcome, "%s, seed %d, step %d: %s %s, new: %s %s",
            w->method, w->sequence, w->step, perp_error_name(error), perp_outcome_name(r.outcome),
            perp_error_name(expected), perp_outcome_name(s.outcome));
  CHECK_SAY(memcmp(x, v, bytes) == 0 && memcmp(low[0], low[1], bytes) == 0 &&
                (r.residual == s.residual || (isnan(r.residual) && isnan(s.residual))),
            "%s, seed %d, step %d, n = %d: other bits than a new solver, residual %g and %g",
            w->method, w->sequence, w->step, p->K.n, r.residual, s.residual);
  perp_solver_destroy(fresh);
}

/* Other values; sometimes with a NaN, which the operator refuses, and then valid ones. */
static void refresh(matrix *m, perp_random *random)
{
  if (perp_random_below(random, 5) == 0) {
    const double before = m->a[0];
    m->a[0] = NAN;
    store_values(m);
    CHECK(perp_operator_refresh(m->A, NULL) != PERP_OK);
    m->a[0] = before;
  }
  if (perp_random_below(random, 2))
    draw_values(m, random);
  else
    for (int k = 0; k < m->n * m->n; k++)
      m->a[k] *= 1.25;
  store_values(m);
  CHECK(perp_operator_refresh(m->A, NULL) == PERP_OK);
}

static void run_sequence(int sequence)
{
  perp_random random = perp_random_from((uint64_t)sequence);
  const perp_method_info info = perp_method_at(perp_random_below(&random, perp_method_count()));
  matrix m[2];
  pair w = {.method = info.name, .sequence = sequence};
  CHECK(perp_solver_create(w.method, &w.kept, NULL) == PERP_OK);
  double b[MOST], x[MOST] = {0};
  for (int k = 0; k < 2; k++)
    open_matrix(&m[k], &random);
  int which = 0;
  bool drawn = false;
  for (w.step = 0; w.step < STEPS; w.step++) {
    if (perp_random_below(&random, 4) == 0)
      which = 1 - which;
    matrix *a = &m[which];
    if (perp_random_below(&random, 3) == 0)
      refresh(a, &random);
    if (!drawn || perp_random_below(&random, 3))
      for (int i = 0, style = perp_random_below(&random, 4); i < MOST; i++)
        b[i] = number(&random, style);
    drawn = true;
    const int start = perp_random_below(&random, 4);
    for (int i = 0; i < MOST; i++)
      x[i] = start == 0 || !isfinite(x[i]) ? 0 : start == 1 ? number(&random, 2) : x[i];
    if (perp_random_below(&random, 20) == 0)
      x[0] = NAN; /* refused */
    stop when = {1 + perp_random_below(&random, 4)};
    perp_options options = perp_options_default();
    const double tolerances[] = {1e-8, 1e-12, 1e-3, 0};
    options.tol = tolerances[perp_random_below(&random, 4)];
    options.max_iterations =
        perp_random_below(&random, 3) ? 300 : 1 + perp_random_below(&random, 5);
    options.check_every = perp_random_below(&random, 4) ? 0 : 1;
    if (perp_random_below(&random, 6) == 0) {
      options.observer = observe;
      options.observer_context = &when;
    }
    double low[MOST];
    if (perp_random_below(&random, 6) == 0)
      options.x_low = low;
    const bool plain = perp_random_below(&random, 2);
    const perp_problem p =
        plain ? perp_problem_lcp(a->A, b) : perp_problem_boxed(a->A, b, a->lo, a->hi);
    both(&w, &p, &options, x);
  }
  perp_solver_destroy(w.kept);
  for (int k = 0; k < 2; k++)
    perp_operator_destroy(m[k].A);
}

static void a_used_solver_has_the_bits_of_a_new_one(void)
{
  for (int k = 0; k < sequences; k++)
    run_sequence((int)first_seed + k);
}

int main(int argc, char **argv)
{
  static unsigned taken;
  static const test_case cases[] = {TEST(a_used_solver_has_the_bits_of_a_new_one)};
  perp_memory_hooks hooks = perp_memory_hooks_default();
  hooks.allocate = take_block;
  hooks.release = drop_block;
  hooks.context = &taken;
  if (perp_memory_hooks_install(&hooks, NULL) != PERP_OK)
    return 2;
  if (argc > 1)
    sequences = atoi(argv[1]);
  if (argc > 2)
    first_seed = (uint64_t)atoll(argv[2]);
  return test_main(1, argv, cases, 1);
}
