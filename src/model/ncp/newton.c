/* newton.c: Newton steps for a nonlinear complementarity problem, and the methods built on them */
#include "base/clock.h"
#include "linalg/dense.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "model/ncp/run.h"
#include "verdict/natural.h"

#include <string.h>

/* ---- Systems in which most unknowns are coupled only to a few others ----
 *
 * In models of markets, flows x are coupled to prices but not to each other. With I a set of rows of which
 * no two are coupled, and C the rest,
 *
 *   S = K_CC - K_CI K_II^-1 K_IC,   K = J + diag(shift),   K_II diagonal
 *
 * is small and dense: 100,000 flows between 300 towns leave 600 prices, whose factor takes a tenth of
 * a second; a sparse LU takes seconds. K_II may have small pivots, as the normal equations
 * of a linear program have, so that solutions are refined. */
enum { SCHUR_MOST = 2500, SHORT_ROW = 8 };

typedef struct schur_system {
  int m;         /* rows of C */
  int *place;    /* n: in C; -1: in I */
  int *rows;     /* m */
  double *pivot; /* n: K_ii of I */
  double *S;     /* m x m */
  double *right; /* m */
  double *b, *r; /* n: a right side and its residual */
  const double *shift;
  int *swap;
  perp_lu lu;
} schur_system;

/* Chooses I greedily; returns the number of rows left. */
static int choose(const perp_ncp_run *run, int *place)
{
  enum { OPEN = 0, CHOSEN = -1, REST = 1 };
  const int64_t *start = run->p.start;
  int rest = 0;
  perp_fill_integers(run->n, OPEN, place);
  for (int i = 0; i < run->n; i++) {
    bool fine = place[i] == OPEN && start[i + 1] - start[i] <= SHORT_ROW &&
                (run->lo[i] > -INFINITY || run->hi[i] < INFINITY);
    for (int64_t e = start[i]; fine && e < start[i + 1]; e++)
      fine = run->p.column[e] == i || place[run->p.column[e]] != CHOSEN;
    if (!fine) {
      place[i] = REST;
      continue;
    }
    place[i] = CHOSEN;
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (run->p.column[e] != i)
        place[run->p.column[e]] = REST;
  }
  for (int i = 0; i < run->n; i++)
    place[i] = place[i] == CHOSEN ? -1 : rest++;
  return rest;
}

static schur_system *schur_open(perp_ncp_run *run)
{
  const size_t n = (size_t)run->n;
  schur_system *s = perp_arena_alloc_zero(&run->memory, 1, sizeof *s);
  if (!run->p.start || !s || !PERP_TAKE(&run->memory, PERP_ARRAY(s->place, n)))
    return NULL;
  s->m = choose(run, s->place);
  const size_t m = (size_t)s->m;
  if (s->m > SCHUR_MOST || 4 * (int64_t)s->m > run->n ||
      !PERP_TAKE_REALS(&run->memory, n, &s->pivot, &s->b, &s->r) ||
      !PERP_TAKE(&run->memory, PERP_ARRAY(s->rows, m), PERP_ARRAY(s->swap, m),
                 PERP_ARRAY(s->right, m), PERP_ARRAY(s->S, m * m)))
    return NULL;
  for (int i = 0; i < run->n; i++)
    if (s->place[i] >= 0)
      s->rows[s->place[i]] = i;
  return s;
}

static bool schur_factor(perp_ncp_run *run, schur_system *s, const double *shift)
{
  const int64_t *start = run->p.start;
  const int *column = run->p.column;
  s->shift = shift;
  for (int i = 0; i < run->n; i++) {
    const int64_t at = perp_ncp_place(run, i, i);
    s->pivot[i] = shift[i] + (at < 0 ? 0 : run->J[at]);
    if (s->place[i] < 0 && !(fabs(s->pivot[i]) > 1e-12))
      return false;
  }
  perp_fill((int64_t)s->m * s->m, 0, s->S);
  for (int k = 0; k < s->m; k++) {
    const int i = s->rows[k];
    double *row = s->S + (int64_t)k * s->m;
    row[k] += shift[i];
    for (int64_t e = start[i]; e < start[i + 1]; e++) {
      const int j = column[e];
      if (s->place[j] >= 0) {
        row[s->place[j]] += run->J[e];
        continue;
      }
      const double factor = run->J[e] / s->pivot[j];
      for (int64_t t = start[j]; t < start[j + 1]; t++)
        if (column[t] != j)
          row[s->place[column[t]]] -= factor * run->J[t];
    }
  }
  s->lu = perp_lu_factor(s->m, s->S, s->m, s->swap);
  return s->lu.singular < 0;
}

/* d <- K^-1 d */
static void solve_once(perp_ncp_run *run, schur_system *s, double *d)
{
  const int64_t *start = run->p.start;
  const int *column = run->p.column;
  for (int k = 0; k < s->m; k++) {
    const int i = s->rows[k];
    s->right[k] = d[i];
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (s->place[column[e]] < 0)
        s->right[k] -= run->J[e] * (d[column[e]] / s->pivot[column[e]]);
  }
  perp_lu_solve(&s->lu, s->right);
  for (int i = 0; i < run->n; i++) {
    if (s->place[i] >= 0)
      continue;
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      if (column[e] != i)
        d[i] -= run->J[e] * s->right[s->place[column[e]]];
    d[i] /= s->pivot[i];
  }
  for (int k = 0; k < s->m; k++)
    d[s->rows[k]] = s->right[k];
}

static bool schur_solve(perp_ncp_run *run, schur_system *s, double *d)
{
  enum { REFINEMENTS = 2 };
  perp_copy(run->n, d, s->b);
  solve_once(run, s, d);
  for (int k = 0; k < REFINEMENTS; k++) {
    for (int i = 0; i < run->n; i++)
      s->r[i] = s->shift[i] * d[i] - s->b[i];
    perp_csr_add(run->n, run->p.start, run->p.column, run->J, d, s->r);
    perp_multiply(run->n, -1, s->r);
    solve_once(run, s, s->r);
    perp_axpy(run->n, 1, s->r, d);
  }
  return perp_all_finite(run->n, d);
}

/* ---- Steps for phi(x) = 0 and for the natural map ----
 *
 * Each component depends only on x_i and F_i, with slopes a_i and b_i >= 0, so the matrix is
 *
 *   V = diag(a) + diag(b) (J + tau I),   V d = -value,   gradient of the merit: V^T value.
 *
 * Dense: V itself, LU. Compressed: in the rows with b_i > 0, divided by b_i, J_SS + diag(a/b) by
 * UMFPACK, once the others are known from d_i = -value_i / a_i. Without UMFPACK V is dense up to
 * 2,000 rows. */

enum { DENSE_MOST = 2000 };

struct perp_ncp_system {
  double *V, *G; /* dense: n x n, and V^T V + nu I; NULL: sparse */
  int *swap;
  perp_sparse J;
  const perp_sparse_lu_table *umfpack;
  perp_sparse_lu *factor;
  perp_arena arena; /* of the factor */
  double *shift, *right;
  int *set;
  perp_lu lu;  /* of the dense V */
  bool sought; /* for a Schur complement */
  schur_system *schur;
};

/* Allocates a dense matrix, or a factor for compressed rows; neither if both are unavailable. */
static bool take_matrices(perp_ncp_run *run, perp_ncp_system *s)
{
  const size_t n = (size_t)run->n;
  if (run->p.start) {
    s->J = (perp_sparse){run->n, run->p.start, run->p.column, run->J};
    s->umfpack = perp_sparse_umfpack();
    s->factor = s->umfpack ? s->umfpack->open(&s->J, true, &s->arena) : NULL;
    if (s->factor || run->n > DENSE_MOST)
      return s->factor || !s->umfpack;
  }
  return (n == 0 || n <= SIZE_MAX / n / sizeof(double)) &&
         PERP_TAKE(&run->memory, PERP_ARRAY(s->V, n * n), PERP_ARRAY(s->G, n * n));
}

bool perp_ncp_has_newton(perp_ncp_run *run)
{
  const size_t n = (size_t)run->n;
  if (!run->system && !run->error) {
    perp_ncp_system *s = perp_arena_alloc_zero(&run->memory, 1, sizeof *s);
    run->system = s;
    if (!s || !PERP_TAKE(&run->memory, PERP_ARRAY(s->swap, n), PERP_ARRAY(s->set, n)) ||
        !PERP_TAKE_REALS(&run->memory, n, &s->shift, &s->right) || !take_matrices(run, s))
      run->error = perp_fail(&run->result->message, PERP_ERROR_MEMORY,
                             "out of memory for Newton steps, n = %d", run->n);
  }
  return !run->error && (run->n == 0 || run->system->V || run->system->factor);
}

void perp_ncp_system_close(perp_ncp_run *run)
{
  if (run->system && run->system->factor)
    run->system->umfpack->forget(run->system->factor);
  if (run->system)
    perp_arena_free(&run->system->arena);
}

/* ---- The map, its slopes, its gradient ---- */

static void slopes(perp_ncp_run *run, const perp_ncp_map *map)
{
  for (int i = 0; i < run->n; i++) {
    const double x = run->x[i], lo = run->lo[i], hi = run->hi[i];
    const double f = perp_ncp_scaled(map, i, x, run->F[i]);
    if (map->natural) {
      const double below = x - lo, above = x - hi;
      const bool bound = f > below || f < above;
      run->value[i] = perp_natural_map(f, below, above);
      run->a[i] = bound;
      run->b[i] = !bound;
    } else {
      const perp_slopes s = perp_phi_box(&map->phi, x, f, lo, hi, 0, 0);
      run->value[i] = s.value;
      run->a[i] = s.a;
      run->b[i] = s.b;
    }
    run->b[i] *= map->scale ? map->scale[i] : 1;
    run->a[i] += run->b[i] * map->tau;
  }
}

static void multiply(const perp_ncp_run *run, bool transposed, const double *x, double *y)
{
  const int n = run->n;
  if (!run->p.start) {
    (transposed ? perp_dense_apply_t : perp_dense_apply)(n, n, run->J, n, x, y);
    return;
  }
  perp_fill(n, 0, y);
  (transposed ? perp_csr_add_t : perp_csr_add)(n, run->p.start, run->p.column, run->J, x, y);
}

/* V^T value = a value + J^T (b value) */
static void gradient(perp_ncp_run *run)
{
  double *scaled = run->system->right;
  for (int i = 0; i < run->n; i++)
    scaled[i] = run->b[i] * run->value[i];
  multiply(run, true, scaled, run->gradient);
  for (int i = 0; i < run->n; i++)
    run->gradient[i] += run->a[i] * run->value[i];
}

/* ---- Directions ---- */

static void fill(perp_ncp_run *run, double *V)
{
  const int n = run->n;
  for (int i = 0; i < n; i++) {
    double *row = V + (int64_t)i * n;
    if (run->p.start) {
      perp_fill(n, 0, row);
      for (int64_t e = run->p.start[i]; e < run->p.start[i + 1]; e++)
        row[run->p.column[e]] = run->b[i] * run->J[e];
    } else {
      for (int j = 0; j < n; j++)
        row[j] = run->b[i] * run->J[(int64_t)i * n + j];
    }
    row[i] += run->a[i];
  }
}

static bool solve_dense(perp_ncp_run *run)
{
  perp_ncp_system *s = run->system;
  fill(run, s->V);
  const perp_lu lu = perp_lu_factor(run->n, s->V, run->n, s->swap);
  if (lu.singular >= 0 || !(lu.pivot_min > 1e-15 * lu.pivot_max))
    return false;
  perp_negate(run->n, run->value, run->d);
  perp_lu_solve(&lu, run->d);
  return true;
}

static bool solve_sparse(perp_ncp_run *run)
{
  perp_ncp_system *s = run->system;
  int m = 0;
  for (int i = 0; i < run->n; i++) {
    const bool in = run->b[i] > 1e-10 * run->a[i];
    run->d[i] = in ? 0 : -run->value[i] / run->a[i];
    s->shift[i] = in ? run->a[i] / run->b[i] : 0;
    if (in)
      s->set[m++] = i;
  }
  multiply(run, false, run->d, s->right);
  for (int k = 0; k < m; k++) {
    const int i = s->set[k];
    s->right[k] = -run->value[i] / run->b[i] - s->right[i];
  }
  double flops;
  if (!s->umfpack->factor(s->factor, m, s->set, s->shift, INFINITY, &flops) ||
      !s->umfpack->solve(s->factor, s->right))
    return false;
  for (int k = 0; k < m; k++)
    run->d[s->set[k]] = s->right[k];
  return true;
}

/* The dense rows are divided by 1 + shift, so that a pivot is small only if the matrix is singular. */
static bool factor_shifted(perp_ncp_run *run, const double *shift)
{
  perp_ncp_system *s = run->system;
  double flops;
  for (int i = 0; i < run->n; i++) {
    run->b[i] = 1 / (1 + shift[i]);
    run->a[i] = shift[i] * run->b[i];
    s->set[i] = i;
  }
  if (!s->sought && run->n > DENSE_MOST)
    s->schur = schur_open(run);
  s->sought = true;
  if (s->schur)
    return schur_factor(run, s->schur, shift);
  if (s->factor)
    return s->umfpack->factor(s->factor, run->n, s->set, shift, INFINITY, &flops);
  fill(run, s->V);
  s->lu = perp_lu_factor(run->n, s->V, run->n, s->swap);
  return s->lu.singular < 0 && s->lu.pivot_min > 1e-15 * s->lu.pivot_max;
}

bool perp_ncp_factor_shifted(perp_ncp_run *run, const double *shift)
{
  const double before = perp_clock_seconds();
  const bool done = factor_shifted(run, shift);
  run->result->counts.solves++;
  run->result->linear_seconds += perp_clock_seconds() - before;
  return done;
}

bool perp_ncp_solve_shifted(perp_ncp_run *run, double *d)
{
  const double before = perp_clock_seconds();
  perp_ncp_system *s = run->system;
  bool done = true;
  if (s->schur) {
    done = schur_solve(run, s->schur, d);
  } else if (s->factor) {
    done = s->umfpack->solve(s->factor, d);
  } else {
    for (int i = 0; i < run->n; i++)
      d[i] *= run->b[i];
    perp_lu_solve(&s->lu, d);
  }
  run->result->linear_seconds += perp_clock_seconds() - before;
  return done;
}

/* Computes the Newton direction for the map at the iterate into run->d, and the merit's gradient
 * into run->gradient. J must be fresh. Returns false if the matrix has no factor; the gradient is
 * valid even so. */
static bool find_direction(perp_ncp_run *run, const perp_ncp_map *map)
{
  perp_ncp_system *s = run->system;
  slopes(run, map);
  gradient(run);
  run->result->counts.solves++;
  const double before = perp_clock_seconds();
  const bool found = s->factor ? solve_sparse(run) : s->V && solve_dense(run);
  run->result->linear_seconds += perp_clock_seconds() - before;
  return found && perp_all_finite(run->n, run->d);
}

/* (V^T V + nu I) d = -V^T value, for small dense V */
static bool levenberg(perp_ncp_run *run, double nu)
{
  enum { MOST = 400 };
  perp_ncp_system *s = run->system;
  const int n = run->n;
  if (!s->V || n > MOST)
    return false;
  fill(run, s->V);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      s->G[(int64_t)i * n + j] = i == j ? nu : 0;
  for (int k = 0; k < n; k++) {
    const double *row = s->V + (int64_t)k * n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i && row[i] != 0; j++)
        s->G[(int64_t)i * n + j] += row[i] * row[j];
  }
  if (perp_cholesky(n, s->G, n, 0) < n)
    return false;
  perp_negate(n, run->gradient, run->d);
  perp_cholesky_solve(n, s->G, n, run->d);
  run->result->counts.solves++;
  return perp_all_finite(n, run->d);
}

/* Returns d^T gradient, with d cut off at the bounds. */
static double slope_of(const perp_ncp_run *run)
{
  double slope = 0;
  for (int i = 0; i < run->n; i++) {
    const bool out =
        (run->d[i] < 0 && run->x[i] <= run->lo[i]) || (run->d[i] > 0 && run->x[i] >= run->hi[i]);
    slope += out ? 0 : run->d[i] * run->gradient[i];
  }
  return slope;
}

/* Takes one step of the globalised Newton method for the map: along the Newton direction, a
 * Levenberg-Marquardt direction, or the negative gradient, whichever first lowers the merit.
 * Returns false if none does. */
static bool newton_step(perp_ncp_run *run, const perp_ncp_map *map)
{
  if (!perp_ncp_has_newton(run) || !perp_ncp_differentiate(run))
    return false;
  if (find_direction(run, map)) {
    const double slope = slope_of(run);
    if (slope < 0 && perp_ncp_search(run, map, slope, 12))
      return true;
  }
  const double size = perp_norm2(run->n, run->value);
  for (double nu = size < 1 ? size : 1; nu <= 1e4 && !run->error; nu *= 100) {
    if (levenberg(run, nu)) {
      const double slope = slope_of(run);
      if (slope < 0 && perp_ncp_search(run, map, slope, 12))
        return true;
    }
  }
  perp_negate(run->n, run->gradient, run->d);
  const double slope = slope_of(run);
  return slope < 0 && perp_ncp_search(run, map, slope, 40);
}

void perp_ncp_semismooth(perp_ncp_run *run, const perp_ncp_map *map)
{
  while (perp_ncp_next(run))
    if (!newton_step(run, map))
      perp_ncp_end(run, PERP_LOCAL_MINIMUM);
}

/* ---- Josephy and Newton: linear complementarity problems ----
 *
 *   z solves   lo <= z <= hi,  F(x) + J (z - x) + delta (z - x)  complementary
 *   x <- x + t (z - x),   t = 1, 1/2, ... until the merit 1/2 |phi|^2 is below the largest of the last
 *
 * The linear problems are boxed, y = (J + delta I) z + b with b = F - (J + delta I) x, and any
 * method of the library may solve them. delta = 0 unless the linear problem with J has no solution;
 * then it grows (a proximal term, Billups and Ferris 1997). If there is no z or no t, the step is a
 * semismooth Newton step for phi, which lowers the merit unless x is a stationary point of it. Near
 * a solution at which the linear problem is regular, t = 1 and convergence is quadratic (Josephy
 * 1979, Robinson 1980; the search: Ralph 1994, Dirkse and Ferris 1995).
 *
 * Far from a solution the linear problem may have none, and all methods of `auto` would be tried in
 * vain: thousands of factors, where a semismooth step takes one. So it gets LINEAR_MOST iterations,
 * and after k failures in a row the next 2^k - 1 steps are semismooth: failures cost a share of the
 * steps that falls to 1 in 64. */

enum { LINEAR_MOST = 30, FAILURES_MOST = 6 };

static bool open_solver(perp_ncp_run *run)
{
  if (run->solver)
    return true;
  const char *name = run->options.linear ? run->options.linear : "auto";
  perp_message *why = &run->result->message;
  run->error = perp_solver_create(name, &run->solver, why);
  if (!run->error)
    run->error = run->p.start
                     ? perp_operator_csr(run->n, run->p.start, run->p.column, run->J, PERP_BORROW,
                                         &run->A, why)
                     : perp_operator_dense(run->n, run->J, run->n, PERP_BORROW, &run->A, why);
  return !run->error;
}

/* J <- J + delta I. Returns false if a row has no diagonal entry. */
static bool add_diagonal(perp_ncp_run *run, double delta)
{
  for (int i = 0; i < run->n; i++) {
    const int64_t at = perp_ncp_place(run, i, i);
    if (at < 0)
      return false;
    run->J[at] += delta;
  }
  return true;
}

/* Solves the linear problem at x; d <- z - x. b is in try_F, z in try_x. */
static bool solve_linear(perp_ncp_run *run)
{
  perp_message why;
  if (perp_operator_refresh(run->A, &why))
    return false;
  double *z = run->try_x, *b = run->try_F;
  perp_copy(run->n, run->x, z);
  perp_operator_apply(run->A, run->x, b, NULL, NULL);
  for (int i = 0; i < run->n; i++)
    b[i] = run->F[i] - b[i];
  if (!perp_all_finite(run->n, b)) /* J x overflows: fischer needs no such product */
    return false;
  const perp_problem p = perp_problem_boxed(run->A, b, run->lo, run->hi);
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  const double wanted = 0.01 * run->options.tol / perp_problem_scale(&p);
  options.tol = wanted < 1e-14 ? 1e-14 : wanted > 1e-8 ? 1e-8 : wanted;
  options.max_iterations = run->options.linear ? 0 : LINEAR_MOST;
  options.interrupted = run->options.interrupted;
  options.interrupted_context = run->options.interrupted_context;
  if (run->options.time_limit > 0) {
    const double left = run->options.time_limit - (perp_clock_seconds() - run->began);
    options.time_limit = left > 1e-3 ? left : 1e-3;
  }
  const double before = perp_clock_seconds();
  const perp_error error = perp_solver_solve(run->solver, &p, &options, z, &result);
  run->result->linear_seconds += perp_clock_seconds() - before;
  run->result->counts.solves++;
  if (error) { /* the caller chose a method that does not accept such problems */
    if (error != PERP_ERROR_MEMORY || run->options.linear) {
      run->error = error;
      run->result->message = result.message;
    }
    return false;
  }
  /* a direction need not be exact */
  if (result.outcome != PERP_SOLVED && !(result.relative_residual <= 1e-6))
    return false;
  perp_subtract(run->n, z, run->x, run->d);
  return perp_all_finite(run->n, run->d);
}

/* Computes z - x, with a proximal term if necessary. */
static bool direction(perp_ncp_run *run)
{
  if (solve_linear(run))
    return true;
  for (double delta = 1e-2; delta <= 1e2 && !run->error; delta *= 100) {
    if (!add_diagonal(run, delta)) {
      run->fresh = false;
      return false;
    }
    const bool found = solve_linear(run);
    run->fresh = false; /* J has changed */
    if (found)
      return true;
    if (!perp_ncp_differentiate(run))
      return false;
  }
  return false;
}

/* ---- From F(x) + tau (x - x0) with a large tau to F ----
 *
 * The solution for tau = infinity is P(x0). tau falls, and the semismooth Newton method follows,
 * for
 *
 *   phi(x_i - lo_i, s_i (F_i + tau (x_i - x0_i))) = 0,   s_i = 1 / (tau + max_j |J_ij|).
 *
 * The scale s changes no solution and brings both arguments of phi to the same size: without it,
 * and with a J of size 1000, Newton steps become ever shorter, since phi then has a corner near
 * every x. F + tau (x - x0) is strongly monotone with the modulus tau if F is monotone, so that
 *
 *   |phi| <= tau / (tau + max |J|) / 100
 *
 * bounds the distance to x(tau) for any tau: x is then a point of the path. If that takes a few
 * steps, tau falls faster. If many do not suffice, x returns to the last point, and tau falls by
 * less. The last tau is 0. For monotone F every solution of the path exists, is unique, and leads
 * to the solution nearest to x0, and phi has no other stationary points on the way (Tikhonov;
 * Facchinei, Kanzow 1999); for others the path may end at a fold: then tau is 0 at once. */

enum { MOST_STEPS = 12, QUICK = 3, SLOW = 8, MOST_RETURNS = 4 };

typedef struct path {
  double *scale, *point; /* point: the last one on the path */
  double slope;          /* the largest entry of J */
} path;

/* scale_i = 1 / (tau + the largest entry of row i of J): x and scale F have the same size */
static void weigh(perp_ncp_run *run, path *p, double tau)
{
  p->slope = 0;
  for (int i = 0; i < run->n; i++) {
    const int64_t first = run->p.start ? run->p.start[i] : (int64_t)i * run->n;
    const int64_t end = run->p.start ? run->p.start[i + 1] : first + run->n;
    double most = 0;
    for (int64_t e = first; e < end; e++)
      most = fabs(run->J[e]) > most ? fabs(run->J[e]) : most;
    p->scale[i] = tau + most > 0 ? 1 / (tau + most) : 1;
    p->slope = most > p->slope ? most : p->slope;
  }
}

/* Takes three proximal steps, each one Newton step for F(x) + tau (x - x0) from x0 = x, with tau = 1, 0.3
 * and 0.09 times the largest entry of J: short and well defined far from a solution, where a linear
 * problem with J itself may lead anywhere. */
static void crash(perp_ncp_run *run, path *p)
{
  double part = 1;
  for (int k = 0; k < 3 && perp_ncp_next(run) && perp_ncp_differentiate(run); k++, part *= 0.3) {
    weigh(run, p, 0);
    const double tau = part * p->slope;
    weigh(run, p, tau);
    perp_copy(run->n, run->x, p->point);
    run->merits_known = 0;
    const perp_ncp_map map = {.tau = tau, .x0 = p->point, .phi = {1, 0}, .scale = p->scale};
    if (!newton_step(run, &map))
      break;
  }
  run->merits_known = 0;
}

/* Takes steps to the point tau of the path. Returns their number, MOST_STEPS + 1 if the point was
 * not reached, -1 at the end of the run. */
static int follow(perp_ncp_run *run, path *p, double tau)
{
  const perp_ncp_map map = {.tau = tau, .x0 = run->start, .phi = {1, 0}, .scale = p->scale};
  if (!perp_ncp_differentiate(run))
    return -1;
  weigh(run, p, tau);
  run->merits_known = 0;
  const double near = 0.01 * tau / (tau + p->slope);
  for (int steps = 0; steps <= MOST_STEPS; steps++) {
    if (perp_ncp_merit(run, &map, run->x, run->F) <= near * near)
      return steps;
    if (!perp_ncp_next(run))
      return -1;
    if (!newton_step(run, &map))
      break;
  }
  return MOST_STEPS + 1;
}

static bool take_path(perp_ncp_run *run, path *p)
{
  if (!PERP_TAKE_REALS(&run->memory, (size_t)run->n, &p->scale, &p->point))
    run->error = perp_fail(&run->result->message, PERP_ERROR_MEMORY,
                           "out of memory for a point of the path, n = %d", run->n);
  return !run->error;
}

void perp_ncp_josephy(perp_ncp_run *run)
{
  path p;
  if (!open_solver(run) || !take_path(run, &p))
    return;
  if (run->crash && perp_ncp_has_newton(run))
    crash(run, &p);
  int failures = 0, skip = 0; /* linear problems that failed in a row; steps until the next */
  while (perp_ncp_next(run)) {
    if (!perp_ncp_differentiate(run))
      return;
    /* the merit need not fall along d, but it does if x is near a regular solution */
    const double merit = perp_ncp_merit(run, &perp_ncp_fischer, run->x, run->F);
    if (skip == 0 && direction(run) && perp_ncp_search(run, &perp_ncp_fischer, -2 * merit, 10)) {
      failures = 0;
      continue;
    }
    if (run->error)
      return;
    failures += skip == 0 && failures < FAILURES_MOST;
    skip = skip > 0 ? skip - 1 : (1 << failures) - 1;
    if (!newton_step(run, &perp_ncp_fischer))
      perp_ncp_end(run, PERP_LOCAL_MINIMUM);
  }
}

void perp_ncp_homotopy(perp_ncp_run *run)
{
  path p;
  if (!perp_ncp_next(run) || !perp_ncp_differentiate(run) || !take_path(run, &p))
    return;
  weigh(run, &p, 0);
  double tau = p.slope > 1e-8 ? p.slope : 1, last = 0, factor = 0.2;
  const double end = 1e-9 * tau;
  int returns = 0;
  while (tau > end) {
    const int steps = follow(run, &p, tau);
    if (steps < 0)
      return;
    if (steps <= MOST_STEPS) {
      factor = steps <= QUICK ? factor * 0.5 : steps >= SLOW ? sqrt(factor) : factor;
      factor = factor < 1e-3 ? 1e-3 : factor > 0.7 ? 0.7 : factor;
      last = tau;
      perp_copy(run->n, run->x, p.point);
    } else if (last == 0 || returns++ == MOST_RETURNS) {
      break;
    } else {
      factor = sqrt(factor);
      if (!perp_ncp_move(run, p.point)) { /* F was defined there before, and now is not */
        perp_ncp_end(run, PERP_STAGNATED);
        return;
      }
    }
    tau = last * factor;
  }
  if (perp_ncp_differentiate(run)) {
    weigh(run, &p, 0);
    perp_ncp_semismooth(run, &(perp_ncp_map){.phi = {1, 0}, .scale = p.scale});
  }
}
