/* Sweeps of the contact operator against J Minv J^T + C multiplied out: every path (packed to 6 and
 * to 4 velocities, with diagonal and with any C, rows of any shape, contacts of rigid and of planar
 * bodies), their colours, their rounding over many sweeps, threads. */
#include "contact_samples.h"

#include "operator/contact/packets.h"
#include <perp/generate.h>

/* ---- Sweeps ---- */

/* Returns the rows in the order of the relaxer's coloured sweep; checks that it is a colouring:
 * every row once, groups ascending in a colour, no two coupled in one colour. */
static int *coloured_rows(const oracle_case *c, const perp_set *K, unsigned orders)
{
  perp_arena arena = {0};
  perp_relaxer *relaxer;
  double *x = oracle_reals((size_t)c->n);
  CHECK(perp_relaxer_create("test", c->A, x, K, x, 1, orders, &arena, &relaxer, NULL) == PERP_OK);
  if (relaxer->store) { /* packets; promised more than colours it keeps rows, of the same colours */
    perp_arena_free(&arena);
    CHECK(perp_relaxer_create("test", c->A, x, K, x, 1, 7u, &arena, &relaxer, NULL) == PERP_OK);
  }
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
  if (relaxer->store) /* packets of planar contacts */
    CHECK_EQUAL_INT(4, width);
  else
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
      int *rows = coloured_rows(&c, &s.K, o == 2 && c.n % 2 ? 1u << PERP_COLOURED : 7u);
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
    if (positive) { /* without C a row may have only locked or missing entries */
      relaxed[trial % SHAPES]++;
      perp_operator *A = sample_operator(s, PERP_BORROW);
      const oracle_case c = {.A = A, .n = s->data.rows, .a = s->a};
      if (h->touched != 3 && h->touched != 4) /* a row with three blocks occurs by chance */
        check_width(&c, perp_contact_of(A)->C_is_diagonal ? h->width : 0);
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
  const perp_contact_data d = {.size = sizeof(perp_contact_data),
                               .rows = 2,
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

/* After thousands of sweeps the velocities still belong to x: one more sweep gives the result of
 * the full matrix from the same x. */
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
    int *rows = oracle_order(&c, &set.K, PERP_FORWARD, 1u << PERP_FORWARD);
    perp_arena arena = {0};
    perp_relaxer *relaxer;
    CHECK(perp_relaxer_create("test", A, b, &set.K, x, 1, 1u, &arena, &relaxer, NULL) == PERP_OK);
    for (int t = 0; t < 5000; t++) /* never at rest: omega changes all the time */
      perp_relax(relaxer, 0.3 + 1.6 * perp_random_uniform(&random), PERP_FORWARD);
    perp_relaxer_store(relaxer);
    memcpy(z, x, (size_t)n * sizeof *x);
    perp_relax(relaxer, 1, PERP_FORWARD);
    perp_relaxer_store(relaxer);
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

/* `rows` rows for each contact of two of `bodies`, or of one with the world. */
typedef struct pile {
  perp_contact_data data;
  perp_set K;
  double *b;
} pile;

static pile pile_make(int contacts, int rows, int bodies, int size, bool shared_floor,
                      perp_random *random)
{
  const size_t n = (size_t)rows * (size_t)contacts, square = (size_t)(size * size);
  int64_t *start = oracle_memory((n + 1) * sizeof *start);
  int *column = oracle_integers(12 * n), *findex = oracle_integers(n);
  double *value = oracle_reals(12 * n), *Minv = oracle_reals((size_t)bodies * square);
  double *lo = oracle_reals(n), *hi = oracle_reals(n);
  for (int k = 0; k < bodies; k++)
    for (int i = 0; i < size; i++)
      Minv[(size_t)k * square + (size_t)((size + 1) * i)] = perp_random_between(random, 0.5, 2);
  int64_t entries = 0;
  for (int c = 0; c < contacts; c++) {
    int p = shared_floor ? 0 : perp_random_below(random, bodies), q = p;
    if (shared_floor || perp_random_below(random, 5))
      while (q == p)
        q = perp_random_below(random, bodies);
    for (int i = rows * c; i < rows * c + rows; i++) {
      for (int side = 0; side < (p == q ? 1 : 2); side++)
        for (int k = 0; k < size; k++) {
          column[entries] = size * ((side == 0) == (p < q) ? p : q) + k;
          value[entries++] = perp_random_between(random, -1, 1);
        }
      start[i + 1] = entries;
      const bool friction = i > rows * c;
      findex[i] = friction ? rows * c : -1;
      lo[i] = friction ? -0.5 : 0;
      hi[i] = friction ? 0.5 : INFINITY;
    }
  }
  return (pile){.data = {.size = sizeof(perp_contact_data),
                         .rows = (int)n,
                         .velocities = size * bodies,
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
static void check_threads(int rows, int size)
{
  perp_random random = perp_random_from(5);
  pile p = pile_make(4000, rows, 1200, size, false, &random);
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
      CHECK_EQUAL_INT(r->store != NULL, size == 3 && o == 0); /* packets of planar contacts */
      CHECK(r->store || ((perp_contact_relaxer *)r)->colours < 60);
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

static void threads_change_no_bit(void)
{
  check_threads(3, 6);
  check_threads(2, 3);
}

/* All contacts at one body: one colour per contact, more than the greedy rounds. */
static void one_body_meets_all(void)
{
  perp_random random = perp_random_from(6);
  pile p = pile_make(1500, 3, 400, 6, true, &random);
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
  /* the groups keep their order, so this is the forward sweep */
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

/* Few bodies, which is hard for the schedule; blocks of six, J and Minv of rigid bodies. */
static sample *rigid_make(const rigid_shape *h, perp_random *random)
{
  sample *s = oracle_memory(sizeof *s);
  perp_contact_data *d = &s->data;
  *d = perp_contact_data_default();
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
  sample_close(s, h->with_C);
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

static const perp_order sweep_orders[][4] = {
    {PERP_FORWARD, PERP_FORWARD, PERP_FORWARD, PERP_FORWARD},
    {PERP_BACKWARD, PERP_FORWARD, PERP_BACKWARD, PERP_BACKWARD},
    {PERP_COLOURED, PERP_COLOURED, PERP_COLOURED, PERP_COLOURED},
};

/* After x was changed in the layout of the sweeps, renewal projects it and recomputes the
 * velocities. */
static void check_renewal(const oracle_case *c, const double *b, const perp_set *K, perp_relaxer *r,
                          perp_random *random)
{
  const size_t n = (size_t)c->n;
  double *z = oracle_reals(n), *y = oracle_reals(n), *Az = oracle_reals(n);
  for (int64_t k = 0; k < r->own_count; k++)
    if (r->own_x[k] != 0) /* not what is padded */
      r->own_x[k] += perp_random_between(random, -1, 1);
  perp_relaxer_store(r);
  memcpy(z, r->x, n * sizeof *z);
  for (int i = 0; i < c->n; i++) { /* normals come before their friction */
    const int j = K->findex ? K->findex[i] : -1;
    const double normal = j < 0 ? 1 : fabs(z[j]);
    const double lo = K->lo ? K->lo[i] : 0, hi = K->hi ? K->hi[i] : INFINITY;
    z[i] = fmax(z[i], lo > -1e300 ? lo * normal : -INFINITY);
    z[i] = fmin(z[i], hi < 1e300 ? hi * normal : INFINITY);
  }
  r->renew(r);
  perp_relaxer_store(r);
  r->gradient(r, y);
  oracle_product(c, false, z, Az);
  for (int i = 0; i < c->n; i++) {
    CHECK_CLOSE(r->x[i], z[i], 1e-14);
    CHECK_CLOSE(y[i], Az[i] + b[i], 1e-10 * (1 + oracle_largest(Az, n)));
  }
  free(z);
  free(y);
  free(Az);
}

/* Sweeps in every order against the full matrix; returns for how many orders packets were used. */
static int check_packets(const sample *s, const perp_operator *A, const oracle_set *set,
                         perp_random *random)
{
  int taken = 0;
  const int n = s->data.rows;
  oracle_case c = {.A = A, .n = n, .a = s->a};
  const double omega = perp_random_between(random, 0.5, 1.5);
  for (int o = 0; o < 3; o++) {
    double *b = oracle_random(random, n), *x = oracle_random(random, n);
    double *z = oracle_reals((size_t)n);
    memcpy(z, x, (size_t)n * sizeof *x);
    /* a relaxer for more orders than coloured keeps the general rows, with the same colours; the
     * oracle takes the order from them */
    int *rows = coloured_rows(&c, &set->K, 7u);
    c.coloured = c.coloured_friction = rows;
    oracle_run_sweeps(&c, b, &set->K, omega, sweep_orders[o], 2, x, z);
    perp_arena arena = {0};
    perp_relaxer *r;
    CHECK(perp_relaxer_create("test", A, b, &set->K, x, 1, 1u << sweep_orders[o][1], &arena, &r,
                              NULL) == PERP_OK);
    taken += r->store != NULL;
    if (r->renew)
      check_renewal(&c, b, &set->K, r, random);
    perp_arena_free(&arena);
    free(rows);
    free(b);
    free(x);
    free(z);
  }
  return taken;
}

/* The kernels of rigid contacts against the full matrix, in every order, with these kernels or the
 * general rows; counts how often the kernels are used. */
static void rigid_contacts_sweep_as_their_matrix(void)
{
  perp_random random = perp_random_from(8);
  int taken[RIGID_SHAPES] = {0};
  for (int trial = 0; trial < 60 * RIGID_SHAPES; trial++) {
    sample *s = rigid_make(&rigid_shapes[trial % RIGID_SHAPES], &random);
    perp_operator *A = sample_operator(s, PERP_BORROW);
    const int n = s->data.rows;
    for (int form = 0; form < 3; form++) {
      oracle_set set = form < 2 ? oracle_set_make(form ? ORACLE_BOXED : ORACLE_PLAIN, n, &random)
                                : coulomb_set(n, &random);
      taken[trial % RIGID_SHAPES] += check_packets(s, A, &set, &random);
      oracle_set_free(&set);
    }
    perp_operator_destroy(A);
    free(s);
  }
  for (int k = 0; k < RIGID_SHAPES; k++)
    CHECK_SAY(taken[k] >= 100, "%s: %d", rigid_shapes[k].name, taken[k]);
}

/* Packets of a real pile: threads change no bit, and a sweep equals that of its CSR matrix. */
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
      CHECK((r->sweep == perp_contact_packed_sweep) == (k == 0));
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

/* ---- Contacts of planar bodies ---- */

typedef struct planar_shape {
  const char *name;
  int rows; /* of a contact; 0: one or two */
  int size; /* of all blocks; 0: any of 1 .. 3 */
  bool world, with_C;
} planar_shape;

static const planar_shape planar_shapes[] = {
    {"discs without friction", 1, 3, true, false},
    {"discs", 2, 3, true, false},
    {"discs with C", 2, 3, true, true},
    {"some rows alone", 0, 3, true, false},
    {"some rows alone, with C", 0, 3, false, true},
    {"blocks of any size", 2, 0, false, true},
};
enum { PLANAR_SHAPES = sizeof planar_shapes / sizeof *planar_shapes };

/* Contacts of random bodies, sometimes two of the same bodies in a row, and a set for them: the
 * second row of a contact has the first as its friction index. */
static sample *planar_make(const planar_shape *h, oracle_set *set, perp_random *random)
{
  sample *s = oracle_memory(sizeof *s);
  perp_contact_data *d = &s->data;
  *d = perp_contact_data_default();
  d->blocks = 3 + perp_random_below(random, MAX_BLOCKS - 2);
  double *M = s->Minv;
  for (int k = 0; k < d->blocks; k++) {
    const int size = h->size ? h->size : 1 + perp_random_below(random, 3);
    random_block(M_DEFINITE, size, M, random);
    M += size * size;
    s->block_start[k + 1] = s->block_start[k] + size;
  }
  d->velocities = s->block_start[d->blocks];
  *set = (oracle_set){.lo = oracle_reals(MAX_ROWS),
                      .hi = oracle_reals(MAX_ROWS),
                      .findex = oracle_integers(MAX_ROWS)};
  const int contacts = 1 + perp_random_below(random, MAX_ROWS / 2);
  int64_t entries = 0;
  int body[2] = {0, 0}, sides = 0;
  for (int k = 0; k < contacts; k++) {
    if (k == 0 || perp_random_below(random, 4)) {
      body[0] = perp_random_below(random, d->blocks);
      body[1] = (body[0] + 1 + perp_random_below(random, d->blocks - 1)) % d->blocks;
      sides = h->world && perp_random_below(random, 3) == 0 ? 1 : 2;
    }
    const int first = d->rows, rows = h->rows ? h->rows : 1 + perp_random_below(random, 2);
    for (int t = 0; t < rows; t++, d->rows++) {
      s->J_start[d->rows] = entries;
      for (int side = 0; side < sides; side++) {
        const int at = body[sides == 2 && body[0] > body[1] ? 1 - side : side];
        for (int c = s->block_start[at]; c < s->block_start[at + 1]; c++) {
          s->J_column[entries] = c;
          s->J_value[entries++] = perp_random_between(random, -1, 1);
        }
      }
      set->findex[d->rows] = t ? first : -1;
      set->lo[d->rows] = t == 0 ? 0 : -perp_random_between(random, 0, 1);
      set->hi[d->rows] = t == 0 || perp_random_below(random, 8) == 0
                             ? INFINITY
                             : perp_random_between(random, 0, 1);
    }
  }
  s->J_start[d->rows] = entries;
  random_C(&(shape){.C = C_DIAGONAL}, s, random);
  d->block_start = s->block_start;
  sample_close(s, h->with_C);
  set->K = (perp_set){.n = d->rows, .lo = set->lo, .hi = set->hi, .findex = set->findex};
  return s;
}

/* The kernels of planar contacts, tested like those of rigid ones above. */
static void planar_contacts_sweep_as_their_matrix(void)
{
  perp_random random = perp_random_from(9);
  int taken[PLANAR_SHAPES] = {0};
  for (int trial = 0; trial < 100 * PLANAR_SHAPES; trial++) {
    oracle_set friction;
    sample *s = planar_make(&planar_shapes[trial % PLANAR_SHAPES], &friction, &random);
    const int n = s->data.rows;
    bool positive = true;
    for (int i = 0; i < n; i++)
      positive = positive && s->a[i * n + i] > 0.02;
    perp_operator *A = sample_operator(s, PERP_BORROW);
    oracle_set plain = oracle_set_make(ORACLE_PLAIN, n, &random);
    oracle_set boxed = oracle_set_make(ORACLE_BOXED, n, &random);
    const oracle_set *const sets[] = {&plain, &boxed, &friction};
    for (int k = 0; positive && k < 3; k++)
      taken[trial % PLANAR_SHAPES] += check_packets(s, A, sets[k], &random);
    oracle_set_free(&plain);
    oracle_set_free(&boxed);
    oracle_set_free(&friction);
    perp_operator_destroy(A);
    free(s);
  }
  for (int k = 0; k < PLANAR_SHAPES; k++)
    CHECK_SAY(taken[k] >= 100, "%s: %d", planar_shapes[k].name, taken[k]);
}

static const test_case tests[] = {
    TEST(sweeps_of_every_shape),
    TEST(zero_diagonal_is_refused),
    TEST(velocities_do_not_drift),
    TEST(threads_change_no_bit),
    TEST(one_body_meets_all),
    TEST(rigid_contacts_sweep_as_their_matrix),
    TEST(piles_of_balls_sweep_as_their_csr),
    TEST(planar_contacts_sweep_as_their_matrix),
};

TEST_MAIN(tests)
