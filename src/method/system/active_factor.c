/* active_factor.c: keeps the factor of the first rows, and offers the last one */
#include "method/system/active_factor.h"

#include "method/run/factor_cache.h"

#include <string.h>

/* Allocates a factor in the run's arena. */
static perp_active_factor *allocate(perp_run *run, int n)
{
  perp_active_factor *kept = perp_arena_alloc_zero(run->arena, 1, sizeof *kept);
  if (!kept)
    return NULL;
  *kept = (perp_active_factor){.n = n,
                               .reals = perp_run_reals(run, (size_t)perp_active_reals(n)),
                               .integers = perp_run_integers(run, (size_t)perp_active_integers(n)),
                               .rows = perp_run_integers(run, (size_t)n),
                               .count = -1};
  return kept->reals && kept->integers && kept->rows ? kept : NULL;
}

static perp_active_factor *find(perp_run *run, perp_kept *entry, int n)
{
  perp_active_factor *kept = entry->state;
  if (kept && kept->n == n) {
    if (!perp_kept_holds(entry, run))
      kept->count = -1;
    return kept;
  }
  perp_kept_clear(entry);
  perp_arena *const own = run->arena;
  run->arena = &entry->arena;
  entry->state = kept = allocate(run, n);
  run->arena = own;
  if (kept)
    kept->entry = entry;
  return kept;
}

perp_active_factor *perp_active_open(perp_run *run, const void *maker, const double *A, int64_t lda,
                                     perp_active *f)
{
  const int n = run->problem->K.n;
  perp_kept *entry = perp_run_kept(run, maker);
  perp_active_factor *kept = entry ? find(run, entry, n) : allocate(run, n);
  if (!kept)
    return NULL;
  /* a kept factor stays valid in the same memory: this writes only the places of rows */
  perp_active_init(f, n, A, lda, kept->reals, kept->integers);
  f->version = entry ? &kept->version : NULL;
  return kept;
}

bool perp_active_recall(perp_active_factor *kept, const perp_run *run, int count, const int *rows,
                        perp_active *f)
{
  if (kept->count != count || kept->made != kept->version ||
      memcmp(kept->rows, rows, (size_t)count * sizeof *rows) != 0)
    return false;
  f->count = kept->size;
  f->changes = kept->appended;
  for (int k = 0; k < f->count; k++)
    f->place[f->index[k]] = k;
  perp_kept_done(kept->entry, run); /* also kept for the solve after this one */
  return true;
}

void perp_active_keep(perp_active_factor *kept, const perp_run *run, int count, const int *rows,
                      const perp_active *f)
{
  if (!kept->entry)
    return;
  memcpy(kept->rows, rows, (size_t)count * sizeof *rows);
  kept->count = count;
  kept->size = f->count;
  kept->appended = f->changes;
  kept->made = kept->version;
  perp_kept_done(kept->entry, run);
}

static bool solve_shared(void *factor, bool transposed, double *r)
{
  (void)transposed; /* A is symmetric */
  perp_active_solve(factor, r);
  return true;
}

void perp_active_offer(perp_active_factor *kept, perp_run *run, const perp_active *f)
{
  if (!kept || !kept->entry)
    return;
  kept->lent = *f;
  kept->lent.version = NULL;
  perp_run_offer(run, kept->entry, false, f->count, f->index, solve_shared, &kept->lent);
}
