/* perp/device.h: devices to run a solve on
 *
 *   perp_device *device = NULL;
 *   if (perp_device_create("cuda:0", &device, &why)) ... // no driver, no GPU: an error that says so
 *   options.device = device;
 *   perp_batch_solve(solver, &batch, &options, x, each, &whole);
 *   perp_device_destroy(device);
 *
 * Without a device in its options a solve runs on the CPU. With one it runs on that device or returns
 * an error, and never falls back to the CPU: PERP_ERROR_UNSUPPORTED if the method does not run on
 * devices, PERP_ERROR_BACKEND if the device fails.
 *
 * The device "host" runs the GPU kernels on the CPU, for tests and for machines without a GPU. */
#ifndef PERP_DEVICE_H
#define PERP_DEVICE_H

#include <perp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device owns a stream and the memory for the arrays of a solve. It keeps that memory: from the second
 * solve of the same shape on, nothing is allocated. Use a device from one thread at a time. */
typedef struct perp_device perp_device;

/* name: "host"; "cuda:0" or "cuda" for the first GPU, "cuda:1" for the second, ... Returns
 * PERP_ERROR_ARGUMENT for an unknown kind of device, PERP_ERROR_BACKEND if this library was built
 * without that kind, or if the driver or the GPU is missing. */
PERP_API perp_error perp_device_create(const char *name, perp_device **device, perp_message *why);
/* Call it after the last solve on the device; may be NULL. */
PERP_API void perp_device_destroy(perp_device *device);

typedef struct perp_device_info {
  size_t size;           /* set by the call below */
  const char *name;      /* "cuda:0" */
  const char *title;     /* "NVIDIA H200" */
  int64_t processors;    /* multiprocessors of a GPU; 1 on the host */
  int64_t memory;        /* bytes; 0: not known */
  int64_t taken;         /* bytes currently kept for solves */
  int64_t uploaded;      /* bytes copied to the device since it was created */
  int64_t downloaded;    /* bytes copied from it */
  double kernel_seconds; /* kernel time since it was created, by the device's clock */
} perp_device_info;

PERP_API void perp_device_facts_sized(const perp_device *device, perp_device_info *info,
                                      size_t size);

/* Returns facts about a device; the name is NULL if device is NULL. The texts live as long as the
 * device. */
static inline perp_device_info perp_device_facts(const perp_device *device)
{
  perp_device_info info;
  perp_device_facts_sized(device, &info, sizeof info);
  return info;
}

/* Where the residual of the verdict is computed. PERP_JUDGE_HOST, the default: on the CPU, with A as
 * the caller gave it; vectors that are only on the device are copied back. PERP_JUDGE_DEVICE: by a
 * kernel, for batches and grids, which also sums y = A x + b in twice the precision. Vectors then stay
 * on the device, an observer sees no x, and result.y is NULL: y goes to options.y. "Solved" means the
 * same in both cases. */
typedef enum perp_judge_place { PERP_JUDGE_HOST, PERP_JUDGE_DEVICE } perp_judge_place;

PERP_API void perp_device_set_judge(perp_device *device, perp_judge_place place);

/* The precision of the iterations on the device; PERP_PRECISION_DOUBLE by default.
 * PERP_PRECISION_SINGLE is for devices with slow double precision, or to fit more into the memory of a
 * multiprocessor; the iterates are refined with residuals in double, and the verdict is in double as
 * always. It is available for batches of contact worlds by the method `coloured` with a given omega, and
 * by `bgs` (omega 0 is 1.4); omega moves towards 1 in a world that makes no progress. Everything else
 * returns PERP_ERROR_UNSUPPORTED. */
typedef enum perp_precision { PERP_PRECISION_DOUBLE, PERP_PRECISION_SINGLE } perp_precision;

PERP_API void perp_device_set_precision(perp_device *device, perp_precision precision);

/* Allocates device memory, for arrays that stay on the device between solves: A, b, lo, hi and x of a
 * batch, and b, lo, hi, x and options.y of a solve by mg, may be in device memory or in CPU memory.
 * Kernels check such arrays for numbers that are not finite and for empty boxes. Free the memory before
 * the device is destroyed. */
PERP_API perp_error perp_device_alloc(perp_device *device, size_t bytes, void **block,
                                      perp_message *why);
PERP_API void perp_device_free(perp_device *device, void *block);
PERP_API perp_error perp_device_upload(perp_device *device, void *to, const void *from,
                                       size_t bytes, perp_message *why);
PERP_API perp_error perp_device_download(perp_device *device, void *to, const void *from,
                                         size_t bytes, perp_message *why);

/* Sets the stream on which perp_batch_queue queues its kernels. For a CUDA device it is a cudaStream_t,
 * such as cudaStreamLegacy, (void *)1, the default stream of CUDA; NULL: the device's own stream. Every
 * other call on the device first waits, on the device, for the work queued on this stream, and has
 * finished when it returns. Returns PERP_ERROR_ARGUMENT if CUDA refuses the stream or if no memory can be
 * read at its address. A stream that was destroyed, and an address of other data, cannot be told from a
 * stream: CUDA may end the process. The device "host" has no streams and takes only NULL. */
PERP_API perp_error perp_device_set_stream(perp_device *device, void *stream, perp_message *why);
/* Waits for the kernels that were queued on the stream that was set last. */
PERP_API perp_error perp_device_wait(perp_device *device, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
