/* rates.c: error against iteration and cost per iteration of PGS, Fischer-Newton and the QP route
 * (Erleben 2013, slides, intermediate exercise)
 *
 * The error is |x_k - x*| / |x*| to a planted solution. The QP min 1/2 x^T A x + b^T x over x >= 0
 * is solved by an interior point method and by projected conjugate gradients. */
#include "experiment.h"
#include "kit/numbers.h"

#include <math.h>

enum { METHODS = 4, ROOM = 401, SIZES = 7 };
enum { PGS, FISCHER, IPM, GPCG };
/* The end by a guess of the active set would hide the rate of the interior point method. */
static const char *const methods[METHODS] = {"pgs", "fischer", "ipm:crossover=no", "gpcg"};
static const char *const titles[METHODS] = {"PGS", "Fischer-Newton", "QP: interior point",
                                            "QP: projected CG"};

typedef struct errors {
  const double *exact;
  double norm, error[ROOM];
  int count; /* one more than the last iteration seen */
} errors;

static bool note_error(void *context, const perp_progress *now)
{
  errors *r = context;
  if (!now->x || now->iteration >= ROOM)
    return true;
  double sum = 0;
  for (int i = 0; i < now->n; i++)
    sum += (now->x[i] - r->exact[i]) * (now->x[i] - r->exact[i]);
  for (; r->count < now->iteration; r->count++)
    r->error[r->count] = NAN;
  r->error[now->iteration] = sqrt(sum) / r->norm;
  r->count = (int)now->iteration + 1;
  return true;
}

static bool follow(experiment *e, const char *problem, errors r[METHODS])
{
  experiment_case c;
  if (!experiment_open(e, &c, "%s", problem))
    return false;
  for (int m = 0; m < METHODS; m++) {
    r[m] = (errors){.exact = c.instance.x};
    for (int i = 0; i < c.p.K.n; i++)
      r[m].norm += c.instance.x[i] * c.instance.x[i];
    r[m].norm = sqrt(r[m].norm);
    perp_options o = perp_options_default();
    o.tol = 1e-14;
    o.max_iterations = ROOM - 1;
    o.observer = note_error;
    o.observer_context = &r[m];
    experiment_run_from_0(&c, methods[m], &o, NULL, 0);
  }
  experiment_close(&c);
  return true;
}

static double factor(const errors *r)
{
  return experiment_factor(r->count, r->error, 1e-11);
}

static double order(const errors *r)
{
  return experiment_order(r->count, r->error, 0.3, 1e-9);
}

static void draw_errors(experiment *e, const char *name, const char *title, const errors *r)
{
  experiment_trace shown[METHODS];
  for (int m = 0; m < METHODS; m++)
    shown[m] = (experiment_trace){titles[m], r[m].count, r[m].error,
                                  m == PGS ? experiment_lines : experiment_marked};
  experiment_draw_traces(
      e, name, &(plot){title, "iteration + 1", "|x - x*| / |x*|", .log_x = true, .log_y = true},
      "iteration,PGS,Fischer-Newton,interior point,gpcg", 1, METHODS, shown);
}

/* Seconds per iteration against n, of dense problems; fills the exponents. */
static void measure_cost(experiment *e, int sizes, double exponents[METHODS])
{
  double n[SIZES], cost[METHODS][SIZES];
  experiment_table *t =
      experiment_table_begin(e, "cost", NULL, "n,PGS,Fischer-Newton,interior point,gpcg");
  for (int k = 0; k < sizes && !experiment_stopped(e); k++) {
    experiment_case c;
    if (!experiment_open(e, &c, "pd:n=%d", 32 << k))
      break;
    n[k] = 32 << k;
    experiment_cell(t, n[k]);
    for (int m = 0; m < METHODS; m++) {
      cost[m][k] = experiment_time(&c, methods[m], m == PGS ? 50 : 8, NULL);
      experiment_cell(t, cost[m][k]);
    }
    experiment_close(&c);
    experiment_progress(e, 0.3 + 0.7 * (k + 1) / sizes);
  }
  experiment_table_end(t);
  if (experiment_stopped(e))
    return;
  for (int m = 0; m < METHODS; m++)
    exponents[m] = kit_exponent(3, n + sizes - 3, cost[m] + sizes - 3);
  experiment_draw(e, "cost",
                  &(plot){.title = "Cost of an iteration, dense definite problems",
                          .x_label = "unknowns n",
                          .y_label = "seconds per iteration",
                          .log_x = true,
                          .log_y = true},
                  "cost", "PGS,Fischer-Newton,QP: interior point,QP: projected CG",
                  experiment_marked);
}

static void run(experiment *e)
{
  enum { SETS = 2 };
  static const char *const names[SETS] = {"dense", "sparse"};
  static const char *const captions[SETS] = {
      "Error on a dense definite problem of 100 unknowns",
      "Error on a sparse definite problem of 1000 unknowns, condition 1000"};
  static const char *const problems[SETS] = {"pd:n=100,shift=1", "spd-sparse:n=1000,cond=1000"};
  errors(*r)[METHODS] = experiment_room(e, SETS, sizeof *r);
  double exponents[METHODS] = {NAN, NAN, NAN, NAN};
  for (int k = 0; k < SETS && r; k++) {
    if (!follow(e, problems[k], r[k]))
      return;
    draw_errors(e, names[k], captions[k], r[k]);
    if (!experiment_progress(e, 0.15 * (k + 1)))
      return;
  }
  if (!experiment_stopped(e))
    measure_cost(e, experiment_pick(e, 5, 6, SIZES), exponents);
  if (experiment_stopped(e))
    return;
  experiment_table *t = experiment_table_begin(
      e, "rates", "Fitted rates of the error, and exponents of the cost of an iteration in n",
      "method,dense: iterations,factor,order,sparse: iterations,factor,order,cost exponent");
  for (int m = 0; m < METHODS; m++) {
    experiment_cell_text(t, "%s", titles[m]);
    for (int k = 0; k < SETS; k++)
      experiment_row(
          t, 3, (double[]){r[k][m].count - 1, factor(&r[k][m]), m == PGS ? NAN : order(&r[k][m])});
    experiment_cell(t, exponents[m]);
  }
  experiment_table_end(t);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, factor(&r[0][PGS]) < 1 && factor(&r[1][PGS]) < 1,
                   "PGS converges linearly (factors %.3f and %.3f)", factor(&r[0][PGS]),
                   factor(&r[1][PGS]));
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, order(&r[0][FISCHER]) > 1.5,
                   "Fischer-Newton converges quadratically (orders %.1f and %.1f)",
                   order(&r[0][FISCHER]), order(&r[1][FISCHER]));
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                   r[0][FISCHER].count < r[0][PGS].count && r[0][IPM].count < r[0][PGS].count,
                   "Newton methods need fewer iterations than PGS (%d and %d against %d)",
                   r[0][FISCHER].count - 1, r[0][IPM].count - 1, r[0][PGS].count - 1);
  experiment_claim(e, CLAIM_PAPER, exponents[PGS] < exponents[IPM],
                   "a sweep, O(n^2) on dense problems, grows more slowly than an iteration with a "
                   "factorisation, O(n^3) (exponents %.2f of PGS, %.2f of the interior point "
                   "method, %.2f of Fischer-Newton)",
                   exponents[PGS], exponents[IPM], exponents[FISCHER]);
  experiment_why(e, "The slides ask for these plots and print none. Exponents are fitted to times "
                    "at the largest sizes, which depend on caches and on the switch to a tuned "
                    "factorisation, not only on the operations.");
}

const experiment_info experiment_rates = {
    .name = "rates",
    .title = "Error and cost of PGS, Fischer-Newton and the QP route",
    .source = "Erleben 2013, slides, intermediate exercise",
    .says =
        "compare the errors to the true solution, determine the convergence rates, and compare the "
        "cost per iteration with the complexity analysis",
    .run = run,
};
