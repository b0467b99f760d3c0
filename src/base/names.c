/* names.c: numbers that belong to names, carried from one list of names to the next
 *
 * Both lists are walked side by side, O(k), once they are sorted, O(k log k). */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
  const perp_name *a = left, *b = right;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

void perp_names_sort(int count, perp_name *name)
{
  bool sorted = true;
  for (int k = 1; k < count && sorted; k++)
    sorted = compare(&name[k - 1], &name[k]) <= 0;
  if (!sorted)
    qsort(name, (size_t)count, sizeof *name, compare);
}

int perp_names_carry(int width, int old_count, const perp_name *was, const double *old_x, int count,
                     const perp_name *is, double *x)
{
  const size_t rows = (size_t)width;
  int found = 0;
  for (int o = 0, c = 0; c < count; c++) {
    while (o < old_count && was[o].id < is[c].id)
      o++;
    double *to = x + (size_t)is[c].place * rows;
    if (o < old_count && was[o].id == is[c].id) {
      memcpy(to, old_x + (size_t)was[o++].place * rows, rows * sizeof *to);
      found++;
    } else {
      memset(to, 0, rows * sizeof *to);
    }
  }
  return found;
}
