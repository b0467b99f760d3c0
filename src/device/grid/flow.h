/* flow.h: in which order the kernels of coarse grids run: V-cycles, the hierarchy after a change,
 * full multigrid
 *
 * Included twice: by those who launch one kernel after another, and by the kernels of the tail, in
 * which one team does the small grids from plan->tail on. Before that are defined
 *
 *   FLOW                          stands before a function
 *   perp_flow                     who does it
 *   bool flow_launches(f)         whether kernels are launched: the tail is then one of them
 *   void flow_do(f, op, level, colour, set)
 *   void flow_clear(f, level)     no grid after `level` has a cell to be built */
#pragma once

#include "device/grid/cells.h"

enum { PERP_FLOW_DEEP = 3 }; /* from this grid on the number of sweeps stays the same (cycle.c) */

FLOW void flow_sweeps(perp_flow *f, int level, int set, int count)
{
  for (int s = 0; s < count; s++) {
    flow_do(f, PERP_GRID_relax, level, 0, set);
    flow_do(f, PERP_GRID_relax, level, 1, set);
  }
}

/* Where a flow that launches hands over to the tail, or the last grid. */
FLOW int flow_last(const perp_flow *f, const perp_grid_plan *plan)
{
  const int last = plan->count - 1;
  return flow_launches(f) && plan->tail < last ? plan->tail : last;
}

/* The linear system of grid `level`, f received, by one V-cycle from zero. */
FLOW void flow_cycle(perp_flow *f, const perp_grid_plan *plan, int level)
{
  const int last = flow_last(f, plan);
  int l = level;
  for (; l < last; l++) {
    const int more = l < PERP_FLOW_DEEP ? l - 1 : PERP_FLOW_DEEP - 1;
    flow_do(f, PERP_GRID_relax, l, 1, PERP_GRID_LINEAR); /* the red half is in gather */
    flow_sweeps(f, l, PERP_GRID_LINEAR, plan->pre + more - 1);
    flow_do(f, PERP_GRID_remainder, l, 0, 0);
    flow_do(f, PERP_GRID_gather, l, 0, 0);
  }
  if (l < plan->count - 1)
    flow_do(f, PERP_GRID_tail_cycle, l, 0, 0);
  for (l--; l >= level; l--) {
    const int more = l < PERP_FLOW_DEEP ? l - 1 : PERP_FLOW_DEEP - 1;
    flow_do(f, PERP_GRID_add, l, 1, PERP_GRID_LINEAR);
    flow_sweeps(f, l, PERP_GRID_LINEAR, plan->post + more);
  }
}

/* Builds what depends on changed cells of grid `level`, and all grids below. */
FLOW void flow_follow(perp_flow *f, const perp_grid_plan *plan, int level)
{
  const int last = flow_last(f, plan);
  int l = level;
  for (; l < last; l++) {
    flow_do(f, PERP_GRID_build, l, 0, 0);
    flow_do(f, PERP_GRID_gains, l, 0, 0);
  }
  if (l < plan->count - 1)
    flow_do(f, PERP_GRID_tail_follow, l, 0, 0);
}

/* One cycle for the problem on grid `level`. */
FLOW void flow_problem(perp_flow *f, const perp_grid_plan *plan, int level)
{
  flow_sweeps(f, level, plan->set, plan->fine_pre);
  if (plan->set != PERP_GRID_LINEAR) {
    flow_do(f, PERP_GRID_mark, level, 0, plan->set);
    flow_follow(f, plan, level);
    flow_clear(f, level);
  }
  flow_do(f, PERP_GRID_remainder, level, 0, 0);
  flow_do(f, PERP_GRID_gather, level, 0, 0);
  flow_cycle(f, plan, level + 1);
  flow_do(f, PERP_GRID_add, level, 1, plan->set);
  flow_sweeps(f, level, plan->set, plan->fine_post);
}

/* Full multigrid from the last grid up to `level`, whose load is at hand. */
FLOW void flow_start(perp_flow *f, const perp_grid_plan *plan, int level)
{
  const int last = flow_last(f, plan);
  int l = level;
  for (; l < last; l++) {
    flow_do(f, PERP_GRID_load, l, 0, 0);
    if (plan->set == PERP_GRID_BOX)
      flow_do(f, PERP_GRID_bounds, l, 0, 0);
    flow_do(f, PERP_GRID_receive, l, 0, plan->set);
  }
  if (l < plan->count - 1)
    flow_do(f, PERP_GRID_tail_start, l, 0, 0);
  else
    flow_do(f, PERP_GRID_receive, l, 0, plan->set);
  for (l--; l >= level; l--) {
    flow_do(f, PERP_GRID_interpolate, l, 0, plan->set);
    for (int c = 0; c < plan->cycles; c++)
      flow_problem(f, plan, l);
  }
}
