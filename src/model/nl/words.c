/* words.c: errors, growing lists, numbers and names while an .nl file is read */
#include "model/nl/words.h"

#include "base/number.h"
#include "io/file.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool nl_fail(nl_reader *r, const char *format, ...)
{
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (r->failed)
    return false;
  for (char *c = text; *c; c++) /* bytes of the file */
    *c = *c >= ' ' && *c < 127 ? *c : '?';
  r->failed = true;
  const char *path = perp_path_shown(r->path);
  r->error = r->text ? perp_fail(r->why, PERP_ERROR_FILE, "%s.nl:%d: %s", path, r->line, text)
                     : perp_fail(r->why, PERP_ERROR_FILE, "%s.nl: byte %lld: %s", path,
                                 (long long)(r->at - r->first), text);
  return false;
}

bool nl_no_memory(nl_reader *r)
{
  if (!r->failed)
    r->error =
        perp_fail(r->why, PERP_ERROR_MEMORY, "%s.nl: out of memory", perp_path_shown(r->path));
  r->failed = true;
  return false;
}

void *nl_grow(nl_reader *r, nl_list *l, int64_t count, size_t size)
{
  if (count > INT_MAX - 8 - l->count) {
    nl_fail(r, "the model has more than 2^31 terms");
    return NULL;
  }
  if (l->count + count > l->room) {
    const int64_t room = l->count + count + l->room + 256;
    if (!perp_alloc_longer(&l->items, (size_t)l->count, (size_t)room, size)) {
      nl_no_memory(r);
      return NULL;
    }
    l->room = room;
  }
  l->count += count;
  return l->items + (size_t)(l->count - count) * size;
}

/* ---- Words ---- */

static void skip_blanks(nl_reader *r)
{
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
    r->at++;
}

/* Returns the length of the next word, at most 20, for a message. */
static int word_length(const nl_reader *r)
{
  int length = 0;
  while (r->at + length < r->end && (unsigned char)r->at[length] > ' ' && length < 20)
    length++;
  return length;
}

bool nl_end_line(nl_reader *r)
{
  if (!r->text || r->failed)
    return !r->failed;
  skip_blanks(r);
  if (r->at < r->end && *r->at == '#')
    while (r->at < r->end && *r->at != '\n')
      r->at++;
  if (r->at < r->end && *r->at != '\n')
    return nl_fail(r, "\"%.*s\" after the last field of this line", word_length(r), r->at);
  if (r->at < r->end)
    r->at++;
  r->line++;
  return true;
}

bool nl_read_bytes(nl_reader *r, void *to, size_t count)
{
  if ((size_t)(r->end - r->at) < count)
    return nl_fail(r, "the file ends within a number");
  memcpy(to, r->at, count);
  if (r->swapped)
    for (size_t k = 0; k < count / 2; k++) {
      char *bytes = to, swap = bytes[k];
      bytes[k] = bytes[count - 1 - k];
      bytes[count - 1 - k] = swap;
    }
  r->at += count;
  return true;
}

static bool refuse_word(nl_reader *r, const char *what, const char *expected)
{
  const int length = word_length(r);
  return length == 0 ? nl_fail(r, "the %s is missing", what)
                     : nl_fail(r, "the %s \"%.*s\" is not %s", what, length, r->at, expected);
}

bool nl_is_integer_next(nl_reader *r)
{
  skip_blanks(r);
  const char *at = r->at + (r->at < r->end && *r->at == '-');
  return at < r->end && *at >= '0' && *at <= '9';
}

bool nl_read_integer(nl_reader *r, const char *what, int least, int64_t most, int *value)
{
  int64_t number = 0;
  if (r->failed)
    return false;
  if (!r->text) {
    int32_t binary = 0;
    if (!nl_read_bytes(r, &binary, sizeof binary))
      return false;
    number = binary;
  } else {
    if (!nl_is_integer_next(r))
      return refuse_word(r, what, "a whole number");
    const bool negative = *r->at == '-';
    for (r->at += negative; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
      number = number < INT64_MAX / 100 ? 10 * number + (*r->at - '0') : number;
    number = negative ? -number : number;
  }
  if (number < least || number > most)
    return nl_fail(r, "%s %lld is not in %d .. %lld", what, (long long)number, least,
                   (long long)most);
  *value = (int)number;
  return true;
}

bool nl_read_real(nl_reader *r, const char *what, double *value)
{
  if (r->failed)
    return false;
  if (!r->text)
    return nl_read_bytes(r, value, sizeof *value);
  skip_blanks(r);
  const char *next = perp_number_parse(r->at, r->end, value);
  if (!next)
    return refuse_word(r, what, "a number");
  r->at = next;
  return true;
}

bool nl_read_finite(nl_reader *r, const char *what, double *value)
{
  return nl_read_real(r, what, value) &&
         (isfinite(*value) || nl_fail(r, "%s %g is not finite", what, *value));
}

bool nl_read_name(nl_reader *r, char *name, size_t room)
{
  int length = 0;
  if (r->text) {
    skip_blanks(r);
    while (r->at + length < r->end && (unsigned char)r->at[length] > ' ')
      length++;
  } else if (!nl_read_integer(r, "length of a name", 0, r->end - r->at, &length)) {
    return false;
  }
  if (length > r->end - r->at)
    return nl_fail(r, "the file ends within a name");
  snprintf(name, room, "%.*s", length, r->at);
  r->at += length;
  return true;
}
