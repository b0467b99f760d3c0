/* suite.c: the problems of every suite, and the run through them */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const double bench_tols[BENCH_TOLS] = {1e-4, 1e-8};
const char *const bench_tol_names[BENCH_TOLS] = {"1e-4", "1e-8"};

static const bench_case dense[] = {
    {BENCH_QUICK, "pd", "pd:n=10"},
    {BENCH_QUICK, "pd", "pd:n=30"},
    {BENCH_QUICK, "pd", "pd:n=100"},
    {BENCH_NORMAL, "pd", "pd:n=300"},
    {BENCH_NORMAL, "pd", "pd:n=1000"},
    {BENCH_NORMAL, "pd", "pd:n=2000"},
    {BENCH_QUICK, "psd", "psd:n=10"},
    {BENCH_QUICK, "psd", "psd:n=30"},
    {BENCH_QUICK, "psd", "psd:n=100"},
    {BENCH_NORMAL, "psd", "psd:n=300"},
    {BENCH_NORMAL, "psd", "psd:n=1000"},
    {BENCH_NORMAL, "psd", "psd:n=2000"},
    {BENCH_QUICK, "nonsym", "nonsym:n=10"},
    {BENCH_QUICK, "nonsym", "nonsym:n=30"},
    {BENCH_QUICK, "nonsym", "nonsym:n=100"},
    {BENCH_NORMAL, "nonsym", "nonsym:n=300"},
    {BENCH_NORMAL, "nonsym", "nonsym:n=1000"},
    {BENCH_NORMAL, "nonsym", "nonsym:n=2000"},
    {BENCH_FULL, NULL, "pmatrix:n=300"},
    {BENCH_FULL, NULL, "bimatrix:n=200"},
    {0},
};

/* From 4 contacts to 2,000; walls and stacks of boxes are redundant. */
static const bench_case friction[] = {
    {BENCH_QUICK, NULL, "stack:n=1,form=findex"},
    {BENCH_QUICK, "pile, index", "pile:n=3,form=findex"},
    {BENCH_QUICK, "pile, index", "pile:n=20,form=findex"},
    {BENCH_NORMAL, "pile, index", "pile:n=75,form=findex"},
    {BENCH_NORMAL, "pile, index", "pile:n=400,form=findex"},
    {BENCH_QUICK, NULL, "wall:rows=4,columns=4,form=findex"},
    {BENCH_NORMAL, NULL, "wall:rows=8,columns=8,form=findex"},
    {BENCH_NORMAL, NULL, "wall:rows=10,columns=10,form=findex,operator=contact"},
    {BENCH_QUICK, NULL, "stack:n=10,ratio=100,form=findex"},
    {BENCH_NORMAL, NULL, "stack:n=20,ratio=10000,form=findex"},
    {BENCH_NORMAL, NULL, "arch:n=11,form=findex"},
    {BENCH_QUICK, NULL, "stack:n=1,form=cone"},
    {BENCH_QUICK, "pile, cone", "pile:n=3,form=cone"},
    {BENCH_QUICK, "pile, cone", "pile:n=20,form=cone"},
    {BENCH_NORMAL, "pile, cone", "pile:n=75,form=cone"},
    {BENCH_NORMAL, "pile, cone", "pile:n=400,form=cone"},
    {BENCH_QUICK, NULL, "wall:rows=4,columns=4,form=cone"},
    {BENCH_NORMAL, NULL, "wall:rows=8,columns=8,form=cone"},
    {BENCH_QUICK, NULL, "stack:n=10,ratio=100,form=cone"},
    {BENCH_NORMAL, NULL, "stack:n=20,ratio=10000,form=cone"},
    {BENCH_NORMAL, NULL, "arch:n=11,form=cone"},
    {0},
};

static const bench_case polyhedral[] = {
    {BENCH_QUICK, "pile", "pile:n=3,form=polyhedral"},
    {BENCH_QUICK, "pile", "pile:n=10,form=polyhedral"},
    {BENCH_NORMAL, "pile", "pile:n=30,form=polyhedral"},
    {BENCH_NORMAL, "pile", "pile:n=75,form=polyhedral"},
    {BENCH_QUICK, NULL, "stack:n=4,form=polyhedral"},
    {BENCH_NORMAL, NULL, "stack:n=8,ratio=100,form=polyhedral"},
    {BENCH_NORMAL, NULL, "wall:rows=4,columns=4,form=polyhedral"},
    {BENCH_NORMAL, NULL, "arch:n=7,form=polyhedral,directions=8"},
    {BENCH_NORMAL, NULL, "cards:n=2,form=polyhedral"},
    {0},
};

/* The smallest of each are for the peers, who take dense matrices alone. */
static const bench_case grid[] = {
    {BENCH_QUICK, "obstacle", "obstacle:points=33"},
    {BENCH_QUICK, "obstacle", "obstacle:points=129"},
    {BENCH_NORMAL, "obstacle", "obstacle:points=513"},
    {BENCH_NORMAL, "obstacle", "obstacle:points=1025"},
    {BENCH_FULL, "obstacle", "obstacle:points=4097"},
    {BENCH_NORMAL, NULL, "torsion:points=257"},
    {BENCH_NORMAL, NULL, "journal:grid=200"},
    {BENCH_QUICK, "liquid, 2D", "fluid:grid=64"},
    {BENCH_NORMAL, "liquid, 2D", "fluid:grid=256"},
    {BENCH_NORMAL, "liquid, 2D", "fluid:grid=1024"},
    {BENCH_FULL, "liquid, 2D", "fluid:grid=4096,scene=tank"},
    {BENCH_QUICK, "liquid, 3D", "fluid:dimension=3,grid=16"},
    {BENCH_NORMAL, "liquid, 3D", "fluid:dimension=3,grid=48"},
    {BENCH_NORMAL, "liquid, 3D", "fluid:dimension=3,grid=96"},
    {BENCH_FULL, "liquid, 3D", "fluid:dimension=3,grid=320"},
    {0},
};

/* The sizes, and the shares of idle contacts, of Morales, Nocedal and Smelyanskiy (2008), table 2. */
static const bench_case walls[] = {
    {BENCH_QUICK, NULL, "wall:size=nb8_nc48"},
    {BENCH_QUICK, "planted", "wall:size=nb235_nc1044,plant=yes,degenerate=0,active=0.8333"},
    {BENCH_NORMAL, "planted", "wall:size=nb449_nc1821,plant=yes,degenerate=0,active=0.5815"},
    {BENCH_NORMAL, "planted", "wall:size=nb907_nc5832,plant=yes,degenerate=0,active=0.2222"},
    {BENCH_NORMAL, "planted", "wall:size=nb948_nc7344,plant=yes,degenerate=0,active=0.2533"},
    {BENCH_NORMAL, "planted", "wall:size=nb966_nc8220,plant=yes,degenerate=0,active=0.1529"},
    {BENCH_NORMAL, "planted", "wall:size=nb976_nc8745,plant=yes,degenerate=0,active=0.2597"},
    {BENCH_NORMAL, "planted", "wall:size=nb977_nc9534,plant=yes,degenerate=0,active=0.1416"},
    {BENCH_NORMAL, "standing", "wall:size=nb235_nc1044"},
    {BENCH_NORMAL, "standing", "wall:size=nb907_nc5832"},
    {BENCH_NORMAL, "standing", "wall:size=nb977_nc9534"},
    {0},
};

static const bench_case finance[] = {
    {BENCH_QUICK, "put", "put:n=100"},
    {BENCH_QUICK, "put", "put:n=1000"},
    {BENCH_NORMAL, "put", "put:n=10000"},
    {BENCH_NORMAL, "put", "put:n=100000"},
    {BENCH_FULL, "put", "put:n=1000000"},
    {BENCH_QUICK, "two assets", "put2:grid=31"},
    {BENCH_NORMAL, "two assets", "put2:grid=127"},
    {BENCH_NORMAL, "two assets", "put2:grid=511"},
    {BENCH_NORMAL, NULL, "put2:grid=127,payoff=basket,cross=nine"},
    {0},
};

static const bench_case sequences[] = {
    {BENCH_QUICK, NULL, "bricks:rows=4,columns=4"},
    {BENCH_NORMAL, NULL, "bricks:rows=8,columns=8"},
    {BENCH_NORMAL, NULL, "discs:n=100"},
    {BENCH_NORMAL, NULL, "tower:n=8,ratio=100"},
    {BENCH_NORMAL, NULL, "dam:cells=64"},
    {0},
};

static const bench_case anytime[] = {
    {BENCH_QUICK, NULL, "pd:n=100"},
    {BENCH_NORMAL, NULL, "wall:size=nb966_nc8220,plant=yes,degenerate=0,active=0.1529"},
    {BENCH_NORMAL, NULL, "wall:size=nb977_nc9534,plant=yes,degenerate=0,active=0.1416"},
    {BENCH_NORMAL, NULL, "obstacle:points=513"},
    {BENCH_NORMAL, NULL, "pile:n=75,form=findex"},
    {BENCH_NORMAL, NULL, "pile:n=400,form=cone"},
    {BENCH_NORMAL, NULL, "nonsym:n=1000"},
    {0},
};

static const bench_case nothing[] = {{0}};

const bench_suite bench_suites[] = {
    {"dense", "Dense problems: definite, semi-definite, not symmetric", BENCH_SOLVES, dense},
    {"friction", "Contacts with friction, by index and by cone", BENCH_SOLVES, friction},
    {"polyhedral", "Contacts with friction, by pyramids", BENCH_SOLVES, polyhedral},
    {"grid", "Obstacles and liquids on grids", BENCH_SOLVES, grid},
    {"walls", "Ill-conditioned walls (Morales, Nocedal, Smelyanskiy 2008)", BENCH_SOLVES, walls},
    {"finance", "American options", BENCH_SOLVES, finance},
    {"sequences", "Scenes, frame after frame, from the last one and from zero", BENCH_SEQUENCES,
     sequences},
    {"corpus", "Problem folders of --corpus DIR", BENCH_FOLDERS, nothing},
    {"anytime", "What is reached when time is up", BENCH_ANYTIME, anytime},
    {"kernels", "Kernels against the limits of the machine", BENCH_KERNELS, nothing},
    {0},
};

const bench_suite *bench_suite_find(const char *name)
{
  for (const bench_suite *s = bench_suites; s->name; s++)
    if (strcmp(s->name, name) == 0)
      return s;
  return NULL;
}

/* ---- The run ---- */

static perp_error run_case(const bench_suite *suite, const bench_case *c, const bench_settings *s,
                           bench_table *table, perp_message *why)
{
  if (suite->kind == BENCH_SEQUENCES)
    return bench_sequence(suite, c, s, table, why);
  if (suite->kind == BENCH_ANYTIME)
    return bench_anytime(c, s, table, why);
  perp_instance instance;
  perp_error error = perp_generate(c->text, &instance, why);
  if (error)
    return error;
  error = bench_contest(suite, c, s, &instance, table, why);
  perp_instance_destroy(&instance);
  return error;
}

static bool holds_problem(const char *path)
{
  char file[4200];
  struct stat found;
  snprintf(file, sizeof file, "%s/A.mtx", path);
  if (stat(file, &found) == 0)
    return true;
  snprintf(file, sizeof file, "%s/J.mtx", path);
  return stat(file, &found) == 0;
}

/* A known infeasible problem is none for a race. */
static perp_error run_folder(const bench_suite *suite, const char *path, const char *name,
                             const bench_settings *s, bench_table *table, perp_message *why)
{
  perp_instance instance;
  perp_error error = perp_folder_read(path, &instance, why);
  if (error)
    return error;
  const bench_case c = {.text = name};
  if (instance.kind == PERP_KIND_SOLVABLE || instance.kind == PERP_KIND_MULTIPLE)
    error = bench_contest(suite, &c, s, &instance, table, why);
  perp_instance_destroy(&instance);
  return error;
}

/* Problem folders, in this one and those in it, in the order of their names. */
static perp_error run_folders(const bench_suite *suite, const char *path, int depth,
                              const bench_settings *s, bench_table *table, perp_message *why)
{
  enum { EVERY = 4 }; /* that a quick run takes */
  struct dirent **entry = NULL;
  const int count = scandir(path, &entry, NULL, alphasort);
  if (count < 0) {
    snprintf(why->text, sizeof why->text, "%.400s: not a folder that can be read", path);
    return PERP_ERROR_FILE;
  }
  perp_error error = PERP_OK;
  bool on = true;
  for (int k = 0, taken = 0; k < count; k++) {
    char inner[4096];
    const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry[k]->d_name);
    struct stat found;
    const bool folder = length < (int)sizeof inner && entry[k]->d_name[0] != '.' &&
                        stat(inner, &found) == 0 && S_ISDIR(found.st_mode) && on && !error;
    if (folder && holds_problem(inner)) {
      on = !s->progress || s->progress(suite->name, k, count);
      if (on && (s->size != BENCH_QUICK || taken++ % EVERY == 0))
        error = run_folder(suite, inner, entry[k]->d_name, s, table, why);
    } else if (folder && depth > 0) {
      error = run_folders(suite, inner, depth - 1, s, table, why);
    }
    free(entry[k]);
  }
  free(entry);
  return error;
}

perp_error bench_run(const bench_suite *suite, const bench_settings *s, bench_table *table,
                     perp_message *why)
{
  if (suite->kind == BENCH_KERNELS)
    return bench_kernels(s, table, why);
  if (suite->kind == BENCH_FOLDERS)
    return run_folders(suite, s->corpus, 2, s, table, why);
  int count = 0, done = 0;
  for (const bench_case *c = suite->cases; c->text; c++)
    count += c->from <= s->size;
  for (const bench_case *c = suite->cases; c->text; c++) {
    if (c->from > s->size)
      continue;
    if (s->progress && !s->progress(suite->name, done++, count))
      return PERP_OK;
    const perp_error error = run_case(suite, c, s, table, why);
    if (error)
      return error;
  }
  return PERP_OK;
}

/* ---- The table ---- */

static void *add(void **items, int *count, int *room, size_t size)
{
  if (*count == *room) {
    const int more = 2 * *room + 64;
    void *grown = realloc(*items, (size_t)more * size);
    if (!grown)
      return NULL;
    *items = grown;
    *room = more;
  }
  return memset((char *)*items + (size_t)(*count)++ * size, 0, size);
}

bench_row *bench_add_row(bench_table *t)
{
  void *items = t->row;
  bench_row *row = add(&items, &t->rows, &t->row_room, sizeof *row);
  t->row = items;
  return row;
}

bench_point *bench_add_point(bench_table *t)
{
  void *items = t->point;
  bench_point *point = add(&items, &t->points, &t->point_room, sizeof *point);
  t->point = items;
  return point;
}

bench_bar *bench_add_bar(bench_table *t)
{
  void *items = t->bar;
  bench_bar *bar = add(&items, &t->bars, &t->bar_room, sizeof *bar);
  t->bar = items;
  return bar;
}

void bench_table_free(bench_table *t)
{
  free(t->row);
  free(t->point);
  free(t->bar);
}

/* An empty cell where a tolerance was not reached. */
static void write_seconds(FILE *out, double seconds)
{
  if (seconds < 1e300)
    fprintf(out, "%.4g", seconds);
  fputc(',', out);
}

static void write_counts(FILE *out, const perp_counts *c)
{
  const int64_t counts[] = {c->iterations, c->sweeps,         c->applies,
                            c->pivots,     c->factorisations, c->solves};
  for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
    fputc(',', out);
    if (counts[j])
      fprintf(out, "%lld", (long long)counts[j]);
  }
  fputc('\n', out);
}

void bench_write_csv(FILE *out, const bench_table *t)
{
  if (t->rows)
    fputs("suite,problem,n,form,method,status,seconds_1e-4,seconds_1e-8,residual,iterations,"
          "sweeps,applies,pivots,factorisations,solves\n",
          out);
  for (int k = 0; k < t->rows; k++) {
    const bench_row *r = &t->row[k];
    fprintf(out, "%s,\"%s\",%d,%s,%s,%s,", r->suite, r->problem, r->n, r->form, r->method,
            r->status);
    for (int j = 0; j < BENCH_TOLS; j++)
      write_seconds(out, r->seconds[j]);
    fprintf(out, "%.2g", r->residual);
    write_counts(out, &r->counts);
  }
  if (t->points)
    fputs("anytime,problem,method,seconds,residual\n", out);
  for (int k = 0; k < t->points; k++)
    fprintf(out, "anytime,\"%s\",%s,%.4g,%.3g\n", t->point[k].problem, t->point[k].method,
            t->point[k].seconds, t->point[k].residual);
  if (t->bars)
    fputs("kernels,kernel,rate,most,unit\n", out);
  for (int k = 0; k < t->bars; k++)
    fprintf(out, "kernels,\"%s\",%.4g,%.4g,%s\n", t->bar[k].kernel, t->bar[k].rate, t->bar[k].most,
            t->bar[k].unit);
}
