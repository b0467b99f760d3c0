/* newton.c: Newton steps for phi(x) = 0 and for the natural map
 *
 * Each component depends on x_i and F_i alone, with slopes a_i and b_i >= 0, so the matrix is
 *
 *   V = diag(a) + diag(b) (J + tau I),   V d = -value,   gradient of the merit: V^T value.
 *
 * Dense: V itself, LU. Compressed: in the rows with b_i > 0, divided by b_i, J_SS + diag(a/b) by UMFPACK,
 * once the others are known from d_i = -value_i / a_i. Without UMFPACK V is dense up to 2,000 rows. */
#include "linalg/dense.h"
#include "linalg/sparse_lu.h"
#include "linalg/vector.h"
#include "model/ncp/run.h"

#include <float.h>

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
};

/* Dense, or a factor for compressed rows; neither if there is no way. */
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
      run->value[i] = f > below ? below : f < above ? above : f;
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
  for (int i = 0; i < n; i++)
    for (int64_t e = run->p.start[i]; e < run->p.start[i + 1]; e++)
      if (transposed)
        y[run->p.column[e]] += run->J[e] * x[i];
      else
        y[i] += run->J[e] * x[run->p.column[e]];
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
  for (int i = 0; i < run->n; i++)
    run->d[i] = -run->value[i];
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

/* The direction of Newton's method for the map at the iterate, into run->d; the merit's gradient into
 * run->gradient. J must be fresh. False if the matrix has no factor; the gradient is there even so. */
static bool find_direction(perp_ncp_run *run, const perp_ncp_map *map)
{
  perp_ncp_system *s = run->system;
  slopes(run, map);
  gradient(run);
  run->result->counts.solves++;
  return (s->factor ? solve_sparse(run) : s->V && solve_dense(run)) &&
         perp_all_finite(run->n, run->d);
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
  for (int i = 0; i < n; i++)
    run->d[i] = -run->gradient[i];
  perp_cholesky_solve(n, s->G, n, run->d);
  run->result->counts.solves++;
  return perp_all_finite(n, run->d);
}

/* d^T gradient, where d is cut off at the bounds */
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

bool perp_ncp_step(perp_ncp_run *run, const perp_ncp_map *map)
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
  for (int i = 0; i < run->n; i++)
    run->d[i] = -run->gradient[i];
  const double slope = slope_of(run);
  return slope < 0 && perp_ncp_search(run, map, slope, 40);
}

void perp_ncp_semismooth(perp_ncp_run *run, const perp_ncp_map *map)
{
  while (perp_ncp_next(run))
    if (!perp_ncp_step(run, map))
      perp_ncp_end(run, PERP_LOCAL_MINIMUM);
}
