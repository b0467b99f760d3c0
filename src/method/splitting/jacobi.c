/* jacobi.c: projected Jacobi with safe damping, by rows and by blocks
 *
 * jacobi. All rows with the old x,
 *
 *   x <- P( x - omega D^-1 (A x + b) ),   D = diag(A)
 *
 * This is a gradient step in the norm of D. For symmetric A it converges when
 * omega < 2 / lambda, lambda the largest eigenvalue of D^-1 A; the textbook omega = 1 does so only
 * for lambda < 2, which every matrix with a block of three or more strongly coupled rows breaks
 * (Erleben 2013 reports the divergence on contact problems).
 *
 * Damping (omega = 0): lambda is estimated by power iterations on D^-1 A. The estimate is a lower
 * bound in the norm of D when A is symmetric, so omega = 1 / lambda lies well inside the interval,
 * and it is capped at 1. If the residual still grows over several iterations (a nonsymmetric A, too
 * small an estimate), omega is halved and the iteration continues. One iteration: one product with
 * A, which gives y, so every iterate is checked at no cost. Workspace: 3 n.
 *
 * bjacobi. All blocks B with the same x,
 *
 *   x_B <- argmin over K_B of  y_B^T z + 1/(2 omega) (z - x_B)^T A_BB (z - x_B),   y = A x + b.
 *
 * With D the diagonal blocks of A this is a projected gradient step
 * in the norm of D; for symmetric A and convex parts it converges when omega < 2 / lambda, lambda
 * the largest eigenvalue of D^-1 A. Blocks and local solves: contacts.h.
 *
 * Damping as in jacobi.
 *
 * Accelerated (accelerate), with z the result of a step from x, as nncg does it for cones:
 *
 *   g = z - x,   beta = |g|^2 / |g before|^2
 *   beta > 1.05:  x = z                                (restart)
 *   else          x = P(z + min(beta, 1) (z - z before))
 *
 * docs/theory/splitting.md derives why beta becomes the best momentum for the slowest mode. A halved omega restarts
 * it too.
 *
 * Rows may be distributed over processes (perp_ranks), in whole blocks: all sums are over all
 * processes. One iteration: one product with A, which gives y, so every iterate is checked at no
 * cost; threads share the blocks. Workspace: 3 n, accelerated 4 n, and twice the diagonal
 * blocks. */
#include "base/elementary.h"
#include "base/random.h"
#include "base/threads.h"
#include "linalg/dense.h"
#include "method/contact/contacts.h"
#include "method/system/gather.h"
#include "set/set.h"

#include <string.h>

enum { POWER = 20 }; /* power iterations for omega = 0 */

/* Halves omega if the residual is ten times the lowest since omega last changed. Returns true
 * then. */
static bool damp(double residual, double *lowest, double *omega)
{
  const bool grew = residual > 10 * *lowest;
  if (grew)
    *omega /= 2;
  *lowest = grew ? residual : perp_min(*lowest, residual);
  return grew;
}

/* ---- By rows ---- */

typedef struct {
  double omega;
} jacobi_parameters;

static const perp_parameter row_parameters[] = {
    PERP_REAL(jacobi_parameters, omega, 0.0, 0.0, 1.99, "damping; 0: found by power iterations"),
    {0},
};

static perp_error solve_rows(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const jacobi_parameters *par = params;
  const int n = p->K.n;
  double *d, *y, *z;
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &d, &y, &z))
    return perp_run_no_memory(run);
  const perp_error error = perp_run_diagonal(run, d);
  if (error)
    return error;

  double omega = par->omega;
  if (omega == 0) {
    const double lambda = perp_largest_eigenvalue(run, d, POWER, y, z);
    omega = lambda > 1 ? 1 / lambda : 1;
  }

  double lowest = INFINITY; /* residual since omega last changed */
  for (;;) {
    perp_run_gradient(run, x, y);
    if (!perp_run_next(run, x, y))
      return PERP_OK;
    const double residual = perp_problem_residual(p, x, y);
    if (par->omega == 0)
      damp(residual, &lowest, &omega);
    /* z = P(x - omega D^-1 y), friction bounds at the new normals */
    for (int i = 0; i < n; i++)
      z[i] = x[i] - omega * y[i] / d[i];
    perp_set_project(&p->K, z, z);
    memcpy(x, z, (size_t)n * sizeof *x);
  }
}

const perp_method perp_method_jacobi = {
    .name = "jacobi",
    .title = "projected Jacobi with safe damping",
    .family = "splitting",
    .reference = true,
    .source = "cottle-pang-stone-1992",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_APPLY | PERP_CAN_DIAGONAL,
    .iteration = "x <- P_K(x - omega D^-1 (A x + b))",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 20000,
    .parameters = row_parameters,
    .parameter_bytes = sizeof(jacobi_parameters),
    .solve = solve_rows,
};

/* ---- By blocks ---- */

enum { GRAIN = 64 }; /* blocks per piece of the parallel loop */

typedef struct {
  double omega;
  int block, accelerate;
} bjacobi_parameters;

static const double SLACK = 1.05; /* of beta, before a restart */

static const perp_parameter block_parameters[] = {
    PERP_REAL(bjacobi_parameters, omega, 0.0, 0.0, 1.99, "damping; 0: found by power iterations"),
    PERP_INTEGER(bjacobi_parameters, block, 0, 0, 64,
                 "rows per block outside contacts; 0: block size of the matrix, else 1"),
    PERP_FLAG(bjacobi_parameters, accelerate, 0, "momentum between iterations, as in nncg"),
    {0},
};

/* ---- The largest eigenvalue ---- */

/* z <- D^-1 z with the factors of the blocks; w is scratch of n. */
static void solve_blocks(const perp_blocks *b, const double *LU, const int *swap, double *z,
                         double *w)
{
  for (int k = 0; k < b->list.count; k++) {
    const int *row = b->list.row + b->list.start[k], m = b->list.start[k + 1] - b->list.start[k];
    const perp_lu factor = {
        .n = m, .LU = LU + b->W_start[k], .ld = m, .swap = swap + b->list.start[k], .singular = -1};
    for (int t = 0; t < m; t++)
      w[t] = z[row[t]];
    perp_lu_solve(&factor, w);
    for (int t = 0; t < m; t++)
      z[row[t]] = w[t];
  }
}

/* Factors D, with each block's diagonal raised slightly so that a singular block has a factor
 * too. */
static void factor_blocks(const perp_blocks *b, double *LU, int *swap)
{
  for (int k = 0; k < b->list.count; k++) {
    const int m = b->list.start[k + 1] - b->list.start[k];
    double *W = LU + b->W_start[k];
    memcpy(W, b->W + b->W_start[k], (size_t)m * (size_t)m * sizeof *W);
    for (int t = 0; t < m; t++)
      W[t * m + t] *= 1 + 1e-8;
    int *exchanges = swap + b->list.start[k];
    if (perp_lu_factor(m, W, m, exchanges).singular < 0)
      continue;
    for (int t = 0; t < m; t++) { /* use its diagonal, for an estimate */
      exchanges[t] = t;
      for (int l = 0; l < m; l++)
        W[t * m + l] = l == t ? b->W[b->W_start[k] + t * m + t] : 0;
    }
  }
}

/* Returns the largest eigenvalue of D^-1 A in magnitude: growth of |w| under power iterations. */
static perp_error largest_eigenvalue(perp_run *run, const perp_blocks *b, double *w, double *z,
                                     double *lambda)
{
  const int n = run->problem->K.n;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  double *LU, *local;
  int *swap;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(LU, b->W_start[b->list.count]),
                 PERP_ARRAY(local, b->list.largest), PERP_ARRAY(swap, n)))
    return perp_run_no_memory(run);
  factor_blocks(b, LU, swap);
  perp_random random = perp_random_from(run->options->seed + 1);
  for (int i = 0; i < n; i++)
    w[i] = run->ranks ? run->ranks->direction[i] : perp_random_between(&random, -1, 1);
  *lambda = 0;
  for (int k = 0; k < POWER && !perp_run_expired(run); k++) {
    perp_run_apply(run, w, z);
    /* |D^-1 A w| / |w| in the norm of D, which needs z = A w before and after the solve */
    double product[2] = {0, 0}; /* before, after */
    for (int i = 0; i < n; i++)
      product[0] += w[i] * z[i];
    memcpy(w, z, (size_t)n * sizeof *w);
    solve_blocks(b, LU, swap, z, local);
    for (int i = 0; i < n; i++)
      product[1] += w[i] * z[i];
    perp_run_sum(run, 2, product);
    if (!(product[1] > 0) || !(product[0] > 0) || isinf(product[1]))
      break;
    *lambda = perp_max(*lambda, product[1] / product[0]);
    const double scale = 1 / sqrt(product[1]);
    for (int i = 0; i < n; i++)
      w[i] = z[i] * scale;
  }
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

/* ---- One iteration ---- */

typedef struct step {
  const perp_blocks *blocks;
  const double *x, *y;
  double *z;    /* the new x */
  double *room; /* for each piece: two rows and the memory of a local solve */
  size_t piece; /* numbers of it */
} step;

static void solve_range(void *context, int64_t begin, int64_t end)
{
  const step *s = context;
  const perp_block_list *list = &s->blocks->list;
  double *y = s->room + (size_t)(begin / GRAIN) * s->piece, *x = y + list->largest;
  for (int block = (int)begin; block < end; block++) {
    const int *row = list->row + list->start[block],
              m = list->start[block + 1] - list->start[block];
    for (int t = 0; t < m; t++) {
      y[t] = s->y[row[t]];
      x[t] = s->x[row[t]];
    }
    perp_blocks_solve_in(s->blocks, block, y, x, x + list->largest);
    for (int t = 0; t < m; t++)
      s->z[row[t]] = x[t];
  }
}

typedef struct momentum {
  double *before; /* the previous z; NULL: no momentum */
  double last;    /* |g before|^2; 0: none */
} momentum;

/* x <- the next iterate from z */
static void go_on(perp_run *run, const perp_set *K, momentum *m, double *z, double *x)
{
  const size_t n = (size_t)K->n;
  if (!m->before) {
    memcpy(x, z, n * sizeof *x);
    return;
  }
  double now = 0;
  for (size_t i = 0; i < n; i++)
    now += (z[i] - x[i]) * (z[i] - x[i]);
  perp_run_sum(run, 1, &now);
  const double beta = m->last > 0 ? now / m->last : INFINITY, most = perp_min(beta, 1);
  for (size_t i = 0; i < n; i++)
    x[i] = beta <= SLACK ? z[i] + most * (z[i] - m->before[i]) : z[i];
  if (beta <= SLACK)
    perp_set_project(K, x, x);
  else
    run->count.restarts++;
  memcpy(m->before, z, n * sizeof *z);
  m->last = now;
}

static perp_error solve_blockwise(perp_run *run, const perp_problem *p, const void *params,
                                  double *x)
{
  const bjacobi_parameters *par = params;
  momentum m = {0};
  const size_t n = (size_t)p->K.n;
  perp_blocks *blocks;
  perp_error error = perp_blocks_create(run, x, par->block, false, &blocks);
  if (error || perp_run_expired(run))
    return error;
  const size_t largest = (size_t)blocks->list.largest;
  const size_t pieces = (size_t)blocks->list.count / GRAIN + 1;
  double *y;
  step s = {.blocks = blocks, .x = x, .piece = largest * (largest + 3)};
  if (!PERP_TAKE(run->arena, PERP_ARRAY(y, n), PERP_ARRAY(s.z, n),
                 PERP_ARRAY(s.room, pieces * s.piece)))
    return perp_run_no_memory(run);
  if (par->accelerate && !PERP_TAKE(run->arena, PERP_ARRAY(m.before, n)))
    return perp_run_no_memory(run);
  s.y = y;

  blocks->omega = par->omega;
  if (par->omega == 0) {
    double lambda = 1;
    if ((error = largest_eigenvalue(run, blocks, y, s.z, &lambda)))
      return error;
    blocks->omega = lambda > 1 ? 1 / lambda : 1;
  }
  double lowest = INFINITY; /* residual since omega last changed */
  for (;;) {
    perp_run_gradient(run, x, y);
    if (!perp_run_next(run, x, y))
      return PERP_OK;
    double residual = perp_problem_residual(p, x, y);
    perp_run_most(run, 1, &residual);
    if (par->omega == 0 && damp(residual, &lowest, &blocks->omega))
      m.last = 0;
    perp_parallel_for(run->options->threads, blocks->list.count, GRAIN, solve_range, &s);
    go_on(run, &p->K, &m, s.z, x);
  }
}

const perp_method perp_method_bjacobi = {
    .name = "bjacobi",
    .title = "block Jacobi with exact local solves and safe damping",
    .family = "splitting",
    .reference = true,
    .source = "cottle-pang-stone-1992",
    .takes = PERP_TAKES_ALL,
    .needs = PERP_CAN_APPLY | PERP_CAN_ROW,
    .iteration = "solves all local problems of blocks at the old x, then a damped step",
    .works = "symmetric positive (semi-)definite A with a positive diagonal, cones included",
    .max_iterations = 20000,
    .parameters = block_parameters,
    .parameter_bytes = sizeof(bjacobi_parameters),
    .solve = solve_blockwise,
};
