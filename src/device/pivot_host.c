/* pivot_host.c: the kernel of pivot.h for the processor; compiled without fused multiply-add, which
 * would change what a rounding leaves */
#include "device/pivot_host.h"

#include "device/team.h"

#include "device/pivot.h"

static size_t team_bytes(const void *task)
{
  const perp_job *job = task;
  const int n = job->n < PERP_JOB_ROWS ? job->n : PERP_JOB_ROWS;
  return perp_pivot_bytes(n, n, false);
}

/* The launches of a GPU, one after another. */
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

const perp_kernel perp_kernel_pivot = {
    .title = "pivoting", .problem = solve, .problem_bytes = team_bytes};
