/* rigid.c: recognises the contacts of rigid bodies and packs them for their sweeps
 *
 * The three rows of a contact at the point p between bodies a and b, r = p - position, are
 *
 *   J_t = ( d_t, r_a x d_t ) for a,   -( d_t, r_b x d_t ) for b,   t = 0, 1, 2
 *
 * and the inverse mass of a body is 1/m times the identity beside a 3 x 3 block. So 15 numbers
 * say what J holds in 36, and W = Minv J^T follows from them and from what stands beside the
 * velocities. If all rows are of this form the sweeps read half of what J alone would take.
 *
 * Recognition. The linear parts must be opposite to the last bit. The lever arm follows from
 *
 *   sum_t d_t x (r x d_t) = (tr(S) 1 - S) r,   S = sum_t d_t d_t^T
 *
 * and must give the angular parts back within a few roundings, those that made them: products
 * with the d_t and r kept are as true to J as products with J. One contact that is not of this
 * form sends all to the rows of contact_relax.c.
 *
 * Cost: one pass over J, three entries of A to a contact, and the schedule of schedule.c. */
#include "operator/contact/rigid.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = PERP_RIGID_LANES, BODY = PERP_RIGID_BODY };

/* ---- Recognition ---- */

typedef struct geometry {
  double d[3][3], r[2][3];
  double coupling[3]; /* A_01, A_12, A_20 */
  int block[2];       /* the second -1 if the contact is with the world */
} geometry;

/* 1/m times the identity and a block of its own for the rotation. */
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

/* Row i of J over its blocks, the second of zeros if there is one alone. */
static void spread_row(const perp_contact *c, int i, double J[2][6])
{
  const double *value = c->data.J_value + c->data.J_start[i];
  if (c->data.J_start[i + 1] - c->data.J_start[i] == 12) { /* none is missing */
    memcpy(J, value, 12 * sizeof **J);
    return;
  }
  memset(J, 0, 12 * sizeof **J);
  for (int64_t p = c->pair_start[i]; p < c->pair_start[i + 1]; p++)
    for (int64_t e = c->pair_entry[p]; e < c->pair_entry[p + 1]; e++)
      J[p - c->pair_start[i]][c->data.J_column[e] - c->data.block_start[c->pair_block[p]]] =
          c->data.J_value[e];
}

static void cross(const double *u, const double *v, double *w)
{
  w[0] = u[1] * v[2] - u[2] * v[1];
  w[1] = u[2] * v[0] - u[0] * v[2];
  w[2] = u[0] * v[1] - u[1] * v[0];
}

/* Whether r x d_t = a_t within a few roundings. */
static inline bool arm_fits(double d[3][3], double a[3][3], const double *r)
{
  const double arm = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
  bool fine = true;
  for (int t = 0; t < 3; t++) {
    double back[3];
    cross(r, d[t], back);
    const double scale = arm * (fabs(d[t][0]) + fabs(d[t][1]) + fabs(d[t][2]));
    for (int i = 0; i < 3; i++)
      fine &= fabs(back[i] - a[t][i]) <= 10 * DBL_EPSILON * scale; /* not with NaN */
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
    cross(T[(i + 1) % 3], T[(i + 2) % 3], column[i]);
  const double det = T[0][0] * column[0][0] + T[0][1] * column[0][1] + T[0][2] * column[0][2];
  for (int i = 0; i < 3; i++)
    r[i] = (column[0][i] * right[0] + column[1][i] * right[1] + column[2][i] * right[2]) / det;
}

/* r with r x d_t = a_t for t = 0, 1, 2; false if there is none. */
static bool find_arm(double d[3][3], double a[3][3], double *r)
{
  double right[3] = {0};
  for (int t = 0; t < 3; t++) {
    double turned[3];
    cross(d[t], a[t], turned);
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

/* A_ij of two rows of a contact, which touch the same blocks. */
static double coupling(const perp_contact *c, int i, int j)
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
  g->block[0] = c->pair_block[first];
  g->block[1] = pairs == 2 ? c->pair_block[first + 1] : -1;
  double a[2][3][3];
  for (int t = 0; t < 3; t++) {
    double J[2][6];
    spread_row(c, group->row + t, J);
    g->coupling[t] = coupling(c, group->row + t, group->row + (t + 1) % 3);
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

/* x_0 >= 0 and |x_1|, |x_2| <= mu x_0 in every contact. */
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

/* The geometry of every group; *all is NULL if one of them is not a contact of rigid bodies. */
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

static void pack_masses(const perp_contact *c, perp_contact_rigid *r)
{
  memset(r->v, 0, (size_t)r->bodies * BODY * sizeof *r->v);
  for (int k = 0; k < c->data.blocks; k++) {
    const double *M = c->M[k];
    r->v[(int64_t)k * BODY + 6] = M[0];
    r->v[(int64_t)k * BODY + 7] = M[21];
    if (r->inertia)
      memcpy(r->inertia + (int64_t)k * BODY,
             (const double[6]){M[22], M[23], M[28], M[29], M[29], M[35]}, 6 * sizeof *M);
  }
}

/* One lane of a packet, with the steps of omega = 1. */
static void pack_lane(const perp_contact *c, const perp_contact_relaxer *groups, const double *b,
                      const perp_contact_rigid *r, int64_t place, const geometry *g)
{
  double *lane = r->packed + place / LANES * r->stride + place % LANES;
  const int first = 3 * r->contact[place];
  for (int t = 0; t < 3; t++) {
    const int i = first + t;
    for (int k = 0; k < 3; k++)
      lane[LANES * (PERP_RIGID_D + 3 * t + k)] = g->d[t][k];
    lane[LANES * (PERP_RIGID_A + t)] = g->r[0][t];
    lane[LANES * (PERP_RIGID_B + t)] = g->r[1][t];
    lane[LANES * (PERP_RIGID_STEP + t)] = r->inverse[i];
    lane[LANES * (PERP_RIGID_COUPLING + t)] = g->coupling[t];
    lane[LANES * (PERP_RIGID_RHS + t)] = b[i];
    if (r->part == PERP_PART_BOX) {
      lane[LANES * (PERP_RIGID_BOUNDS + t)] = groups->bounds.lo[i];
      lane[LANES * (PERP_RIGID_BOUNDS + 3 + t)] = groups->bounds.hi[i];
    }
    if (r->own)
      lane[LANES * (r->own + t)] =
          c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
  }
  if (r->part == PERP_PART_FINDEX)
    lane[LANES * PERP_RIGID_BOUNDS] = groups->bounds.hi[first + 1];
}

static void pack_contacts(const perp_contact *c, const perp_contact_relaxer *groups,
                          const double *b, const geometry *g, const perp_contact_rigid *r)
{
  int spare = c->data.blocks;
  for (int64_t place = 0; place < (int64_t)r->packets * LANES; place++) {
    int *body = r->body + place / LANES * 2 * LANES + place % LANES;
    if (r->contact[place] < 0) {
      body[0] = body[LANES] = BODY * spare++;
      double *lane = r->packed + place / LANES * r->stride + place % LANES;
      for (int k = 0; k < r->stride; k += LANES)
        lane[k] = 0;
      continue;
    }
    const geometry *own = &g[r->contact[place]];
    r->at[r->contact[place]] = (int)(place / LANES * 3 * LANES + place % LANES);
    body[0] = BODY * own->block[0];
    body[LANES] = BODY * (own->block[1] < 0 ? spare++ : own->block[1]);
    pack_lane(c, groups, b, r, place, own);
  }
}

/* Room for all, but for what the packets have already. */
static bool take_room(const perp_contact *c, const perp_contact_relaxer *groups, perp_arena *arena,
                      perp_contact_rigid *r)
{
  const size_t packets = (size_t)r->packets;
  int spare = r->packets * LANES - groups->groups;
  for (int k = 0; k < groups->groups; k++)
    spare += c->pair_start[groups->group[k].row + 1] - c->pair_start[groups->group[k].row] == 1;
  r->bodies = c->data.blocks + spare;
  const size_t numbers = BODY * (size_t)r->bodies;
  return PERP_TAKE(arena, PERP_ARRAY(r->body, 2 * LANES * packets),
                   PERP_ARRAY(r->packed, (size_t)r->stride * packets),
                   PERP_ARRAY(r->at, groups->groups), PERP_ARRAY(r->v, numbers)) &&
         PERP_TAKE_ZERO(arena, PERP_ARRAY(r->x, 3 * LANES * packets)) &&
         (r->lean || PERP_TAKE_ZERO(arena, PERP_ARRAY(r->inertia, numbers)));
}

perp_error perp_contact_rigid_create(const perp_operator *A, const double *b,
                                     const perp_contact_relaxer *groups, perp_arena *arena,
                                     perp_relaxer **relaxer)
{
  const perp_contact *c = perp_contact_of(A);
  bool round;
  geometry *g;
  *relaxer = NULL;
  const bool coloured = groups->orders & 1u << PERP_COLOURED;
  if (coloured && groups->orders != 1u << PERP_COLOURED)
    return PERP_OK;
  if (read_contacts(c, groups, arena, &g, &round))
    return PERP_ERROR_MEMORY;
  if (!g)
    return PERP_OK;
  perp_contact_rigid *r = perp_arena_alloc_zero(arena, 1, sizeof *r);
  perp_contact_packets packets;
  if (!r || perp_contact_packets_create(c, groups, LANES, arena, &packets))
    return PERP_ERROR_MEMORY;
  if (!packets.count)
    return PERP_OK;
  r->packets = packets.count;
  r->contact = packets.group;
  r->colours = packets.colours;
  r->colour_start = packets.colour_start;
  r->orders = groups->orders;
  r->omega = 1;
  r->inverse = groups->inverse;
  r->part = groups->bounds.part;
  r->lean = round && c->C.start[c->data.rows] == 0;
  const int numbers = PERP_RIGID_BOUNDS + (r->part == PERP_PART_FINDEX ? 1
                                           : r->part == PERP_PART_BOX  ? 6
                                                                       : 0);
  r->own = r->lean ? 0 : numbers;
  r->stride = LANES * (numbers + (r->own ? 3 : 0));
  if (!take_room(c, groups, arena, r))
    return PERP_ERROR_MEMORY;
  pack_masses(c, r);
  pack_contacts(c, groups, b, g, r);
  r->base.sweep = perp_contact_rigid_sweep;
  r->base.load = perp_contact_rigid_load;
  r->base.store = perp_contact_rigid_store;
  r->base.gradient = perp_contact_rigid_gradient;
  r->base.own_x = r->x;
  r->base.own_count = (int64_t)r->packets * 3 * LANES;
  r->base.renew = perp_contact_rigid_renew;
  *relaxer = &r->base;
  return PERP_OK;
}
