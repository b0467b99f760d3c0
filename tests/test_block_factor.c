/* test_block_factor.c: factors of matrices of small blocks, against the matrices */
#include "base/memory.h"
#include "base/random.h"
#include "linalg/block_factor.h"
#include "test.h"

enum { BLOCKS = 12, MAX_SIZE = 9, MOST = BLOCKS * MAX_SIZE };

typedef struct block_sample {
  int blocks, n, first[BLOCKS + 1];
  bool coupled[BLOCKS][BLOCKS];
  double h[MOST * MOST];
} block_sample;

/* Blocks of 6, of 3, or of any size, some coupled, in every fifth round all, so that long runs of
 * columns have the same rows; h is initially the identity. */
static void make_sample(block_sample *s, perp_random *random, int round, int64_t *start,
                        int *neighbour)
{
  memset(s, 0, sizeof *s);
  s->blocks = 1 + perp_random_below(random, BLOCKS);
  for (int k = 0; k < s->blocks; k++)
    s->first[k + 1] = s->first[k] + (round % 3 == 0   ? 1 + perp_random_below(random, MAX_SIZE)
                                     : round % 3 == 1 ? 6
                                                      : 3);
  s->n = s->first[s->blocks];
  for (int v = 0; v < s->n; v++)
    s->h[v * s->n + v] = 1;
  for (int k = 0; k < 2 * s->blocks; k++) {
    const int i = perp_random_below(random, s->blocks), j = perp_random_below(random, s->blocks);
    s->coupled[i][j] = s->coupled[j][i] = true;
  }
  for (int k = 0; round % 5 == 0 && k < s->blocks * s->blocks; k++)
    s->coupled[k / s->blocks][k % s->blocks] = true;
  start[0] = 0;
  for (int i = 0; i < s->blocks; i++) {
    s->coupled[i][i] = true;
    start[i + 1] = start[i];
    for (int j = 0; j < s->blocks; j++)
      if (s->coupled[i][j])
        neighbour[start[i + 1]++] = j;
  }
}

/* Adds a random column over i and j times a random row. */
static void add_product(block_sample *s, perp_random *random, int i, int j, double weight)
{
  double g[MOST] = {0}, r[MOST] = {0};
  for (int v = 0; v < s->n; v++)
    if ((s->first[i] <= v && v < s->first[i + 1]) || (s->first[j] <= v && v < s->first[j + 1])) {
      g[v] = perp_random_between(random, -1, 1);
      r[v] = g[v] + perp_random_between(random, -0.5, 0.5);
    }
  for (int v = 0; v < s->n; v++)
    for (int w = 0; w < s->n; w++)
      s->h[v * s->n + w] += weight * g[v] * r[w];
}

static void fill_lu(const block_sample *s, perp_block_lu *f)
{
  perp_block_lu_reset(f);
  for (int i = 0; i < s->blocks; i++)
    for (int j = 0; j < s->blocks; j++) {
      if (!s->coupled[i][j])
        continue;
      int down, across;
      double *at = perp_block_lu_find(f, i, j, &down, &across);
      for (int v = s->first[i]; v < s->first[i + 1]; v++)
        for (int w = s->first[j]; w < s->first[j + 1]; w++)
          at[(v - s->first[i]) * down + (w - s->first[j]) * across] = s->h[v * s->n + w];
    }
}

/* |h x - r| is small compared with |h| |x|: the factor is stable, however inaccurate x is. */
static void lu_factors_solve(void)
{
  perp_random random = perp_random_from(10);
  for (int round = 0; round < 300; round++) {
    static block_sample s;
    int64_t start[BLOCKS + 1];
    int neighbour[BLOCKS * BLOCKS];
    make_sample(&s, &random, round, start, neighbour);
    const double weight = round % 4 == 3 ? 1e6 : 1; /* as for a nearly rigid contact */
    for (int i = 0; i < s.blocks; i++)
      for (int j = 0; j <= i; j++)
        if (s.coupled[i][j])
          add_product(&s, &random, i, j, weight);
    perp_arena arena = {0};
    perp_block_lu *f = perp_block_lu_analyse(s.blocks, s.first, start, neighbour, &arena);
    CHECK(f);
    fill_lu(&s, f);
    CHECK(perp_block_lu_factorise(f));
    double r[MOST], x[MOST], most_x = 0, most_h = 0;
    for (int v = 0; v < s.n; v++)
      x[v] = r[v] = perp_random_between(&random, -1, 1);
    perp_block_lu_solve(f, x);
    for (int v = 0; v < s.n; v++) {
      most_x = fmax(most_x, fabs(x[v]));
      for (int w = 0; w < s.n; w++)
        most_h = fmax(most_h, fabs(s.h[v * s.n + w]));
    }
    for (int v = 0; v < s.n; v++) {
      double sum = -r[v];
      for (int w = 0; w < s.n; w++)
        sum += s.h[v * s.n + w] * x[w];
      CHECK_SAY(fabs(sum) <= 1e-10 * most_h * most_x, "round %d, row %d: %g", round, v, sum);
    }
    perp_arena_free(&arena);
  }
}

/* ---- The order ---- */

enum { SIDE = 6, CELLS = SIDE * SIDE * SIDE };

/* Cells of a cube, each with its neighbours at distance at most one along each axis, except the
 * eight corners. */
static void list_neighbours(int64_t *start, int *neighbour)
{
  int count = 0;
  for (int i = 0; i < CELLS; i++) {
    start[i] = count;
    for (int j = 0; j < CELLS; j++) {
      const int x = abs(i % SIDE - j % SIDE), y = abs(i / SIDE % SIDE - j / SIDE % SIDE);
      const int z = abs(i / SIDE / SIDE - j / SIDE / SIDE);
      if (x <= 1 && y <= 1 && z <= 1 && x + y + z < 3)
        neighbour[count++] = j;
    }
  }
  start[CELLS] = count;
}

/* Counts the multiplications of a factor with blocks of 6 by minimum degree, block by block. */
static int64_t count_by_degree(const int64_t *start, const int *neighbour)
{
  static bool edge[CELLS][CELLS];
  bool gone[CELLS] = {0};
  int64_t flops = 0;
  memset(edge, 0, sizeof edge);
  for (int i = 0; i < CELLS; i++)
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      edge[i][neighbour[e]] = neighbour[e] != i;
  for (int k = 0; k < CELLS; k++) {
    int best = -1, least = CELLS;
    for (int i = 0; i < CELLS; i++) {
      int degree = 0;
      for (int j = 0; j < CELLS; j++)
        degree += edge[i][j] && !gone[j];
      if (!gone[i] && degree < least) {
        least = degree;
        best = i;
      }
    }
    gone[best] = true;
    for (int i = 0; i < CELLS; i++)
      for (int j = 0; edge[best][i] && !gone[i] && j < CELLS; j++)
        if (edge[best][j] && !gone[j] && i != j)
          edge[i][j] = true;
    const int64_t rows = 6 * (least + 1);
    flops += 6 * rows * (rows + 1) / 2;
  }
  return flops;
}

/* The order of a large factor is a permutation, and about as good as by exact degrees. */
static void large_factors_are_ordered_by_degree(void)
{
  static int neighbour[CELLS * 27], first[CELLS + 1];
  int64_t start[CELLS + 1];
  list_neighbours(start, neighbour);
  for (int i = 0; i <= CELLS; i++)
    first[i] = 6 * i;
  perp_arena arena = {0};
  perp_block_lu *f = perp_block_lu_analyse(CELLS, first, start, neighbour, &arena);
  CHECK(f);
  bool met[CELLS] = {0};
  for (int j = 0; j < CELLS; j++) {
    CHECK(!met[f->f->order[j]] && f->f->place[f->f->order[j]] == j);
    met[f->f->order[j]] = true;
  }
  const int64_t exact = count_by_degree(start, neighbour);
  CHECK_SAY((double)f->f->flops <= 1.1 * (double)exact, "%lld and %lld", (long long)f->f->flops,
            (long long)exact);
  perp_arena_free(&arena);
}

static void singular_blocks_have_no_factor(void)
{
  const int first[] = {0, 3, 6};
  const int64_t start[] = {0, 2, 4};
  const int neighbour[] = {0, 1, 0, 1};
  perp_arena arena = {0};
  perp_block_lu *f = perp_block_lu_analyse(2, first, start, neighbour, &arena);
  CHECK(f);
  perp_block_lu_reset(f);
  CHECK(perp_block_lu_factorise(f));
  for (int k = 0; k < 2; k++) {
    int down, across;
    double *at = perp_block_lu_find(f, k, k, &down, &across);
    for (int v = 0; v < 3; v++)
      at[v * down + across] = at[v * down]; /* two columns alike */
    CHECK(!perp_block_lu_factorise(f));
    perp_block_lu_reset(f);
    perp_block_lu_find(f, k, k, &down, &across)[0] = NAN;
    CHECK(!perp_block_lu_factorise(f));
    perp_block_lu_reset(f);
  }
  perp_arena_free(&arena);
}

static const test_case tests[] = {
    TEST(lu_factors_solve),
    TEST(large_factors_are_ordered_by_degree),
    TEST(singular_blocks_have_no_factor),
};

TEST_MAIN(tests)
