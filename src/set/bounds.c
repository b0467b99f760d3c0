/* bounds.c: the part of K for a kernel, and bounds for every row with infinities normalised */
#include "set/bounds.h"

#include "linalg/dot.h"

perp_part perp_set_part(const perp_set *K)
{
  for (int i = 0; K->findex && i < K->n; i++)
    if (K->findex[i] >= 0)
      return PERP_PART_FINDEX;
  return perp_set_is_plain(K) ? PERP_PART_PLAIN : PERP_PART_BOX;
}

/* Returns true if all numbers from PERP_INFINITE on are INFINITY. */
static bool are_normalised(int n, const double *bound)
{
  const perp_two most = {PERP_INFINITE, PERP_INFINITE}, infinite = {INFINITY, INFINITY};
  perp_two_bits amiss = {0};
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    const perp_two v = perp_two_abs(perp_two_at(bound + i));
    amiss |= (perp_two_bits)(v >= most) & (perp_two_bits)(v < infinite);
  }
  bool ready = !perp_two_any(amiss);
  for (; ready && i < n; i++)
    ready = perp_bound(bound[i]) == bound[i];
  return ready;
}

/* Returns `bound` itself if its infinite numbers are INFINITY, else a normalised copy; n times
 * `absent` if it is NULL. */
static const double *normalised(perp_arena *arena, int n, const double *bound, double absent)
{
  if (bound && are_normalised(n, bound))
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
