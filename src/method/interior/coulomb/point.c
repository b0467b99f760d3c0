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
#include "linalg/vector.h"
#include "set/set.h"

#include <string.h>

/* ---- Cones ---- */

/* a_0^2 - |a_t|^2 */
static inline double cone_det(int d, const double *a)
{
  const double length = d == 3 ? perp_hypot(a[1], a[2]) : perp_set_norm(d - 1, a + 1);
  return (a[0] - length) * (a[0] + length);
}

static inline void cone_times(int d, const double *M, const double *v, double *out)
{
  double u[PERP_FRICTION_ROWS];
  for (int i = 0; i < d; i++)
    u[i] = v[i];
  for (int i = 0; i < d; i++) {
    double sum = M[d * i] * u[0];
    for (int j = 1; j < d; j++)
      sum += M[d * i + j] * u[j];
    out[i] = sum;
  }
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
static inline bool cone_scale(int d, const double *a, const double *z, const perp_scaling *s)
{
  const double det_a = cone_det(d, a), det_z = cone_det(d, z);
  if (!(det_a > 0) || !(det_z > 0))
    return false;
  const double size_a = sqrt(det_a), size_z = sqrt(det_z), eta = sqrt(size_a / size_z);
  double product = 0, w[PERP_FRICTION_ROWS], square = 1;
  for (int k = 0; k < d; k++)
    product += (a[k] / size_a) * (z[k] / size_z);
  const double gamma = 2 * sqrt(perp_max(0.5 * (1 + product), 1));
  for (int k = 1; k < d; k++) {
    w[k] = (a[k] / size_a + -1 * (z[k] / size_z)) / gamma;
    square += w[k] * w[k];
  }
  w[0] = sqrt(square);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) {
      const double sign = (i == 0) == (j == 0) ? 1 : -1;
      const double q = i == 0 || j == 0 ? w[i > j ? i : j] : (i == j) + w[i] * w[j] / (1 + w[0]);
      s->W[d * i + j] = eta * q;
      s->inverse[d * i + j] = sign * q / eta;
      s->theta[d * i + j] = (2 * sign * w[i] * w[j] + (i != j ? 0 : i == 0 ? -1 : 1)) / (eta * eta);
    }
  cone_times(d, s->W, z, s->lambda);
  return true;
}

static perp_scaling scaling_of(const perp_point *p, const perp_point_cone *k)
{
  double *at = p->scaling + k->scaling;
  const int square = k->rows * k->rows;
  const perp_scaling s = {at, at + square, at + 2 * square, at + 3 * square};
  return s;
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
  int64_t scaling = 0;
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
                                              .at = p->length,
                                              .scaling = scaling};
      const int rows = p->cone[p->cones - 1].rows;
      p->length += rows;
      scaling += rows * (3 * rows + 1);
    }
  }
  p->cone_start[g->count] = p->cones;
  const size_t length = (size_t)p->length;
  return PERP_TAKE(p->run->arena, PERP_ARRAY(p->scaling, scaling)) &&
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

static void add_pair(perp_point *p, int i, int normal, double sign, double bound)
{
  if (!isfinite(bound))
    return;
  const int k = p->pairs++;
  p->row[k] = i;
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
          add_pair(p, i, -1, 1, 0);
        continue;
      }
      if (perp_set_disc(K, i) != 0)
        continue;
      add_pair(p, i, normal, 1, perp_set_lo(K, i));
      add_pair(p, i, normal, -1, perp_set_hi(K, i));
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
  int64_t largest = 0;
  for (int c = 0; c < contacts->count; c++)
    if (contacts->block[c + 1] - contacts->block[c] > largest)
      largest = contacts->block[c + 1] - contacts->block[c];
  if (!PERP_TAKE(run->arena, PERP_ARRAY(p->in, n), PERP_ARRAY(p->pair_start, count + 1),
                 PERP_ARRAY(p->row, 2 * n), PERP_ARRAY(p->normal, 2 * n),
                 PERP_ARRAY(p->square, 2 * largest)) ||
      !PERP_TAKE_REALS(run->arena, 2 * n, &p->sign, &p->bound) ||
      !PERP_TAKE_ZERO_REALS(run->arena, 2 * n, &p->a, &p->b, &p->da, &p->db, &p->h) ||
      !PERP_TAKE_ZERO_REALS(run->arena, n, &p->y, &p->dx, &p->error, &p->r, &p->s, &p->t) ||
      !PERP_TAKE_ZERO_REALS(run->arena, count, &p->weight, &p->reach) ||
      !PERP_TAKE_ZERO_REALS(run->arena, (size_t)contacts->block[count], &p->K, &p->T))
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

void perp_point_start(perp_point *p, double x_size, double y_size)
{
  const double tau = x_size * y_size;
  start_rows(p, x_size);
  for (int k = 0; k < p->pairs; k++) {
    const double r = p->normal[k] >= 0 ? p->x[p->normal[k]] : 1;
    p->a[k] = p->sign[k] * (p->x[p->row[k]] - p->bound[k] * r);
    p->b[k] = tau / p->a[k];
  }
  perp_fill(p->length, 0, p->f);
  perp_fill(p->length, 0, p->z);
  for (int c = 0; c < p->cones; c++) {
    const perp_point_cone *k = p->cone + c;
    p->f[k->at] = k->mu * p->x[k->normal];
    p->z[k->at] = tau / p->f[k->at];
  }
  perp_fill(p->contacts->count, 0, p->weight);
  p->omega = 0;
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
    const int rows = p->cone[c].rows, at = p->cone[c].at;
    double f[PERP_FRICTION_ROWS], z[PERP_FRICTION_ROWS];
    for (int k = 0; k < rows; k++) {
      f[k] = p->f[at + k] + step * p->df[at + k];
      z[k] = p->z[at + k] + step * p->dz[at + k];
    }
    const double det_f = cone_det(rows, f), det_z = cone_det(rows, z);
    if (!(f[0] > 0 && z[0] > 0 && det_f > 0 && det_z > 0))
      return -1;
    least = perp_min(least, sqrt(det_f) * sqrt(det_z));
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

/* Returns the index of row i in its contact c. */
static int place_of(const perp_contact_list *g, int c, int i)
{
  int k = g->start[c];
  while (g->row[k] != i)
    k++;
  return k - g->start[c];
}

/* Adds K of the pairs of contact c. */
static void add_pairs(const perp_point *p, int c, int size, double *K)
{
  for (int k = p->pair_start[c]; k < p->pair_start[c + 1]; k++) {
    const double ratio = p->b[k] / p->a[k], bound = p->bound[k];
    const int i = place_of(p->contacts, c, p->row[k]);
    K[i * size + i] += ratio;
    if (p->normal[k] < 0)
      continue;
    K[i * size] -= bound * ratio;
    K[i] -= p->omega * bound * ratio;
    K[0] += p->omega * bound * bound * ratio;
  }
}

/* Adds K of a cone. Returns false if rounding put it on its boundary. */
static bool add_cone(const perp_point *p, const perp_point_cone *k, int size, double *K)
{
  const perp_scaling s = scaling_of(p, k);
  const int d = k->rows, ahead = k->place - 1; /* tangent i is row ahead + i of the contact */
  const double *f = p->f + k->at, *z = p->z + k->at;
  if (!(d == 3 ? cone_scale(3, f, z, &s) : cone_scale(d, f, z, &s))) /* 3: unrolled */
    return false;
  K[0] += p->omega * k->mu * k->mu * s.theta[0];
  for (int i = 1; i < d; i++) {
    K[(ahead + i) * size] += k->mu * s.theta[d * i];
    K[ahead + i] += p->omega * k->mu * s.theta[i];
    for (int j = 1; j < d; j++)
      K[(ahead + i) * size + ahead + j] += s.theta[d * i + j];
  }
  return true;
}

/* A <- A^-1, by elimination with the largest pivot of each column; work: size x size. */
static bool invert(int size, double *restrict A, double *restrict work)
{
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      work[i * size + j] = i == j;
  for (int k = 0; k < size; k++) {
    int best = k;
    for (int i = k + 1; i < size; i++)
      if (fabs(A[i * size + k]) > fabs(A[best * size + k]))
        best = i;
    if (!(fabs(A[best * size + k]) > 0 && fabs(A[best * size + k]) < INFINITY))
      return false;
    for (int j = 0; best != k && j < size; j++) {
      const double u = A[k * size + j], v = work[k * size + j];
      A[k * size + j] = A[best * size + j];
      work[k * size + j] = work[best * size + j];
      A[best * size + j] = u;
      work[best * size + j] = v;
    }
    const double pivot = 1 / A[k * size + k];
    for (int j = 0; j < size; j++) {
      A[k * size + j] *= pivot;
      work[k * size + j] *= pivot;
    }
    for (int i = 0; i < size; i++) {
      const double factor = A[i * size + k];
      for (int j = 0; i != k && factor != 0 && j < size; j++) {
        A[i * size + j] -= factor * A[k * size + j];
        work[i * size + j] -= factor * work[k * size + j];
      }
    }
  }
  perp_copy((int64_t)size * size, work, A);
  return true;
}

/* T <- (K + diag(own))^-1 in the rows that move, 0 in the others. */
static bool invert_contact(const perp_point *p, int c, const double *own)
{
  const perp_contact_list *g = p->contacts;
  const int size = perp_contact_rows(g, c), *row = g->row + g->start[c];
  const double *K = p->K + g->block[c];
  double *T = p->T + g->block[c], *small = p->square, *work = p->square + size * size;
  int moving = 0;
  for (int k = 0; k < size; k++)
    for (int j = 0, at = 0; p->in[row[k]] && j <= size; j++) {
      if (j == size)
        moving++;
      else if (p->in[row[j]])
        small[moving * size + at++] = K[k * size + j] + (j == k ? own[row[k]] : 0);
    }
  for (int k = 1; k < moving; k++) /* pack the rows */
    for (int j = 0; j < moving; j++)
      small[k * moving + j] = small[k * size + j];
  if (!invert(moving, small, work))
    return false;
  perp_fill((int64_t)size * size, 0, T);
  for (int k = 0, at = 0; k < size; k++)
    for (int j = 0; p->in[row[k]] && j < size; j++)
      if (p->in[row[j]])
        T[k * size + j] = small[at++];
  return true;
}

bool perp_point_factor(perp_point *p, perp_coupled *system)
{
  const double least = 1e-10; /* relative to the units: redundant contacts still have a solution */
  const perp_contact_list *g = p->contacts;
  const double *own = perp_coupled_own(system);
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c);
    double *K = p->K + g->block[c];
    perp_fill((int64_t)size * size, 0, K);
    add_pairs(p, c, size, K);
    for (int k = p->cone_start[c]; k < p->cone_start[c + 1]; k++)
      if (!add_cone(p, p->cone + k, size, K))
        return false;
    for (int k = 0; k < size; k++)
      K[k * size + k] += (least + p->weight[c]) * g->unit[c];
    if (!invert_contact(p, c, own))
      return false;
  }
  return perp_coupled_set(system, p->T);
}

/* ---- Right-hand sides ---- */

/* hz of a cone of d rows, without the contribution to its rows */
static inline void find_cone_side(const perp_point *p, const perp_point_cone *c, int d, double tau,
                                  bool second)
{
  const perp_scaling s = scaling_of(p, c);
  double t[PERP_FRICTION_ROWS];
  cone_product(d, s.lambda, s.lambda, t);
  for (int k = 0; k < d; k++)
    t[k] = (k == 0 ? tau : 0) - t[k];
  if (second) {
    double f[PERP_FRICTION_ROWS] = {0}, z[PERP_FRICTION_ROWS] = {0};
    cone_times(d, s.inverse, p->df + c->at, f);
    cone_times(d, s.W, p->dz + c->at, z);
    cone_product(d, f, z, f);
    for (int k = 0; k < d; k++)
      t[k] -= f[k];
  }
  cone_divide(d, s.lambda, t, t);
  cone_times(d, s.inverse, t, p->hz + c->at);
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
      find_cone_side(p, k, 3, tau, second); /* unrolled */
    else
      find_cone_side(p, k, k->rows, tau, second);
    p->r[k->normal] += p->omega * k->mu * p->hz[k->at];
    for (int i = 1; i < k->rows; i++)
      p->r[k->row + i - 1] += p->hz[k->at + i];
  }
}

/* ---- Steps ---- */

/* dx <- (A + K)^-1 r */
static bool solve_system(perp_point *p, perp_coupled *system, bool refined)
{
  const perp_contact_list *g = p->contacts;
  perp_coupled_times(g, p->T, p->r, p->s);
  if (!perp_coupled_solve(system, p->s, p->dx))
    return false;
  if (!refined)
    return true; /* the step is finite */
  perp_coupled_product(system, p->dx, p->s);
  perp_coupled_times(g, p->K, p->dx, p->t);
  for (int i = 0; i < p->n; i++)
    p->t[i] = p->in[i] ? p->r[i] - p->s[i] - p->t[i] : 0;
  perp_coupled_times(g, p->T, p->t, p->s);
  if (!perp_coupled_solve(system, p->s, p->s))
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
      cone_times(3, scaling_of(p, k).theta, df, dz); /* unrolled */
    else
      cone_times(k->rows, scaling_of(p, k).theta, df, dz);
    for (int i = 0; i < k->rows; i++)
      dz[i] = p->hz[k->at + i] - dz[i];
  }
  return true;
}

static double to_zero(double a, double d)
{
  return d < 0 ? -a / d : INFINITY;
}

double perp_point_reach(perp_point *p)
{
  double least = INFINITY;
  for (int c = 0; c < p->contacts->count; c++) {
    double own = INFINITY;
    for (int k = p->pair_start[c]; k < p->pair_start[c + 1]; k++)
      own = perp_min(own, perp_min(to_zero(p->a[k], p->da[k]), to_zero(p->b[k], p->db[k])));
    for (int k = p->cone_start[c]; k < p->cone_start[c + 1]; k++) {
      const int d = p->cone[k].rows, at = p->cone[k].at;
      own = perp_min(
          own, perp_min(cone_step(d, p->f + at, p->df + at), cone_step(d, p->z + at, p->dz + at)));
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
