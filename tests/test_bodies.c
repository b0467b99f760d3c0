/* test_bodies.c: contact operators given by the two bodies of each row, C given by its diagonal or by
 * a number, and velocities before and after a solve, against compressed rows and dense arithmetic */
#include "test.h"

#include "base/random.h"
#include <perp/perp.h>

enum { ROWS = 24, BODIES = 7, FREEDOM = 6, TRIALS = 200 };
enum { VELOCITIES = BODIES * FREEDOM, ENTRIES = 2 * FREEDOM * ROWS };

typedef enum { C_NONE, C_NUMBER, C_DIAGONAL, C_KINDS } C_kind;

/* One problem in both forms, and J and C in full. */
typedef struct sample {
  perp_contact_bodies bodies;
  int body[2 * ROWS];
  double J[ENTRIES], Minv[BODIES * FREEDOM * FREEDOM], C[ROWS];
  perp_contact_data data;
  int64_t J_start[ROWS + 1], C_start[ROWS + 1];
  int J_column[ENTRIES], C_column[ROWS];
  double J_value[ENTRIES], C_value[ROWS];
  double full_J[ROWS * VELOCITIES], full_Minv[VELOCITIES * VELOCITIES];
  double b[ROWS], lo[ROWS], hi[ROWS];
  int findex[ROWS];
} sample;

/* The compressed rows of the bodies, column by column: entries that are nonzero or belong to a
 * body. */
static void compress(sample *s, C_kind C)
{
  const perp_contact_bodies *d = &s->bodies;
  const int m = d->freedom * d->bodies;
  int64_t entries = 0;
  memset(s->full_J, 0, sizeof s->full_J);
  memset(s->full_Minv, 0, sizeof s->full_Minv);
  for (int i = 0; i < d->rows; i++) {
    for (int column = 0; column < m; column++)
      for (int side = 0; side < 2; side++)
        if (s->body[2 * (i / d->together) + side] == column / d->freedom) {
          s->J_column[entries] = column;
          s->J_value[entries] = s->J[(2 * i + side) * d->freedom + column % d->freedom];
          s->full_J[i * m + column] = s->J_value[entries++];
        }
    s->J_start[i + 1] = entries;
    s->C_start[i + 1] = i + 1;
    s->C_column[i] = i;
    s->C_value[i] = C == C_NUMBER ? d->cfm : s->C[i];
  }
  for (int k = 0; k < d->bodies; k++)
    for (int r = 0; r < d->freedom; r++)
      for (int c = 0; c < d->freedom; c++)
        s->full_Minv[(k * d->freedom + r) * m + k * d->freedom + c] =
            s->Minv[(k * d->freedom + r) * d->freedom + c];
  s->data = perp_contact_data_default();
  s->data.rows = d->rows;
  s->data.velocities = m;
  s->data.blocks = d->bodies;
  s->data.J_start = s->J_start;
  s->data.J_column = s->J_column;
  s->data.J_value = s->J_value;
  s->data.Minv = s->Minv;
  if (C != C_NONE) {
    s->data.C_start = s->C_start;
    s->data.C_column = s->C_column;
    s->data.C_value = s->C_value;
  }
}

static void fill_numbers(sample *s, perp_random *random)
{
  const int f = s->bodies.freedom;
  for (int k = 0; k < 2 * f * s->bodies.rows; k++)
    s->J[k] = perp_random_below(random, 8) ? perp_random_between(random, -1, 1) : 0;
  for (int k = 0; k < s->bodies.bodies; k++) {
    double *M = s->Minv + k * f * f;
    for (int r = 0; r < f; r++)
      for (int c = 0; c <= r; c++)
        M[r * f + c] = M[c * f + r] = r == c           ? perp_random_between(random, 3, 4)
                                      : r < 3 || c < 3 ? 0
                                                       : perp_random_between(random, -0.5, 0.5);
  }
  for (int i = 0; i < s->bodies.rows; i++)
    s->C[i] = perp_random_between(random, 0.01, 0.1);
}

static void make(sample *s, int trial, perp_random *random)
{
  const C_kind C = (C_kind)(trial % C_KINDS);
  perp_contact_bodies *d = &s->bodies;
  memset(s, 0, sizeof *s);
  *d = perp_contact_bodies_default();
  d->freedom = trial % 2 ? 6 : 3;
  d->together = trial % 5 == 0 ? 1 : 3;
  d->rows = d->together * (1 + perp_random_below(random, ROWS / d->together));
  d->bodies = 2 + perp_random_below(random, BODIES - 1);
  d->body = s->body;
  d->J = s->J;
  d->Minv = s->Minv;
  d->cfm = C == C_NUMBER ? 1e-3 : 0;
  d->C_diagonal = C == C_DIAGONAL ? s->C : NULL;
  for (int c = 0; c < d->rows / d->together; c++) {
    const int first = perp_random_below(random, d->bodies);
    int second = -1;
    if (perp_random_below(random, 4))
      do
        second = perp_random_below(random, d->bodies);
      while (second == first);
    const int turned = perp_random_below(random, 2);
    s->body[2 * c + turned] = first;
    s->body[2 * c + !turned] = second;
  }
  fill_numbers(s, random);
  for (int i = 0; i < d->rows; i++) {
    const int normal = i / 3 * 3;
    s->b[i] = perp_random_between(random, -1, 0.5);
    s->findex[i] = i == normal ? -1 : normal;
    s->lo[i] = i == normal ? 0 : -0.6;
    s->hi[i] = i == normal ? INFINITY : 0.6;
  }
  compress(s, C);
}

static perp_operator *of_bodies(const sample *s, perp_storage storage)
{
  perp_operator *A = NULL;
  perp_message why = {""};
  const perp_error error = perp_operator_contact_bodies(&s->bodies, storage, &A, &why);
  CHECK_SAY(error == PERP_OK, "%s", why.text);
  return A;
}

static perp_operator *of_rows(const sample *s)
{
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&s->data, PERP_COPY, &A, NULL) == PERP_OK);
  return A;
}

/* Checks that both operators have the same arrays, products and steps of several methods, bit for
 * bit. */
static void check_same(const perp_operator *A, const perp_operator *B, const sample *s)
{
  perp_contact_data a = perp_contact_data_default(), b = perp_contact_data_default();
  CHECK(perp_operator_contact_data(A, &a) == PERP_OK);
  CHECK(perp_operator_contact_data(B, &b) == PERP_OK);
  const size_t n = (size_t)b.rows, entries = (size_t)b.J_start[n];
  CHECK(a.rows == b.rows && a.velocities == b.velocities && a.blocks == b.blocks);
  CHECK(memcmp(a.J_start, b.J_start, (n + 1) * sizeof *a.J_start) == 0);
  CHECK(memcmp(a.J_column, b.J_column, entries * sizeof *a.J_column) == 0);
  CHECK(memcmp(a.J_value, b.J_value, entries * sizeof *a.J_value) == 0);
  CHECK((a.C_start != NULL) == (b.C_start != NULL));
  if (b.C_start) {
    CHECK(memcmp(a.C_start, b.C_start, (n + 1) * sizeof *a.C_start) == 0);
    CHECK(memcmp(a.C_column, b.C_column, n * sizeof *a.C_column) == 0);
    CHECK(memcmp(a.C_value, b.C_value, n * sizeof *a.C_value) == 0);
  }
  CHECK(perp_operator_nonzeros(A) == perp_operator_nonzeros(B));
  static const char *const methods[] = {"pgs", "bgs", "auto"};
  for (int m = 0; m < 3; m++) {
    double x[2][ROWS] = {{0}};
    for (int side = 0; side < 2; side++) {
      const perp_problem p = perp_problem_friction(side ? B : A, s->b, s->lo, s->hi, s->findex);
      perp_options options = perp_options_default();
      options.max_iterations = 50;
      perp_result result = perp_result_empty();
      const perp_error error = perp_solve(methods[m], &p, &options, x[side], &result);
      CHECK_SAY(error == PERP_OK || error == PERP_ERROR_UNSUPPORTED, "%s", result.message.text);
    }
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
  }
}

static void same_bits_as_compressed_rows(void)
{
  perp_random random = perp_random_from(20);
  static sample s;
  perp_operator *kept = NULL;
  for (int trial = 0; trial < TRIALS; trial++) {
    make(&s, trial, &random);
    perp_operator *B = of_rows(&s), *A = of_bodies(&s, PERP_BORROW);
    check_same(A, B, &s);
    perp_operator_destroy(A);

    A = of_bodies(&s, PERP_COPY);
    if (kept) /* whatever it was before */
      CHECK(perp_operator_contact_bodies_replace(kept, &s.bodies, PERP_COPY, NULL) == PERP_OK);
    else
      kept = of_bodies(&s, PERP_COPY);
    memset(s.J, 0xff, sizeof s.J); /* the caller's arrays are no longer read */
    memset(s.Minv, 0xff, sizeof s.Minv);
    memset(s.C, 0xff, sizeof s.C);
    memset(s.body, 0xff, sizeof s.body);
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    check_same(A, B, &s);
    check_same(kept, B, &s);
    perp_operator_destroy(A);
    perp_operator_destroy(B);
  }
  perp_operator_destroy(kept);
}

static void refresh_reads_borrowed_arrays(void)
{
  perp_random random = perp_random_from(21);
  static sample s;
  for (int trial = 0; trial < TRIALS; trial++) {
    make(&s, trial, &random);
    perp_operator *A = of_bodies(&s, PERP_BORROW);
    fill_numbers(&s, &random);
    compress(&s, (C_kind)(trial % C_KINDS));
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    perp_operator *B = of_rows(&s);
    check_same(A, B, &s);
    perp_operator_destroy(B);
    /* a diagonal C with compressed rows of J */
    perp_contact_data data = s.data;
    data.C_start = NULL;
    data.C_column = NULL;
    data.C_value = NULL;
    data.C_diagonal = s.bodies.C_diagonal;
    data.cfm = s.bodies.cfm;
    CHECK(perp_operator_contact_replace(A, &data, PERP_BORROW, NULL) == PERP_OK);
    s.C[0] += 1;
    compress(&s, (C_kind)(trial % C_KINDS));
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    B = of_rows(&s);
    check_same(A, B, &s);
    if (s.bodies.C_diagonal) {
      perp_message why;
      s.C[0] = NAN;
      CHECK(perp_operator_refresh(A, &why) == PERP_ERROR_PROBLEM);
      CHECK_EQUAL_TEXT(why.text, "C(0,0) = nan is not finite");
    }
    perp_operator_destroy(A);
    perp_operator_destroy(B);
  }
}

/* b = J v + c and v + Minv J^T x, against the full matrices. */
static void velocities_against_dense_arithmetic(void)
{
  perp_random random = perp_random_from(22);
  static sample s;
  for (int trial = 0; trial < TRIALS; trial++) {
    make(&s, trial, &random);
    perp_operator *A = of_bodies(&s, trial % 2 ? PERP_COPY : PERP_BORROW);
    const int n = s.bodies.rows, m = s.data.velocities;
    double v[VELOCITIES], x[ROWS], c[ROWS], b[ROWS], w[VELOCITIES], f[VELOCITIES];
    for (int j = 0; j < m; j++)
      v[j] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      x[i] = perp_random_between(&random, -1, 1);
      c[i] = perp_random_between(&random, -1, 1);
    }
    CHECK(perp_contact_bias(A, v, trial % 3 ? c : NULL, b, NULL) == PERP_OK);
    for (int i = 0; i < n; i++) {
      double sum = trial % 3 ? c[i] : 0;
      for (int j = 0; j < m; j++)
        sum += s.full_J[i * m + j] * v[j];
      CHECK_CLOSE(b[i], sum, 1e-13);
    }
    CHECK(perp_contact_velocities(A, trial % 4 ? v : NULL, x, w, NULL) == PERP_OK);
    for (int j = 0; j < m; j++) {
      f[j] = 0;
      for (int i = 0; i < n; i++)
        f[j] += s.full_J[i * m + j] * x[i];
    }
    for (int j = 0; j < m; j++) {
      double sum = trial % 4 ? v[j] : 0;
      for (int k = 0; k < m; k++)
        sum += s.full_Minv[j * m + k] * f[k];
      CHECK_CLOSE(w[j], sum, 1e-12);
    }
    /* in place, to the last bit */
    if (trial % 4) {
      CHECK(perp_contact_velocities(A, v, x, v, NULL) == PERP_OK);
      CHECK(memcmp(v, w, (size_t)m * sizeof *v) == 0);
    }
    perp_operator_destroy(A);
  }
}

#define REFUSE(change, error, line)                                                                \
  do {                                                                                             \
    perp_contact_bodies d = s.bodies;                                                              \
    perp_operator *A = (perp_operator *)1;                                                         \
    perp_message why = {""};                                                                       \
    change;                                                                                        \
    CHECK_EQUAL_INT(perp_operator_contact_bodies(&d, PERP_COPY, &A, &why), error);                 \
    CHECK(A == NULL);                                                                              \
    CHECK_EQUAL_TEXT(why.text, line);                                                              \
    CHECK_EQUAL_INT(perp_operator_contact_bodies_replace(kept, &d, PERP_COPY, NULL), error);       \
    CHECK_EQUAL_INT(perp_operator_size(kept), 0);                                                  \
  } while (0)

static void bad_bodies_are_named(void)
{
  perp_random random = perp_random_from(23);
  static sample s;
  do
    make(&s, 1, &random); /* 6 velocities, 3 rows to a contact, C = cfm I */
  while (s.bodies.rows != 9 || s.bodies.bodies != 4);
  perp_operator *kept = of_bodies(&s, PERP_COPY);
  int same[6] = {0, 1, 2, 2, -1, 3}, outside[6] = {0, 1, 4, 2, -1, 3};
  double J[ENTRIES], Minv[4 * 36];
  memcpy(J, s.J, sizeof J);
  memcpy(Minv, s.Minv, sizeof Minv);
  REFUSE(d.rows = -1, PERP_ERROR_ARGUMENT,
         "contact: rows = -1 and bodies = 4: neither may be negative");
  REFUSE(d.freedom = 4, PERP_ERROR_ARGUMENT,
         "contact: 4 velocities per body; use 6, or 3 in the plane");
  REFUSE(d.together = 2, PERP_ERROR_ARGUMENT,
         "contact: rows = 9 is not a multiple of 2, the rows per contact");
  REFUSE(d.together = 0, PERP_ERROR_ARGUMENT,
         "contact: rows = 9 is not a multiple of 0, the rows per contact");
  REFUSE(d.body = NULL, PERP_ERROR_ARGUMENT, "contact: body, J or Minv is NULL");
  REFUSE(d.body = same, PERP_ERROR_PROBLEM, "contact 1: both its bodies are 2");
  REFUSE(d.body = outside, PERP_ERROR_PROBLEM, "contact 1: body 4 is not in -1 .. 3");
  REFUSE((d.body = (int[6]){0, 1, 1, 2, 2, 3}, J[0] = NAN, d.J = J), PERP_ERROR_PROBLEM,
         "J(0,0) = nan is not finite");
  REFUSE((Minv[1] = 7, d.Minv = Minv), PERP_ERROR_PROBLEM,
         "Minv: block 0 is not symmetric: (1,0) = 0, but (0,1) = 7");
  REFUSE(d.C_diagonal = s.C, PERP_ERROR_ARGUMENT,
         "contact: C is given by more than one of C_start, C_diagonal and cfm");
  REFUSE(d.cfm = INFINITY, PERP_ERROR_PROBLEM, "C: cfm = inf is not finite");
  REFUSE(d.size = 0, PERP_ERROR_ARGUMENT,
         "perp_contact_bodies.size = 0 is not valid; initialise it with "
         "perp_contact_bodies_default()");
  perp_operator_destroy(kept);
  CHECK(perp_operator_contact_bodies(NULL, PERP_COPY, &kept, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(kept == NULL);

  /* its own arrays would be lost */
  static sample t;
  do
    make(&t, 2, &random);
  while (t.bodies.rows == 0);
  perp_operator *A = of_bodies(&t, PERP_BORROW);
  perp_contact_data own = perp_contact_data_default();
  CHECK(perp_operator_contact_data(A, &own) == PERP_OK);
  CHECK(perp_operator_contact_replace(A, &own, PERP_COPY, NULL) == PERP_ERROR_ARGUMENT);
  own.J_start = t.J_start;
  own.block_start = NULL;
  CHECK(perp_operator_contact_replace(A, &own, PERP_COPY, NULL) == PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_operator_size(A), t.bodies.rows);

  double v[VELOCITIES] = {0}, one = 1;
  perp_operator *dense = NULL;
  perp_message why;
  CHECK(perp_operator_dense(1, &one, 1, PERP_COPY, &dense, NULL) == PERP_OK);
  CHECK(perp_contact_bias(dense, v, NULL, v, &why) == PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(why.text, "a dense operator has no velocities; use a contact operator");
  CHECK(perp_contact_velocities(A, v, NULL, v, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_contact_bias(NULL, v, NULL, v, NULL) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(dense);
  perp_operator_destroy(A);
}

/* Data of a client that lacks the last fields, and a result for it. */
static void older_clients(void)
{
  perp_random random = perp_random_from(24);
  static sample s;
  make(&s, 3, &random); /* no C */
  perp_contact_data data = s.data;
  data.size = offsetof(perp_contact_data, C_diagonal);
  data.cfm = 5; /* beyond what it knows: bytes of something else */
  perp_operator *A = NULL, *B = of_rows(&s);
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  check_same(A, B, &s);
  CHECK(perp_operator_contact_data_sized(A, &data, data.size) == PERP_OK);
  CHECK(data.cfm == 5 && data.size == offsetof(perp_contact_data, C_diagonal));
  CHECK(data.rows == s.bodies.rows && data.J_start != s.J_start);
  perp_operator_destroy(A);
  perp_operator_destroy(B);
}

static const test_case tests[] = {
    TEST(same_bits_as_compressed_rows),
    TEST(refresh_reads_borrowed_arrays),
    TEST(velocities_against_dense_arithmetic),
    TEST(bad_bodies_are_named),
    TEST(older_clients),
};
TEST_MAIN(tests)
