/* multigrid.c: the cost of truncated multigrid as grids grow (Graeser and Kornhuber 2009)
 *
 * Cycles to a relative natural residual of 1e-8, CPU time with its exponent over the number
 * of unknowns, and the time counted in red-black sweeps of projected Gauss-Seidel on the same
 * problem. Compared with projected SOR, whose sweeps grow at best with the side of the grid. Times are
 * of a second solve by the same solver, everything included. */
#include "experiment.h"
#include "kit/numbers.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { FAMILIES = 5, MOST_SIZES = 5 };

typedef struct family {
  const char *label, *format;                    /* with the side of the grid */
  int extra;                                     /* points of the boundary that the format counts */
  int first, last_quick, last_normal, last_full; /* sides, doubling */
} family;

static const family families[FAMILIES] = {
    {"obstacle", "obstacle:points=%d", 2, 64, 512, 1024, 2048},
    {"obstacle lcp", "obstacle:points=%d,variant=plain,form=lcp", 2, 64, 512, 1024, 2048},
    {"journal", "journal:grid=%d", 0, 64, 512, 1024, 2048},
    {"fluid", "fluid:grid=%d", 0, 64, 512, 1024, 2048},
    {"fluid 3D", "fluid:grid=%d,dimension=3", 0, 16, 64, 64, 128},
};

typedef struct measured {
  int side, n;
  double cycles, seconds, sweep;
  double psor; /* sweeps of PSOR with its best omega to 1e-8; NaN: not tried or not solved */
  bool solved;
} measured;

/* Seconds of a solve from 0 by a solver of ours; an error is that of the experiment. */
static double timed(experiment *e, perp_solver *solver, experiment_case *c, const perp_options *o,
                    perp_result *r)
{
  memset(c->x, 0, (size_t)c->p.K.n * sizeof *c->x);
  *r = perp_result_empty();
  const clock_t begin = clock();
  const perp_error error = perp_solver_solve(solver, &c->p, o, c->x, r);
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  if (error)
    experiment_fail(e, error, r->message.text);
  return seconds;
}

static void time_cycles(experiment *e, experiment_case *c, int rounds, measured *m)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  double seconds[8] = {0};
  if (experiment_solver("mg", &solver))
    experiment_fail(e, PERP_ERROR_MEMORY, "");
  for (int k = -1; k < rounds && !experiment_stopped(e); k++) { /* the first warms up */
    const double took = timed(e, solver, c, NULL, &r);
    if (k >= 0)
      seconds[k] = took;
  }
  perp_solver_destroy(solver);
  m->seconds = kit_median(rounds, seconds);
  m->cycles = (double)r.counts.cycles;
  m->solved = r.outcome == PERP_SOLVED;
}

/* One red-black sweep: the difference of 41 sweeps and one, over 40. */
static void time_sweep(experiment *e, experiment_case *c, int rounds, measured *m)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  double sweep[8] = {0};
  if (experiment_solver("pgs:order=coloured", &solver))
    experiment_fail(e, PERP_ERROR_MEMORY, "");
  for (int k = 0; k < rounds && !experiment_stopped(e); k++) {
    double seconds[2];
    for (int many = 0; many < 2; many++) {
      perp_options o = perp_options_default();
      o.tol = 0;
      o.max_iterations = many ? 41 : 1;
      o.check_every = 1 << 30;
      seconds[many] = timed(e, solver, c, &o, &r);
    }
    sweep[k] = fmax((seconds[1] - seconds[0]) / 40, 1e-9);
  }
  perp_solver_destroy(solver);
  m->sweep = kit_median(rounds, sweep);
}

/* PSOR with the omega that is best for the equation without bounds on a square of that side. */
static void count_psor(experiment_case *c, measured *m)
{
  char method[64];
  perp_options o = perp_options_default();
  o.max_iterations = 20000;
  snprintf(method, sizeof method, "psor:omega=%.5f", 2 / (1 + sin(acos(-1) / (m->side + 1))));
  const experiment_solve s = experiment_run_from_0(c, method, &o, NULL, 0);
  m->psor = s.outcome == PERP_SOLVED ? (double)s.counts.iterations : NAN;
}

static bool measure(experiment *e, const family *f, int side, measured *m)
{
  char text[128];
  experiment_case c;
  snprintf(text, sizeof text, f->format, side + f->extra);
  if (!experiment_open(e, &c, "%s", text))
    return false;
  const int rounds = experiment_pick(e, 3, 3, 5);
  *m = (measured){.side = side, .n = c.p.K.n, .psor = NAN};
  time_cycles(e, &c, rounds, m);
  time_sweep(e, &c, rounds, m);
  if (side <= 256)
    count_psor(&c, m);
  experiment_close(&c);
  return !experiment_stopped(e);
}

typedef struct verdicts {
  double most_cycles, growth, exponent, most_sweeps;
  bool all_solved;
} verdicts;

static void judge(const measured *m, int count, verdicts *v, double *exponent)
{
  double n[MOST_SIZES + 1], seconds[MOST_SIZES + 1], least = INFINITY, most = 0;
  for (int k = 0; k < count; k++) {
    n[k] = m[k].n;
    seconds[k] = m[k].seconds;
    least = fmin(least, m[k].cycles);
    most = fmax(most, m[k].cycles);
    v->all_solved = v->all_solved && m[k].solved;
  }
  v->most_sweeps = fmax(v->most_sweeps, m[count - 1].seconds / m[count - 1].sweep);
  *exponent = kit_exponent(count, n, seconds);
  v->most_cycles = fmax(v->most_cycles, most);
  v->growth = fmax(v->growth, most / least);
  v->exponent = fmax(v->exponent, *exponent);
}

/* Of n in the sweeps of PSOR, over the sizes it was run on. */
static double psor_exponent(const measured *m, int count)
{
  double n[MOST_SIZES + 1], sweeps[MOST_SIZES + 1];
  int used = 0;
  for (int k = 0; k < count; k++)
    if (!isnan(m[k].psor)) {
      n[used] = m[k].n;
      sweeps[used++] = m[k].psor;
    }
  return kit_exponent(used, n, sweeps);
}

static void draw(experiment *e, const char *name, int column, const plot *p)
{
  char table[FAMILIES][32];
  experiment_line lines[FAMILIES];
  for (int f = 0; f < FAMILIES; f++) {
    snprintf(table[f], sizeof table[f], "family%d", f);
    lines[f] = (experiment_line){table[f], 1, column, families[f].label, experiment_marked};
  }
  experiment_draw_lines(e, name, p, FAMILIES, lines);
}

static void run(experiment *e)
{
  verdicts v = {.exponent = NAN, .all_solved = true};
  double psor = NAN; /* exponent, obstacle */
  experiment_table *all = experiment_table_begin(
      e, "cost", "Multigrid to 1e-8: cycles, time, and time in red-black sweeps",
      "problem,side,unknowns,cycles,seconds,ns per unknown,in sweeps,sweeps of PSOR");
  experiment_table *fits = experiment_table_begin(
      e, "fits", "Growth over the sizes",
      "problem,exponent of n in time,most over fewest cycles,exponent of n in the sweeps of PSOR");
  for (int f = 0; f < FAMILIES && !experiment_stopped(e); f++) {
    const family *fam = &families[f];
    const int last = experiment_pick(e, fam->last_quick, fam->last_normal, fam->last_full);
    measured m[MOST_SIZES + 1];
    char name[32];
    int count = 0;
    snprintf(name, sizeof name, "family%d", f);
    experiment_table *own =
        experiment_table_begin(e, name, NULL, "unknowns,cycles,seconds,in sweeps");
    for (int side = fam->first; side <= last && measure(e, fam, side, &m[count]); side *= 2) {
      const measured *at = &m[count++];
      const double sweeps = at->seconds / at->sweep;
      experiment_cell_text(all, "%s", fam->label);
      experiment_cell(all, side);
      experiment_cell_text(all, "%d", at->n);
      experiment_row(
          all, 5, (double[]){at->cycles, at->seconds, 1e9 * at->seconds / at->n, sweeps, at->psor});
      experiment_row(own, 4, (double[]){at->n, at->cycles, at->seconds, sweeps});
    }
    experiment_table_end(own);
    if (count > 1) {
      verdicts this = {.all_solved = true};
      double exponent;
      judge(m, count, &this, &exponent);
      judge(m, count, &v, &exponent);
      experiment_cell_text(fits, "%s", fam->label);
      experiment_row(fits, 3, (double[]){exponent, this.growth, psor_exponent(m, count)});
      if (f == 0)
        psor = psor_exponent(m, count);
    }
    experiment_progress(e, (f + 1.0) / FAMILIES);
  }
  experiment_table_end(all);
  experiment_table_end(fits);
  if (experiment_stopped(e))
    return;
  draw(e, "cycles", 2,
       &(plot){"Cycles to 1e-8", "unknowns", "cycles", .log_x = true, .y_most = 20});
  draw(e, "time", 3,
       &(plot){"Processor time to 1e-8", "unknowns", "seconds", .log_x = true, .log_y = true});
  draw(e, "sweeps", 4,
       &(plot){"Time to 1e-8 in red-black sweeps of the same problem", "unknowns", "sweeps",
               .log_x = true});
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST | CLAIM_HEADLINE, v.all_solved && v.most_cycles <= 15,
      "at most 15 cycles to 1e-8 on every problem and size (ours: %.0f)", v.most_cycles);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST, v.growth <= 1.5,
      "cycles do not grow with the grid: a factor of 1.5 at the most from the smallest to "
      "the largest (ours: %.2f)",
      v.growth);
  experiment_claim(
      e, CLAIM_PAPER, v.exponent <= 1.1,
      "time is linear in the number of unknowns: an exponent of at most 1.1 (ours: %.2f)",
      v.exponent);
  experiment_claim(
      e, CLAIM_OURS, v.most_sweeps <= 120,
      "the whole solve costs at most 120 red-black sweeps of the largest grid (ours: up to "
      "%.0f; a cycle also reads bounds and residuals, and checks are counted)",
      v.most_sweeps);
  experiment_claim(
      e, CLAIM_PAPER | CLAIM_MUST, psor > 0.4 && psor < 0.6,
      "the sweeps of projected SOR with the best omega of the free equation grow like the "
      "side of the grid, n^0.5 (obstacle: n^%.2f)",
      psor);
  experiment_why(
      e, "Theory counts operations; a second counts how far they are from memory too, and the "
         "largest grids leave the caches. The notes show a multilevel method of theirs that "
         "behaved poorly and is not described.");
}

const experiment_info experiment_multigrid = {
    .name = "multigrid",
    .title = "Multigrid for obstacles, bearings and fluids",
    .source = "Graeser and Kornhuber 2009",
    .says = "truncated nonsmooth Newton multigrid keeps the speed of linear multigrid: a number of "
            "cycles that does not depend on the grid, and time linear in the number of unknowns",
    .run = run,
};
