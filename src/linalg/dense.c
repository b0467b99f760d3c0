/* dense.c: products, triangles, Cholesky, LU
 *
 * Cholesky and LU are right-looking in panels of BLOCK columns, so that all but n^2 BLOCK of the
 * work is C <- C - A B on tiles that stay in the first cache (Golub, Van Loan 2013, ch. 3 and 4).
 * Cholesky: n^3/3 flops, LU: 2 n^3/3. Workspace: one tile on the stack (18 KB). If LAPACK is built
 * in, it does the larger ones (lapack.c). */
#include "linalg/dense.h"

#include "linalg/lapack.h"
#include "linalg/vector.h"

#include <assert.h>

enum { BLOCK = 48, TILE_ROWS = 4, TILE_COLUMNS = 4 };

/* ---- Products ---- */

/* A 4 x 4 tile of C in registers. */
static inline void subtract_tile(int k, const double *restrict A, int64_t lda,
                                 const double *restrict B, int64_t ldb, double *restrict C,
                                 int64_t ldc)
{
  double s[TILE_ROWS][TILE_COLUMNS] = {{0}};
  for (int l = 0; l < k; l++)
    for (int i = 0; i < TILE_ROWS; i++)
      for (int j = 0; j < TILE_COLUMNS; j++)
        s[i][j] += A[i * lda + l] * B[l * ldb + j];
  for (int i = 0; i < TILE_ROWS; i++)
    for (int j = 0; j < TILE_COLUMNS; j++)
      C[i * ldc + j] -= s[i][j];
}

/* What is left at the edges: m rows by n columns, either below 4. */
static void subtract_edge(int m, int n, int k, const double *restrict A, int64_t lda,
                          const double *restrict B, int64_t ldb, double *restrict C, int64_t ldc)
{
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      perp_axpy(n, -A[i * lda + l], B + l * ldb, C + i * ldc);
}

void perp_dense_subtract_product(int m, int n, int k, const double *A, int64_t lda, const double *B,
                                 int64_t ldb, double *C, int64_t ldc)
{
  /* columns of B by BLOCK: with k <= BLOCK, as the factors call it, that much of B stays in the
   * first cache while all rows of A and C pass by */
  for (int j0 = 0; j0 < n; j0 += BLOCK) {
    const int width = n - j0 < BLOCK ? n - j0 : BLOCK;
    const int whole = width - width % TILE_COLUMNS;
    const double *Bj = B + j0;
    int i = 0;
    for (; i + TILE_ROWS <= m; i += TILE_ROWS) {
      const double *Ai = A + i * lda;
      double *Ci = C + i * ldc + j0;
      for (int j = 0; j < whole; j += TILE_COLUMNS)
        subtract_tile(k, Ai, lda, Bj + j, ldb, Ci + j, ldc);
      if (whole < width)
        subtract_edge(TILE_ROWS, width - whole, k, Ai, lda, Bj + whole, ldb, Ci + whole, ldc);
    }
    if (i < m)
      subtract_edge(m - i, width, k, A + i * lda, lda, Bj, ldb, C + i * ldc + j0, ldc);
  }
}

void perp_dense_apply(int m, int n, const double *A, int64_t ld, const double *x, double *y)
{
  for (int i = 0; i < m; i++)
    y[i] = perp_dot(n, A + i * ld, x);
}

void perp_dense_apply_t(int m, int n, const double *A, int64_t ld, const double *x, double *y)
{
  perp_fill(n, 0, y);
  for (int i = 0; i < m; i++)
    perp_axpy(n, x[i], A + i * ld, y);
}

/* ---- Triangles ---- */

void perp_lower_solve(int n, const double *L, int64_t ld, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] = (x[i] - perp_dot(i, L + i * ld, x)) / L[i * ld + i];
}

void perp_lower_solve_t(int n, const double *L, int64_t ld, double *x)
{
  for (int i = n - 1; i >= 0; i--) {
    x[i] /= L[i * ld + i];
    perp_axpy(i, -x[i], L + i * ld, x);
  }
}

void perp_unit_lower_solve(int n, const double *L, int64_t ld, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] -= perp_dot(i, L + i * ld, x);
}

void perp_unit_lower_solve_t(int n, const double *L, int64_t ld, double *x)
{
  for (int i = n - 1; i >= 0; i--)
    perp_axpy(i, -x[i], L + i * ld, x);
}

/* ---- Cholesky ---- */

/* Rows begin .. end-1 of the panel of columns k .. k+width-1, whose diagonal block stands at
 * D = A + k ld + k, finished above row `begin`:
 *   L_ij = (A_ij - sum_{l<j} L_il L_jl) / L_jj. Returns the row of a bad pivot, or end. */
static int cholesky_panel(int k, int width, int begin, int end, double *A, int64_t ld, double least)
{
  for (int i = begin; i < end; i++) {
    double *Li = A + i * ld + k;
    const int columns = i - k < width ? i - k : width;
    for (int j = 0; j < columns; j++) {
      const double *Lj = A + (k + j) * ld + k;
      Li[j] = (Li[j] - perp_dot(j, Li, Lj)) / Lj[j];
    }
    if (columns == width)
      continue;
    const double pivot = Li[columns] - perp_dot(columns, Li, Li);
    if (!(pivot > least && pivot > 0 && pivot < INFINITY))
      return i;
    Li[columns] = sqrt(pivot);
  }
  return end;
}

/* A_ij <- A_ij - sum_l L_il L_jl for k + width <= j <= i, l over the panel. */
static void cholesky_trail(int n, int k, int width, double *A, int64_t ld)
{
  double transposed[BLOCK * BLOCK];
  for (int j0 = k + width; j0 < n; j0 += BLOCK) {
    const int columns = n - j0 < BLOCK ? n - j0 : BLOCK;
    for (int l = 0; l < width; l++)
      for (int j = 0; j < columns; j++)
        transposed[l * BLOCK + j] = A[(j0 + j) * ld + k + l];
    /* the diagonal tile row by row, so that nothing above the diagonal is touched */
    for (int i = 0; i < columns; i++) {
      double *row = A + (j0 + i) * ld;
      perp_dense_subtract_product(1, i + 1, width, row + k, ld, transposed, BLOCK, row + j0, ld);
    }
    const int below = j0 + columns;
    perp_dense_subtract_product(n - below, columns, width, A + below * ld + k, ld, transposed,
                                BLOCK, A + below * ld + j0, ld);
  }
}

int perp_cholesky(int n, double *A, int64_t ld, double least)
{
  assert(n >= 0 && ld >= n);
  int by_lapack;
  if (perp_lapack_cholesky(n, A, ld, least, &by_lapack))
    return by_lapack;
  for (int k = 0; k < n; k += BLOCK) {
    const int width = n - k < BLOCK ? n - k : BLOCK;
    const int done = cholesky_panel(k, width, k, n, A, ld, least);
    if (done < n)
      return done;
    cholesky_trail(n, k, width, A, ld);
  }
  return n;
}

void perp_cholesky_solve(int n, const double *L, int64_t ld, double *x)
{
  perp_lower_solve(n, L, ld, x);
  perp_lower_solve_t(n, L, ld, x);
}

/* ---- LU ---- */

static void exchange_rows(int n, double *restrict a, double *restrict b)
{
  for (int j = 0; j < n; j++) {
    const double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

/* Row of the greatest |A_ic|, i >= c. NaN counts as greatest, so that it is not missed. */
static int find_pivot(int n, int c, const double *A, int64_t ld)
{
  int best = c;
  for (int i = c + 1; i < n; i++)
    if (!(fabs(A[i * ld + c]) <= fabs(A[best * ld + c])) && !isnan(A[best * ld + c]))
      best = i;
  return best;
}

/* Eliminates columns k .. k+width-1 within the panel, rows exchanged over their whole length. */
static void lu_panel(int n, int k, int width, double *A, int64_t ld, int *swap)
{
  for (int c = k; c < k + width; c++) {
    swap[c] = find_pivot(n, c, A, ld);
    if (swap[c] != c)
      exchange_rows(n, A + c * ld, A + swap[c] * ld);
    const double *top = A + c * ld;
    const double pivot = top[c];
    if (!(fabs(pivot) > 0 && fabs(pivot) < INFINITY))
      continue; /* the column below is zero already: L keeps zeros there */
    for (int i = c + 1; i < n; i++) {
      double *row = A + i * ld;
      row[c] /= pivot;
      perp_axpy(k + width - c - 1, -row[c], top + c + 1, row + c + 1);
    }
  }
}

/* The range of the pivots. */
static perp_lu lu_result(int n, const double *A, int64_t ld, const int *swap)
{
  perp_lu f = {.n = n, .LU = A, .ld = ld, .swap = swap, .singular = -1};
  for (int c = 0; c < n; c++) {
    const double size = fabs(A[c * ld + c]);
    f.pivot_min = size < f.pivot_min || c == 0 ? size : f.pivot_min;
    f.pivot_max = size > f.pivot_max ? size : f.pivot_max;
    if (!(size > 0 && size < INFINITY) && f.singular < 0)
      f.singular = c;
  }
  return f;
}

perp_lu perp_lu_factor(int n, double *A, int64_t ld, int *swap)
{
  assert(n >= 0 && ld >= n);
  if (perp_lapack_lu(n, A, ld, swap))
    return lu_result(n, A, ld, swap);
  for (int k = 0; k < n; k += BLOCK) {
    const int width = n - k < BLOCK ? n - k : BLOCK, right = k + width;
    lu_panel(n, k, width, A, ld, swap);
    /* U_12 = L_11^-1 A_12 */
    for (int i = k + 1; i < right; i++)
      for (int l = k; l < i; l++)
        perp_axpy(n - right, -A[i * ld + l], A + l * ld + right, A + i * ld + right);
    /* A_22 <- A_22 - L_21 U_12 */
    perp_dense_subtract_product(n - right, n - right, width, A + right * ld + k, ld,
                                A + k * ld + right, ld, A + right * ld + right, ld);
  }
  return lu_result(n, A, ld, swap);
}

void perp_lu_solve(const perp_lu *f, double *x)
{
  assert(f->singular < 0);
  for (int k = 0; k < f->n; k++) {
    const double t = x[k];
    x[k] = x[f->swap[k]];
    x[f->swap[k]] = t;
  }
  perp_unit_lower_solve(f->n, f->LU, f->ld, x);
  /* U x = y from below */
  for (int i = f->n - 1; i >= 0; i--) {
    const double *row = f->LU + i * f->ld;
    x[i] = (x[i] - perp_dot(f->n - 1 - i, row + i + 1, x + i + 1)) / row[i];
  }
}

void perp_lu_solve_t(const perp_lu *f, double *x)
{
  assert(f->singular < 0);
  /* U^T y = b from above, then L^T, then the exchanges backwards */
  for (int i = 0; i < f->n; i++) {
    const double *row = f->LU + i * f->ld;
    x[i] /= row[i];
    perp_axpy(f->n - 1 - i, -x[i], row + i + 1, x + i + 1);
  }
  perp_unit_lower_solve_t(f->n, f->LU, f->ld, x);
  for (int k = f->n - 1; k >= 0; k--) {
    const double t = x[k];
    x[k] = x[f->swap[k]];
    x[f->swap[k]] = t;
  }
}
