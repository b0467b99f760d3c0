/* vjp_job.h: the gradients of a batch in the form that kernels read
 *
 * All problems have the same size; their arrays follow one another, as in perp_batch. For C and
 * C++. */
#pragma once

#include "device/device.h"

#include <perp/batch.h>

typedef struct perp_vjp_job {
  int n, m;              /* rows and bodies of each */
  int freedom, together; /* of worlds */
  int same_A, same_K;
  const double *A; /* dense; NULL: worlds */
  const int *body; /* 2 for each contact */
  const double *J, *Minv, *C;
  double cfm;
  const double *lo, *hi, *mu;
  const int *findex;
  const double *x, *y, *w;
  const perp_batch_verdict *end; /* of the solve: how x was judged */
  double *b_bar, *lo_bar, *hi_bar, *mu_bar, *A_bar, *J_bar, *Minv_bar, *C_bar; /* or NULL */
  double *error;
  int *degenerate; /* or NULL */
  double near;
  int release, zero; /* not 0: the other side of degenerate rows; 0 for problems not solved */
  double *matrices;  /* of the caller, for large worlds on a GPU */
} perp_vjp_job;

enum {
  PERP_VJP_VECTORS = 8,        /* of n doubles; see active_kernel.h */
  PERP_VJP_LISTS = 6,          /* of n short numbers */
  PERP_VJP_SHARED = 225 * 1024 /* bytes of a block on a GPU, leaving room for static memory */
};

/* Returns the memory of a team without its matrix. */
static inline size_t perp_vjp_bytes(const perp_vjp_job *job)
{
  const size_t n = (size_t)job->n, bodies = (size_t)job->m * (size_t)job->freedom;
  return ((PERP_VJP_VECTORS * n + 2 * bodies) * sizeof(double) +
          PERP_VJP_LISTS * n * sizeof(int16_t) + 15) /
         16 * 16;
}

/* Returns the numbers of the matrix of m unknowns. */
static inline size_t perp_vjp_matrix(int m)
{
  return (size_t)m * (size_t)(m | 1);
}

/* Returns true if the matrix may be too large for the memory of a block. */
static inline bool perp_vjp_is_large(const perp_vjp_job *job)
{
  return perp_vjp_bytes(job) + perp_vjp_matrix(job->n) * sizeof(double) > PERP_VJP_SHARED;
}

extern const perp_kernel perp_kernel_vjp; /* a batch of perp_vjp_job */
