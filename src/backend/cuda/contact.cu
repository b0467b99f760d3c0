/* contact.cu: contact sweeps on a GPU: a thread for each contact of a colour */
#include "backend/cuda/device.h"
#include "operator/contact/rigid_kernel.h"

namespace
{

enum { BLOCK = 128 };

/* Moves the bodies of a warp's contacts through shared memory: four lanes move the 64 bytes of a
 * body together. If each lane moved its own two bodies, every instruction would access 32 places of
 * memory, and the sweep would wait for the L1 cache, which serves one after another. */
enum { WARP = 32, PART_LANES = 4, BODIES = 2 * WARP, APART = PERP_RIGID_BODY + 2 };

__device__ __forceinline__ void copy_early(double *to, const double *from)
{
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}

__device__ __forceinline__ void gather(const perp_rigids &s, int first, int second, double *bodies)
{
  const int lane = static_cast<int>(threadIdx.x) % WARP, part = lane % PART_LANES;
#pragma unroll
  for (int k = 0; k < BODIES; k += WARP / PART_LANES) {
    const int slot = k + lane / PART_LANES;
    const int body = __shfl_sync(PERP_ALL_LANES, k < WARP ? first : second, slot % WARP);
    if (body >= 0)
      copy_early(bodies + slot * APART + 2 * part,
                 s.v + static_cast<int64_t>(body) * PERP_RIGID_BODY + 2 * part);
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
}

__device__ __forceinline__ void scatter(const perp_rigids &s, int first, int second,
                                        const double *bodies)
{
  const int lane = static_cast<int>(threadIdx.x) % WARP, part = lane % PART_LANES;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < BODIES; k += WARP / PART_LANES) {
    const int slot = k + lane / PART_LANES;
    const int body = __shfl_sync(PERP_ALL_LANES, k < WARP ? first : second, slot % WARP);
    if (body >= 0 && part < 3) {
      double two[2];
      perp_team_load_pair(bodies + slot * APART + 2 * part, two);
      perp_team_store_pair(s.v + static_cast<int64_t>(body) * PERP_RIGID_BODY + 2 * part, two);
    }
  }
}

/* Four blocks to a multiprocessor: with five, in 96 registers a thread, sweeps take longer. Cones
 * need more registers. x of a colour was written one sweep ago, so it is read early unless there is
 * only one colour. */
template <int PART, bool ROUND, bool COMPLIANT>
__global__ void __launch_bounds__(BLOCK, PART == PERP_RIGIDS_CONE ? 3 : 4)
    rigid_kernel(const __grid_constant__ perp_rigids s, int from, int to)
{
  __shared__ __align__(16) double memory[BLOCK / WARP][BODIES * APART];
  double *bodies = memory[threadIdx.x / WARP];
  const int lane = static_cast<int>(threadIdx.x) % WARP;
  const int c = from + static_cast<int>(blockIdx.x * BLOCK + threadIdx.x);
  const bool mine = c < to;
  perp_rigid_task task;
  task.a = task.b = -1;
  if (mine)
    perp_rigid_read(&s, c, PART, COMPLIANT, &task);
  const bool early = s.colours > 1;
  if (mine && early)
    perp_rigid_read_x(&s, c, &task);
  perp_team_await_turn();
  if (mine && !early)
    perp_rigid_read_x(&s, c, &task);
  gather(s, task.a, task.b, bodies);
  if (mine) {
    double A[PERP_RIGID_BODY], B[PERP_RIGID_BODY];
    perp_rigid_load(bodies + lane * APART, A);
    perp_rigid_load(bodies + (WARP + lane) * APART, B);
    perp_rigid_relax(&s, c, PART, ROUND, COMPLIANT, &task, A, B);
    perp_rigid_save(bodies + lane * APART, A);
    perp_rigid_save(bodies + (WARP + lane) * APART, B);
  }
  scatter(s, task.a, task.b, bodies);
}

template <int PART, bool ROUND>
__global__ void __launch_bounds__(BLOCK)
    renew_kernel(const __grid_constant__ perp_rigids s, int from, int to)
{
  const int c = from + static_cast<int>(blockIdx.x * BLOCK + threadIdx.x);
  if (c < to)
    perp_rigid_renew(&s, c, PART, ROUND);
}

__global__ void __launch_bounds__(BLOCK) stop_kernel(const __grid_constant__ perp_rigids s)
{
  const int k = static_cast<int>(blockIdx.x * BLOCK + threadIdx.x);
  if (k < s.bodies)
    perp_rigid_stop(&s, k);
}

/* PARTS blocks for any number of contacts, so that sums have one order. */
template <perp_rigids_op OP>
__global__ void __launch_bounds__(BLOCK) number_kernel(const __grid_constant__ perp_rigids s)
{
  __shared__ double part[BLOCK];
  double sum = 0;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x; i < 3 * s.pitch;
       i += static_cast<int64_t>(PERP_RIGIDS_PARTS) * BLOCK)
    sum += perp_rigid_number(&s, OP, i);
  if (OP != PERP_RIGIDS_STEP && OP != PERP_RIGIDS_DISTANCE)
    return;
  part[threadIdx.x] = sum;
  for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    s.part[blockIdx.x] = part[0];
}

using rigid_function = void (*)(perp_rigids, int, int);

template <int PART> rigid_function rigid_of(const perp_rigids *s, bool renew)
{
  if (renew)
    return s->inertia ? renew_kernel<PART, false> : renew_kernel<PART, true>;
  return s->inertia
             ? (s->compliant ? rigid_kernel<PART, false, true> : rigid_kernel<PART, false, false>)
             : (s->compliant ? rigid_kernel<PART, true, true> : rigid_kernel<PART, true, false>);
}

/* Launches the operations on the vectors and on the bodies that precede the contacts. */
cudaError_t launch_numbers(cuda_device *d, perp_rigids_op op, const perp_rigids *s)
{
  static void (*const kernels[])(perp_rigids) = {
      nullptr, /* SWEEP */
      number_kernel<PERP_RIGIDS_COPY>,
      number_kernel<PERP_RIGIDS_STEP>,
      number_kernel<PERP_RIGIDS_MARK>,
      number_kernel<PERP_RIGIDS_DISTANCE>,
      number_kernel<PERP_RIGIDS_BEGIN>,
      number_kernel<PERP_RIGIDS_RESTART>,
      number_kernel<PERP_RIGIDS_EXTRAPOLATE>,
      number_kernel<PERP_RIGIDS_AHEAD>,
  };
  const unsigned bodies = static_cast<unsigned>((s->bodies + BLOCK - 1) / BLOCK);
  if (kernels[op])
    kernels[op]<<<PERP_RIGIDS_PARTS, BLOCK, 0, d->stream>>>(*s);
  if (perp_rigids_renews(op))
    stop_kernel<<<bodies, BLOCK, 0, d->stream>>>(*s);
  return cudaGetLastError();
}

} // namespace

static cudaError_t run_rigids(cuda_device *d, const perp_launch *l)
{
  const perp_rigids *s = static_cast<const perp_rigids *>(l->task);
  const perp_rigids_op op = static_cast<perp_rigids_op>(l->op);
  cudaError_t error = launch_numbers(d, op, s);
  const bool renew = perp_rigids_renews(op);
  const rigid_function kernel =
      s->part_of_K == PERP_RIGIDS_BOX        ? rigid_of<PERP_RIGIDS_BOX>(s, renew)
      : s->part_of_K == PERP_RIGIDS_FRICTION ? rigid_of<PERP_RIGIDS_FRICTION>(s, renew)
      : s->part_of_K == PERP_RIGIDS_CONE     ? rigid_of<PERP_RIGIDS_CONE>(s, renew)
                                             : rigid_of<PERP_RIGIDS_PLAIN>(s, renew);
  const int colours = renew || op == PERP_RIGIDS_SWEEP ? s->colours : 0;
  for (int q = 0; q < colours && !error; q++)
    if (s->start[q + 1] > s->start[q]) { /* they wait in perp_team_await_turn */
      const int count = s->start[q + 1] - s->start[q];
      perp_cuda_start(d, d->stream, dim3(static_cast<unsigned>((count + BLOCK - 1) / BLOCK)),
                      dim3(BLOCK), 0, kernel, *s, s->start[q], s->start[q + 1]);
      error = cudaGetLastError();
    }
  return error;
}

const perp_cuda_kernel perp_cuda_rigids = {&perp_kernel_rigids, run_rigids};
