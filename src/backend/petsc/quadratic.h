/* quadratic.h: min 1/2 x^T A x - f^T x over lo <= x <= hi, by truncated nonsmooth Newton multigrid
 * on AIJ matrices */
#pragma once

#include "backend/petsc/levels.h"

typedef struct perp_smoothing_counts {
  PetscInt pre, post; /* projected sweeps before and after a correction */
} perp_smoothing_counts;

typedef struct perp_quadratic {
  Mat A;          /* borrowed, as f, lo and hi are */
  Vec f, lo, hi;  /* */
  perp_rows rows; /* */
  perp_levels levels;
  Vec free, free_before, r, step, product;
  PetscInt truncations; /* so far */
  PetscBool stale;      /* A changed since the last one */
} perp_quadratic;

PetscErrorCode perp_quadratic_open(Mat A, Vec f, Vec lo, Vec hi, const perp_transfers *transfers,
                                   const char *prefix, perp_quadratic *q);
/* The values of A changed. */
PetscErrorCode perp_quadratic_refresh(perp_quadratic *q);
PetscErrorCode perp_quadratic_cycle(perp_quadratic *q, perp_smoothing_counts counts, Vec x);
/* Its steps 1 and 2: r, `free`, and r_F in `product`; and 4 and 5, with c in `step`. */
PetscErrorCode perp_quadratic_face(perp_quadratic *q, perp_smoothing_counts counts, Vec x);
PetscErrorCode perp_quadratic_step(perp_quadratic *q, perp_smoothing_counts counts, Vec x);
/* gpcg.c: one iteration, with at most `most` conjugate gradients, which are counted. */
PetscErrorCode perp_quadratic_gpcg(perp_quadratic *q, perp_smoothing_counts counts, PetscInt most,
                                   PetscInt *iterations, Vec x);
/* x <- a start by the problem on coarser levels, each solved by `cycles` cycles. */
PetscErrorCode perp_quadratic_start(const perp_quadratic *q, perp_smoothing_counts counts,
                                    PetscInt cycles, const char *prefix, Vec x);
PetscErrorCode perp_quadratic_close(perp_quadratic *q);
