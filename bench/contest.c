/* contest.c: one problem, solved by all methods of perp and by all peers that take it
 *
 * Every entrant first solves once for each tolerance. perp_problem_judge judges its x, and an entrant
 * that does not reach the tolerance within the limit is out. The others then run in turn, round after
 * round, and the median CPU time counts. The limit is the one of the settings, and at most PATIENCE
 * times the best so far, where profiles end. auto runs first.
 *
 * A problem with a mass matrix M is run by the peers' solvers of global problems only, and our times
 * include a factor of M.
 *
 * Our methods start from x = 0 on a solver that has solved before, as in a frame loop; they leave A and
 * b unchanged and check the residual of x. So a peer's time includes copying the data that its call
 * overwrites and computing the residual of its x; the time of the call itself is recorded too.
 * Iterative solvers of peers get the tolerance that they are judged by; if their own stopping test ends
 * too early, they get a smaller one, and the failed attempts are not counted. */
#include "bench.h"
#include "kit/numbers.h"
#include "peers/client.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_ENTRANTS = 96,
  MOST_ROUNDS = 7,
  PATIENCE = 50,   /* times the best */
  LARGE = 2000000, /* unknowns, above which there is less of it: rounds take minutes */
  LARGE_PATIENCE = 4,
};

/* ---- Entrants ---- */

typedef struct entrant {
  char label[32];
  const bench_peer *info; /* NULL: ours */
  perp_solver *solver;    /* while it is in the race */
  peer peer;
  const char *status; /* NULL: in the race */
  double asked[BENCH_TOLS];
  int samples[BENCH_TOLS];
  double sample[BENCH_TOLS][MOST_ROUNDS + 1];
  double call[BENCH_TOLS][MOST_ROUNDS + 1]; /* of each sample of a peer: the call itself */
  double residual;
  perp_counts counts;
} entrant;

typedef struct contest {
  const bench_settings *s;
  perp_problem problem;
  double *x;
  double best[BENCH_TOLS];
  double factor; /* seconds of a factor of M, counted in each solve of ours; 0: without M */
  bool stopped;  /* by the user: what there is of it is dropped */
  int count;
  entrant entrant[MOST_ENTRANTS];
} contest;

static double judge(const contest *c, const double *x)
{
  double residual, scale;
  if (perp_problem_judge(&c->problem, x, &residual, &scale, NULL))
    return INFINITY;
  return residual / scale;
}

static double limit_of(const contest *c, int tol)
{
  const double least = 0.05, patience = c->problem.K.n > LARGE ? LARGE_PATIENCE : PATIENCE;
  return fmin(c->s->seconds, fmax(least, patience * c->best[tol]));
}

/* The mean of `batch` solves, or a negative number and the status. */
static double run_ours(contest *c, entrant *e, int tol, int batch)
{
  perp_error error;
  perp_result result;
  const double asked = e->asked[tol],
               spent = batch > 1 ? bench_solve_batch(e->solver, &c->problem, asked, batch, c->x,
                                                     &error, &result)
                                 : bench_solve(e->solver, &c->problem, asked, limit_of(c, tol),
                                               c->x, &error, &result);
  if (error) {
    e->status = error == PERP_ERROR_MEMORY ? "memory" : "refused";
    return -1;
  }
  e->status = result.outcome == PERP_STOPPED ? "time-limit" : perp_outcome_name(result.outcome);
  if (tol == BENCH_TOLS - 1 || !e->samples[BENCH_TOLS - 1])
    e->counts = result.counts;
  return spent + c->factor;
}

static double run_peer(contest *c, entrant *e, int tol, int batch, double *call)
{
  const double limit = limit_of(c, tol), room = 3 * batch * limit + 3;
  double seconds = 0;
  bool gave_up = false;
  if (!peer_solve(&e->peer, batch, e->asked[tol], room, &seconds, call, c->x, &gave_up)) {
    e->status = e->peer.state == PEER_LATE ? "time-limit" : "crashed";
    return -1;
  }
  e->status = seconds > limit ? "time-limit" : gave_up ? "gave-up" : "wrong-answer";
  return seconds;
}

static void put_sample(entrant *e, int tol, double seconds, double call)
{
  if (e->samples[tol] > MOST_ROUNDS)
    return;
  e->call[tol][e->samples[tol]] = call;
  e->sample[tol][e->samples[tol]++] = seconds;
}

/* One measurement; false if the tolerance was not reached, and the status says why. */
static bool attempt(contest *c, entrant *e, int tol, int batch)
{
  double call = 0;
  const double seconds = e->info ? run_peer(c, e, tol, batch, &call) : run_ours(c, e, tol, batch);
  if (seconds < 0)
    return false;
  const double residual = judge(c, c->x);
  e->residual = fmin(e->residual, residual);
  if (seconds > limit_of(c, tol))
    e->status = "time-limit";
  if (!(residual <= bench_tols[tol]) || seconds > limit_of(c, tol))
    return false;
  e->status = NULL;
  put_sample(e, tol, seconds, call);
  /* what is exact is so for all that follow */
  for (int next = tol + 1; next < BENCH_TOLS; next++)
    if (residual <= bench_tols[next] && e->info)
      put_sample(e, next, seconds, call);
  return true;
}

/* Returns true if a further call with a smaller tolerance may succeed: for a peer with its own test. */
static bool try_harder(contest *c, entrant *e, int tol)
{
  const double before = e->residual;
  if (!e->info || strcmp(e->status ? e->status : "", "wrong-answer") != 0)
    return false;
  e->asked[tol] *= 0.01;
  if (attempt(c, e, tol, 1))
    return true;
  if (!(e->residual < before) || e->asked[tol] < 1e-14)
    return false;
  e->asked[tol] *= 0.01;
  return attempt(c, e, tol, 1);
}

/* The first call runs with cold memory and takes much longer than the next ones. Its time sets the batch
 * size of the race, so a short call is timed again: otherwise the race would run in batches of one,
 * which never get warm. */
static void measure_warm(contest *c, entrant *e, int tol)
{
  const double cold = e->sample[tol][0], short_one = 1e-2;
  const char *status = e->status;
  if (cold > short_one)
    return;
  e->samples[tol] = 0;
  for (int k = 0; k < 2; k++)
    attempt(c, e, tol, 1);
  if (e->samples[tol] == 0)
    e->sample[tol][e->samples[tol]++] = cold;
  e->sample[tol][0] = fmin(cold, e->sample[tol][e->samples[tol] - 1]);
  e->samples[tol] = 1;
  e->status = status;
}

/* The first time around: who reaches what. */
static void qualify(contest *c, entrant *e)
{
  for (int tol = 0; tol < BENCH_TOLS; tol++) {
    if (e->samples[tol] == 0 && !attempt(c, e, tol, 1) && !try_harder(c, e, tol))
      return;
    measure_warm(c, e, tol);
    c->best[tol] = fmin(c->best[tol], e->sample[tol][0]);
  }
}

/* Returns true if there is time for more rounds. */
static bool goes_on(const contest *c, const entrant *e, int tol, int rounds)
{
  return (e->info ? e->peer.state == PEER_ALIVE : e->solver != NULL) && e->samples[tol] > 0 &&
         e->samples[tol] <= rounds && e->sample[tol][0] * rounds <= c->s->seconds;
}

/* Those that do not go on give their memory back: all of them together would need too much. */
static void leave(entrant *e)
{
  perp_solver_destroy(e->solver);
  e->solver = NULL;
  if (e->info && e->peer.process > 0)
    peer_stop(&e->peer); /* its state is no longer PEER_ALIVE */
}

static void race(contest *c, entrant *e, int tol, int rounds)
{
  /* long enough that the first solves, which find nothing in the caches, do not count */
  const double once = e->sample[tol][0], worth = 1e-3;
  if (!goes_on(c, e, tol, rounds))
    return;
  const int batch = once < worth ? (int)fmin(10000, ceil(worth / fmax(once, 1e-7))) : 1;
  const char *status = e->status;
  attempt(c, e, tol, batch);
  e->status = status;
}

/* ---- Beginning and end ---- */

static void enter_ours(contest *c)
{
  for (int k = 0; k < perp_method_count() && c->count < MOST_ENTRANTS; k++) {
    const perp_method_info m = perp_method_at(k);
    entrant *e = &c->entrant[c->count];
    if (!bench_takes(c->s, &m, &c->problem) || perp_solver_create(m.name, &e->solver, NULL))
      continue;
    snprintf(e->label, sizeof e->label, "%s", m.name);
    c->count++;
  }
}

/* y' A x = x' A y for all x and y, if and only if A is symmetric: asked of two. */
static bool is_symmetric(const perp_operator *A, int n)
{
  const size_t size = (size_t)n;
  double *v = malloc((4 * size + perp_operator_scratch(A) + 1) * sizeof *v);
  double difference = INFINITY, scale = 0;
  if (v) {
    double *x = v, *y = x + size, *A_x = y + size, *A_y = A_x + size, *scratch = A_y + size;
    uint32_t state = 1; /* of a linear congruential generator: any two vectors will do */
    for (size_t i = 0; i < 2 * size; i++) {
      state = 1664525u * state + 1013904223u;
      v[i] = 0.5 + state / 4294967296.0;
    }
    memset(scratch, 0, perp_operator_scratch(A) * sizeof *scratch);
    perp_operator_apply(A, x, A_x, scratch, NULL);
    perp_operator_apply(A, y, A_y, scratch, NULL);
    difference = 0;
    for (size_t i = 0; i < size; i++) {
      difference += y[i] * A_x[i] - x[i] * A_y[i];
      scale += fabs(y[i] * A_x[i]);
    }
  }
  free(v);
  return fabs(difference) <= 1e-10 * scale;
}

/* The time in which A is made again from M and J, the best of a few. Solvers of global problems begin
 * with M and J too. */
static double time_factor(const perp_problem *problem)
{
  perp_contact_data unused = perp_contact_data_default();
  double best = INFINITY;
  if (!peer_has_mass(problem, &unused))
    return 0;
  for (int k = 0; k < 5; k++) {
    const double began = bench_processor();
    if (perp_operator_refresh((perp_operator *)problem->A, NULL))
      return 0;
    best = fmin(best, bench_processor() - began);
  }
  return best;
}

/* Solvers of global problems need M and J, the others A; rolling contacts have five rows each. */
static bool suits_cones(const bench_peer *p, const perp_problem *problem)
{
  perp_contact_data unused = perp_contact_data_default();
  const bool rolling = strstr(p->method, "rolling") != NULL;
  const bool global = strncmp(p->method, "global", 6) == 0;
  return rolling == (problem->K.dim != NULL) && (!rolling || peer_rolls(problem)) &&
         global == peer_has_mass(problem, &unused) &&
         problem->K.n == (rolling ? 5 : 3) * problem->K.cones;
}

static void enter_peers(contest *c)
{
  const unsigned form = PERP_TAKES(perp_set_form(&c->problem.K));
  const bool symmetric = is_symmetric(c->problem.A, c->problem.K.n);
  for (const bench_peer *p = bench_peers; p->program && c->count < MOST_ENTRANTS; p++) {
    entrant *e = &c->entrant[c->count];
    *e = (entrant){0};
    if (!(p->takes & form) || !peer_exists(c->s->peers, p->program) ||
        (c->problem.K.cones > 0 && !suits_cones(p, &c->problem)))
      continue;
    if (p->most < c->problem.K.n)
      e->status = "too-large";
    else if (p->symmetric && !symmetric)
      e->status = "not-symmetric";
    else
      peer_start(&e->peer, c->s->peers, p->program, p->method, &c->problem);
    e->info = p;
    snprintf(e->label, sizeof e->label, "%s %s", p->program, p->method);
    c->count++;
  }
}

static perp_error record(const bench_task *t, contest *c, entrant *e)
{
  bench_row *row = bench_add_row(t->table);
  if (!row)
    return PERP_ERROR_MEMORY;
  row->suite = t->suite->name;
  row->series = t->series;
  snprintf(row->problem, sizeof row->problem, "%s", t->text);
  snprintf(row->method, sizeof row->method, "%s", e->label);
  row->peer = e->info != NULL;
  row->n = c->problem.K.n;
  row->form = perp_form_name(perp_set_form(&c->problem.K));
  row->residual = e->residual;
  for (int tol = 0; tol < BENCH_TOLS; tol++) {
    /* the first sample ran with cold memory: it counts only if it is the only one */
    const int from = e->samples[tol] > 2, count = e->samples[tol] - from;
    row->seconds[tol] = count > 0 ? kit_median(count, e->sample[tol] + from) : INFINITY;
    row->call[tol] = count > 0 && e->info ? kit_median(count, e->call[tol] + from) : 0;
  }
  row->status = e->samples[BENCH_TOLS - 1] ? "solved" : e->status;
  row->counts = e->counts;
  return PERP_OK;
}

perp_error bench_contest(const bench_task *t)
{
  const bench_settings *s = t->s;
  const int rounds = s->size == BENCH_QUICK ? 3 : MOST_ROUNDS;
  contest *c = calloc(1, sizeof *c);
  snprintf(t->why->text, sizeof t->why->text, "not enough memory for %s", t->text);
  if (!c)
    return PERP_ERROR_MEMORY;
  c->s = s;
  c->problem = t->p;
  c->best[0] = c->best[1] = INFINITY;
  c->x = t->x;
  c->factor = time_factor(&t->p);
  enter_ours(c);
  if (s->peers)
    enter_peers(c);
  for (int k = 0; k < c->count && !c->stopped; k++) {
    entrant *e = &c->entrant[k];
    c->stopped = s->progress && !s->progress(t->text, k, c->count);
    e->residual = INFINITY;
    for (int tol = 0; tol < BENCH_TOLS; tol++)
      e->asked[tol] = bench_tols[tol];
    if (!e->status)
      qualify(c, e);
    if (!goes_on(c, e, 0, rounds))
      leave(e);
  }
  for (int round = 0; round < rounds && !c->stopped; round++)
    for (int tol = 0; tol < BENCH_TOLS; tol++)
      for (int k = 0; k < c->count; k++)
        race(c, &c->entrant[k], tol, rounds);
  perp_error error = PERP_OK;
  for (int k = 0; k < c->count; k++) {
    if (!error && !c->stopped)
      error = record(t, c, &c->entrant[k]);
    leave(&c->entrant[k]);
  }
  free(c);
  return error;
}
