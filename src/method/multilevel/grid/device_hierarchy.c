/* device_hierarchy.c: memory of a hierarchy on a device, grid 0 and the grids below it
 *
 * One block for the doubles of grid 0, one for each grid, and a small one for words, flags and the
 * table of grids that the tail reads. The mean weights of its faces decide which axes a grid halves
 * (build.c), so a hierarchy is built grid by grid for a new operator; from then on all grids are
 * built at once, with every unknown free. */
#include "method/multilevel/grid/device_grid.h"

#include "base/elementary.h"
#include "method/multilevel/grid/finest.h"
#include "set/bounds.h"

#include <float.h>
#include <string.h>

enum {
  TAIL_CELLS = 4096, /* largest grid, in cells, of one team */
  TAIL_GRIDS = 24,   /* most grids of one team: PERP_TAIL_GRIDS of kernel/flow.h */
  SPARE = 64,
  LONG_ROW = 64,
};

/* ---- Memory ---- */

/* A part of a block; only counted while there is no block. */
typedef struct layout {
  char *block;
  size_t bytes;
} layout;

static void *part(layout *l, size_t count, size_t size)
{
  void *at = l->block ? l->block + l->bytes : NULL;
  l->bytes += (count * size + 255) / 256 * 256;
  return at;
}

/* Places an array of a grid, with zeros around as in build.c. */
static void *cells_of(layout *l, const perp_grid *g, size_t size)
{
  const int64_t margin = g->row + (g->axes == 3 ? g->plane : 0), lead = (margin + 63) / 64 * 64;
  char *array = part(l, (size_t)(lead + 2 * g->colour + g->row) + SPARE, size);
  return array ? array + (size_t)lead * size : NULL;
}

static void shape(perp_grid *g, const int n[3], int axes)
{
  /* rows of doubles of a large grid begin at a line of 128 bytes */
  const int places = (n[0] + 1) / 2, unit = places >= LONG_ROW ? 16 : 2;
  memcpy(g->n, n, sizeof g->n);
  g->axes = axes;
  g->cells = (int64_t)n[0] * n[1] * n[2];
  g->row = (places + unit) / unit * unit;
  g->plane = (n[1] + 1) * g->row;
  g->colour = n[2] * g->plane + g->row + (axes == 3 ? g->plane : 0);
  g->segments = (n[0] + PERP_SEGMENT - 1) / PERP_SEGMENT;
}

static void lay_network(layout *l, perp_grid *g, bool weighted)
{
  g->sink = cells_of(l, g, sizeof *g->sink);
  g->r = cells_of(l, g, sizeof *g->r);
  g->dirs = cells_of(l, g, 1);
  g->state = cells_of(l, g, 1);
  g->code = cells_of(l, g, 1);
  for (int axis = 0; weighted && axis < g->axes; axis++)
    g->w[axis] = cells_of(l, g, sizeof(float));
}

static void lay_values(layout *l, perp_grid *g)
{
  g->gain = cells_of(l, g, sizeof *g->gain);
  g->x = cells_of(l, g, sizeof *g->x);
  g->f = cells_of(l, g, sizeof *g->f);
  g->lo = cells_of(l, g, sizeof *g->lo);
  g->hi = cells_of(l, g, sizeof *g->hi);
}

static void lay_fine(layout *l, const perp_grid *g, perp_fine *top)
{
  const bool box = top->set == PERP_GRID_BOX, weighted = top->mode == PERP_CELLS_WEIGHTED;
  const bool varied = top->mode != PERP_CELLS_UNIFORM;
  const struct {
    double **array;
    bool wanted;
  } arrays[] = {
      {&top->x, true},      {&top->offset, true}, {&top->gains, varied},
      {&top->wx, weighted}, {&top->wy, weighted}, {&top->wz, weighted && g->axes == 3},
      {&top->lo, box},      {&top->hi, box},      {&top->step, true},
  };
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    *arrays[k].array = arrays[k].wanted ? cells_of(l, g, sizeof(double)) : NULL;
  top->diagonal = varied ? cells_of(l, g, sizeof *top->diagonal) : NULL;
}

static perp_error no_memory(perp_mg_device *t, size_t bytes)
{
  t->kept->values = 0;
  return perp_run_fail(t->base.run, PERP_ERROR_MEMORY,
                       "%s is out of memory for %zu bytes of a grid",
                       perp_device_facts(t->device).name, bytes);
}

/* Allocates the block of a grid, zeroed: *g has its shape on entry. */
static perp_error take_grid(perp_mg_device *t, int level, bool weighted)
{
  perp_grid *g = &t->level[level];
  layout l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    lay_network(&l, g, weighted);
    if (level > 0)
      lay_values(&l, g);
    if (pass == 0 && !(l.block = perp_device_room(t->device, &perp_mg_device_rooms,
                                                  ROOM_GRIDS + level, l.bytes)))
      return no_memory(t, l.bytes);
  }
  perp_mg_device_fill(t, l.block, (int64_t)l.bytes, 0);
  return t->base.failure;
}

/* Returns true if the hierarchy of this operator is kept. */
static bool is_kept(const perp_mg_device *t)
{
  const uint64_t values = t->base.run->problem->A->values;
  return values != 0 && t->kept->values == values;
}

/* Returns true if the block of grid 0 has A in the layout of sweeps, and zeros around. */
static bool is_laid(const perp_mg_device *t)
{
  return is_kept(t) && t->kept->set == t->task.top.set;
}

/* Allocates the block of grid 0; zeroed, unless it is kept. */
static perp_error take_fine(perp_mg_device *t, bool laid)
{
  layout l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    lay_fine(&l, &t->level[0], &t->task.top);
    if (pass == 0 &&
        !(l.block = perp_device_room(t->device, &perp_mg_device_rooms, ROOM_FINE, l.bytes)))
      return no_memory(t, l.bytes);
  }
  if (!laid)
    perp_mg_device_fill(t, l.block, (int64_t)l.bytes, 0);
  return t->base.failure;
}

/* Allocates words, partial sums, the table of grids, and flags for the worst case: only the first
 * axis is halved, until the rows have one cell. */
static perp_error take_small(perp_mg_device *t, perp_grid **table)
{
  const perp_grid *g = &t->level[0];
  const int64_t flags = (int64_t)g->n[1] * g->n[2] * (2 * g->segments + 32);
  layout l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    t->task.words = part(&l, PERP_WORDS, sizeof *t->task.words);
    t->task.partial = part(&l, 2 * (size_t)PERP_PARTIAL, sizeof *t->task.partial);
    *table = part(&l, PERP_GRIDS_MOST, sizeof **table);
    t->flags = part(&l, (size_t)flags, 1);
    if (pass == 0 &&
        !(l.block = perp_device_room(t->device, &perp_mg_device_rooms, ROOM_SMALL, l.bytes)))
      return no_memory(t, l.bytes);
  }
  t->stale = true;
  return PERP_OK;
}

/* ---- The hierarchy ---- */

/* Chooses the axes that grid `level` halves. */
static void choose_axes(perp_mg_device *t, int level)
{
  perp_grid *g = &t->level[level];
  double mean[3] = {0, 0, 0};
  for (int axis = 0; axis < g->axes; axis++) {
    uint64_t words[PERP_WORDS];
    if (g->n[axis] == 1)
      continue;
    mean[axis] = (double)g->weight;
    if (!g->w[axis])
      continue;
    perp_mg_device_do(t, PERP_GRID_FACES, level, 0, axis, true);
    perp_mg_device_words(t, words);
    const double faces = perp_mg_device_number(words[PERP_WORD_BEND]);
    mean[axis] = faces > 0 ? perp_mg_device_number(words[PERP_WORD_SLOPE]) / faces : 0;
  }
  perp_grid_choose_axes(g, mean, g->n);
}

static void take_flags(perp_mg_device *t, int level)
{
  perp_grid *g = &t->level[level];
  g->dirty = t->flags + t->flag_count;
  t->level[level - 1].dirty_next = g->dirty;
  t->flag_count += ((int64_t)g->segments * g->n[1] * g->n[2] + 7) / 8 * 8;
}

/* Builds all grids below grid 0, one after another; without a tail yet. */
static perp_error build_grids(perp_mg_device *t)
{
  t->flag_count = 0;
  t->plan.count = 1;
  t->plan.tail = PERP_GRIDS_MOST;
  for (int l = 0; t->level[l].cells > 1 && l + 1 < PERP_GRIDS_MOST; l++) {
    perp_grid *g = &t->level[l], *below = g + 1;
    int n[3];
    choose_axes(t, l);
    for (int axis = 0; axis < 3; axis++)
      n[axis] = g->halve[axis] ? (g->n[axis] + 1) / 2 : g->n[axis];
    *below = (perp_grid){.axes = g->axes};
    shape(below, n, g->axes);
    take_flags(t, l + 1);
    t->plan.count = l + 2;
    const perp_error error = take_grid(t, l + 1, true);
    if (error)
      return error;
    perp_mg_device_fill(t, below->dirty, t->flag_count - (below->dirty - t->flags), 1);
    perp_mg_device_do(t, PERP_GRID_BUILD, l, 0, 0, false);
    perp_mg_device_do(t, PERP_GRID_GAINS, l, 0, 0, false);
    if (t->base.failure)
      return t->base.failure;
  }
  perp_mg_device_fill(t, t->flags, t->flag_count, 0);
  return t->base.failure;
}

static void renew_grids(perp_mg_device *t)
{
  t->plan.count = t->kept->count;
  t->flag_count = 0;
  for (int l = 1; l < t->plan.count; l++)
    take_flags(t, l);
}

static void find_tail(perp_mg_device *t)
{
  t->plan.tail = 1;
  while (t->plan.tail < t->plan.count &&
         (t->level[t->plan.tail].cells > TAIL_CELLS || t->plan.count - t->plan.tail > TAIL_GRIDS))
    t->plan.tail++;
}

static perp_error open_grids(perp_mg_device *t, bool laid)
{
  perp_kept_grids *kept = t->kept;
  const uint64_t values = t->base.run->problem->A->values;
  const bool again = is_kept(t);
  const perp_stencil *s = t->s;
  perp_grid *table;
  perp_message why;
  perp_error error = PERP_OK;
  kept->values = 0; /* until it is complete */
  t->level = kept->level;
  if (!again) {
    t->level[0] = (perp_grid){.weight = perp_to_float(perp_max(s->weight, 0) / t->task.top.unit)};
    shape(&t->level[0], (int[3]){s->data.nx, s->data.ny, s->data.nz}, s->solid ? 3 : 2);
    error = take_grid(t, 0, s->mode == PERP_STENCIL_WEIGHTED);
  }
  if (!error)
    error = take_fine(t, laid);
  if (!error)
    error = take_small(t, &table);
  if (error)
    return error;
  t->plan.count = again ? kept->count : 1;
  perp_mg_device_do(t, again ? PERP_GRID_RELEASE : PERP_GRID_FILL_CELL, 0, 0, 0, false);
  if (again)
    renew_grids(t);
  else
    error = build_grids(t);
  if (!error)
    error =
        perp_device_upload(t->device, table, t->level, sizeof *table * (size_t)t->plan.count, &why);
  if (error)
    return t->base.failure ? t->base.failure : perp_run_fail(t->base.run, error, "%s", why.text);
  find_tail(t);
  t->plan.levels = table;
  if (again && t->plan.count > 1)
    perp_mg_device_follow(t);
  kept->count = t->plan.count;
  kept->unit = t->task.top.unit;
  kept->set = t->task.top.set;
  kept->values = t->base.failure ? 0 : values;
  return t->base.failure;
}

/* ---- The problem ---- */

/* Places the arrays of the problem and of the operator on the device. */
static perp_error place_arrays(perp_mg_device *t, double *x)
{
  const perp_problem *p = t->base.run->problem;
  perp_fine *top = &t->task.top;
  const size_t rows = (size_t)p->K.n * sizeof(double);
  const perp_placing inputs[] = {
      {ROOM_B, p->b, rows, (const void **)&top->b},
      {ROOM_LO, p->K.lo, rows, (const void **)&top->by_lo},
      {ROOM_HI, p->K.hi, rows, (const void **)&top->by_hi},
  };
  perp_message why;
  perp_error error = perp_device_place(t->device, &perp_mg_device_rooms,
                                       sizeof inputs / sizeof *inputs, inputs, &why);
  if (!error && t->base.run->placed)
    top->A = *perp_placed_operator(t->base.run);
  else if (!error)
    error = perp_stencil_place(t->s, t->device, &top->A, &why);
  if (!error)
    error = perp_device_place_result(t->device, &perp_mg_device_rooms, ROOM_X, x, rows, true,
                                     (void **)&top->by_x, &why);
  if (!error && !(top->by_y = perp_device_room(t->device, &perp_mg_device_rooms, ROOM_Y, rows)))
    return no_memory(t, rows);
  return error ? perp_run_fail(t->base.run, error, "%s", why.text) : PERP_OK;
}

static void take_scalars(perp_mg_device *t, bool lower)
{
  const perp_run *run = t->base.run;
  const perp_stencil *s = t->s;
  perp_fine *top = &t->task.top;
  const perp_set *K = &run->problem->K;
  const perp_placed_facts *facts = perp_run_placed(run);
  const bool plain = lower || (facts ? facts->plain : perp_set_part(K) == PERP_PART_PLAIN);
  const bool unbounded = !plain && (facts ? facts->unbounded : perp_set_is_unbounded(K));
  top->set = plain ? PERP_GRID_PLAIN : unbounded ? PERP_GRID_LINEAR : PERP_GRID_BOX;
  t->plan.set = top->set;
  top->mode = s->mode == PERP_STENCIL_UNIFORM && !s->full ? PERP_CELLS_DIAGONAL : (int)s->mode;
  top->scale = plain ? 0.5 : 1;
  top->unit = is_kept(t) ? t->kept->unit : perp_grids_unit(s);
  top->gain = top->scale * s->weight / s->diagonal;
  top->common = perp_to_float(s->diagonal / top->unit);
  top->size = perp_max(run->scale / top->unit, DBL_MIN);
}

perp_error perp_mg_device_open(perp_mg_device *t, double *x, bool whole)
{
  perp_run *run = t->base.run;
  const perp_operator *A = run->problem->A;
  perp_stencil *seen = NULL;
  if (perp_operator_is_stencil(A))
    t->s = (const perp_stencil *)A;
  else if (perp_stencil_recognise(A, run->arena, &seen))
    return perp_run_no_memory(run);
  else
    t->s = seen;
  if (!t->s)
    return PERP_OK;
  t->residual = 0;
  t->task = (perp_grid_task){.level = 0};
  const bool lower = !whole && perp_finest_counts_from_lower(run);
  take_scalars(t, lower);
  perp_error error = place_arrays(t, x);
  if (error)
    return error;
  t->task.top.from = lower ? t->task.top.by_lo : NULL;
  const bool laid = is_laid(t);
  error = open_grids(t, laid);
  if (!error && !laid)
    perp_mg_device_do(t, PERP_GRID_FILL_LATTICE, 0, 0, 0, false);
  if (error || perp_run_expired(run))
    return error;
  if (lower)
    perp_mg_device_do(t, PERP_GRID_TAKE_LOWER, 0, 0, 0, false);
  perp_mg_device_do(t, PERP_GRID_TAKE_PROBLEM, 0, 0, 0, false);
  return t->base.failure;
}
