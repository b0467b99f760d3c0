/* planar.h: sweeps over contacts of planar bodies, two at a time; see
 * contact_planar.c for the form and contact_planar_sweep.c for the kernels */
#pragma once

#include "operator/contact/contact.h"

enum {
  PERP_PLANAR_LANES = 2, /* contacts of a packet, none of which shares a body with another */
  PERP_PLANAR_ROWS = 2,  /* most rows of a group */
  PERP_PLANAR_WIDTH = 3, /* most velocities of a block */
  PERP_PLANAR_BLOCK = 4, /* doubles from a block to the next */
};

/* A packet is row after row: G_t, the numbers of both blocks, then what contact.h lists, with
 * omega / A_tt for the inverse; each number for both lanes side by side. */
typedef struct perp_contact_planar {
  perp_relaxer base;
  unsigned orders; /* bits 1 << order of the sweeps promised */
  perp_part part;
  int rows;              /* of a packet: 1 or 2, the most that a group has */
  double omega;          /* that the steps are for */
  const double *inverse; /* 1 / A_ii */
  const perp_contact_group *group;
  perp_contact_packets packets;
  double **block;           /* packets x 4: the first block of every lane in v, and the second */
  double *packed;           /* packets x stride */
  double *x;                /* packets x rows x 2 */
  int *at;                  /* rows of A: where x_i stands in x */
  int blocks;               /* with one for every block that is missing in a lane */
  double *v;                /* blocks x 4: u */
  bool fresh;               /* no sweep since u was worked out from x */
  perp_range_body range[2]; /* ascending and descending, see contact_planar_sweep.c */
} perp_contact_planar;

/* Numbers to a row of a packet. */
static inline int perp_planar_row_numbers(perp_part part)
{
  return 2 * PERP_PLANAR_WIDTH +
         (part == PERP_PART_PLAIN ? PERP_CONTACT_LOWER : PERP_CONTACT_UPPER + 1);
}

static inline int perp_planar_stride(int rows, perp_part part)
{
  return PERP_PLANAR_LANES * rows * perp_planar_row_numbers(part);
}

static inline int64_t perp_planar_places(const perp_contact_planar *r)
{
  return (int64_t)r->packets.count * PERP_PLANAR_LANES;
}

/* The group in a lane of a packet; NULL: none. */
static inline const perp_contact_group *perp_planar_group(const perp_contact_planar *r,
                                                          int64_t place)
{
  return r->packets.group[place] < 0 ? NULL : &r->group[r->packets.group[place]];
}

/* Row t of the group at a place; its numbers stand as far apart as there are lanes. */
static inline double *perp_planar_row(const perp_contact_planar *r, int64_t place, int t)
{
  return r->packed + place / PERP_PLANAR_LANES * perp_planar_stride(r->rows, r->part) +
         t * PERP_PLANAR_LANES * perp_planar_row_numbers(r->part) + place % PERP_PLANAR_LANES;
}

/* Where x of row t of the group at a place stands in x. */
static inline int64_t perp_planar_x(const perp_contact_planar *r, int64_t place, int t)
{
  return (place / PERP_PLANAR_LANES * r->rows + t) * PERP_PLANAR_LANES + place % PERP_PLANAR_LANES;
}

/* *relaxer stays NULL where the rows are not those of planar contacts. `groups` has its groups and
 * width, and colours where a coloured sweep is asked for. */
perp_error perp_contact_planar_create(const perp_operator *A, const double *b,
                                      const perp_contact_relaxer *groups, perp_arena *arena,
                                      perp_relaxer **relaxer);

/* Sets the functions of a relaxer that has all its packets. */
void perp_contact_planar_finish(perp_contact_planar *r);
