/* structure.h: rebuilds operators from the structure given in a problem folder */
#pragma once

#include "base/shared.h"
#include "io/mtx.h"
#include <perp/io.h>
#include <perp/qp.h>

/* Source of the vectors of a problem. */
typedef struct perp_vectors {
  const char *path;  /* of the folder or file, for messages */
  const char *label; /* how a message names a vector: "%s/%s.mtx" */
  void *context;
  /* *values, from perp_alloc, stays NULL if the vector does not exist; length may be NULL. */
  perp_error (*read)(void *context, const perp_mtx_rule *rule, double **values, int *length);
  int first; /* index of the first row in findex and cone; one less means none */
  perp_message *why;
} perp_vectors;

/* Reads b, x, u, lo, hi, findex, dim, law, mu and cone of an instance that has A, then checks the whole
 * problem. Bounds of magnitude >= 1e300 become infinite; findex stays NULL if no row has one. */
PERP_SHARED perp_error perp_structure_vectors(const perp_vectors *v, perp_instance *instance);

/* Creates a dense operator from an array, a CSR one from a coordinate file; the operator takes the
 * arrays, and the matrix is left empty. */
PERP_SHARED perp_error perp_structure_plain(perp_mtx *A, perp_operator **op, perp_message *why);

/* Creates the stencil operator whose unknowns are in the grid cells `cells` (n x 2 or n x 3 whole
 * numbers; the smallest is the origin), with exactly the entries of A. Changes only the form of
 * both. Returns an error that names the entry if A couples cells without a common face or is not
 * symmetric. */
perp_error perp_structure_stencil(perp_mtx *A, perp_mtx *cells, perp_operator **op,
                                  perp_message *why);

/* Creates the contact operator J Minv J^T + C; C may be NULL. inverse: the mass is Minv, and its
 * diagonal blocks are the finest that its pattern allows; otherwise it is any M. Changes only the form of the matrices; `folder` is their source,
 * for messages. */
perp_error perp_structure_contact(const char *folder, perp_mtx *J, perp_mtx *mass, bool inverse,
                                  perp_mtx *C, perp_operator **op, perp_message *why);

/* Returns Minv of a contact operator as compressed rows; keeps zeros inside its blocks, so that the
 * same blocks are found again. */
perp_error perp_structure_minv(const perp_contact_data *data, perp_mtx *Minv, perp_message *why);

/* Computes the cell coordinates of each unknown, by columns: *columns is 2 if the grid has one
 * layer, otherwise 3. *values is from perp_alloc. */
perp_error perp_structure_cells(const perp_stencil_data *data, int n, int *columns, int **values,
                                perp_message *why);

/* ---- MPS and QPS files (mps.c) ---- */

/* As perp_qp_mps_read, of a text in memory; `path` is used only in messages: "path:line: what". */
perp_error perp_qp_mps_parse(const char *path, const char *text, size_t bytes,
                             perp_qp_instance *instance, perp_message *why);
