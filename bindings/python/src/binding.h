/* binding.h: what the files of the extension perp._perp share
 *
 * The extension holds no mathematics: it turns Python's objects into the structs of <perp/perp.h>
 * and <perp/lab.h> and back. Arrays of the right type and layout are borrowed, not copied.
 * Functions that return a PyObject * return NULL with an exception set if they fail; "new" says
 * that the caller owns the reference. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API  NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL perp_array_api
#ifndef BINDING_MODULE
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <stdatomic.h>

#include <perp/lab.h>
#include <perp/perp.h>

/* ---- State of the module: set once, when it is imported ---- */

extern PyObject *type_operator, *type_problem, *type_result, *type_solver;
extern PyObject *type_progress, *type_attempt, *type_counts;
extern PyObject *error_not_solved, *error_unsupported;
/* A function of the package: any matrix -> Operator. type_result too is the package's own class. */
extern PyObject *hook_operator;

/* ---- errors.c ---- */

/* Sets the exception that belongs to an error of the library; returns NULL. If a callback has set
 * one, that one stays. */
PyObject *raise_error(perp_error error, const char *message);
bool errors_add_types(PyObject *module);

/* ---- arrays.c: vectors of a known length ---- */

/* A new reference to a vector of n doubles (contiguous, aligned): v itself if it is one, else a
 * copy. A number stands for n equal ones if `scalar`. n < 0: any length. */
PyArrayObject *vector_of_reals(PyObject *v, npy_intp n, bool scalar, const char *name);
/* The same for 4-byte integers. */
PyArrayObject *vector_of_ints(PyObject *v, npy_intp n, const char *name);
PyArrayObject *vector_of_longs(PyObject *v, npy_intp n, const char *name); /* 8 bytes */
PyArrayObject *new_reals(npy_intp n, const double *from);                  /* NULL: zeros */
/* The data, or NULL for NULL. */
static inline double *reals(PyArrayObject *v)
{
  return v ? PyArray_DATA(v) : NULL;
}
static inline int *ints(PyArrayObject *v)
{
  return v ? PyArray_DATA(v) : NULL;
}
/* Whether rows of a matrix of doubles lie in memory as the library wants them; *stride counts
 * doubles. */
bool is_dense_rows(PyObject *a, int64_t *stride);

/* The data of an array of the package's own making: of this type, contiguous, with at least so many
 * numbers; NULL for None, or with an exception set if it is none of these. */
void *array_data(PyObject *o, int type, npy_intp least, const char *name);

/* Arrays that are borrowed for a while: none of them can be resized meanwhile, not even with
 * refcheck=False, since NumPy refuses it while a weak reference is there. */
enum { MOST_LOCKS = 24 };
typedef struct locks {
  int count;
  PyObject *reference[MOST_LOCKS];
} locks;

/* The array, and those that it is a view of; anything else is left alone. false: an exception. */
bool locks_add(locks *l, PyObject *o);
void locks_end(locks *l);

/* ---- operator.c, make.c ---- */

typedef struct operator_object {
  PyObject head;
  perp_operator *A; /* owned */
  PyObject *keep;   /* a tuple: whatever A borrows from; or NULL */
  locks locked;     /* the arrays among it */
  bool rows;        /* of `keep`: start, column and value of compressed rows */
  int users;        /* solves and the like that read it now, without the GIL */
} operator_object;

bool operator_add_type(PyObject *module);
/* Compressed rows are the caller's, who may have written other indices into them: whether they are
 * still those of a matrix, to be asked before each use. False with an exception set. */
bool operator_is_sound(PyObject *o);
/* The entries that arrays of columns and values have room for, in blocks of so many numbers. */
int64_t rows_room(PyObject *column, PyObject *value, int64_t block);
/* Around a use without the GIL: meanwhile it is not refreshed. Anything but an Operator is left alone. */
void operator_hold(PyObject *o);
void operator_release(PyObject *o);
/* Whether its products are functions of Python, which are called by the caller's thread. */
bool operator_calls_python(const perp_operator *A);
/* The Operator of a matrix: itself, or what the package makes of it; new. */
PyObject *operator_from(PyObject *matrix);
PyObject *operator_wrap(perp_operator *A, PyObject *keep); /* new; takes A, also if it fails */
extern PyMethodDef operator_functions[];

/* ---- problem.c ---- */

typedef struct problem_object {
  PyObject head;
  operator_object *A;
  PyArrayObject *b, *lo, *hi, *findex, *mu, *cone; /* all but b may be NULL */
  PyArrayObject *x, *u;                            /* what is known of it, or NULL */
  const char *kind;
  char name[64];
  perp_problem problem;
  locks locked;
} problem_object;

bool problem_add_type(PyObject *module);
extern PyMethodDef problem_functions[];

/* ---- result.c ---- */

typedef struct result_object {
  PyObject head;
  PyArrayObject *x, *y, *x_low;                   /* x_low: or NULL */
  PyObject *ray, *trace;                          /* or NULL */
  PyObject *A, *b, *lo, *hi, *findex, *mu, *cone; /* the problem; all but A and b may be NULL */
  perp_result result;
} result_object;

bool result_add_type(PyObject *module);
PyObject *new_attempt(const perp_attempt *attempt);
PyObject *new_counts(const perp_counts *counts);

/* ---- request.c ---- */

enum { MOST_PARAMETERS = 32, WORD = 48 };

/* A parameter, as a number or a word; copied, since a conversion runs code of the caller's, which may
 * change the dict that another comes from. */
typedef struct parameter {
  char name[WORD], text[WORD];
  bool is_text;
  double number;
} parameter;

/* The keywords of a solve: options, and parameters of the method. References are borrowed. */
typedef struct request {
  perp_options options;
  const char *method; /* NULL: not given */
  PyObject *x0, *callback;
  bool strict, trace, low; /* low: x in two doubles */
  int parameters;
  parameter parameter[MOST_PARAMETERS]; /* the last field: only those that there are are copied */
} request;

/* Splits the arguments of a call: the first `count` names may also be given by position, and
 * the first `required` must be there; all other keywords are those of a request. */
bool parse_call(const char *function, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
                const char *const names[], int count, int required, PyObject **values,
                request *call);
void request_begin(request *call);
void request_copy(const request *from, request *to);
/* All keywords of a dict, which may change meanwhile. */
bool request_set_all(request *call, PyObject *keywords);
bool request_set_parameters(request *call, PyObject *parameters);
/* One keyword; false with an exception set if its value is of no use. */
bool request_set(request *call, const char *name, PyObject *value);
/* Options from..count - 1 of the names, given by position. */
bool request_take(request *call, const char *const names[], int from, int count,
                  PyObject *const *values);
bool set_parameters(perp_solver *solver, const request *call);

/* ---- watch.c ---- */

/* What a solve calls back, and what came of it. The GIL is taken only to look for signals, fifty
 * times a second, and for callbacks. A solve may ask from threads of its own: they are told what the
 * calling thread has found. */
typedef struct watch {
  double next; /* when to look for signals again; 0: it has just begun */
  unsigned long thread;
  atomic_bool stop;
  PyObject *callback;
  double *trace; /* iteration, seconds, residual of each check; from malloc */
  size_t traced, room;
  bool keep_trace;
} watch;

watch watch_of(PyObject *callback); /* or NULL; to be made by the thread that solves */
void watch_begin(watch *w, const request *call, perp_options *options);
/* For what takes long and asks nobody whether to go on: runs work(data) in a thread of its own, and
 * looks for signals meanwhile. If one comes, this returns false at once, with its exception; the
 * thread goes on until it is done, and then calls end(data) with the GIL. Otherwise data remains the
 * caller's. */
bool watch_aside(void (*work)(void *data), void (*end)(void *data), void *data);
bool watch_interrupted(void *context);
bool watch_observe(void *context, const perp_progress *progress);
/* A perp_logger: lines go to sys.stdout. */
void watch_log(void *context, perp_log_level level, const char *line);
bool watch_add_type(PyObject *module);

/* ---- solve.c, solver.c ---- */

/* new: a Result, or one of the exceptions. Without a solver one is made for this call alone. */
PyObject *run_problem(const request *call, perp_solver *solver, PyObject *problem);
extern PyMethodDef solve_functions[];
void solve_write_documents(void); /* with all options, methods and parameters */
bool solver_add_type(PyObject *module);

/* ---- batch.c, device.c, tables.c, simulation.c ---- */

extern PyMethodDef batch_functions[], device_functions[], ncp_functions[], table_functions[];
bool simulation_add_type(PyObject *module), derivative_add_type(PyObject *module);
bool program_add_type(PyObject *module);
/* The text of a function, followed by all options, methods and parameters; never freed. The text
 * itself if there is no memory. */
const char *table_document(const char *text);
