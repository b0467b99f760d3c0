/* sparse_factor.c: a sequence of index sets, and the changes between them
 *
 * The order of elimination is fixed, so one pass sorts a set. If S and d are unchanged, nothing is
 * done. If only d differs, CHOLMOD's symbolic analysis is kept.
 *
 * A pivot that is at most m epsilon times its diagonal entry counts as zero. */
#include "linalg/sparse_factor.h"

#include "base/elementary.h"
#include "linalg/sparse_ldlt.h"
#include "linalg/vector.h"

#include <float.h>
#include <string.h>

/* Sorts the positions of S by elimination. */
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

static bool is_same_set(const perp_sparse_factor *f, int m, const int *S)
{
  bool same = m == f->m;
  for (int t = 0; t < m && same; t++)
    same = f->place[S[t]] >= 0;
  return same;
}

/* Copies d. Returns true if it is unchanged in the rows that stay. */
static bool take_diagonal(perp_sparse_factor *f, int m, const int *S, const double *d)
{
  bool same = true;
  for (int t = 0; t < m; t++) {
    const int i = S[t];
    const double now = d ? d[i] : 0;
    same = same && (f->place[i] < 0 || f->d[i] == now);
    f->d[i] = now;
  }
  return same;
}

perp_sparse_factor *perp_sparse_analyse(const perp_sparse *A, perp_arena *arena, size_t limit)
{
  const perp_sparse_back *cholmod = perp_sparse_cholmod();
  return perp_sparse_analyse_by(cholmod ? cholmod : &perp_sparse_own, A, arena, limit);
}

perp_sparse_factor *perp_sparse_analyse_by(const perp_sparse_back *back, const perp_sparse *A,
                                           perp_arena *arena, size_t limit)
{
  const size_t n = (size_t)A->n;
  perp_sparse_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f)
    return NULL;
  *f = (perp_sparse_factor){.back = back, .A = *A, .arena = arena, .limit = limit};
  if (!PERP_TAKE_INTEGERS(arena, n, &f->order, &f->place, &f->rows, &f->from) ||
      !PERP_TAKE_REALS(arena, n, &f->d, &f->permuted))
    return NULL;
  if (!back->create(f)) {
    back->destroy(f);
    return NULL;
  }
  for (int i = 0; i < A->n; i++)
    f->place[i] = -1;
  f->mark = perp_arena_hold(arena);
  return f;
}

perp_sparse_state perp_sparse_factorise(perp_sparse_factor *f, int m, const int *S, const double *d)
{
  const bool same_diagonal = take_diagonal(f, m, S, d);
  f->anew = !f->valid || !same_diagonal || !is_same_set(f, m, S) || m == 0;
  if (!f->anew)
    return PERP_SPARSE_OK;
  take_set(f, m, S);
  f->valid = false;
  if (m == 0)
    return PERP_SPARSE_OK;
  perp_arena_release(f->arena, f->mark);
  const perp_sparse_state state = f->back->factorise(f);
  f->valid = state == PERP_SPARSE_OK;
  return state;
}

void perp_sparse_forget(perp_sparse_factor *f)
{
  f->valid = false;
}

bool perp_sparse_solve(perp_sparse_factor *f, double *x)
{
  for (int k = 0; k < f->m; k++)
    f->permuted[k] = x[f->from[k]];
  if (f->m > 0 && !f->back->solve(f, f->permuted))
    return false;
  for (int k = 0; k < f->m; k++)
    x[f->from[k]] = f->permuted[k];
  return true;
}

void perp_sparse_free(perp_sparse_factor *f)
{
  if (f)
    f->back->destroy(f);
}

/* ---- The built-in factor ----
 *
 * By sparse_ldlt.c, in the order of minimum degree. Workspace: the entries of A_SS and of L, and about
 * twelve vectors. */

/* Computes the order, and the flops of a factor of all of A in it: sum c_j^2 over the columns of L,
 * c_j their counts with the diagonal. Methods use it to compare a factor with sweeps and with the
 * time left. */
static bool create(perp_sparse_factor *f)
{
  f->state = perp_arena_alloc_zero(f->arena, 1, sizeof(perp_sparse_ldlt));
  if (!f->state || !perp_sparse_order_degree(&f->A, f->arena, f->order))
    return false;
  const perp_arena_mark mark = perp_arena_hold(f->arena);
  for (int k = 0; k < f->A.n; k++)
    f->place[f->order[k]] = k;
  perp_sparse_ldlt all;
  if (!perp_sparse_ldlt_load(&all, &f->A, f->A.n, f->order, f->place, NULL, f->arena))
    return false;
  perp_sparse_ldlt_analyse(&all, false, INT64_MAX);
  for (int k = 0; k < all.n; k++)
    f->flops += (double)(all.next[k] + 1) * (double)(all.next[k] + 1);
  perp_arena_release(f->arena, mark);
  return true;
}

/* A pivot must be positive, up to the rounding of all rows. */
static bool is_positive(void *context, int k, double diagonal, double *pivot)
{
  (void)k;
  return *pivot > *(const int *)context * DBL_EPSILON * diagonal;
}

static perp_sparse_state factorise(perp_sparse_factor *f)
{
  perp_sparse_ldlt *L = f->state;
  double *diagonal;
  if (!PERP_TAKE_REALS(f->arena, (size_t)f->m, &diagonal))
    return PERP_SPARSE_MEMORY;
  for (int k = 0; k < f->m; k++)
    diagonal[k] = f->d[f->rows[k]];
  if (!perp_sparse_ldlt_load(L, &f->A, f->m, f->rows, f->place, diagonal, f->arena))
    return PERP_SPARSE_MEMORY;
  f->fill = perp_sparse_ldlt_analyse(L, false, INT64_MAX);
  if (f->limit &&
      (double)f->limit < (double)f->fill * (sizeof *L->L_value + 2 * sizeof *L->L_index))
    return PERP_SPARSE_MEMORY;
  if (!perp_sparse_ldlt_take(L, f->fill, f->arena))
    return PERP_SPARSE_MEMORY;
  const bool done = perp_sparse_ldlt_factorise(L, diagonal, is_positive, &f->m, NULL);
  return done ? PERP_SPARSE_OK : PERP_SPARSE_INDEFINITE;
}

static bool solve(perp_sparse_factor *f, double *x)
{
  perp_sparse_ldlt_solve(f->state, x);
  return true;
}

static void destroy(perp_sparse_factor *f)
{
  (void)f;
}

const perp_sparse_back perp_sparse_own = {create, factorise, solve, destroy};

/* ---- Scaling ---- */

/* Returns the power of two near 1 / sqrt(v). */
static double root_of_two(double v)
{
  int power;
  frexp(v, &power);
  return v > 0 ? ldexp(1, -(power >= 0 ? power / 2 : -((1 - power) / 2))) : 1;
}

/* norm[k] <- the largest entry of row k of D K D from the rows of A, which begin at row `first` of K */
static void raise_norms(const perp_sparse *A, int first, const double *D, double *norm)
{
  for (int i = 0; i < A->n; i++)
    for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
      const int j = A->column[e];
      const double v = fabs(A->value[e]) * D[first + i] * D[j];
      norm[first + i] = perp_max(norm[first + i], v);
      norm[j] = perp_max(norm[j], v);
    }
}

void perp_ruiz(int n, const perp_sparse *P, const perp_sparse *G, double *D, double *norm)
{
  enum { PASSES = 10 };
  const int all = n + G->n;
  perp_fill(all, 1, D);
  bool changed = true;
  for (int pass = 0; pass < PASSES && changed; pass++) {
    changed = false;
    perp_fill(all, 0, norm);
    if (P)
      raise_norms(P, 0, D, norm);
    raise_norms(G, n, D, norm);
    for (int k = 0; k < all; k++) {
      const double factor = root_of_two(norm[k]);
      /* out of proportion: keep the numbers within range */
      if (factor == 1 || !(D[k] * factor < 0x1p200 && D[k] * factor > 0x1p-200))
        continue;
      D[k] *= factor;
      changed = true;
    }
  }
}
