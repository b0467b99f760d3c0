/* operator.c: the type Operator, a matrix as the library sees it */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

PyObject *type_operator;

/* ---- Before a use ---- */

int64_t rows_room(PyObject *column, PyObject *value, int64_t block)
{
  const int64_t columns = PyArray_SIZE((PyArrayObject *)column);
  const int64_t values = PyArray_SIZE((PyArrayObject *)value) / block;
  return columns < values ? columns : values;
}

bool operator_is_sound(PyObject *object)
{
  const operator_object *o = (operator_object *)object;
  if (!o->rows)
    return true;
  const int64_t *start = NULL;
  const int *column = NULL;
  const double *value = NULL;
  const int size = perp_operator_block(o->A) > 0 ? perp_operator_block(o->A) : 1;
  const int n = perp_operator_size(o->A) / size;
  if (perp_operator_csr_arrays(o->A, &start, &column, &value) != PERP_OK)
    perp_operator_bsr_arrays(o->A, &start, &column, &value);
  const int64_t room =
      rows_room(PyTuple_GetItem(o->keep, 1), PyTuple_GetItem(o->keep, 2), (int64_t)size * size);
  for (int i = 0; i < n; i++) {
    if (start[i] < 0 || start[i + 1] < start[i] || start[i + 1] > room) {
      PyErr_Format(PyExc_ValueError,
                   "indptr[%d] = %lld was changed after the operator was created; create it again",
                   i + 1, (long long)start[i + 1]);
      return false;
    }
    int last = -1;
    for (int64_t k = start[i]; k < start[i + 1]; last = column[k++])
      if (column[k] <= last || column[k] >= n) {
        PyErr_Format(
            PyExc_ValueError,
            "A: row %d: the index %d was changed after the operator was created; create it again",
            i, column[k]);
        return false;
      }
  }
  return true;
}

void operator_hold(PyObject *o)
{
  if (o && PyObject_TypeCheck(o, (PyTypeObject *)type_operator))
    ((operator_object *)o)->users++;
}

void operator_release(PyObject *o)
{
  if (o && PyObject_TypeCheck(o, (PyTypeObject *)type_operator))
    ((operator_object *)o)->users--;
}

PyObject *operator_from(PyObject *matrix)
{
  if (PyObject_TypeCheck(matrix, (PyTypeObject *)type_operator)) {
    Py_INCREF(matrix);
    return operator_is_sound(matrix) ? matrix : (Py_DECREF(matrix), NULL);
  }
  return PyObject_CallFunctionObjArgs(hook_operator, matrix, NULL);
}

/* ---- Members ---- */

bool operator_calls_python(const perp_operator *A)
{
  return strcmp(perp_operator_kind(A), "shell") == 0;
}

static void dealloc(PyObject *self)
{
  operator_object *o = (operator_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  perp_operator_destroy(o->A);
  locks_end(&o->locked);
  Py_XDECREF(o->keep);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

typedef perp_error (*product)(const perp_operator *, const double *, double *, double *,
                              perp_message *);

static PyObject *multiply(PyObject *self, PyObject *x, product apply)
{
  const perp_operator *A = ((operator_object *)self)->A;
  const int n = perp_operator_size(A);
  PyArrayObject *v = vector_of_reals(x, n, false, "x");
  PyArrayObject *y = v && operator_is_sound(self) ? new_reals(n, NULL) : NULL;
  const size_t scratch = perp_operator_scratch(A);
  double *room = y ? malloc((scratch + 1) * sizeof *room) : NULL;
  if (y && !room)
    PyErr_NoMemory();
  if (room) {
    perp_message why = {""};
    const perp_error error = apply(A, reals(v), reals(y), room, &why);
    if (error)
      raise_error(error, why.text);
  }
  free(room);
  Py_XDECREF((PyObject *)v);
  if (PyErr_Occurred()) {
    Py_XDECREF((PyObject *)y);
    return NULL;
  }
  return (PyObject *)y;
}

static PyObject *matvec(PyObject *self, PyObject *x)
{
  return multiply(self, x, perp_operator_apply);
}

static PyObject *rmatvec(PyObject *self, PyObject *x)
{
  return multiply(self, x, perp_operator_apply_t);
}

static PyObject *matmul(PyObject *self, PyObject *x)
{
  if (!PyObject_TypeCheck(self, (PyTypeObject *)type_operator))
    Py_RETURN_NOTIMPLEMENTED;
  return matvec(self, x);
}

static PyObject *diagonal(PyObject *self, PyObject *unused)
{
  (void)unused;
  if (!operator_is_sound(self))
    return NULL;
  const perp_operator *A = ((operator_object *)self)->A;
  PyArrayObject *d = new_reals(perp_operator_size(A), NULL);
  perp_message why = {""};
  const perp_error error = d ? perp_operator_diagonal(A, reals(d), &why) : PERP_OK;
  if (error) {
    Py_DECREF((PyObject *)d);
    return raise_error(error, why.text);
  }
  return (PyObject *)d;
}

static PyObject *toarray(PyObject *self, PyObject *unused)
{
  (void)unused;
  const perp_operator *A = ((operator_object *)self)->A;
  const int n = perp_operator_size(A);
  if (!operator_is_sound(self))
    return NULL;
  perp_operator *dense = NULL;
  perp_message why = {""};
  const perp_error error = perp_operator_to_dense(A, 0, &dense, &why);
  if (error)
    return raise_error(error, why.text);
  npy_intp shape[2] = {n, n};
  PyArrayObject *a = (PyArrayObject *)PyArray_SimpleNew(2, shape, NPY_DOUBLE);
  const double *from = NULL;
  int64_t stride = n;
  perp_operator_dense_array(dense, &from, &stride);
  for (int i = 0; a && i < n; i++)
    memcpy(reals(a) + (size_t)i * (size_t)n, from + i * stride, (size_t)n * sizeof *from);
  perp_operator_destroy(dense);
  return (PyObject *)a;
}

/* (data, indices, indptr), as scipy.sparse.csr_matrix takes them */
static PyObject *rows(PyObject *self, PyObject *unused)
{
  (void)unused;
  const perp_operator *A = ((operator_object *)self)->A;
  if (!operator_is_sound(self))
    return NULL;
  perp_operator *csr = NULL;
  perp_message why = {""};
  const perp_error error = perp_operator_to_csr(A, 0, &csr, &why);
  if (error)
    return raise_error(error, why.text);
  const int64_t *start = NULL;
  const int *column = NULL;
  const double *value = NULL;
  perp_operator_csr_arrays(csr, &start, &column, &value);
  npy_intp n = perp_operator_size(A), length = n + 1, entries = start[n];
  PyObject *data = PyArray_SimpleNew(1, &entries, NPY_DOUBLE);
  PyObject *indices = PyArray_SimpleNew(1, &entries, NPY_INT32);
  PyObject *indptr = PyArray_SimpleNew(1, &length, NPY_INT64);
  PyObject *all = NULL;
  if (data && indices && indptr) {
    if (entries > 0) {
      memcpy(PyArray_DATA((PyArrayObject *)data), value, (size_t)entries * sizeof *value);
      memcpy(PyArray_DATA((PyArrayObject *)indices), column, (size_t)entries * sizeof *column);
    }
    memcpy(PyArray_DATA((PyArrayObject *)indptr), start, (size_t)length * sizeof *start);
    all = PyTuple_Pack(3, data, indices, indptr);
  }
  Py_XDECREF(data);
  Py_XDECREF(indices);
  Py_XDECREF(indptr);
  perp_operator_destroy(csr);
  return all;
}

static PyObject *refresh(PyObject *self, PyObject *unused)
{
  (void)unused;
  if (((operator_object *)self)->users > 0) {
    PyErr_SetString(PyExc_RuntimeError,
                    "this operator is in use by a solve; call refresh() after it");
    return NULL;
  }
  if (!operator_is_sound(self))
    return NULL;
  perp_message why = {""};
  const perp_error error = perp_operator_refresh(((operator_object *)self)->A, &why);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* Eigenvalues in the making, which may take longer than their caller waits. */
typedef struct eigenvalues {
  PyObject *of; /* owned, and so are the numbers */
  PyArrayObject *w;
  perp_error error;
  perp_message why;
} eigenvalues;

static void find_eigenvalues(void *data)
{
  eigenvalues *e = data;
  e->error = perp_operator_spectrum(((operator_object *)e->of)->A, reals(e->w), &e->why);
}

static void drop_eigenvalues(void *data)
{
  eigenvalues *e = data;
  operator_release(e->of);
  Py_DECREF(e->of);
  Py_DECREF((PyObject *)e->w);
  free(e);
}

static PyObject *spectrum(PyObject *self, PyObject *unused)
{
  (void)unused;
  const perp_operator *A = ((operator_object *)self)->A;
  PyArrayObject *w = operator_is_sound(self) ? new_reals(perp_operator_size(A), NULL) : NULL;
  eigenvalues *e = w ? calloc(1, sizeof *e) : NULL;
  if (!e) {
    Py_XDECREF((PyObject *)w);
    return w ? PyErr_NoMemory() : NULL;
  }
  Py_INCREF(self);
  operator_hold(self);
  e->of = self;
  e->w = w;
  if (operator_calls_python(A))
    find_eigenvalues(e);
  else if (!watch_aside(find_eigenvalues, drop_eigenvalues, e))
    return NULL;
  Py_INCREF((PyObject *)w);
  const perp_error error = e->error;
  const perp_message why = e->why;
  drop_eigenvalues(e);
  if (error) {
    Py_DECREF((PyObject *)w);
    return raise_error(error, why.text);
  }
  return (PyObject *)w;
}

/* The velocities of a contact operator, or -1 with an exception set. */
static int velocities_of(const perp_operator *A)
{
  perp_contact_data data;
  if (perp_operator_contact_source(A, &data) == PERP_OK)
    return data.velocities;
  PyErr_Format(error_unsupported, "a matrix of the kind %s has no velocities",
               perp_operator_kind(A));
  return -1;
}

/* A vector of n numbers, or none at all if it is NULL or None. */
static bool optional_reals(PyObject *o, int n, const char *name, PyArrayObject **v)
{
  *v = NULL;
  if (!o || o == Py_None)
    return true;
  *v = vector_of_reals(o, n, false, name);
  return *v != NULL;
}

static PyObject *bias(PyObject *self, PyObject *args)
{
  const perp_operator *A = ((operator_object *)self)->A;
  PyObject *first, *second = NULL;
  const int n = perp_operator_size(A), m = velocities_of(A);
  if (m < 0 || !PyArg_ParseTuple(args, "O|O:bias", &first, &second))
    return NULL;
  PyArrayObject *v = vector_of_reals(first, m, false, "v"), *c = NULL, *b = NULL;
  if (v && optional_reals(second, n, "c", &c))
    b = new_reals(n, NULL);
  perp_message why = {""};
  const perp_error error = b ? perp_contact_bias(A, reals(v), reals(c), reals(b), &why) : PERP_OK;
  Py_XDECREF((PyObject *)v);
  Py_XDECREF((PyObject *)c);
  if (error) {
    Py_DECREF((PyObject *)b);
    return raise_error(error, why.text);
  }
  return (PyObject *)b;
}

static PyObject *velocities(PyObject *self, PyObject *args)
{
  const perp_operator *A = ((operator_object *)self)->A;
  PyObject *first, *second;
  const int n = perp_operator_size(A), m = velocities_of(A);
  if (m < 0 || !PyArg_ParseTuple(args, "OO:velocities", &first, &second))
    return NULL;
  PyArrayObject *v = NULL, *x = vector_of_reals(second, n, false, "x"), *after = NULL;
  if (x && optional_reals(first, m, "v", &v))
    after = new_reals(m, NULL);
  perp_message why = {""};
  const perp_error error =
      after ? perp_contact_velocities(A, reals(v), reals(x), reals(after), &why) : PERP_OK;
  Py_XDECREF((PyObject *)v);
  Py_XDECREF((PyObject *)x);
  if (error) {
    Py_DECREF((PyObject *)after);
    return raise_error(error, why.text);
  }
  return (PyObject *)after;
}

static PyObject *get_shape(PyObject *self, void *unused)
{
  (void)unused;
  const int n = perp_operator_size(((operator_object *)self)->A);
  return Py_BuildValue("(ii)", n, n);
}

static PyObject *get_kind(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(perp_operator_kind(((operator_object *)self)->A));
}

static PyObject *get_nonzeros(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLongLong(perp_operator_nonzeros(((operator_object *)self)->A));
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
  (void)self, (void)unused;
  return (PyObject *)PyArray_DescrFromType(NPY_DOUBLE);
}

static PyObject *repr(PyObject *self)
{
  const perp_operator *A = ((operator_object *)self)->A;
  return PyUnicode_FromFormat("<perp.Operator: %s, n = %d, %lld numbers>", perp_operator_kind(A),
                              perp_operator_size(A), (long long)perp_operator_nonzeros(A));
}

static PyMethodDef methods[] = {
    {"matvec", matvec, METH_O, "matvec($self, x, /)\n--\n\nA x"},
    {"rmatvec", rmatvec, METH_O, "rmatvec($self, x, /)\n--\n\nThe product of A's transpose and x."},
    {"diagonal", diagonal, METH_NOARGS, "diagonal($self, /)\n--\n\nThe diagonal of A."},
    {"toarray", toarray, METH_NOARGS, "toarray($self, /)\n--\n\nA as a dense array."},
    {"_rows", rows, METH_NOARGS, NULL},
    {"refresh", refresh, METH_NOARGS,
     "refresh($self, /)\n--\n\nTo be called after values of borrowed arrays were changed in place: "
     "checks them\nagain and rebuilds what was derived from them."},
    {"spectrum", spectrum, METH_NOARGS,
     "spectrum($self, /)\n--\n\nThe eigenvalues of the symmetric part, ascending, in O(n^3) time. "
     "Ctrl-C leaves the call;\nthe computation continues in the background until it is done."},
    {"bias", bias, METH_VARARGS,
     "bias($self, v, c=None, /)\n--\n\nb = J v + c of a contact matrix, from the velocities v "
     "without contacts."},
    {"velocities", velocities, METH_VARARGS,
     "velocities($self, v, x, /)\n--\n\nv + Minv J' x of a contact matrix, from the impulses x; "
     "v may be None."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"shape", get_shape, NULL, "(n, n)", NULL},
    {"kind", get_kind, NULL, "dense, csr, bsr, contact, stencil or shell", NULL},
    {"nonzeros", get_nonzeros, NULL, "stored numbers; -1 if unknown", NULL},
    {"dtype", get_dtype, NULL, "float64", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Operators come from the functions above. */
static PyObject *no_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  (void)type, (void)args, (void)keywords;
  PyErr_SetString(PyExc_TypeError, "use perp.operator(A)");
  return NULL;
}

bool operator_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_doc, "A matrix as the library sees it: made by perp.operator(A), Contact, Grid,\n"
                  "MatrixFree, perp.generate and perp.load. Arrays are borrowed, not copied."},
      {Py_tp_dealloc, dealloc},
      {Py_tp_new, no_new},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {Py_tp_repr, repr},
      {Py_nb_matrix_multiply, matmul},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Operator", sizeof(operator_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  type_operator = PyType_FromSpec(&spec);
  return type_operator && PyModule_AddObjectRef(module, "Operator", type_operator) == 0;
}
