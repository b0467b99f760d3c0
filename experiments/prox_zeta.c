/* prox_zeta.c: the loss of accuracy by relaxation (Lu and Trinkle, Figures 3 to 5)
 *
 * zeta I is added to A (constraint force mixing), the relaxed problem is iterated up to 300 times
 * to a total error of 1e-17, and the answer is judged by the total error (31) of the problem
 * without zeta. With phi the vector of (30), the total error is 1/2 |phi|^2: if phi is of the
 * order of zeta, it is of the order of zeta^2. */
#include "particle.h"

#include <math.h>

static const double zetas[] = {0, 1e-12, 1e-6};
static const double published_r[] = {1, 0.9999999999995,
                                     0.9999950000025}; /* typed from the paper */
enum { ZETAS = 3 };
static const double ENOUGH = 1e-17, GRAVITY = 10, LEAST_R = 0.05, MOST_R = 1.95;

/* The total error, without zeta, of what the settings reach with zeta; NaN on an error. */
static double error_of(experiment *e, particle_model model, double zeta, const char *settings,
                       int *iterations)
{
  particle relaxed, honest;
  if (!particle_make(e, model, GRAVITY, zeta, &relaxed))
    return NAN;
  if (!particle_make(e, model, GRAVITY, 0, &honest)) {
    particle_destroy(&relaxed);
    return NAN;
  }
  const particle_run run = particle_solve(&relaxed, settings, ENOUGH);
  const double error = particle_error(&honest, run.x);
  if (iterations)
    *iterations = run.iterations;
  particle_destroy(&relaxed);
  particle_destroy(&honest);
  return error;
}

/* A logarithmic axis has no 0. */
static double shown(double error)
{
  return fmax(error, 1e-20);
}

static void study(experiment *e, particle_model model, const char *table, const char *title,
                  int steps, double least[ZETAS])
{
  experiment_table *t = experiment_table_begin(
      e, table, NULL, "r,zeta = 0,zeta = 1e-12,zeta = 1e-6,adaptive zeta = 0");
  for (int z = 0; z < ZETAS; z++)
    least[z] = INFINITY;
  for (int k = 0; k < steps; k++) {
    const double r = LEAST_R + (MOST_R - LEAST_R) * k / (steps - 1);
    char settings[64];
    snprintf(settings, sizeof settings, "strategy=fixed,r=%.6f", r);
    experiment_cell(t, r);
    for (int z = 0; z < ZETAS; z++) {
      const double error = error_of(e, model, zetas[z], settings, NULL);
      least[z] = fmin(least[z], error);
      experiment_cell(t, shown(error));
    }
    snprintf(settings, sizeof settings, "strategy=adaptive,r=%.6f", r);
    experiment_cell(t, shown(error_of(e, model, 0, settings, NULL)));
  }
  experiment_table_end(t);
  experiment_draw(e, table,
                  &(plot){.title = title,
                          .x_label = "r",
                          .y_label = "total error without zeta",
                          .log_y = true,
                          .y_least = 1e-21,
                          .y_most = 10},
                  table, "zeta = 0,zeta = 1e-12,zeta = 1e-6,adaptive (by first r)",
                  experiment_marked);
}

static void r_star(experiment *e)
{
  experiment_table *t = experiment_table_begin(
      e, "star", "r* = 2 / (eta_max + eta_min), negative eta_min counted as 0",
      "zeta,eta_max,eta_min,r*,1 - r*,1 - r* of the paper,1 - 2 / (2 + zeta)");
  double ours[ZETAS] = {0};
  for (int z = 0; z < ZETAS; z++) {
    particle p;
    perp_facts facts;
    if (!particle_make(e, PARTICLE_PYRAMID, GRAVITY, zetas[z], &p))
      continue;
    if (!perp_problem_facts(&p.problem, &facts, NULL)) {
      ours[z] = 2 / (facts.eigen_max + fmax(0, facts.eigen_min));
      const double row[] = {zetas[z],    facts.eigen_max,    facts.eigen_min,       ours[z],
                            1 - ours[z], 1 - published_r[z], 1 - 2 / (2 + zetas[z])};
      experiment_row(t, 7, row);
    }
    particle_destroy(&p);
  }
  experiment_table_end(t);
  experiment_claim(e, CLAIM_PAPER, fabs(2 / (2 + zetas[1]) - published_r[1]) < 1e-15,
                   "r* = 0.9999999999995 at zeta = 1e-12, from eta = (zeta, 2)");
  experiment_claim(e, CLAIM_PAPER | CLAIM_HEADLINE,
                   fabs(2 / (2 + zetas[2]) - published_r[2]) < 1e-9,
                   "r* = 0.9999950000025 at zeta = 1e-6, from eta = (zeta, 2): the formula gives "
                   "%.10f",
                   2 / (2 + zetas[2]));
}

/* zeta of the method, a proximal point iteration: large zeta, exact answer. */
static void proximal(experiment *e, double *worst)
{
  static const double large[] = {1e-12, 1e-6, 1e-2, 1};
  experiment_table *t = experiment_table_begin(e, "proximal", "zeta as a proximal point iteration",
                                               "zeta,total error,iterations");
  *worst = 0;
  for (int z = 0; z < 4; z++) {
    char settings[64];
    int iterations = 0;
    snprintf(settings, sizeof settings, "strategy=adaptive,zeta=%g", large[z]);
    const double error = error_of(e, PARTICLE_PYRAMID, 0, settings, &iterations);
    const double row[] = {large[z], error, iterations};
    experiment_row(t, 3, row);
    *worst = fmax(*worst, error);
  }
  experiment_table_end(t);
}

static void run(experiment *e)
{
  const int steps = experiment_pick(e, 39, 77, 381);
  double disc[ZETAS], pyramid[ZETAS], worst;
  study(e, PARTICLE_DISC, "disc", "Algorithm 1 after 300 iterations at the most", steps, disc);
  study(e, PARTICLE_PYRAMID, "pyramid", "The LCP (33) after 300 iterations at the most", steps,
        pyramid);
  r_star(e);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST, disc[0] <= 1e-16 && pyramid[0] <= 1e-16,
      "without zeta the total error falls to rounding (Algorithm 1 %.1e, the LCP %.1e)", disc[0],
      pyramid[0]);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE,
                   sqrt(2 * pyramid[2]) > 1e-8 && sqrt(2 * pyramid[2]) < 1e-4 &&
                       sqrt(2 * disc[2]) > 1e-8 && sqrt(2 * disc[2]) < 1e-4,
                   "zeta bounds the accuracy: with 1e-6 no r brings |phi| below the order of zeta "
                   "(Algorithm 1 %.1e, the LCP %.1e)",
                   sqrt(2 * disc[2]), sqrt(2 * pyramid[2]));
  experiment_claim(e, CLAIM_PAPER, disc[2] > 1e-8 && pyramid[2] > 1e-8,
                   "the total error itself stays at about zeta, 1e-6 (Algorithm 1 %.1e, the LCP "
                   "%.1e: it is the square of |phi|, of the order of zeta^2)",
                   disc[2], pyramid[2]);
  proximal(e, &worst);
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST | CLAIM_HEADLINE, worst <= 1e-16,
                   "zeta as a proximal point iteration does not bound the accuracy (total error "
                   "at most %.1e with any zeta up to 1)",
                   worst);
  experiment_why(
      e, "The eigenvalues printed next to the wrong r* give the right one. The total error is half "
         "the square of the distance phi that zeta shifts, so that it ends at about zeta^2 where "
         "the paper plots about zeta, as the plot of |phi| itself would.");
}

const experiment_info experiment_prox_zeta = {
    .name = "prox-zeta",
    .title = "The prox fixed point: relaxation and accuracy",
    .source = "Lu and Trinkle, Figures 3 to 5",
    .says =
        "the total error ends at rounding without relaxation, at about 1e-12 with zeta = 1e-12 and "
        "at about 1e-6 with zeta = 1e-6, whatever r is: the solver cannot be more accurate than "
        "zeta",
    .run = run,
};
