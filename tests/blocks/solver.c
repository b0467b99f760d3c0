// docs/api.md: perp_solver_create("pgs"
#include <perp/perp.h>

int main(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0};
  perp_operator *A = NULL;
  perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL);
  const perp_problem problem = perp_problem_lcp(A, b);
  // BLOCK
  perp_operator_destroy(A);
  return result.outcome != PERP_SOLVED;
}
