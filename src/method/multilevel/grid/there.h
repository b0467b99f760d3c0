/* there.h: mg's grid on a device
 *
 * Kernels are queued one after another; the processor waits only for the few words that decide how to
 * go on, once in a cycle. */
#pragma once

#include "device/device.h"
#include "method/multilevel/grid/place.h"

typedef struct perp_there {
  perp_mg_place base; /* first: a perp_mg_place is its own address */
  perp_device *device;
  const perp_stencil *s;
  perp_relaxer relaxer;
  perp_grid_task task; /* with what all kernels share */
  perp_grid_plan plan;
  perp_cells *level; /* plan.count of them: of device->grids */
  uint8_t *flags;    /* of all grids, one after another, and their number */
  int64_t flag_count;
  double residual; /* as last restricted; 0 before */
  bool stale;      /* the words are those of a kernel before */
} perp_there;

/* The first failure stays, with its message. */
void perp_there_note(perp_there *t, perp_error error, const perp_message *why);
/* Queues a kernel on grid `level`; after a failure nothing more. With `words` its number is kept. */
void perp_there_do(perp_there *t, perp_grid_op op, int level, int colour, int set, bool words);
void perp_there_fill(perp_there *t, void *bytes, int64_t count, uint8_t value);
/* The words of the kernels so far, which are done; 0 again for the next ones. */
void perp_there_words(perp_there *t, uint64_t words[PERP_WORDS]);
double perp_there_number(uint64_t word);

/* ---- there_open.c ---- */

/* The hierarchy, and the problem at x; t->s is NULL if A is no grid. */
perp_error perp_there_open(perp_there *t, double *x, bool whole);

/* ---- there_flow.c ---- */

void perp_there_cycle(perp_there *t);
void perp_there_follow(perp_there *t); /* after changes of grid 0 */
void perp_there_start(perp_there *t);  /* from the load of grid 1 on */
