/* exchange.c: replaces a problem folder as a whole, through a hidden folder */
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "io/file.h"
#include "io/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- The hidden folder ---- */

bool perp_stage_open(perp_stage *stage, const char *parent, const char *prefix,
                     void (*remove)(const char *path))
{
  enum { STAGES = 1000 };
  stage->lock = perp_system_lock(parent);
  for (int k = 0; k < STAGES; k++) {
    snprintf(stage->path, sizeof stage->path, "%s-%d", prefix, k);
    if (stage->lock >= 0)
      remove(stage->path); /* left by a killed process */
    if (perp_system_make_folder(stage->path))
      return true;
    if (errno != EEXIST)
      break;
  }
  const int reason = errno;
  perp_system_unlock(stage->lock);
  errno = reason;
  return false;
}

void perp_stage_close(perp_stage *stage, void (*remove)(const char *path))
{
  remove(stage->path);
  perp_system_unlock(stage->lock);
}

/* ---- Files of a folder ---- */

const char *const perp_part_name[PERP_PARTS] = {
    "A.mtx",   "J.mtx",   "cells.mtx", "Minv.mtx",   "M.mtx",   "C.mtx",
    "b.mtx",   "lo.mtx",  "hi.mtx",    "findex.mtx", "mu.mtx",  "cone.mtx",
    "dim.mtx", "law.mtx", "x.mtx",     "u.mtx",      "kind.txt"};

/* Returns true for a file of a problem, perhaps compressed, or a writer's leftover: A.mtx.new-0 or
 * .new-0. */
static bool is_part(const char *name)
{
  for (int part = 0; part < PERP_PARTS; part++) {
    const size_t length = strlen(perp_part_name[part]);
    if (strncmp(name, perp_part_name[part], length) == 0 &&
        (name[length] == 0 || strcmp(name + length, ".gz") == 0 ||
         strncmp(name + length, ".new-", 5) == 0))
      return true;
  }
  return strncmp(name, ".new-", 5) == 0;
}

static void remove_problem(const char *folder);

static void remove_part(void *folder, const char *name)
{
  char path[PERP_PATH_ROOM + PERP_NAME_ROOM];
  snprintf(path, sizeof path, "%s/%s", *(const char **)folder, name);
  if (is_part(name) && !perp_system_remove(path) && perp_system_look(path) == PERP_PLACE_FOLDER)
    remove_problem(path);
}

/* Removes perp's files from a folder, and the folder if it is then empty. */
static void remove_problem(const char *folder)
{
  perp_system_list(folder, remove_part, &folder);
  perp_system_remove_folder(folder);
}

static void find_other(void *others, const char *name)
{
  if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_part(name))
    *(bool *)others = true;
}

/* Returns true for a folder with perp's files only that is not the current one. */
static bool may_exchange(const char *folder)
{
  bool others = false;
  const perp_stamp its = perp_system_stamp(folder), current = perp_system_stamp(".");
  return perp_system_list(folder, find_other, &others) && !others &&
         !(its.device == current.device && its.number == current.number);
}

/* Refuses to replace a part that is a folder or read-only. */
static perp_error check_parts(const char *folder, perp_message *why)
{
  char path[PERP_PATH_ROOM + PERP_NAME_ROOM];
  for (int part = 0; part < PERP_PARTS; part++) {
    snprintf(path, sizeof path, "%s/%s", folder, perp_part_name[part]);
    const perp_place place = perp_system_look(path);
    if (place == PERP_PLACE_FOLDER)
      return perp_fail(why, PERP_ERROR_FILE, "%s: is a folder, not a file", perp_path_shown(path));
    if (place != PERP_PLACE_NONE && !perp_system_may_write(path))
      return perp_path_failed(path, "write", errno, why);
  }
  return PERP_OK;
}

/* ---- The exchange ---- */

/* Returns the folder that `path` names, with links followed and without trailing slashes. */
static char *target_of(const char *path)
{
  char followed[PERP_PATH_ROOM];
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  char *target = perp_alloc_copy(path, length + 1, 1);
  if (!target)
    return NULL;
  target[length] = 0;
  if (!perp_system_follow(target, followed))
    return target;
  perp_free(target);
  return perp_alloc_copy(followed, strlen(followed) + 1, 1);
}

/* Opens the stage next to the folder; inside if the folder is not to be exchanged or its parent
 * cannot be written. */
static bool open_stage(perp_stage *stage, const char *path, bool exists)
{
  const char *slash = strrchr(path, '/');
  const int before = slash ? (int)(slash + 1 - path) : 0;
  char parent[PERP_PATH_ROOM + 4], prefix[PERP_PATH_ROOM];
  errno = ENAMETOOLONG;
  if (strlen(path) + PERP_NAME_ROOM > PERP_PATH_ROOM)
    return false;
  if (exists)
    snprintf(parent, sizeof parent, "%s/..", path);
  else
    snprintf(parent, sizeof parent, "%.*s", slash ? before : 1, slash ? path : ".");
  snprintf(prefix, sizeof prefix, "%.*s.%.200s.new", before, path, path + before);
  if ((!exists || may_exchange(path)) && perp_stage_open(stage, parent, prefix, remove_problem))
    return true;
  snprintf(prefix, sizeof prefix, "%s/.new", path);
  return exists && perp_stage_open(stage, parent, prefix, remove_problem);
}

static perp_error remove_file(const char *folder, const char *name, const char *ending,
                              perp_message *why)
{
  char path[PERP_PATH_ROOM + PERP_NAME_ROOM];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  return perp_system_remove(path) || errno == ENOENT ? PERP_OK
                                                     : perp_path_failed(path, "remove", errno, why);
}

/* Moves the files of the stage over those of the folder, one by one. The matrix of the old problem
 * goes first, the one of the new problem comes last. */
static perp_error move_parts(const char *stage, const char *folder, perp_message *why)
{
  perp_error error = PERP_OK;
  for (int part = 0; part <= PERP_PART_J && !error; part++) {
    error = remove_file(folder, perp_part_name[part], "", why);
    if (!error)
      error = remove_file(folder, perp_part_name[part], ".gz", why);
  }
  for (int part = PERP_PARTS - 1; part >= 0 && !error; part--) {
    char from[PERP_PATH_ROOM + PERP_NAME_ROOM], to[sizeof from];
    snprintf(from, sizeof from, "%s/%s", stage, perp_part_name[part]);
    snprintf(to, sizeof to, "%s/%s", folder, perp_part_name[part]);
    error = remove_file(folder, perp_part_name[part], ".gz", why);
    if (!error && !perp_system_exists(from))
      error = remove_file(folder, perp_part_name[part], "", why);
    else if (!error && !perp_system_replace(from, to))
      error = perp_path_failed(to, "write", errno, why);
  }
  return error;
}

/* Makes the files of the stage the problem of the folder; the stage then holds the old one. */
static perp_error publish(const char *stage, const char *folder, perp_message *why)
{
  if (perp_system_look(folder) != PERP_PLACE_FOLDER)
    return perp_system_replace(stage, folder)
               ? PERP_OK
               : perp_path_failed(folder, "make the folder", errno, why);
  return may_exchange(folder) && perp_system_exchange(stage, folder)
             ? PERP_OK
             : move_parts(stage, folder, why);
}

perp_error perp_folder_replace(const char *path, perp_folder_writer *write,
                               const perp_instance *problem, perp_message *why)
{
  perp_stage stage;
  char *target = target_of(path);
  if (!target)
    return perp_path_no_memory(path, why);
  const perp_place place = perp_system_look(target);
  const bool exists = place == PERP_PLACE_FOLDER;
  perp_error error = PERP_OK;
  if (exists)
    error = check_parts(target, why);
  else if (place != PERP_PLACE_NONE)
    error = perp_fail(why, PERP_ERROR_FILE, "%s: is not a folder", perp_path_shown(path));
  if (!error && !open_stage(&stage, target, exists))
    error = perp_path_failed(path, exists ? "write in the folder" : "make the folder", errno, why);
  else if (!error) {
    error = write(stage.path, !exists, problem, why);
    if (!error)
      error = publish(stage.path, target, why);
    perp_stage_close(&stage, remove_problem);
  }
  perp_free(target);
  return error;
}
