/* pivoting.c: the pivoting methods beside those of Siconos, DART, Bullet and ODE
 *
 * All solve the same dense problems on one thread; the time is that of the processor, the median
 * over rounds in which all take part, and every x is judged by perp_check: natural residual over
 * scale. perp's times include its own checks of the input and the verdict. A peer has only its
 * library's call timed. It runs in a process of its own; without its package it is left out.
 * `pivoting dantzig` does the friction problems alone. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "kit/numbers.h"
#include "peers/client.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Who takes part: a method of perp, or one of another library's program. */
typedef struct candidate {
  const char *label, *program, *method; /* program NULL: perp */
  const char *parameter;                /* NULL: none */
  double value;
  bool counts; /* for the goal */
} candidate;

enum { MOST = 8 };

typedef struct measurement {
  int rounds;
  double seconds[BENCH_ROUNDS], median; /* of one solve */
  double residual;                      /* over scale */
  double *x;
  const char *failure;  /* NULL: none */
  perp_outcome outcome; /* of ours */
  bool gave_up;         /* a peer: the answer is not one, by its own account */
} measurement;

/* A generated problem with its matrix dense, as all get it. */
typedef struct made {
  perp_instance instance;
  perp_operator *A;
  perp_problem problem;
  int n;
} made;

static void *take(size_t count, size_t size)
{
  void *block = calloc(count + 1, size);
  if (!block)
    bench_die("no memory for %zu numbers", count);
  return block;
}

static made make(const char *text)
{
  made m;
  perp_message why;
  if (perp_generate(text, &m.instance, &why) || perp_operator_to_dense(m.instance.A, 0, &m.A, &why))
    bench_die("%s: %s", text, why.text);
  m.n = perp_operator_size(m.A);
  m.problem = perp_instance_problem(&m.instance);
  m.problem.A = m.A;
  return m;
}

static void discard(made *m)
{
  perp_operator_destroy(m->A);
  perp_instance_destroy(&m->instance);
}

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double relative_residual(const perp_problem *p, const double *x)
{
  double residual, scale;
  perp_message why;
  if (perp_check(p, x, &residual, &scale, &why))
    bench_die("%s", why.text);
  return residual / scale;
}

/* ---- One candidate, one round ---- */

typedef struct entrant {
  perp_solver *solver;
  peer peer;
  double spent; /* seconds of wall clock */
} entrant;

static void enter(const candidate *c, const made *m, entrant *e)
{
  perp_message why;
  *e = (entrant){0};
  if (c->program)
    peer_start(&e->peer, BENCH_PEERS, c->program, c->method, &m->problem);
  else if (perp_solver_create(c->method, &e->solver, &why) ||
           (c->parameter && perp_solver_set(e->solver, c->parameter, c->value, &why)))
    bench_die("%s", why.text);
}

static void leave(entrant *e)
{
  perp_solver_destroy(e->solver);
  if (!e->solver)
    peer_stop(&e->peer);
}

/* False where the call was refused. */
static bool solve_ours(entrant *e, const made *m, int batch, double limit, double *seconds,
                       double *x, perp_outcome *outcome)
{
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.time_limit = limit;
  const double began = processor_seconds();
  for (int k = 0; k < batch; k++) {
    memset(x, 0, (size_t)m->n * sizeof *x);
    if (perp_solver_solve(e->solver, &m->problem, &options, x, &result))
      return false;
  }
  *seconds = (processor_seconds() - began) / batch;
  *outcome = result.outcome;
  return true;
}

/* All candidates in turn, round after round; one that has had its share of time sits out. */
static void measure(int count, const candidate *candidates, const made *m, measurement *all)
{
  const double limit = 3, share = 1;
  const int batch = m->n <= 16 ? 200 : m->n <= 64 ? 20 : m->n <= 200 ? 3 : 1;
  entrant entrants[MOST];
  for (int k = 0; k < count; k++) {
    all[k] = (measurement){.x = take((size_t)m->n, sizeof *all[k].x)};
    enter(&candidates[k], m, &entrants[k]);
  }
  for (int round = 0; round < BENCH_ROUNDS; round++)
    for (int k = 0; k < count; k++) {
      measurement *r = &all[k];
      entrant *e = &entrants[k];
      if (r->failure || e->spent > share)
        continue;
      const double began = bench_now();
      double seconds = 0;
      if (e->solver) {
        if (!solve_ours(e, m, batch, limit, &seconds, r->x, &r->outcome))
          r->failure = "not taken";
      } else if (!peer_solve(&e->peer, batch, 1e-10, limit, &seconds, r->x, &r->gave_up))
        r->failure = peer_state_name(e->peer.state);
      e->spent += bench_now() - began;
      if (seconds > 0)
        r->seconds[r->rounds++] = seconds;
    }
  for (int k = 0; k < count; k++) {
    leave(&entrants[k]);
    if (all[k].rounds > 0) {
      all[k].median = kit_median(all[k].rounds, all[k].seconds);
      all[k].residual = relative_residual(&m->problem, all[k].x);
    }
  }
}

static void release(int count, measurement *all)
{
  for (int k = 0; k < count; k++)
    free(all[k].x);
}

static void print_time(double seconds)
{
  if (seconds < 1e-3)
    printf("%9.2f us", 1e6 * seconds);
  else
    printf("%9.2f ms", 1e3 * seconds);
}

/* ---- 1. Lemke ---- */

static const candidate lemkes[] = {
    {"perp lemke", NULL, "lemke", NULL, 0, false},
    {"siconos LEMKE", "siconos", "lemke", NULL, 0, true},
    {"siconos PIVOT", "siconos", "pivot", NULL, 0, true},
    {"dart Lemke", "dart", "lemke", NULL, 0, true},
    {"bullet btLemkeAlgorithm", "bullet", "lemke", NULL, 0, true},
    {"siconos NEWTON_MIN_FBLSA", "siconos", "newton", NULL, 0, false},
};
enum { LEMKES = (int)(sizeof lemkes / sizeof *lemkes) };

/* What a peer must reach to be said to have solved the problem: it counts for the goal then. */
static const double solved = 1e-8;

static void bench_lemke(const char *text)
{
  made m = make(text);
  measurement all[LEMKES];
  measure(LEMKES, lemkes, &m, all);
  const double ours = all[0].median;
  double fastest = INFINITY;
  printf("%s\n", text);
  for (int k = 0; k < LEMKES; k++) {
    printf("  %-28s", lemkes[k].label);
    if (!all[k].rounds) {
      printf("%s\n", all[k].failure);
      continue;
    }
    print_time(all[k].median);
    printf("   residual %8.1e   %7.2f x perp%s\n", all[k].residual, all[k].median / ours,
           all[k].residual <= solved ? "" : "   not solved");
    if (lemkes[k].counts && all[k].residual <= solved)
      fastest = fmin(fastest, all[k].median);
  }
  if (isinf(fastest))
    puts("  no peer solved it: no ratio");
  else
    printf("  the fastest Lemke that solves it takes %.2f x perp   goal >= 3   %s\n",
           fastest / ours, fastest >= 3 * ours && all[0].residual <= solved ? "met" : "NOT MET");
  release(LEMKES, all);
  discard(&m);
}

/* ---- 2. Dantzig ---- */

static const candidate dantzigs[] = {
    {"perp dantzig", NULL, "dantzig", NULL, 0, false},
    {"perp dantzig, outer = 1", NULL, "dantzig", "outer", 1, false},
    {"ode dxSolveLCP", "ode", "dantzig", NULL, 0, true},
    {"dart dSolveLCP", "dart", "dantzig", NULL, 0, true},
    {"bullet btSolveDantzigLCP", "bullet", "dantzig", NULL, 0, true},
    {"bullet, single precision", "bullet-single", "dantzig", NULL, 0, false},
};
enum { DANTZIGS = (int)(sizeof dantzigs / sizeof *dantzigs) };

/* The box problem that ODE's semantics make of it: the rows without friction are solved for with
 * the others at 0, and the friction bounds are frozen at these normals. */
static perp_problem freeze(const made *m, double *lo, double *hi)
{
  const perp_set *K = &m->problem.K;
  for (int i = 0; i < m->n; i++) {
    const bool friction = K->findex[i] >= 0;
    lo[i] = friction ? 0 : K->lo ? K->lo[i] : 0;
    hi[i] = friction ? 0 : K->hi ? K->hi[i] : INFINITY;
  }
  const perp_problem frozen = perp_problem_boxed(m->A, m->problem.b, lo, hi);
  double *normal = take((size_t)m->n, sizeof *normal);
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-14;
  if (perp_solve("baraff", &frozen, &options, normal, &result) ||
      !(result.residual <= 1e-12 * result.scale))
    bench_die("no normals: %s", result.message.text);
  for (int i = 0; i < m->n; i++)
    if (K->findex[i] >= 0) {
      lo[i] = K->lo[i] * fabs(normal[K->findex[i]]);
      hi[i] = K->hi[i] * fabs(normal[K->findex[i]]);
    }
  free(normal);
  return frozen;
}

/* Where those normals are not unique a solver may have had others: the bounds are then the
 * tightest that hold its friction forces, which is the best that can be said of it. */
static perp_problem freeze_around(const made *m, const double *x, double *lo, double *hi)
{
  const perp_set *K = &m->problem.K;
  double *normal = take((size_t)m->n, sizeof *normal);
  for (int i = 0; i < m->n; i++) {
    const double bound = K->findex[i] >= 0 ? x[i] < 0 ? K->lo[i] : K->hi[i] : 0;
    if (bound != 0)
      normal[K->findex[i]] = fmax(normal[K->findex[i]], x[i] / bound);
  }
  for (int i = 0; i < m->n; i++) {
    const bool friction = K->findex[i] >= 0;
    lo[i] = friction ? K->lo[i] * normal[K->findex[i]] : K->lo ? K->lo[i] : 0;
    hi[i] = friction ? K->hi[i] * normal[K->findex[i]] : K->hi ? K->hi[i] : INFINITY;
  }
  free(normal);
  return perp_problem_boxed(m->A, m->problem.b, lo, hi);
}

/* To the same residual: a peer's answer has its friction bounds frozen at normals that are no longer
 * true, so it is called again with those of its last answer, as a box problem, until the natural
 * residual is that of a solution. The time is that of all calls. */
static void iterate_peer(const candidate *c, const made *m, const measurement *first, double ours)
{
  enum { MOST_CALLS = 50 };
  const perp_set *K = &m->problem.K;
  double *x = take((size_t)m->n, sizeof *x), *lo = take((size_t)m->n, sizeof *lo);
  double *hi = take((size_t)m->n, sizeof *hi);
  double residual = first->residual, total = first->median;
  bool gave_up = first->gave_up, alive = true;
  int calls = 1;
  memcpy(x, first->x, (size_t)m->n * sizeof *x);
  for (; calls < MOST_CALLS && residual > solved && alive && !gave_up; calls++) {
    for (int i = 0; i < m->n; i++) {
      const double normal = K->findex[i] >= 0 ? fabs(x[K->findex[i]]) : 1;
      lo[i] = K->findex[i] >= 0 ? K->lo[i] * normal : K->lo ? K->lo[i] : 0;
      hi[i] = K->findex[i] >= 0 ? K->hi[i] * normal : K->hi ? K->hi[i] : INFINITY;
    }
    const perp_problem box = perp_problem_boxed(m->A, m->problem.b, lo, hi);
    peer p;
    double seconds = 0;
    peer_start(&p, BENCH_PEERS, c->program, c->method, &box);
    alive = peer_solve(&p, m->n <= 64 ? 20 : 1, 1e-10, 3, &seconds, x, &gave_up);
    peer_stop(&p);
    total += seconds;
    residual = alive ? relative_residual(&m->problem, x) : INFINITY;
  }
  printf("    %-26s", c->label);
  if (residual <= solved) {
    print_time(total);
    printf("   in %d calls   %7.2f x perp\n", calls, total / ours);
  } else {
    printf("   never: residual %.1e after %d calls\n", residual, calls);
  }
  free(x);
  free(lo);
  free(hi);
}

/* What the goal says of one of our two: twice as fast as the fastest peer, and no residual is
 * worse than theirs; all below 1e-12 is rounding. */
static void judge_dantzig(const char *label, double ours, double residual, double fastest,
                          double best)
{
  const bool met = fastest >= 2 * ours && residual <= fmax(best, 1e-12);
  printf("  %s: the fastest peer takes %.2f x   goal >= 2, residual never worse   %s\n", label,
         fastest / ours, met ? "met" : "NOT MET");
}

/* `unique`: the normals without friction are, and with them the frozen bounds. */
static void bench_dantzig(const char *text, bool unique)
{
  made m = make(text);
  measurement all[DANTZIGS];
  double *lo = take((size_t)m.n, sizeof *lo), *hi = take((size_t)m.n, sizeof *hi);
  double frozen[DANTZIGS], fastest = INFINITY, best = INFINITY, best_frozen = INFINITY;
  measure(DANTZIGS, dantzigs, &m, all);
  perp_problem box = unique ? freeze(&m, lo, hi) : m.problem;
  printf("%s, %d rows\n", text, m.n);
  for (int k = 0; k < DANTZIGS; k++) {
    printf("  %-28s", dantzigs[k].label);
    if (!all[k].rounds) {
      printf("%s\n", all[k].failure);
      continue;
    }
    if (!unique)
      box = freeze_around(&m, all[k].x, lo, hi);
    frozen[k] = relative_residual(&box, all[k].x);
    print_time(all[k].median);
    printf("   residual %8.1e, frozen%s %8.1e", all[k].residual, unique ? "" : "*", frozen[k]);
    const bool failed = all[k].gave_up || (k > 0 && frozen[k] > solved);
    printf("   %6.2f x perp%s\n", all[k].median / all[0].median, failed ? "   not solved" : "");
    if (dantzigs[k].counts && !failed) {
      fastest = fmin(fastest, all[k].median);
      best = fmin(best, all[k].residual);
      best_frozen = fmin(best_frozen, frozen[k]);
    }
  }
  if (isfinite(fastest)) {
    judge_dantzig("perp dantzig", all[0].median, all[0].residual, fastest, best);
    judge_dantzig("outer = 1", all[1].median, frozen[1], fastest, best_frozen);
  } else
    puts("  no peer solved it: no ratio");
  puts("  called again and again with the bounds of the last answer, to a residual of 1e-8:");
  for (int k = 0; k < DANTZIGS; k++)
    if (dantzigs[k].counts && all[k].rounds)
      iterate_peer(&dantzigs[k], &m, &all[k], all[0].median);
  release(DANTZIGS, all);
  free(lo);
  free(hi);
  discard(&m);
}

/* ---- 3. Growth ---- */

/* The slope of the least-squares line through (log n, log t). */
static double exponent(int count, const double *n, const double *t)
{
  double u = 0, v = 0, uu = 0, uv = 0;
  for (int k = 0; k < count; k++) {
    u += log(n[k]) / count;
    v += log(t[k]) / count;
  }
  for (int k = 0; k < count; k++) {
    uu += (log(n[k]) - u) * (log(n[k]) - u);
    uv += (log(n[k]) - u) * (log(t[k]) - v);
  }
  return uv / uu;
}

static void bench_growth(void)
{
  static const candidate growing[] = {
      {"lemke", NULL, "lemke", NULL, 0, false},
      {"baraff", NULL, "baraff", NULL, 0, false},
  };
  static const double sizes[] = {100, 200, 400, 700, 1000, 1400, 2000};
  enum { SIZES = (int)(sizeof sizes / sizeof *sizes), GROWING = 2 };
  double times[GROWING][SIZES];
  printf("  %-6s %12s %12s\n", "n", growing[0].label, growing[1].label);
  for (int s = 0; s < SIZES; s++) {
    char text[64];
    snprintf(text, sizeof text, "pd:n=%.0f", sizes[s]);
    made m = make(text);
    measurement all[GROWING];
    measure(GROWING, growing, &m, all);
    printf("  %-6.0f", sizes[s]);
    for (int k = 0; k < GROWING; k++) {
      if (all[k].outcome != PERP_SOLVED)
        bench_die("%s on %s: %s", growing[k].label, text, perp_outcome_name(all[k].outcome));
      times[k][s] = all[k].median;
      print_time(all[k].median);
      putchar(' ');
    }
    putchar('\n');
    release(GROWING, all);
    discard(&m);
  }
  for (int k = 0; k < GROWING; k++) {
    const double e = exponent(SIZES, sizes, times[k]);
    printf("  %s grows like n^%.2f   goal <= 3   %s\n", growing[k].label, e,
           e <= 3 ? "met" : "NOT MET");
  }
}

/* ---- 4. Our own, side by side ---- */

static void bench_family(const char *text)
{
  made m = make(text);
  const unsigned form = 1u << perp_set_form(&m.problem.K);
  candidate candidates[MOST];
  measurement all[MOST];
  int count = 0;
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info info = perp_method_at(k);
    const bool small = info.most_unknowns > 0 && info.most_unknowns < m.n;
    if (count < MOST && strcmp(info.family, "pivoting") == 0 && (info.takes & form) && !small)
      candidates[count++] = (candidate){.label = info.name, .method = info.name};
  }
  measure(count, candidates, &m, all);
  printf("%s, %d rows\n", text, m.n);
  for (int k = 0; k < count; k++) {
    printf("  %-28s", candidates[k].label);
    if (all[k].rounds) {
      print_time(all[k].median);
      printf("   residual %8.1e", all[k].residual);
    }
    printf("   %s\n", all[k].failure ? all[k].failure : perp_outcome_name(all[k].outcome));
  }
  release(count, all);
  discard(&m);
}

static void bench_dantzigs(void)
{
  puts("\ndantzig with a friction index (frozen: bounds at the normals without friction, as ODE "
       "does;"
       "\nfrozen*: those are not unique, bounds as tight as x allows; not solved: the peer gave "
       "up, or"
       "\nits residual with frozen bounds is above 1e-8)");
  bench_dantzig("stack:n=1,form=findex,cfm=1e-3", true);
  bench_dantzig("stack:n=4,form=findex,cfm=1e-3", true);
  bench_dantzig("stack:n=16,form=findex,cfm=1e-3", true);
  bench_dantzig("stack:n=50,form=findex,cfm=1e-3", true);
  bench_dantzig("stack:n=1,form=findex", false);
  bench_dantzig("stack:n=4,form=findex", false);
  bench_dantzig("stack:n=16,form=findex", false);
  bench_dantzig("stack:n=50,form=findex", false);
  bench_dantzig("pile:n=3,form=findex,cfm=1e-3", true);
  bench_dantzig("pile:n=6,form=findex,cfm=1e-3", true);
  bench_dantzig("pile:n=18,form=findex,cfm=1e-3", true);
  bench_dantzig("pile:n=50,form=findex,cfm=1e-3", true);
}

/* BLAS reads the number of its threads when it is loaded: this program starts itself again. */
static void keep_to_one_thread(char **arguments)
{
  const char *given = getenv("OPENBLAS_NUM_THREADS");
  if (given && strcmp(given, "1") == 0)
    return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", arguments);
}

int main(int count, char **arguments)
{
  keep_to_one_thread(arguments);
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("pivoting: processor time of one solve, medians of %d rounds at most, one thread;\n"
         "residuals natural, over scale, by perp_check\n",
         BENCH_ROUNDS);

  if (count > 1 && strcmp(arguments[1], "dantzig") == 0) {
    bench_dantzigs();
    return 0;
  }
  puts("\nlemke");
  bench_lemke("pd:n=100");
  bench_lemke("pd:n=400");
  bench_lemke("pd:n=1000");
  bench_lemke("nonsym:n=100");
  bench_lemke("nonsym:n=400");
  bench_lemke("nonsym:n=1000");

  bench_dantzigs();

  puts("\ngrowth on pd");
  bench_growth();

  puts("\nthe pivoting methods side by side");
  bench_family("pd:n=200");
  bench_family("psd:n=200,ratio=0.3");
  bench_family("stack:n=25");
  bench_family("stack:n=16,form=findex");
  return 0;
}
