/* simulation.c: the type _Simulation, a scene in motion; the package collects its frames */
#include "binding.h"

#include <string.h>

static PyObject *type_simulation;

typedef struct simulation_object {
  PyObject head;
  perp_simulation *simulation;
  bool busy;
} simulation_object;

static bool simulation_create(simulation_object *s, const char *scene, int warm, int islands,
                              const request *call)
{
  perp_message why = {""};
  perp_error error = perp_simulation_create(scene, call->method ? call->method : "auto",
                                            &call->options, &s->simulation, &why);
  if (!error && islands)
    error = perp_simulation_set_islands(s->simulation, true, &why);
  if (error) {
    raise_error(error, why.text);
    return false;
  }
  perp_simulation_set_warm(s->simulation, warm != 0);
  return set_parameters(perp_simulation_solver(s->simulation), call);
}

/* (scene, warm, islands, **options) */
static PyObject *simulation_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  const char *scene;
  int warm, islands;
  if (!PyArg_ParseTuple(args, "spp", &scene, &warm, &islands))
    return NULL;
  request call;
  request_begin(&call);
  call.options.tol = 1e-6;
  PyObject *kept = keywords ? PyDict_Copy(keywords) : NULL; /* it has the method's name */
  if ((keywords && !kept) || (kept && !request_set_all(&call, kept))) {
    Py_XDECREF(kept);
    return NULL;
  }
  simulation_object *s = NULL;
  if (call.callback || call.trace || call.strict || call.low || call.x0)
    PyErr_SetString(PyExc_TypeError, "simulate() takes no callback, trace, strict, x_low or x0");
  else
    s = (simulation_object *)PyType_GenericAlloc(type, 0);
  if (s && !simulation_create(s, scene, warm, islands, &call))
    Py_CLEAR(s);
  Py_XDECREF(kept);
  return (PyObject *)s;
}

static void dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  perp_simulation_destroy(((simulation_object *)self)->simulation);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF((PyObject *)type);
}

static bool is_free(PyObject *self)
{
  const simulation_object *s = (simulation_object *)self;
  if (s->busy)
    PyErr_SetString(PyExc_RuntimeError,
                    "this simulation is already in use; use it from one thread at a time");
  return !s->busy;
}

/* Makes a step; false if it could not be made. *came: the exception that came in it, or None. */
static bool make_step(simulation_object *s, perp_step *f, PyObject **came)
{
  perp_message why = {""};
  watch w = watch_of(NULL);
  perp_options *options = perp_simulation_options(s->simulation);
  options->interrupted = watch_interrupted;
  options->interrupted_context = &w;
  s->busy = true;
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = perp_simulation_step(s->simulation, f, &why);
  PyEval_RestoreThread(state);
  s->busy = false;
  options->interrupted = NULL;
  if (error)
    return raise_error(error, why.text) != NULL;
  PyObject *type, *where;
  PyErr_Fetch(&type, came, &where);
  PyErr_NormalizeException(&type, came, &where);
  Py_XDECREF(type);
  Py_XDECREF(where);
  if (!*came) {
    *came = Py_None;
    Py_INCREF(*came);
  }
  return true;
}

static PyObject *array_or_none(const void *from, int rows, int columns, int type, size_t size)
{
  if (!from && rows > 0)
    Py_RETURN_NONE;
  npy_intp shape[2] = {rows, columns};
  PyObject *a = PyArray_SimpleNew(columns ? 2 : 1, shape, type);
  const size_t count = (size_t)rows * (size_t)(columns ? columns : 1);
  if (a && count)
    memcpy(PyArray_DATA((PyArrayObject *)a), from, count * size);
  return a;
}

static PyObject *shape_at(const perp_shape *s)
{
  static const char *const kinds[] = {"disc", "polygon", "sphere", "box", "capsule"};
  PyObject *corners = array_or_none(s->corner, s->corners, 2, NPY_DOUBLE, sizeof(double));
  return corners
             ? Py_BuildValue("{s:s,s:O,s:O,s:(ddd),s:N}", "kind", kinds[s->kind], "fixed",
                             s->fixed ? Py_True : Py_False, "wire", s->wire ? Py_True : Py_False,
                             "size", s->size[0], s->size[1], s->size[2], "corner", corners)
             : NULL;
}

static PyObject *shapes(PyObject *self, PyObject *unused)
{
  (void)unused;
  if (!is_free(self))
    return NULL;
  perp_view v;
  perp_simulation_view(((simulation_object *)self)->simulation, &v);
  PyObject *all = PyList_New(0);
  for (int k = 0; all && k < v.shapes; k++)
    list_take(&all, shape_at(&v.shape[k]));
  return all ? Py_BuildValue("(i(ddd)(ddd)N)", v.dimension, v.lo[0], v.lo[1], v.lo[2], v.hi[0],
                             v.hi[1], v.hi[2], all)
             : NULL;
}

/* pose, load, state of shapes; particle, shade, pressure, touch of particles */
static PyObject *view(PyObject *self, PyObject *unused)
{
  (void)unused;
  if (!is_free(self))
    return NULL;
  perp_view v;
  perp_simulation_view(((simulation_object *)self)->simulation, &v);
  const int numbers = v.dimension == 3 ? 7 : 3;
  PyObject *const items[] = {
      array_or_none(v.pose, v.shapes, numbers, NPY_DOUBLE, sizeof(double)),
      array_or_none(v.load, v.shapes, 0, NPY_DOUBLE, sizeof(double)),
      array_or_none(v.state, v.shapes, 0, NPY_INT32, sizeof(int)),
      array_or_none(v.particle, v.particles, v.dimension, NPY_DOUBLE, sizeof(double)),
      array_or_none(v.shade, v.particles, 0, NPY_DOUBLE, sizeof(double)),
      array_or_none(v.pressure, v.particles, 0, NPY_DOUBLE, sizeof(double)),
      array_or_none(v.touch, v.particles, 0, NPY_INT32, sizeof(int)),
      array_or_none(v.contact, v.contact ? (int)v.contacts : 0, 2 * v.dimension, NPY_DOUBLE,
                    sizeof(double)),
  };
  enum { PARTS = sizeof items / sizeof *items };
  PyObject *all = PyTuple_New(PARTS);
  bool fine = all != NULL;
  for (int k = 0; k < PARTS; k++) {
    fine = fine && items[k];
    if (all && items[k])
      PyTuple_SetItem(all, k, items[k]);
    else
      Py_XDECREF(items[k]);
  }
  if (!fine)
    Py_CLEAR(all);
  return all;
}

/* step(made, every): appends (numbers, trouble or "", view or None), with a view every `every` steps, and
 * returns the exception of the step, or None. All in one call, so that Ctrl-C never leaves an incomplete
 * step. */
static PyObject *step(PyObject *self, PyObject *arguments)
{
  simulation_object *s = (simulation_object *)self;
  PyObject *made, *came, *seen = Py_None;
  long long every;
  perp_step f;
  if (!PyArg_ParseTuple(arguments, "O!L", &PyList_Type, &made, &every) || !is_free(self) ||
      !make_step(s, &f, &came))
    return NULL;
  if (f.index % every == 0)
    seen = view(self, NULL);
  else
    Py_INCREF(seen);
  PyObject *record =
      seen ? Py_BuildValue("(LdiiisddLdddddd)sN", (long long)f.index, f.time, f.rows, f.contacts,
                           f.active, perp_outcome_name(f.outcome), f.residual, f.relative_residual,
                           (long long)f.iterations, f.solve_seconds, f.step_seconds, f.kinetic,
                           f.potential, f.penetration, f.volume,
                           perp_simulation_trouble(s->simulation), seen)
           : NULL;
  if (!record || PyList_Append(made, record) != 0)
    Py_CLEAR(came);
  Py_XDECREF(record);
  return came;
}

/* ---- Actions ---- */

/* (kind, shape, name, value, radius, at, to, body, other): body is None or (kind, size, corners) */
static PyObject *act(PyObject *self, PyObject *arguments)
{
  static const char *const kinds[] = {"set",  "hold", "release", "add",  "remove",     "pour",
                                      "stir", "wall", "push",    "join", "restitution"};
  static const char *const shape_kinds[] = {"disc", "polygon", "sphere", "box", "capsule"};
  const char *kind, *name, *shape_kind = "disc";
  PyObject *body, *corner = Py_None;
  long long other;
  perp_action a = perp_action_default(PERP_ACT_SET);
  perp_shape shape = perp_shape_default(PERP_SHAPE_DISC);
  if (!PyArg_ParseTuple(arguments, "sizdd(ddd)(ddd)OL", &kind, &a.shape, &name, &a.value, &a.radius,
                        &a.at[0], &a.at[1], &a.at[2], &a.to[0], &a.to[1], &a.to[2], &body,
                        &other) ||
      (body != Py_None && !PyArg_ParseTuple(body, "s(ddd)O", &shape_kind, &shape.size[0],
                                            &shape.size[1], &shape.size[2], &corner)))
    return NULL;
  int k = 0, s = 0;
  enum { KINDS = sizeof kinds / sizeof *kinds };
  while (k < KINDS && strcmp(kinds[k], kind) != 0)
    k++;
  while (s < 5 && strcmp(shape_kinds[s], shape_kind) != 0)
    s++;
  if (k == KINDS || s == 5)
    return PyErr_Format(PyExc_ValueError, "there is no action '%s' on a '%s'", kind, shape_kind);
  a.kind = (perp_action_kind)k;
  a.name = name;
  a.other = other;
  shape.kind = (perp_shape_kind)s;
  PyArrayObject *corners = NULL;
  if (corner != Py_None) {
    corners = vector_of_reals(corner, -1, false, "corners");
    if (!corners)
      return NULL;
    shape.corners = (int)(PyArray_SIZE(corners) / 2);
    shape.corner = reals(corners);
  }
  a.body = body == Py_None ? NULL : &shape;
  perp_message why = {""};
  const bool unused = is_free(self);
  const perp_error error =
      unused ? perp_simulation_act(((simulation_object *)self)->simulation, &a, &why) : PERP_OK;
  Py_XDECREF((PyObject *)corners);
  if (!unused)
    return NULL;
  if (error)
    return raise_error(error, why.text);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"act", act, METH_VARARGS, NULL},
    {"step", step, METH_VARARGS, NULL},
    {"shapes", shapes, METH_NOARGS, NULL},
    {"view", view, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool simulation_add_type(PyObject *module)
{
  static PyType_Slot slots[] = {
      {Py_tp_new, simulation_new},
      {Py_tp_dealloc, dealloc},
      {Py_tp_methods, methods},
      {0, NULL},
  };
  static PyType_Spec spec = {"perp._perp.Simulation", sizeof(simulation_object), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  type_simulation = PyType_FromSpec(&spec);
  return type_simulation && PyModule_AddObjectRef(module, "Simulation", type_simulation) == 0;
}
