/* ruiz.c: scaling of sparse systems by powers of two */
#include "linalg/ruiz.h"

#include "base/elementary.h"
#include "linalg/vector.h"

/* Returns the power of two near 1 / sqrt(v). */
static double root_of_two(double v)
{
  int power;
  frexp(v, &power);
  return v > 0 ? ldexp(1, -(power >= 0 ? power / 2 : -((1 - power) / 2))) : 1;
}

/* norm[k] <- the largest entry of row k of D K D from the rows of A, which begin at row `first` of K */
static void raise_norms(const perp_sparse *A, int first, const double *D, double *norm)
{
  for (int i = 0; i < A->n; i++)
    for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
      const int j = A->column[e];
      const double v = fabs(A->value[e]) * D[first + i] * D[j];
      norm[first + i] = perp_max(norm[first + i], v);
      norm[j] = perp_max(norm[j], v);
    }
}

void perp_ruiz(int n, const perp_sparse *P, const perp_sparse *G, double *D, double *norm)
{
  enum { PASSES = 10 };
  const int all = n + G->n;
  perp_fill(all, 1, D);
  bool changed = true;
  for (int pass = 0; pass < PASSES && changed; pass++) {
    changed = false;
    perp_fill(all, 0, norm);
    if (P)
      raise_norms(P, 0, D, norm);
    raise_norms(G, n, D, norm);
    for (int k = 0; k < all; k++) {
      const double factor = root_of_two(norm[k]);
      /* out of proportion: keep the numbers within range */
      if (factor == 1 || !(D[k] * factor < 0x1p200 && D[k] * factor > 0x1p-200))
        continue;
      D[k] *= factor;
      changed = true;
    }
  }
}
