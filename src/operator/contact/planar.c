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
 * This gives the values of a row-by-row sweep, rounded differently. Two contacts that share no body
 * run in the two lanes of a vector; the schedule (groups.c) makes packets of two such that three
 * consecutive packets share no body. The dependency chain from the velocities that a contact reads
 * to the velocities it writes is sixty cycles; a packet takes some 120 instructions, and the next
 * packet is read during the wait: 35 cycles per packet.
 *
 * Memory traffic of a sweep in bytes per row: 96 of the packet (80 if all x_i >= 0), 16 of x, 8 of
 * block indices; the velocities stay in a cache. */
#include "operator/contact/contact.h"
#include "operator/contact/lanes.h"

#include <assert.h>
#include <string.h>

enum {
  LANES = 2,  /* contacts of a packet; no two share a body */
  ROWS = 2,   /* most rows of a group */
  WIDTH = 3,  /* most velocities of a block */
  BLOCK = 4,  /* doubles from a block to the next */
  GRAIN = 64, /* packets per piece of a parallel loop */
};

/* A packet is stored row after row: G_t, the numbers of both blocks, then the fields listed in
 * contact.h, with omega / A_tt for the inverse; each number for both lanes side by side. */
typedef struct perp_contact_planar {
  perp_relaxer base;
  unsigned orders; /* bits 1 << order of the sweeps that will be used */
  perp_part part;
  int rows;              /* rows per packet: 1 or 2, the most that a group has */
  double omega;          /* omega of the packed steps */
  const double *inverse; /* 1 / A_ii */
  const perp_contact_group *group;
  perp_contact_packets packets;
  double **block;           /* packets x 4: the first and the second block of every lane in v */
  double *packed;           /* packets x stride */
  double *x;                /* packets x rows x 2 */
  int *at;                  /* rows of A: index of x_i in x */
  int blocks;               /* including one for every block that is missing in a lane */
  double *v;                /* blocks x 4: u */
  bool fresh;               /* no sweep since u was computed from x */
  perp_range_body range[2]; /* ascending and descending, see choose_bodies */
} perp_contact_planar;

/* Numbers per row of a packet. */
static inline int row_numbers(perp_part part)
{
  return 2 * WIDTH + (part == PERP_PART_PLAIN ? PERP_CONTACT_LOWER : PERP_CONTACT_EXTRA);
}

static inline int packet_stride(int rows, perp_part part)
{
  return LANES * rows * row_numbers(part);
}

static inline int64_t places(const perp_contact_planar *r)
{
  return (int64_t)r->packets.count * LANES;
}

/* Returns the group in a lane of a packet, or NULL. */
static inline const perp_contact_group *group_in(const perp_contact_planar *r, int64_t place)
{
  return r->packets.group[place] < 0 ? NULL : &r->group[r->packets.group[place]];
}

/* Returns row t of the group at a place; its numbers are LANES apart. */
static inline double *row_at(const perp_contact_planar *r, int64_t place, int t)
{
  return r->packed + place / LANES * packet_stride(r->rows, r->part) +
         t * LANES * row_numbers(r->part) + place % LANES;
}

/* Returns the index in x of row t of the group at a place. */
static inline int64_t x_at(const perp_contact_planar *r, int64_t place, int t)
{
  return (place / LANES * r->rows + t) * LANES + place % LANES;
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

/* Packs one lane of a packet, which must be zero. */
static void pack_lane(const perp_contact_planar *r, const perp_contact *c, const double *b,
                      const perp_bounds *bounds, const double *L, int64_t place)
{
  const perp_contact_group *g = group_in(r, place);
  double G[ROWS][2 * WIDTH] = {{0}};
  for (int t = 0; t < g->count; t++) {
    const int i = g->row + t;
    r->at[i] = (int)x_at(r, place, t);
    for (int64_t p = c->pair_start[i], side = 0; p < c->pair_start[i + 1]; p++, side++)
      perp_contact_scale_pair(c, p, WIDTH, L + (int64_t)c->pair_block[p] * WIDTH * WIDTH,
                              G[t] + side * WIDTH);
    double *row = row_at(r, place, t), *extra = row + LANES * 2 * WIDTH;
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
  double *coupling = row_at(r, place, 0) + LANES * (2 * WIDTH + PERP_CONTACT_COUPLING);
  for (int k = 0; k < 2 * WIDTH; k++)
    *coupling += G[0][k] * G[1][k];
}

static void pack(const perp_contact_planar *r, const perp_contact *c, const double *b,
                 const perp_bounds *bounds, const double *L)
{
  int spare = c->data.blocks;
  for (int64_t place = 0; place < places(r); place++) {
    const perp_contact_group *g = group_in(r, place);
    const int64_t first = g ? c->pair_start[g->row] : 0;
    const int64_t pairs = g ? c->pair_start[g->row + 1] - first : 0;
    double **block = r->block + place / LANES * 2 * LANES + place % LANES;
    block[0] = r->v + BLOCK * (int64_t)(pairs > 0 ? c->pair_block[first] : spare++);
    block[LANES] = r->v + BLOCK * (int64_t)(pairs > 1 ? c->pair_block[first + 1] : spare++);
    if (g)
      pack_lane(r, c, b, bounds, L, place);
  }
}

/* Allocates everything except the packets' own arrays. */
static bool take_room(const perp_contact *c, perp_arena *arena, perp_contact_planar *r)
{
  const size_t packets = (size_t)r->packets.count;
  r->blocks = c->data.blocks + 2 * (int)places(r);
  for (int k = 0; k < (int)places(r); k++) {
    const perp_contact_group *g = group_in(r, k);
    r->blocks -= g ? (int)(c->pair_start[g->row + 1] - c->pair_start[g->row]) : 0;
  }
  const size_t numbers = (size_t)packet_stride(r->rows, r->part);
  return PERP_TAKE(arena, PERP_ARRAY(r->block, 2 * LANES * packets),
                   PERP_ARRAY(r->v, BLOCK * (size_t)r->blocks), PERP_ARRAY(r->at, c->data.rows)) &&
         PERP_TAKE_ZERO(arena, PERP_ARRAY(r->packed, numbers * packets),
                        PERP_ARRAY(r->x, (size_t)(r->rows * LANES) * packets));
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

KERNEL state read_packet(const double *packet, double *const *block, const double *x, int rows,
                         perp_part part)
{
  state s = {.a = load_side(block[0], block[1]), .b = load_side(block[2], block[3])};
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

KERNEL void write_packet(const state *s, double *const *block, double *x, int rows)
{
  double *const a0 = block[0], *const a1 = block[1], *const b0 = block[2], *const b1 = block[3];
  for (int t = 0; t < rows; t++)
    *(pair *)(x + LANES * t) = s->x[t];
  store_side(s->b, b0, b1);
  store_side(s->a, a0, a1);
}

/* ---- Sweeps ---- */

typedef struct sweep {
  const perp_contact_planar *r;
  int first; /* coloured: first packet of the colour */
  double *y; /* of a gradient */
} sweep;

/* While a packet waits for its own rows, reads the next one, which shares no block with it. */
KERNEL void relax_packets(const sweep *s, int64_t begin, int64_t end, int rows, perp_part part,
                          bool descending)
{
  if (begin >= end)
    return;
  const int64_t step = descending ? -1 : 1;
  const int64_t first = descending ? s->r->packets.count - 1 - begin : s->first + begin;
  const double *packet = s->r->packed + first * packet_stride(rows, part);
  double *const *block = s->r->block + first * 2 * LANES, *x = s->r->x + first * rows * LANES;
  state now = read_packet(packet, block, x, rows, part);
  for (int64_t k = begin; k < end; k++) {
    const int64_t on = k + 1 < end ? step : 0; /* the last packet does not advance */
    const double *next_packet = packet + on * packet_stride(rows, part);
    double *const *next_block = block + on * 2 * LANES, *next_x = x + on * rows * LANES;
    if (rows == 2)
      relax_row(packet, rows, part, descending, descending, &now);
    const state next = read_packet(next_packet, next_block, next_x, rows, part);
    relax_row(packet, rows, part, descending, rows == 2 && !descending, &now);
    write_packet(&now, block, x, rows);
    packet = next_packet, block = next_block, x = next_x;
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

static void choose_bodies(perp_contact_planar *r)
{
  static const perp_range_body bodies[ROWS][3][2][2] = {
      {{BOTH(ascend_1_plain), BOTH(descend_1_plain)}, {BOTH(ascend_1_box), BOTH(descend_1_box)}},
      {{BOTH(ascend_2_plain), BOTH(descend_2_plain)},
       {BOTH(ascend_2_box), BOTH(descend_2_box)},
       {BOTH(ascend_2_friction), BOTH(descend_2_friction)}},
  };
  r->range[0] = bodies[r->rows - 1][r->part][0][takes_wide()];
  r->range[1] = bodies[r->rows - 1][r->part][1][takes_wide()];
}

/* ---- The relaxer's functions ---- */

/* Sets the steps omega / A_tt of all packets. */
static void set_omega(perp_contact_planar *r, double omega)
{
  if (r->omega == omega)
    return;
  r->omega = omega;
  for (int64_t place = 0; place < places(r); place++) {
    const perp_contact_group *g = group_in(r, place);
    for (int t = 0; g && t < g->count; t++)
      row_at(r, place, t)[LANES * (2 * WIDTH + PERP_CONTACT_INVERSE)] =
          omega * r->inverse[g->row + t];
  }
}

static void relax(perp_relaxer *relaxer, double omega, perp_order order)
{
  perp_contact_planar *r = (perp_contact_planar *)relaxer;
  assert(r->orders & 1u << order);
  set_omega(r, omega);
  r->fresh = false;
  sweep s = {.r = r};
  perp_contact_over_packets(&r->packets, order == PERP_COLOURED, r->base.threads,
                            r->range[order == PERP_BACKWARD], &s, &s.first);
}

/* u += G^T x over packets; projects x first if `projected`. */
KERNEL void gather_packets(const sweep *s, int64_t begin, int64_t end, bool projected)
{
  const perp_contact_planar *r = s->r;
  const int numbers = LANES * row_numbers(r->part);
  for (int64_t p = s->first + begin; p < s->first + end; p++) {
    const double *packet = r->packed + p * packet_stride(r->rows, r->part);
    double *const *block = r->block + p * 2 * LANES;
    vec a = load_side(block[0], block[1]), b = load_side(block[2], block[3]);
    pair *own = (pair *)(r->x + p * r->rows * LANES);
    const planar_rows rows = {packet + LANES * 2 * WIDTH, r->part};
    for (int t = 0; t < r->rows; t++) {
      const double *row = packet + t * numbers;
      if (projected)
        own[t] = planar_rows_project(&rows, t, own[t], own);
      a = add_row(a, row, own[t]);
      b = add_row(b, row + LANES * WIDTH, own[t]);
    }
    store_side(b, block[2], block[3]);
    store_side(a, block[0], block[1]);
  }
}

KERNEL_BODY(gather_range, gather_packets, false)
KERNEL_BODY(project_and_gather_range, gather_packets, true)

/* u = G^T x, without the accumulated rounding errors of the sweeps */
static void fresh_velocities(perp_contact_planar *r, perp_range_body body)
{
  r->fresh = true;
  memset(r->v, 0, (size_t)r->blocks * BLOCK * sizeof *r->v);
  sweep s = {.r = r};
  perp_contact_over_packets(&r->packets, r->packets.colours > 0, r->base.threads, body, &s,
                            &s.first);
}

static void renew(perp_relaxer *relaxer)
{
  fresh_velocities((perp_contact_planar *)relaxer, project_and_gather_range);
}

static void load(perp_relaxer *relaxer)
{
  perp_contact_planar *r = (perp_contact_planar *)relaxer;
  for (int i = 0; i < relaxer->A->n; i++)
    r->x[r->at[i]] = relaxer->x[i];
  fresh_velocities(r, gather_range);
}

static void store(perp_relaxer *relaxer)
{
  const perp_contact_planar *r = (const perp_contact_planar *)relaxer;
  for (int i = 0; i < relaxer->A->n; i++)
    relaxer->x[i] = r->x[r->at[i]];
}

static void gradient_range(void *context, int64_t begin, int64_t end)
{
  const sweep *s = context;
  const perp_contact_planar *r = s->r;
  for (int64_t p = begin; p < end; p++) {
    double *const *block = r->block + p * 2 * LANES;
    const vec a = load_side(block[0], block[1]), b = load_side(block[2], block[3]);
    for (int t = 0; t < r->rows; t++) {
      const pair y =
          row_value(row_at(r, p * LANES, t), *(const pair *)(r->x + x_at(r, p * LANES, t)), a, b);
      for (int l = 0; l < LANES; l++) {
        const perp_contact_group *g = group_in(r, p * LANES + l);
        if (g && t < g->count)
          s->y[g->row + t] = y[l];
      }
    }
  }
}

static void gradient(perp_relaxer *relaxer, double *y)
{
  perp_contact_planar *r = (perp_contact_planar *)relaxer;
  if (!r->fresh)
    fresh_velocities(r, gather_range);
  sweep s = {.r = r, .y = y};
  perp_parallel_for(relaxer->threads, r->packets.count, GRAIN, gradient_range, &s);
}

/* ---- Construction ---- */

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
  choose_bodies(r);
  r->base.sweep = relax;
  r->base.load = load;
  r->base.store = store;
  r->base.gradient = gradient;
  r->base.own_x = r->x;
  r->base.own_count = (int64_t)r->packets.count * r->rows * LANES;
  r->base.renew = renew;
  *relaxer = &r->base;
  return PERP_OK;
}
