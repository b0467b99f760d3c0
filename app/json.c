/* json.c: a small writer of JSON (RFC 8259) */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at s, 0 if there is none (RFC 3629: no overlong forms,
 * no surrogates, at most U+10FFFF). */
static int utf8_length(const unsigned char *s)
{
  if (s[0] < 0x80)
    return 1;
  const int length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC2 || s[0] > 0xF4)
    return 0;
  for (int i = 1; i < length; i++) /* stops at the closing 0 */
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
      (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
    return 0;
  return length;
}

static void quote(FILE *out, const char *text)
{
  fputc('"', out);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    const int length = utf8_length(s);
    if (length == 0) {
      fputs("\\ufffd", out);
      s++;
      continue;
    }
    if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if (*s == '\n')
      fputs("\\n", out);
    else if (*s == '\t')
      fputs("\\t", out);
    else if (*s < 32 || *s == 127)
      fprintf(out, "\\u%04x", *s);
    else
      fwrite(s, 1, (size_t)length, out);
    s += length;
  }
  fputc('"', out);
}

/* The comma, the line break and the key before a member or an item. */
static void lead(json *j, const char *key)
{
  if (!j->empty)
    fputc(',', j->out);
  fprintf(j->out, "\n%*s", 2 * j->depth, "");
  j->empty = false;
  if (key) {
    quote(j->out, key);
    fputs(": ", j->out);
  }
}

static void begin(json *j, char bracket)
{
  fputc(bracket, j->out);
  j->depth++;
  j->empty = true;
}

static void end(json *j, char bracket)
{
  j->depth--;
  if (!j->empty)
    fprintf(j->out, "\n%*s", 2 * j->depth, "");
  fputc(bracket, j->out);
  j->empty = false;
}

json json_open(FILE *out)
{
  json j = {.out = out};
  begin(&j, '{');
  return j;
}

void json_close(json *j)
{
  end(j, '}');
  fputc('\n', j->out);
}

void json_begin_object(json *j, const char *key)
{
  lead(j, key);
  begin(j, '{');
}

void json_end_object(json *j)
{
  end(j, '}');
}

void json_begin_array(json *j, const char *key)
{
  lead(j, key);
  begin(j, '[');
}

void json_end_array(json *j)
{
  end(j, ']');
}

void json_text(json *j, const char *key, const char *value)
{
  lead(j, key);
  if (value)
    quote(j->out, value);
  else
    fputs("null", j->out);
}

void json_real(json *j, const char *key, double value)
{
  lead(j, key);
  if (!isfinite(value)) {
    fputs("null", j->out);
    return;
  }
  char digits[32];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value)
      break;
  }
  fputs(digits, j->out);
}

void json_integer(json *j, const char *key, int64_t value)
{
  lead(j, key);
  fprintf(j->out, "%lld", (long long)value);
}

void json_bool(json *j, const char *key, bool value)
{
  lead(j, key);
  fputs(value ? "true" : "false", j->out);
}

void json_vector(json *j, const char *key, int64_t n, const double *v, bool all)
{
  enum { MOST = 10000 };
  if (!v || (n > MOST && !all)) {
    json_text(j, key, NULL);
    return;
  }
  json_begin_array(j, key);
  for (int64_t i = 0; i < n; i++)
    json_real(j, NULL, v[i]);
  json_end_array(j);
}
