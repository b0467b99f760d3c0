/* contacts.h: random contact problems of any shape, with their matrices multiplied out here, and
 * comparisons of methods with them */
#pragma once

#include "base/random.h"
#include "test.h"
#include <perp/lab.h>
#include <perp/perp.h>

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
  bool planted;   /* b from an x and y of size 1, so that x keeps that size however small C is */
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

static __attribute__((unused)) sample *make_sample(const shape *h, perp_random *random)
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
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = n,
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

/* From 0. */
static perp_result run_method(const char *method, const perp_problem *p, double tol, double *x)
{
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.tol = tol;
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  const perp_error error = perp_solve(method, p, &o, x, &r);
  CHECK_SAY(!error, "%s", r.message.text);
  return r;
}

/* Solved, also according to the dense matrix, and equal to the solution that `other` finds
 * there. */
static __attribute__((unused)) void check_against(const char *method, const char *other,
                                                  const shape *h, int rounds, double close)
{
  perp_random random = perp_random_from(17);
  for (int round = 0; round < rounds; round++) {
    sample *s = make_sample(h, &random);
    perp_operator *dense = NULL;
    const perp_problem p = dense_problem(s, &dense);
    double x[MAX_ROWS], z[MAX_ROWS] = {0}, residual, scale;
    const perp_result r = run_method(method, &s->p, 1e-9, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s, round %d: %s", perp_form_name(h->form), round,
              r.message.text);
    CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK);
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

/* Compares a few rows with enumeration if it takes the form, else with pivoting. With compliance x
 * is unique. */
static __attribute__((unused)) void check_small(const char *method)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++)
    for (int rows = 1; rows <= 8; rows++)
      check_against(method,
                    form == PERP_FORM_LCP     ? "enumerate"
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

static __attribute__((unused)) void check_medium(const char *method)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++)
    for (int k = 0; k < 3; k++)
      check_against(method, "dantzig",
                    &(shape){.bodies = 12,
                             .size = k * 3,
                             .rows = 90,
                             .form = (perp_form)form,
                             .compliance = 0.01,
                             .ratio = 10},
                    6, 1e-5);
}
