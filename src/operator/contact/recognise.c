/* recognise.c: the numbers of the bodies that recognise_graph.c finds; see recognise.h
 *
 * G_k is A between different edges of body k. What A has for an edge with itself is the sum of two
 * bodies: only G_k's rank, six, tells them apart. If P and Q are rows of G_k whose entries G_PQ are
 * known and have rank six, then for the rows i of an edge
 *
 *   G_ii = G_iQ G_PQ^+ G_Pi,
 *
 * which elimination with six pivots from G_PQ gives. P and Q have no edge in common whose own part is
 * not known yet. So the edges of a body of seven balls around it, or of three boxes, are found first.
 * Once one part of an edge is known so is the other, and bodies with few edges follow. If nothing tells
 * more, an edge of one body alone is all that body's, as at the ground; and if a body has one unknown
 * edge left that edge is given the least part that leaves G_k positive semi-definite, G_iQ G_QQ^+ G_Qi
 * with all others in Q. The other body then has more than its own, at the cost of a higher rank.
 *
 * Piles in which most balls have no more than five contacts stay without bodies.
 *
 * Each G_k is then factored, B_k B_k^T, with the largest pivots. Errors of wrong guesses show there,
 * and in the end: J J^T is compared with A in all entries.
 *
 * Cost: bodies times the cube of their rows, at the most. */
#include "operator/contact/recognise.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include <math.h>

enum { WIDEST = 16 }; /* columns of B_k */

typedef struct numbers {
  const perp_sparse *A;
  perp_body_graph *g;
  int freedom;      /* the rank of a body with many contacts */
  int64_t *part_at; /* by edge: where its G_ii of both bodies begin in `part` */
  double *part;
  bool *known;       /* by member */
  double *diagonal;  /* n: of A */
  int *at;           /* n: place of a row in the body at hand, -1: not in it */
  double *G, *W;     /* largest body: rows x rows */
  int *rows, *p, *q; /* largest body: its rows; places of P and Q, then of i */
  double *B;         /* by body: rows x rank */
  int64_t *B_start;  /* bodies + 1 */
  int *rank;         /* by body */
} numbers;

static int edge_rows(const perp_body_graph *g, int e)
{
  return g->row_start[e + 1] - g->row_start[e];
}

/* The other place of the edge at this place of `member`, -1: none. */
static int64_t other_place(const perp_body_graph *g, int64_t m)
{
  const int e = g->member[m];
  return g->first[e] == m ? g->second[e] : g->first[e];
}

/* G_ii of the edge at this place */
static double *part_of(const numbers *s, int64_t m)
{
  const int e = s->g->member[m], size = edge_rows(s->g, e);
  return s->part + s->part_at[e] + (s->g->first[e] == m ? 0 : size * size);
}

/* out <- A for an edge with itself */
static void take_own(const numbers *s, int e, double *out)
{
  const perp_body_graph *g = s->g;
  const int size = edge_rows(g, e), *row = g->row + g->row_start[e];
  perp_fill((int64_t)size * size, 0, out);
  for (int k = 0; k < size; k++)
    for (int64_t t = s->A->start[row[k]]; t < s->A->start[row[k] + 1]; t++)
      if (g->of[s->A->column[t]] == e)
        for (int l = 0; l < size; l++)
          if (row[l] == s->A->column[t])
            out[k * size + l] = s->A->value[t];
}

/* rows and G of body k, with the parts that are known; returns the number of rows. */
static int take_body(const numbers *s, int k)
{
  const perp_body_graph *g = s->g;
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

/* W, rows x columns, <- its rest after all pivots from the first P rows and Q columns that are worth it;
 * returns their number. */
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

/* p and q <- P and Q for the edge at place m of body k, then the rows of the edge itself. Returns the
 * number of other edges whose parts are not known. */
static int choose_rows(const numbers *s, int k, int64_t m, int *P, int *Q)
{
  const perp_body_graph *g = s->g;
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

/* The part of the edge at place m of body k; false if nothing tells it. least: if all others are known,
 * the least part that leaves G_k positive semi-definite, whatever its rank. */
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

/* The part at place m <- what the other body of its edge leaves. */
static void take_rest(const numbers *s, int64_t m, int64_t other)
{
  const int e = s->g->member[m], size = edge_rows(s->g, e);
  take_own(s, e, part_of(s, m));
  if (other >= 0)
    perp_axpy((int64_t)size * size, -1, part_of(s, other), part_of(s, m));
}

/* What may be used for a part: what tells it; all of A for an edge of one body; the least part. */
typedef enum means { CERTAIN, WHOLE, LEAST } means;

/* The part of the edge at place m of body k. */
static bool try_part(const numbers *s, int k, int64_t m, means by)
{
  const int64_t other = other_place(s->g, m);
  if ((other >= 0 && s->known[other]) || (other < 0 && by == WHOLE)) {
    take_rest(s, m, other);
    return true;
  }
  return by != WHOLE && find_part(s, k, m, by == LEAST);
}

/* All parts; false if some stay unknown. Less certain means are used if nothing else tells more, and
 * LEAST for one part only before others are tried again. */
static bool find_parts(const numbers *s)
{
  const perp_body_graph *g = s->g;
  for (means by = CERTAIN; by <= LEAST;) {
    bool progress = false, all = true;
    for (int k = 0; k < g->bodies; k++)
      for (int64_t m = g->body_start[k]; m < g->body_start[k + 1]; m++) {
        if (!s->known[m] && !(by == LEAST && progress))
          progress |= s->known[m] = try_part(s, k, m, by);
        all &= s->known[m];
      }
    if (all)
      return true;
    by = progress ? CERTAIN : by + 1;
  }
  return false;
}

/* An edge of one body that does not take all that A has for it belongs to another one as well, which
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
    g->body_start[++g->bodies] = m + 1;
  }
}

/* ---- Bodies ---- */

/* B <- the factor of G, count rows, by the largest pivots down to `none`; returns its rank, -1 if that
 * is too high. G is lost. */
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
    double top = 0; /* of A: a part may be the difference of two larger numbers */
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
  const perp_body_graph *g = s->g;
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

/* Whether J J^T is A, in all entries that A has; others have no body in common. */
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

/* Arrays for the parts, for twice the rows, and for the largest body. */
static bool take_memory(numbers *s, perp_arena *arena)
{
  const perp_body_graph *g = s->g;
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
                                  const int *row, perp_arena *arena, perp_contact_data *data)
{
  perp_body_graph g;
  bool memory;
  *data = perp_contact_data_default();
  if (!perp_body_graph_find(A, contacts, start, row, arena, &g, &memory))
    return memory ? PERP_OK : PERP_ERROR_MEMORY;
  numbers s = {.A = A, .g = &g, .freedom = 6};
  bool plane = true;
  for (int c = 0; c < contacts; c++)
    plane = plane && start[c + 1] - start[c] <= 2;
  if (plane)
    s.freedom = 3;
  if (!take_memory(&s, arena))
    return PERP_ERROR_MEMORY;
  if (!find_parts(&s))
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
