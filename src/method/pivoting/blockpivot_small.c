/* blockpivot_small.c: block principal pivoting of a few rows, in local arrays
 *
 * The steps are those of blockpivot.c: the basis F fixes x,
 *
 *   A_FF x_F = -(b_F + A_FN x_N),   y_N = b_N + A_N x,
 *
 * and all rows that are wrong change their places. Up to PERP_BLOCKPIVOT_SMALL rows a factor from
 * scratch takes less time than to look after one. The right side z is one more column of A_FF, which
 * is eliminated row after row, so that no sum waits for the one before:
 *
 *   A symmetric: L D L^T, of which the upper half D L^T is carried,
 *     L_ip = U_pi / U_pp,   (U_i., z_i) <- (U_i., z_i) - L_ip (U_p., z_p),   i > p;
 *   else L U with row exchanges, if the diagonal is small.
 *
 * A pivot that is not positive, or steps that do not bring the number of wrong rows down, end it
 * without a word: the caller goes on with factors that are updated, proximal steps and the finite
 * rule. Workspace: 20 KiB of the stack. */
#include "method/pivoting/blockpivot_small.h"
#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/few.h"
#include "method/run/small.h"
#include "set/set.h"

#include <float.h>

/* Up to ALONE rows of F are eliminated above the diagonal as well: substitution, in which all waits
 * for the row before, would take longer. */
enum { N = PERP_BLOCKPIVOT_SMALL, WIDTH = N + 4, ALONE = 10, TINY = 4 };

typedef struct small {
  int n, m;            /* rows, and those in F */
  perp_few A;          /* */
  const double *b;     /* */
  double slack;        /* violations up to this are none */
  int F[N];            /* ascending */
  signed char at[N];   /* -1: at lo, 0: in F, 1: at hi */
  double lo[N], hi[N]; /* unless K is x >= 0 */
  double U[N * WIDTH]; /* rows WIDTH apart, z in column m, 0 behind it */
  double L[N * N];     /* L^T by columns, rows N apart */
  double inverse[N];   /* 1 / D, or 1 / U_rr */
} small;

KERNEL double dot(int n, const double *u, const double *v)
{
  perp_two sum = {0, 0};
  if (n < 4) { /* the same: what was just stored one by one is soon read, but not in pairs */
    double even = 0, odd = 0;
    even += n > 1 ? u[0] * v[0] : 0;
    odd += n > 1 ? u[1] * v[1] : 0;
    return even + odd + (n == 3 ? u[2] * v[2] : n == 1 ? u[0] * v[0] : 0);
  }
  int j = 0;
  for (; j + 2 <= n; j += 2)
    sum += perp_two_at(u + j) * perp_two_at(v + j);
  return sum[0] + sum[1] + (j < n ? u[j] * v[j] : 0);
}

/* A_FF and z; nothing left of the diagonal if A is symmetric. */
KERNEL void write_system(small *s, const double *z, bool symmetric)
{
  for (int r = 0; r < s->m; r++)
    perp_row_gather(s->U + r * WIDTH, s->A.a + s->F[r] * s->A.stride, s->F, symmetric ? r & ~3 : 0,
                    s->m, z[r]);
}

/* Whether a pivot of row i is positive beyond rounding. */
static inline bool is_pivot(const small *s, int i, double pivot)
{
  return pivot > 1e-13 * s->A.a[i * (s->A.stride + 1)] && pivot < INFINITY;
}

/* The same as below, operation by operation, for one row and for two: in registers. */
KERNEL bool solve_two(const small *s, double *z)
{
  const int i = s->F[0];
  const double *a = s->A.a + i * s->A.stride;
  if (!is_pivot(s, i, a[i]))
    return false;
  const double first = 1 / a[i];
  if (s->m == 1) {
    z[0] *= first;
    return true;
  }
  const int j = s->F[1];
  const double f = a[j] * first, pivot = s->A.a[j * (s->A.stride + 1)] - f * a[j];
  if (!is_pivot(s, j, pivot))
    return false;
  const double second = 1 / pivot, z1 = z[1] - f * z[0];
  z[0] = (z[0] - a[j] * second * z1) * first;
  z[1] = z1 * second;
  return true;
}

/* z <- A_FF^-1 z, both in the order of F. False if a pivot is not positive beyond rounding. */
KERNEL bool solve_symmetric(small *s, double *z)
{
  const int m = s->m;
  double *U = s->U;
  if (m <= 2)
    return solve_two(s, z);
  write_system(s, z, true);
  for (int p = 0; p < m; p++) {
    const double *top = U + p * WIDTH;
    const double pivot = top[p];
    if (!is_pivot(s, s->F[p], pivot))
      return false;
    const double inverse = s->inverse[p] = 1 / pivot;
    for (int i = p + 1; i < m; i++) {
      const double f = s->L[i * N + p] = top[i] * inverse;
      perp_row_subtract(U + i * WIDTH, f, top, i & ~3, m);
    }
    for (int i = 0; m <= ALONE && i < p; i++)
      perp_row_subtract(U + i * WIDTH, U[i * WIDTH + p] * inverse, top, (p + 1) & ~3, m);
  }
  for (int r = 0; r < m; r++)
    z[r] = U[r * WIDTH + m] * s->inverse[r];
  for (int r = m - 1; m > ALONE && r > 0; r--)
    for (int c = 0; c < r; c++)
      z[c] -= s->L[r * N + c] * z[r];
  return true;
}

/* The row with the largest entry in column k comes to place k if the one there has less than a tenth
 * of it. Mostly it has more, and a processor that expects that need not wait for the comparison. */
KERNEL void choose_pivot(double **row, int k, int m)
{
  double most = 0;
  for (int r = k + 1; r < m; r++)
    most = fabs(row[r][k]) > most ? fabs(row[r][k]) : most;
  if (!(most > 10 * fabs(row[k][k])))
    return;
  int p = k + 1;
  while (fabs(row[p][k]) < most)
    p++;
  double *other = row[p];
  row[p] = row[k];
  row[k] = other;
}

/* The same by elimination with row exchanges. A principal minor that is not positive shows in the
 * sign of the determinant alone, so what is tested is that there is a pivot. */
KERNEL bool solve_general(small *s, double *z)
{
  const int m = s->m;
  double *row[N];
  write_system(s, z, false);
  for (int r = 0; r < m; r++)
    row[r] = s->U + r * WIDTH;
  for (int k = 0; k < m; k++) {
    choose_pivot(row, k, m);
    const double *top = row[k], pivot = fabs(top[k]);
    if (!(pivot > 1e-13 * fabs(s->A.a[s->F[k] * (s->A.stride + 1)]) && pivot < INFINITY))
      return false;
    const double inverse = s->inverse[k] = 1 / top[k];
    for (int r = k + 1; r < m; r++)
      perp_row_subtract(row[r], row[r][k] * inverse, top, (k + 1) & ~3, m);
    for (int r = 0; m <= ALONE && r < k; r++)
      perp_row_subtract(row[r], row[r][k] * inverse, top, (k + 1) & ~3, m);
  }
  for (int r = 0; r < m; r++)
    z[r] = row[r][m] * s->inverse[r];
  for (int c = m - 1; m > ALONE && c > 0; c--)
    for (int r = 0; r < c; r++)
      z[r] -= row[r][c] * s->inverse[r] * z[c];
  return true;
}

/* Where a step of Jacobi's method from 0 leads row i: in a matrix whose diagonal is not weak most rows
 * of a box end there, and a row that goes to its upper bound does so without a step within. */
static inline int first_place(const small *s, int i, double lo, double hi)
{
  const double a = s->A.a[i * (s->A.stride + 1)], t = -s->b[i];
  if (a > 0)
    return t <= a * lo ? -1 : t >= a * hi ? 1 : 0;
  return lo > -INFINITY || hi < INFINITY ? (fabs(lo) <= fabs(hi) ? -1 : 1) : 0;
}

/* The basis that x suggests, or b if there is no x. Here and below n is s->n, a constant if there are at most TINY rows. */
KERNEL void begin(small *s, int n, const perp_set *K, const double *x, bool plain)
{
  s->m = 0;
  for (int i = 0; i < n; i++) {
    const double lo = plain ? 0 : perp_set_lo(K, i), hi = plain ? INFINITY : perp_set_hi(K, i);
    s->lo[i] = lo;
    s->hi[i] = hi;
    const int at = !x ? first_place(s, i, lo, hi) : x[i] <= lo ? -1 : x[i] >= hi ? 1 : 0;
    s->at[i] = (signed char)at;
    s->F[s->m] = i;
    s->m += at == 0;
  }
}

/* y <- b + A x outside F, by rows; 0 in F. */
KERNEL void evaluate_y_by_rows(const small *s, const double *x, double *y)
{
  const int n = s->n;
  int rows[N + 4], count = 0;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    rows[count] = i;
    count += s->at[i] != 0;
  }
  rows[count] = rows[count + 1] = rows[count + 2] = 0; /* four at a time, whatever the last are */
  for (int k = 0; k < count; k += 4) {
    const double *a[4];
    double sum[4];
    for (int r = 0; r < 4; r++)
      a[r] = s->A.a + rows[k + r] * s->A.stride;
    perp_dot_four(n, a, x, sum);
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

/* The same everywhere if A is symmetric, by the rows that have an x other than 0, which are
 * columns; the last four may overlap those before. */
KERNEL void evaluate_y_by_columns(const small *s, const double *x, double *y, bool plain)
{
  const int n = s->n, *list = s->F;
  int other[N + 1], count = s->m;
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

/* The same as below for A symmetric and at most TINY rows, n of them, a constant: no lists, all stays in
 * registers. Rows outside F are those of the identity, with their bounds on the right side, so that
 *
 *   [A_FF  0] [x_F]   [-(b_F + A_FN x_N)]
 *   [ 0    I] [x_N] = [       x_N       ]
 *
 * is eliminated above and below the diagonal. */
KERNEL bool evaluate_tiny(const small *s, int n, double *x, double *y, bool plain)
{
  double M[TINY][TINY], z[TINY], inverse[TINY];
  const double *a = s->A.a;
  const int64_t stride = s->A.stride;
  for (int i = 0; i < n; i++) {
    x[i] = plain || s->at[i] == 0 ? 0 : s->at[i] < 0 ? s->lo[i] : s->hi[i];
    y[i] = s->b[i];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += plain ? 0 : a[i * stride + j] * x[j];
  if (s->m == 0)
    return true;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      M[i][j] = s->at[i] == 0 && s->at[j] == 0 ? a[i * stride + j] : i == j;
    z[i] = s->at[i] == 0 ? -y[i] : x[i];
  }
  for (int p = 0; p < n; p++) {
    const double pivot = M[p][p];
    if (s->at[p] == 0 && !is_pivot(s, p, pivot))
      return false;
    inverse[p] = 1 / pivot;
    for (int i = 0; i < n; i++) {
      const double f = i == p ? 0 : M[i][p] * inverse[p];
      for (int q = p + 1; q < n && i != p; q++)
        M[i][q] -= f * M[p][q];
      z[i] -= i == p ? 0 : f * z[p];
    }
  }
  for (int i = 0; i < n; i++)
    x[i] = z[i] * inverse[i];
  for (int i = 0; i < n; i++) {
    y[i] = s->b[i];
    for (int j = 0; j < n; j++)
      y[i] += a[i * stride + j] * x[j];
  }
  return true;
}

/* x and y of the basis. */
KERNEL bool evaluate(small *s, int n, double *x, double *y, bool plain)
{
  double z[N];
  if (n <= TINY && s->A.symmetric)
    return n == 4   ? evaluate_tiny(s, 4, x, y, plain)
           : n == 3 ? evaluate_tiny(s, 3, x, y, plain)
           : n == 2 ? evaluate_tiny(s, 2, x, y, plain)
                    : evaluate_tiny(s, 1, x, y, plain);
  for (int i = 0; i < n; i++)
    x[i] = plain ? 0 : s->at[i] < 0 ? s->lo[i] : s->at[i] > 0 ? s->hi[i] : 0;
  for (int r = 0; r < s->m; r++) {
    const int i = s->F[r];
    z[r] = -s->b[i] - (plain ? 0 : dot(n, s->A.a + i * s->A.stride, x));
  }
  if (s->m > 0 && !(s->A.symmetric ? solve_symmetric(s, z) : solve_general(s, z)))
    return false;
  for (int r = 0; r < s->m; r++)
    x[s->F[r]] = z[r];
  if (s->A.symmetric || (plain && s->m == 0))
    evaluate_y_by_columns(s, x, y, plain);
  else
    evaluate_y_by_rows(s, x, y);
  return true;
}

/* How far x_i may be outside: as far as A_ii x_i may, if that is stricter. */
static inline double slack_of(const small *s, int i)
{
  const double a = fabs(s->A.a[i * (s->A.stride + 1)]);
  return a > 1 ? s->slack / a : s->slack;
}

/* Every wrong row goes to its other place, and F with it; returns how many there were. */
KERNEL int exchange(small *s, int n, const double *x, const double *y, bool plain)
{
  int wrong = 0, m = 0;
  for (int i = 0; i < n; i++) {
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
    s->F[m] = i;
    m += to == 0;
  }
  s->m = m;
  return wrong;
}

/* A step from the basis: x and y, the rows that are wrong there, and the basis that follows. -1: there
 * is no factor. */
KERNEL int step_from(small *s, int n, double *x, double *y, bool plain, int64_t *factorisations)
{
  if (!evaluate(s, n, x, y, plain))
    return -1;
  *factorisations += s->m > 0;
  return exchange(s, n, x, y, plain);
}

/* The steps from x. Whether the run has ended. */
KERNEL bool pivot(small *s, perp_run *run, double *x, int trials, bool plain)
{
  double y[N];
  const int64_t most = perp_run_left(run);
  int least = s->n + 1, left = trials;
  for (int64_t step = 0; left >= 0 && step < most; step++) {
    const int wrong = step_from(s, s->n, x, y, plain, &run->count.factorisations);
    if (wrong < 0)
      break;
    if (run->options->observer && !perp_run_next(run, x, y))
      return true;
    if (wrong == 0) { /* the iterations that the driver has not seen are counted here */
      if (!run->options->observer)
        run->count.iterations += step;
      return !perp_run_next_iterate(run, perp_iterate_measured(x, s->slack));
    }
    left = wrong < least ? trials : left - 1;
    least = wrong < least ? wrong : least;
  }
  return false;
}

/* The same from 0 for a run without a driver: whether no row is wrong any more. */
KERNEL bool pivot_few(small *s, int n, perp_run *run, double *x, bool plain)
{
  enum { STEPS = 12 }; /* what takes more may as well take a driver */
  double y[N];
  int wrong = 1, step = 0;
  begin(s, n, &run->problem->K, NULL, plain);
  for (; step < STEPS && wrong > 0; step++)
    wrong = step_from(s, n, x, y, plain, &run->count.factorisations);
  run->count.iterations = step;
  return wrong == 0 && s->slack <= run->target;
}

/* The same for at most TINY rows of a symmetric A: what is known of the rows stays in registers. */
KERNEL bool pivot_tiny(const small *of, int n, perp_run *run, double *x, bool plain)
{
  small s;
  double z[TINY];
  s.A = (perp_few){of->A.a, of->A.stride, true};
  s.b = of->b;
  s.slack = of->slack;
  const bool done = pivot_few(&s, n, run, z, plain);
  for (int i = 0; i < n; i++)
    x[i] = z[i];
  return done;
}

KERNEL bool pivot_few_any(small *s, perp_run *run, double *x, bool plain)
{
  if (s->n > TINY || !s->A.symmetric)
    return pivot_few(s, s->n, run, x, plain);
  return s->n == 4   ? pivot_tiny(s, 4, run, x, plain)
         : s->n == 3 ? pivot_tiny(s, 3, run, x, plain)
         : s->n == 2 ? pivot_tiny(s, 2, run, x, plain)
                     : pivot_tiny(s, 1, run, x, plain);
}

/* trials < 0: without a driver. */
KERNEL bool pivot_any(small *s, perp_run *run, double *x, int trials, bool plain)
{
  if (trials < 0)
    return plain ? pivot_few_any(s, run, x, true) : pivot_few_any(s, run, x, false);
  return plain ? pivot(s, run, x, trials, true) : pivot(s, run, x, trials, false);
}

#ifdef PERP_WIDE
PERP_WIDE static bool pivot_wide(small *s, perp_run *run, double *x, int trials, bool plain)
{
  return pivot_any(s, run, x, trials, plain);
}
#endif

static bool pivot_here(small *s, perp_run *run, double *x, int trials, bool plain)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return pivot_wide(s, run, x, trials, plain);
#endif
  return pivot_any(s, run, x, trials, plain);
}

/* What there is to the problem but its basis. */
static bool open(perp_run *run, small *s)
{
  const perp_problem *p = run->problem;
  const double *a;
  int64_t stride;
  s->n = p->K.n;
  s->b = p->b;
  s->slack = perp_max(0.01 * run->target, 4 * DBL_EPSILON * run->scale);
  /* a band of more rows has a way of its own, exchange.c */
  if (s->n >= PERP_BAND_LEAST && perp_operator_dense_array(p->A, &a, &stride) != PERP_OK)
    return false;
  return perp_few_open(run, &s->A);
}

bool perp_blockpivot_few(perp_run *run, const perp_small *problem, perp_result *result, double *x)
{
  (void)result;
  small s;
  if (problem->solved || run->problem->K.n > N || !open(run, &s))
    return false;
  return pivot_here(&s, run, x, -1, problem->form == PERP_FORM_LCP);
}

bool perp_blockpivot_small(perp_run *run, double *x, int trials)
{
  const perp_set *K = &run->problem->K;
  const bool plain = perp_set_is_plain(K);
  small s;
  double start[N];
  if (!open(run, &s))
    return false;
  begin(&s, s.n, K, perp_all_zero(s.n, x) ? NULL : x, plain);
  if (!perp_run_next(run, x, NULL))
    return true;
  perp_copy(s.n, x, start);
  if (pivot_here(&s, run, x, trials, plain))
    return true;
  perp_copy(s.n, start, x);
  return false;
}
