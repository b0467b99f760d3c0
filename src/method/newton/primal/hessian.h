/* hessian.h: H = I + G^T D G in scaled velocities, assembled and factored
 *
 * D = -dx/dz is a sum of squares: one for each row that is free, one for each group or cone on the
 * edge of its set, one for each cone that slides. body_matrix.h has the factor. */
#ifndef PERP_NEWTON_PRIMAL_HESSIAN_H
#define PERP_NEWTON_PRIMAL_HESSIAN_H

#include "method/newton/primal/rows.h"
#include "method/system/body_matrix.h"

/* D = diag(free) + sum over units of (weight e e^T + turn p p^T), with e the rows of `edge` in the
 * unit and p = (0, -tau_o, tau_t) in a cone. */
typedef struct perp_primal_curvature {
  double *free;   /* n: 1 / C_ii, or 0 */
  double *edge;   /* n: 0 if the row does not move along */
  double *weight; /* units */
  double *turn;   /* cones */
  double *tau;    /* 2 for each cone */
} perp_primal_curvature;

/* One block that a unit adds to: columns `row` of its squares times columns `column`. */
typedef struct perp_primal_piece {
  double *at; /* in H */
  int row, rows, column, columns, ld;
} perp_primal_piece;

typedef struct perp_primal_hessian {
  const perp_primal_rows *rows;
  perp_body_matrix H;
  int64_t *piece_start;     /* units + 1 */
  perp_primal_piece *piece; /* */
  perp_primal_curvature D;  /* of the factor at hand */
  bool *changed;            /* by block */
  bool factored;            /* */
  const double **square;    /* of one unit */
  double *weight;           /* of its squares */
  double *combined;         /* two rows that are sums of others */
} perp_primal_hessian;

/* To be made after all else that the run's arena shall hold; closed whatever comes back. */
perp_error perp_primal_hessian_open(perp_run *run, const perp_primal_rows *rows,
                                    perp_primal_hessian *h);
void perp_primal_hessian_close(perp_primal_hessian *h);

/* In the run's arena; NULL entries, and false, when out of memory. */
bool perp_primal_curvature_create(perp_run *run, const perp_primal_rows *rows,
                                  perp_primal_curvature *D);
/* False if H has no factor: it is not finite, or singular in rounding. */
bool perp_primal_hessian_set(perp_run *run, perp_primal_hessian *h, const perp_primal_curvature *D);
/* u <- H^-1 u; false when out of memory. */
bool perp_primal_hessian_solve(perp_primal_hessian *h, double *u);

#endif
