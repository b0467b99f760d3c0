/* What a user writes first: 0 <= x, y = A x + b >= 0, x^T y = 0. The solution is (1, 2). */
#include <perp/perp.h>
#include <stdio.h>

int main(void)
{
  const double a[] = {2, 1, 1, 2}, b[] = {-4, -5};
  double x[] = {0, 0};
  perp_operator *A = NULL;
  perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL);
  const perp_problem problem = perp_problem_lcp(A, b);
  perp_result result = perp_result_empty();
  perp_solve("pgs", &problem, NULL, x, &result);
  printf("perp %s: %s, x = (%.6f, %.6f)\n", perp_version(), perp_outcome_name(result.outcome), x[0],
         x[1]);
  perp_operator_destroy(A);
  return result.outcome == PERP_SOLVED ? 0 : 1;
}
