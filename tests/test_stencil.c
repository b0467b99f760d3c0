/* test_stencil.c: grid operators against the matrix assembled by plain loops over cells, sweeps
 * on larger grids against a textbook sweep on the natural array */
#include "operator_oracle.h"

#include <limits.h>

/* A grid with random data. Entries that may not be read hold NaN. */
typedef struct grid {
  perp_stencil_data data;
  int n, cells;
  int *cell, *unknown; /* of each unknown, of each cell */
  double *w[3], *d;    /* by cell, always present, even if the data do not use them */
} grid;

typedef enum weights { COMMON, COMMON_IN_ARRAYS, VARIED_DIAGONAL, VARIED, KINDS } weights;
typedef enum mask { NONE, NONE_BUT_LISTED, ASCENDING, SHUFFLED, MASKS } mask;

/* Returns the cell next to c in a direction, -1 if there is none or it is not an unknown. */
static int neighbour(const grid *g, int c, int axis, int step)
{
  int at[3] = {c % g->data.nx, c / g->data.nx % g->data.ny, c / g->data.nx / g->data.ny};
  const int size[3] = {g->data.nx, g->data.ny, g->data.nz};
  at[axis] += step;
  if (at[axis] < 0 || at[axis] >= size[axis])
    return -1;
  const int d = (at[2] * size[1] + at[1]) * size[0] + at[0];
  return g->unknown[d] < 0 ? -1 : d;
}

/* The weight between an unknown cell and its neighbour, by the definition in operator.h. */
static double face(const grid *g, int c, int axis, int step)
{
  return g->w[axis][step > 0 ? c : neighbour(g, c, axis, step)];
}

static void grid_mask(grid *g, mask m, perp_random *random)
{
  const double density = perp_random_between(random, 0.1, 1);
  int *order = oracle_integers((size_t)g->cells);
  g->cell = oracle_integers((size_t)g->cells);
  g->unknown = oracle_integers((size_t)g->cells);
  perp_random_permutation(random, g->cells, order);
  for (int k = 0; k < g->cells; k++) {
    const int c = m == SHUFFLED ? order[k] : k;
    g->unknown[c] = -1;
    if (m <= NONE_BUT_LISTED || perp_random_uniform(random) < density) {
      g->unknown[c] = g->n;
      g->cell[g->n++] = c;
    }
  }
  if (m != NONE) {
    g->data.cells = g->cell;
    g->data.unknowns = g->n;
  }
  free(order);
}

static grid grid_make(int nx, int ny, int nz, weights kind, mask m, perp_random *random)
{
  grid g = {
      .data = {.size = sizeof(perp_stencil_data), .nx = nx, .ny = ny, .nz = nz, .weight = 0.8},
      .cells = nx * ny * nz};
  grid_mask(&g, m, random);
  const double common = kind == COMMON_IN_ARRAYS ? 1.3 : g.data.weight;
  for (int axis = 0; axis < 3; axis++) {
    g.w[axis] = oracle_reals((size_t)g.cells);
    const bool vary = kind == VARIED;
    for (int c = 0; c < g.cells; c++) {
      const bool used = g.unknown[c] >= 0 && neighbour(&g, c, axis, 1) >= 0;
      g.w[axis][c] = !used ? NAN : vary ? perp_random_between(random, -0.3, 1.2) : common;
    }
  }
  g.d = oracle_reals((size_t)g.cells);
  for (int c = 0; c < g.cells; c++) {
    double sum = kind == VARIED_DIAGONAL || kind == VARIED ? perp_random_between(random, 0.3, 1)
                                                           : (nz > 1 ? 6 : 4) * common;
    for (int axis = 0; axis < 3 && kind != COMMON && kind != COMMON_IN_ARRAYS; axis++)
      for (int step = -1; step <= 1; step += 2)
        if (g.unknown[c] >= 0 && neighbour(&g, c, axis, step) >= 0)
          sum += fabs(face(&g, c, axis, step));
    g.d[c] = g.unknown[c] < 0 ? NAN : sum;
  }
  if (kind == COMMON_IN_ARRAYS || kind == VARIED) {
    g.data.wx = g.w[0];
    g.data.wy = g.w[1];
    g.data.wz = nz > 1 ? g.w[2] : NULL;
    g.data.weight = NAN;
  }
  if (kind != COMMON)
    g.data.diagonal = g.d;
  return g;
}

static void grid_free(grid *g)
{
  free(g->cell);
  free(g->unknown);
  for (int axis = 0; axis < 3; axis++)
    free(g->w[axis]);
  free(g->d);
}

static double *grid_dense(const grid *g)
{
  const size_t n = (size_t)g->n;
  double *a = oracle_reals(n * n);
  for (size_t u = 0; u < n; u++) {
    const int c = g->cell[u];
    a[u * n + u] = g->d[c];
    for (int axis = 0; axis < 3; axis++) {
      for (int step = -1; step <= 1; step += 2) {
        const int d = neighbour(g, c, axis, step);
        if (d >= 0)
          a[u * n + (size_t)g->unknown[d]] = -face(g, c, axis, step);
      }
    }
  }
  return a;
}

/* Red unknowns ascending, then the black ones. */
static int *grid_colours(const grid *g)
{
  int *order = oracle_integers((size_t)g->n), count = 0;
  for (int colour = 0; colour < 2; colour++) {
    for (int u = 0; u < g->n; u++) {
      const int c = g->cell[u], nx = g->data.nx, ny = g->data.ny;
      if ((c % nx + c / nx % ny + c / nx / ny) % 2 == colour)
        order[count++] = u;
    }
  }
  return order;
}

static perp_operator *grid_operator(const grid *g, perp_storage storage)
{
  perp_operator *A;
  perp_message why = {""};
  const perp_error error = perp_operator_stencil(&g->data, storage, &A, &why);
  CHECK_SAY(error == PERP_OK, "%s", why.text);
  return A;
}

/* ---- Every ability ---- */

static bool ascends(const grid *g)
{
  bool ascends = true;
  for (int u = 1; u < g->n; u++)
    ascends = ascends && g->cell[u - 1] < g->cell[u];
  return ascends;
}

static void check_grid(int nx, int ny, int nz, weights kind, mask m, perp_random *random)
{
  grid g = grid_make(nx, ny, nz, kind, m, random);
  perp_operator *A = grid_operator(&g, perp_random_below(random, 2) ? PERP_COPY : PERP_BORROW);
  double *a = grid_dense(&g);
  int *order = grid_colours(&g);
  int64_t nonzeros = g.n;
  for (int c = 0; c < g.cells; c++)
    for (int axis = 0; axis < 3 && g.unknown[c] >= 0; axis++)
      nonzeros += 2 * (neighbour(&g, c, axis, 1) >= 0);
  CHECK_EQUAL_TEXT(perp_operator_kind(A), "stencil");
  CHECK_EQUAL_INT(perp_operator_nonzeros(A), nonzeros);
  CHECK_EQUAL_INT(perp_operator_abilities(A), 255);
  const oracle_case c = {.A = A, .n = g.n, .a = a, .coloured = order, .alone = !ascends(&g)};
  oracle_check(&c, random);
  perp_operator_destroy(A);
  free(a);
  free(order);
  grid_free(&g);
}

static void abilities_in_the_plane(void)
{
  perp_random random = perp_random_from(11);
  /* a quarter still has every pair of weights and mask twice */
  const int trials = 160 / test_share("grids in the plane", 4);
  for (int trial = 0; trial < trials; trial++) {
    const int nx = 1 + perp_random_below(&random, 11), ny = 1 + perp_random_below(&random, 6);
    check_grid(nx, ny, 1, (weights)(trial % KINDS), (mask)(trial / KINDS % MASKS), &random);
  }
}

static void abilities_in_space(void)
{
  perp_random random = perp_random_from(12);
  /* a quarter still has every pair of weights and mask twice */
  const int trials = 160 / test_share("grids in space", 4);
  for (int trial = 0; trial < trials; trial++) {
    const int nx = 1 + perp_random_below(&random, 5), ny = 1 + perp_random_below(&random, 4);
    const int nz = 2 + perp_random_below(&random, 3);
    check_grid(nx, ny, nz, (weights)(trial % KINDS), (mask)(trial / KINDS % MASKS), &random);
  }
}

static void no_unknowns(void)
{
  const int none = 0;
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data), .nx = 3, .ny = 2, .nz = 1, .cells = &none, .weight = 1};
  perp_operator *A;
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
  CHECK_EQUAL_INT(perp_operator_size(A), 0);
  CHECK_EQUAL_INT(perp_operator_nonzeros(A), 0);
  CHECK(perp_operator_apply(A, NULL, NULL, NULL, NULL) == PERP_OK);
  perp_operator_destroy(A);
}

/* ---- Larger grids: long rows, slabs ---- */

/* y_u = (A x)_u by the definition. */
static double naive_product(const grid *g, const double *x, int u)
{
  const int c = g->cell[u];
  double y = g->d[c] * x[u];
  for (int axis = 0; axis < 3; axis++)
    for (int step = -1; step <= 1; step += 2)
      if (neighbour(g, c, axis, step) >= 0)
        y -= face(g, c, axis, step) * x[g->unknown[neighbour(g, c, axis, step)]];
  return y;
}

static void naive_sweep(const grid *g, const double *b, const perp_set *K, double omega,
                        perp_order order, const int *colours, double *x)
{
  for (int k = 0; k < g->n; k++) {
    const int u = order == PERP_COLOURED ? colours[k] : order == PERP_FORWARD ? k : g->n - 1 - k;
    const double t = x[u] - omega * (naive_product(g, x, u) + b[u]) / g->d[g->cell[u]];
    const double lo = K->lo ? K->lo[u] : 0, hi = K->hi ? K->hi[u] : INFINITY;
    x[u] = t < lo ? lo : t > hi ? hi : t;
  }
}

static double *copy_of(const double *x, int n)
{
  double *copy = oracle_reals((size_t)n);
  memcpy(copy, x, (size_t)n * sizeof *x);
  return copy;
}

static void check_large_products(const grid *g, const perp_operator *A, const double *x)
{
  double *y = oracle_reals((size_t)g->n), *z = oracle_reals((size_t)g->n);
  for (int threads = 1; threads <= 3; threads++) {
    const perp_work work = {.threads = threads};
    A->table->apply(A, x, threads == 1 ? y : z, &work);
    CHECK(threads == 1 || memcmp(y, z, (size_t)g->n * sizeof *y) == 0);
  }
  for (int u = 0; u < g->n; u++)
    CHECK_CLOSE(y[u], naive_product(g, x, u), 1e-13);
  free(y);
  free(z);
}

static void check_large_sweeps(const grid *g, const perp_operator *A, const perp_set *K,
                               const double *b, const double *x0, double omega, perp_order order)
{
  int *colours = grid_colours(g);
  double *expected = copy_of(x0, g->n), *first = NULL;
  for (int k = 0; k < 3; k++)
    naive_sweep(g, b, K, omega, order, colours, expected);
  for (int threads = 1; threads <= 3; threads++) {
    perp_arena arena = {0};
    perp_relaxer *relaxer;
    double *x = copy_of(x0, g->n), *y = oracle_reals((size_t)g->n);
    CHECK(perp_relaxer_create("test", A, b, K, x, threads, 1u << order, &arena, &relaxer, NULL) ==
          PERP_OK);
    for (int k = 0; k < 3; k++)
      perp_relax(relaxer, omega, order);
    perp_relaxer_store(relaxer);
    for (int u = 0; u < g->n; u++)
      CHECK_CLOSE(x[u], expected[u], 1e-13);
    if (relaxer->gradient) {
      relaxer->gradient(relaxer, y);
      for (int u = 0; u < g->n; u++)
        CHECK_CLOSE(y[u], naive_product(g, x, u) + b[u], 1e-13);
    }
    CHECK(!first || memcmp(first, x, (size_t)g->n * sizeof *x) == 0);
    if (first)
      free(x);
    else
      first = x;
    free(y);
    perp_arena_free(&arena);
  }
  free(first);
  free(expected);
  free(colours);
}

static void large_grids(void)
{
  static const int size[][3] = {{301, 600, 1}, {33000, 9, 1}, {1, 140001, 1},
                                {66, 47, 52},  {33, 5, 9},    {65537, 2, 1}};
  perp_random random = perp_random_from(13);
  for (size_t s = 0; s < sizeof size / sizeof *size; s++) {
    for (int kind = 0; kind < 2; kind++) {
      const weights w = kind ? VARIED : COMMON;
      grid g = grid_make(size[s][0], size[s][1], size[s][2], w, kind ? ASCENDING : NONE, &random);
      perp_operator *A = grid_operator(&g, PERP_BORROW);
      double *b = oracle_random(&random, g.n), *x = oracle_random(&random, g.n);
      double *hi = oracle_random(&random, g.n);
      for (int u = 0; u < g.n; u++)
        hi[u] = 0.3 * fabs(hi[u]);
      const perp_set plain = {.n = g.n}, box = {.n = g.n, .hi = hi};
      check_large_products(&g, A, x);
      check_large_sweeps(&g, A, &plain, b, x, 1, PERP_COLOURED);
      check_large_sweeps(&g, A, &box, b, x, 1.3, PERP_COLOURED);
      check_large_sweeps(&g, A, &plain, b, x, 1.1, s % 2 ? PERP_FORWARD : PERP_BACKWARD);
      perp_operator_destroy(A);
      free(b);
      free(x);
      free(hi);
      grid_free(&g);
    }
  }
}

/* NaN in x appears in the result of a sweep, not projected away. */
static void not_a_number_is_seen(void)
{
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data), .nx = 9, .ny = 4, .nz = 1, .weight = 1};
  double hi[36];
  for (int i = 0; i < 36; i++)
    hi[i] = 1;
  const perp_set sets[2] = {{.n = 36}, {.n = 36, .hi = hi}};
  perp_operator *A;
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
  for (int trial = 0; trial < 6; trial++) {
    const perp_order order = (perp_order)(trial / 2);
    double x[36] = {0}, b[36] = {0};
    x[18] = x[19] = NAN;
    perp_arena arena = {0};
    perp_relaxer *relaxer;
    CHECK(perp_relaxer_create("test", A, b, &sets[trial % 2], x, 1, 1u << order, &arena, &relaxer,
                              NULL) == PERP_OK);
    perp_relax(relaxer, 1, order);
    perp_relaxer_store(relaxer);
    CHECK(isnan(x[18]) || isnan(x[19]));
    perp_arena_free(&arena);
  }
  perp_operator_destroy(A);
}

/* ---- Data given back, and changed in place ---- */

static void data_given_back(void)
{
  perp_random random = perp_random_from(14);
  grid g = grid_make(4, 3, 2, VARIED, SHUFFLED, &random);
  for (int storage = PERP_BORROW; storage <= PERP_COPY; storage++) {
    perp_operator *A = grid_operator(&g, (perp_storage)storage);
    perp_stencil_data data = perp_stencil_data_default();
    CHECK(perp_operator_stencil_data(A, &data) == PERP_OK);
    CHECK(data.nx == 4 && data.ny == 3 && data.nz == 2 && data.unknowns == g.n);
    CHECK((data.wx == g.data.wx) == (storage == PERP_BORROW));
    CHECK(memcmp(data.cells, g.cell, (size_t)g.n * sizeof *g.cell) == 0);
    CHECK(memcmp(data.wx, g.w[0], (size_t)g.cells * sizeof(double)) == 0);
    CHECK(memcmp(data.wy, g.w[1], (size_t)g.cells * sizeof(double)) == 0);
    CHECK(memcmp(data.wz, g.w[2], (size_t)g.cells * sizeof(double)) == 0);
    CHECK(memcmp(data.diagonal, g.d, (size_t)g.cells * sizeof(double)) == 0);
    perp_operator_destroy(A);
  }
  perp_operator *dense;
  const double one = 1;
  perp_stencil_data data = perp_stencil_data_default();
  CHECK(perp_operator_dense(1, &one, 1, PERP_COPY, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_stencil_data(dense, &data) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_stencil_data(NULL, &data) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(dense);
  grid_free(&g);
}

static void changed_in_place(void)
{
  perp_random random = perp_random_from(15);
  grid g = grid_make(7, 5, 1, COMMON_IN_ARRAYS, NONE, &random);
  perp_operator *A = grid_operator(&g, PERP_BORROW);
  /* common values, another diagonal, another weight, all common again */
  for (int step = 0; step < 4; step++) {
    if (step == 1)
      g.d[12] = 9;
    if (step == 2)
      g.w[1][3] = 0.25;
    if (step == 3)
      for (int c = 0; c < g.cells; c++) {
        g.d[c] = 5;
        for (int axis = 0; axis < 2; axis++)
          g.w[axis][c] = 1;
      }
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    double *a = grid_dense(&g);
    int *order = grid_colours(&g);
    const oracle_case c = {.A = A, .n = g.n, .a = a, .coloured = order};
    oracle_check(&c, &random);
    free(a);
    free(order);
  }
  perp_message why;
  g.w[0][8] = INFINITY;
  CHECK(perp_operator_refresh(A, &why) == PERP_ERROR_PROBLEM);
  CHECK_EQUAL_TEXT(why.text, "wx[8] = inf at cell (1, 1, 0) is not finite");
  perp_operator_destroy(A);
  grid_free(&g);
}

/* ---- Bad input ---- */

static void refuses(perp_stencil_data data, perp_error error, const char *text)
{
  perp_operator *A = NULL;
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_operator_stencil(&data, PERP_COPY, &A, &why), error);
  CHECK_EQUAL_TEXT(why.text, text);
  CHECK(!A);
  CHECK_EQUAL_INT(perp_operator_stencil(&data, PERP_BORROW, &A, NULL), error);
}

static void messages(void)
{
  double w[12], bad[12], d[12];
  for (int c = 0; c < 12; c++) {
    w[c] = bad[c] = 1;
    d[c] = 4;
  }
  bad[6] = -INFINITY;
  const int out[2] = {1, 12}, negative[2] = {-1, 3}, twice[3] = {5, 2, 5};
  perp_operator *A;
  perp_message why;
  CHECK(perp_operator_stencil(NULL, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  const perp_stencil_data good = {
      .size = sizeof(perp_stencil_data), .nx = 4, .ny = 3, .nz = 1, .weight = 1};
  CHECK(perp_operator_stencil(&good, PERP_COPY, NULL, &why) == PERP_ERROR_ARGUMENT);
  perp_stencil_data data = good;
  data.nz = 0;
  refuses(data, PERP_ERROR_ARGUMENT,
          "a grid of 4 x 3 x 0 cells: every side must be at least 1 (nz = 1 in the plane)");
  data = (perp_stencil_data){
      .size = sizeof(perp_stencil_data), .nx = 1 << 11, .ny = 1 << 10, .nz = 1 << 10, .weight = 1};
  refuses(data, PERP_ERROR_ARGUMENT,
          "a grid of 2048 x 1024 x 1024 cells has more than 2147483647 of them");
  data = (perp_stencil_data){
      .size = sizeof(perp_stencil_data), .nx = INT_MAX, .ny = INT_MAX, .nz = INT_MAX, .weight = 1};
  refuses(data, PERP_ERROR_ARGUMENT,
          "a grid of 2147483647 x 2147483647 x 2147483647 cells has more than 2147483647 of them");
  data = good;
  data.weight = NAN;
  refuses(data, PERP_ERROR_PROBLEM, "weight = nan is not finite");
  data = good;
  data.wx = w;
  refuses(data, PERP_ERROR_ARGUMENT, "face weights are not given for all directions");
  data.wy = w;
  refuses(data, PERP_ERROR_ARGUMENT, "face weights are given without a diagonal");
  data.diagonal = d;
  data.wy = bad;
  refuses(data, PERP_ERROR_PROBLEM, "wy[6] = -inf at cell (2, 1, 0) is not finite");
  data.wy = w;
  data.diagonal = bad;
  refuses(data, PERP_ERROR_PROBLEM, "diagonal[6] = -inf at cell (2, 1, 0) is not finite");
  data = good;
  data.cells = out;
  data.unknowns = -1;
  refuses(data, PERP_ERROR_ARGUMENT, "unknowns = -1 is negative");
  data.unknowns = 2;
  refuses(data, PERP_ERROR_PROBLEM, "cells[1] = 12 is not in 0 .. 11");
  data.cells = negative;
  refuses(data, PERP_ERROR_PROBLEM, "cells[0] = -1 is not in 0 .. 11");
  data.cells = twice;
  data.unknowns = 3;
  refuses(data, PERP_ERROR_PROBLEM, "cells[2] = 5 is also cells[0]");
}

static const test_case tests[] = {
    TEST(abilities_in_the_plane),
    TEST(abilities_in_space),
    TEST(no_unknowns),
    TEST(large_grids),
    TEST(not_a_number_is_seen),
    TEST(data_given_back),
    TEST(changed_in_place),
    TEST(messages),
};
TEST_MAIN(tests)
