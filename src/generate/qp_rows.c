/* qp_rows.c: rows of a quadratic program in the making, see qp.h */
#include "generate/qp.h"

#include <math.h>
#include <string.h>

bool perp_qp_making_begin(perp_qp_making *m, int n)
{
  perp_qp_instance *t = m->instance;
  t->n = n;
  t->q = perp_alloc_zero((size_t)n, sizeof *t->q);
  t->lb = perp_alloc((size_t)n, sizeof *t->lb);
  t->ub = perp_alloc((size_t)n, sizeof *t->ub);
  if (!t->q || !t->lb || !t->ub) {
    m->no_memory = true;
    return false;
  }
  for (int i = 0; i < n; i++) {
    t->lb[i] = -INFINITY;
    t->ub[i] = INFINITY;
  }
  return true;
}

/* A longer array with the same beginning; the old one stays if there is no memory. */
static bool lengthen(void **block, size_t used, size_t capacity, size_t size)
{
  void *longer = perp_alloc(capacity, size);
  if (!longer)
    return false;
  if (used > 0)
    memcpy(longer, *block, used * size);
  perp_free(*block);
  *block = longer;
  return true;
}

static bool lines_room(perp_qp_lines *a, int64_t entries)
{
  if (a->entries + entries <= a->capacity)
    return true;
  const int64_t capacity = 2 * a->capacity + entries + 64;
  void *column = a->column, *value = a->value;
  const bool got = lengthen(&column, (size_t)a->entries, (size_t)capacity, sizeof *a->column) &&
                   lengthen(&value, (size_t)a->entries, (size_t)capacity, sizeof *a->value);
  a->column = column;
  a->value = value;
  if (got)
    a->capacity = capacity;
  return got;
}

static bool lines_add(perp_qp_lines *a, int column, double value)
{
  if (value == 0)
    return true;
  if (!lines_room(a, 1))
    return false;
  a->column[a->entries] = column;
  a->value[a->entries++] = value;
  return true;
}

/* Sorts the row by insertion, adds equal columns up, and begins the next. */
static bool lines_end(perp_qp_lines *a)
{
  if (a->rows + 2 > a->capacity_rows) {
    const int capacity = 2 * a->capacity_rows + 64;
    void *start = a->start;
    const bool got =
        lengthen(&start, a->start ? (size_t)a->rows + 1 : 0, (size_t)capacity, sizeof *a->start);
    a->start = start;
    if (!got)
      return false;
    a->capacity_rows = capacity;
  }
  if (a->rows == 0)
    a->start[0] = 0;
  const int64_t first = a->start[a->rows];
  for (int64_t e = first + 1; e < a->entries; e++) {
    const int column = a->column[e];
    const double value = a->value[e];
    int64_t t = e;
    for (; t > first && a->column[t - 1] > column; t--) {
      a->column[t] = a->column[t - 1];
      a->value[t] = a->value[t - 1];
    }
    a->column[t] = column;
    a->value[t] = value;
  }
  int64_t kept = first;
  for (int64_t e = first; e < a->entries; e++)
    if (kept > first && a->column[kept - 1] == a->column[e]) {
      a->value[kept - 1] += a->value[e];
    } else {
      a->column[kept] = a->column[e];
      a->value[kept++] = a->value[e];
    }
  a->entries = kept;
  a->start[++a->rows] = kept;
  return true;
}

void perp_qp_making_P(perp_qp_making *m, int column, double value)
{
  m->no_memory = m->no_memory || !lines_add(&m->P, column, value);
}

void perp_qp_making_G(perp_qp_making *m, int column, double value)
{
  m->no_memory = m->no_memory || !lines_add(&m->G, column, value);
}

void perp_qp_making_P_end(perp_qp_making *m)
{
  m->no_memory = m->no_memory || !lines_end(&m->P);
}

void perp_qp_making_G_end(perp_qp_making *m, double l, double u)
{
  const int row = m->G.rows, before = m->G.capacity_rows;
  m->no_memory = m->no_memory || !lines_end(&m->G);
  if (m->G.capacity_rows > before) {
    void *low = m->l, *high = m->u;
    const bool got = lengthen(&low, (size_t)row, (size_t)m->G.capacity_rows, sizeof *m->l) &&
                     lengthen(&high, (size_t)row, (size_t)m->G.capacity_rows, sizeof *m->u);
    m->l = low;
    m->u = high;
    m->no_memory = m->no_memory || !got;
  }
  if (m->no_memory)
    return;
  m->l[row] = l;
  m->u[row] = u;
}

double perp_qp_making_sparse(perp_qp_making *m, double density)
{
  const double value = perp_random_normal(&m->random);
  return perp_random_uniform(&m->random) < density ? value : 0;
}

perp_error perp_qp_making_finish(perp_qp_making *m)
{
  perp_qp_instance *t = m->instance;
  while (!m->no_memory && m->P.rows < t->n)
    perp_qp_making_P_end(m);
  if (!m->no_memory && m->G.rows == 0)
    m->no_memory = !(m->G.start = perp_alloc_zero(1, sizeof *m->G.start));
  if (m->no_memory)
    return perp_fail(m->why, PERP_ERROR_MEMORY, "%s: out of memory", m->owner);
  t->m = m->G.rows;
  t->G_start = m->G.start;
  t->G_column = m->G.column;
  t->G_value = m->G.value;
  t->l = m->l;
  t->u = m->u;
  m->G = (perp_qp_lines){0};
  m->l = m->u = NULL;
  if (t->n == 0)
    return PERP_OK;
  return perp_operator_csr(t->n, m->P.start, m->P.column, m->P.value, PERP_COPY, &t->P, m->why);
}

void perp_qp_making_free(perp_qp_making *m)
{
  void *const blocks[] = {m->P.start,  m->P.column, m->P.value, m->G.start,
                          m->G.column, m->G.value,  m->l,       m->u};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    perp_free(blocks[k]);
  perp_arena_free(&m->arena);
}
