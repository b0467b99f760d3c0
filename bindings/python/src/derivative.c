/* derivative.c: the type _Derivative: how a solution moves with the data of its problem
 *
 * The package gives arrays a shape and names; here they are in the layout of the operator. */
#include "binding.h"

#include <string.h>

static PyObject *type_derivative;

typedef struct derivative_object {
  PyObject head;
  perp_derivative *derivative;
  problem_object *problem; /* whose matrix it looks at */
  bool busy;
} derivative_object;

/* (problem, x, tol, near, release, way) */
static PyObject *derivative_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  (void)keywords;
  PyObject *problem, *at;
  perp_derivative_options options = perp_derivative_options_default();
  int release, way;
  if (!PyArg_ParseTuple(args, "O!Oddpi", type_problem, &problem, &at, &options.tol, &options.near,
                        &release, &way))
    return NULL;
  options.degenerate = release ? PERP_DEGENERATE_RELEASE : PERP_DEGENERATE_HOLD;
  options.way = (perp_derivative_way)way;
  derivative_object *d = (derivative_object *)PyType_GenericAlloc(type, 0);
  if (!d)
    return NULL;
  Py_INCREF(problem);
  d->problem = (problem_object *)problem;
  PyArrayObject *x = vector_of_reals(at, d->problem->problem.K.n, false, "x");
  perp_message why = {""};
  perp_error error = PERP_OK;
  if (x && operator_is_sound((PyObject *)d->problem->A)) {
    operator_hold((PyObject *)d->problem->A);
    PyThreadState *state = PyEval_SaveThread();
    error = perp_derivative_create(&d->problem->problem, reals(x), &options, &d->derivative, &why);
    PyEval_RestoreThread(state);
    operator_release((PyObject *)d->problem->A);
    if (error)
      raise_error(error, why.text);
  }
  Py_XDECREF((PyObject *)x);
  if (PyErr_Occurred())
    Py_CLEAR(d);
  return (PyObject *)d;
}

static void dealloc(PyObject *self)
{
  derivative_object *d = (derivative_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  perp_derivative_destroy(d->derivative);
  Py_XDECREF((PyObject *)d->problem);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

/* The arrays of a gradient and of a change: their names, and where they are in both structs. */
static const struct {
  const char *name;
  size_t gradient, change;
} parts[] = {
    {"b", offsetof(perp_gradient, b), offsetof(perp_change, b)},
    {"lo", offsetof(perp_gradient, lo), offsetof(perp_change, lo)},
    {"hi", offsetof(perp_gradient, hi), offsetof(perp_change, hi)},
    {"mu", offsetof(perp_gradient, mu), offsetof(perp_change, mu)},
    {"A", offsetof(perp_gradient, A), offsetof(perp_change, A)},
    {"J", offsetof(perp_gradient, J), offsetof(perp_change, J)},
    {"Minv", offsetof(perp_gradient, Minv), offsetof(perp_change, Minv)},
    {"C", offsetof(perp_gradient, C), offsetof(perp_change, C)},
};

enum { PARTS = sizeof parts / sizeof *parts };

/* Returns the length of a part; 0 if this problem does not have it. */
static npy_intp count_of(const derivative_object *d, int part)
{
  const perp_derivative_facts f = perp_derivative_get(d->derivative);
  const perp_set *K = &d->problem->problem.K;
  const npy_intp mus = (npy_intp)K->cones * (K->dim ? 5 : 1);
  const npy_intp counts[PARTS] = {K->n,      K->n,      K->n,         mus,
                                  f.A_count, f.J_count, f.Minv_count, f.C_count};
  return counts[part];
}

/* To be asked when no code of the caller's runs any more between this and the use. */
static bool may_begin(const derivative_object *d)
{
  if (d->busy)
    PyErr_SetString(PyExc_RuntimeError,
                    "this derivative is already in use; use it from one thread at a time");
  return !d->busy && operator_is_sound((PyObject *)d->problem->A);
}

/* Computes g from w, or dx from c if w is NULL; without the GIL. */
static void differentiate(derivative_object *d, PyArrayObject *w, perp_gradient *g,
                          const perp_change *c, PyArrayObject *dx)
{
  if (!may_begin(d))
    return;
  perp_message why = {""};
  d->busy = true;
  operator_hold((PyObject *)d->problem->A);
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = w ? perp_derivative_vjp(d->derivative, reals(w), g, &why)
                             : perp_derivative_jvp(d->derivative, c, reals(dx), &why);
  PyEval_RestoreThread(state);
  operator_release((PyObject *)d->problem->A);
  d->busy = false;
  if (error)
    raise_error(error, why.text);
}

/* (w, names): {name: numbers}, of the names that this problem has */
static PyObject *vjp(PyObject *self, PyObject *args)
{
  derivative_object *d = (derivative_object *)self;
  PyObject *given, *names;
  if (!PyArg_ParseTuple(args, "OO", &given, &names))
    return NULL;
  PyArrayObject *w = vector_of_reals(given, d->problem->problem.K.n, false, "w");
  PyObject *all = w ? PyDict_New() : NULL;
  perp_gradient g = perp_gradient_default();
  bool fine = all != NULL;
  for (int k = 0; k < PARTS && fine; k++) {
    PyObject *name = PyUnicode_FromString(parts[k].name);
    const int wanted = name ? PySequence_Contains(names, name) : -1;
    fine = wanted >= 0;
    if (wanted > 0 && count_of(d, k) > 0) {
      PyArrayObject *v = new_reals(count_of(d, k), NULL);
      fine = v && PyDict_SetItem(all, name, (PyObject *)v) == 0;
      if (fine)
        *(double **)(void *)((char *)&g + parts[k].gradient) = reals(v);
      Py_XDECREF((PyObject *)v);
    }
    Py_XDECREF(name);
  }
  if (fine)
    differentiate(d, w, &g, NULL, NULL);
  Py_XDECREF((PyObject *)w);
  if (PyErr_Occurred())
    Py_CLEAR(all);
  return all;
}

/* ({name: numbers}): dx */
static PyObject *jvp(PyObject *self, PyObject *given)
{
  derivative_object *d = (derivative_object *)self;
  PyArrayObject *kept[PARTS] = {NULL}, *dx = new_reals(d->problem->problem.K.n, NULL);
  perp_change c = perp_change_default();
  bool fine = dx != NULL;
  for (int k = 0; k < PARTS && fine; k++) {
    PyObject *v = PyDict_GetItemString(given, parts[k].name);
    if (!v)
      continue;
    kept[k] = vector_of_reals(v, count_of(d, k), false, parts[k].name);
    fine = kept[k] != NULL;
    *(const double **)(void *)((char *)&c + parts[k].change) = reals(kept[k]);
  }
  if (fine)
    differentiate(d, NULL, NULL, &c, dx);
  for (int k = 0; k < PARTS; k++)
    Py_XDECREF((PyObject *)kept[k]);
  if (PyErr_Occurred())
    Py_CLEAR(dx);
  return (PyObject *)dx;
}

static PyObject *facts(PyObject *self, PyObject *unused)
{
  (void)unused;
  static const char *const ways[] = {"auto", "dense", "sparse", "krylov"};
  const perp_derivative_facts f = perp_derivative_get(((derivative_object *)self)->derivative);
  return Py_BuildValue("{s:i,s:i,s:L,s:L,s:L,s:L,s:L,s:L,s:s,s:d,s:d}", "n", f.n, "free", f.free,
                       "bound", (long long)f.bound, "stick", (long long)f.stick, "slide",
                       (long long)f.slide, "separate", (long long)f.separate, "degenerate",
                       (long long)f.degenerate, "deficiency", (long long)f.deficiency, "way",
                       ways[f.way], "residual", f.residual, "error", f.error);
}

/* Where the numbers of A stand: (kind, ...) */
static PyObject *layout(PyObject *self, PyObject *unused)
{
  (void)unused;
  const perp_operator *A = ((derivative_object *)self)->problem->problem.A;
  const double *a;
  int64_t stride = 0;
  perp_contact_data data;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK)
    return Py_BuildValue("(sL)", "dense", (long long)stride);
  if (perp_operator_contact_source(A, &data) != PERP_OK)
    return Py_BuildValue("(si)", perp_operator_kind(A), perp_operator_block(A));
  npy_intp length = data.rows + 1, entries = data.J_start[data.rows];
  PyObject *start = PyArray_SimpleNew(1, &length, NPY_INT64);
  PyObject *column = PyArray_SimpleNew(1, &entries, NPY_INT32);
  if (start && column) {
    memcpy(PyArray_DATA((PyArrayObject *)start), data.J_start, (size_t)length * sizeof(int64_t));
    if (entries)
      memcpy(PyArray_DATA((PyArrayObject *)column), data.J_column, (size_t)entries * sizeof(int));
    return Py_BuildValue("(siiNN)", "contact", data.rows, data.velocities, start, column);
  }
  Py_XDECREF(start);
  Py_XDECREF(column);
  return NULL;
}

static PyMethodDef methods[] = {
    {"vjp", vjp, METH_VARARGS, NULL},
    {"jvp", jvp, METH_O, NULL},
    {"facts", facts, METH_NOARGS, NULL},
    {"layout", layout, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool derivative_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_new, derivative_new},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Derivative", sizeof(derivative_object), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  type_derivative = PyType_FromSpec(&spec);
  return type_derivative && PyModule_AddObjectRef(module, "Derivative", type_derivative) == 0;
}
