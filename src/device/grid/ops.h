/* ops.h: all kernels of grids, and the flow of the tail: one team does the small grids
 *
 * After one of the headers with TEAM. */
#pragma once

#include <math.h>

#include "device/grid/coarse.h"
#include "device/grid/fine.h"
#include "device/grid/network.h"
#include "device/grid/problem.h"
#include "device/grid/start.h"

TEAM double perp_op_sweep(const perp_grid_task *t, int m, int j, int k)
{
  perp_fine_sweep(t, m, j, k, t->top.mode, t->top.set, t->g.axes == 3);
  return 0;
}

/* ---- The tail ---- */

typedef struct perp_flow {
  perp_team team;
  perp_grid_task task; /* g and below are those of the operation that runs */
} perp_flow;

#define FLOW TEAM

TEAM bool flow_launches(const perp_flow *f)
{
  (void)f;
  return false;
}

typedef double (*perp_cell_body)(const perp_grid_task *t, int m, int j, int k);

/* A kernel over all its cells; `body` is known where this is compiled. */
TEAM void perp_tail_over(perp_flow *f, perp_cell_body body, perp_grid_domain domain)
{
  int extent[3];
  perp_grid_extent(&f->task, domain, extent);
  const int row = extent[0], plane = row * extent[1], all = plane * extent[2];
  for (int c = f->team.lane; c < all; c += f->team.lanes)
    body(&f->task, c % row, c / row % extent[1], c / plane);
  perp_team_sync(f->team);
}

/* The grids are small: not all kernels are done here. */
TEAM void flow_do(perp_flow *f, perp_grid_op op, int level, int colour, int set)
{
  perp_grid_task *t = &f->task;
  t->g = t->plan.levels[level];
  if (level + 1 < t->plan.count)
    t->below = t->plan.levels[level + 1];
  t->level = level;
  t->colour = colour;
  t->set = set;
#define CASE(name, domain, what, word)                                                             \
  if (op == PERP_GRID_##name)                                                                      \
    perp_tail_over(f, perp_op_##name, domain);
  PERP_GRID_COARSE_OPS(CASE)
#undef CASE
}

/* The flags of the grids of the tail. */
TEAM void flow_clear(perp_flow *f, uint8_t value)
{
  uint8_t *bytes = (uint8_t *)f->task.bytes;
  for (int64_t m = f->team.lane; m < f->task.count; m += f->team.lanes)
    bytes[m] = value;
  perp_team_sync(f->team);
}

#include "device/grid/flow.h"

TEAM void perp_grid_tail(perp_team team, perp_grid_op op, const perp_grid_task *task)
{
  perp_flow f;
  f.team = team;
  f.task = *task;
  if (op == PERP_GRID_tail_cycle)
    flow_cycle(&f, &f.task.plan, task->level);
  else if (op == PERP_GRID_tail_follow)
    flow_follow(&f, &f.task.plan, task->level);
  else
    flow_start(&f, &f.task.plan, task->level);
}
