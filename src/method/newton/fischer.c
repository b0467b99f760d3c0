/* fischer.c: Newton's method on the equations of Fischer and Burmeister, for LCP and boxed problems
 *
 *   F_i(x) = x_i + y_i - sqrt(x_i^2 + y_i^2) = 0   <=>   0 <= x_i _|_ y_i >= 0,     y = A x + b
 *
 * with boxes by Billups's nesting (fischer_map.h). F is strongly semismooth and theta = 1/2 |F|^2
 * is continuously differentiable. With J = D_p + D_q A from the generalised Jacobian and steps that
 * lower theta (below), convergence is quadratic if all such J are regular at the solution: if
 * A_aa is regular for the rows a with x > 0, and its Schur complement in the rows with x = y = 0 is
 * a P-matrix (De Luca, Facchinei, Kanzow 1996). Positive semi-definite A may be singular: a
 * regularisation that vanishes with F keeps the steps short.
 *
 * `strategy` chooses J if x_i = y_i = 0; with "approximation" J is never formed, and A is used only
 * in products.
 *
 * pfischer solves penalised equations (Chen, Chen, Kanzow 2000),
 *
 *   F_i(x) = lambda (x_i + y_i - sqrt(x_i^2 + y_i^2)) + (1 - lambda) x_i+ y_i+ = 0,
 *
 * which for lambda = 1 are the equations of fischer. If x_i and y_i are both large and positive the
 * Fischer-Burmeister function grows like the smaller of them; the added product grows with both, so
 * that the level sets of theta are bounded for every monotone problem with a strictly feasible
 * point. The price is a function that is no longer homogeneous: lambda weighs the two in the unit
 * of fischer_map.h, in which max |b_i| / sqrt(A_ii) is one.
 *
 * Steps.
 *
 *   (D_p + D_q (A + epsilon diag A)) dx = -F(x)
 *   x <- x + t dx,   t = 1, beta, beta^2, ...:   theta(x + t dx) <= reference + alpha t F^T J dx
 *
 * reference is the largest theta of the last iterates (Grippo, Lampariello, Lucidi 1986). dx is a
 * direction of descent if |F + J dx| < |F|. y is affine in x, so a search costs no product with A.
 *
 * epsilon = damping min(1, |F| / |F(0)|): it vanishes with F, so that convergence stays quadratic
 * if J is regular at the solution and superlinear if it is not but |F| bounds the distance to the
 * solutions. If epsilon is too small, theta soon rises along dx and t is short: damping grows
 * tenfold. If epsilon shortens dx, so that |F + J dx| is above 0.1 |F| for a full step, damping
 * falls.
 *
 * If this fails, the direction is -grad theta, which needs A^T. Convergence: every limit point is
 * stationary for theta (De Luca, Facchinei, Kanzow 1996), and stationary points are solutions for P0
 * matrices, among them the positive semi-definite. One step: mostly one factorisation. Workspace:
 * 16 n and the factor.
 *
 * Directions. J = D_p + D_q A is not symmetric even if A is, but its relevant part can be made so:
 * dividing row i by q_i > 0 in the rows F gives
 *
 *   (A_FF + D_q^-1 D_p) dx_F = -D_q^-1 F_F - A_FC dx_C,       dx_C = -D_p^-1 F_C,
 *
 * which is A_FF plus a nonnegative diagonal. C holds the rows with q_i size_i small relative to
 * p_i, size = diag A; there q_i (A dx)_i is neglected at first. If x_i is at a bound and y_i is
 * well away from zero, q_i is O(x_i^2): most such rows are in C, and the system has only the
 * others. Refinement restores the neglected terms: it solves the same system for the residual F + J
 * dx, which shrinks by the factor that defines C.
 *
 * epsilon > 0 replaces A by A + epsilon diag(size), Tikhonov's regularisation (Facchinei, Kanzow
 * 1999): with it the system is regular for every positive semi-definite A, and dx no longer than
 * the residual over epsilon.
 *
 * Cost: a factorisation in F, and a product with A for each refinement; or Krylov steps. */
#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "method/newton/fischer_map.h"
#include "method/newton/newton.h"

#include <float.h>

typedef struct fischer_parameters {
  perp_newton_parameters newton;
  int strategy;
  double lambda;
  int weighted;
  int window;
  int restarts;
} fischer_parameters;

static const char *const strategy_words[] = {"random",        "zero",     "perturbation",
                                             "approximation", "analytic", NULL};

enum { WINDOW = 32 };

#define DESCENT_PARAMETERS                                                                         \
  PERP_CHOICE(fischer_parameters, strategy, PERP_STRATEGY_ANALYTIC, 4, strategy_words,             \
              "element of the Jacobian where x_i is at a bound and y_i = 0"),                      \
      PERP_FLAG(fischer_parameters, weighted, 1, "bring x and y to the same size by diag(A)"),     \
      PERP_INTEGER(fischer_parameters, window, 5, 1, WINDOW,                                       \
                   "number of earlier iterates that a new one is compared with; 1: monotone"),     \
      PERP_INTEGER(fischer_parameters, restarts, 3, 0, 1000,                                       \
                   "restarts from perturbed points after stagnation")

static const perp_parameter plain[] = {
    PERP_NEWTON_PARAMETERS,
    DESCENT_PARAMETERS,
    {0},
};
static const perp_parameter penalised[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_REAL(fischer_parameters, lambda, 0.95, 0.01, 1,
              "weight of the Fischer-Burmeister part; 1: no penalty"),
    DESCENT_PARAMETERS,
    {0},
};

/* A direction of descent for theta. */
typedef struct direction {
  perp_map *map;
  perp_linear_system *system; /* NULL: J v by differences */
  const double *x, *F;        /* the caller's current point and F there */
  double *dx, *Adx;           /* the direction, and A times it */
  double slope;               /* of theta along it: F^T J dx */
  double *size;               /* n: |A_ii|, or their mean if that is 0 */
  double *r, *z, *d;          /* n each */
  int *rows;
  /* differences */
  double length; /* h |v| */
  int restart;
  double *xh, *yh; /* n each */
  double *krylov;  /* of GMRES */
} direction;

typedef struct descent {
  perp_run *run;
  const fischer_parameters *par;
  perp_map map;
  direction direction;
  int n;
  double *x; /* the caller's */
  double *y, *F;
  double theta;
  double damping; /* of the regularisation */
  double eta;     /* the last forcing term, and its |F| */
  double before;
  double recent[WINDOW]; /* theta of the last iterates */
  int count;             /* iterates in `recent` */
  bool monotone;         /* for any window */
  double *new_x, *new_y, *new_F;
  double new_theta;
  bool descends; /* the last step had a direction of descent */
} descent;

enum { TRIES = 4 };

static const double SHORT = 1e-2; /* a shorter t tries another epsilon first */
static const double FIRST = 1e-3, LEAST = 1e-8, MOST = 1e3; /* damping */

enum { REFINEMENTS = 4 };

static const double SMALL = 1e-5; /* row i is in C if q_i size_i <= SMALL p_i */

/* size_i <- |A_ii|; the mean of |A_jj| replaces a zero, or 1 if all are zero. */
static void set_size(const perp_operator *A, int n, double *size)
{
  const bool has = perp_operator_diagonal(A, size, NULL) == PERP_OK;
  const double sum = has ? perp_norm1(n, size) / n : 0;
  const double mean = sum > 0 && isfinite(sum) ? sum : 1;
  for (int i = 0; i < n; i++)
    size[i] = has && size[i] != 0 ? fabs(size[i]) : mean;
}

/* ---- Differences ----
 *
 *   J v ~ (F(x + h v) - F(x)) / h,      h |v| = sqrt(epsilon) max(|x|, 1)
 *
 * for GMRES (Saad, Schultz 1986; Brown, Saad 1990), which uses A only through y = A x + b. At a
 * point without a derivative this is the directional derivative, which is not linear in v: GMRES
 * then minimises over the products it has seen, and the directional derivative itself decides about
 * descent. One product with A for each J v. Workspace: GMRES's, (2 restart + 1) n and more. */
enum { RESTART = 60 };

static perp_error open_difference(direction *s)
{
  perp_run *run = s->map->run;
  const int n = s->map->n;
  s->restart = n < RESTART ? (n > 0 ? n : 1) : RESTART;
  return PERP_TAKE(run->arena, PERP_ARRAY(s->xh, n), PERP_ARRAY(s->yh, n),
                   PERP_ARRAY(s->krylov, perp_gmres_work(n, s->restart)))
             ? PERP_OK
             : perp_run_no_memory(run);
}

/* Jv <- (F(x + h v) - F(x)) / h; a perp_product. */
static void difference_product(void *context, const double *v, double *Jv)
{
  direction *s = context;
  const int n = s->map->n;
  const double norm = perp_norm2(n, v);
  if (!(norm > 0) || !isfinite(norm)) {
    perp_fill(n, norm == 0 ? 0 : NAN, Jv);
    return;
  }
  const double h = s->length / norm;
  for (int i = 0; i < n; i++)
    s->xh[i] = s->x[i] + h * v[i];
  perp_run_gradient(s->map->run, s->xh, s->yh);
  perp_map_value(s->map, s->xh, s->yh, Jv);
  for (int i = 0; i < n; i++)
    Jv[i] = (Jv[i] - s->F[i]) / h;
}

static double solve_difference(direction *s, double eta)
{
  const int n = s->map->n;
  const double norm = perp_norm2(n, s->F);
  s->length = sqrt(DBL_EPSILON) * perp_max(perp_norm2(n, s->x), 1);
  perp_negate(n, s->F, s->z);
  perp_fill(n, 0, s->dx);
  const perp_krylov k = {.n = n,
                         .product = difference_product,
                         .context = s,
                         .alarm = perp_run_alarm(s->map->run),
                         .target = eta * norm,
                         .limit = 10 * RESTART};
  const perp_krylov_end end = perp_gmres(&k, s->restart, s->z, s->dx, s->krylov);
  s->map->run->count.solves += end.products;
  difference_product(s, s->dx, s->r);
  s->slope = perp_dot(n, s->F, s->r);
  perp_run_apply(s->map->run, s->dx, s->Adx);
  return end.residual / norm;
}

/* ---- Newton's direction ---- */

/* Opens the linear systems. They take the rest of the run's arena: take no lasting memory from it
 * afterwards. Close `system` whatever is returned. The caller sets x and F. */
static perp_error open_direction(perp_map *map, const perp_newton_parameters *par, direction *s)
{
  perp_run *run = map->run;
  const size_t n = (size_t)map->n;
  *s = (direction){.map = map};
  if (!PERP_TAKE_REALS(run->arena, n, &s->dx, &s->Adx, &s->r, &s->z, &s->d, &s->size) ||
      !PERP_TAKE_INTEGERS(run->arena, n, &s->rows))
    return perp_run_no_memory(run);
  set_size(run->problem->A, map->n, s->size);
  if (map->strategy == PERP_STRATEGY_APPROXIMATION)
    return open_difference(s);
  const perp_error error = perp_linear_open(
      run,
      &(perp_linear_plan){.solver = (perp_linear_solver)par->solver,
                          .preconditioner = (perp_linear_preconditioner)par->preconditioner},
      &s->system);
  if (!error)
    map->symmetric = perp_linear_is_symmetric(s->system);
  return error;
}

/* Lists the set F and sets d = p / q + epsilon in it. Returns the size of F. */
static int split(direction *s, double epsilon)
{
  const perp_map *map = s->map;
  int m = 0;
  for (int i = 0; i < map->n; i++)
    if (map->q[i] * s->size[i] > SMALL * map->p[i]) {
      s->rows[m++] = i;
      s->d[i] = map->p[i] / map->q[i] + epsilon * s->size[i];
    }
  return m;
}

/* z <- an approximate solution of J z = r by the reduced system. A Krylov solver leaves |residual|
 * <= eta |right|, which exceeds eta |r| if q is small in some rows; `tight` lowers its tolerance so
 * that |r| bounds the residual too. Returns false on failure. */
static bool reduce(direction *s, int m, const double *r, double eta, bool tight, double *z)
{
  perp_map *map = s->map;
  double *right = map->v, *Az = map->Av;
  double most = 0;
  bool moved = false;
  for (int i = 0, k = 0; i < map->n; i++) {
    const bool in = k < m && s->rows[k] == i;
    k += in;
    right[i] = in ? 0 : r[i] / map->p[i];
    moved = moved || right[i] != 0;
  }
  if (moved)
    perp_run_apply(map->run, right, Az);
  for (int k = 0; k < m; k++) {
    const int i = s->rows[k];
    right[i] = r[i] / map->q[i] - (moved ? Az[i] : 0);
    most = perp_max(most, map->q[i]);
  }
  double tol = perp_linear_is_direct(s->system) ? 1e-12 : eta;
  if (tight) /* |D_q residual| <= most |residual| */
    tol = perp_min(
        tol, perp_max(eta * perp_norm2(map->n, r) / (most * perp_norm2(map->n, right)), 1e-13));
  if (!isfinite(perp_linear_solve(s->system, right, tol, z)))
    return false;
  for (int i = 0, k = 0; i < map->n; i++) {
    if (k < m && s->rows[k] == i)
      k++;
    else
      z[i] = right[i];
  }
  return true;
}

/* Computes A dx, slope, and r <- -F - J dx - epsilon D_q size dx. Returns |r|; *residual <- |F + J
 * dx|. */
static double judge(direction *s, double epsilon, double *residual)
{
  perp_map *map = s->map;
  const int n = map->n;
  perp_run_apply(map->run, s->dx, s->Adx);
  perp_map_product(map, s->dx, s->Adx, s->r);
  s->slope = perp_dot(n, s->F, s->r);
  for (int i = 0; i < n; i++)
    s->r[i] = -s->F[i] - s->r[i];
  *residual = perp_norm2(n, s->r);
  for (int i = 0; i < n; i++)
    s->r[i] -= epsilon * s->size[i] * map->q[i] * s->dx[i];
  return perp_norm2(n, s->r);
}

/* Solves the reduced system and refines. Returns |F + J dx| / |F|; *left is the relative residual of
 * the regularised system. */
static double solve_reduced(direction *s, double epsilon, double eta, double *left)
{
  const int n = s->map->n;
  const double norm = perp_norm2(n, s->F);
  const int m = split(s, epsilon);
  perp_linear_set(s->system, m, s->rows, s->d);
  bool tight = perp_linear_is_direct(s->system);
  double residual = norm;
  *left = 1;
  perp_fill(n, 0, s->dx);
  perp_negate(n, s->F, s->r);
  for (int k = 0; k <= REFINEMENTS && *left > eta; k++) {
    if (!reduce(s, m, s->r, eta, tight, s->z))
      return INFINITY;
    perp_axpy(n, 1, s->z, s->dx);
    const double before = *left;
    *left = judge(s, epsilon, &residual) / norm;
    const bool helped = *left < 0.5 * before;
    if (!helped && tight)
      break;
    tight = tight || !helped;
  }
  return residual / norm;
}

/* Newton's direction at x: (J + epsilon D_q diag(size)) dx = -F with |residual| <= eta |F|. Returns
 * |F + J dx| / |F|, a direction of descent if below 1; infinity if there is none. */
static double aim_newton(direction *s, double epsilon, double eta)
{
  if (!s->system)
    return solve_difference(s, eta);
  double left;
  const double reached = solve_reduced(s, epsilon, eta, &left);
  return left < 1 ? reached : INFINITY;
}

/* dx = -t grad theta with the t that minimises |F + J dx|. Returns false if A^T is not available or
 * the gradient is zero up to rounding. */
static bool aim_gradient(direction *s)
{
  const int n = s->map->n;
  if (!perp_map_transposed(s->map, s->F, s->dx))
    return false;
  perp_multiply(n, -1, s->dx);
  perp_run_apply(s->map->run, s->dx, s->Adx);
  perp_map_product(s->map, s->dx, s->Adx, s->r);
  /* |F + t J dx|^2 is least at t = -slope / |J dx|^2 */
  const double bend = perp_dot(n, s->r, s->r), slope = perp_dot(n, s->F, s->r);
  if (!(bend > 0) || !(slope < 0) || !isfinite(slope / bend))
    return false;
  const double t = -slope / bend;
  perp_multiply(n, t, s->dx);
  perp_multiply(n, t, s->Adx);
  s->slope = t * slope;
  return true;
}

/* ---- Opening ---- */

static void arrive(descent *s)
{
  perp_run_gradient(s->run, s->x, s->y);
  s->theta = perp_map_value(&s->map, s->x, s->y, s->F);
}

/* Computes y, F and theta at x; forgets earlier steps. */
static void descent_start(descent *s)
{
  s->count = 0;
  s->before = s->eta = 0;
  arrive(s);
}

static perp_error descent_open(perp_run *run, const fischer_parameters *par, perp_phi phi,
                               double *x, descent *s)
{
  *s = (descent){.run = run, .par = par, .n = run->problem->K.n, .x = x, .damping = FIRST};
  if (!PERP_TAKE_REALS(run->arena, (size_t)s->n, &s->y, &s->F, &s->new_x, &s->new_y, &s->new_F))
    return perp_run_no_memory(run);
  perp_error error =
      perp_map_create(run, phi, (perp_strategy)par->strategy, par->weighted, &s->map);
  if (!error)
    error = open_direction(&s->map, &par->newton, &s->direction);
  s->direction.x = s->x;
  s->direction.F = s->F;
  if (!error && !perp_run_expired(run))
    descent_start(s);
  return error;
}

/* ---- Searching ---- */

static void try_step(descent *s, double t)
{
  const direction *d = &s->direction;
  for (int i = 0; i < s->n; i++) {
    s->new_x[i] = s->x[i] + t * d->dx[i];
    s->new_y[i] = s->y[i] + t * d->Adx[i];
  }
  s->new_theta = perp_map_value(&s->map, s->new_x, s->new_y, s->new_F);
}

/* Returns the first t that satisfies Armijo's rule, or 0 if none above `shortest` does. */
static double search(descent *s, double shortest)
{
  double reference = s->theta;
  s->descends = true;
  for (int k = 0; k < s->count; k++)
    reference = perp_max(reference, s->recent[k]);
  for (double t = 1; t >= perp_max(shortest, PERP_NEWTON_DELTA); t *= PERP_NEWTON_BETA) {
    try_step(s, t);
    if (s->new_theta <= reference + PERP_NEWTON_ALPHA * t * s->direction.slope)
      return t;
    if (perp_run_expired(s->run))
      break;
  }
  return 0;
}

/* ---- A step ---- */

/* Returns the reference size of F: F(0) is of order one in each row. */
static double whole(const descent *s)
{
  return sqrt((double)s->n);
}

static void adapt(descent *s, double t, double left)
{
  if (t < 0.1)
    s->damping = perp_min(MOST, 10 * perp_max(s->damping, LEAST));
  else if (t == 1 && left > 0.1)
    s->damping = perp_max(LEAST, s->damping / 10);
  else if (left < 1e-3 && s->damping < FIRST)
    s->damping = perp_min(FIRST, 10 * s->damping);
}

static double newton_step(descent *s, double norm)
{
  double t = 0;
  const int tries = s->direction.system ? TRIES : 1;
  for (int k = 0; k < tries && t == 0 && !perp_run_expired(s->run); k++) {
    const double epsilon = s->damping * perp_min(1, norm / whole(s));
    const double left = aim_newton(&s->direction, epsilon, s->eta);
    if (left < 1 && s->direction.slope < 0)
      t = search(s, s->direction.system ? SHORT : 0);
    adapt(s, t, left);
  }
  return t;
}

static void take(descent *s)
{
  const int room = s->monotone ? 0 : s->par->window - 1;
  if (room > 0) {
    s->count = s->count < room ? s->count + 1 : room;
    for (int k = s->count - 1; k > 0; k--)
      s->recent[k] = s->recent[k - 1];
    s->recent[0] = s->theta;
  }
  perp_copy(s->n, s->new_x, s->x);
  arrive(s);
}

/* Takes one step. Returns its length in Newton directions, 0 if x has not moved: no direction of
 * descent, or no decrease along it. */
static double descent_step(descent *s)
{
  const double norm = sqrt(2 * s->theta);
  /* the |F| at which the natural residual may reach the target, in the unit of F */
  const double goal = 0.1 * s->run->target * s->map.c;
  s->eta = perp_newton_forcing(perp_min(s->par->newton.gamma, 0.1), norm, s->before, s->eta, goal);
  s->before = norm;
  s->descends = false;
  perp_map_linearise(&s->map, s->x, s->y);
  double t = newton_step(s, norm);
  if (t == 0 && !perp_run_expired(s->run) && aim_gradient(&s->direction))
    t = search(s, 0);
  if (t > 0)
    take(s);
  return t;
}

/* ---- Restarts ---- */

/* Steps in which theta must fall by a tenth. Otherwise x returns to the best point and continues
 * with monotone steps: a watchdog (Chamberlain, Powell, Lemarechal, Pedersen 1982). If that fails
 * too, x is stuck. */
enum { PATIENCE = 25 };

typedef struct ending {
  double *best_x, best; /* least theta, and where */
  double mark;          /* the best some steps ago */
  int64_t since;        /* steps since then */
} ending;

/* Keeps the best x. Returns true while theta still falls. */
static bool still_moves(const descent *s, ending *e)
{
  if (s->theta < e->best) {
    e->best = s->theta;
    perp_copy(s->n, s->x, e->best_x);
  }
  if (e->best < 0.9 * e->mark) {
    e->mark = e->best;
    e->since = 0;
  }
  return e->since++ < PATIENCE;
}

static void go_back(descent *s, ending *e)
{
  perp_copy(s->n, e->best_x, s->x);
  descent_start(s);
  s->monotone = true;
  e->since = 0;
}

/* x <- the best x plus a random move in each row, larger with every restart. */
static void perturb(descent *s, ending *e, int restart)
{
  perp_map *map = &s->map;
  double most = 1 / map->c;
  for (int i = 0; i < s->n; i++)
    most = perp_max(most, map->s[i] * fabs(e->best_x[i]));
  for (int i = 0; i < s->n; i++) {
    const double amount = 0.1 * restart * most / map->s[i];
    s->x[i] = e->best_x[i] + perp_random_between(&map->random, -amount, amount);
  }
  perp_map_project(map, s->x);
  descent_start(s);
  s->damping = FIRST;
  s->monotone = false;
  *e = (ending){.best_x = e->best_x, .best = INFINITY, .mark = INFINITY};
  s->run->count.restarts++;
}

/* Returns true if grad theta is zero relative to |J| |F|. */
static bool is_stationary(descent *s)
{
  const perp_map *map = &s->map;
  double most = 0;
  if (!perp_map_transposed(&s->map, s->F, s->new_F))
    return false;
  for (int i = 0; i < s->n; i++)
    most = perp_max(most, map->p[i] + map->q[i] * s->direction.size[i]);
  return perp_norm2(s->n, s->new_F) <= 1e-5 * most * sqrt(2 * s->theta);
}

static void give_up(descent *s, bool moves)
{
  perp_map_linearise(&s->map, s->x, s->y);
  if (is_stationary(s)) {
    perp_run_claim(s->run, PERP_LOCAL_MINIMUM);
    perp_run_say(s->run, "found a local minimum of the merit function that is not a solution");
  } else if (moves && !s->descends) {
    perp_run_claim(s->run, PERP_NON_DESCENT);
    perp_run_say(s->run, "found no descent direction");
  } else {
    perp_run_claim(s->run, PERP_STAGNATED);
    perp_run_say(s->run, "the merit function no longer decreases");
  }
}

static perp_error iterate(descent *s, ending *e)
{
  perp_run *run = s->run;
  const double lambda = s->par->lambda;
  const perp_merit_kind kind = lambda < 1 ? PERP_MERIT_PENALISED : PERP_MERIT_FISCHER;
  int restarts = 0;
  for (;;) {
    double merit;
    perp_problem_merit(run->problem, kind, lambda, s->x, s->y, &merit);
    perp_run_merit(run, merit);
    if (!perp_run_next(run, s->x, s->y))
      return PERP_OK;
    const bool moves = still_moves(s, e);
    if (moves && descent_step(s) > 0)
      continue;
    if (perp_run_expired(run))
      return PERP_OK;
    if (!moves && !s->monotone && s->par->window > 1) {
      go_back(s, e);
      continue;
    }
    if (restarts == s->par->restarts) {
      give_up(s, moves);
      return PERP_OK;
    }
    perturb(s, e, ++restarts);
  }
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const fischer_parameters *par = params;
  ending e = {
      .best_x = perp_run_reals(run, (size_t)run->problem->K.n), .best = INFINITY, .mark = INFINITY};
  if (!e.best_x)
    return perp_run_no_memory(run);
  perp_copy(run->problem->K.n, x, e.best_x); /* theta may overflow at every point */
  descent s;
  perp_error error = descent_open(run, par, (perp_phi){par->lambda, 0}, x, &s);
  if (!error && !perp_run_expired(run))
    error = iterate(&s, &e);
  perp_linear_close(s.direction.system);
  return error;
}

#define FISCHER                                                                                    \
  .family = "newton", .takes = PERP_TAKES_BOXES, .needs = PERP_CAN_APPLY, .max_iterations = 500,   \
  .works = "P0 matrices, positive semi-definite ones among them, and friction pyramids",           \
  .parameter_bytes = sizeof(fischer_parameters), .solve = solve

const perp_method perp_method_fischer = {
    FISCHER,
    .name = "fischer",
    .title = "Fischer-Newton",
    .source = "deluca-facchinei-kanzow-1996",
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi of Fischer and Burmeister",
    .parameters = plain,
    .preset = &(const fischer_parameters){.lambda = 1},
};

const perp_method perp_method_pfischer = {
    FISCHER,
    .name = "pfischer",
    .title = "penalised Fischer-Newton",
    .reference = true,
    .source = "chen-chen-kanzow-2000",
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi with a penalty for x y > 0",
    .parameters = penalised,
};
