/* linear_parts.h: what a linear system is made of: for linear_open.c, which chooses, and
 * linear.c */
#pragma once

#include "linalg/sparse_factor.h"
#include "method/run/factor_cache.h"
#include "method/system/dense.h"
#include "method/system/preconditioner.h"
#include "method/system/velocities.h"

enum { PERP_LINEAR_DENSE = 2000 }; /* rows up to which a sparse matrix is factored as a dense one */

typedef enum perp_linear_factor {
  PERP_BY_KRYLOV,
  PERP_BY_DENSE,
  PERP_BY_SPARSE,
  PERP_BY_LU
} perp_linear_factor;

struct perp_linear_system {
  perp_keep keep; /* first; whole: direct, and nothing was left out for want of time */
  perp_run *run;
  size_t limit; /* bytes that were allowed */
  int n;
  bool symmetric;
  perp_linear_plan plan; /* with a copy of the normals */
  bool dense;            /* direct: A_FF is made a dense matrix */
  bool sparse;           /* direct: ... or factored as a sparse one */
  int m;
  const int *F;         /* the caller's */
  const double *d;      /* of the factor: the caller's, or `raised` */
  const double *wanted; /* the caller's */
  bool definite;        /* Cholesky or nothing */
  bool *in;             /* n: F */
  perp_linear_factor factor;
  bool plain; /* ... is that of a regular A_FF */
  int *lent;  /* n: the rows of a factor that is lent */

  perp_square square;
  perp_gathered entries;
  perp_sparse rows;             /* the entries */
  perp_sparse_factor *factored; /* to be closed */
  perp_rows_lu lu;              /* to be closed */

  bool tied;                   /* systems (2) */
  const double *e;             /* the caller's */
  perp_velocities *velocities; /* to be closed; NULL: in z, by `lu` */
  double *value;               /* in z: the numbers of its matrix */
  int *finite;                 /* ... and its F */

  perp_preconditioner M;
  int restart;
  double *room;          /* of the Krylov solver, or 2 n */
  double *right, *t, *u; /* n each */
  double *raised;        /* n */
  double *q, *step;      /* n each: of a refinement */
};
