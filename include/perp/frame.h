/* perp/frame.h: what a frame loop needs around the solvers: islands, and contacts that come back */
#ifndef PERP_FRAME_H
#define PERP_FRAME_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Islands are the parts of a problem that nothing connects: no entry of A, no friction index, no
 * cone; in a contact operator rows are connected where they share a block of Minv. island[i] is
 * that of row i; islands are numbered by their first rows. Needs the entries of A by rows, or a
 * contact operator. */
PERP_API perp_error perp_islands_find(const perp_problem *problem, int *island, int *count,
                                      perp_message *why);

/* Solves island after island by the method with its default parameters, options->threads of them at
 * a time; the bits do not depend on that number. Each island is solved to tol times its own scale,
 * so the whole is solved too. result: outcome of the first island that is not solved, the residual
 * of the whole (recomputed), counts of all together; its message says how many were solved. The
 * time limit is that of all; the observer is not called. Where an error is returned x is untouched. */
PERP_API perp_error perp_islands_solve(const char *method, const perp_problem *problem,
                                       const perp_options *options, double *x, perp_result *result);

/* The start of a frame from the solution of the last: contact c of `width` rows takes the rows of
 * the contact that had the same id, zeros where there was none. Where an id stands twice, the k-th
 * contact takes after the k-th. *found (or NULL): how many came back. */
PERP_API perp_error perp_contacts_carry(int width, int old_count, const uint64_t *old_id,
                                        const double *old_x, int count, const uint64_t *id,
                                        double *x, int *found, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
