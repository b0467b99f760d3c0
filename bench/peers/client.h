/* client.h: a solver of another library, in a process of its own: a crash, or a time limit that
 * it does not keep, is its own failure and the benchmark goes on */
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

/* Whether the program was built: its library was found. */
bool peer_exists(const char *folder, const char *program);
/* Starts `program` of the folder with `method`, and hands the problem to it. */
void peer_start(peer *peer, const char *folder, const char *program, const char *method,
                const perp_problem *problem);
/* Processor seconds of one solve, the mean of `batch`, with what the call overwrites set before it
 * and its x tested after it, and those of the library's call alone (call may be NULL). x is the
 * last solution, gave_up what the solver says of it. A solver that iterates aims at a natural
 * residual of `tol` over max |b_i|. Waits for no more than `limit` seconds. False if that failed:
 * the state says why. */
bool peer_solve(peer *peer, int batch, double tol, double limit, double *seconds, double *call,
                double *x, bool *gave_up);
void peer_stop(peer *peer);
const char *peer_state_name(peer_state state);
