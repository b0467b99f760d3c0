/* qp_client.h: a quadratic program for a solver of another library, in a separate process */
#pragma once

#include <perp/lab.h>
#include <perp/perp.h>

/* The entries of row i of G are at [qp_row_start(qp, i), qp_row_end(qp, i)). */
int64_t qp_row_start(const perp_qp *qp, int i);
int64_t qp_row_end(const perp_qp *qp, int i);
int qp_column_of(const perp_qp *qp, int i, int64_t e);

bool qp_peer_exists(const char *folder, const char *program);
/* Processor seconds of a solve, the median of `repeat`; x, z and w are its answer. Waits no longer than
 * `limit` seconds. NULL, or what went wrong. */
const char *qp_peer_solve(const char *folder, const char *program, const char *method,
                          const perp_qp *qp, double tol, int repeat, double limit, double *seconds,
                          double *x, double *z, double *w);
