/* sparse_order.c: reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971)
 *
 * Breadth first from a row at the far end of the graph, and back: the band stays narrow. Time
 * proportional to the entries, times the lengths of the rows for sorting. */
#include "linalg/sparse_factor.h"

/* Breadth first from `from` into queue; rows get their level in `level`, which is -1 on all that
 * may be visited. Neighbours come by increasing degree, that is by insertion. Returns the
 * number. */
static int sweep_levels(const perp_sparse *A, int from, int *queue, int *level)
{
  int count = 1;
  queue[0] = from;
  level[from] = 0;
  for (int head = 0; head < count; head++) {
    const int i = queue[head];
    const int first = count;
    for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
      const int j = A->column[e];
      if (level[j] != -1)
        continue;
      level[j] = level[i] + 1;
      const int64_t degree = A->start[j + 1] - A->start[j];
      int at = count++;
      for (; at > first; at--) {
        const int before = queue[at - 1];
        if (A->start[before + 1] - A->start[before] <= degree)
          break;
        queue[at] = before;
      }
      queue[at] = j;
    }
  }
  return count;
}

void perp_sparse_order(const perp_sparse *A, int *order, int *queue, int *level)
{
  enum { FREE = -1 };
  for (int i = 0; i < A->n; i++)
    level[i] = FREE;
  int done = 0;
  for (int i = 0; i < A->n; i++) {
    if (level[i] != FREE)
      continue;
    /* a row at the far end of the component, by going there and back a few times */
    int from = i, depth = -1;
    for (int trial = 0; trial < 8; trial++) {
      const int count = sweep_levels(A, from, queue, level);
      const int last = queue[count - 1], reached = level[last];
      for (int t = 0; t < count; t++)
        level[queue[t]] = FREE;
      if (reached <= depth)
        break;
      depth = reached;
      from = last;
    }
    const int count = sweep_levels(A, from, queue, level);
    for (int t = 0; t < count; t++)
      order[A->n - 1 - (done + t)] = queue[t];
    done += count;
  }
}
