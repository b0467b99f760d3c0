/* interior/coulomb/point.c: see point.h. What a point is, how far it is from the path */
#include "method/interior/coulomb/point.h"

#include "linalg/vector.h"
#include "set/set.h"

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
                           "ipm needs normals that stay above 0, but row %d follows row %d", i, j);
    if (lo == perp_set_hi(K, i) && lo != 0)
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "ipm needs friction bounds that differ, but row %d has lo = hi = %g", i,
                           lo);
  }
  return PERP_OK;
}

/* Whether row i can move. Bounds that follow a normal fixed at 0 are 0. */
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
  const perp_contacts *g = p->contacts;
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
      add_pair(p, i, normal, 1, perp_set_lo(K, i));
      add_pair(p, i, normal, -1, perp_set_hi(K, i));
    }
  }
  p->pair_start[g->count] = p->pairs;
}

perp_error perp_point_create(perp_run *run, const perp_contacts *contacts, double *x, perp_point *p)
{
  const perp_set *K = &run->problem->K;
  *p = (perp_point){
      .run = run, .contacts = contacts, .mu = K->mu, .n = K->n, .cones = K->cones, .x = x};
  const perp_error error = check(run);
  if (error)
    return error;
  const size_t n = (size_t)K->n, cones = (size_t)K->cones, count = (size_t)contacts->count;
  int64_t largest = 0;
  for (int c = 0; c < contacts->count; c++)
    if (contacts->block[c + 1] - contacts->block[c] > largest)
      largest = contacts->block[c + 1] - contacts->block[c];
  if (!PERP_TAKE(run->arena, PERP_ARRAY(p->in, n), PERP_ARRAY(p->pair_start, count + 1),
                 PERP_ARRAY(p->row, 2 * n), PERP_ARRAY(p->normal, 2 * n),
                 PERP_ARRAY(p->scaling, cones), PERP_ARRAY(p->square, 2 * largest)) ||
      !PERP_TAKE_REALS(run->arena, 2 * n, &p->sign, &p->bound) ||
      !PERP_TAKE_ZERO_REALS(run->arena, 2 * n, &p->a, &p->b, &p->da, &p->db, &p->h) ||
      !PERP_TAKE_ZERO_REALS(run->arena, 3 * cones, &p->f, &p->z, &p->df, &p->dz, &p->hz) ||
      !PERP_TAKE_ZERO_REALS(run->arena, n, &p->y, &p->dx, &p->error, &p->r, &p->s, &p->t) ||
      !PERP_TAKE_ZERO_REALS(run->arena, count, &p->weight, &p->reach) ||
      !PERP_TAKE_ZERO_REALS(run->arena, (size_t)contacts->block[count], &p->K, &p->T))
    return perp_run_no_memory(run);
  for (int i = 0; i < p->n; i++)
    p->in[i] = moves(K, i);
  list_pairs(p);
  return PERP_OK;
}

/* ---- The start ---- */

/* x inside lo .. hi, at least `room` from both or in the middle; 0 if it may be */
static double inner(double lo, double hi, double room)
{
  const double half = 0.5 * (hi - lo);
  return isfinite(half) && half <= room ? lo + half : perp_min(perp_max(0, lo + room), hi - room);
}

static void start_rows(perp_point *p, double x_size)
{
  const perp_set *K = &p->run->problem->K;
  const perp_contacts *g = p->contacts;
  for (int k = 0; k < p->n; k++) { /* by contact: a normal before those that follow it */
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
  perp_fill(3 * p->cones, 0, p->f);
  perp_fill(3 * p->cones, 0, p->z);
  for (int c = 0; c < p->cones; c++)
    if (p->mu[c] > 0) {
      p->f[3 * c] = p->mu[c] * p->x[3 * c];
      p->z[3 * c] = tau / p->f[3 * c];
    }
  perp_fill(p->contacts->count, 0, p->weight);
  p->omega = 0;
}

/* ---- Measures ---- */

/* The number of pairs and cones. */
static int degree_of(const perp_point *p)
{
  int cones = 0;
  for (int c = 0; c < p->cones; c++)
    cones += p->mu[c] > 0;
  return p->pairs + cones;
}

double perp_point_gap(const perp_point *p, double step)
{
  double sum = 0;
  for (int k = 0; k < p->pairs; k++)
    sum += (p->a[k] + step * p->da[k]) * (p->b[k] + step * p->db[k]);
  for (int k = 0; k < 3 * p->cones; k++)
    sum += (p->f[k] + step * p->df[k]) * (p->z[k] + step * p->dz[k]);
  const int degree = degree_of(p);
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
    if (!(p->mu[c] > 0))
      continue;
    double f[3], z[3];
    for (int k = 0; k < 3; k++) {
      f[k] = p->f[3 * c + k] + step * p->df[3 * c + k];
      z[k] = p->z[3 * c + k] + step * p->dz[3 * c + k];
    }
    const double det_f = perp_cone_det(f), det_z = perp_cone_det(z);
    if (!(f[0] > 0 && z[0] > 0 && det_f > 0 && det_z > 0))
      return -1;
    least = perp_min(least, sqrt(det_f) * sqrt(det_z));
  }
  return least / tau;
}

double perp_point_imbalance(perp_point *p)
{
  const perp_contacts *g = p->contacts;
  for (int i = 0; i < p->n; i++)
    p->error[i] = p->in[i] ? -p->y[i] : 0;
  for (int k = 0; k < p->pairs; k++)
    p->error[p->row[k]] += p->sign[k] * p->b[k];
  for (int c = 0; c < p->cones; c++)
    if (p->mu[c] > 0) {
      p->error[3 * c + 1] += p->z[3 * c + 1];
      p->error[3 * c + 2] += p->z[3 * c + 2];
    }
  double most = 0;
  for (int i = 0; i < p->n; i++)
    most = perp_max(most, fabs(p->error[i]) / sqrt(g->unit[g->of[i]]));
  return most;
}
