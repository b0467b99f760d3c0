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

#include "base/clock.h"
#include "linalg/sparse_factor.h"
#include "operator/contact/contact.h"

/* Contact c has the rows row[start[c]] .. row[start[c + 1] - 1]; every row belongs to one contact.
 * `data` gets J and unit blocks Minv, in the arena, with J J^T = A to 1e-12 of its diagonal; it has
 * no rows if no bodies were found, or if the alarm rang. Returns PERP_ERROR_MEMORY when out of memory. */
perp_error perp_contact_recognise(const perp_sparse *A, int contacts, const int *start,
                                  const int *row, const perp_alarm *alarm, perp_arena *arena,
                                  perp_contact_data *data);

/* ---- The graph of the bodies (body_graph.c) ----
 *
 * Contacts coupled with the same contacts, such as those between two stacked boxes, form one
 * edge. */

/* Work left until the next look at the alarm. A step is a few operations on numbers. */
typedef struct perp_meter {
  const perp_alarm *alarm;
  int64_t left;
  bool rang;
} perp_meter;

enum { PERP_METER_STEPS = 1 << 16 };

/* Counts `steps` of work; returns false once the alarm rang. */
static inline bool perp_meter_count(perp_meter *m, int64_t steps)
{
  for (m->left -= steps; m->left < 0; m->left += PERP_METER_STEPS)
    m->rang = m->rang || (m->alarm->rings && m->alarm->rings(m->alarm->context));
  return !m->rang;
}

typedef struct perp_body_graph {
  int edges;
  int *row_start, *row; /* edges + 1, n: the rows of an edge */
  int *of, *in;         /* n: the edge of a row, its position there */
  int64_t *near_start;  /* edges + 1: the edges that an edge is coupled with, without itself */
  int *near;            /* ascending */
  int bodies;
  int64_t *body_start; /* bodies + 1 */
  int *member;         /* the edges of each body; room for 2 edges */
  int *first, *second; /* edges: positions in `member`, -1: none */
} perp_body_graph;

/* The arguments of perp_contact_recognise (recognise.h). Returns false if the couplings cannot come
 * from bodies, if the alarm rings, or if memory ran out (*memory false). */
bool perp_body_graph_find(const perp_sparse *A, int contacts, const int *start, const int *row,
                          perp_meter *meter, perp_arena *arena, perp_body_graph *g, bool *memory);
