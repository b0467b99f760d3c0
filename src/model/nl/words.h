/* words.h: errors, growing lists, numbers and names while an .nl file is read
 *
 * Every function returns false after an error, which names the file and the line or the byte; later
 * calls then do nothing. */
#pragma once

#include "model/nl/nl.h"

typedef struct nl_list {
  char *items;
  int64_t count, room;
} nl_list;

typedef struct nl_reader {
  const char *path; /* without .nl */
  const char *first, *at, *end;
  int line;
  bool text;    /* false after the header of a binary file */
  bool swapped; /* numbers in the other byte order */
  bool failed;
  perp_error error;
  perp_message *why;
} nl_reader;

PERP_CHECK_FORMAT(2, 3) bool nl_fail(nl_reader *r, const char *format, ...);
bool nl_no_memory(nl_reader *r);
/* Returns the place for `count` more items; NULL after an error. */
void *nl_grow(nl_reader *r, nl_list *l, int64_t count, size_t size);
/* Ends a line of text: only a comment may follow. */
bool nl_end_line(nl_reader *r);
bool nl_is_integer_next(nl_reader *r);
bool nl_read_bytes(nl_reader *r, void *to, size_t count);
bool nl_read_integer(nl_reader *r, const char *what, int least, int64_t most, int *value);
bool nl_read_real(nl_reader *r, const char *what, double *value);
bool nl_read_finite(nl_reader *r, const char *what, double *value);
/* A name: the rest of the word, or in a binary file its length and the bytes. */
bool nl_read_name(nl_reader *r, char *name, size_t room);
