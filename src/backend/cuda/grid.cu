/* grid.cu: the kernels of grids (method/multilevel/grid/kernel) and of the unknowns of a problem
 * (method/run/device_problem_kernel.h) on a GPU: a thread for each cell, or for two of them
 *
 * Blocks are along rows, so that a warp reads consecutive memory. Maxima are compared by their
 * bits, with a read before each atomic operation; sums have one order, block by block. */
#include "backend/cuda/device.h"

#include "method/multilevel/grid/kernel/flow.h"
#include "method/run/device_problem_kernel.h"

#include <utility>

namespace
{

enum { BLOCK = 256, TAIL_LANES = 1024, MOST = 65535 };
enum { FEW_CELLS = 64 * 64 * 64 }; /* largest grid that is built by groups of lanes */

/* ---- The operation on a cell, and the reduction of its result ---- */

template <int OP, int MODE = 0, int SET = 0, bool SOLID = false> struct grid_body {
  using task = perp_grid_task;
  static constexpr int keep = perp_grid_way_of(OP).keep;
  static __device__ __forceinline__ double at(const task &t, int m, int j, int k)
  {
    return perp_grid_at(OP, &t, m, j, k, MODE, SET, SOLID);
  }
  static __device__ __forceinline__ uint64_t *word(const task &t)
  {
    return t.words ? t.words + perp_grid_way_of(OP).word : nullptr;
  }
};

template <int OP> struct rows_body {
  using task = perp_rows_task;
  static constexpr int keep = OP < PERP_ROWS_WRONG ? PERP_KEEP_MOST : PERP_KEEP_COUNT;
  static __device__ __forceinline__ double at(const task &t, int m, int j, int k)
  {
    return perp_rows_at(OP, &t, m, j, k);
  }
  static __device__ __forceinline__ uint64_t *word(const task &t)
  {
    return t.word;
  }
};

/* A group of lanes builds a cell. */
struct group_body : grid_body<PERP_GRID_BUILD> {
  static __device__ __forceinline__ double at(const perp_grid_task &t, int m, int j, int k)
  {
    perp_cell_build(&t, m / PERP_GROUP, j, k, m % PERP_GROUP, PERP_GROUP);
    return 0;
  }
};

struct shape {
  dim3 block, grid;
};

/* Launches a kernel whose blocks start while the last blocks of the previous kernel still run,
 * which hides the launch latency. Each begins with perp_team_await; it ends only after the previous
 * one, so one link is enough. */
template <class... TAKEN, class... GIVEN>
void start(cuda_device *d, const shape &s, void (*kernel)(TAKEN...), GIVEN... given)
{
  perp_cuda_start(d, d->stream, s.grid, s.block, 0, kernel, given...);
}

__device__ __forceinline__ void keep_most(uint64_t *word, double value)
{
  auto bits = static_cast<unsigned long long>(__double_as_longlong(fabs(value)));
  for (int step = 16; step > 0; step /= 2) {
    const unsigned long long other = __shfl_xor_sync(PERP_ALL_LANES, bits, step);
    bits = other > bits ? other : bits;
  }
  auto *to = reinterpret_cast<unsigned long long *>(word);
  if ((threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0 &&
      bits > *const_cast<volatile unsigned long long *>(to))
    atomicMax(to, bits);
}

template <class BODY>
__device__ __forceinline__ void over_cells(const typename BODY::task &t, int nx, int ny, int nz)
{
  const int m = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double most = 0;
  unsigned count = 0;
  perp_team_await();
  for (int k = static_cast<int>(blockIdx.z); k < nz; k += static_cast<int>(gridDim.z))
    for (int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); j < ny && m < nx;
         j += static_cast<int>(gridDim.y * blockDim.y)) {
      const double value = fabs(BODY::at(t, m, j, k));
      if (BODY::keep == PERP_KEEP_MOST)
        most = perp_value_most(value, most);
      if (BODY::keep == PERP_KEEP_COUNT)
        count += static_cast<unsigned>(value);
    }
  uint64_t *word = BODY::keep == PERP_KEEP_NOTHING ? nullptr : BODY::word(t);
  if (BODY::keep == PERP_KEEP_MOST && word)
    keep_most(word, most);
  if (BODY::keep == PERP_KEEP_COUNT && word) {
    count = __reduce_add_sync(PERP_ALL_LANES, count);
    if ((threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0 && count > 0)
      atomicAdd(reinterpret_cast<unsigned long long *>(word), count);
  }
}

template <class BODY>
__global__ void __launch_bounds__(BLOCK)
    cell_kernel(const __grid_constant__ typename BODY::task t, int nx, int ny, int nz)
{
  over_cells<BODY>(t, nx, ny, nz);
}

/* Three blocks to a multiprocessor: without this bound a lane uses half as many registers again. */
__global__ void __launch_bounds__(BLOCK, 3)
    group_kernel(const __grid_constant__ perp_grid_task t, int nx, int ny, int nz)
{
  over_cells<group_body>(t, nx, ny, nz);
}

/* Returns a grid of blocks over (nx, ny, nz): enough for several on each multiprocessor, whose
 * threads then process several rows and planes. */
shape shape_over(const int extent[3])
{
  unsigned x = 8;
  while (x < static_cast<unsigned>(extent[0]) && x < 128)
    x *= 2;
  const unsigned y = BLOCK / x;
  const auto blocks = [](int count, unsigned each) {
    return (static_cast<unsigned>(count) + each - 1) / each;
  };
  const unsigned along = blocks(extent[0], x), all = blocks(extent[1], y);
  const unsigned most = along < MOST ? MOST / along : 1, rows = all < most ? all : most;
  const unsigned room = MOST / (along * rows) + 1, planes = static_cast<unsigned>(extent[2]);
  return {dim3(x, y), dim3(along, rows, planes < room ? planes : room)};
}

template <class BODY>
void launch_cells(cuda_device *d, const typename BODY::task &t, const int extent[3])
{
  start(d, shape_over(extent), cell_kernel<BODY>, t, extent[0], extent[1], extent[2]);
}

/* ---- Kernels of grid 0 that process several planes ---- */

template <int OP, int MODE, bool SOLID>
void launch_march(cuda_device *d, const perp_grid_task &t, const int extent[3])
{
  if (OP != PERP_GRID_SWEEP || t.top.set == PERP_GRID_LINEAR)
    launch_cells<grid_body<OP, MODE, PERP_GRID_LINEAR, SOLID>>(d, t, extent);
  else if constexpr (OP == PERP_GRID_SWEEP) {
    if (t.top.set == PERP_GRID_PLAIN)
      launch_cells<grid_body<OP, MODE, PERP_GRID_PLAIN, SOLID>>(d, t, extent);
    else
      launch_cells<grid_body<OP, MODE, PERP_GRID_BOX, SOLID>>(d, t, extent);
  }
}

template <int OP, int MODE>
void launch_march_in(cuda_device *d, const perp_grid_task &t, const int extent[3])
{
  if (t.g.axes == 3)
    launch_march<OP, MODE, true>(d, t, extent);
  else
    launch_march<OP, MODE, false>(d, t, extent);
}

/* ---- Kernels over cells ---- */

template <int OP> void launch_op(cuda_device *d, const perp_grid_task &t)
{
  int extent[3];
  perp_grid_extent(&t, perp_grid_way_of(OP).domain, extent);
  if constexpr (OP == PERP_GRID_NATURAL || OP == PERP_GRID_PREPARE || OP == PERP_GRID_SWEEP) {
    if (t.top.mode == PERP_CELLS_UNIFORM)
      launch_march_in<OP, PERP_CELLS_UNIFORM>(d, t, extent);
    else if (t.top.mode == PERP_CELLS_DIAGONAL)
      launch_march_in<OP, PERP_CELLS_DIAGONAL>(d, t, extent);
    else
      launch_march_in<OP, PERP_CELLS_WEIGHTED>(d, t, extent);
  } else if (OP == PERP_GRID_BUILD &&
             static_cast<int64_t>(extent[0]) * extent[1] * extent[2] <= FEW_CELLS) {
    /* A small grid has too few cells to hide the latency of eight dependent loads per lane. A large
     * one has enough other work, and groups of lanes would add to it. */
    extent[0] *= PERP_GROUP;
    start(d, shape_over(extent), group_kernel, t, extent[0], extent[1], extent[2]);
  } else {
    launch_cells<grid_body<OP>>(d, t, extent);
  }
}

template <int... OP>
void launch_cell_op(cuda_device *d, int op, const perp_grid_task &t,
                    std::integer_sequence<int, OP...>)
{
  static constexpr void (*launch[])(cuda_device *, const perp_grid_task &) = {launch_op<OP>...};
  launch[op](d, t);
}

/* ---- Kernels over unknowns ---- */

template <int... OP>
void launch_rows_op(cuda_device *d, int op, const perp_rows_task &t, const int extent[3],
                    std::integer_sequence<int, OP...>)
{
  static constexpr void (*launch[])(cuda_device *, const perp_rows_task &,
                                    const int[3]) = {launch_cells<rows_body<OP>>...};
  launch[op](d, t, extent);
}

cudaError_t launch_rows(cuda_device *d, const perp_launch *l)
{
  const perp_rows_task &t = *static_cast<const perp_rows_task *>(l->task);
  int extent[3];
  perp_rows_extent(&t, l->op, extent);
  cudaMemsetAsync(t.word, 0, sizeof *t.word, d->stream);
  launch_rows_op(d, l->op, t, extent, std::make_integer_sequence<int, PERP_ROWS_OPS>());
  return cudaGetLastError();
}

/* ---- Sums ---- */

/* Returns the sum over a block, in one order; all threads must call it. */
__device__ perp_grid_sums block_sum(perp_grid_sums own)
{
  __shared__ perp_grid_sums part[BLOCK];
  part[threadIdx.x] = own;
  for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      part[threadIdx.x].slope += part[threadIdx.x + half].slope;
      part[threadIdx.x].bend += part[threadIdx.x + half].bend;
    }
  }
  __syncthreads();
  return part[0];
}

template <bool FACES>
__global__ void __launch_bounds__(BLOCK)
    sum_kernel(const __grid_constant__ perp_grid_task given, int nx, int ny, int nz)
{
  perp_grid_task t = given;
  const int64_t plane = static_cast<int64_t>(nx) * ny, all = plane * nz * (FACES ? 1 : 2);
  perp_grid_sums own = {0, 0};
  perp_team_await();
  for (int64_t c = static_cast<int64_t>(blockIdx.x) * BLOCK + threadIdx.x; c < all;
       c += static_cast<int64_t>(gridDim.x) * BLOCK) {
    const int k = static_cast<int>(c / plane % nz), j = static_cast<int>(c / nx % ny);
    const int m = static_cast<int>(c % nx);
    t.colour = static_cast<int>(c / plane / nz);
    const perp_grid_sums one = FACES ? perp_cell_faces(&t, m, j, k) : perp_fine_line(&t, m, j, k);
    own.slope += one.slope;
    own.bend += one.bend;
  }
  own = block_sum(own);
  if (threadIdx.x == 0) {
    t.partial[2 * blockIdx.x] = own.slope;
    t.partial[2 * blockIdx.x + 1] = own.bend;
  }
}

__global__ void __launch_bounds__(BLOCK)
    total_kernel(const double *partial, int count, uint64_t *words)
{
  perp_grid_sums own = {0, 0};
  perp_team_await();
  for (int q = static_cast<int>(threadIdx.x); q < count; q += BLOCK) {
    own.slope += partial[2 * q];
    own.bend += partial[2 * q + 1];
  }
  own = block_sum(own);
  if (threadIdx.x == 0) {
    words[PERP_WORD_SLOPE] = static_cast<uint64_t>(__double_as_longlong(own.slope));
    words[PERP_WORD_BEND] = static_cast<uint64_t>(__double_as_longlong(own.bend));
  }
}

template <bool FACES> void launch_sums(cuda_device *d, const perp_grid_task &t)
{
  int extent[3];
  perp_grid_extent(&t, FACES ? PERP_OVER_CELLS : PERP_OVER_COLOUR, extent);
  const int64_t all = static_cast<int64_t>(extent[0]) * extent[1] * extent[2];
  const int64_t wanted = (all + BLOCK - 1) / BLOCK;
  const int64_t most = PERP_PARTIAL;
  const int blocks = static_cast<int>(wanted < most ? wanted : most);
  start(d, {dim3(BLOCK), dim3(static_cast<unsigned>(blocks))}, sum_kernel<FACES>, t, extent[0],
        extent[1], extent[2]);
  start(d, {dim3(BLOCK), dim3(1)}, total_kernel, t.partial, blocks, t.words);
}

/* ---- The tail ---- */

template <int OP>
__global__ void __launch_bounds__(TAIL_LANES)
    tail_kernel(const __grid_constant__ perp_grid_task task)
{
  __shared__ __align__(16) char memory[PERP_TAIL_TASKS * sizeof(perp_grid_task)];
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x);
  t.lanes = TAIL_LANES;
  t.columns = t.rows = t.row = t.column = 0;
  t.scratch = nullptr;
  perp_team_await();
  perp_grid_tail(t, OP, &task, reinterpret_cast<perp_grid_task *>(memory));
}

template <int OP> void launch_tail(cuda_device *d, const perp_grid_task &t)
{
  start(d, {dim3(TAIL_LANES), dim3(1)}, tail_kernel<OP>, t);
}

cudaError_t launch(cuda_device *d, const perp_launch *l)
{
  const perp_grid_task &t = *static_cast<const perp_grid_task *>(l->task);
  switch (l->op) {
  case PERP_GRID_TAIL_CYCLE:
    launch_tail<PERP_GRID_TAIL_CYCLE>(d, t);
    break;
  case PERP_GRID_TAIL_FOLLOW:
    launch_tail<PERP_GRID_TAIL_FOLLOW>(d, t);
    break;
  case PERP_GRID_TAIL_START:
    launch_tail<PERP_GRID_TAIL_START>(d, t);
    break;
  case PERP_GRID_FILL:
    cudaMemsetAsync(t.bytes, t.value, static_cast<size_t>(t.count), d->stream);
    break;
  case PERP_GRID_FACES:
    launch_sums<true>(d, t);
    break;
  case PERP_GRID_LINE:
    launch_sums<false>(d, t);
    break;
  default:
    launch_cell_op(d, l->op, t, std::make_integer_sequence<int, PERP_GRID_CELL_OPS>());
  }
  return cudaGetLastError();
}

} // namespace

const perp_cuda_kernel perp_cuda_grid = {&perp_kernel_grid, launch};
const perp_cuda_kernel perp_cuda_rows = {&perp_kernel_rows, launch_rows};
