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

#include "device/values.h"
#include "model/derivative/law.h"
#include "model/derivative/vjp_job.h"

#include <float.h>

enum { PERP_VJP_REFINEMENTS = 12 };

typedef struct perp_vjp {
  const perp_vjp_job *job;
  int n, m; /* rows and unknowns */
  /* the caller's arrays, of this problem */
  const double *A, *J, *Minv, *C, *lo, *hi, *mu, *x, *y, *w;
  const int *body, *findex;
  /* memory of the team */
  double *Z; /* 2 n: values */
  double *W; /* n */
  double *D; /* n: of unknowns */
  double *a, *p, *lambda, *rhs;
  double *u, *v;     /* of bodies, freedom each */
  int16_t *Z_column; /* 2 n, -1: none */
  int16_t *W_column; /* n, -1: none */
  int16_t *W_row;    /* n: of unknowns */
  int16_t *law, *kink;
  double *M; /* m x m, `apart` from row to row */
  int apart;
} perp_vjp;

TEAM void perp_vjp_share(perp_vjp *s, double *memory, double *matrix)
{
  const int n = s->n, bodies = s->job->m * s->job->freedom;
  s->Z = memory;
  s->W = s->Z + 2 * n;
  s->D = s->W + n;
  s->a = s->D + n;
  s->p = s->a + n;
  s->lambda = s->p + n;
  s->rhs = s->lambda + n;
  s->u = s->rhs + n;
  s->v = s->u + bodies;
  s->Z_column = (int16_t *)(void *)(s->v + bodies);
  s->W_column = s->Z_column + 2 * n;
  s->W_row = s->W_column + n;
  s->law = s->W_row + n;
  s->kink = s->law + n;
  s->M = matrix;
}

/* ---- Laws ---- */

TEAM double perp_vjp_lo(const perp_vjp *s, int i)
{
  return s->lo ? perp_value_bound(s->lo[i]) : 0;
}

TEAM double perp_vjp_hi(const perp_vjp *s, int i)
{
  return s->hi ? perp_value_bound(s->hi[i]) : HUGE_VAL;
}

/* A bound times |x_j|; an infinite one stays so. */
TEAM double perp_vjp_bound(double bound, double normal)
{
  return fabs(bound) < HUGE_VAL ? bound * normal : bound;
}

TEAM bool perp_vjp_is_friction(const perp_vjp *s, int i)
{
  return s->findex && s->findex[i] >= 0;
}

TEAM bool perp_vjp_moves(const perp_vjp *s, int i)
{
  return s->law[i] == PERP_LAW_FREE || s->kink[i];
}

/* Finds the laws of cones. Z of a sliding cone's second and third row holds tau for now. */
TEAM void perp_vjp_cone(const perp_vjp *s, const perp_law_limits *limits, int c)
{
  double force, slip[2];
  bool degenerate;
  const int row = 3 * c;
  const perp_law law =
      perp_law_cone(limits, s->mu[c], s->x + row, s->y + row, &degenerate, &force, slip);
  for (int k = 0; k < 3; k++) {
    s->law[row + k] = (int16_t)law;
    s->kink[row + k] = (int16_t)(k == 0 && degenerate);
  }
  s->Z[2 * row] = force;
  for (int k = 0; k < 2; k++)
    s->Z[2 * (row + 1 + k)] = slip[k];
}

TEAM void perp_vjp_row(const perp_vjp *s, const perp_law_limits *limits, int i, bool friction)
{
  bool degenerate;
  double lo = perp_vjp_lo(s, i), hi = perp_vjp_hi(s, i);
  const int j = friction ? s->findex[i] : -1;
  if (friction) {
    lo = perp_vjp_bound(lo, fabs(s->x[j]));
    hi = perp_vjp_bound(hi, fabs(s->x[j]));
  }
  const perp_law law = perp_law_row(limits, s->x[i], s->y[i], lo, hi, &degenerate);
  /* without a force, and if none can arise, friction is 0 at either bound */
  if (friction && fabs(s->x[j]) <= limits->near_x)
    degenerate = perp_vjp_moves(s, j) && law != PERP_LAW_FREE;
  s->law[i] = (int16_t)law;
  s->kink[i] = (int16_t)degenerate;
}

/* Returns true if an unknown begins at row i: a free row, the normal of a sliding cone in its first
 * row, its direction in the second. */
TEAM bool perp_vjp_begins(const perp_vjp *s, int i)
{
  if (s->law[i] != PERP_LAW_SLIDE)
    return s->law[i] == PERP_LAW_FREE || s->law[i] == PERP_LAW_STICK;
  const int row = i / 3 * 3;
  const double *tau = s->Z + 2 * (row + 1);
  return i == row ||
         (i == row + 1 && s->mu[i / 3] * s->Z[2 * row] > 0 && (tau[0] != 0 || tau[2] != 0));
}

/* Numbers the unknowns, ascending with the rows; returns the number of degenerate rows. */
TEAM int perp_vjp_number(perp_team t, perp_vjp *s)
{
  int degenerate = 0;
  s->m = 0;
  TEAM_SHORT
  for (int begin = 0; begin < s->n; begin += t.lanes) {
    const int i = begin + t.lane;
    const bool first = i < s->n && perp_vjp_begins(s, i);
    const perp_vote vote = perp_team_vote(t, first);
    if (i < s->n)
      s->W_column[i] = (int16_t)(first ? s->m + vote.before : -1);
    if (first)
      s->W_row[s->m + vote.before] = (int16_t)i;
    s->m += vote.count;
    degenerate += perp_team_vote(t, i < s->n && s->kink[i]).count;
  }
  perp_team_sync(t);
  return degenerate;
}

/* Z, W and D of a sliding cone. */
TEAM void perp_vjp_slide(const perp_vjp *s, int row)
{
  const double mu = s->mu[row / 3], tau[2] = {s->Z[2 * row + 2], s->Z[2 * row + 4]};
  const double most = mu * s->Z[2 * row];
  const int normal = s->W_column[row], turn = s->W_column[row + 1];
  s->D[normal] = 0;
  s->Z[2 * row] = s->W[row] = 1;
  s->Z_column[2 * row] = (int16_t)normal;
  s->Z_column[2 * row + 1] = -1;
  for (int k = 0; k < 2; k++) {
    const int i = row + 1 + k;
    const double across = k == 0 ? -tau[1] : tau[0];
    s->Z[2 * i] = -mu * tau[k];
    s->Z[2 * i + 1] = s->W[i] = across;
    s->Z_column[2 * i] = (int16_t)normal;
    s->Z_column[2 * i + 1] = s->W_column[i] = (int16_t)turn;
  }
  if (turn >= 0)
    s->D[turn] = s->kink[row] ? 0 : perp_everywhere_hypot(s->y[row + 1], s->y[row + 2]) / most;
}

/* Z, W and D of a row that is free or on its bound. */
TEAM void perp_vjp_plain(const perp_vjp *s, int i)
{
  const int own = s->W_column[i];
  s->Z_column[2 * i] = (int16_t)own;
  s->Z_column[2 * i + 1] = -1;
  s->Z[2 * i] = s->W[i] = own >= 0;
  if (own >= 0)
    s->D[own] = 0;
}

/* c s_j of a friction row on its bound, laws.h. */
TEAM double perp_vjp_factor(const perp_vjp *s, int i, double near_x)
{
  const double c = s->law[i] == PERP_LAW_LO ? perp_vjp_lo(s, i) : perp_vjp_hi(s, i);
  const double normal = s->x[s->findex[i]];
  return fabs(normal) <= near_x || normal > 0 ? c : -c;
}

TEAM bool perp_vjp_follows(const perp_vjp *s, int i)
{
  return perp_vjp_is_friction(s, i) && s->law[i] != PERP_LAW_FREE;
}

TEAM int perp_vjp_laws(perp_team t, perp_vjp *s, const perp_law_limits *limits)
{
  TEAM_SHORT
  for (int c = t.lane; s->mu && c < s->n / 3; c += t.lanes)
    perp_vjp_cone(s, limits, c);
  TEAM_SHORT
  for (int i = t.lane; !s->mu && i < s->n; i += t.lanes)
    if (!perp_vjp_is_friction(s, i))
      perp_vjp_row(s, limits, i, false);
  perp_team_sync(t);
  TEAM_SHORT
  for (int i = t.lane; !s->mu && i < s->n; i += t.lanes)
    if (perp_vjp_is_friction(s, i))
      perp_vjp_row(s, limits, i, true);
  perp_team_sync(t);
  const int degenerate = perp_vjp_number(t, s);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    if (s->law[i] != PERP_LAW_SLIDE)
      perp_vjp_plain(s, i);
    else if (i % 3 == 0)
      perp_vjp_slide(s, i);
  perp_team_sync(t);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    if (perp_vjp_follows(s, i)) {
      s->Z_column[2 * i] = s->Z_column[2 * s->findex[i]];
      s->Z[2 * i] = perp_vjp_factor(s, i, limits->near_x);
    }
  perp_team_sync(t);
  return degenerate;
}

/* ---- Products ---- */

/* u <- J^T x of all bodies */
TEAM void perp_vjp_gather(perp_team t, const perp_vjp *s, const double *x, double *u)
{
  const int freedom = s->job->freedom, together = s->job->together, contacts = s->n / together;
  TEAM_SHORT
  for (int e = t.lane; e < s->job->m * freedom; e += t.lanes) {
    const int k = e / freedom, f = e % freedom;
    double sum = 0;
    for (int c = 0; c < contacts; c++)
      for (int side = 0; side < 2; side++)
        if (s->body[2 * c + side] == k)
          for (int i = c * together; i < (c + 1) * together; i++)
            sum += s->J[2 * freedom * i + freedom * side + f] * x[i];
    u[e] = sum;
  }
  perp_team_sync(t);
}

/* Returns (Minv u)_f of body k. */
TEAM double perp_vjp_velocity(const perp_vjp *s, const double *u, int k, int f)
{
  const int freedom = s->job->freedom;
  const double *M = s->Minv + (int64_t)(k * freedom + f) * freedom;
  double sum = 0;
  for (int j = 0; j < freedom; j++)
    sum += M[j] * u[k * freedom + j];
  return sum;
}

/* Returns C_ii of a world. */
TEAM double perp_vjp_C(const perp_vjp *s, int i)
{
  return s->C ? s->C[i] : s->job->cfm;
}

/* p <- w + A^T a; leaves v = J^T a of a world. */
TEAM void perp_vjp_adjoint(perp_team t, const perp_vjp *s)
{
  if (s->A) {
    TEAM_SHORT
    for (int j = t.lane; j < s->n; j += t.lanes) {
      double sum = s->w[j];
      TEAM_LONG
      for (int q = 0; q < s->m; q++)
        sum += s->A[(int64_t)s->W_row[q] * s->n + j] * s->a[s->W_row[q]];
      s->p[j] = sum;
    }
    perp_team_sync(t);
    return;
  }
  const int freedom = s->job->freedom;
  perp_vjp_gather(t, s, s->a, s->v);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    double sum = s->w[i] + perp_vjp_C(s, i) * s->a[i];
    for (int side = 0; side < 2; side++) {
      const int k = s->body[2 * (i / s->job->together) + side];
      for (int f = 0; k >= 0 && f < freedom; f++)
        sum += s->J[2 * freedom * i + freedom * side + f] * perp_vjp_velocity(s, s->v, k, f);
    }
    s->p[i] = sum;
  }
  perp_team_sync(t);
}

/* rhs <- Z^T v - D lambda, column by column; returns its largest entry. */
TEAM double perp_vjp_residual(perp_team t, const perp_vjp *s, const double *v)
{
  double most = 0;
  TEAM_SHORT
  for (int q = t.lane; q < s->m; q += t.lanes) {
    double sum = 0 - s->D[q] * s->lambda[q];
    const int row = s->W_row[q];
    /* its own row, and those that follow it: the rows of its cone, or friction rows anywhere */
    const int from = s->findex ? 0 : s->mu ? row / 3 * 3 : row;
    const int to = s->findex ? s->n : s->mu ? from + 3 : row + 1;
    for (int k = 2 * from; k < 2 * to; k++)
      if (s->Z_column[k] == q)
        sum += s->Z[k] * v[k / 2];
    s->rhs[q] = sum;
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
  for (int i = t.lane; i < s->n; i += t.lanes)
    s->a[i] = s->W_column[i] >= 0 ? 0 - s->W[i] * s->lambda[s->W_column[i]] : 0;
  perp_team_sync(t);
}

/* ---- The matrix ---- */

/* Adds W_i A_ij Z_j of row i of a world, for all j, to column r of M. */
TEAM void perp_vjp_add_row(const perp_vjp *s, int i, int r)
{
  const int freedom = s->job->freedom, together = s->job->together;
  const int *own = s->body + 2 * (i / together);
  double g[12];
  for (int side = 0; side < 2; side++)
    for (int f = 0; f < freedom; f++) {
      double sum = 0;
      for (int j = 0; own[side] >= 0 && j < freedom; j++)
        sum += s->Minv[(int64_t)(own[side] * freedom + f) * freedom + j] *
               s->J[2 * freedom * i + freedom * side + j];
      g[6 * side + f] = sum;
    }
  TEAM_SHORT
  for (int j = 0; j < s->n; j++) {
    if (s->Z_column[2 * j] < 0)
      continue;
    const int *other = s->body + 2 * (j / together);
    double sum = i == j ? perp_vjp_C(s, i) : 0;
    bool any = i == j;
    for (int e = 0; e < 4; e++)
      if (own[e / 2] >= 0 && own[e / 2] == other[e % 2]) {
        any = true;
        for (int f = 0; f < freedom; f++)
          sum += g[6 * (e / 2) + f] * s->J[2 * freedom * j + freedom * (e % 2) + f];
      }
    for (int k = 2 * j; any && k < 2 * j + 2; k++)
      if (s->Z_column[k] >= 0)
        s->M[s->Z_column[k] * s->apart + r] += s->W[i] * sum * s->Z[k];
  }
}

/* M <- B^T + shift I; returns its largest entry. */
TEAM double perp_vjp_fill(perp_team t, const perp_vjp *s, double shift)
{
  const int m = s->m;
  double most = 0;
  if (s->A) {
    TEAM_LONG
    for (int e = t.lane; e < m * m; e += t.lanes) {
      const int r = e / m, c = e % m;
      s->M[c * s->apart + r] =
          s->A[(int64_t)s->W_row[r] * s->n + s->W_row[c]] + (r == c ? shift : 0);
    }
    perp_team_sync(t);
  }
  TEAM_SHORT
  for (int r = t.lane; r < m; r += t.lanes) {
    if (!s->A) {
      const int i = s->W_row[r];
      for (int c = 0; c < m; c++)
        s->M[c * s->apart + r] = c == r ? s->D[r] + shift : 0;
      perp_vjp_add_row(s, i, r);
      if (i + 1 < s->n && s->W_column[i + 1] == r)
        perp_vjp_add_row(s, i + 1, r);
    }
    for (int c = 0; c < m; c++)
      most = perp_value_most(most, fabs(s->M[c * s->apart + r]));
  }
  most = perp_team_max(t, most);
  perp_team_sync(t);
  return most;
}

/* Returns the row of the largest entry of column k from the diagonal on, the first of equal ones. */
TEAM int perp_vjp_pivot(perp_team t, const perp_vjp *s, int k, double *size)
{
  double most = 0;
  TEAM_SHORT
  for (int i = k + t.lane; i < s->m; i += t.lanes)
    most = perp_value_greater(most, fabs(s->M[i * s->apart + k]));
  *size = perp_team_max(t, most);
  int64_t row = INT64_MAX;
  TEAM_SHORT
  for (int i = k + t.lane; i < s->m; i += t.lanes)
    if (fabs(s->M[i * s->apart + k]) == *size)
      row = perp_value_least(row, i);
  row = perp_team_least(t, row);
  return row == INT64_MAX ? k : (int)row;
}

/* M <- its LU factor; row k was exchanged with row exchange[k]. Returns false if a pivot is
 * not above `least`. */
TEAM bool perp_vjp_factorise(perp_team t, const perp_vjp *s, double least, int16_t *exchange)
{
  TEAM_SHORT
  for (int k = 0; k < s->m; k++) {
    double size;
    const int pivot = perp_vjp_pivot(t, s, k, &size);
    if (!(size > least))
      return false;
    if (t.lane == 0)
      exchange[k] = (int16_t)pivot;
    double *top = s->M + k * s->apart, *other = s->M + pivot * s->apart;
    TEAM_SHORT
    for (int j = t.lane; pivot != k && j < s->m; j += t.lanes) {
      const double kept = top[j];
      top[j] = other[j];
      other[j] = kept;
    }
    perp_team_sync(t);
    const double inverse = 1 / top[k];
    TEAM_SHORT
    for (int i = k + 1 + t.lane; i < s->m; i += t.lanes)
      s->M[i * s->apart + k] *= inverse;
    perp_team_sync(t);
    TEAM_SHORT
    for (int i = k + 1 + t.row; i < s->m; i += t.rows) {
      double *row = s->M + i * s->apart;
      const double factor = row[k];
      TEAM_LONG
      for (int j = k + 1 + t.column; j < s->m; j += t.columns)
        row[j] -= factor * top[j];
    }
    perp_team_sync(t);
  }
  return true;
}

/* rhs <- M^-1 rhs */
TEAM void perp_vjp_solve(perp_team t, const perp_vjp *s, const int16_t *exchange)
{
  double *z = s->rhs;
  if (t.lane == 0)
    for (int k = 0; k < s->m; k++) {
      const double kept = z[k];
      z[k] = z[exchange[k]];
      z[exchange[k]] = kept;
    }
  perp_team_sync(t);
  TEAM_SHORT
  for (int k = 0; k < s->m; k++) {
    TEAM_SHORT
    for (int i = k + 1 + t.lane; i < s->m; i += t.lanes)
      z[i] -= s->M[i * s->apart + k] * z[k];
    perp_team_sync(t);
  }
  TEAM_SHORT
  for (int k = s->m - 1; k >= 0; k--) {
    if (t.lane == 0)
      z[k] /= s->M[k * s->apart + k];
    perp_team_sync(t);
    TEAM_SHORT
    for (int i = t.lane; i < k; i += t.lanes)
      z[i] -= s->M[i * s->apart + k] * z[k];
    perp_team_sync(t);
  }
}

/* lambda and a with B^T lambda = Z^T w; returns the relative error of this system. */
TEAM double perp_vjp_unknowns(perp_team t, perp_vjp *s, int16_t *exchange)
{
  const double singular = 1e-13, epsilon = 1e-8;
  double most = perp_vjp_fill(t, s, 0);
  const bool regular = perp_vjp_factorise(t, s, singular * most, exchange);
  if (!regular) {
    perp_vjp_fill(t, s, epsilon * most);
    perp_vjp_factorise(t, s, 0, exchange);
  }
  TEAM_SHORT
  for (int q = t.lane; q < s->m; q += t.lanes)
    s->lambda[q] = 0;
  perp_team_sync(t);
  perp_vjp_spread(t, s);
  const double size = perp_vjp_residual(t, s, s->w);
  double error = size;
  TEAM_SHORT
  for (int step = 0; size > 0 && step < (regular ? 2 : PERP_VJP_REFINEMENTS); step++) {
    perp_vjp_solve(t, s, exchange);
    TEAM_SHORT
    for (int q = t.lane; q < s->m; q += t.lanes)
      s->lambda[q] += s->rhs[q];
    perp_team_sync(t);
    perp_vjp_spread(t, s);
    perp_vjp_adjoint(t, s);
    error = perp_vjp_residual(t, s, s->p);
    if (!(error > 4 * DBL_EPSILON * size))
      break;
  }
  if (!(size > 0))
    perp_vjp_adjoint(t, s);
  return size > 0 ? error / size : 0;
}

/* ---- Results ---- */

/* Adds the share of friction rows on a bound to p of their normals: one lane for a normal. */
TEAM void perp_vjp_parents(perp_team t, const perp_vjp *s, double near_x)
{
  TEAM_SHORT
  for (int j = t.lane; s->findex && j < s->n; j += t.lanes)
    for (int i = 0; i < s->n; i++)
      if (s->findex[i] == j && s->law[i] != PERP_LAW_FREE)
        s->p[j] += perp_vjp_factor(s, i, near_x) * s->p[i];
  perp_team_sync(t);
}

TEAM void perp_vjp_store_set(perp_team t, const perp_vjp *s, int64_t at, double near_x)
{
  const perp_vjp_job *job = s->job;
  perp_vjp_parents(t, s, near_x);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes) {
    const double normal = perp_vjp_follows(s, i) ? fabs(s->x[s->findex[i]]) : 1;
    const double d = (normal <= near_x && perp_vjp_follows(s, i) ? 0 : normal) * s->p[i];
    if (job->lo_bar)
      job->lo_bar[at + i] = s->law[i] == PERP_LAW_LO ? d : 0;
    if (job->hi_bar)
      job->hi_bar[at + i] = s->law[i] == PERP_LAW_HI ? d : 0;
    if (job->mu_bar && i % 3 == 0) {
      /* W of a sliding cone holds tau, turned by a right angle */
      const bool slides = s->law[i] == PERP_LAW_SLIDE && s->x[i] > near_x;
      job->mu_bar[(at + i) / 3] =
          slides ? -s->x[i] * (s->W[i + 2] * s->p[i + 1] - s->W[i + 1] * s->p[i + 2]) : 0;
    }
  }
}

TEAM void perp_vjp_store_world(perp_team t, const perp_vjp *s, int64_t at, int64_t bodies)
{
  const perp_vjp_job *job = s->job;
  const int freedom = job->freedom, width = 2 * freedom;
  perp_vjp_gather(t, s, s->x, s->u);
  TEAM_SHORT
  for (int e = t.lane; job->J_bar && e < width * s->n; e += t.lanes) {
    const int i = e / width, k = s->body[2 * (i / job->together) + e % width / freedom];
    job->J_bar[width * at + e] = k < 0 ? 0
                                       : s->a[i] * perp_vjp_velocity(s, s->u, k, e % freedom) +
                                             s->x[i] * perp_vjp_velocity(s, s->v, k, e % freedom);
  }
  TEAM_SHORT
  for (int e = t.lane; job->Minv_bar && e < job->m * freedom * freedom; e += t.lanes) {
    const int k = e / (freedom * freedom), i = e / freedom % freedom, j = e % freedom;
    job->Minv_bar[freedom * freedom * bodies + e] = s->v[k * freedom + i] * s->u[k * freedom + j];
  }
  TEAM_SHORT
  for (int i = t.lane; job->C_bar && i < s->n; i += t.lanes)
    job->C_bar[at + i] = s->a[i] * s->x[i];
}

/* Gives every gradient of the problem the same value: 0, or NaN for "none". */
TEAM void perp_vjp_store_none(perp_team t, const perp_vjp_job *job, int k, double value)
{
  const int64_t n = job->n, square = (int64_t)job->freedom * job->freedom * job->m;
  double *const to[] = {job->b_bar, job->lo_bar, job->hi_bar,   job->C_bar,
                        job->A_bar, job->J_bar,  job->Minv_bar, job->mu_bar};
  const int64_t count[] = {n, n, n, n, n * n, 2 * job->freedom * n, square, n / 3};
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
    perp_vjp_store_none(t, job, k, job->zero ? 0 : NAN);
    if (t.lane == 0) {
      job->error[k] = NAN;
      if (job->degenerate)
        job->degenerate[k] = 0;
    }
    return;
  }
  const int64_t at = (int64_t)k * job->n, set = job->same_K ? 0 : at, bodies = (int64_t)k * job->m;
  perp_vjp s;
  s.job = job;
  s.n = job->n;
  s.A = job->A ? job->A + (job->same_A ? 0 : at * job->n) : NULL;
  s.J = job->J ? job->J + 2 * job->freedom * at : NULL;
  s.Minv = job->Minv ? job->Minv + job->freedom * job->freedom * bodies : NULL;
  s.C = job->C ? job->C + at : NULL;
  s.body = job->body ? job->body + 2 * (at / job->together) : NULL;
  s.lo = job->lo ? job->lo + set : NULL;
  s.hi = job->hi ? job->hi + set : NULL;
  s.mu = job->mu ? job->mu + set / 3 : NULL;
  s.findex = job->findex && !job->mu ? job->findex + set : NULL;
  s.x = job->x + at;
  s.y = job->y + at;
  s.w = job->w + at;
  perp_vjp_share(&s, memory, matrix);
  double most = 0;
  TEAM_SHORT
  for (int i = t.lane; i < s.n; i += t.lanes)
    most = perp_value_greater(most, fabs(s.x[i]));
  most = perp_team_max(t, most);
  const double noise = 10 * end.residual;
  const perp_law_limits limits = {perp_value_greater(job->near * most, noise),
                                  perp_value_greater(job->near * end.scale, noise), !job->release};
  const int degenerate = perp_vjp_laws(t, &s, &limits);
  if (s.m > room) {
    if (t.lane == 0)
      job->error[k] = crowded;
    return;
  }
  s.apart = s.m | 1;
  /* the exchanges of rows take the place of `kink`, which is no longer needed */
  const double error = perp_vjp_unknowns(t, &s, s.kink);
  TEAM_SHORT
  for (int i = t.lane; job->b_bar && i < s.n; i += t.lanes)
    job->b_bar[at + i] = s.a[i];
  TEAM_LONG
  for (int e = t.lane; job->A_bar && e < s.n * s.n; e += t.lanes)
    job->A_bar[at * s.n + e] = s.a[e / s.n] * s.x[e % s.n];
  if (!s.A)
    perp_vjp_store_world(t, &s, at, bodies);
  perp_team_sync(t);
  if (job->lo_bar || job->hi_bar || job->mu_bar)
    perp_vjp_store_set(t, &s, at, limits.near_x);
  if (t.lane == 0) {
    job->error[k] = error;
    if (job->degenerate)
      job->degenerate[k] = degenerate;
  }
}
