/* cuda.cu: NVIDIA GPUs through the CUDA runtime, which is linked statically
 *
 * The library loads on machines without a driver: the runtime looks for it at the first call, in
 * cuda_open. Every error becomes PERP_ERROR_BACKEND with the message of the runtime, except a lack
 * of memory: PERP_ERROR_MEMORY. */
extern "C" {
#include "base/memory.h"
#include "base/message.h"
}
#include "backend/cuda/device.h"

#include <cerrno>
#include <cstdio>
#ifndef _WIN32
#include <unistd.h>
#endif

extern "C" const perp_device_table perp_device_cuda;

/* ---- The time of kernels ---- */

static cudaError_t count_seconds(cuda_device *d)
{
  float milliseconds = 0;
  const cudaError_t error = cudaEventElapsedTime(&milliseconds, d->begin, d->end);
  d->device.kernel_seconds += 1e-3 * static_cast<double>(milliseconds);
  return error;
}

/* Makes the device's stream wait for what the caller's holds. */
static cudaError_t await_caller(cuda_device *d)
{
  if (!d->caller || d->busy)
    return cudaSuccess;
  const cudaError_t error = cudaEventRecord(d->ready, d->caller);
  return error ? error : cudaStreamWaitEvent(d->stream, d->ready, 0);
}

cudaError_t perp_cuda_begin(cuda_device *d)
{
  cudaError_t error = cudaSetDevice(d->index);
  if (error || d->device.queued || d->busy)
    return error;
  error = await_caller(d);
  if (!error)
    error = cudaEventRecord(d->begin, d->stream);
  d->busy = true;
  return error;
}

namespace
{

void cuda_close(perp_device *device)
{
  cuda_device *d = of(device);
  cudaSetDevice(d->index);
  for (auto &place : d->graphs)
    if (place.graph)
      cudaGraphExecDestroy(place.graph);
  if (d->begin)
    cudaEventDestroy(d->begin);
  if (d->end)
    cudaEventDestroy(d->end);
  if (d->ready)
    cudaEventDestroy(d->ready);
  if (d->stream)
    cudaStreamDestroy(d->stream);
  perp_free(d);
}

perp_error cuda_open(int index, perp_device **device, perp_message *why)
{
  int count = 0, driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && !driver)
    return perp_fail(why, PERP_ERROR_BACKEND,
                     "cuda:%d cannot be used: no NVIDIA driver is installed", index);
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess)
    return perp_cuda_fail(why, nullptr, error, "no usable GPU");
  if (index >= count)
    return perp_fail(why, PERP_ERROR_BACKEND, "there is no cuda:%d; GPUs on this machine: %d",
                     index, count);
  cudaDeviceProp facts;
  if ((error = cudaSetDevice(index)) || (error = cudaGetDeviceProperties(&facts, index)))
    return perp_cuda_fail(why, nullptr, error, "the GPU does not respond");
  cuda_device *d = static_cast<cuda_device *>(perp_alloc_zero(1, sizeof *d));
  if (!d)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a device");
  d->device.table = &perp_device_cuda;
  d->device.processors = facts.multiProcessorCount;
  d->device.memory = static_cast<int64_t>(facts.totalGlobalMem);
  d->index = index;
  d->major = facts.major;
  snprintf(d->device.name, sizeof d->device.name, "cuda:%d", index);
  snprintf(d->device.title, sizeof d->device.title, "%.120s", facts.name);
  if ((error = cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking)) ||
      (error = cudaEventCreate(&d->begin)) || (error = cudaEventCreate(&d->end)) ||
      (error = cudaEventCreateWithFlags(&d->ready, cudaEventDisableTiming))) {
    cuda_close(&d->device);
    return perp_cuda_fail(why, nullptr, error, "cannot create a CUDA stream");
  }
  *device = &d->device;
  return PERP_OK;
}

void *cuda_allocate(perp_device *device, size_t bytes)
{
  void *block = nullptr;
  cudaSetDevice(of(device)->index);
  if (cudaMalloc(&block, bytes ? bytes : 1) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return block;
}

void cuda_release(perp_device *device, void *block)
{
  cudaSetDevice(of(device)->index);
  cudaFree(block);
}

cudaPointerAttributes attributes_of(const void *memory)
{
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess)
    cudaGetLastError();
  return attributes;
}

bool cuda_reads(perp_device *device, const void *memory)
{
  const cudaPointerAttributes a = attributes_of(memory);
  return a.type == cudaMemoryTypeManaged ||
         (a.type == cudaMemoryTypeDevice && a.device == of(device)->index);
}

bool cuda_shows(perp_device *, const void *memory)
{
  return attributes_of(memory).type != cudaMemoryTypeDevice;
}

/* Returns false if nothing can be read at the address: the driver would end the process. */
bool is_readable(const void *address)
{
#ifdef _WIN32
  return address != nullptr;
#else
  return access(static_cast<const char *>(address), F_OK) == 0 || errno != EFAULT;
#endif
}

perp_error cuda_set_stream(perp_device *device, void *stream, perp_message *why)
{
  cuda_device *d = of(device);
  const bool named = stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  if (stream && !named && !is_readable(stream)) {
    d->caller = nullptr;
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: %p is not a stream of this device",
                     device->name, stream);
  }
  cudaStreamCaptureStatus status; /* may be asked for while a graph is captured */
  cudaSetDevice(d->index);
  const cudaError_t error =
      stream ? cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status) : cudaSuccess;
  d->caller = error ? nullptr : static_cast<cudaStream_t>(stream);
  if (!error)
    return PERP_OK;
  perp_cuda_fail(why, device, error, "not a stream of this device");
  return PERP_ERROR_ARGUMENT;
}

perp_error cuda_wait(perp_device *device, perp_message *why)
{
  cuda_device *d = of(device);
  cudaSetDevice(d->index);
  const cudaError_t error = cudaStreamSynchronize(d->caller ? d->caller : d->stream);
  return error ? perp_cuda_fail(why, device, error, "the stream ended with an error") : PERP_OK;
}

perp_error cuda_copy(perp_device *device, void *to, const void *from, size_t bytes,
                     perp_message *why)
{
  cuda_device *d = of(device);
  cudaSetDevice(d->index);
  cudaError_t error = await_caller(d);
  if (!error && d->busy) /* counts the time of the kernels without the copy */
    error = cudaEventRecord(d->end, d->stream);
  if (!error)
    error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, d->stream);
  if (!error)
    error = cudaStreamSynchronize(d->stream);
  if (!error && d->busy)
    error = count_seconds(d);
  d->busy = false;
  return error ? perp_cuda_fail(why, device, error, "a copy between host and GPU failed") : PERP_OK;
}

/* ---- Kernels ---- */

const perp_cuda_kernel *const kernels[] = {&perp_cuda_blockpivot, &perp_cuda_grid,
                                           &perp_cuda_rows,       &perp_cuda_rigids,
                                           &perp_cuda_worlds,     &perp_cuda_vjp};

perp_error cuda_launch(perp_device *device, const perp_kernel *kernel, const perp_launch *launch,
                       perp_message *why)
{
  cuda_device *d = of(device);
  for (const perp_cuda_kernel *k : kernels)
    if (k->kernel == kernel) {
      cudaError_t error = perp_cuda_begin(d);
      if (!error)
        error = k->launch(d, launch);
      return error ? perp_cuda_fail(why, device, error, kernel->title) : PERP_OK;
    }
  return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s: this kernel is not compiled for CUDA",
                   kernel->title);
}

/* ---- Sequences of kernels ---- */

perp_error cuda_record(perp_device *device, uint64_t key, bool *known, perp_message *why)
{
  cuda_device *d = of(device);
  cudaError_t error = perp_cuda_begin(d);
  *known = false;
  for (int g = 0; g < PERP_CUDA_GRAPHS && !error && !*known; g++)
    if (d->graphs[g].graph && d->graphs[g].key == key) {
      error = cudaGraphLaunch(d->graphs[g].graph, d->stream);
      *known = true;
    }
  if (!error && !*known)
    error = cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal);
  return error ? perp_cuda_fail(why, device, error, "a CUDA graph failed") : PERP_OK;
}

perp_error cuda_record_end(perp_device *device, uint64_t key, perp_message *why)
{
  cuda_device *d = of(device);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  cudaError_t error = cudaStreamEndCapture(d->stream, &graph);
  if (!error)
    error = cudaGraphInstantiate(&made, graph, 0);
  if (graph)
    cudaGraphDestroy(graph);
  if (error)
    return perp_cuda_fail(why, device, error, "a CUDA graph cannot be recorded");
  auto &place = d->graphs[d->next_graph];
  d->next_graph = (d->next_graph + 1) % PERP_CUDA_GRAPHS;
  if (place.graph)
    cudaGraphExecDestroy(place.graph);
  place.graph = made;
  place.key = key;
  error = cudaGraphLaunch(made, d->stream);
  return error ? perp_cuda_fail(why, device, error, "a CUDA graph failed") : PERP_OK;
}

} // namespace

extern "C" const perp_device_table perp_device_cuda = {
    .kind = "cuda",
    .open = cuda_open,
    .close = cuda_close,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .reads = cuda_reads,
    .shows = cuda_shows,
    .copy_in = cuda_copy,
    .copy_out = cuda_copy,
    .launch = cuda_launch,
    .set_stream = cuda_set_stream,
    .wait = cuda_wait,
    .record = cuda_record,
    .record_end = cuda_record_end,
};
