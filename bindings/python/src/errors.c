/* errors.c: errors of the library as exceptions */
#include "binding.h"

PyObject *error_not_solved, *error_unsupported;

PyObject *raise_error(perp_error error, const char *message)
{
  if (PyErr_Occurred())
    return NULL;
  PyObject *type = PyExc_ValueError;
  switch (error) {
  case PERP_ERROR_UNSUPPORTED:
    type = error_unsupported;
    break;
  case PERP_ERROR_MEMORY:
    type = PyExc_MemoryError;
    break;
  case PERP_ERROR_FILE:
    type = PyExc_OSError;
    break;
  case PERP_ERROR_BACKEND:
  case PERP_ERROR_CALLBACK:
    type = PyExc_RuntimeError;
    break;
  default:
    break;
  }
  PyErr_SetString(type, message && message[0] ? message : perp_error_name(error));
  return NULL;
}

bool errors_add_types(PyObject *module)
{
  error_not_solved = PyErr_NewExceptionWithDoc(
      "perp.NotSolved", "With strict=True: not solved; `result` has the best iterate.",
      PyExc_RuntimeError, NULL);
  error_unsupported = PyErr_NewExceptionWithDoc(
      "perp.Unsupported", "The method does not take this form, matrix or diagonal.",
      PyExc_ValueError, NULL);
  return error_not_solved && error_unsupported &&
         PyModule_AddObjectRef(module, "NotSolved", error_not_solved) == 0 &&
         PyModule_AddObjectRef(module, "Unsupported", error_unsupported) == 0;
}
