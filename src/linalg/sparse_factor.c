/* sparse_factor.c: L D L^T of principal submatrices of a sparse matrix
 *
 * Our own factor is up-looking: row k of L solves a triangular system whose sparse solution is
 * found by walking up the elimination tree from the entries of row k (Liu 1990; Davis 2006),
 *
 *   L_11 z = a,   L_k = z / D,   D_kk = A_kk - sum z_j^2 / D_jj,
 *
 * in time proportional to the flops. The order is reverse Cuthill-McKee (Cuthill, McKee 1969;
 * George 1971), which keeps the band narrow: good for bands and grids of some ten thousand cells.
 * With CHOLMOD the order is approximate minimum degree (Amestoy, Davis, Duff 1996), and large
 * factors are supernodal (Chen, Davis, Hager, Rajamanickam 2008).
 *
 * A pivot that is at most m epsilon times its diagonal entry counts as zero.
 * Workspace: the entries of A_SS and of L, and some twelve vectors. */
#include "linalg/sparse_factor.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Reverse Cuthill-McKee ---- */

/* Breadth first from `from` into queue; rows get their level in `level`, which is -1 on all that may
 * be visited. Neighbours come by increasing degree, that is by insertion. Returns the number. */
static int sweep_levels(const perp_sparse *A, int from, int *queue, int *level)
{
  int count = 1;
  queue[0] = from;
  level[from] = 0;
  for (int head = 0; head < count; head++) {
    const int i = queue[head];
    const int first = count;
    for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
      const int j = A->column[e];
      if (level[j] != -1)
        continue;
      level[j] = level[i] + 1;
      const int64_t degree = A->start[j + 1] - A->start[j];
      int at = count++;
      for (; at > first; at--) {
        const int before = queue[at - 1];
        if (A->start[before + 1] - A->start[before] <= degree)
          break;
        queue[at] = before;
      }
      queue[at] = j;
    }
  }
  return count;
}

void perp_sparse_order(const perp_sparse *A, int *order, int *queue, int *level)
{
  enum { FREE = -1 };
  for (int i = 0; i < A->n; i++)
    level[i] = FREE;
  int done = 0;
  for (int i = 0; i < A->n; i++) {
    if (level[i] != FREE)
      continue;
    /* a row at the far end of the component, by going there and back a few times */
    int from = i, depth = -1;
    for (int trial = 0; trial < 8; trial++) {
      const int count = sweep_levels(A, from, queue, level);
      const int last = queue[count - 1], reached = level[last];
      for (int t = 0; t < count; t++)
        level[queue[t]] = FREE;
      if (reached <= depth)
        break;
      depth = reached;
      from = last;
    }
    const int count = sweep_levels(A, from, queue, level);
    for (int t = 0; t < count; t++)
      order[A->n - 1 - (done + t)] = queue[t];
    done += count;
  }
}

/* ---- A_SS in its order ---- */

struct perp_sparse_factor {
  perp_sparse A;
  perp_arena *arena;
  perp_arena_mark mark; /* what comes after it belongs to the present S */
  size_t limit;
  int *order; /* n: rows by elimination */
  int *place; /* n: position in the order of S, -1 outside */
  int m;
  int *rows;        /* n: S in the order of elimination */
  int *from;        /* n: position in S, as the caller lists it, of rows[k] */
  double *permuted; /* n */
  int64_t fill;
  struct back_end *back;
};

/* The positions of S sorted by elimination: a pass over the order of all rows. */
static void take_set(perp_sparse_factor *f, int m, const int *S)
{
  for (int k = 0; k < f->m; k++)
    f->place[f->rows[k]] = -1;
  f->m = m;
  for (int t = 0; t < m; t++)
    f->place[S[t]] = t;
  int k = 0;
  for (int e = 0; e < f->A.n && k < m; e++) {
    const int i = f->order[e];
    if (f->place[i] >= 0) {
      f->rows[k] = i;
      f->from[k++] = f->place[i];
    }
  }
  for (k = 0; k < m; k++)
    f->place[f->rows[k]] = k;
}

/* The triangle of A_SS + diag(d_S) at and above the diagonal, by columns: those entries of row k
 * whose place is at most k, sorted by no rule. Counts first where index is NULL. */
static int64_t upper_triangle(const perp_sparse_factor *f, const double *d, int64_t *start,
                              int *index, double *value)
{
  int64_t count = 0;
  for (int k = 0; k < f->m; k++) {
    const int i = f->rows[k];
    if (index)
      start[k] = count;
    bool diagonal = false;
    for (int64_t e = f->A.start[i]; e < f->A.start[i + 1]; e++) {
      const int t = f->place[f->A.column[e]];
      if (t < 0 || t > k)
        continue;
      diagonal = diagonal || t == k;
      if (index) {
        index[count] = t;
        value[count] = f->A.value[e] + (t == k ? d[i] : 0);
      }
      count++;
    }
    if (!diagonal) {
      if (index) {
        index[count] = k;
        value[count] = d[i];
      }
      count++;
    }
  }
  if (index)
    start[f->m] = count;
  return count;
}

/* ---- The back ends: order, factorise, solve, free ---- */

#ifdef PERP_HAVE_CHOLMOD

#include <suitesparse/cholmod.h>

struct back_end {
  cholmod_common common;
  cholmod_factor *L;
};

static bool back_create(perp_sparse_factor *f, int *scratch_a, int *scratch_b)
{
  (void)scratch_a;
  (void)scratch_b;
  f->back = perp_alloc_zero(1, sizeof *f->back);
  if (!f->back)
    return false;
  cholmod_common *c = &f->back->common;
  cholmod_l_start(c);
  c->print = 0;
  c->try_catch = 1;
  const int n = f->A.n;
  /* both triangles by columns: column i is row i */
  SuiteSparse_long *start = perp_alloc((size_t)n + 1, sizeof *start);
  SuiteSparse_long *index = perp_alloc((size_t)f->A.start[n], sizeof *index);
  SuiteSparse_long *permutation = perp_alloc((size_t)n, sizeof *permutation);
  bool done = start && index && permutation;
  if (done) {
    for (int i = 0; i <= n; i++)
      start[i] = f->A.start[i];
    for (int64_t e = 0; e < f->A.start[n]; e++)
      index[e] = f->A.column[e];
    cholmod_sparse pattern = {.nrow = (size_t)n,
                              .ncol = (size_t)n,
                              .nzmax = (size_t)f->A.start[n],
                              .p = start,
                              .i = index,
                              .stype = -1,
                              .itype = CHOLMOD_LONG,
                              .xtype = CHOLMOD_PATTERN,
                              .sorted = 1,
                              .packed = 1};
    done = cholmod_l_amd(&pattern, NULL, 0, permutation, c);
    for (int k = 0; done && k < n; k++)
      f->order[k] = (int)permutation[k];
    /* the sets come in this order already; only the tree is put in postorder */
    c->nmethods = 1;
    c->method[0].ordering = CHOLMOD_NATURAL;
    c->postorder = 1;
    c->final_ll = 1; /* L L^T: a negative pivot must not pass */
  }
  perp_free(start);
  perp_free(index);
  perp_free(permutation);
  return done;
}

static perp_sparse_state back_factorise(perp_sparse_factor *f, const double *d)
{
  cholmod_common *c = &f->back->common;
  cholmod_l_free_factor(&f->back->L, c);
  const int64_t count = upper_triangle(f, d, NULL, NULL, NULL);
  int64_t *start = perp_arena_alloc(f->arena, (size_t)f->m + 1, sizeof *start);
  int *index = perp_arena_alloc(f->arena, (size_t)count, sizeof *index);
  double *value = perp_arena_alloc(f->arena, (size_t)count, sizeof *value);
  SuiteSparse_long *wide_start = perp_arena_alloc(f->arena, (size_t)f->m + 1, sizeof *wide_start);
  SuiteSparse_long *wide = perp_arena_alloc(f->arena, (size_t)count, sizeof *wide);
  if (!start || !index || !value || !wide_start || !wide)
    return PERP_SPARSE_MEMORY;
  upper_triangle(f, d, start, index, value);
  for (int k = 0; k <= f->m; k++)
    wide_start[k] = start[k];
  for (int64_t e = 0; e < count; e++)
    wide[e] = index[e];
  cholmod_sparse S = {.nrow = (size_t)f->m,
                      .ncol = (size_t)f->m,
                      .nzmax = (size_t)count,
                      .p = wide_start,
                      .i = wide,
                      .x = value,
                      .stype = 1,
                      .itype = CHOLMOD_LONG,
                      .xtype = CHOLMOD_REAL,
                      .sorted = 0,
                      .packed = 1};
  f->back->L = cholmod_l_analyze(&S, c);
  if (!f->back->L)
    return PERP_SPARSE_MEMORY;
  f->fill = (int64_t)c->lnz;
  if (f->limit && (double)f->limit < c->lnz * sizeof(double))
    return PERP_SPARSE_MEMORY;
  const bool done = cholmod_l_factorize(&S, f->back->L, c) && c->status >= CHOLMOD_OK;
  if (!done)
    return PERP_SPARSE_MEMORY;
  if (c->status == CHOLMOD_NOT_POSDEF)
    return PERP_SPARSE_INDEFINITE;
  return cholmod_l_rcond(f->back->L, c) > DBL_EPSILON ? PERP_SPARSE_OK : PERP_SPARSE_INDEFINITE;
}

static bool back_solve(perp_sparse_factor *f, double *x)
{
  cholmod_common *c = &f->back->common;
  const size_t m = (size_t)f->m;
  cholmod_dense right = {.nrow = m,
                         .ncol = 1,
                         .nzmax = m,
                         .d = m,
                         .x = x,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  cholmod_dense *solution = cholmod_l_solve(CHOLMOD_A, f->back->L, &right, c);
  if (!solution)
    return false;
  memcpy(x, solution->x, m * sizeof *x);
  cholmod_l_free_dense(&solution, c);
  return true;
}

static void back_free(perp_sparse_factor *f)
{
  if (!f->back)
    return;
  cholmod_l_free_factor(&f->back->L, &f->back->common);
  cholmod_l_finish(&f->back->common);
  perp_free(f->back);
}

#else

struct back_end {
  int64_t *start; /* m + 1: columns of L, without its unit diagonal */
  int *index;
  double *value;
  double *D;
};

static bool back_create(perp_sparse_factor *f, int *scratch_a, int *scratch_b)
{
  f->back = perp_arena_alloc_zero(f->arena, 1, sizeof *f->back);
  if (f->back)
    perp_sparse_order(&f->A, f->order, scratch_a, scratch_b);
  return f->back != NULL;
}

/* The rows of L that row k of A_SS brings about: for each entry j < k, the path from j up the tree
 * to what is marked k. pattern[top .. m-1] lists them so that each comes after those below it. */
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

/* Elimination tree and the number of entries in each column of L. */
static int64_t symbolic(int m, const int64_t *start, const int *index, int *parent, int *mark,
                        int64_t *count)
{
  int64_t fill = 0;
  for (int k = 0; k < m; k++) {
    parent[k] = -1;
    mark[k] = k;
    count[k] = 0;
    for (int64_t e = start[k]; e < start[k + 1]; e++)
      for (int j = index[e]; mark[j] != k; j = parent[j]) {
        if (parent[j] == -1)
          parent[j] = k;
        mark[j] = k;
        count[j]++;
        fill++;
      }
  }
  return fill;
}

static perp_sparse_state back_factorise(perp_sparse_factor *f, const double *d)
{
  struct back_end *L = f->back;
  const size_t m = (size_t)f->m;
  const int64_t entries = upper_triangle(f, d, NULL, NULL, NULL);
  int64_t *start = perp_arena_alloc(f->arena, m + 1, sizeof *start);
  int *index = perp_arena_alloc(f->arena, (size_t)entries, sizeof *index);
  double *value = perp_arena_alloc(f->arena, (size_t)entries, sizeof *value);
  int64_t *count = perp_arena_alloc(f->arena, m + 1, sizeof *count);
  int *tree = perp_arena_alloc(f->arena, 4 * m, sizeof *tree);
  double *z = perp_arena_alloc_zero(f->arena, m, sizeof *z);
  L->start = perp_arena_alloc(f->arena, m + 1, sizeof *L->start);
  L->D = perp_arena_alloc(f->arena, m, sizeof *L->D);
  if (!start || !index || !value || !count || !tree || !z || !L->start || !L->D)
    return PERP_SPARSE_MEMORY;
  int *parent = tree, *mark = tree + m, *path = mark + m, *pattern = path + m;
  upper_triangle(f, d, start, index, value);
  f->fill = symbolic(f->m, start, index, parent, mark, count);
  if (f->limit && (double)f->limit < (double)f->fill * (sizeof *L->value + sizeof *L->index))
    return PERP_SPARSE_MEMORY;
  L->index = perp_arena_alloc(f->arena, (size_t)f->fill, sizeof *L->index);
  L->value = perp_arena_alloc(f->arena, (size_t)f->fill, sizeof *L->value);
  if (!L->index || !L->value)
    return PERP_SPARSE_MEMORY;
  L->start[0] = 0;
  for (int k = 0; k < f->m; k++) {
    L->start[k + 1] = L->start[k] + count[k];
    count[k] = L->start[k]; /* from here on: where the next entry of the column goes */
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

static bool back_solve(perp_sparse_factor *f, double *x)
{
  const struct back_end *L = f->back;
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

static void back_free(perp_sparse_factor *f)
{
  (void)f;
}

#endif

/* ---- What the header promises ---- */

perp_sparse_factor *perp_sparse_analyse(const perp_sparse *A, perp_arena *arena, size_t limit)
{
  const size_t n = (size_t)A->n;
  perp_sparse_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f)
    return NULL;
  *f = (perp_sparse_factor){
      .A = *A,
      .arena = arena,
      .limit = limit,
      .order = perp_arena_alloc(arena, n, sizeof(int)),
      .place = perp_arena_alloc(arena, n, sizeof(int)),
      .rows = perp_arena_alloc(arena, n, sizeof(int)),
      .from = perp_arena_alloc(arena, n, sizeof(int)),
      .permuted = perp_arena_alloc(arena, n, sizeof(double)),
  };
  if (!f->order || !f->place || !f->rows || !f->from || !f->permuted)
    return NULL;
  if (!back_create(f, f->rows, f->from)) {
    back_free(f);
    return NULL;
  }
  for (int i = 0; i < A->n; i++)
    f->place[i] = -1;
  f->mark = perp_arena_hold(arena);
  return f;
}

perp_sparse_state perp_sparse_factorise(perp_sparse_factor *f, int m, const int *S, const double *d)
{
  perp_arena_release(f->arena, f->mark);
  take_set(f, m, S);
  return m > 0 ? back_factorise(f, d) : PERP_SPARSE_OK;
}

bool perp_sparse_solve(perp_sparse_factor *f, double *x)
{
  for (int k = 0; k < f->m; k++)
    f->permuted[k] = x[f->from[k]];
  if (f->m > 0 && !back_solve(f, f->permuted))
    return false;
  for (int k = 0; k < f->m; k++)
    x[f->from[k]] = f->permuted[k];
  return true;
}

int64_t perp_sparse_fill(const perp_sparse_factor *f)
{
  return f->fill;
}

void perp_sparse_free(perp_sparse_factor *f)
{
  if (f)
    back_free(f);
}
