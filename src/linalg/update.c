/* update.c: rows added to and taken out of a Cholesky factor
 *
 * Rotations Q with Q (L^T; v^T) = (L'^T; 0) give L' L'^T = L L^T + v v^T (Gill, Golub,
 * Murray, Saunders 1974). Deleting row k leaves in the rows behind it
 *   L_33 L_33^T + l l^T,   l = column k of L below the diagonal,
 * the last block raised by l: always backward stable.
 * Rotations are kept, so that the factor is read row by row, as it lies in memory. */
#include "linalg/update.h"

#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/vector.h"

#include <assert.h>
#include <float.h>

double perp_cholesky_append(int n, double *L, int64_t ld, const double *a, double least)
{
  assert(n >= 0 && ld > n && least >= 0);
  double *row = L + n * ld;
  perp_copy(n, a, row);
  perp_lower_solve(n, L, ld, row);
  const double pivot = a[n] - perp_dot(n, row, row);
  if (pivot > least)
    row[n] = sqrt(pivot);
  return pivot;
}

/* (L_ij, v) <- (c_j L_ij + s_j v, c_j v - s_j L_ij) for j = 0 .. m-1, in each of four rows: the
 * chain through v takes the time, and four chains run side by side. */
static void rotate_four(int m, const double *restrict c, const double *restrict s,
                        double *restrict row, int64_t ld, double *restrict v)
{
  double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
  double *r0 = row, *r1 = row + ld, *r2 = row + 2 * ld, *r3 = row + 3 * ld;
  for (int j = 0; j < m; j++) {
    const double cj = c[j], sj = s[j];
    const double l0 = r0[j], l1 = r1[j], l2 = r2[j], l3 = r3[j];
    r0[j] = cj * l0 + sj * v0;
    r1[j] = cj * l1 + sj * v1;
    r2[j] = cj * l2 + sj * v2;
    r3[j] = cj * l3 + sj * v3;
    v0 = cj * v0 - sj * l0;
    v1 = cj * v1 - sj * l1;
    v2 = cj * v2 - sj * l2;
    v3 = cj * v3 - sj * l3;
  }
  v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3;
}

/* Rotations from .. i-1 in row i, then rotation i that takes (L_ii, v_i) to (r, 0). */
static void raise_row(int i, int from, double *row, const double *v, double *c, double *s)
{
  double vi = v[i];
  for (int j = from; j < i; j++) {
    const double l = row[j];
    row[j] = c[j] * l + s[j] * vi;
    vi = c[j] * vi - s[j] * l;
  }
  const double r = perp_hypot(row[i], vi), inverse = 1 / r;
  c[i] = row[i] * inverse;
  s[i] = vi * inverse;
  row[i] = r;
}

/* L L^T <- L L^T + v v^T. If `first` is given, row i of L is 0 before column first[i] - shift, and
 * v_i too if that is above 0: the rotations before that column change nothing. */
static void raise_from(int n, double *L, int64_t ld, const int *first, int shift, double *v,
                       double *work)
{
  double *c = work, *s = work + n;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    int from = first ? first[i] - shift : 0;
    for (int k = i + 1; first && k < i + 4; k++)
      from = first[k] - shift < from ? first[k] - shift : from;
    from = from < 0 ? 0 : from < i ? from : i;
    rotate_four(i - from, c + from, s + from, L + i * ld + from, ld, v + i);
    for (int k = i; k < i + 4; k++)
      raise_row(k, i, L + k * ld, v, c, s);
  }
  for (; i < n; i++) {
    const int from = first && first[i] > shift ? first[i] - shift : 0;
    raise_row(i, from < i ? from : i, L + i * ld, v, c, s);
  }
}

void perp_cholesky_delete(int n, double *L, int64_t ld, int k, int *first, double *work)
{
  assert(0 <= k && k < n);
  const int behind = n - 1 - k;
  double *v = work;
  for (int i = 0; i < behind; i++) {
    const double *old = L + (k + 1 + i) * ld;
    double *row = L + (k + i) * ld;
    v[i] = old[k];
    int from = 0; /* neither the old row nor the new one has a nonzero before that */
    if (first) {
      const int next = first[k + 1 + i] > k ? first[k + 1 + i] - 1 : first[k + 1 + i];
      from = next < first[k + i] ? next : first[k + i];
      first[k + i] = next;
    }
    perp_copy(k - from, old + from, row + from);
    from = from > k ? from : k;
    perp_copy(k + i + 1 - from, old + from + 1, row + from);
  }
  raise_from(behind, L + k * ld + k, ld, first ? first + k : NULL, k, v, work + n);
}
