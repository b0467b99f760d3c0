/* perp_cone.c: [x, y, info] = perp_cone(A, b, mu, options); perp_cone.m has its text */
#include "perp_mex.h"

#include <stdio.h>

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  call c;
  call_begin(&c);
  if (nrhs < 3 || nrhs > 4)
    call_fail(&c, "usage", "[x, y, info] = perp_cone(A, b, mu, options)");
  call_matrix(&c, prhs[0]);
  const int n = perp_operator_size(c.A);
  static const double none = 0;
  char text[80];
  if (n % 3 != 0) {
    snprintf(text, sizeof text, "A is %d x %d: a cone has three rows", n, n);
    call_fail(&c, "argument", text);
  }
  const double *b = call_vector(&c, nrhs, prhs, 1, n, "b");
  const double *mu = call_vector(&c, nrhs, prhs, 2, n / 3, "mu");
  if ((!b || !mu) && n > 0)
    call_fail(&c, "argument", "b or mu is empty");
  const mxArray *options = nrhs > 3 ? prhs[3] : NULL;
  call_options(&c, options, 0);
  call_solver(&c, options);
  const perp_problem p = perp_problem_cone(c.A, b ? b : &none, mu ? mu : &none);
  call_solve(&c, &p, nlhs, plhs);
}
