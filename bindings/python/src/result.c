/* result.c: the type Result; its fields are made when they are asked for */
#include "binding.h"

#include <math.h>

PyObject *type_result, *type_attempt, *type_counts;

static void dealloc(PyObject *self)
{
  result_object *r = (result_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF((PyObject *)r->x);
  Py_XDECREF((PyObject *)r->y);
  Py_XDECREF((PyObject *)r->x_low);
  PyObject *const parts[] = {r->ray,    r->trace, r->A,    r->b,   r->lo, r->hi,
                             r->findex, r->mu,    r->cone, r->dim, r->law};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    Py_XDECREF(parts[k]);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

/* Fills a struct sequence; takes the references of the items. */
static PyObject *sequence(PyObject *type, int count, PyObject *const items[])
{
  PyObject *s = PyStructSequence_New((PyTypeObject *)type);
  bool fine = s != NULL;
  for (int k = 0; k < count; k++) {
    fine = fine && items[k];
    if (s && items[k])
      PyStructSequence_SetItem(s, k, items[k]);
    else
      Py_XDECREF(items[k]);
  }
  if (!fine)
    Py_CLEAR(s);
  return s;
}

PyObject *new_attempt(const perp_attempt *a)
{
  PyObject *const items[] = {
      PyUnicode_FromString(a->method), PyUnicode_FromString(perp_outcome_name(a->outcome)),
      PyFloat_FromDouble(a->residual), PyLong_FromLongLong(a->iterations),
      PyFloat_FromDouble(a->seconds),
  };
  return sequence(type_attempt, 5, items);
}

PyObject *new_counts(const perp_counts *c)
{
  const int64_t numbers[] = {c->iterations,     c->sweeps, c->applies, c->checks,  c->pivots,
                             c->factorisations, c->solves, c->cycles,  c->restarts};
  PyObject *items[9];
  for (int k = 0; k < 9; k++)
    items[k] = PyLong_FromLongLong(numbers[k]);
  return sequence(type_counts, 9, items);
}

/* ---- Members ---- */

static const perp_result *result_of(PyObject *self)
{
  return &((result_object *)self)->result;
}

static PyObject *owned(PyObject *o)
{
  if (!o)
    Py_RETURN_NONE;
  Py_INCREF(o);
  return o;
}

enum { OBJECT_X, OBJECT_Y, OBJECT_RAY, OBJECT_TRACE, OBJECT_X_LOW };

static PyObject *get_object(PyObject *self, void *which)
{
  const result_object *r = (result_object *)self;
  PyObject *const objects[] = {(PyObject *)r->x, (PyObject *)r->y, r->ray, r->trace,
                               (PyObject *)r->x_low};
  return owned(objects[(intptr_t)which]);
}

static PyObject *get_certificate(PyObject *self, void *unused)
{
  (void)unused;
  const result_object *r = (result_object *)self;
  return owned(r->result.outcome == PERP_INFEASIBLE ? r->ray : NULL);
}

enum {
  NUMBER_RESIDUAL,
  NUMBER_RELATIVE,
  NUMBER_SCALE,
  NUMBER_SECONDS,
  NUMBER_MERIT,
  NUMBER_FLOOR,
};

static PyObject *get_number(PyObject *self, void *which)
{
  const perp_result *r = result_of(self);
  const double numbers[] = {r->residual, r->relative_residual, r->scale, r->seconds, r->merit,
                            r->floor};
  return PyFloat_FromDouble(numbers[(intptr_t)which]);
}

static PyObject *get_success(PyObject *self, void *unused)
{
  (void)unused;
  return PyBool_FromLong(result_of(self)->outcome == PERP_SOLVED);
}

static PyObject *get_status(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(perp_outcome_name(result_of(self)->outcome));
}

static PyObject *get_nit(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLongLong(result_of(self)->counts.iterations);
}

static PyObject *get_method(PyObject *self, void *unused)
{
  (void)unused;
  const char *name = result_of(self)->method;
  return PyUnicode_FromString(name ? name : "");
}

static PyObject *get_message(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(result_of(self)->message.text);
}

static PyObject *get_counts(PyObject *self, void *unused)
{
  (void)unused;
  return new_counts(&result_of(self)->counts);
}

static PyObject *get_attempts(PyObject *self, void *unused)
{
  (void)unused;
  const perp_result *r = result_of(self);
  PyObject *all = PyList_New(0);
  for (int k = 0; all && k < r->attempts; k++)
    list_take(&all, new_attempt(&r->attempt[k]));
  return all;
}

static PyObject *get_plan(PyObject *self, void *unused)
{
  (void)unused;
  const perp_plan *plan = &result_of(self)->plan;
  PyObject *all = PyList_New(0);
  for (int k = 0; all && k < plan->steps; k++)
    list_take(&all, PyUnicode_FromString(plan->method[k]));
  return all;
}

static PyObject *get_class(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(result_of(self)->plan.class_name);
}

static PyObject *get_problem(PyObject *self, void *unused)
{
  (void)unused;
  const result_object *r = (result_object *)self;
  enum { PARTS = 9 };
  PyObject *const parts[PARTS] = {r->A,  r->b,    r->lo,  r->hi, r->findex,
                                  r->mu, r->cone, r->dim, r->law};
  PyObject *args = PyTuple_New(PARTS);
  for (int k = 0; args && k < PARTS; k++) {
    PyObject *part = parts[k] ? parts[k] : Py_None;
    Py_INCREF(part);
    PyTuple_SetItem(args, k, part);
  }
  PyObject *problem = args ? PyObject_CallObject(type_problem, args) : NULL;
  Py_XDECREF(args);
  return problem;
}

/* Returns true if an array of the caller, or NULL, still has `count` numbers. */
static bool has(PyObject *o, npy_intp count, const char *name)
{
  if (!o || PyArray_SIZE((PyArrayObject *)o) >= count)
    return true;
  PyErr_Format(PyExc_ValueError, "%s was resized since the solve", name);
  return false;
}

/* The arrays are the caller's, who may have written other indices into them since the solve. */
static bool indices_are_sound(const perp_set *K)
{
  for (int i = 0; K->findex && i < K->n; i++)
    if (K->findex[i] < -1 || K->findex[i] >= K->n) {
      PyErr_Format(PyExc_ValueError, "findex[%d] = %d was changed since the solve", i,
                   K->findex[i]);
      return false;
    }
  for (int c = 0, row = 0; (K->cone || K->dim) && c < K->cones; c++) {
    const int rows = K->dim ? K->dim[c] : 3;
    row = K->cone ? K->cone[c] : row;
    if (rows < 1 || rows > 6 || row < 0 || row > K->n - rows) {
      PyErr_Format(PyExc_ValueError, "%s[%d] = %d was changed since the solve",
                   K->cone ? "cone" : "dim", c, K->cone ? K->cone[c] : rows);
      return false;
    }
    row += rows;
  }
  return true;
}

/* -1 at the lower bound, 1 at the upper one, 0 between; of cones 0 */
static PyObject *get_active(PyObject *self, void *unused)
{
  (void)unused;
  const result_object *r = (result_object *)self;
  npy_intp n = PyArray_DIM(r->x, 0);
  const npy_intp cones = r->mu ? PyArray_DIM((PyArrayObject *)r->mu, 0) : 0;
  if (!has((PyObject *)r->x, n, "x") || !has((PyObject *)r->y, n, "y") || !has(r->lo, n, "lo") ||
      !has(r->hi, n, "hi") || !has(r->findex, n, "findex") || !has(r->cone, cones, "cone") ||
      !has(r->dim, cones, "dim"))
    return NULL;
  PyArrayObject *active = (PyArrayObject *)PyArray_ZEROS(1, &n, NPY_INT8, 0);
  if (!active)
    return NULL;
  perp_set K = perp_set_default((int)n);
  K.lo = reals((PyArrayObject *)r->lo);
  K.hi = reals((PyArrayObject *)r->hi);
  K.findex = ints((PyArrayObject *)r->findex);
  K.mu = reals((PyArrayObject *)r->mu);
  K.cones = (int)cones;
  K.cone = ints((PyArrayObject *)r->cone);
  K.dim = ints((PyArrayObject *)r->dim);
  if (!indices_are_sound(&K)) {
    Py_DECREF(active);
    return NULL;
  }
  npy_int8 *a = PyArray_DATA(active);
  const double *x = reals(r->x), *y = reals(r->y);
  const double tiny = r->result.residual;
  for (int i = 0; i < n; i++) {
    double lo = 0, hi = INFINITY;
    perp_set_bounds(&K, x, i, &lo, &hi);
    /* at a bound up to the residual, and pressed against it */
    if (x[i] - lo <= tiny && y[i] >= 0)
      a[i] = -1;
    else if (hi - x[i] <= tiny && y[i] <= 0)
      a[i] = 1;
  }
  for (int c = 0, row = 0; c < K.cones; c++) {
    const int rows = K.dim ? K.dim[c] : 3;
    row = K.cone ? K.cone[c] : row;
    for (int k = 0; k < rows && row + k < n; k++)
      a[row + k] = 0;
    row += rows;
  }
  return (PyObject *)active;
}

static PyGetSetDef members[] = {
    {"x", get_object, NULL, "the solution, or the best iterate if it is not solved",
     (void *)OBJECT_X},
    {"y", get_object, NULL, "A x + b", (void *)OBJECT_Y},
    {"success", get_success, NULL, "True if solved: the library has recomputed the residual", NULL},
    {"status", get_status, NULL, "solved, iteration-limit, time-limit, infeasible, ...", NULL},
    {"residual", get_number, NULL, "natural residual max |x - P(x - y)|", (void *)NUMBER_RESIDUAL},
    {"relative_residual", get_number, NULL, "residual / scale: solved means that it is at most tol",
     (void *)NUMBER_RELATIVE},
    {"scale", get_number, NULL, "max |b|, or 1 if b = 0", (void *)NUMBER_SCALE},
    {"seconds", get_number, NULL, "that the solve took; 0: not measured", (void *)NUMBER_SECONDS},
    {"merit", get_number, NULL, "the method's own, NaN if it has none", (void *)NUMBER_MERIT},
    {"floor", get_number, NULL,
     "the last digits of x change the residual by up to this; 0: not estimated",
     (void *)NUMBER_FLOOR},
    {"x_low", get_object, NULL, "with x_low=True: the solution is x + x_low; else None",
     (void *)OBJECT_X_LOW},
    {"nit", get_nit, NULL, "iterations of the method", NULL},
    {"method", get_method, NULL, "the method that made x", NULL},
    {"message", get_message, NULL, "one line", NULL},
    {"counts", get_counts, NULL, "sweeps, products, pivots, factorisations, ...", NULL},
    {"attempts", get_attempts, NULL, "the methods that `auto` has run, and how each ended", NULL},
    {"plan", get_plan, NULL, "the methods that `auto` meant to try", NULL},
    {"class_name", get_class, NULL, "the class of problems that `auto` saw", NULL},
    {"certificate", get_certificate, NULL,
     "if the status is infeasible: u, which proves it exactly; else None", NULL},
    {"ray", get_object, NULL, "the direction in which a pivoting method ended, or None",
     (void *)OBJECT_RAY},
    {"trace", get_object, NULL,
     "with trace=True: a row (iteration, seconds, residual) of each check; else None",
     (void *)OBJECT_TRACE},
    {"active", get_active, NULL, "of each row: -1 at its lower bound, 1 at its upper one, else 0",
     NULL},
    {"problem", get_problem, NULL, "the Problem that was solved", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *no_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  (void)type, (void)args, (void)keywords;
  PyErr_SetString(PyExc_TypeError, "a Result cannot be created; solve() returns one");
  return NULL;
}

bool result_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_doc, "The result of a solve."},
      {Py_tp_dealloc, dealloc},
      {Py_tp_new, no_new},
      {Py_tp_getset, members},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Result", sizeof(result_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  static PyStructSequence_Field attempt_fields[] = {
      {"method", NULL},
      {"status", "how it ended"},
      {"residual", "natural, the best so far after it"},
      {"nit", "iterations"},
      {"seconds", NULL},
      {NULL, NULL},
  };
  static PyStructSequence_Desc attempt = {"perp.Attempt", "One method that `auto` has run.",
                                          attempt_fields, 5};
  static PyStructSequence_Field count_fields[] = {
      {"iterations", NULL}, {"sweeps", NULL}, {"applies", NULL},
      {"checks", NULL},     {"pivots", NULL}, {"factorisations", NULL},
      {"solves", NULL},     {"cycles", NULL}, {"restarts", NULL},
      {NULL, NULL},
  };
  static PyStructSequence_Desc counts = {"perp.Counts", "Counters of the work done.", count_fields,
                                         9};
  PyObject *base = PyType_FromSpec(&spec);
  type_result = base; /* until the package registers its own */
  type_attempt = (PyObject *)PyStructSequence_NewType(&attempt);
  type_counts = (PyObject *)PyStructSequence_NewType(&counts);
  return base && type_attempt && type_counts &&
         PyModule_AddObjectRef(module, "Result", base) == 0 &&
         PyModule_AddObjectRef(module, "Attempt", type_attempt) == 0 &&
         PyModule_AddObjectRef(module, "Counts", type_counts) == 0;
}
