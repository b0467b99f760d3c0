/* device.h: a GPU of NVIDIA, for the files of this folder */
#pragma once

extern "C" {
#include "base/message.h"
#include "device/device.h"
}

#include <cuda_runtime.h>

enum { PERP_CUDA_GRAPHS = 12 };

struct cuda_device {
  perp_device device; /* first: a perp_device is its own address */
  int index;
  int major; /* of the compute capability */
  cudaStream_t stream;
  cudaEvent_t begin, end;
  bool busy; /* kernels are queued since begin was recorded */
  volatile int
      *seen; /* the processor's memory: kernels say what is left for another, skew or crowded */
  struct {
    uint64_t key;
    cudaGraphExec_t graph;
  } graphs[PERP_CUDA_GRAPHS];
  int next_graph; /* to be replaced */
  bool recording;
};

static inline cuda_device *of(perp_device *device)
{
  return reinterpret_cast<cuda_device *>(device);
}

/* The words of the runtime; a lack of memory is PERP_ERROR_MEMORY. */
static inline perp_error perp_cuda_fail(perp_message *why, const perp_device *device,
                                        cudaError_t error, const char *what)
{
  cudaGetLastError(); /* it is told here */
  return perp_fail(why, error == cudaErrorMemoryAllocation ? PERP_ERROR_MEMORY : PERP_ERROR_BACKEND,
                   "%s: %s: %s", device ? device->name : "cuda", what, cudaGetErrorString(error));
}

/* ---- grid.cu ---- */

perp_error perp_cuda_grid(perp_device *device, perp_grid_op op, const perp_grid_task *task,
                          perp_message *why);
perp_error perp_cuda_record(perp_device *device, uint64_t key, bool *known, perp_message *why);
perp_error perp_cuda_record_end(perp_device *device, uint64_t key, perp_message *why);
void perp_cuda_forget(cuda_device *d); /* all sequences */

/* ---- contact.cu, world.cu ---- */

perp_error perp_cuda_contacts(perp_device *device, const perp_contacts *c, perp_message *why);
perp_error perp_cuda_rigids(perp_device *device, perp_rigids_op op, const perp_rigids *s,
                            perp_message *why);
perp_error perp_cuda_worlds(perp_device *device, const struct perp_world_job *job, int first,
                            int count, int threads, perp_message *why);
