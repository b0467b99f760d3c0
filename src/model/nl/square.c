/* square.c: which equation belongs to which variable, and presolve
 *
 * 1. A linear equation with one variable that no row complements fixes it; an inequality with one
 *    variable bounds it. Fixed variables may leave other rows with one variable.
 *
 * 2. If a row complements two variables, s w + c0 with v, and the only other row that contains w is an
 *    equation that defines it, the two are one row. If w = (L - rest(x)) / a is defined,
 *
 *      lo <= v <= hi   with   F = s (L - rest) / a + c0.
 *
 *    If v is defined, the row is read from its other side: with k = 1, s > 0 and the bound l of v,
 *    s w + c0 >= 0 and v >= l are w >= -c0 / s with F = v - l; a negative s or k = 2 changes signs.
 *    This is how Pyomo (w = bv) and AMPL (v) write F(x) with x. Such a row is also read from its
 *    other side if v has another row and w has none.
 *
 * 3. Equations and variables that are left are matched: a maximum matching by augmenting paths, with
 *    variables without bounds first. An equation h(x) = 0 and its multiplier, which appears only in
 *    the rows of x, are ends of a path through the rows of other variables: then the whole matrix has
 *    a matching, and they belong together. An unmatched row or variable is an error. A variable in no
 *    row keeps its start. */
#include "model/nl/nl.h"

#include "linalg/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOBODY = -1 };

typedef struct square_work {
  const perp_nl *model;
  nl_square *square;
  perp_arena memory;
  nl_work evaluate;
  int64_t *column_start; /* the rows of each variable */
  int *column_row;
  int *left;          /* of each row: variables not fixed */
  int *degree;        /* of each variable: rows that are not done */
  bool *fixed, *gone; /* variables: fixed; eliminated */
  bool *done;         /* rows: of a variable, or removed */
  bool *removed;      /* rows that no variable needs */
  bool *linear;       /* rows */
  int *queue;
} square_work;

enum { MISSING = -2147483647 };

static bool is_equation(const perp_nl *model, int i)
{
  return model->partner[i] == NOBODY && model->L[i] == model->U[i];
}

static bool is_free(const perp_nl *model, int j)
{
  return model->lo[j] == -INFINITY && model->hi[j] == INFINITY;
}

/* ---- Memory and columns ---- */

static bool take(square_work *w)
{
  const perp_nl *model = w->model;
  const size_t n = (size_t)model->n, m = (size_t)model->m;
  nl_square *s = w->square;
  if (!nl_work_take(model, &w->memory, &w->evaluate) ||
      !PERP_TAKE_ZERO(&w->memory, PERP_ARRAY(w->column_start, n + 1),
                      PERP_ARRAY(w->column_row, model->J.start[m]), PERP_ARRAY(w->left, m),
                      PERP_ARRAY(w->degree, n), PERP_ARRAY(w->fixed, n), PERP_ARRAY(w->gone, n),
                      PERP_ARRAY(w->done, m), PERP_ARRAY(w->removed, m), PERP_ARRAY(w->linear, m),
                      PERP_ARRAY(w->queue, m + n)) ||
      !PERP_TAKE_ZERO(&s->memory, PERP_ARRAY(s->variable, n), PERP_ARRAY(s->row, n),
                      PERP_ARRAY(s->named, n), PERP_ARRAY(s->start, n + 1),
                      PERP_ARRAY(s->unknown, n), PERP_ARRAY(s->x, n),
                      PERP_ARRAY(s->eliminated_variable, n), PERP_ARRAY(s->eliminated_row, n),
                      PERP_ARRAY(s->eliminated_a, n)) ||
      !PERP_TAKE_ZERO_REALS(&s->memory, n, &s->factor, &s->shift, &s->lo, &s->hi, &s->row_lo,
                            &s->row_hi))
    return false;
  for (int j = 0; j < model->n; j++) {
    w->square->row[j] = MISSING;
    w->square->lo[j] = model->lo[j];
    w->square->hi[j] = model->hi[j];
  }
  perp_transpose(model->m, model->n, model->J.start, model->J.column, NULL, w->column_start,
                 w->column_row, NULL, NULL);
  for (int i = 0; i < model->m; i++) {
    w->linear[i] = nl_is_linear(model, i);
    w->left[i] = (int)(model->J.start[i + 1] - model->J.start[i]);
  }
  for (int j = 0; j < model->n; j++)
    w->degree[j] = (int)(w->column_start[j + 1] - w->column_start[j]);
  return true;
}

/* The body of a row with all variables at their fixed values, 0 for the others. */
static double constant_of(square_work *w, int i)
{
  return nl_body(w->model, &w->evaluate, w->square->x, i);
}

static void remove_row(square_work *w, int i)
{
  w->done[i] = w->removed[i] = true;
  for (int64_t e = w->model->J.start[i]; e < w->model->J.start[i + 1]; e++)
    w->degree[w->model->J.column[e]]--;
}

/* ---- Rows with one variable, fixed variables ---- */

static void refuse_row(square_work *w, int i, double value, perp_message *why)
{
  perp_message row;
  perp_nl_row_name(w->model, i, &row);
  if (!w->square->infeasible)
    perp_fail(why, PERP_OK,
              "infeasible: the row %.100s cannot hold, its body is %g and must be "
              "from %g to %g",
              row.text, value, w->model->L[i], w->model->U[i]);
  w->square->infeasible = true;
}

/* Fixes variable j; rows that then have one variable enter the queue. */
static void fix(square_work *w, int j, double value, int *queued)
{
  w->fixed[j] = true;
  w->square->x[j] = value;
  for (int64_t e = w->column_start[j]; e < w->column_start[j + 1]; e++)
    if (--w->left[w->column_row[e]] == 1)
      w->queue[(*queued)++] = w->column_row[e];
}

static void use_single_row(square_work *w, const bool *partnered, int i, int *queued,
                           perp_message *why)
{
  const perp_nl *model = w->model;
  int64_t at = -1;
  for (int64_t e = model->J.start[i]; e < model->J.start[i + 1]; e++)
    if (!w->fixed[model->J.column[e]])
      at = e;
  if (w->done[i] || at < 0 || !w->linear[i] || model->partner[i] != NOBODY ||
      model->J.value[at] == 0)
    return;
  const int j = model->J.column[at];
  const double a = model->J.value[at], c = constant_of(w, i);
  const double p = (model->L[i] - c) / a, q = (model->U[i] - c) / a;
  const double lo = a > 0 ? p : q, hi = a > 0 ? q : p;
  double *least = w->square->lo + j, *most = w->square->hi + j;
  if (lo == hi) {
    if (partnered[j])
      return;
    if (lo < *least || lo > *most)
      refuse_row(w, i, c + a * (lo < *least ? *least : *most), why);
    remove_row(w, i);
    fix(w, j, lo, queued);
  } else {
    *least = lo > *least ? lo : *least;
    *most = hi < *most ? hi : *most;
    if (*least > *most)
      refuse_row(w, i, c + a * *most, why);
    remove_row(w, i);
  }
}

static void fix_variables(square_work *w, perp_message *why)
{
  const perp_nl *model = w->model;
  bool *partnered = w->gone; /* false again at the end */
  int queued = 0;
  nl_prepare(model, &w->evaluate, w->square->x);
  for (int i = 0; i < model->m; i++) {
    if (model->partner[i] != NOBODY)
      partnered[model->partner[i]] = true;
    if (w->left[i] == 1)
      w->queue[queued++] = i;
  }
  for (int j = 0; j < model->n; j++)
    if (w->square->lo[j] == w->square->hi[j])
      fix(w, j, w->square->lo[j], &queued);
  for (int k = 0; k < queued; k++)
    use_single_row(w, partnered, w->queue[k], &queued, why);
  memset(partnered, 0, (size_t)model->n * sizeof *partnered);
  for (int i = 0; i < model->m; i++) { /* rows whose variables are all fixed: the verdict checks */
    const int v = model->partner[i];
    if (w->done[i])
      continue;
    if (v != NOBODY ? w->fixed[v]
                    : w->left[i] == 0 || (model->L[i] == -INFINITY && model->U[i] == INFINITY))
      remove_row(w, i);
    if (v == NOBODY && w->left[i] == 0 && w->linear[i]) {
      const double c = constant_of(w, i);
      if (c < model->L[i] - 1e-6 || c > model->U[i] + 1e-6)
        refuse_row(w, i, c, why);
    }
  }
}

/* ---- Complementarity rows ---- */

/* The row of a variable: F = factor (body - shift). */
static void give(square_work *w, int j, int row, int named, double factor, double shift, int k,
                 double lo, double hi)
{
  w->square->row[j] = row;
  w->square->named[j] = named;
  w->square->factor[j] = factor;
  w->square->shift[j] = shift;
  w->square->row_lo[j] = k & 1 ? lo : -INFINITY;
  w->square->row_hi[j] = k & 2 ? hi : INFINITY;
}

/* Returns the variable of a row s w + c0, or -1. */
static int single_variable(square_work *w, int i, double *s, double *c0)
{
  const perp_nl *model = w->model;
  if (!w->linear[i] || w->left[i] != 1)
    return -1;
  for (int64_t e = model->J.start[i]; e < model->J.start[i + 1]; e++)
    if (!w->fixed[model->J.column[e]] && model->J.value[e] != 0) {
      *s = model->J.value[e];
      *c0 = constant_of(w, i);
      return model->J.column[e];
    }
  return -1;
}

/* Returns the equation that defines variable j: the only row not done that contains it, apart from
 * row `except`, with a factor of moderate size; or -1. */
static int definition(const square_work *w, int j, int except, double s, double *a)
{
  const perp_nl *model = w->model;
  int found = -1;
  for (int64_t e = w->column_start[j]; e < w->column_start[j + 1]; e++) {
    const int i = w->column_row[e];
    if (w->removed[i] || i == except)
      continue;
    if (found >= 0)
      return -1;
    found = i;
  }
  if (found < 0 || w->done[found] || !is_equation(model, found))
    return -1;
  const int64_t at = perp_row_find(model->J.start, model->J.column, found, j);
  *a = model->J.value[at];
  const bool also = perp_row_find(model->nonlinear.start, model->nonlinear.column, found, j) >= 0;
  return also || !(fabs(*a) > 1e-6 * fabs(s) && fabs(*a) < 1e6 * fabs(s)) ? -1 : found;
}

static void eliminate(square_work *w, int j, int row, double a)
{
  nl_square *s = w->square;
  w->gone[j] = true;
  s->eliminated_variable[s->eliminated] = j;
  s->eliminated_row[s->eliminated] = row;
  s->eliminated_a[s->eliminated++] = a;
  w->done[row] = true;
}

/* Reads row i, s x_j + c0 with v, from its other side: F = +-(v - bound) for x_j, through the
 * equation e if it defines v. */
static void turn(square_work *w, int i, int j, double s, double c0, int e, double a)
{
  const perp_nl *model = w->model;
  const int v = model->partner[i];
  const bool lower = (model->kind[i] == 1) == (s > 0);
  const double bound = model->kind[i] == 1 ? model->lo[v] : model->hi[v], end = -c0 / s;
  const double sign = s > 0 ? 1 : -1;
  if (e >= 0) {
    eliminate(w, v, e, a);
    give(w, j, e, i, -sign / a, model->L[e] - a * bound, lower ? 1 : 2, end, end);
  } else {
    give(w, j, -1 - v, i, sign, bound, lower ? 1 : 2, end, end);
  }
  if (lower && w->square->lo[j] < end)
    w->square->lo[j] = end;
  if (!lower && w->square->hi[j] > end)
    w->square->hi[j] = end;
  remove_row(w, i);
}

static perp_error fail_twice(const square_work *w, int j, int first, int second, perp_message *why)
{
  perp_message name, row[2];
  perp_nl_variable_name(w->model, j, &name);
  perp_nl_row_name(w->model, first, row);
  perp_nl_row_name(w->model, second, row + 1);
  return perp_fail(why, PERP_ERROR_PROBLEM,
                   "not square: the variable %.100s is complementary to the rows %.100s and %.100s",
                   name.text, row[0].text, row[1].text);
}

static perp_error check_bound(const square_work *w, int i, perp_message *why)
{
  const perp_nl *model = w->model;
  const int v = model->partner[i], k = model->kind[i];
  perp_message name, row;
  if (!(k == 1 && model->lo[v] == -INFINITY) && !(k == 2 && model->hi[v] == INFINITY))
    return PERP_OK;
  perp_nl_variable_name(model, v, &name);
  perp_nl_row_name(model, i, &row);
  return perp_fail(why, PERP_ERROR_PROBLEM,
                   "row %.100s: its variable %.100s has no %s bound to be complementary to",
                   row.text, name.text, k == 1 ? "lower" : "upper");
}

/* Tries to make one row of row i and an equation. */
static bool join(square_work *w, int i, const int *rows_of)
{
  const perp_nl *model = w->model;
  const int v = model->partner[i], k = model->kind[i];
  double s, c0, a;
  const int j = single_variable(w, i, &s, &c0);
  if (j < 0 || j == v || rows_of[j] > 0 || w->square->row[j] != MISSING || k == 0)
    return false;
  int e = is_free(model, j) ? definition(w, j, i, s, &a) : -1;
  if (e >= 0 && rows_of[v] == 1) {
    eliminate(w, j, e, a);
    give(w, v, e, i, -s / a, model->L[e] + c0 * a / s, k, model->lo[v], model->hi[v]);
    remove_row(w, i);
    return true;
  }
  if (k == 3)
    return false;
  e = rows_of[v] == 1 && (k == 1 ? model->hi[v] == INFINITY : model->lo[v] == -INFINITY)
          ? definition(w, v, i, s, &a)
          : -1;
  if (e < 0 && rows_of[v] == 1)
    return false;
  turn(w, i, j, s, c0, e, a);
  return true;
}

static perp_error use_complements(square_work *w, perp_message *why)
{
  const perp_nl *model = w->model;
  int *rows_of = w->queue; /* complementarity rows of each variable */
  memset(rows_of, 0, (size_t)model->n * sizeof *rows_of);
  for (int i = 0; i < model->m; i++)
    if (model->partner[i] != NOBODY && !w->done[i]) {
      const perp_error error = check_bound(w, i, why);
      if (error)
        return error;
      rows_of[model->partner[i]]++;
    }
  for (int i = 0; i < model->m; i++) {
    const int v = model->partner[i];
    if (v == NOBODY || w->done[i])
      continue;
    if (join(w, i, rows_of)) {
      rows_of[v] -= w->square->row[v] == MISSING; /* turned: v has one row less */
      continue;
    }
    if (w->square->row[v] != MISSING)
      return fail_twice(w, v, w->square->named[v], i, why);
    give(w, v, i, i, 1, 0, model->kind[i], model->lo[v], model->hi[v]);
    w->done[i] = true;
  }
  return PERP_OK;
}

/* ---- Matching ---- */

typedef enum phase { FREE, BOUNDED, WHOLE } phase;

typedef struct matching {
  square_work *w;
  int *equation;       /* of a variable; -1: none, -2: not a row of the model */
  int *seen;           /* variables: the last search that met it */
  int *path_row;       /* the search: its rows, */
  int *path_variable;  /* the variable that led from each to the next, */
  int64_t *path_entry; /* and the next entry to try */
} matching;

static bool may_match(const matching *m, int j, phase p)
{
  const square_work *w = m->w;
  return !w->fixed[j] && !w->gone[j] && (p == WHOLE || w->square->row[j] == MISSING) &&
         (p != FREE || is_free(w->model, j));
}

/* Returns the unmatched variable of a row with the fewest rows; -1: none. */
static int cheapest(const matching *m, int i, phase p)
{
  const perp_nl *model = m->w->model;
  int best = -1;
  for (int64_t e = model->J.start[i]; e < model->J.start[i + 1]; e++) {
    const int j = model->J.column[e];
    if (may_match(m, j, p) && m->equation[j] == -1 &&
        (best < 0 || m->w->degree[j] < m->w->degree[best]))
      best = j;
  }
  return best;
}

/* Searches an augmenting path from row i. Returns the variable at its end, or -1. */
static int augment(matching *m, int i, phase p, int tag)
{
  const perp_nl *model = m->w->model;
  int depth = 0;
  m->path_row[0] = i;
  m->path_entry[0] = model->J.start[i];
  while (depth >= 0) {
    const int row = m->path_row[depth];
    const int last = m->path_entry[depth] == model->J.start[row] ? cheapest(m, row, p) : -1;
    if (last >= 0) {
      m->path_variable[depth] = last;
      for (; depth >= 0; depth--)
        m->equation[m->path_variable[depth]] = m->path_row[depth];
      return last;
    }
    bool deeper = false;
    while (!deeper && m->path_entry[depth] < model->J.start[row + 1]) {
      const int j = model->J.column[m->path_entry[depth]++];
      if (!may_match(m, j, p) || m->seen[j] == tag || m->equation[j] < 0)
        continue;
      m->seen[j] = tag;
      m->path_variable[depth] = j;
      m->path_row[depth + 1] = m->equation[j];
      m->path_entry[depth + 1] = model->J.start[m->equation[j]];
      deeper = true;
    }
    depth += deeper ? 1 : -1;
  }
  return -1;
}

/* Adds a name to a list in a message; after a few, "...". */
static void add_name(char *text, size_t room, int count, const char *name)
{
  const size_t used = strlen(text);
  if (count <= 4)
    snprintf(text + used, room - used, "%s%.60s", count ? ", " : "", count == 4 ? "..." : name);
}

static perp_error fail_left_over(const square_work *w, const int *equation_of, perp_message *why)
{
  const perp_nl *model = w->model;
  char rows[330] = "", variables[330] = "";
  int row_count = 0, variable_count = 0;
  perp_message name;
  for (int i = 0; i < model->m; i++)
    if (!w->done[i] && equation_of[i] < 0) {
      perp_nl_row_name(model, i, &name);
      add_name(rows, sizeof rows, row_count++, name.text);
    }
  for (int j = 0; j < model->n; j++)
    if (!w->fixed[j] && !w->gone[j] && w->square->row[j] == MISSING) {
      perp_nl_variable_name(model, j, &name);
      add_name(variables, sizeof variables, variable_count++, name.text);
    }
  if (row_count + variable_count == 0)
    return PERP_OK;
  return perp_fail(why, PERP_ERROR_PROBLEM,
                   "not square: %d rows without a variable (%.200s), %d variables without a row "
                   "(%.200s)",
                   row_count, rows, variable_count, variables);
}

/* Variables in no row keep their start. */
static void drop_unused(square_work *w)
{
  const perp_nl *model = w->model;
  for (int j = 0; j < model->n; j++) {
    const double start = model->start[j];
    if (w->fixed[j] || w->gone[j] || w->square->row[j] != MISSING || w->degree[j] > 0)
      continue;
    w->fixed[j] = true;
    w->square->x[j] = start < w->square->lo[j]   ? w->square->lo[j]
                      : start > w->square->hi[j] ? w->square->hi[j]
                                                 : start;
  }
}

static perp_error match(square_work *w, perp_message *why)
{
  const perp_nl *model = w->model;
  matching m = {.w = w};
  int *equation_of = NULL;
  const size_t n = (size_t)model->n + 1, rows = (size_t)model->m + 2;
  if (!PERP_TAKE_ZERO(&w->memory, PERP_ARRAY(m.equation, n), PERP_ARRAY(m.seen, n),
                      PERP_ARRAY(m.path_row, rows), PERP_ARRAY(m.path_variable, rows),
                      PERP_ARRAY(m.path_entry, rows), PERP_ARRAY(equation_of, rows)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", model->m);
  perp_fill_integers(model->n, -1, m.equation);
  perp_fill_integers(model->m, -1, equation_of);
  drop_unused(w);
  int tag = 0;
  for (phase p = FREE; p <= WHOLE; p++) {
    for (int j = 0; p == WHOLE && j < model->n; j++) /* the rows of all variables */
      if (w->square->row[j] != MISSING)
        m.equation[j] = w->square->row[j] < 0 ? -2 : w->square->row[j];
    for (int i = 0; i < model->m; i++) {
      if (w->done[i] || !is_equation(model, i) || equation_of[i] >= 0)
        continue;
      const int end = augment(&m, i, p, ++tag);
      if (end >= 0)
        equation_of[i] = 1;
      if (end >= 0 && p == WHOLE)
        give(w, end, i, i, 1, model->L[i], 0, 0, 0);
    }
    for (int j = 0; p == BOUNDED && j < model->n; j++)
      if (m.equation[j] >= 0)
        give(w, j, m.equation[j], m.equation[j], 1, model->L[m.equation[j]], 0, 0, 0);
  }
  return fail_left_over(w, equation_of, why);
}

/* ---- The problem ---- */

/* The arrays by variable become arrays by unknown. */
static bool collect(square_work *w)
{
  const perp_nl *model = w->model;
  nl_square *s = w->square;
  for (int j = 0; j < model->n; j++)
    s->unknown[j] = w->square->row[j] != MISSING && !w->fixed[j] && !w->gone[j] ? s->n++ : -1;
  s->linear = true;
  int64_t entries = 0;
  for (int j = 0; j < model->n; j++) {
    const int u = s->unknown[j], row = s->row[j];
    if (u < 0)
      continue;
    s->variable[u] = j;
    s->row[u] = row;
    s->named[u] = s->named[j];
    double *const of[] = {s->factor, s->shift, s->lo, s->hi, s->row_lo, s->row_hi};
    for (int k = 0; k < 6; k++)
      of[k][u] = of[k][j];
    s->sides = s->sides || s->lo[u] != s->row_lo[u] || s->hi[u] != s->row_hi[u];
    s->linear = s->linear && (row < 0 || w->linear[row]);
    entries += 1 + (row < 0 ? 1 : model->J.start[row + 1] - model->J.start[row]);
  }
  if (!PERP_TAKE(&s->memory, PERP_ARRAY(s->column, entries)))
    return false;
  int64_t at = 0;
  for (int u = 0; u < s->n; u++) {
    const int row = s->row[u];
    bool diagonal = s->linear; /* Newton's proximal terms need it */
    s->start[u] = at;
    for (int64_t e = row < 0 ? 0 : model->J.start[row]; e < (row < 0 ? 1 : model->J.start[row + 1]);
         e++) {
      const int v = s->unknown[row < 0 ? -1 - row : model->J.column[e]];
      if (v < 0)
        continue;
      if (!diagonal && v >= u) {
        diagonal = true;
        if (v > u)
          s->column[at++] = u;
      }
      s->column[at++] = v;
    }
    if (!diagonal)
      s->column[at++] = u;
  }
  s->start[s->n] = at;
  return true;
}

/* Inequalities that bound more than one variable belong to no variable. */
static perp_error check_inequalities(const square_work *w, perp_message *why)
{
  perp_message row;
  for (int i = 0; i < w->model->m; i++)
    if (!w->done[i] && w->model->partner[i] == NOBODY && !is_equation(w->model, i)) {
      perp_nl_row_name(w->model, i, &row);
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "not square: the inequality %.100s is complementary to no variable",
                       row.text);
    }
  return PERP_OK;
}

perp_error nl_square_make(const perp_nl *model, nl_square *square, perp_message *why)
{
  *square = (nl_square){.model = model};
  square_work w = {.model = model, .square = square};
  perp_error error = PERP_OK;
  bool memory = take(&w);
  if (memory) {
    fix_variables(&w, why);
    if (!square->infeasible) {
      error = check_inequalities(&w, why);
      if (!error)
        error = use_complements(&w, why);
      if (!error)
        error = match(&w, why);
      memory = error || collect(&w);
    }
  }
  perp_arena_free(&w.memory);
  if (!memory)
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", model->m);
  return error;
}

void nl_square_free(nl_square *square)
{
  perp_arena_free(&square->memory);
}

void nl_square_expand(const nl_square *s, nl_work *work, const double *z, double *x)
{
  const perp_nl *model = s->model;
  memcpy(x, s->x, (size_t)model->n * sizeof *x);
  for (int u = 0; u < s->n; u++)
    x[s->variable[u]] = z[u];
  nl_prepare(model, work, x);
  for (int k = 0; k < s->eliminated; k++) /* x is 0 there, and no other definition contains it */
    x[s->eliminated_variable[k]] =
        (model->L[s->eliminated_row[k]] - nl_body(model, work, x, s->eliminated_row[k])) /
        s->eliminated_a[k];
}
