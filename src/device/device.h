/* device.h: devices: their memory, and the kernels launched on them
 *
 * A kind of device is a table of functions (host.c, and others in src/backend). Only
 * src/backend/registry.c names a kind, and no file here names a method. The owner of a kernel
 * defines
 *
 *   const perp_kernel perp_kernel_NAME            with what the device "host" runs
 *   static const perp_rooms rooms = {ROOMS, 0};   for memory that stays with the device
 *
 * in the folder of its method or operator, and calls perp_device_launch. For GPUs src/backend/cuda
 * compiles the same text and adds a line to the table of kernels in backend/cuda/cuda.cu. The
 * header is for C and C++. */
#pragma once

#include <perp/device.h>

typedef struct perp_device_table perp_device_table;

/* ---- Kernels ---- */

typedef struct perp_launch {
  int op;           /* an operation of the kernel's own list; 0 if it has only one */
  const void *task; /* the struct that the kernel reads; a GPU copies it */
  /* for batches: the problems first .. first + count - 1, and the CPU threads for them */
  int first, count, threads;
} perp_launch;

typedef struct perp_kernel {
  const char *title; /* for messages */
  /* The implementation for the device "host": a whole operation, or, for batches, problem k by a
   * team of one lane with `bytes` of memory. */
  void (*run)(int op, const void *task);
  void (*problem)(const void *task, int k, double *memory);
  size_t (*problem_bytes)(const void *task);
} perp_kernel;

/* ---- Memory ---- */

/* The rooms of one user of a device: blocks that only grow and stay with the device; the user
 * numbers them by an enumeration. Its address is the key. */
typedef struct perp_rooms {
  int count;
  size_t state; /* bytes of the user's struct in host memory, initially zero */
} perp_rooms;

typedef struct perp_device_block {
  void *block;
  size_t bytes;
} perp_device_block;

/* Memory of one user on one device. */
typedef struct perp_device_rooms perp_device_rooms;

/* Arrays that stay on a device for an owner, which has a pointer to this; closing a device frees
 * its placements. */
enum { PERP_PLACED_ARRAYS = 8 };
typedef struct perp_placement perp_placement;
struct perp_placement {
  perp_device *device;
  uint64_t values; /* the owner's value id */
  void *block[PERP_PLACED_ARRAYS];
  size_t bytes;           /* of all blocks */
  perp_placement **owner; /* address of the owner's pointer */
  perp_placement *next;   /* of the device */
};

struct perp_device {
  const perp_device_table *table;
  char name[32], title[128];
  int64_t processors, memory, uploaded, downloaded;
  double kernel_seconds;
  perp_judge_place judge;
  perp_precision precision;
  bool queued; /* kernels go to the caller's stream, and their time is not counted */
  perp_device_rooms *rooms;
  perp_placement *placements;
};

struct perp_device_table {
  const char *kind; /* "cuda" */
  /* device number `index` of the kind */
  perp_error (*open)(int index, perp_device **device, perp_message *why);
  void (*close)(perp_device *device);                     /* its rooms must be empty */
  void *(*allocate)(perp_device *device, size_t bytes);   /* NULL: out of memory */
  void (*release)(perp_device *device, void *block);      /* */
  bool (*reads)(perp_device *device, const void *memory); /* true if its kernels can read this */
  bool (*shows)(perp_device *device, const void *memory); /* true if the CPU can read this */
  perp_error (*copy_in)(perp_device *device, void *to, const void *from, size_t bytes,
                        perp_message *why);
  perp_error (*copy_out)(perp_device *device, void *to, const void *from, size_t bytes,
                         perp_message *why);
  /* Queues a kernel after earlier ones; copies wait for it. */
  perp_error (*launch)(perp_device *device, const perp_kernel *kernel, const perp_launch *launch,
                       perp_message *why);
  /* The stream of the caller, and the wait for it; NULL: the device has no streams. */
  perp_error (*set_stream)(perp_device *device, void *stream, perp_message *why);
  perp_error (*wait)(perp_device *device, perp_message *why);
  /* A sequence of kernels that is recorded once and then replayed: if the sequence of this key is
   * known, queues it and sets *known; otherwise records the kernels that follow, up to record_end,
   * which queues them. NULL: kernels run at once. */
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

/* Returns a room of at least `bytes` bytes, whose content may be lost if it grows; NULL when out of
 * memory. */
void *perp_device_room(perp_device *device, const perp_rooms *of, int room, size_t bytes);
/* Returns the struct of `of->state` bytes that stays with the device; NULL when out of memory. */
void *perp_device_state(perp_device *device, const perp_rooms *of);

/* An array that the device's kernels can read: itself, or a copy in its room. NULL stays NULL. */
typedef struct perp_placing {
  int room;
  const void *array;
  size_t bytes;
  const void **there;
} perp_placing;
perp_error perp_device_place(perp_device *device, const perp_rooms *of, int count,
                             const perp_placing *inputs, perp_message *why);

/* Copies all arrays that are not NULL, for *owner, which must be NULL. */
perp_error perp_placement_create(perp_device *device, int count, const perp_placing *inputs,
                                 uint64_t values, perp_placement **owner, perp_message *why);
void perp_placement_destroy(perp_placement **owner); /* sets it to NULL; does nothing if it is
                                                      * NULL */

/* perp_device_place for an array that kernels write; copies its content first if `filled`. */
perp_error perp_device_place_result(perp_device *device, const perp_rooms *of, int room,
                                    void *array, size_t bytes, bool filled, void **there,
                                    perp_message *why);
/* Copies back to `array`, unless the kernels wrote to it directly. */
perp_error perp_device_fetch(perp_device *device, void *array, const void *there, size_t bytes,
                             perp_message *why);
