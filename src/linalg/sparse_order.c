/* sparse_order.c: an order of elimination of a sparse symmetric matrix by minimum degree (Amestoy,
 * Davis, Duff 1996)
 *
 * The remaining graph is kept as a quotient graph. An eliminated row becomes an element e, whose
 * list L_e holds the rows that its elimination joined: column e of the factor. A remaining row i
 * has a list E_i of elements and a list A_i of rows, and its neighbours are A_i and the union of
 * L_e, e in E_i. Eliminating p makes the element
 *
 *   L_p = A_p and the union of L_e, e in E_p, without p,
 *
 * absorbs all e in E_p, and removes from A_i, i in L_p, the rows of L_p. The degree of i, which
 * would need the size of a union, is replaced by the bound
 *
 *   d_i = |A_i| + |L_p - i| + sum |L_e - L_p| over the other e in E_i.
 *
 * |A_i| + |E_i| never grows, so these lists stay in the place of the matrix rows. All L_e together
 * are the factor's pattern, and they are kept: memory is one int for each of its entries. Ties go
 * to the row whose degree was set last. Time is about that of the symbolic factor. Rows with many
 * more entries than others (5 sqrt(n)) would be met in every step and are eliminated late anyway:
 * they come last. */
#include "linalg/sparse_factor.h"

#include <math.h>
#include <string.h>

typedef struct {
  perp_arena *arena;
  int n;
  int64_t *first; /* start of E_i, then A_i, in `list` */
  int *list;
  int *elements, *rows;     /* |E_i|, |A_i| */
  int64_t *member_first;    /* of L_e in `member` */
  int *member_count;        /* 0: absorbed, or not an element */
  int *member;              /* grows */
  int64_t used, capacity;   /* of member */
  int *head, *next, *prior; /* rows by degree, doubly linked */
  int *degree;              /* -1: eliminated */
  int *mark, *seen;         /* the step in which a row joined L_p, or an element's outside was
                             * set */
  int *outside;             /* |L_e - L_p| */
  int least;                /* lower bound of the degrees */
} quotient;

static void take_out(quotient *g, int i)
{
  if (g->prior[i] >= 0)
    g->next[g->prior[i]] = g->next[i];
  else
    g->head[g->degree[i]] = g->next[i];
  if (g->next[i] >= 0)
    g->prior[g->next[i]] = g->prior[i];
}

static void put_in(quotient *g, int i, int degree)
{
  g->degree[i] = degree;
  g->prior[i] = -1;
  g->next[i] = g->head[degree];
  if (g->next[i] >= 0)
    g->prior[g->next[i]] = i;
  g->head[degree] = i;
  if (degree < g->least)
    g->least = degree;
}

static bool make_room(quotient *g, int64_t count)
{
  if (g->used + count <= g->capacity)
    return true;
  const int *member = g->member;
  g->capacity = 2 * g->capacity + count;
  if (!PERP_TAKE(g->arena, PERP_ARRAY(g->member, g->capacity)))
    return false;
  memcpy(g->member, member, (size_t)g->used * sizeof *member);
  return true;
}

/* Makes L_p at the end of the members; marks its rows with `step` and unlinks their degrees. */
static bool join(quotient *g, int p, int step)
{
  int64_t most = g->rows[p];
  const int *E = g->list + g->first[p], *A = E + g->elements[p];
  for (int k = 0; k < g->elements[p]; k++)
    most += g->member_count[E[k]];
  if (!make_room(g, most))
    return false;
  g->member_first[p] = g->used;
  g->mark[p] = step;
  for (int k = -1; k < g->elements[p]; k++) {
    const int count = k < 0 ? g->rows[p] : g->member_count[E[k]];
    const int *from = k < 0 ? A : g->member + g->member_first[E[k]];
    for (int t = 0; t < count; t++) {
      const int i = from[t];
      if (g->mark[i] == step || g->degree[i] < 0)
        continue;
      g->mark[i] = step;
      take_out(g, i);
      g->member[g->used++] = i;
    }
    if (k >= 0)
      g->member_count[E[k]] = 0;
  }
  g->member_count[p] = (int)(g->used - g->member_first[p]);
  g->elements[p] = g->rows[p] = 0;
  return true;
}

/* Updates the lists and the degree of row i of L_p. */
static void renew(quotient *g, int i, int p, int step, int left)
{
  int *E = g->list + g->first[i];
  const int *A = E + g->elements[i];
  const int elements = g->elements[i], rows = g->rows[i], room = elements + rows;
  int kept = 0;
  int64_t degree = g->member_count[p] - 1;
  const int64_t before = g->degree[i] + degree;
  for (int k = 0; k < elements; k++) {
    const int e = E[k];
    if (g->member_count[e] == 0)
      continue;
    if (g->outside[e] == 0) { /* L_e is a subset of L_p */
      g->member_count[e] = 0;
      continue;
    }
    degree += g->outside[e];
    E[kept++] = e;
  }
  /* p takes the place of a row or element that is gone: p itself, or one that p absorbed. A_i is moved
   * behind E_i; if E_i did not shrink, `held` keeps the row that would be overwritten. If none is gone,
   * since A_pi had no counterpart, one is left out: such entries are rounding. */
  int held = -1, at = kept + 1, count = 0;
  for (int k = 0; k < rows; k++) {
    const int j = A[k];
    if (g->mark[j] == step || g->degree[j] < 0)
      continue;
    if (A + k < E + at) {
      held = j;
      continue;
    }
    E[at + count++] = j;
  }
  if (held >= 0 && at + count < room)
    E[at + count++] = held;
  if (kept < room)
    E[kept++] = p;
  g->elements[i] = kept;
  g->rows[i] = count;
  degree += count;
  degree = degree < before ? degree : before;
  put_in(g, i, (int)(degree < left ? degree : left));
}

static bool eliminate(quotient *g, int p, int step)
{
  take_out(g, p);
  g->degree[p] = -1;
  if (!join(g, p, step))
    return false;
  const int *L = g->member + g->member_first[p];
  for (int t = 0; t < g->member_count[p]; t++) {
    const int *E = g->list + g->first[L[t]];
    for (int k = 0; k < g->elements[L[t]]; k++) {
      const int e = E[k];
      if (g->member_count[e] == 0)
        continue;
      if (g->seen[e] != step) {
        g->seen[e] = step;
        g->outside[e] = g->member_count[e];
      }
      g->outside[e]--;
    }
  }
  for (int t = 0; t < g->member_count[p]; t++)
    renew(g, L[t], p, step, g->n - step - 2);
  return true;
}

static bool is_dense(int n, int64_t entries)
{
  const double most = 5 * sqrt((double)n);
  return entries > 16 && (double)entries > most;
}

/* Sets up lists and degrees of all rows that take part. Returns their number. */
static int open_rows(quotient *g, const int64_t *start, const int *column)
{
  const int n = g->n;
  int64_t at = 0;
  int count = 0;
  for (int i = 0; i <= n; i++)
    g->head[i] = -1;
  g->least = n;
  for (int i = 0; i < n; i++)
    g->degree[i] = is_dense(n, start[i + 1] - start[i]) ? -1 : 0;
  for (int i = 0; i < n; i++) {
    g->first[i] = at;
    for (int64_t e = start[i]; e < start[i + 1] && g->degree[i] == 0; e++)
      if (column[e] != i && g->degree[column[e]] == 0)
        g->list[at++] = column[e];
    g->elements[i] = g->member_count[i] = 0;
    g->mark[i] = g->seen[i] = -1;
    g->rows[i] = (int)(at - g->first[i]);
    count += g->degree[i] == 0;
  }
  for (int i = n - 1; i >= 0; i--)
    if (g->degree[i] == 0)
      put_in(g, i, g->rows[i]);
  return count;
}

bool perp_sparse_order_degree(const perp_sparse *A, perp_arena *arena, int *order)
{
  const int n = A->n;
  const int64_t *start = A->start;
  const perp_arena_mark mark = perp_arena_hold(arena);
  quotient g = {.n = n, .capacity = start[n] + n, .arena = arena};
  const size_t size = (size_t)n;
  bool done = PERP_TAKE(arena, PERP_ARRAY(g.first, size), PERP_ARRAY(g.list, start[n]),
                        PERP_ARRAY(g.member_first, size), PERP_ARRAY(g.head, size + 1)) &&
              PERP_TAKE_INTEGERS(arena, size, &g.elements, &g.rows, &g.member_count, &g.next,
                                 &g.prior, &g.degree, &g.mark, &g.seen, &g.outside) &&
              PERP_TAKE(arena, PERP_ARRAY(g.member, g.capacity));
  const int count = done ? open_rows(&g, start, A->column) : 0;
  int last = n;
  for (int i = n - 1; i >= 0 && done; i--)
    if (g.degree[i] < 0)
      order[--last] = i;
  for (int step = 0; step < count && done; step++) {
    while (g.head[g.least] < 0)
      g.least++;
    order[step] = g.head[g.least];
    done = eliminate(&g, order[step], step);
  }
  perp_arena_release(arena, mark);
  return done;
}
