/* protocol.h: the protocol between the benchmark and a peer's program, over two pipes
 *
 *   benchmark -> peer   peer_header, A by compressed rows, b, lo, hi, findex, mu, M, J
 *   benchmark -> peer   peer_request                                         } again and again,
 *   peer -> benchmark   peer_reply, x                                       } to the end of file
 *
 * The first 3 * cones rows are Coulomb cones (n, t, o) with a mu each; if `rolling`, the first
 * 5 * cones rows are contacts with two slides and two rolls and five mu each. A = J M^-1 J^T with M and
 * J by compressed rows unless velocities = 0. Bounds are as in perp,
 * y = A x + b, infinite ones are infinity, and bounds of a friction row are multiplied by the
 * normal force. Both ends run on one machine: numbers are sent as they are in memory. */
#pragma once

#include <stdint.h>

typedef struct peer_header {
  int n, cones;
  int64_t entries; /* of A: n + 1 int64_t, `entries` int, `entries` double */
  int rolling, velocities;
  int64_t M_entries, J_entries;
} peer_header;

typedef struct peer_request {
  int batch;  /* number of solves */
  double tol; /* natural residual over max |b_i| to aim at, if the solver can be told */
} peer_request;

typedef struct peer_reply {
  double seconds; /* of one solve: what the call overwrites is set, the call, x is tested */
  double call;    /* the part of the library's call */
  int gave_up;    /* the solver says so, or its w is not A x + b */
} peer_reply;
