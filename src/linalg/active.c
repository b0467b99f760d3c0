/* active.c: a Cholesky factor of A_CC that follows the index set C
 *
 * Triangles are solved four rows at a time: forward, four sums share the passes over x; backward,
 * four rows are subtracted in one pass, in the hull of their envelopes. Inverses of the diagonal
 * are stored: in a small factor, k successive divisions would take most of the time. */
#include "linalg/active.h"

#include "linalg/dense.h"
#include "linalg/rows.h"
#include "linalg/vector.h"

#include <assert.h>
#include <float.h>

/* Rows start at multiples of a cache line. */
static int64_t leading(int n)
{
  return ((int64_t)n + 7) / 8 * 8;
}

int64_t perp_active_reals(int n)
{
  return (n + 1) * leading(n) + 5 * leading(n);
}

int64_t perp_active_integers(int n)
{
  return 3 * (int64_t)n;
}

void perp_active_init(perp_active *f, int n, const double *A, int64_t lda, double *reals,
                      int *integers)
{
  *f = (perp_active){
      .n = n,
      .A = A,
      .lda = lda,
      .index = integers,
      .place = integers + n,
      .first = integers + 2 * (int64_t)n,
      .L = reals + 5 * leading(n),
      .ld = leading(n),
      .inverse = reals,
      .work = reals + leading(n),
      .reached = -1,
  };
  for (int i = 0; i < n; i++)
    f->place[i] = -1;
}

static void note_change(const perp_active *f)
{
  if (f->version)
    ++*f->version;
}

void perp_active_clear(perp_active *f)
{
  note_change(f);
  for (int k = 0; k < f->count; k++)
    f->place[f->index[k]] = -1;
  f->count = 0;
  f->changes = 0;
  f->reached = -1;
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

/* Returns the first column of the four rows from row i on. */
static int first_of_four(const perp_active *f, int i)
{
  const int *first = f->first + i;
  return least(least(first[0], first[1]), least(first[2], first[3]));
}

/* Solves L x = b in place; x is 0 before row `begin`, and the first `from` rows, a multiple of
 * four, are done. */
static void forward(const perp_active *f, int from, int begin, double *restrict x)
{
  const int k = f->count;
  const double *inverse = f->inverse;
  int i = from > begin ? from : begin / 4 * 4;
  for (; i + 4 <= k; i += 4) {
    const int one = first_of_four(f, i), c = least(one > begin ? one : begin, i);
    const double *l[4] = {f->L + i * f->ld, f->L + (i + 1) * f->ld, f->L + (i + 2) * f->ld,
                          f->L + (i + 3) * f->ld};
    const double *const tail[4] = {l[0] + c, l[1] + c, l[2] + c, l[3] + c};
    double s[4];
    perp_rows_dot_four(i - c, tail, x + c, s);
    const double x0 = (x[i] - s[0]) * inverse[i];
    const double x1 = ((x[i + 1] - s[1]) - l[1][i] * x0) * inverse[i + 1];
    const double x2 = ((x[i + 2] - s[2]) - l[2][i] * x0 - l[2][i + 1] * x1) * inverse[i + 2];
    x[i + 3] =
        ((x[i + 3] - s[3]) - l[3][i] * x0 - l[3][i + 1] * x1 - l[3][i + 2] * x2) * inverse[i + 3];
    x[i] = x0, x[i + 1] = x1, x[i + 2] = x2;
  }
  for (; i < k; i++) {
    const int c = least(f->first[i] > begin ? f->first[i] : begin, i);
    x[i] = (x[i] - perp_dot(i - c, f->L + i * f->ld + c, x + c)) * inverse[i];
  }
}

/* L^T x = b in place. */
static void backward(const perp_active *f, double *restrict x)
{
  const double *inverse = f->inverse;
  int i = f->count;
  while (i % 4) {
    i--;
    const int c = f->first[i];
    x[i] *= inverse[i];
    perp_axpy(i - c, -x[i], f->L + i * f->ld + c, x + c);
  }
  for (i -= 4; i >= 0; i -= 4) {
    const double *l0 = f->L + i * f->ld, *l1 = l0 + f->ld, *l2 = l1 + f->ld, *l3 = l2 + f->ld;
    const double x3 = x[i + 3] * inverse[i + 3];
    const double x2 = (x[i + 2] - l3[i + 2] * x3) * inverse[i + 2];
    const double x1 = (x[i + 1] - l3[i + 1] * x3 - l2[i + 1] * x2) * inverse[i + 1];
    const double x0 = (x[i] - l3[i] * x3 - l2[i] * x2 - l1[i] * x1) * inverse[i];
    x[i] = x0, x[i + 1] = x1, x[i + 2] = x2, x[i + 3] = x3;
    for (int j = first_of_four(f, i); j < i; j++)
      x[j] -= (x0 * l0[j] + x1 * l1[j]) + (x2 * l2[j] + x3 * l3[j]);
  }
}

/* row_k <- A_j,index[k] for k from .. count-1. Returns the position of the first nonzero. */
static int gather(const perp_active *f, int from, const double *a, double *row)
{
  int k = from;
  for (; k < f->count; k++) {
    row[k] = a[f->index[k]];
    if (row[k] != 0)
      break;
  }
  const int begin = k;
  for (; k < f->count; k++)
    row[k] = a[f->index[k]];
  return begin;
}

double perp_active_reach(perp_active *f, int j)
{
  assert(f->place[j] < 0);
  const double *a = f->A + j * f->lda;
  double *row = f->L + f->count * f->ld;
  f->begin = gather(f, 0, a, row);
  forward(f, 0, f->begin, row);
  f->schur = a[j] - perp_dot(f->count - f->begin, row + f->begin, row + f->begin);
  f->reached = j;
  return f->schur;
}

void perp_active_direction(const perp_active *f, double *d)
{
  assert(f->reached >= 0);
  const double *row = f->L + f->count * f->ld;
  for (int k = 0; k < f->count; k++)
    d[k] = -row[k];
  backward(f, d);
}

double perp_active_noise(const perp_active *f, int j, const double *d)
{
  double sum = fabs(f->A[j * f->lda + j]);
  for (int k = 0; k < f->count; k++)
    sum += d[k] * d[k] * f->A[f->index[k] * (f->lda + 1)];
  return 64 * DBL_EPSILON * sum;
}

void perp_active_append(perp_active *f)
{
  assert(f->reached >= 0 && f->schur > 0);
  note_change(f);
  const int k = f->count++;
  const double pivot = sqrt(f->schur);
  f->L[k * f->ld + k] = pivot;
  f->inverse[k] = 1 / pivot;
  f->index[k] = f->reached;
  f->place[f->reached] = k;
  f->first[k] = f->begin;
  f->reached = -1;
  f->changes++;
}

void perp_active_delete(perp_active *f, int p)
{
  assert(0 <= p && p < f->count);
  note_change(f);
  perp_cholesky_delete(f->count, f->L, f->ld, p, f->first, f->work);
  f->place[f->index[p]] = -1;
  f->count--;
  for (int k = p; k < f->count; k++) {
    f->index[k] = f->index[k + 1];
    f->place[f->index[k]] = k;
    f->inverse[k] = 1 / f->L[k * f->ld + k];
  }
  f->reached = -1;
  f->changes++;
}

void perp_active_solve(const perp_active *f, double *r)
{
  forward(f, 0, 0, r);
  backward(f, r);
}

/* ---- Several rows at once ---- */

enum { PANEL = 16 };

/* s_rc <- x_r^T l_c, four rows by four, sixteen sums in two lanes each; n is even. */
static inline void dot_tile(int n, const double *x, int64_t ldx, const double *l, int64_t ldl,
                            double s[4][4])
{
  perp_two t[4][4] = {{{0}}};
  for (int j = 0; j < n; j += 2) {
    const perp_two l0 = perp_two_at(l + j), l1 = perp_two_at(l + ldl + j);
    const perp_two l2 = perp_two_at(l + 2 * ldl + j), l3 = perp_two_at(l + 3 * ldl + j);
    for (int r = 0; r < 4; r++) {
      const perp_two xr = perp_two_at(x + r * ldx + j);
      t[r][0] += xr * l0;
      t[r][1] += xr * l1;
      t[r][2] += xr * l2;
      t[r][3] += xr * l3;
    }
  }
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      s[r][c] = t[r][c][0] + t[r][c][1];
}

/* x <- L^-1 x in the first `k` columns, a multiple of four, for four rows at x that are 0 before
 * column `begin`. */
static void forward_four(const perp_active *f, int k, int begin, double *x)
{
  for (int i = begin / 4 * 4; i < k; i += 4) {
    const int one = first_of_four(f, i), c = least((one > begin ? one : begin) / 2 * 2, i);
    const double *l = f->L + i * f->ld;
    double s[4][4];
    dot_tile(i - c, x + c, f->ld, l + c, f->ld, s);
    for (int r = 0; r < 4; r++) {
      double *xr = x + r * f->ld + i;
      for (int a = 0; a < 4; a++) {
        double sum = xr[a] - s[r][a];
        for (int b = 0; b < a; b++)
          sum -= l[a * f->ld + i + b] * xr[b];
        xr[a] = sum * f->inverse[i + a];
      }
    }
  }
}

/* Returns true if the row just reached is independent of C beyond rounding. The direction that
 * gives the size of rounding costs as much as perp_active_reach, so it is computed only if s is
 * small. */
bool perp_active_independent(const perp_active *f, double *d)
{
  const int j = f->reached;
  if (f->schur > 1e-6 * f->A[j * (f->lda + 1)])
    return true;
  if (!(f->schur > 0))
    return false;
  perp_active_direction(f, d);
  return f->schur > perp_active_noise(f, j, d);
}

int perp_active_extend(perp_active *f, int count, const int *rows, double *d)
{
  const int before = f->count;
  note_change(f);
  for (int lot = 0; lot < count; lot += PANEL) {
    const int width = count - lot < PANEL ? count - lot : PANEL;
    const int old = f->count, solved = width >= 4 ? old - old % 4 : 0;
    int begin[PANEL];
    /* the rows are below the factor, which has room for all rows outside C */
    double *panel = f->L + old * f->ld;
    for (int r = 0; r < width; r++)
      begin[r] = gather(f, 0, f->A + rows[lot + r] * f->lda, panel + r * f->ld);
    int whole = 0;
    for (; solved > 0 && whole + 4 <= width; whole += 4) {
      const int *b = begin + whole;
      forward_four(f, solved, least(least(b[0], b[1]), least(b[2], b[3])), panel + whole * f->ld);
    }
    for (int r = 0; r < width; r++) {
      const double *a = f->A + rows[lot + r] * f->lda;
      double *row = f->L + f->count * f->ld;
      if (row != panel + r * f->ld)
        perp_copy(old, panel + r * f->ld, row);
      const int later = gather(f, old, a, row);
      f->begin = begin[r] < old ? begin[r] : later;
      forward(f, r < whole ? solved : 0, f->begin, row);
      f->reached = rows[lot + r];
      f->schur = a[f->reached] - perp_dot(f->count - f->begin, row + f->begin, row + f->begin);
      if (perp_active_independent(f, d))
        perp_active_append(f);
    }
  }
  f->reached = -1;
  return f->count - before;
}

bool perp_active_build(perp_active *f, int count, const int *rows)
{
  perp_active_clear(f);
  for (int k = 0; k < count; k++)
    for (int l = 0; l <= k; l++)
      f->L[k * f->ld + l] = f->A[rows[k] * f->lda + rows[l]];
  if (perp_cholesky(count, f->L, f->ld, 0) != count)
    return false;
  for (int k = 0; k < count; k++) {
    const double root = f->L[k * f->ld + k];
    if (!(root * root > 1e-13 * f->A[rows[k] * f->lda + rows[k]])) {
      perp_active_clear(f);
      return false;
    }
    f->index[k] = rows[k];
    f->place[rows[k]] = k;
    f->first[k] = 0;
    f->inverse[k] = 1 / root;
    f->count = k + 1;
  }
  return true;
}
