/* User actions on a scene, against statics and counting: perp_simulation_act and _follow. */
#include "test.h"

#include <math.h>
#include <perp/lab.h>
#include <perp/perp.h>

static perp_simulation *new_scene(const char *scene)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  CHECK_SAY(perp_simulation_create(scene, "auto", NULL, &sim, &why) == PERP_OK, "%s", why.text);
  return sim;
}

static perp_step run(perp_simulation *sim, int steps)
{
  perp_step step = {0};
  perp_message why = {{0}};
  for (int k = 0; k < steps; k++)
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
  return step;
}

static perp_error act(perp_simulation *sim, const perp_action *action)
{
  perp_message why = {{0}};
  const perp_error error = perp_simulation_act(sim, action, &why);
  CHECK_SAY((error == PERP_OK) == (why.text[0] == 0), "error %d: '%s'", (int)error, why.text);
  return error;
}

static void set(perp_simulation *sim, const char *name, double value)
{
  perp_action action = perp_action_default(PERP_ACT_SET);
  action.name = name;
  action.value = value;
  CHECK_EQUAL_INT(act(sim, &action), PERP_OK);
}

static perp_view view_of(const perp_simulation *sim)
{
  perp_view view;
  perp_simulation_view(sim, &view);
  return view;
}

/* A spring of the frequency w that holds a weight yields by g / w^2 (rigid/world.c: w = 25/s). When
 * released, the body falls. */
static void what_is_held_hangs_on_a_spring(void)
{
  perp_simulation *sim = new_scene("tower:n=1");
  perp_action hold = perp_action_default(PERP_ACT_HOLD);
  const perp_view first = view_of(sim);
  hold.shape = 1; /* 0 is the ground */
  for (int d = 0; d < 2; d++)
    hold.at[d] = hold.to[d] = first.pose[3 + d];
  hold.to[1] += 1;
  CHECK_EQUAL_INT(act(sim, &hold), PERP_OK);
  perp_step step = run(sim, 300);
  CHECK_CLOSE(view_of(sim).pose[4], hold.to[1] - 9.81 / (25.0 * 25.0), 1e-9);
  CHECK_SAY(step.kinetic < 1e-9 && step.contacts == 0, "it swings or touches");
  const perp_action release = perp_action_default(PERP_ACT_RELEASE);
  const double high = view_of(sim).pose[4];
  CHECK_EQUAL_INT(act(sim, &release), PERP_OK);
  run(sim, 10); /* h = 0.01: h^2 g (1 + ... + 10) */
  CHECK_CLOSE(view_of(sim).pose[4], high - 9.81 * 1e-4 * 55, 1e-9);
  perp_simulation_destroy(sim);
}

/* Returns how far a box slides in 50 steps after a tilt; 1 is the tower's box. */
static double slide(const char *scene, double tilt, double mu, double mu_static)
{
  perp_simulation *sim = new_scene(scene);
  set(sim, "mu", mu);
  set(sim, "mu_static", mu_static);
  run(sim, 20);
  const double before = view_of(sim).pose[3];
  set(sim, "tilt", tilt);
  run(sim, 50);
  const double moved = view_of(sim).pose[3] - before;
  perp_simulation_destroy(sim);
  return moved;
}

/* A box slides if tan(tilt) is above mu, by t^2/2 g (sin - mu cos), h t/2 more for the velocity at
 * the end of each step. */
static void a_box_slides_beyond_the_angle_of_friction(void)
{
  const double mu = 0.4, steep = 0.6, time = 0.5;
  CHECK_SAY(fabs(slide("tower:n=1", atan(mu) - 0.02, mu, 0)) < 1e-6, "it slides too early");
  CHECK_SAY(slide("tower:n=1", -atan(mu) - 0.05, mu, 0) < -1e-3, "it does not slide");
  const double acceleration = 9.81 * (sin(steep) - mu * cos(steep));
  CHECK_CLOSE(slide("tower:n=1", steep, mu, 0), 0.5 * acceleration * time * (time + 0.01), 1e-6);
}

/* Up to mu_static it stays, and beyond it slides by mu, however friction is posed. */
static void a_box_at_rest_has_static_friction(void)
{
  static const char *const forms[] = {"polyhedral", "findex", "cone"};
  const double mu = 0.4, mu_static = 0.6, steep = 0.6, time = 0.5;
  const double acceleration = 9.81 * (sin(steep) - mu * cos(steep));
  for (int k = 0; k < 3; k++) {
    char scene[64];
    snprintf(scene, sizeof scene, "tower:n=1,friction=%s", forms[k]);
    CHECK_SAY(fabs(slide(scene, atan(mu_static) - 0.02, mu, mu_static)) < 1e-6,
              "%s: it slides too early", scene);
    CHECK_SAY(fabs(slide(scene, -atan(mu_static) + 0.02, mu, mu_static)) < 1e-6,
              "%s: it slides too early", scene);
    CHECK_CLOSE(slide(scene, steep, mu, mu_static), 0.5 * acceleration * time * (time + 0.01),
                1e-6);
  }
}

/* A disc that is added rests on the ground, which carries its weight: the impulses of a step are
 * m g h, and so says the list of contacts. */
static void bodies_come_and_go(void)
{
  perp_simulation *sim = new_scene("tower:n=2,ratio=1");
  run(sim, 30);
  perp_shape disc = perp_shape_default(PERP_SHAPE_DISC);
  disc.size[0] = 0.2;
  perp_action add = perp_action_default(PERP_ACT_ADD);
  add.body = &disc;
  add.value = 50;
  add.at[0] = 2;
  add.at[1] = 0.21;
  CHECK_EQUAL_INT(act(sim, &add), PERP_OK);
  CHECK_EQUAL_INT(view_of(sim).shapes, 4);
  run(sim, 100);
  perp_view view = view_of(sim);
  const double weight = 50 * 3.14159265358979 * 0.04 * 9.81 * 0.01;
  CHECK_CLOSE(view.load[3], weight, 1e-5 * weight);
  double sum = 0, boxes = 2 * 100 * 0.25 * 9.81 * 0.01; /* of contacts with the ground */
  for (int64_t k = 0; k < view.contacts; k++)
    sum += view.contact[4 * k + 1] < 0.05 ? view.contact[4 * k + 3] : 0;
  CHECK_CLOSE(sum, weight + boxes, 1e-5 * sum);
  perp_action out = perp_action_default(PERP_ACT_REMOVE);
  out.shape = 1; /* the lower box: the upper one falls down */
  CHECK_EQUAL_INT(act(sim, &out), PERP_OK);
  run(sim, 150);
  view = view_of(sim);
  CHECK_EQUAL_INT(view.shapes, 3);
  CHECK_CLOSE(view.pose[3 + 1], 0.25, 2e-3);
  CHECK_CLOSE(view.pose[6 + 1], 0.2, 2e-3);
  perp_simulation_destroy(sim);
}

static void add_disc(perp_simulation *sim, double x, double y)
{
  perp_shape disc = perp_shape_default(PERP_SHAPE_DISC);
  disc.size[0] = 0.1;
  perp_action add = perp_action_default(PERP_ACT_ADD);
  add.body = &disc;
  add.at[0] = x;
  add.at[1] = y;
  CHECK_EQUAL_INT(act(sim, &add), PERP_OK);
}

/* A disc falls on one at rest; e is 1 for this pair alone. The pair stays that of the same two discs when an earlier
 * one is removed, and in a simulation that follows; it ends when one of them is removed. */
static void a_pair_has_its_restitution(void)
{
  perp_simulation *sim = new_scene("ground:h=0.002"), *other = new_scene("ground:h=0.002");
  const int ground = view_of(sim).shapes;
  for (int k = 0; k < 3; k++)
    add_disc(sim, k - 2, 0.1);
  add_disc(sim, 0, 1.3);
  perp_action pair = perp_action_default(PERP_ACT_RESTITUTION),
              out = perp_action_default(PERP_ACT_REMOVE);
  pair.name = "pair";
  pair.shape = ground + 3;
  pair.other = ground + 2;
  CHECK_EQUAL_INT(act(sim, &pair), PERP_OK);
  pair.other = ground + 4;
  CHECK_EQUAL_INT(act(sim, &pair), PERP_ERROR_ARGUMENT);
  out.shape = ground;
  CHECK_EQUAL_INT(act(sim, &out), PERP_OK);
  for (int k = 0; k < 3; k++)
    add_disc(other, 5 + k, 5);
  perp_message why;
  CHECK(perp_simulation_follow(other, sim, &why) == PERP_OK);
  double top[2] = {0, 0};
  for (int k = 0; k < 400; k++) { /* 0.45 s down, and up again */
    run(sim, 1);
    run(other, 1);
    for (int s = 0; s < 2 && k > 300; s++)
      top[s] = fmax(top[s], view_of(s ? other : sim).pose[3 * (ground + 2) + 1]);
  }
  CHECK_CLOSE(top[0], 1.3, 0.1);
  CHECK_CLOSE(top[1], 1.3, 0.1);
  out.shape = ground + 1;
  CHECK_EQUAL_INT(act(sim, &out), PERP_OK);
  add_disc(sim, 0.5, 0.1); /* the number of the one that is gone is now that of the other */
  run(sim, 600);
  CHECK_CLOSE(view_of(sim).pose[3 * (ground + 1) + 1], 0.1, 2e-3);
  perp_simulation_destroy(sim);
  perp_simulation_destroy(other);
}

/* A world and its follower move alike to the last bit; so does a liquid. */
static void one_state_goes_on_alike(void)
{
  static const char *const scenes[] = {"discs:n=20", "drop:cells=16"};
  for (int s = 0; s < 2; s++) {
    perp_simulation *a = new_scene(scenes[s]), *b = new_scene(scenes[s]);
    perp_message why = {{0}};
    perp_simulation_set_warm(a, false);
    perp_simulation_set_warm(b, false);
    run(a, 25);
    CHECK_SAY(perp_simulation_follow(b, a, &why) == PERP_OK, "%s", why.text);
    run(a, 10);
    run(b, 10);
    const perp_view p = view_of(a), q = view_of(b);
    CHECK_EQUAL_INT(memcmp(p.pose, q.pose, (size_t)p.shapes * 3 * sizeof *p.pose), 0);
    CHECK_EQUAL_INT(p.particles, q.particles);
    if (p.particles)
      CHECK_EQUAL_INT(memcmp(p.particle, q.particle, (size_t)p.particles * 2 * sizeof(double)), 0);
    perp_simulation_destroy(a);
    perp_simulation_destroy(b);
  }
}

static int inside(const perp_view *view, double x, double y, double radius)
{
  int count = 0;
  for (int k = 0; k < view->particles; k++)
    count += hypot(view->particle[2 * k] - x, view->particle[2 * k + 1] - y) < radius;
  return count;
}

/* Four particles in a cell of the area dx^2; the volume is then constant; no liquid in walls. */
static void liquid_is_poured_and_walls_keep_it_out(void)
{
  perp_simulation *sim = new_scene("drop:cells=32");
  run(sim, 5);
  const int before = view_of(sim).particles;
  perp_action pour = perp_action_default(PERP_ACT_POUR);
  pour.radius = 0.1;
  pour.at[0] = 0.2;
  pour.at[1] = 0.8;
  CHECK_EQUAL_INT(act(sim, &pour), PERP_OK);
  const double expected = 4 * 3.14159265358979 * 0.01 * 32 * 32;
  CHECK_CLOSE(view_of(sim).particles - before, expected, 0.1 * expected);
  const int after = view_of(sim).particles;
  CHECK_EQUAL_INT(act(sim, &pour), PERP_OK); /* there is hardly any room left */
  CHECK_SAY(view_of(sim).particles - after < 0.3 * expected, "%d more", view_of(sim).particles);
  CHECK_CLOSE(run(sim, 5).volume, 1, 0.05);
  perp_action wall = perp_action_default(PERP_ACT_WALL);
  wall.radius = 0.1;
  wall.at[0] = 0.5;
  wall.at[1] = 0.1;
  CHECK_EQUAL_INT(act(sim, &wall), PERP_OK);
  const int total = view_of(sim).particles;
  CHECK_CLOSE(run(sim, 60).volume, 1, 0.1);
  perp_view view = view_of(sim);
  CHECK_EQUAL_INT(view.particles, total);
  CHECK_EQUAL_INT(inside(&view, 0.5, 0.1, 0.08), 0);
  wall.value = 0;
  CHECK_EQUAL_INT(act(sim, &wall), PERP_OK);
  run(sim, 120);
  view = view_of(sim);
  CHECK_SAY(inside(&view, 0.5, 0.1, 0.08) > 10, "the wall is still there");
  perp_simulation_destroy(sim);
}

/* An impulse at the centre of a disc of mass m changes its velocity by P / m, and one at its rim turns it. */
static void a_push_moves_and_turns(void)
{
  perp_simulation *sim = new_scene("ground:gravity=0");
  perp_action add = perp_action_default(PERP_ACT_ADD), push = perp_action_default(PERP_ACT_PUSH);
  perp_shape disc = perp_shape_default(PERP_SHAPE_DISC);
  const double radius = 0.5, density = 100, m = density * 3.14159265358979323846 * radius * radius;
  disc.size[0] = radius;
  add.body = &disc;
  add.value = density;
  add.at[1] = 2;
  CHECK_EQUAL_INT(act(sim, &add), PERP_OK);
  push.shape = 1;
  push.at[1] = 2 + radius; /* its highest point */
  push.to[0] = 3;
  CHECK_EQUAL_INT(act(sim, &push), PERP_OK);
  run(sim, 1);
  perp_view view;
  perp_simulation_view(sim, &view);
  CHECK_CLOSE(view.pose[3], 0.01 * 3 / m, 1e-12);
  CHECK_CLOSE(view.pose[4], 2, 1e-12);
  CHECK_CLOSE(view.pose[5], -0.01 * 3 * radius / (0.5 * m * radius * radius), 1e-12);
  perp_simulation_destroy(sim);
}

/* A box joined to a fixed post by a hinge keeps its distance from the hinge, and turns about its axis only. */
static void a_hinge_holds(void)
{
  perp_simulation *sim = new_scene("ground3d");
  perp_action add = perp_action_default(PERP_ACT_ADD), join = perp_action_default(PERP_ACT_JOIN);
  perp_shape box = perp_shape_default(PERP_SHAPE_BOX);
  box.size[0] = box.size[1] = 0.1;
  box.size[2] = 1;
  add.body = &box;
  add.at[2] = 1;
  add.value = 0; /* the post */
  CHECK_EQUAL_INT(act(sim, &add), PERP_OK);
  box.size[0] = 0.5;
  box.size[2] = 0.1;
  add.at[0] = 0.6;
  add.at[2] = 1.9;
  add.value = 100;
  CHECK_EQUAL_INT(act(sim, &add), PERP_OK);
  join.shape = 1;
  join.other = 2;
  join.name = "hinge";
  join.at[0] = 0.1;
  join.at[2] = 1.9;
  CHECK_EQUAL_INT(act(sim, &join), PERP_ERROR_ARGUMENT); /* no axis */
  join.to[1] = 2;
  CHECK_EQUAL_INT(act(sim, &join), PERP_OK);
  for (int k = 0; k < 50; k++) {
    run(sim, 1);
    perp_view view;
    perp_simulation_view(sim, &view);
    const double *p = view.pose + 14;
    CHECK_CLOSE(hypot(p[0] - 0.1, p[2] - 1.9), 0.5,
                5e-3); /* a step errs by (w h)^2 r / 2, w < 6, undone by erp = 0.2 */
    CHECK(fabs(p[1]) < 1e-9 && fabs(p[4]) < 1e-9 && fabs(p[6]) < 1e-9);
    CHECK(k < 49 || p[2] < 1.6); /* it has fallen */
  }
  join.other = 1;
  CHECK_EQUAL_INT(act(sim, &join), PERP_ERROR_ARGUMENT); /* the same body */
  join.other = 0;
  CHECK_EQUAL_INT(act(sim, &join), PERP_ERROR_ARGUMENT); /* neither moves */
  join.other = (int64_t)1 << 40;
  CHECK_EQUAL_INT(act(sim, &join), PERP_ERROR_ARGUMENT);
  perp_simulation_destroy(sim);
}

static void wrong_actions_are_refused(void)
{
  perp_simulation *bodies = new_scene("tower:n=1"), *liquid = new_scene("dam:cells=8");
  perp_simulation *particle = new_scene("particle");
  perp_action hold = perp_action_default(PERP_ACT_HOLD), pour = perp_action_default(PERP_ACT_POUR);
  perp_action name = perp_action_default(PERP_ACT_SET), add = perp_action_default(PERP_ACT_ADD);
  perp_message why = {{0}};
  hold.shape = 0; /* the ground */
  CHECK_EQUAL_INT(act(bodies, &hold), PERP_ERROR_ARGUMENT);
  hold.shape = 7;
  CHECK_EQUAL_INT(act(bodies, &hold), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(act(bodies, &pour), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_INT(act(liquid, &pour), PERP_ERROR_ARGUMENT); /* no radius */
  CHECK_EQUAL_INT(act(liquid, &hold), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_INT(act(particle, &hold), PERP_ERROR_UNSUPPORTED);
  add.at[1] = NAN;
  CHECK_EQUAL_INT(perp_simulation_act(bodies, &add, &why), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(why.text, "action.at = nan is not within -1e9 .. 1e9");
  add.at[1] = 0;
  perp_shape disc = perp_shape_default(PERP_SHAPE_DISC);
  static const double bad_sizes[] = {-1, 1e-200, 1e200, NAN};
  for (int k = 0; k < 4; k++) {
    disc.size[0] = bad_sizes[k];
    add.body = &disc;
    CHECK_EQUAL_INT(act(bodies, &add), PERP_ERROR_ARGUMENT);
  }
  disc.size[0] = 1;
  add.value = 1e-300; /* the inverse of its mass overflows */
  CHECK_EQUAL_INT(act(bodies, &add), PERP_ERROR_ARGUMENT);
  add.value = 1;
  perp_action push = perp_action_default(PERP_ACT_PUSH), join = perp_action_default(PERP_ACT_JOIN);
  CHECK_EQUAL_INT(act(bodies, &push), PERP_ERROR_ARGUMENT);    /* the ground */
  CHECK_EQUAL_INT(act(bodies, &join), PERP_ERROR_UNSUPPORTED); /* in the plane */
  CHECK_EQUAL_INT(act(liquid, &push), PERP_ERROR_UNSUPPORTED);
  name.name = "mu";
  name.value = -1;
  CHECK_EQUAL_INT(act(bodies, &name), PERP_ERROR_ARGUMENT);
  const double hollow[] = {0, 0, 1, 0, 0.1, 0.1, 0, 1};
  const perp_shape bad = {.kind = PERP_SHAPE_POLYGON, .corners = 4, .corner = hollow};
  add.body = &bad;
  CHECK_EQUAL_INT(act(bodies, &add), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_simulation_follow(bodies, liquid, &why), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_INT(perp_simulation_act(NULL, &add, &why), PERP_ERROR_ARGUMENT);
  run(bodies, 5); /* as if nothing had been asked */
  perp_simulation_destroy(bodies);
  perp_simulation_destroy(liquid);
  perp_simulation_destroy(particle);
}

int main(int argc, char **argv)
{
  static const test_case cases[] = {
      TEST(what_is_held_hangs_on_a_spring),
      TEST(a_box_slides_beyond_the_angle_of_friction),
      TEST(a_box_at_rest_has_static_friction),
      TEST(bodies_come_and_go),
      TEST(a_pair_has_its_restitution),
      TEST(one_state_goes_on_alike),
      TEST(liquid_is_poured_and_walls_keep_it_out),
      TEST(a_push_moves_and_turns),
      TEST(a_hinge_holds),
      TEST(wrong_actions_are_refused),
  };
  return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
