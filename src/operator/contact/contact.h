/* contact.h: what the files of the contact operator share
 *
 *   A = J Minv J^T + C
 *
 * A pair is a row of J together with one block of Minv that the row touches; its entries of J are
 * neighbours, because columns ascend. Pairs are numbered row by row, blocks ascending in each. */
#pragma once

#include "base/threads.h"
#include "operator/block_relax.h"
#include "operator/contact/row_update.h"
#include "operator/pattern.h"
#include "operator/relax.h"

typedef struct perp_contact {
  perp_operator base;
  perp_contact_data data; /* with block_start, also if the caller gave none */
  perp_arena memory;      /* holds copies and all arrays below */

  int64_t *pair_start; /* rows + 1: first pair of each row */
  int64_t *pair_entry; /* pairs + 1: first entry of J of each pair */
  int *pair_row;       /* pairs */
  int *pair_block;     /* pairs */
  int64_t *pair_W;     /* pairs: where its piece of W begins */
  double *W;           /* Minv_k J_ik^T of pair (i, k), the whole block, pair after pair */
  double *diagonal;    /* rows: A_ii */
  int64_t *block_list; /* blocks + 1: first place of each block in block_pair */
  int64_t *block_pair; /* pairs by block, rows ascending in each */
  const double **M;    /* blocks: where each block of Minv begins */
  bool *halved;        /* blocks: of 6, in which the first 3 velocities and the last 3 are apart */
  perp_pattern C;      /* with empty rows if there is no C */
  bool C_is_diagonal;  /* or absent */
  bool complete;       /* all arrays are there */
  bool copied, made_blocks; /* the data, and block_start, are in `memory` */
  bool made_J, made_C;      /* J, of bodies, and C, of its diagonal, are in `memory` */

  /* What borrowed arrays are read again from when they were changed; NULL: nothing to read. */
  perp_contact_bodies bodies;
  const double *C_diagonal;
} perp_contact;

static inline const perp_contact *perp_contact_of(const perp_operator *A)
{
  return (const perp_contact *)A;
}

static inline int perp_contact_block_size(const perp_contact *c, int block)
{
  return c->data.block_start[block + 1] - c->data.block_start[block];
}

/* (C x)_i */
static inline double perp_contact_C_row(const perp_contact *c, int i, const double *x)
{
  double sum = 0;
  for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
    sum += c->data.C_value[k] * x[c->C.column[k]];
  return sum;
}

/* J_ik W_jk, where p = (i, k) and q = (j, k) */
static inline double perp_contact_pair_product(const perp_contact *c, int64_t p, int64_t q)
{
  const int64_t begin = c->pair_entry[p], count = c->pair_entry[p + 1] - begin;
  const double *W = c->W + c->pair_W[q], *J = c->data.J_value + begin;
  const int block = c->pair_block[p], first = c->data.block_start[block];
  double sum = 0;
  if (count == 6 && perp_contact_block_size(c, block) == 6) /* all of a rigid body */
    for (int e = 0; e < 6; e++)
      sum += J[e] * W[e];
  else
    for (int64_t e = 0; e < count; e++)
      sum += J[e] * W[c->data.J_column[begin + e] - first];
  return sum;
}

/* v += W_i^T d */
static inline void perp_contact_add_row(const perp_contact *c, int i, double d, double *v)
{
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
    const double *W = c->W + c->pair_W[p];
    const int k = c->pair_block[p], size = perp_contact_block_size(c, k);
    double *vk = v + c->data.block_start[k];
    for (int l = 0; l < size; l++)
      vk[l] += W[l] * d;
  }
}

extern const perp_operator_table perp_contact_table;
/* Reads the numbers again, and fills W and the diagonal. */
perp_error perp_contact_refresh(perp_operator *A, perp_message *why);
void perp_contact_destroy(perp_operator *A);

/* Rows that one thread relaxes in sequence, all with the same blocks. */
typedef struct perp_contact_group {
  int row, count; /* rows row .. row + count - 1 */
  int slot;       /* of its first row in the packed data */
  int a, b;       /* packed blocks; a = b if the rows touch one alone */
  bool waits;     /* shares a block with the group laid before it, in a sweep of single rows */
} perp_contact_group;

typedef struct perp_contact_relaxer {
  perp_relaxer base;
  perp_bounds bounds;
  unsigned orders;       /* bits 1 << order of the sweeps promised */
  const double *inverse; /* 1 / A_ii */
  double *v;             /* velocities, if packed scaled by the factor of their block */
  int width;             /* 6 or 4; 0: rows are not packed */
  int packed_blocks;     /* those of Minv, and one for each group that touches none */
  double *packed;        /* see rows.c */

  int groups;
  perp_contact_group *group;
  bool single;           /* one row to a group, and `waits` says which share a block */
  int colours;           /* 0 if no coloured sweep is asked for */
  int *colour_start;     /* colours + 1 */
  int *coloured;         /* groups by colour, ascending in each */
  perp_range_body range; /* relaxes groups, see rows.c */
} perp_contact_relaxer;

/* Numbers to a packed row. */
static inline int perp_contact_row_stride(int width, perp_part part)
{
  return 2 * width + (part == PERP_PART_PLAIN ? PERP_CONTACT_LOWER : PERP_CONTACT_EXTRA);
}

/* Scaled velocities of a block stand so far apart, each block within one cache line. */
static inline int perp_contact_block_stride(int width)
{
  return width == 6 ? 8 : 4;
}

perp_error perp_contact_relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                       int threads, unsigned orders, perp_arena *arena,
                                       perp_relaxer **relaxer);

/* For devices: groups by colour, velocities those of x. *rigid: a perp_contact_rigid, or NULL if the
 * rows are not those of rigid contacts; then *relaxer has packed rows, if they can be packed. */
perp_error perp_contact_coloured_create(const perp_operator *A, const double *b, const perp_set *K,
                                        double *x, perp_arena *arena,
                                        perp_contact_relaxer **relaxer, perp_relaxer **rigid);

/* For block sweeps: packed rows if they can be packed, groups in the order of the rows. */
perp_error perp_contact_rows_create(const perp_operator *A, const perp_set *K, perp_arena *arena,
                                    perp_contact_relaxer **relaxer);
/* A relaxer that keeps the velocities v of the operator itself, without sweeps. */
perp_error perp_contact_velocities_create(const perp_operator *A, perp_arena *arena,
                                          perp_contact_relaxer *relaxer);

/* Sweeps over contacts of planar bodies. *relaxer stays NULL if the rows are not those of planar
 * contacts. `groups` has its groups and width, and colours if a coloured sweep is asked for. */
perp_error perp_contact_planar_create(const perp_operator *A, const double *b,
                                      const perp_contact_relaxer *groups, perp_arena *arena,
                                      perp_relaxer **relaxer);

bool perp_operator_is_contact(const perp_operator *A);
/* Block sweeps, see block_relax.h. */
perp_error perp_contact_blocks_create(const perp_operator *A, const perp_set *K,
                                      const perp_block_list *blocks, perp_arena *arena,
                                      perp_block_relaxer **relaxer);

/* Fills group, colours, colour_start and coloured; at most `most` rows to a group. */
perp_error perp_contact_group_rows(const perp_contact *c, const perp_set *K, int most,
                                   bool coloured, perp_arena *arena, perp_contact_relaxer *r);

/* Packets of groups that share no block, for sweeps that relax those of a packet side by side. */
typedef struct perp_contact_packets {
  int count;         /* 0: one block meets most groups, and too few of them run abreast */
  int *group;        /* count x lanes; -1: nothing in this lane */
  int colours;       /* 0 if no coloured sweep is asked for */
  int *colour_start; /* colours + 1, in packets */
} perp_contact_packets;

/* By colour if the groups have colours, else by schedule. */
perp_error perp_contact_packets_create(const perp_contact *c, const perp_contact_relaxer *r,
                                       int lanes, perp_arena *arena, perp_contact_packets *packets);

/* Calls body(context) over all packets, those of a colour side by side; *first, in the context, is then
 * the first packet of the colour. */
void perp_contact_over_packets(const perp_contact_packets *packets, bool coloured, int threads,
                               perp_range_body body, void *context, int *first);

/* Lays the groups down in the order in which the sweeps asked for visit them, if that is one;
 * sets single. */
perp_error perp_contact_lay_groups(const perp_contact *c, perp_arena *arena,
                                   perp_contact_relaxer *r);

/* 6 or 4 if rows and blocks are small enough to be packed, else 0. */
int perp_contact_packed_width(const perp_contact *c);
/* *L = the factors of all blocks of Minv, width x width each; NULL if a block has none. */
perp_error perp_contact_factor(const perp_contact *c, int width, perp_arena *arena, double **L);
/* G_ik += J_ik L_k, where p = (i, k) */
void perp_contact_scale_pair(const perp_contact *c, int64_t p, int width, const double *L,
                             double *G);
