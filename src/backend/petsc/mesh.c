/* mesh.c: truncated nonsmooth Newton multigrid on distributed grids (method/multilevel/mg.c)
 *
 * Loop, cycles and full multigrid are those of one process; here are the parts of the ranks and the
 * exchanges between them. Each rank has a part of every grid down to a small one, which every rank
 * has and solves as a whole. An iteration equals that of one rank, up to the order in which a few
 * floats are summed in a coarse right-hand side: x differs by rounding, the numbers of cycles do
 * not.
 *
 * Messages of a cycle: two or three exchanges on each grid in the plane, one per sweep in solid
 * grids (layout.c); memory: that of mg, and twice that on coarse distributed grids. */
#define _POSIX_C_SOURCE 200809L
#include "backend/petsc/mesh.h"

#undef I /* complex.h defines it; here it is a coarse column */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/multilevel/grid/finest.h"
#include "method/multilevel/grid/kernel/flow.h"
#include "method/run/driver.h"
#include "operator/relax.h"

#include <math.h>
#include <petsctime.h>
#include <time.h>

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
} perp_mesh_level;

typedef struct perp_mesh {
  const perp_layout *layout;
  perp_mesh_data data;
  int levels; /* distributed grids; level[levels] is whole on every rank */
  perp_mesh_level level[PERP_MESH_MOST];
  perp_arena arena;
  perp_run run;
  perp_ranks ranks;
  perp_driver driver; /* of the run: it only says if the method gave up */
  perp_problem problem;
  perp_options options;
  perp_operator *A;
  int unknowns;  /* of this part */
  int64_t total; /* over all ranks */
  int *cells;    /* by unknown; NULL: all cells */
  double *b, *lo, *hi, *x;
  bool stale;           /* coarse grids are out of date with the free cells */
  PetscErrorCode error; /* of a callback: later ones do nothing */
  const perp_mesh_options *wanted;
  perp_mesh_result *result;
} perp_mesh;

static perp_grid *mesh_grid(perp_mesh *mesh, int level)
{
  return &mesh->level[level].f.grids.grid[level];
}

/* ---- Exchanges, V-cycles and full multigrid: their places ---- */

static int64_t slot_in(const perp_box *box, int axes, const int at[3])
{
  perp_grid g;
  const int n[3] = {perp_box_length(box, 0), perp_box_length(box, 1), perp_box_length(box, 2)};
  perp_grid_shape(&g, n, axes, 2);
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

/* Returns the cover of this rank's part. */
static perp_box cover_here(const perp_mesh *mesh, int level)
{
  int both[6];
  both_halved(&mesh->level[level], both);
  return cover_of(mesh->layout, both, mesh->layout->rank);
}

/* Returns this rank's part of the next level. */
static perp_box next_box(const perp_mesh *mesh, int level)
{
  const perp_mesh_level *next = &mesh->level[level + 1];
  return level + 1 == mesh->levels
             ? (perp_box){{0, 0, 0}, {next->n[0], next->n[1], next->n[2]}}
             : perp_layout_part(mesh->layout, next->halved, mesh->layout->rank);
}

static PetscErrorCode mesh_connect(perp_mesh *mesh, int level)
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
  const perp_place slots = {perp_layout_part, slot_in}, covers = {cover_of, slot_in};
  const perp_place leaves = {last ? whole_of : perp_layout_part, slot_in};
  const perp_grid *g = mesh_grid(mesh, level);
  PetscCall(perp_layout_exchange(layout, l->halved, &part, &own, (PetscInt)(2 * g->colour), slots,
                                 slots, &l->copies));
  PetscCall(perp_layout_exchange(layout, both, &to, &below, (PetscInt)(2 * g[1].colour), covers,
                                 leaves, &l->down));
  mesh->result->waiting += perp_mesh_clock() - begin; /* ranks wait for each other in it */
  return 0;
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
    mesh->result->bytes += (double)leaves * (double)f->size;
  }
  mesh->result->exchanges++;
  mesh->result->waiting += perp_mesh_clock() - begin;
  return 0;
}

/* Fetches copies of x, unless this number of layers is valid already. */
static PetscErrorCode mesh_need(perp_mesh *mesh, int level, int layers)
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

static PetscErrorCode mesh_need_all(perp_mesh *mesh, int level)
{
  return mesh_need(mesh, level, mesh->layout->copies);
}

/* Fetches copies on the next level, as far as the cover of this one reaches. */
static PetscErrorCode need_cover(perp_mesh *mesh, int level)
{
  const perp_grid *g = mesh_grid(mesh, level);
  int layers = mesh->layout->copies / 2;
  for (int axis = 0; axis < g->axes; axis++)
    if (!g->halve[axis])
      layers = mesh->layout->copies;
  return mesh_need(mesh, level + 1, layers);
}

/* Copies this rank's own cells of the next grid from the cover to the next level. Cells of one
 * parity are consecutive in both. */
static void keep_own(perp_mesh *mesh, int level, const field *fields, int count)
{
  const perp_mesh_level *l = &mesh->level[level];
  const perp_grid *cover = &l->f.grids.grid[level + 1], *next = mesh_grid(mesh, level + 1);
  const perp_box a = cover_here(mesh, level), b = next_box(mesh, level);
  const perp_box own = perp_layout_own(mesh->layout, l[1].halved, mesh->layout->rank);
  for (int k = own.begin[2]; k < own.end[2]; k++)
    for (int j = own.begin[1]; j < own.end[1]; j++)
      for (int h = 0; h < 2 && h < perp_box_length(&own, 0); h++) {
        const int i = own.begin[0] + h;
        const size_t length = (size_t)(perp_box_length(&own, 0) + 1 - h) / 2;
        const size_t from =
            (size_t)perp_grid_slot(cover, i - a.begin[0], j - a.begin[1], k - a.begin[2]);
        const size_t to =
            (size_t)perp_grid_slot(next, i - b.begin[0], j - b.begin[1], k - b.begin[2]);
        for (const field *f = fields; f < fields + count; f++)
          memcpy((char *)f->to + to * f->size, (const char *)f->from + from * f->size,
                 length * f->size);
      }
}

/* Moves fields to the next level. */
static PetscErrorCode move_down(perp_mesh *mesh, int level, const field *fields, int count)
{
  keep_own(mesh, level, fields, count);
  PetscCall(move(mesh, mesh->level[level].down, fields, count));
  return 0;
}

static bool has_changed(const field *fields, int count, char *const *old, int64_t slot, int length)
{
  bool same = true;
  for (int q = 0; q < count && same; q++)
    same = !memcmp((const char *)fields[q].to + (size_t)slot * fields[q].size,
                   old[q] + (size_t)slot * fields[q].size, (size_t)length * fields[q].size);
  return !same;
}

/* Lists the cells whose fields differ from the old ones. Returns their number; -1: no room. */
static int64_t list_changed(const perp_grid *g, const field *fields, int count, char *const *old,
                            int *list, int64_t room)
{
  int64_t listed = 0;
  for (int row = 0; row < 2 * g->n[1] * g->n[2]; row++) {
    const int j = row / 2 % g->n[1], k = row / 2 / g->n[1], h = row % 2;
    const int64_t c = perp_grid_row(g, j, k, (j + k + h) & 1);
    const int length = perp_grid_length(g, h);
    if (!has_changed(fields, count, old, c, length))
      continue;
    for (int m = 0; m < length; m++)
      if (has_changed(fields, count, old, c + m, 1)) {
        if (listed == room)
          return -1;
        list[listed++] = (k * g->n[1] + j) * g->n[0] + 2 * m + h;
      }
  }
  return listed;
}

/* Makes the next level equal to the cover. *changed: the number of its cells that have changed,
 * listed in its changed[0]; -1: too many to list. NULL: no list is needed. */
static PetscErrorCode mesh_push_network(perp_mesh *mesh, int level, int64_t *changed)
{
  const perp_grid *cover = &mesh->level[level].f.grids.grid[level + 1];
  perp_grid *next = mesh_grid(mesh, level + 1);
  field fields[FIELDS] = {{MPI_UNSIGNED_CHAR, 1, cover->state, next->state},
                          {MPI_UNSIGNED_CHAR, 1, cover->dirs, next->dirs},
                          {MPI_FLOAT, sizeof(float), cover->sink, next->sink}};
  for (int axis = 0; axis < cover->axes; axis++)
    fields[3 + axis] = (field){MPI_FLOAT, sizeof(float), cover->w[axis], next->w[axis]};
  const perp_grids *grids = &mesh->level[level + 1].f.grids;
  const int count = 3 + cover->axes;
  char *old[FIELDS] = {NULL};
  for (int q = 0; q < count && changed; q++) {
    const size_t bytes = 2 * (size_t)next->colour * fields[q].size;
    PetscCall(PetscMalloc1(bytes, &old[q]));
    memcpy(old[q], fields[q].to, bytes);
  }
  PetscCall(move_down(mesh, level, fields, count));
  if (changed)
    *changed = list_changed(next, fields, count, old, grids->changed[0], grids->room);
  perp_grid_gains(next, grids->changed[0], changed ? *changed : -1);
  for (int q = 0; q < count; q++)
    PetscCall(PetscFree(old[q]));
  return 0;
}

/* Moves f, or the bounds, of the next level. */
static PetscErrorCode push_problem(perp_mesh *mesh, int level, bool bounds)
{
  const perp_grid *cover = &mesh->level[level].f.grids.grid[level + 1];
  const perp_grid *next = mesh_grid(mesh, level + 1);
  const field load = {MPI_FLOAT, sizeof(float), cover->f, next->f},
              both[2] = {{MPI_FLOAT, sizeof(float), cover->lo, next->lo},
                         {MPI_FLOAT, sizeof(float), cover->hi, next->hi}};
  PetscCall(move_down(mesh, level, bounds ? both : &load, bounds ? 2 : 1));
  return 0;
}

/* The next level reaches at least as far as the cover. */
static void pull_flat(perp_mesh *mesh, int level)
{
  const perp_box to = cover_here(mesh, level), from = next_box(mesh, level);
  const float *next = mesh_grid(mesh, level + 1)->flat;
  float *cover = mesh->level[level].f.grids.grid[level + 1].flat;
  for (int k = to.begin[2]; k < to.end[2]; k++)
    for (int j = to.begin[1]; j < to.end[1]; j++)
      memcpy(cover + perp_box_cell(&to, to.begin[0], j, k),
             next + perp_box_cell(&from, to.begin[0], j, k),
             (size_t)perp_box_length(&to, 0) * sizeof *cover);
}

/* ---- Over all ranks ---- */

/* If every rank has the whole first grid, all ranks have the same numbers already. */
static PetscErrorCode over_ranks(perp_mesh *mesh, int count, MPI_Op op, double *numbers)
{
  if (mesh->levels > 0) {
    const double begin = perp_mesh_clock();
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, op, mesh->layout->comm));
    mesh->result->reductions++;
    mesh->result->waiting += perp_mesh_clock() - begin;
  }
  return 0;
}

/* ---- Steps of cycles and of full multigrid ----
 *
 * Those of method/multilevel/grid/start.c, with an exchange if too few layers of copies are
 * valid: a sweep needs two and invalidates two, a restriction needs two. Then each rank itself
 * computes the residuals next to its own cells, and after an exchange of coarse values it also
 * interpolates at its copies. */

/* Updates all grids below `level`. */
static PetscErrorCode mesh_follow(perp_mesh *mesh, int level)
{
  int64_t changed;
  PetscCall(mesh_push_network(mesh, level, &changed));
  for (int l = level + 1; l < mesh->levels; l++) {
    perp_grids_follow(&mesh->level[l].f.grids, l, changed);
    PetscCall(mesh_push_network(mesh, l, &changed));
  }
  perp_grids_follow(&mesh->level[mesh->levels].f.grids, mesh->levels, changed);
  return 0;
}

/* The free cells of grid 0 changed on some rank. */
static PetscErrorCode follow_finest(perp_mesh *mesh)
{
  perp_finest *f = &mesh->level[0].f;
  double changed = (double)f->changed;
  PetscCall(over_ranks(mesh, 1, MPI_SUM, &changed));
  f->changed = (int64_t)changed;
  if (changed > 0 || mesh->stale)
    PetscCall(mesh_follow(mesh, 0));
  mesh->stale = false;
  return 0;
}

static PetscErrorCode step_of_part(perp_mesh *mesh, int op, int level, int colour, int set)
{
  perp_mesh_level *l = &mesh->level[level];
  const int copies = mesh->layout->copies;
  const bool sweeps = op == PERP_GRID_SWEEP || op == PERP_GRID_RELAX;
  if (op == PERP_GRID_GATHER) {
    perp_grid_receive(&l->f.grids.grid[level + 1]);
    PetscCall(push_problem(mesh, level, false));
    perp_grid_begin(mesh_grid(mesh, level + 1));
    return 0;
  }
  if (op == PERP_GRID_REMAINDER || (sweeps && colour != 1))
    PetscCall(mesh_need(mesh, level, 2));
  if (op == PERP_GRID_MARK || op == PERP_GRID_PREPARE || op == PERP_GRID_NATURAL)
    PetscCall(mesh_need_all(mesh, level)); /* owners decide how copies are marked */
  if (perp_grid_op_interpolates(op)) {
    PetscCall(need_cover(mesh, level));
    perp_grid_send(mesh_grid(mesh, level + 1));
    pull_flat(mesh, level);
  }
  perp_finest_own_step(&l->f, op, level, colour, set);
  if (op == PERP_GRID_INTERPOLATE || op == PERP_GRID_PROLONG)
    l->correct = copies;
  if (perp_grid_op_interpolates(op) || op == PERP_GRID_GO) /* cells at the rim lack neighbours */
    l->correct = l->correct < copies ? l->correct : copies - 1;
  if (sweeps) /* the black half alone: from zero, f and red at the rim are wrong */
    l->correct = (colour == 1 ? copies : l->correct) - 2;
  if (op == PERP_GRID_LOAD)
    PetscCall(push_problem(mesh, level, false));
  if (op == PERP_GRID_BOUNDS)
    PetscCall(push_problem(mesh, level, true));
  if (op == PERP_GRID_MARK) /* the next grid was marked separately */
    PetscCall(mesh_follow(mesh, level));
  if (op == PERP_GRID_PREPARE)
    PetscCall(follow_finest(mesh));
  mesh->stale = mesh->stale || op == PERP_GRID_PROLONG;
  return 0;
}

static void note(perp_mesh *mesh, PetscErrorCode error)
{
  mesh->error = mesh->error ? mesh->error : error;
  if (mesh->error)
    mesh->level[0].f.place.failure = PERP_ERROR_BACKEND;
}

static void step(void *who, int op, int level, int colour, int set)
{
  perp_mesh *mesh = who;
  if (mesh->error)
    return;
  if (level < mesh->levels)
    note(mesh, step_of_part(mesh, op, level, colour, set));
  else
    perp_finest_flow_step(&mesh->level[mesh->levels].f, op, level, colour, set);
}

/* ---- The problem of a part ---- */

static perp_box part_of(const perp_mesh *mesh)
{
  return perp_layout_part(mesh->layout, mesh->level[0].halved, mesh->layout->rank);
}

static perp_box own_of(const perp_mesh *mesh, int level)
{
  const perp_box own = perp_layout_own(mesh->layout, mesh->level[level].halved, mesh->layout->rank);
  const perp_box all = {
      {0, 0, 0}, {mesh->level[level].n[0], mesh->level[level].n[1], mesh->level[level].n[2]}};
  return mesh->levels > 0 ? own : all;
}

/* Gathers by unknown from an array by cell. */
static double *by_unknown(perp_mesh *mesh, const double *by_cell)
{
  double *to = perp_arena_alloc(&mesh->arena, (size_t)mesh->unknowns + 1, sizeof *to);
  for (int u = 0; to && by_cell && u < mesh->unknowns; u++)
    to[u] = by_cell[mesh->cells ? mesh->cells[u] : u];
  return to;
}

/* unit <- the largest |diagonal|, scale <- the largest |b|, *bounded <- true if there is a finite
 * bound: over all unknowns. */
static PetscErrorCode survey(perp_mesh *mesh, double *unit, double *scale, bool *bounded)
{
  const perp_mesh_data *d = &mesh->data;
  double a[3] = {0};
  for (int u = 0; u < mesh->unknowns; u++) {
    const int c = mesh->cells ? mesh->cells[u] : u;
    a[0] = perp_max(a[0], fabs(d->diagonal[c]));
    a[1] = perp_max(a[1], fabs(d->b[c]));
    a[2] = perp_max(a[2], !d->lo || d->lo[c] > -1e300 || (d->hi && d->hi[c] < 1e300));
  }
  PetscCall(over_ranks(mesh, 3, MPI_MAX, a));
  *unit = a[0] > 0 ? a[0] : 1;
  *scale = a[1] > 0 ? a[1] : 1;
  *bounded = a[2] != 0;
  return 0;
}

/* ---- Setting up ---- */

static PetscErrorCode no_memory(const perp_mesh *mesh)
{
  return PetscError(mesh->layout->comm, __LINE__, __func__, __FILE__, PETSC_ERR_MEM,
                    PETSC_ERROR_INITIAL, "out of memory for a hierarchy of grids");
}

/* Creates the operator, and lists the cells that are unknowns. */
static PetscErrorCode make_operator(perp_mesh *mesh)
{
  const perp_box part = part_of(mesh), mine = own_of(mesh, 0);
  const int64_t cells = perp_box_cells(&part);
  perp_stencil_data data = perp_stencil_data_default();
  perp_message why = {{0}};
  double own = 0;
  PetscCheck(cells < INT32_MAX, mesh->layout->comm, PETSC_ERR_SUP,
             "a rank would hold %lld cells, more than 2^31 - 1; use more ranks", (long long)cells);
  mesh->unknowns = 0;
  if (mesh->data.unknown &&
      !(mesh->cells = perp_arena_alloc(&mesh->arena, (size_t)cells + 1, sizeof *mesh->cells)))
    PetscCall(no_memory(mesh));
  int c = 0;
  for (int k = part.begin[2]; k < part.end[2]; k++)
    for (int j = part.begin[1]; j < part.end[1]; j++)
      for (int i = part.begin[0]; i < part.end[0]; i++, c++) {
        if (mesh->data.unknown && !mesh->data.unknown[c])
          continue;
        if (mesh->cells)
          mesh->cells[mesh->unknowns] = c;
        mesh->unknowns++;
        own += perp_box_holds(&mine, i, j, k);
      }
  PetscCall(over_ranks(mesh, 1, MPI_SUM, &own));
  mesh->total = (int64_t)own;
  data.nx = perp_box_length(&part, 0);
  data.ny = perp_box_length(&part, 1);
  data.nz = perp_box_length(&part, 2);
  data.cells = mesh->cells;
  data.unknowns = mesh->unknowns;
  data.diagonal = mesh->data.diagonal;
  data.wx = mesh->data.w[0];
  data.wy = mesh->data.w[1];
  data.wz = mesh->data.w[2];
  const perp_error error = perp_operator_stencil(&data, PERP_BORROW, &mesh->A, &why);
  PetscCheck(!error, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s", why.text);
  return 0;
}

static PetscErrorCode make_relaxer(perp_mesh *mesh, bool bounded, bool whole)
{
  perp_finest *f = &mesh->level[0].f;
  perp_set *K = &mesh->problem.K;
  perp_message why = {{0}};
  mesh->b = by_unknown(mesh, mesh->data.b);
  mesh->lo = by_unknown(mesh, mesh->data.lo);
  mesh->hi = by_unknown(mesh, mesh->data.hi);
  mesh->x = perp_arena_alloc_zero(&mesh->arena, (size_t)mesh->unknowns + 1, sizeof *mesh->x);
  if (!mesh->b || !mesh->lo || !mesh->hi || !mesh->x)
    PetscCall(no_memory(mesh));
  *K = perp_set_default(mesh->unknowns);
  if (mesh->data.lo || mesh->data.hi) {
    for (int u = 0; u < mesh->unknowns; u++) {
      mesh->lo[u] = mesh->data.lo ? mesh->lo[u] : 0;
      mesh->hi[u] = mesh->data.hi ? mesh->hi[u] : INFINITY;
    }
    /* all ranks project, or none does: a bound that is never reached */
    if (bounded && mesh->unknowns > 0 && mesh->hi[0] >= 1e300)
      mesh->hi[0] = 1e299;
    K->lo = mesh->lo;
    K->hi = mesh->hi;
  }
  mesh->problem.A = mesh->A;
  mesh->problem.b = mesh->b;
  f->s = (const perp_stencil *)mesh->A;
  const perp_error error = perp_finest_relax(f, mesh->x, whole, &why);
  PetscCheck(!error, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", why.text);
  return 0;
}

/* Computes the mean weights of the faces between unknowns, over all ranks. */
static PetscErrorCode mean_weights(perp_mesh *mesh, int level, double mean[3])
{
  const perp_grid *g = mesh_grid(mesh, level);
  const perp_box own = own_of(mesh, level);
  const perp_box part =
      perp_layout_part(mesh->layout, mesh->level[level].halved, mesh->layout->rank);
  double sums[6] = {0};
  for (int k = own.begin[2]; k < own.end[2]; k++)
    for (int j = own.begin[1]; j < own.end[1]; j++)
      for (int axis = 0; axis < g->axes; axis++) {
        if (!g->w[axis]) {
          sums[axis] += (double)g->weight * perp_box_length(&own, 0);
          sums[3 + axis] += perp_box_length(&own, 0);
          continue;
        }
        for (int i = own.begin[0]; i < own.end[0]; i++) {
          const float w = g->w[axis][perp_grid_slot(g, i - part.begin[0], j - part.begin[1],
                                                    k - part.begin[2])];
          sums[axis] += (double)w;
          sums[3 + axis] += w > 0;
        }
      }
  PetscCall(over_ranks(mesh, 6, MPI_SUM, sums));
  for (int axis = 0; axis < 3; axis++)
    mean[axis] =
        sums[3 + axis] > 0 && mesh->level[level].n[axis] > 1 ? sums[axis] / sums[3 + axis] : 0;
  return 0;
}

/* Sets up the cover of a level, the next level, and the exchanges between them. */
static PetscErrorCode make_next(perp_mesh *mesh, int level)
{
  perp_mesh_level *l = &mesh->level[level], *next = l + 1;
  perp_grids *grids = &l->f.grids;
  perp_grid *g = &grids->grid[level];
  const bool last = level + 1 == mesh->levels;
  double mean[3];
  int cover[3], n[3];
  PetscCall(mean_weights(mesh, level, mean));
  perp_grid_choose_axes(g, mean, l->n);
  for (int axis = 0; axis < 3; axis++) {
    cover[axis] = g->halve[axis] ? (g->n[axis] + 1) / 2 : g->n[axis];
    next->n[axis] = g->halve[axis] ? (l->n[axis] + 1) / 2 : l->n[axis];
    next->halved[axis] = l->halved[axis] + g->halve[axis];
  }
  const perp_box part = perp_layout_part(mesh->layout, next->halved, mesh->layout->rank);
  for (int axis = 0; axis < 3; axis++)
    n[axis] = last ? next->n[axis] : perp_box_length(&part, axis);
  next->f = l->f; /* K, its size and the buffers */
  next->f.grids.grid[level] = (perp_grid){0};
  next->f.grids.count = level + 2;
  grids->count = level + 2;
  if (!perp_grid_create(cover, g->axes, &mesh->arena, g + 1) ||
      !perp_grid_create(n, g->axes, &mesh->arena, mesh_grid(mesh, level + 1)))
    PetscCall(no_memory(mesh));
  perp_grids_build(grids, level);
  PetscCall(mesh_connect(mesh, level));
  PetscCall(mesh_push_network(mesh, level, NULL));
  return 0;
}

static PetscErrorCode disconnect(perp_mesh *mesh)
{
  for (int level = 0; level < mesh->levels; level++) {
    PetscCall(PetscSFDestroy(&mesh->level[level].copies));
    PetscCall(PetscSFDestroy(&mesh->level[level].down));
  }
  return 0;
}

static PetscErrorCode set_up(perp_mesh *mesh, bool whole)
{
  perp_finest *f = &mesh->level[0].f;
  double unit = 1, scale = 1;
  bool bounded = false;
  PetscCall(disconnect(mesh));
  perp_operator_destroy(mesh->A);
  mesh->A = NULL;
  mesh->cells = NULL;
  perp_arena_reset(&mesh->arena);
  *f = (perp_finest){.place = f->place, .flow = f->flow};
  PetscCall(make_operator(mesh));
  PetscCall(survey(mesh, &unit, &scale, &bounded));
  PetscCall(make_relaxer(mesh, bounded, whole));
  mesh->run.scale = scale;
  if (!perp_finest_begin(f, unit) || !perp_finest_measure(f))
    PetscCall(no_memory(mesh));
  const perp_box part = part_of(mesh), own = own_of(mesh, 0);
  for (int axis = 0; axis < 3; axis++) {
    f->own[axis][0] = own.begin[axis] - (perp_box_cells(&own) ? part.begin[axis] : 0);
    f->own[axis][1] = own.end[axis] - (perp_box_cells(&own) ? part.begin[axis] : 0);
  }
  for (int level = 0; level < mesh->levels; level++)
    PetscCall(make_next(mesh, level));
  if (!perp_grids_extend(&mesh->level[mesh->levels].f.grids, &mesh->arena))
    PetscCall(no_memory(mesh));
  /* copies at the rim of a part have neighbours that this rank lacks: b' is wrong there */
  if (mesh->levels > 0 && f->from_lower) {
    PetscCall(PetscSFBcastBegin(mesh->level[0].copies, MPI_DOUBLE, f->g->offset, f->g->offset,
                                MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(mesh->level[0].copies, MPI_DOUBLE, f->g->offset, f->g->offset,
                              MPI_REPLACE));
  }
  mesh->stale = false;
  perp_finest_place(f);
  f->place.plan.count = mesh->level[mesh->levels].f.grids.count;
  f->place.unknowns = mesh->total;
  return 0;
}

/* ---- Solving ---- */

static void sum(void *context, int count, double *numbers)
{
  note(context, over_ranks(context, count, MPI_SUM, numbers));
}

static void most(void *context, int count, double *numbers)
{
  note(context, over_ranks(context, count, MPI_MAX, numbers));
}

/* The run's perp_run_next_iterate. */
static bool next(void *context, perp_run *run, const perp_iterate *i)
{
  perp_mesh *mesh = context;
  const perp_mesh_options *o = mesh->wanted;
  perp_mesh_result *r = mesh->result;
  r->residual = i->residual;
  r->cycles = (int)run->count.cycles;
  if (o->monitor && !mesh->error)
    note(mesh, o->monitor(o->context, r->cycles, r->residual, &r->stopped));
  return r->residual > run->target && isfinite(r->residual) && !r->stopped && !mesh->error &&
         r->cycles < o->max_cycles;
}

/* Puts x by cell into the relaxer. Returns the largest |x|. */
static double load_x(perp_mesh *mesh, const double *x)
{
  double size = 0;
  for (int u = 0; u < mesh->unknowns; u++) {
    mesh->x[u] = x[mesh->cells ? mesh->cells[u] : u];
    size = perp_max(size, fabs(mesh->x[u]));
  }
  perp_relaxer_load(mesh->level[0].f.place.relaxer);
  mesh->level[0].correct = 0;
  return size;
}

static void store_x(perp_mesh *mesh, double *x)
{
  perp_relaxer_store(mesh->level[0].f.place.relaxer);
  for (int u = 0; u < mesh->unknowns; u++)
    x[mesh->cells ? mesh->cells[u] : u] = mesh->x[u];
}

/* With all bounds, at x by cell. */
static perp_error reopen(perp_mg_place *p, double *x)
{
  perp_mesh *mesh = ((perp_finest *)p)->flow.who;
  store_x(mesh, x);
  note(mesh, set_up(mesh, true));
  if (!mesh->error)
    load_x(mesh, x);
  return p->failure;
}

/* Solves from x in the hierarchy that is set up. */
static PetscErrorCode solve_from(perp_mesh *mesh, double *x)
{
  perp_mg_place *p = &mesh->level[0].f.place;
  perp_mesh_result *result = mesh->result;
  double size = load_x(mesh, x);
  PetscCall(over_ranks(mesh, 1, MPI_MAX, &size));
  p->cold = size == 0;
  (void)perp_mg_iterate(p, x);
  PetscCall(mesh->error);
  PetscCheck(!p->failure, PETSC_COMM_SELF, PETSC_ERR_MEM, "out of memory for a line search");
  result->cycles = (int)mesh->run.count.cycles;
  result->stagnated = mesh->driver.ended;
  if (result->stagnated)
    result->residual = p->residual(p);
  PetscCall(mesh->error);
  store_x(mesh, x);
  return 0;
}

PetscErrorCode perp_mesh_solve(const perp_layout *layout, const perp_mesh_data *data,
                               const perp_mesh_options *options, double *x,
                               perp_mesh_result *result)
{
  perp_mesh *m;
  double begin, end;
  PetscCall(PetscTime(&begin));
  PetscCall(PetscNew(&m));
  *result = (perp_mesh_result){0};
  m->layout = layout;
  m->data = *data;
  m->levels = layout->levels;
  m->wanted = options;
  m->result = result;
  m->options = perp_options_default();
  m->options.threads = 1;
  m->ranks = (perp_ranks){.context = m, .sum = sum, .most = most, .next = next};
  m->run = (perp_run){.problem = &m->problem,
                      .options = &m->options,
                      .target = options->target,
                      .arena = &m->arena,
                      .driver = &m->driver,
                      .ranks = &m->ranks,
                      .work = {.threads = 1}};
  m->level[0].f.flow = (perp_flow){.step = step, .who = m, .whole = true};
  m->level[0].f.place = (perp_mg_place){
      .run = &m->run,
      .reopen = reopen,
      .plan = {.fine_pre = 2, .cycles = options->start},
  };
  for (int axis = 0; axis < 3; axis++)
    m->level[0].n[axis] = layout->n[axis];
  PetscCall(set_up(m, false));
  PetscCall(PetscTime(&end));
  result->setup = end - begin;
  PetscCall(solve_from(m, x));
  PetscCall(disconnect(m));
  perp_operator_destroy(m->A);
  perp_arena_free(&m->arena);
  PetscCall(PetscFree(m));
  return 0;
}
