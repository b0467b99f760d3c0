/* world_host.c: the kernel of contact worlds for the processor */
#include "device/world_host.h"

#include "device/team.h"

#include <float.h>

#include "device/world/one.h"

static void solve(const void *task, int at, double *memory)
{
  const perp_world_job *job = task;
  const int k = job->order ? job->order[at] : at;
  if (perp_world_width(job->freedom) == 6)
    perp_world_one(perp_team_alone, job, k, 6, perp_world_kind(job), memory);
  else
    perp_world_one(perp_team_alone, job, k, 4, perp_world_kind(job), memory);
}

static size_t team_bytes(const void *task)
{
  return perp_world_bytes(task);
}

const perp_kernel perp_kernel_worlds = {
    .title = "contact worlds", .problem = solve, .problem_bytes = team_bytes};
