/* algebraic.c: mg on sparse matrices, the hierarchy by aggregation
 *
 * The cycle of mg.c without a grid: projected sweeps of A, forward before the correction and
 * backward after it. The linear step is a few conjugate gradient iterations on the free rows,
 * preconditioned by aggregation.h, to a tenth of the residual. A line search always minimises the
 * energy along the projected correction, since its product also gives the new y:
 *
 *   c' = P(x + c) - x,   a = min(1, -c'^T y / c'^T A c'),   x <- x + a c',   y <- y + a A c'
 *
 * If conjugate gradients meet negative curvature, the last iterate is used. Workspace: 9 n, the
 * sweeps and the hierarchy. A cold start is nested. */
#include "method/multilevel/algebraic/aggregation.h"

#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "set/set.h"

/* ---- The nested start ----
 *
 * The problem is solved on a sequence of matrices, from the smallest to A; each starts from the
 * solution of the one before it. So the free set is nearly right at A itself, where a cycle moves
 * it by only a few rows. b is summed over aggregates and bounds are their means. Of a matrix
 *
 *   A_c = S + N,   S = diag(A_c 1),  N 1 = 0
 *
 * summed over aggregates of m unknowns, S is correct, but the couplings N are too strong: between
 * cells of width m^(1/d) there are m^((d-1)/d) of them in parallel, over a distance m^(1/d) times
 * as long. So N is divided by m^(1/d) (Braess 1995 for d = 2). d is half the number of entries of a
 * row off the diagonal, at most 3: a start need not be more exact. The start is used if it has less
 * energy than x = 0.
 *
 * Cost: about as much as two cycles of mg. Workspace, released at the end: 4/3 n. */

enum { CYCLES = 2, PRE = 2 };

/* The problem of a level. */
typedef struct nested_problem {
  double *b, *lo, *hi, *x, *y, *z;
  bool *in;
} nested_problem;

static bool nested_allocate(perp_run *run, int n, nested_problem *p)
{
  return PERP_TAKE_ZERO_REALS(run->arena, (size_t)n, &p->b, &p->lo, &p->hi, &p->x, &p->y, &p->z) &&
         PERP_TAKE_ZERO(run->arena, PERP_ARRAY(p->in, n));
}

/* ---- Coarse problems ---- */

/* Makes the problem of level q + 1: sums of b, means of the bounds; z counts. */
static void restrict_problem(const perp_aggregated *l, const nested_problem *p,
                             nested_problem *coarse)
{
  for (int i = 0; i < l->n; i++) {
    const int parent = l->parent[i];
    coarse->b[parent] += p->b[i];
    coarse->lo[parent] += p->lo[i];
    coarse->hi[parent] += p->hi[i];
    coarse->z[parent] += 1;
  }
  for (int i = 0; i < l[1].n; i++) {
    coarse->lo[i] /= coarse->z[i];
    coarse->hi[i] /= coarse->z[i];
  }
}

/* N <- factor N on a level whose sums are over all rows. */
static void weaken(perp_aggregated *l, double factor)
{
  for (int i = 0; i < l->n; i++) {
    double all = 0;
    for (int64_t k = l->start[i]; k < l->start[i + 1]; k++)
      all += l->sums[k];
    for (int64_t k = l->start[i]; k < l->start[i + 1]; k++)
      l->sums[k] *= factor;
    if (l->centre[i] >= 0)
      l->sums[l->centre[i]] += (1 - factor) * all;
  }
}

/* ---- A cycle ---- */

static double row_times(const perp_aggregated *l, int i, const double *x)
{
  return perp_add_row(0, l->start[i], l->start[i + 1], l->value, l->column, x);
}

static void nested_sweep(const perp_aggregated *l, const nested_problem *p, bool backward)
{
  for (int k = 0; k < l->n; k++) {
    const int i = backward ? l->n - 1 - k : k;
    const double d = l->centre[i] < 0 ? 0 : l->value[l->centre[i]];
    if (d > 0)
      p->x[i] = perp_clamp(p->x[i] - (row_times(l, i, p->x) + p->b[i]) / d, p->lo[i], p->hi[i]);
  }
}

/* x <- x + a (P(x + z) - x), with z from a cycle on the free rows and the a of the lowest
 * energy. */
static void nested_correct(perp_aggregation *a, int q, const nested_problem *p)
{
  const perp_aggregated *l = &a->level[q];
  for (int i = 0; i < l->n; i++) {
    p->in[i] = p->x[i] > p->lo[i] && p->x[i] < p->hi[i];
    p->y[i] = -(row_times(l, i, p->x) + p->b[i]);
  }
  perp_aggregation_set(a, q, p->in, NULL);
  perp_aggregation_apply(a, q, p->y, p->z);
  double slope = 0, bend = 0;
  for (int i = 0; i < l->n; i++) {
    p->z[i] = perp_clamp(p->x[i] + p->z[i], p->lo[i], p->hi[i]) - p->x[i];
    slope += p->z[i] * p->y[i];
  }
  for (int i = 0; i < l->n; i++)
    bend += p->z[i] * row_times(l, i, p->z);
  const double length = slope > 0 ? (bend > slope ? slope / bend : 1) : 0;
  for (int i = 0; i < l->n; i++)
    p->x[i] = perp_clamp(p->x[i] + length * p->z[i], p->lo[i], p->hi[i]);
}

/* ---- The start ---- */

/* x is as far from the nearer bound as the aggregate is from its own: a value on a bound stays
 * there. */
static void prolong(const perp_aggregated *l, const nested_problem *coarse, const nested_problem *p)
{
  for (int i = 0; i < l->n; i++) {
    const int parent = l->parent[i];
    const double x = coarse->x[parent], below = x - coarse->lo[parent],
                 above = coarse->hi[parent] - x;
    const double t = below <= above && below < INFINITY ? p->lo[i] + below
                     : above < INFINITY                 ? p->hi[i] - above
                                                        : x;
    p->x[i] = perp_clamp(t, p->lo[i], p->hi[i]);
  }
}

static void solve_level(perp_run *run, perp_aggregation *a, int q, const nested_problem *p)
{
  const perp_aggregated *l = &a->level[q];
  for (int c = 0; c < CYCLES && !perp_run_expired(run); c++) {
    for (int s = 0; s < PRE; s++)
      nested_sweep(l, p, false);
    nested_correct(a, q, p);
    for (int s = 0; s < PERP_POST; s++)
      nested_sweep(l, p, true);
  }
}

static double factor_of(const perp_aggregation *a, int q)
{
  const perp_aggregated *first = &a->level[0];
  const double beside = (double)first->start[first->n] / first->n - 1;
  const double d = perp_min(perp_max(beside / 2, 1), 3);
  return perp_pow((double)a->level[q].n / first->n, 1 / d);
}

/* Copies the first problem and makes the others. */
static bool make_problems(perp_run *run, const perp_aggregation *a, nested_problem *p)
{
  const perp_set *K = &run->problem->K;
  for (int q = 0; q < a->count; q++)
    if (!nested_allocate(run, a->level[q].n, &p[q]))
      return false;
  perp_copy(K->n, run->problem->b, p[0].b);
  perp_set_all_bounds(K, p[0].lo, p[0].hi);
  for (int q = 0; q + 1 < a->count; q++)
    restrict_problem(&a->level[q], &p[q], &p[q + 1]);
  return true;
}

static perp_error nested_start(perp_run *run, perp_aggregation *a, double *x)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  nested_problem p[PERP_AGGREGATION_LEVELS];
  const bool good = make_problems(run, a, p);
  for (int q = 1; good && q < a->count; q++)
    weaken(&a->level[q], factor_of(a, q));
  for (int q = a->count - 1; good && q >= 0; q--) {
    if (q + 1 < a->count)
      prolong(&a->level[q], &p[q + 1], &p[q]);
    if (q > 0)
      solve_level(run, a, q, &p[q]);
  }
  if (good && a->count > 1) {
    nested_sweep(&a->level[0], &p[0], false);
    double energy = 0, at_zero = 0;
    for (int i = 0; i < a->level[0].n; i++) {
      const double zero = perp_clamp(0, p[0].lo[i], p[0].hi[i]);
      energy += p[0].x[i] * (0.5 * row_times(&a->level[0], i, p[0].x) + p[0].b[i]);
      p[0].z[i] = zero;
    }
    for (int i = 0; i < a->level[0].n; i++)
      at_zero += p[0].z[i] * (0.5 * row_times(&a->level[0], i, p[0].z) + p[0].b[i]);
    if (energy < at_zero)
      perp_copy(a->level[0].n, p[0].x, x);
  }
  perp_arena_release(run->arena, mark);
  return good ? PERP_OK : perp_run_no_memory(run);
}

/* ---- Cycles ---- */

static const double LINEAR_TOL = 0.1;
enum { LINEAR_MOST = 200, PATIENCE = 100 };

typedef struct state {
  perp_run *run;
  int n;
  perp_relaxer *relaxer;
  perp_aggregation hierarchy;
  bool *in;
  bool set; /* the hierarchy belongs to some F */
  double *x, *y, *c, *Ac, *work;
} state;

static void product(void *context, const double *v, double *Av)
{
  state *s = context;
  perp_run_apply(s->run, v, Av);
  for (int i = 0; i < s->n; i++)
    if (!s->in[i])
      Av[i] = 0;
}

static void precondition(void *context, const double *r, double *z)
{
  state *s = context;
  s->run->count.cycles++;
  perp_aggregation_apply(&s->hierarchy, 0, r, z);
}

/* F <- the rows strictly inside; updates the hierarchy. */
static void mark(state *s)
{
  const perp_set *K = &s->run->problem->K;
  bool same = s->set;
  for (int i = 0; i < s->n; i++) {
    const bool now = s->x[i] > perp_set_lo(K, i) && s->x[i] < perp_set_hi(K, i);
    same = same && now == s->in[i];
    s->in[i] = now;
  }
  if (!same)
    perp_aggregation_set(&s->hierarchy, 0, s->in, NULL);
  s->set = true;
}

/* A_FF c = -y_F, approximately. */
static void correction(state *s)
{
  double *r = s->Ac; /* not in use yet */
  for (int i = 0; i < s->n; i++)
    r[i] = s->in[i] ? -s->y[i] : 0;
  perp_fill(s->n, 0, s->c);
  const perp_krylov k = {.n = s->n,
                         .product = product,
                         .context = s,
                         .precondition = precondition,
                         .precondition_context = s,
                         .alarm = perp_run_alarm(s->run),
                         .target = LINEAR_TOL * perp_norm2(s->n, r),
                         .limit = LINEAR_MOST};
  s->run->count.solves += perp_cg(&k, r, s->c, s->work).products;
}

/* x <- x + a (P(x + c) - x) */
static void move(state *s)
{
  const perp_set *K = &s->run->problem->K;
  for (int i = 0; i < s->n; i++) {
    const double to = perp_min(perp_max(s->x[i] + s->c[i], perp_set_lo(K, i)), perp_set_hi(K, i));
    s->c[i] = to - s->x[i];
  }
  perp_run_apply(s->run, s->c, s->Ac);
  const double slope = perp_dot(s->n, s->c, s->y), bend = perp_dot(s->n, s->c, s->Ac);
  const double length = slope < 0 ? (bend > -slope ? -slope / bend : 1) : 0;
  for (int i = 0; i < s->n; i++)
    s->x[i] = perp_min(perp_max(s->x[i] + length * s->c[i], perp_set_lo(K, i)), perp_set_hi(K, i));
}

static perp_error begin(perp_run *run, double *x, state *s)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *s = (state){.run = run, .n = A->n, .x = x};
  if (!PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->in, n), PERP_ARRAY(s->work, perp_cg_work(A->n))) ||
      !PERP_TAKE_REALS(run->arena, n, &s->y, &s->c, &s->Ac))
    return perp_run_no_memory(run);
  const perp_error error =
      perp_run_relaxer(run, x, 1u << PERP_FORWARD | 1u << PERP_BACKWARD, &s->relaxer);
  if (error || perp_run_expired(run))
    return error;
  return perp_aggregation_open(run, "mg", &s->hierarchy);
}

static void sweep(state *s, int count, perp_order order)
{
  perp_relaxer_load(s->relaxer);
  for (int q = 0; q < count; q++)
    perp_relax(s->relaxer, 1, order);
  perp_relaxer_store(s->relaxer);
  s->run->count.sweeps += count;
}

perp_error perp_algebraic_solve(perp_run *run, int pre, bool nested, double *x)
{
  state s;
  perp_error error = begin(run, x, &s);
  if (!error && nested && !perp_run_expired(run))
    error = nested_start(run, &s.hierarchy, x);
  if (error || perp_run_expired(run))
    return error;
  perp_run_gradient(run, x, s.y);
  double best = INFINITY;
  for (int stale = 0; stale < PATIENCE;) {
    if (!perp_run_next(run, x, s.y))
      return PERP_OK;
    sweep(&s, pre, PERP_FORWARD);
    if (perp_run_expired(run))
      continue;
    mark(&s);
    perp_run_gradient(run, x, s.y);
    correction(&s);
    move(&s);
    sweep(&s, PERP_POST, PERP_BACKWARD);
    perp_run_gradient(run, x, s.y);
    const double residual = perp_problem_residual(run->problem, x, s.y);
    stale = residual < 0.9 * best ? 0 : stale + 1;
    best = perp_min(best, residual);
  }
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}
