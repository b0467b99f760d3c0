/* groups.c: groups of rows that are relaxed together, their colours, and their order
 *
 * Groups. Consecutive rows that touch the same blocks (the normal and the tangents of one contact)
 * form a group, which one thread relaxes in sequence; the next contact of the same bodies is
 * another group. Two groups are coupled if they share a block, or if a row of one has an entry of
 * C, or a friction index, that names a row of the other.
 *
 * Colours are assigned one by one: colour c takes, by increasing row, every remaining group that is
 * not coupled with a group of colour c. This is the greedy colouring in natural order. Cost: groups
 * times colours, at most ROUNDS; the groups still left then share one block, and each gets a
 * separate colour.
 *
 * Schedule. In a sweep in natural order, two groups that share a block must keep their order; all
 * others can be exchanged without changing a bit. So the groups are distributed over small packets:
 *
 *   packet(g) >= packet(h) + GAP   for the last group h before g at each block of g
 *
 * and the first such packet with room takes g. The groups of GAP consecutive packets share no
 * block; some packets may stay empty for that. The CPU can then work on several groups at a time,
 * while in natural order each group waits for the velocities that its predecessor writes. The
 * reverse order serves a descending sweep. A group stays within WINDOW packets of the newest, near
 * the groups that touch its blocks in memory. The schedule is valid only if groups are coupled by
 * blocks and nothing else: C is diagonal and friction indices stay within their group. Cost: linear
 * in pairs (full packets are skipped by path halving). */
#include "linalg/vector.h"
#include "operator/contact/packets.h"

#include <assert.h>
#include <string.h>

enum {
  ROUNDS = 1000,
  GAP = 3,
  WINDOW = 1024,
  LANES = 4,
  GRAIN = 64, /* packets per piece of a parallel loop */
};

/* ---- Groups and colours ---- */

/* Returns true if row i begins another contact: it has no friction index, and the row before it has
 * one. */
static bool begins_contact(const int *findex, int i)
{
  return findex && findex[i] < 0 && findex[i - 1] >= 0;
}

static int list_groups(const perp_contact *c, const int *findex, int most,
                       perp_contact_group *group)
{
  int groups = 0;
  for (int i = 0; i < c->data.rows; groups++) {
    int count = 1;
    while (count < most && i + count < c->data.rows && c->pair_start[i + 1] > c->pair_start[i] &&
           perp_contact_same_blocks(c, i, i + count) && !begins_contact(findex, i + count))
      count++;
    group[groups] = (perp_contact_group){.row = i, .count = count, .slot = i};
    i += count;
  }
  return groups;
}

/* For each item the last colour that took or named it; -1: none. */
typedef struct stamps {
  const perp_contact *c;
  const int *findex;
  int *block; /* blocks of the groups of a colour */
  int *taken; /* rows taken */
  int *named; /* rows named by C or a friction index of a row of a colour */
} stamps;

static bool is_coupled(const stamps *s, const perp_contact_group *g, int colour)
{
  const perp_contact *c = s->c;
  for (int64_t p = c->pair_start[g->row]; p < c->pair_start[g->row + 1]; p++)
    if (s->block[c->pair_block[p]] == colour)
      return true;
  for (int i = g->row; i < g->row + g->count; i++) {
    if (s->named[i] == colour ||
        (s->findex && s->findex[i] >= 0 && s->taken[s->findex[i]] == colour))
      return true;
    for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
      if (s->taken[c->C.column[k]] == colour)
        return true;
  }
  return false;
}

static void take(const stamps *s, const perp_contact_group *g, int colour)
{
  const perp_contact *c = s->c;
  for (int64_t p = c->pair_start[g->row]; p < c->pair_start[g->row + 1]; p++)
    s->block[c->pair_block[p]] = colour;
  for (int i = g->row; i < g->row + g->count; i++) {
    s->taken[i] = colour;
    if (s->findex && s->findex[i] >= 0)
      s->named[s->findex[i]] = colour;
    for (int64_t k = c->C.start[i]; k < c->C.start[i + 1]; k++)
      s->named[c->C.column[k]] = colour;
  }
}

/* Fills coloured and colour_start; `left` has room for all groups. */
static void peel_colours(const stamps *s, int *left, perp_contact_relaxer *r)
{
  int count = r->groups, filed = 0;
  for (int g = 0; g < count; g++)
    left[g] = g;
  for (r->colours = 0; count > 0 && r->colours < ROUNDS; r->colours++) {
    r->colour_start[r->colours] = filed;
    int kept = 0;
    for (int k = 0; k < count; k++) {
      const perp_contact_group *g = &r->group[left[k]];
      if (is_coupled(s, g, r->colours)) {
        left[kept++] = left[k];
      } else {
        take(s, g, r->colours);
        r->coloured[filed++] = left[k];
      }
    }
    count = kept;
  }
  for (int k = 0; k < count; k++) {
    r->colour_start[r->colours++] = filed;
    r->coloured[filed++] = left[k];
  }
  r->colour_start[r->colours] = filed;
}

perp_error perp_contact_group_rows(const perp_contact *c, const perp_set *K, int most,
                                   bool coloured, perp_arena *arena, perp_contact_relaxer *r)
{
  const size_t n = (size_t)c->data.rows, blocks = (size_t)c->data.blocks;
  r->group = perp_arena_alloc(arena, n, sizeof *r->group);
  if (!r->group)
    return PERP_ERROR_MEMORY;
  r->groups = list_groups(c, K->findex, most, r->group);
  if (!coloured)
    return PERP_OK;
  if (!PERP_TAKE(arena, PERP_ARRAY(r->coloured, n), PERP_ARRAY(r->colour_start, n + 1)))
    return PERP_ERROR_MEMORY;

  const perp_arena_mark mark = perp_arena_hold(arena);
  int *work = perp_arena_alloc(arena, blocks + 3 * n, sizeof *work);
  if (!work)
    return PERP_ERROR_MEMORY;
  memset(work, 0xff, (blocks + 2 * n) * sizeof *work); /* all -1 */
  const stamps s = {.c = c,
                    .findex = K->findex,
                    .block = work,
                    .taken = work + blocks,
                    .named = work + blocks + n};
  peel_colours(&s, work + blocks + 2 * n, r);
  perp_arena_release(arena, mark);
  return PERP_OK;
}

/* ---- Schedule ---- */

/* Returns the first packet from p on that has room. */
static int64_t first_with_room(int64_t *next, int64_t p)
{
  while (next[p] != p) {
    next[p] = next[next[p]];
    p = next[p];
  }
  return p;
}

/* Computes packet[k] of every group; returns the number of packets. */
static int64_t deal_out(const perp_contact *c, const perp_contact_relaxer *r, int lanes,
                        int64_t *packet, int64_t *next, int *count, int64_t *last)
{
  int64_t newest = -1;
  for (int k = 0; k < r->groups; k++) {
    const perp_contact_group *g = &r->group[k];
    int64_t p = newest > WINDOW ? newest - WINDOW : 0;
    for (int64_t q = c->pair_start[g->row]; q < c->pair_start[g->row + 1]; q++) {
      const int64_t ready = last[c->pair_block[q]] + GAP;
      p = ready > p ? ready : p;
    }
    p = first_with_room(next, p);
    for (int64_t q = c->pair_start[g->row]; q < c->pair_start[g->row + 1]; q++)
      last[c->pair_block[q]] = p;
    if (++count[p] == lanes)
      next[p] = p + 1;
    packet[k] = p;
    newest = p > newest ? p : newest;
  }
  return newest + 1;
}

/* Creates the packets of a sweep in natural order; some may be empty. */
static perp_error packets_by_schedule(const perp_contact *c, const perp_contact_relaxer *r,
                                      int lanes, perp_arena *arena, perp_contact_packets *packets)
{
  const size_t groups = (size_t)r->groups, most = GAP * groups + 2;
  packets->group = perp_arena_alloc(arena, most, (size_t)lanes * sizeof *packets->group);
  if (!packets->group)
    return PERP_ERROR_MEMORY;
  const perp_arena_mark mark = perp_arena_hold(arena);
  int64_t *packet, *next, *last;
  int *count;
  if (!PERP_TAKE(arena, PERP_ARRAY(packet, groups), PERP_ARRAY(next, most),
                 PERP_ARRAY(last, c->data.blocks)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(count, most)))
    return PERP_ERROR_MEMORY;
  for (size_t p = 0; p < most; p++)
    next[p] = (int64_t)p;
  for (int k = 0; k < c->data.blocks; k++)
    last[k] = -GAP;
  packets->count = (int)deal_out(c, r, lanes, packet, next, count, last);
  perp_fill_integers((int64_t)packets->count * lanes, -1, packets->group);
  for (int k = r->groups - 1; k >= 0; k--)
    packets->group[packet[k] * lanes + --count[packet[k]]] = k;
  perp_arena_release(arena, mark);
  return PERP_OK;
}

/* ---- Packets ---- */

/* Divides the groups of each colour into packets of `lanes`. */
static perp_error packets_by_colour(const perp_contact_relaxer *r, int lanes, perp_arena *arena,
                                    perp_contact_packets *packets)
{
  packets->colours = r->colours;
  int *start = perp_arena_alloc(arena, (size_t)r->colours + 1, sizeof *start);
  if (!start)
    return PERP_ERROR_MEMORY;
  start[0] = 0;
  for (int c = 0; c < r->colours; c++)
    start[c + 1] = start[c] + (r->colour_start[c + 1] - r->colour_start[c] + lanes - 1) / lanes;
  packets->colour_start = start;
  packets->count = start[r->colours];
  const size_t places = (size_t)packets->count * (size_t)lanes;
  packets->group = perp_arena_alloc(arena, places, sizeof *packets->group);
  if (!packets->group)
    return PERP_ERROR_MEMORY;
  memset(packets->group, 0xff, places * sizeof *packets->group); /* all -1 */
  for (int c = 0; c < r->colours; c++)
    for (int k = r->colour_start[c]; k < r->colour_start[c + 1]; k++)
      packets->group[(int64_t)start[c] * lanes + k - r->colour_start[c]] = r->coloured[k];
  return PERP_OK;
}

perp_error perp_contact_packed_create(const perp_contact *c, const perp_contact_relaxer *groups,
                                      perp_arena *arena, perp_contact_packed **result)
{
  const int lanes = PERP_PACKET_LANES;
  const bool coloured = groups->orders & 1u << PERP_COLOURED;
  *result = NULL;
  if (coloured && groups->orders != 1u << PERP_COLOURED)
    return PERP_OK;
  perp_contact_packed *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  if (!r || (groups->colours ? packets_by_colour(groups, lanes, arena, &r->packets)
                             : packets_by_schedule(c, groups, lanes, arena, &r->packets)))
    return PERP_ERROR_MEMORY;
  r->orders = groups->orders;
  r->part = groups->bounds.part;
  r->inverse = groups->inverse;
  r->group = groups->group;
  if (perp_packed_places(r) <= 3 * (int64_t)groups->groups / 2 + lanes)
    *result = r;
  return PERP_OK;
}

bool perp_contact_packed_take(const perp_contact *c, perp_arena *arena, perp_contact_packed *r)
{
  const int lanes = PERP_PACKET_LANES;
  const size_t packets = (size_t)r->packets.count, places = packets * (size_t)lanes;
  if (!PERP_TAKE(arena, PERP_ARRAY(r->body, 2 * places), PERP_ARRAY(r->at, c->data.rows)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(r->packed, (size_t)r->stride * packets),
                      PERP_ARRAY(r->x, (size_t)r->rows * places)))
    return false;
  r->bodies = c->data.blocks;
  for (int64_t place = 0; place < perp_packed_places(r); place++) {
    const perp_contact_group *g = perp_packed_group(r, place);
    const int64_t first = g ? c->pair_start[g->row] : 0;
    const int64_t pairs = g ? c->pair_start[g->row + 1] - first : 0;
    int *body = r->body + place / lanes * 2 * lanes + place % lanes;
    for (int side = 0; side < 2; side++)
      body[side * lanes] =
          r->body_size * (pairs > side ? c->pair_block[first + side] : r->bodies++);
    for (int t = 0; g && t < g->count; t++)
      r->at[g->row + t] = (int)((place / lanes * r->rows + t) * lanes + place % lanes);
  }
  return PERP_TAKE_ZERO(arena, PERP_ARRAY(r->v, (size_t)r->body_size * (size_t)r->bodies));
}

/* ---- Sweeps over packets ---- */

/* Calls body over all packets, the packets of a colour in parallel. */
static void over_packets(const perp_contact_packed *r, bool coloured, perp_range_body body)
{
  perp_packed_pass pass = {.r = r};
  if (!coloured) {
    body(&pass, 0, r->packets.count);
    return;
  }
  for (int c = 0; c < r->packets.colours; c++) {
    pass.first = r->packets.colour_start[c];
    perp_parallel_for(r->base.threads, r->packets.colour_start[c + 1] - pass.first, GRAIN, body,
                      &pass);
  }
}

/* Sets the steps omega / A_tt of all packets. */
static void set_omega(perp_contact_packed *r, double omega)
{
  if (r->omega == omega)
    return;
  r->omega = omega;
  for (int64_t place = 0; place < perp_packed_places(r); place++) {
    const perp_contact_group *g = perp_packed_group(r, place);
    for (int t = 0; g && t < g->count; t++)
      perp_packed_lane(r, place)[r->step + t * r->apart] = omega * r->inverse[g->row + t];
  }
}

void perp_contact_packed_sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  perp_contact_packed *r = (perp_contact_packed *)relaxer;
  assert(r->orders & 1u << order);
  set_omega(r, omega);
  r->fresh = false;
  over_packets(r, order == PERP_COLOURED, r->sweeps[order == PERP_BACKWARD]);
}

/* Computes the velocities of x, without the accumulated rounding errors of the sweeps. */
static void renew_velocities(perp_contact_packed *r, bool projected)
{
  r->fresh = true;
  for (int64_t k = 0; k < r->bodies; k++)
    memset(r->v + k * r->body_size, 0, (size_t)r->moving * sizeof *r->v);
  over_packets(r, r->packets.colours > 0, r->gathers[projected]);
}

static void renew(perp_relaxer *relaxer)
{
  renew_velocities((perp_contact_packed *)relaxer, true);
}

static void load(perp_relaxer *relaxer)
{
  perp_contact_packed *r = (perp_contact_packed *)relaxer;
  for (int i = 0; i < relaxer->A->n; i++)
    r->x[r->at[i]] = relaxer->x[i];
  renew_velocities(r, false);
}

static void store(perp_relaxer *relaxer)
{
  const perp_contact_packed *r = (const perp_contact_packed *)relaxer;
  for (int i = 0; i < relaxer->A->n; i++)
    relaxer->x[i] = r->x[r->at[i]];
}

static void gradient(perp_relaxer *relaxer, double *y)
{
  perp_contact_packed *r = (perp_contact_packed *)relaxer;
  if (!r->fresh)
    renew_velocities(r, false);
  perp_packed_pass pass = {.r = r, .y = y};
  perp_parallel_for(relaxer->threads, r->packets.count, GRAIN, r->gradient, &pass);
}

void perp_contact_packed_finish(perp_contact_packed *r)
{
  r->base.sweep = perp_contact_packed_sweep;
  r->base.load = load;
  r->base.store = store;
  r->base.gradient = gradient;
  r->base.own_x = r->x;
  r->base.own_count = (int64_t)r->packets.count * r->rows * PERP_PACKET_LANES;
  r->base.renew = renew;
}

/* ---- The order of the groups in memory ---- */

static perp_error sort_groups(perp_arena *arena, perp_contact_relaxer *r, const int *order)
{
  perp_contact_group *sorted = perp_arena_alloc(arena, (size_t)r->groups, sizeof *sorted);
  if (!sorted)
    return PERP_ERROR_MEMORY;
  int slot = 0;
  for (int k = 0; k < r->groups; k++) {
    sorted[k] = r->group[order[k]];
    sorted[k].slot = slot;
    slot += sorted[k].count;
  }
  r->group = sorted;
  return PERP_OK;
}

/* Returns true if groups are coupled by blocks and nothing else: C is diagonal, friction indices
 * name rows of their group. */
static bool blocks_couple(const perp_contact *c, const perp_contact_relaxer *r)
{
  if (!c->C_is_diagonal)
    return false;
  for (int k = 0; k < r->groups && r->bounds.part == PERP_PART_FINDEX; k++) {
    const perp_contact_group *g = &r->group[k];
    for (int i = g->row; i < g->row + g->count; i++) {
      const int f = r->bounds.findex[i];
      if (f >= 0 && (f < g->row || f >= g->row + g->count))
        return false;
    }
  }
  return true;
}

static bool share_block(const perp_contact *c, int i, int j)
{
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
    for (int64_t q = c->pair_start[j]; q < c->pair_start[j + 1]; q++)
      if (c->pair_block[p] == c->pair_block[q])
        return true;
  return false;
}

perp_error perp_contact_lay_groups(const perp_contact *c, perp_arena *arena,
                                   perp_contact_relaxer *r)
{
  if (r->orders == 1u << PERP_COLOURED) {
    const perp_error error = sort_groups(arena, r, r->coloured);
    r->single = r->groups == c->data.rows;
    for (int k = 0; !error && k < r->groups; k++)
      r->coloured[k] = k;
    return error;
  }
  perp_contact_packets packets;
  if (r->colours || !blocks_couple(c, r))
    return PERP_OK;
  if (packets_by_schedule(c, r, LANES, arena, &packets))
    return PERP_ERROR_MEMORY;
  for (int64_t place = 0, k = 0; place < (int64_t)packets.count * LANES; place++)
    if (packets.group[place] >= 0)
      packets.group[k++] = packets.group[place];
  if (sort_groups(arena, r, packets.group))
    return PERP_ERROR_MEMORY;
  r->single = r->groups == c->data.rows;
  for (int k = 1; k < r->groups; k++)
    r->group[k].waits = share_block(c, r->group[k - 1].row, r->group[k].row);
  return PERP_OK;
}
