/* message.c: see message.h */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

perp_error perp_fail(perp_message *why, perp_error error, const char *format, ...)
{
  if (why) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    for (char *c = why->text; *c; c++) /* a name may have a line break: a message is one line */
      *c = (char)((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
  }
  return error;
}

const char *perp_error_name(perp_error error)
{
  switch (error) {
  case PERP_OK:
    return "ok";
  case PERP_ERROR_ARGUMENT:
    return "argument";
  case PERP_ERROR_PROBLEM:
    return "problem";
  case PERP_ERROR_UNSUPPORTED:
    return "unsupported";
  case PERP_ERROR_PARAMETER:
    return "parameter";
  case PERP_ERROR_MEMORY:
    return "memory";
  case PERP_ERROR_FILE:
    return "file";
  case PERP_ERROR_BACKEND:
    return "backend";
  case PERP_ERROR_CALLBACK:
    return "callback";
  }
  return "unknown";
}
