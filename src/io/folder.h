/* folder.h: a problem folder that is replaced as a whole
 *
 * The files of a problem are written into a hidden folder `.NAME.new-K` next to the folder NAME,
 * which is then renamed. An existing folder is exchanged with it and removed. At any time, even if
 * the process is killed, a reader finds the old problem or the new one.
 *
 * Some folders are not exchanged: the current one, one that contains links or other files than
 * perp's, one whose parent is read-only, one of another owner, any on a system that cannot
 * exchange. Then the hidden folder is `.new-K` inside, and its files are moved: the matrix of the
 * old problem is removed first and the matrix of the new one comes last. In between there is no
 * problem in the folder.
 *
 * Writers hold an exclusive lock of the folder while they exchange it or move files, readers a
 * shared one while they read (folder.c), so that no reader sees files of two problems.
 *
 * A hidden folder is locked while its process lives. One that exists and is not locked was left by
 * a killed process: the next writer of the same name removes it. */
#pragma once

#include "io/mtx.h"
#include <perp/problem.h>

typedef struct perp_stage {
  char *path; /* owned; NULL: closed */
  int lock;
} perp_stage;

/* Creates the folder `prefix`-K with the first free K = 0, 1, ..., after removing leftovers of
 * killed processes under such names; `remove` removes a folder. Returns false and sets errno on
 * failure. */
bool perp_stage_open(perp_stage *stage, const char *prefix, void (*remove)(const char *path));
/* Keeps the folder itself. */
void perp_stage_close(perp_stage *stage);

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

typedef struct perp_publication {
  char *path;       /* of the folder, with links followed; owned */
  perp_stage stage; /* the folder that the files are written to */
  int lock;         /* on the folder */
  bool within;      /* the stage is inside the folder, whose files are replaced one by one */
  bool fresh;       /* no problem can be lost: files need not be flushed to the disk */
  perp_message *why;
} perp_publication;

perp_error perp_publication_open(perp_publication *p, const char *path, perp_message *why);
/* Makes the files of the stage the problem of the folder. */
perp_error perp_publication_commit(perp_publication *p);
/* Removes the stage and its remaining files. A message that names the hidden folder is changed to
 * name the target folder. */
void perp_publication_close(perp_publication *p);

/* Writes the files of a problem into a folder that no other process knows yet (folder.c). */
perp_error perp_problem_write_into(const char *folder, const perp_problem *problem,
                                   perp_message *why);

/* The last part of the path (folder.c). */
void perp_folder_name(const char *path, char *name, size_t room);
