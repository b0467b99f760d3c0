/* file.h: reads and writes whole files
 *
 * A file is written under a temporary name in the same folder, flushed to the disk and renamed: a
 * reader sees the old file or the new one, never a part. */
#pragma once

#include "base/shared.h"

#include <perp/base.h>

/* Returns the end of a path that is too long for a message. */
PERP_SHARED const char *perp_path_shown(const char *path);
/* Returns PERP_ERROR_MEMORY with the message "path: out of memory". */
PERP_SHARED perp_error perp_path_no_memory(const char *path, perp_message *why);

/* Returns PERP_ERROR_FILE with the message "path: cannot VERB: reason" for an errno. */
perp_error perp_path_failed(const char *path, const char *verb, int code, perp_message *why);

/* Returns folder/name, allocated by perp_alloc; NULL when out of memory. */
char *perp_path_join(const char *folder, const char *name);

PERP_SHARED bool perp_file_exists(const char *path);
/* Returns -1 if it cannot be read or has no size, such as a pipe. */
PERP_SHARED int64_t perp_file_bytes(const char *path);

/* Reads the whole text into one block from perp_alloc, with a NUL after its last byte. Decompresses
 * gzip files and skips a UTF-8 byte order mark. */
perp_error perp_file_read(const char *path, char **bytes, size_t *length, perp_message *why);

/* ---- gzip ---- */

/* Returns true if the bytes begin like a gzip file. */
bool perp_is_gzip(const char *bytes, size_t count);
/* Replaces *bytes, allocated by perp_alloc, by its decompressed content, with a NUL after its last
 * byte. On an error *bytes is unchanged. `name` is the file in messages. */
perp_error perp_gzip_expand(const char *name, char **bytes, size_t *count, perp_message *why);
/* Decompresses the beginning of a zlib stream, of which `count` bytes are given, into at most
 * `room` bytes. Returns their number; 0 without zlib. */
PERP_SHARED size_t perp_inflate_head(const char *bytes, size_t count, char *head, size_t room);

/* ---- Writing ---- */

/* A file being written. Zero-initialised it is closed; perp_writer_abandon is then harmless. */
typedef struct perp_writer {
  char *path;      /* its final path; owned */
  char *temporary; /* its temporary path; owned; NULL for a device, which a rename cannot replace */
  char *buffer;    /* owned */
  size_t used;
  int file;   /* descriptor + 1; 0: closed */
  bool fresh; /* no earlier file can be lost: not flushed to the disk before the rename */
  int code;   /* errno of the first write that failed, else 0 */
} perp_writer;

PERP_SHARED perp_error perp_writer_open(perp_writer *writer, const char *path, perp_message *why);
/* A failure is recorded and reported by perp_writer_commit. */
PERP_SHARED void perp_writer_bytes(perp_writer *writer, const char *bytes, size_t count);
void perp_writer_text(perp_writer *writer, const char *text);
void perp_writer_integer(perp_writer *writer, int64_t value);
void perp_writer_number(perp_writer *writer, double value);
/* Flushes all bytes to the disk, renames the file to its final name, and closes the writer. If
 * another program wrote writer->temporary, it is flushed too. On an error the file is removed. */
PERP_SHARED perp_error perp_writer_commit(perp_writer *writer, perp_message *why);
/* Closes the writer and removes its file, unless it was committed. */
PERP_SHARED void perp_writer_abandon(perp_writer *writer);
