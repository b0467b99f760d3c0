/* blockpivot.cu: block principal pivoting on a GPU
 *
 * One team of lanes solves one problem, with its factor in shared memory: a warp for few rows, a
 * block of several warps for more. The first kernel solves all symmetric problems with factors of
 * the usual size and marks the others; two more kernels solve those, with larger factors. All
 * their blocks run at once, and each looks at its share of the marks, so that the host need not
 * wait to know if there are any. They are launched while the kernel before runs. */
#include "backend/cuda/blocks.h"
#include "method/pivoting/blockpivot_kernel.h"

namespace
{

/* Teams of LANES lanes; a block has enough teams for BLOCK threads, and RESIDENT blocks should fit
 * into a multiprocessor at once. */
template <int LANES, int COLUMNS, int BLOCK, int RESIDENT, bool PLAIN>
__global__ void __launch_bounds__(BLOCK, RESIDENT)
    pivot_kernel(const __grid_constant__ perp_job job, int first, int count, int room, int bytes)
{
  extern __shared__ char memory[];
  __shared__ int64_t scratch[LANES / 32];
  constexpr int teams = BLOCK / LANES;
  const int team = static_cast<int>(threadIdx.x) / LANES;
  const int k = static_cast<int>(blockIdx.x) * teams + team;
  perp_team_await();
  if (k < count)
    perp_pivot_one(team_of<LANES, COLUMNS>(scratch), &job, first + k, PERP_JOB_NOT_RUN, room, true,
                   PLAIN, reinterpret_cast<double *>(memory + team * bytes));
}

/* Solves the problems in the state `left`. */
template <int LANES, bool SYMMETRIC>
__global__ void __launch_bounds__(LANES, 4)
    rest_kernel(const __grid_constant__ perp_job job, int first, int count, int left, int room)
{
  extern __shared__ char memory[];
  __shared__ int64_t scratch[LANES / 32];
  const perp_team t = team_of<LANES, 8>(scratch);
  perp_team_await();
  for_marked(
      t, count, [&](int k) { return job.end[first + k].state == left; },
      [&](int k) {
        perp_pivot_one(t, &job, first + k, left, room, SYMMETRIC, false,
                       reinterpret_cast<double *>(memory));
      });
}

int rows_of(const perp_job *job)
{
  return job->n < PERP_JOB_ROWS ? job->n : PERP_JOB_ROWS;
}

template <int LANES, int COLUMNS, int BLOCK, int RESIDENT, bool PLAIN>
cudaError_t launch(cuda_device *d, const perp_job *job, int first, int count)
{
  constexpr int teams = BLOCK / LANES;
  const int rows = rows_of(job), usual = perp_pivot_room(job->n),
            room = usual < rows ? usual : rows;
  const size_t bytes = (perp_pivot_bytes(rows, room, true) + 15) / 16 * 16;
  return launch_blocks(d, (count + teams - 1) / teams, BLOCK, teams * bytes,
                       pivot_kernel<LANES, COLUMNS, BLOCK, RESIDENT, PLAIN>, *job, first, count,
                       room, static_cast<int>(bytes));
}

/* The number of lanes is the fastest measured on an H200. */
template <bool PLAIN>
cudaError_t launch_usual(cuda_device *d, const perp_job *job, int first, int count)
{
  if (job->n <= 32)
    return launch<32, 4, 32, 32, PLAIN>(d, job, first, count);
  if (job->n <= 64)
    return launch<64, 8, 64, 14, PLAIN>(d, job, first, count);
  return launch<128, 8, 128, 8, PLAIN>(d, job, first, count);
}

template <int LANES, bool SYMMETRIC>
cudaError_t launch_rest(cuda_device *d, const perp_job *job, int first, int count, int left)
{
  const auto kernel = rest_kernel<LANES, SYMMETRIC>;
  const int rows = rows_of(job);
  const size_t bytes = perp_pivot_bytes(rows, rows, SYMMETRIC);
  const cudaError_t error = allow_memory(kernel, bytes);
  if (error)
    return error;
  perp_cuda_start(d, perp_cuda_stream(d), blocks_for(d, count, 4), LANES, bytes, kernel, *job, first, count, left,
                  rows);
  return cudaGetLastError();
}

cudaError_t launch_job(cuda_device *d, const perp_launch *l)
{
  const perp_job *job = static_cast<const perp_job *>(l->task);
  cudaError_t error = !job->lo && !job->hi ? launch_usual<true>(d, job, l->first, l->count)
                                           : launch_usual<false>(d, job, l->first, l->count);
  if (!error && perp_pivot_room(job->n) < rows_of(job))
    error = job->n <= 64 ? launch_rest<64, true>(d, job, l->first, l->count, PERP_JOB_CROWDED)
                         : launch_rest<128, true>(d, job, l->first, l->count, PERP_JOB_CROWDED);
  return error ? error : launch_rest<64, false>(d, job, l->first, l->count, PERP_JOB_SKEW);
}

} // namespace

const perp_cuda_kernel perp_cuda_blockpivot = {&perp_kernel_blockpivot, launch_job};
