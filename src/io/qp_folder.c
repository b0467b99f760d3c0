/* qp_folder.c: quadratic programs as folders of Matrix Market files
 *
 *   P.mtx q.mtx G.mtx l.mtx u.mtx lb.mtx ub.mtx
 *
 * each of which may be missing, or compressed by gzip. An array makes P and G dense, a file of
 * coordinates sparse. */
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "io/folder.h"
#include "io/structure.h"
#include <perp/qp.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Finds the file NAME.mtx or NAME.mtx.gz of the folder; *path is NULL if there is none, or no
 * memory. */
static perp_error find(const char *folder, const char *name, char **path, perp_message *why)
{
  static const char *const endings[] = {".mtx", ".mtx.gz"};
  const size_t room = strlen(folder) + strlen(name) + 16;
  *path = perp_alloc(room, 1);
  if (!*path)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", perp_path_shown(folder));
  for (int k = 0; k < 2; k++) {
    snprintf(*path, room, "%s/%s%s", folder, name, endings[k]);
    if (perp_file_exists(*path))
      return PERP_OK;
  }
  perp_free(*path);
  *path = NULL;
  return PERP_OK;
}

static perp_error read_matrix(const char *folder, const char *name, perp_mtx_rule rule,
                              perp_mtx *matrix, char **path, perp_message *why)
{
  rule.name = name;
  *matrix = (perp_mtx){0};
  const perp_error error = find(folder, name, path, why);
  return error || !*path ? error : perp_mtx_read(*path, &rule, matrix, why);
}

/* *values stays NULL if the file does not exist; *length: the required length, -1: any. */
static perp_error read_vector(const char *folder, const char *name, bool finite, int *length,
                              double **values, perp_message *why)
{
  perp_mtx vector;
  char *path;
  perp_mtx_rule rule = perp_mtx_rule_any(name);
  rule.vector = true;
  rule.finite = finite;
  rule.rows = *length;
  perp_error error = read_matrix(folder, name, rule, &vector, &path, why);
  if (!error && path)
    error = perp_mtx_take(&vector, path, values, length, why);
  perp_free(path);
  return error;
}

static perp_error read_G(const char *folder, perp_qp_instance *t, int *n, perp_message *why)
{
  perp_mtx G;
  char *path;
  perp_mtx_rule rule = perp_mtx_rule_any("G");
  rule.finite = true;
  rule.columns = *n;
  const perp_error error = read_matrix(folder, "G", rule, &G, &path, why);
  if (!error && path) {
    *n = G.columns;
    t->m = G.rows;
    t->G_start = G.start;
    t->G_column = G.column;
    t->G_value = G.value;
    G = (perp_mtx){0};
  }
  perp_mtx_free(&G);
  perp_free(path);
  return error;
}

static perp_error read_all(const char *folder, perp_qp_instance *t, perp_message *why)
{
  perp_mtx P;
  char *path;
  int n = -1;
  perp_mtx_rule rule = perp_mtx_rule_any("P");
  rule.square = rule.finite = true;
  perp_error error = read_matrix(folder, "P", rule, &P, &path, why);
  if (!error && path) {
    n = P.rows;
    error = perp_structure_plain(&P, path, &t->P, why);
  }
  perp_mtx_free(&P);
  perp_free(path);
  if (!error)
    error = read_vector(folder, "q", true, &n, &t->q, why);
  if (!error && n < 0)
    error =
        perp_fail(why, PERP_ERROR_FILE, "%s: has neither P.mtx nor q.mtx", perp_path_shown(folder));
  if (!error)
    error = read_G(folder, t, &n, why);
  t->n = n;
  int m = t->m;
  if (!error)
    error = read_vector(folder, "l", false, &m, &t->l, why);
  if (!error)
    error = read_vector(folder, "u", false, &m, &t->u, why);
  if (!error)
    error = read_vector(folder, "lb", false, &n, &t->lb, why);
  if (!error)
    error = read_vector(folder, "ub", false, &n, &t->ub, why);
  return error;
}

perp_error perp_qp_folder_read(const char *path, perp_qp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_folder_read: a pointer is NULL");
  *instance = (perp_qp_instance){0};
  perp_error error = perp_folder_check(path, why);
  if (!error)
    error = read_all(path, instance, why);
  if (error)
    perp_qp_instance_destroy(instance);
  else
    perp_folder_name(path, instance->name, sizeof instance->name);
  return error;
}

/* ---- Writing ---- */

/* Writes G as compressed rows, even if it is dense. */
static perp_error write_G(perp_folder_output *out, const perp_qp_instance *t)
{
  if (t->G_start)
    return perp_folder_csr(out, "G.mtx", t->m, t->n, t->G_start, t->G_column, t->G_value);
  perp_mtx G = {.rows = t->m, .columns = t->n, .entries = (int64_t)t->m * t->n};
  G.value = perp_alloc_copy(t->G_value, (size_t)G.entries, sizeof *G.value);
  perp_error error = G.value ? perp_mtx_to_csr(&G, "G.mtx", out->why)
                             : perp_fail(out->why, PERP_ERROR_MEMORY, "%s: out of memory",
                                         perp_path_shown(out->path));
  if (!error)
    error = perp_folder_csr(out, "G.mtx", t->m, t->n, G.start, G.column, G.value);
  perp_mtx_free(&G);
  return error;
}

perp_error perp_qp_folder_write(const char *path, const perp_qp_instance *t, perp_message *why)
{
  perp_message own = {""};
  if (!path || !t)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_folder_write: a pointer is NULL");
  perp_folder_output out = {.path = path, .why = why ? why : &own};
  const struct {
    const char *name;
    int length;
    const double *values;
  } vectors[] = {{"q.mtx", t->n, t->q},
                 {"l.mtx", t->m, t->m > 0 ? t->l : NULL},
                 {"u.mtx", t->m, t->m > 0 ? t->u : NULL},
                 {"lb.mtx", t->n, t->lb},
                 {"ub.mtx", t->n, t->ub}};
  if (perp_system_look(path) == PERP_PLACE_NONE && !perp_system_make_folder(path))
    return perp_fail(out.why, PERP_ERROR_FILE, "%s: %s", perp_path_shown(path), strerror(errno));
  perp_error error = t->P ? perp_folder_assembled(&out, "P.mtx", t->P) : PERP_OK;
  if (!error && t->m > 0)
    error = write_G(&out, t);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors && !error; k++)
    if (vectors[k].values)
      error = perp_folder_array(&out, vectors[k].name, vectors[k].length, 1, vectors[k].values);
  perp_writer_abandon(&out.file);
  return error;
}
