/* device_problem.c: a problem on a grid on a device
 *
 * Vectors of the run (x, y, the start and the best iterate) are memory of the device, b and the
 * bounds are the caller's arrays there or copies, and A is placed by perp_operator_place or by this
 * file. Every function here queues one or two kernels over the unknowns and waits for one
 * number. */
#include "method/run/device_problem.h"

#include "linalg/vector.h"
#include "method/run/driver.h"
#include "operator/stencil/stencil.h"
#include "problem/judge.h"
#include "set/set.h"

#include <string.h>

enum { ROOM_B, ROOM_LO, ROOM_HI, ROOM_X, ROOM_Y, ROOM_START, ROOM_BEST, ROOM_WORD, ROOMS };
static const perp_rooms rooms = {.count = ROOMS};

static bool shows(const perp_device *d, const void *array)
{
  return !array || d->table->shows((perp_device *)d, array);
}

bool perp_placed_is_wanted(const perp_method *method, const perp_problem *p, const perp_options *o,
                           const double *x)
{
  const perp_device *d = o->device;
  if (!d || !p || !p->A || p->K.n <= 0)
    return false;
  if (!shows(d, p->b) || !shows(d, p->K.lo) || !shows(d, p->K.hi) || !shows(d, x) ||
      !shows(d, o->y))
    return true;
  return d->judge == PERP_JUDGE_DEVICE && method->device && method->device->placed &&
         !p->K.findex && p->K.cones == 0;
}

/* ---- Kernels and their numbers ---- */

static void note(perp_placed *t, perp_error error, const perp_message *why)
{
  if (error && !t->error) {
    t->error = error;
    t->why = *why;
  }
}

/* The kernels on the CPU. The file is compiled without fused multiply-add. */
static void run_rows(int op, const void *task)
{
  const perp_rows_task *t = task;
  int extent[3];
  perp_rows_extent(t, op, extent);
  *t->word = 0;
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++)
      for (int m = 0; m < extent[0]; m++) {
        const double value = fabs(perp_rows_at(op, t, m, j, k));
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (op >= PERP_ROWS_WRONG)
          *t->word += (uint64_t)value;
        else if (bits > *t->word)
          *t->word = bits;
      }
}

const perp_kernel perp_kernel_rows = {.title = "a kernel over unknowns", .run = run_rows};

/* Runs a kernel. Returns its result word, 0 after a failure. */
static uint64_t run_op(perp_placed *t, perp_rows_op op)
{
  perp_device *d = t->device;
  uint64_t word = 0;
  perp_message why = {""};
  if (!t->error)
    note(t, perp_device_launch(d, &perp_kernel_rows, (int)op, &t->task, &why), &why);
  if (!t->error)
    note(t, perp_device_download(d, &word, t->task.word, sizeof word, &why), &why);
  return t->error ? 0 : word;
}

static double most(perp_placed *t, perp_rows_op op)
{
  const uint64_t bits = run_op(t, op);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static bool any(perp_placed *t, perp_rows_op op)
{
  return run_op(t, op) > 0;
}

/* ---- Checks ---- */

/* Gives an array of n numbers that the CPU can read: itself or a copy. */
static perp_error show(perp_placed *t, const double *there, perp_arena *arena, const double **here,
                       perp_message *why)
{
  const size_t n = (size_t)t->problem.K.n;
  *here = there;
  if (shows(t->device, there))
    return PERP_OK;
  double *copy = perp_arena_alloc(arena, n, sizeof *copy);
  if (!copy)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for copies at n = %d", (int)n);
  *here = copy;
  return perp_device_download(t->device, copy, there, n * sizeof *copy, why);
}

/* *p <- the problem with arrays that the CPU can read, *x <- x likewise. */
static perp_error show_all(perp_placed *t, perp_arena *arena, perp_problem *p, const double **x,
                           perp_message *why)
{
  *p = t->problem;
  perp_error error = show(t, p->b, arena, &p->b, why);
  if (!error)
    error = show(t, p->K.lo, arena, &p->K.lo, why);
  if (!error)
    error = show(t, p->K.hi, arena, &p->K.hi, why);
  return error ? error : show(t, t->x, arena, x, why);
}

/* Checks b, the bounds and x by a kernel; the CPU finds out what is wrong. */
static perp_error check(perp_placed *t, perp_arena *arena, perp_message *why)
{
  perp_problem p;
  const double *x;
  const bool wrong = any(t, PERP_ROWS_WRONG);
  if (t->error)
    return perp_fail(why, t->error, "%s", t->why.text);
  if (!wrong)
    return PERP_OK;
  perp_error error = show_all(t, arena, &p, &x, why);
  if (!error)
    error = perp_problem_validate(&p, why);
  const int64_t i = error ? -1 : perp_first_not_finite(p.K.n, x);
  return i < 0 ? error
               : perp_fail(why, PERP_ERROR_ARGUMENT, "the start x[%d] = %g is not finite", (int)i,
                           x[i]);
}

static void take_facts(perp_placed *t)
{
  const perp_set *K = &t->problem.K;
  const bool some = K->lo || K->hi;
  t->facts.plain = !some || !any(t, PERP_ROWS_NOT_PLAIN);
  t->facts.unbounded = some && !any(t, PERP_ROWS_BOUNDED);
  if (K->lo) {
    t->facts.lo_size = most(t, PERP_ROWS_SIZE_LO);
    t->facts.lo_most = most(t, PERP_ROWS_ABOVE_0);
  }
}

bool perp_placed_hi_is_near(perp_run *run, double bound)
{
  perp_placed *t = run->placed;
  if (!t->problem.K.hi)
    return false;
  t->task.near = bound;
  return any(t, PERP_ROWS_NEAR_HI);
}

const perp_stencil_cells *perp_placed_operator(const perp_run *run)
{
  return &run->placed->task.A;
}

const perp_placed_facts *perp_run_placed(const perp_run *run)
{
  return run->placed ? &run->placed->facts : NULL;
}

/* ---- Arrays ---- */

static perp_error place_vectors(perp_placed *t, const perp_problem *p, perp_message *why)
{
  perp_device *d = t->device;
  const size_t bytes = (size_t)p->K.n * sizeof(double);
  const perp_placing inputs[] = {
      {ROOM_B, p->b, bytes, (const void **)&t->problem.b},
      {ROOM_LO, p->K.lo, bytes, (const void **)&t->problem.K.lo},
      {ROOM_HI, p->K.hi, bytes, (const void **)&t->problem.K.hi},
  };
  perp_error error = perp_device_place(d, &rooms, sizeof inputs / sizeof *inputs, inputs, why);
  if (!error)
    error =
        perp_device_place_result(d, &rooms, ROOM_X, t->callers, bytes, true, (void **)&t->x, why);
  if (error)
    return error;
  t->y = perp_device_room(d, &rooms, ROOM_Y, bytes);
  t->start = perp_device_room(d, &rooms, ROOM_START, bytes);
  t->best = perp_device_room(d, &rooms, ROOM_BEST, bytes);
  t->task.word = perp_device_room(d, &rooms, ROOM_WORD, sizeof *t->task.word);
  if (!t->y || !t->start || !t->best || !t->task.word)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s is out of memory for vectors of %d numbers",
                     d->name, p->K.n);
  t->task.count = p->K.n;
  t->task.b = t->problem.b;
  t->task.lo = t->problem.K.lo;
  t->task.hi = t->problem.K.hi;
  t->task.x = t->x;
  t->task.y = t->y;
  return PERP_OK;
}

perp_error perp_placed_open(const perp_problem *p, const perp_options *o, perp_arena *arena,
                            double *x, perp_placed **placed, perp_message *why)
{
  const size_t bytes = (size_t)p->K.n * sizeof *x;
  perp_stencil *seen = NULL;
  *placed = NULL;
  if (!perp_operator_is_stencil(p->A) && perp_stencil_recognise(p->A, arena, &seen))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", p->K.n);
  const perp_stencil *s = seen ? seen : (const perp_stencil *)p->A;
  if (!seen && !perp_operator_is_stencil(p->A))
    return PERP_OK;
  perp_placed *t = perp_arena_alloc_zero(arena, 1, sizeof *t);
  if (!t)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", p->K.n);
  t->device = o->device;
  t->problem = *p;
  t->callers = x;
  perp_error error = perp_stencil_place(s, t->device, &t->task.A, why);
  if (!error)
    error = place_vectors(t, p, why);
  if (!error)
    error = check(t, arena, why);
  if (error)
    return error;
  const double scale = most(t, PERP_ROWS_SIZE_B);
  t->scale = scale > 0 ? scale : 1;
  t->cold = !any(t, PERP_ROWS_NOT_ZERO);
  take_facts(t);
  for (int k = 0; k < 2; k++) {
    perp_message lost = {""};
    note(t, t->device->table->copy_in(t->device, k ? t->best : t->start, t->x, bytes, &lost),
         &lost);
  }
  *placed = t;
  return t->error ? perp_fail(why, t->error, "%s", t->why.text) : PERP_OK;
}

perp_error perp_placed_fetch(perp_placed *t, const double *y, double *callers_y, perp_message *why)
{
  const size_t bytes = (size_t)t->problem.K.n * sizeof *t->x;
  perp_error error = perp_device_fetch(t->device, t->callers, t->x, bytes, why);
  if (!error && y)
    error = perp_device_fetch(t->device, callers_y, y, bytes, why);
  return error;
}

perp_error perp_placed_judge_on_cpu(perp_placed *t, const perp_work *work, perp_arena *arena,
                                    double *residual, perp_message *why)
{
  perp_problem p;
  const double *x = NULL;
  perp_error error = show_all(t, arena, &p, &x, why);
  double *y = perp_arena_alloc(arena, (size_t)p.K.n, sizeof *y);
  void *room = perp_arena_alloc(arena, perp_judge_bytes(p.A) + 1, 1);
  if (!error && (!y || !room))
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the verdict at n = %d", p.K.n);
  if (!error)
    *residual = perp_judge(&p, x, y, work, room);
  return error;
}

/* ---- The table ---- */

static bool is_same(perp_run *run, const double *a, const double *b)
{
  perp_placed *t = run->placed;
  if (a == b)
    return true;
  t->task.x = a;
  t->task.y = (double *)b;
  const bool differ = any(t, PERP_ROWS_DIFFER);
  t->task.y = t->y;
  return !differ && !t->error;
}

static bool is_zero(perp_run *run, const double *a)
{
  run->placed->task.x = a;
  return !any(run->placed, PERP_ROWS_NOT_ZERO);
}

static bool is_finite(perp_run *run, const double *a)
{
  run->placed->task.x = a;
  return !any(run->placed, PERP_ROWS_NOT_FINITE);
}

static void copy(perp_run *run, const double *from, double *to)
{
  perp_placed *t = run->placed;
  perp_message why = {""};
  const size_t bytes = (size_t)t->problem.K.n * sizeof *to;
  if (!t->error)
    note(t, t->device->table->copy_in(t->device, to, from, bytes, &why), &why);
}

static double judge(perp_run *run, const double *x)
{
  perp_placed *t = run->placed;
  t->task.x = x;
  const double residual = most(t, PERP_ROWS_JUDGE);
  return t->error ? INFINITY : residual;
}

static double fresh(perp_run *run, const double *x, bool zero)
{
  (void)zero;
  run->count.applies++;
  run->driver->y_count++;
  return judge(run, x);
}

static double floor_at(perp_run *run, const double *x)
{
  run->placed->task.x = x;
  const double floor = most(run->placed, PERP_ROWS_ROUNDING);
  return isfinite(floor) ? floor : 0;
}

const perp_driver_vectors perp_device_vectors = {is_same, is_zero, is_finite, copy,
                                                 fresh,   judge,   floor_at};
