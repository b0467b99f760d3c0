/* planar.c: recognises the contacts of planar bodies, packs them, and sweeps over them two at a
 * time
 *
 *   G = J L,   A = G G^T + C,   u = G^T x      (rows.c)
 *
 * for groups of at most two rows over blocks of at most three velocities: a disc or a polygon in
 * the plane, the normal and the friction of a contact.
 *
 * If rows have friction indices, the second row of every group must name the first, and the first
 * none; rows.c handles all other problems. By rows.c 60 steps of discs:n=300 take 1.38 times the
 * instructions by pgs (50 sweeps), 1.83 times by auto.
 *
 * Cost: a factor of each block, a product with it for each block of each row, and the schedule of
 * groups.c.
 *
 * Sweeps. For every contact
 *
 *   y_t = G_t u + C_tt x_t + b_t                             for both rows at once
 *   x_t <- P_t(x_t - omega y_t / A_tt),  y_s += A_st (change of x_t) for the row s to come
 *   u  <- u + sum_t G_t^T (change of x_t)
 *
 * This gives the values of a row-by-row sweep, rounded differently. A packet is read while the one
 * before it waits for its own rows: three consecutive packets share no body. */
#include "operator/contact/lanes.h"
#include "operator/contact/packets.h"

enum {
  LANES = PERP_PACKET_LANES,
  ROWS = 2,  /* most rows of a group */
  WIDTH = 3, /* most velocities of a block */
  BLOCK = 4, /* doubles from a block to the next */
};

/* Numbers per row of a packet: G_t of both blocks, then the fields listed in row_update.h, with
 * omega / A_tt for the inverse. */
static inline int row_numbers(perp_part part)
{
  return 2 * WIDTH + (part == PERP_PART_PLAIN ? PERP_CONTACT_LOWER : PERP_CONTACT_EXTRA);
}

static inline int packet_stride(int rows, perp_part part)
{
  return LANES * rows * row_numbers(part);
}

/* ---- Recognition and packing ---- */

/* Returns true if groups, bounds and blocks have the form above. */
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

/* Packs one lane of a packet, which is zero. */
static void pack_lane(const perp_contact_packed *r, const perp_contact *c, const double *b,
                      const perp_bounds *bounds, const double *L, int64_t place)
{
  const perp_contact_group *g = perp_packed_group(r, place);
  double G[ROWS][2 * WIDTH] = {{0}};
  for (int t = 0; g && t < g->count; t++) {
    const int i = g->row + t;
    for (int64_t p = c->pair_start[i], side = 0; p < c->pair_start[i + 1]; p++, side++)
      perp_contact_scale_pair(c, p, WIDTH, L + (int64_t)c->pair_block[p] * WIDTH * WIDTH,
                              G[t] + side * WIDTH);
    double *row = perp_packed_lane(r, place) + t * r->apart, *extra = row + LANES * 2 * WIDTH;
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
  double *coupling = perp_packed_lane(r, place) + LANES * (2 * WIDTH + PERP_CONTACT_COUPLING);
  for (int k = 0; k < 2 * WIDTH; k++)
    *coupling += G[0][k] * G[1][k];
}

/* ---- One packet ---- */

/* Loads the velocities of one side into lanes. */
KERNEL vec load_side(const double *first, const double *second)
{
  const pair *u = (const pair *)first, *w = (const pair *)second;
  return (vec){low(u[0], w[0]), high(u[0], w[0]), low(u[1], w[1])};
}

KERNEL void store_side(vec s, double *first, double *second)
{
  pair *u = (pair *)first, *w = (pair *)second;
  u[0] = low(s.x, s.y);
  u[1] = low(s.z, s.z);
  w[0] = high(s.x, s.y);
  w[1] = high(s.z, s.z);
}

/* s += G^T d over one side of a row */
KERNEL vec add_row(vec s, const double *G, pair d)
{
  return (vec){s.x + number(G, 0) * d, s.y + number(G, 1) * d, s.z + number(G, 2) * d};
}

/* y_t = G_t u + C_tt x_t + b_t; x is that of row t */
KERNEL pair row_value(const double *row, pair x, vec a, vec b)
{
  const double *extra = row + LANES * 2 * WIDTH;
  const pair rest = number(extra, PERP_CONTACT_RHS) + number(extra, PERP_CONTACT_OWN) * x;
  const pair one = rest + number(row, 0) * a.x + number(row, 1) * a.y + number(row, 2) * a.z;
  return one + (number(row, 3) * b.x + number(row, 4) * b.y + number(row, 5) * b.z);
}

/* A packet in the layout of row_update.h. */
typedef struct planar_rows {
  const double *extra; /* the fields after G in the first row */
  perp_part part;
} planar_rows;

KERNEL const double *row_extra(const planar_rows *l, int t)
{
  return l->extra + t * LANES * row_numbers(l->part);
}

KERNEL pair planar_rows_step(const planar_rows *l, int t)
{
  return number(row_extra(l, t), PERP_CONTACT_INVERSE);
}

KERNEL pair planar_rows_coupling(const planar_rows *l, int t)
{
  return number(row_extra(l, t), PERP_CONTACT_COUPLING);
}

KERNEL bool planar_rows_bounds(const planar_rows *l, int t, const pair *x, pair *lower, pair *upper)
{
  *lower = (pair){0, 0};
  if (l->part == PERP_PART_PLAIN)
    return false;
  *lower = number(row_extra(l, t), PERP_CONTACT_LOWER);
  *upper = number(row_extra(l, t), PERP_CONTACT_UPPER);
  if (l->part == PERP_PART_FINDEX && t > 0) {
    *lower *= absolute(x[0]);
    *upper *= absolute(x[0]);
  }
  return true;
}

PERP_ROW_UPDATE(KERNEL, pair, planar_rows, not_below, not_above)

/* The state from which the rows of a packet are relaxed. */
typedef struct state {
  vec a, b; /* velocities of both sides */
  pair x[ROWS], y[ROWS], d[ROWS];
} state;

KERNEL state read_packet(const double *packet, const double *v, const int *body, const double *x,
                         int rows, perp_part part)
{
  state s = {.a = load_side(v + body[0], v + body[1]), .b = load_side(v + body[2], v + body[3])};
  for (int t = 0; t < rows; t++) {
    s.x[t] = number(x, t);
    s.y[t] = row_value(packet + t * LANES * row_numbers(part), s.x[t], s.a, s.b);
  }
  return s;
}

/* Relaxes row t of a packet and adds its change to the velocities. */
KERNEL void relax_row(const double *packet, int rows, perp_part part, bool descending, int t,
                      state *s)
{
  const planar_rows own = {packet + LANES * 2 * WIDTH, part};
  const double *row = packet + t * LANES * row_numbers(part);
  planar_rows_update(&own, t, rows, descending, s->y[t], s->x, s->d);
  s->a = add_row(s->a, row, s->d[t]);
  s->b = add_row(s->b, row + LANES * WIDTH, s->d[t]);
}

KERNEL void write_packet(const state *s, double *v, const int *body, double *x, int rows)
{
  double *const b0 = v + body[2], *const b1 = v + body[3];
  for (int t = 0; t < rows; t++)
    *(pair *)(x + LANES * t) = s->x[t];
  store_side(s->b, b0, b1);
  store_side(s->a, v + body[0], v + body[1]);
}

/* ---- Sweeps ---- */

/* While a packet waits for its own rows, reads the next one, which shares no block with it. */
KERNEL void relax_packets(const perp_packed_pass *s, int64_t begin, int64_t end, int rows,
                          perp_part part, bool descending)
{
  if (begin >= end)
    return;
  const int64_t step = descending ? -1 : 1;
  const int64_t first = descending ? s->r->packets.count - 1 - begin : s->first + begin;
  const double *packet = s->r->packed + first * packet_stride(rows, part);
  const int *body = s->r->body + first * 2 * LANES;
  double *x = s->r->x + first * rows * LANES, *v = s->r->v;
  state now = read_packet(packet, v, body, x, rows, part);
  for (int64_t k = begin; k < end; k++) {
    const int64_t on = k + 1 < end ? step : 0; /* the last packet does not advance */
    const double *next_packet = packet + on * packet_stride(rows, part);
    const int *next_body = body + on * 2 * LANES;
    double *next_x = x + on * rows * LANES;
    if (rows == 2)
      relax_row(packet, rows, part, descending, descending, &now);
    const state next = read_packet(next_packet, v, next_body, next_x, rows, part);
    relax_row(packet, rows, part, descending, rows == 2 && !descending, &now);
    write_packet(&now, v, body, x, rows);
    packet = next_packet, body = next_body, x = next_x;
    now = next;
  }
}

SWEEP_BODY(ascend_1_plain, relax_packets, 1, PERP_PART_PLAIN, false)
SWEEP_BODY(ascend_1_box, relax_packets, 1, PERP_PART_BOX, false)
SWEEP_BODY(ascend_2_plain, relax_packets, 2, PERP_PART_PLAIN, false)
SWEEP_BODY(ascend_2_box, relax_packets, 2, PERP_PART_BOX, false)
SWEEP_BODY(ascend_2_friction, relax_packets, 2, PERP_PART_FINDEX, false)
SWEEP_BODY(descend_1_plain, relax_packets, 1, PERP_PART_PLAIN, true)
SWEEP_BODY(descend_1_box, relax_packets, 1, PERP_PART_BOX, true)
SWEEP_BODY(descend_2_plain, relax_packets, 2, PERP_PART_PLAIN, true)
SWEEP_BODY(descend_2_box, relax_packets, 2, PERP_PART_BOX, true)
SWEEP_BODY(descend_2_friction, relax_packets, 2, PERP_PART_FINDEX, true)

/* u += G^T x over packets; projects x first if `projected`. */
KERNEL void gather_packets(const perp_packed_pass *s, int64_t begin, int64_t end, bool projected)
{
  const perp_contact_packed *r = s->r;
  for (int64_t p = s->first + begin; p < s->first + end; p++) {
    const double *packet = r->packed + p * r->stride;
    const int *body = r->body + p * 2 * LANES;
    double *v = r->v;
    vec a = load_side(v + body[0], v + body[1]), b = load_side(v + body[2], v + body[3]);
    pair *own = (pair *)(r->x + p * r->rows * LANES);
    const planar_rows rows = {packet + LANES * 2 * WIDTH, r->part};
    for (int t = 0; t < r->rows; t++) {
      const double *row = packet + t * r->apart;
      if (projected)
        own[t] = planar_rows_project(&rows, t, own[t], own);
      a = add_row(a, row, own[t]);
      b = add_row(b, row + LANES * WIDTH, own[t]);
    }
    store_side(b, v + body[2], v + body[3]);
    store_side(a, v + body[0], v + body[1]);
  }
}

KERNEL_BODY(gather_range, gather_packets, false)
KERNEL_BODY(project_and_gather_range, gather_packets, true)

static void gradient_range(void *context, int64_t begin, int64_t end)
{
  const perp_packed_pass *s = context;
  const perp_contact_packed *r = s->r;
  for (int64_t p = begin; p < end; p++) {
    const int *body = r->body + p * 2 * LANES;
    const vec a = load_side(r->v + body[0], r->v + body[1]);
    const vec b = load_side(r->v + body[2], r->v + body[3]);
    const double *packet = r->packed + p * r->stride, *x = r->x + p * r->rows * LANES;
    pair y[ROWS];
    for (int t = 0; t < r->rows; t++)
      y[t] = row_value(packet + t * r->apart, number(x, t), a, b);
    store_values(s, p, y);
  }
}

/* ---- Construction ---- */

static void choose_bodies(perp_contact_packed *r)
{
  static const perp_range_body bodies[ROWS][3][2][2] = {
      {{BOTH(ascend_1_plain), BOTH(descend_1_plain)}, {BOTH(ascend_1_box), BOTH(descend_1_box)}},
      {{BOTH(ascend_2_plain), BOTH(descend_2_plain)},
       {BOTH(ascend_2_box), BOTH(descend_2_box)},
       {BOTH(ascend_2_friction), BOTH(descend_2_friction)}},
  };
  for (int descending = 0; descending < 2; descending++)
    r->sweeps[descending] = bodies[r->rows - 1][r->part][descending][takes_wide()];
  r->gathers[0] = gather_range;
  r->gathers[1] = project_and_gather_range;
  r->gradient = gradient_range;
}

perp_error perp_contact_planar_create(const perp_operator *A, const double *b,
                                      const perp_contact_relaxer *groups, perp_arena *arena,
                                      perp_contact_packed **made)
{
  const perp_contact *c = perp_contact_of(A);
  double *L;
  *made = NULL;
  if (!is_planar(c, groups))
    return PERP_OK;
  if (perp_contact_packed_create(c, groups, arena, made))
    return PERP_ERROR_MEMORY;
  perp_contact_packed *r = *made;
  if (!r)
    return PERP_OK;
  r->rows = 1;
  for (int k = 0; k < groups->groups; k++)
    r->rows = groups->group[k].count > r->rows ? groups->group[k].count : r->rows;
  r->stride = packet_stride(r->rows, r->part);
  r->step = LANES * (2 * WIDTH + PERP_CONTACT_INVERSE);
  r->apart = LANES * row_numbers(r->part);
  r->body_size = r->moving = BLOCK;
  if (!perp_contact_packed_take(c, arena, r))
    return PERP_ERROR_MEMORY;
  const perp_arena_mark mark = perp_arena_hold(arena);
  const perp_error error = perp_contact_factor(c, WIDTH, arena, &L);
  if (error || !L) {
    *made = NULL;
    return error;
  }
  for (int64_t place = 0; place < perp_packed_places(r); place++)
    pack_lane(r, c, b, &groups->bounds, L, place);
  perp_arena_release(arena, mark);
  choose_bodies(r);
  perp_contact_packed_finish(r);
  return PERP_OK;
}
