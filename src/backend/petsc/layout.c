/* layout.c: distributes a grid over ranks
 *
 * Each rank owns a box of cells and has copies of the cells at most `copies` layers from it. A
 * coarse cell is two cells along each halved axis, so boxes begin at multiples of 2^levels: a
 * coarse cell then belongs to one rank on all distributed grids, and red cells are red for every
 * rank. A red-black sweep relaxes the copies too; it invalidates the two outer valid layers and
 * gives every owned cell the value that it has on one rank. So `copies` / 2 sweeps need one
 * exchange. In the plane more copies cost almost nothing. In solid grids they are a large fraction
 * of the cells. */
#include "backend/petsc/mesh.h"

#include <math.h>

enum {
  COPIES_PLANE = 8,
  COPIES_SOLID = 2,
  SMALL = 4096, /* cells: every rank solves a grid of this size */
  WIDTH = 16,   /* smallest width of a part of the first grid */
};

/* Returns the surface of the parts relative to their volume: smaller is better; infinite if they
 * are too thin. */
static double cost_of(const perp_layout *layout, const int ranks[3])
{
  double cost = 0;
  for (int axis = 0; axis < 3; axis++) {
    if (ranks[axis] > 1 && layout->n[axis] / ranks[axis] < WIDTH)
      return INFINITY;
    cost += (double)ranks[axis] / layout->n[axis];
  }
  return cost + 1e-9 * ranks[0]; /* long rows are faster */
}

/* Chooses the arrangement with the smallest surface, with as many ranks as get a part wide
 * enough. */
static void choose_ranks(perp_layout *layout)
{
  for (int count = layout->size; count > 0; count--) {
    double best = INFINITY;
    for (int x = 1; x <= count; x++)
      for (int y = 1; y <= count / x; y++) {
        const int ranks[3] = {x, y, count / x / y};
        if (x * y * ranks[2] != count)
          continue;
        const double cost = cost_of(layout, ranks);
        if (cost < best) {
          best = cost;
          for (int axis = 0; axis < 3; axis++)
            layout->ranks[axis] = ranks[axis];
        }
      }
    if (best < INFINITY)
      return;
  }
}

static int choose_levels(const perp_layout *layout)
{
  int levels = 0;
  if (layout->ranks[0] * layout->ranks[1] * layout->ranks[2] == 1)
    return 0;
  for (; levels < 20; levels++) {
    double cells = 1;
    for (int axis = 0; axis < 3; axis++) {
      cells *= ceil(ldexp(layout->n[axis], -levels));
      /* parts of the last distributed grid have at least 4 cells */
      if (layout->ranks[axis] > 1 && layout->n[axis] / layout->ranks[axis] < 2 << (levels + 1))
        return levels;
    }
    if (cells <= SMALL && levels > 0)
      return levels;
  }
  return levels;
}

PetscErrorCode perp_layout_create(MPI_Comm comm, const int n[3], perp_layout *layout)
{
  *layout = (perp_layout){.comm = comm, .axes = n[2] > 1 ? 3 : 2, .ranks = {1, 1, 1}};
  PetscCallMPI(MPI_Comm_rank(comm, &layout->rank));
  PetscCallMPI(MPI_Comm_size(comm, &layout->size));
  for (int axis = 0; axis < 3; axis++)
    layout->n[axis] = n[axis];
  choose_ranks(layout);
  layout->levels = choose_levels(layout);
  layout->copies = layout->axes == 2 ? COPIES_PLANE : COPIES_SOLID;
  for (int axis = 0; axis < 3; axis++) {
    const int count = layout->levels ? layout->ranks[axis] : 1, unit = 1 << layout->levels;
    layout->ranks[axis] = count;
    PetscCall(PetscMalloc1(count + 1, &layout->cut[axis]));
    for (int p = 0; p < count; p++)
      layout->cut[axis][p] = (int)lround((double)n[axis] * p / count / unit) * unit;
    layout->cut[axis][count] = n[axis];
  }
  return 0;
}

PetscErrorCode perp_layout_destroy(perp_layout *layout)
{
  for (int axis = 0; axis < 3; axis++)
    PetscCall(PetscFree(layout->cut[axis]));
  return 0;
}

/* Halves a coordinate; the end of the grid is rounded up. */
static int halve(int at, int times)
{
  return (int)(((int64_t)at + (1 << times) - 1) >> times);
}

perp_box perp_layout_own(const perp_layout *layout, const int halved[3], int rank)
{
  perp_box box = {{0, 0, 0}, {0, 0, 0}};
  const int *r = layout->ranks;
  if (rank >= r[0] * r[1] * r[2])
    return box;
  const int at[3] = {rank % r[0], rank / r[0] % r[1], rank / r[0] / r[1]};
  for (int axis = 0; axis < 3; axis++) {
    box.begin[axis] = halve(layout->cut[axis][at[axis]], halved[axis]);
    box.end[axis] = halve(layout->cut[axis][at[axis] + 1], halved[axis]);
  }
  return box;
}

perp_box perp_layout_part(const perp_layout *layout, const int halved[3], int rank)
{
  perp_box box = perp_layout_own(layout, halved, rank);
  for (int axis = 0; axis < 3; axis++) {
    const int n = halve(layout->n[axis], halved[axis]);
    const int begin = box.begin[axis] - layout->copies, end = box.end[axis] + layout->copies;
    box.begin[axis] = layout->levels && begin > 0 ? begin : 0;
    box.end[axis] = layout->levels && end < n ? end : n;
  }
  return box;
}

/* Returns the owner of a cell of the first grid; rank 0 if every rank has the whole grid. */
static int owner_of(const perp_layout *layout, const int halved[3], const int at[3])
{
  int p[3];
  for (int axis = 0; axis < 3; axis++) {
    for (p[axis] = 0; p[axis] + 1 < layout->ranks[axis]; p[axis]++)
      if (at[axis] < halve(layout->cut[axis][p[axis] + 1], halved[axis]))
        break;
  }
  return (p[2] * layout->ranks[1] + p[1]) * layout->ranks[0] + p[0];
}

PetscErrorCode perp_layout_exchange(const perp_layout *layout, const int halved[3],
                                    const perp_box *to, const perp_box *except, PetscInt roots,
                                    perp_place root, perp_place leaf, PetscSF *sf)
{
  const PetscInt room = (PetscInt)perp_box_cells(to);
  const perp_box here = leaf.box(layout, halved, layout->rank);
  perp_box there = here; /* of `last` */
  PetscInt *local, count = 0;
  PetscSFNode *remote;
  int last = -1;
  PetscCall(PetscMalloc1(room, &local));
  PetscCall(PetscMalloc1(room, &remote));
  for (int k = to->begin[2]; k < to->end[2]; k++)
    for (int j = to->begin[1]; j < to->end[1]; j++)
      for (int i = to->begin[0]; i < to->end[0]; i++) {
        const int at[3] = {i, j, k};
        if (except && perp_box_holds(except, i, j, k)) {
          i = except->end[0] - 1;
          continue;
        }
        const int owner = owner_of(layout, halved, at);
        if (owner != last)
          there = root.box(layout, halved, owner);
        last = owner;
        if (!perp_box_holds(&there, i, j, k) || !perp_box_holds(&here, i, j, k))
          continue;
        local[count] = (PetscInt)leaf.at(&here, layout->axes, at);
        remote[count++] = (PetscSFNode){owner, (PetscInt)root.at(&there, layout->axes, at)};
      }
  PetscCall(PetscSFCreate(layout->comm, sf));
  PetscCall(
      PetscSFSetGraph(*sf, roots, count, local, PETSC_OWN_POINTER, remote, PETSC_OWN_POINTER));
  PetscCall(PetscSFSetUp(*sf));
  return 0;
}
