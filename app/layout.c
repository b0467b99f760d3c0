/* layout.c: how results are shown to people, the same for every class of problem; colours */
#define _POSIX_C_SOURCE 200809L
#include "app.h"

#include <math.h>
#include <stdarg.h>
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

void app_line(const char *name, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  printf("%-10s  ", name);
  vprintf(format, arguments);
  putchar('\n');
  va_end(arguments);
}

void app_line_method(const char *name, const char *title, bool chosen)
{
  app_line("method", "%s%s%s%s", name, title[0] ? ", " : "", title,
           chosen ? " (chosen by auto)" : "");
}

void app_line_outcome(perp_outcome outcome)
{
  app_line("outcome", "%s%s%s", app_paint(stdout, outcome == PERP_SOLVED ? APP_GOOD : APP_BAD),
           perp_outcome_name(outcome), app_paint(stdout, APP_PLAIN));
}

void app_line_work(const app_count *counts)
{
  char text[400] = "";
  size_t used = 0;
  for (; counts->name && used < sizeof text; counts++)
    if (counts->value > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld %s", used ? ", " : "",
                               (long long)counts->value, counts->name);
  if (used > 0)
    app_line("work", "%s", text);
}

app_summary app_duration(double seconds)
{
  app_summary d;
  const double s = fabs(seconds);
  if (!isfinite(seconds))
    snprintf(d.text, sizeof d.text, "unknown");
  else if (s == 0)
    snprintf(d.text, sizeof d.text, "0 s");
  else if (s < 1e-6)
    snprintf(d.text, sizeof d.text, "%.4g ns", 1e9 * seconds);
  else if (s < 1e-3)
    snprintf(d.text, sizeof d.text, "%.4g us", 1e6 * seconds);
  else if (s < 1)
    snprintf(d.text, sizeof d.text, "%.4g ms", 1e3 * seconds);
  else if (s < 120)
    snprintf(d.text, sizeof d.text, "%.4g s", seconds);
  else if (s < 7200)
    snprintf(d.text, sizeof d.text, "%d min %d s", (int)(seconds / 60), (int)fmod(s, 60));
  else
    snprintf(d.text, sizeof d.text, "%.0f h %d min", floor(s / 3600), (int)fmod(s / 60, 60));
  return d;
}

void app_print_x(int64_t n, const double *x)
{
  for (int64_t i = 0; i < n; i++)
    printf("x[%lld] = %.17g\n", (long long)i, x[i]);
}
