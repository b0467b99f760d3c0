/* rigid.h: contacts of rigid bodies in packets of two, for sweeps here and on devices (rigid.c) */
#pragma once

#include "operator/contact/contact.h"

enum { PERP_RIGID_LANES = 2 }; /* contacts of a packet, none of which shares a body with another */

/* A packet holds the numbers of row_update.h, each for all lanes side by side. */
typedef struct perp_contact_rigid {
  perp_relaxer base;
  unsigned orders;       /* bits 1 << order of the sweeps promised */
  perp_part part;        /* PERP_PART_FINDEX: x_0 >= 0, |x_1|, |x_2| <= mu x_0 in every contact */
  bool lean;             /* every inertia is a multiple of the identity, and there is no C */
  double omega;          /* that the steps are for */
  const double *inverse; /* 1 / A_ii */
  int own;               /* where C stands in a packet; 0: there is none */
  int stride;            /* doubles of a packet */
  perp_contact_packets packets; /* of contacts */
  int *body;                    /* packets x 4: where a of every lane stands in v, and b */
  int *at;         /* contacts: where its x_0 stands in x, x_1 and x_2 LANES further on each */
  double *packed;  /* packets x stride */
  double *x;       /* packets x 6: three rows of every lane */
  int bodies;      /* with one more for every contact with one body and every empty lane */
  double *v;       /* bodies x 8 */
  bool fresh;      /* no sweep since v was worked out from x */
  double *inertia; /* bodies x 8: I_01 I_02 I_11 I_12 I_12 I_22; NULL where lean */
} perp_contact_rigid;

/* *relaxer stays NULL where the rows are not those of rigid contacts. `groups` has its groups, and
 * colours where a coloured sweep is asked for. */
perp_error perp_contact_rigid_create(const perp_operator *A, const double *b,
                                     const perp_contact_relaxer *groups, perp_arena *arena,
                                     perp_relaxer **relaxer);

/* The sweep of such a relaxer, which tells it from others. */
void perp_contact_rigid_sweep(perp_relaxer *relaxer, double omega, perp_order order);
