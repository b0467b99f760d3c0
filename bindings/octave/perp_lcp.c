/* perp_lcp.c: [x, y, info] = perp_lcp(A, b, lo, hi, options); perp_lcp.m has its text */
#include "perp_mex.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  call c;
  call_begin(&c);
  if (nrhs < 2 || nrhs > 5)
    call_fail(&c, "usage", "[x, y, info] = perp_lcp(A, b, lo, hi, options)");
  call_matrix(&c, prhs[0]);
  const int n = perp_operator_size(c.A);
  static const double none = 0;
  const double *b = call_vector(&c, nrhs, prhs, 1, n, "b");
  if (!b && n > 0)
    call_fail(&c, "argument", "b is empty");
  const double *lo = call_vector(&c, nrhs, prhs, 2, n, "lo");
  const double *hi = call_vector(&c, nrhs, prhs, 3, n, "hi");
  const mxArray *options = nrhs > 4 ? prhs[4] : NULL;
  call_options(&c, options, n);
  call_solver(&c, options);
  const perp_problem p = perp_problem_friction(c.A, b ? b : &none, lo, hi, c.findex);
  call_solve(&c, &p, nlhs, plhs);
}
