/* minmap.c: Newton's method on the minimum map, for LCP, mixed and boxed problems
 *
 *   H_i(x) = mid( w_i (x_i - lo_i), y_i, w_i (x_i - hi_i) ),   y = A x + b      (LCP: min(w x, y))
 *
 * is piecewise linear. Let F be the rows in which y_i is the middle value and N the others. J p =
 * -H separates into
 *
 *   p_N = bound - x_N,      A_FF p_F = -y_F - A_FN p_N,
 *
 * a system in F only (Pang 1990; Erleben 2013). Convergence is quadratic if A_FF is regular at the
 * solution. The weights w_i = A_ii bring x and y to the same size. A Krylov solver ends at
 * |residual| <= eta |H| with Eisenstat and Walker's eta.
 *
 * |H| is not differentiable, so a decrease of |H| does not ensure convergence, and A_FF may be
 * singular, often if A has zeros on its diagonal. The merit function is therefore psi = 1/2 |Phi|^2
 * of Fischer and Burmeister (fischer_map.h), with the same zeros and a continuous gradient (De
 * Luca, Facchinei, Kanzow 2000). An iteration tries in this order, until a step is accepted:
 *
 *   1. p as above, with a small multiple of |H| added to the diagonal of a singular A_FF; the full
 *      step if psi falls by a tenth, else Armijo's rule unless its step is short;
 *   2. the same system regularised by the slopes of Phi, N being the rows with vanishing D_q:
 *        (A_FF + D_q^-1 D_p) p_F = -D_q^-1 Phi_F - A_FN p_N,   p_N = -D_p^-1 Phi_N;
 *   3. the gradient of psi, with the step length that minimises the linear model.
 *
 * Limit points are then stationary points of psi: solutions if A is a P0-matrix. For other matrices
 * psi may have local minima, which depend on the weights and on the path. The method then restarts
 * with other weights, smoothed as below.
 *
 * From a start at its bounds F grows by one layer of neighbours in an iteration: on a grid the
 * number of iterations is the number of cells across. If systems are large (Krylov), the method
 * therefore begins with step 2 on smoothed functions Phi_mu, mu -> 0, whose systems couple all rows
 * at once.
 *
 * One iteration: a factor of A_FF or some Krylov steps, and 2 products with A, more if steps are
 * shortened. Workspace: 19 n and the workspace of linear.h. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/newton/fischer_map.h"
#include "method/newton/newton.h"

enum { WINDOW = 8 }; /* iterations over which psi must fall by a tenth */

typedef enum { AUTO, NO, YES } smoothing;
static const char *const smoothings[] = {"auto", "no", "yes", NULL};

typedef struct {
  perp_newton_parameters newton;
  int weighted;
  int smooth;
  int restarts;
} minmap_parameters;

static const perp_parameter parameters[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_FLAG(minmap_parameters, weighted, 1, "compare x and y in units of the diagonal"),
    PERP_CHOICE(minmap_parameters, smooth, AUTO, YES, smoothings,
                "begin with smoothed functions; auto: if systems are solved by Krylov methods"),
    PERP_INTEGER(minmap_parameters, restarts, 10, 0, 1000,
                 "restarts with other weights and smoothing, at local minima of psi"),
    {0},
};

typedef struct {
  perp_run *run;
  const minmap_parameters *par;
  int n;
  perp_map map;
  perp_linear_system *system;
  bool linearised; /* D_p and D_q are up to date at x */
  bool sloped;     /* A^T is available, and so the gradient of psi */
  bool early;      /* step 2 comes before step 1 */
  double *x, *y;
  double *start;   /* the first x */
  double *Phi;     /* at x */
  double *g;       /* gradient of psi at x */
  double *p;       /* direction */
  double *r, *t;   /* right-hand side, products */
  double *d;       /* added to the diagonal */
  double *scratch; /* Phi at trial points */
  int *F;
  int m;
  double psi;
  double norm, norm_before, norm_first, eta; /* |H|, and the forcing term */
  double *new_x, *new_y, new_psi;            /* of a trial */
  double mu, mu_last;                        /* mu > 0: smoothed */
  double psi_first, psi_start; /* at the start: with the first weights, with the current weights */
  double recent[WINDOW];       /* psi of the last iterations */
  int64_t steps;               /* since the last start */
  int started;
} state;

/* ---- Steps ---- */

/* Evaluates psi at x + t p, or at its projection onto the box. */
static void try(state *s, double t, bool projected)
{
  for (int i = 0; i < s->n; i++)
    s->new_x[i] = s->x[i] + t * s->p[i];
  if (projected)
    perp_map_project(&s->map, s->new_x);
  perp_run_gradient(s->run, s->new_x, s->new_y);
  s->new_psi = perp_map_value(&s->map, s->new_x, s->new_y, s->scratch);
}

/* Armijo: psi(P(x + t p)) <= psi + alpha t slope. The projection usually helps, but descent is
 * guaranteed only along x + t p, so if no t >= STRAIGHT is accepted the search continues without
 * it. Returns t >= least, or 0. */
static double search(state *s, double least, double slope)
{
  static const double STRAIGHT = 0.05;
  if (!(slope < 0))
    return 0;
  for (int projected = 1; projected >= 0; projected--) {
    const double end = projected ? perp_max(least, STRAIGHT) : least;
    for (double t = 1; t >= end && !perp_run_expired(s->run); t *= PERP_NEWTON_BETA) {
      try(s, t, projected);
      if (s->new_psi <= s->psi + PERP_NEWTON_ALPHA * t * slope)
        return t;
    }
    if (least >= STRAIGHT)
      break;
  }
  return 0;
}

/* Sets D_p, D_q and the gradient at x, once per iteration. */
static void linearise(state *s)
{
  if (s->linearised)
    return;
  perp_map_linearise(&s->map, s->x, s->y);
  s->sloped = perp_map_transposed(&s->map, s->Phi, s->g);
  s->linearised = true;
}

/* Returns the slope g^T p; without a gradient the slope of Newton's direction. */
static double slope_of(const state *s)
{
  return s->sloped ? perp_dot(s->n, s->g, s->p) : -s->psi;
}

static void measure(state *s)
{
  s->psi = perp_map_value(&s->map, s->x, s->y, s->Phi);
}

/* ---- Directions ---- */

/* Completes p, given p_N (zeros in F) in p and the right-hand side without A_FN p_N in r. The
 * linear residual is at most eta |H|. */
static bool complete(state *s, const double *d, double eta)
{
  if (perp_norm_inf(s->n, s->p) > 0) {
    perp_run_apply(s->run, s->p, s->t);
    for (int k = 0; k < s->m; k++)
      s->r[s->F[k]] -= s->t[s->F[k]];
  }
  if (s->m == 0)
    return true;
  if (!perp_linear_set(s->system, s->m, s->F, d) && !d) {
    const double raise = perp_min(1e-6, 1e-3 * s->norm / s->norm_first);
    for (int i = 0; i < s->n; i++)
      s->d[i] = raise * s->map.s[i] * s->map.s[i];
    perp_linear_set(s->system, s->m, s->F, s->d);
  }
  const double reached = perp_linear_solve(s->system, s->r, eta, s->t);
  perp_axpy(s->n, 1, s->t, s->p);
  return reached <= s->par->newton.gamma;
}

/* Direction 1 of the list at the top. */
static bool aim_minimum(state *s)
{
  const perp_map *map = &s->map;
  double sum = 0, right = 0;
  s->m = 0;
  for (int i = 0; i < s->n; i++) {
    const double w = map->s[i] * map->s[i];
    const double below = s->x[i] - map->lo[i], above = s->x[i] - map->hi[i];
    const bool low = s->y[i] > w * below, high = s->y[i] < w * above;
    s->p[i] = low ? -below : high ? -above : 0;
    s->r[i] = low || high ? 0 : -s->y[i];
    if (!low && !high)
      s->F[s->m++] = i;
    const double H = low ? w * below : high ? w * above : s->y[i];
    sum += H * H;
    right += s->r[i] * s->r[i];
  }
  s->norm = sqrt(sum);
  if (s->norm_before == 0)
    s->norm_first = s->norm;
  s->eta =
      perp_newton_forcing(s->par->newton.gamma, s->norm, s->norm_before, s->eta, s->run->target);
  s->norm_before = s->norm;
  return complete(s, NULL, right > 0 ? perp_min(s->eta * s->norm / sqrt(right), s->eta) : s->eta);
}

/* Direction 2 of the list at the top. */
static bool aim_regular(state *s, double eta)
{
  static const double VANISHED = 1e-10; /* D_q relative to D_p */
  const perp_map *map = &s->map;
  s->m = 0;
  for (int i = 0; i < s->n; i++) {
    const double p = map->p[i], q = map->q[i];
    const bool in = q * map->s[i] * map->s[i] > VANISHED * p;
    s->p[i] = in ? 0 : -s->Phi[i] / p;
    s->r[i] = in ? -s->Phi[i] / q : 0;
    s->d[i] = in ? p / q : 0;
    if (in)
      s->F[s->m++] = i;
  }
  return complete(s, s->d, eta);
}

/* Direction 3 of the list at the top. */
static void aim_gradient(state *s)
{
  perp_negate(s->n, s->g, s->p);
  perp_run_apply(s->run, s->p, s->t);
  perp_map_product(&s->map, s->p, s->t, s->r);
  const double bend = perp_dot(s->n, s->r, s->r), slope = perp_dot(s->n, s->g, s->g);
  if (bend > 0)
    perp_multiply(s->n, slope / bend, s->p);
}

/* ---- Iterations ---- */

/* Tries direction 1 with the full step or one that is not short. */
static bool step_minimum(state *s)
{
  static const double SHORT = 0.3;
  if (!aim_minimum(s))
    return false;
  try(s, 1, true);
  if (s->new_psi <= 0.9 * s->psi)
    return true;
  linearise(s);
  return search(s, SHORT, slope_of(s)) > 0;
}

/* Tries direction 2. Slow progress means that F still changes: the next iteration then skips
 * direction 1 and its factor. */
static bool step_regular(state *s)
{
  static const double SHORT = 1e-4;
  if (!aim_regular(s, perp_min(s->eta, 0.1)))
    return false;
  const double t = search(s, SHORT, slope_of(s));
  s->early = t < 1 || s->new_psi > 0.1 * s->psi;
  return t > 0;
}

/* Finds a better point in new_x, new_y and returns PERP_NOT_RUN, or returns the reason for
 * failure. */
static perp_outcome advance(state *s)
{
  const bool early = s->early;
  s->early = false;
  s->linearised = false;
  if (!early && step_minimum(s))
    return PERP_NOT_RUN;
  linearise(s);
  if (step_regular(s) || (early && step_minimum(s)))
    return PERP_NOT_RUN;
  if (!s->sloped)
    return PERP_NON_DESCENT;
  aim_gradient(s);
  const double t = search(s, PERP_NEWTON_DELTA, slope_of(s));
  return t > 0 && s->new_psi <= (1 - 1e-4) * s->psi ? PERP_NOT_RUN : PERP_LOCAL_MINIMUM;
}

static void accept(state *s)
{
  perp_copy(s->n, s->new_x, s->x);
  perp_copy(s->n, s->new_y, s->y);
  measure(s);
}

/* Takes one step along mu -> 0, a larger one if full steps are accepted. At the end, or on failure,
 * the method continues from the better of x and the start. */
static void follow(state *s)
{
  enum { MOST = 40 };
  static const double FASTER = 0.2, SLOWER = 0.45;
  s->linearised = false;
  linearise(s);
  const bool aimed = s->steps++ < MOST && aim_regular(s, 0.1);
  const double t = aimed ? search(s, 1e-3, slope_of(s)) : 0;
  if (t > 0) {
    accept(s);
    s->mu *= t == 1 ? FASTER : t >= 0.25 ? SLOWER : 1;
  }
  if (t == 0 || s->mu < s->mu_last) {
    s->mu = 0;
    s->steps = 0;
  }
  s->map.phi.mu = s->mu;
  measure(s);
  if (s->mu == 0 && !(s->psi < s->psi_start)) {
    perp_copy(s->n, s->start, s->x);
    perp_run_gradient(s->run, s->x, s->y);
    measure(s);
  }
}

/* Returns true if psi has not fallen by a tenth over the last iterations. */
static bool is_slow(state *s)
{
  double *const before = &s->recent[s->steps % WINDOW];
  const bool slow = s->steps >= WINDOW && s->psi > 0.9 * *before;
  *before = s->psi;
  s->steps++;
  return slow;
}

/* Sets mu in units of Phi^2 at the start: large enough to smooth out the bounds, and small enough
 * to keep the functions sharp. */
static void smooth(state *s)
{
  static const double FIRST = 1e3, LAST = 1e-5;
  const double unit = 2 * s->psi / s->n;
  s->psi_start = s->psi;
  s->mu = FIRST * unit;
  s->mu_last = LAST * unit;
  s->map.phi.mu = s->mu;
  measure(s);
}

/* Restarts from the first x, smoothed, with the weights s_i times 10^(1/2), 10^(-1/2), 10, 1/10,
 * ... */
static void restart(state *s)
{
  const int k = ++s->started;
  const double now = (k % 2 ? 0.5 : -0.5) * ((k + 1) / 2), before = (k % 2 ? -0.5 : 0.5) * (k / 2);
  for (int i = 0; i < s->n; i++)
    s->map.s[i] *= perp_pow(10, now - before);
  perp_copy(s->n, s->start, s->x);
  perp_run_gradient(s->run, s->x, s->y);
  measure(s);
  smooth(s);
  s->norm_before = 0;
  s->early = false;
  s->steps = 0;
  s->run->count.restarts++;
}

/* ---- The method ---- */

static perp_error begin(perp_run *run, const minmap_parameters *par, double *x, state *s)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (state){.run = run, .par = par, .n = (int)n, .x = x, .F = perp_run_integers(run, n)};
  if (!s->F || !PERP_TAKE_REALS(run->arena, n, &s->y, &s->start, &s->Phi, &s->g, &s->p, &s->r,
                                &s->t, &s->d, &s->scratch, &s->new_x, &s->new_y))
    return perp_run_no_memory(run);
  perp_error error =
      perp_map_create(run, (perp_phi){1, 0}, PERP_STRATEGY_ANALYTIC, par->weighted, &s->map);
  if (!error)
    error = perp_linear_open(
        run,
        &(perp_linear_plan){.solver = (perp_linear_solver)par->newton.solver,
                            .preconditioner =
                                (perp_linear_preconditioner)par->newton.preconditioner},
        &s->system);
  if (error || perp_run_expired(run))
    return error;
  s->map.symmetric = perp_linear_is_symmetric(s->system);
  perp_copy(s->n, x, s->start);
  perp_run_gradient(run, x, s->y);
  measure(s);
  s->psi_first = s->psi;
  return PERP_OK;
}

static void iterate(perp_run *run, state *s)
{
  static const double NOISE = 1e-24; /* psi at the level of rounding */
  for (;;) {
    perp_run_merit(run, s->psi);
    if (!perp_run_next(run, s->x, s->y))
      return;
    if (s->mu > 0) {
      follow(s);
      continue;
    }
    const perp_outcome ending = is_slow(s) ? PERP_STAGNATED : advance(s);
    if (ending == PERP_NOT_RUN) {
      accept(s);
    } else if (s->started < s->par->restarts && s->psi > NOISE * s->psi_first) {
      restart(s);
    } else {
      perp_run_claim(run, ending);
      return;
    }
  }
}

static perp_error solve(perp_run *run, const perp_problem *problem, const void *params, double *x)
{
  const minmap_parameters *par = params;
  (void)problem;
  state s;
  const perp_error error = begin(run, par, x, &s);
  if (!error && !perp_run_expired(run)) {
    if (par->smooth == YES || (par->smooth == AUTO && !perp_linear_is_direct(s.system)))
      smooth(&s);
    iterate(run, &s);
  }
  perp_linear_close(s.system);
  return error;
}

const perp_method perp_method_minmap = {
    .name = "minmap",
    .title = "Newton on the minimum map",
    .family = "newton",
    .source = "erleben-2013",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .iteration = "p_N = bound - x_N; A_FF p_F = -y_F - A_FN p_N; x <- P(x + t p)",
    .works = "P0 matrices, among them positive semi-definite ones; most contact problems",
    .max_iterations = 500,
    PERP_SOLVES_WITH(minmap_parameters),
};
