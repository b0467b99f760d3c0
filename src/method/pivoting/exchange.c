/* exchange.c: principal bases of y = A x + b over a box
 *
 * Every row is basic (in F: y_i = 0) or at a bound. The basis fixes x,
 *
 *   x_i = lo_i or hi_i  (i not in F),   A_FF x_F = -(b_F + A_FN x_N),
 *
 * and a row is wrong if its other variable has the wrong sign or leaves the box:
 *
 *   i in F:   x_i < lo_i  -> to lo,    x_i > hi_i  -> to hi
 *   at lo:    y_i < 0     -> to F      at hi:  y_i > 0  -> to F
 *
 * A basis without wrong rows is a solution. For a P-matrix every A_FF is nonsingular, so any
 * exchange is possible. Steps are corrections, x_F <- x_F - A_FF^-1 y_F, with y a fresh product:
 * each one removes the errors of updates of the factor.
 *
 * The factor of A_FF is a banded one if A has compressed rows in a narrow band; Cholesky's, which
 * follows F if few rows move (active_factor.h), if A is symmetric and dense or has few rows; else
 * that of linear.h.
 *
 * Semi-definite matrices. If a pivot is zero the method continues with the proximal problems
 *
 *   y + D (x - c) _|_ x,   D = rho diag A,   c <- x,   rho = 0.1, 0.01, ..., 1e-8
 *
 * (Rockafellar 1976). Their matrix A + D is a P-matrix if A is P_0, and monotone A need a few
 * centres, since the residual of x is at most D |x - c|. If there is no feasible point, x - c
 * tends to a ray u >= 0 with A^T u <= 0 and b^T u < 0 for symmetric A, which is tested as such.
 *
 * Workspace: 14 n and the factor. */
#include "method/pivoting/exchange.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/pivoting/small_pivots.h"
#include "method/run/certificate.h"
#include "method/system/gather.h"
#include "set/set.h"

#include <float.h>

static const double first_proximal = 0.1, least_proximal = 1e-8, most_proximal = 1;

/* ---- Set-up ---- */

/* Opens e->band if A has compressed rows in a narrow band. */
static perp_error open_band(perp_exchange *e)
{
  enum { MOST = 8 };
  perp_sparse S = {.n = e->n};
  int below, above;
  if (e->n < PERP_BAND_LEAST ||
      perp_operator_csr_arrays(e->run->problem->A, &S.start, &S.column, &S.value) != PERP_OK ||
      !perp_band_is_narrow(&S, MOST, &below, &above))
    return PERP_OK;
  const bool made = perp_band_create(&e->band, &S, below, above, e->run->arena);
  return made ? PERP_OK : perp_run_no_memory(e->run);
}

static bool is_banded(const perp_exchange *e)
{
  return e->band.entries;
}

static perp_error allocate(perp_exchange *e)
{
  const size_t n = (size_t)e->n;
  const bool there = PERP_TAKE_REALS(e->run->arena, n, &e->y, &e->lo, &e->hi, &e->step, &e->centre,
                                     &e->diagonal, &e->shift, &e->ray, &e->full, &e->solution) &&
                     PERP_TAKE_INTEGERS(e->run->arena, n, &e->place, &e->wrong, &e->set) &&
                     perp_best_create(&e->best, e->run);
  return there ? PERP_OK : perp_run_no_memory(e->run);
}

/* Opens the system for what has no other factor. *state: whether it can be solved in time. */
static perp_exchange_state open_system(perp_exchange *e)
{
  perp_run *run = e->run;
  const perp_linear_plan plan = {.solver = PERP_LINEAR_DIRECT, .sparse_lu = true};
  e->error = perp_linear_open(run, &plan, &e->system);
  if (e->error)
    return PERP_EXCHANGE_ERROR;
  if (perp_run_expired(run))
    return PERP_EXCHANGE_EXPIRED;
  if (perp_linear_is_direct(e->system))
    return PERP_EXCHANGE_OK;
  if (run->options->memory_limit)
    e->error =
        perp_run_fail(run, PERP_ERROR_MEMORY, "the entries of A need more than memory_limit");
  else if (!e->symmetric)
    e->error = perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                             "without UMFPACK %s takes no sparse unsymmetric matrix of %d rows",
                             perp_run_method(run), e->n);
  if (e->error)
    return PERP_EXCHANGE_ERROR;
  perp_run_too_long(run, "the ordering of a factor", e->n);
  return PERP_EXCHANGE_EXPIRED;
}

/* Chooses the factor. */
static perp_exchange_state open_factor(perp_exchange *e)
{
  enum { FEW = 100 };      /* rows of a sparse A up to which a dense factor is faster */
  static const char maker; /* its address identifies the factor in the solver's cache */
  perp_run *run = e->run;
  const perp_operator *A = run->problem->A;
  perp_dense_rows rows;
  const double *a;
  int64_t stride;
  e->error = open_band(e);
  if (e->error)
    return PERP_EXCHANGE_ERROR;
  e->symmetric = A->symmetric || perp_product_is_symmetric(run, e->step, e->full, e->solution);
  if (is_banded(e))
    return PERP_EXCHANGE_OK;
  const bool dense = perp_operator_dense_array(A, &a, &stride) == PERP_OK;
  if (!e->symmetric || !(dense || e->n <= FEW) || !perp_small_open_rows(run, &rows))
    return open_system(e);
  if (!perp_run_allows(run, (double)e->n * e->n * sizeof *a)) {
    e->error = perp_run_fail(run, PERP_ERROR_MEMORY,
                             "a factor of %d rows needs more than memory_limit", e->n);
    return PERP_EXCHANGE_ERROR;
  }
  e->kept = perp_active_open(run, &maker, rows.a, rows.stride, &e->active);
  if (e->kept)
    return PERP_EXCHANGE_OK;
  e->error = perp_run_no_memory(run);
  return PERP_EXCHANGE_ERROR;
}

perp_error perp_exchange_open(perp_exchange *e, perp_run *run, double *x, bool *go_on)
{
  const perp_problem *p = run->problem;
  *e = (perp_exchange){.run = run, .n = p->K.n, .x = x, .holds = 1};
  *go_on = false;
  const perp_error error = allocate(e);
  if (error)
    return error;
  perp_run_gradient(run, x, e->y);
  e->opened = true;
  if (!perp_run_next(run, x, e->y))
    return PERP_OK;
  perp_set_all_bounds(&p->K, e->lo, e->hi);
  perp_fill(e->n, 0, e->centre);
  perp_fill(e->n, 0, e->shift);
  if (perp_operator_diagonal(p->A, e->diagonal, NULL))
    perp_fill(e->n, 0, e->diagonal);
  e->slack = perp_max(0.01 * run->target, 4 * DBL_EPSILON * run->scale);
  *go_on = open_factor(e) == PERP_EXCHANGE_OK;
  return e->error;
}

void perp_exchange_close(perp_exchange *e)
{
  perp_linear_close(e->system);
  if (e->follows)
    perp_active_offer(e->kept, e->run, &e->active);
}

/* ---- Bases by name ---- */

/* Returns y_i of the problem being solved, A's or the proximal one. */
static double slope(const perp_exchange *e, int i)
{
  return e->y[i] + e->shift[i] * (e->x[i] - e->centre[i]);
}

/* Returns the place where row i should be; its present place if it is right. An error of x_i counts
 * as an error of A_ii x_i if that is stricter. */
static int right_place(const perp_exchange *e, int i)
{
  const double a = fabs(e->diagonal[i]), slack = a > 1 ? e->slack / a : e->slack;
  const double y = slope(e, i), y_slack = e->slack + e->noise * sqrt(a);
  switch (e->place[i]) {
  case PERP_BASIC:
    return e->x[i] < e->lo[i] - slack   ? PERP_AT_LO
           : e->x[i] > e->hi[i] + slack ? PERP_AT_HI
                                        : PERP_BASIC;
  case PERP_AT_LO:
    return y < -y_slack && e->lo[i] < e->hi[i] ? PERP_BASIC : PERP_AT_LO;
  default:
    return y > y_slack && e->lo[i] < e->hi[i] ? PERP_BASIC : PERP_AT_HI;
  }
}

int perp_exchange_wrong(perp_exchange *e)
{
  int count = 0;
  for (int i = 0; i < e->n; i++)
    if (right_place(e, i) != e->place[i])
      e->wrong[count++] = i;
  return count;
}

/* ---- The solution of a basis ---- */

static const int *basic_rows(const perp_exchange *e)
{
  return e->follows ? e->active.index : e->set;
}

/* r <- A_FF^-1 r */
static void solve_basic(perp_exchange *e, double *r)
{
  e->run->count.solves++;
  if (e->follows) {
    perp_active_solve(&e->active, r);
  } else if (is_banded(e)) {
    perp_band_solve(&e->band, r);
  } else {
    for (int t = 0; t < e->count; t++)
      e->full[e->set[t]] = r[t];
    perp_linear_solve(e->system, e->full, INFINITY, e->solution);
    for (int t = 0; t < e->count; t++)
      r[t] = e->solution[e->set[t]];
  }
}

/* Estimates the rounding of y: |A_ij| <= sqrt(A_ii A_jj) if A is semi-definite, so y_i has terms up
 * to sqrt(A_ii) max_j sqrt(A_jj) |x_j|. */
static void measure_noise(perp_exchange *e)
{
  double most = 0;
  for (int j = 0; j < e->n; j++)
    most = perp_max(most, fabs(e->diagonal[j]) * e->x[j] * e->x[j]);
  e->noise = 4 * DBL_EPSILON * sqrt(most);
}

static void refresh(perp_exchange *e)
{
  perp_run_gradient(e->run, e->x, e->y);
  measure_noise(e);
}

/* x_F <- x_F - A_FF^-1 slope_F until slope_F counts as 0 (*solved is true) or no longer halves. */
static perp_exchange_state correct(perp_exchange *e, bool *solved)
{
  enum { ROUNDS = 4 };
  double before = INFINITY;
  for (int round = 0;; round++) {
    const int *F = basic_rows(e);
    double left = 0, allowed = 0;
    for (int t = 0; t < e->count; t++) {
      e->step[t] = -slope(e, F[t]);
      allowed = perp_max(allowed, e->noise * sqrt(fabs(e->diagonal[F[t]])));
    }
    left = perp_norm_inf(e->count, e->step);
    if (round == ROUNDS || left <= 0.1 * e->slack || (round > 0 && !(left < 0.5 * before))) {
      *solved = left <= 10 * (e->slack + allowed);
      return PERP_EXCHANGE_OK;
    }
    before = left;
    solve_basic(e, e->step);
    for (int t = 0; t < e->count; t++)
      e->x[F[t]] += e->step[t];
    refresh(e);
  }
}

static perp_exchange_state not_p(perp_exchange *e)
{
  perp_run_claim(e->run, PERP_STAGNATED);
  perp_run_say(e->run, "a principal minor is not positive: the method needs a P-matrix");
  return PERP_EXCHANGE_NOT_P;
}

static double factor_flops(const perp_exchange *e)
{
  const double m = e->count;
  return is_banded(e) ? perp_band_flops(&e->band, e->count)
         : e->follows ? m * m * m / 3
                      : m / e->n * perp_linear_flops(e->system);
}

static perp_exchange_state factor_system(perp_exchange *e, bool *regular)
{
  *regular = true;
  if (e->count == 0)
    return PERP_EXCHANGE_OK;
  *regular = e->symmetric ? perp_linear_set_definite(e->system, e->count, e->set, e->shift)
                          : perp_linear_set(e->system, e->count, e->set, e->shift);
  if (!*regular || perp_linear_is_direct(e->system))
    return PERP_EXCHANGE_OK;
  if (perp_run_expired(e->run) || !perp_run_affords(e->run, factor_flops(e)))
    return PERP_EXCHANGE_EXPIRED;
  e->error =
      perp_run_fail(e->run, PERP_ERROR_MEMORY, "out of memory for the factor of %d rows", e->count);
  return PERP_EXCHANGE_ERROR;
}

/* Factors A_FF for the F of e->place. *regular: all pivots are positive. */
static perp_exchange_state factor(perp_exchange *e, bool *regular)
{
  if (perp_run_expired(e->run))
    return PERP_EXCHANGE_EXPIRED;
  e->count = 0;
  for (int i = 0; i < e->n; i++)
    if (e->place[i] == PERP_BASIC)
      e->set[e->count++] = i;
  e->follows = e->kept && e->proximal == 0;
  if (!e->follows && !is_banded(e) && !e->system) {
    const perp_exchange_state state = open_system(e);
    if (state != PERP_EXCHANGE_OK)
      return state;
  }
  if (!perp_run_affords(e->run, factor_flops(e))) {
    perp_run_too_long(e->run, "a factor", e->count);
    return PERP_EXCHANGE_EXPIRED;
  }
  if (e->follows) {
    *regular = perp_active_follow(e->kept, e->run, e->count, e->set, e->full, &e->active);
    return PERP_EXCHANGE_OK;
  }
  if (!is_banded(e))
    return factor_system(e, regular);
  e->run->count.factorisations++;
  *regular = perp_band_factorise(&e->band, e->count, e->set, e->shift) < 0;
  return PERP_EXCHANGE_OK;
}

/* Sets the proximal problem with D = rho diag A about the current x, inside the box. */
static void centre(perp_exchange *e, double rho)
{
  double mean = 0;
  for (int i = 0; i < e->n; i++)
    mean += fabs(e->diagonal[i]) / e->n;
  e->proximal = rho;
  for (int i = 0; i < e->n; i++) {
    const double a = e->diagonal[i] > 0 ? e->diagonal[i] : mean > 0 ? mean : 1;
    e->shift[i] = rho * a;
    e->centre[i] = perp_min(perp_max(e->x[i], e->lo[i]), e->hi[i]);
  }
}

/* Factors and solves if a new factor is needed. If the factor does not solve, its smallest pivots
 * are rounding, and proximal problems take over. */
static perp_exchange_state renew(perp_exchange *e)
{
  bool solved = false;
  for (;;) {
    bool regular;
    perp_exchange_state state = factor(e, &regular);
    if (state == PERP_EXCHANGE_OK && regular)
      state = correct(e, &solved);
    if (state != PERP_EXCHANGE_OK)
      return state;
    if (regular && !solved && e->follows && e->active.changes > 0) { /* updates have cost digits */
      perp_active_clear(&e->active);
      continue;
    }
    if (regular ? solved || e->proximal > 0 : e->proximal >= most_proximal)
      return regular ? state : not_p(e);
    if (!perp_all_finite(e->n, e->x)) {
      perp_copy(e->n, e->best.x, e->x);
      refresh(e);
    }
    centre(e, e->proximal > 0 ? 10 * e->proximal : first_proximal);
    e->centre_best = INFINITY;
  }
}

/* A zero start has no information: rows go to their bound next to zero. Otherwise rows strictly
 * inside are basic. Free rows are always basic. */
perp_exchange_state perp_exchange_begin(perp_exchange *e, bool grow)
{
  const bool cold = perp_all_zero(e->n, e->x);
  bool moved = !e->opened;
  e->hash = 0;
  for (int i = 0; i < e->n; i++) {
    const double lo = e->lo[i], hi = e->hi[i], x = e->x[i];
    int place = x <= lo ? PERP_AT_LO : x >= hi ? PERP_AT_HI : PERP_BASIC;
    if (cold && (isfinite(lo) || isfinite(hi)))
      place = fabs(lo) <= fabs(hi) ? PERP_AT_LO : PERP_AT_HI;
    e->place[i] = place;
    e->hash ^= perp_place_key(i, place);
    if (place != PERP_BASIC) {
      e->x[i] = place == PERP_AT_LO ? lo : hi;
      moved |= e->x[i] != x;
    }
  }
  e->opened = false;
  if (moved)
    refresh(e);
  else
    measure_noise(e);
  if (grow && cold && is_banded(e))
    perp_exchange_grow(e);
  perp_cycle_forget(&e->cycle, e->hash);
  return renew(e);
}

bool perp_exchange_add_proximal_term(perp_exchange *e, perp_exchange_state *state)
{
  if (!e->symmetric || e->proximal >= most_proximal)
    return false;
  const bool first = e->proximal == 0;
  e->centre_best = INFINITY;
  e->hold = e->holds;
  e->holds = e->holds < 1024 ? 2 * e->holds : e->holds;
  perp_copy(e->n, first ? e->best.x : e->centre, e->x);
  centre(e, first ? first_proximal : perp_min(10 * e->proximal, most_proximal));
  *state = perp_exchange_begin(e, false);
  return true;
}

perp_exchange_state perp_exchange_drop_proximal_term(perp_exchange *e)
{
  perp_copy(e->n, e->best.x, e->x);
  centre(e, 0);
  e->centres = e->centre_failures = 0;
  return perp_exchange_begin(e, false);
}

perp_exchange_state perp_exchange_rows(perp_exchange *e, int count, const int *list)
{
  e->run->count.pivots += count;
  for (int t = 0; t < count; t++) {
    const int i = list[t];
    perp_exchange_put(e, i, right_place(e, i));
    if (e->place[i] != PERP_BASIC)
      e->x[i] = e->place[i] == PERP_AT_LO ? e->lo[i] : e->hi[i];
  }
  refresh(e);
  return renew(e);
}

/* ---- Proximal steps ---- */

/* Returns true if u = max(x - c, 0), or without c a large x itself, may prove that no x >= 0 makes
 * A x + b >= 0. */
static bool may_be_certificate(perp_exchange *e)
{
  const perp_problem *p = e->run->problem;
  if (perp_set_form(&p->K) != PERP_FORM_LCP || !p->A->table->apply_t)
    return false;
  for (int i = 0; i < e->n; i++)
    e->ray[i] = perp_max(e->x[i] - (e->proximal > 0 ? e->centre[i] : 0), 0);
  const double most = perp_norm_inf(e->n, e->ray);
  if (!(most > 0) || isinf(most))
    return false;
  perp_multiply(e->n, 1 / most, e->ray);
  /* remove the part that belongs to the solution and not to the ray */
  for (int i = 0; i < e->n; i++)
    if (e->ray[i] < 1e-12)
      e->ray[i] = 0;
  const double product = perp_dot(e->n, p->b, e->ray);
  if (!(product < -1e-10 * e->run->scale))
    return false;
  p->A->table->apply_t(p->A, e->ray, e->step, &e->run->work);
  e->run->count.applies++;
  for (int i = 0; i < e->n; i++)
    if (!(e->step[i] <= -1e-6 * product))
      return false;
  return true;
}

bool perp_exchange_recentre(perp_exchange *e, perp_exchange_state *state)
{
  enum { MOST_CENTRES = 200, PATIENCE = 12 };
  *state = PERP_EXCHANGE_OK;
  if (e->centres >= MOST_CENTRES)
    return false;
  if ((e->centres > 0 || e->proximal == 0) && may_be_certificate(e) &&
      perp_certificate_claim(e->run, e->ray)) {
    perp_run_say(e->run, "no x >= 0 makes A x + b >= 0: the ray proves it");
    return false;
  }
  if (e->proximal == 0)
    return false;
  const double residual = perp_problem_residual(e->run->problem, e->x, e->y);
  e->centre_failures = residual < 0.99 * e->centre_best ? 0 : e->centre_failures + 1;
  e->centre_best = perp_min(e->centre_best, residual);
  if (e->centre_failures >= PATIENCE)
    return false;
  e->centres++;
  perp_cycle_forget(&e->cycle, e->hash);
  if (e->proximal > least_proximal && --e->hold < 0) {
    centre(e, perp_max(0.1 * e->proximal, least_proximal));
    *state = renew(e);
  } else {
    bool solved;
    for (int i = 0; i < e->n; i++)
      e->centre[i] = perp_min(perp_max(e->x[i], e->lo[i]), e->hi[i]);
    *state = correct(e, &solved);
  }
  return *state == PERP_EXCHANGE_OK;
}

void perp_exchange_give_up(perp_exchange *e)
{
  if (e->proximal == 0 || perp_run_expired(e->run))
    return;
  perp_run_claim(e->run, PERP_STAGNATED);
  perp_run_say(e->run,
               "a principal submatrix is singular, and proximal steps stopped at relative residual "
               "%.1e; the method needs a P-matrix or a symmetric positive semi-definite one",
               e->best.residual / e->run->scale);
}

bool perp_exchange_first(perp_exchange *e, perp_exchange_state *state)
{
  if (perp_cycle_repeats(&e->cycle, e->hash)) {
    perp_run_claim(e->run, PERP_STAGNATED);
    perp_run_say(
        e->run,
        "a basis repeats after %lld pivots: A is not a P-matrix, or rounding errors dominate",
        (long long)e->run->count.pivots);
    return false;
  }
  *state = perp_exchange_rows(e, 1, e->wrong);
  return true;
}
