/* folder_write.c: writing a problem as a folder of Matrix Market files
 *
 * dense: A.mtx as an array; contact: J.mtx, Minv.mtx and C.mtx; stencil: A.mtx and cells.mtx; any
 * other: A.mtx by coordinates.
 *
 * All files are written into a hidden folder, which then takes the place of the old one
 * (publish.h). A failure leaves the folder as it was. A folder that holds no problem yet has nothing
 * to lose, so its files are not flushed to the disk: a record of a thousand frames would wait four
 * thousand times. */
#include "base/memory.h"
#include "base/message.h"
#include "io/publish.h"
#include "io/structure.h"
#include <perp/io.h>

/* The folder being written, and the file that is. */
typedef struct {
  const char *folder;
  bool fresh; /* no need to flush to the disk */
  perp_writer file;
  perp_message *why;
} output;

static perp_error begin(output *out, enum perp_part part)
{
  char *path = perp_path_join(out->folder, perp_part_name[part]);
  if (!path)
    return perp_fail(out->why, PERP_ERROR_MEMORY, "%s: out of memory",
                     perp_path_shown(out->folder));
  const perp_error error = perp_writer_open(&out->file, path, out->why);
  out->file.fresh = out->fresh;
  perp_free(path);
  return error;
}

static perp_error finish(output *out)
{
  const perp_error error = perp_writer_finish(&out->file, out->why);
  return error ? error : perp_writer_commit(&out->file, out->why);
}

static perp_error write_csr(output *out, enum perp_part part, int rows, int columns,
                            const int64_t *start, const int *column, const double *value)
{
  perp_error error = begin(out, part);
  if (!error)
    error = perp_mtx_write_csr(&out->file, rows, columns, start, column, value, out->why);
  return error ? error : finish(out);
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
      return perp_fail(out->why, error, "%s: %.300s", perp_path_shown(out->folder), inner.text);
    error = perp_operator_csr_arrays(csr, &start, &column, &value);
  }
  const int n = perp_operator_size(op);
  if (!error)
    error = write_csr(out, PERP_PART_A, n, n, start, column, value);
  perp_operator_destroy(csr);
  return error;
}

static perp_error write_contact(output *out, const perp_contact_data *data)
{
  perp_mtx Minv;
  perp_error error = perp_structure_minv(data, &Minv, out->why);
  if (error)
    return error;
  error =
      write_csr(out, PERP_PART_MINV, Minv.rows, Minv.columns, Minv.start, Minv.column, Minv.value);
  perp_mtx_free(&Minv);
  if (!error)
    error = write_csr(out, PERP_PART_J, data->rows, data->velocities, data->J_start, data->J_column,
                      data->J_value);
  if (!error && data->C_start)
    error = write_csr(out, PERP_PART_C, data->rows, data->rows, data->C_start, data->C_column,
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
    const perp_error error = begin(out, PERP_PART_A);
    if (error)
      return error;
    perp_mtx_write_dense(&out->file, n, a, stride);
    return finish(out);
  }
  if (perp_operator_contact_data(op, &contact) == PERP_OK)
    return write_contact(out, &contact);
  if (perp_operator_stencil_data(op, &stencil) == PERP_OK) {
    int columns, *cells;
    perp_error error = perp_structure_cells(&stencil, n, &columns, &cells, out->why);
    if (error)
      return error;
    error = begin(out, PERP_PART_CELLS);
    if (!error) {
      perp_mtx_write_integers(&out->file, n, columns, cells);
      error = finish(out);
    }
    perp_free(cells);
    if (error)
      return error;
  }
  return write_assembled(out, op);
}

static perp_error write_parts(output *out, const perp_instance *instance)
{
  const int n = perp_operator_size(instance->A);
  const struct {
    enum perp_part part;
    int length;
    const double *values;
  } vectors[] = {{PERP_PART_B, n, instance->b},   {PERP_PART_LO, n, instance->lo},
                 {PERP_PART_HI, n, instance->hi}, {PERP_PART_MU, instance->cones, instance->mu},
                 {PERP_PART_X, n, instance->x},   {PERP_PART_U, n, instance->u}};
  perp_error error = write_operator(out, instance->A);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors && !error; k++) {
    const enum perp_part part = vectors[k].part;
    if (!vectors[k].values || (error = begin(out, part)))
      continue;
    perp_mtx_write_vector(&out->file, vectors[k].length, vectors[k].values, NULL);
    error = finish(out);
  }
  if (!error && instance->findex && !(error = begin(out, PERP_PART_FINDEX))) {
    perp_mtx_write_integers(&out->file, n, 1, instance->findex);
    error = finish(out);
  }
  if (!error && instance->cone && !(error = begin(out, PERP_PART_CONE))) {
    perp_mtx_write_integers(&out->file, instance->cones, 1, instance->cone);
    error = finish(out);
  }
  if (!error && instance->kind != PERP_KIND_UNKNOWN && !(error = begin(out, PERP_PART_KIND))) {
    perp_writer_text(&out->file, perp_kind_name(instance->kind));
    perp_writer_text(&out->file, "\n");
    error = finish(out);
  }
  return error;
}

static perp_error write_into(const char *folder, bool fresh, const perp_instance *instance,
                             perp_message *why)
{
  output out = {.folder = folder, .fresh = fresh, .why = why};
  const perp_error error = write_parts(&out, instance);
  perp_writer_abandon(&out.file);
  return error;
}

perp_error perp_folder_write(const char *path, const perp_instance *instance, perp_message *why)
{
  perp_publication to;
  perp_message own = {""};
  if (!path || !instance || !instance->A || !instance->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_folder_write: path, A or b is NULL");
  perp_error error = perp_publication_open(&to, path, why ? why : &own);
  if (!error)
    error = write_into(to.stage.path, to.fresh, instance, to.why);
  if (!error)
    error = perp_publication_commit(&to);
  perp_publication_close(&to);
  return error;
}

/* Borrowed: writing reads and frees nothing. */
static perp_instance borrow(const perp_problem *problem, const double *x)
{
  const perp_set *K = &problem->K;
  return (perp_instance){
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
}

perp_error perp_problem_write_into(const char *folder, const perp_problem *problem,
                                   perp_message *why)
{
  const perp_instance instance = borrow(problem, NULL);
  return write_into(folder, true, &instance, why);
}

perp_error perp_problem_write(const char *path, const perp_problem *problem, const double *x,
                              perp_message *why)
{
  if (!problem)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_problem_write: no problem");
  const perp_error error = perp_problem_validate(problem, why);
  if (error)
    return error;
  const perp_instance instance = borrow(problem, x);
  return perp_folder_write(path, &instance, why);
}
