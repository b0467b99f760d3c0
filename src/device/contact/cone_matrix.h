/* cone_matrix.h: what is kept of the matrix of one cone */
#pragma once

/* What depends on the W of a cone alone, scaled by W_nn (cone.h has the letters); the
 * same for all multiples of W. */
typedef struct perp_cone_matrix {
  double normal;             /* 1 / W_nn */
  double k[2], g[2];         /* W_nt and W_tn */
  double S[4];               /* W_tt - W_tn W_nt */
  double trace, determinant; /* of S */
  double least;              /* where the search for a sliding contact starts */
} perp_cone_matrix;
