/* block_six.h: updates of a column by other columns in blocks of six, for block_lu.c
 *
 *   L_ij <- L_ij - sum_k L_ik V_jk^T,     V_ij <- V_ij - sum_k V_ik L_jk^T
 *
 * Consecutive columns k with the same rows from j on are taken together, so that the blocks (i, j)
 * are read and written once for all of them: five columns on average in hexagonal piles. Uses
 * vectors of four or eight numbers and fused products if the CPU has them; each number is summed in
 * the order of single columns, so both give the same bits. */
#pragma once

#include "base/kernel.h"
#include "linalg/block_factor.h"
#include "linalg/dense.h"

/* Returns true if all blocks of the factor have size six and such vectors are available. */
bool perp_block_six_applies(const perp_block_factor *f);
/* Subtracts all columns before j that meet it; f->map holds the places of its blocks. */
void perp_block_six_subtract(const perp_block_factor *f, double *V, int j);

/* ---- The product in the inner loop of the factors of small blocks ---- */

/* C <- C - A B with constants for sizes, all row major: `band` rows of C at a time stay in
 * registers. */
KERNEL void perp_subtract_fixed(int size, int band, const double *restrict A,
                                const double *restrict B, double *restrict C)
{
  double s[6][6];
  for (int first = 0; first < size; first += band) {
    for (int r = 0; r < band; r++)
      for (int c = 0; c < size; c++)
        s[r][c] = C[size * (first + r) + c];
    for (int l = 0; l < size; l++)
      for (int r = 0; r < band; r++)
        for (int c = 0; c < size; c++)
          s[r][c] -= A[size * (first + r) + l] * B[size * l + c];
    for (int r = 0; r < band; r++)
      for (int c = 0; c < size; c++)
        C[size * (first + r) + c] = s[r][c];
  }
}

/* C <- C - A B, A rows x deep, B deep x wide. */
KERNEL void perp_subtract_block(int rows, int wide, int deep, const double *A, const double *B,
                                double *C)
{
  if (rows == 6 && wide == 6 && deep == 6)
    perp_subtract_fixed(6, 3, A, B, C);
  else if (rows == 3 && wide == 3 && deep == 3)
    perp_subtract_fixed(3, 3, A, B, C);
  else
    perp_dense_subtract_product(rows, wide, deep, A, deep, B, wide, C, wide);
}

/* B^T <- B, B rows x columns */
KERNEL void perp_transpose_block(int rows, int columns, const double *restrict B,
                                 double *restrict transposed)
{
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      transposed[c * rows + r] = B[r * columns + c];
}
