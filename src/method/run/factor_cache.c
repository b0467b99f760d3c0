/* factor_cache.c: the entries of a solver's cache, and the factor that the last solve lends */
#include "method/run/factor_cache.h"

void perp_shared_factor_release(perp_shared_factor *shared)
{
  if (shared && --shared->holders == 0)
    perp_free(shared);
}

/* Withdraws the solver's offer. */
static void end_offer(struct perp_memory *memory)
{
  if (memory->shared)
    memory->shared->stands = false;
  perp_shared_factor_release(memory->shared);
  memory->shared = NULL;
  memory->offer = (perp_offer){0};
}

void perp_run_offer(perp_run *run, const perp_kept *entry, bool sparse, int m, const int *rows,
                    perp_shared_solve solve, void *factor)
{
  if (!entry || !run->memory)
    return;
  end_offer(run->memory);
  run->memory->offer = (perp_offer){.values = run->problem->A->values,
                                    .entry = entry,
                                    .sparse = sparse,
                                    .m = m,
                                    .rows = rows,
                                    .solve = solve,
                                    .factor = factor};
}

perp_kept *perp_run_kept(perp_run *run, const void *maker)
{
  if (!run->memory || run->problem->A->values == 0)
    return NULL;
  perp_kept *kept = run->memory->first;
  while (kept && kept->maker != maker)
    kept = kept->next;
  if (!kept) {
    kept = perp_alloc_zero(1, sizeof *kept);
    if (!kept)
      return NULL;
    *kept = (perp_kept){.maker = maker, .next = run->memory->first};
    run->memory->first = kept;
  }
  if (kept->busy)
    return NULL;
  if (run->memory->offer.entry == kept)
    end_offer(run->memory);
  kept->busy = true;
  return kept;
}

bool perp_kept_holds(const perp_kept *kept, const perp_run *run)
{
  return kept->state && kept->values == run->problem->A->values;
}

void perp_kept_clear(perp_kept *kept)
{
  if (kept->state && kept->close)
    kept->close(kept->state);
  kept->state = NULL;
  kept->close = NULL;
  kept->values = 0;
  perp_arena_reset(&kept->arena);
}

void perp_kept_done(perp_kept *kept, const perp_run *run)
{
  if (!kept)
    return;
  kept->values = run->problem->A->values;
  kept->busy = false;
}

perp_error perp_keep_open(perp_run *run, const void *maker, const perp_keeper *keeper,
                          const void *plan, void **state)
{
  *state = NULL;
  perp_kept *kept = perp_run_kept(run, maker);
  if (!kept)
    return keeper->open(run, plan, state);
  if (kept->state && keeper->reopen(kept->state, run, plan, perp_kept_holds(kept, run))) {
    *state = kept->state;
    return PERP_OK;
  }
  perp_kept_clear(kept);
  perp_arena *const own = run->arena;
  run->arena = &kept->arena;
  const perp_error error = keeper->open(run, plan, state);
  run->arena = own;
  if (!*state) {
    perp_kept_done(kept, run);
    return error;
  }
  ((perp_keep *)*state)->kept = kept;
  kept->state = *state;
  kept->close = keeper->close;
  return error;
}

void perp_keep_close(const perp_keeper *keeper, const perp_run *run, void *state)
{
  if (!state)
    return;
  const perp_keep keep = *(const perp_keep *)state;
  if (!keep.kept && keeper->close)
    keeper->close(state);
  if (!keep.kept)
    return;
  if (!keep.whole)
    perp_kept_clear(keep.kept);
  perp_kept_done(keep.kept, run);
}

void perp_memory_begin(struct perp_memory *memory)
{
  if (memory)
    end_offer(memory);
  for (perp_kept *kept = memory ? memory->first : NULL; kept; kept = kept->next)
    if (kept->busy) {
      kept->values = 0;
      kept->busy = false;
    }
}

void perp_memory_free(struct perp_memory *memory)
{
  for (perp_kept *kept = memory->first, *next; kept; kept = next) {
    next = kept->next;
    perp_kept_clear(kept);
    perp_arena_free(&kept->arena);
    perp_free(kept);
  }
  memory->first = NULL;
  end_offer(memory);
}
