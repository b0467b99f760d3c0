/* ldlt.c: P A P^T = L D L^T of a symmetric matrix with complete pivoting
 *
 * Each step takes as pivot the greatest diagonal entry left, mu_1, if
 *
 *   mu_1 >= alpha mu_0,   mu_0 = greatest entry off the diagonal,   alpha = (1 + sqrt 17) / 8,
 *
 * otherwise the 2 x 2 block of mu_0 (Bunch, Parlett 1971). Entries of L stay below 2.8 in magnitude
 * and those left over below 2.57^n of the first; on a semi-definite matrix mu_0 <= mu_1 always,
 * every pivot is 1 x 1, and the pivots fall: the factorisation reveals the rank, of indefinite
 * matrices too. n^3/3 flops and n^3/6 comparisons. Workspace: 2 n. */
#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/vector.h"

#include <assert.h>
#include <float.h>

/* The greatest entries of the part left. */
typedef struct leaders {
  double diagonal, off; /* mu_1, mu_0 */
  int at;               /* row of mu_1 */
  int row;              /* row of mu_0 */
} leaders;

/* Takes row i, columns k .. i, into account. */
static void look_at(leaders *most, int i, int k, const double *row)
{
  const double diagonal = fabs(row[i]), off = perp_norm_inf(i - k, row + k);
  if (!(diagonal <= most->diagonal)) {
    most->diagonal = diagonal;
    most->at = i;
  }
  if (off > most->off) {
    most->off = off;
    most->row = i;
  }
}

static void exchange(double *a, double *b)
{
  const double t = *a;
  *a = *b;
  *b = t;
}

/* Rows and columns p < q of a symmetric matrix whose lower triangle is stored, exchanged. */
static void exchange_symmetric(int n, double *A, int64_t ld, int *order, int p, int q)
{
  if (p == q)
    return;
  const int t = order[p];
  order[p] = order[q];
  order[q] = t;
  for (int j = 0; j < p; j++)
    exchange(A + p * ld + j, A + q * ld + j);
  exchange(A + p * ld + p, A + q * ld + q);
  for (int j = p + 1; j < q; j++)
    exchange(A + j * ld + p, A + q * ld + j);
  for (int i = q + 1; i < n; i++)
    exchange(A + i * ld + p, A + i * ld + q);
}

/* Counts a pivot of D and its size. */
static void count(perp_ldlt *f, double pivot)
{
  const double size = fabs(pivot);
  f->pivot_min = f->positive + f->negative == 0 || size < f->pivot_min ? size : f->pivot_min;
  f->pivot_max = size > f->pivot_max ? size : f->pivot_max;
  f->positive += pivot > 0;
  f->negative += pivot < 0;
}

/* A_ij <- A_ij - a_i a_j / d, L_ik = a_i / d with a the pivot's column. */
static leaders step_one(perp_ldlt *f, int k, double *A, double *column)
{
  const int n = f->n;
  const int64_t ld = f->ld;
  const double d = A[k * ld + k];
  count(f, d);
  leaders most = {.at = k + 1, .row = k + 1};
  for (int i = k + 1; i < n; i++) {
    double *row = A + i * ld;
    column[i] = row[k];
    row[k] /= d;
    perp_axpy(i - k, -row[k], column + k + 1, row + k + 1);
    look_at(&most, i, k + 1, row);
  }
  return most;
}

/* The same with the block E = (d b; b c): (L_ik L_i,k+1) = (a_i b_i) E^-1. b is the greatest
 * entry, so everything is divided by it: E^-1 = (c/b -1; -1 d/b) / (b (d c / b^2 - 1)). */
static leaders step_two(perp_ldlt *f, int k, double *A, double *e, double *first, double *second)
{
  const int n = f->n;
  const int64_t ld = f->ld;
  const double d = A[k * ld + k], b = A[(k + 1) * ld + k], c = A[(k + 1) * ld + k + 1];
  const double p = c / b, q = d / b, scale = 1 / (b * (p * q - 1));
  /* the eigenvalues of E, which have opposite signs: |d|, |c| < alpha |b| */
  const double mean = 0.5 * (d + c), radius = perp_hypot(0.5 * (d - c), b);
  count(f, mean + radius);
  count(f, mean - radius);
  e[k] = b;
  A[(k + 1) * ld + k] = 0;

  leaders most = {.at = k + 2, .row = k + 2};
  for (int i = k + 2; i < n; i++) {
    double *row = A + i * ld;
    first[i] = row[k];
    second[i] = row[k + 1];
    row[k] = scale * (p * first[i] - second[i]);
    row[k + 1] = scale * (q * second[i] - first[i]);
    perp_axpy(i - k - 1, -row[k], first + k + 2, row + k + 2);
    perp_axpy(i - k - 1, -row[k + 1], second + k + 2, row + k + 2);
    look_at(&most, i, k + 2, row);
  }
  return most;
}

perp_ldlt perp_ldlt_factor(int n, double *A, int64_t ld, double tol, double *e, int *order,
                           double *work)
{
  assert(n >= 0 && ld >= n);
  const double alpha = 0.6403882032022076;
  perp_ldlt f = {.n = n, .L = A, .ld = ld, .e = e, .order = order};
  leaders most = {0};
  for (int i = 0; i < n; i++) {
    order[i] = i;
    e[i] = 0;
    look_at(&most, i, 0, A + i * ld);
  }
  const double relative = tol < 0 ? n * DBL_EPSILON : tol;
  const double least = relative * perp_max(most.diagonal, most.off);

  int k = 0;
  while (k < n && (most.diagonal > least || most.off > least)) {
    if (!(most.diagonal < INFINITY && most.off < INFINITY))
      break;
    if (most.diagonal >= alpha * most.off) {
      exchange_symmetric(n, A, ld, order, k, most.at);
      most = step_one(&f, k, A, work);
      k += 1;
    } else {
      int column = k;
      while (fabs(A[most.row * ld + column]) < most.off)
        column++;
      exchange_symmetric(n, A, ld, order, k, column);
      exchange_symmetric(n, A, ld, order, k + 1, most.row);
      most = step_two(&f, k, A, e, work, work + n);
      k += 2;
    }
  }
  f.rank = k;
  f.left_over = k < n ? perp_max(most.diagonal, most.off) : 0;
  if (isnan(most.diagonal))
    f.left_over = INFINITY;
  return f;
}

void perp_ldlt_solve(const perp_ldlt *f, double *x, double *work)
{
  const int n = f->n, rank = f->rank;
  for (int k = 0; k < n; k++)
    work[k] = x[f->order[k]];
  perp_unit_lower_solve(rank, f->L, f->ld, work);
  for (int k = 0; k < rank; k++) {
    const double d = f->L[k * f->ld + k], b = f->e[k];
    if (b == 0) {
      work[k] /= d;
      continue;
    }
    const double c = f->L[(k + 1) * f->ld + k + 1];
    const double p = c / b, q = d / b, scale = 1 / (b * (p * q - 1));
    const double u = work[k], v = work[k + 1];
    work[k] = scale * (p * u - v);
    work[k + 1] = scale * (q * v - u);
    k++;
  }
  perp_fill(n - rank, 0, work + rank);
  perp_unit_lower_solve_t(rank, f->L, f->ld, work);
  for (int k = 0; k < n; k++)
    x[f->order[k]] = work[k];
}
