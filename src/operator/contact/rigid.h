/* rigid.h: contacts of rigid bodies in packets of two, for sweeps on the CPU and on devices
 * (rigid.c) */
#pragma once

#include "operator/contact/contact.h"

enum { PERP_RIGID_LANES = 2 }; /* contacts of a packet; no two share a body */

/* A packet holds the numbers of row_update.h, each for all lanes side by side. */
typedef struct perp_contact_rigid {
  perp_relaxer base;
  unsigned orders;       /* bits 1 << order of the sweeps that will be used */
  perp_part part;        /* PERP_PART_FINDEX: x_0 >= 0, |x_1|, |x_2| <= mu x_0 in every contact */
  bool lean;             /* every inertia is a multiple of the identity, and there is no C */
  double omega;          /* omega of the packed steps */
  const double *inverse; /* 1 / A_ii */
  int own;               /* offset of C in a packet; 0: no C */
  int stride;            /* doubles of a packet */
  perp_contact_packets packets; /* of contacts */
  int *body;                    /* packets x 4: the offsets of a and of b of every lane in v */
  int *at;         /* contacts: index of its x_0 in x; x_1 and x_2 follow at distances of LANES */
  double *packed;  /* packets x stride */
  double *x;       /* packets x 6: three rows of every lane */
  int bodies;      /* including one for every contact with one body and every empty lane */
  double *v;       /* bodies x 8 */
  bool fresh;      /* no sweep since v was computed from x */
  double *inertia; /* bodies x 8: I_01 I_02 I_11 I_12 I_12 I_22; NULL if lean */
} perp_contact_rigid;

/* Creates the relaxer. *relaxer stays NULL if some row does not belong to a rigid contact. `groups`
 * has groups, and colours if a coloured sweep will be used. */
perp_error perp_contact_rigid_create(const perp_operator *A, const double *b,
                                     const perp_contact_relaxer *groups, perp_arena *arena,
                                     perp_relaxer **relaxer);

/* The sweep of such a relaxer; its address identifies the kind. */
void perp_contact_rigid_sweep(perp_relaxer *relaxer, double omega, perp_order order);
