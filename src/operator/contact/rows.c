/* rows.c: packs the rows of a contact operator and sweeps over them, keeping the velocities up to
 * date
 *
 *   y_i = J_i v + (C x)_i + b_i,   v = Minv J^T x
 *   d   = P_i(x_i - omega y_i / A_ii) - x_i
 *   v  <- v + Minv J_i^T d
 *
 * so the cost of a row is its entries of J, not a row of A (the "iterative impulses" of physics
 * engines; Tasora and Anitescu 2011).
 *
 * Packed rows. If C is diagonal, no row touches more than two blocks, no block has more than 6
 * velocities and every block has a Cholesky factor, Minv_k = L_k L_k^T, the sweep runs in scaled
 * velocities:
 *
 *   G = J L,   A = G G^T + C,   u = G^T x,   y_i = G_i u + ...,   u <- u + G_i^T d
 *
 * Both lines use the same array G, which halves the memory traffic. A row of G is packed to 2 x
 * width numbers, width 6 or 4, padded with zeros; a row with one block names it twice, the second
 * time with zeros. Scaled velocities of consecutive blocks are 8 or 4 numbers apart, each block in
 * one cache line.
 *
 * The rows of one contact (up to three with the same blocks) are relaxed as a group: all y are computed from the same u, each is then corrected by the steps of the rows before
 * it, y_t += (G_t . G_s) d_s, and u is written once. This gives the values of a row-by-row sweep.
 *
 * In natural order groups.c stores the groups such that neighbours are independent, without
 * changing the result of a sweep. If all rows belong to contacts of rigid bodies, rigid.c is used
 * instead; for planar bodies planar.c.
 *
 * A packed row is G_i followed by the fields listed in contact.h: one stream for a sweep, 128 bytes
 * a row for x >= 0 and width 6, else 144.
 *
 * All other operators: row by row with J and W of the operator itself. */
#include "operator/contact/contact.h"
#include "operator/contact/lanes.h"

#include <assert.h>
#include <float.h>
#include <string.h>

enum {
  GROUP = 3,  /* most rows of a group */
  GRAIN = 64, /* groups per piece of a parallel loop */
  AHEAD = 6,  /* prefetch distance of the velocities, in groups */
};

/* ---- Packing ---- */

int perp_contact_packed_width(const perp_contact *c)
{
  int largest = 0;
  for (int k = 0; k < c->data.blocks; k++)
    if (perp_contact_block_size(c, k) > largest)
      largest = perp_contact_block_size(c, k);
  for (int i = 0; i < c->data.rows; i++)
    if (c->pair_start[i + 1] - c->pair_start[i] > 2)
      return 0;
  return largest <= 4 ? 4 : largest <= 6 ? 6 : 0;
}

bool perp_contact_factor_block(int size, const double *M, int width, double *L)
{
  for (int j = 0; j < size; j++) {
    const double noise = 16 * size * DBL_EPSILON * fabs(M[j * size + j]);
    double pivot = M[j * size + j];
    for (int k = 0; k < j; k++)
      pivot -= L[j * width + k] * L[j * width + k];
    if (!(pivot >= -noise))
      return false;
    const bool zero = pivot <= noise;
    L[j * width + j] = sqrt(zero ? 0 : pivot);
    for (int i = j + 1; i < size; i++) {
      double sum = M[i * size + j];
      for (int k = 0; k < j; k++)
        sum -= L[i * width + k] * L[j * width + k];
      /* |M_ij|^2 <= M_ii M_jj: the rest of the column of a zero pivot is rounding */
      if (zero && fabs(sum) > 1e-6 * sqrt(fabs(M[i * size + i] * M[j * size + j])))
        return false;
      L[i * width + j] = zero ? 0 : sum / L[j * width + j];
    }
  }
  return true;
}

perp_error perp_contact_factor(const perp_contact *c, int width, perp_arena *arena, double **L)
{
  const perp_arena_mark mark = perp_arena_hold(arena);
  const int blocks = c->data.blocks;
  *L = perp_arena_alloc_zero(arena, (size_t)blocks, (size_t)(width * width) * sizeof **L);
  if (!*L)
    return PERP_ERROR_MEMORY;
  for (int k = 0; k < blocks; k++)
    if (!perp_contact_factor_block(perp_contact_block_size(c, k), c->M[k], width,
                                   *L + (int64_t)k * width * width)) {
      perp_arena_release(arena, mark);
      *L = NULL;
      break;
    }
  return PERP_OK;
}

void perp_contact_scale_pair(const perp_contact *c, int64_t p, int width, const double *L,
                             double *G)
{
  const int first = c->data.block_start[c->pair_block[p]];
  for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++) {
    const int row = c->data.J_column[e] - first;
    for (int k = 0; k <= row; k++)
      G[k] += c->data.J_value[e] * L[row * width + k];
  }
}

/* Packs the rows of one group and sets its blocks; `spare` is a block that no other group uses. */
static void pack_group(const perp_contact_relaxer *r, const perp_contact *c, const double *L,
                       int spare, perp_contact_group *g)
{
  const int width = r->width, stride = perp_contact_row_stride(width, r->bounds.part);
  const int64_t first = c->pair_start[g->row], pairs = c->pair_start[g->row + 1] - first;
  g->a = pairs > 0 ? c->pair_block[first] : spare;
  g->b = pairs > 1 ? c->pair_block[first + 1] : g->a;
  double *G = r->packed + (int64_t)g->slot * stride, *extra = G + 2 * width;
  memset(G, 0, (size_t)g->count * (size_t)stride * sizeof *G);
  for (int t = 0; t < g->count; t++) {
    const int i = g->row + t;
    for (int64_t p = c->pair_start[i], side = 0; p < c->pair_start[i + 1]; p++, side++)
      perp_contact_scale_pair(c, p, width, L + (int64_t)c->pair_block[p] * width * width,
                              G + t * stride + side * width);
    extra[t * stride + PERP_CONTACT_INVERSE] = r->inverse[i];
    if (c->C.start[i + 1] > c->C.start[i])
      extra[t * stride + PERP_CONTACT_OWN] = c->data.C_value[c->C.start[i]];
  }
  for (int t = 0; t < g->count; t++) {
    const double *row = G + t * stride, *next = G + (t + 1) % g->count * stride;
    for (int k = 0; k < 2 * width; k++)
      extra[t * stride + PERP_CONTACT_COUPLING] += row[k] * next[k];
  }
}

/* Fills v, packed (except b and the bounds) and the blocks of the groups; leaves width = 0 if a
 * block of Minv has no factor. */
static perp_error pack(const perp_contact *c, perp_arena *arena, perp_contact_relaxer *r)
{
  const perp_arena_mark mark = perp_arena_hold(arena);
  const int width = r->width, blocks = c->data.blocks;
  r->packed_blocks = blocks;
  for (int g = 0; g < r->groups; g++)
    r->packed_blocks += c->pair_start[r->group[g].row + 1] == c->pair_start[r->group[g].row];
  r->v = perp_arena_alloc(arena, (size_t)r->packed_blocks,
                          (size_t)perp_contact_block_stride(width) * sizeof *r->v);
  r->packed =
      perp_arena_alloc(arena, (size_t)c->data.rows,
                       (size_t)perp_contact_row_stride(width, r->bounds.part) * sizeof *r->packed);
  const perp_arena_mark factors = perp_arena_hold(arena);
  double *L;
  if (!r->v || !r->packed || perp_contact_factor(c, width, arena, &L))
    return PERP_ERROR_MEMORY;
  if (!L) {
    r->width = 0;
    perp_arena_release(arena, mark);
    return PERP_OK;
  }
  for (int g = 0, spare = blocks; g < r->groups; g++) {
    pack_group(r, c, L, spare, &r->group[g]);
    spare += r->group[g].a == spare;
  }
  perp_arena_release(arena, factors);
  return PERP_OK;
}

/* ---- Packed rows ---- */

typedef struct sweep {
  const perp_contact_relaxer *r;
  double omega;
  perp_order order;
  int first; /* coloured: first group of the colour */
} sweep;

KERNEL const perp_contact_group *group_at(const sweep *s, int64_t k)
{
  const perp_contact_relaxer *r = s->r;
  return &r->group[s->order == PERP_FORWARD    ? k
                   : s->order == PERP_BACKWARD ? r->groups - 1 - k
                                               : r->coloured[s->first + k]];
}

/* G_i u, over both blocks of u in sequence */
KERNEL double row_product(int width, const double *G, const pair *u)
{
  const pair *row = (const pair *)G;
  pair even = row[0] * u[0], odd = row[1] * u[1];
  for (int k = 2; k < width; k += 2) {
    even += row[k] * u[k];
    odd += row[k + 1] * u[k + 1];
  }
  even += odd;
  return even[0] + even[1];
}

/* Packed rows of a group in the layout of row_update.h. */
typedef struct packed_rows {
  const double *extra; /* the fields after G in the first row */
  int stride;
  perp_part part;
  const int *findex; /* of the first row, if the part is PERP_PART_FINDEX */
  const double *all; /* x of all rows */
  double omega;
} packed_rows;

KERNEL packed_rows rows_of(const sweep *s, const perp_contact_group *g, const double *extra,
                           int stride, perp_part part)
{
  const perp_contact_relaxer *r = s->r;
  return (packed_rows){extra,     stride,
                       part,      part == PERP_PART_FINDEX ? r->bounds.findex + g->row : NULL,
                       r->base.x, s->omega};
}

KERNEL double packed_rows_step(const packed_rows *l, int t)
{
  return l->omega * l->extra[t * l->stride + PERP_CONTACT_INVERSE];
}

KERNEL double packed_rows_coupling(const packed_rows *l, int t)
{
  return l->extra[t * l->stride + PERP_CONTACT_COUPLING];
}

KERNEL bool packed_rows_bounds(const packed_rows *l, int t, const double *x, double *lower,
                               double *upper)
{
  (void)x;
  *lower = 0;
  if (l->part == PERP_PART_PLAIN)
    return false;
  const double *own = l->extra + t * l->stride;
  const double normal =
      l->part == PERP_PART_FINDEX && l->findex[t] >= 0 ? fabs(l->all[l->findex[t]]) : 1;
  *lower = own[PERP_CONTACT_LOWER] * normal;
  *upper = own[PERP_CONTACT_UPPER] * normal;
  return true;
}

PERP_ROW_UPDATE(KERNEL, double, packed_rows, PERP_ROW_NOT_BELOW, PERP_ROW_NOT_ABOVE)

/* Relaxes the rows of one group, in ascending or descending order. */
KERNEL void relax_group(const sweep *s, const perp_contact_group *g, int count, int width,
                        perp_part part, bool descending)
{
  const perp_contact_relaxer *r = s->r;
  const int stride = perp_contact_row_stride(width, part), apart = perp_contact_block_stride(width);
  const double *G = r->packed + (int64_t)g->slot * stride;
  const double *extra = G + 2 * width;
  double *xg = r->base.x + g->row;
  double *ua = r->v + (int64_t)g->a * apart, *ub = r->v + (int64_t)g->b * apart;

  pair u[6];
  double y[GROUP], d[GROUP];
  load_blocks(width, ua, ub, u);
  /* y_t = G_t u + C_tt x_t + b_t */
  for (int t = 0; t < count; t++)
    y[t] = row_product(width, G + t * stride, u) +
           (extra[t * stride + PERP_CONTACT_OWN] * xg[t] + extra[t * stride + PERP_CONTACT_RHS]);

  const packed_rows rows = rows_of(s, g, extra, stride, part);
  for (int k = 0; k < count; k++) {
    const int t = descending ? count - 1 - k : k;
    packed_rows_update(&rows, t, count, descending, y[t], xg, d);
  }
  /* u += G^T d */
  for (int t = 0; t < count; t++)
    for (int k = 0; k < width; k++)
      u[k] += ((const pair *)(G + t * stride))[k] * d[t];
  store_blocks(width, u, ua, ub);
}

/* Prefetches the velocities of a later group, because the stream of packed rows evicts them from
 * the nearer caches. */
KERNEL void fetch_blocks(const sweep *s, int64_t k, int width)
{
  const perp_contact_group *g = group_at(s, k);
  __builtin_prefetch(s->r->v + (int64_t)g->a * perp_contact_block_stride(width), 1);
  __builtin_prefetch(s->r->v + (int64_t)g->b * perp_contact_block_stride(width), 1);
}

KERNEL void relax_groups(const sweep *s, int64_t begin, int64_t end, int width, perp_part part,
                         bool descending)
{
  for (int64_t k = begin; k < end; k++) {
    const perp_contact_group *g = group_at(s, k);
    if (k + AHEAD < end)
      fetch_blocks(s, k + AHEAD, width);
    if (g->count == 3)
      relax_group(s, g, 3, width, part, descending);
    else if (g->count == 2)
      relax_group(s, g, 2, width, part, descending);
    else
      relax_group(s, g, 1, width, part, descending);
  }
}

/* y of a group of one row */
KERNEL double single_value(const perp_contact_group *g, const double *G, const double *v,
                           const double *x, int width)
{
  pair u[6];
  load_blocks(width, v + (int64_t)g->a * perp_contact_block_stride(width),
              v + (int64_t)g->b * perp_contact_block_stride(width), u);
  const double *extra = G + 2 * width;
  return row_product(width, G, u) + (extra[PERP_CONTACT_OWN] * x[g->row] + extra[PERP_CONTACT_RHS]);
}

/* Relaxes groups of one row, stored in the order of the sweep, few neighbours of which share a
 * block: it computes y of the next group before it writes the blocks of the current one, to hide
 * the latency of the step. */
KERNEL void relax_singles(const sweep *s, int64_t begin, int64_t end, int width, perp_part part)
{
  if (begin >= end)
    return;
  const perp_contact_relaxer *r = s->r;
  const int64_t step = s->order == PERP_BACKWARD ? -1 : 1;
  const int64_t start =
      s->order == PERP_BACKWARD ? r->groups - 1 - begin : s->first + begin; /* also its slot */
  const int apart = perp_contact_block_stride(width);
  const int64_t stride = step * perp_contact_row_stride(width, part);
  const perp_contact_group *g = r->group + start;
  const double *G = r->packed + start * perp_contact_row_stride(width, part);
  double *x = r->base.x, *v = r->v, y = single_value(g, G, v, x, width);
  for (int64_t k = begin; k < end; k++) {
    const int64_t on = k + 1 < end; /* the last group does not advance */
    const perp_contact_group *next = g + on * step;
    const packed_rows row = rows_of(s, g, G + 2 * width, 0, part);
    double d;
    packed_rows_update(&row, 0, 1, false, y, x + g->row, &d);
    if (!(step > 0 ? next : g)->waits)
      y = single_value(next, G + on * stride, v, x, width);
    double *ua = v + (int64_t)g->a * apart, *ub = v + (int64_t)g->b * apart;
    pair u[6];
    load_blocks(width, ua, ub, u);
    for (int l = 0; l < width; l++)
      u[l] += ((const pair *)G)[l] * d;
    store_blocks(width, u, ua, ub);
    if ((step > 0 ? next : g)->waits)
      y = single_value(next, G + on * stride, v, x, width);
    g = next;
    G += on * stride;
  }
}

KERNEL void packed_range(const sweep *s, int64_t begin, int64_t end, int width, perp_part part)
{
  if (s->r->single)
    relax_singles(s, begin, end, width, part);
  else if (s->order == PERP_BACKWARD)
    relax_groups(s, begin, end, width, part, true);
  else
    relax_groups(s, begin, end, width, part, false);
}

KERNEL_BODY(range_6_plain, packed_range, 6, PERP_PART_PLAIN)
KERNEL_BODY(range_6_box, packed_range, 6, PERP_PART_BOX)
KERNEL_BODY(range_6_findex, packed_range, 6, PERP_PART_FINDEX)
KERNEL_BODY(range_4_plain, packed_range, 4, PERP_PART_PLAIN)
KERNEL_BODY(range_4_box, packed_range, 4, PERP_PART_BOX)
KERNEL_BODY(range_4_findex, packed_range, 4, PERP_PART_FINDEX)

/* u += G^T x over groups; groups must share no block if ranges run in parallel. */
static void packed_gather(void *context, int64_t begin, int64_t end)
{
  const sweep *s = context;
  const perp_contact_relaxer *r = s->r;
  const int width = r->width, stride = perp_contact_row_stride(width, r->bounds.part);
  for (int64_t k = begin; k < end; k++) {
    const perp_contact_group *g = group_at(s, k);
    double *ua = r->v + (int64_t)g->a * perp_contact_block_stride(width);
    double *ub = r->v + (int64_t)g->b * perp_contact_block_stride(width);
    for (int t = 0; t < g->count; t++) {
      const double *G = r->packed + (int64_t)(g->slot + t) * stride, x = r->base.x[g->row + t];
      for (int l = 0; l < width; l++)
        ua[l] += G[l] * x;
      for (int l = 0; l < width; l++)
        ub[l] += G[width + l] * x;
    }
  }
}

/* ---- Rows of any shape ---- */

static void relax_row(const sweep *s, const perp_contact *c, int i)
{
  const perp_contact_relaxer *r = s->r;
  double *x = r->base.x;
  const double y = perp_contact_row_value(c, i, x, r->base.b[i], r->v);
  const double old = x[i], step = s->omega * r->inverse[i];
  x[i] = perp_bounds_project(r->bounds.part, &r->bounds, x, i, old - step * y);
  if (x[i] != old)
    perp_contact_add_row(c, i, x[i] - old, r->v);
}

static void rows_range(void *context, int64_t begin, int64_t end)
{
  const sweep *s = context;
  const perp_contact *c = perp_contact_of(s->r->base.A);
  for (int64_t k = begin; k < end; k++) {
    const perp_contact_group *g = group_at(s, k);
    for (int t = 0; t < g->count; t++)
      relax_row(s, c, s->order == PERP_BACKWARD ? g->row + g->count - 1 - t : g->row + t);
  }
}

/* ---- The relaxer's functions ---- */

/* Calls body over all groups in the given order; the groups of a colour run in parallel. */
static void over_groups(sweep *s, perp_range_body body)
{
  const perp_contact_relaxer *r = s->r;
  if (s->order != PERP_COLOURED) {
    body(s, 0, r->groups);
    return;
  }
  for (int c = 0; c < r->colours; c++) {
    s->first = r->colour_start[c];
    perp_parallel_for(r->base.threads, r->colour_start[c + 1] - s->first, GRAIN, body, s);
  }
}

static void relax(perp_relaxer *relaxer, double omega, perp_order order)
{
  const perp_contact_relaxer *r = (const perp_contact_relaxer *)relaxer;
  assert(r->orders & 1u << order);
  sweep s = {.r = r, .omega = omega, .order = order};
  over_groups(&s, r->range);
}

/* Copies b_i and the bounds of every row into the packed rows. */
static void pack_problem(const perp_contact_relaxer *r)
{
  const int stride = perp_contact_row_stride(r->width, r->bounds.part);
  for (int k = 0; k < r->groups; k++) {
    const perp_contact_group *g = &r->group[k];
    for (int t = 0; t < g->count; t++) {
      double *extra = r->packed + (int64_t)(g->slot + t) * stride + 2 * r->width;
      const int i = g->row + t;
      extra[PERP_CONTACT_RHS] = r->base.b[i];
      if (r->bounds.part == PERP_PART_PLAIN)
        continue;
      extra[PERP_CONTACT_LOWER] = r->bounds.lo[i];
      extra[PERP_CONTACT_UPPER] = r->bounds.hi[i];
    }
  }
}

static void packed_velocities(const perp_contact_relaxer *r)
{
  memset(r->v, 0,
         (size_t)r->packed_blocks * (size_t)perp_contact_block_stride(r->width) * sizeof *r->v);
  sweep s = {.r = r, .order = r->colours ? PERP_COLOURED : PERP_FORWARD};
  over_groups(&s, packed_gather);
}

static void packed_load(perp_relaxer *relaxer)
{
  const perp_contact_relaxer *r = (const perp_contact_relaxer *)relaxer;
  pack_problem(r);
  packed_velocities(r);
}

typedef struct gradient_call {
  const perp_contact_relaxer *r;
  double *y;
} gradient_call;

/* y_i = G_i u + (C x)_i + b_i */
static void packed_gradient_range(void *context, int64_t begin, int64_t end)
{
  const gradient_call *f = context;
  const perp_contact_relaxer *r = f->r;
  const perp_contact *c = perp_contact_of(r->base.A);
  const int width = r->width, stride = perp_contact_row_stride(width, r->bounds.part);
  for (int64_t k = begin; k < end; k++) {
    const perp_contact_group *g = &r->group[k];
    pair u[6];
    load_blocks(width, r->v + (int64_t)g->a * perp_contact_block_stride(width),
                r->v + (int64_t)g->b * perp_contact_block_stride(width), u);
    for (int t = 0; t < g->count; t++) {
      const double *G = r->packed + (int64_t)(g->slot + t) * stride;
      const int i = g->row + t;
      f->y[i] = row_product(width, G, u) + perp_contact_C_row(c, i, r->base.x) + r->base.b[i];
    }
  }
}

/* Recomputes the velocities first, to discard the accumulated rounding errors of the sweeps. */
static void packed_gradient(perp_relaxer *relaxer, double *y)
{
  gradient_call f = {.r = (const perp_contact_relaxer *)relaxer, .y = y};
  packed_velocities(f.r);
  perp_parallel_for(relaxer->threads, f.r->groups, GRAIN, packed_gradient_range, &f);
}

/* A product leaves v = Minv J^T x in its scratch. */
static void rows_gradient(perp_relaxer *relaxer, double *y)
{
  const perp_contact_relaxer *r = (const perp_contact_relaxer *)relaxer;
  const perp_work work = {.threads = relaxer->threads, .scratch = r->v};
  relaxer->A->table->apply(relaxer->A, relaxer->x, y, &work);
  perp_axpy(relaxer->A->n, 1, relaxer->b, y);
}

static void rows_load(perp_relaxer *relaxer)
{
  const perp_contact_relaxer *r = (const perp_contact_relaxer *)relaxer;
  const perp_contact *c = perp_contact_of(relaxer->A);
  memset(r->v, 0, (size_t)c->data.velocities * sizeof *r->v);
  for (int i = 0; i < relaxer->A->n; i++)
    perp_contact_add_row(c, i, relaxer->x[i], r->v);
}

/* ---- Construction ---- */

/* Creates the groups of the rows, and the data that the sweeps of all forms need. */
static perp_error begin(const perp_operator *A, const perp_set *K, unsigned orders,
                        perp_arena *arena, perp_contact_relaxer **relaxer)
{
  const perp_contact *c = perp_contact_of(A);
  perp_contact_relaxer *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || perp_bounds_create(K, arena, &r->bounds))
    return PERP_ERROR_MEMORY;
  r->orders = orders;
  r->inverse = perp_inverse_diagonal(A, arena);
  r->width = c->C_is_diagonal ? perp_contact_packed_width(c) : 0;
  *relaxer = r;
  if (!r->inverse)
    return PERP_ERROR_MEMORY;
  return perp_contact_group_rows(c, K, c->C_is_diagonal ? GROUP : 1, orders & 1u << PERP_COLOURED,
                                 arena, r);
}

perp_error perp_contact_velocities_create(const perp_operator *A, perp_arena *arena,
                                          perp_contact_relaxer *r)
{
  r->base.load = rows_load;
  r->base.gradient = rows_gradient;
  r->v = perp_arena_alloc(arena, (size_t)perp_contact_of(A)->data.velocities, sizeof *r->v);
  return r->v ? PERP_OK : PERP_ERROR_MEMORY;
}

/* Packs the rows in the order of the groups. */
static perp_error finish(const perp_operator *A, perp_arena *arena, perp_contact_relaxer *r)
{
  static const perp_range_body bodies[2][3] = {
      {range_4_plain, range_4_box, range_4_findex},
      {range_6_plain, range_6_box, range_6_findex},
  };
  if (r->width && pack(perp_contact_of(A), arena, r))
    return PERP_ERROR_MEMORY;
  r->base.sweep = relax;
  r->base.load = packed_load;
  r->base.gradient = packed_gradient;
  r->range = r->width ? bodies[r->width == 6][r->bounds.part] : rows_range;
  return r->width ? PERP_OK : perp_contact_velocities_create(A, arena, r);
}

perp_error perp_contact_rows_create(const perp_operator *A, const perp_set *K, perp_arena *arena,
                                    perp_contact_relaxer **relaxer)
{
  const perp_error error = begin(A, K, 1u << PERP_FORWARD, arena, relaxer);
  return error ? error : finish(A, arena, *relaxer);
}

perp_error perp_contact_coloured_create(const perp_operator *A, const double *b, const perp_set *K,
                                        double *x, perp_arena *arena, perp_contact_packed **rigid)
{
  perp_contact_relaxer *groups;
  perp_error error = begin(A, K, 1u << PERP_COLOURED, arena, &groups);
  if (!error)
    error = perp_contact_rigid_create(A, b, groups, arena, rigid);
  if (error || !*rigid)
    return error;
  perp_relaxer *r = &(*rigid)->base;
  r->A = A;
  r->b = b;
  r->K = K;
  r->threads = 1;
  r->x = x;
  r->load(r);
  return PERP_OK;
}

perp_error perp_contact_relaxer_create(const perp_operator *A, const double *b, const perp_set *K,
                                       unsigned orders, perp_arena *arena, perp_relaxer **relaxer)
{
  perp_contact_relaxer *r;
  perp_contact_packed *packed = NULL;
  perp_error error = begin(A, K, orders, arena, &r);
  if (!error)
    error = perp_contact_rigid_create(A, b, r, arena, &packed);
  if (!error && !packed)
    error = perp_contact_planar_create(A, b, r, arena, &packed);
  *relaxer = packed ? &packed->base : &r->base;
  if (error || packed)
    return error;
  error = perp_contact_lay_groups(perp_contact_of(A), arena, r);
  return error ? error : finish(A, arena, r);
}
