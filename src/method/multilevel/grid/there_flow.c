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

static void flow_clear(perp_flow *f, uint8_t value)
{
  perp_there_fill(f, f->flags, f->flag_count, value);
}

#include "device/grid/flow.h"

void perp_there_cycle(perp_there *t)
{
  flow_cycle(t, &t->plan, 1);
}

void perp_there_follow(perp_there *t)
{
  flow_follow(t, &t->plan, 0);
}

void perp_there_start(perp_there *t)
{
  flow_start(t, &t->plan, 1);
}
