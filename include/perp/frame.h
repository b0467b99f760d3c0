/* perp/frame.h: islands and persistent contacts, for frame loops */
#ifndef PERP_FRAME_H
#define PERP_FRAME_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the islands of a problem: groups of rows that no entry of A, friction index or cone connects.
 * In a contact operator two rows are connected if they share a block of Minv. island[i] is the island
 * of row i; islands are numbered in the order of their first rows. A must give its rows or be a contact
 * operator. */
PERP_API perp_error perp_islands_find(const perp_problem *problem, int *island, int *count,
                                      perp_message *why);

/* Solves problems island by island: create it once and use it in every frame. It keeps a solver and an
 * operator for each of the first 4096 islands. While their structure stays the same, nothing is
 * allocated from the second frame on (with `auto` from the second warm frame on, and unless it makes a
 * scaled matrix). Use it from one thread at a time. */
typedef struct perp_islands perp_islands;

PERP_API perp_error perp_islands_create(const char *method, perp_islands **islands,
                                        perp_message *why);
PERP_API void perp_islands_destroy(perp_islands *islands); /* may be NULL */
/* Returns the solver whose parameters all islands use from the next frame on. Set parameters on it, do
 * not solve with it. Owned by the islands; NULL for NULL. */
PERP_API perp_solver *perp_islands_solver(perp_islands *islands);

/* Solves options->threads islands at the same time; the bits of x do not depend on that number. Each
 * island is solved to tol times its own scale, so the whole problem is solved too. result has the
 * outcome of the first island that is not solved, with its ray (if any) extended to the whole problem;
 * the recomputed residual and y of the whole problem; and the counters of all islands together. Its
 * message says how many islands were solved. y and the ray are owned by the islands until the next
 * frame. The time limit is for all islands together. The observer is not called. If an error is
 * returned, x is unchanged. */
PERP_API perp_error perp_islands_solve(perp_islands *islands, const perp_problem *problem,
                                       const perp_options *options, double *x, perp_result *result);

/* Fills the warm start x of a frame from the last solution: contact c, of `width` rows, starts from the
 * rows of the old contact with the same id, or from zeros if there was none. If several contacts have
 * the same id, the k-th new one starts from the k-th old one. *found (or NULL) becomes the number of
 * contacts that were found. */
PERP_API perp_error perp_contacts_carry(int width, int old_count, const uint64_t *old_id,
                                        const double *old_x, int count, const uint64_t *id,
                                        double *x, int *found, perp_message *why);

/* For a frame that was not solved in time: scales the impulses x of each island, by a factor in [0, 1],
 * so that the velocities v + Minv J^T x have no more kinetic energy than v, the velocities without
 * contacts. They stay within cones, and within bounds that include 0. *limited (or NULL) becomes the
 * number of islands whose impulses changed. Needs a contact operator. */
PERP_API perp_error perp_contacts_limit(const perp_problem *problem, const double *v, double *x,
                                        int *limited, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
