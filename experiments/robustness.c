/* robustness.c: how the methods end on hundreds of problems, and after how many iterations (Erleben
 * 2013, Tables 1 and 2), by the notes' own stopping rules and by the natural residual */
#include "notes.h"

#include <math.h>
#include <string.h>

enum { PLAIN = NOTES_METHODS, ROUGH, RUNS, MOST = 100 }; /* the four methods, and two more */

/* The plain minimum map with Newton equations solved only to half their residual. */
static const notes_method rough_minmap = {
    "minmap:smooth=no,weighted=no,restarts=0,solver=gmres,preconditioner=none,gamma=0.5",
    "Rough min. map", PERP_MERIT_MINMAP};

typedef struct set {
  const char *name, *kind, *key; /* kind: up to the key that differs */
  int count, limit;
  bool notes; /* the problems that the paper's numbers are of */
} set;

typedef struct tally {
  int count, state[NOTES_STATES], truly; /* truly: natural residual at most 1e-3 */
  int absolute;
  double iterations[MOST];
} tally;

static const notes_method *method_at(int m)
{
  return m < NOTES_METHODS ? &notes_methods[m] : m == PLAIN ? &notes_plain_minmap : &rough_minmap;
}

static void tally_set(experiment *e, const set *s, double from, double share, tally tallies[RUNS])
{
  const notes_rule notes = {
      .absolute = 1e-3, .relative = 1e-6, .stagnation = 1e-14, .limit = s->limit};
  const notes_rule honest = {.residual = 1e-6, .limit = s->limit};
  const notes_rule *rule = s->notes ? &notes : &honest;
  for (int k = 0; k < s->count; k++) {
    experiment_case c;
    const bool opened =
        strcmp(s->key, "seed") == 0
            ? experiment_open(e, &c, "%s,seed=%d", s->kind, k + 1)
            : experiment_open(e, &c, "%s,%s=%.4f", s->kind, s->key, (k + 0.5) / s->count - 0.5);
    if (!opened)
      return;
    for (int m = 0; m < RUNS; m++) {
      memset(c.x, 0, (size_t)c.p.K.n * sizeof *c.x);
      const notes_run r = notes_solve(&c.p, method_at(m), rule, c.x);
      tally *t = &tallies[m];
      t->count++;
      t->state[r.state]++;
      t->truly += r.residual <= 1e-3;
      if (r.state == NOTES_ABSOLUTE)
        t->iterations[t->absolute++] = r.iterations;
    }
    experiment_close(&c);
    if (!experiment_progress(e, from + share * (k + 1) / s->count))
      return;
  }
}

enum { FLUID, CONTACT, DAM, PLANTED_DAM, PILE, SETS };

/* Published: number of 100 problems that ended by the absolute test; NaN: not printed. */
static const double published_absolute[2][RUNS] = {{100, 100, 100, 100, NAN, NAN},
                                                   {100, 0, NAN, NAN, NAN, NAN}};
/* Mean, least, most and standard deviation of the iterations. */
static const double published_iterations[2][RUNS][4] = {
    {{5.00, 5, 5, 0.00},
     {4.07, 3, 5, 0.29},
     {49.38, 9, 83, 17.48},
     {25.29, 16, 35, 3.77},
     {NAN, NAN, NAN, NAN},
     {NAN, NAN, NAN, NAN}},
    {{14.54, 9, 26, 2.79},
     {NAN, NAN, NAN, NAN},
     {NAN, NAN, NAN, NAN},
     {NAN, NAN, NAN, NAN},
     {NAN, NAN, NAN, NAN},
     {NAN, NAN, NAN, NAN}},
};

static void write_states(experiment *e, const set *sets, tally (*all)[RUNS])
{
  experiment_table *t = experiment_table_begin(
      e, "states", "Final states (Table 1); the last column is the paper's, of 100 runs",
      "problems,method,runs,relative,absolute,stagnation,local min.,non-descent,limit,refused,"
      "residual <= 1e-3,paper: absolute");
  for (int s = 0; s < SETS; s++)
    for (int m = 0; m < RUNS; m++) {
      const tally *c = &all[s][m];
      experiment_cell_text(t, "%s", sets[s].name);
      experiment_cell_text(t, "%s", method_at(m)->title);
      experiment_cell(t, c->count);
      for (int k = 0; k < NOTES_STATES; k++)
        experiment_cell(t, c->state[k]);
      experiment_cell(t, c->truly);
      experiment_cell(t, sets[s].notes ? published_absolute[s][m] : NAN);
    }
  experiment_table_end(t);
}

static void write_iterations(experiment *e, const set *sets, tally (*all)[RUNS])
{
  experiment_table *t = experiment_table_begin(
      e, "iterations",
      "Iterations to absolute convergence (Table 2); the last columns are the paper's",
      "problems,method,runs,mean,min,max,std,paper: mean,min,max,std");
  for (int s = 0; s < SETS; s++)
    for (int m = 0; m < RUNS; m++) {
      const tally *c = &all[s][m];
      if (c->absolute == 0)
        continue;
      const notes_statistics v = notes_statistics_of(c->absolute, c->iterations);
      experiment_cell_text(t, "%s", sets[s].name);
      experiment_cell_text(t, "%s", method_at(m)->title);
      experiment_cell(t, v.count);
      experiment_row(t, 4, (double[]){v.mean, v.least, v.most, v.deviation});
      for (int k = 0; k < 4; k++)
        experiment_cell(t, sets[s].notes ? published_iterations[s][m][k] : NAN);
    }
  experiment_table_end(t);
}

/* Claims that the mean iterations agree with the printed ones within a band, as for the same method. */
static void claim_counts(experiment *e, const tally *fluid, const tally *contact)
{
  static const double within[NOTES_METHODS] = {1.5, 1.5, 20, 8};
  double mean[RUNS];
  bool near[NOTES_METHODS];
  for (int m = 0; m < RUNS; m++)
    mean[m] = notes_statistics_of(fluid[m].absolute, fluid[m].iterations).mean;
  for (int m = 0; m < NOTES_METHODS; m++)
    near[m] = fabs(mean[m] - published_iterations[0][m][0]) <= within[m];
  const notes_statistics fb =
      notes_statistics_of(contact[NOTES_FISCHER].absolute, contact[NOTES_FISCHER].iterations);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                   near[NOTES_FISCHER] && near[NOTES_PGS] && near[NOTES_PSOR],
                   "the mean iterations on fluid problems are as printed, within %g, %g and %g "
                   "(Fischer %.1f for %.1f, PGS %.1f for %.1f, PSOR %.1f for %.1f)",
                   within[NOTES_FISCHER], within[NOTES_PGS], within[NOTES_PSOR],
                   mean[NOTES_FISCHER], published_iterations[0][NOTES_FISCHER][0], mean[NOTES_PGS],
                   published_iterations[0][NOTES_PGS][0], mean[NOTES_PSOR],
                   published_iterations[0][NOTES_PSOR][0]);
  experiment_claim(
      e, CLAIM_PAPER, near[NOTES_MINMAP],
      "the minimum map takes the printed number of iterations on fluid problems, within "
      "%g (ours takes %.1f for %.1f; with Newton equations solved to half their "
      "residual %.1f)",
      within[NOTES_MINMAP], mean[NOTES_MINMAP], published_iterations[0][NOTES_MINMAP][0],
      mean[ROUGH]);
  /* regressions show here, as the band of the paper does not hold */
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST,
                   mean[NOTES_MINMAP] <= published_iterations[0][NOTES_MINMAP][0],
                   "the minimum map with Newton equations solved exactly takes fewer iterations on "
                   "fluid problems than printed (%.1f for %.1f)",
                   mean[NOTES_MINMAP], published_iterations[0][NOTES_MINMAP][0]);
  experiment_claim(e, CLAIM_PAPER, fabs(fb.mean - published_iterations[1][0][0]) <= 3,
                   "the mean iterations of Fischer-Newton on contact problems are as printed, "
                   "within 3 (%.1f for %.1f)",
                   fb.mean, published_iterations[1][0][0]);
}

static void claim(experiment *e, tally (*all)[RUNS])
{
  const tally *fluid = all[FLUID], *contact = all[CONTACT];
  const int n = fluid[0].count, c = contact[0].count;
  bool every = true;
  for (int m = 0; m < NOTES_METHODS; m++)
    every = every && fluid[m].absolute == n;
  experiment_claim(
      e, CLAIM_PAPER, every,
      "all four methods reach absolute convergence on every fluid problem (Fischer %d, "
      "minimum map %d, PGS %d, PSOR %d of %d)",
      fluid[0].absolute, fluid[1].absolute, fluid[2].absolute, fluid[3].absolute, n);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST,
                   fluid[NOTES_FISCHER].absolute == n && fluid[NOTES_MINMAP].absolute == n,
                   "both Newton methods reach absolute convergence on every fluid problem");
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE,
                   contact[NOTES_FISCHER].absolute >= 0.95 * c,
                   "Fischer-Newton is robust on contact problems (%d of %d)",
                   contact[NOTES_FISCHER].absolute, c);
  int near = 0, ended = 0;
  for (int m = 0; m < NOTES_METHODS; m++) {
    near += fluid[m].truly;
    ended += fluid[m].absolute;
  }
  experiment_claim(e, CLAIM_PAPER | CLAIM_HEADLINE, near == ended,
                   "absolute convergence means that a solution is near (natural residual at most "
                   "1e-3 in %d of %d such runs on fluid problems)",
                   near, ended);
  experiment_claim(e, CLAIM_PAPER | CLAIM_HEADLINE, contact[NOTES_MINMAP].absolute == 0,
                   "the minimum map Newton method does not work at all on contact problems (ours: "
                   "%d of %d reach absolute convergence, the plain one %d)",
                   contact[NOTES_MINMAP].absolute, c, contact[PLAIN].absolute);
  const notes_statistics fb = notes_statistics_of(fluid[0].absolute, fluid[0].iterations);
  const notes_statistics map = notes_statistics_of(fluid[1].absolute, fluid[1].iterations);
  const notes_statistics pgs = notes_statistics_of(fluid[2].absolute, fluid[2].iterations);
  const notes_statistics psor = notes_statistics_of(fluid[3].absolute, fluid[3].iterations);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST, fb.deviation < 2 && map.deviation < 2,
                   "the iterations of the Newton methods hardly vary (deviations %.2f and %.2f)",
                   fb.deviation, map.deviation);
  experiment_claim(e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE,
                   pgs.mean > 1.6 * psor.mean && pgs.mean < 2.6 * psor.mean,
                   "PSOR is on average twice as fast as PGS (%.1f and %.1f sweeps)", psor.mean,
                   pgs.mean);
  experiment_claim(e, CLAIM_PAPER, pgs.deviation > 2 * psor.deviation,
                   "the iterations of PGS vary wildly (deviation %.1f against %.1f of PSOR)",
                   pgs.deviation, psor.deviation);
  experiment_claim(e, CLAIM_HONEST | CLAIM_MUST | CLAIM_HEADLINE,
                   all[DAM][NOTES_FISCHER].absolute == all[DAM][0].count,
                   "Fischer-Newton is as robust on dams (%d of %d to 1e-6)",
                   all[DAM][NOTES_FISCHER].absolute, all[DAM][0].count);
  experiment_claim(e, CLAIM_HONEST | CLAIM_MUST,
                   all[PILE][NOTES_FISCHER].absolute >= 0.9 * all[PILE][0].count,
                   "Fischer-Newton is as robust on planted heaps of balls (%d of %d to 1e-6)",
                   all[PILE][NOTES_FISCHER].absolute, all[PILE][0].count);
  experiment_claim(e, CLAIM_OURS | CLAIM_MUST | CLAIM_HEADLINE,
                   contact[NOTES_MINMAP].absolute >= 0.95 * c &&
                       all[PILE][NOTES_MINMAP].absolute >= 0.9 * all[PILE][0].count,
                   "a minimum map Newton method that works on contact problems (%d of %d of the "
                   "notes, %d of %d planted heaps of balls)",
                   contact[NOTES_MINMAP].absolute, c, all[PILE][NOTES_MINMAP].absolute,
                   all[PILE][0].count);
  claim_counts(e, fluid, contact);
  experiment_claim(
      e, CLAIM_HONEST | CLAIM_HEADLINE, all[DAM][NOTES_PGS].absolute == all[DAM][0].count,
      "the sweeps are as robust on the pressure of dams (within 100 sweeps PGS reaches "
      "1e-6 in %d of %d and PSOR in %d; with planted solutions, in %d and %d)",
      all[DAM][NOTES_PGS].absolute, all[DAM][0].count, all[DAM][NOTES_PSOR].absolute,
      all[PLANTED_DAM][NOTES_PGS].absolute, all[PLANTED_DAM][NOTES_PSOR].absolute);
}

static void run(experiment *e)
{
  const int n = experiment_pick(e, 216, 512, 1000);
  const int fluids = experiment_pick(e, 20, 50, MOST), contacts = experiment_pick(e, 20, 50, MOST);
  char fluid[80];
  snprintf(fluid, sizeof fluid, "fluid-notes:rhs=notes,n=%d", n);
  const set sets[SETS] = {
      {"notes: fluid", fluid, "seed", fluids, 100, true},
      {"notes: contacts", "contact-notes:rhs=notes,n=180", "seed", contacts, 100, true},
      {"leaning dams", "fluid:n=3600", "lean", fluids, 100, false},
      {"planted dams", "fluid:n=3600,plant=yes", "seed", fluids, 100, false},
      {"planted heaps", "pile:n=16,form=polyhedral,layout=random,plant=yes", "seed", contacts, 100,
       false},
  };
  tally(*all)[RUNS] = experiment_room(e, SETS, sizeof *all);
  for (int s = 0; s < SETS && !experiment_stopped(e); s++)
    tally_set(e, &sets[s], (double)s / SETS, 1.0 / SETS, all[s]);
  if (experiment_stopped(e))
    return;
  write_states(e, sets, all);
  write_iterations(e, sets, all);
  claim(e, all);
  experiment_why(
      e, "On the problems of the notes the absolute test is theta < 1e-3, with x^T |A x + b| for "
         "the sweeps and half the square of the method's map for the Newton methods. It is not "
         "scaled, and x^T |A x + b| does not see rows with x_i = 0 and y_i < 0; the column of the "
         "natural residual tells how many of the runs ended near a solution. On the dams, whose "
         "gravity leans differently, and the planted heaps it is a relative natural residual of "
         "at most 1e-6. Solutions planted at random touch the bound in scattered cells, which "
         "leaves sweeps little to carry far. Our minimum map method does not give up where its "
         "Newton equation is singular, which is what ends that of the notes. The notes solve "
         "Newton equations by GMRES; ours are solved exactly, which spares the minimum map an "
         "iteration or two: the rough one of the tables, which stops GMRES early, comes near the "
         "count that they print.");
}

const experiment_info experiment_robustness = {
    .name = "robustness",
    .title = "Final states and iterations on hundreds of problems",
    .source = "Erleben 2013, Tables 1 and 2",
    .says =
        "every method reaches absolute convergence on 100 fluid problems of 1000 unknowns; on "
        "100 contact problems of 180 Fischer-Newton always does and the minimum map never; the "
        "iterations of Newton methods hardly vary, the iterations of PGS do, and PSOR needs half",
    .run = run,
};
