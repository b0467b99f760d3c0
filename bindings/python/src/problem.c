/* problem.c: the type Problem, and problems from generators and files */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

PyObject *type_problem;

static void dealloc(PyObject *self)
{
  problem_object *p = (problem_object *)self;
  PyTypeObject *type = Py_TYPE(self);
  locks_end(&p->locked);
  Py_XDECREF((PyObject *)p->A);
  PyArrayObject *const arrays[] = {p->b,    p->lo,  p->hi,  p->findex, p->mu,
                                   p->cone, p->dim, p->law, p->x,      p->u};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    Py_XDECREF((PyObject *)arrays[k]);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

/* The struct that the library reads, from the arrays, which keep their sizes from now on. */
static bool connect(problem_object *p)
{
  perp_set K = perp_set_default(perp_operator_size(p->A->A));
  K.lo = reals(p->lo);
  K.hi = reals(p->hi);
  K.findex = ints(p->findex);
  K.mu = reals(p->mu);
  K.cones = p->mu ? (int)PyArray_DIM(p->mu, 0) : 0;
  K.cone = ints(p->cone);
  K.dim = ints(p->dim);
  K.law = ints(p->law);
  p->problem = perp_problem_product(p->A->A, reals(p->b), &K);
  PyArrayObject *const arrays[] = {p->b,    p->lo,  p->hi,  p->findex, p->mu,
                                   p->cone, p->dim, p->law, p->x,      p->u};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (!locks_add(&p->locked, (PyObject *)arrays[k]))
      return false;
  return true;
}

static bool is_sound(const problem_object *p)
{
  return operator_is_sound((PyObject *)p->A);
}

/* Releases the GIL while the library reads the problem. */
static PyThreadState *leave(const problem_object *p)
{
  operator_hold((PyObject *)p->A);
  return PyEval_SaveThread();
}

static void come_back(const problem_object *p, PyThreadState *state)
{
  PyEval_RestoreThread(state);
  operator_release((PyObject *)p->A);
}

static bool is_given(PyObject *o)
{
  return o && o != Py_None;
}

/* dim, law and mu of contacts; mu is one row of five for all contacts, or for each. */
static bool take_contacts(problem_object *p, PyObject *dim, PyObject *law, PyObject *mu)
{
  p->dim = vector_of_ints(dim, p->cone ? PyArray_DIM(p->cone, 0) : -1, "dim");
  if (!p->dim)
    return false;
  npy_intp shape[2] = {PyArray_DIM(p->dim, 0), 5};
  if (is_given(law) && !(p->law = vector_of_ints(law, shape[0], "law")))
    return false;
  if (!is_given(mu)) {
    PyErr_SetString(PyExc_ValueError,
                    "dim is given, but not mu: five coefficients for each contact");
    return false;
  }
  PyArrayObject *given = (PyArrayObject *)PyArray_FROMANY(mu, NPY_DOUBLE, 1, 2, NPY_ARRAY_IN_ARRAY);
  if (!given)
    return false;
  const int axes = PyArray_NDIM(given);
  if (PyArray_DIM(given, axes - 1) != 5 || (axes == 2 && PyArray_DIM(given, 0) != shape[0])) {
    PyErr_Format(PyExc_ValueError, "mu must have the shape (%zd, 5) or (5,) if dim is given",
                 (Py_ssize_t)shape[0]);
    Py_DECREF((PyObject *)given);
    return false;
  }
  if (axes == 2) {
    p->mu = given;
    return true;
  }
  p->mu = (PyArrayObject *)PyArray_SimpleNew(2, shape, NPY_DOUBLE);
  for (npy_intp c = 0; p->mu && c < shape[0]; c++)
    memcpy(reals(p->mu) + 5 * c, reals(given), 5 * sizeof(double));
  Py_DECREF((PyObject *)given);
  return p->mu != NULL;
}

/* Fills a new problem; false with an exception set if it is not one. */
static bool fill(problem_object *p, PyObject *args, PyObject *keywords)
{
  static char *names[] = {"A", "b", "lo", "hi", "findex", "mu", "cone", "dim", "law", NULL};
  PyObject *A, *b, *lo = NULL, *hi = NULL, *findex = NULL, *mu = NULL, *cone = NULL, *dim = NULL,
                   *law = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|OOOOOOO:Problem", names, &A, &b, &lo, &hi,
                                   &findex, &mu, &cone, &dim, &law))
    return false;
  p->A = (operator_object *)operator_from(A);
  if (!p->A)
    return false;
  const int n = perp_operator_size(p->A->A);
  p->b = vector_of_reals(b, n, false, "b");
  if (!p->b || (is_given(lo) && !(p->lo = vector_of_reals(lo, n, true, "lo"))) ||
      (is_given(hi) && !(p->hi = vector_of_reals(hi, n, true, "hi"))) ||
      (is_given(findex) && !(p->findex = vector_of_ints(findex, n, "findex"))))
    return false;
  if (is_given(cone) && !(p->cone = vector_of_ints(cone, -1, "cone")))
    return false;
  if (is_given(dim) && !take_contacts(p, dim, law, mu))
    return false;
  if (is_given(mu) && !p->dim) {
    const npy_intp cones = p->cone ? PyArray_DIM(p->cone, 0) : -1;
    const bool number = PyFloat_Check(mu) || PyLong_Check(mu) || PyArray_CheckScalar(mu);
    p->mu = vector_of_reals(mu, number && cones < 0 ? n / 3 : cones, true, "mu");
    if (!p->mu)
      return false;
  }
  p->kind = "unknown";
  if (!connect(p))
    return false;
  perp_message why = {""};
  const perp_error error = perp_problem_validate(&p->problem, &why);
  if (error)
    raise_error(error, why.text);
  return !error;
}

static PyObject *new_problem(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *self = PyType_GenericAlloc(type, 0);
  if (self && !fill((problem_object *)self, args, keywords))
    Py_CLEAR(self);
  return self;
}

static bool copy_reals(const double *from, npy_intp n, PyArrayObject **to)
{
  *to = from ? new_reals(n, from) : NULL;
  return !from || *to;
}

static bool copy_ints(const int *from, npy_intp n, PyArrayObject **to)
{
  *to = from ? (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_INT32) : NULL;
  if (*to && n > 0)
    memcpy(PyArray_DATA(*to), from, (size_t)n * sizeof *from);
  return !from || *to;
}

/* With dim mu has a row for each contact. */
static bool shape_mu(problem_object *p)
{
  if (!p->dim || !p->mu)
    return true;
  npy_intp numbers[2] = {PyArray_DIM(p->dim, 0), 5};
  PyArray_Dims shape = {numbers, 2};
  PyArrayObject *mu = (PyArrayObject *)PyArray_Newshape(p->mu, &shape, NPY_CORDER);
  Py_DECREF((PyObject *)p->mu);
  p->mu = mu;
  return mu != NULL;
}

/* new; the instance is destroyed */
static PyObject *from_instance(perp_instance *instance)
{
  problem_object *p = (problem_object *)PyType_GenericAlloc((PyTypeObject *)type_problem, 0);
  const int n = perp_operator_size(instance->A);
  if (p) {
    p->A = (operator_object *)operator_wrap(instance->A, NULL);
    instance->A = NULL;
    p->kind = perp_kind_name(instance->kind);
    snprintf(p->name, sizeof p->name, "%s", instance->name);
    if (!p->A || !copy_reals(instance->b, n, &p->b) || !copy_reals(instance->lo, n, &p->lo) ||
        !copy_reals(instance->hi, n, &p->hi) || !copy_ints(instance->findex, n, &p->findex) ||
        !copy_reals(instance->mu, instance->cones * (instance->dim ? 5 : 1), &p->mu) ||
        !copy_ints(instance->cone, instance->cones, &p->cone) ||
        !copy_ints(instance->dim, instance->cones, &p->dim) ||
        !copy_ints(instance->law, instance->cones, &p->law) || !shape_mu(p) ||
        !copy_reals(instance->x, n, &p->x) || !copy_reals(instance->u, n, &p->u) || !connect(p)) {
      Py_DECREF((PyObject *)p);
      p = NULL;
    }
  }
  perp_instance_destroy(instance);
  return (PyObject *)p;
}

typedef perp_error (*maker)(const char *, perp_instance *, perp_message *);

static PyObject *make(const char *text, maker call)
{
  perp_instance instance = {0};
  perp_message why = {""};
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = call(text, &instance, &why);
  PyEval_RestoreThread(state);
  return error ? raise_error(error, why.text) : from_instance(&instance);
}

static PyObject *generate(PyObject *self, PyObject *text)
{
  (void)self;
  const char *name = take_word(text, "kind");
  return name ? make(name, perp_generate) : NULL;
}

/* A path as bytes of the file system. */
static PyObject *path_bytes(PyObject *path)
{
  PyObject *bytes = NULL;
  return PyUnicode_FSConverter(path, &bytes) ? bytes : NULL;
}

static PyObject *load_by(PyObject *path, maker call)
{
  PyObject *bytes = path_bytes(path);
  PyObject *p = bytes ? make(PyBytes_AsString(bytes), call) : NULL;
  Py_XDECREF(bytes);
  return p;
}

static PyObject *load_folder(PyObject *self, PyObject *path)
{
  (void)self;
  return load_by(path, perp_folder_read);
}

static PyObject *load_mat(PyObject *self, PyObject *path)
{
  (void)self;
  return load_by(path, perp_mat_read);
}

static PyObject *load_fclib(PyObject *self, PyObject *path)
{
  (void)self;
  return load_by(path, perp_fclib_read);
}

/* (path, problem, x or None, format: 0 a folder, 1 a MATLAB file, 2 a file of FCLib) */
static PyObject *save(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *bytes = NULL, *o, *solution;
  int format;
  if (!PyArg_ParseTuple(args, "O&O!Oi", PyUnicode_FSConverter, &bytes, type_problem, &o, &solution,
                        &format))
    return NULL;
  problem_object *p = (problem_object *)o;
  if (!is_sound(p)) {
    Py_DECREF(bytes);
    return NULL;
  }
  const int n = p->problem.K.n;
  PyArrayObject *x = p->x;
  Py_XINCREF((PyObject *)x);
  if (solution != Py_None) {
    Py_XDECREF((PyObject *)x);
    x = vector_of_reals(solution, n, false, "x");
    if (!x) {
      Py_DECREF(bytes);
      return NULL;
    }
  }
  perp_instance instance = {
      .A = p->A->A,
      .b = reals(p->b),
      .lo = reals(p->lo),
      .hi = reals(p->hi),
      .findex = ints(p->findex),
      .mu = reals(p->mu),
      .cones = p->problem.K.cones,
      .cone = ints(p->cone),
      .dim = ints(p->dim),
      .law = ints(p->law),
      .x = reals(x),
      .u = reals(p->u),
  };
  for (int kind = PERP_KIND_UNKNOWN; kind <= PERP_KIND_INFEASIBLE; kind++)
    if (strcmp(p->kind, perp_kind_name((perp_kind)kind)) == 0)
      instance.kind = (perp_kind)kind;
  snprintf(instance.name, sizeof instance.name, "%s", p->name);
  perp_message why = {""};
  const char *path = PyBytes_AsString(bytes);
  PyThreadState *state = leave(p);
  const perp_error error = (format == 1   ? perp_mat_write
                            : format == 2 ? perp_fclib_write
                                          : perp_folder_write)(path, &instance, &why);
  come_back(p, state);
  Py_XDECREF((PyObject *)x);
  Py_DECREF(bytes);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* (problem, x, tol, x_low or None): (solved, residual, scale) */
static PyObject *check(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *o, *x, *x_low;
  double tol;
  if (!PyArg_ParseTuple(args, "O!OdO", type_problem, &o, &x, &tol, &x_low))
    return NULL;
  const problem_object *p = (problem_object *)o;
  const int n = p->problem.K.n;
  PyArrayObject *v = vector_of_reals(x, n, false, "x"), *low = NULL;
  if (v && x_low != Py_None && !(low = vector_of_reals(x_low, n, false, "x_low")))
    Py_CLEAR(v);
  if (!v || !is_sound(p)) {
    Py_XDECREF((PyObject *)v);
    Py_XDECREF((PyObject *)low);
    return NULL;
  }
  double residual = 0, scale = 1;
  perp_message why = {""};
  PyThreadState *state = leave(p);
  const perp_error error =
      low ? perp_problem_judge_low(&p->problem, reals(v), reals(low), &residual, &scale, &why)
          : perp_problem_judge(&p->problem, reals(v), &residual, &scale, &why);
  come_back(p, state);
  Py_DECREF((PyObject *)v);
  Py_XDECREF((PyObject *)low);
  if (error)
    return raise_error(error, why.text);
  PyObject *solved = perp_residual_solved(residual, tol, scale) ? Py_True : Py_False;
  return Py_BuildValue("(Odd)", solved, residual, scale);
}

/* (problem, u): (holds, why not) */
static PyObject *certificate(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *o, *u;
  if (!PyArg_ParseTuple(args, "O!O", type_problem, &o, &u))
    return NULL;
  const problem_object *p = (problem_object *)o;
  PyArrayObject *v = vector_of_reals(u, p->problem.K.n, false, "u");
  if (!v || !is_sound(p)) {
    Py_XDECREF((PyObject *)v);
    return NULL;
  }
  bool holds = false;
  perp_message why = {""};
  PyThreadState *state = leave(p);
  const perp_error error = perp_certificate_judge(&p->problem, reals(v), &holds, &why);
  come_back(p, state);
  Py_DECREF((PyObject *)v);
  if (error)
    return raise_error(error, why.text);
  return Py_BuildValue("(Os)", holds ? Py_True : Py_False, holds ? "" : why.text);
}

/* Facts in the making, which may take longer than their caller waits. */
typedef struct search {
  PyObject *of; /* owned */
  perp_facts facts;
  perp_error error;
  perp_message why;
} search;

static void find_facts(void *data)
{
  search *s = data;
  s->error = perp_problem_facts(&((problem_object *)s->of)->problem, &s->facts, &s->why);
}

static void drop_facts(void *data)
{
  PyObject *of = ((search *)data)->of;
  operator_release((PyObject *)((problem_object *)of)->A);
  Py_DECREF(of);
  free(data);
}

static PyObject *facts(PyObject *self, PyObject *unused)
{
  (void)unused;
  const problem_object *p = (problem_object *)self;
  if (!is_sound(p))
    return NULL;
  search *s = calloc(1, sizeof *s);
  if (!s)
    return PyErr_NoMemory();
  Py_INCREF(self);
  operator_hold((PyObject *)p->A);
  s->of = self;
  enum { FEW = 100 }; /* rows that take less time than a thread */
  if (p->problem.K.n <= FEW || operator_calls_python(p->A->A))
    find_facts(s);
  else if (!watch_aside(find_facts, drop_facts, s))
    return NULL;
  const perp_facts f = s->facts;
  const perp_error error = s->error;
  const perp_message why = s->why;
  drop_facts(s);
  if (error)
    return raise_error(error, why.text);
  return Py_BuildValue("{s:i,s:L,s:s,s:i,s:i,s:i,s:d,s:O,s:d,s:d,s:O,s:s,s:d,s:d,s:d,s:O}", "n",
                       f.n, "nonzeros", (long long)f.nonzeros, "form", perp_form_name(f.form),
                       "free_rows", f.free_rows, "friction_rows", f.friction_rows, "cones", f.cones,
                       "asymmetry", f.asymmetry, "symmetric", f.symmetric ? Py_True : Py_False,
                       "diagonal_min", f.diagonal_min, "diagonal_max", f.diagonal_max, "z_matrix",
                       f.z_matrix ? Py_True : Py_False, "definite", perp_definite_name(f.definite),
                       "eigen_min", f.eigen_min, "eigen_max", f.eigen_max, "condition", f.condition,
                       "exact", f.exact ? Py_True : Py_False);
}

static PyObject *plan(PyObject *self, PyObject *unused)
{
  (void)unused;
  const problem_object *p = (problem_object *)self;
  if (!is_sound(p))
    return NULL;
  perp_plan found;
  perp_message why = {""};
  PyThreadState *state = leave(p);
  const perp_error error = perp_problem_plan(&p->problem, &found, &why);
  come_back(p, state);
  if (error)
    return raise_error(error, why.text);
  PyObject *names = PyList_New(0);
  for (int k = 0; names && k < found.steps; k++)
    list_take(&names, PyUnicode_FromString(found.method[k]));
  return names;
}

/* ---- Members ---- */

enum {
  FIELD_B,
  FIELD_LO,
  FIELD_HI,
  FIELD_FINDEX,
  FIELD_MU,
  FIELD_CONE,
  FIELD_DIM,
  FIELD_LAW,
  FIELD_X,
  FIELD_U
};

static PyObject *get_array(PyObject *self, void *which)
{
  const problem_object *p = (problem_object *)self;
  PyArrayObject *const arrays[] = {p->b,    p->lo,  p->hi,  p->findex, p->mu,
                                   p->cone, p->dim, p->law, p->x,      p->u};
  PyObject *o = (PyObject *)arrays[(intptr_t)which];
  if (!o)
    Py_RETURN_NONE;
  Py_INCREF(o);
  return o;
}

static PyObject *get_matrix(PyObject *self, void *unused)
{
  (void)unused;
  PyObject *A = (PyObject *)((problem_object *)self)->A;
  Py_INCREF(A);
  return A;
}

static PyObject *get_n(PyObject *self, void *unused)
{
  (void)unused;
  return PyLong_FromLong(((problem_object *)self)->problem.K.n);
}

static PyObject *get_form(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(perp_form_name(perp_set_form(&((problem_object *)self)->problem.K)));
}

static PyObject *get_kind(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(((problem_object *)self)->kind);
}

static PyObject *get_name(PyObject *self, void *unused)
{
  (void)unused;
  return PyUnicode_FromString(((problem_object *)self)->name);
}

static PyObject *repr(PyObject *self)
{
  const problem_object *p = (problem_object *)self;
  return PyUnicode_FromFormat("<perp.Problem%s%s: %s, n = %d, A %s>", p->name[0] ? " " : "",
                              p->name, perp_form_name(perp_set_form(&p->problem.K)), p->problem.K.n,
                              perp_operator_kind(p->A->A));
}

static PyMethodDef methods[] = {
    {"facts", facts, METH_NOARGS,
     "facts($self, /)\n--\n\nWhat is cheap to find out about A: symmetry, definiteness, "
     "condition."},
    {"plan", plan, METH_NOARGS,
     "plan($self, /)\n--\n\nThe methods that `auto` would try on this problem, in this order."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef members[] = {
    {"A", get_matrix, NULL, "the matrix, an Operator", NULL},
    {"b", get_array, NULL, "y = A x + b", (void *)FIELD_B},
    {"lo", get_array, NULL, "lower bounds; None: 0", (void *)FIELD_LO},
    {"hi", get_array, NULL, "upper bounds; None: infinite", (void *)FIELD_HI},
    {"findex", get_array, NULL, "friction index of each row, -1 for none; None: none at all",
     (void *)FIELD_FINDEX},
    {"mu", get_array, NULL, "one friction coefficient per cone, with dim five, or None",
     (void *)FIELD_MU},
    {"cone", get_array, NULL, "the first row of each cone; None: they come first",
     (void *)FIELD_CONE},
    {"dim", get_array, NULL, "the rows of each contact; None: cones have three", (void *)FIELD_DIM},
    {"law", get_array, NULL, "0: elliptic, 1: discs, of each contact; None: elliptic",
     (void *)FIELD_LAW},
    {"x", get_array, NULL, "a known solution, or None", (void *)FIELD_X},
    {"u", get_array, NULL, "a certificate of infeasibility, or None", (void *)FIELD_U},
    {"n", get_n, NULL, "number of unknowns", NULL},
    {"form", get_form, NULL, "lcp, mixed, boxed, findex, cone or contact", NULL},
    {"kind", get_kind, NULL, "solvable, multiple, infeasible or unknown", NULL},
    {"name", get_name, NULL, "its origin", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyMethodDef problem_functions[] = {
    {"generate", generate, METH_O, NULL},
    {"load_folder", load_folder, METH_O, NULL},
    {"load_mat", load_mat, METH_O, NULL},
    {"load_fclib", load_fclib, METH_O, NULL},
    {"save", save, METH_VARARGS, NULL},
    {"check", check, METH_VARARGS, NULL},
    {"certificate", certificate, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool problem_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_doc,
       "Problem(A, b, lo=None, hi=None, findex=None, mu=None, cone=None, dim=None, "
       "law=None)\n--\n\n"
       "Find x in K with y = A x + b and -y in the normal cone of K at x.\n\n"
       "lo, hi: bounds, numbers or vectors; 0 and infinity if they are not given.\n"
       "findex: row i with findex[i] = j >= 0 has the bounds lo[i] |x_j| and hi[i] |x_j|.\n"
       "mu: rows are Coulomb cones (n, t, o), one coefficient each; cone: their first rows.\n"
       "dim: contacts of 1 to 6 rows (normal, two slides, torsion, two rolls), mu (contacts, 5);\n"
       "law: 0, one elliptic cone, or 1, discs for slide, torsion and roll, of each contact.\n\n"
       "Arrays of the right type are not copied. After a change of A's values in place call\n"
       "problem.A.refresh(); b and bounds may be changed between solves as they are."},
      {Py_tp_dealloc, dealloc},
      {Py_tp_new, new_problem},
      {Py_tp_methods, methods},
      {Py_tp_getset, members},
      {Py_tp_repr, repr},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Problem", sizeof(problem_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  type_problem = PyType_FromSpec(&spec);
  return type_problem && PyModule_AddObjectRef(module, "Problem", type_problem) == 0;
}
