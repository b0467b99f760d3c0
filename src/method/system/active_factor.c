/* active_factor.c: keeps the factor of the first rows, and offers the last one */
#include "method/system/active_factor.h"

#include <string.h>

static perp_error allocate(perp_run *run, const void *plan, void **state)
{
  (void)plan;
  const int n = run->problem->K.n;
  perp_active_factor *kept = *state = perp_arena_alloc_zero(run->arena, 1, sizeof *kept);
  if (!kept ||
      !PERP_TAKE(run->arena, PERP_ARRAY(kept->reals, perp_active_reals(n)),
                 PERP_ARRAY(kept->integers, perp_active_integers(n)), PERP_ARRAY(kept->rows, n)))
    return perp_run_no_memory(run);
  kept->n = n;
  kept->count = -1;
  kept->keep.whole = true;
  return PERP_OK;
}

static bool reopen(void *state, perp_run *run, const void *plan, bool holds)
{
  perp_active_factor *kept = state;
  (void)plan;
  kept->count = holds ? kept->count : -1;
  return kept->n == run->problem->K.n;
}

static const perp_keeper keeper = {allocate, reopen, NULL};

perp_active_factor *perp_active_open(perp_run *run, const void *maker, const double *A, int64_t lda,
                                     perp_active *f)
{
  void *state;
  const perp_error error = perp_keep_open(run, maker, &keeper, NULL, &state);
  perp_active_factor *kept = state;
  perp_keep_close(&keeper, run, kept); /* its version shows later changes */
  if (error)
    return NULL;
  /* a kept factor stays valid in the same memory: this writes only the places of rows */
  perp_active_init(f, kept->n, A, lda, kept->reals, kept->integers);
  f->version = &kept->version;
  return kept;
}

bool perp_active_recall(const perp_active_factor *kept, int count, const int *rows, perp_active *f)
{
  if (kept->count != count || kept->made != kept->version ||
      memcmp(kept->rows, rows, (size_t)count * sizeof *rows) != 0)
    return false;
  f->count = kept->size;
  f->changes = kept->appended;
  for (int k = 0; k < f->count; k++)
    f->place[f->index[k]] = k;
  return true;
}

void perp_active_keep(perp_active_factor *kept, int count, const int *rows, const perp_active *f)
{
  memcpy(kept->rows, rows, (size_t)count * sizeof *rows);
  kept->count = count;
  kept->size = f->count;
  kept->appended = f->changes;
  kept->made = kept->version;
}

static bool solve_shared(void *factor, bool transposed, double *r)
{
  (void)transposed; /* A is symmetric */
  perp_active_solve(factor, r);
  return true;
}

void perp_active_offer(perp_active_factor *kept, perp_run *run, const perp_active *f)
{
  if (!kept)
    return;
  kept->lent = *f;
  kept->lent.version = NULL;
  perp_run_offer(run, kept->keep.kept, false, f->count, f->index, solve_shared, &kept->lent);
}
