/* perp/record.h: solves that failed, kept on disk for a later look
 *
 * A record is a problem folder with two more files: start.mtx, and solve.txt with the method, its
 * parameters, the options and the outcome. `perp solve FOLDER --replay` does the same solve again,
 * bit for bit if the machine and the build are the same. */
#ifndef PERP_RECORD_H
#define PERP_RECORD_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only from perp_recorder_default(). */
typedef struct perp_recorder {
  size_t size;
  const char *folder; /* where the records go; created if necessary; NULL: nowhere */
  int keep;           /* number of newest records that stay; older ones are removed; 0: all stay */
  int64_t most_bytes; /* a problem that needs more on disk is not recorded; 0: no limit */
  int64_t written, passed; /* counters: increased by every call */
  perp_message last;       /* the folder of the last record, or why it could not be written */
} perp_recorder;

PERP_API void perp_recorder_init(perp_recorder *recorder, size_t size, const char *folder);

/* Keeps the newest 10 records, of problems of at most 100 MiB. The folder's name is not copied. */
static inline perp_recorder perp_recorder_default(const char *folder)
{
  perp_recorder recorder;
  perp_recorder_init(&recorder, sizeof recorder, folder);
  return recorder;
}

/* perp_solver_solve, and a record if that does not end with PERP_SOLVED. If the record itself
 * fails, only `recorder` says so. Times are not the same in a second run, so for a solve that the
 * time limit ended, the number of its iterations is recorded as the limit. Work that the clock cut
 * short within an iteration, or that `auto` left out for lack of time, is not repeated either.
 * Several solvers may record in one folder. */
PERP_API perp_error perp_solver_solve_recorded(perp_solver *solver, const perp_problem *problem,
                                               const perp_options *options, double *x,
                                               perp_result *result, perp_recorder *recorder);

/* A record read back. It owns all that it points to. */
typedef struct perp_record {
  perp_instance instance;
  perp_solver *solver;   /* of the recorded method, parameters set */
  perp_options *options; /* perp_options_copy copies them */
  double *start;
  char outcome[32]; /* as it was, and the residual */
  double residual;
  void *reserved[4];
} perp_record;

PERP_API perp_error perp_record_read(const char *path, perp_record *record, perp_message *why);
PERP_API void perp_record_destroy(perp_record *record);

#ifdef __cplusplus
}
#endif
#endif
