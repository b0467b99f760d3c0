/* ncp.c: nonlinear problems, whose F and Jacobian are functions of Python */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

typedef struct functions {
  int64_t n, values; /* numbers of x, of the Jacobian */
  PyObject *F, *jacobian;
} functions;

/* Turns a Python exception into a return value: an ArithmeticError means not defined at this x. */
static int failed(void)
{
  if (!PyErr_ExceptionMatches(PyExc_ArithmeticError))
    return 2;
  PyErr_Clear();
  return PERP_NCP_UNDEFINED;
}

static int evaluate(PyObject *function, int64_t n, const double *x, int64_t count, double *to,
                    const char *name)
{
  const PyGILState_STATE gil = PyGILState_Ensure();
  int status = 2;
  if (!PyErr_Occurred()) {
    PyArrayObject *v = new_reals((npy_intp)n, x);
    PyObject *answer = v ? PyObject_CallFunctionObjArgs(function, (PyObject *)v, NULL) : NULL;
    PyArrayObject *numbers =
        answer ? (PyArrayObject *)PyArray_FromAny(answer, PyArray_DescrFromType(NPY_DOUBLE), 0, 0,
                                                  NPY_ARRAY_CARRAY_RO, NULL)
               : NULL;
    if (!numbers) {
      status = failed();
    } else if (PyArray_SIZE(numbers) != count) {
      PyErr_Format(PyExc_ValueError, "%s returned %zd numbers, not %lld", name,
                   (Py_ssize_t)PyArray_SIZE(numbers), (long long)count);
    } else {
      if (count > 0)
        memcpy(to, PyArray_DATA(numbers), (size_t)count * sizeof *to);
      status = 0;
    }
    Py_XDECREF((PyObject *)v);
    Py_XDECREF(answer);
    Py_XDECREF((PyObject *)numbers);
  }
  PyGILState_Release(gil);
  return status;
}

static int call_function(void *context, const double *x, double *F)
{
  const functions *f = context;
  return evaluate(f->F, f->n, x, f->n, F, "F");
}

static int call_jacobian(void *context, const double *x, double *J)
{
  const functions *f = context;
  return evaluate(f->jacobian, f->n, x, f->values, J, "J");
}

/* (F, J or None, x, lo, hi, start, column, method, tol, time_limit, max_iterations, restarts, seed,
 * callback or None, verbose): a dict; x is changed. Arrays are of the package's own making. */
static PyObject *solve_ncp(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *x, *lo, *hi, *start, *column, *callback;
  const char *method;
  long long most, restarts, seed, verbose;
  functions f = {0};
  perp_ncp_options options = perp_ncp_options_default();
  if (!PyArg_ParseTuple(args, "OOOOOOOsddLLLOL", &f.F, &f.jacobian, &x, &lo, &hi, &start, &column,
                        &method, &options.tol, &options.time_limit, &most, &restarts, &seed,
                        &callback, &verbose))
    return NULL;
  options.max_iterations = most;
  options.restarts = restarts;
  options.seed = (uint64_t)seed;
  options.verbose = verbose;
  options.logger = verbose ? watch_log : NULL;
  perp_ncp ncp = perp_ncp_default();
  double *at = array_data(x, NPY_DOUBLE, 0, "x0");
  ncp.n = f.n = at ? PyArray_SIZE((PyArrayObject *)x) : 0;
  ncp.lo = array_data(lo, NPY_DOUBLE, ncp.n, "lo");
  ncp.hi = array_data(hi, NPY_DOUBLE, ncp.n, "hi");
  ncp.start = array_data(start, NPY_INT64, (npy_intp)ncp.n + 1, "J");
  f.values = ncp.start ? ncp.start[f.n] : f.n * f.n;
  ncp.column = array_data(column, NPY_INT32, ncp.start ? (npy_intp)f.values : 0, "J");
  locks locked = {0};
  if (PyErr_Occurred() || !locks_add(&locked, lo) || !locks_add(&locked, hi)) {
    locks_end(&locked);
    return NULL;
  }
  ncp.F = call_function;
  ncp.jacobian = f.jacobian == Py_None ? NULL : call_jacobian;
  ncp.context = &f;
  watch w = watch_of(callback == Py_None ? NULL : callback);
  options.interrupted = watch_interrupted;
  options.interrupted_context = &w;
  if (w.callback) {
    options.observer = watch_observe;
    options.observer_context = &w;
  }
  perp_ncp_result r = perp_ncp_result_empty();
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = perp_ncp_solve(method, &ncp, &options, at, &r);
  PyEval_RestoreThread(state);
  locks_end(&locked);
  if (PyErr_Occurred())
    return NULL;
  if (error)
    return raise_error(error, r.message.text);
  return Py_BuildValue(
      "{s:s,s:s,s:d,s:d,s:L,s:L,s:L,s:L,s:s}", "status", perp_outcome_name(r.outcome), "method",
      r.method ? r.method : method, "residual", r.residual, "seconds", r.seconds, "nit",
      (long long)r.counts.iterations, "nfev", (long long)r.evaluations, "njev",
      (long long)r.jacobians, "restarts", (long long)r.counts.restarts, "message", r.message.text);
}

PyMethodDef ncp_functions[] = {
    {"solve_ncp", solve_ncp, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
