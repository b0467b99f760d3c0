/* matrix_free.c: a string pressed against a table, with a matrix that is never stored
 *
 * A string of n nodes is fixed at both ends, pulled down by a load f, and may not fall below the
 * table at height -0.05: u >= -0.05. With x = u + 0.05 this is an LCP whose matrix is the second
 * difference. The shell operator below knows how to multiply by it and how to write out a row; a
 * row is all that the sweeps of psor need. */
#include <perp/perp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n;
} string;

static void apply(void *context, const double *x, double *y)
{
  const string *s = context;
  for (int i = 0; i < s->n; i++)
    y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < s->n ? x[i + 1] : 0);
}

static int row(void *context, int i, int *column, double *value)
{
  const string *s = context;
  int count = 0;
  for (int j = i - 1; j <= i + 1; j++)
    if (j >= 0 && j < s->n) {
      column[count] = j;
      value[count++] = i == j ? 2 : -1;
    }
  return count;
}

int main(void)
{
  enum { NODES = 199 };
  const double h = 1.0 / (NODES + 1), floor_height = -0.05, load = 1;
  string context = {NODES};
  const perp_shell shell = {.context = &context, .apply = apply, .row = row, .row_capacity = 3};

  /* -u'' + load = 0 at places where the string is free: A u + h^2 load >= 0, u = x + floor_height.
   * The constant part of u adds A (floor_height 1), which is nonzero at the two end nodes alone. */
  double b[NODES], x[NODES] = {0};
  for (int i = 0; i < NODES; i++)
    b[i] = h * h * load + (i == 0 || i == NODES - 1 ? floor_height : 0);

  perp_operator *A = NULL;
  perp_result result = perp_result_empty();
  if (perp_operator_shell(NODES, &shell, &A, &result.message)) {
    fprintf(stderr, "%s\n", result.message.text);
    return 2;
  }
  const perp_problem problem = perp_problem_lcp(A, b);
  perp_solver *solver = NULL;
  if (perp_solver_create("psor", &solver, &result.message) ||
      perp_solver_set(solver, "omega", 1.96, &result.message)) {
    fprintf(stderr, "%s\n", result.message.text);
    return 2;
  }
  perp_solver_solve(solver, &problem, NULL, x, &result);

  int resting = 0;
  for (int i = 0; i < NODES; i++)
    resting += x[i] == 0;
  printf("%s after %lld sweeps: %d of %d nodes rest on the table\n",
         perp_outcome_name(result.outcome), (long long)result.counts.sweeps, resting, NODES);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  return result.outcome == PERP_SOLVED ? 0 : 1;
}
