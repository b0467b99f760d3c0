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

static bool progress(const char *name, double share)
{
  watch_steps(name, (int64_t)(100 * share), 100);
  return !watch_interrupted();
}

int command_experiment(const app_call *app, int argc, char **argv)
{
  const char *out = NULL;
  bool list = false, quick = false, full = false, ignored = false;
  int status;
  const app_option options[] = {
      {"list", APP_FLAG, &list, 0, 0, NULL, "the experiments and where they come from"},
      {"out", APP_TEXT, &out, 0, 0, "DIR", "the report, index.html, and its tables go there"},
      {"quick", APP_FLAG, &quick, 0, 0, NULL, "small sizes: minutes for all"},
      {"full", APP_FLAG, &full, 0, 0, NULL, "the sizes of the papers"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "experiment NAME...|all|check --out DIR [--quick|--full]",
      .about = "Reproduces published figures and tables, each next to what its paper says. `check` "
               "runs all\n"
               "of them and ends with status 1 where a claim that must hold does not.\n",
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
                  "no experiment named; perp experiment --list names them");
  if (!out)
    return refuse(app, PERP_ERROR_ARGUMENT, "--out DIR is missing: where the report goes");
  if (quick && full)
    return refuse(app, PERP_ERROR_ARGUMENT, "--quick and --full do not go together");
  const bool check = strcmp(operands.item[0], "check") == 0;
  const bool all = check || strcmp(operands.item[0], "all") == 0;
  for (int k = 0; k < operands.count && !all; k++) {
    bool known = false;
    for (int m = 0; experiments[m]; m++)
      known = known || strcmp(experiments[m]->name, operands.item[k]) == 0;
    if (!known)
      return refuse(app, PERP_ERROR_ARGUMENT, "there is no experiment \"%s\"%s", operands.item[k],
                    app_suggest(operands.item[k], name_at, NULL).text);
  }
  perp_message why = {""};
  int failed = 0;
  watch_signals();
  const perp_error error = experiments_run(operands.item, all ? 0 : operands.count, out,
                                           quick  ? EXPERIMENT_QUICK
                                           : full ? EXPERIMENT_FULL
                                                  : EXPERIMENT_NORMAL,
                                           progress, &failed, &why);
  watch_steps("", 0, 0);
  if (error)
    return refuse(app, error, "%s", why.text);
  if (app->json) {
    json j = json_open(stdout);
    json_text(&j, "out", out);
    json_integer(&j, "claims_failed", failed);
    json_close(&j);
  } else {
    printf("report      %s/index.html\n", out);
    if (failed)
      printf("claims      %d that must hold did not\n", failed);
  }
  return watch_interrupted() || (check && failed) ? APP_NOT_SOLVED : APP_FINE;
}
