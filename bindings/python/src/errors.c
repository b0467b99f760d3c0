/* errors.c: errors of the library as exceptions */
#include "binding.h"

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
