/* primal against matrices multiplied out here, enumeration, pivoting and planted answers; its block
 * factor against dense elimination; and the lines that refuse what it cannot do. */
#include "base/memory.h"
#include "base/random.h"
#include "linalg/block_factor.h"
#include "test.h"
#include <perp/perp.h>

/* ---- Random contact problems ---- */

enum { MAX_ROWS = 320, MAX_BODIES = 24, MAX_SIZE = 9 };
enum { MAX_VELOCITIES = MAX_BODIES * MAX_SIZE };

typedef struct shape {
  int bodies, size; /* size 0: any of 1 .. 9 */
  int rows;         /* a multiple of 3 with friction */
  perp_form form;   /* */
  double compliance;
  double ratio;   /* of masses, between the lightest and the heaviest */
  bool redundant; /* rows come twice */
  bool locked;    /* the first body does not move */
  bool planted;   /* b from an x and y of size 1, so that x stays so however small C is */
} shape;

typedef struct sample {
  perp_operator *A;
  double *a; /* A multiplied out */
  double b[MAX_ROWS], lo[MAX_ROWS], hi[MAX_ROWS], mu[MAX_ROWS / 3 + 1];
  int findex[MAX_ROWS];
  perp_problem p;
} sample;

/* Symmetric and definite, about 1 / mass. */
static void random_Minv(perp_random *random, int size, double mass, double *M)
{
  double B[MAX_SIZE * MAX_SIZE];
  for (int k = 0; k < size * size; k++)
    B[k] = perp_random_between(random, -1, 1);
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? 0.3 : 0;
      for (int k = 0; k < size; k++)
        sum += B[i * size + k] * B[j * size + k];
      M[i * size + j] = M[j * size + i] = sum / mass;
    }
}

static void make_bounds(const shape *h, perp_random *random, sample *s)
{
  const int n = h->rows;
  for (int i = 0; i < n; i++) {
    s->b[i] = perp_random_between(random, -1, 0.5);
    s->lo[i] = 0;
    s->hi[i] = INFINITY;
    s->findex[i] = -1;
    if (h->form == PERP_FORM_MIXED && i % 3 == 0)
      s->lo[i] = -INFINITY;
    if (h->form == PERP_FORM_BOXED) {
      s->lo[i] = perp_random_between(random, -1, 0);
      s->hi[i] = perp_random_between(random, 0, 1);
    }
    if (h->form == PERP_FORM_FINDEX && i % 3 != 0) {
      s->lo[i] = -0.5;
      s->hi[i] = 0.5;
      s->findex[i] = i - i % 3;
    }
    s->mu[i / 3] = perp_random_between(random, 0.1, 0.8);
  }
  s->p = perp_problem_lcp(s->A, s->b);
  if (h->form == PERP_FORM_CONE)
    s->p = perp_problem_cone(s->A, s->b, s->mu);
  else if (h->form == PERP_FORM_FINDEX)
    s->p = perp_problem_friction(s->A, s->b, s->lo, s->hi, s->findex);
  else if (h->form != PERP_FORM_LCP)
    s->p = perp_problem_boxed(s->A, s->b, s->lo, s->hi);
}

/* b = y - A x */
static void plant(const shape *h, perp_random *random, sample *s)
{
  double x[MAX_ROWS], y[MAX_ROWS] = {0};
  for (int i = 0; i < h->rows; i++) {
    const int state = perp_random_below(random, 3);
    const double size = perp_random_between(random, 0.1, 1);
    x[i] = s->lo[i] == -INFINITY ? size : state == 0 ? fmin(size, s->hi[i] / 2) : s->lo[i];
    y[i] = state == 1 && s->lo[i] > -INFINITY ? size : 0;
  }
  for (int i = 0; i < h->rows; i++) {
    s->b[i] = y[i];
    for (int j = 0; j < h->rows; j++)
      s->b[i] -= s->a[i * h->rows + j] * x[j];
  }
}

static sample *make_sample(const shape *h, perp_random *random)
{
  const int n = h->rows;
  int first[MAX_BODIES + 1] = {0};
  sample *s = calloc(1, sizeof *s);
  for (int k = 0; k < h->bodies; k++)
    first[k + 1] = first[k] + (h->size ? h->size : 1 + perp_random_below(random, MAX_SIZE));
  const int m = first[h->bodies];
  double *Minv = calloc((size_t)m * MAX_SIZE, sizeof *Minv), *block = Minv;
  double *full = calloc((size_t)m * (size_t)m, sizeof *full); /* Minv as a full matrix */
  double *J = calloc((size_t)n * (size_t)m, sizeof *J), *W = calloc((size_t)m, sizeof *W);
  for (int k = 0; k < h->bodies; k++) {
    const int size = first[k + 1] - first[k];
    if (k > 0 || !h->locked)
      random_Minv(random, size, pow(h->ratio, perp_random_uniform(random)), block);
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        full[(first[k] + i) * m + first[k] + j] = block[i * size + j];
    block += size * size;
  }
  int64_t J_start[MAX_ROWS + 1] = {0}, C_start[MAX_ROWS + 1] = {0};
  int *J_column = calloc((size_t)n * (size_t)m, sizeof *J_column), C_column[MAX_ROWS];
  double *J_value = calloc((size_t)n * (size_t)m, sizeof *J_value), C_value[MAX_ROWS];
  int touched[2] = {0};
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) {
      touched[0] = perp_random_below(random, h->bodies);
      touched[1] = perp_random_below(random, h->bodies);
    }
    int64_t at = J_start[i];
    for (int v = 0; v < m; v++) {
      for (int e = 0; e < 2; e++)
        if (first[touched[e]] <= v && v < first[touched[e] + 1])
          J[i * m + v] = perp_random_between(random, -1, 1);
      if (h->redundant && i >= 3 && i % 6 >= 3)
        J[i * m + v] = J[(i - 3) * m + v];
      if (J[i * m + v] != 0) {
        J_column[at] = v;
        J_value[at++] = J[i * m + v];
      }
    }
    J_start[i + 1] = at;
    C_start[i + 1] = i + 1;
    C_column[i] = i;
    C_value[i] = h->compliance *
                 (h->form == PERP_FORM_CONE ? 1 + i / 3 % 2 : perp_random_between(random, 1, 3));
  }
  s->a = calloc((size_t)n * (size_t)n, sizeof *s->a);
  for (int i = 0; i < n; i++) {
    for (int v = 0; v < m; v++) {
      W[v] = 0;
      for (int w = 0; w < m; w++)
        W[v] += full[v * m + w] * J[i * m + w];
    }
    for (int j = 0; j < n; j++)
      for (int v = 0; v < m; v++)
        s->a[i * n + j] += J[j * m + v] * W[v];
    s->a[i * n + i] += C_value[i];
  }
  const perp_contact_data data = {.rows = n,
                                  .velocities = m,
                                  .J_start = J_start,
                                  .J_column = J_column,
                                  .J_value = J_value,
                                  .blocks = h->bodies,
                                  .block_start = first,
                                  .Minv = Minv,
                                  .C_start = C_start,
                                  .C_column = C_column,
                                  .C_value = C_value};
  CHECK(perp_operator_contact(&data, PERP_COPY, &s->A, NULL) == PERP_OK);
  make_bounds(h, random, s);
  if (h->planted)
    plant(h, random, s);
  free(Minv);
  free(full);
  free(J);
  free(W);
  free(J_column);
  free(J_value);
  return s;
}

static void free_sample(sample *s)
{
  perp_operator_destroy(s->A);
  free(s->a);
  free(s);
}

/* The problem over the matrix multiplied out. */
static perp_problem dense_problem(const sample *s, perp_operator **A)
{
  const int n = s->p.K.n;
  perp_problem p = s->p;
  CHECK(perp_operator_dense(n, s->a, n, PERP_BORROW, A, NULL) == PERP_OK);
  p.A = *A;
  return p;
}

static perp_result run_primal(const perp_problem *p, double tol, double *x)
{
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.tol = tol;
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  const perp_error error = perp_solve("primal", p, &o, x, &r);
  CHECK_SAY(!error, "%s", r.message.text);
  return r;
}

/* Solved, also by the judgement of the dense matrix, and equal to what `other` finds there. */
static void check_against(const char *other, const shape *h, int rounds, double close)
{
  perp_random random = perp_random_from(17);
  for (int round = 0; round < rounds; round++) {
    sample *s = make_sample(h, &random);
    perp_operator *dense = NULL;
    const perp_problem p = dense_problem(s, &dense);
    double x[MAX_ROWS], z[MAX_ROWS] = {0}, residual, scale;
    const perp_result r = run_primal(&s->p, 1e-9, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s, round %d: %s", perp_form_name(h->form), round,
              r.message.text);
    CHECK(perp_check(&p, x, &residual, &scale, NULL) == PERP_OK);
    CHECK_SAY(residual <= 2e-9 * scale, "%g in round %d", residual / scale, round);
    if (other) {
      perp_result q = perp_result_empty();
      perp_options o = perp_options_default();
      o.tol = 1e-9;
      CHECK_SAY(perp_solve(other, &p, &o, z, &q) == PERP_OK, "%s", q.message.text);
      CHECK_SAY(q.outcome == PERP_SOLVED, "%s: %s", other, q.message.text);
      for (int i = 0; i < h->rows; i++)
        CHECK_SAY(fabs(x[i] - z[i]) <= close, "%s, round %d, row %d: %.15g against %.15g",
                  perp_form_name(h->form), round, i, x[i], z[i]);
    }
    perp_operator_destroy(dense);
    free_sample(s);
  }
}

/* ---- Tests ---- */

/* Enumeration where it takes the form, else pivoting. */
static void small_problems_agree_with_enumeration(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++)
    for (int rows = 1; rows <= 8; rows++)
      check_against(form == PERP_FORM_LCP     ? "enumerate"
                    : form == PERP_FORM_MIXED ? "lemke"
                                              : "dantzig",
                    &(shape){.bodies = 1 + rows / 2,
                             .size = rows % 3 * 3,
                             .rows = rows,
                             .form = (perp_form)form,
                             .compliance = 0.05,
                             .ratio = 10},
                    12, 1e-6);
}

static void medium_problems_agree_with_dantzig(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++)
    for (int k = 0; k < 3; k++)
      check_against("dantzig",
                    &(shape){.bodies = 12,
                             .size = k * 3,
                             .rows = 90,
                             .form = (perp_form)form,
                             .compliance = 0.01,
                             .ratio = 10},
                    6, 1e-5);
}

/* 300 rows on three bodies; all rows twice; masses from 1 to 1e6; a body that does not move. */
static void hard_scenes_are_solved(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++) {
    const perp_form f = (perp_form)form;
    check_against(NULL, &(shape){3, 6, 300, f, 1e-3, 10, false, false, false}, 4, 0);
    check_against(NULL, &(shape){8, 6, 120, f, 1e-4, 10, true, false, false}, 8, 0);
    check_against(NULL, &(shape){12, 6, 120, f, 1e-3, 1e6, false, false, false}, 8, 0);
    check_against(NULL, &(shape){6, 0, 60, f, 1e-3, 10, false, true, false}, 8, 0);
  }
}

/* A_ii is about 1: rows that are far more in number than velocities, with next to no compliance. */
static void little_compliance_is_enough(void)
{
  const double compliance[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
  for (int k = 0; k < 5; k++)
    for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++)
      check_against(NULL,
                    &(shape){.bodies = 5,
                             .size = 6,
                             .rows = 60,
                             .form = (perp_form)form,
                             .compliance = compliance[k],
                             .ratio = 3,
                             .redundant = k % 2 == 1,
                             .planted = true},
                    8, 0);
}

static void friction_is_solved(void)
{
  for (int form = PERP_FORM_FINDEX; form <= PERP_FORM_CONE; form++) {
    check_against(NULL, &(shape){1, 6, 3, (perp_form)form, 0.1, 1, false, false, false}, 60, 0);
    check_against(NULL, &(shape){3, 6, 12, (perp_form)form, 0.1, 3, false, false, false}, 30, 0);
    check_against(NULL, &(shape){10, 6, 60, (perp_form)form, 0.2, 3, false, false, false}, 10, 0);
  }
}

/* Contact scenes as the generators make them, 20 seeds each; how many of friction must be solved is
 * what was found, so that it does not get worse unseen. */
static void scenes_are_solved(void)
{
  static const struct {
    const char *scene;
    int least; /* of 20 seeds */
  } cases[] = {
      {"pile:n=30,form=lcp,cfm=1e-3,jitter=0.3", 20},
      {"pile:n=30,form=mixed,cfm=1e-6,jitter=0.3", 20},
      {"stack:n=8,form=lcp,cfm=1e-8,jitter=0.3", 20},
      {"wall:rows=4,columns=4,form=stick,cfm=1e-6,jitter=0.1", 20},
      {"pile:n=10,form=cone,cfm=1e-2,jitter=0.3", 20},
      {"stack:n=4,form=cone,cfm=1e-5,jitter=0.3", 20},
      {"arch:n=5,form=cone,cfm=1e-3", 20},
      {"pile:n=10,form=findex,cfm=1e-2,jitter=0.3", 20},
      {"stack:n=4,form=findex,cfm=1e-5,jitter=0.3", 20},
      {"arch:n=5,form=findex,cfm=1e-3", 20},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    int solved = 0;
    for (int seed = 1; seed <= 20; seed++) {
      char text[200];
      snprintf(text, sizeof text, "%s,operator=contact,seed=%d", cases[k].scene, seed);
      perp_instance instance;
      perp_message why;
      CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
      const perp_problem p = perp_instance_problem(&instance);
      double *x = calloc((size_t)p.K.n, sizeof *x), residual, scale;
      const perp_result r = run_primal(&p, 1e-8, x);
      CHECK(perp_check(&p, x, &residual, &scale, NULL) == PERP_OK);
      CHECK((r.outcome == PERP_SOLVED) == (residual <= 1e-8 * scale));
      solved += r.outcome == PERP_SOLVED;
      free(x);
      perp_instance_destroy(&instance);
    }
    CHECK_SAY(solved >= cases[k].least, "%s: %d of 20", cases[k].scene, solved);
  }
}

/* Newton's method on a piecewise quadratic function ends: few factorisations, whatever the size. */
static void few_steps_are_needed(void)
{
  perp_random random = perp_random_from(3);
  for (int round = 0; round < 20; round++) {
    sample *s =
        make_sample(&(shape){20, 6, 300, PERP_FORM_LCP, 0.02, 3, false, false, false}, &random);
    double x[MAX_ROWS];
    const perp_result r = run_primal(&s->p, 1e-12, x);
    CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
    CHECK_SAY(r.counts.factorisations <= 25, "%lld", (long long)r.counts.factorisations);
    free_sample(s);
  }
}

/* ---- What is refused, and numbers of any size ---- */

/* Two rows on one velocity. */
static perp_error solve_two(const double C[2], const double *Minv, double b, perp_result *r)
{
  const int64_t start[3] = {0, 1, 2};
  const int J_column[2] = {0, 0}, C_column[2] = {0, 1};
  const double J[2] = {1, -2};
  const perp_contact_data data = {.rows = 2,
                                  .velocities = 1,
                                  .J_start = start,
                                  .J_column = J_column,
                                  .J_value = J,
                                  .blocks = 1,
                                  .Minv = Minv,
                                  .C_start = C ? start : NULL,
                                  .C_column = C_column,
                                  .C_value = C};
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  const double rhs[2] = {-b, 3 * b}; /* feasible without C too: x = (b, 0), y = (0, b) */
  const perp_problem p = perp_problem_lcp(A, rhs);
  double x[2] = {0};
  *r = perp_result_empty();
  const perp_error error = perp_solve("primal", &p, NULL, x, r);
  perp_operator_destroy(A);
  return error;
}

static void what_it_cannot_do_is_refused_by_name(void)
{
  const double one = 1, negative = -1;
  perp_result r;
  CHECK_EQUAL_INT(solve_two(NULL, &one, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs compliance in every row, but C(0,0) = 0");
  CHECK_EQUAL_INT(solve_two((double[]){1, 0}, &one, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs compliance in every row, but C(1,1) = 0");
  CHECK_EQUAL_INT(solve_two((double[]){1, -3}, &one, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs compliance in every row, but C(1,1) = -3");
  CHECK_EQUAL_INT(solve_two((double[]){1, 1}, &negative, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs a positive semi-definite Minv, block 0 is not");
  const double a = 2, b = -1;
  double x = 0;
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(1, &a, 1, PERP_COPY, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, &b);
  CHECK_EQUAL_INT(perp_solve("primal", &p, NULL, &x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text,
                   "primal needs the ability 'velocities', which this dense operator lacks");
  perp_operator_destroy(A);
}

static void friction_that_is_not_convex_is_refused(void)
{
  perp_random random = perp_random_from(5);
  sample *s =
      make_sample(&(shape){2, 6, 6, PERP_FORM_FINDEX, 0.1, 1, false, false, false}, &random);
  double x[MAX_ROWS] = {0};
  perp_result r = perp_result_empty();
  s->lo[3] = -1;
  CHECK_EQUAL_INT(perp_solve("primal", &s->p, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs normals that stay above 0, but row 4 follows row "
                                   "3 with lo[3] = -1");
  free_sample(s);
  perp_instance instance;
  CHECK(perp_generate("pile:n=4,form=polyhedral,operator=contact,cfm=1e-2", &instance, NULL) ==
        PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *z = calloc((size_t)p.K.n, sizeof *z);
  CHECK_EQUAL_INT(perp_solve("primal", &p, NULL, z, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text,
                   "primal needs a diagonal compliance C, this C has other entries");
  free(z);
  perp_instance_destroy(&instance);
}

static void numbers_of_any_size_end_truly(void)
{
  const double sizes[] = {1e-300, 1e-150, 1e-12, 1, 1e12, 1e150, 1e300};
  for (int c = 0; c < 7; c++)
    for (int m = 0; m < 7; m++)
      for (int b = 0; b < 7; b++) {
        perp_result r;
        const perp_error error = solve_two((double[]){sizes[c], sizes[c]}, &sizes[m], sizes[b], &r);
        CHECK(error == PERP_OK || error == PERP_ERROR_UNSUPPORTED);
        CHECK(r.message.text[0]);
        /* where nothing is near the ends of the range there is no excuse */
        if (c > 1 && c < 5 && m > 1 && m < 5 && b > 1 && b < 5)
          CHECK_SAY(error == PERP_OK && r.outcome == PERP_SOLVED, "C %g, Minv %g, b %g: %s",
                    sizes[c], sizes[m], sizes[b], r.message.text);
      }
  /* nothing moves: x = -b / C */
  const double zero = 0;
  perp_result r;
  CHECK(solve_two((double[]){2, 2}, &zero, 1, &r) == PERP_OK);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
}

/* ---- The block factor ---- */

enum { BLOCKS = 12, MOST = BLOCKS * MAX_SIZE };

typedef struct block_sample {
  int blocks, n, first[BLOCKS + 1];
  bool coupled[BLOCKS][BLOCKS];
  double h[MOST * MOST];
} block_sample;

/* The square of a random row over blocks i and j comes in. */
static void add_square(block_sample *s, perp_random *random, int i, int j)
{
  double g[MOST] = {0};
  for (int v = 0; v < s->n; v++)
    if ((s->first[i] <= v && v < s->first[i + 1]) || (s->first[j] <= v && v < s->first[j + 1]))
      g[v] = perp_random_between(random, -3, 3);
  for (int v = 0; v < s->n; v++)
    for (int w = 0; w < s->n; w++)
      s->h[v * s->n + w] += g[v] * g[w];
}

static void fill_factor(const block_sample *s, perp_block_factor *f)
{
  perp_block_reset(f);
  for (int i = 0; i < s->blocks; i++)
    for (int j = 0; j < s->blocks; j++) {
      if (!s->coupled[i][j] || f->place[i] < f->place[j])
        continue;
      double *at = f->H + perp_block_find(f, i, j);
      const int columns = s->first[j + 1] - s->first[j];
      for (int v = s->first[i]; v < s->first[i + 1]; v++)
        for (int w = s->first[j]; w < s->first[j + 1]; w++)
          at[(v - s->first[i]) * columns + w - s->first[j]] = s->h[v * s->n + w];
    }
}

/* h (h^-1 r) = r */
static void check_solution(const block_sample *s, perp_block_factor *f, perp_random *random)
{
  double r[MOST], x[MOST];
  for (int v = 0; v < s->n; v++)
    x[v] = r[v] = perp_random_between(random, -1, 1);
  perp_block_solve(f, x);
  for (int v = 0; v < s->n; v++) {
    double sum = 0;
    for (int w = 0; w < s->n; w++)
      sum += s->h[v * s->n + w] * x[w];
    CHECK_CLOSE(sum, r[v], 1e-9);
  }
}

static void block_factors_solve(void)
{
  perp_random random = perp_random_from(9);
  for (int round = 0; round < 200; round++) {
    static block_sample s;
    memset(&s, 0, sizeof s);
    s.blocks = 1 + perp_random_below(&random, BLOCKS);
    for (int k = 0; k < s.blocks; k++)
      s.first[k + 1] = s.first[k] + (round % 2 ? 6 : 1 + perp_random_below(&random, MAX_SIZE));
    s.n = s.first[s.blocks];
    for (int v = 0; v < s.n; v++)
      s.h[v * s.n + v] = 1;
    int64_t start[BLOCKS + 1] = {0};
    int neighbour[BLOCKS * BLOCKS];
    for (int k = 0; k < 2 * s.blocks; k++) {
      const int i = perp_random_below(&random, s.blocks), j = perp_random_below(&random, s.blocks);
      s.coupled[i][j] = s.coupled[j][i] = true;
      add_square(&s, &random, i, j);
    }
    for (int i = 0; i < s.blocks; i++) {
      s.coupled[i][i] = true;
      start[i + 1] = start[i];
      for (int j = 0; j < s.blocks; j++)
        if (s.coupled[i][j])
          neighbour[start[i + 1]++] = j;
    }
    perp_arena arena = {0};
    perp_block_factor *f = perp_block_analyse(s.blocks, s.first, start, neighbour, &arena);
    CHECK(f);
    fill_factor(&s, f);
    CHECK(perp_block_factorise(f, NULL));
    check_solution(&s, f, &random);
    for (int change = 0; change < 5; change++) {
      const int i = perp_random_below(&random, s.blocks);
      int j = perp_random_below(&random, s.blocks);
      j = s.coupled[i][j] ? j : i;
      bool changed[BLOCKS] = {0};
      changed[i] = changed[j] = true;
      add_square(&s, &random, i, j);
      fill_factor(&s, f);
      CHECK(perp_block_factorise(f, changed));
      check_solution(&s, f, &random);
    }
    f->H[0] = -1;
    CHECK(!perp_block_factorise(f, NULL));
    perp_arena_free(&arena);
  }
}

static const test_case tests[] = {
    TEST(small_problems_agree_with_enumeration),
    TEST(medium_problems_agree_with_dantzig),
    TEST(hard_scenes_are_solved),
    TEST(little_compliance_is_enough),
    TEST(friction_is_solved),
    TEST(scenes_are_solved),
    TEST(few_steps_are_needed),
    TEST(what_it_cannot_do_is_refused_by_name),
    TEST(friction_that_is_not_convex_is_refused),
    TEST(numbers_of_any_size_end_truly),
    TEST(block_factors_solve),
};

TEST_MAIN(tests)
