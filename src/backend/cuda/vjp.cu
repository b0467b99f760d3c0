/* vjp.cu: gradients of a batch on a GPU: a block for each problem, with its matrix in shared memory
 *
 * Four blocks share a multiprocessor if the matrix of the unknowns is small enough. Larger ones are
 * marked in `error` and left to kernels with three, two and one block on a multiprocessor, and with
 * matrices in the caller's device memory. Blocks of problems without the mark end at once. */
#include "backend/cuda/blocks.h"
#include "model/derivative/vjp_kernel.h"

namespace
{

/* The bytes of shared memory for a block in each pass: four, three, two and one on a
 * multiprocessor. A problem that does not fit into pass k gets the mark -(k + 1). */
constexpr size_t passes[] = {55 * 1024, 74 * 1024, 112 * 1024, PERP_VJP_SHARED};
constexpr int PASSES = 4, MOST_LANES = 512;

/* Computes the gradients of the problems with this mark; 0: of all problems. */
template <int LANES, int COLUMNS, int RESIDENT>
__global__ void __launch_bounds__(LANES, RESIDENT)
    vjp_kernel(const __grid_constant__ perp_vjp_job job, int first, double mark, int room)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  const int k = first + static_cast<int>(blockIdx.x);
  if (mark == 0 || job.to.error[k] == mark)
    perp_vjp_one(team_of<LANES, COLUMNS>(scratch), &job, k, room, mark - 1,
                 memory + room * (room | 1), memory);
}

/* Gradients with matrices in job.matrices, one for each block, instead of shared memory. */
__global__ void __launch_bounds__(MOST_LANES, 1)
    large_kernel(const __grid_constant__ perp_vjp_job job, int first, int count, double mark)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[MOST_LANES / 32];
  const perp_team t = team_of<MOST_LANES, 16>(scratch);
  double *matrix = static_cast<double *>(job.to.workspace) +
                   static_cast<int64_t>(blockIdx.x) * job.batch.n * (job.batch.n | 1);
  for_marked(
      t, count, [&](int k) { return job.to.error[first + k] == mark; },
      [&](int k) { perp_vjp_one(t, &job, first + k, job.batch.n, mark - 1, memory, matrix); });
}

template <int LANES, int COLUMNS, int RESIDENT>
cudaError_t launch(cuda_device *d, const perp_vjp_job *job, const perp_launch *l, int mark,
                   int room)
{
  const size_t bytes = perp_vjp_matrix(room) * sizeof(double) + perp_vjp_bytes(job);
  return launch_blocks(d, l->count, LANES, bytes, vjp_kernel<LANES, COLUMNS, RESIDENT>, *job,
                       l->first, mark, room);
}

cudaError_t run(cuda_device *d, const perp_launch *l)
{
  const perp_vjp_job job = *static_cast<const perp_vjp_job *>(l->task);
  const size_t vectors = perp_vjp_bytes(&job);
  int room = matrix_room(job.batch.n, vectors, passes[0]);
  /* the number of blocks that matrices and registers allow, with few spills or none */
  cudaError_t error = job.batch.n <= 32   ? launch<32, 8, 20>(d, &job, l, 0, room)
                      : job.batch.n <= 64 ? launch<128, 16, 6>(d, &job, l, 0, room)
                                    : launch<128, 16, 4>(d, &job, l, 0, room);
  for (int p = 1; p < PASSES && !error && room < job.batch.n; p++) {
    room = matrix_room(job.batch.n, vectors, passes[p]);
    error = p == 1   ? launch<128, 16, 3>(d, &job, l, -p, room)
            : p == 2 ? launch<256, 16, 2>(d, &job, l, -p, room)
                     : launch<MOST_LANES, 16, 1>(d, &job, l, -p, room);
  }
  if (error || !perp_vjp_is_large(&job))
    return error;
  const unsigned blocks = blocks_for(d, l->count, 1); /* perp_batch_vjp_bytes counts them */
  return launch_blocks(d, blocks, MOST_LANES, vectors, large_kernel, job, l->first, l->count,
                       -PASSES);
}

} // namespace

const perp_cuda_kernel perp_cuda_vjp = {&perp_kernel_vjp, run};
