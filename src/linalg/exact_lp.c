/* exact_lp.c: systems of linear inequalities, decided without rounding
 *
 * The dictionary  D x_B = T x_N + t 1  has integer entries, minors of (A b), and one denominator
 * D > 0 (Edmonds 1967). A pivot on T_rs = p is
 *
 *   T_ij <- (T_ij p - T_is T_rj) / D,   T_rj <- -T_rj,   T_is <- T_is,   T_rs <- D,   D <- p,
 *
 * the division has no remainder, and all signs change if p < 0. Nonbasic variables are within their
 * bounds, basic ones perhaps not. The first that is not is moved to its bound by the first nonbasic
 * variable that can move it; if none can, its row proves that nothing is feasible (Dutertre, de
 * Moura 2006). The rule of the first index is finite (Bland 1977).
 *
 * Units: the entries of A are integers times 2^a, the entries of b integers times 2^b, bounds
 * integers times 2^v. In units 2^w for y, w = min(a + v, b), and 2^(w - a) for x, everything is an
 * integer, and 1 in the last column stands for 2^(b - w).
 *
 * Cost of a pivot: m n products of integers of at most min(m, n) times the bits of A. */
#include "linalg/exact_lp.h"

#include "linalg/integer.h"

#include <assert.h>
#include <math.h>

struct perp_lp {
  int m, n;
  perp_integers T;   /* m x (n + 1) */
  perp_integer *D;   /* denominator */
  perp_integer *one; /* factor of the last column */
  perp_integers work;
  int *basic, *nonbasic; /* variables of the rows and of the columns */
  int *place;            /* of each variable: its row, or -1 - its column */
  double *lo, *hi;
  double *value; /* of a nonbasic variable: one of its bounds, or 0 */
  int x_unit, y_unit;
  int row, side; /* of the proof of infeasibility */
  int ray, way;  /* column and direction of an unbounded move */
  bool (*go_on)(void *context);
  void *context;
  bool stopped;
};

static perp_integer *entry(const perp_lp *lp, int i, int j)
{
  return perp_integer_at(lp->T, (size_t)i * (size_t)(lp->n + 1) + (size_t)j);
}

enum { PRODUCT, OTHER, BOUND, SUM, NUMERATOR, LEAST, LEAST_DIVISOR, CROSS, CROSS_LEAST, WORK };

static perp_integer *work(const perp_lp *lp, int k)
{
  return perp_integer_at(lp->work, (size_t)k);
}

static bool take_room(perp_lp *lp, perp_arena *arena, int64_t entries, int64_t bounds, int64_t one)
{
  const int m = lp->m, n = lp->n;
  const size_t all = (size_t)(m + n);
  lp->T = perp_integers_create(arena, (size_t)m * (size_t)(n + 1), entries);
  lp->work = perp_integers_create(arena, WORK, 4 * entries + 2 * bounds + 2 * one + 128);
  const perp_integers two = perp_integers_create(arena, 2, entries > one ? entries : one);
  if (!lp->T.at || !lp->work.at || !two.at ||
      !PERP_TAKE(arena, PERP_ARRAY(lp->basic, m), PERP_ARRAY(lp->nonbasic, n),
                 PERP_ARRAY(lp->place, all), PERP_ARRAY(lp->lo, all), PERP_ARRAY(lp->hi, all),
                 PERP_ARRAY(lp->value, all)))
    return false;
  lp->D = perp_integer_at(two, 0);
  lp->one = perp_integer_at(two, 1);
  return true;
}

static void start(perp_lp *lp, const double *rows, int64_t stride, int a, int b)
{
  for (int i = 0; i < lp->m; i++) {
    for (int j = 0; j <= lp->n; j++)
      perp_integer_set(entry(lp, i, j), rows[i * stride + j], j < lp->n ? a : b);
    lp->basic[i] = lp->n + i;
    lp->place[lp->n + i] = i;
  }
  for (int j = 0; j < lp->n; j++) {
    lp->nonbasic[j] = j;
    lp->place[j] = -1 - j;
  }
  for (int v = 0; v < lp->m + lp->n; v++) {
    lp->lo[v] = -INFINITY;
    lp->hi[v] = INFINITY;
    lp->value[v] = 0;
  }
  perp_integer_set(lp->D, 1, 0);
}

perp_error perp_lp_create(perp_arena *arena, int m, int n, const double *rows, int64_t stride,
                          int bounds, const double *bound, int64_t most_bits, perp_lp **made)
{
  perp_range a = PERP_NO_RANGE, b = PERP_NO_RANGE, v = PERP_NO_RANGE;
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= n; j++)
      perp_range_add(j < n ? &a : &b, rows[i * stride + j]);
  for (int k = 0; k < bounds; k++)
    perp_range_add(&v, bound[k]);
  if (perp_range_bits(a) == 0)
    a = (perp_range){0, 1};
  if (perp_range_bits(b) == 0)
    b = (perp_range){a.unit, a.unit + 1};
  if (perp_range_bits(v) == 0)
    v = (perp_range){b.unit - a.unit, b.unit - a.unit + 1};
  const int least = m < n ? m : n, w = a.unit + v.unit < b.unit ? a.unit + v.unit : b.unit;
  const int64_t one = b.unit - w + 1, longest = v.top - (w - a.unit) + 1;
  /* Hadamard: a minor of order k is at most k^(k/2) times the product of its largest entries */
  const int64_t roots = (perp_top(least + 2) + 1) / 2 + 1;
  const int64_t entries = least * (perp_range_bits(a) + roots) + perp_range_bits(b) + 8;
  if (entries + one + longest > most_bits)
    return PERP_ERROR_UNSUPPORTED;
  perp_lp *lp = perp_arena_alloc(arena, 1, sizeof *lp);
  if (!lp)
    return PERP_ERROR_MEMORY;
  *lp = (perp_lp){.m = m, .n = n, .x_unit = w - a.unit, .y_unit = w};
  if (!take_room(lp, arena, entries, longest, one))
    return PERP_ERROR_MEMORY;
  start(lp, rows, stride, a.unit, b.unit);
  perp_integer_set(lp->one, 1, 0);
  perp_integer_shift(lp->one, lp->one, b.unit - w);
  *made = lp;
  return PERP_OK;
}

void perp_lp_set_bounds(perp_lp *lp, int variable, double lo, double hi)
{
  double *value = &lp->value[variable];
  lp->lo[variable] = lo;
  lp->hi[variable] = hi;
  if (lp->place[variable] < 0)
    *value = *value < lo ? lo : *value > hi ? hi : *value;
}

/* r <- D times a bound */
static void set_bound(const perp_lp *lp, int variable, double bound, perp_integer *r)
{
  perp_integer_set(work(lp, OTHER), bound, variable < lp->n ? lp->x_unit : lp->y_unit);
  perp_integer_multiply(r, lp->D, work(lp, OTHER));
}

/* r <- D times the value of the basic variable of row i */
static void set_value(const perp_lp *lp, int i, perp_integer *r)
{
  perp_integer_multiply(r, entry(lp, i, lp->n), lp->one);
  for (int j = 0; j < lp->n; j++) {
    const double value = lp->value[lp->nonbasic[j]];
    if (value == 0 || perp_integer_sign(entry(lp, i, j)) == 0)
      continue;
    perp_integer_set(work(lp, OTHER), value, lp->x_unit); /* a y has no bound other than 0 */
    perp_integer_multiply(work(lp, PRODUCT), entry(lp, i, j), work(lp, OTHER));
    perp_integer_add(r, r, 1, work(lp, PRODUCT));
  }
}

int perp_lp_compare(const perp_lp *lp, int variable, double bound)
{
  if (lp->place[variable] < 0)
    return (lp->value[variable] > bound) - (lp->value[variable] < bound);
  set_value(lp, lp->place[variable], work(lp, SUM));
  set_bound(lp, variable, bound, work(lp, BOUND));
  return perp_integer_compare(work(lp, SUM), work(lp, BOUND));
}

double perp_lp_value(const perp_lp *lp, int variable)
{
  if (lp->place[variable] < 0)
    return lp->value[variable];
  const perp_integer *sum = work(lp, SUM);
  set_value(lp, lp->place[variable], work(lp, SUM));
  const int64_t bits = perp_integer_bits(sum) - perp_integer_bits(lp->D) +
                       (variable < lp->n ? lp->x_unit : lp->y_unit);
  const double ratio =
      perp_twice_quotient(perp_integer_fraction(sum), perp_integer_fraction(lp->D)).high;
  return ldexp(ratio, bits > 5000 ? 5000 : bits < -5000 ? -5000 : (int)bits);
}

static void negate(perp_integer *a)
{
  a->size = -a->size;
}

static void pivot(perp_lp *lp, int r, int s)
{
  perp_integer *p = entry(lp, r, s);
  const int sign = perp_integer_sign(p);
  assert(sign != 0);
  for (int i = 0; i < lp->m; i++) {
    const perp_integer *factor = entry(lp, i, s);
    for (int j = 0; j <= lp->n && i != r; j++) {
      perp_integer *t = entry(lp, i, j);
      if (j == s)
        continue;
      perp_integer_multiply(work(lp, PRODUCT), t, p);
      perp_integer_multiply(work(lp, OTHER), factor, entry(lp, r, j));
      perp_integer_add(work(lp, PRODUCT), work(lp, PRODUCT), -1, work(lp, OTHER));
      perp_integer_divide(work(lp, OTHER), work(lp, PRODUCT), lp->D);
      perp_integer_copy(t, work(lp, OTHER));
      if (sign < 0)
        negate(t);
    }
    if (i != r && sign < 0)
      negate(entry(lp, i, s));
  }
  for (int j = 0; j <= lp->n; j++)
    if (j != s && sign > 0)
      negate(entry(lp, r, j));
  perp_integer_copy(work(lp, OTHER), p);
  perp_integer_copy(p, lp->D);
  perp_integer_copy(lp->D, work(lp, OTHER));
  if (sign < 0) {
    negate(p);
    negate(lp->D);
  }
  const int leaves = lp->basic[r], enters = lp->nonbasic[s];
  lp->basic[r] = enters;
  lp->nonbasic[s] = leaves;
  lp->place[enters] = r;
  lp->place[leaves] = -1 - s;
}

/* Returns the row of the first variable whose value is outside its bounds; -1: none. *side: 1 if it
 * must rise, -1 if it must fall. */
static int find_violated(const perp_lp *lp, int *side)
{
  for (int v = 0; v < lp->m + lp->n; v++) {
    if (lp->place[v] < 0)
      continue;
    if (!isinf(lp->lo[v]) && perp_lp_compare(lp, v, lp->lo[v]) < 0) {
      *side = 1;
      return lp->place[v];
    }
    if (!isinf(lp->hi[v]) && perp_lp_compare(lp, v, lp->hi[v]) > 0) {
      *side = -1;
      return lp->place[v];
    }
  }
  return -1;
}

/* Returns the column of the first nonbasic variable that can move row r in direction `side`; -1:
 * none. *way: its own direction. */
static int find_entering(const perp_lp *lp, int r, int side, int *way)
{
  for (int v = 0; v < lp->m + lp->n; v++) {
    if (lp->place[v] >= 0)
      continue;
    const int s = -1 - lp->place[v];
    *way = side * perp_integer_sign(entry(lp, r, s));
    if ((*way > 0 && lp->value[v] < lp->hi[v]) || (*way < 0 && lp->value[v] > lp->lo[v]))
      return s;
  }
  return -1;
}

void perp_lp_watch(perp_lp *lp, bool (*go_on)(void *context), void *context)
{
  lp->go_on = go_on;
  lp->context = context;
}

bool perp_lp_was_stopped(const perp_lp *lp)
{
  return lp->stopped;
}

static bool may_pivot(perp_lp *lp)
{
  lp->stopped = lp->stopped || (lp->go_on && !lp->go_on(lp->context));
  return !lp->stopped;
}

bool perp_lp_feasible(perp_lp *lp, int64_t *pivots)
{
  for (;;) {
    int side, way;
    const int r = find_violated(lp, &side);
    if (r < 0)
      return true;
    const int s = find_entering(lp, r, side, &way), leaves = lp->basic[r];
    if (s < 0) {
      lp->row = r;
      lp->side = side;
      return false;
    }
    if (!may_pivot(lp))
      return false;
    pivot(lp, r, s);
    lp->value[leaves] = side > 0 ? lp->lo[leaves] : lp->hi[leaves];
    ++*pivots;
  }
}

/* Row r states D x_r = sum T_rj x_j + t 1 and cannot rise to its bound: D x_r - sum T_rj x_j - t 1
 * is always 0, and u are the coefficients of y in it. */
bool perp_lp_certificate(const perp_lp *lp, double *u)
{
  const int n = lp->n;
  int64_t top = INT64_MIN;
  bool exact = true;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < lp->m; i++) {
      const int place = lp->place[n + i];
      const perp_integer *a = place < 0 ? entry(lp, lp->row, -1 - place) : lp->D;
      const int sign = place < 0 ? -lp->side : place == lp->row ? lp->side : 0;
      const int64_t bits = perp_integer_bits(a);
      if (pass == 0) {
        top = sign != 0 && bits > top ? bits : top;
        continue;
      }
      exact = exact && (sign == 0 || bits - perp_integer_twos(a) <= 53) && top - bits < 900;
      u[i] =
          sign * (top - bits < 1000 ? ldexp(perp_integer_fraction(a).high, (int)(bits - top)) : 0);
    }
  return exact;
}

bool perp_lp_is_point(const perp_lp *lp)
{
  for (int j = 0; j < lp->n; j++)
    if (lp->lo[lp->nonbasic[j]] != lp->hi[lp->nonbasic[j]])
      return false;
  return true;
}

/* ---- Moving within the polyhedron ---- */

/* Returns the change for a step of 1 of the entering variable, in its unit: the same for all, so
 * only ratios matter. */
double perp_lp_direction(const perp_lp *lp, int variable)
{
  const int place = lp->place[variable];
  if (place < 0)
    return -1 - place == lp->ray ? lp->way : 0;
  const perp_integer *t = entry(lp, place, lp->ray);
  const int64_t bits = perp_integer_bits(t) - perp_integer_bits(lp->D);
  return lp->way * ldexp(perp_integer_fraction(t).high / perp_integer_fraction(lp->D).high,
                         bits > 900    ? 900
                         : bits < -900 ? -900
                                       : (int)bits);
}

typedef struct block {
  int row;    /* -1: the column itself */
  double at;  /* the bound that blocks */
  bool found; /* false: unbounded */
} block;

/* Keeps the step NUMERATOR / divisor of variable v if it is the shortest, or equally short with a
 * smaller index. */
static void keep_shortest(const perp_lp *lp, const perp_integer *divisor, int row, int v,
                          int column, double at, block *b)
{
  int order = -1;
  if (b->found) {
    perp_integer_multiply(work(lp, CROSS), work(lp, NUMERATOR), work(lp, LEAST_DIVISOR));
    perp_integer_multiply(work(lp, CROSS_LEAST), work(lp, LEAST), divisor);
    work(lp, CROSS_LEAST)->size = work(lp, CROSS_LEAST)->size < 0 ? -work(lp, CROSS_LEAST)->size
                                                                  : work(lp, CROSS_LEAST)->size;
    order = perp_integer_compare(work(lp, CROSS), work(lp, CROSS_LEAST));
    const int other = b->row < 0 ? lp->nonbasic[column] : lp->basic[b->row];
    if (order == 0 && v < other)
      order = -1;
  }
  if (order >= 0)
    return;
  *b = (block){row, at, true};
  perp_integer_copy(work(lp, LEAST), work(lp, NUMERATOR));
  perp_integer_copy(work(lp, LEAST_DIVISOR), divisor);
  if (work(lp, LEAST_DIVISOR)->size < 0)
    negate(work(lp, LEAST_DIVISOR));
}

/* Returns the first bound met if the variable of column s moves in direction `way`; LEAST is 0 if
 * it cannot move at all. */
static block find_block(const perp_lp *lp, int s, int way)
{
  block b = {-1, 0, false};
  const int v = lp->nonbasic[s];
  const double end = way > 0 ? lp->hi[v] : lp->lo[v];
  if (!isinf(end)) {
    const int unit = v < lp->n ? lp->x_unit : lp->y_unit;
    perp_integer_set(work(lp, OTHER), lp->value[v], unit);
    perp_integer_set(work(lp, NUMERATOR), end, unit);
    perp_integer_add(work(lp, NUMERATOR), work(lp, NUMERATOR), -1, work(lp, OTHER));
    if (way < 0)
      negate(work(lp, NUMERATOR));
    perp_integer_set(work(lp, PRODUCT), 1, 0);
    keep_shortest(lp, work(lp, PRODUCT), -1, v, s, end, &b);
  }
  for (int i = 0; i < lp->m; i++) {
    const int direction = way * perp_integer_sign(entry(lp, i, s)), k = lp->basic[i];
    const double bound = direction > 0 ? lp->hi[k] : lp->lo[k];
    if (direction == 0 || isinf(bound))
      continue;
    set_value(lp, i, work(lp, SUM));
    set_bound(lp, k, bound, work(lp, BOUND));
    perp_integer_add(work(lp, NUMERATOR), work(lp, BOUND), -1, work(lp, SUM));
    if (direction < 0)
      negate(work(lp, NUMERATOR));
    keep_shortest(lp, entry(lp, i, s), i, k, s, bound, &b);
  }
  return b;
}

bool perp_lp_move(perp_lp *lp, int variable, int way, bool *endless, int64_t *pivots)
{
  bool moved = false;
  *endless = false;
  for (;;) {
    const int place = lp->place[variable];
    int s = -1 - place, step = way;
    if (place >= 0)
      s = find_entering(lp, place, way, &step);
    else if (lp->value[variable] == (way > 0 ? lp->hi[variable] : lp->lo[variable]))
      return moved;
    if (s < 0)
      return moved;
    const block b = find_block(lp, s, step);
    moved = moved || !b.found || perp_integer_sign(work(lp, LEAST)) > 0;
    if (!b.found) {
      *endless = true;
      lp->ray = s;
      lp->way = step;
      return true;
    }
    if (b.row < 0) {
      lp->value[lp->nonbasic[s]] = b.at;
    } else if (!may_pivot(lp)) {
      return moved;
    } else {
      const int leaves = lp->basic[b.row];
      pivot(lp, b.row, s);
      lp->value[leaves] = b.at;
      ++*pivots;
    }
  }
}
