/* evaluate.c: bodies and their gradients, by reverse differentiation
 *
 * A gradient takes a few times as long as the body. A defined variable is computed once for all
 * rows; its adjoint is spread for each row that depends on it, the last definition first, since
 * definitions use only earlier ones. */
#include "model/nl/nl.h"

#include <stdlib.h>

bool nl_work_take(const perp_nl *model, perp_arena *arena, nl_work *w)
{
  const size_t nodes = (size_t)model->most_nodes + 1;
  return PERP_TAKE_REALS(arena, nodes, &w->value, &w->adjoint, &w->argument, &w->partial) &&
         PERP_TAKE_ZERO_REALS(arena, (size_t)model->defined + 1, &w->defined,
                              &w->defined_adjoint) &&
         PERP_TAKE_ZERO_REALS(arena, (size_t)model->n + 1, &w->gradient);
}

static void take_arguments(const perp_nl *model, nl_work *w, nl_range r, const nl_node *node)
{
  for (int k = 0; k < node->count; k++)
    w->argument[k] = w->value[model->argument[node->at + k] - r.first];
}

/* Computes the values of all nodes; returns the first. */
static double values(const perp_nl *model, nl_work *w, const double *x, nl_range r)
{
  for (int64_t k = r.end - 1; k >= r.first; k--) {
    const nl_node *node = model->node + k;
    double value;
    if (node->op == NL_NUMBER) {
      value = model->constant[node->at];
    } else if (node->op == NL_VARIABLE) {
      value = node->at < model->n ? x[node->at] : w->defined[node->at - model->n];
    } else {
      take_arguments(model, w, r, node);
      value = nl_operator_value(node->op, node->count, w->argument);
    }
    w->value[k - r.first] = value;
  }
  return r.end > r.first ? w->value[0] : 0;
}

/* Adds weight times the gradient of an expression, whose values are known. */
static void spread(const perp_nl *model, nl_work *w, nl_range r, double weight)
{
  for (int64_t k = r.first; k < r.end; k++)
    w->adjoint[k - r.first] = 0;
  w->adjoint[0] = weight;
  for (int64_t k = r.first; k < r.end; k++) {
    const nl_node *node = model->node + k;
    const double adjoint = w->adjoint[k - r.first];
    if (adjoint == 0 || node->op == NL_NUMBER)
      continue; /* a branch that is not taken may have an infinite slope */
    if (node->op == NL_VARIABLE) {
      *(node->at < model->n ? w->gradient + node->at
                            : w->defined_adjoint + (node->at - model->n)) += adjoint;
      continue;
    }
    take_arguments(model, w, r, node);
    nl_operator_partials(node->op, node->count, w->argument, w->value[k - r.first], w->partial);
    for (int j = 0; j < node->count; j++) {
      const int to = model->argument[node->at + j];
      if (model->node[to].op != NL_NUMBER && w->partial[j] != 0)
        w->adjoint[to - r.first] += adjoint * w->partial[j];
    }
  }
}

static double dot(const nl_rows *rows, int i, const nl_work *w, const perp_nl *model,
                  const double *x)
{
  double sum = 0;
  for (int64_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
    const int j = rows->column[e];
    if (rows->value[e] != 0)
      sum += rows->value[e] * (j < model->n ? x[j] : w->defined[j - model->n]);
  }
  return sum;
}

void nl_prepare(const perp_nl *model, nl_work *w, const double *x)
{
  for (int k = 0; k < model->defined; k++) {
    const int v = model->order[k];
    w->defined[v] = values(model, w, x, model->variable[v]) + dot(&model->V, v, w, model, x);
  }
}

static nl_range range_of(const perp_nl *model, int i)
{
  return i < model->m ? model->row[i] : model->objective[i - model->m];
}

double nl_body(const perp_nl *model, nl_work *w, const double *x, int i)
{
  const bool row = i < model->m;
  return values(model, w, x, range_of(model, i)) +
         dot(row ? &model->J : &model->G, row ? i : i - model->m, w, model, x);
}

void nl_term_gradient(const perp_nl *model, nl_work *w, const double *x, nl_range term,
                      double weight)
{
  values(model, w, x, term);
  spread(model, w, term, weight);
}

void nl_nonlinear_gradient(const perp_nl *model, nl_work *w, const double *x, int i)
{
  nl_term_gradient(model, w, x, range_of(model, i), 1);
  for (int64_t e = model->use_start[i]; e < model->use_start[i + 1]; e++) {
    const int v = model->order[model->use[e]];
    const double adjoint = w->defined_adjoint[v];
    w->defined_adjoint[v] = 0;
    if (adjoint == 0)
      continue;
    for (int64_t k = model->V.start[v]; k < model->V.start[v + 1]; k++) {
      const int j = model->V.column[k];
      *(j < model->n ? w->gradient + j : w->defined_adjoint + (j - model->n)) +=
          adjoint * model->V.value[k];
    }
    nl_term_gradient(model, w, x, model->variable[v], adjoint);
  }
}

void nl_row_gradient(const perp_nl *model, nl_work *w, const double *x, int at, double *out)
{
  const nl_rows *rows = &model->J;
  if (!nl_is_linear(model, at))
    nl_nonlinear_gradient(model, w, x, at);
  for (int64_t e = rows->start[at]; e < rows->start[at + 1]; e++) {
    const int j = rows->column[e];
    out[e - rows->start[at]] = rows->value[e] + w->gradient[j];
    w->gradient[j] = 0;
  }
}

bool nl_is_linear(const perp_nl *model, int i)
{
  const nl_range r = range_of(model, i);
  for (int64_t k = r.first; k < r.end; k++)
    if (model->node[k].op == NL_VARIABLE)
      return false;
  return true;
}

/* ---- Patterns ---- */

typedef struct linker {
  perp_nl *model;
  int *seen_use, *seen_variable; /* the last tag that met it */
  int *uses, *columns, *place;   /* place: of a defined variable in the order */
  int use_count, column_count, tag;
} linker;

static void meet(linker *l, int variable)
{
  const int n = l->model->n;
  int *seen = variable < n ? l->seen_variable + variable : l->seen_use + (variable - n);
  if (*seen == l->tag)
    return;
  *seen = l->tag;
  if (variable < n)
    l->columns[l->column_count++] = variable;
  else
    l->uses[l->use_count++] = variable - n;
}

static void meet_range(linker *l, nl_range r)
{
  for (int64_t k = r.first; k < r.end; k++)
    if (l->model->node[k].op == NL_VARIABLE)
      meet(l, l->model->node[k].at);
}

static int ascending(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int descending(const void *a, const void *b)
{
  return ascending(b, a);
}

/* Collects the variables of the nonlinear part of row i, ascending, and the places of its defined
 * variables, descending. */
static void collect(linker *l, int i)
{
  const perp_nl *model = l->model;
  l->use_count = l->column_count = 0;
  l->tag++;
  meet_range(l, range_of(model, i));
  for (int k = 0; k < l->use_count; k++) { /* the list grows */
    const int v = l->uses[k];
    meet_range(l, model->variable[v]);
    for (int64_t e = model->V.start[v]; e < model->V.start[v + 1]; e++)
      meet(l, model->V.column[e]);
  }
  for (int k = 0; k < l->use_count; k++)
    l->uses[k] = l->place[l->uses[k]];
  qsort(l->uses, (size_t)l->use_count, sizeof *l->uses, descending);
  qsort(l->columns, (size_t)l->column_count, sizeof *l->columns, ascending);
}

/* Merges the columns of the nonlinear part and of row `at`. Returns the number of entries,
 * and writes them from to->start[at] on, unless to->column is NULL. */
static int64_t merge(const linker *l, const nl_rows *from, int at, const nl_rows *to)
{
  int64_t e = from->start[at], count = 0;
  for (int k = 0; e < from->start[at + 1] || k < l->column_count; count++) {
    const bool linear =
        e < from->start[at + 1] && (k == l->column_count || from->column[e] <= l->columns[k]);
    const bool other = k < l->column_count && (!linear || from->column[e] == l->columns[k]);
    if (to->column) {
      const int64_t place = to->start[at] + count;
      to->column[place] = linear ? from->column[e] : l->columns[k];
      to->value[place] = linear ? from->value[e] : 0;
      to->nonlinear[place] = other;
    }
    e += linear;
    k += other;
  }
  return count;
}

static bool take_entries(perp_arena *memory, nl_rows *rows, int count)
{
  const int64_t entries = rows->start[count];
  return PERP_TAKE(memory, PERP_ARRAY(rows->column, entries), PERP_ARRAY(rows->value, entries),
                   PERP_ARRAY(rows->nonlinear, entries));
}

static bool link_rows(linker *l)
{
  perp_nl *model = l->model;
  const int total = model->m + model->objectives;
  nl_rows rows[2] = {{0}};
  if (!PERP_TAKE_ZERO(&model->memory, PERP_ARRAY(model->use_start, total + 1),
                      PERP_ARRAY(rows[0].start, model->m + 1),
                      PERP_ARRAY(rows[1].start, model->objectives + 1)))
    return false;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < total; i++) {
      const int second = i >= model->m, at = second ? i - model->m : i;
      collect(l, i);
      const int64_t count = merge(l, second ? &model->G : &model->J, at, rows + second);
      if (pass == 0) {
        rows[second].start[at + 1] = rows[second].start[at] + count;
        model->use_start[i + 1] = model->use_start[i] + l->use_count;
      }
      for (int k = 0; pass && k < l->use_count; k++)
        model->use[model->use_start[i] + k] = l->uses[k];
    }
    if (pass == 0 && (!take_entries(&model->memory, rows, model->m) ||
                      !take_entries(&model->memory, rows + 1, model->objectives) ||
                      !PERP_TAKE(&model->memory, PERP_ARRAY(model->use, model->use_start[total]))))
      return false;
  }
  model->J = rows[0];
  model->G = rows[1];
  return true;
}

perp_error nl_link(perp_nl *model, perp_message *why)
{
  perp_arena scratch = {0};
  linker l = {.model = model};
  const size_t n = (size_t)model->n + 1, defined = (size_t)model->defined + 1;
  bool fine = PERP_TAKE_ZERO(&scratch, PERP_ARRAY(l.seen_use, defined), PERP_ARRAY(l.uses, defined),
                             PERP_ARRAY(l.place, defined), PERP_ARRAY(l.seen_variable, n),
                             PERP_ARRAY(l.columns, n));
  for (int k = 0; fine && k < model->defined; k++)
    l.place[model->order[k]] = k;
  fine = fine && link_rows(&l);
  perp_arena_free(&scratch);
  return fine ? PERP_OK
              : perp_fail(why, PERP_ERROR_MEMORY, "%s.nl: out of memory for its Jacobian",
                          model->path);
}

/* ---- Public ---- */

perp_error perp_nl_evaluate(const perp_nl *model, const double *x, double *bodies,
                            perp_message *why)
{
  perp_arena memory = {0};
  nl_work work;
  const bool fine = nl_work_take(model, &memory, &work);
  if (fine)
    nl_prepare(model, &work, x);
  for (int i = 0; fine && i < model->m; i++)
    bodies[i] = nl_body(model, &work, x, i);
  perp_arena_free(&memory);
  return fine ? PERP_OK : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", model->m);
}

perp_error perp_nl_gradient(const perp_nl *model, const double *x, const double *weights,
                            double *gradient, perp_message *why)
{
  perp_arena memory = {0};
  nl_work work;
  double *values = NULL;
  const bool fine = nl_work_take(model, &memory, &work) &&
                    PERP_TAKE_REALS(&memory, (size_t)model->n + 1, &values);
  if (fine)
    nl_prepare(model, &work, x);
  for (int j = 0; fine && j < model->n; j++)
    gradient[j] = 0;
  for (int i = 0; fine && i < model->m; i++) {
    nl_row_gradient(model, &work, x, i, values);
    for (int64_t e = model->J.start[i]; e < model->J.start[i + 1]; e++)
      gradient[model->J.column[e]] += weights[i] * values[e - model->J.start[i]];
  }
  perp_arena_free(&memory);
  return fine ? PERP_OK : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", model->m);
}
