/* halve.c: interpolations from coarser and coarser grids to a DMDA of any number of points
 *
 * DMCoarsen halves intervals: 2^k - 1 points have an odd number of them after one step. Here every
 * second point along an axis is kept, and the last one. If the number of intervals is odd, the last
 * coarse interval is one fine interval long or three, whichever is nearer to two of the others; so
 * it is never shorter than a half or longer than twice the others. Interpolation is linear along
 * each axis, by the places of the points: functions of a grid are functions of all finer ones.
 *
 * A coarse point belongs to the rank of the same fine point, and is numbered as DMDA does: rank by
 * rank, row by row. */
#include "backend/petsc/halve.h"

#include <stdbool.h>

enum { LEAST = 5, FEW = 64 }; /* points along an axis that is halved; points not worth halving */

/* The points along an axis. */
typedef struct line {
  PetscInt n, ranks;
  PetscInt *cut; /* ranks + 1: where the points of each slice begin */
  PetscReal *at; /* places, ascending */
} line;

/* The points of a grid, `numbers` values to each. */
typedef struct lattice {
  line axis[3];
  PetscInt numbers;
  MPI_Comm comm;
  PetscMPIInt rank;
} lattice;

/* From which coarse points, and by which weight of the first, a fine point takes its value. */
typedef struct share {
  PetscInt left, right; /* the same if the point itself is kept */
  PetscReal of_left;
} share;

/* ---- One axis ---- */

static PetscErrorCode line_allocate(PetscInt n, PetscInt ranks, line *l)
{
  PetscFunctionBegin;
  *l = (line){.n = n, .ranks = ranks};
  PetscCall(PetscMalloc2(ranks + 1, &l->cut, n, &l->at));
  PetscFunctionReturn(0);
}

static PetscErrorCode line_free(line *l)
{
  PetscFunctionBegin;
  PetscCall(PetscFree2(l->cut, l->at));
  PetscFunctionReturn(0);
}

/* Whether point i is kept. */
static bool kept(const line *l, PetscInt i)
{
  if (l->n < LEAST || i == l->n - 1)
    return true;
  if (i % 2 || i < l->n - 2)
    return i % 2 == 0;
  /* the last but one, of an odd number of intervals */
  const PetscReal last = l->at[i + 1] - l->at[i], others = l->at[1] - l->at[0];
  return last > others;
}

/* The coarse axis, and the share of each fine point. */
static PetscErrorCode line_halve(const line *l, line *coarse, share *shares)
{
  PetscInt count = 0;
  PetscFunctionBegin;
  for (PetscInt i = 0; i < l->n; i++)
    count += kept(l, i);
  PetscCall(line_allocate(count, l->ranks, coarse));
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
  for (PetscInt i = 0; i < l->n; i++) {
    const PetscReal a = coarse->at[shares[i].left], b = coarse->at[shares[i].right];
    if (b > a)
      shares[i].of_left = (b - l->at[i]) / (b - a);
  }
  PetscFunctionReturn(0);
}

/* ---- Grids ---- */

static PetscErrorCode lattice_of(DM dm, lattice *g)
{
  const PetscInt *lengths[3];
  PetscInt n[3], ranks[3];
  PetscFunctionBegin;
  g->comm = PetscObjectComm((PetscObject)dm);
  PetscCallMPI(MPI_Comm_rank(g->comm, &g->rank));
  PetscCall(DMDAGetInfo(dm, NULL, &n[0], &n[1], &n[2], &ranks[0], &ranks[1], &ranks[2], &g->numbers,
                        NULL, NULL, NULL, NULL, NULL));
  PetscCall(DMDAGetOwnershipRanges(dm, &lengths[0], &lengths[1], &lengths[2]));
  for (int axis = 0; axis < 3; axis++) {
    line *l = &g->axis[axis];
    PetscCall(line_allocate(n[axis], ranks[axis], l));
    for (PetscInt i = 0; i < n[axis]; i++)
      l->at[i] = (PetscReal)i;
    l->cut[0] = 0;
    for (PetscInt p = 0; p < ranks[axis]; p++)
      l->cut[p + 1] = lengths[axis] ? l->cut[p] + lengths[axis][p] : n[axis];
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode lattice_free(lattice *g)
{
  PetscFunctionBegin;
  for (int axis = 0; axis < 3; axis++)
    PetscCall(line_free(&g->axis[axis]));
  PetscFunctionReturn(0);
}

/* Slices along each axis of a rank. */
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

/* The number of the first value of each rank; one more at the end. */
static PetscErrorCode first_numbers(const lattice *g, PetscInt **first)
{
  const PetscInt ranks = g->axis[0].ranks * g->axis[1].ranks * g->axis[2].ranks;
  PetscFunctionBegin;
  PetscCall(PetscMalloc1(ranks + 1, first));
  (*first)[0] = 0;
  for (PetscInt r = 0; r < ranks; r++) {
    PetscInt p[3], points = g->numbers;
    slices(g, r, p);
    for (int axis = 0; axis < 3; axis++)
      points *= slice_length(g, axis, p[axis]);
    (*first)[r + 1] = (*first)[r] + points;
  }
  PetscFunctionReturn(0);
}

/* The number of the first value of a point; near: slices of a rank not far from it. */
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

/* ---- Interpolation ---- */

/* The row of a fine point: the products of its shares along the axes. Returns how many. */
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
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

/* The next coarser grid, and the interpolation from it. */
static PetscErrorCode lattice_halve(const lattice *fine, lattice *coarse, Mat *P)
{
  share *shares[3];
  PetscInt *rows, *columns, each = 1;
  PetscFunctionBegin;
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
  PetscFunctionReturn(0);
}

/* Whether there is a coarser grid. */
static bool can_halve(const lattice *g)
{
  PetscInt points = 1, longest = 0;
  for (int axis = 0; axis < 3; axis++) {
    points *= g->axis[axis].n;
    longest = PetscMax(longest, g->axis[axis].n);
  }
  return points > FEW && longest >= LEAST;
}

static PetscErrorCode is_plain(DM dm, PetscBool *plain)
{
  DMBoundaryType type[3];
  DMDAInterpolationType how;
  PetscInt axes;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)dm, DMDA, plain));
  if (!*plain)
    PetscFunctionReturn(0);
  PetscCall(DMDAGetInfo(dm, &axes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &type[0],
                        &type[1], &type[2], NULL));
  PetscCall(DMDAGetInterpolationType(dm, &how));
  *plain = how == DMDA_Q1 ? PETSC_TRUE : PETSC_FALSE;
  for (PetscInt axis = 0; axis < axes; axis++)
    if (type[axis] == DM_BOUNDARY_PERIODIC || type[axis] == DM_BOUNDARY_TWIST)
      *plain = PETSC_FALSE;
  PetscFunctionReturn(0);
}

PetscErrorCode perp_halve(DM dm, PetscInt room, Mat *P, PetscInt *count)
{
  PetscBool plain;
  lattice fine = {0}, coarse;
  PetscFunctionBegin;
  PetscCall(is_plain(dm, &plain));
  if (!plain)
    PetscFunctionReturn(0);
  PetscCall(lattice_of(dm, &fine));
  while (*count < room && can_halve(&fine)) {
    PetscCall(lattice_halve(&fine, &coarse, &P[(*count)++]));
    PetscCall(lattice_free(&fine));
    fine = coarse;
  }
  PetscCall(lattice_free(&fine));
  PetscFunctionReturn(0);
}
