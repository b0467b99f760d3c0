/* mesh_cycle.c: V-cycles and full multigrid on grids in parts
 *
 * As method/multilevel/grid/cycle.c and start.c, with an exchange wherever too few layers of copies
 * are correct: a sweep needs two and makes two wrong, a restriction needs two. Then each rank has
 * the residuals beside its own cells itself, and after an exchange of coarse values it interpolates
 * those of its copies too. */
#include "backend/petsc/mesh_parts.h"

PetscErrorCode perp_mesh_follow(perp_mesh *mesh, int level, bool all)
{
  int64_t changed;
  PetscFunctionBegin;
  PetscCall(perp_mesh_push_network(mesh, level, all ? PERP_MESH_ANY : PERP_MESH_LISTED, &changed));
  for (int l = level + 1; l < mesh->levels; l++) {
    perp_grids_follow(&mesh->level[l].f.grids, l, changed);
    PetscCall(perp_mesh_push_network(mesh, l, PERP_MESH_LISTED, &changed));
  }
  perp_grids_follow(&mesh->level[mesh->levels].f.grids, mesh->levels, changed);
  PetscFunctionReturn(0);
}

static PetscErrorCode sweep(perp_mesh *mesh, int level, perp_grid_set set, int count)
{
  PetscFunctionBegin;
  for (int s = 0; s < count; s++) {
    PetscCall(perp_mesh_need(mesh, level, 2));
    perp_grid_sweep(perp_mesh_grid(mesh, level), set);
    mesh->level[level].correct -= 2;
  }
  PetscFunctionReturn(0);
}

/* The system of a grid in parts, f received, from zero. */
static PetscErrorCode cycle(perp_mesh *mesh, int level, perp_smoothing how)
{
  perp_grids *grids = &mesh->level[level].f.grids;
  const int more = perp_grids_more(level);
  PetscFunctionBegin;
  perp_grid_half_sweep(&grids->grid[level], PERP_GRID_LINEAR, 1);
  mesh->level[level].correct = mesh->layout->copies - 2; /* f and red at the rim are wrong */
  PetscCall(sweep(mesh, level, PERP_GRID_LINEAR, how.pre + more - 1));
  PetscCall(perp_mesh_need(mesh, level, 2));
  perp_grids_restrict(grids, level);
  PetscCall(perp_mesh_descend(mesh, level, how));
  perp_grids_add(grids, level, 1);
  perp_mesh_corrected(mesh, level);
  PetscCall(sweep(mesh, level, PERP_GRID_LINEAR, how.post + more));
  PetscFunctionReturn(0);
}

PetscErrorCode perp_mesh_descend(perp_mesh *mesh, int level, perp_smoothing how)
{
  perp_grid *next = perp_mesh_grid(mesh, level + 1);
  PetscFunctionBegin;
  PetscCall(perp_mesh_push_flat(mesh, level, false));
  perp_grid_receive(next);
  if (level + 1 == mesh->levels)
    perp_grids_cycle(&mesh->level[level + 1].f.grids, level + 1, how);
  else
    PetscCall(cycle(mesh, level + 1, how));
  PetscCall(perp_mesh_need_cover(mesh, level));
  perp_grid_send(next);
  perp_mesh_pull_flat(mesh, level);
  PetscFunctionReturn(0);
}

/* ---- Full multigrid ---- */

static PetscErrorCode problem_cycle(perp_mesh *mesh, int level, perp_grid_set set,
                                    perp_smoothing fine, perp_smoothing coarse)
{
  perp_finest *f = &mesh->level[level].f;
  PetscFunctionBegin;
  PetscCall(sweep(mesh, level, set, fine.pre));
  PetscCall(perp_mesh_need_all(mesh, level)); /* copies are marked as their owners mark them */
  if (set != PERP_GRID_LINEAR) {
    perp_start_mark(f, level, set);
    PetscCall(perp_mesh_follow(mesh, level, true)); /* the next grid was marked by itself */
  }
  perp_grids_restrict(&f->grids, level);
  PetscCall(perp_mesh_descend(mesh, level, coarse));
  perp_start_interpolate(f, level, set, 1, true);
  perp_mesh_corrected(mesh, level);
  PetscCall(sweep(mesh, level, set, fine.post));
  PetscFunctionReturn(0);
}

PetscErrorCode perp_mesh_start(perp_mesh *mesh, int cycles, perp_smoothing fine,
                               perp_smoothing coarse)
{
  const int last = mesh->levels;
  const perp_grid_set set = perp_finest_set(&mesh->level[0].f);
  PetscFunctionBegin;
  for (int level = 0; level < last; level++) {
    perp_start_load(&mesh->level[level].f, level);
    PetscCall(perp_mesh_push_flat(mesh, level, set == PERP_GRID_BOX));
  }
  for (int level = 1; level < last; level++)
    perp_grid_receive(perp_mesh_grid(mesh, level));
  perp_start_solve(&mesh->level[last].f, last, cycles, fine, coarse);
  perp_grid_send(perp_mesh_grid(mesh, last));
  for (int level = last - 1; level > 0; level--) {
    perp_mesh_pull_flat(mesh, level);
    for (int colour = 0; colour < 2; colour++)
      perp_start_interpolate(&mesh->level[level].f, level, set, colour, false);
    mesh->level[level].correct = mesh->layout->copies;
    perp_mesh_corrected(mesh, level);
    for (int c = 0; c < cycles; c++)
      PetscCall(problem_cycle(mesh, level, set, fine, coarse));
    PetscCall(perp_mesh_need_cover(mesh, level - 1));
    perp_grid_send(perp_mesh_grid(mesh, level));
  }
  perp_mesh_pull_flat(mesh, 0);
  perp_finest_prolong(&mesh->level[0].f);
  mesh->level[0].correct = mesh->layout->copies;
  perp_mesh_corrected(mesh, 0);
  mesh->stale = true;
  PetscFunctionReturn(0);
}
