/* folder.h: a problem folder that is replaced as a whole
 *
 * The files of a problem are written into a hidden folder `.NAME.new-K` next to the folder NAME,
 * which is then renamed. An existing folder is exchanged with it and removed. At any time, even if
 * the process is killed, a reader finds the old problem or the new one.
 *
 * Some folders are not exchanged: the current one, one that contains other files than perp's, one
 * whose parent is read-only, one of another owner, any on a system that cannot exchange. Then the
 * files are moved, from a hidden folder `.new-K` inside if necessary: the matrix of the old problem
 * is removed first and the matrix of the new one comes last. In between there is no problem in the
 * folder.
 *
 * A writer locks the parent folder. So writers wait for each other, and a hidden folder that one
 * finds was left by a killed process: it is removed. Readers take no lock: a reader that finds
 * another matrix file after reading than before reads again (folder.c). */
#pragma once

#include "base/system.h"
#include "io/mtx.h"
#include <perp/problem.h>

/* A folder being written, under a hidden name until it is complete. */
typedef struct perp_stage {
  char path[PERP_PATH_ROOM];
  int lock; /* on its parent */
} perp_stage;

/* Locks `parent`, which contains the folders `prefix`-K, and creates one: with K = 0, or the first
 * free one if the file system has no locks. `remove` removes a leftover. Returns false and sets
 * errno on failure. */
bool perp_stage_open(perp_stage *stage, const char *parent, const char *prefix,
                     void (*remove)(const char *path));
/* Removes the folder, unless it was renamed. */
void perp_stage_close(perp_stage *stage, void (*remove)(const char *path));

enum perp_part {
  PERP_PART_A,
  PERP_PART_J,
  PERP_PART_CELLS,
  PERP_PART_MINV,
  PERP_PART_M,
  PERP_PART_C,
  PERP_PART_B,
  PERP_PART_LO,
  PERP_PART_HI,
  PERP_PART_FINDEX,
  PERP_PART_MU,
  PERP_PART_CONE,
  PERP_PART_DIM,
  PERP_PART_LAW,
  PERP_PART_X,
  PERP_PART_U,
  PERP_PART_KIND,
  PERP_PARTS
};

extern const char *const perp_part_name[PERP_PARTS];

/* Writes the files of a problem into a folder; fresh: no problem can be lost, so that files need not
 * be flushed to the disk. */
typedef perp_error perp_folder_writer(const char *folder, bool fresh, const perp_instance *problem,
                                      perp_message *why);

/* Makes the files that `write` writes the problem of the folder `path`. */
perp_error perp_folder_replace(const char *path, perp_folder_writer *write,
                               const perp_instance *problem, perp_message *why);

/* Writes the files of a problem into a folder that no other process knows yet (folder.c). */
perp_error perp_problem_write_into(const char *folder, const perp_problem *problem,
                                   perp_message *why);

/* The last part of the path (folder.c). */
void perp_folder_name(const char *path, char *name, size_t room);
