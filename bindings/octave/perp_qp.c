/* perp_qp.c: [x, z, info] = perp_qp(P, q, G, l, u, lb, ub, options); perp_qp.m has its text */
#include "perp_mex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* G in compressed rows, in memory of MATLAB's own; full matrices lose nothing by it but zeros. */
static void read_rows(call *c, const mxArray *g, perp_qp *qp)
{
  const size_t m = mxGetM(g), n = mxGetN(g);
  char text[120];
  if (!mxIsDouble(g) || mxIsComplex(g) || n != (size_t)qp->n || m > INT32_MAX) {
    snprintf(text, sizeof text, "G is %zu x %zu, but a real matrix of %d columns is needed", m, n,
             qp->n);
    call_fail(c, "argument", text);
  }
  const bool sparse = mxIsSparse(g);
  const mwIndex *jc = sparse ? mxGetJc(g) : NULL, *ir = sparse ? mxGetIr(g) : NULL;
  const double *from = mxGetPr(g);
  const size_t entries = sparse ? (size_t)jc[n] : m * n;
  int64_t *start = mxCalloc(m + 2, sizeof *start);
  int *column = mxMalloc((entries + 1) * sizeof *column);
  double *value = mxMalloc((entries + 1) * sizeof *value);
  for (size_t k = 0; k < entries; k++)
    start[(sparse ? (size_t)ir[k] : k % m) + 2]++;
  for (size_t i = 0; i < m; i++)
    start[i + 2] += start[i + 1];
  for (size_t j = 0; j < n; j++) {
    const size_t first = sparse ? (size_t)jc[j] : j * m;
    const size_t end = sparse ? (size_t)jc[j + 1] : (j + 1) * m;
    for (size_t k = first; k < end; k++) {
      const int64_t at = start[(sparse ? (size_t)ir[k] : k - first) + 1]++;
      column[at] = (int)j;
      value[at] = from[k];
    }
  }
  qp->m = (int)m;
  qp->G_start = start;
  qp->G_column = column;
  qp->G_value = value;
}

static mxArray *info_of(const perp_qp_result *r, const double *w, int n)
{
  static const char *names[] = {"status", "solved",     "objective", "w",
                                "primal", "dual",       "gap",       "complementarity",
                                "method", "iterations", "seconds",   "message"};
  mxArray *info = mxCreateStructMatrix(1, 1, sizeof names / sizeof *names, names);
  mxArray *column = mxCreateDoubleMatrix((mwSize)n, 1, mxREAL);
  memcpy(mxGetPr(column), w, (size_t)n * sizeof *w);
  mxSetField(info, 0, "status", mxCreateString(perp_outcome_name(r->outcome)));
  mxSetField(info, 0, "solved", mxCreateLogicalScalar(r->outcome == PERP_SOLVED));
  mxSetField(info, 0, "objective", mxCreateDoubleScalar(r->objective));
  mxSetField(info, 0, "w", column);
  mxSetField(info, 0, "primal", mxCreateDoubleScalar(r->primal));
  mxSetField(info, 0, "dual", mxCreateDoubleScalar(r->dual));
  mxSetField(info, 0, "gap", mxCreateDoubleScalar(r->gap));
  mxSetField(info, 0, "complementarity", mxCreateDoubleScalar(r->complementarity));
  mxSetField(info, 0, "method", mxCreateString(r->method ? r->method : ""));
  mxSetField(info, 0, "iterations", mxCreateDoubleScalar((double)r->counts.iterations));
  mxSetField(info, 0, "seconds", mxCreateDoubleScalar(r->seconds));
  char message[600];
  count_from_one(r->message.text, message, sizeof message);
  mxSetField(info, 0, "message", mxCreateString(message));
  return info;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  call c;
  call_begin(&c);
  if (nrhs < 2 || nrhs > 8)
    call_fail(&c, "usage", "[x, z, info] = perp_qp(P, q, G, l, u, lb, ub, options)");
  if (mxGetNumberOfElements(prhs[1]) > INT32_MAX)
    call_fail(&c, "argument", "q: more numbers than the library takes");
  perp_qp qp = perp_qp_default();
  qp.n = (int)mxGetNumberOfElements(prhs[1]);
  qp.q = call_vector(&c, nrhs, prhs, 1, qp.n, "q");
  if (!mxIsEmpty(prhs[0])) {
    call_matrix(&c, prhs[0]);
    if (perp_operator_size(c.A) != qp.n)
      call_fail(&c, "argument", "P and q have different sizes");
    qp.P = c.A;
  }
  if (nrhs > 2 && !mxIsEmpty(prhs[2]))
    read_rows(&c, prhs[2], &qp);
  qp.l = call_vector(&c, nrhs, prhs, 3, qp.m, "l");
  qp.u = call_vector(&c, nrhs, prhs, 4, qp.m, "u");
  qp.lb = call_vector(&c, nrhs, prhs, 5, qp.n, "lb");
  qp.ub = call_vector(&c, nrhs, prhs, 6, qp.n, "ub");
  call_program_options(&c, nrhs > 7 ? prhs[7] : NULL);
  perp_qp_options options = perp_qp_options_default();
  options.tol = c.options.tol;
  options.verbose = c.options.verbose;
  options.logger = c.options.logger;
  options.time_limit = c.options.time_limit;
  options.max_iterations = c.options.max_iterations;
  mxArray *x = mxCreateDoubleMatrix((mwSize)qp.n, 1, mxREAL);
  mxArray *z = mxCreateDoubleMatrix((mwSize)qp.m, 1, mxREAL);
  options.z = mxGetPr(z);
  options.w = mxMalloc(((size_t)qp.n + 1) * sizeof(double));
  perp_qp_result r = perp_qp_result_empty();
  const perp_error error = perp_qp_solve(c.method, &qp, &options, mxGetPr(x), &r);
  if (error)
    call_fail(&c, perp_error_name(error), r.message.text);
  plhs[0] = x;
  if (nlhs > 1)
    plhs[1] = z;
  if (nlhs > 2)
    plhs[2] = info_of(&r, options.w, qp.n);
  call_end(&c);
}
