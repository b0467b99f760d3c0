/* cycle.h: a detector of cycles of bases, and the best iterate
 *
 * A basis has a hash, the exclusive or of one number for each row and its place (Zobrist 1970). A
 * repetition is found by comparing with one earlier basis, which is replaced after 1, 2, 4, ...
 * steps (Brent 1980): no memory, and a delay of at most three times the length of the cycle. */
#pragma once

#include "linalg/vector.h"
#include "method/run/method.h"

/* The number of row i at place 0, 1, 2 or 3, mixed as splitmix64 does. */
static inline uint64_t perp_place_key(int i, int place)
{
  uint64_t z = ((uint64_t)i * 4 + (uint64_t)place + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

typedef struct perp_cycle {
  uint64_t kept;
  int64_t since, keep_at; /* steps since the stored basis; step of the next one */
} perp_cycle;

/* Starts again with the basis of that hash. */
static inline void perp_cycle_forget(perp_cycle *c, uint64_t hash)
{
  *c = (perp_cycle){.kept = hash, .since = 0, .keep_at = 1};
}

/* Returns true if the basis of this step is the stored one. Call once per step. */
static inline bool perp_cycle_repeats(perp_cycle *c, uint64_t hash)
{
  if (c->since > 0 && c->kept == hash)
    return true;
  if (c->since == c->keep_at) {
    c->kept = hash;
    c->keep_at *= 2;
    c->since = 0;
  }
  c->since++;
  return false;
}

/* The driver sees the best basis so far: later ones may be far worse without the method
 * diverging. */
typedef struct perp_best {
  double *x, *y; /* n */
  double residual;
} perp_best;

static inline bool perp_best_create(perp_best *best, perp_run *run)
{
  best->residual = INFINITY;
  return PERP_TAKE_REALS(run->arena, (size_t)run->problem->K.n, &best->x, &best->y);
}

/* Shows an iterate with `wrong` wrong rows, the method's merit. An iterate that only just meets the
 * target is not shown, since the verdict is computed in higher precision and may differ; the method
 * continues, and its last iterate is judged in any case. */
static inline bool perp_best_show(perp_best *best, perp_run *run, const double *x, const double *y,
                                  int wrong)
{
  const double residual = perp_problem_residual(run->problem, x, y);
  const bool close = residual > 0.5 * run->target && residual <= run->target;
  if ((residual < best->residual && !close) || best->residual == INFINITY) {
    best->residual = residual;
    perp_copy(run->problem->K.n, x, best->x);
    perp_copy(run->problem->K.n, y, best->y);
  }
  perp_run_merit(run, wrong);
  return perp_run_next(run, best->x, best->y);
}
