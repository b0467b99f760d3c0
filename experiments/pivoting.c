/* pivoting.c: the four pivoting methods of a robotics engine (Tan, Siu and Liu; the engine DART,
 * whose table of methods is Cottle and Dantzig 1968, Lemke 1965, Baraff 1994 and direct ones)
 *
 * Shows the problems that each method solves, in the classes of its description; the growth of its
 * pivots and time with n; and its pivots on problems made to need exponentially many. */
#include "experiment.h"
#include "kit/numbers.h"

#include <math.h>
#include <time.h>

enum { METHODS = 4, DIRECT = 0, DANTZIG, LEMKE, BARAFF, SIZES = 8 };
/* Dantzig's without the sweeps that guess its index sets. */
static const char *const methods[METHODS] = {"direct", "dantzig:sweeps=0", "lemke", "baraff"};

typedef struct problem_class {
  const char *label, *text; /* the seed is appended */
} problem_class;

enum { TINY_PD, TINY_P, PD, PSD, SKEW, P_MATRIX, MASSES, BOXED, PYRAMID, FINDEX, CLASSES };
static const problem_class classes[CLASSES] = {
    [TINY_PD] = {"definite of 3 unknowns", "pd:n=3"},
    [TINY_P] = {"P-matrix of 3 unknowns", "pmatrix:n=3"},
    [PD] = {"definite", "pd:n=30"},
    [PSD] = {"semi-definite", "psd:n=30"},
    [SKEW] = {"definite but unsymmetric", "nonsym:n=30"},
    [P_MATRIX] = {"P-matrix", "pmatrix:n=30"},
    [MASSES] = {"stack of masses 1 to 1000", "stack:n=5,ratio=1000,jitter=0.1"},
    [BOXED] = {"definite in a box", "pd:n=30,form=boxed"},
    [PYRAMID] = {"heap with friction pyramids", "pile:n=4,form=polyhedral,jitter=1"},
    [FINDEX] = {"heap with friction boxes", "pile:n=4,form=findex,jitter=1"},
};

/* Share solved over the seeds; NaN if the method does not take such problems. */
static double share_solved(experiment *e, const char *text, const char *method, int seeds)
{
  int solved = 0;
  for (int seed = 1; seed <= seeds; seed++) {
    char problem[128];
    snprintf(problem, sizeof problem, "%s,seed=%d", text, seed);
    const experiment_solve s = experiment_solve_text(e, problem, method, NULL);
    if (s.error)
      return NAN;
    solved += s.outcome == PERP_SOLVED;
  }
  return (double)solved / seeds;
}

static bool write_classes(experiment *e, double share[CLASSES][METHODS])
{
  const int seeds = experiment_pick(e, 20, 100, 500);
  char title[96];
  snprintf(title, sizeof title, "Share solved to 1e-8 of %d problems in each class", seeds);
  experiment_table *t =
      experiment_table_begin(e, "classes", title, "class,direct,Dantzig,Lemke,Baraff");
  for (int c = 0; c < CLASSES; c++) {
    experiment_cell_text(t, "%s", classes[c].label);
    for (int m = 0; m < METHODS; m++) {
      share[c][m] = share_solved(e, classes[c].text, methods[m], seeds);
      if (isnan(share[c][m]))
        experiment_cell_text(t, "not taken");
      else
        experiment_cell(t, share[c][m]);
    }
    if (!experiment_progress(e, 0.3 * (c + 1) / CLASSES))
      break;
  }
  experiment_table_end(t);
  return experiment_progress(e, 0.3);
}

/* Pivots and CPU time against n, on dense definite problems; false: stopped. */
static bool write_growth(experiment *e, double pivots[METHODS], double time_exponent[METHODS])
{
  const int first = 25, sizes = experiment_pick(e, 6, 6, SIZES), seeds = 3;
  double n[SIZES], count[METHODS][SIZES], seconds[METHODS][SIZES];
  experiment_table *t = experiment_table_begin(
      e, "growth", "Dense definite problems: pivots and CPU seconds, medians",
      "n,Dantzig pivots,Lemke pivots,Baraff pivots,Dantzig seconds,Lemke seconds,Baraff seconds");
  for (int k = 0; k < sizes; k++) {
    n[k] = first << k;
    for (int m = DANTZIG; m < METHODS; m++) {
      double c[3] = {0}, s[3] = {0};
      for (int seed = 0; seed < seeds; seed++) {
        experiment_case at;
        if (!experiment_open(e, &at, "pd:n=%d,seed=%d", first << k, seed + 1))
          break;
        const clock_t began = clock();
        c[seed] = (double)experiment_run_from_0(&at, methods[m], NULL, NULL, 0).counts.pivots;
        s[seed] = fmax((double)(clock() - began) / CLOCKS_PER_SEC, 1e-6);
        experiment_close(&at);
      }
      count[m][k] = fmax(1, kit_median(seeds, c));
      seconds[m][k] = kit_median(seeds, s);
    }
    experiment_row(t, 7,
                   (double[]){n[k], count[DANTZIG][k], count[LEMKE][k], count[BARAFF][k],
                              seconds[DANTZIG][k], seconds[LEMKE][k], seconds[BARAFF][k]});
    if (!experiment_progress(e, 0.3 + 0.5 * (k + 1) / sizes))
      break;
  }
  experiment_table_end(t);
  if (experiment_stopped(e))
    return false;
  for (int m = DANTZIG; m < METHODS; m++) {
    pivots[m] = kit_exponent(sizes, n, count[m]);
    time_exponent[m] = kit_exponent(sizes, n, seconds[m]);
  }
  experiment_draw(e, "time",
                  &(plot){.title = "Time of the pivoting methods on dense definite problems",
                          .x_label = "n",
                          .y_label = "CPU time (s)",
                          .log_x = true,
                          .log_y = true},
                  "growth", ",,,Dantzig,Lemke,Baraff", experiment_marked);
  return true;
}

/* Pivots on problems made to need exponentially many; true if pivoting by the least index and
 * Lemke's method take 2^n - 1, on a definite matrix too. */
static bool write_worst(experiment *e)
{
  static const struct {
    const char *kind, *method;
  } pairs[] = {{"murty", "murty"}, {"fathi", "lemke:cover=ones"}};
  enum { PAIRS = 2, FIRST = 2, LAST = 12, STEP = 2 };
  bool exponential = true;
  experiment_table *t = experiment_table_begin(
      e, "worst", "Pivots on problems made to need many",
      "n,2^n - 1,least index on Murty's,Lemke on Fathi's,Lemke on Murty's for it");
  for (int n = FIRST; n <= LAST; n += STEP) {
    experiment_cell(t, n);
    experiment_cell_text(t, "%d", (1 << n) - 1);
    for (int k = 0; k < PAIRS; k++) {
      char problem[32];
      snprintf(problem, sizeof problem, "%s:n=%d", pairs[k].kind, n);
      const experiment_solve s = experiment_solve_text(e, problem, pairs[k].method, NULL);
      const bool solved = !s.error && s.outcome == PERP_SOLVED;
      experiment_cell_text(t, solved ? "%lld" : "not solved", (long long)s.counts.pivots);
      exponential = exponential && solved && s.counts.pivots == (1 << n) - 1;
    }
    const int64_t worst = experiment_lemke_worst(n);
    experiment_cell_text(t, "%lld", (long long)worst);
    exponential = exponential && worst == (1 << n) - 1;
  }
  experiment_table_end(t);
  return exponential;
}

static void run(experiment *e)
{
  double share[CLASSES][METHODS], pivots[METHODS], exponent[METHODS];
  if (!write_classes(e, share) || !write_growth(e, pivots, exponent))
    return;
  const bool exponential = write_worst(e);
  experiment_text(
      e,
      "Fitted on dense definite problems: pivots ~ n^%.2f (Dantzig), n^%.2f (Lemke), n^%.2f "
      "(Baraff), time ~ n^%.2f, n^%.2f, n^%.2f.",
      pivots[DANTZIG], pivots[LEMKE], pivots[BARAFF], exponent[DANTZIG], exponent[LEMKE],
      exponent[BARAFF]);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                   share[TINY_PD][DIRECT] == 1 && share[TINY_P][DIRECT] == 1,
                   "the direct method solves every problem of three unknowns, P-matrices too");
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST,
      share[PD][LEMKE] == 1 && share[PSD][LEMKE] == 1 && share[SKEW][LEMKE] == 1 &&
          share[P_MATRIX][LEMKE] == 1,
      "Lemke's method solves every definite, semi-definite, unsymmetric and P-matrix problem");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, share[PD][BARAFF] == 1 && share[PSD][BARAFF] == 1,
                   "Baraff's method solves every symmetric definite and semi-definite problem");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                   share[PD][DANTZIG] == 1 && share[BOXED][DANTZIG] == 1,
                   "Dantzig's method solves definite problems with and without upper bounds");
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_HEADLINE, share[SKEW][DANTZIG] == 1 && share[P_MATRIX][DANTZIG] == 1,
      "Dantzig's method has no requirement on the matrix (ours %s: driving a row rests on "
      "symmetry)",
      isnan(share[SKEW][DANTZIG]) ? "refuses unsymmetric ones"
                                  : "does not solve all unsymmetric ones");
  experiment_claim(e, CLAIM_HONEST,
                   share[MASSES][DANTZIG] == 1 && share[MASSES][LEMKE] == 1 &&
                       share[MASSES][BARAFF] == 1,
                   "pivoting methods bear large ratios of masses");
  experiment_claim(e, CLAIM_HONEST, share[FINDEX][DANTZIG] == 1,
                   "Dantzig's method solves contact with friction boxes (%.0f %%)",
                   100 * share[FINDEX][DANTZIG]);
  experiment_claim(e, CLAIM_PAPER,
                   exponent[DANTZIG] <= 4 && exponent[LEMKE] <= 4 && exponent[BARAFF] <= 4,
                   "time grows with the fourth power of n at the most, on definite problems (the "
                   "steepest: n^%.1f)",
                   fmax(exponent[DANTZIG], fmax(exponent[LEMKE], exponent[BARAFF])));
  experiment_claim(
      e, CLAIM_PAPER, !exponential,
      "pivoting takes O(n^4) in the worst case (by the least index and Lemke's way it %s "
      "2^n - 1 pivots on Murty's problems, Lemke's on Fathi's definite ones too)",
      exponential ? "takes" : "does not take");
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST, exponential,
                   "problems on which pivots double with each unknown: 2^n - 1 by the least index "
                   "and by Lemke's way, on a symmetric definite matrix too");
  experiment_claim(e, CLAIM_HONEST | CLAIM_MUST,
                   pivots[LEMKE] > 0.8 && pivots[LEMKE] < 1.3 && pivots[BARAFF] > 0.8 &&
                       pivots[BARAFF] < 1.3,
                   "on random definite problems pivots grow like n (Lemke n^%.2f, Baraff n^%.2f)",
                   pivots[LEMKE], pivots[BARAFF]);
  experiment_why(
      e, "The description counts one factorisation for each of n rows; how many pivots a row takes "
         "is not bounded by n, though it is small on problems that nobody made to be hard. "
         "Driving a row with Dantzig's method keeps the others complementary only if A is "
         "symmetric, and friction boxes, whose bounds move with the solution, need not have a "
         "solution that it can reach.");
}

const experiment_info experiment_pivoting = {
    .name = "pivoting",
    .title = "Four pivoting methods",
    .source = "Tan, Siu and Liu, and the description of the engine DART",
    .says = "direct (three unknowns), Dantzig and Lemke have no requirement on the matrix, Baraff "
            "needs a symmetric semi-definite one; all are exact, bear large ratios of masses, end "
            "in finitely many steps and take O(n^4) in the worst case",
    .run = run,
};
