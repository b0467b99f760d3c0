/* scenes.c: the tables of scenes, in the order in which they are listed */
#include "simulate/simulate.h"

/* Each ends with one without a name. */
extern const perp_scene perp_scenes_plane[], perp_scenes_piled[], perp_scenes_built[],
    perp_scenes_fluid[], perp_scenes_particle[];

static const perp_scene *const families[] = {perp_scenes_plane, perp_scenes_piled,
                                             perp_scenes_built, perp_scenes_fluid,
                                             perp_scenes_particle};

const perp_scene *perp_scene_get(int index)
{
  for (size_t f = 0; f < sizeof families / sizeof *families && index >= 0; f++)
    for (const perp_scene *s = families[f]; s->name; s++)
      if (index-- == 0)
        return s;
  return NULL;
}
