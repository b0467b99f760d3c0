/* tao.c: the TAO type perp, for quadratic functions between bounds; and the registration of both
 * types
 *
 *   min 1/2 x^T H x + c^T x   over  lo <= x <= hi
 *
 * With the model g(z) = g(x) + H (z - x) of the gradient each iteration is one cycle of
 * quadratic.c, with the interpolations of the DM that created H, or algebraic if there is none;
 * from x = P(0) the first one starts from the problem on coarser levels. The natural residual
 * max |x_i - P_i(x_i - g_i)|, from the user's gradient, decides. H is evaluated again only if the
 * gradient differs from the model by more than a hundredth of that residual, so never for a
 * quadratic function. */
#include "backend/petsc/quadratic.h"

#include <math.h>
#include <petsc/private/taoimpl.h>
#include <petscdm.h>

static PetscErrorCode setup(Tao tao)
{
  perp_model *m = tao->data;
  if (!tao->gradient)
    PetscCall(VecDuplicate(tao->solution, &tao->gradient));
  if (!tao->stepdirection)
    PetscCall(VecDuplicate(tao->solution, &tao->stepdirection));
  if (!tao->XL) {
    PetscCall(VecDuplicate(tao->solution, &tao->XL));
    PetscCall(VecSet(tao->XL, PETSC_NINFINITY));
  }
  if (!tao->XU) {
    PetscCall(VecDuplicate(tao->solution, &tao->XU));
    PetscCall(VecSet(tao->XU, PETSC_INFINITY));
  }
  PetscCall(perp_model_open(m, tao->solution));
  return 0;
}

static PetscErrorCode destroy(Tao tao)
{
  perp_model *m = tao->data;
  PetscCall(perp_model_close(m));
  PetscCall(PetscFree(tao->data));
  return 0;
}

/* Evaluates H at x, and what depends on it. */
static PetscErrorCode take_hessian(Tao tao, Vec x)
{
  perp_model *m = tao->data;
  DM dm = NULL;
  const char *prefix;
  PetscCall(TaoComputeHessian(tao, x, tao->hessian, tao->hessian_pre));
  PetscCall(MatGetDM(tao->hessian_pre, &dm));
  PetscCall(TaoGetOptionsPrefix(tao, &prefix));
  PetscCall(perp_model_take(m, tao->hessian_pre, NULL, dm, tao->XL, tao->XU, prefix));
  return 0;
}

/* Computes f(x), its gradient and natural residual, and calls the convergence test. */
static PetscErrorCode judge(Tao tao, PetscReal *residual)
{
  PetscReal value;
  PetscCall(TaoComputeObjectiveAndGradient(tao, tao->solution, &value, tao->gradient));
  PetscCall(perp_bounds_natural(tao->XL, tao->XU, tao->solution, tao->gradient, residual));
  PetscCheck(isfinite(value) && isfinite(*residual), PetscObjectComm((PetscObject)tao),
             PETSC_ERR_USER, "the objective or its gradient is not finite");
  PetscCall(TaoLogConvergenceHistory(tao, value, *residual, 0, tao->ksp_its));
  PetscCall(TaoMonitor(tao, tao->niter, value, *residual, 0, 1));
  PetscUseTypeMethod(tao, convergencetest, tao->cnvP);
  return 0;
}

static PetscErrorCode solve(Tao tao)
{
  perp_model *m = tao->data;
  Vec x = tao->solution;
  PetscReal residual;
  PetscBool keep = PETSC_FALSE, cold = PETSC_FALSE;
  PetscCall(TaoComputeVariableBounds(tao));
  PetscCall(perp_bounds_check(tao->XL, tao->XU));
  PetscCall(perp_bounds_project(tao->XL, tao->XU, x));
  PetscCall(perp_bounds_cold(tao->XL, tao->XU, x, m->trial, &cold));
  tao->reason = TAO_CONTINUE_ITERATING;
  PetscCall(judge(tao, &residual));
  while (tao->reason == TAO_CONTINUE_ITERATING) {
    PetscTryTypeMethod(tao, update, tao->niter, tao->user_update);
    if (!keep)
      PetscCall(take_hessian(tao, x));
    PetscCall(perp_model_step(m, tao->gradient, cold, x));
    cold = PETSC_FALSE;
    tao->niter++;
    PetscCall(judge(tao, &residual));
    PetscCall(perp_model_holds(m, x, tao->gradient, residual, &keep));
  }
  return 0;
}

static PetscErrorCode options(Tao tao, PetscOptionItems *PetscOptionsObject)
{
  perp_model *m = tao->data;
  PetscOptionsHeadBegin(PetscOptionsObject, "perp: truncated nonsmooth Newton multigrid");
  PetscCall(perp_model_options(PetscOptionsObject, "-tao_perp_grid", m));
  PetscOptionsHeadEnd();
  return 0;
}

static PetscErrorCode view(Tao tao, PetscViewer viewer)
{
  const perp_model *m = tao->data;
  PetscBool text;
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &text));
  if (text)
    PetscCall(PetscViewerASCIIPrintf(viewer,
                                     "  truncated nonsmooth Newton multigrid: %" PetscInt_FMT
                                     " levels, %" PetscInt_FMT " truncations\n",
                                     m->transfers.count, m->quadratic.truncations));
  return 0;
}

static PetscErrorCode create(Tao tao)
{
  perp_model *m;
  PetscCall(PetscNew(&m));
  m->grid = PETSC_TRUE;
  tao->data = m;
  tao->ops->setup = setup;
  tao->ops->solve = solve;
  tao->ops->view = view;
  tao->ops->setfromoptions = options;
  tao->ops->destroy = destroy;
  if (!tao->max_it_changed)
    tao->max_it = 500;
  if (!tao->max_funcs_changed)
    tao->max_funcs = 10000;
  return 0;
}

/* ---- Called by PETSc after loading this library: -dll_append libperp_petsc.so ---- */

/* PETSc derives this name from the library's. */
PETSC_EXTERN PETSC_VISIBILITY_PUBLIC PetscErrorCode PetscDLLibraryRegister_perp_petsc(void);

PetscErrorCode PetscDLLibraryRegister_perp_petsc(void)
{
  PetscCall(SNESRegister("perpmg", perp_snes_create));
  PetscCall(TaoRegister("perp", create));
  return 0;
}
