/* sequence.c: a scene, frame after frame, by each method, from the last forces and from 0
 *
 * Each method moves its own copy of the scene. A row is solved at a tolerance if every frame is;
 * its seconds and counts are the sums over all frames. */
#include "bench.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* Methods for frame loops. */
static const char *const methods[] = {"auto",  "pgs", "psor",  "bgs",     "nncg", "apgd",
                                      "mprgp", "ssn", "pgssm", "dantzig", "prox", NULL};

typedef struct run {
  double seconds, worst;
  int frames, solved, rows;
  int64_t iterations;
  const char *form, *status;
} run;

/* Stops at a frame that is not solved: the scenes would part there. */
static perp_error play(const char *scene, const char *method, bool warm, double tol, double limit,
                       int frames, run *r, perp_message *why)
{
  perp_simulation *sim = NULL;
  perp_options o = perp_options_default();
  o.tol = tol;
  o.time_limit = limit;
  *r = (run){.frames = frames, .form = "", .status = "solved"};
  perp_error error = perp_simulation_create(scene, method, &o, &sim, why);
  if (!error)
    perp_simulation_set_warm(sim, warm);
  for (int k = 0; k < frames && !error && strcmp(r->status, "solved") == 0; k++) {
    perp_step frame;
    const double began = bench_processor();
    error = perp_simulation_step(sim, &frame, why);
    const double spent = bench_processor() - began;
    if (error || frame.rows == 0)
      continue;
    /* the part of the step that is the solve, by the wall's clock */
    r->seconds += spent * fmin(1, frame.solve_seconds / fmax(frame.step_seconds, 1e-12));
    r->worst = fmax(r->worst, frame.relative_residual);
    r->iterations += frame.iterations;
    r->rows = frame.rows > r->rows ? frame.rows : r->rows;
    if (frame.outcome != PERP_SOLVED)
      r->status = perp_outcome_name(frame.outcome);
    r->form = perp_form_name(perp_set_form(&perp_simulation_problem(sim)->K));
    if (r->seconds > limit)
      r->status = "time-limit";
  }
  perp_simulation_destroy(sim);
  return error;
}

perp_error bench_sequence(const bench_task *t)
{
  const bench_settings *s = t->s;
  const int frames = s->size == BENCH_QUICK ? 30 : 150;
  const double limit = 10 * s->seconds;
  for (int k = 0; methods[k]; k++)
    for (int warm = 1; warm >= 0; warm--) {
      if (!bench_wants(s, methods[k]))
        continue;
      bench_row *row = bench_add_row(t->table);
      if (!row)
        return PERP_ERROR_MEMORY;
      row->suite = t->suite->name;
      snprintf(row->problem, sizeof row->problem, "%s", t->text);
      snprintf(row->method, sizeof row->method, "%s %s", methods[k], warm ? "warm" : "cold");
      row->form = "";
      row->seconds[0] = row->seconds[1] = row->residual = INFINITY;
      row->status = "refused";
      for (int tol = 0; tol < BENCH_TOLS; tol++) {
        run r;
        const perp_error error =
            play(t->text, methods[k], warm, bench_tols[tol], limit, frames, &r, t->why);
        if (error == PERP_ERROR_UNSUPPORTED)
          break;
        if (error)
          return error;
        row->n = r.rows;
        row->form = r.form;
        row->status = r.status;
        row->residual = r.worst;
        row->counts.iterations = r.iterations;
        if (strcmp(r.status, "solved") != 0)
          break;
        row->seconds[tol] = r.seconds;
      }
    }
  return PERP_OK;
}
