/* contacts.c: forces carried from one frame to the next */
#include "base/memory.h"
#include "base/message.h"
#include "base/names.h"
#include <perp/frame.h>

perp_error perp_contacts_carry(int width, int old_count, const uint64_t *old_id,
                               const double *old_x, int count, const uint64_t *id, double *x,
                               int *found, perp_message *why)
{
  if (width < 1 || old_count < 0 || count < 0 || (old_count > 0 && (!old_id || !old_x)) ||
      (count > 0 && (!id || !x)))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "width = %d, %d and %d contacts, or an array that is NULL", width, old_count,
                     count);
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
