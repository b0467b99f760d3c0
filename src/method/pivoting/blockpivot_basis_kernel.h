/* blockpivot_basis_kernel.h: one basis of blockpivot_kernel.h: its rows, its factor, its residual
 *
 * The factor. The right-hand side z is one more column of A_FF, and rows are eliminated from the
 * top:
 *
 *   A symmetric: the upper half U = D L^T, packed, U_ij <- U_ij - (U_pi / U_pp) U_pj, p < i <= j;
 *   else the whole matrix, with row exchanges.
 *
 * Each entry is computed from the same numbers in the same order for any number of lanes. Two rows
 * are eliminated at a time, between two barriers: each lane computes the effect of the first on the
 * second for the columns that it needs. If x does not meet the target, it is corrected by
 * x_F <- x_F - A_FF^-1 y_F with the current factor (symmetric A) and the y of the judge. */
#pragma once

#include "device/device.h"
#include "device/job.h"
#include "device/values.h"

#include <float.h>
#include <math.h>

extern const perp_kernel perp_kernel_blockpivot; /* a batch of perp_job (blockpivot.c) */

enum { PERP_PIVOT_VECTORS = 5, PERP_PIVOT_LISTS = 3, PERP_PIVOT_REFINEMENTS = 3 };

/* One problem, and the team's memory for it. */
typedef struct perp_pivot {
  int n;
  int64_t lead;
  int room; /* rows of memory for the factor */
  const double *A, *b, *lo, *hi;
  double slack; /* violations up to this count as zero */
  int m;        /* rows in F */
  double *U, *z, *x, *y, *diagonal, *inverse;
  int *F, *at; /* F ascending; at: -1 at lo, 0 in F, 1 at hi */
  int *list;   /* rows with nonzero x; in an elimination with exchanges, the order of rows */
} perp_pivot;

/* Returns the rows of a factor for which the first kernel has room, in problems of up to n rows.
 * Most bases have far fewer than n, and with less memory per team more teams fit into a
 * multiprocessor. The shares were measured on an H200. */
static inline int perp_pivot_room(int n)
{
  return n <= 32 ? n : n < PERP_JOB_ROWS ? n * 4 / 5 : PERP_JOB_ROWS * 3 / 4;
}

/* Returns the bytes of a team for problems of up to n rows, with factors of up to `room` rows. */
static inline size_t perp_pivot_bytes(int n, int room, bool symmetric)
{
  const size_t rows = (size_t)n, side = (size_t)room;
  const size_t matrix = symmetric ? side * (side + 1) / 2 + side : side * (side + 1);
  return (matrix + PERP_PIVOT_VECTORS * rows) * sizeof(double) +
         (PERP_PIVOT_LISTS * rows + 1) / 2 * 2 * sizeof(int);
}

TEAM void pivot_share(perp_pivot *s, double *memory, bool symmetric)
{
  const int n = s->n, room = s->room;
  s->U = memory;
  s->z = s->U + (symmetric ? room * (room + 1) / 2 + room : room * (room + 1));
  s->x = s->z + n;
  s->y = s->x + n;
  s->diagonal = s->y + n;
  s->inverse = s->diagonal + n;
  s->F = (int *)(void *)(s->inverse + n);
  s->at = s->F + n;
  s->list = s->at + n;
}

/* ---- Data ---- */

TEAM double pivot_entry(const perp_pivot *s, int i, int j)
{
  return s->A[i * s->lead + j];
}

/* Returns the first fault of A and determines if A is symmetric. Reads tiles of 4 x 8, one for each
 * group of up to 32 lanes, so that rows and columns of a tile fill whole sectors of memory; a tile
 * right of the diagonal is compared with its mirror image. */
TEAM int64_t pivot_check_matrix(perp_team t, const perp_pivot *s, bool *symmetric)
{
  const int n = s->n, width = t.lanes < 32 ? t.lanes : 32, groups = t.lanes / width;
  int64_t fault = INT64_MAX;
  bool skew = false;
  int turn = 0;
  TEAM_SHORT
  for (int top = 0; top < n; top += 4) {
    TEAM_SHORT
    for (int left = 0; left <= top + 3 && left < n; left += 8) {
      if (turn++ % groups != t.lane / width)
        continue;
      TEAM_SHORT
      for (int k = t.lane % width; k < 32; k += width) {
        const int i = top + k / 8, j = left + k % 8;
        if (i >= n || j >= n)
          continue;
        const double a = pivot_entry(s, i, j), mirrored = pivot_entry(s, j, i);
        skew |= a != mirrored; /* so is NaN */
        if (!perp_value_is_finite(a))
          fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_A, i * n + j));
        if (!perp_value_is_finite(mirrored))
          fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_A, j * n + i));
      }
    }
  }
  *symmetric = perp_team_vote(t, skew).count == 0;
  return fault;
}

TEAM int64_t pivot_check_vectors(perp_team t, const perp_pivot *s, const double *x)
{
  int64_t fault = INT64_MAX;
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    const double lo = perp_value_lo(s->lo, i), hi = perp_value_hi(s->hi, i);
    if (!perp_value_is_finite(s->b[i]))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_B, i));
    if (!(lo <= hi && lo < HUGE_VAL && hi > -HUGE_VAL))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_BOUNDS, i));
    if (!perp_value_is_finite(x[i]))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_START, i));
  }
  return fault;
}

/* ---- A basis ---- */

/* Lists F, ascending, and sets m. */
TEAM void pivot_list(perp_team t, perp_pivot *s)
{
  int m = 0;
  TEAM_SHORT
  for (int from = 0; from < s->n; from += t.lanes) {
    const int i = from + t.lane;
    const bool in = i < s->n && s->at[i] == 0;
    const perp_vote v = perp_team_vote(t, in);
    if (in)
      s->F[m + v.before] = i;
    m += v.count;
  }
  s->m = m;
  perp_team_sync(t);
}

/* Sets the basis that x suggests; at a cold start every row that has a bound is at the nearer one.
 * Returns true if x is the x of the basis. */
TEAM bool pivot_begin(perp_team t, perp_pivot *s)
{
  bool warm = false;
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    warm |= s->x[i] != 0;
  warm = perp_team_vote(t, warm).count > 0;
  const bool plain = !s->lo && !s->hi;
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    const double lo = perp_value_lo(s->lo, i), hi = perp_value_hi(s->hi, i), x = s->x[i];
    int at = x <= lo ? -1 : x >= hi ? 1 : 0;
    if (!warm && !plain && (lo > -HUGE_VAL || hi < HUGE_VAL))
      at = fabs(lo) <= fabs(hi) ? -1 : 1;
    s->at[i] = at;
  }
  perp_team_sync(t);
  return plain && !warm;
}

/* list <- the rows with nonzero x. Returns their number. */
TEAM int pivot_nonzeros(perp_team t, perp_pivot *s)
{
  int count = 0;
  TEAM_SHORT
  for (int from = 0; from < s->n; from += t.lanes) {
    const int i = from + t.lane;
    const bool in = i < s->n && s->x[i] != 0;
    const perp_vote v = perp_team_vote(t, in);
    if (in)
      s->list[count + v.before] = i;
    count += v.count;
  }
  perp_team_sync(t);
  return count;
}

/* start + sum_j A_ij x_j over the rows of a list. A column of a symmetric A is a row, so
 * neighbouring lanes read neighbouring memory. */
TEAM double pivot_product(const perp_pivot *s, int i, const int *list, int count, double start,
                          bool symmetric)
{
  double sum = start;
  TEAM_LONG
  for (int k = 0; k < count; k++) {
    const int j = list[k];
    sum += (symmetric ? pivot_entry(s, j, i) : pivot_entry(s, i, j)) * s->x[j];
  }
  return sum;
}

/* y <- A x + b */
TEAM void pivot_gradient(perp_team t, perp_pivot *s, const int *list, int count, bool symmetric)
{
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    s->y[i] = pivot_product(s, i, list, count, s->b[i], symmetric);
  perp_team_sync(t);
}

/* Row r of the packed upper half: U_rc is element c of it, c = r .. m. */
TEAM double *pivot_row(const perp_pivot *s, int r)
{
  return s->U + (r * s->m - r * (r - 1) / 2);
}

/* z <- L^-T D^-1 z, from the last row up, two at a time. */
TEAM void pivot_substitute(perp_team t, perp_pivot *s)
{
  TEAM_SHORT
  for (int r = t.lane; r < s->m; r += t.lanes)
    s->z[r] *= s->inverse[r];
  perp_team_sync(t);
  int r = s->m - 1;
  TEAM_SHORT
  for (; r > 0; r -= 2) {
    const double last = s->z[r];
    const double next = s->z[r - 1] - pivot_row(s, r - 1)[r] * s->inverse[r - 1] * last;
    TEAM_SHORT
    for (int c = t.lane; c < r - 1; c += t.lanes) {
      const double *U = pivot_row(s, c), inverse = s->inverse[c];
      s->z[c] = (s->z[c] - U[r] * inverse * last) - U[r - 1] * inverse * next;
    }
    perp_team_sync(t);
    if (t.lane == 0)
      s->z[r - 1] = next; /* not read before the end */
  }
  perp_team_sync(t);
}

/* z <- A_FF^-1 z with the current factor, for another right-hand side. */
TEAM void pivot_solve_again(perp_team t, perp_pivot *s)
{
  for (int p = 0; p < s->m; p++) {
    const double *top = pivot_row(s, p), f = s->z[p] * s->inverse[p];
    for (int i = p + 1 + t.lane; i < s->m; i += t.lanes)
      s->z[i] -= f * top[i];
    perp_team_sync(t);
  }
  pivot_substitute(t, s);
}

/* Returns true if the pivot of the p-th row of F is positive beyond rounding. */
TEAM bool pivot_is_good(const perp_pivot *s, int p, double pivot)
{
  return pivot > 1e-13 * s->diagonal[p] && pivot < HUGE_VAL;
}

/* z <- A_FF^-1 z. Returns the place in F of the first pivot that is not positive beyond rounding,
 * or -1. */
TEAM int pivot_solve_symmetric(perp_team t, perp_pivot *s)
{
  const int m = s->m;
  TEAM_SHORT
  for (int r = t.row; r < m; r += t.rows) {
    double *U = pivot_row(s, r);
    const double *a = s->A + s->F[r] * s->lead;
    TEAM_TWICE
    for (int c = r + t.column; c < m; c += t.columns)
      U[c] = a[s->F[c]];
    if (t.column == 0) {
      U[m] = s->z[r];
      s->diagonal[r] = a[s->F[r]];
    }
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int p = 0; p + 1 < m; p += 2) {
    const double *top = pivot_row(s, p), pivot = top[p];
    double *next = pivot_row(s, p + 1);
    if (!pivot_is_good(s, p, pivot))
      return p;
    const double inverse = 1 / pivot, c = top[p + 1] * inverse;
    const double second = next[p + 1] - c * top[p + 1];
    if (!pivot_is_good(s, p + 1, second))
      return p + 1;
    const double second_inverse = 1 / second;
    TEAM_SHORT
    for (int i = p + 2 + t.row; i < m; i += t.rows) {
      double *U = pivot_row(s, i);
      const double f = top[i] * inverse, g = (next[i] - c * top[i]) * second_inverse;
      TEAM_TWICE
      for (int j = i + t.column; j <= m; j += t.columns)
        U[j] = (U[j] - f * top[j]) - g * (next[j] - c * top[j]);
    }
    perp_team_sync(t);
    if (t.lane == 0) {
      s->inverse[p] = inverse;
      s->inverse[p + 1] = second_inverse;
    }
    TEAM_SHORT
    for (int j = p + 1 + t.lane; j <= m; j += t.lanes)
      next[j] -= c * top[j]; /* not read before the substitution */
  }
  if (m % 2 == 1) {
    const double pivot = pivot_row(s, m - 1)[m - 1];
    if (!pivot_is_good(s, m - 1, pivot))
      return m - 1;
    if (t.lane == 0)
      s->inverse[m - 1] = 1 / pivot;
  }
  perp_team_sync(t);
  for (int r = t.lane; r < m; r += t.lanes)
    s->z[r] = pivot_row(s, r)[m];
  perp_team_sync(t);
  pivot_substitute(t, s);
  return -1;
}

/* z <- A_FF^-1 z for any A, by elimination with row exchanges. Returns the place of the first zero
 * pivot, or -1. */
TEAM int pivot_solve_general(perp_team t, perp_pivot *s)
{
  const int m = s->m, width = m + 1;
  TEAM_SHORT
  for (int r = t.row; r < m; r += t.rows) {
    for (int c = t.column; c < m; c += t.columns)
      s->U[r * width + c] = pivot_entry(s, s->F[r], s->F[c]);
    if (t.column == 0) {
      s->U[r * width + m] = s->z[r];
      s->list[r] = r;
      s->diagonal[r] = fabs(pivot_entry(s, s->F[r], s->F[r]));
    }
  }
  perp_team_sync(t);
  for (int p = 0; p < m; p++) {
    double most = 0;
    for (int r = p + t.lane; r < m; r += t.lanes)
      most = perp_value_greater(most, fabs(s->U[s->list[r] * width + p]));
    most = perp_team_max(t, most);
    if (!(most > 1e-13 * s->diagonal[p] && most < HUGE_VAL))
      return p;
    int64_t best = m;
    for (int r = p + t.lane; r < m; r += t.lanes)
      if (fabs(s->U[s->list[r] * width + p]) == most)
        best = perp_value_least(best, r);
    best = perp_team_least(t, best);
    if (t.lane == 0 && best != p) {
      const int other = s->list[p];
      s->list[p] = s->list[best];
      s->list[best] = other;
    }
    perp_team_sync(t);
    const double *top = s->U + s->list[p] * width, inverse = 1 / top[p];
    if (t.lane == 0)
      s->inverse[p] = inverse;
    for (int r = p + 1 + t.row; r < m; r += t.rows) {
      double *U = s->U + s->list[r] * width;
      const double f = U[p] * inverse;
      for (int c = p + 1 + t.column; c <= m; c += t.columns)
        U[c] -= f * top[c];
    }
    perp_team_sync(t);
  }
  for (int r = t.lane; r < m; r += t.lanes)
    s->z[r] = s->U[s->list[r] * width + m] * s->inverse[r];
  perp_team_sync(t);
  for (int r = m - 1; r > 0; r--) {
    const double z = s->z[r];
    for (int c = t.lane; c < r; c += t.lanes)
      s->z[c] -= s->U[s->list[c] * width + r] * s->inverse[c] * z;
    perp_team_sync(t);
  }
  return -1;
}

enum { PIVOT_FINE = -1, PIVOT_CROWDED = -2 };

/* Computes x and y of the basis. Returns the row of a bad pivot, or one of the codes above. */
TEAM int pivot_evaluate(perp_team t, perp_pivot *s, bool symmetric)
{
  const bool plain = !s->lo && !s->hi;
  pivot_list(t, s);
  if (s->m > s->room)
    return PIVOT_CROWDED;
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    const int at = s->at[i];
    s->x[i] = at < 0 ? perp_value_lo(s->lo, i) : at > 0 ? perp_value_hi(s->hi, i) : 0;
  }
  perp_team_sync(t);
  const int fixed = plain ? 0 : pivot_nonzeros(t, s); /* x_F is 0 so far */
  TEAM_SHORT
  for (int r = t.lane; r < s->m; r += t.lanes) {
    const int i = s->F[r];
    s->z[r] = -pivot_product(s, i, s->list, fixed, s->b[i], symmetric);
  }
  perp_team_sync(t);
  const int failed = symmetric ? pivot_solve_symmetric(t, s) : pivot_solve_general(t, s);
  if (failed >= 0)
    return s->F[failed];
  TEAM_SHORT
  for (int r = t.lane; r < s->m; r += t.lanes)
    s->x[s->F[r]] = s->z[r];
  perp_team_sync(t);
  const int count = plain ? s->m : pivot_nonzeros(t, s);
  pivot_gradient(t, s, plain ? s->F : s->list, count, symmetric);
  return PIVOT_FINE;
}

/* x_F <- x_F - A_FF^-1 y_F */
TEAM void pivot_refine(perp_team t, perp_pivot *s)
{
  TEAM_SHORT
  for (int r = t.lane; r < s->m; r += t.lanes)
    s->z[r] = -s->y[s->F[r]];
  perp_team_sync(t);
  pivot_solve_again(t, s);
  TEAM_SHORT
  for (int r = t.lane; r < s->m; r += t.lanes)
    s->x[s->F[r]] += s->z[r];
  perp_team_sync(t);
}

/* Returns the place where row i should be; its present place if it is right. An error of x_i counts
 * as an error of A_ii x_i if that is stricter. */
TEAM int pivot_right_place(const perp_pivot *s, int i)
{
  const double lo = perp_value_lo(s->lo, i), hi = perp_value_hi(s->hi, i), x = s->x[i], y = s->y[i];
  const int at = s->at[i];
  if (at == 0) {
    if (x >= lo && x <= hi)
      return 0;
    const double a = fabs(pivot_entry(s, i, i)), slack = a > 1 ? s->slack / a : s->slack;
    return x < lo - slack ? -1 : x > hi + slack ? 1 : 0;
  }
  return lo < hi && (at < 0 ? y < -s->slack : y > s->slack) ? 0 : at;
}

/* Returns the number of wrong rows; list <- the right place of each row. */
TEAM int pivot_count_wrong(perp_team t, perp_pivot *s)
{
  int wrong = 0;
  TEAM_SHORT
  for (int from = 0; from < s->n; from += t.lanes) {
    const int i = from + t.lane;
    const int to = i < s->n ? pivot_right_place(s, i) : 0;
    if (i < s->n)
      s->list[i] = to;
    wrong += perp_team_vote(t, i < s->n && to != s->at[i]).count;
  }
  perp_team_sync(t);
  return wrong;
}

/* Moves the wrong rows to their right places, or with `single` only the first. */
TEAM void pivot_exchange(perp_team t, perp_pivot *s, bool single)
{
  bool on = true;
  TEAM_SHORT
  for (int from = 0; from < s->n && on; from += t.lanes) {
    const int i = from + t.lane;
    const bool wrong = i < s->n && s->list[i] != s->at[i];
    const int first = single ? perp_team_vote(t, wrong).first : t.lanes;
    if (wrong && (!single || t.lane == first))
      s->at[i] = s->list[i];
    on = !single || first == t.lanes;
  }
  perp_team_sync(t);
}

/* max |mid(x - hi, y, x - lo)|; infinity if a number is not finite */
TEAM double pivot_residual(perp_team t, const perp_pivot *s)
{
  double worst = 0;
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    const double x = s->x[i], below = x - perp_value_lo(s->lo, i),
                 above = x - perp_value_hi(s->hi, i);
    worst = perp_value_greater(worst, perp_natural_row(x, s->y[i], below, above));
  }
  return perp_team_max(t, worst);
}

/* Returns the residual of the verdict: y = A x + b summed in twice the precision (Dekker 1971),
 * from the given data. */
TEAM double pivot_judge(perp_team t, perp_pivot *s, bool symmetric)
{
  const int count = pivot_nonzeros(t, s);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    double high = s->b[i], low = 0;
    TEAM_LONG
    for (int k = 0; k < count; k++) {
      const int j = s->list[k];
      perp_twice_add(symmetric ? pivot_entry(s, j, i) : pivot_entry(s, i, j), s->x[j], &high, &low);
    }
    s->y[i] = high + low;
  }
  perp_team_sync(t);
  return pivot_residual(t, s);
}
