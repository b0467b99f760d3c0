/* pivot_host.c: the kernel of pivot.h for the processor; compiled without fused multiply-add, which
 * would change what a rounding leaves */
#include "device/pivot_host.h"

#include "device/team_host.h"

#include "device/pivot.h"

size_t perp_pivot_host_bytes(int n)
{
  return (perp_pivot_bytes(n, n, false) + 63) / 64 * 64;
}

/* The launches of a GPU, one after another. */
void perp_pivot_host(const perp_job *job, int k, double *memory)
{
  const int all = PERP_JOB_ROWS, room = perp_pivot_room(job->n);
  const bool plain = !job->lo && !job->hi;
  if (plain)
    perp_pivot_one(perp_team_alone, job, k, PERP_JOB_NOT_RUN, room, true, true, memory);
  else
    perp_pivot_one(perp_team_alone, job, k, PERP_JOB_NOT_RUN, room, true, false, memory);
  perp_pivot_one(perp_team_alone, job, k, PERP_JOB_CROWDED, all, true, false, memory);
  perp_pivot_one(perp_team_alone, job, k, PERP_JOB_SKEW, all, false, false, memory);
}
