/* overhead.c: microseconds of CPU time of perp_solve on the problem of overhead.py: what
 * perp.solve_lcp does, without Python; the least of 20 rounds of 5,000 calls */
#define _POSIX_C_SOURCE 200809L
#include <perp/perp.h>
#include <stdio.h>
#include <time.h>

enum { N = 10, CALLS = 5000, ROUNDS = 20 };

static double microseconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static perp_outcome solve(const double *a, const double *b)
{
  double x[N] = {0}, y[N], ray[N];
  perp_operator *A = NULL;
  perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.y = y;
  o.ray = ray;
  perp_solve("auto", &p, &o, x, &r);
  perp_operator_destroy(A);
  return r.outcome;
}

int main(void)
{
  double a[N * N], b[N], least = 1e9;
  if (fread(a, sizeof *a, N * N, stdin) != N * N || fread(b, sizeof *b, N, stdin) != N)
    return 2;
  for (int k = 0; k < ROUNDS; k++) {
    const double began = microseconds();
    for (int c = 0; c < CALLS; c++)
      if (solve(a, b) != PERP_SOLVED)
        return 1;
    const double each = (microseconds() - began) / CALLS;
    least = each < least ? each : least;
  }
  printf("%.3f\n", least);
  return 0;
}
