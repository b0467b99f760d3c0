/* contact_csr.c: A = J Minv J^T + C from the rows of contacts, in the arithmetic of this folder
 *
 * An operator could assemble itself, but might fuse multiplications and additions; a generated
 * problem is the same on every machine. With W = Minv J^T kept body by body of each row (a block of
 * six), an entry of A is A_ij = sum over shared bodies of J_i . W_j, taken with the larger of i and
 * j on the left, so that A_ij = A_ji to the last bit.
 *
 * Cost of assembling: 6 multiplications for every pair of rows that meet at a body, twice (once to
 * count, once to fill). Memory: linear in rows and entries. */
#include "generate/scene.h"

#include <stdlib.h>

/* Blocks p: six entries of J from 6 p on, of one row and one body. */
typedef struct blocks {
  int64_t count;
  int *row;
  double *W;
} blocks;

static int body_of(const perp_contact_rows *rows, int64_t p)
{
  return rows->column[6 * p] / 6;
}

static bool weigh(const perp_contact_rows *rows, perp_arena *arena, blocks *b)
{
  b->count = rows->start[rows->n] / 6;
  if (!PERP_TAKE(arena, PERP_ARRAY(b->row, b->count), PERP_ARRAY(b->W, 6 * b->count)))
    return false;
  for (int i = 0; i < rows->n; i++)
    for (int64_t p = rows->start[i] / 6; p < rows->start[i + 1] / 6; p++) {
      const double *M = rows->Minv + 36 * (int64_t)body_of(rows, p), *J = rows->value + 6 * p;
      b->row[p] = i;
      for (int k = 0; k < 3; k++) {
        const double *I = M + 6 * (3 + k) + 3;
        b->W[6 * p + k] = M[0] * J[k];
        b->W[6 * p + 3 + k] = I[0] * J[3] + I[1] * J[4] + I[2] * J[5];
      }
    }
  return true;
}

static double dot6(const double *u, const double *v)
{
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2] + u[3] * v[3] + u[4] * v[4] + u[5] * v[5];
}

bool perp_contact_rows_apply(const perp_contact_rows *rows, const double *x, double *y,
                             perp_arena *arena)
{
  blocks b;
  double *v = perp_arena_alloc_zero(arena, 6 * (size_t)rows->bodies, sizeof *v);
  if (!v || !weigh(rows, arena, &b))
    return false;
  for (int64_t p = 0; p < b.count; p++)
    for (int k = 0; k < 6; k++)
      v[6 * (int64_t)body_of(rows, p) + k] += b.W[6 * p + k] * x[b.row[p]];
  for (int i = 0; i < rows->n; i++)
    y[i] = 0;
  for (int64_t p = 0; p < b.count; p++)
    y[b.row[p]] += dot6(rows->value + 6 * p, v + 6 * (int64_t)body_of(rows, p));
  return true;
}

/* ---- Assembling ---- */

/* Blocks by body: list[start[k]] .. list[start[k + 1] - 1] are those of body k, ascending. And the
 * work space of one row: the columns met, and for each column its value and the last row that met
 * it, -1 at first. */
typedef struct assembly {
  blocks b;
  int64_t *start, *list;
  int *column, *met;
  double *sum;
} assembly;

static bool begin(const perp_contact_rows *rows, perp_arena *arena, assembly *a)
{
  const size_t n = (size_t)rows->n;
  if (!weigh(rows, arena, &a->b))
    return false;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(a->start, rows->bodies + 2)) ||
      !PERP_TAKE(arena, PERP_ARRAY(a->list, a->b.count), PERP_ARRAY(a->column, n),
                 PERP_ARRAY(a->met, n), PERP_ARRAY(a->sum, n)))
    return false;
  for (int64_t p = 0; p < a->b.count; p++)
    a->start[body_of(rows, p) + 2]++;
  for (int k = 0; k < rows->bodies; k++)
    a->start[k + 2] += a->start[k + 1];
  for (int64_t p = 0; p < a->b.count; p++)
    a->list[a->start[body_of(rows, p) + 1]++] = p;
  return true;
}

static int compare_int(const void *a, const void *b)
{
  const int u = *(const int *)a, v = *(const int *)b;
  return (u > v) - (u < v);
}

/* Column j of row i, which may be met for the first time. */
static double *meet(assembly *a, int i, int j, int *count)
{
  if (a->met[j] != i) {
    a->column[(*count)++] = j;
    a->met[j] = i;
    a->sum[j] = 0;
  }
  return &a->sum[j];
}

/* Columns of row i ascending in a->column, values in a->sum; returns how many, without those that
 * cancelled to 0. */
static int make_row(const perp_contact_rows *rows, assembly *a, int i)
{
  const double *J = rows->value, *W = a->b.W;
  int count = 0;
  for (int64_t p = rows->start[i] / 6; p < rows->start[i + 1] / 6; p++) {
    const int body = body_of(rows, p);
    for (int64_t e = a->start[body]; e < a->start[body + 1]; e++) {
      const int64_t q = a->list[e];
      const int j = a->b.row[q];
      *meet(a, i, j, &count) += j <= i ? dot6(J + 6 * p, W + 6 * q) : dot6(J + 6 * q, W + 6 * p);
    }
  }
  /* C is added last in every row, as J Minv J^T + C says: A stays symmetric to the last bit */
  for (int64_t e = rows->C_start[i]; e < rows->C_start[i + 1]; e++)
    *meet(a, i, rows->C_column[e], &count) += rows->C_value[e];
  qsort(a->column, (size_t)count, sizeof *a->column, compare_int);
  int kept = 0;
  for (int k = 0; k < count; k++)
    if (a->sum[a->column[k]] != 0)
      a->column[kept++] = a->column[k];
  return kept;
}

perp_error perp_contact_rows_csr(perp_making *m, const perp_contact_rows *rows)
{
  const int n = rows->n;
  assembly a;
  int64_t *start;
  int *column = NULL;
  double *value = NULL;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(start, n + 1)) || !begin(rows, &m->arena, &a))
    return perp_making_no_memory(m);
  for (int pass = 0; pass < 2; pass++) { /* count, fill */
    for (int j = 0; j < n; j++)
      a.met[j] = -1;
    start[0] = 0;
    for (int i = 0; i < n; i++) {
      const int count = make_row(rows, &a, i);
      start[i + 1] = start[i] + count;
      for (int k = 0; k < count && pass == 1; k++) {
        column[start[i] + k] = a.column[k];
        value[start[i] + k] = a.sum[a.column[k]];
      }
    }
    if (pass == 0 &&
        !PERP_TAKE(&m->arena, PERP_ARRAY(column, start[n]), PERP_ARRAY(value, start[n])))
      return perp_making_no_memory(m);
  }
  return perp_operator_csr(n, start, column, value, PERP_COPY, &m->instance->A, m->why);
}
