/* wall_errors.c: error against time (Morales, Nocedal and Smelyanskiy 2008, Figures 1 to 3)
 *
 * The error is (2.7) for all methods, the least of all iterates so far, since the best is what a
 * solve returns when it is stopped; the time that measuring takes is not counted. Sweeps go on for
 * as long as interior point takes. */
#include "walls.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { METHODS = 3, SM = 0, IPM, PGS, ROOM = 2000 };
static const char *const methods[METHODS] = {"pgssm", "ipm", "pgs"};

typedef struct curve {
  const perp_problem *p;
  double *room;
  clock_t began, measuring; /* CPU time spent in this file */
  double limit, least;
  int count;
  double seconds[ROOM], error[ROOM];
} curve;

static bool watch(void *context, const perp_progress *progress)
{
  curve *c = context;
  const clock_t now = clock();
  const double seconds = (double)(now - c->began - c->measuring) / CLOCKS_PER_SEC;
  const bool far = c->count == 0 || seconds >= 1.01 * c->seconds[c->count - 1];
  if (progress->x && c->count < ROOM && far) {
    c->seconds[c->count] = fmax(seconds, 1e-5);
    c->least = fmin(c->least, fmax(wall_error(c->p, progress->x, c->room), 1e-20));
    c->error[c->count++] = c->least;
  }
  c->measuring += clock() - now;
  return c->limit == 0 || seconds < c->limit;
}

static void trace(experiment *e, experiment_case *at, const char *method, double limit, curve *c)
{
  const perp_problem *p = c->p = &at->p;
  c->room = malloc(((size_t)p->K.n + perp_operator_scratch(p->A) + 1) * sizeof *c->room);
  c->limit = limit;
  c->least = INFINITY;
  perp_options o = perp_options_default();
  o.max_iterations = 1000000000;
  o.time_limit = 60;
  o.check_every = -1;
  o.observer = watch;
  o.observer_context = c;
  c->began = clock();
  const perp_error error =
      c->room ? experiment_run_from_0(at, method, &o, NULL, 0).error : PERP_ERROR_MEMORY;
  if (error)
    experiment_fail(e, error, method);
  if (!error && c->count > 0 && c->count < ROOM) { /* the x returned, the last one or the best */
    const double seconds = (double)(clock() - c->began - c->measuring) / CLOCKS_PER_SEC;
    c->seconds[c->count] = fmax(seconds, c->seconds[c->count - 1]);
    c->error[c->count++] = fmin(c->least, fmax(wall_error(p, at->x, c->room), 1e-20));
  }
  free(c->room);
}

/* The least error up to then; infinity where there is none yet. */
static double error_at(const curve *c, double seconds)
{
  double least = INFINITY;
  for (int k = 0; k < c->count && c->seconds[k] <= seconds; k++)
    least = fmin(least, c->error[k]);
  return least;
}

static void draw(experiment *e, const wall_published *w, wall_load load, const curve *curves)
{
  char table[METHODS][64], name[64], title[128];
  experiment_line lines[METHODS];
  for (int m = 0; m < METHODS; m++) {
    snprintf(table[m], sizeof table[m], "%s-%s-%s", w->name, wall_load_names[load], methods[m]);
    experiment_table *t = experiment_table_begin(e, table[m], NULL, "seconds,error");
    for (int k = 0; k < curves[m].count; k++)
      experiment_row(t, 2, (double[]){curves[m].seconds[k], curves[m].error[k]});
    experiment_table_end(t);
    lines[m] = (experiment_line){table[m], 1, 2, methods[m],
                                 m == PGS ? experiment_lines : experiment_marked};
  }
  snprintf(name, sizeof name, "%s-%s", w->name, wall_load_names[load]);
  snprintf(title, sizeof title, "Least error (2.7) so far against time, %s, %s", w->name,
           wall_load_names[load]);
  experiment_draw_lines(e, name,
                        &(plot){.title = title,
                                .x_label = "CPU time (s)",
                                .y_label = "error",
                                .log_x = true,
                                .log_y = true,
                                .y_least = 1e-14,
                                .y_most = 1e2},
                        METHODS, lines);
}

static void one(experiment *e, const wall_published *w, wall_load load, bool *early)
{
  experiment_case c;
  curve *curves = experiment_room(e, METHODS, sizeof *curves);
  if (!curves || !wall_open(e, w, load, &c))
    return;
  const double most = experiment_pick(e, 10, 60, 60);
  double whole = 0; /* of interior point */
  for (int m = 0; m < METHODS; m++) {
    trace(e, &c, methods[m], m == PGS ? whole : most, &curves[m]);
    if (m == IPM && curves[m].count)
      whole = curves[m].seconds[curves[m].count - 1];
  }
  experiment_close(&c);
  draw(e, w, load, curves);
  const double half = whole / 2;
  *early = error_at(&curves[SM], half) <= error_at(&curves[IPM], half) &&
           error_at(&curves[SM], half) <= error_at(&curves[PGS], half);
  experiment_text(
      e,
      "%s, %s: in half the time of interior point (%.2g s) the errors are %.1e (pgssm), "
      "%.1e (ipm) and %.1e (pgs); in all of it %.1e, %.1e and %.1e.",
      w->name, wall_load_names[load], half, error_at(&curves[SM], half),
      error_at(&curves[IPM], half), error_at(&curves[PGS], half), error_at(&curves[SM], whole),
      error_at(&curves[IPM], whole), error_at(&curves[PGS], whole));
}

static void run(experiment *e)
{
  int held[WALL_LOADS] = {0}, tried[WALL_LOADS] = {0};
  for (int load = 0; load < WALL_LOADS; load++) {
    /* the quick standing wall is a smaller one */
    const bool quick = experiment_size_of(e) == EXPERIMENT_QUICK && load == WALL_STANDING;
    const int first = quick ? WALLS - WALLS_LARGE : WALLS - 3, end = quick ? first + 1 : WALLS;
    for (int k = first; k < end; k++) {
      bool early = false;
      one(e, &walls[k], (wall_load)load, &early);
      tried[load]++;
      held[load] += early;
      if (!experiment_progress(e, (load + (k - first + 1.0) / (end - first)) / WALL_LOADS))
        return;
    }
  }
  experiment_claim(
      e, CLAIM_HONEST | CLAIM_HEADLINE, held[WALL_PLANTED] == tried[WALL_PLANTED],
      "PGS-SM is the best when stopped early, in half the time of interior point, with "
      "planted solutions (%d of %d walls)",
      held[WALL_PLANTED], tried[WALL_PLANTED]);
  experiment_claim(e, CLAIM_HONEST, held[WALL_STANDING] == tried[WALL_STANDING],
                   "PGS-SM is the best when stopped early on walls that stand (%d of %d walls)",
                   held[WALL_STANDING], tried[WALL_STANDING]);
  experiment_why(
      e, "In the walls of the paper, which are being torn down, a few sweeps find nearly all "
         "contacts that are open; in a wall that stands each cycle finds a few of them, and its "
         "sweeps move the load little, while an interior point method nears all at once.");
}

const experiment_info experiment_wall_errors = {
    .name = "wall-errors",
    .title = "Error against time on walls",
    .source = "Morales, Nocedal and Smelyanskiy 2008, Figures 1 to 3",
    .says =
        "PGS-SM is quite effective when stopped early: its error is below that of interior point "
        "and of projected Gauss-Seidel nearly all the time",
    .run = run,
};
