/* start.c: see start.h. Two products with A. */
#include "method/run/start.h"

#include "linalg/vector.h"

double perp_start_choose(perp_run *run, double *x, double *y, double *other)
{
  const perp_problem *p = run->problem;
  const int n = p->K.n;
  double *other_y = other + n;
  perp_set_project(&p->K, x, x);
  perp_run_gradient(run, x, y);
  const double residual = perp_residual(p, x, y);
  perp_fill(n, 0, other);
  perp_set_project(&p->K, other, other);
  perp_run_gradient(run, other, other_y);
  const double without = perp_residual(p, other, other_y);
  if (residual <= without)
    return residual;
  perp_copy(n, other, x);
  perp_copy(n, other_y, y);
  return without;
}
