/* nl.c: models of AMPL, Pyomo and JuMP */
#include "binding.h"

#include <string.h>

typedef void name_function(const perp_nl *model, int i, perp_message *name);

static PyObject *names_of(const perp_nl *model, int count, name_function *name_of)
{
  PyObject *list = PyList_New(count);
  for (int i = 0; list && i < count; i++) {
    perp_message name;
    name_of(model, i, &name);
    PyObject *text = PyUnicode_DecodeUTF8(name.text, (Py_ssize_t)strlen(name.text), "replace");
    if (!text) {
      Py_CLEAR(list);
      break;
    }
    PyList_SetItem(list, i, text);
  }
  return list;
}

/* Returns the result as a dict; steals x and y. */
static PyObject *result_of(const perp_nl *model, const perp_nl_result *r, PyArrayObject *x,
                           PyArrayObject *y)
{
  return Py_BuildValue("{s:N,s:N,s:N,s:N,s:s,s:L,s:s,s:s,s:d,s:d,s:d,s:L,s:L,s:s}", "x", x, "y", y,
                       "names", names_of(model, perp_nl_variables(model), perp_nl_variable_name),
                       "row_names", names_of(model, perp_nl_rows(model), perp_nl_row_name),
                       "status", perp_outcome_name(r->outcome), "solve_result_num",
                       (long long)r->code, "kind", r->kind ? r->kind : "", "method",
                       r->method ? r->method : "", "residual", r->residual, "objective",
                       r->objective, "seconds", r->seconds, "nit", (long long)r->iterations,
                       "restarts", (long long)r->restarts, "message", r->message.text);
}

/* (path, x0 or None, method or None, tol, time_limit, max_iterations, restarts, seed, verbose, sol):
 * a dict */
static PyObject *solve_nl(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *path, *start;
  long long most, restarts, seed, verbose;
  int sol;
  perp_nl_options options = perp_nl_options_default();
  if (!PyArg_ParseTuple(args, "O&OzddLLLLp", PyUnicode_FSConverter, &path, &start, &options.method,
                        &options.tol, &options.time_limit, &most, &restarts, &seed, &verbose, &sol))
    return NULL;
  options.max_iterations = most;
  options.restarts = restarts;
  options.seed = (uint64_t)seed;
  options.verbose = verbose;
  options.logger = verbose ? watch_log : NULL;
  watch w = watch_of(NULL);
  options.interrupted = watch_interrupted;
  options.interrupted_context = &w;
  perp_nl *model = NULL;
  perp_message why = {""};
  perp_nl_result r = perp_nl_result_empty();
  PyObject *result = NULL;
  perp_error error = perp_nl_read(PyBytes_AsString(path), &model, &why);
  Py_DECREF(path);
  if (error)
    return raise_error(error, why.text);
  const int n = perp_nl_variables(model), m = perp_nl_rows(model);
  const double *given = start == Py_None ? NULL : array_data(start, NPY_DOUBLE, n, "x0");
  if (given && PyArray_SIZE((PyArrayObject *)start) != n)
    PyErr_Format(PyExc_ValueError, "x0 has %zd numbers, and the model %d variables",
                 (Py_ssize_t)PyArray_SIZE((PyArrayObject *)start), n);
  PyArrayObject *x = PyErr_Occurred() ? NULL : new_reals(n, given);
  PyArrayObject *y = x ? new_reals(m, NULL) : NULL;
  if (y) {
    double *at = PyArray_DATA(x), *rows = PyArray_DATA(y);
    if (!given)
      perp_nl_start(model, at);
    PyThreadState *state = PyEval_SaveThread();
    error = perp_nl_solve(model, &options, at, rows, &r);
    why = r.message;
    if (!error && sol)
      error = perp_nl_sol_write(model, NULL, r.message.text, r.code, at, rows, &why);
    PyEval_RestoreThread(state);
    if (!PyErr_Occurred() && error)
      raise_error(error, why.text);
    if (!PyErr_Occurred()) {
      result = result_of(model, &r, x, y);
      x = y = NULL;
    }
  }
  Py_XDECREF((PyObject *)x);
  Py_XDECREF((PyObject *)y);
  perp_nl_destroy(model);
  return result;
}

PyMethodDef nl_functions[] = {
    {"solve_nl", solve_nl, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
