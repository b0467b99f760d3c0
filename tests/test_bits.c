/* test_bits.c: a portable build computes the same bits on every machine
 *
 * tests/data/bits.txt has one line for each problem and method: problem, method, hash of the bytes
 * of x, outcome, iterations; and one for each scene: hash of all positions after some steps.
 * `test_bits --write` wrote it on one machine; every other compiler and CPU must reproduce it.
 * Problems are the folders of tests/data, larger generated ones, and the last problem of a scene in
 * the plane, whose operator has special kernels. */
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

#define KEPT PERP_TEST_DATA "/data/bits.txt"

enum { WIDTH = 160, MOST = 8192, ITERATIONS = 100 };

static char (*seen)[WIDTH], (*kept)[WIDTH]; /* lines */
static int count, kept_count;

static bool is_portable(void)
{
  for (const perp_component *c = perp_components(); c->name; c++)
    if (strcmp(c->name, "portable") == 0)
      return c->present;
  return false;
}

/* 64-bit FNV-1a, byte by byte from the lowest, independent of the byte order. */
static uint64_t hash_reals(uint64_t hash, int64_t n, const double *x)
{
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    for (int k = 0; k < 8; k++)
      hash = (hash ^ (bits >> (8 * k) & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

static int pairs, share = 1; /* pairs of problem and method; one in `share` is solved */

static const uint64_t EMPTY = 0xcbf29ce484222325u;

static char *next_line(void)
{
  CHECK_SAY(count < MOST, "more than %d lines", MOST);
  return seen[count++];
}

static void solve_with_all(const char *name, const perp_problem *p)
{
  const int n = p->K.n;
  double *x = malloc(((size_t)n + 1) * sizeof *x);
  CHECK(x);
  perp_options options = perp_options_default();
  options.tol = 1e-8;
  options.max_iterations = ITERATIONS;
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    if (pairs++ % share != 0)
      continue;
    perp_result result = perp_result_empty();
    memset(x, 0, (size_t)n * sizeof *x);
    if (perp_solve(m.name, p, &options, x, &result)) /* not a problem for this method */
      continue;
    snprintf(next_line(), WIDTH, "%s %s %016llx %s %lld", name, m.name,
             (unsigned long long)hash_reals(EMPTY, n, x), perp_outcome_name(result.outcome),
             (long long)result.counts.iterations);
  }
  free(x);
}

static void solve_instance(const char *name, perp_instance *instance)
{
  const perp_problem p = perp_instance_problem(instance);
  solve_with_all(name, &p);
  perp_instance_destroy(instance);
}

static void solve_folders(void)
{
  FILE *list = fopen(PERP_TEST_DATA "/data/list.txt", "r");
  CHECK(list);
  char line[512], name[64], path[1024];
  while (fgets(line, sizeof line, list)) {
    if (line[0] == '#' || sscanf(line, "%63s", name) != 1)
      continue;
    perp_instance instance;
    perp_message why = {""};
    snprintf(path, sizeof path, "%s/data/%s", PERP_TEST_DATA, name);
    CHECK_SAY(perp_folder_read(path, &instance, &why) == PERP_OK, "%s", why.text);
    solve_instance(name, &instance);
  }
  fclose(list);
}

static void solve_generated(void)
{
  static const char *const texts[] = {
      "pd:n=60",
      "nonsym:n=60,form=boxed",
      "mmatrix:n=200,row=12",
      "wall:rows=5,columns=5,form=cone,operator=contact",
      "wall:rows=5,columns=5,form=findex,operator=contact,cfm=0.001",
      "pile:n=30,form=findex",
      "pile:n=30,form=cone",
      "pile:n=30,form=lcp,operator=contact",
      "obstacle:points=24",
      "fluid:grid=24,scene=tilted",
      "put2:grid=16",
      "journal:grid=16",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance instance;
    perp_message why = {""};
    CHECK_SAY(perp_generate(texts[k], &instance, &why) == PERP_OK, "%s: %s", texts[k], why.text);
    solve_instance(texts[k], &instance);
  }
}

/* Hashes the positions after `steps` steps; then solves the last step's problem with all
 * methods. */
static void simulate(const char *scene, const char *method, int steps, bool solve)
{
  perp_simulation *simulation;
  perp_step step = {0};
  perp_message why = {""};
  CHECK_SAY(perp_simulation_create(scene, method, NULL, &simulation, &why) == PERP_OK, "%s",
            why.text);
  int64_t iterations = 0;
  for (int k = 0; k < steps; k++) {
    CHECK_SAY(perp_simulation_step(simulation, &step, &why) == PERP_OK, "%s: %s", scene, why.text);
    iterations += step.iterations;
  }
  perp_view view;
  perp_simulation_view(simulation, &view);
  uint64_t hash =
      hash_reals(EMPTY, (view.dimension == 2 ? 3 : 7) * (int64_t)view.shapes, view.pose);
  hash = hash_reals(hash, view.dimension * (int64_t)view.particles, view.particle);
  snprintf(next_line(), WIDTH, "%s %s %016llx %s %lld", scene, method, (unsigned long long)hash,
           perp_outcome_name(step.outcome), (long long)iterations);
  const perp_problem *p = perp_simulation_problem(simulation);
  if (solve && p)
    solve_with_all(scene, p);
  perp_simulation_destroy(simulation);
}

static void compute_all(void)
{
  seen = calloc(MOST, sizeof *seen);
  CHECK(seen);
  count = 0;
  solve_folders();
  solve_generated();
  simulate("bricks:rows=6,columns=5,ball=yes", "auto", 60, true);
  simulate("bricks", "auto", 240, false); /* tests/test_web.py compares it with WebAssembly */
  simulate("discs:n=40", "pgs", 60, true);
  simulate("tower:n=6", "dantzig", 30, false);
  simulate("tilted:cells=16", "auto", 20, false);
  simulate("particle", "auto", 30, false);
}

static void read_kept(void)
{
  kept = calloc(MOST, sizeof *kept);
  FILE *file = fopen(KEPT, "r");
  CHECK_SAY(kept && file, "%s", KEPT);
  kept_count = 0;
  while (kept_count < MOST && fgets(kept[kept_count], WIDTH, file)) {
    kept[kept_count][strcspn(kept[kept_count], "\r\n")] = 0;
    kept_count += kept[kept_count][0] != '#';
  }
  fclose(file);
}

static void same_bits(void)
{
  if (!is_portable())
    test_skip("PERP_PORTABLE is off");
  share = test_share("solves", 12);
  compute_all();
  read_kept();
  int different = 0, at = 0;
  for (int k = 0; k < count; k++) {
    const size_t key = (size_t)(strchr(strchr(seen[k], ' ') + 1, ' ') - seen[k]) + 1;
    while (share > 1 && at < kept_count && strncmp(seen[k], kept[at], key) != 0)
      at++;
    const char *was = at < kept_count ? kept[at++] : "nothing";
    if (strcmp(seen[k], was) != 0 && ++different <= 20)
      printf("  %s\n    was %s\n", seen[k], was);
  }
  CHECK_EQUAL_INT(at, share > 1 ? at : kept_count);
  free(seen);
  free(kept);
  CHECK_SAY(different == 0, "%d of %d lines differ from " KEPT, different, count);
}

static void write_kept(void)
{
  CHECK_SAY(is_portable(), "PERP_PORTABLE is off");
  compute_all();
  FILE *file = fopen(KEPT, "w");
  CHECK_SAY(file, "%s", KEPT);
  fprintf(file,
          "# Written by `test_bits --write` of a portable build (tests/test_bits.c): problem or "
          "scene,\n# method, hash of x or of all positions, outcome, iterations.\n");
  for (int k = 0; k < count; k++)
    fprintf(file, "%s\n", seen[k]);
  CHECK(fclose(file) == 0);
  free(seen);
}

int main(int argc, char **argv)
{
  static const test_case compare[] = {TEST(same_bits)}, write[] = {TEST(write_kept)};
  const bool writes = argc > 1 && strcmp(argv[1], "--write") == 0;
  return test_main(writes ? 1 : argc, argv, writes ? write : compare, 1);
}
