/* sol.c: writes a .sol file
 *
 *   the message, an empty line, "Options" and AMPL's options as the model had them,
 *   the numbers of rows, of y, of variables and of x, then y, x, and objno 0 CODE
 *
 * one to a line; or the same as binary records, each between two copies of its length. */
#include "io/file.h"
#include "model/nl/nl.h"

#include <limits.h>
#include <string.h>

static void put_integers(perp_writer *w, const int32_t *values, size_t count)
{
  perp_writer_bytes(w, (const char *)values, count * sizeof *values);
}

static void put_record(perp_writer *w, const void *bytes, size_t count)
{
  const int32_t length = (int32_t)count;
  put_integers(w, &length, 1);
  perp_writer_bytes(w, bytes, count);
  put_integers(w, &length, 1);
}

/* The number of options, the options, and the counts. Returns how many numbers these are. */
static int take_numbers(const perp_nl *model, bool y, int32_t numbers[16])
{
  const int options = model->option_count;
  const bool tolerance = options > 1 && model->options[1] == 3;
  int count = 0;
  numbers[count++] = options + (tolerance ? 2 : 0);
  for (int k = 0; k < options; k++)
    numbers[count++] = model->options[k];
  numbers[count++] = model->m;
  numbers[count++] = y ? model->m : 0;
  numbers[count++] = model->n;
  numbers[count++] = model->n;
  return count;
}

static void write_binary(const perp_nl *model, perp_writer *w, const char *text, int64_t code,
                         const double *x, const double *y)
{
  int32_t numbers[16];
  const int count = take_numbers(model, y, numbers);
  const int32_t length = (int32_t)(7 + (size_t)count * sizeof *numbers);
  put_record(w, "binary", 6);
  put_record(w, text, strlen(text));
  put_record(w, "", 0);
  put_integers(w, &length, 1);
  perp_writer_bytes(w, "Options", 7);
  put_integers(w, numbers, (size_t)count);
  if (numbers[0] > model->option_count)
    perp_writer_bytes(w, (const char *)&model->tolerance_option, sizeof(double));
  put_integers(w, &length, 1);
  put_record(w, y ? y : x, (y ? (size_t)model->m : 0) * sizeof(double));
  put_record(w, x, (size_t)model->n * sizeof(double));
  put_record(w, (int32_t[2]){0, (int32_t)code}, 2 * sizeof(int32_t));
}

static void put_line(perp_writer *w, double value)
{
  perp_writer_number(w, value);
  perp_writer_text(w, "\n");
}

static void write_text(const perp_nl *model, perp_writer *w, const char *text, int64_t code,
                       const double *x, const double *y)
{
  int32_t numbers[16];
  const int count = take_numbers(model, y, numbers);
  perp_writer_text(w, text);
  perp_writer_text(w, "\n\nOptions\n");
  for (int k = 0; k < count; k++)
    put_line(w, numbers[k]);
  if (numbers[0] > model->option_count)
    put_line(w, model->tolerance_option);
  for (int i = 0; y && i < model->m; i++)
    put_line(w, y[i]);
  for (int j = 0; j < model->n; j++)
    put_line(w, x[j]);
  perp_writer_text(w, "objno 0 ");
  perp_writer_integer(w, code);
  perp_writer_text(w, "\n");
}

perp_error perp_nl_sol_write(const perp_nl *model, const char *path, const char *text, int64_t code,
                             const double *x, const double *y, perp_message *why)
{
  if (!model || !text || !x || code < 0 || code > INT_MAX)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "model, text or x is NULL, or code is not an int");
  char *own = path ? NULL : nl_path_with(model->path, ".sol");
  if (!path && !own)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a path");
  perp_writer writer;
  perp_error error = perp_writer_open(&writer, path ? path : own, why);
  if (!error) {
    (model->binary ? write_binary : write_text)(model, &writer, text, code, x, y);
    error = perp_writer_commit(&writer, why);
  }
  perp_free(own);
  return error;
}
