/* cones_first.c: reorders the rows of a problem so that its cones come first, as methods require
 *
 * Rows of cones come first, then the others; both keep their order. So the columns of a row stay
 * ascending if the columns in cones are written first. A contact operator stays one, with its rows
 * of J and C in the new order; an operator with rows becomes compressed rows; an operator that has
 * only products is wrapped. */
#include "method/run/cones_first.h"

#include "linalg/vector.h"
#include "operator/operator.h"
#include "set/set.h"

#include <string.h>

typedef struct order {
  const perp_problem *p;
  perp_arena *arena;
  const int *row, *place; /* row k is row[k] of the caller's; place is the inverse */
  int front;              /* rows of cones */
} order;

/* ---- The matrix ---- */

/* Copies row i of the caller's in the new order. Returns the number of its entries. */
static int64_t copy_row(const order *o, int64_t count, const int *column, const double *value,
                        int *to_column, double *to_value)
{
  int64_t used = 0;
  for (int behind = 0; behind < 2; behind++)
    for (int64_t e = 0; e < count; e++)
      if ((o->place[column[e]] >= o->front) == behind) {
        to_column[used] = o->place[column[e]];
        to_value[used++] = value[e];
      }
  return used;
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
      copy_row(o, count, column + first, value + first, c + s[k], v + s[k]);
    for (int64_t e = 0; !columns && e < count; e++) {
      c[s[k] + e] = column[first + e];
      v[s[k] + e] = value[first + e];
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
  const int *row;
  double *x, *y;
  perp_work work;
} wrapped;

static int end_product(const wrapped *w, int failures, double *y)
{
  for (int k = 0; k < w->A->n; k++)
    y[k] = w->y[w->row[k]];
  return perp_operator_failures(w->A) == failures ? 0 : w->A->failures->code;
}

static void begin_product(const wrapped *w, const double *x)
{
  for (int k = 0; k < w->A->n; k++)
    w->x[w->row[k]] = x[k];
}

static int apply(void *context, const double *x, double *y)
{
  const wrapped *w = context;
  const int failures = perp_operator_failures(w->A);
  begin_product(w, x);
  w->A->table->apply(w->A, w->x, w->y, &w->work);
  return end_product(w, failures, y);
}

static int apply_t(void *context, const double *x, double *y)
{
  const wrapped *w = context;
  const int failures = perp_operator_failures(w->A);
  begin_product(w, x);
  w->A->table->apply_t(w->A, w->x, w->y, &w->work);
  return end_product(w, failures, y);
}

static int diagonal(void *context, double *d)
{
  const wrapped *w = context;
  const int failures = perp_operator_failures(w->A);
  w->A->table->diagonal(w->A, w->y);
  return end_product(w, failures, d);
}

static perp_error order_products(const order *o, perp_operator **A, perp_message *why)
{
  const perp_operator *base = o->p->A;
  const size_t n = (size_t)base->n;
  wrapped *w = perp_arena_alloc(o->arena, 1, sizeof *w);
  double *numbers = perp_arena_alloc(o->arena, 2 * n + base->scratch, sizeof *numbers);
  if (!w || !numbers)
    return no_memory(o, why);
  *w = (wrapped){base, o->row, numbers, numbers + n, {1, numbers + 2 * n}};
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

/* ---- The problem ---- */

static const double *copy_reals(const order *o, const double *from)
{
  const int n = o->p->K.n;
  double *to = perp_arena_alloc(o->arena, (size_t)n, sizeof *to);
  for (int k = 0; to && k < n; k++)
    to[k] = from[o->row[k]];
  return to;
}

static bool observe(void *context, const perp_progress *progress)
{
  const perp_ordered *o = context;
  perp_progress shown = *progress;
  if (progress->x) {
    perp_ordered_return(o, progress->x, o->seen);
    shown.x = o->seen;
  }
  return o->callers->observer(o->callers->observer_context, &shown);
}

static perp_error order_set(const order *o, const perp_set *K, perp_set *to, perp_message *why)
{
  *to = (perp_set){.n = K->n, .mu = K->mu, .cones = K->cones};
  to->lo = K->lo ? copy_reals(o, K->lo) : NULL;
  to->hi = K->hi ? copy_reals(o, K->hi) : NULL;
  int *findex = perp_arena_alloc(o->arena, (size_t)K->n, sizeof *findex);
  for (int k = 0; K->findex && findex && k < K->n; k++)
    findex[k] = K->findex[o->row[k]] >= 0 ? o->place[K->findex[o->row[k]]] : -1;
  to->findex = K->findex ? findex : NULL;
  return (K->lo && !to->lo) || (K->hi && !to->hi) || !findex ? no_memory(o, why) : PERP_OK;
}

perp_error perp_ordered_begin(const perp_problem *p, const perp_options *options, const double *x,
                              perp_arena *arena, perp_ordered *o, perp_message *why)
{
  const perp_set *K = &p->K;
  const size_t n = (size_t)K->n;
  int *row = perp_arena_alloc(arena, 2 * n, sizeof *row), *place = row ? row + n : NULL;
  order how = {p, arena, row, place, 3 * K->cones};
  *o = (perp_ordered){
      .options = *options,
      .row = row,
      .callers = options,
      .seen = perp_arena_alloc(arena, n, sizeof *o->seen),
  };
  if (!row || !o->seen)
    return no_memory(&how, why);
  int count = 0;
  for (int c = 0; c < K->cones; c++)
    for (int k = 0; k < 3; k++)
      row[count++] = perp_set_cone_row(K, c) + k;
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    row[count++] = r.i;
  for (int k = 0; k < K->n; k++)
    place[row[k]] = k;
  if (options->observer) {
    o->options.observer = observe;
    o->options.observer_context = o;
  }
  o->problem.b = copy_reals(&how, p->b);
  o->x = (double *)copy_reals(&how, x);
  if (!o->problem.b || !o->x)
    return no_memory(&how, why);
  perp_error error = order_set(&how, K, &o->problem.K, why);
  if (!error)
    error = order_matrix(&how, options->memory_limit, &o->A, why);
  o->problem.A = o->A;
  return error;
}

void perp_ordered_return(const perp_ordered *o, const double *from, double *to)
{
  for (int k = 0; k < o->problem.K.n; k++)
    to[o->row[k]] = from[k];
}

void perp_ordered_end(perp_ordered *o)
{
  perp_operator_destroy(o->A);
  o->A = NULL;
}
