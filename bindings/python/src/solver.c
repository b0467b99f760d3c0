/* solver.c: the type Solver, a method that is kept with its memory */
#include "binding.h"

#include <string.h>

PyObject *type_solver;

typedef struct solver_object {
  PyObject head;
  perp_solver *solver;
  request standing;  /* options that hold for each solve; no references */
  PyObject *options; /* these as a dict, for pickle */
  bool busy;         /* in a solve, perhaps of another thread */
} solver_object;

/* Keeps the keywords that are neither the method nor its parameters. */
static bool keep_options(solver_object *s, PyObject *keywords)
{
  s->options = keywords ? PyDict_Copy(keywords) : PyDict_New();
  if (!s->options)
    return false;
  bool fine = true;
  const char *names[MOST_PARAMETERS + 2] = {"method", "parameters"};
  for (int k = 0; k < s->standing.parameters; k++)
    names[k + 2] = s->standing.parameter[k].name;
  for (int k = 0; fine && k < s->standing.parameters + 2; k++) {
    PyObject *name = PyUnicode_FromString(names[k]);
    const int has = name ? PyDict_Contains(s->options, name) : -1;
    fine = has >= 0 && (has == 0 || PyDict_DelItem(s->options, name) == 0);
    Py_XDECREF(name);
  }
  return fine;
}

static PyObject *solver_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *name = NULL;
  const Py_ssize_t given = PyTuple_Size(args);
  if (given > 1) {
    PyErr_Format(PyExc_TypeError, "Solver() takes at most 1 positional argument, not %zd", given);
    return NULL;
  }
  if (given == 1)
    name = PyTuple_GetItem(args, 0);
  solver_object *s = (solver_object *)PyType_GenericAlloc(type, 0);
  if (!s)
    return NULL;
  request_begin(&s->standing);
  PyObject *kept = keywords ? PyDict_Copy(keywords) : NULL; /* it has the method's name */
  bool fine = (kept || !keywords) && (!kept || request_set_all(&s->standing, kept));
  if (fine && (s->standing.x0 || s->standing.callback)) {
    PyErr_Format(PyExc_TypeError, "Solver() does not take '%s'; pass it to solve()",
                 s->standing.x0 ? "x0" : "callback");
    fine = false;
  }
  if (fine && name)
    fine = (s->standing.method = take_word(name, "method")) != NULL;
  fine = fine && (s->solver = request_solver(&s->standing, "auto")) && keep_options(s, kept);
  s->standing.parameters = 0;
  s->standing.method = NULL;
  s->standing.x0 = s->standing.callback = NULL;
  Py_XDECREF(kept);
  if (!fine)
    Py_CLEAR(s);
  return (PyObject *)s;
}

static void solver_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  perp_solver_destroy(((solver_object *)self)->solver);
  Py_XDECREF(((solver_object *)self)->options);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

/* To be asked when no code of the caller's runs any more between this and the use. */
static bool is_busy(const solver_object *s)
{
  if (s->busy)
    PyErr_SetString(PyExc_RuntimeError,
                    "this Solver is already in use; use it from one thread at a time");
  return s->busy;
}

static PyObject *solver_solve(PyObject *self, PyObject *const *args, Py_ssize_t given,
                              PyObject *keywords)
{
  enum { PROBLEM, X0, COUNT };
  static const char *const names[] = {"problem", "x0"};
  solver_object *s = (solver_object *)self;
  PyObject *v[COUNT];
  request call;
  if (!parse_call("solve", args, given, NULL, names, COUNT, 0, v, &call))
    return NULL;
  request_copy(&s->standing, &call);
  call.x0 = v[X0];
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; k++) {
    const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(keywords, k), NULL);
    if (!name)
      return NULL;
    if (strcmp(name, "problem") == 0 && !v[PROBLEM])
      v[PROBLEM] = args[given + k];
    else if (strcmp(name, "method") == 0) {
      PyErr_SetString(PyExc_TypeError,
                      "solve() does not take 'method'; create a Solver for each method");
      return NULL;
    } else if (strcmp(name, "x0") == 0 && v[X0]) {
      PyErr_SetString(PyExc_TypeError, "solve() got 'x0' twice");
      return NULL;
    } else if (!request_set(&call, name, args[given + k]))
      return NULL;
  }
  if (call.parameters) {
    PyErr_Format(PyExc_TypeError, "solve() got an unknown keyword '%s'; Solver.set sets parameters",
                 call.parameter[0].name);
    return NULL;
  }
  if (is_busy(s)) /* conversions above may have let another thread begin */
    return NULL;
  s->busy = true;
  Py_INCREF(self);
  PyObject *result = run_problem(&call, s->solver, v[PROBLEM]);
  s->busy = false;
  Py_DECREF(self);
  return result;
}

static PyObject *solver_set(PyObject *self, PyObject *args, PyObject *keywords)
{
  solver_object *s = (solver_object *)self;
  request call;
  request_begin(&call);
  if (!PyArg_ParseTuple(args, ":set") || (keywords && !request_set_parameters(&call, keywords)) ||
      is_busy(s) || !set_parameters(s->solver, &call))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *solver_method(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(perp_solver_method(((solver_object *)self)->solver).name);
}

/* A parameter as Python sees it: a number, a bool or a word. */
static PyObject *parameter_value(const perp_parameter *p, double value)
{
  switch (p->type) {
  case PERP_TYPE_INTEGER:
    return PyLong_FromDouble(value);
  case PERP_TYPE_FLAG:
    return PyBool_FromLong(value != 0);
  case PERP_TYPE_CHOICE:
    return PyUnicode_FromString(p->choices[(int)value]);
  default:
    return PyFloat_FromDouble(value);
  }
}

static PyObject *solver_parameters(PyObject *self, void *unused)
{
  (void)unused;
  const perp_solver *solver = ((solver_object *)self)->solver;
  const perp_method_info info = perp_solver_method(solver);
  PyObject *all = PyDict_New();
  for (const perp_parameter *p = info.parameters; all && p && p->name; p++) {
    double value = p->value;
    perp_solver_get(solver, p->name, &value, NULL);
    PyObject *o = parameter_value(p, value);
    if (!o || PyDict_SetItemString(all, p->name, o) != 0)
      Py_CLEAR(all);
    Py_XDECREF(o);
  }
  return all;
}

static PyObject *solver_options(PyObject *self, void *unused)
{
  (void)unused;
  return PyDict_Copy(((solver_object *)self)->options);
}

static PyObject *solver_repr(PyObject *self)
{
  PyObject *parameters = solver_parameters(self, NULL);
  if (!parameters)
    return NULL;
  const perp_method_info info = perp_solver_method(((solver_object *)self)->solver);
  PyObject *text = PyUnicode_FromFormat("<perp.Solver: %s %R>", info.name, parameters);
  Py_DECREF(parameters);
  return text;
}

static PyMethodDef solver_methods[] = {
    {"solve", (PyCFunction)(void (*)(void))solver_solve, METH_FASTCALL | METH_KEYWORDS,
     "solve($self, problem, x0=None, **options)\n--\n\n"
     "Solves a Problem, from the start x0, and returns a Result. Options are as in "
     "perp.solve_lcp,\n"
     "for this solve only. The GIL is released during the solve."},
    {"set", (PyCFunction)(void (*)(void))solver_set, METH_VARARGS | METH_KEYWORDS,
     "set($self, /, **parameters)\n--\n\nChanges parameters of the method."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef solver_members[] = {
    {"method", solver_method, NULL, "the name of the method", NULL},
    {"parameters", solver_parameters, NULL, "the parameters of the method and their values", NULL},
    {"options", solver_options, NULL, "the options that hold for each solve", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool solver_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_doc,
       "Solver(method='auto', **parameters)\n--\n\n"
       "A method, its parameters and its memory: for problems that are solved again and again.\n"
       "It keeps what it has derived from a matrix (orders, factors, plans); the bits of x are\n"
       "those of a new solver. One solver serves one thread at a time. Options that are given "
       "here\n"
       "hold for all its solves.\n"},
      {Py_tp_new, solver_new},
      {Py_tp_dealloc, solver_dealloc},
      {Py_tp_methods, solver_methods},
      {Py_tp_getset, solver_members},
      {Py_tp_repr, solver_repr},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Solver", sizeof(solver_object), 0, Py_TPFLAGS_DEFAULT,
                             slots};
  slots[0].pfunc = (void *)table_document(slots[0].pfunc);
  type_solver = PyType_FromSpec(&spec);
  return type_solver && PyModule_AddObjectRef(module, "Solver", type_solver) == 0;
}
