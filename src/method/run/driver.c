/* driver.c: one run of a method, from its start to the verdict (run.c, verdict.c) */
#include "method/run/driver.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/run/device_problem.h"
#include "problem/judge.h"

#include <string.h>

/* ---- Vectors of the CPU ---- */

static bool is_same(perp_run *run, const double *a, const double *b)
{
  return a == b || memcmp(a, b, (size_t)run->problem->K.n * sizeof *a) == 0;
}

static bool is_zero(perp_run *run, const double *a)
{
  return perp_all_zero(run->problem->K.n, a);
}

static bool is_finite(perp_run *run, const double *a)
{
  return perp_all_finite(run->problem->K.n, a);
}

static void copy(perp_run *run, const double *from, double *to)
{
  memcpy(to, from, (size_t)run->problem->K.n * sizeof *to);
}

/* y = b at x = 0, if the entries of A are known to be finite. */
static double fresh(perp_run *run, const double *x, bool zero)
{
  perp_driver *d = run->driver;
  const perp_problem *p = run->problem;
  if (p->A->table->has_rows && zero) {
    run->count.applies++; /* counted like any other product, but needs no work */
    return perp_problem_residual(p, x, p->b);
  }
  perp_run_gradient(run, x, d->y);
  d->y_count++;
  return perp_problem_residual(p, x, d->y);
}

static double judge(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  const perp_problem *p = run->problem;
  if (p->A->table->has_rows && perp_all_zero(p->K.n, x)) {
    perp_copy(p->K.n, p->b, d->y);
    return perp_residual_exact(p, x, d->y);
  }
  return perp_judge(p, x, d->y, &run->work, d->room);
}

static double floor_at(perp_run *run, const double *x)
{
  return perp_problem_floor(run->problem, x, run->driver->room);
}

static const perp_driver_vectors cpu_vectors = {is_same, is_zero, is_finite, copy,
                                                fresh,   judge,   floor_at};

/* ---- The run ---- */

/* Copies the start twice. Returns true if it is 0. */
static bool take_start(size_t n, const double *restrict x, double *restrict start,
                       double *restrict best)
{
  bool cold = true;
  for (size_t i = 0; i < n; i++) {
    start[i] = best[i] = x[i];
    cold &= x[i] == 0;
  }
  return cold;
}

void perp_result_fail(perp_result *result)
{
  result->outcome = PERP_NOT_RUN;
  result->residual = result->relative_residual = INFINITY;
  result->y = result->ray = NULL;
}

/* *placed <- the problem on the options' device, NULL if the CPU judges it. */
static perp_error place(const perp_method *method, const perp_problem *problem,
                        const perp_options *options, perp_arena *arena, double *x,
                        perp_placed **placed, perp_message *why)
{
  *placed = NULL;
  if (!perp_placed_is_wanted(method, problem, options, x))
    return PERP_OK;
  const perp_error error = perp_placed_open(problem, options, arena, x, placed, why);
  if (error || *placed)
    return error;
  return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                   "the judge on device %s takes grids, and this %s operator is not a grid",
                   options->device->name, perp_operator_kind(problem->A));
}

/* Copies x and y to the caller's arrays. If the device is not to judge, the CPU judges the x that
 * is returned. */
static perp_error return_placed(perp_run *run, perp_result *result)
{
  perp_placed *placed = run->placed;
  double *y = run->options->y;
  perp_error error = perp_placed_fetch(placed, y ? result->y : NULL, y, &result->message);
  result->y = NULL; /* the CPU may not be able to read it */
  if (error || placed->device->judge == PERP_JUDGE_DEVICE || result->outcome != PERP_SOLVED)
    return error;
  error =
      perp_placed_judge_on_cpu(placed, &run->work, run->arena, &result->residual, &result->message);
  result->relative_residual = result->residual / run->scale;
  result->outcome = perp_verdict_outcome(result->residual, run->target, PERP_REFUTED);
  return error;
}

perp_error perp_driver_run(const perp_method *method, const void *parameters,
                           const perp_services *services, const perp_problem *problem,
                           const perp_options *options, double deadline, perp_arena *arena,
                           struct perp_memory *memory, double *x, bool with_y, perp_result *result)
{
  perp_placed *placed;
  perp_error error = place(method, problem, options, arena, x, &placed, &result->message);
  if (error) {
    perp_result_fail(result);
    return error;
  }
  const size_t n = (size_t)problem->K.n, width = placed ? 0 : (n + 7) / 8 * 8;
  const size_t scratch = problem->A->scratch;
  /* y, start, best, scratch and room in one piece */
  const size_t room = perp_judge_bytes(problem->A) / sizeof(double) + 1;
  double *piece = perp_arena_alloc(arena, 3 * width + scratch + room, sizeof *piece);
  perp_driver d = {
      .method = method,
      .vectors = placed ? &perp_device_vectors : &cpu_vectors,
      .last_method = method->name,
      .best_method = method->name,
      .result = result,
      .y = placed ? placed->y : piece,
      .start = placed  ? placed->start
               : piece ? piece + width
                       : NULL,
      .best = placed  ? placed->best
              : piece ? piece + 2 * width
                      : NULL,
      .room = piece ? piece + 3 * width + scratch : NULL,
      .best_residual = INFINITY,
      .start_residual = INFINITY,
      .start_checked = INFINITY,
      .began = perp_clock_seconds(),
      .limit = options->max_iterations ? options->max_iterations : method->max_iterations,
      .residual = INFINITY,
      .merit = NAN,
      .first_merit = NAN,
      .stale_residual = INFINITY,
      .halved_residual = INFINITY,
  };
  d.lap = d.began;
  d.failures = perp_operator_failures(problem->A);
  d.deadline =
      options->time_limit > 0 ? perp_min(d.began + options->time_limit, deadline) : deadline;
  perp_run run = {
      .problem = placed ? &placed->problem : problem,
      .options = options,
      .count.iterations = -1,
      .scale = placed ? placed->scale : perp_problem_scale(problem),
      .arena = arena,
      .memory = memory,
      .services = services,
      .work = {.threads = options->threads, .scratch = piece ? piece + 3 * width : NULL},
      .driver = &d,
      .placed = placed,
  };
  run.target = perp_verdict_target(options->tol, run.scale);
  result->scale = run.scale;
  if (!piece)
    return perp_run_no_memory(&run);
  run.cold = placed ? placed->cold : take_start(n, x, d.start, d.best);

  double *at = placed ? placed->x : x;
  error = options->device ? method->device->solve(&run, run.problem, parameters, at)
                          : method->solve(&run, run.problem, parameters, at);
  if (!error && !perp_driver_failed(&run))
    perp_driver_settle(&run, at, placed ? options->y != NULL : with_y);
  if (placed && placed->error)
    error = perp_fail(&result->message, placed->error, "%s", placed->why.text);
  else if (perp_driver_failed(&run)) /* whatever the method returned */
    error = perp_operator_failed(problem->A, d.failures, &result->message);
  else if (!error && placed)
    error = return_placed(&run, result);
  if (error) {
    /* the call failed: return the start unchanged */
    if (!placed || at == x)
      d.vectors->copy(&run, d.start, x);
    perp_result_fail(result);
    return error;
  }
  result->counts = run.count;
  if (result->counts.iterations < 0)
    result->counts.iterations = 0;
  result->merit = d.merit;
  /* a solve by auto ended with its last attempt */
  const bool just = result->outcome == PERP_SOLVED && d.lap > d.began;
  result->seconds = (just ? d.lap : perp_clock_seconds()) - d.began;
  perp_driver_tell(&run);
  return PERP_OK;
}
