/* device_grid.c: mg's grid on a device: its kernels on the device "host", the sequences of kernel
 * launches, its memory, and the perp_mg_place for the loop of mg.c
 *
 * Kernels are queued one after another; the CPU waits once per cycle, for the few words that decide
 * how to continue.
 *
 * The file is compiled without fused multiply-add, like the kernels. */
#include "base/elementary.h"
#include "method/multilevel/grid/finest.h"
#include "method/multilevel/grid/grid.h"
#include "method/multilevel/grid/kernel/flow.h"
#include "operator/relax.h"

#include <float.h>
#include <string.h>

/* The hierarchy of the last solve on a device: kept for the next one with the same operator, its
 * memory for any other. */
typedef struct kept_grids {
  uint64_t values; /* the generation of the operator; 0: nothing is kept */
  int count;
  double unit; /* its largest diagonal entry */
  int set;     /* the perp_grid_set of the block of grid 0 */
  perp_grid level[PERP_GRIDS_MOST];
} kept_grids;

/* Memory on the device; each grid has its own block. */
enum { ROOM_B, ROOM_LO, ROOM_HI, ROOM_X, ROOM_Y, ROOM_FINE, ROOM_SMALL, ROOM_GRIDS };
static const perp_rooms rooms = {ROOM_GRIDS + PERP_GRIDS_MOST, sizeof(kept_grids)};

typedef struct mg_device {
  perp_mg_place base; /* first: a perp_mg_place is its own address */
  perp_device *device;
  const perp_stencil *s;
  perp_relaxer relaxer;
  perp_grid_task task; /* with the data shared by all kernels */
  kept_grids *kept;    /* of the device */
  perp_grid *level;    /* plan.count of them: of `kept` */
  uint8_t *flags;      /* of all grids, one after another, and their number */
  int64_t flag_count;
  double residual; /* at the last restriction; 0 before */
  bool stale;      /* the words belong to an earlier kernel */
} mg_device;

/* ---- The kernels on the CPU, cell after cell ---- */

static void over_cells(int op, const perp_grid_task *t)
{
  const perp_grid_way way = perp_grid_way_of(op);
  const bool solid = t->g.axes == 3;
  uint64_t most = 0, count = 0;
  int extent[3];
  perp_grid_extent(t, way.domain, extent);
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++)
      for (int m = 0; m < extent[0]; m++) {
        const double value = fabs(perp_grid_at(op, t, m, j, k, t->top.mode, t->top.set, solid));
        uint64_t bits;
        if (way.keep == PERP_KEEP_NOTHING)
          continue;
        memcpy(&bits, &value, sizeof bits); /* NaN is above infinity */
        most = bits > most ? bits : most;
        count += way.keep == PERP_KEEP_COUNT ? (uint64_t)value : 0;
      }
  if (t->words && way.keep == PERP_KEEP_MOST && most > t->words[way.word])
    t->words[way.word] = most;
  if (t->words && way.keep == PERP_KEEP_COUNT)
    t->words[way.word] += count;
}

static void sum_up(const perp_grid_task *t, bool faces)
{
  perp_grid_sums sums = {0, 0};
  perp_grid_task own = *t;
  for (own.colour = 0; own.colour < (faces ? 1 : 2); own.colour++) {
    int extent[3];
    perp_grid_extent(t, faces ? PERP_OVER_CELLS : PERP_OVER_COLOUR, extent);
    for (int k = 0; k < extent[2]; k++)
      for (int j = 0; j < extent[1]; j++)
        for (int m = 0; m < extent[0]; m++) {
          const perp_grid_sums one =
              faces ? perp_cell_faces(&own, m, j, k) : perp_fine_line(&own, m, j, k);
          sums.slope += one.slope;
          sums.bend += one.bend;
        }
  }
  memcpy(&t->words[PERP_WORD_SLOPE], &sums.slope, sizeof sums.slope);
  memcpy(&t->words[PERP_WORD_BEND], &sums.bend, sizeof sums.bend);
}

static void run_kernel(int op, const void *task)
{
  const perp_grid_task *t = task;
  perp_grid_task tasks[PERP_TAIL_TASKS];
  if (op < PERP_GRID_CELL_OPS)
    over_cells(op, t);
  else if (op == PERP_GRID_FILL)
    memset(t->bytes, t->value, (size_t)t->count);
  else if (op == PERP_GRID_FACES || op == PERP_GRID_LINE)
    sum_up(t, op == PERP_GRID_FACES);
  else
    perp_grid_tail(perp_team_alone, op, t, tasks);
}

const perp_kernel perp_kernel_grid = {.title = "a kernel of a grid", .run = run_kernel};

/* ---- Launches ---- */

static mg_device *of(perp_mg_place *p)
{
  return (mg_device *)p;
}

/* Keeps the first failure. Queued kernels may not have run, so no grid is kept. */
static void note_failure(mg_device *t, perp_error error, const perp_message *why)
{
  if (error)
    t->kept->values = 0;
  if (error && !t->base.failure)
    t->base.failure = perp_run_fail(t->base.run, error, "%s", why->text);
}

static void fill_bytes(mg_device *t, void *bytes, int64_t count, uint8_t value)
{
  perp_grid_task task = t->task;
  perp_message why = {""};
  if (t->base.failure || count == 0)
    return;
  task.bytes = bytes;
  task.count = count;
  task.value = value;
  note_failure(t, perp_device_launch(t->device, &perp_kernel_grid, PERP_GRID_FILL, &task, &why),
               &why);
}

/* Queues a kernel on grid `level`; nothing after a failure. With `words` its number is kept. */
static void queue(mg_device *t, int op, int level, int colour, int set, bool words)
{
  perp_grid_task task = t->task;
  perp_message why = {""};
  if (t->base.failure)
    return;
  task.g = t->level[level];
  if (level + 1 < t->base.plan.count)
    task.below = t->level[level + 1];
  task.plan = t->base.plan;
  task.top.length = t->base.length;
  task.level = level;
  task.colour = colour;
  task.set = set;
  if (!words)
    task.words = NULL;
  else if (t->stale) /* not before: a device's clock runs from the first kernel on */
    fill_bytes(t, t->task.words, PERP_WORDS * (int64_t)sizeof *t->task.words, 0);
  t->stale = t->stale && !words;
  if (t->base.plan.tail + 1 < t->base.plan.count) { /* flags that the tail may clear */
    task.bytes = t->level[t->base.plan.tail + 1].dirty;
    task.count = t->flag_count - (t->level[t->base.plan.tail + 1].dirty - t->flags);
  }
  note_failure(t, perp_device_launch(t->device, &perp_kernel_grid, op, &task, &why), &why);
}

/* Waits for the kernels so far and returns their words; clears them for the next ones. */
static void take_words(mg_device *t, uint64_t words[PERP_WORDS])
{
  perp_message why = {""};
  memset(words, 0, PERP_WORDS * sizeof *words);
  if (t->base.failure)
    return;
  note_failure(
      t, perp_device_download(t->device, words, t->task.words, PERP_WORDS * sizeof *words, &why),
      &why);
  t->stale = true;
}

static double number_of(uint64_t word)
{
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

/* ---- Sequences ----
 *
 * The kernels of a flow depend only on the plan and the grids, so the sequence is recorded under a
 * hash of both. */

/* FOLLOW builds all grids after changes of grid 0. */
typedef enum sequence { CYCLE, FOLLOW, START } sequence;

static uint64_t mix(uint64_t hash, const void *from, size_t bytes)
{
  const unsigned char *at = from;
  for (size_t k = 0; k < bytes; k++)
    hash = (hash ^ at[k]) * 0x100000001b3u; /* Fowler, Noll and Vo */
  return hash;
}

static uint64_t key_of(const mg_device *t, sequence which)
{
  const perp_grid_plan *p = &t->base.plan;
  const int numbers[] = {(int)which, p->count, p->tail, p->fine_pre, p->cycles, p->set};
  const uint64_t hash = mix(0xcbf29ce484222325u, numbers, sizeof numbers);
  return mix(hash, t->level, (size_t)p->count * sizeof *t->level);
}

/* Queues a step; PERP_GRID_FILL: no grid after `level` has a cell to be built. */
static void launch_step(void *who, int op, int level, int colour, int set)
{
  mg_device *t = who;
  uint8_t *from = t->level[op == PERP_GRID_FILL ? level + 1 : level].dirty;
  if (op == PERP_GRID_FILL)
    fill_bytes(t, from, t->flag_count - (from - t->flags), 0);
  else
    queue(t, op, level, colour, set, false);
}

static void play(mg_device *t, sequence which)
{
  const perp_device_table *table = t->device->table;
  const perp_flow flow = {.step = launch_step, .who = t, .launches = true};
  const uint64_t key = key_of(t, which);
  perp_message why = {""};
  bool known = false;
  if (t->base.failure)
    return;
  if (table->record)
    note_failure(t, table->record(t->device, key, &known, &why), &why);
  if (known || t->base.failure)
    return;
  if (which == CYCLE)
    perp_flow_cycle(flow, &t->base.plan, 1);
  else if (which == START)
    perp_flow_start(flow, &t->base.plan, 1);
  else {
    perp_flow_follow(flow, &t->base.plan, 0);
    launch_step(t, PERP_GRID_FILL, 0, 0, 0);
  }
  if (table->record)
    note_failure(t, table->record_end(t->device, key, &why), &why);
}

/* ---- Memory of a hierarchy on a device, grid 0 and the grids below it ----
 *
 * One block for the doubles of grid 0, one for each grid, and a small one for words, flags and the
 * table of grids that the tail reads. The mean weights of its faces decide which axes a grid halves
 * (build.c), so a hierarchy is built grid by grid for a new operator; from then on all grids are
 * built at once, with every unknown free. */

enum {
  TAIL_CELLS = 4096, /* largest grid, in cells, of one team */
  TAIL_GRIDS = 24,   /* most grids of one team: PERP_TAIL_GRIDS of kernel/flow.h */
  LONG_ROW = 64,
};

/* ---- Memory ---- */

/* Rows of doubles of a large grid begin at a line of 128 bytes. */
static void shape(perp_grid *g, const int n[3], int axes)
{
  perp_grid_shape(g, n, axes, (n[0] + 1) / 2 >= LONG_ROW ? 16 : 2);
}

static void lay_fine(perp_grid_memory *l, const perp_grid *g, perp_fine *top)
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
    *arrays[k].array = arrays[k].wanted ? perp_grid_cells(l, g, sizeof(double)) : NULL;
  top->diagonal = varied ? perp_grid_cells(l, g, sizeof *top->diagonal) : NULL;
}

static perp_error no_memory(mg_device *t, size_t bytes)
{
  t->kept->values = 0;
  return perp_run_fail(t->base.run, PERP_ERROR_MEMORY,
                       "%s is out of memory for %zu bytes of a grid",
                       perp_device_facts(t->device).name, bytes);
}

/* Allocates the block of a grid, zeroed: *g has its shape on entry. */
static perp_error take_grid(mg_device *t, int level, bool weighted)
{
  perp_grid *g = &t->level[level];
  perp_grid_memory l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    g->r = perp_grid_cells(&l, g, sizeof *g->r);
    perp_grid_lay(&l, g, weighted, level > 0 ? PERP_GRID_BOUNDED : 0);
    if (pass == 0 && !(l.block = perp_device_room(t->device, &rooms, ROOM_GRIDS + level, l.bytes)))
      return no_memory(t, l.bytes);
  }
  fill_bytes(t, l.block, (int64_t)l.bytes, 0);
  return t->base.failure;
}

/* Returns true if the hierarchy of this operator is kept. */
static bool is_kept(const mg_device *t)
{
  const uint64_t values = t->base.run->problem->A->values;
  return values != 0 && t->kept->values == values;
}

/* Returns true if the block of grid 0 has A in the layout of sweeps, and zeros around. */
static bool is_laid(const mg_device *t)
{
  return is_kept(t) && t->kept->set == t->task.top.set;
}

/* Allocates the block of grid 0; zeroed, unless it is kept. */
static perp_error take_fine(mg_device *t, bool laid)
{
  perp_grid_memory l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    lay_fine(&l, &t->level[0], &t->task.top);
    if (pass == 0 && !(l.block = perp_device_room(t->device, &rooms, ROOM_FINE, l.bytes)))
      return no_memory(t, l.bytes);
  }
  if (!laid)
    fill_bytes(t, l.block, (int64_t)l.bytes, 0);
  return t->base.failure;
}

/* Allocates words, partial sums, the table of grids, and flags for the worst case: only the first
 * axis is halved, until the rows have one cell. */
static perp_error take_small(mg_device *t, perp_grid **table)
{
  const perp_grid *g = &t->level[0];
  const int64_t flags = (int64_t)g->n[1] * g->n[2] * (2 * g->segments + 32);
  perp_grid_memory l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    t->task.words = perp_grid_part(&l, PERP_WORDS, sizeof *t->task.words);
    t->task.partial = perp_grid_part(&l, 2 * (size_t)PERP_PARTIAL, sizeof *t->task.partial);
    *table = perp_grid_part(&l, PERP_GRIDS_MOST, sizeof **table);
    t->flags = perp_grid_part(&l, (size_t)flags, 1);
    if (pass == 0 && !(l.block = perp_device_room(t->device, &rooms, ROOM_SMALL, l.bytes)))
      return no_memory(t, l.bytes);
  }
  t->stale = true;
  return PERP_OK;
}

/* ---- The hierarchy ---- */

/* Chooses the axes that grid `level` halves. */
static void choose_axes(mg_device *t, int level)
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
    queue(t, PERP_GRID_FACES, level, 0, axis, true);
    take_words(t, words);
    const double faces = number_of(words[PERP_WORD_BEND]);
    mean[axis] = faces > 0 ? number_of(words[PERP_WORD_SLOPE]) / faces : 0;
  }
  perp_grid_choose_axes(g, mean, g->n);
}

static void take_flags(mg_device *t, int level)
{
  perp_grid *g = &t->level[level];
  g->dirty = t->flags + t->flag_count;
  t->level[level - 1].dirty_next = g->dirty;
  t->flag_count += ((int64_t)g->segments * g->n[1] * g->n[2] + 7) / 8 * 8;
}

/* Builds all grids below grid 0, one after another; without a tail yet. */
static perp_error build_grids(mg_device *t)
{
  t->flag_count = 0;
  t->base.plan.count = 1;
  t->base.plan.tail = PERP_GRIDS_MOST;
  for (int l = 0; t->level[l].cells > 1 && l + 1 < PERP_GRIDS_MOST; l++) {
    perp_grid *g = &t->level[l], *below = g + 1;
    int n[3];
    choose_axes(t, l);
    for (int axis = 0; axis < 3; axis++)
      n[axis] = g->halve[axis] ? (g->n[axis] + 1) / 2 : g->n[axis];
    *below = (perp_grid){.axes = g->axes};
    shape(below, n, g->axes);
    take_flags(t, l + 1);
    t->base.plan.count = l + 2;
    const perp_error error = take_grid(t, l + 1, true);
    if (error)
      return error;
    fill_bytes(t, below->dirty, t->flag_count - (below->dirty - t->flags), 1);
    queue(t, PERP_GRID_BUILD, l, 0, 0, false);
    queue(t, PERP_GRID_GAINS, l, 0, 0, false);
    if (t->base.failure)
      return t->base.failure;
  }
  fill_bytes(t, t->flags, t->flag_count, 0);
  return t->base.failure;
}

static void renew_grids(mg_device *t)
{
  t->base.plan.count = t->kept->count;
  t->flag_count = 0;
  for (int l = 1; l < t->base.plan.count; l++)
    take_flags(t, l);
}

static void find_tail(mg_device *t)
{
  t->base.plan.tail = 1;
  while (t->base.plan.tail < t->base.plan.count &&
         (t->level[t->base.plan.tail].cells > TAIL_CELLS ||
          t->base.plan.count - t->base.plan.tail > TAIL_GRIDS))
    t->base.plan.tail++;
}

static perp_error open_grids(mg_device *t, bool laid)
{
  kept_grids *kept = t->kept;
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
  t->base.plan.count = again ? kept->count : 1;
  queue(t, again ? PERP_GRID_RELEASE : PERP_GRID_FILL_CELL, 0, 0, 0, false);
  if (again)
    renew_grids(t);
  else
    error = build_grids(t);
  if (error)
    return error;
  error = perp_device_upload(t->device, table, t->level, sizeof *table * (size_t)t->base.plan.count,
                             &why);
  if (error)
    return t->base.failure ? t->base.failure : perp_run_fail(t->base.run, error, "%s", why.text);
  find_tail(t);
  t->base.plan.levels = table;
  if (again && t->base.plan.count > 1)
    play(t, FOLLOW);
  kept->count = t->base.plan.count;
  kept->unit = t->task.top.unit;
  kept->set = t->task.top.set;
  kept->values = t->base.failure ? 0 : values;
  return t->base.failure;
}

/* ---- The problem ---- */

/* Places the arrays of the problem and of the operator on the device. */
static perp_error place_arrays(mg_device *t, double *x)
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
  perp_error error =
      perp_device_place(t->device, &rooms, sizeof inputs / sizeof *inputs, inputs, &why);
  if (!error && t->base.run->placed)
    top->A = *perp_placed_operator(t->base.run);
  else if (!error)
    error = perp_stencil_place(t->s, t->device, &top->A, &why);
  if (!error)
    error = perp_device_place_result(t->device, &rooms, ROOM_X, x, rows, true, (void **)&top->by_x,
                                     &why);
  if (!error && !(top->by_y = perp_device_room(t->device, &rooms, ROOM_Y, rows)))
    return no_memory(t, rows);
  return error ? perp_run_fail(t->base.run, error, "%s", why.text) : PERP_OK;
}

static void take_scalars(mg_device *t, bool lower)
{
  const perp_run *run = t->base.run;
  const perp_stencil *s = t->s;
  perp_fine *top = &t->task.top;
  const perp_set *K = &run->problem->K;
  const perp_placed_facts *facts = perp_run_placed(run);
  const bool plain = lower || (facts ? facts->plain : perp_set_part(K) == PERP_PART_PLAIN);
  const bool unbounded = !plain && (facts ? facts->unbounded : perp_set_is_unbounded(K));
  top->set = plain ? PERP_GRID_PLAIN : unbounded ? PERP_GRID_LINEAR : PERP_GRID_BOX;
  t->base.plan.set = top->set;
  top->mode = s->mode == PERP_STENCIL_UNIFORM && !s->full ? PERP_CELLS_DIAGONAL : (int)s->mode;
  top->scale = plain ? 0.5 : 1;
  top->unit = is_kept(t) ? t->kept->unit : perp_grids_unit(s);
  top->gain = top->scale * s->weight / s->diagonal;
  top->common = perp_to_float(s->diagonal / top->unit);
  top->size = perp_max(run->scale / top->unit, DBL_MIN);
  top->shrink = 1 / (top->scale * top->size);
}

/* Opens the hierarchy, and the problem at x; t->s is NULL if A is not a grid. */
static perp_error open_device(mg_device *t, double *x, bool whole)
{
  perp_run *run = t->base.run;
  perp_error error = perp_grids_stencil(run, run->arena, &t->s);
  if (error || !t->s)
    return error;
  t->residual = 0;
  t->task = (perp_grid_task){.level = 0};
  const bool lower = !whole && perp_finest_counts_from_lower(run);
  take_scalars(t, lower);
  error = place_arrays(t, x);
  if (error)
    return error;
  t->task.top.from = lower ? t->task.top.by_lo : NULL;
  const bool laid = is_laid(t);
  error = open_grids(t, laid);
  if (!error && !laid)
    queue(t, PERP_GRID_FILL_LATTICE, 0, 0, 0, false);
  if (error || perp_run_expired(run))
    return error;
  if (lower)
    queue(t, PERP_GRID_TAKE_LOWER, 0, 0, 0, false);
  queue(t, PERP_GRID_TAKE_PROBLEM, 0, 0, 0, false);
  return t->base.failure;
}

/* ---- The perp_mg_place ---- */

/* The load and the bounds of grid 1 have no colours; a correction is of black cells. */
static void step(perp_mg_place *p, int op)
{
  const bool coloured = op != PERP_GRID_LOAD && op != PERP_GRID_BOUNDS;
  for (int colour = op == PERP_GRID_CORRECT; colour < 1 + coloured; colour++)
    queue(of(p), op, 0, colour, 0, false);
}

static double residual(perp_mg_place *p)
{
  mg_device *t = of(p);
  uint64_t words[PERP_WORDS];
  queue(t, PERP_GRID_NATURAL, 0, 0, 0, true);
  take_words(t, words);
  const double greatest = number_of(words[PERP_WORD_NATURAL]);
  return isfinite(greatest) && !p->failure ? greatest : INFINITY;
}

static void cycle(perp_mg_place *p, bool start)
{
  play(of(p), start ? START : CYCLE);
}

static double prepare(perp_mg_place *p, int64_t *changed)
{
  mg_device *t = of(p);
  perp_fine *top = &t->task.top;
  const perp_grid *g = &t->level[0];
  uint64_t words[PERP_WORDS];
  *changed = 0;
  if (t->base.plan.count == 1)
    return residual(p);
  if (t->base.plan.set != PERP_GRID_LINEAR) {
    top->near = t->residual * perp_min(1, 1 / top->unit);
    top->back = t->residual > 0 ? PERP_CELL_BACK : 0; /* not if only the start was wrong */
  }
  queue(t, PERP_GRID_PREPARE, 0, 0, 0, true);
  if (t->base.plan.set != PERP_GRID_LINEAR)
    play(t, FOLLOW);
  queue(t, PERP_GRID_GATHER, 0, 0, 0, true);
  take_words(t, words);
  *changed = (int64_t)words[PERP_WORD_CHANGED];
  const double most = number_of(words[PERP_WORD_RESTRICT]);
  const double estimate = perp_residual_estimate(g, top->unit, top->size, most);
  const bool finite = most <= (double)FLT_MAX;
  if (!finite) /* outside the range of floats: no correction, only sweeps */
    queue(t, PERP_GRID_FORGET, 0, 0, 0, false);
  t->residual = estimate > 4 * p->run->target && finite ? estimate : residual(p);
  return t->residual;
}

static void search(perp_mg_place *p, double energy[2])
{
  uint64_t words[PERP_WORDS];
  queue(of(p), PERP_GRID_LINE, 0, 0, 0, true);
  take_words(of(p), words);
  energy[0] = number_of(words[PERP_WORD_SLOPE]);
  energy[1] = number_of(words[PERP_WORD_BEND]);
}

static bool exceeds(perp_mg_place *p)
{
  mg_device *t = of(p);
  uint64_t words[PERP_WORDS];
  if (!t->task.top.from || !p->run->problem->K.hi)
    return false;
  queue(t, PERP_GRID_EXCEEDS, 0, 0, 0, true);
  take_words(t, words);
  return words[PERP_WORD_EXCEEDS] > 0;
}

/* x <- the x of the device */
static void store(perp_relaxer *relaxer)
{
  mg_device *t = (mg_device *)(void *)((char *)relaxer - offsetof(mg_device, relaxer));
  perp_message why = {""};
  queue(t, PERP_GRID_GIVE_X, 0, 0, 0, false);
  if (!t->base.failure)
    note_failure(t,
                 perp_device_fetch(t->device, relaxer->x, t->task.top.by_x,
                                   (size_t)t->base.run->problem->K.n * sizeof *relaxer->x, &why),
                 &why);
}

static perp_error reopen(perp_mg_place *p, double *x)
{
  store(p->relaxer);
  return p->failure ? p->failure : open_device(of(p), x, true);
}

perp_error perp_mg_on_device(perp_run *run, double *x, perp_mg_place **place)
{
  mg_device *t = perp_arena_alloc_zero(run->arena, 1, sizeof *t);
  *place = NULL;
  if (!t)
    return perp_run_no_memory(run);
  t->base = (perp_mg_place){.run = run,
                            .relaxer = &t->relaxer,
                            .cold = run->cold,
                            .residual = residual,
                            .step = step,
                            .prepare = prepare,
                            .cycle = cycle,
                            .search = search,
                            .exceeds = exceeds,
                            .reopen = reopen};
  t->relaxer = (perp_relaxer){.A = run->problem->A,
                              .b = run->problem->b,
                              .K = &run->problem->K,
                              .threads = run->options->threads,
                              .x = x,
                              .store = store};
  t->device = run->options->device;
  t->kept = perp_device_state(t->device, &rooms);
  if (!t->kept)
    return perp_run_no_memory(run);
  const perp_error error = open_device(t, x, false);
  *place = t->s ? &t->base : NULL;
  return error;
}
