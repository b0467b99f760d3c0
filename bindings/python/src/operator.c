/* operator.c: the type Operator, a matrix as the library sees it */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

PyObject *type_operator;

/* ---- A matrix that is only known by what it does to a vector ---- */

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

/* ---- Constructors: private functions (type, arrays...) that the package calls ---- */

/* new; takes A, also if it fails; keep is not taken */
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

static PyObject *make_dense(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *a;
  int64_t stride = 0;
  if (!PyArg_ParseTuple(args, "OO", &type, &a))
    return NULL;
  if (!is_dense_rows(a, &stride)) {
    PyErr_SetString(PyExc_TypeError, "rows of doubles are needed");
    return NULL;
  }
  perp_operator *A = NULL;
  perp_message why;
  const int n = (int)PyArray_DIM((PyArrayObject *)a, 0);
  const perp_error error =
      perp_operator_dense(n, PyArray_DATA((PyArrayObject *)a), stride, PERP_BORROW, &A, &why);
  return finish(type, error, &why, A, a);
}

/* (type, n, size, start, column, value): compressed rows of size x size blocks; 0: of numbers */
static PyObject *make_rows(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *start, *column, *value;
  int n, size;
  if (!PyArg_ParseTuple(args, "OiiO!O!O!", &type, &n, &size, &PyArray_Type, &start, &PyArray_Type,
                        &column, &PyArray_Type, &value))
    return NULL;
  PyArrayObject *s = (PyArrayObject *)start, *c = (PyArrayObject *)column;
  PyArrayObject *v = (PyArrayObject *)value;
  if (PyArray_TYPE(s) != NPY_INT64 || PyArray_TYPE(c) != NPY_INT32 ||
      PyArray_TYPE(v) != NPY_DOUBLE || !PyArray_ISCARRAY_RO(s) || !PyArray_ISCARRAY_RO(c) ||
      !PyArray_ISCARRAY_RO(v) || PyArray_SIZE(s) != (npy_intp)n + 1) {
    PyErr_SetString(PyExc_TypeError, "compressed rows of doubles are needed");
    return NULL;
  }
  const int64_t *first = PyArray_DATA(s);
  const int64_t block = size > 0 ? (int64_t)size * size : 1;
  if (first[n] > PyArray_SIZE(c) || first[n] > PyArray_SIZE(v) / block) {
    PyErr_Format(PyExc_ValueError, "indptr[%d] = %lld, but there are %zd entries", n,
                 (long long)first[n], (Py_ssize_t)PyArray_SIZE(c));
    return NULL;
  }
  perp_operator *A = NULL;
  perp_message why;
  const perp_error error =
      size > 0 ? perp_operator_bsr(n, size, first, ints(c), reals(v), PERP_BORROW, &A, &why)
               : perp_operator_csr(n, first, ints(c), reals(v), PERP_BORROW, &A, &why);
  PyObject *keep = error ? NULL : PyTuple_Pack(3, start, column, value);
  PyObject *o = finish(type, error, &why, A, keep);
  Py_XDECREF(keep);
  return o;
}

/* The data of an array of the package's own making, or NULL for None. */
static void *data_of(PyObject *o)
{
  return o == Py_None ? NULL : PyArray_DATA((PyArrayObject *)o);
}

/* (type, rows, velocities, J start, column, value, blocks, block_start, Minv, C start, column,
 * value, C diagonal, cfm): the package has checked types and lengths */
static PyObject *make_contact(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *type, *Js, *Jc, *Jv, *block_start, *Minv, *Cs, *Cc, *Cv, *Cd;
  perp_contact_data data = perp_contact_data_default();
  if (!PyArg_ParseTuple(args, "OiiOOOiOOOOOOd", &type, &data.rows, &data.velocities, &Js, &Jc, &Jv,
                        &data.blocks, &block_start, &Minv, &Cs, &Cc, &Cv, &Cd, &data.cfm))
    return NULL;
  data.J_start = data_of(Js);
  data.J_column = data_of(Jc);
  data.J_value = data_of(Jv);
  data.block_start = data_of(block_start);
  data.Minv = data_of(Minv);
  data.C_start = data_of(Cs);
  data.C_column = data_of(Cc);
  data.C_value = data_of(Cv);
  data.C_diagonal = data_of(Cd);
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
                        &data.together, &body, &J, &Minv, &Cd, &data.cfm))
    return NULL;
  data.body = data_of(body);
  data.J = data_of(J);
  data.Minv = data_of(Minv);
  data.C_diagonal = data_of(Cd);
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
                        &wz, &data.weight, &diagonal))
    return NULL;
  data.cells = data_of(cells);
  data.unknowns = data.cells ? (int)PyArray_SIZE((PyArrayObject *)cells) : 0;
  data.wx = data_of(wx);
  data.wy = data_of(wy);
  data.wz = data_of(wz);
  data.diagonal = data_of(diagonal);
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
                        &semidefinite, &definite))
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

/* ---- Members ---- */

static void dealloc(PyObject *self)
{
  operator_object *o = (operator_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  perp_operator_destroy(o->A);
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
  PyArrayObject *y = v ? new_reals(n, NULL) : NULL;
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
  perp_message why = {""};
  const perp_error error = perp_operator_refresh(((operator_object *)self)->A, &why);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

static PyObject *spectrum(PyObject *self, PyObject *unused)
{
  (void)unused;
  const perp_operator *A = ((operator_object *)self)->A;
  PyArrayObject *w = new_reals(perp_operator_size(A), NULL);
  perp_message why = {""};
  const perp_error error = w ? perp_operator_spectrum(A, reals(w), &why) : PERP_OK;
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
  if (perp_operator_contact_data(A, &data) == PERP_OK)
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
     "spectrum($self, /)\n--\n\nThe eigenvalues of the symmetric part, ascending."},
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
