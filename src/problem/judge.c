/* judge.c: the residual for the verdict, with y = A x + b in twice the precision */
#include "problem/judge.h"

#include "linalg/vector.h"

size_t perp_judge_bytes(const perp_operator *A)
{
  if (A->table->gradient_room)
    return A->table->gradient_room(A) * sizeof(double);
  return A->table->has_rows || A->table->exact_rows
             ? (size_t)A->row_capacity * (sizeof(double) + sizeof(int))
             : 0;
}

static void rows_gradient(const perp_operator *A, const double *b, const double *x, double *y,
                          void *room)
{
  double *value = room;
  int *column = (int *)(void *)(value + A->row_capacity);
  for (int i = 0; i < A->n; i++) {
    const int count = A->table->row(A, i, column, value);
    y[i] = perp_dot_exact_at(count, value, column, x, b[i]);
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
    perp_dot_exact_rows(A->n, A->n, a, stride, x, p->b, y);
  } else if (perp_operator_csr_arrays(A, &start, &column, &a) == PERP_OK) {
    if (A->nonzeros == (int64_t)A->n * A->n) { /* columns ascend: the rows are dense */
      perp_dot_exact_rows(A->n, A->n, a, A->n, x, p->b, y);
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
