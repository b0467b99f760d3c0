/* sized.c: reads and writes structs that begin with their size */
#include "base/sized.h"

#include "base/message.h"

#include <string.h>

bool perp_sized_is_sane(size_t size)
{
  return size >= sizeof size && size <= 1 << 16 && size % sizeof size == 0;
}

perp_error perp_sized_read(const char *name, const void *from, void *to, size_t size,
                           perp_message *why)
{
  size_t given;
  memcpy(&given, from, sizeof given);
  if (!perp_sized_is_sane(given))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "%s.size = %zu is not valid; initialise it with %s_default()", name, given,
                     name);
  for (size_t k = size; k < given; k++)
    if (((const unsigned char *)from)[k])
      return perp_fail(why, PERP_ERROR_ARGUMENT,
                       "%s has %zu bytes and byte %zu is not 0: it sets an option of a newer "
                       "library; this one knows %zu bytes",
                       name, given, k, size);
  memcpy(to, from, given < size ? given : size);
  memcpy(to, &size, sizeof size);
  return PERP_OK;
}

void perp_sized_write(const void *from, size_t size, void *to, size_t room)
{
  if (!to || !perp_sized_is_sane(room))
    return;
  memcpy(to, from, room < size ? room : size);
  if (room > size)
    memset((char *)to + size, 0, room - size);
  memcpy(to, &room, sizeof room);
}
