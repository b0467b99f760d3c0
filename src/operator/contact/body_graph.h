/* operator/contact/body_graph.h: bodies as sets of contacts, from the couplings of a matrix
 *
 * Contacts coupled with the same contacts, such as those between two stacked boxes, form one
 * edge. */
#pragma once

#include "base/clock.h"
#include "linalg/sparse_factor.h"

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
