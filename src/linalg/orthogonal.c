/* orthogonal.c: the pseudo-inverse of a dense square matrix of any rank
 *
 * Columns are contiguous. A reflection I - s v v^T is stored as v below the diagonal and s
 * separately; the diagonal of R, or T, is stored separately too, since v begins there. */
#include "linalg/dense.h"

#include "linalg/vector.h"

/* Makes v, of `count` numbers, the reflection that maps it to (corner, 0, ...). */
static void reflect(int count, double *v, double *scale, double *corner)
{
  const double norm = perp_norm2(count, v);
  if (!(norm > 0)) {
    *scale = *corner = 0;
    return;
  }
  *corner = v[0] > 0 ? -norm : norm; /* v_0 - corner does not cancel */
  v[0] -= *corner;
  /* 2 / |v|^2, with v scaled to length about 1, so that squares neither overflow nor vanish */
  perp_multiply(count, 1 / norm, v);
  *scale = 2 / perp_dot(count, v, v);
}

static void apply(int count, const double *v, double scale, double *x)
{
  if (scale != 0)
    perp_axpy(count, -scale * perp_dot(count, v, x), v, x);
}

/* Computes the reflections of Q, the longest remaining column first (Businger, Golub 1965). */
static void factor_columns(perp_orthogonal *f, double tol)
{
  const int m = f->m;
  double first = 0;
  f->rank = m;
  for (int k = 0; k < m; k++) {
    int best = k;
    double most = -1;
    for (int j = k; j < m; j++) {
      const double norm = perp_norm2(m - k, f->Q + (int64_t)j * m + k);
      if (norm > most) {
        most = norm;
        best = j;
      }
    }
    first = k == 0 ? most : first;
    if (!(most > tol * first)) {
      f->rank = k;
      return;
    }
    double *column = f->Q + (int64_t)k * m;
    perp_swap(m, column, f->Q + (int64_t)best * m);
    const int t = f->order[k];
    f->order[k] = f->order[best];
    f->order[best] = t;
    reflect(m - k, column + k, f->scale + k, f->corner + k);
    for (int j = k + 1; j < m; j++)
      apply(m - k, column + k, f->scale[k], f->Q + (int64_t)j * m + k);
  }
}

void perp_orthogonal_factor(perp_orthogonal *f, int m, const double *B, double tol)
{
  f->m = m;
  for (int j = 0; j < m; j++) {
    f->order[j] = j;
    for (int i = 0; i < m; i++)
      f->Q[(int64_t)j * m + i] = B[(int64_t)i * m + j];
  }
  factor_columns(f, tol);
  /* row k of [R11 R12] as column k of Z, and its reflections */
  for (int k = 0; k < f->rank; k++) {
    double *column = f->Z + (int64_t)k * m;
    for (int j = 0; j < m; j++)
      column[j] = j < k ? 0 : j == k ? f->corner[k] : f->Q[(int64_t)j * m + k];
    for (int l = 0; l < k; l++)
      apply(m - l, f->Z + (int64_t)l * m + l, f->scale[m + l], column + l);
    reflect(m - k, column + k, f->scale + m + k, f->corner + m + k);
  }
}

/* x <- Q x or Z x, and their transposes, by `rank` reflections. */
static void rotate(const perp_orthogonal *f, const double *V, const double *scale, double *x)
{
  for (int k = f->rank - 1; k >= 0; k--)
    apply(f->m - k, V + (int64_t)k * f->m + k, scale[k], x + k);
}

static void rotate_t(const perp_orthogonal *f, const double *V, const double *scale, double *x)
{
  for (int k = 0; k < f->rank; k++)
    apply(f->m - k, V + (int64_t)k * f->m + k, scale[k], x + k);
}

void perp_orthogonal_solve(const perp_orthogonal *f, double *x, double *work)
{
  const int m = f->m, rank = f->rank;
  perp_copy(m, x, work);
  rotate_t(f, f->Q, f->scale, work);
  /* T^T s = t; column k of T is the front of column k of Z */
  for (int k = 0; k < rank; k++) {
    const double *T = f->Z + (int64_t)k * m;
    work[k] = (work[k] - perp_dot(k, T, work)) / f->corner[m + k];
  }
  for (int k = rank; k < m; k++)
    work[k] = 0;
  rotate(f, f->Z, f->scale + m, work);
  for (int k = 0; k < m; k++)
    x[f->order[k]] = work[k];
}

void perp_orthogonal_solve_t(const perp_orthogonal *f, double *x, double *work)
{
  const int m = f->m, rank = f->rank;
  for (int k = 0; k < m; k++)
    work[k] = x[f->order[k]];
  rotate_t(f, f->Z, f->scale + m, work);
  /* T s = t */
  for (int k = rank - 1; k >= 0; k--) {
    work[k] /= f->corner[m + k];
    perp_axpy(k, -work[k], f->Z + (int64_t)k * m, work);
  }
  for (int k = rank; k < m; k++)
    work[k] = 0;
  rotate(f, f->Q, f->scale, work);
  perp_copy(m, work, x);
}
