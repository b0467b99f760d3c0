/* contact_samples.h: random contact operators of every shape, and A = J Minv J^T + C multiplied out */
#pragma once

#include "operator/contact/contact.h"
#include "operator_oracle.h"

typedef enum C_kind { C_NONE, C_DIAGONAL, C_ANY } C_kind;

typedef enum M_kind {
  M_DEFINITE,
  M_LOCKED,       /* some velocities with rows of zeros */
  M_SEMI,         /* rank one */
  M_INDEFINITE,   /* and C large enough for a positive diagonal */
  M_HOLLOW_FIRST, /* indefinite because of a zero on the diagonal of a nonzero row */
  M_HOLLOW_LAST,
} M_kind;

typedef struct shape {
  const char *name;
  int size;        /* of all blocks; 0: any of 1 .. 6 */
  int touched;     /* most blocks of a row */
  C_kind C;        /* */
  M_kind M;        /* */
  bool empty_rows; /* some rows of J without entries */
  int width;       /* width that the sweeps must pack to; 0: not packed */
} shape;

static const shape shapes[] = {
    {"any blocks, any C", 0, 3, C_ANY, M_DEFINITE, true, 0},
    {"any blocks, diagonal C", 0, 4, C_DIAGONAL, M_DEFINITE, true, 0},
    {"any blocks, no C", 0, 3, C_NONE, M_DEFINITE, false, 0},
    {"rigid, no C", 6, 2, C_NONE, M_DEFINITE, false, 6},
    {"rigid, diagonal C", 6, 2, C_DIAGONAL, M_DEFINITE, true, 6},
    {"rigid, any C", 6, 2, C_ANY, M_DEFINITE, true, 6},
    {"rigid, locked axes", 6, 2, C_DIAGONAL, M_LOCKED, false, 6},
    {"rigid, semidefinite", 6, 2, C_DIAGONAL, M_SEMI, true, 6},
    {"rigid, indefinite", 6, 2, C_DIAGONAL, M_INDEFINITE, false, 0},
    {"rigid, first pivot zero", 6, 2, C_DIAGONAL, M_HOLLOW_FIRST, false, 0},
    {"rigid, last pivot lost", 6, 2, C_DIAGONAL, M_HOLLOW_LAST, false, 0},
    {"rigid, indefinite, any C", 6, 2, C_ANY, M_INDEFINITE, true, 0},
    {"flat, no C", 3, 2, C_NONE, M_DEFINITE, false, 4},
    {"flat, diagonal C", 3, 2, C_DIAGONAL, M_DEFINITE, true, 4},
    {"flat, any C", 3, 2, C_ANY, M_DEFINITE, true, 4},
    {"scalar blocks", 1, 2, C_DIAGONAL, M_DEFINITE, false, 4},
    {"mixed small blocks", 0, 2, C_DIAGONAL, M_LOCKED, true, 6},
    {"large blocks", 9, 2, C_DIAGONAL, M_DEFINITE, false, 0},
    {"C alone", 6, 0, C_ANY, M_DEFINITE, true, 6},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, MAX_ROWS = 24, MAX_BLOCKS = 8, MAX_SIZE = 9 };
enum { MAX_VELOCITIES = MAX_BLOCKS * MAX_SIZE };

/* Compressed arrays for the operator, and full ones for the oracle. */
typedef struct sample {
  perp_contact_data data;
  int block_start[MAX_BLOCKS + 1];
  int64_t J_start[MAX_ROWS + 1], C_start[MAX_ROWS + 1];
  int J_column[MAX_ROWS * MAX_VELOCITIES], C_column[MAX_ROWS * MAX_ROWS];
  double J_value[MAX_ROWS * MAX_VELOCITIES], C_value[MAX_ROWS * MAX_ROWS];
  double Minv[MAX_BLOCKS * MAX_SIZE * MAX_SIZE];
  double a[MAX_ROWS * MAX_ROWS];
} sample;

/* B B^T + I/5, or as the kind requires. */
static void random_block(M_kind kind, int size, double *M, perp_random *random)
{
  double B[MAX_SIZE * MAX_SIZE];
  for (int k = 0; k < size * size; k++)
    B[k] = perp_random_between(random, -1, 1);
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j && kind != M_SEMI ? 0.2 : 0;
      for (int k = 0; k < (kind == M_SEMI ? 1 : size); k++)
        sum += B[i * size + k] * B[j * size + k];
      M[i * size + j] = M[j * size + i] = sum;
    }
  const int pick = perp_random_below(random, size);
  if (kind == M_LOCKED)
    for (int i = 0; i < size; i++)
      M[i * size + pick] = M[pick * size + i] = 0;
  if (kind == M_INDEFINITE)
    M[pick * size + pick] = -1;
  if (kind == M_HOLLOW_FIRST)
    M[0] = 0;
  if (kind == M_HOLLOW_LAST)
    M[size * size - 1] = 0;
}

/* Rows of one contact, with the same blocks, are consecutive: one to five of them. */
static void random_J(const shape *h, sample *s, perp_random *random)
{
  const perp_contact_data *d = &s->data;
  bool touched[MAX_BLOCKS] = {0};
  int64_t entries = 0;
  for (int i = 0, left = 0; i < d->rows; i++, left--) {
    if (left <= 0) {
      left = 1 + perp_random_below(random, 5);
      int count = h->touched ? 1 + perp_random_below(random, h->touched) : 0;
      if (h->empty_rows && perp_random_below(random, 5) == 0)
        count = 0;
      memset(touched, 0, sizeof touched);
      for (int k = 0; k < count; k++)
        touched[perp_random_below(random, d->blocks)] = true;
    }
    s->J_start[i] = entries;
    for (int k = 0; k < d->blocks; k++) {
      const int first = s->block_start[k], size = s->block_start[k + 1] - first;
      const int must = perp_random_below(random, size);
      for (int c = 0; touched[k] && c < size; c++) {
        if (c != must && perp_random_below(random, 3) == 0)
          continue;
        s->J_column[entries] = first + c;
        s->J_value[entries++] =
            perp_random_below(random, 20) ? perp_random_between(random, -1, 1) : 0;
      }
    }
  }
  s->J_start[d->rows] = entries;
}

static void random_C(const shape *h, sample *s, perp_random *random)
{
  int64_t entries = 0;
  for (int i = 0; i < s->data.rows; i++) {
    s->C_start[i] = entries;
    for (int j = 0; j < s->data.rows; j++) {
      if (i != j && (h->C != C_ANY || perp_random_below(random, 6)))
        continue;
      const double large = h->M >= M_INDEFINITE ? 60 : 3;
      s->C_column[entries] = j;
      s->C_value[entries++] = i == j ? perp_random_between(random, large / 2, large)
                                     : perp_random_between(random, -0.5, 0.5);
    }
  }
  s->C_start[s->data.rows] = entries;
}

/* a = J Minv J^T + C, every matrix full */
static void multiply_out(sample *s)
{
  const perp_contact_data *d = &s->data;
  const size_t n = (size_t)d->rows, m = (size_t)d->velocities;
  double *J = oracle_reals(n * m), *M = oracle_reals(m * m), *JM = oracle_reals(n * m);
  for (size_t i = 0; i < n; i++)
    for (int64_t e = d->J_start[i]; e < d->J_start[i + 1]; e++)
      J[i * m + (size_t)d->J_column[e]] = d->J_value[e];
  const double *block = d->Minv;
  for (int k = 0; k < d->blocks; k++)
    for (int i = s->block_start[k]; i < s->block_start[k + 1]; i++)
      for (int j = s->block_start[k]; j < s->block_start[k + 1]; j++)
        M[(size_t)i * m + (size_t)j] = *block++;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m; k++)
      for (size_t j = 0; j < m; j++)
        JM[i * m + j] += J[i * m + k] * M[k * m + j];
  memset(s->a, 0, n * n * sizeof *s->a);
  for (size_t i = 0; i < n; i++) {
    for (int64_t e = d->C_start ? d->C_start[i] : 0; d->C_start && e < d->C_start[i + 1]; e++)
      s->a[i * n + (size_t)d->C_column[e]] = d->C_value[e];
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < m; k++)
        s->a[i * n + j] += JM[i * m + k] * J[j * m + k];
  }
  free(J);
  free(M);
  free(JM);
}

/* The arrays of the sample become its data, and A is multiplied out. */
static void sample_close(sample *s, bool with_C)
{
  perp_contact_data *d = &s->data;
  d->J_start = s->J_start, d->J_column = s->J_column, d->J_value = s->J_value;
  d->Minv = s->Minv;
  if (with_C)
    d->C_start = s->C_start, d->C_column = s->C_column, d->C_value = s->C_value;
  multiply_out(s);
}

static sample *sample_make(const shape *h, perp_random *random)
{
  sample *s = oracle_memory(sizeof *s);
  perp_contact_data *d = &s->data;
  *d = perp_contact_data_default();
  d->rows = 1 + perp_random_below(random, MAX_ROWS);
  d->blocks = 1 + perp_random_below(random, MAX_BLOCKS);
  double *M = s->Minv;
  for (int k = 0; k < d->blocks; k++) {
    /* the last of mixed blocks has 6 velocities, which fixes their packed width */
    const int size = h->size ? h->size : k + 1 == d->blocks ? 6 : 1 + perp_random_below(random, 6);
    s->block_start[k + 1] = s->block_start[k] + size;
    random_block(h->M, size, M, random);
    M += size * size;
  }
  d->velocities = s->block_start[d->blocks];
  d->block_start = h->size && perp_random_below(random, 2) ? NULL : s->block_start;
  random_J(h, s, random);
  random_C(h, s, random);
  sample_close(s, h->C != C_NONE);
  return s;
}

static perp_operator *sample_operator(const sample *s, perp_storage storage)
{
  perp_operator *A;
  perp_message why = {""};
  const perp_error error = perp_operator_contact(&s->data, storage, &A, &why);
  CHECK_SAY(error == PERP_OK, "%s", why.text);
  return A;
}
