/* direct_calls.c: problems given as arrays, solved by `auto` in one call */
#include "method/run/method.h"

/* Fills the result of a call for which no operator could be created. */
static perp_error refuse(perp_error error, const perp_message *why, const perp_options *options,
                         perp_result *result)
{
  perp_call call;
  if (!perp_call_begin(&call, options, result))
    return PERP_ERROR_ARGUMENT;
  call.result->message = *why;
  return perp_call_end(&call, "perp", error);
}

/* Solves once and destroys A. */
static perp_error solve(perp_operator *A, const double *b, const perp_set *K,
                        const perp_options *options, double *x, perp_result *result)
{
  const perp_problem problem = perp_problem_product(A, b, K);
  const perp_error error = perp_solve("auto", &problem, options, x, result);
  perp_operator_destroy(A);
  return error;
}

perp_error perp_solve_dense(int n, const double *a, const double *b, const perp_set *K,
                            const perp_options *options, double *x, perp_result *result)
{
  perp_operator *A = NULL;
  perp_message why = {""};
  const perp_error error = perp_operator_dense(n, a, n, PERP_BORROW, &A, &why);
  return error ? refuse(error, &why, options, result) : solve(A, b, K, options, x, result);
}

perp_error perp_solve_csr(int n, const int64_t *start, const int *column, const double *value,
                          const double *b, const perp_set *K, const perp_options *options,
                          double *x, perp_result *result)
{
  perp_operator *A = NULL;
  perp_message why = {""};
  const perp_error error = perp_operator_csr(n, start, column, value, PERP_BORROW, &A, &why);
  return error ? refuse(error, &why, options, result) : solve(A, b, K, options, x, result);
}

perp_error perp_solve_contacts(const perp_contact_bodies *bodies, const double *c,
                               const perp_set *K, const perp_options *options, double *v, double *x,
                               perp_result *result)
{
  perp_operator *A = NULL;
  perp_message why = {""};
  double *b = NULL;
  perp_error error = perp_operator_contact_bodies(bodies, PERP_BORROW, &A, &why);
  if (!error && !(b = perp_alloc((size_t)perp_operator_size(A), sizeof *b)))
    error =
        perp_fail(&why, PERP_ERROR_MEMORY, "out of memory for b, n = %d", perp_operator_size(A));
  if (!error)
    error = perp_contact_bias(A, v, c, b, &why);
  if (error) {
    error = refuse(error, &why, options, result);
  } else {
    const perp_problem problem = perp_problem_product(A, b, K);
    error = perp_solve("auto", &problem, options, x, result);
    if (!error)
      error = perp_contact_velocities(A, v, x, v, &why);
  }
  perp_free(b);
  perp_operator_destroy(A);
  return error;
}
