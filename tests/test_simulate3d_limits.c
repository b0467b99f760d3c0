/* Scenes in space at their limits: bodies that fly away, crowds, the ground far out. */
#include "simulate/rigid3d/world.h"
#include "world3.h"

/* ---- Which boxes meet ---- */

typedef struct pairs {
  int count;
  bool *seen; /* n x n */
  int n;
} pairs;

static bool note(void *context, int a, int b)
{
  pairs *p = context;
  const int least = a < b ? a : b, most = a < b ? b : a;
  if (p->seen) {
    bool *seen = &p->seen[least * p->n + most];
    CHECK_SAY(a != b && !*seen, "boxes %d and %d", a, b);
    *seen = true;
  }
  p->count++;
  return true;
}

/* Boxes of sizes from 1e-3 to 1e3 in random places: all pairs that brute force finds, once each. */
static void boxes_meet_as_brute_force_says(void)
{
  enum { N = 60 };
  for (uint64_t seed = 1; seed <= 300; seed++) {
    perp_random random = perp_random_from(seed);
    perp_box box[N];
    const double room = pow(10, perp_random_between(&random, -1, 3));
    const double most = perp_random_between(&random, -2, 3);
    for (int k = 0; k < N; k++) {
      const double size = pow(10, perp_random_between(&random, -3, most));
      for (int j = 0; j < 3; j++) {
        const double at = room * perp_random_between(&random, -1, 1);
        box[k].lo[j] = at - size * perp_random_uniform(&random);
        box[k].hi[j] = at + size * perp_random_uniform(&random);
      }
      if (k % 20 == 19) /* none */
        box[k] = (perp_box){.lo = {1}, .hi = {-1}};
      else if (k % 20 == 18) /* a point that touches another box */
        for (int j = 0; j < 3; j++)
          box[k].lo[j] = box[k].hi[j] = box[k - 1].hi[j];
    }
    bool seen[N * N] = {false};
    pairs p = {.seen = seen, .n = N};
    perp_arena arena = {0};
    CHECK(perp_boxes_meet(N, box, &arena, note, &p));
    perp_arena_free(&arena);
    for (int a = 0; a < N; a++)
      for (int b = a + 1; b < N; b++) {
        bool overlap = true;
        for (int j = 0; j < 3; j++)
          overlap = overlap &&
                    fmax(box[a].lo[j], box[b].lo[j]) <= fmin(box[a].hi[j], box[b].hi[j]) &&
                    box[a].lo[j] <= box[a].hi[j] && box[b].lo[j] <= box[b].hi[j];
        CHECK_SAY(seen[a * N + b] == overlap, "seed %d: boxes %d and %d", (int)seed, a, b);
      }
  }
}

/* A row of 300,000 boxes, each touching its neighbours: fast, and without quadratic memory. */
static void many_boxes_meet_their_neighbours(void)
{
  const int n = 300000;
  perp_box *box = calloc((size_t)n, sizeof *box);
  CHECK(box);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < 3; j++) {
      box[k].lo[j] = j == 0 ? k : 0;
      box[k].hi[j] = box[k].lo[j] + 1;
    }
  pairs p = {0};
  perp_arena arena = {0};
  CHECK(perp_boxes_meet(n, box, &arena, note, &p));
  CHECK_EQUAL_INT(p.count, n - 1);
  perp_arena_free(&arena);
  free(box);
}

/* ---- Bodies that leave ---- */

static bool stop_at_once(void *context, int a, int b)
{
  (void)a;
  (void)b;
  return ++*(int *)context < 2;
}

static void a_search_ends_where_it_is_told(void)
{
  perp_box box[4];
  for (int k = 0; k < 4; k++)
    box[k] = (perp_box){.lo = {0, 0, 0}, .hi = {1, 1, 1}};
  perp_arena arena = {0};
  int calls = 0;
  CHECK(!perp_boxes_meet(4, box, &arena, stop_at_once, &calls));
  CHECK_EQUAL_INT(calls, 2);
  perp_arena_free(&arena);
}

/* Runs a scene to its end whatever the outcomes; counts frames that report bodies gone. */
static int run_to_the_end(const char *scene, const char *method, int sweeps, int steps)
{
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  perp_options options = perp_options_default();
  options.max_iterations = sweeps;
  CHECK_SAY(perp_simulation_create(scene, method, &options, &sim, &why) == PERP_OK, "%s", why.text);
  int told = 0;
  for (int k = 0; k < steps; k++) {
    perp_step step;
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s, frame %d: %s", scene, k,
              why.text);
    CHECK_SAY(isfinite(step.kinetic) && isfinite(step.potential), "%s, frame %d", scene, k);
    told += strstr(perp_simulation_trouble(sim), "away from the scene") != NULL;
  }
  perp_view view;
  perp_simulation_view(sim, &view);
  for (int i = 0; i < 7 * view.shapes; i++)
    CHECK_SAY(isfinite(view.pose[i]), "%s, shape %d", scene, i / 7);
  perp_simulation_destroy(sim);
  return told;
}

static void trouble_never_ends_a_run(void)
{
  need_ode();
  static const struct {
    const char *scene, *method;
    int sweeps, steps;
    bool leaves;
  } cases[] = {
      {"wrecking:rows=3,columns=3", "admm", 3, 300, false},
      {"ragdolls:n=2", "admm", 5, 1000, false},
      {"ragdolls:n=12,stairs=1,gravity=1000000,push=2.5e-08,cfm=0,seed=27", "coloured", 50, 30,
       false},
      {"tower3d:n=2,gravity=-1e6", "auto", 0, 2000, true},
      {"tower3d:n=2,gravity=-1e6,engine=ode-step", "auto", 0, 100, true},
      {"ragdolls:n=2,gravity=-1e6,engine=ode-step", "auto", 0, 100, true},
      {"ragdolls:n=2,gravity=-1e6,engine=ode-quickstep,after=3", "auto", 0, 100, true},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const int told =
        run_to_the_end(cases[k].scene, cases[k].method, cases[k].sweeps, cases[k].steps);
    /* once for what leaves together */
    CHECK_SAY(!cases[k].leaves || (told > 0 && told <= 12), "%s: told %d times", cases[k].scene,
              told);
  }
}

static void steps_of_a_thousand_seconds_end_no_run(void)
{
  need_ode();
  static const char *const scenes[] = {"wall3d:rows=2,columns=2",
                                       "wrecking:rows=2,columns=2",
                                       "tower3d:n=3",
                                       "silo:n=20",
                                       "cards:levels=1",
                                       "arch3d:n=5",
                                       "ragdolls:n=1"};
  static const char *const engines[] = {"perp", "ode-step", "ode-quickstep"};
  for (size_t k = 0; k < 3 * sizeof scenes / sizeof *scenes; k++) {
    char scene[100];
    snprintf(scene, sizeof scene, "%s,h=1000,engine=%s", scenes[k / 3], engines[k % 3]);
    run_to_the_end(scene, "pgs", 20, 30);
  }
}

/* One of two joined bodies flies away: both are removed, the third moves as if they had never
 * existed. */
static void what_hangs_together_leaves_together(void)
{
  perp_world *world = new_world(&plain);
  add_floor(world);
  for (int k = 0; k < 3; k++)
    CHECK(perp_world3_sphere(world, (double[]){k, 0, 5}, 0.1, 100) == k + 1);
  CHECK(perp_world3_joint(world, PERP_JOINT3_BALL, 1, 2, (double[]){0.5, 0, 5}, NULL) == 0);
  void *state = NULL;
  perp_message why = {{0}};
  perp_step step = {0};
  CHECK(perp_world_finish(world, &state, &why) == PERP_OK);
  perp_stepper stepper = {.options = perp_options_default(), .warm = true, .frame = &step};
  CHECK(perp_solver_create("dantzig", &stepper.solver, &why) == PERP_OK);
  for (int k = 1; k <= 200; k++) {
    if (k == 10)
      world->body[1].v[0] = 1e12;
    step = (perp_step){.index = k, .outcome = PERP_SOLVED};
    stepper.trouble.text[0] = 0;
    CHECK_SAY(perp_world_step(world, &stepper, &why) == PERP_OK, "%s", why.text);
    CHECK_EQUAL_INT(step.rows > 0 && k >= 11 && k < 100,
                    false); /* no joint is left, nor a contact */
    CHECK_SAY((strncmp(stepper.trouble.text, "removed 2 bodies more than", 26) == 0) == (k == 10),
              "step %d: %s", k, stepper.trouble.text);
    CHECK(world->body[1].gone == (k >= 10) && world->body[2].gone == (k >= 10));
  }
  CHECK_EQUAL_INT(world->gone, 2);
  CHECK_CLOSE(world->body[3].at[2], 0.1, 1e-6);
  CHECK(step.kinetic < 1e-9);
  CHECK_CLOSE(step.potential, world->body[3].mass * 9.81 * 0.1, 1e-3);
  perp_solver_destroy(stepper.solver);
  perp_world_destroy(world);
}

/* ---- The ground, and crowds ---- */

/* A ball, a box and a capsule thrown along the ground: they are still on it at 600 widths of the
 * scene. */
static void the_ground_goes_on(void)
{
  perp_world_parameters par = plain;
  par.mu = 0;
  perp_world *world = new_world(&par);
  perp_world3_ground(world, (double[]){-1, -1, 0}, (double[]){1, 1, 1});
  perp_world3_sphere(world, (double[]){0, 0, 0.1}, 0.1, 100);
  perp_world3_box(world, (double[]){0, 1, 0.1}, NULL, (double[]){0.1, 0.1, 0.1}, 100);
  perp_world3_capsule(world, (double[]){0, -1, 0.3}, NULL, 0.1, 0.2, 100);
  for (int k = 1; k <= 3; k++)
    world->body[k].v[0] = 300;
  perp_step last;
  run_world(world, "dantzig", 200, &last, NULL, NULL);
  for (int k = 1; k <= 3; k++) {
    CHECK_CLOSE(world->body[k].at[0], 600, 1e-6);
    CHECK_CLOSE(world->body[k].at[2], k == 3 ? 0.3 : 0.1, 1e-6);
  }
  /* and it looks as it did */
  CHECK(world->shape[0].size[0] == 6 && world->shape[0].size[2] == 0.5);
  perp_world_destroy(world);
}

/* Bodies thrown about stay above the ground: the potential energy is never below 0. */
static void nothing_rolls_off_the_ground(void)
{
  static const char *const scenes[] = {"wall3d:ball=yes,rows=4,columns=4", "arch3d:ball=yes"};
  for (int k = 0; k < 2; k++) {
    perp_simulation *sim = NULL;
    perp_message why = {{0}};
    perp_options options = perp_options_default();
    options.tol = 1e-4;
    CHECK(perp_simulation_create(scenes[k], "auto", &options, &sim, &why) == PERP_OK);
    double first = 0;
    for (int s = 0; s < 400; s++) {
      perp_step step;
      CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
      if (s == 0)
        first = step.kinetic + step.potential;
      CHECK_SAY(step.potential > 0 && step.kinetic + step.potential < 1.01 * first,
                "%s, step %d: %g and %g", scenes[k], s, step.kinetic, step.potential);
    }
    perp_simulation_destroy(sim);
  }
}

static void crowds_are_refused(void)
{
  perp_world *world = new_world(&plain);
  CHECK(perp_world3_sphere(world, (double[]){0, 0, 0}, 1, 1) == 0);
  world->bodies = PERP_BODIES; /* as if they were there */
  CHECK(perp_world3_sphere(world, (double[]){0, 0, 0}, 1, 1) == -1);
  world->bodies = 1;
  void *state = NULL;
  perp_message why = {{0}};
  CHECK(perp_world_finish(world, &state, &why) == PERP_ERROR_ARGUMENT);
  CHECK_SAY(strstr(why.text, "bodies") != NULL, "%s", why.text);
}

/* The kinetic energy after gravity, without contacts; the gyroscopic step never adds any. */
static double free_energy(const perp_world *world)
{
  double sum = 0;
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    double R[9], w[3], Iw[3], v[3];
    if (b->mass_inverse == 0)
      continue;
    perp_v3_add(b->v, world->par.h * world->par.gravity, world->down, v);
    perp_q_matrix(b->turn, R);
    perp_m3_apply_t(R, b->spin, w);
    perp_m3_apply(b->inertia, w, Iw);
    sum += 0.5 * (b->mass * perp_v3_dot(v, v) + perp_v3_dot(w, Iw));
  }
  return sum;
}

/* A step that ends before it is solved, by time or after two sweeps, never has more kinetic energy
 * than the step before and gravity give. */
static void unsolved_steps_add_no_energy(void)
{
  extern const perp_scene perp_scenes_plane[], perp_scenes_space[];
  static const struct {
    const char *method, *settings;
    double seconds;
    int most;
  } runs[] = {{"auto", "friction=cone", 2e-3, 0},
              {"nncg", "friction=cone", 0, 2},
              {"pgs", "friction=findex", 0, 2}};
  const int share = test_share("methods for each scene", 3);
  int unsolved = 0, scenes = 0;
  for (int k = 0; k < 6; k++) {
    const perp_scene *const table = k % 2 ? perp_scenes_space : perp_scenes_plane;
    for (const perp_scene *s = table; s->name; s++) {
      if ((s - table + k / 2) % share != 0)
        continue;
      perp_message why = {{0}};
      void *parameters = calloc(1, s->simulator->parameter_bytes), *state = NULL;
      uint64_t seed = 3;
      char settings[64];
      snprintf(settings, sizeof settings, "%s%s", runs[k / 2].settings,
               strcmp(s->name, "silo") == 0 ? ",n=400" : "");
      perp_parameters_default(s->parameters, parameters);
      CHECK(perp_parameters_parse(s->name, s->parameters, parameters, settings, &seed, &why) ==
            PERP_OK);
      CHECK_SAY(s->simulator->create(s, parameters, seed, &state, &why) == PERP_OK, "%s", why.text);
      const perp_world *world = state;
      perp_step step = {0};
      perp_stepper stepper = {.options = perp_options_default(), .warm = true, .frame = &step};
      stepper.options.time_limit = runs[k / 2].seconds;
      stepper.options.max_iterations = runs[k / 2].most;
      CHECK(perp_solver_create(runs[k / 2].method, &stepper.solver, &why) == PERP_OK);
      for (int t = 0; t < 60; t++) {
        const double most = free_energy(world);
        step = (perp_step){.index = t + 1, .outcome = PERP_SOLVED};
        CHECK_SAY(s->simulator->step(state, &stepper, &why) == PERP_OK, "%s: %s", s->name,
                  why.text);
        unsolved += step.outcome != PERP_SOLVED;
        CHECK_SAY(step.outcome == PERP_SOLVED || step.kinetic <= most * (1 + 1e-9) + 1e-300,
                  "%s by %s, step %d: %.9g above %.9g", s->name, runs[k / 2].method, t,
                  step.kinetic, most);
      }
      perp_solver_destroy(stepper.solver);
      s->simulator->destroy(state);
      free(parameters);
      scenes++;
    }
  }
  printf("  %d scenes, %d unsolved steps\n", scenes, unsolved);
  CHECK(scenes > 30 / share && unsolved > 500 / share);
}

static const test_case tests[] = {
    TEST(boxes_meet_as_brute_force_says),
    TEST(many_boxes_meet_their_neighbours),
    TEST(a_search_ends_where_it_is_told),
    TEST(trouble_never_ends_a_run),
    TEST(steps_of_a_thousand_seconds_end_no_run),
    TEST(what_hangs_together_leaves_together),
    TEST(the_ground_goes_on),
    TEST(nothing_rolls_off_the_ground),
    TEST(crowds_are_refused),
    TEST(unsolved_steps_add_no_energy),
};

TEST_MAIN(tests)
