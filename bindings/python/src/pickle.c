/* pickle.c: the state of operators, problems, results and solvers, for pickle and copy
 *
 * Each state is a tuple that a function of this file, or of make.c, turns into an equal object. Arrays are copied.
 * perp/_pickle.py registers these with pickle. */
#include "binding.h"

#include <string.h>

static PyObject *copied(const void *from, npy_intp count, int type, size_t size)
{
  if (!from)
    Py_RETURN_NONE;
  PyObject *a = PyArray_SimpleNew(1, &count, type);
  if (a && count > 0)
    memcpy(PyArray_DATA((PyArrayObject *)a), from, (size_t)count * size);
  return a;
}

static PyObject *copied_reals(const double *from, npy_intp count)
{
  return copied(from, count, NPY_DOUBLE, sizeof *from);
}

static PyObject *copied_ints(const int *from, npy_intp count)
{
  return copied(from, count, NPY_INT32, sizeof *from);
}

static PyObject *copied_longs(const int64_t *from, npy_intp count)
{
  return copied(from, count, NPY_INT64, sizeof *from);
}

/* ---- Operators: the arguments of make_rows, make_contact, make_stencil and make_shell ---- */

static PyObject *blocks_state(const perp_operator *A)
{
  const int64_t *start = NULL;
  const int *column = NULL;
  const double *value = NULL;
  const int size = perp_operator_block(A), n = perp_operator_size(A) / size;
  perp_operator_bsr_arrays(A, &start, &column, &value);
  const npy_intp entries = (npy_intp)start[n];
  return Py_BuildValue("(iiNNN)", n, size, copied_longs(start, n + 1), copied_ints(column, entries),
                       copied_reals(value, entries * size * size));
}

static PyObject *contact_state(const perp_contact_data *d)
{
  const npy_intp J = d->J_start ? (npy_intp)d->J_start[d->rows] : 0;
  const npy_intp C = d->C_start ? (npy_intp)d->C_start[d->rows] : 0;
  const npy_intp M = d->M_start ? (npy_intp)d->M_start[d->velocities] : 0;
  if (d->apply_Minv)
    return PyErr_Format(PyExc_TypeError, "a matrix with a function for Minv cannot be pickled");
  npy_intp masses = 0;
  for (int k = 0; k < d->blocks; k++) {
    const npy_intp size =
        d->block_start ? d->block_start[k + 1] - d->block_start[k] : d->velocities / d->blocks;
    masses += size * size;
  }
  return Py_BuildValue("(iiNNNiNNNNNNdNNN)", d->rows, d->velocities,
                       copied_longs(d->J_start, d->rows + 1), copied_ints(d->J_column, J),
                       copied_reals(d->J_value, J), d->blocks,
                       copied_ints(d->block_start, d->blocks + 1), copied_reals(d->Minv, masses),
                       copied_longs(d->C_start, d->rows + 1), copied_ints(d->C_column, C),
                       copied_reals(d->C_value, C), copied_reals(d->C_diagonal, d->rows), d->cfm,
                       copied_longs(d->M_start, d->velocities + 1), copied_ints(d->M_column, M),
                       copied_reals(d->M_value, M));
}

static PyObject *stencil_state(const perp_stencil_data *d)
{
  const npy_intp cells = (npy_intp)d->nx * d->ny * d->nz;
  return Py_BuildValue("(iiiNNNNdN)", d->nx, d->ny, d->nz, copied_ints(d->cells, d->unknowns),
                       copied_reals(d->wx, cells), copied_reals(d->wy, cells),
                       copied_reals(d->wz, cells), d->weight, copied_reals(d->diagonal, cells));
}

/* Returns the arguments of make_KIND without the type; of a dense or csr matrix the package makes them. */
static PyObject *operator_state(PyObject *self, PyObject *object)
{
  (void)self;
  if (!PyObject_TypeCheck(object, (PyTypeObject *)type_operator))
    return PyErr_Format(PyExc_TypeError, "an Operator is needed, not %R",
                        (PyObject *)Py_TYPE(object));
  const operator_object *o = (operator_object *)object;
  const char *kind = perp_operator_kind(o->A);
  perp_contact_data contact = perp_contact_data_default();
  perp_stencil_data stencil = perp_stencil_data_default();
  if (!operator_is_sound(object))
    return NULL;
  if (strcmp(kind, "bsr") == 0)
    return blocks_state(o->A);
  if (perp_operator_contact_source(o->A, &contact) == PERP_OK)
    return contact_state(&contact);
  if (perp_operator_stencil_data(o->A, &stencil) == PERP_OK)
    return stencil_state(&stencil);
  if (operator_calls_python(o->A)) {
    const unsigned hints = perp_operator_hints(o->A);
    return Py_BuildValue("(iOOONNN)", perp_operator_size(o->A), PyTuple_GetItem(o->keep, 1),
                         PyTuple_GetItem(o->keep, 2), PyTuple_GetItem(o->keep, 3),
                         PyBool_FromLong(hints & PERP_HINT_SYMMETRIC),
                         PyBool_FromLong(hints & PERP_HINT_SEMIDEFINITE),
                         PyBool_FromLong(hints & PERP_HINT_DEFINITE));
  }
  return PyErr_Format(PyExc_TypeError, "a matrix of the kind %s cannot be pickled", kind);
}

/* ---- Problems ---- */

/* (problem, x, u, kind, name): sets the facts that Problem(...) does not take, and returns the problem. */
static PyObject *problem_restore(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *object, *x, *u;
  const char *kind, *name;
  if (!PyArg_ParseTuple(args, "O!OOss", type_problem, &object, &x, &u, &kind, &name))
    return NULL;
  problem_object *p = (problem_object *)object;
  if (p->x || p->u)
    return PyErr_Format(PyExc_ValueError, "the problem has a solution or a certificate already");
  const int n = p->problem.K.n;
  if ((x != Py_None && !(p->x = vector_of_reals(x, n, false, "x"))) ||
      (u != Py_None && !(p->u = vector_of_reals(u, n, false, "u"))) ||
      !locks_add(&p->locked, (PyObject *)p->x) || !locks_add(&p->locked, (PyObject *)p->u))
    return NULL;
  for (int k = PERP_KIND_UNKNOWN; k <= PERP_KIND_INFEASIBLE; k++)
    if (strcmp(kind, perp_kind_name((perp_kind)k)) == 0)
      p->kind = perp_kind_name((perp_kind)k);
  PyOS_snprintf(p->name, sizeof p->name, "%s", name);
  Py_INCREF(object);
  return object;
}

/* ---- Results ---- */

static PyObject *or_none(PyObject *o)
{
  return o ? o : Py_None;
}

static PyObject *names_of(int count, const char *const *names)
{
  PyObject *all = PyTuple_New(count);
  for (int k = 0; all && k < count; k++) {
    PyObject *name = PyUnicode_FromString(names[k]);
    if (!name || PyTuple_SetItem(all, k, name) != 0)
      Py_CLEAR(all);
  }
  return all;
}

static PyObject *attempts_state(const perp_result *r)
{
  PyObject *all = PyTuple_New(r->attempts);
  for (int k = 0; all && k < r->attempts; k++) {
    const perp_attempt *a = &r->attempt[k];
    PyObject *one = Py_BuildValue("(sidLd)", a->method, (int)a->outcome, a->residual,
                                  (long long)a->iterations, a->seconds);
    if (!one || PyTuple_SetItem(all, k, one) != 0)
      Py_CLEAR(all);
  }
  return all;
}

/* Returns (arrays, parts of the problem, numbers, texts, counts, plan, attempts). */
static PyObject *result_state(PyObject *self, PyObject *object)
{
  (void)self;
  if (!PyObject_TypeCheck(object, (PyTypeObject *)type_result))
    return PyErr_Format(PyExc_TypeError, "a Result is needed, not %R", (PyObject *)Py_TYPE(object));
  const result_object *o = (result_object *)object;
  const perp_result *r = &o->result;
  const perp_counts *c = &r->counts;
  PyObject *plan = names_of(r->plan.steps, r->plan.method);
  PyObject *attempts = attempts_state(r);
  return Py_BuildValue(
      "((OOOOO)(OOOOOOOOO)(iddddddd)(sss)(LLLLLLLLL)(NNi)N)", (PyObject *)o->x, (PyObject *)o->y,
      or_none((PyObject *)o->x_low), or_none(o->ray), or_none(o->trace), o->A, o->b, or_none(o->lo),
      or_none(o->hi), or_none(o->findex), or_none(o->mu), or_none(o->cone), or_none(o->dim),
      or_none(o->law), (int)r->outcome, r->residual, r->relative_residual, r->scale, r->seconds,
      r->merit, r->plan_seconds, r->floor, r->method ? r->method : "", r->message.text,
      r->plan.class_name, (long long)c->iterations, (long long)c->sweeps, (long long)c->applies,
      (long long)c->checks, (long long)c->pivots, (long long)c->factorisations,
      (long long)c->solves, (long long)c->cycles, (long long)c->restarts, plan,
      copied_longs(r->plan.limit, r->plan.steps), r->plan.scaled, attempts);
}

/* Returns the library's own copy of a method's name; NULL if it has no such method. */
static const char *method_name(const char *name)
{
  const int index = perp_method_find(name);
  return index >= 0 ? perp_method_at(index).name : NULL;
}

static bool restore_plan(PyObject *names, PyObject *limits, perp_plan *plan)
{
  const Py_ssize_t steps = PyTuple_Size(names);
  if (steps < 0 || steps > PERP_ATTEMPTS || !PyArray_Check(limits) ||
      PyArray_TYPE((PyArrayObject *)limits) != NPY_INT64 ||
      PyArray_SIZE((PyArrayObject *)limits) != steps)
    return false;
  plan->steps = (int)steps;
  for (int k = 0; k < plan->steps; k++) {
    const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, k), NULL);
    plan->limit[k] = ((const int64_t *)PyArray_DATA((PyArrayObject *)limits))[k];
    plan->method[k] = name ? method_name(name) : NULL;
    if (!plan->method[k])
      return false;
  }
  return true;
}

static bool restore_attempts(PyObject *attempts, perp_result *r)
{
  const Py_ssize_t count = PyTuple_Size(attempts);
  if (count < 0 || count > PERP_ATTEMPTS)
    return false;
  r->attempts = (int)count;
  for (int k = 0; k < r->attempts; k++) {
    perp_attempt *a = &r->attempt[k];
    const char *name;
    int outcome;
    long long iterations;
    if (!PyArg_ParseTuple(PyTuple_GetItem(attempts, k), "sidLd", &name, &outcome, &a->residual,
                          &iterations, &a->seconds))
      return false;
    a->method = method_name(name);
    a->outcome = (perp_outcome)outcome;
    a->iterations = iterations;
    if (!a->method)
      return false;
  }
  return true;
}

static PyObject *taken(PyObject *o)
{
  if (o == Py_None)
    return NULL;
  Py_INCREF(o);
  return o;
}

static bool is_vector(PyObject *o)
{
  return PyArray_Check(o) && PyArray_TYPE((PyArrayObject *)o) == NPY_DOUBLE &&
         PyArray_NDIM((PyArrayObject *)o) == 1;
}

/* Returns the Result with the state of result_state. */
static PyObject *result_restore(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *a[5], *p[9], *names, *limits, *attempts;
  const char *method, *message, *class_name;
  int outcome;
  long long count[9];
  result_object *o = (result_object *)PyType_GenericAlloc((PyTypeObject *)type_result, 0);
  if (!o)
    return NULL;
  perp_result *r = &o->result;
  *r = perp_result_empty();
  bool fine = PyArg_ParseTuple(
      args, "(OOOOO)(OOOOOOOOO)(iddddddd)(sss)(LLLLLLLLL)(O!Oi)O!", &a[0], &a[1], &a[2], &a[3],
      &a[4], &p[0], &p[1], &p[2], &p[3], &p[4], &p[5], &p[6], &p[7], &p[8], &outcome, &r->residual,
      &r->relative_residual, &r->scale, &r->seconds, &r->merit, &r->plan_seconds, &r->floor,
      &method, &message, &class_name, &count[0], &count[1], &count[2], &count[3], &count[4],
      &count[5], &count[6], &count[7], &count[8], &PyTuple_Type, &names, &limits, &r->plan.scaled,
      &PyTuple_Type, &attempts);
  if (fine && !(is_vector(a[0]) && is_vector(a[1]) && (a[2] == Py_None || is_vector(a[2])) &&
                restore_plan(names, limits, &r->plan) && restore_attempts(attempts, r))) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError,
                      "this is not the state of a Result of this version of perp");
    fine = false;
  }
  if (fine) {
    r->outcome = (perp_outcome)outcome;
    r->method = method_name(method);
    PyOS_snprintf(r->message.text, sizeof r->message.text, "%s", message);
    PyOS_snprintf(r->plan.class_name, sizeof r->plan.class_name, "%s", class_name);
    r->counts = (perp_counts){.iterations = count[0],
                              .sweeps = count[1],
                              .applies = count[2],
                              .checks = count[3],
                              .pivots = count[4],
                              .factorisations = count[5],
                              .solves = count[6],
                              .cycles = count[7],
                              .restarts = count[8]};
    o->x = (PyArrayObject *)taken(a[0]);
    o->y = (PyArrayObject *)taken(a[1]);
    o->x_low = (PyArrayObject *)taken(a[2]);
    o->ray = taken(a[3]);
    o->trace = taken(a[4]);
    o->A = taken(p[0]);
    o->b = taken(p[1]);
    o->lo = taken(p[2]);
    o->hi = taken(p[3]);
    o->findex = taken(p[4]);
    o->mu = taken(p[5]);
    o->cone = taken(p[6]);
    o->dim = taken(p[7]);
    o->law = taken(p[8]);
  }
  if (!fine)
    Py_CLEAR(o);
  return (PyObject *)o;
}

PyMethodDef pickle_functions[] = {
    {"operator_state", operator_state, METH_O, NULL},
    {"problem_restore", problem_restore, METH_VARARGS, NULL},
    {"result_state", result_state, METH_O, NULL},
    {"result_restore", result_restore, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
