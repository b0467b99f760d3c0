/* file.h: whole files in, whole files out
 *
 * A file is written under a temporary name in the same folder, flushed to the disk and renamed: a
 * reader sees the old file or the new one, never a part. */
#ifndef PERP_IO_FILE_H
#define PERP_IO_FILE_H

#include "base/shared.h"

#include <perp/base.h>

/* The end of a path that is too long for a message. */
PERP_SHARED const char *perp_path_shown(const char *path);

/* folder/name, from perp_alloc; NULL if out of memory. */
char *perp_path_join(const char *folder, const char *name);

PERP_SHARED bool perp_file_exists(const char *path);
/* -1 for what cannot be read or has no size, such as a pipe */
PERP_SHARED int64_t perp_file_bytes(const char *path);

/* The whole text in one block from perp_alloc, a NUL behind its last byte: a gzip file is
 * decompressed, and the mark of UTF-8 at its beginning is left out. */
perp_error perp_file_read(const char *path, char **bytes, size_t *length, perp_message *why);

/* ---- gzip ---- */

/* Whether the bytes begin as a gzip file does. */
bool perp_is_gzip(const char *bytes, size_t count);
/* *bytes, from perp_alloc, is replaced by what it holds, a NUL behind its last byte. An error leaves
 * it as it is. `name` is the file in messages. */
perp_error perp_gzip_expand(const char *name, char **bytes, size_t *count, perp_message *why);
/* The first bytes, at most `room`, of what a zlib stream holds, of which `count` bytes are given: their
 * number; 0 without zlib. */
PERP_SHARED size_t perp_inflate_head(const char *bytes, size_t count, char *head, size_t room);

/* ---- Writing ---- */

/* One file being written. Zero-initialised it is closed; perp_writer_abandon is then harmless. */
typedef struct perp_writer {
  char *path;      /* its final path; owned */
  char *temporary; /* its temporary path; owned; NULL for a device, which a rename cannot replace */
  char *buffer;    /* owned */
  size_t used;
  int file;   /* descriptor + 1; 0: closed */
  bool fresh; /* there is no earlier file to lose: not flushed to the disk before the rename */
  int code;   /* errno of the first write that failed, else 0 */
} perp_writer;

PERP_SHARED perp_error perp_writer_open(perp_writer *writer, const char *path, perp_message *why);
/* Failures are remembered and reported by perp_writer_finish. */
PERP_SHARED void perp_writer_bytes(perp_writer *writer, const char *bytes, size_t count);
void perp_writer_text(perp_writer *writer, const char *text);
void perp_writer_integer(perp_writer *writer, int64_t value);
void perp_writer_number(perp_writer *writer, double value);
/* Flushes all bytes to the disk; the file still has its temporary name. For a file that someone
 * else wrote to writer->temporary: only flushes it. */
PERP_SHARED perp_error perp_writer_finish(perp_writer *writer, perp_message *why);
/* Renames a finished file into its place, and closes the writer. */
PERP_SHARED perp_error perp_writer_commit(perp_writer *writer, perp_message *why);
/* Closes the writer and removes what it wrote, unless that was committed. */
PERP_SHARED void perp_writer_abandon(perp_writer *writer);

#endif
