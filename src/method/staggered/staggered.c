/* staggered.c: the normal and the friction problem in turn
 *
 *   normal    x_f fixed:  x_n in K_n,                    y_n = A_nn x_n + (b_n + A_nf x_f)
 *   friction  x_n fixed:  lo |x_n| <= x_f <= hi |x_n|,   y_f = A_ff x_f + (b_f + A_fn x_n)
 *
 * (Kaufman, Sueda, James and Pai 2008; Erleben's notes (110)-(112), there with a polyhedral cone.)
 * For symmetric positive semi-definite A each of the two is a convex quadratic programme and has a
 * solution whenever it is feasible. The turns converge for small friction, slowly if normal and
 * friction rows are strongly coupled, and may cycle. So the map T of a turn is accelerated
 * (Anderson 1965; Walker and Ni 2011): with f_k = T(x_k) - x_k and the differences dF, dT of the
 * last few f and T(x),
 *
 *   gamma = argmin |f_k - dF gamma|,   x_{k+1} = P_K( T(x_k) - dT gamma ).
 *
 * If the residual after that is more than twice the lowest, the history is dropped and the
 * iteration goes back to the x of the lowest residual; 5, 10, 20, ... plain turns follow before the
 * next extrapolation. So if extrapolation does not help, it does little harm.
 *
 * Both are problems on the same operator with the rows of the other part held by lo = hi = x, so
 * any method that takes boxes can be the inner one and uses the kernels of the matrix. They are
 * solved to a hundredth of the coupled residual, but in no more than 20 iterations: the cost is the
 * number of turns, 11 on a wall of 449 bricks, 90 to 200 on stacks, arches and piles, and they
 * hardly become fewer with exact parts. A part is set up in each turn, at the cost of 20 to 40
 * sweeps, so on contact problems staggered pays only if the inner method does not sweep; if normal
 * and friction rows are strongly coupled a turn gains little. Rows without friction all belong to
 * the normal problem; if there are no others one turn solves the problem, and staggered is its
 * inner method. One iteration: one solve of each, and a product with A. Workspace: 27 n, and the
 * inner method's. */
#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/vector.h"
#include "method/run/method.h"
#include "operator/block_relax.h"
#include "set/set.h"

#include <assert.h>

typedef struct {
  double omega;
  int order, inner;
} staggered_parameters;

static const char *const inners[] = {"pgs",    "psor",   "coloured",   "bgs",  "nncg",
                                     "apgd",   "spg",    "mprgp",      "gpcg", "dantzig",
                                     "baraff", "keller", "blockpivot", NULL};

static const perp_parameter parameters[] = {
    PERP_REAL(staggered_parameters, omega, 1.0, 0.01, 1.99, "relaxation of a turn"),
    PERP_CHOICE(staggered_parameters, order, PERP_BLOCKS_FORWARD, 3, perp_block_orders,
                "order of the parts in a turn: normal first, friction first, normal first and "
                "last, or random"),
    PERP_CHOICE(staggered_parameters, inner, 0, 12, inners, "method for either part"),
    {0},
};

typedef struct turns {
  perp_run *run;
  const perp_method *inner;
  int most; /* iterations of an inner solve; 0: no limit */
  int n;
  perp_block_order order; /* of normal and friction */
  perp_random random;
  bool friction;     /* there are friction rows */
  bool incomplete;   /* there are none, and the last part was not solved */
  double *lo, *hi;   /* n: bounds of the part being solved */
  perp_problem part; /* with those bounds */
} turns;

/* Sets the bounds of one part at x; the rows of the other part stay fixed. */
static void hold_rows(const turns *t, bool friction, const double *x)
{
  const perp_set *K = &t->run->problem->K;
  for (int i = 0; i < t->n; i++)
    if (perp_set_is_friction(K, i) == friction)
      perp_row_bounds(K, x, i, &t->lo[i], &t->hi[i]);
    else
      t->lo[i] = t->hi[i] = x[i];
}

static perp_error solve_part(turns *t, bool friction, double target, double *x)
{
  perp_outcome outcome; /* with friction the driver judges the coupled residual */
  hold_rows(t, friction, x);
  const perp_subrun sub = {.method = t->inner, .target = target, .max_iterations = t->most};
  const perp_error error = perp_run_subsolve(t->run, &sub, &t->part, x, &outcome);
  t->incomplete = !t->friction && outcome != PERP_SOLVED && outcome != PERP_TIME_LIMIT &&
                  outcome != PERP_STOPPED;
  return error;
}

/* T <- T(T): solves the parts of one turn in their order. */
static perp_error take_turn(turns *t, double target, double *T)
{
  if (!t->friction)
    return solve_part(t, false, target, T);
  const bool friction_first =
      t->order == PERP_BLOCKS_BACKWARD ||
      (t->order == PERP_BLOCKS_RANDOM && perp_random_below(&t->random, 2) == 1);
  const int parts = t->order == PERP_BLOCKS_SYMMETRIC ? 3 : 2;
  perp_error error = PERP_OK;
  for (int k = 0; k < parts && !error; k++)
    error = solve_part(t, (k % 2 == 1) != friction_first, target, T);
  return error;
}

/* ---- Acceleration ---- */

enum { WINDOW = 4, MOST_PLAIN = 1 << 20, INEXACT = 20 };

typedef struct history {
  int n, count;    /* differences held, the newest in column (next - 1) */
  int next;        /* column of the next one */
  bool started;    /* f and T hold the last turn */
  double *f, *T;   /* n: f_k and T(x_k) of the last turn */
  double *dF, *dT; /* n x WINDOW, by column */
  double *best;    /* n: x of the lowest residual */
  double lowest;   /* residual */
  int plain;       /* plain turns before the next extrapolation */
  int penalty;     /* plain turns after the next failure */
} history;

/* Records the turn x -> T(x); overwrites both. */
static void remember(history *h, double *x, double *T)
{
  const int64_t n = h->n;
  perp_subtract(n, T, x, x); /* f */
  if (h->started) {
    perp_subtract(n, x, h->f, h->dF + n * h->next);
    perp_subtract(n, T, h->T, h->dT + n * h->next);
    h->next = (h->next + 1) % WINDOW;
    h->count = h->count < WINDOW ? h->count + 1 : WINDOW;
  }
  perp_copy(n, x, h->f);
  perp_copy(n, T, h->T);
  h->started = true;
}

/* x <- T - dT gamma, by the normal equations of dF gamma = f with a small regularisation, since
 * differences of a converging sequence are nearly dependent. */
static void extrapolate(const history *h, double *x)
{
  const int m = h->count;
  const int64_t n = h->n;
  double G[WINDOW * WINDOW], gamma[WINDOW], trace = 0;
  perp_copy(n, h->T, x);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j <= i; j++)
      G[i * m + j] = G[j * m + i] = perp_dot(n, h->dF + n * i, h->dF + n * j);
    gamma[i] = perp_dot(n, h->dF + n * i, h->f);
    trace += G[i * m + i];
  }
  for (int i = 0; i < m; i++)
    G[i * m + i] += 1e-12 * trace;
  if (m == 0 || !(trace > 0) || perp_cholesky(m, G, m, 0) < m)
    return;
  perp_cholesky_solve(m, G, m, gamma);
  for (int i = 0; i < m; i++)
    perp_axpy(n, -gamma[i], h->dT + n * i, x);
}

/* Stores x if its residual is the lowest; replaces x if an extrapolation made it much worse. */
static void supervise(history *h, double residual, double *x)
{
  if (residual <= h->lowest) {
    h->lowest = residual;
    perp_copy(h->n, x, h->best);
  } else if (h->plain == 0 && h->count > 0 && residual > 2 * h->lowest) {
    perp_copy(h->n, h->best, x);
    h->started = false;
    h->count = h->next = 0;
    h->plain = h->penalty;
    h->penalty = 2 * h->penalty < MOST_PLAIN ? 2 * h->penalty : MOST_PLAIN;
  }
}

/* x <- the next x, after `remember`. */
static void advance(history *h, double *x)
{
  if (h->plain > 0) {
    perp_copy(h->n, h->T, x);
    h->plain--;
  } else {
    extrapolate(h, x);
  }
}

/* ---- The method ---- */

static perp_error prepare(perp_run *run, const staggered_parameters *par, turns *t, history *h)
{
  const perp_problem *p = run->problem;
  const size_t n = (size_t)p->K.n;
  const perp_method *const *inner = run->services->methods;
  while (*inner && strcmp((*inner)->name, inners[par->inner]) != 0)
    inner++;
  assert(*inner);
  *t = (turns){.run = run,
               .inner = *inner,
               .n = p->K.n,
               .order = (perp_block_order)par->order,
               .random = perp_random_from(run->options->seed),
               .friction = perp_set_form(&p->K) == PERP_FORM_FINDEX};
  *h = (history){.n = p->K.n, .lowest = INFINITY, .penalty = 5};
  if (!PERP_TAKE_REALS(run->arena, n, &t->lo, &t->hi, &h->best, &h->f, &h->T) ||
      !PERP_TAKE_REALS(run->arena, n * WINDOW, &h->dF, &h->dT))
    return perp_run_no_memory(run);
  if (t->friction && strcmp(t->inner->family, "pivoting") != 0)
    t->most = INEXACT;
  t->part = perp_problem_boxed(p->A, p->b, t->lo, t->hi);
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const staggered_parameters *par = params;
  turns t = {0};
  history h = {0};
  perp_error error = prepare(run, par, &t, &h);
  double *y, *T;
  if (error || !PERP_TAKE_REALS(run->arena, (size_t)p->K.n, &y, &T))
    return error ? error : perp_run_no_memory(run);

  for (double last = INFINITY, residual;; last = residual) {
    perp_run_gradient(run, x, y);
    residual = perp_problem_residual(p, x, y);
    if (t.incomplete && residual > 0.5 * last) /* another turn would repeat the last one */
      perp_run_claim(run, PERP_STAGNATED);
    if (!perp_run_next(run, x, y))
      return PERP_OK;
    supervise(&h, residual, x);
    const double target = perp_max(0.01 * h.lowest, 0.1 * run->target);
    perp_copy(p->K.n, x, T);
    error = take_turn(&t, target, T);
    if (error)
      return error;
    /* T = x + omega (T - x) */
    for (int i = 0; par->omega != 1 && i < t.n; i++)
      T[i] = x[i] + par->omega * (T[i] - x[i]);
    remember(&h, x, T);
    advance(&h, x);
    perp_set_project(&p->K, x, x);
  }
}

const perp_method perp_method_staggered = {
    .name = "staggered",
    .title = "normal and friction problems in turn",
    .family = "staggered",
    .reference = true,
    .source = "kaufman-sueda-james-pai-2008",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_APPLY,
    .iteration =
        "the normal problem with friction held, the friction problem with normals held, in turn",
    .works = "the matrices of its inner method; friction mostly",
    .max_iterations = 5000,
    PERP_SOLVES_WITH(staggered_parameters),
};
