/* mass.h: contact operators with a mass matrix that is not block diagonal
 *
 *   A = J M^-1 J^T + C
 *
 * M is symmetric and positive definite, given by compressed rows or by a callback that applies
 * M^-1. Either becomes a contact operator with block diagonal Minv, so that sweeps, rows and
 * products need no separate code:
 *
 *   rows       P M P^T = L D L^T,  G = J P^T L^-T D^-1/2,  A = G G^T + C. Row i of G is filled only on
 *              the paths from its velocities to the roots of the elimination tree. A tree of joints
 *              is eliminated leaves first, without fill: its elimination tree is the tree itself, so
 *              that a row costs O(depth) (Featherstone 2005).
 *   callback   A = J_S B J_S^T + C with B = (M^-1)_SS over the velocities S that J touches: one call
 *              for each of them.
 *
 * Newton methods use M itself, in the order of the caller: `plain` has J, Minv = I, and M in its
 * data, for matrices M + J^T T J (body_matrix.h). */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "linalg/sparse_ldlt.h"
#include <perp/operator.h>

typedef struct perp_mass {
  perp_contact_data source; /* the caller's J and M, or copies in the operator's memory */
  int *order, *place;       /* velocities: by elimination, and back; callback: S, and back or -1 */
  int blocks, *block_start; /* of the data made here */
  double *Minv;             /* the same: identities, or B */
  int64_t *J_start;         /* the same: G, or J_S */
  int *J_column;
  double *J_value;
  perp_sparse_ldlt factor; /* rows */
  double *diagonal, *root; /* velocities: of P M P^T; D^1/2 */
  double *z;               /* 8 velocities, or 2: scratch of perp_mass_fill */
  int touched;             /* callback: velocities in S */
  perp_operator *plain;    /* rows; owned */
} perp_mass;

static inline bool perp_mass_is_given(const perp_contact_data *d)
{
  return d->M_start || d->apply_Minv;
}

/* Checks the parts of the data that replace Minv. */
perp_error perp_mass_check(const perp_contact_data *d, perp_message *why);
/* Finds the order and the pattern of the data made here. Fills `made` with them; J_value and Minv
 * follow by perp_mass_fill. `source` outlives the mass. */
perp_error perp_mass_create(perp_mass *s, const perp_contact_data *source, perp_arena *arena,
                            perp_contact_data *made, perp_message *why);
/* Computes the factor and the numbers of the data, at first and after the source changed. */
perp_error perp_mass_fill(perp_mass *s, perp_message *why);
void perp_mass_free(perp_mass *s);

/* v <- M^-1 v. room: velocities numbers. Returns false if the callback failed. */
bool perp_mass_solve(const perp_mass *s, double *v, double *room);
/* y <- J M^-1 J^T x in double-double precision: high and low, NaN if M is too ill-conditioned.
 * Needs M by rows. room: 6 numbers for each velocity. */
void perp_mass_product(const perp_mass *s, const double *x, double *high, double *low,
                       double *room);
