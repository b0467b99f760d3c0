/* pgssm.c: projected Gauss-Seidel with subspace minimisation (Morales, Nocedal, Smelyanskiy 2008)
 *
 * A few sweeps guess which rows are at their bounds; systems in the others, solved and projected
 * several times over with ever fewer rows, mend the guess. One cycle, for lo <= x <= hi and
 * phi(x) = 1/2 x^T A x + b^T x:
 *
 *   1. z^0 = k_gs projected Gauss-Seidel sweeps from x;
 *   2. F = { i : z_i and z_i - gamma y_i / A_ii inside (lo_i, hi_i) }, at z = z^0;
 *        A_FF p_F = -(A z + b)_F,  p = 0 elsewhere         z + p minimises phi over z + R^F
 *        the first time:  z^b = z^0 + alpha p, alpha <= 1 as large as the box allows
 *        z <- P(z + p), and what the projection P put on a bound leaves F;
 *      again, until P changed nothing, k_sm times at the most; z^s is the last z;
 *   3. x <- z^s, or z^b if that has the lower phi; but z^s may give back half of what the sweeps
 *      gained.
 *
 * Caution. The authors leave rows nearer than some epsilon to a bound out of F, and with them, for
 * ever, a row that a solution holds just above its bound. Here a row is left out that y would take
 * to its bound in gamma more sweeps. The two mistakes are not alike: rows that F lacks are found by
 * the next sweeps, but if contacts are redundant one row too many asks for what the others forbid,
 * A_FF answers with p of the size of 1 / lambda_min, and P clears right rows away by the hundred. A
 * right row is not left out for ever, since its y_i vanishes as x comes near x* and its distance
 * from the bound does not.
 *
 * Acceleration. With g = z - x the step of a sweep, beta = |g|^2 / |g before|^2,
 *
 *   x <- P(z + beta p),  p <- beta p + g,   p = 0 if beta > 1
 *
 * (Silcowitz-Hansen, Niebe and Erleben 2010) finds the rows at bounds in a quarter of the sweeps.
 * The last sweep is plain. A plain sweep lowers phi by at least 1/2 sum A_ii g_i^2, for what takes
 * x_i from the way to its minimum only shortens d in |y_i| |d| - 1/2 A_ii d^2, |y_i| >= A_ii |d|.
 * If all of them together gained less than half of that, g being the first step, plain sweeps are
 * made instead. Sweeps end early when hardly a row has changed sides for a while.
 *
 * Descent. c = p^T A p = -p^T y, so phi(z^b) - phi(z^0) = -alpha (1 - alpha/2) c <= 0; each sweep
 * minimises phi over one x_i after another, or else as said above; and phi falls in a cycle by at
 * least half of what its sweeps gain. For symmetric positive definite A the iterates stay in a
 * level set of phi, the gain of the sweeps vanishes in the limit, and since it is a continuous
 * function of x that vanishes at fixed points of the sweep alone, x converges to the solution x*.
 * (The authors take z^b whenever it is lower. A minimiser over a face that is nearly right is often
 * a little higher than z^0, and yet leads to the right face, which more sweeps find slowly.)
 * phi(z^s) itself is taken as
 *
 *   phi(z) - phi(z^0) = 1/2 (z - z^0)^T (y(z) + y(z^0)),        y(z) = A z + b,
 *
 * which does not lose the difference of two large numbers as the values would.
 *
 * Damping. If A_FF is nearly singular and F still wrong, p runs far along what is nearly its null
 * space, z^s is thrown away and z^b ends at once at a bound. So whenever z^b was taken, the systems
 * of the next cycle are damped,
 *
 *   (A_FF + theta diag(A_FF)) p_F = -y_F,
 *
 * theta ten times larger than before; if z^s was taken it falls to a third, and to 0 as soon as a
 * first step meets no bound. With theta > 0 c = -p^T y is more than p^T A p, so that the formula
 * for phi(z^b) becomes an upper bound, and all that is said of descent holds. This is ours: without
 * it the method stands still on walls that carry load; if F is soon right theta stays 0.
 *
 * When A_FF is first found singular theta begins at 1e-4. With 1e-10, enough to factor it, p would
 * be of the size of 1e10 y along the null space for each row too many in F, and the cycle is lost.
 * Standing walls without friction make 6 to 27 factors all the same: the contacts of a brick carry its
 * weight in many ways, and sweeps do not tell which of them the next face should have.
 *
 * Finite end. Let no y*_i be zero at a bound. Near x* a sweep puts those rows back on their bound,
 * for x_i - y_i / A_ii lies beyond it as y_i is near y*_i; the others are near x*_i, inside the box
 * where x*_i is. So from some cycle on F is F* = { i : lo_i < x*_i < hi_i } and z = z^0 at the
 * bounds is x*: with theta = 0 the solution of A_F*F* p = -y is x* - z^0, P changes nothing, and
 * one solve ends it.
 *
 * If A is not symmetric, or c < 0 shows that it is not positive semi-definite, phi is no guide
 * and the natural residual decides between z^s and z^b instead; nothing is promised then.
 *
 * kz is the two-step method of Kocvara and Zowe (1994): sweeps, then one subspace minimisation from
 * which x goes back into the box along the straight line: k_sm = 1 and the point z^b always. Each
 * cycle lowers the energy, but a step may end at the first bound it meets, so that rows join the
 * bounds one by one: on ill-conditioned problems hundreds of systems take the place of ten.
 *
 * With friction, by index or by cones, cycles are those of friction_cycles.c; of the parameters k_gs (0: 200),
 * k_sm and accelerate are read.
 *
 * Every iterate shown lies in the box: z^0, each z after its projection, x. Cost: a cycle takes
 * k_gs sweeps, up to k_sm factors or updates of one, and as many products with A and one more.
 * Workspace: 7 n, 2 n integers and that of the systems. */
#include "method/subspace/pgssm.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/run/certificate.h"
#include "set/set.h"

typedef struct {
  int k_gs, k_sm, accelerate, backtrack, choice, solver, precondition;
  double caution, cg_tol;
} pgssm_parameters;

#define SYSTEMS                                                                                    \
  PERP_CHOICE(pgssm_parameters, solver, PERP_LINEAR_AUTO, 5, perp_linear_solvers,                  \
              "of the subspace systems"),                                                          \
      PERP_CHOICE(pgssm_parameters, precondition, PERP_PRECONDITION_AUTO, 7,                       \
                  perp_linear_preconditioners, "of Krylov solvers"),                               \
      PERP_REAL(pgssm_parameters, cg_tol, 1e-4, 1e-14, 0.9,                                        \
                "relative residual at which Krylov solvers end")

/* What decides between z^s and z^b; auto: phi as long as A is symmetric and no step shows negative
 * curvature. */
enum { CHOICE_AUTO, CHOICE_PHI, CHOICE_RESIDUAL };
static const char *const choices[] = {"auto", "phi", "residual", NULL};

static const perp_parameter pgssm[] = {
    PERP_INTEGER(pgssm_parameters, k_gs, 0, 0, 10000,
                 "sweeps in a cycle; 0: as many as take about as long as a factor"),
    PERP_INTEGER(pgssm_parameters, k_sm, 5, 0, 10000,
                 "subspace minimisations in a cycle at the most; 0: sweeps alone"),
    PERP_FLAG(pgssm_parameters, accelerate, 1, "conjugate directions over the sweeps"),
    PERP_REAL(
        pgssm_parameters, caution, 300, 0, 1e9,
        "rows that so many more sweeps would take to a bound are held there; 0: as published"),
    PERP_CHOICE(pgssm_parameters, choice, CHOICE_AUTO, 2, choices,
                "what decides between z^s and the safeguard z^b"),
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
  double phi;  /* of x at the end of the cycle before, then of z^0 */
  double gain; /* by the sweeps of this cycle */
  int sweeps;  /* in this cycle */
  int full;    /* in one that follows no success */
  perp_relaxer *relaxer;
  perp_subspace system;
  bool by_phi;  /* the choice */
  bool *inside; /* n: z_i was inside the box at the last look */
} cycle;

static perp_error create(cycle *s, perp_run *run, const pgssm_parameters *par, double *x)
{
  const perp_problem *problem = run->problem;
  const size_t n = (size_t)problem->K.n;
  *s = (cycle){
      .run = run, .par = par, .n = problem->K.n, .x = x, .by_phi = par->choice != CHOICE_RESIDUAL};
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

/* F <- the rows of z inside the box, but for those that y takes to a bound before long. */
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

/* z^b = z^0 + alpha p; returns phi(z^b) - phi(z^0) = -alpha (1 - alpha/2) c. */
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
  if (c < 0 && s->par->choice == CHOICE_AUTO)
    s->by_phi = false;
  return -alpha * (1 - alpha / 2) * c;
}

/* z <- P(z + p); returns how many rows were put on a bound: they leave F. */
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

/* The share of what the sweeps of a cycle gained that z^s may give back. */
static const double GIVEN_BACK = 0.5;

/* theta when a singular A_FF is first met. */
static const double SINGULAR = 1e-4;

/* x <- z^b if that is the better one. */
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
  /* few rows are wrong after a face was minimised, and sweeps undo what it did for the others */
  if (s->par->k_gs == 0)
    s->sweeps = take || s->full < 50 ? s->full : s->full / 5;
  s->phi += take ? phi_back : phi;
  if (take) {
    perp_copy(s->n, s->back, s->x);
    s->run->count.restarts++;
  }
}

/* A step with nothing in its way, along which phi falls for ever, shows that there is no solution;
 * u is then p itself, but for what is not in the null space of A_FF. Only if the diagonal had to be
 * raised is that possible. */
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

/* Steps 2 and 3. False: the run has ended. */
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
    const perp_error error =
        perp_subspace_step(&s->system, s->m, s->F, s->y, s->par->cg_tol, s->p, &found);
    if (error)
      return error;
    *go_on = !perp_run_expired(s->run);
    if (!found || !*go_on)
      break;
    if (!s->system.symmetric && s->par->choice == CHOICE_AUTO)
      s->by_phi = false;
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
      s->system.damping = 0; /* F is, it seems, the right one */
    if (!*go_on || clamped == 0)
      break;
  }
  if (*go_on)
    choose(s, phi_back);
  return PERP_OK;
}

/* As many sweeps as take about as long as a factor: they settle rows that a factor would have to be
 * made for, but each costs little. */
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

/* Rows that changed sides since the last call. */
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

/* x <- P(z + beta p), p <- beta p + g after a sweep from `before` to z = x; `last` becomes |g|^2.
 * g is left in `before`. */
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

/* Sweeps from x; returns what they have to gain. */
static double sweep(cycle *s, bool accelerate)
{
  enum { FEW_ROWS = 100 }; /* whose sweeps take less time than a look at the clock is worth */
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

static perp_error with_friction(perp_run *run, const pgssm_parameters *par, double *x)
{
  enum { SWEEPS = 200 };
  const perp_cycle_plan plan = {.sweeps = par->k_gs > 0 ? par->k_gs : SWEEPS,
                                .factors = par->k_sm,
                                .accelerate = par->accelerate};
  return perp_subspace_friction(run, &plan, x);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  if (perp_set_form(&p->K) >= PERP_FORM_FINDEX)
    return with_friction(run, params, x);
  cycle s;
  const perp_error error = create(&s, run, params, x);
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
