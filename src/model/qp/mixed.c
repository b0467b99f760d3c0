/* mixed.c: a quadratic program as a complementarity problem, for the methods of the library
 *
 * The optimality conditions. A row with one bound, or with equal bounds, is one row; a row with two
 * bounds also has a slack t:
 *
 *   x in [lb, ub]    y = P x + G^T z + q
 *   z >= 0           y = u_i - G_i x           only u_i is finite
 *   z <= 0           y = l_i - G_i x           only l_i is finite
 *   z free           y = u_i - G_i x           l_i = u_i
 *   z free           y = t - G_i x             both are finite and differ,
 *   t in [l_i, u_i]  y = -z                    and its slack
 *
 * The matrix is P plus a skew part: positive semi-definite if P is. The problem has no solution if
 * and only if the program is infeasible or unbounded, and its certificates (prove.c of src/problem)
 * are the program's: u is z in the rows of z, or d in the rows of x.
 *
 * The dual, if P has an inverse. x = -P^-1 (q + E^T v) for the rows E of (I; G) that have a bound,
 * one for each finite bound:
 *
 *   v >= 0, y = U_k - E_k x,    v <= 0, y = L_k - E_k x,    v free, y = U_k - E_k x (an equation)
 *
 * so A = E P^-1 E^T, b = B + E P^-1 q: symmetric positive semi-definite and dense. With P = C C^T
 * and W = C^-1 E^T, A = W^T W. Cost: n^3/3 + n^2 r + n r^2 for r rows. */
#include "model/qp/qp.h"

#include "linalg/dense.h"
#include <perp/problem.h>

#include <float.h>

static bool is_slack(const perp_qp_solver *s, int k)
{
  return !isinf(s->L[k]) && !isinf(s->U[k]) && s->L[k] < s->U[k];
}

perp_error perp_qp_mixed_make(const perp_qp_solver *s, perp_arena *arena, perp_qp_mixed *mixed,
                              perp_message *why)
{
  const int n = s->n, m = s->m;
  int rows = n;
  *mixed = (perp_qp_mixed){0};
  perp_qp_rows A;
  int64_t entries = s->P.start[n] + 2 * s->G.start[m];
  if (!PERP_TAKE(arena, PERP_ARRAY(mixed->of_row, m)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a complementarity problem");
  for (int i = 0; i < m; i++) {
    const bool any = !isinf(s->L[n + i]) || !isinf(s->U[n + i]);
    mixed->of_row[i] = any ? rows++ : -1;
  }
  const int slack_first = rows;
  for (int i = 0; i < m; i++)
    if (is_slack(s, n + i)) {
      rows++;
      entries += 2;
    }
  if (!PERP_TAKE_REALS(arena, (size_t)rows, &mixed->b, &mixed->lo, &mixed->hi) ||
      !perp_qp_take_rows(arena, rows, rows, entries, &A))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a complementarity problem");
  mixed->rows = rows;
  int64_t at = 0;
  for (int i = 0; i < n; i++) {
    A.start[i] = at;
    at = perp_qp_append(&A, at, &s->P, i, 0, 1);
    for (int64_t e = s->T.start[i]; e < s->T.start[i + 1]; e++)
      if (mixed->of_row[s->T.column[e]] >= 0) {
        A.column[at] = mixed->of_row[s->T.column[e]];
        A.value[at++] = s->T.value[e];
      }
    mixed->b[i] = s->q[i];
    mixed->lo[i] = s->L[i];
    mixed->hi[i] = s->U[i];
  }
  int slack = slack_first;
  for (int i = 0; i < m; i++) {
    const int row = mixed->of_row[i];
    const double L = s->L[n + i], U = s->U[n + i];
    if (row < 0)
      continue;
    A.start[row] = at;
    at = perp_qp_append(&A, at, &s->G, i, 0, -1);
    const bool two = is_slack(s, n + i);
    mixed->lo[row] = isinf(L) ? 0 : -INFINITY;
    mixed->hi[row] = isinf(U) ? 0 : INFINITY;
    mixed->b[row] = two ? 0 : isinf(U) ? L : U;
    if (two) {
      A.column[at] = slack++;
      A.value[at++] = 1;
    }
  }
  slack = slack_first;
  for (int i = 0; i < m; i++)
    if (is_slack(s, n + i)) {
      A.start[slack] = at;
      A.column[at] = mixed->of_row[i];
      A.value[at++] = -1;
      mixed->lo[slack] = s->L[n + i];
      mixed->hi[slack] = s->U[n + i];
      mixed->b[slack++] = 0;
    }
  A.start[rows] = at;
  return perp_operator_csr(rows, A.start, A.column, A.value, PERP_BORROW, &mixed->A, why);
}

/* ---- The dual ---- */

typedef struct {
  int rows;
  int *of;   /* the k of a row */
  double *W; /* rows x n: row r of E, then C^-1 of it */
  double *C; /* n x n */
  double *A; /* rows x rows */
  double *b, *lo, *hi;
} dual_program;

static perp_error dual_make(const perp_qp_solver *s, perp_arena *arena, dual_program *t,
                            perp_message *why)
{
  enum { MOST = 4000 };
  const int n = s->n, all = n + s->m;
  t->rows = 0;
  for (int k = 0; k < all; k++)
    t->rows += s->L[k] == s->U[k] ? 1 : !isinf(s->L[k]) + !isinf(s->U[k]);
  if (t->rows > MOST || n > MOST)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "the method dual: takes at most n = %d and %d bounds, this program has n = %d "
                     "and %d bounds; use ipm",
                     MOST, MOST, n, t->rows);
  const size_t rows = (size_t)t->rows, size = (size_t)n;
  double *g;
  if (!PERP_TAKE_ZERO_REALS(arena, rows * size, &t->W) ||
      !PERP_TAKE_ZERO_REALS(arena, size * size, &t->C) ||
      !PERP_TAKE_REALS(arena, rows * rows, &t->A) ||
      !PERP_TAKE_REALS(arena, rows, &t->b, &t->lo, &t->hi) || !PERP_TAKE_REALS(arena, size, &g) ||
      !PERP_TAKE(arena, PERP_ARRAY(t->of, rows)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the dual of a quadratic program");
  for (int i = 0; i < n; i++)
    for (int64_t e = s->P.start[i]; e < s->P.start[i + 1]; e++)
      t->C[(size_t)i * size + (size_t)s->P.column[e]] = s->P.value[e];
  const int pivot = perp_cholesky(n, t->C, n, n * DBL_EPSILON * s->P_max);
  if (pivot < n)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "the dual needs the inverse of P, and P is singular at pivot %d", pivot);
  perp_copy(n, s->q, g);
  perp_lower_solve(n, t->C, n, g);
  int row = 0;
  for (int k = 0; k < all; k++) {
    const bool equation = s->L[k] == s->U[k];
    for (int side = equation ? 1 : 0; side < 2; side++) {
      const double bound = side ? s->U[k] : s->L[k];
      if (isinf(bound))
        continue;
      double *w = t->W + (size_t)row * size;
      if (k < n)
        w[k] = 1;
      else
        for (int64_t e = s->G.start[k - n]; e < s->G.start[k - n + 1]; e++)
          w[s->G.column[e]] = s->G.value[e];
      perp_lower_solve(n, t->C, n, w);
      t->of[row] = k;
      t->b[row] = bound + perp_dot(n, w, g);
      t->lo[row] = equation || !side ? -INFINITY : 0;
      t->hi[row] = equation || side ? INFINITY : 0;
      row++;
    }
  }
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j <= i; j++)
      t->A[i * rows + j] = t->A[j * rows + i] = perp_dot(n, t->W + i * size, t->W + j * size);
  return PERP_OK;
}

/* x = -C^-T (C^-1 q + sum v_r W_r), and v */
static void dual_take(perp_qp_solver *s, const dual_program *t, const double *v)
{
  const int n = s->n;
  perp_fill(n + s->m, 0, s->v);
  perp_copy(n, s->q, s->x);
  perp_lower_solve(n, t->C, n, s->x);
  for (int r = 0; r < t->rows; r++) {
    s->v[t->of[r]] += v[r];
    perp_axpy(n, v[r], t->W + (size_t)r * (size_t)n, s->x);
  }
  perp_lower_solve_t(n, t->C, n, s->x);
  perp_multiply(n, -1, s->x);
}

/* ---- Solving ---- */

/* Reads the solution of the mixed problem: x, z, and the multipliers of bounds of x from y. */
static void mixed_take(perp_qp_solver *s, const perp_qp_mixed *mixed, const double *x,
                       const double *y)
{
  const int n = s->n;
  perp_copy(n, x, s->x);
  for (int i = 0; i < n; i++)
    s->v[i] = x[i] == s->L[i] || x[i] == s->U[i] ? -y[i] : 0;
  for (int i = 0; i < s->m; i++)
    s->v[n + i] = mixed->of_row[i] >= 0 ? x[mixed->of_row[i]] : 0;
}

void perp_qp_registered(perp_qp_run *run, const char *method, bool dual)
{
  perp_qp_solver *s = run->solver;
  perp_arena arena = {0};
  perp_qp_mixed mixed = {0};
  dual_program other;
  perp_operator *A = NULL;
  double *x = NULL, *y = NULL;
  perp_error error = dual ? dual_make(s, &arena, &other, &run->why)
                          : perp_qp_mixed_make(s, &arena, &mixed, &run->why);
  if (!error && dual)
    error = perp_operator_dense(other.rows, other.A, other.rows, PERP_BORROW, &A, &run->why);
  else if (!error)
    A = mixed.A;
  const size_t rows = !error ? (size_t)perp_operator_size(A) : 0;
  if (!error && !PERP_TAKE_ZERO_REALS(&arena, rows, &x, &y))
    error = perp_fail(&run->why, PERP_ERROR_MEMORY, "out of memory for a complementarity problem");
  if (!error) {
    const perp_problem problem = dual ? perp_problem_boxed(A, other.b, other.lo, other.hi)
                                      : perp_problem_boxed(A, mixed.b, mixed.lo, mixed.hi);
    perp_options options = perp_options_default();
    perp_result result = perp_result_empty();
    options.max_iterations = run->options->max_iterations;
    options.time_limit = run->options->time_limit;
    options.interrupted = run->options->interrupted;
    options.interrupted_context = run->options->interrupted_context;
    options.logger = run->options->logger;
    options.logger_context = run->options->logger_context;
    options.verbose = run->options->verbose;
    options.y = y;
    /* the complementarity residual may be small before the verdict holds */
    bool solved = false, again = true;
    for (double tol = 0.01 * run->options->tol; !error && !solved && again; tol *= 0.01) {
      options.tol = tol;
      error = perp_solve(method, &problem, &options, x, &result);
      if (error) {
        perp_fail(&run->why, error, "%s: %s", s->method_name.text, result.message.text);
        break;
      }
      run->iterations += result.counts.iterations;
      run->factorisations += result.counts.factorisations;
      run->solves += result.counts.solves;
      if (dual)
        dual_take(s, &other, x);
      else
        mixed_take(s, &mixed, x, y);
      perp_qp_take_iterate(s, s->x, s->v);
      solved = perp_qp_show(run);
      again = result.outcome == PERP_SOLVED && tol > 1e-15 && !perp_qp_expired(run);
    }
    if (!error && !solved)
      run->claim = result.outcome == PERP_ITERATION_LIMIT || result.outcome == PERP_TIME_LIMIT ||
                           result.outcome == PERP_STOPPED
                       ? result.outcome
                       : PERP_STAGNATED;
  }
  run->error = error;
  perp_operator_destroy(A);
  perp_arena_free(&arena);
}
