/* aggregation.c: an algebraic hierarchy over a sparse matrix */
#include "method/multilevel/algebraic/aggregation.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/gather.h"

#include <float.h>
#include <limits.h>

enum { COARSEST = 8, LAST_SWEEPS = 4 };

/* 1 / (mid -+ half cos(pi/4)) for [0.35, 1] */
static const double LENGTHS[2] = {1.1050, 2.2468};
static const double STRONG = 0.25; /* relative to the strongest coupling of a row */

/* ---- Aggregates ---- */

/* Matches unknowns: mate_i is the unknown matched with i, or i. Returns the number of pairs and
 * single unknowns, numbered in `pair`. */
static int match(const perp_sparse *A, int *pair)
{
  int count = 0;
  perp_fill_integers(A->n, -1, pair);
  for (int i = 0; i < A->n; i++) {
    if (pair[i] >= 0)
      continue;
    double strongest = 0, best = 0;
    int mate = -1;
    for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
      const int j = A->column[k];
      if (j == i)
        continue;
      strongest = perp_max(strongest, -A->value[k]);
      if (pair[j] < 0 && -A->value[k] > best) {
        best = -A->value[k];
        mate = j;
      }
    }
    pair[i] = count;
    if (mate >= 0 && best >= STRONG * strongest)
      pair[mate] = count;
    count++;
  }
  return count;
}

/* Lists the rows of each parent: child[first[p]] .. child[first[p+1]-1]. */
static void list_children(int n, const int *parent, int parents, int *first, int *child)
{
  memset(first, 0, ((size_t)parents + 1) * sizeof *first);
  for (int i = 0; i < n; i++)
    first[parent[i] + 1]++;
  for (int p = 0; p < parents; p++)
    first[p + 1] += first[p];
  for (int i = 0; i < n; i++)
    child[first[parent[i]]++] = i;
  for (int p = parents; p > 0; p--)
    first[p] = first[p - 1];
  first[0] = 0;
}

/* One pass over the coarse rows: counts the entries if `column` is NULL; otherwise writes start and
 * column, and the target of each entry into `place`. `last` has room for every parent. */
static int64_t sum_pattern(const perp_sparse *A, const int *parent, int parents, const int *first,
                           const int *child, int64_t *last, int64_t *start, int *column, int *place)
{
  int64_t entries = 0;
  for (int p = 0; p < parents; p++)
    last[p] = -1;
  for (int p = 0; p < parents; p++) {
    const int64_t begin = entries;
    if (start)
      start[p] = begin;
    for (int c = first[p]; c < first[p + 1]; c++)
      for (int64_t k = A->start[child[c]]; k < A->start[child[c] + 1]; k++) {
        const int q = parent[A->column[k]];
        if (last[q] < begin) {
          last[q] = entries++;
          if (column)
            column[last[q]] = q;
        }
        if (place)
          place[k] = (int)last[q];
      }
  }
  if (start)
    start[parents] = entries;
  return entries;
}

/* The coarse matrix of a map: pattern, place and memory for the sums. */
typedef struct coarse {
  int64_t *start;
  int *column, *place;
  double *value;
} coarse;

static bool make_coarse(const perp_sparse *A, const int *parent, int parents, perp_arena *arena,
                        coarse *made)
{
  const size_t all = (size_t)A->start[A->n];
  int *first, *child;
  int64_t *last;
  if (!PERP_TAKE(arena, PERP_ARRAY(made->start, parents + 1), PERP_ARRAY(made->place, all),
                 PERP_ARRAY(first, parents + 1), PERP_ARRAY(child, A->n),
                 PERP_ARRAY(last, parents)))
    return false;
  list_children(A->n, parent, parents, first, child);
  const int64_t entries = sum_pattern(A, parent, parents, first, child, last, NULL, NULL, NULL);
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(made->column, entries), PERP_ARRAY(made->value, entries)))
    return false;
  sum_pattern(A, parent, parents, first, child, last, made->start, made->column, made->place);
  for (size_t k = 0; k < all; k++)
    made->value[made->place[k]] += A->value[k];
  return true;
}

/* Makes two matchings one after the other, if there is time. Returns the number of aggregates, -1:
 * out of memory. */
static int aggregate(perp_run *run, const perp_sparse *A, int *parent)
{
  perp_arena *arena = run->arena;
  const int pairs = match(A, parent);
  if (perp_run_expired(run))
    return pairs;
  const perp_arena_mark mark = perp_arena_hold(arena);
  coarse paired;
  int *second = perp_arena_alloc(arena, (size_t)pairs, sizeof *second), count = -1;
  if (second && make_coarse(A, parent, pairs, arena, &paired)) {
    const perp_sparse B = {pairs, paired.start, paired.column, paired.value};
    count = match(&B, second);
    for (int i = 0; i < A->n; i++)
      parent[i] = second[parent[i]];
  }
  perp_arena_release(arena, mark);
  return count;
}

/* ---- Construction ---- */

static bool level_allocate(perp_aggregated *l, perp_arena *arena)
{
  const size_t n = (size_t)l->n;
  int64_t *centre;
  if (!PERP_TAKE(arena, PERP_ARRAY(centre, n), PERP_ARRAY(l->parent, n)) ||
      !PERP_TAKE_REALS(arena, n, &l->gain, &l->x, &l->f, &l->r))
    return false;
  l->centre = centre;
  for (int i = 0; i < l->n; i++) {
    centre[i] = -1;
    for (int64_t k = l->start[i]; k < l->start[i + 1]; k++)
      if (l->column[k] == i)
        centre[i] = k;
  }
  return true;
}

/* Makes the levels after level 0 while there is time. Returns false if out of memory. */
static bool make_levels(perp_run *run, perp_aggregation *a)
{
  perp_arena *arena = run->arena;
  for (perp_aggregated *l = a->level;; l++) {
    if (!level_allocate(l, arena))
      return false;
    if (l->n <= COARSEST || a->count == PERP_AGGREGATION_LEVELS || l->start[l->n] > INT_MAX ||
        perp_run_expired(run))
      return true;
    const perp_sparse A = {l->n, l->start, l->column, l->value};
    const int parents = aggregate(run, &A, l->parent);
    if (parents < 0)
      return false;
    if (parents > 0.8 * l->n || perp_run_expired(run)) /* no matches left, or no time */
      return true;
    coarse made;
    if (!make_coarse(&A, l->parent, parents, arena, &made))
      return false;
    l->place = made.place;
    l[1] = (perp_aggregated){.n = parents,
                             .start = made.start,
                             .column = made.column,
                             .value = made.value,
                             .sums = made.value};
    a->count++;
  }
}

perp_error perp_aggregation_open(perp_run *run, const char *method, perp_aggregation *a)
{
  const perp_operator *A = run->problem->A;
  perp_aggregated *first = &a->level[0];
  *a = (perp_aggregation){.count = 1, .level[0].n = A->n};
  if (perp_operator_csr_arrays(A, &first->start, &first->column, &first->value)) {
    perp_gathered all;
    const perp_error error = perp_gather(run, &all);
    if (error)
      return error;
    if (!all.column && perp_run_expired(run)) {
      a->count = 0;
      return PERP_OK;
    }
    if (!all.column)
      return perp_run_fail(run, PERP_ERROR_MEMORY,
                           "%s: the entries of this %s operator need more than memory_limit",
                           method, perp_operator_kind(A));
    first->start = all.start;
    first->column = all.column;
    first->value = all.value;
  }
  return make_levels(run, a) ? PERP_OK : perp_run_no_memory(run);
}

/* ---- A new F ---- */

static double diagonal_of(const perp_aggregated *l, int i)
{
  return (l->centre[i] < 0 ? 0 : l->value[l->centre[i]]) + (l->d ? l->d[i] : 0);
}

void perp_aggregation_set(perp_aggregation *a, int first, const bool *in, const double *d)
{
  for (int q = first; q < a->count; q++) {
    perp_aggregated *l = &a->level[q];
    l->in = q == first ? in : NULL;
    l->d = q == first ? d : NULL;
    for (int i = 0; i < l->n; i++) {
      const double entry = diagonal_of(l, i);
      l->gain[i] = (!l->in || l->in[i]) && entry >= DBL_MIN ? 1 / entry : 0;
    }
    if (q == a->count - 1)
      break;
    double *sums = l[1].sums;
    memset(sums, 0, (size_t)l[1].start[l[1].n] * sizeof *sums);
    for (int i = 0; i < l->n; i++) {
      if (l->gain[i] == 0)
        continue;
      for (int64_t k = l->start[i]; k < l->start[i + 1]; k++)
        if (l->gain[l->column[k]] != 0)
          sums[l->place[k]] += l->value[k];
      if (l->d && l->centre[i] >= 0)
        sums[l->place[l->centre[i]]] += l->d[i];
    }
  }
}

/* ---- Cycles ---- */

/* (f - A x)_i; rows outside F have x = 0. */
static inline double residual_row(const perp_aggregated *l, int i)
{
  double sum = l->f[i];
  for (int64_t k = l->start[i]; k < l->start[i + 1]; k++)
    sum -= l->value[k] * l->x[l->column[k]];
  return l->d ? sum - l->d[i] * l->x[i] : sum;
}

static void sweep(const perp_aggregated *l, bool backward)
{
  for (int k = 0; k < l->n; k++) {
    const int i = backward ? l->n - 1 - k : k;
    if (l->gain[i] != 0)
      l->x[i] += l->gain[i] * residual_row(l, i);
  }
}

/* x <- x + length B (f - A x) on a level, with the cycle below it. */
static void cycle(perp_aggregation *a, int q);

static void solve_coarse(perp_aggregation *a, int q)
{
  perp_aggregated *l = &a->level[q];
  if (q == a->count - 1) {
    cycle(a, q);
    return;
  }
  /* x1 = w1 B f, x2 = x1 + w2 B (f - A x1); the cycle starts from zero, so f is exchanged */
  double *f = l->f;
  cycle(a, q);
  for (int i = 0; i < l->n; i++) {
    l->x[i] *= LENGTHS[0];
    if (l->gain[i] == 0)
      l->x[i] = 0;
  }
  for (int i = 0; i < l->n; i++)
    l->r[i] = l->gain[i] != 0 ? residual_row(l, i) : 0;
  memcpy(f, l->x, (size_t)l->n * sizeof *f);
  double *first = f;
  l->f = l->r;
  l->r = first; /* holds x1 */
  cycle(a, q);
  for (int i = 0; i < l->n; i++)
    l->x[i] = first[i] + LENGTHS[1] * l->x[i];
}

static void cycle(perp_aggregation *a, int q)
{
  perp_aggregated *l = &a->level[q];
  memset(l->x, 0, (size_t)l->n * sizeof *l->x);
  if (q == a->count - 1) {
    for (int s = 0; s < LAST_SWEEPS; s++) {
      sweep(l, false);
      sweep(l, true);
    }
    return;
  }
  perp_aggregated *c = l + 1;
  sweep(l, false);
  memset(c->f, 0, (size_t)c->n * sizeof *c->f);
  for (int i = 0; i < l->n; i++)
    if (l->gain[i] != 0)
      c->f[l->parent[i]] += residual_row(l, i);
  solve_coarse(a, q + 1);
  for (int i = 0; i < l->n; i++)
    if (l->gain[i] != 0)
      l->x[i] += c->x[l->parent[i]];
  sweep(l, true);
}

void perp_aggregation_apply(perp_aggregation *a, int first, const double *r, double *z)
{
  perp_aggregated *l = &a->level[first];
  if (a->count == 0) {
    perp_copy(l->n, r, z);
    return;
  }
  for (int i = 0; i < l->n; i++)
    l->f[i] = l->gain[i] != 0 ? r[i] : 0;
  cycle(a, first);
  perp_copy(l->n, l->x, z);
}
