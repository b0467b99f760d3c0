/* interior/coulomb/step.c: the steps of point.h
 *
 * Cost: a factor; for each step a solution, and if it is refined another one and a product with A. */
#include "linalg/vector.h"
#include "method/interior/coulomb/point.h"

/* ---- The matrix ---- */

/* The place of row i, which belongs to contact c, in the contact. */
static int place_of(const perp_contacts *g, int c, int i)
{
  int k = g->start[c];
  while (g->row[k] != i)
    k++;
  return k - g->start[c];
}

/* K of the pairs of contact c. */
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

/* K of cone c; false if rounding put it on its boundary. */
static bool add_cone(const perp_point *p, int c, int size, double *K)
{
  if (!perp_cone_scale(p->f + 3 * c, p->z + 3 * c, &p->scaling[c]))
    return false;
  const double *theta = p->scaling[c].theta, mu = p->mu[c];
  K[0] += p->omega * mu * mu * theta[0];
  for (int i = 1; i < 3; i++) {
    K[i * size] += mu * theta[3 * i];
    K[i] += p->omega * mu * theta[i];
    for (int j = 1; j < 3; j++)
      K[i * size + j] += theta[3 * i + j];
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
  const perp_contacts *g = p->contacts;
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
  for (int k = 1; k < moving; k++) /* rows side by side */
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
  const double least = 1e-10; /* of the units: redundant contacts have a solution */
  const perp_contacts *g = p->contacts;
  const double *own = perp_coupled_own(system);
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c);
    double *K = p->K + g->block[c];
    perp_fill((int64_t)size * size, 0, K);
    add_pairs(p, c, size, K);
    if (c < p->cones && p->mu[c] > 0 && !add_cone(p, c, size, K))
      return false;
    for (int k = 0; k < size; k++)
      K[k * size + k] += (least + p->weight[c]) * g->unit[c];
    if (!invert_contact(p, c, own))
      return false;
  }
  return perp_coupled_set(system, p->T);
}

/* ---- Right sides ---- */

/* hz of cone c, without what adds to its rows */
static void find_cone_side(const perp_point *p, int c, double tau, bool second)
{
  const perp_scaling *s = &p->scaling[c];
  double t[3];
  perp_cone_product(s->lambda, s->lambda, t);
  for (int k = 0; k < 3; k++)
    t[k] = (k == 0 ? tau : 0) - t[k];
  if (second) {
    double f[3], z[3];
    perp_cone_times(s->inverse, p->df + 3 * c, f);
    perp_cone_times(s->W, p->dz + 3 * c, z);
    perp_cone_product(f, z, f);
    for (int k = 0; k < 3; k++)
      t[k] -= f[k];
  }
  perp_cone_divide(s->lambda, t, t);
  perp_cone_times(s->inverse, t, p->hz + 3 * c);
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
    if (!(p->mu[c] > 0))
      continue;
    find_cone_side(p, c, tau, second);
    const double *h = p->hz + 3 * c;
    p->r[3 * c] += p->omega * p->mu[c] * h[0];
    p->r[3 * c + 1] += h[1];
    p->r[3 * c + 2] += h[2];
  }
}

/* ---- The step ---- */

/* dx <- (A + K)^-1 r */
static bool solve_system(perp_point *p, perp_coupled *system, bool refined)
{
  const perp_contacts *g = p->contacts;
  perp_coupled_times(g, p->T, p->r, p->s);
  if (!perp_coupled_solve(system, p->s, p->dx))
    return false;
  if (!refined)
    return true; /* which is finite */
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
    if (!(p->mu[c] > 0))
      continue;
    double *df = p->df + 3 * c, *dz = p->dz + 3 * c;
    df[0] = p->mu[c] * p->dx[3 * c];
    df[1] = p->dx[3 * c + 1];
    df[2] = p->dx[3 * c + 2];
    perp_cone_times(p->scaling[c].theta, df, dz);
    for (int k = 0; k < 3; k++)
      dz[k] = p->hz[3 * c + k] - dz[k];
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
    if (c < p->cones && p->mu[c] > 0)
      own = perp_min(own, perp_min(perp_cone_step(p->f + 3 * c, p->df + 3 * c),
                                   perp_cone_step(p->z + 3 * c, p->dz + 3 * c)));
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
  perp_axpy(3 * p->cones, step, p->df, p->f);
  perp_axpy(3 * p->cones, step, p->dz, p->z);
}
