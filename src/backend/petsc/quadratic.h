/* quadratic.h: min 1/2 x^T A x - f^T x over lo <= x <= hi, by truncated nonsmooth Newton multigrid
 * on AIJ matrices */
#pragma once

#include <petscsnes.h>
#include <petsctao.h>

/* ---- Projected Gauss-Seidel on the rows of an AIJ matrix, each rank on its own (rows.c) ---- */

/* Data of a sweep with A. */
typedef struct perp_rows {
  Mat A;              /* a reference */
  Vec diagonal;       /* of the sweep; 0: the row is skipped */
  Vec ghost;          /* values of other ranks; NULL on one rank */
  VecScatter scatter; /* brings them */
} perp_rows;

/* SeqAIJ or MPIAIJ; other types are refused. */
PetscErrorCode perp_rows_open(Mat A, perp_rows *rows);
/* To be called if the values of A changed, but not its nonzeros. */
PetscErrorCode perp_rows_refresh(perp_rows *rows);
PetscErrorCode perp_rows_close(perp_rows *rows);
/* One sweep for A x = f; lo and hi are both NULL or both given. */
PetscErrorCode perp_rows_sweep(const perp_rows *rows, Vec f, Vec lo, Vec hi, PetscBool backward,
                               Vec x);
/* y + y_low <- A (x + x_low) + y + y_low in twice the precision, for verdicts; x_low: may be NULL. */
PetscErrorCode perp_rows_add_twice(Mat A, Vec x, Vec x_low, Vec y, Vec y_low);

/* ---- Interpolations (levels.c) ---- */

/* P[k] interpolates corrections from level k - 1 to level k; P[0] is NULL. count = 1: no
 * interpolations. */
typedef struct perp_transfers {
  PetscInt count;
  Mat *P; /* `count` references, owned */
} perp_transfers;

/* Returns the interpolations of a PCMG if they are set; otherwise those between the points of a
 * DMDA, or between another DM and its coarser ones. pc and dm may be NULL. */
PetscErrorCode perp_transfers_find(PC pc, DM dm, perp_transfers *transfers);
PetscErrorCode perp_transfers_close(perp_transfers *transfers);

/* Returns true in *open if the DM is a DMDA without periodic sides. */
PetscErrorCode perp_da_is_open(DM dm, PetscBool *open);
/* Returns the indices of the first numbers of points in a vector of a DMDA. */
PetscErrorCode perp_points_number(DM dm, int count, int (*at)[3], PetscInt *index);

/* ---- The problem (quadratic.c), and a correction for its free rows, by multigrid on given
 * interpolations or by any preconditioner of PETSc ---- */

typedef struct perp_level {
  Mat A;          /* of the free rows; other rows have only their diagonal entry */
  Mat P;          /* from the coarser level; rows that are not free are zero */
  perp_rows rows; /* */
  Vec x, f, r;    /* A x = f */
} perp_level;

typedef struct perp_levels {
  perp_transfers transfers; /* borrowed */
  perp_level *level;        /* 0: the coarsest */
  KSP last;                 /* solves there */
} perp_levels;

typedef struct perp_quadratic {
  Mat A;              /* borrowed, as f, lo and hi are */
  Vec f, lo, hi;      /* */
  const char *prefix; /* of the options, borrowed */
  perp_rows rows;     /* */
  perp_levels levels;
  Vec free, free_before, r, step, product;
  PetscInt truncations; /* so far */
  PetscBool stale;      /* A has changed since the last truncation */
} perp_quadratic;

PetscErrorCode perp_quadratic_open(Mat A, Vec f, Vec lo, Vec hi, const perp_transfers *transfers,
                                   const char *prefix, perp_quadratic *q);
/* To be called if the values of A changed. */
PetscErrorCode perp_quadratic_refresh(perp_quadratic *q);
PetscErrorCode perp_quadratic_cycle(perp_quadratic *q, Vec x);
/* Computes a start x from the problem on coarser levels, each solved by a cycle. */
PetscErrorCode perp_quadratic_start(const perp_quadratic *q, Vec x);
PetscErrorCode perp_quadratic_close(perp_quadratic *q);

/* ---- Vectors between bounds (bounds.c) ---- */

static inline PetscReal perp_between(PetscReal a, PetscReal lo, PetscReal hi)
{
  return a < lo ? lo : a > hi ? hi : a;
}

/* Checks that no bound is NaN and lo <= hi; otherwise returns the same error on every rank, which
 * names the row and its bounds. */
PetscErrorCode perp_bounds_check(Vec lo, Vec hi);
/* x <- P(x) */
PetscErrorCode perp_bounds_project(Vec lo, Vec hi, Vec x);
/* max |x - P(x - y)| over all ranks; infinite if x or y is not finite. */
PetscErrorCode perp_bounds_natural(Vec lo, Vec hi, Vec x, Vec y, PetscReal *residual);
/* Returns true in *cold if x = P(0); overwrites work. */
PetscErrorCode perp_bounds_cold(Vec lo, Vec hi, Vec x, Vec work, PetscBool *cold);
/* max |x_i|; infinite if one is NaN, because the maximum over ranks may lose a NaN of one rank. */
PetscErrorCode perp_bounds_size(Vec x, PetscReal *size);

/* ---- An affine model of F around x and its levels, for the types of SNES and TAO (model.c) ----
 *
 *   F(z) = F(x) + A (z - x) = A z - f,   f = A x - F(x) */

typedef struct perp_model {
  PetscBool grid; /* an option: use interpolations */
  perp_transfers transfers;
  perp_quadratic quadratic;
  PetscBool open; /* the two above */
  Vec f, trial;
} perp_model;

/* The option `name`, for PetscOptionsObject. */
PetscErrorCode perp_model_options(PetscOptionItems *PetscOptionsObject, const char *name,
                                  perp_model *m);
PetscErrorCode perp_model_open(perp_model *m, Vec like);
/* To be called if A has new values or is another matrix. Interpolations come from pc or dm, both
 * may be NULL. */
PetscErrorCode perp_model_take(perp_model *m, Mat A, PC pc, DM dm, Vec lo, Vec hi,
                               const char *prefix);
/* Makes a cycle for the model around x, where F is given; cold: from the problem on coarser levels. */
PetscErrorCode perp_model_step(perp_model *m, Vec F, PetscBool cold, Vec x);
/* Returns true in *holds if F at x agrees with the model up to a hundredth of the residual. */
PetscErrorCode perp_model_holds(perp_model *m, Vec x, Vec F, PetscReal residual, PetscBool *holds);
PetscErrorCode perp_model_close(perp_model *m);

/* ---- The types that this library adds to PETSc ---- */

PetscErrorCode perp_snes_create(SNES snes);
