/* reuse.c: the time that a solver saves by reuse, for another b with the same A, or for other numbers
 * with the same sparsity pattern
 *
 * A sequence of problems whose b differs by 0.01 %, each started from the solution before, is solved
 * by one solver and by solvers made for each of them. Both should give the same bits: a
 * figure counts the solves that differ. With `refreshed` the operator is refreshed first: then the
 * solver reuses only what depends on its structure. */
#include "bench.h"
#include "suite.h"

#include <kit/numbers.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9 };

typedef struct sequence {
  const bench_task *t;
  const char *method;
  double *b0, *x, *y, *last; /* n each */
  double kept[ROUNDS + 1], fresh[ROUNDS + 1];
  int64_t kept_factors, fresh_factors;
  int solved, other_bits;
} sequence;

/* One problem by both; the first round warms up and is not counted. */
static perp_error play(sequence *q, perp_solver *kept, int round, uint64_t *state)
{
  const bench_task *t = q->t;
  const size_t n = (size_t)t->p.K.n;
  double *b = (double *)t->p.b; /* the instance's own, given back afterwards */
  for (size_t i = 0; i < n; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    b[i] = q->b0[i] * (1 + 1e-4 * ((double)(*state >> 40) / (1 << 23) - 1));
  }
  perp_options o = perp_options_default();
  o.time_limit = 10 * t->s->seconds;
  perp_result r = perp_result_empty(), f = perp_result_empty();
  memcpy(q->x, q->last, n * sizeof *q->x);
  memcpy(q->y, q->last, n * sizeof *q->y);
  double began = bench_processor();
  perp_error error = perp_solver_solve(kept, &t->p, &o, q->x, &r);
  q->kept[round] = bench_processor() - began;
  perp_solver *fresh = NULL;
  if (!error)
    error = perp_solver_create(q->method, &fresh, t->why);
  began = bench_processor();
  if (!error)
    error = perp_solver_solve(fresh, &t->p, &o, q->y, &f);
  q->fresh[round] = bench_processor() - began;
  perp_solver_destroy(fresh);
  q->solved += r.outcome == PERP_SOLVED && round > 0;
  q->other_bits += memcmp(q->x, q->y, n * sizeof *q->x) != 0;
  if (round > 0) {
    q->kept_factors += r.counts.factorisations;
    q->fresh_factors += f.counts.factorisations;
  }
  memcpy(q->last, q->x, n * sizeof *q->x);
  return error;
}

static perp_error run(sequence *q, bool refreshed)
{
  static const char *const names[] = {"n",       "solved", "ms",        "ms fresh", "times faster",
                                      "factors", "fresh",  "other bits"};
  const bench_task *t = q->t;
  const size_t bytes = (size_t)t->p.K.n * sizeof(double);
  perp_solver *kept = NULL;
  uint64_t state = 1;
  perp_error error = perp_solver_create(q->method, &kept, t->why);
  q->kept_factors = q->fresh_factors = q->solved = q->other_bits = 0;
  memset(q->last, 0, bytes);
  for (int k = 0; k <= ROUNDS && !error; k++) {
    if (refreshed)
      error = perp_operator_refresh(t->instance->A, t->why);
    if (!error)
      error = play(q, kept, k, &state);
  }
  memcpy((double *)t->p.b, q->b0, bytes);
  perp_solver_destroy(kept);
  if (error)
    return error;
  const double one = kit_median(ROUNDS, q->kept + 1), other = kit_median(ROUNDS, q->fresh + 1);
  const double figures[] = {t->p.K.n,
                            q->solved,
                            1e3 * one,
                            1e3 * other,
                            other / one,
                            (double)q->kept_factors / ROUNDS,
                            (double)q->fresh_factors / ROUNDS,
                            q->other_bits};
  char name[32];
  snprintf(name, sizeof name, "%s%s", q->method, refreshed ? " refreshed" : "");
  return bench_add_figures(t, name, 8, names, figures);
}

perp_error bench_reuse(const bench_task *t)
{
  static const char *const methods[] = {"auto", "dantzig",    "lemke", "ipm", "pgssm",
                                        "alm",  "blockpivot", "ssn",   "mg",  NULL};
  const size_t n = (size_t)t->p.K.n;
  double *memory = malloc((4 * n + 1) * sizeof *memory);
  if (!memory)
    return PERP_ERROR_MEMORY;
  sequence q = {.t = t, .b0 = memory, .x = memory + n, .y = memory + 2 * n, .last = memory + 3 * n};
  memcpy(q.b0, t->p.b, n * sizeof *q.b0);
  perp_error error = PERP_OK;
  for (int k = 0; methods[k] && !error; k++) {
    const perp_method_info m = perp_method_at(perp_method_find(methods[k]));
    q.method = methods[k];
    if (!bench_takes(t->s, &m, &t->p) || (m.needs & ~perp_operator_abilities(t->p.A)))
      continue;
    error = run(&q, false);
    if (!error)
      error = run(&q, true);
    if (error == PERP_ERROR_UNSUPPORTED)
      error = PERP_OK;
  }
  free(memory);
  return error;
}
