/* body_matrix.h: matrices in the velocities of bodies, assembled and factored again and again
 *
 *   M = I + a sum of pieces, each over the blocks of a few bodies
 *
 * How M is factored is chosen once, with its order, by the number of bodies:
 *
 *   symmetric       up to PERP_BLOCK_FACTOR_MOST bodies a block Cholesky factor (block_factor.h),
 *                   beyond the sparse one (CHOLMOD if it is built in)
 *   not symmetric   up to PERP_BLOCK_LU_MOST the LU factor of blocks, beyond UMFPACK; without UMFPACK
 *                   that of blocks for any number of bodies, and a dense one if a block is too wide
 *
 * Whoever assembles asks once for the places of its pieces. What is asked of the bodies of a contact
 * operator stands here, too. */
#pragma once

#include "linalg/block_lu.h"
#include "linalg/sparse_factor.h"
#include "method/system/submatrix.h"
#include "operator/contact/contact.h"

/* ---- Bodies ---- */

/* A copy of what the pattern of M depends on. */
typedef struct perp_body_pattern {
  perp_contact_data bodies; /* blocks, block_start, velocities */
  int n;                    /* rows */
  int64_t *pair_start;      /* n + 1, of the contact operator */
  int *pair_block;
} perp_body_pattern;

/* In the run's arena; false when out of memory. */
bool perp_body_pattern_copy(perp_run *run, const perp_contact *c, perp_body_pattern *p);
/* Returns true if the operator has this pattern. */
bool perp_body_pattern_is(const perp_body_pattern *p, const perp_contact *c);

/* block <- the blocks that these rows touch, ascending; returns their number. */
int perp_body_union(const perp_contact *c, int count, const int *row, int *block);
/* v <- v + Minv J^T x */
void perp_body_gather(const perp_contact *c, const double *x, double *v);
/* C_ii; C is diagonal. */
static inline double perp_body_compliance(const perp_contact *c, int i)
{
  return c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
}

/* ---- The matrix ---- */

/* Whether there is room, else an error, and time, else the run has expired, for so many couplings of
 * two blocks. The error names what is coupled: `count` bodies or contacts. */
perp_error perp_body_matrix_fits(perp_run *run, double couplings, int count, const char *what);

/* Which blocks M has. */
typedef struct perp_block_graph {
  int64_t *start; /* blocks + 1 */
  int *neighbour; /* ascending for each block, the block itself among them */
} perp_block_graph;

/* A block of M: its first number, and the steps to the one below and the one beside. */
typedef struct perp_body_block {
  double *at; /* NULL: M is symmetric and has no need of this one */
  int down, across;
} perp_body_block;

typedef struct perp_body_matrix {
  perp_run *run;
  const perp_contact_data *bodies;
  perp_block_graph graph;
  perp_block_factor *cholesky; /* one of these four is in use */
  perp_block_lu *lu;
  perp_sparse_factor *sparse; /* to be freed */
  perp_rows_lu rows_lu;       /* to be closed */
  perp_sparse M;              /* of the latter two: the matrix by rows, both triangles */
  double *value;              /* its numbers */
  int *all;                   /* 0, 1, ... */
  double spent;  /* by the slowest factor so far, in what perp_run_flops counts; 0: not known */
  bool too_long; /* the last factor was not begun, for want of time: the run is told so */
} perp_body_matrix;

/* Set s touches the blocks member[set_start[s]] .. member[set_start[s + 1] - 1]: M has the blocks
 * of every two of them. Takes the rest of the run's arena: open it last. Closed whatever comes
 * back, and not to be used if the run has expired meanwhile. */
perp_error perp_body_matrix_open(perp_body_matrix *s, perp_run *run,
                                 const perp_contact_data *bodies, bool symmetric, int sets,
                                 const int64_t *set_start, const int *member);
void perp_body_matrix_close(perp_body_matrix *s);
/* For another run, as if opened for it with the same pattern. */
void perp_body_matrix_reopen(perp_body_matrix *s, perp_run *run);

perp_body_block perp_body_matrix_find(const perp_body_matrix *s, int row, int column);
/* M <- I */
void perp_body_matrix_reset(perp_body_matrix *s);
/* Whether there is time for a factor; the run is told otherwise. */
bool perp_body_matrix_affords(perp_body_matrix *s);
/* changed: by body, whether its row of M has changed since the factor before; NULL: all. False if
 * there is no factor. */
bool perp_body_matrix_factor(perp_body_matrix *s, const bool *changed);
/* v <- M^-1 v; false if that failed. */
bool perp_body_matrix_solve(perp_body_matrix *s, double *v);
