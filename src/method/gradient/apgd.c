/* apgd.c: accelerated projected gradient descent
 *
 *   v  = x + beta (x - x_before),            beta = (t - 1) / t+,   t+ = (1 + sqrt(1 + 4 t^2)) / 2
 *   x+ = P( v - D^-1 (A v + b + s) / L )
 *
 * Nesterov's method (1983) in the metric D, for the convex problem of convex.h; cones and friction
 * bounds are treated by its outer fixed point. L is adapted: a step is repeated with a greater L
 * while
 *
 *   (x+ - v)^T A (x+ - v)  >  L |x+ - v|_D^2,
 *
 * and L shrinks a little after every step, so that it follows the local curvature (Beck, Teboulle
 * 2009; Mazhar, Heyn, Negrut, Tasora 2015). A is linear: A v comes from A x and A x_before, so one
 * iteration costs one product with A, and one more for every greater L. Momentum is dropped if it
 * points uphill, (v - x+)^T D (x+ - x) > 0 (O'Donoghue, Candes 2015): a heuristic that in practice
 * gives linear convergence without knowing the strong convexity.
 *
 * Energy error O(1/k^2) for symmetric positive semi-definite A. Workspace: 10 n. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/convex.h"

static const double LEAST = 1e-6;  /* relative to the first estimate: if A is flat, L stays above
                                   * 0 */
static const double SHRINK = 0.98; /* factor on L in a step */
static const double PATIENCE = 2;  /* of convex.h */

typedef struct {
  perp_convex convex;
  double *x, *y;             /* the iterate and A x + b */
  double *before, *y_before; /* the one before it */
  double *v, *y_v;           /* extrapolated */
  double L, t;
} state;

/* w, y_w <- the projected step from v; L grows until it bounds the curvature along the step. */
static void step(perp_run *run, state *a, double *w, double *y_w)
{
  const int n = a->convex.n;
  const double *D = a->convex.D, *s = a->convex.s;
  for (;;) {
    for (int i = 0; i < n; i++)
      w[i] = a->v[i] - (a->y_v[i] + s[i]) / (a->L * D[i]);
    perp_convex_project(&a->convex, w);
    perp_run_gradient(run, w, y_w);
    double sums[2] = {0, 0}; /* d^T A d and |d|_D^2, d = w - v */
    for (int i = 0; i < n; i++) {
      const double d = w[i] - a->v[i];
      sums[0] += d * (y_w[i] - a->y_v[i]);
      sums[1] += D[i] * d * d;
    }
    perp_run_sum(run, 2, sums);
    const double bend = sums[0], length = sums[1];
    if (!(bend > a->L * length) || !isfinite(bend) || perp_run_expired(run))
      return;
    a->L = perp_max(bend / length, 1.1 * a->L);
  }
}

/* Returns true if the step from x to w goes against the gradient map at v. */
static bool is_uphill(const perp_run *run, const state *a, const double *w)
{
  double product = 0;
  for (int i = 0; i < a->convex.n; i++)
    product += a->convex.D[i] * (a->v[i] - w[i]) * (w[i] - a->x[i]);
  perp_run_sum(run, 1, &product);
  return product > 0;
}

static void extrapolate(state *a)
{
  const double t = 0.5 * (1 + sqrt(1 + 4 * a->t * a->t)), beta = (a->t - 1) / t;
  a->t = t;
  for (int i = 0; i < a->convex.n; i++) {
    a->v[i] = a->x[i] + beta * (a->x[i] - a->before[i]);
    a->y_v[i] = a->y[i] + beta * (a->y[i] - a->y_before[i]);
  }
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const size_t n = (size_t)p->K.n;
  state a = {.t = 1};
  if (!PERP_TAKE_REALS(run->arena, n, &a.x, &a.y, &a.before, &a.y_before, &a.v, &a.y_v))
    return perp_run_no_memory(run);
  perp_copy(p->K.n, x, a.x);
  perp_run_gradient(run, a.x, a.y);
  perp_error error = perp_convex_create(run, a.x, a.y, PATIENCE, &a.convex);
  if (error)
    return error;
  double L_first = 1;
  for (bool first = true;; first = false) {
    perp_run_merit(run, perp_energy(p, a.x, a.y));
    if (!perp_run_next(run, a.x, a.y))
      break;
    if (first) {
      a.L = L_first = perp_largest_eigenvalue(run, a.convex.D, 2, a.before, a.v);
      perp_copy(p->K.n, a.x, a.before);
      perp_copy(p->K.n, a.y, a.y_before);
    }
    perp_convex_follow(&a.convex, a.x, a.y);
    extrapolate(&a);
    step(run, &a, a.before, a.y_before);
    if (is_uphill(run, &a, a.before)) {
      a.t = 1;
      run->count.restarts++;
    }
    perp_exchange_vectors(&a.x, &a.before);
    perp_exchange_vectors(&a.y, &a.y_before);
    a.L = perp_max(SHRINK * a.L, LEAST * L_first);
  }
  perp_copy(p->K.n, a.x, x);
  return PERP_OK;
}

const perp_method perp_method_apgd = {
    .name = "apgd",
    .title = "accelerated projected gradient with adaptive restart",
    .family = "gradient",
    .source = "mazhar-heyn-negrut-tasora-2015",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .iteration =
        "x <- P_K(z - t (A z + b)); z <- x + beta_k (x - x_old), restarted if the energy grows",
    .works = "symmetric positive (semi-)definite A",
    .max_iterations = 20000,
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
