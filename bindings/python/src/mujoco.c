/* mujoco.c: robots for the module perp.mujoco: models, data and steps by <perp/mujoco.h>
 *
 * Models and data are addresses: of our own, which capsules free, or of the objects of MuJoCo's own package. */
#include "binding.h"

#ifdef PERP_HAVE_MUJOCO

#include <math.h>
#include <perp/mujoco_derivative.h>

static const char *const MODEL = "mjModel", *const DATA = "mjData", *const SOLVER = "perp_mj",
                         *const DERIVATIVE = "perp_mj_derivative";

/* A solver with the time at the end of its last step. */
typedef struct follower {
  perp_mj s; /* the first member */
  double time;
} follower;

static char warning[400];

static void on_warning(const char *text)
{
  snprintf(warning, sizeof warning, "MuJoCo: %s", text);
}

static void free_model(PyObject *o)
{
  mj_deleteModel(PyCapsule_GetPointer(o, MODEL));
}

static void free_data(PyObject *o)
{
  mj_deleteData(PyCapsule_GetPointer(o, DATA));
}

static void free_solver(PyObject *o)
{
  follower *f = PyCapsule_GetPointer(o, SOLVER);
  perp_mj_close(&f->s);
  PyMem_Free(f);
}

/* (path): the model, a capsule */
static PyObject *load(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *path;
  char text[1000] = "";
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
    return NULL;
  const char *name = PyBytes_AsString(path);
  const size_t length = strlen(name);
  mju_user_warning = on_warning;
  warning[0] = 0;
  mjModel *m = length > 4 && strcmp(name + length - 4, ".mjb") == 0
                   ? mj_loadModel(name, NULL)
                   : mj_loadXML(name, NULL, text, sizeof text);
  PyObject *o = m ? PyCapsule_New(m, MODEL, free_model) : NULL;
  if (!m)
    PyErr_Format(PyExc_ValueError, "%s: %s", name,
                 *text      ? text
                 : *warning ? warning
                            : "MuJoCo cannot load it");
  else if (!o)
    mj_deleteModel(m);
  Py_DECREF(path);
  return o;
}

/* (model): data in its first keyframe, a capsule */
static PyObject *make_data(PyObject *self, PyObject *args)
{
  (void)self;
  unsigned long long model;
  if (!PyArg_ParseTuple(args, "K", &model))
    return NULL;
  const mjModel *m = (const mjModel *)(uintptr_t)model;
  mjData *d = mj_makeData(m);
  if (!d)
    return PyErr_NoMemory();
  if (m->nkey > 0)
    mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  PyObject *o = PyCapsule_New(d, DATA, free_data);
  if (!o)
    mj_deleteData(d);
  return o;
}

/* (capsule): its address */
static PyObject *find_address(PyObject *self, PyObject *o)
{
  (void)self;
  const void *at = PyCapsule_GetPointer(o, PyCapsule_GetName(o));
  return at ? PyLong_FromVoidPtr((void *)(uintptr_t)at) : NULL;
}

/* (model, data, keep): {name: array}, views of the data's memory, which live as long as `keep` */
static PyObject *view(PyObject *self, PyObject *args)
{
  (void)self;
  unsigned long long model, data;
  PyObject *keep;
  if (!PyArg_ParseTuple(args, "KKO", &model, &data, &keep))
    return NULL;
  const mjModel *m = (const mjModel *)(uintptr_t)model;
  mjData *d = (mjData *)(uintptr_t)data;
  const struct {
    const char *name;
    double *at;
    npy_intp count;
  } parts[] = {
      {"time", &d->time, 1},
      {"qpos", d->qpos, m->nq},
      {"qvel", d->qvel, m->nv},
      {"act", d->act, m->na},
      {"ctrl", d->ctrl, m->nu},
      {"qacc", d->qacc, m->nv},
      {"qfrc_applied", d->qfrc_applied, m->nv},
      {"qfrc_constraint", d->qfrc_constraint, m->nv},
      {"sensordata", d->sensordata, m->nsensordata},
      {"geom_xpos", d->geom_xpos, 3 * (npy_intp)m->ngeom},
      {"geom_friction", m->geom_friction, 3 * (npy_intp)m->ngeom},
  };
  PyObject *all = PyDict_New();
  for (size_t k = 0; all && k < sizeof parts / sizeof *parts; k++) {
    static double nothing;
    npy_intp count = parts[k].count;
    PyObject *v = PyArray_SimpleNewFromData(1, &count, NPY_DOUBLE, count ? parts[k].at : &nothing);
    Py_INCREF(keep);
    if (!v || PyArray_SetBaseObject((PyArrayObject *)v, keep) < 0 ||
        PyDict_SetItemString(all, parts[k].name, v) < 0)
      Py_CLEAR(all);
    Py_XDECREF(v);
  }
  return all;
}

/* (soft, exact, method or None, tol): a solver, a capsule */
static PyObject *make_solver(PyObject *self, PyObject *args)
{
  (void)self;
  int soft, exact;
  const char *method;
  double tol;
  if (!PyArg_ParseTuple(args, "ppzd", &soft, &exact, &method, &tol))
    return NULL;
  follower *f = PyMem_Malloc(sizeof *f);
  if (!f)
    return PyErr_NoMemory();
  perp_mj *s = &f->s;
  *s = perp_mj_default();
  f->time = NAN;
  s->law = soft ? PERP_MJ_SOFT : PERP_MJ_RIGID;
  s->exact = exact;
  s->options.tol = tol;
  perp_message why = {""};
  const perp_error error = perp_solver_create(method, &s->solver, &why);
  if (error) {
    PyMem_Free(f);
    return raise_error(error, why.text);
  }
  s->method = method ? perp_solver_method(s->solver).name : NULL;
  PyObject *o = PyCapsule_New(f, SOLVER, free_solver);
  if (!o) {
    perp_mj_close(s);
    PyMem_Free(f);
  }
  return o;
}

/* Reads (solver, model, data). Returns NULL with an exception set if they are not. */
static follower *parse(PyObject *args, const mjModel **m, mjData **d)
{
  PyObject *solver;
  unsigned long long model, data;
  if (!PyArg_ParseTuple(args, "OKK", &solver, &model, &data))
    return NULL;
  *m = (const mjModel *)(uintptr_t)model;
  *d = (mjData *)(uintptr_t)data;
  return PyCapsule_GetPointer(solver, SOLVER);
}

/* (solver, model, data): (outcome, rows, contacts, residual, relative residual, iterations, seconds,
 * message) of a step. It starts from the impulses of the last one only if the data have its time: other
 * data may have the address of those that are gone. */
static PyObject *step(PyObject *self, PyObject *args)
{
  (void)self;
  const mjModel *m;
  mjData *d;
  follower *f = parse(args, &m, &d);
  if (!f)
    return NULL;
  perp_mj *s = &f->s;
  PyThreadState *state = PyEval_SaveThread();
  if (d->time != f->time)
    s->units = 0;
  const perp_error error = perp_mj_step(m, d, s);
  f->time = d->time;
  PyEval_RestoreThread(state);
  if (error)
    return raise_error(error, s->result.message.text);
  const perp_result *r = &s->result;
  const bool solved = s->rows == 0 || r->outcome == PERP_SOLVED;
  return Py_BuildValue("(siiddLds)", perp_outcome_name(solved ? PERP_SOLVED : r->outcome), s->rows,
                       s->contacts, s->rows ? r->residual : 0, s->rows ? r->relative_residual : 0,
                       (long long)s->iterations, s->seconds, solved ? "" : r->message.text);
}

static void free_derivative(PyObject *o)
{
  perp_mj_derivative_destroy(PyCapsule_GetPointer(o, DERIVATIVE));
}

/* (solver, model, data): the derivative of a step, a capsule, and (rows, stick, slide, degenerate,
 * deficiency, frozen) */
static PyObject *make_derivative(PyObject *self, PyObject *args)
{
  (void)self;
  const mjModel *m;
  mjData *d;
  follower *f = parse(args, &m, &d);
  if (!f)
    return NULL;
  perp_mj_derivative *D = NULL;
  PyThreadState *state = PyEval_SaveThread();
  const perp_error error = perp_mj_derivative_create(m, d, &f->s, &D);
  PyEval_RestoreThread(state);
  if (error)
    return raise_error(error, f->s.result.message.text);
  PyObject *o = PyCapsule_New(D, DERIVATIVE, free_derivative);
  if (!o) {
    perp_mj_derivative_destroy(D);
    return NULL;
  }
  const perp_derivative_facts *facts = &D->facts;
  return Py_BuildValue("N(iLLLLi)", o, D->rows, (long long)facts->stick, (long long)facts->slide,
                       (long long)facts->degenerate, (long long)facts->deficiency, D->frozen);
}

/* (derivative, change of z, change of geom_friction): the change of z+ */
static PyObject *jvp(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *derivative, *inputs, *frictions;
  if (!PyArg_ParseTuple(args, "OOO", &derivative, &inputs, &frictions))
    return NULL;
  perp_mj_derivative *D = PyCapsule_GetPointer(derivative, DERIVATIVE);
  if (!D)
    return NULL;
  PyArrayObject *z = vector_of_reals(inputs, D->inputs, false, "z");
  PyArrayObject *friction = z ? vector_of_reals(frictions, 3 * D->ngeom, false, "friction") : NULL;
  npy_intp outputs = D->outputs;
  PyObject *next = friction ? PyArray_SimpleNew(1, &outputs, NPY_DOUBLE) : NULL;
  if (next && perp_mj_derivative_jvp(D, reals(z), reals(friction), reals((PyArrayObject *)next))) {
    raise_error(PERP_ERROR_PROBLEM, D->solver.result.message.text);
    Py_CLEAR(next);
  }
  Py_XDECREF((PyObject *)z);
  Py_XDECREF((PyObject *)friction);
  return next;
}

/* (derivative, gradient at z+): the gradients with respect to z and geom_friction */
static PyObject *vjp(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *derivative, *outputs;
  if (!PyArg_ParseTuple(args, "OO", &derivative, &outputs))
    return NULL;
  perp_mj_derivative *D = PyCapsule_GetPointer(derivative, DERIVATIVE);
  PyArrayObject *w = D ? vector_of_reals(outputs, D->outputs, false, "w") : NULL;
  if (!w)
    return NULL;
  npy_intp inputs = D->inputs, frictions = 3 * (npy_intp)D->ngeom;
  PyObject *z = PyArray_SimpleNew(1, &inputs, NPY_DOUBLE);
  PyObject *friction = PyArray_SimpleNew(1, &frictions, NPY_DOUBLE);
  const bool fine = z && friction;
  if (fine && perp_mj_derivative_vjp(D, reals(w), reals((PyArrayObject *)z),
                                     reals((PyArrayObject *)friction)))
    raise_error(PERP_ERROR_PROBLEM, D->solver.result.message.text);
  Py_DECREF((PyObject *)w);
  if (fine && !PyErr_Occurred())
    return Py_BuildValue("NN", z, friction);
  Py_XDECREF(z);
  Py_XDECREF(friction);
  return NULL;
}

/* (model): {name: number} */
static PyObject *count(PyObject *self, PyObject *args)
{
  (void)self;
  unsigned long long model;
  if (!PyArg_ParseTuple(args, "K", &model))
    return NULL;
  const mjModel *m = (const mjModel *)(uintptr_t)model;
  return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:d}", "nq", m->nq, "nv", m->nv, "nu", m->nu,
                       "na", m->na, "nbody", m->nbody, "njnt", m->njnt, "ngeom", m->ngeom,
                       "timestep", m->opt.timestep);
}

static PyObject *version(PyObject *self, PyObject *unused)
{
  (void)self;
  (void)unused;
  return PyUnicode_FromString(mj_versionString());
}

PyMethodDef mujoco_functions[] = {
    {"mujoco_load", load, METH_VARARGS, NULL},
    {"mujoco_data", make_data, METH_VARARGS, NULL},
    {"mujoco_address", find_address, METH_O, NULL},
    {"mujoco_view", view, METH_VARARGS, NULL},
    {"mujoco_solver", make_solver, METH_VARARGS, NULL},
    {"mujoco_step", step, METH_VARARGS, NULL},
    {"mujoco_derivative", make_derivative, METH_VARARGS, NULL},
    {"mujoco_jvp", jvp, METH_VARARGS, NULL},
    {"mujoco_vjp", vjp, METH_VARARGS, NULL},
    {"mujoco_count", count, METH_VARARGS, NULL},
    {"mujoco_version", version, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

#else

PyMethodDef mujoco_functions[] = {{NULL, NULL, 0, NULL}};

#endif
