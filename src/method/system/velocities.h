/* velocities.h: linear systems of a contact operator, solved in the velocities of its bodies
 *
 *   (A + diag(d)) z + e o z_normal = r,   A = J Minv J^T + C with C diagonal,
 *
 * of linear.h. In rows with an infinite d the equation is  z_i = -e_i z_normal  instead: 0, or tied
 * to the normal. Not symmetric: what follows a normal is not followed by it.
 *
 * With D the matrix of d, C and e, which is inverted contact by contact, and v = Minv J^T z
 *
 *   (I + Minv J^T D^-1 J) v = Minv J^T D^-1 r,     z = D^-1 (r - J v):
 *
 * six unknowns to a body however many contacts it has. */
#pragma once

#include "method/system/body_matrix.h"

typedef struct perp_velocities {
  perp_run *run;
  const perp_contact *contact;
  perp_contact_data bodies; /* of which the factor knows blocks, block_start, velocities: copies */
  int64_t *pair_start;      /* n + 1: those of the contact operator, to know the pattern again */
  int *pair_block;          /* */
  int n, m;                 /* rows and velocities */
  const int *normal;        /* n, -1: none; the caller's */
  double *own;              /* n: the diagonal of C */
  double *inverse;          /* n: 1 / (d + C), 0 if d is infinite */
  const double *d, *e;      /* n each, the caller's */

  int64_t *touch_start;   /* n + 1: the blocks of a row and its normal */
  int *touch;             /* ascending in each row */
  int64_t *piece_start;   /* n + 1 */
  perp_body_block *piece; /* by row: own blocks x blocks touched */
  double *combined;       /* one row of D^-1 J */
  double *v, *t;          /* m and n */
  bool six;               /* bodies have 6 velocities each, and a row those of its normal */

  perp_body_matrix M; /* I + Minv J^T D^-1 J */
} perp_velocities;

/* Takes the rest of the run's arena: open it last. Closed whatever comes back, and not to be used
 * if the run has expired meanwhile. A is a contact operator with a diagonal C. */
perp_error perp_velocities_open(perp_velocities *s, perp_run *run, const int *normal);
void perp_velocities_close(perp_velocities *s);
/* For the operator that the run has now, with the same normals, as if opened for it. False if its
 * pattern is another one: close it then. */
bool perp_velocities_reopen(perp_velocities *s, perp_run *run);

/* Row i of D^-1 J is own times row i of J and of_normal times that of its normal; false if both
 * are 0. */
static inline bool perp_velocities_weights(const perp_velocities *s, int i, double *own,
                                           double *of_normal)
{
  const int j = s->normal[i];
  *own = s->inverse[i];
  *of_normal = j < 0 ? 0 : -s->e[i] * s->inverse[j] * (*own == 0 ? 1 : *own);
  return *own != 0 || *of_normal != 0;
}

/* For bodies with 6 velocities, all of which are stored in each row of theirs: loops of known
 * lengths, with the bits of those for all bodies (velocities_six.c). */
bool perp_velocities_are_six(const perp_velocities *s);
void perp_velocities_six_assemble(perp_velocities *s);               /* M <- M + Minv J^T D^-1 J */
void perp_velocities_six_gather(perp_velocities *s);                 /* v <- v + Minv J^T t */
void perp_velocities_six_error(perp_velocities *s, const double *r); /* t <- r - J v */

/* d and e are the caller's and stay until the next set. False if there is no factor, or if one
 * would take longer than what is left. */
bool perp_velocities_set(perp_velocities *s, const double *d, const double *e);
/* z <- z + the solution for r, as the factor gives it; r counts nothing if d is infinite. */
void perp_velocities_add(perp_velocities *s, const double *r, double *z);
