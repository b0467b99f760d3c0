/* read.c: reads an .nl file, text or binary
 *
 * The format: D. M. Gay, "Writing .nl files", Sandia report 2005-7907P. Ten header lines hold counts;
 * segments follow, each with a letter: expressions in prefix order (V, C, O), starts (x, d), bounds
 * (r, b), the linear part (k, J, G), suffixes (S). Every count, index and operator is checked before
 * it is used, and no count may be larger than the file. */
#include "io/file.h"
#include "model/nl/words.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  int column;
  double value;
} entry;

/* A matrix while it is read: row i has length[i] entries from place[i] on; -1: not read yet. */
typedef struct part {
  nl_list entries;
  int64_t *place;
  int *length;
} part;

typedef struct pending {
  int node, left; /* arguments that are still to be read */
} pending;

typedef struct reader {
  nl_reader in;
  perp_nl *model;
  nl_list nodes, arguments, constants, stack;
  part J, G, V;
  int64_t J_nonzeros;
  bool *known;    /* of expressions: rows, objectives, defined variables */
  bool seen[128]; /* segments of which there is one */
  int ordered;    /* defined variables so far */
} reader;

/* ---- Expressions ---- */

static bool add_node(reader *r, int op, int count, int at)
{
  nl_node *node = nl_grow(&r->in, &r->nodes, 1, sizeof *node);
  if (node)
    *node = (nl_node){op, count, at};
  return node != NULL;
}

static bool read_number(reader *r, char kind)
{
  double *constant = nl_grow(&r->in, &r->constants, 1, sizeof *constant);
  if (!constant)
    return false;
  if (r->in.text || kind == 'n') {
    if (!nl_read_real(&r->in, "constant", constant))
      return false;
  } else if (kind == 's') {
    int16_t number = 0;
    if (!nl_read_bytes(&r->in, &number, sizeof number))
      return false;
    *constant = number;
  } else {
    int number = 0;
    if (!nl_read_integer(&r->in, "constant", INT_MIN, INT_MAX, &number))
      return false;
    *constant = number;
  }
  return nl_end_line(&r->in) && add_node(r, NL_NUMBER, 0, (int)r->constants.count - 1);
}

static bool read_variable(reader *r)
{
  const perp_nl *model = r->model;
  int v = 0;
  if (!nl_read_integer(&r->in, "variable", 0, (int64_t)model->n + model->defined - 1, &v))
    return false;
  if (v >= model->n && !r->known[model->m + model->objectives + v - model->n])
    return nl_fail(&r->in, "v%d is used before its segment V%d", v, v);
  return nl_end_line(&r->in) && add_node(r, NL_VARIABLE, 0, v);
}

static bool read_operator(reader *r)
{
  int op = 0;
  if (!nl_read_integer(&r->in, "operator", 0, NL_OPERATORS - 1, &op) || !nl_end_line(&r->in))
    return false;
  int count = nl_operator_arity(op);
  if (count == 0)
    return nl_fail(&r->in, "the operator o%d (%s) is not supported", op, nl_operator_name(op));
  if (count < 0 &&
      (!nl_read_integer(&r->in, "number of arguments", 1, r->in.end - r->in.at, &count) ||
       !nl_end_line(&r->in)))
    return false;
  if (!nl_grow(&r->in, &r->arguments, count, sizeof(int)) ||
      !add_node(r, op, count, (int)(r->arguments.count - count)))
    return false;
  pending *p = nl_grow(&r->in, &r->stack, 1, sizeof *p);
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
    const int made = (int)r->nodes.count;
    const char kind = r->in.at < r->in.end ? *r->in.at : 0;
    if (!kind)
      return nl_fail(&r->in, "the file ends within an expression");
    r->in.at++;
    const bool read = kind == 'o'                                 ? read_operator(r)
                      : kind == 'v'                               ? read_variable(r)
                      : kind == 'n' || kind == 's' || kind == 'l' ? read_number(r, kind)
                      : kind == 'f' ? nl_fail(&r->in, "imported functions are not supported")
                                    : nl_fail(&r->in, "'%c' does not begin a term of an expression",
                                              kind > ' ' && kind < 127 ? kind : '?');
    if (!read)
      return false;
    pending *stack = (pending *)(void *)r->stack.items;
    if (waiting > 0) {
      pending *p = stack + waiting - 1;
      const nl_node *node = (nl_node *)(void *)r->nodes.items + p->node;
      ((int *)(void *)r->arguments.items)[node->at + node->count - p->left--] = made;
    }
    while (r->stack.count > 0 && stack[r->stack.count - 1].left == 0)
      r->stack.count--;
  } while (r->stack.count > 0);
  range->end = r->nodes.count;
  if (range->end - range->first > r->model->most_nodes)
    r->model->most_nodes = range->end - range->first;
  return true;
}

/* ---- Linear parts ---- */

static int by_column(const void *a, const void *b)
{
  const int x = ((const entry *)a)->column, y = ((const entry *)b)->column;
  return (x > y) - (x < y);
}

/* Reads `count` pairs of a variable and a coefficient. */
static bool read_entries(reader *r, part *p, int i, int count, int variables)
{
  const int64_t first = p->entries.count;
  p->place[i] = first;
  p->length[i] = count;
  if (!nl_grow(&r->in, &p->entries, count, sizeof(entry)))
    return !r->in.failed && count == 0;
  entry *e = (entry *)(void *)p->entries.items + first;
  bool sorted = true;
  for (int k = 0; k < count; k++) {
    if (!nl_read_integer(&r->in, "variable", 0, (int64_t)variables - 1, &e[k].column) ||
        !nl_read_finite(&r->in, "coefficient", &e[k].value) || !nl_end_line(&r->in))
      return false;
    if (e[k].column >= r->model->n &&
        !r->known[r->model->m + r->model->objectives + e[k].column - r->model->n])
      return nl_fail(&r->in, "v%d is used before its segment V%d", e[k].column, e[k].column);
    sorted = sorted && (k == 0 || e[k].column > e[k - 1].column);
  }
  if (!sorted)
    qsort(e, (size_t)count, sizeof *e, by_column);
  for (int k = 1; k < count && !sorted; k++)
    if (e[k].column == e[k - 1].column)
      return nl_fail(&r->in, "variable %d appears twice", e[k].column);
  return true;
}

static bool read_J_or_G(reader *r, part *p, const char *what, int rows)
{
  int i = 0, count = 0;
  if (!nl_read_integer(&r->in, what, 0, (int64_t)rows - 1, &i) ||
      !nl_read_integer(&r->in, "number of entries", 0, r->model->n, &count) || !nl_end_line(&r->in))
    return false;
  if (count > r->in.end - r->in.at)
    return nl_fail(&r->in, "%d entries do not fit into the rest of the file", count);
  if (p->place[i] >= 0)
    return nl_fail(&r->in, "%s %d appears twice", what, i);
  return read_entries(r, p, i, count, r->model->n);
}

/* ---- Bounds ---- */

static bool read_bound(reader *r, bool row, int i, double *lo, double *hi)
{
  perp_nl *model = r->model;
  const char kind = r->in.at < r->in.end ? *r->in.at : 0;
  const char *what = row ? "row" : "variable";
  if (kind < '0' || kind > (row ? '5' : '4'))
    return nl_fail(&r->in, "%s %d: '%c' is not a kind of bound in 0 .. %c", what, i,
                   kind ? kind : '?', row ? '5' : '4');
  r->in.at++;
  *lo = -INFINITY;
  *hi = INFINITY;
  if (kind == '5') {
    int partner = 0;
    if (!nl_read_integer(&r->in, "flag k of complementarity", 0, 3, model->kind + i) ||
        !nl_read_integer(&r->in, "complementary variable", 1, model->n, &partner))
      return false;
    model->partner[i] = partner - 1;
    *lo = model->kind[i] & 2 ? -INFINITY : 0;
    *hi = model->kind[i] & 1 ? INFINITY : 0;
    return nl_end_line(&r->in);
  }
  if ((kind != '1' && kind != '3' && !nl_read_real(&r->in, "lower bound", lo)) ||
      ((kind == '0' || kind == '1') && !nl_read_real(&r->in, "upper bound", hi)))
    return false;
  if (kind == '4')
    *hi = *lo;
  if (!(*lo <= *hi) || *lo == INFINITY || *hi == -INFINITY)
    return nl_fail(&r->in, "%s %d: no finite number is between its bounds %g and %g", what, i, *lo,
                   *hi);
  *lo = *lo <= -1e300 ? -INFINITY : *lo;
  *hi = *hi >= 1e300 ? INFINITY : *hi;
  return nl_end_line(&r->in);
}

static bool read_bounds(reader *r, bool row)
{
  const int count = row ? r->model->m : r->model->n;
  double *lo = row ? r->model->L : r->model->lo, *hi = row ? r->model->U : r->model->hi;
  if (!nl_end_line(&r->in))
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
  if (!nl_read_integer(&r->in, row ? "row" : "objective", 0,
                       (int64_t)(row ? model->m : model->objectives) - 1, &i) ||
      (!row && !nl_read_integer(&r->in, "sense", 0, 1, &sense)) || !nl_end_line(&r->in))
    return false;
  bool *known = r->known + (row ? 0 : model->m) + i;
  if (*known)
    return nl_fail(&r->in, "segment %c%d appears twice", letter, i);
  *known = true;
  if (!row && i == 0)
    model->maximise = sense;
  return read_expression(r, (row ? model->row : model->objective) + i);
}

static bool read_defined(reader *r)
{
  perp_nl *model = r->model;
  int v = 0, count = 0, use;
  const int64_t all = (int64_t)model->n + model->defined;
  if (!nl_read_integer(&r->in, "defined variable", model->n, all - 1, &v) ||
      !nl_read_integer(&r->in, "number of entries", 0, r->in.end - r->in.at, &count) ||
      !nl_read_integer(&r->in, "use", 0, INT_MAX, &use) || !nl_end_line(&r->in))
    return false;
  v -= model->n;
  bool *known = r->known + model->m + model->objectives + v;
  if (*known)
    return nl_fail(&r->in, "segment V%d appears twice", v + model->n);
  if (!read_entries(r, &r->V, v, count, (int)all) || !read_expression(r, model->variable + v))
    return false;
  *known = true; /* only now: a definition must not use itself */
  model->order[r->ordered++] = v;
  return true;
}

static bool read_starts(reader *r, char letter)
{
  perp_nl *model = r->model;
  const int most = letter == 'x' ? model->n : model->m;
  int count = 0, i = 0;
  double value = 0;
  if (!nl_read_integer(&r->in, "number of values", 0, most, &count) || !nl_end_line(&r->in))
    return false;
  for (int k = 0; k < count; k++) {
    if (!nl_read_integer(&r->in, "index", 0, (int64_t)most - 1, &i) ||
        !nl_read_finite(&r->in, "start", &value) || !nl_end_line(&r->in))
      return false;
    if (letter == 'x')
      model->start[i] = value;
  }
  return true;
}

static bool read_columns(reader *r, char letter)
{
  int count = 0, last = 0, entries = 0;
  if (!nl_read_integer(&r->in, "number of columns", r->model->n - 1, r->model->n - 1, &count) ||
      !nl_end_line(&r->in))
    return false;
  for (int k = 0; k < count; k++) {
    if (!nl_read_integer(&r->in, "entries of columns", letter == 'k' ? last : 0, r->J_nonzeros,
                         &entries) ||
        !nl_end_line(&r->in))
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
  if (!nl_read_integer(&r->in, "kind of suffix", 0, 7, &kind) ||
      !nl_read_integer(&r->in, "number of values", 0, r->in.end - r->in.at, &count) ||
      !nl_read_name(&r->in, name, sizeof name) || !nl_end_line(&r->in))
    return false;
  for (int k = 0; k < count; k++)
    if (!nl_read_integer(&r->in, "index", 0, (int64_t)most[kind & 3] - 1, &i) ||
        !(kind & 4 ? nl_read_real(&r->in, "value", &real)
                   : nl_read_integer(&r->in, "value", INT_MIN, INT_MAX, &whole)) ||
        !nl_end_line(&r->in))
      return false;
  return true;
}

static bool refuse_function(reader *r)
{
  int unused;
  char name[128];
  return nl_read_integer(&r->in, "function", 0, INT_MAX, &unused) &&
         nl_read_integer(&r->in, "type of function", INT_MIN, INT_MAX, &unused) &&
         nl_read_integer(&r->in, "number of arguments", INT_MIN, INT_MAX, &unused) &&
         nl_read_name(&r->in, name, sizeof name) &&
         nl_fail(&r->in, "the imported function %s is not supported", name);
}

static bool read_segment(reader *r)
{
  const char letter = *r->in.at++;
  if (strchr("rbkKxd", letter) && letter) {
    if (r->seen[(int)letter])
      return nl_fail(&r->in, "segment %c appears twice", letter);
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
      return nl_fail(&r->in, "segment J comes before segment k");
    return read_J_or_G(r, &r->J, "row", r->model->m);
  case 'G':
    return read_J_or_G(r, &r->G, "objective", r->model->objectives);
  case 'S':
    return read_suffix(r);
  case 'F':
    return refuse_function(r);
  case 'L':
    return nl_fail(&r->in, "logical constraints are not supported");
  default:
    return nl_fail(&r->in, "'%c' does not begin a segment",
                   letter > ' ' && letter < 127 ? letter : '?');
  }
}

/* ---- The header ---- */

/* Reads a line of at least `least` and at most `most` counts, each with a byte of the file at least;
 * missing ones are 0. */
static bool read_counts(reader *r, const char *what, int least, int most, int *counts)
{
  const int64_t bytes = r->in.end - r->in.first;
  int k = 0;
  for (; k < most && (k < least || nl_is_integer_next(&r->in)); k++)
    if (!nl_read_integer(&r->in, what, 0, INT_MAX, counts + k) ||
        (counts[k] > bytes && !nl_fail(&r->in, "%s %d does not fit into a file of %lld bytes", what,
                                       counts[k], (long long)bytes)))
      return false;
  for (; k < most; k++)
    counts[k] = 0;
  while (nl_is_integer_next(&r->in) &&
         nl_read_integer(&r->in, what, INT_MIN, INT_MAX, &k)) /* later versions */
    ;
  return nl_end_line(&r->in);
}

static bool read_first_line(reader *r, bool *binary)
{
  perp_nl *model = r->model;
  const char letter = r->in.at < r->in.end ? *r->in.at : 0;
  *binary = letter == 'b' || letter == 'B';
  if (letter != 'g' && letter != 'G' && !*binary)
    return nl_fail(&r->in, "not an .nl file: it begins neither with g (text) nor with b (binary)");
  r->in.at++;
  if (!nl_read_integer(&r->in, "number of options", 0, 9, &model->option_count))
    return false;
  for (int k = 0; k < model->option_count; k++)
    if (!nl_read_integer(&r->in, "option", INT_MIN, INT_MAX, model->options + k))
      return false;
  if (model->option_count > 1 && model->options[1] == 3 &&
      !nl_read_real(&r->in, "option", &model->tolerance_option))
    return false;
  return nl_end_line(&r->in);
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
  if (size[0] < 1 || sum > r->in.end - r->in.first)
    return nl_fail(&r->in,
                   "%d variables and %lld defined variables: there must be one variable, and "
                   "a byte of the file for each",
                   size[0], (long long)sum);
  if (whole > 0)
    return nl_fail(&r->in, "%lld integer variables, which are not supported", (long long)whole);
  if (size[5] > 0)
    return nl_fail(&r->in, "%d logical constraints, which are not supported", size[5]);
  model->n = size[0];
  model->m = size[1];
  model->objectives = size[2];
  model->defined = (int)sum;
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
  if (binary && other[2] > 2)
    return nl_fail(&r->in, "binary format %d is not in 0 .. 2", other[2]);
  r->model->binary = binary;
  r->model->swapped = r->in.swapped =
      binary && other[2] > 0 && other[2] != (one.bytes[0] == 1 ? 1 : 2);
  if (!check_counts(r, size, discrete, defined, nonzeros))
    return false;
  r->in.text = !binary;
  return true;
}

/* ---- The whole file ---- */

static bool take_part(reader *r, part *p, int rows)
{
  if (!PERP_TAKE(&r->model->memory, PERP_ARRAY(p->place, rows), PERP_ARRAY(p->length, rows)))
    return nl_no_memory(&r->in);
  for (int i = 0; i < rows; i++) {
    p->place[i] = -1;
    p->length[i] = 0;
  }
  return true;
}

static bool take_model(reader *r)
{
  perp_nl *model = r->model;
  const int n = model->n, m = model->m, objectives = model->objectives, d = model->defined;
  if (!PERP_TAKE_ZERO(&model->memory, PERP_ARRAY(model->lo, n), PERP_ARRAY(model->hi, n),
                      PERP_ARRAY(model->start, n), PERP_ARRAY(model->L, m), PERP_ARRAY(model->U, m),
                      PERP_ARRAY(model->partner, m), PERP_ARRAY(model->kind, m),
                      PERP_ARRAY(model->row, m), PERP_ARRAY(model->objective, objectives),
                      PERP_ARRAY(model->variable, d), PERP_ARRAY(model->order, d),
                      PERP_ARRAY(r->known, m + objectives + d)))
    return nl_no_memory(&r->in);
  for (int i = 0; i < m; i++)
    model->partner[i] = -1;
  return take_part(r, &r->J, m) && take_part(r, &r->G, objectives) && take_part(r, &r->V, d);
}

/* Compressed rows from what was read. */
static bool compress(reader *r, part *p, int rows, nl_rows *to)
{
  perp_arena *memory = &r->model->memory;
  const int64_t entries = p->entries.count;
  if (!PERP_TAKE(memory, PERP_ARRAY(to->start, rows + 1), PERP_ARRAY(to->column, entries),
                 PERP_ARRAY(to->value, entries)))
    return nl_no_memory(&r->in);
  to->start[0] = 0;
  for (int i = 0; i < rows; i++) {
    to->start[i + 1] = to->start[i] + p->length[i];
    const entry *e = (entry *)(void *)p->entries.items;
    for (int64_t k = p->place[i]; k < p->place[i] + p->length[i]; k++) {
      to->column[to->start[i] + k - p->place[i]] = e[k].column;
      to->value[to->start[i] + k - p->place[i]] = e[k].value;
    }
  }
  return true;
}

static bool check_complete(reader *r)
{
  const perp_nl *model = r->model;
  if (!r->seen['b'] || (model->m > 0 && !r->seen['r']))
    return nl_fail(&r->in, "the file ends without a segment %c", r->seen['b'] ? 'r' : 'b');
  for (int i = 0; i < model->m + model->objectives; i++)
    if (!r->known[i])
      return nl_fail(&r->in, "the file ends without a segment %c%d", i < model->m ? 'C' : 'O',
                     i < model->m ? i : i - model->m);
  if (r->ordered < model->defined)
    return nl_fail(&r->in, "the file has segments V for %d of %d defined variables", r->ordered,
                   model->defined);
  if (r->J.entries.count != r->J_nonzeros)
    return nl_fail(&r->in, "the segments J have %lld entries, but the header says %lld",
                   (long long)r->J.entries.count, (long long)r->J_nonzeros);
  return true;
}

static bool read_model(reader *r)
{
  perp_nl *model = r->model;
  if (!read_header(r) || !take_model(r))
    return false;
  while (r->in.at < r->in.end)
    if (!read_segment(r))
      return false;
  if (!check_complete(r))
    return false;
  model->node = (nl_node *)(void *)r->nodes.items;
  model->argument = (int *)(void *)r->arguments.items;
  model->constant = (double *)(void *)r->constants.items;
  r->nodes.items = r->arguments.items = r->constants.items = NULL; /* now the model's */
  return compress(r, &r->J, model->m, &model->J) &&
         compress(r, &r->G, model->objectives, &model->G) &&
         compress(r, &r->V, model->defined, &model->V);
}

perp_error nl_read_file(perp_nl *model, perp_message *why)
{
  char *path = nl_path_with(model->path, ".nl"), *bytes = NULL;
  size_t length = 0;
  if (!path)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s.nl: out of memory", perp_path_shown(model->path));
  perp_error error = perp_file_read(path, &bytes, &length, why);
  perp_free(path);
  if (error)
    return error;
  reader r = {.model = model,
              .in = {.path = model->path,
                     .first = bytes,
                     .at = bytes,
                     .end = bytes + length,
                     .line = 1,
                     .text = true,
                     .why = why}};
  error = read_model(&r) ? nl_link(model, why) : r.in.error;
  perp_free(r.nodes.items);
  perp_free(r.arguments.items);
  perp_free(r.constants.items);
  perp_free(r.stack.items);
  perp_free(r.J.entries.items);
  perp_free(r.G.entries.items);
  perp_free(r.V.entries.items);
  perp_free(bytes);
  return error;
}
