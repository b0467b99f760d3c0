/* report.c: what a simulation says at its end: a table of its steps, a summary in words or in JSON
 *
 * Steps that ODE made are counted apart: there is no problem of ours in them, so they are neither solved
 * nor not solved, and have no rows, no iterations and no residual. */
#include "json.h"
#include "simulate.h"

#include <math.h>

void run_account(sim_run *run, const perp_step *step)
{
  run->solved += step->outcome == PERP_SOLVED;
  run->by_ode += step->by_ode;
  run->complaints += step->by_ode && step->outcome != PERP_NOT_RUN;
  run->seconds += step->solve_seconds;
  run->whole += step->step_seconds;
  if (!step->by_ode)
    run->worst_residual = fmax(run->worst_residual, step->residual);
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
  if (s->by_ode)
    fputs("nan,", out);
  else
    fprintf(out, "%lld,", (long long)value);
}

perp_error runs_write_csv(const char *path, const runs *all, perp_message *why)
{
  app_file file = {0};
  perp_error error = app_file_open(path, &file, why);
  if (error)
    return error;
  fprintf(file.stream,
          "run,step,time,rows,contacts,active,outcome,residual,iterations,solve_seconds,"
          "step_seconds,kinetic,potential,penetration,volume,by\n");
  for (int k = 0; k < all->count; k++)
    for (int64_t i = 0; i < all->item[k].steps; i++) {
      const perp_step *s = &all->item[k].step[i];
      app_write_csv_text(file.stream, all->item[k].label);
      fprintf(file.stream, ",%lld,%.9g,", (long long)s->index, s->time);
      write_own(file.stream, s, s->rows);
      fprintf(file.stream, "%d,", s->contacts);
      write_own(file.stream, s, s->active);
      fprintf(file.stream, "%s,%.6g,", perp_outcome_name(s->outcome), s->residual);
      write_own(file.stream, s, s->iterations);
      fprintf(file.stream, "%.6g,%.6g,%.9g,%.9g,%.6g,%.9g,%s\n", s->solve_seconds, s->step_seconds,
              s->kinetic, s->potential, s->penetration, s->volume, s->by_ode ? "ode" : "perp");
    }
  return app_file_close(&file, why);
}

/* "300, 298 of them solved; worst residual 9e-07 relative", "300 by ODE, which perp does not judge", and in a
 * line each where there are both: "300: 5 by nncg, 5 of them solved; worst residual 9e-07 relative" */
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
    printf(", %lld of them fine", (long long)run->solved);
  if (run->by_ode > 0 && own > 0)
    printf("\n               and %lld", (long long)run->by_ode);
  if (run->by_ode > 0)
    printf(" by ODE, which perp does not judge");
  if (run->complaints > 0)
    printf("; ODE complained in %lld", (long long)run->complaints);
  putchar('\n');
}

static void print_run(const sim_run *run, int64_t wanted)
{
  const perp_step *last = run->steps ? &run->step[run->steps - 1] : NULL;
  printf("%s with %s\n", run->scene, run->stepper);
  print_steps(run, wanted);
  if (run->most_rows > 0)
    printf("  problems     up to %d rows\n", run->most_rows);
  printf("  solving      %.4g s, %.4g ms a step%s\n", run->seconds,
         run->steps ? 1e3 * run->seconds / (double)run->steps : 0.0,
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
}

static void json_run(json *j, const sim_run *run)
{
  const perp_step *last = run->steps ? &run->step[run->steps - 1] : NULL;
  const bool own = run->by_ode < run->steps; /* else there is nothing of perp's to tell */
  json_begin_object(j, NULL);
  json_text(j, "scene", run->scene);
  json_text(j, "method", run->stepper);
  json_integer(j, "steps", run->steps);
  json_integer(j, "solved", run->solved);
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
  json_end_object(j);
}

void runs_print(const app_call *app, const char *scene, int64_t wanted, const sim_files *files,
                const char *matrix, const runs *all)
{
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_text(&j, "scene", scene);
    json_begin_array(&j, "runs");
    for (int k = 0; k < all->count; k++)
      json_run(&j, &all->item[k]);
    json_end_array(&j);
    json_text(&j, "html", files->html);
    json_text(&j, "csv", files->csv);
    json_text(&j, "frames", files->frames);
    if (files->spectrum)
      json_text(&j, "matrix", matrix);
    json_close(&j);
    return;
  }
  for (int k = 0; k < all->count; k++)
    print_run(&all->item[k], wanted);
  if (files->html)
    printf("page         %s\n", files->html);
  if (files->csv)
    printf("table        %s\n", files->csv);
  if (files->frames)
    printf("images       %s\n", files->frames);
  if (files->spectrum)
    printf("spectrum     %s\nmatrix       %s\n", files->spectrum, matrix);
}
