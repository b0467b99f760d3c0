/* rays.c: certificates from rays up to rounding
 *
 * A certificate u (prove.c) is a proof that these inequalities have no solution:
 *
 *   lo <= x <= hi,   (A x)_i >= -b_i or <= -b_i for the rows whose y_i has a sign,
 *
 * with z = -u in the notation of linalg/exact_lp.h. Interior points u of the cone of rays, such as those
 * of an interior point method on its way, satisfy its inequalities with room for rounding: they hold
 * exactly if no equation (A^T u)_j = 0, for an x_j without bounds, is left. A ray is tried as it is,
 * then without its small entries, then at the vertex near it. A is scaled by powers of two, which round
 * nothing. */
#include "method/system/farkas.h"

#include "base/elementary.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"
#include "set/set.h"

#include <math.h>

static bool may_go_on(void *context)
{
  const perp_rays *s = context;
  return !perp_run_expired(s->run);
}

static bool is_certificate(void *context, const double *z)
{
  perp_rays *s = context;
  const double *u = s->u;
  perp_negate(s->all.n, z, s->u);
  const perp_arena_mark mark = perp_arena_hold(s->run->arena);
  const bool holds = perp_certificate_holds(s->run, &u);
  if (holds && u != s->u)
    perp_copy(s->all.n, u, s->u);
  perp_arena_release(s->run->arena, mark);
  if (holds)
    s->feasible = PERP_FEASIBLE_PROVEN_NOT;
  return holds;
}

/* Tries z without the entries that are small in their row's unit, then its vertex if asked. */
static void prove(perp_rays *s, bool vertex)
{
  static const double tiny[] = {0, 1e-9, 1e-6, 1e-4};
  const int n = s->all.n;
  const double *unit = s->all.D + n;
  double top = 0;
  for (int i = 0; i < n; i++)
    top = perp_max(top, fabs(s->z[i]) / unit[i]);
  perp_multiply(n, 1 / top, s->z);
  for (size_t k = 0; k < sizeof tiny / sizeof *tiny; k++) {
    for (int i = 0; i < n; i++)
      s->cut[i] = fabs(s->z[i]) <= tiny[k] * unit[i] ? 0 : s->z[i];
    if (is_certificate(s, s->cut))
      return;
  }
  if (vertex && perp_vertex_prove(&s->all, s->z) && s->feasible == PERP_FEASIBLE_UNKNOWN)
    s->feasible = PERP_FEASIBLE_NOT;
}

static bool load(perp_rays *s)
{
  const perp_problem *p = s->run->problem;
  const int n = p->K.n;
  perp_inequalities *all = &s->all;
  int64_t *t_start;
  int *t_column;
  double *t_value, *D, *L, *U;
  if (perp_operator_to_csr(p->A, 0, &s->csr, NULL))
    return false;
  perp_operator_csr_arrays(s->csr, &all->start, &all->column, &all->value);
  if (!PERP_TAKE(&s->arena, PERP_ARRAY(t_start, n + 1), PERP_ARRAY(t_column, all->start[n]),
                 PERP_ARRAY(t_value, all->start[n]), PERP_ARRAY(s->cut, n), PERP_ARRAY(s->u, n),
                 PERP_ARRAY(s->part, 2 * n)) ||
      !PERP_TAKE_REALS(&s->arena, 2 * (size_t)n, &D, &L, &U, &s->z, &s->work[0], &s->work[1],
                       &s->work[2], &s->work[3]))
    return false;
  perp_set_all_bounds(&p->K, L, U);
  for (int i = 0; i < n; i++) {
    L[n + i] = isinf(U[i]) ? -p->b[i] : -INFINITY;
    U[n + i] = isinf(L[i]) ? -p->b[i] : INFINITY;
  }
  perp_transpose(n, n, all->start, all->column, all->value, t_start, t_column, t_value, NULL);
  const perp_sparse A = {n, all->start, all->column, all->value};
  perp_ruiz(n, NULL, &A, D, s->z);
  *all = (perp_inequalities){n,       n, A.start, t_start, A.column,  t_column,       A.value,
                             t_value, L, U,       D,       may_go_on, is_certificate, s};
  return true;
}

perp_error perp_rays_open(perp_run *run, bool vertex, perp_rays **rays)
{
  static const double MOST_ENTRIES = 1e7;
  const perp_problem *p = run->problem;
  *rays = NULL;
  if (perp_set_form(&p->K) > PERP_FORM_BOXED || !p->A->table->exact_rows ||
      (double)p->A->nonzeros > MOST_ENTRIES)
    return PERP_ERROR_UNSUPPORTED;
  perp_rays *s = perp_alloc_zero(1, sizeof *s);
  if (!s)
    return PERP_ERROR_MEMORY;
  s->run = run;
  s->vertex = vertex;
  s->error = INFINITY;
  if (load(s)) {
    *rays = s;
    return PERP_OK;
  }
  perp_rays_close(s);
  return PERP_ERROR_MEMORY;
}

void perp_rays_close(perp_rays *s)
{
  if (!s)
    return;
  perp_operator_destroy(s->csr);
  perp_arena_free(&s->arena);
  perp_free(s);
}

perp_feasible perp_rays_offer(perp_rays *s, const double *u, bool last)
{
  enum { PROOFS = 8 };
  static const double GOOD = 1e-3;
  perp_negate(s->all.n, u, s->z);
  const double error = perp_ray_error(&s->all, s->z, s->part, s->work);
  const bool better = last || (s->proofs < PROOFS && error < 0.1 * s->error);
  if (s->feasible != PERP_FEASIBLE_PROVEN_NOT && error < GOOD && (better || error == 0)) {
    s->proofs += better;
    s->error = better ? error : s->error;
    prove(s, better && s->vertex);
  }
  return s->feasible;
}
