/* Scenes against what mechanics says of them, and the interface against wrong calls. */
#include "test.h"

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
  /* A method that does not take the form says so at the first step. */
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
    TEST(wrong_scenes_are_refused),
};

TEST_MAIN(tests)
