/* Bodies in space and their contacts against mechanics. */
#include "world3.h"

/* ---- Masses ---- */

static bool inside(const perp_part3 *p, const double at[3])
{
  if (p->kind == PERP_SHAPE_BOX)
    return fabs(at[0]) < p->size[0] && fabs(at[1]) < p->size[1] && fabs(at[2]) < p->size[2];
  const double l = p->kind == PERP_SHAPE_CAPSULE ? p->size[1] : 0;
  const double z = at[2] - fmax(-l, fmin(l, at[2]));
  return at[0] * at[0] + at[1] * at[1] + z * z < p->size[0] * p->size[0];
}

/* Mass and inertia by counting points of a fine grid. */
static void masses_are_those_of_the_shapes(void)
{
  static const perp_part3 parts[] = {
      {PERP_SHAPE_SPHERE, {0.7}, {0}, {1}, .density = 3},
      {PERP_SHAPE_BOX, {0.3, 0.5, 0.8}, {0}, {1}, .density = 2},
      {PERP_SHAPE_CAPSULE, {0.4, 0.5}, {0}, {1}, .density = 5},
  };
  for (int k = 0; k < 3; k++) {
    perp_world *world = new_world(&plain);
    CHECK(perp_world3_body(world, (double[]){1, 2, 3}, NULL, 1, &parts[k]) == 0);
    enum { N = 100 };
    double mass = 0, xx = 0, zz = 0;
    const double cell = 2.0 / N;
    for (int i = 0; i < N * N * N; i++) {
      const double at[3] = {-1 + (i % N + 0.5) * cell, -1 + (i / N % N + 0.5) * cell,
                            -1 + (i / N / N + 0.5) * cell};
      if (!inside(&parts[k], at))
        continue;
      const double m = parts[k].density * cell * cell * cell;
      mass += m;
      xx += m * (at[1] * at[1] + at[2] * at[2]);
      zz += m * (at[0] * at[0] + at[1] * at[1]);
    }
    const perp_rigid_body *b = &world->body[0];
    CHECK_CLOSE(b->mass, mass, 0.005 * mass);
    CHECK_CLOSE(b->inertia[0], xx, 0.01 * xx);
    CHECK_CLOSE(b->inertia[8], zz, 0.01 * zz);
    CHECK_CLOSE(b->inertia[0] * b->inertia_inverse[0], 1, 1e-12);
    perp_world_destroy(world);
  }
}

/* A box of eight boxes equals that box, wherever the frame of its parts is. */
static void parts_add_up(void)
{
  perp_world *world = new_world(&plain);
  perp_part3 part[8];
  for (int k = 0; k < 8; k++)
    part[k] = (perp_part3){
        .kind = PERP_SHAPE_BOX,
        .size = {0.1, 0.2, 0.3},
        .at = {5 + (k & 1 ? 0.1 : -0.1), 6 + (k & 2 ? 0.2 : -0.2), 7 + (k & 4 ? 0.3 : -0.3)},
        .turn = {1, 0, 0, 0},
        .density = 3};
  double turn[4];
  perp_q_about((double[]){0.6, 0, 0.8}, 0.7, turn);
  CHECK(perp_world3_body(world, (double[]){0, 0, 0}, turn, 8, part) == 0);
  CHECK(perp_world3_box(world, (double[]){0, 0, 0}, turn, (double[]){0.2, 0.4, 0.6}, 3) == 1);
  const perp_rigid_body *a = &world->body[0], *b = &world->body[1];
  CHECK_CLOSE(a->mass, b->mass, 1e-12);
  for (int k = 0; k < 9; k++)
    CHECK_CLOSE(a->inertia[k], b->inertia[k], 1e-10);
  double moved[3];
  perp_q_rotate(turn, (double[]){5, 6, 7}, moved);
  for (int k = 0; k < 3; k++)
    CHECK_CLOSE(a->at[k], moved[k], 1e-12);
  perp_world_destroy(world);
}

/* ---- Free flight ---- */

/* Euler's equations of a free body by the classical Runge-Kutta method, in the body's frame. */
static void turn_rate(const double I[3], const double w[3], double rate[3])
{
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    rate[k] = (I[i] - I[j]) * w[i] * w[j] / I[k];
  }
}

static void free_flight_is_exact(void)
{
  double late[2];
  for (int fine = 0; fine < 2; fine++) {
    perp_world_parameters par = plain;
    par.h = fine ? 0.0005 : 0.001;
    const int steps = fine ? 2000 : 1000;
    perp_world *world = new_world(&par);
    /* thrown, and rotating about its middle axis, which is unstable */
    CHECK(perp_world3_box(world, (double[]){0, 0, 100}, NULL, (double[]){0.1, 0.3, 0.6}, 100) == 0);
    perp_rigid_body *b = &world->body[0];
    memcpy(b->v, (double[]){1, 2, 3}, sizeof b->v);
    memcpy(b->spin, (double[]){0.1, 6, 0.1}, sizeof b->spin);
    const double I[3] = {b->inertia[0], b->inertia[4], b->inertia[8]};
    double w[3] = {0.1, 6, 0.1};
    const double energy = 0.5 * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2]);
    perp_step last;
    run_world(world, "pgs", steps, &last, NULL, NULL);
    const double t = steps * par.h, dt = 1e-4;
    CHECK_CLOSE(b->at[0], t, 1e-10);
    CHECK_CLOSE(b->at[1], 2 * t, 1e-10);
    /* the sum of h (3 - g h k), k = 1 .. steps */
    CHECK_CLOSE(b->at[2], 100 + 3 * t - 9.81 * par.h * par.h * steps * (steps + 1) / 2, 1e-9);
    for (int s = 0; s < (int)lrint(t / dt); s++) {
      double k1[3], k2[3], k3[3], k4[3], at[3];
      turn_rate(I, w, k1);
      perp_v3_add(w, dt / 2, k1, at);
      turn_rate(I, at, k2);
      perp_v3_add(w, dt / 2, k2, at);
      turn_rate(I, at, k3);
      perp_v3_add(w, dt, k3, at);
      turn_rate(I, at, k4);
      for (int k = 0; k < 3; k++)
        w[k] += dt / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    }
    double back[4], seen[3], off[3];
    perp_q_conjugate(b->turn, back);
    perp_q_rotate(back, b->spin, seen);
    perp_v3_add(seen, -1, w, off);
    late[fine] = perp_v3_norm(off);
    const double turning = last.kinetic - 0.5 * b->mass * perp_v3_dot(b->v, b->v);
    CHECK(turning <= energy * (1 + 1e-12));
    CHECK(turning >= 0.98 * energy);
    perp_world_destroy(world);
  }
  /* first order: half the step, half the error */
  CHECK_SAY(late[0] < 0.2 && late[1] < 0.6 * late[0], "%g, %g", late[0], late[1]);
}

/* Momenta of all bodies about the origin. */
static void momenta(const perp_world *world, double linear[3], double angular[3])
{
  for (int k = 0; k < 3; k++)
    linear[k] = angular[k] = 0;
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    double back[4], w[3], Iw[3], L[3], arm[3];
    perp_q_conjugate(b->turn, back);
    perp_q_rotate(back, b->spin, w);
    perp_m3_apply(b->inertia, w, Iw);
    perp_q_rotate(b->turn, Iw, L);
    perp_v3_cross(b->at, b->v, arm);
    perp_v3_add(linear, b->mass, b->v, linear);
    perp_v3_add(angular, b->mass, arm, angular);
    perp_v3_add(angular, 1, L, angular);
  }
}

/* Cubes and spheres, whose inertia is the same about all axes, collide without gravity: no external
 * forces. */
static void impacts_keep_momenta(void)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    perp_random random = perp_random_from(seed);
    perp_world_parameters par = plain;
    par.gravity = 0;
    par.friction = seed % 2 ? PERP_FRICTION_FINDEX : PERP_FRICTION_CONE;
    perp_world *world = new_world(&par);
    for (int k = 0; k < 8; k++) {
      const double at[3] = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5};
      const int body = k % 2 ? perp_world3_sphere(world, at, 0.3, 50 * (k + 1))
                             : perp_world3_box(world, at, NULL, (double[]){0.25, 0.25, 0.25}, 100);
      CHECK(body == k);
      for (int j = 0; j < 3; j++) {
        world->body[k].v[j] = -2 * at[j] + perp_random_between(&random, -0.5, 0.5);
        world->body[k].spin[j] = perp_random_between(&random, -1, 1);
      }
    }
    double linear[2][3], angular[2][3];
    perp_step last;
    momenta(world, linear[0], angular[0]);
    run_world_to(1e-5, world, "bgs", 60, &last, NULL, NULL); /* momenta are kept by any x */
    momenta(world, linear[1], angular[1]);
    for (int k = 0; k < 3; k++) {
      CHECK_CLOSE(linear[1][k], linear[0][k], 1e-9);
      /* impulses act at a point between two surfaces that may not touch yet, which creates no
       * torque; positions are moved after velocities, which also preserves the sum */
      CHECK_CLOSE(angular[1][k], angular[0][k], 1e-8);
    }
    perp_world_destroy(world);
  }
}

/* ---- Contact ---- */

/* The slip makes the polyhedral form unsymmetric, which sweeps refuse. */
static const char *method_for(int friction)
{
  return friction == PERP_FRICTION_POLYHEDRAL ? "lemke" : "bgs";
}

/* A box pushed along the floor stops after v^2 / (2 mu g): along a row of friction in all forms, along
 * any direction in the cone. */
static void a_box_slides_as_far_as_coulomb_says(void)
{
  static const struct {
    int friction;
    double direction;
  } cases[] = {{PERP_FRICTION_FINDEX, 0},
               {PERP_FRICTION_CONE, 0},
               {PERP_FRICTION_CONE, 0.7},
               {PERP_FRICTION_CONE, 2.1},
               {PERP_FRICTION_POLYHEDRAL, 1.5707963267948966}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_world_parameters par = plain;
    par.friction = cases[k].friction;
    par.h = 0.001;
    perp_world *world = new_world(&par);
    add_floor(world);
    perp_world3_box(world, (double[]){0, 0, 0.05}, NULL, (double[]){0.2, 0.2, 0.05}, 100);
    perp_rigid_body *b = &world->body[1];
    const double c = cos(cases[k].direction), s = sin(cases[k].direction);
    memcpy(b->v, (double[]){2 * c, 2 * s, 0}, sizeof b->v);
    perp_step last;
    run_world(world, method_for(par.friction), 600, &last, NULL, NULL);
    const double far = 4 / (2 * 0.5 * 9.81);
    CHECK_CLOSE(b->at[0], far * c, 0.005);
    CHECK_CLOSE(b->at[1], far * s, 0.005);
    CHECK_CLOSE(b->at[2], 0.05, 1e-6);
    CHECK_CLOSE(fabs(b->turn[0]), 1, 1e-6);
    CHECK(last.kinetic < 1e-9);
    perp_world_destroy(world);
  }
}

/* Of the available directions friction takes the one most opposed to the motion: a box that slides
 * in any direction is slowed by mu g h, within half the angle between directions. */
static void polyhedral_friction_opposes_motion(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 200; k++) {
    perp_world_parameters par = plain;
    par.friction = PERP_FRICTION_POLYHEDRAL;
    par.directions = 3 + k % 8;
    par.mu = perp_random_between(&random, 0.05, 0.8);
    perp_world *world = new_world(&par);
    add_floor(world);
    perp_world3_box(world, (double[]){0, 0, 0.05}, NULL, (double[]){0.3, 0.3, 0.05}, 100);
    perp_rigid_body *b = &world->body[1];
    const double angle = perp_random_between(&random, 0, 6.283185307179586);
    const double v[3] = {3 * cos(angle), 3 * sin(angle), 0};
    memcpy(b->v, v, sizeof v);
    perp_step last;
    run_world(world, "lemke", 1, &last, NULL, NULL);
    double change[3];
    perp_v3_add(b->v, -1, v, change);
    const double size = perp_v3_norm(change), least = cos(3.141592653589793 / par.directions);
    const double most = par.mu * 9.81 * par.h; /* less where it stands between two directions */
    CHECK_SAY(size <= most + 1e-6 && size >= least * most - 1e-6, "%g of %g", size, most);
    CHECK_SAY(-perp_v3_dot(change, v) >= (least - 1e-6) * 3 * size, "%d directions: %g below %g",
              par.directions, -perp_v3_dot(change, v) / (3 * size), least);
    perp_world_destroy(world);
  }
}

/* A sphere that slides without rotating finally rolls, with 5/7 of its velocity. */
static void a_sphere_comes_to_roll(void)
{
  perp_world_parameters par = plain;
  par.h = 0.001;
  perp_world *world = new_world(&par);
  add_floor(world);
  perp_world3_sphere(world, (double[]){0, 0, 0.2}, 0.2, 100);
  world->body[1].v[0] = 3;
  perp_step last;
  run_world(world, "bgs", 1000, &last, NULL, NULL);
  CHECK_CLOSE(world->body[1].v[0], 3 * 5 / 7.0, 1e-3);
  CHECK_CLOSE(world->body[1].spin[1], 3 * 5 / 7.0 / 0.2, 1e-2);
  perp_world_destroy(world);
}

/* On a slope of 0.4 a box stays if mu > tan 0.4, else it slides with g (sin - mu cos). */
static void a_slope_holds_below_the_angle_of_friction(void)
{
  static const int forms[] = {PERP_FRICTION_FINDEX, PERP_FRICTION_CONE, PERP_FRICTION_POLYHEDRAL};
  for (int k = 0; k < 12; k++) {
    perp_world_parameters par = plain;
    const double slope = 0.4, mu = 0.15 + 0.15 * (k / 3);
    par.mu = mu;
    par.h = 0.002;
    par.friction = forms[k % 3];
    perp_world *world = new_world(&par);
    double turn[4], up[3];
    perp_q_about((double[]){0, 1, 0}, slope, turn); /* x points down the slope */
    perp_q_rotate(turn, (double[]){0, 0, 0.5 + 0.1}, up);
    perp_world3_box(world, (double[]){0, 0, 0}, turn, (double[]){50, 50, 0.5}, 0);
    perp_world3_box(world, up, turn, (double[]){0.2, 0.2, 0.1}, 100);
    perp_step last;
    run_world(world, method_for(par.friction), 500, &last, NULL, NULL);
    double moved[3];
    perp_v3_add(world->body[1].at, -1, up, moved);
    const double a = fmax(0, 9.81 * (sin(slope) - mu * cos(slope)));
    CHECK_CLOSE(perp_v3_norm(moved), 0.5 * a * 1 * 1, 0.003 * a + 1e-4);
    CHECK(moved[2] <= 1e-6);
    perp_world_destroy(world);
  }
}

/* The distance from a point to a box around the origin along the axes. */
static double to_box(const double at[3], const double half[3])
{
  double out[3];
  for (int k = 0; k < 3; k++)
    out[k] = fmax(0, fabs(at[k]) - half[k]);
  return perp_v3_norm(out);
}

/* A moving box and a capsule or sphere in random poses: the smallest gap is the distance, by points
 * along the axis of the capsule. */
static void gaps_to_a_box_are_distances(void)
{
  int met = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    perp_random random = perp_random_from(seed);
    perp_world *world = new_world(&plain);
    const double half[3] = {perp_random_between(&random, 0.05, 0.3),
                            perp_random_between(&random, 0.05, 0.3),
                            perp_random_between(&random, 0.05, 0.3)};
    const double radius = perp_random_between(&random, 0.03, 0.1);
    const double length = seed % 3 ? perp_random_between(&random, 0.01, 0.3) : 0;
    double axis[3], at[3], turn[4], along[3];
    for (int k = 0; k < 3; k++) {
      axis[k] = perp_random_between(&random, -1, 1);
      at[k] = perp_random_between(&random, -0.5, 0.5);
    }
    perp_v3_scale(1 / perp_v3_norm(axis), axis);
    perp_q_about(axis, perp_random_between(&random, 0, 3), turn);
    perp_q_rotate(turn, (double[]){0, 0, 1}, along);
    if (seed % 2) /* either may come first */
      perp_world3_box(world, (double[]){0, 0, 0}, NULL, half, 100);
    if (seed % 3)
      perp_world3_capsule(world, at, turn, radius, length, 100);
    else
      perp_world3_sphere(world, at, radius, 100);
    if (seed % 2 == 0)
      perp_world3_box(world, (double[]){0, 0, 0}, NULL, half, 100);
    for (int b = 0; b < 2; b++)
      for (int k = 0; k < 3; k++)
        world->body[b].v[k] = perp_random_between(&random, -8, 8);
    double distance = INFINITY, least = INFINITY;
    for (int i = -2000; i <= 2000; i++) {
      double point[3];
      perp_v3_add(at, length * i / 2000, along, point);
      distance = fmin(distance, to_box(point, half));
    }
    void *state = NULL;
    perp_message why = {{0}};
    CHECK(perp_world_finish(world, &state, &why) == PERP_OK);
    CHECK(perp_world3_collide(world, &why) == PERP_OK);
    for (int k = 0; k < world->contacts; k++)
      least = fmin(least, world->contact[k].gap);
    if (distance > 0 && world->contacts > 0) {
      CHECK_SAY(fabs(least - (distance - radius)) < 1e-3, "seed %d: %g, but %g", (int)seed, least,
                distance - radius);
      met++;
    }
    CHECK_SAY(world->contacts > 0 || distance > radius, "seed %d: not seen", (int)seed);
    perp_world_destroy(world);
  }
  CHECK_SAY(met > 100, "%d met", met);
}

static void deepest(const perp_world *world, const perp_step *step, void *context)
{
  (void)world;
  double *most = context;
  *most = fmax(*most, step->penetration);
}

/* A rod that lands on one end and swings down: its other end does not penetrate, and it rests on
 * both. */
static void a_rod_lies_on_both_ends(void)
{
  perp_world *world = new_world(&plain);
  add_floor(world);
  double turn[4], most = 0;
  perp_q_about((double[]){0, 1, 0}, 1, turn);
  perp_world3_capsule(world, (double[]){0, 0, 0.5}, turn, 0.05, 0.3, 100);
  world->body[1].spin[1] = 10;
  perp_step last;
  run_world_to(1e-6, world, "auto", 600, &last, deepest, &most);
  CHECK_SAY(most < 5e-3, "%g", most);
  CHECK_EQUAL_INT(last.contacts, 2);
  CHECK_CLOSE(world->body[1].at[2], 0.05, 1e-3);
  perp_world_destroy(world);
}

static void highest(const perp_world *world, const perp_step *step, void *context)
{
  (void)step;
  double *most = context; /* since it first went up */
  if (world->body[1].v[2] > 0)
    most[1] = 1;
  if (most[1] > 0)
    most[0] = fmax(most[0], world->body[1].at[2]);
}

static void a_sphere_bounces_as_high_as_restitution_says(void)
{
  perp_world_parameters par = plain;
  par.restitution = 0.6;
  par.h = 0.0005;
  perp_world *world = new_world(&par);
  add_floor(world);
  perp_world3_sphere(world, (double[]){0, 0, 1.1}, 0.1, 100);
  perp_step last;
  double most[2] = {0, 0};
  run_world(world, "bgs", 1600, &last, highest, most);
  CHECK_CLOSE(most[0], 0.1 + 0.36, 0.005);
  perp_world_destroy(world);
}

/* Two spheres on one floor, each with its own e, and a third with that of its pair with the floor: they come
 * back e^2 as high. The floor's is 0. */
static void each_body_has_its_restitution(void)
{
  enum { SPHERES = 3 };
  perp_world_parameters par = plain;
  par.h = 0.0005;
  perp_world *world = new_world(&par);
  add_floor(world);
  double e[SPHERES] = {0.8, 0.4, 0.6}, most[SPHERES] = {0}, low[SPHERES] = {2, 2, 2};
  perp_action action = perp_action_default(PERP_ACT_RESTITUTION);
  perp_message why = {""};
  void *state;
  for (int k = 0; k < SPHERES; k++)
    perp_world3_sphere(world, (double[]){k, 0, 1.1}, 0.1, 100);
  CHECK(perp_world_finish(world, &state, &why) == PERP_OK);
  for (int k = 0; k < SPHERES; k++) {
    action.shape = 1 + k;
    action.value = k == 2 ? 0.9 : e[k];
    CHECK_SAY(perp_world_act(world, &action, &why) == PERP_OK, "%s", why.text);
  }
  action.name = "pair";
  for (int k = 0; k < 2; k++) { /* with the floor, shape 0; the second call replaces the first */
    action.value = k ? e[2] : 1;
    CHECK_SAY(perp_world_act(world, &action, &why) == PERP_OK, "%s", why.text);
  }
  action.other = action.shape;
  CHECK(perp_world_act(world, &action, &why) == PERP_ERROR_ARGUMENT);
  action.name = NULL;
  action.value = 1.5;
  CHECK(perp_world_act(world, &action, &why) == PERP_ERROR_ARGUMENT);
  action.shape = 1 + SPHERES;
  action.value = 1;
  CHECK(perp_world_act(world, &action, &why) == PERP_ERROR_ARGUMENT);
  perp_step last;
  for (int step = 0; step < 1600; step += 8) {
    run_world(world, "bgs", 8, &last, NULL, NULL);
    for (int k = 0; k < SPHERES; k++) {
      const double z = world->body[1 + k].at[2];
      low[k] = fmin(low[k], z);
      most[k] = low[k] < 0.15 ? fmax(most[k], z) : 0;
    }
  }
  for (int k = 0; k < SPHERES; k++)
    CHECK_CLOSE(most[k], 0.1 + e[k] * e[k], 0.005);
  perp_world_destroy(world);
}

static void does_not_come_back(const perp_world *world, const perp_step *step, void *context)
{
  (void)world;
  double *energy = context; /* first, least, last */
  energy[2] = step->kinetic + step->potential;
  if (step->index == 1)
    energy[0] = energy[1] = energy[2];
  CHECK_SAY(energy[2] <= energy[1] + 1e-4 * energy[0], "step %d: %.9g after %.9g", (int)step->index,
            energy[2], energy[1]);
  energy[1] = fmin(energy[1], energy[2]);
}

/* A thousand bounces of an elastic sphere keep its energy to 1e-9, with cones and with discs; one at
 * rest stays at rest. */
static void a_thousand_bounces_keep_the_energy(void)
{
  for (int k = 0; k < 2; k++) {
    perp_world_parameters par = plain;
    par.restitution = 1;
    par.h = 0.01;
    par.friction = k ? PERP_FRICTION_WIDE_DISCS : PERP_FRICTION_CONE;
    par.roll = par.torsion = 0.01;
    for (int rest = 0; rest < 2; rest++) {
      perp_world *world = new_world(&par);
      add_floor(world);
      perp_world3_sphere(world, (double[]){0, 0, rest ? 0.1 : 0.3}, 0.1, 100);
      perp_step last;
      double energy[3] = {0};
      /* from 0.2 m it bounces every 0.4 s */
      run_world_to(1e-14, world, "bgs", rest ? 1000 : 40500, &last, does_not_come_back, energy);
      CHECK_CLOSE(energy[2], energy[0], 1e-9 * fabs(energy[0]));
      CHECK_SAY(!rest || last.kinetic < 1e-20, "%g", last.kinetic);
      perp_world_destroy(world);
    }
  }
}

/* Spheres, boxes and capsules in a tray, with restitution: they never gain energy, whatever they
 * hit at the same time, and a single sphere with restitution 1 loses none. */
static void bounces_make_no_energy(void)
{
  static const double shares[] = {0.5, 0.9, 1};
  for (int k = 0; k < 9; k++) {
    perp_world_parameters par = plain;
    par.restitution = shares[k % 3];
    par.friction = k % 2 ? PERP_FRICTION_CONE : PERP_FRICTION_FINDEX;
    perp_world *world = new_world(&par);
    add_floor(world);
    perp_random random = perp_random_from((uint64_t)k + 1);
    const int bodies = k < 3 ? 1 : 8;
    for (int b = 0; b < bodies; b++) {
      const double at[3] = {0.24 * (b % 2), 0.24 * (b / 2 % 2), 0.5 + 0.3 * (b / 4)};
      double turn[4];
      perp_q_about((double[]){0.6, 0, 0.8}, perp_random_between(&random, 0, 3), turn);
      if (k < 6)
        perp_world3_sphere(world, at, 0.1, 100);
      else if (b % 2)
        perp_world3_box(world, at, turn, (double[]){0.05, 0.06, 0.07}, 100);
      else
        perp_world3_capsule(world, at, turn, 0.05, 0.05, 100);
      if (bodies > 1)
        world->body[b + 1].v[b % 2] = b < 4 ? 1 : -1;
    }
    perp_step last;
    double energy[3] = {0};
    run_world_to(1e-6, world, "auto", k < 3 ? 20000 : 500, &last, does_not_come_back, energy);
    if (bodies == 1 && par.restitution == 1)
      CHECK_CLOSE(energy[2], energy[0], 1e-5 * energy[0]);
    perp_world_destroy(world);
  }
}

/* Ten boxes stay for 10 s where they are. */
static void a_tower_of_ten_stands(void)
{
  perp_world *world = new_world(&plain);
  add_floor(world);
  for (int k = 0; k < 10; k++)
    perp_world3_box(world, (double[]){0, 0, 0.1 + 0.2 * k}, NULL, (double[]){0.1, 0.1, 0.1}, 100);
  perp_step last;
  run_world(world, "dantzig", 1000, &last, NULL, NULL);
  for (int k = 1; k <= 10; k++) {
    const double *at = world->body[k].at;
    CHECK_CLOSE(at[0], 0, 1e-6);
    CHECK_CLOSE(at[1], 0, 1e-6);
    CHECK_CLOSE(at[2], 0.1 + 0.2 * (k - 1), 1e-5);
  }
  /* the lowest carries all of them, and the ground also its own weight */
  CHECK_CLOSE(world->load[0], 10 * world->body[1].mass * 9.81 * plain.h, 1e-6);
  CHECK(last.kinetic < 1e-12);
  perp_world_destroy(world);
}

typedef struct account {
  double energy, deepest;
} account;

static void never_grows(const perp_world *world, const perp_step *step, void *context)
{
  (void)world;
  account *a = context;
  const double energy = step->kinetic + step->potential;
  CHECK_SAY(energy <= a->energy + 1e-6 * fabs(a->energy), "step %d: %.12g after %.12g",
            (int)step->index, energy, a->energy);
  a->energy = energy;
  a->deepest = fmax(a->deepest, step->penetration);
}

/* Spheres and capsules that fall into a heap: their contacts are known before they overlap. The
 * slight overlap of rotating bodies is tolerated here, since pushing them apart would do work. */
static void energy_never_grows(void)
{
  for (int friction = 0; friction < 4; friction++) {
    perp_random random = perp_random_from(7);
    perp_world_parameters par = plain;
    par.friction = friction;
    par.erp = 0;
    par.h = 0.002;
    perp_world *world = new_world(&par);
    add_floor(world);
    for (int k = 0; k < 18; k++) {
      const double at[3] = {0.25 * (k % 3) + 0.02 * perp_random_uniform(&random),
                            0.25 * (k / 3 % 3), 0.3 + 0.3 * (k / 9)};
      if (k % 2)
        perp_world3_sphere(world, at, 0.1, 100);
      else
        perp_world3_capsule(world, at, NULL, 0.08, 0.06, 200);
    }
    account a = {.energy = INFINITY};
    perp_step last;
    run_world(world, method_for(friction), 400, &last, never_grows, &a);
    CHECK_SAY(a.deepest < 0.01, "%g", a.deepest);
    perp_world_destroy(world);
  }
}

static const test_case tests[] = {
    TEST(masses_are_those_of_the_shapes),
    TEST(parts_add_up),
    TEST(free_flight_is_exact),
    TEST(impacts_keep_momenta),
    TEST(a_box_slides_as_far_as_coulomb_says),
    TEST(polyhedral_friction_opposes_motion),
    TEST(a_sphere_comes_to_roll),
    TEST(a_slope_holds_below_the_angle_of_friction),
    TEST(gaps_to_a_box_are_distances),
    TEST(a_rod_lies_on_both_ends),
    TEST(a_sphere_bounces_as_high_as_restitution_says),
    TEST(each_body_has_its_restitution),
    TEST(a_thousand_bounces_keep_the_energy),
    TEST(bounces_make_no_energy),
    TEST(a_tower_of_ten_stands),
    TEST(energy_never_grows),
};

TEST_MAIN(tests)
