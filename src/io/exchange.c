/* exchange.c: replaces a problem folder atomically, through a hidden folder */
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "io/file.h"
#include "io/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- The hidden folder ---- */

/* Leftover folders are searched under the first NAMES names, even if an earlier name is free. */
enum { NAMES = 4, STAGES = 1000 };

/* Returns true if the folder is new and ours: another process may take it for a leftover and remove
 * it before we lock it. */
static bool make_locked(perp_stage *stage)
{
  if (!perp_system_make_folder(stage->path))
    return false;
  stage->lock = perp_system_lock(stage->path, PERP_LOCK_TRY);
  /* Gone: another process removed it as a leftover. If it exists again, it belongs to someone
   * else. */
  const bool lost = stage->lock < 0 && (errno == EWOULDBLOCK || errno == ENOENT);
  if (!lost && perp_system_is_locked(stage->lock, stage->path))
    return true;
  perp_system_unlock(stage->lock);
  stage->lock = -1;
  errno = EEXIST;
  return false;
}

/* Removes folders that killed processes have left under the names `prefix`-K. */
static void clean_stages(const char *prefix, void (*remove)(const char *path))
{
  char path[PERP_PATH_ROOM + 16];
  for (int k = 0; k < NAMES; k++) {
    snprintf(path, sizeof path, "%s-%d", prefix, k);
    const int lock = perp_system_lock(path, PERP_LOCK_TRY);
    /* its owner may have renamed it meanwhile: then this is another process's new folder */
    if (lock >= 0 && perp_system_is_locked(lock, path))
      remove(path);
    perp_system_unlock(lock);
  }
}

bool perp_stage_open(perp_stage *stage, const char *prefix, void (*remove)(const char *path))
{
  const size_t room = strlen(prefix) + 16;
  clean_stages(prefix, remove);
  *stage = (perp_stage){.path = perp_alloc(room, 1), .lock = -1};
  errno = ENOMEM;
  if (!stage->path)
    return false;
  for (int k = 0; k < STAGES; k++) {
    snprintf(stage->path, room, "%s-%d", prefix, k);
    if (make_locked(stage))
      return true;
    if (errno != EEXIST)
      break;
  }
  const int reason = errno;
  perp_stage_close(stage);
  errno = reason;
  return false;
}

void perp_stage_close(perp_stage *stage)
{
  if (stage->path)
    perp_system_unlock(stage->lock);
  perp_free(stage->path);
  *stage = (perp_stage){.lock = -1};
}

/* ---- The exchange ---- */

const char *const perp_part_name[PERP_PARTS] = {
    "A.mtx",   "J.mtx",   "cells.mtx", "Minv.mtx",   "M.mtx",   "C.mtx",
    "b.mtx",   "lo.mtx",  "hi.mtx",    "findex.mtx", "mu.mtx",  "cone.mtx",
    "dim.mtx", "law.mtx", "x.mtx",     "u.mtx",      "kind.txt"};

enum { NAME_SHOWN = 200, TRIES = 1000 };

/* ---- Files of a folder ---- */

/* Returns true for a file of a problem, perhaps compressed, or a writer's leftover:
 * A.mtx.new-12-0. */
static bool is_part(const char *name)
{
  for (int part = 0; part < PERP_PARTS; part++) {
    const size_t length = strlen(perp_part_name[part]);
    if (strncmp(name, perp_part_name[part], length) == 0 &&
        (name[length] == 0 || strcmp(name + length, ".gz") == 0 ||
         strncmp(name + length, ".new-", 5) == 0))
      return true;
  }
  return false;
}

static void remove_part(void *folder, const char *name)
{
  char path[PERP_PATH_ROOM + PERP_NAME_ROOM];
  snprintf(path, sizeof path, "%s/%s", *(const char **)folder, name);
  if (is_part(name))
    perp_system_remove(path);
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

static bool holds_others(const char *folder)
{
  bool others = false;
  return !perp_system_list(folder, find_other, &others) || others;
}

/* ---- Opening ---- */

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

/* Refuses to replace a part that is a folder or read-only. */
static perp_error check_parts(perp_publication *p)
{
  char followed[PERP_PATH_ROOM];
  for (int part = 0; part < PERP_PARTS; part++) {
    char *path = perp_path_join(p->path, perp_part_name[part]);
    if (!path)
      return perp_path_no_memory(p->path, p->why);
    const perp_place place = perp_system_look(path);
    perp_error error = PERP_OK;
    if (place == PERP_PLACE_FOLDER)
      error =
          perp_fail(p->why, PERP_ERROR_FILE, "%s: is a folder, not a file", perp_path_shown(path));
    else if (place != PERP_PLACE_NONE && !perp_system_may_write(path))
      error = perp_path_failed(path, "write", errno, p->why);
    p->within = p->within || perp_system_follow(path, followed);
    p->fresh = p->fresh && place == PERP_PLACE_NONE;
    perp_free(path);
    if (error)
      return error;
  }
  return PERP_OK;
}

/* Opens the stage next to the folder; returns false if that fails or the folder could not be
 * exchanged. */
static bool open_temporary(perp_publication *p)
{
  const char *slash = strrchr(p->path, '/');
  const char *name = slash ? slash + 1 : p->path;
  char prefix[PERP_PATH_ROOM];
  if (p->within || !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    return false;
  const int length = snprintf(prefix, sizeof prefix, "%.*s.%.*s.new", (int)(name - p->path),
                              p->path, NAME_SHOWN, name);
  errno = ENAMETOOLONG;
  return length < (int)sizeof prefix && perp_stage_open(&p->stage, prefix, remove_problem);
}

/* Takes the lock at once: the folder must not be exchanged while it contains a stage. */
static bool open_within(perp_publication *p)
{
  char prefix[PERP_PATH_ROOM];
  p->within = true;
  p->lock = perp_system_lock(p->path, PERP_LOCK_ALONE);
  errno = ENAMETOOLONG;
  return snprintf(prefix, sizeof prefix, "%s/.new", p->path) < (int)sizeof prefix &&
         perp_stage_open(&p->stage, prefix, remove_problem);
}

perp_error perp_publication_open(perp_publication *p, const char *path, perp_message *why)
{
  *p = (perp_publication){.path = target_of(path), .lock = -1, .fresh = true, .why = why};
  if (!p->path)
    return perp_path_no_memory(path, why);
  const perp_place place = perp_system_look(p->path);
  if (place == PERP_PLACE_FILE || place == PERP_PLACE_DEVICE)
    return perp_fail(why, PERP_ERROR_FILE, "%s: is not a folder", perp_path_shown(path));
  if (place == PERP_PLACE_FOLDER) {
    const perp_error error = check_parts(p);
    if (error)
      return error;
    char prefix[PERP_PATH_ROOM]; /* of leftovers in the folder, which would prevent an exchange */
    if (snprintf(prefix, sizeof prefix, "%s/.new", p->path) < (int)sizeof prefix)
      clean_stages(prefix, remove_problem);
    p->within = p->within || holds_others(p->path) || perp_system_same(p->path, ".");
  }
  errno = 0;
  if (open_temporary(p) || (errno != ENOMEM && place == PERP_PLACE_FOLDER && open_within(p)))
    return PERP_OK;
  if (errno == ENOMEM)
    return perp_path_no_memory(p->path, p->why);
  return perp_path_failed(
      path, place == PERP_PLACE_FOLDER ? "write in the folder" : "make the folder", errno, p->why);
}

/* ---- The exchange ---- */

/* Moves the files `from` of the stage over the files `to` of the folder. Removes parts that the
 * stage does not have. */
static perp_error move_files(const perp_publication *p, char *const from[], char *const to[])
{
  bool has[PERP_PARTS];
  for (int part = 0; part < PERP_PARTS; part++)
    has[part] = perp_system_exists(from[part]);
  for (int part = PERP_PART_A; part <= PERP_PART_J; part++)
    if (!perp_system_remove(to[part]) && errno != ENOENT)
      return perp_path_failed(to[part], "remove", errno, p->why);
  for (int part = 0; part < PERP_PARTS; part++) {
    char compressed[PERP_PATH_ROOM + PERP_NAME_ROOM];
    snprintf(compressed, sizeof compressed, "%s/%s.gz", p->path, perp_part_name[part]);
    if (!perp_system_remove(compressed) && errno != ENOENT)
      return perp_path_failed(compressed, "remove", errno, p->why);
  }
  for (int part = PERP_PARTS - 1; part >= 0; part--) { /* A and J come last */
    if (has[part] && !perp_system_replace(from[part], to[part]))
      return perp_path_failed(to[part], "write", errno, p->why);
    if (!has[part] && !perp_system_remove(to[part]) && errno != ENOENT)
      return perp_path_failed(to[part], "remove", errno, p->why);
  }
  return PERP_OK;
}

/* Keeps a link in the folder and replaces its target. */
static perp_error move_parts(const perp_publication *p)
{
  char *from[PERP_PARTS], *to[PERP_PARTS], followed[PERP_PATH_ROOM];
  perp_error error = PERP_OK;
  for (int part = 0; part < PERP_PARTS; part++) {
    from[part] = perp_path_join(p->stage.path, perp_part_name[part]);
    to[part] = perp_path_join(p->path, perp_part_name[part]);
    if (from[part] && to[part] && perp_system_exists(from[part]) &&
        perp_system_follow(to[part], followed)) {
      perp_free(to[part]);
      to[part] = perp_alloc_copy(followed, strlen(followed) + 1, 1);
    }
    if (!from[part] || !to[part])
      error = perp_path_no_memory(p->path, p->why);
  }
  if (!error)
    error = move_files(p, from, to);
  for (int part = 0; part < PERP_PARTS; part++) {
    perp_free(from[part]);
    perp_free(to[part]);
  }
  return error;
}

/* Returns true if the folder was exchanged; the stage then holds the old one. */
static bool exchange(const perp_publication *p)
{
  if (p->within || holds_others(p->path))
    return false;
  if (!p->fresh)
    perp_system_sync(p->stage.lock);
  return perp_system_exchange(p->stage.path, p->path);
}

perp_error perp_publication_commit(perp_publication *p)
{
  for (int k = 0; k < TRIES; k++) {
    if (!p->within && perp_system_look(p->path) == PERP_PLACE_NONE) {
      if (perp_system_replace(p->stage.path, p->path)) {
        perp_stage_close(&p->stage);
        return PERP_OK;
      }
      const int reason = errno;
      if (perp_system_look(p->path) == PERP_PLACE_NONE) { /* no other process has created it */
        errno = reason;
        return perp_path_failed(p->path, "make the folder", errno, p->why);
      }
    }
    if (!p->within)
      p->lock = perp_system_lock(p->path, PERP_LOCK_ALONE);
    if (perp_system_look(p->path) == PERP_PLACE_FOLDER && perp_system_is_locked(p->lock, p->path))
      return exchange(p) ? PERP_OK : move_parts(p);
    if (p->within)
      break;
    perp_system_unlock(p->lock);
    p->lock = -1;
  }
  return perp_fail(p->why, PERP_ERROR_FILE, "%s: other processes keep replacing it",
                   perp_path_shown(p->path));
}

/* "p/.q.new-0/A.mtx" becomes "p/q/A.mtx". */
static void show_target(const perp_publication *p)
{
  char text[sizeof p->why->text];
  const char *hidden = strrchr(p->stage.path, '/'), *name = strrchr(p->path, '/');
  hidden = hidden ? hidden + 1 : p->stage.path;
  name = name ? name + 1 : p->path;
  char *at = strstr(p->why->text, hidden);
  if (!at)
    return;
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - p->why->text), p->why->text,
           p->within ? "" : name, at + strlen(hidden) + (p->within ? 1 : 0));
  memcpy(p->why->text, text, sizeof text);
}

void perp_publication_close(perp_publication *p)
{
  if (p->stage.path) {
    if (p->why)
      show_target(p);
    remove_problem(p->stage.path);
  }
  perp_stage_close(&p->stage);
  perp_system_unlock(p->lock);
  perp_free(p->path);
}
