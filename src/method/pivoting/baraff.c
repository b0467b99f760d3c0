/* baraff.c: incremental pivoting
 *
 * Starting from the caller's x or from 0, the method drives the row whose y_j is most wrong,
 * relative to sqrt(A_jj), until it is right, while all right rows stay right; then the next row
 * (Baraff 1994). Each row is driven at most once. The factor of A_CC follows C in O(k^2) a pivot,
 * which makes the whole O(n^3) instead of O(n^4).
 *
 * Keeping right rows right costs pivots, most of which are undone later. So by default right rows
 * may become wrong while that makes progress (principal.c has the mathematics): about one pivot for
 * each row of C at the solution. strict = yes is the method as published.
 *
 * For symmetric positive semi-definite A, boxes and free rows. Redundant contacts, that is,
 * dependent rows, need no regularisation. If a row can be driven without bound, the problem has no
 * solution, and the ray d proves it for the LCP: d >= 0, A d = 0, b^T d < 0. A slightly unsymmetric
 * A is S + (A - S), S = (A + A^T)/2, with (A - S) x frozen in each of a few passes.
 *
 * Cost: 2 k^2 flops a pivot, k = |C|, and 2 n k for each dozen of them; strict: 2 n min(k, n-k) for
 * each. Workspace: n^2 for the factor, 11 n. */
#include "method/pivoting/principal.h"

#include "set/set.h"

typedef struct {
  int strict;
} baraff_parameters;

static const perp_parameter parameters[] = {
    PERP_FLAG(baraff_parameters, strict, 0,
              "keep every correct row correct, from the first pivot on"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  enum { PASSES = 20 };
  const baraff_parameters *par = params;
  if (!perp_run_next(run, x, NULL))
    return PERP_OK;
  if (!perp_principal_affords(run))
    return PERP_OK;
  perp_principal e;
  const perp_error error = perp_principal_create(run, x, PERP_PRINCIPAL_APART, &e);
  if (error || perp_run_expired(run))
    return error;
  e.strict = par->strict;
  perp_set_all_bounds(&p->K, e.lo, e.hi);
  /* one pass suffices, and a second removes its rounding; if A is not symmetric, each pass
   * contracts by a factor of the size of A - S */
  for (int pass = 0; pass < (e.A == e.A_true ? 2 : PASSES); pass++) {
    perp_principal_freeze(&e);
    perp_principal_refresh(&e);
    perp_principal_place(&e);
    const perp_principal_state state = perp_principal_solve(&e);
    if (state == PERP_PRINCIPAL_EXPIRED)
      return PERP_OK;
    if (state == PERP_PRINCIPAL_STUCK) {
      perp_run_ray(run, e.ray);
      perp_run_claim(run, PERP_INFEASIBLE);
      return PERP_OK;
    }
    if (!perp_run_next(run, x, NULL)) {
      perp_principal_offer(&e);
      return PERP_OK;
    }
  }
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

const perp_method perp_method_baraff = {
    .name = "baraff",
    .title = "incremental pivoting",
    .family = "pivoting",
    .source = "baraff-1994",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .iteration = "drives y_i to 0 row by row, clamped rows entering and leaving by ratio tests",
    .works = "symmetric positive semi-definite A",
    .max_iterations = 100,
    PERP_SOLVES_WITH(baraff_parameters),
};
