/* The contact operator against J Minv J^T + C multiplied out: every ability, every path of its
 * sweeps (packed to 6 and to 4 velocities, with diagonal and with any C, rows of any shape,
 * contacts of rigid bodies), its colours, its rounding over many sweeps, threads, and the lines that refuse bad data. */
#include "operator/contact.h"
#include "operator/contact_rigid.h"
#include "operator_oracle.h"

#include <perp/generate.h>

/* ---- Random problems ---- */

typedef enum C_kind { C_NONE, C_DIAGONAL, C_ANY } C_kind;

typedef enum M_kind {
  M_DEFINITE,
  M_LOCKED,       /* some velocities with rows of zeros */
  M_SEMI,         /* rank one */
  M_INDEFINITE,   /* and C large enough for a positive diagonal */
  M_HOLLOW_FIRST, /* indefinite by a zero on the diagonal of a row that is not zero */
  M_HOLLOW_LAST,
} M_kind;

typedef struct shape {
  const char *name;
  int size;        /* of all blocks; 0: any of 1 .. 6 */
  int touched;     /* most blocks of a row */
  C_kind C;        /* */
  M_kind M;        /* */
  bool empty_rows; /* some rows of J without entries */
  int width;       /* that the sweeps must pack to; 0: not packed */
} shape;

static const shape shapes[] = {
    {"any blocks, any C", 0, 3, C_ANY, M_DEFINITE, true, 0},
    {"any blocks, diagonal C", 0, 4, C_DIAGONAL, M_DEFINITE, true, 0},
    {"any blocks, no C", 0, 3, C_NONE, M_DEFINITE, false, 0},
    {"rigid, no C", 6, 2, C_NONE, M_DEFINITE, false, 6},
    {"rigid, diagonal C", 6, 2, C_DIAGONAL, M_DEFINITE, true, 6},
    {"rigid, any C", 6, 2, C_ANY, M_DEFINITE, true, 6},
    {"rigid, locked axes", 6, 2, C_DIAGONAL, M_LOCKED, false, 6},
    {"rigid, semidefinite", 6, 2, C_DIAGONAL, M_SEMI, true, 0},
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

/* Compressed arrays as the operator takes them, and full ones for the oracle. */
typedef struct sample {
  perp_contact_data data;
  int block_start[MAX_BLOCKS + 1];
  int64_t J_start[MAX_ROWS + 1], C_start[MAX_ROWS + 1];
  int J_column[MAX_ROWS * MAX_VELOCITIES], C_column[MAX_ROWS * MAX_ROWS];
  double J_value[MAX_ROWS * MAX_VELOCITIES], C_value[MAX_ROWS * MAX_ROWS];
  double Minv[MAX_BLOCKS * MAX_SIZE * MAX_SIZE];
  double a[MAX_ROWS * MAX_ROWS];
} sample;

/* B B^T + I/5 or what the kind asks for. */
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

/* Rows of one contact, with the same blocks, follow one another: one to five of them. */
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

static sample *sample_make(const shape *h, perp_random *random)
{
  sample *s = oracle_memory(sizeof *s);
  perp_contact_data *d = &s->data;
  d->rows = 1 + perp_random_below(random, MAX_ROWS);
  d->blocks = 1 + perp_random_below(random, MAX_BLOCKS);
  double *M = s->Minv;
  for (int k = 0; k < d->blocks; k++) {
    /* the last of mixed blocks has 6 velocities, so that it is known what they are packed to */
    const int size = h->size ? h->size : k + 1 == d->blocks ? 6 : 1 + perp_random_below(random, 6);
    s->block_start[k + 1] = s->block_start[k] + size;
    random_block(h->M, size, M, random);
    M += size * size;
  }
  d->velocities = s->block_start[d->blocks];
  d->block_start = h->size && perp_random_below(random, 2) ? NULL : s->block_start;
  random_J(h, s, random);
  random_C(h, s, random);
  d->J_start = s->J_start, d->J_column = s->J_column, d->J_value = s->J_value;
  d->Minv = s->Minv;
  if (h->C != C_NONE)
    d->C_start = s->C_start, d->C_column = s->C_column, d->C_value = s->C_value;
  multiply_out(s);
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

/* ---- Every ability but relax ---- */

static void check_entries(const oracle_case *c, perp_random *random)
{
  CHECK_EQUAL_INT(perp_operator_abilities(c->A), 511);
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
    if (trial % 2) { /* nothing may be read from the caller's arrays any more */
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
  perp_contact_data d;
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

/* ---- Sweeps ---- */

/* The rows as the coloured sweep of a relaxer visits them; checks that this is a colouring: every
 * row once, groups ascending in a colour, none coupled with another of its colour. */
static int *coloured_rows(const oracle_case *c, const perp_set *K, unsigned orders)
{
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  double *x = oracle_reals((size_t)c->n);
  CHECK(perp_relaxer_create("test", c->A, x, K, x, 1, orders, &arena, &relaxer, NULL) == PERP_OK);
  const perp_contact_relaxer *r = (const perp_contact_relaxer *)relaxer;
  int *rows = oracle_integers((size_t)c->n), *colour = oracle_integers((size_t)c->n), filed = 0;
  int *owner = oracle_integers((size_t)c->n);
  bool *seen = oracle_memory((size_t)c->n);
  for (int k = 0; k < r->colours; k++) {
    CHECK(r->colour_start[k] < r->colour_start[k + 1]);
    for (int p = r->colour_start[k]; p < r->colour_start[k + 1]; p++) {
      const perp_contact_group *g = &r->group[r->coloured[p]];
      CHECK(p == r->colour_start[k] || rows[filed - 1] < g->row);
      for (int i = g->row; i < g->row + g->count; i++) {
        CHECK(i >= 0 && i < c->n && !seen[i]);
        seen[i] = true;
        rows[filed++] = i;
        colour[i] = k;
        owner[i] = p;
      }
    }
  }
  CHECK_EQUAL_INT(filed, c->n);
  for (int i = 0; i < c->n; i++) {
    const int f = K->findex ? K->findex[i] : -1;
    CHECK(f < 0 || owner[i] == owner[f] || colour[i] != colour[f]);
    for (int j = 0; j < c->n; j++)
      CHECK(owner[i] == owner[j] || oracle_entry(c, i, j) == 0 || colour[i] != colour[j]);
  }
  free(x);
  free(colour);
  free(owner);
  free(seen);
  perp_arena_free(&arena);
  return rows;
}

static void check_width(const oracle_case *c, int width)
{
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  double *x = oracle_reals((size_t)c->n);
  const perp_set K = {.n = c->n};
  CHECK(perp_relaxer_create("test", c->A, x, &K, x, 1, 1u, &arena, &relaxer, NULL) == PERP_OK);
  CHECK_EQUAL_INT(((const perp_contact_relaxer *)relaxer)->width, width);
  perp_arena_free(&arena);
  free(x);
}

static void check_sweeps(oracle_case c, perp_random *random)
{
  static const perp_order orders[][4] = {
      {PERP_FORWARD, PERP_FORWARD, PERP_FORWARD, PERP_FORWARD},
      {PERP_BACKWARD, PERP_BACKWARD, PERP_BACKWARD, PERP_BACKWARD},
      {PERP_COLOURED, PERP_COLOURED, PERP_COLOURED, PERP_COLOURED},
      {PERP_COLOURED, PERP_FORWARD, PERP_BACKWARD, PERP_COLOURED},
  };
  static const double omegas[] = {1, 0.6, 1.5};
  const size_t n = (size_t)c.n;
  double *x = oracle_reals(n), *z = oracle_reals(n);
  for (int form = 0; form < ORACLE_FORMS; form++)
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
      oracle_set s = oracle_set_make((oracle_form)form, c.n, random);
      double *b = oracle_random(random, c.n), *start = oracle_random(random, c.n);
      int *rows = coloured_rows(&c, &s.K, o == 2 ? 1u << PERP_COLOURED : 7u);
      c.coloured = c.coloured_friction = rows;
      for (int w = 0; w < 3; w++) {
        memcpy(x, start, n * sizeof *x);
        memcpy(z, start, n * sizeof *z);
        oracle_run_sweeps(&c, b, &s.K, omegas[w], orders[o], 1, x, z);
      }
      free(rows);
      free(b);
      free(start);
      oracle_set_free(&s);
    }
  free(x);
  free(z);
}

static void sweeps_of_every_shape(void)
{
  perp_random random = perp_random_from(3);
  int relaxed[SHAPES] = {0};
  for (int trial = 0; trial < 20 * SHAPES; trial++) {
    const shape *h = &shapes[trial % SHAPES];
    sample *s = sample_make(h, &random);
    bool positive = true;
    for (int i = 0; i < s->data.rows; i++)
      positive = positive && s->a[i * s->data.rows + i] > 0.02;
    if (positive) { /* without C a row may meet locked or missing entries alone */
      relaxed[trial % SHAPES]++;
      perp_operator *A = sample_operator(s, PERP_BORROW);
      const oracle_case c = {.A = A, .n = s->data.rows, .a = s->a};
      if (h->touched != 3 && h->touched != 4) /* whether some row has three blocks is chance */
        check_width(&c, h->width);
      check_sweeps(c, &random);
      perp_operator_destroy(A);
    }
    free(s);
  }
  for (int k = 0; k < SHAPES; k++)
    CHECK_SAY(relaxed[k] >= 5, "%s: %d", shapes[k].name, relaxed[k]);
}

static void zero_diagonal_is_refused(void)
{
  const int64_t start[3] = {0, 1, 1};
  const int column[1] = {0};
  const double value[1] = {1}, M[1] = {2};
  const perp_contact_data d = {.rows = 2,
                               .velocities = 1,
                               .blocks = 1,
                               .J_start = start,
                               .J_column = column,
                               .J_value = value,
                               .Minv = M};
  perp_operator *A;
  CHECK(perp_operator_contact(&d, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  perp_message why;
  double x[2] = {0, 0};
  const perp_set K = {.n = 2};
  CHECK(perp_relaxer_create("pgs", A, x, &K, x, 1, 1u, &arena, &relaxer, &why) ==
        PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(why.text, "pgs needs a positive diagonal, but A(1,1) = 0");
  perp_arena_free(&arena);
  perp_operator_destroy(A);
}

/* After thousands of sweeps the velocities still are those of x: one more sweep is the sweep that
 * the full matrix gives from the same x. */
static void velocities_do_not_drift(void)
{
  perp_random random = perp_random_from(4);
  static const int picked[] = {1, 3, 5, 13, 14};
  for (size_t k = 0; k < 4 * sizeof picked / sizeof *picked; k++) {
    sample *s = sample_make(&shapes[picked[k / 4]], &random);
    perp_operator *A = sample_operator(s, PERP_BORROW);
    const int n = s->data.rows;
    const oracle_case c = {.A = A, .n = n, .a = s->a};
    oracle_set set = oracle_set_make(ORACLE_BOXED, n, &random);
    for (int i = 0; i < n; i++) { /* bounded, so that a sweep without limit stays small */
      set.lo[i] = fmax(set.lo[i], -2);
      set.hi[i] = fmin(set.hi[i], 2);
    }
    double *b = oracle_random(&random, n), *x = oracle_random(&random, n);
    double *z = oracle_reals((size_t)n);
    int *rows = oracle_order(&c, &set.K, PERP_FORWARD);
    perp_arena arena = {0};
    perp_relaxer *relaxer;
    CHECK(perp_relaxer_create("test", A, b, &set.K, x, 1, 1u, &arena, &relaxer, NULL) == PERP_OK);
    for (int t = 0; t < 5000; t++) /* never at rest: omega changes all the time */
      perp_relax(relaxer, 0.3 + 1.6 * perp_random_uniform(&random), PERP_FORWARD);
    memcpy(z, x, (size_t)n * sizeof *x);
    perp_relax(relaxer, 1, PERP_FORWARD);
    oracle_sweep(&c, b, &set.K, 1, rows, z);
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(x[i], z[i], 1e-11);
    perp_arena_free(&arena);
    free(b);
    free(x);
    free(z);
    free(rows);
    oracle_set_free(&set);
    perp_operator_destroy(A);
    free(s);
  }
}

/* ---- Many contacts ---- */

/* Three rows for each contact of two of `bodies`, or of one with the world. */
typedef struct pile {
  perp_contact_data data;
  perp_set K;
  double *b;
} pile;

static pile pile_make(int contacts, int bodies, bool shared_floor, perp_random *random)
{
  const size_t n = 3 * (size_t)contacts;
  int64_t *start = oracle_memory((n + 1) * sizeof *start);
  int *column = oracle_integers(12 * n), *findex = oracle_integers(n);
  double *value = oracle_reals(12 * n), *Minv = oracle_reals((size_t)bodies * 36);
  double *lo = oracle_reals(n), *hi = oracle_reals(n);
  for (int k = 0; k < bodies; k++)
    for (int i = 0; i < 6; i++)
      Minv[36 * k + 7 * i] = perp_random_between(random, 0.5, 2);
  int64_t entries = 0;
  for (int c = 0; c < contacts; c++) {
    int p = shared_floor ? 0 : perp_random_below(random, bodies), q = p;
    if (shared_floor || perp_random_below(random, 5))
      while (q == p)
        q = perp_random_below(random, bodies);
    for (int i = 3 * c; i < 3 * c + 3; i++) {
      for (int side = 0; side < (p == q ? 1 : 2); side++)
        for (int k = 0; k < 6; k++) {
          column[entries] = 6 * ((side == 0) == (p < q) ? p : q) + k;
          value[entries++] = perp_random_between(random, -1, 1);
        }
      start[i + 1] = entries;
      findex[i] = i % 3 ? 3 * c : -1;
      lo[i] = i % 3 ? -0.5 : 0;
      hi[i] = i % 3 ? 0.5 : INFINITY;
    }
  }
  return (pile){.data = {.rows = (int)n,
                         .velocities = 6 * bodies,
                         .blocks = bodies,
                         .J_start = start,
                         .J_column = column,
                         .J_value = value,
                         .Minv = Minv},
                .K = {.n = (int)n, .lo = lo, .hi = hi, .findex = findex},
                .b = oracle_random(random, (int)n)};
}

static void pile_free(pile *p)
{
  free((void *)p->data.J_start);
  free((void *)p->data.J_column);
  free((void *)p->data.J_value);
  free((void *)p->data.Minv);
  free((void *)p->K.lo);
  free((void *)p->K.hi);
  free((void *)p->K.findex);
  free(p->b);
}

/* Ten sweeps and the gradient with 1, 2 and 3 threads. */
static void threads_change_no_bit(void)
{
  perp_random random = perp_random_from(5);
  pile p = pile_make(4000, 1200, false, &random);
  const size_t n = (size_t)p.data.rows;
  perp_operator *A;
  CHECK(perp_operator_contact(&p.data, PERP_BORROW, &A, NULL) == PERP_OK);
  static const unsigned orders[] = {1u << PERP_COLOURED, 1u << PERP_COLOURED | 1u << PERP_FORWARD};
  for (int o = 0; o < 2; o++) {
    double *x[3], *y[3];
    for (int t = 0; t < 3; t++) {
      x[t] = oracle_reals(n);
      y[t] = oracle_reals(n);
      perp_arena arena = {0};
      perp_relaxer *r;
      CHECK(perp_relaxer_create("test", A, p.b, &p.K, x[t], t + 1, orders[o], &arena, &r, NULL) ==
            PERP_OK);
      CHECK(((perp_contact_relaxer *)r)->colours < 60);
      for (int k = 0; k < 10; k++)
        perp_relax(r, 1.1, PERP_COLOURED);
      perp_relaxer_store(r);
      r->gradient(r, y[t]);
      perp_arena_free(&arena);
      CHECK(oracle_largest(x[t], n) > 0);
      CHECK(memcmp(x[0], x[t], n * sizeof(double)) == 0);
      CHECK(memcmp(y[0], y[t], n * sizeof(double)) == 0);
    }
    for (int t = 0; t < 3; t++) {
      free(x[t]);
      free(y[t]);
    }
  }
  perp_operator_destroy(A);
  pile_free(&p);
}

/* All contacts at one body: as many colours as contacts, more than the greedy rounds. */
static void one_body_meets_all(void)
{
  perp_random random = perp_random_from(6);
  pile p = pile_make(1500, 400, true, &random);
  perp_operator *A;
  CHECK(perp_operator_contact(&p.data, PERP_BORROW, &A, NULL) == PERP_OK);
  const int n = p.data.rows;
  double *x = oracle_reals((size_t)n), *z = oracle_reals((size_t)n);
  perp_arena arena = {0};
  perp_relaxer *r;
  CHECK(perp_relaxer_create("test", A, p.b, &p.K, x, 2, 1u << PERP_COLOURED, &arena, &r, NULL) ==
        PERP_OK);
  const perp_contact_relaxer *c = (const perp_contact_relaxer *)r;
  CHECK_EQUAL_INT(c->groups, 1500);
  CHECK_EQUAL_INT(c->colours, 1500);
  /* the groups follow one another as they stand, so this is the forward sweep */
  perp_relax(r, 1, PERP_COLOURED);
  perp_arena_free(&arena);
  CHECK(perp_relaxer_create("test", A, p.b, &p.K, z, 1, 1u << PERP_FORWARD, &arena, &r, NULL) ==
        PERP_OK);
  perp_relax(r, 1, PERP_FORWARD);
  CHECK(memcmp(x, z, (size_t)n * sizeof *x) == 0);
  perp_arena_free(&arena);
  free(x);
  free(z);
  perp_operator_destroy(A);
  pile_free(&p);
}

/* ---- Contacts of rigid bodies ---- */

typedef struct rigid_shape {
  const char *name;
  bool round, world, with_C, orthonormal;
} rigid_shape;

static const rigid_shape rigid_shapes[] = {
    {"balls", true, false, false, true},          {"balls on a floor", true, true, false, true},
    {"bricks", false, false, false, true},        {"bricks on a floor", false, true, false, true},
    {"balls with C", true, true, true, true},     {"bricks with C", false, true, true, false},
    {"any directions", true, true, false, false},
};
enum { RIGID_SHAPES = sizeof rigid_shapes / sizeof *rigid_shapes };

static void cross_product(const double *u, const double *v, double *w)
{
  for (int k = 0; k < 3; k++)
    w[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

static void normalise(double *u)
{
  const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int k = 0; k < 3; k++)
    u[k] /= length;
}

static void random_directions(bool orthonormal, double d[3][3], perp_random *random)
{
  for (int t = 0; t < 3; t++)
    for (int k = 0; k < 3; k++)
      d[t][k] = perp_random_between(random, -1, 1);
  if (!orthonormal)
    return;
  normalise(d[0]);
  cross_product(d[0], d[1], d[2]);
  normalise(d[2]);
  cross_product(d[2], d[0], d[1]);
}

/* Few bodies, so that the schedule has a hard time; blocks of six, J and Minv of rigid bodies. */
static sample *rigid_make(const rigid_shape *h, perp_random *random)
{
  sample *s = oracle_memory(sizeof *s);
  perp_contact_data *d = &s->data;
  d->rows = 3 * (1 + perp_random_below(random, MAX_ROWS / 3));
  d->blocks = 2 + perp_random_below(random, MAX_BLOCKS - 1);
  d->velocities = 6 * d->blocks;
  for (int k = 0; k < d->blocks; k++) {
    double I[9], *M = s->Minv + 36 * k, mass = perp_random_between(random, 0.2, 2);
    random_block(M_DEFINITE, 3, I, random);
    s->block_start[k + 1] = 6 * (k + 1);
    for (int i = 0; i < 3; i++) {
      M[7 * i] = mass;
      for (int j = 0; j < 3; j++)
        M[6 * (3 + i) + 3 + j] = !h->round ? I[3 * i + j] : i == j ? I[0] : 0;
    }
  }
  int64_t entries = 0;
  for (int i = 0; i < d->rows; i += 3) {
    double direction[3][3], arm[2][3], turned[3];
    random_directions(h->orthonormal, direction, random);
    for (int k = 0; k < 6; k++)
      arm[k / 3][k % 3] = perp_random_between(random, -1, 1);
    int a = perp_random_below(random, d->blocks), b = perp_random_below(random, d->blocks - 1);
    b += b >= a;
    const int sides = h->world && perp_random_below(random, 3) == 0 ? 1 : 2;
    for (int t = 0; t < 3; t++) {
      s->J_start[i + t] = entries;
      for (int side = 0; side < sides; side++) {
        cross_product(arm[side], direction[t], turned);
        for (int k = 0; k < 6; k++) {
          const double value = k < 3 ? direction[t][k] : turned[k - 3];
          s->J_column[entries] = 6 * (side == (a > b) || sides == 1 ? a : b) + k;
          s->J_value[entries++] = side ? -value : value;
        }
      }
    }
  }
  s->J_start[d->rows] = entries;
  random_C(&(shape){.C = C_DIAGONAL}, s, random);
  d->block_start = s->block_start;
  d->J_start = s->J_start, d->J_column = s->J_column, d->J_value = s->J_value;
  d->Minv = s->Minv;
  if (h->with_C)
    d->C_start = s->C_start, d->C_column = s->C_column, d->C_value = s->C_value;
  multiply_out(s);
  return s;
}

/* Coulomb bounds on the tangents of every contact. */
static oracle_set coulomb_set(int n, perp_random *random)
{
  oracle_set s = {.K = {.n = n}};
  s.K.lo = s.lo = oracle_reals((size_t)n);
  s.K.hi = s.hi = oracle_reals((size_t)n);
  s.K.findex = s.findex = oracle_integers((size_t)n);
  for (int i = 0; i < n; i++) {
    s.findex[i] = i % 3 ? i - i % 3 : -1;
    s.hi[i] = i % 3 == 0 ? INFINITY : i % 3 == 1 ? perp_random_between(random, 0, 1) : s.hi[i - 1];
    s.lo[i] = i % 3 ? -s.hi[i] : 0;
  }
  return s;
}

/* The kernels of rigid contacts against the full matrix, in every order, whether they or the
 * general rows are taken; that they are taken is counted. */
static void rigid_contacts_sweep_as_their_matrix(void)
{
  static const perp_order orders[][4] = {
      {PERP_FORWARD, PERP_FORWARD, PERP_FORWARD, PERP_FORWARD},
      {PERP_BACKWARD, PERP_FORWARD, PERP_BACKWARD, PERP_BACKWARD},
      {PERP_COLOURED, PERP_COLOURED, PERP_COLOURED, PERP_COLOURED},
  };
  perp_random random = perp_random_from(8);
  int taken[RIGID_SHAPES] = {0};
  for (int trial = 0; trial < 60 * RIGID_SHAPES; trial++) {
    sample *s = rigid_make(&rigid_shapes[trial % RIGID_SHAPES], &random);
    perp_operator *A = sample_operator(s, PERP_BORROW);
    const int n = s->data.rows;
    oracle_case c = {.A = A, .n = n, .a = s->a};
    for (int form = 0; form < 3; form++) {
      oracle_set set = form < 2 ? oracle_set_make(form ? ORACLE_BOXED : ORACLE_PLAIN, n, &random)
                                : coulomb_set(n, &random);
      const double omega = perp_random_between(&random, 0.5, 1.5);
      for (int o = 0; o < 3; o++) {
        double *b = oracle_random(&random, n), *x = oracle_random(&random, n);
        double *z = oracle_reals((size_t)n);
        memcpy(z, x, (size_t)n * sizeof *x);
        /* a relaxer that is promised more than colours keeps the general rows, with the same
         * colours; from them the oracle learns the order */
        int *rows = coloured_rows(&c, &set.K, 7u);
        c.coloured = c.coloured_friction = rows;
        oracle_run_sweeps(&c, b, &set.K, omega, orders[o], 2, x, z);
        perp_arena arena = {0};
        perp_relaxer *r;
        CHECK(perp_relaxer_create("test", A, b, &set.K, x, 1, 1u << orders[o][1], &arena, &r,
                                  NULL) == PERP_OK);
        taken[trial % RIGID_SHAPES] += r->sweep == perp_contact_rigid_sweep;
        perp_arena_free(&arena);
        free(rows);
        free(b);
        free(x);
        free(z);
      }
      oracle_set_free(&set);
    }
    perp_operator_destroy(A);
    free(s);
  }
  for (int k = 0; k < RIGID_SHAPES; k++)
    CHECK_SAY(taken[k] >= 100, "%s: %d", rigid_shapes[k].name, taken[k]);
}

/* Packets of a real pile: threads change no bit, and a sweep is that of its csr matrix. */
static void piles_of_balls_sweep_as_their_csr(void)
{
  perp_instance balls;
  CHECK(perp_generate("pile:n=300,form=findex,operator=contact", &balls, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&balls);
  const size_t n = (size_t)p.K.n;
  perp_operator *csr;
  CHECK(perp_operator_to_csr(p.A, 0, &csr, NULL) == PERP_OK);
  for (int o = 0; o < 2; o++) {
    double *x[2];
    for (int k = 0; k < 2; k++) {
      x[k] = oracle_reals(n);
      perp_arena arena = {0};
      perp_relaxer *r;
      CHECK(perp_relaxer_create("test", k ? csr : p.A, p.b, &p.K, x[k], 1, 1u << o, &arena, &r,
                                NULL) == PERP_OK);
      CHECK((r->sweep == perp_contact_rigid_sweep) == (k == 0));
      for (int t = 0; t < 30; t++)
        perp_relax(r, 1.2, (perp_order)o);
      perp_relaxer_store(r);
      perp_arena_free(&arena);
    }
    const double scale = oracle_largest(x[0], n);
    CHECK(scale > 0);
    for (size_t i = 0; i < n; i++)
      CHECK_CLOSE(x[0][i], x[1][i], 1e-11 * scale);
    free(x[0]);
    free(x[1]);
  }
  double *x[3];
  for (int t = 0; t < 3; t++) {
    x[t] = oracle_reals(n);
    perp_arena arena = {0};
    perp_relaxer *r;
    CHECK(perp_relaxer_create("test", p.A, p.b, &p.K, x[t], t + 1, 1u << PERP_COLOURED, &arena, &r,
                              NULL) == PERP_OK);
    for (int k = 0; k < 20; k++)
      perp_relax(r, 1.1, PERP_COLOURED);
    perp_relaxer_store(r);
    perp_arena_free(&arena);
    CHECK(memcmp(x[0], x[t], n * sizeof(double)) == 0);
  }
  for (int t = 0; t < 3; t++)
    free(x[t]);
  perp_operator_destroy(csr);
  perp_instance_destroy(&balls);
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
  s->data = (perp_contact_data){.rows = 2,
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
  REFUSE(s.J_column[0] = 2, PERP_ERROR_PROBLEM,
         "J: row 0 has column 2 after column 2, they must ascend");
  REFUSE(s.C_column[1] = 2, PERP_ERROR_PROBLEM, "C: row 1 has column 2 outside 0 .. 1");
  REFUSE(s.C_start[1] = -1, PERP_ERROR_PROBLEM, "C: row 0 starts at entry 0 and ends before -1");
  REFUSE(s.block_start[0] = 1, PERP_ERROR_PROBLEM, "Minv: block 0 starts at velocity 1, not at 0");
  REFUSE(s.block_start[1] = 3, PERP_ERROR_PROBLEM,
         "Minv: block 1 starts at velocity 3 and ends before 3");
  REFUSE(s.block_start[2] = 4, PERP_ERROR_PROBLEM, "Minv: the blocks end before velocity 4, not 3");
  REFUSE(s.data.block_start = NULL, PERP_ERROR_PROBLEM,
         "Minv: 3 velocities cannot be cut into 2 blocks of equal size");
  REFUSE(s.J_value[2] = INFINITY, PERP_ERROR_PROBLEM, "J(1,1) = inf is not finite");
  REFUSE(s.C_value[1] = -INFINITY, PERP_ERROR_PROBLEM, "C(1,0) = -inf is not finite");
  REFUSE(s.Minv[4] = NAN, PERP_ERROR_PROBLEM, "Minv: block 1 has (0,0) = nan, which is not finite");
  REFUSE(s.Minv[2] = 1.5, PERP_ERROR_PROBLEM,
         "Minv: block 0 is not symmetric: (1,0) = 1.5, but (0,1) = 1");
}

static void nothing_at_all(void)
{
  const int64_t start[1] = {0};
  perp_contact_data d = {.J_start = start};
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
    TEST(entries_of_every_shape),
    TEST(data_comes_back),
    TEST(sweeps_of_every_shape),
    TEST(zero_diagonal_is_refused),
    TEST(velocities_do_not_drift),
    TEST(threads_change_no_bit),
    TEST(one_body_meets_all),
    TEST(refresh_takes_new_values),
    TEST(bad_data_is_named),
    TEST(nothing_at_all),
    TEST(rigid_contacts_sweep_as_their_matrix),
    TEST(piles_of_balls_sweep_as_their_csr),
};
TEST_MAIN(tests)
