/* vjp.cu: gradients of a batch on a GPU: a block for each problem, with its matrix in shared memory
 *
 * Four blocks share a multiprocessor if the matrix of the unknowns is small enough. Larger ones are
 * marked in `error` and left to kernels with two blocks on a multiprocessor, with one, and with
 * matrices in device memory. */
#include "backend/cuda/blocks.h"
#include "model/derivative/vjp_kernel.h"

namespace
{

/* The passes: a problem that does not fit into pass k gets the mark -(k + 1). */
constexpr struct {
  size_t bytes; /* of shared memory for a block */
  int each;     /* blocks on a multiprocessor */
} passes[] = {{55 * 1024, 4}, {112 * 1024, 2}, {PERP_SHARED_MOST, 1}};
constexpr int PASSES = 3;

template <int LANES, int COLUMNS>
__global__ void __launch_bounds__(LANES)
    vjp_kernel(const __grid_constant__ perp_vjp_job job, int first, int room)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  perp_vjp_one(team_of<LANES, COLUMNS>(scratch), &job, first + static_cast<int>(blockIdx.x), room,
               -1, memory + room * (room | 1), memory);
}

/* The problems with this mark. */
template <int LANES, int COLUMNS>
__global__ void __launch_bounds__(LANES) rest_kernel(const __grid_constant__ perp_vjp_job job,
                                                     int first, int count, double mark, int room)
{
  extern __shared__ __align__(16) double memory[];
  __shared__ int64_t scratch[LANES / 32];
  const perp_team t = team_of<LANES, COLUMNS>(scratch);
  const int64_t numbers = static_cast<int64_t>(room) * (room | 1);
  double *matrix = job.matrices ? job.matrices + static_cast<int>(blockIdx.x) * numbers : memory;
  double *vectors = job.matrices ? memory : memory + numbers;
  for_marked(
      t, count, [&](int k) { return job.error[first + k] == mark; },
      [&](int k) { perp_vjp_one(t, &job, first + k, room, mark - 1, vectors, matrix); });
}

size_t bytes_for(const perp_vjp_job *job, int room)
{
  return perp_vjp_matrix(room) * sizeof(double) + perp_vjp_bytes(job);
}

template <int LANES, int COLUMNS>
cudaError_t launch(cuda_device *d, const perp_vjp_job *job, int first, int count, int room)
{
  const auto kernel = vjp_kernel<LANES, COLUMNS>;
  const size_t bytes = bytes_for(job, room);
  const cudaError_t error = allow_memory(kernel, bytes);
  if (error)
    return error;
  kernel<<<static_cast<unsigned>(count), LANES, bytes, perp_cuda_stream(d)>>>(*job, first, room);
  return cudaGetLastError();
}

template <int LANES>
cudaError_t launch_rest(cuda_device *d, const perp_vjp_job *job, const perp_launch *l, int mark,
                        int room, unsigned blocks)
{
  const auto kernel = rest_kernel<LANES, 16>;
  const size_t bytes = job->matrices ? perp_vjp_bytes(job) : bytes_for(job, room);
  const cudaError_t error = allow_memory(kernel, bytes);
  if (error)
    return error;
  kernel<<<blocks, LANES, bytes, perp_cuda_stream(d)>>>(*job, l->first, l->count, mark, room);
  return cudaGetLastError();
}

const perp_rooms rooms = {1, 0};

cudaError_t run(cuda_device *d, const perp_launch *l)
{
  perp_vjp_job job = *static_cast<const perp_vjp_job *>(l->task);
  const size_t vectors = perp_vjp_bytes(&job);
  int room = matrix_room(job.n, vectors, passes[0].bytes);
  cudaError_t error = job.n <= 32 ? launch<32, 8>(d, &job, l->first, l->count, room)
                                  : launch<128, 16>(d, &job, l->first, l->count, room);
  for (int p = 1; p < PASSES && !error && room < job.n; p++) {
    const unsigned blocks = blocks_for(d, l->count, passes[p].each);
    room = matrix_room(job.n, vectors, passes[p].bytes);
    error = passes[p].each > 1 ? launch_rest<256>(d, &job, l, -p, room, blocks)
                               : launch_rest<512>(d, &job, l, -p, room, blocks);
  }
  if (error || room >= job.n)
    return error;
  const unsigned blocks = blocks_for(d, l->count, 1);
  job.matrices = static_cast<double *>(
      perp_device_room(&d->device, &rooms, 0, blocks * perp_vjp_matrix(job.n) * sizeof(double)));
  return job.matrices ? launch_rest<512>(d, &job, l, -PASSES, job.n, blocks)
                      : cudaErrorMemoryAllocation;
}

} // namespace

const perp_cuda_kernel perp_cuda_vjp = {&perp_kernel_vjp, run};
