/* The contact operator against J Minv J^T + C multiplied out: every ability except sweeps
 * (test_contact_sweep.c), and the error messages for bad data. */
#include "contact_samples.h"

/* ---- Every ability but relax ---- */

static void check_entries(const oracle_case *c, perp_random *random)
{
  CHECK_EQUAL_INT(perp_operator_abilities(c->A), 511);
  oracle_check_entries(c, random);
}

static void entries_of_every_shape(void)
{
  perp_random random = perp_random_from(1);
  for (int trial = 0; trial < 30 * SHAPES; trial++) {
    sample *s = sample_make(&shapes[trial % SHAPES], &random);
    perp_operator *A = sample_operator(s, trial % 2 ? PERP_COPY : PERP_BORROW);
    const oracle_case c = {.A = A, .n = s->data.rows, .a = s->a};
    CHECK_EQUAL_TEXT(perp_operator_kind(A), "contact");
    CHECK_EQUAL_INT(perp_operator_nonzeros(A),
                    s->data.J_start[c.n] + (s->data.C_start ? s->data.C_start[c.n] : 0));
    if (trial % 2) { /* the caller's arrays must no longer be read */
      memset(s->J_value, 0xff, sizeof s->J_value);
      memset(s->C_value, 0xff, sizeof s->C_value);
      memset(s->Minv, 0xff, sizeof s->Minv);
      memset(s->J_column, 0xff, sizeof s->J_column);
      memset(s->J_start, 0xff, sizeof s->J_start);
      memset(s->C_start, 0xff, sizeof s->C_start);
      memset(s->C_column, 0xff, sizeof s->C_column);
      memset(s->block_start, 0xff, sizeof s->block_start);
    }
    check_entries(&c, &random);
    perp_operator_destroy(A);
    free(s);
  }
}

static void data_comes_back(void)
{
  perp_random random = perp_random_from(2);
  sample *s = sample_make(&shapes[5], &random);
  s->data.block_start = NULL;
  perp_operator *A = sample_operator(s, PERP_COPY);
  perp_contact_data d = perp_contact_data_default();
  CHECK(perp_operator_contact_data(A, &d) == PERP_OK);
  CHECK(d.rows == s->data.rows && d.velocities == s->data.velocities && d.blocks == s->data.blocks);
  const size_t n = (size_t)d.rows, J = (size_t)s->J_start[n], C = (size_t)s->C_start[n];
  CHECK(memcmp(d.J_start, s->J_start, (n + 1) * sizeof *d.J_start) == 0);
  CHECK(memcmp(d.J_column, s->J_column, J * sizeof *d.J_column) == 0);
  CHECK(memcmp(d.J_value, s->J_value, J * sizeof *d.J_value) == 0);
  CHECK(memcmp(d.C_start, s->C_start, (n + 1) * sizeof *d.C_start) == 0);
  CHECK(memcmp(d.C_column, s->C_column, C * sizeof *d.C_column) == 0);
  CHECK(memcmp(d.C_value, s->C_value, C * sizeof *d.C_value) == 0);
  CHECK(memcmp(d.Minv, s->Minv, (size_t)d.blocks * 36 * sizeof *d.Minv) == 0);
  for (int k = 0; k <= d.blocks; k++)
    CHECK_EQUAL_INT(d.block_start[k], 6 * k);

  perp_operator *dense;
  const double one = 1;
  CHECK(perp_operator_dense(1, &one, 1, PERP_COPY, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_contact_data(dense, &d) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(dense);
  perp_operator_destroy(A);
  free(s);
}

/* ---- Changed and bad data ---- */

static void refresh_takes_new_values(void)
{
  perp_random random = perp_random_from(7);
  for (int trial = 0; trial < 2 * SHAPES; trial++) {
    sample *s = sample_make(&shapes[trial % SHAPES], &random);
    perp_operator *A = sample_operator(s, PERP_BORROW);
    const int64_t J = s->J_start[s->data.rows], C = s->C_start[s->data.rows];
    for (int64_t e = 0; e < J; e++)
      s->J_value[e] = perp_random_between(&random, -1, 1);
    for (int64_t e = 0; e < C; e++)
      s->C_value[e] *= 1.5;
    double *M = s->Minv;
    for (int k = 0; k < s->data.blocks; k++) {
      const int size = s->block_start[k + 1] - s->block_start[k];
      random_block(M_DEFINITE, size, M, &random);
      M += size * size;
    }
    multiply_out(s);
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    const oracle_case c = {.A = A, .n = s->data.rows, .a = s->a};
    check_entries(&c, &random);
    if (J > 0) {
      perp_message why;
      s->J_value[J - 1] = NAN;
      CHECK(perp_operator_refresh(A, &why) == PERP_ERROR_PROBLEM);
      CHECK_SAY(strstr(why.text, "= nan is not finite"), "%s", why.text);
    }
    perp_operator_destroy(A);
    free(s);
  }
}

/* One operator takes one sample after another, larger and smaller, and equals a new one each time,
 * even after data that are refused. */
static void replace_takes_other_data(void)
{
  perp_random random = perp_random_from(8);
  perp_operator *A = NULL;
  for (int trial = 0; trial < 6 * SHAPES; trial++) {
    sample *s = sample_make(&shapes[perp_random_below(&random, SHAPES)], &random);
    const perp_storage storage = trial % 2 ? PERP_COPY : PERP_BORROW;
    const int64_t J = s->J_start[s->data.rows];
    perp_message why;
    if (!A) {
      A = sample_operator(s, storage);
    } else {
      if (J > 0 && trial % 3 == 0) { /* values are refused, and then are fine */
        const double value = s->J_value[0];
        s->J_value[0] = INFINITY;
        CHECK(perp_operator_contact_replace(A, &s->data, storage, &why) == PERP_ERROR_PROBLEM);
        CHECK_SAY(strstr(why.text, "= inf is not finite"), "%s", why.text);
        CHECK(A->refused);
        s->J_value[0] = value;
        /* no data is left to refresh, or to read beyond its end */
        CHECK(perp_operator_refresh(A, NULL) == PERP_ERROR_ARGUMENT);
        CHECK(A->refused);
        CHECK_EQUAL_INT(perp_operator_size(A), 0);
        double none = 7;
        CHECK(perp_operator_apply(A, &none, &none, &none, NULL) == PERP_OK);
        CHECK(perp_operator_diagonal(A, &none, NULL) == PERP_OK);
        CHECK(none == 7);
        perp_operator *entries = NULL;
        CHECK(perp_operator_to_csr(A, 0, &entries, NULL) == PERP_OK);
        CHECK_EQUAL_INT(perp_operator_size(entries), 0);
        perp_operator_destroy(entries);
      }
      CHECK(perp_operator_contact_replace(A, &s->data, storage, NULL) == PERP_OK);
    }
    CHECK(!A->refused);
    perp_contact_data own = perp_contact_data_default();
    CHECK(perp_operator_contact_data(A, &own) == PERP_OK);
    if (storage == PERP_COPY) /* it would lose what it is given */
      CHECK(perp_operator_contact_replace(A, &own, PERP_COPY, NULL) == PERP_ERROR_ARGUMENT);
    CHECK(!A->refused);
    const oracle_case c = {.A = A, .n = s->data.rows, .a = s->a};
    check_entries(&c, &random);
    free(s);
  }
  CHECK(perp_operator_contact_replace(A, NULL, PERP_COPY, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(A->refused);
  perp_operator_destroy(A);
  CHECK(perp_operator_contact_replace(NULL, NULL, PERP_COPY, NULL) == PERP_ERROR_ARGUMENT);
}

/* Two rows, three velocities in blocks of 2 and 1, C with two entries. */
typedef struct small {
  int64_t J_start[3], C_start[3];
  int J_column[3], C_column[2], block_start[3];
  double J_value[3], C_value[2], Minv[5];
  perp_contact_data data;
} small;

static const small fine = {
    .J_start = {0, 2, 3},
    .C_start = {0, 1, 2},
    .J_column = {0, 2, 1},
    .C_column = {0, 0},
    .block_start = {0, 2, 3},
    .J_value = {1, 2, 3},
    .C_value = {4, 5},
    .Minv = {2, 1, 1, 2, 3},
};

static void small_connect(small *s)
{
  s->data = (perp_contact_data){.size = sizeof(perp_contact_data),
                                .rows = 2,
                                .velocities = 3,
                                .J_start = s->J_start,
                                .J_column = s->J_column,
                                .J_value = s->J_value,
                                .blocks = 2,
                                .block_start = s->block_start,
                                .Minv = s->Minv,
                                .C_start = s->C_start,
                                .C_column = s->C_column,
                                .C_value = s->C_value};
}

static void refused(const small *s, perp_error error, const char *line)
{
  perp_operator *A = (perp_operator *)1;
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_operator_contact(&s->data, PERP_COPY, &A, &why), error);
  CHECK(A == NULL);
  CHECK_EQUAL_TEXT(why.text, line);
  CHECK(perp_operator_contact(&s->data, PERP_BORROW, &A, NULL) == error);
}

#define REFUSE(change, error, line)                                                                \
  do {                                                                                             \
    small s = fine;                                                                                \
    small_connect(&s);                                                                             \
    change;                                                                                        \
    refused(&s, error, line);                                                                      \
  } while (0)

static void bad_data_is_named(void)
{
  small good = fine;
  small_connect(&good);
  perp_operator *A;
  CHECK(perp_operator_contact(&good.data, PERP_COPY, &A, NULL) == PERP_OK);
  perp_operator_destroy(A);

  REFUSE(s.data.rows = -1, PERP_ERROR_ARGUMENT,
         "contact: -1 rows, 3 velocities, 2 blocks: none may be below 0");
  REFUSE(s.data.J_start = NULL, PERP_ERROR_ARGUMENT, "contact: J_start is NULL");
  REFUSE(s.data.Minv = NULL, PERP_ERROR_ARGUMENT, "contact: Minv is NULL");
  REFUSE(s.data.J_column = NULL, PERP_ERROR_ARGUMENT, "J: row 0 has entries, but column is NULL");
  REFUSE(s.data.C_value = NULL, PERP_ERROR_ARGUMENT, "C: there are entries, but value is NULL");
  REFUSE(s.J_start[0] = 1, PERP_ERROR_PROBLEM, "J: row 0 starts at entry 1, not at 0");
  REFUSE(s.J_start[2] = 1, PERP_ERROR_PROBLEM, "J: row 1 starts at entry 2 and ends before 1");
  REFUSE(s.J_column[1] = 3, PERP_ERROR_PROBLEM, "J: row 0 has column 3 outside 0 .. 2");
  REFUSE(s.J_column[1] = -1, PERP_ERROR_PROBLEM, "J: row 0 has column -1 outside 0 .. 2");
  REFUSE(s.J_column[0] = 2, PERP_ERROR_PROBLEM, "J: row 0 has column 2 twice");
  REFUSE(s.C_column[1] = 2, PERP_ERROR_PROBLEM, "C: row 1 has column 2 outside 0 .. 1");
  REFUSE(s.C_start[1] = -1, PERP_ERROR_PROBLEM, "C: row 0 starts at entry 0 and ends before -1");
  REFUSE(s.block_start[0] = 1, PERP_ERROR_PROBLEM, "Minv: block 0 starts at velocity 1, not at 0");
  REFUSE(s.block_start[1] = 3, PERP_ERROR_PROBLEM,
         "Minv: block 1 starts at velocity 3 and ends before 3");
  REFUSE(s.block_start[2] = 4, PERP_ERROR_PROBLEM, "Minv: the blocks end before velocity 4, not 3");
  REFUSE(s.data.block_start = NULL, PERP_ERROR_PROBLEM,
         "Minv: 3 velocities cannot be split into 2 blocks of equal size");
  REFUSE(s.J_value[2] = INFINITY, PERP_ERROR_PROBLEM, "J(1,1) = inf is not finite");
  REFUSE(s.C_value[1] = -INFINITY, PERP_ERROR_PROBLEM, "C(1,0) = -inf is not finite");
  REFUSE(s.Minv[4] = NAN, PERP_ERROR_PROBLEM, "Minv: block 1 has (0,0) = nan, which is not finite");
  REFUSE(s.Minv[2] = 1.5, PERP_ERROR_PROBLEM,
         "Minv: block 0 is not symmetric: (1,0) = 1.5, but (0,1) = 1");
}

static void nothing_at_all(void)
{
  const int64_t start[1] = {0};
  perp_contact_data d = {.size = sizeof(perp_contact_data), .J_start = start};
  perp_operator *A;
  CHECK(perp_operator_contact(&d, PERP_COPY, &A, NULL) == PERP_OK);
  CHECK_EQUAL_INT(perp_operator_size(A), 0);
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  const perp_set K = {0};
  double x[1], y[1];
  CHECK(perp_relaxer_create("test", A, x, &K, x, 2, 7u, &arena, &relaxer, NULL) == PERP_OK);
  perp_relax(relaxer, 1, PERP_FORWARD);
  perp_relax(relaxer, 1, PERP_COLOURED);
  relaxer->gradient(relaxer, y);
  perp_arena_free(&arena);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(entries_of_every_shape),   TEST(data_comes_back),   TEST(refresh_takes_new_values),
    TEST(replace_takes_other_data), TEST(bad_data_is_named), TEST(nothing_at_all),
};

TEST_MAIN(tests)
