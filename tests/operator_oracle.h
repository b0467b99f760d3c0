/* operator_oracle.h: every ability of an operator against a dense matrix
 *
 * A test makes an operator and, by its own naive loops, the n x n matrix that it should be, and
 * calls oracle_check. Abilities that the operator has are compared with the matrix; for those
 * that it lacks the call must say PERP_ERROR_UNSUPPORTED. Sweeps are compared with a textbook
 * sweep in forward, backward and coloured order over plain, mixed, boxed, one-sided and friction
 * sets, with one and with two threads (equal bits). The matrix should have a positive diagonal
 * that is not much smaller than the rest of its row, lest rounding grow from row to row; where
 * some diagonal entry is not positive, the relaxer must refuse it. */
#pragma once

#include "base/random.h"
#include "operator/operator.h"
#include "operator/relax.h"
#include "test.h"

typedef struct oracle_case {
  const perp_operator *A;
  int n;
  const double *a; /* n x n, row major: what A should be */
  /* the order of the rows in a coloured sweep; NULL: that of perp_operator_colour */
  const int *coloured;
  const int *coloured_friction; /* the same for sets with friction rows */
  bool alone;                   /* both hold only for relaxers that know no other order */
} oracle_case;

/* ---- Memory and small helpers: a test that fails leaks, that is fine ---- */

static inline void *oracle_memory(size_t bytes)
{
  void *block = calloc(bytes + 1, 1);
  if (!block)
    abort();
  return block;
}

static inline double *oracle_reals(size_t count)
{
  return oracle_memory(count * sizeof(double));
}

static inline int *oracle_integers(size_t count)
{
  return oracle_memory(count * sizeof(int));
}

static inline double *oracle_random(perp_random *random, int n)
{
  double *x = oracle_reals((size_t)n);
  for (int i = 0; i < n; i++)
    x[i] = perp_random_between(random, -1, 1);
  return x;
}

static inline double oracle_largest(const double *v, size_t count)
{
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, fabs(v[i]));
  return largest;
}

static inline double oracle_entry(const oracle_case *c, int i, int j)
{
  return c->a[(size_t)i * (size_t)c->n + (size_t)j];
}

/* Entries of A may be sums of about n products, rounded in another order. */
static inline double oracle_entry_tolerance(const oracle_case *c)
{
  return 1e-14 * (1 + oracle_largest(c->a, (size_t)c->n * (size_t)c->n)) * (c->n + 1);
}

/* ---- Products ---- */

static inline void oracle_product(const oracle_case *c, bool transposed, const double *x, double *y)
{
  for (int i = 0; i < c->n; i++) {
    y[i] = 0;
    for (int j = 0; j < c->n; j++)
      y[i] += (transposed ? oracle_entry(c, j, i) : oracle_entry(c, i, j)) * x[j];
  }
}

static inline void oracle_check_product(const oracle_case *c, bool transposed, perp_random *random)
{
  const size_t n = (size_t)c->n;
  const unsigned ability = transposed ? PERP_CAN_APPLY_T : PERP_CAN_APPLY;
  double *x = oracle_random(random, c->n), *y = oracle_reals(n), *z = oracle_reals(n);
  double *room = oracle_reals(perp_operator_scratch(c->A));
  for (size_t i = 0; i < n; i++)
    y[i] = NAN;
  for (size_t i = 0; i < perp_operator_scratch(c->A); i++)
    room[i] = NAN;
  const perp_error error = transposed ? perp_operator_apply_t(c->A, x, y, room, NULL)
                                      : perp_operator_apply(c->A, x, y, room, NULL);
  if (!(perp_operator_abilities(c->A) & ability)) {
    CHECK(error == PERP_ERROR_UNSUPPORTED);
  } else {
    CHECK(error == PERP_OK);
    oracle_product(c, transposed, x, z);
    for (size_t i = 0; i < n; i++)
      CHECK_CLOSE(y[i], z[i], oracle_entry_tolerance(c) * (c->n + 1));
    const perp_work two = {.threads = 2, .scratch = room};
    (transposed ? c->A->table->apply_t : c->A->table->apply)(c->A, x, z, &two);
    CHECK(memcmp(y, z, n * sizeof *y) == 0);
  }
  free(x);
  free(y);
  free(z);
  free(room);
}

/* ---- Entries ---- */

static inline void oracle_check_line(const oracle_case *c, bool column, int i)
{
  const int capacity = perp_operator_row_capacity(c->A);
  int *index = oracle_integers((size_t)capacity), count = -1;
  double *value = oracle_reals((size_t)capacity);
  const perp_error error = column ? perp_operator_column(c->A, i, index, value, &count, NULL)
                                  : perp_operator_row(c->A, i, index, value, &count, NULL);
  if (!(perp_operator_abilities(c->A) & (column ? PERP_CAN_COLUMN : PERP_CAN_ROW))) {
    CHECK(error == PERP_ERROR_UNSUPPORTED);
  } else {
    CHECK(error == PERP_OK);
    CHECK(count >= 0 && count <= capacity);
    double *line = oracle_reals((size_t)c->n);
    for (int k = 0; k < count; k++) {
      CHECK(index[k] >= 0 && index[k] < c->n);
      CHECK(k == 0 || index[k - 1] < index[k]);
      line[index[k]] = value[k];
    }
    for (int j = 0; j < c->n; j++)
      CHECK_CLOSE(line[j], column ? oracle_entry(c, j, i) : oracle_entry(c, i, j),
                  oracle_entry_tolerance(c));
    free(line);
  }
  free(index);
  free(value);
}

static inline void oracle_check_diagonal(const oracle_case *c)
{
  double *d = oracle_reals((size_t)c->n);
  const perp_error error = perp_operator_diagonal(c->A, d, NULL);
  if (!(perp_operator_abilities(c->A) & PERP_CAN_DIAGONAL)) {
    CHECK(error == PERP_ERROR_UNSUPPORTED);
  } else {
    CHECK(error == PERP_OK);
    for (int i = 0; i < c->n; i++)
      CHECK_CLOSE(d[i], oracle_entry(c, i, i), oracle_entry_tolerance(c));
  }
  free(d);
}

/* ---- Principal submatrices and diagonal blocks ---- */

/* B, m x m row major, is A_SS. */
static inline void oracle_compare_principal(const oracle_case *c, int m, const int *S,
                                            const double *B)
{
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++)
      CHECK_CLOSE(B[k * m + l], oracle_entry(c, S[k], S[l]), oracle_entry_tolerance(c));
}

/* A csr operator as a full array, by its arrays. */
static inline double *oracle_csr_full(const perp_operator *A)
{
  const int n = perp_operator_size(A);
  const int64_t *start;
  const int *column;
  const double *value;
  CHECK(perp_operator_csr_arrays(A, &start, &column, &value) == PERP_OK);
  double *full = oracle_reals((size_t)n * (size_t)n);
  for (int i = 0; i < n; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      full[(size_t)i * (size_t)n + (size_t)column[k]] += value[k];
  return full;
}

static inline void oracle_check_principal(const oracle_case *c, perp_random *random)
{
  int *S = oracle_integers((size_t)c->n);
  perp_random_permutation(random, c->n, S);
  const int m = perp_random_below(random, c->n + 1);
  double *B = oracle_reals((size_t)m * (size_t)m);
  memset(B, 0xff, (size_t)m * (size_t)m * sizeof *B);
  const perp_error error = perp_operator_principal(c->A, m, S, B, NULL);
  if (!(perp_operator_abilities(c->A) & PERP_CAN_PRINCIPAL)) {
    CHECK(error == PERP_ERROR_UNSUPPORTED);
  } else {
    CHECK(error == PERP_OK);
    oracle_compare_principal(c, m, S, B);
  }
  free(S);
  free(B);
}

static inline void oracle_check_block_diagonal(const oracle_case *c, perp_random *random)
{
  int *start = oracle_integers((size_t)c->n + 1), blocks = 0;
  size_t total = 0;
  while (start[blocks] < c->n) {
    const int left = c->n - start[blocks],
              size = 1 + perp_random_below(random, left < 5 ? left : 5);
    start[blocks + 1] = start[blocks] + size;
    total += (size_t)size * (size_t)size;
    blocks++;
  }
  double *values = oracle_reals(total), *block = values;
  memset(values, 0xff, total * sizeof *values);
  const perp_error error = perp_operator_block_diagonal(c->A, blocks, start, values, NULL);
  if (!(perp_operator_abilities(c->A) & PERP_CAN_BLOCK_DIAGONAL)) {
    CHECK(error == PERP_ERROR_UNSUPPORTED);
  } else {
    CHECK(error == PERP_OK);
    for (int k = 0; k < blocks; k++) {
      for (int i = start[k]; i < start[k + 1]; i++)
        for (int j = start[k]; j < start[k + 1]; j++)
          CHECK_CLOSE(*block++, oracle_entry(c, i, j), oracle_entry_tolerance(c));
    }
  }
  free(start);
  free(values);
}

/* ---- Assembly ---- */

static inline void oracle_check_assembly(const oracle_case *c)
{
  perp_message why;
  perp_operator *dense, *csr;
  CHECK(perp_operator_to_dense(c->A, 0, &dense, &why) == PERP_OK);
  const double *a;
  int64_t stride;
  CHECK(perp_operator_dense_array(dense, &a, &stride) == PERP_OK);
  CHECK_EQUAL_INT(perp_operator_size(dense), c->n);
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < c->n; j++)
      CHECK_CLOSE(a[i * stride + j], oracle_entry(c, i, j), oracle_entry_tolerance(c));
  perp_operator_destroy(dense);

  CHECK(perp_operator_to_csr(c->A, 0, &csr, &why) == PERP_OK);
  CHECK_EQUAL_INT(perp_operator_size(csr), c->n);
  double *full = oracle_csr_full(csr);
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < c->n; j++)
      CHECK_CLOSE(full[(size_t)i * (size_t)c->n + (size_t)j], oracle_entry(c, i, j),
                  oracle_entry_tolerance(c));
  free(full);
  perp_operator_destroy(csr);

  if (c->n > 0) {
    CHECK(perp_operator_to_dense(c->A, 7, &dense, &why) == PERP_ERROR_MEMORY);
    CHECK(perp_operator_to_csr(c->A, 7, &csr, &why) == PERP_ERROR_MEMORY);
  }
}

/* ---- Sets ---- */

typedef enum oracle_form {
  ORACLE_PLAIN,
  ORACLE_MIXED,
  ORACLE_BOXED,
  ORACLE_UPPER, /* only hi, lo = NULL */
  ORACLE_LOWER, /* only lo, hi = NULL */
  ORACLE_FRICTION,
  ORACLE_FORMS
} oracle_form;

typedef struct oracle_set {
  perp_set K;
  double *lo, *hi;
  int *findex;
} oracle_set;

static inline oracle_set oracle_set_make(oracle_form form, int n, perp_random *random)
{
  oracle_set s = {.K = {.n = n}};
  if (form == ORACLE_PLAIN)
    return s;
  s.lo = oracle_reals((size_t)n);
  s.hi = oracle_reals((size_t)n);
  for (int i = 0; i < n; i++) {
    const int pick = perp_random_below(random, 5);
    s.lo[i] = form == ORACLE_MIXED ? 0 : perp_random_between(random, -0.6, 0.2);
    s.hi[i] = form == ORACLE_MIXED ? INFINITY : s.lo[i] + perp_random_between(random, 0, 0.6);
    if (form == ORACLE_UPPER)
      s.hi[i] = perp_random_between(random, 0, 0.5);
    if (pick <= 1)
      s.lo[i] = pick ? -INFINITY : -1e300;
    if (pick == 0 || pick == 2)
      s.hi[i] = pick ? INFINITY : 2e300;
    if (pick == 3 && form == ORACLE_BOXED)
      s.hi[i] = s.lo[i];
  }
  if (form != ORACLE_UPPER)
    s.K.lo = s.lo;
  if (form != ORACLE_LOWER)
    s.K.hi = s.hi;
  if (form == ORACLE_FRICTION) {
    s.K.findex = s.findex = oracle_integers((size_t)n);
    for (int i = 0; i < n; i++) {
      /* rows 0, 3, 6, ... are never friction rows and carry the others, before or after them */
      s.findex[i] = -1;
      /* and are often exactly 0; an infinite friction bound must then stay infinite */
      if (i % 3 == 0 && perp_random_below(random, 2))
        s.lo[i] = s.hi[i] = 0;
      if (i % 3 != 0 && perp_random_below(random, 4)) {
        s.findex[i] = 3 * perp_random_below(random, (n + 2) / 3);
        if (s.lo[i] > -1e300)
          s.lo[i] = -fabs(s.lo[i]);
        if (s.hi[i] < 1e300)
          s.hi[i] = fabs(s.hi[i]);
      }
    }
  }
  return s;
}

static inline void oracle_set_free(oracle_set *s)
{
  free(s->lo);
  free(s->hi);
  free(s->findex);
}

/* ---- Sweeps ---- */

/* x_i <- P(x_i - omega (A x + b)_i / A_ii) over the rows in the listed order. */
static inline void oracle_sweep(const oracle_case *c, const double *b, const perp_set *K,
                                double omega, const int *order, double *x)
{
  for (int k = 0; k < c->n; k++) {
    const int i = order[k];
    double y = b[i], lo = K->lo ? K->lo[i] : 0, hi = K->hi ? K->hi[i] : INFINITY;
    for (int j = 0; j < c->n; j++)
      y += oracle_entry(c, i, j) * x[j];
    const double t = x[i] - omega * y / oracle_entry(c, i, i);
    if (K->findex && K->findex[i] >= 0) {
      const double normal = fabs(x[K->findex[i]]);
      lo = lo <= -1e300 ? -INFINITY : lo * normal;
      hi = hi >= 1e300 ? INFINITY : hi * normal;
    }
    x[i] = t < lo ? lo : t > hi ? hi : t;
  }
}

/* The rows in the order of a sweep. */
static inline int *oracle_order(const oracle_case *c, const perp_set *K, perp_order order,
                                unsigned orders)
{
  int *rows = oracle_integers((size_t)c->n);
  const bool holds = !c->alone || orders == 1u << PERP_COLOURED;
  const int *given = !holds                                 ? NULL
                     : perp_set_part(K) == PERP_PART_FINDEX ? c->coloured_friction
                                                            : c->coloured;
  for (int i = 0; i < c->n; i++)
    rows[i] = order == PERP_BACKWARD ? c->n - 1 - i : i;
  if (order == PERP_COLOURED && given) {
    memcpy(rows, given, (size_t)c->n * sizeof *rows);
  } else if (order == PERP_COLOURED) {
    perp_arena arena = {0};
    perp_colouring colouring;
    CHECK(perp_operator_colour(c->A, K, &arena, &colouring) == PERP_OK);
    memcpy(rows, colouring.order, (size_t)c->n * sizeof *rows);
    perp_arena_free(&arena);
  }
  return rows;
}

/* Every row once, ascending within its colour, and no two rows of one colour coupled. */
static inline void oracle_check_colouring(const oracle_case *c, const perp_set *K)
{
  perp_arena arena = {0};
  perp_colouring colouring;
  CHECK(perp_operator_colour(c->A, K, &arena, &colouring) == PERP_OK);
  int *colour = oracle_integers((size_t)c->n);
  for (int i = 0; i < c->n; i++)
    colour[i] = -1;
  CHECK(colouring.colours >= (c->n > 0) && colouring.colours <= c->n);
  CHECK_EQUAL_INT(colouring.start[0], 0);
  CHECK_EQUAL_INT(colouring.start[colouring.colours], c->n);
  for (int k = 0; k < colouring.colours; k++) {
    CHECK(colouring.start[k] < colouring.start[k + 1]);
    for (int p = colouring.start[k]; p < colouring.start[k + 1]; p++) {
      const int i = colouring.order[p];
      CHECK(i >= 0 && i < c->n && colour[i] == -1);
      CHECK(p == colouring.start[k] || colouring.order[p - 1] < i);
      colour[i] = k;
    }
  }
  for (int i = 0; i < c->n; i++) {
    if (K->findex && K->findex[i] >= 0)
      CHECK(colour[i] != colour[K->findex[i]]);
    for (int j = 0; j < c->n; j++)
      CHECK(i == j || oracle_entry(c, i, j) == 0 || colour[i] != colour[j]);
  }
  free(colour);
  perp_arena_free(&arena);
}

static inline void oracle_compare_sweep(const oracle_case *c, const double *x, const double *z)
{
  for (int i = 0; i < c->n; i++)
    CHECK_CLOSE(x[i], z[i], 1e-11 * (1 + oracle_largest(z, (size_t)c->n)));
}

/* Does four sweeps in the listed orders (known to the relaxer), with x changed between the first
 * and the second; the result is in x. If z is given, the oracle's sweeps update it, and x is
 * compared with it at every store. */
static inline void oracle_run_sweeps(const oracle_case *c, const double *b, const perp_set *K,
                                     double omega, const perp_order order[4], int threads,
                                     double *x, double *z)
{
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  unsigned orders = 0;
  for (int k = 0; k < 4; k++)
    orders |= 1u << order[k];
  CHECK(perp_relaxer_create("test", c->A, b, K, x, threads, orders, &arena, &relaxer, NULL) ==
        PERP_OK);
  for (int k = 0; k < 4; k++) {
    perp_relax(relaxer, omega, order[k]);
    const bool stored = k == 0 || k == 3;
    if (stored)
      perp_relaxer_store(relaxer);
    if (z) {
      int *rows = oracle_order(c, K, order[k], orders);
      oracle_sweep(c, b, K, omega, rows, z);
      free(rows);
    }
    if (z && stored)
      oracle_compare_sweep(c, x, z);
    if (z && stored && relaxer->gradient) {
      double *y = oracle_reals((size_t)c->n), *Az = oracle_reals((size_t)c->n);
      relaxer->gradient(relaxer, y);
      oracle_product(c, false, z, Az);
      for (int i = 0; i < c->n; i++)
        CHECK_CLOSE(y[i], Az[i] + b[i], 1e-10 * (1 + oracle_largest(Az, (size_t)c->n)));
      free(y);
      free(Az);
    }
    if (k == 0) {
      for (int i = 0; i < c->n; i += 2) {
        x[i] += 0.25;
        if (z)
          z[i] += 0.25;
      }
      perp_relaxer_load(relaxer);
    }
  }
  perp_arena_free(&arena);
}

static inline void oracle_check_relax_in(const oracle_case *c, oracle_form form, double omega,
                                         const perp_order order[4], perp_random *random)
{
  const size_t n = (size_t)c->n;
  oracle_set s = oracle_set_make(form, c->n, random);
  double *b = oracle_random(random, c->n), *x = oracle_random(random, c->n);
  double *z = oracle_reals(n), *two = oracle_reals(n);
  memcpy(z, x, n * sizeof *x);
  memcpy(two, x, n * sizeof *x);
  oracle_run_sweeps(c, b, &s.K, omega, order, 1, x, z);
  oracle_run_sweeps(c, b, &s.K, omega, order, 2, two, NULL);
  CHECK(memcmp(x, two, n * sizeof *x) == 0);
  if (perp_operator_abilities(c->A) & PERP_CAN_ROW)
    oracle_check_colouring(c, &s.K);
  free(b);
  free(x);
  free(z);
  free(two);
  oracle_set_free(&s);
}

static inline void oracle_check_relax(const oracle_case *c, perp_random *random)
{
  static const perp_order orders[][4] = {
      {PERP_FORWARD, PERP_FORWARD, PERP_FORWARD, PERP_FORWARD},
      {PERP_BACKWARD, PERP_BACKWARD, PERP_BACKWARD, PERP_BACKWARD},
      {PERP_COLOURED, PERP_COLOURED, PERP_COLOURED, PERP_COLOURED},
      {PERP_FORWARD, PERP_BACKWARD, PERP_FORWARD, PERP_BACKWARD},
      {PERP_BACKWARD, PERP_COLOURED, PERP_FORWARD, PERP_COLOURED},
  };
  static const double omegas[] = {1, 0.7, 1.4};
  bool positive = true;
  for (int i = 0; i < c->n; i++)
    positive = positive && oracle_entry(c, i, i) > 0;
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  perp_message why;
  const perp_set plain = {.n = c->n};
  double *zero = oracle_reals((size_t)c->n);
  const perp_error error =
      perp_relaxer_create("test", c->A, zero, &plain, zero, 1, 1u, &arena, &relaxer, &why);
  perp_arena_free(&arena);
  free(zero);
  if (!positive || !(perp_operator_abilities(c->A) & PERP_CAN_RELAX)) {
    CHECK(error == PERP_ERROR_UNSUPPORTED);
    return;
  }
  CHECK(error == PERP_OK);
  for (int form = 0; form < ORACLE_FORMS; form++)
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
      for (size_t w = 0; w < sizeof omegas / sizeof *omegas; w++)
        oracle_check_relax_in(c, (oracle_form)form, omegas[w], orders[o], random);
}

/* ---- Everything ---- */

/* Every ability but relax. */
static inline void oracle_check_entries(const oracle_case *c, perp_random *random)
{
  oracle_check_product(c, false, random);
  oracle_check_product(c, true, random);
  for (int i = 0; i < c->n; i++) {
    oracle_check_line(c, false, i);
    oracle_check_line(c, true, i);
  }
  oracle_check_diagonal(c);
  oracle_check_principal(c, random);
  oracle_check_block_diagonal(c, random);
  oracle_check_assembly(c);
}

static inline void oracle_check(const oracle_case *c, perp_random *random)
{
  CHECK_EQUAL_INT(perp_operator_size(c->A), c->n);
  CHECK(perp_operator_abilities(c->A) & PERP_CAN_APPLY);
  oracle_check_entries(c, random);
  oracle_check_relax(c, random);
}
