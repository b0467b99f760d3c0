/* spg.c: spectral projected gradient, nonmonotone
 *
 *   d  = P( x - alpha D^-1 g ) - x,      g = A x + b + s
 *   x+ = x + lambda d,                   lambda in (0, 1]
 *   alpha+ = d^T D d / d^T A d           (Barzilai, Borwein 1988)
 *
 * lambda = 1 while the energy stays below the largest of the last ten plus gamma lambda
 * g^T d, else the minimiser along d (Grippo, Lampariello, Lucidi 1986; Birgin, Martinez, Raydan
 * 2000; on contact problems Heyn, Anitescu, Tasora, Negrut 2013). The energy is quadratic, so with
 * A d known the search is a formula:
 *
 *   f(x + lambda d) = f(x) + lambda g^T d + lambda^2/2 d^T A d.
 *
 * Cones and friction bounds by the outer fixed point of convex.h. One iteration: one product with
 * A; A x + b is updated by recurrence and recomputed every 64 iterations. Converges for symmetric
 * positive semi-definite A. Workspace: 7 n. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/convex.h"

enum { MEMORY = 10, RENEWAL = 64, RECENT = 3 };
static const double PATIENCE = 2; /* of convex.h */

/* The last energies, as differences from the newest: f never needs its large constant part. */
typedef struct {
  double above[MEMORY]; /* f_(k-j) - f_k */
  int count;
} history;

static double history_greatest(const history *h)
{
  double greatest = 0;
  for (int j = 0; j < h->count; j++)
    greatest = perp_max(greatest, h->above[j]);
  return greatest;
}

static void history_add(history *h, double change)
{
  if (h->count < MEMORY)
    h->count++;
  for (int j = h->count - 1; j > 0; j--)
    h->above[j] = h->above[j - 1] - change;
  h->above[0] = -change;
}

typedef struct {
  double shorter[RECENT];
  double threshold;
  int64_t count;
} spectrum;

/* Returns lambda for slope = g^T d and bend = d^T A d. A step with slope >= 0 returns to a set that
 * has moved away, and has full length. */
static double search(history *h, double slope, double bend)
{
  const double gamma = 1e-4;
  if (slope >= 0) {
    h->count = 0;
    return 1;
  }
  if (slope + 0.5 * bend <= history_greatest(h) + gamma * slope)
    return 1;
  return perp_min(1, -slope / bend);
}

/* Returns the next alpha from d^T D d and d^T A d: the long Barzilai-Borwein step or, if the two
 * differ much, the smallest of the last few short ones, d^T A d / |A d|^2 in the metric of D^-1,
 * which removes the components of large eigenvalues first (Frassoldati, Zanni, Zanghirati 2008). */
static double spectral_step(const perp_run *run, spectrum *sp, int n, const double *D,
                            const double *Ad, double length, double bend, double alpha)
{
  if (!(bend > 0))
    return perp_min(10 * alpha, 1e10); /* no curvature along d: a longer step */
  double square = 0;
  for (int i = 0; i < n; i++)
    square += Ad[i] * Ad[i] / D[i];
  perp_run_sum(run, 1, &square);
  const double longer = length / bend, shorter = bend / square;
  sp->shorter[sp->count++ % RECENT] = shorter;
  double next = longer;
  if (shorter < sp->threshold * longer) {
    next = shorter;
    for (int j = 0; j < RECENT && j < sp->count; j++)
      next = perp_min(next, sp->shorter[j]);
    sp->threshold *= 0.9;
  } else {
    sp->threshold *= 1.1;
  }
  return perp_min(perp_max(next, 1e-10), 1e10);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const int n = p->K.n;
  double *y, *d, *Ad;
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &y, &d, &Ad))
    return perp_run_no_memory(run);
  perp_run_gradient(run, x, y);
  perp_convex convex;
  perp_error error = perp_convex_create(run, x, y, PATIENCE, &convex);
  if (error)
    return error;
  const double *D = convex.D, *s = convex.s;
  history energies = {0};
  spectrum steps = {.threshold = 0.5};
  double alpha = 0;
  for (int64_t k = 1;; k++) {
    perp_run_merit(run, perp_energy(p, x, y));
    if (!perp_run_next(run, x, y))
      return PERP_OK;
    if (alpha == 0)
      alpha = 1 / perp_largest_eigenvalue(run, D, 2, d, Ad);
    if (perp_convex_follow(&convex, x, y))
      energies.count = 0;
    for (int i = 0; i < n; i++)
      d[i] = x[i] - alpha * (y[i] + s[i]) / D[i];
    perp_convex_project(&convex, d);
    perp_subtract(n, d, x, d);
    perp_run_apply(run, d, Ad);
    double sums[3] = {0, 0, perp_dot(n, d, Ad)};
    for (int i = 0; i < n; i++) {
      sums[0] += (y[i] + s[i]) * d[i];
      sums[1] += D[i] * d[i] * d[i];
    }
    perp_run_sum(run, 3, sums);
    const double slope = sums[0], length = sums[1], bend = sums[2];
    const double lambda = search(&energies, slope, bend);
    history_add(&energies, lambda * slope + 0.5 * lambda * lambda * bend);
    perp_axpy(n, lambda, d, x);
    if (lambda == 1)
      perp_convex_project(&convex, x); /* x + d is in K' up to rounding */
    if (k % RENEWAL == 0)
      perp_run_gradient(run, x, y);
    else
      perp_axpy(n, lambda, Ad, y);
    alpha = spectral_step(run, &steps, n, D, Ad, length, bend, alpha);
  }
}

const perp_method perp_method_spg = {
    .name = "spg",
    .title = "spectral projected gradient, nonmonotone",
    .family = "gradient",
    .source = "birgin-martinez-raydan-2000",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .iteration =
        "x <- x + a (P_K(x - t y) - x), t = s^T s / s^T A s of the last step, nonmonotone a",
    .works = "symmetric positive (semi-)definite A",
    .max_iterations = 20000,
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
