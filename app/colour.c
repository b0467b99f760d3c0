/* colour.c: colours on a terminal, and none anywhere else */
#define _POSIX_C_SOURCE 200809L
#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colours(FILE *stream)
{
  const char *forbidden = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(fileno(stream)) && !(forbidden && forbidden[0]) && terminal && terminal[0] &&
         strcmp(terminal, "dumb") != 0;
}

const char *app_paint(FILE *stream, app_colour colour)
{
  static const char *const codes[] = {
      [APP_PLAIN] = "\033[0m",  [APP_BOLD] = "\033[1m",  [APP_GOOD] = "\033[32m",
      [APP_BAD] = "\033[1;31m", [APP_FAINT] = "\033[2m",
  };
  return has_colours(stream) ? codes[colour] : "";
}
