/* vjp_kernel.h: the gradient of one problem of a batch by one team
 *
 * The formulas are those of laws.h and derivative.c: with B = W^T A Z + D,
 *
 *   B^T lambda = Z^T w,   a = -W lambda,   p = w + A^T a:
 *   b_bar = a,   A_bar = a x^T,   lo_bar, hi_bar and mu_bar from p;
 *   of a world, with u = J^T x and v = J^T a of its bodies,
 *   J_bar = a (Minv u)^T + x (Minv v)^T,   Minv_bar = v u^T,   C_bar = a x.
 *
 * B^T has an LU factor with row exchanges, and lambda is refined with the residual Z^T p - D lambda.
 * If a pivot vanishes, the factor of B^T + epsilon I takes its place, and lambda is refined from 0
 * until the residual no longer falls: the solution in the range of B^T, which for a symmetric B is
 * the one of least norm, as on the CPU.
 *
 * Every number is computed by one lane in an order that does not depend on the number of lanes.
 * Cost: 2/3 m^3 multiply-adds for m unknowns. Workspace of a team: perp_vjp_bytes and the matrix. */
#pragma once

#include "device/device.h"
#include "method/system/active_kernel.h"
#include <perp/derivative.h>

#include <float.h>

/* ---- The gradients of a batch in the form that kernels read ----
 *
 * All problems have the same size; their arrays follow one another, as in perp_batch. */

typedef struct perp_vjp_job {
  perp_batch batch;
  perp_contact_bodies worlds; /* none: no bodies */
  perp_batch_gradient to;     /* the results, and how */
  const double *x, *y, *w;
  const perp_batch_verdict *end; /* of the solve: how x was judged */
} perp_vjp_job;

enum {
  PERP_VJP_VECTORS = 8,        /* of n doubles; see active_kernel.h */
  PERP_VJP_LISTS = 8,          /* of n short numbers, and one of the bodies */
  PERP_VJP_SHARED = 225 * 1024 /* bytes of a block on a GPU, leaving room for static memory */
};

/* Returns the memory of a team without its matrix. */
static inline size_t perp_vjp_bytes(const perp_vjp_job *job)
{
  const size_t n = (size_t)job->batch.n,
               bodies = (size_t)job->worlds.bodies * (size_t)job->worlds.freedom;
  return ((PERP_VJP_VECTORS * n + 2 * bodies) * sizeof(double) +
          (PERP_VJP_LISTS * n + (size_t)job->worlds.bodies + 1) * sizeof(int16_t) + 15) /
         16 * 16;
}

/* Returns the numbers of the matrix of m unknowns. */
static inline size_t perp_vjp_matrix(int m)
{
  return (size_t)m * (size_t)(m | 1);
}

/* Returns true if the matrix may be too large for the memory of a block. */
static inline bool perp_vjp_is_large(const perp_vjp_job *job)
{
  return perp_vjp_bytes(job) + perp_vjp_matrix(job->batch.n) * sizeof(double) > PERP_VJP_SHARED;
}

extern const perp_kernel perp_kernel_vjp; /* a batch of perp_vjp_job */

enum { PERP_VJP_REFINEMENTS = 12 };

typedef struct perp_vjp {
  perp_active f;
  const perp_vjp_job *job;
  const double *w;
  double *a, *p, *lambda;
  double *u, *v; /* of bodies, freedom each */
} perp_vjp;

TEAM void perp_vjp_share(perp_vjp *s, double *memory, double *matrix)
{
  const int n = s->f.n, bodies = s->f.bodies * s->f.freedom;
  s->a = memory + PERP_ACTIVE_VECTORS * n;
  s->p = s->a + n;
  s->lambda = s->p + n;
  s->u = s->lambda + n;
  s->v = s->u + bodies;
  perp_active_share(&s->f, memory, (int16_t *)(void *)(s->v + bodies), matrix);
}

/* p <- w + A^T a; leaves v = J^T a of a world, and u = Minv v. */
TEAM void perp_vjp_adjoint(perp_team t, const perp_vjp *s)
{
  if (s->f.A) {
    TEAM_SHORT
    for (int j = t.lane; j < s->f.n; j += t.lanes) {
      double sum = s->w[j];
      TEAM_LONG
      for (int q = 0; q < s->f.m; q++)
        sum += s->f.A[(int64_t)s->f.W_row[q] * s->f.n + j] * s->a[s->f.W_row[q]];
      s->p[j] = sum;
    }
    perp_team_sync(t);
    return;
  }
  const int freedom = s->f.freedom;
  perp_active_gather(t, &s->f, s->a, s->v);
  TEAM_SHORT
  for (int e = t.lane; e < s->f.bodies * freedom; e += t.lanes)
    s->u[e] = perp_active_velocity(&s->f, s->v + e / freedom * freedom, e / freedom, e % freedom);
  perp_team_sync(t);
  TEAM_SHORT
  for (int i = t.lane; i < s->f.n; i += t.lanes) {
    double sum = s->w[i] + perp_active_C(&s->f, i) * s->a[i];
    TEAM_ALL
    for (int side = 0; side < 2; side++) {
      const int k = s->f.body[2 * (i / s->f.together) + side];
      TEAM_ALL
      for (int f = 0; f < 6; f++)
        if (k >= 0 && f < freedom)
          sum += s->f.J[2 * freedom * i + freedom * side + f] * s->u[k * freedom + f];
    }
    s->p[i] = sum;
  }
  perp_team_sync(t);
}

/* rhs <- Z^T v - D lambda, column by column, in the order of the factor's rows; returns its largest
 * entry. */
TEAM double perp_vjp_residual(perp_team t, const perp_vjp *s, const double *v, const int16_t *order)
{
  double most = 0;
  TEAM_SHORT
  for (int at = t.lane; at < s->f.m; at += t.lanes) {
    const int q = order[at];
    double sum = 0 - s->f.D[q] * s->lambda[q];
    const int row = s->f.W_row[q];
    /* its own row, and the rows whose bounds depend on it: its cone, or friction rows anywhere */
    const int from = s->f.findex ? 0 : s->f.mu ? row / 3 * 3 : row;
    const int to = s->f.findex ? s->f.n : s->f.mu ? from + 3 : row + 1;
    TEAM_LONGER
    for (int k = 2 * from; k < 2 * to; k += s->f.mu ? 1 : 2)
      if (s->f.Z_column[k] == q)
        sum += s->f.Z[k] * v[k / 2];
    s->f.rhs[at] = sum;
    most = perp_value_most(most, fabs(sum));
  }
  most = perp_team_max(t, most);
  perp_team_sync(t);
  return most;
}

/* a <- -W lambda */
TEAM void perp_vjp_spread(perp_team t, const perp_vjp *s)
{
  TEAM_SHORT
  for (int i = t.lane; i < s->f.n; i += t.lanes)
    s->a[i] = s->f.W_column[i] >= 0 ? 0 - s->f.W[i] * s->lambda[s->f.W_column[i]] : 0;
  perp_team_sync(t);
}

/* lambda and a with B^T lambda = Z^T w; returns the relative error of this system. */
TEAM double perp_vjp_unknowns(perp_team t, perp_vjp *s, int16_t *order)
{
  const double singular = 1e-13, epsilon = 1e-8;
  double most = perp_active_fill(t, &s->f, 0);
  const bool regular = perp_active_factorise(t, &s->f, singular * most, order);
  if (!regular) {
    perp_active_fill(t, &s->f, epsilon * most);
    perp_active_factorise(t, &s->f, 0, order);
  }
  TEAM_SHORT
  for (int q = t.lane; q < s->f.m; q += t.lanes)
    s->lambda[q] = 0;
  perp_team_sync(t);
  perp_vjp_spread(t, s);
  const double size = perp_vjp_residual(t, s, s->w, order);
  double error = size;
  TEAM_SHORT
  for (int step = 0; size != 0 && step < (regular ? 2 : PERP_VJP_REFINEMENTS); step++) {
    perp_active_solve(t, &s->f);
    TEAM_SHORT
    for (int q = t.lane; q < s->f.m; q += t.lanes)
      s->lambda[q] += s->f.rhs[q];
    perp_team_sync(t);
    perp_vjp_spread(t, s);
    perp_vjp_adjoint(t, s);
    error = perp_vjp_residual(t, s, s->p, order);
    if (!(error > 4 * DBL_EPSILON * size))
      break;
  }
  if (size == 0) /* NaN is not 0 */
    perp_vjp_adjoint(t, s);
  return size != 0 ? error / size : 0;
}

/* ---- Results ---- */

/* Adds the share of friction rows on a bound to p of their normals: one lane for a normal. */
TEAM void perp_vjp_parents(perp_team t, const perp_vjp *s, double near_x)
{
  TEAM_SHORT
  for (int j = t.lane; s->f.findex && j < s->f.n; j += t.lanes)
    for (int i = 0; i < s->f.n; i++)
      if (s->f.findex[i] == j && s->f.law[i] != PERP_LAW_FREE)
        s->p[j] += perp_active_factor(&s->f, i, near_x) * s->p[i];
  perp_team_sync(t);
}

TEAM void perp_vjp_store_set(perp_team t, const perp_vjp *s, int64_t at, double near_x)
{
  const perp_vjp_job *job = s->job;
  perp_vjp_parents(t, s, near_x);
  TEAM_SHORT
  for (int i = t.lane; i < s->f.n; i += t.lanes) {
    const double normal = perp_active_follows(&s->f, i) ? fabs(s->f.x[s->f.findex[i]]) : 1;
    const double d = (normal <= near_x && perp_active_follows(&s->f, i) ? 0 : normal) * s->p[i];
    if (job->to.lo)
      job->to.lo[at + i] = s->f.law[i] == PERP_LAW_LO ? d : 0;
    if (job->to.hi)
      job->to.hi[at + i] = s->f.law[i] == PERP_LAW_HI ? d : 0;
    if (job->to.mu && i % 3 == 0) {
      /* W of a sliding cone holds tau, turned by a right angle */
      const bool slides = s->f.law[i] == PERP_LAW_SLIDE && s->f.x[i] > near_x;
      job->to.mu[(at + i) / 3] =
          slides ? -s->f.x[i] * (s->f.W[i + 2] * s->p[i + 1] - s->f.W[i + 1] * s->p[i + 2]) : 0;
    }
  }
}

TEAM void perp_vjp_store_world(perp_team t, const perp_vjp *s, int64_t at, int64_t bodies)
{
  const perp_vjp_job *job = s->job;
  const int freedom = job->worlds.freedom, width = 2 * freedom;
  perp_active_gather(t, &s->f, s->f.x, s->u);
  TEAM_SHORT
  for (int e = t.lane; job->to.J && e < width * s->f.n; e += t.lanes) {
    const int i = e / width, k = s->f.body[2 * (i / job->worlds.together) + e % width / freedom];
    job->to.J[width * at + e] =
        k < 0 ? 0
              : s->a[i] * perp_active_velocity(&s->f, s->u + k * freedom, k, e % freedom) +
                    s->f.x[i] * perp_active_velocity(&s->f, s->v + k * freedom, k, e % freedom);
  }
  TEAM_SHORT
  for (int e = t.lane; job->to.Minv && e < job->worlds.bodies * freedom * freedom; e += t.lanes) {
    const int k = e / (freedom * freedom), i = e / freedom % freedom, j = e % freedom;
    job->to.Minv[freedom * freedom * bodies + e] = s->v[k * freedom + i] * s->u[k * freedom + j];
  }
  TEAM_SHORT
  for (int i = t.lane; job->to.C && i < s->f.n; i += t.lanes)
    job->to.C[at + i] = s->a[i] * s->f.x[i];
}

/* Gives every gradient of the problem the same value: 0, or NaN for "none". */
TEAM void perp_vjp_store_none(perp_team t, const perp_vjp_job *job, int k, double value)
{
  const int64_t n = job->batch.n,
                square = (int64_t)job->worlds.freedom * job->worlds.freedom * job->worlds.bodies;
  double *const to[] = {job->to.b, job->to.lo, job->to.hi,   job->to.C,
                        job->to.A, job->to.J,  job->to.Minv, job->to.mu};
  const int64_t count[] = {n, n, n, n, n * n, 2 * job->worlds.freedom * n, square, n / 3};
  for (int e = 0; e < 8; e++)
    for (int64_t i = t.lane; to[e] && i < count[e]; i += t.lanes)
      to[e][k * count[e] + i] = value;
}

/* Computes the gradient of problem k, with a matrix of at most `room` unknowns; if it has more,
 * error[k] <- `crowded`. memory: perp_vjp_bytes; matrix: room (room | 1) numbers. */
TEAM void perp_vjp_one(perp_team t, const perp_vjp_job *job, int k, int room, double crowded,
                       double *memory, double *matrix)
{
  const perp_batch_verdict end = job->end[k];
  if (end.error || end.outcome != PERP_SOLVED) {
    perp_vjp_store_none(t, job, k, job->to.zero_unsolved ? 0 : NAN);
    if (t.lane == 0) {
      job->to.error[k] = NAN;
      if (job->to.degenerate)
        job->to.degenerate[k] = 0;
    }
    return;
  }
  const int64_t at = (int64_t)k * job->batch.n, set = job->batch.same_K ? 0 : at,
                bodies = (int64_t)k * job->worlds.bodies;
  perp_vjp s;
  s.job = job;
  s.f.bodies = job->worlds.bodies;
  s.f.freedom = job->worlds.freedom;
  s.f.together = job->worlds.together;
  s.f.cfm = job->worlds.cfm; /* without C */
  s.f.n = job->batch.n;
  s.f.A = job->batch.worlds ? NULL : job->batch.A + (job->batch.same_A ? 0 : at * job->batch.n);
  s.f.J = job->worlds.J ? job->worlds.J + 2 * job->worlds.freedom * at : NULL;
  s.f.Minv = job->worlds.Minv
                 ? job->worlds.Minv + job->worlds.freedom * job->worlds.freedom * bodies
                 : NULL;
  s.f.C = job->worlds.C_diagonal ? job->worlds.C_diagonal + at : NULL;
  s.f.body = job->worlds.body ? job->worlds.body + 2 * (at / job->worlds.together) : NULL;
  s.f.lo = job->batch.lo ? job->batch.lo + set : NULL;
  s.f.hi = job->batch.hi ? job->batch.hi + set : NULL;
  s.f.mu = job->batch.mu ? job->batch.mu + set / 3 : NULL;
  s.f.findex = job->batch.findex && !job->batch.mu ? job->batch.findex + set : NULL;
  s.f.x = job->x + at;
  s.f.y = job->y + at;
  s.w = job->w + at;
  perp_vjp_share(&s, memory, matrix);
  if (!s.f.A)
    perp_active_list_sides(t, &s.f);
  double most = 0;
  TEAM_SHORT
  for (int i = t.lane; i < s.f.n; i += t.lanes)
    most = perp_value_greater(most, fabs(s.f.x[i]));
  most = perp_team_max(t, most);
  const double noise = 10 * end.residual;
  const perp_law_limits limits = {perp_value_greater(job->to.near * most, noise),
                                  perp_value_greater(job->to.near * end.scale, noise),
                                  job->to.degenerate_side == PERP_DEGENERATE_HOLD};
  const int degenerate = perp_active_laws(t, &s.f, &limits);
  if (s.f.m > room) {
    if (t.lane == 0)
      job->to.error[k] = crowded;
    return;
  }
  s.f.apart = s.f.m | 1;
  /* the order of rows takes the place of `kink`, which is no longer needed */
  const double error = perp_vjp_unknowns(t, &s, s.f.kink);
  TEAM_SHORT
  for (int i = t.lane; job->to.b && i < s.f.n; i += t.lanes)
    job->to.b[at + i] = s.a[i];
  TEAM_LONG
  for (int e = t.lane; job->to.A && e < s.f.n * s.f.n; e += t.lanes)
    job->to.A[at * s.f.n + e] = s.a[e / s.f.n] * s.f.x[e % s.f.n];
  if (!s.f.A)
    perp_vjp_store_world(t, &s, at, bodies);
  perp_team_sync(t);
  if (job->to.lo || job->to.hi || job->to.mu)
    perp_vjp_store_set(t, &s, at, limits.near_x);
  if (t.lane == 0) {
    job->to.error[k] = error;
    if (job->to.degenerate)
      job->to.degenerate[k] = degenerate;
  }
}
