/* operator/contact_planar.h: sweeps over contacts of planar bodies, two at a time; see
 * contact_planar.c */
#ifndef PERP_OPERATOR_CONTACT_PLANAR_H
#define PERP_OPERATOR_CONTACT_PLANAR_H

#include "operator/contact.h"

/* *relaxer stays NULL where the rows are not those of planar contacts. `groups` has its groups and
 * width, and colours where a coloured sweep is asked for. */
perp_error perp_contact_planar_create(const perp_operator *A, const double *b,
                                      const perp_contact_relaxer *groups, perp_arena *arena,
                                      perp_relaxer **relaxer);

#endif
