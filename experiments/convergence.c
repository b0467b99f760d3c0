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

static double factor(const traces *t, int m)
{
  return experiment_factor(t->s[m].traced, t->r[m], 1e-13);
}

static double order(const traces *t, int m)
{
  return experiment_order(t->s[m].traced, t->r[m], 0.1, 1e-12);
}

static void trace_all(experiment *e, experiment_case *c, traces *t)
{
  for (int m = 0; m < METHODS; m++) {
    perp_options o = perp_options_default();
    o.tol = 1e-12;
    o.max_iterations = m < NEWTON ? ROOM - 1 : 40;
    o.time_limit = experiment_pick(e, 2, 10, 60);
    t->s[m] = experiment_run_from_0(c, methods[m], &o, t->r[m], ROOM);
  }
}

static void draw(experiment *e, const char *name, const char *title, const traces *t, int from,
                 int to)
{
  experiment_trace shown[METHODS];
  char columns[512] = "iteration";
  for (int m = from; m < to; m++) {
    const size_t used = strlen(columns);
    snprintf(columns + used, sizeof columns - used, ",%s", methods[m]);
    const bool traced = !t->s[m].error && t->s[m].traced > 1;
    shown[m - from] = (experiment_trace){traced ? methods[m] : NULL, t->s[m].traced, t->r[m],
                                         from >= NEWTON ? experiment_marked : experiment_lines};
  }
  experiment_draw_traces(e, name,
                         &(plot){.title = title,
                                 .x_label = "iteration",
                                 .y_label = "relative natural residual",
                                 .log_y = true,
                                 .y_least = 1e-16,
                                 .y_most = 10},
                         columns, 0, to - from, shown);
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
    experiment_cell_text(out, "%s", methods[m]);
    for (int p = 0; p < problems; p++) {
      const int k = reaches(&t[p], m, 1e-6);
      const double rate = m < NEWTON ? factor(&t[p], m) : order(&t[p], m);
      if (t[p].s[m].error)
        experiment_cell_text(out, "refuses");
      else if (k < 0)
        experiment_cell_text(out, "over %d", t[p].s[m].traced - 1);
      else
        experiment_cell_text(out, "%d", k);
      if (t[p].s[m].error || isnan(rate) || (m >= NEWTON && rate < 1))
        experiment_cell(out, NAN);
      else if (m >= NEWTON && rate > 3)
        experiment_cell_text(out, "finite");
      else
        experiment_cell_text(out, m < NEWTON ? "factor %.3f" : "order %.1f", rate);
    }
  }
  experiment_table_end(out);
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

static void run(experiment *e)
{
  char fluid[80];
  snprintf(fluid, sizeof fluid, "fluid-notes:rhs=notes,n=%d", experiment_pick(e, 512, 1000, 1000));
  const char *const problems[PROBLEMS] = {fluid, "contact-notes:rhs=notes,n=300", "fluid:n=3600",
                                          "pile:n=25,form=polyhedral,layout=random,plant=yes"};
  static const char *const titles[PROBLEMS] = {"fluid of the notes", "contacts of the notes", "dam",
                                               "heap of balls"};
  static const char *const names[PROBLEMS] = {"fluid", "contact", "dam", "pile"};
  const notes_rule rule = {.absolute = 1e-20, .limit = 100};
  notes_run plain = {0};
  traces *t = experiment_room(e, PROBLEMS, sizeof *t);
  for (int k = 0; k < PROBLEMS && t; k++) {
    experiment_case c;
    if (!experiment_open(e, &c, "%s", problems[k]))
      return;
    trace_all(e, &c, &t[k]);
    if (k == CONTACT) {
      memset(c.x, 0, (size_t)c.p.K.n * sizeof *c.x);
      plain = notes_solve(&c.p, &notes_plain_minmap, &rule, c.x);
    }
    experiment_close(&c);
    char name[40], title[160];
    snprintf(name, sizeof name, "%s-sweeps", names[k]);
    snprintf(title, sizeof title, "Sweeps and gradients: %s", titles[k]);
    if (k != CONTACT && k != PILE)
      draw(e, name, title, &t[k], 0, NEWTON);
    snprintf(name, sizeof name, "%s-newton", names[k]);
    snprintf(title, sizeof title, "Newton methods and their kin: %s", titles[k]);
    draw(e, name, title, &t[k], NEWTON, METHODS);
    if (!experiment_progress(e, (k + 1.0) / PROBLEMS))
      return;
  }
  if (experiment_stopped(e))
    return;
  tell(e, PROBLEMS, titles, t);
  claim(e, t, plain);
  experiment_why(
      e,
      "The notes plot merit functions, each its own; here all methods are measured by the "
      "relative natural residual. Newton methods for piecewise linear equations end in finitely "
      "many steps, so that an order is seen only where a step lies between 0.1 and rounding. "
      "Our minimum map raises a singular system a little, judges its steps by a smooth merit and "
      "falls back on the gradient, while the method of the notes gives up.");
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
