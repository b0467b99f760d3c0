/* rigid/solve.c: sets up and solves the contact and joint problem of one step
 *
 * The contact rows (scene/contact.h) come first, the joint rows after them. The operator and its
 * memory are reused from step to step: while the number of contacts does not grow and A = J M^-1
 * J^T + C is not assembled, a solved step allocates nothing. */
#include "base/elementary.h"
#include "scene/vector.h"
#include "simulate/rigid/world.h"

#include <string.h>

typedef struct step {
  perp_contact_rows rows;
  int *number; /* of each body: its index among the moving bodies, -1: fixed */
  double *v;   /* of the moving bodies, with gravity */
  double *b;
  double *calm; /* of each contact: b of its normal row without restitution */
  int bounces;  /* contacts with restitution */
  bool *rests;  /* of each contact: it has static friction; NULL: none has */
  int joints;   /* joint rows */
  const perp_joint_row *joint;
} step;

static perp_contact_layout layout_of(const perp_world *world)
{
  static const perp_contact_form forms[] = {PERP_CONTACT_LCP,      PERP_CONTACT_POLYHEDRAL,
                                            PERP_CONTACT_FINDEX,   PERP_CONTACT_CONE,
                                            PERP_CONTACT_ELLIPTIC, PERP_CONTACT_DISCS};
  return (perp_contact_layout){.form = forms[world->par.friction],
                               .planar = world->planar,
                               .directions = world->planar ? 2 : world->par.directions,
                               .mu = world->par.mu,
                               .cfm = world->par.cfm,
                               .torsion = world->par.torsion,
                               .roll = world->par.roll};
}

/* ---- State kept from step to step ---- */

/* Makes room for `count` elements; the old ones may be lost. Returns false when out of memory. */
static bool reserve(void *array, int *room, int count, size_t size)
{
  if (count < *room)
    return true;
  const int more = count + count / 2 + 1;
  const bool fine = perp_alloc_longer(array, 0, (size_t)more, size);
  *room = fine ? more : *room;
  return fine;
}

/* Sets the starting point of the solve: matches contacts by name; keeps the joint impulses unless
 * joints were removed. Sets *same if contacts and joints are unchanged since the last step. */
static bool carry(perp_world *world, int width, int joints, bool warm, bool *same)
{
  const perp_kept_forces *last = &world->kept[world->now];
  perp_kept_forces *now = &world->kept[world->now = 1 - world->now];
  const int n = world->contacts * width + joints;
  const bool fine = reserve(&now->name, &now->name_room, world->contacts, sizeof *now->name) &&
                    reserve(&now->x, &now->x_room, n, sizeof *now->x);
  world->x = now->x;
  now->contacts = fine ? world->contacts : 0;
  now->joints = fine ? joints : 0;
  if (!fine)
    return false;
  for (int k = 0; k < world->contacts; k++)
    now->name[k] = (perp_name){world->contact[k].id, k};
  perp_names_sort(world->contacts, now->name);
  memset(now->x, 0, (size_t)n * sizeof *now->x);
  if (warm) {
    perp_names_carry(width, last->contacts, last->name, last->x, now->contacts, now->name, now->x);
    if (joints == last->joints && joints > 0)
      memcpy(now->x + now->contacts * width, last->x + last->contacts * width,
             (size_t)joints * sizeof *now->x);
  }
  *same = now->contacts == last->contacts && joints == last->joints;
  for (int k = 0; k < now->contacts && *same; k++)
    *same = now->name[k].id == last->name[k].id && now->name[k].place == last->name[k].place;
  return true;
}

/* ---- The rows ---- */

/* Returns (J v)_i, summed over the bodies; the angular part is summed separately. */
static double velocity_along(const step *s, int i)
{
  const perp_contact_rows *r = &s->rows;
  double sum = 0;
  for (int64_t e = r->start[i]; e < r->start[i + 1]; e += r->freedom) {
    const double *J = r->value + e, *v = s->v + r->column[e];
    sum += r->freedom == 3 ? perp_v3_dot(J, v) : perp_v3_dot(J, v) + perp_v3_dot(J + 3, v + 3);
  }
  return sum;
}

/* Returns the constant term of a normal row without restitution. */
static double hold(const perp_world *world, const perp_scene_contact *c)
{
  const perp_world_parameters *par = &world->par;
  if (c->gap > 0)
    return c->gap / par->h;
  const double out = par->erp * perp_min(0, c->gap + par->slop) / par->h;
  return world->planar ? out : perp_max(-par->push, out);
}

/* Returns the slip below which a contact is at rest. */
static double rest_slip(const perp_world *world)
{
  return 1e-3 * world->par.h * fabs(world->par.gravity);
}

/* Returns the velocity along d before the gravity of this step, given the one after it. */
static double before_gravity(const perp_world *world, const perp_scene_contact *c,
                             const double d[3], double after)
{
  const int pulled = (world->body[c->b].mass_inverse > 0) - (world->body[c->a].mass_inverse > 0);
  return after - pulled * world->par.h * world->par.gravity * perp_v3_dot(world->down, d);
}

/* Returns true if the contact bounces, and the restitution term: a share of the velocity before
 * gravity (world.h). `approach` includes the gravity of this step. */
static bool bounces(const perp_world *world, const perp_scene_contact *c, double approach,
                    double *back)
{
  const perp_world_parameters *par = &world->par;
  const double added = par->h * par->gravity;
  const double before = before_gravity(world, c, c->normal, approach);
  const double e = perp_world_restitution(world, c->a, c->b);
  *back = e * before;
  /* A resting contact does not bounce: the velocity that gravity adds in one step is not an
   * impact. */
  return e > 0 && before < -fabs(added) && c->gap + par->h * approach < 0;
}

/* Returns the slip of contact k before the gravity of this step; its rows are in b. */
static double slip_before(const perp_world *world, const step *s, int k, double frame[3][3])
{
  const perp_contact_layout *layout = &s->rows.layout;
  const bool polyhedral = layout->form == PERP_CONTACT_POLYHEDRAL;
  const int slides = polyhedral ? layout->directions : s->rows.width < 3 ? 1 : 2;
  double slip = 0;
  for (int d = 0; d < slides; d++) {
    double along[3] = {frame[1 + d % 2][0], frame[1 + d % 2][1], frame[1 + d % 2][2]};
    if (polyhedral)
      perp_contact_rows_direction(layout, d, frame, along);
    const double after = s->b[k * s->rows.width + 1 + d];
    slip = perp_max(slip, fabs(before_gravity(world, &world->contact[k], along, after)));
  }
  return slip;
}

static void fill_contact(const perp_world *world, step *s, int k)
{
  const perp_scene_contact *c = &world->contact[k];
  const int body[2] = {s->number[c->a], s->number[c->b]}, first = s->rows.n;
  double arm[2][3], frame[3][3] = {{c->normal[0], c->normal[1], c->normal[2]}, {0}, {0, 0, 1}};
  perp_v3_add(c->at, -1, world->body[c->a].at, arm[0]);
  perp_v3_add(c->at, -1, world->body[c->b].at, arm[1]);
  if (world->planar)
    perp_v3_cross(frame[2], frame[0], frame[1]);
  else
    perp_v3_frame(frame[0], frame[1], frame[2]);
  perp_contact_rows_contact(&s->rows, body, arm, frame);
  for (int i = first; i < s->rows.n; i++)
    s->b[i] = velocity_along(s, i);
  double back;
  if (s->rests && (s->rests[k] = slip_before(world, s, k, frame) <= rest_slip(world)))
    perp_contact_rows_friction(&s->rows, k, world->par.mu_static);
  const double approach = s->b[first];
  s->calm[k] = s->b[first] = approach + hold(world, c);
  if (bounces(world, c, approach, &back)) {
    s->b[first] = approach + back;
    s->bounces++;
  }
}

static void fill_joint(const perp_world *world, step *s, const perp_joint_row *row)
{
  const int body[2] = {s->number[row->body[0]], s->number[row->body[1]]}, i = s->rows.n;
  double turn[2][3];
  memcpy(turn, row->turn, sizeof turn);
  perp_contact_rows_other(&s->rows, body, row->linear, turn);
  s->b[i] = velocity_along(s, i) + world->par.erp * row->error / world->par.h;
}

/* Numbers the moving bodies and returns their count. */
static int number_bodies(const perp_world *world, int *number)
{
  int count = 0;
  for (int k = 0; k < world->bodies; k++)
    number[k] = world->body[k].mass_inverse > 0 ? count++ : -1;
  return count;
}

static void fill_bodies(const perp_world *world, step *s)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    if (s->number[k] < 0)
      continue;
    double R[9], inverse[9], *v = s->v + s->rows.freedom * s->number[k];
    perp_q_matrix(b->turn, R);
    perp_m3_turn(R, b->inertia_inverse, inverse);
    perp_contact_rows_body(&s->rows, s->number[k], b->mass_inverse, inverse);
    memcpy(v, b->v, 3 * sizeof *v);
    if (world->planar)
      v[2] = b->spin[2];
    else
      memcpy(v + 3, b->spin, 3 * sizeof *v);
  }
}

static bool fill(perp_world *world, const perp_contact_layout *layout, step *s)
{
  perp_arena *arena = &world->frame;
  const size_t contacts = (size_t)world->contacts, bodies = (size_t)world->bodies;
  const size_t n = contacts * (size_t)perp_contact_width(layout) + (size_t)s->joints;
  const bool rests =
      world->par.mu_static > world->par.mu && world->par.friction != PERP_FRICTION_NONE;
  if (!PERP_TAKE(arena, PERP_ARRAY(s->number, bodies), PERP_ARRAY(s->v, 6 * bodies),
                 PERP_ARRAY(s->b, n), PERP_ARRAY(s->calm, contacts)) ||
      (rests && !PERP_TAKE(arena, PERP_ARRAY(s->rests, contacts))) ||
      !perp_contact_rows_begin(&s->rows, layout, world->contacts, s->joints,
                               number_bodies(world, s->number), arena))
    return false;
  fill_bodies(world, s);
  for (int k = 0; k < world->contacts; k++)
    fill_contact(world, s, k);
  for (int k = 0; k < s->joints; k++)
    fill_joint(world, s, &s->joint[k]);
  return true;
}

/* The polyhedral form in the plane is always assembled: methods for CSR matrices solve it several
 * times as fast. */
static bool is_assembled(const perp_world *world)
{
  return world->planar && (world->par.assembled || world->par.friction == PERP_FRICTION_POLYHEDRAL);
}

/* Creates the operator of the step. On failure there is no operator. */
static perp_error make_operator(perp_world *world, const step *s, bool same, perp_message *why)
{
  const perp_contact_data data = perp_contact_rows_data(&s->rows);
  perp_contact_data old = perp_contact_data_default();
  /* Same contacts as in the last step: only the values have changed, and they were written in
   * place. */
  if (same && world->A && perp_operator_contact_data(world->A, &old) == PERP_OK &&
      old.rows == data.rows && old.blocks == data.blocks && old.J_start == data.J_start &&
      old.J_column == data.J_column && old.J_value == data.J_value && old.Minv == data.Minv &&
      old.C_start == data.C_start && old.C_column == data.C_column && old.C_value == data.C_value)
    return perp_operator_refresh(world->A, why);
  perp_error error = PERP_OK;
  if (is_assembled(world)) {
    perp_operator *kept = NULL;
    perp_operator_destroy(world->A);
    world->A = NULL;
    error = perp_operator_contact(&data, PERP_BORROW, &kept, why);
    if (!error)
      error = perp_operator_to_csr(kept, 0, &world->A, why);
    perp_operator_destroy(kept);
  } else if (world->A) {
    error = perp_operator_contact_replace(world->A, &data, PERP_BORROW, why);
  } else {
    error = perp_operator_contact(&data, PERP_BORROW, &world->A, why);
  }
  if (error) {
    perp_operator_destroy(world->A);
    world->A = NULL;
  }
  return error;
}

/* ---- Impulses ---- */

/* Splits the rows x of a contact into its impulse along n, t and o. */
static void impulse_of(const perp_contact_layout *layout, int width, const double *x,
                       double impulse[3])
{
  impulse[0] = x[0];
  impulse[1] = impulse[2] = 0;
  if (layout->form != PERP_CONTACT_POLYHEDRAL) {
    for (int k = 1; k < width && k < 3; k++)
      impulse[k] = x[k];
    return;
  }
  for (int k = 0; k < layout->directions; k++) {
    double c, s;
    perp_scene_turn(k, layout->directions, &c, &s);
    impulse[1] += c * x[1 + k];
    impulse[2] += s * x[1 + k];
  }
}

/* impulse += J^T x over rows that share their columns, if there are any. */
static void add_impulse(const perp_contact_rows *r, int first, int count, const double *x,
                        double *impulse)
{
  const int64_t begin = r->start[first], entries = r->start[first + 1] - begin;
  double sum[12] = {0};
  for (int i = first; i < first + count; i++)
    for (int64_t e = r->start[i]; x[i] != 0 && e < r->start[i + 1]; e++)
      sum[e - r->start[i]] += r->value[e] * x[i];
  for (int k = 0; k < entries; k++)
    impulse[r->column[begin + k]] += sum[k];
}

/* v <- v + M^-1 J^T x, body by body; returns false when out of memory. */
static bool push(perp_world *world, const step *s)
{
  const perp_contact_rows *r = &s->rows;
  const int freedom = r->freedom;
  double *impulse =
      perp_arena_alloc_zero(&world->frame, (size_t)(freedom * r->bodies), sizeof *impulse);
  if (!impulse)
    return false;
  for (int k = 0; k < world->contacts; k++)
    add_impulse(r, k * r->width, r->width, world->x, impulse);
  for (int i = world->contacts * r->width; i < r->n; i++)
    add_impulse(r, i, 1, world->x, impulse);
  for (int k = 0; k < world->bodies; k++) {
    const int64_t number = s->number[k];
    if (number < 0)
      continue;
    perp_rigid_body *b = &world->body[k];
    const double *p = impulse + freedom * number, *Minv = r->Minv + freedom * freedom * number;
    for (int i = 0; i < (world->planar ? 2 : 3); i++)
      b->v[i] += b->mass_inverse * p[i];
    if (world->planar)
      b->spin[2] += Minv[8] * p[2];
    for (int i = 0; i < 3 && !world->planar; i++)
      b->spin[i] += perp_v3_dot(Minv + 6 * (3 + i) + 3, p + 3);
  }
  return true;
}

/* Updates the velocities, the load on each body, and the points and impulses of the view. */
static perp_error apply_impulses(perp_world *world, const step *s, perp_message *why)
{
  const size_t D = world->planar ? 2 : 3;
  const int width = s->rows.width;
  memset(world->load, 0, (size_t)world->bodies * sizeof *world->load);
  memset(world->state, 0, (size_t)world->bodies * sizeof *world->state);
  if (!push(world, s))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  world->arrow = perp_arena_alloc(&world->frame, 2 * D * (size_t)world->contacts, sizeof(double));
  if (!world->arrow)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  double *arrow = world->arrow;
  for (int k = 0; k < world->contacts; k++, arrow += 2 * D) {
    const perp_scene_contact *c = &world->contact[k];
    const double *x = world->x + k * width;
    double p[3], t[3] = {-c->normal[1], c->normal[0], 0}, o[3] = {0, 0, 0};
    if (!world->planar)
      perp_v3_frame(c->normal, t, o);
    impulse_of(&s->rows.layout, width, x, p);
    const double size = perp_v3_norm(p);
    world->load[c->a] += size;
    world->load[c->b] += size;
    world->state[c->a] += x[0] > 0;
    world->state[c->b] += x[0] > 0;
    for (size_t d = 0; d < D; d++) {
      arrow[d] = c->at[d];
      arrow[D + d] = p[0] * c->normal[d] + p[1] * t[d] + p[2] * o[d];
    }
  }
  for (int k = 0; k < s->joints; k++)
    for (int side = 0; side < 2 && s->joint[k].first; side++)
      world->load[s->joint[k].body[side]] += perp_v3_norm(world->x + world->contacts * width + k);
  return PERP_OK;
}

/* ---- Restitution and energy ---- */

/* Stores six numbers per body. */
static void save_velocities(const perp_world *world, double *v)
{
  for (int k = 0; k < world->bodies; k++, v += 6) {
    memcpy(v, world->body[k].v, 3 * sizeof *v);
    memcpy(v + 3, world->body[k].spin, 3 * sizeof *v);
  }
}

/* Sets the velocities of the bodies to (1 - share) u + share v. */
static void set_velocities(perp_world *world, const double *u, const double *v, double share)
{
  for (int k = 0; k < world->bodies; k++, u += 6, v += 6)
    for (int j = 0; j < 3; j++) {
      world->body[k].v[j] = (1 - share) * u[j] + share * v[j];
      world->body[k].spin[j] = (1 - share) * u[3 + j] + share * v[3 + j];
    }
}

/* Returns the energy that the step adds (world.h): (v + v') / 2 times the impulses. v' is the
 * current velocity of the bodies, `free` the velocity after gravity without impulses, v the
 * velocity before gravity. *exchanged measures the energy that passes between the bodies. */
static double energy_added(const perp_world *world, const double *free, double *exchanged)
{
  double added = 0;
  *exchanged = 0;
  for (int k = 0; k < world->bodies; k++, free += 6) {
    const perp_rigid_body *b = &world->body[k];
    double R[9], change[3], sum[3], w[3], I_w[3];
    if (b->mass_inverse == 0)
      continue;
    perp_v3_add(b->v, -1, free, change);
    perp_v3_add(b->v, 1, free, sum);
    perp_v3_add(sum, -world->par.h * world->par.gravity, world->down, sum);
    added += 0.5 * b->mass * perp_v3_dot(sum, change);
    *exchanged += 0.5 * b->mass * perp_v3_dot(change, change);
    perp_q_matrix(b->turn, R);
    perp_v3_add(b->spin, -1, free + 3, change);
    perp_m3_apply_t(R, change, w);
    perp_m3_apply(b->inertia, w, I_w);
    *exchanged += 0.5 * perp_v3_dot(w, I_w);
    perp_v3_add(b->spin, 1, free + 3, sum);
    perp_m3_apply_t(R, sum, w);
    added += 0.5 * perp_v3_dot(w, I_w);
  }
  return added;
}

/* Applies the impulses with as much restitution as the energy allows. If full restitution would add
 * energy, solves the step without restitution too, and takes (1 - s) u + s v of the velocities u
 * without and v with it: the energy is convex in s, so that at most its linear interpolation is
 * added. */
static perp_error bounce(perp_world *world, step *s, const perp_problem *p, perp_stepper *stepper,
                         perp_message *why)
{
  const size_t n = (size_t)world->bodies;
  double *v = perp_arena_alloc(&world->frame, 18 * n, sizeof *v);
  if (!v)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  double *free = v, *with = v + 6 * n, *without = v + 12 * n, exchanged, unused;
  save_velocities(world, free);
  perp_error error = apply_impulses(world, s, why);
  const double full = error ? 0 : energy_added(world, free, &exchanged);
  if (error || full <= 1e-8 * exchanged)
    return error;
  save_velocities(world, with);
  set_velocities(world, free, free, 0);
  for (int k = 0; k < world->contacts; k++)
    s->b[k * s->rows.width] = s->calm[k];
  error = perp_stepper_solve(stepper, p, is_assembled(world) ? NULL : s->v, world->x, why);
  if (error || (error = apply_impulses(world, s, why)))
    return error;
  save_velocities(world, without);
  const double least = energy_added(world, free, &unused), room = perp_max(0, least);
  set_velocities(world, without, with, full <= room ? 1 : (room - least) / (full - least));
  return PERP_OK;
}

/* Returns the slip of contact k in a solved step: y along the tangents, and in the polyhedral form
 * x of row s, which is the largest -(J v)_k there. */
static double slip_after(const step *s, const perp_problem *p, int k, const double *x,
                         const double *y)
{
  const int first = k * s->rows.width;
  if (s->rows.layout.form == PERP_CONTACT_POLYHEDRAL)
    return x[first + s->rows.width - 1];
  double slip = 0;
  for (int d = 1; d < s->rows.width && d < 3; d++)
    slip = perp_max(slip, fabs(y[first + d] + p->b[first + d]));
  return slip;
}

/* Solves the step. If contacts at rest slide, they get mu, and it is solved again. */
static perp_error solve_friction(perp_world *world, step *s, perp_problem *p, perp_stepper *stepper,
                                 perp_message *why)
{
  const double *v = is_assembled(world) ? NULL : s->v;
  perp_error error = perp_stepper_solve(stepper, p, v, world->x, why);
  double *y = NULL, *scratch = NULL;
  if (s->rests && !PERP_TAKE(&world->frame, PERP_ARRAY(y, p->K.n),
                             PERP_ARRAY(scratch, perp_operator_scratch(p->A))))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  for (bool broke = s->rests; broke && !error;) {
    broke = false;
    error = perp_operator_apply(p->A, world->x, y, scratch, why);
    for (int k = 0; k < world->contacts && !error; k++) {
      if (!s->rests[k] ||
          !(world->x[k * s->rows.width] > 0 && slip_after(s, p, k, world->x, y) > rest_slip(world)))
        continue;
      perp_contact_rows_friction(&s->rows, k, world->par.mu);
      s->rests[k] = false;
      broke = true;
    }
    if (broke && !error && s->rows.layout.form == PERP_CONTACT_POLYHEDRAL) {
      stepper->problem = (perp_problem){0}; /* it refers to the operator that this replaces */
      stepper->x = NULL;
      error = make_operator(world, s, true, why); /* mu is a value of C there */
      p->A = world->A;
    }
    if (broke && !error)
      error = perp_stepper_solve(stepper, p, v, world->x, why);
  }
  return error;
}

perp_error perp_world_solve(perp_world *world, int joints, const perp_joint_row *joint,
                            perp_stepper *stepper, perp_message *why)
{
  const perp_contact_layout layout = layout_of(world);
  world->arrow = NULL;
  step s = {.joints = joints, .joint = joint};
  bool same;
  const bool carried = carry(world, perp_contact_width(&layout), joints, stepper->warm, &same);
  if (carried && world->contacts + joints == 0)
    return PERP_OK;
  if (!carried || !fill(world, &layout, &s))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  perp_error error = make_operator(world, &s, same, why);
  if (error)
    return error;
  perp_problem problem = {.A = world->A, .b = s.b, .K = perp_contact_rows_set(&s.rows)};
  error = solve_friction(world, &s, &problem, stepper, why);
  if (!error)
    error =
        s.bounces > 0 ? bounce(world, &s, &problem, stepper, why) : apply_impulses(world, &s, why);
  return error;
}
