/* derivative_samples.h: planted problems of every form on every kind of operator, with the arrays of
 * their data and a random change of each; no row is degenerate */
#pragma once

#include "problems.h"

enum { SAMPLE_ROWS = 12, SAMPLE_CELLS = 20, SAMPLE_ARRAYS = 12 };

typedef enum sample_kind {
  SAMPLE_DENSE,
  SAMPLE_CSR,
  SAMPLE_BSR,
  SAMPLE_CONTACT,
  SAMPLE_STENCIL,
  SAMPLE_UNIFORM, /* a stencil with one weight for all faces */
  SAMPLE_SHELL,   /* apply and apply_t only */
  SAMPLE_KINDS,
} sample_kind;

typedef enum sample_form {
  SAMPLE_LCP,
  SAMPLE_MIXED,
  SAMPLE_BOXED,
  SAMPLE_FINDEX,
  SAMPLE_CONE,
  SAMPLE_PRODUCT, /* cones between boxes, friction rows on normals of cones and of rows */
  SAMPLE_LAWS,    /* contacts of 1 to 6 rows, elliptic and by discs, and rows between them */
  SAMPLE_FORMS,
} sample_form;

/* One array of the data. */
typedef struct sample_array {
  const char *name;
  size_t field; /* its place in perp_gradient and in perp_change */
  int64_t count;
  double *value, *change, *bar; /* bar: room for the gradient */
  double *dx;                   /* room for n numbers */
} sample_array;

typedef struct sample {
  uint64_t seed;
  sample_kind kind;
  sample_form form;
  char name[64];
  perp_operator *A;
  perp_problem p;
  double b[SAMPLE_ROWS], lo[SAMPLE_ROWS], hi[SAMPLE_ROWS], mu[5 * SAMPLE_ROWS];
  int findex[SAMPLE_ROWS], cone[SAMPLE_ROWS], dim[SAMPLE_ROWS], law[SAMPLE_ROWS];
  double x[SAMPLE_ROWS], y[SAMPLE_ROWS], w[SAMPLE_ROWS];
  /* whatever the kind needs */
  double a[SAMPLE_ROWS * (SAMPLE_ROWS + 3)], J[SAMPLE_ROWS * SAMPLE_ROWS], Minv[100], C[200];
  double wx[SAMPLE_CELLS], wy[SAMPLE_CELLS], wz[SAMPLE_CELLS], diagonal[SAMPLE_CELLS];
  int64_t start[SAMPLE_ROWS + 1], C_start[SAMPLE_ROWS + 1];
  int column[SAMPLE_ROWS * SAMPLE_ROWS], C_column[SAMPLE_ROWS * SAMPLE_ROWS];
  int cells[SAMPLE_ROWS];
  double weight;
  perp_stencil_data grid;
  int arrays;
  sample_array array[SAMPLE_ARRAYS];
} sample;

static double sample_between(perp_random *random, double lo, double hi)
{
  return perp_random_between(random, lo, hi);
}

static void sample_add(sample *s, perp_random *random, const char *name, size_t field,
                       int64_t count, double *value)
{
  sample_array *a = &s->array[s->arrays++];
  const size_t room = (size_t)count + 1;
  *a = (sample_array){name, field, count, value, NULL, NULL, NULL};
  a->change = perp_alloc(room, sizeof(double));
  a->bar = perp_alloc_zero(room, sizeof(double));
  a->dx = perp_alloc(SAMPLE_ROWS, sizeof(double));
  for (int64_t i = 0; i < count; i++)
    a->change[i] = sample_between(random, -1, 1);
}

/* ---- Operators: far from singular, not symmetric if possible ---- */

static void sample_dense(sample *s, perp_random *random)
{
  const int n = SAMPLE_ROWS, stride = s->kind == SAMPLE_DENSE ? n + 3 : n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < stride; j++)
      s->a[i * stride + j] = j == i  ? 8 + sample_between(random, 0, 1)
                             : j < n ? sample_between(random, -1, 1)
                                     : NAN;
  CHECK(perp_operator_dense(n, s->a, stride, PERP_BORROW, &s->A, NULL) == PERP_OK);
  /* the padding stays out of all sums */
  sample_add(s, random, "A", offsetof(perp_gradient, A), (n - 1) * stride + n, s->a);
  sample_array *a = &s->array[s->arrays - 1];
  for (int i = 0; i < n; i++)
    for (int j = n; j < stride && i + 1 < n; j++)
      a->change[i * stride + j] = 0;
}

static int sample_apply(void *context, const double *x, double *y)
{
  const double *a = context;
  for (int i = 0; i < SAMPLE_ROWS; i++) {
    y[i] = 0;
    for (int j = 0; j < SAMPLE_ROWS; j++)
      y[i] += a[i * SAMPLE_ROWS + j] * x[j];
  }
  return 0;
}

static int sample_apply_t(void *context, const double *x, double *y)
{
  const double *a = context;
  for (int j = 0; j < SAMPLE_ROWS; j++) {
    y[j] = 0;
    for (int i = 0; i < SAMPLE_ROWS; i++)
      y[j] += a[i * SAMPLE_ROWS + j] * x[i];
  }
  return 0;
}

static int sample_diagonal(void *context, double *d)
{
  const double *a = context;
  for (int i = 0; i < SAMPLE_ROWS; i++)
    d[i] = a[i * SAMPLE_ROWS + i];
  return 0;
}

/* A is known by its products; every other sample also has rows, which the solver needs. */
static int sample_row(void *context, int i, int *column, double *value)
{
  const double *a = context;
  for (int j = 0; j < SAMPLE_ROWS; j++) {
    column[j] = j;
    value[j] = a[i * SAMPLE_ROWS + j];
  }
  return SAMPLE_ROWS;
}

static void sample_shell(sample *s, perp_random *random)
{
  sample_dense(s, random);
  perp_operator_destroy(s->A);
  perp_shell shell = perp_shell_default();
  shell.context = s->a;
  shell.apply = sample_apply;
  shell.apply_t = sample_apply_t;
  shell.diagonal = s->seed % 3 == 0 ? sample_diagonal : NULL;
  shell.row = s->seed % 8 == 1 ? sample_row : NULL;
  CHECK(perp_operator_shell(SAMPLE_ROWS, &shell, &s->A, NULL) == PERP_OK);
  s->arrays--; /* a shell has no array of A */
  perp_free(s->array[s->arrays].change);
  perp_free(s->array[s->arrays].bar);
  perp_free(s->array[s->arrays].dx);
}

static void sample_csr(sample *s, perp_random *random)
{
  const int n = SAMPLE_ROWS;
  int64_t e = 0;
  for (int i = 0; i < n; i++) {
    s->start[i] = e;
    for (int j = 0; j < n; j++)
      if (i == j || perp_random_below(random, 3) == 0) {
        s->column[e] = j;
        s->a[e++] = i == j ? 6 + sample_between(random, 0, 1) : sample_between(random, -1, 1);
      }
  }
  s->start[n] = e;
  CHECK(perp_operator_csr(n, s->start, s->column, s->a, PERP_BORROW, &s->A, NULL) == PERP_OK);
  sample_add(s, random, "A", offsetof(perp_gradient, A), e, s->a);
}

static void sample_bsr(sample *s, perp_random *random)
{
  enum { SIZE = 3, BLOCKS = SAMPLE_ROWS / SIZE };
  int64_t e = 0;
  for (int I = 0; I < BLOCKS; I++) {
    s->start[I] = e;
    for (int J = 0; J < BLOCKS; J++)
      if (I == J || perp_random_below(random, 2)) {
        s->column[e] = J;
        for (int r = 0; r < SIZE; r++)
          for (int c = 0; c < SIZE; c++)
            s->a[e * SIZE * SIZE + r * SIZE + c] =
                I == J && r == c ? 8 + sample_between(random, 0, 1) : sample_between(random, -1, 1);
        e++;
      }
  }
  s->start[BLOCKS] = e;
  CHECK(perp_operator_bsr(BLOCKS, SIZE, s->start, s->column, s->a, PERP_BORROW, &s->A, NULL) ==
        PERP_OK);
  sample_add(s, random, "A", offsetof(perp_gradient, A), e * SIZE * SIZE, s->a);
}

/* Rows by threes between two of four bodies of 3 velocities, the last one of 2. */
static void sample_contact(sample *s, perp_random *random)
{
  enum { BODIES = 4 };
  static const int first[BODIES + 1] = {0, 3, 6, 9, 11};
  const int n = SAMPLE_ROWS;
  int64_t e = 0, count = 0;
  double *M = s->Minv;
  for (int i = 0, p = 0, q = 0; i < n; i++) {
    if (i % 3 == 0) {
      p = perp_random_below(random, BODIES - 1);
      q = p + 1 + perp_random_below(random, BODIES - 1 - p);
    }
    s->start[i] = e;
    for (int k = first[p]; k < first[q + 1]; k++)
      if (k < first[p + 1] || k >= first[q]) {
        s->column[e] = k;
        s->J[e++] = sample_between(random, -1, 1);
      }
    s->C_start[i] = count;
    for (int j = 0; j < n; j++)
      if (i == j || (i + j) % 5 == 0) {
        s->C_column[count] = j;
        s->C[count++] = i == j ? 2.5 : sample_between(random, -0.3, 0.3);
      }
  }
  s->start[n] = e;
  s->C_start[n] = count;
  for (int k = 0; k < BODIES; k++) {
    const int size = first[k + 1] - first[k];
    for (int i = 0; i < size; i++)
      for (int j = 0; j <= i; j++)
        M[i * size + j] = M[j * size + i] =
            i == j ? 1 + 0.1 * k : sample_between(random, -0.2, 0.2);
    M += size * size;
  }
  perp_contact_data data = perp_contact_data_default();
  data.rows = n;
  data.velocities = first[BODIES];
  data.J_start = s->start;
  data.J_column = s->column;
  data.J_value = s->J;
  data.blocks = BODIES;
  data.block_start = first;
  data.Minv = s->Minv;
  data.C_start = s->C_start;
  data.C_column = s->C_column;
  data.C_value = s->C;
  CHECK(perp_operator_contact(&data, PERP_BORROW, &s->A, NULL) == PERP_OK);
  sample_add(s, random, "J", offsetof(perp_gradient, J), e, s->J);
  sample_add(s, random, "Minv", offsetof(perp_gradient, Minv), M - s->Minv, s->Minv);
  double *change = s->array[s->arrays - 1].change; /* symmetric, as it must stay */
  for (int k = 0; k < BODIES; k++) {
    const int size = first[k + 1] - first[k];
    for (int i = 0; i < size; i++)
      for (int j = 0; j < i; j++)
        change[i * size + j] = change[j * size + i];
    change += size * size;
  }
  sample_add(s, random, "C", offsetof(perp_gradient, C), count, s->C);
}

/* 12 of 20 cells, in the plane or, in every other sample, in space. */
static void sample_stencil(sample *s, perp_random *random)
{
  const bool solid = s->seed % 2, uniform = s->kind == SAMPLE_UNIFORM;
  const bool given = !uniform || s->seed % 3 == 0; /* the diagonal */
  int order[SAMPLE_CELLS];
  perp_random_permutation(random, SAMPLE_CELLS, order);
  s->grid = perp_stencil_data_default();
  perp_stencil_data data = s->grid;
  data.nx = 5;
  data.ny = solid ? 2 : 4;
  data.nz = solid ? 2 : 1;
  for (int i = 0; i < SAMPLE_CELLS; i++) {
    s->wx[i] = sample_between(random, 0.2, 1);
    s->wy[i] = sample_between(random, 0.2, 1);
    s->wz[i] = sample_between(random, 0.2, 1);
    s->diagonal[i] = 7 + sample_between(random, 0, 1);
  }
  for (int i = 0; i < SAMPLE_ROWS; i++)
    s->cells[i] = order[i];
  data.unknowns = SAMPLE_ROWS;
  data.cells = s->cells;
  data.diagonal = given ? s->diagonal : NULL;
  data.weight = s->weight = 0.7;
  if (!uniform) {
    data.wx = s->wx;
    data.wy = s->wy;
    data.wz = solid ? s->wz : NULL;
    sample_add(s, random, "wx", offsetof(perp_gradient, wx), SAMPLE_CELLS, s->wx);
    sample_add(s, random, "wy", offsetof(perp_gradient, wy), SAMPLE_CELLS, s->wy);
    if (solid)
      sample_add(s, random, "wz", offsetof(perp_gradient, wz), SAMPLE_CELLS, s->wz);
  }
  if (given)
    sample_add(s, random, "diagonal", offsetof(perp_gradient, diagonal), SAMPLE_CELLS, s->diagonal);
  if (uniform)
    sample_add(s, random, "weight", offsetof(perp_gradient, weight), 1, &s->weight);
  s->grid = data;
  CHECK(perp_operator_stencil(&data, PERP_BORROW, &s->A, NULL) == PERP_OK);
}

/* Refreshes after the numbers were changed. The weight of a grid is a separate number, not an
 * array. */
static inline void sample_refresh(sample *s)
{
  if (s->kind == SAMPLE_UNIFORM) {
    perp_operator_destroy(s->A);
    s->grid.weight = s->weight;
    CHECK(perp_operator_stencil(&s->grid, PERP_BORROW, &s->A, NULL) == PERP_OK);
    s->p.A = s->A;
  }
  CHECK(perp_operator_refresh(s->A, NULL) == PERP_OK);
}

/* ---- K, x and y ---- */

static void sample_box(sample *s, perp_random *random, int i, bool free, bool boxed)
{
  const int state = perp_random_below(random, 3);
  const double size = sample_between(random, 0.2, 1);
  s->lo[i] = free ? -INFINITY : boxed ? -size : 0;
  s->hi[i] = free || !boxed ? INFINITY : size + 0.2;
  s->x[i] = free || state == 0 ? (boxed ? size - 0.5 : size) : s->lo[i];
  s->y[i] = free || state == 0 ? 0 : sample_between(random, 0.2, 1);
  if (!free && boxed && state == 0)
    s->x[i] = s->lo[i] + sample_between(random, 0.3, 0.7) * (s->hi[i] - s->lo[i]);
  if (boxed && state == 2) {
    s->x[i] = s->hi[i];
    s->y[i] = -s->y[i];
  }
  s->findex[i] = -1;
}

/* Draws a friction row: free, at either bound, or 0 without a normal force. */
static void sample_friction(sample *s, perp_random *random, int i, int j)
{
  const int state = perp_random_below(random, 3);
  const double normal = fabs(s->x[j]);
  s->lo[i] = -sample_between(random, 0.3, 0.6);
  s->hi[i] = sample_between(random, 0.3, 0.6);
  s->findex[i] = j;
  s->x[i] = state == 0   ? sample_between(random, -0.2, 0.2) * normal
            : state == 1 ? s->lo[i] * normal
                         : s->hi[i] * normal;
  s->y[i] = sample_between(random, 0.2, 1) * (state == 1 ? 1 : -1);
  if (state == 0 && normal > 0)
    s->y[i] = 0;
}

static void sample_cone(sample *s, perp_random *random, int c, int i)
{
  const int state = perp_random_below(random, 3); /* separate, stick, slide */
  const double size = sample_between(random, 0.2, 1), mu = sample_between(random, 0.2, 0.8);
  const double angle = sample_between(random, 0, 6.28), slip = sample_between(random, 0.2, 1);
  const double t[2] = {cos(angle), sin(angle)};
  s->mu[c] = mu;
  s->cone[c] = i;
  s->x[i] = state == 0 ? 0 : size;
  s->y[i] = state == 0 ? size : 0;
  for (int k = 0; k < 2; k++) {
    s->x[i + 1 + k] = state == 0 ? 0 : (state == 1 ? 0.6 : 1) * mu * size * t[k];
    s->y[i + 1 + k] = state == 1 ? 0 : -slip * t[k];
    s->lo[i + k] = s->hi[i + k] = s->lo[i + 2] = s->hi[i + 2] = 0; /* not read */
    s->findex[i + k] = s->findex[i + 2] = -1;
  }
}

/* A contact of `rows` rows, whose discs stick or slide independently; some axes have no friction. */
static void sample_contact_law(sample *s, perp_random *random, int c, int i, int rows)
{
  static const int column[7][6] = {
      {0}, {0}, {0, 0}, {0, 0, 1}, {0, 0, 1, 2}, {0, 0, 1, 3, 4}, {0, 0, 1, 2, 3, 4}};
  const bool discs = perp_random_below(random, 2), separate = perp_random_below(random, 4) == 0;
  const double size = sample_between(random, 0.3, 1), slip = sample_between(random, 0.2, 1);
  double *mu = s->mu + 5 * c;
  s->cone[c] = i;
  s->dim[c] = rows;
  s->law[c] = discs;
  s->x[i] = separate ? 0 : size;
  s->y[i] = separate ? size : 0;
  for (int from = 1, to; from < rows; from = to) {
    const bool sticks = perp_random_below(random, 2);
    double d[6], norm = 0;
    /* slides, torsion, rolls */
    for (to = from; to < rows; to++) {
      const int first = column[rows][from], own = column[rows][to];
      if (discs && (own > 1) + (own > 2) != (first > 1) + (first > 2))
        break;
      d[to] = sample_between(random, -1, 1);
      mu[own] = perp_random_below(random, 8) ? sample_between(random, 0.1, 0.8) : 0;
      norm = hypot(norm, mu[own] > 0 ? d[to] : 0);
    }
    for (int k = from; k < to; k++) { /* x_k / mu_k against mu_k y_k */
      const double m = mu[column[rows][k]], t = norm > 0 ? d[k] / norm : 0;
      s->x[i + k] = separate ? 0 : (sticks ? 0.6 : 1) * m * size * t;
      s->y[i + k] = !(m > 0) ? d[k] : sticks && !separate ? 0 : -slip * t / m;
    }
  }
  for (int k = 0; k < rows; k++)
    s->findex[i + k] = -1;
}

static void sample_set(sample *s, perp_random *random)
{
  perp_set K = perp_set_default(SAMPLE_ROWS);
  K.lo = s->form == SAMPLE_LCP || s->form == SAMPLE_CONE ? NULL : s->lo;
  K.hi = K.lo ? s->hi : NULL;
  if (s->form == SAMPLE_FINDEX || s->form == SAMPLE_PRODUCT)
    K.findex = s->findex;
  for (int i = 0; i < SAMPLE_ROWS; i++) {
    if (s->form == SAMPLE_LAWS) {
      const int rows = 1 + perp_random_below(random, 6);
      if (i + rows <= SAMPLE_ROWS && i % 5 != 0) {
        sample_contact_law(s, random, K.cones++, i, rows);
        i += rows - 1;
      } else {
        sample_box(s, random, i, false, i % 2 == 0);
      }
    } else if (s->form == SAMPLE_CONE) {
      if (i % 3 == 0)
        sample_cone(s, random, K.cones++, i);
    } else if (s->form == SAMPLE_PRODUCT) {
      if (i == 1 || i == 6) /* rows 1..3 and 6..8 are cones */
        sample_cone(s, random, K.cones++, i);
      else if (i == 9 || i == 10)
        sample_friction(s, random, i, i == 9 ? 6 : 4);
      else if (i == 0 || i == 4 || i == 5 || i == 11)
        sample_box(s, random, i, i == 11, i == 5);
    } else if (s->form == SAMPLE_FINDEX && i % 3 != 0) {
      sample_friction(s, random, i, i - i % 3);
    } else {
      sample_box(s, random, i, s->form == SAMPLE_MIXED && i % 3 == 0, s->form == SAMPLE_BOXED);
    }
  }
  if (K.cones > 0) {
    K.mu = s->mu;
    K.cone = s->form == SAMPLE_PRODUCT || s->form == SAMPLE_LAWS ? s->cone : NULL;
    K.dim = s->form == SAMPLE_LAWS ? s->dim : NULL;
    K.law = s->law;
    sample_add(s, random, "mu", offsetof(perp_gradient, mu), K.cones * (K.dim ? 5 : 1), s->mu);
    for (int k = 0; k < 5 * K.cones && K.dim; k++) /* axes without friction stay so */
      s->array[s->arrays - 1].change[k] *= s->mu[k] > 0;
  }
  if (K.lo) {
    sample_add(s, random, "lo", offsetof(perp_gradient, lo), SAMPLE_ROWS, s->lo);
    sample_add(s, random, "hi", offsetof(perp_gradient, hi), SAMPLE_ROWS, s->hi);
  }
  /* |x_j| has its kink at 0: keep the normal at its bound there. */
  double *lo = K.lo ? s->array[s->arrays - 2].change : NULL;
  for (int i = 0; K.findex && i < SAMPLE_ROWS; i++)
    if (s->findex[i] >= 0 && s->x[s->findex[i]] == 0)
      lo[s->findex[i]] = 0;
  sample_add(s, random, "b", offsetof(perp_gradient, b), SAMPLE_ROWS, s->b);
  s->p = perp_problem_product(s->A, s->b, &K);
}

static sample *sample_make(sample_kind kind, sample_form form, uint64_t seed)
{
  static const char *const kinds[] = {"dense",   "csr",     "bsr",  "contact",
                                      "stencil", "uniform", "shell"};
  static const char *const forms[] = {"lcp", "mixed", "boxed", "findex", "cone", "product", "laws"};
  perp_random random = perp_random_from(seed * 64 + (uint64_t)kind * 8 + (uint64_t)form);
  double scratch[64];
  sample *s = perp_alloc_zero(1, sizeof *s);
  s->kind = kind;
  s->form = form;
  s->seed = seed;
  snprintf(s->name, sizeof s->name, "%s %s %llu", kinds[kind], forms[form],
           (unsigned long long)seed);
  switch (kind) {
  case SAMPLE_CSR:
    sample_csr(s, &random);
    break;
  case SAMPLE_BSR:
    sample_bsr(s, &random);
    break;
  case SAMPLE_CONTACT:
    sample_contact(s, &random);
    break;
  case SAMPLE_STENCIL:
  case SAMPLE_UNIFORM:
    sample_stencil(s, &random);
    break;
  case SAMPLE_SHELL:
    sample_shell(s, &random);
    break;
  default:
    sample_dense(s, &random);
  }
  sample_set(s, &random);
  CHECK(perp_operator_scratch(s->A) <= 64);
  CHECK(perp_operator_apply(s->A, s->x, s->b, scratch, NULL) == PERP_OK);
  for (int i = 0; i < SAMPLE_ROWS; i++) {
    s->b[i] = s->y[i] - s->b[i];
    s->w[i] = sample_between(&random, -1, 1);
  }
  return s;
}

static void sample_free(sample *s)
{
  for (int k = 0; k < s->arrays; k++) {
    perp_free(s->array[k].change);
    perp_free(s->array[k].bar);
    perp_free(s->array[k].dx);
  }
  perp_operator_destroy(s->A);
  perp_free(s);
}
