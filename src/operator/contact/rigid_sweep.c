/* rigid_sweep.c: the kernels of rigid contacts, two at a time
 *
 * With the directions d_t and the lever arms r_a, r_b of a contact (contact_rigid.c):
 *
 *   w   = (v_a + omega_a x r_a) - (v_b + omega_b x r_b)      velocity at the point
 *   y_t = d_t . w + C_tt x_t + b_t                           for all three rows at once
 *   x_t <- P_t(x_t - omega y_t / A_tt),  y_s += A_st (change of x_t) for the rows s to come
 *   f   = sum_t d_t (change of x_t)
 *   v_a += f / m_a,  omega_a += I_a^-1 (r_a x f),   v_b -= f / m_b,  omega_b -= I_b^-1 (r_b x f)
 *
 * These are the values that row after row would give, in another rounding. Two contacts that
 * share no body run abreast in the two lanes of a vector, and the work on three packets in a row
 * is interleaved: from the velocities of a contact to those it writes is a chain of a hundred
 * cycles, which would otherwise be waited for.
 *
 * What a sweep moves, in bytes to a row: 67 of the packet (Coulomb bounds), 16 of x, 5 of bodies'
 * places; the bodies stay in a cache. What it computes, in vector operations to a packet of six
 * rows: 19 to bring velocities into lanes and back, 16 for w, 9 for y, 25 for the rows, 33 for the
 * impulse and the bodies: 102, and some moves. So a processor with two vector pipes of two numbers
 * needs 51 cycles or more, 8.5 to a row; it takes 11 where all is in cache, four pipes half of
 * that. Compiled it is 313 instructions to a packet, and 246 if they name three registers (lanes.h). */
#include "operator/contact/lanes.h"
#include "operator/contact/rigid.h"

#include <assert.h>
#include <string.h>

enum {
  LANES = PERP_RIGID_LANES,
  BODY = PERP_RIGID_BODY,
  GRAIN = 64, /* packets to a piece of a parallel loop */
};

KERNEL vec vector(const double *packet, int k)
{
  return (vec){number(packet, k), number(packet, k + 1), number(packet, k + 2)};
}

/* ---- One packet ---- */

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

/* One body moved by an impulse, or against it: f01 = (f_x, f_y), f2t = (f_z, t_x),
 * t12 = (t_y, t_z) */
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

/* The impulse of the change d of the rows. */
KERNEL vec impulse(const double *packet, vec d)
{
  const vec d0 = vector(packet, PERP_RIGID_D), d1 = vector(packet, PERP_RIGID_D + 3);
  const vec d2 = vector(packet, PERP_RIGID_D + 6);
  return (vec){d0.x * d.x + d1.x * d.y + d2.x * d.z, d0.y * d.x + d1.y * d.y + d2.y * d.z,
               d0.z * d.x + d1.z * d.y + d2.z * d.z};
}

/* The bodies of one side moved by it. */
KERNEL void push(const double *packet, double *v, const double *inertia, bool round,
                 const int *body, bool minus, vec f)
{
  const vec t = cross(vector(packet, minus ? PERP_RIGID_B : PERP_RIGID_A), f);
  const int *at = body + (minus ? LANES : 0);
  push_body(v, inertia, round, at[0], minus, low(f.x, f.y), low(f.z, t.x), low(t.y, t.z));
  push_body(v, inertia, round, at[1], minus, high(f.x, f.y), high(f.z, t.x), high(t.y, t.z));
}

KERNEL pair absolute(pair t)
{
  return (pair)((bits)t & (bits){INT64_MAX, INT64_MAX});
}

/* P_t(z); in friction rows at |x_0| */
KERNEL pair project(perp_part part, const double *packet, int t, pair z, pair normal)
{
  if (part == PERP_PART_BOX)
    return clamp(z, number(packet, PERP_RIGID_BOUNDS + t),
                 number(packet, PERP_RIGID_BOUNDS + 3 + t));
  if (part == PERP_PART_PLAIN || t == 0)
    return (pair)((bits)z & ~(z < 0));
  const pair bound = number(packet, PERP_RIGID_BOUNDS) * normal;
  return clamp(z, -bound, bound);
}

/* Row t; returns the change of x. The normal is relaxed already, and so not below 0, where rows
 * ascend. */
KERNEL pair relax_row(const double *packet, double *x, perp_part part, bool descending, int t,
                      pair y)
{
  const pair old = number(x, t);
  const pair normal = descending ? absolute(number(x, 0)) : number(x, 0);
  const pair z = project(part, packet, t, old - number(packet, PERP_RIGID_STEP + t) * y, normal);
  *(pair *)(x + LANES * t) = z;
  return z - old;
}

/* A_st */
KERNEL pair coupling(const double *packet, int s, int t)
{
  return number(packet, PERP_RIGID_COUPLING + (s == (t + 1) % 3 ? t : s));
}

/* ---- Sweeps ---- */

typedef struct sweep {
  const perp_contact_rigid *r;
  int first; /* coloured: first packet of the colour */
  double *y; /* of a gradient */
} sweep;

/* Each row of a packet waits for the one before it. In the meantime the bodies of the packet
 * before are moved and the y of the next is worked out: three packets in a row share no body. */
KERNEL void relax_packets(const sweep *s, int64_t begin, int64_t end, perp_part part, bool lean,
                          bool descending)
{
  const perp_contact_rigid *r = s->r;
  const int own = lean ? 0 : r->own, t0 = descending ? 2 : 0, t2 = 2 - t0;
  const int64_t step = descending ? -1 : 1, stride = step * r->stride;
  const int64_t first = (descending ? r->packets - 1 : s->first) + step * begin;
  const int *body = r->body + first * 2 * LANES, *old_body = body;
  const double *packet = r->packed + first * r->stride, *old = packet, *inertia = r->inertia;
  double *x = r->x + first * 3 * LANES, *v = r->v;
  pair y[3];
  row_values(packet, own, x, point_velocity(packet, v, body), y);
  vec d = {{0, 0}, {0, 0}, {0, 0}};
  for (int64_t k = begin; k < end; k++) {
    const int64_t on = k + 1 < end; /* the last stays where it is */
    const int *next_body = body + on * step * 2 * LANES;
    const double *next = packet + on * stride;
    pair e[3];
    e[t0] = relax_row(packet, x, part, descending, t0, y[t0]);
    const vec w = point_velocity(next, v, next_body);
    e[1] = relax_row(packet, x, part, descending, 1, y[1] + coupling(packet, 1, t0) * e[t0]);
    const vec f = impulse(old, d);
    push(old, v, inertia, lean, old_body, false, f);
    e[t2] = relax_row(packet, x, part, descending, t2,
                      y[t2] + coupling(packet, t2, t0) * e[t0] + coupling(packet, t2, 1) * e[1]);
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

/* The steps omega / A_tt of all packets. */
static void set_omega(perp_contact_rigid *r, double omega)
{
  if (r->omega == omega)
    return;
  r->omega = omega;
  for (int64_t k = 0; k < (int64_t)r->packets * LANES; k++) {
    double *lane = r->packed + k / LANES * r->stride + k % LANES;
    for (int t = 0; t < 3 && r->contact[k] >= 0; t++)
      lane[LANES * (PERP_RIGID_STEP + t)] = omega * r->inverse[3 * (int64_t)r->contact[k] + t];
  }
}

/* ---- The relaxer's functions ---- */

/* Calls body over all packets; those of a colour side by side. */
static void over_packets(sweep *s, bool coloured, perp_range_body body)
{
  const perp_contact_rigid *r = s->r;
  if (!coloured) {
    body(s, 0, r->packets);
    return;
  }
  for (int c = 0; c < r->colours; c++) {
    s->first = r->colour_start[c];
    perp_parallel_for(r->base.threads, r->colour_start[c + 1] - s->first, GRAIN, body, s);
  }
}

void perp_contact_rigid_sweep(perp_relaxer *relaxer, double omega, perp_order order)
{
  static const perp_range_body bodies[2][2][3][2] = {
      {{BOTH(ascend_plain), BOTH(ascend_box), BOTH(ascend_friction)},
       {BOTH(descend_plain), BOTH(descend_box), BOTH(descend_friction)}},
      {{BOTH(lean_ascend_plain), BOTH(lean_ascend_box), BOTH(lean_ascend_friction)},
       {BOTH(lean_descend_plain), BOTH(lean_descend_box), BOTH(lean_descend_friction)}},
  };
  perp_contact_rigid *r = (perp_contact_rigid *)relaxer;
  assert(r->orders & 1u << order);
  set_omega(r, omega);
  r->fresh = false;
  sweep s = {.r = r};
  over_packets(&s, order == PERP_COLOURED,
               bodies[r->lean][order == PERP_BACKWARD][r->part][takes_wide()]);
}

/* v += Minv J^T x over packets, whose x may first be projected. */
KERNEL void push_packets(const sweep *s, int64_t begin, int64_t end, bool projected)
{
  const perp_contact_rigid *r = s->r;
  for (int64_t p = s->first + begin; p < s->first + end; p++) {
    const double *packet = r->packed + p * r->stride;
    const int *body = r->body + p * 2 * LANES;
    double *own = r->x + p * 3 * LANES;
    vec x = vector(own, 0);
    if (projected) {
      x.x = project(r->part, packet, 0, x.x, x.x);
      x.y = project(r->part, packet, 1, x.y, x.x);
      x.z = project(r->part, packet, 2, x.z, x.x);
      ((pair *)own)[0] = x.x, ((pair *)own)[1] = x.y, ((pair *)own)[2] = x.z;
    }
    const vec f = impulse(packet, x);
    push(packet, r->v, r->inertia, r->lean, body, false, f);
    push(packet, r->v, r->inertia, r->lean, body, true, f);
  }
}

KERNEL_BODY(push_range, push_packets, false)
KERNEL_BODY(project_and_push_range, push_packets, true)

/* v = Minv J^T x, without the rounding that sweeps have gathered */
static void fresh_velocities(perp_contact_rigid *r, perp_range_body body)
{
  r->fresh = true;
  for (int64_t k = 0; k < r->bodies; k++)
    memset(r->v + k * BODY, 0, 6 * sizeof *r->v);
  sweep s = {.r = r};
  over_packets(&s, r->colours > 0, body);
}

void perp_contact_rigid_renew(perp_relaxer *relaxer)
{
  fresh_velocities((perp_contact_rigid *)relaxer, project_and_push_range);
}

void perp_contact_rigid_load(perp_relaxer *relaxer)
{
  perp_contact_rigid *r = (perp_contact_rigid *)relaxer;
  for (int c = 0; 3 * c < relaxer->A->n; c++)
    for (int t = 0; t < 3; t++)
      r->x[r->at[c] + LANES * t] = relaxer->x[3 * c + t];
  fresh_velocities(r, push_range);
}

void perp_contact_rigid_store(perp_relaxer *relaxer)
{
  const perp_contact_rigid *r = (const perp_contact_rigid *)relaxer;
  for (int c = 0; 3 * c < relaxer->A->n; c++)
    for (int t = 0; t < 3; t++)
      relaxer->x[3 * c + t] = r->x[r->at[c] + LANES * t];
}

static void gradient_range(void *context, int64_t begin, int64_t end)
{
  const sweep *s = context;
  const perp_contact_rigid *r = s->r;
  for (int64_t p = begin; p < end; p++) {
    const double *packet = r->packed + p * r->stride;
    pair y[3];
    row_values(packet, r->own, r->x + p * 3 * LANES,
               point_velocity(packet, r->v, r->body + p * 2 * LANES), y);
    for (int l = 0; l < LANES; l++) {
      const int contact = r->contact[p * LANES + l];
      if (contact < 0)
        continue;
      double *own = s->y + 3 * (int64_t)contact;
      own[0] = y[0][l], own[1] = y[1][l], own[2] = y[2][l];
    }
  }
}

void perp_contact_rigid_gradient(perp_relaxer *relaxer, double *y)
{
  perp_contact_rigid *r = (perp_contact_rigid *)relaxer;
  if (!r->fresh)
    fresh_velocities(r, push_range);
  sweep s = {.r = r, .y = y};
  perp_parallel_for(relaxer->threads, r->packets, GRAIN, gradient_range, &s);
}
