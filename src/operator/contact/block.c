/* block.c: block sweeps over a contact operator that keep the velocities up to date
 *
 *   y_B = J_B v + (C x)_B + b_B,   the body turns y_B and x_B into a new x_B,
 *   v  <- v + Minv J_B^T (new x_B - old x_B),       v = Minv J^T x
 *
 * If every block is one group of packed rows (the normal and the tangents of a contact) and C is
 * diagonal, the sweep works on the packed rows in scaled velocities (rows.c), otherwise on J and W
 * of the operator. One sweep: one pass over J. */
#include "operator/block_relax.h"
#include "operator/contact/contact.h"
#include "operator/contact/lanes.h"

enum {
  MOST = 3,  /* rows of a packed group */
  AHEAD = 6, /* prefetch distance of the velocities, in blocks */
};

/* ---- Packed groups ---- */

typedef struct packed_blocks {
  perp_block_relaxer base;
  perp_contact_relaxer *contact;
} packed_blocks;

/* Visits one block; the width is a compile-time constant. */
KERNEL void visit_group(const perp_contact_relaxer *r, const perp_contact_group *g, int width,
                        int block, perp_block_body body, void *context)
{
  const int stride = perp_contact_row_stride(width, r->bounds.part);
  const double *G = r->packed + (int64_t)g->slot * stride, *extra = G + 2 * width;
  double *ua = r->v + (int64_t)g->a * perp_contact_block_stride(width);
  double *ub = r->v + (int64_t)g->b * perp_contact_block_stride(width);
  double *xg = r->base.x + g->row;

  pair u[6];
  load_blocks(width, ua, ub, u);
  double y[MOST], x[MOST];
  for (int t = 0; t < g->count; t++) {
    const pair *row = (const pair *)(G + t * stride);
    pair sum = row[0] * u[0];
    for (int k = 1; k < width; k++)
      sum += row[k] * u[k];
    x[t] = xg[t];
    y[t] = sum[0] + sum[1] + extra[t * stride + PERP_CONTACT_OWN] * x[t] +
           extra[t * stride + PERP_CONTACT_RHS];
  }
  body(context, block, y, x);
  for (int t = 0; t < g->count; t++) {
    const double d = x[t] - xg[t];
    const pair *row = (const pair *)(G + t * stride);
    xg[t] = x[t];
    for (int k = 0; k < width; k++)
      u[k] += row[k] * d;
  }
  store_blocks(width, u, ua, ub);
}

KERNEL void sweep_groups(const packed_blocks *p, int width, const int *order, perp_block_body body,
                         void *context)
{
  const perp_contact_relaxer *r = p->contact;
  const int count = p->base.blocks.count, apart = perp_contact_block_stride(width);
  for (int k = 0; k < count; k++) {
    const int block = order ? order[k] : k;
    if (k + AHEAD < count) {
      const perp_contact_group *next = &r->group[order ? order[k + AHEAD] : k + AHEAD];
      __builtin_prefetch(r->v + (int64_t)next->a * apart, 1);
      __builtin_prefetch(r->v + (int64_t)next->b * apart, 1);
    }
    visit_group(r, &r->group[block], width, block, body, context);
  }
}

static void packed_sweep(perp_block_relaxer *relaxer, const int *order, perp_block_body body,
                         void *context)
{
  const packed_blocks *p = (const packed_blocks *)relaxer;
  if (p->contact->width == 6)
    sweep_groups(p, 6, order, body, context);
  else
    sweep_groups(p, 4, order, body, context);
}

/* Returns true if block k is group k, for all k. */
static bool blocks_are_groups(const perp_block_list *blocks, const perp_contact_relaxer *r)
{
  if (!r->width || r->groups != blocks->count)
    return false;
  for (int k = 0; k < r->groups; k++) {
    const perp_contact_group *g = &r->group[k];
    if (blocks->start[k + 1] - blocks->start[k] != g->count)
      return false;
    for (int t = 0; t < g->count; t++)
      if (blocks->row[blocks->start[k] + t] != g->row + t)
        return false;
  }
  return true;
}

/* ---- Blocks of any shape ---- */

typedef struct loose_blocks {
  perp_block_relaxer base;
  perp_contact_relaxer contact; /* v */
  double *y, *x;                /* of one block */
} loose_blocks;

static void loose_sweep(perp_block_relaxer *relaxer, const int *order, perp_block_body body,
                        void *context)
{
  const loose_blocks *r = (const loose_blocks *)relaxer;
  const perp_contact *c = perp_contact_of(r->contact.base.A);
  const perp_contact_data *data = &c->data;
  const perp_block_list *list = &relaxer->blocks;
  double *x = r->contact.base.x, *v = r->contact.v;
  for (int k = 0; k < list->count; k++) {
    const int block = order ? order[k] : k, size = list->start[block + 1] - list->start[block];
    const int *row = list->row + list->start[block];
    for (int t = 0; t < size; t++) {
      const int i = row[t];
      const double y = r->contact.base.b[i] + perp_contact_C_row(c, i, x);
      r->y[t] =
          perp_add_row(y, data->J_start[i], data->J_start[i + 1], data->J_value, data->J_column, v);
      r->x[t] = x[i];
    }
    body(context, block, r->y, r->x);
    for (int t = 0; t < size; t++)
      if (r->x[t] != x[row[t]]) {
        perp_contact_add_row(c, row[t], r->x[t] - x[row[t]], v);
        x[row[t]] = r->x[t];
      }
  }
}

/* ---- Construction ---- */

static perp_error create_packed(const perp_operator *A, const perp_set *K,
                                const perp_block_list *blocks, perp_arena *arena,
                                perp_block_relaxer **relaxer)
{
  packed_blocks *p = perp_arena_alloc_zero(arena, 1, sizeof *p);
  if (!p || perp_contact_rows_create(A, K, arena, &p->contact))
    return PERP_ERROR_MEMORY;
  p->base = (perp_block_relaxer){.relaxer = &p->contact->base, .sweep = packed_sweep};
  if (blocks_are_groups(blocks, p->contact))
    *relaxer = &p->base;
  return PERP_OK;
}

static perp_error create_loose(const perp_operator *A, const perp_block_list *blocks,
                               perp_arena *arena, perp_block_relaxer **relaxer)
{
  loose_blocks *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || perp_contact_velocities_create(A, arena, &r->contact) ||
      !PERP_TAKE(arena, PERP_ARRAY(r->y, blocks->largest), PERP_ARRAY(r->x, blocks->largest)))
    return PERP_ERROR_MEMORY;
  r->base = (perp_block_relaxer){.relaxer = &r->contact.base, .sweep = loose_sweep};
  *relaxer = &r->base;
  return PERP_OK;
}

perp_error perp_contact_blocks_create(const perp_operator *A, const perp_set *K,
                                      const perp_block_list *blocks, perp_arena *arena,
                                      perp_block_relaxer **relaxer)
{
  const perp_contact *c = perp_contact_of(A);
  const perp_arena_mark mark = perp_arena_hold(arena);
  *relaxer = NULL;
  if (c->C_is_diagonal && perp_contact_packed_width(c) && blocks->largest <= MOST) {
    const perp_error error = create_packed(A, K, blocks, arena, relaxer);
    if (error || *relaxer)
      return error;
    perp_arena_release(arena, mark);
  }
  return create_loose(A, blocks, arena, relaxer);
}
