/* bratu.c: combustion below an obstacle, on a square
 *
 *   -lap u - lambda e^u <= 0,  u <= psi,  complementary;   u = 0 on the border
 *
 * (Bratu 1914; with an obstacle Hoppe and Mittelmann 1989), lambda = 6.5, psi = 0.5, by the five-point
 * formula with edge x edge inner points, multiplied by h^2. Without the obstacle u goes up to
 * about 1.1. */
#include "generate/ncp/ncp.h"

typedef struct grid {
  int edge;
  double source; /* lambda h^2 */
  const int64_t *start;
  const int *column;
  double *at;   /* n: where F was last computed, */
  double *heat; /* and lambda h^2 e^u there, which the Jacobian needs again */
} grid;

static int bratu(void *context, const double *x, double *F)
{
  const grid *g = context;
  const int e = g->edge;
  perp_exp_all((int64_t)e * e, x, g->heat);
  for (int j = 0, i = 0; j < e; j++)
    for (int k = 0; k < e; k++, i++) {
      g->at[i] = x[i];
      g->heat[i] *= g->source;
      F[i] = 4 * x[i] - g->heat[i];
      F[i] -= (k > 0 ? x[i - 1] : 0) + (k < e - 1 ? x[i + 1] : 0);
      F[i] -= (j > 0 ? x[i - e] : 0) + (j < e - 1 ? x[i + e] : 0);
    }
  return 0;
}

static int jacobian(void *context, const double *x, double *J)
{
  const grid *g = context;
  for (int i = 0; i < g->edge * g->edge; i++) {
    const double heat = g->at[i] == x[i] ? g->heat[i] : g->source * perp_exp(x[i]);
    for (int64_t e = g->start[i]; e < g->start[i + 1]; e++)
      J[e] = g->column[e] == i ? 4 - heat : -1;
  }
  return 0;
}

perp_error perp_ncp_bratu(int edge, perp_arena *arena, perp_ncp *ncp, double **start,
                          perp_message *why)
{
  const size_t n = (size_t)edge * (size_t)edge;
  int64_t *rows;
  int *column;
  double *lo, *hi, *at, *heat;
  grid *g;
  (void)why;
  if (!PERP_TAKE(arena, PERP_ARRAY(rows, n + 1), PERP_ARRAY(column, 5 * n), PERP_ARRAY(lo, n),
                 PERP_ARRAY(hi, n), PERP_ARRAY(g, 1), PERP_ARRAY(heat, n)) ||
      !PERP_TAKE_ZERO(arena, PERP_ARRAY(at, n)) || !PERP_TAKE_ZERO(arena, PERP_ARRAY(*start, n)))
    return PERP_ERROR_MEMORY;
  const double h = 1.0 / (edge + 1);
  int64_t e = 0;
  for (int j = 0, i = 0; j < edge; j++)
    for (int k = 0; k < edge; k++, i++) {
      rows[i] = e;
      if (j > 0)
        column[e++] = i - edge;
      if (k > 0)
        column[e++] = i - 1;
      column[e++] = i;
      if (k < edge - 1)
        column[e++] = i + 1;
      if (j < edge - 1)
        column[e++] = i + edge;
      lo[i] = -INFINITY;
      hi[i] = 0.5;
    }
  rows[n] = e;
  for (size_t i = 0; i < n; i++)
    heat[i] = 6.5 * h * h; /* at 0 */
  *g = (grid){edge, 6.5 * h * h, rows, column, at, heat};
  ncp->n = (int64_t)n;
  ncp->lo = lo;
  ncp->hi = hi;
  ncp->F = bratu;
  ncp->jacobian = jacobian;
  ncp->start = rows;
  ncp->column = column;
  ncp->context = g;
  return PERP_OK;
}
