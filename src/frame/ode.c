/* ode.c: converts ODE's problem to perp's
 *
 *   A x = b' + w   is   y = A x + b   with b = -b', y = w,
 *
 * and the bounds -hi |x_j|, hi |x_j| of a friction row are perp's with lo = -hi. ODE leaves the
 * upper triangle of A unset, so A is copied: n^2 numbers, little compared with the n^3 operations
 * of a solve. The copy and its operator are kept from call to call and grow with n. */
#include "base/memory.h"
#include "base/message.h"
#include "method/run/method.h"
#include "set/set.h"
#include <perp/ode.h>

#include <string.h>

struct perp_ode {
  perp_solver *solver;
  perp_operator *A;
  int room; /* largest n that fits in the arrays below */
  perp_arena arena;
  double *a, *b, *lo, *hi;
  int *findex;
};

perp_error perp_ode_create(const char *method, perp_ode **ode, perp_message *why)
{
  if (!ode)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "ode is NULL");
  *ode = perp_alloc_zero(1, sizeof **ode);
  if (!*ode)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a solver");
  perp_error error = perp_solver_create(method ? method : "dantzig", &(*ode)->solver, why);
  if (!error && !(perp_solver_method((*ode)->solver).takes & PERP_TAKES(PERP_FORM_FINDEX)))
    error = perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s does not take friction indices", method);
  if (error) {
    perp_ode_destroy(*ode);
    *ode = NULL;
  }
  return error;
}

void perp_ode_destroy(perp_ode *ode)
{
  if (!ode)
    return;
  perp_operator_destroy(ode->A);
  perp_solver_destroy(ode->solver);
  perp_arena_free(&ode->arena);
  perp_free(ode);
}

perp_solver *perp_ode_solver(perp_ode *ode)
{
  return ode ? ode->solver : NULL;
}

/* Makes room for n rows; A borrows the old array, so it is created again. */
static bool reserve(perp_ode *ode, int n)
{
  if (n <= ode->room)
    return true;
  perp_operator_destroy(ode->A);
  perp_arena_free(&ode->arena);
  const size_t rows = (size_t)n;
  ode->A = NULL;
  const bool there = PERP_TAKE(&ode->arena, PERP_ARRAY(ode->a, rows * rows),
                               PERP_ARRAY(ode->b, 3 * rows), PERP_ARRAY(ode->findex, rows));
  ode->room = there ? n : 0;
  return there;
}

static void translate(perp_ode *ode, int n, const double *A, const double *b, int nub,
                      const double *lo, const double *hi, const int *findex)
{
  ode->lo = ode->b + n;
  ode->hi = ode->lo + n;
  for (int i = 0; i < n; i++) {
    const int j = findex && i >= nub ? findex[i] : -1;
    ode->b[i] = -b[i];
    ode->hi[i] = i < nub ? INFINITY : hi[i];
    ode->lo[i] = i < nub ? -INFINITY : j >= 0 ? -hi[i] : lo[i];
    ode->findex[i] = j >= 0 ? j : -1;
    for (int64_t k = 0; k <= i; k++)
      ode->a[i * (int64_t)n + k] = ode->a[k * n + i] = A[i * (int64_t)perp_ode_stride(n) + k];
  }
}

static perp_error solve(perp_ode *ode, int n, double *x, double *w, const perp_options *options,
                        perp_result *result)
{
  const perp_error error =
      ode->A ? perp_operator_dense_replace(ode->A, n, ode->a, n, &result->message)
             : perp_operator_dense(n, ode->a, n, PERP_BORROW, &ode->A, &result->message);
  if (error)
    return error;
  perp_options precise = perp_options_default();
  precise.tol = 1e-10;
  const perp_problem p = perp_problem_friction(ode->A, ode->b, ode->lo, ode->hi, ode->findex);
  const perp_error refused =
      perp_solver_solve(ode->solver, &p, options ? options : &precise, x, result);
  if (!refused && w) {
    perp_operator_apply(ode->A, x, w, NULL, NULL);
    for (int i = 0; i < n; i++)
      w[i] += ode->b[i];
  }
  return refused;
}

static perp_error check(const perp_ode *ode, int n, const double *A, const double *x,
                        const double *b, int nub, const double *lo, const double *hi,
                        perp_message *why)
{
  if (!ode)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "ode is NULL");
  if (n < 0 || nub < 0 || nub > n)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "n = %d must be >= 0, and nub = %d from 0 to n", n,
                     nub);
  if (n > 0 && (!A || !x || !b || (nub < n && (!lo || !hi))))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "A, x, b, lo or hi is NULL, n = %d", n);
  return PERP_OK;
}

perp_error perp_ode_solve(perp_ode *ode, int n, const double *A, double *x, const double *b,
                          double *w, int nub, const double *lo, const double *hi, const int *findex,
                          const perp_options *options, perp_result *result)
{
  perp_call c;
  if (!perp_call_begin(&c, options, result))
    return PERP_ERROR_ARGUMENT;
  if (n > 0 && x)
    memset(x, 0, (size_t)n * sizeof *x);
  if (n > 0 && w)
    memset(w, 0, (size_t)n * sizeof *w);
  perp_error error = c.options ? PERP_OK : PERP_ERROR_ARGUMENT;
  if (!error)
    error = check(ode, n, A, x, b, nub, lo, hi, &c.result->message);
  if (!error && !reserve(ode, n))
    error = perp_fail(&c.result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  if (!error) {
    translate(ode, n, A, b, nub, lo, hi, findex);
    error = solve(ode, n, x, w, options ? c.options : NULL, c.result);
  }
  return perp_call_end(&c, NULL, error);
}
