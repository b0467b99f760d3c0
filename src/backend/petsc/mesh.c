/* mesh.c: truncated nonsmooth Newton multigrid on distributed grids (method/multilevel/mg.c)
 *
 * Each rank has a part of every grid down to a small one, which every rank has and solves as a
 * whole. An iteration equals that of one rank, up to the order in which a few floats are summed in
 * a coarse right-hand side: x differs by rounding, the numbers of cycles do not.
 *
 * If there are lower bounds, and no upper ones or only distant ones, we solve for x - lo >= 0,
 * whose sweeps read no bounds:  b' = b + A lo. If upper bounds are reached after all, the solve is
 * repeated with bounds.
 *
 * Messages of a cycle: two or three exchanges on each grid in the plane, one per sweep in solid
 * grids (layout.c); memory: that of mg, and twice that on coarse distributed grids. */
#include "backend/petsc/mesh_parts.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "operator/relax.h"

#include <math.h>

enum { PATIENCE = 12, EXTRA = 1, STILL = 1024, SOON = 10 }; /* as in mg.c */
static const double FAR = 100;                              /* as in grid/finest.c */

/* ---- Over all ranks ---- */

/* If every rank has the whole first grid, all ranks have the same numbers already. */
static PetscErrorCode over_ranks(perp_mesh *mesh, int count, MPI_Op op, double *numbers)
{
  if (mesh->levels > 0) {
    const double begin = perp_mesh_clock();
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, op, mesh->layout->comm));
    mesh->spent.reductions++;
    mesh->spent.waiting += perp_mesh_clock() - begin;
  }
  return 0;
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

/* Computes b of the shifted problem, (A lo + b) by unknown. */
static void count_from_lower(const perp_mesh *mesh, double *b)
{
  const perp_box part = part_of(mesh);
  const int n[3] = {perp_box_length(&part, 0), perp_box_length(&part, 1),
                    perp_box_length(&part, 2)};
  const int step[3] = {1, n[0], n[0] * n[1]};
  const perp_mesh_data *d = &mesh->data;
  int at[3] = {0, 0, 0}, before = 0; /* of the unknown before */
  for (int u = 0; u < mesh->unknowns; u++) {
    const int c = mesh->cells ? mesh->cells[u] : u;
    at[0] += c - before;
    before = c;
    if (at[0] >= n[0]) {
      at[0] = c % n[0];
      at[1] = c / n[0] % n[1];
      at[2] = c / n[0] / n[1];
    }
    double sum = d->diagonal[c] * d->lo[c];
    for (int axis = 0; axis < mesh->layout->axes; axis++) {
      const int lower = c - step[axis], upper = c + step[axis];
      if (at[axis] > 0 && (!d->unknown || d->unknown[lower]))
        sum -= d->w[axis][lower] * d->lo[lower];
      if (at[axis] < n[axis] - 1 && (!d->unknown || d->unknown[upper]))
        sum -= d->w[axis][c] * d->lo[upper];
    }
    b[u] = d->b[c] + sum;
  }
}

/* The largest |diagonal| and |b|, the sizes of the bounds, and if there are any: over all
 * unknowns. */
typedef struct figures {
  double unit, scale, most, greatest, minus_upper, bounded, shifted;
} figures;

static PetscErrorCode survey(perp_mesh *mesh, figures *s)
{
  const perp_mesh_data *d = &mesh->data;
  double a[7] = {0, 0, 0, 0, -INFINITY, 0, 0};
  for (int u = 0; u < mesh->unknowns; u++) {
    const int c = mesh->cells ? mesh->cells[u] : u;
    const double lo = d->lo ? d->lo[c] : 0, hi = d->hi ? d->hi[c] : INFINITY;
    a[0] = perp_max(a[0], fabs(d->diagonal[c]));
    a[1] = perp_max(a[1], fabs(d->b[c]));
    a[2] = perp_max(a[2], lo > -1e300 ? fabs(lo) : INFINITY);
    a[3] = perp_max(a[3], lo);
    a[4] = perp_max(a[4], -hi);
    a[5] = perp_max(a[5], lo > -1e300 || hi < 1e300);
    a[6] = perp_max(a[6], lo != 0 || hi < 1e300);
  }
  PetscCall(over_ranks(mesh, 7, MPI_MAX, a));
  *s = (figures){a[0] > 0 ? a[0] : 1, a[1] > 0 ? a[1] : 1, a[2], a[3], a[4], a[5], a[6]};
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
  const perp_box part = part_of(mesh);
  const int64_t cells = perp_box_cells(&part);
  perp_stencil_data data = perp_stencil_data_default();
  perp_message why = {{0}};
  double own = 0;
  PetscCheck(cells < INT32_MAX, mesh->layout->comm, PETSC_ERR_SUP,
             "a rank would hold %lld cells, more than 2^31 - 1; use more ranks", (long long)cells);
  mesh->unknowns = (int)cells;
  if (mesh->data.unknown) {
    int count = 0;
    for (int64_t c = 0; c < cells; c++)
      count += mesh->data.unknown[c] != 0;
    mesh->cells = perp_arena_alloc(&mesh->arena, (size_t)count + 1, sizeof *mesh->cells);
    if (!mesh->cells)
      PetscCall(no_memory(mesh));
    mesh->unknowns = 0;
    for (int64_t c = 0; c < cells; c++)
      if (mesh->data.unknown[c])
        mesh->cells[mesh->unknowns++] = (int)c;
  }
  const perp_box mine = own_of(mesh, 0);
  if (!mesh->data.unknown)
    own = (double)perp_box_cells(&mine);
  for (int k = mine.begin[2]; k < mine.end[2] && mesh->data.unknown; k++)
    for (int j = mine.begin[1]; j < mine.end[1]; j++)
      for (int i = mine.begin[0]; i < mine.end[0]; i++)
        own += mesh->data.unknown[perp_box_cell(&part, i, j, k)] != 0;
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

static PetscErrorCode make_relaxer(perp_mesh *mesh, const figures *s)
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
  mesh->box = s->shifted != 0 && !mesh->from_lower;
  if (mesh->box) {
    for (int u = 0; u < mesh->unknowns; u++) {
      mesh->lo[u] = mesh->data.lo ? mesh->lo[u] : 0;
      mesh->hi[u] = mesh->data.hi ? mesh->hi[u] : INFINITY;
    }
    /* all ranks project, or none does: a bound that is never reached */
    if (s->bounded != 0 && mesh->unknowns > 0 && mesh->hi[0] >= 1e300)
      mesh->hi[0] = 1e299;
    K->lo = mesh->lo;
    K->hi = mesh->hi;
  } else if (mesh->from_lower)
    count_from_lower(mesh, mesh->b);
  mesh->problem.A = mesh->A;
  mesh->problem.b = mesh->b;
  mesh->run =
      (perp_run){.problem = &mesh->problem, .options = &mesh->options, .arena = &mesh->arena};
  *f = (perp_finest){.run = &mesh->run, .s = (const perp_stencil *)mesh->A};
  const perp_error error =
      perp_relaxer_create("perpmg", mesh->A, mesh->b, K, mesh->x, 1, 1u << PERP_COLOURED,
                          &mesh->arena, &f->relaxer, &why);
  PetscCheck(!error, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", why.text);
  if (mesh->from_lower)
    perp_stencil_count_from(f->relaxer, mesh->lo);
  f->g = perp_stencil_lattice(f->relaxer);
  return 0;
}

/* Computes the mean weights of the faces between unknowns, over all ranks. */
static PetscErrorCode mean_weights(perp_mesh *mesh, int level, double mean[3])
{
  const perp_grid *g = perp_mesh_grid(mesh, level);
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
  int64_t changed;
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
  if (!perp_grid_create(cover, g->axes, mesh->box, &mesh->arena, g + 1) ||
      !perp_grid_create(n, g->axes, mesh->box, &mesh->arena, perp_mesh_grid(mesh, level + 1)))
    PetscCall(no_memory(mesh));
  perp_mesh_share_flat(mesh, level);
  perp_grids_build(grids, level);
  PetscCall(perp_mesh_connect(mesh, level));
  PetscCall(perp_mesh_push_network(mesh, level, PERP_MESH_NEW, &changed));
  return 0;
}

static PetscErrorCode disconnect(perp_mesh *mesh)
{
  for (int level = 0; level < mesh->levels; level++) {
    PetscCall(PetscSFDestroy(&mesh->level[level].copies));
    PetscCall(PetscSFDestroy(&mesh->level[level].down));
    PetscCall(PetscSFDestroy(&mesh->level[level].flat));
  }
  return 0;
}

static PetscErrorCode set_up(perp_mesh *mesh, bool whole_bounds)
{
  perp_finest *f = &mesh->level[0].f;
  figures s = {0};
  PetscCall(disconnect(mesh));
  perp_operator_destroy(mesh->A);
  mesh->A = NULL;
  mesh->cells = NULL;
  perp_arena_reset(&mesh->arena);
  PetscCall(make_operator(mesh));
  PetscCall(survey(mesh, &s));
  mesh->from_lower = !whole_bounds && s.shifted != 0 && s.most < INFINITY &&
                     s.most <= 8 * s.greatest && -s.minus_upper > FAR * s.most;
  PetscCall(make_relaxer(mesh, &s));
  mesh->run.scale = s.scale;
  if (!perp_finest_begin(f, s.unit, s.scale))
    PetscCall(no_memory(mesh));
  const perp_box part = part_of(mesh), own = own_of(mesh, 0);
  for (int axis = 0; axis < 3; axis++) {
    f->own[axis][0] = own.begin[axis] - (perp_box_cells(&own) ? part.begin[axis] : 0);
    f->own[axis][1] = own.end[axis] - (perp_box_cells(&own) ? part.begin[axis] : 0);
  }
  for (int level = 0; level < mesh->levels; level++)
    PetscCall(make_next(mesh, level));
  if (!perp_grids_extend(&mesh->level[mesh->levels].f.grids, mesh->box, &mesh->arena))
    PetscCall(no_memory(mesh));
  /* copies at the rim of a part have neighbours that this rank lacks: b' is wrong there */
  if (mesh->levels > 0 && mesh->from_lower) {
    PetscCall(PetscSFBcastBegin(mesh->level[0].copies, MPI_DOUBLE, f->g->offset, f->g->offset,
                                MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(mesh->level[0].copies, MPI_DOUBLE, f->g->offset, f->g->offset,
                              MPI_REPLACE));
  }
  mesh->stale = false;
  return 0;
}

PetscErrorCode perp_mesh_create(const perp_layout *layout, const perp_mesh_data *data,
                                perp_mesh **mesh)
{
  PetscCall(PetscNew(mesh));
  (*mesh)->layout = layout;
  (*mesh)->data = *data;
  (*mesh)->levels = layout->levels;
  (*mesh)->options = perp_options_default();
  for (int axis = 0; axis < 3; axis++)
    (*mesh)->level[0].n[axis] = layout->n[axis];
  PetscCall(set_up(*mesh, false));
  return 0;
}

PetscErrorCode perp_mesh_destroy(perp_mesh **mesh)
{
  if (*mesh) {
    PetscCall(disconnect(*mesh));
    perp_operator_destroy((*mesh)->A);
    perp_arena_free(&(*mesh)->arena);
  }
  PetscCall(PetscFree(*mesh));
  return 0;
}

/* ---- Solving ---- */

static PetscErrorCode sweep(perp_mesh *mesh, int count)
{
  for (int s = 0; s < count; s++) {
    PetscCall(perp_mesh_need(mesh, 0, 2));
    perp_lattice_sweep_coloured(mesh->level[0].f.g, 1, 1);
    mesh->level[0].correct -= 2;
  }
  return 0;
}

static PetscErrorCode measure(perp_mesh *mesh, double *residual)
{
  *residual = perp_finest_residual(&mesh->level[0].f);
  PetscCall(over_ranks(mesh, 1, MPI_MAX, residual));
  mesh->level[0].f.residual = *residual;
  return 0;
}

static PetscErrorCode mark(perp_mesh *mesh, int *extra)
{
  double changed = (double)perp_finest_mark(&mesh->level[0].f);
  PetscCall(over_ranks(mesh, 1, MPI_SUM, &changed));
  *extra = changed > (double)(mesh->total / STILL) ? EXTRA : 0;
  if (mesh->levels > 0 && (changed > 0 || mesh->stale))
    PetscCall(perp_mesh_follow(mesh, 0, mesh->stale));
  mesh->stale = false;
  return 0;
}

/* Restricts the residuals. Estimates the natural residual from the coarse cells, each of which sums
 * half its cells, or computes it exactly near the target. */
static PetscErrorCode restrict_and_measure(perp_mesh *mesh, double target, double *residual)
{
  perp_finest *f = &mesh->level[0].f;
  if (f->grids.count == 1) {
    PetscCall(measure(mesh, residual));
    return 0;
  }
  perp_finest_restrict_red(f);
  *residual = perp_residual_estimate(&f->grids.grid[0], f->grids.unit, f->size,
                                     perp_mesh_greatest_flat(mesh));
  PetscCall(over_ranks(mesh, 1, MPI_MAX, residual));
  f->residual = *residual;
  if (!(*residual > 4 * target && *residual < INFINITY))
    PetscCall(measure(mesh, residual));
  return 0;
}

static PetscErrorCode correct(perp_mesh *mesh, perp_smoothing how, bool careful)
{
  perp_finest *f = &mesh->level[0].f;
  double energy[2];
  if (f->grids.count == 1)
    return 0;
  if (mesh->levels > 0)
    PetscCall(perp_mesh_descend(mesh, 0, how));
  else {
    perp_grid_receive(&f->grids.grid[1]);
    perp_grids_cycle(&f->grids, 1, how);
    perp_grid_send(&f->grids.grid[1]);
  }
  if (!careful) {
    perp_finest_correct(f);
    perp_mesh_corrected(mesh, 0);
    return 0;
  }
  if (!perp_finest_search(f, energy))
    PetscCall(no_memory(mesh));
  PetscCall(over_ranks(mesh, 2, MPI_SUM, energy));
  perp_finest_step(f, perp_energy_length(energy));
  perp_mesh_corrected(mesh, 0);
  return 0;
}

static PetscErrorCode iterate(perp_mesh *mesh, const perp_mesh_options *options,
                              perp_mesh_result *result)
{
  const perp_smoothing fine = {2, 1}, coarse = {2, 2};
  double before = INFINITY, best = INFINITY;
  bool careful = false;
  int extra = EXTRA;
  for (int stale = 0; stale < PATIENCE && result->cycles < options->max_cycles;) {
    PetscCall(sweep(mesh, fine.pre + extra));
    PetscCall(perp_mesh_need_all(mesh, 0)); /* owners decide how copies are marked */
    bool prepared = !(before <= SOON * options->target);
    if (prepared) {
      PetscCall(mark(mesh, &extra));
      PetscCall(restrict_and_measure(mesh, options->target, &result->residual));
    } else
      PetscCall(measure(mesh, &result->residual));
    if (options->monitor)
      PetscCall(
          options->monitor(options->context, result->cycles, result->residual, &result->stopped));
    if (!(result->residual > options->target) || !isfinite(result->residual) || result->stopped)
      return 0;
    if (!prepared) {
      double again;
      PetscCall(mark(mesh, &extra));
      PetscCall(restrict_and_measure(mesh, options->target, &again));
    }
    careful = careful || result->residual > before;
    stale = result->residual < 0.9 * best ? 0 : stale + 1;
    best = perp_min(best, result->residual);
    before = result->residual;
    PetscCall(correct(mesh, coarse, careful));
    result->cycles++;
    PetscCall(sweep(mesh, fine.post));
  }
  PetscCall(perp_mesh_need_all(mesh, 0));
  PetscCall(measure(mesh, &result->residual));
  result->stagnated = result->cycles < options->max_cycles;
  return 0;
}

/* Returns true in *yes if some x on any rank exceeds an upper bound that was left out. */
static PetscErrorCode exceeds(perp_mesh *mesh, bool *yes)
{
  double over = 0;
  for (int u = 0; mesh->from_lower && mesh->data.hi && u < mesh->unknowns; u++)
    over = perp_max(over, mesh->x[u] > mesh->hi[u]);
  PetscCall(over_ranks(mesh, 1, MPI_MAX, &over));
  *yes = over != 0;
  return 0;
}

PetscErrorCode perp_mesh_solve(perp_mesh *mesh, const perp_mesh_options *options, double *x,
                               perp_mesh_result *result)
{
  perp_finest *f = &mesh->level[0].f;
  const perp_smoothing fine = {2, 1}, coarse = {2, 2};
  bool again = false;
  double size = 0;
  *result = (perp_mesh_result){0};
  for (int u = 0; u < mesh->unknowns; u++) {
    mesh->x[u] = x[mesh->cells ? mesh->cells[u] : u];
    size = perp_max(size, fabs(mesh->x[u]));
  }
  PetscCall(over_ranks(mesh, 1, MPI_MAX, &size));
  perp_relaxer_load(f->relaxer);
  mesh->level[0].correct = 0;
  if (size == 0 && options->start > 0 && f->grids.count > 1) {
    if (mesh->levels > 0)
      PetscCall(perp_mesh_start(mesh, options->start, fine, coarse));
    else
      perp_finest_start(f, options->start, fine, coarse);
  }
  PetscCall(iterate(mesh, options, result));
  perp_relaxer_store(f->relaxer);
  PetscCall(exceeds(mesh, &again));
  result->exchanges = mesh->spent.exchanges;
  result->reductions = mesh->spent.reductions;
  result->bytes = mesh->spent.bytes;
  result->waiting = mesh->spent.waiting;
  for (int u = 0; u < mesh->unknowns; u++)
    x[mesh->cells ? mesh->cells[u] : u] = mesh->x[u];
  if (again && !result->stopped) {
    const int cycles = result->cycles;
    PetscCall(set_up(mesh, true));
    PetscCall(perp_mesh_solve(mesh, options, x, result));
    result->cycles += cycles;
  }
  return 0;
}
