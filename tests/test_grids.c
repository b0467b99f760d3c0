/* test_grids.c: hierarchies of grids, and grids found in compressed rows
 *
 * Oracles: the formula on paper for equal weights; for any weights, walls and free cells a network
 * built here cell by cell in double precision; new grids for grids that followed a changing free
 * set; the source of a CSR matrix. */
#include "method/multilevel/grid/grid.h"
#include "problems.h"

/* ---- Coarse grids ---- */

static const perp_stencil *stencil_of(const perp_operator *A)
{
  return (const perp_stencil *)A;
}

static bool create(const perp_stencil *s, perp_arena *arena, perp_grids *grids)
{
  return perp_grids_begin(s, perp_grids_unit(s), false, arena, grids) &&
         perp_grids_extend(grids, arena);
}

static void equal_weights_give_the_coarse_discretisation(void)
{
  perp_arena arena = {0};
  perp_operator *A = NULL;
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data), .nx = 16, .ny = 16, .nz = 1, .weight = 3};
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
  perp_grids grids;
  CHECK(create(stencil_of(A), &arena, &grids));
  CHECK_EQUAL_INT(grids.count, 5);
  CHECK(grids.unit == 12);
  for (int level = 1; level < 3; level++) {
    const perp_grid *g = &grids.grid[level];
    const int last = g->n[0] - 1;
    CHECK_EQUAL_INT(g->n[0], 16 >> level);
    /* a face as long as it is far across has the weight of grid 0; the boundary is half a fine cell
     * beyond the border, (2^level + 1)/2 fine cells from the centre */
    const double inner = 0.25, outer = 0.25 * (1 << level) / (0.5 * ((1 << level) + 1));
    const int64_t edge = perp_grid_slot(g, 0, 1, 0), corner = perp_grid_slot(g, last, last, 0);
    CHECK_CLOSE(g->w[0][edge], inner, 1e-6);
    CHECK_CLOSE(g->w[1][edge], inner, 1e-6);
    CHECK_CLOSE(g->sink[edge], outer, 1e-6);
    CHECK_CLOSE(g->sink[corner], 2 * outer, 1e-6);
    CHECK_CLOSE(1 / g->gain[corner], 2 * inner + 2 * outer, 1e-6);
  }
  perp_operator_destroy(A);
  perp_arena_free(&arena);
}

/* Random free cells, a few changed at a time: the updated grids equal new ones, to rounding. */
static void grids_follow_the_free_set(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 60; k++) {
    perp_arena arena = {0};
    perp_operator *A = NULL;
    const bool solid = k % 3 == 2;
    const int nx = 2 + perp_random_below(&random, solid ? 12 : 90);
    const int ny = 1 + perp_random_below(&random, solid ? 12 : 40), nz = solid ? 9 : 1;
    const int cells = nx * ny * nz;
    double *w = perp_alloc((size_t)cells, sizeof *w), *d = perp_alloc((size_t)cells, sizeof *d);
    for (int c = 0; c < cells; c++) {
      w[c] = perp_random_between(&random, 0.5, 2);
      d[c] = 13;
    }
    const perp_stencil_data weighted = {.size = sizeof(perp_stencil_data),
                                        .nx = nx,
                                        .ny = ny,
                                        .nz = nz,
                                        .wx = w,
                                        .wy = w,
                                        .wz = solid ? w : NULL,
                                        .diagonal = d};
    const perp_stencil_data even = {
        .size = sizeof(perp_stencil_data), .nx = nx, .ny = ny, .nz = nz, .weight = 1};
    CHECK(perp_operator_stencil(k % 2 ? &weighted : &even, PERP_COPY, &A, NULL) == PERP_OK);
    perp_grids follows, anew;
    CHECK(create(stencil_of(A), &arena, &follows));
    CHECK(create(stencil_of(A), &arena, &anew));
    for (int round = 0; round < 12; round++) {
      const int changes = 1 + perp_random_below(&random, 1 + cells / (round % 2 ? 100 : 10));
      int64_t count = 0;
      /* anywhere, or many close together: then only some rows are rebuilt */
      const int near = round % 4 ? cells : 1 + cells / 8, first = perp_random_below(&random, cells);
      for (int q = 0; q < changes; q++) {
        const int c = (first + perp_random_below(&random, near)) % cells;
        const int64_t slot = perp_grid_slot(follows.grid, c % nx, c / nx % ny, c / nx / ny);
        bool listed = false;
        for (int64_t e = 0; e < count; e++)
          listed = listed || follows.changed[0][e] == c;
        if (listed)
          continue;
        follows.grid->state[slot] ^= PERP_CELL_FREE;
        anew.grid->state[slot] ^= PERP_CELL_FREE;
        follows.changed[0][count++] = c;
      }
      perp_grids_follow(&follows, 0, count);
      perp_grids_follow(&anew, 0, -1);
      for (int level = 0; level < follows.count; level++) {
        const perp_grid *f = &follows.grid[level], *g = &anew.grid[level];
        for (int c = 0; c < f->cells; c++) {
          const int64_t s =
              perp_grid_slot(f, c % f->n[0], c / f->n[0] % f->n[1], c / f->n[0] / f->n[1]);
          CHECK_SAY(f->state[s] == g->state[s] && f->dirs[s] == g->dirs[s], "level %d, cell %d",
                    level, c);
          CHECK(level == follows.count - 1 || f->code[s] == g->code[s]);
          if (level == 0)
            continue;
          CHECK_SAY(fabsf(f->sink[s] - g->sink[s]) <= 1e-5f * g->sink[s], "level %d: %g against %g",
                    level, (double)f->sink[s], (double)g->sink[s]);
          for (int axis = 0; axis < f->axes; axis++)
            CHECK_SAY(fabsf(f->w[axis][s] - g->w[axis][s]) < 1e-6f, "level %d, axis %d", level,
                      axis);
          CHECK(fabsf(f->gain[s] - g->gain[s]) <= 1e-4f * g->gain[s]);
        }
      }
    }
    perp_free(w);
    perp_free(d);
    perp_operator_destroy(A);
    perp_arena_free(&arena);
  }
}

/* ---- Networks ---- */

/* Returns a cell of a grid by its coordinates; cells beyond the border are closed and not free. */
typedef struct seen_cell {
  bool free, unknown;
  double sink;
  int dirs;
} seen_cell;

static seen_cell see(const perp_grid *g, const int at[3])
{
  for (int axis = 0; axis < 3; axis++)
    if (at[axis] < 0 || at[axis] >= g->n[axis])
      return (seen_cell){.free = false};
  const int64_t s = perp_grid_slot(g, at[0], at[1], at[2]);
  return (seen_cell){.free = g->state[s] & PERP_CELL_FREE,
                     .unknown = g->state[s] & PERP_CELL_UNKNOWN,
                     .sink = (double)g->sink[s],
                     .dirs = g->dirs[s]};
}

/* Returns the face of a cell on one side, and if the cell behind it is free. */
static double face(const perp_grid *g, const int at[3], int axis, int side, bool *free)
{
  int next[3] = {at[0], at[1], at[2]};
  next[axis] += side ? 1 : -1;
  const seen_cell there = see(g, next);
  *free = there.free;
  if (!there.unknown)
    return 0;
  const int *lower = side ? at : next;
  return g->w[axis] ? (double)g->w[axis][perp_grid_slot(g, lower[0], lower[1], lower[2])]
                    : (double)g->weight;
}

/* Resistance of the half face towards a cell's other half, 0 if that is missing or not free. */
static double half(const perp_grid *g, const int at[3], int axis)
{
  bool free;
  const double w = face(g, at, axis, at[axis] % 2 == 0, &free);
  return free && w > 0 ? 1 / (2 * w) : 0;
}

static double in_series(double w, double resistance)
{
  return w > 0 ? 1 / (1 / w + resistance) : 0;
}

typedef struct built {
  double w[3], sink;
  int dirs;
  bool free, unknown;
} built;

static void build_side(const perp_grid *g, const int at[3], int axis, int side, built *to)
{
  const seen_cell c = see(g, at);
  const bool outward = g->halve[axis] && at[axis] % 2 == side;
  const int bit = 2 * axis + side;
  int count = 0;
  for (int d = 0; d < 6; d++)
    count += c.dirs >> d & 1;
  bool free;
  const double w = face(g, at, axis, side, &free);
  const double sink = (c.dirs >> bit & 1 ? c.sink / count : 0) + (free ? 0 : w);
  if (sink > 0) {
    to->sink += outward ? in_series(sink, half(g, at, axis)) : sink;
    to->dirs |= 1 << bit;
  }
  if (side == 1 && free && w > 0 && (outward || !g->halve[axis])) {
    int next[3] = {at[0], at[1], at[2]};
    next[axis]++;
    to->w[axis] += g->halve[axis] ? in_series(w, half(g, at, axis) + half(g, next, axis)) : w;
  }
}

static built build(const perp_grid *g, int I, int J, int K)
{
  const int C[3] = {I, J, K};
  built to = {.dirs = 0};
  for (int q = 0; q < 8; q++) {
    int at[3];
    bool over = true;
    for (int axis = 0; axis < 3; axis++) {
      const int second = q >> axis & 1;
      at[axis] = g->halve[axis] ? 2 * C[axis] + second : C[axis];
      over = over && (g->halve[axis] || !second) && at[axis] < g->n[axis];
    }
    const seen_cell c = over ? see(g, at) : (seen_cell){.free = false};
    to.unknown = to.unknown || c.unknown;
    if (!c.free)
      continue;
    to.free = true;
    to.sink += c.dirs ? 0 : c.sink;
    for (int axis = 0; axis < g->axes; axis++)
      for (int side = 0; side < 2; side++)
        build_side(g, at, axis, side, &to);
  }
  return to;
}

static void check_network(const perp_grid *g)
{
  const perp_grid *coarse = g + 1;
  for (int c = 0; c < coarse->cells; c++) {
    int at[3];
    perp_grid_cell(coarse, c, at);
    const int64_t s = perp_grid_slot(coarse, at[0], at[1], at[2]);
    const built b = build(g, at[0], at[1], at[2]);
    const int state = b.free * PERP_CELL_FREE | b.unknown * PERP_CELL_UNKNOWN;
    CHECK_SAY(coarse->state[s] == state && coarse->dirs[s] == b.dirs, "cell %d: %d %d, not %d %d",
              c, coarse->state[s], coarse->dirs[s], state, b.dirs);
    CHECK_SAY(fabs((double)coarse->sink[s] - b.sink) <= 2e-6 * b.sink, "cell %d: sink %g, not %g",
              c, (double)coarse->sink[s], b.sink);
    for (int axis = 0; axis < g->axes; axis++)
      CHECK_SAY(fabs((double)coarse->w[axis][s] - b.w[axis]) <= 2e-6 * b.w[axis],
                "cell %d, axis %d: %g, not %g", c, axis, (double)coarse->w[axis][s], b.w[axis]);
  }
}

/* Walls, open borders and cells of any state, axes that are halved and axes that are not. */
static void networks_are_the_sums_of_their_paths(void)
{
  perp_random random = perp_random_from(11);
  for (int k = 0; k < 120; k++) {
    perp_arena arena = {0};
    perp_operator *A = NULL;
    const bool solid = k % 3 == 2, weighted = k % 2;
    const int nx = 2 + perp_random_below(&random, solid ? 14 : 70);
    const int ny = 1 + perp_random_below(&random, solid ? 9 : 20), nz = solid ? 6 : 1;
    const int cells = nx * ny * nz;
    double *w[3], *d = perp_alloc((size_t)cells, sizeof *d);
    int *list = perp_alloc((size_t)cells, sizeof *list), n = 0;
    for (int axis = 0; axis < 3; axis++) {
      const double stretch = perp_random_below(&random, 3) ? 1 : 0.02;
      w[axis] = perp_alloc((size_t)cells, sizeof(double));
      for (int c = 0; c < cells; c++)
        w[axis][c] =
            perp_random_below(&random, 9) ? stretch * perp_random_between(&random, 0.5, 2) : 0;
    }
    for (int c = 0; c < cells; c++) {
      d[c] = 13;
      if (k % 4 < 2 || perp_random_below(&random, 6))
        list[n++] = c;
    }
    const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                    .nx = nx,
                                    .ny = ny,
                                    .nz = nz,
                                    .unknowns = n,
                                    .cells = k % 4 < 2 ? NULL : list,
                                    .wx = weighted ? w[0] : NULL,
                                    .wy = weighted ? w[1] : NULL,
                                    .wz = weighted && solid ? w[2] : NULL,
                                    .weight = 1,
                                    .diagonal = weighted ? d : NULL};
    CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
    perp_grids grids;
    CHECK(create(stencil_of(A), &arena, &grids));
    for (int level = 0; level + 1 < grids.count; level++)
      check_network(&grids.grid[level]);
    const int share = 1 + perp_random_below(&random, 12);
    for (int64_t s = 0; s < 2 * grids.grid->colour; s++)
      if ((grids.grid->state[s] & PERP_CELL_UNKNOWN) && perp_random_below(&random, share) == 0)
        grids.grid->state[s] ^= PERP_CELL_FREE;
    perp_grids_follow(&grids, 0, -1);
    for (int level = 0; level + 1 < grids.count; level++)
      check_network(&grids.grid[level]);
    for (int axis = 0; axis < 3; axis++)
      perp_free(w[axis]);
    perp_free(d);
    perp_free(list);
    perp_operator_destroy(A);
    perp_arena_free(&arena);
  }
}

/* ---- Grids in compressed rows ---- */

/* An n x n matrix with the faces of a grid, assembled cell by cell; the weights by axis and cell. */
static double *grid_matrix(perp_random *random, const int side[3], double *w)
{
  const int cells = side[0] * side[1] * side[2], step[3] = {1, side[0], side[0] * side[1]};
  double *a = perp_alloc_zero((size_t)cells * (size_t)cells, sizeof *a);
  for (int c = 0; c < cells; c++)
    for (int axis = 0; axis < 3; axis++) {
      const int at[3] = {c % step[1], c / step[1] % side[1], c / step[2]};
      w[axis * cells + c] = 0;
      if (at[axis] + 1 >= side[axis])
        continue;
      const int d = c + step[axis];
      w[axis * cells + c] = perp_random_between(random, 0.5, 2);
      a[c * cells + d] = a[d * cells + c] = -w[axis * cells + c];
    }
  for (int c = 0; c < cells; c++)
    a[c * cells + c] = 13 + perp_random_uniform(random);
  return a;
}

static perp_stencil *recognised(int n, const double *a, perp_arena *arena)
{
  perp_operator *dense = problem_dense(n, a), *csr = NULL;
  perp_stencil *s = NULL;
  CHECK(perp_operator_to_csr(dense, 0, &csr, NULL) == PERP_OK);
  CHECK(perp_stencil_recognise(csr, arena, &s) == PERP_OK);
  perp_operator_destroy(dense);
  perp_operator_destroy(csr);
  return s;
}

static void grids_are_found_in_compressed_rows(void)
{
  perp_random random = perp_random_from(5);
  for (int k = 0; k < 200; k++) {
    perp_arena arena = {0};
    const int side[3] = {2 + perp_random_below(&random, 7), 2 + perp_random_below(&random, 6),
                         k % 2 ? 1 : 2 + perp_random_below(&random, 4)};
    const int n = side[0] * side[1] * side[2];
    double *w = perp_alloc((size_t)(3 * n), sizeof *w), *a = grid_matrix(&random, side, w);
    const perp_stencil *s = recognised(n, a, &arena);
    CHECK(s && s->data.nx == side[0] && s->data.ny == side[1] && s->data.nz == side[2]);
    for (int c = 0; s && c < n; c++)
      CHECK(s->data.wx[c] == w[c] && s->data.wy[c] == w[n + c] &&
            s->data.diagonal[c] == a[c * n + c] && (k % 2 || s->data.wz[c] == w[2 * n + c]));
    /* an entry missing in the grid, or different at its other end, or a row without its diagonal */
    const int i = perp_random_below(&random, n), j = perp_random_below(&random, n);
    const int at = i * n + j, across = j * n + i;
    const double own = a[at];
    a[at] = i == j ? 0 : own - 0.5;
    CHECK_SAY(!recognised(n, a, &arena), "%d, %d of %d x %d x %d", i, j, side[0], side[1], side[2]);
    a[at] = own;
    if (i != j && own == 0) {
      a[at] = a[across] = -1;
      CHECK(!recognised(n, a, &arena));
      a[at] = a[across] = 0;
    }
    CHECK(recognised(n, a, &arena));
    perp_free(w);
    perp_free(a);
    perp_arena_free(&arena);
  }
}

static const test_case tests[] = {
    TEST(equal_weights_give_the_coarse_discretisation),
    TEST(grids_follow_the_free_set),
    TEST(networks_are_the_sums_of_their_paths),
    TEST(grids_are_found_in_compressed_rows),
};

TEST_MAIN(tests)
