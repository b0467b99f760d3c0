/* warmstart.c: Newton methods from x = 0 and from ten sweeps of PGS (Erleben 2013, Figure 6) */
#include "notes.h"

#include <math.h>
#include <string.h>

enum { MOST = 100, LIMIT = 30, METHODS = 2 };
enum { COLD, WARM };

typedef struct sample {
  int count[METHODS][2], bins[METHODS][2][LIMIT + 1];
  double iterations[METHODS][2][MOST];
} sample;

static void collect(experiment *e, bool recipe, int problems, sample *s)
{
  const notes_rule notes = {.absolute = 1e-2, .relative = 1e-6, .limit = LIMIT};
  const notes_rule honest = {.residual = 1e-8, .limit = LIMIT};
  for (int k = 0; k < problems; k++) {
    experiment_case c;
    if (!notes_open_dense(e, &c, recipe, k + 1, "pd:n=100"))
      return;
    for (int warm = COLD; warm <= WARM; warm++) {
      double start[100] = {0};
      perp_options o = perp_options_default();
      o.max_iterations = 10;
      o.tol = 1e-15;
      if (warm)
        experiment_run_on(&c.p, "pgs", &o, start, NULL, 0);
      for (int m = 0; m < METHODS; m++) {
        memcpy(c.x, start, sizeof start);
        const notes_run r = notes_solve(&c.p, &notes_methods[m], recipe ? &notes : &honest, c.x);
        if (r.state != NOTES_ABSOLUTE)
          continue;
        s->iterations[m][warm][s->count[m][warm]++] = r.iterations;
        s->bins[m][warm][r.iterations <= LIMIT ? r.iterations : LIMIT]++;
      }
    }
    experiment_close(&c);
    if (!experiment_progress(e, 0.5 * (!recipe) + 0.5 * (k + 1) / problems))
      return;
  }
}

static void draw(experiment *e, const char *name, const char *title, const sample *s)
{
  experiment_table *t = experiment_table_begin(
      e, name, NULL, "iterations,Fischer wo,Fischer w,Min. map wo,Min. map w,x1,x2,x3,x4");
  int last = 0;
  for (int k = 0; k <= LIMIT; k++)
    for (int m = 0; m < METHODS; m++)
      last = s->bins[m][COLD][k] + s->bins[m][WARM][k] > 0 ? k : last;
  for (int k = 0; k <= last; k++) {
    experiment_cell(t, k);
    for (int m = 0; m < METHODS; m++)
      for (int warm = COLD; warm <= WARM; warm++)
        experiment_cell(t, s->bins[m][warm][k]);
    for (int bar = 0; bar < 4; bar++)
      experiment_cell(t, k + 0.2 * (bar - 1.5));
  }
  experiment_table_end(t);
  const experiment_style bars = {.bars = 0.2};
  const experiment_line lines[] = {{name, 6, 2, "Fischer, from 0", bars},
                                   {name, 7, 3, "Fischer, warm", bars},
                                   {name, 8, 4, "min. map, from 0", bars},
                                   {name, 9, 5, "min. map, warm", bars}};
  experiment_draw_lines(e, name,
                        &(plot){.title = title,
                                .x_label = "iterations",
                                .y_label = "problems",
                                .x_least = -0.6,
                                .x_most = last + 0.6},
                        4, lines);
}

static double mean(const sample *s, int m, int warm)
{
  return notes_statistics_of(s->count[m][warm], s->iterations[m][warm]).mean;
}

static void run(experiment *e)
{
  const int problems = experiment_pick(e, 40, MOST, MOST);
  sample *s = experiment_room(e, 2, sizeof *s);
  for (int k = 0; k < 2 && !experiment_stopped(e); k++)
    collect(e, k == 0, problems, &s[k]);
  if (experiment_stopped(e))
    return;
  draw(e, "notes", "Dense definite problems, right-hand side of the notes", &s[0]);
  draw(e, "planted", "Dense definite problems with a planted solution", &s[1]);
  experiment_table *t =
      experiment_table_begin(e, "means", "Mean iterations, and how many of the problems are solved",
                             "problems,method,from 0,solved,warm,solved,ratio");
  for (int k = 0; k < 2; k++)
    for (int m = 0; m < METHODS; m++) {
      experiment_cell_text(t, "%s", k == 0 ? "right-hand side of the notes" : "planted");
      experiment_cell_text(t, "%s", notes_methods[m].title);
      experiment_row(t, 5,
                     (double[]){mean(&s[k], m, COLD), s[k].count[m][COLD], mean(&s[k], m, WARM),
                                s[k].count[m][WARM], mean(&s[k], m, WARM) / mean(&s[k], m, COLD)});
    }
  experiment_table_end(t);
  for (int m = 0; m < METHODS; m++)
    for (int k = 0; k < 2; k++)
      experiment_claim(e,
                       k == 1   ? CLAIM_HONEST
                       : m == 0 ? CLAIM_PAPER | CLAIM_HEADLINE
                                : CLAIM_PAPER,
                       mean(&s[k], m, WARM) <= 0.5 * mean(&s[k], m, COLD),
                       "ten sweeps halve the iterations of %s%s (%.2f to %.2f)",
                       notes_methods[m].title, k == 0 ? "" : ", on planted problems",
                       mean(&s[k], m, COLD), mean(&s[k], m, WARM));
  experiment_claim(e, CLAIM_HONEST | CLAIM_MUST,
                   mean(&s[0], 0, WARM) <= mean(&s[0], 0, COLD) &&
                       mean(&s[1], 0, WARM) <= mean(&s[1], 0, COLD),
                   "a warm start does not cost Fischer-Newton iterations");
  experiment_why(e,
                 "With the tolerance of the notes the ten sweeps already reach absolute "
                 "convergence of the Newton methods' merits in %d of %d problems, before the "
                 "first Newton iteration. Planted problems are solved to a relative natural "
                 "residual of 1e-8; there a warm start saves the first iterations, but not the "
                 "last ones.",
                 s[0].bins[0][WARM][0], problems);
}

const experiment_info experiment_warmstart = {
    .name = "warmstart",
    .title = "Newton methods with and without a warm start",
    .source = "Erleben 2013, Figure 6",
    .says =
        "ten iterations of PGS at the start reduce the iterations to absolute convergence to half "
        "or less, on 100 dense positive definite problems of 100 unknowns",
    .run = run,
};
