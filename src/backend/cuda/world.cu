/* world.cu: contact worlds on a GPU: a warp for each, or a block for large ones
 *
 * A world stays in shared memory from its first sweep to its last, so shared memory limits the
 * number of worlds that a multiprocessor processes at once. A sweep waits for barriers and for
 * chains of sums, not for memory. */
#include "backend/cuda/device.h"
#include "method/splitting/world/kernel/solve.h"

namespace
{

template <int LANES, int WIDTH, int KIND>
__global__ void __launch_bounds__(LANES)
    world_kernel(const __grid_constant__ perp_world_job job, int first)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x);
  t.lanes = LANES;
  t.columns = t.rows = t.row = t.column = 0;
  t.scratch = scratch;
  const int at = first + static_cast<int>(blockIdx.x);
  perp_world_one(t, &job, job.order ? job.order[at] : at, WIDTH, KIND, memory);
}

template <int LANES, int WIDTH, int KIND>
cudaError_t launch(cuda_device *d, const perp_world_job *job, int first, int count)
{
  const auto kernel = world_kernel<LANES, WIDTH, KIND>;
  const size_t bytes = perp_world_bytes(job);
  const cudaError_t error = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error)
    return error;
  kernel<<<static_cast<unsigned>(count), LANES, bytes, perp_cuda_stream(d)>>>(*job, first);
  return cudaGetLastError();
}

template <int WIDTH, int KIND>
cudaError_t launch_lanes(cuda_device *d, const perp_world_job *job, int first, int count)
{
  return job->n <= 256 ? launch<32, WIDTH, KIND>(d, job, first, count)
                       : launch<128, WIDTH, KIND>(d, job, first, count);
}

template <int WIDTH>
cudaError_t launch_width(cuda_device *d, const perp_world_job *job, int first, int count)
{
  const int kind = perp_world_kind(job);
  return kind == PERP_WORLD_CONES    ? launch_lanes<WIDTH, PERP_WORLD_CONES>(d, job, first, count)
         : kind == PERP_WORLD_SINGLE ? launch_lanes<WIDTH, PERP_WORLD_SINGLE>(d, job, first, count)
                                     : launch_lanes<WIDTH, PERP_WORLD_BOUNDS>(d, job, first, count);
}

} // namespace

static cudaError_t run_worlds(cuda_device *d, const perp_launch *l)
{
  const perp_world_job *job = static_cast<const perp_world_job *>(l->task);
  return perp_world_width(job->freedom) == 6 ? launch_width<6>(d, job, l->first, l->count)
                                             : launch_width<4>(d, job, l->first, l->count);
}

const perp_cuda_kernel perp_cuda_worlds = {&perp_kernel_worlds, run_worlds};
