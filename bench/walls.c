/* walls.c: ill-conditioned walls under a wrecking ball, as in Morales, Nocedal and Smelyanskiy (2008),
 * tables 1, 3 and 4 and figures 1 to 3: their published numbers beside ours
 *
 * Their problems are not public. Ours are walls with as many bodies and rows, the same condition
 * number, and the same share of contacts without an impulse at the solution (their table 2), which is
 * planted. Walls that still stand and carry load come after them: no table of theirs has such ones. */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Typed from the paper; a negative number stands for "more than". */
typedef struct published {
  const char *name;
  int n, nonzeros;
  double condition;
  int pgs_coarse, pgs_fine;                 /* table 1: sweeps to 1e-1, to 1e-2 */
  int idle;                                 /* table 2: contacts without an impulse */
  double ipm_seconds, sm_seconds;           /* table 3 */
  int ipm_factors, sm_factors;              /* table 3 */
  int tron_factors, sm_2_3, sm_5_3, sm_5_2; /* table 4: factorisations */
  double tron_seconds, seconds_2_3, seconds_5_3, seconds_5_2, pgs_seconds; /* table 4 */
} published;

static const published papers[] = {
    {"nb235_nc1044",
     1044,
     14211,
     4.58e4,
     61,
     312,
     58,
     0,
     0,
     0,
     0,
     9,
     6,
     6,
     5,
     .03,
     .03,
     .03,
     .02,
     1.41},
    {"nb449_nc1821",
     1821,
     28010,
     4.22e4,
     132,
     414,
     254,
     0,
     0,
     0,
     0,
     8,
     6,
     5,
     5,
     .06,
     .04,
     .03,
     .03,
     0.72},
    {"nb907_nc5832", 5832, 176735, 5.11e7, 21,  16785, 1512, 0.50, 0.22, 17, 7, 100, 9, 7, 7,
     22.3,           .30,  .22,    .24,    -300},
    {"nb948_nc7344", 7344, 269765, 9.02e7, 3123, -50000, 1828, 1.02, 0.46, 18, 9, 182, 9, 9, 7,
     91.0,           .48,  .46,    .39,    -300},
    {"nb966_nc8220", 8220, 368604, 9.19e7, 1601, 39103, 2321, 2.40, 0.63, 16, 7, 191, 7, 7, 6,
     67.8,           .64,  .63,    .59,    -300},
    {"nb976_nc8745",
     8745,
     373848,
     6.45e7,
     7184,
     -50000,
     2158,
     1.79,
     0.66,
     19,
     9,
     491,
     10,
     9,
     7,
     260,
     .73,
     .66,
     .55,
     -300},
    {"nb977_nc9534",
     9534,
     494118,
     1.03e8,
     1246,
     -50000,
     2728,
     4.67,
     0.87,
     17,
     6,
     229,
     6,
     6,
     6,
     186,
     .88,
     .87,
     .89,
     -300},
};
enum { PAPERS = (int)(sizeof papers / sizeof *papers), ROUNDS = 5, SLOWEST = 25 };
static const published journal = {.name = "DPJB_1_10000",
                                  .n = 10000,
                                  .tron_factors = 19,
                                  .sm_2_3 = 7,
                                  .sm_5_3 = 6,
                                  .sm_5_2 = 6,
                                  .tron_seconds = 1.12,
                                  .seconds_2_3 = .33,
                                  .seconds_5_3 = .30,
                                  .seconds_5_2 = .30,
                                  .pgs_seconds = 6.49};

static perp_instance made(const char *text)
{
  perp_instance instance;
  perp_message why;
  if (perp_generate(text, &instance, &why))
    bench_die("%s: %s", text, why.text);
  return instance;
}

static perp_instance wall_of(const published *p)
{
  char text[160];
  snprintf(text, sizeof text, "wall:size=%s,plant=yes,degenerate=0,active=%.4f", p->name,
           1 - 3.0 * p->idle / p->n);
  return made(text);
}

typedef struct setting {
  const char *method;
  int k_gs, k_sm; /* of pgssm, which is then as published; -1: as it comes */
} setting;

static const setting as_it_comes = {"pgssm", -1, -1}, interior = {"ipm", -1, -1};

/* A limit in seconds of the processor. */
typedef struct {
  clock_t began;
  double limit;
} alarm_clock;

static bool tick(void *context, const perp_progress *progress)
{
  (void)progress;
  const alarm_clock *a = context;
  return (double)(clock() - a->began) < a->limit * CLOCKS_PER_SEC;
}

/* From zero to a natural residual of 1e-8 relative, within the limit in seconds. The seconds of the
 * result are those of the processor: what else runs on the machine does not count. */
static perp_result run(const setting *s, const perp_problem *p, double limit)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  if (perp_solver_create(s->method, &solver, &r.message) ||
      (s->k_gs >= 0 && (perp_solver_set(solver, "k_gs", s->k_gs, &r.message) ||
                        perp_solver_set(solver, "accelerate", 0, &r.message) ||
                        perp_solver_set(solver, "caution", 0, &r.message))) ||
      (s->k_sm >= 0 && perp_solver_set(solver, "k_sm", s->k_sm, &r.message)))
    bench_die("%s", r.message.text);
  perp_options o = perp_options_default();
  o.max_iterations = 1000000000;
  o.check_every = -1;
  o.observer = tick;
  double *x = calloc((size_t)p->K.n, sizeof *x);
  alarm_clock a = {.began = clock(), .limit = limit};
  o.observer_context = &a;
  if (!x || perp_solver_solve(solver, p, &o, x, &r))
    bench_die("%s: %s", s->method, r.message.text);
  r.seconds = (double)(clock() - a.began) / CLOCKS_PER_SEC;
  perp_solver_destroy(solver);
  free(x);
  return r;
}

static const char *seconds_of(const perp_result *r, char text[16])
{
  snprintf(text, 16, "%s%.3f", r->outcome == PERP_SOLVED ? "" : ">", r->seconds);
  return text;
}

/* A negative count is one that was not enough. */
static const char *count_of(double count, const char *format, char text[16])
{
  text[0] = '>';
  snprintf(text + (count < 0), 15, format, fabs(count));
  return text;
}

static void report(const char *what, double value, double goal, bool at_most)
{
  const bool met = at_most ? value <= goal : value >= goal;
  printf("  %-58s %8.2f  goal %s %g  %s\n", what, value, at_most ? "<=" : ">=", goal,
         met ? "met" : "NOT MET");
}

/* ---- Table 1 ---- */

typedef struct {
  const perp_problem *problem;
  double *y, *scratch;
  int64_t coarse, fine; /* sweeps to 1e-1 and 1e-2 in their measure (2.7) */
} measure;

static bool watch(void *context, const perp_progress *progress)
{
  measure *m = context;
  if (!progress->x)
    return true;
  const perp_problem *p = m->problem;
  perp_mixed_residuals r;
  perp_operator_apply(p->A, progress->x, m->y, m->scratch);
  for (int i = 0; i < p->K.n; i++)
    m->y[i] += p->b[i];
  perp_mixed_residual(p, progress->x, m->y, &r);
  if (!m->coarse && r.scaled <= 1e-1)
    m->coarse = progress->iteration;
  if (!m->fine && r.scaled <= 1e-2)
    m->fine = progress->iteration;
  return !m->fine;
}

static void table_1(void)
{
  enum { MOST_SWEEPS = 50000 };
  printf("\nTable 1: sweeps of projected Gauss-Seidel, theirs / ours\n"
         "%-14s %6s %17s %11s %15s %15s\n",
         "", "n", "nonzeros", "condition", "to 1e-1", "to 1e-2");
  for (int k = 0; k < PAPERS; k++) {
    const published *t = &papers[k];
    perp_instance instance = wall_of(t);
    const perp_problem p = perp_instance_problem(&instance);
    measure m = {.problem = &p,
                 .y = calloc((size_t)p.K.n, sizeof(double)),
                 .scratch = calloc(perp_operator_scratch(p.A) + 1, sizeof(double))};
    perp_options o = perp_options_default();
    perp_result r = perp_result_empty();
    o.tol = 0;
    o.max_iterations = MOST_SWEEPS;
    o.time_limit = 10;
    o.check_every = 1;
    o.observer = watch;
    o.observer_context = &m;
    double *x = calloc((size_t)p.K.n, sizeof *x);
    if (!x || !m.y || !m.scratch || perp_solve("pgs", &p, &o, x, &r))
      bench_die("%s", r.message.text);
    char a[16], b[16];
    const double none = -(double)r.counts.iterations;
    printf("%-14s %6d %8d/%8lld %11.2e", t->name, t->n, t->nonzeros,
           (long long)perp_operator_nonzeros(p.A), t->condition);
    printf(" %7s/%7s", count_of(t->pgs_coarse, "%.0f", a),
           count_of(m.coarse ? (double)m.coarse : none, "%.0f", b));
    printf(" %7s/%7s\n", count_of(t->pgs_fine, "%.0f", a),
           count_of(m.fine ? (double)m.fine : none, "%.0f", b));
    free(x);
    free(m.y);
    free(m.scratch);
    perp_instance_destroy(&instance);
  }
  printf("(the condition number of ours is theirs, by the choice of cfm)\n");
}

/* ---- Table 3, and the goals ---- */

typedef struct {
  double ratio_ipm, ratio_gradient; /* over pgssm */
  int factors;
  bool pgs_converged;
} verdict;

static void table_3_row(const char *name, const published *t, const perp_problem *p, verdict *v)
{
  double ratio[ROUNDS], fast[ROUNDS], slow[ROUNDS];
  perp_result sm = perp_result_empty(), ip = perp_result_empty();
  for (int k = 0; k < ROUNDS; k++) {
    sm = run(&as_it_comes, p, 60);
    ip = run(&interior, p, 60);
    if (sm.outcome != PERP_SOLVED || ip.outcome != PERP_SOLVED)
      bench_die("%s: pgssm %s, ipm %s", name, sm.message.text, ip.message.text);
    fast[k] = sm.seconds;
    slow[k] = ip.seconds;
    ratio[k] = ip.seconds / sm.seconds;
  }
  const double seconds = kit_median(ROUNDS, fast), other = kit_median(ROUNDS, slow);
  /* the others once, with a limit in which what is to be shown can be seen */
  double gradient = INFINITY;
  static const setting mprgp = {"mprgp", -1, -1}, gpcg = {"gpcg", -1, -1}, pgs = {"pgs", -1, -1};
  const perp_result a = run(&mprgp, p, SLOWEST * seconds), b = run(&gpcg, p, SLOWEST * seconds);
  gradient = fmin(a.outcome == PERP_SOLVED ? a.seconds : SLOWEST * seconds,
                  b.outcome == PERP_SOLVED ? b.seconds : SLOWEST * seconds);
  const perp_result s = run(&pgs, p, fmax(seconds, other));
  *v = (verdict){.ratio_ipm = kit_median(ROUNDS, ratio),
                 .ratio_gradient = gradient / seconds,
                 .factors = (int)sm.counts.factorisations,
                 .pgs_converged = s.outcome == PERP_SOLVED};
  char c[16], d[16];
  printf("%-14s", name);
  if (t && t->ipm_factors)
    printf(" %6.2f/%5.2f %5d/%3d  |", t->ipm_seconds, t->sm_seconds, t->ipm_factors, t->sm_factors);
  else
    printf(" %22s  |", "");
  printf(" %7.3f/%6.3f %5d/%3d %6.2fx %9s %9s %10.1e\n", other, seconds,
         (int)ip.counts.factorisations, (int)sm.counts.factorisations, v->ratio_ipm,
         seconds_of(&a, c), seconds_of(&b, d), s.residual / s.scale);
  fflush(stdout);
}

static void table_3(void)
{
  printf("\nTable 3: interior point / subspace minimisation, theirs | ours; medians of %d rounds\n"
         "%-14s %12s %9s  | %14s %9s %7s %9s %9s %10s\n",
         ROUNDS, "", "seconds", "factors", "seconds", "factors", "ratio", "mprgp", "gpcg",
         "pgs at end");
  verdict worst = {.ratio_ipm = INFINITY, .ratio_gradient = INFINITY}, v;
  for (int k = 0; k < PAPERS; k++) {
    perp_instance instance = wall_of(&papers[k]);
    const perp_problem p = perp_instance_problem(&instance);
    table_3_row(papers[k].name, &papers[k], &p, &v);
    perp_instance_destroy(&instance);
    if (papers[k].condition < 1e7)
      continue;
    worst.ratio_ipm = fmin(worst.ratio_ipm, v.ratio_ipm);
    worst.ratio_gradient = fmin(worst.ratio_gradient, v.ratio_gradient);
    worst.factors = v.factors > worst.factors ? v.factors : worst.factors;
    worst.pgs_converged = worst.pgs_converged || v.pgs_converged;
  }
  perp_instance instance = made("journal:n=10000");
  const perp_problem p = perp_instance_problem(&instance);
  table_3_row("DPJB_1_10000", NULL, &p, &v);
  perp_instance_destroy(&instance);
  printf("walls of condition 1e7 to 1e8, the worst of them:\n");
  report("factorisations of pgssm to 1e-8", worst.factors, 10, true);
  report("ipm / pgssm, seconds", worst.ratio_ipm, 2, false);
  report("the faster of mprgp and gpcg / pgssm, seconds", worst.ratio_gradient, 20, false);
  printf("  %-58s %s\n", "pgs in the time of either",
         worst.pgs_converged ? "NOT MET: converged" : "not converged: met");
}

/* ---- Table 4 ---- */

static void table_4_row(const published *t, const perp_problem *p)
{
  static const setting settings[] = {
      {"pgssm", 2, 3}, {"pgssm", 5, 3}, {"pgssm", 5, 2}, {"pgssm", -1, -1}};
  char text[16];
  printf("%-14s %4d/%-6.3g %2d/%-5.2g %2d/%-5.2g %2d/%-5.2g %6s |", t->name, t->tron_factors,
         t->tron_seconds, t->sm_2_3, t->seconds_2_3, t->sm_5_3, t->seconds_5_3, t->sm_5_2,
         t->seconds_5_2, count_of(t->pgs_seconds, "%.3g", text));
  for (int k = 0; k < 4; k++) {
    const perp_result r = run(&settings[k], p, 5);
    char cell[48];
    snprintf(cell, sizeof cell, "%d/%s", (int)r.counts.factorisations, seconds_of(&r, text));
    printf(" %10s", cell);
  }
  printf("\n");
  fflush(stdout);
}

static void table_4(void)
{
  printf("\nTable 4: factorisations/seconds, theirs | ours (at most 5 s)\n"
         "%-14s %11s %8s %8s %8s %6s | %10s %10s %10s %10s\n",
         "", "TRON", "2, 3", "5, 3", "5, 2", "PGS", "2, 3", "5, 3", "5, 2", "balanced");
  for (int k = 0; k < PAPERS; k++) {
    perp_instance instance = wall_of(&papers[k]);
    const perp_problem p = perp_instance_problem(&instance);
    table_4_row(&papers[k], &p);
    perp_instance_destroy(&instance);
  }
  perp_instance instance = made("journal:n=10000");
  const perp_problem p = perp_instance_problem(&instance);
  table_4_row(&journal, &p);
  perp_instance_destroy(&instance);
}

/* ---- Figures 1 to 3 ---- */

static void figures(void)
{
  static const double at[] = {0.1, 0.25, 0.5, 0.75, 1, 2, 4};
  static const char *const methods[] = {"pgssm", "ipm", "pgs"};
  enum { POINTS = (int)(sizeof at / sizeof *at) };
  printf("\nFigures 1 to 3: relative residual when stopped, by time over that of pgssm\n%-22s", "");
  for (int k = 0; k < POINTS; k++)
    printf(" %8.2f", at[k]);
  printf("\n");
  for (int w = PAPERS - 3; w < PAPERS; w++) {
    perp_instance instance = wall_of(&papers[w]);
    const perp_problem p = perp_instance_problem(&instance);
    const double whole = run(&as_it_comes, &p, 60).seconds;
    for (int m = 0; m < 3; m++) {
      const setting s = {methods[m], -1, -1};
      printf("%-14s %-7s", papers[w].name, methods[m]);
      for (int k = 0; k < POINTS; k++) {
        const perp_result r = run(&s, &p, at[k] * whole);
        printf(" %8.1e", r.residual / r.scale);
      }
      printf("\n");
    }
    perp_instance_destroy(&instance);
  }
}

/* ---- Walls that stand ---- */

/* A contact's tangential rows hold whether or not it is open, so that bricks are as good as glued.
 * Where contacts overlap by chance (slop), what b asks of a glued wall cannot be had but for cfm, and x
 * is of the size of erp slop / (h cfm); without slop, a rigid wall could do what b asks. */
static void standing(void)
{
  static const setting methods[] = {
      {"pgssm", -1, -1}, {"ipm", -1, -1}, {"mprgp", -1, -1}, {"gpcg", -1, -1}};
  static const char *const loads[] = {"", ",slop=0"};
  enum { METHODS = (int)(sizeof methods / sizeof *methods), MOST_SECONDS = 10 };
  printf("\nWalls that stand: seconds, factorisations, rows exchanged (at most %d s)\n%-21s",
         MOST_SECONDS, "");
  for (int m = 0; m < METHODS; m++)
    printf(" %19s", methods[m].method);
  printf("\n");
  for (int k = 0; k < 2 * PAPERS; k++) {
    char text[80], number[16];
    snprintf(text, sizeof text, "wall:size=%s%s", papers[k / 2].name, loads[k % 2]);
    perp_instance instance = made(text);
    const perp_problem p = perp_instance_problem(&instance);
    printf("%-21s", text + strlen("wall:size="));
    for (int m = 0; m < METHODS; m++) {
      const perp_result r = run(&methods[m], &p, MOST_SECONDS);
      printf(" %8s %5d %4d", seconds_of(&r, number), (int)r.counts.factorisations,
             (int)r.counts.pivots);
    }
    printf("\n");
    fflush(stdout);
    perp_instance_destroy(&instance);
  }
}

int main(int argc, char **argv)
{
  const char *const part = argc > 1 ? argv[1] : "";
  static const struct {
    const char *name;
    void (*body)(void);
  } parts[] = {
      {"1", table_1}, {"3", table_3}, {"4", table_4}, {"figures", figures}, {"standing", standing}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if (!*part || !strcmp(part, parts[k].name)) {
      parts[k].body();
      fflush(stdout);
    }
  return 0;
}
