/* response.c: impulses as a function of velocities, and the line search
 *
 *   x(z) = the nearest point of K to w = -z / C in the norm of C,   D = -dx/dz
 *
 * One row:  x = perp_clamp(w, lo, hi),  D = 1 / c inside, 0 at a bound.
 *
 * A normal n with rows i that follow it, lo_i x_n <= x_i <= hi_i x_n, is a polyhedral cone. For a
 * given x_n the other rows are clamped; the rows at a bound form the set E and have x_i = e_i x_n
 * with e_i = lo_i or hi_i. x_n is the zero of the remaining gradient, which increases in x_n and is
 * linear between changes of E:
 *
 *   c_n (x_n - w_n) + sum over E of e_i c_i (e_i x_n - w_i) = 0.
 *
 * With e_n = 1: x_E = e (e^T C w) / (e^T C e), so D = e e^T / (e^T C e) there, 1 / c_i in the
 * others; if x_n itself is at a bound, E does not move and D is 0 there.
 *
 * A Coulomb cone whose tangents have the compliance c, w outside it and its polar: the same with
 * e = (1, mu tau), tau = w_t / |w_t|, and the turning of tau adds  mu x_n / |z_t| p p^T, p being
 * tau turned by a right angle.
 *
 * Along a line phi'(t) = (u + t d)^T d - x(z + t q)^T q is continuous and rises, piecewise linear
 * but for cones. Newton steps within a bracket find its zero. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/newton/primal/primal.h"
#include "set/set.h"

#include <float.h>

/* w_i at z + t q */
static inline double unclamped(const perp_primal *s, int i, double t)
{
  const double z = t == 0 ? s->z[i] : s->z[i] + t * s->q[i];
  return -z * s->rows.inverse[i];
}

/* ---- A normal and its followers ---- */

/* Returns e_i if row i is clamped at a bound given x_n; 0 otherwise, or if that bound is 0. */
static inline double edge_of(const perp_primal *s, int i, double w, double normal, bool *held)
{
  const double lo = s->lo[i], hi = s->hi[i];
  const bool below = lo > -INFINITY && w <= lo * normal, above = hi < INFINITY && w >= hi * normal;
  *held = below || above;
  return below ? lo : above ? hi : 0;
}

/* Returns the gradient in x_n with all other rows at their minimum, and its derivative. */
static double normal_gradient(const perp_primal *s, const perp_primal_unit *unit, double t,
                              double normal, double *bend)
{
  const int *row = s->rows.row + unit->first;
  const double *C = s->rows.C;
  double sum = C[row[0]] * (normal - unclamped(s, row[0], t));
  *bend = C[row[0]];
  for (int l = 1; l < unit->count; l++) {
    const int i = row[l];
    bool held;
    const double w = unclamped(s, i, t), e = edge_of(s, i, w, normal, &held);
    sum += e * C[i] * (e * normal - w);
    *bend += e * e * C[i];
  }
  return sum;
}

/* Returns x_n; *weight is 1 / (e^T C e), or 0 if x_n is at one of its own bounds. */
static double group_normal(const perp_primal *s, const perp_primal_unit *unit, double t,
                           double *weight)
{
  enum { MOST = 100 };
  const int n = s->rows.row[unit->first];
  double low = s->lo[n], high = s->hi[n], bend;
  *weight = 0;
  if (normal_gradient(s, unit, t, low, &bend) >= 0)
    return low;
  if (high < INFINITY && normal_gradient(s, unit, t, high, &bend) <= 0)
    return high;
  double x = perp_clamp(unclamped(s, n, t), low, high);
  for (int k = 0; k < MOST; k++) {
    const double gradient = normal_gradient(s, unit, t, x, &bend);
    *(gradient < 0 ? &low : &high) = x;
    double next = x - gradient / bend;
    if (fabs(next - x) <= DBL_EPSILON * fabs(x))
      break;
    if (!(next > low && next < high))
      next = high < INFINITY ? 0.5 * (low + high) : 2 * x + 1;
    x = next;
  }
  *weight = 1 / bend;
  return x;
}

static bool respond_group(perp_primal *s, int t)
{
  const perp_primal_unit *unit = &s->rows.unit[t];
  const int *row = s->rows.row + unit->first;
  const double normal = group_normal(s, unit, 0, &s->D.weight[t]);
  const signed char moves = s->D.weight[t] != 0;
  bool changed = s->state[row[0]] != moves;
  s->state[row[0]] = moves;
  s->x[row[0]] = normal;
  s->D.free[row[0]] = 0;
  s->D.edge[row[0]] = moves;
  for (int l = 1; l < unit->count; l++) {
    const int i = row[l];
    bool held;
    const double w = unclamped(s, i, 0), e = edge_of(s, i, w, normal, &held);
    const signed char state = !held ? 0 : w * e > 0 || e > 0 ? 1 : -1;
    changed = changed || s->state[i] != state;
    s->state[i] = state;
    s->x[i] = held ? e * normal : w;
    s->D.free[i] = held ? 0 : s->rows.inverse[i];
    s->D.edge[i] = held && moves ? e : 0;
  }
  return changed;
}

/* ---- A cone ---- */

typedef struct cone_point {
  double x[3], tau[2];
  double weight, turn;
  int state; /* -1: x = 0, 0: inside, 1: on the cone */
} cone_point;

static cone_point cone_response(const perp_primal *s, int c, double t)
{
  const double *C = s->rows.C + 3 * c, *inverse = s->rows.inverse + 3 * c, mu = s->K->mu[c];
  const double w[3] = {unclamped(s, 3 * c, t), unclamped(s, 3 * c + 1, t),
                       unclamped(s, 3 * c + 2, t)};
  const double size = perp_hypot(w[1], w[2]);
  cone_point p = {.state = 0};
  if (w[0] > 0 && size <= mu * w[0]) {
    for (int k = 0; k < 3; k++)
      p.x[k] = w[k];
    return p;
  }
  const double bend = C[0] + mu * mu * C[1];
  const double normal = (C[0] * w[0] + mu * C[1] * size) / bend;
  p.state = normal > 0 && size > 0 ? 1 : -1;
  if (p.state < 0)
    return p;
  p.tau[0] = w[1] / size;
  p.tau[1] = w[2] / size;
  p.x[0] = normal;
  p.x[1] = mu * normal * p.tau[0];
  p.x[2] = mu * normal * p.tau[1];
  p.weight = 1 / bend;
  p.turn = mu * normal / size * inverse[1];
  return p;
}

static bool respond_cone(perp_primal *s, int t)
{
  const int n = s->rows.row[s->rows.unit[t].first], c = n / 3;
  const cone_point p = cone_response(s, c, 0);
  const bool changed = s->state[n] != p.state;
  s->state[n] = (signed char)p.state;
  for (int k = 0; k < 3; k++) {
    s->x[n + k] = p.x[k];
    s->D.free[n + k] = p.state == 0 ? s->rows.inverse[n + k] : 0;
  }
  s->D.weight[t] = p.weight;
  s->D.edge[n] = p.state == 1;
  s->D.edge[n + 1] = s->K->mu[c] * p.tau[0];
  s->D.edge[n + 2] = s->K->mu[c] * p.tau[1];
  s->D.turn[c] = p.turn;
  s->D.tau[2 * c] = p.tau[0];
  s->D.tau[2 * c + 1] = p.tau[1];
  return changed;
}

/* ---- All rows ---- */

static bool respond_row(perp_primal *s, int i)
{
  const double w = -s->z[i] * s->rows.inverse[i];
  const signed char state = (signed char)((w >= s->hi[i]) - (w <= s->lo[i]));
  const bool changed = s->state[i] != state;
  s->x[i] = perp_clamp(w, s->lo[i], s->hi[i]);
  s->D.free[i] = w > s->lo[i] && w < s->hi[i] ? s->rows.inverse[i] : 0;
  s->state[i] = state;
  return changed;
}

bool perp_primal_respond(perp_primal *s)
{
  bool changed = false;
  for (int i = 0; !s->coupled && i < s->n; i++)
    changed = respond_row(s, i) || changed;
  for (int t = 0; s->coupled && t < s->rows.units; t++) {
    const perp_primal_unit *unit = &s->rows.unit[t];
    if (unit->kind == PERP_PRIMAL_CONE)
      changed = respond_cone(s, t) || changed;
    else if (unit->kind == PERP_PRIMAL_GROUP)
      changed = respond_group(s, t) || changed;
    else
      for (int l = 0; l < unit->count; l++)
        changed = respond_row(s, s->rows.row[unit->first + l]) || changed;
  }
  return changed;
}

double perp_primal_slip(const perp_primal *s, const perp_primal_unit *unit)
{
  const int *row = s->rows.row + unit->first;
  if (unit->kind == PERP_PRIMAL_CONE)
    return s->K->mu[row[0] / 3] * perp_hypot(s->y[row[1]], s->y[row[2]]);
  double sum = 0;
  for (int l = 1; l < unit->count; l++) {
    const double y = s->y[row[l]], bound = y < 0 ? s->hi[row[l]] : s->lo[row[l]];
    sum -= fabs(bound) < INFINITY ? bound * y : 0;
  }
  return sum;
}

/* ---- Along a line ---- */

/* x(z + t q)^T q and minus its derivative in t, q^T D q. */
typedef struct along {
  double work, bend;
} along;

static inline void add_row(const perp_primal *s, int i, double t, along *a)
{
  const double q = s->q[i], inverse = s->rows.inverse[i];
  const double w = -(s->z[i] + t * q) * inverse, lo = s->lo[i], hi = s->hi[i];
  a->work += perp_clamp(w, lo, hi) * q;
  a->bend += w > lo && w < hi ? q * q * inverse : 0;
}

static void add_group(const perp_primal *s, const perp_primal_unit *unit, double t, along *a)
{
  const int *row = s->rows.row + unit->first;
  double weight;
  const double normal = group_normal(s, unit, t, &weight);
  double moved = s->q[row[0]];
  a->work += normal * s->q[row[0]];
  for (int l = 1; l < unit->count; l++) {
    const int i = row[l];
    bool held;
    const double w = unclamped(s, i, t), e = edge_of(s, i, w, normal, &held);
    a->work += (held ? e * normal : w) * s->q[i];
    a->bend += held ? 0 : s->q[i] * s->q[i] * s->rows.inverse[i];
    moved += held ? e * s->q[i] : 0;
  }
  a->bend += weight * moved * moved;
}

static void add_cone(const perp_primal *s, int c, double t, along *a)
{
  const cone_point p = cone_response(s, c, t);
  const double *q = s->q + 3 * c, *inverse = s->rows.inverse + 3 * c, mu = s->K->mu[c];
  for (int k = 0; k < 3; k++) {
    a->work += p.x[k] * q[k];
    a->bend += p.state == 0 ? q[k] * q[k] * inverse[k] : 0;
  }
  const double moved = q[0] + mu * (p.tau[0] * q[1] + p.tau[1] * q[2]);
  const double turned = p.tau[0] * q[2] - p.tau[1] * q[1];
  a->bend += p.weight * moved * moved + p.turn * turned * turned;
}

static along work_along(const perp_primal *s, double t)
{
  along a = {0};
  for (int i = 0; !s->coupled && i < s->n; i++)
    add_row(s, i, t, &a);
  for (int k = 0; s->coupled && k < s->rows.units; k++) {
    const perp_primal_unit *unit = &s->rows.unit[k];
    const int *row = s->rows.row + unit->first;
    if (unit->kind == PERP_PRIMAL_CONE)
      add_cone(s, row[0] / 3, t, &a);
    else if (unit->kind == PERP_PRIMAL_GROUP)
      add_group(s, unit, t, &a);
    else
      for (int l = 0; l < unit->count; l++)
        add_row(s, row[l], t, &a);
  }
  return a;
}

double perp_primal_search(const perp_primal *s, double slope)
{
  enum { MOST = 60 };
  const double close = 1e-3; /* relative to the first slope; an exact full Newton step passes */
  const double ud = perp_dot(s->m, s->u, s->d), dd = perp_dot(s->m, s->d, s->d);
  double low = 0, high = INFINITY, t = 1;
  for (int k = 0; k < MOST; k++) {
    const along a = work_along(s, t);
    const double now = ud + t * dd - a.work;
    if (fabs(now) <= -close * slope)
      break;
    *(now < 0 ? &low : &high) = t;
    const double next = t - now / (dd + a.bend);
    if (next > low && next < high)
      t = next;
    else
      t = high < INFINITY ? 0.5 * (low + high) : 2 * t;
  }
  return t;
}
