/* admm.c: alternating directions, one factorisation per rho
 *
 *   (A + rho D) x = rho D (z - u) - b - s
 *   v = omega x + (1 - omega) z                    over-relaxation
 *   z <- P( v + u ),   u <- u + v - z
 *
 * the splitting of min f(x) + indicator(z), x = z (Gabay, Mercier 1976; Boyd et al. 2011; as a QP
 * solver Stellato et al. 2020), which is Douglas and Rachford's: it converges for every monotone A,
 * symmetric or not. z is shown as the iterate, since it is in K. rho D u -> -(y + s).
 *
 * rho balances the residuals |x - z| and rho |z - z_before|, each relative. It may change after 10,
 * 20, 40, ... iterations, so that changes (and factorisations) become rarer and rarer and
 * convergence is not affected. Friction bounds and De Saxce's shift s follow z by the outer fixed
 * point of convex.h.
 *
 * One iteration: a solve with the factor and a product with A. Workspace: 15 n and the workspace of
 * linear.h. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/gradient/convex.h"
#include "method/system/linear.h"

static const double FAR = 3;        /* rho changes by at least this factor */
static const double PATIENCE = 0.5; /* of convex.h */

typedef struct {
  double rho;
  double omega;
  int factor;
} admm_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(admm_parameters, rho, 0.1, 1e-9, 1e9, "penalty at the start, in units of the metric"),
    PERP_REAL(admm_parameters, omega, 1.6, 0.1, 1.99, "over-relaxation"),
    PERP_FLAG(admm_parameters, factor, 1, "factor A + rho D if A has entries; no: inner CG"),
    {0},
};

typedef struct {
  perp_convex convex;
  perp_linear_system *system; /* A + rho D in all rows */
  int *all;                   /* 0 .. n-1 */
  double rho;
  double *shift; /* rho D */
  double *x;     /* of the first half step */
  double *z, *y; /* the iterate in K, A z + b */
  double *u, *v; /* the scaled dual; scratch */
  double *right; /* right-hand side; then z before */
  int64_t look;  /* iteration at which rho may change next */
} state;

/* Factors A + rho D, with a larger rho if A is not positive definite enough. Returns false on
 * failure. */
static bool set_rho(state *a, double rho)
{
  const perp_convex *f = &a->convex;
  for (int k = 0; k < 12; k++, rho *= 10) {
    a->rho = rho;
    for (int i = 0; i < f->n; i++)
      a->shift[i] = rho * f->D[i];
    if (perp_linear_set_definite(a->system, f->n, a->all, a->shift))
      return true;
  }
  return false;
}

/* Solves (A + rho D) x = right by the factor, or by some Krylov steps from x; y and v are
 * scratch. */
static void resolve(perp_run *run, state *a)
{
  static const double REDUCTION = 1e-3; /* relative to the residual at x */
  const int n = a->convex.n;
  if (perp_linear_is_direct(a->system)) {
    perp_linear_solve(a->system, a->right, INFINITY, a->x);
    return;
  }
  perp_run_apply(run, a->x, a->y);
  for (int i = 0; i < n; i++)
    a->y[i] = a->right[i] - a->y[i] - a->shift[i] * a->x[i];
  perp_linear_solve(a->system, a->y, REDUCTION, a->v);
  perp_axpy(n, 1, a->v, a->x);
}

/* u in the normal cone at z that is nearest to -(y + s) / (rho D): exact if z is a solution. */
static void start_dual(state *a)
{
  const perp_convex *f = &a->convex;
  for (int i = 0; i < f->n; i++)
    a->x[i] = a->u[i] = a->z[i] - (a->y[i] + f->s[i]) / (a->rho * f->D[i]);
  perp_convex_project(f, a->u);
  for (int i = 0; i < f->n; i++)
    a->u[i] = a->x[i] - a->u[i];
  perp_copy(f->n, a->z, a->x);
}

static void iterate(perp_run *run, state *a, double omega)
{
  const perp_convex *f = &a->convex;
  const double rho = a->rho;
  for (int i = 0; i < f->n; i++)
    a->right[i] = rho * f->D[i] * (a->z[i] - a->u[i]) - f->p->b[i] - f->s[i];
  resolve(run, a);
  for (int i = 0; i < f->n; i++) {
    a->right[i] = a->z[i];
    a->u[i] += omega * a->x[i] + (1 - omega) * a->z[i];
    a->z[i] = a->u[i];
  }
  perp_convex_project(f, a->z);
  perp_subtract(f->n, a->u, a->z, a->u);
}

/* rho <- rho sqrt( (|x - z| / max(|x|, |z|)) / (rho |z - z_before| / max(rho |u|, |D^-1 b|)) ),
 * norms in D, if that is far from rho; `right` holds z_before. Returns false if the factor
 * fails. */
static bool balance(perp_run *run, state *a)
{
  const perp_convex *f = &a->convex;
  const double before = a->rho;
  double apart = 0, x = 0, z = 0, moved = 0, u = 0, b = 0; /* squares */
  for (int i = 0; i < f->n; i++) {
    const double d = f->D[i], e = a->x[i] - a->z[i], g = before * (a->z[i] - a->right[i]);
    apart += d * e * e;
    x += d * a->x[i] * a->x[i];
    z += d * a->z[i] * a->z[i];
    moved += d * g * g;
    u += d * before * before * a->u[i] * a->u[i];
    b += f->p->b[i] * f->p->b[i] / d;
  }
  const double ratio = sqrt(sqrt((apart * perp_max(u, b)) / (moved * perp_max(x, z))));
  if (!isfinite(ratio) || (ratio < FAR && ratio > 1 / FAR))
    return true;
  if (!set_rho(a, before * perp_min(perp_max(ratio, 0.1), 10)))
    return false;
  perp_multiply(f->n, before / a->rho, a->u); /* rho u stays the same */
  run->count.restarts++;
  return true;
}

static perp_error begin(perp_run *run, double *x, state *a)
{
  const size_t n = (size_t)run->problem->K.n;
  *a = (state){.z = x, .all = perp_run_integers(run, n), .look = 10};
  if (!a->all || !PERP_TAKE_REALS(run->arena, n, &a->x, &a->y, &a->u, &a->v, &a->right, &a->shift))
    return perp_run_no_memory(run);
  for (size_t i = 0; i < n; i++)
    a->all[i] = (int)i;
  perp_run_gradient(run, a->z, a->y);
  return perp_convex_create(run, a->z, a->y, PATIENCE, &a->convex);
}

static perp_error run_on(perp_run *run, const admm_parameters *par, state *a)
{
  const perp_error error = perp_linear_open(
      run,
      &(perp_linear_plan){.solver = par->factor ? PERP_LINEAR_DIRECT : PERP_LINEAR_CG,
                          .preconditioner = PERP_PRECONDITION_JACOBI},
      &a->system);
  bool sound = !error && set_rho(a, par->rho);
  if (sound)
    start_dual(a);
  while (sound) {
    iterate(run, a, par->omega);
    perp_run_gradient(run, a->z, a->y);
    perp_convex_follow(&a->convex, a->z, a->y);
    perp_run_merit(run, perp_energy(run->problem, a->z, a->y));
    if (!perp_run_next(run, a->z, a->y))
      return PERP_OK;
    if (run->count.iterations >= a->look) {
      a->look *= 2;
      sound = balance(run, a);
    }
  }
  if (!error) {
    perp_run_claim(run, PERP_STAGNATED);
    perp_run_say(run, "A + rho D is not positive definite for any rho tried");
  }
  return error;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const admm_parameters *par = params;
  state a;
  perp_error error = begin(run, x, &a);
  if (error)
    return error;
  perp_run_merit(run, perp_energy(p, x, a.y));
  if (!perp_run_next(run, x, a.y))
    return PERP_OK;
  error = run_on(run, par, &a);
  perp_linear_close(a.system);
  return error;
}

const perp_method perp_method_admm = {
    .name = "admm",
    .title = "alternating directions with adaptive penalty",
    .family = "gradient",
    .source = "boyd-parikh-chu-peleato-eckstein-2011",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .iteration = "x <- (A + rho D)^-1 (rho D (z - u) - b); z <- P_K(x + u); u <- u + x - z",
    .works = "positive (semi-)definite A; unsymmetric ones if A is dense",
    .max_iterations = 20000,
    PERP_SOLVES_WITH(admm_parameters),
};
