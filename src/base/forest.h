/* forest.h: union-find; parent[i] = i at the start */
#pragma once

/* Returns the root of i; shortens the path on the way. */
static inline int perp_forest_root(int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* The smaller root stays, so the forest does not depend on the order of the joins. */
static inline void perp_forest_join(int *parent, int i, int j)
{
  const int a = perp_forest_root(parent, i), b = perp_forest_root(parent, j);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}
