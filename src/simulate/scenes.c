/* scenes.c: every scene, one line each */
#include "simulate/simulate.h"

extern const perp_scene perp_scene_discs;
extern const perp_scene perp_scene_pebbles;
extern const perp_scene perp_scene_bricks;
extern const perp_scene perp_scene_tower;
extern const perp_scene perp_scene_wall3d;
extern const perp_scene perp_scene_wrecking;
extern const perp_scene perp_scene_tower3d;
extern const perp_scene perp_scene_silo;
extern const perp_scene perp_scene_cards;
extern const perp_scene perp_scene_arch3d;
extern const perp_scene perp_scene_ragdolls;
extern const perp_scene perp_scene_dam;
extern const perp_scene perp_scene_drop;
extern const perp_scene perp_scene_tilted;
extern const perp_scene perp_scene_ceiling;
extern const perp_scene perp_scene_particle;

/* clang-format off */
const perp_scene *const perp_scenes[] = {
    &perp_scene_discs,
    &perp_scene_pebbles,
    &perp_scene_bricks,
    &perp_scene_tower,
    &perp_scene_wall3d,
    &perp_scene_wrecking,
    &perp_scene_tower3d,
    &perp_scene_silo,
    &perp_scene_cards,
    &perp_scene_arch3d,
    &perp_scene_ragdolls,
    &perp_scene_dam,
    &perp_scene_drop,
    &perp_scene_tilted,
    &perp_scene_ceiling,
    &perp_scene_particle,
    NULL,
};
/* clang-format on */
