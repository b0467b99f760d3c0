/* dense.c: products, triangles, Cholesky, LU
 *
 * Cholesky and LU are right-looking in panels of BLOCK columns, so that all but n^2 BLOCK of the
 * work is C <- C - A B on tiles that stay in the first cache (Golub, Van Loan 2013, ch. 3 and 4).
 * Cholesky: n^3/3 flops, LU: 2 n^3/3, and of order n w^2 if A has a band of width w, as LU leaves out
 * the zeros below and to the right of a panel. Workspace: one tile on the stack (18 KB). If LAPACK is
 * built in, it does the larger ones (lapack.c). */
#include "linalg/dense.h"

#include "linalg/vector.h"

#include "base/elementary.h"
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

/* The edges: m rows by n columns, either below 4. */
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
  /* columns of B by BLOCK: with k <= BLOCK, as the factors call it, that part of B stays in the
   * first-level cache while all rows of A and C pass */
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

/* U x = b from below. */
static void upper_solve(int n, const double *U, int64_t ld, double *x)
{
  for (int i = n - 1; i >= 0; i--) {
    const double *row = U + i * ld;
    x[i] = (x[i] - perp_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
  }
}

/* ---- Cholesky ---- */

/* Rows begin .. end-1 of the panel of columns k .. k+width-1, whose diagonal block is at D = A + k
 * ld + k, finished above row `begin`:
 *   L_ij = (A_ij - sum_{l<j} L_il L_jl) / L_jj.
 * Returns the row of a bad pivot, or end. */
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
    /* the diagonal tile row by row: nothing above the diagonal is written */
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

/* Returns the row of the largest |A_ic|, i >= c. NaN counts as largest, so that it is not
 * missed. */
static int find_pivot(int n, int c, const double *A, int64_t ld)
{
  int best = c;
  for (int i = c + 1; i < n; i++)
    if (!(fabs(A[i * ld + c]) <= fabs(A[best * ld + c])) && !isnan(A[best * ld + c]))
      best = i;
  return best;
}

static bool all_zero(int n, const double *x, int64_t stride)
{
  for (int i = 0; i < n; i++)
    if (x[i * stride] != 0)
      return false;
  return true;
}

/* Eliminates columns k .. k+width-1 within the panel, whose rows from n on are zero, with rows of A
 * exchanged over their whole length. */
static void lu_panel(int n, int k, int width, double *A, int64_t ld, int length, int *swap)
{
  for (int c = k; c < k + width; c++) {
    swap[c] = find_pivot(n, c, A, ld);
    if (swap[c] != c)
      perp_swap(length, A + c * ld, A + swap[c] * ld);
    const double *top = A + c * ld;
    const double pivot = top[c];
    if (!(fabs(pivot) > 0 && fabs(pivot) < INFINITY))
      continue; /* the column below is already zero: L keeps zeros there */
    for (int i = c + 1; i < n; i++) {
      double *row = A + i * ld;
      row[c] /= pivot;
      perp_axpy(k + width - c - 1, -row[c], top + c + 1, row + c + 1);
    }
  }
}

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
    int rows = n, columns = n; /* one past the last that is not zero */
    while (rows > right && all_zero(width, A + (rows - 1) * ld + k, 1))
      rows--;
    lu_panel(rows, k, width, A, ld, n, swap);
    while (columns > right && all_zero(width, A + k * ld + columns - 1, ld))
      columns--;
    /* U_12 = L_11^-1 A_12 */
    for (int i = k + 1; i < right; i++)
      for (int l = k; l < i; l++)
        perp_axpy(columns - right, -A[i * ld + l], A + l * ld + right, A + i * ld + right);
    /* A_22 <- A_22 - L_21 U_12 */
    perp_dense_subtract_product(rows - right, columns - right, width, A + right * ld + k, ld,
                                A + k * ld + right, ld, A + right * ld + right, ld);
  }
  return lu_result(n, A, ld, swap);
}

int perp_lu_sign(const perp_lu *f)
{
  int sign = 1;
  for (int k = 0; k < f->n; k++)
    if ((f->swap[k] != k) != (f->LU[k * f->ld + k] < 0))
      sign = -sign;
  return sign;
}

void perp_lu_solve(const perp_lu *f, double *x)
{
  assert(f->singular < 0);
  for (int k = 0; k < f->n; k++)
    perp_swap(1, x + k, x + f->swap[k]);
  perp_unit_lower_solve(f->n, f->LU, f->ld, x);
  upper_solve(f->n, f->LU, f->ld, x);
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
  for (int k = f->n - 1; k >= 0; k--)
    perp_swap(1, x + k, x + f->swap[k]);
}

/* ---- LU with complete pivoting ----
 *
 * The pivot is the largest remaining entry: the pivots fall, and the factorisation reveals the rank
 * (Golub, Van Loan 2013, section 3.4). 2 n^3/3 flops and n^3/3 comparisons for full rank. */

static void exchange_indices(int *a, int *b)
{
  const int c = *a;
  *a = *b;
  *b = c;
}

perp_complete_lu perp_complete_lu_factor(int n, double *A, int64_t ld, double least, int *row,
                                         int *column, perp_alarm alarm)
{
  assert(n >= 0 && ld >= n);
  int k = 0;
  for (; k < n; k++) {
    int i = k, j = k;
    double most = 0;
    for (int r = k; r < n; r++) {
      const double size = perp_norm_inf(n - k, A + r * ld + k);
      if (size > most) {
        most = size;
        i = r;
      }
    }
    if (!(most > least) || isinf(most) || (alarm.rings && alarm.rings(alarm.context)))
      break;
    while (fabs(A[i * ld + j]) < most)
      j++;
    perp_swap(n, A + i * ld, A + k * ld);
    for (int r = 0; r < n; r++)
      perp_swap(1, A + r * ld + j, A + r * ld + k);
    exchange_indices(&row[i], &row[k]);
    exchange_indices(&column[j], &column[k]);
    const double *top = A + k * ld;
    for (int r = k + 1; r < n; r++) {
      double *own = A + r * ld;
      own[k] /= top[k];
      perp_axpy(n - k - 1, -own[k], top + k + 1, own + k + 1);
    }
  }
  return (perp_complete_lu){.n = n, .rank = k, .LU = A, .ld = ld, .row = row, .column = column};
}

void perp_complete_lu_solve(const perp_complete_lu *f, double *x, double *work)
{
  for (int k = 0; k < f->rank; k++)
    work[k] = x[f->row[k]];
  perp_unit_lower_solve(f->rank, f->LU, f->ld, work);
  upper_solve(f->rank, f->LU, f->ld, work);
  for (int k = 0; k < f->n; k++)
    x[f->column[k]] = k < f->rank ? work[k] : 0;
}

/* ---- Rows removed from a Cholesky factor ----
 *
 * Rotations Q with Q (L^T; v^T) = (L'^T; 0) give L' L'^T = L L^T + v v^T (Gill, Golub, Murray,
 * Saunders 1974). Deleting row k leaves in the rows behind it
 *   L_33 L_33^T + l l^T,   l = column k of L below the diagonal,
 * the last block raised by l: always backward stable. Rotations are stored, so that the factor is
 * read row by row, as it is in memory. */

/* (L_ij, v) <- (c_j L_ij + s_j v, c_j v - s_j L_ij) for j = 0 .. m-1, in each of four rows: the
 * chain through v is the bottleneck, so four chains run in parallel. */
static void rotate_four(int m, const double *restrict c, const double *restrict s,
                        double *restrict row, int64_t ld, double *restrict v)
{
  double v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
  double *r0 = row, *r1 = row + ld, *r2 = row + 2 * ld, *r3 = row + 3 * ld;
  for (int j = 0; j < m; j++) {
    const double cj = c[j], sj = s[j];
    const double l0 = r0[j], l1 = r1[j], l2 = r2[j], l3 = r3[j];
    r0[j] = cj * l0 + sj * v0;
    r1[j] = cj * l1 + sj * v1;
    r2[j] = cj * l2 + sj * v2;
    r3[j] = cj * l3 + sj * v3;
    v0 = cj * v0 - sj * l0;
    v1 = cj * v1 - sj * l1;
    v2 = cj * v2 - sj * l2;
    v3 = cj * v3 - sj * l3;
  }
  v[0] = v0, v[1] = v1, v[2] = v2, v[3] = v3;
}

/* Applies rotations from .. i-1 to row i, then rotation i that takes (L_ii, v_i) to (r, 0). */
static void raise_row(int i, int from, double *row, const double *v, double *c, double *s)
{
  double vi = v[i];
  for (int j = from; j < i; j++) {
    const double l = row[j];
    row[j] = c[j] * l + s[j] * vi;
    vi = c[j] * vi - s[j] * l;
  }
  const double r = perp_hypot(row[i], vi), inverse = 1 / r;
  c[i] = row[i] * inverse;
  s[i] = vi * inverse;
  row[i] = r;
}

/* L L^T <- L L^T + v v^T. If `first` is given, row i of L is 0 before column first[i] - shift, and
 * v_i too if that is above 0: rotations before that column change nothing. */
static void raise_from(int n, double *L, int64_t ld, const int *first, int shift, double *v,
                       double *work)
{
  double *c = work, *s = work + n;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    int from = first ? first[i] - shift : 0;
    for (int k = i + 1; first && k < i + 4; k++)
      from = first[k] - shift < from ? first[k] - shift : from;
    from = from < 0 ? 0 : from < i ? from : i;
    rotate_four(i - from, c + from, s + from, L + i * ld + from, ld, v + i);
    for (int k = i; k < i + 4; k++)
      raise_row(k, i, L + k * ld, v, c, s);
  }
  for (; i < n; i++) {
    const int from = first && first[i] > shift ? first[i] - shift : 0;
    raise_row(i, from < i ? from : i, L + i * ld, v, c, s);
  }
}

void perp_cholesky_delete(int n, double *L, int64_t ld, int k, int *first, double *work)
{
  assert(0 <= k && k < n);
  const int behind = n - 1 - k;
  double *v = work;
  for (int i = 0; i < behind; i++) {
    const double *old = L + (k + 1 + i) * ld;
    double *row = L + (k + i) * ld;
    v[i] = old[k];
    int from = 0; /* the old row and the new one are zero before this column */
    if (first) {
      const int next = first[k + 1 + i] > k ? first[k + 1 + i] - 1 : first[k + 1 + i];
      from = next < first[k + i] ? next : first[k + i];
      first[k + i] = next;
    }
    perp_copy(k - from, old + from, row + from);
    from = from > k ? from : k;
    perp_copy(k + i + 1 - from, old + from + 1, row + from);
  }
  raise_from(behind, L + k * ld + k, ld, first ? first + k : NULL, k, v, work + n);
}
