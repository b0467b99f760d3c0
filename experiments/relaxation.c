/* relaxation.c: which omega serves PSOR best? (Erleben 2013, Figure 4)
 *
 * The residual after a fixed number of sweeps against omega, on the notes' own problems, on dense
 * definite ones and on an obstacle problem, where theory says omega* = 2 / (1 + sin(pi h)) for the
 * free equation. Geometric means over a few problems of each kind. */
#include "experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 3, STEPS = 39, SEEDS = 5 };
enum { NOTES, DEFINITE, OBSTACLE };

static double omega_at(int k)
{
  return 0.05 * (k + 1);
}

/* Adds the logarithms of the residuals, one for each omega. */
static perp_error sweep_all(const char *problem, int sweeps, double sum[STEPS], perp_message *why)
{
  perp_instance instance;
  const perp_error error = perp_generate(problem, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double *x = malloc((size_t)(p.K.n + 1) * sizeof *x);
  for (int k = 0; k < STEPS && x; k++) {
    char method[64];
    snprintf(method, sizeof method, "psor:omega=%.3f", omega_at(k));
    perp_options o = perp_options_default();
    o.max_iterations = sweeps;
    o.tol = 1e-14;
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    sum[k] += log(experiment_run_on(&p, method, &o, x, NULL, NULL, 0).residual);
  }
  free(x);
  perp_instance_destroy(&instance);
  return x ? PERP_OK : PERP_ERROR_MEMORY;
}

static void draw(experiment *e)
{
  const experiment_line lines[] = {{"omega", 1, 2, "fluid of the notes", "linespoints"},
                                   {"omega", 1, 3, "random definite", "linespoints"},
                                   {"omega", 1, 4, "obstacle", "linespoints"}};
  experiment_draw(e, &(experiment_plot){.name = "residual",
                                        .title = "Residual after a fixed number of sweeps",
                                        .x_label = "relaxation omega",
                                        .y_label = "relative natural residual",
                                        .log_y = true,
                                        .lines = PROBLEMS,
                                        .line = lines});
}

static perp_error run(experiment *e, perp_message *why)
{
  const int grid = experiment_pick(e, 31, 63, 127), n = experiment_pick(e, 343, 1000, 1000);
  /* few on the easy problems: after more, rounding would decide */
  const int sweeps[PROBLEMS] = {15, 15, experiment_pick(e, 60, 100, 200)};
  const int seeds[PROBLEMS] = {experiment_pick(e, 3, SEEDS, SEEDS), SEEDS, 1};
  double log_residual[PROBLEMS][STEPS] = {0};
  for (int p = 0; p < PROBLEMS; p++)
    for (int k = 0; k < seeds[p]; k++) {
      char problem[80];
      if (p == NOTES)
        snprintf(problem, sizeof problem, "fluid-notes:rhs=notes,n=%d,seed=%d", n, k + 1);
      else if (p == DEFINITE)
        snprintf(problem, sizeof problem, "pd:n=200,seed=%d", k + 1);
      else
        snprintf(problem, sizeof problem, "obstacle:n=%d", grid * grid);
      const perp_error error = sweep_all(problem, sweeps[p], log_residual[p], why);
      if (error || !experiment_progress(e, (p + (k + 1.0) / seeds[p]) / PROBLEMS))
        return error;
    }
  double best[PROBLEMS] = {0}, least[PROBLEMS] = {INFINITY, INFINITY, INFINITY};
  experiment_table *t = experiment_table_begin(e, "omega", "Relative residual after the sweeps",
                                               "omega,fluid of the notes,random definite,obstacle");
  for (int k = 0; k < STEPS; k++) {
    experiment_cell(t, omega_at(k));
    for (int p = 0; p < PROBLEMS; p++) {
      const double residual = exp(log_residual[p][k] / seeds[p]);
      experiment_cell(t, residual);
      if (residual < least[p]) {
        least[p] = residual;
        best[p] = omega_at(k);
      }
    }
  }
  experiment_table_end(t, true);
  draw(e);
  const double theory = 2 / (1 + sin(3.14159265358979 / (grid + 1)));
  experiment_text(
      e,
      "Best omega: %.2f on fluids of the notes after %d sweeps, %.2f on dense definite matrices, "
      "%.2f on an obstacle problem of %d x %d unknowns after %d, where the free equation has %.3f. "
      "What is best depends on the spectrum and on the sweeps that one can afford; no single value "
      "serves all.",
      best[NOTES], sweeps[NOTES], best[DEFINITE], best[OBSTACLE], grid, grid, sweeps[OBSTACLE],
      theory);
  experiment_claim(e, false, fabs(best[NOTES] - 1.4) <= 0.1,
                   "omega = 1.4 is best on the notes' fluid problem (ours: %.2f)", best[NOTES]);
  experiment_claim(e, true, best[OBSTACLE] > 1.5,
                   "on a real Poisson problem the best omega is well above 1.4 (%.2f)",
                   best[OBSTACLE]);
  return PERP_OK;
}

const experiment_info experiment_relaxation = {
    .name = "relaxation",
    .title = "Relaxation of PSOR",
    .source = "Erleben 2013, Figure 4",
    .says = "a relaxation of about 1.4 gives the fastest convergence of PSOR",
    .run = run,
};
