/* perp/io.h: problems on disk
 *
 * A problem is a folder of Matrix Market files: A.mtx, b.mtx and, if the problem has them, lo, hi,
 * findex, mu, cone, x (a known solution), u (a certificate of infeasibility) and kind.txt. With
 * cells.mtx, A is a stencil operator; with J.mtx, Minv.mtx and C.mtx instead of A.mtx, a contact
 * operator. Files may be compressed by gzip (A.mtx.gz; component zlib). Every error names the file, the
 * line and the value. */
#ifndef PERP_IO_H
#define PERP_IO_H

#include <perp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

PERP_API perp_error perp_folder_read(const char *path, perp_instance *instance, perp_message *why);
/* Reads a problem from single files: names[k] is a part as in a folder, "A" or "lo", and paths[k] its
 * file. */
PERP_API perp_error perp_parts_read(int count, const char *const names[], const char *const paths[],
                                    perp_instance *instance, perp_message *why);
/* Writes a problem; creates the folder if necessary, but not its parent. All files are written into a
 * hidden folder `.NAME.new-K` next to it, which is then renamed and replaces the old problem. So a
 * reader sees either the old or the new problem, even if the process is killed, and of two concurrent
 * writers the later one wins. In the current folder, or in one that holds other files too, the files
 * are replaced one by one, and during that time it is not a valid problem. Writers lock the parent
 * folder; files that a killed process left behind are removed by the next write to the same folder.
 * Windows has no such locks: let one process at a time write a folder there. */
PERP_API perp_error perp_folder_write(const char *path, const perp_instance *instance,
                                      perp_message *why);
/* Writes a problem whose arrays belong to the caller; x: a known solution, or NULL. */
PERP_API perp_error perp_problem_write(const char *path, const perp_problem *problem,
                                       const double *x, perp_message *why);

/* Reads a vector (n x 1 or 1 x n). The caller frees *values with perp_free. n < 0: any length. */
PERP_API perp_error perp_vector_read(const char *path, int n, double **values, int *length,
                                     perp_message *why);
/* Writes a vector to a temporary file and renames it. comment may be NULL. */
PERP_API perp_error perp_vector_write(const char *path, int n, const double *values,
                                      const char *comment, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
