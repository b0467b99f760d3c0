/* fclib.c: perp fclib, a collection of FCLib files by our methods and by other libraries */
#include "app.h"

#include <float.h>
#include <stdio.h>

/* The command is `perp bench corpus --corpus DIR`; the first places are the program and its name. */
int command_fclib(const app_call *app, int argc, char **argv)
{
  const char *html = NULL, *csv = NULL, *methods = NULL, *peers = NULL, *only = NULL;
  bool ignored = false;
  double seconds = 10;
  const app_option options[] = {
      {"html", APP_TEXT, &html, 0, 0, "FILE", "the page: performance profiles and the table"},
      {"csv", APP_TEXT, &csv, 0, 0, "FILE", "a line for each problem and method"},
      {"seconds", APP_REAL, &seconds, DBL_MIN, 1e6, "S", "for one solve; default 10"},
      {"only", APP_TEXT, &only, 0, 0, "TEXT", "only the problems whose name has TEXT in it"},
      {"methods", APP_TEXT, &methods, 0, 0, "A,B,...", "only these methods of perp"},
      {"peers", APP_TEXT, &peers, 0, 0, "DIR", "programs of the peers; \"none\": without them"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "fclib DIR [--html FILE] [--csv FILE] [--methods A,B,...] [--seconds S]",
      .about =
          "Solves the problems of the Frictional Contact Library in DIR and in the folders in\n"
          "it, files that end with .hdf5 or .h5, by our methods and by Siconos, judged\n"
          "by the same check at 1e-4 and 1e-8. A file that cannot be read is named, and the run\n"
          "continues. The collection: github.com/FrictionalContactLibrary/fclib-library.\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 1,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  char limit[32];
  snprintf(limit, sizeof limit, "%g", seconds);
  const struct {
    const char *name, *value;
  } given[] = {{"--html", html},
               {"--csv", csv},
               {"--only", only},
               {"--methods", methods},
               {"--peers", peers},
               {"--seconds", limit},
               {"--corpus", operands.item[0]}};
  const char *call[24] = {"perp", "bench", "corpus"};
  int count = 3;
  for (size_t k = 0; k < sizeof given / sizeof *given; k++)
    if (given[k].value) {
      call[count++] = given[k].name;
      call[count++] = given[k].value;
    }
  if (ignored)
    call[count++] = "--json";
  return command_bench(app, count - 1, (char **)call + 1);
}
