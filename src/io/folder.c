/* folder.c: reading a problem from a folder of Matrix Market files
 *
 *   A.mtx                    array: dense; coordinate: csr; with cells.mtx: stencil
 *   J.mtx Minv.mtx [C.mtx]   in place of A.mtx: contact
 *   b.mtx [lo hi findex mu x u].mtx [kind.txt]
 *
 * Each file may also be compressed by gzip: b.mtx.gz. The files may also be named one by one. */
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "io/publish.h"
#include "io/structure.h"
#include <perp/io.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 1000 };

/* One folder being read, or files that were named. */
typedef struct {
  const char *path; /* in messages, and of the folder */
  char *place;      /* room for the path of any file in it; owned */
  size_t room;
  perp_message *why;
  int count; /* of files that were named, -1: it is a folder */
  const char *const *names, *const *paths;
} folder;

/* The file that was named for "A.mtx", that is for "A"; NULL: none. */
static const char *named(const folder *f, const char *file)
{
  const size_t length = strcspn(file, ".");
  for (int k = 0; k < f->count; k++)
    if (strlen(f->names[k]) == length && strncmp(f->names[k], file, length) == 0)
      return f->paths[k];
  return NULL;
}

/* Whether there is such a file; f->place is then its path. Cannot fail: an absent file must never be
 * taken for a lack of memory, nor the reverse. */
static bool has(const folder *f, const char *name)
{
  if (f->count >= 0) {
    const char *path = named(f, name);
    snprintf(f->place, f->room, "%s", path ? path : "");
    return path != NULL; /* it was asked for: if it is not there, reading it says so */
  }
  snprintf(f->place, f->room, "%s/%s", f->path, name);
  if (perp_file_exists(f->place))
    return true;
  snprintf(f->place, f->room, "%s/%s.gz", f->path, name);
  return perp_file_exists(f->place);
}

/* Of b.mtx and b.mtx.gz one would be ignored. */
static bool has_both(const folder *f, const char *name)
{
  if (f->count >= 0 || !has(f, name))
    return false;
  const size_t length = strlen(f->place);
  const bool compressed = length > 3 && strcmp(f->place + length - 3, ".gz") == 0;
  snprintf(f->place, f->room, "%s/%s.gz", f->path, name);
  return !compressed && perp_file_exists(f->place);
}

static perp_error no_memory(const folder *f)
{
  return perp_fail(f->why, PERP_ERROR_MEMORY, "%s: out of memory", perp_path_shown(f->path));
}

/* *path is the file's, from perp_alloc; the caller frees it, also if reading failed. */
static perp_error read_matrix(const folder *f, const char *file, const perp_mtx_rule *rule,
                              perp_mtx *matrix, char **path)
{
  *path = NULL;
  if (has_both(f, file))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: holds both %s and %s.gz",
                     perp_path_shown(f->path), file, file);
  has(f, file); /* for its place */
  *path = perp_alloc_copy(f->place, strlen(f->place) + 1, 1);
  if (!*path)
    return no_memory(f);
  return perp_mtx_read(*path, rule, matrix, f->why);
}

/* A vector of the instance; *values stays NULL if the file is missing. */
static perp_error read_vector(void *context, const perp_mtx_rule *rule, double **values,
                              int *length)
{
  const folder *f = context;
  perp_mtx vector = {0};
  char *path = NULL, file[32];
  snprintf(file, sizeof file, "%s.mtx", rule->name);
  if (!has(f, file))
    return PERP_OK;
  perp_error error = read_matrix(f, file, rule, &vector, &path);
  if (!error)
    error = perp_mtx_to_dense(&vector, path, f->why);
  if (!error) {
    *values = vector.value;
    vector.value = NULL;
    if (length)
      *length = (int)vector.entries;
  }
  perp_mtx_free(&vector);
  perp_free(path);
  return error;
}

static perp_error read_plain(const folder *f, perp_operator **A)
{
  perp_mtx matrix = {0}, cells = {0};
  char *path = NULL, *cells_path = NULL;
  perp_mtx_rule rule = perp_mtx_rule_any("A");
  rule.square = rule.finite = true;
  perp_error error = read_matrix(f, "A.mtx", &rule, &matrix, &path);
  if (!error && has(f, "cells.mtx")) {
    perp_mtx_rule cell = perp_mtx_rule_any("cells");
    cell.rows = matrix.rows;
    cell.whole = true;
    cell.least = INT_MIN;
    cell.most = INT_MAX;
    error = read_matrix(f, "cells.mtx", &cell, &cells, &cells_path);
    if (!error)
      error = perp_structure_stencil(&matrix, path, &cells, cells_path, A, f->why);
  } else if (!error) {
    error = perp_structure_plain(&matrix, path, A, f->why);
  }
  perp_mtx_free(&matrix);
  perp_mtx_free(&cells);
  perp_free(path);
  perp_free(cells_path);
  return error;
}

static perp_error read_contact(const folder *f, perp_operator **A)
{
  perp_mtx J = {0}, Minv = {0}, C = {0};
  char *paths[3] = {NULL};
  perp_mtx_rule rule = perp_mtx_rule_any("J");
  rule.finite = true;
  if (has(f, "A.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: holds both A.mtx and J.mtx",
                     perp_path_shown(f->path));
  if (!has(f, "Minv.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has J.mtx, but no Minv.mtx",
                     perp_path_shown(f->path));
  const bool compliant = has(f, "C.mtx");
  perp_error error = read_matrix(f, "J.mtx", &rule, &J, &paths[0]);
  if (!error) {
    rule.name = "Minv";
    rule.square = true;
    rule.rows = rule.columns = J.columns;
    error = read_matrix(f, "Minv.mtx", &rule, &Minv, &paths[1]);
  }
  if (!error && compliant) {
    rule.name = "C";
    rule.rows = rule.columns = J.rows;
    error = read_matrix(f, "C.mtx", &rule, &C, &paths[2]);
  }
  if (!error)
    error = perp_structure_contact(f->path, &J, &Minv, compliant ? &C : NULL, A, f->why);
  perp_mtx_free(&J);
  perp_mtx_free(&Minv);
  perp_mtx_free(&C);
  for (int k = 0; k < 3; k++)
    perp_free(paths[k]);
  return error;
}

/* kind.txt: one word. */
static perp_error read_kind(const folder *f, perp_kind *kind)
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

/* The last part of the path. */
static void name_after(const char *path, char *name, size_t room)
{
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/')
    end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/')
    begin--;
  snprintf(name, room, "%.*s", (int)(end - begin), path + begin);
}

static perp_error check_folder(const folder *f)
{
  const perp_place place = perp_system_look(f->path);
  if (place == PERP_PLACE_NONE)
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: %s", perp_path_shown(f->path),
                     errno == ENOENT ? "there is no such folder" : strerror(errno));
  if (place != PERP_PLACE_FOLDER)
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: is not a folder", perp_path_shown(f->path));
  return PERP_OK;
}

static perp_error read_parts(folder *f, perp_instance *instance)
{
  perp_error error = f->count < 0 ? check_folder(f) : PERP_OK;
  if (error)
    return error;
  const bool contact = has(f, "J.mtx");
  if (!contact && !has(f, "A.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has neither A.mtx nor J.mtx",
                     perp_path_shown(f->path));
  if (!has(f, "b.mtx"))
    return perp_fail(f->why, PERP_ERROR_FILE, "%s: has no b.mtx", perp_path_shown(f->path));

  error = contact ? read_contact(f, &instance->A) : read_plain(f, &instance->A);
  if (!error)
    error = read_kind(f, &instance->kind);
  const char *label = f->count < 0 ? "%s/%s.mtx" : "%s: %s";
  const perp_vectors vectors = {f->path, label, f, read_vector, 0, f->why};
  return error ? error : perp_structure_vectors(&vectors, instance);
}

/* A writer waits for the lock before it exchanges the folder, and an exchange that did not wait
 * (there are no locks, or somebody did it by hand) is seen by the folder's identity: then what was
 * read may be of two problems, and is read again. */
static perp_error read_whole(folder *f, perp_instance *instance)
{
  for (int k = 0;; k++) {
    const int lock = perp_system_lock(f->path, PERP_LOCK_SHARED);
    const perp_error error = read_parts(f, instance);
    const bool whole = perp_system_is_locked(lock, f->path);
    perp_system_unlock(lock);
    if (whole || k == TRIES)
      return error;
    perp_instance_destroy(instance);
  }
}

perp_error perp_folder_read(const char *path, perp_instance *instance, perp_message *why)
{
  if (!path || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_folder_read: a pointer is NULL");
  folder f = {.path = path, .room = strlen(path) + 32, .why = why, .count = -1};
  *instance = (perp_instance){0};
  f.place = perp_alloc(f.room, 1);
  const perp_error error = f.place ? read_whole(&f, instance) : no_memory(&f);
  perp_free(f.place);
  if (error)
    perp_instance_destroy(instance);
  else
    name_after(path, instance->name, sizeof instance->name);
  return error;
}

/* "A" is a part of a problem if A.mtx is a file of a folder. */
static bool is_part(const char *name)
{
  for (int part = 0; part < PERP_PARTS; part++)
    if (strlen(name) == strcspn(perp_part_name[part], ".") &&
        strncmp(name, perp_part_name[part], strlen(name)) == 0)
      return true;
  return false;
}

perp_error perp_parts_read(int count, const char *const names[], const char *const paths[],
                           perp_instance *instance, perp_message *why)
{
  if (count <= 0 || !names || !paths || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_parts_read: count = %d, or a pointer is NULL",
                     count);
  folder f = {
      .path = paths[0], .room = 1, .why = why, .count = count, .names = names, .paths = paths};
  *instance = (perp_instance){0};
  for (int k = 0; k < count; k++) {
    if (!names[k] || !paths[k] || !is_part(names[k]))
      return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_parts_read: '%.32s' is no part of a problem",
                       names[k] ? names[k] : "NULL");
    f.room = strlen(paths[k]) >= f.room ? strlen(paths[k]) + 1 : f.room;
  }
  f.place = perp_alloc(f.room, 1);
  const perp_error error = f.place ? read_parts(&f, instance) : no_memory(&f);
  perp_free(f.place);
  if (error)
    perp_instance_destroy(instance);
  else
    name_after(paths[0], instance->name, sizeof instance->name);
  return error;
}
