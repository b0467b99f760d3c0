/* pgssm.c: projected Gauss-Seidel with subspace minimisation (Morales, Nocedal, Smelyanskiy 2008)
 *
 * A few sweeps guess the rows at their bounds; linear systems in the other rows, solved and
 * projected several times with fewer and fewer rows, correct the guess. One cycle, for
 * lo <= x <= hi and phi(x) = 1/2 x^T A x + b^T x:
 *
 *   1. z^0 = k_gs projected Gauss-Seidel sweeps from x;
 *   2. F = { i : z_i and z_i - gamma y_i / A_ii inside (lo_i, hi_i) }, at z = z^0;
 *        A_FF p_F = -(A z + b)_F,  p = 0 elsewhere         z + p minimises phi over z + R^F
 *        the first time:  z^b = z^0 + alpha p, alpha <= 1 as large as the box allows
 *        z <- P(z + p); rows that the projection P puts on a bound leave F;
 *      repeated until P changes nothing, at most k_sm times; z^s is the last z;
 *   3. x <- z^s, or z^b if that has the lower phi; but z^s may give back half of the gain of the
 *      gained.
 *
 * Caution. The authors leave rows closer than some epsilon to a bound out of F, and so permanently
 * exclude a row whose solution is just above its bound. Here F excludes a row if y would move it to
 * its bound in gamma more sweeps: a missing row costs sweeps, a surplus row may cost hundreds of
 * right ones (docs/theory/subspace.md).
 *
 * Acceleration. With g = z - x the step of a sweep, beta = |g|^2 / |g before|^2,
 *
 *   x <- P(z + beta p),  p <- beta p + g,   p = 0 if beta > 1
 *
 * (Silcowitz-Hansen, Niebe and Erleben 2010) finds the rows at bounds in a quarter of the sweeps.
 * The last sweep is plain. A plain sweep lowers phi by at least 1/2 sum A_ii g_i^2, since clamping
 * x_i only shortens d in |y_i| |d| - 1/2 A_ii d^2, |y_i| >= A_ii |d|. If all accelerated sweeps
 * together gain less than half of that, g being the first step, plain sweeps replace them. Sweeps
 * end early when few rows change sides.
 *
 * Descent. phi falls in a cycle by at least half of the gain of its sweeps, so for symmetric
 * positive definite A x converges to the solution (docs/theory/subspace.md). The authors use z^b
 * whenever it is lower. A minimiser over a nearly right face often has a slightly higher phi than
 * z^0 and still leads to the right face, which sweeps find slowly. phi(z^s) is computed by
 *
 *   phi(z) - phi(z^0) = 1/2 (z - z^0)^T (y(z) + y(z^0)),        y(z) = A z + b,
 *
 * which avoids the cancellation of two large values.
 *
 * Damping. If A_FF is nearly singular and F still wrong, p is long in the near null space, z^s is
 * rejected and z^b stops at the first bound. So after a cycle that ended with z^b, the systems of
 * the next cycle are damped,
 *
 *   (A_FF + theta diag(A_FF)) p_F = -y_F,
 *
 * theta being ten times larger than before; after a cycle with z^s it falls to a third, and to 0
 * once a first step meets no bound. With theta > 0, c = -p^T y is larger than p^T A p, so the
 * formula for phi(z^b) becomes an upper bound, and the descent argument holds. Damping is not in
 * the paper: without it the method stalls on walls that carry load; if F is soon right theta stays
 * 0.
 *
 * When A_FF is first found singular theta begins at 1e-4. With 1e-10, enough to factor it, each
 * surplus row in F would give p a component of 1e10 y in the null space, and the cycle would fail.
 * Standing walls without friction still take 6 to 27 factors: the contacts of a brick can carry its
 * weight in many ways, and sweeps do not show which contacts the next face needs.
 *
 * Finite end. Let no y*_i be zero at a bound. Near x* a sweep puts the rows at bounds back on them,
 * since y_i is near y*_i and x_i - y_i / A_ii is beyond the bound; the other rows are near x*_i,
 * inside the box. So from some cycle on F is F* = { i : lo_i < x*_i < hi_i } and z = z^0 at the
 * bounds is x*: with theta = 0 the solution of A_F*F* p = -y is x* - z^0, P changes nothing, and
 * one solve gives the solution.
 *
 * If A is not symmetric, or c < 0 shows that it is not positive semi-definite, phi does not measure
 * progress, and the natural residual decides between z^s and z^b; convergence is then not
 * guaranteed.
 *
 * kz is the two-step method of Kocvara and Zowe (1994): sweeps, then one subspace minimisation from
 * which x returns to the box along the straight line: k_sm = 1, and always z^b. Each cycle lowers
 * the energy, but a step may end at the first bound it meets, so that rows join the bounds one by
 * one: on ill-conditioned problems hundreds of systems take the place of ten.
 *
 * With friction, by index or by cones, friction_cycles.c has the cycles and reads only the
 * parameters k_gs (0: 200), k_sm and accelerate.
 *
 * Every iterate shown is in the box: z^0, each z after its projection, x. Cost of a cycle: k_gs
 * sweeps, up to k_sm factors or updates of one, and one more product with A than systems.
 * Workspace: 7 n, 2 n integers and the systems'. */
#include "method/subspace/pgssm.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/run/certificate.h"
#include "set/set.h"

typedef struct {
  int k_gs, k_sm, accelerate, backtrack, solver, precondition;
  double caution;
} pgssm_parameters;

#define SYSTEMS                                                                                    \
  PERP_CHOICE(pgssm_parameters, solver, PERP_LINEAR_AUTO, PERP_LINEAR_GMRES, perp_linear_solvers,  \
              "solver of the subspace systems"),                                                   \
      PERP_CHOICE(pgssm_parameters, precondition, PERP_PRECONDITION_AUTO, PERP_PRECONDITION_MG,    \
                  perp_linear_preconditioners, "preconditioner of the Krylov solvers")

static const double CG_TOL = 1e-4; /* relative residual at which Krylov solvers end */

static const perp_parameter pgssm[] = {
    PERP_INTEGER(pgssm_parameters, k_gs, 0, 0, 10000,
                 "sweeps in a cycle; 0: for about the time of a factorisation"),
    PERP_INTEGER(pgssm_parameters, k_sm, 5, 0, 10000,
                 "largest number of subspace minimisations in a cycle; 0: only sweeps"),
    PERP_FLAG(pgssm_parameters, accelerate, 1, "conjugate directions over the sweeps"),
    PERP_REAL(
        pgssm_parameters, caution, 300, 0, 1e9,
        "hold rows that this number of further sweeps would take to a bound; 0: as published"),
    SYSTEMS,
    {0},
};
static const perp_parameter kz[] = {
    PERP_INTEGER(pgssm_parameters, k_gs, 5, 1, 10000, "sweeps in a cycle"),
    SYSTEMS,
    {0},
};

typedef struct cycle {
  perp_run *run;
  const pgssm_parameters *par;
  int n;
  double *x;             /* the iterate: z */
  double *y;             /* A z + b */
  double *start, *slope; /* z^0 and its y */
  double *p;
  double *back; /* z^b */
  double *ray;  /* scratch of is_ray */
  double *lo, *hi;
  int *F, m;
  double phi;  /* phi(x) after the previous cycle, then phi(z^0) */
  double gain; /* by the sweeps of this cycle */
  int sweeps;  /* in this cycle */
  int full;    /* in a cycle that follows a failure */
  perp_relaxer *relaxer;
  perp_subspace system;
  bool by_phi;  /* A is symmetric, and no step showed negative curvature: phi measures progress */
  bool *inside; /* n: z_i was inside the box at the last call of look() */
} cycle;

static perp_error create(cycle *s, perp_run *run, const pgssm_parameters *par, double *x)
{
  const perp_problem *problem = run->problem;
  const size_t n = (size_t)problem->K.n;
  *s = (cycle){.run = run, .par = par, .n = problem->K.n, .x = x, .by_phi = true};
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->F, n), PERP_ARRAY(s->inside, n)) ||
      !PERP_TAKE_REALS(run->arena, n, &s->y, &s->start, &s->slope, &s->p, &s->back, &s->ray, &s->lo,
                       &s->hi))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&problem->K, s->lo, s->hi);
  return PERP_OK;
}

static bool is_inside(const cycle *s, int i, double z)
{
  return z > s->lo[i] && z < s->hi[i];
}

/* F <- the rows of z inside the box, except the rows that y would soon move to a bound. */
static void take_face(cycle *s)
{
  s->m = 0;
  for (int i = 0; i < s->n; i++) {
    const double d = s->system.diagonal[i];
    const double ahead = d > 0 ? s->x[i] - s->par->caution * s->y[i] / d : s->x[i];
    if (is_inside(s, i, s->x[i]) && is_inside(s, i, ahead))
      s->F[s->m++] = i;
  }
}

/* z^b = z^0 + alpha p. Returns phi(z^b) - phi(z^0) = -alpha (1 - alpha/2) c. */
static double backtrack(cycle *s)
{
  double alpha = 1, c = 0;
  int stop = -1;
  for (int t = 0; t < s->m; t++) {
    const int i = s->F[t];
    const double p = s->p[i], room = p < 0 ? s->lo[i] - s->x[i] : s->hi[i] - s->x[i];
    c -= p * s->y[i];
    if (fabs(alpha * p) > fabs(room)) {
      alpha = room / p;
      stop = i;
    }
  }
  for (int i = 0; i < s->n; i++) {
    const double z = s->x[i] + alpha * s->p[i];
    s->back[i] = perp_clamp(z, s->lo[i], s->hi[i]); /* rounding */
  }
  if (stop >= 0)
    s->back[stop] = s->p[stop] < 0 ? s->lo[stop] : s->hi[stop];
  s->by_phi = s->by_phi && !(c < 0);
  return -alpha * (1 - alpha / 2) * c;
}

/* z <- P(z + p). Rows put on a bound leave F. Returns their number. */
static int project(cycle *s)
{
  int kept = 0;
  const int before = s->m;
  for (int t = 0; t < before; t++) {
    const int i = s->F[t];
    const double z = s->x[i] + s->p[i];
    s->x[i] = z <= s->lo[i] ? s->lo[i] : z >= s->hi[i] ? s->hi[i] : z;
    if (s->x[i] > s->lo[i] && s->x[i] < s->hi[i])
      s->F[kept++] = i;
  }
  s->m = kept;
  return before - kept;
}

static double energy(const cycle *s)
{
  const double *b = s->run->problem->b;
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += s->x[i] * (s->y[i] + b[i]);
  return sum / 2;
}

/* phi(z) - phi(z^0) */
static double phi_change(const cycle *s)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += (s->x[i] - s->start[i]) * (s->y[i] + s->slope[i]);
  return sum / 2;
}

/* The share of the gain of the sweeps that z^s may give back. */
static const double GIVEN_BACK = 0.5;

/* theta when A_FF is first found singular. */
static const double SINGULAR = 1e-4;

/* x <- z^b if z^b is better. */
static void choose(cycle *s, double phi_back)
{
  const double phi = phi_change(s);
  bool take = s->par->backtrack;
  if (!take && s->by_phi) {
    take = phi > perp_max(phi_back, GIVEN_BACK * s->gain);
  } else if (!take) {
    const double here = perp_problem_residual(s->run->problem, s->x, s->y);
    perp_run_gradient(s->run, s->back, s->y);
    take = here > perp_problem_residual(s->run->problem, s->back, s->y);
  }
  if (!s->par->backtrack)
    perp_subspace_damp(&s->system, take);
  /* after a minimised face few rows are wrong, and sweeps undo its progress in the others */
  if (s->par->k_gs == 0)
    s->sweeps = take || s->full < 50 ? s->full : s->full / 5;
  s->phi += take ? phi_back : phi;
  if (take) {
    perp_copy(s->n, s->back, s->x);
    s->run->count.restarts++;
  }
}

/* Returns true if p proves that there is no solution: phi falls without bound along p and no bound
 * is in the way. u is then p without its components outside the null space of A_FF. This can happen
 * only if the diagonal had to be raised. */
static bool is_ray(cycle *s)
{
  if (s->system.level == 0 || !s->by_phi)
    return false;
  double *u = s->ray;
  for (int pass = 0; pass < 2; pass++) {
    const double *const p = pass ? u : s->p;
    const double top = perp_norm_inf(s->n, p);
    for (int i = 0; i < s->n; i++) {
      u[i] = p[i] / top;
      if (!(u[i] >= -1e-6))
        return false;
      u[i] = u[i] < 1e-6 ? 0 : u[i];
    }
    if (pass == 0 && !perp_subspace_purify(&s->system, u))
      return false;
  }
  return perp_certificate_claim(s->run, u);
}

/* Steps 2 and 3. Sets *go_on to false if the run has ended. */
static perp_error minimise(cycle *s, bool *go_on)
{
  double phi_back = 0;
  const double phi = energy(s);
  s->gain = s->phi - phi - 1e-12 * fabs(phi);
  s->phi = phi;
  perp_copy(s->n, s->x, s->start);
  perp_copy(s->n, s->x, s->back); /* if no row is free, or no step is found */
  perp_copy(s->n, s->y, s->slope);
  take_face(s);
  for (int k = 0; k < s->par->k_sm && s->m > 0; k++) {
    bool found;
    const perp_error error = perp_subspace_step(&s->system, s->m, s->F, s->y, CG_TOL, s->p, &found);
    if (error)
      return error;
    *go_on = !perp_run_expired(s->run);
    if (!found || !*go_on)
      break;
    s->by_phi = s->by_phi && s->system.symmetric;
    if (k == 0)
      phi_back = backtrack(s);
    const int clamped = project(s);
    if (clamped == 0 && is_ray(s)) {
      *go_on = false;
      return PERP_OK;
    }
    perp_run_gradient(s->run, s->x, s->y);
    *go_on = perp_run_next(s->run, s->x, s->y);
    if (clamped == 0 && k == 0)
      s->system.damping = 0; /* F is probably right */
    if (!*go_on || clamped == 0)
      break;
  }
  if (*go_on)
    choose(s, phi_back);
  return PERP_OK;
}

/* Returns the number of sweeps that take about as long as a factor: cheap sweeps settle rows that
 * would otherwise need another factor. */
static int balanced_sweeps(const cycle *s)
{
  enum { LEAST = 5, UNKNOWN = 20, MOST = 200 };
  const double entries = (double)s->run->problem->A->nonzeros;
  const double flops = perp_subspace_flops(&s->system);
  if (!(entries > 0) || !(flops > 0))
    return UNKNOWN;
  const double count = 1.5 * flops / entries;
  return count < LEAST ? LEAST : count > MOST ? MOST : (int)count;
}

/* Returns the number of rows that changed sides since the last call. */
static int look(cycle *s)
{
  int changes = 0;
  for (int i = 0; i < s->n; i++) {
    const bool inside = is_inside(s, i, s->x[i]);
    changes += inside != s->inside[i];
    s->inside[i] = inside;
  }
  return changes;
}

/* x <- P(z + beta p), p <- beta p + g after a sweep from `before` to z = x; *last <- |g|^2. Leaves
 * g in `before`. */
static void extrapolate(cycle *s, double *before, double *last)
{
  double *const p = s->p, now = 0;
  perp_relaxer_store(s->relaxer);
  for (int i = 0; i < s->n; i++) {
    before[i] = s->x[i] - before[i];
    now += before[i] * before[i];
  }
  const double beta = *last > 0 ? now / *last : 0;
  *last = now;
  if (!(beta <= 1)) {
    perp_fill(s->n, 0, p);
    return;
  }
  for (int i = 0; i < s->n; i++) {
    const double ahead = beta * p[i], z = s->x[i] + ahead;
    s->x[i] = perp_clamp(z, s->lo[i], s->hi[i]);
    p[i] = ahead + before[i];
  }
  perp_relaxer_load(s->relaxer);
}

/* Makes the sweeps from x. Returns the gain that they must reach. */
static double sweep(cycle *s, bool accelerate)
{
  enum { FEW_ROWS = 100 }; /* below this number a sweep is cheaper than reading the clock */
  enum { LOOK_EVERY = 20 };
  const int settled = s->par->k_gs == 0 ? s->n / 500 : -1;
  double last = 0, gain = 0, *const before = s->back;
  bool end = false;
  perp_fill(s->n, 0, s->p);
  perp_relaxer_load(s->relaxer);
  for (int k = 0; !end; k++) {
    end = k + 1 >= s->sweeps || (s->n >= FEW_ROWS && perp_run_expired(s->run));
    if (accelerate) {
      if (k % LOOK_EVERY == 0 && look(s) <= settled && k > 0)
        end = true;
      perp_copy(s->n, s->x, before);
    }
    perp_relax(s->relaxer, 1, PERP_FORWARD);
    s->run->count.sweeps++;
    if (!accelerate || end)
      continue;
    extrapolate(s, before, &last);
    if (k == 0) /* half of 1/2 sum A_ii g_i^2 */
      for (int i = 0; i < s->n; i++)
        gain += s->system.diagonal[i] * before[i] * before[i] / 4;
  }
  perp_relaxer_store(s->relaxer);
  return gain;
}

/* Step 1. */
static void identify(cycle *s)
{
  const bool accelerate = s->par->accelerate && s->by_phi && s->system.symmetric && s->sweeps > 2;
  perp_copy(s->n, s->x, s->start);
  const double gain = sweep(s, accelerate);
  perp_run_gradient(s->run, s->x, s->y);
  if (!accelerate || s->phi - energy(s) >= gain)
    return;
  perp_copy(s->n, s->start, s->x);
  sweep(s, false);
  perp_run_gradient(s->run, s->x, s->y);
}

static perp_error run_cycles(cycle *s)
{
  perp_run *run = s->run;
  perp_error error = perp_run_relaxer(run, s->x, 1u << PERP_FORWARD, &s->relaxer);
  if (error)
    return error;
  perp_set_project(&run->problem->K, s->x, s->x);
  const perp_linear_plan systems = {
      .solver = (perp_linear_solver)s->par->solver,
      .preconditioner = (perp_linear_preconditioner)s->par->precondition,
      .factor_grids = true, /* a factor outlives many sets of rows */
  };
  error = perp_subspace_open(&s->system, run, &systems);
  s->system.first_damping = s->par->backtrack ? 0 : SINGULAR;
  if (!error)
    s->sweeps = s->full = s->par->k_gs > 0 ? s->par->k_gs : balanced_sweeps(s);
  bool go_on = true;
  perp_run_gradient(run, s->x, s->y); /* x was projected */
  s->phi = energy(s);
  while (!error && go_on) {
    identify(s);
    run->count.cycles++;
    go_on = perp_run_next(run, s->x, s->y);
    if (go_on)
      error = minimise(s, &go_on);
  }
  perp_subspace_close(&s->system);
  return error;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  enum { FRICTION_SWEEPS = 200 };
  const pgssm_parameters *par = params;
  if (perp_set_form(&p->K) >= PERP_FORM_FINDEX)
    return perp_subspace_friction(run, par->k_gs > 0 ? par->k_gs : FRICTION_SWEEPS, par->k_sm,
                                  par->accelerate, x);
  cycle s;
  const perp_error error = create(&s, run, par, x);
  if (error)
    return error;
  perp_run_gradient(run, x, s.y);
  return perp_run_next(run, x, s.y) ? run_cycles(&s) : PERP_OK;
}

#define CYCLES                                                                                     \
  .family = "subspace", .needs = PERP_CAN_RELAX, .max_iterations = 10000,                          \
  .parameter_bytes = sizeof(pgssm_parameters), .solve = solve

const perp_method perp_method_pgssm = {
    CYCLES,
    .takes = PERP_TAKES_ALL,
    .works = "symmetric positive (semi-)definite A with a positive diagonal; friction mostly",
    .name = "pgssm",
    .title = "projected Gauss-Seidel with subspace minimisation",
    .source = "morales-nocedal-smelyanskiy-2008",
    .iteration = "Gauss-Seidel sweeps, then A_FF p = -y_F, x <- P(x + p), F smaller, a few times",
    .parameters = pgssm,
};

const perp_method perp_method_kz = {
    CYCLES,
    .takes = PERP_TAKES_BOXES,
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .name = "kz",
    .title = "sweeps and one subspace minimisation with backtracking",
    .source = "kocvara-zowe-1994",
    .iteration = "Gauss-Seidel sweeps, then A_FF p = -y_F, x <- x + alpha p as far as the box goes",
    .parameters = kz,
    .preset = &(const pgssm_parameters){.k_sm = 1, .backtrack = true},
};
