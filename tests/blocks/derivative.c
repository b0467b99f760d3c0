// docs/api.md: perp_derivative_create(
#include <perp/perp.h>

int main(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8}, w[2] = {1, 1};
  double x[2] = {0.5, 0}, b_bar[2] = {7, 7};
  perp_operator *A = NULL;
  perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL);
  const perp_problem problem = perp_problem_lcp(A, b);
  // BLOCK
  perp_operator_destroy(A);
  return !(b_bar[0] == -0.5 && b_bar[1] == 0); /* x_0 = -b_0 / 2, x_1 = 0 */
}
