/* ruiz.h: scaling of sparse systems by powers of two, which round nothing */
#pragma once

#include "linalg/sparse_factor.h"

/* D <- n + m factors for which the largest entry of every row of D K D, K = (P G^T; G 0), is about 1: each
 * pass divides row and column k by the root of the largest entry of row k (Ruiz 2001). P has n rows, or
 * is NULL: 0; G has G->n = m rows. norm: n + m numbers. */
void perp_ruiz(int n, const perp_sparse *P, const perp_sparse *G, double *D, double *norm);
