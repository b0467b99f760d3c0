/* derivative.c: the derivative of a solution with respect to the data, and many programs at once
 *
 * Near a solution whose active set A is strictly complementary, x and v_A follow from
 *
 *   K (x; v_A) = (-q; B_A),   K = (P  E_A^T)
 *                                 (E_A  0  )
 *
 * so that a change of the data moves them by K (dx; dv) = -(dP x + dq + dE^T v; dE x - dB). For the
 * gradient g of a loss with respect to x, K s = (g; 0) gives, with s = (s_x, s_v),
 *
 *   g^T dx = s^T K (dx; dv) = -s_x^T (dq + dP x + dE^T v) - s_v^T (dE x - dB)
 *
 * (Amos, Kolter 2017): dq has the factor -s_x, and the bound of an active row the factor s_v. K may be
 * singular: dependent rows leave s_x as it is; if x is not unique, K s = (g; 0) has no solution. The
 * factor is that of active.c, with its proximal term, and refinement on K itself. */
#include "model/qp/qp.h"

#include "base/threads.h"

perp_error perp_qp_solver_vjp(perp_qp_solver *s, const double *g, double *q, double *l, double *u,
                              double *lb, double *ub, perp_message *why)
{
  if (!s || (s->n > 0 && !g))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_solver_vjp: solver or g is NULL");
  if (s->applied)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "a derivative needs the entries of P, and P gives only products");
  if (!s->warm)
    return perp_fail(why, PERP_ERROR_PROBLEM,
                     "there is no solution to differentiate: the last solve did not end with one");
  const int n = s->n, all = n + s->m;
  const int64_t bad = perp_first_not_finite(n, g);
  if (bad >= 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "g[%d] = %g is not finite", (int)bad, g[bad]);
  const perp_qp_options options = {.size = sizeof options};
  perp_qp_run run = {.solver = s, .options = &options};
  if (s->delta != PERP_QP_DELTA)
    s->factored = false;
  s->delta = PERP_QP_DELTA;
  double *d = s->step[3], *v = s->step[1];
  for (int k = 0; k < all; k++)
    d[k] = k < n && s->side[k] == PERP_QP_INSIDE ? s->D[k] * g[k] : 0;
  if (!perp_qp_set_factorise(&run) || !(perp_qp_system_solve_exact(&run, d) <= 1e-8))
    return perp_fail(why, PERP_ERROR_PROBLEM,
                     "no derivative: x is not unique, and the loss differs between solutions");
  for (int k = 0; k < all; k++)
    d[k] *= s->D[k];
  /* the rows of active bounds of x: g - P s_x - G^T s_v */
  perp_fill(n, 0, v);
  perp_qp_add(&s->P, d, v);
  perp_qp_add_t(&s->G, d + n, v);
  for (int k = 0; k < all; k++) {
    const double value = k < n ? g[k] - v[k] : d[k];
    double *low = k < n ? lb : l, *high = k < n ? ub : u;
    const int at = k < n ? k : k - n;
    if (low)
      low[at] = s->side[k] == PERP_QP_LOWER ? value : 0;
    if (high)
      high[at] = s->side[k] == PERP_QP_UPPER ? value : 0;
    if (k < n && q)
      q[k] = -d[k];
  }
  return PERP_OK;
}

/* ---- Batches ---- */

typedef struct {
  const char *method;
  const perp_qp *const *qp;
  const perp_qp_options *const *options;
  double *const *x;
  perp_qp_result *const *result;
  perp_error *error;
} batch;

static void solve_piece(void *context, int64_t begin, int64_t end)
{
  const batch *b = context;
  for (int64_t k = begin; k < end; k++)
    b->error[k] = perp_qp_solve(b->method, b->qp[k], b->options ? b->options[k] : NULL, b->x[k],
                                b->result[k]);
}

perp_error perp_qp_batch_solve(const char *method, int count, const perp_qp *const *qp,
                               const perp_qp_options *const *options, int threads, double *const *x,
                               perp_qp_result *const *result)
{
  if (count < 0 || threads < 0 || (count > 0 && (!qp || !x || !result)))
    return PERP_ERROR_ARGUMENT;
  batch b = {method, qp, options, x, result, perp_alloc_zero((size_t)count, sizeof *b.error)};
  if (count > 0 && !b.error)
    return PERP_ERROR_MEMORY;
  perp_parallel_for(threads ? threads : 1, count, 1, solve_piece, &b);
  perp_error error = PERP_OK;
  for (int k = count - 1; k >= 0; k--)
    error = b.error[k] ? b.error[k] : error;
  perp_free(b.error);
  return error;
}
