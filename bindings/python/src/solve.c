/* solve.c: solve_lcp, solve_cone and solve
 *
 * A call of a small problem takes few microseconds: results hold the library's struct as it is, and
 * nothing is computed that is not asked for. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PyObject *hook_operator, *hook_unknown;

/* ---- One solve ---- */

/* The parts of the problem that a result keeps; borrowed. */
typedef struct parts {
  PyObject *A, *b, *lo, *hi, *findex, *mu, *cone, *dim, *law;
} parts;

static PyObject *shared(PyObject *o)
{
  Py_XINCREF(o);
  return o;
}

static bool take_trace(const watch *w, result_object *r)
{
  npy_intp shape[2] = {(npy_intp)w->traced, 3};
  r->trace = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
  if (r->trace && w->traced)
    memcpy(PyArray_DATA((PyArrayObject *)r->trace), w->trace, w->traced * 3 * sizeof(double));
  return r->trace != NULL;
}

static void raise_not_solved(const result_object *r)
{
  PyObject *e = PyObject_CallFunction(error_not_solved, "s", r->result.message.text);
  if (e && PyObject_SetAttrString(e, "result", (PyObject *)r) == 0)
    PyErr_SetObject(error_not_solved, e);
  Py_XDECREF(e);
}

enum { SMALL = 64 };

/* Returns a new result, without the outcome of the solve. */
static result_object *result_begin(const request *call, int n, const parts *of)
{
  result_object *r = (result_object *)PyType_GenericAlloc((PyTypeObject *)type_result, 0);
  if (!r)
    return NULL;
  r->A = shared(of->A);
  r->b = shared(of->b);
  r->lo = shared(of->lo);
  r->hi = shared(of->hi);
  r->findex = shared(of->findex);
  r->mu = shared(of->mu);
  r->cone = shared(of->cone);
  r->dim = shared(of->dim);
  r->law = shared(of->law);
  r->result = perp_result_empty();
  r->x = new_reals(n, NULL);
  r->y = new_reals(n, NULL);
  r->x_low = call->low ? new_reals(n, NULL) : NULL;
  bool fine = r->x && r->y && (r->x_low || !call->low);
  if (fine && call->x0) {
    PyArrayObject *start = vector_of_reals(call->x0, n, false, "x0");
    fine = start != NULL;
    if (start && n > 0)
      memcpy(reals(r->x), reals(start), (size_t)n * sizeof(double));
    Py_XDECREF((PyObject *)start);
  }
  if (!fine)
    Py_CLEAR(r);
  return r;
}

/* Solves without the GIL. Returns false with an exception set on an error. ray: room for n numbers */
static bool result_solve(const request *call, const char *method, perp_solver *solver,
                         const perp_problem *p, double *ray, result_object *r)
{
  perp_options options = call->options;
  options.y = reals(r->y);
  options.ray = ray;
  options.x_low = reals(r->x_low);
  watch w;
  watch_begin(&w, call, &options);
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = solver ? perp_solver_solve(solver, p, &options, reals(r->x), &r->result)
                                  : perp_solve(method, p, &options, reals(r->x), &r->result);
  PyEval_RestoreThread(state);
  bool fine = !PyErr_Occurred() && !error;
  if (error)
    raise_error(error, r->result.message.text);
  if (fine && r->result.ray)
    fine = (r->ray = (PyObject *)new_reals(p->K.n, ray)) != NULL;
  if (fine && call->trace)
    fine = take_trace(&w, r);
  free(w.trace);
  r->result.y = r->result.ray = NULL;
  return fine;
}

/* solver NULL: creates one for this call. */
static PyObject *run(const request *call, perp_solver *solver, const perp_problem *p,
                     const parts *of)
{
  const int n = p->K.n;
  const char *method = call->method ? call->method : "auto";
  result_object *r = result_begin(call, n, of);
  if (!r)
    return NULL;
  double small[SMALL], *ray = n > SMALL ? malloc((size_t)n * sizeof *ray) : small;
  perp_solver *own = NULL;
  bool fine = ray != NULL;
  if (!fine)
    PyErr_NoMemory();
  if (fine && !solver && call->parameters) {
    solver = own = request_solver(call, "auto");
    fine = own != NULL;
  }
  operator_hold(of->A);
  fine = fine && result_solve(call, method, solver, p, ray, r);
  operator_release(of->A);
  perp_solver_destroy(own);
  if (ray != small)
    free(ray);
  if (fine && call->strict && r->result.outcome != PERP_SOLVED) {
    raise_not_solved(r);
    fine = false;
  }
  if (!fine)
    Py_CLEAR(r);
  return (PyObject *)r;
}

/* ---- solve_lcp, solve_cone ---- */

/* The matrix of a call: a dense array is borrowed for the call, all else becomes an Operator. */
typedef struct matrix {
  perp_operator *A;   /* to solve with */
  perp_operator *own; /* to destroy, or NULL */
  PyObject *object;   /* what the result keeps; owned */
  locks locked;       /* arrays that are borrowed: of the matrix, and of the problem */
} matrix;

static bool matrix_begin(PyObject *o, matrix *m)
{
  int64_t stride = 0;
  m->A = m->own = NULL;
  m->object = NULL;
  m->locked.count = 0;
  if (is_dense_rows(o, &stride) &&
      PyArray_DIM((PyArrayObject *)o, 0) == PyArray_DIM((PyArrayObject *)o, 1) &&
      PyArray_DIM((PyArrayObject *)o, 0) <= INT32_MAX) {
    PyArrayObject *a = (PyArrayObject *)o;
    perp_message why;
    const perp_error error = perp_operator_dense((int)PyArray_DIM(a, 0), PyArray_DATA(a), stride,
                                                 PERP_BORROW, &m->own, &why);
    if (error) {
      raise_error(error, why.text);
      return false;
    }
    m->A = m->own;
    m->object = shared(o);
    return locks_add(&m->locked, o);
  }
  m->object = operator_from(o);
  if (m->object)
    m->A = ((operator_object *)m->object)->A;
  return m->object != NULL;
}

static void matrix_end(matrix *m)
{
  locks_end(&m->locked);
  perp_operator_destroy(m->own);
  Py_XDECREF(m->object);
}

static bool lock_all(matrix *m, PyArrayObject *a, PyArrayObject *b, PyArrayObject *c,
                     PyArrayObject *d)
{
  return locks_add(&m->locked, (PyObject *)a) && locks_add(&m->locked, (PyObject *)b) &&
         locks_add(&m->locked, (PyObject *)c) && locks_add(&m->locked, (PyObject *)d);
}

/* Numbers 0 and inf stand for the library's own defaults. */
static bool is_number(PyObject *o, double number)
{
  return PyFloat_Check(o) ? PyFloat_AsDouble(o) == number
                          : number == 0 && PyLong_Check(o) && PyLong_AsLong(o) == 0;
}

static PyObject *solve_lcp(PyObject *self, PyObject *const *args, Py_ssize_t given,
                           PyObject *keywords)
{
  (void)self;
  enum { A, B, LO, HI, FINDEX, X0, METHOD, TOL, TIME_LIMIT, COUNT };
  static const char *const names[] = {"A",  "b",      "lo",  "hi",        "findex",
                                      "x0", "method", "tol", "time_limit"};
  PyObject *v[COUNT], *result = NULL;
  request call;
  if (!parse_call("solve_lcp", args, given, keywords, names, COUNT, 2, v, &call) ||
      !request_take(&call, names, X0, COUNT, v))
    return NULL;
  matrix m;
  if (!matrix_begin(v[A], &m)) {
    matrix_end(&m);
    return NULL;
  }
  const int n = perp_operator_size(m.A);
  PyArrayObject *lo = NULL, *hi = NULL, *findex = NULL;
  PyArrayObject *b = vector_of_reals(v[B], n, false, "b");
  bool fine = b != NULL;
  if (fine && v[LO] && !is_number(v[LO], 0))
    fine = (lo = vector_of_reals(v[LO], n, true, "lo")) != NULL;
  if (fine && v[HI] && !is_number(v[HI], INFINITY))
    fine = (hi = vector_of_reals(v[HI], n, true, "hi")) != NULL;
  if (fine && v[FINDEX])
    fine = (findex = vector_of_ints(v[FINDEX], n, "findex")) != NULL;
  if (fine && lock_all(&m, b, lo, hi, findex)) {
    const perp_problem p = perp_problem_friction(m.A, reals(b), reals(lo), reals(hi), ints(findex));
    const parts of = {
        m.object, (PyObject *)b, (PyObject *)lo, (PyObject *)hi, (PyObject *)findex, NULL, NULL,
        NULL,     NULL};
    result = run(&call, NULL, &p, &of);
  }
  Py_XDECREF((PyObject *)b);
  Py_XDECREF((PyObject *)lo);
  Py_XDECREF((PyObject *)hi);
  Py_XDECREF((PyObject *)findex);
  matrix_end(&m);
  return result;
}

static PyObject *solve_cone(PyObject *self, PyObject *const *args, Py_ssize_t given,
                            PyObject *keywords)
{
  (void)self;
  enum { A, B, MU, X0, METHOD, TOL, TIME_LIMIT, COUNT };
  static const char *const names[] = {"A", "b", "mu", "x0", "method", "tol", "time_limit"};
  PyObject *v[COUNT], *result = NULL;
  request call;
  if (!parse_call("solve_cone", args, given, keywords, names, COUNT, 3, v, &call) ||
      !request_take(&call, names, X0, COUNT, v))
    return NULL;
  if (!v[MU]) {
    PyErr_SetString(PyExc_TypeError, "solve_cone() needs the argument 'mu'");
    return NULL;
  }
  matrix m;
  if (!matrix_begin(v[A], &m)) {
    matrix_end(&m);
    return NULL;
  }
  const int n = perp_operator_size(m.A);
  PyArrayObject *b = vector_of_reals(v[B], n, false, "b"), *mu = NULL;
  if (b && n % 3 != 0)
    PyErr_Format(PyExc_ValueError, "A has %d rows: cones have three each", n);
  else if (b)
    mu = vector_of_reals(v[MU], n / 3, true, "mu");
  if (mu && lock_all(&m, b, mu, NULL, NULL)) {
    const perp_problem p = perp_problem_cone(m.A, reals(b), reals(mu));
    const parts of = {m.object, (PyObject *)b, NULL, NULL, NULL, (PyObject *)mu, NULL, NULL, NULL};
    result = run(&call, NULL, &p, &of);
  }
  Py_XDECREF((PyObject *)b);
  Py_XDECREF((PyObject *)mu);
  matrix_end(&m);
  return result;
}

/* ---- Problems ---- */

PyObject *run_problem(const request *call, perp_solver *solver, PyObject *problem)
{
  if (!problem || !PyObject_TypeCheck(problem, (PyTypeObject *)type_problem)) {
    PyErr_SetString(PyExc_TypeError, "a perp.Problem is needed");
    return NULL;
  }
  problem_object *p = (problem_object *)problem;
  if (!operator_is_sound((PyObject *)p->A))
    return NULL;
  const parts of = {(PyObject *)p->A,    (PyObject *)p->b,      (PyObject *)p->lo,
                    (PyObject *)p->hi,   (PyObject *)p->findex, (PyObject *)p->mu,
                    (PyObject *)p->cone, (PyObject *)p->dim,    (PyObject *)p->law};
  Py_INCREF(problem); /* a callback may drop the last other reference */
  PyObject *result = run(call, solver, &p->problem, &of);
  Py_DECREF(problem);
  return result;
}

static PyObject *solve(PyObject *self, PyObject *const *args, Py_ssize_t given, PyObject *keywords)
{
  (void)self;
  enum { PROBLEM, X0, METHOD, TOL, TIME_LIMIT, COUNT };
  static const char *const names[] = {"problem", "x0", "method", "tol", "time_limit"};
  PyObject *v[COUNT];
  request call;
  if (!parse_call("solve", args, given, keywords, names, COUNT, 1, v, &call) ||
      !request_take(&call, names, X0, COUNT, v))
    return NULL;
  return run_problem(&call, NULL, v[PROBLEM]);
}

#define KEYWORDS                                                                                   \
  "method='auto', tol=1e-08, time_limit=None, *, max_iterations=None, callback=None, "             \
  "trace=False, "                                                                                  \
  "strict=False, threads=1, verbose=False, **parameters)\n--\n\n"

PyMethodDef solve_functions[] = {
    {"solve_lcp", (PyCFunction)(void (*)(void))solve_lcp, METH_FASTCALL | METH_KEYWORDS,
     "solve_lcp($module, /, A, b, lo=0, hi=None, findex=None, x0=None, " KEYWORDS
     "Finds x with lo <= x <= hi and y = A x + b such that y_i = 0 between the bounds, y_i >= 0 "
     "at\n"
     "lo_i and y_i <= 0 at hi_i; without bounds 0 <= x, 0 <= y, x'y = 0.\n\n"
     "A        array, scipy.sparse matrix, LinearOperator or perp.Operator\n"
     "b        vector of n numbers\n"
     "lo, hi   bounds, numbers or vectors; 0 and infinity\n"
     "findex   friction index: row i with findex[i] = j >= 0 has the bounds lo[i] |x_j|, hi[i] "
     "|x_j|\n"
     "x0       start; zeros by default\n"},
    {"solve_cone", (PyCFunction)(void (*)(void))solve_cone, METH_FASTCALL | METH_KEYWORDS,
     "solve_cone($module, /, A, b, mu, x0=None, " KEYWORDS
     "Solves a problem of Coulomb friction: rows (n, t, o) of each contact c obey\n"
     "|(x_t, x_o)| <= mu_c x_n, with y_n + mu_c |(y_t, y_o)| as the normal part (De Saxce).\n\n"
     "A        array, scipy.sparse matrix, LinearOperator, perp.Contact or perp.Operator\n"
     "b        vector of n numbers, three for each contact\n"
     "mu       coefficients of friction: n / 3, or one number for all\n"
     "x0       start; zeros by default\n"},
    {"solve", (PyCFunction)(void (*)(void))solve, METH_FASTCALL | METH_KEYWORDS,
     "solve($module, /, problem, x0=None, " KEYWORDS "Solves a perp.Problem.\n\n"
     "problem  from perp.Problem(A, b, ...), perp.generate or perp.load\n"
     "x0       start; zeros by default\n"},
    {NULL, NULL, 0, NULL},
};

void solve_write_documents(void)
{
  for (PyMethodDef *f = solve_functions; f->ml_name; f++)
    f->ml_doc = table_document(f->ml_doc);
}
