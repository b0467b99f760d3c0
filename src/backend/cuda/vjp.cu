/* vjp.cu: gradients of a batch on a GPU: a block for each problem, with its matrix in shared memory
 *
 * Two blocks share a multiprocessor if the matrix of the unknowns is small enough. Larger ones are
 * marked in `error` and left to a kernel with one block on a multiprocessor, and the largest to one
 * with matrices in device memory; these have as many blocks as run at once. */
#include "backend/cuda/device.h"
#include "model/derivative/vjp_kernel.h"

namespace
{

enum { SHARED_MOST = 225 * 1024, SHARED_HALF = 112 * 1024 };
constexpr double LARGE = -1, LARGEST = -2; /* marks */

template <int LANES, int COLUMNS> __device__ __forceinline__ perp_team team_of(int64_t *scratch)
{
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x);
  t.lanes = LANES;
  t.columns = COLUMNS;
  t.rows = LANES / COLUMNS;
  t.row = t.lane / COLUMNS;
  t.column = t.lane % COLUMNS;
  t.scratch = scratch;
  return t;
}

template <int LANES, int COLUMNS>
__global__ void __launch_bounds__(LANES)
    vjp_kernel(const __grid_constant__ perp_vjp_job job, int first, int room)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  perp_vjp_one(team_of<LANES, COLUMNS>(scratch), &job, first + static_cast<int>(blockIdx.x), room,
               LARGE, memory + room * (room | 1), memory);
}

/* The problems with this mark; those of this block are blockIdx, blockIdx + gridDim, ... */
template <int LANES, int COLUMNS>
__global__ void __launch_bounds__(LANES) rest_kernel(const __grid_constant__ perp_vjp_job job,
                                                     int first, int count, double mark, int room)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  const perp_team t = team_of<LANES, COLUMNS>(scratch);
  const int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
  const int64_t numbers = static_cast<int64_t>(room) * (room | 1);
  double *matrix = job.matrices ? job.matrices + block * numbers : memory;
  for (int begin = block; begin < count; begin += LANES * blocks) {
    const int mine = begin + t.lane * blocks;
    if (perp_team_vote(t, mine < count && job.error[first + mine] == mark).count == 0)
      continue;
    for (int k = begin; k < count && k < begin + LANES * blocks; k += blocks) {
      if (job.error[first + k] == mark)
        perp_vjp_one(t, &job, first + k, room, LARGEST, job.matrices ? memory : memory + numbers,
                     matrix);
      perp_team_sync(t);
    }
  }
}

size_t bytes_for(const perp_vjp_job *job, int room)
{
  return perp_vjp_matrix(room) * sizeof(double) + perp_vjp_bytes(job);
}

/* Returns the most unknowns whose matrix fits with the vectors into `bytes`. */
int room_for(const perp_vjp_job *job, size_t bytes)
{
  int room = job->n;
  while (room > 0 && bytes_for(job, room) > bytes)
    room--;
  return room;
}

template <typename KERNEL> cudaError_t allow(KERNEL kernel, size_t bytes)
{
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
}

template <int LANES, int COLUMNS>
cudaError_t launch(cuda_device *d, const perp_vjp_job *job, int first, int count, int room)
{
  const auto kernel = vjp_kernel<LANES, COLUMNS>;
  const size_t bytes = bytes_for(job, room);
  const cudaError_t error = allow(kernel, bytes);
  if (error)
    return error;
  kernel<<<static_cast<unsigned>(count), LANES, bytes, perp_cuda_stream(d)>>>(*job, first, room);
  return cudaGetLastError();
}

cudaError_t launch_rest(cuda_device *d, const perp_vjp_job *job, int first, int count, double mark,
                        int room, unsigned blocks)
{
  const auto kernel = rest_kernel<128, 16>;
  const size_t bytes = job->matrices ? perp_vjp_bytes(job) : bytes_for(job, room);
  const cudaError_t error = allow(kernel, bytes);
  if (error)
    return error;
  kernel<<<blocks, 128, bytes, perp_cuda_stream(d)>>>(*job, first, count, mark, room);
  return cudaGetLastError();
}

const perp_rooms rooms = {1, 0};

cudaError_t run(cuda_device *d, const perp_launch *l)
{
  perp_vjp_job job = *static_cast<const perp_vjp_job *>(l->task);
  const int half = room_for(&job, SHARED_HALF), whole = room_for(&job, SHARED_MOST);
  const int all = static_cast<int>(d->device.processors);
  const unsigned blocks = static_cast<unsigned>(l->count < all ? l->count : all);
  cudaError_t error = job.n <= 32 ? launch<32, 8>(d, &job, l->first, l->count, half)
                                  : launch<128, 16>(d, &job, l->first, l->count, half);
  if (!error && job.n > half)
    error = launch_rest(d, &job, l->first, l->count, LARGE, whole, blocks);
  if (error || job.n <= whole)
    return error;
  job.matrices = static_cast<double *>(
      perp_device_room(&d->device, &rooms, 0, blocks * perp_vjp_matrix(job.n) * sizeof(double)));
  return job.matrices ? launch_rest(d, &job, l->first, l->count, LARGEST, job.n, blocks)
                      : cudaErrorMemoryAllocation;
}

} // namespace

const perp_cuda_kernel perp_cuda_vjp = {&perp_kernel_vjp, run};
