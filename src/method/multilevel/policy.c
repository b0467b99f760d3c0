/* policy.c: policy iteration (primal-dual active sets) with multigrid-preconditioned CG
 *
 *   t_i = x_i - y_i / A_ii,   y = A x + b
 *   x_i <- lo_i if t_i <= lo_i,  hi_i if t_i >= hi_i              the policy
 *   A_FF x_F = -b_F - (A x)_F outside F                           its value
 *
 * For an M-matrix and one bound the values are monotone and it ends after finitely many policies
 * (Howard 1960; Hintermueller, Ito, Kunisch 2003; Bokanowski, Maroso, Zidani 2009); in practice
 * few. A contact region that is too large loses one row of cells per iteration, so on grids a cold
 * start uses full multigrid. The linear systems start from the last value and are solved to a
 * hundredth of their residual: the next policy seldom needs more, and the last systems continue.
 * Workspace: 4 n, Krylov's and the hierarchy. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/multilevel/grid/finest.h"
#include "method/system/gather.h"
#include "method/system/linear.h"
#include "set/set.h"

typedef struct {
  double linear_tol;
  int start;
} policy_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(policy_parameters, linear_tol, 0.01, 1e-14, 0.9,
              "each linear system is solved to this times its residual"),
    PERP_INTEGER(policy_parameters, start, 2, 0, 100,
                 "cycles on each coarse grid of full multigrid from x = 0; 0: none"),
    {0},
};

enum { PATIENCE = 100 };

typedef struct state {
  perp_run *run;
  int n, m;
  int *F;
  double *y, *z, *d;
  perp_linear_system *system;
} state;

/* x <- the start of full multigrid, if A is a grid. */
static perp_error start(perp_run *run, int cycles, double *x)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  perp_finest f;
  perp_error error = perp_finest_open(run, x, false, &f);
  if (error == PERP_OK && f.s && !perp_run_expired(run)) {
    perp_finest_start(&f, cycles, (perp_smoothing){2, 1}, (perp_smoothing){2, 1});
    perp_finest_sweep(&f, 1);
    perp_relaxer_store(f.relaxer);
  }
  perp_arena_release(run->arena, mark);
  return error;
}

/* Sets the policy at x, and x on its bounds. */
static void choose(state *s, double *x)
{
  const perp_set *K = &s->run->problem->K;
  s->m = 0;
  for (int i = 0; i < s->n; i++) {
    const double t = x[i] - s->y[i] / s->d[i], lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
    if (t <= lo)
      x[i] = lo;
    else if (t >= hi)
      x[i] = hi;
    else
      s->F[s->m++] = i;
  }
}

static perp_error begin(perp_run *run, state *s)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (state){.run = run, .n = run->problem->K.n, .F = perp_run_integers(run, n)};
  if (!s->F || !PERP_TAKE_REALS(run->arena, n, &s->y, &s->z, &s->d))
    return perp_run_no_memory(run);
  return perp_run_diagonal(run, s->d);
}

static perp_error iterate(state *s, const policy_parameters *par, double *x)
{
  perp_run *run = s->run;
  double best = INFINITY;
  for (int stale = 0; stale < PATIENCE;) {
    perp_run_gradient(run, x, s->y);
    if (!perp_run_next(run, x, s->y))
      return PERP_OK;
    const double residual = perp_problem_residual(run->problem, x, s->y);
    stale = residual < 0.9 * best ? 0 : stale + 1;
    best = perp_min(best, residual);
    choose(s, x);
    perp_run_gradient(run, x, s->y);
    perp_multiply(s->n, -1, s->y);
    perp_linear_set(s->system, s->m, s->F, NULL);
    perp_linear_solve(s->system, s->y, par->linear_tol, s->z);
    for (int q = 0; q < s->m; q++)
      x[s->F[q]] += s->z[s->F[q]];
  }
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const policy_parameters *par = params;
  state s;
  perp_error error = begin(run, &s);
  if (!error && par->start > 0 && perp_all_zero(p->K.n, x))
    error = start(run, par->start, x);
  if (error || perp_run_expired(run))
    return error;
  error = perp_linear_open(
      run, &(perp_linear_plan){.solver = PERP_LINEAR_CG, .preconditioner = PERP_PRECONDITION_MG},
      &s.system);
  if (!error)
    error = iterate(&s, par, x);
  perp_linear_close(s.system);
  return error;
}

const perp_method perp_method_policy = {
    .name = "policy",
    .title = "policy iteration with multigrid-preconditioned CG",
    .family = "multilevel",
    .reference = true,
    .source = "hintermueller-ito-kunisch-2003",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_DIAGONAL | PERP_CAN_ROW,
    .works = "symmetric M-matrices on grids or in compressed rows",
    .iteration = "a bound or an equation for every row, and the linear system of the equations",
    .max_iterations = 1000,
    PERP_SOLVES_WITH(policy_parameters),
};
