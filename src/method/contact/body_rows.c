/* body_rows.c: the rows of J and of Minv J^T by contact, and their products */
#include "method/contact/body_rows.h"

#include "linalg/vector.h"
#include "linalg/wide.h"

bool perp_body_rows_open(perp_run *run, const perp_contact *c, const perp_contact_list *contacts,
                         perp_body_rows *s)
{
  const perp_contact_list *g = contacts;
  *s = (perp_body_rows){.contacts = g,
                        .body = c->data.blocks > 0 ? perp_contact_block_size(c, 0) : 0};
  if (!PERP_TAKE(run->arena, PERP_ARRAY(s->touch_start, g->count + 1),
                 PERP_ARRAY(s->start, g->count + 1), PERP_ARRAY(s->piece_start, g->count + 1),
                 PERP_ARRAY(s->touch, c->pair_start[g->n])))
    return false;
  for (int k = 0; k < c->data.blocks; k++)
    if (perp_contact_block_size(c, k) != s->body)
      s->body = 0;
  s->touch_start[0] = s->start[0] = s->piece_start[0] = 0;
  int64_t most = g->largest;
  for (int k = 0; k < g->count; k++) {
    const int size = perp_contact_rows(g, k);
    int *touched = s->touch + s->touch_start[k], width = 0;
    const int count = perp_body_union(c, size, g->row + g->start[k], touched);
    for (int l = 0; l < count; l++)
      width += perp_contact_block_size(c, touched[l]);
    most = most > (int64_t)size * width ? most : (int64_t)size * width;
    s->touch_start[k + 1] = s->touch_start[k] + count;
    s->piece_start[k + 1] = s->piece_start[k] + (int64_t)count * count;
    s->start[k + 1] = s->start[k] + 2 * (int64_t)size * width;
  }
  return PERP_TAKE(run->arena, PERP_ARRAY(s->number, s->start[g->count]),
                   PERP_ARRAY(s->product, most));
}

void perp_body_rows_take(perp_body_rows *s, const perp_contact *c)
{
  const perp_contact_list *g = s->contacts;
  s->contact = c;
  perp_fill(s->start[g->count], 0, s->number);
  for (int k = 0; k < g->count; k++) {
    const int64_t half = (s->start[k + 1] - s->start[k]) / 2;
    const int size = perp_contact_rows(g, k), width = (int)(half / size);
    double *row = s->number + s->start[k];
    for (int r = g->start[k]; r < g->start[k + 1]; r++, row += width) {
      const int i = g->row[r], *touched = s->touch + s->touch_start[k];
      double *at = row;
      for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++) {
        for (; *touched != c->pair_block[p]; touched++)
          at += perp_contact_block_size(c, *touched);
        const int first = c->data.block_start[*touched];
        for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
          at[c->data.J_column[e] - first] = c->data.J_value[e];
        perp_copy(perp_contact_block_size(c, *touched), c->W + c->pair_W[p], at + half);
      }
    }
  }
}

/* ---- Loops over contacts ----
 *
 * A kernel does one contact of `size` rows and `count` bodies, of `body` velocities each, or of
 * different numbers if that is 0. */

typedef struct task {
  const perp_body_rows *s;
  const double *in;
  double *out;
} task;

typedef void one_contact(const task *t, int k, int size, int count, int body);

KERNEL void visit(const task *t, one_contact *kernel)
{
  const perp_body_rows *s = t->s;
  const perp_contact_list *g = s->contacts;
  const int body = s->body;
  for (int k = 0; k < g->count; k++) {
    const int size = perp_contact_rows(g, k);
    const int count = (int)(s->touch_start[k + 1] - s->touch_start[k]);
    if (body == 6 && size == 3 && count == 2)
      kernel(t, k, 3, 2, 6);
    else if (body == 6 && size == 3 && count == 1)
      kernel(t, k, 3, 1, 6);
    else if (body == 3 && size == 2 && count == 2)
      kernel(t, k, 2, 2, 3);
    else
      kernel(t, k, size, count, body);
  }
}

KERNEL int width_of(const perp_body_rows *s, int k, int size, int count, int body)
{
  return body > 0 ? count * body : (int)((s->start[k + 1] - s->start[k]) / (2 * size));
}

/* Six numbers of a body are two vectors. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* v <- v + W^T x: n numbers, size rows `width` apart */
KERNEL void add_rows(int size, int width, int n, const double *restrict x, const double *restrict W,
                     double *restrict v)
{
  if (n == 6) {
    four first = *(const four *)v;
    two second = *(const two *)(v + 4);
    for (int i = 0; i < size; i++) {
      first += x[i] * *(const four *)(W + i * width);
      second += x[i] * *(const two *)(W + i * width + 4);
    }
    *(four *)v = first;
    *(two *)(v + 4) = second;
    return;
  }
  for (int c = 0; c < n; c++)
    for (int i = 0; i < size; i++)
      v[c] += x[i] * W[i * width + c];
}

KERNEL void gather_contact(const task *t, int k, int size, int count, int body)
{
  const perp_body_rows *s = t->s;
  const int width = width_of(s, k, size, count, body);
  const int *row = s->contacts->row + s->contacts->start[k], *touch = s->touch + s->touch_start[k];
  const int *place = s->contact->data.block_start;
  const double *W = s->number + s->start[k] + size * width;
  double few[3], *restrict x = size <= 3 ? few : s->product; /* few: in registers */
  for (int i = 0; i < size; i++)
    x[i] = t->in[row[i]];
  for (int l = 0; l < count; l++) {
    const int n = body > 0 ? body : place[touch[l] + 1] - place[touch[l]];
    add_rows(size, width, n, x, W, t->out + place[touch[l]]);
    W += n;
  }
}

KERNEL void spread_contact(const task *t, int k, int size, int count, int body)
{
  const perp_body_rows *s = t->s;
  const int width = width_of(s, k, size, count, body);
  const int *row = s->contacts->row + s->contacts->start[k], *touch = s->touch + s->touch_start[k];
  const int *place = s->contact->data.block_start;
  const double *restrict J = s->number + s->start[k];
  double few[3], *restrict y = size <= 3 ? few : s->product; /* few: in registers */
  for (int i = 0; i < size; i++)
    y[i] = 0;
  for (int l = 0; l < count; l++) {
    const int n = body > 0 ? body : place[touch[l] + 1] - place[touch[l]];
    const double *restrict v = t->in + place[touch[l]];
    for (int c = 0; c < n; c++)
      for (int i = 0; i < size; i++)
        y[i] += J[i * width + c] * v[c];
    J += n;
  }
  for (int i = 0; i < size; i++)
    t->out[row[i]] = y[i];
}

/* M <- M + A^T B for one block; A and B have `size` rows, `width` apart, M rows `apart`. */
KERNEL void add_product(int size, int width, int rows, int columns, const double *A,
                        const double *B, int apart, double *M)
{
  for (int r = 0; r < rows && columns == 6; r++, A++, M += apart) { /* six numbers in two vectors */
    four first = *A * *(const four *)B;
    two second = *A * *(const two *)(B + 4);
    for (int i = 1; i < size; i++) {
      first += A[i * width] * *(const four *)(B + i * width);
      second += A[i * width] * *(const two *)(B + i * width + 4);
    }
    *(four *)M += first;
    *(two *)(M + 4) += second;
  }
  for (int r = 0; r < rows && columns != 6; r++, A++, M += apart)
    for (int c = 0; c < columns; c++) {
      double sum = *A * B[c];
      for (int i = 1; i < size; i++)
        sum += A[i * width] * B[i * width + c];
      M[c] += sum;
    }
}

/* Blocks stored transposed get the transposed product, which has the same bits. */
KERNEL void add_block(const perp_body_block *piece, int size, int width, int rows, int columns,
                      const double *W, const double *G)
{
  if (piece->across == 1)
    add_product(size, width, rows, columns, W, G, piece->down, piece->at);
  else
    add_product(size, width, columns, rows, G, W, piece->across, piece->at);
}

KERNEL void assemble_contact(const task *t, int k, int size, int count, int body)
{
  const perp_body_rows *s = t->s;
  const double *restrict T = t->in + s->contacts->block[k];
  if (perp_all_zero((int64_t)size * size, T))
    return;
  const int width = width_of(s, k, size, count, body), *touch = s->touch + s->touch_start[k];
  const double *J = s->number + s->start[k], *W = J + size * width;
  double *restrict G = s->product;
  for (int c = 0; c < width; c++)
    for (int i = 0; i < size; i++) {
      double sum = T[i * size] * J[c];
      for (int j = 1; j < size; j++)
        sum += T[i * size + j] * J[j * width + c];
      G[i * width + c] = sum;
    }
  const perp_body_block *piece = s->piece + s->piece_start[k];
  for (int a = 0, down = 0; a < count; a++) {
    const int rows = body > 0 ? body : perp_contact_block_size(s->contact, touch[a]);
    for (int b = 0, along = 0; b < count; b++, piece++) {
      const int columns = body > 0 ? body : perp_contact_block_size(s->contact, touch[b]);
      add_block(piece, size, width, rows, columns, W + down, G + along);
      along += columns;
    }
    down += rows;
  }
}

/* The three loops, for every CPU and for those with fused products. */
#define LOOP(name, kernel)                                                                         \
  static void name##_plain(const task *t)                                                          \
  {                                                                                                \
    visit(t, kernel);                                                                              \
  }                                                                                                \
  PERP_FUSED static void name##_fused(const task *t)                                               \
  {                                                                                                \
    visit(t, kernel);                                                                              \
  }                                                                                                \
  static void name(const task *t)                                                                  \
  {                                                                                                \
    (perp_is_fused() ? name##_fused : name##_plain)(t);                                            \
  }

LOOP(gather, gather_contact)
LOOP(spread, spread_contact)
LOOP(assemble, assemble_contact)

void perp_body_rows_gather(const perp_body_rows *s, const double *x, double *v)
{
  perp_fill(s->contact->data.velocities, 0, v);
  gather(&(task){s, x, v});
}

void perp_body_rows_spread(const perp_body_rows *s, const double *v, double *y)
{
  spread(&(task){s, v, y});
}

void perp_body_rows_assemble(const perp_body_rows *s, const double *T)
{
  assemble(&(task){s, T, NULL});
}
