/* rigid2d/contacts.c: the problem of the contacts of one step
 *
 * Each contact with normal n and tangent t = (-n_y, n_x) at r_a, r_b from the centres has the rows
 *
 *   J_n = (-n, -r_a x n, n, r_b x n),   J_t likewise with t,
 *
 *   none         n                      x_n >= 0
 *   findex       n, t                   |x_t| <= mu |x_n|
 *   cone         n, t, o                Coulomb's cone; o has no part in J and 1 in C, so x_o = 0
 *   polyhedral   n, +t, -t, s           x >= 0;  rows +t, -t have s added, row s is mu x_n - x_+ - x_-
 *
 * The first three are J M^-1 J^T + C with C = cfm I. The last is not symmetric: its part of friction is
 * put together as a csr matrix. */
#include "base/elementary.h"
#include "simulate/rigid2d/world.h"
#include <perp/frame.h>

#include <math.h>
#include <string.h>

typedef struct rows {
  int width, count;
  int64_t *start;
  int *column;
  double *value;
  double *b, *lo, *hi, *mu;
  double *calm; /* of each contact: b of its normal without restitution */
  int bounces;  /* contacts with it */
  int *findex;
} rows;

static const int widths[] = {1, 4, 2, 3};

/* J_d of contact c for a direction d, six entries; returns J v. Fixed bodies have none. */
static double direction_row(const perp_world2 *world, const perp_contact2 *c, double dx, double dy,
                            const int *moving, rows *r, int64_t *at)
{
  const perp_body2 *pair[2] = {&world->body[c->a], &world->body[c->b]};
  const int index[2] = {c->a, c->b};
  double velocity = 0;
  for (int pass = 0; pass < 2; pass++) {
    /* columns ascend: the body that comes first in the list first */
    const int k = (index[0] < index[1]) ? pass : 1 - pass;
    const perp_body2 *p = pair[k];
    const double sign = k == 0 ? -1 : 1, rx = c->x - p->x, ry = c->y - p->y;
    const double row[3] = {sign * dx, sign * dy, sign * (rx * dy - ry * dx)};
    velocity += row[0] * p->vx + row[1] * p->vy + row[2] * p->spin;
    if (moving[index[k]] >= 0)
      for (int j = 0; j < 3; j++) {
        r->column[*at] = 3 * moving[index[k]] + j;
        r->value[(*at)++] = row[j];
      }
  }
  return velocity;
}

/* What stands beside J v in the row of a normal where nothing bounces. */
static double hold(const perp_world2 *world, const perp_contact2 *c)
{
  const perp_world2_parameters *par = &world->par;
  return c->gap > 0 ? c->gap / par->h : par->erp * perp_min(0, c->gap + par->slop) / par->h;
}

/* Whether it does, and then a share of the velocity before gravity (world.h): `approach` has the gravity
 * of this step. */
static bool bounces(const perp_world2 *world, const perp_contact2 *c, double approach, double *back)
{
  const perp_world2_parameters *par = &world->par;
  const int pulled = (world->body[c->b].mass_inverse > 0) - (world->body[c->a].mass_inverse > 0);
  const double added = par->h * par->gravity, before = approach + pulled * added * c->ny;
  *back = par->restitution * before;
  /* A resting contact does not bounce: what gravity adds in a step is no impact. */
  return par->restitution > 0 && before < -fabs(added) && c->gap + par->h * approach < 0;
}

/* J, b and K for all forms but the polyhedral one, whose J has the rows n and t alone. */
static void fill_rows(const perp_world2 *world, const int *moving, int form, rows *r)
{
  int64_t at = 0;
  int row = 0;
  const double mu = world->par.mu;
  for (int k = 0; k < world->contacts; k++) {
    const perp_contact2 *c = &world->contact[k];
    const int normal = row;
    r->start[row] = at;
    const double approach = direction_row(world, c, c->nx, c->ny, moving, r, &at);
    double back;
    r->calm[k] = r->b[row] = approach + hold(world, c);
    if (bounces(world, c, approach, &back)) {
      r->b[row] = approach + back;
      r->bounces++;
    }
    r->lo[row] = 0;
    r->hi[row] = INFINITY;
    r->findex[row++] = -1;
    if (form == PERP_FRICTION2_NONE)
      continue;
    r->start[row] = at;
    r->b[row] = direction_row(world, c, -c->ny, c->nx, moving, r, &at);
    r->lo[row] = -mu;
    r->hi[row] = mu;
    r->findex[row++] = normal;
    if (form != PERP_FRICTION2_CONE)
      continue;
    r->start[row] = at;
    r->b[row++] = 0;
    r->mu[k] = mu;
  }
  r->start[row] = at;
  r->count = row;
}

/* Numbers for the moving bodies, -1 for the fixed, and their blocks of M^-1. */
static int number_bodies(const perp_world2 *world, int *moving, double *Minv)
{
  int count = 0;
  for (int k = 0; k < world->bodies; k++) {
    const perp_body2 *b = &world->body[k];
    moving[k] = b->mass_inverse > 0 ? count++ : -1;
    if (moving[k] >= 0)
      memcpy(Minv + 9 * (size_t)moving[k],
             (double[]){b->mass_inverse, 0, 0, 0, b->mass_inverse, 0, 0, 0, b->inertia_inverse},
             9 * sizeof *Minv);
  }
  return count;
}

/* A = J M^-1 J^T + C, as it is or assembled. */
static perp_error make_operator(perp_world2 *world, const rows *r, int bodies, const double *Minv,
                                bool cone, perp_message *why)
{
  perp_contact_data data = {
      .rows = r->count,
      .velocities = 3 * bodies,
      .J_start = r->start,
      .J_column = r->column,
      .J_value = r->value,
      .blocks = bodies,
      .Minv = Minv,
  };
  const size_t n = (size_t)r->count;
  if (cone || world->par.cfm > 0) {
    int64_t *start = perp_arena_alloc(&world->frame, n + 1, sizeof *start);
    int *column = perp_arena_alloc(&world->frame, n, sizeof *column);
    double *value = perp_arena_alloc(&world->frame, n, sizeof *value);
    if (!start || !column || !value)
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", r->count);
    for (int i = 0; i <= r->count; i++)
      start[i] = i;
    for (int i = 0; i < r->count; i++) {
      column[i] = i;
      value[i] = world->par.cfm + (cone && i % 3 == 2 ? 1 : 0);
    }
    data.C_start = start;
    data.C_column = column;
    data.C_value = value;
  }
  perp_error error = perp_operator_contact(&data, PERP_BORROW, &world->A, why);
  if (!error && world->par.assembled) {
    perp_operator *csr = NULL;
    error = perp_operator_to_csr(world->A, 0, &csr, why);
    if (!error) {
      perp_operator_destroy(world->A);
      world->A = csr;
    }
  }
  return error;
}

/* ---- Polyhedral friction ---- */

/* From B = J M^-1 J^T over the rows (n, t) of all contacts the matrix over (n, +t, -t, s). */
static perp_error make_polyhedral(perp_world2 *world, rows *r, perp_message *why)
{
  perp_operator *csr = NULL;
  perp_error error = PERP_OK;
  if (!world->par.assembled)
    error = perp_operator_to_csr(world->A, 0, &csr, why);
  const int64_t *start;
  const int *column;
  const double *value;
  if (!error)
    error = perp_operator_csr_arrays(csr ? csr : world->A, &start, &column, &value);
  if (error)
    return error;
  const int contacts = world->contacts;
  const size_t n = 4 * (size_t)contacts;
  int64_t *s = perp_arena_alloc(&world->frame, n + 1, sizeof *s);
  const size_t room = 4 * (size_t)start[2 * contacts] + 6 * (size_t)contacts;
  int *c = perp_arena_alloc(&world->frame, room, sizeof *c);
  double *v = perp_arena_alloc(&world->frame, room, sizeof *v);
  if (!s || !c || !v)
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", contacts);
  int64_t at = 0;
  for (int k = 0; k < contacts && !error; k++)
    for (int part = 0; part < 4; part++) {
      s[4 * k + part] = at;
      if (part == 3) { /* mu x_n - x_+ - x_- */
        memcpy(c + at, (int[]){4 * k, 4 * k + 1, 4 * k + 2}, 3 * sizeof *c);
        memcpy(v + at, (double[]){world->par.mu, -1, -1}, 3 * sizeof *v);
        at += 3;
        continue;
      }
      const int row = 2 * k + (part > 0);
      const double sign = part == 2 ? -1 : 1;
      bool slip = part == 0; /* whether the entry of s is there already */
      for (int64_t e = start[row]; e < start[row + 1]; e++) {
        const int to = column[e] / 2;
        if (!slip && to > k) {
          c[at] = 4 * k + 3;
          v[at++] = 1;
          slip = true;
        }
        c[at] = 4 * to + column[e] % 2;
        v[at++] = sign * value[e];
        if (column[e] % 2 == 1) {
          c[at] = 4 * to + 2;
          v[at++] = -sign * value[e];
        }
      }
      if (!slip) {
        c[at] = 4 * k + 3;
        v[at++] = 1;
      }
    }
  if (!error) {
    s[n] = at;
    double *b = perp_arena_alloc(&world->frame, n, sizeof *b);
    perp_operator *A = NULL;
    error = b ? perp_operator_csr((int)n, s, c, v, PERP_BORROW, &A, why)
              : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", contacts);
    for (int k = 0; k < contacts && !error; k++)
      memcpy(b + 4 * (size_t)k, (double[]){r->b[2 * k], r->b[2 * k + 1], -r->b[2 * k + 1], 0},
             4 * sizeof *b);
    if (!error) {
      perp_operator_destroy(world->A);
      world->A = A;
      r->b = b;
      r->count = (int)n;
    }
  }
  perp_operator_destroy(csr);
  return error;
}

/* ---- The step ---- */

/* v <- v + M^-1 J^T x, and what each body carries. */
static void apply_impulses(perp_world2 *world, int form)
{
  const int width = widths[form];
  for (int k = 0; k < world->bodies; k++)
    world->load[k] = world->state[k] = 0;
  for (int k = 0; k < world->contacts; k++) {
    const perp_contact2 *c = &world->contact[k];
    const double *x = world->x + (size_t)k * (size_t)width, normal = x[0];
    const double tangent = form == PERP_FRICTION2_NONE         ? 0
                           : form == PERP_FRICTION2_POLYHEDRAL ? x[1] - x[2]
                                                               : x[1];
    const double px = normal * c->nx - tangent * c->ny, py = normal * c->ny + tangent * c->nx;
    const int pair[2] = {c->a, c->b};
    for (int side = 0; side < 2; side++) {
      perp_body2 *b = &world->body[pair[side]];
      const double sign = side ? 1 : -1;
      b->vx += sign * px * b->mass_inverse;
      b->vy += sign * py * b->mass_inverse;
      b->spin += sign * ((c->x - b->x) * py - (c->y - b->y) * px) * b->inertia_inverse;
      world->load[pair[side]] += perp_hypot(px, py);
      world->state[pair[side]] += normal > 0;
    }
  }
}

/* The start of the solve, and afterwards the names and forces for the next one. */
static perp_error carry(perp_world2 *world, int width, bool warm, perp_message *why)
{
  const size_t n = (size_t)world->contacts;
  uint64_t *id = perp_alloc(n, sizeof *id);
  double *x = perp_alloc_zero(n * (size_t)width, sizeof *x);
  if (!id || !x) {
    perp_free(id);
    perp_free(x);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  }
  for (int k = 0; k < world->contacts; k++)
    id[k] = world->contact[k].id;
  perp_error error = PERP_OK;
  if (warm)
    error = perp_contacts_carry(width, world->old_contacts, world->old_id, world->old_x,
                                world->contacts, id, x, NULL, why);
  perp_free(world->old_id);
  perp_free(world->old_x);
  world->old_id = id;
  world->old_x = world->x = x;
  world->old_contacts = world->contacts;
  return error;
}

static bool allocate(perp_world2 *world, int width, rows *r, int **moving, double **Minv)
{
  perp_arena *arena = &world->frame;
  const size_t n = (size_t)world->contacts * (size_t)width;
  *r = (rows){.width = width};
  r->start = perp_arena_alloc(arena, n + 1, sizeof *r->start);
  r->column = perp_arena_alloc(arena, 6 * n, sizeof *r->column);
  r->value = perp_arena_alloc(arena, 6 * n, sizeof *r->value);
  r->b = perp_arena_alloc(arena, n, sizeof *r->b);
  r->lo = perp_arena_alloc(arena, n, sizeof *r->lo);
  r->hi = perp_arena_alloc(arena, n, sizeof *r->hi);
  r->mu = perp_arena_alloc(arena, (size_t)world->contacts, sizeof *r->mu);
  r->calm = perp_arena_alloc(arena, (size_t)world->contacts, sizeof *r->calm);
  r->findex = perp_arena_alloc(arena, n, sizeof *r->findex);
  *moving = perp_arena_alloc(arena, (size_t)world->bodies, sizeof **moving);
  *Minv = perp_arena_alloc(arena, 9 * (size_t)world->bodies, sizeof **Minv);
  return r->start && r->column && r->value && r->b && r->lo && r->hi && r->mu && r->calm &&
         r->findex && *moving && *Minv;
}

/* ---- Restitution and energy ---- */

/* Three numbers of each body. */
static void save_velocities(const perp_world2 *world, double *v)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_body2 *b = &world->body[k];
    memcpy(v + 3 * (size_t)k, (double[]){b->vx, b->vy, b->spin}, 3 * sizeof *v);
  }
}

/* The bodies' velocities to (1 - share) u + share v. */
static void set_velocities(perp_world2 *world, const double *u, const double *v, double share)
{
  for (int k = 0; k < world->bodies; k++, u += 3, v += 3) {
    perp_body2 *b = &world->body[k];
    b->vx = (1 - share) * u[0] + share * v[0];
    b->vy = (1 - share) * u[1] + share * v[1];
    b->spin = (1 - share) * u[2] + share * v[2];
  }
}

/* What the step adds to the energy (world.h): (v + v') / 2 times the impulses, where v' are the bodies'
 * velocities, `free` those with gravity alone, and v those before it. *exchanged: a measure of what
 * passes between the bodies. */
static double energy_added(const perp_world2 *world, const double *free, double *exchanged)
{
  const double pull = world->par.h * world->par.gravity;
  double added = 0;
  *exchanged = 0;
  for (int k = 0; k < world->bodies; k++, free += 3) {
    const perp_body2 *b = &world->body[k];
    if (b->mass_inverse == 0)
      continue;
    const double dx = b->vx - free[0], dy = b->vy - free[1], turn = b->spin - free[2];
    added += 0.5 * (b->mass * ((b->vx + free[0]) * dx + (b->vy + free[1] + pull) * dy) +
                    b->inertia * (b->spin + free[2]) * turn);
    *exchanged += 0.5 * (b->mass * (dx * dx + dy * dy) + b->inertia * turn * turn);
  }
  return added;
}

/* Impulses, and as much restitution as the energy allows: where it does not allow all, the step is
 * solved without any as well, and velocities between the two are taken. */
static perp_error bounce(perp_world2 *world, rows *r, const perp_problem *p, perp_stepper *stepper,
                         perp_message *why)
{
  const size_t n = (size_t)world->bodies;
  const int form = world->par.friction;
  double *v = perp_arena_alloc(&world->frame, 9 * n, sizeof *v);
  if (!v)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  double *free = v, *with = v + 3 * n, *without = v + 6 * n, exchanged, unused;
  save_velocities(world, free);
  apply_impulses(world, form);
  double added[3] = {0, 0, energy_added(world, free, &exchanged)};
  if (added[2] <= 1e-8 * exchanged)
    return PERP_OK;
  save_velocities(world, with);
  set_velocities(world, free, free, 0);
  for (int k = 0; k < world->contacts; k++)
    r->b[(size_t)k * (size_t)r->width] = r->calm[k];
  const perp_error error = perp_stepper_solve(stepper, p, world->x, why);
  if (error)
    return error;
  apply_impulses(world, form);
  save_velocities(world, without);
  added[0] = energy_added(world, free, &unused);
  set_velocities(world, without, with, 0.5);
  added[1] = energy_added(world, free, &unused);
  set_velocities(world, without, with, perp_restitution_share(added));
  return PERP_OK;
}

perp_error perp_world2_solve(perp_world2 *world, perp_stepper *stepper, perp_message *why)
{
  const int form = world->par.friction, width = widths[form];
  for (int k = 0; k < world->bodies; k++)
    if (world->body[k].mass_inverse > 0)
      world->body[k].vy -= world->par.h * world->par.gravity;
  perp_operator_destroy(world->A);
  world->A = NULL;
  perp_error error = carry(world, width, stepper->warm, why);
  if (error || world->contacts == 0)
    return error;
  rows r;
  int *moving;
  double *Minv;
  if (!allocate(world, width, &r, &moving, &Minv))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  const int bodies = number_bodies(world, moving, Minv);
  fill_rows(world, moving, form, &r);
  error = make_operator(world, &r, bodies, Minv, form == PERP_FRICTION2_CONE, why);
  if (!error && form == PERP_FRICTION2_POLYHEDRAL)
    error = make_polyhedral(world, &r, why);
  if (error)
    return error;
  const perp_problem problem = form == PERP_FRICTION2_CONE ? perp_problem_cone(world->A, r.b, r.mu)
                               : form == PERP_FRICTION2_FINDEX
                                   ? perp_problem_friction(world->A, r.b, r.lo, r.hi, r.findex)
                                   : perp_problem_lcp(world->A, r.b);
  error = perp_stepper_solve(stepper, &problem, world->x, why);
  if (!error && r.bounces > 0)
    error = bounce(world, &r, &problem, stepper, why);
  else if (!error)
    apply_impulses(world, form);
  return error;
}
