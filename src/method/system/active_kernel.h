/* active_kernel.h: the linear system of the rows that are free at a solution, for one team
 *
 * The laws of the rows (model/derivative/laws.h has them for the CPU) are dx = Z q + p and
 * W^T dy + D q = 0, and the system of the m unknowns q has the matrix
 *
 *   B = W^T A Z + D,   A dense or A = J Minv J^T + C of a contact world.
 *
 * vjp_kernel.h solves with B^T. M, of m (m | 1) numbers, has an LU factor with row exchanges. Every
 * number is computed by one lane in an order that does not depend on the number of lanes. */
#pragma once

#include "device/values.h"
#include "set/law.h"

#include <float.h>

typedef struct perp_active {
  int n, m;                      /* rows and unknowns */
  int bodies, freedom, together; /* of a world */
  /* the caller's arrays, of this problem; A or the world */
  const double *A, *J, *Minv, *C, *lo, *hi, *mu;
  const int *body, *findex;
  double cfm;
  const double *x, *y;
  /* memory of the team */
  double *Z; /* 2 n: values */
  double *W; /* n */
  double *D; /* n: of unknowns */
  double *rhs;
  int16_t *Z_column; /* 2 n, -1: none */
  int16_t *W_column; /* n, -1: none */
  int16_t *W_row;    /* n: of unknowns */
  int16_t *law, *kink;
  int16_t *first; /* of a world, bodies + 1: where the sides of each begin in `sides` */
  int16_t *sides; /* 2 for each contact: 2 c + side of the contacts of a body, ascending */
  double *M;
  int apart; /* of its rows */
} perp_active;

enum {
  PERP_ACTIVE_VECTORS = 5,
  PERP_ACTIVE_LISTS = 8
}; /* of n numbers: doubles, short ones; and `first` */

/* Divides the memory. */
TEAM void perp_active_share(perp_active *s, double *memory, int16_t *lists, double *matrix)
{
  const int n = s->n;
  s->Z = memory;
  s->W = s->Z + 2 * n;
  s->D = s->W + n;
  s->rhs = s->D + n;
  s->Z_column = lists;
  s->W_column = s->Z_column + 2 * n;
  s->W_row = s->W_column + n;
  s->law = s->W_row + n;
  s->kink = s->law + n;
  s->sides = s->kink + n;
  s->first = s->sides + 2 * n;
  s->M = matrix;
}

/* ---- Laws ---- */

/* A bound times |x_j|; an infinite one stays so. */
TEAM double perp_active_bound(double bound, double normal)
{
  return fabs(bound) < HUGE_VAL ? bound * normal : bound;
}

TEAM bool perp_active_is_friction(const perp_active *s, int i)
{
  return s->findex && s->findex[i] >= 0;
}

TEAM bool perp_active_moves(const perp_active *s, int i)
{
  return s->law[i] == PERP_LAW_FREE || s->kink[i];
}

/* Finds the laws of cones. Z of a sliding cone's second and third row holds tau for now. */
TEAM void perp_active_cone(const perp_active *s, const perp_law_limits *limits, int c)
{
  double force, slip[2];
  bool degenerate;
  const int row = 3 * c;
  const perp_law law = perp_law_group(limits, 2, s->mu[c], NULL, s->x[row], s->y[row],
                                      s->x + row + 1, s->y + row + 1, &degenerate, &force, slip);
  for (int k = 0; k < 3; k++) {
    s->law[row + k] = (int16_t)law;
    s->kink[row + k] = (int16_t)(k == 0 && degenerate);
  }
  s->Z[2 * row] = force;
  for (int k = 0; k < 2; k++)
    s->Z[2 * (row + 1 + k)] = slip[k];
}

TEAM void perp_active_row(const perp_active *s, const perp_law_limits *limits, int i, bool friction)
{
  bool degenerate;
  double lo = perp_value_lo(s->lo, i), hi = perp_value_hi(s->hi, i);
  const int j = friction ? s->findex[i] : -1;
  if (friction) {
    lo = perp_active_bound(lo, fabs(s->x[j]));
    hi = perp_active_bound(hi, fabs(s->x[j]));
  }
  const perp_law law = perp_law_row(limits, s->x[i], s->y[i], lo, hi, &degenerate);
  /* without a force, and if none can arise, friction is 0 at either bound */
  if (friction && fabs(s->x[j]) <= limits->near_x)
    degenerate = perp_active_moves(s, j) && law != PERP_LAW_FREE;
  s->law[i] = (int16_t)law;
  s->kink[i] = (int16_t)degenerate;
}

/* Returns true if an unknown begins at row i: a free row, the normal of a sliding cone in its first
 * row, its direction in the second. */
TEAM bool perp_active_begins(const perp_active *s, int i)
{
  if (s->law[i] != PERP_LAW_SLIDE)
    return s->law[i] == PERP_LAW_FREE || s->law[i] == PERP_LAW_STICK;
  const int row = i / 3 * 3;
  const double *tau = s->Z + 2 * (row + 1);
  return i == row ||
         (i == row + 1 && s->mu[i / 3] * s->Z[2 * row] > 0 && (tau[0] != 0 || tau[2] != 0));
}

/* Numbers the unknowns, ascending with the rows; returns the number of degenerate rows. */
TEAM int perp_active_number(perp_team t, perp_active *s)
{
  int degenerate = 0;
  s->m = 0;
  TEAM_SHORT
  for (int begin = 0; begin < s->n; begin += t.lanes) {
    const int i = begin + t.lane;
    const bool first = i < s->n && perp_active_begins(s, i);
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
TEAM void perp_active_slide(const perp_active *s, int row)
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
TEAM void perp_active_plain(const perp_active *s, int i)
{
  const int own = s->W_column[i];
  s->Z_column[2 * i] = (int16_t)own;
  s->Z_column[2 * i + 1] = -1;
  s->Z[2 * i] = s->W[i] = own >= 0;
  if (own >= 0)
    s->D[own] = 0;
}

/* c s_j of a friction row on its bound, laws.h. */
TEAM double perp_active_factor(const perp_active *s, int i, double near_x)
{
  const double c = s->law[i] == PERP_LAW_LO ? perp_value_lo(s->lo, i) : perp_value_hi(s->hi, i);
  const double normal = s->x[s->findex[i]];
  return fabs(normal) <= near_x || normal > 0 ? c : -c;
}

TEAM bool perp_active_follows(const perp_active *s, int i)
{
  return perp_active_is_friction(s, i) && s->law[i] != PERP_LAW_FREE;
}

TEAM int perp_active_laws(perp_team t, perp_active *s, const perp_law_limits *limits)
{
  TEAM_SHORT
  for (int c = t.lane; s->mu && c < s->n / 3; c += t.lanes)
    perp_active_cone(s, limits, c);
  TEAM_SHORT
  for (int i = t.lane; !s->mu && i < s->n; i += t.lanes)
    if (!perp_active_is_friction(s, i))
      perp_active_row(s, limits, i, false);
  perp_team_sync(t);
  TEAM_SHORT
  for (int i = t.lane; !s->mu && i < s->n; i += t.lanes)
    if (perp_active_is_friction(s, i))
      perp_active_row(s, limits, i, true);
  perp_team_sync(t);
  const int degenerate = perp_active_number(t, s);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    if (s->law[i] != PERP_LAW_SLIDE)
      perp_active_plain(s, i);
    else if (i % 3 == 0)
      perp_active_slide(s, i);
  perp_team_sync(t);
  TEAM_SHORT
  for (int i = t.lane; i < s->n; i += t.lanes)
    if (perp_active_follows(s, i)) {
      s->Z_column[2 * i] = s->Z_column[2 * s->findex[i]];
      s->Z[2 * i] = perp_active_factor(s, i, limits->near_x);
    }
  perp_team_sync(t);
  return degenerate;
}

/* ---- Products with a world ---- */

/* Lists the contacts of each body. */
TEAM void perp_active_list_sides(perp_team t, const perp_active *s)
{
  const int count = 2 * (s->n / s->together);
  TEAM_SHORT
  for (int k = t.lane; k < s->bodies; k += t.lanes) {
    int own = 0;
    TEAM_LONGER
    for (int e = 0; e < count; e++)
      own += s->body[e] == k;
    s->first[k + 1] = (int16_t)own;
  }
  perp_team_sync(t);
  if (t.lane == 0) {
    s->first[0] = 0;
    TEAM_LONG
    for (int k = 0; k < s->bodies; k++)
      s->first[k + 1] = (int16_t)(s->first[k + 1] + s->first[k]);
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int k = t.lane; k < s->bodies; k += t.lanes) {
    int at = s->first[k];
    TEAM_LONG
    for (int e = 0; e < count; e++)
      if (s->body[e] == k)
        s->sides[at++] = (int16_t)e;
  }
  perp_team_sync(t);
}

/* u <- J^T x of all bodies */
TEAM void perp_active_gather(perp_team t, const perp_active *s, const double *x, double *u)
{
  const int freedom = s->freedom, together = s->together;
  TEAM_SHORT
  for (int e = t.lane; e < s->bodies * freedom; e += t.lanes) {
    const int k = e / freedom, f = e % freedom;
    double sum = 0;
    TEAM_TWICE
    for (int at = s->first[k]; at < s->first[k + 1]; at++) {
      const int c = s->sides[at] / 2, side = s->sides[at] % 2;
      TEAM_LONG
      for (int i = c * together; i < (c + 1) * together; i++)
        sum += s->J[2 * freedom * i + freedom * side + f] * x[i];
    }
    u[e] = sum;
  }
  perp_team_sync(t);
}

/* Returns (Minv u)_f of body k; u: its own numbers. */
TEAM double perp_active_velocity(const perp_active *s, const double *u, int k, int f)
{
  const double *M = s->Minv + (int64_t)(k * s->freedom + f) * s->freedom;
  double sum = 0;
  TEAM_ALL
  for (int j = 0; j < 6; j++)
    sum += j < s->freedom ? M[j] * u[j] : 0;
  return sum;
}

/* Returns C_ii of a world. */
TEAM double perp_active_C(const perp_active *s, int i)
{
  return s->C ? s->C[i] : s->cfm;
}

/* ---- The matrix ---- */

/* g <- Minv J_i^T of body k, which is on this side of row i; 0 beyond its velocities */
TEAM void perp_active_response(const perp_active *s, int i, int side, int k, double g[6])
{
  const int freedom = s->freedom;
  const double *J = s->J + 2 * freedom * i + freedom * side;
  TEAM_ALL
  for (int f = 0; f < 6; f++)
    g[f] = k >= 0 && f < freedom ? perp_active_velocity(s, J, k, f) : 0;
}

/* Returns true if rows of several contacts share an unknown: in a cone, or by a friction index. */
TEAM bool perp_active_is_coupled(perp_team t, const perp_active *s)
{
  bool far = s->mu && s->together % 3 != 0;
  TEAM_SHORT
  for (int i = t.lane; s->findex && i < s->n; i += t.lanes)
    far = far || (s->findex[i] >= 0 && s->findex[i] / s->together != i / s->together);
  return perp_team_vote(t, far).count > 0;
}

/* The contacts that share a body with a contact, ascending, and itself. */
typedef struct perp_active_walk {
  int at[2], end[2];
} perp_active_walk;

TEAM perp_active_walk perp_active_walk_from(const perp_active *s, int contact)
{
  perp_active_walk walk;
  TEAM_ALL
  for (int side = 0; side < 2; side++) {
    const int k = s->body[2 * contact + side];
    walk.at[side] = k >= 0 ? s->first[k] : 0;
    walk.end[side] = k >= 0 ? s->first[k + 1] : 0;
  }
  return walk;
}

/* Returns the next contact; -1: no more. */
TEAM int perp_active_walk_on(const perp_active *s, perp_active_walk *walk)
{
  int next[2];
  TEAM_ALL
  for (int side = 0; side < 2; side++)
    next[side] = walk->at[side] < walk->end[side] ? s->sides[walk->at[side]] / 2 : INT16_MAX;
  const int least = next[0] < next[1] ? next[0] : next[1];
  TEAM_ALL
  for (int side = 0; side < 2; side++)
    walk->at[side] += next[side] == least && least < INT16_MAX;
  return least < INT16_MAX ? least : -1;
}

/* Adds W_i A_ij Z_j of row i of a world to row r of B, which is column r of M: for all j of every parts-th contact. */
TEAM void perp_active_add_row(const perp_active *s, int i, int r, int part, int parts)
{
  const int freedom = s->freedom, together = s->together, contact = i / together;
  const int own[2] = {s->body[2 * contact], s->body[2 * contact + 1]};
  double g[2][6];
  perp_active_response(s, i, 0, own[0], g[0]);
  perp_active_response(s, i, 1, own[1], g[1]);
  perp_active_walk walk = perp_active_walk_from(s, contact);
  const bool still = own[0] < 0 && own[1] < 0;
  int c = still ? contact : perp_active_walk_on(s, &walk);
  TEAM_SHORT
  for (int turn = 0; c >= 0; turn++, c = still ? -1 : perp_active_walk_on(s, &walk)) {
    if (turn % parts != part)
      continue;
    const int other[2] = {s->body[2 * c], s->body[2 * c + 1]};
    bool meets[4];
    TEAM_ALL
    for (int e = 0; e < 4; e++)
      meets[e] = own[e / 2] >= 0 && own[e / 2] == other[e % 2];
    for (int j = c * together; j < (c + 1) * together; j++) {
      if (s->Z_column[2 * j] < 0)
        continue;
      double sum = i == j ? perp_active_C(s, i) : 0;
      TEAM_ALL
      for (int e = 0; e < 4; e++)
        if (meets[e]) {
          const double *J = s->J + 2 * freedom * j + freedom * (e % 2);
          TEAM_ALL
          for (int f = 0; f < 6; f++)
            sum += g[e / 2][f] * J[f < freedom ? f : 0];
        }
      for (int k = 2 * j; k < 2 * j + 2; k++)
        if (s->Z_column[k] >= 0)
          s->M[s->Z_column[k] * s->apart + r] += s->W[i] * sum * s->Z[k];
    }
  }
}

enum { PERP_ACTIVE_PARTS = 4 }; /* lanes for a row of B, in teams of several warps */

/* M <- B^T + shift I; returns its largest entry. */
TEAM double perp_active_fill(perp_team t, const perp_active *s, double shift)
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
  if (!s->A) {
    TEAM_SHORT
    for (int r = t.lane; r < m; r += t.lanes)
      TEAM_LONG
    for (int c = 0; c < m; c++)
      s->M[c * s->apart + r] = c == r ? s->D[r] + shift : 0;
    /* lanes share a row if no entry is a sum over several contacts, so that the order stays */
    const int parts = t.lanes > 32 && !perp_active_is_coupled(t, s) ? PERP_ACTIVE_PARTS : 1;
    perp_team_sync(t);
    TEAM_SHORT
    for (int e = t.lane; e < m * parts; e += t.lanes) {
      const int r = e % m, i = s->W_row[r];
      perp_active_add_row(s, i, r, e / m, parts);
      if (i + 1 < s->n && s->W_column[i + 1] == r)
        perp_active_add_row(s, i + 1, r, e / m, parts);
    }
    perp_team_sync(t);
  }
  TEAM_SHORT
  for (int r = t.lane; r < m; r += t.lanes)
    TEAM_LONG
  for (int c = 0; c < m; c++)
    most = perp_value_most(most, fabs(s->M[c * s->apart + r]));
  most = perp_team_max(t, most);
  perp_team_sync(t);
  return most;
}

/* Returns the row of the largest entry of column k from the diagonal on, up to 10 bits of its mantissa;
 * the first of equal ones. Those bits hold the row, so that one search finds both. */
TEAM int perp_active_pivot(perp_team t, const perp_active *s, int k, double *size)
{
  double most = 0;
  TEAM_SHORT
  for (int i = k + t.lane; i < s->m; i += t.lanes)
    most = perp_value_greater(most, perp_value_tagged(fabs(s->M[i * s->apart + k]), 1023 - i));
  *size = perp_team_max(t, most);
  return 1023 - perp_value_tag(*size);
}

/* The LU factor takes PERP_ACTIVE_PANEL columns at a time, so that the rest of M is read and written once for
 * all of them; every entry still gets its products in the order of the columns. */
enum { PERP_ACTIVE_PANEL = 4 };

/* Eliminates within the columns begin .. end - 1, from row `begin` on. rhs receives the row that each of these
 * rows was exchanged with. Returns false if a pivot is not above `least`. */
TEAM bool perp_active_panel(perp_team t, const perp_active *s, int begin, int end, double least,
                            int16_t *order)
{
  TEAM_SHORT
  for (int k = begin; k < end; k++) {
    double size, *top = s->M + k * s->apart;
    const int pivot = perp_active_pivot(t, s, k, &size);
    if (!(size > least) || !(size > DBL_MIN))
      return false;
    double *other = s->M + pivot * s->apart;
    TEAM_SHORT
    for (int j = begin + t.lane; pivot != k && j < end; j += t.lanes) {
      const double kept = top[j];
      top[j] = other[j];
      other[j] = kept;
    }
    if (t.lane == 0) {
      const int16_t kept = order[k];
      order[k] = order[pivot];
      order[pivot] = kept;
      s->rhs[k] = pivot;
    }
    perp_team_sync(t);
    const double inverse = 1 / top[k];
    TEAM_LONG
    for (int i = k + 1 + t.lane; i < s->m; i += t.lanes) {
      double *row = s->M + i * s->apart;
      const double factor = row[k] * inverse;
      TEAM_ALL
      for (int q = 1; q < PERP_ACTIVE_PANEL; q++)
        if (k + q < end)
          row[k + q] -= factor * top[k + q];
    }
    perp_team_sync(t);
    if (t.lane == 0) /* no lane reads it before the next barrier */
      top[k] = inverse;
  }
  return true;
}

/* Exchanges the rows of the other columns, and eliminates in the rows begin .. end - 1 to the right. */
TEAM void perp_active_rows(perp_team t, const perp_active *s, int begin, int end)
{
  TEAM_SHORT
  for (int j = t.lane; j < s->m; j += t.lanes) {
    if (j >= begin && j < end)
      continue;
    TEAM_SHORT
    for (int k = begin; k < end; k++) {
      double *top = s->M + k * s->apart + j, *other = s->M + (int)s->rhs[k] * s->apart + j;
      const double kept = *top;
      *top = *other;
      *other = kept;
    }
    double above[PERP_ACTIVE_PANEL];
    TEAM_ALL
    for (int q = 0; q < PERP_ACTIVE_PANEL; q++) {
      if (j < end || begin + q >= end)
        continue;
      double *row = s->M + (begin + q) * s->apart;
      above[q] = row[j];
      TEAM_ALL
      for (int p = 0; p < q; p++)
        above[q] -= row[begin + p] * s->M[(begin + p) * s->apart + begin + p] * above[p];
      row[j] = above[q];
    }
  }
  perp_team_sync(t);
}

/* Subtracts the products of the columns `begin` to begin + PANEL - 1 and these rows from the entries below and to
 * the right of them. */
TEAM void perp_active_eliminate(perp_team t, const perp_active *s, int begin)
{
  enum { AT_ONCE = 4, PANEL = PERP_ACTIVE_PANEL };
  const int rest = begin + PANEL;
  double inverse[PANEL];
  TEAM_ALL
  for (int q = 0; q < PANEL; q++)
    inverse[q] = rest < s->m ? s->M[(begin + q) * (s->apart + 1)] : 0;
  TEAM_SHORT
  for (int from = rest + t.column; from < s->m; from += AT_ONCE * t.columns) {
    double above[PANEL][AT_ONCE], own[AT_ONCE];
    TEAM_ALL
    for (int a = 0; a < AT_ONCE; a++)
      TEAM_ALL
    for (int q = 0; q < PANEL; q++) {
      const int j = from + a * t.columns;
      above[q][a] = j < s->m ? s->M[(begin + q) * s->apart + j] : 0;
    }
    TEAM_SHORT
    for (int i = rest + t.row; i < s->m; i += t.rows) {
      double *row = s->M + i * s->apart, factor[PANEL];
      TEAM_ALL
      for (int q = 0; q < PANEL; q++)
        factor[q] = row[begin + q] * inverse[q];
      TEAM_ALL
      for (int a = 0; a < AT_ONCE; a++)
        own[a] = from + a * t.columns < s->m ? row[from + a * t.columns] : 0;
      TEAM_ALL
      for (int q = 0; q < PANEL; q++)
        TEAM_ALL
      for (int a = 0; a < AT_ONCE; a++)
        own[a] -= factor[q] * above[q][a];
      TEAM_ALL
      for (int a = 0; a < AT_ONCE; a++)
        if (from + a * t.columns < s->m)
          row[from + a * t.columns] = own[a];
    }
  }
  perp_team_sync(t);
}

/* M <- its LU factor, with the inverse pivots on the diagonal and the columns of L times their pivots;
 * row k of the factor is row order[k] of M. Returns false if a pivot is not above `least`. */
TEAM bool perp_active_factorise(perp_team t, const perp_active *s, double least, int16_t *order)
{
  const perp_team head = perp_team_head(t);
  TEAM_SHORT
  for (int k = t.lane; k < s->m; k += t.lanes)
    order[k] = (int16_t)k;
  perp_team_sync(t);
  TEAM_SHORT
  for (int begin = 0; begin < s->m; begin += PERP_ACTIVE_PANEL) {
    const int end = begin + PERP_ACTIVE_PANEL < s->m ? begin + PERP_ACTIVE_PANEL : s->m;
    const bool fine = t.lane >= head.lanes || perp_active_panel(head, s, begin, end, least, order);
    if (perp_team_vote(t, !fine).count > 0)
      return false;
    perp_active_rows(t, s, begin, end);
    perp_active_eliminate(t, s, begin);
  }
  return true;
}

/* Solves with L, or with U from the last row on if `back`; PANEL rows at a time. */
TEAM void perp_active_substitute(perp_team t, const perp_active *s, bool back)
{
  enum { PANEL = PERP_ACTIVE_PANEL };
  const int m = s->m, on = back ? -1 : 1;
  double *z = s->rhs;
  TEAM_SHORT
  for (int done = 0; done < m; done += PANEL) {
    const int first = back ? m - 1 - done : done, left = m - done - PANEL;
    double own[PANEL], step[PANEL];
    TEAM_ALL
    for (int q = 0; q < PANEL; q++) {
      const int k = done + q < m ? first + on * q : first;
      const double *row = s->M + k * s->apart;
      own[q] = z[k];
      TEAM_ALL
      for (int p = 0; p < q; p++)
        own[q] -= row[first + on * (done + p < m ? p : 0)] * step[p];
      step[q] = own[q] * row[k];
    }
    perp_team_sync(t);
    TEAM_ALL
    for (int q = 0; q < PANEL; q++)
      if (t.lane == 0 && done + q < m)
        z[first + on * q] = back ? step[q] : own[q];
    TEAM_TWICE
    for (int e = t.lane; e < left; e += t.lanes) {
      const int i = back ? e : first + PANEL + e;
      const double *row = s->M + i * s->apart + first;
      double value = z[i];
      TEAM_ALL
      for (int q = 0; q < PANEL; q++)
        value -= row[on * q] * step[q];
      z[i] = value;
    }
    perp_team_sync(t);
  }
}

/* rhs <- M^-1 rhs; rhs is in the order of the factor's rows. */
TEAM void perp_active_solve(perp_team t, const perp_active *s)
{
  const perp_team head = perp_team_head(t);
  if (t.lane < head.lanes) {
    perp_active_substitute(head, s, false);
    perp_active_substitute(head, s, true);
  }
  perp_team_sync(t);
}
