/* world.cu: contact worlds on a GPU: a warp for each, or a block for large ones; and the Newton steps
 * for those that sweeps leave unsolved, by as many blocks as run at once
 *
 * A world stays in shared memory from its first sweep to its last, so shared memory limits the
 * number of worlds that a multiprocessor processes at once. A sweep waits for barriers and for
 * chains of sums, not for memory. */
#include "backend/cuda/device.h"
#include "method/splitting/world/kernel/finish.h"
#include "method/splitting/world/kernel/solve.h"

namespace
{

template <int LANES, int WIDTH, int KIND>
__global__ void __launch_bounds__(LANES)
    world_kernel(const __grid_constant__ perp_world_job job, int first, int left)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x);
  t.lanes = LANES;
  t.columns = t.rows = t.row = t.column = 0;
  t.scratch = scratch;
  const int at = first + static_cast<int>(blockIdx.x);
  perp_world_one(t, &job, job.order ? job.order[at] : at, left, WIDTH, KIND, memory);
}

template <int LANES, int WIDTH, int KIND>
cudaError_t launch(cuda_device *d, const perp_world_job *job, int first, int count, int left)
{
  const auto kernel = world_kernel<LANES, WIDTH, KIND>;
  const size_t bytes = perp_world_bytes(job);
  const cudaError_t error = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error)
    return error;
  kernel<<<static_cast<unsigned>(count), LANES, bytes, perp_cuda_stream(d)>>>(*job, first, left);
  return cudaGetLastError();
}

template <int WIDTH, int KIND>
cudaError_t launch_lanes(cuda_device *d, const perp_world_job *job, int first, int count, int left)
{
  return job->n <= 256 ? launch<32, WIDTH, KIND>(d, job, first, count, left)
                       : launch<128, WIDTH, KIND>(d, job, first, count, left);
}

template <int WIDTH>
cudaError_t launch_width(cuda_device *d, const perp_world_job *job, int first, int count, int left)
{
  const int kind = perp_world_kind(job);
  return kind == PERP_WORLD_CONES
             ? launch_lanes<WIDTH, PERP_WORLD_CONES>(d, job, first, count, left)
         : kind == PERP_WORLD_SINGLE
             ? launch_lanes<WIDTH, PERP_WORLD_SINGLE>(d, job, first, count, left)
             : launch_lanes<WIDTH, PERP_WORLD_BOUNDS>(d, job, first, count, left);
}

cudaError_t launch_worlds(cuda_device *d, const perp_world_job *job, const perp_launch *l, int left)
{
  return perp_world_width(job->freedom) == 6 ? launch_width<6>(d, job, l->first, l->count, left)
                                             : launch_width<4>(d, job, l->first, l->count, left);
}

enum { FINISH = 256, SHARED_MOST = 225 * 1024 };

/* Newton steps; the worlds of this block are blockIdx, blockIdx + gridDim, ... */
__global__ void __launch_bounds__(FINISH)
    finish_kernel(const __grid_constant__ perp_world_job job, int first, int count, int room)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[FINISH / 32];
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x);
  t.lanes = FINISH;
  t.columns = 16;
  t.rows = FINISH / 16;
  t.row = t.lane / 16;
  t.column = t.lane % 16;
  t.scratch = scratch;
  const int blocks = static_cast<int>(gridDim.x);
  for (int begin = static_cast<int>(blockIdx.x); begin < count; begin += FINISH * blocks) {
    const int mine = begin + t.lane * blocks;
    if (perp_team_vote(t, mine < count && perp_world_is_left(&job, first + mine)).count == 0)
      continue;
    for (int k = begin; k < count && k < begin + FINISH * blocks; k += blocks) {
      const bool left = perp_world_is_left(&job, first + k);
      perp_team_sync(t); /* lane 0 writes the state next */
      if (left)
        perp_finish_one(t, &job, first + k, room, memory + room * (room | 1), memory);
      perp_team_sync(t);
    }
  }
}

cudaError_t launch_finish(cuda_device *d, const perp_world_job *job, const perp_launch *l)
{
  const size_t vectors = perp_finish_bytes(job);
  int room = job->n;
  while (room > 0 &&
         vectors + sizeof(double) * static_cast<size_t>(room) * static_cast<size_t>(room | 1) >
             SHARED_MOST)
    room--;
  const size_t bytes = vectors + sizeof(double) * static_cast<size_t>(room * (room | 1));
  const cudaError_t error = cudaFuncSetAttribute(
      finish_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error)
    return error;
  const int all = static_cast<int>(d->device.processors);
  finish_kernel<<<static_cast<unsigned>(l->count < all ? l->count : all), FINISH, bytes,
                  perp_cuda_stream(d)>>>(*job, l->first, l->count, room);
  return cudaGetLastError();
}

} // namespace

static cudaError_t run_worlds(cuda_device *d, const perp_launch *l)
{
  const perp_world_job *job = static_cast<const perp_world_job *>(l->task);
  cudaError_t error = launch_worlds(d, job, l, PERP_JOB_NOT_RUN);
  if (error || job->finish <= 0 || job->mu)
    return error;
  const perp_world_job judged = perp_world_judged(job);
  error = launch_finish(d, job, l);
  return error ? error : launch_worlds(d, &judged, l, PERP_JOB_FINISHED);
}

const perp_cuda_kernel perp_cuda_worlds = {&perp_kernel_worlds, run_worlds};
