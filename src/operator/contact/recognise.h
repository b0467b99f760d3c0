/* operator/contact/recognise.h: the bodies behind a matrix of contacts
 *
 * A matrix A = J Minv J^T that comes by rows has lost its bodies. Contacts are coupled if they share
 * one, so the graph of contacts is the line graph of a graph whose vertices are the bodies, and its
 * edges the contacts: each body is a set of contacts that are all coupled with each other, each
 * contact belongs to two of them or to one, and each coupling to one (Krausz 1943).
 *
 *   A = sum over the bodies k of G_k,   G_k = B_k B_k^T over the rows of its contacts,
 *
 * with a B_k of six columns in space, three in the plane. J made of all B_k, and Minv = I, is A. */
#pragma once

#include "linalg/sparse_factor.h"
#include "operator/contact/contact.h"

/* Contact c has the rows row[start[c]] .. row[start[c + 1] - 1]; every row belongs to one. `data` has
 * J and unit blocks Minv, in the arena, with J J^T = A to 1e-12 of its diagonal; no rows if none were
 * found. PERP_ERROR_MEMORY. */
perp_error perp_contact_recognise(const perp_sparse *A, int contacts, const int *start,
                                  const int *row, perp_arena *arena, perp_contact_data *data);
