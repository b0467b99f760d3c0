/* operator/contact/recognise.h: recovers the bodies behind a contact matrix
 *
 * A matrix A = J Minv J^T given by rows no longer shows its bodies. Contacts are coupled if they
 * share a body, so the graph of contacts is the line graph of a graph with bodies as vertices and
 * contacts as edges: each body is a set of contacts that are all coupled with each other, each
 * contact belongs to one or two bodies, and each coupling to one (Krausz 1943).
 *
 *   A = sum over the bodies k of G_k,   G_k = B_k B_k^T over the rows of its contacts,
 *
 * where B_k has six columns in space, three in the plane. With J made of all B_k and Minv = I, J
 * J^T = A. */
#pragma once

#include "linalg/sparse_factor.h"
#include "operator/contact/contact.h"

/* Contact c has the rows row[start[c]] .. row[start[c + 1] - 1]; every row belongs to one contact.
 * `data` gets J and unit blocks Minv, in the arena, with J J^T = A to 1e-12 of its diagonal; it has
 * no rows if no bodies were found, or if the alarm rang. Returns PERP_ERROR_MEMORY when out of memory. */
perp_error perp_contact_recognise(const perp_sparse *A, int contacts, const int *start,
                                  const int *row, const perp_alarm *alarm, perp_arena *arena,
                                  perp_contact_data *data);
