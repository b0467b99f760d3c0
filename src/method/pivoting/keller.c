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
 * A drive is that of principal.c without regard to the rows that turn wrong. One pivot: k^2 in, 6 k^2
 * out, k = |C|, and for each drive a product with A. Workspace: n^2 for the factor, 13 n; n^2 more if
 * A is copied. */
#include "base/elementary.h"
#include "method/pivoting/cycle.h"
#include "method/pivoting/principal.h"
#include "set/set.h"

#include <float.h>

/* Returns the row to drive, of the greatest y^2 / A_ii, -1 if every row is right; *wrong: the number of wrong rows. */
static int select_row(const perp_principal *e, int *wrong)
{
  int best = -1;
  double most = -1;
  *wrong = 0;
  for (int i = 0; i < e->n; i++) {
    if (!perp_principal_wants(e, i))
      continue;
    ++*wrong;
    const double gain = perp_principal_gain(e, i);
    if (gain > most) {
      most = gain;
      best = i;
    }
  }
  return best;
}

/* x_C <- x_C - A_CC^-1 w_C with a fresh w, inside the box, until w_C counts as 0. */
static void settle(perp_principal *e)
{
  enum { ROUNDS = 3 };
  const perp_active *C = &e->active;
  for (int round = 0;; round++) {
    bool right = true;
    perp_principal_refresh(e);
    for (int k = 0; k < C->count; k++) {
      e->d[k] = -e->w[C->index[k]];
      right = right && fabs(e->d[k]) <= 0.1 * e->slack[C->index[k]];
    }
    if (right || round == ROUNDS)
      return;
    perp_active_solve(C, e->d);
    e->run->count.solves++;
    for (int k = 0; k < C->count; k++) {
      const int i = C->index[k];
      e->x[i] = perp_min(perp_max(e->x[i] + e->d[k], e->lo[i]), e->hi[i]);
    }
  }
}

/* Hashes C and the bounds of the other rows. */
static uint64_t basis_hash(const perp_principal *e)
{
  uint64_t hash = 0;
  for (int i = 0; i < e->n; i++)
    hash ^= perp_place_key(i, e->active.place[i] >= 0 ? 2 : e->x[i] == e->hi[i]);
  return hash;
}

/* Sets the first C: rows strictly inside, except rows that depend on others. A zero start has no
 * information: all rows that have a bound move to the nearest one. */
static bool begin(perp_principal *e)
{
  const bool cold = perp_all_zero(e->n, e->x);
  for (int i = 0; i < e->n && cold; i++)
    if (isfinite(e->lo[i]) || isfinite(e->hi[i]))
      e->x[i] = fabs(e->lo[i]) <= fabs(e->hi[i]) ? e->lo[i] : e->hi[i];
  perp_principal_refresh(e);
  perp_principal_place(e);
  return perp_principal_settle(e);
}

static void pivot(perp_principal *e, perp_best *best)
{
  perp_run *run = e->run;
  perp_cycle cycle;
  int64_t pivots = INT64_MAX;
  perp_cycle_forget(&cycle, 0);
  perp_principal_state state = begin(e) ? PERP_PRINCIPAL_DONE : PERP_PRINCIPAL_EXPIRED;
  while (state == PERP_PRINCIPAL_DONE) {
    int wrong;
    settle(e);
    const int s = select_row(e, &wrong);
    if (!perp_best_show(best, run, e->x, e->w, wrong) || s < 0)
      return;
    if (perp_cycle_repeats(&cycle, basis_hash(e))) {
      perp_run_claim(run, PERP_STAGNATED);
      perp_run_say(run, "a basis repeats after %lld pivots: rounding errors dominate",
                   (long long)run->count.pivots);
      return;
    }
    state = perp_principal_drive(e, s, false, &pivots);
  }
  if (state == PERP_PRINCIPAL_STUCK) {
    const perp_form form = perp_set_form(&run->problem->K);
    perp_run_ray(run, e->ray);
    perp_run_claim(run, form == PERP_FORM_LCP ? PERP_INFEASIBLE : PERP_RAY);
    perp_run_say(run, "the energy is unbounded below along the ray");
  }
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  static const double SAME = 1e-12; /* relative difference of A_ij and A_ji that is rounding */
  if (!perp_run_next(run, x, NULL) || !perp_principal_affords(run))
    return PERP_OK;
  perp_principal e;
  const perp_error error = perp_principal_create(run, x, SAME, &e);
  if (error || perp_run_expired(run))
    return error;
  perp_best best;
  if (!perp_best_create(&best, run))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&p->K, e.lo, e.hi);
  perp_fill(e.n, perp_max(0.01 * run->target, 4 * DBL_EPSILON * run->scale), e.slack);
  perp_fill_integers(e.n, PERP_ROW_PLAIN, e.state);
  pivot(&e, &best);
  return PERP_OK;
}

const perp_method perp_method_keller = {
    .name = "keller",
    .title = "symmetric principal pivoting",
    .family = "pivoting",
    .reference = true,
    .source = "keller-1973",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .max_iterations = 100000,
    .iteration =
        "raises x_r along the solution of A_FF d = -A_Fr until y_r = 0 or another row blocks",
    .works = "symmetric: semi-definite always, else to a stationary point or a ray",
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
