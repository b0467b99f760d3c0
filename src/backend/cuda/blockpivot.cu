/* blockpivot.cu: block principal pivoting on a GPU
 *
 * One team of lanes solves one problem, with its factor in shared memory: a warp for few rows, a
 * block of several warps for more. The first kernel solves all symmetric problems and marks the
 * others; if there are any, a second kernel solves them, with factors of twice the size. */
#include "backend/cuda/device.h"

extern "C" {
#include "device/job.h"
}
#include "method/pivoting/blockpivot_kernel.h"

namespace
{

/* Teams of LANES lanes, COLUMNS of them along a row; a block has enough teams for BLOCK threads,
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

/* Parameters of one launch. */
struct task {
  int first, count;
  int left; /* state of the problems that it processes */
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

/* The number of lanes is the fastest measured on an H200. */
template <bool PLAIN> cudaError_t launch_symmetric(cuda_device *d, const perp_job *job, task a)
{
  if (job->n <= 32)
    return launch<32, 4, 64, 16, true, PLAIN>(d, job, a);
  if (job->n <= 64)
    return launch<64, 8, 64, 14, true, PLAIN>(d, job, a);
  return launch<128, 8, 128, 8, true, PLAIN>(d, job, a);
}

/* Runs one launch to its end. */
cudaError_t run(cuda_device *d, const perp_job *job, task a, bool symmetric)
{
  cudaError_t error = perp_cuda_begin(d);
  if (!error)
    error = !symmetric             ? launch<64, 8, 64, 4, false, false>(d, job, a)
            : !job->lo && !job->hi ? launch_symmetric<true>(d, job, a)
                                   : launch_symmetric<false>(d, job, a);
  return error ? error : perp_cuda_finish(d);
}

cudaError_t launch_job(cuda_device *d, const perp_launch *l)
{
  const perp_job *job = static_cast<const perp_job *>(l->task);
  d->seen[0] = 0;
  d->seen[1] = 0;
  cudaError_t error =
      run(d, job, {l->first, l->count, PERP_JOB_NOT_RUN, perp_pivot_room(job->n)}, true);
  if (!error && d->seen[1])
    error = run(d, job, {l->first, l->count, PERP_JOB_CROWDED, PERP_JOB_ROWS}, true);
  if (!error && d->seen[0])
    error = run(d, job, {l->first, l->count, PERP_JOB_SKEW, PERP_JOB_ROWS}, false);
  return error;
}

} // namespace

const perp_cuda_kernel perp_cuda_blockpivot = {&perp_kernel_blockpivot, launch_job};
