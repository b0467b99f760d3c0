/* there_flow.c: the flow of coarse grids (device/grid/flow.h), launched kernel by kernel */
#include "method/multilevel/grid/there.h"

typedef perp_there perp_flow;

#define FLOW static

static bool flow_launches(const perp_flow *f)
{
  (void)f;
  return true;
}

static void flow_do(perp_flow *f, perp_grid_op op, int level, int colour, int set)
{
  perp_there_do(f, op, level, colour, set, false);
}

static void flow_clear(perp_flow *f, int level)
{
  uint8_t *from = f->level[level + 1].dirty;
  perp_there_fill(f, from, f->flag_count - (from - f->flags), 0);
}

#include "device/grid/flow.h"

/* ---- Sequences ----
 *
 * What a flow queues depends on the plan and the grids alone, so it is recorded under a hash of
 * both. */

typedef enum sequence { CYCLE, FOLLOW, START } sequence;

static uint64_t mix(uint64_t hash, const void *from, size_t bytes)
{
  const unsigned char *at = from;
  for (size_t k = 0; k < bytes; k++)
    hash = (hash ^ at[k]) * 0x100000001b3u; /* Fowler, Noll and Vo */
  return hash;
}

static uint64_t key_of(const perp_there *t, sequence which)
{
  const perp_grid_plan *p = &t->plan;
  const int numbers[] = {(int)which,  p->count,     p->tail,   p->pre, p->post,
                         p->fine_pre, p->fine_post, p->cycles, p->set};
  const uint64_t hash = mix(0xcbf29ce484222325u, numbers, sizeof numbers);
  return mix(hash, t->level, (size_t)p->count * sizeof *t->level);
}

static void follow_all(perp_there *t)
{
  flow_follow(t, &t->plan, 0);
  flow_clear(t, 0);
}

static void play(perp_there *t, sequence which)
{
  const perp_device_table *table = t->device->table;
  const uint64_t key = key_of(t, which);
  perp_message why = {""};
  bool known = false;
  if (t->base.failure)
    return;
  if (table->record)
    perp_there_note(t, table->record(t->device, key, &known, &why), &why);
  if (known || t->base.failure)
    return;
  if (which == CYCLE)
    flow_cycle(t, &t->plan, 1);
  else if (which == FOLLOW)
    follow_all(t);
  else
    flow_start(t, &t->plan, 1);
  if (table->record)
    perp_there_note(t, table->record_end(t->device, key, &why), &why);
}

void perp_there_cycle(perp_there *t)
{
  play(t, CYCLE);
}

void perp_there_follow(perp_there *t)
{
  play(t, FOLLOW);
}

void perp_there_start(perp_there *t)
{
  play(t, START);
}
