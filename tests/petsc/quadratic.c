/* quadratic.c: a quadratic function between bounds for TAO, without any reference to perp
 *
 * The membrane of problem.c over an obstacle: 1/2 x^T A x - h^2 sum x. -tao_type selects the
 * solver. Prints iterations, reason, natural residual, value and seconds. -plain: A without its DM,
 * so that there is no grid to find; with more than one rank the last one has no rows. */
#include <petscdmda.h>
#include <petsctao.h>
#include <petsctime.h>

#include <math.h>

typedef struct membrane {
  Mat A;
  Vec b;
} membrane;

static PetscErrorCode evaluate(Tao tao, Vec x, PetscReal *value, Vec gradient, void *context)
{
  const membrane *m = context;
  PetscScalar xg, xb;
  PetscFunctionBegin;
  (void)tao;
  PetscCall(MatMult(m->A, x, gradient));
  PetscCall(VecDot(x, gradient, &xg));
  PetscCall(VecDot(x, m->b, &xb));
  PetscCall(VecAXPY(gradient, 1, m->b));
  *value = xg / 2 + xb;
  PetscFunctionReturn(0);
}

static PetscErrorCode hessian(Tao tao, Vec x, Mat H, Mat P, void *context)
{
  PetscFunctionBegin; /* it is there already */
  (void)tao;
  (void)x;
  (void)H;
  (void)P;
  (void)context;
  PetscFunctionReturn(0);
}

/* Row c of the grid of n^2 inner points. */
static PetscErrorCode set_row(Mat A, PetscInt n, PetscInt row, PetscInt i, PetscInt j,
                              const PetscInt column[4])
{
  PetscFunctionBegin;
  const PetscBool there[4] = {i > 0, i<n - 1, j> 0, j < n - 1};
  PetscCall(MatSetValue(A, row, row, 4, INSERT_VALUES));
  for (int q = 0; q < 4; q++)
    if (there[q])
      PetscCall(MatSetValue(A, row, column[q], -1, INSERT_VALUES));
  PetscFunctionReturn(0);
}

static PetscReal obstacle(PetscInt n, PetscInt i, PetscInt j)
{
  const PetscReal x = (PetscReal)(i + 1) / (PetscReal)(n + 1) - .5;
  const PetscReal y = (PetscReal)(j + 1) / (PetscReal)(n + 1) - .5;
  return 0.25 - 2 * (x * x + y * y);
}

static PetscErrorCode make_plain(PetscInt n, membrane *m, Vec lo)
{
  PetscInt begin, end;
  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(lo, &begin, &end));
  for (PetscInt c = begin; c < end; c++) {
    const PetscInt i = c % n, j = c / n, column[4] = {c - 1, c + 1, c - n, c + n};
    PetscCall(set_row(m->A, n, c, i, j, column));
    PetscCall(VecSetValue(lo, c, obstacle(n, i, j), INSERT_VALUES));
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode make_on_grid(DM da, PetscInt n, membrane *m, Vec lo)
{
  DMDALocalInfo in;
  ISLocalToGlobalMapping map;
  PetscFunctionBegin;
  PetscCall(DMDAGetLocalInfo(da, &in));
  PetscCall(DMGetLocalToGlobalMapping(da, &map));
  for (PetscInt j = in.ys; j < in.ys + in.ym; j++)
    for (PetscInt i = in.xs; i < in.xs + in.xm; i++) {
      const PetscInt here = (j - in.gys) * in.gxm + i - in.gxs;
      const PetscInt around[5] = {here - 1, here + 1, here - in.gxm, here + in.gxm, here};
      PetscInt global[5] = {0};
      for (int q = 0; q < 5; q++)
        if (around[q] >= 0 && around[q] < in.gxm * in.gym)
          PetscCall(ISLocalToGlobalMappingApply(map, 1, &around[q], &global[q]));
      PetscCall(set_row(m->A, n, global[4], i, j, global));
      PetscCall(VecSetValue(lo, global[4], obstacle(n, i, j), INSERT_VALUES));
    }
  PetscFunctionReturn(0);
}

static PetscErrorCode make(PetscInt n, PetscBool plain, DM *da, membrane *m, Vec *lo)
{
  PetscMPIInt rank, size;
  PetscFunctionBegin;
  if (plain) {
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    const PetscInt parts = PetscMax(size - 1, 1), each = n * n / parts;
    const PetscInt rows = rank + 1 < parts    ? each
                          : rank + 1 == parts ? n * n - each * (parts - 1)
                                              : 0;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, n * n, n * n, 5, NULL, 4, NULL, &m->A));
    PetscCall(MatCreateVecs(m->A, lo, NULL));
    PetscCall(make_plain(n, m, *lo));
  } else {
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR,
                           n, n, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, da));
    PetscCall(DMSetUp(*da));
    PetscCall(DMCreateMatrix(*da, &m->A));
    PetscCall(DMCreateGlobalVector(*da, lo));
    PetscCall(make_on_grid(*da, n, m, *lo));
  }
  PetscCall(MatAssemblyBegin(m->A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(m->A, MAT_FINAL_ASSEMBLY));
  PetscCall(VecAssemblyBegin(*lo));
  PetscCall(VecAssemblyEnd(*lo));
  PetscCall(VecDuplicate(*lo, &m->b));
  PetscCall(VecSet(m->b, -1. / ((PetscReal)(n + 1) * (PetscReal)(n + 1))));
  PetscFunctionReturn(0);
}

static PetscErrorCode natural(Vec x, Vec g, Vec lo, PetscReal *residual)
{
  const PetscScalar *a, *b, *l;
  PetscInt n;
  PetscReal most = 0;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(x, &a));
  PetscCall(VecGetArrayRead(g, &b));
  PetscCall(VecGetArrayRead(lo, &l));
  for (PetscInt i = 0; i < n; i++)
    most = PetscMax(most, fabs(a[i] - PetscMax(a[i] - b[i], l[i])));
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(VecRestoreArrayRead(g, &b));
  PetscCall(VecRestoreArrayRead(lo, &l));
  PetscCall(MPIU_Allreduce(&most, residual, 1, MPIU_REAL, MPIU_MAX, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
  PetscInt n = 31, its;
  PetscBool plain = PETSC_FALSE;
  DM da = NULL;
  membrane m;
  Vec x, lo, hi, g;
  Tao tao;
  TaoConvergedReason reason;
  PetscReal value, residual;
  PetscLogDouble begin, end;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-plain", &plain, NULL));
  PetscCall(make(n, plain, &da, &m, &lo));
  PetscCall(VecDuplicate(lo, &x));
  PetscCall(VecDuplicate(lo, &hi));
  PetscCall(VecDuplicate(lo, &g));
  PetscCall(VecSet(hi, PETSC_INFINITY));
  PetscCall(VecSet(x, 0));
  PetscCall(TaoCreate(PETSC_COMM_WORLD, &tao));
  PetscCall(TaoSetType(tao, TAOGPCG));
  PetscCall(TaoSetSolution(tao, x));
  PetscCall(TaoSetObjectiveAndGradient(tao, NULL, evaluate, &m));
  PetscCall(TaoSetHessian(tao, m.A, m.A, hessian, &m));
  PetscCall(TaoSetVariableBounds(tao, lo, hi));
  PetscCall(TaoSetTolerances(tao, 1e-12, 0, 0));
  PetscCall(TaoSetFromOptions(tao));
  PetscCall(PetscTime(&begin));
  PetscCall(TaoSolve(tao));
  PetscCall(PetscTime(&end));
  PetscCall(TaoGetIterationNumber(tao, &its));
  PetscCall(TaoGetConvergedReason(tao, &reason));
  PetscCall(evaluate(tao, x, &value, g, &m));
  PetscCall(natural(x, g, lo, &residual));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "its %" PetscInt_FMT " reason %d natural %.3e value %.15e seconds %.3f\n",
                        its, (int)reason, (double)residual, (double)value, end - begin));
  PetscCall(TaoDestroy(&tao));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&lo));
  PetscCall(VecDestroy(&hi));
  PetscCall(VecDestroy(&g));
  PetscCall(VecDestroy(&m.b));
  PetscCall(MatDestroy(&m.A));
  PetscCall(DMDestroy(&da));
  PetscCall(PetscFinalize());
  return 0;
}
