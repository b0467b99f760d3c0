/* file.c: reading whole files; writing beside, fsync, rename */
#define _XOPEN_SOURCE 700
#include "io/file.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, PATH_SHOWN = 200, TRIES = 1000 };

const char *perp_path_shown(const char *path)
{
  const size_t length = strlen(path);
  return length > PATH_SHOWN ? path + length - PATH_SHOWN : path;
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
  struct stat status; /* a link that leads nowhere is there, and reading it will say so */
  return lstat(path, &status) == 0;
}

static perp_error fail_errno(perp_message *why, const char *path, const char *verb, int code)
{
  return perp_fail(why, PERP_ERROR_FILE, "%s: cannot %s: %s", perp_path_shown(path), verb,
                   strerror(code));
}

/* Reads to the end of the file, whatever size it claimed: it may be a pipe, or growing. */
static perp_error read_all(int file, const char *path, size_t room, char **bytes, size_t *length,
                           perp_message *why)
{
  char *block = perp_alloc(room, 1);
  size_t used = 0;
  while (block) {
    const ssize_t got = read(file, block + used, room - used - 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      const int code = errno;
      perp_free(block);
      return fail_errno(why, path, "read", code);
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
    char *larger = perp_alloc(2 * room, 1);
    if (larger)
      memcpy(larger, block, used);
    perp_free(block);
    block = larger;
    room *= 2;
  }
  return perp_fail(why, PERP_ERROR_MEMORY, "%s: no memory for %zu bytes", perp_path_shown(path),
                   room);
}

perp_error perp_file_read(const char *path, char **bytes, size_t *length, perp_message *why)
{
  int file;
  do
    file = open(path, O_RDONLY | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  if (file < 0)
    return fail_errno(why, path, "read", errno);
  struct stat status;
  size_t room = BUFFER;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0)
    room = (size_t)status.st_size + 2;
  const perp_error error = read_all(file, path, room, bytes, length, why);
  close(file);
  return error;
}

/* A new file beside `path`: path.new-PID-K with the first K that is free. */
static int open_beside(const char *path, char *temporary, size_t room)
{
  for (int k = 0; k < TRIES; k++) {
    snprintf(temporary, room, "%s.new-%ld-%d", path, (long)getpid(), k);
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || (errno != EEXIST && errno != EINTR))
      return file;
  }
  errno = EEXIST;
  return -1;
}

/* Where the file that `path` names stands once links are followed: the link stays, what it
 * points at is replaced. */
static char *final_place(const char *path)
{
  char resolved[PATH_MAX];
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && realpath(path, resolved))
    path = resolved;
  return perp_alloc_copy(path, strlen(path) + 1, 1);
}

/* Says why a writer could not be opened, and closes it. */
static perp_error give_up(perp_writer *writer, const char *path, int code, perp_message *why)
{
  perp_free(writer->temporary);
  writer->temporary = NULL; /* not made, or somebody else's */
  perp_writer_abandon(writer);
  if (code == ENOMEM)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: no memory to write it", perp_path_shown(path));
  return fail_errno(why, path, "write", code);
}

perp_error perp_writer_open(perp_writer *writer, const char *path, perp_message *why)
{
  struct stat status;
  const bool there = stat(path, &status) == 0;
  /* a terminal, a pipe or /dev/null is written to, never replaced */
  const bool device = there && !S_ISREG(status.st_mode);
  *writer = (perp_writer){0};
  if (there && S_ISDIR(status.st_mode))
    return perp_fail(why, PERP_ERROR_FILE, "%s: is a folder, not a file", perp_path_shown(path));
  /* a rename would go through, but who made the file read-only meant it */
  if (there && access(path, W_OK) != 0)
    return fail_errno(why, path, "write", errno);

  writer->path = final_place(path);
  writer->buffer = perp_alloc(BUFFER, 1);
  const size_t room = writer->path ? strlen(writer->path) + 64 : 0;
  if (!device && writer->path)
    writer->temporary = perp_alloc(room, 1);
  if (!writer->path || !writer->buffer || (!device && !writer->temporary))
    return give_up(writer, path, ENOMEM, why);
  const int file = device ? open(path, O_WRONLY | O_CLOEXEC)
                          : open_beside(writer->path, writer->temporary, room);
  if (file < 0)
    return give_up(writer, path, errno, why);
  writer->file = file + 1;
  return PERP_OK;
}

static void flush(perp_writer *writer)
{
  size_t done = 0;
  while (done < writer->used && !writer->code) {
    const ssize_t put = write(writer->file - 1, writer->buffer + done, writer->used - done);
    if (put >= 0)
      done += (size_t)put;
    else if (errno != EINTR)
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

perp_error perp_writer_finish(perp_writer *writer, perp_message *why)
{
  flush(writer);
  if (!writer->code && writer->temporary && !writer->fresh && fsync(writer->file - 1) != 0)
    writer->code = errno;
  if (close(writer->file - 1) != 0 && !writer->code)
    writer->code = errno;
  writer->file = 0;
  if (writer->code)
    return fail_errno(why, writer->path, "write", writer->code);
  return PERP_OK;
}

perp_error perp_writer_commit(perp_writer *writer, perp_message *why)
{
  perp_error error = PERP_OK;
  if (writer->temporary && rename(writer->temporary, writer->path) != 0) {
    error = fail_errno(why, writer->path, "write", errno);
  } else {
    perp_free(writer->temporary);
    writer->temporary = NULL;
  }
  perp_writer_abandon(writer);
  return error;
}

void perp_writer_abandon(perp_writer *writer)
{
  if (writer->file)
    close(writer->file - 1);
  if (writer->temporary)
    unlink(writer->temporary);
  perp_free(writer->temporary);
  perp_free(writer->path);
  perp_free(writer->buffer);
  *writer = (perp_writer){0};
}
