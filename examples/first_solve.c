/* first_solve.c: the smallest complete program: a 2 x 2 linear complementarity problem */
#include <perp/perp.h>
#include <stdio.h>

int main(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0};
  perp_operator *A = NULL;
  perp_result result = perp_result_empty();
  perp_error error = perp_operator_dense(2, a, 2, PERP_BORROW, &A, &result.message);
  if (!error) {
    const perp_problem problem = perp_problem_lcp(A, b); /* 0 <= x ⊥ A x + b >= 0 */
    error = perp_solve("auto", &problem, NULL, x, &result);
  }
  if (error) { /* the call could not be carried out, and the message says why */
    fprintf(stderr, "%s: %s\n", perp_error_name(error), result.message.text);
    perp_operator_destroy(A);
    return 2;
  }
  printf("%s: x = (%g, %g), residual %.1e\n", perp_outcome_name(result.outcome), x[0], x[1],
         result.residual);
  perp_operator_destroy(A);
  return result.outcome == PERP_SOLVED ? 0 : 1;
}
