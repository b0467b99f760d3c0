/* publish.h: a problem folder that is exchanged as a whole
 *
 * The files of a problem are written into a hidden folder, `.NAME.new-K` beside the folder NAME,
 * which is then given its name. A folder that is there already is exchanged with it and removed.
 * Whoever looks, and whenever the process is killed, finds the old problem or the new one.
 *
 * Some folders are not exchanged: the current one, one that holds links or anything that is not
 * perp's, one whose parent may not be written, one of another owner, any on a system that cannot.
 * Then the hidden folder is `.new-K` within, and its files are moved: the matrix of the old problem
 * is removed first and that of the new one comes last. Between the two the folder holds no problem.
 *
 * Writers hold the lock of the folder alone while they exchange it or move files, and readers share
 * it while they read (folder.c), so that no reader sees files of two problems. */
#pragma once

#include "io/stage.h"
#include <perp/problem.h>

enum perp_part {
  PERP_PART_A,
  PERP_PART_J,
  PERP_PART_CELLS,
  PERP_PART_MINV,
  PERP_PART_C,
  PERP_PART_B,
  PERP_PART_LO,
  PERP_PART_HI,
  PERP_PART_FINDEX,
  PERP_PART_MU,
  PERP_PART_CONE,
  PERP_PART_X,
  PERP_PART_U,
  PERP_PART_KIND,
  PERP_PARTS
};

extern const char *const perp_part_name[PERP_PARTS];

typedef struct perp_publication {
  char *path;       /* of the folder, its links followed; owned */
  perp_stage stage; /* where the files are written */
  int lock;         /* on the folder */
  bool within;      /* the stage is in the folder, whose files are replaced one by one */
  bool fresh;       /* there is no problem to lose: files need not be flushed to the disk */
  perp_message *why;
} perp_publication;

perp_error perp_publication_open(perp_publication *p, const char *path, perp_message *why);
/* The files of the stage become the problem of the folder. */
perp_error perp_publication_commit(perp_publication *p);
/* Removes the stage with what is still in it. A message that names the hidden folder then names
 * the folder that was meant. */
void perp_publication_close(perp_publication *p);

/* The files of a problem into a folder that nobody else knows yet (folder_write.c). */
perp_error perp_problem_write_into(const char *folder, const perp_problem *problem,
                                   perp_message *why);
