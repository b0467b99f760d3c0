/* device_grid.h: mg's grid on a device
 *
 * Kernels are queued one after another; the CPU waits once per cycle, for the few words that decide
 * how to continue. */
#pragma once

#include "method/multilevel/grid/grid.h"

/* The hierarchy of the last solve on a device: kept for the next one with the same operator, its
 * memory for any other. */
typedef struct perp_kept_grids {
  uint64_t values; /* the generation of the operator; 0: nothing is kept */
  int count;
  double unit; /* its largest diagonal entry */
  int set;     /* the perp_grid_set of the block of grid 0 */
  perp_grid level[PERP_GRIDS_MOST];
} perp_kept_grids;

/* Memory on the device; each grid has its own block. */
enum { ROOM_B, ROOM_LO, ROOM_HI, ROOM_X, ROOM_Y, ROOM_FINE, ROOM_SMALL, ROOM_GRIDS };
extern const perp_rooms perp_mg_device_rooms;

typedef struct perp_mg_device {
  perp_mg_place base; /* first: a perp_mg_place is its own address */
  perp_device *device;
  const perp_stencil *s;
  perp_relaxer relaxer;
  perp_grid_task task; /* with the data shared by all kernels */
  perp_grid_plan plan;
  perp_kept_grids *kept; /* of the device */
  perp_grid *level;      /* plan.count of them: of `kept` */
  uint8_t *flags;        /* of all grids, one after another, and their number */
  int64_t flag_count;
  double residual; /* at the last restriction; 0 before */
  bool stale;      /* the words belong to an earlier kernel */
} perp_mg_device;

/* Keeps the first failure, with its message. */
void perp_mg_device_note(perp_mg_device *t, perp_error error, const perp_message *why);
/* Queues a kernel on grid `level`; nothing after a failure. With `words` its number is kept. */
void perp_mg_device_do(perp_mg_device *t, int op, int level, int colour, int set, bool words);
void perp_mg_device_fill(perp_mg_device *t, void *bytes, int64_t count, uint8_t value);
/* Waits for the kernels so far and returns their words; clears them for the next ones. */
void perp_mg_device_words(perp_mg_device *t, uint64_t words[PERP_WORDS]);
double perp_mg_device_number(uint64_t word);

/* ---- device_hierarchy.c ---- */

/* Opens the hierarchy, and the problem at x; t->s is NULL if A is not a grid. */
perp_error perp_mg_device_open(perp_mg_device *t, double *x, bool whole);

/* Builds all grids after changes of grid 0. */
void perp_mg_device_follow(perp_mg_device *t);
