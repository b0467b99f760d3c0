/* simulate.c: perp simulate, scenes in motion
 *
 * A run is one scene with one method; --compare makes several of one call (compare.c). Every run
 * goes through all its steps before the next begins. Tables are written row by row during the run,
 * and only the data for the page stay in memory; then the page and the summary are written. */
#include "simulate.h"
#include "app.h"
#include "parameters.h"
#include "picture.h"
#include "robot.h"
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one run ---- */

/* Data that all runs of the call share. */
typedef struct desk {
  app_file table, spectrum;
} desk;

static perp_error write_frame(const sim_request *r, sim_run *run, const sim_world *world,
                              int64_t index, double *heaviest, picture *image, perp_message *why)
{
  enum { WIDTH = 960 };
  perp_view view;
  world_view(world, &view);
  char path[4096];
  const perp_error error = folder_name(r, run, r->files.frames, index, path, why);
  if (error)
    return error;
  memcpy(path + strlen(path), ".png", sizeof ".png");
  if (!image->rgb && !picture_make(&view, WIDTH, image))
    return app_say(why, PERP_ERROR_MEMORY, "out of memory", " for an image");
  /* colours by the greatest load so far: later ones are not known */
  for (int k = 0; view.load && k < view.shapes; k++)
    if (!view.shape[k].fixed)
      *heaviest = fmax(*heaviest, view.load[k]);
  picture_draw(&view, *heaviest, image);
  run->images++;
  return perp_image_write(path, image->width, image->height, image->rgb, why);
}

/* Shows the scene after `step` steps on the page and as an image. */
static perp_error show(const sim_request *r, sim_run *run, const sim_world *world, int64_t step,
                       double *heaviest, picture *image, perp_message *why)
{
  perp_error error = PERP_OK;
  if (r->files.html)
    error = run_keep(run, world, step, why);
  if (!error && r->files.frames)
    error = write_frame(r, run, world, step, heaviest, image, why);
  return error;
}

static perp_error record_step(const sim_request *r, sim_run *run, const sim_world *world,
                              int64_t index, perp_message *why)
{
  const perp_problem *p = world_problem(world);
  char path[4096];
  if (!p)
    return PERP_OK;
  perp_error error = folder_name(r, run, r->files.record, index, path, why);
  if (!error)
    error = perp_problem_write(path, p, world_solution(world), why);
  const double *start = world_start(world);
  if (!error && start) {
    memcpy(path + strlen(path), "/start.mtx", sizeof "/start.mtx");
    error = perp_vector_write(path, p->K.n, start, "the start of the solve of this step", why);
  }
  run->recorded += !error;
  return error;
}

/* A step that ODE makes without an error is not judged. */
static bool is_unsolved(const perp_step *step)
{
  return step->outcome != PERP_SOLVED && !(is_by_ode(step) && step->outcome == PERP_NOT_RUN);
}

/* Writes and reports the numbers of the step just made. */
static perp_error keep_step(const sim_request *r, sim_run *run, const sim_world *world,
                            const perp_step *step, desk *outputs, perp_message *why)
{
  perp_error error = PERP_OK;
  run_account(run, step);
  if (r->files.html)
    error = run_keep_step(run, step, why);
  if (r->files.csv)
    table_add(&outputs->table, run, step);
  if (!error && r->files.record)
    error = record_step(r, run, world, step->index, why);
  if (!error && r->files.spectrum)
    error = spectrum_add(&outputs->spectrum, run, step->index, world_problem(world), why);
  if (!error && is_unsolved(step))
    unsolved_add(r, run, world, step);
  else if (!error && *world_trouble(world))
    unsolved_tell(run, world, step);
  return error;
}

/* A folder of failures that the program itself has named belongs to this run after its first
 * step. */
static void clear_failed(const sim_request *r, const runs *all)
{
  char folder[4096];
  perp_message why = {""};
  if (r->files.failed || !unsolved_folder(r, folder))
    return;
  folder_clear(r, all, folder);
  if (folder_check(folder, &why))
    complain("%s", why.text);
}

/* Writes a hint for a user who waits for a step. */
static const char *say_hint(const sim_request *r, char *hint, size_t room)
{
  snprintf(hint, room, "%s--time-limit S continues with the best iterate",
           r->own_tol ? "" : "--tol 1e-4 is enough to watch, ");
  return r->options.time_limit > 0 ? NULL : hint;
}

/* Shows the residual while a long step is solved: in the first step, of which nothing is known, and
 * in steps after a long one, since in some methods an observer costs more than a pivot; not with
 * --max-iter, since it would cost a check of the last iterate. */
static void listen(const sim_run *run, watch_step *at_work, perp_options *options)
{
  const bool wanted = run->max_iterations == 0 && watch_step_is_likely(at_work);
  options->observer = wanted ? watch_step_observe : NULL;
  options->observer_context = at_work;
  if (options->check_every <= 0)
    options->check_every = wanted ? -1 : 0; /* the same checks, seen or not */
}

static perp_error begin(const sim_request *r, sim_run *run, const perp_options *options,
                        sim_world *world, perp_message *why)
{
  perp_error error = world_create(run->scene, run->method, options, world, why);
  if (!error && r->islands)
    error = world_set_islands(world, why);
  if (!error)
    error = app_set_parameters(world_solver(world), &r->set, why);
  if (!error && r->cold)
    world_set_cold(world);
  if (!error && world->robot)
    snprintf(run->model, sizeof run->model, "%s", world->robot->name);
  return error;
}

static perp_error simulate(const sim_request *r, runs *all, int index, desk *outputs,
                           perp_message *why)
{
  sim_run *run = &all->item[index];
  sim_world own = {0}, *world = &own;
  picture image = {0};
  double heaviest = 0;
  char hint[120];
  watch_step at_work = watch_step_open(run->label, r->steps, say_hint(r, hint, sizeof hint));
  perp_options options = r->options;
  options.max_iterations = run->max_iterations;
  options.interrupted = watch_step_asked;
  options.interrupted_context = &at_work;
  perp_error error = begin(r, run, &options, world, why);
  if (!error)
    error = show(r, run, world, 0, &heaviest, &image, why); /* how it is before the first step */
  bool shown = true;                                        /* the last step */
  for (int64_t k = 0; k < r->steps && !error && !watch_interrupted(); k++) {
    perp_step step;
    listen(run, &at_work, world_options(world));
    watch_step_begin(&at_work, k + 1, run->engine == ENGINE_PERP || (double)k < run->after);
    error = world_step(world, &step, why);
    if (!error && step.outcome == PERP_STOPPED) {
      shown = true; /* an incomplete step does not count, and hides the one before */
      break;
    }
    if (error)
      break;
    if (k == 0 && index == 0)
      clear_failed(r, all);
    error = keep_step(r, run, world, &step, outputs, why);
    shown = step.index % r->every == 0;
    if (!error && shown)
      error = show(r, run, world, step.index, &heaviest, &image, why);
    watch_steps(run->label, k + 1, r->steps);
  }
  if (!error && !shown)
    error = show(r, run, world, run->steps, &heaviest, &image, why);
  watch_steps(run->label, 0, 0);
  picture_free(&image);
  world_destroy(world);
  return error;
}

/* ---- all of them ---- */

/* Checks before any work that all outputs can be written and are different files. */
static perp_error prepare(const sim_request *r, perp_message *why)
{
  const sim_files *f = &r->files;
  const char *const files[] = {f->html, f->csv, f->spectrum};
  const char *const folders[] = {f->record, f->failed, f->frames};
  app_output output;
  perp_error error = PERP_OK;
  for (int k = 0; k < 3 && !error; k++) {
    if ((files[k] && strcmp(files[k], "-") == 0) || (folders[k] && strcmp(folders[k], "-") == 0))
      error = app_say(why, PERP_ERROR_ARGUMENT, "-",
                      ": standard output is not supported here; name a file, or /dev/stdout");
    else if (files[k])
      error = app_output_prepare(files[k], &output, why);
    for (int m = 0; m < k && files[k] && !error; m++)
      if (files[m] && strcmp(files[m], files[k]) == 0 && strncmp(files[k], "/dev/", 5) != 0)
        error =
            app_say(why, PERP_ERROR_ARGUMENT, files[k], ": two outputs need two different files");
  }
  if (f->frames && !error && !perp_image_can_write())
    error = app_say(why, PERP_ERROR_BACKEND, "--frames", ": perp was built without libpng");
  if (f->record && f->failed && !error && strcmp(f->record, f->failed) == 0)
    error = app_say(why, PERP_ERROR_ARGUMENT, f->record,
                    ": --record and --failed need two different folders");
  for (int k = 0; k < 2 && !error; k++)
    if (folders[k])
      error = folder_check(folders[k], why);
  char failed[4096];
  if (!error && unsolved_folder(r, failed))
    error = folder_try(failed, why);
  if (f->record && !error)
    error = folder_make(f->record, why);
  if (f->frames && !error)
    error = folder_make(f->frames, why);
  return error;
}

/* The tables, and the page; after an error they hold the steps before it, if there are any. */
static perp_error finish(const sim_request *r, desk *outputs, bool some, const runs *all,
                         perp_message *why)
{
  perp_error error = PERP_OK;
  if (some && r->files.html)
    error = page_write(r, all, why);
  app_file *const tables[] = {&outputs->table, &outputs->spectrum};
  for (int k = 0; k < 2; k++) {
    if (some && !error && tables[k]->stream)
      error = app_file_close(tables[k], why);
    app_file_discard(tables[k]);
  }
  return error;
}

int command_simulate(const app_call *app, int argc, char **argv)
{
  sim_request r;
  int status = APP_FINE;
  if (!sim_parse(app, argc, argv, &r, &status))
    return status;
  if (r.engine)
    return inside_run(app, &r);
  if (r.scene)
    status = scenes_check(app, r.scene, compares_methods(&r) ? NULL : r.method, &r.set);
  if (status)
    return status;
  if (r.list)
    return scenes_list(app, r.scene);
  perp_message why = {""}, late = {""};
  static runs all; /* large */
  static desk outputs;
  perp_error error = runs_plan(&r, &all, &why);
  if (!error && r.device)
    error = perp_device_create(r.device, &r.options.device, &why);
  if (!error)
    error = engines_check(r.for_perp, r.steps, &all, &why);
  if (!error)
    error = prepare(&r, &why);
  if (!error)
    error = runs_try(&r, &all, &why);
  if (!error && r.files.csv)
    error = table_open(r.files.csv, &outputs.table, &why);
  if (!error && r.files.spectrum)
    error = spectrum_open(r.files.spectrum, &outputs.spectrum, &why);
  watch_signals();
  for (int k = 0; k < all.count && !error; k++)
    error = simulate(&r, &all, k, &outputs, &why);
  const perp_error written = finish(&r, &outputs, !error || all.item[0].steps > 0, &all, &late);
  bool solved = true;
  for (int k = 0; k < all.count; k++)
    solved = solved && run_is_fine(&all.item[k]);
  if (error || written) {
    status = refuse(app, error ? error : written, "%s", error ? why.text : late.text);
  } else {
    runs_print(app, &r, &all);
    status = solved && !watch_interrupted() ? APP_FINE : APP_NOT_SOLVED;
  }
  for (int k = 0; k < all.count; k++)
    run_free(&all.item[k]);
  perp_device_destroy(r.options.device);
  return status;
}
