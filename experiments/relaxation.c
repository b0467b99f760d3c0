/* relaxation.c: which omega serves PSOR best? (Erleben 2013, Figure 4)
 *
 * The residual after a fixed number of sweeps against omega, on the notes' own problem and on obstacle
 * problems of two sizes, where theory says omega* = 2 / (1 + sin(pi h)) for the free equation. */
#include "experiment.h"

#include <math.h>
#include <stdlib.h>

static perp_error run(experiment *e, perp_message *why)
{
  (void)why;
  const int grid = experiment_pick(e, 31, 63, 127), sweeps = experiment_pick(e, 60, 100, 200);
  char fine[80];
  snprintf(fine, sizeof fine, "obstacle:n=%d", grid * grid);
  const char *const problems[] = {"fluid-notes:n=1000", "pd:n=200", fine};
  enum { PROBLEMS = 3, STEPS = 39 };
  double best[PROBLEMS] = {0}, least[PROBLEMS] = {INFINITY, INFINITY, INFINITY};
  experiment_table *t = experiment_table_begin(e, "omega", "Relative residual after the sweeps",
                                               "omega,fluid of the notes,random definite,obstacle");
  for (int k = 1; k <= STEPS; k++) {
    const double omega = 0.05 * k;
    char method[64];
    snprintf(method, sizeof method, "psor:omega=%.3f", omega);
    experiment_cell(t, omega);
    for (int p = 0; p < PROBLEMS; p++) {
      perp_options o = perp_options_default();
      o.max_iterations = sweeps;
      o.tol = 1e-14;
      const experiment_solve s = experiment_solve_text(problems[p], method, &o, NULL, NULL, 0);
      experiment_cell(t, s.residual);
      if (s.residual < least[p]) {
        least[p] = s.residual;
        best[p] = omega;
      }
    }
    if (!experiment_progress(e, (double)k / STEPS))
      break;
  }
  experiment_table_end(t, true);
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
  const double theory = 2 / (1 + sin(3.14159265358979 / (grid + 1)));
  experiment_text(
      e,
      "Best omega: %.2f on the fluid of the notes, %.2f on a random definite matrix, %.2f on an "
      "obstacle problem of %d x %d unknowns, where the free equation has %.3f.",
      best[0], best[1], best[2], grid, grid, theory);
  experiment_claim(e, false, fabs(best[0] - 1.4) <= 0.1,
                   "omega = 1.4 is best on the notes' fluid problem (ours: %.2f)", best[0]);
  experiment_claim(e, true, best[2] > 1.5,
                   "on a real Poisson problem the best omega is well above 1.4 (%.2f)", best[2]);
  return PERP_OK;
}

const experiment_info experiment_relaxation = {
    .name = "relaxation",
    .title = "Relaxation of PSOR",
    .source = "Erleben 2013, Figure 4",
    .says = "a relaxation of about 1.4 gives the fastest convergence of PSOR",
    .run = run,
};
