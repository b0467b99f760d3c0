/* rows.h: projected Gauss-Seidel on the rows of an AIJ matrix, each rank on its own */
#pragma once

#include <petscmat.h>

/* What a sweep of A needs. */
typedef struct perp_rows {
  Mat A;              /* a reference */
  Vec diagonal;       /* of the sweep; 0: the row is left alone */
  Vec ghost;          /* values of other ranks; NULL on one rank */
  VecScatter scatter; /* brings them */
} perp_rows;

/* SeqAIJ or MPIAIJ; other types are refused. */
PetscErrorCode perp_rows_open(Mat A, perp_rows *rows);
/* The values of A changed, its nonzeros did not. */
PetscErrorCode perp_rows_refresh(perp_rows *rows);
PetscErrorCode perp_rows_close(perp_rows *rows);
/* One sweep for A x = f; lo and hi are both NULL or both given. */
PetscErrorCode perp_rows_sweep(const perp_rows *rows, Vec f, Vec lo, Vec hi, PetscBool backward,
                               Vec x);
