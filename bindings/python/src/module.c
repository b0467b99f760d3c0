/* module.c: the module perp._perp */
#define BINDING_MODULE
#include "binding.h"

/* (function: any matrix -> Operator, class of results) */
static PyObject *connect(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *function, *type;
  if (!PyArg_ParseTuple(args, "OO!", &function, &PyType_Type, &type))
    return NULL;
  if (!PyType_IsSubtype((PyTypeObject *)type, (PyTypeObject *)type_result)) {
    PyErr_SetString(PyExc_TypeError, "a class of results is needed");
    return NULL;
  }
  Py_INCREF(function);
  Py_INCREF(type);
  hook_operator = function;
  type_result = type;
  Py_RETURN_NONE;
}

static PyMethodDef own_functions[] = {
    {"connect", connect, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "perp._perp",
    .m_doc = "The library perp; use the package perp.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__perp(void)
{
  import_array();
  PyObject *module = PyModule_Create(&definition);
  solve_write_documents();
  if (module &&
      !(errors_add_types(module) && operator_add_type(module) && problem_add_type(module) &&
        result_add_type(module) && watch_add_type(module) && solver_add_type(module) &&
        simulation_add_type(module) && derivative_add_type(module) && program_add_type(module) &&
        PyModule_AddFunctions(module, own_functions) == 0 &&
        PyModule_AddFunctions(module, operator_functions) == 0 &&
        PyModule_AddFunctions(module, problem_functions) == 0 &&
        PyModule_AddFunctions(module, solve_functions) == 0 &&
        PyModule_AddFunctions(module, batch_functions) == 0 &&
        PyModule_AddFunctions(module, device_functions) == 0 &&
        PyModule_AddFunctions(module, queue_functions) == 0 &&
        PyModule_AddFunctions(module, table_functions) == 0 &&
        PyModule_AddFunctions(module, ncp_functions) == 0 &&
        PyModule_AddFunctions(module, pickle_functions) == 0 &&
        PyModule_AddStringConstant(module, "version", perp_version()) == 0))
    Py_CLEAR(module);
  return module;
}
