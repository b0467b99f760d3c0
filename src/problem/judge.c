/* judge.c: the residual for the verdict, with y = A x + b in twice the precision */
#include "problem/judge.h"

#include "linalg/rows.h"
#include "linalg/vector.h"

size_t perp_judge_bytes(const perp_operator *A)
{
  if (A->table->gradient_room)
    return A->table->gradient_room(A) * sizeof(double);
  return A->table->has_rows || A->table->exact_rows
             ? (size_t)A->row_capacity * (2 * sizeof(double) + sizeof(int))
             : 0;
}

/* Returns true if four columns of four rows are 0. */
static bool is_zero(const double *a, int64_t stride)
{
  for (int r = 0; r < 4; r++)
    if (!perp_four_are_zero(a + r * stride))
      return false;
  return true;
}

/* Reads dense rows in place; skips zeros at both ends of four rows if that saves time. */
static void dense_gradient(int n, const double *a, int64_t stride, const double *b, const double *x,
                           double *y)
{
  enum { WORTHWHILE = 32 };
  int i = 0;
  for (; i + 4 <= n && n >= WORTHWHILE; i += 4) {
    const double *rows = a + i * stride;
    int begin = 0, end = n;
    while (begin + 4 <= end && is_zero(rows + begin, stride))
      begin += 4;
    while (begin + 4 <= end && is_zero(rows + end - 4, stride))
      end -= 4;
    perp_dot_exact_rows(4, end - begin, rows + begin, stride, x + begin, b + i, y + i);
  }
  perp_dot_exact_rows(n - i, n, a + i * stride, stride, x, b + i, y + i);
}

static void rows_gradient(const perp_operator *A, const double *b, const double *x, double *y,
                          void *room)
{
  double *value = room, *at = value + A->row_capacity;
  int *column = (int *)(void *)(at + A->row_capacity);
  for (int i = 0; i < A->n; i++) {
    const int count = A->table->row(A, i, column, value);
    for (int k = 0; k < count; k++)
      at[k] = x[column[k]];
    y[i] = perp_dot_exact(count, value, at, b[i]);
  }
}

double perp_judge(const perp_problem *p, const double *x, double *y, const perp_work *work,
                  void *room)
{
  const perp_operator *A = p->A;
  const double *a;
  const int64_t *start;
  const int *column;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    dense_gradient(A->n, a, stride, p->b, x, y);
  } else if (perp_operator_csr_arrays(A, &start, &column, &a) == PERP_OK) {
    if (A->nonzeros == (int64_t)A->n * A->n) { /* columns ascend: the rows are dense */
      dense_gradient(A->n, a, A->n, p->b, x, y);
      return perp_residual_exact(p, x, y);
    }
    for (int i = 0; i < A->n; i++)
      y[i] =
          perp_dot_exact_at(start[i + 1] - start[i], a + start[i], column + start[i], x, p->b[i]);
  } else if (A->table->gradient) {
    A->table->gradient(A, x, p->b, y, work, room);
  } else if (A->table->has_rows) {
    rows_gradient(A, p->b, x, y, room);
  } else {
    A->table->apply(A, x, y, work);
    perp_axpy(A->n, 1, p->b, y);
  }
  return perp_residual_exact(p, x, y);
}
