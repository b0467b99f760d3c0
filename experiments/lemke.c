/* lemke.c: time and success of Lemke's method on random sequences, n = 2^2 .. 2^10 (Erleben 2013,
 * slides, basic exercise)
 *
 * The result depends on the kind of random problem: planted definite matrices, P-matrices, and entries
 * of A and b drawn from -1..1, a class for which no method is known to find the solutions. */
#include "kit/numbers.h"
#include "notes.h"

#include <math.h>
#include <stdlib.h>

enum { SETS = 3, LEAST = 2, MOST = 10, LEVELS = MOST - LEAST + 1, SEQUENCES = 10 };
enum { DEFINITE, P_MATRIX, UNIFORM };
static const char *const names[SETS] = {"definite", "P-matrix", "uniform"};

/* Entries of A and b from -1 to 1. Follows a single path, which may end on a ray, as in the textbook. */
static experiment_solve solve_uniform(experiment *e, int n, uint64_t seed, const perp_options *o)
{
  const size_t square = (size_t)n * (size_t)n;
  double *a = malloc((square + (size_t)n) * sizeof *a);
  experiment_solve s = {.error = PERP_ERROR_MEMORY};
  for (size_t k = 0; a && k < square + (size_t)n; k++)
    a[k] = 2 * notes_uniform(&seed) - 1;
  if (a)
    s = experiment_solve_dense(n, a, a + square, "lemke:retries=0", o);
  if (s.error)
    experiment_fail(e, s.error, "lemke");
  free(a);
  return s;
}

static experiment_solve solve_one(experiment *e, int set, int n, int sequence, double limit)
{
  char text[96];
  perp_options o = perp_options_default();
  o.time_limit = limit;
  snprintf(text, sizeof text, "%s:n=%d,seed=%d", set == DEFINITE ? "pd" : "pmatrix", n,
           sequence + 1);
  return set == UNIFORM ? solve_uniform(e, n, (uint64_t)(1000 * n + sequence), &o)
                        : experiment_solve_text(e, text, "lemke", &o);
}

static void draw(experiment *e)
{
  experiment_draw(e, "time",
                  &(plot){.title = "Median time of Lemke's method",
                          .x_label = "unknowns n",
                          .y_label = "seconds",
                          .log_x = true,
                          .log_y = true},
                  "levels", "definite,P-matrix,uniform", experiment_marked);
  experiment_line share[SETS];
  for (int s = 0; s < SETS; s++)
    share[s] = (experiment_line){"bars", 1 + s, 4 + s, names[s], {.bars = 0.25}};
  experiment_draw_lines(e, "share",
                        &(plot){.title = "Share of the problems that are solved",
                                .x_label = "log2 of the unknowns n",
                                .y_label = "solved in percent",
                                .y_most = 110},
                        SETS, share);
}

static void run(experiment *e)
{
  const int last = experiment_pick(e, 7, 9, MOST), limit = experiment_pick(e, 2, 5, 10);
  double seconds[SETS][LEVELS], solved[SETS][LEVELS], pivots[SETS][LEVELS];
  int outcomes[SETS] = {0}, solutions[SETS] = {0}, proofs = 0;
  for (int k = LEAST; k <= last; k++)
    for (int s = 0; s < SETS; s++) {
      double time[SEQUENCES], steps[SEQUENCES];
      int count = 0;
      for (int q = 0; q < SEQUENCES; q++) {
        const experiment_solve r = solve_one(e, s, 1 << k, q, limit);
        time[q] = r.seconds;
        steps[q] = (double)r.counts.pivots / (1 << k);
        count += r.outcome == PERP_SOLVED;
        proofs += s == UNIFORM && r.outcome == PERP_INFEASIBLE;
      }
      seconds[s][k - LEAST] = kit_median(SEQUENCES, time);
      pivots[s][k - LEAST] = kit_median(SEQUENCES, steps);
      solved[s][k - LEAST] = 100.0 * count / SEQUENCES;
      outcomes[s] += SEQUENCES;
      solutions[s] += count;
      if (!experiment_progress(e, (k - LEAST + (s + 1.0) / SETS) / (last - LEAST + 1)))
        return;
    }
  experiment_table *t = experiment_table_begin(
      e, "levels", "Medians over ten sequences: seconds, pivots per unknown, percent solved",
      "n,definite: s,P-matrix: s,uniform: s,definite: pivots/n,P-matrix,uniform,definite: "
      "%,P-matrix,uniform");
  experiment_table *bars =
      experiment_table_begin(e, "bars", NULL, "x1,x2,x3,definite,P-matrix,uniform");
  double n[LEVELS];
  const int levels = last - LEAST + 1;
  for (int k = 0; k < levels; k++) {
    n[k] = 1 << (k + LEAST);
    experiment_cell(t, n[k]);
    for (int s = 0; s < SETS; s++)
      experiment_cell(t, seconds[s][k]);
    for (int s = 0; s < SETS; s++)
      experiment_cell(t, pivots[s][k]);
    for (int s = 0; s < SETS; s++)
      experiment_cell(bars, k + LEAST + 0.25 * (s - 1));
    for (int s = 0; s < SETS; s++) {
      experiment_cell(t, solved[s][k]);
      experiment_cell(bars, solved[s][k]);
    }
  }
  experiment_table_end(t);
  experiment_table_end(bars);
  draw(e);
  const int half = levels / 2;
  const double p = kit_exponent(levels - half, n + half, seconds[DEFINITE] + half);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST,
      solutions[DEFINITE] == outcomes[DEFINITE] && solutions[P_MATRIX] == outcomes[P_MATRIX],
      "Lemke's method solves every problem with a definite or a P-matrix (%d of %d)",
      solutions[DEFINITE] + solutions[P_MATRIX], outcomes[DEFINITE] + outcomes[P_MATRIX]);
  experiment_claim(
      e, CLAIM_HONEST, solutions[UNIFORM] == outcomes[UNIFORM],
      "Lemke's method solves every problem with entries drawn at random (%d of %d; of the rest %d "
      "are proved infeasible)",
      solutions[UNIFORM], outcomes[UNIFORM], proofs);
  experiment_claim(e, CLAIM_PAPER, p > 2.5 && p < 3.5,
                   "the time of Lemke's method on definite problems grows as the cube of n "
                   "(exponent %.2f by the larger half)",
                   p);
  experiment_why(
      e,
      "The slides ask for the plots and print none. A run is cut after %d s, and follows a single "
      "path where entries are drawn at random. A pivot costs O(n^2) and the number of pivots is "
      "about proportional to n where the class is a good one, though 2^n in the worst case.",
      limit);
}

const experiment_info experiment_lemke = {
    .name = "lemke",
    .title = "Lemke's method on random sequences",
    .source = "Erleben 2013, slides, basic exercise",
    .says = "plot the time for n = 4, 8, ... 1024 over ten random sequences, and the share solved",
    .run = run,
};
