/* enumerate.c: all bases of a small LCP
 *
 * For alpha in all subsets of {0..n-1}: x_alpha solves A_aa x_a = -b_a, the rest is 0, and it is a
 * solution if x_a >= 0 and y >= 0. The subsets are the leaves of a binary tree, index by index
 * in or out; taking k in is one principal pivot of the tableau  w = M z + q  at that node,
 *
 *   z_k = (w_k - q_k - sum_j M_kj z_j) / M_kk   put into the other rows,
 *
 * so no more than n pivots lie between A and any leaf and rounding does not accumulate. If M_kk is
 * too small for a pivot, k is postponed: it stays in M, and at the leaf the block of the postponed
 * indices is solved by elimination. If that block is singular, its solutions, if any, form a
 * polyhedron (face.c).
 *
 * The solution set is the union of these polyhedra, so a solution is isolated unless it lies on
 * one with more than one point; for alpha that is seen from the zeros, supp x in alpha in {y = 0}.
 * A first pass finds the polyhedra, a second one reports. A solution is reported by the alpha with
 * x_a > 0 throughout and by no other.
 * Cost: 2^n pivots of n^2 (n = 20: seconds). Workspace: n^3 doubles. (Murty 1988, ch. 1.) */
#include "method/pivoting/enumerate/enumerate.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/pivoting/enumerate/face.h"
#include "method/run/method.h"

enum { MOST = PERP_ENUMERATE_MOST, WIDTH = MOST + 1, PULSE = 1024 };

static const char too_large[] = "enumerate: n = %d, there are 2^n bases, at most n = %d";
static const double ZERO = 1e-9; /* entries of A and b are at most 1 */

typedef struct tableau {
  double at[MOST][WIDTH]; /* (M q), q in column n */
} tableau;

typedef struct search {
  int n;
  tableau *level; /* n + 1: the tableau at each depth of the tree */
  double scale[MOST], unit;
  bool reporting; /* second pass */
  uint32_t *face; /* alpha of the polyhedra with more than one point */
  int faces, room;
  perp_arena *arena;
  double *work;
  perp_enumerate_found found;
  void *context;
  perp_enumeration *counts;
  perp_error error;
} search;

/* ---- Leaves ---- */

static void add_face(search *s, uint32_t alpha)
{
  if (s->faces == s->room) {
    const int room = s->room ? 2 * s->room : 64;
    uint32_t *face = perp_arena_alloc(s->arena, (size_t)room, sizeof *face);
    if (!face) {
      s->error = PERP_ERROR_MEMORY;
      return;
    }
    if (s->faces)
      memcpy(face, s->face, (size_t)s->faces * sizeof *face);
    s->face = face;
    s->room = room;
  }
  s->face[s->faces++] = alpha;
}

/* supp x in some face's alpha in {y = 0} */
static bool on_a_face(const search *s, uint32_t support, uint32_t y_zero)
{
  for (int k = 0; k < s->faces; k++)
    if (!(support & ~s->face[k]) && !(s->face[k] & ~y_zero))
      return true;
  return false;
}

/* basic: z_i for i in alpha, w_i else. Reports it if this leaf is the one that reports it. */
static void report(search *s, uint32_t alpha, const double *basic)
{
  const double tol = ZERO * (1 + perp_norm_inf(s->n, basic));
  double x[MOST];
  uint32_t y_zero = alpha;
  for (int i = 0; i < s->n; i++) {
    const bool in = alpha >> i & 1;
    if (basic[i] < -tol || (in && basic[i] <= tol))
      return;
    if (!in && basic[i] <= tol)
      y_zero |= 1u << i;
    x[i] = in ? basic[i] * s->scale[i] * s->unit : 0;
  }
  const perp_enumerated solution = {x, alpha, !on_a_face(s, alpha, y_zero)};
  s->counts->solutions++;
  s->counts->isolated += solution.isolated;
  s->counts->stopped = !s->found(s->context, &solution);
}

/* basic <- q + M_.D z_D, z_D in its own places */
static void spread(const search *s, const tableau *t, int d, const int *D, const double *z,
                   double *basic)
{
  for (int i = 0; i < s->n; i++) {
    basic[i] = t->at[i][s->n];
    for (int k = 0; k < d; k++)
      basic[i] += t->at[i][D[k]] * z[k];
  }
  for (int k = 0; k < d; k++)
    basic[D[k]] = z[k];
}

/* M_DD z = -q_D by elimination with complete pivoting; returns the rank, or -1 if there is no
 * solution. */
static int eliminate(const search *s, const tableau *t, int d, const int *D, double *z)
{
  double a[MOST][WIDTH];
  int order[MOST], rank = 0;
  for (int i = 0; i < d; i++) {
    order[i] = i;
    for (int j = 0; j < d; j++)
      a[i][j] = t->at[D[i]][D[j]];
    a[i][d] = -t->at[D[i]][s->n];
  }
  for (; rank < d; rank++) {
    int row = rank, column = rank;
    for (int i = rank; i < d; i++)
      for (int j = rank; j < d; j++)
        if (fabs(a[i][j]) > fabs(a[row][column])) {
          row = i;
          column = j;
        }
    if (fabs(a[row][column]) <= ZERO)
      break;
    for (int j = 0; j <= d; j++) {
      const double swap = a[row][j];
      a[row][j] = a[rank][j];
      a[rank][j] = swap;
    }
    for (int i = 0; i < d; i++) {
      const double swap = a[i][column];
      a[i][column] = a[i][rank];
      a[i][rank] = swap;
    }
    const int swap = order[column];
    order[column] = order[rank];
    order[rank] = swap;
    for (int i = rank + 1; i < d; i++)
      perp_axpy(d + 1 - rank, -a[i][rank] / a[rank][rank], &a[rank][rank], &a[i][rank]);
  }
  for (int i = rank; i < d; i++)
    if (fabs(a[i][d]) > 10 * ZERO)
      return -1;
  perp_fill(d, 0, z);
  for (int i = rank - 1; i >= 0; i--) {
    double sum = a[i][d];
    for (int j = i + 1; j < rank; j++)
      sum -= a[i][j] * z[order[j]];
    z[order[i]] = sum / a[i][i];
  }
  return rank;
}

/* The polyhedron of a singular, consistent leaf. */
static void examine(search *s, const tableau *t, uint32_t alpha, int d, const int *D)
{
  double T[MOST * WIDTH], z[MOST], basic[MOST];
  bool equal[MOST];
  int basis[MOST];
  for (int i = 0; i < s->n; i++) {
    for (int k = 0; k < d; k++)
      T[i * WIDTH + k] = t->at[i][D[k]];
    T[i * WIDTH + d] = t->at[i][s->n];
    equal[i] = false;
  }
  for (int k = 0; k < d; k++) {
    equal[D[k]] = true;
    T[D[k] * WIDTH + d] *= -1;
  }
  const perp_face face = perp_face_examine(s->n, d, T, WIDTH, equal, z, s->work, basis);
  if (face == PERP_FACE_EMPTY)
    return;
  if (!s->reporting && face == PERP_FACE_MANY)
    add_face(s, alpha);
  if (s->reporting) {
    spread(s, t, d, D, z, basic);
    report(s, alpha, basic);
  }
}

static void leaf(search *s, const tableau *t, uint32_t alpha, int d, const int *D)
{
  double z[MOST], basic[MOST];
  if (++s->counts->bases % PULSE == 0 && !s->found(s->context, NULL))
    s->counts->stopped = true;
  const int rank = d > 0 ? eliminate(s, t, d, D, z) : 0;
  if (rank < d) {
    s->counts->singular++;
    if (rank >= 0)
      examine(s, t, alpha, d, D);
  } else if (s->reporting) {
    spread(s, t, d, D, z, basic);
    report(s, alpha, basic);
  }
}

/* ---- The tree ---- */

/* The columns that are still needed: the postponed ones, the undecided ones behind k, and q. */
static void take_in(const search *s, const tableau *from, int k, int d, const int *D, tableau *to)
{
  const int n = s->n;
  const double pivot = from->at[k][k];
  for (int j = k + 1; j <= n; j++)
    to->at[k][j] = -from->at[k][j] / pivot;
  for (int l = 0; l < d; l++)
    to->at[k][D[l]] = -from->at[k][D[l]] / pivot;
  for (int i = 0; i < n; i++) {
    if (i == k)
      continue;
    const double factor = from->at[i][k];
    for (int j = k + 1; j <= n; j++)
      to->at[i][j] = from->at[i][j] + factor * to->at[k][j];
    for (int l = 0; l < d; l++)
      to->at[i][D[l]] = from->at[i][D[l]] + factor * to->at[k][D[l]];
  }
}

static bool can_pivot(const search *s, const tableau *t, int k)
{
  double largest = 0;
  for (int i = 0; i < s->n; i++)
    largest = perp_max(largest, fabs(t->at[i][k]));
  return fabs(t->at[k][k]) > perp_max(1e-3 * largest, 1e-4);
}

static void descend(search *s, const tableau *t, int k, uint32_t alpha, int d, int *D)
{
  if (s->error || s->counts->stopped)
    return;
  if (k == s->n) {
    leaf(s, t, alpha, d, D);
    return;
  }
  descend(s, t, k + 1, alpha, d, D);
  if (can_pivot(s, t, k)) {
    take_in(s, t, k, d, D, &s->level[k + 1]);
    s->counts->pivots++;
    descend(s, &s->level[k + 1], k + 1, alpha | 1u << k, d, D);
  } else {
    D[d] = k;
    descend(s, t, k + 1, alpha | 1u << k, d + 1, D);
  }
}

/* ---- Set-up ---- */

/* A by its columns, scaled to D A D with rows and columns of size about 1, powers of two. */
static perp_error load(search *s, const perp_problem *p)
{
  const int n = s->n;
  tableau *t = &s->level[0];
  double e[MOST] = {0}, column[MOST];
  double *scratch = perp_arena_alloc(s->arena, perp_operator_scratch(p->A), sizeof *scratch);
  if (!scratch)
    return PERP_ERROR_MEMORY;
  for (int j = 0; j < n; j++) {
    e[j] = s->scale[j] = 1;
    const perp_error error = perp_operator_apply(p->A, e, column, scratch, NULL);
    if (error)
      return error;
    e[j] = 0;
    for (int i = 0; i < n; i++)
      t->at[i][j] = column[i];
  }
  for (int pass = 0; pass < 12; pass++)
    for (int i = 0; i < n; i++) {
      double largest = 0;
      for (int j = 0; j < n; j++)
        largest = perp_max(largest, perp_max(fabs(t->at[i][j]), fabs(t->at[j][i])));
      int exponent = 0;
      frexp(largest, &exponent);
      const double factor = largest > 0 ? ldexp(1, -exponent / 2) : 1;
      s->scale[i] *= factor;
      for (int j = 0; j < n; j++) {
        t->at[i][j] *= factor;
        t->at[j][i] *= factor;
      }
    }
  for (int i = 0; i < n; i++)
    t->at[i][n] = s->scale[i] * p->b[i];
  s->unit = 0;
  for (int i = 0; i < n; i++)
    s->unit = perp_max(s->unit, fabs(t->at[i][n]));
  s->unit = s->unit > 0 ? s->unit : 1;
  for (int i = 0; i < n; i++)
    t->at[i][n] /= s->unit;
  return PERP_OK;
}

perp_error perp_enumerate(const perp_problem *p, perp_arena *arena, perp_enumerate_found found,
                          void *context, perp_enumeration *counts, perp_message *why)
{
  const int n = p->K.n;
  *counts = (perp_enumeration){0};
  if (perp_set_form(&p->K) != PERP_FORM_LCP)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "enumerate: takes lcp, not %s",
                     perp_form_name(perp_set_form(&p->K)));
  if (n > MOST)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, too_large, n, MOST);
  search s = {.n = n, .arena = arena, .found = found, .context = context, .counts = counts};
  if (!PERP_TAKE(arena, PERP_ARRAY(s.level, n + 1), PERP_ARRAY(s.work, perp_face_work(n, n))))
    return perp_fail(why, PERP_ERROR_MEMORY, "enumerate: out of memory at n = %d", n);
  s.error = load(&s, p);
  for (int pass = 0; pass < 2 && !s.error && !counts->stopped; pass++) {
    int D[MOST] = {0};
    s.reporting = pass == 1;
    descend(&s, &s.level[0], 0, 0, 0, D);
  }
  if (s.error)
    return perp_fail(why, s.error, "enumerate: out of memory at n = %d", n);
  return PERP_OK;
}

/* ---- The method ---- */

typedef struct best {
  perp_run *run;
  bool ended; /* the start solves it: the rest is only for the message */
  double deadline, residual, *x, *y;
} best;

static bool keep_best(void *context, const perp_enumerated *solution)
{
  best *b = context;
  perp_run *run = b->run;
  if (!solution)
    return b->ended ? perp_clock_seconds() < b->deadline : !perp_run_expired(run);
  if (!b->ended && b->residual > 1e-3 * run->target) {
    perp_run_gradient(run, solution->x, b->y);
    const double residual = perp_problem_residual(run->problem, solution->x, b->y);
    if (residual < b->residual) {
      b->residual = residual;
      perp_copy(run->problem->K.n, solution->x, b->x);
    }
  }
  return true;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const int n = p->K.n;
  const double limit = run->options->time_limit;
  if (n > MOST)
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, too_large, n, MOST);
  best b = {.run = run, .residual = INFINITY, .x = x, .y = perp_run_reals(run, (size_t)n)};
  if (!b.y)
    return perp_run_no_memory(run);
  b.deadline = limit > 0 ? perp_clock_seconds() + limit : INFINITY;
  if (!perp_run_next(run, x, NULL)) {
    perp_run_gradient(run, x, b.y);
    b.ended = perp_problem_residual(p, x, b.y) <= run->target;
    if (!b.ended)
      return PERP_OK;
  }
  perp_enumeration counts;
  perp_message why = {""};
  const perp_error error = perp_enumerate(p, run->arena, keep_best, &b, &counts, &why);
  if (error)
    return perp_run_fail(run, error, "%s", why.text);
  run->count.pivots += counts.pivots;
  if (counts.stopped)
    return PERP_OK;
  const bool close = b.ended || b.residual <= run->target;
  perp_run_claim(run, counts.solutions && close ? PERP_SOLVED : PERP_STAGNATED);
  if (counts.solutions && !close)
    perp_run_say(run, "up to rounding there are solutions, but none can be had to the tolerance");
  else if (counts.solutions)
    perp_run_say(run, "%lld solution%s, %lld isolated, of %lld bases", (long long)counts.solutions,
                 counts.solutions == 1 ? "" : "s", (long long)counts.isolated, 1LL << n);
  else
    perp_run_say(run, "up to rounding, none of the %lld bases has x >= 0 and y >= 0", 1LL << n);
  return PERP_OK;
}

const perp_method perp_method_enumerate = {
    .name = "enumerate",
    .title = "all bases, every solution",
    .family = "pivoting",
    .reference = true,
    .source = "murty-1988",
    .takes = PERP_TAKES(PERP_FORM_LCP),
    .needs = PERP_CAN_APPLY,
    .iteration = "tries every one of the 2^n complementary bases",
    .works = "every A",
    .most_unknowns = 20,
    .max_iterations = 1 << 20,
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
