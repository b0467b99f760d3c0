/* notes.c: the stopping rules, methods and right-hand sides of Erleben's notes (2013) */
#include "notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const notes_state_names[NOTES_STATES] = {
    "relative", "absolute", "stagnation", "local minimum", "non-descent", "limit", "other"};

const notes_method notes_methods[NOTES_METHODS] = {
    {"fischer", "Fischer", PERP_MERIT_FISCHER},
    {"minmap", "Min. map", PERP_MERIT_MINMAP},
    {"pgs", "PGS", PERP_MERIT_COMPLEMENTARITY},
    {"psor:omega=1.4", "PSOR 1.4", PERP_MERIT_COMPLEMENTARITY},
};
const notes_method notes_plain_minmap = {"minmap:smooth=no,weighted=no,restarts=0",
                                         "Plain min. map", PERP_MERIT_MINMAP};

/* ---- Stopping ---- */

typedef struct watching {
  const perp_problem *p;
  const notes_rule *rule;
  perp_merit_kind kind;
  double *last, *y, *scratch;
  double theta, residual; /* of the last iterate seen; NaN before the first */
  notes_state state;
  int iterations;
} watching;

static void measure(watching *w, const double *x)
{
  w->theta = w->residual = INFINITY;
  if (perp_operator_apply(w->p->A, x, w->y, w->scratch, NULL))
    return;
  for (int i = 0; i < w->p->K.n; i++)
    w->y[i] += w->p->b[i];
  perp_problem_merit(w->p, w->kind, 0.95, x, w->y, &w->theta);
  w->residual = perp_problem_residual(w->p, x, w->y) / perp_problem_scale(w->p);
}

static bool is_solved(const watching *w)
{
  return w->rule->residual > 0 ? w->residual <= w->rule->residual : w->theta < w->rule->absolute;
}

static bool watch(void *context, const perp_progress *now)
{
  watching *w = context;
  if (!now->x)
    return true;
  w->iterations = (int)now->iteration;
  const double before = w->theta;
  double change = 0;
  measure(w, now->x);
  for (int i = 0; i < now->n; i++)
    change = fmax(change, fabs(now->x[i] - w->last[i]));
  memcpy(w->last, now->x, (size_t)now->n * sizeof *w->last);
  /* x^T |A x + b| is 0 at the start x = 0, which is not a solution */
  const bool first = now->iteration == 0;
  if (is_solved(w) && !(first && w->kind == PERP_MERIT_COMPLEMENTARITY))
    w->state = NOTES_ABSOLUTE;
  else if (first)
    return true;
  else if (fabs(w->theta - before) < w->rule->relative * fabs(before))
    w->state = NOTES_RELATIVE;
  else if (change < w->rule->stagnation)
    w->state = NOTES_STAGNATION;
  else
    return true;
  return false;
}

static notes_state state_of(perp_outcome outcome)
{
  switch (outcome) {
  case PERP_LOCAL_MINIMUM:
    return NOTES_LOCAL_MINIMUM;
  case PERP_NON_DESCENT:
    return NOTES_NON_DESCENT;
  case PERP_ITERATION_LIMIT:
    return NOTES_LIMIT;
  case PERP_STAGNATED:
    return NOTES_STAGNATION;
  default:
    return NOTES_OTHER;
  }
}

notes_run notes_solve(const perp_problem *p, const notes_method *method, const notes_rule *rule,
                      double *x)
{
  const size_t n = (size_t)p->K.n;
  notes_run run = {.state = NOTES_OTHER, .merit = NAN, .residual = INFINITY};
  double *memory = malloc((2 * n + perp_operator_scratch(p->A) + 1) * sizeof *memory);
  if (!memory)
    return run;
  watching w = {.p = p,
                .rule = rule,
                .kind = method->merit,
                .last = memory,
                .y = memory + n,
                .scratch = memory + 2 * n,
                .theta = NAN,
                .residual = NAN,
                .state = NOTES_OTHER};
  memcpy(w.last, x, n * sizeof *x);
  perp_options o = perp_options_default();
  o.tol = 1e-15;
  o.max_iterations = rule->limit;
  o.time_limit = 20;
  o.observer = watch;
  o.observer_context = &w;
  const experiment_solve s = experiment_run_on(p, method->call, &o, x, NULL, 0);
  if (!s.error) {
    run.state = w.state;
    measure(&w, x);
    run.merit = w.theta;
    run.residual = s.residual;
    run.iterations = (int)s.counts.iterations;
    if (w.state != NOTES_OTHER)
      run.iterations = w.iterations;
    else if (s.outcome == PERP_SOLVED || is_solved(&w))
      run.state = NOTES_ABSOLUTE;
    else
      run.state = state_of(s.outcome);
  }
  free(memory);
  return run;
}

/* ---- Problems ---- */

/* splitmix64 */
double notes_uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

bool notes_open_dense(experiment *e, experiment_case *c, bool recipe, int seed, const char *kind)
{
  if (!experiment_open(e, c, "%s,seed=%d", kind, seed))
    return false;
  if (!recipe)
    return true;
  uint64_t state = (uint64_t)seed;
  const int n = c->p.K.n;
  double *b = c->instance.b;
  for (int i = 0; i < n; i++)
    c->x[i] = fmax(0, 2 * notes_uniform(&state) - 1);
  const perp_error error = perp_operator_apply(c->p.A, c->x, b, NULL, NULL);
  for (int i = 0; i < n; i++) {
    b[i] = c->x[i] > 0 ? -b[i] : 0;
    c->x[i] = 0;
  }
  if (error) {
    experiment_close(c);
    experiment_fail(e, error, kind);
  }
  return !error;
}

/* ---- Numbers of many runs ---- */

notes_statistics notes_statistics_of(int count, const double *values)
{
  notes_statistics s = {count, NAN, NAN, NAN, NAN};
  if (count == 0)
    return s;
  double sum = 0, squares = 0;
  s.least = s.most = values[0];
  for (int k = 0; k < count; k++) {
    sum += values[k];
    s.least = fmin(s.least, values[k]);
    s.most = fmax(s.most, values[k]);
  }
  s.mean = sum / count;
  for (int k = 0; k < count; k++)
    squares += (values[k] - s.mean) * (values[k] - s.mean);
  s.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
  return s;
}
