/* scenes.c: every scene, one line each */
#include "simulate/simulate.h"

extern const perp_scene perp_scene_particle;

const perp_scene *const perp_scenes[] = {
    &perp_scene_particle,
    NULL,
};
