/* oneshot.c: contacts with friction by index, solved by Dantzig's method: one call, and calls until
 * the problem is solved
 *
 * The solvers of game engines, and ours with outer = 1, solve for the normal forces without
 * friction, freeze the bounds of friction at these and solve once more: the answer is one of the
 * frozen problem. So a peer is called again with the bounds of its last answer, as a box problem,
 * until the natural residual is that of a solution. The time to 1e-8 is that of all calls. */
#include "bench.h"
#include "kit/numbers.h"
#include "peers/client.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 7, MOST_CALLS = 50 };
static const double solved = 1e-8, patience = 3; /* seconds that a call of a peer may take */

typedef struct shot {
  double seconds, residual; /* of one call */
  double calls, all;        /* to 1e-8, and their seconds; NaN: never */
} shot;

static double judge(const perp_problem *p, const double *x)
{
  double residual, scale;
  return perp_problem_judge(p, x, &residual, &scale, NULL) ? (double)NAN : residual / scale;
}

static int batch_of(int n)
{
  return n <= 16 ? 200 : n <= 64 ? 20 : n <= 200 ? 3 : 1;
}

static perp_error shoot_ours(const perp_problem *p, int outer, int rounds, double *x, shot *r,
                             perp_message *why)
{
  perp_solver *solver = NULL;
  perp_result result;
  double seconds[MOST_ROUNDS];
  perp_error error = perp_solver_create("dantzig", &solver, why);
  if (!error && outer > 0)
    error = perp_solver_set(solver, "outer", outer, why);
  for (int k = 0; k < rounds && !error; k++)
    seconds[k] = bench_solve_batch(solver, p, solved, batch_of(p->K.n), x, &error, &result);
  perp_solver_destroy(solver);
  if (error)
    return error;
  *r = (shot){kit_median(rounds, seconds), judge(p, x), NAN, NAN};
  if (r->residual <= solved) {
    r->calls = 1;
    r->all = r->seconds;
  }
  return PERP_OK;
}

/* Bounds of friction frozen at the normal forces of x. */
static void freeze(const perp_set *K, const double *x, double *lo, double *hi)
{
  for (int i = 0; i < K->n; i++) {
    const bool friction = K->findex[i] >= 0;
    const double normal = friction ? fabs(x[K->findex[i]]) : 1;
    lo[i] = K->lo ? K->lo[i] * normal : 0;
    hi[i] = K->hi ? K->hi[i] * normal : INFINITY;
  }
}

/* False if the peer gives no answer. */
static bool shoot_peer(const char *folder, const char *program, const perp_problem *p, int rounds,
                       double *x, shot *r)
{
  const size_t n = (size_t)p->K.n;
  double seconds[MOST_ROUNDS], *bounds = malloc(2 * n * sizeof *bounds);
  bool gave_up = false, alive = true;
  peer other;
  if (!bounds)
    return false;
  peer_start(&other, folder, program, "dantzig", p);
  for (int k = 0; k < rounds && alive; k++)
    alive = peer_solve(&other, batch_of(p->K.n), 1e-10, patience, &seconds[k], NULL, x, &gave_up);
  peer_stop(&other);
  if (alive)
    *r = (shot){kit_median(rounds, seconds), judge(p, x), NAN, NAN};
  double residual = r->residual, all = r->seconds;
  int calls = 1;
  const bool answered = alive;
  for (; calls < MOST_CALLS && residual > solved && alive && !gave_up; calls++) {
    double spent = 0;
    freeze(&p->K, x, bounds, bounds + n);
    const perp_problem box = perp_problem_boxed(p->A, p->b, bounds, bounds + n);
    peer_start(&other, folder, program, "dantzig", &box);
    alive = peer_solve(&other, batch_of(p->K.n), 1e-10, patience, &spent, NULL, x, &gave_up);
    peer_stop(&other);
    all += spent;
    residual = alive ? judge(p, x) : NAN;
  }
  if (alive && residual <= solved) {
    r->calls = calls;
    r->all = all;
  }
  free(bounds);
  return answered;
}

static perp_error record(const bench_task *t, const char *who, const shot *r, const shot *ours)
{
  static const char *const names[] = {"us of a call",  "residual",   "over ours",
                                      "calls to 1e-8", "us to 1e-8", "to 1e-8 over ours"};
  return bench_add_figures(t, who, 6, names,
                           (double[]){1e6 * r->seconds, r->residual, r->seconds / ours->seconds,
                                      r->calls, 1e6 * r->all, r->all / ours->all});
}

perp_error bench_oneshot(const bench_task *t)
{
  static const char *const programs[] = {"ode", "dart", "bullet", "bullet-single"};
  const int rounds = t->s->size == BENCH_QUICK ? 3 : MOST_ROUNDS;
  const char *peers = t->s->peers;
  if (!bench_wants(t->s, "dantzig"))
    return PERP_OK;
  shot ours = {0}, once = {0};
  perp_error error = shoot_ours(&t->p, 0, rounds, t->x, &ours, t->why);
  if (!error)
    error = shoot_ours(&t->p, 1, rounds, t->x, &once, t->why);
  if (!error)
    error = record(t, "dantzig", &ours, &ours);
  if (!error)
    error = record(t, "dantzig, outer=1", &once, &ours);
  for (size_t k = 0; k < sizeof programs / sizeof *programs && !error; k++) {
    shot r = {0};
    if (peers && peer_exists(peers, programs[k]) &&
        shoot_peer(peers, programs[k], &t->p, rounds, t->x, &r))
      error = record(t, programs[k], &r, &ours);
  }
  return error;
}
