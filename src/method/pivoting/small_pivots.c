/* small_pivots.c: block pivots of a few rows, in local arrays
 *
 * For so few rows overhead dominates the arithmetic. A step is a step of blockpivot.c for boxes, of
 * dantzig/coupling.c for friction. The free rows C determine x,
 *
 *   A_CC x_C = -(b_C + A_CN x_N),   y_N = b_N + A_N x,
 *
 * and all wrong rows change their places at once. A new factor is cheaper than updating one. The
 * right-hand side z is one more column of A_CC, which is eliminated row after row, so that no sum
 * depends on the one before:
 *
 *   (U_i., z_i) <- (U_i., z_i) - f (U_p., z_p),   i > p,   f = U_pi / U_pp if A is symmetric,
 *
 * which needs only half of each row; otherwise f = U_ip / U_pp, with row exchanges if a pivot is
 * small.
 *
 * Boxes. If a pivot is not positive, or the number of wrong rows does not fall, the steps end
 * silently: the caller continues with updated factors, proximal steps and the finite rule.
 *
 * Friction. Sliding rows follow their normals, x_f = c_f x_j(f): B = A_CC + U, with U in the
 * columns of the followed normals, which come last in C. In all rows before them B is symmetric,
 * and elimination keeps it so. Elimination follows the diagonal without exchanges, four rows of C
 * at a time. A pivot that is rounding belongs to a row p that depends on the rows before it: its x
 * stays 0. If p is a normal with y_p < 0, as under a box with one corner too many, then p must
 * push, and another normal must separate: z with B z = 0, z_p = 1, z = 0 behind p changes x, but
 * not y. x + t z takes t slightly beyond the first normal that reaches its bound, so that this
 * normal leaves C and p stays. If the sets have not changed since the last step, the step solves
 * for the change of x, which refines it. If the steps do not soon end at a solution, they restart
 * with the sets that sweeps from the start lead to: four sweeps, then twelve, then 36. After that
 * the general method takes over.
 *
 * Cost of a step: k^3/6 + k^2 m/2 + 2 n k, k = |C|, m normals followed. Workspace: 45 KB of the
 * stack. */
#include "method/pivoting/small_pivots.h"

#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/dantzig/coupling.h"
#include "method/run/factor_cache.h"
#include "method/run/small_solve.h"
#include "set/set.h"

#include <float.h>

/* Up to ALONE rows of C are eliminated above the diagonal as well: the serial substitution would
 * take longer. */
enum { N = PERP_SMALL_BOX, MOST = PERP_SMALL_FRICTION, WIDTH = MOST + 4, PANEL = 4, ALONE = 10 };
enum { TINY = 4, BEHIND = N + 4 /* the first column of L, for boxes */ };

/* A by dense rows, for any operator. */
typedef struct dense_rows {
  const double *a;
  int64_t stride; /* from row to row */
  bool symmetric; /* up to rounding */
} dense_rows;

typedef struct small {
  int n;
  dense_rows A;
  const double *b;
  double slack; /* violations up to this count as zero */

  /* the system; the right-hand side is in column k, zeros follow, since all is read in fours */
  int k;     /* rows[0 .. k-1] are C, ascending */
  int plain; /* with friction, rows from here on are followed */
  int rows[MOST];
  double M[MOST * WIDTH]; /* rows WIDTH apart */
  double inverse[MOST];   /* of the pivots */

  const double *from; /* the start; NULL: 0, without a driver */
  int trials;         /* most steps that do not lower the number of wrong rows */
  signed char at[N];  /* -1: at lo, 0: in C, 1: at hi */
  double lo[N], hi[N];
  int64_t steps; /* taken */
  bool ended;    /* by the driver */

  double residual;       /* of the point */
  perp_coupling c;       /* only the members that perp_coupling_examine reads and writes */
  int follow;            /* number of rows behind C that follow */
  int columns[MOST];     /* the places in C that they follow */
  double ratio[MOST];    /* and the ratios */
  double step[MOST + 2]; /* of rows[] */
  int pressed;           /* the place in C of the first normal p as above; -1: none */
  double null[MOST];     /* its z, up to p */
} small;

/* ---- The rows of A ---- */

/* Returns true if each pair differs by about epsilon relative to its two rows. A product J Minv J^T
 * summed entry by entry is not symmetric to the last bit, and using one of the two for both changes
 * A by as much as its rounding. */
static bool is_symmetric(int n, const double *a)
{
  static const double NEGLIGIBLE = 1e-15; /* A_ij - A_ji relative to sqrt(A_ii A_jj) */
  bool symmetric = true;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double difference = a[i * n + j] - a[j * n + i], weight = a[i * n + i] * a[j * n + j];
      symmetric &= difference == 0 || difference * difference <= NEGLIGIBLE * NEGLIGIBLE * weight;
    }
  return symmetric;
}

/* Reads n^2 numbers into the arena, with room for one row. Returns NULL if out of memory. */
static dense_rows *read_rows(const perp_operator *A, perp_arena *arena)
{
  const int n = A->n;
  const size_t capacity = (size_t)perp_operator_row_capacity(A);
  dense_rows *rows = perp_arena_alloc(arena, 1, sizeof *rows);
  double *a = perp_arena_alloc_zero(arena, (size_t)n * (size_t)n, sizeof *a);
  double *value = perp_arena_alloc(arena, capacity, sizeof *value);
  int *column = perp_arena_alloc(arena, capacity, sizeof *column);
  if (!rows || !a || !value || !column)
    return NULL;
  for (int i = 0; i < n; i++)
    for (int k = A->table->row(A, i, column, value) - 1; k >= 0; k--)
      a[i * n + column[k]] = value[k];
  *rows = (dense_rows){a, n, is_symmetric(n, a)};
  return rows;
}

/* Uses the array of a dense A; otherwise a copy, which the solver keeps while the numbers of A are
 * unchanged: for a dozen rows reading a sparse matrix takes longer than solving. Returns false if A
 * has no rows or memory is out. */
static bool open_rows(perp_run *run, dense_rows *rows)
{
  static const char maker;
  const perp_operator *A = run->problem->A;
  rows->symmetric = A->symmetric;
  if (perp_operator_dense_array(A, &rows->a, &rows->stride) == PERP_OK)
    return true;
  const size_t limit = run->options->memory_limit, n = (size_t)A->n;
  if (!A->table->row || (limit > 0 && n * n * sizeof(double) > limit))
    return false;
  perp_kept *kept = perp_run_kept(run, &maker);
  dense_rows *state = kept && perp_kept_holds(kept, run) ? kept->state : NULL;
  if (!state) {
    if (kept)
      perp_kept_clear(kept);
    state = read_rows(A, kept ? &kept->arena : run->arena);
    if (kept)
      kept->state = state;
  }
  perp_kept_done(kept, run);
  if (state)
    *rows = *state;
  return state != NULL;
}

/* ---- The system ---- */

typedef enum { SYMMETRIC, GENERAL, FOLLOWED } kind;

/* Computes z for place p of C, all earlier places being eliminated. */
KERNEL void find_null(small *s, int p)
{
  s->pressed = p;
  for (int r = p - 1; r >= 0; r--) {
    const double *row = s->M + r * WIDTH;
    double sum = row[p];
    for (int q = r + 1; s->k > ALONE && q < p; q++)
      sum += row[q] * s->null[q];
    s->null[r] = -sum * s->inverse[r];
  }
}

/* Returns true if a pivot of row i is positive beyond rounding. */
static inline bool is_pivot(const small *s, int i, double pivot)
{
  return pivot > 1e-13 * s->A.a[i * (s->A.stride + 1)] && pivot < INFINITY;
}

/* Sets 1 over the pivot of row p, whose row is `top`. Returns false if it is unusable. In a general
 * matrix only the sign of the determinant shows a principal minor that is not positive, so the test
 * is for a nonzero pivot. With friction a pivot that is rounding gets the inverse 0, and a negative
 * pivot, which friction can cause, is unusable. */
KERNEL bool take_pivot(small *s, kind how, int p, const double *top)
{
  const int i = s->rows[p];
  const double pivot = top[p], a = s->A.a[i * (s->A.stride + 1)];
  if (how == SYMMETRIC && !is_pivot(s, i, pivot))
    return false;
  if (how == GENERAL && !(fabs(pivot) > 1e-13 * fabs(a) && fabs(pivot) < INFINITY))
    return false;
  if (how != FOLLOWED) {
    s->inverse[p] = 1 / pivot;
    return true;
  }
  const double least = 1e-10 * a;
  if (!(pivot > least) && !(fabs(pivot) <= least && least > 0))
    return false;
  s->inverse[p] = pivot > least ? 1 / pivot : 0;
  if (s->inverse[p] == 0 && s->pressed < 0 && top[s->k] > s->slack && s->c.p->K.findex[i] < 0)
    find_null(s, p);
  return true;
}

/* Swaps the row with the largest entry in column k to place k if the row there has less than a
 * tenth of it. This is rare, so the branch is predicted well. */
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

/* Returns row r of the system; `row` has the order if rows are exchanged. */
KERNEL double *row_at(small *s, kind how, double *const *row, int r)
{
  return how == GENERAL ? row[r] : s->M + r * WIDTH;
}

/* Eliminates rows from .. to - 1 by the rows above, and if they are few also by the rows below.
 * Returns false if one has no pivot. */
KERNEL bool eliminate(small *s, kind how, double **row, int from, int to)
{
  const int k = s->k, plain = how == SYMMETRIC ? to : how == GENERAL ? 0 : s->plain;
  for (int p = from; p < to; p++) {
    if (how == GENERAL)
      choose_pivot(row, p, k);
    const double *top = row_at(s, how, row, p);
    if (!take_pivot(s, how, p, top))
      return false;
    const double inverse = s->inverse[p];
    int i = p + 1;
    for (; i < to && i < plain; i++) {
      const double f = top[i] * inverse;
      if (how == SYMMETRIC)
        s->M[i * WIDTH + BEHIND + p] = f;
      perp_row_subtract(s->M + i * WIDTH, f, top, i & ~3, k);
    }
    for (; i < to; i++) {
      double *other = row_at(s, how, row, i);
      perp_row_subtract(other, other[p] * inverse, top, (p + 1) & ~3, k);
    }
    for (i = 0; k <= ALONE && i < p; i++) {
      double *other = row_at(s, how, row, i);
      perp_row_subtract(other, other[p] * inverse, top, (p + 1) & ~3, k);
    }
  }
  return true;
}

/* ---- Boxes: a step ---- */

/* SYMMETRIC for one and two rows in registers, with the same operations. */
KERNEL bool solve_two(const small *s, double *z)
{
  const int i = s->rows[0];
  const double *a = s->A.a + i * s->A.stride;
  if (!is_pivot(s, i, a[i]))
    return false;
  const double first = 1 / a[i];
  if (s->k == 1) {
    z[0] *= first;
    return true;
  }
  const int j = s->rows[1];
  const double f = a[j] * first, pivot = s->A.a[j * (s->A.stride + 1)] - f * a[j];
  if (!is_pivot(s, j, pivot))
    return false;
  const double second = 1 / pivot, z1 = z[1] - f * z[0];
  z[0] = (z[0] - a[j] * second * z1) * first;
  z[1] = z1 * second;
  return true;
}

/* z <- A_CC^-1 z, both in the order of C; writes nothing left of the diagonal if A is symmetric. */
KERNEL bool solve_rows(small *s, kind how, double *z)
{
  const int k = s->k;
  double *row[N];
  if (how == SYMMETRIC && k <= 2)
    return solve_two(s, z);
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

/* Sets the basis that the start suggests, or b without a start. Here and below n is s->n, a
 * constant if there are at most TINY rows. */
KERNEL void begin_box(small *s, int n, const perp_set *K, const double *x, bool plain)
{
  s->k = 0;
  for (int i = 0; i < n; i++) {
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
  if (n < 4) { /* same bits by scalar loads: paired loads would stall on recent scalar stores */
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

/* x and y of the basis for symmetric A and n <= TINY rows, n a constant: without lists, in
 * registers. Rows outside C are rows of the identity with their bounds on the right-hand side, and
 *
 *   [A_CC  0] [x_C]   [-(b_C + A_CN x_N)]
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
  if (s->k == 0)
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

/* Computes x and y of the basis. Returns false if there is no factor. */
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
  for (int r = 0; r < s->k; r++) {
    const int i = s->rows[r];
    z[r] = -s->b[i] - (plain ? 0 : dot(n, s->A.a + i * s->A.stride, x));
  }
  if (s->k > 0 && !(s->A.symmetric ? solve_rows(s, SYMMETRIC, z) : solve_rows(s, GENERAL, z)))
    return false;
  for (int r = 0; r < s->k; r++)
    x[s->rows[r]] = z[r];
  if (s->A.symmetric || (plain && s->k == 0))
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
KERNEL int exchange(small *s, int n, const double *x, const double *y, bool plain)
{
  int wrong = 0, k = 0;
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
    s->rows[k] = i;
    k += to == 0;
  }
  s->k = k;
  return wrong;
}

/* ---- Boxes: the steps ---- */

/* Pivots from the start. Returns true if no row is wrong. `cold`: from 0, without a driver, which
 * takes over after a few steps. */
KERNEL bool pivot_rows(small *s, int n, perp_run *run, double *x, bool plain, bool cold)
{
  double y[N];
  const int64_t most = cold ? PERP_SMALL_STEPS : perp_run_left(run);
  int wrong = 1, least = n + 1, left = s->trials;
  s->ended = false;
  begin_box(s, n, &run->problem->K, cold || perp_all_zero(n, s->from) ? NULL : s->from, plain);
  for (s->steps = 0; wrong > 0 && (cold || left >= 0) && s->steps < most; s->steps++) {
    if (!evaluate(s, n, x, y, plain))
      return false;
    run->count.factorisations += s->k > 0;
    wrong = exchange(s, n, x, y, plain);
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

/* pivot_rows for at most TINY rows of a symmetric A, in registers. */
KERNEL bool pivot_tiny(small *of, int n, perp_run *run, double *x, bool plain)
{
  small s;
  double z[TINY];
  s.A = (dense_rows){of->A.a, of->A.stride, true};
  s.b = of->b;
  s.slack = of->slack;
  const bool right = pivot_rows(&s, n, run, z, plain, true);
  of->steps = s.steps;
  for (int i = 0; i < n; i++)
    x[i] = z[i];
  return right;
}

KERNEL bool pivot_box(small *s, perp_run *run, double *x, bool plain)
{
  if (s->from)
    return pivot_rows(s, s->n, run, x, plain, false);
  if (s->n > TINY || !s->A.symmetric)
    return pivot_rows(s, s->n, run, x, plain, true);
  return s->n == 4   ? pivot_tiny(s, 4, run, x, plain)
         : s->n == 3 ? pivot_tiny(s, 3, run, x, plain)
         : s->n == 2 ? pivot_tiny(s, 2, run, x, plain)
                     : pivot_tiny(s, 1, run, x, plain);
}

/* ---- Friction: a step ---- */

/* Returns c_f of a row at a bound that moves with a normal inside its own bounds, 0 otherwise. */
static inline double ratio_of(const perp_coupling *c, const int *findex, int i)
{
  const int j = findex[i], side = c->side[i];
  if (j < 0 || (side != -1 && side != 1) || c->side[j] != 0)
    return 0;
  const double bound = side < 0 ? c->lo[i] : c->hi[i];
  return isinf(bound) ? 0 : c->e.x[j] < 0 ? -bound : bound;
}

/* Lists C, the followed normals at its end, and the rows that follow them. */
KERNEL void collect(small *s)
{
  const perp_coupling *c = &s->c;
  const int n = s->n, *findex = c->p->K.findex, *side = c->side;
  int follower[MOST], place[MOST], k = 0, follow = 0;
  memset(place, 0, (size_t)n * sizeof *place);
  for (int i = 0; i < n; i++) {
    const double ratio = side[i] == 0 ? 0 : ratio_of(c, findex, i);
    if (ratio != 0) {
      place[findex[i]] = 1;
      follower[follow] = i;
      s->ratio[follow++] = ratio;
    }
  }
  for (int i = 0; i < n; i++) {
    s->rows[k] = i;
    k += (side[i] == 0) & (place[i] == 0);
  }
  s->plain = k;
  for (int i = 0; i < n && follow > 0; i++)
    if (place[i]) {
      place[i] = k;
      s->rows[k++] = i;
    }
  for (int f = 0; f < follow; f++) {
    s->rows[k + f] = follower[f];
    s->columns[f] = place[findex[follower[f]]];
  }
  s->k = k;
  s->follow = follow;
}

/* Moves the point to the sides, except the rows that are solved for, which go to 0, and updates
 * y. */
KERNEL void take_sides(small *s)
{
  perp_coupling *c = &s->c;
  collect(s);
  if (c->changes > 0) {
    perp_copy(s->n, s->b, c->y);
    perp_fill(s->n, 0, c->point);
    for (int r = 0; r < s->k + s->follow; r++)
      c->e.x[s->rows[r]] = 0;
  }
  for (int i = 0; i < s->n; i++) {
    const double step = c->e.x[i] - c->point[i];
    if (step != 0) {
      perp_axpy(s->n, step, s->A.a + i * s->A.stride, c->y);
      c->point[i] = c->e.x[i];
    }
  }
}

/* Writes B; in the first rows the part left of the diagonal is not read. */
KERNEL void write_system(small *s)
{
  const int k = s->k, *rows = s->rows;
  const double *y = s->c.y;
  double *row = s->M;
  for (int r = 0; r < k; r++, row += WIDTH) {
    const double *a = s->A.a + rows[r] * s->A.stride;
    perp_row_gather(row, a, rows, r < s->plain ? r & ~3 : 0, k, -y[rows[r]]);
  }
  for (int f = 0; f < s->follow; f++) {
    const double *a = s->A.a + rows[k + f] * s->A.stride; /* its column, since A is symmetric */
    const double ratio = s->ratio[f];
    double *column = s->M + s->columns[f];
    for (int r = 0; r < k; r++, column += WIDTH)
      *column += ratio * a[rows[r]];
  }
}

/* row <- row - sum_p f_p top_p for four rows `top`, as perp_row_subtract. */
KERNEL void subtract_four(double *row, const double f[4], const double *top, int from, int to)
{
  const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  const double *t0 = top, *t1 = t0 + WIDTH, *t2 = t1 + WIDTH, *t3 = t2 + WIDTH;
  for (int q = from; q <= to; q += 4) {
    double t[4];
    for (int k = 0; k < 4; k++)
      t[k] = row[q + k] - ((f0 * t0[q + k] + f1 * t1[q + k]) + (f2 * t2[q + k] + f3 * t3[q + k]));
    for (int k = 0; k < 4; k++)
      row[q + k] = t[k];
  }
}

/* Subtracts a whole panel from row i. */
KERNEL void apply_panel(small *s, int from, int i)
{
  const double *t0 = s->M + from * WIDTH, *t1 = t0 + WIDTH, *t2 = t1 + WIDTH, *t3 = t2 + WIDTH;
  const double *inverse = s->inverse + from;
  if (i >= s->plain) {
    const double *r = s->M + i * WIDTH;
    const int a = from + 1, b = from + 2, c = from + 3;
    double f[PANEL];
    f[0] = r[from] * inverse[0];
    f[1] = (r[a] - f[0] * t0[a]) * inverse[1];
    f[2] = (r[b] - f[0] * t0[b] - f[1] * t1[b]) * inverse[2];
    f[3] = (r[c] - f[0] * t0[c] - f[1] * t1[c] - f[2] * t2[c]) * inverse[3];
    subtract_four(s->M + i * WIDTH, f, t0, from + PANEL, s->k);
  } else {
    const double f[PANEL] = {t0[i] * inverse[0], t1[i] * inverse[1], t2[i] * inverse[2],
                             t3[i] * inverse[3]};
    subtract_four(s->M + i * WIDTH, f, t0, i & ~3, s->k);
  }
}

/* Solves the triangle from below, two rows at a time, so that loads match the stores. */
KERNEL void substitute_back(small *s)
{
  const int k = s->k;
  double *step = s->step;
  for (int p = 0; k <= ALONE && p < k; p++)
    step[p] = s->M[p * WIDTH + k] * s->inverse[p];
  if (k <= ALONE)
    return;
  for (int p = (k - 1) & ~1; p >= 0; p -= 2) {
    const double *u = s->M + p * WIDTH, *v = u + WIDTH;
    perp_two sum_u = {0}, sum_v = {0};
    for (int q = p + 2; q < k; q += 2) {
      sum_u += perp_two_at(u + q) * perp_two_at(step + q);
      sum_v += perp_two_at(v + q) * perp_two_at(step + q);
    }
    const double second = p + 1 < k ? (v[k] - (sum_v[0] + sum_v[1])) * s->inverse[p + 1] : 0;
    const double rest = p + 1 < k ? u[p + 1] * second : 0;
    const double first = (u[k] - (sum_u[0] + sum_u[1]) - rest) * s->inverse[p];
    *(perp_two *)(step + p) = (perp_two){first, second};
  }
}

/* Solves into `step`. */
KERNEL bool solve_system(small *s)
{
  const int k = s->k;
  s->pressed = -1;
  for (int from = 0, to; from < k; from = to) {
    to = from + PANEL < k && k > ALONE ? from + PANEL : k;
    if (!eliminate(s, FOLLOWED, NULL, from, to))
      return false;
    for (int i = to; i < k; i++)
      apply_panel(s, from, i);
  }
  substitute_back(s);
  return true;
}

/* y <- y + A_.C step, by rows, four at a time. */
KERNEL void add_rows(const small *s, int count, double *restrict y)
{
  const int n = s->n, *rows = s->rows;
  const double *step = s->step;
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a0 = s->A.a + rows[k] * s->A.stride, *a1 = s->A.a + rows[k + 1] * s->A.stride;
    const double *a2 = s->A.a + rows[k + 2] * s->A.stride, *a3 = s->A.a + rows[k + 3] * s->A.stride;
    const double s0 = step[k], s1 = step[k + 1], s2 = step[k + 2], s3 = step[k + 3];
    for (int j = 0; j < n; j++)
      y[j] += (s0 * a0[j] + s1 * a1[j]) + (s2 * a2[j] + s3 * a3[j]);
  }
  for (; k < count; k++)
    perp_axpy(n, step[k], s->A.a + rows[k] * s->A.stride, y);
}

/* Extends the step along z until a normal is past its bound. */
KERNEL void slide(small *s)
{
  static const double past = 1 + 1.0 / 64;
  const perp_coupling *c = &s->c;
  double length = INFINITY;
  for (int r = 0; r < s->pressed; r++) {
    const int i = s->rows[r];
    const double room = c->point[i] + s->step[r] - c->lo[i];
    if (c->p->K.findex[i] < 0 && s->null[r] < 0 && room < length * -s->null[r])
      length = room / -s->null[r];
  }
  if (!(length > 0 && length < INFINITY))
    return;
  for (int r = 0; r < s->pressed; r++)
    s->step[r] += past * length * s->null[r];
  s->step[s->pressed] += past * length;
}

KERNEL void move(small *s)
{
  perp_coupling *c = &s->c;
  if (s->pressed >= 0)
    slide(s);
  for (int r = 0; r < s->k; r++)
    c->point[s->rows[r]] += s->step[r];
  for (int f = 0; f < s->follow; f++) {
    const int i = s->rows[s->k + f];
    const double to = s->ratio[f] * c->point[c->p->K.findex[i]];
    s->step[s->k + f] = to - c->point[i];
    c->point[i] = to;
  }
  add_rows(s, s->k + s->follow, c->y);
}

/* Moves the point to x and updates y. Returns true if x is 0. */
KERNEL bool place(small *s, const double *x)
{
  perp_coupling *c = &s->c;
  bool cold = true;
  perp_copy(s->n, x, c->point);
  perp_copy(s->n, s->b, c->y);
  for (int i = 0; i < s->n; i++)
    if (x[i] != 0) {
      cold = false;
      perp_axpy(s->n, x[i], s->A.a + i * s->A.stride, c->y);
    }
  return cold;
}

/* Makes block pivots from the examined point, with that residual, until one is a solution or the
 * limit is reached. Returns the residual. */
KERNEL double pivot_blocks(small *s, perp_run *run, int steps, double residual)
{
  double before = INFINITY;
  int step = 0;
  for (; step < steps && residual > 1e-12 * run->scale &&
         !(residual <= run->target && residual > 0.1 * before);
       step++) {
    before = residual;
    take_sides(s);
    write_system(s);
    if (!solve_system(s))
      break;
    move(s);
    residual = perp_coupling_examine(&s->c, false);
  }
  run->count.factorisations += step;
  run->count.solves += step;
  return residual;
}

/* Sweeps from the start x: x_i <- P_i(x_i - y_i / A_ii), y <- y + A_.i (change of x_i). */
KERNEL double sweep_from(small *s, perp_run *run, const double *x, int sweeps)
{
  perp_coupling *c = &s->c;
  const int n = s->n, *findex = c->p->K.findex;
  double *point = c->point, *y = c->y;
  place(s, x);
  for (int sweep = 0; sweep < sweeps; sweep++)
    for (int i = 0; i < n; i++) {
      const int j = findex[i];
      const double normal = j >= 0 ? fabs(point[j]) : 1;
      const double lo = j >= 0 ? perp_bound_times(c->lo[i], normal) : c->lo[i];
      const double hi = j >= 0 ? perp_bound_times(c->hi[i], normal) : c->hi[i];
      const double to = perp_clamp(point[i] - y[i] * c->relax[i], lo, hi), step = to - point[i];
      point[i] = to;
      if (step != 0)
        perp_axpy(n, step, s->A.a + i * s->A.stride, y);
    }
  run->count.sweeps += sweeps;
  return perp_coupling_examine(c, false);
}

/* Makes block pivots, and if they do not end soon, again after sweeps. Returns true if the residual
 * meets the target. */
KERNEL bool pivot_friction(small *s, perp_run *run, const double *x, int steps)
{
  enum { SOON = 6, FIRST_SWEEPS = 4, MOST_SWEEPS = 36 };
  double residual = pivot_blocks(s, run, steps < SOON ? steps : SOON, s->residual);
  for (int sweeps = FIRST_SWEEPS; sweeps <= MOST_SWEEPS && steps > 0 && residual > run->target;
       sweeps *= 3)
    residual = pivot_blocks(s, run, steps, sweep_from(s, run, x, sweeps));
  s->residual = residual;
  return residual <= run->target;
}

/* ---- Both ---- */

/* Return true if x, or with friction s->c.point, is claimed to be a solution. They are separate
 * functions because compilers optimise each better. */
#ifdef PERP_WIDE
PERP_WIDE static bool box_wide(small *s, perp_run *run, double *x, bool plain)
{
  return plain ? pivot_box(s, run, x, true) : pivot_box(s, run, x, false);
}

PERP_WIDE static bool friction_wide(small *s, perp_run *run, const double *x, int steps)
{
  return pivot_friction(s, run, x, steps);
}
#endif

static bool box_here(small *s, perp_run *run, double *x, bool plain)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return box_wide(s, run, x, plain);
#endif
  return plain ? pivot_box(s, run, x, true) : pivot_box(s, run, x, false);
}

static bool friction_here(small *s, perp_run *run, const double *x, int steps)
{
#ifdef PERP_WIDE
  if (perp_is_wide())
    return friction_wide(s, run, x, steps);
#endif
  return pivot_friction(s, run, x, steps);
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
  return open_rows(run, &s->A);
}

bool perp_small_box_cold(perp_run *run, const perp_small *problem, perp_result *result, double *x)
{
  (void)result;
  small s;
  if (problem->solved || run->problem->K.n > N || !open_box(run, &s))
    return false;
  s.from = NULL;
  const bool right = box_here(&s, run, x, problem->form == PERP_FORM_LCP);
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
  const bool right = box_here(&s, run, x, perp_set_is_plain(&run->problem->K));
  /* count the iterations that the driver has not seen */
  run->count.iterations += right && !run->options->observer ? s.steps - 1 : 0;
  if (s.ended || (right && !perp_run_next_iterate(run, perp_iterate_measured(x, s.slack))))
    return true;
  perp_copy(s.n, start, x);
  return false;
}

/* The arrays of an examination, owned by the caller. */
typedef struct room {
  int side[MOST];
  double vectors[6][MOST];
} room;

/* Returns false if A is not symmetric. */
static bool open_friction(perp_run *run, small *s, room *r)
{
  const perp_problem *p = run->problem;
  s->n = p->K.n;
  s->b = p->b;
  s->slack = run->target;
  perp_coupling *c = &s->c;
  c->p = p, c->e.n = s->n, c->side = r->side;
  c->point = r->vectors[0], c->y = r->vectors[1], c->e.x = r->vectors[2];
  c->relax = r->vectors[3], c->lo = r->vectors[4], c->hi = r->vectors[5];
  return open_rows(run, &s->A) && s->A.symmetric;
}

/* perp_coupling_examine at x = 0; reads the problem data in the same pass. */
static void begin_cold(small *s)
{
  perp_coupling *c = &s->c;
  const perp_set *K = &c->p->K;
  c->changes = s->n; /* no side is chosen yet */
  for (int i = 0; i < s->n; i++) {
    const double a = s->A.a[i * (s->A.stride + 1)], y = s->b[i];
    const double relax = a == 0 ? 1 : 1 / fabs(a);
    const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
    const bool held = K->findex[i] >= 0;
    const int side = held ? PERP_SIDE_HELD : (int)perp_side_guess(-y * relax, lo, hi);
    c->relax[i] = relax;
    c->lo[i] = lo;
    c->hi[i] = hi;
    c->side[i] = side;
    c->point[i] = 0;
    c->y[i] = y;
    c->e.x[i] = held ? 0 : side == -1 ? lo : side == 1 ? hi : perp_clamp(0, lo, hi);
  }
}

bool perp_small_friction_cold(perp_run *run, const perp_small *problem, perp_result *result,
                              double *x)
{
  (void)result;
  small s;
  room r;
  const perp_set *K = &run->problem->K;
  if (problem->solved || K->n > MOST || !K->findex || !open_friction(run, &s, &r))
    return false;
  begin_cold(&s);
  s.residual = problem->start_residual;
  if (!friction_here(&s, run, x, PERP_SMALL_STEPS))
    return false;
  perp_copy(s.n, s.c.point, x);
  run->count.iterations = 1;
  return true;
}

bool perp_small_friction(perp_run *run, int steps, double *x, bool *fits)
{
  small s;
  room r;
  const perp_set *K = &run->problem->K;
  *fits = K->n <= MOST && K->findex && open_friction(run, &s, &r);
  if (!*fits)
    return perp_run_next(run, x, NULL);
  perp_coupling_take_rows(&s.c, s.A.a, s.A.stride);
  const bool cold = place(&s, x);
  s.residual = perp_coupling_examine(&s.c, cold);
  if (!perp_run_next_iterate(run, perp_iterate_measured(x, s.residual)))
    return false;
  if (!friction_here(&s, run, x, steps))
    return true;
  perp_copy(s.n, s.c.point, x);
  return perp_run_next_iterate(run, perp_iterate_measured(x, s.residual));
}
