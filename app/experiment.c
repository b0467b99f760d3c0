/* experiment.c: perp experiment, published results reproduced */
#include "experiments/experiment.h"
#include "app.h"
#include "json.h"
#include "watch.h"

#include <string.h>

static const char *name_at(const void *unused, int i)
{
  (void)unused;
  return experiments[i] ? experiments[i]->name : NULL;
}

static int list_all(const app_call *app)
{
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_begin_array(&j, "experiments");
  }
  for (int k = 0; experiments[k]; k++)
    if (app->json) {
      json_begin_object(&j, NULL);
      json_text(&j, "name", experiments[k]->name);
      json_text(&j, "title", experiments[k]->title);
      json_text(&j, "source", experiments[k]->source);
      json_end_object(&j);
    } else {
      printf("%-14s %s (%s)\n", experiments[k]->name, experiments[k]->title,
             experiments[k]->source);
    }
  if (app->json) {
    json_end_array(&j);
    json_close(&j);
  }
  return APP_FINE;
}

static bool progress(const char *name, int done, int all, double share)
{
  char what[80];
  snprintf(what, sizeof what, "%d of %d %s", done + 1, all, name);
  watch_bar(what, (done + share) / all);
  return !watch_interrupted();
}

/* The first of the names that is not an experiment; NULL: all are. */
static const char *unknown_name(const char *const *names, int count)
{
  for (int k = 0; k < count; k++) {
    bool known = false;
    for (int m = 0; experiments[m]; m++)
      known = known || strcmp(experiments[m]->name, names[k]) == 0;
    if (!known)
      return names[k];
  }
  return NULL;
}

static void tell(const app_call *app, const char *out, const experiments_verdict *v)
{
  if (app->json) {
    json j = json_open(stdout);
    json_text(&j, "out", out);
    json_integer(&j, "experiments", v->run);
    json_integer(&j, "wanted", v->wanted);
    json_integer(&j, "claims", v->claims);
    json_integer(&j, "claims_held", v->held);
    json_integer(&j, "claims_failed", v->failed);
    json_close(&j);
    return;
  }
  printf("report      %s/index.html\n", out);
  printf("claims      %d, of which %d hold\n", v->claims, v->held);
  if (v->failed)
    printf("failed      %d required claims do not hold\n", v->failed);
  if (v->run < v->wanted)
    printf("stopped     after %d of %d experiments\n", v->run, v->wanted);
}

int command_experiment(const app_call *app, int argc, char **argv)
{
  const char *out = NULL;
  bool list = false, quick = false, full = false, ignored = false;
  int status;
  const app_option options[] = {
      {"list", APP_FLAG, &list, 0, 0, NULL, "the experiments and where they come from"},
      {"out", APP_TEXT, &out, 0, 0, "DIR", "the report, index.html, and its tables go there"},
      {"quick", APP_FLAG, &quick, 0, 0, NULL, "small sizes: a minute or two for all"},
      {"full", APP_FLAG, &full, 0, 0, NULL, "the sizes of the papers"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "experiment NAME...|all|check [NAME...] --out DIR [--quick|--full]",
      .about =
          "Reproduces published figures and tables, each next to the published numbers. `check`\n"
          "ends with status 1 if a required claim does not hold.\n",
      .options = options,
      .least_operands = 0,
      .most_operands = 16,
  };
  app_operands operands;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  if (list)
    return list_all(app);
  if (operands.count == 0)
    return refuse(app, PERP_ERROR_ARGUMENT,
                  "no experiment given; perp experiment --list names them");
  if (quick && full)
    return refuse(app, PERP_ERROR_ARGUMENT, "--quick and --full exclude each other");
  const bool check = strcmp(operands.item[0], "check") == 0;
  const bool all = strcmp(operands.item[0], "all") == 0;
  if (all && operands.count > 1)
    return refuse(app, PERP_ERROR_ARGUMENT, "\"all\" already includes \"%s\"", operands.item[1]);
  const experiments_call call = {
      .names = operands.item + (check || all),
      .count = operands.count - (check || all),
      .folder = out,
      .size = quick  ? EXPERIMENT_QUICK
              : full ? EXPERIMENT_FULL
                     : EXPERIMENT_NORMAL,
      .progress = progress,
  };
  const char *unknown = unknown_name(call.names, call.count);
  if (unknown)
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no experiment \"%s\"%s", unknown,
                  app_suggest(unknown, name_at, NULL, "perp experiment --list names them").text);
  if (!out)
    return refuse(app, PERP_ERROR_ARGUMENT, "--out DIR is missing: the folder for the report");
  perp_message why = {""};
  experiments_verdict verdict;
  watch_signals();
  const perp_error error = experiments_run(&call, &verdict, &why);
  watch_bar("", -1);
  if (error)
    return refuse(app, error, "%s", why.text);
  tell(app, out, &verdict);
  return verdict.run < verdict.wanted || (check && verdict.failed) ? APP_NOT_SOLVED : APP_FINE;
}
