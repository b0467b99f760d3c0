/* matrix_free.c: a membrane over an obstacle, with a matrix that is never stored
 *
 * A membrane over n x n inner nodes of the unit square is fixed at the boundary, pulled down by a
 * load, and may not fall below height -0.02: u >= -0.02. With x = u + 0.02 this is an LCP whose
 * matrix A is the five-point Laplacian. The shell operator below only multiplies by it; the hints
 * say what nobody can see from products: A is symmetric and positive definite. */
#include <perp/perp.h>
#include <stdio.h>

enum { SIDE = 100, N = SIDE * SIDE };

/* y = A x; another number than 0 would end the solve with PERP_ERROR_CALLBACK. */
static int apply(void *context, const double *x, double *y)
{
  ++*(int *)context; /* how often it is called */
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const int c = i * SIDE + j;
      y[c] = 4 * x[c] - (i > 0 ? x[c - SIDE] : 0) - (i + 1 < SIDE ? x[c + SIDE] : 0) -
             (j > 0 ? x[c - 1] : 0) - (j + 1 < SIDE ? x[c + 1] : 0);
    }
  return 0;
}

int main(void)
{
  static double b[N], x[N], floor_part[N], at_floor[N];
  const double h = 1.0 / (SIDE + 1), lowest = -0.02, load = 1;
  int products = 0;
  perp_shell shell = perp_shell_default();
  shell.context = &products;
  shell.apply = apply;
  shell.hints = PERP_HINT_SYMMETRIC | PERP_HINT_DEFINITE;

  perp_operator *A = NULL;
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  perp_error error = perp_operator_shell(N, &shell, &A, &result.message);
  /* A u + h^2 load >= 0 with u = x + lowest: the constant part of u adds A (lowest 1). */
  for (int i = 0; i < N; i++)
    at_floor[i] = lowest;
  if (!error)
    error = perp_operator_apply(A, at_floor, floor_part, NULL, &result.message);
  for (int i = 0; i < N; i++)
    b[i] = h * h * load + floor_part[i];
  if (!error)
    error = perp_solver_create("gpcg", &solver, &result.message); /* needs only products */
  if (!error) {
    const perp_problem problem = perp_problem_lcp(A, b);
    error = perp_solver_solve(solver, &problem, NULL, x, &result);
  }
  if (error) {
    fprintf(stderr, "%s: %s\n", perp_error_name(error), result.message.text);
  } else {
    int resting = 0;
    for (int i = 0; i < N; i++)
      resting += x[i] == 0;
    printf("%s with %d products: %d of %d nodes rest on the obstacle, relative residual %.1e\n",
           perp_outcome_name(result.outcome), products, resting, N, result.relative_residual);
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  return error ? 2 : result.outcome == PERP_SOLVED ? 0 : 1;
}
