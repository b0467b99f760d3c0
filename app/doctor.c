/* doctor.c: perp doctor: components, devices, peers and tools; what is missing, how to get it */
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "json.h"
#include "robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PERP_LEFT_OUT
#define PERP_LEFT_OUT ""
#endif

/* One thing that can be here or not. */
typedef struct item {
  const char *name;
  const char *serves;   /* what it is good for */
  const char *packages; /* of Debian; "" if no package brings it */
  const char *then;     /* what to do after they are installed */
} item;

static const char REBUILD[] = "build perp again";

static const item components[] = {
#ifdef __clang__
    {"openmp", "threads", "libomp-dev", REBUILD},
#else
    {"openmp", "threads", "gcc", REBUILD},
#endif
    {"blas", "large dense factors", "libopenblas-dev", REBUILD},
    {"cholmod", "sparse Cholesky factors", "libsuitesparse-dev", REBUILD},
    {"umfpack", "sparse LU factors", "libsuitesparse-dev", REBUILD},
    {"zlib", "compressed Matrix Market files", "zlib1g-dev", REBUILD},
    {"cuda", "devices cuda:0, ...", "nvidia-cuda-toolkit", "make cuda"},
    {"petsc", "problems larger than one machine", "petsc-dev", "make petsc"},
    {"mpi", "several machines", "libopenmpi-dev", "make petsc"},
    {"fclib", "files of FCLib", "libhdf5-dev", REBUILD},
    {"portable", "the same bits on every machine", "", "cmake --preset portable"},
    {"matio", "MATLAB files", "libmatio-dev", REBUILD},
    {"ode", "ODE's steps to compare with: perp simulate tower3d:engine=ode-step", "libode-dev",
     REBUILD},
    {"png", "images: perp simulate --frames", "libpng-dev", REBUILD},
    {"mujoco", "robots: perp simulate robot.xml", "libmujoco-dev", REBUILD},
    {0},
};

static const char BENCH[] = "make bench";

static const item peers[] = {
    {"bullet", "Bullet, in double precision", "libbullet-dev", BENCH},
    {"bullet-single", "Bullet, in single precision", "libbullet-dev", BENCH},
    {"dart", "DART", "libdart-dev libdart-external-odelcpsolver-dev", BENCH},
    {"ode", "ODE", "libode-dev", BENCH},
    {"siconos", "Siconos", "libsiconos-numerics-dev", BENCH},
    {"petsc", "PETSc", "petsc-dev", BENCH},
    {"ipopt", "Ipopt", "coinor-libipopt-dev", BENCH},
    {"qp-ipopt", "Ipopt, for quadratic programs", "coinor-libipopt-dev", BENCH},
    {"qp-clp", "Clp, for quadratic programs", "coinor-libclp-dev", BENCH},
    {0},
};

static const item tools[] = {
    {"cc", "a C compiler, for programs that use the library", "gcc", ""},
    {"pkg-config", "tells the compiler where the library is", "pkgconf", ""},
    {"cmake", "builds perp", "cmake", ""},
    {"python3", "the Python module", "python3-dev python3-numpy", "make python"},
    {"octave-cli", "the functions for Octave", "octave octave-dev", "make octave"},
    {"nvcc", "compiles the kernels for GPUs", "nvidia-cuda-toolkit", ""},
    {0},
};

/* A line of the report, for people or as JSON. */
typedef struct finding {
  const char *name;
  bool found;
  const char *detail; /* a version, a path, or why not */
} finding;

typedef struct report {
  bool json;
  struct json j;
  int missing;
} report;

static const item *find_item(const item *table, const char *name)
{
  for (; table->name; table++)
    if (strcmp(table->name, name) == 0)
      return table;
  return NULL;
}

static void begin_part(report *r, const char *key, const char *title)
{
  if (r->json)
    json_begin_array(&r->j, key);
  else
    printf("\n%s%s%s\n", app_paint(stdout, APP_BOLD), title, app_paint(stdout, APP_PLAIN));
}

static void end_part(report *r)
{
  if (r->json)
    json_end_array(&r->j);
}

/* Returns true if a program is in a folder of PATH. */
static bool find_program(const char *name, char *path, size_t size)
{
  const char *at = getenv("PATH");
  while (at && *at) {
    const size_t length = strcspn(at, ":");
    snprintf(path, size, "%.*s/%s", (int)length, at, name);
    if (length && access(path, X_OK) == 0)
      return true;
    at += length + (at[length] == ':');
  }
  return false;
}

/* Returns true if the packages bring one of the tools, which is found. */
static bool are_there(const char *packages)
{
  char path[4096];
  for (const item *t = tools; t->name; t++)
    if (strcmp(t->packages, packages) == 0 && find_program(t->name, path, sizeof path))
      return true;
  return false;
}

/* "apt-get install libode-dev, then build perp again" */
static void say_remedy(const item *it, char *text, size_t size)
{
  text[0] = '\0';
  if (!it)
    return;
  const char *packages = are_there(it->packages) ? "" : it->packages;
  snprintf(text, size, "%s%s%s%s", packages[0] ? "apt-get install " : "", packages,
           packages[0] && it->then[0] ? ", then " : "", it->then);
}

static void tell(report *r, const finding *f, const item *it)
{
  char remedy[256];
  say_remedy(it, remedy, sizeof remedy);
  r->missing += !f->found;
  if (r->json) {
    json_begin_object(&r->j, NULL);
    json_text(&r->j, "name", f->name);
    json_bool(&r->j, "found", f->found);
    json_text(&r->j, "detail", f->detail[0] ? f->detail : NULL);
    json_text(&r->j, "serves", it ? it->serves : NULL);
    json_text(&r->j, "install", f->found || !remedy[0] ? NULL : remedy);
    json_end_object(&r->j);
    return;
  }
  printf("  %s%-3s%s %-14s", app_paint(stdout, f->found ? APP_GOOD : APP_BAD),
         f->found ? "yes" : "no", app_paint(stdout, APP_PLAIN), f->name);
  if (it)
    printf("%s", it->serves);
  if (f->detail[0])
    printf("%s%s%s%s", it ? " (" : "", f->detail, it ? ")" : "", "");
  if (!f->found && remedy[0])
    printf("\n%20s%s%s%s", "", app_paint(stdout, APP_FAINT), remedy, app_paint(stdout, APP_PLAIN));
  printf("\n");
}

/* PERP_LEFT_OUT (app/CMakeLists.txt) names the components that options of this build leave out,
 * installed or not, each with the option that takes it in: " matio:PERP_WITH_MATIO=ON ". */
static bool find_option(const char *component, char *text, size_t size)
{
  char key[32];
  snprintf(key, sizeof key, " %s:", component);
  const char *at = strstr(PERP_LEFT_OUT, key);
  if (at) {
    at += strlen(key);
    snprintf(text, size, "build perp with -D%.*s", (int)strcspn(at, " "), at);
  }
  return at != NULL;
}

static void tell_components(report *r, const perp_component *c)
{
  for (; c->name; c++) {
    const item *known = find_item(components, c->name);
    item it = known ? *known : (item){0};
    char then[64];
    if (find_option(c->name, then, sizeof then))
      it.then = then;
    tell(r, &(finding){c->name, c->present, c->present ? c->version : ""}, known ? &it : NULL);
  }
}

static void tell_devices(report *r)
{
  static const char *const kinds[] = {"host", "cuda"};
  for (int k = 0; k < 2; k++)
    for (int number = 0;; number++) {
      char name[16], detail[640];
      snprintf(name, sizeof name, k ? "%s:%d" : "%s", kinds[k], number);
      perp_device *device = NULL;
      perp_message why = {""};
      const bool found = perp_device_create(name, &device, &why) == PERP_OK;
      if (!found && number > 0)
        break;
      const perp_device_info facts = perp_device_facts(device);
      snprintf(detail, sizeof detail, "%s", found ? facts.title : why.text);
      tell(r, &(finding){name, found, detail}, NULL);
      perp_device_destroy(device);
      if (!found || k == 0)
        break;
    }
}

static void tell_peers(report *r)
{
  char folder[4096], path[4200];
  const char *where = app_find_peers(folder, sizeof folder);
  for (const item *p = peers; p->name; p++) {
    snprintf(path, sizeof path, "%s/%s", where ? where : "", p->name);
    const bool found = where && access(path, X_OK) == 0;
    tell(r, &(finding){p->name, found, found ? path : ""}, p);
  }
}

static void tell_tools(report *r)
{
  for (const item *t = tools; t->name; t++) {
    char path[4096];
    const bool found = find_program(t->name, path, sizeof path);
    tell(r, &(finding){t->name, found, found ? path : ""}, t);
  }
}

/* Solves 0 <= x _|_ A x + b >= 0 with A = [2 -1; -1 2], b = (-1, 0.8), whose solution is (0.5, 0). */
static bool solve_sample(perp_message *why)
{
  static const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0, 0};
  perp_result result = perp_result_empty();
  const perp_error error = perp_solve_dense(2, a, b, NULL, NULL, x, &result);
  if (error == PERP_OK && result.outcome == PERP_SOLVED && fabs(x[0] - 0.5) < 1e-6 && x[1] == 0)
    return true;
  snprintf(why->text, sizeof why->text, "%s, x = (%g, %g) instead of (0.5, 0)%s%.200s",
           error ? perp_error_name(error) : perp_outcome_name(result.outcome), x[0], x[1],
           result.message.text[0] ? ": " : "", result.message.text);
  return false;
}

int command_doctor(const app_call *app, int argc, char **argv)
{
  bool ignored = false;
  const app_option options[] = {
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "doctor [--json]",
      .about = "Shows what was found: the optional components that this program was built with,\n"
               "devices, the programs of other libraries for perp bench, and tools. For what is\n"
               "missing it names the Debian packages. None of it is needed to solve a problem.\n"
               "Then it solves a small problem; the exit status is 1 if that fails.\n",
      .options = options,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  report r = {.json = app->json};
  if (r.json) {
    r.j = json_open(stdout);
    json_text(&r.j, "version", perp_version());
  } else {
    printf("perp %s\n", perp_version());
  }
  begin_part(&r, "components", "components, built in or loaded");
  tell_components(&r, perp_components());
  tell_components(&r, perp_lab_components());
  tell_components(&r, robot_components());
  end_part(&r);
  begin_part(&r, "devices", "devices, for --device");
  tell_devices(&r);
  end_part(&r);
  begin_part(&r, "peers", "solvers of other libraries, for perp bench");
  tell_peers(&r);
  end_part(&r);
  begin_part(&r, "tools", "programs next to it");
  tell_tools(&r);
  end_part(&r);
  perp_message why = {""};
  const bool well = solve_sample(&why);
  if (r.json) {
    json_integer(&r.j, "missing", r.missing);
    json_bool(&r.j, "well", well);
    json_close(&r.j);
  } else if (well) {
    printf(
        "\nall is well: a small problem is solved; of the optional parts above, %d are missing\n",
        r.missing);
  } else {
    printf("\na small problem is not solved: %s\n", why.text);
  }
  return well ? APP_FINE : APP_NOT_SOLVED;
}
