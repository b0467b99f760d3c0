/* device.h: an NVIDIA GPU, for the files of this folder */
#pragma once

extern "C" {
#include "base/message.h"
#include "device/device.h"
}

#include <cuda_runtime.h>

enum { PERP_CUDA_GRAPHS = 12 };

struct cuda_device {
  perp_device device; /* first member: a perp_device has the same address */
  int index;
  int major; /* of the compute capability */
  cudaStream_t stream;
  cudaStream_t caller; /* the caller's stream, or NULL */
  cudaEvent_t begin, end, ready;
  bool busy; /* kernels have been queued since begin was recorded */
  struct {
    uint64_t key;
    cudaGraphExec_t graph;
  } graphs[PERP_CUDA_GRAPHS];
  int next_graph; /* index of the next graph to replace */
  bool recording;
};

static inline cuda_device *of(perp_device *device)
{
  return reinterpret_cast<cuda_device *>(device);
}

/* Reports an error with the message of the runtime; a lack of memory is PERP_ERROR_MEMORY. */
static inline perp_error perp_cuda_fail(perp_message *why, const perp_device *device,
                                        cudaError_t error, const char *what)
{
  cudaGetLastError(); /* clears the error, which is reported here */
  return perp_fail(why, error == cudaErrorMemoryAllocation ? PERP_ERROR_MEMORY : PERP_ERROR_BACKEND,
                   "%s: %s: %s", device ? device->name : "cuda", what, cudaGetErrorString(error));
}

/* The stream of batches: the caller's if the batch is queued there. */
static inline cudaStream_t perp_cuda_stream(const cuda_device *d)
{
  return d->device.queued && d->caller ? d->caller : d->stream;
}

/* ---- cuda.cu: kernels and their time ---- */

/* To be called before kernels are queued; cuda_launch calls it. A copy waits for the kernels and
 * counts their time. */
cudaError_t perp_cuda_begin(cuda_device *d);

/* Launches a kernel that begins with perp_team_await, or perp_team_await_turn: its launch then takes no time after
 * the end of the kernel before. cudaGetLastError has the error. */
template <typename... TAKEN, typename... GIVEN>
void perp_cuda_start(const cuda_device *d, cudaStream_t stream, dim3 grid, dim3 block, size_t bytes,
                     void (*kernel)(TAKEN...), GIVEN... given)
{
  cudaLaunchConfig_t how = {};
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  how.gridDim = grid;
  how.blockDim = block;
  how.dynamicSmemBytes = bytes;
  how.stream = stream;
  how.attrs = &early;
  how.numAttrs = d->major < 9 ? 0 : 1;
  cudaLaunchKernelEx(&how, kernel, static_cast<TAKEN>(given)...);
}

/* ---- Kernels: what cuda_launch does for each ---- */

struct perp_cuda_kernel {
  const perp_kernel *kernel;
  cudaError_t (*launch)(cuda_device *d, const perp_launch *launch);
};

extern const perp_cuda_kernel perp_cuda_blockpivot, perp_cuda_grid, perp_cuda_rows,
    perp_cuda_rigids, perp_cuda_worlds, perp_cuda_vjp;
