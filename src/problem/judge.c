#include "problem/judge.h"

#include "linalg/vector.h"

size_t perp_judge_bytes(const perp_operator *A)
{
  return A->table->has_rows ? (size_t)A->row_capacity * (2 * sizeof(double) + sizeof(int)) : 0;
}

double perp_judge(const perp_problem *p, const double *x, double *y, const perp_work *work,
                  void *room)
{
  const perp_operator *A = p->A;
  if (A->table->has_rows) {
    double *value = room, *at = value + A->row_capacity;
    int *column = (int *)(void *)(at + A->row_capacity);
    for (int i = 0; i < A->n; i++) {
      const int count = A->table->row(A, i, column, value);
      for (int k = 0; k < count; k++)
        at[k] = x[column[k]];
      y[i] = perp_dot_exact(count, value, at, p->b[i]);
    }
  } else {
    A->table->apply(A, x, y, work);
    for (int i = 0; i < A->n; i++)
      y[i] += p->b[i];
  }
  return perp_residual(p, x, y);
}
