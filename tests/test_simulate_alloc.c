/* test_simulate_alloc.c: a step does not use the heap once the number of contacts stops growing
 *
 * Except with friction=polyhedral: A is not symmetric, and auto reads all its entries to choose a
 * method, with additional memory; in the plane it is also assembled again, as with operator=csr.
 * Allocations inside ODE's library are not counted. */
#include "count_alloc.h"
#include "world3.h"

/* Steps until many in a row had no more rows than any before; then counts the allocations of some
 * more. */
static void step_at_rest(const char *scene, const char *method)
{
  enum { CALM = 20, MOST = 600, COUNTED = 20 };
  perp_simulation *sim = NULL;
  perp_message why = {{0}};
  CHECK_SAY(perp_simulation_create(scene, method, NULL, &sim, &why) == PERP_OK, "%s", why.text);
  perp_step step = {0};
  int steps = 0;
  int rows = 0;
  for (int calm = 0; calm < CALM && steps < MOST; steps++) {
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
    calm = rows > 0 && step.rows <= rows ? calm + 1 : 0;
    rows = step.rows > rows ? step.rows : rows;
  }
  CHECK_SAY(steps < MOST, "%s does not come to rest", scene);
  for (int k = 0; k < COUNTED; k++) {
    allocations = 0;
    CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
    CHECK_EQUAL_INT(step.outcome, PERP_SOLVED);
    CHECK_SAY(step.rows > rows || allocations == 0, "%s by %s, step %lld: %lld allocations", scene,
              method, (long long)step.index, (long long)allocations);
  }
  perp_simulation_destroy(sim);
}

static void a_step_in_the_plane_allocates_nothing(void)
{
  static const char *const scenes[] = {
      "bricks:rows=3,columns=3",   "bricks:rows=3,columns=3,friction=none",
      "tower:n=4,friction=cone",   "tower:n=4,cfm=1e-6",
      "tower:n=4,restitution=0.3",
  };
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    step_at_rest(scenes[k], "auto");
  step_at_rest("bricks:rows=3,columns=3", "psor");
}

static void a_step_in_space_allocates_nothing(void)
{
  static const char *const scenes[] = {
      "wall3d:rows=3,columns=2",
      "wall3d:rows=3,columns=2,friction=none",
      "wall3d:rows=3,columns=2,friction=cone",
      "wrecking:rows=2,columns=2,links=3,angle=0",
  };
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    step_at_rest(scenes[k], "auto");
}

static const test_case TESTS[] = {
    TEST(a_step_in_the_plane_allocates_nothing),
    TEST(a_step_in_space_allocates_nothing),
};
TEST_MAIN(TESTS)
