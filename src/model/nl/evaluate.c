/* evaluate.c: bodies and their gradients, by reverse differentiation
 *
 * A gradient takes a few times as long as the body. A defined variable is computed once for all
 * rows; its adjoint is spread for each row that depends on it, the last definition first, since
 * definitions use only earlier ones. */
#include "model/nl/nl.h"

bool nl_work_take(const perp_nl *model, perp_arena *arena, nl_work *w)
{
  const size_t nodes = (size_t)model->most_nodes + 1;
  return PERP_TAKE_REALS(arena, nodes, &w->value, &w->adjoint, &w->argument, &w->partial) &&
         PERP_TAKE_ZERO_REALS(arena, (size_t)model->defined + 1, &w->defined,
                              &w->defined_adjoint) &&
         PERP_TAKE_ZERO_REALS(arena, (size_t)model->n + 1, &w->gradient);
}

static void take_arguments(const perp_nl *model, nl_work *w, nl_range r, int64_t k)
{
  int64_t from = k + 1;
  for (int j = 0; j < model->node[k].count; j++, from = nl_after(model->node, from))
    w->argument[j] = w->value[from - r.first];
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
      take_arguments(model, w, r, k);
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
    take_arguments(model, w, r, k);
    nl_operator_partials(node->op, node->count, w->argument, w->value[k - r.first], w->partial);
    int64_t to = k + 1;
    for (int j = 0; j < node->count; j++, to = nl_after(model->node, to))
      if (model->node[to].op != NL_NUMBER && w->partial[j] != 0)
        w->adjoint[to - r.first] += adjoint * w->partial[j];
  }
}

/* Row i of J times (x, defined variables). */
static double dot(const perp_nl *model, int i, const nl_work *w, const double *x)
{
  const perp_mtx *J = &model->J;
  double sum = 0;
  for (int64_t e = J->start[i]; e < J->start[i + 1]; e++) {
    const int j = J->column[e];
    if (J->value[e] != 0)
      sum += J->value[e] * (j < model->n ? x[j] : w->defined[j - model->n]);
  }
  return sum;
}

double nl_body(const perp_nl *model, nl_work *w, const double *x, int i)
{
  return values(model, w, x, model->body[i]) + dot(model, i, w, x);
}

void nl_prepare(const perp_nl *model, nl_work *w, const double *x)
{
  for (int k = 0; k < model->defined; k++)
    w->defined[model->order[k]] = nl_body(model, w, x, nl_definition(model, model->order[k]));
}

void nl_term_gradient(const perp_nl *model, nl_work *w, const double *x, nl_range term,
                      double weight)
{
  values(model, w, x, term);
  spread(model, w, term, weight);
}

void nl_nonlinear_gradient(const perp_nl *model, nl_work *w, const double *x, int i)
{
  const perp_mtx *J = &model->J, *use = &model->use;
  nl_term_gradient(model, w, x, model->body[i], 1);
  for (int64_t e = use->start[i + 1] - 1; e >= use->start[i]; e--) {
    const int v = model->order[use->column[e]], at = nl_definition(model, v);
    const double adjoint = w->defined_adjoint[v];
    w->defined_adjoint[v] = 0;
    if (adjoint == 0)
      continue;
    for (int64_t k = J->start[at]; k < J->start[at + 1]; k++) {
      const int j = J->column[k];
      *(j < model->n ? w->gradient + j : w->defined_adjoint + (j - model->n)) +=
          adjoint * J->value[k];
    }
    nl_term_gradient(model, w, x, model->body[at], adjoint);
  }
}

void nl_row_gradient(const perp_nl *model, nl_work *w, const double *x, int at, double *out)
{
  const perp_mtx *rows = &model->J;
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
  return model->nonlinear.start[i] == model->nonlinear.start[i + 1] &&
         model->use.start[i] == model->use.start[i + 1];
}

/* ---- Patterns ---- */

typedef struct linker {
  const perp_nl *model;
  const perp_mtx *definitions; /* linear parts of the defined variables */
  int *seen;                   /* of each variable: the last body that met it, + 1 */
  int *uses, use_count;        /* the defined variables of a body */
  int *place;                  /* of a defined variable in the order */
  perp_triplets *linear, nonlinear, use;
  bool fine;
} linker;

static void meet(linker *l, int body, int variable)
{
  const int n = l->model->n;
  if (l->seen[variable] == body + 1)
    return;
  l->seen[variable] = body + 1;
  if (variable >= n) {
    l->uses[l->use_count++] = variable - n;
    l->fine = l->fine && perp_triplets_push(&l->use, body, l->place[variable - n], 0);
  } else {
    l->fine = l->fine && perp_triplets_push(&l->nonlinear, body, variable, 0) &&
              perp_triplets_push(l->linear, body, variable, 0);
  }
}

static void meet_range(linker *l, int body, nl_range r)
{
  for (int64_t k = r.first; k < r.end; k++)
    if (l->model->node[k].op == NL_VARIABLE)
      meet(l, body, l->model->node[k].at);
}

/* Adds the variables of the nonlinear part of a row or objective, and its defined variables. */
static void collect(linker *l, int body)
{
  const perp_nl *model = l->model;
  const perp_mtx *V = l->definitions;
  l->use_count = 0;
  meet_range(l, body, model->body[body]);
  for (int k = 0; k < l->use_count; k++) { /* the list grows */
    const int at = nl_definition(model, l->uses[k]);
    meet_range(l, body, model->body[at]);
    for (int64_t e = V->start[at]; e < V->start[at + 1]; e++)
      meet(l, body, V->column[e]);
  }
}

bool nl_link(perp_nl *model, perp_triplets *linear)
{
  perp_arena scratch = {0};
  perp_mtx definitions = {0};
  linker l = {.model = model, .definitions = &definitions, .linear = linear};
  const int variables = model->n + model->defined, rows = model->m + model->objectives;
  l.fine = perp_mtx_compress(linear, model->bodies, variables, &definitions) &&
           PERP_TAKE_ZERO(&scratch, PERP_ARRAY(l.seen, variables),
                          PERP_ARRAY(l.uses, model->defined), PERP_ARRAY(l.place, model->defined));
  for (int k = 0; l.fine && k < model->defined; k++)
    l.place[model->order[k]] = k;
  for (int i = 0; l.fine && i < rows; i++)
    collect(&l, i);
  const bool fine = l.fine && perp_mtx_compress(linear, model->bodies, variables, &model->J) &&
                    perp_mtx_compress(&l.nonlinear, rows, model->n, &model->nonlinear) &&
                    perp_mtx_compress(&l.use, rows, model->defined, &model->use);
  if (fine)
    perp_mtx_merge(&model->J);
  perp_mtx_free(&definitions);
  perp_triplets_free(&l.nonlinear);
  perp_triplets_free(&l.use);
  perp_arena_free(&scratch);
  return fine;
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
