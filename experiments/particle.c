/* particle.c: the particle that hits a plane, made and solved */
#include "particle.h"

#include <math.h>
#include <string.h>

static const double MU = 0.5, STEP = 0.1, GAP = 0.15, XI = 0.7;
enum { MOST_ITERATIONS = 300 };

/* m = 1, v = (1, 0, -1): b_n = v_n - g h + gap / h, b_t = v_t */
static perp_error make_disc(double gravity, double zeta, particle *made, perp_message *why)
{
  const double k = 1 + zeta, a[9] = {k, 0, 0, 0, k, 0, 0, 0, k};
  made->b[0] = -1 - gravity * STEP + GAP / STEP;
  made->b[1] = 1;
  made->b[2] = 0;
  for (int i = 0; i < 3; i++) {
    made->lo[i] = i == 0 ? 0 : -MU;
    made->hi[i] = i == 0 ? INFINITY : MU;
    made->findex[i] = i == 0 ? -1 : 0;
  }
  const perp_error error = perp_operator_dense(3, a, 3, PERP_COPY, &made->A, why);
  if (!error)
    made->problem = perp_problem_friction(made->A, made->b, made->lo, made->hi, made->findex);
  return error;
}

bool particle_make(experiment *e, particle_model model, double gravity, double zeta, particle *made)
{
  perp_message why = {""};
  perp_error error;
  memset(made, 0, sizeof *made);
  if (model == PARTICLE_DISC) {
    error = make_disc(gravity, zeta, made, &why);
  } else {
    char text[80];
    snprintf(text, sizeof text, "particle:gravity=%.17g,zeta=%.17g", gravity, zeta);
    error = perp_generate(text, &made->instance, &why);
    if (!error)
      made->problem = perp_instance_problem(&made->instance);
  }
  if (error)
    experiment_fail(e, error, why.text);
  return !error;
}

void particle_destroy(particle *made)
{
  if (made->A)
    perp_operator_destroy(made->A);
  else
    perp_instance_destroy(&made->instance);
  memset(made, 0, sizeof *made);
}

double particle_error(const particle *p, const double *x)
{
  double y[PARTICLE_ROWS], value;
  if (perp_operator_apply(p->problem.A, x, y, NULL, NULL))
    return NAN;
  for (int i = 0; i < p->problem.K.n; i++)
    y[i] += p->problem.b[i];
  return perp_problem_merit(&p->problem, PERP_MERIT_PENALISED, XI, x, y, &value) ? NAN : value;
}

particle_run particle_solve(const particle *p, const char *settings, double enough)
{
  char method[128];
  particle_run run = {0};
  perp_options o = perp_options_default();
  o.tol = 0;
  o.merit_tol = enough;
  o.max_iterations = MOST_ITERATIONS;
  o.check_every = 1;
  snprintf(method, sizeof method, "prox:%s", settings);
  const experiment_solve s = experiment_run_on(&p->problem, method, &o, run.x, NULL, 0);
  run.iterations = (int)s.counts.iterations;
  run.converged = !s.error && particle_error(p, run.x) <= enough;
  return run;
}
