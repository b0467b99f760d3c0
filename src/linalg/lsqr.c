/* lsqr.c: least squares by products with B and B^T (Paige, Saunders 1982)
 *
 * Golub-Kahan bidiagonalisation: beta u = B v - alpha u, alpha v = B^T u - beta v;
 * one Givens rotation for each step keeps the QR factor of the bidiagonal matrix. */
#include "linalg/lsqr.h"

#include "base/elementary.h"

/* v <- v / |v|; returns |v|. */
static double normalise(int n, double *v)
{
  const double norm = perp_norm2(n, v);
  if (norm > 0)
    perp_multiply(n, 1 / norm, v);
  return norm;
}

int64_t perp_lsqr_solve(const perp_lsqr *k, double *b, double *x, double *work)
{
  const int n = k->n;
  double *u = b, *v = work, *w = work + n, *t = work + 2 * (size_t)n;
  perp_fill(n, 0, x);
  const double size = normalise(n, u);
  if (!(size > 0) || !isfinite(size))
    return 0;
  k->product_t(k->context, u, v);
  double alpha = normalise(n, v), rho_bar = alpha, phi_bar = size, square = 0;
  perp_copy(n, v, w);
  int64_t step = 0;
  while (step < k->limit && alpha > 0 && isfinite(alpha)) {
    step++;
    k->product(k->context, v, t);
    for (int i = 0; i < n; i++)
      u[i] = t[i] - alpha * u[i];
    const double beta = normalise(n, u);
    square += alpha * alpha + beta * beta; /* Frobenius norm of B, from below */
    k->product_t(k->context, u, t);
    for (int i = 0; i < n; i++)
      v[i] = t[i] - beta * v[i];
    alpha = normalise(n, v);
    const double rho = perp_hypot(rho_bar, beta), c = rho_bar / rho, s = beta / rho;
    const double theta = s * alpha, phi = c * phi_bar;
    if (!isfinite(rho) || !(rho > 0))
      return step;
    rho_bar = -c * alpha;
    phi_bar = s * phi_bar;
    perp_axpy(n, phi / rho, w, x);
    perp_xpay(n, v, -theta / rho, w);
    /* |r| = phi_bar and |B^T r| = phi_bar alpha |c| */
    if (phi_bar <= k->tol * size || alpha * fabs(c) <= k->tol * sqrt(square))
      break;
  }
  return step;
}
