/* message.c: formats error messages, and names errors */
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
    for (char *c = why->text; *c; c++) /* a name may contain a line break, but a message is one
                                        * line */
      *c = (char)((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
  }
  return error;
}

const char *perp_error_name(perp_error error)
{
  static const char *const names[] = {
      [PERP_OK] = "ok",
      [PERP_ERROR_ARGUMENT] = "argument",
      [PERP_ERROR_PROBLEM] = "problem",
      [PERP_ERROR_UNSUPPORTED] = "unsupported",
      [PERP_ERROR_PARAMETER] = "parameter",
      [PERP_ERROR_MEMORY] = "memory",
      [PERP_ERROR_FILE] = "file",
      [PERP_ERROR_BACKEND] = "backend",
      [PERP_ERROR_CALLBACK] = "callback",
  };
  return (size_t)error < sizeof names / sizeof *names ? names[error] : "unknown";
}
