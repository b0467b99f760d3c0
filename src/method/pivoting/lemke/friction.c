/* friction.c: friction indices in Lemke's method
 *
 * A row i with |x_i| <= mu_i x_j of a normal x_j >= 0 requires
 *
 *   x_i = -mu_i x_j if y_i > 0,   x_i = mu_i x_j if y_i < 0,   y_i = 0 in between.
 *
 * With x_i = p_i - m_i and the size s_i of the slip this is, for each such row,
 *
 *   0 <= p_i ⊥  y_i + s_i >= 0,
 *   0 <= m_i ⊥ -y_i + s_i >= 0,
 *   0 <= s_i ⊥  mu_i x_j - p_i - m_i >= 0.
 *
 * The two are equivalent. If s_i > 0, then p_i + m_i = mu_i x_j, and one of the first two rows is
 * positive unless y_i = 0, so its p_i or m_i is 0. If s_i = 0, then y_i >= 0 and -y_i >= 0, and
 * |p_i - m_i| is at most p_i + m_i. If x_j = 0, all p_i and m_i are 0, and s_i = |y_i| is a
 * solution. Conversely, let p_i and m_i be the parts of x_i above and below 0, and s_i = |y_i|:
 * they solve the three rows for every solution of the friction problem. So no solution is added and
 * none is lost. (Stewart and Trinkle 1996 and Anitescu and Potra 1997 use it for a polygon of
 * directions in the plane of the contact; one tangent has two directions, and nothing is
 * approximated.)
 *
 * Rows in the order x (p in friction rows), m, s, and T = [I -E], E the friction columns of I:
 *
 *   M = [ T^T A T  F ],   q = [ T^T b ],   z^T M z = x^T A x + sum_i mu_i s_i x_j,   x = p - m.
 *       [    G     0 ]       [   0   ]
 *
 * For z >= 0 and semi-definite A that is at least 0: M is copositive, and Lemke's method ends with
 * a solution if q^T z >= 0 for all z that solve the problem with q = 0 (Cottle, Pang, Stone 1992,
 * 4.4.13), that is for forces with A x = 0: always if b = J v.
 *
 * M is never formed: rows, columns and products come from A's. Cost and workspace: as lemke.c with
 * n + 2 k rows, k of them friction; plus 7 n + 6 k. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/pivoting/lemke/path.h"
#include "set/set.h"

typedef struct lifted {
  perp_operator base; /* M, as an operator */
  const perp_operator *A;
  int n, k;      /* rows of A, friction rows */
  int *row;      /* k: the friction rows, ascending */
  int *normal;   /* k: their normals */
  double *mu;    /* k */
  int *place;    /* n: index among the k rows, or -1 */
  perp_run *run; /* the caller's */
  double *x;     /* n: the x shown to the driver */
} lifted;

static inline const lifted *lifted_of(const perp_operator *M)
{
  return (const lifted *)(const void *)M;
}

/* ---- M as an operator ---- */

/* x = T z */
static void join(const lifted *l, const double *z, double *x)
{
  perp_copy(l->n, z, x);
  for (int t = 0; t < l->k; t++)
    x[l->row[t]] -= z[l->n + t];
}

/* Appends the rest of a row or column of T^T A T, given its entries of A. Returns their number. */
static int spread(const lifted *l, bool minus, int count, int *index, double *value)
{
  int all = count;
  for (int e = 0; e < count; e++) {
    if (minus)
      value[e] = -value[e];
    if (l->place[index[e]] >= 0) {
      index[all] = l->n + l->place[index[e]];
      value[all++] = -value[e];
    }
  }
  return all;
}

static int lifted_row(const perp_operator *M, int i, int *column, double *value)
{
  const lifted *l = lifted_of(M);
  const int n = l->n, k = l->k;
  if (i >= n + k) {
    const int t = i - n - k, after = l->normal[t] < l->row[t];
    column[!after] = l->normal[t];
    value[!after] = l->mu[t];
    column[after] = l->row[t];
    column[2] = n + t;
    value[after] = value[2] = -1;
    return 3;
  }
  const int t = i < n ? l->place[i] : i - n;
  int count = l->A->table->row(l->A, i < n ? i : l->row[t], column, value);
  count = spread(l, i >= n, count, column, value);
  if (t >= 0) {
    column[count] = n + k + t;
    value[count++] = 1;
  }
  return count;
}

static int lifted_column(const perp_operator *M, int j, int *row, double *value)
{
  const lifted *l = lifted_of(M);
  const int n = l->n, k = l->k;
  if (j >= n + k) {
    const int t = j - n - k;
    row[0] = l->row[t];
    row[1] = n + t;
    value[0] = value[1] = 1;
    return 2;
  }
  const int own = j < n ? l->place[j] : j - n;
  int count = l->A->table->column(l->A, j < n ? j : l->row[own], row, value);
  count = spread(l, j >= n, count, row, value);
  for (int t = 0; t < k; t++)
    if (t == own || (own < 0 && l->normal[t] == j)) {
      row[count] = n + k + t;
      value[count++] = t == own ? -1 : l->mu[t];
    }
  return count;
}

static void lifted_apply(const perp_operator *M, const double *z, double *w, const perp_work *work)
{
  const lifted *l = lifted_of(M);
  const int n = l->n, k = l->k;
  double *x = work->scratch + l->A->scratch;
  join(l, z, x);
  l->A->table->apply(l->A, x, w, work);
  for (int t = 0; t < k; t++) {
    const int i = l->row[t];
    const double y = w[i], s = z[n + k + t];
    w[i] = y + s;
    w[n + t] = -y + s;
    w[n + k + t] = l->mu[t] * z[l->normal[t]] - z[i] - z[n + t];
  }
}

static void lifted_apply_t(const perp_operator *M, const double *z, double *w,
                           const perp_work *work)
{
  const lifted *l = lifted_of(M);
  const int n = l->n, k = l->k;
  double *x = work->scratch + l->A->scratch;
  join(l, z, x);
  l->A->table->apply_t(l->A, x, w, work);
  for (int t = 0; t < k; t++) {
    const int i = l->row[t];
    const double y = w[i], s = z[n + k + t];
    w[i] = y - s;
    w[n + t] = -y - s;
    w[n + k + t] = z[i] + z[n + t];
  }
  for (int t = 0; t < k; t++)
    w[l->normal[t]] += l->mu[t] * z[n + k + t];
}

/* ---- The problem ---- */

/* Returns an error with row and value if the problem cannot be rewritten. */
static perp_error refuse(perp_run *run, int i)
{
  const perp_set *K = &run->problem->K;
  const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
  if (!perp_set_is_friction(K, i))
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "lemke takes, besides friction rows, only x >= 0 and free rows: row %d has [%g, %g]", i, lo,
        hi);
  if (lo != -hi)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "lemke takes friction bounds [-mu, mu]: row %d has [%g, %g]", i, lo, hi);
  return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                       "lemke takes friction rows whose normal is x >= 0: row %d has normal row %d",
                       i, K->findex[i]);
}

/* The kind of row i; a row with -inf = -mu is free. */
typedef enum { ROW_PLAIN, ROW_FREE, ROW_FRICTION, ROW_OTHER } row_kind;

static row_kind kind_of(const perp_set *K, int i)
{
  const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
  if (lo == -INFINITY && hi == INFINITY)
    return ROW_FREE;
  if (!perp_set_is_friction(K, i))
    return lo == 0 && hi == INFINITY ? ROW_PLAIN : ROW_OTHER;
  const int j = K->findex[i];
  const bool of_normal = !perp_set_is_friction(K, j) && kind_of(K, j) == ROW_PLAIN;
  return lo == -hi && of_normal ? ROW_FRICTION : ROW_OTHER;
}

static perp_error list_rows(lifted *l, perp_run *run)
{
  const perp_set *K = &run->problem->K;
  const size_t n = (size_t)K->n;
  if (!PERP_TAKE_INTEGERS(run->arena, n, &l->row, &l->normal, &l->place) ||
      !PERP_TAKE_REALS(run->arena, n, &l->mu, &l->x))
    return perp_run_no_memory(run);
  for (int i = 0; i < l->n; i++) {
    const row_kind kind = kind_of(K, i);
    l->place[i] = -1;
    if (kind == ROW_OTHER)
      return refuse(run, i);
    if (kind == ROW_FRICTION) {
      l->row[l->k] = i;
      l->normal[l->k] = K->findex[i];
      l->mu[l->k] = perp_set_hi(K, i);
      l->place[i] = l->k++;
    }
  }
  return PERP_OK;
}

/* Returns the abilities of M that A has. */
static perp_operator_table table_of(const perp_operator *A)
{
  const perp_operator_table *t = A->table;
  return (perp_operator_table){.kind = t->kind,
                               .has_rows = t->has_rows,
                               .apply = lifted_apply,
                               .apply_t = t->apply_t ? lifted_apply_t : NULL,
                               .row = t->row ? lifted_row : NULL,
                               .column = t->column ? lifted_column : NULL};
}

static void open_operator(lifted *l, const perp_operator_table *table)
{
  const perp_operator *A = l->A;
  l->base.table = table;
  l->base.n = l->n + 2 * l->k;
  l->base.nonzeros = A->nonzeros < 0 ? -1 : 4 * A->nonzeros + 5 * (int64_t)l->k;
  l->base.row_capacity = 2 * A->row_capacity + l->k + 3; /* a normal may have all k */
  l->base.scratch = A->scratch + (size_t)l->n;
  l->base.failures = A->failures;
}

/* ---- The solve ---- */

/* z of x: the parts above and below 0, and |y| if the bound is reached. */
static void split(const lifted *l, const double *x, const double *y, double *z)
{
  perp_copy(l->n, x, z);
  for (int t = 0; t < l->k; t++) {
    const int i = l->row[t];
    const bool slips = fabs(x[i]) >= l->mu[t] * fabs(x[l->normal[t]]);
    z[i] = perp_max(x[i], 0);
    z[l->n + t] = perp_max(-x[i], 0);
    z[l->n + l->k + t] = slips ? fabs(y[i]) : 0;
  }
}

static bool show(void *context, const perp_progress *progress)
{
  lifted *l = context;
  if (progress->iteration == 0 || !progress->x) /* the start has been shown */
    return !perp_run_expired(l->run);
  join(l, progress->x, l->x);
  return l->run->options->check_every < 0
             ? perp_run_next_iterate(l->run, perp_iterate_shown(l->x, NAN))
             : perp_run_next(l->run, l->x, NULL);
}

static void claim(perp_run *run, perp_outcome outcome)
{
  if (outcome == PERP_INFEASIBLE || outcome == PERP_RAY) {
    perp_run_claim(run, PERP_RAY);
    perp_run_say(run, "found a ray after %lld pivots (problem with slip variables)",
                 (long long)run->count.pivots);
  } else {
    perp_run_claim(run, outcome == PERP_REFUTED ? PERP_STAGNATED : outcome);
  }
}

perp_error perp_lemke_solve_friction(perp_run *run, const perp_method *method,
                                     const void *parameters, double *x)
{
  const perp_problem *p = run->problem;
  lifted l = {.A = p->A, .n = p->K.n, .run = run};
  perp_error error = list_rows(&l, run);
  if (error)
    return error;
  const perp_operator_table table = table_of(l.A);
  open_operator(&l, &table);
  const size_t N = (size_t)l.base.n;
  double *q, *z, *lo, *hi, *y;
  if (!PERP_TAKE_REALS(run->arena, N, &q, &z, &lo, &hi, &y))
    return perp_run_no_memory(run);
  for (int i = 0; i < l.base.n; i++) {
    lo[i] = i < l.n && kind_of(&p->K, i) == ROW_FREE ? -INFINITY : 0;
    hi[i] = INFINITY;
    q[i] = i < l.n ? p->b[i] : i < l.n + l.k ? -p->b[l.row[i - l.n]] : 0;
  }
  perp_run_gradient(run, x, y);
  split(&l, x, y, z);

  perp_outcome outcome;
  const int64_t pivots = run->count.pivots, left = perp_run_left(run);
  const perp_subrun sub = {
      .method = method,
      .parameters = parameters,
      .target = run->target / 16, /* p, m and s may each have this error */
      .max_iterations = left,
      .observer = run->options->observer ? show : NULL,
      .observer_context = &l,
  };
  const perp_problem with_slips = perp_problem_boxed(&l.base, q, lo, hi);
  error = perp_run_subsolve(run, &sub, &with_slips, z, &outcome);
  if (error)
    return error;
  if (!sub.observer) {
    const int64_t done = run->count.pivots - pivots;
    run->count.iterations += done < left ? done : left;
  }
  join(&l, z, x);
  claim(run, outcome);
  return PERP_OK;
}
