/* perp/device.h: where a solve runs
 *
 *   perp_device *device = NULL;
 *   if (perp_device_create("cuda:0", &device, &why)) ... // no driver, no GPU: an error that says so
 *   options.device = device;
 *   perp_batch_solve(solver, &batch, &options, x, each, &whole);
 *   perp_device_destroy(device);
 *
 * Without a device in its options a solve runs on the processor. With one it runs there or is
 * refused: a method that is not for devices is PERP_ERROR_UNSUPPORTED, a device that fails is
 * PERP_ERROR_BACKEND, and nothing is moved to the processor instead.
 *
 * The device "host" runs the kernels of a GPU on this machine's processor, for tests and for
 * machines without a GPU. */
#ifndef PERP_DEVICE_H
#define PERP_DEVICE_H

#include <perp/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* It owns a stream and memory for the arrays of a solve, kept from solve to solve: from the
 * second of the same shape on nothing is allocated. One device serves one thread at a time. */
typedef struct perp_device perp_device;

/* "host"; "cuda:0" for the first GPU ("cuda" is the same), "cuda:1" for the second, ...
 * PERP_ERROR_ARGUMENT if there is no such kind of device, PERP_ERROR_BACKEND if this library was
 * built without it, or if there is no driver or no such GPU. */
PERP_API perp_error perp_device_create(const char *name, perp_device **device, perp_message *why);
/* After the last solve with it; may be NULL. */
PERP_API void perp_device_destroy(perp_device *device);

typedef struct perp_device_info {
  size_t size;           /* set by the call below */
  const char *name;      /* "cuda:0" */
  const char *title;     /* "NVIDIA H200" */
  int64_t processors;    /* multiprocessors of a GPU; 1 on the host */
  int64_t memory;        /* bytes; 0: not known */
  int64_t taken;         /* bytes that are kept for solves now */
  int64_t uploaded;      /* bytes copied to the device since it was created */
  int64_t downloaded;    /* and from it */
  double kernel_seconds; /* in which kernels ran since it was created, by the clock of the device */
} perp_device_info;

PERP_API void perp_device_facts_sized(const perp_device *device, perp_device_info *info,
                                      size_t size);

/* No name for NULL. The texts live as long as the device. */
static inline perp_device_info perp_device_facts(const perp_device *device)
{
  perp_device_info info;
  perp_device_facts_sized(device, &info, sizeof info);
  return info;
}

/* Who computes the residual that the verdict stands on. PERP_JUDGE_HOST, the default: the
 * library's own code on the processor, with A as the caller gave it; what lies on the device
 * alone is copied back for it. PERP_JUDGE_DEVICE: a kernel, which also sums up y = A x + b in
 * twice the precision, for batches and for grids; vectors then stay on the device, an observer sees no
 * x, and result.y is NULL: options.y gets y. What "solved" means is the same. */
typedef enum perp_judge_place { PERP_JUDGE_HOST, PERP_JUDGE_DEVICE } perp_judge_place;

PERP_API void perp_device_set_judge(perp_device *device, perp_judge_place place);

/* The precision in which methods iterate on the device. PERP_PRECISION_DOUBLE, the default.
 * PERP_PRECISION_SINGLE: in single, for devices with little double precision or to fit more into the
 * memory of a multiprocessor; the iterates are refined with residuals in double, and the verdict is
 * in double as ever. For batches of contact worlds by the method `coloured` with a given omega, which
 * is brought nearer to 1 in a world that makes no progress; everything else is refused with
 * PERP_ERROR_UNSUPPORTED. */
typedef enum perp_precision { PERP_PRECISION_DOUBLE, PERP_PRECISION_SINGLE } perp_precision;

PERP_API void perp_device_set_precision(perp_device *device, perp_precision precision);

/* Memory of the device, for arrays that stay there from solve to solve: A, b, lo, hi and x of a
 * batch, and b, lo, hi, x and options.y of a solve by mg, may be such memory, or the processor's. That
 * a number is not finite or a box empty is found by kernels. Free it before the device is destroyed. */
PERP_API perp_error perp_device_alloc(perp_device *device, size_t bytes, void **block,
                                      perp_message *why);
PERP_API void perp_device_free(perp_device *device, void *block);
PERP_API perp_error perp_device_upload(perp_device *device, void *to, const void *from,
                                       size_t bytes, perp_message *why);
PERP_API perp_error perp_device_download(perp_device *device, void *to, const void *from,
                                         size_t bytes, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
