/* world_host.c: the kernel of contact worlds for the processor */
#include "device/world_host.h"

#include "device/team_host.h"

#include <float.h>

#include "device/world/one.h"

void perp_world_host(const perp_world_job *job, int at, double *memory)
{
  const int k = job->order ? job->order[at] : at;
  if (perp_world_width(job->freedom) == 6)
    perp_world_one(perp_team_alone, job, k, 6, perp_world_kind(job), memory);
  else
    perp_world_one(perp_team_alone, job, k, 4, perp_world_kind(job), memory);
}
