/* small_system.h: a few rows of A, and the elimination of some of them, for small_box.c and
 * small_friction.c
 *
 * For so few rows overhead dominates the arithmetic. The rows C determine x,
 *
 *   A_CC x_C = -(b_C + A_CN x_N),   y_N = b_N + A_N x.
 *
 * A new factor is cheaper than updating one. The right-hand side z is one more column of A_CC, which
 * is eliminated row after row, so that no sum depends on the one before:
 *
 *   (U_i., z_i) <- (U_i., z_i) - f (U_p., z_p),   i > p,   f = U_pi / U_pp if A is symmetric,
 *
 * which needs only half of each row; otherwise f = U_ip / U_pp, with row exchanges if a pivot is
 * small. */
#pragma once

#include "base/elementary.h"
#include "linalg/rows.h"
#include "method/pivoting/dantzig/coupling.h"
#include "method/pivoting/small_pivots.h"

/* Up to ALONE rows of C are eliminated above the diagonal as well: the serial substitution would
 * take longer. */
enum { N = PERP_SMALL_BOX, MOST = PERP_SMALL_FRICTION, WIDTH = MOST + 4, PANEL = 4, ALONE = 10 };
enum { BEHIND = N + 4 /* the first column of L, for boxes */ };

typedef struct small {
  int n;
  perp_dense_rows A;
  const double *b;
  double slack; /* violations up to this count as zero */

  /* the system; the right-hand side is in column k, zeros follow, since all is read in fours */
  int k;     /* rows[0 .. k-1] are C, ascending */
  int plain; /* with friction, rows from here on are followed */
  int rows[MOST];
  double M[MOST * WIDTH]; /* rows WIDTH apart */
  double inverse[MOST];   /* of the pivots */

  const double *from; /* the start; NULL: 0, without a driver */
  int trials;         /* most steps that do not lower the number of wrong rows */
  signed char at[N];  /* -1: at lo, 0: in C, 1: at hi */
  double lo[N], hi[N];
  int64_t steps; /* taken */
  bool ended;    /* by the driver */

  double residual;       /* of the point */
  perp_coupling c;       /* only the members that perp_coupling_examine reads and writes */
  int follow;            /* number of rows behind C that follow */
  int columns[MOST];     /* the places in C that they follow */
  double ratio[MOST];    /* and the ratios */
  double step[MOST + 2]; /* of rows[] */
  int pressed;           /* the place in C of the first normal p as above; -1: none */
  double null[MOST];     /* its z, up to p */
} small;

typedef enum { SYMMETRIC, GENERAL, FOLLOWED } kind;

/* Computes z for place p of C, all earlier places being eliminated. */
KERNEL void find_null(small *s, int p)
{
  s->pressed = p;
  for (int r = p - 1; r >= 0; r--) {
    const double *row = s->M + r * WIDTH;
    double sum = row[p];
    for (int q = r + 1; s->k > ALONE && q < p; q++)
      sum += row[q] * s->null[q];
    s->null[r] = -sum * s->inverse[r];
  }
}

/* Returns true if a pivot of row i is positive beyond rounding. */
static inline bool is_pivot(const small *s, int i, double pivot)
{
  return pivot > 1e-13 * s->A.a[i * (s->A.stride + 1)] && pivot < INFINITY;
}

/* Sets 1 over the pivot of row p, whose row is `top`. Returns false if it is unusable. In a general
 * matrix only the sign of the determinant shows a principal minor that is not positive, so the test
 * is for a nonzero pivot. With friction a pivot that is rounding gets the inverse 0, and a negative
 * pivot, which friction can cause, is unusable. */
KERNEL bool take_pivot(small *s, kind how, int p, const double *top)
{
  const int i = s->rows[p];
  const double pivot = top[p], a = s->A.a[i * (s->A.stride + 1)];
  if (how == SYMMETRIC && !is_pivot(s, i, pivot))
    return false;
  if (how == GENERAL && !(fabs(pivot) > 1e-13 * fabs(a) && fabs(pivot) < INFINITY))
    return false;
  if (how != FOLLOWED) {
    s->inverse[p] = 1 / pivot;
    return true;
  }
  const double least = 1e-10 * a;
  if (!(pivot > least) && !(fabs(pivot) <= least && least > 0))
    return false;
  s->inverse[p] = pivot > least ? 1 / pivot : 0;
  if (s->inverse[p] == 0 && s->pressed < 0 && top[s->k] > s->slack && s->c.p->K.findex[i] < 0)
    find_null(s, p);
  return true;
}

/* Swaps the row with the largest entry in column k to place k if the row there has less than a
 * tenth of it. This is rare, so the branch is predicted well. */
KERNEL void choose_pivot(double **row, int k, int m)
{
  double most = 0;
  for (int r = k + 1; r < m; r++)
    most = fabs(row[r][k]) > most ? fabs(row[r][k]) : most;
  if (!(most > 10 * fabs(row[k][k])))
    return;
  int p = k + 1;
  while (fabs(row[p][k]) < most)
    p++;
  double *other = row[p];
  row[p] = row[k];
  row[k] = other;
}

/* Returns row r of the system; `row` has the order if rows are exchanged. */
KERNEL double *row_at(small *s, kind how, double *const *row, int r)
{
  return how == GENERAL ? row[r] : s->M + r * WIDTH;
}

/* Eliminates rows from .. to - 1 by the rows above, and if they are few also by the rows below.
 * Returns false if one has no pivot. */
KERNEL bool eliminate(small *s, kind how, double **row, int from, int to)
{
  const int k = s->k, plain = how == SYMMETRIC ? to : how == GENERAL ? 0 : s->plain;
  for (int p = from; p < to; p++) {
    if (how == GENERAL)
      choose_pivot(row, p, k);
    const double *top = row_at(s, how, row, p);
    if (!take_pivot(s, how, p, top))
      return false;
    const double inverse = s->inverse[p];
    int i = p + 1;
    for (; i < to && i < plain; i++) {
      const double f = top[i] * inverse;
      if (how == SYMMETRIC)
        s->M[i * WIDTH + BEHIND + p] = f;
      perp_row_subtract(s->M + i * WIDTH, f, top, i & ~3, k);
    }
    for (; i < to; i++) {
      double *other = row_at(s, how, row, i);
      perp_row_subtract(other, other[p] * inverse, top, (p + 1) & ~3, k);
    }
    for (i = 0; k <= ALONE && i < p; i++) {
      double *other = row_at(s, how, row, i);
      perp_row_subtract(other, other[p] * inverse, top, (p + 1) & ~3, k);
    }
  }
  return true;
}
