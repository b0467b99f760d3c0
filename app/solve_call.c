/* solve_call.c: the arguments of perp solve and their checks */
#include "nl.h"
#include "solve.h"

#include <float.h>
#include <limits.h>
#include <string.h>

/* The files of A.mtx b.mtx --lo ...; given files move to the front of the list. */
static bool take_parts(const app_call *app, const app_operands *operands, solve_request *r,
                       int *status)
{
  static const char *const names[SOLVE_PARTS] = {"A", "b", "lo", "hi", "mu", "findex"};
  solve_parts *p = &r->parts;
  const bool files = operands->count == 2 && app_is_mtx(operands->item[0]);
  *status = APP_WRONG;
  if (operands->count == 2 && !files)
    refuse(app, PERP_ERROR_ARGUMENT,
           "%s: \"%s\" is one argument too many; two files are A.mtx b.mtx", operands->item[0],
           operands->item[1]);
  else if (files && r->replay)
    refuse(app, PERP_ERROR_ARGUMENT, "--replay takes a record (a folder), not two files");
  else
    *status = APP_FINE;
  for (int k = 0; k < operands->count && files; k++)
    p->paths[k] = operands->item[k];
  for (int k = 0; k < SOLVE_PARTS && !*status; k++) {
    if (!p->paths[k])
      continue;
    if (!files)
      *status = refuse(app, PERP_ERROR_ARGUMENT,
                       "--%s is only for two files (A.mtx b.mtx), not for a folder", names[k]);
    p->names[p->count] = names[k];
    p->paths[p->count++] = p->paths[k];
  }
  if (!*status && app_is_stdout(r->out) && (app->json || r->print))
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--out - and --%s both write to standard output",
                     app->json ? "json" : "print");
  return *status == APP_FINE;
}

bool solve_parse(const app_call *app, int argc, char **argv, solve_request *r, int *status)
{
  bool ignored = false, verbose = false;
  *r = (solve_request){
      .options = perp_options_default(),
      .repeat = 1,
      .recorder = perp_recorder_default(NULL),
  };
  /* -1: growing steps between checks, although there is an observer; a trace needs every
   * iteration */
  r->options.check_every = -1;
  int check_every = 0;
  const app_option options[] = {
      {"method", APP_TEXT, &r->method, 0, 0, "NAME", "see perp list; default auto"},
      {"tol", APP_REAL, &r->options.tol, 0, DBL_MAX, "T",
       "solved if the natural residual is at most T max|b_i|; default 1e-8"},
      {"max-iter", APP_COUNT, &r->options.max_iterations, 1, 0x1p53, "N",
       "iterations at most; default: the method's own"},
      {"time-limit", APP_REAL, &r->options.time_limit, DBL_MIN, DBL_MAX, "S",
       "seconds at most; default: none"},
      {"set", APP_LIST, &r->set, 0, 0, "KEY=VALUE", "a parameter of the method; may be repeated"},
      {"start", APP_TEXT, &r->start, 0, 0, "x0.mtx", "start there; default: 0"},
      {"out", APP_TEXT, &r->out, 0, 0, "x.mtx",
       "write the solution, or the best iterate, there; - is standard output, and then nothing "
       "else is printed"},
      {"out-y", APP_TEXT, &r->out_y, 0, 0, "y.mtx", "write y = A x + b there"},
      {"out-u", APP_TEXT, &r->out_u, 0, 0, "u.mtx",
       "if the outcome is infeasible, write the certificate there, for perp check --certificate"},
      {"out-low", APP_TEXT, &r->out_low, 0, 0, "x_low.mtx",
       "more digits: x + x_low meets the tolerance, and x_low is written there, for perp\n"
       "check --low"},
      {"all", APP_FLAG, &r->all, 0, 0, NULL, "show every solution; with --method enumerate"},
      {"trace", APP_TEXT, &r->trace, 0, 0, "t.csv", "write a row for each iteration there"},
      {"verbose", APP_FLAG, &verbose, 0, 0, NULL,
       "a line for each iteration on stderr: residual, merit, seconds"},
      {"check-every", APP_INT, &check_every, 1, INT_MAX, "K",
       "iterations between checks of the residual; default: growing, 1 with --trace or --verbose"},
      {"threads", APP_INT, &r->options.threads, 1, 1024, "N",
       "threads at most, default 1; the result does not depend on it"},
      {"device", APP_TEXT, &r->device, 0, 0, "NAME",
       "solve on cuda:0, ... or on host, which runs the GPU kernels on the CPU; "
       "default: the CPU"},
      {"judge", APP_TEXT, &r->judge, 0, 0, "host|device",
       "compute the residual of the verdict on the CPU (host, the default) or on the device of "
       "--device"},
      {"seed", APP_SEED, &r->options.seed, 0, 0, "S", "for methods that draw random numbers"},
      {"record", APP_TEXT, &r->recorder.folder, 0, 0, "DIR",
       "if it is not solved, keep problem, start and options as a folder in DIR"},
      {"record-keep", APP_INT, &r->recorder.keep, 1, INT_MAX, "N",
       "keep the newest N records; default 10"},
      {"record-most", APP_COUNT, &r->recorder.most_bytes, 1, 0x1p53, "B",
       "problems of more than B bytes are not recorded; default 100 MiB"},
      {"replay", APP_FLAG, &r->replay, 0, 0, NULL,
       "PROBLEM is a record: solve it with the method, options and start it holds"},
      {"repeat", APP_INT, &r->repeat, 1, INT_MAX, "N",
       "if it is solved, solve it N times in all from the start, and show the least time"},
      {"lo", APP_TEXT, &r->parts.paths[2], 0, 0, "lo.mtx", "lower bounds, with A.mtx b.mtx"},
      {"hi", APP_TEXT, &r->parts.paths[3], 0, 0, "hi.mtx", "upper bounds"},
      {"mu", APP_TEXT, &r->parts.paths[4], 0, 0, "mu.mtx", "friction coefficients of the cones"},
      {"findex", APP_TEXT, &r->parts.paths[5], 0, 0, "findex.mtx",
       "friction indices, counted from 0; -1: none"},
      {"print", APP_FLAG, &r->print, 0, 0, NULL,
       "show x; with --json all of x and y, also if they have more than 10,000 numbers"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL,
       "print one JSON object; a number that is not finite is null"},
      {0},
  };
  const app_usage usage = {
      .call = "solve PROBLEM | A.mtx b.mtx [--method NAME] [options]",
      .about =
          "PROBLEM is one of\n"
          "\n"
          "  DIR                  a problem folder, see perp(1)\n"
          "  FILE.mat             a MATLAB file\n"
          "  FILE.hdf5            a problem of FCLib\n"
          "  KIND:key=value,...   a problem that is made in memory; perp generate --list\n"
          "  ncp:NAME[,start=K]   a nonlinear problem; perp list ncp\n"
          "  MODEL.nl             a model of AMPL, Pyomo or JuMP\n"
          "\n"
          "The verdict is the natural residual max_i |x_i - P(x - y)_i| with y = A x + b. It is\n"
          "computed again at the end, and shown relative to max|b_i|. Ctrl-C ends the solve with\n"
          "the best iterate so far; a second Ctrl-C ends the program at once. Exit status 0:\n"
          "solved, 1: not solved (the best iterate is still written).\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 2,
  };
  app_operands operands;
  if (!app_parse(app, &usage, argc, argv, &operands, status))
    return false;
  r->where = operands.item[0];
  if (!take_parts(app, &operands, r, status))
    return false;
  r->options.verbose = verbose;
  if (check_every > 0)
    r->options.check_every = check_every;
  else if (r->trace || verbose)
    r->options.check_every = 0;
  if (r->replay && (r->method || r->start || r->set.count > 0)) {
    *status = refuse(app, PERP_ERROR_ARGUMENT,
                     "--replay takes method, parameters and start from the record");
    return false;
  }
  if (r->judge && strcmp(r->judge, "host") != 0 && strcmp(r->judge, "device") != 0) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--judge %s: use host or device", r->judge);
    return false;
  }
  if (r->judge && strcmp(r->judge, "device") == 0 && !r->device) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--judge device needs --device");
    return false;
  }
  const bool model = ncp_is(r->where) || nl_is(r->where);
  if (model && r->device) {
    *status = refuse(app, PERP_ERROR_UNSUPPORTED, "ncp: and .nl problems do not run on devices");
    return false;
  }
  if (model)
    return true;
  if (!r->method)
    r->method = "auto";
  if (r->all && strcmp(r->method, "enumerate") != 0) {
    *status = refuse(app, PERP_ERROR_ARGUMENT,
                     "--all: only --method enumerate finds every solution, not %s", r->method);
    return false;
  }
  return true;
}
