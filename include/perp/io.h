/* perp/io.h: problems on disk
 *
 * A problem is a folder of Matrix Market files: A.mtx, b.mtx and, if the problem has them, lo, hi,
 * findex, mu, cone, x (a known solution), u (a certificate of infeasibility) and kind.txt. cells.mtx
 * beside A.mtx makes A a stencil operator; J.mtx, Minv.mtx and C.mtx in its place make it a contact
 * operator. Files may be compressed by gzip (A.mtx.gz; component zlib). Every error names the file,
 * the line and the value. */
#ifndef PERP_IO_H
#define PERP_IO_H

#include <perp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

PERP_API perp_error perp_folder_read(const char *path, perp_instance *instance, perp_message *why);
/* The same from single files: names[k] is a part as in a folder, "A" or "lo", and paths[k] its
 * file. */
PERP_API perp_error perp_parts_read(int count, const char *const names[], const char *const paths[],
                                    perp_instance *instance, perp_message *why);
/* Creates the folder if necessary; its parent must exist. All files are written into a hidden folder
 * `.NAME.new-K` beside it, which then takes its name and replaces the problem that was there: a
 * reader finds the one problem or the other, also if the process is killed, and of two writers at
 * once the later one wins. The current folder, and one that holds other files too, is not exchanged:
 * its files are replaced one by one, and while that lasts it holds no problem. What a killed process
 * left is removed by the next one that writes the same folder. On Windows there are no locks, so
 * nobody should read what is being written. */
PERP_API perp_error perp_folder_write(const char *path, const perp_instance *instance,
                                      perp_message *why);
/* The same for a problem whose arrays are the caller's; x: a known solution, or NULL. */
PERP_API perp_error perp_problem_write(const char *path, const perp_problem *problem,
                                       const double *x, perp_message *why);

/* A vector (n x 1 or 1 x n). The caller frees *values with perp_free. n < 0: any length. */
PERP_API perp_error perp_vector_read(const char *path, int n, double **values, int *length,
                                     perp_message *why);
/* Written to a temporary file that is then renamed. comment may be NULL. */
PERP_API perp_error perp_vector_write(const char *path, int n, const double *values,
                                      const char *comment, perp_message *why);

#ifdef __cplusplus
}
#endif
#endif
