/* farkas.c: the signs of x and y as a linear program that is decided exactly
 *
 * A linear program decides if any x in K gives y = A x + b the signs that its rows require,
 * also for friction rows of a nonnegative normal; twelve planes replace a cone. If there is no such
 * x, the row that shows it has the multipliers u of a certificate (exact_lp.c), which are integers.
 * They may be too long for doubles, and rounded multipliers prove nothing in rows in which g = A^T
 * u must be 0 or have a sign. So A is perturbed slightly, by +margin in rows with g <= 0: if
 * (A + E)^T u <= 0, then A^T u <= -E^T u is below 0 by more than the rounding of u. */
#include "method/system/farkas.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "set/set.h"

#include <math.h>
#include <string.h>

enum { MOST_BITS = 20000, PLANES = 12, MOST_ROWS = 200 };
/* Largest product of rows, columns and squared limbs in one pivot: a small box is decided for any
 * number of digits, larger systems if the digits are few. */
enum { SMALL = 20 };
static const double SMALL_WORK = 1e7, LARGE_WORK = 3e5;

void perp_farkas_signs(const perp_set *K, int i, double *lo, double *hi)
{
  const int c = perp_set_cone_of(K, i);
  const bool normal = c >= 0 && perp_set_cone_row(K, c) == i;
  const bool below = c >= 0 ? false : isinf(perp_set_lo(K, i));
  const bool above = c >= 0 ? normal : isinf(perp_set_hi(K, i));
  *lo = above ? 0 : -INFINITY;
  *hi = below ? 0 : INFINITY;
}

bool perp_farkas_load(const perp_problem *p, double *rows, int stride, perp_arena *arena)
{
  const int n = p->K.n, failures = perp_operator_failures(p->A);
  if (!perp_operator_fill_dense(p->A, arena, (perp_alarm){0}, rows, stride) ||
      perp_operator_failed(p->A, failures, NULL) != PERP_OK)
    return false;
  bool finite = true;
  for (int i = 0; i < n; i++) {
    finite &= perp_all_finite(n, rows + (size_t)i * (size_t)stride);
    rows[i * stride + n] = p->b[i];
  }
  return finite;
}

/* Returns true if friction row i has linear bounds: its normal is not negative. */
static bool is_wedge(const perp_set *K, int i)
{
  if (!perp_set_is_friction(K, i))
    return false;
  const int j = K->findex[i], c = perp_set_cone_of(K, j);
  return c >= 0 ? perp_set_cone_row(K, c) == j : perp_set_lo(K, j) >= 0;
}

/* Adds x_i - lo_i x_j >= 0 and hi_i x_j - x_i >= 0 of the friction rows and planes around the
 * cones. Returns the number of rows. */
static int add_planes(const perp_set *K, double *rows, int stride)
{
  static const double planes[PLANES][3] = {{1, 1, 0}, {1, -1, 0}, {1, 0, 1},  {1, 0, -1},
                                           {5, 3, 4}, {5, -3, 4}, {5, 3, -4}, {5, -3, -4},
                                           {5, 4, 3}, {5, -4, 3}, {5, 4, -3}, {5, -4, -3}};
  int m = K->n;
  for (int i = 0; i < K->n; i++)
    for (int side = 0; side < 2 && is_wedge(K, i); side++) {
      const double bound = side ? perp_set_hi(K, i) : perp_set_lo(K, i);
      if (isinf(bound))
        continue;
      rows[m * stride + i] = side ? -1 : 1;
      rows[m++ * stride + K->findex[i]] += side ? bound : -bound;
    }
  for (int c = 0; c < K->cones; c++)
    for (int k = 0; k < PLANES; k++, m++)
      for (int t = 0; t < 3; t++)
        rows[m * stride + perp_set_cone_row(K, c) + t] = planes[k][t] * (t == 0 ? K->mu[c] : -1);
  return m;
}

static void add_margin(const perp_set *K, double margin, double *rows, int stride)
{
  double largest = 0;
  for (int i = 0; i < K->n; i++)
    for (int j = 0; j < K->n; j++)
      largest = perp_max(largest, fabs(rows[i * stride + j]));
  for (int i = 0; i < K->n; i++)
    for (int j = 0; j < K->n; j++) {
      double lo, hi;
      perp_farkas_signs(K, i, &lo, &hi);
      const int u = (lo == 0) - (hi == 0);
      perp_farkas_signs(K, j, &lo, &hi); /* g <= 0 if x_j is unbounded above */
      rows[i * stride + j] += margin * largest * u * ((lo == 0) - (hi == 0));
    }
}

static void set_bounds(const perp_set *K, perp_lp *lp, int m)
{
  const int n = K->n;
  for (int i = 0; i < n; i++) {
    const int c = perp_set_cone_of(K, i);
    const bool is_free = c >= 0 || perp_set_is_friction(K, i);
    const bool normal = c >= 0 && perp_set_cone_row(K, c) == i;
    double lo, hi;
    perp_lp_set_bounds(lp, i,
                       normal    ? 0
                       : is_free ? -INFINITY
                                 : perp_set_lo(K, i),
                       is_free ? INFINITY : perp_set_hi(K, i));
    perp_farkas_signs(K, i, &lo, &hi);
    perp_lp_set_bounds(lp, n + i, lo, hi);
  }
  for (int i = n; i < m; i++)
    perp_lp_set_bounds(lp, n + i, 0, INFINITY);
}

perp_error perp_farkas_open(const perp_problem *p, double margin, perp_arena *arena, perp_lp **lp,
                            bool *exact)
{
  const perp_set *K = &p->K;
  const int n = K->n, stride = n + 1;
  double *rows, *bound;
  int bounds = 0, most = n + PLANES * K->cones;
  for (int i = 0; i < n; i++)
    most += 2 * perp_set_is_friction(K, i);
  if (most > MOST_ROWS)
    return PERP_ERROR_UNSUPPORTED;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(rows, most * stride), PERP_ARRAY(bound, 2 * n)) ||
      !perp_farkas_load(p, rows, stride, arena))
    return PERP_ERROR_MEMORY;
  const int m = add_planes(K, rows, stride);
  if (margin > 0)
    add_margin(K, margin, rows, stride);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < n; perp_rows_next(&r)) {
    if (perp_set_is_friction(K, r.i))
      continue;
    const double lo = perp_set_lo(K, r.i), hi = perp_set_hi(K, r.i);
    bound[bounds++] = isinf(lo) ? 0 : lo;
    bound[bounds++] = isinf(hi) ? 0 : hi;
  }
  const double work = K->cones == 0 && n <= SMALL ? SMALL_WORK : LARGE_WORK;
  const double limbs = sqrt(work / ((double)m * stride));
  const int64_t bits = (int64_t)perp_min(32 * limbs, MOST_BITS);
  const perp_error error = perp_lp_create(arena, m, n, rows, stride, bounds, bound, bits, lp);
  if (!error)
    set_bounds(K, *lp, m);
  *exact = p->A->table->exact_rows;
  return error;
}

static bool may_go_on(void *run)
{
  return !perp_run_expired(run);
}

/* Decides if the inequalities contradict each other; *u is then the proof, or NULL. Returns an
 * error if undecided. */
static perp_error contradict(perp_run *run, double margin, double *v, bool *exact, bool *no,
                             const double **u)
{
  perp_lp *lp;
  const perp_error error = perp_farkas_open(run->problem, margin, run->arena, &lp, exact);
  *u = NULL;
  if (error)
    return error;
  perp_lp_watch(lp, may_go_on, run);
  *no = !perp_lp_feasible(lp, &run->count.pivots);
  if (perp_lp_was_stopped(lp))
    return PERP_ERROR_UNSUPPORTED;
  if (!*no)
    return PERP_OK;
  perp_lp_certificate(lp, v);
  *u = v;
  if (!perp_certificate_holds(run, u))
    *u = NULL;
  return PERP_OK;
}

perp_error perp_farkas_decide(perp_run *run, perp_feasible *feasible, const double **u)
{
  static const double MARGIN = 0x1p-30;
  bool exact, no, nearly;
  double *v = perp_run_reals(run, MOST_ROWS);
  *feasible = PERP_FEASIBLE_UNKNOWN;
  if (!v)
    return PERP_ERROR_MEMORY;
  perp_error error = contradict(run, 0, v, &exact, &no, u);
  if (error)
    return error == PERP_ERROR_MEMORY ? error : PERP_OK;
  if (no && !*u && (error = contradict(run, MARGIN, v, &exact, &nearly, u)) == PERP_ERROR_MEMORY)
    return error;
  /* the planes enclose the cone: no x within them means no x within the cone */
  if (*u)
    *feasible = PERP_FEASIBLE_PROVEN_NOT;
  else if (exact)
    *feasible = no ? PERP_FEASIBLE_NOT : PERP_FEASIBLE;
  return PERP_OK;
}

void perp_farkas_claim(perp_run *run, perp_feasible feasible, const double *u)
{
  if (feasible == PERP_FEASIBLE_PROVEN_NOT) {
    perp_run_ray(run, u);
    perp_run_claim(run, PERP_INFEASIBLE);
    perp_run_say_plainly(run, "no x satisfies the bounds and the signs of y: u proves it exactly");
  } else if (feasible == PERP_FEASIBLE_NOT) {
    perp_run_claim(run, PERP_UNSOLVABLE);
    perp_run_say_plainly(
        run, "no x satisfies the bounds and the signs of y; doubles cannot hold the exact proof u");
  }
}
