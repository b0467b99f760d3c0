/* simulate_call.c: the arguments of perp simulate and their checks */
#include "robot.h"
#include "simulate.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* Options for perp's solves, without effect if ODE makes every step. */
static const char *name_option_for_perp(const sim_request *r)
{
  const struct {
    bool given;
    const char *name;
  } options[] = {
      {r->method, "method"},
      {compares_methods(r), "compare method"},
      {r->set.count > 0, "set"},
      {!isnan(r->options.tol), "tol"},
      {r->options.max_iterations > 0, "max-iter"},
      {r->options.check_every > 0, "check-every"},
      {r->options.time_limit > 0, "time-limit"},
      {r->options.threads > 0, "threads"},
      {r->cold, "cold"},
      {r->islands, "islands"},
      {r->device, "device"},
      {r->files.record, "record"},
      {r->files.failed, "failed"},
      {r->files.spectrum, "spectrum"},
  };
  for (size_t k = 0; k < sizeof options / sizeof *options; k++)
    if (options[k].given)
      return options[k].name;
  return NULL;
}

/* Options that contradict each other, or have no effect. */
static int refuse_call(const app_call *app, const sim_request *r, const app_list *compare)
{
  if (!r->list && !r->scene)
    return refuse(app, PERP_ERROR_ARGUMENT, "no scene given; perp simulate --list names them");
  if (compare->count > 1)
    return refuse(app, PERP_ERROR_ARGUMENT, "--compare is given twice: \"%s\" and \"%s\"",
                  compare->item[0], compare->item[1]);
  if (r->every > 0 && !r->files.html && !r->files.frames && !r->list)
    return refuse(app, PERP_ERROR_ARGUMENT, "--every is for --html and --frames");
  if (r->method && compares_methods(r))
    return refuse(app, PERP_ERROR_ARGUMENT, "--compare method= names the methods, not --method");
  if (r->device && r->engine)
    return refuse(app, PERP_ERROR_UNSUPPORTED, "--device is not available with --engine");
  if (r->device && r->scene && robot_is(r->scene))
    return refuse(app, PERP_ERROR_UNSUPPORTED, "--device is not available for a robot");
  return APP_FINE;
}

bool sim_parse(const app_call *app, int argc, char **argv, sim_request *r, int *status)
{
  bool ignored = false;
  app_list compare = {0};
  *r = (sim_request){.argc = argc, .argv = argv, .steps = 300, .options = perp_options_default()};
  r->options.tol = NAN; /* not given; so are threads */
  r->options.threads = 0;
  const app_option options[] = {
      {"list", APP_FLAG, &r->list, 0, 0, NULL,
       "list the scenes with their parameters, or only SCENE"},
      {"method", APP_TEXT, &r->method, 0, 0, "NAME",
       "see perp list; default auto, and mg on a device"},
      {"steps", APP_COUNT, &r->steps, 1, 1e9, "N", "time steps; default 300"},
      {"set", APP_LIST, &r->set, 0, 0, "KEY=VALUE", "a parameter of the method; may be repeated"},
      {"compare", APP_LIST, &compare, 0, 0, "KEY=V1,V2,...",
       "a run for each value of `method` or of a parameter of the scene, side by side; pgs:40 is "
       "the method pgs with --max-iter 40"},
      {"engine", APP_TEXT, &r->engine, 0, 0, "dart|bullet|ode",
       "run a scene inside that engine, by its own solvers and by perp, side by side; --list names "
       "them"},
      {"tol", APP_REAL, &r->options.tol, 0, DBL_MAX, "T",
       "of each solve; default 1e-6 (1e-8 for a robot), and 1e-4 is enough to watch"},
      {"max-iter", APP_COUNT, &r->options.max_iterations, 1, 0x1p53, "N",
       "iterations of each solve at most; default: the method's own"},
      {"check-every", APP_INT, &r->options.check_every, 1, INT_MAX, "K",
       "iterations between checks of the residual; with --max-iter N, K = N makes exactly N; "
       "default: "
       "growing"},
      {"time-limit", APP_REAL, &r->options.time_limit, DBL_MIN, DBL_MAX, "S",
       "seconds for each solve; at the limit the step uses the best iterate; default: none"},
      {"threads", APP_INT, &r->options.threads, 1, 1024, "N", "threads at most, default 1"},
      {"device", APP_TEXT, &r->device, 0, 0, "NAME",
       "solve on a GPU (cuda), or run the GPU kernels on the CPU (host); for "
       "liquids"},
      {"cold", APP_FLAG, &r->cold, 0, 0, NULL, "each solve starts from 0, not from the last frame"},
      {"islands", APP_FLAG, &r->islands, 0, 0, NULL,
       "solve the islands of a problem (parts that are not connected) one by one"},
      {"html", APP_TEXT, &r->files.html, 0, 0, "out.html",
       "write a page to watch, which needs no network"},
      {"every", APP_INT, &r->every, 1, INT_MAX, "K",
       "the page and the images show every K-th frame, and the last; default 1"},
      {"csv", APP_TEXT, &r->files.csv, 0, 0, "out.csv",
       "write a row for each step; Ctrl-C keeps those made so far"},
      {"record", APP_TEXT, &r->files.record, 0, 0, "DIR",
       "write the problem of each step, with its start as start.mtx, as a folder in DIR; DIR must "
       "not hold problems of an earlier run"},
      {"failed", APP_TEXT, &r->files.failed, 0, 0, "DIR",
       "write the problems of steps that were not solved in DIR: the first five of each run and "
       "the worst"},
      {"frames", APP_TEXT, &r->files.frames, 0, 0, "DIR",
       "write an image of each frame, as PNG, in DIR"},
      {"spectrum", APP_TEXT, &r->files.spectrum, 0, 0, "out.csv",
       "write the eigenvalues of A in every step (if A is not symmetric, of its symmetric part), "
       "and whether A is symmetric and definite"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "simulate SCENE [--method NAME] [--steps N] [--html out.html] [options]",
      .about =
          "SCENE is the name of a scene, or NAME:key=value,... with its parameters (--list shows\n"
          "them; seed=S makes another scene of the same kind). Exit status 0: every step that "
          "perp\n"
          "made was solved, 1: some were not (the scene continued with the best iterate). Ctrl-C\n"
          "ends the run, also within a solve, and writes the page with the frames so far. A "
          "second\n"
          "Ctrl-C ends it at once: the rows of --csv so far remain, but no page is written.\n"
          "\n"
          "The summary names the steps that were not solved, and the worst of them. The first\n"
          "five of a run are also reported at once, unless --max-iter or --time-limit ended\n"
          "them. --failed DIR keeps the problems of the first five and of the worst step of each\n"
          "run. Without it, but with --html out.html, they are kept in out.html.failed, except\n"
          "steps that such a limit ended; problems of an earlier run in that folder are removed.\n"
          "\n"
          "With engine=ode-step or engine=ode-quickstep, ODE makes the steps of a 3D scene; with\n"
          "after=N perp makes the first N. Steps of ODE have no problem, residual or verdict:\n"
          "their outcome is not-run, or stagnated if ODE itself reports an error (exit status "
          "1).\n"
          "Options for solves apply to the steps that perp makes; if perp makes none, they are an\n"
          "error. A step of ODE cannot be interrupted.\n"
          "\n"
          "SCENE may also be a robot: the file of a model of MuJoCo (MJCF, URDF or .mjb), then\n"
          ":law=soft for MuJoCo's own law of contact, exact=yes, or key=N for its N-th keyframe.\n"
          "This needs a program that was built with MuJoCo (perp doctor).\n"
          "\n"
          "With --engine the scene is one of that engine (--engine dart --list). It runs with the\n"
          "engine's own solvers and with perp; a table shows failed steps, drift, overlap, energy\n"
          "and time of each, and --html shows the runs side by side.\n",
      .options = options,
      .least_operands = 0,
      .most_operands = 1,
  };
  app_operands operands;
  if (!app_parse(app, &usage, argc, argv, &operands, status))
    return false;
  r->scene = operands.count ? operands.item[0] : NULL;
  r->compare = compare.count ? compare.item[0] : NULL;
  *status = refuse_call(app, r, &compare);
  if (*status)
    return false;
  r->every = r->every > 0 ? r->every : 1;
  r->for_perp = name_option_for_perp(r);
  if (!r->method)
    r->method = r->device ? "mg" : "auto";
  r->own_tol = !isnan(r->options.tol);
  if (!r->own_tol)
    r->options.tol =
        r->scene && robot_is(r->scene) ? 1e-8 : 1e-6; /* smaller errors are not visible */
  if (r->options.threads == 0)
    r->options.threads = 1;
  return true;
}
