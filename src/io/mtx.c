/* mtx.c: reads Matrix Market files; mtx_write.c converts and writes
 *
 *   %%MatrixMarket matrix (coordinate | array) (real | integer | pattern) (general | symmetric |
 *   skew-symmetric)
 *   % comments
 *   rows columns entries                 coordinate; then one "row column value" per line
 *   rows columns                         array; then the values by columns
 *
 * Comment and blank lines may be anywhere after the first line. Indices count from 1. A symmetric
 * file holds the lower triangle with its diagonal, a skew-symmetric one without. The format does
 * not define repeated entries, so they are refused. One pass over the text; triplets.c brings the
 * entries into row order. */
#include "io/mtx.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include "linalg/vector.h"
#include <perp/io.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct {
  const char *path;
  const char *at, *end;
  int64_t line; /* of `at`, from 1 */
  const perp_mtx_rule *rule;
  perp_message *why;
  bool sparse, pattern, integer;
  symmetry symmetry;
  int rows, columns;
  int64_t declared; /* numbers that the file declares */
} reader;

perp_mtx_rule perp_mtx_rule_any(const char *name)
{
  return (perp_mtx_rule){.name = name, .rows = -1, .columns = -1};
}

/* ---- Messages ---- */

PERP_CHECK_FORMAT(3, 4)
static perp_error refuse(const reader *r, perp_error error, const char *format, ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return perp_fail(r->why, error, "%s:%lld: %s", perp_path_shown(r->path), (long long)r->line,
                   text);
}

perp_error perp_mtx_no_memory(const char *path, int rows, int columns, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory for a %d x %d matrix",
                   perp_path_shown(path), rows, columns);
}

static perp_error no_memory(const reader *r)
{
  return perp_mtx_no_memory(r->path, r->rows, r->columns, r->why);
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool ends_token(const reader *r, const char *at)
{
  return at == r->end || *at == '\n' || is_blank(*at);
}

typedef struct {
  char text[40];
} token;

/* Returns the token at `at`, shortened and printable, for messages. */
static token token_at(const reader *r, const char *at)
{
  token t;
  size_t length = 0;
  for (; !ends_token(r, at) && length < sizeof t.text - 1; at++)
    t.text[length++] = (char)(*at > ' ' && *at < 127 ? *at : '?');
  if (!ends_token(r, at))
    memcpy(t.text + length - 3, "...", 3);
  t.text[length] = 0;
  return t;
}

/* ---- Lines and tokens ---- */

/* Returns true at the end of the line, after any blanks. */
static bool at_line_end(reader *r)
{
  while (r->at < r->end && is_blank(*r->at))
    r->at++;
  return r->at == r->end || *r->at == '\n';
}

/* Moves from the end of a line to the first token of the next line that is not a comment; returns
 * false if there is none. */
static bool next_line(reader *r)
{
  while (r->at < r->end) {
    if (*r->at == '\n') {
      r->at++;
      r->line++;
    }
    if (at_line_end(r))
      continue;
    if (*r->at != '%')
      return true;
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = newline ? newline : r->end;
  }
  return false;
}

/* Reads one of the words, in any case; returns -1 if none matches. */
static int take_word(reader *r, const char *const *words)
{
  at_line_end(r);
  for (int k = 0; words[k]; k++) {
    const char *at = r->at, *word = words[k];
    while (at < r->end && *word && (*at >= 'A' && *at <= 'Z' ? *at + 32 : *at) == *word)
      at++, word++;
    if (!*word && ends_token(r, at)) {
      r->at = at;
      return k;
    }
  }
  return -1;
}

/* Reads only digits, at most `most`; returns -1 for anything else or a larger number. */
static int64_t take_integer(reader *r, int64_t most)
{
  at_line_end(r);
  const char *at = r->at;
  int64_t value = 0;
  for (; at < r->end && *at >= '0' && *at <= '9'; at++) {
    const int digit = *at - '0';
    if (value > (most - digit) / 10)
      return -1;
    value = 10 * value + digit;
  }
  if (at == r->at || !ends_token(r, at))
    return -1;
  r->at = at;
  return value;
}

static perp_error take_value(reader *r, double *value)
{
  const perp_mtx_rule *rule = r->rule;
  const char *behind = perp_number_parse(r->at, r->end, value);
  const double v = *value;
  if (!behind || !ends_token(r, behind))
    return refuse(r, PERP_ERROR_FILE, "'%s' is not a number", token_at(r, r->at).text);
  if (isnan(v) && !rule->nan)
    return refuse(r, PERP_ERROR_PROBLEM, "%s = %s", rule->name, token_at(r, r->at).text);
  if (isinf(v) && rule->finite)
    return refuse(r, PERP_ERROR_PROBLEM, "%s = %s is not finite", rule->name,
                  token_at(r, r->at).text);
  if ((r->integer || rule->whole) && !(v == floor(v)))
    return refuse(r, r->integer ? PERP_ERROR_FILE : PERP_ERROR_PROBLEM,
                  "%s = %s is not a whole number", rule->name, token_at(r, r->at).text);
  if (rule->least < rule->most && !(v >= rule->least && v <= rule->most))
    return refuse(r, PERP_ERROR_PROBLEM, "%s = %s is outside %g..%g", rule->name,
                  token_at(r, r->at).text, rule->least, rule->most);
  r->at = behind;
  return PERP_OK;
}

/* ---- Header and sizes ---- */

static perp_error take_or_refuse(reader *r, const char *const *words, const char *refusal,
                                 int *word)
{
  *word = take_word(r, words);
  return *word >= 0 ? PERP_OK : refuse(r, PERP_ERROR_FILE, refusal, token_at(r, r->at).text);
}

static perp_error read_header(reader *r)
{
  static const char *const banner[] = {"%%matrixmarket", NULL}, *const object[] = {"matrix", NULL};
  static const char *const formats[] = {"coordinate", "array", NULL};
  static const char *const fields[] = {"real",    "double", "integer", "unsigned-integer",
                                       "pattern", NULL};
  static const char *const parts[] = {"general", "symmetric", "skew-symmetric", NULL};
  int word, format, field, part;
  perp_error error;
  if ((error = take_or_refuse(r, banner, "begins with '%s', not with '%%%%MatrixMarket'", &word)) ||
      (error = take_or_refuse(r, object, "object '%s' is not supported; use 'matrix'", &word)) ||
      (error = take_or_refuse(r, formats, "format '%s' is neither 'coordinate' nor 'array'",
                              &format)) ||
      (error = take_or_refuse(
           r, fields, "field '%s' is not supported; use 'real', 'integer' or 'pattern'", &field)) ||
      (error = take_or_refuse(
           r, parts,
           "symmetry '%s' is not supported; use 'general', 'symmetric' or 'skew-symmetric'",
           &part)))
    return error;
  if (!at_line_end(r))
    return refuse(r, PERP_ERROR_FILE, "'%s' after the header", token_at(r, r->at).text);
  r->sparse = format == 0;
  r->integer = field == 2 || field == 3;
  r->pattern = field == 4;
  r->symmetry = (symmetry)part;
  if (r->pattern && !r->sparse)
    return refuse(r, PERP_ERROR_FILE, "an array cannot be 'pattern'");
  if (r->pattern && r->symmetry == SKEW)
    return refuse(r, PERP_ERROR_FILE, "a pattern cannot be 'skew-symmetric'");
  return PERP_OK;
}

/* Checks the sizes against the rule, before any allocation. */
static perp_error check_shape(const reader *r)
{
  const perp_mtx_rule *rule = r->rule;
  const int m = r->rows, n = r->columns;
  if (r->symmetry != GENERAL && m != n)
    return refuse(r, PERP_ERROR_FILE, "%d x %d, but a symmetric matrix is square", m, n);
  if (rule->square && m != n)
    return refuse(r, PERP_ERROR_PROBLEM, "%d x %d, but %s must be square", m, n, rule->name);
  if (rule->vector && m != 1 && n != 1 && (m | n) != 0)
    return refuse(r, PERP_ERROR_PROBLEM, "%d x %d, but %s must be a vector", m, n, rule->name);

  const int length = n == 1 ? m : n;
  if (rule->vector && rule->rows >= 0 && length != rule->rows)
    return refuse(r, PERP_ERROR_PROBLEM, "%d x %d, but %s must have length %d", m, n, rule->name,
                  rule->rows);
  if (!rule->vector &&
      ((rule->rows >= 0 && m != rule->rows) || (rule->columns >= 0 && n != rule->columns)))
    return refuse(r, PERP_ERROR_PROBLEM, "%d x %d, but %s must be %d x %d", m, n, rule->name,
                  rule->rows >= 0 ? rule->rows : m, rule->columns >= 0 ? rule->columns : n);

  /* a coordinate file can declare any size in a few bytes: more than a million rows with less than
   * a byte each is a mistake */
  const bool known = rule->rows >= 0 && (rule->vector || rule->square || rule->columns >= 0);
  const int64_t believable = (1 << 20) + (int64_t)(r->end - r->at);
  if (!known && (m > believable || n > believable))
    return refuse(r, PERP_ERROR_FILE, "%d x %d is not plausible: only %lld bytes of entries follow",
                  m, n, (long long)(r->end - r->at));
  return PERP_OK;
}

static perp_error read_sizes(reader *r)
{
  static const char *const names[] = {"rows", "columns", "entries"};
  int64_t sizes[3] = {0};
  if (!next_line(r))
    return refuse(r, PERP_ERROR_FILE, "ends before its line of sizes");
  for (int k = 0; k < (r->sparse ? 3 : 2); k++) {
    if (at_line_end(r))
      return refuse(r, PERP_ERROR_FILE, "the number of %s is missing", names[k]);
    sizes[k] = take_integer(r, k < 2 ? INT_MAX : INT64_MAX / 64);
    if (sizes[k] < 0)
      return refuse(r, PERP_ERROR_FILE, "'%s' is not a number of %s", token_at(r, r->at).text,
                    names[k]);
  }
  if (!at_line_end(r))
    return refuse(r, PERP_ERROR_FILE, "'%s' after the sizes", token_at(r, r->at).text);
  r->rows = (int)sizes[0];
  r->columns = (int)sizes[1];
  const int64_t n = r->rows;
  if (r->sparse)
    r->declared = sizes[2];
  else if (r->symmetry == GENERAL)
    r->declared = n * r->columns;
  else
    r->declared = r->symmetry == SKEW ? n * (n - 1) / 2 : n * (n + 1) / 2;
  return check_shape(r);
}

/* Returns the most numbers of `bytes` bytes that the rest of the text can hold. */
static int64_t room_for(const reader *r, int bytes)
{
  return ((int64_t)(r->end - r->at) + 1) / bytes;
}

static perp_error ends_early(const reader *r, int64_t seen, const char *what)
{
  return refuse(r, PERP_ERROR_FILE, "ends after %lld of %lld %s", (long long)seen,
                (long long)r->declared, what);
}

/* ---- Array ---- */

static perp_error read_array(reader *r, perp_mtx *matrix)
{
  const int skip = r->symmetry == SKEW;
  const int64_t width = r->columns;
  /* a file too short for its declared size is read only to find its first error */
  const bool fits = r->declared <= room_for(r, 2);
  if (fits) {
    matrix->entries = (int64_t)r->rows * width;
    matrix->value = perp_alloc_zero((size_t)matrix->entries, sizeof *matrix->value);
    if (!matrix->value)
      return no_memory(r);
  }

  int64_t seen = 0, i = r->symmetry == SKEW ? 1 : 0, j = 0;
  while (next_line(r)) {
    while (!at_line_end(r)) {
      double v;
      if (seen == r->declared)
        return refuse(r, PERP_ERROR_FILE, "'%s' after the last of %lld values",
                      token_at(r, r->at).text, (long long)r->declared);
      const perp_error error = take_value(r, &v);
      if (error)
        return error;
      seen++;
      if (!fits)
        continue;
      matrix->value[i * width + j] = v;
      if (r->symmetry != GENERAL)
        matrix->value[j * width + i] = skip && i != j ? -v : v;
      if (++i == r->rows) {
        j++;
        i = r->symmetry == GENERAL ? 0 : j + skip;
      }
    }
  }
  return seen < r->declared ? ends_early(r, seen, "values") : PERP_OK;
}

/* ---- Coordinate ---- */

static perp_error take_index(reader *r, const char *name, int most, int *index)
{
  if (at_line_end(r))
    return refuse(r, PERP_ERROR_FILE, "the %s index is missing", name);
  const int64_t i = take_integer(r, INT_MAX);
  if (i < 0)
    return refuse(r, PERP_ERROR_FILE, "'%s' is not a %s index in 1..%d", token_at(r, r->at).text,
                  name, most);
  if (i < 1 || i > most)
    return refuse(r, PERP_ERROR_FILE, "%s index %lld is outside 1..%d", name, (long long)i, most);
  *index = (int)i - 1;
  return PERP_OK;
}

static perp_error take_entry(reader *r, int *row, int *column, double *value)
{
  perp_error error = take_index(r, "row", r->rows, row);
  if (error || (error = take_index(r, "column", r->columns, column)))
    return error;
  *value = 1;
  if (!r->pattern) {
    if (at_line_end(r))
      return refuse(r, PERP_ERROR_FILE, "entry (%d, %d) has no value", *row + 1, *column + 1);
    error = take_value(r, value);
    if (error)
      return error;
  }
  if (!at_line_end(r))
    return refuse(r, PERP_ERROR_FILE, "'%s' after entry (%d, %d)", token_at(r, r->at).text,
                  *row + 1, *column + 1);
  if (r->symmetry != GENERAL && *row < *column)
    return refuse(r, PERP_ERROR_FILE,
                  "entry (%d, %d) is above the diagonal, but the file is symmetric", *row + 1,
                  *column + 1);
  if (r->symmetry == SKEW && *row == *column)
    return refuse(r, PERP_ERROR_FILE,
                  "entry (%d, %d) is on the diagonal, but the file is skew-symmetric", *row + 1,
                  *column + 1);
  return PERP_OK;
}

static perp_error read_entries(reader *r, perp_triplets *t)
{
  /* "1 1" and a newline are four bytes, and a value takes two more */
  const int64_t room = room_for(r, r->pattern ? 4 : 6);
  const int64_t most = r->declared < room ? r->declared : room;
  const size_t capacity = (size_t)(r->symmetry == GENERAL ? most : 2 * most);
  if (!perp_triplets_alloc(t, capacity))
    return no_memory(r);

  int64_t e = 0;
  for (; next_line(r); e++) {
    int row, column;
    double value;
    if (e == r->declared)
      return refuse(r, PERP_ERROR_FILE, "'%s' after the last of %lld entries",
                    token_at(r, r->at).text, (long long)r->declared);
    const perp_error error = take_entry(r, &row, &column, &value);
    if (error)
      return error;
    t->row[e] = row;
    t->column[e] = column;
    t->value[e] = value;
  }
  if (e < r->declared)
    return ends_early(r, e, "entries");

  /* the other triangle */
  t->count = e;
  for (int64_t k = 0; r->symmetry != GENERAL && k < e; k++)
    if (t->row[k] != t->column[k])
      perp_triplets_add(t, t->column[k], t->row[k],
                        r->symmetry == SKEW ? -t->value[k] : t->value[k]);
  return PERP_OK;
}

/* Sets r->line to the line of entry e; reads the text again, since only messages need it. */
static void find_line(reader *r, const char *text, int64_t e)
{
  r->at = text;
  r->line = 1;
  read_header(r);
  read_sizes(r);
  for (int64_t k = 0; k <= e && next_line(r); k++) {
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = newline && k < e ? newline : r->at;
  }
}

/* Refuses a matrix with an entry that is in the file twice, and names the second. */
static perp_error refuse_duplicate(reader *r, const char *text, const perp_triplets *t,
                                   const perp_mtx *matrix)
{
  for (int i = 0; i < r->rows; i++)
    for (int64_t at = matrix->start[i] + 1; at < matrix->start[i + 1]; at++) {
      const int j = matrix->column[at];
      if (matrix->column[at - 1] != j || (r->symmetry != GENERAL && j > i)) /* a mirror image */
        continue;
      int seen = 0;
      for (int64_t e = 0; e < t->count; e++)
        if (t->row[e] == i && t->column[e] == j && seen++ == 1) {
          find_line(r, text, e);
          return refuse(r, PERP_ERROR_FILE, "entry (%d, %d) = %g is in the file twice", i + 1,
                        j + 1, t->value[e]);
        }
    }
  return PERP_OK;
}

static perp_error read_coordinate(reader *r, const char *text, perp_mtx *matrix)
{
  perp_triplets t = {0};
  perp_error error = read_entries(r, &t);
  if (!error && !perp_mtx_compress(&t, r->rows, r->columns, matrix))
    error = no_memory(r);
  if (!error)
    error = refuse_duplicate(r, text, &t, matrix);
  perp_triplets_free(&t);
  return error;
}

/* ---- The whole ---- */

perp_error perp_mtx_parse(const char *path, const char *text, size_t bytes,
                          const perp_mtx_rule *rule, perp_mtx *matrix, perp_message *why)
{
  reader r = {.path = path, .at = text, .end = text + bytes, .line = 1, .rule = rule, .why = why};
  *matrix = (perp_mtx){0};
  perp_error error = read_header(&r);
  if (error || (error = read_sizes(&r)))
    return error;
  *matrix = (perp_mtx){.path = path, .sparse = r.sparse, .rows = r.rows, .columns = r.columns};
  error = r.sparse ? read_coordinate(&r, text, matrix) : read_array(&r, matrix);
  if (error)
    perp_mtx_free(matrix);
  return error;
}

perp_error perp_mtx_read(const char *path, const perp_mtx_rule *rule, perp_mtx *matrix,
                         perp_message *why)
{
  char *text;
  size_t bytes;
  *matrix = (perp_mtx){0};
  perp_error error = perp_file_read(path, &text, &bytes, why);
  if (error)
    return error;
  error = perp_mtx_parse(path, text, bytes, rule, matrix, why);
  perp_free(text);
  return error;
}
