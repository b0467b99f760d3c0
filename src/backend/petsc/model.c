/* model.c: an affine model of F */
#include "backend/petsc/quadratic.h"

static const PetscReal MODEL_ERROR = 0.01;

PetscErrorCode perp_model_options(PetscOptionItems *PetscOptionsObject, const char *name,
                                  perp_model *m)
{
  PetscCall(PetscOptionsBool(name,
                             "interpolations of PCMG or of the DM; no: prefix perp_, an algebraic "
                             "correction",
                             NULL, m->grid, &m->grid, NULL));
  return 0;
}

PetscErrorCode perp_model_open(perp_model *m, Vec like)
{
  PetscCall(VecDuplicate(like, &m->f));
  PetscCall(VecDuplicate(like, &m->trial));
  return 0;
}

static PetscErrorCode close_levels(perp_model *m)
{
  if (m->open) {
    PetscCall(perp_quadratic_close(&m->quadratic));
    PetscCall(perp_transfers_close(&m->transfers));
  }
  m->open = PETSC_FALSE;
  return 0;
}

PetscErrorCode perp_model_close(perp_model *m)
{
  PetscCall(close_levels(m));
  PetscCall(VecDestroy(&m->f));
  PetscCall(VecDestroy(&m->trial));
  return 0;
}

PetscErrorCode perp_model_take(perp_model *m, Mat A, PC pc, DM dm, Vec lo, Vec hi,
                               const char *prefix)
{
  if (m->open && m->quadratic.A == A) {
    m->quadratic.lo = lo; /* the user may have changed them since the last solve */
    m->quadratic.hi = hi;
    PetscCall(perp_quadratic_refresh(&m->quadratic));
    return 0;
  }
  PetscCall(close_levels(m));
  PetscCall(perp_transfers_find(m->grid ? pc : NULL, m->grid ? dm : NULL, &m->transfers));
  PetscCall(perp_quadratic_open(A, m->f, lo, hi, &m->transfers, prefix, &m->quadratic));
  m->open = PETSC_TRUE;
  return 0;
}

PetscErrorCode perp_model_step(perp_model *m, Vec F, PetscBool cold, Vec x)
{
  PetscCall(MatMult(m->quadratic.A, x, m->f));
  PetscCall(VecAXPY(m->f, -1, F));
  if (cold)
    PetscCall(perp_quadratic_start(&m->quadratic, x));
  PetscCall(perp_quadratic_cycle(&m->quadratic, x));
  return 0;
}

PetscErrorCode perp_model_holds(perp_model *m, Vec x, Vec F, PetscReal residual, PetscBool *holds)
{
  PetscReal error;
  PetscCall(MatMult(m->quadratic.A, x, m->trial));
  PetscCall(VecAXPY(m->trial, -1, m->f));
  PetscCall(VecAXPY(m->trial, -1, F));
  PetscCall(VecNorm(m->trial, NORM_INFINITY, &error));
  *holds = error <= MODEL_ERROR * residual ? PETSC_TRUE : PETSC_FALSE;
  return 0;
}
