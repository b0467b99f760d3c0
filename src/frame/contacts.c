/* contacts.c: forces that last from one frame to the next
 *
 * Both frames are sorted by id, ties by place, and walked side by side: O(k log k), O(k) where they come sorted. */
#include "base/memory.h"
#include "base/message.h"
#include <perp/frame.h>

#include <stdlib.h>
#include <string.h>

typedef struct name {
  uint64_t id;
  int place;
} name;

static int by_id(const void *left, const void *right)
{
  const name *a = left, *b = right;
  if (a->id != b->id)
    return a->id < b->id ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static void sort_names(int count, const uint64_t *id, name *names)
{
  bool sorted = true;
  for (int c = 0; c < count; c++) {
    names[c] = (name){id[c], c};
    sorted = sorted && (c == 0 || id[c - 1] <= id[c]);
  }
  if (!sorted)
    qsort(names, (size_t)count, sizeof *names, by_id);
}

perp_error perp_contacts_carry(int width, int old_count, const uint64_t *old_id,
                               const double *old_x, int count, const uint64_t *id, double *x,
                               int *found, perp_message *why)
{
  if (width < 1 || old_count < 0 || count < 0 || (old_count > 0 && (!old_id || !old_x)) ||
      (count > 0 && (!id || !x)))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "width = %d, %d and %d contacts, or an array that is NULL", width, old_count,
                     count);
  name *was = perp_alloc((size_t)old_count + (size_t)count, sizeof *was);
  if (!was)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", count);
  name *is = was + old_count;
  sort_names(old_count, old_id, was);
  sort_names(count, id, is);
  const size_t rows = (size_t)width;
  int carried = 0;
  for (int o = 0, c = 0; c < count; c++) {
    while (o < old_count && was[o].id < is[c].id)
      o++;
    double *to = x + (size_t)is[c].place * rows;
    if (o < old_count && was[o].id == is[c].id) {
      memcpy(to, old_x + (size_t)was[o++].place * rows, rows * sizeof *to);
      carried++;
    } else {
      memset(to, 0, rows * sizeof *to);
    }
  }
  perp_free(was);
  if (found)
    *found = carried;
  return PERP_OK;
}
