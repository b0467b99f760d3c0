/* contact.cu: contact sweeps (device/contact) on a GPU: a thread for each group of a colour */
#include "backend/cuda/device.h"
#include "backend/cuda/team.h"

#include <cmath>

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

} // namespace

perp_error perp_cuda_contacts(perp_device *device, const perp_contacts *c, perp_message *why)
{
  cuda_device *d = of(device);
  cudaError_t error = cudaSuccess;
  if (!d->busy) {
    error = cudaSetDevice(d->index);
    if (!error)
      error = cudaEventRecord(d->begin, d->stream);
    d->busy = true;
  }
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
