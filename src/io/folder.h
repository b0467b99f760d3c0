/* folder.h: a problem folder that is exchanged as a whole, and what its readers and writers share
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
 * it while they read (folder.c), so that no reader sees files of two problems.
 *
 * A hidden folder is locked while its process lives. One that exists and is not locked was left by a
 * process that was killed: whoever comes next under the same name clears it. */
#pragma once

#include "io/mtx.h"
#include <perp/problem.h>

typedef struct perp_stage {
  char *path; /* owned; NULL: closed */
  int lock;
} perp_stage;

/* Makes the folder `prefix`-K with the first K = 0, 1, ... that is free, after it has
 * removed what killed processes left under such names; `remove` removes a folder.
 * False and errno if it cannot. */
bool perp_stage_open(perp_stage *stage, const char *prefix, void (*remove)(const char *path));
/* The folder itself stays. */
void perp_stage_close(perp_stage *stage);

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

/* The files of a problem into a folder that nobody else knows yet (folder.c). */
perp_error perp_problem_write_into(const char *folder, const perp_problem *problem,
                                   perp_message *why);

/* ---- What readers and writers of folders share (folder.c) ---- */

/* An error if there is no such folder. */
perp_error perp_folder_check(const char *path, perp_message *why);
/* The last part of the path. */
void perp_folder_name(const char *path, char *name, size_t room);

/* A folder being written, and the file that is. */
typedef struct perp_folder_output {
  const char *path;
  bool fresh; /* no need to flush to the disk */
  perp_writer file;
  perp_message *why;
} perp_folder_output;

/* Begins the file `name` of the folder, ends it; an error leaves it to perp_writer_abandon. */
perp_error perp_folder_begin(perp_folder_output *out, const char *name);
perp_error perp_folder_end(perp_folder_output *out);
/* A whole file of compressed rows, or of a vector. */
perp_error perp_folder_csr(perp_folder_output *out, const char *name, int rows, int columns,
                           const int64_t *start, const int *column, const double *value);
perp_error perp_folder_vector(perp_folder_output *out, const char *name, int length,
                              const double *values);
