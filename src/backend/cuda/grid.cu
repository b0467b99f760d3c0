/* grid.cu: the kernels of grids (device/grid) on a GPU: a thread for each cell, or for two of them
 *
 * Blocks lie along rows, so that a warp reads memory in order. Greatest numbers are kept by their
 * bits, with a look before each atomic operation; sums are made in one order, block by block. */
#include "backend/cuda/device.h"
#include "device/team.h"

#include "device/grid/ops.h"

namespace
{

enum { NONE, MAX, COUNT };
enum { BLOCK = 256, TAIL_LANES = 1024, MOST = 65535 };
enum { FEW_CELLS = 64 * 64 * 64 }; /* of a grid that groups of lanes build */

/* ---- One kernel for each operation ---- */

#define BODY(name, domain, what, word)                                                             \
  struct body_##name {                                                                             \
    static __device__ __forceinline__ double at(const perp_grid_task &t, int m, int j, int k)      \
    {                                                                                              \
      return perp_op_##name(&t, m, j, k);                                                          \
    }                                                                                              \
  };
PERP_GRID_FINE_OPS(BODY)
PERP_GRID_COARSE_OPS(BODY)
#undef BODY

struct shape {
  dim3 block, grid;
};

/* A kernel whose blocks are placed while the last ones of the kernel before still run, so that the way
 * from one launch to the next is hidden. Each begins with perp_team_await; it ends only after the one
 * before, so one link is enough. */
template <class... TAKEN, class... GIVEN>
void start(cuda_device *d, const shape &s, void (*kernel)(TAKEN...), GIVEN... given)
{
  cudaLaunchConfig_t how = {};
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  how.gridDim = s.grid;
  how.blockDim = s.block;
  how.stream = d->stream;
  how.attrs = &early;
  how.numAttrs = d->major < 9 ? 0 : 1;
  cudaLaunchKernelEx(&how, kernel,
                     static_cast<TAKEN>(given)...); /* cudaGetLastError has the error */
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

template <class BODY, int WHAT>
__global__ void __launch_bounds__(BLOCK)
    cell_kernel(const __grid_constant__ perp_grid_task t, int nx, int ny, int nz, int word)
{
  const int m = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double most = 0;
  unsigned count = 0;
  perp_team_await();
  for (int k = static_cast<int>(blockIdx.z); k < nz; k += static_cast<int>(gridDim.z))
    for (int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); j < ny && m < nx;
         j += static_cast<int>(gridDim.y * blockDim.y)) {
      const double value = fabs(BODY::at(t, m, j, k));
      if (WHAT == MAX)
        most = perp_value_most(value, most);
      if (WHAT == COUNT)
        count += static_cast<unsigned>(value);
    }
  if (WHAT == MAX && t.words)
    keep_most(&t.words[word], most);
  if (WHAT == COUNT && t.words) {
    count = __reduce_add_sync(PERP_ALL_LANES, count);
    if ((threadIdx.x + threadIdx.y * blockDim.x) % 32 == 0 && count > 0)
      atomicAdd(reinterpret_cast<unsigned long long *>(&t.words[word]), count);
  }
}

/* A grid of blocks over (nx, ny, nz): enough for several on each multiprocessor, whose threads then go
 * through several rows and planes. */
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

template <class BODY, int WHAT>
void launch_cells(cuda_device *d, const perp_grid_task &t, perp_grid_domain domain, int word)
{
  int extent[3];
  perp_grid_extent(&t, domain, extent);
  const shape s = shape_over(extent);
  start(d, s, cell_kernel<BODY, WHAT>, t, extent[0], extent[1], extent[2], word);
}

/* ---- Kernels of grid 0 that go through several planes ---- */

template <int MODE, int SET, bool SOLID> struct body_sweep {
  static __device__ __forceinline__ double at(const perp_grid_task &t, int m, int j, int k)
  {
    return perp_fine_sweep(&t, m, j, k, MODE, SET, SOLID);
  }
};

#define BODY(name, domain, what, word)                                                             \
  template <int MODE, bool SOLID> struct body_##name {                                             \
    static __device__ __forceinline__ double at(const perp_grid_task &t, int m, int j, int k)      \
    {                                                                                              \
      return perp_fine_##name(&t, m, j, k, MODE, SOLID);                                           \
    }                                                                                              \
  };
PERP_GRID_MARCH_OPS(BODY)
#undef BODY

template <int MODE, bool SOLID>
void launch_march(cuda_device *d, perp_grid_op op, const perp_grid_task &t)
{
#define CASE(name, domain, what, word)                                                             \
  if (op == PERP_GRID_##name)                                                                      \
    launch_cells<body_##name<MODE, SOLID>, what>(d, t, domain, word);
  PERP_GRID_MARCH_OPS(CASE)
#undef CASE
  if (op != PERP_GRID_sweep)
    return;
  if (t.top.set == PERP_GRID_PLAIN)
    launch_cells<body_sweep<MODE, PERP_GRID_PLAIN, SOLID>, NONE>(d, t, PERP_OVER_PAIRS, 0);
  else if (t.top.set == PERP_GRID_BOX)
    launch_cells<body_sweep<MODE, PERP_GRID_BOX, SOLID>, NONE>(d, t, PERP_OVER_PAIRS, 0);
  else
    launch_cells<body_sweep<MODE, PERP_GRID_LINEAR, SOLID>, NONE>(d, t, PERP_OVER_PAIRS, 0);
}

template <int MODE>
void launch_march_along(cuda_device *d, perp_grid_op op, const perp_grid_task &t)
{
  if (t.g.axes == 3)
    launch_march<MODE, true>(d, op, t);
  else
    launch_march<MODE, false>(d, op, t);
}

void launch_march_in(cuda_device *d, perp_grid_op op, const perp_grid_task &t)
{
  if (t.top.mode == PERP_CELLS_UNIFORM)
    launch_march_along<PERP_CELLS_UNIFORM>(d, op, t);
  else if (t.top.mode == PERP_CELLS_DIAGONAL)
    launch_march_along<PERP_CELLS_DIAGONAL>(d, op, t);
  else
    launch_march_along<PERP_CELLS_WEIGHTED>(d, op, t);
}

/* ---- Building coarse cells ---- */

struct body_build_group {
  static __device__ __forceinline__ double at(const perp_grid_task &t, int m, int j, int k)
  {
    perp_cell_build(&t, m / PERP_GROUP, j, k, m % PERP_GROUP, PERP_GROUP);
    return 0;
  }
};

/* The cells of a small grid are too few to hide that a lane waits for each of eight cells in turn. On a
 * large one there is enough other work, and groups of lanes would be more of it. */
void launch_build(cuda_device *d, const perp_grid_task &t)
{
  int extent[3];
  perp_grid_extent(&t, PERP_OVER_BELOW, extent);
  const bool few = static_cast<int64_t>(extent[0]) * extent[1] * extent[2] <= FEW_CELLS;
  extent[0] *= few ? PERP_GROUP : 1;
  start(d, shape_over(extent),
        few ? cell_kernel<body_build_group, NONE> : cell_kernel<body_build, NONE>, t, extent[0],
        extent[1], extent[2], 0);
}

/* ---- Sums ---- */

/* The sum over a block, in one order; all threads take part. */
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
  perp_grid_tail(t, static_cast<perp_grid_op>(OP), &task,
                 reinterpret_cast<perp_grid_task *>(memory));
}

template <int OP> void launch_tail(cuda_device *d, const perp_grid_task &t)
{
  start(d, {dim3(TAIL_LANES), dim3(1)}, tail_kernel<OP>, t);
}

void launch(cuda_device *d, perp_grid_op op, const perp_grid_task &t)
{
  if (op == PERP_GRID_build) {
    launch_build(d, t);
    return;
  }
  switch (op) {
#define CASE(name, domain, what, word)                                                             \
  case PERP_GRID_##name:                                                                           \
    launch_cells<body_##name, what>(d, t, domain, word);                                           \
    break;
    PERP_GRID_FINE_OPS(CASE)
    PERP_GRID_COARSE_OPS(CASE)
#undef CASE
#define CASE(name, domain, what, word) case PERP_GRID_##name:
    PERP_GRID_MARCH_OPS(CASE)
#undef CASE
  case PERP_GRID_sweep:
    launch_march_in(d, op, t);
    break;
  case PERP_GRID_tail_cycle:
    launch_tail<PERP_GRID_tail_cycle>(d, t);
    break;
  case PERP_GRID_tail_follow:
    launch_tail<PERP_GRID_tail_follow>(d, t);
    break;
  case PERP_GRID_tail_start:
    launch_tail<PERP_GRID_tail_start>(d, t);
    break;
  case PERP_GRID_fill:
    cudaMemsetAsync(t.bytes, t.value, static_cast<size_t>(t.count), d->stream);
    break;
  case PERP_GRID_faces:
    launch_sums<true>(d, t);
    break;
  case PERP_GRID_line:
    launch_sums<false>(d, t);
    break;
  case PERP_GRID_OPS:
    break;
  }
}

} // namespace

cudaError_t perp_cuda_grid(cuda_device *d, const perp_launch *l)
{
  launch(d, static_cast<perp_grid_op>(l->op), *static_cast<const perp_grid_task *>(l->task));
  return cudaGetLastError();
}
