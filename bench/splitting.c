/* splitting.c: the sweep methods side by side: sweeps to a residual by kind of problem, threads,
 * and the cost of a row. Ratios are taken within one round; the tables count, they do not time. */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct candidate {
  const char *label, *method, *parameter, *value; /* parameter NULL: as it comes */
} candidate;

static const candidate candidates[] = {
    {"jacobi", "jacobi", NULL, NULL},
    {"pgs", "pgs", NULL, NULL},
    {"psor", "psor", NULL, NULL},
    {"spsor", "spsor", NULL, NULL},
    {"coloured", "coloured", NULL, NULL},
    {"bjacobi", "bjacobi", NULL, NULL},
    {"bgs", "bgs", NULL, NULL},
    {"nncg", "nncg", NULL, NULL},
    {"apgd", "apgd", NULL, NULL},
    {"spg", "spg", NULL, NULL},
    {"mprgp", "mprgp", NULL, NULL},
    {"gpcg", "gpcg", NULL, NULL},
    {"admm", "admm", NULL, NULL},
    {"prox", "prox", NULL, NULL},
    {"prox GS", "prox", "style", "gauss-seidel"},
    {"shock", "shock", NULL, NULL},
    {"staggered", "staggered", NULL, NULL},
};

enum { CANDIDATES = (int)(sizeof candidates / sizeof *candidates) };

static const char *const kinds[] = {
    "pd:n=500",
    "nonsym:n=200",
    "mmatrix:n=1000",
    "obstacle:n=16129",
    "journal:n=9801",
    "put2:n=10000",
    "pile:n=1000,form=lcp,operator=contact",
    "stack:n=20,form=lcp,operator=contact",
    "wall:rows=22,columns=22,form=lcp,cfm=1e-2,operator=contact",
    "wall:size=nb449_nc1821,form=stick,operator=contact",
    "wall:size=nb449_nc1821,form=findex,operator=contact",
    "stack:form=findex,operator=contact",
    "pile:n=200,form=findex,operator=contact",
    "arch:form=findex,plant=yes,operator=contact",
    "wall:size=nb449_nc1821,form=cone,operator=contact",
    "stack:form=cone,plant=yes,operator=contact",
    "pile:n=200,form=cone,operator=contact",
    "arch:form=cone,plant=yes,operator=contact",
};

static perp_instance made(const char *text)
{
  perp_instance instance;
  perp_message why;
  if (perp_generate(text, &instance, &why))
    bench_die("%s: %s", text, why.text);
  return instance;
}

static perp_solver *solver_of(const candidate *c)
{
  perp_solver *solver = NULL;
  perp_message why;
  if (perp_solver_create(c->method, &solver, &why) ||
      (c->parameter && perp_solver_set_text(solver, c->parameter, c->value, &why)))
    bench_die("%s", why.text);
  return solver;
}

typedef struct effort {
  bool taken, solved;
  int64_t passes; /* sweeps, or iterations where there are none */
  double seconds;
} effort;

/* Until the relative residual is 1e-6. */
static effort work(const candidate *c, const perp_problem *p)
{
  perp_solver *solver = solver_of(c);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.tol = 1e-6;
  o.max_iterations = 100000;
  o.time_limit = 2;
  double *x = calloc((size_t)p->K.n, sizeof *x);
  if (!x)
    bench_die("no memory for %d numbers", p->K.n);
  const double began = bench_now();
  const perp_error error = perp_solver_solve(solver, p, &o, x, &r);
  const double seconds = bench_now() - began;
  perp_solver_destroy(solver);
  free(x);
  return (effort){.taken = !error, /* a form that it does not take */
                  .solved = r.outcome == PERP_SOLVED,
                  .passes = r.counts.sweeps ? r.counts.sweeps : r.counts.iterations,
                  .seconds = seconds};
}

static void print_cell(const effort *e, bool time)
{
  if (!e->taken)
    printf(" %9s", "");
  else if (!e->solved)
    printf(" %9s", "-");
  else if (time)
    printf(" %7.1fms", 1e3 * e->seconds);
  else
    printf(" %9lld", (long long)e->passes);
}

static void bench_sweeps(void)
{
  printf("sweeps, or iterations where there are none, to a relative residual of 1e-6, and time\n"
         "(-: not in 2 s, blank: form not taken)\n%-60s",
         "");
  for (int c = 0; c < CANDIDATES; c++)
    printf(" %9s", candidates[c].label);
  printf("\n");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance instance = made(kinds[k]);
    const perp_problem p = perp_instance_problem(&instance);
    effort e[CANDIDATES];
    for (int c = 0; c < CANDIDATES; c++)
      e[c] = work(&candidates[c], &p);
    for (int time = 0; time < 2; time++) {
      printf("%-60s", time ? "" : kinds[k]);
      for (int c = 0; c < CANDIDATES; c++)
        print_cell(&e[c], time);
      printf("\n");
    }
    fflush(stdout);
    perp_instance_destroy(&instance);
  }
}

static void report(const char *what, double value, const char *unit, double goal, bool at_most)
{
  const bool met = at_most ? value <= goal : value >= goal;
  printf("  %-62s %7.2f %s  goal %s %.2f  %s\n", what, value, unit, at_most ? "<=" : ">=", goal,
         met ? "met" : "NOT MET");
}

static void bench_walls(void)
{
  static const candidate pgs = {"pgs", "pgs", NULL, NULL};
  static const candidate faster[] = {{"nncg", "nncg", NULL, NULL}, {"apgd", "apgd", NULL, NULL}};
  static const char *const walls[] = {"wall:size=nb449_nc1821,form=stick",
                                      "wall:size=nb449_nc1821,form=findex",
                                      "wall:rows=22,columns=23,form=lcp,cfm=1e-2"};
  for (int k = 0; k < 3; k++) {
    perp_instance instance = made(walls[k]);
    const perp_problem p = perp_instance_problem(&instance);
    const effort slow = work(&pgs, &p);
    for (int m = 0; m < 2; m++) {
      const effort fast = work(&faster[m], &p);
      char text[96];
      snprintf(text, sizeof text, "%s: %s / pgs", walls[k], faster[m].label);
      if (slow.solved && fast.solved)
        report(text, (double)fast.passes / (double)slow.passes, "  ", 1.0 / 3, true);
      else
        printf("  %-62s not solved in time\n", text);
    }
    perp_instance_destroy(&instance);
  }
}

/* ---- Times ---- */

typedef struct {
  double began, ended;
  int64_t last;
} stopwatch;

static bool watch(void *context, const perp_progress *progress)
{
  stopwatch *w = context;
  if (progress->iteration == 1)
    w->began = progress->seconds;
  if (progress->iteration == w->last)
    w->ended = progress->seconds;
  return true;
}

/* Seconds for one sweep, from the end of the first to the end of the last. */
static double sweep_seconds(const candidate *c, const perp_problem *p, int threads, int sweeps)
{
  perp_solver *solver = solver_of(c);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  stopwatch w = {.last = 1 + sweeps};
  o.tol = 0;
  o.threads = threads;
  o.max_iterations = w.last;
  o.check_every = 1 << 30;
  o.observer = watch;
  o.observer_context = &w;
  double *x = calloc((size_t)p->K.n, sizeof *x);
  if (!x || perp_solver_solve(solver, p, &o, x, &r))
    bench_die("%s", r.message.text);
  perp_solver_destroy(solver);
  free(x);
  return (w.ended - w.began) / sweeps;
}

static void bench_threads(const char *name, const perp_problem *p, int sweeps)
{
  static const candidate coloured = {"coloured", "coloured", "omega", "1"};
  double ratio[BENCH_ROUNDS];
  for (int r = 0; r < BENCH_ROUNDS; r++) {
    const double one = sweep_seconds(&coloured, p, 1, sweeps);
    ratio[r] = one / sweep_seconds(&coloured, p, 2, sweeps);
  }
  report(name, kit_median(BENCH_ROUNDS, ratio), "x ", 1.6, false);
}

static void bench_coloured(void)
{
  perp_instance pile = made("pile:n=10000,form=lcp");
  const perp_problem csr = perp_instance_problem(&pile);
  bench_threads("coloured, csr of a 10,000-sphere pile, two threads", &csr, 100);
  perp_instance_destroy(&pile);

  const perp_stencil_data data = {.nx = 1024, .ny = 1024, .nz = 1, .weight = 1};
  perp_operator *grid = NULL;
  double *b = calloc(1024 * 1024, sizeof *b);
  if (!b || perp_operator_stencil(&data, PERP_COPY, &grid, NULL))
    bench_die("no memory for a grid of 1024^2");
  for (int i = 0; i < 1024 * 1024; i++)
    b[i] = i % 3 ? -1 : 1;
  const perp_problem stencil = perp_problem_lcp(grid, b);
  bench_threads("coloured, 1024^2 stencil, two threads", &stencil, 40);
  perp_operator_destroy(grid);
  free(b);
}

static void bench_rows(const char *text, const candidate *c, double goal)
{
  perp_instance pile = made(text);
  const perp_problem p = perp_instance_problem(&pile);
  double row[BENCH_ROUNDS];
  for (int r = 0; r < BENCH_ROUNDS; r++)
    row[r] = 1e9 * sweep_seconds(c, &p, 1, 40) / p.K.n;
  char what[96];
  snprintf(what, sizeof what, "%s, %s, %d rows, per row", c->label, text, p.K.n);
  if (goal > 0)
    report(what, kit_median(BENCH_ROUNDS, row), "ns", goal, true);
  else
    printf("  %-62s %7.2f ns\n", what, kit_median(BENCH_ROUNDS, row));
  perp_instance_destroy(&pile);
}

int main(void)
{
  static const candidate pgs = {"pgs", "pgs", NULL, NULL}, bgs = {"bgs", "bgs", NULL, NULL};
  bench_sweeps();
  printf("medians of %d rounds\n", BENCH_ROUNDS);
  bench_walls();
  bench_coloured();
  bench_rows("pile:n=4500,form=findex,operator=contact", &pgs, 3);
  bench_rows("pile:n=4500,form=findex,operator=contact", &bgs, 0);
  bench_rows("pile:n=4500,form=cone,operator=contact", &bgs, 0);
  bench_rows("pile:n=4500,form=cone", &bgs, 0);
  return 0;
}
