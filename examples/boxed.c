/* boxed.c: a quadratic program with bounds, as a boxed problem
 *
 *   minimise  1/2 x^T A x + b^T x   with  lo <= x <= hi
 *
 * For symmetric positive definite A its solution is that of the problem lo <= x <= hi, y = A x + b:
 * y_i = 0 between the bounds, y_i >= 0 at lo_i, y_i <= 0 at hi_i. So y has the multipliers.
 *
 * Here x is a smooth curve through a tube around noisy data d: A = I + w D^T D with second
 * differences D, b = -d, and the tube is d - 0.3 <= x <= d + 0.3. */
#include <math.h>
#include <perp/perp.h>
#include <stdio.h>

enum { N = 200 };

int main(void)
{
  static double a[N * N], d[N], b[N], lo[N], hi[N], x[N];
  unsigned noise = 1;
  for (int i = 0; i < N; i++) {
    noise = 1103515245u * noise + 12345u;
    d[i] = sin(0.05 * i) + 0.4 * ((double)(noise >> 16 & 1023) / 512 - 1);
    b[i] = -d[i];
    lo[i] = d[i] - 0.3;
    hi[i] = d[i] + 0.3;
    a[i * N + i] += 1;
  }
  const double weight = 100, D[3] = {1, -2, 1};
  for (int i = 0; i + 2 < N; i++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        a[(i + r) * N + i + c] += weight * D[r] * D[c];

  perp_operator *dense = NULL, *A = NULL; /* most of it is 0: better kept as compressed rows */
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  perp_error error = perp_operator_dense(N, a, N, PERP_BORROW, &dense, &result.message);
  if (!error)
    error = perp_operator_to_csr(dense, 0, &A, &result.message);
  if (!error)
    error = perp_solver_create("auto", &solver, &result.message);
  if (!error) {
    const perp_problem problem = perp_problem_boxed(A, b, lo, hi);
    error = perp_solver_solve(solver, &problem, NULL, x, &result);
  }
  int status = error ? 2 : result.outcome == PERP_SOLVED ? 0 : 1;
  if (error) {
    fprintf(stderr, "%s: %s\n", perp_error_name(error), result.message.text);
  } else {
    int at_bounds = 0;
    double value = 0;
    for (int i = 0; i < N; i++) {
      at_bounds += x[i] == lo[i] || x[i] == hi[i];
      value += 0.5 * x[i] * (result.y[i] + b[i]); /* 1/2 x^T A x + b^T x, by y = A x + b */
      /* the sign of a multiplier tells which bound holds x back */
      if ((x[i] > lo[i] && result.y[i] > 1e-6) || (x[i] < hi[i] && result.y[i] < -1e-6))
        status = 1;
    }
    printf("%s by %s: objective %.6f, %d of %d values at a bound, relative residual %.1e\n",
           perp_outcome_name(result.outcome), result.method, value, at_bounds, N,
           result.relative_residual);
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  perp_operator_destroy(dense);
  return status;
}
