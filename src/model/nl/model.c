/* model.c: a model's life, its names from .col and .row, its sizes */
#include "io/file.h"
#include "model/nl/nl.h"

#include <stdio.h>
#include <string.h>

char *nl_path_with(const char *stub, const char *ending)
{
  const size_t length = strlen(stub) + strlen(ending) + 1;
  char *path = perp_alloc(length, 1);
  if (path)
    snprintf(path, length, "%s%s", stub, ending);
  return path;
}

/* Reads .col or .row; without it, or if it cannot be read, there are no names. */
static void read_names(perp_nl *model, int which)
{
  char *path = nl_path_with(model->path, which ? ".row" : ".col"), *bytes = NULL;
  size_t length = 0;
  perp_message unused;
  const int most = which ? model->m : model->n;
  if (path && perp_file_exists(path) && !perp_file_read(path, &bytes, &length, &unused) &&
      PERP_TAKE(&model->memory, PERP_ARRAY(model->name_at[which], most))) {
    int64_t at = 0;
    int count = 0;
    for (; count < most && at < (int64_t)length; count++) {
      model->name_at[which][count] = at;
      while (at < (int64_t)length && bytes[at] != '\n' && bytes[at] != '\r')
        at++;
      while (at < (int64_t)length && (bytes[at] == '\n' || bytes[at] == '\r'))
        bytes[at++] = 0;
    }
    model->names[which] = bytes;
    model->name_count[which] = count;
  } else {
    perp_free(bytes);
  }
  perp_free(path);
}

static void name_of(const perp_nl *model, int which, int i, perp_message *name)
{
  if (i >= 0 && i < model->name_count[which])
    snprintf(name->text, sizeof name->text, "%.100s",
             model->names[which] + model->name_at[which][i]);
  else
    snprintf(name->text, sizeof name->text, which ? "row[%d]" : "x[%d]", i);
}

void perp_nl_variable_name(const perp_nl *model, int j, perp_message *name)
{
  name_of(model, 0, j, name);
}

void perp_nl_row_name(const perp_nl *model, int i, perp_message *name)
{
  name_of(model, 1, i, name);
}

perp_error perp_nl_read(const char *path, perp_nl **model, perp_message *why)
{
  if (!path || !model)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "path or model is NULL");
  *model = NULL;
  perp_nl *m = perp_alloc_zero(1, sizeof *m);
  const size_t length = strlen(path);
  if (m)
    m->path = perp_alloc_copy(path, length + 1, 1);
  if (!m || !m->path) {
    perp_free(m);
    return perp_path_no_memory(path, why);
  }
  if (length > 3 && strcmp(path + length - 3, ".nl") == 0)
    m->path[length - 3] = 0;
  const perp_error error = nl_read_file(m, why);
  if (error) {
    perp_nl_destroy(m);
    return error;
  }
  read_names(m, 0);
  read_names(m, 1);
  *model = m;
  return PERP_OK;
}

void perp_nl_destroy(perp_nl *model)
{
  if (!model)
    return;
  perp_free(model->node);
  perp_free(model->argument);
  perp_free(model->constant);
  perp_free(model->names[0]);
  perp_free(model->names[1]);
  perp_free(model->path);
  perp_arena_free(&model->memory);
  perp_free(model);
}

int perp_nl_variables(const perp_nl *model)
{
  return model->n;
}

int perp_nl_rows(const perp_nl *model)
{
  return model->m;
}

void perp_nl_start(const perp_nl *model, double *x)
{
  memcpy(x, model->start, (size_t)model->n * sizeof *x);
}
