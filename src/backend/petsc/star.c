/* star.c: finds the entries of an affine F on a DMDA by differences
 *
 * With (i + 2 j + 3 k) mod (5 or 7) as the colour of a point, a point and its neighbours along the
 * axes have different colours. So with e_s = 1 in the points of colour s, else 0, the number
 *
 *   (F(x + e_s) - F(x))_c
 *
 * is the entry of row c in the column of the one point among them that has the colour s: 5 or 7
 * evaluations of F give all entries, if F is affine and has no others. Both are checked with a
 * random vector v: F(x + v) - F(x) = A v. Besides the entries no matrix is stored.
 *
 * Rows with only a diagonal entry, such as boundary values, are solved by x_c <- x_c - F_c / A_cc.
 * They are not unknowns of the grid, which is reduced to the bounding box of the others. */
#include "backend/petsc/mesh.h"
#include "backend/petsc/quadratic.h"
#include "base/elementary.h"

#include <math.h>

enum { WAYS = 7 }; /* itself, then -x, +x, -y, +y, -z, +z */
static const int STEP[WAYS][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0},
                                  {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
static const double SAME = 1e-10; /* relative difference of equal entries */
static const double EQUAL = 1e-13;

struct perp_star {
  DM dm;
  DMDALocalInfo in;
  int ways;        /* 5 or 7 */
  Vec entry[WAYS]; /* of the rows of this rank */
  Vec fixed;       /* 1: solved at once */
  PetscReal most;  /* greatest |entry| */
  int first[3];    /* the box of unknowns: its first point, and its layout */
  perp_layout layout;
  bool laid;
  perp_box here;      /* cells of the part whose points this rank has in vectors of the DM */
  Vec part;           /* borrows an array by cell of this rank's part */
  VecScatter scatter; /* from vectors of the DM to it */
  int64_t cells;      /* of the part */
  double *numbers;    /* arrays of the part, one after another */
  unsigned char *unknown;
};

enum { DIAGONAL, WX, WY, WZ, LOWER, UPPER, LOAD, X, ARRAYS };

static PetscErrorCode evaluate(SNES snes, Vec x, Vec v, Vec work, Vec F)
{
  PetscCall(VecWAXPY(work, 1, x, v));
  PetscCall(SNESComputeFunction(snes, work, F));
  return 0;
}

static int modulo(int a, int ways)
{
  return (a % ways + ways) % ways;
}

/* Returns the colour of a point; the next point of its row has the next colour. */
static int colour_of(int ways, PetscInt i, PetscInt j, PetscInt k)
{
  return modulo((int)i + 2 * (int)j + 3 * (int)k, ways);
}

/* v <- 1 in the points of a colour; colour < 0: numbers in [-1, 1] that differ from point to
 * point */
static PetscErrorCode fill(const perp_star *s, int colour, Vec v)
{
  const DMDALocalInfo *in = &s->in;
  PetscScalar *a;
  PetscInt c = 0;
  PetscCall(VecGetArray(v, &a));
  for (PetscInt k = in->zs; k < in->zs + in->zm; k++)
    for (PetscInt j = in->ys; j < in->ys + in->ym; j++) {
      int here = colour_of(s->ways, in->xs, j, k);
      for (PetscInt i = in->xs; i < in->xs + in->xm; i++, c++) {
        a[c] = colour < 0 ? perp_sin(12.9898 * (double)i + 78.233 * (double)j + 37.719 * (double)k)
                          : here == colour;
        here = here + 1 < s->ways ? here + 1 : 0;
      }
    }
  PetscCall(VecRestoreArray(v, &a));
  return 0;
}

/* Stores the entries in the columns of one colour, from the difference of F: the colour difference
 * identifies the neighbour. */
static PetscErrorCode take_colour(const perp_star *s, int colour, Vec difference)
{
  const DMDALocalInfo *in = &s->in;
  const PetscScalar *d;
  PetscScalar *a[WAYS];
  PetscInt c = 0;
  int way[WAYS];
  PetscCall(VecGetArrayRead(difference, &d));
  for (int q = 0; q < s->ways; q++) {
    way[colour_of(s->ways, STEP[q][0], STEP[q][1], STEP[q][2])] = q;
    PetscCall(VecGetArray(s->entry[q], &a[q]));
  }
  for (PetscInt k = in->zs; k < in->zs + in->zm; k++)
    for (PetscInt j = in->ys; j < in->ys + in->ym; j++) {
      int above = modulo(colour - colour_of(s->ways, in->xs, j, k), s->ways);
      for (PetscInt i = in->xs; i < in->xs + in->xm; i++, c++) {
        const int q = way[above];
        const PetscInt x = i + STEP[q][0], y = j + STEP[q][1], z = k + STEP[q][2];
        if (x >= 0 && x < in->mx && y >= 0 && y < in->my && z >= 0 && z < in->mz)
          a[q][c] = d[c];
        above = above > 0 ? above - 1 : s->ways - 1;
      }
    }
  for (int q = 0; q < s->ways; q++)
    PetscCall(VecRestoreArray(s->entry[q], &a[q]));
  PetscCall(VecRestoreArrayRead(difference, &d));
  return 0;
}

/* y <- A v by the entries */
static PetscErrorCode apply(const perp_star *s, Vec v, Vec y)
{
  const DMDALocalInfo *in = &s->in;
  Vec local;
  const PetscScalar *a, *e[WAYS];
  PetscScalar *to;
  PetscInt c = 0;
  PetscCall(DMGetLocalVector(s->dm, &local));
  PetscCall(DMGlobalToLocal(s->dm, v, INSERT_VALUES, local));
  PetscCall(VecGetArrayRead(local, &a));
  PetscCall(VecGetArray(y, &to));
  for (int q = 0; q < s->ways; q++)
    PetscCall(VecGetArrayRead(s->entry[q], &e[q]));
  for (PetscInt k = in->zs; k < in->zs + in->zm; k++)
    for (PetscInt j = in->ys; j < in->ys + in->ym; j++)
      for (PetscInt i = in->xs; i < in->xs + in->xm; i++, c++) {
        to[c] = 0;
        for (int q = 0; q < s->ways; q++)
          if (e[q][c] != 0)
            to[c] += e[q][c] *
                     a[((k + STEP[q][2] - in->gzs) * in->gym + j + STEP[q][1] - in->gys) * in->gxm +
                       i + STEP[q][0] - in->gxs];
      }
  for (int q = 0; q < s->ways; q++)
    PetscCall(VecRestoreArrayRead(s->entry[q], &e[q]));
  PetscCall(VecRestoreArray(y, &to));
  PetscCall(VecRestoreArrayRead(local, &a));
  PetscCall(DMRestoreLocalVector(s->dm, &local));
  return 0;
}

/* Sets entries of rounding size to 0; finds the largest one, and the fixed rows. */
static PetscErrorCode tidy(perp_star *s)
{
  PetscReal most = 0;
  PetscInt n;
  PetscScalar *a[WAYS], *fixed;
  for (int q = 0; q < s->ways; q++) {
    PetscReal size;
    PetscCall(perp_bounds_size(s->entry[q], &size));
    most = PetscMax(most, size);
    PetscCall(VecGetArray(s->entry[q], &a[q]));
  }
  s->most = most;
  PetscCall(VecGetLocalSize(s->fixed, &n));
  PetscCall(VecGetArray(s->fixed, &fixed));
  for (PetscInt c = 0; c < n; c++) {
    bool alone = true;
    for (int q = 1; q < s->ways; q++) {
      if (fabs(a[q][c]) <= EQUAL * most)
        a[q][c] = 0;
      alone = alone && a[q][c] == 0;
    }
    fixed[c] = alone;
  }
  PetscCall(VecRestoreArray(s->fixed, &fixed));
  for (int q = 0; q < s->ways; q++)
    PetscCall(VecRestoreArray(s->entry[q], &a[q]));
  return 0;
}

/* Finds the entries; base is F(x). Sets *why if F has other entries or is not finite. */
static PetscErrorCode probe(SNES snes, perp_star *s, Vec x, Vec base, const char **why)
{
  Vec *made;
  PetscReal size, error;
  PetscCall(VecDuplicateVecs(x, 3, &made));
  const Vec v = made[0], work = made[1], F = made[2];
  for (int colour = 0; colour < s->ways; colour++) {
    PetscCall(fill(s, colour, v));
    PetscCall(evaluate(snes, x, v, work, F));
    PetscCall(VecAXPY(F, -1, base));
    PetscCall(take_colour(s, colour, F));
  }
  PetscCall(tidy(s));
  PetscCall(fill(s, -1, v));
  PetscCall(evaluate(snes, x, v, work, F));
  PetscCall(VecAXPY(F, -1, base));
  PetscCall(apply(s, v, work));
  PetscCall(VecAXPY(work, -1, F));
  PetscCall(perp_bounds_size(work, &error));
  PetscCall(perp_bounds_size(base, &size));
  if (!(isfinite(error) && isfinite(s->most) && error <= SAME * PetscMax(s->most, size)) ||
      s->most == 0)
    *why = "F is not affine, or rows have entries besides the neighbours along the axes";
  PetscCall(VecDestroyVecs(3, &made));
  return 0;
}

/* ---- From vectors of the DM to parts of the grid ---- */

/* Finds the bounding box of the points that are not fixed; returns false if there are none. */
static PetscErrorCode find_box(perp_star *s, int n[3], bool *any)
{
  const DMDALocalInfo *in = &s->in;
  const PetscScalar *fixed;
  int most[6] = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
  PetscInt c = 0;
  PetscCall(VecGetArrayRead(s->fixed, &fixed));
  for (PetscInt k = in->zs; k < in->zs + in->zm; k++)
    for (PetscInt j = in->ys; j < in->ys + in->ym; j++)
      for (PetscInt i = in->xs; i < in->xs + in->xm; i++, c++) {
        const int at[3] = {(int)i, (int)j, (int)k};
        for (int axis = 0; axis < 3 && fixed[c] == 0; axis++) {
          most[axis] = PetscMax(most[axis], at[axis]);
          most[3 + axis] = PetscMax(most[3 + axis], -at[axis]);
        }
      }
  PetscCall(VecRestoreArrayRead(s->fixed, &fixed));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 6, MPI_INT, MPI_MAX, s->layout.comm));
  *any = most[0] > INT32_MIN;
  for (int axis = 0; axis < 3; axis++) {
    s->first[axis] = *any ? -most[3 + axis] : 0;
    n[axis] = *any ? most[axis] + most[3 + axis] + 1 : 0;
  }
  return 0;
}

/* The points of this rank are copied row by row, the others by a scatter. */
static PetscErrorCode connect(perp_star *s)
{
  const perp_box part = perp_layout_part(&s->layout, (int[3]){0, 0, 0}, s->layout.rank);
  const PetscInt begin[3] = {s->in.xs, s->in.ys, s->in.zs}, n[3] = {s->in.xm, s->in.ym, s->in.zm};
  PetscInt *cell, *index;
  int(*at)[3], count = 0;
  IS from, to;
  for (int axis = 0; axis < 3; axis++) {
    const int first = (int)begin[axis] - s->first[axis], end = first + (int)n[axis];
    s->here.begin[axis] = PetscMax(part.begin[axis], first);
    s->here.end[axis] = PetscMax(s->here.begin[axis], PetscMin(part.end[axis], end));
  }
  s->cells = perp_box_cells(&part);
  const size_t others = (size_t)(s->cells - perp_box_cells(&s->here));
  PetscCall(PetscMalloc3(others, &cell, others, &index, others, &at));
  for (int k = part.begin[2]; k < part.end[2]; k++)
    for (int j = part.begin[1]; j < part.end[1]; j++)
      for (int i = part.begin[0]; i < part.end[0]; i++) {
        if (perp_box_holds(&s->here, i, j, k)) {
          i = s->here.end[0] - 1;
          continue;
        }
        const int point[3] = {i + s->first[0], j + s->first[1], k + s->first[2]};
        memcpy(at[count], point, sizeof point);
        cell[count++] = (PetscInt)perp_box_cell(&part, i, j, k);
      }
  PetscCall(perp_points_number(s->dm, count, at, index));
  PetscCall(ISCreateGeneral(PETSC_COMM_SELF, count, index, PETSC_COPY_VALUES, &from));
  PetscCall(ISCreateGeneral(PETSC_COMM_SELF, count, cell, PETSC_COPY_VALUES, &to));
  PetscCall(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, (PetscInt)s->cells, NULL, &s->part));
  PetscCall(VecScatterCreate(s->fixed, from, s->part, to, &s->scatter));
  PetscCall(ISDestroy(&from));
  PetscCall(ISDestroy(&to));
  PetscCall(PetscFree3(cell, index, at));
  return 0;
}

/* Copies between the rows of `here` in a vector of the DM and in an array by cell of the part, and
 * scatters the rest. Points outside the box, and fixed points, keep their values. */
static PetscErrorCode carry(const perp_star *s, Vec v, double *cells, bool back)
{
  const DMDALocalInfo *in = &s->in;
  const perp_box part = perp_layout_part(&s->layout, (int[3]){0, 0, 0}, s->layout.rank);
  const ScatterMode mode = back ? SCATTER_REVERSE : SCATTER_FORWARD;
  const Vec from = back ? s->part : v, to = back ? v : s->part;
  const int i = s->here.begin[0];
  PetscScalar *points;
  PetscCall(VecPlaceArray(s->part, cells));
  PetscCall(VecScatterBegin(s->scatter, from, to, INSERT_VALUES, mode));
  PetscCall(VecScatterEnd(s->scatter, from, to, INSERT_VALUES, mode));
  PetscCall(VecResetArray(s->part));
  PetscCall(back ? VecGetArray(v, &points) : VecGetArrayRead(v, (const PetscScalar **)&points));
  for (int k = s->here.begin[2]; k < s->here.end[2]; k++)
    for (int j = s->here.begin[1]; j < s->here.end[1]; j++) {
      const int64_t at[3] = {i + s->first[0] - in->xs, j + s->first[1] - in->ys,
                             k + s->first[2] - in->zs};
      double *point = points + (at[2] * in->ym + at[1]) * in->xm + at[0];
      double *cell = cells + perp_box_cell(&part, i, j, k);
      memcpy(back ? point : cell, back ? cell : point,
             (size_t)perp_box_length(&s->here, 0) * sizeof *cell);
    }
  PetscCall(back ? VecRestoreArray(v, &points)
                 : VecRestoreArrayRead(v, (const PetscScalar **)&points));
  return 0;
}

static PetscErrorCode fetch(const perp_star *s, Vec v, double *to)
{
  return carry(s, v, to, false);
}

/* If all nonzero numbers of unknowns agree within EQUAL, replaces them by one rounded value, the
 * same on all ranks. */
static PetscErrorCode even_out(const perp_star *s, double *a)
{
  double most[2] = {-INFINITY, -INFINITY};
  for (int64_t c = 0; c < s->cells; c++)
    if (s->unknown[c] && a[c] != 0) {
      most[0] = perp_max(most[0], a[c]);
      most[1] = perp_max(most[1], -a[c]);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, s->layout.comm));
  if (!(most[0] + most[1] <= EQUAL * most[0]))
    return 0;
  const double unit = ldexp(1, ilogb(most[0]) - 40), value = round(most[0] / unit) * unit;
  for (int64_t c = 0; c < s->cells; c++)
    if (s->unknown[c] && a[c] != 0)
      a[c] = value;
  return 0;
}

/* Computes the weights of the faces from the entries on both sides, which must agree. */
static PetscErrorCode take_weights(perp_star *s, double *work, bool *symmetric)
{
  const perp_box part = perp_layout_part(&s->layout, (int[3]){0, 0, 0}, s->layout.rank);
  const perp_box own = perp_layout_own(&s->layout, (int[3]){0, 0, 0}, s->layout.rank);
  double worst = 0;
  for (int axis = 0; 2 * axis + 1 < s->ways; axis++) {
    double *w = s->numbers + (WX + axis) * s->cells;
    PetscCall(fetch(s, s->entry[2 + 2 * axis], w)); /* of row c, to the next point */
    PetscCall(fetch(s, s->entry[1 + 2 * axis], work));
    const int64_t step = axis == 0 ? 1
                         : axis == 1
                             ? perp_box_length(&part, 0)
                             : (int64_t)perp_box_length(&part, 0) * perp_box_length(&part, 1);
    for (int64_t c = 0; c < s->cells; c++)
      w[c] = -w[c];
    for (int k = own.begin[2]; k < own.end[2]; k++)
      for (int j = own.begin[1]; j < own.end[1]; j++)
        for (int i = own.begin[0]; i < own.end[0]; i++) {
          const int64_t c = perp_box_cell(&part, i, j, k), next = c + step;
          const int at[3] = {i, j, k};
          if (at[axis] + 1 < part.end[axis] && s->unknown[c] && s->unknown[next])
            worst = perp_max(worst, fabs(w[c] + work[next]));
        }
    PetscCall(even_out(s, w));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, s->layout.comm));
  *symmetric = worst <= SAME * s->most;
  return 0;
}

static PetscErrorCode lay_out(perp_star *s, const char **why)
{
  int n[3];
  bool any = false, symmetric = false;
  double *work;
  s->layout.comm = PetscObjectComm((PetscObject)s->dm);
  PetscCall(find_box(s, n, &any));
  if (!any) {
    *why = "no row has neighbours";
    return 0;
  }
  PetscCall(perp_layout_create(s->layout.comm, n, &s->layout));
  s->laid = true;
  PetscCall(connect(s));
  PetscCall(PetscCalloc1((size_t)(ARRAYS * s->cells), &s->numbers));
  PetscCall(PetscMalloc1((size_t)s->cells, &s->unknown));
  PetscCall(PetscMalloc1((size_t)s->cells, &work));
  PetscCall(fetch(s, s->fixed, work));
  for (int64_t c = 0; c < s->cells; c++)
    s->unknown[c] = work[c] == 0;
  PetscCall(fetch(s, s->entry[0], s->numbers + DIAGONAL * s->cells));
  PetscCall(even_out(s, s->numbers + DIAGONAL * s->cells));
  PetscCall(take_weights(s, work, &symmetric));
  PetscCall(PetscFree(work));
  if (!symmetric)
    *why = "entries are not symmetric";
  return 0;
}

/* x_c <- x_c - F_c / A_cc in rows with only a diagonal entry. */
static PetscErrorCode solve_fixed(const perp_star *s, Vec F, Vec x)
{
  const PetscScalar *f, *d, *fixed;
  PetscScalar *a;
  PetscInt n;
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(F, &f));
  PetscCall(VecGetArrayRead(s->entry[0], &d));
  PetscCall(VecGetArrayRead(s->fixed, &fixed));
  PetscCall(VecGetArray(x, &a));
  for (PetscInt c = 0; c < n; c++)
    if (fixed[c] != 0 && d[c] != 0)
      a[c] -= f[c] / d[c];
  PetscCall(VecRestoreArray(x, &a));
  PetscCall(VecRestoreArrayRead(s->fixed, &fixed));
  PetscCall(VecRestoreArrayRead(s->entry[0], &d));
  PetscCall(VecRestoreArrayRead(F, &f));
  return 0;
}

PetscErrorCode perp_star_find(SNES snes, Vec F, Vec x, perp_star **star, const char **why)
{
  PetscBool open = PETSC_FALSE;
  DMDALocalInfo in = {0};
  DM dm;
  *star = NULL;
  *why = NULL;
  PetscCall(SNESGetDM(snes, &dm));
  if (dm)
    PetscCall(perp_da_is_open(dm, &open));
  if (open)
    PetscCall(DMDAGetLocalInfo(dm, &in));
  if (in.dim < 2 || in.dof != 1 || in.sw < 1) {
    *why = "the DM is no DMDA in 2D or 3D with one number to a point and ghost points";
    return 0;
  }
  perp_star *s;
  PetscCall(PetscNew(&s));
  s->dm = dm;
  s->in = in;
  s->ways = s->in.dim == 3 ? 7 : 5;
  for (int q = 0; q < s->ways; q++) {
    PetscCall(VecDuplicate(x, &s->entry[q]));
    PetscCall(VecSet(s->entry[q], 0));
  }
  PetscCall(VecDuplicate(x, &s->fixed));
  PetscCall(probe(snes, s, x, F, why));
  if (!*why)
    PetscCall(lay_out(s, why));
  if (!*why) {
    PetscCall(solve_fixed(s, F, x));
    *star = s;
  } else
    PetscCall(perp_star_destroy(&s));
  return 0;
}

PetscErrorCode perp_star_destroy(perp_star **star)
{
  perp_star *s = *star;
  if (!s)
    return 0;
  for (int q = 0; q < s->ways; q++)
    PetscCall(VecDestroy(&s->entry[q]));
  PetscCall(VecDestroy(&s->fixed));
  PetscCall(VecDestroy(&s->part));
  PetscCall(VecScatterDestroy(&s->scatter));
  PetscCall(PetscFree(s->numbers));
  PetscCall(PetscFree(s->unknown));
  if (s->laid)
    PetscCall(perp_layout_destroy(&s->layout));
  PetscCall(PetscFree(*star));
  return 0;
}

/* ---- Solving ---- */

/* Computes b of the model F = A z + b at x: F(x) - A x, by cells of a part. */
static PetscErrorCode take_load(perp_star *s, Vec F, Vec x)
{
  Vec b, unknown;
  PetscCall(VecDuplicate(x, &unknown));
  PetscCall(VecDuplicate(x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(VecWAXPY(unknown, -1, s->fixed, b));
  PetscCall(VecPointwiseMult(unknown, unknown, x)); /* the other points are part of b */
  PetscCall(apply(s, unknown, b));
  PetscCall(VecAYPX(b, -1, F));
  PetscCall(fetch(s, b, s->numbers + LOAD * s->cells));
  PetscCall(VecDestroy(&unknown));
  PetscCall(VecDestroy(&b));
  return 0;
}

PetscErrorCode perp_star_solve(perp_star *s, const perp_mesh_options *options, Vec lo, Vec hi,
                               Vec F, Vec x, perp_mesh_result *result)
{
  double *a[ARRAYS];
  bool masked = false;
  for (int q = 0; q < ARRAYS; q++)
    a[q] = s->numbers + q * s->cells;
  PetscCall(take_load(s, F, x));
  PetscCall(fetch(s, lo, a[LOWER]));
  PetscCall(fetch(s, hi, a[UPPER]));
  PetscCall(fetch(s, x, a[X]));
  for (int64_t c = 0; c < s->cells; c++) {
    a[X][c] = options->start > 0 && s->unknown[c] ? 0 : a[X][c]; /* a cold start */
    masked = masked || !s->unknown[c];
    a[LOWER][c] = a[LOWER][c] <= PETSC_NINFINITY ? -INFINITY : a[LOWER][c];
    a[UPPER][c] = a[UPPER][c] >= PETSC_INFINITY ? INFINITY : a[UPPER][c];
  }
  const perp_mesh_data data = {.diagonal = a[DIAGONAL],
                               .w = {a[WX], a[WY], a[WZ]},
                               .unknown = masked ? s->unknown : NULL,
                               .b = a[LOAD],
                               .lo = a[LOWER],
                               .hi = a[UPPER]};
  PetscCall(perp_mesh_solve(&s->layout, &data, options, a[X], result));
  PetscCall(carry(s, x, a[X], true));
  return 0;
}
