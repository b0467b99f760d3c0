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

/* Solves L x = b in place; x is 0 before row `begin`. */
static void forward(const perp_active *f, int begin, double *restrict x)
{
  const int k = f->count;
  const double *inverse = f->inverse;
  int i = begin / 4 * 4;
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

/* row_k <- A_j,index[k] for k < count. Returns the position of the first nonzero. */
static int gather(const perp_active *f, const double *a, double *row)
{
  int k = 0;
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
  f->begin = gather(f, a, row);
  forward(f, f->begin, row);
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
  forward(f, 0, r);
  backward(f, r);
}

/* ---- Several rows at once ---- */

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
  for (int k = 0; k < count; k++) {
    perp_active_reach(f, rows[k]);
    if (perp_active_independent(f, d))
      perp_active_append(f);
  }
  f->reached = -1;
  return f->count - before;
}

int perp_active_build(perp_active *f, int count, const int *rows)
{
  perp_active_clear(f);
  for (int k = 0; k < count; k++) {
    double *row = f->L + k * f->ld;
    f->first[k] = k;
    for (int l = k; l >= 0; l--) {
      row[l] = f->A[rows[k] * f->lda + rows[l]];
      f->first[k] = row[l] != 0 ? l : f->first[k];
    }
  }
  const int done = perp_cholesky(count, f->L, f->ld, 0);
  for (int k = 0; k < done; k++) {
    const double root = f->L[k * f->ld + k];
    if (!(root * root > 1e-13 * f->A[rows[k] * f->lda + rows[k]]))
      break;
    f->index[k] = rows[k];
    f->place[rows[k]] = k;
    f->inverse[k] = 1 / root;
    f->count = k + 1;
  }
  return f->count;
}
