/* body_matrix.h: matrices in the velocities of bodies, assembled and factored repeatedly
 *
 *   M = I + a sum of pieces, each over the blocks of a few bodies
 *
 * with the mass matrix in place of I if the bodies have one that is not block diagonal (operator/contact/mass.c).
 *
 * The factorisation and its order are chosen once: up to PERP_BLOCK_LU_MOST bodies a block LU factor
 * (block_factor.h), beyond that UMFPACK; without UMFPACK block LU for any number of bodies, and dense
 * LU if a block is too wide.
 *
 * An assembler looks up the places of its pieces once. Functions on the bodies of a contact
 * operator are here, too. */
#pragma once

#include "linalg/block_factor.h"
#include "method/system/submatrix.h"
#include "operator/contact/contact.h"

/* ---- Bodies ---- */

/* The data that determine the pattern of M, copied. */
typedef struct perp_body_pattern {
  perp_contact_data bodies; /* blocks, block_start, velocities */
  int n;                    /* rows */
  int64_t *pair_start;      /* n + 1, of the contact operator */
  int *pair_block;
} perp_body_pattern;

/* Copies into the run's arena. Returns false when out of memory. */
bool perp_body_pattern_copy(perp_run *run, const perp_contact *c, perp_body_pattern *p);
/* Returns true if the operator has this pattern; borrows the numbers of its mass. */
bool perp_body_pattern_is(perp_body_pattern *p, const perp_contact *c);

/* block <- the blocks that these rows touch, ascending. Returns their number. */
int perp_body_union(const perp_contact *c, int count, const int *row, int *block);
/* Returns C_ii; C is diagonal. */
static inline double perp_body_compliance(const perp_contact *c, int i)
{
  return c->C.start[i + 1] > c->C.start[i] ? c->data.C_value[c->C.start[i]] : 0;
}

/* ---- The matrix ---- */

/* Checks memory (returns an error) and time (the run expires) for that many couplings of two
 * blocks. The error names the coupled items: `count` bodies or contacts. */
perp_error perp_body_matrix_fits(perp_run *run, double couplings, int count, const char *what);

/* The blocks of M. */
typedef struct perp_block_graph {
  int64_t *start; /* blocks + 1 */
  int *neighbour; /* ascending for each block, including the block itself */
} perp_block_graph;

/* A block of M: its first number, and the steps to the next row and the next column. */
typedef struct perp_body_block {
  double *at;
  int down, across;
} perp_body_block;

typedef struct perp_body_matrix {
  perp_run *run;
  const perp_contact_data *bodies;
  perp_block_graph graph;
  perp_block_lu *lu;    /* NULL: rows_lu is in use */
  perp_rows_lu rows_lu; /* to be closed */
  perp_sparse M;        /* of rows_lu: the matrix by rows */
  double *value;        /* its numbers */
  int *all;             /* 0, 1, ... */
  double spent;  /* cost of the slowest factor so far, in flops of perp_run_flops; 0: unknown */
  bool too_long; /* the last factor was not begun for lack of time; the run has a message */
} perp_body_matrix;

/* Set s touches the blocks member[set_start[s]] .. member[set_start[s + 1] - 1]: M has the blocks
 * of every two of them. Takes the rest of the run's arena, so open it last. Close it whatever is
 * returned; do not use it if the run has expired meanwhile. */
perp_error perp_body_matrix_open(perp_body_matrix *s, perp_run *run,
                                 const perp_contact_data *bodies, int sets,
                                 const int64_t *set_start, const int *member);
void perp_body_matrix_close(perp_body_matrix *s);
/* Prepares it for another run with the same pattern. */
void perp_body_matrix_reopen(perp_body_matrix *s, perp_run *run);

perp_body_block perp_body_matrix_find(const perp_body_matrix *s, int row, int column);
/* M <- I, or the mass matrix */
void perp_body_matrix_reset(perp_body_matrix *s);
/* Returns true if there is time for a factor; otherwise sets the run's message. */
bool perp_body_matrix_affords(perp_body_matrix *s);
/* Returns false if there is no factor. */
bool perp_body_matrix_factor(perp_body_matrix *s);
/* Returns the sign of det M at the last factor, 0 if the factor does not tell: only block LU does. */
int perp_body_matrix_sign(const perp_body_matrix *s);
/* v <- M^-1 v. Returns false on failure. */
bool perp_body_matrix_solve(perp_body_matrix *s, double *v);
