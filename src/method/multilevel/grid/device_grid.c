/* device_grid.c: mg's grid on a device: its kernels on the device "host", the sequences of kernel
 * launches, and the perp_mg_place for the loop of mg.c
 *
 * The file is compiled without fused multiply-add, like the kernels. */
#include "method/multilevel/grid/device_grid.h"

#include "base/elementary.h"
#include "method/multilevel/grid/finest.h"
#include "method/multilevel/grid/kernel/flow.h"

#include <float.h>
#include <string.h>

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

const perp_rooms perp_mg_device_rooms = {ROOM_GRIDS + PERP_GRIDS_MOST, sizeof(perp_kept_grids)};

static perp_mg_device *of(perp_mg_place *p)
{
  return (perp_mg_device *)p;
}

/* Keeps the first failure. Queued kernels may not have run, so no grid is kept. */
void perp_mg_device_note(perp_mg_device *t, perp_error error, const perp_message *why)
{
  if (error)
    t->kept->values = 0;
  if (error && !t->base.failure)
    t->base.failure = perp_run_fail(t->base.run, error, "%s", why->text);
}

void perp_mg_device_do(perp_mg_device *t, int op, int level, int colour, int set, bool words)
{
  perp_grid_task task = t->task;
  perp_message why = {""};
  if (t->base.failure)
    return;
  task.g = t->level[level];
  if (level + 1 < t->plan.count)
    task.below = t->level[level + 1];
  task.plan = t->plan;
  task.level = level;
  task.colour = colour;
  task.set = set;
  if (!words)
    task.words = NULL;
  else if (t->stale) /* not before: a device's clock runs from the first kernel on */
    perp_mg_device_fill(t, t->task.words, PERP_WORDS * (int64_t)sizeof *t->task.words, 0);
  t->stale = t->stale && !words;
  if (t->plan.tail + 1 < t->plan.count) { /* flags that the tail may clear */
    task.bytes = t->level[t->plan.tail + 1].dirty;
    task.count = t->flag_count - (t->level[t->plan.tail + 1].dirty - t->flags);
  }
  perp_mg_device_note(t, perp_device_launch(t->device, &perp_kernel_grid, op, &task, &why), &why);
}

void perp_mg_device_fill(perp_mg_device *t, void *bytes, int64_t count, uint8_t value)
{
  perp_grid_task task = t->task;
  perp_message why = {""};
  if (t->base.failure || count == 0)
    return;
  task.bytes = bytes;
  task.count = count;
  task.value = value;
  perp_mg_device_note(
      t, perp_device_launch(t->device, &perp_kernel_grid, PERP_GRID_FILL, &task, &why), &why);
}

void perp_mg_device_words(perp_mg_device *t, uint64_t words[PERP_WORDS])
{
  perp_message why = {""};
  memset(words, 0, PERP_WORDS * sizeof *words);
  if (t->base.failure)
    return;
  perp_mg_device_note(
      t, perp_device_download(t->device, words, t->task.words, PERP_WORDS * sizeof *words, &why),
      &why);
  t->stale = true;
}

double perp_mg_device_number(uint64_t word)
{
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

/* ---- Sequences ----
 *
 * The kernels of a flow depend only on the plan and the grids, so the sequence is recorded under a
 * hash of both. */

typedef enum sequence { CYCLE, FOLLOW, START } sequence;

static uint64_t mix(uint64_t hash, const void *from, size_t bytes)
{
  const unsigned char *at = from;
  for (size_t k = 0; k < bytes; k++)
    hash = (hash ^ at[k]) * 0x100000001b3u; /* Fowler, Noll and Vo */
  return hash;
}

static uint64_t key_of(const perp_mg_device *t, sequence which)
{
  const perp_grid_plan *p = &t->plan;
  const int numbers[] = {(int)which,  p->count,     p->tail,   p->pre, p->post,
                         p->fine_pre, p->fine_post, p->cycles, p->set};
  const uint64_t hash = mix(0xcbf29ce484222325u, numbers, sizeof numbers);
  return mix(hash, t->level, (size_t)p->count * sizeof *t->level);
}

/* Queues a step; PERP_GRID_FILL: no grid after `level` has a cell to be built. */
static void launch_step(void *who, int op, int level, int colour, int set)
{
  perp_mg_device *t = who;
  uint8_t *from = t->level[op == PERP_GRID_FILL ? level + 1 : level].dirty;
  if (op == PERP_GRID_FILL)
    perp_mg_device_fill(t, from, t->flag_count - (from - t->flags), 0);
  else
    perp_mg_device_do(t, op, level, colour, set, false);
}

static void play(perp_mg_device *t, sequence which)
{
  const perp_device_table *table = t->device->table;
  const perp_flow flow = {launch_step, t, true};
  const uint64_t key = key_of(t, which);
  perp_message why = {""};
  bool known = false;
  if (t->base.failure)
    return;
  if (table->record)
    perp_mg_device_note(t, table->record(t->device, key, &known, &why), &why);
  if (known || t->base.failure)
    return;
  if (which == CYCLE)
    perp_flow_cycle(flow, &t->plan, 1);
  else if (which == START)
    perp_flow_start(flow, &t->plan, 1);
  else {
    perp_flow_follow(flow, &t->plan, 0);
    launch_step(t, PERP_GRID_FILL, 0, 0, 0);
  }
  if (table->record)
    perp_mg_device_note(t, table->record_end(t->device, key, &why), &why);
}

void perp_mg_device_follow(perp_mg_device *t)
{
  play(t, FOLLOW);
}

/* ---- The perp_mg_place ---- */

static void both_colours(perp_mg_device *t, int op)
{
  for (int colour = 0; colour < 2; colour++)
    perp_mg_device_do(t, op, 0, colour, 0, false);
}

static double residual(perp_mg_place *p)
{
  perp_mg_device *t = of(p);
  uint64_t words[PERP_WORDS];
  perp_mg_device_do(t, PERP_GRID_NATURAL, 0, 0, 0, true);
  perp_mg_device_words(t, words);
  const double greatest = perp_mg_device_number(words[PERP_WORD_NATURAL]);
  return isfinite(greatest) && !p->failure ? greatest : INFINITY;
}

static void start(perp_mg_place *p, int cycles, perp_smoothing fine, perp_smoothing coarse)
{
  perp_mg_device *t = of(p);
  if (t->plan.count == 1)
    return;
  t->plan.fine_pre = fine.pre;
  t->plan.fine_post = fine.post;
  t->plan.pre = coarse.pre;
  t->plan.post = coarse.post;
  t->plan.cycles = cycles;
  perp_mg_device_do(t, PERP_GRID_LOAD_FINE, 0, 0, 0, false);
  if (t->plan.set == PERP_GRID_BOX)
    perp_mg_device_do(t, PERP_GRID_BOUNDS_FINE, 0, 0, 0, false);
  play(t, START);
  both_colours(t, PERP_GRID_PROLONG);
}

static void sweep(perp_mg_place *p, int count)
{
  for (int s = 0; s < count; s++)
    both_colours(of(p), PERP_GRID_SWEEP);
  p->run->count.sweeps += count;
}

static double prepare(perp_mg_place *p, int64_t *changed)
{
  perp_mg_device *t = of(p);
  perp_fine *top = &t->task.top;
  const perp_grid *g = &t->level[0];
  uint64_t words[PERP_WORDS];
  *changed = 0;
  if (t->plan.count == 1)
    return residual(p);
  if (t->plan.set != PERP_GRID_LINEAR) {
    top->near = t->residual * perp_min(1, 1 / top->unit);
    top->back = t->residual > 0 ? PERP_CELL_BACK : 0; /* not if only the start was wrong */
  }
  perp_mg_device_do(t, PERP_GRID_PREPARE, 0, 0, 0, true);
  if (t->plan.set != PERP_GRID_LINEAR)
    perp_mg_device_follow(t);
  perp_mg_device_do(t, PERP_GRID_GATHER, 0, 0, 0, true);
  perp_mg_device_words(t, words);
  *changed = (int64_t)words[PERP_WORD_CHANGED];
  const double most = perp_mg_device_number(words[PERP_WORD_RESTRICT]);
  const double estimate = perp_residual_estimate(g, top->unit, top->size, most);
  const bool finite = most <= (double)FLT_MAX;
  if (!finite) /* outside the range of floats: no correction, only sweeps */
    perp_mg_device_do(t, PERP_GRID_FORGET, 0, 0, 0, false);
  t->residual = estimate > 4 * p->run->target && finite ? estimate : residual(p);
  return t->residual;
}

static void correct_searched(perp_mg_device *t)
{
  uint64_t words[PERP_WORDS];
  both_colours(t, PERP_GRID_STEP);
  perp_mg_device_do(t, PERP_GRID_LINE, 0, 0, 0, true);
  perp_mg_device_words(t, words);
  const double energy[2] = {perp_mg_device_number(words[PERP_WORD_SLOPE]),
                            perp_mg_device_number(words[PERP_WORD_BEND])};
  t->task.top.length = perp_energy_length(energy);
  both_colours(t, PERP_GRID_GO);
}

static void correct(perp_mg_place *p, perp_smoothing coarse, bool careful)
{
  perp_mg_device *t = of(p);
  if (t->plan.count == 1)
    return;
  t->plan.pre = coarse.pre;
  t->plan.post = coarse.post;
  play(t, CYCLE);
  if (careful)
    correct_searched(t);
  else
    perp_mg_device_do(t, PERP_GRID_CORRECT, 0, 1, 0, false);
}

static bool exceeds(perp_mg_place *p)
{
  perp_mg_device *t = of(p);
  uint64_t words[PERP_WORDS];
  if (!t->task.top.from || !p->run->problem->K.hi)
    return false;
  perp_mg_device_do(t, PERP_GRID_EXCEEDS, 0, 0, 0, true);
  perp_mg_device_words(t, words);
  return words[PERP_WORD_EXCEEDS] > 0;
}

/* x <- the x of the device */
static void store(perp_relaxer *relaxer)
{
  perp_mg_device *t =
      (perp_mg_device *)(void *)((char *)relaxer - offsetof(perp_mg_device, relaxer));
  perp_message why = {""};
  perp_mg_device_do(t, PERP_GRID_GIVE_X, 0, 0, 0, false);
  if (!t->base.failure)
    perp_mg_device_note(t,
                        perp_device_fetch(t->device, relaxer->x, t->task.top.by_x,
                                          (size_t)t->base.run->problem->K.n * sizeof *relaxer->x,
                                          &why),
                        &why);
}

static perp_error reopen(perp_mg_place *p, double *x)
{
  store(p->relaxer);
  return p->failure ? p->failure : perp_mg_device_open(of(p), x, true);
}

perp_error perp_mg_on_device(perp_run *run, double *x, perp_mg_place **place)
{
  perp_mg_device *t = perp_arena_alloc_zero(run->arena, 1, sizeof *t);
  *place = NULL;
  if (!t)
    return perp_run_no_memory(run);
  t->base = (perp_mg_place){.run = run,
                            .relaxer = &t->relaxer,
                            .cold = run->cold,
                            .residual = residual,
                            .start = start,
                            .sweep = sweep,
                            .prepare = prepare,
                            .correct = correct,
                            .exceeds = exceeds,
                            .reopen = reopen};
  t->relaxer = (perp_relaxer){.A = run->problem->A,
                              .b = run->problem->b,
                              .K = &run->problem->K,
                              .threads = run->options->threads,
                              .x = x,
                              .store = store};
  t->device = run->options->device;
  t->kept = perp_device_state(t->device, &perp_mg_device_rooms);
  if (!t->kept)
    return perp_run_no_memory(run);
  const perp_error error = perp_mg_device_open(t, x, false);
  *place = t->s ? &t->base : NULL;
  return error;
}
