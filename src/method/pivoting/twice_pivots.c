/* twice_pivots.c: block principal pivoting in twice the precision
 *
 * For definite matrices with condition numbers above 1e13, whose last pivots are rounding errors in
 * doubles: x_F = -A_FF^-1 (b_F + A_FN x_N) by elimination with row exchanges in pairs of doubles,
 * and all wrong rows change their places at once, as in exchange.c. Ends without a result if the
 * number of wrong rows has not fallen for TRIALS steps or a pivot is a rounding error of pairs. The
 * result is x rounded to doubles, if that is within the tolerance. Cost: some 15 |F|^3 flops a step.
 * Workspace: 3 n^2. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/pivoting/exchange.h"
#include "method/system/farkas.h"
#include "verdict/twice.h"

#include <limits.h>
#include <math.h>

enum { MOST = 160, TRIALS = 5 };

typedef struct pivots {
  int n, count; /* count = |F| */
  double *a;    /* n x (n + 1): A and b */
  perp_twice *t, *x;
  int *set; /* F */
} pivots;

static perp_twice minus(perp_twice a)
{
  return (perp_twice){-a.high, -a.low};
}

/* Returns y_i at s->x. */
static perp_twice gradient(const pivots *s, int i)
{
  const double *a = s->a + i * (s->n + 1);
  perp_twice y = {a[s->n], 0};
  for (int j = 0; j < s->n; j++)
    if (a[j] != 0)
      y = perp_twice_sum(y, perp_twice_product((perp_twice){a[j], 0}, s->x[j]));
  return y;
}

/* Solves A_FF x_F = -(b_F + A_FN x_N). Returns false if A_FF is singular to the precision. */
static bool solve_basis(const pivots *s)
{
  static const double ROUNDING = 0x1p-98;
  const int m = s->count, stride = m + 1;
  double largest = 0;
  for (int k = 0; k < m; k++)
    s->x[s->set[k]] = (perp_twice){0, 0};
  for (int k = 0; k < m; k++) {
    perp_twice *row = s->t + k * stride;
    for (int l = 0; l < m; l++) {
      row[l] = (perp_twice){s->a[s->set[k] * (s->n + 1) + s->set[l]], 0};
      largest = perp_max(largest, fabs(row[l].high));
    }
    row[m] = minus(gradient(s, s->set[k]));
  }
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(s->t[i * stride + k].high) > fabs(s->t[best * stride + k].high))
        best = i;
    perp_twice *pivot = s->t + k * stride, *other = s->t + best * stride;
    if (!(fabs(other[k].high) > ROUNDING * largest))
      return false;
    for (int j = k; j <= m && best != k; j++) {
      const perp_twice held = pivot[j];
      pivot[j] = other[j];
      other[j] = held;
    }
    for (int i = k + 1; i < m; i++) {
      perp_twice *row = s->t + i * stride;
      if (row[k].high == 0)
        continue;
      const perp_twice factor = minus(perp_twice_quotient(row[k], pivot[k]));
      for (int j = k + 1; j <= m; j++)
        row[j] = perp_twice_sum(row[j], perp_twice_product(factor, pivot[j]));
    }
  }
  for (int k = m - 1; k >= 0; k--) {
    const perp_twice *row = s->t + k * stride;
    perp_twice sum = row[m];
    for (int l = k + 1; l < m; l++)
      sum = perp_twice_sum(sum, minus(perp_twice_product(row[l], s->x[s->set[l]])));
    s->x[s->set[k]] = perp_twice_quotient(sum, row[k]);
  }
  return true;
}

/* Solves the basis of `place` and exchanges its wrong rows. Returns their number; -1 if singular. */
static int step(const perp_exchange *e, pivots *s, int *place)
{
  int wrong = 0;
  s->count = 0;
  for (int i = 0; i < s->n; i++) {
    if (place[i] == PERP_BASIC)
      s->set[s->count++] = i;
    else
      s->x[i] = (perp_twice){place[i] == PERP_AT_LO ? e->lo[i] : e->hi[i], 0};
  }
  if (!solve_basis(s))
    return -1;
  for (int i = 0; i < s->n; i++) {
    const double x = s->x[i].high, y = place[i] == PERP_BASIC ? 0 : gradient(s, i).high;
    const int next = x < e->lo[i] - e->slack                   ? PERP_AT_LO
                     : x > e->hi[i] + e->slack                 ? PERP_AT_HI
                     : place[i] == PERP_AT_LO && y < -e->slack ? PERP_BASIC
                     : place[i] == PERP_AT_HI && y > e->slack  ? PERP_BASIC
                                                               : place[i];
    wrong += next != place[i];
    place[i] = next;
  }
  return wrong;
}

bool perp_pivot_twice(perp_exchange *e)
{
  perp_run *run = e->run;
  const int n = e->n;
  pivots s = {.n = n};
  int *place;
  double *x;
  if (n > MOST || !run->problem->A->table->exact_rows || !e->symmetric ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s.t, n * (n + 1)), PERP_ARRAY(s.x, n), PERP_ARRAY(s.set, n),
                 PERP_ARRAY(place, n), PERP_ARRAY(x, n)) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s.a, n * (n + 1))) ||
      !perp_farkas_load(run->problem, s.a, n + 1, run->arena))
    return false;
  memcpy(place, e->place, (size_t)n * sizeof *place);
  int least = INT_MAX, left = TRIALS, wrong = 1;
  while (wrong > 0 && left > 0 && !perp_run_expired(run)) {
    wrong = step(e, &s, place);
    run->count.factorisations++;
    left = wrong < least ? TRIALS : left - 1;
    least = wrong < least ? wrong : least;
  }
  if (wrong != 0)
    return false;
  for (int i = 0; i < n; i++)
    x[i] = perp_min(perp_max(s.x[i].high, e->lo[i]), e->hi[i]);
  perp_run_gradient_exact(run, x, e->y);
  if (!(perp_problem_residual(run->problem, x, e->y) <= run->target))
    return false;
  perp_copy(n, x, e->x);
  perp_run_claim(run, PERP_SOLVED);
  perp_run_say_plainly(run, "solved by pivots in twice the precision");
  return true;
}
