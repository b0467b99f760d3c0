/* levels.c: interpolations from coarser grids: of a PCMG, of a DM, or made here for a DMDA */
#include "backend/petsc/quadratic.h"

#include <petscdmda.h>
#include <petscmat.h>
#include <stdbool.h>

/* ---- Halving a DMDA with any number of points ----
 *
 * DMCoarsen halves an even number of intervals: 2^k - 1 points have an odd number of them after one
 * step. We keep every second point along an axis, and the last one. If the number of intervals is
 * odd, the last coarse interval is one or three fine intervals long, whichever is closer to two of
 * the others; so it is between half and twice as long as the others. A periodic axis is halved if
 * its number of points is even. Interpolation is linear along each axis in the coordinates of the
 * points: functions of a grid are functions of all finer ones.
 *
 * A coarse point belongs to the rank of the same fine point and is numbered like a DMDA: rank by
 * rank, row by row. */

enum {
  LEAST = 5,
  FEW = 64
}; /* points along an axis, points of a grid, that are not halved below */

/* The points along an axis. */
typedef struct line {
  PetscInt n, ranks;
  bool periodic;
  PetscInt *cut; /* ranks + 1: start of each slice */
  PetscReal *at; /* places, ascending */
} line;

/* The points of a grid, with `numbers` values each. */
typedef struct lattice {
  line axis[3];
  PetscInt numbers;
  MPI_Comm comm;
  PetscMPIInt rank;
} lattice;

/* The coarse points, and the weight of the first, that interpolate a fine point. */
typedef struct share {
  PetscInt left, right; /* equal if the point itself is kept */
  PetscReal of_left;
} share;

/* ---- One axis ---- */

static PetscErrorCode line_allocate(PetscInt n, PetscInt ranks, bool periodic, line *l)
{
  *l = (line){.n = n, .ranks = ranks, .periodic = periodic};
  PetscCall(PetscMalloc2(ranks + 1, &l->cut, n, &l->at));
  return 0;
}

static PetscErrorCode line_free(line *l)
{
  PetscCall(PetscFree2(l->cut, l->at));
  return 0;
}

static bool line_can_halve(const line *l)
{
  return l->n >= LEAST && !(l->periodic && l->n % 2);
}

static bool kept(const line *l, PetscInt i)
{
  if (!line_can_halve(l) || (i == l->n - 1 && !l->periodic))
    return true;
  if (i % 2 || i < l->n - 2 || l->periodic)
    return i % 2 == 0;
  /* the last but one, for an odd number of intervals */
  const PetscReal last = l->at[i + 1] - l->at[i], others = l->at[1] - l->at[0];
  return last > others;
}

/* Computes the coarse axis, and the share of each fine point. */
static PetscErrorCode line_halve(const line *l, line *coarse, share *shares)
{
  PetscInt count = 0;
  for (PetscInt i = 0; i < l->n; i++)
    count += kept(l, i);
  PetscCall(line_allocate(count, l->ranks, l->periodic, coarse));
  PetscInt p = 0, c = 0;
  for (PetscInt i = 0; i < l->n; i++) {
    for (; p <= l->ranks && l->cut[p] <= i; p++)
      coarse->cut[p] = c;
    if (kept(l, i)) {
      coarse->at[c] = l->at[i];
      shares[i] = (share){c, c, 1};
      c++;
    } else
      shares[i] = (share){c - 1, c, 0};
  }
  for (; p <= l->ranks; p++)
    coarse->cut[p] = c;
  if (shares[l->n - 1].right == c) /* between the last point and the first */
    shares[l->n - 1] = (share){c - 1, 0, 0.5};
  for (PetscInt i = 0; i < l->n; i++) {
    const PetscReal a = coarse->at[shares[i].left], b = coarse->at[shares[i].right];
    if (b > a)
      shares[i].of_left = (b - l->at[i]) / (b - a);
  }
  return 0;
}

/* ---- Grids ---- */

static PetscErrorCode lattice_of(DM dm, lattice *g)
{
  const PetscInt *lengths[3];
  PetscInt n[3], ranks[3];
  DMBoundaryType type[3];
  g->comm = PetscObjectComm((PetscObject)dm);
  PetscCallMPI(MPI_Comm_rank(g->comm, &g->rank));
  PetscCall(DMDAGetInfo(dm, NULL, &n[0], &n[1], &n[2], &ranks[0], &ranks[1], &ranks[2], &g->numbers,
                        NULL, &type[0], &type[1], &type[2], NULL));
  PetscCall(DMDAGetOwnershipRanges(dm, &lengths[0], &lengths[1], &lengths[2]));
  for (int axis = 0; axis < 3; axis++) {
    line *l = &g->axis[axis];
    PetscCall(line_allocate(n[axis], ranks[axis], type[axis] == DM_BOUNDARY_PERIODIC, l));
    for (PetscInt i = 0; i < n[axis]; i++)
      l->at[i] = (PetscReal)i;
    l->cut[0] = 0;
    for (PetscInt p = 0; p < ranks[axis]; p++)
      l->cut[p + 1] = lengths[axis] ? l->cut[p] + lengths[axis][p] : n[axis];
  }
  return 0;
}

static PetscErrorCode lattice_free(lattice *g)
{
  for (int axis = 0; axis < 3; axis++)
    PetscCall(line_free(&g->axis[axis]));
  return 0;
}

/* Finds the slices of a rank along each axis. */
static void slices(const lattice *g, PetscInt rank, PetscInt p[3])
{
  p[0] = rank % g->axis[0].ranks;
  p[1] = rank / g->axis[0].ranks % g->axis[1].ranks;
  p[2] = rank / g->axis[0].ranks / g->axis[1].ranks;
}

static PetscInt slice_length(const lattice *g, int axis, PetscInt p)
{
  return g->axis[axis].cut[p + 1] - g->axis[axis].cut[p];
}

/* Computes the index of the first value of each rank; one more at the end. */
static PetscErrorCode first_numbers(const lattice *g, PetscInt **first)
{
  const PetscInt ranks = g->axis[0].ranks * g->axis[1].ranks * g->axis[2].ranks;
  PetscCall(PetscMalloc1(ranks + 1, first));
  (*first)[0] = 0;
  for (PetscInt r = 0; r < ranks; r++) {
    PetscInt p[3], points = g->numbers;
    slices(g, r, p);
    for (int axis = 0; axis < 3; axis++)
      points *= slice_length(g, axis, p[axis]);
    (*first)[r + 1] = (*first)[r] + points;
  }
  return 0;
}

/* Returns the index of the first value of a point; near: slices of a nearby rank. */
static PetscInt number_of(const lattice *g, const PetscInt *first, const PetscInt near[3],
                          const PetscInt at[3])
{
  PetscInt p[3], inside = 0, rank = 0;
  for (int axis = 2; axis >= 0; axis--) {
    const line *l = &g->axis[axis];
    for (p[axis] = near[axis]; at[axis] < l->cut[p[axis]];)
      p[axis]--;
    while (at[axis] >= l->cut[p[axis] + 1])
      p[axis]++;
    inside = inside * slice_length(g, axis, p[axis]) + at[axis] - l->cut[p[axis]];
    rank = rank * l->ranks + p[axis];
  }
  return first[rank] + inside * g->numbers;
}

PetscErrorCode perp_points_number(DM dm, int count, int (*at)[3], PetscInt *index)
{
  lattice g;
  PetscInt *first, near[3];
  PetscCall(lattice_of(dm, &g));
  PetscCall(first_numbers(&g, &first));
  slices(&g, g.rank, near);
  for (int c = 0; c < count; c++)
    index[c] = number_of(&g, first, near, (const PetscInt[3]){at[c][0], at[c][1], at[c][2]});
  PetscCall(PetscFree(first));
  PetscCall(lattice_free(&g));
  return 0;
}

/* ---- Interpolation ---- */

/* Computes the row of a fine point: the products of its shares along the axes. Returns the number
 * of entries. */
static int row_of(const lattice *coarse, const PetscInt *first, const PetscInt near[3],
                  const share of[3], PetscInt column[8], PetscScalar value[8])
{
  int count = 0;
  for (int corner = 0; corner < 8; corner++) {
    PetscInt at[3];
    PetscReal weight = 1;
    for (int axis = 0; axis < 3; axis++) {
      const bool right = corner >> axis & 1;
      at[axis] = right ? of[axis].right : of[axis].left;
      weight *= right ? 1 - of[axis].of_left : of[axis].of_left;
    }
    if (weight > 0) {
      column[count] = number_of(coarse, first, near, at);
      value[count++] = weight;
    }
  }
  return count;
}

static PetscErrorCode fill(const lattice *fine, const lattice *coarse, share *const shares[3],
                           const PetscInt *first, PetscInt row, Mat P)
{
  PetscInt p[3], column[8];
  PetscScalar value[8];
  slices(fine, fine->rank, p);
  for (PetscInt k = fine->axis[2].cut[p[2]]; k < fine->axis[2].cut[p[2] + 1]; k++)
    for (PetscInt j = fine->axis[1].cut[p[1]]; j < fine->axis[1].cut[p[1] + 1]; j++)
      for (PetscInt i = fine->axis[0].cut[p[0]]; i < fine->axis[0].cut[p[0] + 1]; i++) {
        const share of[3] = {shares[0][i], shares[1][j], shares[2][k]};
        const int count = row_of(coarse, first, p, of, column, value);
        for (PetscInt q = 0; q < fine->numbers; q++, row++) {
          PetscCall(MatSetValues(P, 1, &row, count, column, value, INSERT_VALUES));
          for (int e = 0; e < count; e++)
            column[e]++;
        }
      }
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  return 0;
}

static PetscErrorCode lattice_halve(const lattice *fine, lattice *coarse, Mat *P)
{
  share *shares[3];
  PetscInt *rows, *columns, each = 1;
  *coarse = (lattice){.numbers = fine->numbers, .comm = fine->comm, .rank = fine->rank};
  for (int axis = 0; axis < 3; axis++) {
    PetscCall(PetscMalloc1(fine->axis[axis].n, &shares[axis]));
    PetscCall(line_halve(&fine->axis[axis], &coarse->axis[axis], shares[axis]));
    each *= coarse->axis[axis].n < fine->axis[axis].n ? 2 : 1;
  }
  PetscCall(first_numbers(fine, &rows));
  PetscCall(first_numbers(coarse, &columns));
  const PetscInt own = columns[fine->rank + 1] - columns[fine->rank];
  PetscCall(MatCreateAIJ(fine->comm, rows[fine->rank + 1] - rows[fine->rank], own, PETSC_DETERMINE,
                         PETSC_DETERMINE, PetscMin(each, own), NULL, each, NULL, P));
  PetscCall(fill(fine, coarse, shares, columns, rows[fine->rank], *P));
  PetscCall(PetscFree(rows));
  PetscCall(PetscFree(columns));
  for (int axis = 0; axis < 3; axis++)
    PetscCall(PetscFree(shares[axis]));
  return 0;
}

/* An axis that stays long makes the coarse grids poor. */
static bool can_halve(const lattice *g)
{
  PetscInt points = 1;
  bool any = false;
  for (int axis = 0; axis < 3; axis++) {
    const line *l = &g->axis[axis];
    points *= l->n;
    any = any || line_can_halve(l);
    if (l->n >= LEAST && !line_can_halve(l))
      return false;
  }
  return points > FEW && any;
}

PetscErrorCode perp_da_is_open(DM dm, PetscBool *open)
{
  DMBoundaryType type[3];
  PetscInt axes;
  PetscCall(PetscObjectTypeCompare((PetscObject)dm, DMDA, open));
  if (!*open)
    return 0;
  PetscCall(DMDAGetInfo(dm, &axes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &type[0],
                        &type[1], &type[2], NULL));
  for (PetscInt axis = 0; axis < axes; axis++)
    if (type[axis] == DM_BOUNDARY_PERIODIC || type[axis] == DM_BOUNDARY_TWIST)
      *open = PETSC_FALSE;
  return 0;
}

/* P[*count] interpolates to the points of dm, the next one to the grid below it, ...; *count grows
 * by their number, up to `room`. None if dm is not a DMDA or interpolates from cells. */
static PetscErrorCode halve(DM dm, PetscInt room, Mat *P, PetscInt *count)
{
  PetscBool is_da;
  DMDAInterpolationType how = DMDA_Q0;
  lattice fine, coarse;
  PetscCall(PetscObjectTypeCompare((PetscObject)dm, DMDA, &is_da));
  if (is_da)
    PetscCall(DMDAGetInterpolationType(dm, &how));
  if (how != DMDA_Q1)
    return 0;
  PetscCall(lattice_of(dm, &fine));
  while (*count < room && can_halve(&fine)) {
    PetscCall(lattice_halve(&fine, &coarse, &P[(*count)++]));
    PetscCall(lattice_free(&fine));
    fine = coarse;
  }
  PetscCall(lattice_free(&fine));
  return 0;
}

/* ---- Sources of interpolations ---- */

/* Returns a new reference to P, or P by rows: grids with several numbers per point give maij, which
 * cannot be duplicated. */
static PetscErrorCode as_rows(Mat P, Mat *rows)
{
  PetscBool already;
  PetscCall(PetscObjectBaseTypeCompareAny((PetscObject)P, &already, MATSEQAIJ, MATMPIAIJ, ""));
  if (already) {
    PetscCall(PetscObjectReference((PetscObject)P));
    *rows = P;
  } else
    PetscCall(MatConvert(P, MATAIJ, MAT_INITIAL_MATRIX, rows));
  return 0;
}

static PetscErrorCode transfers_of_pc(PC pc, perp_transfers *transfers)
{
  PetscBool is_mg;
  PetscInt count = 1;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCMG, &is_mg));
  if (is_mg)
    PetscCall(PCMGGetLevels(pc, &count));
  for (PetscInt k = 1; k < count; k++) {
    Mat P;
    PetscCall(PCMGGetInterpolation(pc, k, &P));
    if (!P)
      return 0; /* PETSc will use the DM's interpolations; so do we */
  }
  if (count < 2)
    return 0;
  PetscCall(PetscCalloc1(count, &transfers->P));
  for (PetscInt k = 1; k < count; k++) {
    Mat P;
    PetscCall(PCMGGetInterpolation(pc, k, &P));
    PetscCall(as_rows(P, &transfers->P[k]));
  }
  transfers->count = count;
  return 0;
}

static PetscErrorCode transfers_of_dm(DM dm, perp_transfers *transfers)
{
  enum { ROOM = 64 };
  Mat P[ROOM];
  PetscInt count = 1;
  DM coarse;
  PetscCall(halve(dm, ROOM, P, &count));
  const bool other = count == 1;
  for (DM fine = dm; other && count < ROOM; fine = coarse) {
    Mat as_given;
    PetscCall(DMGetCoarseDM(fine, &coarse));
    if (!coarse)
      break;
    PetscCall(DMCreateInterpolation(coarse, fine, &as_given, NULL));
    PetscCall(as_rows(as_given, &P[count++]));
    PetscCall(MatDestroy(&as_given));
  }
  PetscCall(PetscCalloc1(count, &transfers->P));
  for (PetscInt k = 1; k < count; k++)
    transfers->P[count - k] = P[k];
  transfers->count = count;
  return 0;
}

PetscErrorCode perp_transfers_find(PC pc, DM dm, perp_transfers *transfers)
{
  *transfers = (perp_transfers){0};
  if (pc)
    PetscCall(transfers_of_pc(pc, transfers));
  if (!transfers->P && dm)
    PetscCall(transfers_of_dm(dm, transfers));
  if (!transfers->P) {
    transfers->count = 1;
    PetscCall(PetscCalloc1(1, &transfers->P));
  }
  return 0;
}

PetscErrorCode perp_transfers_close(perp_transfers *transfers)
{
  for (PetscInt k = 1; k < transfers->count; k++)
    PetscCall(MatDestroy(&transfers->P[k]));
  PetscCall(PetscFree(transfers->P));
  transfers->count = 0;
  return 0;
}
