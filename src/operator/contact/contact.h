/* contact.h: internal interface of the contact operator
 *
 *   A = J Minv J^T + C
 *
 * A pair is a row of J together with one block of Minv that the row touches; its entries of J are
 * adjacent, because columns ascend. Pairs are numbered row by row, with blocks ascending in each
 * row. */
#pragma once

#include "base/memory.h"
#include "base/message.h"
#include "base/threads.h"
#include "linalg/sparse_ldlt.h"
#include "operator/block_relax.h"
#include "operator/contact/row_update.h"
#include "operator/pattern.h"
#include "operator/relax.h"
#include <perp/operator.h>

/* ---- A mass matrix that is not block diagonal (mass.c) ----
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

typedef struct perp_contact {
  perp_operator base;
  perp_contact_data data; /* with block_start, also if the caller gave none */
  perp_arena memory;      /* holds copies and all arrays below */

  int64_t *pair_start;      /* rows + 1: first pair of each row */
  int64_t *pair_entry;      /* pairs + 1: first entry of J of each pair */
  int *pair_row;            /* pairs */
  int *pair_block;          /* pairs */
  int64_t *pair_W;          /* pairs: start of each pair's part of W */
  double *W;                /* Minv_k J_ik^T of pair (i, k), the whole block, pair after pair */
  double *diagonal;         /* rows: A_ii */
  int64_t *block_list;      /* blocks + 1: first place of each block in block_pair */
  int64_t *block_pair;      /* pairs by block, rows ascending in each */
  const double **M;         /* blocks: start of each block of Minv */
  perp_pattern C;           /* with empty rows if there is no C */
  bool C_is_diagonal;       /* or absent */
  bool complete;            /* all arrays have been built */
  bool copied, made_blocks; /* data and block_start are owned by `memory` */
  bool made_J, made_C;      /* J, built from bodies, and C, built from its diagonal, are owned by
                             * `memory` */

  /* The source that a refresh reads borrowed arrays from; NULL members: none. */
  perp_contact_bodies bodies;
  const double *C_diagonal;
  perp_mass *mass; /* M is not block diagonal: `data` are made from it; NULL otherwise */
} perp_contact;

static inline const perp_contact *perp_contact_of(const perp_operator *A)
{
  return (const perp_contact *)A;
}

/* The operator of Newton methods: A, or J with M in place of its factors. */
static inline const perp_contact *perp_contact_newton(const perp_operator *A)
{
  const perp_contact *c = perp_contact_of(A);
  return c->mass && c->mass->plain ? perp_contact_of(c->mass->plain) : c;
}

static inline int perp_contact_block_size(const perp_contact *c, int block)
{
  return c->data.block_start[block + 1] - c->data.block_start[block];
}

/* Returns true if rows i and j touch the same blocks. */
static inline bool perp_contact_same_blocks(const perp_contact *c, int i, int j)
{
  const int64_t *start = c->pair_start, count = start[i + 1] - start[i];
  bool same = start[j + 1] - start[j] == count;
  for (int64_t k = 0; k < count && same; k++)
    same = c->pair_block[start[i] + k] == c->pair_block[start[j] + k];
  return same;
}

/* (C x)_i */
static inline double perp_contact_C_row(const perp_contact *c, int i, const double *x)
{
  return perp_add_row(0, c->C.start[i], c->C.start[i + 1], c->data.C_value, c->C.column, x);
}

/* J_ik W_jk with p = (i, k) and q = (j, k) */
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

/* y_i = J_i v + (C x)_i + b_i */
static inline double perp_contact_row_value(const perp_contact *c, int i, const double *x, double b,
                                            const double *v)
{
  const perp_contact_data *d = &c->data;
  return perp_add_row(b + perp_contact_C_row(c, i, x), d->J_start[i], d->J_start[i + 1], d->J_value,
                      d->J_column, v);
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
/* Reads the values again, and recomputes W and the diagonal. */
perp_error perp_contact_refresh(perp_operator *A, perp_message *why);
void perp_contact_destroy(perp_operator *A);

/* v <- Minv u, with a mass matrix M^-1 u; both as many as the caller gave, and `room`. Returns false if
 * the callback failed. */
bool perp_contact_times_Minv(const perp_contact *c, const double *Minv, const double *u, double *v,
                             double *room);

/* Rows that one thread relaxes in sequence, all with the same blocks. */
typedef struct perp_contact_group {
  int row, count; /* rows row .. row + count - 1 */
  int slot;       /* of its first row in the packed data */
  int a, b;       /* packed blocks; a = b if the rows touch only one */
  bool waits;     /* shares a block with the preceding group, in a sweep of single rows */
} perp_contact_group;

typedef struct perp_contact_relaxer {
  perp_relaxer base;
  perp_bounds bounds;
  unsigned orders;       /* bits 1 << order of the sweeps that will be used */
  const double *inverse; /* 1 / A_ii */
  double *v;             /* velocities, if packed scaled by the factor of their block */
  int width;             /* 6 or 4; 0: rows are not packed */
  int packed_blocks;     /* the blocks of Minv, and one for each group that touches none */
  double *packed;        /* see rows.c */

  int groups;
  perp_contact_group *group;
  bool single;           /* one row per group, with `waits` set */
  int colours;           /* 0 if no coloured sweep will be used */
  int *colour_start;     /* colours + 1 */
  int *coloured;         /* groups by colour, ascending in each */
  perp_range_body range; /* relaxes groups, see rows.c */
} perp_contact_relaxer;

/* Doubles per packed row. */
static inline int perp_contact_row_stride(int width, perp_part part)
{
  return 2 * width + (part == PERP_PART_PLAIN ? PERP_CONTACT_LOWER : PERP_CONTACT_EXTRA);
}

/* Doubles from one block's scaled velocities to the next; each block is within one cache line. */
static inline int perp_contact_block_stride(int width)
{
  return width == 6 ? 8 : 4;
}

perp_error perp_contact_relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                       unsigned orders, perp_arena *arena, perp_relaxer **relaxer);

/* Creates packed rows for block sweeps, if they can be packed, with groups in the order of the
 * rows. */
perp_error perp_contact_rows_create(const perp_operator *A, const perp_set *K, perp_arena *arena,
                                    perp_contact_relaxer **relaxer);
/* Creates a relaxer without sweeps that keeps the velocities v of the operator. */
perp_error perp_contact_velocities_create(const perp_operator *A, perp_arena *arena,
                                          perp_contact_relaxer *relaxer);

bool perp_operator_is_contact(const perp_operator *A);
/* Creates block sweeps (block_relax.h); *relaxer stays NULL if a block is not a group of packed rows. */
perp_error perp_contact_blocks_create(const perp_operator *A, const perp_set *K,
                                      const perp_block_list *blocks, perp_arena *arena,
                                      perp_block_relaxer **relaxer);

/* Fills group, colours, colour_start and coloured; at most `most` rows per group. */
perp_error perp_contact_group_rows(const perp_contact *c, const perp_set *K, int most,
                                   bool coloured, perp_arena *arena, perp_contact_relaxer *r);

/* Stores the groups in the order in which the sweeps visit them, if all sweeps use one order; sets
 * single. */
perp_error perp_contact_lay_groups(const perp_contact *c, perp_arena *arena,
                                   perp_contact_relaxer *r);

/* Returns the packed width, 6 or 4, or 0 if rows or blocks are too large to be packed. */
int perp_contact_packed_width(const perp_contact *c);
/* M = L L^T, L lower triangular with rows of `width`, zeros on entry. A pivot that is zero up to
 * rounding gives a column of zeros, as for velocities that never change. Returns false if M is not
 * positive semi-definite. */
bool perp_contact_factor_block(int size, const double *M, int width, double *L);
/* *L = the factors of all blocks of Minv, width x width each; NULL if a block has no factor. */
perp_error perp_contact_factor(const perp_contact *c, int width, perp_arena *arena, double **L);
/* G_ik += J_ik L_k with p = (i, k) */
void perp_contact_scale_pair(const perp_contact *c, int64_t p, int width, const double *L,
                             double *G);
