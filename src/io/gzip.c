/* gzip.c: decompresses gzip files and zlib streams; the only file that uses zlib
 *
 * A gzip file may have several consecutive members; together they are one text. */
#include "io/file.h"

#include "base/memory.h"
#include "base/message.h"

bool perp_is_gzip(const char *bytes, size_t count)
{
  return count >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

#ifdef PERP_HAVE_ZLIB

#include <limits.h>
#include <zlib.h>

enum { GZIP_ALONE = 15 + 16 }; /* zlib's window size, and gzip as the only format */

/* Returns the text of all members; *used is its length. NULL: zlib's *code gives the reason. */
static char *inflate_all(z_stream *z, const char *bytes, size_t count, size_t *used, int *code)
{
  size_t room = 4 * count + 64, taken = 0;
  char *text = perp_alloc(room, 1);
  *used = 0;
  *code = Z_OK;
  while (text && (taken < count || *code == Z_OK)) {
    const size_t in = count - taken < INT_MAX ? count - taken : INT_MAX;
    if (room - *used < 2 && !perp_alloc_longer(&text, *used, room *= 2, 1)) {
      *code = Z_MEM_ERROR;
      break;
    }
    const size_t out = room - *used - 1 < INT_MAX ? room - *used - 1 : INT_MAX;
    z->next_in = (Bytef *)(bytes + taken);
    z->avail_in = (uInt)in;
    z->next_out = (Bytef *)(text + *used);
    z->avail_out = (uInt)out;
    *code = inflate(z, Z_NO_FLUSH);
    taken += in - z->avail_in;
    *used += out - z->avail_out;
    if (*code == Z_STREAM_END && taken < count)
      *code = inflateReset(z);
    else if (*code != Z_OK && *code != Z_STREAM_END)
      break;
  }
  if (text && *code == Z_STREAM_END)
    return text;
  if (!text)
    *code = Z_MEM_ERROR;
  perp_free(text);
  return NULL;
}

perp_error perp_gzip_expand(const char *name, char **bytes, size_t *count, perp_message *why)
{
  z_stream z = {0};
  size_t used = 0;
  int code = inflateInit2(&z, GZIP_ALONE);
  char *text = code == Z_OK ? inflate_all(&z, *bytes, *count, &used, &code) : NULL;
  if (text) {
    text[used] = 0;
    perp_free(*bytes);
    *bytes = text;
    *count = used;
  }
  inflateEnd(&z);
  if (text)
    return PERP_OK;
  if (code == Z_MEM_ERROR)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory to decompress it", name);
  return perp_fail(why, PERP_ERROR_FILE, "%s: is damaged: gzip cannot decompress it", name);
}

size_t perp_inflate_head(const char *bytes, size_t count, char *head, size_t room)
{
  z_stream z = {.next_in = (Bytef *)bytes,
                .avail_in = (uInt)count,
                .next_out = (Bytef *)head,
                .avail_out = (uInt)room};
  if (inflateInit(&z) != Z_OK)
    return 0;
  inflate(&z, Z_SYNC_FLUSH);
  inflateEnd(&z);
  return room - z.avail_out;
}

#else

size_t perp_inflate_head(const char *bytes, size_t count, char *head, size_t room)
{
  (void)bytes;
  (void)count;
  (void)head;
  (void)room;
  return 0;
}

perp_error perp_gzip_expand(const char *name, char **bytes, size_t *count, perp_message *why)
{
  (void)bytes;
  (void)count;
  return perp_fail(why, PERP_ERROR_BACKEND,
                   "%s: is compressed by gzip, and perp was built without zlib", name);
}

#endif
