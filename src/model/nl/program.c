/* program.c: models with an objective: quadratic programs
 *
 * The objective is a sum of terms of degree 2. The gradient g of a quadratic term is affine, so that
 * column j of its Hessian is g(e_j) - g(0), in the variables of the term. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "model/nl/nl.h"

#include <stdio.h>
#include <string.h>

enum { NOT_QUADRATIC = 3 };

typedef struct quadratic {
  nl_solve *s;
  perp_arena memory;
  int *degree;      /* of the nodes of an expression; of the defined variables */
  int *defined;     /* */
  int *seen, *list; /* the variables of a term */
  int tag, count;
  double *weight, *q, *zero;
  perp_triplets entries; /* of P */
  perp_mtx P;
} quadratic;

/* ---- Degrees ---- */

static int degree_of_node(const perp_nl *model, const quadratic *c, nl_range r, int64_t at)
{
  const nl_node *node = model->node + at, *last = node;
  if (node->op == NL_NUMBER)
    return 0;
  if (node->op == NL_VARIABLE)
    return node->at < model->n ? 1 : c->defined[node->at - model->n];
  int most = 0, sum = 0;
  for (int64_t k = at + 1; k < node->at; k = nl_after(model->node, k)) {
    const int degree = c->degree[k - r.first];
    most = degree > most ? degree : most;
    sum += degree;
    last = model->node + k;
  }
  const int first = c->degree[at + 1 - r.first];
  const double exponent = last->op == NL_NUMBER ? model->constant[last->at] : -1;
  switch (node->op) {
  case NL_PLUS:
  case NL_MINUS:
  case NL_NEGATE:
  case NL_SUM:
    return most;
  case NL_TIMES:
    return sum < NOT_QUADRATIC ? sum : NOT_QUADRATIC;
  case NL_DIVIDE:
    return sum == first ? first : NOT_QUADRATIC;
  case NL_POWER:
    if (exponent == 1 || (exponent == 2 && first <= 1))
      return first * (int)exponent;
    return most == 0 ? 0 : NOT_QUADRATIC;
  default:
    return most == 0 ? 0 : NOT_QUADRATIC;
  }
}

static int degree_of(quadratic *c, nl_range r)
{
  const perp_nl *model = c->s->model;
  for (int64_t k = r.end - 1; k >= r.first; k--)
    c->degree[k - r.first] = degree_of_node(model, c, r, k);
  return r.end > r.first ? c->degree[0] : 0;
}

/* ---- Terms ---- */

static bool add(quadratic *c, int i, int j, double value)
{
  return value == 0 || perp_triplets_push(&c->entries, i, j, value);
}

static void meet(quadratic *c, int j)
{
  if (c->seen[j] != c->tag)
    c->list[c->count++] = j;
  c->seen[j] = c->tag;
}

/* Adds weight times a term of degree at most 2, whose variables are in the list; no term: the
 * nonlinear part of the objective. */
static bool add_term(quadratic *c, const nl_range *term, double weight)
{
  nl_solve *s = c->s;
  double *x = c->zero, *first = s->values, *g = s->work.gradient;
  bool fine = true;
  for (int k = -1; k < c->count && fine; k++) {
    if (k >= 0)
      x[c->list[k]] = 1;
    nl_prepare(s->model, &s->work, x);
    if (term)
      nl_term_gradient(s->model, &s->work, x, *term, weight);
    else
      nl_nonlinear_gradient(s->model, &s->work, x, s->model->m);
    if (k >= 0)
      x[c->list[k]] = 0;
    for (int l = 0; l < c->count && fine; l++) {
      const int i = c->list[l], j = k < 0 ? i : c->list[k];
      if (k < 0) {
        first[i] = g[i];
        c->q[i] += g[i];
      } else if (i <= j) {
        fine = add(c, i, j, g[i] - first[i]) && (i == j || add(c, j, i, g[i] - first[i]));
      }
      g[i] = 0;
    }
  }
  return fine;
}

/* Splits a sum into its terms. */
static bool add_terms(quadratic *c, nl_range r)
{
  const perp_nl *model = c->s->model;
  memset(c->weight, 0, (size_t)(r.end - r.first) * sizeof *c->weight);
  c->weight[0] = 1;
  for (int64_t k = r.first; k < r.end; k++) {
    const nl_node *node = model->node + k;
    const double here = c->weight[k - r.first];
    if (here == 0)
      continue;
    if (node->op == NL_PLUS || node->op == NL_MINUS || node->op == NL_SUM ||
        node->op == NL_NEGATE) {
      for (int64_t a = k + 1; a < node->at; a = nl_after(model->node, a))
        c->weight[a - r.first] =
            node->op == NL_NEGATE || (node->op == NL_MINUS && a > k + 1) ? -here : here;
      continue;
    }
    const nl_range term = {k, nl_after(model->node, k)};
    c->tag++;
    c->count = 0;
    for (int64_t t = term.first; t < term.end; t++)
      if (model->node[t].op == NL_VARIABLE)
        meet(c, model->node[t].at);
    if (!add_term(c, &term, here))
      return false;
  }
  return true;
}

/* ---- P and q ---- */

static bool compress(quadratic *c)
{
  const perp_nl *model = c->s->model;
  const perp_mtx *J = &model->J;
  const double sign = model->maximise ? -1 : 1;
  if (!perp_mtx_compress(&c->entries, model->n, model->n, &c->P))
    return false;
  perp_mtx_merge(&c->P);
  for (int64_t e = 0; e < c->P.entries; e++)
    c->P.value[e] *= sign;
  for (int64_t e = J->start[model->m]; e < J->start[model->m + 1]; e++)
    c->q[J->column[e]] += J->value[e];
  for (int j = 0; j < model->n; j++)
    c->q[j] *= sign;
  return true;
}

static perp_error refuse(const nl_solve *s, const char *what)
{
  return perp_fail(&s->result->message, PERP_ERROR_UNSUPPORTED,
                   "a nonlinear program: %s; Ipopt, CONOPT or KNITRO solve these", what);
}

static perp_error make(quadratic *c)
{
  nl_solve *s = c->s;
  const perp_nl *model = s->model;
  const nl_range objective = model->body[model->m];
  const size_t nodes = (size_t)model->most_nodes + 1, n = (size_t)model->n + 1;
  bool fine = PERP_TAKE_ZERO(&c->memory, PERP_ARRAY(c->degree, nodes), PERP_ARRAY(c->weight, nodes),
                             PERP_ARRAY(c->seen, n), PERP_ARRAY(c->list, n), PERP_ARRAY(c->q, n),
                             PERP_ARRAY(c->zero, n), PERP_ARRAY(c->defined, model->defined + 1));
  for (int k = 0; fine && k < model->defined; k++) {
    const int v = model->order[k], at = nl_definition(model, v);
    c->defined[v] = degree_of(c, model->body[at]);
    if (c->defined[v] < 1 && model->J.start[at] < model->J.start[at + 1])
      c->defined[v] = 1;
  }
  if (fine && degree_of(c, objective) >= NOT_QUADRATIC)
    return refuse(s, "its objective is not quadratic");
  if (fine && model->use.start[model->m] < model->use.start[model->m + 1]) {
    for (int64_t e = model->nonlinear.start[model->m]; e < model->nonlinear.start[model->m + 1];
         e++)
      c->list[c->count++] = model->nonlinear.column[e];
    fine = add_term(c, NULL, 1);
  } else if (fine && objective.end > objective.first) {
    fine = add_terms(c, objective);
  }
  return fine && compress(c)
             ? PERP_OK
             : perp_fail(&s->result->message, PERP_ERROR_MEMORY, "out of memory for the objective");
}

/* ---- The solve ---- */

static perp_error solve_quadratic(nl_solve *s, const quadratic *c, const perp_operator *P)
{
  const perp_nl *model = s->model;
  perp_nl_result *r = s->result;
  double *L, *U, *z;
  if (!PERP_TAKE_REALS(&s->memory, (size_t)model->m + 1, &L, &U, &z))
    return perp_fail(&r->message, PERP_ERROR_MEMORY, "out of memory for %d rows", model->m);
  perp_fill(model->n, 0, s->x);
  for (int i = 0; i < model->m; i++) { /* bodies may have a constant */
    const double constant = nl_body(model, &s->work, s->x, i);
    L[i] = model->L[i] - constant;
    U[i] = model->U[i] - constant;
  }
  perp_qp qp = perp_qp_default();
  qp.n = model->n;
  qp.m = model->m;
  qp.P = P;
  qp.q = c->q;
  qp.G_start = model->J.start;
  qp.G_column = model->J.column;
  qp.G_value = model->J.value;
  qp.l = L;
  qp.u = U;
  qp.lb = model->lo;
  qp.ub = model->hi;
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.tol = s->options.tol < 1e-8 ? s->options.tol : 1e-8;
  options.max_iterations = s->options.max_iterations;
  options.time_limit = s->options.time_limit;
  options.interrupted = s->options.interrupted;
  options.interrupted_context = s->options.interrupted_context;
  options.logger = s->options.logger;
  options.logger_context = s->options.logger_context;
  options.verbose = s->options.verbose;
  options.z = z;
  const perp_error error = perp_qp_solve(s->options.method, &qp, &options, s->best, &result);
  r->message = result.message;
  if (error)
    return error;
  if (result.outcome == PERP_NOT_CONVEX)
    return refuse(s, "its objective is not convex");
  s->outcome = result.outcome;
  r->method = result.method;
  r->n = model->n;
  r->nonzeros = model->J.start[model->m];
  r->iterations = result.counts.iterations;
  r->residual =
      perp_max(perp_max(result.primal, result.dual), perp_max(result.gap, result.complementarity));
  r->objective = nl_body(model, &s->work, s->best, model->m);
  for (int i = 0; i < model->m; i++) /* AMPL: the gradient of the objective is J^T y */
    s->y[i] = model->maximise ? z[i] : -z[i];
  perp_fail(&r->message, PERP_OK, "%s: objective %.10g, residual %.3g, %lld iterations, %s",
            perp_outcome_name(s->outcome), r->objective, r->residual, (long long)r->iterations,
            r->method);
  return PERP_OK;
}

perp_error nl_solve_program(nl_solve *s)
{
  const perp_nl *model = s->model;
  quadratic c = {.s = s};
  perp_operator *P = NULL;
  s->result->kind = "qp";
  for (int i = 0; i < model->m; i++)
    if (!nl_is_linear(model, i)) {
      perp_message row;
      char what[160];
      perp_nl_row_name(model, i, &row);
      snprintf(what, sizeof what, "the row %.100s is not linear", row.text);
      return refuse(s, what);
    }
  perp_error error = make(&c);
  if (!error && c.P.entries > 0)
    error = perp_operator_csr(model->n, c.P.start, c.P.column, c.P.value, PERP_BORROW, &P,
                              &s->result->message);
  nl_prepare(model, &s->work, model->start);
  if (!error)
    error = solve_quadratic(s, &c, P);
  perp_operator_destroy(P);
  perp_triplets_free(&c.entries);
  perp_mtx_free(&c.P);
  perp_arena_free(&c.memory);
  return error;
}
