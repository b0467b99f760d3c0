/* rigid3d/scenes.h: what the scenes of bodies in space share */
#pragma once

#include "base/elementary.h"
#include "simulate/rigid3d/world.h"

/* The ground, whose top is at z = 0, seen as a box around what there is to look at. */
static inline bool perp_world3_ground(perp_world *world, const double lo[3], const double hi[3])
{
  const double wide = 2 * perp_max(hi[0] - lo[0], hi[1] - lo[1]) + 2;
  const double at[3] = {0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), -0.5};
  for (int k = 0; k < 3; k++) {
    world->lo[k] = lo[k];
    world->hi[k] = hi[k];
  }
  const perp_part3 part = {PERP_SHAPE_BOX, {wide, wide, 0.5}, {0}, {1}, .ground = true};
  return perp_world3_body(world, at, NULL, 1, &part) >= 0;
}

/* A line of a table of scenes. */
#define PERP_SCENE3(name, title, type)                                                             \
  {                                                                                                \
#name, title, "rigid3d", name##_table, sizeof(type), name##_create, perp_world3_destroy_scene, \
        perp_world3_step_scene, perp_world_view, perp_world3_act, perp_world3_follow               \
  }
