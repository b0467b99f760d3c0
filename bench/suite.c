/* suite.c: the problems of every suite, and the run through them */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const bench_case dense[] = {
    {"pd", "pd:n=%s", "10 30 100", "300 1000 2000", NULL},
    {"psd", "psd:n=%s", "10 30 100", "300 1000 2000", NULL},
    {"nonsym", "nonsym:n=%s", "10 30 100", "300 1000 2000", NULL},
    {NULL, "%s", NULL,
     "pd:n=400,degenerate=0.2 psd:n=400,ratio=0.3 pmatrix:n=400 scaled:n=400 contact-notes:n=402 "
     "mmatrix:n=1000",
     "bimatrix:n=200"},
    {0},
};

/* From 4 contacts to 2,000; walls and stacks of boxes are redundant. */
static const bench_case friction[] = {
    {NULL, "stack:n=%s,form=findex", "1 10,ratio=100", "20,ratio=10000", NULL},
    {"pile, index", "pile:n=%s,form=findex", "3 20", "75 400", NULL},
    {NULL, "wall:rows=%s", "4,columns=4,form=findex",
     "8,columns=8,form=findex 10,columns=10,form=findex,operator=contact", NULL},
    {NULL, "stack:n=%s,form=cone", "1 10,ratio=100", "20,ratio=10000", NULL},
    {"pile, cone", "pile:n=%s,form=cone", "3 20", "75 400", NULL},
    {NULL, "wall:rows=%s,form=cone", "4,columns=4", "8,columns=8", NULL},
    {NULL, "arch:n=11,form=%s", NULL, "findex cone", NULL},
    {NULL, "%s", NULL, "stack:form=cone,plant=yes", "wall:size=nb449_nc1821,form=cone"},
    /* what sweeps do not solve: the heaviest box on top, walls at rest and pushed, a pile that jams */
    {"heavy stack", "stack:n=%s,operator=contact", "20,ratio=1e4,form=cone",
     "20,ratio=1e6,form=cone 40,ratio=1e4,form=cone 40,ratio=1e6,form=cone "
     "40,ratio=1e6,form=findex",
     NULL},
    {"standing wall", "wall:rows=%s,speed=0,form=cone,operator=contact", NULL,
     "10,columns=10 25,columns=20 25,columns=20,mu=0.2", NULL},
    {"pushed wall", "wall:rows=%s,operator=contact", NULL,
     "8,columns=8,mu=0.8,form=findex,seed=22 8,columns=8,mu=0.8,form=cone,seed=21 "
     "25,columns=20,mu=0.5,form=cone",
     NULL},
    {"jammed pile", "pile:n=%s,operator=contact", NULL, "400,form=findex 400,form=cone",
     "1000,form=findex 1000,form=cone"},
    {0},
};

static const bench_case polyhedral[] = {
    {"pile", "pile:n=%s,form=polyhedral", "3 10", "30 75", NULL},
    {NULL, "stack:n=%s,form=polyhedral", "4", "8,ratio=100", NULL},
    {NULL, "%s", NULL,
     "wall:rows=4,columns=4,form=polyhedral arch:n=7,form=polyhedral,directions=8 "
     "cards:n=2,form=polyhedral",
     NULL},
    {0},
};

/* The smallest of each are for the peers that take only dense matrices. */
static const bench_case grid[] = {
    {"obstacle", "obstacle:points=%s", "33 129", "513 1025", "4097"},
    {NULL, "%s", NULL, "torsion:points=257 journal:grid=200", NULL},
    {"liquid, 2D", "fluid:grid=%s", "64", "256 1024", "4096,scene=tank"},
    {NULL, "fluid:grid=512,scene=%s", NULL, "drop tilted", NULL},
    {"liquid, 3D", "fluid:dimension=3,grid=%s", "16", "48 96", "320"},
    {0},
};

/* Sizes and shares of idle contacts of Morales, Nocedal and Smelyanskiy (2008), table 2. */
static const bench_case walls[] = {
    {NULL, "wall:size=%s", "nb8_nc48", NULL, NULL},
    {"planted", "wall:size=nb%s", "235_nc1044,plant=yes,degenerate=0,active=0.8333",
     "449_nc1821,plant=yes,degenerate=0,active=0.5815 "
     "907_nc5832,plant=yes,degenerate=0,active=0.2222 "
     "948_nc7344,plant=yes,degenerate=0,active=0.2533 "
     "966_nc8220,plant=yes,degenerate=0,active=0.1529 "
     "976_nc8745,plant=yes,degenerate=0,active=0.2597 "
     "977_nc9534,plant=yes,degenerate=0,active=0.1416",
     NULL},
    {"standing", "wall:size=%s", NULL, "nb235_nc1044 nb907_nc5832 nb977_nc9534", NULL},
    {"standing, no slop", "wall:size=%s,slop=0", NULL, NULL,
     "nb235_nc1044 nb907_nc5832 nb977_nc9534"},
    {NULL, "journal:n=%s", NULL, "10000", NULL},
    {0},
};

/* A = J Minv J^T + C as it is, not assembled: what sweeps are made for. */
static const bench_case contacts[] = {
    {"pile", "pile:n=%s,form=lcp,operator=contact", "100", "1000", NULL},
    {NULL, "%s,operator=contact",
     "wall:rows=4,columns=4,form=stick pile:n=20,form=findex pile:n=20,form=cone",
     "stack:n=20,form=lcp wall:rows=22,columns=22,form=lcp,cfm=1e-2 "
     "wall:size=nb449_nc1821,form=stick wall:size=nb449_nc1821,form=findex stack:form=findex "
     "pile:n=200,form=findex arch:form=findex,plant=yes stack:form=cone,plant=yes "
     "pile:n=200,form=cone arch:form=cone,plant=yes",
     NULL},
    {0},
};

static const bench_case finance[] = {
    {"put", "put:n=%s", "100 1000", "10000 100000", "1000000"},
    {"two assets", "put2:grid=%s", "31", "127 511", NULL},
    {NULL, "put2:grid=127,payoff=%s", NULL, "basket,cross=nine", NULL},
    {0},
};

static const bench_case sequences[] = {
    {NULL, "bricks:rows=%s", "4,columns=4", "8,columns=8", NULL},
    {NULL, "%s", NULL, "discs:n=100 tower:n=8,ratio=100 dam:cells=64", NULL},
    {0},
};

static const bench_case anytime[] = {
    {NULL, "%s", "pd:n=100",
     "wall:size=nb966_nc8220,plant=yes,degenerate=0,active=0.1529 "
     "wall:size=nb977_nc9534,plant=yes,degenerate=0,active=0.1416 obstacle:points=513 "
     "pile:n=75,form=findex pile:n=400,form=cone nonsym:n=1000 "
     "pile:n=400,form=findex,operator=contact stack:n=40,ratio=1e6,form=cone,operator=contact "
     "wall:rows=25,columns=20,speed=0,form=cone,operator=contact",
     NULL},
    {0},
};

static const bench_case multigrid[] = {
    {NULL, "obstacle:points=%s", "130 258", "514 1026 514,variant=plain,form=lcp 514,variant=waves",
     "2050"},
    {NULL, "torsion:points=%s", "258", "514", NULL},
    {NULL, "journal:grid=%s", NULL, "512", NULL},
    {NULL, "fluid:grid=%s", "128 256", "512 1024 512,scene=drop 512,scene=tilted 512,scene=tank",
     "2048"},
    {NULL, "fluid:grid=%s", "32,dimension=3",
     "64,dimension=3 64,dimension=3,scene=drop 64,dimension=3,scene=tank", "128,dimension=3"},
    {0},
};

/* With cfm the forces without friction are unique; without it they are not. */
static const bench_case oneshot[] = {
    {NULL, "stack:n=%s,form=findex,cfm=1e-3", "1 4", "16 50", NULL},
    {NULL, "stack:n=%s,form=findex", "1 4", "16 50", NULL},
    {NULL, "pile:n=%s,form=findex,cfm=1e-3", "3 6", "18 50", NULL},
    {0},
};

static const bench_case reuse[] = {
    {NULL, "pd:n=%s", "200", "1000", NULL},
    {NULL, "spd-sparse:n=%s", "2000", "10000", NULL},
    {NULL, "obstacle:points=%s", "65,operator=csr", "101,operator=csr 1026", NULL},
    {NULL, "pile:n=%s,form=findex,operator=contact", "20", "60", NULL},
    {NULL, "pile:n=%s,form=cone,operator=contact", "20", "60", NULL},
    {0},
};

static const bench_case batch[] = {
    {NULL, "pd:n=%s", "16 48", "96", NULL},
    {NULL, "pile:form=findex,operator=contact,%s", "n=17", "layout=random,n=29", NULL},
    {0},
};

/* Constant stencils, masks with walls and air, weights, and bounds on both sides. */
static const bench_case device[] = {
    {NULL, "fluid:dimension=3,scene=tank,grid=%s", "16", "256", "512"},
    {NULL, "fluid:dimension=3,scene=dam,grid=%s", "16", "256", NULL},
    {NULL, "obstacle:points=%s", "66", "4098", "8194"},
    {NULL, "torsion:points=%s", "66", "4098", NULL},
    {NULL, "journal:grid=%s", "64", "4096", NULL},
    {0},
};

static const bench_case piles[] = {
    {NULL, "pile:form=findex,operator=contact,n=%s", "100", "20000 180000", NULL},
    {0},
};

static const bench_case qp[] = {
    {"mpc", "mpc:seed=101,states=4,inputs=1,horizon=%s", "4 10", "20 40", NULL},
    {NULL, "mpc:seed=%s", "102", "103 104 105,states=12 106,horizon=60", NULL},
    {"lasso", "lasso:seed=107,features=%s", "10,samples=50 30,samples=100",
     "50,samples=250 100,samples=500", "200,samples=1000"},
    {"svm", "svm:seed=108,features=%s", "5,samples=50 10,samples=100",
     "20,samples=400 50,samples=1000", "100,samples=3000"},
    {"portfolio", "portfolio:seed=109,assets=%s", "50,factors=5 100,factors=5",
     "400,factors=10 1000,factors=20", "5000,factors=50"},
    {"discs", "discs:seed=110,columns=%s", "4,rows=3 10,rows=5", "20,rows=15 30,rows=30",
     "60,rows=60"},
    {NULL, "random:seed=111,n=%s", "10,m=10,rank=5 30,m=40,rank=20",
     "50,m=100,rank=50,degenerate=0.8 100,m=50,rank=100 200,m=100,rank=50,density=0.05 "
     "100,m=300,rank=0,degenerate=0",
     "500,m=500,rank=300"},
    {NULL, "random:seed=%s", "112,n=20,m=60,rank=10 113,n=40,m=5,rank=40,active=0.1",
     "114,n=60,m=60,rank=10,equal=0.4 115,n=300,m=200,rank=60,density=0.02", NULL},
    {0},
};

static const bench_case qp_loop[] = {
    {NULL, "mpc:seed=%s", "201", "202 203", NULL},
    {0},
};

const bench_suite bench_suites[] = {
    {"dense", "Dense problems: definite, semi-definite, not symmetric", BENCH_SOLVES, dense,
     bench_contest},
    {"friction", "Contacts with friction, by index and by cone", BENCH_SOLVES, friction,
     bench_friction},
    {"polyhedral", "Contacts with friction, by pyramids", BENCH_SOLVES, polyhedral, bench_contest},
    {"contacts", "Contacts whose matrix is not assembled", BENCH_SOLVES, contacts, bench_contest},
    {"grid", "Obstacles and liquids on grids", BENCH_SOLVES, grid, bench_contest},
    {"walls", "Ill-conditioned walls (Morales, Nocedal, Smelyanskiy 2008)", BENCH_SOLVES, walls,
     bench_contest},
    {"finance", "American options", BENCH_SOLVES, finance, bench_contest},
    {"sequences", "Scenes, frame after frame, from the last one and from zero", BENCH_SCENES,
     sequences, bench_sequence},
    {"reuse", "Another b for the same A: a solver that has solved before, and a fresh one",
     BENCH_FIGURES, reuse, bench_reuse},
    {"batch", "Many dense problems or contact worlds in one call, on the CPU and on a device",
     BENCH_FIGURES, batch, bench_batch},
    {"device", "mg on a device, against the bandwidth of its memory", BENCH_FIGURES, device,
     bench_device},
    {"piles", "Contact sweeps on a device, against the bandwidth of its memory", BENCH_FIGURES,
     piles, bench_device},
    {"qp", "Quadratic programs", BENCH_PROGRAMS, qp, bench_qp},
    {"qp-loop", "Model predictive control, step after step, from the last solution and without it",
     BENCH_FIGURES, qp_loop, bench_qp_loop},
    {"corpus", "Problem folders of --corpus DIR", BENCH_FOLDERS, NULL, bench_contest},
    {"anytime", "Residual reached within a time limit", BENCH_ANYTIME, anytime, bench_anytime},
    {"multigrid", "Cycles of mg, in sweeps, and over the equation without bounds", BENCH_FIGURES,
     multigrid, bench_multigrid},
    {"oneshot", "Friction by index: one call of each pivoting method, and calls until it is solved",
     BENCH_FIGURES, oneshot, bench_oneshot},
    {"motion", "Scenes in motion, some compared with ODE's engine", BENCH_FIGURES, NULL,
     bench_motion},
    {"frames", "Frames with a deadline, and overlap compared with ODE in equal time", BENCH_FIGURES,
     NULL, bench_frames},
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

static perp_error run_instance(bench_task t, const perp_instance *instance)
{
  t.instance = instance;
  t.p = perp_instance_problem(instance);
  t.x = malloc(((size_t)t.p.K.n + 1) * sizeof *t.x);
  const perp_error error = t.x ? t.suite->run(&t) : PERP_ERROR_MEMORY;
  free(t.x);
  return error;
}

static bool is_fclib(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

/* A file of a collection that cannot be read is named, and the run continues. */
static perp_error run_fclib(bench_task t, const char *path)
{
  perp_instance instance;
  const perp_error read = perp_fclib_read(path, &instance, t.why);
  if (read) {
    fprintf(stderr, "perp: %s\n", t.why->text);
    return read == PERP_ERROR_BACKEND || read == PERP_ERROR_MEMORY ? read : PERP_OK;
  }
  const perp_error error = run_instance(t, &instance);
  perp_instance_destroy(&instance);
  return error;
}

/* A known infeasible problem is none for a race. */
static perp_error run_folder(bench_task t, const char *path)
{
  perp_instance instance;
  perp_error error = perp_folder_read(path, &instance, t.why);
  if (error)
    return error;
  if (instance.kind != PERP_KIND_INFEASIBLE)
    error = run_instance(t, &instance);
  perp_instance_destroy(&instance);
  return error;
}

/* Problem folders and files of FCLib, in this one and those in it, in the order of their names. */
static perp_error run_folders(bench_task t, const char *path, int depth)
{
  enum { EVERY = 4 }; /* that a quick run takes */
  const bench_settings *s = t.s;
  struct dirent **entry = NULL;
  const int count = scandir(path, &entry, NULL, alphasort);
  if (count < 0) {
    snprintf(t.why->text, sizeof t.why->text, "%.400s: not a folder that can be read", path);
    return PERP_ERROR_FILE;
  }
  perp_error error = PERP_OK;
  bool on = true;
  for (int k = 0, taken = 0; k < count; k++) {
    char inner[4096];
    const int length = snprintf(inner, sizeof inner, "%s/%s", path, entry[k]->d_name);
    struct stat found;
    const bool there = length < (int)sizeof inner && entry[k]->d_name[0] != '.' &&
                       stat(inner, &found) == 0 && on && !error;
    const bool folder = there && S_ISDIR(found.st_mode);
    const bool file = there && S_ISREG(found.st_mode) && is_fclib(entry[k]->d_name);
    if (file || (folder && holds_problem(inner))) {
      on = !s->progress || s->progress(t.suite->name, k, count);
      t.text = entry[k]->d_name;
      if (on && (s->size != BENCH_QUICK || taken++ % EVERY == 0) &&
          (!s->only || strstr(t.text, s->only)))
        error = file ? run_fclib(t, inner) : run_folder(t, inner);
    } else if (folder && depth > 0) {
      error = run_folders(t, inner, depth - 1);
    }
    free(entry[k]);
  }
  free(entry);
  return error;
}

static perp_error run_text(bench_task t)
{
  if (t.suite->kind == BENCH_SCENES || t.suite->kind == BENCH_PROGRAMS ||
      t.suite->run == bench_qp_loop)
    return t.suite->run(&t);
  perp_instance instance;
  perp_error error = perp_generate(t.text, &instance, t.why);
  if (error)
    return error;
  error = run_instance(t, &instance);
  perp_instance_destroy(&instance);
  return error;
}

/* Writes text number `index` of a run of this size; returns false past the last. */
static bool text_at(const bench_case *c, bench_size most, int index, char text[256],
                    const char **series)
{
  for (; c->pattern; c++) {
    const char *const values[] = {c->quick, c->normal, c->full};
    for (int size = 0; size <= (int)most; size++)
      for (const char *at = values[size]; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (index-- > 0)
          continue;
        char value[160];
        snprintf(value, sizeof value, "%.*s", (int)strcspn(at, " "), at);
        snprintf(text, 256, c->pattern, value);
        *series = c->series;
        return true;
      }
  }
  return false;
}

perp_error bench_run(const bench_suite *suite, const bench_settings *s, bench_table *table,
                     perp_message *why)
{
  char text[256];
  bench_task t = {.suite = suite, .s = s, .text = text, .table = table, .why = why};
  if (suite->kind == BENCH_FOLDERS)
    return run_folders(t, s->corpus, 2);
  if (!suite->cases)
    return suite->run(&t);
  int count = 0;
  while (text_at(suite->cases, s->size, count, text, &t.series))
    count++;
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    if (s->progress && !s->progress(suite->name, k, count))
      break;
    text_at(suite->cases, s->size, k, text, &t.series);
    if (bench_wants_case(s, text))
      error = run_text(t);
  }
  return error;
}
