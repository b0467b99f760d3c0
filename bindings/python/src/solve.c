/* solve.c: solve_lcp, solve_cone, solve and the type Solver
 *
 * A call of a small problem takes few microseconds, so arguments are split by hand, results hold
 * the library's struct as it is, and nothing is computed that is not asked for. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

PyObject *type_solver, *type_progress;
PyObject *error_not_solved, *error_unsupported;
PyObject *hook_operator;

/* ---- Keywords ---- */

void request_begin(request *call)
{
  call->options = perp_options_default();
  call->method = NULL;
  call->x0 = call->callback = NULL;
  call->strict = call->trace = call->low = false;
  call->parameters = 0;
}

static bool take_real(PyObject *value, double *to)
{
  *to = PyFloat_AsDouble(value);
  return *to != -1 || !PyErr_Occurred();
}

static bool take_long(PyObject *value, long long least, long long most, const char *name,
                      long long *to)
{
  *to = PyLong_AsLongLong(value);
  if (*to == -1 && PyErr_Occurred())
    return false;
  if (*to < least || *to > most) {
    PyErr_Format(PyExc_ValueError, "%s = %lld is out of range", name, *to);
    return false;
  }
  return true;
}

static bool take_flag(PyObject *value, bool *to)
{
  const int truth = PyObject_IsTrue(value);
  *to = truth > 0;
  return truth >= 0;
}

static bool add_parameter(request *call, const char *name, PyObject *value)
{
  if (call->parameters == MOST_PARAMETERS) {
    PyErr_Format(PyExc_TypeError, "more than %d parameters", (int)MOST_PARAMETERS);
    return false;
  }
  call->parameter[call->parameters].name = name;
  call->parameter[call->parameters++].value = value;
  return true;
}

static bool add_parameters(request *call, PyObject *given)
{
  PyObject *key, *value;
  Py_ssize_t at = 0;
  if (!PyDict_Check(given)) {
    PyErr_SetString(PyExc_TypeError, "parameters: a dict is needed");
    return false;
  }
  while (PyDict_Next(given, &at, &key, &value)) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (!name || !add_parameter(call, name, value))
      return false;
  }
  return true;
}

bool request_set(request *call, const char *name, PyObject *value)
{
  perp_options *o = &call->options;
  const bool none = value == Py_None;
  long long number = 0;
  if (strcmp(name, "method") == 0) {
    call->method = none ? NULL : PyUnicode_AsUTF8AndSize(value, NULL);
    return none || call->method;
  }
  if (strcmp(name, "tol") == 0)
    return none || take_real(value, &o->tol);
  if (strcmp(name, "x0") == 0) {
    call->x0 = none ? NULL : value;
    return true;
  }
  if (strcmp(name, "time_limit") == 0)
    return none || take_real(value, &o->time_limit);
  if (strcmp(name, "max_iterations") == 0) {
    if (!none && !take_long(value, 0, INT64_MAX, name, &number))
      return false;
    o->max_iterations = number;
    return true;
  }
  if (strcmp(name, "callback") == 0) {
    if (!none && !PyCallable_Check(value)) {
      PyErr_SetString(PyExc_TypeError, "callback: a function is needed");
      return false;
    }
    call->callback = none ? NULL : value;
    return true;
  }
  if (strcmp(name, "strict") == 0)
    return take_flag(value, &call->strict);
  if (strcmp(name, "trace") == 0)
    return take_flag(value, &call->trace);
  if (strcmp(name, "x_low") == 0)
    return take_flag(value, &call->low);
  if (strcmp(name, "parameters") == 0)
    return none || add_parameters(call, value);
  if (strcmp(name, "merit_tol") == 0)
    return take_real(value, &o->merit_tol);
  if (strcmp(name, "merit_rel_tol") == 0)
    return take_real(value, &o->merit_rel_tol);
  if (strcmp(name, "check_every") == 0) {
    if (!take_long(value, -1, INT32_MAX, name, &number))
      return false;
    o->check_every = (int)number;
    return true;
  }
  if (strcmp(name, "stagnation") == 0) {
    if (!take_long(value, 0, INT32_MAX, name, &number))
      return false;
    o->stagnation = (int)number;
    return true;
  }
  if (strcmp(name, "threads") == 0) {
    if (!take_long(value, 1, 4096, name, &number))
      return false;
    o->threads = (int)number;
    return true;
  }
  if (strcmp(name, "seed") == 0) {
    if (!take_long(value, 0, INT64_MAX, name, &number))
      return false;
    o->seed = (uint64_t)number;
    return true;
  }
  if (strcmp(name, "memory_limit") == 0) {
    if (!none && !take_long(value, 0, INT64_MAX, name, &number))
      return false;
    o->memory_limit = (size_t)number;
    return true;
  }
  return add_parameter(call, name, value);
}

bool parse_call(const char *function, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
                const char *const names[], int count, int required, PyObject **values,
                request *call)
{
  request_begin(call);
  if (given > count) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments, not %zd", function,
                 count, given);
    return false;
  }
  for (int k = 0; k < count; k++)
    values[k] = k < given ? args[k] : NULL;
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; k++) {
    const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(keywords, k), NULL);
    if (!name)
      return false;
    int at = 0;
    while (at < count && strcmp(names[at], name) != 0)
      at++;
    if (at < count) {
      if (values[at]) {
        PyErr_Format(PyExc_TypeError, "%s() got '%s' twice", function, name);
        return false;
      }
      values[at] = args[given + k];
    } else if (!request_set(call, name, args[given + k])) {
      return false;
    }
  }
  for (int k = 0; k < required; k++) {
    if (!values[k]) {
      PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", function, names[k]);
      return false;
    }
  }
  for (int k = 0; k < count; k++)
    if (values[k] == Py_None)
      values[k] = NULL;
  return true;
}

/* ---- Parameters of a method ---- */

bool set_parameter(perp_solver *solver, const char *name, PyObject *value)
{
  /* A name that Python or an option has taken is written with a line at its end: lambda_ */
  char plain[64];
  const size_t length = strlen(name);
  if (length > 1 && length < sizeof plain && name[length - 1] == '_') {
    memcpy(plain, name, length - 1);
    plain[length - 1] = '\0';
    name = plain;
  }
  perp_message why = {""};
  perp_error error;
  if (PyUnicode_Check(value)) {
    const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
    if (!text)
      return false;
    error = perp_solver_set_text(solver, name, text, &why);
  } else {
    const double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred())
      return false;
    error = perp_solver_set(solver, name, number, &why);
  }
  if (error)
    raise_error(error, why.text);
  return !error;
}

bool set_parameters(perp_solver *solver, const request *call)
{
  for (int k = 0; k < call->parameters; k++)
    if (!set_parameter(solver, call->parameter[k].name, call->parameter[k].value))
      return false;
  return true;
}

/* ---- What a solve calls back ---- */

double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool watch_interrupted(void *context)
{
  watch *w = context;
  if (w->stop)
    return true;
  const double now = seconds_now();
  const bool first = w->next == 0;
  if (now < w->next)
    return false;
  w->next = now + 0.02;
  if (first)
    return false;
  const PyGILState_STATE gil = PyGILState_Ensure();
  w->stop = PyErr_Occurred() || PyErr_CheckSignals() != 0;
  PyGILState_Release(gil);
  return w->stop;
}

static bool keep_trace(watch *w, const perp_progress *p)
{
  if (w->traced == w->room) {
    const size_t room = 2 * w->room + 64;
    double *grown = realloc(w->trace, room * 3 * sizeof *grown);
    if (!grown)
      return false; /* the trace ends here, the solve does not */
    w->trace = grown;
    w->room = room;
  }
  double *row = w->trace + 3 * w->traced++;
  row[0] = (double)p->iteration;
  row[1] = p->seconds;
  row[2] = p->residual;
  return true;
}

/* new */
static PyObject *new_progress(const perp_progress *p)
{
  PyObject *s = PyStructSequence_New((PyTypeObject *)type_progress);
  if (!s)
    return NULL;
  PyObject *x = p->x ? (PyObject *)new_reals(p->n, p->x) : Py_None;
  if (x == Py_None)
    Py_INCREF(x);
  PyObject *const items[] = {
      PyLong_FromLongLong(p->iteration),
      PyFloat_FromDouble(p->seconds),
      PyFloat_FromDouble(p->residual),
      PyFloat_FromDouble(p->residual / p->scale),
      PyFloat_FromDouble(p->merit),
      PyBool_FromLong(p->checked),
      x,
  };
  bool fine = true;
  for (int k = 0; k < 7; k++) {
    fine = fine && items[k];
    if (items[k])
      PyStructSequence_SetItem(s, k, items[k]);
  }
  if (!fine)
    Py_CLEAR(s);
  return s;
}

bool watch_observe(void *context, const perp_progress *p)
{
  watch *w = context;
  if (w->keep_trace && p->checked && !keep_trace(w, p))
    w->keep_trace = false;
  if (!w->callback)
    return true;
  const PyGILState_STATE gil = PyGILState_Ensure();
  bool more = false;
  if (!PyErr_Occurred()) {
    PyObject *progress = new_progress(p);
    PyObject *answer = progress ? PyObject_CallFunctionObjArgs(w->callback, progress, NULL) : NULL;
    more = answer && answer != Py_False;
    Py_XDECREF(progress);
    Py_XDECREF(answer);
  }
  w->stop = !more;
  PyGILState_Release(gil);
  return more;
}

void watch_begin(watch *w, const request *call, perp_options *options)
{
  *w = (watch){.callback = call->callback, .keep_trace = call->trace};
  options->interrupted = watch_interrupted;
  options->interrupted_context = w;
  if (call->callback || call->trace) {
    options->observer = watch_observe;
    options->observer_context = w;
  }
}

/* ---- One solve ---- */

/* What a result keeps of its problem; borrowed. */
typedef struct parts {
  PyObject *A, *b, *lo, *hi, *findex, *mu, *cone;
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

/* Without a solver one is made for this call alone. */
static PyObject *run(const request *call, perp_solver *solver, const perp_problem *p,
                     const parts *of)
{
  const int n = p->K.n;
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
  r->result = perp_result_empty();
  r->x = new_reals(n, NULL);
  r->y = new_reals(n, NULL);
  double small[SMALL], *ray = n > SMALL ? malloc((size_t)n * sizeof *ray) : small;
  perp_solver *own = NULL;
  r->x_low = call->low ? new_reals(n, NULL) : NULL;
  bool fine = r->x && r->y && (r->x_low || !call->low);
  if (fine && !ray) {
    PyErr_NoMemory();
    fine = false;
  }
  if (fine && call->x0) {
    PyArrayObject *start = vector_of_reals(call->x0, n, false, "x0");
    fine = start != NULL;
    if (start && n > 0)
      memcpy(reals(r->x), reals(start), (size_t)n * sizeof(double));
    Py_XDECREF((PyObject *)start);
  }
  const char *method = call->method ? call->method : "auto";
  if (fine && !solver && call->parameters) {
    const perp_error error = perp_solver_create(method, &own, &r->result.message);
    if (error)
      raise_error(error, r->result.message.text);
    fine = !error && set_parameters(own, call);
    solver = own;
  }
  if (fine) {
    perp_options options = call->options;
    options.y = reals(r->y);
    options.ray = ray;
    options.x_low = reals(r->x_low);
    watch w;
    watch_begin(&w, call, &options);
    PyThreadState *state = PyEval_SaveThread();
    const perp_error error = solver
                                 ? perp_solver_solve(solver, p, &options, reals(r->x), &r->result)
                                 : perp_solve(method, p, &options, reals(r->x), &r->result);
    PyEval_RestoreThread(state);
    fine = !PyErr_Occurred();
    if (error) {
      raise_error(error, r->result.message.text);
      fine = false;
    }
    if (fine && r->result.ray)
      fine = (r->ray = (PyObject *)new_reals(n, ray)) != NULL;
    if (fine && call->trace)
      fine = take_trace(&w, r);
    free(w.trace);
    r->result.y = r->result.ray = NULL;
  }
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
} matrix;

static bool matrix_begin(PyObject *o, matrix *m)
{
  int64_t stride = 0;
  *m = (matrix){NULL, NULL, NULL};
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
    return true;
  }
  m->object = PyObject_TypeCheck(o, (PyTypeObject *)type_operator)
                  ? shared(o)
                  : PyObject_CallFunctionObjArgs(hook_operator, o, NULL);
  if (m->object)
    m->A = ((operator_object *)m->object)->A;
  return m->object != NULL;
}

static void matrix_end(matrix *m)
{
  perp_operator_destroy(m->own);
  Py_XDECREF(m->object);
}

/* Options that may also be given by position. */
static bool request_take(request *call, const char *const names[], int from, int count,
                         PyObject *const *values)
{
  for (int k = from; k < count; k++)
    if (values[k] && !request_set(call, names[k], values[k]))
      return false;
  return true;
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
  if (fine) {
    const perp_problem p = perp_problem_friction(m.A, reals(b), reals(lo), reals(hi), ints(findex));
    const parts of = {m.object, (PyObject *)b, (PyObject *)lo, (PyObject *)hi, (PyObject *)findex,
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
  if (mu) {
    const perp_problem p = perp_problem_cone(m.A, reals(b), reals(mu));
    const parts of = {m.object, (PyObject *)b, NULL, NULL, NULL, (PyObject *)mu, NULL};
    result = run(&call, NULL, &p, &of);
  }
  Py_XDECREF((PyObject *)b);
  Py_XDECREF((PyObject *)mu);
  matrix_end(&m);
  return result;
}

/* ---- Problems, and solvers that are kept ---- */

typedef struct solver_object {
  PyObject head;
  perp_solver *solver;
  request standing; /* options that hold for each solve; no references */
  bool busy;        /* in a solve, perhaps of another thread */
} solver_object;

static problem_object *as_problem(PyObject *o)
{
  if (PyObject_TypeCheck(o, (PyTypeObject *)type_problem))
    return (problem_object *)o;
  PyErr_SetString(PyExc_TypeError, "a perp.Problem is needed");
  return NULL;
}

static PyObject *run_problem(const request *call, perp_solver *solver, problem_object *p)
{
  const parts of = {(PyObject *)p->A,      (PyObject *)p->b,  (PyObject *)p->lo,  (PyObject *)p->hi,
                    (PyObject *)p->findex, (PyObject *)p->mu, (PyObject *)p->cone};
  Py_INCREF((PyObject *)p); /* a callback may drop the last other reference */
  PyObject *result = run(call, solver, &p->problem, &of);
  Py_DECREF((PyObject *)p);
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
  problem_object *p = as_problem(v[PROBLEM] ? v[PROBLEM] : Py_None);
  return p ? run_problem(&call, NULL, p) : NULL;
}

static PyObject *solver_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  const char *method = "auto";
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
  bool fine = true;
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (fine && keywords && PyDict_Next(keywords, &at, &key, &value)) {
    const char *text = PyUnicode_AsUTF8AndSize(key, NULL);
    if (text && (strcmp(text, "x0") == 0 || strcmp(text, "callback") == 0)) {
      PyErr_Format(PyExc_TypeError, "'%s' belongs to solve()", text);
      text = NULL;
    }
    fine = text && request_set(&s->standing, text, value);
  }
  if (fine && name)
    fine = (method = PyUnicode_AsUTF8AndSize(name, NULL)) != NULL;
  else if (fine && s->standing.method)
    method = s->standing.method;
  if (fine) {
    perp_message why = {""};
    const perp_error error = perp_solver_create(method, &s->solver, &why);
    if (error)
      raise_error(error, why.text);
    fine = !error && set_parameters(s->solver, &s->standing);
  }
  s->standing.parameters = 0;
  s->standing.method = NULL;
  if (!fine)
    Py_CLEAR(s);
  return (PyObject *)s;
}

static void solver_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  perp_solver_destroy(((solver_object *)self)->solver);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

static bool is_busy(const solver_object *s)
{
  if (s->busy)
    PyErr_SetString(PyExc_RuntimeError, "this Solver is solving: one serves one thread at a time");
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
  request_begin(&call);
  if (is_busy(s) || !parse_call("solve", args, given, NULL, names, COUNT, 0, v, &call))
    return NULL;
  call = s->standing;
  call.x0 = v[X0];
  const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; k++) {
    const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(keywords, k), NULL);
    if (!name)
      return NULL;
    if (strcmp(name, "problem") == 0 && !v[PROBLEM])
      v[PROBLEM] = args[given + k];
    else if (strcmp(name, "method") == 0) {
      PyErr_SetString(PyExc_TypeError, "the method of a Solver is fixed");
      return NULL;
    } else if (!request_set(&call, name, args[given + k]))
      return NULL;
  }
  if (call.parameters) {
    PyErr_Format(PyExc_TypeError, "solve() got an unknown keyword '%s'; Solver.set sets parameters",
                 call.parameter[0].name);
    return NULL;
  }
  problem_object *p = as_problem(v[PROBLEM] ? v[PROBLEM] : Py_None);
  if (!p)
    return NULL;
  s->busy = true;
  Py_INCREF(self);
  PyObject *result = run_problem(&call, s->solver, p);
  s->busy = false;
  Py_DECREF(self);
  return result;
}

static PyObject *solver_set(PyObject *self, PyObject *args, PyObject *keywords)
{
  solver_object *s = (solver_object *)self;
  if (is_busy(s) || !PyArg_ParseTuple(args, ":set"))
    return NULL;
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (keywords && PyDict_Next(keywords, &at, &key, &value)) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (!name || !set_parameter(s->solver, name, value))
      return NULL;
  }
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
     "Solves a Problem, from the start x0, and returns a Result. Options are those of "
     "perp.solve_lcp,\n"
     "and hold for this solve only. The GIL is released meanwhile."},
    {"set", (PyCFunction)(void (*)(void))solver_set, METH_VARARGS | METH_KEYWORDS,
     "set($self, /, **parameters)\n--\n\nChanges parameters of the method."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef solver_members[] = {
    {"method", solver_method, NULL, "the name of the method", NULL},
    {"parameters", solver_parameters, NULL, "the parameters of the method and their values", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define KEYWORDS "method='auto', tol=1e-08, time_limit=None, **parameters)\n--\n\n"

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

bool solve_add_type(PyObject *module)
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
  static PyStructSequence_Field fields[] = {
      {"iteration", NULL},
      {"seconds", "since the solve began"},
      {"residual", "natural, at the latest check"},
      {"relative_residual", "residual / scale"},
      {"merit", "the method's own, NaN if it has none"},
      {"checked", "whether the residual is that of this iterate"},
      {"x", "the iterate, a copy; None if it is not available in this iteration"},
      {NULL, NULL},
  };
  static PyStructSequence_Desc progress = {"perp.Progress", "What a callback is given.", fields, 7};
  slots[0].pfunc = (void *)table_document(slots[0].pfunc);
  for (PyMethodDef *f = solve_functions; f->ml_name; f++)
    f->ml_doc = table_document(f->ml_doc);
  type_solver = PyType_FromSpec(&spec);
  type_progress = (PyObject *)PyStructSequence_NewType(&progress);
  error_not_solved = PyErr_NewExceptionWithDoc(
      "perp.NotSolved", "With strict=True: not solved; `result` has the best iterate.",
      PyExc_RuntimeError, NULL);
  error_unsupported = PyErr_NewExceptionWithDoc(
      "perp.Unsupported", "The method does not take this form, matrix or diagonal.",
      PyExc_ValueError, NULL);
  return type_solver && type_progress && error_not_solved && error_unsupported &&
         PyModule_AddObjectRef(module, "Solver", type_solver) == 0 &&
         PyModule_AddObjectRef(module, "Progress", type_progress) == 0 &&
         PyModule_AddObjectRef(module, "NotSolved", error_not_solved) == 0 &&
         PyModule_AddObjectRef(module, "Unsupported", error_unsupported) == 0;
}
