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
 * are the program's: u is z in the rows of z, or d in the rows of x. */
#include "model/qp/qp.h"

#include <perp/problem.h>

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

void perp_qp_registered(perp_qp_run *run, const char *method)
{
  perp_qp_solver *s = run->solver;
  perp_arena arena = {0};
  perp_qp_mixed mixed = {0};
  double *x = NULL, *y = NULL;
  perp_error error = perp_qp_mixed_make(s, &arena, &mixed, &run->why);
  if (!error && !PERP_TAKE_ZERO_REALS(&arena, (size_t)mixed.rows, &x, &y))
    error = perp_fail(&run->why, PERP_ERROR_MEMORY, "out of memory for a complementarity problem");
  if (!error) {
    const perp_problem problem = perp_problem_boxed(mixed.A, mixed.b, mixed.lo, mixed.hi);
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
  perp_operator_destroy(mixed.A);
  perp_arena_free(&arena);
}
