/* fluid/scenes.c: a dam that breaks, a drop into a pool, a tilted box, a splash at the ceiling */
#include "simulate/fluid/fluid.h"

#include <math.h>

#define FLUID_ROWS(default_cells, default_solid)                                                   \
  PERP_INTEGER(perp_fluid_parameters, cells, default_cells, 4, 4096,                               \
               "cells across the container"),                                                      \
      PERP_FLAG(perp_fluid_parameters, solid, default_solid, "three dimensions"),                  \
      PERP_CHOICE(perp_fluid_parameters, walls, PERP_WALLS_SEPARATE, 1, perp_walls_names,          \
                  "whether liquid sticks to walls or may leave them"),                             \
      PERP_REAL(perp_fluid_parameters, gravity, 9.81, -1e3, 1e3, "acceleration downwards"),        \
      PERP_REAL(perp_fluid_parameters, h, 0.005, 1e-6, 1, "time step"),                            \
      PERP_REAL(perp_fluid_parameters, flip, 0.97, 0, 1, "share of FLIP, the rest is PIC")

static const perp_parameter table[] = {FLUID_ROWS(64, 0), {0}};

static bool in_dam(const double at[3])
{
  return at[0] < 0.35 && at[1] < 0.6;
}

static bool in_pool(const double at[3])
{
  return at[1] < 0.25;
}

static bool in_drop(const double at[3])
{
  const double x = at[0] - 0.5, y = at[1] - 0.65, z = at[2] > 0 ? at[2] - 0.25 : 0;
  return x * x + y * y + z * z < 0.15 * 0.15;
}

static bool in_pool_or_drop(const double at[3])
{
  return in_pool(at) || in_drop(at);
}

static bool in_block(const double at[3])
{
  return at[0] > 0.3 && at[0] < 0.7 && at[1] > 0.1 && at[1] < 0.4;
}

static bool in_half(const double at[3])
{
  return at[1] > 0.45; /* the upper part of a tilted box: it runs down its walls */
}

#define CREATE(name, ...)                                                                          \
  static perp_error create_##name(const void *par, uint64_t seed, void **state, perp_message *why) \
  {                                                                                                \
    const perp_fluid_scene scene = {.width = 1, .height = 1, .depth = 0.5, __VA_ARGS__};           \
    return perp_fluid_create(par, &scene, seed, state, why);                                       \
  }

CREATE(dam, .liquid = in_dam)
CREATE(drop, .liquid = in_pool_or_drop)
CREATE(tilted, .tilt = 0.5, .liquid = in_half)
CREATE(ceiling, .rise = 5, .liquid = in_block, .thrown = in_block)

#define SCENE(name, title)                                                                         \
  {                                                                                                \
#name, title, "fluid", table, sizeof(perp_fluid_parameters), create_##name,                    \
        perp_fluid_destroy, perp_fluid_step, perp_fluid_view, perp_fluid_act, perp_fluid_follow    \
  }

const perp_scene perp_scenes_fluid[] = {
    SCENE(dam, "a dam breaks"),
    SCENE(drop, "a drop falls into a pool"),
    SCENE(tilted, "liquid in a tilted box"),
    SCENE(ceiling, "liquid thrown against the ceiling"),
    {0},
};
