/* binding.h: declarations shared by the files of the extension perp._perp
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
/* A function of the package: (method, keyword) -> the message about an unknown keyword. */
extern PyObject *hook_unknown;

/* ---- errors.c ---- */

/* Sets the exception that belongs to an error of the library; returns NULL. If a callback has set
 * one, that one stays. */
PyObject *raise_error(perp_error error, const char *message);
bool errors_add_types(PyObject *module);

/* ---- arrays.c: vectors of a known length ---- */

/* Returns a new reference to a vector of n doubles (contiguous, aligned): v itself if it is one, else a
 * copy. If `scalar`, a number means n equal ones. n < 0: any length. */
PyArrayObject *vector_of_reals(PyObject *v, npy_intp n, bool scalar, const char *name);
/* Returns a vector of 4-byte integers. */
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
/* Returns true if a is a matrix of doubles with contiguous rows; *stride counts doubles. */
bool is_dense_rows(PyObject *a, int64_t *stride);

/* Returns the data of an array that the package made: of this type, contiguous, with at least `least`
 * numbers; NULL for None, or with an exception set for anything else. */
void *array_data(PyObject *o, int type, npy_intp least, const char *name);

/* Appends an object, and releases the caller's reference. If that fails, or if the object is NULL, *list is
 * released and becomes NULL. */
void list_take(PyObject **list, PyObject *one);

/* Locks borrowed arrays against resizing, also with refcheck=False: NumPy refuses it while a weak
 * reference exists. */
enum { MOST_LOCKS = 24 };
typedef struct locks {
  int count;
  PyObject *reference[MOST_LOCKS];
} locks;

/* Locks an array and the arrays that it is a view of; ignores other objects. false: an exception. */
bool locks_add(locks *l, PyObject *o);
void locks_end(locks *l);

/* ---- operator.c, make.c ---- */

typedef struct operator_object {
  PyObject head;
  perp_operator *A; /* owned */
  PyObject *keep;   /* a tuple: whatever A borrows from; or NULL */
  locks locked;     /* the arrays among it */
  bool rows;        /* of `keep`: start, column and value of compressed rows */
  int users;        /* calls that are reading it without the GIL */
} operator_object;

bool operator_add_type(PyObject *module);
/* Checks before each use that compressed rows are still valid, since the caller may have written other
 * indices into them. Returns false with an exception set. */
bool operator_is_sound(PyObject *o);
/* Returns the number of entries that arrays of columns and values hold, in blocks of `block` numbers. */
int64_t rows_room(PyObject *column, PyObject *value, int64_t block);
/* Call them around a use without the GIL: an Operator is not refreshed in between. Other objects are
 * ignored. */
void operator_hold(PyObject *o);
void operator_release(PyObject *o);
/* Returns true if its products are Python functions, which only the caller's thread calls. */
bool operator_calls_python(const perp_operator *A);
/* Returns the Operator of a matrix: the matrix itself or a converted one; new. */
PyObject *operator_from(PyObject *matrix);
PyObject *operator_wrap(perp_operator *A, PyObject *keep); /* new; takes A, also if it fails */
extern PyMethodDef operator_functions[];

/* ---- problem.c ---- */

typedef struct problem_object {
  PyObject head;
  operator_object *A;
  PyArrayObject *b, *lo, *hi, *findex, *mu, *cone, *dim, *law; /* all but b may be NULL */
  PyArrayObject *x, *u; /* known solution and certificate, or NULL */
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
  PyArrayObject *x, *y, *x_low; /* x_low: or NULL */
  PyObject *ray, *trace;        /* or NULL */
  /* the problem; all but A and b may be NULL */
  PyObject *A, *b, *lo, *hi, *findex, *mu, *cone, *dim, *law;
  perp_result result;
} result_object;

bool result_add_type(PyObject *module);
PyObject *new_attempt(const perp_attempt *attempt);
PyObject *new_counts(const perp_counts *counts);

/* ---- request.c ---- */

enum { MOST_PARAMETERS = 32, WORD = 48 };

/* A parameter, as a number or a word. It is copied, since a conversion runs the caller's code, which may
 * change the dict of the parameters. */
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
  parameter parameter[MOST_PARAMETERS]; /* the last field: only the first `parameters` are copied */
} request;

/* Splits the arguments of a call: the first `count` names may also be given by position, and
 * the first `required` must be given; all other keywords belong to the request. */
bool parse_call(const char *function, PyObject *const *args, Py_ssize_t given, PyObject *keywords,
                const char *const names[], int count, int required, PyObject **values,
                request *call);
/* The text of a str; NULL with an exception set for other types and for a zero byte within. */
const char *take_word(PyObject *value, const char *name);
void request_begin(request *call);
void request_copy(const request *from, request *to);
/* Sets all keywords of a dict, which may change during the call. */
bool request_set_all(request *call, PyObject *keywords);
bool request_set_parameters(request *call, PyObject *parameters);
/* Sets one keyword; returns false with an exception set if its value is invalid. */
bool request_set(request *call, const char *name, PyObject *value);
/* Options from..count - 1 of the names, given by position. */
bool request_take(request *call, const char *const names[], int from, int count,
                  PyObject *const *values);
bool set_parameters(perp_solver *solver, const request *call);
/* Returns a solver of the call's method, or of the usual one, with the call's parameters; NULL with an
 * exception set. */
perp_solver *request_solver(const request *call, const char *usual);
/* Returns false, with an exception set, if the call has a callback, a trace, x_low or x0. */
bool request_is_plain(const request *call, const char *function);

/* ---- watch.c ---- */

/* The callbacks of a solve and their results. It takes the GIL only to check for signals, fifty times a
 * second, and for callbacks. Other threads of the solve get the answer that the calling thread found. */
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
/* Runs long work that cannot be interrupted: work(data) in a separate thread, while this one checks for
 * signals. After a signal it returns false at once, with its exception; the thread continues to its end
 * and then calls end(data) with the GIL. Otherwise the caller still owns data. */
bool watch_aside(void (*work)(void *data), void (*end)(void *data), void *data);
bool watch_interrupted(void *context);
bool watch_observe(void *context, const perp_progress *progress);
/* A perp_logger: lines go to sys.stdout. */
void watch_log(void *context, perp_log_level level, const char *line);
bool watch_add_type(PyObject *module);

/* ---- solve.c, solver.c ---- */

/* Returns a new Result, or NULL with an exception. solver NULL: creates one for this call. */
PyObject *run_problem(const request *call, perp_solver *solver, PyObject *problem);
extern PyMethodDef solve_functions[];
void solve_write_documents(void); /* with all options, methods and parameters */
bool solver_add_type(PyObject *module);

/* ---- pickle.c ---- */

extern PyMethodDef pickle_functions[];

/* ---- batch.c, device.c, tables.c, simulation.c ---- */

/* Returns the device of a capsule; NULL with an exception set. */
perp_device *device_of(PyObject *capsule);

extern PyMethodDef batch_functions[], device_functions[], queue_functions[], ncp_functions[],
    nl_functions[], mujoco_functions[], table_functions[];
bool simulation_add_type(PyObject *module), derivative_add_type(PyObject *module);
bool program_add_type(PyObject *module);
/* Returns the text of a function, followed by all options, methods and parameters; never freed. Returns
 * the text itself if out of memory. */
const char *table_document(const char *text);
