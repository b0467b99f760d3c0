/* point.c: a point near the path, its distance from the path, and its steps
 *
 * Cones. Vectors of the cone { (a_0, a_t) : a_0 >= |a_t| } have the Jordan product u o v = (u^T v,
 * u_0 v_t + v_0 u_t), with the identity e = (1, 0). Two vectors a and z inside have
 * one scaling W, symmetric, with W z = W^-1 a = lambda (Nesterov and Todd 1997):
 *
 *   W = eta [ w_0  w_t^T ; w_t  I + w_t w_t^T / (1 + w_0) ],   w_0^2 - |w_t|^2 = 1.
 *
 * Cost: a factor; for each step a solve, with refinement a second solve and a product with A. */
#include "method/interior/coulomb/coulomb.h"

#include "base/elementary.h"
#include "base/kernel.h"
#include "linalg/vector.h"
#include "set/set.h"

/* ---- Cones ---- */

/* a_0^2 - |a_t|^2 */
static inline double cone_det(int d, const double *a)
{
  const double length = d == 3 ? perp_hypot(a[1], a[2]) : perp_set_norm(d - 1, a + 1);
  return (a[0] - length) * (a[0] + length);
}

/* out <- W v, or W^-1 v if sign is -1; out may be v */
static inline void cone_scale(int d, const perp_scaling *s, int sign, const double *v, double *out)
{
  const double *w = s->w, first = v[0], size = sign > 0 ? s->eta : 1 / s->eta;
  double t = 0;
  for (int i = 1; i < d; i++)
    t += w[i] * v[i];
  const double share = sign * first + t / (1 + w[0]);
  for (int i = 1; i < d; i++)
    out[i] = size * (v[i] + share * w[i]);
  out[0] = size * (w[0] * first + sign * t);
}

/* out <- W^-2 v */
static inline void cone_theta(int d, const perp_scaling *s, const double *v, double *out)
{
  const double *w = s->w, g = 1 / (s->eta * s->eta);
  double t = w[0] * v[0];
  for (int i = 1; i < d; i++)
    t -= w[i] * v[i];
  out[0] = g * (2 * t * w[0] - v[0]);
  for (int i = 1; i < d; i++)
    out[i] = g * (v[i] - 2 * t * w[i]);
}

static inline void cone_product(int d, const double *u, const double *v, double *out)
{
  const double u0 = u[0], v0 = v[0];
  double first = u0 * v0;
  for (int i = 1; i < d; i++) {
    first += u[i] * v[i];
    out[i] = u0 * v[i] + v0 * u[i];
  }
  out[0] = first;
}

/* Solves l o out = r for out. */
static inline void cone_divide(int d, const double *l, const double *r, double *out)
{
  double first = l[0] * r[0];
  for (int i = 1; i < d; i++)
    first -= l[i] * r[i];
  first /= cone_det(d, l);
  for (int i = 1; i < d; i++)
    out[i] = (r[i] - first * l[i]) / l[0];
  out[0] = first;
}

/* Returns the largest step with a + step v in the cone; a is inside. */
static inline double cone_step(int d, const double *a, const double *v)
{
  const double A = cone_det(d, v), C = cone_det(d, a);
  double B = a[0] * v[0];
  for (int i = 1; i < d; i++)
    B -= a[i] * v[i];
  const double root = B * B - A * C;
  if (A >= 0 && (v[0] >= 0 || !(root >= 0)))
    return INFINITY;
  const double below = sqrt(perp_max(root, 0));
  if (B > 0)
    return A < 0 ? (below + B) / -A : INFINITY;
  return C / (below - B);
}

/* Computes the scaling of a and z, both inside. Returns false if rounding put one outside. */
static inline bool find_scaling(int d, const double *a, const double *z, perp_scaling *s)
{
  const double det_a = cone_det(d, a), det_z = cone_det(d, z);
  if (!(det_a > 0) || !(det_z > 0))
    return false;
  const double size_a = sqrt(det_a), size_z = sqrt(det_z);
  double product = 0, square = 1;
  for (int k = 0; k < d; k++)
    product += (a[k] / size_a) * (z[k] / size_z);
  const double gamma = 2 * sqrt(perp_max(0.5 * (1 + product), 1));
  for (int k = 1; k < d; k++) {
    s->w[k] = (a[k] / size_a - z[k] / size_z) / gamma;
    square += s->w[k] * s->w[k];
  }
  s->w[0] = sqrt(square);
  s->eta = sqrt(size_a / size_z);
  return true;
}

/* Lists the cones of the problem and its discs, which are cones over their normals, by contact. */
static bool list_cones(perp_point *p)
{
  const perp_set *K = &p->run->problem->K;
  const perp_contact_list *g = p->contacts;
  int most = K->cones;
  for (int i = 0; i < K->n; i++)
    most += perp_set_disc(K, i) > 0;
  if (!PERP_TAKE(p->run->arena, PERP_ARRAY(p->cone, most), PERP_ARRAY(p->cone_start, g->count + 1)))
    return false;
  for (int c = 0; c < g->count; c++) {
    p->cone_start[c] = p->cones;
    for (int k = g->start[c]; k < g->start[c + 1]; k++) {
      const int i = g->row[k], disc = perp_set_disc(K, i);
      const bool first = i < 3 * K->cones && i % 3 == 0;
      if ((!first && disc <= 0) || !p->in[first ? i + 1 : i])
        continue;
      p->cone[p->cones++] = (perp_point_cone){.mu = first ? K->mu[i / 3] : perp_set_hi(K, i),
                                              .normal = first ? i : K->findex[i],
                                              .row = first ? i + 1 : i,
                                              .place = k - g->start[c] + first,
                                              .rows = first ? 3 : disc + 1,
                                              .at = p->length};
      p->length += p->cone[p->cones - 1].rows;
    }
  }
  p->cone_start[g->count] = p->cones;
  const size_t length = (size_t)p->length;
  return PERP_TAKE(p->run->arena, PERP_ARRAY(p->scaling, most)) &&
         PERP_TAKE_ZERO_REALS(p->run->arena, length, &p->f, &p->z, &p->df, &p->dz, &p->hz);
}

/* ---- Pairs ---- */

static perp_error check(perp_run *run)
{
  const perp_set *K = &run->problem->K;
  for (int i = 3 * K->cones; i < K->n; i++) {
    if (!perp_set_is_friction(K, i))
      continue;
    const int j = K->findex[i];
    const double lo = perp_set_lo(K, i);
    if (j < 3 * K->cones ? j % 3 != 0 : !(perp_set_lo(K, j) >= 0))
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "ipm needs normal rows with lo >= 0: friction row %d has normal row %d, "
                           "which may be negative",
                           i, j);
    if (lo == perp_set_hi(K, i) && lo != 0)
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "ipm needs friction bounds with lo < hi, but row %d has lo = hi = %g", i,
                           lo);
  }
  return PERP_OK;
}

/* Returns true if row i can move. Bounds that follow a normal fixed at 0 are 0. */
static bool moves(const perp_set *K, int i)
{
  if (i < 3 * K->cones)
    return i % 3 == 0 || K->mu[i / 3] > 0;
  const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
  const int j = perp_set_is_friction(K, i) ? K->findex[i] : -1;
  const bool still = j >= 3 * K->cones && perp_set_lo(K, j) == 0 && perp_set_hi(K, j) == 0 &&
                     isfinite(lo) && isfinite(hi);
  return lo < hi && !still;
}

static void add_pair(perp_point *p, int i, int place, int normal, double sign, double bound)
{
  if (!isfinite(bound))
    return;
  const int k = p->pairs++;
  p->row[k] = i;
  p->place[k] = place;
  p->normal[k] = normal;
  p->sign[k] = sign;
  p->bound[k] = bound;
}

static void list_pairs(perp_point *p)
{
  const perp_set *K = &p->run->problem->K;
  const perp_contact_list *g = p->contacts;
  for (int c = 0; c < g->count; c++) {
    p->pair_start[c] = p->pairs;
    for (int k = g->start[c]; k < g->start[c + 1]; k++) {
      const int i = g->row[k], normal = perp_set_is_friction(K, i) ? K->findex[i] : -1;
      if (!p->in[i])
        continue;
      if (i < 3 * K->cones) {
        if (i % 3 == 0)
          add_pair(p, i, 0, -1, 1, 0);
        continue;
      }
      if (perp_set_disc(K, i) != 0)
        continue;
      add_pair(p, i, k - g->start[c], normal, 1, perp_set_lo(K, i));
      add_pair(p, i, k - g->start[c], normal, -1, perp_set_hi(K, i));
    }
  }
  p->pair_start[g->count] = p->pairs;
}

perp_error perp_point_create(perp_run *run, const perp_contact_list *contacts, double *x,
                             perp_point *p)
{
  const perp_set *K = &run->problem->K;
  *p = (perp_point){.run = run, .contacts = contacts, .n = K->n, .x = x};
  const perp_error error = check(run);
  if (error)
    return error;
  const size_t n = (size_t)K->n, count = (size_t)contacts->count;
  int largest = 0;
  for (int c = 0; c < contacts->count; c++)
    if (perp_contact_rows(contacts, c) > largest)
      largest = perp_contact_rows(contacts, c);
  if (!PERP_TAKE(run->arena, PERP_ARRAY(p->in, n), PERP_ARRAY(p->pair_start, count + 1),
                 PERP_ARRAY(p->row, 2 * n), PERP_ARRAY(p->place, 2 * n),
                 PERP_ARRAY(p->normal, 2 * n), PERP_ARRAY(p->scratch, largest)) ||
      !PERP_TAKE_REALS(run->arena, 2 * n, &p->sign, &p->bound) ||
      !PERP_TAKE_ZERO_REALS(run->arena, 2 * n, &p->a, &p->b, &p->da, &p->db, &p->h) ||
      !PERP_TAKE_ZERO_REALS(run->arena, n, &p->y, &p->dx, &p->error, &p->r, &p->s, &p->t, &p->q) ||
      !PERP_TAKE_ZERO_REALS(run->arena, count, &p->weight, &p->reach) ||
      !PERP_TAKE_ZERO_REALS(run->arena, (size_t)contacts->block[count], &p->K, &p->T, &p->arrow))
    return perp_run_no_memory(run);
  for (int i = 0; i < p->n; i++)
    p->in[i] = moves(K, i);
  list_pairs(p);
  return list_cones(p) ? PERP_OK : perp_run_no_memory(run);
}

/* ---- The start ---- */

/* Returns an x inside lo .. hi, at least `room` from both or in the middle; 0 if possible. */
static double inner(double lo, double hi, double room)
{
  const double half = 0.5 * (hi - lo);
  return isfinite(half) && half <= room ? lo + half : perp_min(perp_max(0, lo + room), hi - room);
}

static void start_rows(perp_point *p, double x_size)
{
  const perp_set *K = &p->run->problem->K;
  const perp_contact_list *g = p->contacts;
  for (int k = 0; k < p->n; k++) { /* by contact: a normal before its followers */
    const int i = g->row[k];
    if (i < 3 * K->cones) {
      p->x[i] = i % 3 == 0 ? x_size : 0;
      continue;
    }
    double lo, hi;
    perp_row_bounds(K, p->x, i, &lo, &hi);
    p->x[i] = p->in[i] ? inner(lo, hi, x_size) : lo;
  }
}

/* Returns the s < r with s + w s / (r^2 - s^2) = z >= 0; w = 0 would give min(z, r). From an upper
 * bound Newton's steps decrease, as the left side is convex. */
static double smooth_within(double z, double r, double w)
{
  enum { STEPS = 30 };
  const double most = 1 - 1e-9, alike = 1e-12; /* s is inside after rounding, too */
  const double zeta = z / r, omega = w / (r * r);
  double s = perp_min(zeta, 2 * zeta / (omega + sqrt(omega * omega + 4 * zeta * zeta)));
  if (!(s > 0))
    return 0;
  s = perp_min(s, most);
  for (int k = 0; k < STEPS; k++) {
    const double d = (1 - s) * (1 + s);
    const double step = (s + omega * s / d - zeta) / (1 + omega * (1 + s * s) / (d * d));
    s = perp_min(perp_max(s - step, 0), most);
    if (!(step > alike))
      break;
  }
  return r * s;
}

/* Returns the x inside lo .. hi with x - z = rho (tau / (x - lo) - tau / (hi - x)). */
static double smooth_row(double z, double lo, double hi, double rho, double tau)
{
  const double half = 0.5 * (hi - lo), least = 1e-9;
  if (isfinite(half)) {
    const double from = z - (lo + half);
    return lo + half + copysign(smooth_within(fabs(from), half, 2 * rho * tau), from);
  }
  if (!isfinite(lo) && !isfinite(hi))
    return z;
  const double bound = isfinite(lo) ? lo : hi, inward = isfinite(lo) ? z - lo : hi - z;
  const double root = sqrt(inward * inward + 4 * rho * tau);
  const double a = inward > 0 ? 0.5 * (inward + root) : 2 * rho * tau / (root - inward);
  return bound + copysign(perp_max(a, least * fabs(bound)), isfinite(lo) ? 1 : -1);
}

/* x <- the x_t in the disc of that radius with x_t - z_t = rho q, q as on the path; z_t in x */
static void smooth_disc(int rows, double radius, double rho, double tau, double *x)
{
  const double length = perp_set_norm(rows, x);
  const double share = length > 0 ? smooth_within(length, radius, rho * tau) / length : 0;
  perp_multiply(rows, share, x);
}

/* Sets the multipliers of the path, tau / a and tau f^-1, for the x of the point. */
static void set_multipliers(perp_point *p, double tau)
{
  for (int k = 0; k < p->pairs; k++) {
    const double r = p->normal[k] >= 0 ? p->x[p->normal[k]] : 1;
    p->a[k] = p->sign[k] * (p->x[p->row[k]] - p->bound[k] * r);
    p->b[k] = tau / p->a[k];
  }
  for (int c = 0; c < p->cones; c++) {
    const perp_point_cone *k = p->cone + c;
    double *f = p->f + k->at, *z = p->z + k->at;
    f[0] = k->mu * p->x[k->normal];
    perp_copy(k->rows - 1, p->x + k->row, f + 1);
    const double length = perp_set_norm(k->rows - 1, f + 1);
    z[0] = tau / ((f[0] - length) * (1 + length / f[0]));
    for (int i = 1; i < k->rows; i++)
      z[i] = 0 - z[0] * (f[i] / f[0]);
  }
  perp_fill(p->contacts->count, 0, p->weight);
  p->omega = 0;
}

void perp_point_start(perp_point *p, double x_size, double y_size)
{
  start_rows(p, x_size);
  set_multipliers(p, x_size * y_size);
}

void perp_point_start_near(perp_point *p, const double *x, const double *y, double tau)
{
  const perp_set *K = &p->run->problem->K;
  const perp_contact_list *g = p->contacts;
  for (int i = 0; i < p->n; i++)
    p->x[i] = x[i] - y[i] / g->unit[g->of[i]];
  for (int k = 0; k < p->n; k++) { /* by contact: a normal before its followers */
    const int i = g->row[k];
    const double rho = 1 / g->unit[g->of[i]];
    const bool tangent = i < 3 * K->cones && i % 3 != 0;
    const int disc = i < 3 * K->cones ? 0 : perp_set_disc(K, i);
    double lo = 0, hi = INFINITY;
    if (i >= 3 * K->cones)
      perp_row_bounds(K, p->x, i, &lo, &hi);
    if (!p->in[i])
      p->x[i] = tangent ? 0 : lo;
    else if (disc > 0)
      smooth_disc(disc, hi, rho, tau, p->x + i);
    else if (tangent && i % 3 == 1)
      smooth_disc(2, K->mu[i / 3] * p->x[i - 1], rho, tau, p->x + i);
    else if (!tangent && disc == 0)
      p->x[i] = smooth_row(p->x[i], lo, hi, rho, tau);
  }
  set_multipliers(p, tau);
}

/* ---- Measures ---- */

double perp_point_gap(const perp_point *p, double step)
{
  double sum = 0;
  for (int k = 0; k < p->pairs; k++)
    sum += (p->a[k] + step * p->da[k]) * (p->b[k] + step * p->db[k]);
  for (int k = 0; k < p->length; k++)
    sum += (p->f[k] + step * p->df[k]) * (p->z[k] + step * p->dz[k]);
  const int degree = p->pairs + p->cones;
  return degree > 0 ? sum / degree : 0;
}

/* Returns the root of det f det z after a step, negative outside. */
KERNEL double product_of_cone(const perp_point *p, int c, int rows, double step)
{
  const int at = p->cone[c].at;
  double f[PERP_FRICTION_ROWS], z[PERP_FRICTION_ROWS];
  for (int k = 0; k < rows; k++) {
    f[k] = p->f[at + k] + step * p->df[at + k];
    z[k] = p->z[at + k] + step * p->dz[at + k];
  }
  const double det_f = cone_det(rows, f), det_z = cone_det(rows, z);
  return f[0] > 0 && z[0] > 0 && det_f > 0 && det_z > 0 ? sqrt(det_f) * sqrt(det_z) : -1;
}

double perp_point_centrality(const perp_point *p, double step, double tau)
{
  double least = INFINITY;
  for (int k = 0; k < p->pairs; k++) {
    const double a = p->a[k] + step * p->da[k], b = p->b[k] + step * p->db[k];
    if (!(a > 0 && b > 0))
      return -1;
    least = perp_min(least, a * b);
  }
  for (int c = 0; c < p->cones; c++) {
    const int rows = p->cone[c].rows;
    const double product =
        rows == 3 ? product_of_cone(p, c, 3, step) : product_of_cone(p, c, rows, step);
    if (!(product > 0))
      return -1;
    least = perp_min(least, product);
  }
  return least / tau;
}

double perp_point_imbalance(perp_point *p)
{
  const perp_contact_list *g = p->contacts;
  for (int i = 0; i < p->n; i++)
    p->error[i] = p->in[i] ? -p->y[i] : 0;
  for (int k = 0; k < p->pairs; k++)
    p->error[p->row[k]] += p->sign[k] * p->b[k];
  for (int c = 0; c < p->cones; c++)
    for (int k = 1; k < p->cone[c].rows; k++)
      p->error[p->cone[c].row + k - 1] += p->z[p->cone[c].at + k];
  double most = 0;
  for (int i = 0; i < p->n; i++)
    most = perp_max(most, fabs(p->error[i]) / sqrt(g->unit[g->of[i]]));
  return most;
}

/* ---- The matrix ---- */

/* Returns the proximal term of a contact: redundant contacts still have a solution. */
static double added(const perp_point *p, int c)
{
  const double least = 1e-10;
  return (least + p->weight[c]) * p->contacts->unit[c];
}

/* Adds K of the pairs of contact c. */
KERNEL void add_pairs(const perp_point *p, int c, int size, double *restrict K)
{
  for (int k = p->pair_start[c]; k < p->pair_start[c + 1]; k++) {
    const double ratio = p->b[k] / p->a[k], bound = p->bound[k];
    const int i = p->place[k];
    K[i * size + i] += ratio;
    if (p->normal[k] < 0)
      continue;
    K[i * size] -= bound * ratio;
    K[i] -= p->omega * bound * ratio;
    K[0] += p->omega * bound * bound * ratio;
  }
}

/* Adds K of a cone. Returns false if rounding put it on its boundary. */
KERNEL bool add_cone(const perp_point *p, int c, int d, int size, double *restrict K)
{
  const perp_point_cone *k = p->cone + c;
  perp_scaling *s = p->scaling + c;
  const int ahead = k->place - 1; /* tangent i is row ahead + i of the contact */
  const double *f = p->f + k->at, *z = p->z + k->at;
  if (!find_scaling(d, f, z, s))
    return false;
  const double *w = s->w, g = 1 / (s->eta * s->eta);
  K[0] += p->omega * k->mu * k->mu * g * (2 * w[0] * w[0] - 1);
  for (int i = 1; i < d; i++) {
    const double coupling = -2 * g * k->mu * w[0] * w[i];
    K[(ahead + i) * size] += coupling;
    K[ahead + i] += p->omega * coupling;
    for (int j = 1; j < d; j++)
      K[(ahead + i) * size + ahead + j] += g * ((i == j) + 2 * w[i] * w[j]);
  }
  return true;
}

/* ---- Its inverse, without the cancellation of an elimination ----
 *
 * K + diag(own) of a contact is an arrow: blocks B on the diagonal, one for each cone or row that
 * follows the normal, and columns c and rows omega c^T that couple them with it. With u = B^-1 c,
 *
 *   T_nn = 1 / S,  T_tn = -u / S,  T_nt = -omega u^T / S,  T_tt = B^-1 + omega u u^T / S.
 *
 * Near a solution the eigenvalues of theta are as 1 / tau, 1 and tau, and S, a difference of
 * numbers of size 1 / tau, would be lost. With g = eta^-2, e the diagonal that is added, D = g + e,
 * q_i = g w_i^2 / D_i and Q the sum of q_i over the tangents, all are sums of one sign:
 *
 *   B^-1_ii = (1 + 2 (Q - q_i)) / (D_i (1 + 2 Q)),  B^-1_ij = -2 g w_i w_j / (D_i D_j (1 + 2 Q)),
 *   u_i = -2 g mu w_0 w_i / (D_i (1 + 2 Q)),
 *   S = its pairs + omega mu^2 g (1 + 2 sum w_i^2 e_i / D_i) / (1 + 2 Q),
 *
 * and with r the ratios b / a of a row's pairs, B = r_1 + r_2 + e,
 *
 *   S = .. + omega (r_1 r_2 (bound_1 - bound_2)^2 + e (bound_1^2 r_1 + bound_2^2 r_2)) / B. */

/* B^-1 and u of a cone, u in column 0. Returns its part of S. e: by row of the contact. */
KERNEL double invert_cone(const perp_point *p, int c, int d, int size, const double *restrict e,
                          double *restrict T)
{
  const perp_point_cone *k = p->cone + c;
  const perp_scaling *s = p->scaling + c;
  const int ahead = k->place - 1;
  const double *w = s->w, g = 1 / (s->eta * s->eta);
  double Q = 0, loss = 0;
  for (int i = 1; i < d; i++) {
    Q += g * w[i] * w[i] / (g + e[ahead + i]);
    loss += e[ahead + i] * w[i] * w[i] / (g + e[ahead + i]);
  }
  for (int i = 1; i < d; i++) {
    const double D = g + e[ahead + i];
    double others = 0;
    for (int j = 1; j < d; j++) {
      const double Dj = g + e[ahead + j];
      if (j != i) {
        others += g * w[j] * w[j] / Dj;
        T[(ahead + i) * size + ahead + j] = -2 * g * w[i] * w[j] / (D * Dj * (1 + 2 * Q));
      }
    }
    T[(ahead + i) * size + ahead + i] = (1 + 2 * others) / (D * (1 + 2 * Q));
    T[(ahead + i) * size] = -2 * g * k->mu * w[0] * w[i] / (D * (1 + 2 * Q));
  }
  return k->mu * k->mu * g * (1 + 2 * loss) / (1 + 2 * Q);
}

/* The same for the pairs first .. end - 1 of the row at position i of its contact */
KERNEL double invert_row(const perp_point *p, int first, int end, int size, int i, double e,
                         double *T)
{
  double ratio = 0, tie = 0, square = 0, spread = 0;
  for (int k = first; k < end; k++) {
    const double r = p->b[k] / p->a[k], bound = p->bound[k];
    spread = k == first ? 0 : ratio * r * (bound - p->bound[first]) * (bound - p->bound[first]);
    ratio += r;
    tie += bound * r;
    square += bound * bound * r;
  }
  T[i * size + i] = 1 / (ratio + e);
  T[i * size] = -tie / (ratio + e);
  return (spread + e * square) / (ratio + e);
}

/* T <- (K + diag(own))^-1 in the rows that move, 0 in the others; arrow <- 1 / S, u, B^-1 */
KERNEL bool invert_contact(const perp_point *p, int c, int d, int size, const double *own)
{
  const perp_contact_list *g = p->contacts;
  const int *row = g->row + g->start[c];
  double *restrict T = p->T + g->block[c], *restrict arrow = p->arrow + g->block[c];
  double *restrict e = p->scratch, share = 0;
  perp_fill((int64_t)size * size, 0, arrow);
  for (int i = 0; i < size; i++) {
    e[i] = added(p, c) + own[row[i]];
    if (p->in[row[i]])
      arrow[i * size + i] = 1 / e[i]; /* a row without bounds */
  }
  double S = e[0];
  for (int k = p->pair_start[c], end; k < p->pair_start[c + 1]; k = end) {
    for (end = k + 1; end < p->pair_start[c + 1] && p->row[end] == p->row[k];)
      end++;
    const int i = p->place[k];
    if (i > 0)
      share += invert_row(p, k, end, size, i, e[i], arrow);
    for (int l = k; i == 0 && l < end; l++)
      S += p->b[l] / p->a[l];
  }
  for (int k = p->cone_start[c]; k < p->cone_start[c + 1]; k++)
    share += invert_cone(p, k, d > 0 ? d : p->cone[k].rows, size, e, arrow);
  S += p->omega * share;
  if (!(S > 0 && S < INFINITY))
    return false;
  arrow[0] = p->in[row[0]] ? 1 / S : 0;
  perp_copy((int64_t)size * size, arrow, T);
  for (int i = 1; i < size; i++) {
    T[i * size] = -arrow[i * size] * arrow[0];
    T[i] = p->omega * T[i * size];
    for (int j = 1; j < size; j++)
      T[i * size + j] += p->omega * arrow[0] * arrow[i * size] * arrow[j * size];
  }
  return true;
}

/* z <- T r by its parts: z_n = (r_n - omega u^T r_t) / S, z_t = B^-1 r_t - u z_n. Rounding changes
 * K z no more than it changes r; T multiplied out mixes 1 / tau with tau. z may not be r. */
KERNEL void times_arrow(int size, const double *restrict arrow, double omega,
                        const int *restrict row, const double *restrict r, double *restrict z)
{
  double normal = r[row[0]];
  for (int i = 1; i < size; i++)
    normal -= omega * arrow[i * size] * r[row[i]];
  z[row[0]] = normal *= arrow[0];
  for (int i = 1; i < size; i++) {
    double sum = -arrow[i * size] * normal;
    for (int j = 1; j < size; j++)
      sum += arrow[i * size + j] * r[row[j]];
    z[row[i]] = sum;
  }
}

static void times_T(const perp_point *p, const double *r, double *z)
{
  const perp_contact_list *g = p->contacts;
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c), *row = g->row + g->start[c];
    const double *arrow = p->arrow + g->block[c];
    if (size == 3)
      times_arrow(3, arrow, p->omega, row, r, z); /* unrolled */
    else
      times_arrow(size, arrow, p->omega, row, r, z);
  }
}

/* Sets K and T of a contact of `size` rows, whose cones have d rows, or different numbers if that is 0. */
KERNEL bool set_contact(const perp_point *p, int c, int d, int size, const double *own)
{
  double *restrict K = p->K + p->contacts->block[c];
  perp_fill((int64_t)size * size, 0, K);
  add_pairs(p, c, size, K);
  for (int k = p->cone_start[c]; k < p->cone_start[c + 1]; k++)
    if (!add_cone(p, k, d > 0 ? d : p->cone[k].rows, size, K))
      return false;
  for (int k = 0; k < size; k++)
    K[k * size + k] += added(p, c);
  return invert_contact(p, c, d, size, own);
}

bool perp_point_factor(perp_point *p, perp_coupled *system)
{
  const perp_contact_list *g = p->contacts;
  const double *own = perp_coupled_own(system);
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c);
    if (!(c < g->cones && size == 3 ? set_contact(p, c, 3, 3, own) /* unrolled */
                                    : set_contact(p, c, 0, size, own)))
      return false;
  }
  return perp_coupled_set(system, p->T);
}

/* ---- Right-hand sides ---- */

/* hz of a cone of d rows, without the contribution to its rows */
static inline void find_cone_side(const perp_point *p, int c, int d, double tau, bool second)
{
  const perp_scaling *s = p->scaling + c;
  const int at = p->cone[c].at;
  double lambda[PERP_FRICTION_ROWS] = {0}, t[PERP_FRICTION_ROWS] = {0};
  cone_scale(d, s, 1, p->z + at, lambda);
  cone_product(d, lambda, lambda, t);
  for (int k = 0; k < d; k++)
    t[k] = (k == 0 ? tau : 0) - t[k];
  if (second) {
    double f[PERP_FRICTION_ROWS] = {0}, z[PERP_FRICTION_ROWS] = {0};
    cone_scale(d, s, -1, p->df + at, f);
    cone_scale(d, s, 1, p->dz + at, z);
    cone_product(d, f, z, f);
    for (int k = 0; k < d; k++)
      t[k] -= f[k];
  }
  cone_divide(d, lambda, t, t);
  cone_scale(d, s, -1, t, p->hz + at);
}

/* r <- Y - y + h */
static void find_right_side(perp_point *p, double tau, bool second)
{
  perp_copy(p->n, p->error, p->r);
  for (int k = 0; k < p->pairs; k++) {
    p->h[k] = (tau - (second ? p->da[k] * p->db[k] : 0)) / p->a[k] - p->b[k];
    p->r[p->row[k]] += p->sign[k] * p->h[k];
    if (p->normal[k] >= 0 && p->in[p->normal[k]])
      p->r[p->normal[k]] -= p->omega * p->sign[k] * p->bound[k] * p->h[k];
  }
  for (int c = 0; c < p->cones; c++) {
    const perp_point_cone *k = p->cone + c;
    if (k->rows == 3)
      find_cone_side(p, c, 3, tau, second); /* unrolled */
    else
      find_cone_side(p, c, k->rows, tau, second);
    p->r[k->normal] += p->omega * k->mu * p->hz[k->at];
    for (int i = 1; i < k->rows; i++)
      p->r[k->row + i - 1] += p->hz[k->at + i];
  }
}

/* ---- Steps ---- */

/* z <- (A + K)^-1 r = T (r - A' z) */
static bool solve_once(perp_point *p, perp_coupled *system, const double *r, double *z)
{
  times_T(p, r, p->q);
  if (!perp_coupled_solve(system, p->q, z))
    return false;
  const double *rest = perp_coupled_rest(system);
  if (!rest)
    return true;
  perp_subtract(p->n, r, rest, p->q);
  times_T(p, p->q, z);
  return perp_all_finite(p->n, z);
}

/* dx <- (A + K)^-1 r */
static bool solve_system(perp_point *p, perp_coupled *system, bool refined)
{
  if (!solve_once(p, system, p->r, p->dx))
    return false;
  if (!refined)
    return true;
  perp_coupled_product(system, p->dx, p->s);
  perp_coupled_times(p->contacts, p->K, p->dx, p->t);
  for (int i = 0; i < p->n; i++)
    p->t[i] = p->in[i] ? p->r[i] - p->s[i] - p->t[i] : 0;
  if (!solve_once(p, system, p->t, p->s))
    return false;
  perp_axpy(p->n, 1, p->s, p->dx);
  return perp_all_finite(p->n, p->dx);
}

bool perp_point_step(perp_point *p, perp_coupled *system, double tau, bool second, bool refined)
{
  find_right_side(p, tau, second);
  if (!solve_system(p, system, refined))
    return false;
  for (int k = 0; k < p->pairs; k++) {
    const double dr = p->normal[k] >= 0 ? p->dx[p->normal[k]] : 0;
    p->da[k] = p->sign[k] * (p->dx[p->row[k]] - p->bound[k] * dr);
    p->db[k] = p->h[k] - p->b[k] / p->a[k] * p->da[k];
  }
  for (int c = 0; c < p->cones; c++) {
    const perp_point_cone *k = p->cone + c;
    double *df = p->df + k->at, *dz = p->dz + k->at;
    df[0] = k->mu * p->dx[k->normal];
    for (int i = 1; i < k->rows; i++)
      df[i] = p->dx[k->row + i - 1];
    if (k->rows == 3)
      cone_theta(3, p->scaling + c, df, dz); /* unrolled */
    else
      cone_theta(k->rows, p->scaling + c, df, dz);
    for (int i = 0; i < k->rows; i++)
      dz[i] = p->hz[k->at + i] - dz[i];
  }
  return true;
}

static double to_zero(double a, double d)
{
  return d < 0 ? -a / d : INFINITY;
}

KERNEL double reach_of_cone(const perp_point *p, int c, int d)
{
  const int at = p->cone[c].at;
  return perp_min(cone_step(d, p->f + at, p->df + at), cone_step(d, p->z + at, p->dz + at));
}

double perp_point_reach(perp_point *p)
{
  double least = INFINITY;
  for (int c = 0; c < p->contacts->count; c++) {
    double own = INFINITY;
    for (int k = p->pair_start[c]; k < p->pair_start[c + 1]; k++)
      own = perp_min(own, perp_min(to_zero(p->a[k], p->da[k]), to_zero(p->b[k], p->db[k])));
    for (int k = p->cone_start[c]; k < p->cone_start[c + 1]; k++) {
      const int d = p->cone[k].rows;
      own =
          perp_min(own, d == 3 ? reach_of_cone(p, k, 3) : reach_of_cone(p, k, d)); /* 3: unrolled */
    }
    p->reach[c] = own;
    least = perp_min(least, own);
  }
  return least;
}

void perp_point_move(perp_point *p, double step)
{
  perp_axpy(p->n, step, p->dx, p->x);
  perp_axpy(p->pairs, step, p->da, p->a);
  perp_axpy(p->pairs, step, p->db, p->b);
  perp_axpy(p->length, step, p->df, p->f);
  perp_axpy(p->length, step, p->dz, p->z);
}
