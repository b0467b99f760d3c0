/* body_rows.h: the rows of J and of Minv J^T by contact, packed over the bodies that a contact touches
 *
 * Newton steps use them many times in one solve: made once, each loop over a contact reads adjacent
 * numbers, and contacts of rigid bodies in space (three rows, blocks of six) and in the plane (two
 * rows, blocks of three) have loops of constant length. */
#pragma once

#include "method/contact/body_matrix.h"
#include "method/contact/contacts.h"

typedef struct perp_body_rows {
  const perp_contact_list *contacts;
  const perp_contact *contact; /* the operator of the last perp_body_rows_take */
  int body;                    /* velocities of each body, 0 if they differ */
  int64_t *touch_start;        /* count + 1: the bodies of each contact */
  int *touch;                  /* ascending for each contact */
  int64_t *piece_start;        /* count + 1 */
  perp_body_block *piece;      /* the caller's: blocks of M by contact, touched x touched */
  int64_t *start;              /* count + 1: J of a contact, row by row, then (Minv J^T)^T */
  double *number;
  double *product; /* T J of one contact */
} perp_body_rows;

/* Lists the bodies of the contacts, in the run's arena; contacts is the caller's. Returns false when
 * out of memory. */
bool perp_body_rows_open(perp_run *run, const perp_contact *c, const perp_contact_list *contacts,
                         perp_body_rows *s);
/* Reads the numbers of an operator with the same pattern. */
void perp_body_rows_take(perp_body_rows *s, const perp_contact *c);
/* v <- Minv J^T x */
void perp_body_rows_gather(const perp_body_rows *s, const double *x, double *v);
/* y <- J v */
void perp_body_rows_spread(const perp_body_rows *s, const double *v, double *y);
/* M <- M + Minv J^T T J */
void perp_body_rows_assemble(const perp_body_rows *s, const double *T);
