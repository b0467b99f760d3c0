/* everywhere.h: functions for the CPU that nvcc also compiles for GPUs */
#pragma once

#include "base/elementary.h"
#include "base/kernel.h"

#ifdef __CUDACC__
#define EVERYWHERE static __host__ __device__ __forceinline__

/* sqrt(a^2 + b^2) of finite numbers, without overflow */
EVERYWHERE double perp_everywhere_hypot(double a, double b)
{
  const double square = a * a + b * b;
  if (square > 0x1p-900 && square < 0x1p1000)
    return sqrt(square);
  int exponent;
  frexp(fabs(a) > fabs(b) ? a : b, &exponent);
  const double u = ldexp(a, -exponent), v = ldexp(b, -exponent);
  return ldexp(sqrt(u * u + v * v), exponent);
}
#else
#define EVERYWHERE KERNEL

EVERYWHERE double perp_everywhere_hypot(double a, double b)
{
  return perp_hypot(a, b);
}
#endif
