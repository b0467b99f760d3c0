/* read.c: a model from an .nl file, text or binary: reading, names, sizes
 *
 * The format: D. M. Gay, "Writing .nl files", Sandia report 2005-7907P. Ten header lines hold counts;
 * segments follow, each with a letter: expressions in prefix order (V, C, O), starts (x, d), bounds
 * (r, b), the linear part (k, J, G), suffixes (S). Every count, index and operator is checked before
 * it is used, and no count may be larger than the file. */
#include "base/number.h"
#include "io/file.h"
#include "model/nl/nl.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct list {
  char *items;
  int64_t count, room;
} list;

typedef struct pending {
  int node, left; /* arguments that are still to be read */
} pending;

typedef struct reader {
  const char *first, *at, *end;
  int line;
  bool text; /* false after the header of a binary file */
  perp_error error;
  perp_message *why;
  perp_nl *model;
  list nodes, constants, stack;
  perp_triplets linear; /* by body */
  int *last;            /* of each variable: the last body whose linear part has it, + 1 */
  int64_t J_nonzeros, J_read;
  bool *known;    /* of each body: its nonlinear part was read, */
  bool *listed;   /* its linear part */
  bool seen[128]; /* segments of which there is one */
  int ordered;    /* defined variables so far */
} reader;

/* ---- Words ----
 *
 * Every function returns false after an error, which names the file and the line or the byte; later
 * calls then do nothing. */

PERP_CHECK_FORMAT(2, 3)
static bool fail(reader *r, const char *format, ...)
{
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (r->error)
    return false;
  for (char *c = text; *c; c++) /* bytes of the file */
    *c = *c >= ' ' && *c < 127 ? *c : '?';
  const char *path = perp_path_shown(r->model->path);
  r->error = r->text ? perp_fail(r->why, PERP_ERROR_FILE, "%s.nl:%d: %s", path, r->line, text)
                     : perp_fail(r->why, PERP_ERROR_FILE, "%s.nl: byte %lld: %s", path,
                                 (long long)(r->at - r->first), text);
  return false;
}

static bool no_memory(reader *r)
{
  if (!r->error)
    r->error = perp_fail(r->why, PERP_ERROR_MEMORY, "%s.nl: out of memory",
                         perp_path_shown(r->model->path));
  return false;
}

/* Returns the place for `count` more items; NULL after an error. */
static void *grow(reader *r, list *l, int64_t count, size_t size)
{
  if (count > INT_MAX - 8 - l->count) {
    fail(r, "the model has more than 2^31 terms");
    return NULL;
  }
  if (l->count + count > l->room) {
    const int64_t room = l->count + count + l->room + 256;
    if (!perp_alloc_longer(&l->items, (size_t)l->count, (size_t)room, size)) {
      no_memory(r);
      return NULL;
    }
    l->room = room;
  }
  l->count += count;
  return l->items + (size_t)(l->count - count) * size;
}

/* ---- Words ---- */

static void skip_blanks(reader *r)
{
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
    r->at++;
}

/* Returns the length of the next word, at most 20, for a message. */
static int word_length(const reader *r)
{
  int length = 0;
  while (r->at + length < r->end && (unsigned char)r->at[length] > ' ' && length < 20)
    length++;
  return length;
}

/* Ends a line of text: only a comment may follow. */
static bool end_line(reader *r)
{
  if (!r->text || r->error)
    return !r->error;
  skip_blanks(r);
  if (r->at < r->end && *r->at == '#')
    while (r->at < r->end && *r->at != '\n')
      r->at++;
  if (r->at < r->end && *r->at != '\n')
    return fail(r, "\"%.*s\" after the last field of this line", word_length(r), r->at);
  if (r->at < r->end)
    r->at++;
  r->line++;
  return true;
}

static bool read_bytes(reader *r, void *to, size_t count)
{
  if ((size_t)(r->end - r->at) < count)
    return fail(r, "the file ends within a number");
  memcpy(to, r->at, count);
  r->at += count;
  return true;
}

static bool refuse_word(reader *r, const char *what, const char *expected)
{
  const int length = word_length(r);
  return length == 0 ? fail(r, "the %s is missing", what)
                     : fail(r, "the %s \"%.*s\" is not %s", what, length, r->at, expected);
}

static bool is_integer_next(reader *r)
{
  skip_blanks(r);
  const char *at = r->at + (r->at < r->end && *r->at == '-');
  return at < r->end && *at >= '0' && *at <= '9';
}

static bool read_integer(reader *r, const char *what, int least, int64_t most, int *value)
{
  int64_t number = 0;
  if (r->error)
    return false;
  if (!r->text) {
    int32_t binary = 0;
    if (!read_bytes(r, &binary, sizeof binary))
      return false;
    number = binary;
  } else {
    if (!is_integer_next(r))
      return refuse_word(r, what, "a whole number");
    const bool negative = *r->at == '-';
    for (r->at += negative; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
      number = number < INT64_MAX / 100 ? 10 * number + (*r->at - '0') : number;
    number = negative ? -number : number;
  }
  if (number < least || number > most)
    return fail(r, "%s %lld is not in %d .. %lld", what, (long long)number, least, (long long)most);
  *value = (int)number;
  return true;
}

static bool read_real(reader *r, const char *what, double *value)
{
  if (r->error)
    return false;
  if (!r->text)
    return read_bytes(r, value, sizeof *value);
  skip_blanks(r);
  const char *next = perp_number_parse(r->at, r->end, value);
  if (!next)
    return refuse_word(r, what, "a number");
  r->at = next;
  return true;
}

static bool read_finite(reader *r, const char *what, double *value)
{
  return read_real(r, what, value) &&
         (isfinite(*value) || fail(r, "%s %g is not finite", what, *value));
}

/* A name: the rest of the word, or in a binary file its length and the bytes. */
static bool read_name(reader *r, char *name, size_t room)
{
  int length = 0;
  if (r->text) {
    skip_blanks(r);
    while (r->at + length < r->end && (unsigned char)r->at[length] > ' ')
      length++;
  } else if (!read_integer(r, "length of a name", 0, r->end - r->at, &length)) {
    return false;
  }
  if (length > r->end - r->at)
    return fail(r, "the file ends within a name");
  snprintf(name, room, "%.*s", length, r->at);
  r->at += length;
  return true;
}

/* ---- Expressions ---- */

static bool add_node(reader *r, int op, int count, int at)
{
  nl_node *node = grow(r, &r->nodes, 1, sizeof *node);
  if (node)
    *node = (nl_node){op, count, at};
  return node != NULL;
}

static bool read_number(reader *r, char kind)
{
  double *constant = grow(r, &r->constants, 1, sizeof *constant);
  if (!constant)
    return false;
  if (r->text || kind == 'n') {
    if (!read_real(r, "constant", constant))
      return false;
  } else if (kind == 's') {
    int16_t number = 0;
    if (!read_bytes(r, &number, sizeof number))
      return false;
    *constant = number;
  } else {
    int number = 0;
    if (!read_integer(r, "constant", INT_MIN, INT_MAX, &number))
      return false;
    *constant = number;
  }
  return end_line(r) && add_node(r, NL_NUMBER, 0, (int)r->constants.count - 1);
}

/* A definition must come before its uses. */
static bool check_known(reader *r, int v)
{
  const perp_nl *model = r->model;
  return v < model->n || r->known[nl_definition(model, v - model->n)] ||
         fail(r, "v%d is used before its segment V%d", v, v);
}

static bool read_variable(reader *r)
{
  const perp_nl *model = r->model;
  int v = 0;
  if (!read_integer(r, "variable", 0, (int64_t)model->n + model->defined - 1, &v))
    return false;
  return check_known(r, v) && end_line(r) && add_node(r, NL_VARIABLE, 0, v);
}

static bool read_operator(reader *r)
{
  int op = 0;
  if (!read_integer(r, "operator", 0, NL_OPERATORS - 1, &op) || !end_line(r))
    return false;
  int count = nl_operator_arity(op);
  if (count == 0)
    return fail(r, "the operator o%d (%s) is not supported", op, nl_operator_name(op));
  if (count < 0 &&
      (!read_integer(r, "number of arguments", 1, r->end - r->at, &count) || !end_line(r)))
    return false;
  if (!add_node(r, op, count, 0))
    return false;
  pending *p = grow(r, &r->stack, 1, sizeof *p);
  if (p)
    *p = (pending){(int)r->nodes.count - 1, count};
  return p != NULL;
}

static bool read_expression(reader *r, nl_range *range)
{
  range->first = r->nodes.count;
  r->stack.count = 0;
  do {
    const int64_t waiting = r->stack.count;
    const char kind = r->at < r->end ? *r->at : 0;
    if (!kind)
      return fail(r, "the file ends within an expression");
    r->at++;
    const bool read = kind == 'o'                                 ? read_operator(r)
                      : kind == 'v'                               ? read_variable(r)
                      : kind == 'n' || kind == 's' || kind == 'l' ? read_number(r, kind)
                      : kind == 'f' ? fail(r, "imported functions are not supported")
                                    : fail(r, "'%c' does not begin a term of an expression",
                                           kind > ' ' && kind < 127 ? kind : '?');
    if (!read)
      return false;
    pending *stack = (pending *)(void *)r->stack.items;
    if (waiting > 0)
      stack[waiting - 1].left--;
    for (; r->stack.count > 0 && stack[r->stack.count - 1].left == 0; r->stack.count--)
      ((nl_node *)(void *)r->nodes.items)[stack[r->stack.count - 1].node].at = (int)r->nodes.count;
  } while (r->stack.count > 0);
  range->end = r->nodes.count;
  if (range->end - range->first > r->model->most_nodes)
    r->model->most_nodes = range->end - range->first;
  return true;
}

/* ---- Linear parts ---- */

/* Reads `count` pairs of a variable and a coefficient. */
static bool read_entries(reader *r, int body, int count, int variables)
{
  int v = 0;
  double value = 0;
  for (int k = 0; k < count; k++) {
    if (!read_integer(r, "variable", 0, (int64_t)variables - 1, &v) ||
        !read_finite(r, "coefficient", &value) || !check_known(r, v))
      return false;
    if (r->last[v] == body + 1)
      return fail(r, "variable %d appears twice", v);
    r->last[v] = body + 1;
    if (!perp_triplets_push(&r->linear, body, v, value))
      return no_memory(r);
    if (!end_line(r))
      return false;
  }
  return true;
}

static bool read_J_or_G(reader *r, const char *what, int first, int rows)
{
  int i = 0, count = 0;
  if (!read_integer(r, what, 0, (int64_t)rows - 1, &i) ||
      !read_integer(r, "number of entries", 0, r->model->n, &count) || !end_line(r))
    return false;
  if (r->listed[first + i])
    return fail(r, "%s %d appears twice", what, i);
  r->listed[first + i] = true;
  r->J_read += first == 0 ? count : 0;
  return read_entries(r, first + i, count, r->model->n);
}

/* ---- Bounds ---- */

static bool read_bound(reader *r, bool row, int i, double *lo, double *hi)
{
  perp_nl *model = r->model;
  const char kind = r->at < r->end ? *r->at : 0;
  const char *what = row ? "row" : "variable";
  if (kind < '0' || kind > (row ? '5' : '4'))
    return fail(r, "%s %d: '%c' is not a kind of bound in 0 .. %c", what, i, kind ? kind : '?',
                row ? '5' : '4');
  r->at++;
  *lo = -INFINITY;
  *hi = INFINITY;
  if (kind == '5') {
    int partner = 0;
    if (!read_integer(r, "flag k of complementarity", 0, 3, model->kind + i) ||
        !read_integer(r, "complementary variable", 1, model->n, &partner))
      return false;
    model->partner[i] = partner - 1;
    *lo = model->kind[i] & 2 ? -INFINITY : 0;
    *hi = model->kind[i] & 1 ? INFINITY : 0;
    return end_line(r);
  }
  if ((kind != '1' && kind != '3' && !read_real(r, "lower bound", lo)) ||
      ((kind == '0' || kind == '1') && !read_real(r, "upper bound", hi)))
    return false;
  if (kind == '4')
    *hi = *lo;
  if (!(*lo <= *hi) || *lo == INFINITY || *hi == -INFINITY)
    return fail(r, "%s %d: no finite number is between its bounds %g and %g", what, i, *lo, *hi);
  *lo = *lo <= -1e300 ? -INFINITY : *lo;
  *hi = *hi >= 1e300 ? INFINITY : *hi;
  return end_line(r);
}

static bool read_bounds(reader *r, bool row)
{
  const int count = row ? r->model->m : r->model->n;
  double *lo = row ? r->model->L : r->model->lo, *hi = row ? r->model->U : r->model->hi;
  if (!end_line(r))
    return false;
  for (int i = 0; i < count; i++)
    if (!read_bound(r, row, i, lo + i, hi + i))
      return false;
  return true;
}

/* ---- Segments ---- */

static bool read_body(reader *r, char letter)
{
  perp_nl *model = r->model;
  int i = 0, sense = 0;
  const bool row = letter == 'C';
  if (!read_integer(r, row ? "row" : "objective", 0,
                    (int64_t)(row ? model->m : model->objectives) - 1, &i) ||
      (!row && !read_integer(r, "sense", 0, 1, &sense)) || !end_line(r))
    return false;
  const int body = (row ? 0 : model->m) + i;
  if (r->known[body])
    return fail(r, "segment %c%d appears twice", letter, i);
  r->known[body] = true;
  if (!row && i == 0)
    model->maximise = sense;
  return read_expression(r, model->body + body);
}

static bool read_defined(reader *r)
{
  perp_nl *model = r->model;
  int v = 0, count = 0, use;
  const int64_t all = (int64_t)model->n + model->defined;
  if (!read_integer(r, "defined variable", model->n, all - 1, &v) ||
      !read_integer(r, "number of entries", 0, r->end - r->at, &count) ||
      !read_integer(r, "use", 0, INT_MAX, &use) || !end_line(r))
    return false;
  const int body = nl_definition(model, v - model->n);
  if (r->known[body])
    return fail(r, "segment V%d appears twice", v);
  if (!read_entries(r, body, count, (int)all) || !read_expression(r, model->body + body))
    return false;
  r->known[body] = true; /* only now: a definition must not use itself */
  model->order[r->ordered++] = v - model->n;
  return true;
}

static bool read_starts(reader *r, char letter)
{
  perp_nl *model = r->model;
  const int most = letter == 'x' ? model->n : model->m;
  int count = 0, i = 0;
  double value = 0;
  if (!read_integer(r, "number of values", 0, most, &count) || !end_line(r))
    return false;
  for (int k = 0; k < count; k++) {
    if (!read_integer(r, "index", 0, (int64_t)most - 1, &i) || !read_finite(r, "start", &value) ||
        !end_line(r))
      return false;
    if (letter == 'x')
      model->start[i] = value;
  }
  return true;
}

static bool read_columns(reader *r, char letter)
{
  int count = 0, last = 0, entries = 0;
  if (!read_integer(r, "number of columns", r->model->n - 1, r->model->n - 1, &count) ||
      !end_line(r))
    return false;
  for (int k = 0; k < count; k++) {
    if (!read_integer(r, "entries of columns", letter == 'k' ? last : 0, r->J_nonzeros, &entries) ||
        !end_line(r))
      return false;
    last = entries;
  }
  return true;
}

static bool read_suffix(reader *r)
{
  const perp_nl *model = r->model;
  const int most[4] = {model->n, model->m, model->objectives, 1};
  int kind = 0, count = 0, i, whole;
  double real;
  char name[64];
  if (!read_integer(r, "kind of suffix", 0, 7, &kind) ||
      !read_integer(r, "number of values", 0, r->end - r->at, &count) ||
      !read_name(r, name, sizeof name) || !end_line(r))
    return false;
  for (int k = 0; k < count; k++)
    if (!read_integer(r, "index", 0, (int64_t)most[kind & 3] - 1, &i) ||
        !(kind & 4 ? read_real(r, "value", &real)
                   : read_integer(r, "value", INT_MIN, INT_MAX, &whole)) ||
        !end_line(r))
      return false;
  return true;
}

static bool refuse_function(reader *r)
{
  int unused;
  char name[128];
  return read_integer(r, "function", 0, INT_MAX, &unused) &&
         read_integer(r, "type of function", INT_MIN, INT_MAX, &unused) &&
         read_integer(r, "number of arguments", INT_MIN, INT_MAX, &unused) &&
         read_name(r, name, sizeof name) &&
         fail(r, "the imported function %s is not supported", name);
}

static bool read_segment(reader *r)
{
  const char letter = *r->at++;
  if (strchr("rbkKxd", letter) && letter) {
    if (r->seen[(int)letter])
      return fail(r, "segment %c appears twice", letter);
    r->seen[(int)letter] = true;
  }
  switch (letter) {
  case 'C':
  case 'O':
    return read_body(r, letter);
  case 'V':
    return read_defined(r);
  case 'r':
    return read_bounds(r, true);
  case 'b':
    return read_bounds(r, false);
  case 'x':
  case 'd':
    return read_starts(r, letter);
  case 'k':
  case 'K':
    return read_columns(r, letter);
  case 'J':
    if (!r->seen['k'] && !r->seen['K'])
      return fail(r, "segment J comes before segment k");
    return read_J_or_G(r, "row", 0, r->model->m);
  case 'G':
    return read_J_or_G(r, "objective", r->model->m, r->model->objectives);
  case 'S':
    return read_suffix(r);
  case 'F':
    return refuse_function(r);
  case 'L':
    return fail(r, "logical constraints are not supported");
  default:
    return fail(r, "'%c' does not begin a segment", letter > ' ' && letter < 127 ? letter : '?');
  }
}

/* ---- The header ---- */

/* Reads a line of at least `least` and at most `most` counts, each with a byte of the file at least;
 * missing ones are 0. */
static bool read_counts(reader *r, const char *what, int least, int most, int *counts)
{
  const int64_t bytes = r->end - r->first;
  int k = 0;
  for (; k < most && (k < least || is_integer_next(r)); k++)
    if (!read_integer(r, what, 0, INT_MAX, counts + k) ||
        (counts[k] > bytes && !fail(r, "%s %d does not fit into a file of %lld bytes", what,
                                    counts[k], (long long)bytes)))
      return false;
  for (; k < most; k++)
    counts[k] = 0;
  while (is_integer_next(r) && read_integer(r, what, INT_MIN, INT_MAX, &k)) /* later versions */
    ;
  return end_line(r);
}

static bool read_first_line(reader *r, bool *binary)
{
  perp_nl *model = r->model;
  const char letter = r->at < r->end ? *r->at : 0;
  *binary = letter == 'b' || letter == 'B';
  if (letter != 'g' && letter != 'G' && !*binary)
    return fail(r, "not an .nl file: it begins neither with g (text) nor with b (binary)");
  r->at++;
  if (!read_integer(r, "number of options", 0, 9, &model->option_count))
    return false;
  for (int k = 0; k < model->option_count; k++)
    if (!read_integer(r, "option", INT_MIN, INT_MAX, model->options + k))
      return false;
  if (model->option_count > 1 && model->options[1] == 3 &&
      !read_real(r, "option", &model->tolerance_option))
    return false;
  return end_line(r);
}

static bool check_counts(reader *r, const int *size, const int *discrete, const int *defined,
                         const int *nonzeros)
{
  perp_nl *model = r->model;
  int64_t sum = 0, whole = 0;
  for (int k = 0; k < 5; k++) {
    sum += defined[k];
    whole += discrete[k];
  }
  if (size[0] < 1 || sum > r->end - r->first)
    return fail(r,
                "%d variables and %lld defined variables: there must be one variable, and "
                "a byte of the file for each",
                size[0], (long long)sum);
  if (whole > 0)
    return fail(r, "%lld integer variables, which are not supported", (long long)whole);
  if (size[5] > 0)
    return fail(r, "%d logical constraints, which are not supported", size[5]);
  model->n = size[0];
  model->m = size[1];
  model->objectives = size[2];
  model->defined = (int)sum;
  model->bodies = nl_definition(model, model->defined);
  r->J_nonzeros = nonzeros[0];
  return true;
}

static bool read_header(reader *r)
{
  int size[6], nonlinear[6], network[2], variables[3], other[4], discrete[5], nonzeros[2], names[2],
      defined[5];
  const union {
    int16_t number;
    char bytes[2];
  } one = {1};
  bool binary;
  if (!read_first_line(r, &binary) || !read_counts(r, "number of variables or rows", 3, 6, size) ||
      !read_counts(r, "number of nonlinear rows", 2, 6, nonlinear) ||
      !read_counts(r, "number of network rows", 2, 2, network) ||
      !read_counts(r, "number of nonlinear variables", 2, 3, variables) ||
      !read_counts(r, "number of functions", 2, 4, other) ||
      !read_counts(r, "number of integer variables", 2, 5, discrete) ||
      !read_counts(r, "number of entries", 2, 2, nonzeros) ||
      !read_counts(r, "length of names", 2, 2, names) ||
      !read_counts(r, "number of defined variables", 5, 5, defined))
    return false;
  if (binary && other[2] > 0 && other[2] != (one.bytes[0] == 1 ? 1 : 2))
    return fail(r, "binary format %d is not that of this machine, or 0", other[2]);
  r->model->binary = binary;
  if (!check_counts(r, size, discrete, defined, nonzeros))
    return false;
  r->text = !binary;
  return true;
}

/* ---- The whole file ---- */

static bool take_model(reader *r)
{
  perp_nl *model = r->model;
  const int n = model->n, m = model->m, bodies = model->bodies;
  if (!PERP_TAKE_ZERO(&model->memory, PERP_ARRAY(model->lo, n), PERP_ARRAY(model->hi, n),
                      PERP_ARRAY(model->start, n), PERP_ARRAY(model->L, m), PERP_ARRAY(model->U, m),
                      PERP_ARRAY(model->partner, m), PERP_ARRAY(model->kind, m),
                      PERP_ARRAY(model->body, bodies), PERP_ARRAY(model->order, model->defined),
                      PERP_ARRAY(r->known, bodies), PERP_ARRAY(r->listed, bodies),
                      PERP_ARRAY(r->last, n + model->defined)))
    return no_memory(r);
  for (int i = 0; i < m; i++)
    model->partner[i] = -1;
  return true;
}

static bool check_complete(reader *r)
{
  const perp_nl *model = r->model;
  if (!r->seen['b'] || (model->m > 0 && !r->seen['r']))
    return fail(r, "the file ends without a segment %c", r->seen['b'] ? 'r' : 'b');
  for (int i = 0; i < model->m + model->objectives; i++)
    if (!r->known[i])
      return fail(r, "the file ends without a segment %c%d", i < model->m ? 'C' : 'O',
                  i < model->m ? i : i - model->m);
  if (r->ordered < model->defined)
    return fail(r, "the file has segments V for %d of %d defined variables", r->ordered,
                model->defined);
  if (r->J_read != r->J_nonzeros)
    return fail(r, "the segments J have %lld entries, but the header says %lld",
                (long long)r->J_read, (long long)r->J_nonzeros);
  return true;
}

static bool read_model(reader *r)
{
  perp_nl *model = r->model;
  if (!read_header(r) || !take_model(r))
    return false;
  while (r->at < r->end)
    if (!read_segment(r))
      return false;
  if (!check_complete(r))
    return false;
  model->node = (nl_node *)(void *)r->nodes.items;
  model->constant = (double *)(void *)r->constants.items;
  r->nodes.items = r->constants.items = NULL; /* now the model's */
  return nl_link(model, &r->linear) || no_memory(r);
}

char *nl_path_with(const char *stub, const char *ending)
{
  const size_t length = strlen(stub) + strlen(ending) + 1;
  char *path = perp_alloc(length, 1);
  if (path)
    snprintf(path, length, "%s%s", stub, ending);
  return path;
}

/* Reads model->path.nl into a model that is empty but for its path. */
static perp_error read_file(perp_nl *model, perp_message *why)
{
  char *path = nl_path_with(model->path, ".nl"), *bytes = NULL;
  size_t length = 0;
  if (!path)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s.nl: out of memory", perp_path_shown(model->path));
  const perp_error error = perp_file_read(path, &bytes, &length, why);
  perp_free(path);
  if (error)
    return error;
  reader r = {.model = model,
              .first = bytes,
              .at = bytes,
              .end = bytes + length,
              .line = 1,
              .text = true,
              .why = why};
  read_model(&r);
  perp_free(r.nodes.items);
  perp_free(r.constants.items);
  perp_free(r.stack.items);
  perp_triplets_free(&r.linear);
  perp_free(bytes);
  return r.error;
}

/* ---- A model's life, and its names from .col and .row ---- */

/* Reads .col or .row; without it, or if it cannot be read, there are no names. */
static void read_names(perp_nl *model, int which)
{
  char *path = nl_path_with(model->path, which ? ".row" : ".col"), *bytes = NULL;
  size_t length = 0;
  perp_message unused;
  const int most = which ? model->m : model->n;
  if (path && perp_file_exists(path) && !perp_file_read(path, &bytes, &length, &unused) &&
      PERP_TAKE(&model->memory, PERP_ARRAY(model->name_at[which], most))) {
    int64_t at = 0;
    int count = 0;
    for (; count < most && at < (int64_t)length; count++) {
      model->name_at[which][count] = at;
      while (at < (int64_t)length && bytes[at] != '\n' && bytes[at] != '\r')
        at++;
      while (at < (int64_t)length && (bytes[at] == '\n' || bytes[at] == '\r'))
        bytes[at++] = 0;
    }
    model->names[which] = bytes;
    model->name_count[which] = count;
  } else {
    perp_free(bytes);
  }
  perp_free(path);
}

static void name_of(const perp_nl *model, int which, int i, perp_message *name)
{
  if (i >= 0 && i < model->name_count[which])
    snprintf(name->text, sizeof name->text, "%.100s",
             model->names[which] + model->name_at[which][i]);
  else
    snprintf(name->text, sizeof name->text, which ? "row[%d]" : "x[%d]", i);
}

void perp_nl_variable_name(const perp_nl *model, int j, perp_message *name)
{
  name_of(model, 0, j, name);
}

void perp_nl_row_name(const perp_nl *model, int i, perp_message *name)
{
  name_of(model, 1, i, name);
}

perp_error perp_nl_read(const char *path, perp_nl **model, perp_message *why)
{
  if (!path || !model)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "path or model is NULL");
  *model = NULL;
  perp_nl *m = perp_alloc_zero(1, sizeof *m);
  const size_t length = strlen(path);
  if (m)
    m->path = perp_alloc_copy(path, length + 1, 1);
  if (!m || !m->path) {
    perp_free(m);
    return perp_path_no_memory(path, why);
  }
  if (length > 3 && strcmp(path + length - 3, ".nl") == 0)
    m->path[length - 3] = 0;
  const perp_error error = read_file(m, why);
  if (error) {
    perp_nl_destroy(m);
    return error;
  }
  read_names(m, 0);
  read_names(m, 1);
  *model = m;
  return PERP_OK;
}

void perp_nl_destroy(perp_nl *model)
{
  if (!model)
    return;
  perp_free(model->node);
  perp_free(model->constant);
  perp_free(model->names[0]);
  perp_free(model->names[1]);
  perp_free(model->path);
  perp_mtx_free(&model->J);
  perp_mtx_free(&model->nonlinear);
  perp_mtx_free(&model->use);
  perp_arena_free(&model->memory);
  perp_free(model);
}

int perp_nl_variables(const perp_nl *model)
{
  return model->n;
}

int perp_nl_rows(const perp_nl *model)
{
  return model->m;
}

void perp_nl_start(const perp_nl *model, double *x)
{
  memcpy(x, model->start, (size_t)model->n * sizeof *x);
}
