/* perp/frame.h: what a frame loop needs around the solvers: islands, and contacts that persist */
#ifndef PERP_FRAME_H
#define PERP_FRAME_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Islands are the parts of a problem that nothing connects: no entry of A, no friction index, no
 * cone. In a contact operator two rows are connected if they share a block of Minv. island[i] is
 * the island of row i; islands are numbered by their first rows. Needs the entries of A by rows, or
 * a contact operator. */
PERP_API perp_error perp_islands_find(const perp_problem *problem, int *island, int *count,
                                      perp_message *why);

/* Solves problems island by island: made once, used in each frame. It keeps a solver and an operator
 * for each of the first 4096 islands. If their structure repeats, nothing is allocated from the
 * second frame on (by `auto` from the second warm one on, and unless it makes a scaled matrix). One
 * thread uses it at a time. */
typedef struct perp_islands perp_islands;

PERP_API perp_error perp_islands_create(const char *method, perp_islands **islands,
                                        perp_message *why);
PERP_API void perp_islands_destroy(perp_islands *islands); /* may be NULL */
/* Parameters that are set here hold for all islands from the next frame on. Not for solving. Owned
 * by the islands; NULL for NULL. */
PERP_API perp_solver *perp_islands_solver(perp_islands *islands);

/* options->threads islands are solved at the same time; the bits do not depend on that number. Each
 * island is solved to tol times its own scale, so the whole problem is solved too. result has the
 * outcome of the first island that is not solved (and its ray, if it has one, as one of the whole
 * problem), residual and y of the whole problem (recomputed; y and the ray are owned by the islands
 * until the next frame) and the counters of all islands together; its message says how many islands
 * were solved. The time limit holds for all islands together. The observer is not called. If an error is
 * returned, x is unchanged. */
PERP_API perp_error perp_islands_solve(perp_islands *islands, const perp_problem *problem,
                                       const perp_options *options, double *x, perp_result *result);

/* The start of a frame from the solution of the last one: contact c, of `width` rows, starts from
 * the rows of the old contact with the same id, or from zeros if there was none. If several
 * contacts have the same id, the k-th new one starts from the solution of the k-th old one. *found
 * (or NULL): the number of contacts that were found again. */
PERP_API perp_error perp_contacts_carry(int width, int old_count, const uint64_t *old_id,
                                        const double *old_x, int count, const uint64_t *id,
                                        double *x, int *found, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
