/* lemke.h: runs of Lemke's method, for the tests of it */
#pragma once

#include "method/run/method.h"
#include "problems.h"

extern const perp_method perp_method_lemke, perp_method_enumerate;

static perp_result run_with(const perp_method *method, const perp_problem *p,
                            const perp_options *options, const char *name, const char *value,
                            double *x, perp_error *error)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create_with(method, &solver, NULL) == PERP_OK);
  if (name)
    CHECK(perp_solver_set_text(solver, name, value, NULL) == PERP_OK);
  *error = perp_solver_solve(solver, p, options, x, &r);
  r.ray = NULL; /* the solver's, gone with it */
  perp_solver_destroy(solver);
  return r;
}

static perp_result lemke(const perp_problem *p, double *x)
{
  perp_error error;
  const perp_result r = run_with(&perp_method_lemke, p, NULL, NULL, NULL, x, &error);
  CHECK_SAY(!error, "%s", r.message.text);
  return r;
}

static perp_instance instance_of(int n, const double *a, const double *b)
{
  perp_instance p = {0};
  p.A = problem_dense(n, a);
  p.b = perp_alloc_copy(b, (size_t)n, sizeof *b);
  return p;
}

typedef struct witness {
  int64_t calls, last, stop_at;
} witness;

static bool watch(void *context, const perp_progress *progress)
{
  witness *w = context;
  w->calls++;
  w->last = progress->iteration;
  return progress->iteration < w->stop_at;
}
