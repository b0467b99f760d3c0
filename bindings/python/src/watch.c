/* watch.c: what a solve calls back: signals, callbacks of Python, the trace */
#include "binding.h"

#include <stdlib.h>
#include <time.h>

PyObject *type_progress;

static double seconds_now(void)
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
    more = answer && answer != Py_False &&
           !(PyArray_IsScalar(answer, Bool) && PyObject_IsTrue(answer) == 0);
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

bool watch_add_type(PyObject *module)
{
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
  type_progress = (PyObject *)PyStructSequence_NewType(&progress);
  return type_progress && PyModule_AddObjectRef(module, "Progress", type_progress) == 0;
}
