/* queue.c: batches that stay on a device
 *
 * The package passes addresses and sizes that it has checked (perp/_queue.py); here they become a
 * perp_batch. Nothing is copied, and no call waits for the device except wait_device. */
#include "binding.h"

#include <limits.h>
#include <string.h>

/* Reads `count` addresses or sizes of a tuple. */
static bool read_longs(PyObject *tuple, Py_ssize_t count, long long *to, const char *name)
{
  if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
    PyErr_Format(PyExc_TypeError, "%s is not a tuple of %zd numbers", name, count);
    return false;
  }
  for (Py_ssize_t k = 0; k < count; k++) {
    to[k] = PyLong_AsLongLong(PyTuple_GetItem(tuple, k));
    if (PyErr_Occurred())
      return false;
  }
  return true;
}

static void *address(long long value)
{
  return (void *)(intptr_t)value;
}

enum { COUNT, N, BODIES, FREEDOM, TOGETHER, SAME_A, SAME_K, SINGLE, SIZES };
enum { A, B, LO, HI, FINDEX, MU, BODY, J, MINV, C, ARRAYS };

/* A batch, and the worlds that it points to. */
typedef struct queued {
  perp_device *device;
  perp_precision precision;
  perp_batch batch;
  perp_contact_bodies worlds;
} queued;

static bool read_batch(PyObject *handle, PyObject *stream, PyObject *sizes, PyObject *arrays,
                       PyObject *cfm, queued *q)
{
  long long size[SIZES], at[ARRAYS];
  q->device = device_of(handle);
  if (!q->device || !read_longs(sizes, SIZES, size, "sizes") ||
      !read_longs(arrays, ARRAYS, at, "arrays"))
    return false;
  for (int k = 0; k < SIZES; k++)
    if (size[k] < 0 || size[k] > INT_MAX) {
      PyErr_Format(PyExc_ValueError, "%lld problems, rows or bodies: a batch takes at most %d",
                   size[k], INT_MAX);
      return false;
    }
  const long long where = PyLong_AsLongLong(stream);
  const double diagonal = PyFloat_AsDouble(cfm);
  if (PyErr_Occurred())
    return false;
  q->worlds = perp_contact_bodies_default();
  q->worlds.rows = (int)size[N];
  q->worlds.bodies = (int)size[BODIES];
  q->worlds.freedom = (int)size[FREEDOM];
  q->worlds.together = (int)size[TOGETHER];
  q->worlds.body = address(at[BODY]);
  q->worlds.J = address(at[J]);
  q->worlds.Minv = address(at[MINV]);
  q->worlds.C_diagonal = address(at[C]);
  q->worlds.cfm = diagonal;
  q->batch = perp_batch_dense((int)size[COUNT], (int)size[N], address(at[A]), address(at[B]));
  if (at[BODY])
    q->batch.worlds = &q->worlds;
  q->batch.same_A = size[SAME_A] != 0;
  q->batch.same_K = size[SAME_K] != 0;
  q->batch.lo = address(at[LO]);
  q->batch.hi = address(at[HI]);
  q->batch.findex = address(at[FINDEX]);
  q->batch.mu = address(at[MU]);
  q->precision = size[SINGLE] ? PERP_PRECISION_SINGLE : PERP_PRECISION_DOUBLE;
  perp_message why = {""};
  const perp_error error = perp_device_set_stream(q->device, address(where), &why);
  if (error)
    raise_error(error, why.text);
  return !error;
}

/* (device, stream, sizes, arrays, cfm, results, and keywords); results: x, y, verdicts,
 * and memory for an order */
static PyObject *queue_solve(PyObject *self, PyObject *const *args, Py_ssize_t given,
                             PyObject *keywords)
{
  (void)self;
  enum { DEVICE, STREAM, SIZES_OF, ARRAYS_OF, CFM, RESULTS, ALL };
  static const char *const names[ALL] = {"0", "1", "2", "3", "4", "5"};
  PyObject *v[ALL];
  request call;
  queued q;
  long long results[4];
  if (!parse_call("queue_batch", args, given, keywords, names, ALL, ALL, v, &call))
    return NULL;
  if (!request_is_plain(&call, "queue_batch") ||
      !read_batch(v[DEVICE], v[STREAM], v[SIZES_OF], v[ARRAYS_OF], v[CFM], &q) ||
      !read_longs(v[RESULTS], 4, results, "results"))
    return NULL;
  const char *usual = !q.batch.worlds ? "blockpivot" : q.batch.mu ? "bgs" : "coloured";
  perp_solver *solver = request_solver(&call, usual);
  if (!solver)
    return NULL;
  perp_message why = {""};
  perp_options options = call.options;
  options.device = q.device;
  options.y = address(results[1]);
  q.batch.order = address(results[3]);
  PyThreadState *state = PyEval_SaveThread();
  perp_device_set_precision(q.device, q.precision);
  const perp_error error =
      perp_batch_queue(solver, &q.batch, &options, address(results[0]), address(results[2]), &why);
  perp_device_set_precision(q.device, PERP_PRECISION_DOUBLE);
  PyEval_RestoreThread(state);
  perp_solver_destroy(solver);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* (device, stream, sizes, arrays, cfm): the bytes of workspace that queue_vjp needs */
static PyObject *vjp_bytes(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *handle, *stream, *sizes, *arrays, *cfm;
  queued q;
  if (!PyArg_ParseTuple(args, "OOOOO", &handle, &stream, &sizes, &arrays, &cfm) ||
      !read_batch(handle, stream, sizes, arrays, cfm, &q))
    return NULL;
  return PyLong_FromSize_t(perp_batch_vjp_bytes(q.device, &q.batch));
}

/* (device, stream, sizes, arrays, cfm, solution, gradients, near, release, zero, threads); solution: x,
 * y, verdicts, w; gradients: of b, lo, hi, mu, A, J, Minv, C, and error, degenerate, workspace */
static PyObject *queue_vjp(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *handle, *stream, *sizes, *arrays, *cfm, *solution, *gradients;
  double near;
  int release, zero, threads;
  queued q;
  long long s[4], at[11];
  if (!PyArg_ParseTuple(args, "OOOOOOOdppi", &handle, &stream, &sizes, &arrays, &cfm, &solution,
                        &gradients, &near, &release, &zero, &threads) ||
      !read_batch(handle, stream, sizes, arrays, cfm, &q) ||
      !read_longs(solution, 4, s, "solution") || !read_longs(gradients, 11, at, "gradients"))
    return NULL;
  perp_batch_gradient g = perp_batch_gradient_default();
  double **const fields[] = {&g.b, &g.lo, &g.hi, &g.mu, &g.A, &g.J, &g.Minv, &g.C, &g.error};
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
    *fields[k] = address(at[k]);
  g.degenerate = address(at[9]);
  g.workspace = address(at[10]);
  g.near = near;
  g.degenerate_side = release ? PERP_DEGENERATE_RELEASE : PERP_DEGENERATE_HOLD;
  g.zero_unsolved = zero;
  g.threads = threads;
  perp_message why = {""};
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = perp_batch_vjp(q.device, &q.batch, address(s[0]), address(s[1]),
                                          address(s[2]), address(s[3]), &g, &why);
  PyEval_RestoreThread(state);
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* (device, stream, Operator, arrays, and keywords): one solve by mg with arrays of the device; arrays: b,
 * lo, hi, x, y. Returns (outcome, residual, relative residual, cycles, message). It waits: the CPU counts
 * the cycles. */
static PyObject *solve_there(PyObject *self, PyObject *const *args, Py_ssize_t given,
                             PyObject *keywords)
{
  (void)self;
  enum { DEVICE, STREAM, MATRIX, ARRAYS_OF, ALL };
  static const char *const names[ALL] = {"0", "1", "2", "3"};
  PyObject *v[ALL];
  request call;
  long long at[5];
  if (!parse_call("solve_grid", args, given, keywords, names, ALL, ALL, v, &call))
    return NULL;
  perp_device *device = device_of(v[DEVICE]);
  const long long stream = PyLong_AsLongLong(v[STREAM]);
  if (!device || PyErr_Occurred() || !read_longs(v[ARRAYS_OF], 5, at, "arrays"))
    return NULL;
  if (!request_is_plain(&call, "solve_grid"))
    return NULL;
  if (!PyObject_TypeCheck(v[MATRIX], (PyTypeObject *)type_operator)) {
    PyErr_SetString(PyExc_TypeError, "solve_grid() takes a Grid");
    return NULL;
  }
  perp_operator *matrix = ((operator_object *)v[MATRIX])->A;
  const perp_problem p = perp_problem_boxed(matrix, address(at[0]), address(at[1]), address(at[2]));
  perp_solver *solver = request_solver(&call, "mg");
  if (!solver)
    return NULL;
  perp_result r = perp_result_empty();
  perp_options options = call.options;
  watch w;
  watch_begin(&w, &call, &options);
  options.device = device;
  options.y = address(at[4]);
  operator_hold(v[MATRIX]);
  PyThreadState *state = PyEval_SaveThread();
  perp_device_set_judge(device, PERP_JUDGE_DEVICE);
  perp_error error = perp_device_set_stream(device, address(stream), &r.message);
  if (!error)
    error = perp_operator_place(matrix, device, &r.message);
  if (!error)
    error = perp_solver_solve(solver, &p, &options, address(at[3]), &r);
  perp_device_set_judge(device, PERP_JUDGE_HOST);
  PyEval_RestoreThread(state);
  operator_release(v[MATRIX]);
  perp_solver_destroy(solver);
  if (error)
    raise_error(error, r.message.text);
  if (PyErr_Occurred())
    return NULL;
  return Py_BuildValue("(sddLs)", perp_outcome_name(r.outcome), r.residual, r.relative_residual,
                       (long long)r.counts.cycles, r.message.text);
}

/* (device, stream): waits for that stream */
static PyObject *wait_device(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *handle;
  long long stream;
  perp_message why = {""};
  if (!PyArg_ParseTuple(args, "OL", &handle, &stream))
    return NULL;
  perp_device *device = device_of(handle);
  if (!device)
    return NULL;
  perp_error error = perp_device_set_stream(device, address(stream), &why);
  if (!error) {
    PyThreadState *state = PyEval_SaveThread();
    error = perp_device_wait(device, &why);
    PyEval_RestoreThread(state);
  }
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

/* (bytes of one verdict, method, worlds, n): the line that says how it ended */
static PyObject *verdict_text(PyObject *self, PyObject *args)
{
  (void)self;
  const char *bytes, *method;
  Py_ssize_t length;
  int worlds, n;
  perp_batch_verdict verdict;
  perp_message text = {""};
  if (!PyArg_ParseTuple(args, "y#spi", &bytes, &length, &method, &worlds, &n))
    return NULL;
  if ((size_t)length != sizeof verdict) {
    PyErr_Format(PyExc_ValueError, "a verdict has %zu bytes, not %zd", sizeof verdict, length);
    return NULL;
  }
  memcpy(&verdict, bytes, sizeof verdict);
  perp_batch_verdict_message(&verdict, method, worlds, n, &text);
  return PyUnicode_FromString(text.text);
}

PyMethodDef queue_functions[] = {
    {"queue_solve", (PyCFunction)(void (*)(void))queue_solve, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"solve_there", (PyCFunction)(void (*)(void))solve_there, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"vjp_bytes", vjp_bytes, METH_VARARGS, NULL},
    {"queue_vjp", queue_vjp, METH_VARARGS, NULL},
    {"wait_device", wait_device, METH_VARARGS, NULL},
    {"verdict_text", verdict_text, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
