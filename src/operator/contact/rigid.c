/* rigid.c: recognises the contacts of rigid bodies, packs them, and sweeps over them two at a time
 *
 * The three rows of a contact at the point p between bodies a and b, r = p - position, are
 *
 *   J_t = ( d_t, r_a x d_t ) for a,   -( d_t, r_b x d_t ) for b,   t = 0, 1, 2
 *
 * and the inverse mass of a body consists of 1/m times the identity and a 3 x 3 block. So 15
 * numbers replace the 36 of J, and W = Minv J^T follows from them and from the masses stored with
 * the velocities. If all rows have this form, sweeps read half as much as J would take.
 *
 * Recognition. The linear parts must be exactly opposite. The lever arm follows from
 *
 *   sum_t d_t x (r x d_t) = (tr(S) 1 - S) r,   S = sum_t d_t d_t^T
 *
 * and must reproduce the angular parts within a few rounding errors: products with the stored d_t
 * and r are then as accurate as products with J. If one contact does not have this form, rows.c
 * handles all of them.
 *
 * Cost: one pass over J, three entries of A per contact, and the schedule of groups.c.
 *
 * Sweeps. With the directions d_t and the lever arms r_a, r_b of a contact,
 *
 *   w   = (v_a + omega_a x r_a) - (v_b + omega_b x r_b)      velocity at the point
 *   y_t = d_t . w + C_tt x_t + b_t                           for all three rows at once
 *   x_t <- P_t(x_t - omega y_t / A_tt),  y_s += A_st (change of x_t) for the rows s to come
 *   f   = sum_t d_t (change of x_t)
 *   v_a += f / m_a,  omega_a += I_a^-1 (r_a x f),   v_b -= f / m_b,  omega_b -= I_b^-1 (r_b x f)
 *
 * This gives the values of a row-by-row sweep, rounded differently. Two contacts that share no body
 * run in the two lanes of a vector, and three consecutive packets are interleaved to hide the
 * dependency chain of a hundred cycles from the velocities that a contact reads to the velocities
 * it writes. */
#include "operator/contact/lanes.h"
#include "operator/contact/packets.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = PERP_PACKET_LANES, BODY = PERP_RIGID_BODY };

/* ---- Recognition ---- */

typedef struct geometry {
  double d[3][3], r[2][3];
  double coupling[3]; /* A_01, A_12, A_20 */
} geometry;

/* Returns true if M is 1/m times the identity and a separate block for the rotation. */
static bool mass_is_rigid(const double *M)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 6; j++)
      if (M[6 * i + j] != (i == j ? M[0] : 0) || M[6 * j + i] != M[6 * i + j])
        return false;
  return true;
}

static bool inertia_is_round(const double *M)
{
  for (int i = 3; i < 6; i++)
    for (int j = 3; j < 6; j++)
      if (M[6 * i + j] != (i == j ? M[21] : 0))
        return false;
  return true;
}

static bool masses_are_rigid(const perp_contact *c, bool *round)
{
  *round = true;
  for (int k = 0; k < c->data.blocks; k++) {
    if (perp_contact_block_size(c, k) != 6 || !mass_is_rigid(c->M[k]))
      return false;
    *round = *round && inertia_is_round(c->M[k]);
  }
  return true;
}

/* Expands row i of J over its blocks; the second is zero if there is only one. */
static void spread_row(const perp_contact *c, int i, double J[2][6])
{
  memset(J, 0, 12 * sizeof **J);
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
    for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
      J[p - c->pair_start[i]][c->data.J_column[e] - c->data.block_start[c->pair_block[p]]] =
          c->data.J_value[e];
}

static void cross_product(const double *u, const double *v, double *w)
{
  w[0] = u[1] * v[2] - u[2] * v[1];
  w[1] = u[2] * v[0] - u[0] * v[2];
  w[2] = u[0] * v[1] - u[1] * v[0];
}

/* Returns true if r x d_t = a_t within a few rounding errors. */
static inline bool arm_fits(double d[3][3], double a[3][3], const double *r)
{
  const double arm = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
  bool fine = true;
  for (int t = 0; t < 3; t++) {
    double back[3];
    cross_product(r, d[t], back);
    const double scale = arm * (fabs(d[t][0]) + fabs(d[t][1]) + fabs(d[t][2]));
    for (int i = 0; i < 3; i++)
      fine &= fabs(back[i] - a[t][i]) <= 10 * DBL_EPSILON * scale; /* false for NaN */
  }
  return fine;
}

/* r = (tr(S) 1 - S)^-1 right */
static void solve_arm(double d[3][3], const double right[3], double *r)
{
  double T[3][3] = {{0}}, trace = 0;
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 3; i++) {
      trace += d[t][i] * d[t][i];
      for (int j = 0; j < 3; j++)
        T[i][j] -= d[t][i] * d[t][j];
    }
  for (int i = 0; i < 3; i++)
    T[i][i] += trace;
  double column[3][3]; /* of the adjugate of T, which is symmetric */
  for (int i = 0; i < 3; i++)
    cross_product(T[(i + 1) % 3], T[(i + 2) % 3], column[i]);
  const double det = T[0][0] * column[0][0] + T[0][1] * column[0][1] + T[0][2] * column[0][2];
  for (int i = 0; i < 3; i++)
    r[i] = (column[0][i] * right[0] + column[1][i] * right[1] + column[2][i] * right[2]) / det;
}

/* Finds r with r x d_t = a_t for t = 0, 1, 2; returns false if there is none. */
static bool find_arm(double d[3][3], double a[3][3], double *r)
{
  double right[3] = {0};
  for (int t = 0; t < 3; t++) {
    double turned[3];
    cross_product(d[t], a[t], turned);
    for (int i = 0; i < 3; i++)
      right[i] += turned[i];
  }
  for (int i = 0; i < 3; i++) /* S = 1 if the directions are orthonormal */
    r[i] = right[i] / 2;
  if (arm_fits(d, a, r))
    return true;
  solve_arm(d, right, r);
  return arm_fits(d, a, r);
}

/* Returns A_ij of two rows of a contact, which touch the same blocks. */
static double entry_of(const perp_contact *c, int i, int j)
{
  const int64_t p = c->pair_start[i], q = c->pair_start[j], pairs = c->pair_start[i + 1] - p;
  double sum = 0;
  for (int64_t k = 0; k < pairs; k++)
    sum += perp_contact_pair_product(c, p + k, q + k);
  return sum;
}

static bool read_contact(const perp_contact *c, const perp_contact_group *group, geometry *g)
{
  const int64_t first = c->pair_start[group->row], pairs = c->pair_start[group->row + 1] - first;
  if (group->count != 3 || pairs < 1 || pairs > 2)
    return false;
  double a[2][3][3];
  for (int t = 0; t < 3; t++) {
    double J[2][6];
    spread_row(c, group->row + t, J);
    g->coupling[t] = entry_of(c, group->row + t, group->row + (t + 1) % 3);
    for (int i = 0; i < 3; i++) {
      if (pairs == 2 && J[1][i] != -J[0][i])
        return false;
      g->d[t][i] = J[0][i];
      a[0][t][i] = J[0][3 + i];
      a[1][t][i] = -J[1][3 + i];
    }
  }
  g->r[1][0] = g->r[1][1] = g->r[1][2] = 0;
  return find_arm(g->d, a[0], g->r[0]) && (pairs == 1 || find_arm(g->d, a[1], g->r[1]));
}

/* Returns true if x_0 >= 0 and |x_1|, |x_2| <= mu x_0 in every contact. */
static bool bounds_are_coulomb(const perp_bounds *bounds, int rows)
{
  if (rows % 3 != 0)
    return false;
  for (int i = 0; i < rows; i += 3) {
    const int *findex = bounds->findex + i;
    const double *lo = bounds->lo + i, *hi = bounds->hi + i, mu = hi[1];
    if (findex[0] != -1 || findex[1] != i || findex[2] != i || lo[0] != 0 || hi[0] < INFINITY ||
        !(mu < INFINITY) || lo[1] != -mu || lo[2] != -mu || hi[2] != mu)
      return false;
  }
  return true;
}

/* Computes the geometry of every group; *all is NULL if a group is not a contact of rigid
 * bodies. */
static perp_error read_contacts(const perp_contact *c, const perp_contact_relaxer *groups,
                                perp_arena *arena, geometry **all, bool *round)
{
  *all = NULL;
  if (c->data.rows == 0 || !c->C_is_diagonal || !masses_are_rigid(c, round) ||
      (groups->bounds.part == PERP_PART_FINDEX &&
       !bounds_are_coulomb(&groups->bounds, c->data.rows)))
    return PERP_OK;
  const perp_arena_mark mark = perp_arena_hold(arena);
  geometry *g = perp_arena_alloc(arena, (size_t)groups->groups, sizeof *g);
  if (!g)
    return PERP_ERROR_MEMORY;
  for (int k = 0; k < groups->groups; k++)
    if (!read_contact(c, &groups->group[k], &g[k])) {
      perp_arena_release(arena, mark);
      return PERP_OK;
    }
  *all = g;
  return PERP_OK;
}

/* ---- Packing ---- */

static void pack_masses(const perp_contact *c, const perp_contact_packed *r)
{
  for (int k = 0; k < c->data.blocks; k++) {
    const double *M = c->M[k];
    r->v[(int64_t)k * BODY + 6] = M[0];
    r->v[(int64_t)k * BODY + 7] = M[21];
    if (r->inertia)
      memcpy(r->inertia + (int64_t)k * BODY,
             (const double[6]){M[22], M[23], M[28], M[29], M[29], M[35]}, 6 * sizeof *M);
  }
}

/* Packs one lane of a packet, with the steps of omega = 1. */
static void pack_lane(const perp_contact *c, const perp_bounds *bounds, const double *b,
                      const perp_contact_packed *r, int64_t place, const geometry *all)
{
  const perp_contact_group *group = perp_packed_group(r, place);
  if (!group)
    return;
  const geometry *g = &all[r->packets.group[place]];
  double *lane = perp_packed_lane(r, place);
  for (int t = 0; t < 3; t++) {
    const int i = group->row + t;
    for (int k = 0; k < 3; k++)
      lane[LANES * (PERP_RIGID_D + 3 * t + k)] = g->d[t][k];
    lane[LANES * (PERP_RIGID_A + t)] = g->r[0][t];
    lane[LANES * (PERP_RIGID_B + t)] = g->r[1][t];
    lane[LANES * (PERP_RIGID_STEP + t)] = r->inverse[i];
    lane[LANES * (PERP_RIGID_COUPLING + t)] = g->coupling[t];
    lane[LANES * (PERP_RIGID_RHS + t)] = b[i];
    if (r->part == PERP_PART_BOX) {
      lane[LANES * (PERP_RIGID_BOUNDS + t)] = bounds->lo[i];
      lane[LANES * (PERP_RIGID_BOUNDS + 3 + t)] = bounds->hi[i];
    }
    if (r->own)
      lane[LANES * (r->own + t)] =
          c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
  }
  if (r->part == PERP_PART_FINDEX)
    lane[LANES * PERP_RIGID_BOUNDS] = bounds->hi[group->row + 1];
}

/* ---- One packet ---- */

KERNEL vec vector(const double *packet, int k)
{
  return (vec){number(packet, k), number(packet, k + 1), number(packet, k + 2)};
}

/* w */
KERNEL vec point_velocity(const double *packet, const double *v, const int *body)
{
  const pair *a = (const pair *)(v + body[0]);
  const pair *A = (const pair *)(v + body[1]);
  const pair *b = (const pair *)(v + body[2]);
  const pair *B = (const pair *)(v + body[3]);
  const vec r = vector(packet, PERP_RIGID_A), s = vector(packet, PERP_RIGID_B);
  const vec p = {high(a[1], A[1]), low(a[2], A[2]), high(a[2], A[2])}; /* omega_a */
  const vec q = {high(b[1], B[1]), low(b[2], B[2]), high(b[2], B[2])}; /* omega_b */
  const pair first = a[0] - b[0], second = A[0] - B[0];
  return (vec){
      low(first, second) + p.y * r.z - p.z * r.y - q.y * s.z + q.z * s.y,
      high(first, second) + p.z * r.x - p.x * r.z - q.z * s.x + q.x * s.z,
      low(a[1] - b[1], A[1] - B[1]) + p.x * r.y - p.y * r.x - q.x * s.y + q.y * s.x,
  };
}

/* b_t + d_t . w */
KERNEL pair along(const double *packet, int t, vec w)
{
  const vec d = vector(packet, PERP_RIGID_D + 3 * t);
  return number(packet, PERP_RIGID_RHS + t) + d.x * w.x + d.y * w.y + d.z * w.z;
}

/* y of the three rows */
KERNEL void row_values(const double *packet, int own, const double *x, vec w, pair *y)
{
  y[0] = along(packet, 0, w);
  y[1] = along(packet, 1, w);
  y[2] = along(packet, 2, w);
  if (own) {
    y[0] += number(packet, own) * number(x, 0);
    y[1] += number(packet, own + 1) * number(x, 1);
    y[2] += number(packet, own + 2) * number(x, 2);
  }
}

KERNEL pair plus(pair u, bool minus, pair f)
{
  return minus ? u - f : u + f;
}

/* Applies an impulse, or its negative, to one body: f01 = (f_x, f_y), f2t = (f_z, t_x), t12 = (t_y,
 * t_z) */
KERNEL void push_body(double *v, const double *inertia, bool round, int body, bool minus, pair f01,
                      pair f2t, pair t12)
{
  pair *u = (pair *)(v + body);
  const pair mass = u[3];
  u[0] = plus(u[0], minus, f01 * mass[0]);
  if (round) {
    u[1] = plus(u[1], minus, f2t * mass);
    u[2] = plus(u[2], minus, t12 * mass[1]);
  } else {
    const pair *I = (const pair *)(inertia + body);
    const pair across = I[0] * t12;
    u[1] = plus(u[1], minus, f2t * mass + (pair){0, across[0] + across[1]});
    u[2] = plus(u[2], minus, I[0] * f2t[1] + I[1] * t12[0] + I[2] * t12[1]);
  }
}

KERNEL vec cross(vec r, vec f)
{
  return (vec){r.y * f.z - r.z * f.y, r.z * f.x - r.x * f.z, r.x * f.y - r.y * f.x};
}

/* Returns the impulse of the changes d of the rows. */
KERNEL vec impulse(const double *packet, vec d)
{
  const vec d0 = vector(packet, PERP_RIGID_D), d1 = vector(packet, PERP_RIGID_D + 3);
  const vec d2 = vector(packet, PERP_RIGID_D + 6);
  return (vec){d0.x * d.x + d1.x * d.y + d2.x * d.z, d0.y * d.x + d1.y * d.y + d2.y * d.z,
               d0.z * d.x + d1.z * d.y + d2.z * d.z};
}

/* Applies it to the bodies of one side. */
KERNEL void push(const double *packet, double *v, const double *inertia, bool round,
                 const int *body, bool minus, vec f)
{
  const vec t = cross(vector(packet, minus ? PERP_RIGID_B : PERP_RIGID_A), f);
  const int *at = body + (minus ? LANES : 0);
  push_body(v, inertia, round, at[0], minus, low(f.x, f.y), low(f.z, t.x), low(t.y, t.z));
  push_body(v, inertia, round, at[1], minus, high(f.x, f.y), high(f.z, t.x), high(t.y, t.z));
}

/* A packet in the layout of row_update.h. */
typedef struct rigid_rows {
  const double *packet;
  perp_part part;
  bool descending; /* else the normal is already relaxed, and so not below 0 */
} rigid_rows;

KERNEL pair rigid_rows_step(const rigid_rows *l, int t)
{
  return number(l->packet, PERP_RIGID_STEP + t);
}

KERNEL pair rigid_rows_coupling(const rigid_rows *l, int t)
{
  return number(l->packet, PERP_RIGID_COUPLING + t);
}

KERNEL bool rigid_rows_bounds(const rigid_rows *l, int t, const pair *x, pair *lower, pair *upper)
{
  *lower = (pair){0, 0};
  if (l->part == PERP_PART_PLAIN || (l->part == PERP_PART_FINDEX && t == 0))
    return false;
  if (l->part == PERP_PART_BOX) {
    *lower = number(l->packet, PERP_RIGID_BOUNDS + t);
    *upper = number(l->packet, PERP_RIGID_BOUNDS + 3 + t);
  } else {
    *upper = number(l->packet, PERP_RIGID_BOUNDS) * (l->descending ? absolute(x[0]) : x[0]);
    *lower = -*upper;
  }
  return true;
}

PERP_ROW_UPDATE(KERNEL, pair, rigid_rows, not_below, not_above)

/* ---- Sweeps ---- */

/* Each row of a packet waits for the row before it. Meanwhile we move the bodies of the previous
 * packet and compute y of the next one: three consecutive packets share no body. */
KERNEL void relax_packets(const perp_packed_pass *s, int64_t begin, int64_t end, perp_part part,
                          bool lean, bool descending)
{
  const perp_contact_packed *r = s->r;
  const int own = lean ? 0 : r->own, t0 = descending ? 2 : 0, t2 = 2 - t0;
  const int64_t step = descending ? -1 : 1, stride = step * r->stride;
  const int64_t first = (descending ? r->packets.count - 1 : s->first) + step * begin;
  const int *body = r->body + first * 2 * LANES, *old_body = body;
  const double *packet = r->packed + first * r->stride, *old = packet, *inertia = r->inertia;
  double *x = r->x + first * 3 * LANES, *v = r->v;
  pair y[3];
  row_values(packet, own, x, point_velocity(packet, v, body), y);
  vec d = {{0, 0}, {0, 0}, {0, 0}};
  for (int64_t k = begin; k < end; k++) {
    const int64_t on = k + 1 < end; /* the last packet does not advance */
    const int *next_body = body + on * step * 2 * LANES;
    const double *next = packet + on * stride;
    const rigid_rows rows = {packet, part, descending};
    pair e[3], *const now = (pair *)x;
    rigid_rows_update(&rows, t0, 3, descending, y[t0], now, e);
    const vec w = point_velocity(next, v, next_body);
    rigid_rows_update(&rows, 1, 3, descending, y[1], now, e);
    const vec f = impulse(old, d);
    push(old, v, inertia, lean, old_body, false, f);
    rigid_rows_update(&rows, t2, 3, descending, y[t2], now, e);
    push(old, v, inertia, lean, old_body, true, f);
    d = (vec){e[0], e[1], e[2]};
    old = packet, packet = next;
    old_body = body, body = next_body;
    x += on * step * 3 * LANES;
    row_values(packet, own, x, w, y);
  }
  const vec f = impulse(old, d);
  push(old, v, inertia, lean, old_body, false, f);
  push(old, v, inertia, lean, old_body, true, f);
}

SWEEP_BODY(lean_ascend_plain, relax_packets, PERP_PART_PLAIN, true, false)
SWEEP_BODY(lean_ascend_box, relax_packets, PERP_PART_BOX, true, false)
SWEEP_BODY(lean_ascend_friction, relax_packets, PERP_PART_FINDEX, true, false)
SWEEP_BODY(lean_descend_plain, relax_packets, PERP_PART_PLAIN, true, true)
SWEEP_BODY(lean_descend_box, relax_packets, PERP_PART_BOX, true, true)
SWEEP_BODY(lean_descend_friction, relax_packets, PERP_PART_FINDEX, true, true)
SWEEP_BODY(ascend_plain, relax_packets, PERP_PART_PLAIN, false, false)
SWEEP_BODY(ascend_box, relax_packets, PERP_PART_BOX, false, false)
SWEEP_BODY(ascend_friction, relax_packets, PERP_PART_FINDEX, false, false)
SWEEP_BODY(descend_plain, relax_packets, PERP_PART_PLAIN, false, true)
SWEEP_BODY(descend_box, relax_packets, PERP_PART_BOX, false, true)
SWEEP_BODY(descend_friction, relax_packets, PERP_PART_FINDEX, false, true)

/* v += Minv J^T x over packets; projects x first if `projected`. */
KERNEL void push_packets(const perp_packed_pass *s, int64_t begin, int64_t end, bool projected)
{
  const perp_contact_packed *r = s->r;
  for (int64_t p = s->first + begin; p < s->first + end; p++) {
    const double *packet = r->packed + p * r->stride;
    const int *body = r->body + p * 2 * LANES;
    const rigid_rows rows = {packet, r->part, false};
    pair *x = (pair *)(r->x + p * 3 * LANES);
    for (int t = 0; t < 3 && projected; t++)
      x[t] = rigid_rows_project(&rows, t, x[t], x);
    const vec f = impulse(packet, (vec){x[0], x[1], x[2]});
    push(packet, r->v, r->inertia, r->lean, body, false, f);
    push(packet, r->v, r->inertia, r->lean, body, true, f);
  }
}

KERNEL_BODY(push_range, push_packets, false)
KERNEL_BODY(project_and_push_range, push_packets, true)

static void gradient_range(void *context, int64_t begin, int64_t end)
{
  const perp_packed_pass *s = context;
  const perp_contact_packed *r = s->r;
  for (int64_t p = begin; p < end; p++) {
    const double *packet = r->packed + p * r->stride;
    pair y[3];
    row_values(packet, r->own, r->x + p * 3 * LANES,
               point_velocity(packet, r->v, r->body + p * 2 * LANES), y);
    store_values(s, p, y);
  }
}

/* ---- Construction ---- */

static void choose_bodies(perp_contact_packed *r)
{
  static const perp_range_body bodies[2][2][3][2] = {
      {{BOTH(ascend_plain), BOTH(ascend_box), BOTH(ascend_friction)},
       {BOTH(descend_plain), BOTH(descend_box), BOTH(descend_friction)}},
      {{BOTH(lean_ascend_plain), BOTH(lean_ascend_box), BOTH(lean_ascend_friction)},
       {BOTH(lean_descend_plain), BOTH(lean_descend_box), BOTH(lean_descend_friction)}},
  };
  for (int descending = 0; descending < 2; descending++)
    r->sweeps[descending] = bodies[r->lean][descending][r->part][takes_wide()];
  r->gathers[0] = push_range;
  r->gathers[1] = project_and_push_range;
  r->gradient = gradient_range;
}

perp_error perp_contact_rigid_create(const perp_operator *A, const double *b,
                                     const perp_contact_relaxer *groups, perp_arena *arena,
                                     perp_contact_packed **made)
{
  const perp_contact *c = perp_contact_of(A);
  bool round;
  geometry *g;
  *made = NULL;
  if (read_contacts(c, groups, arena, &g, &round))
    return PERP_ERROR_MEMORY;
  if (!g)
    return PERP_OK;
  if (perp_contact_packed_create(c, groups, arena, made))
    return PERP_ERROR_MEMORY;
  perp_contact_packed *r = *made;
  if (!r)
    return PERP_OK;
  r->omega = 1;
  r->lean = round && c->C.start[c->data.rows] == 0;
  const int numbers = PERP_RIGID_BOUNDS + (r->part == PERP_PART_FINDEX ? 1
                                           : r->part == PERP_PART_BOX  ? 6
                                                                       : 0);
  r->rows = 3;
  r->own = r->lean ? 0 : numbers;
  r->stride = LANES * (numbers + (r->own ? 3 : 0));
  r->step = LANES * PERP_RIGID_STEP;
  r->apart = LANES;
  r->body_size = BODY;
  r->moving = 6;
  if (!perp_contact_packed_take(c, arena, r) ||
      !(r->lean || PERP_TAKE_ZERO(arena, PERP_ARRAY(r->inertia, (size_t)BODY * (size_t)r->bodies))))
    return PERP_ERROR_MEMORY;
  pack_masses(c, r);
  for (int64_t place = 0; place < perp_packed_places(r); place++)
    pack_lane(c, &groups->bounds, b, r, place, g);
  choose_bodies(r);
  perp_contact_packed_finish(r);
  return PERP_OK;
}
