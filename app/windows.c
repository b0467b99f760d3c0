/* windows.c: what the program lacks on Windows: `perp bench`, which runs other libraries as processes, and
 * scenes inside other engines */
#include "bench/suite.h"
#include "simulate.h"

const bench_suite bench_suites[] = {{0}};

const char *app_find_peers(char *path, size_t size)
{
  (void)path;
  (void)size;
  return NULL;
}

int command_bench(const app_call *app, int argc, char **argv)
{
  (void)argc;
  (void)argv;
  return refuse(app, PERP_ERROR_UNSUPPORTED,
                "perp bench runs other libraries as processes, and is not available on Windows");
}

int inside_run(const app_call *app, const sim_request *r)
{
  return refuse(app, PERP_ERROR_UNSUPPORTED, "--engine %s is not available on Windows", r->engine);
}
