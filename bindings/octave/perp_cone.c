/* perp_cone.c: [x, y, info] = perp_cone(A, b, mu, options, dim, law); perp_cone.m has its text */
#include "perp_mex.h"

#include <stdio.h>

/* A vector of whole numbers, in memory of mxMalloc. */
static int *whole_numbers(call *c, const mxArray *v, int count, const char *name)
{
  char text[80];
  if (!mxIsDouble(v) || mxIsSparse(v) || mxIsComplex(v) ||
      (count >= 0 && mxGetNumberOfElements(v) != (size_t)count)) {
    snprintf(text, sizeof text, "%s is not a vector with one number for each contact", name);
    call_fail(c, "argument", text);
  }
  const size_t length = mxGetNumberOfElements(v);
  const double *from = mxGetPr(v);
  int *to = mxMalloc((length + 1) * sizeof *to);
  for (size_t k = 0; k < length; k++) {
    if (!(from[k] >= 0 && from[k] <= 6) || from[k] != (int)from[k]) {
      snprintf(text, sizeof text, "%s(%d) = %g is not a whole number up to 6", name, (int)k + 1,
               from[k]);
      call_fail(c, "argument", text);
    }
    to[k] = (int)from[k];
  }
  return to;
}

/* mu, one row of five for each contact or one row for all, by rows. */
static double *coefficients(call *c, const mxArray *v, int contacts)
{
  const size_t rows = mxGetM(v);
  char text[96], rows_text[32] = "";
  if (contacts != 1)
    snprintf(rows_text, sizeof rows_text, "%d x 5 or ", contacts);
  if (!mxIsDouble(v) || mxIsSparse(v) || mxIsComplex(v) || mxGetN(v) != 5 ||
      (rows != (size_t)contacts && rows != 1)) {
    snprintf(text, sizeof text, "mu must be %s1 x 5 if dim is given, not %d x %d", rows_text,
             (int)rows, (int)mxGetN(v));
    call_fail(c, "argument", text);
  }
  double *mu = mxMalloc((5 * (size_t)contacts + 1) * sizeof *mu);
  for (int k = 0; k < 5 * contacts; k++)
    mu[k] = mxGetPr(v)[(size_t)(k % 5) * rows + (rows == 1 ? 0 : (size_t)(k / 5))];
  return mu;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  call c;
  call_begin(&c);
  if (nrhs < 3 || nrhs > 6)
    call_fail(&c, "usage", "[x, y, info] = perp_cone(A, b, mu, options, dim, law)");
  call_matrix(&c, prhs[0]);
  const int n = perp_operator_size(c.A);
  static const double none = 0;
  char text[80];
  if (n % 3 != 0 && nrhs < 5) {
    snprintf(text, sizeof text, "A is %d x %d: a cone has three rows", n, n);
    call_fail(&c, "argument", text);
  }
  const double *b = call_vector(&c, nrhs, prhs, 1, n, "b");
  perp_set K = perp_set_default(n);
  K.cones = n / 3;
  if (nrhs > 4) {
    K.cones = (int)mxGetNumberOfElements(prhs[4]);
    K.dim = whole_numbers(&c, prhs[4], -1, "dim");
    K.law = nrhs > 5 ? whole_numbers(&c, prhs[5], K.cones, "law") : NULL;
  }
  const double *mu =
      K.dim ? coefficients(&c, prhs[2], K.cones) : call_vector(&c, nrhs, prhs, 2, n / 3, "mu");
  if ((!b || !mu) && n > 0)
    call_fail(&c, "argument", "b or mu is empty");
  K.mu = mu ? mu : &none;
  const mxArray *options = nrhs > 3 && !mxIsEmpty(prhs[3]) ? prhs[3] : NULL;
  call_options(&c, options, 0);
  call_solver(&c, options);
  const perp_problem p = perp_problem_product(c.A, b ? b : &none, &K);
  call_solve(&c, &p, nlhs, plhs);
}
