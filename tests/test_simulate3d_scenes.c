/* Joints, scenes and engines in space. */
#include "world3.h"

/* ---- Joints ---- */

static double worst_error(const perp_world *world)
{
  double worst = 0;
  for (int k = 0; k < world->joints; k++) {
    perp_joint_row row[6];
    const int rows = perp_joint3_make_rows(world, &world->joint[k], row);
    CHECK_EQUAL_INT(rows, 3 + (world->joint[k].kind == PERP_JOINT3_HINGE   ? 2
                               : world->joint[k].kind == PERP_JOINT3_FIXED ? 3
                                                                           : 0));
    for (int i = 0; i < rows; i++)
      worst = fmax(worst, fabs(row[i].error));
  }
  return worst;
}

static void watch_joints(const perp_world *world, const perp_step *step, void *context)
{
  (void)step;
  double *worst = context;
  *worst = fmax(*worst, worst_error(world));
}

/* Chains of links by each kind of joint, thrown from the horizontal: the joints stay together. */
static void joints_hold(void)
{
  for (perp_joint3_kind kind = PERP_JOINT3_BALL; kind <= PERP_JOINT3_FIXED; kind++) {
    perp_world_parameters par = plain;
    par.h = 0.002;
    perp_world *world = new_world(&par);
    perp_world3_box(world, (double[]){0, 0, 5}, NULL, (double[]){0.05, 0.05, 0.05}, 0);
    double turn[4], worst = 0;
    perp_q_about((double[]){0, 1, 0}, 1.5707963267948966, turn);
    for (int k = 0; k < 5; k++) {
      const double at[3] = {0.2 + 0.4 * k, 0, 5}, joint[3] = {0.4 * k, 0, 5};
      CHECK(perp_world3_capsule(world, at, turn, 0.05, 0.15, 100 * (k + 1)) == k + 1);
      CHECK(perp_world3_joint(world, kind, k, k + 1, joint, (double[]){0, 1, 0}) == k);
    }
    CHECK(worst_error(world) < 1e-12);
    perp_step last;
    run_world(world, "dantzig", 500, &last, watch_joints, &worst);
    CHECK_SAY(worst < 5e-3, "kind %d: %g", (int)kind, worst);
    if (kind == PERP_JOINT3_FIXED) /* a beam in a wall: it does not move */
      CHECK_CLOSE(world->body[5].at[2], 5, 1e-4);
    else
      CHECK(world->body[5].at[2] < 4.5);
    if (kind == PERP_JOINT3_HINGE)
      for (int k = 1; k <= 5; k++)
        CHECK_CLOSE(world->body[k].at[1], 0, 1e-9);
    perp_world_destroy(world);
  }
}

typedef struct swing {
  double last, first_time, second_time, h;
} swing;

static void watch_swing(const perp_world *world, const perp_step *step, void *context)
{
  swing *s = context;
  const double x = world->body[1].at[0];
  if (s->last > 0 && x <= 0) { /* through the middle, between two steps */
    const double time = step->time - s->h * -x / (s->last - x);
    if (s->first_time == 0)
      s->first_time = time;
    else if (s->second_time == 0)
      s->second_time = time;
  }
  s->last = x;
}

/* A sphere on a rod: the period of small swings of a physical pendulum. */
static void a_pendulum_keeps_its_period(void)
{
  perp_world_parameters par = plain;
  par.h = 0.001;
  perp_world *world = new_world(&par);
  const double angle = 0.05, l = 1, r = 0.1;
  perp_world3_box(world, (double[]){0, 0, 0}, NULL, (double[]){0.01, 0.01, 0.01}, 0);
  perp_world3_sphere(world, (double[]){l * sin(angle), 0, -l * cos(angle)}, r, 100);
  perp_world3_joint(world, PERP_JOINT3_HINGE, 0, 1, (double[]){0, 0, 0}, (double[]){0, 1, 0});
  perp_step last;
  swing s = {.h = par.h};
  run_world(world, "dantzig", 4000, &last, watch_swing, &s);
  CHECK_CLOSE(s.second_time - s.first_time,
              2 * 3.141592653589793 * sqrt((l * l + 0.4 * r * r) / (9.81 * l)) *
                  (1 + angle * angle / 16),
              2e-3);
  perp_world_destroy(world);
}

/* ---- Scenes and engines ---- */

static double run_scene(const char *scene, const char *method, int steps, perp_step *last,
                        double *pose, int numbers)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  perp_options options = perp_options_default();
  options.tol = 1e-6;
  CHECK_SAY(perp_simulation_create(scene, method, &options, &sim, &why) == PERP_OK, "%s", why.text);
  double deepest = 0;
  for (int k = 0; k < steps; k++) {
    CHECK_SAY(perp_simulation_step(sim, last, &why) == PERP_OK, "%s", why.text);
    const bool by_ode = isnan(last->residual);
    CHECK_SAY(last->outcome == (by_ode ? PERP_NOT_RUN : PERP_SOLVED), "%s step %d: %g", scene, k,
              last->residual);
    deepest = fmax(deepest, last->penetration);
  }
  perp_view view;
  perp_simulation_view(sim, &view);
  CHECK(view.dimension == 3 && 7 * view.shapes >= numbers);
  memcpy(pose, view.pose, (size_t)numbers * sizeof *pose);
  perp_simulation_destroy(sim);
  return deepest;
}

/* A wall stepped by perp so far, then once by each engine: equal contacts to the last bit, and
 * equal velocities. */
static void ode_takes_over_with_the_same_contacts(void)
{
  need_ode();
  enum { STEPS = 6, SHAPES = 1 + 3 * 3 + 1 };
  perp_step last[2];
  double pose[2][7 * SHAPES];
  run_scene("wall3d:rows=3,columns=3,loose=0.001", "auto", STEPS, &last[0], pose[0], 7 * SHAPES);
  run_scene("wall3d:rows=3,columns=3,loose=0.001,engine=ode-step,after=5", "auto", STEPS, &last[1],
            pose[1], 7 * SHAPES);
  CHECK(last[0].rows > 0 && last[0].outcome == PERP_SOLVED);
  CHECK(last[1].outcome == PERP_NOT_RUN && last[1].rows == 0 && last[1].active == 0 &&
        last[1].iterations == 0);
  CHECK(isnan(last[1].residual));
  CHECK(last[0].contacts > 0 && last[1].contacts == last[0].contacts);
  CHECK(last[1].penetration == last[0].penetration);
  for (int i = 0; i < 7 * SHAPES; i++)
    CHECK_CLOSE(pose[1][i], pose[0][i], 1e-6);
}

/* Bricks laid without a gap are too hard for ODE's pivoting: ODE reports it, and so do we, for that
 * step. */
static void complaints_of_ode_are_told(void)
{
  need_ode();
  perp_simulation *sim = NULL;
  perp_message why = {""};
  CHECK(perp_simulation_create("wall3d:rows=4,columns=4,loose=0,engine=ode-step", "auto", NULL,
                               &sim, &why) == PERP_OK);
  int complaints = 0;
  for (int k = 0; k < 10; k++) {
    perp_step step;
    CHECK(perp_simulation_step(sim, &step, &why) == PERP_OK && step.rows == 0);
    CHECK(step.outcome == PERP_STAGNATED || step.outcome == PERP_NOT_RUN);
    const char *trouble = perp_simulation_trouble(sim);
    CHECK_SAY((strncmp(trouble, "ODE reported: ", 14) == 0) == (step.outcome == PERP_STAGNATED),
              "step %d: %s", k, trouble);
    complaints += *trouble != 0;
  }
  CHECK(complaints > 0 && complaints < 10);
  perp_simulation_destroy(sim);
}

/* The matrix of a step, which may reuse the last one with other numbers, equals the one built from
 * its data. */
static void kept_operators_are_as_good_as_new(void)
{
  /* the contacts of falling grains change in every step, so theirs need not be reused */
  static const char *const scenes[] = {"wall3d:rows=4,columns=4,loose=0.002",
                                       "tower3d:n=4,friction=polyhedral",
                                       "wrecking:rows=2,columns=2", "silo:n=30,cfm=0.001"};
  enum { FALLS = 3 };
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    perp_simulation *sim = NULL;
    perp_message why = {""};
    const perp_operator *last = NULL;
    int kept = 0;
    CHECK(perp_simulation_create(scenes[k], "auto", NULL, &sim, &why) == PERP_OK);
    for (int step = 0; step < 30; step++) {
      perp_step frame;
      CHECK(perp_simulation_step(sim, &frame, &why) == PERP_OK);
      const perp_problem *p = perp_simulation_problem(sim);
      if (!p)
        continue;
      perp_contact_data data = perp_contact_data_default();
      perp_operator *fresh;
      CHECK(perp_operator_contact_data(p->A, &data) == PERP_OK);
      CHECK(perp_operator_contact(&data, PERP_COPY, &fresh, &why) == PERP_OK);
      const size_t n = (size_t)p->K.n, room = perp_operator_scratch(fresh);
      double *y = calloc(2 * n + room, sizeof *y);
      perp_operator_apply(p->A, p->b, y, y + 2 * n, NULL);
      perp_operator_apply(fresh, p->b, y + n, y + 2 * n, NULL);
      CHECK(memcmp(y, y + n, n * sizeof *y) == 0);
      perp_operator_diagonal(p->A, y, NULL);
      perp_operator_diagonal(fresh, y + n, NULL);
      CHECK(memcmp(y, y + n, n * sizeof *y) == 0);
      kept += p->A == last;
      last = p->A;
      free(y);
      perp_operator_destroy(fresh);
    }
    CHECK_SAY(kept > 0 || k == FALLS, "%s: never kept", scenes[k]);
    perp_simulation_destroy(sim);
  }
}

/* Fewer contacts where fewer are asked for. */
static void shapes_touch_at_so_many_points(void)
{
  for (int points = 1; points <= PERP_POINTS3; points++) {
    perp_world_parameters par = plain;
    par.points = points;
    perp_world *world = new_world(&par);
    CHECK(add_floor(world) >= 0);
    CHECK(perp_world3_box(world, (double[]){0, 0, 0.5}, NULL, (double[]){0.5, 0.5, 0.5}, 1) >= 0);
    perp_step last;
    run_world(world, "dantzig", 1, &last, NULL, NULL);
    CHECK(last.contacts == points);
    perp_world_destroy(world);
  }
}

/* The tower of growing masses, by the three engines: ours and ODE's pivoting find the same rest,
 * and ours does not sink in. */
static void engines_agree_on_a_tower(void)
{
  need_ode();
  static const char *const engines[] = {"perp", "ode-step"};
  for (int k = 0; k < 2; k++) {
    char scene[100];
    snprintf(scene, sizeof scene, "tower3d:n=5,ratio=10,engine=%s", engines[k]);
    perp_step last;
    double pose[7 * 6];
    const double deepest = run_scene(scene, "dantzig", 300, &last, pose, 7 * 6);
    for (int b = 1; b <= 5; b++)
      CHECK_CLOSE(pose[7 * b + 2], 0.25 + 0.5 * (b - 1), k ? 0.02 : 1e-5);
    CHECK(last.kinetic < 1e-6);
    CHECK_SAY(deepest < (k ? 0.02 : 1e-6), "%s: %g", engines[k], deepest);
    CHECK((last.rows > 0) == (k == 0) && isnan(last.residual) == (k == 1));
  }
}

static void repetition_gives_the_same_bits(void)
{
  need_ode();
  static const char *const scenes[] = {"ragdolls:n=2", "wall3d:rows=4,columns=4,ball=1",
                                       "silo:n=60", "wall3d:rows=3,columns=3,engine=ode-quickstep"};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    double pose[2][7 * 20];
    for (int pass = 0; pass < 2; pass++) {
      perp_simulation *sim = NULL;
      perp_message why = {{0}};
      CHECK(perp_simulation_create(scenes[k], "pgs", NULL, &sim, &why) == PERP_OK);
      perp_step step;
      for (int s = 0; s < 60; s++)
        CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
      perp_view view;
      perp_simulation_view(sim, &view);
      const int shapes = view.shapes < 20 ? view.shapes : 20;
      memset(pose[pass], 0, sizeof pose[pass]);
      memcpy(pose[pass], view.pose, (size_t)shapes * 7 * sizeof(double));
      perp_simulation_destroy(sim);
    }
    CHECK_SAY(memcmp(pose[0], pose[1], sizeof pose[0]) == 0, "%s", scenes[k]);
  }
}

/* Structures built to stand do stand. */
static void an_arch_and_a_house_of_cards_stand(void)
{
  static const struct {
    const char *scene;
    int shapes;
  } cases[] = {{"arch3d:n=11", 23}, {"cards:levels=2", 8}, {"cards:levels=3", 15}};
  for (int k = 0; k < 3; k++) {
    double before[7 * 23], after[7 * 23];
    perp_step last;
    run_scene(cases[k].scene, "nncg", 1, &last, before, 7 * cases[k].shapes);
    run_scene(cases[k].scene, "nncg", 300, &last, after, 7 * cases[k].shapes);
    for (int i = 0; i < 7 * cases[k].shapes; i++)
      CHECK_SAY(fabs(after[i] - before[i]) < 0.02, "%s: shape %d, number %d: %g from %g",
                cases[k].scene, i / 7, i % 7, after[i], before[i]);
    CHECK_SAY(last.kinetic < 1e-3, "%s: %g", cases[k].scene, last.kinetic);
  }
}

/* Nothing overlaps at first, and with less friction than statics requires the house falls. */
static void a_house_of_cards_slips(void)
{
  perp_step first, last;
  double pose[7];
  run_scene("cards:mu=0.5", "nncg", 1, &first, pose, 7);
  CHECK_SAY(first.penetration < 1e-3, "%g", first.penetration);
  run_scene("cards:mu=0.5", "nncg", 200, &last, pose, 7);
  CHECK_SAY(last.potential < first.potential - 1, "%g from %g", last.potential, first.potential);
}

/* Two separate towers are two islands: solved separately they end as they do together. */
static void islands_change_nothing(void)
{
  double height[2][6];
  for (int islands = 0; islands < 2; islands++) {
    perp_world *world = new_world(&plain);
    add_floor(world);
    for (int k = 0; k < 6; k++)
      perp_world3_box(world, (double[]){k % 2 ? 3 : -3, 0, 0.11 + 0.21 * (k / 2)}, NULL,
                      (double[]){0.1, 0.1, 0.1}, 100);
    void *state = NULL;
    perp_message why = {{0}};
    perp_step step = {0};
    CHECK(perp_world_finish(world, &state, &why) == PERP_OK);
    perp_stepper stepper = {.options = perp_options_default(), .warm = true, .frame = &step};
    CHECK(perp_solver_create("dantzig", &stepper.solver, &why) == PERP_OK);
    if (islands)
      CHECK(perp_islands_create("dantzig", &stepper.islands, &why) == PERP_OK);
    for (int k = 0; k < 100; k++) {
      step = (perp_step){.index = k + 1, .outcome = PERP_SOLVED};
      CHECK_SAY(perp_world_step(world, &stepper, &why) == PERP_OK, "%s", why.text);
      CHECK_EQUAL_INT(step.outcome, PERP_SOLVED);
    }
    perp_solver_destroy(stepper.solver);
    perp_islands_destroy(stepper.islands);
    for (int k = 0; k < 6; k++)
      height[islands][k] = world->body[k + 1].at[2];
    perp_world_destroy(world);
  }
  for (int k = 0; k < 6; k++) {
    CHECK_CLOSE(height[0][k], 0.1 + 0.2 * (k / 2), 1e-6);
    CHECK_CLOSE(height[1][k], height[0][k], 1e-7);
  }
}

static void without_ode_its_steps_are_refused(void)
{
  if (have_ode())
    test_skip("built with ODE");
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  CHECK(perp_simulation_create("tower3d:engine=ode-step", "auto", NULL, &sim, &why) ==
        PERP_ERROR_BACKEND);
  CHECK_SAY(strstr(why.text, "ODE") != NULL, "%s", why.text);
  CHECK(sim == NULL);
}

/* The points of two faces are named by their corners, so the impulses of the last step solve a scene
 * at rest nearly. Points chosen by their depth, which is rounding here, would carry the impulses to
 * other corners, and the start would be worse than 0, whose relative residual is 1. */
static void contacts_at_rest_keep_their_names(void)
{
  static const char *const scenes[] = {"arch3d:n=25,friction=cone", "arch3d:n=15,thick=0.2",
                                       "cards:levels=4,friction=cone",
                                       "wall3d:rows=4,columns=4,loose=0,friction=cone"};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    perp_options options = perp_options_default();
    options.tol = 1e-8;
    perp_simulation *sim = NULL;
    perp_message why = {{0}};
    CHECK(perp_simulation_create(scenes[k], "auto", &options, &sim, &why) == PERP_OK);
    for (int t = 0; t < 40; t++) {
      perp_step step;
      double residual, scale;
      CHECK(perp_simulation_step(sim, &step, &why) == PERP_OK && step.outcome == PERP_SOLVED);
      CHECK(perp_problem_judge(perp_simulation_problem(sim), perp_simulation_start(sim), &residual,
                               &scale, &why) == PERP_OK);
      CHECK_SAY(t == 0 || residual < 1e-3 * scale, "%s, step %d: %g", scenes[k], t,
                residual / scale);
    }
    perp_simulation_destroy(sim);
  }
}

/* Steps a scene with cones to 1e-12. *first and *last: the poses, and the motion of the last step. */
typedef struct motion {
  double first[7 * 8], last[7 * 8], potential, kinetic, most_kinetic;
} motion;

static motion move_exactly(const char *scene, int steps)
{
  motion m = {.potential = 0};
  perp_options options = perp_options_default();
  options.tol = 1e-12;
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  CHECK_SAY(perp_simulation_create(scene, "auto", &options, &sim, &why) == PERP_OK, "%s", why.text);
  for (int k = 0; k < steps; k++) {
    perp_step step;
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK && step.outcome == PERP_SOLVED,
              "%s, step %d: %g", scene, k, step.relative_residual);
    perp_view view;
    perp_simulation_view(sim, &view);
    CHECK(view.shapes <= 8);
    memcpy(k == 0 ? m.first : m.last, view.pose, 7 * (size_t)view.shapes * sizeof(double));
    m.potential = step.potential;
    m.kinetic = step.kinetic;
    m.most_kinetic = fmax(m.most_kinetic, step.kinetic);
  }
  perp_simulation_destroy(sim);
  return m;
}

/* At the angle of friction a change of 1e-9 in the slope decides: the block stays, or slides with
 * the acceleration of the law. */
static void a_block_sticks_or_slides_by_a_billionth(void)
{
  enum { STEPS = 200 };
  for (int slides = 0; slides < 2; slides++) {
    char scene[96];
    snprintf(scene, sizeof scene, "incline:friction=cone,slope=%.12f",
             0.5 + (slides ? 1 : -1) * 1e-9);
    const motion m = move_exactly(scene, STEPS);
    const double way = m.last[7] - m.first[7], h = 0.01;
    /* x after k steps is a h^2 k (k + 1) / 2, a = g (sin - mu cos) */
    const double a = slides ? 9.81 * 1e-9 / sqrt(1.25) : 0;
    const double expected = a * h * h * (0.5 * STEPS * (STEPS + 1) - 1);
    CHECK_SAY(fabs(way - expected) <= 1e-10, "%s: %g, not %g", scene, way, expected);
  }
  const motion m = move_exactly("incline:friction=cone,slope=0.7", STEPS);
  const double a = 9.81 * 0.2 / sqrt(1.49), way = a * 1e-4 * (0.5 * STEPS * (STEPS + 1) - 1);
  CHECK_CLOSE(m.last[7] - m.first[7], way, 1e-8);
}

/* (5 v - 2 r spin) / 7 at the end, forwards or backwards. */
static void a_ball_with_backspin_rolls_at_the_end(void)
{
  const double r = 0.1, v = 1;
  for (int k = 0; k < 2; k++) {
    const double spin = k ? 40 : 10, end = (5 * v - 2 * r * spin) / 7;
    char scene[64];
    snprintf(scene, sizeof scene, "backspin:friction=cone,spin=%g", spin);
    const motion m = move_exactly(scene, 300), later = move_exactly(scene, 301);
    CHECK_CLOSE((later.last[7] - m.last[7]) / 0.005, end, 1e-9);
  }
}

/* At 0.5 from the axis the block turns with the table while spin^2 0.5 <= mu g. A step along the
 * tangent lengthens its distance by sqrt(1 + (spin h)^2). */
static void a_block_leaves_a_fast_turntable(void)
{
  enum { STEPS = 300 };
  for (int fast = 0; fast < 2; fast++) {
    const double spin = fast ? 3.5 : 2.8, h = 0.005;
    char scene[64];
    snprintf(scene, sizeof scene, "turntable:friction=cone,spin=%g", spin);
    const motion m = move_exactly(scene, STEPS);
    const double *block = m.last + 21, away = hypot(block[0], block[1]);
    const double held = 0.5 * pow(1 + spin * h * spin * h, 0.5 * STEPS);
    CHECK_SAY(fast ? away > 0.8 && block[2] < 0.3
                   : fabs(away - held) < 1e-3 && fabs(block[2] - 0.4) < 1e-6,
              "%s: %g from the axis, %g high", scene, away, block[2]);
  }
}

/* The rod jams, throws itself over its end and comes to rest; it never gains energy. */
static void painleves_rod_jams_and_topples(void)
{
  const motion m = move_exactly("painleve:friction=cone", 1000);
  const double *rod = m.last + 7, mass = 1000 * 3.14159265 * (1e-4 + 4e-6 / 3);
  CHECK_SAY(m.kinetic < 1e-9, "%g", m.kinetic);
  CHECK_SAY(rod[2] < 0.012 && rod[0] - m.first[7] > 0.1, "at %g, %g high", rod[0], rod[2]);
  CHECK_SAY(m.most_kinetic < 4.5 * mass + mass * 9.81 * 0.5, "%g", m.most_kinetic);
}

/* A ball stays on a slope up to roll / r, and a billionth more sets it in motion; on the level it
 * stops after v^2 / (2 a), a = 5/7 g roll / r. */
static void a_ball_rolls_or_stays_by_a_billionth(void)
{
  enum { STEPS = 200 };
  const double h = 0.005, ratio = 0.05 / 0.1;
  for (int k = 0; k < 3; k++) {
    const double slope = k == 0 ? ratio - 1e-9 : k == 1 ? ratio + 1e-9 : 0.6;
    char scene[128];
    snprintf(scene, sizeof scene, "rolling:friction=discs,mu=2,roll=0.05,slope=%.12f", slope);
    const motion m = move_exactly(scene, STEPS);
    const double a = k == 0 ? 0 : 5.0 / 7 * 9.81 * (slope - ratio) / sqrt(1 + slope * slope);
    const double way = a * h * h * (0.5 * STEPS * (STEPS + 1) - 1);
    CHECK_SAY(fabs(m.last[7] - m.first[7] - way) <= 1e-9, "%s: %.12g, not %.12g", scene,
              m.last[7] - m.first[7], way);
  }
  const motion m = move_exactly("rolling:friction=discs,slope=0,v=1,roll=0.02", 400);
  const double a = 5.0 / 7 * 9.81 * 0.2, steps = floor(1 / (a * h));
  /* v - a h k in step k, until it would be negative */
  const double way = h * (steps - 0.5 * a * h * steps * (steps + 1)) - h * (1 - a * h);
  CHECK_SAY(fabs(m.last[7] - m.first[7] - way) <= 1e-8, "%.12g, not %.12g", m.last[7] - m.first[7],
            way);
  CHECK_SAY(m.kinetic < 1e-18, "%g", m.kinetic);
}

/* Torsion brakes evenly: half of the time, half of the spin, a quarter of the energy; then rest. */
static void a_spinning_ball_comes_to_rest(void)
{
  for (int law = 0; law < 2; law++) {
    char scene[96];
    snprintf(scene, sizeof scene, "spinner:friction=%s,torsion=0.01", law ? "discs" : "elliptic");
    const double r = 0.1, mass = 1000 * 4.0 / 3 * 3.14159265358979 * r * r * r;
    const double inertia = 0.4 * mass * r * r, brake = 0.01 * mass * 9.81 / inertia; /* spin / s */
    const motion m = move_exactly(scene, 60), rest = move_exactly(scene, 300);
    const double spin = 20 - brake * 60 * 0.005;
    CHECK_SAY(fabs(m.kinetic - 0.5 * inertia * spin * spin) <= 1e-7 * m.kinetic,
              "%s: %.12g, not %.12g", scene, m.kinetic, 0.5 * inertia * spin * spin);
    CHECK_SAY(rest.kinetic < 1e-18, "%s: %g", scene, rest.kinetic);
  }
}

/* A top on four feet: friction at its corners brakes evenly, whatever normal forces they have. */
static void a_top_on_four_feet_comes_to_rest(void)
{
  static const char *const forms[] = {"cone", "elliptic", "discs"};
  const double r = 0.25, mass = 1000 * 0.4 * 0.3 * 0.1, inertia = mass * r * r / 3;
  const double brake = 0.4 * mass * 9.81 * r / inertia, h = 0.01; /* spin / s */
  for (int k = 0; k < 3; k++) {
    char scene[96];
    snprintf(scene, sizeof scene, "incline:friction=%s,slope=0,mu=0.4,spin=20", forms[k]);
    const motion m = move_exactly(scene, 20), rest = move_exactly(scene, 60);
    const double spin = 20 - brake * 20 * h;
    CHECK_SAY(fabs(m.kinetic - 0.5 * inertia * spin * spin) <= 1e-7 * m.kinetic,
              "%s: %.12g, not %.12g", scene, m.kinetic, 0.5 * inertia * spin * spin);
    CHECK_SAY(rest.kinetic < 1e-18, "%s: %g", scene, rest.kinetic);
  }
}

/* Between mu and mu_static a block at rest stays, and one that slides goes on by mu. */
static void static_friction_holds_until_it_slides(void)
{
  enum { STEPS = 100 };
  static const char *const forms[] = {"polyhedral", "findex", "cone", "elliptic", "discs"};
  const double slope = 0.5, h = 0.01, cosine = 1 / sqrt(1 + slope * slope);
  for (int k = 0; k < 5; k++) {
    char scene[128];
    snprintf(scene, sizeof scene, "incline:friction=%s,slope=0.5,mu=0.4,mu_static=0.6", forms[k]);
    const motion rests = move_exactly(scene, STEPS);
    CHECK_SAY(fabs(rests.last[7] - rests.first[7]) <= 1e-10, "%s: %g", scene,
              rests.last[7] - rests.first[7]);
    snprintf(scene, sizeof scene, "incline:friction=%s,slope=0.5,mu=0.4,mu_static=0.6,v=0.2",
             forms[k]);
    const motion slides = move_exactly(scene, STEPS);
    const double a = 9.81 * (slope - 0.4) * cosine;
    const double way = 0.2 * h * (STEPS - 1) + a * h * h * (0.5 * STEPS * (STEPS + 1) - 1);
    CHECK_SAY(fabs(slides.last[7] - slides.first[7] - way) <= 1e-7, "%s: %.12g, not %.12g", scene,
              slides.last[7] - slides.first[7], way);
    /* beyond mu_static it breaks loose, and then slides by mu */
    snprintf(scene, sizeof scene, "incline:friction=%s,slope=0.7,mu=0.4,mu_static=0.6", forms[k]);
    const motion breaks = move_exactly(scene, STEPS);
    const double b = 9.81 * 0.3 / sqrt(1.49), far = b * h * h * (0.5 * STEPS * (STEPS + 1) - 1);
    CHECK_SAY(fabs(breaks.last[7] - breaks.first[7] - far) <= 1e-7, "%s: %.12g, not %.12g", scene,
              breaks.last[7] - breaks.first[7], far);
  }
}

static void ode_refuses_static_friction(void)
{
  if (!have_ode())
    test_skip("built without ODE");
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  perp_step step;
  CHECK(perp_simulation_create("incline:engine=ode-step,mu=0.4,mu_static=0.6", "auto", NULL, &sim,
                               &why) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(why.text, "mu_static") && strstr(why.text, "engine=perp"), "%s", why.text);
  CHECK(perp_simulation_create("incline:engine=ode-step,mu=0.4", "auto", NULL, &sim, &why) ==
        PERP_OK);
  perp_action set = perp_action_default(PERP_ACT_SET);
  set.name = "mu_static";
  set.value = 0.6;
  CHECK(perp_simulation_act(sim, &set, &why) == PERP_OK);
  CHECK(perp_simulation_step(sim, &step, &why) == PERP_ERROR_UNSUPPORTED);
  perp_simulation_destroy(sim);
}

static const test_case tests[] = {
    TEST(a_ball_rolls_or_stays_by_a_billionth),
    TEST(a_spinning_ball_comes_to_rest),
    TEST(a_top_on_four_feet_comes_to_rest),
    TEST(static_friction_holds_until_it_slides),
    TEST(ode_refuses_static_friction),
    TEST(joints_hold),
    TEST(a_pendulum_keeps_its_period),
    TEST(ode_takes_over_with_the_same_contacts),
    TEST(complaints_of_ode_are_told),
    TEST(kept_operators_are_as_good_as_new),
    TEST(shapes_touch_at_so_many_points),
    TEST(engines_agree_on_a_tower),
    TEST(repetition_gives_the_same_bits),
    TEST(an_arch_and_a_house_of_cards_stand),
    TEST(a_house_of_cards_slips),
    TEST(islands_change_nothing),
    TEST(without_ode_its_steps_are_refused),
    TEST(contacts_at_rest_keep_their_names),
    TEST(a_block_sticks_or_slides_by_a_billionth),
    TEST(a_ball_with_backspin_rolls_at_the_end),
    TEST(a_block_leaves_a_fast_turntable),
    TEST(painleves_rod_jams_and_topples),
};

TEST_MAIN(tests)
