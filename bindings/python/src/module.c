/* module.c: the module perp._perp */
#define BINDING_MODULE
#include "binding.h"

/* (function: any matrix -> Operator, class of results, function: (method, keyword) -> message) */
static PyObject *connect(PyObject *self, PyObject *args)
{
  (void)self;
  PyObject *function, *type, *unknown;
  if (!PyArg_ParseTuple(args, "OO!O", &function, &PyType_Type, &type, &unknown))
    return NULL;
  if (!PyType_IsSubtype((PyTypeObject *)type, (PyTypeObject *)type_result)) {
    PyErr_SetString(PyExc_TypeError, "a class of results is needed");
    return NULL;
  }
  Py_INCREF(function);
  Py_INCREF(type);
  Py_INCREF(unknown);
  hook_operator = function;
  hook_unknown = unknown;
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

/* Imports NumPy's table of functions. import_array() of the headers of NumPy 1 refuses NumPy 2, although
 * what we call and read has the same place in both: the functions, the fields of an array, type_num and
 * byteorder of its type. (elsize has moved: never read it.) The headers of NumPy 2 serve both. */
static bool import_numpy(void)
{
#if NPY_ABI_VERSION >= 0x02000000
  return PyArray_ImportNumPyAPI() == 0;
#else
  PyObject *numpy = PyImport_ImportModule("numpy._core._multiarray_umath"); /* NumPy 2 */
  if (!numpy) {
    PyErr_Clear();
    numpy = PyImport_ImportModule("numpy.core._multiarray_umath");
  }
  PyObject *table = numpy ? PyObject_GetAttrString(numpy, "_ARRAY_API") : NULL;
  PyArray_API = table ? PyCapsule_GetPointer(table, NULL) : NULL;
  Py_XDECREF(table);
  Py_XDECREF(numpy);
  if (!PyArray_API)
    return false;
  const unsigned abi = PyArray_GetNDArrayCVersion();
  if (abi >> 24 == 1 || abi >> 24 == 2)
    return true;
  PyErr_Format(PyExc_ImportError, "perp needs NumPy 1 or 2; the interface of this one is 0x%x",
               abi);
  return false;
#endif
}

PyMODINIT_FUNC PyInit__perp(void)
{
  if (!import_numpy())
    return NULL;
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
        PyModule_AddFunctions(module, nl_functions) == 0 &&
        PyModule_AddFunctions(module, mujoco_functions) == 0 &&
        PyModule_AddFunctions(module, pickle_functions) == 0 &&
        PyModule_AddStringConstant(module, "version", perp_version()) == 0))
    Py_CLEAR(module);
  return module;
}
