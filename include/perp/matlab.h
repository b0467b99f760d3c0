/* perp/matlab.h: problems in MATLAB files */
#ifndef PERP_MATLAB_H
#define PERP_MATLAB_H

#include <perp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Read and write one MATLAB file with the variables A, b, lo, hi, findex, mu, cone, x, u. In findex and
 * cone rows count from 1, as in MATLAB, and findex = 0 means none. PERP_ERROR_BACKEND if perp was built
 * without libmatio. */
PERP_API perp_error perp_mat_read(const char *path, perp_instance *instance, perp_message *why);
PERP_API perp_error perp_mat_write(const char *path, const perp_instance *instance,
                                   perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
