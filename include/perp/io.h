/* perp/io.h: problems on disk
 *
 * A problem is a folder of Matrix Market files: A.mtx, b.mtx, and where they apply lo, hi,
 * findex, mu, x (a known solution), u (a certificate of infeasibility) and kind.txt. cells.mtx
 * beside A.mtx makes A a stencil operator; J.mtx, Minv.mtx and C.mtx in its place make it a
 * contact operator. Every error names the file, the line and the value. */
#ifndef PERP_IO_H
#define PERP_IO_H

#include <perp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

PERP_API perp_error perp_folder_read(const char *path, perp_instance *instance, perp_message *why);
/* Makes the folder if need be. Each file is written beside and renamed; files of an earlier
 * problem in the same folder that this one does not have are removed. */
PERP_API perp_error perp_folder_write(const char *path, const perp_instance *instance,
                                      perp_message *why);
/* The same for a problem whose arrays are the caller's; x: a known solution, or NULL. */
PERP_API perp_error perp_problem_write(const char *path, const perp_problem *problem,
                                       const double *x, perp_message *why);

/* A vector (n x 1 or 1 x n). *values is malloc'ed and the caller's; n < 0: any length. */
PERP_API perp_error perp_vector_read(const char *path, int n, double **values, int *length,
                                     perp_message *why);
/* Written beside and renamed. comment may be NULL. */
PERP_API perp_error perp_vector_write(const char *path, int n, const double *values,
                                      const char *comment, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
