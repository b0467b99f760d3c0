/* lemke.c: time and success of Lemke's method on random sequences, n = 2^2 .. 2^10 (Erleben 2013,
 * slides, basic exercise)
 *
 * What is random decides what is solved: planted definite matrices, P-matrices, and entries of A
 * and b drawn from -1..1, a class for which no method is known to find the solutions. */
#include "kit/numbers.h"
#include "notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 3, LEAST = 2, MOST = 10, LEVELS = MOST - LEAST + 1, SEQUENCES = 10 };
enum { DEFINITE, P_MATRIX, UNIFORM };
static const char *const names[SETS] = {"definite", "P-matrix", "uniform"};

static perp_error make_uniform(int n, uint64_t seed, perp_instance *instance, double **memory)
{
  double *a = malloc(((size_t)n * (size_t)n + (size_t)n) * sizeof *a);
  *instance = (perp_instance){0};
  *memory = a;
  if (!a)
    return PERP_ERROR_MEMORY;
  for (int64_t k = 0; k < (int64_t)n * n + n; k++)
    a[k] = 2 * notes_uniform(&seed) - 1;
  return perp_operator_dense(n, a, n, PERP_BORROW, &instance->A, NULL);
}

/* One problem: seconds, pivots per unknown, and whether it was solved. */
static perp_error solve_one(int set, int n, int sequence, double limit, experiment_solve *s,
                            perp_message *why)
{
  perp_instance instance;
  double *memory = NULL, *x = calloc((size_t)n, sizeof *x);
  char text[96];
  snprintf(text, sizeof text, "%s:n=%d,seed=%d", set == DEFINITE ? "pd" : "pmatrix", n,
           sequence + 1);
  perp_error error = set == UNIFORM
                         ? make_uniform(n, (uint64_t)(1000 * n + sequence), &instance, &memory)
                         : perp_generate(text, &instance, why);
  if (!error && x) {
    const perp_problem p = set == UNIFORM
                               ? perp_problem_lcp(instance.A, memory + (size_t)n * (size_t)n)
                               : perp_instance_problem(&instance);
    perp_options o = perp_options_default();
    o.time_limit = limit;
    /* one path alone, which may end on a ray, as the textbook has it */
    *s = experiment_run_on(&p, set == UNIFORM ? "lemke:retries=0" : "lemke", &o, x, NULL, NULL, 0);
  }
  if (set == UNIFORM)
    perp_operator_destroy(instance.A);
  else if (!error)
    perp_instance_destroy(&instance);
  free(memory);
  free(x);
  return error ? error : x ? PERP_OK : PERP_ERROR_MEMORY;
}

static void draw(experiment *e)
{
  experiment_line time[SETS], share[SETS];
  for (int s = 0; s < SETS; s++) {
    time[s] = (experiment_line){"levels", 1, 2 + s, names[s], "linespoints"};
    share[s] = (experiment_line){"bars", 1 + s, 4 + s, names[s], "boxes"};
  }
  experiment_draw(e, &(experiment_plot){.name = "time",
                                        .title = "Median time of Lemke's method",
                                        .x_label = "unknowns n",
                                        .y_label = "seconds",
                                        .log_x = true,
                                        .log_y = true,
                                        .extra = "set logscale x 2",
                                        .lines = SETS,
                                        .line = time});
  experiment_draw(e,
                  &(experiment_plot){.name = "share",
                                     .title = "Share of the problems that are solved",
                                     .x_label = "log2 of the unknowns n",
                                     .y_label = "solved in percent",
                                     .extra = "set boxwidth 0.25\nset yrange [0:110]\nset xtics 1\n"
                                              "set style fill solid 0.8 noborder",
                                     .lines = SETS,
                                     .line = share});
}

static perp_error run(experiment *e, perp_message *why)
{
  const int last = experiment_pick(e, 7, 9, MOST), limit = experiment_pick(e, 2, 5, 10);
  double seconds[SETS][LEVELS], solved[SETS][LEVELS], pivots[SETS][LEVELS];
  int outcomes[SETS] = {0}, solutions[SETS] = {0}, proofs = 0;
  for (int k = LEAST; k <= last; k++)
    for (int s = 0; s < SETS; s++) {
      double time[SEQUENCES], steps[SEQUENCES];
      int count = 0;
      for (int q = 0; q < SEQUENCES; q++) {
        experiment_solve r = {0};
        const perp_error error = solve_one(s, 1 << k, q, limit, &r, why);
        if (error)
          return error;
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
        return PERP_OK;
    }
  experiment_table *t = experiment_table_begin(
      e, "levels", "Medians over ten sequences: seconds, pivots per unknown, percent solved",
      "n,definite: s,P-matrix: s,uniform: s,definite: pivots/n,P-matrix,uniform,definite: "
      "%,P-matrix,"
      "uniform");
  experiment_table *bars =
      experiment_table_begin(e, "bars", "Percent solved", "x1,x2,x3,definite,P-matrix,uniform");
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
  experiment_table_end(t, false);
  experiment_table_end(bars, true);
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
  experiment_claim(e, CLAIM_PAPER, p > 2 && p < 3.5,
                   "the time of Lemke's method on definite problems grows about as the cube of n "
                   "(exponent %.2f by the "
                   "larger half)",
                   p);
  experiment_why(
      e,
      "The slides ask for the plots and print none. A run is cut after %d s, and follows a "
      "single path where entries are drawn at random. A pivot costs O(n^2) and the number "
      "of pivots is about proportional to n where the class is a good one, though 2^n in "
      "the worst case.",
      limit);
  return PERP_OK;
}

const experiment_info experiment_lemke = {
    .name = "lemke",
    .title = "Lemke's method on random sequences",
    .source = "Erleben 2013, slides, basic exercise",
    .says = "plot the time for n = 4, 8, ... 1024 over ten random sequences, and the share solved",
    .run = run,
};
