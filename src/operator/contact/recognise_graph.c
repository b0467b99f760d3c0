/* recognise_graph.c: which contacts share a body; see recognise.h
 *
 * Two edges g = (k, l) and h = (k, m) of a body k have as common neighbours the other edges of k, all
 * coupled with each other, and perhaps the edge (l, m), coupled with none of these. So if two of the
 * common neighbours are coupled, those that are coupled with another one are the rest of body k: all
 * bodies of four edges and more are found like that. What couplings are left then belong to bodies of
 * three edges, and of two.
 *
 * Cost: for each coupling a merge of two short lists. */
#include "operator/contact/recognise.h"

#include <string.h>

typedef struct search {
  perp_body_graph *g;
  bool *covered; /* by coupling, as `near` lists them */
  int *common;   /* neighbours of two edges */
  bool *taken;   /* ... those of the body */
  int64_t room;  /* of member */
} search;

/* ---- Edges ---- */

static void sort_unique(int *list, int *count)
{
  int kept = 0;
  for (int i = 1; i < *count; i++) {
    const int v = list[i];
    int at = i;
    for (; at > 0 && list[at - 1] > v; at--)
      list[at] = list[at - 1];
    list[at] = v;
  }
  for (int i = 0; i < *count; i++)
    if (i == 0 || list[i] != list[kept - 1])
      list[kept++] = list[i];
  *count = kept;
}

/* The contacts that each contact is coupled with, itself among them, ascending. */
static bool couple_contacts(const perp_sparse *A, int contacts, const int *start, const int *row,
                            const int *contact, perp_arena *arena, int64_t **list_start, int **list)
{
  int *last;
  if (!PERP_TAKE(arena, PERP_ARRAY(*list_start, contacts + 1), PERP_ARRAY(last, contacts)))
    return false;
  for (int pass = 0; pass < 2; pass++) { /* counted, then stored */
    int64_t count = 0;
    for (int c = 0; c < contacts; c++)
      last[c] = -1;
    for (int c = 0; c < contacts; c++) {
      (*list_start)[c] = count;
      for (int k = start[c]; k < start[c + 1]; k++)
        for (int64_t e = A->start[row[k]]; e < A->start[row[k] + 1]; e++) {
          const int other = contact[A->column[e]];
          if (last[other] == c || A->value[e] == 0)
            continue;
          last[other] = c;
          if (pass > 0)
            (*list)[count] = other;
          count++;
        }
      int length = (int)(count - (*list_start)[c]);
      if (pass > 0)
        sort_unique(*list + (*list_start)[c], &length);
    }
    (*list_start)[contacts] = count;
    if (pass == 0 && !PERP_TAKE(arena, PERP_ARRAY(*list, count)))
      return false;
  }
  return true;
}

/* edge[c]: contacts with the same list are one edge. Returns the number of edges. */
static int merge_contacts(int contacts, const int64_t *list_start, const int *list, int *edge)
{
  int edges = 0;
  for (int c = 0; c < contacts; c++)
    edge[c] = -1;
  for (int c = 0; c < contacts; c++) {
    if (edge[c] >= 0)
      continue;
    const int64_t length = list_start[c + 1] - list_start[c];
    edge[c] = edges;
    for (int64_t e = list_start[c]; e < list_start[c + 1]; e++) {
      const int d = list[e];
      if (edge[d] < 0 && list_start[d + 1] - list_start[d] == length &&
          memcmp(list + list_start[c], list + list_start[d], (size_t)length * sizeof *list) == 0)
        edge[d] = edges;
    }
    edges++;
  }
  return edges;
}

/* The rows of each edge, in the order of the contacts. */
static void list_rows(int contacts, const int *start, const int *row, const int *edge,
                      perp_body_graph *g)
{
  memset(g->row_start, 0, ((size_t)g->edges + 1) * sizeof *g->row_start);
  for (int c = 0; c < contacts; c++)
    g->row_start[edge[c] + 1] += start[c + 1] - start[c];
  for (int e = 0; e < g->edges; e++)
    g->row_start[e + 1] += g->row_start[e];
  for (int c = 0; c < contacts; c++)
    for (int k = start[c]; k < start[c + 1]; k++) {
      g->of[row[k]] = edge[c];
      g->row[g->row_start[edge[c]]++] = row[k];
    }
  for (int e = g->edges; e > 0; e--)
    g->row_start[e] = g->row_start[e - 1];
  g->row_start[0] = 0;
}

/* The neighbours of each edge are those of its first contact. */
static void list_near(int contacts, const int64_t *list_start, const int *list, const int *edge,
                      perp_body_graph *g)
{
  int64_t count = 0;
  int next = 0;
  for (int c = 0; c < contacts; c++) {
    if (edge[c] != next)
      continue;
    g->near_start[next++] = count;
    int length = 0;
    for (int64_t e = list_start[c]; e < list_start[c + 1]; e++)
      if (edge[list[e]] != edge[c])
        g->near[count + length++] = edge[list[e]];
    sort_unique(g->near + count, &length);
    count += length;
  }
  g->near_start[g->edges] = count;
}

/* ---- Bodies ---- */

/* The place of the coupling of g with h in `near`, -1: there is none. */
static int64_t coupling(const perp_body_graph *g, int a, int b)
{
  int64_t low = g->near_start[a], high = g->near_start[a + 1];
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (g->near[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g->near_start[a + 1] && g->near[low] == b ? low : -1;
}

/* common <- edges coupled with both; open: by couplings that no body covers yet. */
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

/* The body of a, b and the common edges that are taken; false: an edge would have three, or a coupling
 * two. */
static bool add_body(search *s, int a, int b, int count)
{
  perp_body_graph *g = s->g;
  const int64_t begin = g->body_start[g->bodies];
  int64_t end = begin;
  if (begin + count + 2 > s->room)
    return false;
  g->member[end++] = a;
  g->member[end++] = b;
  for (int k = 0; k < count; k++)
    if (s->taken[k])
      g->member[end++] = s->common[k];
  for (int64_t i = begin; i < end; i++) {
    const int e = g->member[i];
    if (g->second[e] >= 0)
      return false;
    *(g->first[e] < 0 ? &g->first[e] : &g->second[e]) = (int)i;
    for (int64_t j = begin; j < end; j++) {
      const int64_t at = i == j ? -1 : coupling(g, e, g->member[j]);
      if (i != j && (at < 0 || s->covered[at]))
        return false;
      if (i != j)
        s->covered[at] = true;
    }
  }
  g->body_start[++g->bodies] = end;
  return true;
}

/* The body of the coupling of a with b, if it has four edges or more. */
static bool take_large(search *s, int a, int b)
{
  const int count = find_common(s, a, b, false);
  int found = 0;
  for (int k = 0; k < count; k++) {
    s->taken[k] = false;
    for (int l = 0; l < count && !s->taken[k]; l++)
      s->taken[k] = l != k && coupling(s->g, s->common[k], s->common[l]) >= 0;
    found += s->taken[k];
  }
  return found < 2 || add_body(s, a, b, count);
}

/* The body of three edges, or two. */
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
    for (int a = 0; a < g->edges; a++)
      for (int64_t e = g->near_start[a]; e < g->near_start[a + 1]; e++)
        if (!s->covered[e] &&
            !(pass == 0 ? take_large(s, a, g->near[e]) : take_small(s, a, g->near[e])))
          return false;
  for (int e = 0; e < g->edges; e++) /* alone */
    if (g->first[e] < 0) {
      if (g->body_start[g->bodies] == s->room)
        return false;
      g->first[e] = (int)g->body_start[g->bodies];
      g->member[g->first[e]] = e;
      g->body_start[g->bodies + 1] = g->first[e] + 1;
      g->bodies++;
    }
  return true;
}

bool perp_body_graph_find(const perp_sparse *A, int contacts, const int *start, const int *row,
                          perp_arena *arena, perp_body_graph *g, bool *memory)
{
  const size_t n = (size_t)A->n;
  int *contact, *edge, *list;
  int64_t *list_start;
  *g = (perp_body_graph){0};
  *memory = PERP_TAKE(arena, PERP_ARRAY(contact, n), PERP_ARRAY(edge, contacts));
  if (!*memory)
    return false;
  for (int c = 0; c < contacts; c++)
    for (int k = start[c]; k < start[c + 1]; k++)
      contact[row[k]] = c;
  *memory = couple_contacts(A, contacts, start, row, contact, arena, &list_start, &list);
  if (!*memory)
    return false;
  g->edges = merge_contacts(contacts, list_start, list, edge);
  const size_t edges = (size_t)g->edges, couplings = (size_t)list_start[contacts];
  search s = {.g = g, .room = 2 * g->edges};
  *memory = PERP_TAKE_INTEGERS(arena, n, &g->row, &g->of) &&
            PERP_TAKE_INTEGERS(arena, edges + 1, &g->row_start, &g->first, &g->second, &s.common) &&
            PERP_TAKE(arena, PERP_ARRAY(g->near_start, edges + 1), PERP_ARRAY(g->near, couplings),
                      PERP_ARRAY(g->body_start, 2 * edges + 2), PERP_ARRAY(g->member, 2 * edges),
                      PERP_ARRAY(s.taken, edges + 1)) &&
            PERP_TAKE_ZERO(arena, PERP_ARRAY(s.covered, couplings));
  if (!*memory)
    return false;
  list_rows(contacts, start, row, edge, g);
  list_near(contacts, list_start, list, edge, g);
  return find_bodies(&s);
}
