/* rates.c: error against iteration and cost per iteration of PGS, Fischer-Newton and the QP route
 * (Erleben 2013, slides, intermediate exercise)
 *
 * The error is |x_k - x*| / |x*| to a planted solution. The QP route, min 1/2 x^T A x + b^T x over
 * x >= 0, is taken by an interior point method and by projected conjugate gradients. */
#include "experiment.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 4, ROOM = 401, SIZES = 7 };
enum { PGS, FISCHER, IPM, GPCG };
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

static perp_error follow(const char *problem, errors r[METHODS], perp_message *why)
{
  perp_instance instance;
  perp_error error = perp_generate(problem, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double *x = malloc((size_t)(p.K.n + 1) * sizeof *x);
  for (int m = 0; m < METHODS && x; m++) {
    r[m] = (errors){.exact = instance.x};
    for (int i = 0; i < p.K.n; i++)
      r[m].norm += instance.x[i] * instance.x[i];
    r[m].norm = sqrt(r[m].norm);
    perp_options o = perp_options_default();
    o.tol = 1e-14;
    o.max_iterations = ROOM - 1;
    o.observer = note_error;
    o.observer_context = &r[m];
    char name[32];
    snprintf(name, sizeof name, "%s", methods[m]);
    if (strchr(name, ':'))
      *strchr(name, ':') = 0;
    perp_solver *solver = NULL;
    perp_result result = perp_result_empty();
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    if (!perp_solver_create(name, &solver, NULL)) {
      if (m == IPM) /* the end by a guess of the active set would hide the rate */
        perp_solver_set_text(solver, "crossover", "no", NULL);
      perp_solver_solve(solver, &p, &o, x, &result);
    }
    perp_solver_destroy(solver);
  }
  free(x);
  perp_instance_destroy(&instance);
  return x ? PERP_OK : PERP_ERROR_MEMORY;
}

/* Error per iteration over the last half above rounding. */
static double factor(const errors *r)
{
  int last = r->count - 1;
  while (last > 0 && !(r->error[last] > 1e-11))
    last--;
  const int first = last / 2;
  return last > first ? pow(r->error[last] / r->error[first], 1.0 / (last - first)) : NAN;
}

/* The largest log(e_k+1 / e_k) / log(e_k / e_k-1) where the errors fall and are above rounding. */
static double order(const errors *r)
{
  double most = NAN;
  for (int k = 1; k + 1 < r->count; k++) {
    const double a = r->error[k - 1], b = r->error[k], c = fmax(r->error[k + 1], 1e-15);
    if (b < 0.3 * a && b < 0.1 && b > 1e-9 && c < b)
      most = fmax(isnan(most) ? 0 : most, log(c / b) / log(b / a));
  }
  return most;
}

static void draw_errors(experiment *e, const char *name, const char *title, const errors *r)
{
  int longest = 0;
  for (int m = 0; m < METHODS; m++)
    longest = r[m].count > longest ? r[m].count : longest;
  experiment_table *t =
      experiment_table_begin(e, name, title, "iteration,PGS,Fischer-Newton,interior point,gpcg");
  for (int k = 0; k < longest; k++) {
    experiment_cell(t, k + 1);
    for (int m = 0; m < METHODS; m++)
      experiment_cell(t, k < r[m].count && r[m].error[k] > 0 ? r[m].error[k] : NAN);
  }
  experiment_table_end(t, true);
  experiment_line line[METHODS];
  for (int m = 0; m < METHODS; m++)
    line[m] = (experiment_line){name, 1, 2 + m, titles[m], m == PGS ? "lines" : "linespoints"};
  experiment_draw(e, &(experiment_plot){.name = name,
                                        .title = title,
                                        .x_label = "iteration + 1",
                                        .y_label = "|x - x*| / |x*|",
                                        .log_x = true,
                                        .log_y = true,
                                        .lines = METHODS,
                                        .line = line});
}

/* Seconds per iteration against n, of dense problems; fills the exponents. */
static perp_error measure_cost(experiment *e, int sizes, double exponents[METHODS],
                               perp_message *why)
{
  double n[SIZES], cost[METHODS][SIZES];
  experiment_table *t = experiment_table_begin(e, "cost", "Seconds per iteration, dense problems",
                                               "n,PGS,Fischer-Newton,interior point,gpcg");
  for (int k = 0; k < sizes; k++) {
    n[k] = 32 << k;
    char problem[64];
    snprintf(problem, sizeof problem, "pd:n=%d", 32 << k);
    perp_instance instance;
    const perp_error error = perp_generate(problem, &instance, why);
    double *x = error ? NULL : malloc((size_t)n[k] * sizeof *x);
    experiment_cell(t, n[k]);
    for (int m = 0; m < METHODS; m++) {
      cost[m][k] = NAN;
      for (int turn = 0; turn < 3 && x; turn++) {
        const perp_problem p = perp_instance_problem(&instance);
        perp_options o = perp_options_default();
        o.check_every = 1000;
        o.max_iterations = m == PGS ? 50 : 8;
        o.tol = 1e-15;
        memset(x, 0, (size_t)n[k] * sizeof *x);
        const experiment_solve s = experiment_run_on(&p, methods[m], &o, x, NULL, NULL, 0);
        const double each = s.counts.iterations ? s.seconds / (double)s.counts.iterations : NAN;
        cost[m][k] = isnan(cost[m][k]) ? each : fmin(cost[m][k], each);
      }
      experiment_cell(t, cost[m][k]);
    }
    if (!error)
      perp_instance_destroy(&instance);
    free(x);
    if (error || !x) {
      experiment_table_end(t, true);
      return error ? error : PERP_ERROR_MEMORY;
    }
    if (!experiment_progress(e, 0.3 + 0.7 * (k + 1) / sizes))
      break;
  }
  experiment_table_end(t, true);
  if (experiment_stopped(e))
    return PERP_OK;
  for (int m = 0; m < METHODS; m++)
    exponents[m] = kit_exponent(3, n + sizes - 3, cost[m] + sizes - 3);
  experiment_line line[METHODS];
  for (int m = 0; m < METHODS; m++)
    line[m] = (experiment_line){"cost", 1, 2 + m, titles[m], "linespoints"};
  experiment_draw(e, &(experiment_plot){.name = "cost",
                                        .title = "Cost of an iteration, dense definite problems",
                                        .x_label = "unknowns n",
                                        .y_label = "seconds per iteration",
                                        .log_x = true,
                                        .log_y = true,
                                        .extra = "set logscale x 2",
                                        .lines = METHODS,
                                        .line = line});
  return PERP_OK;
}

static perp_error run(experiment *e, perp_message *why)
{
  enum { SETS = 2 };
  static const char *const names[SETS] = {"dense", "sparse"};
  static const char *const captions[SETS] = {
      "Error on a dense definite problem of 100 unknowns",
      "Error on a sparse definite problem of 1000 unknowns, condition 1000"};
  static const char *const problems[SETS] = {"pd:n=100,shift=1", "spd-sparse:n=1000,cond=1000"};
  errors(*r)[METHODS] = calloc(SETS, sizeof *r);
  perp_error error = r ? PERP_OK : PERP_ERROR_MEMORY;
  double exponents[METHODS] = {NAN, NAN, NAN, NAN};
  for (int k = 0; k < SETS && !error; k++) {
    error = follow(problems[k], r[k], why);
    if (!error)
      draw_errors(e, names[k], captions[k], r[k]);
    experiment_progress(e, 0.15 * (k + 1));
  }
  if (!error && !experiment_stopped(e))
    error = measure_cost(e, experiment_pick(e, 5, 6, SIZES), exponents, why);
  if (!error && !experiment_stopped(e)) {
    experiment_table *t = experiment_table_begin(
        e, "rates", "Fitted rates of the error, and exponents of the cost of an iteration in n",
        "method,dense: iterations,factor,order,sparse: iterations,factor,order,cost exponent");
    for (int m = 0; m < METHODS; m++) {
      experiment_cell_text(t, titles[m]);
      for (int k = 0; k < SETS; k++)
        experiment_row(
            t, 3,
            (double[]){r[k][m].count - 1, factor(&r[k][m]), m == PGS ? NAN : order(&r[k][m])});
      experiment_cell(t, exponents[m]);
    }
    experiment_table_end(t, false);
    experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, factor(&r[0][PGS]) < 1 && factor(&r[1][PGS]) < 1,
                     "PGS converges linearly (factors %.3f and %.3f)", factor(&r[0][PGS]),
                     factor(&r[1][PGS]));
    experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, order(&r[0][FISCHER]) > 1.5,
                     "Fischer-Newton converges quadratically (orders %.1f and %.1f)",
                     order(&r[0][FISCHER]), order(&r[1][FISCHER]));
    experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                     r[0][FISCHER].count < r[0][PGS].count && r[0][IPM].count < r[0][PGS].count,
                     "Newton methods need fewer iterations than PGS (%d and %d beside %d)",
                     r[0][FISCHER].count - 1, r[0][IPM].count - 1, r[0][PGS].count - 1);
    experiment_claim(
        e, CLAIM_PAPER, exponents[PGS] < exponents[IPM],
        "a sweep, O(n^2) on dense problems, grows more slowly than an iteration with a "
        "factorisation, O(n^3) (exponents %.2f of PGS, %.2f of the interior point "
        "method, %.2f of Fischer-Newton)",
        exponents[PGS], exponents[IPM], exponents[FISCHER]);
    experiment_why(e, "The slides ask for these plots and print none. Exponents are those of times "
                      "at the largest sizes, where caches and the switch to a tuned factorisation "
                      "count beside the operations.");
  }
  free(r);
  return error;
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
