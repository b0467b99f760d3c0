/* cuda.cu: GPUs of NVIDIA, by the runtime of CUDA, which is linked statically
 *
 * The library loads on machines without a driver: the runtime looks for it at the first call, which
 * is that of cuda_open. Every error becomes PERP_ERROR_BACKEND with the words of the runtime, and a
 * lack of memory PERP_ERROR_MEMORY.
 *
 * Pivoting. One team of lanes solves one problem, with its factor in shared memory: a warp for
 * few rows, a block of several warps for more. The first kernel does all symmetric problems and
 * marks the others; if it saw one, a second kernel does those, whose factors take twice the
 * memory. */
extern "C" {
#include "base/memory.h"
#include "base/message.h"
#include "device/job.h"
}
#include "backend/cuda/device.h"
#include "backend/cuda/team.h"

#include "device/pivot.h"

#include <cstdio>

extern "C" const perp_device_table perp_device_cuda;

namespace
{

void cuda_close(perp_device *device)
{
  cuda_device *d = of(device);
  cudaSetDevice(d->index);
  perp_cuda_forget(d);
  if (d->seen)
    cudaFreeHost(const_cast<int *>(d->seen));
  if (d->begin)
    cudaEventDestroy(d->begin);
  if (d->end)
    cudaEventDestroy(d->end);
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
    return perp_cuda_fail(why, nullptr, error, "no GPU can be used");
  if (index >= count)
    return perp_fail(why, PERP_ERROR_BACKEND, "there is no cuda:%d; this machine has %d", index,
                     count);
  cudaDeviceProp facts;
  if ((error = cudaSetDevice(index)) || (error = cudaGetDeviceProperties(&facts, index)))
    return perp_cuda_fail(why, nullptr, error, "the GPU does not answer");
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
  void *seen = nullptr;
  if ((error = cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking)) ||
      (error = cudaEventCreate(&d->begin)) || (error = cudaEventCreate(&d->end)) ||
      (error = cudaHostAlloc(&seen, 2 * sizeof *d->seen, cudaHostAllocMapped))) {
    cuda_close(&d->device);
    return perp_cuda_fail(why, nullptr, error, "no stream");
  }
  d->seen = static_cast<volatile int *>(seen);
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

cudaMemoryType type_of(const void *memory)
{
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
    cudaGetLastError();
    return cudaMemoryTypeUnregistered;
  }
  return attributes.type;
}

bool cuda_reads(perp_device *, const void *memory)
{
  const cudaMemoryType type = type_of(memory);
  return type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged;
}

bool cuda_shows(perp_device *, const void *memory)
{
  return type_of(memory) != cudaMemoryTypeDevice;
}

cudaError_t elapsed(cuda_device *d)
{
  float milliseconds = 0;
  const cudaError_t error = cudaEventElapsedTime(&milliseconds, d->begin, d->end);
  d->device.kernel_seconds += 1e-3 * static_cast<double>(milliseconds);
  return error;
}

perp_error cuda_copy(perp_device *device, void *to, const void *from, size_t bytes,
                     perp_message *why)
{
  cuda_device *d = of(device);
  cudaSetDevice(d->index);
  cudaError_t error = cudaSuccess;
  if (d->busy) /* kernels of grids: their time is counted */
    error = cudaEventRecord(d->end, d->stream);
  if (!error)
    error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, d->stream);
  if (!error)
    error = cudaStreamSynchronize(d->stream);
  if (!error && d->busy)
    error = elapsed(d);
  d->busy = false;
  return error ? perp_cuda_fail(why, device, error, "a copy failed") : PERP_OK;
}

/* ---- Pivoting ---- */

/* Teams of LANES lanes, COLUMNS of them along a row; a block has as many as fill BLOCK threads,
 * and RESIDENT blocks should fit into a multiprocessor at once. */
template <int LANES, int COLUMNS, int BLOCK, int RESIDENT, bool SYMMETRIC, bool PLAIN>
__global__ void __launch_bounds__(BLOCK, RESIDENT)
    pivot_kernel(const __grid_constant__ perp_job job, int first, int count, int left, int room,
                 int bytes, int *seen)
{
  extern __shared__ char memory[];
  __shared__ int64_t scratch[LANES / 32];
  constexpr int teams = BLOCK / LANES;
  const int team = static_cast<int>(threadIdx.x) / LANES;
  const int k = first + static_cast<int>(blockIdx.x) * teams + team;
  if (k >= first + count)
    return;
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x) % LANES;
  t.lanes = LANES;
  t.columns = COLUMNS;
  t.rows = LANES / COLUMNS;
  t.row = t.lane / COLUMNS;
  t.column = t.lane % COLUMNS;
  t.scratch = scratch;
  perp_pivot_one(t, &job, k, left, room, SYMMETRIC, PLAIN,
                 reinterpret_cast<double *>(memory + team * bytes));
  if (t.lane == 0 && job.end[k].state == PERP_JOB_SKEW)
    seen[0] = 1;
  if (t.lane == 0 && job.end[k].state == PERP_JOB_CROWDED)
    seen[1] = 1;
}

/* What one launch is for. */
struct task {
  int first, count;
  int left; /* the state of the problems that it does */
  int room; /* rows of a factor */
};

template <int LANES, int COLUMNS, int BLOCK, int RESIDENT, bool SYMMETRIC, bool PLAIN>
cudaError_t launch(cuda_device *d, const perp_job *job, task a)
{
  constexpr int teams = BLOCK / LANES;
  const auto kernel = pivot_kernel<LANES, COLUMNS, BLOCK, RESIDENT, SYMMETRIC, PLAIN>;
  const int rows = job->n < PERP_JOB_ROWS ? job->n : PERP_JOB_ROWS;
  const int room = a.room < rows ? a.room : rows;
  const int bytes = static_cast<int>((perp_pivot_bytes(rows, room, SYMMETRIC) + 15) / 16 * 16);
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, teams * bytes);
  if (error)
    return error;
  const unsigned blocks = static_cast<unsigned>((a.count + teams - 1) / teams);
  kernel<<<blocks, BLOCK, static_cast<size_t>(teams * bytes), d->stream>>>(
      *job, a.first, a.count, a.left, room, bytes, const_cast<int *>(d->seen));
  return cudaGetLastError();
}

/* The number of lanes is the best of those measured on an H200. */
template <bool PLAIN> cudaError_t launch_symmetric(cuda_device *d, const perp_job *job, task a)
{
  if (job->n <= 32)
    return launch<32, 4, 64, 16, true, PLAIN>(d, job, a);
  if (job->n <= 64)
    return launch<64, 8, 64, 14, true, PLAIN>(d, job, a);
  return launch<128, 8, 128, 8, true, PLAIN>(d, job, a);
}

/* Until the stream is done; its time is counted. */
cudaError_t finish(cuda_device *d)
{
  cudaError_t error = cudaEventRecord(d->end, d->stream);
  if (!error)
    error = cudaStreamSynchronize(d->stream);
  return error ? error : elapsed(d);
}

/* One launch, to its end. */
cudaError_t run(cuda_device *d, const perp_job *job, task a, bool symmetric)
{
  cudaError_t error = cudaEventRecord(d->begin, d->stream);
  if (!error)
    error = !symmetric             ? launch<64, 8, 64, 4, false, false>(d, job, a)
            : !job->lo && !job->hi ? launch_symmetric<true>(d, job, a)
                                   : launch_symmetric<false>(d, job, a);
  return error ? error : finish(d);
}

perp_error cuda_pivot(perp_device *device, const perp_job *job, int first, int count, int,
                      perp_message *why)
{
  cuda_device *d = of(device);
  d->seen[0] = 0;
  d->seen[1] = 0;
  cudaError_t error = cudaSetDevice(d->index);
  if (!error)
    error = run(d, job, {first, count, PERP_JOB_NOT_RUN, perp_pivot_room(job->n)}, true);
  if (!error && d->seen[1])
    error = run(d, job, {first, count, PERP_JOB_CROWDED, PERP_JOB_ROWS}, true);
  if (!error && d->seen[0])
    error = run(d, job, {first, count, PERP_JOB_SKEW, PERP_JOB_ROWS}, false);
  return error ? perp_cuda_fail(why, device, error, "pivoting failed") : PERP_OK;
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
    .pivot = cuda_pivot,
    .worlds = perp_cuda_worlds,
    .grid = perp_cuda_grid,
    .record = perp_cuda_record,
    .record_end = perp_cuda_record_end,
    .contacts = perp_cuda_contacts,
    .rigids = perp_cuda_rigids,
};
