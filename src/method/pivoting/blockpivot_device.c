/* blockpivot_device.c: block principal pivoting on a device
 *
 * The kernel (blockpivot_kernel.h) solves dense problems of up to PERP_JOB_ROWS rows. It has
 * neither the proximal steps nor the certificates of the CPU method: it ends at a basis without a
 * factor. A single solve is a job of one problem, and the driver judges its x like any other. The
 * file is compiled without fused multiply-add, which would change the rounding. */
#include "method/pivoting/blockpivot_device.h"

#include "method/pivoting/blockpivot_kernel.h"

#include <math.h>

/* ---- The kernel on the CPU ---- */

static size_t team_bytes(const void *task)
{
  const perp_job *job = task;
  const int n = job->n < PERP_JOB_ROWS ? job->n : PERP_JOB_ROWS;
  return perp_pivot_bytes(n, n, false);
}

/* Runs the launches of a GPU one after another. */
static void solve(const void *task, int k, double *memory)
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
    .title = "pivoting", .problem = solve, .problem_bytes = team_bytes};

/* ---- Solves ---- */

perp_error perp_blockpivot_batch_device(perp_device *device, perp_job *job, int first, int count,
                                        int threads, int trials, perp_message *why)
{
  job->trials = trials;
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

perp_error perp_blockpivot_solve_device(perp_run *run, const perp_problem *p, int trials, double *x)
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
  const perp_job job = {.count = 1,
                        .n = p->K.n,
                        .lead = lead,
                        .A = a,
                        .b = p->b,
                        .lo = p->K.lo,
                        .hi = p->K.hi,
                        .x = x,
                        .end = &end,
                        .tol = o->tol,
                        .most = left < PERP_JOB_STEPS ? (int)left : PERP_JOB_STEPS,
                        .trials = trials};
  perp_job there;
  perp_message why;
  perp_error error = perp_job_place(device, &job, &there, &why);
  if (!error)
    error =
        perp_device_launch_batch(device, &perp_kernel_blockpivot, &there, 0, 1, o->threads, &why);
  if (!error)
    error = perp_job_fetch(device, &job, &there, &why);
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
