/* cones_first.c: makes the problem that methods solve: cones of three rows first, then the rest
 *
 * A contact of a set with dim is split (verdict/friction.h shows why this is the same law):
 *
 *   x_k = d_k x'_k,  y'_k = d_k y_k,  d_k = mu_k / mu_g     with mu_g the largest mu_k of its group,
 *                                                           so that the group is round
 *   no group             a row x_n >= 0
 *   one group of two     a cone of three rows
 *   other groups         a row x_n >= 0; a group of one axis is a friction row of n, one of more
 *                        axes a disc (set/set.h)
 *   mu_k = 0             a row with the bounds 0 and 0
 *
 * so A becomes D A D and b becomes D b. The rows are in three sections: cones, other contacts,
 * and all other rows. Within a section they keep their order, so the columns of a
 * row stay ascending if they are written section by section. A contact operator stays one, with
 * its rows of J and C scaled and in the new order; an operator with rows becomes compressed rows;
 * an operator that has only products is wrapped. */
#include "method/run/driver.h"

#include "base/elementary.h"
#include "operator/operator.h"
#include "set/set.h"

#include <string.h>

typedef struct order {
  const perp_problem *p;
  perp_arena *arena;
  int *row, *place; /* row k is row[k] of the caller's; place is the inverse */
  double *d;        /* by row k: the unit of x_k; NULL: 1 in all */
  int end[2];       /* of the first two sections */
} order;

static double unit_of(const order *o, int k)
{
  return o->d ? o->d[k] : 1;
}

static int section_of(const order *o, int k)
{
  return (k >= o->end[0]) + (k >= o->end[1]);
}

/* ---- The matrix ---- */

/* Copies a row of the caller's in the new order and units; `unit` is its own. */
static void copy_row(const order *o, double unit, int64_t count, const int *column,
                     const double *value, int *to_column, double *to_value)
{
  int64_t used = 0;
  for (int section = 0; section < 3; section++)
    for (int64_t e = 0; e < count; e++) {
      const int k = o->place[column[e]];
      if (section_of(o, k) != section)
        continue;
      to_column[used] = k;
      to_value[used++] = value[e] * (unit * unit_of(o, k));
    }
}

/* Compressed rows of a matrix whose rows are permuted, and its columns too if it is square. */
static bool copy_rows(const order *o, bool columns, const int64_t *start, const int *column,
                      const double *value, const int64_t **to_start, const int **to_column,
                      const double **to_value)
{
  const int n = o->p->K.n;
  int64_t *s = perp_arena_alloc(o->arena, (size_t)n + 1, sizeof *s);
  int *c = perp_arena_alloc(o->arena, (size_t)start[n], sizeof *c);
  double *v = perp_arena_alloc(o->arena, (size_t)start[n], sizeof *v);
  if (!s || !c || !v)
    return false;
  s[0] = 0;
  for (int k = 0; k < n; k++) {
    const int64_t first = start[o->row[k]], count = start[o->row[k] + 1] - first;
    s[k + 1] = s[k] + count;
    if (columns)
      copy_row(o, unit_of(o, k), count, column + first, value + first, c + s[k], v + s[k]);
    for (int64_t e = 0; !columns && e < count; e++) {
      c[s[k] + e] = column[first + e];
      v[s[k] + e] = value[first + e] * unit_of(o, k);
    }
  }
  *to_start = s;
  *to_column = c;
  *to_value = v;
  return true;
}

static perp_error no_memory(const order *o, perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows with their cones in front",
                   o->p->K.n);
}

static perp_error order_contact(const order *o, perp_operator **A, perp_message *why)
{
  perp_contact_data data = perp_contact_data_default();
  perp_operator_contact_data(o->p->A, &data);
  if (!copy_rows(o, false, data.J_start, data.J_column, data.J_value, &data.J_start, &data.J_column,
                 &data.J_value) ||
      (data.C_start && !copy_rows(o, true, data.C_start, data.C_column, data.C_value, &data.C_start,
                                  &data.C_column, &data.C_value)))
    return no_memory(o, why);
  return perp_operator_contact(&data, PERP_BORROW, A, why);
}

static perp_error order_rows(const order *o, size_t memory_limit, perp_operator **A,
                             perp_message *why)
{
  const int64_t *start;
  const int *column;
  const double *value;
  perp_operator *assembled = NULL;
  perp_error error = PERP_OK;
  if (perp_operator_csr_arrays(o->p->A, &start, &column, &value) != PERP_OK) {
    error = perp_operator_to_csr(o->p->A, memory_limit, &assembled, why);
    if (!error)
      error = perp_operator_csr_arrays(assembled, &start, &column, &value);
  }
  if (!error && !copy_rows(o, true, start, column, value, &start, &column, &value))
    error = no_memory(o, why);
  if (!error)
    error = perp_operator_csr(o->p->K.n, start, column, value, PERP_BORROW, A, why);
  perp_operator_destroy(assembled);
  return error;
}

/* An operator with products by the caller's matrix. */
typedef struct wrapped {
  const perp_operator *A;
  order order;
  double *x, *y;
  perp_work work;
} wrapped;

static int end_product(const wrapped *w, int failures, double *y)
{
  for (int k = 0; k < w->A->n; k++)
    y[k] = w->y[w->order.row[k]] * unit_of(&w->order, k);
  return perp_operator_failures(w->A) == failures ? 0 : w->A->failures->code;
}

static int multiply(const wrapped *w, bool transposed, const double *x, double *y)
{
  const perp_operator_table *table = w->A->table;
  const int failures = perp_operator_failures(w->A);
  for (int k = 0; k < w->A->n; k++)
    w->x[w->order.row[k]] = x[k] * unit_of(&w->order, k);
  (transposed ? table->apply_t : table->apply)(w->A, w->x, w->y, &w->work);
  return end_product(w, failures, y);
}

static int apply(void *context, const double *x, double *y)
{
  return multiply(context, false, x, y);
}

static int apply_t(void *context, const double *x, double *y)
{
  return multiply(context, true, x, y);
}

static int diagonal(void *context, double *d)
{
  const wrapped *w = context;
  const int failures = perp_operator_failures(w->A);
  w->A->table->diagonal(w->A, w->y);
  const int code = end_product(w, failures, d);
  for (int k = 0; k < w->A->n; k++)
    d[k] *= unit_of(&w->order, k);
  return code;
}

static perp_error order_products(const order *o, perp_operator **A, perp_message *why)
{
  const perp_operator *base = o->p->A;
  const size_t n = (size_t)base->n;
  wrapped *w = perp_arena_alloc(o->arena, 1, sizeof *w);
  double *numbers = perp_arena_alloc(o->arena, 2 * n + base->scratch, sizeof *numbers);
  if (!w || !numbers)
    return no_memory(o, why);
  *w = (wrapped){base, *o, numbers, numbers + n, {1, numbers + 2 * n}};
  perp_shell shell = perp_shell_default();
  shell.context = w;
  shell.hints = perp_operator_hints(base);
  shell.apply = apply;
  shell.apply_t = base->table->apply_t ? apply_t : NULL;
  shell.diagonal = base->table->diagonal ? diagonal : NULL;
  return perp_operator_shell(base->n, &shell, A, why);
}

static perp_error order_matrix(const order *o, size_t memory_limit, perp_operator **A,
                               perp_message *why)
{
  const perp_operator *base = o->p->A;
  const int failures = perp_operator_failures(base);
  perp_error error;
  if (base->table->has_velocities)
    error = order_contact(o, A, why);
  else if (base->table->row)
    error = order_rows(o, memory_limit, A, why);
  else
    error = order_products(o, A, why);
  return error ? error : perp_operator_failed(base, failures, why);
}

/* ---- A copy of the matrix for the next solve ---- */

static bool same_numbers(const void *a, const void *b, size_t bytes)
{
  return a && b ? memcmp(a, b, bytes) == 0 : a == b;
}

static bool copy_serves(const perp_ordered_copy *copy, const order *o, const perp_set *K)
{
  const size_t n = (size_t)K->n;
  const perp_reduction *r = perp_set_reduction(K);
  return copy->A && copy->values == o->p->A->values && copy->n == K->n && copy->cones == K->cones &&
         same_numbers(copy->row, o->row, n * sizeof *o->row) &&
         same_numbers(copy->d, o->d, n * sizeof *o->d) &&
         same_numbers(copy->findex, K->findex, n * sizeof *K->findex) &&
         same_numbers(copy->disc, r ? r->disc : NULL, n * sizeof *o->row);
}

static void clear_copy(perp_ordered_copy *copy)
{
  perp_operator_destroy(copy->A);
  perp_arena_reset(&copy->arena);
  *copy = (perp_ordered_copy){.arena = copy->arena};
}

void perp_ordered_copy_free(perp_ordered_copy *copy)
{
  clear_copy(copy);
  perp_arena_free(&copy->arena);
}

static const void *keep(perp_ordered_copy *copy, const void *from, size_t bytes, bool *fine)
{
  void *to = from ? perp_arena_alloc(&copy->arena, bytes, 1) : NULL;
  *fine = *fine && (to || !from);
  return to ? memcpy(to, from, bytes) : NULL;
}

/* Makes the matrix in the copy, for a problem with the set K. */
static perp_error fill_copy(perp_ordered_copy *copy, order *o, const perp_set *K,
                            size_t memory_limit, perp_message *why)
{
  const size_t integers = (size_t)K->n * sizeof(int), reals = (size_t)K->n * sizeof(double);
  const perp_reduction *r = perp_set_reduction(K);
  perp_arena *const own = o->arena;
  bool fine = true;
  clear_copy(copy);
  copy->n = K->n;
  copy->cones = K->cones;
  copy->row = keep(copy, o->row, integers, &fine);
  copy->findex = keep(copy, K->findex, integers, &fine);
  copy->disc = keep(copy, r ? r->disc : NULL, integers, &fine);
  copy->d = keep(copy, o->d, reals, &fine);
  o->arena = &copy->arena;
  const perp_error error = fine ? order_matrix(o, memory_limit, &copy->A, why) : no_memory(o, why);
  o->arena = own;
  copy->values = o->p->A->values;
  if (error)
    clear_copy(copy);
  return error;
}

/* ---- The set ---- */

enum { NONE = -1, FIXED = -2 };

/* The parts of contacts, by rows of the caller's. */
typedef struct pieces {
  signed char *section; /* by the caller's row */
  double *d, *bound;    /* its unit; mu of its group */
  int *normal, *disc;   /* a friction row's normal, NONE or FIXED; as perp_set_disc */
  double *mu;           /* by cone of three rows */
  int cones;
  bool split, scaled, discs; /* some contact was taken apart, has units, has a disc */
} pieces;

/* Takes contact c apart. */
static void split_contact(const perp_set *K, const perp_cone *c, pieces *p)
{
  const perp_friction f = perp_set_friction(K, c->c);
  int axes[PERP_FRICTION_GROUPS] = {0}, all = 0;
  double most[PERP_FRICTION_GROUPS] = {0};
  for (int k = 1; k < f.rows; k++)
    if (f.group[k] >= 0) {
      axes[f.group[k]]++;
      all++;
      most[f.group[k]] = f.mu[k] > most[f.group[k]] ? f.mu[k] : most[f.group[k]];
    }
  const bool cone = all == 2 && (axes[0] == 2 || axes[1] == 2 || axes[2] == 2);
  p->section[c->row] = cone ? 0 : 1;
  for (int k = 1, before = -1; k < f.rows; k++) {
    const int i = c->row + k, g = f.group[k];
    p->section[i] = g < 0 ? 2 : cone ? 0 : 1;
    p->bound[i] = g < 0 ? 0 : most[g];
    p->normal[i] = FIXED;
    if (g < 0)
      continue;
    p->d[i] = f.mu[k] / most[g];
    p->scaled = p->scaled || f.mu[k] != most[g];
    p->normal[i] = cone ? NONE : c->row;
    p->disc[i] = cone || axes[g] < 2 ? 0 : g == before ? -1 : axes[g];
    p->discs = p->discs || p->disc[i] != 0;
    before = g;
  }
  if (cone)
    p->mu[p->cones++] = perp_max(most[0], perp_max(most[1], most[2]));
}

static perp_error take_apart(const perp_set *K, perp_arena *arena, pieces *p)
{
  const size_t n = (size_t)K->n;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(p->section, n), PERP_ARRAY(p->d, n),
                      PERP_ARRAY(p->bound, n), PERP_ARRAY(p->normal, n), PERP_ARRAY(p->disc, n),
                      PERP_ARRAY(p->mu, (size_t)K->cones)))
    return PERP_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++) {
    p->section[i] = 2;
    p->d[i] = 1;
    p->normal[i] = NONE;
  }
  p->split = K->dim != NULL;
  for (perp_cone c = perp_set_cones(K); c.c < K->cones; perp_cone_next(K, &c)) {
    if (K->dim) {
      split_contact(K, &c, p);
      continue;
    }
    p->mu[p->cones++] = K->mu[c.c];
    for (int k = 0; k < 3; k++)
      p->section[c.row + k] = 0;
  }
  return PERP_OK;
}

static const double *copy_reals(const order *o, const double *from, int power)
{
  const int n = o->p->K.n;
  double *to = perp_arena_alloc(o->arena, (size_t)n, sizeof *to);
  for (int k = 0; to && k < n; k++)
    to[k] = power > 0 ? from[o->row[k]] * unit_of(o, k) : from[o->row[k]] / unit_of(o, k);
  return to;
}

/* Bounds and friction indices. A friction row of the caller's may follow a row of a contact, whose
 * unit then goes into its bounds. */
static perp_error order_set(const order *o, const pieces *p, perp_set *to, perp_message *why)
{
  const perp_set *K = &o->p->K;
  double *lo, *hi;
  int *findex, *disc;
  bool *inside;
  perp_reduction *reduction;
  if (!PERP_TAKE(o->arena, PERP_ARRAY(lo, K->n), PERP_ARRAY(hi, K->n), PERP_ARRAY(findex, K->n),
                 PERP_ARRAY(disc, K->n), PERP_ARRAY(inside, K->n), PERP_ARRAY(reduction, 1)))
    return no_memory(o, why);
  *reduction = (perp_reduction){p->discs ? disc : NULL, K, o->place, o->d, inside};
  for (int k = 0; k < K->n; k++) {
    const int i = o->row[k], j = K->findex ? K->findex[i] : -1;
    const bool fixed = p->normal[i] == FIXED;
    lo[k] = fixed ? 0 : perp_set_lo(K, i);
    hi[k] = fixed ? 0 : perp_set_hi(K, i);
    findex[k] = -1;
    disc[k] = p->disc[i];
    inside[k] = fixed || p->section[i] < 2;
    if (p->section[i] == 1) {
      lo[k] = p->normal[i] < 0 ? 0 : -p->bound[i];
      hi[k] = p->normal[i] < 0 ? INFINITY : p->bound[i];
      findex[k] = p->normal[i] < 0 ? -1 : o->place[p->normal[i]];
    } else if (j >= 0 && p->section[i] == 2) {
      if (p->normal[j] >= 0)
        return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                         "findex[%d] = %d is a tangent of a contact whose friction depends on its "
                         "own normal: no method takes it",
                         i, j);
      findex[k] = o->place[j];
      lo[k] = perp_bound_times(lo[k], p->d[j]);
      hi[k] = perp_bound_times(hi[k], p->d[j]);
    }
  }
  const bool rows = p->split || K->findex;
  *to = (perp_set){.n = K->n,
                   .lo = p->split || K->lo ? lo : NULL,
                   .hi = p->split || K->hi ? hi : NULL,
                   .findex = rows ? findex : NULL,
                   .mu = p->mu,
                   .cones = p->cones,
                   .reserved = {p->split ? reduction : NULL}};
  return PERP_OK;
}

/* ---- The problem ---- */

static bool observe(void *context, const perp_progress *progress)
{
  const perp_ordered *o = context;
  perp_progress shown = *progress;
  if (progress->x) {
    perp_ordered_return(o, progress->x, 1, o->seen);
    shown.x = o->seen;
  }
  return o->callers->observer(o->callers->observer_context, &shown);
}

perp_error perp_ordered_begin(const perp_problem *p, const perp_options *options, const double *x,
                              perp_arena *arena, perp_ordered_copy *copy, perp_ordered *o,
                              perp_message *why)
{
  const perp_set *K = &p->K;
  const size_t n = (size_t)K->n;
  order how = {.p = p, .arena = arena};
  pieces parts = {0};
  *o = (perp_ordered){.options = *options, .callers = options};
  double *d;
  if (take_apart(K, arena, &parts) ||
      !PERP_TAKE(arena, PERP_ARRAY(how.row, n), PERP_ARRAY(how.place, n), PERP_ARRAY(d, n),
                 PERP_ARRAY(o->seen, n)))
    return no_memory(&how, why);
  int count = 0;
  for (int section = 0; section < 3; section++) {
    for (int i = 0; i < K->n; i++)
      if (parts.section[i] == section) {
        how.place[i] = count;
        d[count] = parts.d[i];
        how.row[count++] = i;
      }
    if (section < 2)
      how.end[section] = count;
  }
  o->row = how.row;
  o->d = how.d = parts.scaled ? d : NULL;
  o->same = !parts.scaled && p->A->table->has_rows;
  for (int i = 0; i < K->n && o->same; i++)
    o->same = how.row[i] == i;
  if (options->observer) {
    o->options.observer = observe;
    o->options.observer_context = o;
  }
  o->problem.b = copy_reals(&how, p->b, 1);
  o->x = (double *)copy_reals(&how, x, -1);
  if (!o->problem.b || !o->x)
    return no_memory(&how, why);
  perp_error error = order_set(&how, &parts, &o->problem.K, why);
  o->kept = copy && p->A->values != 0;
  if (!error && !o->kept)
    error = order_matrix(&how, options->memory_limit, &o->A, why);
  else if (!error && !copy_serves(copy, &how, &o->problem.K))
    error = fill_copy(copy, &how, &o->problem.K, options->memory_limit, why);
  o->problem.A = o->kept ? copy->A : o->A;
  return error;
}

void perp_ordered_return(const perp_ordered *o, const double *from, int power, double *to)
{
  for (int k = 0; k < o->problem.K.n; k++) {
    const double unit = o->d ? o->d[k] : 1;
    to[o->row[k]] = power > 0 ? from[k] * unit : from[k] / unit;
  }
}

void perp_ordered_end(perp_ordered *o)
{
  perp_operator_destroy(o->A);
  o->A = NULL;
}
