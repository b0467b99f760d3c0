/* folders.c: the folders that a simulation writes problems and images in
 *
 * The name of a file is the number of its frame, after the name of its run if several runs are
 * compared. Files of an earlier run with such names could be mistaken for files of this run. If the
 * call names the folder, this is an error; a folder of failures that the program itself has named
 * is cleared. The program removes only folders that have a name that this call would give, and that
 * hold a problem with its solution and no other file. */
#define _XOPEN_SOURCE 700
#include "simulate.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 6 };

perp_error folder_make(const char *path, perp_message *why)
{
  struct stat status;
  if (mkdir(path, 0777) != 0 && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)))
    return app_say(why, PERP_ERROR_FILE, path, ": cannot make the folder");
  return PERP_OK;
}

perp_error folder_try(const char *path, perp_message *why)
{
  struct stat status;
  const bool there = stat(path, &status) == 0;
  const perp_error error = folder_make(path, why);
  if (!error && !there)
    rmdir(path);
  return error;
}

perp_error folder_name(const sim_request *r, const sim_run *run, const char *folder, int64_t index,
                       char path[4096], perp_message *why)
{
  char label[sizeof run->label + 1] = "";
  if (r->compare)
    snprintf(label, sizeof label, "%s-", run->label);
  for (char *c = label; *c; c++)
    if (!strchr("-._", *c) && !isalnum((unsigned char)*c))
      *c = '_';
  if (snprintf(path, 4096, "%s/%s%0*lld", folder, label, DIGITS, (long long)index) >= 4096 - 12)
    return app_say(why, PERP_ERROR_FILE, folder,
                   ": the path is too long"); /* .png or /start.mtx comes behind */
  return PERP_OK;
}

/* Does folder_name give such names, with that behind it? */
static bool is_such_name(const char *name, const char *behind)
{
  const size_t length = strlen(name), tail = strlen(behind);
  if (length < tail || strcmp(name + length - tail, behind) != 0)
    return false;
  size_t digits = 0;
  while (digits < length - tail && isdigit((unsigned char)name[length - tail - 1 - digits]))
    digits++;
  return digits >= DIGITS && (digits == length - tail || name[length - tail - 1 - digits] == '-');
}

typedef struct visit {
  int count;
  char first[NAME_MAX + 1];
} visit;

/* Calls `see` with the path of each entry of such a name; counts those for which it returns
 * true. */
static visit walk(const char *folder, const char *behind, bool (*see)(const char *, const void *),
                  const void *with)
{
  visit found = {0};
  char path[4096];
  DIR *opened = opendir(folder);
  for (struct dirent *e; opened && (e = readdir(opened));) {
    if (!is_such_name(e->d_name, behind) ||
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path ||
        !see(path, with))
      continue;
    if (found.count == 0 || strcmp(e->d_name, found.first) < 0)
      snprintf(found.first, sizeof found.first, "%s", e->d_name);
    found.count++;
  }
  if (opened)
    closedir(opened);
  return found;
}

static bool is_problem(const char *path, const void *unused)
{
  (void)unused;
  return app_is_problem_folder(path);
}

perp_error folder_check(const char *path, perp_message *why)
{
  const visit found = walk(path, "", is_problem, NULL);
  if (found.count == 0)
    return PERP_OK;
  snprintf(why->text, sizeof why->text,
           "%.200s: has %d problem%s of an earlier run, %.64s%s; remove %s, or name another folder",
           path, found.count, found.count > 1 ? "s" : "", found.first,
           found.count > 1 ? " the first" : "", found.count > 1 ? "them" : "it");
  return PERP_ERROR_FILE;
}

/* The files that a problem with a solution is written as. */
static const char *const parts[] = {"A.mtx",  "cells.mtx", "J.mtx",   "Minv.mtx", "M.mtx",
                                    "C.mtx",  "b.mtx",     "lo.mtx",  "hi.mtx",   "findex.mtx",
                                    "mu.mtx", "cone.mtx",  "dim.mtx", "law.mtx",  "x.mtx"};
enum { PARTS = sizeof parts / sizeof *parts };

/* Is there nothing in the folder but a problem with its solution? */
static bool holds_problem_alone(const char *path)
{
  bool alone = app_is_problem_folder(path);
  int vectors = 0;
  DIR *opened = opendir(path);
  for (struct dirent *e; opened && alone && (e = readdir(opened));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
      continue;
    struct stat status;
    char file[4160];
    int part = 0;
    while (part < PARTS && strcmp(parts[part], e->d_name) != 0)
      part++;
    alone = part < PARTS && snprintf(file, sizeof file, "%s/%s", path, parts[part]) > 0 &&
            lstat(file, &status) == 0 && S_ISREG(status.st_mode);
    vectors += strcmp(e->d_name, "b.mtx") == 0 || strcmp(e->d_name, "x.mtx") == 0;
  }
  if (opened)
    closedir(opened);
  return opened && alone && vectors == 2;
}

/* Whose folders are removed. */
typedef struct owner {
  const sim_request *r;
  const runs *all;
  const char *folder;
} owner;

/* Would a run of this call give that path? */
static bool is_ours(const owner *o, const char *path)
{
  const char *digits = path + strlen(path);
  while (isdigit((unsigned char)digits[-1]))
    digits--;
  char name[4096];
  for (int k = 0; k < o->all->count; k++)
    if (!folder_name(o->r, &o->all->item[k], o->folder, atoll(digits), name, &(perp_message){""}) &&
        strcmp(name, path) == 0)
      return true;
  return false;
}

static bool remove_problem(const char *path, const void *for_whom)
{
  struct stat status;
  if (!is_ours(for_whom, path))
    return false;
  if (lstat(path, &status) != 0 || !S_ISDIR(status.st_mode) || !holds_problem_alone(path))
    return false;
  char file[4160];
  for (int k = 0; k < PARTS; k++) {
    snprintf(file, sizeof file, "%s/%s", path, parts[k]);
    unlink(file);
  }
  return rmdir(path) == 0;
}

void folder_clear(const sim_request *r, const runs *all, const char *path)
{
  const owner o = {r, all, path};
  if (walk(path, "", remove_problem, &o).count > 0)
    rmdir(path); /* if it holds other things, it stays */
}

static bool is_there(const char *path, const void *unused)
{
  (void)path;
  (void)unused;
  return true;
}

int folder_count_images(const char *path)
{
  return walk(path, ".png", is_there, NULL).count;
}
