/* planar_sweep.c: the kernels of planar contacts, two at a time
 *
 * With G, u and C of contact_planar.c, for every contact
 *
 *   y_t = G_t u + C_tt x_t + b_t                             for both rows at once
 *   x_t <- P_t(x_t - omega y_t / A_tt),  y_s += A_st (change of x_t) for the row s to come
 *   u  <- u + sum_t G_t^T (change of x_t)
 *
 * These are the values that row after row would give, in another rounding. Two contacts that
 * share no body run abreast in the two lanes of a vector, and the schedule (contact_schedule.c)
 * lays down packets of two, three of which in a row share no body. From the velocities that a
 * contact reads to those it writes is a chain of sixty cycles; a packet takes some 120 instructions,
 * and the next one is read while it waits for its rows, so that processors need not look far ahead
 * to be busy: 35 cycles to a packet.
 *
 * What a sweep moves, in bytes to a row: 96 of the packet (80 where all x_i >= 0), 16 of x, 8 of
 * blocks' places; the velocities stay in a cache. */
#include "operator/contact/lanes.h"
#include "operator/contact/planar.h"

#include <assert.h>
#include <string.h>

enum {
  LANES = PERP_PLANAR_LANES,
  ROWS = PERP_PLANAR_ROWS,
  WIDTH = PERP_PLANAR_WIDTH,
  GRAIN = 64, /* packets to a piece of a parallel loop */
};

/* ---- One packet ---- */

KERNEL pair absolute(pair t)
{
  return (pair)((bits)t & (bits){INT64_MAX, INT64_MAX});
}

/* The velocities of one side, in lanes. */
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

/* y_t = G_t u + C_tt x_t + b_t, x being that of row t */
KERNEL pair row_value(const double *row, pair x, vec a, vec b)
{
  const double *extra = row + LANES * 2 * WIDTH;
  const pair rest = number(extra, PERP_CONTACT_RHS) + number(extra, PERP_CONTACT_OWN) * x;
  const pair one = rest + number(row, 0) * a.x + number(row, 1) * a.y + number(row, 2) * a.z;
  return one + (number(row, 3) * b.x + number(row, 4) * b.y + number(row, 5) * b.z);
}

/* P_t(z); in a friction row at the normal x_0 */
KERNEL pair project(perp_part part, const double *extra, int t, pair z, pair x_0)
{
  if (part == PERP_PART_PLAIN)
    return (pair)((bits)z & ~(z < 0));
  pair lower = number(extra, PERP_CONTACT_LOWER), upper = number(extra, PERP_CONTACT_UPPER);
  if (part == PERP_PART_FINDEX && t > 0) {
    lower *= absolute(x_0);
    upper *= absolute(x_0);
  }
  return clamp(z, lower, upper);
}

/* What the rows of a packet are relaxed from. */
typedef struct state {
  vec a, b; /* velocities of both sides */
  pair x[ROWS], y[ROWS];
} state;

KERNEL state read_packet(const double *packet, double *const *block, const double *x, int rows,
                         perp_part part)
{
  state s = {.a = load_side(block[0], block[1]), .b = load_side(block[2], block[3])};
  for (int t = 0; t < rows; t++) {
    s.x[t] = number(x, t);
    s.y[t] = row_value(packet + t * LANES * perp_planar_row_numbers(part), s.x[t], s.a, s.b);
  }
  return s;
}

/* Row t of a packet, and the row to come where there is one. */
KERNEL void relax_row(const double *packet, perp_part part, int t, bool more, state *s)
{
  const double *row = packet + t * LANES * perp_planar_row_numbers(part),
               *extra = row + LANES * 2 * WIDTH;
  const pair old = s->x[t], step = number(extra, PERP_CONTACT_INVERSE);
  s->x[t] = project(part, extra, t, old - step * s->y[t], s->x[0]);
  const pair d = s->x[t] - old;
  if (more)
    s->y[1 - t] += number(packet + LANES * 2 * WIDTH, PERP_CONTACT_COUPLING) * d;
  s->a = add_row(s->a, row, d);
  s->b = add_row(s->b, row + LANES * WIDTH, d);
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

/* A packet waits for its own rows; in the meantime the next, which shares no block with it, is
 * read. */
KERNEL void relax_packets(const sweep *s, int64_t begin, int64_t end, int rows, perp_part part,
                          bool descending)
{
  if (begin >= end)
    return;
  const int64_t step = descending ? -1 : 1;
  const int64_t first = descending ? s->r->packets.count - 1 - begin : s->first + begin;
  const double *packet = s->r->packed + first * perp_planar_stride(rows, part);
  double *const *block = s->r->block + first * 2 * LANES, *x = s->r->x + first * rows * LANES;
  state now = read_packet(packet, block, x, rows, part);
  for (int64_t k = begin; k < end; k++) {
    const int64_t on = k + 1 < end ? step : 0; /* the last stays where it is */
    const double *next_packet = packet + on * perp_planar_stride(rows, part);
    double *const *next_block = block + on * 2 * LANES, *next_x = x + on * rows * LANES;
    if (rows == 2)
      relax_row(packet, part, descending, true, &now);
    const state next = read_packet(next_packet, next_block, next_x, rows, part);
    relax_row(packet, part, rows == 2 && !descending, false, &now);
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

/* The steps omega / A_tt of all packets. */
static void set_omega(perp_contact_planar *r, double omega)
{
  if (r->omega == omega)
    return;
  r->omega = omega;
  for (int64_t place = 0; place < perp_planar_places(r); place++) {
    const perp_contact_group *g = perp_planar_group(r, place);
    for (int t = 0; g && t < g->count; t++)
      perp_planar_row(r, place, t)[LANES * (2 * WIDTH + PERP_CONTACT_INVERSE)] =
          omega * r->inverse[g->row + t];
  }
}

/* Calls body over all packets; those of a colour side by side. */
static void over_packets(sweep *s, bool coloured, perp_range_body body)
{
  const perp_contact_packets *packets = &s->r->packets;
  if (!coloured) {
    body(s, 0, packets->count);
    return;
  }
  for (int c = 0; c < packets->colours; c++) {
    s->first = packets->colour_start[c];
    perp_parallel_for(s->r->base.threads, packets->colour_start[c + 1] - s->first, GRAIN, body, s);
  }
}

static void relax(perp_relaxer *relaxer, double omega, perp_order order)
{
  perp_contact_planar *r = (perp_contact_planar *)relaxer;
  assert(r->orders & 1u << order);
  set_omega(r, omega);
  r->fresh = false;
  sweep s = {.r = r};
  over_packets(&s, order == PERP_COLOURED, r->range[order == PERP_BACKWARD]);
}

/* u += G^T x over packets, whose x may first be projected. */
KERNEL void gather_packets(const sweep *s, int64_t begin, int64_t end, bool projected)
{
  const perp_contact_planar *r = s->r;
  const int numbers = LANES * perp_planar_row_numbers(r->part);
  for (int64_t p = s->first + begin; p < s->first + end; p++) {
    const double *packet = r->packed + p * perp_planar_stride(r->rows, r->part);
    double *const *block = r->block + p * 2 * LANES;
    vec a = load_side(block[0], block[1]), b = load_side(block[2], block[3]);
    pair *own = (pair *)(r->x + p * r->rows * LANES);
    for (int t = 0; t < r->rows; t++) {
      const double *row = packet + t * numbers;
      if (projected)
        own[t] = project(r->part, row + LANES * 2 * WIDTH, t, own[t], own[0]);
      a = add_row(a, row, own[t]);
      b = add_row(b, row + LANES * WIDTH, own[t]);
    }
    store_side(b, block[2], block[3]);
    store_side(a, block[0], block[1]);
  }
}

KERNEL_BODY(gather_range, gather_packets, false)
KERNEL_BODY(project_and_gather_range, gather_packets, true)

/* u = G^T x, without the rounding that sweeps have gathered */
static void fresh_velocities(perp_contact_planar *r, perp_range_body body)
{
  r->fresh = true;
  memset(r->v, 0, (size_t)r->blocks * PERP_PLANAR_BLOCK * sizeof *r->v);
  sweep s = {.r = r};
  over_packets(&s, r->packets.colours > 0, body);
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
      const pair y = row_value(perp_planar_row(r, p * LANES, t),
                               *(const pair *)(r->x + perp_planar_x(r, p * LANES, t)), a, b);
      for (int l = 0; l < LANES; l++) {
        const perp_contact_group *g = perp_planar_group(r, p * LANES + l);
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

void perp_contact_planar_finish(perp_contact_planar *r)
{
  choose_bodies(r);
  r->base.sweep = relax;
  r->base.load = load;
  r->base.store = store;
  r->base.gradient = gradient;
  r->base.own_x = r->x;
  r->base.own_count = (int64_t)r->packets.count * r->rows * LANES;
  r->base.renew = renew;
}
