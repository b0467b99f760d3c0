/* ops.h: all kernels of grids, and the flow of the tail: one team does the small grids
 *
 * After one of the headers with TEAM. */
#pragma once

#include <math.h>

#include "device/grid/coarse.h"
#include "device/grid/fine.h"
#include "device/grid/network.h"
#include "device/grid/problem.h"
#include "device/grid/rows.h"
#include "device/grid/start.h"

TEAM double perp_op_sweep(const perp_grid_task *t, int m, int j, int k)
{
  return perp_fine_sweep(t, m, j, k, t->top.mode, t->top.set, t->g.axes == 3);
}

/* ---- The tail ---- */

enum { PERP_TAIL_GRIDS = 24, PERP_TAIL_TASKS = 2 * PERP_TAIL_GRIDS }; /* at most */

typedef struct perp_flow {
  perp_team team;
  perp_grid_task *tasks; /* of each grid of the tail one for each colour, in memory of the team */
  int first;             /* the grid of the first */
} perp_flow;

#define FLOW TEAM

TEAM bool flow_launches(const perp_flow *f)
{
  (void)f;
  return false;
}

typedef double (*perp_cell_body)(const perp_grid_task *t, int m, int j, int k);

/* A kernel over all its cells; `body` is known where this is compiled. */
TEAM void perp_tail_over(perp_team team, const perp_grid_task *t, perp_cell_body body,
                         perp_grid_domain domain)
{
  int extent[3];
  perp_grid_extent(t, domain, extent);
  const unsigned row = (unsigned)extent[0], rows = (unsigned)extent[1];
  const unsigned all = row * rows * (unsigned)extent[2], lanes = (unsigned)team.lanes;
  for (unsigned c = (unsigned)team.lane; c < all; c += lanes) {
    const unsigned line = c / row, k = line / rows; /* a division takes as long as a cell */
    body(t, (int)(c - line * row), (int)(line - k * rows), (int)k);
  }
}

TEAM void perp_tail_build(perp_team team, const perp_grid_task *t)
{
  const int *n = t->below.n, all = n[0] * n[1] * n[2];
  for (int c = team.lane / PERP_GROUP; c < all; c += team.lanes / PERP_GROUP)
    perp_cell_build(t, c % n[0], c / n[0] % n[1], c / (n[0] * n[1]), team.lane % PERP_GROUP,
                    PERP_GROUP);
}

TEAM void flow_do(perp_flow *f, perp_grid_op op, int level, int colour, int set)
{
  perp_grid_task *t = f->tasks + 2 * (level - f->first) + colour;
  if (t->set != set) { /* the same for all lanes */
    perp_team_sync(f->team);
    if (f->team.lane == 0)
      t->set = set;
    perp_team_sync(f->team);
  }
#define CASE(name, domain, what, word)                                                             \
  if (op == PERP_GRID_##name && op != PERP_GRID_build)                                             \
    perp_tail_over(f->team, t, perp_op_##name, domain);
  PERP_GRID_COARSE_OPS(CASE)
#undef CASE
  if (op == PERP_GRID_build)
    perp_tail_build(f->team, t);
  perp_team_sync(f->team);
}

TEAM void flow_clear(perp_flow *f, int level)
{
  uint8_t *from = f->tasks[2 * (level + 1 - f->first)].g.dirty;
  const uint8_t *to = (const uint8_t *)f->tasks->bytes + f->tasks->count;
  for (int64_t m = f->team.lane; m < to - from; m += f->team.lanes)
    from[m] = 0;
  perp_team_sync(f->team);
}

#include "device/grid/flow.h"

/* By all lanes; both begin at a multiple of eight. */
TEAM void perp_words_copy(perp_team team, void *to, const void *from, size_t bytes)
{
  for (size_t k = (size_t)team.lane; k < bytes / 8; k += (size_t)team.lanes)
    ((uint64_t *)to)[k] = ((const uint64_t *)from)[k];
}

/* Kernels of coarse grids read their grids, colour and set alone. tasks: memory of the team for
 * PERP_TAIL_TASKS. */
TEAM void perp_grid_tail(perp_team team, perp_grid_op op, const perp_grid_task *task,
                         perp_grid_task *tasks)
{
  const perp_grid_plan *plan = &task->plan;
  perp_flow f;
  f.team = team;
  f.tasks = tasks;
  f.first = plan->tail;
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
  if (op == PERP_GRID_tail_cycle)
    flow_cycle(&f, plan, task->level);
  else if (op == PERP_GRID_tail_follow)
    flow_follow(&f, plan, task->level);
  else
    flow_start(&f, plan, task->level);
}
