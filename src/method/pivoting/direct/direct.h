/* direct.h: complementarity problems of one, two and three unknowns, solved exactly
 *
 *   y = A x + b,   0 <= x _|_ y >= 0      or, with a box,   lo <= x <= hi
 *
 * For any matrix, positive definite or not; there is no allocation and no iteration. A is row major
 * without padding. */
#pragma once

#include <stdbool.h>

enum { PERP_SMALL = 3 };

/* Solves n = 1, 2, 3 with lo_i <= x_i <= hi_i; bounds may be infinite. Returns true if x solves the
 * problem up to rounding: |y_i|, or its part of the wrong sign, is at most
 * 64 epsilon (|b_i| + sum_j |A_ij x_j|). Returns false if b lies in no complementary cone, so that
 * there is no solution; x is then the nearest candidate. */
bool perp_box_small(int n, const double *A, const double *b, const double *lo, const double *hi,
                    double *x);
