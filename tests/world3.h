/* world3.h: bodies in space stepped by tests */
#pragma once

#include "simulate/rigid3d/world.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

static inline bool have_ode(void)
{
  for (const perp_component *c = perp_lab_components(); c->name; c++)
    if (strcmp(c->name, "ode") == 0)
      return c->present;
  return false;
}

static inline void need_ode(void)
{
  if (!have_ode())
    test_skip("built without ODE");
}

static const perp_world_parameters plain = {.friction = PERP_FRICTION_FINDEX,
                                            .directions = 4,
                                            .points = PERP_POINTS3,
                                            .iterations = 20,
                                            .mu = 0.5,
                                            .gravity = 9.81,
                                            .h = 0.01,
                                            .erp = 0.2,
                                            .slop = 1e-3,
                                            .push = 1};

static inline perp_world *new_world(const perp_world_parameters *par)
{
  perp_world *world = perp_alloc(1, sizeof *world);
  CHECK(world != NULL);
  perp_world_init(world, par, &perp_world_space);
  return world;
}

static inline int add_floor(perp_world *world)
{
  return perp_world3_box(world, (double[]){0, 0, -0.5}, NULL, (double[]){50, 50, 0.5}, 0);
}

typedef void watcher(const perp_world *world, const perp_step *step, void *context);

/* Steps a world built here; a step that is not solved to tol is a failure. */
static inline void run_world_to(double tol, perp_world *world, const char *method, int steps,
                                perp_step *last, watcher *watch, void *context)
{
  void *state = NULL;
  perp_message why = {{0}};
  if (!world->shape)
    CHECK_SAY(perp_world_finish(world, &state, &why) == PERP_OK, "%s", why.text);
  perp_stepper stepper = {.options = perp_options_default(), .warm = true, .frame = last};
  stepper.options.tol = tol;
  CHECK(perp_solver_create(method, &stepper.solver, &why) == PERP_OK);
  for (int k = 0; k < steps; k++) {
    *last = (perp_step){.index = k + 1, .outcome = PERP_SOLVED};
    CHECK_SAY(perp_world_step(world, &stepper, &why) == PERP_OK, "%s", why.text);
    CHECK_SAY(last->outcome == PERP_SOLVED, "step %d: %s, residual %g", k,
              perp_outcome_name(last->outcome), last->residual);
    if (watch)
      watch(world, last, context);
  }
  perp_solver_destroy(stepper.solver);
}

static inline void run_world(perp_world *world, const char *method, int steps, perp_step *last,
                             watcher *watch, void *context)
{
  run_world_to(1e-8, world, method, steps, last, watch, context);
}
