/* grid_host.c: the kernels of grids for the processor, cell after cell */
#include "device/grid_host.h"

#include "device/team.h"

#include "device/grid/ops.h"

#include <string.h>

enum { NONE, MAX, COUNT };

/* Keeps the greatest number, by its bits: NaN is above infinity. */
static void keep_most(uint64_t *word, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  *word = bits > *word ? bits : *word;
}

static void over_cells(const perp_grid_task *t, perp_cell_body body, perp_grid_domain domain,
                       int what, int word)
{
  int extent[3];
  perp_grid_extent(t, domain, extent);
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++)
      for (int m = 0; m < extent[0]; m++) {
        const double value = body(t, m, j, k);
        if (what == MAX && t->words)
          keep_most(&t->words[word], fabs(value));
        if (what == COUNT && t->words)
          t->words[word] += (uint64_t)value;
      }
}

#define MARCH(name, domain, what, word)                                                            \
  static double march_##name(const perp_grid_task *t, int m, int j, int k)                         \
  {                                                                                                \
    return perp_fine_##name(t, m, j, k, t->top.mode, t->g.axes == 3);                              \
  }
PERP_GRID_MARCH_OPS(MARCH)
#undef MARCH

static void sum_up(const perp_grid_task *t, bool faces)
{
  perp_grid_sums sums = {0, 0};
  perp_grid_task own = *t;
  for (own.colour = 0; own.colour < (faces ? 1 : 2); own.colour++) {
    int extent[3];
    perp_grid_extent(t, faces ? PERP_OVER_CELLS : PERP_OVER_COLOUR, extent);
    for (int k = 0; k < extent[2]; k++)
      for (int j = 0; j < extent[1]; j++)
        for (int m = 0; m < extent[0]; m++) {
          const perp_grid_sums one =
              faces ? perp_cell_faces(&own, m, j, k) : perp_fine_line(&own, m, j, k);
          sums.slope += one.slope;
          sums.bend += one.bend;
        }
  }
  memcpy(&t->words[PERP_WORD_SLOPE], &sums.slope, sizeof sums.slope);
  memcpy(&t->words[PERP_WORD_BEND], &sums.bend, sizeof sums.bend);
}

static void tail(perp_grid_op op, const perp_grid_task *t)
{
  perp_grid_task tasks[PERP_TAIL_TASKS];
  perp_grid_tail(perp_team_alone, op, t, tasks);
}

static void run(int op, const void *task)
{
  const perp_grid_task *t = task;
  switch ((perp_grid_op)op) {
#define CASE(name, domain, what, word)                                                             \
  case PERP_GRID_##name:                                                                           \
    over_cells(t, perp_op_##name, domain, what, word);                                             \
    break;
    PERP_GRID_FINE_OPS(CASE)
    PERP_GRID_COARSE_OPS(CASE)
#undef CASE
#define CASE(name, domain, what, word)                                                             \
  case PERP_GRID_##name:                                                                           \
    over_cells(t, march_##name, domain, what, word);                                               \
    break;
    PERP_GRID_MARCH_OPS(CASE)
#undef CASE
  case PERP_GRID_sweep:
    over_cells(t, perp_op_sweep, PERP_OVER_PAIRS, NONE, 0);
    break;
  case PERP_GRID_tail_cycle:
  case PERP_GRID_tail_follow:
  case PERP_GRID_tail_start:
    tail((perp_grid_op)op, t);
    break;
  case PERP_GRID_fill:
    memset(t->bytes, t->value, (size_t)t->count);
    break;
  case PERP_GRID_faces:
  case PERP_GRID_line:
    sum_up(t, op == PERP_GRID_faces);
    break;
  case PERP_GRID_OPS:
    break;
  }
}

const perp_kernel perp_kernel_grid = {.title = "a kernel of a grid", .run = run};
