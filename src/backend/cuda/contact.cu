/* contact.cu: contact sweeps (device/contact) on a GPU: a thread for each group of a colour */
#include "backend/cuda/device.h"
#include "backend/cuda/team.h"

#include <cmath>

#include "device/contact/rigid.h"
#include "device/contact/sweep.h"

namespace
{

enum { BLOCK = 128 };

template <int WIDTH>
__global__ void __launch_bounds__(BLOCK)
    colour_kernel(const __grid_constant__ perp_contacts c, int from, int to)
{
  const int g = from + static_cast<int>(blockIdx.x * BLOCK + threadIdx.x);
  if (g < to)
    perp_contacts_relax(&c, g, WIDTH);
}

template <int PART, bool ROUND, bool COMPLIANT>
__global__ void __launch_bounds__(BLOCK)
    rigid_kernel(const __grid_constant__ perp_rigids s, int from, int to)
{
  const int c = from + static_cast<int>(blockIdx.x * BLOCK + threadIdx.x);
  if (c < to)
    perp_rigid_relax(&s, c, PART, ROUND, COMPLIANT);
}

using rigid_function = void (*)(perp_rigids, int, int);

template <int PART> rigid_function rigid_of(const perp_rigids *s)
{
  return s->inertia
             ? (s->compliant ? rigid_kernel<PART, false, true> : rigid_kernel<PART, false, false>)
             : (s->compliant ? rigid_kernel<PART, true, true> : rigid_kernel<PART, true, false>);
}

/* Kernels of a stream that begin while the one before ends: they wait in perp_team_await. */
cudaError_t launch_rigids(cuda_device *d, rigid_function kernel, const perp_rigids *s, int from,
                          int to)
{
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>((to - from + BLOCK - 1) / BLOCK));
  config.blockDim = dim3(BLOCK);
  config.stream = d->stream;
  config.attrs = &early;
  config.numAttrs = d->major >= 9 ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, *s, from, to);
}

cudaError_t begin_kernels(cuda_device *d)
{
  if (d->busy)
    return cudaSuccess;
  cudaError_t error = cudaSetDevice(d->index);
  if (!error)
    error = cudaEventRecord(d->begin, d->stream);
  d->busy = true;
  return error;
}

} // namespace

perp_error perp_cuda_rigids(perp_device *device, const perp_rigids *s, perp_message *why)
{
  cuda_device *d = of(device);
  const rigid_function kernel = s->part == PERP_RIGIDS_BOX ? rigid_of<PERP_RIGIDS_BOX>(s)
                                : s->part == PERP_RIGIDS_FRICTION
                                    ? rigid_of<PERP_RIGIDS_FRICTION>(s)
                                    : rigid_of<PERP_RIGIDS_PLAIN>(s);
  cudaError_t error = begin_kernels(d);
  for (int q = 0; q < s->colours && !error; q++)
    if (s->start[q + 1] > s->start[q])
      error = launch_rigids(d, kernel, s, s->start[q], s->start[q + 1]);
  return error ? perp_cuda_fail(why, device, error, "a sweep over contacts failed") : PERP_OK;
}

perp_error perp_cuda_contacts(perp_device *device, const perp_contacts *c, perp_message *why)
{
  cuda_device *d = of(device);
  cudaError_t error = begin_kernels(d);
  for (int q = 0; q < c->colours && !error; q++) {
    const int from = c->start[q], to = c->start[q + 1];
    const unsigned blocks = static_cast<unsigned>((to - from + BLOCK - 1) / BLOCK);
    if (to == from)
      continue;
    if (c->width == 6)
      colour_kernel<6><<<blocks, BLOCK, 0, d->stream>>>(*c, from, to);
    else
      colour_kernel<4><<<blocks, BLOCK, 0, d->stream>>>(*c, from, to);
    error = cudaGetLastError();
  }
  return error ? perp_cuda_fail(why, device, error, "a sweep over contacts failed") : PERP_OK;
}
