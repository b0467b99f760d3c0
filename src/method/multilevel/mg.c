/* mg.c: truncated nonsmooth Newton multigrid, for bounds on stencil operators
 *
 * One cycle from x:
 *
 *   1. `pre` projected red-black sweeps
 *   2. the cells strictly inside their bounds are free; if that set changed, the
 *      coarse operators are updated (grid.h)
 *   3. one V-cycle for A_FF c = -(A x + b)_F
 *   4. x <- P(x + c); after the residual rose once, x <- x + a (P(x + c) - x) instead, with the
 *      a in [0, 1] of the lowest energy
 *   5. PERP_POST projected sweeps
 *
 * (Graeser and Kornhuber 2009; Kornhuber 1994). Sweeps and line search lower the energy 1/2 x^T A
 * x + b^T x, so for symmetric positive definite A mg converges to the solution for any coarse
 * grids; once the free set is settled it is a linear multigrid with its rates, about 0.1 per cycle.
 * A cold start begins with full multigrid: the problem on finer and finer grids. One sweep moves
 * the boundary of a contact region by one cell, so a start with the right contact region saves one
 * cycle per cell of error; while the free set changes, each cycle has one sweep more. Without
 * bounds mg is multigrid for the linear system.
 *
 * Cost of a cycle: pre + 2 sweeps of the finest grid, in the plane about as much again on
 * the coarse grids, in solid grids a third of it. Workspace: the data of the sweeps, 8 bytes per
 * cell, and 50 bytes per coarse cell; the number of coarse cells is a third (solid: a seventh) of
 * the cells, up to five sixths if couplings along one axis are far stronger. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/multilevel/algebraic/aggregation.h"
#include "method/multilevel/grid/grid.h"

enum { HIERARCHY_AUTO, HIERARCHY_GRID, HIERARCHY_ALGEBRAIC };
static const char *const hierarchies[] = {"auto", "grid", "algebraic", NULL};

typedef struct {
  int hierarchy, pre, start;
} mg_parameters;

static const perp_parameter parameters[] = {
    PERP_CHOICE(mg_parameters, hierarchy, HIERARCHY_AUTO, 2, hierarchies,
                "grid hierarchy if A is a grid, else aggregation; or a fixed choice"),
    PERP_INTEGER(mg_parameters, pre, 2, 1, 100, "sweeps of the finest grid before a correction"),
    PERP_INTEGER(mg_parameters, start, 1, 0, 100,
                 "cycles on each coarse grid of full multigrid from x = 0; 0: none"),
    {0},
};

/* EXTRA sweeps if more than one cell in STILL became free or stopped being free. Below SOON times
 * the target, the next cycle is probably the last. */
enum { PATIENCE = 12, EXTRA = 1, STILL = 1024, SOON = 10 };

static void sweep(perp_mg_place *p, int count)
{
  for (int s = 0; s < count; s++)
    p->step(p, PERP_GRID_SWEEP);
  p->run->count.sweeps += count;
}

/* Full multigrid from x = 0. */
static void start(perp_mg_place *p)
{
  if (p->plan.count == 1)
    return;
  p->step(p, PERP_GRID_LOAD);
  if (p->plan.set == PERP_GRID_BOX)
    p->step(p, PERP_GRID_BOUNDS);
  p->cycle(p, true);
  p->step(p, PERP_GRID_PROLONG);
}

/* Makes steps 3 and 4; careful: with a line search,
 *
 *   E(x + a c) = E(x) + a c^T y + a^2/2 c^T A c,   x + a c in K up to a = 1 */
static void correct(perp_mg_place *p, bool careful)
{
  if (p->plan.count == 1)
    return;
  p->cycle(p, false);
  if (!careful) {
    p->step(p, PERP_GRID_CORRECT);
    return;
  }
  double energy[2];
  p->step(p, PERP_GRID_STEP);
  p->search(p, energy);
  const double slope = energy[0], bend = energy[1];
  p->length = slope < 0 ? (bend > -slope ? -slope / bend : 1) : 0;
  if (!p->failure)
    p->step(p, PERP_GRID_GO);
}

/* Makes step 2, and the residual for step 3. Returns the natural residual, and the number of extra
 * sweeps. */
static double prepare(perp_mg_place *p, int *extra)
{
  int64_t changed = 0;
  const double residual = p->prepare(p, &changed);
  *extra = changed > p->unknowns / STILL ? EXTRA : 0;
  return residual;
}

perp_error perp_mg_iterate(perp_mg_place *p, double *x)
{
  perp_run *run = p->run;
  const perp_grid_plan *plan = &p->plan;
  /* over several processes the start is not looked at */
  if (!run->ranks && !perp_run_next_iterate(run, perp_iterate_swept(p->relaxer, p->residual(p))))
    return p->failure;
  if (plan->cycles > 0 && p->cold && !perp_run_expired(run))
    start(p);
  double before = INFINITY, best = INFINITY;
  bool careful = false;
  int extra = EXTRA;
  for (int stale = 0; stale < PATIENCE && !p->failure;) {
    sweep(p, plan->fine_pre + extra);
    double residual = before <= SOON * run->target ? p->residual(p) : INFINITY;
    bool prepared = !(residual <= run->target);
    if (prepared)
      residual = prepare(p, &extra);
    if (residual <= run->target && p->exceeds(p)) {
      const perp_error error = p->reopen(p, x);
      if (error || perp_run_expired(run))
        return error;
      sweep(p, plan->fine_pre);
      residual = prepare(p, &extra);
      prepared = true;
    }
    if (p->failure || !perp_run_next_iterate(run, perp_iterate_swept(p->relaxer, residual)))
      return p->failure;
    if (!prepared) /* the driver found a larger residual */
      prepare(p, &extra);
    careful = careful || residual > before;
    stale = residual < 0.9 * best ? 0 : stale + 1;
    best = perp_min(best, residual);
    before = residual;
    correct(p, careful);
    run->count.cycles++;
    sweep(p, PERP_POST);
  }
  perp_relaxer_store(p->relaxer);
  perp_run_claim(run, PERP_STAGNATED);
  return p->failure;
}

static perp_error solve_grid(perp_mg_place *p, const mg_parameters *par, double *x)
{
  p->unknowns = p->run->problem->K.n;
  p->plan.fine_pre = par->pre;
  p->plan.cycles = par->start;
  return perp_mg_iterate(p, x);
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const mg_parameters *par = params;
  const bool stencil = perp_operator_is_stencil(p->A);
  if (par->hierarchy == HIERARCHY_ALGEBRAIC && stencil)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "mg: hierarchy = algebraic needs rows, which a stencil operator does not "
                         "give; use hierarchy = grid");
  if (par->hierarchy != HIERARCHY_ALGEBRAIC) {
    perp_mg_place *grid;
    const perp_error error = perp_mg_on_cpu(run, x, &grid);
    if (error || perp_run_expired(run))
      return error;
    if (grid)
      return solve_grid(grid, par, x);
    if (par->hierarchy == HIERARCHY_GRID)
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "mg: hierarchy = grid needs a grid, and this %s operator is not one",
                           perp_operator_kind(p->A));
  }
  return perp_algebraic_solve(run, par->pre, par->start > 0 && perp_all_zero(p->K.n, x), x);
}

static perp_error solve_device(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const mg_parameters *par = params;
  perp_mg_place *grid = NULL;
  const perp_error error =
      par->hierarchy == HIERARCHY_ALGEBRAIC ? PERP_OK : perp_mg_on_device(run, x, &grid);
  if (error || perp_run_expired(run))
    return error;
  if (!grid)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "mg on device %s needs a grid, and this %s operator is not one",
                         perp_device_facts(run->options->device).name, perp_operator_kind(p->A));
  return solve_grid(grid, par, x);
}

const perp_method perp_method_mg = {
    .name = "mg",
    .title = "truncated nonsmooth Newton multigrid",
    .family = "multilevel",
    .source = "graeser-kornhuber-2009",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_ROW,
    .works =
        "symmetric positive definite grids and sparse matrices; cycles do not grow with the size "
        "of diagonally dominant grids",
    .iteration = "projected sweeps, one multigrid cycle on the free rows, projection, more sweeps",
    .max_iterations = 1000,
    PERP_SOLVES_WITH(mg_parameters),
    .device = &(const perp_method_device){.solve = solve_device, .placed = true},
};
