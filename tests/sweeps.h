/* sweeps.h: helpers of the tests of sweep methods */
#pragma once

#include "generated.h"
#include "problems.h"

typedef struct {
  const char *method, *settings; /* "name=value name=value" */
} candidate;

/* Solves and checks the verdict; the caller gets the result. */
static inline perp_result solve_with(const char *method, const char *settings,
                                     const perp_problem *p, const perp_options *options, double *x)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  char text[128];
  snprintf(text, sizeof text, "%s", settings ? settings : "");
  for (char *item = strtok(text, " "); item; item = strtok(NULL, " ")) {
    char *value = strchr(item, '=');
    *value = 0;
    CHECK(perp_solver_set_text(solver, item, value + 1, NULL) == PERP_OK);
  }
  const perp_error error = perp_solver_solve(solver, p, options, x, &r);
  perp_solver_destroy(solver);
  CHECK_SAY(!error, "%s %s: %s", method, settings ? settings : "", r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK(isfinite(residual) && residual == r.residual);
  return r;
}

static inline void expect_solved(const char *method, const char *settings, const char *text,
                                 double tol, int64_t most)
{
  perp_instance instance = generated(text);
  const perp_problem p = perp_instance_problem(&instance);
  perp_options o = perp_options_default();
  o.tol = tol;
  o.max_iterations = most;
  double *x = calloc((size_t)p.K.n, sizeof *x);
  const perp_result r = solve_with(method, settings, &p, &o, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s %s on %s: %s", method, settings, text, r.message.text);
  free(x);
  perp_instance_destroy(&instance);
}
