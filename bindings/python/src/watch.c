/* watch.c: what a solve calls back: signals, callbacks of Python, the trace */
#include "binding.h"

#include <pthread.h>
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
  if (atomic_load_explicit(&w->stop, memory_order_relaxed))
    return true;
  if (PyThread_get_thread_ident() != w->thread)
    return false;
  const double now = seconds_now();
  const bool first = w->next == 0;
  if (now < w->next)
    return false;
  w->next = now + 0.02;
  if (first)
    return false;
  const PyGILState_STATE gil = PyGILState_Ensure();
  const bool stop = PyErr_Occurred() || PyErr_CheckSignals() != 0;
  PyGILState_Release(gil);
  atomic_store(&w->stop, stop);
  return stop;
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
      PyFloat_FromDouble(p->relative_residual),
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
  atomic_store(&w->stop, !more);
  PyGILState_Release(gil);
  return more;
}

void watch_log(void *context, perp_log_level level, const char *line)
{
  (void)context;
  const PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); /* a callback may have failed */
  PySys_WriteStdout(level == PERP_LOG_WARNING ? "warning: %.900s\n" : "%.900s\n", line);
  PyErr_Restore(type, value, traceback);
  PyGILState_Release(gil);
}

watch watch_of(PyObject *callback)
{
  return (watch){.callback = callback, .thread = PyThread_get_thread_ident()};
}

void watch_begin(watch *w, const request *call, perp_options *options)
{
  *w = watch_of(call->callback);
  w->keep_trace = call->trace;
  options->interrupted = watch_interrupted;
  options->interrupted_context = w;
  if (call->callback || call->trace) {
    options->observer = watch_observe;
    options->observer_context = w;
  }
}

/* ---- Calls that cannot be stopped ---- */

typedef struct aside {
  void (*work)(void *), (*end)(void *);
  void *data;
  pthread_mutex_t lock; /* guards the flags */
  pthread_cond_t ended;
  bool done, left; /* left: nobody waits any more */
} aside;

static void aside_free(aside *a)
{
  pthread_cond_destroy(&a->ended);
  pthread_mutex_destroy(&a->lock);
  free(a);
}

static void *aside_begin(void *argument)
{
  aside *a = argument;
  a->work(a->data);
  pthread_mutex_lock(&a->lock);
  a->done = true;
  const bool left = a->left;
  pthread_cond_signal(&a->ended);
  pthread_mutex_unlock(&a->lock);
  if (left) {
    const PyGILState_STATE gil = PyGILState_Ensure();
    a->end(a->data);
    PyGILState_Release(gil);
    aside_free(a);
  }
  return NULL;
}

/* Waits without the GIL, for 20 milliseconds at most. Returns true if the solve is done. */
static bool aside_wait(aside *a)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  PyThreadState *state = PyEval_SaveThread();
  pthread_mutex_lock(&a->lock);
  while (!a->done && pthread_cond_timedwait(&a->ended, &a->lock, &until) == 0) {
  }
  const bool done = a->done;
  pthread_mutex_unlock(&a->lock);
  PyEval_RestoreThread(state);
  return done;
}

/* After a signal: true if the thread has come to its end all the same. */
static bool aside_leave(aside *a)
{
  pthread_mutex_lock(&a->lock);
  a->left = !a->done;
  const bool done = a->done;
  pthread_mutex_unlock(&a->lock);
  return done;
}

bool watch_aside(void (*work)(void *), void (*end)(void *), void *data)
{
  aside *a = calloc(1, sizeof *a);
  pthread_t thread;
  if (!a) {
    PyErr_NoMemory();
    end(data);
    return false;
  }
  *a = (aside){.work = work, .end = end, .data = data};
  pthread_mutex_init(&a->lock, NULL);
  pthread_cond_init(&a->ended, NULL);
  if (pthread_create(&thread, NULL, aside_begin, a) != 0) {
    aside_free(a);
    PyThreadState *state = PyEval_SaveThread();
    work(data);
    PyEval_RestoreThread(state);
    return true;
  }
  bool signal = false;
  while (!signal && !aside_wait(a))
    signal = PyErr_CheckSignals() != 0;
  if (signal && !aside_leave(a)) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, NULL);
  aside_free(a);
  if (signal)
    end(data);
  return !signal;
}

bool watch_add_type(PyObject *module)
{
  static PyStructSequence_Field fields[] = {
      {"iteration", NULL},
      {"seconds", "since the solve began"},
      {"residual", "natural, at the latest check"},
      {"relative_residual", "residual / scale"},
      {"merit", "the method's own, NaN if it has none"},
      {"checked", "True if the residual belongs to this iterate"},
      {"x", "the iterate, a copy; None if it is not available in this iteration"},
      {NULL, NULL},
  };
  static PyStructSequence_Desc progress = {"perp.Progress", "The argument of a callback.", fields,
                                           7};
  type_progress = (PyObject *)PyStructSequence_NewType(&progress);
  return type_progress && PyModule_AddObjectRef(module, "Progress", type_progress) == 0;
}
