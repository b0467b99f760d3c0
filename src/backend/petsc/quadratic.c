/* quadratic.c: min 1/2 x^T A x - f^T x between bounds: truncated nonsmooth Newton multigrid */
#include "backend/petsc/quadratic.h"

/* Projected sweeps before and after a correction; sweeps before and after a coarser level. */
enum { PRE = 2, POST = 1, SWEEPS = 2 };

/* ---- A correction for the free rows ----
 *
 * With D = diag(free) the finest level has D A D + (I - D) diag(A) and the interpolation D P, and
 * each coarser matrix is P^T A P of the one above it (Kornhuber 1994): corrections vanish in rows
 * that are not free, and a coarse function that is zero in all free rows has a zero row and column,
 * which sweeps skip. One V-cycle: SWEEPS forward sweeps, the coarser level, SWEEPS backward.
 * KSP, prefix perp_coarse_, solves the coarsest level: by default LU on each rank. Without
 * interpolations KSP, prefix perp_, is the correction: conjugate gradients with PCGAMG until a
 * twentieth of the residual is left; one cycle of it would leave 0.8. Cost of a cycle in 2D: about
 * 5 sweeps; of a truncation: the products P^T A P. */

static PetscErrorCode last_open(MPI_Comm comm, PetscBool algebraic, const char *prefix, KSP *last)
{
  PC pc;
  PetscCall(KSPCreate(comm, last));
  PetscCall(KSPSetOptionsPrefix(*last, prefix));
  PetscCall(KSPAppendOptionsPrefix(*last, algebraic ? "perp_" : "perp_coarse_"));
  PetscCall(KSPSetErrorIfNotConverged(*last, PETSC_FALSE));
  PetscCall(KSPGetPC(*last, &pc));
  if (algebraic) {
    PetscCall(KSPSetType(*last, KSPCG));
    PetscCall(KSPSetTolerances(*last, 0.05, 1e-300, PETSC_DEFAULT, 30));
    PetscCall(PCSetType(pc, PCGAMG));
  } else {
    PetscCall(KSPSetType(*last, KSPPREONLY));
    PetscCall(PCSetType(pc, PCREDUNDANT));
  }
  PetscCall(KSPSetFromOptions(*last));
  return 0;
}

static PetscErrorCode levels_open(Mat A, const perp_transfers *transfers, const char *prefix,
                                  perp_levels *levels)
{
  const PetscInt top = transfers->count - 1;
  *levels = (perp_levels){.transfers = *transfers};
  PetscCall(PetscCalloc1(transfers->count, &levels->level));
  PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &levels->level[top].A));
  if (top > 0)
    PetscCall(MatDuplicate(transfers->P[top], MAT_COPY_VALUES, &levels->level[top].P));
  for (PetscInt k = 1; k < top; k++) {
    levels->level[k].P = transfers->P[k];
    PetscCall(PetscObjectReference((PetscObject)transfers->P[k]));
  }
  for (PetscInt k = 0; k <= top; k++) {
    perp_level *l = &levels->level[k];
    if (k < top)
      PetscCall(MatCreateVecs(transfers->P[k + 1], &l->x, NULL));
    else
      PetscCall(MatCreateVecs(A, &l->x, NULL));
    PetscCall(VecDuplicate(l->x, &l->f));
    PetscCall(VecDuplicate(l->x, &l->r));
  }
  PetscCall(last_open(PetscObjectComm((PetscObject)A), top == 0, prefix, &levels->last));
  return 0;
}

static PetscErrorCode levels_close(perp_levels *levels)
{
  for (PetscInt k = 0; levels->level && k < levels->transfers.count; k++) {
    perp_level *l = &levels->level[k];
    PetscCall(MatDestroy(&l->A));
    PetscCall(MatDestroy(&l->P));
    PetscCall(perp_rows_close(&l->rows));
    PetscCall(VecDestroy(&l->x));
    PetscCall(VecDestroy(&l->f));
    PetscCall(VecDestroy(&l->r));
  }
  PetscCall(PetscFree(levels->level));
  PetscCall(KSPDestroy(&levels->last));
  return 0;
}

/* Replaces zero diagonal entries by 1; overwrites work. */
static PetscErrorCode fill_zero_diagonal(Mat A, Vec work)
{
  PetscScalar *d;
  PetscInt n;
  PetscCall(MatGetDiagonal(A, work));
  PetscCall(VecGetLocalSize(work, &n));
  PetscCall(VecGetArray(work, &d));
  for (PetscInt i = 0; i < n; i++)
    d[i] = d[i] == 0 ? 1 : 0;
  PetscCall(VecRestoreArray(work, &d));
  PetscCall(MatDiagonalSet(A, work, ADD_VALUES));
  return 0;
}

/* D A D + (I - D) diag(A) */
static PetscErrorCode truncate_finest(Mat A, Vec free, perp_level *l)
{
  PetscScalar *d;
  const PetscScalar *is_free;
  PetscInt n;
  PetscCall(MatCopy(A, l->A, SAME_NONZERO_PATTERN));
  PetscCall(MatDiagonalScale(l->A, free, free));
  PetscCall(MatGetDiagonal(A, l->r));
  PetscCall(VecGetLocalSize(l->r, &n));
  PetscCall(VecGetArray(l->r, &d));
  PetscCall(VecGetArrayRead(free, &is_free));
  for (PetscInt i = 0; i < n; i++)
    d[i] = is_free[i] != 0 ? 0 : d[i] != 0 ? d[i] : 1;
  PetscCall(VecRestoreArrayRead(free, &is_free));
  PetscCall(VecRestoreArray(l->r, &d));
  PetscCall(MatDiagonalSet(l->A, l->r, ADD_VALUES));
  return 0;
}

static PetscErrorCode levels_truncate(perp_levels *levels, Mat A, Vec free)
{
  const PetscInt top = levels->transfers.count - 1;
  perp_level *level = levels->level;
  PetscCall(truncate_finest(A, free, &level[top]));
  if (top > 0) {
    PetscCall(MatCopy(levels->transfers.P[top], level[top].P, SAME_NONZERO_PATTERN));
    PetscCall(MatDiagonalScale(level[top].P, free, NULL));
  }
  for (PetscInt k = top; k > 0; k--) {
    const MatReuse reuse = level[k - 1].A ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX;
    PetscCall(MatPtAP(level[k].A, level[k].P, reuse, PETSC_DEFAULT, &level[k - 1].A));
    if (level[k].rows.A)
      PetscCall(perp_rows_refresh(&level[k].rows));
    else
      PetscCall(perp_rows_open(level[k].A, &level[k].rows));
  }
  if (top > 0)
    PetscCall(fill_zero_diagonal(level[0].A, level[0].r));
  PetscCall(KSPSetOperators(levels->last, level[0].A, level[0].A));
  return 0;
}

/* Solves A x = f approximately on level k, from x = 0. */
static PetscErrorCode cycle(perp_levels *levels, PetscInt k)
{
  perp_level *l = &levels->level[k];
  PetscCall(VecSet(l->x, 0));
  if (k == 0) {
    PetscCall(KSPSolve(levels->last, l->f, l->x));
    return 0;
  }
  for (PetscInt s = 0; s < SWEEPS; s++)
    PetscCall(perp_rows_sweep(&l->rows, l->f, NULL, NULL, PETSC_FALSE, l->x));
  PetscCall(MatMult(l->A, l->x, l->r));
  PetscCall(VecAYPX(l->r, -1, l->f));
  PetscCall(MatMultTranspose(l->P, l->r, l[-1].f));
  PetscCall(cycle(levels, k - 1));
  PetscCall(MatMultAdd(l->P, l[-1].x, l->x, l->x));
  for (PetscInt s = 0; s < SWEEPS; s++)
    PetscCall(perp_rows_sweep(&l->rows, l->f, NULL, NULL, PETSC_TRUE, l->x));
  return 0;
}

static PetscErrorCode levels_correct(perp_levels *levels, Vec r, Vec c)
{
  perp_level *top = &levels->level[levels->transfers.count - 1];
  PetscCall(VecCopy(r, top->f));
  PetscCall(cycle(levels, levels->transfers.count - 1));
  PetscCall(VecCopy(top->x, c));
  return 0;
}

/* ---- Cycles ----
 *
 * One cycle from x, with y = A x - f:
 *
 *   1. PRE projected sweeps
 *   2. the rows strictly between their bounds are free; if that set changed, the levels are built
 *      again
 *   3. c = about -A_FF^-1 y_F by one V-cycle
 *   4. d = P(x + c) - x;  x <- x + a d,  a = min(1, -d^T y / d^T A d): the energy never rises
 *   5. POST projected sweeps, backwards
 *
 * One sweep moves the boundary of a contact region by one cell. So a cold start takes a number of
 * cycles that grows with the grid, unless it begins with the problem on coarser levels: matrix and
 * load P^T A P and P^T f, bounds the means  (P^T lo)_i / (P^T 1)_i. */

PetscErrorCode perp_quadratic_open(Mat A, Vec f, Vec lo, Vec hi, const perp_transfers *transfers,
                                   const char *prefix, perp_quadratic *q)
{
  *q = (perp_quadratic){.A = A, .f = f, .lo = lo, .hi = hi, .prefix = prefix};
  PetscCall(perp_rows_open(A, &q->rows));
  PetscCall(levels_open(A, transfers, prefix, &q->levels));
  for (Vec *v[] = {&q->free, &q->free_before, &q->r, &q->step, &q->product}, **p = v; p < v + 5;
       p++)
    PetscCall(VecDuplicate(f, *p));
  PetscCall(VecSet(q->free_before, -1));
  return 0;
}

PetscErrorCode perp_quadratic_refresh(perp_quadratic *q)
{
  PetscCall(perp_rows_refresh(&q->rows));
  q->stale = PETSC_TRUE;
  return 0;
}

PetscErrorCode perp_quadratic_close(perp_quadratic *q)
{
  PetscCall(perp_rows_close(&q->rows));
  PetscCall(levels_close(&q->levels));
  for (Vec *v[] = {&q->free, &q->free_before, &q->r, &q->step, &q->product}, **p = v; p < v + 5;
       p++)
    PetscCall(VecDestroy(*p));
  return 0;
}

/* free, and r <- f - A x */
static PetscErrorCode mark_free(perp_quadratic *q, Vec x)
{
  const PetscScalar *a, *l, *h;
  PetscScalar *free;
  PetscInt n;
  PetscCall(MatMult(q->A, x, q->r));
  PetscCall(VecAYPX(q->r, -1, q->f));
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(x, &a));
  PetscCall(VecGetArrayRead(q->lo, &l));
  PetscCall(VecGetArrayRead(q->hi, &h));
  PetscCall(VecGetArray(q->free, &free));
  for (PetscInt i = 0; i < n; i++)
    free[i] = a[i] > l[i] && a[i] < h[i] ? 1 : 0;
  PetscCall(VecRestoreArray(q->free, &free));
  PetscCall(VecRestoreArrayRead(q->hi, &h));
  PetscCall(VecRestoreArrayRead(q->lo, &l));
  PetscCall(VecRestoreArrayRead(x, &a));
  return 0;
}

/* Does step 4; c is in `step`. */
static PetscErrorCode add_step(perp_quadratic *q, Vec x)
{
  PetscScalar down, bend;
  PetscCall(VecAXPY(q->step, 1, x));
  PetscCall(perp_bounds_project(q->lo, q->hi, q->step));
  PetscCall(VecAXPY(q->step, -1, x));
  PetscCall(MatMult(q->A, q->step, q->product));
  PetscCall(VecDotBegin(q->step, q->r, &down)); /* -d^T y */
  PetscCall(VecDotBegin(q->step, q->product, &bend));
  PetscCall(VecDotEnd(q->step, q->r, &down));
  PetscCall(VecDotEnd(q->step, q->product, &bend));
  PetscCall(VecAXPY(x, down > 0 ? (bend > down ? down / bend : 1) : 0, q->step));
  PetscCall(perp_bounds_project(q->lo, q->hi, x)); /* rounding */
  return 0;
}

PetscErrorCode perp_quadratic_cycle(perp_quadratic *q, Vec x)
{
  PetscBool same;
  for (PetscInt s = 0; s < PRE; s++)
    PetscCall(perp_rows_sweep(&q->rows, q->f, q->lo, q->hi, PETSC_FALSE, x));
  PetscCall(mark_free(q, x));
  PetscCall(VecEqual(q->free, q->free_before, &same));
  if (!same || q->stale) {
    PetscCall(levels_truncate(&q->levels, q->A, q->free));
    PetscCall(VecCopy(q->free, q->free_before));
    q->truncations++;
    q->stale = PETSC_FALSE;
  }
  PetscCall(VecPointwiseMult(q->product, q->r, q->free));
  PetscCall(levels_correct(&q->levels, q->product, q->step));
  PetscCall(VecPointwiseMult(q->step, q->step, q->free));
  PetscCall(add_step(q, x));
  for (PetscInt s = 0; s < POST; s++)
    PetscCall(perp_rows_sweep(&q->rows, q->f, q->lo, q->hi, PETSC_TRUE, x));
  return 0;
}

/* coarse <- (P^T fine)_i / (P^T 1)_i */
static PetscErrorCode mean(Mat P, Vec fine, Vec weights, Vec coarse)
{
  PetscCall(MatMultTranspose(P, fine, coarse));
  PetscCall(VecPointwiseDivide(coarse, coarse, weights));
  return 0;
}

PetscErrorCode perp_quadratic_start(const perp_quadratic *q, Vec x)
{
  const PetscInt top = q->levels.transfers.count - 1;
  if (top < 1)
    return 0;
  Mat P = q->levels.transfers.P[top], A;
  Vec f, lo, hi, weights, start, ones;
  const perp_transfers fewer = {top, q->levels.transfers.P};
  perp_quadratic coarse;
  PetscCall(MatPtAP(q->A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &A));
  PetscCall(MatCreateVecs(P, &f, NULL));
  PetscCall(VecDuplicate(f, &lo));
  PetscCall(VecDuplicate(f, &hi));
  PetscCall(VecDuplicate(f, &weights));
  PetscCall(VecDuplicate(f, &start));
  PetscCall(VecDuplicate(x, &ones));
  PetscCall(VecSet(ones, 1));
  PetscCall(MatMultTranspose(P, ones, weights));
  PetscCall(MatMultTranspose(P, q->f, f));
  PetscCall(mean(P, q->lo, weights, lo));
  PetscCall(mean(P, q->hi, weights, hi));
  PetscCall(perp_quadratic_open(A, f, lo, hi, &fewer, q->prefix, &coarse));
  PetscCall(perp_bounds_project(lo, hi, start));
  PetscCall(perp_quadratic_start(&coarse, start));
  /* the coarsest problem has no levels below it, and few unknowns */
  for (PetscInt c = 0; c < (top == 1 ? 5 : 1); c++)
    PetscCall(perp_quadratic_cycle(&coarse, start));
  PetscCall(MatMult(P, start, x));
  PetscCall(perp_bounds_project(q->lo, q->hi, x));
  PetscCall(perp_quadratic_close(&coarse));
  PetscCall(MatDestroy(&A));
  for (Vec *v[] = {&f, &lo, &hi, &weights, &start, &ones}, **p = v; p < v + 6; p++)
    PetscCall(VecDestroy(*p));
  return 0;
}
