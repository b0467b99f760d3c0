/* snes.c: the SNES type perpmg
 *
 * Find lo <= x <= hi with F(x) _|_ x. One iteration from x: with the model
 *
 *   F(z) = F(x) + J (z - x) = J z - f,   f = J x - F(x),
 *
 * one cycle of truncated nonsmooth Newton multigrid (quadratic.c); then F is evaluated, and the
 * natural residual max |x_i - P_i(x_i - F_i)| decides. J is evaluated again only if F differs
 * from the model by more than a hundredth of that residual, so never for linear F. If the residual
 * rises by more than RISE, the step is halved.
 *
 * If x = P(0) at the beginning, the first iteration starts from the problem on coarser levels.
 * Interpolations come from a PCMG that is the preconditioner of this SNES, or from its DM; without
 * them the correction is algebraic, by PCGAMG or another preconditioner (-perp_pc_type hypre).
 *
 * If F is affine with 5 or 7 points to a row on a DMDA, star.c and mesh.c do the whole solve,
 * without J. */
#include "backend/petsc/mesh.h"
#include "backend/petsc/quadratic.h"

#include <petsc/private/snesimpl.h>
#include <petscdm.h>

#include <math.h>

PETSC_EXTERN PetscErrorCode SNESVIDMComputeVariableBounds(SNES, Vec, Vec);

static const PetscReal RISE = 10, LEAST_STEP = 1.0 / 64;

typedef struct perp_snes {
  perp_model model;
  PetscBool stencil; /* look for an affine F of 5 or 7 points */
  const char *path;  /* which path the last solve took */
  Vec before;        /* x */
  PetscInt jacobians;
} perp_snes;

/* ---- Setting up ---- */

/* Takes the bounds like PETSc's VI types: set or computed by the user, or from the DM; else
 * none. */
static PetscErrorCode take_bounds(SNES snes)
{
  if (!snes->ops->computevariablebounds && snes->dm) {
    PetscBool has;
    PetscCall(DMHasVariableBounds(snes->dm, &has));
    if (has)
      snes->ops->computevariablebounds = SNESVIDMComputeVariableBounds;
  }
  if (!snes->usersetbounds) {
    if (!snes->xl)
      PetscCall(VecDuplicate(snes->vec_sol, &snes->xl));
    if (!snes->xu)
      PetscCall(VecDuplicate(snes->vec_sol, &snes->xu));
    PetscCall(VecSet(snes->xl, PETSC_NINFINITY));
    PetscCall(VecSet(snes->xu, PETSC_INFINITY));
    if (snes->ops->computevariablebounds)
      PetscCall((*snes->ops->computevariablebounds)(snes, snes->xl, snes->xu));
  }
  PetscCall(perp_bounds_check(snes->xl, snes->xu));
  return 0;
}

/* Matrices are created when needed, unless J is computed by differences: PETSc prepares that for an
 * existing matrix. */
static PetscErrorCode setup(SNES snes)
{
  perp_snes *p = snes->data;
  PetscErrorCode (*jacobian)(SNES, Vec, Mat, Mat, void *);
  PetscCall(SNESGetJacobian(snes, NULL, NULL, &jacobian, NULL));
  if (!jacobian || !p->stencil)
    PetscCall(SNESSetUpMatrices(snes));
  PetscCall(take_bounds(snes));
  PetscCall(perp_model_open(&p->model, snes->vec_sol));
  PetscCall(VecDuplicate(snes->vec_sol, &p->before));
  return 0;
}

static PetscErrorCode reset(SNES snes)
{
  perp_snes *p = snes->data;
  PetscCall(perp_model_close(&p->model));
  PetscCall(VecDestroy(&p->before));
  PetscCall(VecDestroy(&snes->xl));
  PetscCall(VecDestroy(&snes->xu));
  snes->usersetbounds = PETSC_FALSE;
  return 0;
}

static PetscErrorCode destroy(SNES snes)
{
  PetscCall(reset(snes));
  PetscCall(PetscFree(snes->data));
  return 0;
}

/* ---- The model ---- */

/* Evaluates J at x, and what depends on it. */
static PetscErrorCode take_jacobian(SNES snes, Vec x)
{
  perp_snes *p = snes->data;
  PC pc = NULL;
  const char *prefix;
  PetscCall(SNESComputeJacobian(snes, x, snes->jacobian, snes->jacobian_pre));
  p->jacobians++;
  if (snes->ksp)
    PetscCall(KSPGetPC(snes->ksp, &pc));
  PetscCall(SNESGetOptionsPrefix(snes, &prefix));
  PetscCall(
      perp_model_take(&p->model, snes->jacobian_pre, pc, snes->dm, snes->xl, snes->xu, prefix));
  return 0;
}

static PetscErrorCode measure(SNES snes, Vec x, PetscReal *residual)
{
  PetscCall(SNESComputeFunction(snes, x, snes->vec_func));
  PetscCall(perp_bounds_natural(snes->xl, snes->xu, x, snes->vec_func, residual));
  return 0;
}

/* ---- Solving ---- */

/* Computes the next x from the model at x, and F and the residual there. */
static PetscErrorCode advance(SNES snes, Vec x, PetscBool cold, PetscReal *residual)
{
  perp_snes *p = snes->data;
  const PetscReal old = *residual;
  PetscReal length = 1;
  PetscCall(VecCopy(x, p->before));
  PetscCall(perp_model_step(&p->model, snes->vec_func, cold, x));
  snes->linear_its++;
  PetscCall(measure(snes, x, residual));
  while (!(*residual <= RISE * old) && length > LEAST_STEP && !snes->domainerror) {
    length /= 2; /* x <- (x + x_before) / 2 */
    PetscCall(VecAXPBY(x, 0.5, 0.5, p->before));
    PetscCall(measure(snes, x, residual));
  }
  return 0;
}

static PetscErrorCode judge(SNES snes, PetscReal residual)
{
  PetscReal size;
  PetscCall(VecNorm(snes->vec_sol, NORM_2, &size));
  if (snes->domainerror) {
    snes->reason = SNES_DIVERGED_FUNCTION_DOMAIN;
    snes->domainerror = PETSC_FALSE;
  } else if (!isfinite(residual))
    snes->reason = SNES_DIVERGED_FNORM_NAN;
  else
    PetscCall((*snes->ops->converged)(snes, snes->iter, size, snes->iter ? size : 0, residual,
                                      &snes->reason, snes->cnvP));
  return 0;
}

static PetscErrorCode report(SNES snes, PetscInt iteration, PetscReal residual)
{
  snes->iter = iteration;
  snes->norm = residual;
  PetscCall(SNESLogConvergenceHistory(snes, residual, 1));
  PetscCall(SNESMonitor(snes, iteration, residual));
  PetscCall(judge(snes, residual));
  return 0;
}

/* ---- Without a matrix ---- */

/* Cycles before this solve on a grid, for the monitor. */
typedef struct progress {
  SNES snes;
  PetscInt before;
} progress;

static PetscErrorCode show_cycle(void *context, int cycle, double residual, bool *stop)
{
  const progress *p = context;
  (void)stop; /* SNES has no time limit */
  if (cycle > 0) {
    p->snes->iter = p->before + cycle;
    p->snes->norm = residual;
    PetscCall(SNESLogConvergenceHistory(p->snes, residual, 1));
    PetscCall(SNESMonitor(p->snes, p->snes->iter, residual));
  }
  return 0;
}

/* Solves on the grid until F itself confirms that x is good enough; a second time only if the
 * entries of A have significant errors. */
static PetscErrorCode solve_star(SNES snes, perp_star *star, PetscBool cold)
{
  enum { AGAIN = 4 };
  Vec x = snes->vec_sol;
  PetscReal residual;
  progress shown = {snes, 0};
  PetscCall(measure(snes, x, &residual));
  for (int turn = 0; turn < AGAIN && !snes->reason && shown.before < snes->max_its; turn++) {
    const perp_mesh_options options = {.target = 0.9 * PetscMax(snes->abstol, snes->ttol),
                                       .max_cycles =
                                           (int)PetscMin(snes->max_its - shown.before, 1000000),
                                       .start = turn == 0 && cold,
                                       .monitor = show_cycle,
                                       .context = &shown};
    perp_mesh_result result;
    PetscCall(perp_star_solve(star, &options, snes->xl, snes->xu, snes->vec_func, x, &result));
    shown.before += result.cycles;
    snes->linear_its += result.cycles;
    PetscCall(measure(snes, x, &residual));
    snes->iter = shown.before;
    snes->norm = residual;
    PetscCall(judge(snes, residual));
    if (!snes->reason && result.cycles == 0)
      break;
  }
  if (!snes->reason)
    snes->reason = snes->iter < snes->max_its ? SNES_DIVERGED_INNER : SNES_DIVERGED_MAX_IT;
  return 0;
}

static PetscErrorCode solve(SNES snes)
{
  perp_snes *p = snes->data;
  Vec x = snes->vec_sol;
  PetscReal residual;
  PetscBool cold = PETSC_FALSE, keep = PETSC_FALSE;
  perp_star *star = NULL;
  snes->reason = SNES_CONVERGED_ITERATING;
  if (snes->ops->computevariablebounds && !snes->usersetbounds)
    PetscCall(take_bounds(snes)); /* they may change from step to step */
  else
    PetscCall(perp_bounds_check(snes->xl, snes->xu)); /* or be set between two solves */
  PetscCall(perp_bounds_project(snes->xl, snes->xu, x));
  PetscCall(perp_bounds_cold(snes->xl, snes->xu, x, p->before, &cold));
  PetscCall(measure(snes, x, &residual));
  PetscCall(report(snes, 0, residual));
  p->path = "matrices";
  if (!snes->reason && p->stencil) {
    const char *why;
    PetscCall(perp_star_find(snes, snes->vec_func, x, &star, &why));
    if (star) {
      p->path = "a grid of 5 or 7 points, no matrix";
      PetscCall(perp_bounds_project(snes->xl, snes->xu, x));
      PetscCall(solve_star(snes, star, cold));
      PetscCall(perp_star_destroy(&star));
      return 0;
    }
    PetscCall(PetscInfo(snes, "perpmg with matrices: %s\n", why));
    snes->domainerror = PETSC_FALSE; /* at points that the iteration does not visit */
  }
  if (!snes->reason)
    PetscCall(SNESSetUpMatrices(snes));
  for (PetscInt it = 0; it < snes->max_its && !snes->reason; it++) {
    PetscTryTypeMethod(snes, update, snes->iter);
    if (!keep)
      PetscCall(take_jacobian(snes, x));
    if (snes->jacobiandomainerror) {
      snes->reason = SNES_DIVERGED_JACOBIAN_DOMAIN;
      break;
    }
    PetscCall(advance(snes, x, cold && it == 0 ? PETSC_TRUE : PETSC_FALSE, &residual));
    PetscCall(perp_model_holds(&p->model, x, snes->vec_func, residual, &keep));
    PetscCall(report(snes, it + 1, residual));
  }
  if (!snes->reason)
    snes->reason = SNES_DIVERGED_MAX_IT;
  return 0;
}

/* ---- The type ---- */

static PetscErrorCode options(SNES snes, PetscOptionItems *PetscOptionsObject)
{
  perp_snes *p = snes->data;
  PetscOptionsHeadBegin(PetscOptionsObject, "perpmg: truncated nonsmooth Newton multigrid");
  PetscCall(perp_model_options(PetscOptionsObject, "-snes_perp_grid", &p->model));
  PetscCall(PetscOptionsBool("-snes_perp_stencil",
                             "an affine F of 5 or 7 points on a DMDA is solved without a matrix",
                             NULL, p->stencil, &p->stencil, NULL));
  PetscOptionsHeadEnd();
  return 0;
}

static PetscErrorCode view(SNES snes, PetscViewer viewer)
{
  const perp_snes *p = snes->data;
  PetscBool text;
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &text));
  if (!text)
    return 0;
  if (p->path)
    PetscCall(PetscViewerASCIIPrintf(viewer, "  last solve: %s\n", p->path));
  PetscCall(PetscViewerASCIIPrintf(
      viewer,
      "  truncated nonsmooth Newton multigrid: %" PetscInt_FMT " levels, %" PetscInt_FMT
      " Jacobians, %" PetscInt_FMT " truncations\n",
      p->model.transfers.count, p->jacobians, p->model.quadratic.truncations));
  return 0;
}

PetscErrorCode perp_snes_create(SNES snes)
{
  perp_snes *p;
  PetscCall(PetscNew(&p));
  *p = (perp_snes){.model = {.grid = PETSC_TRUE}, .stencil = PETSC_TRUE};
  snes->data = p;
  snes->ops->setup = setup;
  snes->ops->solve = solve;
  snes->ops->destroy = destroy;
  snes->ops->reset = reset;
  snes->ops->setfromoptions = options;
  snes->ops->view = view;
  snes->usesksp = PETSC_FALSE;
  snes->usesnpc = PETSC_FALSE;
  snes->alwayscomputesfinalresidual = PETSC_TRUE;
  return 0;
}
