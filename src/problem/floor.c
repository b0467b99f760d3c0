/* floor.c: the rounding floor of the natural residual
 *
 * Let x* be a solution in a box, y* = A x* + b, and x the doubles nearest to x*: |x_j - x*_j| <= u
 * |x*_j| with u = 2^-53. Then
 *
 *   |y - y*|_i <= u (|A| |x*|)_i.
 *
 * Bounds are doubles, so a row at a bound stays there. If |y*_i| in such a row is larger than this
 * error, y_i has the sign of y*_i and the natural residual of the row is 0. In every other row it
 * is at most |y_i|, as x_i - hi_i <= 0 <= x_i - lo_i. This holds for the rounded solution itself. A
 * method that computes in doubles also rounds its terms A_ij x_j, with an error of u |A_ij x_j|
 * each. It can be expected to reach
 *
 *   floor = max e_i,   e_i = 2 u (|A| |x|)_i,
 *
 * over the rows that are not at a bound with |y_i| > 2 e_i; a smaller residual is due to chance. In
 * a friction row the bound and x_i are rounded too: u |x_i| each. A cone combines the errors of its
 * three rows and of x.
 *
 * In two doubles, x + low, the bound holds with u^2. There y is computed in two steps, A x + b and
 * then plus A low, each in twice the precision: the first is rounded to a double of about the size
 * of e_i, which costs u e_i. Cost: one pass over the rows for each. */
#include "problem/judge.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "set/set.h"
#include "verdict/natural.h"

static const double EPSILON = 0x1p-52; /* 2 u */

typedef struct row_room {
  double *value;
  int *column;
} row_room;

static row_room open_room(const perp_operator *A, void *room)
{
  double *value = room;
  return (row_room){value, (int *)(void *)(value + A->row_capacity)};
}

/* Returns e_i, and y_i as a plain sum. */
static double row_error(const perp_problem *p, const double *x, int i, const row_room *r, double *y)
{
  const int count = p->A->table->row(p->A, i, r->column, r->value);
  double sum = p->b[i], size = 0;
  for (int k = 0; k < count; k++) {
    const double term = r->value[k] * x[r->column[k]];
    sum += term;
    size += fabs(term);
  }
  *y = sum;
  return EPSILON * size;
}

double perp_problem_floor(const perp_problem *p, const double *x, void *room)
{
  const perp_set *K = &p->K;
  const row_room r = open_room(p->A, room);
  double floor = 0, y;
  for (perp_cone k = perp_set_cones(K); k.c < K->cones; perp_cone_next(K, &k)) {
    double error = 0;
    for (int i = k.row; i < k.row + k.rows; i++)
      error += row_error(p, x, i, &r, &y) + EPSILON * fabs(x[i]);
    floor = perp_max(floor, error);
  }
  for (perp_rows row = perp_rows_outside_cones(K); row.i < K->n; perp_rows_next(&row)) {
    const int i = row.i;
    double lo, hi, error = row_error(p, x, i, &r, &y);
    perp_row_bounds(K, x, i, &lo, &hi);
    const bool beyond = y - 2 * error > x[i] - lo || y + 2 * error < x[i] - hi;
    if (perp_set_is_friction(K, i))
      error = perp_max(beyond ? 0 : error, EPSILON * fabs(x[i]));
    else if (beyond)
      error = 0;
    floor = perp_max(floor, error);
  }
  return isfinite(floor) ? floor : 0;
}

/* Returns x + low - bound, rounded once or twice; minus the bound if it is infinite. */
static double distance(double x, double low, double bound)
{
  const perp_pair pair = perp_pair_add((perp_pair){x, low}, -bound);
  return perp_bound_is_infinite(bound) ? -bound : pair.hi + pair.lo;
}

double perp_judge_low(const perp_problem *p, const double *x, const double *low, double *y,
                      void *room)
{
  const row_room r = open_room(p->A, room);
  double worst = 0, doubt = 0;
  for (int i = 0; i < p->K.n; i++) {
    const int count = p->A->table->row(p->A, i, r.column, r.value);
    y[i] = perp_dot_exact_at(count, r.value, r.column, x, p->b[i]);
    y[i] = perp_dot_exact_at(count, r.value, r.column, low, y[i]);
    const double below = distance(x[i], low[i], perp_set_lo(&p->K, i));
    const double above = distance(x[i], low[i], perp_set_hi(&p->K, i));
    worst = perp_max(worst, perp_natural_mid(y[i], below, above));
    doubt += perp_natural_nan(x[i], y[i]) + (low[i] - low[i]);
  }
  return perp_natural_settle(worst, doubt);
}
