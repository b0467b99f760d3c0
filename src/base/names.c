/* names.c: carries numbers keyed by name from one list of names to the next
 *
 * O(k log k) to sort the lists, O(k) to merge them. */
#include "base/names.h"
#include "base/memory.h"
#include "base/message.h"
#include <perp/frame.h>

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

perp_error perp_contacts_carry(int width, int old_count, const uint64_t *old_id,
                               const double *old_x, int count, const uint64_t *id, double *x,
                               int *found, perp_message *why)
{
  if (width < 1 || old_count < 0 || count < 0 || (old_count > 0 && (!old_id || !old_x)) ||
      (count > 0 && (!id || !x)))
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "width = %d must be >= 1, old_count = %d and count = %d >= 0, and their arrays not NULL",
        width, old_count, count);
  perp_name *was = perp_alloc((size_t)old_count + (size_t)count, sizeof *was);
  if (!was)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", count);
  perp_name *is = was + old_count;
  for (int k = 0; k < old_count; k++)
    was[k] = (perp_name){old_id[k], k};
  for (int k = 0; k < count; k++)
    is[k] = (perp_name){id[k], k};
  perp_names_sort(old_count, was);
  perp_names_sort(count, is);
  const int carried = perp_names_carry(width, old_count, was, old_x, count, is, x);
  perp_free(was);
  if (found)
    *found = carried;
  return PERP_OK;
}
