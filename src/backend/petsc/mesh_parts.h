/* mesh_parts.h: internal interface of the files behind mesh.h */
#pragma once

#include "backend/petsc/mesh.h"

#undef I /* complex.h defines it; here it is a coarse column */
#include "method/multilevel/grid/finest.h"

enum { PERP_MESH_MOST = 24 };

/* Grid `level` of a hierarchy: grid[level] is this rank's part of it with copies, or all of it;
 * grid[level + 1] is the cover, the next grid as far as this part reaches; its copies are
 * invalid. */
typedef struct perp_mesh_level {
  perp_finest f;  /* its grids, and on level 0 the problem */
  int n[3];       /* cells of the whole grid */
  int halved[3];  /* so far */
  int correct;    /* valid layers of copies, counted from the own cells */
  PetscSF copies; /* of cells, within this level; slots */
  PetscSF down;   /* from the covers to the next level; slots */
  PetscSF flat;   /* likewise, by cell */
  bool shared;    /* the cover's flat array is a part of the next level's */
} perp_mesh_level;

struct perp_mesh {
  const perp_layout *layout;
  perp_mesh_data data;
  int levels; /* distributed grids; level[levels] is whole on every rank */
  perp_mesh_level level[PERP_MESH_MOST];
  perp_arena arena;
  perp_run run;
  perp_problem problem;
  perp_options options;
  perp_operator *A;
  int unknowns;  /* of this part */
  int64_t total; /* over all ranks */
  int *cells;    /* by unknown; NULL: all cells */
  double *b, *lo, *hi, *x;
  bool box;               /* there are bounds other than x >= 0 */
  bool from_lower;        /* x is relative to the lower bounds, upper ones are left out */
  bool stale;             /* coarse grids are out of date with the free cells */
  perp_mesh_result spent; /* exchanges, ... */
};

static inline perp_grid *perp_mesh_grid(perp_mesh *mesh, int level)
{
  return &mesh->level[level].f.grids.grid[level];
}

/* mesh_cycle.c */
PetscErrorCode perp_mesh_connect(perp_mesh *mesh, int level);
void perp_mesh_share_flat(perp_mesh *mesh, int level);
/* Fetches copies of x, unless this number of layers is valid already. */
PetscErrorCode perp_mesh_need(perp_mesh *mesh, int level, int layers);
PetscErrorCode perp_mesh_need_all(perp_mesh *mesh, int level);
/* After an interpolation: cells at the rim have neighbours that this rank lacks. */
static inline void perp_mesh_corrected(perp_mesh *mesh, int level)
{
  int *correct = &mesh->level[level].correct;
  *correct = *correct < mesh->layout->copies ? *correct : mesh->layout->copies - 1;
}
/* Where the next grid may differ from the cover: in the cells of the cover that its last update
 * listed, anywhere, or everywhere. */
typedef enum perp_mesh_change { PERP_MESH_LISTED, PERP_MESH_ANY, PERP_MESH_NEW } perp_mesh_change;
/* *changed: number of cells of the next grid that have changed, listed in its changed[0]; -1: too
 * many to list, or everywhere. */
PetscErrorCode perp_mesh_push_network(perp_mesh *mesh, int level, perp_mesh_change which,
                                      int64_t *changed);

double perp_mesh_greatest_flat(perp_mesh *mesh); /* of this rank's own cells over level 0 */

/* Updates all grids below `level`; the next one may differ anywhere, or only where the last update
 * of this one's cover changed it. */
PetscErrorCode perp_mesh_follow(perp_mesh *mesh, int level, bool all);
/* Restricts the residuals to the cover of `level`, then computes the correction. */
PetscErrorCode perp_mesh_descend(perp_mesh *mesh, int level, perp_smoothing how);
PetscErrorCode perp_mesh_start(perp_mesh *mesh, int cycles, perp_smoothing fine,
                               perp_smoothing coarse);
