/* request.c: the keywords of a solve, and the parameters of its method
 *
 * Arguments are split by hand: a call of a small problem takes few microseconds. */
#include "binding.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Keywords ---- */

void request_begin(request *call)
{
  call->options = perp_options_default();
  call->method = NULL;
  call->x0 = call->callback = NULL;
  call->strict = call->trace = call->low = false;
  call->parameters = 0;
}

void request_copy(const request *from, request *to)
{
  memcpy(to, from, offsetof(request, parameter));
  for (int k = 0; k < from->parameters; k++)
    to->parameter[k] = from->parameter[k];
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

const char *take_word(PyObject *value, const char *name)
{
  Py_ssize_t length = 0;
  if (!PyUnicode_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s: a word is needed, not %R", name, (PyObject *)Py_TYPE(value));
    return NULL;
  }
  const char *word = PyUnicode_AsUTF8AndSize(value, &length);
  if (word && strlen(word) != (size_t)length) {
    PyErr_Format(PyExc_ValueError, "%s: %R has a zero byte", name, value);
    return NULL;
  }
  return word;
}

/* A name that Python or an option has taken is written with a line at its end: lambda_ */
static bool add_parameter(request *call, const char *name, PyObject *value)
{
  if (call->parameters == MOST_PARAMETERS) {
    PyErr_Format(PyExc_TypeError, "more than %d parameters", (int)MOST_PARAMETERS);
    return false;
  }
  parameter p = {.is_text = PyUnicode_Check(value)};
  const size_t length = strlen(name);
  const size_t used = length > 1 && name[length - 1] == '_' ? length - 1 : length;
  snprintf(p.name, sizeof p.name, "%.*s", used < WORD ? (int)used : WORD, name);
  if (p.is_text) {
    const char *text = take_word(value, p.name);
    if (!text)
      return false;
    snprintf(p.text, sizeof p.text, "%s", text);
  } else if (!take_real(value, &p.number)) {
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(PyExc_TypeError, "%s: a number or a word is needed, not %R", p.name,
                   (PyObject *)Py_TYPE(value));
    return false;
  }
  call->parameter[call->parameters++] = p;
  return true;
}

typedef bool (*keyword_setter)(request *, const char *, PyObject *);

/* Of a copy: a conversion may change the dict. */
static bool set_each(request *call, PyObject *given, keyword_setter set)
{
  PyObject *copy = PyDict_Copy(given), *key, *value;
  Py_ssize_t at = 0;
  bool fine = copy != NULL;
  while (fine && PyDict_Next(copy, &at, &key, &value)) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    fine = name && set(call, name, value);
  }
  Py_XDECREF(copy);
  return fine;
}

bool request_set_parameters(request *call, PyObject *given)
{
  if (!PyDict_Check(given)) {
    PyErr_SetString(PyExc_TypeError, "parameters: a dict is needed");
    return false;
  }
  return set_each(call, given, add_parameter);
}

/* Reads an option that is a whole number; *found: true if there is one of this name. */
static bool take_whole(perp_options *o, const char *name, PyObject *value, bool *found)
{
  enum { ITERATIONS, CHECK_EVERY, STAGNATION, THREADS, SEED, MEMORY, VERBOSE, COUNT };
  static const struct {
    const char *name;
    long long least, most;
    bool may_be_none;
  } options[COUNT] = {
      {"max_iterations", 0, INT64_MAX, true}, {"check_every", -1, INT32_MAX, false},
      {"stagnation", 0, INT32_MAX, false},    {"threads", 1, 4096, false},
      {"seed", 0, INT64_MAX, false},          {"memory_limit", 0, INT64_MAX, true},
      {"verbose", 0, INT64_MAX, true},
  };
  int k = 0;
  while (k < COUNT && strcmp(options[k].name, name) != 0)
    k++;
  *found = k < COUNT;
  if (!*found)
    return true;
  long long number = 0;
  const bool none = options[k].may_be_none && value == Py_None;
  if (!none && !take_long(value, options[k].least, options[k].most, name, &number))
    return false;
  switch (k) {
  case ITERATIONS:
    o->max_iterations = number;
    break;
  case CHECK_EVERY:
    o->check_every = (int)number;
    break;
  case STAGNATION:
    o->stagnation = (int)number;
    break;
  case THREADS:
    o->threads = (int)number;
    break;
  case SEED:
    o->seed = (uint64_t)number;
    break;
  case VERBOSE:
    o->verbose = number;
    o->logger = number ? watch_log : NULL;
    break;
  default:
    o->memory_limit = (size_t)number;
  }
  return true;
}

bool request_set(request *call, const char *name, PyObject *value)
{
  perp_options *o = &call->options;
  const bool none = value == Py_None;
  if (strcmp(name, "method") == 0) {
    call->method = none ? NULL : take_word(value, "method");
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
    return none || request_set_parameters(call, value);
  if (strcmp(name, "merit_tol") == 0)
    return take_real(value, &o->merit_tol);
  if (strcmp(name, "merit_rel_tol") == 0)
    return take_real(value, &o->merit_rel_tol);
  bool found;
  if (!take_whole(o, name, value, &found))
    return false;
  return found || add_parameter(call, name, value);
}

bool request_set_all(request *call, PyObject *keywords)
{
  return set_each(call, keywords, request_set);
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
    if (!values[k] || values[k] == Py_None) {
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

/* Raises a ValueError for a keyword that the method does not have, with a suggestion. */
static void raise_unknown(const perp_solver *solver, const char *name)
{
  PyObject *text = PyObject_CallFunction(hook_unknown, "ss", perp_solver_method(solver).name, name);
  if (text)
    PyErr_SetObject(PyExc_ValueError, text);
  Py_XDECREF(text);
}

bool set_parameters(perp_solver *solver, const request *call)
{
  for (int k = 0; k < call->parameters; k++) {
    const parameter *p = &call->parameter[k];
    perp_message why = {""};
    const perp_error error = p->is_text ? perp_solver_set_text(solver, p->name, p->text, &why)
                                        : perp_solver_set(solver, p->name, p->number, &why);
    double value;
    if (error && hook_unknown && perp_solver_get(solver, p->name, &value, NULL))
      raise_unknown(solver, p->name);
    else if (error)
      raise_error(error, why.text);
    if (error)
      return false;
  }
  return true;
}

perp_solver *request_solver(const request *call, const char *usual)
{
  perp_solver *solver = NULL;
  perp_message why = {""};
  const perp_error error = perp_solver_create(call->method ? call->method : usual, &solver, &why);
  if (error)
    raise_error(error, why.text);
  if (error || set_parameters(solver, call))
    return solver;
  perp_solver_destroy(solver);
  return NULL;
}

bool request_is_plain(const request *call, const char *function)
{
  const bool plain = !(call->callback || call->trace || call->low || call->x0);
  if (!plain)
    PyErr_Format(PyExc_TypeError, "%s() takes no callback, trace or x_low", function);
  return plain;
}

bool request_take(request *call, const char *const names[], int from, int count,
                  PyObject *const *values)
{
  for (int k = from; k < count; k++)
    if (values[k] && !request_set(call, names[k], values[k]))
      return false;
  return true;
}
