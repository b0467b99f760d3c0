/* tridiagonal.c: the basis of a tridiagonal M-matrix, in passes over the rows
 *
 * For an M-matrix the solution of 0 <= x _|_ A x + b >= 0 is the least x >= 0 with A x + b >= 0. So
 * if F holds only rows that are basic in the solution, x with A_FF x_F = -b_F, x_N = 0 lies below
 * it, and the rows with y_i = (A x + b)_i < 0 are basic in the solution too (Chandrasekaran 1970).
 * A block step adds only the rows next to F; if the free boundary is far away, the number of steps
 * is the number of rows.
 *
 * For a tridiagonal matrix one pass can move the boundary far. A pass from the left eliminates,
 *
 *   p_i = d_i - l_i u_i-1 / p_i-1,   r_i = -b_i - l_i r_i-1 / p_i-1,   x_i-1 = r_i-1 / p_i-1
 *
 * so that y_i of the next row is known at once, with x_i+1 from the pass before, which is a lower
 * bound: rows join while that is negative. Passes from the left and from the right alternate until
 * none joins (after Cryer 1983, who does it in one pass and with steps back). One pass takes 12
 * flops a row. */
#include "linalg/vector.h"
#include "method/pivoting/exchange.h"

#include <float.h>

enum { L, D, U, WIDTH };

/* A in three columns of e->band.entries. Returns false if A is not tridiagonal with the signs of an
 * M-matrix, or if there are upper bounds. */
static bool load(perp_exchange *e)
{
  const perp_sparse *A = &e->band.A;
  double *T = e->band.entries;
  if (e->band.below != 1 || e->band.above != 1)
    return false;
  for (int i = 0; i < e->n; i++) {
    double *t = T + (size_t)WIDTH * (size_t)i;
    t[L] = t[D] = t[U] = 0;
    for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
      t[A->column[k] - i + D] = A->value[k];
    if (!(t[L] <= 0 && t[D] > 0 && t[U] <= 0) || isinf(e->lo[i]) || isfinite(e->hi[i]))
      return false;
  }
  return true;
}

/* Makes one pass, to the right (to = 1) or to the left (-1). x in e->ray is the distance from lo, b
 * is e->y there. Returns the number of rows that join, -1 if a pivot is not positive. */
static int pass(perp_exchange *e, int to)
{
  const double *T = e->band.entries, *b = e->y;
  double *p = e->band.pivot, *r = e->step, *x = e->ray; /* p: reciprocals */
  const int first = to > 0 ? 0 : e->n - 1, end = to > 0 ? e->n : -1;
  int joined = 0;
  bool goes_on = false; /* the row before is basic */
  for (int i = first; i != end; i += to) {
    const double *t = T + (size_t)WIDTH * (size_t)i;
    if (e->place[i] != PERP_BASIC) {
      double y = b[i];
      if (goes_on)
        y += t[D - to] * r[i - to] * p[i - to];
      if (i + to != end)
        y += t[D + to] * x[i + to];
      if (y >= -e->slack || e->lo[i] >= e->hi[i]) {
        goes_on = false;
        continue;
      }
      perp_exchange_put(e, i, PERP_BASIC);
      joined++;
    }
    double pivot = t[D];
    r[i] = -b[i];
    if (goes_on) {
      const double m = t[D - to] * p[i - to];
      pivot -= m * T[WIDTH * (ptrdiff_t)(i - to) + D + to];
      r[i] -= m * r[i - to];
    }
    if (!(pivot > 4 * DBL_EPSILON * t[D]))
      return -1;
    p[i] = 1 / pivot;
    goes_on = true;
  }
  double ahead = 0;
  for (int i = end - to; i != first - to; i -= to) {
    const double *t = T + (size_t)WIDTH * (size_t)i;
    ahead = x[i] = e->place[i] == PERP_BASIC ? (r[i] - t[D + to] * ahead) * p[i] : 0;
  }
  return joined;
}

void perp_exchange_grow(perp_exchange *e)
{
  enum { PASSES = 40 };
  if (!load(e))
    return;
  perp_fill(e->n, 0, e->ray);
  int to = 1, idle = 0;
  for (int k = 0; k < PASSES && idle < 2 && !perp_run_expired(e->run); k++, to = -to) {
    const int joined = pass(e, to);
    if (joined < 0)
      return;
    e->run->count.pivots += joined;
    idle = joined > 0 ? 0 : idle + 1;
  }
}
