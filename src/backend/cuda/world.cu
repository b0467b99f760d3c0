/* world.cu: contact worlds on a GPU: a warp for each, or a block for large ones
 *
 * A world stays in shared memory from its first sweep to its last, so shared memory limits the
 * number of worlds that a multiprocessor processes at once. A sweep waits for barriers and for
 * chains of sums, not for memory. */
#include "backend/cuda/blocks.h"
#include "method/splitting/world/kernel/solve.h"

namespace
{

template <int LANES, int WIDTH, int KIND>
__global__ void __launch_bounds__(LANES)
    world_kernel(const __grid_constant__ perp_world_job job, int first)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  const perp_team t = team_of<LANES, LANES>(scratch);
  const int at = first + static_cast<int>(blockIdx.x);
  perp_world_one(t, &job, job.order ? job.order[at] : at, WIDTH, KIND, memory);
}

template <int LANES, int WIDTH, int KIND>
cudaError_t launch(cuda_device *d, const perp_world_job *job, const perp_launch *l)
{
  return launch_blocks(d, l->count, LANES, perp_world_bytes(job), world_kernel<LANES, WIDTH, KIND>,
                       *job, l->first);
}

template <int WIDTH, int KIND>
cudaError_t launch_lanes(cuda_device *d, const perp_world_job *job, const perp_launch *l)
{
  return job->batch.n <= 256 ? launch<32, WIDTH, KIND>(d, job, l) : launch<128, WIDTH, KIND>(d, job, l);
}

template <int WIDTH>
cudaError_t launch_width(cuda_device *d, const perp_world_job *job, const perp_launch *l)
{
  const int kind = perp_world_kind(job);
  return kind == PERP_WORLD_CONES          ? launch_lanes<WIDTH, PERP_WORLD_CONES>(d, job, l)
         : kind == PERP_WORLD_SINGLE       ? launch_lanes<WIDTH, PERP_WORLD_SINGLE>(d, job, l)
         : kind == PERP_WORLD_SINGLE_CONES ? launch_lanes<WIDTH, PERP_WORLD_SINGLE_CONES>(d, job, l)
                                           : launch_lanes<WIDTH, PERP_WORLD_BOUNDS>(d, job, l);
}

enum { SORTERS = 1024 }; /* threads, and classes of iterations */

__device__ __forceinline__ int turn_of(const perp_world_job *job, int k)
{
  const int iterations = job->end[k].iterations;
  return iterations < 0 ? 0 : iterations < SORTERS ? SORTERS - 1 - iterations : 0;
}

/* job.sort <- the worlds in the order of descending iterations, by counting; equal ones in any order */
__global__ void __launch_bounds__(SORTERS)
    order_kernel(const __grid_constant__ perp_world_job job, int first, int count)
{
  __shared__ int start[SORTERS];
  const int me = static_cast<int>(threadIdx.x);
  start[me] = 0;
  __syncthreads();
  for (int k = me; k < count; k += SORTERS)
    atomicAdd(&start[turn_of(&job, first + k)], 1);
  __syncthreads();
  const int own = start[me];
  for (int step = 1; step < SORTERS; step *= 2) {
    const int before = me >= step ? start[me - step] : 0;
    __syncthreads();
    start[me] += before;
    __syncthreads();
  }
  const int begin = start[me] - own;
  __syncthreads();
  start[me] = begin;
  __syncthreads();
  for (int k = me; k < count; k += SORTERS)
    job.sort[first + atomicAdd(&start[turn_of(&job, first + k)], 1)] = first + k;
}

} // namespace

static cudaError_t run_worlds(cuda_device *d, const perp_launch *l)
{
  const perp_world_job *job = static_cast<const perp_world_job *>(l->task);
  perp_world_job sorted = *job;
  if (job->sort) {
    order_kernel<<<1, SORTERS, 0, perp_cuda_stream(d)>>>(*job, l->first, l->count);
    sorted.order = job->sort;
  }
  return perp_world_width(job->worlds.freedom) == 6 ? launch_width<6>(d, &sorted, l)
                                             : launch_width<4>(d, &sorted, l);
}

const perp_cuda_kernel perp_cuda_worlds = {&perp_kernel_worlds, run_worlds};
