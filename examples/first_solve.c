/* first_solve.c: the smallest complete program: a 2 x 2 linear complementarity problem */
#include <perp/perp.h>
#include <stdio.h>

int main(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0};
  perp_result result = perp_result_empty();
  const perp_error error = perp_solve_dense(2, a, b, NULL, NULL, x, &result); /* x, A x + b >= 0 */
  if (error) { /* the call could not be carried out, and the message says why */
    fprintf(stderr, "%s: %s\n", perp_error_name(error), result.message.text);
    return 2;
  }
  printf("%s: x = (%g, %g), residual %.1e\n", perp_outcome_name(result.outcome), x[0], x[1],
         result.residual);
  return result.outcome == PERP_SOLVED ? 0 : 1;
}
