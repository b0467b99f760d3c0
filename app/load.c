/* load.c: the problem that an argument names */
#define _POSIX_C_SOURCE 200809L
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

__attribute__((format(printf, 3, 4))) static perp_error fail(perp_message *why, perp_error error,
                                                             const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why->text, sizeof why->text, format, arguments);
  va_end(arguments);
  return error;
}

bool app_is_mat(const char *path)
{
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".mat") == 0;
}

bool app_is_hdf5(const char *path)
{
  const size_t length = strlen(path);
  return (length > 5 && strcmp(path + length - 5, ".hdf5") == 0) ||
         (length > 3 && strcmp(path + length - 3, ".h5") == 0);
}

perp_error app_store(const char *path, const perp_instance *instance, perp_message *why)
{
  return app_is_mat(path)    ? perp_mat_write(path, instance, why)
         : app_is_hdf5(path) ? perp_fclib_write(path, instance, why)
                             : perp_folder_write(path, instance, why);
}

bool app_is_mtx(const char *path)
{
  const size_t length = strlen(path);
  return (length > 4 && strcmp(path + length - 4, ".mtx") == 0) ||
         (length > 7 && strcmp(path + length - 7, ".mtx.gz") == 0);
}

static bool is_file_of(const char *folder, const char *name, struct stat *found)
{
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  return length < (int)sizeof path && stat(path, found) == 0;
}

bool app_is_problem_folder(const char *path)
{
  struct stat found;
  return is_file_of(path, "A.mtx", &found) || is_file_of(path, "J.mtx", &found) ||
         is_file_of(path, "A.mtx.gz", &found) || is_file_of(path, "J.mtx.gz", &found);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder part of a path: "." if it has none. */
static void folder_of(const char *path, char *folder, size_t size)
{
  const char *slash = strrchr(path, '/');
  if (!slash)
    snprintf(folder, size, ".");
  else if (slash == path)
    snprintf(folder, size, "/");
  else
    snprintf(folder, size, "%.*s", (int)(slash - path), path);
}

bool app_is_input(const char *where, const char *path, bool solution)
{
  static const char *const names[] = {"x.mtx",      "A.mtx",   "b.mtx",    "lo.mtx",    "hi.mtx",
                                      "findex.mtx", "mu.mtx",  "cone.mtx", "cells.mtx", "J.mtx",
                                      "Minv.mtx",   "M.mtx",   "C.mtx",    "dim.mtx",   "law.mtx",
                                      "u.mtx",      "kind.txt"};
  char folder[4096];
  struct stat input, output;
  if (stat(where, &input) != 0)
    return false;
  if (stat(path, &output) == 0) {
    if (is_same_file(&input, &output))
      return true;
    for (size_t i = solution ? 0 : 1; i < sizeof names / sizeof *names; i++) {
      char compressed[16];
      snprintf(compressed, sizeof compressed, "%s.gz", names[i]);
      if ((is_file_of(where, names[i], &input) && is_same_file(&input, &output)) ||
          (is_file_of(where, compressed, &input) && is_same_file(&input, &output)))
        return true;
    }
    return false;
  }
  /* a file that is not there yet would be read as part of the problem next time */
  folder_of(path, folder, sizeof folder);
  if (stat(folder, &output) != 0 || !is_same_file(&input, &output))
    return false;
  const char *slash = strrchr(path, '/');
  for (size_t i = solution ? 0 : 1; i < sizeof names / sizeof *names; i++)
    if (strcmp(slash ? slash + 1 : path, names[i]) == 0)
      return true;
  return false;
}

static const char *kind_at(const void *unused, int i)
{
  (void)unused;
  return i < perp_generator_count() ? perp_generator_at(i).name : NULL;
}

app_hint app_suggest_kind(const char *where)
{
  char kind[64];
  snprintf(kind, sizeof kind, "%.*s", (int)strcspn(where, ":"), where);
  return perp_generator_find(kind) < 0
             ? app_suggest(kind, kind_at, NULL, "perp generate --list names the kinds")
             : (app_hint){""};
}

/* A name that only a file or a folder can have. */
static bool is_path(const char *where)
{
  return strchr(where, '/') || app_is_mat(where) || app_is_hdf5(where) || app_is_mtx(where);
}

perp_error app_load(const char *where, perp_instance *instance, perp_message *why)
{
  struct stat found;
  if (stat(where, &found) != 0) {
    const int reason = errno;
    const app_hint hint = app_suggest_kind(where);
    if (reason != ENOENT && reason != ENAMETOOLONG)
      return fail(why, PERP_ERROR_FILE, "%s: %s", where, strerror(reason));
    if (!hint.text[0]) /* KIND or KIND:key=value,... */
      return perp_generate(where, instance, why);
    if (is_path(where))
      return fail(why, PERP_ERROR_FILE, "%s: cannot read: %s", where, strerror(reason));
    return fail(why, PERP_ERROR_FILE, "%s: neither a problem folder nor a kind of problem%s", where,
                hint.text);
  }
  if (S_ISDIR(found.st_mode))
    return perp_folder_read(where, instance, why);
  if (app_is_mat(where))
    return perp_mat_read(where, instance, why);
  if (app_is_hdf5(where))
    return perp_fclib_read(where, instance, why);
  return fail(why, PERP_ERROR_FILE, "%s: neither a problem folder nor a .mat or .hdf5 file%s",
              where, app_is_mtx(where) ? "; perp solve A.mtx b.mtx takes two files" : "");
}

static bool is_empty_folder(const char *path)
{
  DIR *folder = opendir(path);
  if (!folder)
    return false;
  bool empty = true;
  for (const struct dirent *entry; empty && (entry = readdir(folder));)
    empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
  closedir(folder);
  return empty;
}

const char *app_objection(const char *to, bool force)
{
  struct stat found;
  if (app_is_stdout(to))
    return "a problem cannot be written to standard output; name a folder, a .mat or a .hdf5 file";
  if (stat(to, &found) != 0)
    return errno == ENOENT ? NULL : strerror(errno);
  if (app_is_mat(to) || app_is_hdf5(to)) {
    if (!S_ISREG(found.st_mode))
      return "exists and is not a regular file";
  } else if (!S_ISDIR(found.st_mode)) {
    return "exists and is neither a folder nor a .mat or .hdf5 file";
  } else if (is_empty_folder(to)) {
    return NULL;
  } else if (!app_is_problem_folder(to) && !is_file_of(to, "b.mtx", &found)) {
    return "exists and is not a problem folder";
  }
  return force ? NULL : "exists; --force replaces it";
}

const char *app_kind_words(perp_kind kind)
{
  static const char *const words[] = {"", "one solution", "one or more solutions", "no solution"};
  return kind <= PERP_KIND_INFEASIBLE ? words[kind] : "";
}

app_summary app_describe(const perp_instance *instance)
{
  const perp_problem problem = perp_instance_problem(instance);
  app_summary summary;
  snprintf(summary.text, sizeof summary.text, "n %d, %s%s%s%s%s", problem.K.n,
           perp_form_name(perp_set_form(&problem.K)),
           instance->kind == PERP_KIND_UNKNOWN ? "" : ", ", app_kind_words(instance->kind),
           instance->x ? ", solution known" : "", instance->u ? ", certificate known" : "");
  return summary;
}

app_summary app_summarise(const perp_problem *problem)
{
  app_summary summary;
  const int64_t nonzeros = perp_operator_nonzeros(problem->A);
  char count[48] = "";
  if (nonzeros >= 0)
    snprintf(count, sizeof count, ", nonzeros %lld", (long long)nonzeros);
  snprintf(summary.text, sizeof summary.text, "n %d%s, %s, %s", perp_operator_size(problem->A),
           count, perp_form_name(perp_set_form(&problem->K)), perp_operator_kind(problem->A));
  return summary;
}
