/* factor.c: L D L^T of a symmetric quasi-definite matrix, of which only the diagonal changes
 *
 *   K = ( P + E   G^T )       E, F > 0,
 *       ( G       -F  )
 *
 * has such a factor for every order of its rows, without exchanges (Vanderbei 1995), and D has the
 * signs of the diagonal: + in rows of P, - in rows of G. So the order is chosen for little fill
 * once, and pattern, tree and columns of L stay (linalg/sparse_ldlt.c). An infinite diagonal entry
 * takes its row out: that is how active sets change without another pattern. */
#include "model/qp/qp.h"

#include "linalg/sparse_ldlt.h"

struct perp_qp_factor {
  perp_sparse_ldlt L;
  int *order, *place;
  double *diagonal, *permuted;
};

perp_qp_factor *perp_qp_factor_create(const perp_qp_rows *A, perp_arena *arena)
{
  const size_t n = (size_t)A->rows;
  const perp_sparse K = {A->rows, A->start, A->column, A->value};
  perp_qp_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f || !PERP_TAKE_INTEGERS(arena, n, &f->order, &f->place) ||
      !PERP_TAKE_ZERO_REALS(arena, n, &f->diagonal, &f->permuted) ||
      !perp_sparse_order_degree(&K, f->order))
    return NULL;
  for (int k = 0; k < A->rows; k++)
    f->place[f->order[k]] = k;
  if (!perp_sparse_ldlt_load(&f->L, &K, A->rows, f->order, f->place, NULL, arena))
    return NULL;
  const int64_t fill = perp_sparse_ldlt_analyse(&f->L, true);
  return perp_sparse_ldlt_take(&f->L, fill, arena) ? f : NULL;
}

/* What a factorisation is asked for, and what it found. */
typedef struct {
  const int *order;
  const signed char *sign;
  double least, replace;
  int replaced, first;
} pivoting;

/* The pivot of row k, replaced if its sign is wrong. */
static bool take_pivot(void *context, int k, double diagonal, double *pivot)
{
  pivoting *p = context;
  const int row = p->order[k];
  (void)diagonal;
  if (p->sign[row] * *pivot > p->least)
    return true;
  if (p->replaced++ == 0)
    p->first = row;
  *pivot = p->sign[row] * p->replace;
  return true;
}

int perp_qp_factorise(perp_qp_factor *f, const double *diagonal, const signed char *sign,
                      double least, double replace, const perp_alarm *alarm, int *first)
{
  pivoting p = {.order = f->order, .sign = sign, .least = least, .replace = replace};
  for (int k = 0; k < f->L.n; k++)
    f->diagonal[k] = diagonal[f->order[k]];
  if (!perp_sparse_ldlt_factorise(&f->L, f->diagonal, take_pivot, &p, alarm))
    return -1;
  if (p.replaced > 0 && first)
    *first = p.first;
  return p.replaced;
}

void perp_qp_factor_solve(perp_qp_factor *f, double *x)
{
  for (int k = 0; k < f->L.n; k++)
    f->permuted[k] = x[f->order[k]];
  perp_sparse_ldlt_solve(&f->L, f->permuted);
  for (int k = 0; k < f->L.n; k++)
    x[f->order[k]] = f->permuted[k];
}

void perp_qp_factor_direction(perp_qp_factor *f, int first, double *d)
{
  perp_sparse_ldlt_direction(&f->L, f->place[first], f->permuted);
  for (int k = 0; k < f->L.n; k++)
    d[f->order[k]] = f->permuted[k];
}
