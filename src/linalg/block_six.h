/* block_six.h: what columns of blocks of six subtract from another one, in the factors of block_factor.h
 * and block_lu.h
 *
 *   L_ij <- L_ij - sum_k L_ik V_jk^T,     V_ij <- V_ij - sum_k V_ik L_jk^T     (Cholesky: V = L)
 *
 * Columns k that follow each other and have the same rows from j on are taken together, so that the
 * blocks (i, j) are read and written once for all of them: in hexagonal piles that is five columns in
 * the mean. With vectors of four or eight numbers and fused products, if the processor has them; each
 * number is summed in the order of single columns, so both give the same bits. */
#pragma once

#include "linalg/block_factor.h"

/* Whether all blocks of the factor have size six, and there are such vectors. */
bool perp_block_six_applies(const perp_block_factor *f);
/* Subtracts all columns below j that meet it; f->map holds the places of its blocks. V is NULL for
 * Cholesky's factor. */
void perp_block_six_subtract(const perp_block_factor *f, double *V, int j);
