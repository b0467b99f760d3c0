/* arrays.c: NumPy's arrays as the library wants them, without a copy if that is possible */
#include "binding.h"

#include <string.h>

PyArrayObject *new_reals(npy_intp n, const double *from)
{
  PyArrayObject *v = (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_DOUBLE);
  if (v && n > 0) {
    if (from)
      memcpy(PyArray_DATA(v), from, (size_t)n * sizeof *from);
    else
      memset(PyArray_DATA(v), 0, (size_t)n * sizeof *from);
  }
  return v;
}

static bool is_vector(PyObject *v, int type)
{
  PyArrayObject *a = (PyArrayObject *)v;
  return PyArray_Check(v) && PyArray_NDIM(a) == 1 && PyArray_TYPE(a) == type &&
         PyArray_IS_C_CONTIGUOUS(a) && PyArray_ISBEHAVED_RO(a);
}

/* Says which shape was given, and which is wanted. */
static PyArrayObject *wrong_shape(PyArrayObject *v, npy_intp n, const char *name)
{
  if (PyArray_NDIM(v) == 1)
    PyErr_Format(PyExc_ValueError, "%s has %zd entries, not %zd", name,
                 (Py_ssize_t)PyArray_DIM(v, 0), (Py_ssize_t)n);
  else
    PyErr_Format(PyExc_ValueError, "%s has %d dimensions, not 1", name, PyArray_NDIM(v));
  Py_DECREF((PyObject *)v);
  return NULL;
}

/* Casts without loss. A list becomes an array of its natural type first: otherwise NumPy would truncate
 * a number in it that should be an integer. */
static PyArrayObject *cast(PyObject *v, int type, const char *name)
{
  PyArrayObject *array = (PyArrayObject *)PyArray_FromAny(v, NULL, 0, 0, 0, NULL);
  if (!array)
    return NULL;
  PyObject *a = NULL;
  const bool empty = PyArray_SIZE(array) == 0; /* then the type says nothing */
  if (empty || PyArray_CanCastSafely(PyArray_TYPE(array), type))
    a = PyArray_FromAny((PyObject *)array, PyArray_DescrFromType(type), 0, 0,
                        NPY_ARRAY_CARRAY_RO | (empty ? NPY_ARRAY_FORCECAST : 0), NULL);
  else
    PyErr_Format(PyExc_TypeError, "%s has the type %S: %s are needed", name,
                 (PyObject *)PyArray_DESCR(array),
                 type == NPY_DOUBLE ? "real numbers" : "integers");
  Py_DECREF((PyObject *)array);
  return (PyArrayObject *)a;
}

static PyArrayObject *vector(PyObject *v, npy_intp n, int type, const char *name)
{
  PyArrayObject *a = (PyArrayObject *)v;
  if (is_vector(v, type))
    Py_INCREF(v);
  else if (!(a = cast(v, type, name)))
    return NULL;
  if (PyArray_NDIM(a) != 1 || (n >= 0 && PyArray_DIM(a, 0) != n))
    return wrong_shape(a, n, name);
  return a;
}

PyArrayObject *vector_of_reals(PyObject *v, npy_intp n, bool scalar, const char *name)
{
  if (scalar && (PyFloat_Check(v) || PyLong_Check(v) || PyArray_CheckScalar(v))) {
    const double value = PyFloat_AsDouble(v);
    if (value == -1 && PyErr_Occurred())
      return NULL;
    PyArrayObject *a = new_reals(n, NULL);
    for (npy_intp i = 0; a && i < n; i++)
      reals(a)[i] = value;
    return a;
  }
  return vector(v, n, NPY_DOUBLE, name);
}

PyArrayObject *vector_of_longs(PyObject *v, npy_intp n, const char *name)
{
  return vector(v, n, NPY_INT64, name);
}

PyArrayObject *vector_of_ints(PyObject *v, npy_intp n, const char *name)
{
  if (is_vector(v, NPY_INT32))
    return vector(v, n, NPY_INT32, name);
  /* Through 8 bytes, so that a number that does not fit is seen. */
  PyArrayObject *wide = vector(v, n, NPY_INT64, name);
  if (!wide)
    return NULL;
  npy_intp count = PyArray_DIM(wide, 0);
  PyArrayObject *a = (PyArrayObject *)PyArray_SimpleNew(1, &count, NPY_INT32);
  const npy_int64 *from = PyArray_DATA(wide);
  for (npy_intp i = 0; a && i < count; i++) {
    if (from[i] < INT32_MIN || from[i] > INT32_MAX) {
      PyErr_Format(PyExc_ValueError, "%s[%zd] = %lld is out of range", name, (Py_ssize_t)i,
                   (long long)from[i]);
      Py_DECREF((PyObject *)a);
      a = NULL;
      break;
    }
    ints(a)[i] = (int)from[i];
  }
  Py_DECREF((PyObject *)wide);
  return a;
}

bool is_dense_rows(PyObject *o, int64_t *stride)
{
  if (!PyArray_Check(o))
    return false;
  PyArrayObject *a = (PyArrayObject *)o;
  if (PyArray_NDIM(a) != 2 || PyArray_TYPE(a) != NPY_DOUBLE || !PyArray_ISBEHAVED_RO(a))
    return false;
  const npy_intp rows = PyArray_DIM(a, 0), columns = PyArray_DIM(a, 1);
  const npy_intp down = PyArray_STRIDE(a, 0), right = PyArray_STRIDE(a, 1);
  *stride = columns;
  if (columns > 1 && right != (npy_intp)sizeof(double))
    return false;
  if (rows > 1) { /* of one row NumPy may report any stride */
    if (down % (npy_intp)sizeof(double) != 0 || down < columns * (npy_intp)sizeof(double))
      return false;
    *stride = down / (npy_intp)sizeof(double);
  }
  return true;
}

void *array_data(PyObject *o, int type, npy_intp least, const char *name)
{
  if (o == Py_None)
    return NULL;
  PyArrayObject *a = (PyArrayObject *)o;
  if (!PyArray_Check(o) || PyArray_TYPE(a) != type || !PyArray_ISCARRAY_RO(a)) {
    PyErr_Format(PyExc_TypeError, "%s is not an array of the type that the library takes", name);
    return NULL;
  }
  if (PyArray_SIZE(a) < least) {
    PyErr_Format(PyExc_ValueError, "%s has %zd numbers, not %zd", name, (Py_ssize_t)PyArray_SIZE(a),
                 (Py_ssize_t)least);
    return NULL;
  }
  return PyArray_DATA(a);
}

void list_take(PyObject **list, PyObject *one)
{
  if (!one || PyList_Append(*list, one) != 0)
    Py_CLEAR(*list);
  Py_XDECREF(one);
}

/* ---- Arrays that are borrowed ---- */

bool locks_add(locks *l, PyObject *o)
{
  while (o && PyArray_Check(o) && l->count < MOST_LOCKS) {
    PyObject *reference = PyWeakref_NewRef(o, NULL);
    if (!reference)
      return false;
    l->reference[l->count++] = reference;
    o = PyArray_BASE((PyArrayObject *)o);
  }
  return true;
}

void locks_end(locks *l)
{
  while (l->count > 0)
    Py_DECREF(l->reference[--l->count]);
}
