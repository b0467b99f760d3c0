/* convergence.c: residual against iteration of all iterative methods (Erleben 2013, Figure 2)
 *
 * On the notes' fluid and contact problems and on a dam and a heap of balls. Rates are fitted to
 * the traces: for sweeps the factor per iteration over the last half, for Newton methods the order
 * p = log(r_k+1 / r_k) / log(r_k / r_k-1), the largest over the steps above rounding. */
#include "notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 121, METHODS = 16, NEWTON = 9 }; /* from NEWTON on: few iterations */

static const char *const methods[METHODS] = {
    "jacobi", "pgs",    "psor:omega=1.4", "spsor",    "nncg", "apgd", "spg",   "mprgp",
    "gpcg",   "minmap", "fischer",        "pfischer", "ssn",  "ipm",  "pgssm", "mg"};
enum { PGS = 1, PSOR = 2, MINMAP = 9, FISCHER = 10 };

typedef struct traces {
  experiment_solve s[METHODS];
  double r[METHODS][ROOM];
} traces;

/* The first iteration at which the residual is at most tol; -1: never. */
static int reaches(const traces *t, int m, double tol)
{
  for (int k = 0; k < t->s[m].traced; k++)
    if (t->r[m][k] <= tol)
      return k;
  return -1;
}

/* Residual per iteration over the last half above rounding. */
static double factor(const traces *t, int m)
{
  int last = t->s[m].traced - 1;
  while (last > 0 && !(t->r[m][last] > 1e-13))
    last--;
  const int first = last / 2;
  return last > first ? pow(t->r[m][last] / t->r[m][first], 1.0 / (last - first)) : NAN;
}

static double order(const traces *t, int m)
{
  double most = NAN;
  for (int k = 1; k + 1 < t->s[m].traced; k++) {
    const double a = t->r[m][k - 1], b = t->r[m][k], c = fmax(t->r[m][k + 1], 1e-16);
    if (b < 0.1 * a && b < 0.1 && b > 1e-12)
      most = fmax(isnan(most) ? 0 : most, log(c / b) / log(b / a));
  }
  return most;
}

static perp_error trace_all(experiment *e, const char *problem, traces *t, perp_message *why)
{
  perp_instance instance;
  const perp_error error = perp_generate(problem, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double *x = malloc((size_t)(p.K.n + 1) * sizeof *x);
  for (int m = 0; m < METHODS && x; m++) {
    perp_options o = perp_options_default();
    o.tol = 1e-12;
    o.max_iterations = m < NEWTON ? ROOM - 1 : 40;
    o.time_limit = experiment_pick(e, 2, 10, 60);
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    t->s[m] = experiment_run_on(&p, methods[m], &o, x, t->r[m], NULL, ROOM);
  }
  free(x);
  perp_instance_destroy(&instance);
  return x ? PERP_OK : PERP_ERROR_MEMORY;
}

static void write_table(experiment *e, const char *name, const traces *t, int from, int to)
{
  char columns[512] = "iteration";
  int longest = 0;
  for (int m = from; m < to; m++) {
    const size_t used = strlen(columns);
    snprintf(columns + used, sizeof columns - used, ",%s", methods[m]);
    longest = t->s[m].traced > longest ? t->s[m].traced : longest;
  }
  experiment_table *out = experiment_table_begin(e, name, "Relative natural residual", columns);
  for (int k = 0; k < longest; k++) {
    experiment_cell(out, k);
    for (int m = from; m < to; m++)
      experiment_cell(out, k < t->s[m].traced && t->r[m][k] > 0 ? t->r[m][k] : NAN);
  }
  experiment_table_end(out, true);
}

static void draw(experiment *e, const char *name, const char *title, const traces *t, int from,
                 int to)
{
  write_table(e, name, t, from, to);
  experiment_line line[METHODS];
  int lines = 0;
  for (int m = from; m < to; m++)
    if (!t->s[m].error && t->s[m].traced > 1)
      line[lines++] = (experiment_line){name, 1, 2 + m - from, methods[m],
                                        from >= NEWTON ? "linespoints" : "lines"};
  if (lines > 0)
    experiment_draw(e, &(experiment_plot){.name = name,
                                          .title = title,
                                          .x_label = "iteration",
                                          .y_label = "relative natural residual",
                                          .log_y = true,
                                          .extra = "set yrange [1e-16:10]",
                                          .lines = lines,
                                          .line = line});
}

/* A row per method: how it ended on each of the problems. */
static void tell(experiment *e, int problems, const char *const *title, const traces *t)
{
  char columns[512] = "method";
  for (int p = 0; p < problems; p++) {
    const size_t used = strlen(columns);
    snprintf(columns + used, sizeof columns - used, ",%s,rate", title[p]);
  }
  experiment_table *out =
      experiment_table_begin(e, "ends",
                             "Iterations to a residual of 1e-6, and the rate: factor per iteration "
                             "or order where it is at "
                             "least 1; finite: from far off to rounding in one step",
                             columns);
  for (int m = 0; m < METHODS; m++) {
    experiment_cell_text(out, methods[m]);
    for (int p = 0; p < problems; p++) {
      const int k = reaches(&t[p], m, 1e-6);
      const double rate = m < NEWTON ? factor(&t[p], m) : order(&t[p], m);
      char text[48];
      if (t[p].s[m].error)
        snprintf(text, sizeof text, "refuses");
      else if (k < 0)
        snprintf(text, sizeof text, "over %d", t[p].s[m].traced - 1);
      else
        snprintf(text, sizeof text, "%d", k);
      experiment_cell_text(out, text);
      if (t[p].s[m].error || isnan(rate) || (m >= NEWTON && rate < 1))
        text[0] = 0;
      else if (m >= NEWTON && rate > 3)
        snprintf(text, sizeof text, "finite");
      else
        snprintf(text, sizeof text, m < NEWTON ? "factor %.3f" : "order %.1f", rate);
      experiment_cell_text(out, text);
    }
  }
  experiment_table_end(out, false);
}

enum { FLUID, CONTACT, DAM, PILE, PROBLEMS };

static void claim(experiment *e, const traces *t, notes_run plain)
{
  const int pgs = reaches(&t[FLUID], PGS, 1e-6), psor = reaches(&t[FLUID], PSOR, 1e-6);
  const int map = reaches(&t[FLUID], MINMAP, 1e-6), fb = reaches(&t[FLUID], FISCHER, 1e-6);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE,
                   factor(&t[FLUID], PGS) < 1 && factor(&t[FLUID], PSOR) < 1,
                   "PGS and PSOR converge linearly on the fluid (factors %.3f and %.3f)",
                   factor(&t[FLUID], PGS), factor(&t[FLUID], PSOR));
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, map >= 0 && map <= 20 && fb >= 0 && fb <= 20,
                   "the Newton methods are accurate on the fluid within few iterations (%d, %d)",
                   map, fb);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE, order(&t[FLUID], FISCHER) > 1.5,
                   "Fischer-Newton converges quadratically (order %.1f on the fluid, %.1f on the "
                   "contacts)",
                   order(&t[FLUID], FISCHER), order(&t[CONTACT], FISCHER));
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST, map >= 0 && map < fb,
      "the minimum map takes fewer iterations than Fischer-Newton on the fluid (%d, %d)", map, fb);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, psor >= 0 && psor < pgs,
                   "PSOR with 1.4 is faster than PGS on the fluid (%d and %d sweeps)", psor, pgs);
  const int dam_pgs = reaches(&t[DAM], PGS, 1e-6), dam_psor = reaches(&t[DAM], PSOR, 1e-6);
  experiment_claim(
      e, CLAIM_HONEST | CLAIM_MUST,
      t[DAM].r[PSOR][t[DAM].s[PSOR].traced - 1] < t[DAM].r[PGS][t[DAM].s[PGS].traced - 1],
      "PSOR with 1.4 is faster than PGS on the dam (residuals %.1e and %.1e at the end%s)",
      t[DAM].r[PSOR][t[DAM].s[PSOR].traced - 1], t[DAM].r[PGS][t[DAM].s[PGS].traced - 1],
      dam_pgs < 0 && dam_psor < 0 ? ", neither solved" : "");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, t[CONTACT].s[PGS].error && t[PILE].s[PGS].error,
                   "sweeps cannot be used on contact problems, whose diagonal has zeros");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, reaches(&t[CONTACT], FISCHER, 1e-6) >= 0,
                   "Fischer-Newton solves the contact problem (%d iterations)",
                   reaches(&t[CONTACT], FISCHER, 1e-6));
  experiment_claim(
      e, CLAIM_PAPER, reaches(&t[CONTACT], MINMAP, 1e-6) < 0,
      "the minimum map does not work on contact problems (ours: %s; without smoothing, "
      "weights and restarts: %s, residual %.1e)",
      reaches(&t[CONTACT], MINMAP, 1e-6) < 0 ? "not solved" : "solved",
      notes_state_names[plain.state], plain.residual);
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST,
                   reaches(&t[PILE], FISCHER, 1e-6) >= 0 && reaches(&t[PILE], MINMAP, 1e-6) >= 0,
                   "both Newton methods solve a planted heap of balls with friction (%d and %d "
                   "iterations to 1e-6)",
                   reaches(&t[PILE], FISCHER, 1e-6), reaches(&t[PILE], MINMAP, 1e-6));
}

static perp_error run_plain(const char *problem, notes_run *run, perp_message *why)
{
  perp_instance instance;
  const perp_error error = perp_generate(problem, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n + 1, sizeof *x);
  const notes_rule rule = {.absolute = 1e-20, .limit = 100};
  if (x)
    *run = notes_solve(&p, &notes_plain_minmap, &rule, x);
  free(x);
  perp_instance_destroy(&instance);
  return x ? PERP_OK : PERP_ERROR_MEMORY;
}

static perp_error run(experiment *e, perp_message *why)
{
  char fluid[80];
  snprintf(fluid, sizeof fluid, "fluid-notes:rhs=notes,n=%d", experiment_pick(e, 512, 1000, 1000));
  const char *const problems[PROBLEMS] = {fluid, "contact-notes:rhs=notes,n=300", "fluid:n=3600",
                                          "pile:n=25,form=polyhedral,layout=random,plant=yes"};
  const char *const titles[PROBLEMS] = {"fluid of the notes", "contacts of the notes", "dam",
                                        "heap of balls"};
  static const char *const first[PROBLEMS] = {"fluid-sweeps", "contact-sweeps", "dam-sweeps",
                                              "pile-sweeps"};
  static const char *const second[PROBLEMS] = {"fluid-newton", "contact-newton", "dam-newton",
                                               "pile-newton"};
  traces *t = calloc(PROBLEMS, sizeof *t);
  perp_error error = t ? PERP_OK : PERP_ERROR_MEMORY;
  for (int k = 0; k < PROBLEMS && !error; k++) {
    error = trace_all(e, problems[k], &t[k], why);
    char title[160];
    snprintf(title, sizeof title, "Sweeps and gradients: %s", titles[k]);
    if (!error && k != CONTACT && k != PILE)
      draw(e, first[k], title, &t[k], 0, NEWTON);
    snprintf(title, sizeof title, "Newton methods and their kin: %s", titles[k]);
    if (!error)
      draw(e, second[k], title, &t[k], NEWTON, METHODS);
    if (!experiment_progress(e, (k + 1.0) / PROBLEMS))
      break;
  }
  notes_run plain = {0};
  if (!error && !experiment_stopped(e))
    error = run_plain(problems[CONTACT], &plain, why);
  if (!error && !experiment_stopped(e)) {
    tell(e, PROBLEMS, titles, t);
    claim(e, t, plain);
    experiment_why(
        e,
        "The notes plot merit functions, each its own; here all methods are measured by the "
        "relative natural residual. Newton methods for piecewise linear equations end in finitely "
        "many steps, so that an order is seen only where a step lies between 0.1 and rounding. "
        "Our minimum map raises a singular system a little, judges its steps by a smooth merit and "
        "falls back on the gradient, where that of the notes gives up.");
  }
  free(t);
  return error;
}

const experiment_info experiment_convergence = {
    .name = "convergence",
    .title = "Convergence of the iterative methods",
    .source = "Erleben 2013, Figure 2",
    .says =
        "sweeps converge linearly and Newton methods quadratically; PSOR with 1.4 is faster than "
        "PGS; the minimum map needs the fewest iterations on a fluid problem, and on contact "
        "problems only Fischer-Newton works",
    .run = run,
};
