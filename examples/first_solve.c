/* first_solve.c: the smallest complete program: a 2 x 2 linear complementarity problem */
#include <perp/perp.h>
#include <stdio.h>

int main(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0};
  perp_operator *A = NULL;
  perp_result result = perp_result_empty();
  if (perp_operator_dense(2, a, 2, PERP_BORROW, &A, &result.message)) {
    fprintf(stderr, "%s\n", result.message.text);
    return 2;
  }
  const perp_problem problem = perp_problem_lcp(A, b); /* 0 <= x ⊥ A x + b >= 0 */
  perp_solve("pgs", &problem, NULL, x, &result);
  printf("%s: x = (%g, %g), residual %.1e\n", perp_outcome_name(result.outcome), x[0], x[1],
         result.residual);
  perp_operator_destroy(A);
  return result.outcome == PERP_SOLVED ? 0 : 1;
}
