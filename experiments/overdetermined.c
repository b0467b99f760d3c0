/* overdetermined.c: positive semi-definite matrices with more and more zero eigenvalues (Erleben
 * 2013, section 7), with the histograms of final states that the notes left out */
#include "notes.h"

#include <math.h>

enum { RATIOS = 10, METHODS = 4 };

/* The approximation strategy, as the notes chose for this study. */
static const notes_method methods[METHODS] = {
    {"fischer:strategy=approximation", "Fischer", PERP_MERIT_FISCHER},
    {"minmap", "Min. map", PERP_MERIT_MINMAP},
    {"pgs", "PGS", PERP_MERIT_COMPLEMENTARITY},
    {"psor:omega=1.4", "PSOR 1.4", PERP_MERIT_COMPLEMENTARITY},
};
static const char *const names[METHODS] = {"fischer", "minmap", "pgs", "psor"};

typedef struct counts {
  int runs, state[NOTES_STATES], truly; /* truly: natural residual at most 1e-3 */
} counts;

typedef struct proofs {
  int problems, none; /* none: Lemke ended on a ray that proves infeasibility */
} proofs;

static void tally(experiment *e, bool recipe, int ratios, const double *ratio, int problems,
                  counts (*c)[RATIOS], proofs *proved)
{
  const notes_rule notes = {.absolute = 1e-2, .relative = 1e-4, .stagnation = 1e-14, .limit = 100};
  const notes_rule honest = {.residual = 1e-6, .limit = 100};
  for (int r = 0; r < ratios; r++)
    for (int k = 0; k < problems; k++) {
      char kind[48];
      experiment_case open;
      snprintf(kind, sizeof kind, "psd:n=100,ratio=%g", ratio[r]);
      if (!notes_open_dense(e, &open, recipe, k + 1, kind))
        return;
      for (int m = 0; m < METHODS; m++) {
        double x[100] = {0};
        const notes_run run = notes_solve(&open.p, &methods[m], recipe ? &notes : &honest, x);
        c[m][r].runs++;
        c[m][r].state[run.state]++;
        c[m][r].truly += run.residual <= 1e-3;
      }
      proved[r].problems++;
      proved[r].none +=
          experiment_run_from_0(&open, "lemke", NULL, NULL, 0).outcome == PERP_INFEASIBLE;
      experiment_close(&open);
      if (!experiment_progress(e, 0.5 * (!recipe) + 0.5 * (r + (k + 1.0) / problems) / ratios))
        return;
    }
}

/* Bars on top of each other: the sums up to each state, the first of them on top. */
static void draw(experiment *e, bool recipe, int m, int ratios, const double *ratio,
                 const counts *c)
{
  char name[48], title[160];
  snprintf(name, sizeof name, "%s-%s", recipe ? "notes" : "planted", names[m]);
  snprintf(title, sizeof title, "Final states of %s, %s", methods[m].title,
           recipe ? "right-hand side of the notes" : "planted solutions");
  experiment_table *t =
      experiment_table_begin(e, name, NULL,
                             "ratio,to relative,to absolute,to stagnation,to local minimum,"
                             "to non-descent,to limit,to other");
  for (int r = 0; r < ratios; r++) {
    experiment_cell(t, ratio[r]);
    double sum = 0;
    for (int k = 0; k < NOTES_STATES; k++) {
      sum += 100.0 * c[r].state[k] / c[r].runs;
      experiment_cell(t, sum);
    }
  }
  experiment_table_end(t);
  experiment_draw(e, name,
                  &(plot){.title = title,
                          .x_label = "share of zero eigenvalues",
                          .y_label = "problems in percent",
                          .x_least = -0.1,
                          .x_most = 1,
                          .y_most = 100},
                  name, "relative,absolute,stagnation,local minimum,non-descent,limit,other",
                  (experiment_style){.bars = ratios > 5 ? 0.08 : 0.12});
}

static double share(const counts *c, int from, int to, notes_state state)
{
  int count = 0, runs = 0;
  for (int r = from; r < to; r++) {
    count += c[r].state[state];
    runs += c[r].runs;
  }
  return runs ? (double)count / runs : NAN;
}

static void run(experiment *e)
{
  const int ratios = experiment_pick(e, 5, RATIOS, RATIOS);
  const int problems = experiment_pick(e, 10, 40, 100);
  double ratio[RATIOS];
  for (int r = 0; r < ratios; r++)
    ratio[r] = ratios == RATIOS ? 0.1 * r : 0.2 * r;
  proofs proved[2][RATIOS] = {0};
  counts(*c)[METHODS][RATIOS] = experiment_room(e, 2, sizeof *c);
  for (int k = 0; k < 2 && !experiment_stopped(e); k++)
    tally(e, k == 0, ratios, ratio, problems, c[k], proved[k]);
  if (experiment_stopped(e))
    return;
  for (int k = 0; k < 2; k++)
    for (int m = 0; m < METHODS; m++)
      draw(e, k == 0, m, ratios, ratio, c[k][m]);
  experiment_table *t = experiment_table_begin(
      e, "true", "Problems in percent with a relative natural residual of at most 1e-3 at the end",
      "right-hand side,share of zeros,Fischer,min. map,PGS,PSOR,proved to have no solution");
  for (int k = 0; k < 2; k++)
    for (int r = 0; r < ratios; r++) {
      experiment_cell_text(t, "%s", k == 0 ? "notes" : "planted");
      experiment_cell(t, ratio[r]);
      for (int m = 0; m < METHODS; m++)
        experiment_cell(t, 100.0 * c[k][m][r].truly / c[k][m][r].runs);
      experiment_cell(t, 100.0 * proved[k][r].none / proved[k][r].problems);
    }
  experiment_table_end(t);
  const int large = ratios / 2;
  experiment_claim(e, CLAIM_PAPER,
                   share(c[0][0], 0, ratios, NOTES_RELATIVE) >
                       share(c[0][1], 0, ratios, NOTES_RELATIVE),
                   "Fischer-Newton is better at reaching relative convergence than the minimum map "
                   "(%.0f %% and %.0f %% of the runs end so)",
                   100 * share(c[0][0], 0, ratios, NOTES_RELATIVE),
                   100 * share(c[0][1], 0, ratios, NOTES_RELATIVE));
  int none = 0, all = 0;
  for (int r = large; r < ratios; r++) {
    none += proved[0][r].none;
    all += proved[0][r].problems;
  }
  double end[2][2];
  for (int k = 0; k < 2; k++)
    for (int m = 0; m < 2; m++)
      end[k][m] = 100 * share(c[k][m], large, ratios, NOTES_ABSOLUTE);
  experiment_claim(e, CLAIM_PAPER, end[0][0] < 50 && end[0][1] < 50,
                   "with many zero eigenvalues both Newton methods get into trouble (%.0f %% and "
                   "%.0f %% reach absolute convergence, but %.0f %% of the problems are proved to "
                   "have no solution)",
                   end[0][0], end[0][1], all ? 100.0 * none / all : 0);
  experiment_claim(e, CLAIM_HONEST | CLAIM_HEADLINE, end[1][0] < 50 && end[1][1] < 50,
                   "with many zero eigenvalues both Newton methods get into trouble on planted "
                   "problems (%.0f %% and %.0f %% are solved to 1e-6)",
                   end[1][0], end[1][1]);
  experiment_claim(e, CLAIM_PAPER,
                   share(c[0][2], 0, ratios, NOTES_LIMIT) > 0.99 &&
                       share(c[0][3], 0, ratios, NOTES_LIMIT) > 0.99,
                   "PGS and PSOR always reach their limit of 100 iterations (%.0f %% and %.0f %%)",
                   100 * share(c[0][2], 0, ratios, NOTES_LIMIT),
                   100 * share(c[0][3], 0, ratios, NOTES_LIMIT));
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST | CLAIM_HEADLINE,
                   share(c[1][0], 0, ratios, NOTES_ABSOLUTE) > 0.9,
                   "Fischer-Newton solves nearly all planted problems, whatever the share of "
                   "zeros (%.0f %%)",
                   100 * share(c[1][0], 0, ratios, NOTES_ABSOLUTE));
  int proved_all = 0, problems_all = 0;
  for (int r = 0; r < ratios; r++) {
    proved_all += proved[0][r].none;
    problems_all += proved[0][r].problems;
  }
  experiment_claim(
      e, CLAIM_OURS | CLAIM_HEADLINE, proved_all > 0,
      "a proof, by Lemke's method, that %d of the %d problems of the notes' recipe have no "
      "solution: there no method could have ended well",
      proved_all, problems_all);
  experiment_why(e, "With the right-hand side of the notes a problem over a singular matrix may "
                    "have no solution at all, so that no method could end well; planted ones "
                    "always have one, and there absolute means a relative natural residual of "
                    "1e-6. Relative convergence says no more than that theta stands still: on "
                    "problems without a solution it is a local minimum by another name. Our "
                    "Newton methods regularise singular equations.");
}

const experiment_info experiment_overdetermined = {
    .name = "overdetermined",
    .title = "Over-determined systems: zero eigenvalues",
    .source = "Erleben 2013, section 7",
    .says =
        "Fischer-Newton with the approximation strategy is better at reaching relative "
        "convergence than the minimum map; for large shares of zero eigenvalues both end in local "
        "minima or without descent; PGS and PSOR always run to their limit",
    .run = run,
};
