/* stage.c: see stage.h */
#include "io/stage.h"

#include "base/memory.h"
#include "base/system.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Leftovers are looked for under the first NAMES names, also if an earlier one is free. */
enum { NAMES = 4, TRIES = 1000 };

/* Whether the folder is new and ours: another process may take it for a leftover before it is
 * locked, and remove it. */
static bool make_locked(perp_stage *stage)
{
  if (!perp_system_make_folder(stage->path))
    return false;
  stage->lock = perp_system_lock(stage->path, PERP_LOCK_TRY);
  /* Gone: who cleans up took it for an old one. It may be there again by now, but is somebody else's. */
  const bool lost = stage->lock < 0 && (errno == EWOULDBLOCK || errno == ENOENT);
  if (!lost && perp_system_is_locked(stage->lock, stage->path))
    return true;
  perp_system_unlock(stage->lock);
  stage->lock = -1;
  errno = EEXIST;
  return false;
}

void perp_stage_clean(const char *prefix, void (*remove)(const char *path))
{
  char path[PERP_PATH_ROOM + 16];
  for (int k = 0; k < NAMES; k++) {
    snprintf(path, sizeof path, "%s-%d", prefix, k);
    const int lock = perp_system_lock(path, PERP_LOCK_TRY);
    /* its owner may have given it another name meanwhile: then this is somebody's new folder */
    if (lock >= 0 && perp_system_is_locked(lock, path))
      remove(path);
    perp_system_unlock(lock);
  }
}

bool perp_stage_open(perp_stage *stage, const char *prefix, void (*remove)(const char *path))
{
  const size_t room = strlen(prefix) + 16;
  perp_stage_clean(prefix, remove);
  *stage = (perp_stage){.path = perp_alloc(room, 1), .lock = -1};
  errno = ENOMEM;
  if (!stage->path)
    return false;
  for (int k = 0; k < TRIES; k++) {
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
