/* block_lu.c: block-sparse LU, left-looking
 *
 *   L_jj U_jj = H_jj - sum_k L_jk U_kj
 *   U_ji      = L_jj^-1 (H_ji - sum_k L_jk U_ki)
 *   L_ij      = (H_ij - sum_k L_ik U_kj) U_jj^-1,      k < j with L_jk != 0
 *
 * With V_ij = U_ji^T, stored as L_ij is, both triangles are the same loop over panels:
 *
 *   L_ij U_jj = H_ij - sum_k L_ik V_jk^T,     V_ij L_jj^T = H_ji^T - sum_k V_ik L_jk^T
 *
 * Pivots are chosen in the columns of the diagonal blocks, so that L_jj is a triangle with its rows
 * exchanged. Both triangles are inverted, never their product: a product with the inverse of a
 * triangle this small is as accurate as substitution (Higham 2002, ch. 14), one with the inverse of
 * the block is not. */
#include "linalg/block_factor.h"

#include "linalg/block_six.h"
#include "linalg/vector.h"
#include "linalg/wide.h"

perp_block_lu *perp_block_lu_analyse(int blocks, const int *first, const int64_t *start,
                                     const int *neighbour, perp_arena *arena)
{
  perp_block_lu *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f || !(f->f = perp_block_analyse(blocks, first, start, neighbour, arena)))
    return NULL;
  const bool there = PERP_TAKE(arena, PERP_ARRAY(f->U, f->f->panel[blocks]),
                               PERP_ARRAY(f->inverse, f->f->diagonal[blocks]));
  return there ? f : NULL;
}

double *perp_block_lu_find(const perp_block_lu *f, int i, int j, int *down, int *across)
{
  const bool below = f->f->place[i] >= f->f->place[j];
  const int ld = f->f->size[f->f->place[below ? j : i]];
  *down = below ? ld : 1;
  *across = below ? 1 : ld;
  return (below ? f->f->L : f->U) +
         (below ? perp_block_find(f->f, i, j) : perp_block_find(f->f, j, i));
}

void perp_block_lu_reset(perp_block_lu *f)
{
  const perp_block_factor *s = f->f;
  perp_fill(s->panel[s->blocks], 0, s->L);
  perp_fill(s->panel[s->blocks], 0, f->U);
  for (int j = 0; j < s->blocks; j++)
    for (int k = 0; k < s->size[j]; k++)
      s->L[s->panel[j] + (int64_t)k * s->size[j] + k] = 1;
}

/* ---- Factorisation ---- */

/* P A = L U with the largest pivot of each column; lower <- L^-1 P, upper <- U^-1. A is lost. Returns the
 * sign of its determinant, 0 if it is singular. */
KERNEL int invert(int n, double *restrict A, double *restrict lower, double *restrict upper)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < n; c++)
      lower[i * n + c] = i == c;
  int sign = 1;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k]))
        best = i;
    if (!(fabs(A[best * n + k]) > 0 && fabs(A[best * n + k]) < INFINITY))
      return 0;
    if ((best != k) != (A[best * n + k] < 0))
      sign = -sign;
    for (int c = 0; best != k && c < n; c++) {
      const double a = A[best * n + c], b = lower[best * n + c];
      A[best * n + c] = A[k * n + c];
      lower[best * n + c] = lower[k * n + c];
      A[k * n + c] = a;
      lower[k * n + c] = b;
    }
    for (int i = k + 1; i < n; i++) {
      const double l = A[i * n + k] / A[k * n + k];
      for (int c = 0; c < n; c++) { /* the part of A below the diagonal is not read again */
        A[i * n + c] -= l * A[k * n + c];
        lower[i * n + c] -= l * lower[k * n + c];
      }
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    double *row = upper + i * n;
    const double pivot = 1 / A[i * n + i];
    for (int c = 0; c < n; c++)
      row[c] = 0;
    row[i] = pivot;
    for (int k = i + 1; k < n; k++) {
      const double u = -A[i * n + k] * pivot;
      for (int c = 0; c < n; c++)
        row[c] += u * upper[k * n + c];
    }
  }
  return sign;
}

/* Rows x size numbers at `panel` times B, or B^T, in place. */
KERNEL void multiply(int64_t rows, int size, const double *restrict B, bool transposed,
                     double *restrict panel)
{
  for (int64_t r = 0; r < rows; r++, panel += size) {
    double row[PERP_BLOCK_LU_WIDEST];
    for (int c = 0; c < size; c++) {
      row[c] = 0;
      for (int l = 0; l < size; l++)
        row[c] += panel[l] * (transposed ? B[c * size + l] : B[l * size + c]);
    }
    for (int c = 0; c < size; c++)
      panel[c] = row[c];
  }
}

/* Inverts the triangles of the diagonal block at L and applies them to the rows below it and the
 * columns right of it. Returns the sign of its determinant. */
KERNEL int finish_column(int64_t rows, int size, double *L, double *V, double *lower, double *upper)
{
  const int sign = invert(size, L, lower, upper);
  if (sign == 0)
    return 0;
  multiply(rows, size, upper, false, L + (int64_t)size * size);
  multiply(rows, size, lower, true, V + (int64_t)size * size);
  return sign;
}

/* Subtracts the contribution of column k from columns j of L and V; entry e is (j, k). */
KERNEL void subtract_column(const perp_block_lu *f, int j, int k, int64_t e)
{
  const perp_block_factor *s = f->f;
  const int wide = s->size[j], deep = s->size[k];
  double Lt[PERP_BLOCK_LU_WIDEST * PERP_BLOCK_LU_WIDEST], Vt[sizeof Lt / sizeof *Lt];
  perp_transpose_block(wide, deep, s->L + s->block[e], Lt);
  perp_transpose_block(wide, deep, f->U + s->block[e], Vt);
  perp_subtract_block(wide, wide, deep, s->L + s->block[e], Vt, s->L + s->map[j]);
  for (int64_t t = e + 1; t < s->list[k + 1]; t++) {
    const int i = s->row[t];
    perp_subtract_block(s->size[i], wide, deep, s->L + s->block[t], Vt, s->L + s->map[i]);
    perp_subtract_block(s->size[i], wide, deep, f->U + s->block[t], Lt, f->U + s->map[i]);
  }
}

KERNEL int factor_column(perp_block_lu *f, int j, bool six)
{
  perp_block_factor *s = f->f;
  const int size = s->size[j];
  const int64_t length = s->panel[j + 1] - s->panel[j], rows = length / size - size;
  double *panel = s->L + s->panel[j], *beside = f->U + s->panel[j];
  double *lower = s->inverse + s->diagonal[j], *upper = f->inverse + s->diagonal[j];
  s->map[j] = s->panel[j];
  for (int64_t e = s->list[j]; e < s->list[j + 1]; e++)
    s->map[s->row[e]] = s->block[e];
  if (six)
    perp_block_six_subtract(s, f->U, j);
  for (int64_t t = s->row_list[j]; !six && t < s->row_list[j + 1]; t++)
    subtract_column(f, j, s->row_column[t], s->row_entry[t]);
  if (size == 3)
    return finish_column(rows, 3, panel, beside, lower, upper);
  if (size == 6)
    return finish_column(rows, 6, panel, beside, lower, upper);
  return finish_column(rows, size, panel, beside, lower, upper);
}

KERNEL bool factor_columns(perp_block_lu *f)
{
  const bool six = perp_block_six_applies(f->f);
  f->sign = 1;
  for (int j = 0; j < f->f->blocks && f->sign != 0; j++)
    f->sign *= factor_column(f, j, six);
  return f->sign != 0;
}

PERP_FUSED static bool factor_columns_fused(perp_block_lu *f)
{
  return factor_columns(f);
}

bool perp_block_lu_factorise(perp_block_lu *f)
{
  return perp_is_fused() ? factor_columns_fused(f) : factor_columns(f);
}

/* ---- Solution ---- */

/* w_i <- w_i - L_ij w_j */
KERNEL void forward(int rows, int columns, const double *restrict L, const double *restrict own,
                    double *restrict other)
{
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int c = 0; c < columns; c++)
      sum += L[r * columns + c] * own[c];
    other[r] -= sum;
  }
}

/* w_j <- w_j - V_ij^T w_i */
KERNEL void backward(int rows, int columns, const double *restrict V, const double *restrict other,
                     double *restrict own)
{
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      own[c] -= V[r * columns + c] * other[r];
}

/* w <- B w, size x size */
KERNEL void apply(int size, const double *restrict B, double *restrict w)
{
  double t[PERP_BLOCK_LU_WIDEST];
  for (int r = 0; r < size; r++) {
    t[r] = 0;
    for (int c = 0; c < size; c++)
      t[r] += B[r * size + c] * w[c];
  }
  for (int r = 0; r < size; r++)
    w[r] = t[r];
}

KERNEL bool is_zero(int size, const double *own)
{
  bool zero = true;
  for (int c = 0; c < size; c++)
    zero = zero && own[c] == 0;
  return zero;
}

/* Solves with the column at place j, at `panel`, forward or backward; all blocks have `equal` rows, or
 * different numbers if that is 0. */
KERNEL void pass_column(const perp_block_factor *s, int j, int equal, bool down,
                        const double *inverse, const double *panel, double *w)
{
  const int size = equal > 0 ? equal : s->size[j];
  double *own = w + s->offset[j];
  if (down && is_zero(size, own))
    return; /* most columns, if the right-hand side touches few blocks */
  if (down)
    apply(size, inverse + s->diagonal[j], own);
  for (int64_t e = s->list[j]; e < s->list[j + 1]; e++) {
    const int i = s->row[e], rows = equal > 0 ? equal : s->size[i];
    if (down)
      forward(rows, size, panel + s->block[e], own, w + s->offset[i]);
    else
      backward(rows, size, panel + s->block[e], w + s->offset[i], own);
  }
  if (!down)
    apply(size, inverse + s->diagonal[j], own);
}

KERNEL void pass_columns(const perp_block_lu *f, int equal, double *w)
{
  for (int j = 0; j < f->f->blocks; j++)
    pass_column(f->f, j, equal, true, f->f->inverse, f->f->L, w);
  for (int j = f->f->blocks - 1; j >= 0; j--)
    pass_column(f->f, j, equal, false, f->inverse, f->U, w);
}

KERNEL void pass(const perp_block_lu *f, double *w)
{
  if (f->f->equal == 6)
    pass_columns(f, 6, w);
  else if (f->f->equal == 3)
    pass_columns(f, 3, w);
  else
    pass_columns(f, 0, w);
}

PERP_FUSED static void pass_fused(const perp_block_lu *f, double *w)
{
  pass(f, w);
}

void perp_block_lu_solve(perp_block_lu *f, double *x)
{
  perp_block_factor *s = f->f;
  double *w = s->work;
  for (int j = 0; j < s->blocks; j++)
    perp_copy(s->size[j], x + s->first[s->order[j]], w + s->offset[j]);
  if (perp_is_fused())
    pass_fused(f, w);
  else
    pass(f, w);
  for (int j = 0; j < s->blocks; j++)
    perp_copy(s->size[j], w + s->offset[j], x + s->first[s->order[j]]);
}
