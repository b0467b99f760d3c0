/* tao.c: the TAO type perp, for quadratic functions between bounds
 *
 *   min 1/2 x^T H x + c^T x   over  lo <= x <= hi
 *
 * With the model g(z) = g(x) + H (z - x) of the gradient each iteration is one of gpcg.c, on the
 * interpolations of the DM that H was made by, or algebraic if there is none; from x = P(0) the
 * first one starts from the problem on coarser levels. The natural residual max |x_i - P_i(x_i -
 * g_i)|, from the user's gradient, decides. H is evaluated again only if the gradient differs from
 * the model by more than a hundredth of that residual: for a quadratic function, never. */
#include "backend/petsc/bounds.h"
#include "backend/petsc/quadratic.h"
#include "backend/petsc/types.h"

#include <petsc/private/taoimpl.h>
#include <petscdm.h>

#include <math.h>

static const PetscReal MODEL_ERROR = 0.01;

typedef struct perp_tao {
  perp_smoothing_counts counts;
  PetscInt most; /* conjugate gradients to an iteration */
  PetscBool grid;
  perp_transfers transfers;
  perp_quadratic quadratic;
  PetscBool open;
  Vec f, model;
} perp_tao;

static PetscErrorCode setup(Tao tao)
{
  perp_tao *p = tao->data;
  PetscFunctionBegin;
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
  PetscCall(VecDuplicate(tao->solution, &p->f));
  PetscCall(VecDuplicate(tao->solution, &p->model));
  PetscFunctionReturn(0);
}

static PetscErrorCode destroy(Tao tao)
{
  perp_tao *p = tao->data;
  PetscFunctionBegin;
  if (p->open) {
    PetscCall(perp_quadratic_close(&p->quadratic));
    PetscCall(perp_transfers_close(&p->transfers));
  }
  PetscCall(VecDestroy(&p->f));
  PetscCall(VecDestroy(&p->model));
  PetscCall(PetscFree(tao->data));
  PetscFunctionReturn(0);
}

/* H at x, and what depends on it. */
static PetscErrorCode take_hessian(Tao tao, Vec x)
{
  perp_tao *p = tao->data;
  DM dm = NULL;
  const char *prefix;
  PetscFunctionBegin;
  PetscCall(TaoComputeHessian(tao, x, tao->hessian, tao->hessian_pre));
  if (p->open && p->quadratic.A == tao->hessian_pre) {
    PetscCall(perp_quadratic_refresh(&p->quadratic));
    PetscFunctionReturn(0);
  }
  if (p->open) {
    PetscCall(perp_quadratic_close(&p->quadratic));
    PetscCall(perp_transfers_close(&p->transfers));
  }
  PetscCall(MatGetDM(tao->hessian_pre, &dm));
  PetscCall(TaoGetOptionsPrefix(tao, &prefix));
  PetscCall(perp_transfers_find(NULL, p->grid ? dm : NULL, 0, &p->transfers));
  PetscCall(perp_quadratic_open(tao->hessian_pre, p->f, tao->XL, tao->XU, &p->transfers, prefix,
                                &p->quadratic));
  p->open = PETSC_TRUE;
  PetscFunctionReturn(0);
}

/* f(x), its gradient and natural residual; the convergence test. */
static PetscErrorCode judge(Tao tao, PetscReal *residual)
{
  PetscReal value;
  PetscFunctionBegin;
  PetscCall(TaoComputeObjectiveAndGradient(tao, tao->solution, &value, tao->gradient));
  PetscCall(perp_bounds_natural(tao->XL, tao->XU, tao->solution, tao->gradient, residual));
  PetscCheck(isfinite(value) && isfinite(*residual), PetscObjectComm((PetscObject)tao),
             PETSC_ERR_USER, "the objective or its gradient is not finite");
  PetscCall(TaoLogConvergenceHistory(tao, value, *residual, 0, tao->ksp_its));
  PetscCall(TaoMonitor(tao, tao->niter, value, *residual, 0, 1));
  PetscUseTypeMethod(tao, convergencetest, tao->cnvP);
  PetscFunctionReturn(0);
}

static PetscErrorCode model_holds(perp_tao *p, Vec x, Vec gradient, PetscReal residual,
                                  PetscBool *holds)
{
  PetscReal error;
  PetscFunctionBegin;
  PetscCall(MatMult(p->quadratic.A, x, p->model));
  PetscCall(VecAXPY(p->model, -1, p->f));
  PetscCall(VecAXPY(p->model, -1, gradient));
  PetscCall(VecNorm(p->model, NORM_INFINITY, &error));
  *holds = error <= MODEL_ERROR * residual ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(Tao tao)
{
  perp_tao *p = tao->data;
  Vec x = tao->solution;
  PetscReal residual;
  PetscBool keep = PETSC_FALSE, cold = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(TaoComputeVariableBounds(tao));
  PetscCall(perp_bounds_check(tao->XL, tao->XU));
  PetscCall(perp_bounds_project(tao->XL, tao->XU, x));
  PetscCall(perp_bounds_cold(tao->XL, tao->XU, x, p->model, &cold));
  tao->reason = TAO_CONTINUE_ITERATING;
  PetscCall(judge(tao, &residual));
  while (tao->reason == TAO_CONTINUE_ITERATING) {
    PetscTryTypeMethod(tao, update, tao->niter, tao->user_update);
    if (!keep)
      PetscCall(take_hessian(tao, x));
    PetscCall(MatMult(p->quadratic.A, x, p->f));
    PetscCall(VecAXPY(p->f, -1, tao->gradient));
    if (cold && tao->niter == 0) {
      const char *prefix;
      PetscCall(TaoGetOptionsPrefix(tao, &prefix));
      PetscCall(perp_quadratic_start(&p->quadratic, p->counts, 1, prefix, x));
    }
    tao->ksp_its = 0;
    PetscCall(perp_quadratic_gpcg(&p->quadratic, p->counts, p->most, &tao->ksp_its, x));
    tao->ksp_tot_its += tao->ksp_its;
    tao->niter++;
    PetscCall(judge(tao, &residual));
    PetscCall(model_holds(p, x, tao->gradient, residual, &keep));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode options(Tao tao, PetscOptionItems *PetscOptionsObject)
{
  perp_tao *p = tao->data;
  PetscFunctionBegin;
  PetscOptionsHeadBegin(PetscOptionsObject, "perp: conjugate gradients on faces with multigrid");
  PetscCall(PetscOptionsRangeInt("-tao_perp_pre", "projected sweeps before a face", NULL,
                                 p->counts.pre, &p->counts.pre, NULL, 1, 100));
  PetscCall(PetscOptionsRangeInt("-tao_perp_post", "and after it", NULL, p->counts.post,
                                 &p->counts.post, NULL, 0, 100));
  PetscCall(PetscOptionsRangeInt("-tao_perp_cg", "conjugate gradients on a face, at most", NULL,
                                 p->most, &p->most, NULL, 1, 1000));
  PetscCall(PetscOptionsBool("-tao_perp_grid",
                             "interpolations of the DM of the Hessian; no: prefix perp_, an "
                             "algebraic preconditioner",
                             NULL, p->grid, &p->grid, NULL));
  PetscOptionsHeadEnd();
  PetscFunctionReturn(0);
}

static PetscErrorCode view(Tao tao, PetscViewer viewer)
{
  const perp_tao *p = tao->data;
  PetscBool text;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &text));
  if (text)
    PetscCall(PetscViewerASCIIPrintf(viewer,
                                     "  conjugate gradients on faces: %" PetscInt_FMT
                                     " levels, %" PetscInt_FMT " truncations\n",
                                     p->transfers.count, p->quadratic.truncations));
  PetscFunctionReturn(0);
}

PetscErrorCode perp_tao_create(Tao tao)
{
  perp_tao *p;
  PetscFunctionBegin;
  PetscCall(PetscNew(&p));
  *p = (perp_tao){.counts = {2, 1}, .most = 10, .grid = PETSC_TRUE};
  tao->data = p;
  tao->ops->setup = setup;
  tao->ops->solve = solve;
  tao->ops->view = view;
  tao->ops->setfromoptions = options;
  tao->ops->destroy = destroy;
  if (!tao->max_it_changed)
    tao->max_it = 500;
  if (!tao->max_funcs_changed)
    tao->max_funcs = 10000;
  PetscFunctionReturn(0);
}
