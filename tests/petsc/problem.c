/* problem.c: variational inequalities as users of PETSc write them; without any reference to perp
 *
 *   -kind obstacle    -laplace u - 1 _|_ u >= lo on the unit square, u = 0 on its boundary
 *   -kind solid       the same in the unit cube
 *   -kind pinned      the first with u = 0.3 at every eighth point inside
 *   -kind bearing     the pressure in a journal bearing, weights (1 + e cos x)^3 (MINPACK-2)
 *   -kind surface     a minimal surface over an obstacle: nonlinear
 *   -kind heat        u_t = laplace u + 1 above an obstacle, by TS
 *
 * on a DMDA with -da_grid_x, ...; -set-bounds: by SNESVISetVariableBounds, else by a function;
 * -again: a second solve with vectors of bounds set anew; -wrong bounds|nan: with an error. Prints
 * iterations, reason and natural residual; -out FILE: x of the inner points, in natural order, one
 * number a line. */
#include "write.h"

#include <petscdmda.h>
#include <petscts.h>

#include <math.h>
#include <string.h>

typedef struct problem {
  char kind[32], wrong[32];
  PetscReal dt;
} problem;

static PetscReal obstacle(PetscReal x, PetscReal y, PetscReal z)
{
  return 0.25 - 2 * ((x - .5) * (x - .5) + (y - .5) * (y - .5) + (z - .5) * (z - .5));
}

/* Half the distance of the coordinate from the middle, for a grid that has no third axis. */
static PetscReal third(const DMDALocalInfo *in, PetscInt k)
{
  return in->dim == 3 ? k / (in->mz - 1.) : 0.5;
}

static PetscBool on_boundary(const DMDALocalInfo *in, PetscInt i, PetscInt j, PetscInt k)
{
  return i == 0 || j == 0 || i == in->mx - 1 || j == in->my - 1 ||
                 (in->dim == 3 && (k == 0 || k == in->mz - 1))
             ? PETSC_TRUE
             : PETSC_FALSE;
}

/* There u = *value is a separate row. */
static PetscBool is_given(const problem *p, const DMDALocalInfo *in, PetscInt i, PetscInt j,
                          PetscInt k, PetscReal *value)
{
  const PetscBool outside = on_boundary(in, i, j, k);
  *value = outside ? 0 : 0.3;
  return outside || (!strcmp(p->kind, "pinned") && i % 8 == 4 && j % 8 == 4) ? PETSC_TRUE
                                                                             : PETSC_FALSE;
}

/* ---- Bounds ---- */

static PetscErrorCode bounds(SNES snes, Vec lo, Vec hi)
{
  DM da;
  DMDALocalInfo in;
  const problem *p;
  PetscScalar *l;
  PetscFunctionBegin;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMGetApplicationContext(da, (void *)&p));
  PetscCall(DMDAGetLocalInfo(da, &in));
  PetscCall(VecSet(hi, PETSC_INFINITY));
  PetscCall(VecGetArray(lo, &l));
  PetscInt c = 0;
  for (PetscInt k = in.zs; k < in.zs + in.zm; k++)
    for (PetscInt j = in.ys; j < in.ys + in.ym; j++)
      for (PetscInt i = in.xs; i < in.xs + in.xm; i++, c++)
        l[c] = on_boundary(&in, i, j, k) || !strcmp(p->kind, "bearing")
                   ? (strcmp(p->kind, "bearing") ? PETSC_NINFINITY : 0)
                   : obstacle(i / (in.mx - 1.), j / (in.my - 1.), third(&in, k));
  if (!strcmp(p->wrong, "bounds") && c)
    l[c / 2] = 2 * PETSC_INFINITY;
  PetscCall(VecRestoreArray(lo, &l));
  PetscFunctionReturn(0);
}

/* ---- Five and seven points ---- */

/* -kind bearing: between (x, y) and the next point. */
static PetscReal film(PetscReal x)
{
  const PetscReal t = 1 + 0.1 * cos(x);
  return t * t * t;
}

/* The weights of the six faces of a point and its load. */
static void point(const problem *p, const DMDALocalInfo *in, PetscInt i, PetscInt j, PetscReal w[6],
                  PetscReal *load)
{
  const PetscReal hx = 1 / (in->mx - 1.);
  for (int q = 0; q < 6; q++)
    w[q] = q < 2 * in->dim ? 1 : 0;
  *load = hx * hx;
  if (!strcmp(p->kind, "bearing")) {
    const PetscReal dx = 2 * PETSC_PI / (in->mx - 1), dy = 20 / (in->my - 1.);
    w[0] = dy / dx * (film((i - 1) * dx) + film(i * dx)) / 2;
    w[1] = dy / dx * (film((i + 1) * dx) + film(i * dx)) / 2;
    w[2] = w[3] =
        dx / dy * (film((i - 1) * dx) / 6 + film(i * dx) * 2 / 3 + film((i + 1) * dx) / 6);
    *load = dx * dy * 0.1 * sin(i * dx);
  }
  (void)j;
}

static PetscErrorCode function(SNES snes, Vec X, Vec F, void *context)
{
  const problem *p = context;
  DM da;
  DMDALocalInfo in;
  Vec local;
  PetscFunctionBegin;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMDAGetLocalInfo(da, &in));
  PetscCall(DMGetLocalVector(da, &local));
  PetscCall(DMGlobalToLocal(da, X, INSERT_VALUES, local));
  const PetscScalar *u;
  PetscScalar *f;
  PetscCall(VecGetArrayRead(local, &u));
  PetscCall(VecGetArray(F, &f));
  const PetscInt row = in.gxm, plane = in.gxm * in.gym;
  PetscInt c = 0;
  for (PetscInt k = in.zs; k < in.zs + in.zm; k++)
    for (PetscInt j = in.ys; j < in.ys + in.ym; j++)
      for (PetscInt i = in.xs; i < in.xs + in.xm; i++, c++) {
        const PetscInt g = (k - in.gzs) * plane + (j - in.gys) * row + i - in.gxs;
        const PetscInt step[6] = {-1, 1, -row, row, -plane, plane};
        PetscReal w[6], load, value;
        point(p, &in, i, j, w, &load);
        if (is_given(p, &in, i, j, k, &value)) {
          f[c] = u[g] - value;
          continue;
        }
        f[c] = -load;
        for (int q = 0; q < 2 * in.dim; q++)
          f[c] += w[q] * (u[g] - u[g + step[q]]);
      }
  if (!strcmp(p->wrong, "nan") && c)
    f[c / 2] = NAN;
  PetscCall(VecRestoreArray(F, &f));
  PetscCall(VecRestoreArrayRead(local, &u));
  PetscCall(DMRestoreLocalVector(da, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(SNES snes, Vec X, Mat J, Mat B, void *context)
{
  const problem *p = context;
  DM da;
  DMDALocalInfo in;
  PetscFunctionBegin;
  (void)X;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMDAGetLocalInfo(da, &in));
  for (PetscInt k = in.zs; k < in.zs + in.zm; k++)
    for (PetscInt j = in.ys; j < in.ys + in.ym; j++)
      for (PetscInt i = in.xs; i < in.xs + in.xm; i++) {
        static const int step[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                       {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
        MatStencil here = {.i = i, .j = j, .k = k}, to[7] = {here};
        PetscScalar v[7] = {1};
        PetscReal w[6], load, value;
        PetscInt count = 1;
        point(p, &in, i, j, w, &load);
        if (!is_given(p, &in, i, j, k, &value)) {
          v[0] = 0;
          for (int q = 0; q < 2 * in.dim; q++) {
            const MatStencil at = {.i = i + step[q][0], .j = j + step[q][1], .k = k + step[q][2]};
            v[0] += w[q];
            if (on_boundary(&in, at.i, at.j, at.k))
              continue; /* u = 0 there: A stays symmetric */
            to[count] = at;
            v[count++] = -w[q];
          }
        }
        PetscCall(MatSetValuesStencil(B, 1, &here, count, to, v, INSERT_VALUES));
      }
  PetscCall(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
  if (J != B) {
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(0);
}

/* ---- A minimal surface: the energy sum sqrt(1 + |grad u|^2), gradient by its own formula ---- */

/* u_x, u_y on the triangle of point g and the points at steps sx, sy from it. */
static PetscErrorCode surface(SNES snes, Vec X, Vec F, void *context)
{
  DM da;
  DMDALocalInfo in;
  Vec local, sum;
  PetscFunctionBegin;
  (void)context;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMDAGetLocalInfo(da, &in));
  PetscCall(DMGetLocalVector(da, &local));
  PetscCall(DMGetLocalVector(da, &sum));
  PetscCall(DMGlobalToLocal(da, X, INSERT_VALUES, local));
  PetscCall(VecSet(sum, 0));
  const PetscScalar *u;
  PetscScalar *f;
  PetscCall(VecGetArrayRead(local, &u));
  PetscCall(VecGetArray(sum, &f));
  const PetscReal h = 1 / (in.mx - 1.);
  const PetscInt row = in.gxm;
  /* the two triangles of each cell whose lower corner this rank owns */
  for (PetscInt j = in.ys; j < PetscMin(in.ys + in.ym, in.my - 1); j++)
    for (PetscInt i = in.xs; i < PetscMin(in.xs + in.xm, in.mx - 1); i++)
      for (int upper = 0; upper < 2; upper++) {
        const PetscInt g = (j - in.gys + upper) * row + i - in.gxs + upper;
        const PetscInt gx = upper ? g - 1 : g + 1, gy = upper ? g - row : g + row;
        const PetscReal ux = (u[gx] - u[g]) / h, uy = (u[gy] - u[g]) / h;
        const PetscReal scale = 0.5 / sqrt(1 + ux * ux + uy * uy);
        f[gx] += scale * (u[gx] - u[g]);
        f[gy] += scale * (u[gy] - u[g]);
        f[g] -= scale * (u[gx] + u[gy] - 2 * u[g]);
      }
  PetscCall(VecRestoreArray(sum, &f));
  PetscCall(VecRestoreArrayRead(local, &u));
  PetscCall(VecSet(F, 0));
  PetscCall(DMLocalToGlobal(da, sum, ADD_VALUES, F));
  PetscCall(DMRestoreLocalVector(da, &local));
  PetscCall(DMRestoreLocalVector(da, &sum));
  const PetscScalar *x;
  PetscCall(VecGetArrayRead(X, &x));
  PetscCall(VecGetArray(F, &f));
  PetscInt c = 0;
  for (PetscInt j = in.ys; j < in.ys + in.ym; j++)
    for (PetscInt i = in.xs; i < in.xs + in.xm; i++, c++)
      if (on_boundary(&in, i, j, 0))
        f[c] = x[c] - 0.1 * sin(PETSC_PI * i * h);
  PetscCall(VecRestoreArray(F, &f));
  PetscCall(VecRestoreArrayRead(X, &x));
  PetscFunctionReturn(0);
}

/* ---- Heat ---- */

static PetscErrorCode heat(TS ts, PetscReal t, Vec X, Vec V, Vec F, void *context)
{
  SNES snes;
  PetscFunctionBegin;
  (void)t;
  PetscCall(TSGetSNES(ts, &snes));
  PetscCall(function(snes, X, F, context));
  PetscCall(VecAXPY(F, 1, V));
  PetscFunctionReturn(0);
}

static PetscErrorCode heat_jacobian(TS ts, PetscReal t, Vec X, Vec V, PetscReal shift, Mat J, Mat B,
                                    void *context)
{
  SNES snes;
  PetscFunctionBegin;
  (void)t;
  (void)V;
  PetscCall(TSGetSNES(ts, &snes));
  PetscCall(jacobian(snes, X, J, B, context));
  PetscCall(MatShift(B, shift));
  PetscFunctionReturn(0);
}

/* ---- The program ---- */

static PetscErrorCode natural(SNES snes, problem *p, Vec x, PetscReal *residual)
{
  Vec lo, hi, f;
  const PetscScalar *a, *b, *l;
  PetscInt n;
  PetscReal most = 0;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(x, &lo));
  PetscCall(VecDuplicate(x, &hi));
  PetscCall(VecDuplicate(x, &f));
  PetscCall(bounds(snes, lo, hi));
  if (!strcmp(p->kind, "surface"))
    PetscCall(surface(snes, x, f, p));
  else
    PetscCall(function(snes, x, f, p));
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(x, &a));
  PetscCall(VecGetArrayRead(f, &b));
  PetscCall(VecGetArrayRead(lo, &l));
  for (PetscInt i = 0; i < n; i++)
    most = PetscMax(most, fabs(a[i] - PetscMax(a[i] - b[i], l[i])));
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(VecRestoreArrayRead(f, &b));
  PetscCall(VecRestoreArrayRead(lo, &l));
  PetscCall(MPIU_Allreduce(&most, residual, 1, MPIU_REAL, MPIU_MAX, PETSC_COMM_WORLD));
  PetscCall(VecDestroy(&lo));
  PetscCall(VecDestroy(&hi));
  PetscCall(VecDestroy(&f));
  PetscFunctionReturn(0);
}

static PetscBool is_boundary(const DMDALocalInfo *in, PetscInt c)
{
  return on_boundary(in, c % in->mx, c / in->mx % in->my, c / in->mx / in->my);
}

static PetscErrorCode make_grid(const problem *p, DM *da)
{
  const DMBoundaryType none = DM_BOUNDARY_NONE;
  PetscFunctionBegin;
  if (!strcmp(p->kind, "solid"))
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, none, none, none, DMDA_STENCIL_STAR, 9, 9, 9,
                           PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL, da));
  else
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, none, none,
                           strcmp(p->kind, "surface") ? DMDA_STENCIL_STAR : DMDA_STENCIL_BOX, 33,
                           33, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, da));
  PetscCall(DMSetFromOptions(*da));
  PetscCall(DMSetUp(*da));
  PetscCall(DMSetApplicationContext(*da, (void *)p));
  PetscFunctionReturn(0);
}

static PetscErrorCode run_heat(problem *p, DM da, Vec x)
{
  TS ts;
  SNES snes;
  PetscInt steps, iterations;
  PetscReal residual;
  PetscFunctionBegin;
  PetscCall(TSCreate(PETSC_COMM_WORLD, &ts));
  PetscCall(TSSetDM(ts, da));
  PetscCall(TSSetIFunction(ts, NULL, heat, p));
  PetscCall(TSSetIJacobian(ts, NULL, NULL, heat_jacobian, p));
  PetscCall(TSSetType(ts, TSBEULER));
  PetscCall(TSGetSNES(ts, &snes));
  PetscCall(SNESVISetComputeVariableBounds(snes, bounds));
  PetscCall(TSSetMaxSteps(ts, 1000));
  PetscCall(TSSetMaxTime(ts, 1e5));
  PetscCall(TSSetTimeStep(ts, p->dt));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_STEPOVER));
  PetscCall(TSSetFromOptions(ts));
  PetscCall(TSSolve(ts, x));
  PetscCall(TSGetStepNumber(ts, &steps));
  PetscCall(TSGetSNESIterations(ts, &iterations));
  PetscCall(natural(snes, p, x, &residual)); /* at the end nothing moves */
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "type heat steps %" PetscInt_FMT " its %" PetscInt_FMT
                        " reason 1 natural %.3e\n",
                        steps, iterations, (double)residual));
  PetscCall(TSDestroy(&ts));
  PetscFunctionReturn(0);
}

static PetscErrorCode set_bounds(SNES snes, Vec x)
{
  Vec lo, hi;
  PetscFunctionBegin;
  PetscCall(VecDuplicate(x, &lo));
  PetscCall(VecDuplicate(x, &hi));
  PetscCall(bounds(snes, lo, hi));
  PetscCall(SNESVISetVariableBounds(snes, lo, hi));
  PetscCall(VecDestroy(&lo));
  PetscCall(VecDestroy(&hi));
  PetscFunctionReturn(0);
}

static PetscErrorCode run(problem *p, DM da, Vec x, const char *out)
{
  SNES snes;
  PetscInt iterations;
  PetscReal residual;
  PetscBool set = PETSC_FALSE, again = PETSC_FALSE;
  SNESConvergedReason reason;
  SNESType type;
  PetscLogDouble begin, end;
  PetscFunctionBegin;
  PetscCall(SNESCreate(PETSC_COMM_WORLD, &snes));
  PetscCall(SNESSetDM(snes, da));
  if (strcmp(p->kind, "surface")) {
    PetscCall(SNESSetFunction(snes, NULL, function, p));
    PetscCall(SNESSetJacobian(snes, NULL, NULL, jacobian, p));
  } else
    PetscCall(SNESSetFunction(snes, NULL, surface, p)); /* J by colouring */
  PetscCall(SNESSetType(snes, SNESVINEWTONRSLS));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-set-bounds", &set, NULL));
  if (set)
    PetscCall(set_bounds(snes, x));
  else
    PetscCall(SNESVISetComputeVariableBounds(snes, bounds));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(PetscTime(&begin));
  PetscCall(SNESSolve(snes, NULL, x));
  PetscCall(PetscOptionsGetBool(NULL, NULL, "-again", &again, NULL));
  if (again) {
    PetscCall(set_bounds(snes, x));
    PetscCall(VecSet(x, 0));
    PetscCall(SNESSolve(snes, NULL, x));
  }
  PetscCall(PetscTime(&end));
  Vec solution;
  DM final;
  PetscCall(SNESGetSolution(snes, &solution)); /* grid sequencing makes a new one */
  PetscCall(SNESGetDM(snes, &final));
  PetscCall(SNESGetType(snes, &type));
  PetscCall(SNESGetIterationNumber(snes, &iterations));
  PetscCall(SNESGetConvergedReason(snes, &reason));
  PetscCall(natural(snes, p, solution, &residual));
  PetscInt n;
  PetscCall(VecGetSize(solution, &n));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "type %s n %" PetscInt_FMT " its %" PetscInt_FMT
                        " reason %d natural %.3e seconds %.3f\n",
                        type, n, iterations, (int)reason, (double)residual, end - begin));
  if (*out)
    PetscCall(write_ordered(final, solution, out, is_boundary));
  PetscCall(SNESDestroy(&snes));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
  problem p = {.kind = "obstacle", .dt = 100};
  char out[1024] = "";
  DM da;
  Vec x;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-kind", p.kind, sizeof p.kind, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-wrong", p.wrong, sizeof p.wrong, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-out", out, sizeof out, NULL));
  PetscCall(make_grid(&p, &da));
  PetscCall(DMCreateGlobalVector(da, &x));
  PetscCall(VecSet(x, 0));
  if (!strcmp(p.kind, "heat"))
    PetscCall(run_heat(&p, da, x));
  else
    PetscCall(run(&p, da, x, out));
  PetscCall(VecDestroy(&x));
  PetscCall(DMDestroy(&da));
  PetscCall(PetscFinalize());
  return 0;
}
