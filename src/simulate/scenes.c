/* scenes.c: every scene, one line each */
#include "simulate/simulate.h"

extern const perp_scene perp_scene_discs;
extern const perp_scene perp_scene_pebbles;
extern const perp_scene perp_scene_bricks;
extern const perp_scene perp_scene_tower;
extern const perp_scene perp_scene_particle;

const perp_scene *const perp_scenes[] = {
    &perp_scene_discs, &perp_scene_pebbles,  &perp_scene_bricks,
    &perp_scene_tower, &perp_scene_particle, NULL,
};
