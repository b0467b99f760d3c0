/* test_operator.c: dense, csr, bsr and shell operators against the dense oracle, on random
 * matrices of sizes 0, 1 and up with symmetric and nonsymmetric structure; what they refuse */
#include "operator_oracle.h"

#include <perp/perp.h>

/* ---- Random matrices ---- */

typedef enum structure { FULL, SYMMETRIC_STRUCTURE, ANY_STRUCTURE } structure;

/* n x n with the share `density` of its entries off the diagonal, none of them symmetric in
 * value, and a diagonal of about half the sum of its row or more. */
static double *random_matrix(perp_random *random, int n, structure s, double density)
{
  double *a = oracle_reals((size_t)n * (size_t)n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const bool lower = s == FULL || perp_random_uniform(random) < density;
      const bool upper =
          s == SYMMETRIC_STRUCTURE ? lower : s == FULL || perp_random_uniform(random) < density;
      a[i * n + j] = lower ? perp_random_between(random, -1, 1) : 0;
      a[j * n + i] = upper ? perp_random_between(random, -1, 1) : 0;
    }
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += fabs(a[i * n + j]);
    a[i * n + i] = perp_random_between(random, 0.5, 1.5) * sum + 0.25;
  }
  return a;
}

static int random_size(perp_random *random, int round)
{
  return round < 3 ? round : perp_random_below(random, 24);
}

typedef struct csr_arrays {
  int64_t *start;
  int *column;
  double *value;
} csr_arrays;

/* The nonzeros of a; some zeros are stored too. */
static csr_arrays compress(perp_random *random, int n, const double *a)
{
  csr_arrays c = {oracle_memory(sizeof(int64_t) * ((size_t)n + 1)),
                  oracle_integers((size_t)n * (size_t)n), oracle_reals((size_t)n * (size_t)n)};
  for (int i = 0; i < n; i++) {
    c.start[i + 1] = c.start[i];
    for (int j = 0; j < n; j++)
      if (a[i * n + j] != 0 || perp_random_below(random, 40) == 0) {
        c.column[c.start[i + 1]] = j;
        c.value[c.start[i + 1]++] = a[i * n + j];
      }
  }
  return c;
}

static void csr_arrays_free(csr_arrays *c)
{
  free(c->start);
  free(c->column);
  free(c->value);
}

/* ---- Every ability ---- */

static void dense_abilities(void)
{
  perp_random random = perp_random_from(11);
  for (int round = 0; round < 90; round++) {
    const int n = random_size(&random, round), stride = n + round % 3 * 5;
    double *a = random_matrix(&random, n, (structure)(round % 3), 0.3);
    double *strided = oracle_reals((size_t)n * (size_t)stride);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < stride; j++)
        strided[i * stride + j] = j < n ? a[i * n + j] : NAN;
    perp_operator *A;
    CHECK(perp_operator_dense(n, strided, stride, round % 2 ? PERP_COPY : PERP_BORROW, &A, NULL) ==
          PERP_OK);
    if (round % 2)
      memset(strided, 0xff, sizeof(double) * (size_t)n * (size_t)stride);
    CHECK_EQUAL_TEXT(perp_operator_kind(A), "dense");
    CHECK_EQUAL_INT(perp_operator_nonzeros(A), n * n);
    CHECK_EQUAL_INT(perp_operator_abilities(A), 255);
    oracle_check(&(oracle_case){.A = A, .n = n, .a = a}, &random);
    perp_operator_destroy(A);
    free(strided);
    free(a);
  }
}

static void csr_abilities(void)
{
  perp_random random = perp_random_from(12);
  for (int round = 0; round < 150; round++) {
    const int n = random_size(&random, round) + (round % 10 == 9 ? 20 : 0);
    double *a = random_matrix(&random, n, (structure)(round % 3), round % 2 ? 0.1 : 0.4);
    csr_arrays c = compress(&random, n, a);
    perp_operator *A;
    CHECK(perp_operator_csr(n, c.start, c.column, c.value, round % 2 ? PERP_COPY : PERP_BORROW, &A,
                            NULL) == PERP_OK);
    CHECK_EQUAL_INT(perp_operator_nonzeros(A), c.start[n]);
    if (round % 2)
      csr_arrays_free(&c);
    CHECK_EQUAL_TEXT(perp_operator_kind(A), "csr");
    CHECK_EQUAL_INT(perp_operator_abilities(A), 255);
    oracle_check(&(oracle_case){.A = A, .n = n, .a = a}, &random);
    perp_operator_destroy(A);
    if (round % 2 == 0)
      csr_arrays_free(&c);
    free(a);
  }
}

static void bsr_abilities(void)
{
  perp_random random = perp_random_from(13);
  for (int round = 0; round < 120; round++) {
    const int size = 1 + round % 7, blocks = round < 14 ? round / 7 : perp_random_below(&random, 7);
    const int n = blocks * size;
    /* whole blocks of a random matrix are cleared, except on the diagonal */
    double *a = random_matrix(&random, n, FULL, 1);
    int64_t *start = oracle_memory(sizeof(int64_t) * ((size_t)blocks + 1));
    int *column = oracle_integers((size_t)blocks * (size_t)blocks);
    double *value = oracle_reals((size_t)n * (size_t)n), *next = value;
    for (int I = 0; I < blocks; I++) {
      start[I + 1] = start[I];
      for (int J = 0; J < blocks; J++) {
        const bool kept = I == J || perp_random_below(&random, 3) == 0;
        if (kept)
          column[start[I + 1]++] = J;
        for (int r = 0; r < size; r++)
          for (int c = 0; c < size; c++) {
            double *entry = &a[(I * size + r) * n + J * size + c];
            if (kept)
              *next++ = *entry;
            else
              *entry = 0;
          }
      }
    }
    perp_operator *A;
    CHECK(perp_operator_bsr(blocks, size, start, column, value, round % 2 ? PERP_COPY : PERP_BORROW,
                            &A, NULL) == PERP_OK);
    if (round % 2)
      memset(value, 0xff, sizeof(double) * (size_t)n * (size_t)n);
    CHECK_EQUAL_TEXT(perp_operator_kind(A), "bsr");
    CHECK_EQUAL_INT(perp_operator_nonzeros(A), next - value);
    CHECK_EQUAL_INT(perp_operator_abilities(A), 255);
    oracle_check(&(oracle_case){.A = A, .n = n, .a = a}, &random);
    perp_operator_destroy(A);
    free(start);
    free(column);
    free(value);
    free(a);
  }
}

/* ---- Shells over a dense matrix ---- */

typedef struct shell_context {
  int n;
  const double *a;
  int *coloured; /* the order of the shell's own coloured sweep */
} shell_context;

static int shell_apply(void *context, const double *x, double *y)
{
  const shell_context *s = context;
  oracle_product(&(oracle_case){.n = s->n, .a = s->a}, false, x, y);
  return 0;
}

static int shell_apply_t(void *context, const double *x, double *y)
{
  const shell_context *s = context;
  oracle_product(&(oracle_case){.n = s->n, .a = s->a}, true, x, y);
  return 0;
}

static int shell_diagonal(void *context, double *d)
{
  const shell_context *s = context;
  for (int i = 0; i < s->n; i++)
    d[i] = s->a[i * s->n + i];
  return 0;
}

static int shell_row(void *context, int i, int *column, double *value)
{
  const shell_context *s = context;
  int count = 0;
  for (int j = 0; j < s->n; j++)
    if (s->a[i * s->n + j] != 0) {
      column[count] = j;
      value[count++] = s->a[i * s->n + j];
    }
  return count;
}

static int shell_column(void *context, int j, int *row, double *value)
{
  const shell_context *s = context;
  int count = 0;
  for (int i = 0; i < s->n; i++)
    if (s->a[i * s->n + j] != 0) {
      row[count] = i;
      value[count++] = s->a[i * s->n + j];
    }
  return count;
}

static int shell_relax(void *context, const double *b, const perp_set *K, double omega,
                       perp_order order, double *x)
{
  const shell_context *s = context;
  const oracle_case c = {
      .n = s->n, .a = s->a, .coloured = s->coloured, .coloured_friction = s->coloured};
  int *rows = oracle_order(&c, K, order, 1u << order);
  oracle_sweep(&c, b, K, omega, rows, x);
  free(rows);
  return 0;
}

static void shell_abilities(void)
{
  perp_random random = perp_random_from(14);
  for (int round = 0; round < 192; round++) {
    const int n = round < 64 ? round / 32 : perp_random_below(&random, 16);
    double *a = random_matrix(&random, n, ANY_STRUCTURE, 0.3);
    shell_context context = {n, a, oracle_integers((size_t)n)};
    perp_random_permutation(&random, n, context.coloured);
    const unsigned with = (unsigned)round % 64; /* every subset of the callbacks comes */
    const perp_shell shell = {
        .size = sizeof(perp_shell),
        .context = &context,
        .apply = shell_apply,
        .apply_t = with & 1 ? shell_apply_t : NULL,
        .diagonal = with & 2 ? shell_diagonal : NULL,
        .row = with & 4 ? shell_row : NULL,
        .column = with & 8 ? shell_column : NULL,
        .relax = with & 16 ? shell_relax : NULL,
        .row_capacity = with & 32 ? n : 0,
    };
    const bool row = shell.row != NULL;
    const unsigned can = PERP_CAN_APPLY | (shell.apply_t ? PERP_CAN_APPLY_T : 0u) |
                         (shell.diagonal || row ? PERP_CAN_DIAGONAL : 0u) |
                         (row ? PERP_CAN_ROW : 0u) | (shell.column ? PERP_CAN_COLUMN : 0u) |
                         (shell.relax || row ? PERP_CAN_RELAX : 0u) |
                         (row ? PERP_CAN_PRINCIPAL | PERP_CAN_BLOCK_DIAGONAL : 0u);
    perp_operator *A;
    CHECK(perp_operator_shell(n, &shell, &A, NULL) == PERP_OK);
    CHECK_EQUAL_TEXT(perp_operator_kind(A), "shell");
    CHECK_EQUAL_INT(perp_operator_nonzeros(A), -1);
    CHECK_EQUAL_INT(perp_operator_abilities(A), can);
    const int *coloured = shell.relax ? context.coloured : NULL;
    oracle_check(
        &(oracle_case){.A = A, .n = n, .a = a, .coloured = coloured, .coloured_friction = coloured},
        &random);
    perp_operator_destroy(A);
    free(context.coloured);
    free(a);
  }
}

/* ---- Sizes at which loops are divided into pieces ---- */

/* The 5-point matrix of a side x side grid with varied weights. */
static csr_arrays grid(perp_random *random, int side)
{
  const size_t n = (size_t)side * (size_t)side;
  csr_arrays c = {oracle_memory(sizeof(int64_t) * (n + 1)), oracle_integers(5 * n),
                  oracle_reals(5 * n)};
  for (int i = 0; i < side * side; i++) {
    const int neighbour[5] = {i - side, i - 1, i, i + 1, i + side};
    const bool there[5] = {i >= side, i % side > 0, true, i % side < side - 1,
                           i < side * (side - 1)};
    c.start[i + 1] = c.start[i];
    for (int k = 0; k < 5; k++)
      if (there[k]) {
        c.column[c.start[i + 1]] = neighbour[k];
        c.value[c.start[i + 1]++] = k == 2 ? 4 : -perp_random_between(random, 0.5, 1);
      }
  }
  return c;
}

/* Products and sweeps of A with one and two threads have equal bits; sweeps in every order. */
static void check_threads(const perp_operator *A, oracle_form form, perp_random *random)
{
  const int n = perp_operator_size(A);
  const size_t bytes = (size_t)n * sizeof(double);
  oracle_set s = oracle_set_make(form, n, random);
  double *b = oracle_random(random, n), *x = oracle_random(random, n);
  double *y[2] = {oracle_reals((size_t)n), oracle_reals((size_t)n)};
  for (int t = 0; t < 2; t++)
    A->table->apply(A, x, y[t], &(perp_work){.threads = t + 1});
  CHECK(memcmp(y[0], y[1], bytes) == 0);
  for (int t = 0; t < 2; t++)
    A->table->apply_t(A, x, y[t], &(perp_work){.threads = t + 1});
  CHECK(memcmp(y[0], y[1], bytes) == 0);
  for (int t = 0; t < 2; t++) {
    perp_arena arena = {0};
    perp_relaxer *relaxer;
    memcpy(y[t], x, bytes);
    CHECK(perp_relaxer_create("test", A, b, &s.K, y[t], t + 1, 7, &arena, &relaxer, NULL) ==
          PERP_OK);
    for (int k = 0; k < 6; k++)
      perp_relax(relaxer, 1.2, (perp_order)(k % 3));
    perp_relaxer_store(relaxer);
    perp_arena_free(&arena);
  }
  CHECK(memcmp(y[0], y[1], bytes) == 0);
  CHECK(memcmp(y[0], x, bytes) != 0);
  free(b);
  free(x);
  free(y[0]);
  free(y[1]);
  oracle_set_free(&s);
}

static void threads_change_no_bit(void)
{
  perp_random random = perp_random_from(15);
  const int side = 130, n = 1101;
  csr_arrays c = grid(&random, side);
  double *a = random_matrix(&random, n, FULL, 1),
         *blocks = oracle_reals(45 * (size_t)(side * side));
  for (int64_t k = 0; k < c.start[side * side]; k++)
    for (int e = 0; e < 9; e++)
      blocks[9 * k + e] = c.value[k] > 0 && e % 4 == 0 ? 12 : perp_random_between(&random, -1, 1);
  perp_operator *A[3];
  CHECK(perp_operator_csr(side * side, c.start, c.column, c.value, PERP_BORROW, &A[0], NULL) ==
        PERP_OK);
  CHECK(perp_operator_bsr(side * side, 3, c.start, c.column, blocks, PERP_BORROW, &A[1], NULL) ==
        PERP_OK);
  CHECK(perp_operator_dense(n, a, n, PERP_BORROW, &A[2], NULL) == PERP_OK);
  for (int k = 0; k < 3; k++) {
    check_threads(A[k], ORACLE_PLAIN, &random);
    check_threads(A[k], ORACLE_BOXED, &random);
    check_threads(A[k], ORACLE_FRICTION, &random);
    perp_operator_destroy(A[k]);
  }
  csr_arrays_free(&c);
  free(a);
  free(blocks);
}

/* The 5-point matrix takes two colours, and a coloured sweep is then red-black. */
static void grid_is_red_black(void)
{
  perp_random random = perp_random_from(16);
  const int side = 37, n = side * side;
  csr_arrays c = grid(&random, side);
  perp_operator *A;
  perp_arena arena = {0};
  perp_colouring colouring;
  const perp_set K = {.n = n};
  CHECK(perp_operator_csr(n, c.start, c.column, c.value, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_operator_colour(A, &K, &arena, &colouring) == PERP_OK);
  CHECK_EQUAL_INT(colouring.colours, 2);
  for (int p = 0; p < n; p++) {
    const int i = colouring.order[p];
    CHECK_EQUAL_INT((i / side + i % side) % 2, p >= colouring.start[1]);
  }
  perp_arena_free(&arena);
  perp_operator_destroy(A);
  csr_arrays_free(&c);
}

/* ---- Changed data ---- */

static void refresh_sees_new_values(void)
{
  double a[] = {2, 1, 0, 3};
  const int64_t start[] = {0, 2, 3}, one[] = {0, 1};
  const int column[] = {0, 1, 1}, first[] = {0};
  double value[] = {2, 1, 3};
  perp_operator *A[3];
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A[0], NULL) == PERP_OK);
  CHECK(perp_operator_csr(2, start, column, value, PERP_BORROW, &A[1], NULL) == PERP_OK);
  CHECK(perp_operator_bsr(1, 2, one, first, a, PERP_BORROW, &A[2], NULL) == PERP_OK);
  a[1] = value[1] = 7;
  for (int k = 0; k < 3; k++) {
    CHECK(perp_operator_refresh(A[k], NULL) == PERP_OK);
    oracle_check(&(oracle_case){.A = A[k], .n = 2, .a = a}, &(perp_random){{1, 2, 3, 4}});
  }
  a[1] = value[1] = NAN;
  for (int k = 0; k < 3; k++) {
    perp_message why;
    CHECK(perp_operator_refresh(A[k], &why) == PERP_ERROR_PROBLEM);
    CHECK(strstr(why.text, "A(0,1) = ") && strstr(why.text, "nan is not finite"));
    perp_operator_destroy(A[k]);
  }
}

/* load takes a changed b as well as a changed x. */
static void load_takes_b(void)
{
  perp_random random = perp_random_from(17);
  for (int round = 0; round < 60; round++) {
    const int n = random_size(&random, round);
    double *a = random_matrix(&random, n, ANY_STRUCTURE, 0.3);
    double *b = oracle_random(&random, n), *x = oracle_random(&random, n);
    double *z = oracle_reals((size_t)n);
    csr_arrays c = compress(&random, n, a);
    perp_operator *A;
    perp_arena arena = {0};
    perp_relaxer *relaxer;
    const perp_set K = {.n = n};
    CHECK(perp_operator_csr(n, c.start, c.column, c.value, PERP_BORROW, &A, NULL) == PERP_OK);
    const oracle_case oracle = {.A = A, .n = n, .a = a};
    int *rows = oracle_order(&oracle, &K, PERP_COLOURED, 1u << PERP_COLOURED);
    CHECK(perp_relaxer_create("test", A, b, &K, x, 1, 1u << PERP_COLOURED, &arena, &relaxer,
                              NULL) == PERP_OK);
    perp_relax(relaxer, 1, PERP_COLOURED);
    for (int i = 0; i < n; i++) {
      b[i] = -b[i];
      x[i] = z[i] = 0.5;
    }
    perp_relaxer_load(relaxer);
    perp_relax(relaxer, 1, PERP_COLOURED);
    perp_relaxer_store(relaxer);
    oracle_sweep(&oracle, b, &K, 1, rows, z);
    oracle_compare_sweep(&oracle, x, z);
    perp_arena_free(&arena);
    perp_operator_destroy(A);
    csr_arrays_free(&c);
    free(rows);
    free(a);
    free(b);
    free(x);
    free(z);
  }
}

/* ---- Bad input ---- */

static void check_refused(perp_error error, perp_error expected, const perp_message *why,
                          const char *text)
{
  CHECK_EQUAL_INT(error, expected);
  CHECK_EQUAL_TEXT(why->text, text);
}

static void dense_refusals(void)
{
  perp_message why;
  perp_operator *A;
  double a[] = {1, 2, 3, INFINITY};
  check_refused(perp_operator_dense(2, a, 2, PERP_COPY, &A, &why), PERP_ERROR_PROBLEM, &why,
                "A(1,1) = inf is not finite");
  CHECK(A == NULL);
  check_refused(perp_operator_dense(-1, a, 2, PERP_COPY, &A, &why), PERP_ERROR_ARGUMENT, &why,
                "A: n = -1 is negative");
  check_refused(perp_operator_dense(2, NULL, 2, PERP_COPY, &A, &why), PERP_ERROR_ARGUMENT, &why,
                "A: the array is NULL, n = 2");
  check_refused(perp_operator_dense(2, a, 1, PERP_COPY, &A, &why), PERP_ERROR_ARGUMENT, &why,
                "A: stride = 1 is less than n = 2");
}

static void sparse_refusals(void)
{
  static const struct {
    int64_t start[4];
    int column[4];
    double value[4];
    perp_error error;
    const char *text; /* for csr; bsr with blocks of size 1 says block row */
  } cases[] = {
      {{1, 1, 1, 1}, {0}, {0}, PERP_ERROR_PROBLEM, "row 0 starts at entry 1, not at 0"},
      {{0, 2, 1, 1}, {0, 1}, {0}, PERP_ERROR_PROBLEM, "row 1 starts at entry 2 and ends before 1"},
      {{0, 1, 2, 2}, {0, 3}, {1, 1}, PERP_ERROR_PROBLEM, "row 1 has column 3 outside 0 .. 2"},
      {{0, 1, 2, 2}, {0, -1}, {1, 1}, PERP_ERROR_PROBLEM, "row 1 has column -1 outside 0 .. 2"},
      {{0, 0, 2, 2}, {1, 1}, {1, 1}, PERP_ERROR_PROBLEM, "row 1 has column 1 twice"},
      {{0, 0, 0, 2}, {2, 1}, {1, 1}, PERP_ERROR_PROBLEM, "row 2 has column 1 after column 2"},
      {{0, 1, 1, 3},
       {0, 1, 2},
       {1, -INFINITY, 1},
       PERP_ERROR_PROBLEM,
       "A(2,1) = -inf is not finite"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_message why;
    perp_operator *A;
    CHECK(perp_operator_csr(3, cases[k].start, cases[k].column, cases[k].value, PERP_COPY, &A,
                            &why) == cases[k].error);
    CHECK_SAY(strstr(why.text, cases[k].text), "%s", why.text);
    CHECK(A == NULL);
    CHECK(perp_operator_bsr(3, 1, cases[k].start, cases[k].column, cases[k].value, PERP_COPY, &A,
                            &why) == cases[k].error);
    CHECK_SAY(strstr(why.text, cases[k].text), "%s", why.text);
    CHECK(A == NULL);
  }
  perp_message why;
  perp_operator *A;
  const int64_t start[] = {0, 1};
  const int column[] = {0};
  const double block[] = {1, 2, 3, NAN};
  CHECK(perp_operator_csr(-2, start, column, block, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csr(1, NULL, column, block, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csr(1, start, NULL, block, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csr(1, start, column, NULL, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_bsr(1, 0, start, column, block, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_bsr(1 << 20, 1 << 12, start, column, block, PERP_COPY, &A, &why) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_bsr(1, 2, start, column, block, PERP_COPY, &A, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "A(1,1) = "));
}

static void relax_refusals(void)
{
  perp_message why;
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  perp_operator *A;
  double a[16] = {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 1, 0, 0, 1, 0}, zero[4] = {0};
  perp_set K = {.n = 4};
  CHECK(perp_operator_dense(4, a, 4, PERP_BORROW, &A, NULL) == PERP_OK);
  check_refused(perp_relaxer_create("pgs", A, zero, &K, zero, 1, 1, &arena, &relaxer, &why),
                PERP_ERROR_UNSUPPORTED, &why, "pgs needs a positive diagonal, but A(3,3) = 0");
  a[5] = -2.5;
  check_refused(perp_relaxer_create("psor", A, zero, &K, zero, 1, 1, &arena, &relaxer, &why),
                PERP_ERROR_UNSUPPORTED, &why, "psor needs a positive diagonal, but A(1,1) = -2.5");
  K = (perp_set){.n = 4, .cones = 1, .mu = zero};
  check_refused(perp_relaxer_create("pgs", A, zero, &K, zero, 1, 1, &arena, &relaxer, &why),
                PERP_ERROR_UNSUPPORTED, &why, "pgs cannot relax Coulomb cones, but K has 1");
  perp_operator_destroy(A);

  shell_context context = {4, a, NULL};
  K = (perp_set){.n = 4};
  CHECK(perp_operator_shell(
            4, &(perp_shell){.size = sizeof(perp_shell), .context = &context, .apply = shell_apply},
            &A, NULL) == PERP_OK);
  check_refused(perp_relaxer_create("pgs", A, zero, &K, zero, 1, 1, &arena, &relaxer, &why),
                PERP_ERROR_UNSUPPORTED, &why,
                "pgs needs an operator that can relax or give its rows, but this shell can do "
                "neither");
  perp_operator_destroy(A);
  CHECK(perp_operator_shell(4, &(perp_shell){.size = sizeof(perp_shell), .context = &context}, &A,
                            &why) == PERP_ERROR_ARGUMENT);
  perp_arena_free(&arena);
}

static void argument_refusals(void)
{
  double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, out[9];
  int index[3], count;
  perp_message why;
  perp_operator *A, *B;
  CHECK(perp_operator_dense(3, a, 3, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_operator_row(A, 3, index, out, &count, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_column(A, -1, index, out, &count, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_principal(A, 2, (int[]){1, 1}, out, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_principal(A, 1, (int[]){3}, out, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_block_diagonal(A, 1, (int[]){0, 4}, out, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_apply(A, NULL, out, NULL, NULL) == PERP_ERROR_ARGUMENT);
  const int64_t *start;
  const int *column;
  const double *value;
  int64_t stride;
  CHECK(perp_operator_csr_arrays(A, &start, &column, &value) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_to_csr(A, 0, &B, &why) == PERP_OK);
  CHECK(perp_operator_dense_array(B, &value, &stride) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(B);
  check_refused(perp_operator_to_dense(A, 71, &B, &why), PERP_ERROR_MEMORY, &why,
                "A as a dense matrix, n = 3, needs 72 bytes, more than memory_limit = 71");
  CHECK(perp_operator_to_dense(A, 72, &B, &why) == PERP_OK);
  perp_operator_destroy(B);
  CHECK(perp_operator_to_csr(A, 139, &B, &why) == PERP_ERROR_MEMORY);
  CHECK(strstr(why.text, "memory_limit = 139: 140 bytes up to row 2"));
  CHECK(perp_operator_to_csr(A, 140, &B, &why) == PERP_OK);
  perp_operator_destroy(B);
  perp_operator_destroy(A);
  perp_operator_destroy(NULL);
}

/* An empty frame may have empty arrays, including NULL. */
static void no_rows_need_no_arrays(void)
{
  perp_operator *A[5] = {NULL};
  perp_message why = {""};
  double v[6] = {1, 2, 3, 4, 5, 6}, v_new[6] = {0};
  const double Minv[4] = {1, 0, 0, 1};
  perp_contact_data none = perp_contact_data_default(), still = perp_contact_data_default();
  still.velocities = 2;
  still.blocks = 1;
  still.Minv = Minv;
  CHECK(perp_operator_dense(0, NULL, 0, PERP_COPY, &A[0], &why) == PERP_OK);
  CHECK(perp_operator_csr(0, NULL, NULL, NULL, PERP_COPY, &A[1], &why) == PERP_OK);
  CHECK(perp_operator_bsr(0, 3, NULL, NULL, NULL, PERP_BORROW, &A[2], &why) == PERP_OK);
  CHECK(perp_operator_contact(&none, PERP_COPY, &A[3], &why) == PERP_OK);
  CHECK(perp_operator_contact(&still, PERP_BORROW, &A[4], &why) == PERP_OK);
  CHECK(perp_contact_velocities(A[4], v, NULL, v_new, &why) == PERP_OK);
  CHECK(v_new[0] == 1 && v_new[1] == 2);
  for (int k = 0; k < 5; k++) {
    const perp_problem p = perp_problem_lcp(A[k], NULL);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("auto", &p, NULL, NULL, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    perp_operator_destroy(A[k]);
  }
}

static const test_case tests[] = {
    TEST(dense_abilities),        TEST(csr_abilities),           TEST(bsr_abilities),
    TEST(shell_abilities),        TEST(grid_is_red_black),       TEST(threads_change_no_bit),
    TEST(load_takes_b),           TEST(refresh_sees_new_values), TEST(dense_refusals),
    TEST(sparse_refusals),        TEST(relax_refusals),          TEST(argument_refusals),
    TEST(no_rows_need_no_arrays),
};
TEST_MAIN(tests)
