/* generated.h: generated problems; an invalid text fails the test */
#pragma once

#include "test.h"
#include <perp/generate.h>

static inline perp_instance generated(const char *text)
{
  perp_instance instance;
  perp_message why = {""};
  const perp_error error = perp_generate(text, &instance, &why);
  CHECK_SAY(error == PERP_OK, "%.80s: %.300s", text, why.text);
  return instance;
}

/* Generates the problem named by a printf format. */
__attribute__((format(printf, 1, 2))) static inline perp_instance generated_as(const char *format,
                                                                               ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return generated(text);
}
