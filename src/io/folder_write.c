/* folder_write.c: writing a problem as a folder of Matrix Market files
 *
 * dense: A.mtx as an array; contact: J.mtx, Minv.mtx and C.mtx; stencil: A.mtx and cells.mtx; any
 * other: A.mtx by coordinates.
 *
 * There are three steps: all files are written under temporary names, then all are renamed, then
 * files of an earlier problem are removed. A failure in the first step (disk full, out of memory)
 * leaves the folder as it was. A folder that the call creates has nothing to lose, so its files are
 * not flushed to the disk: a record of a thousand frames would wait four thousand times. */
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "io/structure.h"
#include <perp/io.h>

#include <errno.h>
#include <string.h>

enum part {
  PART_A,
  PART_CELLS,
  PART_J,
  PART_MINV,
  PART_C,
  PART_B,
  PART_LO,
  PART_HI,
  PART_FINDEX,
  PART_MU,
  PART_CONE,
  PART_X,
  PART_U,
  PART_KIND,
  PARTS
};

static const char *const part_name[PARTS] = {
    "A.mtx",  "cells.mtx",  "J.mtx",  "Minv.mtx", "C.mtx", "b.mtx", "lo.mtx",
    "hi.mtx", "findex.mtx", "mu.mtx", "cone.mtx", "x.mtx", "u.mtx", "kind.txt"};

/* The files being written; those with a path are finished and wait to be renamed. */
typedef struct {
  const char *path;
  perp_message *why;
  bool fresh; /* the folder is new */
  perp_writer file[PARTS];
} output;

static perp_error begin(output *out, enum part part)
{
  char *path = perp_path_join(out->path, part_name[part]);
  if (!path)
    return perp_fail(out->why, PERP_ERROR_MEMORY, "%s: out of memory", perp_path_shown(out->path));
  const perp_error error = perp_writer_open(&out->file[part], path, out->why);
  out->file[part].fresh = out->fresh;
  perp_free(path);
  return error;
}

static perp_error write_csr(output *out, enum part part, int rows, int columns,
                            const int64_t *start, const int *column, const double *value)
{
  perp_writer *file = &out->file[part];
  perp_error error = begin(out, part);
  if (!error)
    error = perp_mtx_write_csr(file, rows, columns, start, column, value, out->why);
  return error ? error : perp_writer_finish(file, out->why);
}

/* Any operator that has no form of its own on disk. */
static perp_error write_assembled(output *out, const perp_operator *op)
{
  perp_operator *csr = NULL;
  const int64_t *start;
  const int *column;
  const double *value;
  perp_message inner;
  perp_error error = PERP_OK;
  if (perp_operator_csr_arrays(op, &start, &column, &value) != PERP_OK) {
    error = perp_operator_to_csr(op, 0, &csr, &inner);
    if (error)
      return perp_fail(out->why, error, "%s: %.300s", perp_path_shown(out->path), inner.text);
    error = perp_operator_csr_arrays(csr, &start, &column, &value);
  }
  const int n = perp_operator_size(op);
  if (!error)
    error = write_csr(out, PART_A, n, n, start, column, value);
  perp_operator_destroy(csr);
  return error;
}

static perp_error write_contact(output *out, const perp_contact_data *data)
{
  perp_mtx Minv;
  perp_error error = perp_structure_minv(data, &Minv, out->why);
  if (error)
    return error;
  error = write_csr(out, PART_MINV, Minv.rows, Minv.columns, Minv.start, Minv.column, Minv.value);
  perp_mtx_free(&Minv);
  if (!error)
    error = write_csr(out, PART_J, data->rows, data->velocities, data->J_start, data->J_column,
                      data->J_value);
  if (!error && data->C_start)
    error = write_csr(out, PART_C, data->rows, data->rows, data->C_start, data->C_column,
                      data->C_value);
  return error;
}

static perp_error write_operator(output *out, const perp_operator *op)
{
  const int n = perp_operator_size(op);
  const double *a;
  int64_t stride;
  perp_contact_data contact = perp_contact_data_default();
  perp_stencil_data stencil = perp_stencil_data_default();
  if (perp_operator_dense_array(op, &a, &stride) == PERP_OK) {
    const perp_error error = begin(out, PART_A);
    if (error)
      return error;
    perp_mtx_write_dense(&out->file[PART_A], n, a, stride);
    return perp_writer_finish(&out->file[PART_A], out->why);
  }
  if (perp_operator_contact_data(op, &contact) == PERP_OK)
    return write_contact(out, &contact);
  if (perp_operator_stencil_data(op, &stencil) == PERP_OK) {
    int columns, *cells;
    perp_error error = perp_structure_cells(&stencil, n, &columns, &cells, out->why);
    if (error)
      return error;
    error = begin(out, PART_CELLS);
    if (!error) {
      perp_mtx_write_integers(&out->file[PART_CELLS], n, columns, cells);
      error = perp_writer_finish(&out->file[PART_CELLS], out->why);
    }
    perp_free(cells);
    if (error)
      return error;
  }
  return write_assembled(out, op);
}

static perp_error finish(output *out, enum part part)
{
  return perp_writer_finish(&out->file[part], out->why);
}

static perp_error write_parts(output *out, const perp_instance *instance)
{
  const int n = perp_operator_size(instance->A);
  const struct {
    enum part part;
    int length;
    const double *values;
  } vectors[] = {{PART_B, n, instance->b},   {PART_LO, n, instance->lo},
                 {PART_HI, n, instance->hi}, {PART_MU, instance->cones, instance->mu},
                 {PART_X, n, instance->x},   {PART_U, n, instance->u}};
  perp_error error = write_operator(out, instance->A);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors && !error; k++) {
    const enum part part = vectors[k].part;
    if (!vectors[k].values || (error = begin(out, part)))
      continue;
    perp_mtx_write_vector(&out->file[part], vectors[k].length, vectors[k].values, NULL);
    error = finish(out, part);
  }
  if (!error && instance->findex && !(error = begin(out, PART_FINDEX))) {
    perp_mtx_write_integers(&out->file[PART_FINDEX], n, 1, instance->findex);
    error = finish(out, PART_FINDEX);
  }
  if (!error && instance->cone && !(error = begin(out, PART_CONE))) {
    perp_mtx_write_integers(&out->file[PART_CONE], instance->cones, 1, instance->cone);
    error = finish(out, PART_CONE);
  }
  if (!error && instance->kind != PERP_KIND_UNKNOWN && !(error = begin(out, PART_KIND))) {
    perp_writer_text(&out->file[PART_KIND], perp_kind_name(instance->kind));
    perp_writer_text(&out->file[PART_KIND], "\n");
    error = finish(out, PART_KIND);
  }
  return error;
}

static perp_error remove_stale(const output *out, enum part part)
{
  char *path = perp_path_join(out->path, part_name[part]);
  perp_error error = PERP_OK;
  if (!path)
    error = perp_fail(out->why, PERP_ERROR_MEMORY, "%s: out of memory", perp_path_shown(out->path));
  else if (!perp_system_remove(path) && errno != ENOENT)
    error = perp_fail(out->why, PERP_ERROR_FILE, "%s: cannot remove: %s", perp_path_shown(path),
                      strerror(errno));
  perp_free(path);
  return error;
}

perp_error perp_folder_write(const char *path, const perp_instance *instance, perp_message *why)
{
  output out = {.path = path, .why = why};
  bool written[PARTS] = {false};
  if (!path || !instance || !instance->A || !instance->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_folder_write: path, A or b is NULL");
  const bool made = out.fresh = perp_system_make_folder(path);
  if (!made && errno != EEXIST)
    return perp_fail(why, PERP_ERROR_FILE, "%s: cannot make the folder: %s", perp_path_shown(path),
                     strerror(errno));
  const perp_place place = made ? PERP_PLACE_FOLDER : perp_system_look(path);
  if (place == PERP_PLACE_FILE || place == PERP_PLACE_DEVICE)
    return perp_fail(why, PERP_ERROR_FILE, "%s: is not a folder", perp_path_shown(path));

  perp_error error = write_parts(&out, instance);
  for (int part = 0; part < PARTS; part++) {
    written[part] = out.file[part].path != NULL;
    if (!error && written[part])
      error = perp_writer_commit(&out.file[part], why);
  }
  for (int part = 0; part < PARTS; part++) {
    perp_writer_abandon(&out.file[part]);
    if (!error && !written[part])
      error = remove_stale(&out, (enum part)part);
  }
  if (error && made)
    perp_system_remove_folder(path);
  return error;
}

perp_error perp_problem_write(const char *path, const perp_problem *problem, const double *x,
                              perp_message *why)
{
  if (!problem)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_problem_write: no problem");
  const perp_set *K = &problem->K;
  /* Borrowed: writing reads and frees nothing. */
  const perp_instance instance = {
      .A = (perp_operator *)problem->A,
      .b = (double *)problem->b,
      .lo = (double *)K->lo,
      .hi = (double *)K->hi,
      .findex = (int *)K->findex,
      .mu = K->cones > 0 ? (double *)K->mu : NULL,
      .cones = K->cones,
      .cone = K->cones > 0 ? (int *)K->cone : NULL,
      .x = (double *)x,
  };
  return perp_folder_write(path, &instance, why);
}
