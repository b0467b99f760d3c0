/* band.c: LU without exchanges inside a band
 *
 * Row t of the factor has below + 1 + above places, column j of A_SS is in place j - t + below:
 *
 *   l_tk = u_tk / u_kk,   u_tj <- u_tj - l_tk u_kj    for k = t - below, ..., t - 1, j > k
 *
 * Flops: 2 below above for each row; a solve takes 2 (below + above). */
#include "linalg/band.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

bool perp_band_is_narrow(const perp_sparse *A, int most, int *below, int *above)
{
  *below = *above = 0;
  for (int i = 0; i < A->n && *below <= most && *above <= most; i++) {
    if (A->start[i] == A->start[i + 1])
      continue;
    const int left = i - A->column[A->start[i]], right = A->column[A->start[i + 1] - 1] - i;
    *below = left > *below ? left : *below;
    *above = right > *above ? right : *above;
  }
  return *below <= most && *above <= most;
}

bool perp_band_create(perp_band *f, const perp_sparse *A, int below, int above, perp_arena *arena)
{
  *f = (perp_band){.below = below, .above = above, .A = *A};
  const size_t n = (size_t)A->n, width = (size_t)(below + 1 + above);
  return PERP_TAKE(arena, PERP_ARRAY(f->position, n), PERP_ARRAY(f->pivot, n),
                   PERP_ARRAY(f->entries, n * width));
}

/* Loads row t of A_SS + diag(d_S). Returns its entry on the diagonal. */
static double load_row(const perp_band *f, int t, int i, double d, double *row)
{
  const perp_sparse *A = &f->A;
  for (int k = 0; k <= f->below + f->above; k++)
    row[k] = 0;
  for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
    const int s = f->position[A->column[k]];
    if (s >= 0)
      row[s - t + f->below] = A->value[k];
  }
  return row[f->below] += d;
}

int perp_band_factorise(perp_band *f, int m, const int *S, const double *d)
{
  const int below = f->below, above = f->above;
  const ptrdiff_t width = below + 1 + above;
  for (int i = 0; i < f->A.n; i++)
    f->position[i] = -1;
  for (int t = 0; t < m; t++)
    f->position[S[t]] = t;
  f->count = m;
  for (int t = 0; t < m; t++) {
    double *const row = f->entries + t * width;
    const double diagonal = load_row(f, t, S[t], d[S[t]], row);
    for (int k = t < below ? 0 : t - below; k < t; k++) {
      const double *const above_row = f->entries + k * width + below;
      double *const to = row + (k - t + below);
      const double l = *to *= f->pivot[k];
      for (int j = 1; j <= above; j++)
        to[j] -= l * above_row[j];
    }
    if (!(row[below] > 4 * DBL_EPSILON * fabs(diagonal)))
      return S[t];
    f->pivot[t] = 1 / row[below];
  }
  return -1;
}

void perp_band_solve(const perp_band *f, double *x)
{
  const int below = f->below, above = f->above, m = f->count;
  const ptrdiff_t width = below + 1 + above;
  /* L z = x */
  for (int t = 0; t < m; t++) {
    const double *const row = f->entries + t * width + below;
    double z = x[t];
    for (int k = t < below ? -t : -below; k < 0; k++)
      z -= row[k] * x[t + k];
    x[t] = z;
  }
  /* U x = z */
  for (int t = m - 1; t >= 0; t--) {
    const double *const row = f->entries + t * width + below;
    double z = x[t];
    for (int k = t + above < m ? above : m - 1 - t; k > 0; k--)
      z -= row[k] * x[t + k];
    x[t] = z * f->pivot[t];
  }
}
