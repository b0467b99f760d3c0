/* device.c: batches on a device
 *
 * A device is a capsule that closes itself; the package's class Device holds one, with a lock, since
 * a device serves one thread at a time. */
#include "binding.h"

#include <stdlib.h>

static const char *const kind = "perp_device";

perp_device *device_of(PyObject *capsule)
{
  return PyCapsule_GetPointer(capsule, kind);
}

static void close_device(PyObject *o)
{
  perp_device_destroy(device_of(o));
}

static PyObject *open_device(PyObject *self, PyObject *name)
{
  (void)self;
  const char *text = take_word(name, "device");
  if (!text)
    return NULL;
  perp_device *device = NULL;
  perp_message why = {""};
  const perp_error error = perp_device_create(text, &device, &why);
  if (error)
    return raise_error(error, why.text);
  PyObject *o = PyCapsule_New(device, kind, close_device);
  if (!o)
    perp_device_destroy(device);
  return o;
}

/* name, title, processors, bytes of memory, bytes uploaded and downloaded, seconds in kernels */
static PyObject *device_facts(PyObject *self, PyObject *o)
{
  (void)self;
  const perp_device *device = device_of(o);
  if (!device)
    return NULL;
  const perp_device_info f = perp_device_facts(device);
  return Py_BuildValue("(ssLLLLd)", f.name, f.title, (long long)f.processors, (long long)f.memory,
                       (long long)f.uploaded, (long long)f.downloaded, f.kernel_seconds);
}

/* Fills the arrays of the result; sets an exception for the first problem with an error. */
static bool take_ends(const perp_batch_end *each, npy_intp count, const perp_result *whole,
                      PyObject *const *v)
{
  enum { RESIDUAL, RELATIVE, SECONDS, OUTCOME, ITERATIONS };
  double *residual = PyArray_DATA((PyArrayObject *)v[RESIDUAL]);
  double *relative = PyArray_DATA((PyArrayObject *)v[RELATIVE]);
  double *seconds = PyArray_DATA((PyArrayObject *)v[SECONDS]);
  int *outcome = PyArray_DATA((PyArrayObject *)v[OUTCOME]);
  int64_t *iterations = PyArray_DATA((PyArrayObject *)v[ITERATIONS]);
  for (npy_intp k = 0; k < count; k++) {
    if (each[k].error) {
      raise_error(each[k].error, whole->message.text);
      return false;
    }
    residual[k] = each[k].residual;
    relative[k] = each[k].relative_residual;
    seconds[k] = whole->seconds / (double)count;
    outcome[k] = (int)each[k].outcome;
    iterations[k] = each[k].iterations;
  }
  return true;
}

static bool run_on_device(const request *call, const perp_batch *batch, perp_device *device,
                          double *x, double *y, perp_batch_end *each, perp_result *whole)
{
  perp_solver *solver = request_solver(call, "blockpivot");
  if (!solver)
    return false;
  perp_options options = call->options;
  watch w;
  watch_begin(&w, call, &options);
  options.device = device;
  options.y = y;
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = perp_batch_solve(solver, batch, &options, x, each, whole);
  PyEval_RestoreThread(state);
  if (error)
    raise_error(error, whole->message.text);
  perp_solver_destroy(solver);
  return !PyErr_Occurred();
}

/* (device, A, b, lo, hi, x, y, residual, relative, seconds, outcome, iterations, and keywords):
 * arrays of the package's own making; A has three dimensions, or two if it is that of all */
static PyObject *solve_on_device(PyObject *self, PyObject *const *args, Py_ssize_t given,
                                 PyObject *keywords)
{
  (void)self;
  enum { DEVICE, A, B, LO, HI, X, Y, ENDS, COUNT = ENDS + 5 };
  static const char *const names[COUNT] = {"0", "1", "2", "3", "4",  "5",
                                           "6", "7", "8", "9", "10", "11"};
  PyObject *v[COUNT];
  request call;
  if (!parse_call("solve_batch", args, given, keywords, names, COUNT, 2, v, &call))
    return NULL;
  if (!request_is_plain(&call, "solve_batch"))
    return NULL;
  perp_device *device = device_of(v[DEVICE]);
  if (!device)
    return NULL;
  const npy_intp count = PyArray_DIM((PyArrayObject *)v[B], 0);
  if (count == 0)
    Py_RETURN_NONE;
  perp_batch batch = perp_batch_dense((int)count, (int)PyArray_DIM((PyArrayObject *)v[B], 1),
                                      reals((PyArrayObject *)v[A]), reals((PyArrayObject *)v[B]));
  batch.same_A = PyArray_NDIM((PyArrayObject *)v[A]) == 2;
  batch.lo = reals((PyArrayObject *)v[LO]);
  batch.hi = reals((PyArrayObject *)v[HI]);
  perp_batch_end *each = calloc((size_t)count, sizeof *each);
  if (!each)
    return PyErr_NoMemory();
  perp_result whole = perp_result_empty();
  locks locked = {0};
  const bool fine = locks_add(&locked, v[A]) && locks_add(&locked, v[B]) &&
                    locks_add(&locked, v[LO]) && locks_add(&locked, v[HI]) &&
                    run_on_device(&call, &batch, device, reals((PyArrayObject *)v[X]),
                                  reals((PyArrayObject *)v[Y]), each, &whole) &&
                    take_ends(each, count, &whole, v + ENDS);
  locks_end(&locked);
  free(each);
  if (!fine)
    return NULL;
  Py_RETURN_NONE;
}

PyMethodDef device_functions[] = {
    {"open_device", open_device, METH_O, NULL},
    {"device_facts", device_facts, METH_O, NULL},
    {"solve_on_device", (PyCFunction)(void (*)(void))solve_on_device, METH_FASTCALL | METH_KEYWORDS,
     NULL},
    {NULL, NULL, 0, NULL},
};
