/* perp/fclib.h: problems of the Frictional Contact Library (FCLib), in HDF5 files */
#ifndef PERP_FCLIB_H
#define PERP_FCLIB_H

#include <perp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Read and write an HDF5 file with a group fclib_local, fclib_global or fclib_global_rolling. The local
 * velocity u, the reaction r, the velocity v and the multiplier l of equations satisfy
 *
 *   local    u = W r + V l + q,   V^T r + R l + s = 0          A = [W V; V^T R],   b = (q, s)
 *   global   M v = H r + G l + f, u = H^T v + w, G^T v + b = 0
 *            A = J M^-1 J^T with J = [H G]^T, a contact operator,   b = J M^-1 f + (w, b)
 *
 * so that x = (r, l) and y = (u, 0). If M has only one triangle, the other is added; if M is not
 * symmetric, A is assembled. A contact has a normal, then its tangents: three rows with a cone for
 * spacedim 3, a friction index for spacedim 2. In fclib_global_rolling it has a normal, two slides and
 * two rolls, with one disc for the slides and one for the rolls (PERP_FRICTION_DISCS).
 *
 * A problem is written as global if A is a contact operator with an invertible Minv and without C, else
 * as local. A known solution is in /solution. Messages name the dataset. Returns PERP_ERROR_BACKEND if
 * perp was built without HDF5. */
PERP_API perp_error perp_fclib_read(const char *path, perp_instance *instance, perp_message *why);
PERP_API perp_error perp_fclib_write(const char *path, const perp_instance *instance,
                                     perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
