/* A user's first program: 0 <= x, y = A x + b >= 0, x^T y = 0. The solution is (1, 2). */
#include <perp/perp.h>
#include <stdio.h>

/* A chain of 3,600 unknowns by sparse factors, for which the library may load another library. */
static int sparse(void)
{
  enum { N = 3600 };
  static int64_t start[N + 1];
  static int column[3 * N];
  static double value[3 * N], b[N], x[N];
  int64_t e = 0;
  for (int i = 0; i < N; i++) {
    start[i] = e;
    b[i] = i % 7 ? -0.5 : 1;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
      column[e] = j;
      value[e++] = i == j ? 3 : -1;
    }
  }
  start[N] = e;
  perp_operator *A = NULL;
  perp_operator_csr(N, start, column, value, PERP_BORROW, &A, NULL);
  const perp_problem problem = perp_problem_lcp(A, b);
  perp_result result = perp_result_empty();
  perp_solve("ssn", &problem, NULL, x, &result);
  perp_operator_destroy(A);
  return result.outcome == PERP_SOLVED && perp_components()->name;
}

int main(void)
{
  if (!sparse())
    return 1;

  const double a[] = {2, 1, 1, 2}, b[] = {-4, -5};
  double x[] = {0, 0};
  perp_result result = perp_result_empty();
  perp_solve_dense(2, a, b, NULL, NULL, x, &result);
  printf("perp %s: %s, x = (%.6f, %.6f)\n", perp_version(), perp_outcome_name(result.outcome), x[0],
         x[1]);
  return result.outcome == PERP_SOLVED ? 0 : 1;
}
