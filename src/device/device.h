/* device.h: devices: their memory, and kernels that are launched on them
 *
 * A kind of device is a table of functions (host.c here, the others below src/backend). Only
 * src/backend/registry.c names a kind, and no file here names a method. Whoever has a kernel defines
 *
 *   const perp_kernel perp_kernel_NAME            with what the device "host" runs
 *   static const perp_rooms rooms = {ROOMS, 0};   for memory that stays with the device
 *
 * beside the method or the operator that the kernel belongs to, and calls perp_device_launch. For
 * GPUs src/backend/cuda compiles the same text and adds a line to the table of kernels in
 * backend/cuda/cuda.cu. The header is read by C and by C++. */
#pragma once

#include <perp/device.h>

typedef struct perp_device_table perp_device_table;

/* ---- Kernels ---- */

typedef struct perp_launch {
  int op;           /* one of the kernel's own list; 0 if it has one operation */
  const void *task; /* the struct that the kernel takes; a GPU copies it */
  /* of batches: the problems first .. first + count - 1, and the threads of the CPU for them */
  int first, count, threads;
} perp_launch;

typedef struct perp_kernel {
  const char *title; /* for messages */
  /* What the device "host" does: all of an operation, or, for batches, problem k by a team of one
   * lane with `bytes` of memory. */
  void (*run)(int op, const void *task);
  void (*problem)(const void *task, int k, double *memory);
  size_t (*problem_bytes)(const void *task);
} perp_kernel;

/* ---- Memory ---- */

/* The rooms of one user of a device: blocks that only grow and stay with the device, which the user
 * names by an enumeration of its own. Its address is the key. */
typedef struct perp_rooms {
  int count;
  size_t state; /* bytes of a struct of the user's on the CPU, zero at first */
} perp_rooms;

typedef struct perp_device_block {
  void *block;
  size_t bytes;
} perp_device_block;

/* The rooms of one user on one device. */
typedef struct perp_device_rooms perp_device_rooms;

/* Arrays that stay on a device for an owner, which has a pointer to this; a device that is closed
 * frees its placements. */
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
  perp_device_rooms *rooms;
  perp_placement *placements;
};

struct perp_device_table {
  const char *kind; /* "cuda" */
  /* device number `index` of the kind */
  perp_error (*open)(int index, perp_device **device, perp_message *why);
  void (*close)(perp_device *device);                     /* its rooms are empty */
  void *(*allocate)(perp_device *device, size_t bytes);   /* NULL: there is no such memory */
  void (*release)(perp_device *device, void *block);      /* */
  bool (*reads)(perp_device *device, const void *memory); /* true if its kernels can read this */
  bool (*shows)(perp_device *device, const void *memory); /* true if the CPU can */
  perp_error (*copy_in)(perp_device *device, void *to, const void *from, size_t bytes,
                        perp_message *why);
  perp_error (*copy_out)(perp_device *device, void *to, const void *from, size_t bytes,
                         perp_message *why);
  /* Queues a kernel after those before; copies wait for it. */
  perp_error (*launch)(perp_device *device, const perp_kernel *kernel, const perp_launch *launch,
                       perp_message *why);
  /* A sequence of kernels that is recorded once and then played as a whole: if the one of this key
   * is known, it is queued and *known is true; otherwise the kernels that follow are recorded, up to
   * record_end, which queues them. NULL: kernels run at once. */
  perp_error (*record)(perp_device *device, uint64_t key, bool *known, perp_message *why);
  perp_error (*record_end)(perp_device *device, uint64_t key, perp_message *why);
};

extern const perp_device_table perp_device_host;

static inline perp_error perp_device_launch(perp_device *device, const perp_kernel *kernel, int op,
                                            const void *task, perp_message *why)
{
  const perp_launch launch = {op, task, 0, 0, 1};
  return device->table->launch(device, kernel, &launch, why);
}

static inline perp_error perp_device_launch_batch(perp_device *device, const perp_kernel *kernel,
                                                  const void *job, int first, int count,
                                                  int threads, perp_message *why)
{
  const perp_launch launch = {0, job, first, count, threads};
  return device->table->launch(device, kernel, &launch, why);
}

/* Frees all rooms and placements. */
void perp_device_empty(perp_device *device);

/* A room of at least so many bytes, whose content may be lost if it grows; NULL if out of memory. */
void *perp_device_room(perp_device *device, const perp_rooms *of, int room, size_t bytes);
/* The struct of `of->state` bytes that stays with the device; NULL if out of memory. */
void *perp_device_state(perp_device *device, const perp_rooms *of);

/* An array where the device's kernels can read it: itself, or a copy in its room. NULL stays
 * NULL. */
typedef struct perp_placing {
  int room;
  const void *array;
  size_t bytes;
  const void **there;
} perp_placing;
perp_error perp_device_place(perp_device *device, const perp_rooms *of, int count,
                             const perp_placing *inputs, perp_message *why);

/* Copies of all arrays that are not NULL, for *owner, which is NULL before. */
perp_error perp_placement_create(perp_device *device, int count, const perp_placing *inputs,
                                 uint64_t values, perp_placement **owner, perp_message *why);
void perp_placement_destroy(perp_placement **owner); /* NULL after; nothing if it is NULL */

/* As perp_device_place for an array that kernels write to: with what it holds if `filled`. */
perp_error perp_device_place_result(perp_device *device, const perp_rooms *of, int room,
                                    void *array, size_t bytes, bool filled, void **there,
                                    perp_message *why);
/* Copies back to `array`, unless the kernels wrote to it. */
perp_error perp_device_fetch(perp_device *device, void *array, const void *there, size_t bytes,
                             perp_message *why);
