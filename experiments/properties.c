/* properties.c: the table of properties of the methods, measured (Erleben 2013, Table 3)
 *
 * Which matrices: the share of planted problems of each class that is solved. Time: the exponent of
 * n, per iteration for iterative methods and in all for pivoting ones, on dense definite problems.
 * Rate: factor or order of the relative natural residual. Global convergence: the share solved from
 * random starts. Storage is not measured: the library does not count its bytes, nor do the
 * libraries that factor for it. */
#include "kit/numbers.h"
#include "notes.h"

#include <math.h>

enum { METHODS = 6, CLASSES = 8, SIZES = 5, ROOM = 201 };
enum { PGS, PSOR, DANTZIG, LEMKE, MINMAP, FISCHER };
enum { PD, PSD, NONSYM, PMATRIX, CONTACT, PILE, GAME, SCALED };

typedef struct row {
  const char *call, *title;
  bool pivoting;
  const char *matrices, *time, *storage, *rate, *global; /* the paper's */
} row;

static const row rows[METHODS] = {
    {"pgs", "PGS", false, "nonzero diagonal", "O(n)", "O(n)", "linear", "no"},
    {"psor:omega=1.4", "PSOR", false, "symmetric PSD", "O(n)", "O(n)", "linear", "yes"},
    {"dantzig", "Dantzig", true, "symmetric PD", "O(n^4)", "O(n^2)", "-", "-"},
    {"lemke", "Lemke", true, "P-matrix", "O(2^n)", "O(n^2)", "-", "-"},
    {"minmap", "Minimum map Newton", false, "no assumptions", "O(n^3)", "O(n^2)", "quadratic",
     "yes"},
    {"fischer", "Fischer-Newton", false, "no assumptions", "O(n^3)", "O(n^2)", "quadratic", "yes"},
};

static const char *const classes[CLASSES] = {
    "pd:n=60",       "psd:n=60,ratio=0.3", "nonsym:n=60",
    "pmatrix:n=60",  "contact-notes:n=60", "pile:n=8,form=polyhedral,layout=random,plant=yes",
    "bimatrix:n=40", "scaled:n=60"};

static bool solve_class(experiment *e, int class, int problems, double share[METHODS][CLASSES])
{
  int solved[METHODS] = {0};
  bool refused[METHODS] = {0};
  for (int k = 0; k < problems; k++) {
    experiment_case c;
    if (!experiment_open(e, &c, "%s,seed=%d", classes[class], k + 1))
      return false;
    for (int m = 0; m < METHODS; m++) {
      perp_options o = perp_options_default();
      o.tol = 1e-6;
      o.max_iterations = rows[m].pivoting ? 0 : 2000;
      o.time_limit = 1;
      const experiment_solve s = experiment_run_from_0(&c, rows[m].call, &o, NULL, 0);
      refused[m] = refused[m] || s.error;
      solved[m] += !s.error && s.outcome == PERP_SOLVED;
    }
    experiment_close(&c);
  }
  for (int m = 0; m < METHODS; m++)
    share[m][class] = refused[m] ? NAN : 100.0 * solved[m] / problems;
  return true;
}

/* The exponent of n in the time on dense definite problems. */
static void fit_time(experiment *e, int sizes, double exponent[METHODS])
{
  double n[SIZES], seconds[METHODS][SIZES];
  for (int k = 0; k < sizes; k++) {
    experiment_case c;
    if (!experiment_open(e, &c, "pd:n=%d", 64 << k))
      return;
    n[k] = 64 << k;
    for (int m = 0; m < METHODS; m++)
      seconds[m][k] = experiment_time(&c, rows[m].call, rows[m].pivoting ? 0 : 10, NULL);
    experiment_close(&c);
  }
  for (int m = 0; m < METHODS; m++)
    exponent[m] = kit_exponent(sizes, n, seconds[m]);
}

/* From x = 0 for the rate, factor of the sweeps or order of the Newton methods, and from random
 * starts. */
static void from_starts(experiment *e, int starts, double rate[METHODS], double global[METHODS])
{
  experiment_case c;
  if (!experiment_open(e, &c, "psd:n=60,ratio=0.3,seed=3"))
    return;
  double trace[ROOM];
  for (int m = 0; m < METHODS; m++) {
    rate[m] = global[m] = NAN;
    if (rows[m].pivoting)
      continue;
    perp_options o = perp_options_default();
    o.tol = 1e-14;
    o.max_iterations = ROOM - 1;
    const int traced = experiment_run_from_0(&c, rows[m].call, &o, trace, ROOM).traced;
    rate[m] = m == PGS || m == PSOR ? experiment_factor(traced, trace, 1e-13)
                                    : experiment_order(traced, trace, 0.1, 1e-12);
    int solved = 0;
    uint64_t seed = 5;
    o.tol = 1e-6;
    o.max_iterations = 5000;
    for (int k = 0; k < starts; k++) {
      for (int i = 0; i < c.p.K.n; i++)
        c.x[i] = 10 * notes_uniform(&seed);
      solved += experiment_run_on(&c.p, rows[m].call, &o, c.x, NULL, 0).outcome == PERP_SOLVED;
    }
    global[m] = 100.0 * solved / starts;
  }
  experiment_close(&c);
}

static void write_tables(experiment *e, double share[METHODS][CLASSES], const double *exponent,
                         const double *rate, const double *global)
{
  experiment_table *t = experiment_table_begin(
      e, "classes",
      "Planted problems solved to 1e-6, in percent; empty: the method does not take them",
      "method,definite,semi-definite,unsymmetric definite,P-matrix,contacts of the notes,heap of "
      "balls,games,badly scaled,paper: matrices");
  for (int m = 0; m < METHODS; m++) {
    experiment_cell_text(t, "%s", rows[m].title);
    experiment_row(t, CLASSES, share[m]);
    experiment_cell_text(t, "%s", rows[m].matrices);
  }
  experiment_table_end(t);
  t = experiment_table_begin(
      e, "numbers",
      "Time, rate and convergence from random starts, each next to the paper's statement",
      "method,time exponent,paper: time,factor,order,paper: rate,random starts solved in %,paper: "
      "global,paper: storage (not measured)");
  for (int m = 0; m < METHODS; m++) {
    experiment_cell_text(t, "%s", rows[m].title);
    experiment_cell(t, exponent[m]);
    experiment_cell_text(t, "%s", rows[m].time);
    experiment_cell(t, m == PGS || m == PSOR ? rate[m] : NAN);
    experiment_cell(t, m == MINMAP || m == FISCHER ? rate[m] : NAN);
    experiment_cell_text(t, "%s", rows[m].rate);
    experiment_cell(t, global[m]);
    experiment_cell_text(t, "%s", rows[m].global);
    experiment_cell_text(t, "%s", rows[m].storage);
  }
  experiment_table_end(t);
  experiment_text(e, "The column storage of Table 3 is left out here. "
                     "The library does not count the bytes of a solve, and what a factorisation "
                     "takes is known to the library that makes it.");
}

static void run(experiment *e)
{
  const int problems = experiment_pick(e, 10, 40, 100);
  double share[METHODS][CLASSES], exponent[METHODS], rate[METHODS], global[METHODS];
  for (int c = 0; c < CLASSES; c++)
    if (!solve_class(e, c, problems, share) || !experiment_progress(e, 0.6 * (c + 1) / CLASSES))
      return;
  fit_time(e, experiment_pick(e, 3, 4, SIZES), exponent);
  from_starts(e, experiment_pick(e, 10, 50, 100), rate, global);
  if (experiment_stopped(e))
    return;
  write_tables(e, share, exponent, rate, global);
  const int n = experiment_pick(e, 10, 12, 14);
  char problem[32];
  snprintf(problem, sizeof problem, "murty:n=%d", n);
  const int64_t murty = experiment_solve_text(e, problem, "murty", NULL).counts.pivots;
  const int64_t worst = experiment_lemke_worst(n);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                   share[LEMKE][PMATRIX] == 100 && share[LEMKE][PD] == 100,
                   "Lemke solves all P-matrices (%.0f %%)", share[LEMKE][PMATRIX]);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, share[DANTZIG][PD] == 100,
                   "Dantzig solves all symmetric definite ones");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, share[PSOR][PD] == 100 && global[PSOR] == 100,
                   "PSOR converges from everywhere on symmetric semi-definite matrices");
  experiment_claim(e, CLAIM_HONEST, share[PGS][NONSYM] == 100 && share[PGS][PMATRIX] == 100,
                   "a nonzero diagonal suffices for PGS (unsymmetric definite: %.0f %% solved)",
                   share[PGS][NONSYM]);
  experiment_claim(e, CLAIM_HONEST | CLAIM_HEADLINE,
                   share[MINMAP][GAME] == 100 && share[FISCHER][GAME] == 100 &&
                       share[MINMAP][PILE] == 100 && share[FISCHER][PILE] == 100,
                   "the Newton methods need no assumptions (games: %.0f %% and %.0f %% solved)",
                   share[MINMAP][GAME], share[FISCHER][GAME]);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE, worst == ((int64_t)1 << n) - 1,
                   "Lemke's method takes 2^n steps in the worst case (%lld pivots for n = %d, on "
                   "the problem of Murty 1978)",
                   (long long)worst, n);
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST,
                   murty == (int64_t)1 << n || murty == ((int64_t)1 << n) - 1,
                   "least-index pivoting takes 2^n pivots on Murty's problem (%lld for n = %d)",
                   (long long)murty, n);
  experiment_why(
      e, "A row is O(n) in the notes where it has a bounded number of entries; on the dense "
         "matrices here a sweep is O(n^2). A zero on the diagonal, or for Dantzig a matrix "
         "that is not symmetric, is refused. Stationary points of the Newton methods' "
         "merits need not be solutions unless A is a P0 matrix, which a game is not.");
}

const experiment_info experiment_properties = {
    .name = "properties",
    .title = "Properties of the methods, measured",
    .source = "Erleben 2013, Table 3",
    .says =
        "which matrices each method works for, its complexity, its rate, and whether it converges "
        "from everywhere",
    .run = run,
};
