/* body_graph.c: finds the bodies of contacts in the couplings of a matrix
 *
 * Two edges g = (k, l) and h = (k, m) of a body k have as common neighbours the other edges of k,
 * all coupled with each other, and perhaps the edge (l, m), not coupled with any of these. So if
 * two of the common neighbours are coupled, all common neighbours that are coupled with another one
 * form the rest of body k. This finds all bodies of four edges and more. The remaining couplings
 * belong to bodies of three edges, and of two.
 *
 * An edge with three neighbours that are not coupled with each other (a claw) has no bodies. So in
 * the first pass a coupling without a body has at most two common neighbours, one with a body at
 * most one outside it, and an edge has at most four couplings without a body, two for each of its
 * bodies. Cost up to a logarithm: a body of c edges covers c^2 couplings in c^2 steps, the others
 * take a merge of two lists for each edge. Together that is linear in the entries of A. */
#include "operator/contact/recognise.h"

#include "linalg/vector.h"

#include <string.h>

typedef struct search {
  perp_body_graph *g;
  perp_meter *meter;
  bool *covered; /* by coupling, in the order of `near` */
  int *common;   /* neighbours of two edges */
  bool *taken;   /* the common neighbours that belong to the body */
} search;

/* Lists for each item the items coupled with it, ascending: item c has the rows row[start[c]] to
 * row[start[c + 1] - 1] of a symmetric pattern, and column j belongs to item of[j]. self: an item
 * is in its own list. */
static bool couple(const perp_sparse *A, int items, const int *start, const int *row, const int *of,
                   bool self, perp_arena *arena, int64_t **list_start, int **list)
{
  int *last;
  int64_t *end;
  if (!PERP_TAKE(arena, PERP_ARRAY(last, items)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(*list_start, items + 1), PERP_ARRAY(end, items)))
    return false;
  for (int pass = 0; pass < 2; pass++) { /* first counts, then stores */
    perp_fill_integers(items, -1, last);
    for (int c = 0; c < items; c++)
      for (int k = start[c]; k < start[c + 1]; k++)
        for (int64_t e = A->start[row[k]]; e < A->start[row[k] + 1]; e++) {
          const int other = of[A->column[e]];
          if (last[other] == c || (A->value && A->value[e] == 0) || (other == c && !self))
            continue;
          last[other] = c;
          if (pass > 0)
            (*list)[end[other]] = c;
          end[other]++;
        }
    if (pass > 0)
      break;
    for (int c = 0; c < items; c++) {
      (*list_start)[c + 1] = (*list_start)[c] + end[c];
      end[c] = (*list_start)[c];
    }
    if (!PERP_TAKE(arena, PERP_ARRAY(*list, (*list_start)[items])))
      return false;
  }
  return true;
}

static uint64_t hash(const int *list, int64_t length)
{
  uint64_t h = (uint64_t)length;
  for (int64_t k = 0; k < length; k++)
    h = (h ^ (uint64_t)list[k]) * 0x9e3779b97f4a7c15U;
  return h;
}

/* edge[c] <- the edge of contact c, first[e] <- its first contact; contacts with the same list form
 * one edge. Returns the number of edges. */
static int merge_contacts(int contacts, const int64_t *list_start, const int *list, uint64_t *key,
                          int *edge, int *first)
{
  int edges = 0;
  for (int c = 0; c < contacts; c++) {
    edge[c] = -1;
    key[c] = hash(list + list_start[c], list_start[c + 1] - list_start[c]);
  }
  for (int c = 0; c < contacts; c++) {
    if (edge[c] >= 0)
      continue;
    const int64_t length = list_start[c + 1] - list_start[c];
    edge[c] = edges;
    for (int64_t e = list_start[c]; e < list_start[c + 1]; e++) {
      const int d = list[e];
      if (edge[d] < 0 && key[d] == key[c] && list_start[d + 1] - list_start[d] == length &&
          memcmp(list + list_start[c], list + list_start[d], (size_t)length * sizeof *list) == 0)
        edge[d] = edges;
    }
    first[edges++] = c;
  }
  return edges;
}

/* Lists the rows of each edge, in the order of the contacts. */
static void list_rows(int contacts, const int *start, const int *row, const int *edge,
                      perp_body_graph *g)
{
  memset(g->row_start, 0, ((size_t)g->edges + 1) * sizeof *g->row_start);
  for (int c = 0; c < contacts; c++)
    for (int k = start[c]; k < start[c + 1]; k++) {
      g->of[row[k]] = edge[c];
      g->in[row[k]] = g->row_start[edge[c] + 1]++;
    }
  for (int e = 0; e < g->edges; e++)
    g->row_start[e + 1] += g->row_start[e];
  for (int k = 0; k < start[contacts]; k++)
    g->row[g->row_start[g->of[row[k]]] + g->in[row[k]]] = row[k];
}

/* common <- edges coupled with both; open: only couplings that no body covers yet. */
static int find_common(search *s, int a, int b, bool open)
{
  const perp_body_graph *g = s->g;
  int count = 0;
  int64_t p = g->near_start[a], q = g->near_start[b];
  while (p < g->near_start[a + 1] && q < g->near_start[b + 1]) {
    if (g->near[p] == g->near[q] && !(open && (s->covered[p] || s->covered[q])))
      s->common[count++] = g->near[p];
    const int x = g->near[p], y = g->near[q];
    p += x <= y;
    q += y <= x;
  }
  return count;
}

/* Adds the body of a, b and the common edges marked as taken; returns false if an edge would get a
 * third body, or a coupling a second. */
static bool add_body(search *s, int a, int b, int count)
{
  perp_body_graph *g = s->g;
  const int64_t begin = g->body_start[g->bodies];
  int64_t end = begin;
  if (begin + count + 2 > 2 * g->edges)
    return false;
  g->member[end++] = a;
  g->member[end++] = b;
  for (int k = 0; k < count; k++)
    if (s->taken[k])
      g->member[end++] = s->common[k];
  for (int64_t i = begin; i < end; i++) {
    const int e = g->member[i];
    if (g->second[e] >= 0 || !perp_meter_count(s->meter, 16 * (end - begin)))
      return false;
    *(g->first[e] < 0 ? &g->first[e] : &g->second[e]) = (int)i;
    for (int64_t j = begin; j < end; j++) {
      const int64_t at = i == j ? -1 : perp_row_find(g->near_start, g->near, e, g->member[j]);
      if (i != j && (at < 0 || s->covered[at]))
        return false;
      if (i != j)
        s->covered[at] = true;
    }
  }
  g->body_start[++g->bodies] = end;
  return true;
}

/* Adds the body of the coupling of a with b, if it has four edges or more. */
static bool take_large(search *s, int a, int b)
{
  const int count = find_common(s, a, b, false);
  int found = 0;
  for (int k = 0; k < count; k++) {
    int l = 0;
    while (l < count &&
           (l == k || perp_row_find(s->g->near_start, s->g->near, s->common[k], s->common[l]) < 0))
      l++;
    s->taken[k] = l < count;
    found += s->taken[k];
    if (k + 1 - found > 2 || !perp_meter_count(s->meter, 16 * (l + 1)))
      return false;
  }
  return found < 2 || (count - found < 2 && add_body(s, a, b, count));
}

/* Adds a body of three edges, or two. */
static bool take_small(search *s, int a, int b)
{
  const int count = find_common(s, a, b, true);
  for (int k = 0; k < count; k++)
    s->taken[k] = k == 0;
  return add_body(s, a, b, count);
}

static bool find_bodies(search *s)
{
  perp_body_graph *g = s->g;
  for (int e = 0; e < g->edges; e++)
    g->first[e] = g->second[e] = -1;
  g->bodies = 0;
  g->body_start[0] = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int a = 0; a < g->edges; a++) {
      int open = 0; /* couplings of a that have no body yet */
      for (int64_t e = g->near_start[a]; e < g->near_start[a + 1]; e++) {
        const int b = g->near[e];
        if (s->covered[e])
          continue;
        if (++open > 4 || !perp_meter_count(s->meter, g->near_start[a + 1] - g->near_start[a] +
                                                          g->near_start[b + 1] - g->near_start[b]))
          return false;
        if (!(pass == 0 ? take_large(s, a, b) : take_small(s, a, b)))
          return false;
      }
    }
  for (int e = 0; e < g->edges; e++) /* edges without neighbours */
    if (g->first[e] < 0) {
      if (g->body_start[g->bodies] == 2 * g->edges)
        return false;
      g->first[e] = (int)g->body_start[g->bodies];
      g->member[g->first[e]] = e;
      g->body_start[++g->bodies] = g->first[e] + 1;
    }
  return true;
}

bool perp_body_graph_find(const perp_sparse *A, int contacts, const int *start, const int *row,
                          perp_meter *meter, perp_arena *arena, perp_body_graph *g, bool *memory)
{
  const size_t n = (size_t)A->n, room = (size_t)contacts + 1;
  int *contact, *edge, *first, *one;
  perp_sparse list = {.n = contacts};
  int64_t *list_start;
  int *list_column;
  uint64_t *key;
  search s = {.g = g, .meter = meter};
  *memory = PERP_TAKE_INTEGERS(arena, n, &contact, &g->row, &g->of, &g->in) &&
            PERP_TAKE_INTEGERS(arena, room, &edge, &first, &one, &g->row_start, &g->first,
                               &g->second, &s.common) &&
            PERP_TAKE(arena, PERP_ARRAY(key, room), PERP_ARRAY(g->body_start, 2 * room),
                      PERP_ARRAY(g->member, 2 * room), PERP_ARRAY(s.taken, room));
  if (!*memory || !perp_meter_count(meter, 2 * A->start[n]))
    return false;
  for (int c = 0; c < contacts; c++)
    for (int k = start[c]; k < start[c + 1]; k++)
      contact[row[k]] = c;
  *memory = couple(A, contacts, start, row, contact, true, arena, &list_start, &list_column);
  if (!*memory || !perp_meter_count(meter, 4 * list_start[contacts]))
    return false;
  list.start = list_start;
  list.column = list_column;
  g->edges = merge_contacts(contacts, list.start, list.column, key, edge, first);
  for (int e = 0; e <= g->edges; e++)
    one[e] = e;
  list_rows(contacts, start, row, edge, g);
  *memory = couple(&list, g->edges, one, first, edge, false, arena, &g->near_start, &g->near) &&
            PERP_TAKE_ZERO(arena, PERP_ARRAY(s.covered, g->near_start[g->edges]));
  return *memory && find_bodies(&s);
}
