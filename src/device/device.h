/* device.h: what a device is, for those who run kernels on it
 *
 * A kind of device is a table of functions (host.c here, the others below src/backend). Nobody but
 * src/backend/registry.c names a kind. Arrays of a solve lie in rooms: blocks that only grow and
 * stay with the device. The header is read by C and by C++. */
#pragma once

#include "device/contact/contacts.h"
#include "device/grid/cells.h"

#include <perp/device.h>

typedef struct perp_device_table perp_device_table;

/* One room for each array that may have to be copied. */
typedef enum perp_room {
  PERP_ROOM_A,
  PERP_ROOM_B,
  PERP_ROOM_LO,
  PERP_ROOM_HI,
  PERP_ROOM_X,
  PERP_ROOM_Y,
  PERP_ROOM_ROWS,
  PERP_ROOM_MATRIX,
  PERP_ROOM_END,
  PERP_ROOM_WORK,
  PERP_ROOM_GRIDS, /* a hierarchy of grids */
  PERP_ROOM_MASK,  /* and what a stencil operator has by cell */
  PERP_ROOM_DIAGONAL,
  PERP_ROOM_WX,
  PERP_ROOM_WY,
  PERP_ROOM_WZ,
  PERP_ROOM_NUMBERS, /* of contacts */
  PERP_ROOM_PLACE,
  PERP_ROOM_FINDEX,
  PERP_ROOM_VELOCITIES,
  PERP_ROOM_VECTORS, /* of apgd */
  PERP_ROOM_VERDICT, /* of a run whose vectors lie on the device */
  PERP_ROOM_START,
  PERP_ROOM_BEST,
  PERP_ROOM_WORDS,
  PERP_ROOM_ORDER, /* of contact worlds */
  PERP_ROOMS,
} perp_room;

/* Memory that only grows. */
typedef struct perp_device_block {
  void *block;
  size_t bytes;
} perp_device_block;

/* The hierarchy of the last solve on a grid: kept for the next one with the same operator, and its
 * memory for any other. */
typedef struct perp_device_grids {
  uint64_t values; /* the generation of the operator; 0: nothing is kept */
  int count;
  double unit; /* its greatest diagonal entry */
  int set;     /* the perp_grid_set for which `fine` was laid out */
  perp_cells level[PERP_GRIDS_MOST];
  perp_device_block memory[PERP_GRIDS_MOST], fine, small;
} perp_device_grids;

/* Arrays that stay on a device for an owner, which has a pointer to this; a device that is closed takes
 * its placements along. */
enum { PERP_PLACED_ARRAYS = 8 };
typedef struct perp_placement perp_placement;
struct perp_placement {
  perp_device *device;
  uint64_t values; /* the generation of the owner's numbers */
  void *block[PERP_PLACED_ARRAYS];
  size_t bytes;           /* of all blocks */
  perp_placement **owner; /* where the owner has its pointer */
  perp_placement *next;   /* of the device */
};

struct perp_device {
  const perp_device_table *table;
  char name[32], title[128];
  int64_t processors, memory, uploaded, downloaded;
  double kernel_seconds;
  perp_judge_place judge;
  perp_precision precision;
  perp_device_block room[PERP_ROOMS];
  perp_device_grids grids;
  perp_placement *placements;
};

struct perp_job;       /* job.h */
struct perp_world_job; /* world/world.h */

struct perp_device_table {
  const char *kind; /* "cuda" */
  /* device number `index` of the kind */
  perp_error (*open)(int index, perp_device **device, perp_message *why);
  void (*close)(perp_device *device);                     /* its rooms are empty */
  void *(*allocate)(perp_device *device, size_t bytes);   /* NULL: there is no such memory */
  void (*release)(perp_device *device, void *block);      /* */
  bool (*reads)(perp_device *device, const void *memory); /* whether its kernels can read this */
  bool (*shows)(perp_device *device, const void *memory); /* whether the processor can */
  perp_error (*copy_in)(perp_device *device, void *to, const void *from, size_t bytes,
                        perp_message *why);
  perp_error (*copy_out)(perp_device *device, void *to, const void *from, size_t bytes,
                         perp_message *why);
  /* Block principal pivoting (pivot.h) of the problems first .. first + count - 1, all of whose
   * arrays the device reads; they are done on return. */
  perp_error (*pivot)(perp_device *device, const struct perp_job *job, int first, int count,
                      int threads, perp_message *why);
  /* Sweeps over the contact worlds first .. first + count - 1, queued like a kernel of a grid. */
  perp_error (*worlds)(perp_device *device, const struct perp_world_job *job, int first, int count,
                       int threads, perp_message *why);
  /* A kernel of grid/cells.h, after those before; copies wait for it. */
  perp_error (*grid)(perp_device *device, perp_grid_op op, const perp_grid_task *task,
                     perp_message *why);
  /* A sequence of kernels that is recorded once and then played as a whole: if the one of this key
   * is known, it is queued and *known is true; otherwise the kernels that follow are recorded, up to
   * record_end, which queues them. NULL: kernels run at once. */
  perp_error (*record)(perp_device *device, uint64_t key, bool *known, perp_message *why);
  perp_error (*record_end)(perp_device *device, uint64_t key, perp_message *why);
  /* One sweep over contacts, colour by colour, queued like a kernel of a grid. */
  perp_error (*contacts)(perp_device *device, const perp_contacts *c, perp_message *why);
  perp_error (*rigids)(perp_device *device, perp_rigids_op op, const perp_rigids *s,
                       perp_message *why);
};

extern const perp_device_table perp_device_host;

/* At least so many bytes, not those that were there before; NULL if there is no memory. */
void *perp_device_grow(perp_device *device, perp_device_block *block, size_t bytes);
/* All blocks are given back. */
void perp_device_empty(perp_device *device);

/* At least so many bytes, not those that were there before; NULL if there is no memory. */
void *perp_device_room(perp_device *device, perp_room room, size_t bytes);

/* An array where the device's kernels can read it: itself, or a copy in its room. NULL stays
 * NULL. */
perp_error perp_device_place(perp_device *device, perp_room room, const void *array, size_t bytes,
                             const void **there, perp_message *why);

/* The same for several arrays. */
typedef struct perp_placing {
  perp_room room;
  const void *array;
  size_t bytes;
  const void **there;
} perp_placing;
perp_error perp_device_place_all(perp_device *device, int count, const perp_placing *inputs,
                                 perp_message *why);

/* Copies of all arrays that are not NULL, for *owner, which is NULL before. */
perp_error perp_placement_create(perp_device *device, int count, const perp_placing *inputs,
                                 uint64_t values, perp_placement **owner, perp_message *why);
void perp_placement_destroy(perp_placement **owner); /* NULL after; nothing if it is NULL */

/* As perp_device_place for an array that kernels write to: with what it holds if `filled`. */
perp_error perp_device_place_result(perp_device *device, perp_room room, void *array, size_t bytes,
                                    bool filled, void **there, perp_message *why);
/* Back to `array`, unless that is what was written to. */
perp_error perp_device_fetch(perp_device *device, void *array, const void *there, size_t bytes,
                             perp_message *why);
