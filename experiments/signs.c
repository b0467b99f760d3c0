/* signs.c: how many solutions has x >= 0, a x + b >= 0, x (a x + b) = 0? (Erleben 2013, slides)
 *
 * By the signs of a and b, each drawn many times; all bases are tried (method enumerate). */
#include "notes.h"

#include <math.h>
#include <string.h>

/* As the slides print them: rows a < 0, a = 0, a > 0; columns b < 0, b = 0, b > 0. */
static const double published[3][3] = {{0, 1, 2}, {0, INFINITY, 1}, {1, 1, 1}};

/* Returns the number of solutions, infinity if one is not isolated; -1 if enumerate fails. */
static double count_solutions(double a, double b)
{
  perp_operator *A = NULL;
  if (perp_operator_dense(1, &a, 1, PERP_BORROW, &A, NULL))
    return -1;
  const perp_problem p = perp_problem_lcp(A, &b);
  double x = 0;
  long long solutions = 0, isolated = 0;
  perp_result result = perp_result_empty();
  const perp_error error = perp_solve("enumerate", &p, NULL, &x, &result);
  /* "2 solutions, 2 isolated, of 2 bases" */
  const char *behind = strchr(result.message.text, ',');
  if (result.outcome == PERP_SOLVED &&
      sscanf(result.message.text, "enumerate: %lld", &solutions) < 1)
    sscanf(result.message.text, "%lld", &solutions);
  if (result.outcome == PERP_SOLVED && behind)
    sscanf(behind, ", %lld isolated", &isolated);
  perp_operator_destroy(A);
  if (error)
    return -1;
  return isolated < solutions ? INFINITY : (double)solutions;
}

static void run(experiment *e)
{
  static const char *const rows[3] = {"a < 0", "a = 0", "a > 0"};
  const int draws = experiment_pick(e, 100, 1000, 10000);
  uint64_t seed = 1;
  int right = 0;
  experiment_table *t = experiment_table_begin(
      e, "count", "Number of solutions of the LCP of one unknown; the last columns are the paper's",
      "sign of a,b < 0,b = 0,b > 0,paper: b < 0,b = 0,b > 0");
  for (int i = 0; i < 3; i++) {
    double found[3];
    for (int j = 0; j < 3; j++) {
      found[j] = NAN;
      bool same = true;
      for (int k = 0; k < draws; k++) {
        const double a = (i - 1) * (0.01 + notes_uniform(&seed));
        const double b = (j - 1) * (0.01 + notes_uniform(&seed));
        const double count = count_solutions(a, b);
        same = same && (k == 0 || count == found[j]);
        found[j] = count;
      }
      right += same && found[j] == published[i][j];
    }
    experiment_cell_text(t, "%s", rows[i]);
    experiment_row(t, 3, found);
    experiment_row(t, 3, published[i]);
    if (!experiment_progress(e, (i + 1) / 3.0))
      break;
  }
  experiment_table_end(t);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE, right == 9,
      "the number of solutions by the signs of a and b is as printed, in %d of 9 cases, "
      "each drawn %d times",
      right, draws);
}

const experiment_info experiment_signs = {
    .name = "signs",
    .title = "Solutions of the LCP of one unknown",
    .source = "Erleben 2013, slides, number of solutions",
    .says = "0, 1, 2 or infinitely many, by the signs of a and b; always one where a > 0",
    .run = run,
};
