/* mesh_parts.h: what the files of mesh.h share */
#pragma once

#include "backend/petsc/mesh.h"

#undef I /* of complex.h; a coarse column for us */
#include "method/multilevel/grid/finest.h"

enum { PERP_MESH_MOST = 24 };

/* Grid `level` of a hierarchy: grid[level] is this rank's part of it with copies around, or all of
 * it; grid[level + 1] is the cover, the next grid as far as this part reaches, copies being wrong
 * there. */
typedef struct perp_mesh_level {
  perp_finest f;  /* its grids, and on level 0 the problem */
  int n[3];       /* cells of the whole grid */
  int halved[3];  /* so far */
  int correct;    /* layers of copies, from the own cells on, whose x is that of their owners */
  PetscSF copies; /* of cells, within this level; slots */
  PetscSF down;   /* from the covers to the next level; slots */
  PetscSF flat;   /* the same, by cell */
  bool shared;    /* the cover's flat array is a part of the next level's */
} perp_mesh_level;

struct perp_mesh {
  const perp_layout *layout;
  perp_mesh_data data;
  int levels; /* grids in parts; level[levels] is whole on every rank */
  perp_mesh_level level[PERP_MESH_MOST];
  perp_arena arena, once; /* `once`: what a change of the bounds' form frees */
  perp_run run;
  perp_problem problem;
  perp_options options;
  perp_operator *A;
  int unknowns;  /* of this part */
  int64_t total; /* over all ranks */
  int *cells;    /* by unknown; NULL: all cells */
  double *b, *lo, *hi, *x;
  bool box;               /* there are bounds other than x >= 0 */
  bool from_lower;        /* x is counted from the lower bounds, upper ones are left out */
  bool stale;             /* coarse grids are not those of the free cells */
  perp_mesh_result spent; /* exchanges, ... */
};

static inline perp_grid *perp_mesh_grid(perp_mesh *mesh, int level)
{
  return &mesh->level[level].f.grids.grid[level];
}

/* mesh_cycle.c */
PetscErrorCode perp_mesh_connect(perp_mesh *mesh, int level);
void perp_mesh_share_flat(perp_mesh *mesh, int level);
/* Copies of x, unless this many layers are correct already. */
PetscErrorCode perp_mesh_need(perp_mesh *mesh, int level, int layers);
PetscErrorCode perp_mesh_need_all(perp_mesh *mesh, int level);
/* After an interpolation: cells at the rim have neighbours that this rank does not know. */
static inline void perp_mesh_corrected(perp_mesh *mesh, int level)
{
  int *correct = &mesh->level[level].correct;
  *correct = *correct < mesh->layout->copies ? *correct : mesh->layout->copies - 1;
}
/* Where the next grid may differ from the cover: in the cells of the cover that its last update
 * listed, anywhere, or everywhere. */
typedef enum perp_mesh_change { PERP_MESH_LISTED, PERP_MESH_ANY, PERP_MESH_NEW } perp_mesh_change;
/* *changed: cells of the next grid that are others than before, listed in its changed[0]; -1: too
 * many to be listed, or everywhere. */
PetscErrorCode perp_mesh_push_network(perp_mesh *mesh, int level, perp_mesh_change which,
                                      int64_t *changed);

double perp_mesh_greatest_flat(perp_mesh *mesh); /* of this rank's own cells over level 0 */

/* All grids below `level`, of which the next one may differ anywhere, or only where the last update
 * of this one's cover changed it. */
PetscErrorCode perp_mesh_follow(perp_mesh *mesh, int level, bool all);
/* Residuals are restricted to the cover of `level`; then the correction is there. */
PetscErrorCode perp_mesh_descend(perp_mesh *mesh, int level, perp_smoothing how);
PetscErrorCode perp_mesh_start(perp_mesh *mesh, int cycles, perp_smoothing fine,
                               perp_smoothing coarse);
