/* keller.c: symmetric principal pivoting
 *
 * For symmetric A a solution is a stationary point of the energy 1/2 x^T A x + b^T x over the box.
 * x stays in the box; the rows of C are basic, y_C = 0, with A_CC positive definite; the others are
 * at a bound. A row s whose y_s has the wrong sign is driven: x_s moves in the direction of -y_s
 * and x_C follows,
 *
 *   d_s = +-1,   d_C = -d_s A_CC^-1 A_Cs,   dy_s = d_s m,   m = A_ss - A_sC A_CC^-1 A_Cs,
 *
 * until the first of
 *   y_s = 0 (m > 0 only)       s joins C, positive definite again, and a new row is chosen
 *   x_s at its other bound     a new row is chosen
 *   some x_r, r in C, at a bound     r leaves C, and the drive of s continues
 * (Keller 1973; Cottle, Pang, Stone 1992, ch. 4). Unlike in the methods of Cottle-Dantzig and
 * Baraff, the y of other rows may become wrong meanwhile.
 *
 * Finite, ties or not: r can leave without a step at most |C| times in a row, and the last step of
 * a drive has positive length and lowers the energy, which is thus different for every C that a
 * drive ends with. No rule for ties is needed; the largest pivot is used.
 *
 * If nothing blocks, d is a ray: (A d)_C = 0, d^T A d = m <= 0, d^T y = d_s y_s < 0. For positive
 * semi-definite and, with d >= 0, copositive-plus matrices that makes A d = 0 and
 * d^T b = d^T y - x^T A d < 0: u = d is a certificate that nothing is feasible. On other matrices
 * the energy is unbounded below, and the outcome is a ray.
 *
 * One pivot: k^2 in, 2 k^2 out, k = |C|, and for each drive a product with A. Workspace: the factor
 * and 9 n. */
#include "base/elementary.h"
#include "method/pivoting/cycle.h"
#include "method/pivoting/minor.h"
#include "set/set.h"

#include <float.h>

enum { RULE_STEEPEST, RULE_LEAST };

typedef struct {
  int rule;
} keller_parameters;

static const char *const rules[] = {"steepest", "least", NULL};

static const perp_parameter parameters[] = {
    PERP_CHOICE(keller_parameters, rule, RULE_STEEPEST, 1, rules,
                "choice of the driven row: greatest y^2/A_ii, or the first"),
    {0},
};

typedef struct keller {
  perp_run *run;
  int n;
  double *x, *y;   /* n: x is the caller's, y = A x + b */
  double *lo, *hi; /* n */
  double *d;       /* n: correction of x_C; the ray */
  perp_minor C;
  double slack;
  int rule;
  perp_best best;
  perp_cycle cycle;
  perp_error error;
} keller;

typedef enum { DRIVEN, RAY, EXPIRED, FAILED } drive_end;

static perp_error create(keller *k, perp_run *run, double *x)
{
  const size_t n = (size_t)run->problem->K.n;
  *k = (keller){.run = run, .n = (int)n, .x = x};
  if (!PERP_TAKE_REALS(run->arena, n, &k->y, &k->lo, &k->hi, &k->d) ||
      !perp_best_create(&k->best, run))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&run->problem->K, k->lo, k->hi);
  k->slack = perp_max(0.01 * run->target, 4 * DBL_EPSILON * run->scale);
  return PERP_OK;
}

static perp_error factor_create(keller *k)
{
  const perp_error error = perp_minor_create(&k->C, k->run, false);
  int i, j;
  double a_ij, a_ji;
  if (error || k->C.symmetric || !perp_minor_asymmetry(&k->C, &i, &j, &a_ij, &a_ji))
    return error;
  return perp_run_fail(k->run, PERP_ERROR_UNSUPPORTED,
                       "keller needs a symmetric matrix: A(%d,%d) = %g, A(%d,%d) = %g", i, j, a_ij,
                       j, i, a_ji);
}

/* ---- Positions of rows ---- */

/* Returns the direction in which x_i should move by the sign of y_i: 1, -1, or 0 if the row is
 * right. */
static int wrong_way(const keller *k, int i)
{
  if (k->C.place[i] >= 0)
    return 0;
  if (k->y[i] < -k->slack && k->x[i] < k->hi[i])
    return 1;
  if (k->y[i] > k->slack && k->x[i] > k->lo[i])
    return -1;
  return 0;
}

/* Returns the row to drive, -1 if every row is right; *wrong: the number of wrong rows. */
static int select_row(const keller *k, int *wrong)
{
  int best = -1;
  double most = -1;
  *wrong = 0;
  for (int i = 0; i < k->n; i++) {
    if (!wrong_way(k, i))
      continue;
    ++*wrong;
    if (k->rule == RULE_LEAST && best >= 0)
      continue;
    const double a = k->C.diagonal[i];
    const double gain = a > 0 ? k->y[i] * k->y[i] / a : INFINITY;
    if (gain > most) {
      most = gain;
      best = i;
    }
  }
  return best;
}

/* Brings x_C to y_C = 0 with a fresh y, inside the box. */
static void settle(keller *k)
{
  perp_minor *C = &k->C;
  for (int round = 0; round < 3; round++) {
    double most = 0;
    for (int t = 0; t < C->count; t++) {
      k->d[t] = -k->y[C->index[t]];
      most = perp_max(most, fabs(k->d[t]));
    }
    if (most <= 0.1 * k->slack)
      return;
    perp_minor_solve(C, k->d);
    for (int t = 0; t < C->count; t++) {
      const int i = C->index[t];
      k->x[i] = perp_min(perp_max(k->x[i] + k->d[t], k->lo[i]), k->hi[i]);
    }
    perp_run_gradient(k->run, k->x, k->y);
  }
}

/* Sets the first C: rows strictly inside, except rows that depend on others, which move to their
 * nearest bound. A zero start has no information: all rows that have a bound move to it. Free rows
 * stay. */
static perp_error place_rows(keller *k)
{
  const bool cold = perp_all_zero(k->n, k->x);
  for (int i = 0; i < k->n && !perp_run_expired(k->run); i++) {
    const double lo = k->lo[i], hi = k->hi[i];
    const double nearest = fabs(k->x[i] - lo) <= fabs(hi - k->x[i]) ? lo : hi;
    if (!isfinite(lo) && !isfinite(hi))
      continue;
    if (!cold && k->x[i] > lo && k->x[i] < hi) {
      double pivot, noise;
      const perp_error error = perp_minor_reach(&k->C, i, &pivot, &noise);
      if (error)
        return error;
      if (pivot > noise) {
        perp_minor_append(&k->C, i, pivot);
        continue;
      }
    }
    k->x[i] = nearest;
  }
  perp_run_gradient(k->run, k->x, k->y);
  return PERP_OK;
}

/* Shrinks the warm C until x_C = -A_CC^-1 b_C ... is in the box: removes rows one by one with
 * falling energy, as in a drive without a driven row. */
static void enter_box(keller *k)
{
  perp_minor *C = &k->C;
  while (C->count > 0 && !perp_run_expired(k->run)) {
    for (int t = 0; t < C->count; t++)
      k->d[t] = -k->y[C->index[t]];
    perp_minor_solve(C, k->d);
    double step = 1;
    int leaving = -1;
    for (int t = 0; t < C->count; t++) {
      const int i = C->index[t];
      const double room = k->d[t] < 0 ? k->x[i] - k->lo[i] : k->hi[i] - k->x[i];
      if (room < step * fabs(k->d[t])) {
        step = perp_max(room, 0) / fabs(k->d[t]);
        leaving = i;
      }
    }
    for (int t = 0; t < C->count; t++)
      k->x[C->index[t]] += step * k->d[t];
    if (leaving >= 0) {
      k->x[leaving] = k->d[C->place[leaving]] < 0 ? k->lo[leaving] : k->hi[leaving];
      perp_minor_delete(C, leaving);
    }
    perp_run_gradient(k->run, k->x, k->y);
    if (leaving < 0)
      return;
  }
}

/* ---- Driving ---- */

/* Returns the largest step of x along `way` times (v, 1 at s); *blocking is the row that ends it, s
 * for its own bound, -1 for none. */
static double room_ahead(const keller *k, int s, int way, int *blocking)
{
  const perp_minor *C = &k->C;
  double step = way > 0 ? k->hi[s] - k->x[s] : k->x[s] - k->lo[s], strength = 1;
  *blocking = isfinite(step) ? s : -1;
  for (int t = 0; t < C->count; t++) {
    const int i = C->index[t];
    const double d = way * C->v[t];
    if (d == 0)
      continue;
    const double room = perp_max(d < 0 ? k->x[i] - k->lo[i] : k->hi[i] - k->x[i], 0) / fabs(d);
    if (room < step || (room == step && *blocking >= 0 && fabs(d) > strength)) {
      step = room;
      strength = fabs(d);
      *blocking = i;
    }
  }
  return step;
}

static void move(keller *k, int s, int way, double step)
{
  const perp_minor *C = &k->C;
  for (int t = 0; t < C->count; t++)
    k->x[C->index[t]] += way * step * C->v[t];
  k->x[s] += way * step;
}

static void keep_ray(keller *k, int s, int way)
{
  double *u = k->d;
  perp_fill(k->n, 0, u);
  for (int t = 0; t < k->C.count; t++)
    u[k->C.index[t]] = way * k->C.v[t];
  u[s] = way;
}

static drive_end drive(keller *k, int s)
{
  perp_minor *C = &k->C;
  const int way = k->y[s] < 0 ? 1 : -1;
  while (!perp_run_expired(k->run)) {
    double m, noise;
    if ((k->error = perp_minor_reach(C, s, &m, &noise)))
      return FAILED;
    int blocking;
    const double room = room_ahead(k, s, way, &blocking);
    const double step = m > noise ? fabs(k->y[s]) / m : INFINITY;
    k->run->count.pivots++;
    if (step <= room && isfinite(step)) {
      move(k, s, way, step);
      perp_minor_append(C, s, m);
      return DRIVEN;
    }
    if (blocking < 0) {
      keep_ray(k, s, way);
      return RAY;
    }
    const double d = blocking == s ? way : way * C->v[C->place[blocking]];
    move(k, s, way, room);
    k->y[s] += way * room * m;
    k->x[blocking] = d < 0 ? k->lo[blocking] : k->hi[blocking];
    if (blocking == s)
      return DRIVEN;
    perp_minor_delete(C, blocking);
  }
  return EXPIRED;
}

/* ---- The method ---- */

static void end_on_ray(keller *k)
{
  const perp_form form = perp_set_form(&k->run->problem->K);
  perp_run_ray(k->run, k->d);
  perp_run_claim(k->run, form == PERP_FORM_LCP ? PERP_INFEASIBLE : PERP_RAY);
  perp_run_say(k->run, "the energy is unbounded below along the ray");
}

/* Hashes C and the bounds of the other rows. */
static uint64_t basis_hash(const keller *k)
{
  uint64_t hash = 0;
  for (int i = 0; i < k->n; i++)
    hash ^= perp_place_key(i, k->C.place[i] >= 0 ? 2 : k->x[i] == k->hi[i]);
  return hash;
}

static perp_error pivot(keller *k)
{
  perp_cycle_forget(&k->cycle, 0);
  while (true) {
    int wrong;
    settle(k);
    const int s = select_row(k, &wrong);
    if (!perp_best_show(&k->best, k->run, k->x, k->y, wrong) || s < 0)
      return PERP_OK;
    if (perp_cycle_repeats(&k->cycle, basis_hash(k))) {
      perp_run_claim(k->run, PERP_STAGNATED);
      perp_run_say(k->run, "a basis repeats after %lld pivots: rounding errors dominate",
                   (long long)k->run->count.pivots);
      return PERP_OK;
    }
    const drive_end end = drive(k, s);
    if (end == RAY)
      end_on_ray(k);
    if (end != DRIVEN)
      return end == FAILED ? k->error : PERP_OK;
    perp_run_gradient(k->run, k->x, k->y);
  }
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  keller k;
  perp_error error = create(&k, run, x);
  if (error)
    return error;
  k.rule = ((const keller_parameters *)params)->rule;
  perp_run_gradient(run, x, k.y);
  if (!perp_run_next(run, x, k.y))
    return PERP_OK;
  error = factor_create(&k);
  if (!error)
    error = place_rows(&k);
  if (error)
    return error;
  enter_box(&k);
  return pivot(&k);
}

const perp_method perp_method_keller = {
    .name = "keller",
    .title = "symmetric principal pivoting",
    .family = "pivoting",
    .reference = true,
    .source = "keller-1973",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_ROW,
    .max_iterations = 100000,
    .iteration =
        "raises x_r along the solution of A_FF d = -A_Fr until y_r = 0 or another row blocks",
    .works = "symmetric: semi-definite always, else to a stationary point or a ray",
    PERP_SOLVES_WITH(keller_parameters),
};
