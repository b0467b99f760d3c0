/* sparse_cholmod.c: factors of principal submatrices by CHOLMOD
 *
 * The order is approximate minimum degree (Amestoy, Davis, Duff 1996); large factors are supernodal
 * (Chen, Davis, Hager, Rajamanickam 2008). The matrix that is factored has all n rows,
 *
 *   rows and columns of S as in A + diag(d),   those outside as in the identity,
 *
 * which costs n numbers and lets rows join and leave the factor. Removing row k makes it a row of
 * the identity and adds l l^T, l its column below the diagonal, to the rows after it; adding it
 * solves for its row of L and subtracts l l^T (Davis, Hager 2005). Both walk up the elimination
 * tree from k, and change only the columns of L on that path.
 *
 * A factorisation costs sum c_j^2 flops over the columns of L, c_j their counts; removing a row
 * costs 4 c_j over the columns j on its path, column by column and not in blocks: such a flop takes
 * about SLOWNESS times as long. Adding a row walks up from its neighbours, and the columns grow: it
 * takes about ARRIVAL times as long as removing it (measured). The cheaper of update and
 * factorisation is used.
 *
 * The analysis of the previous set is kept without its numbers: an interior point method goes from
 * all rows to the rows of a face and back, and the next solve begins with all rows again. */
#include "linalg/sparse_factor.h"

#ifdef PERP_HAVE_CHOLMOD

#include "base/library.h"
#include "linalg/blas_threads.h"

#include <float.h>
#include <stddef.h>
#include <string.h>
#include <suitesparse/cholmod.h>

typedef SuiteSparse_long wide;

/* ---- The library, loaded when it is first needed ---- */

static struct {
  int (*start)(cholmod_common *);
  int (*finish)(cholmod_common *);
  cholmod_factor *(*analyze)(cholmod_sparse *, cholmod_common *);
  int (*factorize)(cholmod_sparse *, cholmod_factor *, cholmod_common *);
  int (*free_factor)(cholmod_factor **, cholmod_common *);
  int (*free_dense)(cholmod_dense **, cholmod_common *);
  int (*change_factor)(int, int, int, int, int, cholmod_factor *, cholmod_common *);
  int (*rowadd)(size_t, cholmod_sparse *, cholmod_factor *, cholmod_common *);
  int (*rowdel)(size_t, cholmod_sparse *, cholmod_factor *, cholmod_common *);
  int (*solve2)(int, cholmod_factor *, cholmod_dense *, cholmod_sparse *, cholmod_dense **,
                cholmod_sparse **, cholmod_dense **, cholmod_dense **, cholmod_common *);
} cholmod;

static const char *const names[] = {
    "cholmod_l_start",
    "cholmod_l_finish",
    "cholmod_l_analyze",
    "cholmod_l_factorize",
    "cholmod_l_free_factor",
    "cholmod_l_free_dense",
    "cholmod_l_change_factor",
    "cholmod_l_rowadd",
    "cholmod_l_rowdel",
    "cholmod_l_solve2",
    NULL,
};
_Static_assert(sizeof names == sizeof cholmod + sizeof *names, "a name for each function");
static perp_library library = {PERP_CHOLMOD_FILE, names, (perp_function *)&cholmod, 0};

/* A factor, and the set that it was analysed for. */
typedef struct {
  cholmod_factor *L;
  wide *inverse; /* n: of a position in the order of elimination, its place in L */
  bool analysed; /* L has the pattern of this set; false if rows were exchanged */
  int m, *rows;  /* n: the set in the order of elimination */
  double flops;  /* of the factor */
  int64_t fill;
} analysis;

typedef struct {
  cholmod_common common;
  analysis now, before;
  cholmod_dense *X, *Y, *E; /* of solves, reused */
  int *position;            /* n: of row i in the order of elimination */
  wide *start, *index;      /* the matrix by columns, at and above its diagonal */
  double *value;
  double *right; /* n */
  double *total; /* n: A_ii + d_i of the rows in the factor */
} state;

/* A matrix by columns; stype 1: symmetric, at and above its diagonal. No values: its pattern. */
static cholmod_sparse matrix(size_t rows, size_t columns, wide *start, wide *index, double *value,
                             int stype)
{
  return (cholmod_sparse){.nrow = rows,
                          .ncol = columns,
                          .nzmax = (size_t)start[columns],
                          .p = start,
                          .i = index,
                          .x = value,
                          .stype = stype,
                          .itype = CHOLMOD_LONG,
                          .xtype = value ? CHOLMOD_REAL : CHOLMOD_PATTERN,
                          .packed = 1};
}

static void start_common(cholmod_common *c)
{
  cholmod.start(c);
  c->print = 0;
  c->try_catch = 1;
}

/* Finds an order that keeps the fill of all of A low, in postorder of its tree. */
static cholmod_factor *find_order(const perp_sparse *A, int ordering, wide *start, wide *index,
                                  cholmod_common *c)
{
  int64_t e = 0;
  for (int k = 0; k < A->n; k++) {
    start[k] = e;
    for (int64_t t = A->start[k]; t < A->start[k + 1] && A->column[t] <= k; t++)
      index[e++] = A->column[t];
  }
  start[A->n] = e;
  cholmod_sparse pattern = matrix((size_t)A->n, (size_t)A->n, start, index, NULL, 1);
  c->nmethods = 1;
  c->method[0].ordering = ordering;
  c->postorder = 1;
  return cholmod.analyze(&pattern, c);
}

static bool create(perp_sparse_factor *f)
{
  const size_t n = (size_t)f->A.n, most = (size_t)f->A.start[n] + n;
  state *s = perp_arena_alloc_zero(f->arena, 1, sizeof *s);
  f->state = NULL;
  if (!s)
    return false;
  if (!PERP_TAKE(f->arena, PERP_ARRAY(s->position, n), PERP_ARRAY(s->now.inverse, n),
                 PERP_ARRAY(s->now.rows, n), PERP_ARRAY(s->before.inverse, n),
                 PERP_ARRAY(s->before.rows, n), PERP_ARRAY(s->start, n + 1),
                 PERP_ARRAY(s->index, most), PERP_ARRAY(s->value, most), PERP_ARRAY(s->right, n),
                 PERP_ARRAY(s->total, n)))
    return false;
  f->state = s;
  cholmod_common *c = &s->common;
  start_common(c);
  cholmod_factor *L = find_order(&f->A, CHOLMOD_AMD, s->start, s->index, c);
  if (!L)
    return false;
  for (int k = 0; k < f->A.n; k++) {
    f->order[k] = (int)((wide *)L->Perm)[k];
    s->position[f->order[k]] = k;
  }
  f->flops = c->fl;
  cholmod.free_factor(&L, c);
  /* sets are already in this order; only their own trees are postordered */
  c->method[0].ordering = CHOLMOD_NATURAL;
  return true;
}

/* Fills column k of the matrix: row i and its entries above the diagonal. Returns its end. */
static int64_t fill_column(const perp_sparse_factor *f, state *s, int k, int64_t e)
{
  const int i = f->order[k];
  const bool in = f->place[i] >= 0;
  const int64_t diagonal = e++;
  s->index[diagonal] = k;
  s->value[diagonal] = in ? f->d[i] : 1;
  if (!in)
    return e;
  for (int64_t t = f->A.start[i]; t < f->A.start[i + 1]; t++) {
    const int j = f->A.column[t];
    if (j == i) {
      s->value[diagonal] += f->A.value[t];
    } else if (f->place[j] >= 0 && s->position[j] < k) {
      s->index[e] = s->position[j];
      s->value[e++] = f->A.value[t];
    }
  }
  s->total[i] = s->value[diagonal];
  return e;
}

/* L_kk^2, or D_kk, in the order of L, into `pivot`. */
static void read_pivots(const cholmod_factor *L, double *pivot)
{
  const double *x = L->x;
  if (!L->is_super) {
    for (size_t k = 0; k < L->n; k++) {
      const double v = x[((const wide *)L->p)[k]];
      pivot[k] = L->is_ll ? v * v : v;
    }
    return;
  }
  const wide *super = L->super, *rows = L->pi, *values = L->px;
  for (size_t s = 0; s < L->nsuper; s++) {
    const wide height = rows[s + 1] - rows[s];
    for (wide k = super[s]; k < super[s + 1]; k++) {
      const double v = x[values[s] + (k - super[s]) * (height + 1)];
      pivot[k] = v * v;
    }
  }
}

/* Returns true if every pivot of S is positive beyond rounding. */
static bool pivots_hold(const perp_sparse_factor *f, const state *s)
{
  double *pivot = s->right;
  read_pivots(s->now.L, pivot);
  for (int k = 0; k < f->m; k++) {
    const int i = f->rows[k];
    if (!(pivot[s->now.inverse[s->position[i]]] > f->m * DBL_EPSILON * s->total[i]))
      return false;
  }
  return true;
}

static bool is_of_set(const perp_sparse_factor *f, const analysis *a)
{
  return a->analysed && a->m == f->m &&
         memcmp(a->rows, f->rows, (size_t)f->m * sizeof *f->rows) == 0;
}

/* Swaps the current analysis, without its numbers, with the stored one. */
static void exchange(state *s)
{
  analysis *a = &s->now;
  a->analysed = a->analysed && cholmod.change_factor(CHOLMOD_PATTERN, a->L->is_ll, a->L->is_super,
                                                     1, 1, a->L, &s->common);
  if (!a->analysed)
    cholmod.free_factor(&a->L, &s->common);
  const analysis other = s->before;
  s->before = *a;
  *a = other;
}

/* s->now <- the analysis of f->rows, whose matrix is S. */
static bool analyse(perp_sparse_factor *f, state *s, cholmod_sparse *S)
{
  if (is_of_set(f, &s->now))
    return true;
  const bool known = is_of_set(f, &s->before);
  if (known || s->now.analysed)
    exchange(s);
  if (known)
    return true;
  analysis *a = &s->now;
  cholmod_common *c = &s->common;
  cholmod.free_factor(&a->L, c);
  a->analysed = false;
  a->L = cholmod.analyze(S, c);
  if (!a->L)
    return false;
  a->analysed = true;
  a->flops = c->fl;
  a->fill = (int64_t)c->lnz;
  a->m = f->m;
  memcpy(a->rows, f->rows, (size_t)f->m * sizeof *f->rows);
  for (int k = 0; k < f->A.n; k++)
    a->inverse[((wide *)a->L->Perm)[k]] = k;
  return true;
}

static perp_sparse_state factorise(perp_sparse_factor *f)
{
  state *s = f->state;
  cholmod_common *c = &s->common;
  const int n = f->A.n;
  int64_t e = 0;
  for (int k = 0; k < n; k++) {
    s->start[k] = e;
    e = fill_column(f, s, k, e);
  }
  s->start[n] = e;
  cholmod_sparse S = matrix((size_t)n, (size_t)n, s->start, s->index, s->value, 1);
  if (!analyse(f, s, &S))
    return PERP_SPARSE_MEMORY;
  f->fill = s->now.fill;
  if (f->limit && (double)f->limit < (double)f->fill * sizeof(double))
    return PERP_SPARSE_MEMORY;
  const perp_blas_limit before = perp_blas_one_thread(true);
  const bool factored = cholmod.factorize(&S, s->now.L, c) && c->status >= CHOLMOD_OK;
  perp_blas_restore_threads(before);
  if (!factored)
    return PERP_SPARSE_MEMORY;
  return c->status == CHOLMOD_OK && pivots_hold(f, s) ? PERP_SPARSE_OK : PERP_SPARSE_INDEFINITE;
}

/* ---- Rows that join and leave ---- */

/* Returns the flops of one change at column k of L. */
static double path_cost(const cholmod_factor *L, wide k)
{
  const wide *start = L->p, *index = L->i, *count = L->nz;
  double cost = 0;
  while (k >= 0) {
    cost += 4 * (double)count[k];
    k = count[k] > 1 ? index[start[k] + 1] : -1; /* its parent in the tree */
  }
  return cost;
}

/* Adds row i of A + diag(d) within the rows of `in`, as a column in the order of L. */
static bool put_in(perp_sparse_factor *f, state *s, int i, const bool *in)
{
  int64_t e = 0;
  double diagonal = f->d[i];
  for (int64_t t = f->A.start[i]; t < f->A.start[i + 1]; t++) {
    const int j = f->A.column[t];
    if (j == i) {
      diagonal += f->A.value[t];
    } else if (in[j]) {
      s->index[e] = s->now.inverse[s->position[j]];
      s->value[e++] = f->A.value[t];
    }
  }
  const wide k = s->now.inverse[s->position[i]];
  s->index[e] = k;
  s->value[e++] = s->total[i] = diagonal;
  wide ends[2] = {0, e};
  cholmod_sparse R = matrix((size_t)f->A.n, 1, ends, s->index, s->value, 0);
  return cholmod.rowadd((size_t)k, &R, s->now.L, &s->common) && s->common.status == CHOLMOD_OK;
}

/* Returns the flops for row i to join: it follows the path of one of its neighbours. */
static double arrival_cost(const perp_sparse_factor *f, const state *s, int i)
{
  enum { ARRIVAL = 6 };
  double most = 0;
  for (int64_t t = f->A.start[i]; t < f->A.start[i + 1]; t++) {
    const double cost = path_cost(s->now.L, s->now.inverse[s->position[f->A.column[t]]]);
    most = cost > most ? cost : most;
  }
  return ARRIVAL * most;
}

static bool update(perp_sparse_factor *f, int gone_count, const int *gone, int come_count,
                   const int *come)
{
  enum { SLOWNESS = 4, MOST = 500 };
  state *s = f->state;
  cholmod_common *c = &s->common;
  const int n = f->A.n;
  if (gone_count + come_count > MOST)
    return false;
  s->now.analysed = false;
  /* L D L^T by columns that may grow */
  if (!cholmod.change_factor(CHOLMOD_REAL, 0, 0, 0, 1, s->now.L, c))
    return false;
  double cost = 0;
  for (int t = 0; t < gone_count; t++)
    cost += path_cost(s->now.L, s->now.inverse[s->position[gone[t]]]);
  for (int t = 0; t < come_count && SLOWNESS * cost <= s->now.flops; t++)
    cost += arrival_cost(f, s, come[t]);
  if (SLOWNESS * cost > s->now.flops)
    return false;
  bool *in = perp_arena_alloc_zero(f->arena, (size_t)n, sizeof *in);
  if (!in)
    return false;
  for (int k = 0; k < f->m; k++)
    in[f->rows[k]] = true;
  for (int t = 0; t < come_count; t++)
    in[come[t]] = false;
  bool done = true;
  for (int t = 0; t < gone_count && done; t++)
    done = cholmod.rowdel((size_t)s->now.inverse[s->position[gone[t]]], NULL, s->now.L, c) &&
           c->status == CHOLMOD_OK;
  for (int t = 0; t < come_count && done; t++) {
    done = put_in(f, s, come[t], in);
    in[come[t]] = true;
  }
  perp_arena_release(f->arena, f->mark);
  return done && pivots_hold(f, s);
}

static bool solve(perp_sparse_factor *f, double *x)
{
  state *s = f->state;
  const size_t n = (size_t)f->A.n;
  memset(s->right, 0, n * sizeof *s->right);
  for (int k = 0; k < f->m; k++)
    s->right[s->position[f->rows[k]]] = x[k];
  cholmod_dense right = {.nrow = n,
                         .ncol = 1,
                         .nzmax = n,
                         .d = n,
                         .x = s->right,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  if (!cholmod.solve2(CHOLMOD_A, s->now.L, &right, NULL, &s->X, NULL, &s->Y, &s->E, &s->common))
    return false;
  const double *solution = s->X->x;
  for (int k = 0; k < f->m; k++)
    x[k] = solution[s->position[f->rows[k]]];
  return true;
}

static void destroy(perp_sparse_factor *f)
{
  state *s = f->state;
  if (!s)
    return;
  cholmod.free_factor(&s->now.L, &s->common);
  cholmod.free_factor(&s->before.L, &s->common);
  cholmod.free_dense(&s->X, &s->common);
  cholmod.free_dense(&s->Y, &s->common);
  cholmod.free_dense(&s->E, &s->common);
  cholmod.finish(&s->common);
}

bool perp_sparse_order_dissection(const perp_sparse *A, perp_arena *arena, int *order)
{
  const size_t n = (size_t)A->n;
  wide *start, *index;
  if (!perp_library_load(&library) ||
      !PERP_TAKE(arena, PERP_ARRAY(start, n + 1), PERP_ARRAY(index, A->start[n])))
    return false;
  cholmod_common c;
  start_common(&c);
  cholmod_factor *L = find_order(A, CHOLMOD_METIS, start, index, &c);
  for (size_t k = 0; L && k < n; k++)
    order[k] = (int)((wide *)L->Perm)[k];
  const bool done = L != NULL;
  cholmod.free_factor(&L, &c);
  cholmod.finish(&c);
  return done;
}

static const perp_sparse_back back = {create, factorise, solve, destroy, update};

const perp_sparse_back *perp_sparse_cholmod(void)
{
  return perp_library_load(&library) ? &back : NULL;
}

#else

bool perp_sparse_order_dissection(const perp_sparse *A, perp_arena *arena, int *order)
{
  (void)A;
  (void)arena;
  (void)order;
  return false;
}

const perp_sparse_back *perp_sparse_cholmod(void)
{
  return NULL;
}

#endif
