/* problem.c: creates, checks and owns problems and quadratic programs */
#include "base/message.h"
#include "base/sized.h"
#include "linalg/vector.h"
#include "operator/operator.h"
#include "problem/judge.h"
#include "set/set.h"

#include <perp/problem.h>
#include <perp/qp.h>

perp_problem perp_problem_lcp(const perp_operator *A, const double *b)
{
  return (perp_problem){.A = A, .b = b, .K = {.n = perp_operator_size(A)}};
}

perp_problem perp_problem_boxed(const perp_operator *A, const double *b, const double *lo,
                                const double *hi)
{
  perp_problem p = perp_problem_lcp(A, b);
  p.K.lo = lo;
  p.K.hi = hi;
  return p;
}

perp_problem perp_problem_friction(const perp_operator *A, const double *b, const double *lo,
                                   const double *hi, const int *findex)
{
  perp_problem p = perp_problem_boxed(A, b, lo, hi);
  p.K.findex = findex;
  return p;
}

perp_problem perp_problem_cone(const perp_operator *A, const double *b, const double *mu)
{
  perp_problem p = perp_problem_lcp(A, b);
  p.K.mu = mu;
  p.K.cones = p.K.n / 3 + (p.K.n % 3 > 0); /* a surplus cone fails the check */
  return p;
}

perp_problem perp_problem_product(const perp_operator *A, const double *b, const perp_set *K)
{
  perp_problem p = perp_problem_lcp(A, b);
  if (K)
    p.K = *K;
  p.K.n = perp_operator_size(A);
  return p;
}

perp_error perp_problem_validate_sizes(const perp_problem *p, perp_message *why)
{
  if (!p || !p->A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "problem or problem.A is NULL");
  if (p->A->refused)
    return perp_fail(why, PERP_ERROR_PROBLEM,
                     "the last refresh of A failed; refresh it with valid data");
  const int n = perp_operator_size(p->A);
  if (n > 0 && !p->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "problem.b is NULL");
  if (p->K.n != n)
    return perp_fail(why, PERP_ERROR_PROBLEM, "K has dimension %d, but A is %d x %d", p->K.n, n, n);
  const perp_set *K = &p->K;
  if (K->cones < 0 || (!K->dim && K->cones > n / 3))
    return perp_fail(why, PERP_ERROR_PROBLEM, "%d cones take 3 rows each, but A has %d rows",
                     K->cones, n);
  int free = 0;
  for (perp_cone k = perp_set_cones(K); k.c < K->cones && (K->cone || K->dim);
       free = k.row + k.rows, perp_cone_next(K, &k)) {
    if (k.rows < 1 || k.rows > PERP_FRICTION_ROWS)
      return perp_fail(why, PERP_ERROR_PROBLEM, "dim[%d] = %d, but a contact has 1 to 6 rows", k.c,
                       k.rows);
    if (k.row < free || k.row > n - k.rows)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s[%d] = %d: a cone takes %d of the %d rows, and rows below %d belong to "
                       "earlier cones",
                       K->cone ? "cone" : "dim", k.c, K->cone ? k.row : k.rows, k.rows, n, free);
  }
  for (size_t k = 0; k < sizeof p->K.reserved / sizeof *p->K.reserved; k++)
    if (p->K.reserved[k])
      return perp_fail(why, PERP_ERROR_ARGUMENT,
                       "K.reserved[%zu] is not 0: it sets an option of a newer library", k);
  if (p->K.cones > 0 && !p->K.mu)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%d cones, but mu (friction coefficients) is NULL",
                     p->K.cones);
  return PERP_OK;
}

static perp_error refuse_bounds(const perp_set *K, int i, perp_message *why)
{
  const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
  if (isnan(lo) || isnan(hi))
    return perp_fail(why, PERP_ERROR_PROBLEM, "%s[%d] is NaN", isnan(lo) ? "lo" : "hi", i);
  if (lo > hi)
    return perp_fail(why, PERP_ERROR_PROBLEM, "lo[%d] = %g is above hi[%d] = %g", i, lo, i, hi);
  return perp_fail(why, PERP_ERROR_PROBLEM, "row %d has the empty box [%g, %g]", i, lo, hi);
}

/* Checks lo <= hi, which excludes NaN, and that the box is not empty: no bound is infinite on the
 * wrong side. */
static perp_error check_bounds(const perp_set *K, perp_message *why)
{
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r)) {
    const int i = r.i;
    const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
    if (!((lo <= hi) & (lo < INFINITY) & (hi > -INFINITY)))
      return refuse_bounds(K, i, why);
  }
  return PERP_OK;
}

/* Checks the coefficients and laws of a set with dim. */
static perp_error check_contacts(const perp_set *K, perp_message *why)
{
  static const char *const axes[] = {"first slide", "second slide", "torsion", "first roll",
                                     "second roll"};
  for (int c = 0; c < K->cones; c++) {
    const double *mu = K->mu + (ptrdiff_t)PERP_FRICTION_MU * c;
    bool has[PERP_FRICTION_MU] = {false};
    for (int k = 1; k < K->dim[c]; k++)
      has[perp_friction_column(K->dim[c], k)] = true;
    for (int k = 0; k < PERP_FRICTION_MU; k++) {
      if (!(mu[k] >= 0) || mu[k] > 1e100)
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "mu[%d][%d] = %g, but a friction coefficient is >= 0 and at most 1e100", c,
                         k, mu[k]);
      if (mu[k] > 0 && !has[k])
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "mu[%d][%d] = %g, but a contact of %d rows has no %s: give 0", c, k, mu[k],
                         K->dim[c], axes[k]);
    }
    if (K->law && K->law[c] != PERP_FRICTION_ELLIPTIC && K->law[c] != PERP_FRICTION_DISCS)
      return perp_fail(why, PERP_ERROR_PROBLEM, "law[%d] = %d, but it is 0 (elliptic) or 1 (discs)",
                       c, K->law[c]);
  }
  return PERP_OK;
}

static perp_error refuse_friction_index(const perp_set *K, int i, perp_message *why)
{
  const int j = K->findex[i];
  if (j < -1 || j >= K->n)
    return perp_fail(why, PERP_ERROR_PROBLEM, "findex[%d] = %d is out of range, n = %d", i, j,
                     K->n);
  if (perp_set_in_cone(K, i))
    return perp_fail(why, PERP_ERROR_PROBLEM, "findex[%d] = %d, but row %d belongs to a cone", i, j,
                     i);
  if (j == i)
    return perp_fail(why, PERP_ERROR_PROBLEM, "findex[%d] = %d points at its own row", i, j);
  return perp_fail(why, PERP_ERROR_PROBLEM,
                   "findex[%d] = %d points at another friction row (findex[%d] = %d)", i, j, j,
                   K->findex[j]);
}

/* Checks that findex[i] is -1 or a row without a friction index, and so not i. */
static perp_error check_friction_index(const perp_set *K, perp_message *why)
{
  perp_cone k = perp_set_cones(K);
  for (int i = 0; i < K->n; i++) {
    const int j = K->findex[i];
    while (k.c < K->cones && k.row + k.rows <= i)
      perp_cone_next(K, &k);
    if (j != -1 && (j < -1 || j >= K->n || K->findex[j] >= 0 || (k.c < K->cones && k.row <= i)))
      return refuse_friction_index(K, i, why);
  }
  return PERP_OK;
}

perp_error perp_problem_validate(const perp_problem *p, perp_message *why)
{
  perp_error error = perp_problem_validate_sizes(p, why);
  if (error)
    return error;
  const perp_set *K = &p->K;
  const int64_t i = perp_first_not_finite(K->n, p->b);
  if (i >= 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "b[%d] = %g is not finite", (int)i, p->b[i]);
  for (int c = 0; c < K->cones && !K->dim; c++)
    if (!(K->mu[c] >= 0) || isinf(K->mu[c]))
      return perp_fail(why, PERP_ERROR_PROBLEM, "mu[%d] = %g, but a friction coefficient is >= 0",
                       c, K->mu[c]);
  if (K->dim && (error = check_contacts(K, why)))
    return error;
  if ((K->lo || K->hi) && (error = check_bounds(K, why)))
    return error;
  return K->findex ? check_friction_index(K, why) : PERP_OK;
}

perp_problem perp_instance_problem(const perp_instance *instance)
{
  return (perp_problem){
      .A = instance->A,
      .b = instance->b,
      .K = {.n = instance->A ? perp_operator_size(instance->A) : 0,
            .lo = instance->lo,
            .hi = instance->hi,
            .findex = instance->findex,
            .mu = instance->mu,
            .cones = instance->cones,
            .cone = instance->cone,
            .dim = instance->dim,
            .law = instance->law},
  };
}

void perp_instance_destroy(perp_instance *instance)
{
  if (!instance)
    return;
  perp_operator_destroy(instance->A);
  perp_free(instance->b);
  perp_free(instance->lo);
  perp_free(instance->hi);
  perp_free(instance->findex);
  perp_free(instance->mu);
  perp_free(instance->cone);
  perp_free(instance->dim);
  perp_free(instance->law);
  perp_free(instance->x);
  perp_free(instance->u);
  *instance = (perp_instance){0};
}

const char *perp_kind_name(perp_kind kind)
{
  static const char *const names[] = {"unknown", "solvable", "multiple", "infeasible"};
  return kind <= PERP_KIND_INFEASIBLE ? names[kind] : "unknown";
}

/* ---- Quadratic programs read from files or generated ---- */

void perp_qp_instance_program_sized(const perp_qp_instance *t, perp_qp *qp, size_t size)
{
  const perp_qp own = {.size = sizeof own,
                       .n = t->n,
                       .m = t->m,
                       .P = t->P,
                       .q = t->q,
                       .G_start = t->G_start,
                       .G_column = t->G_column,
                       .G_value = t->G_value,
                       .l = t->l,
                       .u = t->u,
                       .lb = t->lb,
                       .ub = t->ub};
  perp_sized_write(&own, sizeof own, qp, size);
}

void perp_qp_instance_destroy(perp_qp_instance *instance)
{
  if (!instance)
    return;
  perp_operator_destroy(instance->P);
  void *const blocks[] = {instance->q,       instance->G_start, instance->G_column,
                          instance->G_value, instance->l,       instance->u,
                          instance->lb,      instance->ub,      instance->x};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    perp_free(blocks[k]);
  *instance = (perp_qp_instance){0};
}
