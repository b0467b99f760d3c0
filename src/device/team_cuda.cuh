/* team_cuda.cuh: the lanes of a team as CUDA threads: 32 are a warp, more are a block; team.h
 * describes the functions */
#pragma once

#include "device/team.h"

#include <cmath>

#define TEAM        static __device__ __forceinline__
#define TEAM_SHORT  _Pragma("unroll 1")
#define TEAM_TWICE  _Pragma("unroll 2")
#define TEAM_LONG   _Pragma("unroll 4")
#define TEAM_LONGER _Pragma("unroll 16")
#define TEAM_ALL    _Pragma("unroll")

#define PERP_ALL_LANES 0xffffffffu

TEAM void perp_team_sync(perp_team t)
{
  if (t.lanes > 32)
    __syncthreads();
  else
    __syncwarp();
}

TEAM perp_team perp_team_head(perp_team t)
{
  perp_team head = t;
  head.lanes = t.lanes < 32 ? t.lanes : 32;
  return head;
}

TEAM perp_vote perp_team_vote(perp_team t, bool flag)
{
  const unsigned mask = __ballot_sync(PERP_ALL_LANES, flag);
  const int lane = t.lane % 32;
  perp_vote v;
  v.before = __popc(mask & ((1u << lane) - 1));
  v.count = __popc(mask);
  v.first = mask ? __ffs((int)mask) - 1 : t.lanes;
  if (t.lanes > 32) {
    if (lane == 0)
      t.scratch[t.lane / 32] = mask;
    __syncthreads();
    v.count = 0;
    v.first = t.lanes;
    for (int w = t.lanes / 32 - 1; w >= 0; w--) {
      const unsigned other = (unsigned)t.scratch[w];
      v.count += __popc(other);
      v.before += w < t.lane / 32 ? __popc(other) : 0;
      v.first = other ? 32 * w + __ffs((int)other) - 1 : v.first;
    }
    __syncthreads();
  }
  return v;
}

enum { PERP_GROUP = 8 };

TEAM unsigned perp_group_mask()
{
  return 0xffu << ((threadIdx.x + threadIdx.y * blockDim.x) & 24);
}

TEAM float perp_group_float(float value, int lane, int group)
{
  return group == 1 ? value : __shfl_sync(perp_group_mask(), value, lane, PERP_GROUP);
}

TEAM int perp_group_int(int value, int lane, int group)
{
  return group == 1 ? value : __shfl_sync(perp_group_mask(), value, lane, PERP_GROUP);
}

/* Nonnegative numbers have the order of their bits; NaN is largest, and all lanes get it. */
TEAM double perp_team_max(perp_team t, double value)
{
  const unsigned high = static_cast<unsigned>(__double2hiint(value));
  const unsigned low = static_cast<unsigned>(__double2loint(value));
  const unsigned most = __reduce_max_sync(PERP_ALL_LANES, high);
  const unsigned rest = __reduce_max_sync(PERP_ALL_LANES, high == most ? low : 0u);
  value = __hiloint2double(static_cast<int>(most), static_cast<int>(rest));
  if (t.lanes > 32) {
    if (t.lane % 32 == 0)
      t.scratch[t.lane / 32] = __double_as_longlong(value);
    __syncthreads();
    for (int w = 0; w < t.lanes / 32; w++) {
      const int64_t other = t.scratch[w];
      value = other > __double_as_longlong(value) ? __longlong_as_double(other) : value;
    }
    __syncthreads();
  }
  return value;
}

TEAM int64_t perp_team_least(perp_team t, int64_t value)
{
  for (int step = 16; step > 0; step /= 2) {
    const int64_t other = __shfl_xor_sync(PERP_ALL_LANES, value, step);
    value = other < value ? other : value;
  }
  if (t.lanes > 32) {
    if (t.lane % 32 == 0)
      t.scratch[t.lane / 32] = value;
    __syncthreads();
    for (int w = 0; w < t.lanes / 32; w++) {
      const int64_t other = t.scratch[w];
      value = other < value ? other : value;
    }
    __syncthreads();
  }
  return value;
}

TEAM double perp_rounded_product(double a, double b)
{
  return __dmul_rn(a, b);
}

TEAM double perp_team_stream(const double *from)
{
  return __ldcs(from);
}

TEAM void perp_team_stream_to(double *to, double value)
{
  __stcs(to, value);
}

TEAM void perp_team_load_pair(const double *from, double *to)
{
  const double2 both = *reinterpret_cast<const double2 *>(from);
  to[0] = both.x;
  to[1] = both.y;
}

TEAM void perp_team_store_pair(double *to, const double *from)
{
  *reinterpret_cast<double2 *>(to) = make_double2(from[0], from[1]);
}

TEAM void perp_team_load_four(const float *from, float *to)
{
  const float4 all = *reinterpret_cast<const float4 *>(from);
  to[0] = all.x;
  to[1] = all.y;
  to[2] = all.z;
  to[3] = all.w;
}

TEAM void perp_team_store_four(float *to, const float *from)
{
  *reinterpret_cast<float4 *>(to) = make_float4(from[0], from[1], from[2], from[3]);
}

/* Lets the next kernel begin and waits for the previous one; does nothing unless launched that
 * way. */
TEAM void perp_team_await()
{
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/* Like perp_team_await, but the next kernel may begin only when the previous one is done: data
 * written by that kernel and earlier ones may be read before the next wait. */
TEAM void perp_team_await_turn()
{
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* The last bits depend on the GPU: batches and sweeps promise equal bits only on the same
 * machine. */
TEAM double perp_team_hypot(double a, double b)
{
  return hypot(a, b);
}

TEAM double perp_team_pow(double a, double b)
{
  return pow(a, b);
}

TEAM float perp_team_inverse_root(float a)
{
  return rsqrtf(a);
}
