/* blocks.h: teams of threads, and kernels whose blocks all run at once, for the batches of this
 * folder */
#pragma once

#include "backend/cuda/device.h"
#include "device/team.h"

/* Returns the team of this thread: LANES threads of a block, COLUMNS of them along a row. */
template <int LANES, int COLUMNS> __device__ __forceinline__ perp_team team_of(int64_t *scratch)
{
  perp_team t;
  t.lane = static_cast<int>(threadIdx.x) % LANES;
  t.lanes = LANES;
  t.columns = COLUMNS;
  t.rows = LANES / COLUMNS;
  t.row = t.lane / COLUMNS;
  t.column = t.lane % COLUMNS;
  t.scratch = scratch;
  return t;
}

/* Calls work(k) for the marked problems of this block: blockIdx, blockIdx + gridDim, ... below count.
 * Usually there are none, so lanes look at the marks together. */
template <typename MARKED, typename WORK>
__device__ __forceinline__ void for_marked(perp_team t, int count, MARKED marked, WORK work)
{
  const int blocks = static_cast<int>(gridDim.x), stride = t.lanes * blocks;
  for (int begin = static_cast<int>(blockIdx.x); begin < count; begin += stride) {
    const int mine = begin + t.lane * blocks;
    if (perp_team_vote(t, mine < count && marked(mine)).count == 0)
      continue;
    for (int k = begin; k < count && k < begin + stride; k += blocks) {
      const bool is_marked = marked(k);
      perp_team_sync(t); /* the work may change the mark */
      if (is_marked)
        work(k);
      perp_team_sync(t);
    }
  }
}

template <typename KERNEL> cudaError_t allow_memory(KERNEL kernel, size_t bytes)
{
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes));
}

/* Launches a kernel of `blocks` blocks with `bytes` bytes of shared memory each, on the stream of
 * batches. */
template <typename... TAKEN, typename... GIVEN>
cudaError_t launch_blocks(const cuda_device *d, int64_t blocks, int lanes, size_t bytes,
                          void (*kernel)(TAKEN...), GIVEN... given)
{
  const cudaError_t error = allow_memory(kernel, bytes);
  if (error)
    return error;
  kernel<<<static_cast<unsigned>(blocks), lanes, bytes, perp_cuda_stream(d)>>>(given...);
  return cudaGetLastError();
}

/* Returns the blocks of a kernel for marked problems, with `each` on a multiprocessor. */
static inline unsigned blocks_for(const cuda_device *d, int count, int each)
{
  const int most = each * static_cast<int>(d->device.processors);
  return static_cast<unsigned>(count < most ? count : most);
}

/* Returns the rows of the largest square matrix, at most `most` (rows | 1 apart), that fits into
 * `bytes` together with the vectors. */
static inline int matrix_room(int most, size_t vectors, size_t bytes)
{
  int room = most;
  while (room > 0 && vectors + sizeof(double) * static_cast<size_t>(room * (room | 1)) > bytes)
    room--;
  return room;
}
