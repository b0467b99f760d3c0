/* strategies.c: which element of the Jacobian Fischer-Newton takes if x_i = y_i = 0 (Erleben
 * 2013, Figure 3) */
#include "experiment.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 61, STRATEGIES = 5, SEEDS = 10 };
enum { RANDOM, ZERO, PERTURBATION, APPROXIMATION, ANALYTIC };
static const char *const strategies[STRATEGIES] = {"random", "zero", "perturbation",
                                                   "approximation", "analytic"};

typedef struct outcome {
  double iterations[STRATEGIES]; /* to 1e-6; NaN: never */
  double best[STRATEGIES];       /* the least residual that was reached */
} outcome;

/* Each strategy on one problem; the traces as a plot if a name is given. */
static void try_all(experiment *e, experiment_case *c, const char *name, const char *title,
                    outcome *result)
{
  double trace[STRATEGIES][ROOM];
  experiment_trace shown[STRATEGIES];
  for (int s = 0; s < STRATEGIES; s++) {
    char method[64];
    snprintf(method, sizeof method, "fischer:strategy=%s", strategies[s]);
    perp_options o = perp_options_default();
    o.tol = 1e-15;
    o.max_iterations = ROOM - 1;
    o.time_limit = experiment_pick(e, 2, 10, 60);
    const int traced = experiment_run_from_0(c, method, &o, trace[s], ROOM).traced;
    shown[s] = (experiment_trace){strategies[s], traced, trace[s], experiment_marked};
    result->iterations[s] = NAN;
    result->best[s] = INFINITY;
    for (int k = 0; k < traced; k++) {
      if (trace[s][k] <= 1e-6 && isnan(result->iterations[s]))
        result->iterations[s] = k;
      result->best[s] = fmin(result->best[s], trace[s][k]);
    }
  }
  if (name)
    experiment_draw_traces(e, name,
                           &(plot){.title = title,
                                   .x_label = "iteration",
                                   .y_label = "relative natural residual",
                                   .log_y = true,
                                   .y_least = 1e-17,
                                   .y_most = 10},
                           "iteration,random,zero,perturbation,approximation,analytic", 0,
                           STRATEGIES, shown);
}

enum { FLUID, CONTACT, DAM, PILE, PROBLEMS };

static double greatest(int count, const double *v)
{
  double most = -INFINITY;
  for (int k = 0; k < count; k++)
    most = isnan(v[k]) ? INFINITY : fmax(most, v[k]);
  return most;
}

static double least(int count, const double *v)
{
  double m = INFINITY;
  for (int k = 0; k < count; k++)
    m = fmin(m, v[k]);
  return m;
}

static void write_medians(experiment *e, const char *name, const char *title,
                          double medians[PROBLEMS][STRATEGIES])
{
  static const char *const names[PROBLEMS] = {"fluid of the notes", "contacts of the notes", "dam",
                                              "heap of balls"};
  experiment_table *t = experiment_table_begin(
      e, name, title, "problem,random,zero,perturbation,approximation,analytic");
  for (int p = 0; p < PROBLEMS; p++) {
    experiment_cell_text(t, "%s", names[p]);
    experiment_row(t, STRATEGIES, medians[p]);
  }
  experiment_table_end(t);
}

static void claim(experiment *e, outcome (*all)[SEEDS], int seeds)
{
  double median[PROBLEMS][STRATEGIES], accuracy[PROBLEMS][STRATEGIES];
  int solved[PROBLEMS] = {0};
  for (int p = 0; p < PROBLEMS; p++)
    for (int s = 0; s < STRATEGIES; s++) {
      double v[SEEDS], r[SEEDS];
      int count = 0;
      for (int k = 0; k < seeds; k++) {
        r[k] = all[p][k].best[s];
        if (!isnan(all[p][k].iterations[s]))
          v[count++] = all[p][k].iterations[s];
      }
      solved[p] += count;
      median[p][s] = kit_median(count, v);
      accuracy[p][s] = kit_median(seeds, r);
    }
  write_medians(e, "iterations", "Median of the iterations to a residual of 1e-6", median);
  write_medians(e, "accuracy", "Median of the least residual that was reached", accuracy);
  experiment_claim(e, CLAIM_PAPER,
                   greatest(STRATEGIES, median[FLUID]) - least(STRATEGIES, median[FLUID]) <= 2,
                   "on fluid problems all strategies are alike (%g to %g iterations)",
                   least(STRATEGIES, median[FLUID]), greatest(STRATEGIES, median[FLUID]));
  experiment_claim(e, CLAIM_PAPER,
                   median[CONTACT][PERTURBATION] <= least(STRATEGIES, median[CONTACT]),
                   "on contact problems perturbation takes no more iterations than any other "
                   "(%g, the others %g to %g)",
                   median[CONTACT][PERTURBATION], least(STRATEGIES, median[CONTACT]),
                   greatest(STRATEGIES, median[CONTACT]));
  bool worse = true;
  for (int s = 0; s < STRATEGIES; s++)
    worse =
        worse && (s == APPROXIMATION || (accuracy[CONTACT][APPROXIMATION] > accuracy[CONTACT][s] &&
                                         accuracy[FLUID][APPROXIMATION] > accuracy[FLUID][s]));
  experiment_claim(
      e, CLAIM_PAPER, worse,
      "approximation always ends less accurate than the others (on the fluid, the "
      "contacts and the heap %.0e, %.0e and %.0e, the analytic one %.0e, %.0e and %.0e)",
      accuracy[FLUID][APPROXIMATION], accuracy[CONTACT][APPROXIMATION],
      accuracy[PILE][APPROXIMATION], accuracy[FLUID][ANALYTIC], accuracy[CONTACT][ANALYTIC],
      accuracy[PILE][ANALYTIC]);
  const int runs = PROBLEMS * STRATEGIES * seeds;
  const int sum = solved[FLUID] + solved[CONTACT] + solved[DAM] + solved[PILE];
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST, sum >= 0.95 * runs,
                   "every strategy solves nearly every problem (%d of %d)", sum, runs);
}

/* ---- The line search ---- */

typedef struct descent {
  double merit; /* of the last iterate */
  int steps, rises;
} descent;

static bool watch_merit(void *context, const perp_progress *now)
{
  descent *d = context;
  if (now->iteration > 0) {
    d->steps++;
    d->rises += !(now->merit <= d->merit * (1 + 1e-9));
  }
  d->merit = now->merit;
  return true;
}

/* Problems on which full steps would raise the merit: heaps of balls at rest, and games, most of which
 * end in a local minimum. window = 1 compares only with the last iterate; weights would make the merit
 * differ from the reported one. */
static void claim_descent(experiment *e, int seeds)
{
  static const char *const kinds[] = {"pile:n=12,form=polyhedral,jitter=1", "bimatrix:n=10",
                                      "nonsym:n=60"};
  descent all = {0};
  for (int k = 0; k < 3; k++)
    for (int seed = 1; seed <= seeds; seed++) {
      char problem[80];
      snprintf(problem, sizeof problem, "%s,seed=%d", kinds[k], seed);
      perp_options o = perp_options_default();
      o.max_iterations = 100;
      o.observer = watch_merit;
      o.observer_context = &all;
      experiment_solve_text(e, problem, "fischer:window=1,weighted=no,restarts=0", &o);
    }
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, all.steps > 0 && all.rises == 0,
                   "the line search lowers the merit of Fischer-Newton in every step, on games, "
                   "unsymmetric problems and heaps of balls (it rises in %d of %d)",
                   all.rises, all.steps);
}

static void run(experiment *e)
{
  const int seeds = experiment_pick(e, 2, 5, SEEDS);
  char fluid[48];
  snprintf(fluid, sizeof fluid, "fluid-notes:rhs=notes,n=%d", experiment_pick(e, 343, 1000, 1000));
  const char *const problems[PROBLEMS] = {fluid, "contact-notes:rhs=notes,n=180",
                                          "fluid:n=3600,plant=yes",
                                          "pile:n=16,form=polyhedral,layout=random,plant=yes"};
  static const char *const names[PROBLEMS] = {"fluid", "contact", "dam", "pile"};
  static const char *const titles[PROBLEMS] = {
      "Fluid by the recipe of the notes", "180 contact variables by the recipe of the notes",
      "Pressure of a dam, 1008 wet cells, planted", "A heap of balls with friction, planted"};
  outcome all[PROBLEMS][SEEDS];
  for (int p = 0; p < PROBLEMS; p++)
    for (int k = 0; k < seeds; k++) {
      experiment_case c;
      if (!experiment_open(e, &c, "%s,seed=%d", problems[p], k + 1))
        return;
      try_all(e, &c, k == 0 ? names[p] : NULL, titles[p], &all[p][k]);
      experiment_close(&c);
      if (!experiment_progress(e, (p + (k + 1.0) / seeds) / PROBLEMS))
        return;
    }
  claim(e, all, seeds);
  claim_descent(e, experiment_pick(e, 8, 20, 50));
  experiment_why(e,
                 "x = 0 is the start. The right-hand side of the notes has b_i = 0 in about half "
                 "of the rows, so that the strategy decides the first step in those "
                 "rows at once; on planted problems it hardly ever matters. The notes approximate "
                 "the product of the Jacobian with a step by one difference, and lose the "
                 "digits that this costs.");
}

const experiment_info experiment_strategies = {
    .name = "strategies",
    .title = "Strategies for the Newton equation of Fischer-Newton",
    .source = "Erleben 2013, Figure 3",
    .says =
        "on contact problems perturbation at times uses fewer iterations; on fluid problems all "
        "strategies are similar; approximation always gives a less accurate solution",
    .run = run,
};
