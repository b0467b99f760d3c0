/* prox_r.c: iterations of the prox fixed point against r (Lu and Trinkle, Figure 2)
 *
 * A particle falls on a plane within one time step; gravity sets only the vector b. With
 * g = -5 it just touches: b_n = 0. The iteration ends at a total error (31) of 1e-6. */
#include "particle.h"

#include <math.h>

static const double gravities[] = {4, 5, 5.001, 5.02, 5.05, 6, 10, 20};
enum { GRAVITIES = (int)(sizeof gravities / sizeof *gravities), TOUCH = 2, LIGHT, JUST, TEN = 6 };
static const double LEAST_R = 0.05, MOST_R = 2, ENOUGH = 1e-6;

typedef struct sweep {
  int iterations_at_one; /* r = 1, g = -10 */
  int iterations_at_125; /* r = 1.25, g = -10 */
  int failed[GRAVITIES]; /* values of r with no answer in 300 iterations */
  int worst;             /* iterations of the converged runs */
  double best_r;         /* fewest iterations with g = -10 */
  int worst_free;        /* g = -4, r >= 1/2 */
  int default_worst;     /* r = 1, any gravity; 300: not converged */
  int tried;             /* values of r */
} sweep;

static void study(experiment *e, particle_model model, const char *strategy, const char *table,
                  int steps, sweep *s)
{
  *s = (sweep){.tried = steps};
  int fewest = 1 << 30;
  experiment_table *t = experiment_table_begin(
      e, table, NULL, "r,g = -4,g = -5,g = -5.001,g = -5.02,g = -5.05,g = -6,g = -10,g = -20");
  for (int k = 0; k < steps && !experiment_stopped(e); k++) {
    const double r = LEAST_R + (MOST_R - LEAST_R) * k / (steps - 1);
    char settings[64];
    snprintf(settings, sizeof settings, "strategy=%s,r=%.6f", strategy, r);
    experiment_cell(t, r);
    for (int g = 0; g < GRAVITIES; g++) {
      particle p;
      if (!particle_make(e, model, gravities[g], 0, &p))
        break;
      const particle_run run = particle_solve(&p, settings, ENOUGH);
      particle_destroy(&p);
      s->failed[g] += !run.converged;
      if (run.converged && run.iterations > s->worst)
        s->worst = run.iterations;
      if (fabs(r - 1) < 1e-9 && run.iterations > s->default_worst)
        s->default_worst = run.iterations;
      if (g == TEN && fabs(r - 1) < 1e-9)
        s->iterations_at_one = run.converged ? run.iterations : -1;
      if (g == TEN && fabs(r - 1.25) < 1e-9)
        s->iterations_at_125 = run.converged ? run.iterations : -1;
      if (g == 0 && r >= 0.5 && run.iterations > s->worst_free)
        s->worst_free = run.iterations;
      if (g == TEN && run.converged && run.iterations < fewest) {
        fewest = run.iterations;
        s->best_r = r;
      }
      experiment_cell(t, fmax(1, run.iterations)); /* a logarithmic axis has no 0 */
    }
  }
  experiment_table_end(t);
}

/* Fixed r, and what adaptive r takes from the same r on: in all gravities, or in two of them. */
static void draw(experiment *e, const char *table, const char *title, const char *x_label,
                 bool beside)
{
  char keys[GRAVITIES][24];
  experiment_line lines[GRAVITIES + 2];
  for (int g = 0; g < GRAVITIES; g++) {
    snprintf(keys[g], sizeof keys[g], "g = -%g", gravities[g]);
    lines[g] = (experiment_line){table, 1, 2 + g, keys[g], experiment_marked};
  }
  lines[GRAVITIES] = (experiment_line){"adaptive", 1, 6, "-5.05, adaptive", {.dashed = true}};
  lines[GRAVITIES + 1] = (experiment_line){"adaptive", 1, 8, "-10, adaptive", {.dashed = true}};
  experiment_draw_lines(e, table,
                        &(plot){.title = title,
                                .x_label = x_label,
                                .y_label = "iterations (at most 300)",
                                .log_y = true,
                                .y_least = 0.9,
                                .y_most = 400},
                        beside ? GRAVITIES + 2 : GRAVITIES, lines);
}

static void r_star(experiment *e, const sweep *disc, const sweep *pyramid)
{
  particle p;
  perp_facts facts;
  if (!particle_make(e, PARTICLE_PYRAMID, 10, 0, &p))
    return;
  if (!perp_problem_facts(&p.problem, &facts, NULL)) {
    const double by_formula = 2 / (facts.eigen_max + fmax(0, facts.eigen_min));
    experiment_text(
        e,
        "r* = 2 / (eta_max + eta_min): the paper has eta_max = 2, eta_min = 0 and r* = 1. The "
        "symmetric part of its matrix (33) has eta_max = %.4f and eta_min = %.4f, a little below "
        "zero, since friction makes A unsymmetric; with 0 in its place r* = %.4f. Fewest "
        "iterations at g = -10: r = %.2f by Algorithm 1 and r = %.2f by the LCP.",
        facts.eigen_max, facts.eigen_min, by_formula, disc->best_r, pyramid->best_r);
    experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE,
                     fabs(by_formula - disc->best_r) < 0.03,
                     "r* by the formula (%.3f) is the best r measured, with Algorithm 1 (%.2f)",
                     by_formula, disc->best_r);
    experiment_claim(
        e, CLAIM_PAPER, fabs(by_formula - pyramid->best_r) < 0.03,
        "r* by the formula (%.3f) is the best r measured, with the LCP of six rows (%.2f)",
        by_formula, pyramid->best_r);
  }
  particle_destroy(&p);
}

/* Total errors without any impulse, the particle sliding on at speed 1: is that already near
 * enough? */
static void describe_rest(experiment *e, int size, char *text)
{
  static const int which[] = {TOUCH, LIGHT, JUST};
  const double sliding[PARTICLE_ROWS] = {0, 0, 0, 0, 0, 1};
  int used = snprintf(text, (size_t)size, "that of no impulse at all is");
  for (int k = 0; k < 3; k++) {
    particle p;
    if (!particle_make(e, PARTICLE_PYRAMID, gravities[which[k]], 0, &p))
      return;
    const double rest = particle_error(&p, sliding);
    used += snprintf(text + used, (size_t)(size - used), "%s %.1e at eps = %g%s", k ? "," : "",
                     rest, gravities[which[k]] - 5, rest <= ENOUGH ? " (near enough)" : "");
    particle_destroy(&p);
  }
  snprintf(text + used, (size_t)(size - used), ".");
}

static void run(experiment *e)
{
  const int steps = experiment_pick(e, 40, 79, 391); /* r = 1 and 1.25 are among them */
  sweep disc, pyramid, ours;
  char at_rest[300];
  study(e, PARTICLE_DISC, "fixed", "disc", steps, &disc);
  study(e, PARTICLE_PYRAMID, "fixed", "pyramid", steps, &pyramid);
  experiment_progress(e, 0.7);
  study(e, PARTICLE_PYRAMID, "adaptive", "adaptive", steps, &ours);
  describe_rest(e, sizeof at_rest, at_rest);
  if (experiment_stopped(e))
    return;
  draw(e, "disc", "Fixed r, Algorithm 1 (friction on a disc)", "r", false);
  draw(e, "pyramid",
       "Fixed r on the LCP (33) (friction pyramid, slip speed as an unknown), and adaptive r "
       "from the same r on",
       "r", true);
  experiment_why(
      e,
      "The two models differ since the LCP has the slip speed s among its unknowns: x and s turn "
      "round each other (the eigenvalues that belong to them are imaginary), and s comes back in "
      "steps of r mu p_n, which a light touch makes tiny. Algorithm 1 has no such unknown. The "
      "paper's curves mix both: one iteration at r = 1 as in the first figure, no convergence at r "
      "= 1.25 and at g = -(5 + eps) as in the second. The paper does not print its eps. It "
      "matters, since the iteration ends at a total error of %g: %s",
      ENOUGH, at_rest);
  draw(e, "adaptive", "Adaptive r on the LCP, by the r it begins with", "first r", false);
  r_star(e, &disc, &pyramid);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, disc.iterations_at_one == 1,
                   "Algorithm 1 with r = 1 needs one iteration at g = -10 (ours: %d)",
                   disc.iterations_at_one);
  experiment_claim(e, CLAIM_PAPER, pyramid.iterations_at_125 < 0,
                   "r = 1.25 has not converged after 300 iterations at g = -10 (the LCP)");
  experiment_claim(e, CLAIM_PAPER, disc.iterations_at_125 < 0,
                   "r = 1.25 has not converged after 300 iterations at g = -10 (Algorithm 1: %d "
                   "iterations; its error shrinks by |1 - r| in each, as A is the identity)",
                   disc.iterations_at_125);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, pyramid.worst_free <= 20 && disc.worst_free <= 20,
                   "without contact (g = -4) few iterations do, but for small r (at most %d for r "
                   "of at least 0.5)",
                   disc.worst_free > pyramid.worst_free ? disc.worst_free : pyramid.worst_free);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_HEADLINE, pyramid.failed[JUST] >= pyramid.tried - 4,
      "g = -(5 + eps) converges for hardly any r: of %d values of r the LCP fails for %d at "
      "eps = %g, for %d at %g and for %d at %g",
      pyramid.tried, pyramid.failed[JUST], gravities[JUST] - 5, pyramid.failed[LIGHT],
      gravities[LIGHT] - 5, pyramid.failed[TOUCH], gravities[TOUCH] - 5);
  int lost = 0;
  for (int g = 0; g < GRAVITIES; g++)
    lost += ours.failed[g];
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST | CLAIM_HEADLINE, ours.default_worst < 100,
                   "adaptive r as it comes converges for every gravity, g = -(5 + eps) too (at "
                   "most %d iterations)",
                   ours.default_worst);
  experiment_claim(e, CLAIM_OURS, lost == 0,
                   "adaptive r converges within 300 iterations whatever r it begins with (%d of "
                   "%d runs do not)",
                   lost, GRAVITIES * ours.tried);
}

const experiment_info experiment_prox_r = {
    .name = "prox-r",
    .title = "The prox fixed point: iterations against r",
    .source = "Lu and Trinkle, Figure 2",
    .says =
        "r = r* = 1 converges at once; far from it hundreds of iterations are not enough; and r "
        "must depend on b: a contact that only just happens, g = -(5 + eps), converges for r = 1 "
        "and r = 1.3 alone",
    .run = run,
};
