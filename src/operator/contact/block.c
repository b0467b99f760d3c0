/* block.c: block sweeps over packed contact rows
 *
 *   y_B = G_B u + (C x)_B + b_B,   the body turns y_B and x_B into a new x_B,
 *   u  <- u + G_B^T (new x_B - old x_B),       u = G^T x      (rows.c)
 *
 * if every block is one group of packed rows: the normal and the tangents of a contact. One sweep:
 * one pass over G. */
#include "operator/block_relax.h"
#include "operator/contact/contact.h"
#include "operator/contact/lanes.h"

enum {
  MOST = 3,  /* rows of a packed group */
  AHEAD = 6, /* prefetch distance of the velocities, in blocks */
};

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

perp_error perp_contact_blocks_create(const perp_operator *A, const perp_set *K,
                                      const perp_block_list *blocks, perp_arena *arena,
                                      perp_block_relaxer **relaxer)
{
  const perp_contact *c = perp_contact_of(A);
  *relaxer = NULL;
  if (!c->C_is_diagonal || !perp_contact_packed_width(c) || blocks->largest > MOST)
    return PERP_OK;
  const perp_arena_mark mark = perp_arena_hold(arena);
  packed_blocks *p = perp_arena_alloc_zero(arena, 1, sizeof *p);
  if (!p || perp_contact_rows_create(A, K, arena, &p->contact))
    return PERP_ERROR_MEMORY;
  p->base = (perp_block_relaxer){.relaxer = &p->contact->base, .sweep = packed_sweep};
  if (blocks_are_groups(blocks, p->contact))
    *relaxer = &p->base;
  else
    perp_arena_release(arena, mark);
  return PERP_OK;
}
