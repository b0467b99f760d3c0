/* planar.c: recognises the contacts of planar bodies and packs them for their sweeps
 *
 *   G = J L,   A = G G^T + C,   u = G^T x      (contact_relax.c)
 *
 * for groups of at most two rows over blocks of at most three velocities: a disc or a polygon in
 * the plane, the normal and the friction of a contact.
 *
 * If rows have friction indices, the second row of every group must name the first and the
 * first none; what is not of this form is left to contact_relax.c.
 *
 * Cost: a factor of each block, a product with it for each block of each row, and the schedule of
 * contact_schedule.c. */
#include "operator/contact/planar.h"

enum {
  LANES = PERP_PLANAR_LANES,
  ROWS = PERP_PLANAR_ROWS,
  WIDTH = PERP_PLANAR_WIDTH,
  BLOCK = PERP_PLANAR_BLOCK,
};

/* Whether groups and bounds are of the form above; blocks too. */
static bool is_planar(const perp_contact *c, const perp_contact_relaxer *groups)
{
  if (c->data.rows == 0 || !c->C_is_diagonal || groups->width != 4)
    return false;
  for (int k = 0; k < c->data.blocks; k++)
    if (perp_contact_block_size(c, k) > WIDTH)
      return false;
  for (int k = 0; k < groups->groups; k++) {
    const perp_contact_group *g = &groups->group[k];
    if (g->count > ROWS)
      return false;
    for (int t = 0; groups->bounds.part == PERP_PART_FINDEX && t < g->count; t++)
      if (groups->bounds.findex[g->row + t] != (t ? g->row : -1))
        return false;
  }
  return true;
}

/* One lane of a packet; its room is zero. */
static void pack_lane(const perp_contact_planar *r, const perp_contact *c, const double *b,
                      const perp_bounds *bounds, const double *L, int64_t place)
{
  const perp_contact_group *g = perp_planar_group(r, place);
  double G[ROWS][2 * WIDTH] = {{0}};
  for (int t = 0; t < g->count; t++) {
    const int i = g->row + t;
    r->at[i] = (int)perp_planar_x(r, place, t);
    for (int64_t p = c->pair_start[i], side = 0; p < c->pair_start[i + 1]; p++, side++)
      perp_contact_scale_pair(c, p, WIDTH, L + (int64_t)c->pair_block[p] * WIDTH * WIDTH,
                              G[t] + side * WIDTH);
    double *row = perp_planar_row(r, place, t), *extra = row + LANES * 2 * WIDTH;
    for (int k = 0; k < 2 * WIDTH; k++)
      row[LANES * k] = G[t][k];
    if (c->C.start[i + 1] > c->C.start[i])
      extra[LANES * PERP_CONTACT_OWN] = c->data.C_value[c->C.start[i]];
    extra[LANES * PERP_CONTACT_RHS] = b[i];
    if (r->part == PERP_PART_PLAIN)
      continue;
    extra[LANES * PERP_CONTACT_LOWER] = bounds->lo[i];
    extra[LANES * PERP_CONTACT_UPPER] = bounds->hi[i];
  }
  double *coupling = perp_planar_row(r, place, 0) + LANES * (2 * WIDTH + PERP_CONTACT_COUPLING);
  for (int k = 0; k < 2 * WIDTH; k++)
    *coupling += G[0][k] * G[1][k];
}

static void pack(const perp_contact_planar *r, const perp_contact *c, const double *b,
                 const perp_bounds *bounds, const double *L)
{
  int spare = c->data.blocks;
  for (int64_t place = 0; place < perp_planar_places(r); place++) {
    const perp_contact_group *g = perp_planar_group(r, place);
    const int64_t first = g ? c->pair_start[g->row] : 0;
    const int64_t pairs = g ? c->pair_start[g->row + 1] - first : 0;
    double **block = r->block + place / LANES * 2 * LANES + place % LANES;
    block[0] = r->v + BLOCK * (int64_t)(pairs > 0 ? c->pair_block[first] : spare++);
    block[LANES] = r->v + BLOCK * (int64_t)(pairs > 1 ? c->pair_block[first + 1] : spare++);
    if (g)
      pack_lane(r, c, b, bounds, L, place);
  }
}

/* Room for all, but for what the packets have already. */
static bool take_room(const perp_contact *c, perp_arena *arena, perp_contact_planar *r)
{
  const size_t packets = (size_t)r->packets.count;
  r->blocks = c->data.blocks + 2 * (int)perp_planar_places(r);
  for (int k = 0; k < (int)perp_planar_places(r); k++) {
    const perp_contact_group *g = perp_planar_group(r, k);
    r->blocks -= g ? (int)(c->pair_start[g->row + 1] - c->pair_start[g->row]) : 0;
  }
  const size_t numbers = (size_t)perp_planar_stride(r->rows, r->part);
  return PERP_TAKE(arena, PERP_ARRAY(r->block, 2 * LANES * packets),
                   PERP_ARRAY(r->v, BLOCK * (size_t)r->blocks), PERP_ARRAY(r->at, c->data.rows)) &&
         PERP_TAKE_ZERO(arena, PERP_ARRAY(r->packed, numbers * packets),
                        PERP_ARRAY(r->x, (size_t)(r->rows * LANES) * packets));
}

perp_error perp_contact_planar_create(const perp_operator *A, const double *b,
                                      const perp_contact_relaxer *groups, perp_arena *arena,
                                      perp_relaxer **relaxer)
{
  const perp_contact *c = perp_contact_of(A);
  *relaxer = NULL;
  const bool coloured = groups->orders & 1u << PERP_COLOURED;
  if ((coloured && groups->orders != 1u << PERP_COLOURED) || !is_planar(c, groups))
    return PERP_OK;
  perp_contact_planar *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || perp_contact_packets_create(c, groups, LANES, arena, &r->packets))
    return PERP_ERROR_MEMORY;
  if (!r->packets.count)
    return PERP_OK;
  r->orders = groups->orders;
  r->inverse = groups->inverse;
  r->group = groups->group;
  r->part = groups->bounds.part;
  r->rows = 1;
  for (int k = 0; k < groups->groups; k++)
    r->rows = groups->group[k].count > r->rows ? groups->group[k].count : r->rows;
  if (!take_room(c, arena, r))
    return PERP_ERROR_MEMORY;
  const perp_arena_mark mark = perp_arena_hold(arena);
  double *L;
  const perp_error error = perp_contact_factor(c, WIDTH, arena, &L);
  if (error || !L)
    return error;
  pack(r, c, b, &groups->bounds, L);
  perp_arena_release(arena, mark);
  perp_contact_planar_finish(r);
  *relaxer = &r->base;
  return PERP_OK;
}
