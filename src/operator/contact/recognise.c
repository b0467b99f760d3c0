/* recognise.c: the numbers of the bodies behind a contact matrix (recognise.h), whose graph
 * body_graph.c finds
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
 * A body is tried again only after another of its parts became known, a body of more than LARGE rows
 * after twice as many are known, or half as many are unknown; P and Q are taken from about LARGE of
 * its rows. So a body of c edges and r rows takes r^2 + c LARGE^2 steps for each of log c tries,
 * and all of them together are linear in the entries of A, up to the logarithm. */
#include "operator/contact/recognise.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include <math.h>

enum { WIDEST = 16, LARGE = 256 }; /* columns of B_k; rows of a body that are all used */

typedef struct numbers {
  const perp_sparse *A;
  perp_body_graph *g;
  perp_meter *meter;
  int freedom;      /* rank of a body with many contacts */
  int64_t *part_at; /* by edge: start of its G_ii for both bodies in `part` */
  double *part;
  bool *known;        /* by member: its part */
  int *body, *offset; /* by member: its body, its first row there */
  int *rows;          /* by body */
  double *diagonal;   /* n: of A */
  int loaded;         /* the body whose matrix is in G, or -1 */
  double *G, *W;      /* largest body: rows x rows */
  int *p, *q;         /* largest body: indices of P and Q, then of i */
  double *B;          /* by body: rows x rank */
  int64_t *B_start;   /* bodies + 1 */
  int *rank;          /* by body */
  int *unknown;       /* by body: its unknown parts */
  int *tried;         /* by body: its unknown parts when it was last tried, or -1 */
  bool *stale;        /* by body: a part is known that was not when it was last tried */
  int first, last;    /* among these bodies are all stale ones */
  int single;         /* no body before has a single unknown part */
} numbers;

static int edge_rows(const perp_body_graph *g, int e)
{
  return g->row_start[e + 1] - g->row_start[e];
}

/* Returns the other position of the edge at this position of `member`, or -1. */
static int64_t other_place(const perp_body_graph *g, int64_t m)
{
  const int e = g->member[m];
  return g->first[e] == m ? g->second[e] : g->first[e];
}

/* G_ii of the edge at this position */
static double *part_of(const numbers *s, int64_t m)
{
  const int e = s->g->member[m], size = edge_rows(s->g, e);
  return s->part + s->part_at[e] + (s->g->first[e] == m ? 0 : (int64_t)size * size);
}

/* Copies the part at position m into the matrix of its body. */
static void put_part(const numbers *s, int64_t m)
{
  const int size = edge_rows(s->g, s->g->member[m]), count = s->rows[s->body[m]];
  for (int i = 0; i < size; i++)
    perp_copy(size, part_of(s, m) + (int64_t)i * size,
              s->G + (int64_t)(s->offset[m] + i) * count + s->offset[m]);
}

/* G <- the matrix of body k, with the known parts */
static void load_body(numbers *s, int k)
{
  const perp_body_graph *g = s->g;
  const perp_sparse *A = s->A;
  const int count = s->rows[k];
  s->loaded = k;
  perp_fill((int64_t)count * count, 0, s->G);
  for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++) {
    const int e = g->member[m];
    for (int i = 0; i < edge_rows(g, e); i++) {
      const int row = g->row[g->row_start[e] + i];
      double *out = s->G + (int64_t)(s->offset[m] + i) * count;
      for (int64_t t = A->start[row]; t < A->start[row + 1]; t++) {
        const int column = A->column[t], other = g->of[column];
        int place = g->first[other];
        place = s->body[place] == k ? place : g->second[other];
        if (other != e && place >= 0 && s->body[place] == k)
          out[s->offset[place] + g->in[column]] = A->value[t];
      }
      perp_meter_count(s->meter, count + 4 * (A->start[row + 1] - A->start[row]));
    }
    if (s->known[m])
      put_part(s, m);
  }
}

/* ---- Parts of edges ---- */

/* Eliminates in W, rows x columns, with all sufficiently large pivots from the first P rows and Q
 * columns, or `most` of them; returns the number of pivots. */
static int eliminate(double *W, int rows, int columns, int P, int Q, int most)
{
  const double none = 1e-9;
  double first = 0;
  for (int k = 0; k < most; k++) {
    int r = -1, c = -1;
    double largest = 0;
    for (int i = k; i < P; i++)
      for (int j = k; j < Q; j++)
        if (fabs(W[(int64_t)i * columns + j]) > largest) {
          largest = fabs(W[(int64_t)i * columns + j]);
          r = i;
          c = j;
        }
    first = k == 0 ? largest : first;
    if (!(largest > none * first))
      return k;
    perp_swap(columns, W + (int64_t)r * columns, W + (int64_t)k * columns);
    for (int64_t i = 0; i < rows; i++)
      perp_swap(1, W + i * columns + c, W + i * columns + k);
    const double *pivot = W + (int64_t)k * columns;
    for (int i = k + 1; i < rows; i++) {
      double *row = W + (int64_t)i * columns;
      const double factor = row[k] / pivot[k];
      for (int j = k; j < columns && factor != 0; j++)
        row[j] -= factor * pivot[j];
    }
  }
  return most;
}

/* p and q <- P and Q for the edge at position m of body k, then the rows of the edge itself.
 * Returns the number of other edges whose parts are unknown. */
static int choose_rows(const numbers *s, int k, int64_t m, bool all, int *P, int *Q)
{
  const perp_body_graph *g = s->g;
  int unknown = 0, step = all ? 1 : 1 + (s->rows[k] - 1) / LARGE, last_p = -1, last_q = -1;
  while (step > 1 && (step % 2 == 0 || step % 3 == 0)) /* meets all directions of a contact */
    step++;
  *P = *Q = 0;
  for (int64_t t = g->body_start[k]; t < g->body_start[k + 1]; t++) {
    for (int i = 0; i < edge_rows(g, g->member[t]) && t != m; i++) {
      if ((s->known[t] || unknown % 2 == 0) && ++last_p % step == 0)
        s->p[(*P)++] = s->offset[t] + i;
      if ((s->known[t] || unknown % 2 == 1) && ++last_q % step == 0)
        s->q[(*Q)++] = s->offset[t] + i;
    }
    unknown += t != m && !s->known[t];
  }
  for (int i = 0; i < edge_rows(g, g->member[m]); i++)
    s->p[*P + i] = s->q[*Q + i] = s->offset[m] + i;
  perp_meter_count(s->meter, s->rows[k]);
  return unknown;
}

/* Determines the part of the edge at position m of body k; returns false if that is impossible.
 * least: if all others are known, uses the smallest part that leaves G_k positive semi-definite,
 * whatever its rank. */
static bool find_part(numbers *s, int k, int64_t m, bool least)
{
  const int count = s->rows[k], size = edge_rows(s->g, s->g->member[m]);
  int P, Q;
  if (s->loaded != k)
    load_body(s, k);
  const int unknown = choose_rows(s, k, m, least, &P, &Q);
  const int most = least ? WIDEST : s->freedom + 1;
  if ((least ? unknown > 0 : P < s->freedom || Q < s->freedom) ||
      !perp_meter_count(s->meter, (int64_t)(P + size) * (Q + size) * most))
    return false;
  for (int i = 0; i < P + size; i++)
    for (int j = 0; j < Q + size; j++)
      s->W[(int64_t)i * (Q + size) + j] =
          i >= P && j >= Q ? 0 : s->G[(int64_t)s->p[i] * count + s->q[j]];
  if (eliminate(s->W, P + size, Q + size, P, Q, most) != s->freedom && !least)
    return false;
  double *part = part_of(s, m);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      part[i * size + j] = -0.5 * (s->W[(int64_t)(P + i) * (Q + size) + Q + j] +
                                   s->W[(int64_t)(P + j) * (Q + size) + Q + i]);
  return true;
}

/* The part at position m <- A's block for its edge less the part of the edge's other body. */
static void take_rest(const numbers *s, int64_t m, int64_t other)
{
  const perp_body_graph *g = s->g;
  const perp_sparse *A = s->A;
  const int e = g->member[m], size = edge_rows(g, e);
  double *part = part_of(s, m);
  perp_fill((int64_t)size * size, 0, part);
  for (int i = 0; i < size; i++) {
    const int row = g->row[g->row_start[e] + i];
    for (int64_t t = A->start[row]; t < A->start[row + 1]; t++)
      if (g->of[A->column[t]] == e)
        part[(int64_t)i * size + g->in[A->column[t]]] = A->value[t];
    perp_meter_count(s->meter, size + A->start[row + 1] - A->start[row]);
  }
  if (other >= 0)
    perp_axpy((int64_t)size * size, -1, part_of(s, other), part);
}

/* Ways to determine a part: by rank; all of A for an edge of one body; the smallest part. */
typedef enum means { CERTAIN, WHOLE, LEAST } means;

static void mark_stale(numbers *s, int k)
{
  s->stale[k] = true;
  s->first = k < s->first ? k : s->first;
  s->last = k > s->last ? k : s->last;
}

/* Determines the part of the edge at position m of body k. */
static void try_part(numbers *s, int k, int64_t m, means by)
{
  const int64_t other = other_place(s->g, m);
  if ((other >= 0 && s->known[other]) || (other < 0 && by == WHOLE))
    take_rest(s, m, other);
  else if (by == WHOLE || !find_part(s, k, m, by == LEAST))
    return;
  s->known[m] = true;
  if (s->loaded == k)
    put_part(s, m);
  mark_stale(s, k);
  if (--s->unknown[k] == 1 && k < s->single)
    s->single = k;
  if (other >= 0)
    mark_stale(s, s->body[other]);
}

static void try_body(numbers *s, int k, means by)
{
  const perp_body_graph *g = s->g;
  s->loaded = -1;
  for (int64_t m = g->body_start[k]; m < g->body_start[k + 1] && s->unknown[k] > 0; m++)
    if (!s->known[m] && !s->meter->rang)
      try_part(s, k, m, by);
}

/* Returns true if enough parts of body k are known that were not when it was last tried. */
static bool is_worth_trying(const numbers *s, int k)
{
  const int members = (int)(s->g->body_start[k + 1] - s->g->body_start[k]);
  const int known = members - s->unknown[k], before = members - s->tried[k];
  return s->rows[k] <= LARGE || s->tried[k] < 0 || known > 2 * before ||
         2 * s->unknown[k] <= s->tried[k];
}

/* Tries the stale bodies in their order, until none is left. Returns false if the alarm rang. */
static bool try_stale(numbers *s)
{
  while (s->first <= s->last) {
    const int first = s->first, last = s->last;
    s->first = s->g->bodies;
    s->last = -1;
    for (int k = first; k <= last || k <= s->last; k++) {
      if (!s->stale[k])
        continue;
      if (!perp_meter_count(s->meter, 1))
        return false;
      s->stale[k] = false;
      if (!is_worth_trying(s, k))
        continue;
      s->tried[k] = s->unknown[k];
      try_body(s, k, CERTAIN);
    }
  }
  return !s->meter->rang;
}

/* Determines all parts; returns false if some stay unknown, or if the alarm rang. Less certain means
 * are used only if no other part can be determined, and LEAST for one part before the others are
 * tried again. */
static bool find_parts(numbers *s)
{
  const int bodies = s->g->bodies;
  s->first = s->single = bodies;
  s->last = -1;
  for (int k = 0; k < bodies; k++)
    mark_stale(s, k);
  if (!try_stale(s))
    return false;
  for (int k = 0; k < bodies; k++)
    try_body(s, k, WHOLE);
  while (try_stale(s)) {
    while (s->single < bodies && s->unknown[s->single] != 1)
      s->single++;
    if (s->single == bodies)
      break;
    try_body(s, s->single, LEAST);
  }
  for (int k = 0; k < bodies; k++)
    if (s->unknown[k] > 0)
      return false;
  return !s->meter->rang;
}

/* If an edge of one body does not take all of A's block for it, the rest becomes a second body that
 * touches nothing else. */
static void add_single_bodies(const numbers *s)
{
  const double none = 1e-11;
  perp_body_graph *g = s->g;
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
    s->body[m] = g->bodies;
    s->offset[m] = 0;
    s->rows[g->bodies] = size;
    g->body_start[++g->bodies] = m + 1;
  }
}

/* ---- Bodies ---- */

/* B <- the factor of G, count rows, by the largest pivots down to `none`; returns its rank, -1 if
 * that is too high. Overwrites G. */
static int factor_body(double *G, int count, double none, double *B, perp_meter *meter)
{
  for (int r = 0;; r++) {
    int best = 0;
    for (int i = 1; i < count; i++)
      if (G[(int64_t)i * count + i] > G[(int64_t)best * count + best])
        best = i;
    const double pivot = G[(int64_t)best * count + best];
    if (!(pivot > none))
      return r;
    if (r == WIDEST || !perp_meter_count(meter, (int64_t)count * count))
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
  const perp_body_graph *g = s->g;
  s->B_start[0] = 0;
  for (int k = 0; k < g->bodies; k++) {
    double top = 0; /* scale of A: a part may be the difference of two larger numbers */
    for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++)
      for (int t = g->row_start[g->member[m]]; t < g->row_start[g->member[m] + 1]; t++)
        top = perp_max(top, s->diagonal[g->row[t]]);
    load_body(s, k);
    s->rank[k] = factor_body(s->G, s->rows[k], rounding * top, s->B + s->B_start[k], s->meter);
    if (s->rank[k] < 0)
      return false;
    s->B_start[k + 1] = s->B_start[k] + (int64_t)s->rows[k] * WIDEST;
  }
  return true;
}

/* ---- The operator ---- */

/* Writes J: the rows of each edge, its bodies ascending. All blocks have one size, for faster factors: a
 * body of higher rank takes two, and velocities may be left that no row has. */
static bool make_data(const numbers *s, perp_arena *arena, perp_contact_data *data)
{
  const perp_body_graph *g = s->g;
  const int n = s->A->n, size = s->freedom;
  int *first, *block_start, *J_column, blocks = 0;
  int64_t *J_start, count = 0;
  double *J_value, *Minv;
  if (!PERP_TAKE(arena, PERP_ARRAY(first, g->bodies), PERP_ARRAY(J_start, n + 1),
                 PERP_ARRAY(J_column, 2 * WIDEST * (int64_t)n),
                 PERP_ARRAY(J_value, 2 * WIDEST * (int64_t)n)))
    return false;
  for (int k = 0; k < g->bodies; k++) {
    first[k] = size * blocks;
    blocks += (s->rank[k] + size - 1) / size;
  }
  if (!PERP_TAKE(arena, PERP_ARRAY(block_start, blocks + 1)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(Minv, (int64_t)blocks * size * size)))
    return false;
  for (int k = 0; k <= blocks; k++)
    block_start[k] = size * k;
  for (int64_t v = 0; v < (int64_t)size * blocks; v++)
    Minv[v * size + v % size] = 1;
  for (int i = 0; i < n; i++) {
    int place[2] = {g->first[g->of[i]], g->second[g->of[i]]};
    if (place[1] >= 0 && s->body[place[1]] < s->body[place[0]]) {
      const int swap = place[0];
      place[0] = place[1];
      place[1] = swap;
    }
    J_start[i] = count;
    for (int t = 0; t < 2 && place[t] >= 0; t++) {
      const int k = s->body[place[t]];
      const double *B = s->B + s->B_start[k] + (int64_t)(s->offset[place[t]] + g->in[i]) * WIDEST;
      for (int c = 0; c < s->rank[k]; c++) {
        J_column[count] = first[k] + c;
        J_value[count++] = B[c];
      }
    }
  }
  J_start[n] = count;
  *data = perp_contact_data_default();
  data->rows = n;
  data->velocities = size * blocks;
  data->J_start = J_start;
  data->J_column = J_column;
  data->J_value = J_value;
  data->blocks = blocks;
  data->block_start = block_start;
  data->Minv = Minv;
  return true;
}

/* Returns true if J J^T equals A in all entries of A; other entries have no common body. */
static bool is_equal(const perp_sparse *A, const perp_contact_data *d, const double *diagonal,
                     perp_meter *meter)
{
  const double tol = 1e-12;
  for (int i = 0; i < A->n; i++) {
    if (!perp_meter_count(meter, 16 * (A->start[i + 1] - A->start[i])))
      return false;
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
  }
  return true;
}

/* Allocates arrays for the parts, for twice the rows, and for the largest body. */
static bool take_memory(numbers *s, perp_arena *arena)
{
  const perp_body_graph *g = s->g;
  const size_t n = (size_t)s->A->n, most = 2 * (size_t)g->edges; /* bodies, members */
  int64_t parts = 0, largest = 0;
  if (!PERP_TAKE(arena, PERP_ARRAY(s->part_at, g->edges), PERP_ARRAY(s->B_start, most + 1)) ||
      !PERP_TAKE_INTEGERS(arena, most, &s->rank, &s->body, &s->offset, &s->rows, &s->unknown,
                          &s->tried) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(s->known, most), PERP_ARRAY(s->stale, most),
                      PERP_ARRAY(s->diagonal, n)))
    return false;
  for (int e = 0; e < g->edges; e++) {
    s->part_at[e] = parts;
    parts += 2 * (int64_t)edge_rows(g, e) * edge_rows(g, e);
  }
  for (int k = 0; k < g->bodies; k++) {
    s->rows[k] = 0;
    s->tried[k] = -1;
    s->unknown[k] = (int)(g->body_start[k + 1] - g->body_start[k]);
    for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++) {
      s->body[m] = k;
      s->offset[m] = s->rows[k];
      s->rows[k] += edge_rows(g, g->member[m]);
    }
    largest = s->rows[k] > largest ? s->rows[k] : largest;
  }
  for (int i = 0; i < s->A->n; i++)
    for (int64_t t = s->A->start[i]; t < s->A->start[i + 1]; t++)
      if (s->A->column[t] == i)
        s->diagonal[i] = s->A->value[t];
  return PERP_TAKE(arena, PERP_ARRAY(s->part, parts), PERP_ARRAY(s->B, 2 * n * WIDEST),
                   PERP_ARRAY(s->G, largest * largest), PERP_ARRAY(s->W, largest * largest)) &&
         PERP_TAKE_INTEGERS(arena, (size_t)largest, &s->p, &s->q);
}

perp_error perp_contact_recognise(const perp_sparse *A, int contacts, const int *start,
                                  const int *row, const perp_alarm *alarm, perp_arena *arena,
                                  perp_contact_data *data)
{
  perp_body_graph g;
  perp_meter meter = {.alarm = alarm};
  bool memory;
  *data = perp_contact_data_default();
  if (!perp_body_graph_find(A, contacts, start, row, &meter, arena, &g, &memory))
    return memory ? PERP_OK : PERP_ERROR_MEMORY;
  numbers s = {.A = A, .g = &g, .meter = &meter, .freedom = 3};
  for (int c = 0; c < contacts; c++)
    if (start[c + 1] - start[c] > 2)
      s.freedom = 6;
  if (!take_memory(&s, arena))
    return PERP_ERROR_MEMORY;
  if (!find_parts(&s))
    return PERP_OK;
  add_single_bodies(&s);
  if (!factor_bodies(&s))
    return PERP_OK;
  if (!make_data(&s, arena, data))
    return PERP_ERROR_MEMORY;
  if (!is_equal(A, data, s.diagonal, &meter))
    *data = perp_contact_data_default();
  return PERP_OK;
}
