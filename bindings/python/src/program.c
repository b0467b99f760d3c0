/* program.c: the type _Program: a quadratic program and what was derived from it */
#include "binding.h"

static PyObject *type_program;

typedef struct program_object {
  PyObject head;
  perp_qp_solver *solver;
  PyObject *P; /* or NULL: one that is only applied must outlive the solver */
  int n, m;
  bool busy;
} program_object;

/* (P or None, n, m, q, G start, column, value, l, u, lb, ub): arrays of the package's own making */
static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  (void)keywords;
  PyObject *P, *q, *start, *column, *value, *l, *u, *lb, *ub;
  perp_qp qp = perp_qp_default();
  if (!PyArg_ParseTuple(args, "OiiOOOOOOOO", &P, &qp.n, &qp.m, &q, &start, &column, &value, &l, &u,
                        &lb, &ub))
    return NULL;
  if (P != Py_None) {
    if (!PyObject_TypeCheck(P, (PyTypeObject *)type_operator) || !operator_is_sound(P))
      return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "P: an Operator is needed");
    qp.P = ((operator_object *)P)->A;
  }
  qp.q = array_data(q, NPY_DOUBLE, qp.n, "q");
  qp.G_start = array_data(start, NPY_INT64, (npy_intp)qp.m + 1, "G");
  const npy_intp entries = qp.G_start ? (npy_intp)qp.G_start[qp.m] : (npy_intp)qp.m * qp.n;
  qp.G_column = array_data(column, NPY_INT32, entries, "G");
  qp.G_value = array_data(value, NPY_DOUBLE, entries, "G");
  qp.l = array_data(l, NPY_DOUBLE, qp.m, "l");
  qp.u = array_data(u, NPY_DOUBLE, qp.m, "u");
  qp.lb = array_data(lb, NPY_DOUBLE, qp.n, "lb");
  qp.ub = array_data(ub, NPY_DOUBLE, qp.n, "ub");
  if (PyErr_Occurred())
    return NULL;
  program_object *s = (program_object *)PyType_GenericAlloc(type, 0);
  if (!s)
    return NULL;
  if (qp.P) {
    Py_INCREF(P);
    s->P = P;
  }
  s->n = qp.n;
  s->m = qp.m;
  perp_message why = {""};
  PyObject *const arrays[] = {q, start, column, value, l, u, lb, ub};
  locks locked = {0};
  bool fine = true;
  for (size_t k = 0; fine && k < sizeof arrays / sizeof *arrays; k++)
    fine = locks_add(&locked, arrays[k]);
  if (fine) {
    operator_hold(P);
    PyThreadState *state = PyEval_SaveThread();
    const perp_error error = perp_qp_solver_create(NULL, &qp, &s->solver, &why);
    PyEval_RestoreThread(state);
    operator_release(P);
    fine = !error;
    if (error)
      raise_error(error, why.text);
  }
  locks_end(&locked);
  if (!fine)
    Py_CLEAR(s);
  return (PyObject *)s;
}

static void dealloc(PyObject *self)
{
  program_object *s = (program_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  perp_qp_solver_destroy(s->solver);
  Py_XDECREF(s->P);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

/* To be asked when no code of the caller's runs any more between this and the use. */
static bool is_free(const program_object *s)
{
  if (s->busy)
    PyErr_SetString(PyExc_RuntimeError,
                    "this program is already in use; use it from one thread at a time");
  return !s->busy;
}

/* (q, l, u, lb, ub), each an array or None */
static PyObject *set(PyObject *self, PyObject *args)
{
  program_object *s = (program_object *)self;
  PyObject *q, *l, *u, *lb, *ub;
  if (!PyArg_ParseTuple(args, "OOOOO", &q, &l, &u, &lb, &ub))
    return NULL;
  const double *const numbers[] = {
      array_data(q, NPY_DOUBLE, s->n, "q"),   array_data(l, NPY_DOUBLE, s->m, "l"),
      array_data(u, NPY_DOUBLE, s->m, "u"),   array_data(lb, NPY_DOUBLE, s->n, "lb"),
      array_data(ub, NPY_DOUBLE, s->n, "ub"),
  };
  if (PyErr_Occurred() || !is_free(s))
    return NULL;
  perp_message why = {""};
  const perp_error error = perp_qp_solver_set(s->solver, numbers[0], numbers[1], numbers[2],
                                              numbers[3], numbers[4], &why);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* (x, z, w); z and w may be None */
static PyObject *start(PyObject *self, PyObject *args)
{
  program_object *s = (program_object *)self;
  PyObject *x, *z, *w;
  if (!PyArg_ParseTuple(args, "OOO", &x, &z, &w))
    return NULL;
  const double *first = array_data(x, NPY_DOUBLE, s->n, "x");
  const double *rows = array_data(z, NPY_DOUBLE, s->m, "z");
  const double *bounds = array_data(w, NPY_DOUBLE, s->n, "w");
  if (PyErr_Occurred() || !is_free(s))
    return NULL;
  perp_message why = {""};
  const perp_error error = perp_qp_solver_start(s->solver, first, rows, bounds, &why);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* new, or None for NULL */
static PyObject *ray_of(const perp_qp_result *r, int n, int m)
{
  if (!r->ray)
    Py_RETURN_NONE;
  return (PyObject *)new_reals(r->outcome == PERP_INFEASIBLE ? m : n, r->ray);
}

/* (method, tol, max_iterations, time_limit, cold, verbose): (x, z, w, ray, numbers) */
static PyObject *solve(PyObject *self, PyObject *args)
{
  program_object *s = (program_object *)self;
  perp_qp_options options = perp_qp_options_default();
  const char *method;
  long long most, verbose;
  int cold;
  if (!PyArg_ParseTuple(args, "sdLdpL", &method, &options.tol, &most, &options.time_limit, &cold,
                        &verbose) ||
      (s->P && !operator_is_sound(s->P)) || !is_free(s))
    return NULL;
  options.max_iterations = most;
  options.cold = cold;
  options.verbose = verbose;
  options.logger = verbose ? watch_log : NULL;
  perp_message why = {""};
  const perp_error unknown = perp_qp_solver_set_method(s->solver, method, &why);
  if (unknown)
    return raise_error(unknown, why.text);
  PyArrayObject *x = new_reals(s->n, NULL), *z = new_reals(s->m, NULL), *w = new_reals(s->n, NULL);
  perp_qp_result r = perp_qp_result_empty();
  PyObject *ray = NULL;
  if (x && z && w) {
    options.z = reals(z);
    options.w = reals(w);
    watch look = watch_of(NULL);
    options.interrupted = watch_interrupted;
    options.interrupted_context = &look;
    s->busy = true;
    operator_hold(s->P);
    PyThreadState *state = PyEval_SaveThread();
    const perp_error error = perp_qp_solver_solve(s->solver, &options, reals(x), &r);
    PyEval_RestoreThread(state);
    operator_release(s->P);
    s->busy = false;
    if (error)
      raise_error(error, r.message.text);
    else if (!PyErr_Occurred())
      ray = ray_of(&r, s->n, s->m);
  }
  if (!ray) {
    Py_XDECREF((PyObject *)x);
    Py_XDECREF((PyObject *)z);
    Py_XDECREF((PyObject *)w);
    return NULL;
  }
  return Py_BuildValue("{s:N,s:N,s:N,s:N,s:s,s:s,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:L,s:s}", "x",
                       (PyObject *)x, "z", (PyObject *)z, "w", (PyObject *)w, "ray", ray, "status",
                       perp_outcome_name(r.outcome), "method", r.method ? r.method : "",
                       "objective", r.objective, "primal", r.primal, "dual", r.dual, "gap", r.gap,
                       "complementarity", r.complementarity, "seconds", r.seconds, "nit",
                       (long long)r.counts.iterations, "factorisations",
                       (long long)r.counts.factorisations, "message", r.message.text);
}

/* (g): (q, l, u, lb, ub), the gradients of a loss whose gradient with respect to x is g */
static PyObject *vjp(PyObject *self, PyObject *args)
{
  program_object *s = (program_object *)self;
  PyObject *given;
  if (!PyArg_ParseTuple(args, "O", &given))
    return NULL;
  const double *g = array_data(given, NPY_DOUBLE, s->n, "g");
  if (PyErr_Occurred() || !is_free(s))
    return NULL;
  const int lengths[] = {s->n, s->m, s->m, s->n, s->n};
  PyArrayObject *found[5] = {0};
  bool fine = true;
  for (int k = 0; k < 5 && fine; k++)
    fine = (found[k] = new_reals(lengths[k], NULL)) != NULL;
  if (fine) {
    perp_message why = {""};
    const perp_error error =
        perp_qp_solver_vjp(s->solver, g, reals(found[0]), reals(found[1]), reals(found[2]),
                           reals(found[3]), reals(found[4]), &why);
    fine = !error;
    if (error)
      raise_error(error, why.text);
  }
  if (fine)
    return Py_BuildValue("(NNNNN)", (PyObject *)found[0], (PyObject *)found[1],
                         (PyObject *)found[2], (PyObject *)found[3], (PyObject *)found[4]);
  for (int k = 0; k < 5; k++)
    Py_XDECREF((PyObject *)found[k]);
  return NULL;
}

static PyMethodDef methods[] = {
    {"set", set, METH_VARARGS, NULL},
    {"vjp", vjp, METH_VARARGS, NULL},
    {"start", start, METH_VARARGS, NULL},
    {"solve", solve, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool program_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_new, program_new},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Program", sizeof(program_object), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  type_program = PyType_FromSpec(&spec);
  return type_program && PyModule_AddObjectRef(module, "Program", type_program) == 0;
}
