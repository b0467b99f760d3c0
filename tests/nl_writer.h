/* nl_writer.h: models of .nl files, written in text and in binary, and evaluated
 *
 * The writer follows D. M. Gay, "Writing .nl files"; it shares no code with the reader. Values and
 * derivatives are computed forward, by dual numbers. */
#pragma once

#include "test.h"

#include <stdint.h>

enum { W_NODES = 4000, W_MOST = 400, W_TERMS = 40 };
enum { W_NUMBER = -1, W_VARIABLE = -2 };

typedef struct w_node {
  int op, count, argument[4];
  double value;
  int variable;
} w_node;

typedef struct w_row {
  int body; /* a node, or -1: 0 */
  int terms, column[W_TERMS];
  double coefficient[W_TERMS];
  int kind; /* 0 to 5 */
  double lo, hi;
  int k, partner;
} w_row;

typedef struct w_model {
  int n, m, nodes;
  w_node node[W_NODES];
  w_row row[W_MOST];
  double lo[W_MOST], hi[W_MOST], start[W_MOST];
  bool objective; /* JuMP: one objective, a constant */
  w_row goal;     /* if goal.kind is 1: a real objective */
  bool names, binary, comments;
  int defined; /* of the nodes: written as V segments, in order */
  int defined_node[8];
} w_model;

static int w_number(w_model *m, double value)
{
  m->node[m->nodes] = (w_node){.op = W_NUMBER, .value = value};
  return m->nodes++;
}

static int w_variable(w_model *m, int j)
{
  m->node[m->nodes] = (w_node){.op = W_VARIABLE, .variable = j};
  return m->nodes++;
}

static int w_apply(w_model *m, int op, int count, int a, int b, int c)
{
  m->node[m->nodes] = (w_node){.op = op, .count = count, .argument = {a, b, c}};
  return m->nodes++;
}

/* ---- Values and one directional derivative ---- */

typedef struct w_dual {
  double v, d;
} w_dual;

static w_dual w_evaluate(const w_model *m, int at, const double *x, const double *dx)
{
  const w_node *n = m->node + at;
  if (n->op == W_NUMBER)
    return (w_dual){n->value, 0};
  if (n->op == W_VARIABLE)
    return (w_dual){x[n->variable], dx[n->variable]};
  w_dual a[4] = {{0, 0}};
  for (int k = 0; k < n->count; k++)
    a[k] = w_evaluate(m, n->argument[k], x, dx);
  const double v = a[0].v, d = a[0].d, w = a[1].v, e = a[1].d;
  switch (n->op) {
  case 0:
    return (w_dual){v + w, d + e};
  case 1:
    return (w_dual){v - w, d - e};
  case 2:
    return (w_dual){v * w, d * w + v * e};
  case 3:
    return (w_dual){v / w, (d * w - v * e) / (w * w)};
  case 5:
    return (w_dual){pow(v, w), (e != 0 ? e * log(v) * pow(v, w) : 0) + w * pow(v, w - 1) * d};
  case 11:
    return v <= w ? a[0] : a[1];
  case 12:
    return v >= w ? a[0] : a[1];
  case 15:
    return (w_dual){fabs(v), v < 0 ? -d : d};
  case 16:
    return (w_dual){-v, -d};
  case 22:
    return (w_dual){v < w, 0};
  case 35:
    return v != 0 ? a[1] : a[2];
  case 37:
    return (w_dual){tanh(v), d / (cosh(v) * cosh(v))};
  case 38:
    return (w_dual){tan(v), d / (cos(v) * cos(v))};
  case 39:
    return (w_dual){sqrt(v), d / (2 * sqrt(v))};
  case 40:
    return (w_dual){sinh(v), d * cosh(v)};
  case 41:
    return (w_dual){sin(v), d * cos(v)};
  case 42:
    return (w_dual){log10(v), d / (v * log(10.0))};
  case 43:
    return (w_dual){log(v), d / v};
  case 44:
    return (w_dual){exp(v), d * exp(v)};
  case 45:
    return (w_dual){cosh(v), d * sinh(v)};
  case 46:
    return (w_dual){cos(v), -d * sin(v)};
  case 49:
    return (w_dual){atan(v), d / (1 + v * v)};
  case 50:
    return (w_dual){asinh(v), d / sqrt(1 + v * v)};
  case 54:
    return (w_dual){v + w + a[2].v, d + e + a[2].d};
  default:
    test_fail(__FILE__, __LINE__, "no operator %d", n->op);
  }
}

static w_dual w_body(const w_model *m, const w_row *r, const double *x, const double *dx)
{
  w_dual sum = r->body < 0 ? (w_dual){0, 0} : w_evaluate(m, r->body, x, dx);
  for (int k = 0; k < r->terms; k++) {
    sum.v += r->coefficient[k] * x[r->column[k]];
    sum.d += r->coefficient[k] * dx[r->column[k]];
  }
  return sum;
}

/* The residual of the model, from its definition: each row in words. */
static double w_judge(const w_model *m, const double *x)
{
  double worst = 0, dx[W_MOST] = {0};
  for (int j = 0; j < m->n; j++)
    worst = fmax(worst, fmax(m->lo[j] - x[j], x[j] - m->hi[j]));
  for (int i = 0; i < m->m; i++) {
    const w_row *r = m->row + i;
    const double c = w_body(m, r, x, dx).v;
    if (!isfinite(c))
      return INFINITY;
    if (r->kind != 5) {
      worst = fmax(worst, fmax(r->lo - c, c - r->hi));
      continue;
    }
    const double v = x[r->partner], below = v - m->lo[r->partner], above = m->hi[r->partner] - v;
    worst = fmax(worst, r->k == 0   ? fabs(c)
                        : r->k == 1 ? fabs(fmin(c, below))
                        : r->k == 2 ? fabs(fmin(-c, above))
                                    : fabs(fmax(fmin(c, below), -above)));
  }
  return worst;
}

/* ---- Writing ---- */

typedef struct w_out {
  const w_model *m;
  FILE *f;
} w_out;

static void w_bytes(const w_out *o, const void *bytes, size_t count)
{
  fwrite(bytes, 1, count, o->f);
}

static void w_integer(const w_out *o, int value)
{
  const int32_t binary = value;
  if (o->m->binary)
    w_bytes(o, &binary, sizeof binary);
  else
    fprintf(o->f, " %d", value);
}

static void w_real(const w_out *o, double value)
{
  if (o->m->binary)
    w_bytes(o, &value, sizeof value);
  else
    fprintf(o->f, " %.17g", value);
}

static void w_line(const w_out *o, const char *comment)
{
  if (!o->m->binary)
    fprintf(o->f, "%s%s\n", o->m->comments ? "\t#" : "", o->m->comments ? comment : "");
}

/* A letter and an index: "C3". */
static void w_letter(const w_out *o, char letter, int index)
{
  fputc(letter, o->f);
  if (o->m->binary)
    w_integer(o, index);
  else
    fprintf(o->f, "%d", index);
}

static void w_expression(const w_out *o, int at, int except)
{
  const w_node *n = at < 0 ? NULL : o->m->node + at;
  for (int k = 0; n && k < o->m->defined; k++)
    if (o->m->defined_node[k] == at && at != except) {
      w_letter(o, 'v', o->m->n + k);
      w_line(o, "defined");
      return;
    }
  if (!n || n->op == W_NUMBER) {
    const double value = n ? n->value : 0;
    if (o->m->binary && value == (short)value) {
      const int16_t small = (int16_t)value;
      fputc('s', o->f);
      w_bytes(o, &small, sizeof small);
    } else {
      fputc('n', o->f);
      if (o->m->binary)
        w_real(o, value);
      else
        fprintf(o->f, "%.17g", value);
    }
    w_line(o, "");
  } else if (n->op == W_VARIABLE) {
    w_letter(o, 'v', n->variable);
    w_line(o, "variable");
  } else {
    w_letter(o, 'o', n->op);
    w_line(o, "operator");
    if (n->op == 54 || n->op == 11 || n->op == 12) {
      w_integer(o, n->count);
      w_line(o, "");
    }
    for (int k = 0; k < n->count; k++)
      w_expression(o, n->argument[k], -1);
  }
}

/* Marks the variables of an expression. */
static void w_mark(const w_model *m, int at, bool *mark)
{
  if (at < 0)
    return;
  if (m->node[at].op == W_VARIABLE)
    mark[m->node[at].variable] = true;
  for (int k = 0; k < m->node[at].count; k++)
    w_mark(m, m->node[at].argument[k], mark);
}

static bool w_has_variables(const w_model *m, int at)
{
  bool mark[W_MOST] = {false}, any = false;
  w_mark(m, at, mark);
  for (int j = 0; j < m->n; j++)
    any = any || mark[j];
  return any;
}

static void w_bound(const w_out *o, int kind, double lo, double hi)
{
  if (o->m->binary)
    fputc('0' + kind, o->f);
  else
    fprintf(o->f, "%d", kind);
  if (kind == 0 || kind == 2 || kind == 4)
    w_real(o, lo);
  if (kind == 0 || kind == 1)
    w_real(o, hi);
}

static int w_bound_kind(double lo, double hi)
{
  return lo == hi ? 4 : lo == -INFINITY ? (hi == INFINITY ? 3 : 1) : hi == INFINITY ? 2 : 0;
}

static int w_pattern(const w_model *m, const w_row *r, double *value, bool *mark)
{
  int count = 0;
  memset(mark, 0, W_MOST * sizeof *mark);
  for (int j = 0; j < m->n; j++)
    value[j] = 0;
  w_mark(m, r->body, mark);
  for (int k = 0; k < r->terms; k++) {
    mark[r->column[k]] = true;
    value[r->column[k]] += r->coefficient[k];
  }
  for (int j = 0; j < m->n; j++)
    count += mark[j];
  return count;
}

static void w_linear(const w_out *o, char letter, int index, const w_row *r)
{
  double value[W_MOST];
  bool mark[W_MOST];
  const int count = w_pattern(o->m, r, value, mark);
  if (count == 0)
    return;
  w_letter(o, letter, index);
  w_integer(o, count);
  w_line(o, "");
  for (int j = 0; j < o->m->n; j++)
    if (mark[j]) {
      w_integer(o, j);
      w_real(o, value[j]);
      w_line(o, "");
    }
}

static void w_names(const char *path, const char *ending, const char *letter, int count)
{
  char name[600];
  snprintf(name, sizeof name, "%s%s", path, ending);
  remove(name);
  FILE *f = fopen(name, "w");
  CHECK(f != NULL);
  for (int k = 0; k < count; k++)
    fprintf(f, "%s%d\n", letter, k);
  fclose(f);
}

/* Writes path.nl, and path.col and path.row with names. */
static void w_write(const w_model *m, const char *path)
{
  char name[600];
  snprintf(name, sizeof name, "%s.nl", path);
  FILE *f = fopen(name, "wb");
  CHECK(f != NULL);
  const w_out o = {m, f};
  const int objectives = m->objective || m->goal.kind;
  double value[W_MOST];
  bool mark[W_MOST];
  int entries = 0, column[W_MOST] = {0}, nonlinear = 0, complements[2] = {0, 0}, equations = 0;
  for (int i = 0; i < m->m; i++) {
    const bool curved = w_has_variables(m, m->row[i].body);
    entries += w_pattern(m, m->row + i, value, mark);
    for (int j = 0; j < m->n; j++)
      column[j] += mark[j];
    nonlinear += curved;
    complements[curved] += m->row[i].kind == 5;
    equations += m->row[i].kind == 4;
  }
  fprintf(f, "%c3 1 1 0\t# problem test\n", m->binary ? 'b' : 'g');
  fprintf(f, " %d %d %d 0 %d\t# vars, constraints, objectives, ranges, eqns\n", m->n, m->m,
          objectives, equations);
  fprintf(f, " %d %d %d %d 0 0\n 0 0\n %d 0 0\n", nonlinear, objectives, complements[0],
          complements[1], m->n);
  fprintf(f, " 0 0 %d 1\n 0 0 0 0 0\n %d %d\n 0 0\n 0 %d 0 0 0\n", m->binary, entries,
          m->goal.kind ? w_pattern(m, &m->goal, value, mark) : 0, m->defined);
  for (int k = 0; k < m->defined; k++) {
    w_letter(&o, 'V', m->n + k);
    w_integer(&o, 0);
    w_integer(&o, 0);
    w_line(&o, "defined");
    w_expression(&o, m->defined_node[k], m->defined_node[k]);
  }
  for (int i = 0; i < m->m; i++) {
    w_letter(&o, 'C', i);
    w_line(&o, "body");
    w_expression(&o, m->row[i].body, -1);
  }
  if (objectives) {
    w_letter(&o, 'O', 0);
    w_integer(&o, m->goal.k);
    w_line(&o, "goal");
    w_expression(&o, m->goal.kind ? m->goal.body : -1, -1);
  }
  w_letter(&o, 'x', m->n);
  w_line(&o, "start");
  for (int j = 0; j < m->n; j++) {
    w_integer(&o, j);
    w_real(&o, m->start[j]);
    w_line(&o, "");
  }
  fputc('r', f);
  w_line(&o, "rows");
  for (int i = 0; i < m->m; i++) {
    const w_row *r = m->row + i;
    w_bound(&o, r->kind, r->lo, r->hi);
    if (r->kind == 5) {
      w_integer(&o, r->k);
      w_integer(&o, r->partner + 1);
    }
    w_line(&o, "");
  }
  fputc('b', f);
  w_line(&o, "bounds");
  for (int j = 0; j < m->n; j++) {
    w_bound(&o, w_bound_kind(m->lo[j], m->hi[j]), m->lo[j], m->hi[j]);
    w_line(&o, "");
  }
  w_letter(&o, 'k', m->n - 1);
  w_line(&o, "columns");
  for (int j = 0, sum = 0; j < m->n - 1; j++) {
    sum += column[j];
    w_integer(&o, sum);
    w_line(&o, "");
  }
  for (int i = 0; i < m->m; i++)
    w_linear(&o, 'J', i, m->row + i);
  if (m->goal.kind)
    w_linear(&o, 'G', 0, &m->goal);
  fclose(f);
  if (m->names) {
    w_names(path, ".col", "var", m->n);
    w_names(path, ".row", "con", m->m);
  } else {
    snprintf(name, sizeof name, "%s.col", path);
    remove(name);
    snprintf(name, sizeof name, "%s.row", path);
    remove(name);
  }
}
