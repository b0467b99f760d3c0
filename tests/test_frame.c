/* Islands against a search through the dense matrix and against the parts they were assembled from;
 * contacts carried by id against a naive search; ODE's interface against ODE's conditions. */
#include "problems.h"
#include "test.h"

#include "operator/operator.h"
#include <perp/frame.h>
#include <perp/ode.h>

enum { MOST = 120 };

/* A frame of islands that are made for it. */
static perp_error solve_islands(const char *method, const perp_problem *p,
                                const perp_options *options, double *x, perp_result *result)
{
  perp_islands *islands = NULL;
  const perp_error error = perp_islands_create(method, &islands, &result->message);
  if (error)
    return error;
  const perp_error solved = perp_islands_solve(islands, p, options, x, result);
  perp_islands_destroy(islands);
  return solved;
}

/* Several random problems as one: parts[k] owns row i if owner[i] = k, in its own order. */
typedef struct mixture {
  int n, parts;
  int owner[MOST], inner[MOST];
  perp_instance part[8];
  double a[MOST * MOST], b[MOST], lo[MOST], hi[MOST], x[MOST];
  int findex[MOST];
} mixture;

static void mixture_make(perp_form form, uint64_t seed, mixture *m)
{
  perp_random random = perp_random_from(seed);
  int left[8], at[8] = {0}, size[8];
  m->parts = 1 + perp_random_below(&random, 8);
  m->n = 0;
  for (int k = 0; k < m->parts; k++) {
    size[k] = left[k] = 3 * (1 + perp_random_below(&random, 4));
    m->part[k] = problem_random(size[k], form, 1, seed * 16 + (uint64_t)k);
    m->n += size[k];
  }
  int place[8][MOST];
  for (int i = 0; i < m->n; i++) {
    int k;
    do
      k = perp_random_below(&random, m->parts);
    while (left[k] == 0);
    left[k]--;
    m->owner[i] = k;
    m->inner[i] = at[k];
    place[k][at[k]++] = i;
  }
  memset(m->a, 0, sizeof m->a);
  for (int i = 0; i < m->n; i++) {
    const perp_instance *p = &m->part[m->owner[i]];
    const double *a;
    int64_t stride;
    CHECK(perp_operator_dense_array(p->A, &a, &stride) == PERP_OK);
    const int inner = m->inner[i];
    for (int j = 0; j < size[m->owner[i]]; j++)
      m->a[i * m->n + place[m->owner[i]][j]] = a[inner * stride + j];
    m->b[i] = p->b[inner];
    m->x[i] = p->x[inner];
    m->lo[i] = p->lo ? p->lo[inner] : 0;
    m->hi[i] = p->hi ? p->hi[inner] : INFINITY;
    m->findex[i] = p->findex && p->findex[inner] >= 0 ? place[m->owner[i]][p->findex[inner]] : -1;
  }
}

static void mixture_free(mixture *m)
{
  for (int k = 0; k < m->parts; k++)
    perp_instance_destroy(&m->part[k]);
}

/* Depth-first through the dense matrix. */
static void visit(const mixture *m, int i, int number, int *island)
{
  if (island[i] >= 0)
    return;
  island[i] = number;
  for (int j = 0; j < m->n; j++)
    if (m->a[i * m->n + j] != 0 || m->a[j * m->n + i] != 0 || m->findex[i] == j ||
        m->findex[j] == i)
      visit(m, j, number, island);
}

static const perp_form forms[] = {PERP_FORM_LCP, PERP_FORM_MIXED, PERP_FORM_BOXED,
                                  PERP_FORM_FINDEX};

static void islands_are_those_of_a_search(void)
{
  static mixture m;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    mixture_make(forms[seed % 4], seed, &m);
    perp_operator *dense = NULL, *csr = NULL;
    CHECK(perp_operator_dense(m.n, m.a, m.n, PERP_BORROW, &dense, NULL) == PERP_OK);
    CHECK(perp_operator_to_csr(dense, 0, &csr, NULL) == PERP_OK);
    int expected[MOST], seen[MOST], count = -1, numbers = 0;
    memset(expected, -1, sizeof expected);
    for (int i = 0; i < m.n; i++)
      if (expected[i] < 0)
        visit(&m, i, numbers++, expected);
    for (int kind = 0; kind < 2; kind++) {
      const perp_problem p = perp_problem_friction(kind ? csr : dense, m.b, m.lo, m.hi, m.findex);
      CHECK(perp_islands_find(&p, seen, &count, NULL) == PERP_OK);
      CHECK_EQUAL_INT(count, numbers);
      for (int i = 0; i < m.n; i++)
        CHECK_EQUAL_INT(seen[i], expected[i]);
    }
    perp_operator_destroy(dense);
    perp_operator_destroy(csr);
    mixture_free(&m);
  }
}

/* The parts' solutions are planted and unique, because the matrices are diagonally dominant. */
static void islands_solve_to_what_was_planted(void)
{
  static mixture m;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    mixture_make(forms[seed % 4], seed, &m);
    perp_operator *dense = NULL, *csr = NULL;
    CHECK(perp_operator_dense(m.n, m.a, m.n, PERP_BORROW, &dense, NULL) == PERP_OK);
    CHECK(perp_operator_to_csr(dense, 0, &csr, NULL) == PERP_OK);
    for (int kind = 0; kind < 2; kind++) {
      const perp_problem p = perp_problem_friction(kind ? csr : dense, m.b, m.lo, m.hi, m.findex);
      double x[2][MOST] = {{0}};
      for (int threads = 1; threads <= 2; threads++) {
        perp_options options = perp_options_default();
        options.threads = threads;
        perp_result result = perp_result_empty();
        CHECK(solve_islands("pgs", &p, &options, x[threads - 1], &result) == PERP_OK);
        CHECK_SAY(result.outcome == PERP_SOLVED, "%s", result.message.text);
        CHECK(result.counts.checks >= m.parts);
      }
      CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
      for (int i = 0; i < m.n; i++)
        CHECK_CLOSE(x[0][i], m.x[i], 1e-6);
    }
    perp_operator_destroy(dense);
    perp_operator_destroy(csr);
    mixture_free(&m);
  }
}

/* ---- Scenes side by side ---- */

/* `copies` of a scene with cones, contacts interleaved: each copy must have exactly the bits of the
 * single scene. */
static void islands_of_a_contact_operator_are_the_scenes(void)
{
  enum { COPIES = 3 };
  perp_instance scene;
  perp_message why = {{0}};
  CHECK_SAY(perp_generate("pile:n=12,form=cone,operator=contact,jitter=0.1", &scene, &why) ==
                PERP_OK,
            "%s", why.text);
  perp_contact_data d = perp_contact_data_default();
  CHECK(perp_operator_contact_data(scene.A, &d) == PERP_OK);
  CHECK(scene.cones > 0 && 3 * scene.cones == d.rows);
  const size_t rows = (size_t)d.rows * COPIES, entries = (size_t)d.J_start[d.rows] * COPIES;
  int64_t *start = calloc(rows + 1, sizeof *start);
  int *column = calloc(entries + 1, sizeof *column);
  double *value = calloc(entries + 1, sizeof *value), *b = calloc(rows, sizeof *b),
         *mu = calloc(rows, sizeof *mu), *x = calloc(rows, sizeof *x);
  size_t numbers = 0;
  for (int k = 0; k < d.blocks; k++)
    numbers += (size_t)((d.block_start[k + 1] - d.block_start[k]) *
                        (d.block_start[k + 1] - d.block_start[k]));
  double *Minv = calloc(numbers * COPIES, sizeof *Minv);
  int *block_start = calloc((size_t)d.blocks * COPIES + 1, sizeof *block_start);
  CHECK(start && column && value && b && mu && x && Minv && block_start);
  for (int copy = 0; copy < COPIES; copy++) {
    memcpy(Minv + (size_t)copy * numbers, d.Minv, numbers * sizeof *Minv);
    for (int k = 0; k <= d.blocks; k++)
      block_start[copy * d.blocks + k] = copy * d.velocities + d.block_start[k];
  }
  int64_t at = 0;
  for (int i = 0, row = 0; i < d.rows; i += 3)
    for (int copy = 0; copy < COPIES; copy++) {
      mu[row / 3] = scene.mu[i / 3];
      for (int k = 0; k < 3; k++, row++) {
        b[row] = scene.b[i + k];
        for (int64_t e = d.J_start[i + k]; e < d.J_start[i + k + 1]; e++) {
          column[at] = copy * d.velocities + d.J_column[e];
          value[at++] = d.J_value[e];
        }
        start[row + 1] = at;
      }
    }
  const perp_contact_data all = {.size = sizeof(perp_contact_data),
                                 .rows = d.rows * COPIES,
                                 .velocities = d.velocities * COPIES,
                                 .J_start = start,
                                 .J_column = column,
                                 .J_value = value,
                                 .blocks = d.blocks * COPIES,
                                 .block_start = block_start,
                                 .Minv = Minv};
  perp_operator *A = NULL;
  CHECK_SAY(perp_operator_contact(&all, PERP_BORROW, &A, &why) == PERP_OK, "%s", why.text);
  const perp_problem p = perp_problem_cone(A, b, mu), one = perp_instance_problem(&scene);
  int *island = calloc(rows, sizeof *island), count = 0;
  CHECK(perp_islands_find(&p, island, &count, NULL) == PERP_OK);
  int alone = 0;
  int *single = calloc((size_t)d.rows, sizeof *single);
  CHECK(perp_islands_find(&one, single, &alone, NULL) == PERP_OK);
  CHECK_EQUAL_INT(count, COPIES * alone);

  double *expected = calloc((size_t)d.rows, sizeof *expected);
  perp_result result = perp_result_empty();
  CHECK(solve_islands("bgs", &one, NULL, expected, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  perp_options options = perp_options_default();
  options.threads = 2;
  CHECK(solve_islands("bgs", &p, &options, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s", result.message.text);
  for (int i = 0, row = 0; i < d.rows; i += 3)
    for (int copy = 0; copy < COPIES; copy++)
      for (int k = 0; k < 3; k++, row++)
        CHECK(x[row] == expected[i + k]);
  perp_operator_destroy(A);
  perp_instance_destroy(&scene);
  void *blocks[] = {start, column, value, b, mu, x, Minv, island, single, expected, block_start};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    free(blocks[k]);
}

static void islands_that_fail_are_named(void)
{
  /* Row 1 has no solution: y_1 = -1. */
  double a[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1}, x[3] = {0};
  const double b[3] = {-1, -1, 2};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(3, a, 3, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_result result = perp_result_empty();
  CHECK(solve_islands("lemke", &p, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome != PERP_SOLVED);
  CHECK_SAY(strstr(result.message.text, "first row 1") != NULL, "%s", result.message.text);
  CHECK(x[0] == 1 && x[2] == 0);
  CHECK(result.outcome == PERP_RAY || result.outcome == PERP_INFEASIBLE);
  /* Row 1 is refused: sweeps need a positive diagonal. */
  a[4] = -1;
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
  x[0] = x[2] = 0.25;
  CHECK(solve_islands("pgs", &p, NULL, x, &result) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(result.message.text, "first row 1") != NULL, "%s", result.message.text);
  CHECK(x[0] == 0.25 && x[2] == 0.25); /* although row 0 could be solved */
  CHECK(solve_islands("nonsense", &p, NULL, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(solve_islands("pgs", &p, NULL, NULL, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_islands_solve(NULL, &p, NULL, x, &result) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(A);
}

/* ---- Contacts that come back ---- */

static void contacts_carry_their_forces(void)
{
  perp_random random = perp_random_from(7);
  for (int trial = 0; trial < 300; trial++) {
    enum { CONTACTS = 30, WIDTH = 3 };
    uint64_t old_id[CONTACTS], id[CONTACTS];
    double old_x[CONTACTS * WIDTH], x[CONTACTS * WIDTH];
    bool taken[CONTACTS] = {false};
    const int old_count = perp_random_below(&random, CONTACTS + 1),
              count = perp_random_below(&random, CONTACTS + 1);
    for (int c = 0; c < CONTACTS; c++) {
      old_id[c] = (uint64_t)perp_random_below(&random, 25) << 40;
      id[c] = (uint64_t)perp_random_below(&random, 25) << 40;
    }
    for (int k = 0; k < CONTACTS * WIDTH; k++) {
      old_x[k] = k + 1;
      x[k] = -1;
    }
    int found = -1, expected = 0;
    CHECK(perp_contacts_carry(WIDTH, old_count, old_id, old_x, count, id, x, &found, NULL) ==
          PERP_OK);
    for (int c = 0; c < count; c++) {
      int from = -1; /* the first with this id that is still free */
      for (int o = 0; o < old_count && from < 0; o++)
        if (old_id[o] == id[c] && !taken[o])
          from = o;
      if (from >= 0) {
        taken[from] = true;
        expected++;
      }
      for (int k = 0; k < WIDTH; k++)
        CHECK(x[c * WIDTH + k] == (from < 0 ? 0 : old_x[from * WIDTH + k]));
    }
    CHECK_EQUAL_INT(found, expected);
    for (int k = count * WIDTH; k < CONTACTS * WIDTH; k++)
      CHECK(x[k] == -1);
  }
  double x = 0;
  const uint64_t id = 1;
  CHECK(perp_contacts_carry(0, 0, NULL, NULL, 1, &id, &x, NULL, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_contacts_carry(1, 1, NULL, NULL, 1, &id, &x, NULL, NULL) == PERP_ERROR_ARGUMENT);
}

/* ---- ODE's interface ---- */

/* The conditions of the header, row by row, up to `slack`. */
static void check_ode(int n, const double *a, const double *x, const double *b, const double *w,
                      int nub, const double *lo, const double *hi, const int *findex, double slack)
{
  const int stride = n > 1 ? (n + 3) / 4 * 4 : 1;
  for (int i = 0; i < n; i++) {
    double sum = -b[i];
    for (int j = 0; j < n; j++)
      sum += a[j <= i ? i * stride + j : j * stride + i] * x[j];
    CHECK_CLOSE(sum, w[i], slack);
    const bool friction = i >= nub && findex && findex[i] >= 0;
    const double high = i < nub ? INFINITY : friction ? hi[i] * fabs(x[findex[i]]) : hi[i];
    const double low = i < nub ? -INFINITY : friction ? -high : lo[i];
    CHECK(x[i] >= low - slack && x[i] <= high + slack);
    if (x[i] > low + slack)
      CHECK_SAY(w[i] <= slack, "row %d: x = %g above %g, w = %g", i, x[i], low, w[i]);
    if (x[i] < high - slack)
      CHECK_SAY(w[i] >= -slack, "row %d: x = %g below %g, w = %g", i, x[i], high, w[i]);
  }
}

/* One solver for all: data left in its memory by earlier problems changes nothing. */
static perp_ode *ode;

/* perp_ode_solve, and the same bits from a new solver for this problem. */
static perp_outcome solve_ode(int n, const double *a, double *x, const double *b, double *w,
                              int nub, const double *lo, const double *hi, const int *findex,
                              perp_error expected)
{
  perp_result result = perp_result_empty(), again = perp_result_empty();
  perp_ode *fresh = NULL;
  double *other = calloc((size_t)n + 1, sizeof *other);
  if (!ode)
    CHECK(perp_ode_create(NULL, &ode, NULL) == PERP_OK);
  CHECK(other && perp_ode_create(NULL, &fresh, NULL) == PERP_OK);
  const perp_error error = perp_ode_solve(ode, n, a, x, b, w, nub, lo, hi, findex, NULL, &result);
  CHECK(result.outcome != PERP_SOLVED || result.relative_residual <= 1e-10); /* as ode.h says */
  CHECK_SAY(error == expected, "%s: %s", perp_error_name(error), result.message.text);
  CHECK(!error || (result.outcome == PERP_NOT_RUN && result.message.text[0]));
  CHECK(perp_ode_solve(fresh, n, a, other, b, NULL, nub, lo, hi, findex, NULL, &again) == error);
  CHECK(again.outcome == result.outcome);
  CHECK(n <= 0 || memcmp(x, other, (size_t)n * sizeof *x) == 0);
  perp_ode_destroy(fresh);
  free(other);
  return result.outcome;
}

static void ode_solve_keeps_the_conditions_of_ode(void)
{
  for (uint64_t seed = 1; seed <= 300; seed++) {
    perp_random random = perp_random_from(seed);
    const int n = 1 + perp_random_below(&random, 40), nub = perp_random_below(&random, n + 1),
              stride = perp_ode_stride(n), rank = n + 2;
    CHECK(stride >= n && (n == 1 ? stride == 1 : stride % 4 == 0));
    double a[40 * 40], g[42 * 40], b[40], x[40], w[40], lo[40], hi[40];
    int findex[40];
    for (int k = 0; k < rank * n; k++)
      g[k] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < stride; j++) {
        a[i * stride + j] = j < n ? (i == j) * 0.1 : NAN; /* padding is not read, */
        for (int k = 0; j < n && k < rank; k++)
          a[i * stride + j] += g[k * n + i] * g[k * n + j];
      }
      for (int j = 0; j < i; j++)
        a[j * stride + i] = NAN; /* nor what is above the diagonal */
      b[i] = perp_random_between(&random, -1, 1);
      lo[i] = i % 3 == 0 ? 0 : -0.5;
      hi[i] = i % 3 == 0 ? INFINITY : 0.5;
      findex[i] = i % 3 != 0 && i - i % 3 >= nub ? i - i % 3 : -1;
    }
    double before[40 * 40];
    memcpy(before, a, sizeof before);
    const perp_outcome outcome =
        solve_ode(n, a, x, b, w, nub, lo, hi, seed % 4 ? findex : NULL, PERP_OK);
    CHECK_SAY(outcome == PERP_SOLVED, "seed %d: %s", (int)seed, perp_outcome_name(outcome));
    CHECK(memcmp(before, a, (size_t)(n * stride) * sizeof *a) == 0);
    check_ode(n, a, x, b, w, nub, lo, hi, seed % 4 ? findex : NULL, 1e-8);
  }
}

static void ode_solve_refuses_what_is_no_problem(void)
{
  double a[4] = {NAN}, b[1] = {1}, x[1] = {5}, lo[1] = {0}, hi[1] = {1};
  const int findex[1] = {7};
  const perp_error problem = PERP_ERROR_PROBLEM, argument = PERP_ERROR_ARGUMENT;
  CHECK(solve_ode(1, a, x, b, NULL, 0, lo, hi, NULL, problem) == PERP_NOT_RUN);
  CHECK(x[0] == 0);
  a[0] = 1;
  CHECK(solve_ode(1, a, x, b, NULL, 0, lo, hi, NULL, PERP_OK) == PERP_SOLVED);
  CHECK(x[0] == 1);
  CHECK(solve_ode(1, a, x, b, NULL, 0, lo, hi, findex, problem) == PERP_NOT_RUN);
  CHECK(solve_ode(1, a, x, b, NULL, 0, hi, lo, NULL, problem) == PERP_NOT_RUN);
  CHECK(solve_ode(1, a, x, b, NULL, 2, lo, hi, NULL, argument) == PERP_NOT_RUN);
  CHECK(solve_ode(1, NULL, x, b, NULL, 0, lo, hi, NULL, argument) == PERP_NOT_RUN);
  CHECK(solve_ode(-1, a, x, b, NULL, 0, lo, hi, NULL, argument) == PERP_NOT_RUN);
  CHECK(solve_ode(1, a, x, b, NULL, 1, NULL, NULL, NULL, PERP_OK) == PERP_SOLVED);
  CHECK(solve_ode(0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, PERP_OK) == PERP_SOLVED);
  perp_result result = perp_result_empty();
  CHECK(perp_ode_solve(NULL, 1, a, x, b, NULL, 0, lo, hi, NULL, NULL, &result) == argument);
  CHECK(perp_ode_solve(ode, 1, a, x, b, NULL, 0, lo, hi, NULL, NULL, NULL) == argument);
  perp_ode_destroy(ode);
  ode = NULL;
  perp_ode *none = NULL;
  perp_message why;
  CHECK(perp_ode_create("nonsense", &none, &why) == argument && !none);
  CHECK_SAY(strstr(why.text, "nonsense"), "%s", why.text);
  CHECK(perp_ode_create("mg", &none, &why) == PERP_ERROR_UNSUPPORTED && !none);
  CHECK_EQUAL_TEXT(why.text, "mg does not take friction indices");
}

/* Another method, its parameters and options. */
static void ode_takes_methods_and_options(void)
{
  const double a[4] = {2, 0, 1, 2}, b[2] = {1, 1}, lo[2] = {0, 0}, hi[2] = {9, 9};
  double x[2];
  perp_ode *psor = NULL;
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  CHECK(perp_ode_create("psor", &psor, NULL) == PERP_OK);
  int64_t sweeps[2];
  for (int k = 0; k < 2; k++) {
    /* 2 is not a valid stride of ODE: rows are 4 apart */
    const double wide[8] = {a[0], a[1], 0, 0, a[2], a[3], 0, 0};
    CHECK(perp_solver_set(perp_ode_solver(psor), "omega", k ? 0.2 : 1, NULL) == PERP_OK);
    CHECK(perp_ode_solve(psor, 2, wide, x, b, NULL, 0, lo, hi, NULL, &options, &result) == PERP_OK);
    CHECK(result.outcome == PERP_SOLVED && strcmp(result.method, "psor") == 0);
    CHECK_CLOSE(x[0], 1 / 3.0, 1e-7);
    sweeps[k] = result.counts.sweeps;
  }
  CHECK(sweeps[1] > 2 * sweeps[0]);
  perp_ode_destroy(psor);
  CHECK(perp_ode_solver(NULL) == NULL);
  perp_ode_destroy(NULL);
}

/* Random impulses on two groups of bodies: afterwards no island has gained energy, x is a multiple of
 * the old one in each island, and an island that gained none keeps its x. */
static void limited_impulses_add_no_energy(void)
{
  enum { ROWS = 12, VELOCITIES = 8 }; /* each half of the rows touches one half of the bodies */
  int limited_ever = 0, kept_ever = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    perp_random random = perp_random_from(seed);
    int64_t start[ROWS + 1];
    int column[2 * ROWS];
    double J[2 * ROWS], Minv[VELOCITIES], v[VELOCITIES], x[ROWS], y[ROWS], mu[ROWS / 3];
    const double b[ROWS] = {0};
    for (int j = 0; j < VELOCITIES; j++) {
      Minv[j] = exp(perp_random_between(&random, -6, 6));
      v[j] = perp_random_between(&random, -1, 1);
    }
    for (int i = 0; i <= ROWS; i++)
      start[i] = 2 * i;
    for (int e = 0; e < 2 * ROWS; e++) {
      column[e] = 4 * (e / ROWS) + 2 * (e % 2) + perp_random_below(&random, 2);
      J[e] = perp_random_between(&random, -1, 1);
    }
    const double size = exp(perp_random_between(&random, -12, 4));
    for (int c = 0; c < ROWS / 3; c++) {
      mu[c] = 0.5;
      x[3 * c] = size * perp_random_uniform(&random) + 1e-9;
      x[3 * c + 1] = 0.4 * x[3 * c];
      x[3 * c + 2] = -0.2 * x[3 * c];
    }
    memcpy(y, x, sizeof y);
    perp_contact_data data = perp_contact_data_default();
    data.rows = ROWS;
    data.velocities = data.blocks = VELOCITIES;
    data.J_start = start;
    data.J_column = column;
    data.J_value = J;
    data.Minv = Minv;
    perp_operator *A = NULL;
    perp_message why = {{0}};
    CHECK_SAY(perp_operator_contact(&data, PERP_COPY, &A, &why) == PERP_OK, "%s", why.text);
    const perp_set K = {.n = ROWS, .cones = ROWS / 3, .mu = mu};
    const perp_problem p = {.A = A, .b = b, .K = K};
    int limited = -1, found = 0, island[ROWS], count;
    CHECK_SAY(perp_contacts_limit(&p, v, x, &limited, &why) == PERP_OK, "%s", why.text);
    CHECK(perp_islands_find(&p, island, &count, &why) == PERP_OK);
    for (int k = 0; k < count; k++) {
      double gained[2] = {0, 0}, s = -1;
      for (int after = 0; after < 2; after++) {
        double impulse[VELOCITIES] = {0};
        for (int e = 0; e < 2 * ROWS; e++)
          if (island[e / 2] == k)
            impulse[column[e]] += J[e] * (after ? x : y)[e / 2];
        for (int j = 0; j < VELOCITIES; j++)
          gained[after] += v[j] * impulse[j] + 0.5 * Minv[j] * impulse[j] * impulse[j];
      }
      for (int i = 0; i < ROWS; i++)
        if (island[i] == k) {
          s = s < 0 ? x[i] / y[i] : s;
          CHECK_CLOSE(x[i], s * y[i], 1e-12 * fabs(y[i]));
        }
      CHECK_SAY(gained[1] <= 1e-12 * fabs(gained[0]), "seed %d: %g", (int)seed, gained[1]);
      CHECK(gained[0] > 0 ? s < 1 : s == 1);
      found += s < 1;
    }
    CHECK_EQUAL_INT(limited, found);
    limited_ever += found;
    kept_ever += count - found;
    CHECK(perp_contacts_limit(&p, NULL, x, NULL, &why) == PERP_ERROR_ARGUMENT);
    perp_operator_destroy(A);
  }
  CHECK_SAY(limited_ever > 50 && kept_ever > 50, "%d limited, %d kept", limited_ever, kept_ever);
}

static const test_case TESTS[] = {
    TEST(islands_are_those_of_a_search),
    TEST(islands_solve_to_what_was_planted),
    TEST(islands_of_a_contact_operator_are_the_scenes),
    TEST(islands_that_fail_are_named),
    TEST(contacts_carry_their_forces),
    TEST(ode_solve_keeps_the_conditions_of_ode),
    TEST(ode_solve_refuses_what_is_no_problem),
    TEST(ode_takes_methods_and_options),
    TEST(limited_impulses_add_no_energy),
};
TEST_MAIN(TESTS)
