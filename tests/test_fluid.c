/* Liquids against known behaviour: at rest, in a splash, under a ceiling. */
#include "simulate/fluid/fluid.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

static bool lower_half(const double at[3])
{
  return at[1] < 0.5;
}

static perp_fluid *new_fluid(const perp_fluid_parameters *par, const perp_fluid_scene *scene)
{
  void *state = NULL;
  perp_message why = {{0}};
  CHECK_SAY(perp_fluid_create(par, scene, 1, &state, &why) == PERP_OK, "%s", why.text);
  return state;
}

static perp_stepper new_stepper(const char *method, perp_step *frame)
{
  perp_stepper stepper = {.options = perp_options_default(), .warm = true, .frame = frame};
  perp_message why = {{0}};
  CHECK_SAY(perp_solver_create(method, &stepper.solver, &why) == PERP_OK, "%s", why.text);
  return stepper;
}

static void step(perp_fluid *f, perp_stepper *stepper, int index)
{
  perp_message why = {{0}};
  *stepper->frame = (perp_step){.index = index, .outcome = PERP_SOLVED};
  CHECK_SAY(perp_fluid_step(f, stepper, &why) == PERP_OK, "%s", why.text);
  CHECK_SAY(stepper->frame->outcome == PERP_SOLVED, "step %d: %s", index,
            perp_outcome_name(stepper->frame->outcome));
}

/* Water that fills the lower half stays there with p = rho g d; d is the depth below the middle of
 * the first cell of air, which has p = 0. */
static void resting_water_stays_at_rest(void)
{
  for (int k = 0; k < 4; k++) {
    const perp_fluid_parameters par = {.cells = k < 2 ? 20 : 10,
                                       .solid = k >= 2,
                                       .walls = k % 2 ? PERP_WALLS_SEPARATE : PERP_WALLS_STICK,
                                       .gravity = 9.81,
                                       .h = 0.005,
                                       .flip = 0.97};
    const perp_fluid_scene scene = {.width = 1, .height = 1, .depth = 0.6, .liquid = lower_half};
    perp_fluid *f = new_fluid(&par, &scene);
    perp_step frame;
    perp_stepper stepper = new_stepper("gpcg", &frame);
    stepper.options.tol = 1e-10;
    for (int s = 1; s <= 100; s++) {
      step(f, &stepper, s);
      CHECK_SAY(frame.kinetic < 1e-12, "step %d: kinetic energy %g", s, frame.kinetic);
      CHECK_CLOSE(frame.volume, 1, 1e-12);
    }
    int cells = 0;
    for (int64_t at = 0; at < f->size; at++) {
      if (f->unknown[at] < 0)
        continue;
      const int up = (int)(at / f->step[f->up]); /* a layer of cells around the container */
      const double depth = (par.cells / 2 + 1 - up) * f->dx;
      CHECK_CLOSE(f->p[f->unknown[at]], 1000 * 9.81 * depth, 1e-3);
      CHECK(f->p[f->unknown[at]] >= 0);
      cells++;
    }
    CHECK(cells == (k < 2 ? 20 * 10 : 10 * 6 * 5));
    perp_solver_destroy(stepper.solver);
    perp_fluid_destroy(f);
  }
}

/* Particles at rest record the pressure of their depth, and the wall in cells of the first and the
 * last row. */
static void particles_feel_depth_and_walls(void)
{
  const perp_fluid_parameters par = {
      .cells = 20, .walls = PERP_WALLS_SEPARATE, .gravity = 9.81, .h = 0.005, .flip = 0.97};
  const perp_fluid_scene scene = {.width = 1, .height = 1, .liquid = lower_half};
  perp_fluid *f = new_fluid(&par, &scene);
  perp_step frame;
  perp_stepper stepper = new_stepper("gpcg", &frame);
  stepper.options.tol = 1e-10;
  perp_view view;
  perp_fluid_view(f, &view);
  for (int q = 0; q < view.particles; q++)
    CHECK(view.pressure[q] == 0 && view.touch[q] == PERP_TOUCH_NONE);
  step(f, &stepper, 1);
  perp_fluid_view(f, &view);
  int beside = 0;
  for (int q = 0; q < view.particles; q++) {
    /* a layer of cells surrounds the container */
    const int i = (int)floor((view.particle[2 * q] - view.lo[0]) / f->dx) - 1;
    const int j = (int)floor((view.particle[2 * q + 1] - view.lo[1]) / f->dx) - 1;
    const bool wall = i == 0 || i == 19 || j == 0;
    CHECK_CLOSE(view.pressure[q], 1000 * 9.81 * (10 - j) * f->dx, 1e-3);
    CHECK(view.touch[q] == (wall ? PERP_TOUCH_PRESS : PERP_TOUCH_NONE));
    beside += wall;
  }
  CHECK(view.particles == 4 * 20 * 10 && beside == 4 * (20 + 2 * 9));
  perp_solver_destroy(stepper.solver);
  perp_fluid_destroy(f);
}

static bool hanging_block(const double at[3])
{
  return at[0] < 0.3 && at[1] > 0.5 && at[1] < 0.8;
}

/* A block in free fall along a wall: liquid next to the wall falls like the rest, v = -g t. */
static void liquid_slips_along_walls(void)
{
  for (int solid = 0; solid < 2; solid++) {
    const perp_fluid_parameters par = {.cells = solid ? 16 : 32,
                                       .solid = solid,
                                       .walls = PERP_WALLS_SEPARATE,
                                       .gravity = 9.81,
                                       .h = 0.005,
                                       .flip = 0.97};
    const perp_fluid_scene scene = {.width = 1, .height = 1, .depth = 0.5, .liquid = hanging_block};
    perp_fluid *f = new_fluid(&par, &scene);
    perp_step frame;
    perp_stepper stepper = new_stepper("gpcg", &frame);
    for (int s = 1; s <= 40; s++)
      step(f, &stepper, s);
    double mean = 0;
    int near = 0;
    for (int q = 0; q < f->particles; q++)
      if (f->x[q * f->dim] < 0.25 * f->dx) {
        mean += f->v[q * f->dim + f->up];
        near++;
      }
    CHECK(near > 0);
    CHECK_SAY(fabs(mean / near / (-9.81 * frame.time) - 1) < 0.1, "%g, not %g", mean / near,
              -9.81 * frame.time);
    perp_solver_destroy(stepper.solver);
    perp_fluid_destroy(f);
  }
}

/* Through a splash and after it no more than 0.5 % of the liquid is lost or gained, averaged over
 * the last 100 of 500 steps because of waves and spray, nor 5 % in any step; no particle leaves the
 * container. */
static void no_liquid_is_lost(void)
{
  static const char *const scenes[] = {"dam:cells=32",     "dam:cells=32,walls=stick",
                                       "drop:cells=32",    "tilted:cells=32",
                                       "ceiling:cells=32", "dam:cells=12,solid=yes"};
  const size_t share = (size_t)test_share("scenes in which no liquid is lost", 4);
  for (size_t k = share - 1; k < sizeof scenes / sizeof *scenes; k += share) {
    perp_simulation *sim = NULL;
    perp_message why = {{0}};
    perp_options options = perp_options_default();
    options.tol = 1e-6;
    CHECK_SAY(perp_simulation_create(scenes[k], "mg", &options, &sim, &why) == PERP_OK, "%s",
              why.text);
    perp_view view;
    perp_simulation_view(sim, &view);
    const int particles = view.particles;
    double mean = 0;
    for (int s = 1; s <= 500; s++) {
      perp_step frame;
      CHECK_SAY(perp_simulation_step(sim, &frame, &why) == PERP_OK, "%s", why.text);
      CHECK(frame.outcome == PERP_SOLVED);
      mean += s > 400 ? frame.volume / 100 : 0;
      CHECK_SAY(fabs(frame.volume - 1) <= 0.05, "%s step %d: %g", scenes[k], s, frame.volume);
    }
    CHECK_SAY(fabs(mean - 1) <= 0.005, "%s: %g of the volume", scenes[k], mean);
    perp_simulation_view(sim, &view);
    CHECK(view.particles == particles);
    for (int q = 0; q < particles * view.dimension; q++) {
      const int d = q % view.dimension;
      CHECK(view.particle[q] > view.lo[d] && view.particle[q] < view.hi[d]);
    }
    perp_simulation_destroy(sim);
  }
}

/* Only gravity drives the liquid: the sum of kinetic and potential energy does not grow, however
 * the walls cut the cells. */
static void energy_does_not_grow(void)
{
  static const char *const scenes[] = {"tilted", "tilted:walls=stick", "tilted:cells=45",
                                       "tilted:cells=16,solid=yes"};
  const size_t share = (size_t)test_share("scenes in which energy does not grow", 4);
  for (size_t k = share - 1; k < sizeof scenes / sizeof *scenes; k += share) {
    perp_simulation *sim = NULL;
    perp_message why = {{0}};
    perp_options options = perp_options_default();
    options.tol = 1e-6;
    CHECK_SAY(perp_simulation_create(scenes[k], "mg", &options, &sim, &why) == PERP_OK, "%s",
              why.text);
    double first = 0;
    for (int s = 1; s <= 110; s++) {
      perp_step frame;
      CHECK_SAY(perp_simulation_step(sim, &frame, &why) == PERP_OK, "%s", why.text);
      const double energy = frame.kinetic + frame.potential;
      first = s == 1 ? energy : first;
      CHECK_SAY(energy <= 1.01 * first, "%s, step %d: %g from %g", scenes[k], s, energy, first);
    }
    perp_simulation_destroy(sim);
  }
}

/* Liquid thrown at a ceiling: with separating walls no pressure at them is below 0, and the liquid
 * falls; with sticking walls some is, and the liquid hangs longer. */
static void walls_hold_or_let_go(void)
{
  double least[2] = {0, 0}, height[2] = {0, 0};
  int touched[2][4] = {{0}};
  for (int walls = 0; walls < 2; walls++) {
    perp_simulation *sim = NULL;
    perp_message why = {{0}};
    CHECK(perp_simulation_create(walls ? "ceiling:cells=24,walls=separate"
                                       : "ceiling:cells=24,walls=stick",
                                 "gpcg", NULL, &sim, &why) == PERP_OK);
    for (int s = 1; s <= 90; s++) {
      perp_step frame;
      CHECK(perp_simulation_step(sim, &frame, &why) == PERP_OK);
      CHECK(frame.outcome == PERP_SOLVED);
      const perp_problem *p = perp_simulation_problem(sim);
      const double *x = perp_simulation_solution(sim);
      for (int i = 0; p && i < p->K.n; i++)
        if (walls == 0 || p->K.lo[i] == 0)
          least[walls] = fmin(least[walls], x[i]);
      height[walls] = frame.potential;
      perp_view view;
      perp_simulation_view(sim, &view);
      for (int q = 0; q < view.particles; q++)
        touched[walls][view.touch[q]]++;
    }
    perp_simulation_destroy(sim);
  }
  CHECK_SAY(least[PERP_WALLS_STICK] < -10, "%g", least[PERP_WALLS_STICK]);
  CHECK(least[PERP_WALLS_SEPARATE] == 0);
  CHECK(touched[PERP_WALLS_STICK][PERP_TOUCH_PULL] > 0);
  CHECK(touched[PERP_WALLS_SEPARATE][PERP_TOUCH_PULL] == 0);
  for (int walls = 0; walls < 2; walls++)
    CHECK(touched[walls][PERP_TOUCH_NONE] > 0 && touched[walls][PERP_TOUCH_PRESS] > 0);
  CHECK(touched[PERP_WALLS_SEPARATE][PERP_TOUCH_LEAVE] > 0);
  CHECK_SAY(height[PERP_WALLS_SEPARATE] < 0.98 * height[PERP_WALLS_STICK], "%g, %g",
            height[PERP_WALLS_SEPARATE], height[PERP_WALLS_STICK]);
}

static void repetition_gives_the_same_bits(void)
{
  perp_simulation *sim[2];
  perp_step frame[2];
  perp_message why = {{0}};
  for (int k = 0; k < 2; k++)
    CHECK(perp_simulation_create("dam:cells=20", "auto", NULL, &sim[k], &why) == PERP_OK);
  for (int s = 0; s < 60; s++) {
    for (int k = 0; k < 2; k++)
      CHECK(perp_simulation_step(sim[k], &frame[k], &why) == PERP_OK);
    perp_view a, b;
    perp_simulation_view(sim[0], &a);
    perp_simulation_view(sim[1], &b);
    CHECK(a.particles == b.particles);
    CHECK(memcmp(a.particle, b.particle, 2 * (size_t)a.particles * sizeof *a.particle) == 0);
  }
  for (int k = 0; k < 2; k++)
    perp_simulation_destroy(sim[k]);
}

/* In the plane and in space; the latter has more than one piece of cells and of particles, and
 * grids of several slabs, partly filled by a tilted container. The method itself runs on one
 * thread. */
static void threads_give_the_same_bits(void)
{
  static const char *const texts[] = {"tilted:cells=40", "dam:cells=42,solid=yes"};
  for (int text = 0; text < 2; text++) {
    perp_simulation *sim[3];
    perp_step frame[3];
    perp_message why = {{0}};
    for (int k = 0; k < 3; k++) {
      perp_options o = perp_options_default();
      o.tol = 1e-6;
      o.threads = 1 + 2 * k;
      CHECK_SAY(perp_simulation_create(texts[text], "mg", &o, &sim[k], &why) == PERP_OK, "%s",
                why.text);
    }
    for (int s = 0; s < 4; s++) {
      perp_view view[3];
      for (int k = 0; k < 3; k++) {
        CHECK(perp_simulation_step(sim[k], &frame[k], &why) == PERP_OK);
        perp_simulation_view(sim[k], &view[k]);
        const size_t n = (size_t)view[0].particles;
        CHECK(text == 0 || n > 40000);
        CHECK(memcmp(view[0].particle, view[k].particle,
                     (size_t)view[0].dimension * n * sizeof(double)) == 0);
        CHECK(memcmp(view[0].shade, view[k].shade, n * sizeof(double)) == 0);
        CHECK(memcmp(view[0].pressure, view[k].pressure, n * sizeof(double)) == 0);
        CHECK(memcmp(view[0].touch, view[k].touch, n * sizeof(int)) == 0);
        CHECK(frame[0].kinetic == frame[k].kinetic && frame[0].potential == frame[k].potential &&
              frame[0].volume == frame[k].volume && frame[0].iterations == frame[k].iterations);
      }
    }
    for (int k = 0; k < 3; k++)
      perp_simulation_destroy(sim[k]);
  }
}

static const test_case tests[] = {
    TEST(resting_water_stays_at_rest), TEST(liquid_slips_along_walls),
    TEST(no_liquid_is_lost),           TEST(energy_does_not_grow),
    TEST(walls_hold_or_let_go),        TEST(repetition_gives_the_same_bits),
    TEST(threads_give_the_same_bits),  TEST(particles_feel_depth_and_walls),
};

TEST_MAIN(tests)
