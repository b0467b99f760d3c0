/* protocol.h: what the benchmark and a peer's program say to each other over two pipes
 *
 *   benchmark -> peer   peer_header, A (n x n, row major), b, lo, hi, findex
 *   benchmark -> peer   an int: solve so many times                          } again and again,
 *   peer -> benchmark   peer_reply, x                                       } to the end of file
 *
 * Bounds are as in perp: y = A x + b, infinite ones infinity, those of a friction row to be
 * multiplied by the normal force. Both ends are on one machine: numbers go as they are. */
#ifndef PERP_BENCH_PEERS_PROTOCOL_H
#define PERP_BENCH_PEERS_PROTOCOL_H

typedef struct peer_header {
  int n;
} peer_header;

typedef struct peer_reply {
  double seconds; /* of one solve */
  int gave_up;    /* the solver says so, or its w is not A x + b */
} peer_reply;

#endif
