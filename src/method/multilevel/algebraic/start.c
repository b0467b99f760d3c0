/* start.c: a nested start on aggregates
 *
 * The problem is solved on a sequence of matrices, from the smallest to A; each starts from the
 * solution of the one before it. So the free set is nearly right at A itself, where a cycle moves
 * it by only a few rows. b is summed over aggregates and bounds are their means. Of a matrix
 *
 *   A_c = S + N,   S = diag(A_c 1),  N 1 = 0
 *
 * summed over aggregates of m unknowns, S is correct, but the couplings N are too strong: between
 * cells of width m^(1/d) there are m^((d-1)/d) of them side by side, over a distance m^(1/d) times
 * as long. So N is divided by m^(1/d) (Braess 1995 for d = 2), where d is half the number of
 * entries of a row off the diagonal, at most 3: a start need not be more exact. The start is used
 * if it has less energy than x = 0.
 *
 * Cost: about as much as two cycles of mg. Workspace, released at the end: 4/3 n. */
#include "base/elementary.h"
#include "method/multilevel/algebraic/aggregation.h"

#include "linalg/vector.h"
#include "set/set.h"

enum { CYCLES = 2, PRE = 2, POST = 1 };

/* The problem of a level. */
typedef struct nested {
  double *b, *lo, *hi, *x, *y, *z;
  bool *in;
} nested;

static bool nested_allocate(perp_run *run, int n, nested *p)
{
  return PERP_TAKE_ZERO_REALS(run->arena, (size_t)n, &p->b, &p->lo, &p->hi, &p->x, &p->y, &p->z) &&
         PERP_TAKE_ZERO(run->arena, PERP_ARRAY(p->in, n));
}

/* ---- Coarse problems ---- */

/* The problem of level q + 1: sums of b, means of the bounds; z counts. */
static void restrict_problem(const perp_aggregated *l, const nested *p, nested *coarse)
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

/* N <- factor N on a level whose sums are those of all rows. */
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
  double sum = 0;
  for (int64_t k = l->start[i]; k < l->start[i + 1]; k++)
    sum += l->value[k] * x[l->column[k]];
  return sum;
}

static void sweep(const perp_aggregated *l, const nested *p, bool backward)
{
  for (int k = 0; k < l->n; k++) {
    const int i = backward ? l->n - 1 - k : k;
    const double d = l->centre[i] < 0 ? 0 : l->value[l->centre[i]];
    if (d > 0)
      p->x[i] = perp_clamp(p->x[i] - (row_times(l, i, p->x) + p->b[i]) / d, p->lo[i], p->hi[i]);
  }
}

/* x <- x + a (P(x + z) - x), a of the least energy, with z from a cycle on the free rows. */
static void correct(perp_aggregation *view, const nested *p)
{
  const perp_aggregated *l = &view->level[0];
  for (int i = 0; i < l->n; i++) {
    p->in[i] = p->x[i] > p->lo[i] && p->x[i] < p->hi[i];
    p->y[i] = -(row_times(l, i, p->x) + p->b[i]);
  }
  perp_aggregation_set(view, p->in, NULL);
  perp_aggregation_apply(view, p->y, p->z);
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

/* The hierarchy from level q on; every set computes the sums below it again. */
static void view_from(const perp_aggregation *a, int q, perp_aggregation *view)
{
  view->count = a->count - q;
  memcpy(view->level, a->level + q, (size_t)view->count * sizeof *view->level);
}

/* ---- The start ---- */

/* x as far from the nearer bound as the aggregate is from its own: a value on a bound stays
 * there. */
static void prolong(const perp_aggregated *l, const nested *coarse, const nested *p)
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

static void solve_level(perp_run *run, const perp_aggregation *a, int q, perp_aggregation *view,
                        const nested *p)
{
  view_from(a, q, view);
  const perp_aggregated *l = &view->level[0];
  for (int c = 0; c < CYCLES && !perp_run_expired(run); c++) {
    for (int s = 0; s < PRE; s++)
      sweep(l, p, false);
    correct(view, p);
    for (int s = 0; s < POST; s++)
      sweep(l, p, true);
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
static bool make_problems(perp_run *run, const perp_aggregation *a, nested *p)
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

perp_error perp_algebraic_start(perp_run *run, perp_aggregation *a, double *x)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  nested p[PERP_AGGREGATION_LEVELS];
  perp_aggregation *view = perp_arena_alloc(run->arena, 1, sizeof *view);
  const bool good = view && make_problems(run, a, p);
  for (int q = 1; good && q < a->count; q++)
    weaken(&a->level[q], factor_of(a, q));
  for (int q = a->count - 1; good && q >= 0; q--) {
    if (q + 1 < a->count)
      prolong(&a->level[q], &p[q + 1], &p[q]);
    if (q > 0)
      solve_level(run, a, q, view, &p[q]);
  }
  if (good && a->count > 1) {
    sweep(&a->level[0], &p[0], false);
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
