/* sparse_cholmod.c: factors of principal submatrices by CHOLMOD
 *
 * The order is approximate minimum degree (Amestoy, Davis, Duff 1996); large factors are supernodal
 * (Chen, Davis, Hager, Rajamanickam 2008). */
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
  int (*solve2)(int, cholmod_factor *, cholmod_dense *, cholmod_sparse *, cholmod_dense **,
                cholmod_sparse **, cholmod_dense **, cholmod_dense **, cholmod_common *);
} cholmod;

static const char *const names[] = {
    "cholmod_l_start",       "cholmod_l_finish",     "cholmod_l_analyze", "cholmod_l_factorize",
    "cholmod_l_free_factor", "cholmod_l_free_dense", "cholmod_l_solve2",  NULL,
};
_Static_assert(sizeof names == sizeof cholmod + sizeof *names, "a name for each function");
static perp_library library = {PERP_CHOLMOD_FILE, names, (perp_function *)&cholmod, 0};

typedef struct {
  cholmod_common common;
  cholmod_factor *L;        /* NULL: none */
  int m, *rows;             /* n: the set that L was analysed for, in the order of elimination */
  cholmod_dense *X, *Y, *E; /* of solves, reused */
  wide *start, *index;      /* the matrix by columns, at and above its diagonal */
  double *value;
  double *pivot; /* n */
  double *total; /* n: A_ii + d_i in the order of elimination */
} state;

/* A symmetric matrix by columns, at and above its diagonal. No values: its pattern. */
static cholmod_sparse matrix(size_t n, wide *start, wide *index, double *value)
{
  return (cholmod_sparse){.nrow = n,
                          .ncol = n,
                          .nzmax = (size_t)start[n],
                          .p = start,
                          .i = index,
                          .x = value,
                          .stype = 1,
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
  cholmod_sparse pattern = matrix((size_t)A->n, start, index, NULL);
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
  if (!PERP_TAKE(f->arena, PERP_ARRAY(s->rows, n), PERP_ARRAY(s->start, n + 1),
                 PERP_ARRAY(s->index, most), PERP_ARRAY(s->value, most), PERP_ARRAY(s->pivot, n),
                 PERP_ARRAY(s->total, n)))
    return false;
  f->state = s;
  cholmod_common *c = &s->common;
  start_common(c);
  cholmod_factor *L = find_order(&f->A, CHOLMOD_AMD, s->start, s->index, c);
  if (!L)
    return false;
  for (int k = 0; k < f->A.n; k++)
    f->order[k] = (int)((wide *)L->Perm)[k];
  f->flops = c->fl;
  cholmod.free_factor(&L, c);
  /* sets are already in this order; only their own trees are postordered */
  c->method[0].ordering = CHOLMOD_NATURAL;
  return true;
}

/* Fills column k of A_SS + diag(d_S), in the order of elimination. Returns its end. */
static int64_t fill_column(const perp_sparse_factor *f, state *s, int k, int64_t e)
{
  const int i = f->rows[k];
  const int64_t diagonal = e++;
  s->index[diagonal] = k;
  s->value[diagonal] = f->d[i];
  for (int64_t t = f->A.start[i]; t < f->A.start[i + 1]; t++) {
    const int j = f->A.column[t], place = f->place[j];
    if (j == i) {
      s->value[diagonal] += f->A.value[t];
    } else if (place >= 0 && place < k) {
      s->index[e] = place;
      s->value[e++] = f->A.value[t];
    }
  }
  s->total[k] = s->value[diagonal];
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

/* Returns true if every pivot is positive beyond rounding. */
static bool pivots_hold(const perp_sparse_factor *f, const state *s)
{
  const wide *order = s->L->Perm; /* of its own tree */
  read_pivots(s->L, s->pivot);
  for (int k = 0; k < f->m; k++)
    if (!(s->pivot[k] > f->m * DBL_EPSILON * s->total[order[k]]))
      return false;
  return true;
}

/* s->L <- the analysis of f->rows, whose matrix is S; that of the last set is kept. */
static bool analyse(perp_sparse_factor *f, state *s, cholmod_sparse *S)
{
  const size_t bytes = (size_t)f->m * sizeof *f->rows;
  if (s->L && s->m == f->m && memcmp(s->rows, f->rows, bytes) == 0)
    return true;
  cholmod.free_factor(&s->L, &s->common);
  s->L = cholmod.analyze(S, &s->common);
  f->fill = (int64_t)s->common.lnz;
  s->m = f->m;
  memcpy(s->rows, f->rows, bytes);
  return s->L;
}

static perp_sparse_state factorise(perp_sparse_factor *f)
{
  state *s = f->state;
  cholmod_common *c = &s->common;
  const size_t m = (size_t)f->m;
  int64_t e = 0;
  for (int k = 0; k < f->m; k++) {
    s->start[k] = e;
    e = fill_column(f, s, k, e);
  }
  s->start[m] = e;
  cholmod_sparse S = matrix(m, s->start, s->index, s->value);
  if (!analyse(f, s, &S))
    return PERP_SPARSE_MEMORY;
  if (f->limit && (double)f->limit < (double)f->fill * sizeof(double))
    return PERP_SPARSE_MEMORY;
  const perp_blas_limit before = perp_blas_one_thread(true);
  const bool factored = cholmod.factorize(&S, s->L, c) && c->status >= CHOLMOD_OK;
  perp_blas_restore_threads(before);
  if (!factored)
    return PERP_SPARSE_MEMORY;
  return c->status == CHOLMOD_OK && pivots_hold(f, s) ? PERP_SPARSE_OK : PERP_SPARSE_INDEFINITE;
}

static bool solve(perp_sparse_factor *f, double *x)
{
  state *s = f->state;
  const size_t m = (size_t)f->m;
  cholmod_dense right = {.nrow = m,
                         .ncol = 1,
                         .nzmax = m,
                         .d = m,
                         .x = x,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
  if (!cholmod.solve2(CHOLMOD_A, s->L, &right, NULL, &s->X, NULL, &s->Y, &s->E, &s->common))
    return false;
  memcpy(x, s->X->x, m * sizeof *x);
  return true;
}

static void destroy(perp_sparse_factor *f)
{
  state *s = f->state;
  if (!s)
    return;
  cholmod.free_factor(&s->L, &s->common);
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

static const perp_sparse_back back = {create, factorise, solve, destroy};

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
