/* kept.c: see kept.h */
#include "method/pivoting/lemke/kept.h"

#include <string.h>

/* The state of an entry for n rows; NULL: no memory. */
static perp_lemke_kept *make(perp_kept *entry, int n)
{
  perp_lemke_kept *kept = perp_arena_alloc_zero(&entry->arena, 1, sizeof *kept);
  if (!kept)
    return NULL;
  *kept = (perp_lemke_kept){.entry = entry, .n = n};
  if (!PERP_TAKE_REALS(&entry->arena, (size_t)n + 1, &kept->row_scale, &kept->column_scale) ||
      !PERP_TAKE_INTEGERS(&entry->arena, (size_t)n + 1, &kept->rows))
    return NULL;
  return kept;
}

perp_lemke_kept *perp_lemke_open_kept(perp_lemke *s, perp_lemke_scaling scaling)
{
  static const char makers[PERP_LEMKE_SCALE_BOTH + 1];
  perp_run *run = s->run;
  perp_kept *entry = run->options->memory_limit == 0 ? perp_run_kept(run, &makers[scaling]) : NULL;
  if (!entry)
    return NULL;
  perp_lemke_kept *kept = entry->state;
  if (!kept || kept->n != s->n) {
    perp_kept_clear(entry);
    entry->state = kept = make(entry, s->n);
    if (!kept)
      return NULL;
  }
  if (!perp_kept_holds(entry, run)) {
    kept->scaled = false;
    kept->count = 0;
  }
  s->row_scale = kept->row_scale;
  s->column_scale = kept->column_scale;
  s->room = kept->room;
  s->B = kept->B;
  s->X = kept->X;
  s->Y = kept->Y;
  s->P = kept->P;
  return kept;
}

bool perp_lemke_recall(perp_lemke *s, int count, const int *rows)
{
  const perp_lemke_kept *kept = s->kept;
  if (!kept || count == 0 || kept->count != count ||
      memcmp(kept->rows, rows, (size_t)count * sizeof *rows) != 0)
    return false;
  for (int k = 0; k < count; k++) {
    s->rows[k] = s->columns[k] = rows[k];
    s->row_at[rows[k]] = s->column_at[rows[k]] = k;
  }
  s->m = count;
  return true;
}

void perp_lemke_keep(perp_lemke *s)
{
  perp_lemke_kept *kept = s->kept;
  if (!kept)
    return;
  kept->count = s->m;
  memcpy(kept->rows, s->rows, (size_t)s->m * sizeof *s->rows);
}

void perp_lemke_close(perp_lemke *s)
{
  perp_lemke_kept *kept = s->kept;
  if (!kept)
    return;
  kept->room = s->room;
  kept->B = s->B;
  kept->X = s->X;
  kept->Y = s->Y;
  kept->P = s->P;
  perp_kept_done(kept->entry, s->run);
}
