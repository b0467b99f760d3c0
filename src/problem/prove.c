/* prove.c: checks exactly if a vector u proves that a problem has no solution
 *
 * For any solution x, each row of y = A x + b has a sign given by its bounds. u_i must have the
 * same sign, so that u_i y_i >= 0:
 *
 *   lo_i finite, hi_i infinite   y_i >= 0           u_i >= 0
 *   lo_i infinite, hi_i finite   y_i <= 0           u_i <= 0
 *   both infinite                y_i = 0            any u_i
 *   both finite                  any y_i            u_i = 0
 *   a cone (n, t, ...)           y_n >= 0           u_n >= 0, u_k = 0 in its other rows
 *
 * A friction row has the signs of its lo_i and hi_i, which are finite or infinite whatever the
 * normal is. In a cone the dual cone condition y_n + mu |y_t| >= mu |y_t| means y_n >= 0.
 *
 * With g = A^T u, 0 <= u^T y = g^T x + b^T u for a solution x, so u is a certificate if
 *
 *   b^T u + sup { g^T x : x in K } < 0.
 *
 * The supremum is a sum over the parts of K. A row in a box contributes g_j hi_j for g_j > 0, g_j
 * lo_j for g_j < 0, and infinity if that bound is infinite. A friction row i with normal j
 * contributes a multiple of |x_j|; all friction rows of j together give s_j |x_j|. Then
 *
 *   sup g_j x_j + s_j |x_j| over lo_j <= x_j <= hi_j
 *
 * is computed on both sides of 0, where the function is linear. A cone contributes 0 if g is in its
 * polar, g_n + s_n + sum over its discs of |(mu_k g_k)| <= 0, else infinity. For the plain LCP the
 * conditions are u >= 0, g <= 0, b^T u < 0.
 *
 * (Farkas 1902; for a box see Cottle, Pang and Stone 1992, ch. 2.) All numbers are integers in
 * common units, so no operation rounds. Cost: an integer product for each entry of A; workspace: an
 * integer of some hundred bits for each column. */
#include "problem/judge.h"

#include "base/message.h"
#include "linalg/integer.h"
#include "operator/operator.h"
#include "set/set.h"
#include <perp/solver.h>

enum { COUNT_BITS = 34 }; /* carries of a sum of n terms, and a sign */

typedef struct proof {
  const perp_problem *p;
  const double *u;
  perp_arena *arena;
  perp_message *why;
  perp_range a, u_range, b, bound;
  int unit;           /* of bounds and mu, at most 0 */
  int64_t low;        /* the unit of `sum` */
  perp_integers g, s; /* A^T u; sums over friction rows, if there are any; in units of a u, and of a
                       * u bound */
  perp_integers work; /* a few of the largest size */
  perp_integer *sum;  /* b^T u + sup g^T x */
} proof;

static bool refuse(const proof *t, const char *what, int row)
{
  perp_fail(t->why, PERP_OK, "row %d: %s", row, what);
  return false;
}

/* ---- Signs and units ---- */

/* A cone of three rows is one disc with two equal coefficients. */
static perp_friction cone_friction(const perp_set *K, int c)
{
  if (K->dim)
    return perp_set_friction(K, c);
  const double mu = K->mu[c];
  const perp_friction f = {3, {0}, {0, mu, mu}, {1, 1, 1}, {3, 1, 1}};
  return f;
}

static bool has_signs(const proof *t)
{
  const perp_set *K = &t->p->K;
  for (int i = 0; i < K->n; i++)
    if (!isfinite(t->u[i]))
      return refuse(t, "u is not finite", i);
  for (perp_cone c = perp_set_cones(K); c.c < K->cones; perp_cone_next(K, &c)) {
    if (!(t->u[c.row] >= 0))
      return refuse(t, "u < 0 in the normal row of a cone", c.row);
    for (int k = 1; k < c.rows; k++)
      if (t->u[c.row + k] != 0)
        return refuse(t, "u is not 0 in the tangent rows of this cone", c.row);
  }
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r)) {
    const bool below = isinf(perp_set_lo(K, r.i)), above = isinf(perp_set_hi(K, r.i));
    if (t->u[r.i] < 0 && !below)
      return refuse(t, "u < 0, but lo is finite", r.i);
    if (t->u[r.i] > 0 && !above)
      return refuse(t, "u > 0, but hi is finite", r.i);
  }
  return true;
}

static void find_ranges(proof *t, int *column, double *value)
{
  const perp_operator *A = t->p->A;
  const perp_set *K = &t->p->K;
  for (int i = 0; i < K->n; i++) {
    if (t->u[i] == 0)
      continue;
    perp_range_add(&t->u_range, t->u[i]);
    perp_range_add(&t->b, t->p->b[i]);
    const int count = A->table->row(A, i, column, value);
    for (int k = 0; k < count; k++)
      perp_range_add(&t->a, value[k]);
  }
  perp_range_add(&t->bound, 1);
  for (int c = 0; c < K->cones; c++)
    for (int k = 1; k < perp_set_cone_rows(K, c); k++)
      perp_range_add(&t->bound, cone_friction(K, c).mu[k]);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r)) {
    const double lo = perp_set_lo(K, r.i), hi = perp_set_hi(K, r.i);
    perp_range_add(&t->bound, isinf(lo) ? 0 : lo);
    perp_range_add(&t->bound, isinf(hi) ? 0 : hi);
  }
}

static bool take_room(proof *t)
{
  enum { WORK = 8 };
  static const double MOST = 1 << 30; /* bytes */
  const size_t n = (size_t)t->p->K.n;
  const int64_t product = perp_range_bits(t->a) + perp_range_bits(t->u_range) + COUNT_BITS;
  const int64_t bounds = perp_range_bits(t->bound), fourths = 4 * (product + bounds + COUNT_BITS);
  const int64_t terms = perp_range_bits(t->b) + perp_range_bits(t->u_range);
  int64_t low = 0;
  if (perp_range_bits(t->a) > 0)
    low = (int64_t)t->a.unit + 2 * t->unit;
  if (perp_range_bits(t->b) > 0 && t->b.unit < low)
    low = t->b.unit;
  t->low = low;
  /* shifts of the two kinds of terms to that unit */
  const int64_t up = (perp_range_bits(t->a) > 0 ? (int64_t)t->a.unit + t->unit - low : 0) +
                     (perp_range_bits(t->b) > 0 ? t->b.unit - low : 0);
  const int64_t longest = fourths + bounds + terms + up + 2 * COUNT_BITS;
  if ((double)n * (double)(product + bounds) / 4 > MOST)
    return refuse(t, "out of memory for exact sums of this length", t->p->K.n);
  t->g = perp_integers_create(t->arena, n, product);
  t->s = perp_integers_create(t->arena, t->p->K.findex ? n : 1, product + bounds + COUNT_BITS);
  t->work = perp_integers_create(t->arena, WORK, longest);
  t->sum = t->work.at ? perp_integer_at(t->work, 0) : NULL;
  return t->g.at && t->s.at && t->work.at ? true
                                          : refuse(t, "out of memory for exact sums", t->p->K.n);
}

/* ---- Sums ---- */

/* g <- A^T u, sum <- b^T u */
static void add_rows(proof *t, int *column, double *value)
{
  const perp_operator *A = t->p->A;
  perp_integer *u = perp_integer_at(t->work, 1), *a = perp_integer_at(t->work, 2),
               *product = perp_integer_at(t->work, 3);
  for (int i = 0; i < A->n; i++) {
    if (t->u[i] == 0)
      continue;
    perp_integer_set(u, t->u[i], t->u_range.unit);
    const int count = A->table->row(A, i, column, value);
    for (int k = 0; k < count; k++) {
      perp_integer *g = perp_integer_at(t->g, (size_t)column[k]);
      if (value[k] == 0)
        continue;
      perp_integer_set(a, value[k], t->a.unit);
      perp_integer_multiply(product, a, u);
      perp_integer_add(g, g, 1, product);
    }
    if (t->p->b[i] == 0)
      continue;
    perp_integer_set(a, t->p->b[i], t->b.unit);
    perp_integer_multiply(product, a, u);
    perp_integer_shift(product, product, t->b.unit - t->low);
    perp_integer_add(t->sum, t->sum, 1, product);
  }
}

/* r <- g bound in the units of s; `bound` is finite */
static void times_bound(const proof *t, const perp_integer *g, double bound, perp_integer *r)
{
  perp_integer *b = perp_integer_at(t->work, 4);
  perp_integer_set(b, bound, t->unit);
  perp_integer_multiply(r, g, b);
}

/* Finds the maximum of g x over lo <= x <= hi: returns false if it is unbounded, else `at` is the
 * maximiser. */
static bool find_end(int sign, double lo, double hi, double *at)
{
  *at = sign > 0 ? hi : sign < 0 ? lo : 0;
  return !isinf(*at);
}

/* s of the normals, from the friction rows */
static bool add_friction(const proof *t)
{
  const perp_set *K = &t->p->K;
  perp_integer *product = perp_integer_at(t->work, 3);
  for (int i = 0; K->findex && i < K->n; i++) {
    if (!perp_set_is_friction(K, i))
      continue;
    const perp_integer *g = perp_integer_at(t->g, (size_t)i);
    perp_integer *s = perp_integer_at(t->s, (size_t)K->findex[i]);
    double at;
    if (!find_end(perp_integer_sign(g), perp_set_lo(K, i), perp_set_hi(K, i), &at))
      return refuse(t, "A'u points to an infinite bound", i);
    times_bound(t, g, at, product);
    perp_integer_add(s, s, 1, product);
  }
  return true;
}

static const perp_integer *friction_of(const proof *t, int j)
{
  static const perp_integer none = {0};
  return t->p->K.findex ? perp_integer_at(t->s, (size_t)j) : &none;
}

/* r <- maximum of slope x over lo <= x <= hi with slope = g + side s, in units of s */
static bool find_sup(const proof *t, int j, int side, double lo, double hi, perp_integer *r)
{
  perp_integer *slope = perp_integer_at(t->work, 3);
  perp_integer_shift(slope, perp_integer_at(t->g, (size_t)j), -t->unit);
  perp_integer_add(slope, slope, side, friction_of(t, j));
  double at;
  if (!find_end(perp_integer_sign(slope), lo, hi, &at))
    return refuse(t, "A'u points to an infinite bound", j);
  times_bound(t, slope, at, r);
  return true;
}

static bool add_row(const proof *t, int j)
{
  const perp_set *K = &t->p->K;
  const double lo = perp_set_lo(K, j), hi = perp_set_hi(K, j);
  perp_integer *right = perp_integer_at(t->work, 1), *left = perp_integer_at(t->work, 2);
  if (hi >= 0 && !find_sup(t, j, 1, lo > 0 ? lo : 0, hi, right))
    return false;
  if (lo < 0 && !find_sup(t, j, -1, lo, hi < 0 ? hi : 0, left))
    return false;
  const bool is_left = lo < 0 && (hi < 0 || perp_integer_compare(left, right) > 0);
  perp_integer *best = is_left ? left : right;
  perp_integer_shift(best, best, (int64_t)t->a.unit + 2 * t->unit - t->low);
  perp_integer_add(t->sum, t->sum, 1, best);
  return true;
}

/* With N = -g_n - s_n, the torsion T of discs, which is one axis, and the sums of squares S_1, S_2 of
 * the other discs: S_1^(1/2) + S_2^(1/2) <= N - T = M, that is M >= 0, M^2 >= S_1 + S_2 = M^2 - R and
 * R^2 >= 4 S_1 S_2. */
static bool is_polar(const proof *t, const perp_cone *cone)
{
  enum { TORSION = 1 };
  const int n = cone->row;
  const perp_friction f = cone_friction(&t->p->K, cone->c);
  perp_integer *S[2] = {perp_integer_at(t->work, 1), perp_integer_at(t->work, 2)},
               *minus_M = perp_integer_at(t->work, 3), *R = perp_integer_at(t->work, 5),
               *part = perp_integer_at(t->work, 6), *product = perp_integer_at(t->work, 7);
  S[0]->size = S[1]->size = 0;
  perp_integer_shift(minus_M, perp_integer_at(t->g, (size_t)n), -t->unit);
  perp_integer_add(minus_M, minus_M, 1, friction_of(t, n));
  for (int k = 1; k < f.rows; k++) {
    if (f.group[k] < 0)
      continue;
    if (perp_integer_sign(friction_of(t, n + k)) > 0) /* the polar admits no term s |x_t| */
      return refuse(t, "friction rows depend on this tangent of a cone", n + k);
    times_bound(t, perp_integer_at(t->g, (size_t)(n + k)), f.mu[k], part);
    if (f.group[k] == TORSION) {
      perp_integer_add(minus_M, minus_M, perp_integer_sign(part), part);
      continue;
    }
    perp_integer_multiply(product, part, part);
    perp_integer_add(S[f.group[k] > 0], S[f.group[k] > 0], 1, product);
  }
  perp_integer_multiply(R, minus_M, minus_M);
  perp_integer_add(R, R, -1, S[0]);
  perp_integer_add(R, R, -1, S[1]);
  bool holds = perp_integer_sign(minus_M) <= 0 && perp_integer_sign(R) >= 0;
  perp_integer_multiply(product, S[0], S[1]);
  perp_integer_shift(product, product, 2);
  perp_integer_multiply(part, R, R);
  holds = holds && perp_integer_compare(product, part) <= 0;
  return holds ? true : refuse(t, "A'u is not in the polar of this cone", n);
}

/* ---- The proof ---- */

static bool proves(proof *t)
{
  const perp_set *K = &t->p->K;
  int *column;
  double *value;
  if (!t->p->A->table->exact_rows)
    return refuse(t, "an exact proof needs the entries of A, and this operator gives only products",
                  0);
  if (!has_signs(t))
    return false;
  if (!PERP_TAKE(t->arena, PERP_ARRAY(column, t->p->A->row_capacity),
                 PERP_ARRAY(value, t->p->A->row_capacity)))
    return refuse(t, "out of memory for exact sums", K->n);
  find_ranges(t, column, value);
  t->unit = t->bound.unit;
  if (!take_room(t))
    return false;
  add_rows(t, column, value);
  if (!add_friction(t))
    return false;
  for (perp_cone c = perp_set_cones(K); c.c < K->cones; perp_cone_next(K, &c))
    if (!is_polar(t, &c))
      return false;
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (!perp_set_is_friction(K, r.i) && !add_row(t, r.i))
      return false;
  if (perp_integer_sign(t->sum) < 0)
    return true;
  perp_fail(t->why, PERP_OK, "b'u + (A'u)'x is not below 0 for all x in K");
  return false;
}

bool perp_prove(const perp_problem *p, const double *u, perp_arena *arena, perp_message *why)
{
  proof t = {.p = p,
             .u = u,
             .arena = arena,
             .why = why,
             .a = PERP_NO_RANGE,
             .u_range = PERP_NO_RANGE,
             .b = PERP_NO_RANGE,
             .bound = PERP_NO_RANGE};
  const perp_arena_mark mark = perp_arena_hold(arena);
  const bool holds = proves(&t);
  perp_arena_release(arena, mark);
  return holds;
}

perp_error perp_certificate_judge(const perp_problem *problem, const double *u, bool *holds,
                                  perp_message *why)
{
  const perp_error error = perp_problem_validate(problem, why);
  if (error)
    return error;
  if ((problem->K.n > 0 && !u) || !holds)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_certificate_judge needs u and holds");
  perp_arena arena = {0};
  *holds = perp_prove(problem, u, &arena, why);
  perp_arena_free(&arena);
  return PERP_OK;
}
