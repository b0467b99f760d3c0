/* protocol.h: what the benchmark and a peer's program say to each other over two pipes
 *
 *   benchmark -> peer   peer_header, A by compressed rows, b, lo, hi, findex, mu
 *   benchmark -> peer   peer_request                                         } again and again,
 *   peer -> benchmark   peer_reply, x                                       } to the end of file
 *
 * The first 3 * cones rows are Coulomb cones (n, t, o) with a mu each. Bounds are as in perp,
 * y = A x + b, infinite ones infinity, those of a friction row to be multiplied by the normal
 * force. Both ends are on one machine: numbers go as they are. */
#pragma once

#include <stdint.h>

typedef struct peer_header {
  int n, cones;
  int64_t entries; /* of A: n + 1 int64_t, so many int, so many double */
} peer_header;

typedef struct peer_request {
  int batch;  /* solve so many times */
  double tol; /* natural residual over max |b_i| to aim at, if the solver can be told */
} peer_request;

typedef struct peer_reply {
  double seconds; /* of one solve: what the call overwrites is set, the call, x is tested */
  double call;    /* of them, those of the library's call alone */
  int gave_up;    /* the solver says so, or its w is not A x + b */
} peer_reply;
