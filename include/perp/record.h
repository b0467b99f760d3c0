/* perp/record.h: solves that failed, kept on disk to be looked at later
 *
 * A record is a problem folder with two files more: start.mtx, and solve.txt with the method, its
 * parameters, the options and how it ended. `perp solve FOLDER --replay` does the same solve again,
 * bit for bit where the machine and the build are the same. */
#ifndef PERP_RECORD_H
#define PERP_RECORD_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct perp_recorder {
  const char *folder; /* where the records go, made if need be */
  int keep;           /* the newest so many stay, older ones are removed; 0: all stay */
  int64_t
      most_bytes; /* a problem that takes more on disk, by estimate, is passed over; 0: none is */
  int64_t written, passed; /* counted on */
  perp_message last;       /* the folder of the last record, or why it could not be written */
} perp_recorder;

/* perp_solver_solve, and a record where that does not end with PERP_SOLVED. What goes wrong with the
 * record is told by `recorder` alone. A solve that the time limit ended is recorded with the
 * iterations it had time for as its limit, since time does not repeat; nor does what the clock cut
 * short within an iteration, or made `auto` pass over. Several may record in one folder. */
PERP_API perp_error perp_solver_solve_recorded(perp_solver *solver, const perp_problem *problem,
                                               const perp_options *options, double *x,
                                               perp_result *result, perp_recorder *recorder);

typedef struct perp_record {
  perp_instance instance;
  perp_solver *solver; /* of the recorded method, parameters set */
  perp_options options;
  double *start;
  char outcome[32]; /* as it was, and the residual */
  double residual;
} perp_record;

PERP_API perp_error perp_record_read(const char *path, perp_record *record, perp_message *why);
PERP_API void perp_record_destroy(perp_record *record);

#ifdef __cplusplus
}
#endif
#endif
