/* blockpivot_small.c: block principal pivoting of a few rows, in local arrays
 *
 * The steps are those of blockpivot.c: the basis F fixes x,
 *
 *   A_FF x_F = -(b_F + A_FN x_N),   y_N = b_N + A_N x,
 *
 * and all rows that are wrong change their places. Up to PERP_BLOCKPIVOT_SMALL rows a factor from
 * scratch takes less time than to look after one: L D L^T if A is symmetric, computed row by row,
 *
 *   t_c = A_rc - sum_(q < c) L_cq t_q,   L_rc = t_c / D_c,   D_r = A_rr - sum_c t_c L_rc,
 *
 * else L U with row exchanges. A pivot that is not positive, or steps that do not bring the number of
 * wrong rows down, end it without a word: the caller goes on with factors that are updated, proximal
 * steps and the finite rule. Workspace: 24 KiB of the stack. */
#include "method/pivoting/blockpivot_small.h"
#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "set/set.h"

#include <float.h>

enum { N = PERP_BLOCKPIVOT_SMALL };

typedef struct small {
  int n, m;          /* rows, and those in F */
  bool symmetric;    /* */
  bool plain;        /* K is x >= 0 */
  const double *a;   /* rows of A, `stride` apart */
  int64_t stride;    /* */
  const double *b;   /* */
  double slack;      /* violations up to this are none */
  int F[N];          /* ascending */
  signed char at[N]; /* -1: at lo, 0: in F, 1: at hi */
  double lo[N], hi[N];
  double below[N],
      above[N];      /* the same with the slack of x_i, which is one of A_ii x_i if stricter */
  double L[N * N];   /* rows N apart */
  double inverse[N]; /* 1 / D, or 1 / U_rr */
} small;

static inline double dot(int n, const double *u, const double *v)
{
  perp_two sum = {0, 0};
  int j = 0;
  for (; j + 2 <= n; j += 2)
    sum += perp_two_at(u + j) * perp_two_at(v + j);
  return sum[0] + sum[1] + (j < n ? u[j] * v[j] : 0);
}

/* z <- A_FF^-1 z, both in the order of F. False if a pivot is not positive beyond rounding. */
static bool solve_symmetric(small *s, double *z)
{
  double t[N];
  for (int r = 0; r < s->m; r++) {
    const double *a = s->a + s->F[r] * s->stride;
    double *row = s->L + r * N, pivot = a[s->F[r]];
    const double least = 1e-13 * pivot;
    for (int c = 0; c < r; c++) {
      t[c] = a[s->F[c]] - dot(c, s->L + c * N, t);
      row[c] = t[c] * s->inverse[c];
    }
    pivot -= dot(r, t, row);
    if (!(pivot > least && pivot < INFINITY))
      return false;
    s->inverse[r] = 1 / pivot;
    z[r] -= dot(r, row, z);
  }
  for (int r = 0; r < s->m; r++)
    z[r] *= s->inverse[r];
  for (int r = s->m - 1; r > 0; r--)
    for (int c = 0; c < r; c++)
      z[c] -= s->L[r * N + c] * z[r];
  return true;
}

/* The same by elimination with row exchanges, on the right side too. A principal minor that is not
 * positive shows in the sign of the determinant alone, so what is tested is that there is a pivot. */
static bool solve_general(small *s, double *z)
{
  double *U = s->L;
  for (int r = 0; r < s->m; r++) {
    const double *a = s->a + s->F[r] * s->stride;
    for (int c = 0; c < s->m; c++)
      U[r * N + c] = a[s->F[c]];
  }
  for (int k = 0; k < s->m; k++) {
    int p = k;
    for (int r = k + 1; r < s->m; r++)
      p = fabs(U[r * N + k]) > fabs(U[p * N + k]) ? r : p;
    const double pivot = U[p * N + k];
    if (!(fabs(pivot) > 1e-13 * fabs(s->a[s->F[k] * (s->stride + 1)])) || !isfinite(pivot))
      return false;
    if (p != k) {
      const double other = z[p];
      z[p] = z[k];
      z[k] = other;
      for (int c = k; c < s->m; c++) {
        const double u = U[p * N + c];
        U[p * N + c] = U[k * N + c];
        U[k * N + c] = u;
      }
    }
    s->inverse[k] = 1 / pivot;
    for (int r = k + 1; r < s->m; r++) {
      const double factor = U[r * N + k] * s->inverse[k];
      for (int c = k + 1; c < s->m; c++)
        U[r * N + c] -= factor * U[k * N + c];
      z[r] -= factor * z[k];
    }
  }
  for (int r = s->m - 1; r >= 0; r--) {
    double sum = z[r];
    for (int c = r + 1; c < s->m; c++)
      sum -= U[r * N + c] * z[c];
    z[r] = sum * s->inverse[r];
  }
  return true;
}

/* The rows of A, b, bounds and the basis that x suggests. False if A has no rows at hand. */
static bool begin(small *s, const perp_run *run, double *x, double *rows)
{
  const perp_problem *p = run->problem;
  const perp_operator *A = p->A;
  s->n = p->K.n;
  s->b = p->b;
  s->plain = !p->K.lo && !p->K.hi;
  s->slack = perp_max(0.01 * run->target, 4 * DBL_EPSILON * run->scale);
  if (perp_operator_dense_array(A, &s->a, &s->stride) == PERP_OK) {
    s->symmetric = A->symmetric;
  } else {
    int column[N];
    double value[N];
    /* a band of more rows has a way of its own, exchange.c */
    if (s->n >= PERP_BAND_LEAST || !A->table->row || perp_operator_row_capacity(A) > N)
      return false;
    for (int i = 0; i < s->n * N; i++)
      rows[i] = 0;
    for (int i = 0; i < s->n; i++)
      for (int k = A->table->row(A, i, column, value) - 1; k >= 0; k--)
        rows[i * N + column[k]] = value[k];
    s->a = rows;
    s->stride = N;
    s->symmetric = true;
    for (int i = 0; i < s->n && s->symmetric; i++)
      for (int j = 0; j < i; j++)
        s->symmetric = s->symmetric && rows[i * N + j] == rows[j * N + i];
  }
  perp_set_all_bounds(&p->K, s->lo, s->hi);
  const bool cold = perp_all_zero(s->n, x);
  for (int i = 0; i < s->n; i++) {
    const double lo = s->lo[i], hi = s->hi[i], a = fabs(s->a[i * (s->stride + 1)]);
    const double slack = a > 1 ? s->slack / a : s->slack;
    s->below[i] = lo - slack;
    s->above[i] = hi + slack;
    s->at[i] = x[i] <= lo ? -1 : x[i] >= hi ? 1 : 0;
    if (cold && (isfinite(lo) || isfinite(hi)))
      s->at[i] = fabs(lo) <= fabs(hi) ? -1 : 1;
  }
  return true;
}

/* x and y of the basis. */
static bool evaluate(small *s, double *x, double *y)
{
  double z[N];
  s->m = 0;
  for (int i = 0; i < s->n; i++) {
    x[i] = s->at[i] < 0 ? s->lo[i] : s->at[i] > 0 ? s->hi[i] : 0;
    if (s->at[i] == 0)
      s->F[s->m++] = i;
  }
  for (int r = 0; r < s->m; r++) {
    const int i = s->F[r];
    z[r] = -s->b[i] - (s->plain ? 0 : dot(s->n, s->a + i * s->stride, x));
  }
  if (s->m > 0 && !(s->symmetric ? solve_symmetric(s, z) : solve_general(s, z)))
    return false;
  for (int r = 0; r < s->m; r++)
    x[s->F[r]] = z[r];
  for (int i = 0; i < s->n; i++)
    y[i] = s->at[i] == 0 ? 0 : s->b[i] + dot(s->n, s->a + i * s->stride, x);
  return true;
}

/* Every wrong row goes to its other place; returns how many there were. */
static int exchange(small *s, const double *x, const double *y)
{
  int wrong = 0;
  for (int i = 0; i < s->n; i++) {
    signed char to = s->at[i];
    if (to == 0)
      to = x[i] < s->below[i] ? -1 : x[i] > s->above[i] ? 1 : 0;
    else if (s->lo[i] < s->hi[i] && (to < 0 ? y[i] < -s->slack : y[i] > s->slack))
      to = 0;
    wrong += to != s->at[i];
    s->at[i] = to;
  }
  return wrong;
}

bool perp_blockpivot_small(perp_run *run, double *x, int trials)
{
  small s;
  double rows[N * N], y[N], start[N];
  if (!begin(&s, run, x, rows))
    return false;
  if (!perp_run_next(run, x, NULL))
    return true;
  perp_copy(s.n, x, start);
  const int64_t most = perp_run_left(run);
  int least = s.n + 1, left = trials;
  for (int64_t step = 0; left >= 0 && step < most; step++) {
    if (!evaluate(&s, x, y))
      break;
    run->count.factorisations += s.m > 0;
    const int wrong = exchange(&s, x, y);
    if (run->options->observer && !perp_run_next(run, x, y))
      return true;
    if (wrong == 0) { /* the iterations that the driver has not seen are counted here */
      if (!run->options->observer)
        run->count.iterations += step;
      return !perp_run_next_known(run, x, s.slack);
    }
    left = wrong < least ? trials : left - 1;
    least = wrong < least ? wrong : least;
  }
  perp_copy(s.n, start, x);
  return false;
}
