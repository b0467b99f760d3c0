/* mps.c: linear and quadratic programs as MPS and QPS files
 *
 * A section begins in the first column; its lines begin with a blank. Lines of * are comments.
 *
 *   NAME      anything
 *   OBJSENSE  MAX or MIN, on this line or the next
 *   ROWS      type name          N: objective (the first; others are dropped), L, G, E
 *   COLUMNS   column row value [row value]
 *   RHS       [set] row value [row value]         of the objective: minus its constant
 *   RANGES    [set] row value [row value]         R:  L: [b - |R|, b]   G: [b, b + |R|]
 *                                                 E: [b, b + R] if R > 0, else [b + R, b]
 *   BOUNDS    type [set] column [value]           LO UP FX FR MI PL; without any: x >= 0. UP below 0
 *                                                 frees a lower bound that no line has set
 *   QUADOBJ   column column value                 a triangle of P of the objective 1/2 x'P x (QSECTION
 *                                                 is the same); QMATRIX: both triangles
 *   ENDATA
 *
 * Values of the same place are added; of RANGES and BOUNDS the last one counts. Only the first RHS,
 * RANGES and BOUNDS set is read, as is usual. Words are separated by blanks (free format); if a file
 * makes no sense that way, its fields are taken from columns 2-3, 5-12, 15-22, 25-36, 40-47 and 50-61
 * (fixed format), in which names may contain blanks. The message of the format that came further is
 * reported.
 *
 * Integer variables, and sections that are not in this list, are refused. */
#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include "io/folder.h"
#include "io/mtx.h"
#include "io/structure.h"
#include <perp/qp.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *at;
  int length;
} word;

/* Names with their numbers in order of appearance: open addressing over FNV-1a hashes. */
typedef struct {
  word *name;
  int *slot; /* number + 1; 0: empty */
  int count, room;
} names;

enum { OBJECTIVE = -1, DROPPED = -2 };
typedef enum { NONE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QMATRIX, OBJSENSE, END } section;

/* A row by its name. */
typedef struct {
  int index; /* its row of G, OBJECTIVE or DROPPED */
  char type;
  double rhs, range; /* range NaN: none */
} named_row;

/* One line of data: type, the column or set, and pairs of a name and a value. */
typedef struct {
  word type, name, of[2];
  double value[2];
  bool has_value[2];
  int pairs;
} card;

typedef struct {
  const char *path, *at, *end;
  int64_t line;
  bool fixed, maximise, has_objective;
  perp_message *why;
  names rows, columns;
  named_row *row; /* row_room */
  int m, row_room, column_room;
  double *q, *lb, *ub; /* column_room */
  bool *lower_set;     /* column_room */
  double constant;
  perp_triplets G, P;
  word set[3]; /* the sets that are read: RHS, RANGES, BOUNDS */
  bool set_seen[3];
} reader;

PERP_CHECK_FORMAT(2, 3)
static perp_error refuse(const reader *r, const char *format, ...)
{
  char text[320];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c; c++) /* names may hold anything */
    if (*c < ' ' || *c > '~')
      *c = '?';
  return perp_fail(r->why, PERP_ERROR_FILE, "%s:%lld: %s", perp_path_shown(r->path),
                   (long long)r->line, text);
}

/* The words of a message: at most 40 bytes of each. */
static int shown(word w)
{
  return w.length < 40 ? w.length : 40;
}

static bool is(word w, const char *text)
{
  return (size_t)w.length == strlen(text) && memcmp(w.at, text, (size_t)w.length) == 0;
}

/* ---- Names ---- */

/* Returns the slot of the name, or the empty one where it belongs. */
static int slot_of(const names *n, word w)
{
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < w.length; k++)
    hash = (hash ^ (unsigned char)w.at[k]) * 1099511628211u;
  const int mask = 2 * n->room - 1;
  int at = (int)(hash ^ hash >> 32) & mask;
  for (;; at = (at + 1) & mask) {
    const int k = n->slot[at] - 1;
    if (k < 0 || (n->name[k].length == w.length && !memcmp(n->name[k].at, w.at, (size_t)w.length)))
      return at;
  }
}

/* Returns the number of the name, -1 if it is unknown. */
static int number_of(const names *n, word w)
{
  return n->room > 0 ? n->slot[slot_of(n, w)] - 1 : -1;
}

static bool add_name(names *n, word w)
{
  if (n->count == n->room) {
    const int room = n->room ? 2 * n->room : 256;
    if (n->room > INT_MAX / 8 ||
        !perp_alloc_longer(&n->name, (size_t)n->count, (size_t)room, sizeof *n->name))
      return false;
    int *slot = perp_alloc_zero(2 * (size_t)room, sizeof *slot);
    if (!slot)
      return false;
    perp_free(n->slot);
    n->slot = slot;
    n->room = room;
    for (int k = 0; k < n->count; k++)
      n->slot[slot_of(n, n->name[k])] = k + 1;
  }
  n->name[n->count++] = w;
  n->slot[slot_of(n, w)] = n->count;
  return true;
}

/* ---- Lines ---- */

/* Finds the next line that is neither blank nor a comment; *line has no end of line. */
static bool next_line(reader *r, word *line)
{
  while (r->at < r->end) {
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *stop = newline ? newline : r->end;
    *line = (word){r->at, stop - r->at < INT_MAX ? (int)(stop - r->at) : INT_MAX};
    r->at = newline ? newline + 1 : r->end;
    r->line++;
    while (line->length > 0 && strchr(" \t\r", line->at[line->length - 1]) &&
           line->at[line->length - 1])
      line->length--;
    if (line->length > 0 && line->at[0] != '*')
      return true;
  }
  return false;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* Splits at blanks; returns the number of words, of which `words` gets at most `most`. */
static int split(word line, int most, word *words)
{
  int count = 0;
  for (int k = 0; k < line.length;) {
    while (k < line.length && is_blank(line.at[k]))
      k++;
    const int from = k;
    while (k < line.length && !is_blank(line.at[k]))
      k++;
    if (k > from && count++ < most)
      words[count - 1] = (word){line.at + from, k - from};
  }
  return count;
}

/* The text in columns from..to, counted from 0, without blanks at its ends. */
static word cut(word line, int from, int to)
{
  to = to < line.length ? to : line.length - 1;
  while (from <= to && is_blank(line.at[from]))
    from++;
  while (to >= from && is_blank(line.at[to]))
    to--;
  return (word){line.at + (from <= to ? from : 0), from <= to ? to - from + 1 : 0};
}

static perp_error take_number(const reader *r, word w, double *value)
{
  const char *after = perp_number_parse(w.at, w.at + w.length, value);
  if (after != w.at + w.length || isnan(*value))
    return refuse(r, "\"%.*s\" is not a number", shown(w), w.at);
  return PERP_OK;
}

/* Reads the fields of a line by their columns. The columns that belong to no field are blank: neither
 * a line of words nor a long number is cut. */
static perp_error cut_card(const reader *r, section where, word line, card *c)
{
  static const int gaps[] = {0, 3, 12, 13, 22, 23, 36, 37, 38, 47, 48};
  for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++)
    if (cut(line, gaps[k], gaps[k]).length > 0)
      return refuse(r,
                    "column %d must be blank in fixed format: the fields are the columns 2-3, "
                    "5-12, 15-22, 25-36, 40-47 and 50-61",
                    gaps[k] + 1);
  c->type = cut(line, 1, 2);
  c->name = cut(line, 4, 11);
  if (c->type.length > 0 && where != ROWS && where != BOUNDS)
    return refuse(r, "columns 2 and 3 have \"%.*s\", but only lines of ROWS and BOUNDS have a type",
                  shown(c->type), c->type.at);
  for (int k = 0; k < 2; k++) {
    const word of = cut(line, k ? 39 : 14, k ? 46 : 21),
               value = cut(line, k ? 49 : 24, k ? 60 : 35);
    if (of.length == 0 && value.length == 0)
      break;
    c->of[c->pairs] = of;
    c->has_value[c->pairs] = value.length > 0;
    const perp_error error =
        value.length > 0 ? take_number(r, value, &c->value[c->pairs]) : PERP_OK;
    if (error)
      return error;
    c->pairs++;
  }
  return PERP_OK;
}

/* Reads the words of a line of BOUNDS: type [set] column [value]. */
static perp_error split_bound(const reader *r, const word *words, int count, card *c)
{
  c->type = words[0];
  const bool bare =
      is(c->type, "FR") || is(c->type, "MI") || is(c->type, "PL") || is(c->type, "BV");
  int at = count == 4 ? 2 : 1; /* the column */
  if (bare && count == 3 && number_of(&r->columns, words[2]) >= 0)
    at = 2;
  if (count < (bare ? 2 : 3) || count > 4)
    return refuse(r, "%d words; a bound has a type, a set, a column and a value", count);
  c->name = at == 2 ? words[1] : (word){"", 0};
  c->of[0] = words[at];
  c->pairs = 1;
  c->has_value[0] = at + 1 < count;
  return at + 1 < count && !bare ? take_number(r, words[at + 1], &c->value[0]) : PERP_OK;
}

static perp_error read_card(const reader *r, section where, word line, card *c)
{
  *c = (card){.type = {"", 0}, .name = {"", 0}};
  word words[6];
  const int count = split(line, 5, words);
  if (where == COLUMNS && count > 1 && is(words[1], "'MARKER'"))
    return refuse(r, "MARKER: integer variables are not supported");
  if (r->fixed)
    return cut_card(r, where, line, c);
  if (where == BOUNDS)
    return split_bound(r, words, count, c);
  if (where == ROWS) {
    if (count != 2)
      return refuse(r, "%d words; a row has a type and a name", count);
    c->type = words[0];
    c->name = words[1];
    return PERP_OK;
  }
  /* name and pairs; the name of a set may be missing */
  const bool unnamed = (where == RHS || where == RANGES) && count % 2 == 0;
  if (count > 5 || count < 2 || (!unnamed && count % 2 == 0))
    return refuse(r, "%d words; a line has a name and one or two pairs of a name and a value",
                  count);
  if (!unnamed)
    c->name = words[0];
  for (int k = !unnamed; k + 1 < count; k += 2) {
    const perp_error error = take_number(r, words[k + 1], &c->value[c->pairs]);
    if (error)
      return error;
    c->of[c->pairs] = words[k];
    c->has_value[c->pairs++] = true;
  }
  return PERP_OK;
}

/* ---- Sections ---- */

static perp_error add_row(reader *r, const card *c)
{
  if (c->type.length != 1 || !strchr("NLGE", c->type.at[0]))
    return refuse(r, "\"%.*s\" is not a type of row; the types are N, L, G and E", shown(c->type),
                  c->type.at);
  if (c->name.length == 0)
    return refuse(r, "the row has no name");
  if (number_of(&r->rows, c->name) >= 0)
    return refuse(r, "row \"%.*s\" is defined twice", shown(c->name), c->name.at);
  const int k = r->rows.count;
  if (!add_name(&r->rows, c->name))
    return perp_path_no_memory(r->path, r->why);
  if (r->row_room < r->rows.room) {
    if (!perp_alloc_longer(&r->row, (size_t)k, (size_t)r->rows.room, sizeof *r->row))
      return perp_path_no_memory(r->path, r->why);
    r->row_room = r->rows.room;
  }
  const char type = c->type.at[0];
  const int index = type != 'N' ? r->m++ : r->has_objective ? DROPPED : OBJECTIVE;
  r->row[k] = (named_row){.index = index, .type = type, .range = NAN};
  r->has_objective = r->has_objective || type == 'N';
  return PERP_OK;
}

/* Returns the number of the column of this name, a new one if necessary; -1 when out of memory. */
static int take_column(reader *r, word name)
{
  int j = number_of(&r->columns, name);
  if (j >= 0)
    return j;
  j = r->columns.count;
  if (!add_name(&r->columns, name))
    return -1;
  if (r->column_room < r->columns.room) {
    const size_t room = (size_t)r->columns.room, used = (size_t)j;
    if (!perp_alloc_longer(&r->q, used, room, sizeof *r->q) ||
        !perp_alloc_longer(&r->lb, used, room, sizeof *r->lb) ||
        !perp_alloc_longer(&r->ub, used, room, sizeof *r->ub) ||
        !perp_alloc_longer(&r->lower_set, used, room, sizeof *r->lower_set))
      return -1;
    r->column_room = r->columns.room;
  }
  r->q[j] = r->lb[j] = 0;
  r->ub[j] = INFINITY;
  r->lower_set[j] = false;
  return j;
}

static perp_error find_row(const reader *r, word name, int *k)
{
  *k = number_of(&r->rows, name);
  return *k >= 0 ? PERP_OK : refuse(r, "row \"%.*s\" is not in ROWS", shown(name), name.at);
}

static perp_error find_column(const reader *r, word name, int *j)
{
  *j = number_of(&r->columns, name);
  return *j >= 0 ? PERP_OK : refuse(r, "column \"%.*s\" is not in COLUMNS", shown(name), name.at);
}

static perp_error check_finite(const reader *r, const card *c, int k)
{
  if (!c->has_value[k])
    return refuse(r, "\"%.*s\" has no value", shown(c->of[k]), c->of[k].at);
  return isfinite(c->value[k])
             ? PERP_OK
             : refuse(r, "\"%.*s\" = %g is not finite", shown(c->of[k]), c->of[k].at, c->value[k]);
}

static perp_error add_entries(reader *r, const card *c)
{
  if (c->name.length == 0)
    return refuse(r, "the column has no name");
  if (c->pairs == 0)
    return refuse(r, "column \"%.*s\" has no entry", shown(c->name), c->name.at);
  const int j = take_column(r, c->name);
  if (j < 0)
    return perp_path_no_memory(r->path, r->why);
  for (int p = 0; p < c->pairs; p++) {
    int k;
    perp_error error = find_row(r, c->of[p], &k);
    if (error || (error = check_finite(r, c, p)))
      return error;
    if (r->row[k].index == OBJECTIVE)
      r->q[j] += c->value[p];
    else if (r->row[k].index >= 0 && !perp_triplets_push(&r->G, r->row[k].index, j, c->value[p]))
      return perp_path_no_memory(r->path, r->why);
  }
  return PERP_OK;
}

/* Returns true if this is the first set of its section: the one that is read. */
static bool set_is_read(reader *r, int which, word set)
{
  if (!r->set_seen[which])
    r->set[which] = set;
  r->set_seen[which] = true;
  return r->set[which].length == set.length &&
         !memcmp(r->set[which].at, set.at, (size_t)set.length);
}

static perp_error add_sides(reader *r, section where, const card *c)
{
  if (!set_is_read(r, where == RANGES, c->name))
    return PERP_OK;
  for (int p = 0; p < c->pairs; p++) {
    int k;
    perp_error error = find_row(r, c->of[p], &k);
    if (error || (error = check_finite(r, c, p)))
      return error;
    if (where == RANGES)
      r->row[k].range = c->value[p];
    else if (r->row[k].index == OBJECTIVE)
      r->constant -= c->value[p];
    else
      r->row[k].rhs += c->value[p];
    if (!isfinite(r->row[k].rhs) || !isfinite(r->constant))
      return refuse(r, "the values of \"%.*s\" have no finite sum", shown(c->of[p]), c->of[p].at);
  }
  return PERP_OK;
}

static perp_error add_bound(reader *r, const card *c)
{
  static const char *const types[] = {"LO", "UP", "FX", "FR", "MI", "PL", "BV", "LI", "UI", "SC"};
  int type = 0, j = 0;
  while (type < 10 && !is(c->type, types[type]))
    type++;
  if (type == 10)
    return refuse(r, "\"%.*s\" is not a type of bound; the types are LO, UP, FX, FR, MI and PL",
                  shown(c->type), c->type.at);
  if (type >= 6)
    return refuse(r, "bound %s: integer variables are not supported", types[type]);
  if (!set_is_read(r, 2, c->name))
    return PERP_OK;
  perp_error error =
      c->pairs > 0 ? find_column(r, c->of[0], &j) : refuse(r, "the bound has no column");
  if (error)
    return error;
  if (type <= 2 && !c->has_value[0])
    return refuse(r, "the bound %s of \"%.*s\" has no value", types[type], shown(c->of[0]),
                  c->of[0].at);
  const double v = c->value[0];
  if (type == 0 || type == 2 || type == 3 || type == 4) {
    r->lb[j] = type == 3 || type == 4 ? -INFINITY : v;
    r->lower_set[j] = true;
  }
  if (type == 1 && v < 0 && !r->lower_set[j])
    r->lb[j] = -INFINITY;
  if (type != 0 && type != 4)
    r->ub[j] = type == 3 || type == 5 ? INFINITY : v;
  return PERP_OK;
}

static perp_error add_quadratic(reader *r, section where, const card *c)
{
  int i, j;
  perp_error error = find_column(r, c->name, &i);
  for (int p = 0; p < c->pairs && !error; p++) {
    if ((error = find_column(r, c->of[p], &j)) || (error = check_finite(r, c, p)))
      return error;
    if (!perp_triplets_push(&r->P, i, j, c->value[p]) ||
        (where == QUADOBJ && i != j && !perp_triplets_push(&r->P, j, i, c->value[p])))
      return perp_path_no_memory(r->path, r->why);
  }
  return error;
}

static perp_error take_sense(reader *r, word sense)
{
  r->maximise = is(sense, "MAX") || is(sense, "MAXIMIZE") || is(sense, "MAXIMISE");
  if (r->maximise || is(sense, "MIN") || is(sense, "MINIMIZE") || is(sense, "MINIMISE"))
    return PERP_OK;
  return refuse(r, "OBJSENSE \"%.*s\" is neither MAX nor MIN", shown(sense), sense.at);
}

static perp_error begin_section(reader *r, word line, section *where)
{
  static const struct {
    const char *name;
    section is;
  } known[] = {{"NAME", NONE},       {"OBJSENSE", OBJSENSE}, {"ROWS", ROWS},
               {"COLUMNS", COLUMNS}, {"RHS", RHS},           {"RANGES", RANGES},
               {"BOUNDS", BOUNDS},   {"QUADOBJ", QUADOBJ},   {"QSECTION", QUADOBJ},
               {"QMATRIX", QMATRIX}, {"ENDATA", END}};
  word words[3];
  const int count = split(line, 2, words);
  size_t k = 0;
  while (k < sizeof known / sizeof *known && !is(words[0], known[k].name))
    k++;
  if (k == sizeof known / sizeof *known)
    return refuse(r, "section \"%.*s\" is not supported", shown(words[0]), words[0].at);
  *where = known[k].is;
  if (*where > ROWS && *where < OBJSENSE && r->rows.count == 0)
    return refuse(r, "%s comes before ROWS", known[k].name);
  return *where == OBJSENSE && count == 2 ? take_sense(r, words[1]) : PERP_OK;
}

static perp_error read_lines(reader *r)
{
  section where = NONE;
  word line;
  while (where != END && next_line(r, &line)) {
    perp_error error;
    card c;
    if (!is_blank(line.at[0])) {
      error = begin_section(r, line, &where);
    } else if (where == NONE) {
      error = refuse(r, "\"%.*s\" comes before the first section", shown(line), line.at);
    } else if (where == OBJSENSE) {
      error = take_sense(r, cut(line, 0, line.length));
    } else if (!(error = read_card(r, where, line, &c))) {
      error = where == ROWS                          ? add_row(r, &c)
              : where == COLUMNS                     ? add_entries(r, &c)
              : where == BOUNDS                      ? add_bound(r, &c)
              : where == QUADOBJ || where == QMATRIX ? add_quadratic(r, where, &c)
                                                     : add_sides(r, where, &c);
    }
    if (error)
      return error;
  }
  if (where != END)
    return refuse(r, "the file ends before ENDATA");
  return r->columns.count > 0 ? PERP_OK : refuse(r, "the file has no COLUMNS");
}

/* ---- The program ---- */

static void set_sides(const reader *r, perp_qp_instance *t)
{
  for (int k = 0; k < r->rows.count; k++) {
    const named_row *own = &r->row[k];
    const int i = own->index;
    if (i < 0)
      continue;
    const double b = own->rhs, range = own->range;
    const bool ranged = !isnan(range);
    t->l[i] = own->type != 'L' ? b : ranged ? b - fabs(range) : -INFINITY;
    t->u[i] = own->type != 'G' ? b : ranged ? b + fabs(range) : INFINITY;
    if (own->type == 'E' && ranged)
      *(range < 0 ? &t->l[i] : &t->u[i]) = b + range;
  }
}

static perp_error make_program(reader *r, perp_qp_instance *t)
{
  perp_mtx G = {0}, P = {.path = r->path};
  const int n = r->columns.count;
  perp_error error = PERP_OK;
  t->n = n;
  t->m = r->m;
  t->l = perp_alloc((size_t)r->m, sizeof *t->l);
  t->u = perp_alloc((size_t)r->m, sizeof *t->u);
  if (!t->l || !t->u || !perp_mtx_compress(&r->G, r->m, n, &G) ||
      !perp_mtx_compress(&r->P, n, n, &P)) {
    error = perp_path_no_memory(r->path, r->why);
  } else {
    perp_mtx_merge(&G);
    perp_mtx_merge(&P);
    set_sides(r, t);
    const double sign = r->maximise ? -1 : 1;
    t->maximised = r->maximise;
    t->constant = sign * r->constant;
    for (int64_t e = 0; e < P.entries; e++)
      P.value[e] *= sign;
    for (int j = 0; j < n; j++)
      r->q[j] *= sign;
    t->q = r->q, t->lb = r->lb, t->ub = r->ub;
    r->q = r->lb = r->ub = NULL;
    t->G_start = G.start, t->G_column = G.column, t->G_value = G.value;
    G = (perp_mtx){0};
    if (P.entries > 0)
      error = perp_structure_plain(&P, &t->P, r->why);
  }
  perp_mtx_free(&G);
  perp_mtx_free(&P);
  return error;
}

/* Reads the text in one of the formats; *line: where it stopped. */
static perp_error read_as(bool fixed, const char *path, const char *text, size_t bytes,
                          perp_qp_instance *t, int64_t *line, perp_message *why)
{
  reader r = {.path = path, .at = text, .end = text + bytes, .fixed = fixed, .why = why};
  perp_error error = read_lines(&r);
  *line = r.line;
  if (!error)
    error = make_program(&r, t);
  void *const owned[] = {r.rows.name, r.rows.slot, r.columns.name, r.columns.slot, r.row,
                         r.q,         r.lb,        r.ub,           r.lower_set};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
    perp_free(owned[k]);
  perp_triplets_free(&r.G);
  perp_triplets_free(&r.P);
  return error;
}

perp_error perp_qp_mps_parse(const char *path, const char *text, size_t bytes,
                             perp_qp_instance *instance, perp_message *why)
{
  int64_t line, fixed_line;
  perp_message fixed_why = {""};
  *instance = (perp_qp_instance){0};
  perp_error error = read_as(false, path, text, bytes, instance, &line, why);
  if (error == PERP_ERROR_FILE) {
    perp_qp_instance_destroy(instance);
    const perp_error fixed = read_as(true, path, text, bytes, instance, &fixed_line, &fixed_why);
    if (!fixed || fixed_line > line) {
      error = fixed;
      if (why)
        *why = fixed_why;
    }
  }
  if (error)
    perp_qp_instance_destroy(instance);
  return error;
}

perp_error perp_qp_mps_read(const char *path, perp_qp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_mps_read: a pointer is NULL");
  char *text;
  size_t bytes;
  *instance = (perp_qp_instance){0};
  perp_error error = perp_file_read(path, &text, &bytes, why);
  if (error)
    return error;
  error = perp_qp_mps_parse(path, text, bytes, instance, why);
  perp_free(text);
  if (!error)
    perp_folder_name(path, instance->name, sizeof instance->name);
  return error;
}
