/* model.h: an affine model of F around x and its levels, for the types of SNES and TAO
 *
 *   F(z) = F(x) + A (z - x) = A z - f,   f = A x - F(x) */
#pragma once

#include "backend/petsc/quadratic.h"

#include <petsctao.h>

typedef struct perp_model {
  /* options */
  perp_smoothing_counts counts;
  PetscInt levels; /* most levels of the DM; 0: all */
  PetscBool grid;  /* use interpolations */
  /* */
  perp_transfers transfers;
  perp_quadratic quadratic;
  PetscBool open; /* the two above */
  Vec f, trial;
} perp_model;

/* Returns the defaults, without vectors. */
perp_model perp_model_default(void);
/* Options `prefix`pre, post and grid, for PetscOptionsObject. */
PetscErrorCode perp_model_options(PetscOptionItems *PetscOptionsObject, const char *prefix,
                                  perp_model *m);
PetscErrorCode perp_model_open(perp_model *m, Vec like);
/* To be called if A has new values or is another matrix. Interpolations come from pc or dm, both
 * may be NULL. */
PetscErrorCode perp_model_take(perp_model *m, Mat A, PC pc, DM dm, Vec lo, Vec hi,
                               const char *prefix);
/* Computes f, from F at x. */
PetscErrorCode perp_model_at(perp_model *m, Vec x, Vec F);
/* Returns true in *holds if F at x agrees with the model up to a hundredth of the residual. */
PetscErrorCode perp_model_holds(perp_model *m, Vec x, Vec F, PetscReal residual, PetscBool *holds);
PetscErrorCode perp_model_close(perp_model *m);

/* ---- The types that this library adds to PETSc ---- */

PetscErrorCode perp_snes_create(SNES snes);
PetscErrorCode perp_tao_create(Tao tao);
