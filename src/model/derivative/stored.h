/* stored.h: derivatives with respect to the stored numbers of an operator
 *
 *   a^T dA x = sum over the stored numbers v of v_bar dv
 *
 *   dense, csr, bsr   A_ij bar = a_i x_j
 *   contact           dA = dJ Minv J^T + J dMinv J^T + J Minv dJ^T + dC:
 *                     J_ic bar = a_i (Minv J^T x)_c + x_i (Minv J^T a)_c,
 *                     Minv bar = (J^T a)(J^T x)^T on the blocks,  C_ij bar = a_i x_j
 *   stencil           the face of cells c and d: -(a_c x_d + a_d x_c);  diagonal: a_c x_c */
#pragma once

#include "base/memory.h"
#include "operator/operator.h"
#include <perp/derivative.h>

/* The length of each array; 0 if the kind does not have it. */
typedef struct perp_stored {
  const perp_operator *A;
  int64_t A_count, J_count, Minv_count, C_count;
  int64_t cells;        /* of a stencil */
  bool faces, diagonal; /* a stencil has arrays for them */
  bool solid;           /* and wz */
  double *velocity;     /* workspace of a contact operator: four times its velocities */
} perp_stored;

bool perp_stored_open(const perp_operator *A, perp_arena *arena, perp_stored *e);
/* Return PERP_ERROR_ARGUMENT if an array is requested or given that A does not have; numbers of a
 * change must be finite. */
perp_error perp_stored_check_gradient(const perp_stored *e, const perp_gradient *g,
                                      perp_message *why);
perp_error perp_stored_check_change(const perp_stored *e, const perp_change *c, perp_message *why);
/* Writes the arrays of A in g. */
void perp_stored_gradient(const perp_stored *e, const double *a, const double *x,
                          const perp_gradient *g);
/* y <- y + dA x */
void perp_stored_change(const perp_stored *e, const perp_change *c, const double *x, double *y);
