/* bounds.c: the part that a kernel needs, and bounds for every row with infinities normalised */
#include "set/bounds.h"

perp_part perp_set_part(const perp_set *K)
{
  bool plain = true;
  for (int i = 0; K->findex && i < K->n; i++)
    if (K->findex[i] >= 0)
      return PERP_PART_FINDEX;
  for (int i = 0; plain && (K->lo || K->hi) && i < K->n; i++)
    plain = perp_set_lo(K, i) == 0 && perp_set_hi(K, i) == INFINITY;
  return plain ? PERP_PART_PLAIN : PERP_PART_BOX;
}

/* `bound` itself if its infinite numbers are INFINITY, else a copy in which they are; n times
 * `absent` if it is NULL. */
static const double *normalised(perp_arena *arena, int n, const double *bound, double absent)
{
  bool ready = bound != NULL;
  for (int i = 0; ready && i < n; i++)
    ready = perp_bound(bound[i]) == bound[i];
  if (ready)
    return bound;
  double *copy = perp_arena_alloc(arena, (size_t)n, sizeof *copy);
  for (int i = 0; copy && i < n; i++)
    copy[i] = bound ? perp_bound(bound[i]) : absent;
  return copy;
}

perp_error perp_bounds_create(const perp_set *K, perp_arena *arena, perp_bounds *bounds)
{
  *bounds = (perp_bounds){.part = perp_set_part(K), .findex = K->findex};
  if (bounds->part == PERP_PART_PLAIN)
    return PERP_OK;
  bounds->lo = normalised(arena, K->n, K->lo, 0);
  bounds->hi = normalised(arena, K->n, K->hi, INFINITY);
  return bounds->lo && bounds->hi ? PERP_OK : PERP_ERROR_MEMORY;
}
