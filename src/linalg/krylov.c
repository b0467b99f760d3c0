/* krylov.c: linear systems A x = b by products with A only
 *
 * Every method is a cycle, from a residual r = b - A x to a better x, and one loop around it: the
 * residual is recomputed, x is kept if it is the best so far, and the cycle is repeated while that
 * helps. GMRES needs the loop for its restarts; the others need it if the residual of their
 * recurrences has drifted away from the true one.
 *
 * Workspace: the best x and r, and of the cycle CG 3 n, GMRES (2 m + 1) n + O(m^2). */
#include "linalg/krylov.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include <assert.h>
#include <float.h>

/* The state of a cycle, which moves x and may overwrite r. */
typedef struct cycle {
  const perp_krylov *k;
  double *x, *r;
  double norm; /* |r| */
  double *work;
  int restart; /* of GMRES */
  int products;
} cycle;

typedef perp_krylov_state (*cycle_function)(cycle *c);

static bool is_over(const cycle *c, perp_krylov_state *state)
{
  const perp_krylov *k = c->k;
  if (c->products >= k->limit)
    *state = PERP_KRYLOV_LIMIT;
  else if (k->alarm.rings && k->alarm.rings(k->alarm.context))
    *state = PERP_KRYLOV_EXPIRED;
  else
    return false;
  return true;
}

static void multiply(cycle *c, const double *x, double *y)
{
  c->k->product(c->k->context, x, y);
  c->products++;
}

static void precondition(const perp_krylov *k, const double *r, double *z)
{
  if (k->precondition)
    k->precondition(k->precondition_context, r, z);
  else
    perp_copy(k->n, r, z);
}

/* r <- b - A x, without a product if x = 0. Returns its norm, infinity if it is not finite. */
static double renew(cycle *c, const double *b)
{
  const int n = c->k->n;
  if (perp_norm_inf(n, c->x) > 0) {
    c->k->product(c->k->context, c->x, c->r);
    c->products++;
    perp_subtract(n, b, c->r, c->r);
  } else {
    perp_copy(n, b, c->r);
  }
  const double norm = perp_norm2(n, c->r);
  return isfinite(norm) ? norm : INFINITY;
}

static perp_krylov_end repeat(const perp_krylov *k, cycle_function run, int restart,
                              const double *b, double *x, double *work)
{
  static const double progress = 0.99; /* a cycle continues only below this ratio of residuals */
  const int n = k->n;
  double *best = work;
  cycle c = {.k = k, .x = x, .r = work + n, .work = work + 2 * (int64_t)n, .restart = restart};
  perp_krylov_state state = PERP_KRYLOV_BREAKDOWN;
  double least = renew(&c, b);
  perp_copy(n, x, best);
  bool onward = least < INFINITY;
  while (onward && least > k->target) {
    if (is_over(&c, &state))
      break;
    c.norm = least;
    state = run(&c);
    const double norm = perp_all_finite(n, x) ? renew(&c, b) : INFINITY;
    /* strictly less: 0.99 times the smallest subnormal number is that number again */
    onward = norm < least && norm <= progress * least &&
             (state == PERP_KRYLOV_CONVERGED || state == PERP_KRYLOV_BREAKDOWN);
    if (norm < least) {
      least = norm;
      perp_copy(n, x, best);
    } else {
      perp_copy(n, best, x);
    }
  }
  if (least <= k->target)
    state = PERP_KRYLOV_CONVERGED;
  else if (state == PERP_KRYLOV_CONVERGED) /* claimed, but lost to rounding */
    state = PERP_KRYLOV_BREAKDOWN;
  if (state == PERP_KRYLOV_NEGATIVE)
    perp_copy(n, c.work, work);
  return (perp_krylov_end){.state = state, .products = c.products, .residual = least};
}

/* ---- Conjugate gradients ----
 *
 *   alpha = r^T z / p^T A p,   x <- x + alpha p,   r <- r - alpha A p,   z = M^-1 r,
 *   p <- z + (r^T z / before) p
 *
 * r is orthogonal to the p before, so p^T M p = r^T z + beta^2 (p^T M p before): the curvature p^T
 * A p / p^T M p, of the size of an eigenvalue of M^-1 A, costs nothing. If it is rounding relative
 * to the largest one, A is singular along p. */
static perp_krylov_state cg_cycle(cycle *c)
{
  const int64_t n = c->k->n;
  double *p = c->work, *Ap = p + n, *z = Ap + n, *r = c->r;
  double rz = 0, pMp = 0, steepest = 0;
  for (bool first = true;; first = false) {
    precondition(c->k, r, z);
    const double rz_before = rz;
    rz = perp_dot(n, r, z);
    if (!(rz > 0 && rz < INFINITY))
      return PERP_KRYLOV_BREAKDOWN;
    const double beta = first ? 0 : rz / rz_before;
    pMp = rz + beta * beta * pMp;
    if (first)
      perp_copy(n, z, p);
    else
      perp_xpay(n, z, beta, p);
    perp_krylov_state over;
    if (is_over(c, &over))
      return over;
    multiply(c, p, Ap);
    const double pAp = perp_dot(n, p, Ap);
    if (!isfinite(pAp))
      return PERP_KRYLOV_BREAKDOWN;
    steepest = perp_max(steepest, pAp / pMp);
    if (!(pAp > 8 * DBL_EPSILON * steepest * pMp))
      return PERP_KRYLOV_NEGATIVE;
    const double alpha = rz / pAp;
    perp_axpy(n, alpha, p, c->x);
    perp_axpy(n, -alpha, Ap, r);
    if (perp_norm2(n, r) <= c->k->target)
      return PERP_KRYLOV_CONVERGED;
  }
}

/* ---- GMRES ----
 *
 *   A Z_j = V_j+1 H_j,   x <- x + Z_j y,   y = argmin | |r| e_1 - H_j y |
 *
 * with z_j = M^-1 v_j, V orthonormal by modified Gram-Schmidt, a second time if much was cancelled,
 * and H turned into a triangle R by rotations as it grows. */
typedef struct arnoldi {
  int restart;
  double *V, *Z;         /* restart + 1 and restart vectors */
  double *R;             /* column j at R + j (restart + 1) */
  double *cosine, *sine; /* restart each */
  double *g;             /* restart + 1: |r| e_1 rotated; its last entry is the residual */
} arnoldi;

/* v <- v - V (V^T v), the coefficients added to h. Returns |v| after it. */
static double orthogonalise(int64_t n, int count, const double *V, double *v, double *h)
{
  double before = perp_norm2(n, v), after = before;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < count; i++) {
      const double s = perp_dot(n, V + i * n, v);
      h[i] += s;
      perp_axpy(n, -s, V + i * n, v);
    }
    after = perp_norm2(n, v);
    if (after > 0.5 * before)
      break;
    before = after;
  }
  return after;
}

/* Column j of H becomes column j of R. */
static void rotate(arnoldi *a, int j)
{
  double *h = a->R + (int64_t)j * (a->restart + 1);
  for (int i = 0; i < j; i++) {
    const double upper = a->cosine[i] * h[i] + a->sine[i] * h[i + 1];
    h[i + 1] = a->cosine[i] * h[i + 1] - a->sine[i] * h[i];
    h[i] = upper;
  }
  const double length = perp_hypot(h[j], h[j + 1]);
  a->cosine[j] = length > 0 ? h[j] / length : 1;
  a->sine[j] = length > 0 ? h[j + 1] / length : 0;
  h[j] = length;
  a->g[j + 1] = -a->sine[j] * a->g[j];
  a->g[j] *= a->cosine[j];
}

/* x <- x + Z R^-1 g over the first `count` columns. */
static void gmres_move(cycle *c, arnoldi *a, int count)
{
  const int64_t n = c->k->n, ld = a->restart + 1;
  for (int i = count - 1; i >= 0; i--) {
    for (int j = i + 1; j < count; j++)
      a->g[i] -= a->R[j * ld + i] * a->g[j];
    a->g[i] /= a->R[i * ld + i];
  }
  for (int j = 0; j < count; j++)
    perp_axpy(n, a->g[j], a->Z + j * n, c->x);
}

static perp_krylov_state gmres_cycle(cycle *c)
{
  const int64_t n = c->k->n, m = c->restart;
  double *w = c->work;
  arnoldi a = {.restart = c->restart, .V = w, .Z = w + (m + 1) * n};
  a.R = a.Z + m * n;
  a.cosine = a.R + m * (m + 1);
  a.sine = a.cosine + m;
  a.g = a.sine + m;
  for (int64_t i = 0; i < n; i++)
    a.V[i] = c->r[i] / c->norm;
  a.g[0] = c->norm;
  perp_krylov_state state = PERP_KRYLOV_CONVERGED; /* or the cycle is full */
  int count = 0;
  double size = 0;
  while (count < c->restart && !is_over(c, &state)) {
    double *z = a.Z + count * n, *v = a.V + (count + 1) * n, *h = a.R + count * (m + 1);
    precondition(c->k, a.V + count * n, z);
    multiply(c, z, v);
    perp_fill(count + 2, 0, h);
    size = perp_max(size, perp_norm2(n, v));
    h[count + 1] = orthogonalise(n, count + 1, a.V, v, h);
    if (!isfinite(h[count + 1])) {
      state = PERP_KRYLOV_BREAKDOWN;
      break;
    }
    const bool closed = !(h[count + 1] > DBL_EPSILON * size); /* the space is invariant under A */
    if (closed)
      h[count + 1] = 0;
    else
      perp_multiply(n, 1 / h[count + 1], v);
    rotate(&a, count);
    if (!(h[count] > DBL_EPSILON * size)) { /* singular: this column adds nothing */
      state = PERP_KRYLOV_BREAKDOWN;
      break;
    }
    count++;
    if (closed || fabs(a.g[count]) <= c->k->target)
      break;
  }
  gmres_move(c, &a, count);
  return state;
}

/* ---- Public functions ---- */

int64_t perp_cg_work(int n)
{
  return 5 * (int64_t)n;
}

perp_krylov_end perp_cg(const perp_krylov *k, const double *b, double *x, double *work)
{
  return repeat(k, cg_cycle, 0, b, x, work);
}

int64_t perp_gmres_work(int n, int restart)
{
  const int64_t m = restart;
  return (2 * m + 3) * n + m * (m + 1) + 3 * m + 1;
}

perp_krylov_end perp_gmres(const perp_krylov *k, int restart, const double *b, double *x,
                           double *work)
{
  assert(restart >= 1);
  return repeat(k, gmres_cycle, restart, b, x, work);
}

/* ---- LSQR ----
 *
 * Golub-Kahan bidiagonalisation: beta u = B v - alpha u, alpha v = B^T u - beta v;
 * one Givens rotation for each step keeps the QR factor of the bidiagonal matrix. */

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
    square += alpha * alpha + beta * beta; /* lower bound of the Frobenius norm of B */
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
