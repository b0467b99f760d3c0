/* file.c: reads whole files; writes to a temporary file, syncs and renames it */
#include "io/file.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include "base/system.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 16, PATH_SHOWN = 200, TRIES = 1000 };

const char *perp_path_shown(const char *path)
{
  const size_t length = strlen(path);
  return length > PATH_SHOWN ? path + length - PATH_SHOWN : path;
}

perp_error perp_path_no_memory(const char *path, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", perp_path_shown(path));
}

char *perp_path_join(const char *folder, const char *name)
{
  const size_t length = strlen(folder);
  const char *slash = length && folder[length - 1] == '/' ? "" : "/";
  const size_t room = length + strlen(name) + 2;
  char *path = perp_alloc(room, 1);
  if (path)
    snprintf(path, room, "%s%s%s", folder, slash, name);
  return path;
}

bool perp_file_exists(const char *path)
{
  return perp_system_exists(path); /* true also for a broken link */
}

int64_t perp_file_bytes(const char *path)
{
  const int file = perp_system_open_read(path);
  if (file < 0)
    return -1;
  const int64_t bytes = perp_system_size(file);
  perp_system_close(file);
  return bytes;
}

perp_error perp_path_failed(const char *path, const char *verb, int code, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_FILE, "%s: cannot %s: %s", perp_path_shown(path), verb,
                   strerror(code));
}

/* Reads to the end of the file, whatever its reported size: it may be a pipe, or growing. */
static perp_error read_all(int file, const char *path, size_t room, char **bytes, size_t *length,
                           perp_message *why)
{
  char *block = perp_alloc(room, 1);
  size_t used = 0;
  while (block) {
    const int64_t got = perp_system_read(file, block + used, room - used - 1);
    if (got < 0) {
      const int code = errno;
      perp_free(block);
      return perp_path_failed(path, "read", code, why);
    }
    if (got == 0) {
      block[used] = 0;
      *bytes = block;
      *length = used;
      return PERP_OK;
    }
    used += (size_t)got;
    if (room - used > 1)
      continue;
    room *= 2;
    if (!perp_alloc_longer(&block, used, room, 1)) {
      perp_free(block);
      block = NULL;
    }
  }
  return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory for %zu bytes", perp_path_shown(path),
                   room);
}

/* Returns the name of a compression that is not read, NULL if the bytes do not begin like one. */
static const char *unread_compression(const char *bytes, size_t count)
{
  static const struct {
    const char *name, *begin;
    size_t length;
  } kinds[] = {{"xz", "\3757zXZ\0", 6}, {"zstd", "\x28\xb5\x2f\xfd", 4}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (count >= kinds[k].length && memcmp(bytes, kinds[k].begin, kinds[k].length) == 0)
      return kinds[k].name;
  /* "BZh", the size of blocks, then a block or the end of an empty text */
  const bool bz2 =
      count >= 10 && memcmp(bytes, "BZh", 3) == 0 &&
      (memcmp(bytes + 4, "1AY&SY", 6) == 0 || memcmp(bytes + 4, "\x17rE8P\x90", 6) == 0);
  return bz2 ? "bzip2" : NULL;
}

perp_error perp_file_read(const char *path, char **bytes, size_t *length, perp_message *why)
{
  const int file = perp_system_open_read(path);
  if (file < 0)
    return perp_path_failed(path, "read", errno, why);
  const int64_t size = perp_system_size(file);
  const size_t room = size >= 0 ? (size_t)size + 2 : BUFFER;
  *bytes = NULL;
  perp_error error = read_all(file, path, room, bytes, length, why);
  perp_system_close(file);
  if (!error && perp_is_gzip(*bytes, *length))
    error = perp_gzip_expand(perp_path_shown(path), bytes, length, why);
  const char *packed = error ? NULL : unread_compression(*bytes, *length);
  if (packed)
    error = perp_fail(why, PERP_ERROR_FILE,
                      "%s: is compressed by %s; decompress it, or compress it by gzip",
                      perp_path_shown(path), packed);
  if (error) {
    perp_free(*bytes);
    *bytes = NULL;
    return error;
  }
  if (*length >= 3 && memcmp(*bytes, "\xef\xbb\xbf", 3) == 0) { /* the byte order mark of UTF-8 */
    *length -= 3;
    memmove(*bytes, *bytes + 3, *length + 1);
  }
  return PERP_OK;
}

/* Opens a file next to `path`: path.new-K with the first K that no other process uses. */
static int open_temporary(const char *path, char *temporary, size_t room)
{
  for (int k = 0; k < TRIES; k++) {
    snprintf(temporary, room, "%s.new-%d", path, k);
    const int file = perp_system_claim(temporary);
    if (file >= 0 || errno != EEXIST)
      return file;
  }
  errno = EEXIST;
  return -1;
}

/* Reports why a writer could not be opened, and closes it. */
static perp_error give_up(perp_writer *writer, const char *path, int code, perp_message *why)
{
  perp_free(writer->temporary);
  writer->temporary = NULL; /* not created, or another process's */
  perp_writer_abandon(writer);
  if (code == ENOMEM)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory to write it",
                     perp_path_shown(path));
  return perp_path_failed(path, "write", code, why);
}

perp_error perp_writer_open(perp_writer *writer, const char *path, perp_message *why)
{
  const perp_place place = perp_system_look(path);
  const bool device = place == PERP_PLACE_DEVICE;
  *writer = (perp_writer){0};
  if (place == PERP_PLACE_FOLDER)
    return perp_fail(why, PERP_ERROR_FILE, "%s: is a folder, not a file", perp_path_shown(path));
  /* a rename would succeed, but the file is read-only */
  if (place != PERP_PLACE_NONE && !perp_system_may_write(path))
    return perp_path_failed(path, "write", errno, why);

  char target[PERP_PATH_ROOM];
  const char *end = perp_system_follow(path, target) ? target : path; /* a link stays */
  writer->path = perp_alloc_copy(end, strlen(end) + 1, 1);
  writer->buffer = perp_alloc(BUFFER, 1);
  const size_t room = writer->path ? strlen(writer->path) + 64 : 0;
  if (!device && writer->path)
    writer->temporary = perp_alloc(room, 1);
  if (!writer->path || !writer->buffer || (!device && !writer->temporary))
    return give_up(writer, path, ENOMEM, why);
  const int file =
      device ? perp_system_open_write(path) : open_temporary(writer->path, writer->temporary, room);
  if (file < 0)
    return give_up(writer, path, errno, why);
  writer->file = file + 1;
  return PERP_OK;
}

static void flush(perp_writer *writer)
{
  size_t done = 0;
  while (done < writer->used && !writer->code) {
    const int64_t put =
        perp_system_write(writer->file - 1, writer->buffer + done, writer->used - done);
    if (put >= 0)
      done += (size_t)put;
    else
      writer->code = errno;
  }
  writer->used = 0;
}

void perp_writer_bytes(perp_writer *writer, const char *bytes, size_t count)
{
  while (count > 0) {
    if (writer->used == BUFFER)
      flush(writer);
    const size_t room = BUFFER - writer->used;
    const size_t part = count < room ? count : room;
    memcpy(writer->buffer + writer->used, bytes, part);
    writer->used += part;
    bytes += part;
    count -= part;
  }
}

void perp_writer_text(perp_writer *writer, const char *text)
{
  perp_writer_bytes(writer, text, strlen(text));
}

void perp_writer_integer(perp_writer *writer, int64_t value)
{
  char digits[24];
  char *at = digits + sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    *--at = '-';
  perp_writer_bytes(writer, at, (size_t)(digits + sizeof digits - at));
}

void perp_writer_number(perp_writer *writer, double value)
{
  char text[PERP_NUMBER_ROOM];
  perp_writer_bytes(writer, text, (size_t)perp_number_print(value, text));
}

perp_error perp_writer_commit(perp_writer *writer, perp_message *why)
{
  flush(writer);
  if (!writer->code && writer->temporary && !writer->fresh && !perp_system_sync(writer->file - 1))
    writer->code = errno;
  if (!perp_system_close(writer->file - 1) && !writer->code)
    writer->code = errno;
  writer->file = 0;
  if (!writer->code && writer->temporary) {
    if (perp_system_replace(writer->temporary, writer->path)) {
      perp_free(writer->temporary);
      writer->temporary = NULL;
    } else {
      writer->code = errno;
    }
  }
  const perp_error error =
      writer->code ? perp_path_failed(writer->path, "write", writer->code, why) : PERP_OK;
  perp_writer_abandon(writer);
  return error;
}

void perp_writer_abandon(perp_writer *writer)
{
  if (writer->file)
    perp_system_close(writer->file - 1);
  if (writer->temporary)
    perp_system_remove(writer->temporary);
  perp_free(writer->temporary);
  perp_free(writer->path);
  perp_free(writer->buffer);
  *writer = (perp_writer){0};
}
