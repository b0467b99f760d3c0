/* client.h: a solver of another library in a separate process, so that the benchmark continues after
 * its crash or timeout */
#pragma once

#include <perp/lab.h>
#include <perp/perp.h>
#include <sys/types.h>

typedef enum peer_state {
  PEER_ALIVE,
  PEER_ABSENT,  /* its library was not found when this was built */
  PEER_CRASHED, /* or gave up */
  PEER_LATE,
} peer_state;

typedef struct peer {
  peer_state state;
  pid_t process;
  int to, from; /* the two pipes */
  int n;
} peer;

/* Returns true if the program was built, which needs its library. */
bool peer_exists(const char *folder, const char *program);
/* Returns true if A = J M^-1 J^T; `data` is then its source. */
bool peer_has_mass(const perp_problem *problem, perp_contact_data *data);
/* Returns true if all contacts have five rows, with discs: Siconos' law of rolling. */
bool peer_rolls(const perp_problem *problem);
/* Starts `program` of the folder with `method`, and hands the problem to it. */
void peer_start(peer *peer, const char *folder, const char *program, const char *method,
                const perp_problem *problem);
/* Solves `batch` times. *seconds: mean CPU time of one solve, including the copy of data that the call
 * overwrites and the test of its x; *call: the time of the library's call only (may be NULL). x is the
 * last solution; gave_up: the solver reports failure. An iterative solver aims at a natural residual of
 * `tol` over max |b_i|. Waits at most `limit` seconds. Returns false on failure; the state says why. */
bool peer_solve(peer *peer, int batch, double tol, double limit, double *seconds, double *call,
                double *x, bool *gave_up);
void peer_stop(peer *peer);
const char *peer_state_name(peer_state state);
