/* recognise.c: finds the bodies behind a contact matrix (recognise.h): first their graph, then
 * their numbers
 *
 * Two edges g = (k, l) and h = (k, m) of a body k have as common neighbours the other edges of k,
 * all coupled with each other, and perhaps the edge (l, m), not coupled with any of these. So if
 * two of the common neighbours are coupled, all common neighbours that are coupled with another one
 * form the rest of body k. This finds all bodies of four edges and more. The remaining couplings
 * belong to bodies of three edges, and of two.
 *
 * Cost: for each coupling a merge of two short lists.
 *
 * G_k is A between different edges of body k. For an edge with itself, A is the sum of two bodies;
 * only the rank of G_k, six, separates them. If P and Q are rows of G_k whose entries G_PQ are
 * known and have rank six, then for the rows i of an edge
 *
 *   G_ii = G_iQ G_PQ^+ G_Pi,
 *
 * which elimination with six pivots from G_PQ gives. P and Q must not share an edge whose own part
 * is unknown. So the edges of a body with seven balls around it, or three boxes, are found first.
 * Once one part of an edge is known, so is the other, and bodies with few edges follow. If no more
 * parts can be determined, an edge of only one body, as at the ground, is given entirely to that
 * body; and if a body has one unknown edge left, that edge gets the smallest part that leaves G_k
 * positive semi-definite, G_iQ G_QQ^+ G_Qi with all others in Q. The other body then gets the
 * excess, at the cost of a higher rank.
 *
 * In piles in which most balls have at most five contacts no bodies are found.
 *
 * Each G_k is then factored, B_k B_k^T, with the largest pivots. Errors of wrong guesses show up
 * there, or in the final check, which compares all entries of J J^T with A.
 *
 * A body is tried again only after another of its parts became known. Cost: at most bodies times the
 * cube of their rows. */
#include "operator/contact/recognise.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 16 }; /* columns of B_k */

/* Contacts coupled with the same contacts, such as those between two stacked boxes, form one
 * edge. */
typedef struct body_graph {
  int edges;
  int *row_start, *row; /* edges + 1, n: the rows of an edge */
  int *of;              /* n: the edge of a row */
  int64_t *near_start;  /* edges + 1: the edges that an edge is coupled with, without itself */
  int *near;            /* ascending */
  int bodies;
  int64_t *body_start; /* bodies + 1 */
  int *member;         /* the edges of each body */
  int *first, *second; /* edges: positions in `member`, -1: none */
} body_graph;

/* ---- The graph of bodies ---- */

typedef struct search {
  body_graph *g;
  bool *covered; /* by coupling, in the order of `near` */
  int *common;   /* neighbours of two edges */
  bool *taken;   /* the common neighbours that belong to the body */
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

/* Lists the contacts that each contact is coupled with, including itself, ascending. */
static bool couple_contacts(const perp_sparse *A, int contacts, const int *start, const int *row,
                            const int *contact, perp_arena *arena, int64_t **list_start, int **list)
{
  int *last;
  if (!PERP_TAKE(arena, PERP_ARRAY(*list_start, contacts + 1), PERP_ARRAY(last, contacts)))
    return false;
  for (int pass = 0; pass < 2; pass++) { /* first counts, then stores */
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

/* Computes edge[c]; contacts with the same list form one edge. Returns the number of edges. */
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

/* Lists the rows of each edge, in the order of the contacts. */
static void list_rows(int contacts, const int *start, const int *row, const int *edge,
                      body_graph *g)
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

/* Lists the neighbours of each edge, the neighbours of its first contact. */
static void list_near(int contacts, const int64_t *list_start, const int *list, const int *edge,
                      body_graph *g)
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

/* Returns the position of the coupling of g with h in `near`, or -1. */
static int64_t coupling(const body_graph *g, int a, int b)
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

/* common <- edges coupled with both; open: only couplings that no body covers yet. */
static int find_common(search *s, int a, int b, bool open)
{
  const body_graph *g = s->g;
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
  body_graph *g = s->g;
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

/* Adds the body of the coupling of a with b, if it has four edges or more. */
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
  body_graph *g = s->g;
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
  for (int e = 0; e < g->edges; e++) /* edges without neighbours */
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

/* Returns false if the couplings cannot come from bodies, or if memory ran out (*memory). */
static bool find_graph(const perp_sparse *A, int contacts, const int *start, const int *row,
                       perp_arena *arena, body_graph *g, bool *memory)
{
  const size_t n = (size_t)A->n;
  int *contact, *edge, *list;
  int64_t *list_start;
  *g = (body_graph){0};
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

/* ---- The numbers of the bodies ---- */

typedef struct numbers {
  const perp_sparse *A;
  body_graph *g;
  int freedom;      /* rank of a body with many contacts */
  int64_t *part_at; /* by edge: start of its G_ii for both bodies in `part` */
  double *part;
  bool *known;       /* by member */
  double *diagonal;  /* n: of A */
  int *at;           /* n: index of a row in the current body, -1: not in it */
  double *G, *W;     /* largest body: rows x rows */
  int *rows, *p, *q; /* largest body: its rows; indices of P and Q, then of i */
  double *B;         /* by body: rows x rank */
  int64_t *B_start;  /* bodies + 1 */
  int *rank;         /* by body */
} numbers;

static int edge_rows(const body_graph *g, int e)
{
  return g->row_start[e + 1] - g->row_start[e];
}

/* Returns the other position of the edge at this position of `member`, or -1. */
static int64_t other_place(const body_graph *g, int64_t m)
{
  const int e = g->member[m];
  return g->first[e] == m ? g->second[e] : g->first[e];
}

/* G_ii of the edge at this position */
static double *part_of(const numbers *s, int64_t m)
{
  const int e = s->g->member[m], size = edge_rows(s->g, e);
  return s->part + s->part_at[e] + (s->g->first[e] == m ? 0 : size * size);
}

/* out <- the block of A for an edge with itself */
static void take_own(const numbers *s, int e, double *out)
{
  const body_graph *g = s->g;
  const int size = edge_rows(g, e), *row = g->row + g->row_start[e];
  perp_fill((int64_t)size * size, 0, out);
  for (int k = 0; k < size; k++)
    for (int64_t t = s->A->start[row[k]]; t < s->A->start[row[k] + 1]; t++)
      if (g->of[s->A->column[t]] == e)
        for (int l = 0; l < size; l++)
          if (row[l] == s->A->column[t])
            out[k * size + l] = s->A->value[t];
}

/* Collects rows and G of body k, with the known parts; returns the number of rows. */
static int take_body(const numbers *s, int k)
{
  const body_graph *g = s->g;
  int count = 0;
  for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++)
    for (int t = g->row_start[g->member[m]]; t < g->row_start[g->member[m] + 1]; t++) {
      s->at[g->row[t]] = count;
      s->rows[count++] = g->row[t];
    }
  perp_fill((int64_t)count * count, 0, s->G);
  for (int i = 0; i < count; i++)
    for (int64_t t = s->A->start[s->rows[i]]; t < s->A->start[s->rows[i] + 1]; t++) {
      const int column = s->A->column[t], j = s->at[column];
      if (j >= 0 && g->of[column] != g->of[s->rows[i]])
        s->G[(int64_t)i * count + j] = s->A->value[t];
    }
  int first = 0;
  for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++) {
    const int size = edge_rows(g, g->member[m]);
    for (int i = 0; i < size && s->known[m]; i++)
      for (int j = 0; j < size; j++)
        s->G[(int64_t)(first + i) * count + first + j] = part_of(s, m)[i * size + j];
    first += size;
  }
  for (int i = 0; i < count; i++)
    s->at[s->rows[i]] = -1;
  return count;
}

/* ---- Parts of edges ---- */

/* Eliminates in W, rows x columns, with all sufficiently large pivots from the first P rows and Q
 * columns; returns the number of pivots. */
static int eliminate(double *W, int rows, int columns, int P, int Q)
{
  const double none = 1e-9;
  double first = 0;
  for (int k = 0;; k++) {
    int r = -1, c = -1;
    double most = 0;
    for (int i = k; i < P; i++)
      for (int j = k; j < Q; j++)
        if (fabs(W[(int64_t)i * columns + j]) > most) {
          most = fabs(W[(int64_t)i * columns + j]);
          r = i;
          c = j;
        }
    first = k == 0 ? most : first;
    if (!(most > none * first))
      return k;
    for (int j = 0; j < columns; j++) {
      const double t = W[(int64_t)r * columns + j];
      W[(int64_t)r * columns + j] = W[(int64_t)k * columns + j];
      W[(int64_t)k * columns + j] = t;
    }
    for (int i = 0; i < rows; i++) {
      const double t = W[(int64_t)i * columns + c];
      W[(int64_t)i * columns + c] = W[(int64_t)i * columns + k];
      W[(int64_t)i * columns + k] = t;
    }
    const double *pivot = W + (int64_t)k * columns;
    for (int i = k + 1; i < rows; i++) {
      double *row = W + (int64_t)i * columns;
      const double factor = row[k] / pivot[k];
      for (int j = k; j < columns && factor != 0; j++)
        row[j] -= factor * pivot[j];
    }
  }
}

/* p and q <- P and Q for the edge at position m of body k, then the rows of the edge itself.
 * Returns the number of other edges whose parts are unknown. */
static int choose_rows(const numbers *s, int k, int64_t m, int *P, int *Q)
{
  const body_graph *g = s->g;
  int first = 0, own = 0, unknown = 0;
  *P = *Q = 0;
  for (int64_t t = g->body_start[k]; t < g->body_start[k + 1]; t++) {
    const int size = edge_rows(g, g->member[t]);
    if (t == m) {
      own = first;
    } else {
      for (int i = 0; i < size && (s->known[t] || unknown % 2 == 0); i++)
        s->p[(*P)++] = first + i;
      for (int i = 0; i < size && (s->known[t] || unknown % 2 == 1); i++)
        s->q[(*Q)++] = first + i;
      unknown += !s->known[t];
    }
    first += size;
  }
  for (int i = 0; i < edge_rows(g, g->member[m]); i++)
    s->p[*P + i] = s->q[*Q + i] = own + i;
  return unknown;
}

/* Determines the part of the edge at position m of body k; returns false if that is impossible.
 * least: if all others are known, uses the smallest part that leaves G_k positive semi-definite,
 * whatever its rank. */
static bool find_part(const numbers *s, int k, int64_t m, bool least)
{
  const int count = take_body(s, k), size = edge_rows(s->g, s->g->member[m]);
  int P, Q;
  const int unknown = choose_rows(s, k, m, &P, &Q);
  if (least ? unknown > 0 : P < s->freedom || Q < s->freedom)
    return false;
  for (int i = 0; i < P + size; i++)
    for (int j = 0; j < Q + size; j++)
      s->W[(int64_t)i * (Q + size) + j] =
          i >= P && j >= Q ? 0 : s->G[(int64_t)s->p[i] * count + s->q[j]];
  if (eliminate(s->W, P + size, Q + size, P, Q) != s->freedom && !least)
    return false;
  double *part = part_of(s, m);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      part[i * size + j] = -0.5 * (s->W[(int64_t)(P + i) * (Q + size) + Q + j] +
                                   s->W[(int64_t)(P + j) * (Q + size) + Q + i]);
  return true;
}

/* The part at position m <- A less the part of the edge's other body. */
static void take_rest(const numbers *s, int64_t m, int64_t other)
{
  const int e = s->g->member[m], size = edge_rows(s->g, e);
  take_own(s, e, part_of(s, m));
  if (other >= 0)
    perp_axpy((int64_t)size * size, -1, part_of(s, other), part_of(s, m));
}

/* Ways to determine a part: by rank; all of A for an edge of one body; the smallest part. */
typedef enum means { CERTAIN, WHOLE, LEAST } means;

/* Bodies whose parts may be determined since others were: no body is tried again before that. */
typedef struct {
  numbers *s;
  int *of_member, *unknown; /* body of a member; number of unknown parts of a body */
  bool *stale;              /* by body: a part is known that was not when it was last tried */
  int first, last;          /* among these bodies are all stale ones */
  int single;               /* no body before has a single unknown part */
} progress;

static void mark_stale(progress *p, int k)
{
  p->stale[k] = true;
  p->first = k < p->first ? k : p->first;
  p->last = k > p->last ? k : p->last;
}

/* Determines the part of the edge at position m of body k. */
static void try_part(progress *p, int k, int64_t m, means by)
{
  numbers *s = p->s;
  const int64_t other = other_place(s->g, m);
  if ((other >= 0 && s->known[other]) || (other < 0 && by == WHOLE))
    take_rest(s, m, other);
  else if (by == WHOLE || !find_part(s, k, m, by == LEAST))
    return;
  s->known[m] = true;
  mark_stale(p, k);
  if (--p->unknown[k] == 1 && k < p->single)
    p->single = k;
  if (other >= 0)
    mark_stale(p, p->of_member[other]);
}

static void try_body(progress *p, int k, means by)
{
  const body_graph *g = p->s->g;
  for (int64_t m = g->body_start[k]; m < g->body_start[k + 1] && p->unknown[k] > 0; m++)
    if (!p->s->known[m])
      try_part(p, k, m, by);
}

/* Tries the stale bodies in their order, until none is left. Returns false if the alarm rang. */
static bool try_stale(progress *p, const perp_alarm *alarm)
{
  while (p->first <= p->last) {
    const int first = p->first, last = p->last;
    p->first = p->s->g->bodies;
    p->last = -1;
    for (int k = first; k <= last || k <= p->last; k++) {
      if (!p->stale[k])
        continue;
      if (alarm->rings && alarm->rings(alarm->context))
        return false;
      p->stale[k] = false;
      try_body(p, k, CERTAIN);
    }
  }
  return true;
}

/* Determines all parts; returns false if some stay unknown, or if the alarm rang. Less certain means
 * are used only if no other part can be determined, and LEAST for one part before the others are
 * tried again. */
static bool find_parts(progress *p, const perp_alarm *alarm)
{
  const body_graph *g = p->s->g;
  for (int k = 0; k < g->bodies; k++) {
    p->unknown[k] = (int)(g->body_start[k + 1] - g->body_start[k]);
    for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++)
      p->of_member[m] = k;
    mark_stale(p, k);
  }
  if (!try_stale(p, alarm))
    return false;
  for (int k = 0; k < g->bodies; k++)
    try_body(p, k, WHOLE);
  while (try_stale(p, alarm)) {
    while (p->single < g->bodies && p->unknown[p->single] != 1)
      p->single++;
    if (p->single == g->bodies)
      break;
    try_body(p, p->single, LEAST);
  }
  for (int k = 0; k < g->bodies; k++)
    if (p->unknown[k] > 0)
      return false;
  return true;
}

/* If an edge of one body does not take all of A's block for it, the rest becomes a second body that
 * touches nothing else. */
static void add_single_bodies(const numbers *s)
{
  const double none = 1e-11;
  body_graph *g = s->g;
  for (int e = 0; e < g->edges; e++) {
    if (g->second[e] >= 0)
      continue;
    const int size = edge_rows(g, e);
    const int64_t m = g->body_start[g->bodies];
    g->member[m] = e;
    g->second[e] = (int)m;
    take_rest(s, m, g->first[e]);
    if (perp_norm_inf((int64_t)size * size, part_of(s, m)) <=
        none * perp_norm_inf((int64_t)size * size, part_of(s, g->first[e]))) {
      g->second[e] = -1;
      continue;
    }
    s->known[m] = true;
    g->body_start[++g->bodies] = m + 1;
  }
}

/* ---- Bodies ---- */

/* B <- the factor of G, count rows, by the largest pivots down to `none`; returns its rank, -1 if
 * that is too high. Overwrites G. */
static int factor_body(double *G, int count, double none, double *B)
{
  for (int r = 0;; r++) {
    int best = 0;
    for (int i = 1; i < count; i++)
      if (G[(int64_t)i * count + i] > G[(int64_t)best * count + best])
        best = i;
    const double pivot = G[(int64_t)best * count + best];
    if (!(pivot > none))
      return r;
    if (r == WIDEST)
      return -1;
    const double scale = 1 / sqrt(pivot);
    for (int i = 0; i < count; i++)
      B[(int64_t)i * WIDEST + r] = G[(int64_t)i * count + best] * scale;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++)
        G[(int64_t)i * count + j] -= B[(int64_t)i * WIDEST + r] * B[(int64_t)j * WIDEST + r];
    G[(int64_t)best * count + best] = 0;
  }
}

static bool factor_bodies(numbers *s)
{
  const double rounding = 1e-13;
  s->B_start[0] = 0;
  for (int k = 0; k < s->g->bodies; k++) {
    const int count = take_body(s, k);
    double top = 0; /* scale of A: a part may be the difference of two larger numbers */
    for (int i = 0; i < count; i++)
      top = perp_max(top, s->diagonal[s->rows[i]]);
    s->rank[k] = factor_body(s->G, count, rounding * top, s->B + s->B_start[k]);
    if (s->rank[k] < 0)
      return false;
    s->B_start[k + 1] = s->B_start[k] + (int64_t)count * WIDEST;
  }
  return true;
}

/* ---- The operator ---- */

/* Writes J: the rows of each edge, its bodies ascending. */
static bool make_data(const numbers *s, perp_arena *arena, perp_contact_data *data)
{
  const body_graph *g = s->g;
  const int n = s->A->n;
  int *block_start, *J_column, *of_member, *row_in;
  int64_t *J_start;
  double *J_value, *Minv;
  if (!PERP_TAKE(arena, PERP_ARRAY(block_start, g->bodies + 1), PERP_ARRAY(J_start, n + 1),
                 PERP_ARRAY(J_column, 2 * WIDEST * (int64_t)n),
                 PERP_ARRAY(J_value, 2 * WIDEST * (int64_t)n),
                 PERP_ARRAY(of_member, g->body_start[g->bodies]),
                 PERP_ARRAY(row_in, g->body_start[g->bodies])))
    return false;
  int64_t squares = 0;
  block_start[0] = 0;
  for (int k = 0; k < g->bodies; k++) {
    int first = 0;
    block_start[k + 1] = block_start[k] + s->rank[k];
    squares += (int64_t)s->rank[k] * s->rank[k];
    for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++) {
      of_member[m] = k;
      row_in[m] = first;
      first += edge_rows(g, g->member[m]);
    }
  }
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(Minv, squares)))
    return false;
  double *unit = Minv;
  for (int k = 0; k < g->bodies; unit += (int64_t)s->rank[k] * s->rank[k], k++)
    for (int i = 0; i < s->rank[k]; i++)
      unit[i * (s->rank[k] + 1)] = 1;
  int64_t count = 0;
  for (int i = 0; i < n; i++) {
    const int e = g->of[i];
    int in = 0;
    while (g->row[g->row_start[e] + in] != i)
      in++;
    int place[2] = {g->first[e], g->second[e]};
    if (place[1] >= 0 && of_member[place[1]] < of_member[place[0]]) {
      place[0] = g->second[e];
      place[1] = g->first[e];
    }
    J_start[i] = count;
    for (int t = 0; t < 2 && place[t] >= 0; t++) {
      const int k = of_member[place[t]];
      const double *B = s->B + s->B_start[k] + (int64_t)(row_in[place[t]] + in) * WIDEST;
      for (int c = 0; c < s->rank[k]; c++) {
        J_column[count] = block_start[k] + c;
        J_value[count++] = B[c];
      }
    }
  }
  J_start[n] = count;
  *data = perp_contact_data_default();
  data->rows = n;
  data->velocities = block_start[g->bodies];
  data->J_start = J_start;
  data->J_column = J_column;
  data->J_value = J_value;
  data->blocks = g->bodies;
  data->block_start = block_start;
  data->Minv = Minv;
  return true;
}

/* Returns true if J J^T equals A in all entries of A; other entries have no common body. */
static bool is_equal(const perp_sparse *A, const perp_contact_data *d, const double *diagonal)
{
  const double tol = 1e-12;
  for (int i = 0; i < A->n; i++)
    for (int64_t t = A->start[i]; t < A->start[i + 1]; t++) {
      const int j = A->column[t];
      double sum = 0;
      for (int64_t p = d->J_start[i], q = d->J_start[j];
           p < d->J_start[i + 1] && q < d->J_start[j + 1];) {
        const int a = d->J_column[p], b = d->J_column[q];
        if (a == b)
          sum += d->J_value[p] * d->J_value[q];
        p += a <= b;
        q += b <= a;
      }
      if (!(fabs(sum - A->value[t]) <= tol * sqrt(diagonal[i] * diagonal[j])))
        return false;
    }
  return true;
}

/* Allocates arrays for the parts, for twice the rows, and for the largest body. */
static bool take_memory(numbers *s, perp_arena *arena)
{
  const body_graph *g = s->g;
  int64_t parts = 0, largest = 0;
  if (!PERP_TAKE(arena, PERP_ARRAY(s->part_at, g->edges), PERP_ARRAY(s->at, s->A->n),
                 PERP_ARRAY(s->B_start, 2 * g->edges + 1), PERP_ARRAY(s->rank, 2 * g->edges)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(s->known, 2 * g->edges)))
    return false;
  for (int e = 0; e < g->edges; e++) {
    s->part_at[e] = parts;
    parts += 2 * (int64_t)edge_rows(g, e) * edge_rows(g, e);
  }
  for (int k = 0; k < g->bodies; k++) {
    int64_t rows = 0;
    for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++)
      rows += edge_rows(g, g->member[m]);
    largest = rows > largest ? rows : largest;
  }
  if (!PERP_TAKE(arena, PERP_ARRAY(s->diagonal, s->A->n)))
    return false;
  for (int i = 0; i < s->A->n; i++) {
    s->at[i] = -1;
    s->diagonal[i] = 0;
    for (int64_t t = s->A->start[i]; t < s->A->start[i + 1]; t++)
      if (s->A->column[t] == i)
        s->diagonal[i] = s->A->value[t];
  }
  return PERP_TAKE(arena, PERP_ARRAY(s->part, parts),
                   PERP_ARRAY(s->B, 2 * (int64_t)s->A->n * WIDEST),
                   PERP_ARRAY(s->G, largest * largest), PERP_ARRAY(s->W, largest * largest)) &&
         PERP_TAKE_INTEGERS(arena, (size_t)largest, &s->rows, &s->p, &s->q);
}

perp_error perp_contact_recognise(const perp_sparse *A, int contacts, const int *start,
                                  const int *row, const perp_alarm *alarm, perp_arena *arena,
                                  perp_contact_data *data)
{
  body_graph g;
  bool memory;
  *data = perp_contact_data_default();
  if (!find_graph(A, contacts, start, row, arena, &g, &memory))
    return memory ? PERP_OK : PERP_ERROR_MEMORY;
  numbers s = {.A = A, .g = &g, .freedom = 6};
  bool plane = true;
  for (int c = 0; c < contacts; c++)
    plane = plane && start[c + 1] - start[c] <= 2;
  if (plane)
    s.freedom = 3;
  progress p = {.s = &s, .first = g.bodies, .last = -1};
  if (!take_memory(&s, arena) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(p.of_member, g.body_start[g.bodies]),
                      PERP_ARRAY(p.unknown, g.bodies), PERP_ARRAY(p.stale, g.bodies)))
    return PERP_ERROR_MEMORY;
  if (!find_parts(&p, alarm))
    return PERP_OK;
  add_single_bodies(&s);
  if (!factor_bodies(&s))
    return PERP_OK;
  if (!make_data(&s, arena, data))
    return PERP_ERROR_MEMORY;
  if (!is_equal(A, data, s.diagonal))
    *data = perp_contact_data_default();
  return PERP_OK;
}
