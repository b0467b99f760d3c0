/* blockpivot.c: block principal pivoting, and murty, which exchanges single rows
 *
 * All rows that are wrong change their places at once (exchange.c defines wrong rows and their new
 * places), which usually ends after about ten steps for any n, and cycles on some P-matrices. So a
 * step that brings the number of wrong rows below the least so far is always followed by another
 * one; after `trials` steps that fail to do so only the first wrong row is exchanged, Murty's
 * finite rule, until the number falls (Kostreva 1978; Judice, Pires 1994; Portugal, Judice, Vicente
 * 1994). A symmetric matrix gets a proximal term before that: block steps rarely fail on proximal
 * problems, whose condition is better.
 *
 * Murty's rule exchanges the first wrong row only. For a P-matrix it is finite from any start (Murty
 * 1974): between two moves of the last row the rows before it form a smaller problem with a
 * P-matrix, and its solution is unique; along those solutions y_n strictly increases with x_n, so
 * that the last row moves at most three times. The same argument holds with upper bounds and free
 * rows (Judice, Pires 1992). 2^n pivots in the worst case, n or so for most problems. A repeated
 * basis shows that A is not a P-matrix, or that rounding decides.
 *
 * Problems of up to 32 rows use small_box.c first; exchange.c chooses the factor for the others. One
 * step: a factorisation and a few products with A. Workspace: the factor. */
#include "method/pivoting/blockpivot_kernel.h"
#include "method/pivoting/exchange.h"
#include "method/pivoting/small_pivots.h"

#include <limits.h>
#include <math.h>

typedef struct {
  int trials;
} blockpivot_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(blockpivot_parameters, trials, 10, 0, 1000000,
                 "block steps that do not lower the number of wrong rows, before single exchanges"),
    {0},
};

static perp_error pivot(perp_exchange *e, perp_run *run, int trials)
{
  int least = INT_MAX, left = trials;
  bool single = false, proximal = trials > 0;
  perp_exchange_state state = perp_exchange_begin(e, trials > 0);
  while (state == PERP_EXCHANGE_OK) {
    const int wrong = perp_exchange_wrong(e);
    if (!perp_best_show(&e->best, e->run, e->x, e->y, wrong))
      break;
    if (wrong < least) {
      least = wrong;
      left = trials;
      single = trials == 0;
    }
    if (wrong == 0) {
      if (perp_exchange_recentre(e, &state)) {
        least = INT_MAX;
      } else if (state == PERP_EXCHANGE_OK && proximal && !perp_run_expired(run)) {
        proximal = false; /* proximal steps fail: the finite rule, for the problem itself */
        trials = 0;
        least = INT_MAX;
        state = perp_exchange_drop_proximal_term(e);
      } else {
        if (state == PERP_EXCHANGE_OK && !perp_pivot_twice(e))
          perp_exchange_give_up(e);
        break;
      }
    } else if (left > 0) {
      left--;
      state = perp_exchange_rows(e, wrong, e->wrong);
    } else if (!single && proximal && perp_exchange_add_proximal_term(e, &state)) {
      least = INT_MAX;
    } else if (!single) {
      single = true;
      perp_cycle_forget(&e->cycle, e->hash);
    } else if (!perp_exchange_first(e, &state)) {
      break;
    }
  }
  return state == PERP_EXCHANGE_ERROR ? e->error : PERP_OK;
}

/* trials = 0: only single exchanges. */
static perp_error solve_by_exchanges(perp_run *run, double *x, int trials)
{
  perp_exchange e;
  bool go_on;
  perp_error error = perp_exchange_open(&e, run, x, &go_on);
  if (!error && go_on)
    error = pivot(&e, run, trials);
  perp_exchange_close(&e);
  return error;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const blockpivot_parameters *par = params;
  if (p->K.n <= PERP_SMALL_BOX && perp_small_box(run, x, par->trials))
    return PERP_OK;
  return solve_by_exchanges(run, x, par->trials);
}

/* ---- On a device ----
 *
 * The kernel (blockpivot_kernel.h) solves dense problems of up to PERP_JOB_ROWS rows. It has
 * neither the proximal steps nor the certificates of the CPU method: it ends at a basis without a
 * factor. A single solve is a job of one problem, and the driver judges its x like any other. The
 * file is compiled without fused multiply-add, which would change the rounding. */

static size_t team_bytes(const void *task)
{
  const perp_job *job = task;
  const int n = job->n < PERP_JOB_ROWS ? job->n : PERP_JOB_ROWS;
  return perp_pivot_bytes(n, n, false);
}

/* Runs the launches of a GPU one after another. */
static void solve_job(const void *task, int k, double *memory)
{
  const perp_job *job = task;
  const int all = PERP_JOB_ROWS, room = perp_pivot_room(job->n);
  const bool plain = !job->lo && !job->hi;
  if (plain)
    perp_pivot_one(perp_team_alone, job, k, PERP_JOB_NOT_RUN, room, true, true, memory);
  else
    perp_pivot_one(perp_team_alone, job, k, PERP_JOB_NOT_RUN, room, true, false, memory);
  perp_pivot_one(perp_team_alone, job, k, PERP_JOB_CROWDED, all, true, false, memory);
  perp_pivot_one(perp_team_alone, job, k, PERP_JOB_SKEW, all, false, false, memory);
}

const perp_kernel perp_kernel_blockpivot = {
    .title = "pivoting", .problem = solve_job, .problem_bytes = team_bytes};

static perp_error batch_device(perp_device *device, perp_job *job, int first, int count,
                               int threads, const void *params, perp_message *why)
{
  job->trials = ((const blockpivot_parameters *)params)->trials;
  return perp_device_launch_batch(device, &perp_kernel_blockpivot, job, first, count, threads, why);
}

static perp_error refuse(perp_run *run, const perp_problem *p)
{
  if (p->K.n > PERP_JOB_ROWS)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "blockpivot on a device takes at most n = %d, this problem has n = %d",
                         PERP_JOB_ROWS, p->K.n);
  return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                       "blockpivot on a device takes dense matrices, this one is %s",
                       perp_operator_kind(p->A));
}

enum { ROOM_A, ROOM_B, ROOM_LO, ROOM_HI, ROOM_X, ROOM_END, ROOMS };
static const perp_rooms rooms = {.count = ROOMS};

static perp_error solve_device(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const perp_options *o = run->options;
  perp_device *device = o->device;
  const double *a;
  int64_t lead;
  if (p->K.n > PERP_JOB_ROWS || perp_operator_dense_array(p->A, &a, &lead) != PERP_OK)
    return refuse(run, p);
  if (!perp_run_next(run, x, NULL))
    return PERP_OK;
  const int64_t left = perp_run_left(run);
  perp_job_end end = {.residual = INFINITY, .scale = 1, .state = PERP_JOB_NOT_RUN};
  perp_job job = {.count = 1,
                  .n = p->K.n,
                  .lead = lead,
                  .tol = o->tol,
                  .most = left < PERP_JOB_STEPS ? (int)left : PERP_JOB_STEPS,
                  .trials = ((const blockpivot_parameters *)params)->trials};
  const size_t vector = (size_t)p->K.n * sizeof *x;
  const perp_placing arrays[] = {
      {ROOM_A, a, (size_t)lead * vector, (const void **)&job.A},
      {ROOM_B, p->b, vector, (const void **)&job.b},
      {ROOM_LO, p->K.lo, vector, (const void **)&job.lo},
      {ROOM_HI, p->K.hi, vector, (const void **)&job.hi},
      {ROOM_X, x, vector, (const void **)&job.x},
      {ROOM_END, &end, sizeof end, (const void **)&job.end},
  };
  perp_message why;
  perp_error error = perp_device_place(device, &rooms, ROOMS, arrays, &why);
  if (!error)
    error = perp_device_launch_batch(device, &perp_kernel_blockpivot, &job, 0, 1, o->threads, &why);
  if (!error)
    error = perp_device_fetch(device, x, job.x, vector, &why);
  if (!error)
    error = perp_device_fetch(device, &end, job.end, sizeof end, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  run->count.factorisations += end.iterations;
  run->count.iterations += end.iterations > 0 ? end.iterations - 1 : 0;
  if (end.state == PERP_JOB_SINGULAR)
    perp_run_say(run, "the basis with row %d is singular", end.row);
  if (end.state == PERP_JOB_CLAIMED) {
    perp_run_next(run, x, NULL);
    perp_run_claim(run, PERP_SOLVED);
  } else {
    perp_run_claim(run, end.state == PERP_JOB_LIMIT ? PERP_ITERATION_LIMIT : PERP_STAGNATED);
  }
  return PERP_OK;
}

const perp_method perp_method_blockpivot = {
    .name = "blockpivot",
    .title = "block principal pivoting",
    .family = "pivoting",
    .source = "judice-pires-1994",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_ROW,
    .max_iterations = 100000,
    .iteration =
        "x_F = -A_FF^-1 b_F; exchanges all rows of the wrong sign, one at a time where that cycles",
    .works = "P-matrices; symmetric positive semi-definite ones by proximal steps",
    PERP_SOLVES_WITH(blockpivot_parameters),
    .device = &(const perp_method_device){.solve = solve_device, .batch = batch_device},
    .solve_small = perp_small_box_cold,
};

/* ---- Single exchanges ---- */

static perp_error solve_murty(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  (void)params;
  return solve_by_exchanges(run, x, 0);
}

const perp_method perp_method_murty = {
    .name = "murty",
    .title = "least-index principal pivoting",
    .family = "pivoting",
    .reference = true,
    .source = "murty-1974",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_ROW,
    .max_iterations = 100000,
    .iteration = "exchanges the first row whose sign is wrong",
    .works = "P-matrices; symmetric positive semi-definite ones by proximal steps",
    .parameters = (const perp_parameter[]){{0}},
    .solve = solve_murty,
};
