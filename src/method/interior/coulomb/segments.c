/* segments.c: Newton's path from piece to piece, for problems with a friction index
 *
 * The equation is that of pieces.c with a clamp for each row in place of the cone. S is the unit of
 * the contact, z = x - y / S, P_n(z) = z_n clamped to its bounds, P_t(z) = z_t clamped to lo_t P_n
 * and hi_t P_n, and
 *
 *   G(z) = A P(z) + b - S (P(z) - z) + E (P(z) - c) = 0
 *
 * is a proximal step from c. On a piece, that is for given states of all rows (at the lower bound,
 * inside, at the upper bound), G is linear: G' dz = A dx + S dz - (S - E) dx with dx = D dz and
 * D = P'. So the path
 *
 *   G(z) = gamma G(z(0)),   gamma = 1 .. 0,
 *
 * consists of straight segments. At the end of each one row changes its state. A normal takes its
 * tangents along: they are at a bound then, as all bounds meet at z_n = 0. This is the method of
 * Katzenelson (1965), and that of Lemke with the covering vector G(z(0)); with E > 0 a basis is not
 * singular because contacts are redundant.
 *
 * A segment. With g = G(z(0)), T = D (S - (S - E) D)^-1 and w = Minv J^T dx,
 *
 *   (I + Minv J^T T J) w = -Minv J^T T g,   dx = T (-g - J w),   S dz = (S - E) dx - g - J w.
 *
 * In a contact T has 1 / E_n at (n, n), 1 / E_t at (t, t) if t is inside, and bound_t / E_n at
 * (t, n) if it is not. (The compliance C, diagonal, is a part of this E.) So the change of one row
 * adds a b^T to T, and with M the matrix above
 *
 *   q = M^-1 Minv J^T a,   pivot = 1 + b^T J q = det (M + Minv J^T a b^T J) / det M,
 *   w <- w - q b^T (g + J w) / pivot.
 *
 * M^-1 is a factor and the product of the changes since then: a segment takes one solution, for a
 * right-hand side with few numbers, and a pass over the rows to find the next change. det G' has
 * the sign of det M, as E > 0 (pieces.c); where it changes, the path has met a fold, and gamma
 * rises until the next one.
 *
 * Stages. At gamma = 0 c moves to x, and E falls, by a larger factor if the stage had few segments.
 * A stage that goes back for BACK segments, or has more than LONG, is lost: E rises, and c moves to
 * where the path turned back, if it did. In tangents E / S is smaller than in normals.
 *
 * E is like the inverse of a time step of x' = -y: far from a solution a stage has 5 to 30
 * segments. The path need not end, as in pieces.c. Cost: a factor for a stage and for CHANGES
 * segments, a solution for a segment. Workspace: 15 n, T, and CHANGES times the velocities. */
#include "method/interior/coulomb/coulomb.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/gather.h"
#include "set/set.h"

enum { CHANGES = 64, BACK = 15, LONG = 60 };
static const double SLACK = 0.1;

typedef enum state { LOW = -1, INSIDE = 0, HIGH = 1 } state;

/* A change of T by a b^T in one contact: b has two numbers at most. */
typedef struct rank_one {
  int row[2];
  double b[2], pivot;
} rank_one;

struct perp_segments {
  perp_run *run;
  const perp_contact_list *contacts;
  perp_coupled *system;
  const perp_body_rows *bodies;
  int n, m;                              /* rows, velocities */
  signed char *at;                       /* n: state */
  double *lo, *hi, *E, *over_E, *over_S; /* 1 / E by row, 1 / S by contact */
  double *z, *x, *y, *centre;            /* y = A x + b */
  double *g, *dz;                        /* G(z) at the last factor, and the direction */
  double *fold;                          /* z where the path turned back */
  double *r, *T;
  double *w, *q; /* m, CHANGES x m */
  double *best, *best_y;
  rank_one change[CHANGES];
  int changes;  /* since the last factor */
  bool forward; /* the sign of det M is that at the start of the stage */
  int sign;     /* that sign */
  double gamma;
  int left;        /* segments */
  double residual; /* of best */
};

/* ---- Opening ---- */

bool perp_segments_fit(const perp_run *run)
{
  enum { MANY = 30000 }; /* velocities: their states change too often */
  const perp_set *K = &run->problem->K;
  const perp_operator *A = run->problem->A;
  if (!K->findex || perp_set_has_cones(K) || !perp_operator_is_contact(A))
    return false;
  const int m = perp_contact_newton(A)->data.velocities;
  if (m > MANY || !perp_run_allows(run, (double)CHANGES * m * (double)sizeof(double)))
    return false;
  for (int i = 0; i < K->n; i++) {
    if (!perp_set_is_friction(K, i))
      continue;
    const int j = K->findex[i];
    if (perp_set_lo(K, j) != 0 || perp_set_hi(K, j) < INFINITY || perp_set_is_friction(K, j) ||
        !(perp_set_hi(K, i) - perp_set_lo(K, i) < INFINITY))
      return false;
  }
  return true;
}

perp_segments *perp_segments_open(perp_run *run, const perp_contact_list *contacts)
{
  perp_segments *s = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return NULL;
  s->run = run;
  s->contacts = contacts;
  s->n = contacts->n;
  s->m = perp_contact_newton(run->problem->A)->data.velocities;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  if (!PERP_TAKE_REALS(run->arena, n, &s->lo, &s->hi, &s->E, &s->over_E, &s->over_S, &s->z, &s->x,
                       &s->y, &s->centre, &s->g, &s->dz, &s->fold, &s->r, &s->best, &s->best_y) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s->at, n),
                 PERP_ARRAY(s->T, contacts->block[contacts->count]), PERP_ARRAY(s->w, m),
                 PERP_ARRAY(s->q, CHANGES * m)))
    return NULL;
  perp_set_all_bounds(&run->problem->K, s->lo, s->hi);
  return s;
}

/* ---- The equation ---- */

static inline double bound(const perp_segments *s, int i)
{
  return s->at[i] == LOW ? s->lo[i] : s->hi[i];
}

/* at <- the piece of z. The tangents of a normal at 0 are at a bound. */
static void find_piece(perp_segments *s)
{
  const perp_contact_list *g = s->contacts;
  for (int c = 0; c < g->count; c++) {
    const int *row = g->row + g->start[c], *end = g->row + g->start[c + 1], n = *row;
    const double z = s->z[n];
    s->at[n] = (signed char)(!(z > s->lo[n]) ? LOW : !(z < s->hi[n]) ? HIGH : INSIDE);
    const double r = s->at[n] == INSIDE ? z : 0;
    for (row++; row < end; row++) {
      const double t = s->z[*row], lo = s->lo[*row] * r, hi = s->hi[*row] * r;
      s->at[*row] = (signed char)(t < lo || s->lo[*row] == s->hi[*row] ? LOW
                                  : t >= hi                            ? HIGH
                                                                       : INSIDE);
    }
  }
}

/* Computes x, y and g = G(z). */
static void evaluate(perp_segments *s)
{
  const perp_contact_list *l = s->contacts;
  const double *own = perp_coupled_own(s->system);
  for (int c = 0; c < l->count; c++) {
    const int *row = l->row + l->start[c], *end = l->row + l->start[c + 1], n = *row;
    s->x[n] = s->at[n] == INSIDE ? s->z[n] : bound(s, n);
    for (row++; row < end; row++)
      s->x[*row] = s->at[n] != INSIDE      ? 0
                   : s->at[*row] == INSIDE ? s->z[*row]
                                           : bound(s, *row) * s->x[n];
  }
  perp_coupled_product(s->system, s->x, s->y);
  perp_axpy(s->n, 1, s->run->problem->b, s->y);
  for (int i = 0; i < s->n; i++)
    s->g[i] = s->y[i] + (s->E[i] - own[i]) * (s->x[i] - s->centre[i]) -
              l->unit[l->of[i]] * (s->x[i] - s->z[i]);
}

/* z <- x - y / S with y = A x + b, and its piece */
static void place(perp_segments *s)
{
  perp_coupled_product(s->system, s->x, s->y);
  perp_axpy(s->n, 1, s->run->problem->b, s->y);
  for (int i = 0; i < s->n; i++)
    s->z[i] = s->x[i] - s->y[i] / s->contacts->unit[s->contacts->of[i]];
  find_piece(s);
}

/* ---- A segment ---- */

static inline double times_J(const perp_segments *s, int i, const double *v)
{
  const perp_contact_data *d = &s->bodies->contact->data;
  return perp_add_row(0, d->J_start[i], d->J_start[i + 1], d->J_value, d->J_column, v);
}

/* v <- M^-1 v */
static bool solve(perp_segments *s, double *v)
{
  if (!perp_coupled_solve_bodies(s->system, v))
    return false;
  for (int k = 0; k < s->changes; k++) {
    const rank_one *c = s->change + k;
    const double p = c->b[0] * times_J(s, c->row[0], v) + c->b[1] * times_J(s, c->row[1], v);
    perp_axpy(s->m, -p / c->pivot, s->q + (size_t)k * (size_t)s->m, v);
  }
  return true;
}

static void set_T(perp_segments *s)
{
  const perp_contact_list *l = s->contacts;
  perp_fill(l->block[l->count], 0, s->T);
  for (int c = 0; c < l->count; c++) {
    const int size = perp_contact_rows(l, c), *row = l->row + l->start[c];
    double *T = s->T + l->block[c];
    if (s->at[row[0]] != INSIDE)
      continue;
    T[0] = 1 / s->E[row[0]];
    for (int k = 1; k < size; k++)
      if (s->at[row[k]] == INSIDE)
        T[k * size + k] = 1 / s->E[row[k]];
      else
        T[k * size] = bound(s, row[k]) / s->E[row[0]];
  }
}

/* Factors M at z and starts the path from there: w <- -M^-1 Minv J^T T g. Returns the sign of det
 * M, 0: there is no factor. */
static int factor(perp_segments *s)
{
  evaluate(s);
  s->gamma = 1;
  s->changes = 0;
  set_T(s);
  if (!perp_coupled_set(s->system, s->T))
    return 0;
  perp_coupled_times(s->contacts, s->T, s->g, s->r);
  perp_body_rows_gather(s->bodies, s->r, s->w);
  perp_multiply(s->m, -1, s->w);
  return solve(s, s->w) && perp_all_finite(s->m, s->w) ? perp_coupled_sign(s->system) : 0;
}

/* Adds a b^T to T in a contact; b has the numbers b[0] and b[1] in these rows. */
static bool update(perp_segments *s, int contact, const double *a, int first, int second,
                   const double *b)
{
  const int *row = s->contacts->row + s->contacts->start[contact];
  double *q = s->q + (size_t)s->changes * (size_t)s->m;
  perp_fill(s->m, 0, q);
  for (int k = 0; k < perp_contact_rows(s->contacts, contact); k++)
    if (a[k] != 0)
      perp_contact_add_row(s->bodies->contact, row[k], a[k], q);
  if (!solve(s, q))
    return false;
  const double pivot = 1 + b[0] * times_J(s, first, q) + b[1] * times_J(s, second, q);
  const double right = b[0] * (s->g[first] + times_J(s, first, s->w)) +
                       b[1] * (s->g[second] + times_J(s, second, s->w));
  if (!(fabs(pivot) > 0 && fabs(pivot) < INFINITY))
    return false;
  perp_axpy(s->m, -right / pivot, q, s->w);
  s->change[s->changes++] = (rank_one){{first, second}, {b[0], b[1]}, pivot};
  s->forward = s->forward == (pivot > 0);
  return true;
}

/* Changes tangent k of a contact with an open normal. */
static bool change_tangent(perp_segments *s, int contact, int k, state to)
{
  const int *row = s->contacts->row + s->contacts->start[contact], n = row[0], i = row[k];
  const double sign = to == INSIDE ? -1 : 1;
  if (to != INSIDE)
    s->at[i] = (signed char)to;
  const double b[2] = {sign * bound(s, i) / s->E[n], -sign / s->E[i]};
  s->at[i] = (signed char)to;
  perp_fill(s->contacts->largest, 0, s->r);
  s->r[k] = 1;
  return update(s, contact, s->r, n, i, b);
}

static bool change_normal(perp_segments *s, int contact, state to)
{
  const int *row = s->contacts->row + s->contacts->start[contact], n = row[0],
            size = perp_contact_rows(s->contacts, contact);
  for (int k = 1; k < size; k++) {
    const state side = s->z[row[k]] < 0 || s->lo[row[k]] == s->hi[row[k]] ? LOW : HIGH;
    if (to == INSIDE)
      s->at[row[k]] = (signed char)side;
    else if (s->at[row[k]] == INSIDE && !change_tangent(s, contact, k, side))
      return false;
  }
  s->at[n] = (signed char)to;
  s->r[0] = to == INSIDE ? 1 : -1;
  for (int k = 1; k < size; k++)
    s->r[k] = s->r[0] * bound(s, row[k]);
  return update(s, contact, s->r, n, n, (double[2]){1 / s->E[n], 0});
}

typedef struct crossing {
  double step;
  int contact, place; /* the row in its contact; contact -1: none */
  state to;
} crossing;

/* Compares the step room / speed, after which row `place` of a contact changes its state, with the
 * first so far. */
static inline void compare(crossing *first, double room, double speed, int contact, int place,
                           state to)
{
  if (room < first->step * speed)
    *first = (crossing){perp_max(room / speed, 0), contact, place, to};
}

/* Compares the changes of row i, whose bounds are times r. */
static inline void compare_row(const perp_segments *s, int i, double r, double dr, int contact,
                               int place, crossing *first)
{
  const double lo = s->lo[i], hi = s->hi[i], z = s->z[i], d = s->dz[i];
  const double above = dr == 0 ? d : d - hi * dr, below = dr == 0 ? d : d - lo * dr;
  if (s->at[i] == INSIDE) {
    if (above > 0)
      compare(first, hi * r - z, above, contact, place, HIGH);
    if (below < 0)
      compare(first, z - lo * r, -below, contact, place, LOW);
  } else if (s->at[i] == HIGH && above < 0)
    compare(first, z - hi * r, -above, contact, place, INSIDE);
  else if (s->at[i] == LOW && below > 0)
    compare(first, lo * r - z, below, contact, place, INSIDE);
}

/* dz <- the direction, per unit of |gamma|. Returns the first change along it. */
static crossing look_ahead(perp_segments *s)
{
  const perp_contact_list *l = s->contacts;
  const double way = s->forward ? 1 : -1;
  crossing first = {s->forward ? s->gamma : INFINITY, -1, 0, INSIDE};
  perp_body_rows_spread(s->bodies, s->w, s->r);
  for (int c = 0; c < l->count; c++) {
    const int *row = l->row + l->start[c], n = row[0], size = perp_contact_rows(l, c);
    const double S = l->unit[c], over_S = s->over_S[c];
    const double rest = -way * (s->g[n] + s->r[n]);
    const bool open = s->at[n] == INSIDE;
    const double dn = s->dz[n] = rest * (open ? s->over_E[n] : over_S);
    if (s->lo[n] < s->hi[n])
      compare_row(s, n, 1, 0, c, 0, &first);
    for (int k = 1; k < size; k++) {
      const int i = row[k];
      const double own = -way * (s->g[i] + s->r[i]);
      if (open && s->at[i] == INSIDE)
        s->dz[i] = own * s->over_E[i];
      else
        s->dz[i] = (open ? own + (S - s->E[i]) * bound(s, i) * dn : own) * over_S;
      if (open && s->lo[i] < s->hi[i])
        compare_row(s, i, s->z[n], dn, c, k, &first);
    }
  }
  return first;
}

/* ---- Stages ---- */

typedef enum ending { REACHED, LOST, TURNED, OVER } ending;

/* Follows the path to gamma = 0. TURNED: lost behind a fold. *took: the number of segments. */
static ending follow(perp_segments *s, int *took)
{
  enum { IDLE = 50, FACTORS = 3 };
  const double before_fold = 0.1;
  int back = 0, idle = 0;
  s->sign = 0;
  s->changes = CHANGES;
  for (*took = 0; *took < LONG && s->left > 0; ++*took, s->left--) {
    if (perp_run_expired(s->run))
      return OVER;
    if (s->changes + s->contacts->largest > CHANGES) {
      const double before = perp_run_flops(s->run);
      const int sign = factor(s);
      if (before < INFINITY &&
          !perp_run_affords(s->run, FACTORS * (before - perp_run_flops(s->run))))
        return OVER;
      if (sign == 0)
        return perp_coupled_too_long(s->system) ? OVER : LOST;
      s->sign = s->sign == 0 ? sign : s->sign;
      s->forward = sign == s->sign;
    }
    back += !s->forward;
    const crossing next = look_ahead(s);
    if (back > BACK || !(next.step < INFINITY))
      break;
    s->run->count.pivots++;
    perp_axpy(s->n, next.step, s->dz, s->z);
    s->gamma += s->forward ? -next.step : next.step;
    if (next.contact < 0)
      return REACHED;
    idle = next.step > 0 ? 0 : idle + 1;
    if (idle > IDLE || !(next.place == 0 ? change_normal(s, next.contact, next.to)
                                         : change_tangent(s, next.contact, next.place, next.to)))
      break;
    if (!s->forward && back == 0) { /* a little before the fold, where det M has its old sign */
      perp_copy(s->n, s->z, s->fold);
      perp_axpy(s->n, -before_fold * next.step, s->dz, s->fold);
    }
  }
  return back > 0 ? TURNED : LOST;
}

/* Shows x and keeps the best. Returns false if the run is over. */
static bool show(perp_segments *s)
{
  const double residual = perp_problem_residual(s->run->problem, s->x, s->y);
  if (residual < s->residual) {
    s->residual = residual;
    perp_copy(s->n, s->x, s->best);
    perp_copy(s->n, s->y, s->best_y);
  }
  return perp_run_next_iterate(s->run, perp_iterate_guess(s->x, s->y, residual));
}

static void set_E(perp_segments *s, double share)
{
  const perp_contact_list *g = s->contacts;
  const double *own = perp_coupled_own(s->system);
  for (int k = 0; k < g->n; k++) {
    const int i = g->row[k], c = g->of[i];
    s->E[i] = share * (k == g->start[c] ? 1 : SLACK) * g->unit[c] + own[i];
    s->over_E[i] = 1 / s->E[i];
    s->over_S[c] = 1 / g->unit[c];
  }
}

static void follow_stages(perp_segments *s)
{
  enum { FEW = 4, SOME = 12 };
  const double most = 100, least = 1e-8, rise = 4, fall = 0.5, fast = 0.22, faster = 0.1;
  double share = 0.03;
  for (bool careful = false; s->left > 0 && share < most;) {
    int took;
    set_E(s, share);
    const ending end = follow(s, &took);
    if (end == OVER)
      return;
    if (end == REACHED) {
      share *= careful || took > SOME ? fall : took > FEW ? fast : faster;
      share = perp_max(share, least);
    } else {
      share *= rise;
    }
    careful = end != REACHED;
    if (end == TURNED) {
      perp_copy(s->n, s->fold, s->z);
      find_piece(s);
    }
    if (end == LOST)
      perp_copy(s->n, s->centre, s->x);
    else
      evaluate(s);
    if (end == REACHED && !show(s))
      return;
    perp_copy(s->n, s->x, s->centre);
    if (end == LOST)
      place(s);
  }
}

double perp_segments_follow(perp_segments *s, perp_coupled *system, int segments, double *x,
                            double *y)
{
  s->system = system;
  s->bodies = perp_coupled_rows(system);
  s->left = segments;
  perp_run_gradient(s->run, x, y);
  s->residual = perp_problem_residual(s->run->problem, x, y);
  perp_copy(s->n, x, s->best);
  perp_copy(s->n, y, s->best_y);
  perp_copy(s->n, x, s->x);
  perp_copy(s->n, x, s->centre);
  if (s->bodies && 2 * s->contacts->largest <= CHANGES) {
    place(s);
    follow_stages(s);
  }
  perp_copy(s->n, s->best, x);
  perp_copy(s->n, s->best_y, y);
  return s->residual;
}
