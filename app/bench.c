/* bench.c: perp bench, ours and the solvers of other libraries on the same problems */
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "bench/collection.h"
#include "bench/suite.h"
#include "json.h"
#include "watch.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SUITES = 16 };

static const char *suite_at(const void *unused, int i)
{
  (void)unused;
  return bench_suites[i].name;
}

static int list_all(const app_call *app)
{
  const bench_machine machine = bench_this_machine();
  if (!app->json) {
    for (const bench_suite *s = bench_suites; s->name; s++)
      printf("%-11s %s\n", s->name, s->title);
    printf("%-11s all of them; this machine is %s\n", "all", machine.name);
    return APP_FINE;
  }
  json j = json_open(stdout);
  json_text(&j, "machine", machine.name);
  json_begin_array(&j, "suites");
  for (const bench_suite *s = bench_suites; s->name; s++) {
    json_begin_object(&j, NULL);
    json_text(&j, "name", s->name);
    json_text(&j, "title", s->title);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_close(&j);
  return APP_FINE;
}

static bool progress(const char *what, int done, int of)
{
  watch_steps(what, done, of);
  return !watch_interrupted();
}

/* A BLAS reads how many threads it may use when it is loaded, before main: so the program starts
 * itself again, once, with one. */
static void use_one_thread(char **argv)
{
  if (getenv("OPENBLAS_NUM_THREADS") || setenv("OPENBLAS_NUM_THREADS", "1", 1) ||
      setenv("OMP_NUM_THREADS", "1", 1))
    return;
  execv("/proc/self/exe", argv);
}

const char *app_find_peers(char *path, size_t size)
{
  const ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0)
    return NULL;
  path[length] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(path, '/');
    if (!slash)
      return NULL;
    *slash = '\0';
  }
  const size_t used = strlen(path);
  snprintf(path + used, size - used, "/bench/peers");
  return access(path, X_OK) == 0 ? path : NULL;
}

/* The named suites, or all suites whose requirements are met. */
static int choose(const app_call *app, const app_operands *operands, const char *corpus,
                  const bench_suite **suites, int *count)
{
  *count = 0;
  for (int k = 0; k < operands->count; k++) {
    const char *name = operands->item[k];
    const bool all = strcmp(name, "all") == 0;
    const bench_suite *one = bench_suite_find(name);
    if (!all && !one)
      return refuse(app, PERP_ERROR_ARGUMENT, "there is no suite \"%s\"%s", name,
                    app_suggest(name, suite_at, NULL, "perp bench --list names them").text);
    for (const bench_suite *s = bench_suites; s->name && *count < MOST_SUITES; s++)
      if (s == one || (all && (corpus || s->kind != BENCH_FOLDERS)))
        suites[(*count)++] = s;
    if (one && one->kind == BENCH_FOLDERS && !corpus)
      return refuse(app, PERP_ERROR_ARGUMENT, "the suite corpus needs --corpus DIR");
  }
  if (*count == 0)
    return refuse(app, PERP_ERROR_ARGUMENT, "no suite given; perp bench --list names them");
  return APP_FINE;
}

static bool is_qp_method(const char *name)
{
  const char *const *known = bench_qp_methods;
  while (*known && strcmp(*known, name) != 0)
    known++;
  return *known != NULL;
}

/* Every name of "a,b,c" is one of a method, or one for quadratic programs. */
static int check_methods(const app_call *app, const char *names)
{
  for (const char *at = names; at && *at;) {
    char name[64];
    const size_t length = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    if (perp_method_find(name) < 0 && !is_qp_method(name))
      return refuse(app, PERP_ERROR_ARGUMENT, "there is no method \"%s\"%s", name,
                    app_suggest_method(name).text);
    at += length + (at[length] == ',');
  }
  return APP_FINE;
}

static void report(const app_call *app, const bench_suite *const *suites, int count,
                   const char *html, const char *csv, const bench_table *t)
{
  if (!app->json) {
    for (int k = 0; k < count; k++)
      bench_write_summary(stdout, suites[k], t);
    if (html)
      printf("%-11s %s\n", "page", html);
    if (csv)
      printf("%-11s %s\n", "table", csv);
    return;
  }
  json j = json_open(stdout);
  json_begin_array(&j, "suites");
  for (int k = 0; k < count; k++)
    json_text(&j, NULL, suites[k]->name);
  json_end_array(&j);
  json_integer(&j, "rows", t->rows);
  json_integer(&j, "points", t->points);
  json_integer(&j, "kernels", t->bars);
  json_integer(&j, "figures", t->figures);
  json_text(&j, "html", html);
  json_text(&j, "csv", csv);
  json_close(&j);
}

static perp_error write_files(const char *html, const char *csv, const bench_suite *const *suites,
                              int count, const bench_settings *s, const bench_table *t,
                              perp_message *why)
{
  app_file page = {0}, rows = {0};
  perp_error error = html ? app_file_open(html, &page, why) : PERP_OK;
  if (html && !error) {
    bench_write_page(page.stream, suites, count, s, t);
    error = app_file_close(&page, why);
  }
  if (csv && !error)
    error = app_file_open(csv, &rows, why);
  if (csv && !error) {
    bench_write_csv(rows.stream, t);
    error = app_file_close(&rows, why);
  }
  return error;
}

/* perp bench collection DIR: a line for each solve into the file or to standard output. */
static int run_collection(const app_call *app, const char *csv, collection_settings *s)
{
  perp_message why = {""};
  app_file rows = {0};
  perp_error error = csv ? app_file_open(csv, &rows, &why) : PERP_OK;
  if (!error) {
    s->out = csv ? rows.stream : stdout;
    watch_signals();
    error = bench_collection(s, &why);
  }
  if (!error && csv)
    error = app_file_close(&rows, &why);
  if (error)
    return refuse(app, error, "%s", why.text);
  return watch_interrupted() ? APP_NOT_SOLVED : APP_FINE;
}

/* An option, and true if it was given. */
typedef struct given_option {
  const char *name;
  bool given;
} given_option;

/* perp bench batch --from torch: the module perp.bench of Python takes the place of this program; `others`
 * are the options that it does not have. */
static int run_from(const app_call *app, const app_operands *o, const char *from,
                    const char *device, bool quick, const char *only, const char *csv,
                    const given_option *others)
{
  if (strcmp(from, "torch") != 0 || o->count != 1 || strcmp(o->item[0], "batch") != 0)
    return refuse(app, PERP_ERROR_ARGUMENT,
                  "--from %s: only `perp bench batch --from torch` is available", from);
  for (; others->name; others++)
    if (others->given)
      return refuse(app, PERP_ERROR_ARGUMENT,
                    "--from torch takes --device, --quick, --only and --csv, not %s", others->name);
  const bool gpu = device && strncmp(device, "cuda", 4) == 0;
  const char *call[12] = {"python3",
                          "-m",
                          "perp.bench",
                          "--device",
                          gpu ? device : "cpu",
                          "--problems",
                          quick || !gpu ? "256" : "8192"};
  int used = 7;
  if (only)
    call[used++] = "--case", call[used++] = only;
  if (csv)
    call[used++] = "--csv", call[used++] = csv;
  execvp(call[0], (char *const *)call);
  return refuse(app, PERP_ERROR_BACKEND, "python3 could not be started");
}

int command_bench(const app_call *app, int argc, char **argv)
{
  const char *html = NULL, *csv = NULL, *methods = NULL, *peers = NULL, *corpus = NULL;
  const char *device = NULL, *only = NULL, *from = NULL;
  bool list = false, quick = false, full = false, ignored = false;
  double seconds = 0, tol = 0;
  const app_option options[] = {
      {"list", APP_FLAG, &list, 0, 0, NULL, "the suites, and the name of this machine"},
      {"html", APP_TEXT, &html, 0, 0, "FILE", "the page: profiles, tables, growth, kernels"},
      {"csv", APP_TEXT, &csv, 0, 0, "FILE", "the rows, for tools/compare-bench"},
      {"quick", APP_FLAG, &quick, 0, 0, NULL, "small problems: a minute or less for a suite"},
      {"full", APP_FLAG, &full, 0, 0, NULL, "the largest too: grids of 16 million unknowns"},
      {"seconds", APP_REAL, &seconds, DBL_MIN, 1e6, "S",
       "for one solve; default 2, with --quick 0.5, with --full 30; 60 of collection"},
      {"only", APP_TEXT, &only, 0, 0, "TEXT",
       "only the problems and scenes whose name has TEXT in it"},
      {"methods", APP_TEXT, &methods, 0, 0, "A,B,...", "only these methods of perp"},
      {"peers", APP_TEXT, &peers, 0, 0, "DIR", "programs of the peers; \"none\": without them"},
      {"tol", APP_REAL, &tol, DBL_MIN, 1, "T", "of collection; default 1e-8"},
      {"corpus", APP_TEXT, &corpus, 0, 0, "DIR", "problem folders, for the suite corpus"},
      {"device", APP_TEXT, &device, 0, 0, "NAME",
       "for the suites on devices: cuda, or host, the default"},
      {"from", APP_TEXT, &from, 0, 0, "torch", "the suite batch from PyTorch, by the module perp"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call =
          "bench SUITE...|all|collection DIR [--html FILE] [--csv FILE] [--quick|--full] [options]",
      .about =
          "Times our methods and the solvers of other libraries on the same problems, judged by\n"
          "the same check, and draws performance profiles at 1e-4 and 1e-8. The peers are\n"
          "separate programs; `make bench` builds them, and perp looks for them in\n"
          "../bench/peers from its own folder. `collection DIR` runs the programs of a folder, "
          "MPS\n"
          "and QPS files and folders of perp qp, and judges each answer anew; odd and even, after\n"
          "DIR, run every other one.\n",
      .options = options,
      .most_operands = MOST_SUITES,
  };
  app_operands operands;
  const bench_suite *suites[MOST_SUITES];
  int status, count;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  if (list)
    return list_all(app);
  if (from) {
    const given_option others[] = {
        {"--html", html != NULL},       {"--full", full},           {"--seconds", seconds > 0},
        {"--methods", methods != NULL}, {"--peers", peers != NULL}, {"--tol", tol > 0},
        {"--corpus", corpus != NULL},   {"--json", app->json},      {NULL, false}};
    return run_from(app, &operands, from, device, quick, only, csv, others);
  }
  char beside[4096];
  const char *found_peers = !peers                  ? app_find_peers(beside, sizeof beside)
                            : strcmp(peers, "none") ? peers
                                                    : NULL;
  if (found_peers && peers && access(peers, R_OK | X_OK) != 0)
    return refuse(app, PERP_ERROR_FILE, "--peers %s: %s; it takes a folder, or none", peers,
                  strerror(errno));
  if (operands.count > 0 && !strcmp(operands.item[0], "collection")) {
    const char *share = operands.count > 2 ? operands.item[2] : "all";
    if (operands.count < 2 ||
        (strcmp(share, "all") && strcmp(share, "odd") && strcmp(share, "even")))
      return refuse(app, PERP_ERROR_ARGUMENT, "bench collection DIR [odd|even]");
    if ((status = check_methods(app, methods)))
      return status;
    use_one_thread(argv - 1);
    collection_settings c = {.folder = operands.item[1],
                             .methods = methods ? methods : "auto",
                             .peers = found_peers,
                             .only = only,
                             .share = !strcmp(share, "odd")    ? 1
                                      : !strcmp(share, "even") ? 2
                                                               : 0,
                             .tol = tol > 0 ? tol : 1e-8,
                             .seconds = seconds > 0 ? seconds : 60,
                             .progress = progress};
    return run_collection(app, csv, &c);
  }
  if (quick && full)
    return refuse(app, PERP_ERROR_ARGUMENT, "--quick and --full exclude each other");
  status = choose(app, &operands, corpus, suites, &count);
  if (status == APP_FINE)
    status = check_methods(app, methods);
  if (status)
    return status;
  perp_message why = {""};
  app_output unused;
  perp_error error = html ? app_output_prepare(html, &unused, &why) : PERP_OK;
  if (!error && csv)
    error = app_output_prepare(csv, &unused, &why);
  if (error)
    return refuse(app, error, "%s", why.text);
  use_one_thread(argv - 1);
  static const double default_seconds[] = {
      [BENCH_QUICK] = 0.5, [BENCH_NORMAL] = 2, [BENCH_FULL] = 30};
  const bench_size size = quick ? BENCH_QUICK : full ? BENCH_FULL : BENCH_NORMAL;
  const bench_settings s = {
      .size = size,
      .seconds = seconds > 0 ? seconds : default_seconds[size],
      .methods = methods,
      .only = only,
      .peers = found_peers,
      .corpus = corpus,
      .device = device,
      .progress = progress,
  };
  bench_table table = {0};
  watch_signals();
  for (int k = 0; k < count && !error && !watch_interrupted(); k++)
    error = bench_run(suites[k], &s, &table, &why);
  watch_steps("", 0, 0);
  const bool empty = !(table.rows || table.points || table.bars || table.figures);
  if (!error && empty && only && !watch_interrupted())
    error = app_say(&why, PERP_ERROR_ARGUMENT,
                    "--only: no problem of this size has its TEXT in its name",
                    quick ? "; without --quick there are more" : "");
  else if (!error && empty && corpus && !watch_interrupted())
    error = app_say(&why, PERP_ERROR_FILE, corpus, ": has no problem that can be read");
  if (!error)
    error = write_files(html, csv, suites, count, &s, &table, &why);
  if (error)
    status = refuse(app, error, "%s", why.text);
  else
    report(app, suites, count, html, csv, &table);
  bench_table_free(&table);
  return status ? status : watch_interrupted() ? APP_NOT_SOLVED : APP_FINE;
}
