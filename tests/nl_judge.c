/* nl_judge.c: nl_judge STUB judges STUB.sol by AMPL's own library: its reader, values and .sol file
 *
 * Prints solve_result_num and the largest of |mid(F, x - lo, x - hi)| of complementarity rows and the
 * violations of other rows and of bounds. Nothing of perp is linked. The library gives a row that
 * complements the lower bound of its variable the bounds (c, inf), the upper one (-inf, c), both (-inf,
 * inf), none (c, c): F is the body less c. */
#include <asl.h>
#undef exit
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static double outside(double value, double lo, double hi)
{
  const double out = fmax(lo - value, value - hi);
  return isnan(value) ? INFINITY : out > 0 ? out : 0;
}

int main(int argc, char **argv)
{
  ASL *asl = ASL_alloc(ASL_read_fg);
  FILE *nl = argc == 2 ? jac0dim(argv[1], 0) : NULL;
  if (!nl)
    return 2;
  cvar = M1zapalloc((size_t)n_con * sizeof *cvar);
  if (fg_read(nl, ASL_return_read_err))
    return 2;
  real *x = NULL, *y = NULL, *body = calloc((size_t)n_con + 1, sizeof *body);
  if (!body || !read_soln(&x, &y) || !x)
    return 2;
  fint error = 0;
  conval(x, body, &error);
  double worst = error ? INFINITY : 0;
  for (int j = 0; j < n_var; j++)
    worst = fmax(worst, outside(x[j], LUv[2 * j], LUv[2 * j + 1]));
  for (int i = 0; i < n_con; i++) {
    const double L = LUrhs[2 * i], U = LUrhs[2 * i + 1];
    const int v = cvar[i] - 1;
    const bool lower = L > negInfinity, upper = U < Infinity;
    if (v < 0 || (lower && upper)) {
      worst = fmax(worst, outside(body[i], L, U));
      continue;
    }
    const double F = body[i] - (lower ? L : upper ? U : 0);
    double at = F;
    if (lower || !upper)
      at = fmin(at, x[v] - LUv[2 * v]);
    if (upper || !lower)
      at = fmax(at, x[v] - LUv[2 * v + 1]);
    worst = fmax(worst, isnan(F) ? INFINITY : fabs(at));
  }
  printf("%d %.17g\n", solve_code, worst);
  return 0;
}
