/* test_base.c: arena, random numbers, parallel ranges, parameter tables */
#include "test.h"

#include "base/memory.h"
#include "base/parameter.h"
#include "base/random.h"
#include "base/threads.h"

static void arena_blocks_are_aligned_and_apart(void)
{
  perp_arena arena = {0};
  char *blocks[200];
  size_t sizes[200];
  perp_random random = perp_random_from(1);
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < 200; k++) {
      sizes[k] = (size_t)perp_random_below(&random, k % 50 == 0 ? 100000 : 500);
      blocks[k] = perp_arena_alloc(&arena, sizes[k], 1);
      CHECK(blocks[k] && (size_t)blocks[k] % 64 == 0);
      memset(blocks[k], k, sizes[k]);
    }
    for (int k = 0; k < 200; k++)
      for (size_t i = 0; i < sizes[k]; i++)
        CHECK(blocks[k][i] == (char)k);
    perp_arena_reset(&arena);
  }
  perp_arena_free(&arena);
}

static void arena_release_goes_back_to_the_mark(void)
{
  perp_arena arena = {0};
  double *kept = perp_arena_alloc(&arena, 10, sizeof *kept);
  kept[9] = 7;
  const perp_arena_mark mark = perp_arena_hold(&arena);
  double *first = perp_arena_alloc(&arena, 20000, sizeof *first);
  perp_arena_alloc(&arena, 300000, sizeof *first);
  perp_arena_release(&arena, mark);
  double *again = perp_arena_alloc(&arena, 20000, sizeof *again);
  CHECK(first == again && kept[9] == 7);
  perp_arena_free(&arena);
}

static void sizes_that_overflow_fail(void)
{
  perp_arena arena = {0};
  CHECK(perp_alloc((size_t)-1 / 4, 8) == NULL);
  CHECK(perp_alloc((size_t)-1, 1) == NULL);
  CHECK(perp_arena_alloc(&arena, (size_t)-1 / 4, 8) == NULL);
  CHECK(perp_arena_alloc(&arena, (size_t)-1, 1) == NULL);
  const size_t half = (size_t)1 << 4 * sizeof half; /* its square is 0 */
  CHECK(perp_arena_alloc(&arena, half, half) == NULL);
  perp_arena_free(&arena);
}

/* The first numbers of xoshiro256** from splitmix64(1), by an independent computation, and the
 * moments of the uniforms. */
static void random_numbers_are_fixed(void)
{
  perp_random a = perp_random_from(1), b = perp_random_from(1), c = perp_random_from(2);
  int equal = 0;
  double mean = 0, square = 0;
  for (int k = 0; k < 100000; k++) {
    const uint64_t bits = perp_random_bits(&a);
    CHECK(bits == perp_random_bits(&b));
    equal += bits == perp_random_bits(&c);
    const double u = perp_random_uniform(&a);
    perp_random_uniform(&b);
    CHECK(u >= 0 && u < 1);
    mean += u / 100000;
    square += u * u / 100000;
  }
  CHECK(equal == 0);
  CHECK_CLOSE(mean, 0.5, 0.005);
  CHECK_CLOSE(square, 1.0 / 3, 0.005);
  perp_random one = perp_random_from(1);
  CHECK(perp_random_bits(&one) == 0xb3f2af6d0fc710c5u);
}

static void permutations_hold_every_number_once(void)
{
  perp_random random = perp_random_from(9);
  int seen[100], p[100];
  for (int n = 0; n <= 100; n++) {
    memset(seen, 0, sizeof seen);
    perp_random_permutation(&random, n, p);
    for (int i = 0; i < n; i++)
      seen[p[i]]++;
    for (int i = 0; i < n; i++)
      CHECK(seen[i] == 1);
    CHECK(true);
  }
}

static void mark_range(void *context, int64_t begin, int64_t end)
{
  int *counts = context;
  for (int64_t i = begin; i < end; i++)
    counts[i]++;
}

static void parallel_ranges_cover_everything_once(void)
{
  int counts[1000];
  for (int threads = 1; threads <= 4; threads++)
    for (int count = 0; count <= 1000; count += 37)
      for (int grain = 1; grain <= 512; grain *= 8) {
        memset(counts, 0, sizeof counts);
        perp_parallel_for(threads, count, grain, mark_range, counts);
        for (int i = 0; i < 1000; i++)
          CHECK(counts[i] == (i < count));
      }
}

typedef struct {
  double omega;
  int sweeps, verbose, order;
} sample;

static const char *const words[] = {"forward", "backward", NULL};

static const perp_parameter table[] = {
    PERP_REAL(sample, omega, 1.5, 0.1, 1.9, "relaxation"),
    PERP_INTEGER(sample, sweeps, 10, 1, 100, "sweeps"),
    PERP_FLAG(sample, verbose, 0, "talk"),
    PERP_CHOICE(sample, order, 1, 1, words, "order"),
    {0},
};

static void parameters_are_checked(void)
{
  sample s;
  perp_parameters_default(table, &s);
  CHECK(s.omega == 1.5 && s.sweeps == 10 && s.verbose == 0 && s.order == 1);
  CHECK(perp_parameter_set_text("m", table, &s, "omega", "0.25", NULL) == PERP_OK);
  CHECK(perp_parameter_set_text("m", table, &s, "order", "forward", NULL) == PERP_OK);
  CHECK(perp_parameter_set_text("m", table, &s, "verbose", "yes", NULL) == PERP_OK);
  CHECK(perp_parameter_set("m", table, &s, "sweeps", 99, NULL) == PERP_OK);
  CHECK(s.omega == 0.25 && s.sweeps == 99 && s.verbose == 1 && s.order == 0);
  const struct {
    const char *name, *text, *expected;
  } wrong[] = {
      {"omega", "3", "m: omega = 3 is not in 0.1 .. 1.9"},
      {"omega", "nan", "m: omega = nan is not in 0.1 .. 1.9"},
      {"omega", "fast", "m: omega = 'fast' is not a number"},
      {"omega", "", "m: omega = '' is not a number"},
      {"omega", "1.2x", "m: omega = '1.2x' is not a number"},
      {"sweeps", "2.5", "m: sweeps = 2.5 is not a whole number"},
      {"verbose", "maybe", "m: verbose = 'maybe' is not yes or no"},
      {"order", "sideways", "m: order = 'sideways' is not one of forward, backward"},
      {"omgea", "1", "m has no parameter 'omgea' (it has omega, sweeps, verbose, order)"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    perp_message why = {""};
    CHECK_EQUAL_INT(perp_parameter_set_text("m", table, &s, wrong[k].name, wrong[k].text, &why),
                    PERP_ERROR_PARAMETER);
    CHECK_EQUAL_TEXT(why.text, wrong[k].expected);
  }
  CHECK(s.omega == 0.25 && s.sweeps == 99 && s.verbose == 1 && s.order == 0);
}

/* Installing hooks after the first allocation is an error; test_hooks.c installs them before. */
static void memory_hooks_come_too_late(void)
{
  perp_message why = {""};
  perp_free(perp_alloc(1, 1));
  const perp_memory_hooks hooks = perp_memory_hooks_default();
  CHECK(perp_memory_hooks_install(&hooks, &why) == PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(why.text, "memory hooks cannot be installed: memory is already allocated; "
                             "install them before any other call");
}

static const test_case tests[] = {
    TEST(memory_hooks_come_too_late),
    TEST(arena_blocks_are_aligned_and_apart),
    TEST(arena_release_goes_back_to_the_mark),
    TEST(sizes_that_overflow_fail),
    TEST(random_numbers_are_fixed),
    TEST(permutations_hold_every_number_once),
    TEST(parallel_ranges_cover_everything_once),
    TEST(parameters_are_checked),
};

TEST_MAIN(tests)
