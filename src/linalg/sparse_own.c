/* sparse_own.c: L D L^T of principal submatrices of a sparse matrix, without any library
 *
 * By sparse_ldlt.c. The order is reverse Cuthill-McKee, which keeps the band narrow: good for bands and
 * grids of some ten thousand cells.
 * Workspace: the entries of A_SS and of L, and some twelve vectors. */
#include "linalg/sparse_back.h"
#include "linalg/sparse_ldlt.h"

#include <float.h>

/* The order, and the flops of a factor of all of A in it: sum c_j^2 over the columns of L, c_j
 * their counts with the diagonal. Methods compare a factor with sweeps and with the time left by
 * it. */
static bool create(perp_sparse_factor *f)
{
  f->state = perp_arena_alloc_zero(f->arena, 1, sizeof(perp_sparse_ldlt));
  if (!f->state)
    return false;
  perp_sparse_order(&f->A, f->order, f->rows, f->from);
  const perp_arena_mark mark = perp_arena_hold(f->arena);
  for (int k = 0; k < f->A.n; k++)
    f->place[f->order[k]] = k;
  perp_sparse_ldlt all;
  if (!perp_sparse_ldlt_load(&all, &f->A, f->A.n, f->order, f->place, NULL, f->arena))
    return false;
  perp_sparse_ldlt_analyse(&all, false);
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
  f->fill = perp_sparse_ldlt_analyse(L, false);
  if (f->limit && (double)f->limit < (double)f->fill * (sizeof *L->L_value + sizeof *L->L_index))
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

const perp_sparse_back perp_sparse_own = {create, factorise, solve, destroy, NULL};
