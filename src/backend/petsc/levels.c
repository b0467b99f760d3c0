/* levels.c: truncated multigrid
 *
 * With D = diag(free) the finest level has D A D + (I - D) diag(A) and the interpolation D P, and
 * each coarser matrix is P^T A P of the one above it (Kornhuber 1994): corrections vanish in rows
 * that are not free, and a coarse function that is zero in all free rows has a row and a column of
 * zeros, which sweeps leave alone. One V-cycle: `sweeps` forward sweeps, the coarser level,
 * `sweeps` backward. The coarsest level is solved by KSP, prefix perp_coarse_: LU on each rank,
 * unless options say otherwise. Without interpolations KSP, prefix perp_, is the correction:
 * conjugate gradients with PCGAMG until a twentieth of the residual is left; one cycle of it would
 * leave 0.8. Cost of a cycle in 2D: about 5 sweeps; of a truncation: the products P^T A P. */
#include "backend/petsc/levels.h"
#include "backend/petsc/halve.h"

/* ---- Where interpolations come from ---- */

/* A new reference to P, or P by rows: grids with several numbers to a point give maij, which cannot
 * be duplicated. */
static PetscErrorCode as_rows(Mat P, Mat *rows)
{
  PetscBool already;
  PetscFunctionBegin;
  PetscCall(PetscObjectBaseTypeCompareAny((PetscObject)P, &already, MATSEQAIJ, MATMPIAIJ, ""));
  if (already) {
    PetscCall(PetscObjectReference((PetscObject)P));
    *rows = P;
  } else
    PetscCall(MatConvert(P, MATAIJ, MAT_INITIAL_MATRIX, rows));
  PetscFunctionReturn(0);
}

static PetscErrorCode transfers_of_pc(PC pc, perp_transfers *transfers)
{
  PetscBool is_mg;
  PetscInt count = 1;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCMG, &is_mg));
  if (is_mg)
    PetscCall(PCMGGetLevels(pc, &count));
  for (PetscInt k = 1; k < count; k++) {
    Mat P;
    PetscCall(PCMGGetInterpolation(pc, k, &P));
    if (!P)
      PetscFunctionReturn(0); /* PETSc will take those of the DM; so do we */
  }
  if (count < 2)
    PetscFunctionReturn(0);
  PetscCall(PetscCalloc1(count, &transfers->P));
  for (PetscInt k = 1; k < count; k++) {
    Mat P;
    PetscCall(PCMGGetInterpolation(pc, k, &P));
    PetscCall(as_rows(P, &transfers->P[k]));
  }
  transfers->count = count;
  PetscFunctionReturn(0);
}

/* Whether DMCoarsen halves a DMDA: an even number of intervals along each axis, enough of them for
 * its ranks, and ghost points, which interpolations need. */
static PetscErrorCode da_is_even(DM dm, PetscBool *even)
{
  PetscInt axes, n[3], ranks[3], width;
  DMBoundaryType type[3];
  DMDAInterpolationType how;
  PetscFunctionBegin;
  PetscCall(DMDAGetInfo(dm, &axes, &n[0], &n[1], &n[2], &ranks[0], &ranks[1], &ranks[2], NULL,
                        &width, &type[0], &type[1], &type[2], NULL));
  PetscCall(DMDAGetInterpolationType(dm, &how));
  *even = width > 0 ? PETSC_TRUE : PETSC_FALSE;
  for (PetscInt axis = 0; axis < axes; axis++) {
    const PetscInt loose = type[axis] == DM_BOUNDARY_PERIODIC || how == DMDA_Q0 ? 0 : 1;
    if (n[axis] < 5 || (n[axis] - loose) % 2 || (n[axis] - loose) / 2 < 2 * ranks[axis])
      *even = PETSC_FALSE;
  }
  PetscFunctionReturn(0);
}

/* The next coarser DM, a new reference; NULL if there is none. */
static PetscErrorCode coarser(DM dm, DM *coarse)
{
  PetscBool is_da, even = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(DMGetCoarseDM(dm, coarse));
  if (*coarse) {
    PetscCall(PetscObjectReference((PetscObject)*coarse));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscObjectTypeCompare((PetscObject)dm, DMDA, &is_da));
  if (is_da)
    PetscCall(da_is_even(dm, &even));
  if (even)
    PetscCall(DMCoarsen(dm, PetscObjectComm((PetscObject)dm), coarse));
  PetscFunctionReturn(0);
}

static PetscErrorCode transfers_of_dm(DM dm, PetscInt most, perp_transfers *transfers)
{
  enum { ROOM = 64 };
  Mat P[ROOM];
  PetscInt count = 1;
  const PetscInt room = most == 0 ? ROOM : PetscMin(most, ROOM);
  DM fine = dm;
  PetscFunctionBegin;
  PetscCall(PetscObjectReference((PetscObject)fine));
  while (count < room) {
    DM coarse;
    PetscCall(coarser(fine, &coarse));
    if (!coarse)
      break;
    Mat as_given;
    PetscCall(DMCreateInterpolation(coarse, fine, &as_given, NULL));
    PetscCall(as_rows(as_given, &P[count++]));
    PetscCall(MatDestroy(&as_given));
    PetscCall(DMDestroy(&fine));
    fine = coarse;
  }
  PetscCall(perp_halve(fine, room, P, &count));
  PetscCall(DMDestroy(&fine));
  PetscCall(PetscCalloc1(count, &transfers->P));
  for (PetscInt k = 1; k < count; k++)
    transfers->P[count - k] = P[k];
  transfers->count = count;
  PetscFunctionReturn(0);
}

PetscErrorCode perp_transfers_find(PC pc, DM dm, PetscInt most, perp_transfers *transfers)
{
  PetscFunctionBegin;
  *transfers = (perp_transfers){0};
  if (pc)
    PetscCall(transfers_of_pc(pc, transfers));
  if (!transfers->P && dm)
    PetscCall(transfers_of_dm(dm, most, transfers));
  if (!transfers->P) {
    transfers->count = 1;
    PetscCall(PetscCalloc1(1, &transfers->P));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode perp_transfers_close(perp_transfers *transfers)
{
  PetscFunctionBegin;
  for (PetscInt k = 1; k < transfers->count; k++)
    PetscCall(MatDestroy(&transfers->P[k]));
  PetscCall(PetscFree(transfers->P));
  transfers->count = 0;
  PetscFunctionReturn(0);
}

/* ---- Making one ---- */

static PetscErrorCode last_open(MPI_Comm comm, PetscBool algebraic, const char *prefix, KSP *last)
{
  PC pc;
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

PetscErrorCode perp_levels_open(Mat A, const perp_transfers *transfers, const char *prefix,
                                perp_levels *levels)
{
  const PetscInt top = transfers->count - 1;
  PetscFunctionBegin;
  *levels = (perp_levels){.transfers = *transfers, .sweeps = 2};
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
  PetscFunctionReturn(0);
}

PetscErrorCode perp_levels_close(perp_levels *levels)
{
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

/* ---- Truncation ---- */

/* A diagonal entry that is zero becomes 1; work is overwritten. */
static PetscErrorCode fill_zero_diagonal(Mat A, Vec work)
{
  PetscScalar *d;
  PetscInt n;
  PetscFunctionBegin;
  PetscCall(MatGetDiagonal(A, work));
  PetscCall(VecGetLocalSize(work, &n));
  PetscCall(VecGetArray(work, &d));
  for (PetscInt i = 0; i < n; i++)
    d[i] = d[i] == 0 ? 1 : 0;
  PetscCall(VecRestoreArray(work, &d));
  PetscCall(MatDiagonalSet(A, work, ADD_VALUES));
  PetscFunctionReturn(0);
}

/* D A D + (I - D) diag(A) */
static PetscErrorCode truncate_finest(Mat A, Vec free, perp_level *l)
{
  PetscScalar *d;
  const PetscScalar *is_free;
  PetscInt n;
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

PetscErrorCode perp_levels_truncate(perp_levels *levels, Mat A, Vec free)
{
  const PetscInt top = levels->transfers.count - 1;
  perp_level *level = levels->level;
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

/* ---- The cycle ---- */

/* A x = f on level k, from x = 0. */
static PetscErrorCode cycle(perp_levels *levels, PetscInt k)
{
  perp_level *l = &levels->level[k];
  PetscFunctionBegin;
  PetscCall(VecSet(l->x, 0));
  if (k == 0) {
    PetscCall(KSPSolve(levels->last, l->f, l->x));
    PetscFunctionReturn(0);
  }
  for (PetscInt s = 0; s < levels->sweeps; s++)
    PetscCall(perp_rows_sweep(&l->rows, l->f, NULL, NULL, PETSC_FALSE, l->x));
  PetscCall(MatMult(l->A, l->x, l->r));
  PetscCall(VecAYPX(l->r, -1, l->f));
  PetscCall(MatMultTranspose(l->P, l->r, l[-1].f));
  PetscCall(cycle(levels, k - 1));
  PetscCall(MatMultAdd(l->P, l[-1].x, l->x, l->x));
  for (PetscInt s = 0; s < levels->sweeps; s++)
    PetscCall(perp_rows_sweep(&l->rows, l->f, NULL, NULL, PETSC_TRUE, l->x));
  PetscFunctionReturn(0);
}

PetscErrorCode perp_levels_correct(perp_levels *levels, Vec r, Vec c)
{
  perp_level *top = &levels->level[levels->transfers.count - 1];
  PetscFunctionBegin;
  PetscCall(VecCopy(r, top->f));
  PetscCall(cycle(levels, levels->transfers.count - 1));
  PetscCall(VecCopy(top->x, c));
  PetscFunctionReturn(0);
}
