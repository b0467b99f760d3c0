/* levels.h: a correction for the free rows of an AIJ matrix, by multigrid on given interpolations
 * or by any preconditioner of PETSc */
#pragma once

#include "backend/petsc/rows.h"

#include <petscsnes.h>

/* P[k] brings corrections from level k - 1 to level k; P[0] is NULL. count = 1: there are none. */
typedef struct perp_transfers {
  PetscInt count;
  Mat *P; /* `count` references, owned */
} perp_transfers;

/* Of a PCMG whose interpolations are set; otherwise those of the DM and of its coarser ones, which
 * are made if they do not exist and the DM is a DMDA. pc and dm may be NULL. At most `most` levels,
 * unless 0. */
PetscErrorCode perp_transfers_find(PC pc, DM dm, PetscInt most, perp_transfers *transfers);
PetscErrorCode perp_transfers_close(perp_transfers *transfers);

typedef struct perp_level {
  Mat A;          /* of the free rows; a row that is not free has its diagonal entry alone */
  Mat P;          /* from the coarser level; rows that are not free are zero */
  perp_rows rows; /* */
  Vec x, f, r;    /* A x = f */
} perp_level;

typedef struct perp_levels {
  perp_transfers transfers; /* borrowed */
  perp_level *level;        /* 0: the coarsest */
  KSP last;                 /* solves there */
  PetscInt sweeps;          /* before and after the coarser levels */
} perp_levels;

/* `prefix` of options, may be NULL. */
PetscErrorCode perp_levels_open(Mat A, const perp_transfers *transfers, const char *prefix,
                                perp_levels *levels);
/* For the rows of A whose entry of `free` is 1; it is 0 for the others. */
PetscErrorCode perp_levels_truncate(perp_levels *levels, Mat A, Vec free);
/* c <- about A_FF^-1 r_F; 0 in rows that are not free */
PetscErrorCode perp_levels_correct(perp_levels *levels, Vec r, Vec c);
PetscErrorCode perp_levels_close(perp_levels *levels);
