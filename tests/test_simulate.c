/* Scenes against mechanics, and the interface against wrong calls. */
#include "simulate/rigid2d/world.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

/* Falls from rest at `height` with speed v along the plane; at the impact friction takes mu times the
 * normal velocity, then mu g: it rests after (v - mu v_n)^2 / (2 mu g) more. */
static void a_particle_slides_as_far_as_coulomb_says(void)
{
  static const char *const forms[] = {"conic", "linearised"};
  for (int form = 0; form < 2; form++)
    for (int k = 1; k <= 4; k++) {
      const double mu = 0.1 * k, g = 9.81, fall = 0.2, v = 3, dt = 2e-4;
      char scene[200];
      snprintf(scene, sizeof scene, "particle:form=%s,mu=%g,height=%g,vt=%g,vo=0,h=%g", forms[form],
               mu, fall, v, dt);
      perp_simulation *sim = NULL;
      perp_message why = {{0}};
      CHECK_SAY(perp_simulation_create(scene, "auto", NULL, &sim, &why) == PERP_OK, "%s", why.text);
      perp_step step = {0};
      for (int s = 0; s < 20000; s++) {
        CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
        CHECK_EQUAL_INT(step.outcome, PERP_SOLVED);
        CHECK(step.penetration <= 1e-9);
      }
      perp_view view;
      perp_simulation_view(sim, &view);
      const double flight = sqrt(2 * fall / g), impact = g * flight, left = v - mu * impact;
      CHECK_CLOSE(view.pose[0], v * flight + left * left / (2 * mu * g), 0.005);
      CHECK_CLOSE(view.pose[1], 0, 1e-9);
      CHECK_CLOSE(step.kinetic, 0, 1e-9);
      CHECK_CLOSE(step.time, 20000 * dt, 1e-9);
      perp_simulation_destroy(sim);
    }
}

/* ---- Bodies in the plane ---- */

static const perp_world_parameters plain = {.friction = PERP_FRICTION_FINDEX,
                                            .mu = 0.5,
                                            .gravity = 9.81,
                                            .h = 0.01,
                                            .erp = 0.2,
                                            .slop = 1e-3};

/* Steps a world built here; an unsolved step is a failure. */
static void run_world(perp_world *world, const char *method, int steps, perp_step *last)
{
  void *state = NULL;
  perp_message why = {{0}};
  if (!world->shape)
    CHECK(perp_world_finish(world, &state, &why) == PERP_OK);
  perp_stepper stepper = {.options = perp_options_default(), .warm = true, .frame = last};
  CHECK(perp_solver_create(method, &stepper.solver, &why) == PERP_OK);
  for (int k = 0; k < steps; k++) {
    *last = (perp_step){.index = k + 1, .outcome = PERP_SOLVED};
    CHECK_SAY(perp_world_step(world, &stepper, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(last->outcome == PERP_SOLVED, "step %d: %s", k, perp_outcome_name(last->outcome));
  }
  perp_solver_destroy(stepper.solver);
}

static perp_world *new_world(const perp_world_parameters *par)
{
  perp_world *world = perp_alloc(1, sizeof *world);
  CHECK(world != NULL);
  perp_world_init(world, par, &perp_world_plane);
  return world;
}

static void masses_are_those_of_the_shapes(void)
{
  perp_world *world = new_world(&plain);
  /* corners far from the origin: the centre of mass and the inertia do not depend on it */
  const double corner[] = {10, 20, 13, 20, 13, 21, 10, 21};
  CHECK(perp_world2_polygon(world, 1, 2, 0.3, 4, corner, 2) == 0);
  CHECK(perp_world2_box(world, 1, 2, 0.3, 3, 1, 2) == 1);
  CHECK(perp_world2_disc(world, 0, 0, 0.5, 4) == 2);
  for (int k = 0; k < 2; k++) {
    const perp_rigid_body *b = &world->body[k];
    CHECK_CLOSE(b->mass, 6, 1e-12);
    CHECK_CLOSE(b->inertia[8], 6 * (9 + 1) / 12.0, 1e-10);
    CHECK_CLOSE(b->radius, hypot(1.5, 0.5), 1e-12);
    CHECK_CLOSE(world->outline[k].now[0], 1 + cos(0.3) * -1.5 - sin(0.3) * -0.5, 1e-12);
  }
  CHECK_CLOSE(world->body[2].inertia[8], 0.5 * world->body[2].mass * 0.25, 1e-12);
  perp_world_destroy(world);
}

/* Every pair by brute force finds the contacts that the boxes find, in random worlds. */
static void no_pair_is_missed(void)
{
  const uint64_t share = (uint64_t)test_share("worlds of sixty bodies", 8);
  for (uint64_t seed = 1; seed <= 100; seed += share) {
    perp_random random = perp_random_from(seed);
    perp_world *world = new_world(&plain);
    const double size = perp_random_between(&random, 1, 5);
    for (int k = 0; k < 60; k++) {
      const double x = perp_random_between(&random, -size, size),
                   y = perp_random_between(&random, -size, size);
      const double density = k % 10 == 0 ? 0 : 1;
      const double extent = perp_random_between(&random, 0.05, 0.6);
      const int body = k % 2 ? perp_world2_disc(world, x, y, extent, density)
                             : perp_world2_box(world, x, y, x, extent, 2 * extent, density);
      CHECK(body == k);
      world->body[k].v[0] = perp_random_between(&random, -3, 3);
    }
    CHECK(perp_world2_collide(world, NULL) == PERP_OK);
    const int found = world->contacts;
    uint64_t *id = calloc((size_t)found + 1, sizeof *id);
    CHECK(id);
    for (int k = 0; k < found; k++)
      id[k] = world->contact[k].id;
    int brute = 0;
    for (int a = 0; a < 60; a++)
      for (int b = a + 1; b < 60; b++) {
        const perp_rigid_body *p = &world->body[a], *q = &world->body[b];
        if (p->mass_inverse == 0 && q->mass_inverse == 0)
          continue;
        world->contacts = 0;
        const double reach =
            2 * plain.slop + plain.h * (hypot(p->v[0], p->v[1]) + hypot(q->v[0], q->v[1]));
        CHECK(perp_world2_collide_pair(world, a, b, reach));
        for (int c = 0; c < world->contacts; c++, brute++) {
          bool seen = false;
          for (int k = 0; k < found; k++)
            seen = seen || id[k] == world->contact[c].id;
          CHECK_SAY(seen, "seed %d: bodies %d and %d", (int)seed, a, b);
        }
      }
    CHECK_EQUAL_INT(brute, found);
    free(id);
    perp_world_destroy(world);
  }
}

/* Two discs of different mass head on, without gravity: the textbook's velocities. */
static void an_elastic_impact_keeps_momentum_and_energy(void)
{
  perp_world_parameters par = plain;
  par.gravity = 0;
  par.restitution = 1;
  perp_world *world = new_world(&par);
  perp_world2_disc(world, 0, 0, 0.1, 100);
  perp_world2_disc(world, 1, 0, 0.2, 100);
  world->body[0].v[0] = 2;
  const double m = world->body[0].mass, M = world->body[1].mass;
  perp_step last;
  run_world(world, "dantzig", 100, &last);
  CHECK_CLOSE(world->body[0].v[0], 2 * (m - M) / (m + M), 1e-9);
  CHECK_CLOSE(world->body[1].v[0], 2 * 2 * m / (m + M), 1e-9);
  CHECK_CLOSE(last.kinetic, 0.5 * m * 4, 1e-9);
  perp_world_destroy(world);
}

/* A pushed box stops after v^2 / (2 mu g), in every form of friction. */
static void a_box_slides_as_far_as_coulomb_says(void)
{
  for (int friction = PERP_FRICTION_POLYHEDRAL; friction <= PERP_FRICTION_CONE; friction++)
    for (int assembled = 0; assembled < 2; assembled++) {
      perp_world_parameters par = plain;
      par.friction = friction;
      par.assembled = assembled;
      par.h = 0.001;
      perp_world *world = new_world(&par);
      perp_world2_box(world, 0, -0.5, 0, 100, 1, 0);
      perp_world2_box(world, 0, 0.05, 0, 0.4, 0.1, 100);
      world->body[1].v[0] = 2;
      perp_step last;
      run_world(world, "auto", 600, &last);
      CHECK_CLOSE(world->body[1].at[0], 4 / (2 * 0.5 * 9.81), 0.005);
      CHECK_CLOSE(world->body[1].angle, 0, 1e-3);
      CHECK_CLOSE(last.kinetic, 0, 1e-9);
      perp_world_destroy(world);
    }
}

/* Energy of every step against the smallest so far: it does not rise again. Stabilisation and the
 * tolerance of the solves leave 1e-4 of it. */
static double run_energy(const char *scene, const char *method, int steps)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  CHECK_SAY(perp_simulation_create(scene, method, NULL, &sim, &why) == PERP_OK, "%s", why.text);
  double first = 0, least = INFINITY, energy = 0;
  for (int k = 0; k < steps; k++) {
    perp_step step;
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
    energy = step.kinetic + step.potential;
    first = k ? first : energy;
    CHECK_SAY(energy <= least + 1e-4 * first, "%s, step %d: %.9g after %.9g", scene, k, energy,
              least);
    least = fmin(least, energy);
  }
  perp_simulation_destroy(sim);
  return energy / first;
}

static void bounces_make_no_energy(void)
{
  static const char *const scenes[] = {"discs:n=1",
                                       "discs:n=12",
                                       "discs:n=12,friction=cone",
                                       "pebbles:n=1",
                                       "pebbles:n=12,friction=none",
                                       "pebbles:n=12"};
  static const double shares[] = {0.5, 0.9, 1};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    for (int e = 0; e < 3; e++) {
      char scene[100];
      snprintf(scene, sizeof scene, "%s,restitution=%g", scenes[k], shares[e]);
      run_energy(scene, "auto", 1000);
    }
}

/* Two thousand bounces of a disc with restitution 1: it falls some 0.25 m, in 0.45 s up and
 * down. */
static void an_elastic_disc_bounces_for_ever(void)
{
  CHECK_CLOSE(run_energy("discs:n=1,restitution=1", "dantzig", 90000), 1, 1e-9);
}

/* A wall at rest: the impulse of the floor in a step is the weight of the bricks times the step. */
static void a_wall_rests_on_its_weight(void)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  CHECK(perp_simulation_create("bricks:rows=6,columns=5,friction=none", "auto", NULL, &sim, &why) ==
        PERP_OK);
  perp_step step = {0};
  for (int k = 0; k < 200; k++) {
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
    CHECK_EQUAL_INT(step.outcome, PERP_SOLVED);
    CHECK(step.penetration < 2e-3);
  }
  perp_view view;
  perp_simulation_view(sim, &view);
  /* 6 courses of 5 bricks of 0.995 x 0.4 x 0.2 each and a density of 100 */
  const double weight = 6 * 5 * 0.995 * 0.4 * 0.2 * 100 * 9.81;
  CHECK_CLOSE(view.load[0], weight * 0.01, 1e-5 * weight * 0.01);
  CHECK(step.kinetic < 1e-6);
  perp_simulation_destroy(sim);
}

/* Warm-started, a settling wall costs at most a third of a cold start: iterations over 300
 * frames. */
static void warm_starts_pay(void)
{
  static const char *const methods[] = {"pgs", "nncg"};
  for (int m = 0; m < 2; m++) {
    int64_t work[2] = {0, 0};
    for (int warm = 0; warm < 2; warm++) {
      perp_simulation *sim = NULL;
      perp_message why = {{0}};
      perp_options options = perp_options_default();
      options.tol = 1e-6;
      CHECK(perp_simulation_create("bricks:rows=6,columns=5", methods[m], &options, &sim, &why) ==
            PERP_OK);
      perp_simulation_set_warm(sim, warm);
      for (int k = 0; k < 300; k++) {
        perp_step step;
        CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
        CHECK_SAY(step.outcome == PERP_SOLVED, "%s step %d", methods[m], k);
        work[warm] += step.iterations;
      }
      perp_simulation_destroy(sim);
    }
    CHECK_SAY(3 * work[1] <= work[0], "%s: %lld warm, %lld cold", methods[m], (long long)work[1],
              (long long)work[0]);
  }
}

/* Sweeps cut short from a start that carries too much: the result is never worse than zero
 * impulses, judged by perp_problem_judge on the problem of each frame. */
static void no_step_is_worse_than_none(void)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  perp_options options = perp_options_default();
  options.max_iterations = 2;
  CHECK(perp_simulation_create("pebbles:n=30,friction=findex", "admm", &options, &sim, &why) ==
        PERP_OK);
  int dropped = 0;
  for (int k = 0; k < 300; k++) {
    perp_step step;
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
    const perp_problem *p = perp_simulation_problem(sim);
    if (!p)
      continue;
    double *zero = calloc((size_t)p->K.n, sizeof *zero), residual[2], scale;
    CHECK(zero);
    CHECK(perp_problem_judge(p, perp_simulation_solution(sim), &residual[0], &scale, &why) ==
          PERP_OK);
    CHECK(perp_problem_judge(p, zero, &residual[1], &scale, &why) == PERP_OK);
    CHECK_SAY(residual[0] <= residual[1], "frame %d: %g, but %g at 0", k, residual[0], residual[1]);
    CHECK_CLOSE(step.relative_residual, residual[0] / scale, 1e-12 + 1e-9 * step.relative_residual);
    CHECK_CLOSE(step.residual, step.relative_residual * scale, 1e-12 * step.residual);
    dropped += strstr(perp_simulation_trouble(sim), "using zero") != NULL;
    free(zero);
  }
  CHECK_SAY(dropped > 0, "never dropped");
  perp_simulation_destroy(sim);
}

/* The problem of a step, solved from the same start by another solver: the same bits. */
static void a_step_can_be_solved_again_from_its_start(void)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  perp_options options = perp_options_default();
  CHECK(perp_simulation_create("discs:n=30", "psor", &options, &sim, &why) == PERP_OK);
  CHECK(!perp_simulation_start(sim));
  CHECK(!perp_simulation_start(NULL));
  int warm = 0;
  for (int k = 0; k < 60; k++) {
    perp_step step;
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
    const perp_problem *p = perp_simulation_problem(sim);
    const double *start = perp_simulation_start(sim);
    CHECK(!p == !start);
    if (!p)
      continue;
    const size_t bytes = (size_t)p->K.n * sizeof(double);
    double *x = malloc(bytes);
    CHECK(x);
    memcpy(x, start, bytes);
    for (int i = 0; i < p->K.n; i++)
      if (start[i] != 0) {
        warm++;
        break;
      }
    perp_result result = perp_result_empty();
    CHECK(perp_solve("psor", p, &options, x, &result) == PERP_OK);
    CHECK_SAY(memcmp(x, perp_simulation_solution(sim), bytes) == 0, "step %d", k);
    free(x);
  }
  CHECK_SAY(warm > 20, "%d steps began with forces", warm);
  perp_simulation_destroy(sim);
}

/* An impact returns at once e times the velocity of the step before. */
static void an_impact_gives_back_its_share(void)
{
  for (int form = 0; form < 4; form++) {
    perp_world_parameters par = plain;
    par.friction = form;
    par.restitution = 0.9;
    perp_world *world = new_world(&par);
    perp_world2_box(world, 0, -0.5, 0, 100, 1, 0);
    perp_world2_disc(world, 0, 1, 0.1, 100);
    int impacts = 0;
    for (int k = 0; k < 300; k++) {
      const double before = world->body[1].v[1];
      perp_step last;
      run_world(world, "auto", 1, &last);
      const double after = world->body[1].v[1];
      if (after > 0 && before < -1) {
        CHECK_CLOSE(after, -0.9 * before, 1e-6);
        impacts++;
      }
    }
    CHECK_SAY(impacts >= 3, "%d impacts", impacts);
    perp_world_destroy(world);
  }
}

/* ---- The interface ---- */

static bool count_calls(void *context, const perp_progress *progress)
{
  (void)progress;
  ++*(int *)context;
  return true;
}

/* Options changed between two steps apply to the second, and observers change nothing. */
static void options_may_change_between_steps(void)
{
  enum { STEPS = 30 };
  int64_t iterations[3][STEPS];
  for (int k = 0; k < 3;
       k++) { /* unchanged; with an observer now and then; to a looser tolerance */
    perp_simulation *sim = NULL;
    perp_options options = perp_options_default();
    options.tol = 1e-10;
    CHECK(perp_simulation_create("bricks:rows=4,columns=4", "nncg", &options, &sim, NULL) ==
          PERP_OK);
    perp_options *own = perp_simulation_options(sim);
    CHECK(own && own != &options && own->tol == options.tol);
    for (int s = 0; s < STEPS; s++) {
      int calls = 0;
      perp_step step;
      own->observer = k == 1 && s % 3 == 0 ? count_calls : NULL;
      own->observer_context = &calls;
      own->check_every = own->observer ? -1 : 0;
      own->tol = k == 2 && s >= STEPS / 2 ? 1e-3 : 1e-10;
      CHECK(perp_simulation_step(sim, &step, NULL) == PERP_OK && step.outcome == PERP_SOLVED);
      CHECK_SAY((calls > 0) == (own->observer && step.rows > 0), "step %d: %d calls", s, calls);
      iterations[k][s] = step.iterations;
    }
    perp_simulation_destroy(sim);
  }
  CHECK(memcmp(iterations[0], iterations[1], sizeof iterations[0]) == 0);
  int64_t strict = 0, loose = 0;
  for (int s = 0; s < STEPS; s++)
    if (s < STEPS / 2)
      CHECK(iterations[2][s] == iterations[0][s]);
    else
      strict += iterations[0][s], loose += iterations[2][s];
  CHECK_SAY(2 * loose < strict, "%lld iterations, %lld when loose", (long long)strict,
            (long long)loose);
  CHECK(perp_simulation_options(NULL) == NULL);
}

static void wrong_scenes_are_refused(void)
{
  static const struct {
    const char *scene, *method, *expected;
  } cases[] = {
      {"nowhere", "pgs", "nowhere"},   {"particle", "nonsense", "nonsense"},
      {"particle:mu=-1", "pgs", "mu"}, {"particle:what=1", "pgs", "what"},
      {"particle:mu", "pgs", "mu"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    perp_simulation *sim = NULL;
    perp_message why = {{0}};
    CHECK(perp_simulation_create(cases[k].scene, cases[k].method, NULL, &sim, &why) != PERP_OK);
    CHECK(sim == NULL);
    CHECK_SAY(strstr(why.text, cases[k].expected) != NULL, "%s", why.text);
  }
  /* more bodies than allowed, refused before memory is allocated for them */
  perp_world *crowd = new_world(&plain);
  CHECK(perp_world2_disc(crowd, 0, 0, 1, 1) == 0);
  crowd->bodies = PERP_BODIES;
  CHECK(perp_world2_disc(crowd, 0, 0, 1, 1) == -1 && crowd->crowded);
  crowd->bodies = 1;
  perp_world_destroy(crowd);
  /* A method that refuses the form says so at the first step. */
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  perp_step step;
  CHECK(perp_simulation_create("particle:form=conic", "pgs", NULL, &sim, &why) == PERP_OK);
  CHECK(perp_simulation_step(sim, &step, &why) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(why.text, "frame 1") != NULL, "%s", why.text);
  perp_simulation_destroy(sim);
  CHECK(perp_simulation_create(NULL, "pgs", NULL, &sim, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_simulation_step(NULL, &step, NULL) == PERP_ERROR_ARGUMENT);
}

static const test_case tests[] = {
    TEST(a_particle_slides_as_far_as_coulomb_says),
    TEST(masses_are_those_of_the_shapes),
    TEST(no_pair_is_missed),
    TEST(an_elastic_impact_keeps_momentum_and_energy),
    TEST(a_box_slides_as_far_as_coulomb_says),
    TEST(bounces_make_no_energy),
    TEST(an_elastic_disc_bounces_for_ever),
    TEST(a_wall_rests_on_its_weight),
    TEST(warm_starts_pay),
    TEST(no_step_is_worse_than_none),
    TEST(a_step_can_be_solved_again_from_its_start),
    TEST(an_impact_gives_back_its_share),
    TEST(options_may_change_between_steps),
    TEST(wrong_scenes_are_refused),
};

TEST_MAIN(tests)
