/* active_factor.c: keeps the factor of the first rows, follows sets of rows, and offers the last factor
 *
 * Adding a row to a factor of size k costs k^2 flops, removing row p costs 6 (k - p)^2. A new factor
 * costs k^3 / 3, in blocks and so about four times faster per flop; it replaces updates beyond
 * k / 32 changes. */
#include "method/system/active_factor.h"

#include "linalg/vector.h"

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

/* Moves the rows that enter or leave. Returns false if one depends on the others. */
static bool update(perp_active *f, int m, const int *F, double *scratch)
{
  perp_fill(f->n, 0, scratch);
  for (int k = 0; k < m; k++)
    scratch[F[k]] = 1; /* in F */
  for (int q = f->count - 1; q >= 0; q--)
    if (scratch[f->index[q]] == 0)
      perp_active_delete(f, q);
  for (int k = 0; k < m; k++)
    if (f->place[F[k]] < 0) {
      perp_active_reach(f, F[k]);
      if (!perp_active_independent(f, scratch))
        return false;
      perp_active_append(f);
    }
  return true;
}

bool perp_active_follow(perp_active_factor *kept, perp_run *run, int m, const int *F,
                        double *scratch, perp_active *f)
{
  int stay = 0;
  for (int k = 0; k < m; k++)
    stay += f->place[F[k]] >= 0;
  const int changes = (m - stay) + (f->count - stay);
  bool done = true;
  if (32 * changes > m || f->changes + changes > m + 100) {
    if (f->count == 0 && perp_active_recall(kept, m, F, f))
      return true;
    run->count.factorisations++;
    done = perp_active_build(f, m, F) == m;
    if (done)
      perp_active_keep(kept, m, F, f);
  } else {
    done = update(f, m, F, scratch);
  }
  if (!done)
    perp_active_clear(f);
  return done;
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
