/* face_systems.c: the linear systems of subspace minimisation
 *
 * Workspace: n^2 and 4 n, or the workspace of linear.h and 3 n. */
#include "method/subspace/pgssm.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/gather.h"

static const double deltas[] = {0, 1e-10, 1e-7, 1e-4};
enum { LAST_LEVEL = 3 };

static void set_shift(perp_subspace *s)
{
  const double delta = s->level <= LAST_LEVEL ? perp_max(deltas[s->level], s->damping) : 0;
  for (int i = 0; i < s->n; i++)
    s->shift[i] = delta * s->diagonal[i];
}

static perp_error open_reduced(perp_subspace *s)
{
  const perp_error error = perp_linear_open(s->run, &s->plan, &s->reduced);
  if (error)
    return error;
  s->symmetric = perp_linear_is_symmetric(s->reduced);
  return PERP_OK;
}

/* Its address identifies the factor in the solver's cache. */
static const char subspace_maker;

perp_error perp_subspace_open(perp_subspace *s, perp_run *run, const perp_linear_plan *plan)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *s = (perp_subspace){.run = run, .n = A->n, .plan = *plan, .symmetric = true};
  if (!PERP_TAKE_REALS(run->arena, n, &s->scratch, &s->diagonal, &s->shift, &s->right))
    return perp_run_no_memory(run);
  if (perp_operator_diagonal(A, s->diagonal, NULL) != PERP_OK)
    perp_fill(s->n, 1, s->diagonal);
  const double *a;
  int64_t stride;
  if (plan->solver > PERP_LINEAR_DIRECT || A->n > PERP_SUBSPACE_DENSE ||
      perp_operator_dense_array(A, &a, &stride) != PERP_OK ||
      !(A->symmetric || perp_product_is_symmetric(run, s->scratch, s->shift, s->right)))
    return open_reduced(s);
  s->kept = perp_active_open(run, &subspace_maker, a, stride, &s->active);
  if (!s->kept)
    return perp_run_no_memory(run);
  s->dense = true;
  return PERP_OK;
}

void perp_subspace_close(perp_subspace *s)
{
  perp_linear_close(s->reduced);
  if (s->dense && s->active.count > 0 && !s->reduced)
    perp_active_offer(s->kept, s->run, &s->active);
}

void perp_subspace_damp(perp_subspace *s, bool more)
{
  s->damping = more ? perp_min(perp_max(10 * s->damping, 1e-6), 1) : s->damping / 3;
  if (s->damping < 1e-6)
    s->damping = 0;
}

/* Goes to the next level of delta. */
static void raise(perp_subspace *s)
{
  if (s->level == 0)
    s->damping = perp_max(s->damping, s->first_damping);
  s->level++;
}

double perp_subspace_flops(const perp_subspace *s)
{
  return s->dense ? (double)s->n * s->n * s->n / 3 : perp_linear_flops(s->reduced);
}

static bool dense_step(perp_subspace *s, int m, const int *F, const double *y, double *p)
{
  if (!perp_active_follow(s->kept, s->run, m, F, s->scratch, &s->active))
    return false;
  const perp_active *f = &s->active;
  double *r = s->scratch;
  for (int k = 0; k < m; k++)
    r[k] = -y[f->index[k]];
  perp_active_solve(f, r);
  s->run->count.solves++;
  perp_fill(s->n, 0, p);
  for (int k = 0; k < m; k++)
    p[f->index[k]] = r[k];
  return perp_all_finite(s->n, p);
}

/* ---- Other operators ---- */

static perp_error reduced_step(perp_subspace *s, int m, const int *F, const double *y, double tol,
                               double *p, bool *found)
{
  if (!s->reduced) {
    const perp_error error = open_reduced(s);
    if (error)
      return error;
  }
  set_shift(s);
  bool definite = s->level <= LAST_LEVEL && perp_linear_set_definite(s->reduced, m, F, s->shift);
  while (!definite && s->level < LAST_LEVEL && !perp_run_expired(s->run)) {
    raise(s);
    set_shift(s);
    definite = perp_linear_set_definite(s->reduced, m, F, s->shift);
  }
  if (!definite) {
    s->level = LAST_LEVEL + 1; /* A is not positive semi-definite */
    perp_linear_set(s->reduced, m, F, NULL);
  }
  perp_negate(s->n, y, s->right);
  const bool direct = perp_linear_is_direct(s->reduced);
  *found = isfinite(perp_linear_solve(s->reduced, s->right, direct ? 1e-12 : tol, p)) &&
           perp_all_finite(s->n, p);
  return PERP_OK;
}

perp_error perp_subspace_step(perp_subspace *s, int m, const int *F, const double *y, double tol,
                              double *p, bool *found)
{
  perp_fill(s->n, 0, p);
  *found = true;
  const bool plain = s->dense && s->level == 0 && s->damping == 0 &&
                     perp_run_affords(s->run, (double)m * m * m / 3);
  if (m == 0 || (plain && dense_step(s, m, F, y, p)))
    return PERP_OK;
  if (plain)
    raise(s); /* the set was singular */
  return reduced_step(s, m, F, y, tol, p, found);
}

bool perp_subspace_purify(perp_subspace *s, double *u)
{
  if (!s->reduced)
    return false;
  for (int i = 0; i < s->n; i++)
    s->right[i] = s->diagonal[i] * u[i];
  return isfinite(perp_linear_solve(s->reduced, s->right, 1e-12, u)) && perp_all_finite(s->n, u);
}
