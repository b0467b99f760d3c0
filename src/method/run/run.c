/* run.c: the services of a run for a method: memory, messages, products, sweeps */
#include "method/run/driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void perp_run_merit(perp_run *run, double merit)
{
  if (run->driver)
    run->driver->merit = merit;
}

void perp_run_ray(perp_run *run, const double *ray)
{
  run->driver->ray = ray;
}

static void print(perp_run *run, const char *format, va_list arguments)
{
  perp_message *message = &run->driver->result->message;
  vsnprintf(message->text, sizeof message->text, format, arguments);
}

perp_error perp_run_fail(perp_run *run, perp_error error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  print(run, format, arguments);
  va_end(arguments);
  return error;
}

void perp_run_say(perp_run *run, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  print(run, format, arguments);
  va_end(arguments);
}

void perp_run_say_plainly(perp_run *run, const char *text)
{
  perp_message *message = &run->driver->result->message;
  const size_t length = strlen(text), most = sizeof message->text - 1;
  memcpy(message->text, text, length < most ? length + 1 : most);
  message->text[most] = 0;
}

void perp_run_log(const perp_run *run, perp_log_level level, const char *format, ...)
{
  const perp_options *o = run->options;
  if (!o->logger)
    return;
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  o->logger(o->logger_context, level, line);
}

void perp_run_misses(perp_run *run, const char *component, const char *effect)
{
  perp_driver *d = run->driver;
  for (int k = 0; k < d->missed; k++)
    if (strcmp(d->missing[k], component) == 0)
      return;
  if (d->missed < PERP_MISSING)
    d->missing[d->missed++] = component;
  perp_run_log(run, PERP_LOG_WARNING, "%s: %s is not installed: %s", d->method->name, component,
               effect);
}

double *perp_run_reals(perp_run *run, size_t count)
{
  return perp_arena_alloc(run->arena, count, sizeof(double));
}

int *perp_run_integers(perp_run *run, size_t count)
{
  return perp_arena_alloc(run->arena, count, sizeof(int));
}

perp_error perp_run_no_memory(perp_run *run)
{
  return perp_run_fail(run, PERP_ERROR_MEMORY, "%s: out of memory at n = %d",
                       run->driver->method->name, run->problem->K.n);
}

void perp_run_apply(perp_run *run, const double *x, double *y)
{
  const perp_operator *A = run->problem->A;
  A->table->apply(A, x, y, &run->work);
  run->count.applies++;
}

void perp_run_gradient(perp_run *run, const double *x, double *y)
{
  perp_run_apply(run, x, y);
  const double *b = run->problem->b;
  for (int i = 0; i < run->problem->K.n; i++)
    y[i] += b[i];
}

const char *perp_run_method(const perp_run *run)
{
  return run->driver->method->name;
}

perp_error perp_run_relaxer(perp_run *run, double *x, unsigned orders, perp_relaxer **relaxer)
{
  return perp_relaxer_create(perp_run_method(run), run->problem->A, run->problem->b,
                             &run->problem->K, x, run->options->threads, orders, run->arena,
                             relaxer, &run->driver->result->message);
}
