/* small_box.c: block pivots of a few rows with bounds, in local arrays
 *
 * A step is a step of blockpivot.c: the free rows C determine x and y by small_system.h, and all
 * wrong rows change their places at once. If a pivot is not positive, or the number of wrong rows
 * does not fall, the steps end silently: the caller continues with updated factors, proximal steps
 * and the finite rule.
 *
 * Cost of a step: k^3/6 + 2 n k, k = |C|, for symmetric A. Workspace: 45 KB of the stack. */
#include "linalg/vector.h"
#include "method/pivoting/small_system.h"
#include "method/run/small_solve.h"
#include "set/set.h"

#include <float.h>

/* ---- A step ---- */

/* z <- A_CC^-1 z, both in the order of C; writes nothing left of the diagonal if A is symmetric. */
KERNEL bool solve_rows(small *s, kind how, double *z)
{
  const int k = s->k;
  double *row[N];
  for (int r = 0; r < k; r++) {
    row[r] = s->M + r * WIDTH;
    perp_row_gather(row[r], s->A.a + s->rows[r] * s->A.stride, s->rows,
                    how == SYMMETRIC ? r & ~3 : 0, k, z[r]);
  }
  if (!eliminate(s, how, row, 0, k))
    return false;
  for (int r = 0; r < k; r++)
    z[r] = row_at(s, how, row, r)[k] * s->inverse[r];
  for (int c = k - 1; k > ALONE && c > 0; c--)
    for (int r = 0; r < c; r++)
      z[r] -= (how == SYMMETRIC ? s->M[c * WIDTH + BEHIND + r] : row[r][c] * s->inverse[r]) * z[c];
  return true;
}

/* Returns the place to which a Jacobi step from 0 moves row i: if the diagonal is not weak most
 * rows of a box end there, and rows reach their upper bound without a step inside. */
static inline int first_place(const small *s, int i, double lo, double hi)
{
  const double a = s->A.a[i * (s->A.stride + 1)], t = -s->b[i];
  if (a > 0)
    return t <= a * lo ? -1 : t >= a * hi ? 1 : 0;
  return lo > -INFINITY || hi < INFINITY ? (fabs(lo) <= fabs(hi) ? -1 : 1) : 0;
}

/* Sets the basis that the start suggests, or b without a start. */
KERNEL void begin_box(small *s, const perp_set *K, const double *x, bool plain)
{
  s->k = 0;
  for (int i = 0; i < s->n; i++) {
    const double lo = plain ? 0 : perp_set_lo(K, i), hi = plain ? INFINITY : perp_set_hi(K, i);
    s->lo[i] = lo;
    s->hi[i] = hi;
    const int at = !x ? first_place(s, i, lo, hi) : x[i] <= lo ? -1 : x[i] >= hi ? 1 : 0;
    s->at[i] = (signed char)at;
    s->rows[s->k] = i;
    s->k += at == 0;
  }
}

KERNEL double dot(int n, const double *u, const double *v)
{
  perp_two sum = {0, 0};
  int j = 0;
  for (; j + 2 <= n; j += 2)
    sum += perp_two_at(u + j) * perp_two_at(v + j);
  return sum[0] + sum[1] + (j < n ? u[j] * v[j] : 0);
}

/* y <- b + A x outside C, by rows; 0 in C. */
KERNEL void evaluate_y_by_rows(const small *s, const double *x, double *y)
{
  const int n = s->n;
  int rows[N + 4], count = 0;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    rows[count] = i;
    count += s->at[i] != 0;
  }
  rows[count] = rows[count + 1] = rows[count + 2] = 0; /* reads are four at a time */
  for (int k = 0; k < count; k += 4) {
    const double *a[4];
    double sum[4];
    for (int r = 0; r < 4; r++)
      a[r] = s->A.a + rows[k + r] * s->A.stride;
    perp_rows_dot_four(n, a, x, sum);
    for (int r = 0; r < 4; r++)
      y[rows[k + r]] = s->b[rows[k + r]] + sum[r];
  }
}

/* y_j + sum_k x_k A_kj for four columns j. */
KERNEL void add_columns(const small *s, int count, const int *list, const double *x, int j,
                        double *y)
{
  double t[4];
  for (int k = 0; k < 4; k++)
    t[k] = s->b[j + k];
  for (int r = 0; r < count; r++) {
    const double *a = s->A.a + list[r] * s->A.stride + j, u = x[list[r]];
    for (int k = 0; k < 4; k++)
      t[k] += u * a[k];
  }
  for (int k = 0; k < 4; k++)
    y[j + k] = t[k];
}

/* y <- b + A x everywhere if A is symmetric, by the rows with nonzero x, which are columns; the
 * last four may overlap the ones before. */
KERNEL void evaluate_y_by_columns(const small *s, const double *x, double *y, bool plain)
{
  const int n = s->n, *list = s->rows;
  int other[N + 1], count = s->k;
  if (!plain) {
    count = 0;
    for (int i = 0; i < n; i++) {
      other[count] = i;
      count += x[i] != 0;
    }
    list = other;
  }
  for (int j = 0; n >= 4 && j < n; j += 4)
    add_columns(s, count, list, x, j + 4 <= n ? j : n - 4, y);
  for (int j = 0; n < 4 && j < n; j++) {
    y[j] = s->b[j];
    for (int r = 0; r < count; r++)
      y[j] += x[list[r]] * s->A.a[list[r] * s->A.stride + j];
  }
}

/* Computes x and y of the basis. Returns false if there is no factor. */
KERNEL bool evaluate(small *s, kind how, double *x, double *y, bool plain)
{
  const int n = s->n;
  double z[N];
  for (int i = 0; i < n; i++)
    x[i] = plain ? 0 : s->at[i] < 0 ? s->lo[i] : s->at[i] > 0 ? s->hi[i] : 0;
  for (int r = 0; r < s->k; r++) {
    const int i = s->rows[r];
    z[r] = -s->b[i] - (plain ? 0 : dot(n, s->A.a + i * s->A.stride, x));
  }
  if (s->k > 0 && !solve_rows(s, how, z))
    return false;
  for (int r = 0; r < s->k; r++)
    x[s->rows[r]] = z[r];
  if (how == SYMMETRIC || (plain && s->k == 0))
    evaluate_y_by_columns(s, x, y, plain);
  else
    evaluate_y_by_rows(s, x, y);
  return true;
}

/* Returns the violation that x_i may have: that of A_ii x_i, if that is stricter. */
static inline double slack_of(const small *s, int i)
{
  const double a = fabs(s->A.a[i * (s->A.stride + 1)]);
  return a > 1 ? s->slack / a : s->slack;
}

/* Moves every wrong row to its other place and updates C. Returns the number of wrong rows. */
KERNEL int exchange(small *s, const double *x, const double *y, bool plain)
{
  int wrong = 0, k = 0;
  for (int i = 0; i < s->n; i++) {
    const double lo = plain ? 0 : s->lo[i], hi = plain ? INFINITY : s->hi[i];
    signed char to = s->at[i];
    if (to == 0)
      to = x[i] < lo && x[i] < lo - slack_of(s, i)   ? -1
           : x[i] > hi && x[i] > hi + slack_of(s, i) ? 1
                                                     : 0;
    else if (lo < hi && (to < 0 ? y[i] < -s->slack : y[i] > s->slack))
      to = 0;
    wrong += to != s->at[i];
    s->at[i] = to;
    s->rows[k] = i;
    k += to == 0;
  }
  s->k = k;
  return wrong;
}

/* ---- The steps ---- */

/* Pivots from the start. Returns true if no row is wrong. Without a start x is 0 and there is no
 * driver, which takes over after a few steps. */
KERNEL bool pivot_rows(small *s, kind how, perp_run *run, double *x, bool plain)
{
  double y[N];
  const bool cold = !s->from;
  const int64_t most = cold ? PERP_SMALL_STEPS : perp_run_left(run);
  int wrong = 1, least = s->n + 1, left = s->trials;
  s->ended = false;
  begin_box(s, &run->problem->K, cold || perp_all_zero(s->n, s->from) ? NULL : s->from, plain);
  for (s->steps = 0; wrong > 0 && (cold || left >= 0) && s->steps < most; s->steps++) {
    if (!evaluate(s, how, x, y, plain))
      return false;
    run->count.factorisations += s->k > 0;
    wrong = exchange(s, x, y, plain);
    if (cold)
      continue;
    if (run->options->observer && !perp_run_next(run, x, y)) {
      s->ended = true;
      return false;
    }
    left = wrong < least ? s->trials : left - 1;
    least = wrong < least ? wrong : least;
  }
  return wrong == 0;
}

KERNEL bool pivot_kinds(small *s, perp_run *run, double *x, bool plain)
{
  if (!s->A.symmetric)
    return pivot_rows(s, GENERAL, run, x, plain);
  return plain ? pivot_rows(s, SYMMETRIC, run, x, true) : pivot_rows(s, SYMMETRIC, run, x, false);
}

#ifdef PERP_WIDE
PERP_WIDE static bool pivot_wide(small *s, perp_run *run, double *x, bool plain)
{
  return pivot_kinds(s, run, x, plain);
}
#endif

static bool pivot_box(small *s, perp_run *run, double *x, bool plain)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return pivot_wide(s, run, x, plain);
#endif
  return pivot_kinds(s, run, x, plain);
}

static bool open_box(perp_run *run, small *s)
{
  const perp_problem *p = run->problem;
  const double *a;
  int64_t stride;
  s->n = p->K.n;
  s->b = p->b;
  s->slack = perp_max(0.01 * run->target, 4 * DBL_EPSILON * run->scale);
  /* exchange.c has a faster method for a band of more rows */
  if (s->n >= PERP_BAND_LEAST && perp_operator_dense_array(p->A, &a, &stride) != PERP_OK)
    return false;
  return perp_small_open_rows(run, &s->A);
}

bool perp_small_box_cold(perp_run *run, const perp_small *problem, perp_result *result, double *x)
{
  (void)result;
  small s;
  if (problem->solved || run->problem->K.n > N || !open_box(run, &s))
    return false;
  s.from = NULL;
  const bool right = pivot_box(&s, run, x, problem->form == PERP_FORM_LCP);
  run->count.iterations = s.steps;
  return right && s.slack <= run->target;
}

bool perp_small_box(perp_run *run, double *x, int trials)
{
  small s;
  double start[N];
  if (!open_box(run, &s))
    return false;
  if (!perp_run_next(run, x, NULL))
    return true;
  perp_copy(s.n, x, start);
  s.from = start;
  s.trials = trials;
  const bool right = pivot_box(&s, run, x, perp_set_is_plain(&run->problem->K));
  /* count the iterations that the driver has not seen */
  run->count.iterations += right && !run->options->observer ? s.steps - 1 : 0;
  if (s.ended || (right && !perp_run_next_iterate(run, perp_iterate_measured(x, s.slack))))
    return true;
  perp_copy(s.n, start, x);
  return false;
}
