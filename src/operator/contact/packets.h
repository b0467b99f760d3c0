/* packets.h: sweeps over packets of two contacts, of rigid bodies (rigid.c) or planar ones (planar.c)
 *
 * The contacts of a packet share no body, so that the sweeps relax them in the two lanes of a
 * vector. */
#pragma once

#include "operator/contact/contact.h"

enum { PERP_PACKET_LANES = 2 };

/* Packets of groups that share no block. */
typedef struct perp_contact_packets {
  int count;
  int *group;        /* count x lanes; -1: empty lane */
  int colours;       /* 0 if no coloured sweep will be used */
  int *colour_start; /* colours + 1, in packets */
} perp_contact_packets;

/* The numbers of a packet are those of row_update.h, each for all lanes side by side. */
typedef struct perp_contact_packed {
  perp_relaxer base;
  unsigned orders; /* bits 1 << order of the sweeps that will be used */
  perp_part part;
  double omega;          /* omega of the packed steps */
  const double *inverse; /* 1 / A_ii */
  const perp_contact_group *group;
  perp_contact_packets packets;
  int rows;       /* of a lane: three, or the most that a group has */
  int stride;     /* doubles of a packet */
  int step;       /* of them before the steps of its first row */
  int apart;      /* doubles from row to row */
  int *body;      /* packets x 4: the offsets in v of the first and the second body of every lane */
  int *at;        /* rows of A: index of x_i in x */
  double *packed; /* packets x stride */
  double *x;      /* packets x rows x 2 */
  int bodies;     /* including one for every body that is missing in a lane */
  int body_size;  /* doubles of a body in v */
  int moving;     /* of them velocities */
  double *v;
  bool fresh;                 /* no sweep since v was computed from x */
  perp_range_body sweeps[2];  /* ascending and descending */
  perp_range_body gathers[2]; /* adds the velocities of x; projects x before */
  perp_range_body gradient;

  /* contacts of rigid bodies */
  bool lean;       /* every inertia is a multiple of the identity, and there is no C */
  int own;         /* offset of C in a packet; 0: no C */
  double *inertia; /* bodies x 8: I_01 I_02 I_11 I_12 I_12 I_22; NULL if lean */
} perp_contact_packed;

/* The context of the range bodies. */
typedef struct perp_packed_pass {
  const perp_contact_packed *r;
  int first; /* coloured: first packet of the colour */
  double *y; /* of a gradient */
} perp_packed_pass;

/* Returns the group in a lane of a packet, or NULL. */
static inline const perp_contact_group *perp_packed_group(const perp_contact_packed *r,
                                                          int64_t place)
{
  return r->packets.group[place] < 0 ? NULL : &r->group[r->packets.group[place]];
}

/* Returns the start of a lane's numbers, which are LANES apart. */
static inline double *perp_packed_lane(const perp_contact_packed *r, int64_t place)
{
  return r->packed + place / PERP_PACKET_LANES * r->stride + place % PERP_PACKET_LANES;
}

static inline int64_t perp_packed_places(const perp_contact_packed *r)
{
  return (int64_t)r->packets.count * PERP_PACKET_LANES;
}

/* Makes packets by colour if the groups have colours, else by schedule. *r is NULL if one block
 * touches most groups, so that few can run in parallel, or if sweeps by colour and others will be
 * used. */
perp_error perp_contact_packed_create(const perp_contact *c, const perp_contact_relaxer *groups,
                                      perp_arena *arena, perp_contact_packed **r);
/* Allocates the arrays, all zero, and fills `body` and `at`; the caller has set rows, stride and
 * body_size. */
bool perp_contact_packed_take(const perp_contact *c, perp_arena *arena, perp_contact_packed *r);
/* Sets the functions of the relaxer. */
void perp_contact_packed_finish(perp_contact_packed *r);
/* Its sweep; the address identifies the kind. */
void perp_contact_packed_sweep(perp_relaxer *relaxer, double omega, perp_order order);

/* Create the packets of contacts of rigid bodies, and of planar ones. *r stays NULL if some row
 * does not belong to such a contact. */
perp_error perp_contact_rigid_create(const perp_operator *A, const double *b,
                                     const perp_contact_relaxer *groups, perp_arena *arena,
                                     perp_contact_packed **r);
perp_error perp_contact_planar_create(const perp_operator *A, const double *b,
                                      const perp_contact_relaxer *groups, perp_arena *arena,
                                      perp_contact_packed **r);

/* Packs the contacts by colour, with the velocities of x, for devices. *rigid is NULL if some row does
 * not belong to a contact of rigid bodies. */
perp_error perp_contact_coloured_create(const perp_operator *A, const double *b, const perp_set *K,
                                        double *x, perp_arena *arena, perp_contact_packed **rigid);
