/* enumerate.c: all cases of a small problem, exactly; for three unknowns also under the name `direct`,
 * since the case of the rows S with y_i = 0 says that b lies in the cone of the columns -A_j, j in S, and e_i, i not
 * in S: one of 2^n complementary cones, which fill the space if A is a P-matrix (Murty 1972)
 *
 * In a solution each row is in one of three cases,
 *
 *   x_i = lo_i, y_i >= 0      lo_i <= x_i <= hi_i, y_i = 0      x_i = hi_i, y_i <= 0,
 *
 * two for x_i >= 0, one for a free or a fixed x_i. The bounds of a friction row are lo_i x_j and
 * hi_i x_j with a normal x_j >= 0: linear too, and the row slides one way, sticks, or slides the
 * other way. One case for every row gives a system of linear inequalities, a polyhedron; the
 * solution set is the union of these, 2^n for an LCP. The cases are the leaves of a tree. At a node
 * some rows are decided, and the others must only have the right signs of x and y; if that system
 * has no solution, no leaf below has one. Floating point with rigorous error bounds decides this
 * (float_lp.c); exact arithmetic (linalg/exact_lp.c) decides if it cannot, and decides all leaves,
 * each from the basis of the one before. So the end of the search is a proof: these are all
 * solutions.
 *
 * A solution is isolated unless it is on a polyhedron with more than one point. It is on the
 * polyhedron of the cases c if x_i is at the bound of c_i, or y_i = 0 if c_i is the middle case,
 * for every i. A point is reported by the case in which no row of the middle case is at a bound.
 *
 * Cost: at least n nodes of a few pivots each, at most all cases. Workspace: the solutions, and n^2
 * integers. (Murty 1988, ch. 1.) */
#include "method/pivoting/enumerate/float_lp.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/farkas.h"
#include "set/set.h"

enum { MOST = PERP_QUICK_MOST, CONES = 3, PULSE = 64, MOST_SOLUTIONS = 1 << 17 };

typedef enum choice { AT_LO, BETWEEN, AT_HI, UNDECIDED } choice;

/* A set of rows for each choice. */
typedef struct pattern {
  uint32_t rows[3];
} pattern;

typedef struct point {
  double x[MOST];
  pattern is;      /* the case that reports it */
  uint32_t y_zero; /* rows with y_i = 0 */
  uint32_t both;   /* friction rows at both bounds: the normal is 0 */
} point;

typedef struct search {
  perp_run *run;
  int n;
  const perp_set *K;
  perp_lp *lp;
  perp_quick *quick;         /* the system in floating point; NULL with friction rows */
  int low[MOST], high[MOST]; /* variables x_i - lo_i x_j and hi_i x_j - x_i; -1: none */
  choice row[MOST];
  point *points; /* the solutions: points, and one inner point for each face of solutions */
  int64_t count, room;
  pattern *faces; /* cases with more than one solution */
  int64_t face_count, face_room;
  double cases;         /* that there are */
  int64_t tried, limit; /* systems of inequalities decided: the others follow from them */
  bool exact;           /* the entries of A are exact: nothing was rounded */
  bool stopped;         /* by the driver, the limit, or too many solutions */
  bool ended;           /* the start is a solution: the rest is for the message and the caller */
  double deadline;
  perp_error error;
} search;

/* Returns a larger copy of an array; NULL if out of memory. */
static void *grow(search *s, const void *old, int64_t count, int64_t *room, size_t size)
{
  *room = *room ? 2 * *room : 16;
  void *larger = perp_arena_alloc(s->run->arena, (size_t)*room, size);
  if (larger && count > 0)
    memcpy(larger, old, (size_t)count * size);
  if (!larger)
    s->error = PERP_ERROR_MEMORY;
  return larger;
}

/* ---- Leaves ---- */

static pattern pattern_of(const search *s)
{
  pattern is = {{0}};
  for (int i = 0; i < s->n; i++)
    is.rows[s->row[i]] |= 1u << i;
  return is;
}

static void add_face(search *s)
{
  if (s->face_count == s->face_room)
    s->faces = grow(s, s->faces, s->face_count, &s->face_room, sizeof *s->faces);
  if (s->faces)
    s->faces[s->face_count++] = pattern_of(s);
}

/* Adds x of the basis, and a step along its ray if it has one. */
static void add_corner(const search *s, bool endless, double *sum)
{
  double x[MOST], d[MOST], size = 1, length = 0;
  for (int i = 0; i < s->n; i++) {
    x[i] = perp_lp_value(s->lp, i);
    d[i] = endless ? perp_lp_direction(s->lp, i) : 0;
    size = perp_max(size, fabs(x[i]));
    length = perp_max(length, fabs(d[i]));
  }
  for (int i = 0; i < s->n; i++)
    sum[i] += x[i] + (length > 0 ? d[i] / length * size : 0);
}

/* Raises and lowers each x as far as possible: the mean of the extremes is strictly between the
 * bounds in every row in which any point is; *inner is true if that holds in all rows. Returns true
 * if there is more than one point. */
static bool explore(search *s, double *x, bool *inner)
{
  bool many = false;
  int corners = 0;
  *inner = true;
  perp_fill(s->n, 0, x);
  for (int i = 0; i < s->n; i++) {
    for (int way = 1; way >= -1 && s->row[i] == BETWEEN; way -= 2) {
      bool endless;
      many |= perp_lp_move(s->lp, i, way, &endless, &s->run->count.pivots);
      const double bound = way > 0 ? perp_set_lo(s->K, i) : perp_set_hi(s->K, i);
      *inner = *inner && (endless || isinf(bound) || perp_set_is_friction(s->K, i) ||
                          perp_lp_compare(s->lp, i, bound) != 0);
      add_corner(s, endless, x);
      corners++;
    }
    for (int side = 0; side < 2 && s->row[i] == BETWEEN; side++) {
      const int slack = side ? s->high[i] : s->low[i];
      bool endless;
      if (slack < 0)
        continue;
      perp_lp_move(s->lp, slack, 1, &endless, &s->run->count.pivots);
      *inner = *inner && (endless || perp_lp_compare(s->lp, slack, 0) != 0);
      add_corner(s, endless, x);
      corners++;
    }
  }
  if (corners == 0)
    add_corner(s, false, x);
  perp_multiply(s->n, 1.0 / (corners > 0 ? corners : 1), x);
  return many;
}

/* Returns true if x_i is at that bound in the basic solution. */
static bool is_at(const search *s, int i, choice c)
{
  const double bound = c == AT_LO ? perp_set_lo(s->K, i) : perp_set_hi(s->K, i);
  if (perp_set_is_friction(s->K, i)) {
    const int slack = c == AT_LO ? s->low[i] : s->high[i];
    return slack >= 0 && perp_lp_compare(s->lp, slack, 0) == 0;
  }
  return !isinf(bound) && perp_lp_compare(s->lp, i, bound) == 0;
}

static void leaf(search *s)
{
  double x[MOST];
  bool inner = true;
  const bool many = !perp_lp_is_point(s->lp) && explore(s, x, &inner);
  s->stopped = perp_lp_was_stopped(s->lp);
  if (s->stopped)
    return;
  if (many)
    add_face(s);
  uint32_t y_zero = 0, both = 0;
  for (int i = 0; i < s->n; i++) {
    if (!many) {
      x[i] = perp_lp_value(s->lp, i);
      inner = inner && (s->row[i] != BETWEEN || (!is_at(s, i, AT_LO) && !is_at(s, i, AT_HI)));
    }
    const bool zero = s->row[i] == BETWEEN || (!many && perp_lp_compare(s->lp, s->n + i, 0) == 0);
    y_zero |= zero ? 1u << i : 0;
    if (!many && perp_set_is_friction(s->K, i) && is_at(s, i, AT_LO) && is_at(s, i, AT_HI)) {
      both |= 1u << i;
      inner = inner && !(s->row[i] == AT_HI && zero); /* AT_LO reports it */
    }
  }
  if (!inner || s->error)
    return;
  if (s->count == s->room)
    s->points = grow(s, s->points, s->count, &s->room, sizeof *s->points);
  if (s->error)
    return;
  point *p = &s->points[s->count++];
  p->is = pattern_of(s);
  p->y_zero = y_zero;
  p->both = both;
  perp_copy(s->n, x, p->x);
  s->stopped = s->count == MOST_SOLUTIONS;
}

/* ---- The tree ---- */

static void set_bounds(const search *s, int i, choice c)
{
  const double lo = perp_set_lo(s->K, i), hi = perp_set_hi(s->K, i);
  double y_lo, y_hi;
  perp_farkas_signs(s->K, i, &y_lo, &y_hi);
  if (c != UNDECIDED && lo != hi) {
    y_lo = c == AT_HI ? -INFINITY : 0;
    y_hi = c == AT_LO ? INFINITY : 0;
  }
  if (perp_set_is_friction(s->K, i)) {
    perp_lp_set_bounds(s->lp, s->n + i, y_lo, y_hi);
    if (s->low[i] >= 0)
      perp_lp_set_bounds(s->lp, s->low[i], 0, c == AT_LO ? 0 : INFINITY);
    if (s->high[i] >= 0)
      perp_lp_set_bounds(s->lp, s->high[i], 0, c == AT_HI ? 0 : INFINITY);
    return;
  }
  const double x_lo = c == AT_HI ? hi : lo, x_hi = c == AT_LO ? lo : hi;
  perp_lp_set_bounds(s->lp, i, x_lo, x_hi);
  perp_lp_set_bounds(s->lp, s->n + i, y_lo, y_hi);
  if (!s->quick)
    return;
  s->quick->lo[i] = x_lo, s->quick->hi[i] = x_hi;
  s->quick->lo[s->n + i] = y_lo, s->quick->hi[s->n + i] = y_hi;
}

/* Returns true if row i can be in that case. A fixed row is at lo, whatever y is. */
static bool is_possible(const search *s, int i, choice c)
{
  const double lo = perp_set_lo(s->K, i), hi = perp_set_hi(s->K, i);
  if (lo == hi)
    return c == AT_LO;
  return c == BETWEEN || !isinf(c == AT_LO ? lo : hi);
}

/* Returns the approximate value of a variable. */
static double value_of(const search *s, int variable)
{
  return s->quick ? s->quick->value[variable] : perp_lp_value(s->lp, variable);
}

/* Returns the row to decide next: the row farthest from its cases, so that the basis must change.
 * Any row is valid, so approximate values suffice. */
static int choose(const search *s)
{
  int worst = -1;
  double distance = -1;
  for (int i = 0; i < s->n; i++) {
    if (s->row[i] != UNDECIDED)
      continue;
    const double x = value_of(s, i), y = value_of(s, s->n + i);
    const double limit = y > 0 ? perp_set_lo(s->K, i) : perp_set_hi(s->K, i);
    const double bound =
        perp_set_is_friction(s->K, i) ? limit * value_of(s, s->K->findex[i]) : limit;
    const double off = perp_min(fabs(y), fabs(x - bound));
    if (worst < 0 || off > distance) {
      worst = i;
      distance = off;
    }
  }
  return worst;
}

static bool may_go_on(void *context)
{
  const search *s = context;
  return s->ended ? perp_clock_seconds() < s->deadline : !perp_run_expired(s->run);
}

static void descend(search *s, int decided)
{
  if (s->error || s->stopped)
    return;
  s->stopped = (++s->tried % PULSE == 0 && !may_go_on(s)) || s->tried > s->limit;
  if (s->stopped)
    return;
  /* exact arithmetic decides leaves and nodes that floating point cannot decide */
  const perp_quick_verdict verdict = s->quick ? perp_quick_decide(s->quick) : PERP_QUICK_UNKNOWN;
  if (verdict == PERP_QUICK_INFEASIBLE || ((verdict == PERP_QUICK_UNKNOWN || decided == s->n) &&
                                           !perp_lp_feasible(s->lp, &s->run->count.pivots))) {
    s->stopped = perp_lp_was_stopped(s->lp);
    return;
  }
  if (decided == s->n) {
    leaf(s);
    return;
  }
  const int i = choose(s);
  for (choice c = AT_LO; c <= AT_HI; c++) {
    if (!is_possible(s, i, c))
      continue;
    s->row[i] = c;
    set_bounds(s, i, c);
    descend(s, decided + 1);
  }
  s->row[i] = UNDECIDED;
  set_bounds(s, i, UNDECIDED);
}

/* ---- The solutions ---- */

static bool is_isolated(const search *s, const point *p)
{
  for (int64_t k = 0; k < s->face_count; k++) {
    const uint32_t *face = s->faces[k].rows;
    const uint32_t either = p->both & p->y_zero; /* such a row is in all cases */
    if (!(face[BETWEEN] & ~p->y_zero) && !(face[AT_LO] & ~(p->is.rows[AT_LO] | either)) &&
        !(face[AT_HI] & ~(p->is.rows[AT_HI] | either)))
      return false;
  }
  return true;
}

/* Passes the solutions to the caller, at the end, since a face can be tested only when all solutions
 * are known; x <- the one of least residual. Returns the number of isolated ones. */
static int64_t report(const search *s, double *x, double *y, double *least)
{
  perp_run *run = s->run;
  const perp_options *o = run->options;
  int64_t isolated = 0;
  bool go_on = true;
  for (int64_t k = 0; k < s->count; k++) {
    const point *p = &s->points[k];
    const perp_solution found = {sizeof found, p->x, s->n, is_isolated(s, p)};
    isolated += found.isolated;
    if (go_on && !s->ended && *least > 1e-3 * run->target) {
      perp_run_gradient_exact(run, p->x, y);
      const double residual = perp_problem_residual(run->problem, p->x, y);
      if (residual < *least) {
        *least = residual;
        perp_copy(s->n, p->x, x);
      }
    }
    go_on = go_on && (!o->found || o->found(o->found_context, &found));
  }
  return isolated;
}

static perp_error start_quick(search *s)
{
  s->quick = perp_arena_alloc_zero(s->run->arena, 1, sizeof *s->quick);
  if (!s->quick ||
      !perp_farkas_load(s->run->problem, s->quick->a[0], PERP_QUICK_MOST + 1, s->run->arena))
    return PERP_ERROR_MEMORY;
  s->quick->n = s->n;
  perp_quick_start(s->quick);
  return PERP_OK;
}

/* Numbers the variables of the friction rows in the order of perp_farkas_open. Returns the row
 * whose normal may be negative, or -1. */
static int number_slacks(search *s)
{
  int next = 2 * s->n;
  for (int i = 0; i < s->n; i++) {
    const bool friction = perp_set_is_friction(s->K, i);
    if (friction && !(perp_set_lo(s->K, s->K->findex[i]) >= 0))
      return i;
    s->low[i] = friction && !isinf(perp_set_lo(s->K, i)) ? next++ : -1;
    s->high[i] = friction && !isinf(perp_set_hi(s->K, i)) ? next++ : -1;
  }
  return -1;
}

static perp_error start(search *s)
{
  perp_run *run = s->run;
  const int unfit = number_slacks(s);
  if (unfit >= 0)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "enumerate: row %d takes its friction bound from row %d, whose x may be negative", unfit,
        s->K->findex[unfit]);
  perp_error error = perp_farkas_open(run->problem, 0, run->arena, &s->lp, &s->exact);
  if (error == PERP_ERROR_UNSUPPORTED)
    return perp_run_fail(
        run, error,
        "enumerate: the entries of A and b differ too much in size for exact sums, n = %d", s->n);
  if (!error && perp_set_form(s->K) < PERP_FORM_FINDEX)
    error = start_quick(s);
  if (error)
    return perp_run_no_memory(run);
  s->cases = 1;
  for (int i = 0; i < s->n; i++) {
    int cases = 0;
    for (choice c = AT_LO; c <= AT_HI; c++)
      cases += is_possible(s, i, c);
    s->cases *= cases;
    s->row[i] = UNDECIDED;
    set_bounds(s, i, UNDECIDED);
  }
  perp_lp_watch(s->lp, may_go_on, s);
  return PERP_OK;
}

/* ---- The method ---- */

/* Proves that no x and y have the right signs, if so: infeasible, or unsolvable if u does not
 * fit. */
static perp_error prove(perp_run *run, bool *ended)
{
  const double *u = NULL;
  perp_feasible feasible;
  const perp_error error = perp_farkas_decide(run, &feasible, &u);
  perp_farkas_claim(run, feasible, u);
  *ended = feasible >= PERP_FEASIBLE_NOT;
  return error ? perp_run_no_memory(run) : PERP_OK;
}

static void conclude(const search *s, long long isolated, bool close)
{
  perp_run *run = s->run;
  const long long solutions = s->count, tried = s->tried;
  if (s->stopped && !solutions) {
    perp_run_claim(run, PERP_ITERATION_LIMIT);
    perp_run_say(run, "stopped after %lld linear systems without a solution; there are %.0f cases",
                 tried, s->cases);
  } else if (solutions) {
    perp_run_claim(run, close ? PERP_SOLVED : PERP_STAGNATED);
    perp_run_say(run, "%s%lld solution%s, %lld isolated%s, of %.0f cases%s",
                 s->stopped ? "at least " : "", solutions, solutions == 1 ? "" : "s", isolated,
                 isolated < solutions ? " and a continuum" : "", s->cases,
                 close ? "" : "; rounded to doubles, none is within the tolerance");
  } else {
    perp_run_claim(run, s->exact ? PERP_UNSOLVABLE : PERP_STAGNATED);
    perp_run_say(
        run, "%snone of the %.0f cases has a solution; all were tried, with %lld linear systems",
        s->exact ? "" : "up to the rounding of A, ", s->cases, tried);
  }
}

/* ended: the start is a solution. */
static perp_error try_all(perp_run *run, bool ended, double *x, double *y)
{
  const double limit = run->options->time_limit;
  const perp_set *K = &run->problem->K;
  search s = {.run = run, .n = K->n, .K = K, .limit = perp_run_left(run), .ended = ended};
  double least = INFINITY;
  s.limit = s.limit > 0 ? s.limit : 1;
  s.deadline = limit > 0 ? perp_clock_seconds() + limit : INFINITY;
  bool proven = false;
  perp_error error = s.ended ? PERP_OK : prove(run, &proven);
  if (error || proven || (error = start(&s)))
    return error;
  descend(&s, 0);
  if (s.error)
    return perp_run_no_memory(run);
  const int64_t isolated = report(&s, x, y, &least);
  conclude(&s, isolated, s.ended || least <= run->target);
  return PERP_OK;
}

/* Goes on from a start that is a solution, for the others. */
static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  double *y = perp_run_reals(run, (size_t)p->K.n);
  if (!y)
    return perp_run_no_memory(run);
  if (perp_run_next(run, x, NULL))
    return try_all(run, false, x, y);
  perp_run_gradient(run, x, y);
  return perp_problem_residual(p, x, y) <= run->target ? try_all(run, true, x, y) : PERP_OK;
}

static perp_error solve_direct(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  double y[CONES];
  return perp_run_next(run, x, NULL) && p->K.n <= CONES ? try_all(run, false, x, y) : PERP_OK;
}

#define CASES                                                                                      \
  .family = "pivoting", .needs = PERP_CAN_APPLY, .works = "every A", .max_iterations = 1 << 20,    \
  .parameters = (const perp_parameter[])                                                           \
  {                                                                                                \
    {                                                                                              \
      0                                                                                            \
    }                                                                                              \
  }

const perp_method perp_method_enumerate = {
    CASES,
    .name = "enumerate",
    .title = "all cases, every solution",
    .source = "murty-1988",
    .takes = PERP_TAKES_ROWS,
    .iteration =
        "decides exactly which of the 2^n cases, 3^n with two bounds or friction, have solutions",
    .most_unknowns = MOST,
    .solve = solve,
};

const perp_method perp_method_direct = {
    CASES,
    .name = "direct",
    .title = "complementary cones of at most three unknowns",
    .reference = true,
    .source = "murty-1972",
    .takes = PERP_TAKES_BOXES,
    .iteration = "finds the complementary cones that b lies in, for at most 3 unknowns",
    .most_unknowns = CONES,
    .solve = solve_direct,
};
