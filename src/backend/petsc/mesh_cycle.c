/* mesh_cycle.c: exchanges, V-cycles and full multigrid on distributed grids */
#define _POSIX_C_SOURCE 200809L
#include "backend/petsc/mesh_parts.h"

#include <math.h>
#include <time.h>

/* ---- Places ---- */

static int64_t slot_in(const perp_box *box, int axes, const int at[3])
{
  perp_grid g;
  const int n[3] = {perp_box_length(box, 0), perp_box_length(box, 1), perp_box_length(box, 2)};
  perp_grid_shape(&g, n, axes);
  return perp_grid_slot(&g, at[0] - box->begin[0], at[1] - box->begin[1], at[2] - box->begin[2]);
}

/* Returns the cells of the next grid that cover the part of a rank. `halved` holds six numbers: the
 * counts of the next grid, then of this one. */
static perp_box cover_of(const perp_layout *layout, const int *halved, int rank)
{
  perp_box box = perp_layout_part(layout, halved + 3, rank);
  for (int axis = 0; axis < 3; axis++)
    if (halved[axis] > halved[3 + axis]) {
      box.begin[axis] /= 2;
      box.end[axis] = (box.end[axis] + 1) / 2;
    }
  return box;
}

static perp_box whole_of(const perp_layout *layout, const int *halved, int rank)
{
  perp_box box = {{0, 0, 0}, {0, 0, 0}};
  (void)rank;
  for (int axis = 0; axis < 3; axis++)
    box.end[axis] = (layout->n[axis] + (1 << halved[axis]) - 1) >> halved[axis];
  return box;
}

static void both_halved(const perp_mesh_level *l, int both[6])
{
  for (int axis = 0; axis < 3; axis++) {
    both[axis] = l[1].halved[axis];
    both[3 + axis] = l->halved[axis];
  }
}

/* Returns this rank's part of the next level. */
static perp_box next_box(const perp_mesh *mesh, int level)
{
  const perp_mesh_level *next = &mesh->level[level + 1];
  return level + 1 == mesh->levels
             ? (perp_box){{0, 0, 0}, {next->n[0], next->n[1], next->n[2]}}
             : perp_layout_part(mesh->layout, next->halved, mesh->layout->rank);
}

PetscErrorCode perp_mesh_connect(perp_mesh *mesh, int level)
{
  const perp_layout *layout = mesh->layout;
  perp_mesh_level *l = &mesh->level[level], *next = l + 1;
  const bool last = level + 1 == mesh->levels;
  const perp_box part = perp_layout_part(layout, l->halved, layout->rank);
  const perp_box own = perp_layout_own(layout, l->halved, layout->rank);
  const perp_box below = perp_layout_own(layout, next->halved, layout->rank);
  const perp_box to = next_box(mesh, level);
  const double begin = perp_mesh_clock();
  int both[6];
  both_halved(l, both);
  const perp_place slots = {perp_layout_part, slot_in};
  PetscCall(perp_layout_exchange(layout, l->halved, &part, &own, slots, slots, &l->copies));
  PetscCall(perp_layout_exchange(layout, both, &to, &below, (perp_place){cover_of, slot_in},
                                 (perp_place){last ? whole_of : perp_layout_part, slot_in},
                                 &l->down));
  PetscCall(perp_layout_exchange(
      layout, both, &to, &below, (perp_place){cover_of, perp_box_cell_at},
      (perp_place){last ? whole_of : perp_layout_part, perp_box_cell_at}, &l->flat));
  mesh->spent.waiting += perp_mesh_clock() - begin; /* ranks wait for each other in it */
  return 0;
}

/* If parts are adjacent only along the last axis, the cover is a range of cells of the next grid,
 * and its flat array is a part of the other. */
void perp_mesh_share_flat(perp_mesh *mesh, int level)
{
  perp_mesh_level *l = &mesh->level[level];
  perp_grid *cover = &l->f.grids.grid[level + 1];
  int both[6];
  both_halved(l, both);
  const perp_box a = cover_of(mesh->layout, both, mesh->layout->rank), b = next_box(mesh, level);
  l->shared = true;
  for (int axis = 0; axis < cover->axes - 1; axis++)
    l->shared = l->shared && a.begin[axis] == b.begin[axis] && a.end[axis] == b.end[axis];
  if (l->shared)
    cover->flat = perp_mesh_grid(mesh, level + 1)->flat +
                  perp_box_cell(&b, a.begin[0], a.begin[1], a.begin[2]);
}

double perp_mesh_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Numbers to be sent from one rank to others. */
typedef struct field {
  MPI_Datatype type;
  size_t size; /* of a number */
  const void *from;
  void *to;
} field;

enum { FIELDS = 6 };

/* Exchanges several fields at once and counts it: all messages are sent before the first is
 * awaited. */
static PetscErrorCode move(perp_mesh *mesh, PetscSF sf, const field *fields, int count)
{
  PetscInt leaves;
  const double begin = perp_mesh_clock();
  PetscCall(PetscSFGetGraph(sf, NULL, &leaves, NULL, NULL));
  for (const field *f = fields; f < fields + count; f++)
    PetscCall(PetscSFBcastBegin(sf, f->type, f->from, f->to, MPI_REPLACE));
  for (const field *f = fields; f < fields + count; f++) {
    PetscCall(PetscSFBcastEnd(sf, f->type, f->from, f->to, MPI_REPLACE));
    mesh->spent.bytes += (double)leaves * (double)f->size;
  }
  mesh->spent.exchanges++;
  mesh->spent.waiting += perp_mesh_clock() - begin;
  return 0;
}

PetscErrorCode perp_mesh_need(perp_mesh *mesh, int level, int layers)
{
  perp_mesh_level *l = &mesh->level[level];
  if (level >= mesh->levels || l->correct >= layers)
    return 0;
  const perp_grid *g = &l->f.grids.grid[level];
  const field x = level == 0 ? (field){MPI_DOUBLE, sizeof(double), l->f.g->x, l->f.g->x}
                             : (field){MPI_FLOAT, sizeof(float), g->x, g->x};
  PetscCall(move(mesh, l->copies, &x, 1));
  l->correct = mesh->layout->copies;
  return 0;
}

PetscErrorCode perp_mesh_need_all(perp_mesh *mesh, int level)
{
  return perp_mesh_need(mesh, level, mesh->layout->copies);
}

/* Fetches copies on the next level, as far as the cover of this one reaches. */
static PetscErrorCode need_cover(perp_mesh *mesh, int level)
{
  const perp_grid *g = perp_mesh_grid(mesh, level);
  int layers = mesh->layout->copies / 2;
  for (int axis = 0; axis < g->axes; axis++)
    if (!g->halve[axis])
      layers = mesh->layout->copies;
  return perp_mesh_need(mesh, level + 1, layers);
}

static bool field_same(const field *f, int64_t source, int64_t target, int count)
{
  return !memcmp((const char *)f->from + (size_t)source * f->size,
                 (char *)f->to + (size_t)target * f->size, (size_t)count * f->size);
}

/* Compares one number, a byte or a float. */
static inline bool number_same(const field *f, int64_t source, int64_t target)
{
  const char *a = (const char *)f->from + (size_t)source * f->size;
  const char *b = (const char *)f->to + (size_t)target * f->size;
  return f->size == 1 ? *a == *b : !memcmp(a, b, sizeof(float));
}

/* Copies a run of cells and lists the changed ones. `cell` is the index of the first one, and the
 * next ones are two apart. Returns how many there are now, even if more than `room`. */
static int64_t copy_run(const field *fields, int count, int64_t source, int64_t target, int length,
                        int cell, int *list, int64_t room, int64_t listed)
{
  bool same = listed <= room; /* if there are too many, comparisons are pointless */
  for (int q = 0; q < count; q++)
    same = same && field_same(&fields[q], source, target, length);
  for (int m = 0; m < length && !same && listed <= room; m++) {
    bool here = true;
    for (int q = 0; q < count; q++)
      here = here && number_same(&fields[q], source + m, target + m);
    if (!here && listed < room)
      list[listed] = cell + 2 * m;
    listed += !here;
  }
  for (int q = 0; q < count && !same; q++)
    memcpy((char *)fields[q].to + (size_t)target * fields[q].size,
           (const char *)fields[q].from + (size_t)source * fields[q].size,
           (size_t)length * fields[q].size);
  return listed;
}

/* Copies this rank's own cells of the next grid from the cover to the next level; lists the changed
 * ones while there are at most `room`. Cells of one parity are consecutive in both. */
static int64_t keep_own(perp_mesh *mesh, int level, const field *fields, int count, int64_t room)
{
  const perp_mesh_level *l = &mesh->level[level];
  const perp_grid *cover = &l->f.grids.grid[level + 1], *next = perp_mesh_grid(mesh, level + 1);
  const perp_grids *grids = &l[1].f.grids;
  int both[6];
  int64_t listed = 0;
  both_halved(l, both);
  const perp_box a = cover_of(mesh->layout, both, mesh->layout->rank), b = next_box(mesh, level);
  const perp_box own = perp_layout_own(mesh->layout, l[1].halved, mesh->layout->rank);
  for (int k = own.begin[2]; k < own.end[2]; k++)
    for (int j = own.begin[1]; j < own.end[1]; j++)
      for (int h = 0; h < 2 && h < perp_box_length(&own, 0); h++) {
        const int i = own.begin[0] + h, length = (perp_box_length(&own, 0) + 1 - h) / 2;
        listed = copy_run(fields, count,
                          perp_grid_slot(cover, i - a.begin[0], j - a.begin[1], k - a.begin[2]),
                          perp_grid_slot(next, i - b.begin[0], j - b.begin[1], k - b.begin[2]),
                          length, (int)perp_box_cell(&b, i, j, k), grids->changed[0], room, listed);
      }
  return listed;
}

/* keep_own if only the first `count` cells of changed[0], of the cover, can differ. Replaces them
 * by their indices in the next grid, if this rank owns them. */
static int64_t keep_listed(perp_mesh *mesh, int level, const field *fields, int count,
                           int64_t listed)
{
  const perp_mesh_level *l = &mesh->level[level];
  const perp_grid *cover = &l->f.grids.grid[level + 1], *next = perp_mesh_grid(mesh, level + 1);
  int *list = l->f.grids.changed[0];
  int both[6];
  int64_t kept = 0;
  both_halved(l, both);
  const perp_box a = cover_of(mesh->layout, both, mesh->layout->rank), b = next_box(mesh, level);
  const perp_box own = perp_layout_own(mesh->layout, l[1].halved, mesh->layout->rank);
  for (int64_t c = 0; c < listed; c++) {
    int at[3];
    perp_grid_cell(cover, list[c], at);
    const int64_t source = perp_grid_slot(cover, at[0], at[1], at[2]);
    for (int axis = 0; axis < 3; axis++)
      at[axis] += a.begin[axis];
    if (!perp_box_holds(&own, at[0], at[1], at[2]))
      continue;
    const int64_t target =
        perp_grid_slot(next, at[0] - b.begin[0], at[1] - b.begin[1], at[2] - b.begin[2]);
    kept = copy_run(fields, count, source, target, 1, (int)perp_box_cell(&b, at[0], at[1], at[2]),
                    list, c + 1, kept);
  }
  return kept;
}

/* Returns the index of the cell at a slot. */
static int cell_at(const perp_grid *g, int64_t slot)
{
  const int colour = slot >= g->colour;
  const int64_t rest = slot - colour * g->colour;
  const int k = g->axes == 3 ? (int)(rest / g->plane) : 0;
  const int j = (int)((rest - k * g->plane) / g->row);
  const int m = (int)(rest - k * g->plane - j * g->row);
  return (k * g->n[1] + j) * g->n[0] + 2 * m + ((j + k + colour) & 1);
}

/* Moves fields to the next level. *changed: the number of cells that differ now, listed in its
 * changed[0]; -1 if there are too many. update: how many cells of the cover can differ
 * (keep_listed); -1: all; -2: all, and no list is needed. */
static PetscErrorCode move_down(perp_mesh *mesh, int level, const field *fields, int count,
                                int64_t update, int64_t *changed)
{
  const perp_grids *grids = &mesh->level[level + 1].f.grids;
  const int64_t room = update == -2 ? -1 : grids->room;
  const perp_grid *next = perp_mesh_grid(mesh, level + 1);
  PetscSF sf = mesh->level[level].down;
  const PetscInt *slot;
  PetscInt leaves;
  char *old;
  PetscCall(PetscSFGetGraph(sf, NULL, &leaves, &slot, NULL));
  PetscCall(PetscMalloc1((size_t)leaves * FIELDS * sizeof(float) + 1, &old));
  for (int q = 0; q < count; q++)
    for (PetscInt c = 0; c < leaves; c++)
      memcpy(old + (size_t)(q * leaves + c) * sizeof(float),
             (const char *)fields[q].to + (size_t)slot[c] * fields[q].size, fields[q].size);
  int64_t listed = update < 0 ? keep_own(mesh, level, fields, count, room)
                              : keep_listed(mesh, level, fields, count, update);
  PetscCall(move(mesh, sf, fields, count));
  for (PetscInt c = 0; c < leaves && room >= 0; c++) {
    bool same = true;
    for (int q = 0; q < count; q++)
      same = same &&
             !memcmp(old + (size_t)(q * leaves + c) * sizeof(float),
                     (const char *)fields[q].to + (size_t)slot[c] * fields[q].size, fields[q].size);
    if (!same && listed < grids->room)
      grids->changed[0][listed] = cell_at(next, slot[c]);
    listed += !same;
  }
  PetscCall(PetscFree(old));
  *changed = listed < room ? listed : -1;
  return 0;
}

/* Fetches all gains of the next level: the cover has the gains of the own cells. */
static PetscErrorCode take_gains(perp_mesh *mesh, int level)
{
  perp_grid *next = perp_mesh_grid(mesh, level + 1);
  const field gain = {MPI_FLOAT, sizeof(float), mesh->level[level].f.grids.grid[level + 1].gain,
                      next->gain};
  const PetscInt *slot;
  PetscInt leaves;
  int *cells;
  keep_own(mesh, level, &gain, 1, -1);
  PetscCall(PetscSFGetGraph(mesh->level[level].down, NULL, &leaves, &slot, NULL));
  PetscCall(PetscMalloc1((size_t)leaves + 1, &cells));
  for (PetscInt c = 0; c < leaves; c++)
    cells[c] = cell_at(next, slot[c]);
  perp_grid_gains(next, cells, leaves);
  PetscCall(PetscFree(cells));
  return 0;
}

PetscErrorCode perp_mesh_push_network(perp_mesh *mesh, int level, perp_mesh_change which,
                                      int64_t *changed)
{
  const perp_grid *cover = &mesh->level[level].f.grids.grid[level + 1];
  perp_grid *next = perp_mesh_grid(mesh, level + 1);
  field fields[FIELDS] = {{MPI_UNSIGNED_CHAR, 1, cover->state, next->state},
                          {MPI_UNSIGNED_CHAR, 1, cover->dirs, next->dirs},
                          {MPI_FLOAT, sizeof(float), cover->sink, next->sink}};
  const int64_t update = which == PERP_MESH_LISTED ? mesh->level[level].f.grids.listed
                         : which == PERP_MESH_NEW  ? -2
                                                   : -1;
  const int count = 3 + cover->axes;
  for (int axis = 0; axis < cover->axes; axis++)
    fields[3 + axis] = (field){MPI_FLOAT, sizeof(float), cover->w[axis], next->w[axis]};
  PetscCall(move_down(mesh, level, fields, count, update, changed));
  if (update >= 0) {
    perp_grid_gains(next, mesh->level[level + 1].f.grids.changed[0], *changed);
    return 0;
  }
  PetscCall(take_gains(mesh, level));
  return 0;
}

/* Copies the rows of `box` from an array over box a to one over box b. */
static void copy_rows(const perp_box *box, const perp_box *a, const float *from, const perp_box *b,
                      float *to)
{
  for (int k = box->begin[2]; k < box->end[2]; k++)
    for (int j = box->begin[1]; j < box->end[1]; j++)
      memcpy(to + perp_box_cell(b, box->begin[0], j, k),
             from + perp_box_cell(a, box->begin[0], j, k),
             (size_t)perp_box_length(box, 0) * sizeof *to);
}

static PetscErrorCode push_flat(perp_mesh *mesh, int level, bool bounds)
{
  perp_mesh_level *l = &mesh->level[level];
  const perp_layout *layout = mesh->layout;
  const perp_grid *cover = &l->f.grids.grid[level + 1];
  perp_grid *next = perp_mesh_grid(mesh, level + 1);
  int both[6];
  both_halved(l, both);
  const perp_box a = cover_of(layout, both, layout->rank), b = next_box(mesh, level);
  const perp_box own = perp_layout_own(layout, l[1].halved, layout->rank);
  if (!l->shared)
    copy_rows(&own, &a, cover->flat, &b, next->flat);
  const field flat = {MPI_FLOAT, sizeof(float), cover->flat, next->flat};
  PetscCall(move(mesh, l->flat, &flat, 1));
  if (bounds) {
    const field fields[2] = {{MPI_FLOAT, sizeof(float), cover->lo, next->lo},
                             {MPI_FLOAT, sizeof(float), cover->hi, next->hi}};
    int64_t changed;
    PetscCall(move_down(mesh, level, fields, 2, -2, &changed));
  }
  return 0;
}

/* The next level reaches at least as far as the cover. */
static void pull_flat(perp_mesh *mesh, int level)
{
  const perp_mesh_level *l = &mesh->level[level];
  int both[6];
  if (l->shared)
    return;
  both_halved(l, both);
  const perp_box to = cover_of(mesh->layout, both, mesh->layout->rank);
  const perp_box from = next_box(mesh, level);
  copy_rows(&to, &from, perp_mesh_grid(mesh, level + 1)->flat, &to,
            l->f.grids.grid[level + 1].flat);
}

double perp_mesh_greatest_flat(perp_mesh *mesh)
{
  const perp_mesh_level *l = &mesh->level[0];
  const perp_grid *cover = &l->f.grids.grid[1];
  perp_box a = {{0, 0, 0}, {cover->n[0], cover->n[1], cover->n[2]}}, own = a;
  int both[6];
  if (mesh->levels > 0) {
    both_halved(l, both);
    a = cover_of(mesh->layout, both, mesh->layout->rank);
    own = perp_layout_own(mesh->layout, l[1].halved, mesh->layout->rank);
  }
  float most = 0;
  bool finite = true;
  for (int k = own.begin[2]; k < own.end[2]; k++)
    for (int j = own.begin[1]; j < own.end[1]; j++) {
      const float *row = cover->flat + perp_box_cell(&a, own.begin[0], j, k);
      for (int i = 0; i < perp_box_length(&own, 0); i++) {
        const float size = fabsf(row[i]);
        most = size > most ? size : most;
        finite &= size <= FLT_MAX; /* false for NaN */
      }
    }
  return finite ? (double)most : INFINITY;
}

/* ---- Cycles ----
 *
 * Like method/multilevel/grid/cycle.c and start.c, with an exchange when too few layers of copies
 * are valid: a sweep needs two and invalidates two, a restriction needs two. Then each rank itself
 * computes the residuals next to its own cells, and after an exchange of coarse values it also
 * interpolates at its copies. */

PetscErrorCode perp_mesh_follow(perp_mesh *mesh, int level, bool all)
{
  int64_t changed;
  PetscCall(perp_mesh_push_network(mesh, level, all ? PERP_MESH_ANY : PERP_MESH_LISTED, &changed));
  for (int l = level + 1; l < mesh->levels; l++) {
    perp_grids_follow(&mesh->level[l].f.grids, l, changed);
    PetscCall(perp_mesh_push_network(mesh, l, PERP_MESH_LISTED, &changed));
  }
  perp_grids_follow(&mesh->level[mesh->levels].f.grids, mesh->levels, changed);
  return 0;
}

static PetscErrorCode sweep(perp_mesh *mesh, int level, perp_grid_set set, int count)
{
  for (int s = 0; s < count; s++) {
    PetscCall(perp_mesh_need(mesh, level, 2));
    perp_grid_sweep(perp_mesh_grid(mesh, level), set);
    mesh->level[level].correct -= 2;
  }
  return 0;
}

/* Solves the system of a distributed grid approximately, f received, from zero. */
static PetscErrorCode cycle(perp_mesh *mesh, int level, perp_smoothing how)
{
  perp_grids *grids = &mesh->level[level].f.grids;
  const int more = perp_grids_more(level);
  perp_grid_half_sweep(&grids->grid[level], 1);
  mesh->level[level].correct = mesh->layout->copies - 2; /* f and red at the rim are wrong */
  PetscCall(sweep(mesh, level, PERP_GRID_LINEAR, how.pre + more - 1));
  PetscCall(perp_mesh_need(mesh, level, 2));
  perp_grids_restrict(grids, level);
  PetscCall(perp_mesh_descend(mesh, level, how));
  perp_grids_add(grids, level, 1);
  perp_mesh_corrected(mesh, level);
  PetscCall(sweep(mesh, level, PERP_GRID_LINEAR, how.post + more));
  return 0;
}

PetscErrorCode perp_mesh_descend(perp_mesh *mesh, int level, perp_smoothing how)
{
  perp_grid *next = perp_mesh_grid(mesh, level + 1);
  PetscCall(push_flat(mesh, level, false));
  perp_grid_receive(next);
  if (level + 1 == mesh->levels)
    perp_grids_cycle(&mesh->level[level + 1].f.grids, level + 1, how);
  else
    PetscCall(cycle(mesh, level + 1, how));
  PetscCall(need_cover(mesh, level));
  perp_grid_send(next);
  pull_flat(mesh, level);
  return 0;
}

/* ---- Full multigrid ---- */

static PetscErrorCode problem_cycle(perp_mesh *mesh, int level, perp_grid_set set,
                                    perp_smoothing fine, perp_smoothing coarse)
{
  perp_finest *f = &mesh->level[level].f;
  PetscCall(sweep(mesh, level, set, fine.pre));
  PetscCall(perp_mesh_need_all(mesh, level)); /* owners decide how copies are marked */
  if (set != PERP_GRID_LINEAR) {
    perp_start_mark(f, level, set);
    PetscCall(perp_mesh_follow(mesh, level, true)); /* the next grid was marked separately */
  }
  perp_grids_restrict(&f->grids, level);
  PetscCall(perp_mesh_descend(mesh, level, coarse));
  perp_start_interpolate(f, level, set, 1, true);
  perp_mesh_corrected(mesh, level);
  PetscCall(sweep(mesh, level, set, fine.post));
  return 0;
}

PetscErrorCode perp_mesh_start(perp_mesh *mesh, int cycles, perp_smoothing fine,
                               perp_smoothing coarse)
{
  const int last = mesh->levels;
  const perp_grid_set set = perp_finest_set(&mesh->level[0].f);
  for (int level = 0; level < last; level++) {
    perp_start_load(&mesh->level[level].f, level);
    PetscCall(push_flat(mesh, level, set == PERP_GRID_BOX));
  }
  for (int level = 1; level < last; level++)
    perp_grid_receive(perp_mesh_grid(mesh, level));
  perp_start_solve(&mesh->level[last].f, last, cycles, fine, coarse);
  perp_grid_send(perp_mesh_grid(mesh, last));
  for (int level = last - 1; level > 0; level--) {
    pull_flat(mesh, level);
    for (int colour = 0; colour < 2; colour++)
      perp_start_interpolate(&mesh->level[level].f, level, set, colour, false);
    mesh->level[level].correct = mesh->layout->copies;
    perp_mesh_corrected(mesh, level);
    for (int c = 0; c < cycles; c++)
      PetscCall(problem_cycle(mesh, level, set, fine, coarse));
    PetscCall(need_cover(mesh, level - 1));
    perp_grid_send(perp_mesh_grid(mesh, level));
  }
  pull_flat(mesh, 0);
  perp_finest_prolong(&mesh->level[0].f);
  mesh->level[0].correct = mesh->layout->copies;
  perp_mesh_corrected(mesh, 0);
  mesh->stale = true;
  return 0;
}
