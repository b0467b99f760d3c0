/* sparse_own.c: L D L^T of principal submatrices of a sparse matrix, without any library
 *
 * The factor is up-looking: row k of L solves a triangular system whose sparse solution is found by
 * walking up the elimination tree from the entries of row k (Liu 1990; Davis 2006),
 *
 *   L_11 z = a,   L_k = z / D,   D_kk = A_kk - sum z_j^2 / D_jj,
 *
 * in time proportional to the flops. The order is reverse Cuthill-McKee, which keeps the band
 * narrow: good for bands and grids of some ten thousand cells.
 * Workspace: the entries of A_SS and of L, and some twelve vectors. */
#include "linalg/sparse_back.h"

#include <float.h>

typedef struct {
  int64_t *start; /* m + 1: columns of L, without its unit diagonal */
  int *index;
  double *value;
  double *D;
} own_factor;

/* The triangle of A_SS + diag(d_S) at and above the diagonal, by columns: those entries of row k
 * whose place is at most k, in no particular order. Only counts if index is NULL. */
static int64_t upper_triangle(const perp_sparse_factor *f, int64_t *start, int *index,
                              double *value)
{
  int64_t count = 0;
  for (int k = 0; k < f->m; k++) {
    const int i = f->rows[k];
    if (index) {
      start[k] = count;
      index[count] = k;
      value[count] = f->d[i];
    }
    count++;
    for (int64_t e = f->A.start[i]; e < f->A.start[i + 1]; e++) {
      const int t = f->place[f->A.column[e]];
      if (t < 0 || t > k)
        continue;
      if (index) {
        index[count] = t;
        value[count] = f->A.value[e];
      }
      count++;
    }
  }
  if (index)
    start[f->m] = count;
  return count;
}

/* The nonzeros of row k of L: for each entry j < k, the path from j up the tree to what is marked
 * k. pattern[top .. m-1] lists them so that each comes after those below it. */
static int row_pattern(int m, int k, int64_t begin, int64_t end, const int *index,
                       const int *parent, int *mark, int *path, int *pattern)
{
  int top = m;
  mark[k] = k;
  for (int64_t e = begin; e < end; e++) {
    int length = 0;
    for (int j = index[e]; mark[j] != k; j = parent[j]) {
      path[length++] = j;
      mark[j] = k;
    }
    while (length > 0)
      pattern[--top] = path[--length];
  }
  return top;
}

/* Elimination tree and the number of entries in each column of L, of the rows f->rows. */
static int64_t symbolic(const perp_sparse_factor *f, int *parent, int *mark, int64_t *count)
{
  int64_t fill = 0;
  for (int k = 0; k < f->m; k++) {
    const int i = f->rows[k];
    parent[k] = -1;
    mark[k] = k;
    count[k] = 0;
    for (int64_t e = f->A.start[i]; e < f->A.start[i + 1]; e++) {
      const int first = f->place[f->A.column[e]];
      if (first < 0 || first > k)
        continue;
      for (int j = first; mark[j] != k; j = parent[j]) {
        if (parent[j] == -1)
          parent[j] = k;
        mark[j] = k;
        count[j]++;
        fill++;
      }
    }
  }
  return fill;
}

/* The order, and the flops of a factor of all of A in it: sum c_j^2 over the columns of L, c_j
 * their counts with the diagonal. Methods compare a factor with sweeps and with the time left by
 * it. */
static bool create(perp_sparse_factor *f)
{
  const size_t n = (size_t)f->A.n;
  f->state = perp_arena_alloc_zero(f->arena, 1, sizeof(own_factor));
  if (!f->state)
    return false;
  perp_sparse_order(&f->A, f->order, f->rows, f->from);
  const perp_arena_mark mark = perp_arena_hold(f->arena);
  int64_t *count = perp_arena_alloc(f->arena, n, sizeof *count);
  if (!count)
    return false;
  f->m = f->A.n;
  for (int k = 0; k < f->m; k++) {
    f->rows[k] = f->order[k];
    f->place[f->order[k]] = k;
  }
  symbolic(f, f->from, f->change, count);
  for (int k = 0; k < f->m; k++)
    f->flops += (double)(count[k] + 1) * (double)(count[k] + 1);
  f->m = 0;
  perp_arena_release(f->arena, mark);
  return true;
}

static perp_sparse_state factorise(perp_sparse_factor *f)
{
  own_factor *L = f->state;
  const size_t m = (size_t)f->m;
  const int64_t entries = upper_triangle(f, NULL, NULL, NULL);
  int64_t *start, *count;
  int *index, *parent, *mark, *path, *pattern;
  double *value, *z;
  if (!PERP_TAKE(f->arena, PERP_ARRAY(start, m + 1), PERP_ARRAY(count, m + 1),
                 PERP_ARRAY(L->start, m + 1), PERP_ARRAY(index, entries),
                 PERP_ARRAY(value, entries)) ||
      !PERP_TAKE_INTEGERS(f->arena, m, &parent, &mark, &path, &pattern) ||
      !PERP_TAKE_ZERO_REALS(f->arena, m, &z, &L->D))
    return PERP_SPARSE_MEMORY;
  upper_triangle(f, start, index, value);
  f->fill = symbolic(f, parent, mark, count);
  if (f->limit && (double)f->limit < (double)f->fill * (sizeof *L->value + sizeof *L->index))
    return PERP_SPARSE_MEMORY;
  if (!PERP_TAKE(f->arena, PERP_ARRAY(L->index, f->fill), PERP_ARRAY(L->value, f->fill)))
    return PERP_SPARSE_MEMORY;
  L->start[0] = 0;
  for (int k = 0; k < f->m; k++) {
    L->start[k + 1] = L->start[k] + count[k];
    count[k] = L->start[k]; /* from here on: the place of the next entry of the column */
    mark[k] = -1;
  }
  for (int k = 0; k < f->m; k++) {
    const int top =
        row_pattern(f->m, k, start[k], start[k + 1], index, parent, mark, path, pattern);
    for (int64_t e = start[k]; e < start[k + 1]; e++)
      z[index[e]] += value[e];
    const double all = z[k];
    double pivot = all;
    z[k] = 0;
    for (int t = top; t < f->m; t++) {
      const int j = pattern[t];
      const double zj = z[j], l = zj / L->D[j];
      z[j] = 0;
      for (int64_t e = L->start[j]; e < count[j]; e++)
        z[L->index[e]] -= L->value[e] * zj;
      pivot -= l * zj;
      L->index[count[j]] = k;
      L->value[count[j]++] = l;
    }
    if (!(pivot > f->m * DBL_EPSILON * all))
      return PERP_SPARSE_INDEFINITE;
    L->D[k] = pivot;
  }
  return PERP_SPARSE_OK;
}

static bool solve(perp_sparse_factor *f, double *x)
{
  const own_factor *L = f->state;
  for (int k = 0; k < f->m; k++)
    for (int64_t e = L->start[k]; e < L->start[k + 1]; e++)
      x[L->index[e]] -= L->value[e] * x[k];
  for (int k = f->m - 1; k >= 0; k--) {
    x[k] /= L->D[k];
    for (int64_t e = L->start[k]; e < L->start[k + 1]; e++)
      x[k] -= L->value[e] * x[L->index[e]];
  }
  return true;
}

static void destroy(perp_sparse_factor *f)
{
  (void)f;
}

const perp_sparse_back perp_sparse_own = {create, factorise, solve, destroy, NULL};
