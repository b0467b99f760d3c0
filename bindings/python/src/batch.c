/* batch.c: many problems of one size, by several threads
 *
 * Each thread has its own solver and takes the next problem. A solver gives the same bits as a new one,
 * so it does not matter which thread solves which problem. perp_batch_solve is not used, since a wheel
 * is built without OpenMP. */
#include "binding.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch {
  int n;
  int64_t count;
  const double *A;           /* n x n numbers each, or NULL */
  const perp_operator *same; /* else the matrix of all */
  const double *b, *lo, *hi; /* n numbers each; bounds may be NULL */
  const int *findex;         /* of all, or NULL */
  double *x, *y, *residual, *relative, *seconds;
  int *outcome;
  int64_t *iterations;
  const perp_options *options;
  _Atomic int64_t next;
  atomic_bool stop;
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t ended;
  int working;
  int64_t failed; /* the first problem that is an error; count: none */
  perp_error error;
  perp_message why;
  bool python; /* the matrix calls functions of Python */
  PyObject
      *exception[3]; /* what such a function raised, as PyErr_Fetch has it; guarded by the GIL */
} batch;

typedef struct worker {
  batch *of;
  perp_solver *solver;
  perp_options options;
} worker;

static bool is_stopped(void *context)
{
  return atomic_load_explicit(&((batch *)context)->stop, memory_order_relaxed);
}

/* The calling thread also looks for signals. */
typedef struct caller {
  batch *of;
  watch w;
} caller;

static bool is_stopped_here(void *context)
{
  caller *c = context;
  if (watch_interrupted(&c->w))
    atomic_store(&c->of->stop, true);
  return is_stopped(c->of);
}

/* Moves the exception of this thread, if there is one, to the batch. */
static void take_exception(batch *t)
{
  const PyGILState_STATE gil = PyGILState_Ensure();
  if (PyErr_Occurred()) {
    for (int j = 0; j < 3; j++)
      Py_CLEAR(t->exception[j]);
    PyErr_Fetch(&t->exception[0], &t->exception[1], &t->exception[2]);
  }
  PyGILState_Release(gil);
}

static void fail(batch *t, int64_t k, perp_error error, const char *text)
{
  pthread_mutex_lock(&t->lock);
  if (k < t->failed) {
    t->failed = k;
    t->error = error;
    snprintf(t->why.text, sizeof t->why.text, "problem %lld: %.480s", (long long)k, text);
  }
  pthread_mutex_unlock(&t->lock);
  if (t->python)
    take_exception(t);
  atomic_store(&t->stop, true);
}

static void solve_one(worker *w, int64_t k)
{
  batch *t = w->of;
  const size_t at = (size_t)k * (size_t)t->n;
  perp_operator *own = NULL;
  perp_result r = perp_result_empty();
  perp_error error = PERP_OK;
  if (!t->same)
    error =
        perp_operator_dense(t->n, t->A + at * (size_t)t->n, t->n, PERP_BORROW, &own, &r.message);
  if (!error) {
    const perp_problem p =
        perp_problem_friction(own ? own : t->same, t->b + at, t->lo ? t->lo + at : NULL,
                              t->hi ? t->hi + at : NULL, t->findex);
    w->options.y = t->y + at;
    error = perp_solver_solve(w->solver, &p, &w->options, t->x + at, &r);
  }
  if (error) {
    fail(t, k, error, r.message.text);
  } else {
    t->outcome[k] = (int)r.outcome;
    t->residual[k] = r.residual;
    t->relative[k] = r.relative_residual;
    t->seconds[k] = r.seconds;
    t->iterations[k] = r.counts.iterations;
  }
  perp_operator_destroy(own);
}

static void work(worker *w)
{
  batch *t = w->of;
  for (;;) {
    const int64_t k = atomic_fetch_add(&t->next, 1);
    if (k >= t->count || is_stopped(t))
      return;
    solve_one(w, k);
  }
}

/* A thread that calls Python keeps one Python thread state until its end, with its exceptions. */
static void work_with_python(worker *w)
{
  const PyGILState_STATE gil = PyGILState_Ensure();
  PyThreadState *state = PyEval_SaveThread();
  work(w);
  PyEval_RestoreThread(state);
  PyGILState_Release(gil);
}

static void *begin(void *argument)
{
  worker *w = argument;
  if (w->of->python)
    work_with_python(w);
  else
    work(w);
  pthread_mutex_lock(&w->of->lock);
  w->of->working--;
  pthread_cond_signal(&w->of->ended);
  pthread_mutex_unlock(&w->of->lock);
  return NULL;
}

/* Waits for the other threads, and looks for signals meanwhile. */
static void wait_for_others(caller *c)
{
  batch *t = c->of;
  pthread_mutex_lock(&t->lock);
  while (t->working > 0) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&t->ended, &t->lock, &until);
    pthread_mutex_unlock(&t->lock);
    is_stopped_here(c);
    pthread_mutex_lock(&t->lock);
  }
  pthread_mutex_unlock(&t->lock);
}

/* Without the GIL. workers[0] is the calling thread. */
static void run_all(worker *workers, int threads, caller *c)
{
  pthread_t *thread = malloc((size_t)threads * sizeof *thread);
  int started = 0;
  if (thread) {
    for (int k = 1; k < threads; k++) {
      pthread_mutex_lock(&c->of->lock);
      c->of->working++;
      pthread_mutex_unlock(&c->of->lock);
      if (pthread_create(&thread[started], NULL, begin, &workers[k]) != 0) {
        pthread_mutex_lock(&c->of->lock);
        c->of->working--;
        pthread_mutex_unlock(&c->of->lock);
        break; /* the threads started so far do the work */
      }
      started++;
    }
  }
  work(&workers[0]);
  wait_for_others(c);
  for (int k = 0; k < started; k++)
    pthread_join(thread[k], NULL);
  free(thread);
}

static perp_error run_batch(batch *t, worker *workers, int threads)
{
  caller c = {.of = t, .w = watch_of(NULL)};
  for (int k = 0; k < threads; k++) {
    workers[k].options.interrupted = k ? is_stopped : is_stopped_here;
    workers[k].options.interrupted_context = k ? (void *)t : (void *)&c;
  }
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->ended, NULL);
  PyThreadState *state = PyEval_SaveThread();
  run_all(workers, threads, &c);
  PyEval_RestoreThread(state);
  pthread_cond_destroy(&t->ended);
  pthread_mutex_destroy(&t->lock);
  return t->error;
}

/* (A, b, lo, hi, findex, x, y, residual, relative, seconds, outcome, iterations, threads, and
 * keywords): arrays of the package's own making; A is an array or an Operator */
static PyObject *solve_batch(PyObject *self, PyObject *const *args, Py_ssize_t given,
                             PyObject *keywords)
{
  (void)self;
  enum { A, B, LO, HI, FINDEX, X, Y, RESIDUAL, RELATIVE, SECONDS, OUTCOME, ITERATIONS, COUNT };
  static const char *const names[COUNT + 1] = {"0", "1", "2", "3",  "4",  "5", "6",
                                               "7", "8", "9", "10", "11", "12"};
  PyObject *v[COUNT + 1];
  request call;
  if (!parse_call("solve_batch", args, given, keywords, names, COUNT + 1, 2, v, &call))
    return NULL;
  if (!request_is_plain(&call, "solve_batch"))
    return NULL;
  int threads = (int)PyLong_AsLong(v[COUNT]);
  if (PyErr_Occurred())
    return NULL;
  void *data[COUNT];
  for (int k = B; k < COUNT; k++)
    data[k] = v[k] ? PyArray_DATA((PyArrayObject *)v[k]) : NULL;
  const bool same = PyObject_TypeCheck(v[A], (PyTypeObject *)type_operator);
  if (same && !operator_is_sound(v[A]))
    return NULL;
  batch t = {
      .n = (int)PyArray_DIM((PyArrayObject *)v[B], 1),
      .count = PyArray_DIM((PyArrayObject *)v[B], 0),
      .A = same ? NULL : PyArray_DATA((PyArrayObject *)v[A]),
      .same = same ? ((operator_object *)v[A])->A : NULL,
      .b = data[B],
      .lo = data[LO],
      .hi = data[HI],
      .findex = data[FINDEX],
      .x = data[X],
      .y = data[Y],
      .residual = data[RESIDUAL],
      .relative = data[RELATIVE],
      .seconds = data[SECONDS],
      .outcome = data[OUTCOME],
      .iterations = data[ITERATIONS],
      .error = PERP_OK,
      .python = same && operator_calls_python(((operator_object *)v[A])->A),
  };
  t.failed = t.count;
  if (threads > t.count)
    threads = t.count > 0 ? (int)t.count : 1;
  worker *workers = calloc((size_t)threads, sizeof *workers);
  bool fine = workers != NULL;
  if (!fine)
    PyErr_NoMemory();
  locks locked = {0};
  for (int k = A; fine && k <= FINDEX; k++)
    fine = locks_add(&locked, v[k]);
  for (int k = 0; fine && k < threads; k++) {
    workers[k] =
        (worker){.of = &t, .options = call.options, .solver = request_solver(&call, "auto")};
    fine = workers[k].solver != NULL;
  }
  if (fine) {
    operator_hold(v[A]);
    const perp_error error = run_batch(&t, workers, threads);
    operator_release(v[A]);
    if (t.exception[0])
      PyErr_Restore(t.exception[0], t.exception[1], t.exception[2]);
    fine = !PyErr_Occurred() && !error;
    if (error)
      raise_error(error, t.why.text);
  }
  locks_end(&locked);
  for (int k = 0; workers && k < threads; k++)
    perp_solver_destroy(workers[k].solver);
  free(workers);
  if (!fine)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *outcome_names(PyObject *self, PyObject *unused)
{
  (void)self, (void)unused;
  PyObject *all = PyList_New(0);
  for (int k = PERP_NOT_RUN; all && k <= PERP_NOT_CONVEX; k++)
    list_take(&all, PyUnicode_FromString(perp_outcome_name((perp_outcome)k)));
  return all;
}

PyMethodDef batch_functions[] = {
    {"solve_batch", (PyCFunction)(void (*)(void))solve_batch, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"outcome_names", outcome_names, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
