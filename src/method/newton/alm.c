/* alm.c: the method of multipliers with Newton's method in body velocities
 *
 * On stacks and piles A = J Minv J^T is singular: there are more contacts than velocities, and a
 * Newton step is not unique. A proximal term makes each problem regular,
 *
 *   x+  solves the problem with  y = A x + b + E (x - x*),   E > 0 diagonal,   x* <- x+
 *
 * whose limit solves the problem itself: A x + b differs from y by E (x - x*), which vanishes
 * (Rockafellar 1976; for contact and friction Alart and Curnier 1991). Seen from the velocities, 1
 * / E is the penalty and x* the multiplier of an augmented Lagrangian. Unlike a compliance, E does
 * not change the solution, so it need not be small: a smaller E takes fewer problems, each of them
 * harder.
 *
 * Each problem is solved by Newton's method on its natural map, that is by guessing which rows are
 * at which bound:
 *
 *   t = x - y / (A_ii + E_ii);   row i is at lo if t_i <= lo, at hi if t_i >= hi, else free
 *   free:      (A x)_i + E_ii x_i = -b_i + E_ii x*_i
 *   at bound:  x_i = lo or hi; in a friction row lo_i x_j or hi_i x_j, which moves with the normal
 *
 * until the guess does not change. Each contact's rows give a lower triangular block of
 * T = (E + C)^-1, with a row at a friction bound tied to its normal, and the step is
 * (I + T A') d = T r (coupled.h). With friction the guesses may cycle, since the problem is not a
 * minimisation. The contacts that still change after a few steps then get a larger
 * E, and more steps are allowed. E falls again once guesses settle, and faster if they settle at
 * once. A problem takes a few steps; a jammed pile of a hundred discs takes about thirty in all.
 *
 * If a problem is given up, x* becomes the best x seen. Cost of an iteration: a factor in
 * velocities, one or two products with A. Workspace: 13 n, and the factor. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/contact/coupled.h"
#include "method/system/active_set.h"
#include "method/system/gather.h"
#include "operator/contact/contact.h"

typedef struct alm {
  perp_run *run;
  const perp_set *K;
  int n;
  double *x, *y;             /* the caller's x, and A x + b */
  double *centre, *centre_y; /* x*, and A x* + b */
  double *best;              /* the x of the least residual in this problem */
  double *rho;               /* n: E_ii, the same in all rows of a contact */
  double *diagonal;          /* n: A_ii */
  double *T;                 /* (E + C)^-1, by contact */
  double *delta;             /* n: the step */
  double *fixed;             /* n: x_i in rows at a constant bound, else 0 */
  double *right;             /* n */
  signed char *side;         /* n: perp_side */
  unsigned char *turned;     /* by contact: nonzero if it changed in one of the last two steps */
  double *unit;              /* n: A_ii of the contact's normal */
  double *scratch;           /* 2 n, for the start */
  perp_contact_list contacts;
  perp_coupled *system;
} alm;

/* ---- The guess ---- */

/* Guesses the side of every row from x and y and marks the contacts whose guess changed. Returns
 * true if any did. */
static bool guess(alm *s)
{
  bool any = false;
  for (int i = 0; i < s->n; i++) {
    const double rho = s->rho[i], whole = s->diagonal[i] + rho;
    s->right[i] = s->x[i] - (s->y[i] + rho * (s->x[i] - s->centre[i])) / whole;
  }
  for (int i = 0; i < s->n; i++) {
    const int c = s->contacts.of[i], j = s->contacts.row[s->contacts.start[c]];
    double lo = perp_set_lo(s->K, i), hi = perp_set_hi(s->K, i);
    if (i != j) {
      const double normal =
          fabs(perp_min(perp_max(s->right[j], perp_set_lo(s->K, j)), perp_set_hi(s->K, j)));
      lo = perp_bound_times(lo, normal);
      hi = perp_bound_times(hi, normal);
    }
    const perp_side now = perp_side_guess(s->right[i], lo, hi);
    if (now != s->side[i]) {
      any = true;
      s->turned[c] = 2;
    }
    s->side[i] = (signed char)now;
  }
  return any;
}

/* ---- The step ---- */

static bool is_free(const alm *s, int i)
{
  return s->side[i] == PERP_SIDE_FREE;
}

/* Sets T and the fixed part of x from the sides. */
static void take_sides(alm *s)
{
  const perp_contact_list *g = &s->contacts;
  const double *own = perp_coupled_own(s->system);
  perp_fill(g->block[g->count], 0, s->T);
  for (int c = 0; c < g->count; c++) {
    const int size = perp_contact_rows(g, c), *row = g->row + g->start[c], j = row[0];
    double *T = s->T + g->block[c];
    for (int k = 0; k < size; k++) {
      const int i = row[k];
      s->fixed[i] = 0;
      if (is_free(s, i))
        T[k * size + k] = 1 / (s->rho[i] + own[i]);
      else if (k == 0)
        s->fixed[i] = perp_side_bound(s->K, i, s->side[i]);
      else if (is_free(s, j)) /* x_j < 0 here is rounding if its bound is above 0 */
        T[k * size] =
            perp_side_tie(s->K, i, s->side[i], perp_set_lo(s->K, j) < 0 ? s->x[j] : 0) * T[0];
      else
        s->fixed[i] = perp_side_bound(s->K, i, s->side[i]) * fabs(s->fixed[j]);
    }
  }
}

/* right <- the residual of the free rows at x, y. Returns its norm. */
static double error_of(alm *s)
{
  double most = 0;
  for (int i = 0; i < s->n; i++) {
    s->right[i] = is_free(s, i) ? -(s->y[i] + s->rho[i] * (s->x[i] - s->centre[i])) : 0;
    most = perp_max(most, fabs(s->right[i]));
  }
  return most;
}

/* Solves for x with the current sides, y <- A x + b. Returns false if the system has no
 * solution. */
static bool step(alm *s)
{
  enum { REFINEMENTS = 2 };
  take_sides(s);
  if (!perp_coupled_set(s->system, s->T))
    return false;
  /* start from the fixed part, y = A fixed + b */
  perp_copy(s->n, s->fixed, s->x);
  if (perp_all_zero(s->n, s->fixed)) /* true for contacts, whose bounds follow the normal or are
                                      * 0 */
    perp_copy(s->n, s->run->problem->b, s->y);
  else
    perp_run_gradient(s->run, s->x, s->y);
  double before = error_of(s);
  for (int k = 0; k <= REFINEMENTS && before > 1e-3 * s->run->target; k++) {
    perp_coupled_times(&s->contacts, s->T, s->right, s->delta);
    if (!perp_coupled_solve(s->system, s->delta, s->delta))
      return false;
    perp_axpy(s->n, 1, s->delta, s->x);
    perp_run_gradient(s->run, s->x, s->y);
    const double now = error_of(s);
    if (!(now < INFINITY))
      return false;
    if (now > 0.5 * before)
      break;
    before = now;
  }
  return true;
}

/* ---- The iteration ---- */

typedef enum ending { STANDS, CIRCLES, OVER } ending;

/* Takes at most `most` Newton steps on the problem around the centre, whose residual is `start`.
 * Sets *count to the number of steps taken. */
static ending solve_one(alm *s, int most, double start, double *least, int *count)
{
  *least = start;
  guess(s);
  for (int c = 0; c < s->contacts.count; c++)
    s->turned[c] = 0;
  for (*count = 1;; ++*count) {
    if (!step(s)) {
      if (perp_coupled_too_long(s->system) ||
          !perp_run_next_iterate(s->run, perp_iterate_shown(s->centre, start)))
        return OVER;
      for (int c = 0; c < s->contacts.count; c++)
        s->turned[c] = 2;
      return CIRCLES;
    }
    const double residual = perp_problem_residual(s->run->problem, s->x, s->y);
    if (!perp_run_next_iterate(s->run, perp_iterate_guess(s->x, s->y, residual)))
      return OVER;
    if (residual < *least) {
      *least = residual;
      perp_copy(s->n, s->x, s->best);
    }
    for (int c = 0; c < s->contacts.count; c++)
      s->turned[c] >>= 1;
    if (!guess(s))
      return STANDS;
    if (*count >= most)
      return CIRCLES;
  }
}

static void iterate(alm *s)
{
  const double rise = 10, most = 1e3, least_rho = 1e-8, slow = 0.5, fast = 0.1;
  enum { FIRST_STEPS = 4, AT_ONCE = 2, MOST_STEPS = 64 };
  int steps = FIRST_STEPS;
  for (;;) {
    const double start = perp_problem_residual(s->run->problem, s->centre, s->centre_y);
    double least;
    int count;
    const ending end = solve_one(s, steps, start, &least, &count);
    if (end == OVER)
      return;
    /* allow more steps as E grows: E then dominates A, and the guess settles */
    steps = end == STANDS ? FIRST_STEPS : steps < MOST_STEPS / 2 ? 2 * steps : MOST_STEPS;
    const double fall = count <= AT_ONCE ? fast : slow;
    for (int i = 0; i < s->n; i++)
      if (end == STANDS)
        s->rho[i] = perp_max(fall * s->rho[i], least_rho * s->unit[i]);
      else if (s->turned[s->contacts.of[i]])
        s->rho[i] = perp_min(rise * s->rho[i], most * s->unit[i]);
    if (end == STANDS) {
      perp_copy(s->n, s->x, s->centre);
      perp_copy(s->n, s->y, s->centre_y);
    } else if (least < 0.5 * start) {
      perp_copy(s->n, s->best, s->centre);
      perp_run_gradient(s->run, s->centre, s->centre_y);
    }
    perp_copy(s->n, s->centre, s->x);
    perp_copy(s->n, s->centre_y, s->y);
  }
}

static perp_error create(alm *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n;
  if (!PERP_TAKE_REALS(run->arena, n, &s->y, &s->centre, &s->centre_y, &s->best, &s->rho,
                       &s->diagonal, &s->unit, &s->delta, &s->fixed, &s->right) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->side, n), PERP_ARRAY(s->turned, n),
                      PERP_ARRAY(s->scratch, 2 * n)))
    return perp_run_no_memory(run);
  const perp_error error = perp_contact_list_create(run, &s->contacts);
  if (error)
    return error;
  s->T = perp_run_reals(run, (size_t)s->contacts.block[s->contacts.count]);
  if (!s->T)
    return perp_run_no_memory(run);
  if (perp_operator_diagonal(run->problem->A, s->diagonal, NULL))
    perp_fill(s->n, 0, s->diagonal);
  double mean = 0;
  for (int i = 0; i < s->n; i++)
    mean += s->diagonal[i] / s->n;
  for (int i = 0; i < s->n; i++) {
    const double own = s->diagonal[s->contacts.row[s->contacts.start[s->contacts.of[i]]]];
    s->unit[i] = own > 0 ? own : mean > 0 ? mean : 1;
  }
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  static const double SHARE = 1e-2; /* of A_ii in E, from x = 0 */
  alm s = {.run = run, .K = &p->K, .n = p->K.n, .x = x};
  (void)params;
  if (!perp_contact_of(p->A)->C_is_diagonal)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "alm needs a diagonal C");
  perp_error error = create(&s);
  if (error)
    return error;
  const double wrong = perp_min(perp_start_choose(run, x, s.y, s.scratch) / run->scale, 1);
  if (!perp_run_next(run, x, s.y))
    return PERP_OK;
  perp_copy(s.n, x, s.centre);
  perp_copy(s.n, s.y, s.centre_y);
  for (int i = 0; i < s.n; i++) /* small at first if the start is good */
    s.rho[i] = SHARE * sqrt(wrong) * s.unit[i];
  error = perp_coupled_open(run, &s.contacts, &s.system);
  if (!error && !perp_run_expired(run))
    iterate(&s);
  perp_coupled_close(s.system);
  return error;
}

const perp_method perp_method_alm = {
    .name = "alm",
    .title = "method of multipliers, Newton's method in body velocities",
    .family = "newton",
    .source = "alart-curnier-1991",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_APPLY | PERP_CAN_VELOCITIES,
    .iteration = "guess which rows are at which bound; solve the free ones of A + E in velocities",
    .works = "contact operators, singular ones too; friction mostly",
    .max_iterations = 1000,
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
