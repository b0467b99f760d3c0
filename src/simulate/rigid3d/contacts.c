/* rigid3d/contacts.c: the problem of the contacts and joints of one step
 *
 * Each contact with normal n and tangents t, o at p, r = p - position, has the rows
 *
 *   J_d = (-d, -r_a x d, d, r_b x d),   d = n, t, o
 *
 *   none         n           x_n >= 0
 *   polyhedral   n, d_k, s   x >= 0;  d_k = cos(a_k) t + sin(a_k) o at equal angles a_k; rows d_k have
 *                            s added, row s is mu x_n - sum x_k (Stewart and Trinkle 1996)
 *   findex       n, t, o     |x_t|, |x_o| <= mu |x_n|
 *   cone         n, t, o     |(x_t, x_o)| <= mu x_n
 *
 * Behind them stand the rows of the joints, free. A = J M^-1 J^T + C is never assembled: C = cfm I, and
 * in the polyhedral form, whose rows s have no part in J, what couples s with the impulses. */
#include "base/elementary.h"
#include "simulate/rigid3d/world.h"
#include <perp/frame.h>

#include <string.h>

typedef struct rows {
  int width;  /* rows of a contact */
  int joints; /* rows of all joints */
  int count, bodies;
  int *moving; /* number of each body among those that move, -1: fixed */
  double *Minv;
  int64_t *start;
  int *column;
  double *value;
  double *b, *lo, *hi, *mu;
  double *calm; /* of each contact: b of its normal without restitution */
  int bounces;  /* contacts with it */
  int *findex;
} rows;

/* Row `count` with J = (-linear, -turn_a, linear, turn_b); returns J v. Fixed bodies have no part. */
static double put_row(const perp_world3 *world, rows *r, const int body[2], const double linear[3],
                      const double turn_a[3], const double turn_b[3])
{
  int64_t at = r->start[r->count];
  double velocity = 0;
  for (int pass = 0; pass < 2; pass++) {
    /* columns ascend: the body that comes first in the list first */
    const int k = body[0] < body[1] ? pass : 1 - pass;
    const perp_body3 *p = &world->body[body[k]];
    const double sign = k == 0 ? -1 : 1, *turn = k == 0 ? turn_a : turn_b;
    velocity += sign * (perp_v3_dot(linear, p->v) + perp_v3_dot(turn, p->spin));
    const int number = r->moving[body[k]];
    if (number < 0)
      continue;
    int *column = r->column + at;
    double *value = r->value + at;
    for (int j = 0; j < 6; j++)
      column[j] = 6 * number + j;
    for (int j = 0; j < 3; j++) {
      value[j] = sign * linear[j];
      value[3 + j] = sign * turn[j];
    }
    at += 6;
  }
  r->start[++r->count] = at;
  return velocity;
}

/* A contact's bodies, and its place from theirs. */
typedef struct place {
  int body[2];
  double arm[2][3];
} place;

static place place_of(const perp_world3 *world, const perp_contact3 *c)
{
  place p = {.body = {c->a, c->b}};
  for (int side = 0; side < 2; side++)
    perp_v3_add(c->at, -1, world->body[p.body[side]].at, p.arm[side]);
  return p;
}

static double contact_row(const perp_world3 *world, rows *r, const place *p,
                          const double direction[3])
{
  double turn[2][3];
  for (int side = 0; side < 2; side++)
    perp_v3_cross(p->arm[side], direction, turn[side]);
  return put_row(world, r, p->body, direction, turn[0], turn[1]);
}

/* What stands beside J v in the row of a normal where nothing bounces. */
static double hold(const perp_world3 *world, const perp_contact3 *c)
{
  const perp_world3_parameters *par = &world->par;
  return c->gap > 0 ? c->gap / par->h
                    : perp_max(-par->push, par->erp * perp_min(0, c->gap + par->slop) / par->h);
}

/* Whether it does, and then a share of the velocity before gravity (world.h): `approach` has the gravity
 * of this step. */
static bool bounces(const perp_world3 *world, const perp_contact3 *c, double approach, double *back)
{
  const perp_world3_parameters *par = &world->par;
  const int pulled = (world->body[c->b].mass_inverse > 0) - (world->body[c->a].mass_inverse > 0);
  const double added = par->h * par->gravity, before = approach + pulled * added * c->normal[2];
  *back = par->restitution * before;
  /* A resting contact does not bounce: what gravity adds in a step is no impact. */
  return par->restitution > 0 && before < -fabs(added) && c->gap + par->h * approach < 0;
}

static void bound_row(rows *r, int row, double lo, double hi, int findex)
{
  r->lo[row] = lo;
  r->hi[row] = hi;
  r->findex[row] = findex;
}

/* Direction k of polyhedral friction, in shares of t and o. */
static void share_direction(const perp_world3 *world, int k, double share[2])
{
  const double angle = 6.283185307179586 * k / world->par.directions;
  share[0] = perp_cos(angle);
  share[1] = perp_sin(angle);
}

/* Rows d_k and s of a contact. */
static void fill_pyramid(const perp_world3 *world, rows *r, const place *at, double tangent[2][3])
{
  for (int k = 0; k < world->par.directions; k++) {
    double share[2], direction[3] = {0};
    share_direction(world, k, share);
    for (int d = 0; d < 2; d++)
      perp_v3_add(direction, share[d], tangent[d], direction);
    const int row = r->count;
    r->b[row] = contact_row(world, r, at, direction);
    bound_row(r, row, 0, INFINITY, -1);
  }
  const int slip = r->count++;
  r->start[r->count] = r->start[slip];
  r->b[slip] = 0;
  bound_row(r, slip, 0, INFINITY, -1);
}

static void fill_contacts(const perp_world3 *world, rows *r)
{
  const double mu = world->par.mu;
  for (int k = 0; k < world->contacts; k++) {
    const perp_contact3 *c = &world->contact[k];
    double tangent[2][3];
    const int normal = r->count;
    const place at = place_of(world, c);
    const double approach = contact_row(world, r, &at, c->normal);
    double back;
    r->calm[k] = r->b[normal] = approach + hold(world, c);
    if (bounces(world, c, approach, &back)) {
      r->b[normal] = approach + back;
      r->bounces++;
    }
    bound_row(r, normal, 0, INFINITY, -1);
    r->mu[k] = mu;
    if (r->width == 1)
      continue;
    perp_v3_frame(c->normal, tangent[0], tangent[1]);
    if (world->par.friction == PERP_FRICTION3_POLYHEDRAL) {
      fill_pyramid(world, r, &at, tangent);
      continue;
    }
    for (int d = 0; d < 2; d++) {
      const int row = r->count;
      r->b[row] = contact_row(world, r, &at, tangent[d]);
      bound_row(r, row, -mu, mu, normal);
    }
  }
}

/* Rows of a joint; none where its bodies are gone. */
static int joint_rows(const perp_world3 *world, const perp_joint3 *joint)
{
  return world->body[joint->body[0]].gone || world->body[joint->body[1]].gone
             ? 0
             : perp_joint3_rows(joint->kind);
}

static void fill_joints(const perp_world3 *world, rows *r)
{
  for (int k = 0; k < world->joints; k++) {
    const perp_joint3 *joint = &world->joint[k];
    perp_joint3_row row[6];
    if (joint_rows(world, joint) == 0)
      continue;
    const int count = perp_joint3_make_rows(world, joint, row);
    for (int i = 0; i < count; i++) {
      const int at = r->count;
      r->b[at] = put_row(world, r, joint->body, row[i].linear, row[i].turn[0], row[i].turn[1]) +
                 world->par.erp * row[i].error / world->par.h;
      bound_row(r, at, -INFINITY, INFINITY, -1);
    }
  }
}

/* Numbers for the moving bodies, and their blocks of M^-1. */
static void number_bodies(const perp_world3 *world, rows *r)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_body3 *b = &world->body[k];
    r->moving[k] = b->mass_inverse > 0 ? r->bodies++ : -1;
    if (r->moving[k] < 0)
      continue;
    double *block = r->Minv + 36 * (size_t)r->moving[k], turn[9];
    perp_body3_inertia_inverse(b, turn);
    memset(block, 0, 36 * sizeof *block);
    for (int i = 0; i < 3; i++) {
      block[7 * i] = b->mass_inverse;
      for (int j = 0; j < 3; j++)
        block[6 * (3 + i) + 3 + j] = turn[3 * i + j];
    }
  }
}

/* Row i of C at *at: cfm on the diagonal, and the slip of polyhedral friction. */
static void fill_C_row(const perp_world3 *world, const rows *r, int i, int *column, double *value,
                       int64_t *at)
{
  const double cfm = world->par.cfm;
  const int normal = i - i % r->width, slip = normal + r->width - 1;
  const bool contact = i < world->contacts * r->width;
  if (contact && i == slip && r->width > 3) { /* mu x_n - sum x_k */
    for (int j = normal; j < slip; j++) {
      column[*at] = j;
      value[(*at)++] = j == normal ? world->par.mu : -1;
    }
    return;
  }
  if (cfm > 0) {
    column[*at] = i;
    value[(*at)++] = cfm;
  }
  if (contact && i > normal && r->width > 3) { /* + s */
    column[*at] = slip;
    value[(*at)++] = 1;
  }
}

/* Leaves no operator where it fails. */
static perp_error make_operator(perp_world3 *world, const rows *r, perp_message *why)
{
  perp_contact_data data = {
      .rows = r->count,
      .velocities = 6 * r->bodies,
      .J_start = r->start,
      .J_column = r->column,
      .J_value = r->value,
      .blocks = r->bodies,
      .Minv = r->Minv,
  };
  if (world->par.cfm > 0 || world->par.friction == PERP_FRICTION3_POLYHEDRAL) {
    const size_t n = (size_t)r->count;
    int64_t *start = perp_arena_alloc(&world->frame, n + 1, sizeof *start);
    int *column = perp_arena_alloc(&world->frame, 3 * n, sizeof *column);
    double *value = perp_arena_alloc(&world->frame, 3 * n, sizeof *value);
    if (!start || !column || !value)
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", r->count);
    int64_t at = 0;
    for (int i = 0; i < r->count; i++) {
      start[i] = at;
      fill_C_row(world, r, i, column, value, &at);
    }
    start[r->count] = at;
    data.C_start = start;
    data.C_column = column;
    data.C_value = value;
  }
  /* Where the contacts are those of the last step so is all but the numbers, which were written over. */
  perp_contact_data old = {0};
  if (world->same && world->A && perp_operator_contact_data(world->A, &old) == PERP_OK &&
      old.rows == data.rows && old.blocks == data.blocks && old.J_start == data.J_start &&
      old.J_column == data.J_column && old.J_value == data.J_value && old.Minv == data.Minv &&
      old.C_start == data.C_start && old.C_column == data.C_column && old.C_value == data.C_value)
    return perp_operator_refresh(world->A, why);
  if (!world->A)
    return perp_operator_contact(&data, PERP_BORROW, &world->A, why);
  const perp_error error = perp_operator_contact_replace(world->A, &data, PERP_BORROW, why);
  if (error) {
    perp_operator_destroy(world->A);
    world->A = NULL;
  }
  return error;
}

/* ---- The step ---- */

/* The size of the impulse of a contact with the rows x. */
static double impulse_size(const perp_world3 *world, const double *x)
{
  if (world->par.friction == PERP_FRICTION3_NONE)
    return x[0];
  if (world->par.friction != PERP_FRICTION3_POLYHEDRAL)
    return perp_v3_norm(x);
  double impulse[3] = {x[0]};
  for (int k = 0; k < world->par.directions; k++) {
    double share[2];
    share_direction(world, k, share);
    impulse[1] += share[0] * x[1 + k];
    impulse[2] += share[1] * x[1 + k];
  }
  return perp_v3_norm(impulse);
}

/* impulse += J^T x over the rows of one contact, which have the same columns, if any. */
static void add_contact(const rows *r, int first, const double *x, double *impulse)
{
  const int64_t begin = r->start[first], count = r->start[first + 1] - begin;
  double sum[12] = {0};
  for (int t = 0; t < r->width; t++)
    for (int64_t e = r->start[first + t]; x[t] != 0 && e < r->start[first + t + 1]; e++)
      sum[e - r->start[first + t]] += r->value[e] * x[t];
  for (int k = 0; k < count; k++)
    impulse[r->column[begin + k]] += sum[k];
}

/* v <- v + M^-1 J^T x, and what each body carries. */
static perp_error apply_impulses(perp_world3 *world, const rows *r, perp_message *why)
{
  double *impulse = perp_arena_alloc_zero(&world->frame, 6 * (size_t)r->bodies, sizeof *impulse);
  if (!impulse)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", r->bodies);
  for (int k = 0; k < world->contacts; k++)
    add_contact(r, k * r->width, world->x + (size_t)k * (size_t)r->width, impulse);
  for (int i = world->contacts * r->width; i < r->count; i++)
    for (int64_t e = r->start[i]; e < r->start[i + 1]; e++)
      impulse[r->column[e]] += r->value[e] * world->x[i];
  for (int k = 0; k < world->bodies; k++) {
    if (r->moving[k] < 0)
      continue;
    perp_body3 *b = &world->body[k];
    const double *p = impulse + 6 * (size_t)r->moving[k];
    double inverse[9], turned[3];
    perp_body3_inertia_inverse(b, inverse);
    perp_m3_apply(inverse, p + 3, turned);
    perp_v3_add(b->v, b->mass_inverse, p, b->v);
    perp_v3_add(b->spin, 1, turned, b->spin);
  }
  for (int k = 0; k < world->contacts; k++) {
    const perp_contact3 *c = &world->contact[k];
    const double *x = world->x + (size_t)k * (size_t)r->width;
    const double size = impulse_size(world, x);
    world->load[c->a] += size;
    world->load[c->b] += size;
    world->state[c->a] += x[0] > 0;
    world->state[c->b] += x[0] > 0;
  }
  const double *x = world->x + (size_t)world->contacts * (size_t)r->width;
  for (int k = 0; k < world->joints; k++) {
    const int count = joint_rows(world, &world->joint[k]);
    for (int side = 0; side < 2 && count > 0; side++)
      world->load[world->joint[k].body[side]] += perp_v3_norm(x);
    x += count;
  }
  return PERP_OK;
}

/* The start of the solve, which will be that of the next step: contacts by their names, joints as they
 * were, unless some are gone. */
static perp_error carry(perp_world3 *world, const rows *r, bool warm, perp_message *why)
{
  const size_t n = (size_t)world->contacts, joints = (size_t)r->joints;
  const size_t width = (size_t)r->width;
  uint64_t *id = perp_alloc(n, sizeof *id);
  double *x = perp_alloc_zero(n * width + joints, sizeof *x);
  if (!id || !x) {
    perp_free(id);
    perp_free(x);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  }
  for (int k = 0; k < world->contacts; k++)
    id[k] = world->contact[k].id;
  perp_error error = PERP_OK;
  if (warm && world->old_x) {
    error = perp_contacts_carry(r->width, world->old_contacts, world->old_id, world->old_x,
                                world->contacts, id, x, NULL, why);
    if (r->joints == world->old_joints)
      memcpy(x + n * width, world->old_x + (size_t)world->old_contacts * width, joints * sizeof *x);
  }
  world->same = world->contacts == world->old_contacts && r->joints == world->old_joints &&
                world->old_id && memcmp(id, world->old_id, n * sizeof *id) == 0;
  perp_free(world->old_id);
  perp_free(world->old_x);
  world->old_id = id;
  world->old_x = world->x = x;
  world->old_contacts = world->contacts;
  world->old_joints = r->joints;
  return error;
}

static bool allocate(perp_world3 *world, rows *r)
{
  perp_arena *arena = &world->frame;
  const size_t contacts = (size_t)world->contacts, bodies = (size_t)world->bodies;
  const size_t n = contacts * (size_t)r->width + (size_t)r->joints;
  perp_arena_reset(arena);
  r->start = perp_arena_alloc(arena, n + 1, sizeof *r->start);
  r->column = perp_arena_alloc(arena, 12 * n, sizeof *r->column);
  r->value = perp_arena_alloc(arena, 12 * n, sizeof *r->value);
  r->b = perp_arena_alloc(arena, n, sizeof *r->b);
  r->lo = perp_arena_alloc(arena, n, sizeof *r->lo);
  r->hi = perp_arena_alloc(arena, n, sizeof *r->hi);
  r->mu = perp_arena_alloc(arena, contacts, sizeof *r->mu);
  r->calm = perp_arena_alloc(arena, contacts, sizeof *r->calm);
  r->findex = perp_arena_alloc(arena, n, sizeof *r->findex);
  r->moving = perp_arena_alloc(arena, bodies, sizeof *r->moving);
  r->Minv = perp_arena_alloc(arena, 36 * bodies, sizeof *r->Minv);
  if (!r->start || !r->column || !r->value || !r->b || !r->lo || !r->hi || !r->mu || !r->calm ||
      !r->findex || !r->moving || !r->Minv)
    return false;
  r->start[0] = 0;
  return true;
}

/* ---- Restitution and energy ---- */

/* Six numbers of each body; scratch is the frame's. */
static void save_velocities(const perp_world3 *world, double *v)
{
  for (int k = 0; k < world->bodies; k++) {
    memcpy(v + 6 * (size_t)k, world->body[k].v, 3 * sizeof *v);
    memcpy(v + 6 * (size_t)k + 3, world->body[k].spin, 3 * sizeof *v);
  }
}

/* The bodies' velocities to (1 - share) u + share v. */
static void set_velocities(perp_world3 *world, const double *u, const double *v, double share)
{
  for (int k = 0; k < world->bodies; k++)
    for (int j = 0; j < 3; j++) {
      const size_t i = 6 * (size_t)k + (size_t)j;
      world->body[k].v[j] = (1 - share) * u[i] + share * v[i];
      world->body[k].spin[j] = (1 - share) * u[i + 3] + share * v[i + 3];
    }
}

/* What the step adds to the energy (world.h): (v + v') / 2 times the impulses, where v' are the bodies'
 * velocities, `free` those with gravity alone, and v those before it. *exchanged: a measure of what
 * passes between the bodies. */
static double energy_added(const perp_world3 *world, const double *free, double *exchanged)
{
  double added = 0;
  *exchanged = 0;
  for (int k = 0; k < world->bodies; k++) {
    const perp_body3 *b = &world->body[k];
    const double *u = free + 6 * (size_t)k;
    double R[9], change[3], sum[3], w[3], I_w[3];
    if (b->mass_inverse == 0)
      continue;
    perp_v3_add(b->v, -1, u, change);
    perp_v3_add(b->v, 1, u, sum);
    sum[2] += world->par.h * world->par.gravity;
    added += 0.5 * b->mass * perp_v3_dot(sum, change);
    *exchanged += 0.5 * b->mass * perp_v3_dot(change, change);
    perp_q_matrix(b->turn, R);
    perp_v3_add(b->spin, -1, u + 3, change);
    perp_m3_apply_t(R, change, w);
    perp_m3_apply(b->inertia, w, I_w);
    *exchanged += 0.5 * perp_v3_dot(w, I_w);
    perp_v3_add(b->spin, 1, u + 3, sum);
    perp_m3_apply_t(R, sum, w);
    added += 0.5 * perp_v3_dot(w, I_w);
  }
  return added;
}

/* Impulses, and as much restitution as the energy allows: where it does not allow all, the step is
 * solved without any as well, and velocities between the two are taken. */
static perp_error bounce(perp_world3 *world, rows *r, const perp_problem *p, perp_stepper *stepper,
                         perp_message *why)
{
  const size_t n = (size_t)world->bodies;
  double *v = perp_arena_alloc(&world->frame, 18 * n, sizeof *v);
  if (!v)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  double *free = v, *with = v + 6 * n, *without = v + 12 * n, exchanged, unused;
  save_velocities(world, free);
  perp_error error = apply_impulses(world, r, why);
  double added[3] = {0, 0, error ? 0 : energy_added(world, free, &exchanged)};
  if (error || added[2] <= 1e-8 * exchanged)
    return error;
  save_velocities(world, with);
  set_velocities(world, free, free, 0);
  for (int k = 0; k < world->contacts; k++)
    r->b[(size_t)k * (size_t)r->width] = r->calm[k];
  error = perp_stepper_solve(stepper, p, world->x, why);
  if (!error) {
    memset(world->load, 0, n * sizeof *world->load);
    memset(world->state, 0, n * sizeof *world->state);
    error = apply_impulses(world, r, why);
  }
  if (error)
    return error;
  save_velocities(world, without);
  added[0] = energy_added(world, free, &unused);
  set_velocities(world, without, with, 0.5);
  added[1] = energy_added(world, free, &unused);
  set_velocities(world, without, with, perp_restitution_share(added));
  return PERP_OK;
}

perp_error perp_world3_solve(perp_world3 *world, perp_stepper *stepper, perp_message *why)
{
  const int form = world->par.friction;
  rows r = {.width = form == PERP_FRICTION3_NONE         ? 1
                     : form == PERP_FRICTION3_POLYHEDRAL ? world->par.directions + 2
                                                         : 3};
  for (int k = 0; k < world->joints; k++)
    r.joints += joint_rows(world, &world->joint[k]);
  perp_error error = carry(world, &r, stepper->warm, why);
  if (error || world->contacts + r.joints == 0)
    return error;
  if (!allocate(world, &r))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  number_bodies(world, &r);
  fill_contacts(world, &r);
  fill_joints(world, &r);
  error = make_operator(world, &r, why);
  if (error)
    return error;
  const bool cone = form == PERP_FRICTION3_CONE;
  const bool plain = r.joints == 0; /* then K is said in full by its simplest form */
  const perp_problem problem = {
      .A = world->A,
      .b = r.b,
      .K = {.n = r.count,
            .lo = plain && form != PERP_FRICTION3_FINDEX ? NULL : r.lo,
            .hi = plain && form != PERP_FRICTION3_FINDEX ? NULL : r.hi,
            .findex = form == PERP_FRICTION3_FINDEX ? r.findex : NULL,
            .mu = cone ? r.mu : NULL,
            .cones = cone ? world->contacts : 0},
  };
  error = perp_stepper_solve(stepper, &problem, world->x, why);
  if (!error)
    error =
        r.bounces > 0 ? bounce(world, &r, &problem, stepper, why) : apply_impulses(world, &r, why);
  return error;
}
