/* tables.c: methods, generators, scenes and their parameters, from the tables of the library */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *type_name(perp_parameter_type type)
{
  static const char *const names[] = {"real", "integer", "flag", "choice"};
  return names[type];
}

static PyObject *choices_of(const perp_parameter *p)
{
  PyObject *all = PyList_New(0);
  for (int k = 0; all && p->type == PERP_TYPE_CHOICE && p->choices[k]; k++)
    list_take(&all, PyUnicode_FromString(p->choices[k]));
  return all;
}

static PyObject *parameters_of(const perp_parameter *p)
{
  PyObject *all = PyList_New(0);
  for (; all && p && p->name; p++) {
    PyObject *choices = choices_of(p);
    list_take(&all, choices
                        ? Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:N,s:s}", "name", p->name, "type",
                                        type_name(p->type), "default", p->value, "least", p->least,
                                        "most", p->most, "choices", choices, "text", p->text)
                        : NULL);
  }
  return all;
}

static PyObject *forms_of(unsigned takes)
{
  PyObject *all = PyList_New(0);
  for (int form = PERP_FORM_LCP; all && form <= PERP_FORM_CONTACT; form++)
    if (takes & PERP_TAKES(form))
      list_take(&all, PyUnicode_FromString(perp_form_name((perp_form)form)));
  return all;
}

static PyObject *abilities_of(unsigned needs)
{
  static const char *const names[] = {"apply", "apply_t",   "diagonal",       "row",       "column",
                                      "relax", "principal", "block_diagonal", "velocities"};
  PyObject *all = PyList_New(0);
  for (unsigned k = 0; all && k < sizeof names / sizeof *names; k++)
    if (needs & 1u << k)
      list_take(&all, PyUnicode_FromString(names[k]));
  return all;
}

static PyObject *method_at(int k)
{
  const perp_method_info m = perp_method_at(k);
  PyObject *takes = forms_of(m.takes), *needs = abilities_of(m.needs);
  PyObject *parameters = parameters_of(m.parameters);
  if (!takes || !needs || !parameters) {
    Py_XDECREF(takes);
    Py_XDECREF(needs);
    Py_XDECREF(parameters);
    return NULL;
  }
  return Py_BuildValue("{s:s,s:s,s:s,s:s,s:N,s:N,s:i,s:i,s:s,s:s,s:O,s:N}", "name", m.name, "title",
                       m.title, "family", m.family, "source", m.source, "takes", takes, "needs",
                       needs, "max_iterations", m.max_iterations, "most_unknowns", m.most_unknowns,
                       "iteration", m.iteration, "works", m.works, "reference",
                       m.reference ? Py_True : Py_False, "parameters", parameters);
}

static PyObject *generator_at(int k)
{
  const perp_generator_info g = perp_generator_at(k);
  PyObject *parameters = parameters_of(g.parameters);
  return parameters
             ? Py_BuildValue("{s:s,s:s,s:s,s:s,s:N}", "name", g.name, "title", g.title, "family",
                             g.family, "source", g.source, "parameters", parameters)
             : NULL;
}

static PyObject *scene_at(int k)
{
  const perp_scene_info s = perp_scene_at(k);
  PyObject *parameters = parameters_of(s.parameters);
  return parameters ? Py_BuildValue("{s:s,s:s,s:s,s:N}", "name", s.name, "title", s.title, "family",
                                    s.family, "parameters", parameters)
                    : NULL;
}

static PyObject *list(int count, PyObject *(*at)(int))
{
  PyObject *all = PyList_New(0);
  for (int k = 0; all && k < count; k++)
    list_take(&all, at(k));
  return all;
}

static PyObject *methods(PyObject *self, PyObject *unused)
{
  (void)self, (void)unused;
  return list(perp_method_count(), method_at);
}

static PyObject *generators(PyObject *self, PyObject *unused)
{
  (void)self, (void)unused;
  return list(perp_generator_count(), generator_at);
}

static PyObject *scenes(PyObject *self, PyObject *unused)
{
  (void)self, (void)unused;
  return list(perp_scene_count(), scene_at);
}

static bool add_components(PyObject *all, const perp_component *c)
{
  for (; c->name; c++) {
    PyObject *version = c->present ? PyUnicode_FromString(c->version) : Py_None;
    if (!c->present)
      Py_INCREF(version);
    const bool fine = version && PyDict_SetItemString(all, c->name, version) == 0;
    Py_XDECREF(version);
    if (!fine)
      return false;
  }
  return true;
}

static PyObject *components(PyObject *self, PyObject *unused)
{
  (void)self, (void)unused;
  PyObject *all = PyDict_New();
  if (all &&
      !(add_components(all, perp_components()) && add_components(all, perp_lab_components())))
    Py_CLEAR(all);
  return all;
}

PyMethodDef table_functions[] = {
    {"methods", methods, METH_NOARGS, NULL},
    {"generators", generators, METH_NOARGS, NULL},
    {"scenes", scenes, METH_NOARGS, NULL},
    {"components", components, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ---- Documentation ---- */

typedef struct page {
  char *text;
  size_t used, room;
} page;

static void add(page *p, const char *text)
{
  const size_t length = strlen(text);
  if (p->room && p->used + length + 1 > p->room) {
    const size_t room = 2 * (p->used + length + 1);
    char *grown = realloc(p->text, room);
    if (!grown) {
      p->room = 0; /* no more is added */
      return;
    }
    p->text = grown;
    p->room = room;
  }
  if (p->room) {
    memcpy(p->text + p->used, text, length + 1);
    p->used += length;
  }
}

static void add_range(page *to, const perp_parameter *p)
{
  char text[80];
  switch (p->type) {
  case PERP_TYPE_CHOICE:
    add(to, p->choices[(int)p->value]);
    add(to, " (");
    for (int k = 0; p->choices[k]; k++) {
      add(to, k ? ", " : "");
      add(to, p->choices[k]);
    }
    add(to, ")");
    return;
  case PERP_TYPE_FLAG:
    add(to, p->value != 0 ? "True" : "False");
    return;
  default:
    snprintf(text, sizeof text, "%.10g (%.10g to %.10g)", p->value, p->least, p->most);
    add(to, text);
  }
}

static const char options_text[] =
    "\nOptions:\n"
    "method          a name of the list below; 'auto' chooses by what the problem is\n"
    "tol             solved means: natural residual <= tol * max |b|\n"
    "time_limit      seconds\n"
    "max_iterations  0: the method's own limit\n"
    "callback        called with a perp.Progress after each iteration; False stops the solve\n"
    "trace           True: the result has the residual of each check\n"
    "strict          True: raises perp.NotSolved if it is not solved\n"
    "x_low           True: the solution is x + x_low, in two doubles each\n"
    "threads         the most threads to use; results do not depend on it\n"
    "seed            for methods that draw random numbers\n"
    "check_every, stagnation, merit_tol, merit_rel_tol, memory_limit   as in <perp/solver.h>\n"
    "parameters      a dict of parameters of the method; also accepted as keywords, with an\n"
    "                underscore at the end if the name is a Python keyword (lambda_)\n"
    "\nA solve that fails raises no exception: check success. A ValueError names the row and the "
    "value.\n"
    "\nMethods and their parameters:\n";

const char *table_document(const char *text)
{
  page p = {malloc(16384), 0, 16384};
  if (!p.text)
    return text;
  p.text[0] = '\0';
  add(&p, text);
  add(&p, options_text);
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    add(&p, m.name);
    add(&p, ": ");
    add(&p, m.title);
    add(&p, "\n");
    for (const perp_parameter *one = m.parameters; one && one->name; one++) {
      add(&p, "    ");
      add(&p, one->name);
      add(&p, " = ");
      add_range(&p, one);
      add(&p, ": ");
      add(&p, one->text);
      add(&p, "\n");
    }
  }
  return p.text;
}
