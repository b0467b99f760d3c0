/* face.c: the polyhedron of solutions on one singular basis, by the simplex method
 *
 * In standard form with slacks s and artificial variables a,
 *
 *   E z + a = e,   G z - s + a = -g,   z, s, a >= 0,
 *
 * phase 1 lowers sum a to zero or finds the polyhedron empty. Then each z_j and each s_i is raised
 * as far as it goes: the mean of these points has z_j > 0 and s_i > 0 if any point has. If all
 * these points are the same point p, only points with z <= p are left, so sum z is lowered at the
 * end: if that changes nothing either, p is the only point. Bland's rule (1977), at most 20
 * rows. */
#include "method/pivoting/enumerate/face.h"

#include "base/elementary.h"
#include "linalg/vector.h"

enum { MOST_PIVOTS = 5000 };

static const double TINY = 1e-9;

/* rows + 1 lines of `width` numbers: the constraints with the right-hand side last, then the cost
 * row of what is minimised. */
typedef struct tableau {
  int rows, d, width, usable; /* columns that may enter: z and s, artificial ones come behind */
  double *a;
  int *basis;
} tableau;

static double *line(const tableau *t, int i)
{
  return t->a + (long)i * t->width;
}

static double rhs(const tableau *t, int i)
{
  return line(t, i)[t->width - 1];
}

static void pivot(tableau *t, int row, int column)
{
  double *p = line(t, row);
  perp_multiply(t->width, 1 / p[column], p);
  for (int i = 0; i <= t->rows; i++)
    if (i != row && line(t, i)[column] != 0)
      perp_axpy(t->width, -line(t, i)[column], p, line(t, i));
  t->basis[row] = column;
}

/* Minimises the cost row; false if it has no lower bound; *column is then that of the ray. */
static bool minimise(tableau *t, int *column)
{
  for (int step = 0; step < MOST_PIVOTS; step++) {
    int enter = 0, leave = -1;
    while (enter < t->usable && line(t, t->rows)[enter] >= -TINY)
      enter++;
    if (enter == t->usable)
      return true;
    double least = INFINITY;
    for (int i = 0; i < t->rows; i++) {
      const double a = line(t, i)[enter];
      if (a <= TINY)
        continue;
      const double ratio = rhs(t, i) / a;
      if (ratio < least - 1e-12 ||
          (ratio < least + 1e-12 && (leave < 0 || t->basis[i] < t->basis[leave]))) {
        least = perp_min(least, ratio);
        leave = i;
      }
    }
    if (leave < 0) {
      *column = enter;
      return false;
    }
    pivot(t, leave, enter);
  }
  return true;
}

/* The cost row of -variable, or of sum z for variable < 0, in terms of the nonbasic variables. */
static void set_cost(tableau *t, int variable)
{
  double *c = line(t, t->rows);
  perp_fill(t->width, 0, c);
  if (variable >= 0)
    c[variable] = -1;
  else
    perp_fill(t->d, 1, c);
  for (int i = 0; i < t->rows; i++)
    if (c[t->basis[i]] != 0)
      perp_axpy(t->width, -c[t->basis[i]], line(t, i), c);
}

/* z of the basis, plus `along` times the ray that raises `column` by 1. */
static void point(const tableau *t, int column, double along, double *z)
{
  perp_fill(t->d, 0, z);
  for (int i = 0; i < t->rows; i++)
    if (t->basis[i] < t->d)
      z[t->basis[i]] = rhs(t, i) - (along > 0 ? along * line(t, i)[column] : 0);
  if (along > 0 && column < t->d)
    z[column] = along;
}

/* The tableau with right-hand sides >= 0; the cost row is sum a. */
static void set_up(tableau *t, const double *T, int ld, const bool *equal)
{
  const int slack = t->d, artificial = t->d + t->rows;
  perp_fill((long)(t->rows + 1) * t->width, 0, t->a);
  for (int i = 0; i < t->rows; i++) {
    const double *row = T + (long)i * ld;
    const double right = equal[i] ? row[t->d] : -row[t->d], sign = right < 0 ? -1 : 1;
    double *a = line(t, i);
    for (int j = 0; j < t->d; j++)
      a[j] = sign * row[j];
    if (!equal[i])
      a[slack + i] = -sign;
    a[t->width - 1] = sign * right;
    if (!equal[i] && sign < 0) {
      t->basis[i] = slack + i;
    } else {
      a[artificial + i] = 1;
      t->basis[i] = artificial + i;
      perp_axpy(t->width, -1, a, line(t, t->rows));
      line(t, t->rows)[artificial + i] = 0;
    }
  }
}

/* Artificial variables that are basic at zero leave the basis if another variable can replace
 * them. */
static void drive_out(tableau *t)
{
  for (int i = 0; i < t->rows; i++)
    for (int j = 0; j < t->usable && t->basis[i] >= t->usable; j++)
      if (fabs(line(t, i)[j]) > 1e-7)
        pivot(t, i, j);
}

int perp_face_work(int rows, int d)
{
  return (rows + 1) * (d + 2 * rows + 1) + 2 * d;
}

perp_face perp_face_examine(int rows, int d, const double *T, int ld, const bool *equal, double *z,
                            double *work, int *basis)
{
  tableau t = {rows, d, d + 2 * rows + 1, d + rows, work, basis};
  double *here = work + (long)(rows + 1) * t.width, *first = here + d;
  int column = 0, points = 0;
  set_up(&t, T, ld, equal);
  minimise(&t, &column);
  if (-rhs(&t, rows) > 1e-8)
    return PERP_FACE_EMPTY;
  drive_out(&t);

  bool many = false;
  perp_fill(d, 0, z);
  for (int variable = t.usable - 1; variable >= -1; variable--) {
    if (variable >= d && equal[variable - d])
      continue;
    set_cost(&t, variable);
    const bool bounded = minimise(&t, &column);
    point(&t, column, bounded ? 0 : 1, here);
    if (points++ == 0)
      perp_copy(d, here, first);
    many = many || !bounded || perp_distance_inf(d, here, first) > 1e-7;
    perp_axpy(d, 1, here, z);
  }
  perp_multiply(d, 1.0 / points, z);
  return many ? PERP_FACE_MANY : PERP_FACE_POINT;
}
