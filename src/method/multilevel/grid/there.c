/* there.c: mg's grid on a device, as the loop of mg.c sees it (place.h) */
#include "method/multilevel/grid/there.h"

#include "base/elementary.h"

#include <float.h>
#include <string.h>

const perp_rooms perp_there_rooms = {ROOM_GRIDS + PERP_GRIDS_MOST, sizeof(perp_kept_grids)};

static perp_there *of(perp_mg_place *p)
{
  return (perp_there *)p;
}

/* The first failure stays. What was queued may not have run, so no grid is kept. */
void perp_there_note(perp_there *t, perp_error error, const perp_message *why)
{
  if (error)
    t->kept->values = 0;
  if (error && !t->base.failure)
    t->base.failure = perp_run_fail(t->base.run, error, "%s", why->text);
}

void perp_there_do(perp_there *t, perp_grid_op op, int level, int colour, int set, bool words)
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
    perp_there_fill(t, t->task.words, PERP_WORDS * (int64_t)sizeof *t->task.words, 0);
  t->stale = t->stale && !words;
  if (t->plan.tail + 1 < t->plan.count) { /* flags that the tail may clear */
    task.bytes = t->level[t->plan.tail + 1].dirty;
    task.count = t->flag_count - (t->level[t->plan.tail + 1].dirty - t->flags);
  }
  perp_there_note(t, perp_device_launch(t->device, &perp_kernel_grid, (int)op, &task, &why), &why);
}

void perp_there_fill(perp_there *t, void *bytes, int64_t count, uint8_t value)
{
  perp_grid_task task = t->task;
  perp_message why = {""};
  if (t->base.failure || count == 0)
    return;
  task.bytes = bytes;
  task.count = count;
  task.value = value;
  perp_there_note(t, perp_device_launch(t->device, &perp_kernel_grid, PERP_GRID_fill, &task, &why),
                  &why);
}

void perp_there_words(perp_there *t, uint64_t words[PERP_WORDS])
{
  perp_message why = {""};
  memset(words, 0, PERP_WORDS * sizeof *words);
  if (t->base.failure)
    return;
  perp_there_note(
      t, perp_device_download(t->device, words, t->task.words, PERP_WORDS * sizeof *words, &why),
      &why);
  t->stale = true;
}

double perp_there_number(uint64_t word)
{
  double number;
  memcpy(&number, &word, sizeof number);
  return number;
}

static void both_colours(perp_there *t, perp_grid_op op)
{
  for (int colour = 0; colour < 2; colour++)
    perp_there_do(t, op, 0, colour, 0, false);
}

static double residual(perp_mg_place *p)
{
  perp_there *t = of(p);
  uint64_t words[PERP_WORDS];
  perp_there_do(t, PERP_GRID_natural, 0, 0, 0, true);
  perp_there_words(t, words);
  const double greatest = perp_there_number(words[PERP_WORD_NATURAL]);
  return isfinite(greatest) && !p->failure ? greatest : INFINITY;
}

static void start(perp_mg_place *p, int cycles, perp_smoothing fine, perp_smoothing coarse)
{
  perp_there *t = of(p);
  if (t->plan.count == 1)
    return;
  t->plan.fine_pre = fine.pre;
  t->plan.fine_post = fine.post;
  t->plan.pre = coarse.pre;
  t->plan.post = coarse.post;
  t->plan.cycles = cycles;
  perp_there_do(t, PERP_GRID_load_fine, 0, 0, 0, false);
  if (t->plan.set == PERP_GRID_BOX)
    perp_there_do(t, PERP_GRID_bounds_fine, 0, 0, 0, false);
  perp_there_start(t);
  both_colours(t, PERP_GRID_prolong);
}

static void sweep(perp_mg_place *p, int count)
{
  for (int s = 0; s < count; s++)
    both_colours(of(p), PERP_GRID_sweep);
  p->run->count.sweeps += count;
}

static double prepare(perp_mg_place *p, int64_t *changed)
{
  perp_there *t = of(p);
  perp_fine *top = &t->task.top;
  const perp_cells *g = &t->level[0];
  uint64_t words[PERP_WORDS];
  *changed = 0;
  if (t->plan.count == 1)
    return residual(p);
  if (t->plan.set != PERP_GRID_LINEAR) {
    top->near = t->residual * perp_min(1, 1 / top->unit);
    top->back = t->residual > 0 ? PERP_CELL_BACK : 0; /* not if only the start was wrong */
  }
  perp_there_do(t, PERP_GRID_prepare, 0, 0, 0, true);
  if (t->plan.set != PERP_GRID_LINEAR)
    perp_there_follow(t);
  perp_there_do(t, PERP_GRID_gather, 0, 0, 0, true);
  perp_there_words(t, words);
  *changed = (int64_t)words[PERP_WORD_CHANGED];
  /* a coarse cell sums up half its cells, the red ones */
  const int red = (1 + g->halve[0]) * (1 + g->halve[1]) * (1 + g->halve[2]) / 2;
  const double most = perp_there_number(words[PERP_WORD_RESTRICT]);
  const double estimate = top->unit * top->size * most / red;
  const bool finite = most <= (double)FLT_MAX;
  if (!finite) { /* outside the range of floats: no correction, only sweeps */
    perp_there_do(t, PERP_GRID_forget, 0, 0, 0, false);
  }
  t->residual = estimate > 4 * p->run->target && finite ? estimate : residual(p);
  return t->residual;
}

static void correct_searched(perp_there *t)
{
  uint64_t words[PERP_WORDS];
  both_colours(t, PERP_GRID_step);
  perp_there_do(t, PERP_GRID_line, 0, 0, 0, true);
  perp_there_words(t, words);
  const double slope = perp_there_number(words[PERP_WORD_SLOPE]);
  const double bend = perp_there_number(words[PERP_WORD_BEND]);
  /* E(x + a c) = E(x) + a c^T y + a^2/2 c^T A c, and x + a c is in K up to a = 1 */
  t->task.top.length = slope < 0 ? (bend > -slope ? -slope / bend : 1) : 0;
  both_colours(t, PERP_GRID_go);
}

static void correct(perp_mg_place *p, perp_smoothing coarse, bool careful)
{
  perp_there *t = of(p);
  if (t->plan.count == 1)
    return;
  t->plan.pre = coarse.pre;
  t->plan.post = coarse.post;
  perp_there_cycle(t);
  if (careful)
    correct_searched(t);
  else
    perp_there_do(t, PERP_GRID_correct, 0, 1, 0, false);
}

static bool exceeds(perp_mg_place *p)
{
  perp_there *t = of(p);
  uint64_t words[PERP_WORDS];
  if (!t->task.top.from || !p->run->problem->K.hi)
    return false;
  perp_there_do(t, PERP_GRID_exceeds, 0, 0, 0, true);
  perp_there_words(t, words);
  return words[PERP_WORD_EXCEEDS] > 0;
}

/* x <- that of the device */
static void store(perp_relaxer *relaxer)
{
  perp_there *t = (perp_there *)(void *)((char *)relaxer - offsetof(perp_there, relaxer));
  perp_message why = {""};
  perp_there_do(t, PERP_GRID_give_x, 0, 0, 0, false);
  if (!t->base.failure)
    perp_there_note(t,
                    perp_device_fetch(t->device, relaxer->x, t->task.top.by_x,
                                      (size_t)t->base.run->problem->K.n * sizeof *relaxer->x, &why),
                    &why);
}

static perp_error reopen(perp_mg_place *p, double *x)
{
  store(p->relaxer);
  return p->failure ? p->failure : perp_there_open(of(p), x, true);
}

perp_error perp_mg_there(perp_run *run, double *x, perp_mg_place **place)
{
  perp_there *t = perp_arena_alloc_zero(run->arena, 1, sizeof *t);
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
  t->kept = perp_device_state(t->device, &perp_there_rooms);
  if (!t->kept)
    return perp_run_no_memory(run);
  const perp_error error = perp_there_open(t, x, false);
  *place = t->s ? &t->base : NULL;
  return error;
}
