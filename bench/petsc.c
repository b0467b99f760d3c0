/* petsc.c: mg beside PETSc's solvers for bounds, on one process, to the same natural residual
 *
 *   min int 1/2 |grad u|^2 - u,  u >= 1/4 - 2 |x - centre|^2,  u = 0 on the boundary of the unit box
 *
 * by finite differences with 2^k - 1 inner points to a side. With the grid: SNESVI with grid sequencing
 * and geometric multigrid. Without: A and b alone, SNESVI and TAO with algebraic preconditioners,
 * against mg on the same matrix in compressed rows, once as it comes and once by aggregation. Every
 * solver stops at max |u - P(u - y)| <= 1e-8 max |b|, tested after each of its iterations; the answers
 * are judged by perp_check. Built where PETSc is found. */
#define _DEFAULT_SOURCE /* the clock of the processor */
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <petscdmda.h>
#include <petscsnes.h>
#include <petsctao.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TOLERANCE = 1e-8, PATIENCE = 120; /* seconds */

/* The problem on inner points: side of them, dimension. */
typedef struct membrane {
  int dimension, side, n;
  double *b, *lo, *hi;
  perp_operator *A, *csr;
} membrane;

/* So that other work on the machine counts little. */
static double processor_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *take(size_t count)
{
  void *block = calloc(count ? count : 1, sizeof(double));
  if (!block)
    bench_die("no memory for %zu numbers", count);
  return block;
}

static double obstacle(int dimension, double x, double y, double z)
{
  const double dx = x - 0.5, dy = y - 0.5, dz = dimension == 3 ? z - 0.5 : 0;
  return 0.25 - 2 * (dx * dx + dy * dy + dz * dz);
}

static membrane membrane_make(int dimension, int side)
{
  membrane m = {.dimension = dimension, .side = side};
  const int nz = dimension == 3 ? side : 1;
  const double h = 1.0 / (side + 1);
  perp_message why;
  m.n = side * side * nz;
  m.b = take((size_t)m.n);
  m.lo = take((size_t)m.n);
  m.hi = take((size_t)m.n);
  for (int k = 0, c = 0; k < nz; k++)
    for (int j = 0; j < side; j++)
      for (int i = 0; i < side; i++, c++) {
        m.b[c] = -h * h;
        m.lo[c] = obstacle(dimension, (i + 1) * h, (j + 1) * h, (k + 1) * h);
        m.hi[c] = INFINITY;
      }
  const perp_stencil_data data = {.nx = side, .ny = side, .nz = nz, .weight = 1};
  if (perp_operator_stencil(&data, PERP_COPY, &m.A, &why) ||
      perp_operator_to_csr(m.A, 0, &m.csr, &why))
    bench_die("%s", why.text);
  return m;
}

static void membrane_free(membrane *m)
{
  free(m->b);
  free(m->lo);
  free(m->hi);
  perp_operator_destroy(m->A);
  perp_operator_destroy(m->csr);
}

/* ---- What all of PETSc's solvers share: the stop test ---- */

typedef struct watch {
  double began;
  bool late;
  Vec lo;       /* NULL: a grid, whose bounds are those of grid_bounds */
  double scale; /* max |b| */
} watch;

/* max |u - P(u - F)| over max |b|, h^2 on every grid; F on the boundary is u. */
static PetscErrorCode relative(Vec U, Vec F, Vec lo, double scale, double *value)
{
  const PetscScalar *u, *f, *l;
  PetscInt n;
  PetscCall(VecGetLocalSize(U, &n));
  PetscCall(VecGetArrayRead(U, &u));
  PetscCall(VecGetArrayRead(F, &f));
  PetscCall(VecGetArrayRead(lo, &l));
  double most = 0;
  for (PetscInt i = 0; i < n; i++)
    most = fmax(most, fabs(u[i] - fmax(u[i] - f[i], l[i])));
  PetscCall(VecRestoreArrayRead(U, &u));
  PetscCall(VecRestoreArrayRead(F, &f));
  PetscCall(VecRestoreArrayRead(lo, &l));
  *value = most / scale;
  return 0;
}

static double scale_of(DM da)
{
  PetscInt points;
  DMDAGetInfo(da, NULL, &points, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  return 1.0 / ((double)(points - 1) * (double)(points - 1));
}

/* ---- With the grid ---- */

static PetscErrorCode grid_function(SNES snes, Vec U, Vec F, void *context)
{
  DM da;
  Vec local;
  DMDALocalInfo info;
  (void)context;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMDAGetLocalInfo(da, &info));
  PetscCall(DMGetLocalVector(da, &local));
  PetscCall(DMGlobalToLocal(da, U, INSERT_VALUES, local));
  const PetscScalar *u;
  PetscScalar *f;
  PetscCall(VecGetArrayRead(local, &u));
  PetscCall(VecGetArray(F, &f));
  const PetscInt nx = info.mx, ny = info.my, nz = info.dim == 3 ? info.mz : 1, plane = nx * ny;
  const double h2 = scale_of(da);
  for (PetscInt k = 0, c = 0; k < nz; k++)
    for (PetscInt j = 0; j < ny; j++)
      for (PetscInt i = 0; i < nx; i++, c++) {
        const bool border =
            i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || (nz > 1 && (k == 0 || k == nz - 1));
        if (border)
          f[c] = u[c];
        else if (nz == 1)
          f[c] = 4 * u[c] - u[c - 1] - u[c + 1] - u[c - nx] - u[c + nx] - h2;
        else
          f[c] = 6 * u[c] - u[c - 1] - u[c + 1] - u[c - nx] - u[c + nx] - u[c - plane] -
                 u[c + plane] - h2;
      }
  PetscCall(VecRestoreArrayRead(local, &u));
  PetscCall(VecRestoreArray(F, &f));
  PetscCall(DMRestoreLocalVector(da, &local));
  return 0;
}

static PetscErrorCode grid_jacobian(SNES snes, Vec U, Mat J, Mat P, void *context)
{
  DM da;
  DMDALocalInfo info;
  (void)U;
  (void)context;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMDAGetLocalInfo(da, &info));
  const PetscInt size[3] = {info.mx, info.my, info.dim == 3 ? info.mz : 1};
  for (PetscInt k = 0; k < size[2]; k++)
    for (PetscInt j = 0; j < size[1]; j++)
      for (PetscInt i = 0; i < size[0]; i++) {
        const PetscInt at[3] = {i, j, k};
        MatStencil row = {.i = i, .j = j, .k = k}, column[7];
        PetscScalar value[7];
        PetscInt count = 1;
        bool border = false;
        for (int axis = 0; axis < info.dim; axis++)
          border = border || at[axis] == 0 || at[axis] == size[axis] - 1;
        column[0] = row;
        value[0] = border ? 1 : 2 * info.dim;
        for (int axis = 0; axis < info.dim && !border; axis++)
          for (int side = -1; side <= 1; side += 2) {
            const PetscInt next = at[axis] + side;
            if (next == 0 || next == size[axis] - 1)
              continue;
            column[count] = row;
            *(axis == 0   ? &column[count].i
              : axis == 1 ? &column[count].j
                          : &column[count].k) = next;
            value[count++] = -1;
          }
        PetscCall(MatSetValuesStencil(P, 1, &row, count, column, value, INSERT_VALUES));
      }
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  if (J != P) {
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  return 0;
}

static PetscErrorCode grid_bounds(SNES snes, Vec lo, Vec hi)
{
  DM da;
  DMDALocalInfo info;
  PetscScalar *l;
  PetscCall(SNESGetDM(snes, &da));
  PetscCall(DMDAGetLocalInfo(da, &info));
  PetscCall(VecSet(hi, PETSC_INFINITY));
  PetscCall(VecGetArray(lo, &l));
  const PetscInt nx = info.mx, ny = info.my, nz = info.dim == 3 ? info.mz : 1;
  const double h = 1.0 / (double)(nx - 1);
  for (PetscInt k = 0, c = 0; k < nz; k++)
    for (PetscInt j = 0; j < ny; j++)
      for (PetscInt i = 0; i < nx; i++, c++)
        l[c] = obstacle((int)info.dim, (double)i * h, (double)j * h, (double)k * h);
  PetscCall(VecRestoreArray(lo, &l));
  return 0;
}

/* The context is a watch; on a DMDA, bounds and size of b are those of its grid. */
static PetscErrorCode snes_test(SNES snes, PetscInt it, PetscReal xnorm, PetscReal gnorm,
                                PetscReal fnorm, SNESConvergedReason *reason, void *context)
{
  watch *w = context;
  Vec U, F, lo = w->lo, hi;
  double value;
  DM dm;
  (void)it;
  (void)xnorm;
  (void)gnorm;
  (void)fnorm;
  *reason = SNES_CONVERGED_ITERATING;
  PetscCall(SNESGetSolution(snes, &U));
  PetscCall(SNESGetFunction(snes, &F, NULL, NULL));
  if (!w->lo) {
    PetscCall(VecDuplicate(U, &lo));
    PetscCall(VecDuplicate(U, &hi));
    PetscCall(grid_bounds(snes, lo, hi));
    PetscCall(SNESGetDM(snes, &dm));
    PetscCall(relative(U, F, lo, scale_of(dm), &value));
    PetscCall(VecDestroy(&lo));
    PetscCall(VecDestroy(&hi));
  } else {
    PetscCall(relative(U, F, lo, w->scale, &value));
  }
  w->late = processor_now() - w->began > PATIENCE;
  if (value <= TOLERANCE)
    *reason = SNES_CONVERGED_FNORM_ABS;
  else if (w->late)
    *reason = SNES_DIVERGED_MAX_IT;
  return 0;
}

/* The inner points of a DMDA vector. */
static void inner(const membrane *m, const PetscScalar *u, double *x)
{
  const int points = m->side + 2, nz = m->dimension == 3 ? m->side : 1;
  for (int k = 0, c = 0; k < nz; k++)
    for (int j = 0; j < m->side; j++)
      for (int i = 0; i < m->side; i++, c++)
        x[c] = u[((m->dimension == 3 ? k + 1 : 0) * points + j + 1) * points + i + 1];
}

static void judge(const char *label, const membrane *m, const double *x, double seconds, bool late)
{
  const perp_problem p = perp_problem_boxed(m->A, m->b, m->lo, m->hi);
  double residual, scale;
  perp_message why;
  if (perp_check(&p, x, &residual, &scale, &why))
    bench_die("%s", why.text);
  printf("  %-46s %9.3f s  residual %.1e%s\n", label, seconds, residual / scale,
         late                            ? "  (given up)"
         : residual <= TOLERANCE * scale ? ""
                                         : "  NOT SOLVED");
  fflush(stdout);
}

static PetscErrorCode options_set(const char *const *options)
{
  PetscCall(PetscOptionsClear(NULL));
  for (; options[0]; options += 2)
    PetscCall(PetscOptionsSetValue(NULL, options[0], options[1]));
  return 0;
}

static PetscErrorCode with_grid(const membrane *m, const char *label, const char *const *options,
                                double *best)
{
  SNES snes;
  DM da;
  Vec U;
  watch w = {.began = processor_now()};
  const PetscInt coarsest = 17; /* so that four levels of multigrid can be had */
  PetscInt steps = 0;
  for (int points = coarsest; points < m->side + 2; points = 2 * points - 1)
    steps++;
  PetscCall(options_set(options));
  if (m->dimension == 2)
    PetscCall(DMDACreate2d(PETSC_COMM_SELF, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR,
                           coarsest, coarsest, 1, 1, 1, 1, NULL, NULL, &da));
  else
    PetscCall(DMDACreate3d(PETSC_COMM_SELF, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                           DMDA_STENCIL_STAR, coarsest, coarsest, coarsest, 1, 1, 1, 1, 1, NULL,
                           NULL, NULL, &da));
  PetscCall(DMSetFromOptions(da));
  PetscCall(DMSetUp(da));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &snes));
  PetscCall(SNESSetDM(snes, da));
  PetscCall(SNESSetFunction(snes, NULL, grid_function, NULL));
  PetscCall(SNESSetJacobian(snes, NULL, NULL, grid_jacobian, NULL));
  PetscCall(SNESSetType(snes, SNESVINEWTONRSLS));
  PetscCall(SNESVISetComputeVariableBounds(snes, grid_bounds));
  PetscCall(SNESSetGridSequence(snes, steps));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(SNESSetConvergenceTest(snes, snes_test, &w, NULL));
  PetscCall(SNESSetTolerances(snes, 0, 0, 0, 2000, 100000));
  PetscCall(SNESSolve(snes, NULL, NULL));
  const double seconds = processor_now() - w.began;
  PetscCall(SNESGetSolution(snes, &U));
  const PetscScalar *u;
  double *x = take((size_t)m->n);
  PetscInt n;
  PetscCall(VecGetLocalSize(U, &n));
  PetscCall(VecGetArrayRead(U, &u));
  const int points = m->side + 2;
  if (n == (PetscInt)points * points * (m->dimension == 3 ? points : 1))
    inner(m, u, x);
  PetscCall(VecRestoreArrayRead(U, &u));
  judge(label, m, x, seconds, w.late);
  *best = w.late ? *best : fmin(*best, seconds);
  free(x);
  PetscCall(SNESDestroy(&snes));
  PetscCall(DMDestroy(&da));
  return 0;
}

/* ---- Without it ---- */

typedef struct rows {
  const membrane *m;
  Mat A;
  Vec b, lo, work;
  double h2;
  watch w;
} rows;

static PetscErrorCode rows_make(const membrane *m, rows *r)
{
  const int64_t *start;
  const int *column;
  const double *value;
  if (perp_operator_csr_arrays(m->csr, &start, &column, &value))
    bench_die("no rows");
  *r = (rows){.m = m, .h2 = -m->b[0]};
  PetscInt *first = take((size_t)m->n + 1);
  for (int i = 0; i <= m->n; i++)
    first[i] = (PetscInt)start[i];
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, m->n, m->n, 7, NULL, &r->A));
  for (int i = 0; i < m->n; i++) {
    const PetscInt row = i;
    PetscCall(MatSetValues(r->A, 1, &row, first[i + 1] - first[i], column + start[i],
                           value + start[i], INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(r->A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(r->A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(r->A, MAT_SPD, PETSC_TRUE));
  free(first);
  PetscCall(MatCreateVecs(r->A, &r->b, &r->lo));
  PetscCall(VecDuplicate(r->b, &r->work));
  PetscScalar *b, *lo;
  PetscCall(VecGetArray(r->b, &b));
  PetscCall(VecGetArray(r->lo, &lo));
  memcpy(b, m->b, (size_t)m->n * sizeof *b);
  memcpy(lo, m->lo, (size_t)m->n * sizeof *lo);
  PetscCall(VecRestoreArray(r->b, &b));
  PetscCall(VecRestoreArray(r->lo, &lo));
  return 0;
}

static PetscErrorCode rows_free(rows *r)
{
  PetscCall(MatDestroy(&r->A));
  PetscCall(VecDestroy(&r->b));
  PetscCall(VecDestroy(&r->lo));
  PetscCall(VecDestroy(&r->work));
  return 0;
}

static PetscErrorCode rows_function(SNES snes, Vec U, Vec F, void *context)
{
  const rows *r = context;
  (void)snes;
  PetscCall(MatMultAdd(r->A, U, r->b, F));
  return 0;
}

static PetscErrorCode rows_jacobian(SNES snes, Vec U, Mat J, Mat P, void *context)
{
  (void)snes;
  (void)U;
  (void)J;
  (void)P;
  (void)context;
  return 0;
}

static PetscErrorCode finish(const rows *r, const char *label, Vec U, double *best)
{
  const double seconds = processor_now() - r->w.began;
  const PetscScalar *u;
  PetscCall(VecGetArrayRead(U, &u));
  judge(label, r->m, u, seconds, r->w.late);
  PetscCall(VecRestoreArrayRead(U, &u));
  *best = r->w.late ? *best : fmin(*best, seconds);
  return 0;
}

static PetscErrorCode rows_snes(const membrane *m, const char *label, const char *const *options,
                                double *best)
{
  rows r;
  SNES snes;
  Vec U, F, hi;
  PetscCall(rows_make(m, &r));
  r.w.began = processor_now();
  PetscCall(options_set(options));
  PetscCall(VecDuplicate(r.b, &U));
  PetscCall(VecDuplicate(r.b, &F));
  PetscCall(VecDuplicate(r.b, &hi));
  PetscCall(VecSet(hi, PETSC_INFINITY));
  PetscCall(VecSet(U, 0));
  PetscCall(VecPointwiseMax(U, U, r.lo));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &snes));
  r.w.lo = r.lo;
  r.w.scale = r.h2;
  PetscCall(SNESSetFunction(snes, F, rows_function, &r));
  PetscCall(SNESSetJacobian(snes, r.A, r.A, rows_jacobian, &r));
  PetscCall(SNESSetType(snes, SNESVINEWTONRSLS));
  PetscCall(SNESVISetVariableBounds(snes, r.lo, hi));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(SNESSetConvergenceTest(snes, snes_test, &r.w, NULL));
  PetscCall(SNESSetTolerances(snes, 0, 0, 0, 5000, 100000));
  PetscCall(SNESSolve(snes, NULL, U));
  PetscCall(finish(&r, label, U, best));
  PetscCall(SNESDestroy(&snes));
  PetscCall(VecDestroy(&U));
  PetscCall(VecDestroy(&F));
  PetscCall(VecDestroy(&hi));
  return rows_free(&r);
}

static PetscErrorCode tao_value(Tao tao, Vec U, PetscReal *value, Vec G, void *context)
{
  const rows *r = context;
  PetscReal quadratic, linear;
  (void)tao;
  PetscCall(MatMult(r->A, U, G));
  PetscCall(VecDot(U, G, &quadratic));
  PetscCall(VecDot(U, r->b, &linear));
  PetscCall(VecAXPY(G, 1, r->b));
  *value = 0.5 * quadratic + linear;
  return 0;
}

static PetscErrorCode tao_hessian(Tao tao, Vec U, Mat H, Mat P, void *context)
{
  (void)tao;
  (void)U;
  (void)H;
  (void)P;
  (void)context;
  return 0;
}

static PetscErrorCode tao_test(Tao tao, void *context)
{
  rows *r = context;
  Vec U;
  double value;
  PetscCall(TaoGetSolution(tao, &U));
  PetscCall(MatMultAdd(r->A, U, r->b, r->work));
  PetscCall(relative(U, r->work, r->lo, r->h2, &value));
  r->w.late = processor_now() - r->w.began > PATIENCE;
  PetscCall(TaoSetConvergedReason(tao, value <= TOLERANCE ? TAO_CONVERGED_USER
                                       : r->w.late        ? TAO_DIVERGED_USER
                                                          : TAO_CONTINUE_ITERATING));
  return 0;
}

static PetscErrorCode rows_tao(const membrane *m, const char *label, const char *const *options,
                               double *best)
{
  rows r;
  Tao tao;
  Vec U, hi;
  PetscCall(rows_make(m, &r));
  r.w.began = processor_now();
  PetscCall(options_set(options));
  PetscCall(VecDuplicate(r.b, &U));
  PetscCall(VecDuplicate(r.b, &hi));
  PetscCall(VecSet(hi, PETSC_INFINITY));
  PetscCall(VecSet(U, 0));
  PetscCall(VecPointwiseMax(U, U, r.lo));
  PetscCall(TaoCreate(PETSC_COMM_SELF, &tao));
  PetscCall(TaoSetType(tao, TAOTRON));
  PetscCall(TaoSetSolution(tao, U));
  PetscCall(TaoSetVariableBounds(tao, r.lo, hi));
  PetscCall(TaoSetObjectiveAndGradient(tao, NULL, tao_value, &r));
  PetscCall(TaoSetHessian(tao, r.A, r.A, tao_hessian, &r));
  PetscCall(TaoSetMaximumIterations(tao, 100000));
  PetscCall(TaoSetFromOptions(tao));
  PetscCall(TaoSetConvergenceTest(tao, tao_test, &r));
  PetscCall(TaoSolve(tao));
  PetscCall(finish(&r, label, U, best));
  PetscCall(TaoDestroy(&tao));
  PetscCall(VecDestroy(&U));
  PetscCall(VecDestroy(&hi));
  return rows_free(&r);
}

/* ---- mg ---- */

static double ours(const membrane *m, const char *label, const perp_operator *A,
                   const char *hierarchy)
{
  const perp_problem p = perp_problem_boxed(A, m->b, m->lo, m->hi);
  double seconds[BENCH_ROUNDS], *x = take((size_t)m->n);
  enum { ROUNDS = 3 };
  for (int k = 0; k < ROUNDS; k++) {
    perp_solver *solver = NULL;
    perp_result r = perp_result_empty();
    memset(x, 0, (size_t)m->n * sizeof *x);
    const double begin = processor_now();
    if (perp_solver_create("mg", &solver, &r.message) ||
        perp_solver_set_text(solver, "hierarchy", hierarchy, &r.message) ||
        perp_solver_solve(solver, &p, NULL, x, &r))
      bench_die("%s", r.message.text);
    seconds[k] = processor_now() - begin;
    perp_solver_destroy(solver);
  }
  const double median = kit_median(ROUNDS, seconds);
  judge(label, m, x, median, false);
  free(x);
  return median;
}

/* PETSc's best, as found by trying: conjugate gradients to 1e-3, basic line search. */
static const char *const multigrid[] = {"-snes_linesearch_type",
                                        "basic",
                                        "-ksp_type",
                                        "cg",
                                        "-ksp_rtol",
                                        "1e-3",
                                        "-pc_type",
                                        "mg",
                                        "-pc_mg_levels",
                                        "4",
                                        "-mg_levels_pc_type",
                                        "sor",
                                        "-pc_mg_galerkin",
                                        "both",
                                        "-snes_vi_zero_tolerance",
                                        "1e-16",
                                        NULL};
static const char *const sequence_icc[] = {
    "-snes_linesearch_type",   "basic", "-ksp_type", "cg", "-ksp_rtol", "1e-3", "-pc_type", "icc",
    "-snes_vi_zero_tolerance", "1e-16", NULL};
static const char *const boomeramg[] = {
    "-snes_linesearch_type",   "basic", "-ksp_type", "cg", "-ksp_rtol", "1e-3", "-pc_type", "hypre",
    "-snes_vi_zero_tolerance", "1e-16", NULL};
static const char *const tron[] = {
    "-tao_ksp_type", "cg", "-tao_pc_type", "icc", "-tao_pc_factor_levels", "2", NULL};

static PetscErrorCode bench_membrane(int dimension, int side)
{
  membrane m = membrane_make(dimension, side);
  double grid = INFINITY, black = INFINITY;
  printf("%d^%d unknowns\n with the grid\n", side, dimension);
  const double own = ours(&m, "mg", m.A, "auto");
  PetscCall(with_grid(&m, "PETSc rsls, grid sequence, cg + mg", multigrid, &grid));
  PetscCall(with_grid(&m, "PETSc rsls, grid sequence, cg + icc", sequence_icc, &grid));
  printf(" without it\n");
  const double seen = ours(&m, "mg, which sees the grid in A", m.csr, "auto");
  const double aggregated = ours(&m, "mg by aggregation", m.csr, "algebraic");
  PetscCall(rows_snes(&m, "PETSc rsls, cg + icc", sequence_icc, &black));
  PetscCall(rows_snes(&m, "PETSc rsls, cg + boomeramg", boomeramg, &black));
  PetscCall(rows_tao(&m, "PETSc tron, cg + icc(2)", tron, &black));
  printf(" PETSc's best takes %.1f times as long with the grid; without it %.1f times, %.1f by "
         "aggregation (goal >= 10)\n",
         grid / own, black / seen, black / aggregated);
  membrane_free(&m);
  return 0;
}

/* petsc [SIDE DIMENSION]: one case, else all */
int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(NULL, NULL, NULL, NULL));
  if (argc > 2) {
    PetscCall(bench_membrane(atoi(argv[2]), atoi(argv[1])));
  } else {
    PetscCall(bench_membrane(2, 511));
    PetscCall(bench_membrane(2, 1023));
    PetscCall(bench_membrane(3, 63));
  }
  return PetscFinalize();
}
