/* arc.c: follows the path through its folds (coulomb.h has the mathematics). Workspace: five times
 * the variables of a point. */
#include "method/interior/coulomb/coulomb.h"

#include "base/elementary.h"
#include "linalg/vector.h"

enum { PARTS = 5 };

struct perp_arc {
  perp_point *p;
  int64_t size;                  /* number of variables */
  double *direct, *tangent;      /* d(0), v */
  double *correction, *relative; /* c and v, relative */
  double *last;                  /* the previous tangent, relative, scaled so that its largest
                                  * component is 1 or lambda's */
  double last_lambda;            /* its lambda component; 0: the path is not reached yet */
  double *good, *ahead;          /* the last point on the path, and its tangent */
  double good_tau, good_rate;    /* its tau, and dlambda along `ahead` with its sign */
  double tau, start_tau;         /* the tau that the point aims at; at the start */
  double step;                   /* along the tangent */
  int corrections;               /* since the last predictor */
};

/* ---- All variables in one vector ---- */

static void list_parts(const perp_point *p, bool steps, double *part[PARTS], int64_t length[PARTS])
{
  double *const state[PARTS] = {p->x, p->a, p->b, p->f, p->z};
  double *const step[PARTS] = {p->dx, p->da, p->db, p->df, p->dz};
  const int64_t lengths[PARTS] = {p->n, p->pairs, p->pairs, p->length, p->length};
  for (int k = 0; k < PARTS; k++) {
    part[k] = steps ? step[k] : state[k];
    length[k] = lengths[k];
  }
}

static void gather(const perp_point *p, bool steps, double *to)
{
  double *part[PARTS];
  int64_t length[PARTS];
  list_parts(p, steps, part, length);
  for (int k = 0; k < PARTS; to += length[k++])
    perp_copy(length[k], part[k], to);
}

static void scatter(const double *from, bool steps, perp_point *p)
{
  double *part[PARTS];
  int64_t length[PARTS];
  list_parts(p, steps, part, length);
  for (int k = 0; k < PARTS; from += length[k++])
    perp_copy(length[k], from, part[k]);
}

/* r <- d relative to the variables; x follows from the others */
static void make_relative(const perp_point *p, const double *d, double *r)
{
  perp_fill(p->n, 0, r);
  d += p->n;
  r += p->n;
  for (int k = 0; k < p->pairs; k++) {
    r[k] = d[k] / p->a[k];
    r[p->pairs + k] = d[p->pairs + k] / p->b[k];
  }
  d += 2 * p->pairs;
  r += 2 * p->pairs;
  for (int c = 0; c < p->cones; c++)
    for (int at = p->cone[c].at, i = at; i < at + p->cone[c].rows; i++) {
      r[i] = d[i] / p->f[at];
      r[p->length + i] = d[p->length + i] / p->z[at];
    }
}

/* ---- Begin ---- */

perp_arc *perp_arc_open(perp_run *run, perp_point *p)
{
  perp_arc *s = perp_arena_alloc_zero(run->arena, 1, sizeof *s);
  if (!s)
    return NULL;
  s->p = p;
  s->size = (int64_t)p->n + 2 * p->pairs + 2 * p->length;
  const bool there = PERP_TAKE_REALS(run->arena, (size_t)s->size, &s->direct, &s->tangent,
                                     &s->correction, &s->relative, &s->last, &s->good, &s->ahead);
  return there ? s : NULL;
}

void perp_arc_begin(perp_arc *s)
{
  const double first = 0.3;
  s->tau = s->start_tau = perp_point_gap(s->p, 0);
  s->last_lambda = 0;
  s->step = first;
  s->corrections = 0;
  perp_fill(s->p->contacts->count, 0, s->p->weight);
  s->p->omega = 0;
}

/* ---- A step ---- */

/* Computes direct, tangent, correction and relative with one factor and two solves. The error of
 * the first solve, which is not refined, affects only the tangent: direct + tangent is the
 * correction. */
static bool find_directions(perp_arc *s, perp_coupled *system)
{
  perp_point *p = s->p;
  perp_point_imbalance(p);
  if (!perp_point_factor(p, system) || !perp_point_step(p, system, 0, false, false))
    return false;
  gather(p, true, s->direct);
  if (!perp_point_step(p, system, s->tau, false, true))
    return false;
  gather(p, true, s->tangent);
  make_relative(p, s->tangent, s->correction);
  perp_axpy(s->size, -1, s->direct, s->tangent);
  make_relative(p, s->tangent, s->relative);
  return true;
}

/* Returns the cosine of the angle between the tangent and the previous one, with each component p
 * replaced by p |p|, so that the largest components decide. */
static double agreement(const perp_arc *s)
{
  double sum = s->last_lambda * fabs(s->last_lambda), here = 1;
  double last = s->last_lambda * s->last_lambda * s->last_lambda * s->last_lambda;
  for (int64_t i = 0; i < s->size; i++) {
    const double a = s->last[i] * fabs(s->last[i]), b = s->relative[i] * fabs(s->relative[i]);
    sum += a * b;
    last += a * a;
    here += b * b;
  }
  return sum / (sqrt(last) * sqrt(here));
}

/* Stores the point, which is on the path, and its tangent. most: the largest |v_i|, or 1. */
static void keep(perp_arc *s, double most, double sign)
{
  const double growth = 1.5, longest = 1;
  if (s->last_lambda != 0 && s->corrections >= 0)
    s->step = perp_min(growth * s->step, longest);
  for (int64_t i = 0; i < s->size; i++)
    s->last[i] = sign * s->relative[i] / most;
  s->last_lambda = s->good_rate = sign / most;
  s->good_tau = s->tau;
  s->corrections = 0;
  gather(s->p, false, s->good);
  perp_copy(s->size, s->tangent, s->ahead);
}

/* Makes the step dx .. dz of the point, shortened to stay inside, and changes lambda. */
static void move(perp_arc *s, double lambda)
{
  const double share = 0.9, least = -0.9;
  const double step = perp_min(1, share * perp_point_reach(s->p));
  perp_point_move(s->p, step);
  s->tau *= 1 + perp_max(lambda, least) * step;
}

/* Moves along the tangent of the last point on the path, the current point. With `correction`,
 * direct and alpha belong to this point, and the step includes its correction. */
static bool go_on(perp_arc *s, bool correction, double alpha)
{
  const double share = 0.5, most_fall = 0.8;
  perp_point *p = s->p;
  for (int64_t i = 0; i < s->size; i++)
    s->relative[i] = s->good_rate * s->ahead[i];
  scatter(s->relative, true, p);
  double step = perp_min(s->step, share * perp_point_reach(p));
  if (s->good_rate < 0)
    step = perp_min(step, -most_fall / s->good_rate);
  if (!(step > 1e-13))
    return false;
  const double lambda = s->good_rate * step - alpha;
  if (!correction)
    perp_fill(s->size, 0, s->direct);
  perp_axpy(s->size, correction ? 1 + lambda : lambda, s->ahead, s->direct);
  scatter(s->direct, true, p);
  move(s, lambda);
  return s->tau <= s->start_tau;
}

/* Corrects with u_i held; alpha = 0: with tau held. */
static void correct(perp_arc *s, double alpha)
{
  perp_axpy(s->size, 1 - alpha, s->tangent, s->direct);
  scatter(s->direct, true, s->p);
  move(s, -alpha);
}

bool perp_arc_advance(perp_arc *s, perp_coupled *system)
{
  enum { CORRECTIONS = 4, FIRST = 15 };
  const double is_local = 3, on = 0.5, off = 5, back = 0.25, raise = 3, alike = 0.7,
               shortest = 1e-3;
  if (!find_directions(s, system))
    return false;
  const bool reached = s->last_lambda != 0;
  double most = 1, alpha = 0, distance = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < s->size; i++)
    if (fabs(s->relative[i]) > most) {
      most = fabs(s->relative[i]);
      at = i;
    }
  if (reached && most > is_local)
    alpha = s->correction[at] / s->relative[at];
  for (int64_t i = 0; i < s->size; i++)
    distance = perp_max(distance, fabs(s->correction[i] - alpha * s->relative[i]));
  const double agree = reached ? agreement(s) : -1;
  const bool clear = fabs(agree) >= alike || s->step < shortest;
  if (distance <= on && clear) {
    keep(s, most, agree > 0 ? 1 : -1);
    return go_on(s, true, alpha);
  }
  if (reached && (!clear || distance > off || s->corrections >= CORRECTIONS)) {
    scatter(s->good, false, s->p);
    s->tau = s->good_tau;
    s->step *= back;
    s->corrections = -1;
    return go_on(s, false, 0);
  }
  s->corrections++;
  if (!reached && s->corrections % FIRST == 0)
    s->tau = s->start_tau *= raise; /* closer to the path, which exists for large tau */
  correct(s, alpha);
  return true;
}
