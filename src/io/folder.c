/* folder.c: reads and writes a problem, or a quadratic program, as a folder of Matrix Market files */
#include "io/folder.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "io/structure.h"
#include "set/set.h"
#include <perp/io.h>
#include <perp/qp.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Reading ----
 *
 *   A.mtx                    array: dense; coordinate: csr; with cells.mtx: stencil
 *   J.mtx Minv.mtx [C.mtx]   in place of A.mtx: contact; M.mtx, any mass matrix, in place of Minv.mtx
 *   b.mtx [lo hi findex mu x u].mtx [kind.txt]
 *
 * Each file may be compressed by gzip: b.mtx.gz. The files may also be given one by one. */

enum { TRIES = 1000 };

/* The folder being read, or a list of files. */
typedef struct {
  const char *path; /* of the folder; used in messages */
  char *place;      /* room for the path of any file in it */
  size_t room;
  perp_arena memory; /* of place, and of the paths of matrices */
  perp_message *why;
  int count; /* number of files given, -1: a folder */
  const char *const *names, *const *paths;
} source;

/* Returns true if "A" is the name of the file "A.mtx". */
static bool is_name_of(const char *name, const char *file)
{
  return strlen(name) == strcspn(file, ".") && strncmp(name, file, strlen(name)) == 0;
}

/* Returns the file given for "A.mtx", that is for "A", or NULL. */
static const char *named(const source *f, const char *file)
{
  for (int k = 0; k < f->count; k++)
    if (is_name_of(f->names[k], file))
      return f->paths[k];
  return NULL;
}

/* Returns true if the file exists; f->place is then its path. Cannot fail: a missing file must not
 * be confused with a lack of memory. */
static bool has(const source *f, const char *name)
{
  if (f->count >= 0) {
    const char *path = named(f, name);
    snprintf(f->place, f->room, "%s", path ? path : "");
    return path != NULL; /* given by the caller: if it is missing, reading it reports that */
  }
  snprintf(f->place, f->room, "%s/%s", f->path, name);
  if (perp_file_exists(f->place))
    return true;
  snprintf(f->place, f->room, "%s/%s.gz", f->path, name);
  return perp_file_exists(f->place);
}

/* Returns true if both b.mtx and b.mtx.gz exist: one of them would be ignored. */
static bool has_both(const source *f, const char *name)
{
  if (f->count >= 0 || !has(f, name))
    return false;
  const size_t length = strlen(f->place);
  const bool compressed = length > 3 && strcmp(f->place + length - 3, ".gz") == 0;
  snprintf(f->place, f->room, "%s/%s.gz", f->path, name);
  return !compressed && perp_file_exists(f->place);
}

static perp_error read_matrix(source *f, const char *file, const perp_mtx_rule *rule,
                              perp_mtx *matrix)
{
  if (has_both(f, file))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has both %s and %s.gz; remove one",
                     perp_path_shown(f->path), file, file);
  has(f, file); /* sets f->place */
  const size_t length = strlen(f->place) + 1;
  char *path = perp_arena_alloc(&f->memory, length, 1);
  return path ? perp_mtx_read(memcpy(path, f->place, length), rule, matrix, f->why)
              : perp_path_no_memory(f->path, f->why);
}

/* Reads a vector of the instance; *values stays NULL if the file is missing. */
static perp_error read_vector(void *context, const perp_mtx_rule *rule, double **values,
                              int *length)
{
  source *f = context;
  perp_mtx vector;
  char file[32];
  snprintf(file, sizeof file, "%s.mtx", rule->name);
  if (!has(f, file))
    return PERP_OK;
  const perp_error error = read_matrix(f, file, rule, &vector);
  return error ? error : perp_mtx_take(&vector, values, length, f->why);
}

/* Reads A or P; gridded: a stencil if there is cells.mtx. */
static perp_error read_plain(source *f, const char *name, bool gridded, perp_operator **A)
{
  perp_mtx matrix = {0}, cells = {0};
  char file[32];
  perp_mtx_rule rule = perp_mtx_rule_any(name);
  rule.square = rule.finite = true;
  snprintf(file, sizeof file, "%s.mtx", name);
  perp_error error = read_matrix(f, file, &rule, &matrix);
  if (!error && gridded && has(f, "cells.mtx")) {
    perp_mtx_rule cell = perp_mtx_rule_any("cells");
    cell.rows = matrix.rows;
    cell.whole = true;
    cell.least = INT_MIN;
    cell.most = INT_MAX;
    error = read_matrix(f, "cells.mtx", &cell, &cells);
    if (!error)
      error = perp_structure_stencil(&matrix, &cells, A, f->why);
  } else if (!error) {
    error = perp_structure_plain(&matrix, A, f->why);
  }
  perp_mtx_free(&matrix);
  perp_mtx_free(&cells);
  return error;
}

static perp_error read_contact(source *f, perp_operator **A)
{
  perp_mtx J = {0}, mass = {0}, C = {0};
  perp_mtx_rule rule = perp_mtx_rule_any("J");
  rule.finite = true;
  if (has(f, "A.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has both A.mtx and J.mtx; remove one",
                     perp_path_shown(f->path));
  const bool inverse = has(f, "Minv.mtx");
  if (inverse == has(f, "M.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has J.mtx, but %s", perp_path_shown(f->path),
                     inverse ? "both M.mtx and Minv.mtx" : "no Minv.mtx or M.mtx");
  const bool compliant = has(f, "C.mtx");
  perp_error error = read_matrix(f, "J.mtx", &rule, &J);
  if (!error) {
    rule.name = inverse ? "Minv" : "M";
    rule.square = true;
    rule.rows = rule.columns = J.columns;
    error = read_matrix(f, inverse ? "Minv.mtx" : "M.mtx", &rule, &mass);
  }
  if (!error && compliant) {
    rule.name = "C";
    rule.rows = rule.columns = J.rows;
    error = read_matrix(f, "C.mtx", &rule, &C);
  }
  if (!error)
    error = perp_structure_contact(f->path, &J, &mass, inverse, compliant ? &C : NULL, A, f->why);
  perp_mtx_free(&J);
  perp_mtx_free(&mass);
  perp_mtx_free(&C);
  return error;
}

static perp_error read_kind(const source *f, perp_kind *kind)
{
  char *text = NULL;
  size_t length = 0;
  if (!has(f, "kind.txt"))
    return PERP_OK;
  const char *path = f->place;
  perp_error error = perp_file_read(path, &text, &length, f->why);
  if (!error) {
    const char *word = text + strspn(text, " \t\r\n");
    const size_t size = strcspn(word, " \t\r\n");
    for (perp_kind k = PERP_KIND_SOLVABLE; k <= PERP_KIND_INFEASIBLE; k++)
      if (strlen(perp_kind_name(k)) == size && strncmp(word, perp_kind_name(k), size) == 0)
        *kind = k;
    const bool alone = word[size + strspn(word + size, " \t\r\n")] == 0;
    if (*kind == PERP_KIND_UNKNOWN || !alone) {
      char shown[40];
      snprintf(shown, sizeof shown, "%.*s", (int)(size < 39 ? size : 39), word);
      for (char *c = shown; *c; c++)
        *c = (char)(*c > ' ' && *c < 127 ? *c : '?');
      error = perp_fail(f->why, PERP_ERROR_FILE,
                        "%s:1: '%s'%s is not one of solvable, multiple, infeasible",
                        perp_path_shown(path), shown, alone ? "" : " and what follows");
    }
  }
  perp_free(text);
  return error;
}

void perp_folder_name(const char *path, char *name, size_t room)
{
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/')
    end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/')
    begin--;
  snprintf(name, room, "%.*s", (int)(end - begin), path + begin);
}

/* Returns an error if the folder does not exist. */
static perp_error check_folder(const char *path, perp_message *why)
{
  const perp_place place = perp_system_look(path);
  if (place == PERP_PLACE_NONE)
    return perp_fail(why, PERP_ERROR_FILE, "%s: %s", perp_path_shown(path),
                     errno == ENOENT ? "there is no such folder" : strerror(errno));
  if (place != PERP_PLACE_FOLDER)
    return perp_fail(why, PERP_ERROR_FILE, "%s: is not a folder", perp_path_shown(path));
  return PERP_OK;
}

static perp_error read_parts(source *f, perp_instance *instance)
{
  perp_error error = f->count < 0 ? check_folder(f->path, f->why) : PERP_OK;
  if (error)
    return error;
  const bool contact = has(f, "J.mtx");
  if (!contact && !has(f, "A.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has neither A.mtx nor J.mtx",
                     perp_path_shown(f->path));
  if (!has(f, "b.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has no b.mtx", perp_path_shown(f->path));

  error = contact ? read_contact(f, &instance->A) : read_plain(f, "A", true, &instance->A);
  if (!error)
    error = read_kind(f, &instance->kind);
  const char *label = f->count < 0 ? "%s/%s.mtx" : "%s: %s";
  const perp_vectors vectors = {f->path, label, f, read_vector, 0, f->why};
  return error ? error : perp_structure_vectors(&vectors, instance);
}

static perp_stamp stamp_of_matrix(const source *f)
{
  if (!has(f, "A.mtx"))
    has(f, "J.mtx"); /* sets f->place */
  return perp_system_stamp(f->place);
}

/* Reads a folder again if another problem was written there meanwhile: it has a new matrix. */
static perp_error read_whole(source *f, perp_instance *instance)
{
  for (int k = 0;; k++) {
    const perp_stamp before = stamp_of_matrix(f);
    const perp_error error = read_parts(f, instance);
    const perp_stamp after = stamp_of_matrix(f);
    if (memcmp(&before, &after, sizeof before) == 0 || k == TRIES)
      return error;
    perp_instance_destroy(instance);
  }
}

static perp_error read_from(source *f, perp_error (*read)(source *f, perp_instance *instance),
                            perp_instance *instance)
{
  *instance = (perp_instance){0};
  f->place = perp_arena_alloc(&f->memory, f->room, 1);
  const perp_error error = f->place ? read(f, instance) : perp_path_no_memory(f->path, f->why);
  perp_arena_free(&f->memory);
  if (error)
    perp_instance_destroy(instance);
  else
    perp_folder_name(f->path, instance->name, sizeof instance->name);
  return error;
}

perp_error perp_folder_read(const char *path, perp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_folder_read: a pointer is NULL");
  source f = {.path = path, .room = strlen(path) + 32, .why = why, .count = -1};
  return read_from(&f, read_whole, instance);
}

/* Returns true if "A" is a part of a problem, that is if A.mtx is a file of a folder. */
static bool is_part(const char *name)
{
  int part = 0;
  while (part < PERP_PARTS && !is_name_of(name, perp_part_name[part]))
    part++;
  return part < PERP_PARTS;
}

perp_error perp_parts_read(int count, const char *const names[], const char *const paths[],
                           perp_instance *instance, perp_message *why)
{
  if (count <= 0 || !names || !paths || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_parts_read: count = %d, or a pointer is NULL",
                     count);
  source f = {
      .path = paths[0], .room = 1, .why = why, .count = count, .names = names, .paths = paths};
  *instance = (perp_instance){0};
  for (int k = 0; k < count; k++) {
    if (!names[k] || !paths[k] || !is_part(names[k]))
      return perp_fail(why, PERP_ERROR_ARGUMENT,
                       "perp_parts_read: '%.32s' is not a part of a problem",
                       names[k] ? names[k] : "NULL");
    f.room = strlen(paths[k]) >= f.room ? strlen(paths[k]) + 1 : f.room;
  }
  return read_from(&f, read_parts, instance);
}

/* ---- Writing ----
 *
 * dense: A.mtx as an array; contact: J.mtx, Minv.mtx or M.mtx, and C.mtx; stencil: A.mtx and cells.mtx; any
 * other: A.mtx by coordinates.
 *
 * All files are written into a hidden folder, which then replaces the old one (folder.h). A failure
 * leaves the folder unchanged. If the folder holds no problem yet, no data can be lost and its
 * files are not flushed to the disk: a record of a thousand frames would wait four thousand times.
 */

/* A folder being written, and its current file. After an error nothing more is written. */
typedef struct output {
  const char *path;
  bool fresh; /* no need to flush to the disk */
  perp_writer file;
  perp_error error;
  perp_message *why;
} output;

/* Returns true if the file `name` is open; end_file closes it. */
static bool begin_file(output *out, const char *name)
{
  if (out->error)
    return false;
  char *path = perp_path_join(out->path, name);
  out->error = path ? perp_writer_open(&out->file, path, out->why)
                    : perp_path_no_memory(out->path, out->why);
  out->file.fresh = out->fresh;
  perp_free(path);
  return !out->error;
}

static void end_file(output *out)
{
  if (!out->error)
    out->error = perp_writer_commit(&out->file, out->why);
}

static void write_csr(output *out, const char *name, int rows, int columns, const int64_t *start,
                      const int *column, const double *value)
{
  if (!begin_file(out, name))
    return;
  out->error = perp_mtx_write_csr(&out->file, rows, columns, start, column, value, out->why);
  end_file(out);
}

/* Writes nothing without values. */
static void write_array(output *out, const char *name, int rows, int columns, const double *values)
{
  if (!values || !begin_file(out, name))
    return;
  perp_mtx_write_array(&out->file, rows, columns, values, NULL);
  end_file(out);
}

static void write_integers(output *out, const char *name, int rows, int columns, const int *values)
{
  if (!values || !begin_file(out, name))
    return;
  perp_mtx_write_integers(&out->file, rows, columns, values);
  end_file(out);
}

/* Writes an operator that has no special form on disk as compressed rows. */
static void write_assembled(output *out, const char *name, const perp_operator *op)
{
  perp_operator *csr = NULL;
  const int64_t *start;
  const int *column;
  const double *value;
  perp_message inner;
  if (perp_operator_csr_arrays(op, &start, &column, &value) != PERP_OK) {
    const perp_error error = perp_operator_to_csr(op, 0, &csr, &inner);
    if (error) {
      out->error = perp_fail(out->why, error, "%s: %.300s", perp_path_shown(out->path), inner.text);
      return;
    }
    perp_operator_csr_arrays(csr, &start, &column, &value);
  }
  const int n = perp_operator_size(op);
  write_csr(out, name, n, n, start, column, value);
  perp_operator_destroy(csr);
}

static void write_minv(output *out, const perp_contact_data *data)
{
  perp_mtx Minv;
  out->error = perp_structure_minv(data, &Minv, out->why);
  if (out->error)
    return;
  write_csr(out, perp_part_name[PERP_PART_MINV], Minv.rows, Minv.columns, Minv.start, Minv.column,
            Minv.value);
  perp_mtx_free(&Minv);
}

/* Writes J and the mass of the source. A mass that is a callback appears as Minv of the data. */
static void write_contact(output *out, const perp_operator *op, const perp_contact_data *data)
{
  perp_contact_data mine = *data;
  perp_operator_contact_source(op, &mine);
  if (!mine.M_start)
    mine = *data;
  if (mine.M_start)
    write_csr(out, perp_part_name[PERP_PART_M], mine.velocities, mine.velocities, mine.M_start,
              mine.M_column, mine.M_value);
  else
    write_minv(out, data);
  write_csr(out, perp_part_name[PERP_PART_J], data->rows, mine.velocities, mine.J_start,
            mine.J_column, mine.J_value);
  if (data->C_start)
    write_csr(out, perp_part_name[PERP_PART_C], data->rows, data->rows, data->C_start,
              data->C_column, data->C_value);
}

static void write_operator(output *out, const perp_operator *op)
{
  const int n = perp_operator_size(op);
  const double *a;
  int64_t stride;
  perp_contact_data contact = perp_contact_data_default();
  perp_stencil_data stencil = perp_stencil_data_default();
  if (perp_operator_dense_array(op, &a, &stride) == PERP_OK) {
    if (begin_file(out, perp_part_name[PERP_PART_A])) {
      perp_mtx_write_dense(&out->file, n, a, stride);
      end_file(out);
    }
    return;
  }
  if (perp_operator_contact_data(op, &contact) == PERP_OK) {
    write_contact(out, op, &contact);
    return;
  }
  if (perp_operator_stencil_data(op, &stencil) == PERP_OK) {
    int columns, *cells;
    out->error = perp_structure_cells(&stencil, n, &columns, &cells, out->why);
    if (out->error)
      return;
    write_integers(out, perp_part_name[PERP_PART_CELLS], n, columns, cells);
    perp_free(cells);
  }
  if (!out->error)
    write_assembled(out, perp_part_name[PERP_PART_A], op);
}

static void write_parts(output *out, const perp_instance *t)
{
  const int n = perp_operator_size(t->A);
  write_operator(out, t->A);
  write_array(out, perp_part_name[PERP_PART_B], n, 1, t->b);
  write_array(out, perp_part_name[PERP_PART_LO], n, 1, t->lo);
  write_array(out, perp_part_name[PERP_PART_HI], n, 1, t->hi);
  write_array(out, perp_part_name[PERP_PART_MU], t->cones, t->dim ? PERP_FRICTION_MU : 1, t->mu);
  write_array(out, perp_part_name[PERP_PART_X], n, 1, t->x);
  write_array(out, perp_part_name[PERP_PART_U], n, 1, t->u);
  write_integers(out, perp_part_name[PERP_PART_FINDEX], n, 1, t->findex);
  write_integers(out, perp_part_name[PERP_PART_CONE], t->cones, 1, t->cone);
  write_integers(out, perp_part_name[PERP_PART_DIM], t->cones, 1, t->dim);
  write_integers(out, perp_part_name[PERP_PART_LAW], t->cones, 1, t->law);
  if (t->kind != PERP_KIND_UNKNOWN && begin_file(out, perp_part_name[PERP_PART_KIND])) {
    perp_writer_text(&out->file, perp_kind_name(t->kind));
    perp_writer_text(&out->file, "\n");
    end_file(out);
  }
}

static perp_error write_into(const char *folder, bool fresh, const perp_instance *instance,
                             perp_message *why)
{
  output out = {.path = folder, .fresh = fresh, .why = why};
  write_parts(&out, instance);
  perp_writer_abandon(&out.file);
  return out.error;
}

perp_error perp_folder_write(const char *path, const perp_instance *instance, perp_message *why)
{
  perp_message own = {""};
  if (!path || !instance || !instance->A || !instance->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_folder_write: path, A or b is NULL");
  return perp_folder_replace(path, write_into, instance, why ? why : &own);
}

/* Borrows the arrays: writing reads them and frees nothing. */
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
      .dim = K->cones > 0 ? (int *)K->dim : NULL,
      .law = K->cones > 0 && K->dim ? (int *)K->law : NULL,
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
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_problem_write: problem is NULL");
  const perp_error error = perp_problem_validate(problem, why);
  if (error)
    return error;
  const perp_instance instance = borrow(problem, x);
  return perp_folder_write(path, &instance, why);
}

/* ---- Quadratic programs ----
 *
 *   P.mtx q.mtx G.mtx l.mtx u.mtx lb.mtx ub.mtx
 *
 * each of which may be missing, or compressed by gzip. An array makes P and G dense, a file of
 * coordinates sparse. */

/* *values stays NULL if the file does not exist; *length: the required length, -1: any. */
static perp_error read_numbers(source *f, const char *name, bool finite, int *length,
                               double **values)
{
  perp_mtx_rule rule = perp_mtx_rule_any(name);
  rule.vector = true;
  rule.finite = finite;
  rule.rows = *length;
  return read_vector(f, &rule, values, length);
}

static perp_error read_G(source *f, perp_qp_instance *t, int *n)
{
  perp_mtx G = {0};
  perp_mtx_rule rule = perp_mtx_rule_any("G");
  rule.finite = true;
  rule.columns = *n;
  if (!has(f, "G.mtx"))
    return PERP_OK;
  const perp_error error = read_matrix(f, "G.mtx", &rule, &G);
  if (error)
    return error;
  *n = G.columns;
  t->m = G.rows;
  t->G_start = G.start;
  t->G_column = G.column;
  t->G_value = G.value;
  return PERP_OK;
}

static perp_error read_program(source *f, perp_qp_instance *t)
{
  int n = -1;
  perp_error error = has(f, "P.mtx") ? read_plain(f, "P", false, &t->P) : PERP_OK;
  if (t->P)
    n = perp_operator_size(t->P);
  if (!error)
    error = read_numbers(f, "q", true, &n, &t->q);
  if (!error && n < 0)
    error = perp_fail(f->why, PERP_ERROR_FILE, "%s: has neither P.mtx nor q.mtx",
                      perp_path_shown(f->path));
  if (!error)
    error = read_G(f, t, &n);
  t->n = n;
  const struct {
    const char *name;
    int length;
    double **values;
  } bounds[] = {{"l", t->m, &t->l}, {"u", t->m, &t->u}, {"lb", n, &t->lb}, {"ub", n, &t->ub}};
  for (int k = 0; k < 4 && !error; k++) {
    int length = bounds[k].length;
    error = read_numbers(f, bounds[k].name, false, &length, bounds[k].values);
  }
  return error;
}

perp_error perp_qp_folder_read(const char *path, perp_qp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_folder_read: a pointer is NULL");
  *instance = (perp_qp_instance){0};
  source f = {.path = path, .room = strlen(path) + 32, .why = why, .count = -1};
  f.place = perp_arena_alloc(&f.memory, f.room, 1);
  perp_error error = f.place ? check_folder(path, why) : perp_path_no_memory(path, why);
  if (!error)
    error = read_program(&f, instance);
  perp_arena_free(&f.memory);
  if (error)
    perp_qp_instance_destroy(instance);
  else
    perp_folder_name(path, instance->name, sizeof instance->name);
  return error;
}

perp_error perp_qp_folder_write(const char *path, const perp_qp_instance *t, perp_message *why)
{
  perp_message own = {""};
  if (!path || !t)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_folder_write: a pointer is NULL");
  output out = {.path = path, .why = why ? why : &own};
  if (perp_system_look(path) == PERP_PLACE_NONE && !perp_system_make_folder(path))
    return perp_fail(out.why, PERP_ERROR_FILE, "%s: %s", perp_path_shown(path), strerror(errno));
  if (t->P)
    write_assembled(&out, "P.mtx", t->P);
  if (t->m > 0 && t->G_start)
    write_csr(&out, "G.mtx", t->m, t->n, t->G_start, t->G_column, t->G_value);
  else if (t->m > 0)
    write_array(&out, "G.mtx", t->m, t->n, t->G_value);
  write_array(&out, "q.mtx", t->n, 1, t->q);
  write_array(&out, "l.mtx", t->m, 1, t->m > 0 ? t->l : NULL);
  write_array(&out, "u.mtx", t->m, 1, t->m > 0 ? t->u : NULL);
  write_array(&out, "lb.mtx", t->n, 1, t->lb);
  write_array(&out, "ub.mtx", t->n, 1, t->ub);
  perp_writer_abandon(&out.file);
  return out.error;
}
