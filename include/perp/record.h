/* perp/record.h: failed solves recorded on disk, to be replayed later
 *
 * A record is a problem folder with two more files: start.mtx, and solve.txt with the method, its
 * parameters, the options and the outcome. `perp solve FOLDER --replay` repeats the solve, bit for bit
 * on the same machine and build. */
#ifndef PERP_RECORD_H
#define PERP_RECORD_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only from perp_recorder_default(). */
typedef struct perp_recorder {
  size_t size;
  const char *folder;      /* of the records, created if necessary; NULL: no records */
  int keep;                /* number of records to keep; older ones are removed; 0: all are kept */
  int64_t most_bytes;      /* a problem that needs more on disk is not recorded; 0: no limit */
  int64_t written, passed; /* records written; failed solves above most_bytes */
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

/* Calls perp_solver_solve, and writes a record if the outcome is not PERP_SOLVED. If the record cannot
 * be written, only `recorder` says so. Times differ from run to run, so a solve that ended at the time
 * limit is recorded with its number of iterations as the limit. A replay does not reproduce work that
 * the clock cut short within an iteration, or that `auto` skipped for lack of time. Several solvers
 * may record in one folder. */
PERP_API perp_error perp_solver_solve_recorded(perp_solver *solver, const perp_problem *problem,
                                               const perp_options *options, double *x,
                                               perp_result *result, perp_recorder *recorder);

/* A record read from disk. It owns everything it points to. */
typedef struct perp_record {
  perp_instance instance;
  perp_solver *solver;   /* of the recorded method, parameters set */
  perp_options *options; /* perp_options_copy copies them */
  double *start;
  char outcome[32]; /* of the recorded solve */
  double residual;  /* of the recorded solve */
  void *reserved[4];
} perp_record;

PERP_API perp_error perp_record_read(const char *path, perp_record *record, perp_message *why);
PERP_API void perp_record_destroy(perp_record *record);

#ifdef __cplusplus
}
#endif
#endif
