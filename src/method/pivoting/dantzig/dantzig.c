/* dantzig.c: principal pivoting for boxes and friction indices
 *
 * With friction bounds lo_i |x_j|, hi_i |x_j| frozen at some x the problem is one on a box with a
 * symmetric positive semi-definite matrix, which principal pivoting solves (Cottle and Dantzig
 * 1968; principal.c has the mathematics). Smith (2000) froze the bounds once, at the normals that
 * solve the problem without friction; outer = 1 does this. Otherwise the bounds are frozen and
 * released in turns:
 *
 *   1. block principal pivots with released bounds (coupling.c), while the residual falls;
 *   2. if they do not end at a solution, projected Gauss-Seidel sweeps from the best point, the
 *      bounds frozen there, and single pivots on the box problem from the sets of that point; then
 *      1 from its solution.
 *
 * Problems of few rows try block pivots from the start (small_friction.c). The first pass skips 1 and
 * does 2 twice, since the normals of the start are poor. Passes without progress are followed by twice as many sweeps each time. Without
 * friction the first pass suffices: sweeps guess the index sets of a cold start, and a box problem
 * is solved in finitely many pivots.
 *
 * A slightly unsymmetric A is split into S = (A + A^T)/2 and the rest, which is frozen along with
 * the bounds, b + (A - S) x, and released with them.
 *
 * Cost: a factorisation, k^3/3, in each pass, and 2 k^2 a pivot, k = |C|. Workspace: n^2 for the
 * factor, 50 n; n^2 more for each of a copy of A and of S, if they are made. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/pivoting/dantzig/coupling.h"
#include "method/pivoting/small_pivots.h"
#include "set/set.h"

typedef struct {
  int outer, sweeps, blocks;
} dantzig_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(dantzig_parameters, outer, 50, 1, 100000,
                 "passes with new friction bounds; 1: frozen once, as ODE does"),
    PERP_INTEGER(dantzig_parameters, sweeps, 10, 0, 100000,
                 "Gauss-Seidel sweeps that guess the index sets, in every pass"),
    PERP_INTEGER(dantzig_parameters, blocks, 20, 0, 1000,
                 "largest number of block pivots with friction in a pass; 0: only single pivots"),
    {0},
};

/* Returns true if no row is strictly inside its bounds: the start suggests no sets. */
static bool is_cold(const perp_coupling *c)
{
  const double *x = c->e.x;
  for (int i = 0; i < c->e.n; i++) {
    double lo, hi;
    perp_row_bounds(&c->p->K, x, i, &lo, &hi);
    if (x[i] != 0 && lo < x[i] && x[i] < hi)
      return false;
  }
  return true;
}

/* Computes w of the engine's x, whose bounds are frozen there if A is not symmetric. */
static void renew_w(perp_coupling *c)
{
  if (c->skew)
    perp_coupling_freeze(c);
  else
    perp_principal_refresh(&c->e);
}

/* Sets the first x, its w, and the point with its y: the caller's, or the result of sweeps. With
 * friction a few sweeps test if they find the index sets; if not they are undone, since pivots are
 * faster from empty sets than from wrong ones. Returns true if there are sets to start from. */
static bool begin(perp_coupling *c, const dantzig_parameters *par)
{
  enum { TRIAL = 4 };
  perp_principal *e = &c->e;
  bool informed = true;
  perp_set_project(&c->p->K, e->x, e->x);
  c->cold = is_cold(c);
  renew_w(c);
  if (c->cold) {
    perp_copy(e->n, e->x, c->best);
    const int sweeps = c->coupled && par->sweeps > TRIAL ? TRIAL : par->sweeps;
    informed = perp_coupling_sweep(c, sweeps, true);
    if (c->coupled && !informed) {
      perp_copy(e->n, c->best, e->x);
      renew_w(c);
    }
    c->cold = false;
  }
  for (int i = 0; i < e->n; i++)
    c->side[i] = PERP_SIDE_HELD; /* C is empty: no row is at its side yet */
  perp_copy(e->n, e->x, c->point);
  perp_copy(e->n, e->w, c->y);
  return informed;
}

/* As in ODE: solves with friction rows at 0, then with bounds frozen at the resulting normals. */
static perp_principal_state solve_frozen(perp_coupling *c)
{
  perp_principal *e = &c->e;
  const perp_set *K = &c->p->K;
  for (int i = 0; i < e->n; i++) {
    const bool friction = perp_set_is_friction(K, i);
    e->lo[i] = friction ? 0 : perp_set_lo(K, i);
    e->hi[i] = friction ? 0 : perp_set_hi(K, i);
    e->x[i] = perp_min(perp_max(e->x[i], e->lo[i]), e->hi[i]);
  }
  perp_principal_freeze(e);
  perp_principal_refresh(e);
  perp_principal_place(e);
  const perp_principal_state state = perp_principal_solve(e);
  if (state != PERP_PRINCIPAL_DONE || !c->coupled)
    return state;
  perp_coupling_freeze(c);
  perp_principal_place(e);
  return perp_principal_solve(e);
}

/* Projects the engine's x onto its bounds and sweeps; updates point and y. Returns the residual. */
static double sweep_on(perp_coupling *c, int sweeps)
{
  perp_principal *e = &c->e;
  perp_set_project(&c->p->K, e->x, e->x);
  renew_w(c);
  perp_coupling_sweep(c, sweeps, false);
  perp_copy(e->n, e->x, c->point);
  perp_copy(e->n, e->w, c->y);
  return perp_problem_residual(c->p, c->point, c->y);
}

/* Step 1, from point and y: makes block pivots while the residual halves within PATIENCE of them; at
 * least one, since sweeps come close but do not finish. The engine's x becomes the best point;
 * c->current: y belongs to it. */
static double pivot_blocks(perp_coupling *c, const dantzig_parameters *par)
{
  enum { PATIENCE = 2 };
  perp_principal *e = &c->e;
  double residual = perp_coupling_examine(c, c->cold);
  c->cold = false;
  const double rounding = 1e-12 * c->run->scale;
  perp_copy(e->n, c->point, c->best);
  for (int k = 0, idle = 0; k < par->blocks && idle < PATIENCE; k++) {
    const double now = perp_coupling_step(c);
    idle = now < 0.5 * residual ? 0 : idle + 1;
    if (now < residual) {
      residual = now;
      perp_copy(e->n, c->point, c->best);
    }
    /* a good enough point is improved while that is quick */
    if (residual <= perp_min(c->run->target, rounding) || (residual <= c->run->target && idle > 0))
      break;
    if (perp_run_expired(e->run))
      break;
  }
  c->current = memcmp(c->best, c->point, (size_t)e->n * sizeof *c->best) == 0;
  perp_copy(e->n, c->best, e->x);
  return residual;
}

/* Step 2, from the engine's x: solves the box problem with bounds frozen there by single pivots. */
static perp_principal_state pivot_frozen(perp_coupling *c)
{
  perp_principal *e = &c->e;
  perp_set_project(&c->p->K, e->x, e->x);
  perp_coupling_freeze(c);
  if (!c->skew)
    perp_principal_refresh(e);
  perp_principal_place(e);
  const perp_principal_state state = perp_principal_solve(e);
  perp_fill_integers(e->n, PERP_SIDE_HELD, c->side);
  perp_copy(e->n, e->x, c->point);
  return state;
}

/* Returns true if sweeps and pivots grow without bound, as for indefinite A; x is then no longer
 * shown. */
static bool has_diverged(perp_coupling *c)
{
  if (perp_all_finite(c->e.n, c->e.x))
    return false;
  perp_run_claim(c->run, PERP_DIVERGED);
  perp_run_say(c->run,
               "x grows without bound: A is not positive semi-definite, or nearly singular");
  return true;
}

/* Ends the run if no step is left. */
static void give_up(perp_coupling *c, perp_principal_state state)
{
  if (state == PERP_PRINCIPAL_STUCK) {
    perp_run_ray(c->run, c->e.ray);
    perp_run_claim(c->run, PERP_INFEASIBLE);
  } else {
    perp_run_claim(c->run, PERP_STAGNATED);
  }
}

/* Runs the passes; x is the engine's. */
static void solve_passes(perp_coupling *c, const dantzig_parameters *par)
{
  perp_principal *e = &c->e;
  enum { FEW_SWEEPS = 3, MOST_SWEEPS = 1000 };
  perp_principal_state state = PERP_PRINCIPAL_LIMIT;
  double best = INFINITY;
  int sweeps = 20, idle = 0;
  const bool informed = begin(c, par);
  double residual = perp_problem_residual(c->p, c->point, c->y);
  for (int pass = 0; pass < par->outer && !perp_run_expired(e->run); pass++) {
    if (c->coupled && (pass > 0 || informed)) {
      residual = pivot_blocks(c, par);
      if (residual <= c->run->target && !perp_run_next(c->run, e->x, c->current ? c->y : NULL))
        return;
      sweep_on(c, par->sweeps);
    }
    state = pivot_frozen(c);
    if (pass == 0 && !informed && c->coupled && state == PERP_PRINCIPAL_DONE) {
      sweep_on(c, par->sweeps < FEW_SWEEPS ? par->sweeps : FEW_SWEEPS);
      state = pivot_frozen(c);
    }
    if (state == PERP_PRINCIPAL_EXPIRED)
      return;
    if (state == PERP_PRINCIPAL_STUCK && !c->coupled)
      break;
    if (c->skew)
      perp_run_gradient(c->run, c->point, c->y);
    else
      perp_copy(e->n, e->w, c->y);
    residual = perp_problem_residual(c->p, c->point, c->y);
    c->current = true;
    if (c->coupled && residual <= c->run->target)
      residual = pivot_blocks(c, par); /* frozen bounds come close, released ones finish */
    if (has_diverged(c) || !perp_run_next(c->run, e->x, c->current ? c->y : NULL))
      return;
    idle = residual < 0.9 * best ? 0 : idle + 1;
    best = perp_min(best, residual);
    if (idle >= 2 && !c->coupled)
      break;
    if (idle >= 2) {
      residual = sweep_on(c, sweeps);
      sweeps = 2 * sweeps < MOST_SWEEPS ? 2 * sweeps : MOST_SWEEPS;
      c->run->count.restarts++;
    }
  }
  give_up(c, state); /* no effect after the time limit */
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const dantzig_parameters *par = params;
  const int steps = par->blocks < PERP_SMALL_STEPS ? par->blocks : PERP_SMALL_STEPS;
  if (!(par->outer > 1 ? perp_small_friction(run, steps, x) : perp_run_next(run, x, NULL)))
    return PERP_OK;
  if (!perp_principal_affords(run))
    return PERP_OK;
  perp_coupling c;
  const perp_error error = perp_coupling_create(run, p, x, &c);
  if (error || perp_run_expired(run))
    return error;
  if (par->outer > 1) {
    solve_passes(&c, par);
  } else {
    const perp_principal_state state = solve_frozen(&c);
    if (state != PERP_PRINCIPAL_EXPIRED && !has_diverged(&c) && perp_run_next(run, x, NULL))
      give_up(&c, state);
  }
  perp_principal_offer(&c.e);
  return PERP_OK;
}

const perp_method perp_method_dantzig = {
    .name = "dantzig",
    .title = "principal pivoting with friction bounds",
    .family = "pivoting",
    .source = "cottle-dantzig-1968",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_APPLY,
    .iteration = "drives y_i to 0 row by row within the box; friction bounds follow the normals",
    .works = "symmetric positive semi-definite A; friction nearly always",
    .max_iterations = 100000,
    PERP_SOLVES_WITH(dantzig_parameters),
    .solve_small = perp_small_friction_cold,
};
