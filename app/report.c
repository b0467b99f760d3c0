/* report.c: the report of a simulation: a table of its steps, a summary in words or in JSON
 *
 * Steps that ODE made are counted separately: they pose no problem to perp, so they are neither
 * solved nor unsolved, and have no rows, iterations or residual. */
#include "json.h"
#include "simulate.h"

#include <math.h>

void run_account(sim_run *run, const perp_step *step)
{
  run->steps++;
  run->last = *step;
  run->solved += step->outcome == PERP_SOLVED;
  run->by_ode += is_by_ode(step);
  run->complaints += is_by_ode(step) && step->outcome != PERP_NOT_RUN;
  run->seconds += step->solve_seconds;
  run->whole += step->step_seconds;
  if (!is_by_ode(step))
    run->worst_residual = fmax(run->worst_residual, step->relative_residual);
  run->deepest = run->steps == 1 ? step->penetration : fmax(run->deepest, step->penetration);
  run->most_rows = step->rows > run->most_rows ? step->rows : run->most_rows;
}

bool run_is_fine(const sim_run *run)
{
  return run->solved + run->by_ode == run->steps && run->complaints == 0;
}

/* A number of perp's that a step of ODE does not have. */
static void write_own(FILE *out, const perp_step *s, int64_t value)
{
  if (is_by_ode(s))
    fputs("nan,", out);
  else
    fprintf(out, "%lld,", (long long)value);
}

perp_error table_open(const char *path, app_file *file, perp_message *why)
{
  const perp_error error = app_file_open(path, file, why);
  if (error)
    return error;
  app_file_keep_lines(file);
  fprintf(file->stream,
          "run,step,time,rows,contacts,active,outcome,residual,iterations,solve_seconds,"
          "step_seconds,kinetic,potential,penetration,volume,by\n");
  return PERP_OK;
}

void table_add(app_file *file, const sim_run *run, const perp_step *s)
{
  FILE *out = file->stream;
  app_write_csv_text(out, run->label);
  fprintf(out, ",%lld,%.9g,", (long long)s->index, s->time);
  write_own(out, s, s->rows);
  fprintf(out, "%d,", s->contacts);
  write_own(out, s, s->active);
  fprintf(out, "%s,%.6g,", perp_outcome_name(s->outcome), s->relative_residual);
  write_own(out, s, s->iterations);
  fprintf(out, "%.6g,%.6g,%.9g,%.9g,%.6g,%.9g,%s\n", s->solve_seconds, s->step_seconds, s->kinetic,
          s->potential, s->penetration, s->volume, is_by_ode(s) ? "ode" : "perp");
}

/* "300, 298 of them solved; worst residual 9e-07 relative", "300 by ODE, not judged by
 * perp", and in a line each if there are both: "300: 5 by nncg, 5 of them solved; worst residual
 * 9e-07 relative" */
static void print_steps(const sim_run *run, int64_t wanted)
{
  const int64_t own = run->steps - run->by_ode;
  printf("  steps        ");
  if (run->steps < wanted)
    printf("stopped after %lld of %lld", (long long)run->steps, (long long)wanted);
  else
    printf("%lld", (long long)run->steps);
  if (run->by_ode > 0 && own > 0)
    printf(": %lld by %s", (long long)own, run->method);
  if (own > 0 && run->most_rows > 0)
    printf(", %lld of them solved; worst residual %.3g relative", (long long)run->solved,
           run->worst_residual);
  else if (own > 0 || run->by_ode == 0)
    printf(", none with a problem to solve");
  if (run->by_ode > 0 && own > 0)
    printf("\n               and %lld", (long long)run->by_ode);
  if (run->by_ode > 0)
    printf(" by ODE, not judged by perp");
  if (run->complaints > 0)
    printf("; ODE printed warnings in %lld", (long long)run->complaints);
  putchar('\n');
}

static void print_run(const sim_request *r, const sim_run *run)
{
  const perp_step *last = run->steps ? &run->last : NULL;
  char text[400];
  printf("%s with %s\n", run->scene, run->stepper);
  print_steps(run, r->steps);
  if (run->unsolved.count > 0) {
    unsolved_say(&run->unsolved, text, sizeof text);
    printf("  not solved   %lld: %s\n", (long long)run->unsolved.count, text);
  }
  if (run->most_rows > 0)
    printf("  problems     up to %d rows\n", run->most_rows);
  printf("  solving      %s, %s a step%s\n", app_duration(run->seconds).text,
         app_duration(run->steps ? run->seconds / (double)run->steps : 0.0).text,
         run->by_ode > 0 ? "; of ODE's steps all but the contacts" : "");
  printf("  speed        %.4g frames a second\n",
         run->whole > 0 ? (double)run->steps / run->whole : 0.0);
  if (isfinite(run->deepest))
    printf("  penetration  at most %.4g\n", run->deepest);
  if (last && isfinite(last->kinetic))
    printf("  energy       %.6g kinetic, %.6g potential at the end\n", last->kinetic,
           last->potential);
  if (last && isfinite(last->volume))
    printf("  volume       %.4f of the first\n", last->volume);
  if (r->files.spectrum) {
    spectrum_say(&run->spectrum, text, sizeof text);
    printf("  matrix       %s\n", text);
  }
}

static void json_unsolved(json *j, const sim_unsolved *u)
{
  json_integer(j, "unsolved", u->count);
  json_begin_array(j, "unsolved_frames"); /* the first and the last of each row of them */
  for (int k = 0; k < u->ranges; k++) {
    json_begin_array(j, NULL);
    json_integer(j, NULL, u->range[k][0]);
    json_integer(j, NULL, u->range[k][1]);
    json_end_array(j);
  }
  json_end_array(j);
  json_begin_array(j, "worst_frames");
  for (int k = 0; k < u->worst; k++) {
    json_begin_object(j, NULL);
    json_integer(j, "frame", u->most[k].frame);
    json_real(j, "residual", u->most[k].residual);
    json_end_object(j);
  }
  json_end_array(j);
}

static void json_run(json *j, const sim_request *r, const sim_run *run)
{
  const perp_step *last = run->steps ? &run->last : NULL;
  const bool own = run->by_ode < run->steps; /* otherwise ODE made all steps */
  json_begin_object(j, NULL);
  json_text(j, "scene", run->scene);
  json_text(j, "method", run->stepper);
  json_integer(j, "steps", run->steps);
  json_integer(j, "solved", run->solved);
  json_unsolved(j, &run->unsolved);
  json_integer(j, "by_ode", run->by_ode);
  json_integer(j, "ode_complained", run->complaints);
  json_real(j, "most_rows", own ? (double)run->most_rows : NAN);
  json_real(j, "worst_residual", run->worst_residual);
  json_real(j, "solve_seconds", run->seconds);
  json_real(j, "step_seconds", run->whole);
  json_real(j, "deepest_penetration", run->deepest);
  json_real(j, "kinetic", last ? last->kinetic : NAN);
  json_real(j, "potential", last ? last->potential : NAN);
  json_real(j, "volume", last ? last->volume : NAN);
  if (r->files.spectrum) {
    char matrix[400];
    spectrum_say(&run->spectrum, matrix, sizeof matrix);
    json_text(j, "matrix", matrix);
  }
  json_end_object(j);
}

/* Numbers of problems and images that all runs wrote. */
typedef struct written {
  int64_t problems, images, failed;
  bool lost;            /* some that failed could not be written */
  char failed_in[4096]; /* "": nothing */
} written;

static written sum_up(const sim_request *r, const runs *all)
{
  written w = {0};
  for (int k = 0; k < all->count; k++) {
    w.problems += all->item[k].recorded;
    w.images += all->item[k].images;
    w.lost = w.lost || all->item[k].unsolved.lost;
    w.failed += all->item[k].unsolved.kept + (all->item[k].unsolved.kept_worst > 0);
  }
  if (w.failed == 0 || !unsolved_folder(r, w.failed_in))
    w.failed_in[0] = 0;
  return w;
}

/* The spectra in words, run by run. */
static void json_matrix(json *j, const runs *all)
{
  char text[RUNS * 400] = "", one[400];
  size_t used = 0;
  for (int k = 0; k < all->count && used < sizeof text; k++) {
    const sim_run *run = &all->item[k];
    spectrum_say(&run->spectrum, one, sizeof one);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s", k ? ". " : "",
                             all->count > 1 ? run->title : "", all->count > 1 ? ": " : "", one);
  }
  json_text(j, "matrix", text);
}

static void json_runs(const sim_request *r, const written *w, const runs *all)
{
  const sim_files *files = &r->files;
  json j = json_open(stdout);
  json_text(&j, "scene", r->scene);
  json_begin_array(&j, "runs");
  for (int k = 0; k < all->count; k++)
    json_run(&j, r, &all->item[k]);
  json_end_array(&j);
  json_text(&j, "html", files->html);
  json_text(&j, "csv", files->csv);
  json_text(&j, "frames", files->frames);
  json_text(&j, "record", files->record);
  json_text(&j, "failed", w->failed_in[0] ? w->failed_in : NULL);
  json_text(&j, "spectrum", files->spectrum);
  if (files->spectrum)
    json_matrix(&j, all);
  json_close(&j);
}

void runs_print(const app_call *app, const sim_request *r, const runs *all)
{
  const sim_files *files = &r->files;
  const written w = sum_up(r, all);
  if (app->json) {
    json_runs(r, &w, all);
    return;
  }
  for (int k = 0; k < all->count; k++)
    print_run(r, &all->item[k]);
  if (files->html)
    printf("page         %s\n", files->html);
  if (files->csv)
    printf("table        %s\n", files->csv);
  if (files->frames) {
    const int64_t older = folder_count_images(files->frames) - w.images;
    printf("images       %s: %lld", files->frames, (long long)w.images);
    if (older > 0)
      printf("; %lld of an earlier run are also there", (long long)older);
    putchar('\n');
  }
  if (files->record)
    printf("record       %s: %lld problems\n", files->record, (long long)w.problems);
  if (w.failed_in[0])
    printf("failed       %s: %lld problems%s\n", w.failed_in, (long long)w.failed,
           w.lost ? ", others could not be written" : "");
  else if (files->failed)
    printf("failed       %s: nothing %s\n", files->failed, w.lost ? "could be written" : "to keep");
  if (files->spectrum)
    printf("spectrum     %s\n", files->spectrum);
}
