/* flow.h: the order of the steps on coarse grids: V-cycles, updates of the hierarchy, full
 * multigrid; and the tail, in which one team handles all small grids
 *
 * Four callers make the steps: the CPU row by row (start.c), the ranks of a cluster
 * (backend/petsc/mesh.c), the CPU that launches one kernel after another (device_grid.c), and the
 * team of the tail. */
#pragma once

#include "method/multilevel/grid/kernel/finest.h"

typedef struct perp_flow {
  /* Makes a perp_grid_op on grid `level`; PERP_GRID_FILL: no grid after it has a cell to be
   * built. */
  void (*step)(void *who, int op, int level, int colour, int set);
  void *who;
  bool launches; /* steps are launched: the tail, from plan->tail on, is one of them */
  bool whole;    /* both halves of a sweep are one step, of the colour PERP_BOTH */
} perp_flow;

TEAM void perp_flow_sweeps(perp_flow f, int level, int set, int count)
{
  for (int s = 0; s < count; s++) {
    if (f.whole) {
      f.step(f.who, PERP_GRID_RELAX, level, PERP_BOTH, set);
      continue;
    }
    f.step(f.who, PERP_GRID_RELAX, level, 0, set);
    f.step(f.who, PERP_GRID_RELAX, level, 1, set);
  }
}

/* Returns the grid at which a launching flow hands over to the tail, or the last grid. */
TEAM int perp_flow_last(perp_flow f, const perp_grid_plan *plan)
{
  const int last = plan->count - 1;
  return f.launches && plan->tail < last ? plan->tail : last;
}

/* Solves the linear system of grid `level`, f received, by one V-cycle from zero. */
TEAM void perp_flow_cycle(perp_flow f, const perp_grid_plan *plan, int level)
{
  const int last = perp_flow_last(f, plan);
  int l = level;
  for (; l < last; l++) {
    const int more = perp_grids_more(l);
    f.step(f.who, PERP_GRID_RELAX, l, 1, PERP_GRID_LINEAR); /* gather makes the red half */
    perp_flow_sweeps(f, l, PERP_GRID_LINEAR, PERP_PRE_COARSE + more - 1);
    f.step(f.who, PERP_GRID_REMAINDER, l, 0, 0);
    f.step(f.who, PERP_GRID_GATHER, l, 0, 0);
  }
  if (l < plan->count - 1)
    f.step(f.who, PERP_GRID_TAIL_CYCLE, l, 0, 0);
  for (l--; l >= level; l--) {
    const int more = perp_grids_more(l);
    f.step(f.who, PERP_GRID_ADD, l, 1, PERP_GRID_LINEAR);
    perp_flow_sweeps(f, l, PERP_GRID_LINEAR, PERP_POST_COARSE + more);
  }
}

/* Rebuilds all data that depend on changed cells of grid `level`, and all grids below. */
TEAM void perp_flow_follow(perp_flow f, const perp_grid_plan *plan, int level)
{
  const int last = perp_flow_last(f, plan);
  int l = level;
  for (; l < last; l++) {
    f.step(f.who, PERP_GRID_BUILD, l, 0, 0);
    f.step(f.who, PERP_GRID_GAINS, l, 0, 0);
  }
  if (l < plan->count - 1)
    f.step(f.who, PERP_GRID_TAIL_FOLLOW, l, 0, 0);
}

/* Makes one cycle for the problem on grid `level`. */
TEAM void perp_flow_problem(perp_flow f, const perp_grid_plan *plan, int level)
{
  perp_flow_sweeps(f, level, plan->set, plan->fine_pre);
  if (plan->set != PERP_GRID_LINEAR) {
    f.step(f.who, PERP_GRID_MARK, level, 0, plan->set);
    perp_flow_follow(f, plan, level);
    f.step(f.who, PERP_GRID_FILL, level, 0, 0);
  }
  f.step(f.who, PERP_GRID_REMAINDER, level, 0, 0);
  f.step(f.who, PERP_GRID_GATHER, level, 0, 0);
  perp_flow_cycle(f, plan, level + 1);
  f.step(f.who, PERP_GRID_ADD, level, 1, plan->set);
  perp_flow_sweeps(f, level, plan->set, PERP_POST);
}

/* Full multigrid from the last grid up to `level`, whose load is stored. */
TEAM void perp_flow_start(perp_flow f, const perp_grid_plan *plan, int level)
{
  const int last = perp_flow_last(f, plan);
  int l = level;
  for (; l < last; l++) {
    f.step(f.who, PERP_GRID_LOAD, l, 0, 0);
    if (plan->set == PERP_GRID_BOX)
      f.step(f.who, PERP_GRID_BOUNDS, l, 0, 0);
    f.step(f.who, PERP_GRID_RECEIVE, l, 0, plan->set);
  }
  if (l < plan->count - 1)
    f.step(f.who, PERP_GRID_TAIL_START, l, 0, 0);
  else
    f.step(f.who, PERP_GRID_RECEIVE, l, 0, plan->set);
  for (l--; l >= level; l--) {
    f.step(f.who, PERP_GRID_INTERPOLATE, l, 0, plan->set);
    for (int c = 0; c < plan->cycles; c++)
      perp_flow_problem(f, plan, l);
  }
}

/* ---- The tail ---- */

enum { PERP_TAIL_GRIDS = 24, PERP_TAIL_TASKS = 2 * PERP_TAIL_GRIDS }; /* at most */

typedef struct perp_tail {
  perp_team team;
  perp_grid_task *tasks; /* for each grid of the tail one per colour, in the team's memory */
  int first;             /* the grid of the first */
} perp_tail;

/* Runs a kernel over all its cells; `op` is a constant at compile time. */
TEAM void perp_tail_over(perp_team team, const perp_grid_task *t, int op, perp_grid_domain domain)
{
  int extent[3];
  perp_grid_extent(t, domain, extent);
  const unsigned row = (unsigned)extent[0], rows = (unsigned)extent[1];
  const unsigned all = row * rows * (unsigned)extent[2], lanes = (unsigned)team.lanes;
  for (unsigned c = (unsigned)team.lane; c < all; c += lanes) {
    const unsigned line = c / row, k = line / rows; /* a division takes as long as a cell */
    perp_grid_at(op, t, (int)(c - line * row), (int)(line - k * rows), (int)k, 0, 0, false);
  }
}

TEAM void perp_tail_build(perp_team team, const perp_grid_task *t)
{
  const int *n = t->below.n, all = n[0] * n[1] * n[2];
  for (int c = team.lane / PERP_GROUP; c < all; c += team.lanes / PERP_GROUP)
    perp_cell_build(t, c % n[0], c / n[0] % n[1], c / (n[0] * n[1]), team.lane % PERP_GROUP,
                    PERP_GROUP);
}

/* Clears the flags: no grid after `level` has a cell to be built. */
TEAM void perp_tail_clear(const perp_tail *f, int level)
{
  uint8_t *from = f->tasks[2 * (level + 1 - f->first)].g.dirty;
  const uint8_t *to = (const uint8_t *)f->tasks->bytes + f->tasks->count;
  for (int64_t m = f->team.lane; m < to - from; m += f->team.lanes)
    from[m] = 0;
}

TEAM void perp_tail_step(void *who, int op, int level, int colour, int set)
{
  const perp_tail *f = (const perp_tail *)who;
  perp_grid_task *t = f->tasks + 2 * (level - f->first) + colour;
  if (t->set != set && op != PERP_GRID_FILL) { /* the same for all lanes */
    perp_team_sync(f->team);
    if (f->team.lane == 0)
      t->set = set;
    perp_team_sync(f->team);
  }
  if (op == PERP_GRID_FILL)
    perp_tail_clear(f, level);
  else if (op == PERP_GRID_BUILD)
    perp_tail_build(f->team, t);
  else
    perp_tail_over(f->team, t, op, perp_grid_way_of(op).domain);
  perp_team_sync(f->team);
}

/* Copies with all lanes; both begin at a multiple of eight. */
TEAM void perp_words_copy(perp_team team, void *to, const void *from, size_t bytes)
{
  for (size_t k = (size_t)team.lane; k < bytes / 8; k += (size_t)team.lanes)
    ((uint64_t *)to)[k] = ((const uint64_t *)from)[k];
}

/* Runs the tail. Kernels of coarse grids read only their grids, colour and set. tasks: memory of
 * the team for PERP_TAIL_TASKS. */
TEAM void perp_grid_tail(perp_team team, int op, const perp_grid_task *task, perp_grid_task *tasks)
{
  const perp_grid_plan *plan = &task->plan;
  perp_tail who;
  who.team = team;
  who.tasks = tasks;
  who.first = plan->tail;
  for (int q = 0; q < 2 * (plan->count - plan->tail); q++) {
    perp_grid_task *t = tasks + q;
    const int l = plan->tail + q / 2;
    const int next = l + 1 < plan->count ? l + 1 : l;
    perp_words_copy(team, &t->g, &plan->levels[l], sizeof t->g);
    perp_words_copy(team, &t->below, &plan->levels[next], sizeof t->below);
    if (team.lane == 0) {
      t->level = l;
      t->colour = q % 2;
      t->set = PERP_GRID_LINEAR;
      t->words = 0;
      t->bytes = task->bytes;
      t->count = task->count;
    }
  }
  perp_team_sync(team);
  perp_flow f;
  f.step = perp_tail_step;
  f.who = &who;
  f.launches = f.whole = false;
  if (op == PERP_GRID_TAIL_CYCLE)
    perp_flow_cycle(f, plan, task->level);
  else if (op == PERP_GRID_TAIL_FOLLOW)
    perp_flow_follow(f, plan, task->level);
  else
    perp_flow_start(f, plan, task->level);
}
