/* points.c: membranes over an obstacle on grids of other kinds; without any reference to perp
 *
 *   -numbers 2   two membranes on a grid with two numbers to a point, joined by springs
 *   -width 0     the grid of the SNES has no ghost points: F takes them from another one
 *   -periodic 1  the grid is periodic along x
 *   -broken RANK F is NaN at one point of that rank if some |u| is above 0.9, which no solution has
 *
 *   4 u - (its neighbours) - h^2 + s (u - v) _|_ u >= lo;   u = 0 outside of the grid
 *
 * J is assembled. Prints iterations, reason and natural residual; -out FILE: x, one number a line,
 * sorted by place. */
#include "write.h"

#include <petscdmda.h>
#include <petscsnes.h>

#include <math.h>

typedef struct membranes {
  DM wide; /* with ghost points */
  DMDALocalInfo in;
  PetscInt numbers, width, nan, periodic;
} membranes;

static const PetscReal SPRING = 0.01;

static PetscErrorCode function(SNES snes, Vec X, Vec F, void *context)
{
  const membranes *m = context;
  const DMDALocalInfo *in = &m->in;
  PetscScalar ***u, *f;
  PetscReal size;
  PetscMPIInt rank;
  Vec local;
  PetscInt c = 0;
  PetscFunctionBegin;
  (void)snes;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(VecNorm(X, NORM_INFINITY, &size));
  PetscCall(DMGetLocalVector(m->wide, &local));
  PetscCall(VecSet(local, 0));
  PetscCall(DMGlobalToLocal(m->wide, X, INSERT_VALUES, local));
  PetscCall(DMDAVecGetArrayDOFRead(m->wide, local, &u));
  PetscCall(VecGetArray(F, &f));
  const PetscReal h = 1 / (in->mx + 1.);
  for (PetscInt j = in->ys; j < in->ys + in->ym; j++)
    for (PetscInt i = in->xs; i < in->xs + in->xm; i++)
      for (PetscInt q = 0; q < m->numbers; q++, c++) {
        f[c] = 4 * u[j][i][q] - h * h * (q ? -1 : 1);
        f[c] -= (i > 0 || m->periodic ? u[j][i - 1][q] : 0) +
                (i < in->mx - 1 || m->periodic ? u[j][i + 1][q] : 0);
        f[c] -= (j > 0 ? u[j - 1][i][q] : 0) + (j < in->my - 1 ? u[j + 1][i][q] : 0);
        if (m->numbers == 2)
          f[c] += SPRING * (u[j][i][q] - u[j][i][1 - q]);
      }
  if (rank == m->nan && size > 0.9 && c)
    f[c / 2] = NAN;
  PetscCall(VecRestoreArray(F, &f));
  PetscCall(DMDAVecRestoreArrayDOFRead(m->wide, local, &u));
  PetscCall(DMRestoreLocalVector(m->wide, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(SNES snes, Vec X, Mat J, Mat B, void *context)
{
  static const int step[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  const membranes *m = context;
  const DMDALocalInfo *in = &m->in;
  PetscFunctionBegin;
  (void)snes;
  (void)X;
  (void)J;
  for (PetscInt j = in->ys; j < in->ys + in->ym; j++)
    for (PetscInt i = in->xs; i < in->xs + in->xm; i++)
      for (PetscInt q = 0; q < m->numbers; q++) {
        const MatStencil here = {.i = i, .j = j, .c = q};
        MatStencil to[6];
        PetscScalar v[6];
        PetscInt count = 0;
        for (int s = 0; s < 5; s++) {
          const PetscInt x = i + step[s][0], y = j + step[s][1];
          if (y < 0 || y >= in->my || (!m->periodic && (x < 0 || x >= in->mx)))
            continue;
          to[count] = (MatStencil){.i = x, .j = y, .c = q};
          v[count++] = s ? -1 : 4 + (m->numbers == 2 ? SPRING : 0);
        }
        if (m->numbers == 2) {
          to[count] = (MatStencil){.i = i, .j = j, .c = 1 - q};
          v[count++] = -SPRING;
        }
        PetscCall(MatSetValuesStencil(B, 1, &here, count, to, v, INSERT_VALUES));
      }
  PetscCall(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode bounds(const membranes *m, Vec lo, Vec hi)
{
  const DMDALocalInfo *in = &m->in;
  PetscScalar *l;
  PetscInt c = 0;
  PetscFunctionBegin;
  PetscCall(VecSet(hi, PETSC_INFINITY));
  PetscCall(VecGetArray(lo, &l));
  for (PetscInt j = in->ys; j < in->ys + in->ym; j++)
    for (PetscInt i = in->xs; i < in->xs + in->xm; i++)
      for (PetscInt q = 0; q < m->numbers; q++) {
        const PetscReal x = (i + 1) / (in->mx + 1.) - .5, y = (j + 1) / (in->my + 1.) - .5;
        l[c++] = q ? -0.05 : 0.25 - 2 * (x * x + y * y);
      }
  PetscCall(VecRestoreArray(lo, &l));
  PetscFunctionReturn(0);
}

static PetscErrorCode grid(PetscInt points, const membranes *m, PetscInt width, DM *da)
{
  PetscFunctionBegin;
  PetscCall(DMDACreate2d(PETSC_COMM_WORLD, m->periodic ? DM_BOUNDARY_PERIODIC : DM_BOUNDARY_NONE,
                         DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, points, points, PETSC_DECIDE,
                         PETSC_DECIDE, m->numbers, width, NULL, NULL, da));
  PetscCall(DMSetUp(*da));
  PetscFunctionReturn(0);
}

static PetscErrorCode natural(SNES snes, membranes *m, Vec lo, Vec x, Vec F, PetscReal *residual)
{
  PetscFunctionBegin;
  PetscCall(function(snes, x, F, m));
  PetscCall(VecAYPX(F, -1, x));
  PetscCall(VecPointwiseMax(F, F, lo));
  PetscCall(VecAYPX(F, -1, x));
  PetscCall(VecNorm(F, NORM_INFINITY, residual));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
  membranes m = {.numbers = 1, .width = 1, .nan = -1};
  PetscInt points = 33, iterations;
  PetscReal residual;
  char out[1024] = "";
  DM da;
  Mat J;
  SNES snes;
  Vec x, F, lo, hi;
  SNESConvergedReason reason;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-points", &points, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-numbers", &m.numbers, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-width", &m.width, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-broken", &m.nan, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-periodic", &m.periodic, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-out", out, sizeof out, NULL));
  PetscCall(grid(points, &m, m.width, &da));
  PetscCall(grid(points, &m, 1, &m.wide));
  PetscCall(DMDAGetLocalInfo(m.wide, &m.in));
  PetscCall(DMCreateGlobalVector(da, &x));
  PetscCall(VecDuplicate(x, &F));
  PetscCall(VecDuplicate(x, &lo));
  PetscCall(VecDuplicate(x, &hi));
  PetscCall(bounds(&m, lo, hi));
  PetscCall(DMCreateMatrix(m.wide, &J));
  PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
  PetscCall(SNESSetDM(snes, da));
  PetscCall(SNESSetFunction(snes, F, function, &m));
  PetscCall(SNESSetJacobian(snes, J, J, jacobian, &m));
  PetscCall(SNESSetType(snes, SNESVINEWTONRSLS));
  PetscCall(SNESVISetVariableBounds(snes, lo, hi));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(SNESSolve(snes, NULL, x));
  PetscCall(SNESGetIterationNumber(snes, &iterations));
  PetscCall(SNESGetConvergedReason(snes, &reason));
  PetscCall(natural(snes, &m, lo, x, F, &residual));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "its %" PetscInt_FMT " reason %d natural %.3e\n",
                        iterations, (int)reason, (double)residual));
  if (*out)
    PetscCall(write_ordered(m.wide, x, out, NULL));
  PetscCall(SNESDestroy(&snes));
  PetscCall(MatDestroy(&J));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&F));
  PetscCall(VecDestroy(&lo));
  PetscCall(VecDestroy(&hi));
  PetscCall(DMDestroy(&da));
  PetscCall(DMDestroy(&m.wide));
  PetscCall(PetscFinalize());
  return 0;
}
