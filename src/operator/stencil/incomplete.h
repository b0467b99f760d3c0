/* incomplete.h: modified incomplete Cholesky factors of grid operators
 *
 *   A_FF + diag(d_F) ~ (E + L) E^-1 (E + L^T),   L the strictly lower part of A_FF
 *
 * one number for each cell and no matrix (Gustafsson 1978). What the factor drops is taken off its
 * diagonal, so that M reproduces smooth vectors and the condition of M^-1 A grows like 1/h and not
 * like 1/h^2. */
#pragma once

#include "operator/stencil/stencil.h"

typedef struct perp_stencil_incomplete {
  const perp_stencil *s;
  double *inverse; /* by cell: 1 / E_c, 0 where the cell is not in F */
  double *t;       /* by cell, with zeros before the first and behind the last */
} perp_stencil_incomplete;

/* A is a stencil. False when out of memory. */
bool perp_stencil_incomplete_create(const perp_operator *A, perp_arena *arena,
                                    perp_stencil_incomplete *f);
/* in: whether unknown u is in F; d: by unknown, NULL: 0. */
void perp_stencil_incomplete_factor(perp_stencil_incomplete *f, const bool *in, const double *d);
/* z <- M^-1 r in F, 0 elsewhere; z may be r, which is read in F alone. */
void perp_stencil_incomplete_solve(perp_stencil_incomplete *f, const double *r, double *z);
