/* spectra.c: eigenvalues of the contact matrices of falling discs (Erleben 2013, slides, advanced
 * exercise), without friction and with it, and which solver serves best */
#include "experiment.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 3, METHODS = 6 };
static const char *const methods[METHODS] = {"pgs", "nncg", "fischer", "ipm", "gpcg", "lemke"};

typedef struct spectrum {
  int n, step;
  double least, most, asymmetry;
  double above; /* the least that is above 1e-10 of the largest */
  int zeros;    /* of a magnitude below that */
} spectrum;

typedef struct trial {
  bool takes;
  int solved, count;
  double seconds, iterations;
} trial;

static void take_spectrum(experiment *e, const char *table, const perp_problem *p, spectrum *s)
{
  double *w = experiment_room(e, (size_t)p->K.n + 1, sizeof *w);
  perp_facts facts = {0};
  perp_message why = {""};
  if (!w)
    return;
  perp_error error = perp_operator_spectrum(p->A, w, &why);
  if (!error)
    error = perp_problem_facts(p, &facts, &why);
  if (error) {
    experiment_fail(e, error, why.text);
    return;
  }
  experiment_table *t =
      experiment_table_begin(e, table, NULL, "share of the unknowns,eigenvalue over the largest");
  *s = (spectrum){.n = p->K.n,
                  .step = s->step,
                  .least = w[0],
                  .most = w[p->K.n - 1],
                  .asymmetry = facts.asymmetry,
                  .above = NAN};
  for (int i = 0; i < p->K.n; i++) {
    const bool zero = fabs(w[i]) <= 1e-10 * s->most;
    s->zeros += zero;
    if (isnan(s->above) && w[i] > 1e-10 * s->most)
      s->above = w[i];
    experiment_row(t, 2, (double[]){(i + 1.0) / p->K.n, zero ? 1e-10 : w[i] / s->most});
  }
  experiment_table_end(t);
}

static void try_methods(experiment *e, const perp_problem *p, trial *trials)
{
  for (int m = 0; m < METHODS; m++) {
    double *x = experiment_room(e, (size_t)p->K.n + 1, sizeof *x);
    perp_options o = perp_options_default();
    o.tol = 1e-6;
    o.time_limit = 2;
    if (!x)
      return;
    const experiment_solve s = experiment_run_on(p, methods[m], &o, x, NULL, 0);
    trials[m].takes = trials[m].takes || !s.error;
    trials[m].count++;
    trials[m].solved += !s.error && s.outcome == PERP_SOLVED;
    trials[m].seconds += s.seconds;
    trials[m].iterations += (double)s.counts.iterations;
  }
}

/* Lets the discs fall, and takes the spectrum at the steps given. */
static void fall(experiment *e, const char *friction, int discs, const int *steps, double from,
                 spectrum *spectra, trial *trials)
{
  char scene[128];
  perp_simulation *sim = NULL;
  perp_message why = {""};
  snprintf(scene, sizeof scene, "discs:n=%d,spread=0.8,friction=%s,operator=csr", discs, friction);
  perp_error error = perp_simulation_create(scene, "auto", NULL, &sim, &why);
  for (int k = 1, at = 0; at < FRAMES && !error; k++) {
    perp_step frame;
    error = perp_simulation_step(sim, &frame, &why);
    if (!experiment_progress(e, from + 0.5 * fmin(1, (double)k / steps[FRAMES - 1])))
      break;
    const perp_problem *p = error || k < steps[at] ? NULL : perp_simulation_problem(sim);
    if (!p || p->K.n == 0)
      continue; /* if nothing touches yet: the next step that has contacts */
    char table[32];
    snprintf(table, sizeof table, "%s-%d", friction, at);
    spectra[at].step = k;
    take_spectrum(e, table, p, &spectra[at]);
    try_methods(e, p, trials);
    at++;
  }
  if (error)
    experiment_fail(e, error, why.text);
  perp_simulation_destroy(sim);
}

static void draw(experiment *e, const char *friction, const char *title, const spectrum *s)
{
  experiment_line line[FRAMES];
  char tables[FRAMES][32], keys[FRAMES][48];
  for (int k = 0; k < FRAMES; k++) {
    snprintf(tables[k], sizeof tables[k], "%s-%d", friction, k);
    snprintf(keys[k], sizeof keys[k], "step %d, n = %d", s[k].step, s[k].n);
    line[k] = (experiment_line){tables[k], 1, 2, keys[k], experiment_points};
  }
  plot p = {title, "share of the eigenvalues", "eigenvalue over the largest", .dot = 1.5};
  p.log_y = strcmp(friction, "none") == 0;
  if (!p.log_y) { /* both signs */
    p.y_least = -0.02;
    p.y_most = 1;
    p.y_linear = 1e-4;
  }
  experiment_draw_lines(e, friction, &p, FRAMES, line);
}

enum { NONE, FRICTION, SCENES };

static void tell(experiment *e, spectrum (*s)[FRAMES], trial (*trials)[METHODS])
{
  static const char *const names[SCENES] = {"no friction", "friction"};
  experiment_table *t = experiment_table_begin(e, "facts", "The matrices",
                                               "scene,step,n,least eigenvalue,largest,zero "
                                               "eigenvalues,largest over least positive,asymmetry");
  for (int k = 0; k < SCENES; k++)
    for (int f = 0; f < FRAMES; f++) {
      experiment_cell_text(t, "%s", names[k]);
      experiment_row(
          t, 5, (double[]){s[k][f].step, s[k][f].n, s[k][f].least, s[k][f].most, s[k][f].zeros});
      experiment_cell(t, s[k][f].most / s[k][f].above);
      experiment_cell(t, s[k][f].asymmetry);
    }
  experiment_table_end(t);
  t = experiment_table_begin(e, "solvers", "Solvers on the same problems, to 1e-6 from x = 0",
                             "method,no friction: solved,mean iterations,mean seconds,friction: "
                             "solved,mean iterations,mean seconds");
  for (int m = 0; m < METHODS; m++) {
    experiment_cell_text(t, "%s", methods[m]);
    for (int k = 0; k < SCENES; k++) {
      const trial *r = &trials[k][m];
      experiment_cell_text(t, r->takes ? "%d of %d" : "refuses", r->solved, r->count);
      experiment_cell(t, r->takes ? r->iterations / r->count : NAN);
      experiment_cell(t, r->takes ? r->seconds / r->count : NAN);
    }
  }
  experiment_table_end(t);
}

static void run(experiment *e)
{
  const int discs = experiment_pick(e, 40, 60, 100);
  const int steps[FRAMES] = {experiment_pick(e, 40, 50, 60), experiment_pick(e, 80, 100, 150),
                             experiment_pick(e, 140, 200, 300)};
  spectrum s[SCENES][FRAMES] = {0};
  trial trials[SCENES][METHODS] = {0};
  fall(e, "none", discs, steps, 0, s[NONE], trials[NONE]);
  if (!experiment_stopped(e))
    fall(e, "polyhedral", discs, steps, 0.5, s[FRICTION], trials[FRICTION]);
  if (experiment_stopped(e))
    return;
  draw(e, "none", "Discs without friction: all eigenvalues", s[NONE]);
  draw(e, "polyhedral", "Discs with friction: eigenvalues of the symmetric part", s[FRICTION]);
  tell(e, s, trials);
  bool semidefinite = true, symmetric = true, skew = true, indefinite = true;
  int zeros = 0;
  for (int f = 0; f < FRAMES; f++) {
    semidefinite = semidefinite && s[NONE][f].least >= -1e-10 * s[NONE][f].most;
    symmetric = symmetric && s[NONE][f].asymmetry < 1e-12;
    skew = skew && s[FRICTION][f].asymmetry > 0;
    indefinite = indefinite && s[FRICTION][f].least < -1e-10 * s[FRICTION][f].most;
    zeros = s[NONE][f].zeros > zeros ? s[NONE][f].zeros : zeros;
  }
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, symmetric && semidefinite,
                   "without friction the matrix is symmetric and positive semi-definite");
  experiment_claim(
      e, CLAIM_PAPER, zeros > 0,
      "without friction there are zero eigenvalues: more contacts than the discs can move "
      "(up to %d)",
      zeros);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, skew,
                   "with friction directions the matrix is not symmetric");
  experiment_claim(e, CLAIM_HONEST, !indefinite,
                   "with friction directions the symmetric part stays semi-definite");
  experiment_why(
      e, "Eigenvalues below 1e-10 of the largest are drawn at 1e-10. Without friction "
         "every solver serves, sweeps being the simplest; with friction directions the "
         "diagonal has zeros and only methods that do not divide by it are left. The "
         "coefficient mu is in the rows of the cone without a counterpart in the columns, so that "
         "the symmetric part is indefinite unless mu is zero.");
}

const experiment_info experiment_spectra = {
    .name = "spectra",
    .title = "Spectra of falling discs",
    .source = "Erleben 2013, slides, advanced exercise",
    .says = "determine the eigenvalues of the contact matrix of discs of varying size and mass, "
            "whether it is symmetric, and which solver is best; add friction and see what changes",
    .run = run,
};
