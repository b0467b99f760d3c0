/* world.c: the kernel of contact worlds for the device "host" */
#include "method/splitting/world/kernel/solve.h"

static void solve(const void *task, int at, double *memory)
{
  const perp_world_job *job = task;
  const int k = job->order ? job->order[at] : at, kind = perp_world_kind(job);
  if (perp_world_width(job->worlds.freedom) == 6)
    perp_world_one(perp_team_alone, job, k, 6, kind, memory);
  else
    perp_world_one(perp_team_alone, job, k, 4, kind, memory);
}

static size_t team_bytes(const void *task)
{
  return perp_world_bytes(task);
}

const perp_kernel perp_kernel_worlds = {
    .title = "contact worlds", .problem = solve, .problem_bytes = team_bytes};
