/* suite.c: the problems of every suite, and the run through them */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    {BENCH_NORMAL, NULL, "pd:n=400,degenerate=0.2"},
    {BENCH_NORMAL, NULL, "psd:n=400,ratio=0.3"},
    {BENCH_NORMAL, NULL, "pmatrix:n=400"},
    {BENCH_NORMAL, NULL, "scaled:n=400"},
    {BENCH_NORMAL, NULL, "contact-notes:n=402"},
    {BENCH_NORMAL, NULL, "mmatrix:n=1000"},
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
    {BENCH_NORMAL, NULL, "stack:form=cone,plant=yes"},
    {BENCH_FULL, NULL, "wall:size=nb449_nc1821,form=cone"},
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

/* The smallest of each are for the peers that take dense matrices alone. */
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
    {BENCH_NORMAL, NULL, "fluid:grid=512,scene=drop"},
    {BENCH_NORMAL, NULL, "fluid:grid=512,scene=tilted"},
    {BENCH_QUICK, "liquid, 3D", "fluid:dimension=3,grid=16"},
    {BENCH_NORMAL, "liquid, 3D", "fluid:dimension=3,grid=48"},
    {BENCH_NORMAL, "liquid, 3D", "fluid:dimension=3,grid=96"},
    {BENCH_FULL, "liquid, 3D", "fluid:dimension=3,grid=320"},
    {0},
};

/* Sizes and shares of idle contacts of Morales, Nocedal and Smelyanskiy (2008), table 2. */
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
    {BENCH_FULL, "standing, no slop", "wall:size=nb235_nc1044,slop=0"},
    {BENCH_FULL, "standing, no slop", "wall:size=nb907_nc5832,slop=0"},
    {BENCH_FULL, "standing, no slop", "wall:size=nb977_nc9534,slop=0"},
    {BENCH_NORMAL, NULL, "journal:n=10000"},
    {0},
};

/* A = J Minv J^T + C as it is, not assembled: what sweeps are made for. */
static const bench_case contacts[] = {
    {BENCH_QUICK, "pile", "pile:n=100,form=lcp,operator=contact"},
    {BENCH_NORMAL, "pile", "pile:n=1000,form=lcp,operator=contact"},
    {BENCH_NORMAL, NULL, "stack:n=20,form=lcp,operator=contact"},
    {BENCH_NORMAL, NULL, "wall:rows=22,columns=22,form=lcp,cfm=1e-2,operator=contact"},
    {BENCH_QUICK, NULL, "wall:rows=4,columns=4,form=stick,operator=contact"},
    {BENCH_NORMAL, NULL, "wall:size=nb449_nc1821,form=stick,operator=contact"},
    {BENCH_NORMAL, NULL, "wall:size=nb449_nc1821,form=findex,operator=contact"},
    {BENCH_NORMAL, NULL, "stack:form=findex,operator=contact"},
    {BENCH_QUICK, NULL, "pile:n=20,form=findex,operator=contact"},
    {BENCH_NORMAL, NULL, "pile:n=200,form=findex,operator=contact"},
    {BENCH_NORMAL, NULL, "arch:form=findex,plant=yes,operator=contact"},
    {BENCH_NORMAL, NULL, "stack:form=cone,plant=yes,operator=contact"},
    {BENCH_QUICK, NULL, "pile:n=20,form=cone,operator=contact"},
    {BENCH_NORMAL, NULL, "pile:n=200,form=cone,operator=contact"},
    {BENCH_NORMAL, NULL, "arch:form=cone,plant=yes,operator=contact"},
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

static const bench_case multigrid[] = {
    {BENCH_QUICK, NULL, "obstacle:points=130"},
    {BENCH_QUICK, NULL, "obstacle:points=258"},
    {BENCH_NORMAL, NULL, "obstacle:points=514"},
    {BENCH_NORMAL, NULL, "obstacle:points=1026"},
    {BENCH_FULL, NULL, "obstacle:points=2050"},
    {BENCH_NORMAL, NULL, "obstacle:points=514,variant=plain,form=lcp"},
    {BENCH_NORMAL, NULL, "obstacle:points=514,variant=waves"},
    {BENCH_QUICK, NULL, "torsion:points=258"},
    {BENCH_NORMAL, NULL, "torsion:points=514"},
    {BENCH_NORMAL, NULL, "journal:grid=512"},
    {BENCH_QUICK, NULL, "fluid:grid=128"},
    {BENCH_QUICK, NULL, "fluid:grid=256"},
    {BENCH_NORMAL, NULL, "fluid:grid=512"},
    {BENCH_NORMAL, NULL, "fluid:grid=1024"},
    {BENCH_FULL, NULL, "fluid:grid=2048"},
    {BENCH_NORMAL, NULL, "fluid:grid=512,scene=drop"},
    {BENCH_NORMAL, NULL, "fluid:grid=512,scene=tilted"},
    {BENCH_NORMAL, NULL, "fluid:grid=512,scene=tank"},
    {BENCH_QUICK, NULL, "fluid:grid=32,dimension=3"},
    {BENCH_NORMAL, NULL, "fluid:grid=64,dimension=3"},
    {BENCH_FULL, NULL, "fluid:grid=128,dimension=3"},
    {BENCH_NORMAL, NULL, "fluid:grid=64,dimension=3,scene=drop"},
    {BENCH_NORMAL, NULL, "fluid:grid=64,dimension=3,scene=tank"},
    {0},
};

/* With cfm the forces without friction are unique; without it they are not. */
static const bench_case oneshot[] = {
    {BENCH_QUICK, NULL, "stack:n=1,form=findex,cfm=1e-3"},
    {BENCH_QUICK, NULL, "stack:n=4,form=findex,cfm=1e-3"},
    {BENCH_NORMAL, NULL, "stack:n=16,form=findex,cfm=1e-3"},
    {BENCH_NORMAL, NULL, "stack:n=50,form=findex,cfm=1e-3"},
    {BENCH_QUICK, NULL, "stack:n=1,form=findex"},
    {BENCH_QUICK, NULL, "stack:n=4,form=findex"},
    {BENCH_NORMAL, NULL, "stack:n=16,form=findex"},
    {BENCH_NORMAL, NULL, "stack:n=50,form=findex"},
    {BENCH_QUICK, NULL, "pile:n=3,form=findex,cfm=1e-3"},
    {BENCH_QUICK, NULL, "pile:n=6,form=findex,cfm=1e-3"},
    {BENCH_NORMAL, NULL, "pile:n=18,form=findex,cfm=1e-3"},
    {BENCH_NORMAL, NULL, "pile:n=50,form=findex,cfm=1e-3"},
    {0},
};

const bench_suite bench_suites[] = {
    {"dense", "Dense problems: definite, semi-definite, not symmetric", BENCH_SOLVES, dense,
     bench_contest},
    {"friction", "Contacts with friction, by index and by cone", BENCH_SOLVES, friction,
     bench_contest},
    {"polyhedral", "Contacts with friction, by pyramids", BENCH_SOLVES, polyhedral, bench_contest},
    {"contacts", "Contacts whose matrix is not assembled", BENCH_SOLVES, contacts, bench_contest},
    {"grid", "Obstacles and liquids on grids", BENCH_SOLVES, grid, bench_contest},
    {"walls", "Ill-conditioned walls (Morales, Nocedal, Smelyanskiy 2008)", BENCH_SOLVES, walls,
     bench_contest},
    {"finance", "American options", BENCH_SOLVES, finance, bench_contest},
    {"sequences", "Scenes, frame after frame, from the last one and from zero", BENCH_SOLVES,
     sequences, bench_sequence},
    {"corpus", "Problem folders of --corpus DIR", BENCH_FOLDERS, NULL, NULL},
    {"anytime", "What is reached when time is up", BENCH_ANYTIME, anytime, bench_anytime},
    {"multigrid", "Cycles of mg, in sweeps, and over the equation without bounds", BENCH_FIGURES,
     multigrid, bench_multigrid},
    {"oneshot", "Friction by index: one call of each pivoting method, and calls until it is solved",
     BENCH_FIGURES, oneshot, bench_oneshot},
    {"motion", "Scenes in motion, some beside the engine of ODE", BENCH_FIGURES, NULL,
     bench_motion},
    {"kernels", "Kernels against the limits of the machine", BENCH_KERNELS, NULL, bench_kernels},
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
    error = bench_contest_on(suite, &c, s, &instance, table, why);
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
  if (suite->kind == BENCH_FOLDERS)
    return run_folders(suite, s->corpus, 2, s, table, why);
  if (!suite->cases)
    return suite->run(suite, NULL, s, table, why);
  int count = 0, done = 0;
  for (const bench_case *c = suite->cases; c->text; c++)
    count += c->from <= s->size;
  for (const bench_case *c = suite->cases; c->text; c++) {
    if (c->from > s->size)
      continue;
    if (s->progress && !s->progress(suite->name, done++, count))
      return PERP_OK;
    const perp_error error = suite->run(suite, c, s, table, why);
    if (error)
      return error;
  }
  return PERP_OK;
}
