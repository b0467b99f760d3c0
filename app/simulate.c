/* simulate.c: perp simulate, scenes in motion
 *
 * A run is one scene with one method. --compare makes several of one call: the same scene with each
 * value of a key, which may be `method` or a parameter of the scene. Every run goes through all its
 * steps before the next begins; then come the files and the words.
 *
 * A step that is not solved, where no limit of the caller's ended it, is told on stderr, and its problem
 * kept in a folder. */
#include "simulate.h"
#include "app.h"
#include "json.h"
#include "parameters.h"
#include "picture.h"
#include "watch.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct request {
  const char *scene, *method, *compare;
  sim_files files;
  app_list set;
  const char *for_perp; /* the first option given that is for perp's solves; NULL: none */
  int64_t steps;
  int every; /* frames between those that the page and the images show */
  bool cold, islands, list, own_tol;
  perp_options options;
} request;

static bool compares_methods(const request *r)
{
  return r->compare && strncmp(r->compare, "method=", 7) == 0;
}

/* What says how perp solves, and means nothing where ODE makes every step. */
static const char *name_option_for_perp(const request *r)
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
      {r->files.record, "record"},
      {r->files.failed, "failed"},
      {r->files.spectrum, "spectrum"},
  };
  for (size_t k = 0; k < sizeof options / sizeof *options; k++)
    if (options[k].given)
      return options[k].name;
  return NULL;
}

static bool parse(const app_call *app, int argc, char **argv, request *r, int *status)
{
  bool ignored = false;
  *r = (request){.steps = 300, .every = 1, .options = perp_options_default()};
  r->options.tol = NAN; /* not given; so are threads */
  r->options.threads = 0;
  const app_option options[] = {
      {"list", APP_FLAG, &r->list, 0, 0, NULL,
       "the scenes with their parameters, or those of SCENE"},
      {"method", APP_TEXT, &r->method, 0, 0, "NAME", "see perp list; default auto"},
      {"steps", APP_COUNT, &r->steps, 1, 1e9, "N", "time steps; default 300"},
      {"set", APP_LIST, &r->set, 0, 0, "KEY=VALUE", "a parameter of the method; may be repeated"},
      {"compare", APP_TEXT, &r->compare, 0, 0, "KEY=V1,V2,...",
       "a run for each value of `method` or of a parameter of the scene, side by side"},
      {"tol", APP_REAL, &r->options.tol, 0, DBL_MAX, "T",
       "of each solve; default 1e-6, and 1e-4 is enough to watch"},
      {"max-iter", APP_COUNT, &r->options.max_iterations, 1, 0x1p53, "N",
       "iterations of each solve at most; default: the method's own"},
      {"check-every", APP_INT, &r->options.check_every, 1, INT_MAX, "K",
       "iterations between checks of the residual, N for exactly N of --max-iter N; default: "
       "growing"},
      {"time-limit", APP_REAL, &r->options.time_limit, DBL_MIN, DBL_MAX, "S",
       "seconds for each solve, whose best iterate is then taken; default: none"},
      {"threads", APP_INT, &r->options.threads, 1, 1024, "N", "threads at most, default 1"},
      {"cold", APP_FLAG, &r->cold, 0, 0, NULL, "each solve starts from 0, not from the last frame"},
      {"islands", APP_FLAG, &r->islands, 0, 0, NULL,
       "solve the parts of a problem that nothing connects one by one"},
      {"html", APP_TEXT, &r->files.html, 0, 0, "out.html",
       "write a page to watch, which needs no network"},
      {"every", APP_INT, &r->every, 1, INT_MAX, "K",
       "the page and the images show every K-th frame; default 1"},
      {"csv", APP_TEXT, &r->files.csv, 0, 0, "out.csv", "write a row per step"},
      {"record", APP_TEXT, &r->files.record, 0, 0, "DIR",
       "write the problem of each step as a folder in DIR"},
      {"failed", APP_TEXT, &r->files.failed, 0, 0, "DIR",
       "write the problems of steps that fail in DIR; default: out.html.failed"},
      {"frames", APP_TEXT, &r->files.frames, 0, 0, "DIR",
       "write an image of each frame, as PNG, in DIR"},
      {"spectrum", APP_TEXT, &r->files.spectrum, 0, 0, "out.csv",
       "write the eigenvalues of A in every step, and say whether A is symmetric and definite"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "simulate SCENE [--method NAME] [--steps N] [--html out.html] [options]",
      .about =
          "SCENE is the name of a scene, or NAME:key=value,... with parameters of its own (--list\n"
          "has them; seed=S makes another scene of the kind). Exit status 0: every step that perp\n"
          "made was solved, 1: some were not (the scene went on with the best iterate). Ctrl-C\n"
          "ends the solve of a step, and with it the run, within a sweep or a factor.\n"
          "\n"
          "With engine=ode-step or ode-quickstep ODE makes the steps of a scene in space, once\n"
          "perp has made the first N of after=N. They have no problem, no residual and no verdict\n"
          "of ours: their outcome is not-run, or stagnated, with exit status 1, where ODE itself\n"
          "complained. Options for perp's solves are for the runs and steps that perp makes, and\n"
          "an error where there are none; a step of ODE's is waited for.\n",
      .options = options,
      .least_operands = 0,
      .most_operands = 1,
  };
  app_operands operands;
  if (!app_parse(app, &usage, argc, argv, &operands, status))
    return false;
  if (!r->list && operands.count == 0) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "no scene named; perp simulate --list names them");
    return false;
  }
  if (r->method && compares_methods(r)) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--compare method= names the methods, not --method");
    return false;
  }
  if (r->islands && r->set.count > 0) {
    *status = refuse(app, PERP_ERROR_ARGUMENT,
                     "--islands takes no --set: every island is solved by "
                     "the method with its default parameters");
    return false;
  }
  r->for_perp = name_option_for_perp(r);
  if (!r->method)
    r->method = "auto";
  r->own_tol = !isnan(r->options.tol);
  if (!r->own_tol)
    r->options.tol = 1e-6; /* what is left of it is not seen */
  if (r->options.threads == 0)
    r->options.threads = 1;
  r->scene = operands.count ? operands.item[0] : NULL;
  return true;
}

/* ---- one run ---- */

static perp_error make_folder(const char *path, perp_message *why)
{
  struct stat status;
  if (mkdir(path, 0777) != 0 && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)))
    return app_say(why, PERP_ERROR_FILE, path, ": cannot make the folder");
  return PERP_OK;
}

/* FOLDER/INDEX, or FOLDER/LABEL-INDEX where runs are compared: each has files of its own. */
static perp_error name_file(const request *r, const sim_run *run, const char *folder, int64_t index,
                            char path[4096], perp_message *why)
{
  char label[sizeof run->label + 1] = "";
  if (r->compare)
    snprintf(label, sizeof label, "%s-", run->label);
  for (char *c = label; *c; c++)
    if (!strchr("-._", *c) && !isalnum((unsigned char)*c))
      *c = '_';
  if (snprintf(path, 4096, "%s/%s%06lld", folder, label, (long long)index) >= 4096 - 4)
    return app_say(why, PERP_ERROR_FILE, folder, ": the path is too long"); /* .png comes behind */
  return PERP_OK;
}

static perp_error record_step(const char *path, const perp_simulation *sim, perp_message *why)
{
  const perp_problem *p = perp_simulation_problem(sim);
  return p ? perp_problem_write(path, p, perp_simulation_solution(sim), why) : PERP_OK;
}

/* A limit that the caller set is no trouble, and what ODE does without complaint is not judged. */
static bool in_trouble(const request *r, const perp_step *step)
{
  return step->outcome != PERP_SOLVED && step->outcome != PERP_STOPPED &&
         !(step->by_ode && step->outcome == PERP_NOT_RUN) &&
         !(step->outcome == PERP_ITERATION_LIMIT && r->options.max_iterations > 0) &&
         !(step->outcome == PERP_TIME_LIMIT && r->options.time_limit > 0);
}

/* Tells of a step that failed and keeps its problem, for the first few of a run. */
static perp_error tell_trouble(const request *r, sim_run *run, const perp_simulation *sim,
                               const perp_step *step, perp_message *why)
{
  enum { TOLD = 5 };
  char folder[4096] = "", path[4096];
  if (run->troubles++ >= TOLD)
    return PERP_OK;
  watch_steps_pause();
  fprintf(stderr, "perp: %s with %s, frame %lld: %s", run->scene, run->stepper,
          (long long)step->index, perp_outcome_name(step->outcome));
  const char *reason = perp_simulation_trouble(sim);
  if (*reason)
    fprintf(stderr, " (%s)", reason);
  perp_error error = PERP_OK;
  if ((r->files.failed || r->files.html) &&
      perp_simulation_problem(sim)) { /* ODE's engines have none */
    snprintf(folder, sizeof folder, "%s%s", r->files.failed ? r->files.failed : r->files.html,
             r->files.failed ? "" : ".failed");
    error = make_folder(folder, why);
    if (!error)
      error = name_file(r, run, folder, step->index, path, why);
    if (!error)
      error = record_step(path, sim, why);
    if (!error)
      fprintf(stderr, "; kept in %s", path);
  }
  fputc('\n', stderr);
  if (run->troubles == TOLD)
    fprintf(stderr, "perp: what else fails in this run is counted alone\n");
  return error;
}

static perp_error write_frame(const request *r, const sim_run *run, const perp_simulation *sim,
                              int64_t index, double *heaviest, picture *image, perp_message *why)
{
  enum { WIDTH = 960 };
  perp_view view;
  perp_simulation_view(sim, &view);
  char path[4096];
  const perp_error error = name_file(r, run, r->files.frames, index, path, why);
  if (error)
    return error;
  memcpy(path + strlen(path), ".png", sizeof ".png");
  if (!image->rgb && !picture_make(&view, WIDTH, image))
    return app_say(why, PERP_ERROR_MEMORY, "no memory", " for an image");
  /* colours by the greatest load so far: what comes is not known */
  for (int k = 0; view.load && k < view.shapes; k++)
    if (!view.shape[k].fixed)
      *heaviest = fmax(*heaviest, view.load[k]);
  picture_draw(&view, *heaviest, image);
  return picture_write(path, image, why);
}

/* What is written of a step just made, beside its numbers. */
static perp_error keep_step(const request *r, sim_run *run, const perp_simulation *sim,
                            const perp_step *step, double *heaviest, picture *image, spectrum *seen,
                            perp_message *why)
{
  perp_error error = PERP_OK;
  const bool shown = step->index % r->every == 0;
  if (r->files.html && shown)
    error = run_keep(run, sim, why);
  if (!error && r->files.frames && shown)
    error = write_frame(r, run, sim, step->index, heaviest, image, why);
  char path[4096];
  if (!error && r->files.record)
    error = name_file(r, run, r->files.record, step->index, path, why);
  if (!error && r->files.record)
    error = record_step(path, sim, why);
  if (!error && r->files.spectrum)
    error = spectrum_add(seen, run, step->index, perp_simulation_problem(sim), why);
  return error;
}

/* What somebody who waits for a step may do about it. */
static const char *say_hint(const request *r, char *hint, size_t room)
{
  snprintf(hint, room, "%s--time-limit S goes on with its best iterate",
           r->own_tol ? "" : "--tol 1e-4 is enough to watch, ");
  return r->options.time_limit > 0 ? NULL : hint;
}

/* Has the residual told while a long step is solved: in the first step, of which nothing is known, and
 * in those behind a long one, since an observer costs some methods more than a pivot does; not under
 * --max-iter, where it costs a check of the last iterate. */
static void listen(const request *r, watch_step *at_work, perp_options *options)
{
  const bool wanted = r->options.max_iterations == 0 && watch_step_is_likely(at_work);
  options->observer = wanted ? watch_step_observe : NULL;
  options->observer_context = at_work;
  if (r->options.check_every == 0)
    options->check_every = wanted ? -1 : 0; /* the same checks, seen or not */
}

static perp_error simulate(const request *r, sim_run *run, spectrum *seen, perp_message *why)
{
  perp_simulation *sim = NULL;
  picture image = {0};
  double heaviest = 0;
  char hint[120];
  watch_step at_work = watch_step_open(run->label, r->steps, say_hint(r, hint, sizeof hint));
  perp_options options = r->options;
  options.interrupted = watch_step_asked;
  options.interrupted_context = &at_work;
  perp_error error = perp_simulation_create(run->scene, run->method, &options, &sim, why);
  if (!error)
    error = app_set_parameters(perp_simulation_solver(sim), &r->set, why);
  if (!error && r->cold)
    perp_simulation_warm(sim, false);
  if (!error && r->islands)
    perp_simulation_islands(sim, true);
  if (!error && r->files.html)
    error = run_keep(run, sim, why); /* how it is before the first step */
  if (!error && r->files.frames)
    error = write_frame(r, run, sim, 0, &heaviest, &image, why);
  for (int64_t k = 0; k < r->steps && !error && !watch_interrupted(); k++) {
    perp_step step;
    listen(r, &at_work, perp_simulation_options(sim));
    watch_step_begin(&at_work, k + 1, run->engine == ENGINE_PERP || (double)k < run->after);
    error = perp_simulation_step(sim, &step, why);
    if (!error && step.outcome == PERP_STOPPED)
      break; /* half a step is none */
    if (!error)
      error = run_add(run, &step, why);
    if (error)
      break;
    run_account(run, &step);
    error = keep_step(r, run, sim, &step, &heaviest, &image, seen, why);
    if (!error && in_trouble(r, &step))
      error = tell_trouble(r, run, sim, &step, why);
    watch_steps(run->label, k + 1, r->steps);
  }
  watch_steps(run->label, 0, 0);
  picture_free(&image);
  perp_simulation_destroy(sim);
  return error;
}

/* ---- several ---- */

/* The runs of the call: one, or one for each value of --compare. */
static perp_error plan(const request *r, runs *all, perp_message *why)
{
  const char *equals = r->compare ? strchr(r->compare, '=') : NULL;
  if (r->compare && (!equals || equals == r->compare))
    return app_say(why, PERP_ERROR_ARGUMENT, r->compare, ": --compare takes KEY=VALUE,VALUE,...");
  const char *value = equals ? equals + 1 : "";
  do {
    const int length = (int)strcspn(value, ",");
    if (all->count == RUNS)
      return app_say(why, PERP_ERROR_ARGUMENT, r->compare, ": that is too much to compare");
    sim_run *run = &all->item[all->count++];
    *run = (sim_run){.dimension = 2, .worst_residual = NAN};
    const int key = equals ? (int)(equals - r->compare) : 0;
    const bool method = compares_methods(r);
    int scene = snprintf(run->scene, sizeof run->scene, "%s", r->scene);
    if (equals && !method)
      scene = snprintf(run->scene, sizeof run->scene, "%s%c%.*s=%.*s", r->scene,
                       strchr(r->scene, ':') ? ',' : ':', key, r->compare, length, value);
    const int name = method ? snprintf(run->method, sizeof run->method, "%.*s", length, value)
                            : snprintf(run->method, sizeof run->method, "%s", r->method);
    if (scene >= (int)sizeof run->scene || name >= (int)sizeof run->method)
      return app_say(why, PERP_ERROR_ARGUMENT, r->scene, ": the scene or the method is too long");
    engine_read(run);
    memcpy(run->label, run->stepper, sizeof run->label);
    if (equals)
      snprintf(run->label, sizeof run->label, "%.*s", length, value);
    value += length;
  } while (*value++ == ',');
  return PERP_OK;
}

/* A wrong value that --compare has last is found before the first run, not after it. */
static perp_error try_out(const request *r, const runs *all, perp_message *why)
{
  perp_error error = PERP_OK;
  for (int k = 0; k < all->count && all->count > 1 && !error; k++) {
    const sim_run *run = &all->item[k];
    perp_simulation *sim = NULL;
    error = perp_simulation_create(run->scene, run->method, &r->options, &sim, why);
    if (!error)
      error = app_set_parameters(perp_simulation_solver(sim), &r->set, why);
    perp_simulation_destroy(sim);
  }
  return error;
}

/* Whether what is to be written can be, and not over each other; before any work. */
static perp_error prepare(const request *r, perp_message *why)
{
  const char *const files[] = {r->files.html, r->files.csv, r->files.spectrum};
  app_output output;
  perp_error error = PERP_OK;
  for (int k = 0; k < 3 && !error; k++) {
    if (files[k])
      error = app_output_prepare(files[k], &output, why);
    for (int m = 0; m < k && files[k] && !error; m++)
      if (files[m] && strcmp(files[m], files[k]) == 0 && strncmp(files[k], "/dev/", 5) != 0)
        error = app_say(why, PERP_ERROR_ARGUMENT, files[k], ": two outputs cannot be one file");
  }
  const char *const folders[] = {r->files.record, r->files.frames};
  for (int k = 0; k < 2 && !error; k++)
    if (folders[k])
      error = make_folder(folders[k], why);
  if (r->files.frames && !error && !picture_can_write())
    error = app_say(why, PERP_ERROR_BACKEND, "--frames", ": perp was built without libpng");
  return error;
}

int command_simulate(const app_call *app, int argc, char **argv)
{
  request r;
  int status = APP_FINE;
  if (!parse(app, argc, argv, &r, &status))
    return status;
  if (r.scene)
    status = scenes_check(app, r.scene, compares_methods(&r) ? NULL : r.method, &r.set);
  if (status)
    return status;
  if (r.list)
    return scenes_list(app, r.scene);
  perp_message why = {""};
  static runs all; /* large */
  static spectrum seen;
  perp_error error = plan(&r, &all, &why);
  if (!error)
    error = engines_check(r.for_perp, r.steps, &all, &why);
  if (!error)
    error = prepare(&r, &why);
  if (!error)
    error = try_out(&r, &all, &why);
  if (!error && r.files.spectrum)
    error = spectrum_open(r.files.spectrum, &seen, &why);
  watch_signals();
  for (int k = 0; k < all.count && !error; k++)
    error = simulate(&r, &all.item[k], &seen, &why);
  if (!error && r.files.spectrum)
    error = app_file_close(&seen.file, &why);
  app_file_discard(&seen.file);
  char matrix[400] = ""; /* what the spectra say */
  if (r.files.spectrum)
    spectrum_say(&seen, matrix, sizeof matrix);
  /* what was done before an error is not lost */
  perp_message late = {""};
  perp_error written = PERP_OK;
  const bool some = !error || all.item[0].steps > 0;
  if (some && r.files.html)
    written = page_write(r.files.html, r.scene, matrix, &all, r.every, &late);
  if (some && r.files.csv && !written)
    written = runs_write_csv(r.files.csv, &all, &late);
  if (!error && written) {
    error = written;
    why = late;
  }
  bool solved = true;
  for (int k = 0; k < all.count; k++)
    solved = solved && run_is_fine(&all.item[k]);
  if (error)
    status = refuse(app, error, "%s", why.text);
  else {
    runs_print(app, r.scene, r.steps, &r.files, matrix, &all);
    status = solved && !watch_interrupted() ? APP_FINE : APP_NOT_SOLVED;
  }
  for (int k = 0; k < all.count; k++)
    run_free(&all.item[k]);
  return status;
}
