/* make.c: matrices from arrays and functions: private functions (type, arrays...) that the package
 * calls. Arrays are borrowed. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* ---- A matrix given only by its products with vectors ---- */

typedef struct callbacks {
  int n;
  PyObject *matvec, *rmatvec, *diagonal; /* borrowed: `keep` of the operator holds them */
} callbacks;

static const char callbacks_name[] = "perp.callbacks";

/* The n numbers that a function returned; false with an exception set if they are not n numbers. */
static bool take_reals(PyObject *answer, int n, double *y, const char *name)
{
  if (!answer)
    return false;
  PyArrayObject *v = (PyArrayObject *)PyArray_FromAny(answer, PyArray_DescrFromType(NPY_DOUBLE), 0,
                                                      0, NPY_ARRAY_CARRAY_RO, NULL);
  Py_DECREF(answer);
  if (!v)
    return false;
  const bool fits = PyArray_SIZE(v) == n;
  if (fits && n > 0)
    memcpy(y, PyArray_DATA(v), (size_t)n * sizeof *y);
  else if (!fits)
    PyErr_Format(PyExc_ValueError, "%s returned %zd numbers, not %d", name,
                 (Py_ssize_t)PyArray_SIZE(v), n);
  Py_DECREF((PyObject *)v);
  return fits;
}

/* x is copied: the function may keep what it was given. */
static int call_product(PyObject *function, int n, const double *x, double *y, const char *name)
{
  const PyGILState_STATE gil = PyGILState_Ensure();
  bool fine = false;
  if (!PyErr_Occurred()) {
    PyArrayObject *v = new_reals(n, x);
    if (v) {
      fine = take_reals(PyObject_CallFunctionObjArgs(function, (PyObject *)v, NULL), n, y, name);
      Py_DECREF((PyObject *)v);
    }
  }
  PyGILState_Release(gil);
  return fine ? 0 : 1;
}

static int shell_apply(void *context, const double *x, double *y)
{
  const callbacks *c = context;
  return call_product(c->matvec, c->n, x, y, "matvec");
}

static int shell_apply_t(void *context, const double *x, double *y)
{
  const callbacks *c = context;
  return call_product(c->rmatvec, c->n, x, y, "rmatvec");
}

static int shell_diagonal(void *context, double *d)
{
  const callbacks *c = context;
  const PyGILState_STATE gil = PyGILState_Ensure();
  const bool fine = !PyErr_Occurred() && take_reals(PyObject_CallFunctionObjArgs(c->diagonal, NULL),
                                                    c->n, d, "diagonal");
  PyGILState_Release(gil);
  return fine ? 0 : 1;
}

static void free_callbacks(PyObject *capsule)
{
  free(PyCapsule_GetPointer(capsule, callbacks_name));
}

/* ---- Constructors ---- */

/* new; takes A, also if it fails; keep, a tuple or NULL, is not taken */
static PyObject *wrap(PyObject *type, perp_operator *A, PyObject *keep)
{
  operator_object *o = (operator_object *)PyType_GenericAlloc((PyTypeObject *)type, 0);
  if (!o) {
    perp_operator_destroy(A);
    return NULL;
  }
  o->A = A;
  Py_XINCREF(keep);
  o->keep = keep;
  for (Py_ssize_t k = 0; keep && k < PyTuple_Size(keep); k++)
    if (!locks_add(&o->locked, PyTuple_GetItem(keep, k))) {
      Py_DECREF((PyObject *)o);
      return NULL;
    }
  return (PyObject *)o;
}

PyObject *operator_wrap(perp_operator *A, PyObject *keep)
{
  return wrap(type_operator, A, keep);
}

static PyObject *finish(PyObject *type, perp_error error, const perp_message *why, perp_operator *A,
                        PyObject *keep)
{
  return error ? raise_error(error, why->text) : wrap(type, A, keep);
}

/* Returns true if the type is a subtype of perp.Operator; otherwise sets an exception. */
static bool is_kind_of_operator(PyObject *type)
{
  if (PyType_Check(type) && PyType_IsSubtype((PyTypeObject *)type, (PyTypeObject *)type_operator))
    return true;
  PyErr_Format(PyExc_TypeError, "%R is not a subtype of perp.Operator", type);
  return false;
}

static PyObject *make_dense(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *a;
  int64_t stride = 0;
  if (!PyArg_ParseTuple(args, "OO", &type, &a) || !is_kind_of_operator(type))
    return NULL;
  PyArrayObject *array = (PyArrayObject *)a;
  if (!is_dense_rows(a, &stride) || PyArray_DIM(array, 0) != PyArray_DIM(array, 1) ||
      PyArray_DIM(array, 0) > INT32_MAX) {
    PyErr_SetString(PyExc_TypeError, "square rows of doubles are needed");
    return NULL;
  }
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error = perp_operator_dense((int)PyArray_DIM(array, 0), PyArray_DATA(array),
                                               stride, PERP_BORROW, &A, &why);
  return finish(type, error, &why, A, args);
}

/* (type, n, size, start, column, value): compressed rows of size x size blocks; 0: of numbers */
static PyObject *make_rows(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *start, *column, *value;
  int n, size;
  if (!PyArg_ParseTuple(args, "OiiO!O!O!", &type, &n, &size, &PyArray_Type, &start, &PyArray_Type,
                        &column, &PyArray_Type, &value) ||
      !is_kind_of_operator(type))
    return NULL;
  const int64_t *first = array_data(start, NPY_INT64, (npy_intp)n + 1, "indptr");
  const int *columns = array_data(column, NPY_INT32, 0, "indices");
  const double *values = array_data(value, NPY_DOUBLE, 0, "A");
  if (PyErr_Occurred())
    return NULL;
  const int64_t block = size > 0 ? (int64_t)size * size : 1;
  const int64_t room = rows_room(column, value, block);
  if (n < 0 || first[n] > room) {
    PyErr_Format(PyExc_ValueError, "indptr[%d] = %lld, but there are %lld entries", n,
                 n < 0 ? 0LL : (long long)first[n], (long long)room);
    return NULL;
  }
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error =
      size > 0 ? perp_operator_bsr(n, size, first, columns, values, PERP_BORROW, &A, &why)
               : perp_operator_csr(n, first, columns, values, PERP_BORROW, &A, &why);
  PyObject *keep = error ? NULL : PyTuple_Pack(3, start, column, value);
  PyObject *o = finish(type, error, &why, A, keep);
  Py_XDECREF(keep);
  if (o)
    ((operator_object *)o)->rows = true;
  return o;
}

/* Compressed rows of the package's own making: J or C of a contact. */
static bool take_rows(PyObject *const arrays[3], int rows, const int64_t **start,
                      const int **column, const double **value, const char *name)
{
  *start = array_data(arrays[0], NPY_INT64, (npy_intp)rows + 1, name);
  const npy_intp entries = *start ? (npy_intp)(*start)[rows] : 0;
  *column = array_data(arrays[1], NPY_INT32, entries, name);
  *value = array_data(arrays[2], NPY_DOUBLE, entries, name);
  return !PyErr_Occurred();
}

/* Returns the number of entries in the blocks of Minv. */
static npy_intp mass_count(const perp_contact_data *d)
{
  npy_intp count = 0;
  for (int k = 0; k < d->blocks; k++) {
    const npy_intp size =
        d->block_start ? d->block_start[k + 1] - d->block_start[k] : d->velocities / d->blocks;
    count += size * size;
  }
  return count;
}

/* (type, rows, velocities, J start, column, value, blocks, block_start, Minv, C start, column,
 * value, C diagonal, cfm, M start, column, value): M or Minv */
static PyObject *make_contact(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *J[3], *block_start, *Minv, *C[3], *Cd, *M[3];
  perp_contact_data data = perp_contact_data_default();
  if (!PyArg_ParseTuple(args, "OiiOOOiOOOOOOdOOO", &type, &data.rows, &data.velocities, &J[0],
                        &J[1], &J[2], &data.blocks, &block_start, &Minv, &C[0], &C[1], &C[2], &Cd,
                        &data.cfm, &M[0], &M[1], &M[2]) ||
      !is_kind_of_operator(type) ||
      !take_rows(J, data.rows, &data.J_start, &data.J_column, &data.J_value, "J") ||
      !take_rows(C, data.rows, &data.C_start, &data.C_column, &data.C_value, "C") ||
      !take_rows(M, data.velocities, &data.M_start, &data.M_column, &data.M_value, "M"))
    return NULL;
  data.block_start = array_data(block_start, NPY_INT32, (npy_intp)data.blocks + 1, "Minv");
  data.Minv = array_data(Minv, NPY_DOUBLE, PyErr_Occurred() ? 0 : mass_count(&data), "Minv");
  data.C_diagonal = array_data(Cd, NPY_DOUBLE, data.rows, "C");
  if (PyErr_Occurred())
    return NULL;
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error = perp_operator_contact(&data, PERP_BORROW, &A, &why);
  return finish(type, error, &why, A, args);
}

/* (type, rows, bodies, freedom, together, body, J, Minv, C diagonal, cfm) */
static PyObject *make_bodies(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *body, *J, *Minv, *Cd;
  perp_contact_bodies data = perp_contact_bodies_default();
  if (!PyArg_ParseTuple(args, "OiiiiOOOOd", &type, &data.rows, &data.bodies, &data.freedom,
                        &data.together, &body, &J, &Minv, &Cd, &data.cfm) ||
      !is_kind_of_operator(type))
    return NULL;
  const npy_intp freedom = data.freedom, contacts = data.rows / (data.together ? data.together : 1);
  data.body = array_data(body, NPY_INT32, 2 * contacts, "body");
  data.J = array_data(J, NPY_DOUBLE, 2 * freedom * data.rows, "J");
  data.Minv = array_data(Minv, NPY_DOUBLE, freedom * freedom * data.bodies, "Minv");
  data.C_diagonal = array_data(Cd, NPY_DOUBLE, data.rows, "C");
  if (PyErr_Occurred())
    return NULL;
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error = perp_operator_contact_bodies(&data, PERP_BORROW, &A, &why);
  return finish(type, error, &why, A, args);
}

/* (type, nx, ny, nz, cells, wx, wy, wz, weight, diagonal) */
static PyObject *make_stencil(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *cells, *wx, *wy, *wz, *diagonal;
  perp_stencil_data data = perp_stencil_data_default();
  if (!PyArg_ParseTuple(args, "OiiiOOOOdO", &type, &data.nx, &data.ny, &data.nz, &cells, &wx, &wy,
                        &wz, &data.weight, &diagonal) ||
      !is_kind_of_operator(type))
    return NULL;
  const npy_intp all = (npy_intp)data.nx * data.ny * data.nz;
  data.cells = array_data(cells, NPY_INT32, 0, "cells");
  data.unknowns = data.cells ? (int)PyArray_SIZE((PyArrayObject *)cells) : 0;
  data.wx = array_data(wx, NPY_DOUBLE, all, "weights");
  data.wy = array_data(wy, NPY_DOUBLE, all, "weights");
  data.wz = array_data(wz, NPY_DOUBLE, all, "weights");
  data.diagonal = array_data(diagonal, NPY_DOUBLE, all, "diagonal");
  if (PyErr_Occurred())
    return NULL;
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error = perp_operator_stencil(&data, PERP_BORROW, &A, &why);
  return finish(type, error, &why, A, args);
}

/* (type, n, matvec, rmatvec, diagonal, symmetric, semidefinite, definite) */
static PyObject *make_shell(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *matvec, *rmatvec, *diagonal;
  int n, symmetric, semidefinite, definite;
  if (!PyArg_ParseTuple(args, "OiOOOppp", &type, &n, &matvec, &rmatvec, &diagonal, &symmetric,
                        &semidefinite, &definite) ||
      !is_kind_of_operator(type))
    return NULL;
  callbacks *c = malloc(sizeof *c);
  if (!c)
    return PyErr_NoMemory();
  *c = (callbacks){n, matvec, rmatvec, diagonal};
  PyObject *capsule = PyCapsule_New(c, callbacks_name, free_callbacks);
  if (!capsule) {
    free(c);
    return NULL;
  }
  perp_shell shell = perp_shell_default();
  shell.context = c;
  shell.hints = (symmetric ? (unsigned)PERP_HINT_SYMMETRIC : 0u) |
                (semidefinite ? (unsigned)PERP_HINT_SEMIDEFINITE : 0u) |
                (definite ? (unsigned)PERP_HINT_DEFINITE : 0u);
  shell.apply = shell_apply;
  shell.apply_t = rmatvec == Py_None ? NULL : shell_apply_t;
  shell.diagonal = diagonal == Py_None ? NULL : shell_diagonal;
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error = perp_operator_shell(n, &shell, &A, &why);
  PyObject *keep = error ? NULL : PyTuple_Pack(4, capsule, matvec, rmatvec, diagonal);
  PyObject *o = finish(type, error, &why, A, keep);
  Py_XDECREF(keep);
  Py_DECREF(capsule);
  return o;
}

PyMethodDef operator_functions[] = {
    {"make_dense", make_dense, METH_VARARGS, NULL},
    {"make_rows", make_rows, METH_VARARGS, NULL},
    {"make_contact", make_contact, METH_VARARGS, NULL},
    {"make_bodies", make_bodies, METH_VARARGS, NULL},
    {"make_stencil", make_stencil, METH_VARARGS, NULL},
    {"make_shell", make_shell, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
