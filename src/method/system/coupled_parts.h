/* coupled_parts.h: what a system of coupled.h is made of: for coupled_open.c, which chooses, and
 * coupled.c */
#pragma once

#include "method/run/factor_cache.h"
#include "method/system/body_matrix.h"
#include "method/system/coupled.h"
#include "method/system/gather.h"

typedef enum perp_coupled_kind {
  PERP_BY_VELOCITIES,
  PERP_BY_MATRIX,
  PERP_BY_CONTACTS
} perp_coupled_kind;

struct perp_coupled {
  perp_keep keep; /* first */
  perp_run *run;
  size_t limit; /* bytes that were allowed */
  perp_coupled_kind kind;
  perp_contacts contacts; /* a copy */
  const double *T;        /* the caller's */
  double *own;            /* n */
  double *t;              /* n */

  const perp_contact *contact; /* velocities */
  perp_operator *seen;         /* ... those that were recognised, to be destroyed; NULL: A's own */
  double *scratch;             /* ... for products with it */
  double seen_error;           /* ... of a product, for x of size 1 */
  int64_t *pair_start;         /* ... a copy of its pattern */
  int *pair_block, *block_start;
  double *v;    /* m */
  double *rows; /* J of one contact, and T times it */

  perp_gathered entries; /* blocks */
  int *at;               /* count: where a block stands in the list of a contact */
  int *position;         /* n: of a row in its contact */

  int64_t *touch_start; /* count + 1: the blocks of M that a contact touches */
  int *touch;
  perp_body_block
      *piece;           /* velocities: by contact, touched x touched; blocks: by contact, touched */
  int64_t *piece_start; /* count + 1 */
  perp_contact_data bodies; /* of which M knows blocks, block_start, velocities */
  perp_body_matrix M;       /* to be closed */

  double *matrix, *scale; /* dense: n x n, n */
  int *swap;
  perp_lu lu;
  bool too_long;
};
