/* contacts.h: the rows of a problem with friction, contact by contact
 *
 * A contact is a normal with the rows that follow it: the three rows of a cone and the rows whose
 * friction index is its normal; every other row is a contact of its own. */
#pragma once

#include "method/run/method.h"

/* The rows by contact. */
typedef struct perp_contacts {
  int n, count, cones; /* contacts c < cones begin with the three rows of a cone */
  int *start;          /* count + 1 */
  int *row;            /* n: those of contact c from start[c], the normal first */
  int *of;             /* n: the contact of each row */
  int64_t *block;      /* count + 1: where the numbers of a contact begin in T, row major */
  double *unit;        /* count: the largest A_ii of its rows, or the largest of all if that is 0 */
} perp_contacts;

/* In the run's arena. */
perp_error perp_contacts_list(perp_run *run, perp_contacts *contacts);

/* Whether contacts have few points to a pair of bodies, as those of balls; walls have more. By rows these
 * have long rows: more than 75 entries, balls up to 50. */
bool perp_contacts_have_few_points(const perp_operator *A);
bool perp_contacts_have_long_rows(const perp_operator *A);

static inline int perp_contact_rows(const perp_contacts *s, int c)
{
  return s->start[c + 1] - s->start[c];
}
